// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// gauss_seidel.c - Gauss-Seidel sweeps: each contact in turn solved exactly, the others held.
// in: problem, p.   out: p.   work: blocks packed for vector registers, local solvers, colours.
//
// Large problems are swept colour by colour (graph colouring): contacts of one colour do not touch
// each other, so threads may share them, and the numbers are the same however many threads there
// are. Whether colours are used depends on the problem alone, never on the threads.

#include "solve/gauss_seidel.h"

#include <math.h>
#include <string.h>

#include "base/clones.h"

enum {
    COLOURED_FROM = 4096,  // contacts
    IDLE_SWEEPS = 3,       // after so many quiet sweeps
    FROZEN_SWEEPS = 10,    // a contact is left alone for so many
};

typedef double four __attribute__((vector_size(32)));

static size_t packed_size(int d) { return d == 3 ? 12 : (size_t)(d * d); }

static void pack(const double *W, int d, double *block) {
    if (d != 3) {
        memcpy(block, W, (size_t)(d * d) * sizeof *W);
        return;
    }
    for (int c = 0; c < 3; c++) {
        for (int r = 0; r < 3; r++) block[4 * c + r] = W[3 * r + c];
        block[4 * c + 3] = 0;
    }
}

// the smallest colour that no neighbour has; returns how many colours there are
static int colour_contacts(const scree_problem *problem, int *colour, int *taken) {
    int nc = problem->contacts, colours = 0;
    for (int i = 0; i < nc; i++) colour[i] = -1;
    for (int i = 0; i < nc; i++) {
        for (int at = problem->row[i]; at < problem->row[i + 1]; at++)
            if (colour[problem->column[at]] >= 0) taken[colour[problem->column[at]]] = i + 1;
        int free = 0;
        while (free < colours && taken[free] == i + 1) free++;
        colour[i] = free;
        if (free == colours) colours++;
    }
    return colours;
}

static bool order_by_colour(scree_solver_context *context, scree_gauss_seidel *sweep) {
    int nc = context->problem->contacts;
    int *colour = SCREE_NEW(context->arena, int, nc),
        *taken = SCREE_NEW(context->arena, int, nc + 1);
    sweep->order = SCREE_NEW(context->arena, int, nc);
    if (!colour || !taken || !sweep->order) return false;
    sweep->colours = colour_contacts(context->problem, colour, taken);
    sweep->colour = SCREE_NEW(context->arena, int, sweep->colours + 1);
    if (!sweep->colour) return false;
    for (int i = 0; i < nc; i++) sweep->colour[colour[i] + 1]++;
    for (int c = 0; c < sweep->colours; c++) sweep->colour[c + 1] += sweep->colour[c];
    memset(taken, 0, (size_t)nc * sizeof *taken);
    for (int i = 0; i < nc; i++) sweep->order[sweep->colour[colour[i]] + taken[colour[i]]++] = i;
    return true;
}

scree_status scree_gauss_seidel_prepare(scree_solver_context *context, scree_gauss_seidel *sweep,
                                        bool *solvable, scree_error *err) {
    const scree_problem *problem = context->problem;
    int nc = problem->contacts, d = problem->dimension;
    size_t blocks = (size_t)(problem->row[nc] - nc);
    *sweep = (scree_gauss_seidel){ .problem = problem, .pool = context->pool };
    sweep->local = SCREE_NEW(context->arena, scree_local, nc);
    sweep->first = SCREE_NEW(context->arena, int, nc + 1);
    sweep->column = SCREE_NEW(context->arena, int, blocks);
    sweep->block = SCREE_NEW(context->arena, double, (blocks * packed_size(d)));
    sweep->D = SCREE_NEW(context->arena, double, nc);
    sweep->idle_sweeps = SCREE_NEW(context->arena, unsigned char, nc);
    if (!sweep->local || !sweep->first || !sweep->column || !sweep->block || !sweep->D ||
        !sweep->idle_sweeps || (nc >= COLOURED_FROM && !order_by_colour(context, sweep)))
        return scree_context_no_memory(context, err);
    scree_context_diagonal(problem, sweep->D);
    if (problem->limit) {
        sweep->limit = SCREE_NEW(context->arena, double, ((size_t)nc * (size_t)d));
        if (!sweep->limit) return scree_context_no_memory(context, err);
        memcpy(sweep->limit, problem->limit, (size_t)nc * (size_t)d * sizeof *sweep->limit);
    }
    int next = 0;
    *solvable = true;
    for (int i = 0; i < nc; i++) {
        scree_cone cone = scree_cone_of(problem, i);
        if (sweep->limit) cone.limit = sweep->limit + (size_t)i * (size_t)d;
        const double *A = problem->block + (size_t)problem->diagonal[i] * (size_t)(d * d);
        if (!scree_local_prepare(&cone, A, &sweep->local[i])) *solvable = false;
        for (int at = problem->row[i]; at < problem->row[i + 1]; at++) {
            if (at == problem->diagonal[i]) continue;
            sweep->column[next] = problem->column[at];
            pack(problem->block + (size_t)at * (size_t)(d * d), d,
                 sweep->block + (size_t)next * packed_size(d));
            next++;
        }
        sweep->first[i + 1] = next;
    }
    return SCREE_OK;
}

static inline __attribute__((always_inline)) void gather_spatial(const scree_gauss_seidel *sweep,
                                                                 int i, const double *p,
                                                                 double *b) {
    four sum0 = { 0 }, sum1 = { 0 }, sum2 = { 0 };
    for (int at = sweep->first[i]; at < sweep->first[i + 1]; at++) {
        const four *W = (const four *)(sweep->block + 12 * (size_t)at);
        const double *pj = p + 3 * (size_t)sweep->column[at];
        sum0 += W[0] * pj[0];
        sum1 += W[1] * pj[1];
        sum2 += W[2] * pj[2];
    }
    sum0 += sum1 + sum2;
    for (int k = 0; k < 3; k++) b[k] = sweep->problem->b[3 * (size_t)i + (size_t)k] + sum0[k];
}

static inline __attribute__((always_inline)) void gather_planar(const scree_gauss_seidel *sweep,
                                                                int i, const double *p, double *b) {
    double normal = 0, tangential = 0;
    for (int at = sweep->first[i]; at < sweep->first[i + 1]; at++) {
        const double *W = sweep->block + 4 * (size_t)at;
        const double *pj = p + 2 * (size_t)sweep->column[at];
        normal += W[0] * pj[0] + W[1] * pj[1];
        tangential += W[2] * pj[0] + W[3] * pj[1];
    }
    b[0] = sweep->problem->b[2 * (size_t)i] + normal;
    b[1] = sweep->problem->b[2 * (size_t)i + 1] + tangential;
}

static void gather_any(const scree_gauss_seidel *sweep, int i, const double *p, double *b) {
    int d = sweep->problem->dimension;
    for (int r = 0; r < d; r++) b[r] = sweep->problem->b[(size_t)i * (size_t)d + (size_t)r];
    for (int at = sweep->first[i]; at < sweep->first[i + 1]; at++) {
        const double *W = sweep->block + (size_t)at * (size_t)(d * d);
        const double *pj = p + (size_t)sweep->column[at] * (size_t)d;
        for (int r = 0; r < d; r++)
            for (int c = 0; c < d; c++) b[r] += W[r * d + c] * pj[c];
    }
}

// Moreau (37): one contact is corrected, the others held
static inline __attribute__((always_inline)) double relax(scree_gauss_seidel *sweep, int i,
                                                          double *p) {
    int d = sweep->problem->dimension;
    double b[SCREE_CONE_MAX], before[SCREE_CONE_MAX], change = 0;
    double *own = p + (size_t)i * (size_t)d;
    if (d == 3)
        gather_spatial(sweep, i, p, b);
    else if (d == 2)
        gather_planar(sweep, i, p, b);
    else
        gather_any(sweep, i, p, b);
    for (int k = 0; k < d; k++) before[k] = own[k];
    if (scree_cone_bears(sweep->problem, i))
        scree_cone_limits(sweep->problem, i, p, sweep->limit + (size_t)i * (size_t)d);
    scree_local_update(&sweep->local[i], b, own);
    for (int k = 0; k < d; k++) change += (own[k] - before[k]) * (own[k] - before[k]);
    return change * sweep->D[i] * sweep->D[i];
}

// relax a contact unless it is left alone
static inline __attribute__((always_inline)) double visit(scree_gauss_seidel *sweep, int i,
                                                          double *p) {
    if (!(sweep->idle_velocity > 0)) return relax(sweep, i, p);
    if (sweep->idle_sweeps[i] > IDLE_SWEEPS) {
        sweep->idle_sweeps[i]--;
        if (sweep->idle_sweeps[i] == IDLE_SWEEPS) sweep->idle_sweeps[i] = IDLE_SWEEPS - 1;
        return 0;
    }
    double change = relax(sweep, i, p);
    if (change > sweep->idle_velocity * sweep->idle_velocity)
        sweep->idle_sweeps[i] = 0;
    else if (++sweep->idle_sweeps[i] == IDLE_SWEEPS)
        sweep->idle_sweeps[i] = IDLE_SWEEPS + FROZEN_SWEEPS;
    return change;
}

// fixed pieces, added up in their order: the same sum for any number of threads
enum { PIECES = 16 };

typedef struct relaxing {
    scree_gauss_seidel *sweep;
    double *p;
    int colour;
    double sum[PIECES];
} relaxing;

static void relax_piece(void *with, int piece) {
    relaxing *now = with;
    const int *range = now->sweep->colour + now->colour;
    long size = range[1] - range[0];
    int from = range[0] + (int)(size * piece / PIECES);
    int to = range[0] + (int)(size * (piece + 1) / PIECES);
    double sum = 0;
    for (int at = from; at < to; at++) sum += visit(now->sweep, now->sweep->order[at], now->p);
    now->sum[piece] = sum;
}

static double run_colours(scree_gauss_seidel *sweep, double *p, bool forwards) {
    double total = 0;
    for (int k = 0; k < sweep->colours; k++) {
        relaxing now = { .sweep = sweep, .p = p, .colour = forwards ? k : sweep->colours - 1 - k };
        scree_parallel_for(sweep->pool, PIECES, relax_piece, &now);
        for (int piece = 0; piece < PIECES; piece++) total += now.sum[piece];
    }
    return total;
}

SCREE_VECTOR_CLONES
double scree_gauss_seidel_run(scree_gauss_seidel *sweep, double *p, bool forwards) {
    if (sweep->order) return run_colours(sweep, p, forwards);
    int nc = sweep->problem->contacts;
    double total = 0;
    for (int i = 0; i < nc; i++) total += visit(sweep, forwards ? i : nc - 1 - i, p);
    return total;
}
