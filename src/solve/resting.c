// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// resting.c - what rests is left alone: islands whose guess holds to their share of the tolerance
// take no part in sweeps.
// in: problem by bodies, guess.   out: the problem of the other islands.   work: a forest.
//
// Every contact is judged; one whose law is violated by more than its share is never left out.

#include "solve/resting.h"

#include <math.h>
#include <string.h>

#include "base/union_find.h"
#include "law/bodies.h"

typedef struct forest {
    int bodies;
    int *parent;               // of a body                                                 (bodies)
    int *size;                 // contacts of the island of this root                       (bodies)
    double *natural, *energy;  // sums of the residual there                   (bodies)
} forest;

// a body that impulses move, or -1
static int mover(const scree_bodies *bodies, int body) {
    if (body == SCREE_FIXED) return -1;
    int numbers = bodies->width == 3 ? 2 : 7;
    return bodies->inverse[(size_t)body * (size_t)numbers] > 0 ? body : -1;
}

// the island of contact i, or -1 if nothing moves it
static int island_of(const scree_problem *problem, const forest *trees, int i) {
    const int *pair = problem->bodies->body + 2 * (size_t)i;
    int a = mover(problem->bodies, pair[0]), b = mover(problem->bodies, pair[1]);
    int body = a >= 0 ? a : b;
    return body >= 0 ? scree_union_find_root(trees->parent, body) : -1;
}

// islands and their sizes; how many there are, or 0 without memory
static int plant(const scree_problem *problem, scree_arena *arena, forest *trees, int *largest) {
    int bodies = trees->bodies = problem->bodies->rigid, count = 0;
    trees->parent = SCREE_NEW(arena, int, bodies);
    trees->size = SCREE_NEW(arena, int, bodies);
    trees->natural = SCREE_NEW(arena, double, bodies);
    trees->energy = SCREE_NEW(arena, double, bodies);
    if (!trees->parent || !trees->size || !trees->natural || !trees->energy) return 0;
    for (int k = 0; k < bodies; k++) trees->parent[k] = k;
    for (int i = 0; i < problem->contacts; i++) {
        const int *pair = problem->bodies->body + 2 * (size_t)i;
        int a = mover(problem->bodies, pair[0]), b = mover(problem->bodies, pair[1]);
        if (a < 0 || b < 0) continue;
        int one = scree_union_find_root(trees->parent, a),
            other = scree_union_find_root(trees->parent, b);
        if (one < other)
            trees->parent[other] = one;
        else
            trees->parent[one] = other;
    }
    for (int i = 0; i < problem->contacts; i++) {
        int island = island_of(problem, trees, i);
        if (island < 0) continue;
        count += trees->size[island]++ == 0;
        if (trees->size[island] > *largest) *largest = trees->size[island];
    }
    return count;
}

// the residual of the guess, on the whole and island by island
static bool judge(scree_solver_context *context, forest *trees, scree_resting *rest) {
    const scree_problem *problem = context->problem;
    size_t nc = (size_t)problem->contacts, d = (size_t)problem->dimension;
    int *diagonal = SCREE_NEW(context->arena, int, nc);
    double *W = SCREE_ROOM(context->arena, double, (nc * d * d));
    double *s = SCREE_ROOM(context->arena, double, (nc * d));
    if (!diagonal || !W || !s || !scree_bodies_diagonal(problem, NULL, W, context->arena) ||
        !scree_bodies_velocity(problem, context->p, s, context->arena))
        return false;
    scree_problem shown = *problem;
    for (int i = 0; i < problem->contacts; i++) diagonal[i] = i;
    shown.diagonal = diagonal;
    shown.block = W;
    context->scales = scree_residual_scale(&shown);
    scree_residual_sums all = { 0 };
    for (int i = 0; i < problem->contacts; i++) {
        scree_residual_sums own = scree_residual_sum_of(&shown, context->p, s, i);
        int island = island_of(problem, trees, i);
        if (island >= 0) {
            trees->natural[island] += own.natural;
            trees->energy[island] += own.energy;
        }
        scree_residual_sums_add(&all, own);
    }
    rest->residual = scree_residual_of(all, context->scales);
    return true;
}

static bool rests(const scree_solver_context *context, const forest *trees, int island) {
    if (island < 0) return false;
    double share = SCREE_RESTING_SHARE * context->options->tolerance;
    share *= share * trees->size[island] / context->problem->contacts;
    double size = context->scales.natural;
    bool natural = context->options->criterion == SCREE_CRITERION_SCALED ||
                   trees->natural[island] <= share * size * size;
    return natural && trees->energy[island] <= share * context->scales.energy;
}

static double *gather(const double *x, int width, const scree_resting *rest, scree_arena *arena,
                      bool *fine) {
    if (!x) return NULL;
    size_t step = (size_t)width;
    double *part = SCREE_NEW(arena, double, ((size_t)rest->count * step));
    *fine = *fine && part;
    for (size_t k = 0; part && k < (size_t)rest->count; k++)
        memcpy(part + k * step, x + (size_t)rest->contact[k] * step, step * sizeof *x);
    return part;
}

static bool extract(const scree_solver_context *context, scree_resting *rest) {
    const scree_problem *problem = context->problem;
    const scree_bodies *bodies = problem->bodies;
    scree_arena *arena = context->arena;
    int d = problem->dimension;
    bool fine = true;
    int *body = SCREE_NEW(arena, int, (2 * (size_t)rest->count));
    if (!body) return false;
    for (size_t k = 0; k < (size_t)rest->count; k++)
        memcpy(body + 2 * k, bodies->body + 2 * (size_t)rest->contact[k], 2 * sizeof *body);
    rest->bodies = *bodies;
    rest->bodies.body = body;
    rest->bodies.frame = gather(bodies->frame, 9, rest, arena, &fine);
    rest->bodies.arm = gather(bodies->arm, 6, rest, arena, &fine);
    rest->bodies.arm_ratio = gather(bodies->arm_ratio, 1, rest, arena, &fine);
    rest->bodies.w = gather(bodies->w, d, rest, arena, &fine);
    rest->problem =
        (scree_problem){ .contacts = rest->count,
                         .dimension = d,
                         .b = gather(problem->b, d, rest, arena, &fine),
                         .mu = gather(problem->mu, 1, rest, arena, &fine),
                         .mu_rolling = gather(problem->mu_rolling, 1, rest, arena, &fine),
                         .cohesion = gather(problem->cohesion, 1, rest, arena, &fine),
                         .bodies = &rest->bodies };
    rest->p = gather(context->p, d, rest, arena, &fine);
    return fine;
}

bool scree_resting_find(scree_solver_context *context, scree_resting *rest) {
    const scree_problem *problem = context->problem;
    forest trees;
    int largest = 0, nc = problem->contacts;
    rest->islands = plant(problem, context->arena, &trees, &largest);
    rest->count = 0;
    rest->contact = SCREE_NEW(context->arena, int, nc);
    if (!rest->islands || !rest->contact || 4 * (long)largest > 3 * (long)nc) return false;
    if (scree_context_is_zero(context) || !judge(context, &trees, rest)) return false;
    for (int i = 0; i < nc; i++)
        if (!rests(context, &trees, island_of(problem, &trees, i)))
            rest->contact[rest->count++] = i;
    return 4 * (long)rest->count <= 3 * (long)nc && extract(context, rest);
}

void scree_resting_return(const scree_resting *rest, double *p) {
    size_t d = (size_t)rest->problem.dimension;
    for (size_t k = 0; k < (size_t)rest->count; k++)
        memcpy(p + (size_t)rest->contact[k] * d, rest->p + k * d, d * sizeof *p);
}
