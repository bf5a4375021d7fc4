// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_part_kind.c - a part kind that the library does not know, added by one file
// (spring_masses.h) and one row, steps and balances beside a ball that bounces.

#include "harness.h"
#include "model/sources.h"
#include "scree/scree.h"
#include "step/contacts.h"
#include "step/spring_masses.h"

enum { MASSES = 3, BALL = 6 };  // numbers of ground and ball in q and v

static double push(const void *self, double t, double *rate) {
    const double *size = self;
    *rate = 0;
    return *size * sin(30 * t);
}

static const double two = 2, bad = NAN;
static const spring_mass loaded[MASSES] = {
    { "left", 1, 400, 0.1, 0, { .constant = 0 } },
    { "middle", 2, 50, 0, 1, { .at = push, .self = &two } },
    { "right", 0.5, 0, -0.3, 0.2, { .constant = 3 } },
};
static const spring_mass free_of_loads[MASSES] = {
    { "left", 1, 400, 0.1, 0, { .constant = 0 } },
    { "middle", 2, 50, 0, 1, { .constant = 0 } },
    { "right", 0.5, 0, -0.3, 0.2, { .constant = 0 } },
};

/// A ball above the ground, and the masses if there are any.
static scree_model *make_model(const spring_mass *mass, bool has_loads) {
    scree_error err = { 0 };
    scree_model *model = scree_model_new();
    scree_body ground = { .name = "ground", .fixed = true };
    scree_body ball = { .name = "ball", .mass = 2, .inertia = 1, .position = { 0, 1.1, 0 } };
    scree_shape flat = { .kind = SCREE_HALF_PLANE, .normal = { 0, 1, 0 } };
    scree_shape disc = { .kind = SCREE_DISC, .body = 1, .radius = 1 };
    scree_parts row = { .kind = &spring_masses,
                        .data = mass,
                        .count = MASSES,
                        .coordinates = MASSES,
                        .dofs = MASSES,
                        .roundings = 16,
                        .has_loads = has_loads,
                        .loads_vary = has_loads };
    scree_model_set_gravity(model, 0, -10, 0);
    if (mass) CHECK_INT(scree_model_add_parts(model, &row, &err), SCREE_OK);  // in any order
    CHECK_INT(scree_model_add_body(model, &ground, &err), SCREE_OK);
    CHECK_INT(scree_model_add_body(model, &ball, &err), SCREE_OK);
    CHECK_INT(scree_model_add_shape(model, &flat, &err), SCREE_OK);
    CHECK_INT(scree_model_add_shape(model, &disc, &err), SCREE_OK);
    CHECK_INT(scree_model_add_law(model, -1, -1, (scree_law){ .restitution = 0.5 }, &err),
              SCREE_OK);
    CHECK_INT(scree_model_finish(model, &err), SCREE_OK);
    if (mass) CHECK_INT(scree_model_add_parts(model, &row, &err), SCREE_BAD_INPUT);
    return model;
}

static scree_simulation *begin(const scree_model *model, double theta) {
    scree_run_options options = scree_run_options_default();
    scree_simulation *made = NULL;
    scree_error err = { 0 };
    options.scheme.step = 1e-3;
    options.scheme.theta = theta;
    options.scheme.approach = SCREE_APPROACH_KEPT;  // auto would ask whether all parts are rigid
    options.duration = 1;
    CHECK_INT(scree_simulation_new(model, &options, &made, &err), SCREE_OK);
    return made;
}

static bool step(scree_simulation *simulation, scree_error *err) {
    return scree_simulation_step(simulation, err) == SCREE_OK;
}

static void it_stands_behind_the_others(void) {
    scree_model *model = make_model(loaded, true);
    const scree_parts *row;
    CHECK_INT(model->coordinates, BALL + MASSES);
    CHECK_INT(model->dofs, BALL + MASSES);
    CHECK_INT(scree_model_parts(model, &row), 2);
    CHECK_TEXT(row[1].kind->name, "spring-masses");
    CHECK_INT(row[1].first, 2);
    CHECK_INT(row[1].dof, BALL);
    scree_part_group group = scree_model_group_of(model, "spring-masses");
    CHECK_INT(group.parts, MASSES);
    CHECK_INT(group.coordinate, BALL);
    CHECK_INT(scree_model_group_of(model, "matrix").parts, 0);
    CHECK(scree_model_group(model, 0, &group) && strcmp(group.kind, "rigid-plane") == 0);
    CHECK(!scree_model_group(model, 2, &group));
    scree_arena arena = { 0 };
    scree_inertia inertia;
    scree_error err = { 0 };
    CHECK_INT(scree_inertia_make(model, 0.1, 1, 1, &arena, &inertia, &err), SCREE_OK);
    double x = 10;
    scree_inertia_solve(&inertia.part[2], &x);  // m + h^2 k = 5
    CHECK_NEAR(x, 2, 1e-14);
    scree_inertia_free(&inertia);
    scree_arena_free(&arena);
    scree_model_free(model);
}

/// theta = 1/2 turns each mass by phi in a step, tan(phi / 2) = h omega / 2.
static void masses_swing(void) {
    scree_model *model = make_model(free_of_loads, false);
    scree_simulation *simulation = begin(model, 0.5);
    scree_error err = { 0 };
    for (int n = 1; n <= 1000 && step(simulation, &err); n++) {
        const double *q = scree_simulation_state(simulation)->q + BALL;
        double left = 2 * atan(1e-3 * 20 / 2), middle = 2 * atan(1e-3 * 5 / 2);
        CHECK_NEAR(q[0], 0.1 * cos(n * left), 1e-12);
        CHECK_NEAR(q[1], sin(n * middle) / 5, 1e-12);
        CHECK_NEAR(q[2], -0.3 + 0.2 * n * 1e-3, 1e-12);
    }
    CHECK_INT(scree_simulation_left(simulation), 0);
    scree_simulation_free(simulation);
    scree_model_free(model);
}

/// The simulation refuses a step whose ledger does not close; the ball has the bits it has alone.
static void the_ledger_closes_and_the_ball_does_not_care(void) {
    static const double thetas[] = { 0.5, 0.6, 1 };
    for (int k = 0; k < 3; k++) {
        scree_model *model = make_model(loaded, true), *bare = make_model(NULL, false);
        scree_simulation *all = begin(model, thetas[k]), *ball = begin(bare, thetas[k]);
        scree_error err = { 0 };
        int touched = 0;
        while (scree_simulation_left(all) && step(all, &err) && step(ball, &err)) {
            const scree_state *one = scree_simulation_state(all),
                              *other = scree_simulation_state(ball);
            CHECK(memcmp(one->q, other->q, BALL * sizeof *one->q) == 0);
            CHECK(memcmp(one->v, other->v, BALL * sizeof *one->v) == 0);
            touched += scree_simulation_record(all)->active > 0;
        }
        if (err.text[0]) COMPLAIN("%s", err.text);
        CHECK_INT(scree_simulation_left(all), 0);
        CHECK(touched > 1);
        const scree_totals *sum = scree_simulation_totals(all);
        CHECK(sum->external_work != 0 && sum->residual_over_bound_max < 1);
        CHECK(thetas[k] == 0.5 || sum->numerical_dissipation < 0);
        scree_simulation_free(all);
        scree_simulation_free(ball);
        scree_model_free(model);
        scree_model_free(bare);
    }
}

// -------------------------------------------------------------------------------------------------
// contacts: a stop below each mass

static const scree_parts *masses_of(const scree_source *source) {
    return scree_model_parts_of(source->model, &spring_masses);
}

static scree_status stops_find(scree_source *source, const scree_contact_query *query,
                               scree_contact_set *set, scree_error *err) {
    const double *q = query->q + masses_of(source)->coordinate;
    for (int k = 0; k < MASSES; k++) {
        scree_manifold_point touch = { .gap = q[k], .normal = { 0, 1 } };
        int i = scree_contacts_append(source->model,
                                      scree_contact_id_pack(SCREE_SOURCE_OWN, (uint64_t)k, 0, 0), 0,
                                      0, &touch, set);
        if (i < 0) return scree_fail_memory(err, NULL);
        set->gap_scale[i] = fabs(q[k]);
    }
    return SCREE_OK;
}

static void stops_velocity(const scree_source *source, const scree_contact_set *set, int i,
                           const double *x, bool driven, double *u) {
    (void)set;
    u[0] = driven ? 0 : x[masses_of(source)->dof + i - source->first];
    u[1] = 0;
}

static void stops_impulse(const scree_source *source, const scree_contact_set *set, int i,
                          const double *p, double *x) {
    (void)set;
    x[masses_of(source)->dof + i - source->first] += p[0];
}

static void stops_obstacle(const scree_source *source, scree_contact_set *set, int first, int last,
                           const scree_state *before, const scree_state *after) {
    (void)source, (void)set, (void)first, (void)last, (void)before, (void)after;
}

static int stops_rows(const scree_source *source, const scree_contact_set *set, int i,
                      const scree_inertia *inertia, scree_arena *arena,
                      scree_jacobian_block *block) {
    static const double H[2] = { 1, 0 };
    (void)set, (void)inertia, (void)arena;
    *block = (scree_jacobian_block){ .part = masses_of(source)->first + i - source->first, .H = H };
    return 1;
}

static double stops_velocity_scale(const scree_source *source, const scree_contact_set *set, int i,
                                   const scree_scale_query *query, double size) {
    int dof = masses_of(source)->dof + i - source->first;
    (void)set;
    return size + fabs(query->v[dof]) + fabs(query->other[dof]);
}

static bool stops_gap_at(const scree_source *source, const scree_contact_set *set, int i,
                         const double *q, double t, double *gap) {
    (void)set, (void)t;
    *gap = q[masses_of(source)->coordinate + i - source->first];
    return true;
}

static bool stops_know(const scree_source *source, const scree_contact *contact,
                       scree_contact_key key) {
    (void)source, (void)contact;
    return key.a < MASSES;
}

static const scree_contact_source stops = {
    .name = "stops",
    .number = SCREE_SOURCE_OWN,
    .find = stops_find,
    .velocity = stops_velocity,
    .impulse = stops_impulse,
    .obstacle = stops_obstacle,
    .rows = stops_rows,
    .velocity_scale = stops_velocity_scale,
    .gap_at = stops_gap_at,
    .knows = stops_know,
};

static const scree_law elastic_stop = { .restitution = 0.8 };

/// The masses above their stops as the kind from outside, or as one matrix system.
static scree_model *model_with_stops(const spring_mass *mass, bool own) {
    scree_error err = { 0 };
    scree_model *model = scree_model_new();
    if (own) {
        scree_parts row = { .kind = &spring_masses,
                            .data = mass,
                            .count = MASSES,
                            .coordinates = MASSES,
                            .dofs = MASSES,
                            .roundings = 16 };
        scree_body ground = { .name = "ground", .fixed = true };
        CHECK_INT(scree_model_add_body(model, &ground, &err), SCREE_OK);
        CHECK_INT(scree_model_add_parts(model, &row, &err), SCREE_OK);
        CHECK_INT(scree_model_add_source(model, SCREE_SOURCE_OWN, &stops, NULL, &err), SCREE_OK);
        CHECK_INT(scree_model_add_law(model, -1, -1, elastic_stop, &err), SCREE_OK);
    } else {
        double M[MASSES * MASSES] = { 0 }, K[MASSES * MASSES] = { 0 }, q[MASSES], v[MASSES];
        for (int k = 0; k < MASSES; k++) {
            M[4 * k] = mass[k].mass;
            K[4 * k] = mass[k].stiffness;
            q[k] = mass[k].position;
            v[k] = mass[k].velocity;
        }
        scree_system system = {
            .coordinates = MASSES, .mass = M, .stiffness = K, .position = q, .velocity = v
        };
        CHECK_INT(scree_model_set_system(model, &system, &err), SCREE_OK);
        for (int k = 0; k < MASSES; k++) {
            double normal[MASSES] = { k == 0, k == 1, k == 2 };
            scree_matrix_contact stop = { .name = "stop", .normal = normal, .law = elastic_stop };
            CHECK_INT(scree_model_add_matrix_contact(model, &stop, &err), SCREE_OK);
        }
    }
    CHECK_INT(scree_model_finish(model, &err), SCREE_OK);
    return model;
}

/// A of the kind reaches the contact problem: the masses bounce as those of a matrix system do.
static void contacts_push_it(void) {
    static const spring_mass above[MASSES] = {
        { .name = "left", .mass = 1, .stiffness = 400, .position = 0.1 },
        { .name = "middle", .mass = 2, .stiffness = 50, .position = 0.05, .velocity = -1 },
        { .name = "right", .mass = 0.5, .stiffness = 90, .position = 0.02, .velocity = 0.2 },
    };
    scree_model *model[2] = { model_with_stops(above, true), model_with_stops(above, false) };
    scree_simulation *own = begin(model[0], 0.5), *matrix = begin(model[1], 0.5);
    scree_error err = { 0 };
    int touched = 0;
    while (scree_simulation_left(own) && step(own, &err) && step(matrix, &err)) {
        const double *q = scree_simulation_state(own)->q + 3;  // behind the ground
        for (int k = 0; k < MASSES; k++)
            CHECK_NEAR(q[k], scree_simulation_state(matrix)->q[k], 1e-12);
        touched += scree_simulation_record(own)->active;
        CHECK_INT(scree_simulation_record(own)->active, scree_simulation_record(matrix)->active);
    }
    if (err.text[0]) COMPLAIN("%s", err.text);
    CHECK_INT(scree_simulation_left(own), 0);
    CHECK(touched > 10 && scree_simulation_totals(own)->contact_normal_work < 0);
    for (int k = 0; k < 2; k++) scree_simulation_free(k ? own : matrix);
    for (int k = 0; k < 2; k++) scree_model_free(model[k]);
}

static void messages_know_its_names(void) {
    spring_mass broken[MASSES];
    memcpy(broken, loaded, sizeof broken);
    broken[1].load.self = &bad;
    scree_model *model = make_model(broken, true);
    scree_simulation *simulation = begin(model, 0.5);
    scree_error err = { 0 };
    CHECK_INT(scree_simulation_step(simulation, &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "the load on middle, component 0, is not finite"));
    scree_simulation_free(simulation);
    scree_model_free(model);
}

TEST_FILE(test_part_kind) {
    TEST(it_stands_behind_the_others);
    TEST(masses_swing);
    TEST(the_ledger_closes_and_the_ball_does_not_care);
    TEST(contacts_push_it);
    TEST(messages_know_its_names);
    return harness_end();
}
