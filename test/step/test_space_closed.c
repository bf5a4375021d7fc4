// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_space_closed.c - collisions and motions of bodies known in closed form, in the plane and,
// with the same numbers, in space.
//
// A case is set up once, in the plane of x and y; in space discs become balls and blocks become
// boxes, a half-plane becomes a plane, and what moves out of that plane is an error. Impact
// outcomes are asked for to 1e-12.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "scree/simulation.h"

typedef struct world {
    int space;
    scree_model *model;
    scree_simulation *simulation;
} world;

static world new_world(int space) {
    scree_error err = { 0 };
    world now = { .space = space, .model = scree_model_new() };
    CHECK(!scree_model_set_space(now.model, space, &err));
    return now;
}

// a body that moves in the plane of x and y; J about z, in space about all axes
static int add_body(world *now, double m, double J, const double at[2], double angle,
                    const double v[2], double spin) {
    scree_error err = { 0 };
    scree_body body = { .name = "body",
                        .mass = m,
                        .inertia = J,
                        .tensor = { J, 0, 0, J, 0, J },
                        .position = { at[0], at[1] },
                        .angle = angle,
                        .orientation = { cos(angle / 2), 0, 0, sin(angle / 2) },
                        .velocity = { v[0], v[1] },
                        .spin = spin,
                        .angular = { 0, 0, spin } };
    if (scree_model_add_body(now->model, &body, &err)) COMPLAIN("%s", err.text);
    return now->model->bodies - 1;
}

static void add_shape(world *now, const scree_shape *shape) {
    scree_error err = { 0 };
    if (scree_model_add_shape(now->model, shape, &err)) COMPLAIN("%s", err.text);
}

static void add_ball(world *now, double m, double r, double J, const double at[2],
                     const double v[2], double spin) {
    int body = add_body(now, m, J, at, 0, v, spin);
    add_shape(now, &(scree_shape){ .kind = now->space == 2 ? SCREE_DISC : SCREE_SPHERE,
                                   .body = body,
                                   .radius = r });
}

// b along x, H along y and, in space, as deep as it is wide
static void add_block(world *now, double m, double b, double H, const double at[2], double angle,
                      const double v[2], double spin) {
    int body = add_body(now, m, m * (b * b + H * H) / 12, at, angle, v, spin);
    add_shape(now, &(scree_shape){ .kind = SCREE_BOX, .body = body, .size = { b, H, b } });
}

static void add_plane(world *now, double x, double y, double nx, double ny) {
    scree_error err = { 0 };
    scree_body ground = { .name = "ground", .fixed = true };
    if (!now->model->bodies && scree_model_add_body(now->model, &ground, &err))
        COMPLAIN("%s", err.text);
    add_shape(now, &(scree_shape){ .kind = now->space == 2 ? SCREE_HALF_PLANE : SCREE_PLANE,
                                   .at = { x, y },
                                   .normal = { nx, ny } });
}

static void start(world *now, scree_scheme scheme, double step, scree_law law) {
    scree_error err = { 0 };
    scree_run_options options = scree_run_options_default();
    options.scheme.name = scheme;
    options.scheme.step = step;
    options.duration = 1e9 * step;
    options.solver.tolerance = 1e-14;
    options.accept_overlaps = true;
    if (scree_model_add_law(now->model, -1, -1, law, &err) ||
        scree_model_finish(now->model, &err) ||
        scree_simulation_new(now->model, &options, &now->simulation, &err))
        COMPLAIN("refused: %s", err.text);
}

static void go(world *now, int steps) {
    scree_error err = { 0 };
    for (int k = 0; now->simulation && k < steps; k++)
        if (scree_simulation_step(now->simulation, &err)) {
            COMPLAIN("%s", err.text);
            return;
        }
}

/// x and y of the velocity and the spin about z
static void motion(const world *now, int body, double v[3]) {
    const scree_state *state = scree_simulation_state(now->simulation);
    const double *own = state->v + (long)body * now->model->body_dofs;
    v[0] = own[0];
    v[1] = own[1];
    v[2] = own[now->space == 2 ? 2 : 5];
}

static void check_motion(const world *now, int body, double vx, double vy, double spin,
                         double tolerance) {
    const double *own = scree_simulation_state(now->simulation)->v + 6L * body;
    double v[3];
    motion(now, body, v);
    CHECK_NEAR(v[0], vx, tolerance);
    CHECK_NEAR(v[1], vy, tolerance);
    CHECK_NEAR(v[2], spin, tolerance);
    if (now->space == 3)  // nothing goes out of the plane
        CHECK(fabs(own[2]) < tolerance && fabs(own[3]) < tolerance && fabs(own[4]) < tolerance);
}

static void finish(world *now) {
    scree_simulation_free(now->simulation);
    scree_model_free(now->model);
}

// -------------------------------------------------------------------------------------------------
// one impact

/// A ball with m = r = 1, I = 2/5 hits the floor with (2, -3) and spin -1; Moreau's law with
/// restitution rho, tangential restitution tau and friction gamma.
static void superball_outcomes(void) {
    static const struct {
        double rho, tau, gamma, vx, vy, spin;
    } known[] = { { 1, 1, 10, 10.0 / 7, 3, -17.0 / 7 },
                  { 1, 1, 0.05, 1.7, 3, -1.75 },
                  { 0.8, 0.5, 1, 11.0 / 7, 2.4, -29.0 / 14 },
                  { 0.5, 0, 0.02, 1.91, 1.5, -1.225 },
                  { 0, 0, 1, 12.0 / 7, 0, -12.0 / 7 } };
    for (int k = 0; k < 10; k++)
        for (int scheme = 0; scheme < 2; scheme++) {
            const double at[2] = { 0, 1 }, v[2] = { 2, -3 };
            world now = new_world(2 + k % 2);
            add_plane(&now, 0, 0, 0, 1);
            add_ball(&now, 1, 1, 0.4, at, v, -1);
            start(&now, scheme ? SCREE_MOREAU : SCREE_MOREAU_JEAN, 1e-4,
                  (scree_law){ .restitution = known[k / 2].rho,
                               .tangential_restitution = known[k / 2].tau,
                               .friction = known[k / 2].gamma });
            go(&now, 1);
            check_motion(&now, 1, known[k / 2].vx, known[k / 2].vy, known[k / 2].spin, 1e-12);
            finish(&now);
        }
}

/// Thrown between floor and table without spin it comes back.
static void superball_comes_back(void) {
    static const double vx[] = { 3.0 / 7, -31.0 / 49, -333.0 / 343 };
    static const double spin[] = { -10.0 / 7, 60.0 / 49, 130.0 / 343 };
    for (int space = 2; space <= 3; space++) {
        const double at[2] = { 0, 2 }, v[2] = { 1, -2 };
        world now = new_world(space);
        add_plane(&now, 0, 0, 0, 1);
        add_plane(&now, 0, 4, 0, -1);
        add_ball(&now, 1, 1, 0.4, at, v, 0);
        start(&now, SCREE_MOREAU, 1e-2,
              (scree_law){ .restitution = 1, .tangential_restitution = 1, .friction = 100 });
        int bounce = 0;
        for (int k = 0; k < 290; k++) {
            double before[3], after[3];
            motion(&now, 1, before);
            go(&now, 1);
            motion(&now, 1, after);
            if (after[1] == before[1]) continue;
            if (bounce < 3)
                check_motion(&now, 1, vx[bounce], bounce % 2 ? -2 : 2, spin[bounce], 1e-12);
            bounce++;
        }
        CHECK_INT(bounce, 3);
        finish(&now);
    }
}

/// Two balls of different size and mass, off centre and spinning, slide at the impact.
static void two_balls(void) {
    for (int k = 0; k < 4; k++) {
        double reach = 1 + sqrt(2);
        const double at1[2] = { -0.8 * reach, 0.6 * reach }, at2[2] = { 0, 0 };
        const double v1[2] = { 1, 0.2 }, v2[2] = { -0.5, 0 };
        world now = new_world(2 + k % 2);
        add_ball(&now, 1, 1, 0.4, at1, v1, 0.3);
        add_ball(&now, 2, sqrt(2), 1.6, at2, v2, -0.2);
        start(&now, k < 2 ? SCREE_MOREAU : SCREE_MOREAU_JEAN, 1e-14,
              (scree_law){ .restitution = 0.9, .tangential_restitution = 0.3, .friction = 0.2 });
        go(&now, 1);
        check_motion(&now, 0, -0.2544347970037708, 0.8074202706616385, -0.366811654182379, 1e-12);
        check_motion(&now, 1, 0.1272173985018854, -0.30371013533081925, -0.4357535212232897, 1e-12);
        const scree_contact *contact = scree_simulation_record(now.simulation)->contact;
        CHECK_NEAR(contact->impulse[0], 1.368, 1e-12);
        CHECK_NEAR(hypot(contact->impulse[1], contact->impulse[2]), 0.2667246616729515, 1e-12);
        finish(&now);
    }
}

/// A row of equal balls that touch, hit by the first: (1-2e, 1+e, 1+e)/3, and the like for more.
static void rows_of_balls(void) {
    static const double restitution[] = { 0, 0.25, 0.5, 0.9, 1 };
    for (int k = 0; k < 5; k++)
        for (int count = 2; count <= 5; count++)
            for (int space = 2; space <= 3; space++) {
                double e = restitution[k], rest[2] = { 0, 0 };
                world now = new_world(space);
                for (int i = 0; i < count; i++) {
                    const double at[2] = { 2.0 * i, 0 }, v[2] = { 1, 0 };
                    add_ball(&now, 1, 1, 0.4, at, i ? rest : v, 0);
                }
                start(&now, SCREE_MOREAU_JEAN_FREMOND, 1e-3, (scree_law){ .restitution = e });
                go(&now, 1);
                double together = (1 + e) / count;
                check_motion(&now, 0, together - e, 0, 0, 1e-12);
                for (int i = 1; i < count; i++) check_motion(&now, i, together, 0, 0, 1e-12);
                finish(&now);
            }
}

/// A block b = 1 by H comes down flat, turning about one corner; the ratio of the spins.
static double rocking_ratio(int space, scree_scheme scheme, double H, double mu) {
    const double at[2] = { 0.5, H / 2 };
    double spin = -1.25;  // about the lower left corner, clockwise
    const double v[2] = { -spin * at[1], spin * at[0] };
    world now = new_world(space);
    double after[3];
    add_plane(&now, 0, 0, 0, 1);
    add_block(&now, 3, 1, H, at, 0, v, spin);
    start(&now, scheme, 1e-14, (scree_law){ .friction = mu });
    go(&now, 1);
    motion(&now, 1, after);
    // it leaves turning about the other corner, or it rests; without friction its centre goes on
    if (mu > 0)
        check_motion(&now, 1, -after[2] * at[1], -after[2] * at[0], after[2], 1e-12);
    else
        check_motion(&now, 1, v[0], -after[2] * at[0], after[2], 1e-12);
    finish(&now);
    return after[2] / spin;
}

static double rocking_expected(double H, double mu) {
    double k2 = (1 + H * H) / 12, arm = mu > 0 ? k2 + H * H / 4 : k2;
    return fmax(0, (arm - 0.25) / (arm + 0.25));
}

static void rocking_blocks(void) {
    static const double heights[] = { 1, 1.5, 2, 4 }, frictionless[] = { 0, 0.04, 0.25, 0.7 };
    static const double held[] = { 0.25, 7.0 / 13, 0.7, 31.0 / 34 };
    static const double least[] = { 0.6, 0.45, 6.0 / 17, 0.18461538461538463 };
    for (int space = 2; space <= 3; space++)
        for (int s = 0; s < 2; s++) {
            scree_scheme scheme = s ? SCREE_MOREAU : SCREE_MOREAU_JEAN;
            for (int k = 0; k < 4; k++) {
                double H = heights[k];
                CHECK_NEAR(rocking_ratio(space, scheme, H, 0), frictionless[k], 1e-12);
                CHECK_NEAR(rocking_ratio(space, scheme, H, 1.001 * least[k]), held[k], 1e-12);
                CHECK_NEAR(rocking_expected(H, 0), frictionless[k], 1e-15);
                CHECK_NEAR(rocking_expected(H, 1), held[k], 1e-15);
            }
            // just above and just below both critical ratios
            for (int k = -1; k <= 1; k += 2) {
                double H = sqrt(2) * (1 + 1e-3 * k), squat = sqrt(0.5) * (1 + 1e-3 * k);
                CHECK((rocking_expected(H, 0) > 0) == (k > 0));
                CHECK((rocking_expected(squat, 1) > 0) == (k > 0));
                CHECK_NEAR(rocking_ratio(space, scheme, H, 0), rocking_expected(H, 0), 1e-12);
                CHECK_NEAR(rocking_ratio(space, scheme, squat, 1), rocking_expected(squat, 1),
                           1e-12);
            }
        }
}

// -------------------------------------------------------------------------------------------------
// many impacts

/// Balls and blocks shut in between four walls, elastic and smooth: the energy stays, to rounding,
/// over thousands of impacts. Without walls the momentum stays as well.
static void elastic_collisions(void) {
    for (int k = 0; k < 4; k++) {
        bool walls = k % 2;
        world now = new_world(2 + k / 2);
        double P[3] = { 0 }, now_P[3] = { 0 }, v[3];
        if (walls) {
            add_plane(&now, -3, 0, 1, 0);
            add_plane(&now, 3, 0, -1, 0);
            add_plane(&now, 0, -3, 0, 1);
            add_plane(&now, 0, 3, 0, -1);
        }
        int first = now.model->bodies;
        for (int i = 0; i < 7; i++) {
            const double at[2] = { 1.8 * (i % 3 - 1) + 0.1 * i, 1.8 * (i / 3 - 1) };
            const double u[2] = { -at[0] * 2 + 0.3 * i, -at[1] * 1.5 };
            if (i % 2)
                add_ball(&now, 1 + 0.2 * i, 0.6, 0.3, at, u, 1);
            else
                add_block(&now, 1 + 0.2 * i, 0.9, 0.7, at, 0.3 * i, u, -2 + i);
        }
        start(&now, SCREE_MOREAU, 1e-3, (scree_law){ .restitution = 1 });
        double energy = scree_simulation_ledger(now.simulation)->kinetic;
        for (int i = first; i < now.model->bodies; i++) {
            motion(&now, i, v);
            for (int c = 0; c < 2; c++) P[c] += now.model->body[i].mass * v[c];
        }
        go(&now, 3000);
        for (int i = first; i < now.model->bodies; i++) {
            motion(&now, i, v);
            for (int c = 0; c < 2; c++) now_P[c] += now.model->body[i].mass * v[c];
        }
        CHECK_NEAR(scree_simulation_ledger(now.simulation)->kinetic, energy, 1e-10 * energy);
        CHECK(scree_simulation_totals(now.simulation)->contacts_solved > (walls ? 50 : 5));
        if (!walls)
            for (int c = 0; c < 2; c++) CHECK_NEAR(now_P[c], P[c], 1e-11);
        finish(&now);
    }
}

// -------------------------------------------------------------------------------------------------
// rolling, sliding, standing

/// A ball on an incline rolls if tan(beta) <= 3.5 mu, with a = 5/7 g sin(beta) and the friction
/// 2/7 m g sin(beta); otherwise a = g (sin - mu cos), and the spin grows by 5 mu g cos/(2 r).
/// Exact in every step.
static void balls_on_inclines(void) {
    static const double angle[] = { 10, 25, 40, 50, 60, 75 };
    const double mu = 0.3, g = 9.81, r = 0.25, m = 2, h = 1e-3;
    int rolling = 0;
    for (int k = 0; k < 12; k++) {
        double beta = angle[k / 2] * acos(-1) / 180, rest[2] = { 0, 0 };
        const double at[2] = { r * sin(beta), r * cos(beta) };
        bool rolls = tan(beta) <= 3.5 * mu;
        double a = rolls ? 5.0 / 7 * g * sin(beta) : g * (sin(beta) - mu * cos(beta));
        double spin = rolls ? a / r : 5 * mu * g * cos(beta) / (2 * r);
        world now = new_world(2 + k % 2);
        add_plane(&now, 0, 0, sin(beta), cos(beta));
        add_ball(&now, m, r, 0.4 * m * r * r, at, rest, 0);
        scree_model_set_gravity(now.model, 0, -g, 0);
        start(&now, SCREE_MOREAU_JEAN, h, (scree_law){ .friction = mu });
        for (int step = 1; step <= 1000; step++) {
            go(&now, 1);
            double t = step * h;
            check_motion(&now, 1, a * t * cos(beta), -a * t * sin(beta), -spin * t, 1e-10 * g * t);
            const double *p = scree_simulation_record(now.simulation)->contact->impulse;
            double friction = rolls ? 2.0 / 7 * m * g * sin(beta) : mu * m * g * cos(beta);
            CHECK_NEAR(p[0], m * g * cos(beta) * h, 1e-10);
            CHECK_NEAR(hypot(p[1], p[2]), friction * h, 1e-10);
        }
        rolling += rolls;
        finish(&now);
    }
    CHECK(rolling > 2 && rolling < 10);  // both kinds
}

/// A block stands on an incline iff tan(beta) <= mu and tan(beta) <= b/H: one part in a thousand on
/// both sides of either, asked of the equilibrium and of the motion.
static void blocks_on_inclines(void) {
    static const struct {
        double mu, b, H, limit;
    } known[] = { { 0.4, 1, 2, 0.4 }, { 0.9, 1, 2, 0.5 }, { 1.2, 1, 1, 1 }, { 0.1, 1, 0.2, 0.1 } };
    for (int k = 0; k < 16; k++) {
        double mu = known[k / 4].mu, b = known[k / 4].b, H = known[k / 4].H;
        bool stands = k % 2;
        double beta = atan(known[k / 4].limit * (stands ? 0.999 : 1.001)), rest[2] = { 0, 0 };
        const double at[2] = { H / 2 * sin(beta), H / 2 * cos(beta) };
        world now = new_world(2 + k / 2 % 2);
        scree_error err = { 0 };
        double v[3];
        add_plane(&now, 0, 0, sin(beta), cos(beta));
        add_block(&now, 1, b, H, at, -beta, rest, 0);
        scree_model_set_gravity(now.model, 0, -9.81, 0);
        start(&now, SCREE_MOREAU, 1e-3, (scree_law){ .friction = mu });
        scree_static_check standing;
        CHECK(!scree_static_check_find(now.model, scree_simulation_options(now.simulation),
                                       scree_simulation_state(now.simulation), &standing, &err));
        CHECK(standing.admissible == stands);
        scree_static_check_free(&standing);
        go(&now, 1000);
        motion(&now, 1, v);
        double speed = fabs(v[0]) + fabs(v[1]) + fabs(v[2]);
        if (stands)
            CHECK(speed < 1e-9);
        else
            CHECK(speed > 1e-3);
        finish(&now);
    }
}

// -------------------------------------------------------------------------------------------------
// a top

/// The angle by which the axis of a leaning top has gone round after a second, its tip held by
/// friction on the floor. It starts in the steady precession at the rate W.
static double top_angle(double w, double W, double l, double I1, double I3, double step) {
    scree_error err = { 0 };
    double s = sin(0.4), c = cos(0.4);
    scree_model *model = scree_model_new();
    scree_body floor = { .name = "floor", .fixed = true };
    scree_body top = { .name = "top",
                       .mass = 1,
                       .tensor = { I1, 0, 0, I1, 0, I3 },
                       .position = { l * s, 0, l * c },
                       .orientation = { cos(0.2), 0, sin(0.2), 0 },
                       .velocity = { 0, W * l * s, 0 },
                       .angular = { (w - W * c) * s, 0, W + (w - W * c) * c } };
    scree_run_options options = scree_run_options_default();
    options.scheme.name = SCREE_MOREAU;
    options.scheme.step = step;
    options.duration = 1;
    scree_simulation *simulation = NULL;
    if (scree_model_set_space(model, 3, &err) || scree_model_add_body(model, &floor, &err) ||
        scree_model_add_shape(model, &(scree_shape){ .kind = SCREE_PLANE, .normal = { 0, 0, 1 } },
                              &err) ||
        scree_model_add_body(model, &top, &err) ||
        scree_model_add_shape(
            model, &(scree_shape){ .kind = SCREE_POINT, .body = 1, .at = { 0, 0, -l } }, &err) ||
        scree_model_add_law(model, -1, -1, (scree_law){ .friction = 2 }, &err))
        COMPLAIN("%s", err.text);
    scree_model_set_gravity(model, 0, 0, -9.81);
    if (scree_model_finish(model, &err) || scree_simulation_new(model, &options, &simulation, &err))
        COMPLAIN("%s", err.text);
    while (simulation && scree_simulation_left(simulation) > 0)
        if (scree_simulation_step(simulation, &err)) {
            COMPLAIN("%s", err.text);
            break;
        }
    const double *q = scree_simulation_state(simulation)->q + 7;
    // the axis is the third column of the rotation
    double w0 = q[3], x = q[4], y = q[5], z = q[6];
    double angle = atan2(2 * (y * z - w0 * x), 2 * (x * z + w0 * y));
    CHECK_NEAR(1 - 2 * (x * x + y * y), c, 2e2 * step);  // the tilt stays
    scree_simulation_free(simulation);
    scree_model_free(model);
    return angle;
}

static void tops_precess(void) {
    const double l = 0.1, I1 = 0.004, I3 = 0.006, g = 9.81;
    static const double spins[] = { 150, 300, 600 };
    for (int k = 0; k < 3; k++) {
        double w = spins[k], A = (I1 + l * l) * cos(0.4);
        double W = 2 * g * l / (I3 * w + sqrt(I3 * w * I3 * w - 4 * A * g * l));
        double coarse = top_angle(w, W, l, I1, I3, 1e-4);
        double fine = top_angle(w, W, l, I1, I3, 5e-5), angle = 2 * fine - coarse;
        printf(
            "top: spin %g, goes round with %.6f rad/s (%.6f and %.6f with the steps), exact "
            "%.6f, nearly %.6f\n",
            w, angle, coarse, fine, W, g * l / (I3 * w));
        CHECK_NEAR(fine, W, 2e-2 * W);
        CHECK_NEAR(angle, W, 2e-4 * W);
    }
}

TEST_FILE(test_space_closed) {
    TEST(superball_outcomes);
    TEST(superball_comes_back);
    TEST(two_balls);
    TEST(rows_of_balls);
    TEST(rocking_blocks);
    TEST(elastic_collisions);
    TEST(balls_on_inclines);
    TEST(blocks_on_inclines);
    TEST(tops_precess);
    return harness_end();
}
