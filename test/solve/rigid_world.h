// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid_world.h - problems of rigid bodies for tests, and the plain sweep that is their reference:
// scalar, with its own rows of H.

#ifndef SCREE_TEST_RIGID_WORLD_H
#define SCREE_TEST_RIGID_WORLD_H

#include <stdlib.h>

#include "harness.h"
#include "random.h"
#include "scree/solve.h"
#include "solve/local.h"
#include "solve/rigid_set.h"

typedef struct world {  // a problem that owns its numbers
    scree_problem problem;
    scree_bodies bodies;
    double *velocity, *inverse, *radius, *position;
    int *body;
    double *frame, *arm, *arm_ratio, *w, *b, *mu, *impulse, *out;
} world;

// -------------------------------------------------------------------------------------------------
// building worlds

static inline double *numbers(int count) { return calloc((size_t)count + 1, sizeof(double)); }

static inline void open_world(world *one, int bodies, int contacts, bool balls) {
    *one = (world){ .velocity = numbers(6 * bodies),
                    .inverse = numbers(7 * bodies),
                    .radius = balls ? numbers(bodies) : NULL,
                    .position = numbers(3 * bodies),
                    .body = calloc(2 * (size_t)contacts + 1, sizeof(int)),
                    .frame = numbers(9 * contacts),
                    .arm = balls ? NULL : numbers(6 * contacts),
                    .arm_ratio = balls ? numbers(contacts) : NULL,
                    .w = numbers(3 * contacts),
                    .b = numbers(3 * contacts),
                    .mu = numbers(contacts),
                    .impulse = numbers(3 * contacts),
                    .out = numbers(6 * bodies) };
    one->bodies = (scree_bodies){ .rigid = bodies,
                                  .width = 6,
                                  .inverse = one->inverse,
                                  .v_free = one->velocity,
                                  .radius = one->radius,
                                  .position = one->position,
                                  .body = one->body,
                                  .frame = one->frame,
                                  .arm = one->arm,
                                  .arm_ratio = one->arm_ratio,
                                  .w = one->w };
    one->problem =
        (scree_problem){ .contacts = contacts, .dimension = 3, .b = one->b, .mu = one->mu };
}

/// The problem as it is now; the world may have been copied.
static inline const scree_problem *problem_of(world *one) {
    one->problem.bodies = &one->bodies;
    scree_problem_offset(&one->problem, one->b);
    return &one->problem;
}

static inline void set_ball(world *one, int i, double mass, double inertia) {
    const double inverse[7] = { mass, inertia, 0, 0, inertia, 0, inertia };
    memcpy(one->inverse + 7 * i, inverse, sizeof inverse);
}

static inline void close_world(world *one) {
    double *all[] = { one->velocity, one->inverse, one->radius,    one->position,
                      one->frame,    one->arm,     one->arm_ratio, one->w,
                      one->b,        one->mu,      one->impulse,   one->out };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
    free(one->body);
}

static inline void cross3(const double *x, const double *y, double *z) {
    z[0] = x[1] * y[2] - x[2] * y[1];
    z[1] = x[2] * y[0] - x[0] * y[2];
    z[2] = x[0] * y[1] - x[1] * y[0];
}

static inline double dot3(const double *x, const double *y) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

/// A frame with the given normal and tangents turned by any angle.
static inline void set_frame(double *frame, const double *normal) {
    double size = sqrt(dot3(normal, normal)), along[3] = { uniform(-1, 1), uniform(-1, 1), 0 };
    double *n = frame, *t = frame + 3;
    for (int e = 0; e < 3; e++) n[e] = normal[e] / size;
    along[2] = fabs(n[2]) < 0.5 ? uniform(1, 2) : uniform(-0.1, 0.1);
    along[0] += fabs(n[2]) < 0.5 ? 0 : 2;
    double part = dot3(along, n);
    for (int e = 0; e < 3; e++) t[e] = along[e] - part * n[e];
    size = sqrt(dot3(t, t));
    for (int e = 0; e < 3; e++) t[e] /= size;
    cross3(n, t, frame + 6);
}

static inline void random_inertia(double *I, double scale) {
    double L[3][3] = { { 0 } };
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            L[i][j] = scale * (i == j ? uniform(0.5, 1.5) : uniform(-0.5, 0.5));
    for (int i = 0, at = 0; i < 3; i++)
        for (int j = i; j < 3; j++, at++) I[at] = dot3(L[i], L[j]);
}

typedef struct recipe {
    int side;  // bodies: side^3, on a lattice with a floor
    bool balls;
    double friction;  // mu: up to it, a tenth of the contacts without; -1: all 0.4
    bool tangential;  // w with tangents, reach other than 1
    bool hub;         // one body touches everything at the sides
} recipe;

static inline int lattice_contacts(recipe r) {
    int n = r.side;
    return 3 * n * n * (n - 1) + n * n + (r.hub ? 2 * n * n : 0);
}

static inline void add_contact(world *one, int *at, int a, int b, const double *normal, recipe r) {
    int c = (*at)++;
    one->body[2 * c] = a;
    one->body[2 * c + 1] = b;
    double bent[3];
    for (int e = 0; e < 3; e++) bent[e] = normal[e] + uniform(-0.2, 0.2);
    set_frame(one->frame + 9 * c, bent);
    one->mu[c] = r.friction < 0 ? 0.4 : uniform(0, 1) < 0.1 ? 0 : uniform(0, r.friction);
    one->w[3 * c] = uniform(-0.02, 0.05);
    if (r.tangential)
        for (int e = 1; e < 3; e++) one->w[3 * c + e] = uniform(-0.05, 0.05);
    if (r.balls)
        one->arm_ratio[c] = r.tangential ? uniform(0.95, 1.05) : 1;
    else
        for (int e = 0; e < 6; e++)
            one->arm[6 * c + e] = (e < 3 ? -0.5 : 0.5) * normal[e % 3] + uniform(-0.3, 0.3);
}

/// A lattice of bodies, each touching its neighbours by bent normals, thrown down on a floor.
static inline void make_lattice(world *one, recipe r) {
    int n = r.side, bodies = n * n * n + (r.hub ? 1 : 0), at = 0;
    open_world(one, bodies, lattice_contacts(r), r.balls);
    for (int i = 0; i < bodies; i++) {
        bool hub = i == n * n * n;
        double mass = hub ? 50 : uniform(0.5, 2);
        one->inverse[7 * i] = 1 / mass;
        if (r.balls) {
            one->radius[i] = uniform(0.4, 0.6);
            set_ball(one, i, 1 / mass, 2.5 / (mass * one->radius[i] * one->radius[i]));
        } else {
            random_inertia(one->inverse + 7 * i + 1, hub ? 0.2 : 2);
        }
        for (int e = 0; e < 3; e++) {
            one->position[3 * i + e] = e == 0 ? i % n : e == 1 ? i / n % n : i / n / n;
            one->velocity[6 * i + e] = uniform(-0.2, 0.2) - (e == 2);
            one->velocity[6 * i + 3 + e] = uniform(-1, 1);
        }
    }
    for (int i = 0; i < n * n * n; i++) {
        const double axis[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
        int cell[3] = { i % n, i / n % n, i / n / n }, step[3] = { 1, n, n * n };
        for (int e = 0; e < 3; e++)
            if (cell[e] + 1 < n) add_contact(one, &at, i + step[e], i, axis[e], r);
        if (cell[2] == 0) add_contact(one, &at, i, SCREE_FIXED, axis[2], r);
        if (r.hub && (cell[0] == 0 || cell[0] == n - 1))
            add_contact(one, &at, i, n * n * n, axis[0], r);
    }
    CHECK_INT(at, one->problem.contacts);
}

static const recipe recipes[] = {
    { .side = 9, .balls = true, .friction = -1 },
    { .side = 9, .balls = true, .friction = 1.5, .tangential = true, .hub = true },
    { .side = 9, .balls = false, .friction = -1 },
    { .side = 9, .balls = false, .friction = 1.5, .tangential = true, .hub = true },
};
enum { RECIPES = sizeof recipes / sizeof *recipes };

/// Bodies of a lattice in the plane with skew arms, on a wall that moves; every third contact of
/// the wall rubs not at all.
static inline void make_plane(world *one, int side, int levels) {
    int wall = side * levels;
    open_world(one, wall + 1, 2 * wall, false);
    one->bodies.width = 3;
    one->problem.dimension = 2;
    int nc = 0;
    for (int i = 0; i < wall; i++) {
        int x = i % side, y = i / side;
        one->inverse[2 * i] = uniform(0.5, 2);
        one->inverse[2 * i + 1] = uniform(1, 20);
        one->position[3 * i] = x;
        one->position[3 * i + 1] = y;
        one->velocity[3 * i + 1] = -1;
        one->velocity[3 * i] = uniform(-0.3, 0.3);
        for (int k = 0; k < 2; k++) {  // on what is below, beside what is on the left
            if (k == 1 && x % 6 == 0) continue;
            double angle = (k ? 0 : M_PI / 2) + uniform(-0.1, 0.1);
            double *frame = one->frame + 9 * nc, *arm = one->arm + 6 * nc;
            frame[0] = cos(angle);
            frame[1] = sin(angle);
            frame[3] = -frame[1];
            frame[4] = frame[0];
            frame[8] = 1;
            for (int e = 0; e < 2; e++) {
                arm[e] = -0.5 * frame[e] + uniform(-0.1, 0.1);
                arm[3 + e] = 0.5 * frame[e] + uniform(-0.1, 0.1);
            }
            one->body[2 * nc] = i;
            one->body[2 * nc + 1] = k ? i - 1 : y ? i - side : x % 2 ? wall : SCREE_FIXED;
            one->mu[nc] = y == 0 && x % 3 == 0 ? 0 : uniform(0.1, 0.6);
            nc++;
        }
    }
    one->velocity[3 * wall] = 0.2;
    one->problem.contacts = nc;
}

// -------------------------------------------------------------------------------------------------
// the plain sweep

typedef struct rows {  // H of one contact: three rows on the six velocities of a and of b
    double of[2][3][6];
} rows;

static inline rows rows_of(const world *one, int c) {
    rows H = { 0 };
    for (int side = 0; side < 2; side++) {
        int body = one->body[2 * c + side];
        if (body < 0) continue;
        double sign = side ? -1 : 1, arm[3], moment[3];
        for (int e = 0; e < 3; e++)
            arm[e] = one->radius
                         ? -sign * one->arm_ratio[c] * one->radius[body] * one->frame[9 * c + e]
                         : one->arm[6 * c + 3 * side + e];
        for (int k = 0; k < 3; k++) {
            cross3(arm, one->frame + 9 * c + 3 * k, moment);
            for (int e = 0; e < 3; e++) {
                H.of[side][k][e] = sign * one->frame[9 * c + 3 * k + e];
                H.of[side][k][3 + e] = sign * moment[e];
            }
        }
    }
    return H;
}

/// x = M^-1 y of one body
static inline void mobility(const world *one, int body, const double *y, double *x) {
    const double *I = one->inverse + 7 * body + 1;
    for (int e = 0; e < 3; e++) x[e] = I[-1] * y[e];
    x[3] = I[0] * y[3] + I[1] * y[4] + I[2] * y[5];
    x[4] = I[1] * y[3] + I[3] * y[4] + I[4] * y[5];
    x[5] = I[2] * y[3] + I[4] * y[4] + I[5] * y[5];
}

static inline double dot6(const double *x, const double *y) {
    return dot3(x, y) + dot3(x + 3, y + 3);
}

static inline void add_impulse(const world *one, int c, const rows *H, const double *p, double *v) {
    for (int side = 0; side < 2; side++) {
        int body = one->body[2 * c + side];
        if (body < 0) continue;
        double wrench[6] = { 0 }, change[6];
        for (int k = 0; k < 3; k++)
            for (int e = 0; e < 6; e++) wrench[e] += p[k] * H->of[side][k][e];
        mobility(one, body, wrench, change);
        for (int e = 0; e < 6; e++) v[6 * body + e] += change[e];
    }
}

/// s and W_ii of contact c at the velocities v
static inline void local_problem(const world *one, int c, const rows *H, const double *v, double *A,
                                 double *s) {
    double change[6];
    memset(A, 0, 9 * sizeof *A);
    for (int k = 0; k < 3; k++) s[k] = one->w[3 * c + k];
    for (int side = 0; side < 2; side++) {
        int body = one->body[2 * c + side];
        for (int k = 0; k < 3 && body >= 0; k++) {
            s[k] += dot6(H->of[side][k], v + 6 * body);
            mobility(one, body, H->of[side][k], change);
            for (int j = 0; j < 3; j++) A[3 * j + k] += dot6(H->of[side][j], change);
        }
    }
}

static inline void lone_problem(const world *one, int c, double *A, double *b) {
    rows H = rows_of(one, c);
    local_problem(one, c, &H, one->velocity, A, b);
}

static inline void relax_plainly(const world *one, int c, double *v, double *p) {
    rows H = rows_of(one, c);
    double A[9], s[3], b[3], old[3], d[3];
    local_problem(one, c, &H, v, A, s);
    memcpy(old, p + 3 * c, sizeof old);
    for (int k = 0; k < 3; k++) b[k] = s[k] - dot3(A + 3 * k, old);
    CHECK(scree_local_solve(A, b, one->mu[c], 3, p + 3 * c));
    for (int k = 0; k < 3; k++) d[k] = p[3 * c + k] - old[k];
    add_impulse(one, c, &H, d, v);
}

// -------------------------------------------------------------------------------------------------
// solving worlds

static inline double largest(const double *x, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(x[i]));
    return most;
}

static inline double difference(const double *x, const double *y, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) most = fmax(most, fabs(x[i] - y[i]));
    return most;
}

static inline scree_solver_options options_of(const char *name, double tolerance, int sweeps) {
    scree_solver_options options = scree_solver_options_default();
    options.name = name;
    options.tolerance = tolerance;
    options.max_sweeps = sweeps;
    return options;
}

/// v = v_free + M^-1 H^T p by the reference's own H
static inline void find_velocities(world *one) {
    memcpy(one->out, one->velocity, 6 * (size_t)one->bodies.rigid * sizeof *one->out);
    for (int c = 0; c < one->problem.contacts; c++) {
        rows H = rows_of(one, c);
        add_impulse(one, c, &H, one->impulse + 3 * c, one->out);
    }
}

static inline scree_report solve(world *one, const scree_solver_options *options) {
    scree_report report = { 0 };
    scree_error err;
    scree_status status = scree_solve(problem_of(one), options, one->impulse, &report, &err);
    if (status) COMPLAIN("status %d: %s", status, err.text);
    find_velocities(one);
    return report;
}

/// A column of bodies that falls on a floor with speed 1; the one on top has another mass.
static inline void make_column(world *one, int height, bool balls, double ratio) {
    open_world(one, height, height, balls);
    for (int i = 0; i < height; i++) {
        double mass = i == height - 1 ? ratio : 1, normal[3] = { 0, 0, 1 };
        one->inverse[7 * i] = 1 / mass;
        one->velocity[6 * i + 2] = -1;
        one->position[3 * i + 2] = i;
        one->body[2 * i] = i;
        one->body[2 * i + 1] = i ? i - 1 : SCREE_FIXED;
        one->mu[i] = 0.3;
        set_frame(one->frame + 9 * i, normal);
        if (balls) {
            one->radius[i] = 0.5;
            set_ball(one, i, 1 / mass, 10 / mass);
            one->arm_ratio[i] = 1;
        } else {
            set_ball(one, i, 1 / mass, 6 / mass);
            one->arm[6 * i + 2] = -0.5;
            one->arm[6 * i + 5] = 0.5;
        }
    }
}

// -------------------------------------------------------------------------------------------------
// laid out

static inline bool prepare(world *one, scree_arena *memory, scree_rigid_set *set) {
    scree_error err;
    bool broken = true;
    *memory = (scree_arena){ 0 };
    scree_status status =
        scree_rigid_prepare(problem_of(one), one->impulse, memory, set, &broken, &err);
    if (status || broken) COMPLAIN("not laid out: %s", status ? err.text : "broken");
    return !status && !broken;
}

static inline void compare_threads(const char *const *names, int count) {
    for (int i = 0; i < RECIPES; i++)
        for (int name = 0; name < count; name++) {
            world one;
            recipe r = recipes[i];
            r.side = 20;
            make_lattice(&one, r);
            int nb = one.bodies.rigid, nc = one.problem.contacts, sweeps = 14;
            scree_rigid_set set;
            scree_arena memory;
            if (!prepare(&one, &memory, &set)) continue;
            CHECK((set.chunks - 1) / set.colours >= 4);  // four threads have work
            scree_arena_free(&memory);
            double *p = numbers(3 * nc), *v = numbers(6 * nb);
            scree_residual residual = { 0 };
            for (int threads = 1; threads <= 4; threads++) {
                scree_solver_options options = options_of(names[name], 1e-6, sweeps);
                options.threads = threads;
                memset(one.impulse, 0, 3 * (size_t)nc * sizeof(double));
                scree_report report = solve(&one, &options);
                if (threads == 1) {
                    memcpy(p, one.impulse, 3 * (size_t)nc * sizeof *p);
                    memcpy(v, one.out, 6 * (size_t)nb * sizeof *v);
                    residual = report.residual;
                    CHECK_INT(report.iterations, sweeps);
                }
                CHECK(memcmp(p, one.impulse, 3 * (size_t)nc * sizeof *p) == 0);
                CHECK(memcmp(v, one.out, 6 * (size_t)nb * sizeof *v) == 0);
                CHECK(memcmp(&residual, &report.residual, sizeof residual) == 0);
            }
            free(p);
            free(v);
            close_world(&one);
        }
}

#endif
