// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_bodies.c - planar bodies: frames and restarts change nothing, collisions keep momentum.

#include <stdint.h>
#include <stdlib.h>

#include "step/restore.h"

/// A box of three half-planes with discs and a pointed body in it, turned by angle and moved.
static scree_model *box_of_bodies(double angle, const double shift[2]) {
    scree_error err = { 0 };
    scree_model *model = scree_model_new();
    double c = cos(angle), s = sin(angle);
    scree_status status = scree_model_add_body(
        model,
        &(scree_body){
            .name = "box", .fixed = true, .position = { shift[0], shift[1] }, .angle = angle },
        &err);
    scree_shape wall[3] = {
        { .kind = SCREE_HALF_PLANE, .body = 0, .at = { 0, 0 }, .normal = { 0, 1 }, .radius = 0 },
        { .kind = SCREE_HALF_PLANE, .body = 0, .at = { -1, 0 }, .normal = { 1, 0.2 }, .radius = 0 },
        { .kind = SCREE_HALF_PLANE, .body = 0, .at = { 1, 0 }, .normal = { -1, 0.1 }, .radius = 0 }
    };
    for (int k = 0; !status && k < 3; k++) status = scree_model_add_shape(model, &wall[k], &err);
    for (int k = 1; !status && k <= 4; k++) {
        double x = 0.45 * (k - 2.5) + uniform(-0.03, 0.03), y = uniform(0.19, 0.22);
        double vx = uniform(-3, 3), vy = uniform(-3, -1), r = uniform(0.1, 0.18);
        double mass = uniform(0.5, 2);
        scree_body body = { .name = "body",
                            .mass = mass,
                            .inertia = 0.5 * mass * r * r,
                            .position = { shift[0] + c * x - s * y, shift[1] + s * x + c * y },
                            .angle = angle + uniform(-1, 1),
                            .spin = uniform(-5, 5),
                            .velocity = { c * vx - s * vy, s * vx + c * vy } };
        status = scree_model_add_body(model, &body, &err);
        scree_shape disc = {
            .kind = SCREE_DISC, .body = k, .at = { 0, 0 }, .normal = { 0, 0 }, .radius = r
        };
        scree_shape tip = {
            .kind = SCREE_POINT, .body = k, .at = { 0.15, 0.02 }, .normal = { 0, 0 }, .radius = 0
        };
        if (!status && k < 4) status = scree_model_add_shape(model, &disc, &err);
        if (!status && k == 4) status = scree_model_add_shape(model, &tip, &err);
    }
    double e = uniform(0, 1), mu = uniform(0, 1);
    scree_law law = { .restitution = e, .friction = mu };
    if (!status) status = scree_model_add_law(model, -1, -1, law, &err);
    model->gravity[0] = 9.81 * s;
    model->gravity[1] = -9.81 * c;
    if (!status) status = scree_model_finish(model, &err);
    if (status) COMPLAIN("refused: %s", err.text);
    return model;
}

static void frames_do_not_matter(void) {
    double worst = 0;
    int64_t solved = 0;
    for (int k = 0; k < 100; k++) {
        uint64_t again = seed;
        double angle = uniform(-3, 3), shift[2] = { uniform(-1, 1), uniform(-1, 1) },
               none[2] = { 0 };
        double c = cos(angle), s = sin(angle);
        uint64_t bodies = seed;
        scree_model *plain = box_of_bodies(0, none);
        seed = bodies;
        scree_model *turned = box_of_bodies(angle, shift);
        scree_run_options options = scree_run_options_default();
        options.scheme.name = k % 2 ? SCREE_MOREAU_JEAN : SCREE_MOREAU_JEAN_FREMOND;
        options.scheme.step = 2e-3;
        options.duration = 1;
        options.accept_overlaps = true;
        options.solver.tolerance = 1e-13;
        scree_simulation *one = start(plain, &options), *two = start(turned, &options);
        double apart = 0;
        for (int step = 0; step < 150; step++) {
            scree_error err;
            if (scree_simulation_step(one, &err) != SCREE_OK) COMPLAIN("%s", err.text);
            if (scree_simulation_step(two, &err) != SCREE_OK) COMPLAIN("%s", err.text);
            const scree_state *a = scree_simulation_state(one), *b = scree_simulation_state(two);
            for (int i = 0; i < plain->dofs; i += 3) {
                const double *q = a->q + i, *v = a->v + i, *Q = b->q + i, *V = b->v + i;
                apart = fmax(apart, fabs(shift[0] + c * q[0] - s * q[1] - Q[0]));
                apart = fmax(apart, fabs(shift[1] + s * q[0] + c * q[1] - Q[1]));
                apart = fmax(apart, fabs(q[2] + angle - Q[2]));
                apart = fmax(apart, fabs(c * v[0] - s * v[1] - V[0]));
                apart = fmax(apart, fabs(s * v[0] + c * v[1] - V[1]));
                apart = fmax(apart, fabs(v[2] - V[2]));
            }
        }
        if (!(apart < 1e-9))
            COMPLAIN("scene %d (seed %llu): %.3g apart", k, (unsigned long long)again, apart);
        worst = fmax(worst, apart);
        solved += scree_simulation_totals(one)->contacts_solved;
        scree_simulation_free(one);
        scree_simulation_free(two);
        if (k % 4 == 0) restores(plain, &options, k % 8 == 0);
        scree_model_free(plain);
        scree_model_free(turned);
    }
    printf("turned and moved: apart at most %.2g, %lld contacts solved\n", worst,
           (long long)solved);
    CHECK(solved > 3000);
}

/// Two free discs that touch: the impulses are opposite and have one line of action.
static void collisions_keep_momentum(void) {
    int hits = 0;
    for (int k = 0; k < 500; k++) {
        scree_error err = { 0 };
        scree_model *model = scree_model_new();
        double r[2] = { uniform(0.1, 2), uniform(0.1, 2) }, angle = uniform(0, 6.28);
        double gap = k % 2 ? 0 : uniform(0, 1e-3), reach = r[0] + r[1] + gap;
        scree_status status = SCREE_OK;
        for (int i = 0; !status && i < 2; i++) {
            double side = i ? reach : 0;
            scree_body body = { .name = "disc",
                                .mass = uniform(0.1, 9),
                                .inertia = uniform(0.1, 9),
                                .position = { 1 + side * cos(angle), 2 + side * sin(angle) },
                                .velocity = { uniform(-1, 1), uniform(-1, 1) },
                                .spin = uniform(-3, 3) };
            status = scree_model_add_body(model, &body, &err);
            scree_shape disc = { .kind = SCREE_DISC, .body = i, .radius = r[i] };
            if (!status) status = scree_model_add_shape(model, &disc, &err);
        }
        if (!status)
            status = scree_model_add_law(
                model, 0, 1, (scree_law){ .restitution = uniform(0, 1), .friction = 0.4 }, &err);
        if (!status) status = scree_model_finish(model, &err);
        scree_run_options options = scree_run_options_default();
        options.scheme.name = k % 4 < 2 ? SCREE_MOREAU_JEAN : SCREE_MOREAU_JEAN_FREMOND;
        options.scheme.theta = uniform(0.5, 1);
        options.scheme.step = 1e-3;
        options.duration = options.accept_overlaps = 1;
        scree_simulation *run = start(model, &options);
        if (!status) status = scree_simulation_step(run, &err);
        if (status) COMPLAIN("%s", err.text);
        const scree_step_record *record = scree_simulation_record(run);
        double linear[2] = { 0 }, angular = 0;
        for (int i = 0; i < 2; i++) {
            const double *q = record->before.q + 3 * i, *v = record->before.v + 3 * i;
            const double *V = record->after.v + 3 * i, mass = model->body[i].mass;
            linear[0] += mass * (V[0] - v[0]);
            linear[1] += mass * (V[1] - v[1]);
            // about the origin, with the positions at which the impulse acts
            angular += mass * (q[0] * (V[1] - v[1]) - q[1] * (V[0] - v[0])) +
                       model->body[i].inertia * (V[2] - v[2]);
        }
        const scree_contact *contact = record->contact;
        hits += contact->impulse[0] > 0;
        CHECK_NEAR(linear[0], 0, 1e-13);
        CHECK_NEAR(linear[1], 0, 1e-13);
        // points of the two discs that are apart by a gap: the pair of impulses turns by gap
        // p_T
        CHECK_NEAR(angular, 0, 1e-12 + 1.0001 * fabs(contact->gap * contact->impulse[1]));
        scree_simulation_free(run);
        scree_model_free(model);
    }
    CHECK(hits > 100);
}

/// A plank that falls nearly flat on two points. The points move together along it, so where e
/// and tau differ they cannot both stick, and sweeps need long to find that out. Solved or
/// refused: a refused step moves nothing, says so, and can be taken all the same.
static void plank_is_solved_or_refused(void) {
    int refused = 0, planks = 100;
    for (int k = 0; k < planks; k++) {
        scree_error err = { 0 };
        scree_model *model = scree_model_new();
        double tilt = exp(uniform(log(1e-6), log(1e-2)));
        scree_body ground = { .name = "ground", .fixed = true };
        scree_body plank = { .name = "plank",
                             .mass = 1,
                             .inertia = 0.1,
                             .position = { 0, 0.05 + sin(tilt) },
                             .angle = tilt,
                             .velocity = { uniform(-0.1, 0.1), -1 } };
        scree_shape shape[3] = { { .kind = SCREE_HALF_PLANE,
                                   .body = 0,
                                   .at = { 0, 0 },
                                   .normal = { 0, 1 },
                                   .radius = 0 },
                                 { .kind = SCREE_POINT,
                                   .body = 1,
                                   .at = { -0.5, -0.05 },
                                   .normal = { 0, 0 },
                                   .radius = 0 },
                                 { .kind = SCREE_POINT,
                                   .body = 1,
                                   .at = { 0.5, -0.05 },
                                   .normal = { 0, 0 },
                                   .radius = 0 } };
        CHECK_INT(scree_model_add_body(model, &ground, &err), SCREE_OK);
        CHECK_INT(scree_model_add_body(model, &plank, &err), SCREE_OK);
        for (int i = 0; i < 3; i++)
            CHECK_INT(scree_model_add_shape(model, &shape[i], &err), SCREE_OK);
        scree_law law = { .restitution = 0.25, .friction = 0.6 };
        CHECK_INT(scree_model_add_law(model, -1, -1, law, &err), SCREE_OK);
        model->gravity[1] = -9.81;
        CHECK_INT(scree_model_finish(model, &err), SCREE_OK);
        scree_run_options options = scree_run_options_default();
        options.scheme.name = k % 2 ? SCREE_MOREAU_JEAN : SCREE_MOREAU_JEAN_FREMOND;
        options.scheme.step = 1e-3;
        options.duration = 1;
        if (k % 4 == 0) options.solver.tolerance = 1e-25;  // nobody can
        scree_simulation *run = start(model, &options);
        for (int step = 0; run && step < 100; step++) {
            scree_state before = *scree_simulation_state(run);
            double q[6], v[6];
            memcpy(q, before.q, sizeof q);
            memcpy(v, before.v, sizeof v);
            scree_totals totals = *scree_simulation_totals(run);
            scree_status status = scree_simulation_step(run, &err);
            const scree_report *report = &scree_simulation_record(run)->report;
            CHECK((status == SCREE_OK) == report->converged);
            if (status == SCREE_OK) continue;
            const scree_state *after = scree_simulation_state(run);
            CHECK_INT(status, SCREE_UNCONVERGED);
            CHECK(err.status == status && strstr(err.text, "contact") &&
                  strstr(err.text, "residual"));
            CHECK_INT(after->step, before.step);
            CHECK(memcmp(after->q, q, sizeof q) == 0 && memcmp(after->v, v, sizeof v) == 0);
            CHECK(memcmp(&totals, scree_simulation_totals(run), sizeof totals) == 0);
            CHECK_INT(scree_simulation_step(run, &err), SCREE_UNCONVERGED);  // and again
            refused++;
            break;
        }
        scree_simulation_free(run);
        scree_model_free(model);
    }
    printf("planks: %d of %d refused\n", refused, planks);
    CHECK(refused > 0 && refused < planks);
}

TEST_FILE(test_bodies) {
    TEST(frames_do_not_matter);
    TEST(collisions_keep_momentum);
    TEST(plank_is_solved_or_refused);
    return harness_end();
}
