// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_paradox.c - Painlevé's rod against its closed form, gaps of all shapes against differences,
// and what the schemes do where there is no solution.

#include "random.h"
#include "scene_text.h"
#include "scree/lcp.h"
#include "scree/paradox.h"
#include "simulation_text.h"

static const double pi = 3.14159265358979323846;

// -------------------------------------------------------------------------------------------------
// the rod

typedef struct rod {
    double m, l, g, mu, theta, omega, v;
} rod;

static const rod usual = { 1, 1, 9.81, 1.5, 1.1071487177940904, 3, 1 };  // theta: arctan 2

// with one more override, or NULL
static scree_simulation *open_rod_with(rod r, const char *more) {
    static const char *const name[] = { "m", "l", "g", "mu", "theta0", "omega0", "v0" };
    const double value[] = { r.m, r.l, r.g, r.mu, r.theta, r.omega, r.v };
    char text[7][80];
    const char *overrides[8] = { [7] = more };
    for (int i = 0; i < 7; i++) {
        snprintf(text[i], sizeof text[i], "parameters.%s=%.17g", name[i], value[i]);
        overrides[i] = text[i];
    }
    return open_text(scene_text("painleve-rod"), overrides, more ? 8 : 7);
}

static scree_simulation *open_rod(rod r) { return open_rod_with(r, NULL); }

static scree_paradox find_rod(rod r) {
    scree_paradox paradox = { 0 };
    scree_error err = { 0 };
    scree_simulation *made = open_rod(r);
    if (made && scree_paradox_find(scree_simulation_model(made), 1e-12, &paradox, &err))
        COMPLAIN("%s", err.text);
    scree_simulation_free(made);
    return paradox;
}

static double closed_A(rod r) {
    return (1 + 3 * cos(r.theta) * (cos(r.theta) - r.mu * sin(r.theta))) / r.m;
}
static double closed_B(rod r) { return r.l / 2 * r.omega * r.omega * sin(r.theta) - r.g; }

static void rod_has_its_closed_form(void) {
    seed = 31;
    int found[3] = { 0 };
    for (int i = 0; i < 300; i++) {
        rod r = { uniform(0.5, 3),   uniform(0.5, 2), uniform(1, 12), uniform(0.05, 3),
                  uniform(0.1, 1.5), uniform(-8, 8),  uniform(0.1, 4) };
        double A = closed_A(r), B = closed_B(r);
        scree_paradox p = find_rod(r);
        CHECK_NEAR(p.A, A, 1e-12 * (1 + fabs(A)));
        CHECK_NEAR(p.B, B, 1e-12 * (r.g + r.l * r.omega * r.omega));
        int expected = A > 0 ? 1 : B > 0 ? 2 : 0;
        CHECK_INT(p.count, expected);
        found[expected]++;
        // the judge of all LCPs agrees
        scree_solution_set set = { 0 };
        scree_error err = { 0 };
        const scree_lcp lcp = { 1, &A, &B };
        CHECK_INT(scree_lcp_all(&lcp, 1e-12, &set, &err), SCREE_OK);
        CHECK_INT(set.solutions, expected);
        scree_solution_set_free(&set);
        for (int k = 0; k < p.solutions; k++) {
            const scree_motion_solution *s = &p.solution[k];
            CHECK_NEAR(s->force[0] * (A * s->force[0] + B), 0, 1e-9 * (1 + B * B / fabs(A)));
            CHECK_NEAR(fabs(s->force[1]), r.mu * s->force[0], 1e-12 * (1 + r.mu * s->force[0]));
            CHECK(s->force[1] * p.contact.u_before[1] <= 0);
        }
    }
    CHECK(found[0] > 20 && found[1] > 20 && found[2] > 20);
}

static void numbers_by_hand(void) {
    rod r = usual;
    scree_paradox p = find_rod(r);
    CHECK_NEAR(p.A, -0.2, 1e-14);
    CHECK_INT(p.count, 0);
    CHECK_INT(p.verdict, SCREE_INCONSISTENT);
    r.omega = 6;
    p = find_rod(r);
    CHECK_INT(p.count, 2);
    CHECK_INT(p.verdict, SCREE_INDETERMINATE);
    CHECK_INT(p.solution[0].kind, SCREE_MOTION_TAKE_OFF);
    CHECK_INT(p.solution[1].kind, SCREE_MOTION_SLIDES);
    CHECK_NEAR(p.solution[1].force[0], 31.448447, 5e-7);
    r.v = -1;  // friction lifts the tip
    p = find_rod(r);
    CHECK(p.A > 0);
    CHECK_INT(p.count, 1);
}

// the angle between low and high at which A or B changes its sign
static double threshold(rod r, double low, double high, bool of_A) {
    r.theta = low;
    scree_paradox p = find_rod(r);
    bool positive = (of_A ? p.A : p.B) > 0;
    for (int i = 0; i < 60; i++) {
        r.theta = (low + high) / 2;
        p = find_rod(r);
        *(((of_A ? p.A : p.B) > 0) == positive ? &low : &high) = r.theta;
    }
    return (low + high) / 2;
}

static void thresholds_of_the_rod(void) {
    static const double known[3][3] = { { 1.4, 55.58581081, 69.95186698 },
                                        { 1.5, 50.64159816, 73.04846937 },
                                        { 2, 37.37736814, 79.18768304 } };
    for (int i = 0; i < 3; i++) {
        rod r = usual;
        r.mu = known[i][0];
        double middle = atan(2), root = sqrt(9 * r.mu * r.mu - 16);
        for (int k = 0; k < 2; k++) {
            double angle = threshold(r, k ? 1.56 : 0.01, middle, true);
            CHECK_NEAR(angle, atan((3 * r.mu + (k ? root : -root)) / 2), 1e-10);
            CHECK_NEAR(angle * 180 / pi, known[i][1 + k], 5e-9);
        }
    }
    rod r = usual;
    r.omega = 5;
    CHECK_NEAR(threshold(r, 0.1, 1.5, false), asin(2 * r.g / (r.l * r.omega * r.omega)), 1e-10);
    // below 4/3 there is no such angle
    r.mu = 4.0 / 3 - 1e-6;
    r.theta = atan(2);
    CHECK(find_rod(r).A > 0);
    r.mu = 4.0 / 3 + 1e-6;
    CHECK(find_rod(r).A < 0);
}

// A = 0 and B = 0 come from tolerances
static void degenerate_rods(void) {
    rod r = usual;
    r.mu = 4.0 / 3;
    scree_paradox p = find_rod(r);
    CHECK(p.A == 0 && p.B < 0);
    CHECK_INT(p.count, 0);
    r.omega = 6;
    p = find_rod(r);
    CHECK(p.A == 0 && p.B > 0);
    CHECK_INT(p.count, 1);
    CHECK_INT(p.solution[0].kind, SCREE_MOTION_TAKE_OFF);
    r.g = r.l / 2 * r.omega * r.omega * sin(r.theta);
    p = find_rod(r);
    CHECK(p.A == 0 && p.B == 0);
    CHECK_INT(p.count, -1);
    CHECK(p.solution[0].family && p.solution[0].end[0] == HUGE_VAL);
    r.mu = 2;
    p = find_rod(r);
    CHECK(p.A < 0 && p.B == 0);
    CHECK_INT(p.count, 1);
    CHECK_INT(p.solution[0].kind, SCREE_MOTION_GRAZES);
}

static void rods_at_rest(void) {
    rod r = usual;
    r.v = r.omega = 0;
    // the tip of a rod that falls over sticks if friction can hold it: force of a hinge
    scree_paradox p = find_rod(r);
    double c = cos(r.theta), s = sin(r.theta), turn = 1.5 * r.g / r.l * c;
    CHECK(!p.slides);
    CHECK_INT(p.count, 1);
    CHECK_INT(p.solution[0].kind, SCREE_MOTION_STICKS);
    CHECK_NEAR(p.solution[0].force[0], r.m * (r.g - turn * r.l / 2 * c), 1e-12);
    CHECK_NEAR(fabs(p.solution[0].force[1]), r.m * turn * r.l / 2 * s, 1e-12);
    r.mu = 0.05;
    p = find_rod(r);
    CHECK_INT(p.count, 1);
    // t is (-1, 0): the centre falls to the left, friction on the tip holds against the way right
    CHECK_INT(p.solution[0].kind, SCREE_MOTION_SLIPS_MINUS);
    CHECK_NEAR(p.solution[0].acceleration[0], 0, 1e-12);
    // without weight nothing presses the tip, whatever A is: friction would have to push it along
    r.mu = 4.0 / 3;
    r.g = 0;
    p = find_rod(r);
    CHECK_INT(p.count, 1);
    CHECK_INT(p.solution[0].kind, SCREE_MOTION_GRAZES);
}

// pulled to the right and a little up, W = [1.6, -1.2; -1.2, 3.4] and b = (1, -30): the tip may
// take off, jam, or slip under a force that grows with itself
static void three_motions_from_rest(void) {
    rod r = usual;
    r.v = r.omega = r.g = 0;
    scree_paradox p = { 0 };
    scree_error err = { 0 };
    scree_simulation *made = open_rod_with(r, "bodies.rod.force=[30, 1, 0]");
    if (!made) return;
    CHECK_INT(scree_paradox_find(scree_simulation_model(made), 1e-12, &p, &err), SCREE_OK);
    scree_simulation_free(made);
    CHECK_INT(p.count, 3);
    CHECK_INT(p.verdict, SCREE_INDETERMINATE);
    double stick[2] = { 0 }, slip[2] = { 0 };
    for (int i = 0; i < p.solutions; i++) {
        if (p.solution[i].kind == SCREE_MOTION_STICKS)
            memcpy(stick, p.solution[i].force, sizeof stick);
        if (p.solution[i].kind == SCREE_MOTION_SLIPS_MINUS)
            memcpy(slip, p.solution[i].force, sizeof slip);
    }
    CHECK_NEAR(stick[0], (1.2 * 30 - 3.4) / 4, 1e-11);
    CHECK_NEAR(stick[1], (1.6 * 30 - 1.2) / 4, 1e-11);
    CHECK_NEAR(slip[0], 5, 1e-11);
    CHECK_NEAR(slip[1], 7.5, 1e-11);
}

// -------------------------------------------------------------------------------------------------
// the acceleration of gaps, against differences of exact gaps

typedef struct pair {
    scree_shape shape[2];
    scree_body body[2];
} pair;

static scree_model *build(const pair *x) {
    scree_error err = { 0 };
    scree_model *model = scree_model_new();
    scree_model_set_gravity(model, 0.7, -9.81, 0);
    for (int k = 0; k < 2; k++) {
        scree_shape shape = x->shape[k];
        shape.body = k;
        if (scree_model_add_body(model, &x->body[k], &err)) COMPLAIN("%s", err.text);
        if (scree_model_add_shape(model, &shape, &err)) COMPLAIN("%s", err.text);
    }
    scree_model_add_law(model, -1, -1, (scree_law){ .friction = 0.7 }, &err);
    if (scree_model_finish(model, &err)) COMPLAIN("%s", err.text);
    return model;
}

// the nearest contact
static scree_contact contact_of(const pair *x) {
    scree_contact best = { .gap = HUGE_VAL };
    scree_error err = { 0 };
    scree_model *model = build(x);
    scree_scheme_options scheme = scree_scheme_options_default();
    scree_solver_options solver = scree_solver_options_default();
    scree_stepper *stepper = NULL;
    scheme.step = 10;  // so that far ones are seen
    if (scree_stepper_new(model, &scheme, &solver, &stepper, &err)) COMPLAIN("%s", err.text);
    const scree_step_record *record = stepper ? scree_stepper_record(stepper) : NULL;
    for (int i = 0; record && i < record->contacts; i++)
        if (record->contact[i].gap < best.gap) best = record->contact[i];
    scree_stepper_free(stepper);
    scree_model_free(model);
    return best;
}

// bring the bodies together: no gap, no normal velocity
static void close_gap(pair *x) {
    scree_contact c = contact_of(x);
    for (int k = 0; k < 2; k++) x->body[0].position[k] -= c.gap * c.normal[k];
    c = contact_of(x);
    for (int k = 0; k < 2; k++) x->body[0].velocity[k] -= c.u_before[0] * c.normal[k];
}

// the gap at time t without contact forces
static double gap_at(const pair *x, double t) {
    static const double gravity[2] = { 0.7, -9.81 };
    pair moved = *x;
    for (int k = 0; k < 2; k++) {
        scree_body *b = &moved.body[k];
        if (b->fixed) continue;
        for (int c = 0; c < 2; c++)
            b->position[c] +=
                t * b->velocity[c] + t * t / 2 * (gravity[c] + b->force[c].constant / b->mass);
        b->angle += t * b->spin + t * t / 2 * b->force[2].constant / b->inertia;
    }
    return contact_of(&moved).gap;
}

static double second_difference(const pair *x, double t) {
    return (gap_at(x, t) - 2 * gap_at(x, 0) + gap_at(x, -t)) / (t * t);
}

static scree_body draw_body(double x, double y) {
    scree_body body = { .name = "body",
                        .mass = uniform(0.5, 2),
                        .inertia = uniform(0.2, 1),
                        .position = { x, y },
                        .angle = uniform(-3, 3),
                        .velocity = { uniform(-1, 1), uniform(-1, 1) },
                        .spin = uniform(-3, 3) };
    for (int k = 0; k < 3; k++) body.force[k].constant = uniform(-5, 5);
    return body;
}

static const double corner[5][2] = {
    { 0.5, 0.1 }, { 0.2, 0.5 }, { -0.4, 0.4 }, { -0.5, -0.2 }, { 0.2, -0.4 }
};

static scree_shape polygon(double radius) {
    return (scree_shape){
        .kind = SCREE_POLYGON, .vertices = 5, .vertex = &corner[0][0], .radius = radius
    };
}

static pair draw_pair(scree_shape first, scree_shape second, bool fixed) {
    pair x = { { first, second }, { draw_body(uniform(-0.3, 0.3), 3), draw_body(0, 0) } };
    bool ground = second.kind == SCREE_HALF_PLANE || second.kind == SCREE_CHAIN;
    double angle = ground ? uniform(-0.5, 0.5) : x.body[1].angle;
    x.body[0].name = "first";
    if (fixed) x.body[1] = (scree_body){ .name = "body", .fixed = true, .angle = angle };
    close_gap(&x);
    return x;
}

// 1 if the differences say the same, 0 if they cannot: other features meet within their steps
static int compare_gap(const char *what, const pair *x, const scree_paradox *p) {
    double fine = second_difference(x, 2e-3), coarse = second_difference(x, 4e-3);
    double expected = (4 * fine - coarse) / 3, size = 10 + fabs(expected);
    if (fabs(fine - coarse) > 2e-4 * size) return 0;
    if (!(fabs(p->acceleration[0] - expected) <= 2e-6 * size))
        COMPLAIN("%s: gap'' = %.9g, by differences %.9g", what, p->acceleration[0], expected);
    return 1;
}

static void check_gap(const char *what, scree_shape first, scree_shape second, bool fixed) {
    int compared = 0;
    for (int i = 0; i < 100 && compared < 12; i++) {
        pair x = draw_pair(first, second, fixed);
        scree_model *model = build(&x);
        scree_paradox p;
        scree_error err = { 0 };
        if (!scree_paradox_find(model, 1e-12, &p, &err))
            compared += compare_gap(what, &x, &p);
        else if (!strstr(err.text, "sharp corner"))  // which polygons do meet with
            COMPLAIN("%s: %s", what, err.text);
        scree_model_free(model);
    }
    if (compared < 12) COMPLAIN("%s: only %d could be compared", what, compared);
}

static void gaps_bend_as_differences_say(void) {
    static const double way[3][2] = { { -2, 0.2 }, { -0.1, 0 }, { 2, 0.1 } };  // solid below
    const scree_shape plane = { .kind = SCREE_HALF_PLANE, .normal = { 0, 1 } };
    const scree_shape disc = { .kind = SCREE_DISC, .radius = 0.4, .at = { 0.1, 0.2 } };
    const scree_shape point = { .kind = SCREE_POINT, .at = { 0.3, -0.4 } };
    const scree_shape capsule = { .kind = SCREE_CAPSULE, .radius = 0.1, .size = { 0.8 } };
    const scree_shape chain = { .kind = SCREE_CHAIN, .vertices = 3, .vertex = &way[0][0] };
    seed = 32;
    check_gap("point on plane", point, plane, true);
    check_gap("polygon on plane", polygon(0), plane, true);
    check_gap("capsule on plane", capsule, plane, true);
    check_gap("disc on plane", disc, plane, true);
    check_gap("disc on disc", disc, disc, false);
    check_gap("disc on polygon", disc, polygon(0), false);
    check_gap("polygon on disc", polygon(0.05), disc, false);
    check_gap("polygon on polygon", polygon(0), polygon(0), false);
    check_gap("rounded on rounded", polygon(0.1), polygon(0.2), false);
    check_gap("capsule on polygon", capsule, polygon(0), true);
    check_gap("disc on chain", disc, chain, true);
}

// -------------------------------------------------------------------------------------------------
// a matrix system

static void system_with_coupling(void) {
    scree_error err = { 0 };
    const double mass[4] = { 2, 1, 1, 1.5 }, damping[4] = { 0.3, 0, 0, 0.1 };
    const double stiffness[4] = { 5, 1, 1, 3 }, q[2] = { 0, 0.4 }, v[2] = { 0, 2 };
    const double normal[2] = { 1, 0 }, tangent[2] = { 0, 1 };
    const scree_function load[2] = { { .constant = -3 }, { .constant = 1 } };
    const scree_matrix_contact contact = { .name = "stop",
                                           .normal = normal,
                                           .tangent = tangent,
                                           .tangents = 1,
                                           .law = { .friction = 2 } };
    scree_model *model = scree_model_new();
    const scree_system system = { .coordinates = 2,
                                  .mass = mass,
                                  .damping = damping,
                                  .stiffness = stiffness,
                                  .load = load,
                                  .position = q,
                                  .velocity = v };
    CHECK_INT(scree_model_set_system(model, &system, &err), SCREE_OK);
    CHECK_INT(scree_model_add_matrix_contact(model, &contact, &err), SCREE_OK);
    CHECK_INT(scree_model_finish(model, &err), SCREE_OK);
    scree_paradox p;
    CHECK_INT(scree_paradox_find(model, 1e-12, &p, &err), SCREE_OK);
    // M^-1 = [1.5, -1; -1, 2] / 2, F - K q - C v = (-3 - 0.4, 1 - 1.2 - 0.2)
    CHECK_NEAR(p.W[0], 0.75, 1e-15);
    CHECK_NEAR(p.W[1], -0.5, 1e-15);
    CHECK_NEAR(p.acceleration[0], (1.5 * -3.4 - -0.4) / 2, 1e-14);
    CHECK_NEAR(p.acceleration[1], (3.4 + 2 * -0.4) / 2, 1e-14);
    CHECK_NEAR(p.A, 0.75 + 2 * 0.5, 1e-14);
    CHECK_INT(p.count, 1);
    scree_model_free(model);
}

// -------------------------------------------------------------------------------------------------
// what the schemes do

static scree_trial try_rod(rod r, scree_scheme name, double h) {
    scree_trial trial = { 0 };
    scree_error err = { 0 };
    scree_simulation *made = open_rod(r);
    if (!made) return trial;
    scree_run_options options = *scree_simulation_options(made);
    options.scheme.name = name;
    options.scheme.step = h;
    CHECK_INT(scree_paradox_try(scree_simulation_model(made), &options.scheme, &options.solver,
                                &trial, &err),
              SCREE_OK);
    scree_simulation_free(made);
    return trial;
}

static scree_outcome outcome_of(rod r, scree_scheme name) {
    scree_trial coarse = try_rod(r, name, 1e-4), fine = try_rod(r, name, 2.5e-5);
    return scree_paradox_outcome(&coarse, &fine);
}

static void schemes_impact_without_collision(void) {
    rod stuck = usual, pressed = usual, flying = usual;
    pressed.mu = 0.5;
    flying.omega = 6;
    for (int s = SCREE_MOREAU_JEAN; s <= SCREE_MOREAU; s++) {
        CHECK_INT(outcome_of(stuck, (scree_scheme)s), SCREE_OUTCOME_IMPACT);
        CHECK_INT(outcome_of(pressed, (scree_scheme)s), SCREE_OUTCOME_FORCE);
        CHECK_INT(outcome_of(flying, (scree_scheme)s), SCREE_OUTCOME_FREE);
    }
    // the impulse that stops the tip: W p = (0, v)
    scree_paradox p = find_rod(stuck);
    double det = p.W[0] * p.W[3] - p.W[1] * p.W[2], u = p.contact.u_before[1];
    scree_trial trial = try_rod(stuck, SCREE_MOREAU_JEAN, 1e-5);
    CHECK_INT(trial.contact, SCREE_CONTACT_STICK);
    CHECK_NEAR(trial.impulse[0], p.W[1] * u / det, 1e-3);
    CHECK_NEAR(trial.impulse[1], -p.W[0] * u / det, 1e-3);
    CHECK_NEAR(trial.after[1], 0, 1e-9);
}

static void outcomes(void) {
    scree_trial none = { 0 }, large = { .impulse = { 1, 0 } }, small = { .impulse = { 0.25, 0 } };
    scree_trial refused = { .status = SCREE_UNCONVERGED };
    CHECK_INT(scree_paradox_outcome(&none, &none), SCREE_OUTCOME_FREE);
    CHECK_INT(scree_paradox_outcome(&large, &small), SCREE_OUTCOME_FORCE);
    CHECK_INT(scree_paradox_outcome(&large, &large), SCREE_OUTCOME_IMPACT);
    CHECK_INT(scree_paradox_outcome(&none, &large), SCREE_OUTCOME_UNCLEAR);
    CHECK_INT(scree_paradox_outcome(&large, &refused), SCREE_OUTCOME_REFUSED);
}

// -------------------------------------------------------------------------------------------------
// what cannot be looked at

static void check_refused(const pair *x, const char *words) {
    scree_paradox p;
    scree_error err = { 0 };
    scree_model *model = build(x);
    CHECK_INT(scree_paradox_find(model, 1e-12, &p, &err), SCREE_BAD_INPUT);
    if (!strstr(err.text, words)) COMPLAIN("\"%s\" does not say \"%s\"", err.text, words);
    scree_model_free(model);
}

static void refusals(void) {
    const scree_shape plane = { .kind = SCREE_HALF_PLANE, .normal = { 0, 1 } };
    const scree_shape box = { .kind = SCREE_BOX, .size = { 1, 1 } };
    const scree_shape disc = { .kind = SCREE_DISC, .radius = 0.5 };
    pair x = { { disc, plane },
               { { .name = "first", .mass = 1, .inertia = 1, .position = { 0, 0.5 } },
                 { .name = "ground", .fixed = true } } };
    x.body[0].position[1] = 2;
    check_refused(&x, "no contact is closed");
    x.body[0].position[1] = 0.4;
    check_refused(&x, "penetrate");
    x.body[0].position[1] = 0.5;
    x.body[0].velocity[1] = -1;
    check_refused(&x, "collide");
    x.body[0].velocity[1] = 1;
    check_refused(&x, "separate");
    x.body[0].velocity[1] = 0;
    x.shape[0] = box;
    check_refused(&x, "2 contacts are closed");

    scree_paradox p;
    scree_error err = { 0 };
    x.shape[0] = disc;
    scree_model *model = build(&x);
    CHECK_INT(scree_paradox_find(model, 1, &p, &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "tolerance") != NULL);
    CHECK_INT(scree_paradox_find(model, 1e-12, &p, &err), SCREE_OK);
    CHECK_INT(p.solution[0].kind, SCREE_MOTION_STICKS);  // it begins to roll
    scree_model_free(model);

    rod r = usual;
    r.mu = 0;
    scree_simulation *made = open_rod(r);
    if (!made) return;
    CHECK_INT(scree_paradox_find(scree_simulation_model(made), 1e-12, &p, &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "no friction") != NULL);
    scree_simulation_free(made);
}

TEST_FILE(test_paradox) {
    TEST(rod_has_its_closed_form);
    TEST(numbers_by_hand);
    TEST(thresholds_of_the_rod);
    TEST(degenerate_rods);
    TEST(rods_at_rest);
    TEST(three_motions_from_rest);
    TEST(gaps_bend_as_differences_say);
    TEST(system_with_coupling);
    TEST(schemes_impact_without_collision);
    TEST(outcomes);
    TEST(refusals);
    return harness_end();
}
