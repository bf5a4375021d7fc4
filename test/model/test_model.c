// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_model.c - what a model refuses, and what it makes of what it takes.
//
// Every refusal is SCREE_BAD_INPUT with a sentence, and the model can still be freed (the sanitizer
// build looks for leaks).

#include "harness.h"
#include "scree/simulation.h"

static const double no_numbers[] = { NAN, INFINITY, -INFINITY };

#define REFUSED(call)                                                                          \
    do {                                                                                       \
        scree_error err_ = { 0 }, *err = &err_;                                                \
        scree_status status_ = (call);                                                         \
        if (status_ != SCREE_BAD_INPUT)                                                        \
            COMPLAIN("(%d) status %d and not refused: %s", asked, (int)status_, #call);        \
        else if (err_.status != SCREE_BAD_INPUT || strlen(err_.text) < 8)                      \
            COMPLAIN("(%d) refused without a sentence (\"%s\"): %s", asked, err_.text, #call); \
    } while (0)

#define TAKEN(call)                                                             \
    do {                                                                        \
        scree_error err_ = { 0 }, *err = &err_;                                 \
        if ((call) != SCREE_OK) COMPLAIN("refused (%s): %s", err_.text, #call); \
    } while (0)

static int asked;  // the line of the test that asks

#define REFUSE_BODY(body) (asked = __LINE__, refuse_body(body))
#define REFUSE_SHAPE(shape) (asked = __LINE__, refuse_shape(shape))
#define REFUSE_SYSTEM(system) (asked = __LINE__, refuse_system(system))
#define REFUSE_CONTACT(contact) (asked = __LINE__, refuse_contact(contact))
#define REFUSE_OPTIONS(model, options) (asked = __LINE__, refuse_options(model, options))

// -------------------------------------------------------------------------------------------------
// bodies, shapes, laws

static scree_body good_body(void) { return (scree_body){ .name = "b", .mass = 1, .inertia = 2 }; }

static void refuse_body(scree_body body) {
    scree_model *model = scree_model_new();
    REFUSED(scree_model_add_body(model, &body, err));
    CHECK_INT(model->bodies, 0);
    CHECK_INT(scree_model_add_body(model, &body, NULL), SCREE_BAD_INPUT);  // no place for an error
    scree_model_free(model);
}

static void bodies(void) {
    const double bad[] = { 0, -1, NAN, INFINITY, -INFINITY };
    for (int k = 0; k < 5; k++) {
        scree_body body = good_body();
        body.mass = bad[k];
        REFUSE_BODY(body);
        body = good_body();
        body.inertia = bad[k];
        REFUSE_BODY(body);
    }
    for (int k = 0; k < 3; k++)
        for (int field = 0; field < 6; field++) {
            scree_body body = good_body();
            double *place[] = { &body.position[0], &body.position[1], &body.angle,
                                &body.velocity[0], &body.velocity[1], &body.spin };
            *place[field] = no_numbers[k];
            REFUSE_BODY(body);
            if (field < 3) {
                body.fixed = true;
                REFUSE_BODY(body);
            }
        }
    for (int k = 0; k < 3; k++) {
        scree_body body = good_body();
        body.force[k].constant = NAN;
        REFUSE_BODY(body);
    }
    // a fixed body needs no mass, and does not move
    scree_model *model = scree_model_new();
    scree_body wall = { .name = "wall", .fixed = true };
    TAKEN(scree_model_add_body(model, &wall, err));
    TAKEN(scree_model_finish(model, err));
    CHECK_INT(model->dofs, 3);
    scree_model_free(model);
}

static void refuse_shape(scree_shape shape) {
    scree_model *model = scree_model_new();
    scree_body body = good_body();
    TAKEN(scree_model_add_body(model, &body, err));
    REFUSED(scree_model_add_shape(model, &shape, err));
    CHECK_INT(model->shapes, 0);
    scree_model_free(model);
}

static void shapes(void) {
    scree_shape disc = { .kind = SCREE_DISC, .radius = 1 };
    scree_shape plane = { .kind = SCREE_HALF_PLANE, .normal = { 0, 1 } };
    const int nobody[] = { -1, 1, 7, -2147483647 };
    for (int k = 0; k < 4; k++) {
        scree_shape shape = disc;
        shape.body = nobody[k];
        REFUSE_SHAPE(shape);
    }
    const double radius[] = { 0, -1, NAN, INFINITY };
    for (int k = 0; k < 4; k++) {
        scree_shape shape = disc;
        shape.radius = radius[k];
        REFUSE_SHAPE(shape);
    }
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2; i++) {
            scree_shape shape = disc;
            shape.at[i] = no_numbers[k];
            REFUSE_SHAPE(shape);
            shape = plane;
            shape.normal[i] = no_numbers[k];
            REFUSE_SHAPE(shape);
        }
    scree_shape flat = plane;
    flat.normal[1] = 0;
    REFUSE_SHAPE(flat);

    // normals of any length, tiny and huge ones too, end as unit vectors
    const double length[] = { 1, 3, 1e-200, 1e200, 5e-324 };
    for (int k = 0; k < 5; k++) {
        scree_model *model = scree_model_new();
        scree_body wall = { .name = "wall", .fixed = true };
        scree_shape shape = plane;
        shape.normal[0] = -length[k];
        shape.normal[1] = 0;
        TAKEN(scree_model_add_body(model, &wall, err));
        TAKEN(scree_model_add_shape(model, &shape, err));
        TAKEN(scree_model_finish(model, err));
        CHECK_NEAR(model->shape[0].normal[0], -1, 1e-15);
        CHECK_NEAR(model->shape[0].normal[1], 0, 1e-15);
        scree_model_free(model);
    }
}

static void laws(void) {
    scree_model *model = scree_model_new();
    scree_body body = good_body();
    TAKEN(scree_model_add_body(model, &body, err));
    const double e[] = { -1e-9, 1 + 1e-9, -1, 2, NAN, INFINITY };
    for (int k = 0; k < 6; k++) {
        scree_law law = { .restitution = e[k] };
        REFUSED(scree_model_add_law(model, 0, -1, law, err));
    }
    const double mu[] = { -1e-9, -1, NAN, INFINITY, -INFINITY };
    for (int k = 0; k < 5; k++) {
        scree_law law = { .friction = mu[k] };
        REFUSED(scree_model_add_law(model, 0, -1, law, err));
    }
    scree_law good = { .restitution = 1 };
    const int nobody[] = { -2, 1, 100 };
    for (int k = 0; k < 3; k++) {
        REFUSED(scree_model_add_law(model, nobody[k], 0, good, err));
        REFUSED(scree_model_add_law(model, 0, nobody[k], good, err));
    }
    TAKEN(scree_model_add_law(model, -1, -1, good, err));
    good.restitution = 0;
    good.friction = 1e6;
    TAKEN(scree_model_add_law(model, 0, -1, good, err));
    scree_model_free(model);
}

/// The last law that fits a pair counts, in either order of the two bodies.
static void last_law_counts(void) {
    for (int k = 0; k < 4; k++) {
        scree_model *model = scree_model_new();
        for (int i = 0; i < 3; i++) {
            scree_body body = good_body();
            body.fixed = i == 0;
            scree_shape shape = { .kind = i ? SCREE_DISC : SCREE_HALF_PLANE,
                                  .body = i,
                                  .normal = { 0, 1 },
                                  .radius = 1 };
            TAKEN(scree_model_add_body(model, &body, err));
            TAKEN(scree_model_add_shape(model, &shape, err));
        }
        scree_law any = { .restitution = 0.1, .friction = 0.1 };
        scree_law pair = { .restitution = 0.2, .friction = 0.2 };
        scree_law half = { .restitution = 0.3, .friction = 0.3 };
        if (k == 1) TAKEN(scree_model_add_law(model, 1, 0, pair, err));
        if (k != 3) TAKEN(scree_model_add_law(model, -1, -1, any, err));
        if (k == 0) TAKEN(scree_model_add_law(model, 1, 0, pair, err));
        if (k == 2) TAKEN(scree_model_add_law(model, 0, 1, pair, err));
        if (k == 2) TAKEN(scree_model_add_law(model, -1, 2, half, err));
        TAKEN(scree_model_finish(model, err));
        for (int i = 0; i < 6; i++) {
            static const int two[6][2] = { { 0, 1 }, { 0, 2 }, { 1, 2 },
                                           { 1, 0 }, { 2, 0 }, { 2, 1 } };
            int a = two[i][0], b = two[i][1];
            int sum = a + b;  // 1: ground and first, 2: ground and second, 3: the two discs
            double expected = 0.1;
            if (k == 3) expected = 0;  // no law at all: neither restitution nor friction
            if ((k == 0 || k == 2) && sum == 1) expected = 0.2;
            if (k == 2 && sum > 1) expected = 0.3;
            CHECK_NEAR(scree_model_law(model, a, b)->restitution, expected, 0);
            CHECK_NEAR(scree_model_law(model, a, b)->friction, expected, 0);
        }
        scree_model_free(model);
    }
}

/// No pairs within a body, nor between bodies that are both fixed.
static void pairs_that_can_touch(void) {
    scree_model *model = scree_model_new();
    for (int i = 0; i < 3; i++) {
        scree_body body = good_body();
        body.fixed = i < 2;
        TAKEN(scree_model_add_body(model, &body, err));
        for (int j = 0; j < 2; j++) {
            scree_shape disc = { .kind = SCREE_DISC, .body = i, .radius = 1 };
            TAKEN(scree_model_add_shape(model, &disc, err));
        }
    }
    TAKEN(scree_model_finish(model, err));
    scree_scheme_options scheme = scree_scheme_options_default();
    scree_solver_options solver = scree_solver_options_default();
    scree_stepper *stepper;
    scheme.step = 1e-3;
    TAKEN(scree_stepper_new(model, &scheme, &solver, &stepper, err));
    const scree_step_record *record = scree_stepper_record(stepper);
    CHECK_INT(record->contacts, 8);  // two discs of the moving body, four fixed ones
    for (int i = 0; i < record->contacts; i++) {
        int a = record->contact[i].a, b = record->contact[i].b;
        CHECK(a != b && (a == 2 || b == 2));
    }
    scree_stepper_free(stepper);
    scree_model_free(model);
}

// -------------------------------------------------------------------------------------------------
// matrix systems

static const double identity[4] = { 1, 0, 0, 1 }, zeros[4] = { 0 };

static scree_system good_system(void) {
    return (
        scree_system){ .coordinates = 2, .mass = identity, .position = zeros, .velocity = zeros };
}

static void refuse_system(scree_system system) {
    scree_model *model = scree_model_new();
    REFUSED(scree_model_set_system(model, &system, err));
    scree_model_free(model);
}

static void systems(void) {
    scree_system system = good_system();
    system.coordinates = 0;
    REFUSE_SYSTEM(system);
    system.coordinates = -3;
    REFUSE_SYSTEM(system);
    system = good_system();
    system.mass = NULL;
    REFUSE_SYSTEM(system);

    // masses that are none
    const double mass[][4] = {
        { 0, 0, 0, 0 },        { 1, 1, 1, 1 },        { 1, 2, 2, 1 },
        { -1, 0, 0, 1 },       { 1, 0.1, 0, 1 },      { 1, 0, 0, 0 },
        { 1, NAN, 0, 1 },      { INFINITY, 0, 0, 1 }, { 1, 0.5, 0.5 + 1e-6, 1 },
        { 1, 1, 1, 1 + 1e-17 }
    };
    for (int k = 0; k < 10; k++) {
        system = good_system();
        system.mass = mass[k];
        REFUSE_SYSTEM(system);
    }
    // asymmetric, or no numbers, in K and C; C that gives energy
    const double other[][4] = { { 1, 0.1, 0, 1 }, { NAN, 0, 0, 1 }, { 1, 0, 0, -INFINITY } };
    for (int k = 0; k < 3; k++) {
        system = good_system();
        system.stiffness = other[k];
        REFUSE_SYSTEM(system);
        system = good_system();
        system.damping = other[k];
        REFUSE_SYSTEM(system);
    }
    // damping that gives energy is a model of its own right
    const double giving[4] = { -1, 0, 0, 1 };
    scree_model *braked = scree_model_new();
    system = good_system();
    system.damping = giving;
    TAKEN(scree_model_set_system(braked, &system, err));
    scree_model_free(braked);
    // start and loads that are no numbers
    for (int k = 0; k < 3; k++) {
        double start[2] = { 0, no_numbers[k] };
        system = good_system();
        system.position = start;
        REFUSE_SYSTEM(system);
        system = good_system();
        system.velocity = start;
        REFUSE_SYSTEM(system);
        scree_function load[2] = { { .constant = 0 }, { .constant = no_numbers[k] } };
        system = good_system();
        system.load = load;
        REFUSE_SYSTEM(system);
    }
    // semidefinite damping, indefinite stiffness: both are fine
    const double semi[4] = { 1, -1, -1, 1 }, indefinite[4] = { 1, 2, 2, -1 };
    scree_model *model = scree_model_new();
    system = good_system();
    system.damping = semi;
    system.stiffness = indefinite;
    TAKEN(scree_model_set_system(model, &system, err));
    REFUSED(scree_model_set_system(model, &system, err));  // once
    scree_body late = good_body();
    REFUSED(scree_model_add_body(model, &late, err));  // bodies come before the system
    scree_model_free(model);
}

static void refuse_contact(scree_matrix_contact contact) {
    scree_model *model = scree_model_new();
    scree_system system = good_system();
    TAKEN(scree_model_set_system(model, &system, err));
    REFUSED(scree_model_add_matrix_contact(model, &contact, err));
    CHECK_INT(model->matrix_contacts, 0);
    scree_model_free(model);
}

static void matrix_contacts(void) {
    const double row[4] = { 1, 0.5, 0, 1 }, none[4] = { NAN, 0, INFINITY, 0 };
    const scree_matrix_contact good = {
        .name = "stop", .normal = row, .tangent = row, .tangents = 1, .law = { 0.5, 0.5 }
    };
    scree_model *model = scree_model_new();
    REFUSED(scree_model_add_matrix_contact(model, &good, err));  // before the system
    scree_model_free(model);

    scree_matrix_contact contact = good;
    contact.normal = zeros;
    REFUSE_CONTACT(contact);
    contact = good;
    contact.normal = none;
    REFUSE_CONTACT(contact);
    contact = good;
    contact.tangent = none;
    REFUSE_CONTACT(contact);
    contact = good;
    contact.tangent = NULL;
    REFUSE_CONTACT(contact);
    contact.tangents = 0;  // friction, but nothing to rub along
    REFUSE_CONTACT(contact);
    const int tangents[] = { -1, 3, 100 };
    for (int k = 0; k < 3; k++) {
        contact = good;
        contact.tangents = tangents[k];
        REFUSE_CONTACT(contact);
    }
    const scree_law bad[] = { { .restitution = -0.1 }, { .restitution = 1.1 },
                              { .restitution = NAN },  { .friction = -0.1 },
                              { .friction = NAN },     { .friction = INFINITY } };
    for (int k = 0; k < 6; k++) {
        contact = good;
        contact.law = bad[k];
        REFUSE_CONTACT(contact);
    }
    contact = good;
    contact.offset.constant = NAN;
    REFUSE_CONTACT(contact);
    contact = good;
    contact.surface[0].constant = INFINITY;
    REFUSE_CONTACT(contact);
}

/// The dimension of the problem: 3 as soon as one contact has two tangents.
static void dimensions(void) {
    const double row[4] = { 1, 0.5, 0, 1 };
    for (int tangents = 0; tangents <= 2; tangents++) {
        scree_model *model = scree_model_new();
        scree_system system = good_system();
        scree_matrix_contact contact = { .name = "stop", .normal = row, .tangent = row };
        TAKEN(scree_model_set_system(model, &system, err));
        TAKEN(scree_model_add_matrix_contact(model, &contact, err));
        contact.tangents = tangents;
        TAKEN(scree_model_add_matrix_contact(model, &contact, err));
        TAKEN(scree_model_finish(model, err));
        CHECK_INT(model->dimension, tangents == 2 ? 3 : 2);
        CHECK_INT(model->dofs, 2);
        scree_model_free(model);
    }
}

/// All arrays are copied: what the caller does to his own does not matter.
static void arrays_are_copied(void) {
    double mass[4] = { 2, 0, 0, 3 }, q[2] = { 1, 2 }, v[2] = { 3, 4 }, normal[2] = { 0, 1 };
    double tangent[2] = { 1, 0 };
    char name[] = "stop";
    scree_model *model = scree_model_new();
    scree_system system = { .coordinates = 2, .mass = mass, .position = q, .velocity = v };
    scree_matrix_contact contact = {
        .name = name, .normal = normal, .tangent = tangent, .tangents = 1
    };
    TAKEN(scree_model_set_system(model, &system, err));
    TAKEN(scree_model_add_matrix_contact(model, &contact, err));
    TAKEN(scree_model_finish(model, err));
    memset(mass, 0, sizeof mass);
    memset(q, 0, sizeof q);
    memset(v, 0, sizeof v);
    memset(normal, 0, sizeof normal);
    memset(tangent, 0, sizeof tangent);
    memset(name, 'x', 4);
    CHECK_NEAR(model->system.mass[3], 3, 0);
    CHECK_NEAR(model->system.position[1], 2, 0);
    CHECK_NEAR(model->system.velocity[0], 3, 0);
    CHECK_NEAR(model->matrix_contact[0].normal[1], 1, 0);
    CHECK_NEAR(model->matrix_contact[0].tangent[0], 1, 0);
    CHECK_TEXT(model->matrix_contact[0].name, "stop");
    scree_model_free(model);
}

// -------------------------------------------------------------------------------------------------
// the whole

static void names_of_sides(void) {
    char name[] = "ground";
    const double row[2] = { 1, 0 };
    scree_model *model = scree_model_new();
    scree_body body = good_body();
    body.name = name;
    TAKEN(scree_model_add_body(model, &body, err));
    body.name = "ball";
    TAKEN(scree_model_add_body(model, &body, err));
    memset(name, 'x', 6);
    scree_model_free(model);

    model = scree_model_new();
    scree_system system = good_system();
    scree_matrix_contact first = { .name = "stop", .normal = row };
    scree_matrix_contact second = { .name = "wall", .normal = row };
    TAKEN(scree_model_set_system(model, &system, err));
    TAKEN(scree_model_add_matrix_contact(model, &first, err));
    TAKEN(scree_model_add_matrix_contact(model, &second, err));
    TAKEN(scree_model_finish(model, err));
    CHECK_TEXT(scree_model_side_name(model, -2), "stop");
    CHECK_TEXT(scree_model_side_name(model, -3), "wall");
    const char *system_name = scree_model_side_name(model, -1);
    CHECK(system_name && system_name[0]);
    scree_model_free(model);

    model = scree_model_new();
    body.name = "ground";
    TAKEN(scree_model_add_body(model, &body, err));
    body.name = "ball";
    TAKEN(scree_model_add_body(model, &body, err));
    TAKEN(scree_model_finish(model, err));
    CHECK_TEXT(scree_model_side_name(model, 0), "ground");
    CHECK_TEXT(scree_model_side_name(model, 1), "ball");
    scree_model_free(model);
}

/// The model is constant from finish on.
static void finished_is_finished(void) {
    scree_model *model = scree_model_new();
    scree_body body = good_body();
    scree_shape disc = { .kind = SCREE_DISC, .radius = 1 };
    scree_law law = { .restitution = 0.5, .friction = 0.5 };
    scree_system system = good_system();
    TAKEN(scree_model_add_body(model, &body, err));
    TAKEN(scree_model_add_shape(model, &disc, err));
    TAKEN(scree_model_finish(model, err));
    REFUSED(scree_model_add_body(model, &body, err));
    REFUSED(scree_model_add_shape(model, &disc, err));
    REFUSED(scree_model_add_law(model, 0, -1, law, err));
    REFUSED(scree_model_set_system(model, &system, err));
    CHECK_INT(model->bodies, 1);
    CHECK_INT(model->shapes, 1);
    scree_model_free(model);
    scree_model_free(NULL);
}

static void refuse_options(const scree_model *model, scree_run_options options) {
    scree_simulation *simulation = NULL;
    REFUSED(scree_simulation_new(model, &options, &simulation, err));
    CHECK(!simulation);
    scree_simulation_free(simulation);
}

static void simulations(void) {
    scree_model *model = scree_model_new();
    scree_system system = good_system();
    TAKEN(scree_model_set_system(model, &system, err));
    scree_run_options good = scree_run_options_default();
    good.scheme.step = 0.1;
    good.duration = 1;
    REFUSE_OPTIONS(model, good);  // not finished
    scree_stepper *stepper = NULL;
    REFUSED(scree_stepper_new(model, &good.scheme, &good.solver, &stepper, err));
    CHECK(!stepper);
    TAKEN(scree_model_finish(model, err));
    scree_simulation *simulation = NULL;
    TAKEN(scree_simulation_new(model, &good, &simulation, err));
    CHECK_INT(scree_simulation_steps(simulation), 10);
    scree_simulation_free(simulation);
    scree_simulation_free(NULL);

    const double steps[] = { 0, -1, NAN, INFINITY }, thetas[] = { 0.49, 1.01, 0, INFINITY };
    for (int k = 0; k < 4; k++) {
        scree_run_options options = good;
        options.scheme.step = steps[k];
        REFUSE_OPTIONS(model, options);
        options = good;
        options.scheme.theta = thetas[k];
        REFUSE_OPTIONS(model, options);
        options = good;
        options.solver.tolerance = k < 2 ? steps[k] : -1e-300;
        REFUSE_OPTIONS(model, options);
        options = good;
        options.duration = steps[k];
        REFUSE_OPTIONS(model, options);
    }
    scree_run_options options = good;
    options.solver.name = "magic";
    REFUSE_OPTIONS(model, options);
    options = good;
    options.solver.max_sweeps = 0;
    REFUSE_OPTIONS(model, options);
    options = good;
    options.scheme.gap_tolerance = -1e-9;
    REFUSE_OPTIONS(model, options);
    options = good;
    options.scheme.velocity_tolerance = -1e-9;
    REFUSE_OPTIONS(model, options);
    options = good;
    options.store_every = 0;
    REFUSE_OPTIONS(model, options);
    scree_model_free(model);
}

TEST_FILE(test_model) {
    TEST(bodies);
    TEST(shapes);
    TEST(laws);
    TEST(last_law_counts);
    TEST(pairs_that_can_touch);
    TEST(systems);
    TEST(matrix_contacts);
    TEST(dimensions);
    TEST(arrays_are_copied);
    TEST(names_of_sides);
    TEST(finished_is_finished);
    TEST(simulations);
    return harness_end();
}
