// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// existence.c - an interior point for the criterion of existence.h.
// in: problem.   out: value, self-stress.   work: a factorised matrix, scaled cones.
//
//     y = W r + b - t n ∈ K*  ⟂  r ∈ K,      T - t >= 0  ⟂  r_0 >= 0,      sum r_N + r_0 = S
//
// maximises t - v.M v / 2S over motions v: what a motion costs is nothing against a large S. As S
// grows r / S becomes a self-stress, or 0 if there is none: then t goes to its limit T. Each step
// is one of interior_point.c without the shift, with t and r_0 as a border of the linear system.

#include "solve/existence.h"

#include <math.h>
#include <string.h>

#include "law/cone.h"
#include "solve/canonical.h"
#include "solve/interior_cones.h"
#include "solve/kkt.h"

enum { STEPS = 60, IDLE = 3 };
static const double load = 1e6;          // S against what stops |b| in every contact
static const double to_boundary = 0.99;  // part of the way to the boundary that a step may go
static const double short_step = 0.1, centring = 0.3;
static const double gap_most = 1e-8;  // in t, against the largest |b|
static const double rounding = 1e-6;  // of the value, against the largest |b|

typedef struct criterion {
    const scree_problem *problem;
    scree_kkt *kkt;
    scree_interior_cones cones;
    scree_lorentz level;  // x = r_0, y = T - t
    int nc, d, factorizations;
    size_t n;
    double largest_b, limit, sum;  // T, S
    double t;
    double *r, *s, *miss, *g;          // (n)
    double *dr, *ds, *unit, *wr, *ws;  // step; n and what D n does (n)
    double value;                      // the largest that a motion had
} criterion;

static bool is_joint(const criterion *now, int i) { return now->cones.pieces[i] == 0; }

static double normal_sum(const criterion *now, const double *x) {
    double sum = 0;
    for (int i = 0; i < now->nc; i++)
        if (!is_joint(now, i)) sum += x[i * now->d];
    return sum;
}

static bool prepare(criterion *now, const scree_problem *problem, scree_arena *arena) {
    *now = (criterion){
        .problem = problem, .nc = problem->contacts, .d = problem->dimension, .value = -HUGE_VAL
    };
    now->n = (size_t)now->nc * (size_t)now->d;
    double **vectors[] = { &now->r,  &now->s,    &now->miss, &now->g, &now->dr,
                           &now->ds, &now->unit, &now->wr,   &now->ws };
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if (!(*vectors[k] = SCREE_NEW(arena, double, now->n))) return false;
    if (!scree_interior_cones_make(&now->cones, problem, arena)) return false;
    for (int i = 0; i < now->nc; i++)
        if (!(now->cones.D[i] > 0)) now->cones.D[i] = 1;  // nothing moves: any unit will do
    for (size_t k = 0; k < now->n; k++) now->largest_b = fmax(now->largest_b, fabs(problem->b[k]));
    return (now->kkt = scree_kkt_new(problem));
}

// The least u_N - mu |u_T| at s = W r + b.
static double least_room(criterion *now) {
    double least = HUGE_VAL;
    scree_problem_velocity(now->problem, now->r, now->s);
    for (int i = 0; i < now->nc; i++) {
        scree_cone cone = scree_cone_of(now->problem, i);
        const double *s = now->s + i * now->d;
        if (!cone.free) least = fmin(least, s[0] - scree_cone_shift(&cone, s));
    }
    return least;
}

// The same impulse along every normal, and t far below: y is inside the cones, about -t n.
static void place_start(criterion *now) {
    double impulse = 0;
    for (int i = 0; i < now->nc; i++) impulse += load * now->largest_b / now->cones.D[i] / now->nc;
    for (int i = 0; i < now->nc; i++) {
        now->unit[i * now->d] = !is_joint(now, i);
        now->r[i * now->d] = is_joint(now, i) ? 0 : impulse;
    }
    double room = least_room(now), size = 0;
    for (size_t k = 0; k < now->n; k++) size = fmax(size, fabs(now->s[k]));
    now->limit = now->largest_b;
    now->t = fmin(room, 0) - 2 * size;
    now->sum = normal_sum(now, now->r) + impulse;
    now->level = (scree_lorentz){ .x = { impulse }, .y = { now->limit - now->t } };
    memcpy(now->miss, now->s, now->n * sizeof *now->s);
    for (size_t k = 0; k < now->n; k++) now->miss[k] -= now->t * now->unit[k];
    scree_interior_cones_begin(&now->cones, now->r, now->miss);
}

// solve for the step that belongs to the right sides of the cones
static double find_step(criterion *now) {
    const scree_lorentz *level = &now->level;
    scree_interior_cones_gather(&now->cones, now->miss, now->g);
    scree_kkt_solve(now->kkt, now->g, now->dr, now->ds);
    double slope = normal_sum(now, now->wr) + level->x[0] / level->y[0];
    double lacks = now->sum - normal_sum(now, now->r) - level->x[0];
    double dt = (lacks - normal_sum(now, now->dr) - level->c[0]) / slope;
    for (size_t k = 0; k < now->n; k++) {
        now->dr[k] += dt * now->wr[k];
        now->ds[k] += dt * (now->ws[k] - now->unit[k]) + now->miss[k];
    }
    scree_interior_cones_spread(&now->cones, now->dr, now->ds);
    now->level.dx[0] = level->c[0] + level->x[0] / level->y[0] * dt;
    now->level.dy[0] = -dt;
    return dt;
}

static double step_length(const criterion *now) {
    return fmin(scree_interior_cones_step(&now->cones), scree_lorentz_step(&now->level));
}

// mean of x . y after a part of the step
static double mean(const criterion *now, double length) {
    const scree_lorentz *level = &now->level;
    double own = (level->x[0] + length * level->dx[0]) * (level->y[0] + length * level->dy[0]);
    int cones = now->cones.cones;
    return (cones * scree_interior_cones_mean(&now->cones, length) + own) / (cones + 1);
}

// the corrector's step towards x o y = target e: its length, and its change of t
static double correct(criterion *now, double target, double *length) {
    scree_interior_cones_correct(&now->cones, target);
    scree_lorentz_correct(&now->level, target);
    double dt = find_step(now);
    *length = fmin(1, to_boundary * step_length(now));
    return dt;
}

static bool advance(criterion *now) {
    memcpy(now->miss, now->s, now->n * sizeof *now->miss);
    for (size_t k = 0; k < now->n; k++) now->miss[k] -= now->t * now->unit[k];
    scree_interior_cones_subtract(&now->cones, now->miss);
    if (!scree_interior_cones_weigh(&now->cones) || !scree_lorentz_prepare(&now->level))
        return false;
    now->factorizations++;
    if (!scree_kkt_factor(now->kkt, now->cones.weight)) return false;
    scree_kkt_solve_weighted(now->kkt, now->unit, now->wr, now->ws);  // the border, D n
    double tau = mean(now, 0);
    scree_interior_cones_predict(&now->cones);
    now->level.c[0] = -now->level.x[0];
    find_step(now);
    double ratio = mean(now, fmin(1, step_length(now))) / tau;
    double length, dt = correct(now, tau * fmin(1, ratio * ratio * ratio), &length);
    if (length < short_step) {  // back towards the central path
        scree_interior_cones_forget(&now->cones);
        now->level.dx[0] = now->level.dy[0] = 0;
        dt = correct(now, centring * tau, &length);
    }
    for (size_t k = 0; k < now->n; k++) now->r[k] += length * now->dr[k];
    scree_interior_cones_take(&now->cones, length, now->r);
    now->level.x[0] += length * now->level.dx[0];
    now->level.y[0] += length * now->level.dy[0];
    now->t += length * dt;
    return length > 1e-8;
}

// until t is known to gap_most, or as far as rounding lets it
static void iterate(criterion *now) {
    double least = HUGE_VAL;
    for (int step = 0, idle = 0; step < STEPS && idle < IDLE; step++) {
        now->value = fmax(now->value, fmin(least_room(now), now->limit));
        double gap = (now->cones.cones + 1) * mean(now, 0) / now->sum;
        idle = gap < 0.9 * least ? 0 : idle + 1;
        least = fmin(least, gap);
        if (gap <= gap_most * now->largest_b || !advance(now)) return;
    }
}

// The largest t that motions of less energy than S times rounding can have, by the self-stress r.
static double upper_bound(const criterion *now) {
    double sum = now->level.x[0] + normal_sum(now, now->r), work = now->level.x[0] * now->limit;
    for (size_t k = 0; k < now->n; k++) work += now->r[k] * (now->s[k] + now->problem->b[k]) / 2;
    return work / sum;
}

static void take_stress(const criterion *now, double *stress, scree_existence *existence) {
    double sum = normal_sum(now, now->r), largest = 0;
    for (int i = 0; i < now->nc; i++)
        if (!is_joint(now, i)) largest = fmax(largest, now->r[i * now->d]);
    for (int i = 0; i < now->nc; i++)
        existence->jammed += !is_joint(now, i) && now->r[i * now->d] > SCREE_JAMMED * largest;
    for (size_t k = 0; k < now->n; k++) stress[k] = now->r[k] / sum;
}

static bool find(const scree_problem *problem, scree_arena *arena, double *stress,
                 scree_existence *existence) {
    criterion now;
    bool fine = prepare(&now, problem, arena);
    if (fine && now.largest_b > 0) {
        place_start(&now);
        iterate(&now);
        double margin = rounding * now.largest_b;
        existence->value = now.value;
        existence->holds = now.value >= -margin;
        existence->fails = !existence->holds && upper_bound(&now) < -margin;
        existence->factorizations = now.factorizations;
        if (existence->fails) take_stress(&now, stress, existence);
    }
    scree_kkt_free(now.kkt);
    return fine;
}

bool scree_existence_find(const scree_problem *problem, scree_arena *arena, double *stress,
                          scree_existence *existence) {
    scree_canonical canonical;
    size_t n = (size_t)problem->contacts * (size_t)problem->dimension;
    *existence = (scree_existence){ .holds = true };
    memset(stress, 0, n * sizeof *stress);
    if (problem->contacts == 0) return true;
    if (problem->limit) return false;
    if (!scree_canonical_needed(problem)) return find(problem, arena, stress, existence);
    if (!scree_canonical_make(problem, arena, &canonical)) return false;
    bool fine = find(&canonical.problem, arena, stress, existence);
    scree_canonical_leave(&canonical, stress, true);
    return fine;
}
