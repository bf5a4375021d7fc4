// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// body_lu.c - M + H^T C H in 3 x 3 blocks, by the LU of block_lu.h.
// in: motion, C, g.   out: u.   work: the matrix, H by nodes, where its products go.

#include "solve/body_lu.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/clones.h"
#include "base/sparse_rows.h"
#include "law/cone.h"
#include "solve/block_lu.h"

enum {
    NODE = 3,  // degrees of freedom of a node; the last one may have fewer
    ROW = 4,   // numbers of a row of H: one vector, the last of them 0
    RUN = 8,   // contacts that are added at once
};

struct scree_body_lu {
    const scree_problem *problem;
    scree_problem graph;  // of nodes: a pattern of blocks, nothing else
    scree_block_lu *lu;
    int *first, *node;   // the nodes that a contact acts on (nc + 1), ascending within it
    double *H;           // d rows for each of them
    int *pair_first;     // first pair of nodes of each contact (nc + 1)
    int *pair;           // the block of the graph that it adds to
    double *M, *value;   // in the pattern of the graph
    double *x;           // velocities of the nodes (nodes x 3)
    scree_arena *arena;  // numbers are drawn when the first factorisation comes
};

// ---- symbolic

static void sort(int *x, int count) {  // lists of a few nodes
    for (int i = 1; i < count; i++)
        for (int at = i; at > 0 && x[at - 1] > x[at]; at--) {
            int higher = x[at - 1];
            x[at - 1] = x[at];
            x[at] = higher;
        }
}

// the nodes of each contact, from the degrees of freedom that it acts on
static bool find_nodes(scree_body_lu *lu, scree_arena *arena) {
    const scree_motion *motion = lu->problem->motion;
    int nc = lu->problem->contacts, d = lu->problem->dimension, count = 0;
    double pairs = 0;
    lu->first = SCREE_NEW(arena, int, nc + 1);
    lu->pair_first = SCREE_NEW(arena, int, nc + 1);
    lu->node = SCREE_NEW(arena, int, motion->H_first[nc]);
    if (!lu->first || !lu->pair_first || !lu->node) return false;
    for (int i = 0; i < nc; i++) {
        for (int e = motion->H_first[i]; e < motion->H_first[i + 1]; e++) {
            int node = motion->H_dof[e] / NODE;  // degrees of freedom ascend
            if (count == lu->first[i] || lu->node[count - 1] != node) lu->node[count++] = node;
        }
        lu->first[i + 1] = count;
        pairs += (double)(count - lu->first[i]) * (count - lu->first[i]);
        if (pairs > INT_MAX) return false;
        lu->pair_first[i + 1] = (int)pairs;
    }
    lu->H = SCREE_NEW(arena, double, ((size_t)count * (size_t)(ROW * d)));
    lu->pair = SCREE_NEW(arena, int, pairs);
    if (!lu->H || !lu->pair) return false;
    for (int i = 0; i < nc; i++)
        for (int e = motion->H_first[i], at = lu->first[i]; e < motion->H_first[i + 1]; e++) {
            while (lu->node[at] != motion->H_dof[e] / NODE) at++;
            for (int r = 0; r < d; r++)
                lu->H[((size_t)at * (size_t)d + (size_t)r) * ROW +
                      (size_t)(motion->H_dof[e] % NODE)] =
                    motion->H[(size_t)e * (size_t)d + (size_t)r];
        }
    return true;
}

typedef struct contacts_of {  // the contacts that act on each node
    int *first, *contact;
} contacts_of;

static bool turn_round(const scree_body_lu *lu, int nodes, scree_arena *arena, contacts_of *of) {
    int nc = lu->problem->contacts, *next = SCREE_NEW(arena, int, nodes);
    of->first = SCREE_NEW(arena, int, nodes + 1);
    of->contact = SCREE_NEW(arena, int, lu->first[nc]);
    if (!next || !of->first || !of->contact) return false;
    for (int e = 0; e < lu->first[nc]; e++) of->first[lu->node[e] + 1]++;
    for (int k = 0; k < nodes; k++) of->first[k + 1] += of->first[k];
    memcpy(next, of->first, (size_t)nodes * sizeof *next);
    for (int i = 0; i < nc; i++)
        for (int e = lu->first[i]; e < lu->first[i + 1]; e++) of->contact[next[lu->node[e]]++] = i;
    return true;
}

// Neighbours of a node through M and through contacts, itself too, ascending; list may be NULL.
// returns how many
static int neighbours(const scree_body_lu *lu, const contacts_of *of, int k, int stamp, int *mark,
                      int *list) {
    const scree_motion *motion = lu->problem->motion;
    int count = 0, last = NODE * (k + 1) < motion->dofs ? NODE * (k + 1) : motion->dofs;
    mark[k] = stamp;
    if (list) list[count] = k;
    count++;
    for (int j = NODE * k; j < last; j++)
        for (int e = motion->M_first[j]; e < motion->M_first[j + 1]; e++) {
            int other = motion->M_row[e] / NODE;
            if (mark[other] == stamp) continue;
            mark[other] = stamp;
            if (list) list[count] = other;
            count++;
        }
    for (int c = of->first[k]; c < of->first[k + 1]; c++)
        for (int e = lu->first[of->contact[c]]; e < lu->first[of->contact[c] + 1]; e++) {
            int other = lu->node[e];
            if (mark[other] == stamp) continue;
            mark[other] = stamp;
            if (list) list[count] = other;
            count++;
        }
    if (list) sort(list, count);
    return count;
}

static bool find_graph(scree_body_lu *lu, scree_arena *arena) {
    int nodes = (lu->problem->motion->dofs + NODE - 1) / NODE;
    contacts_of of;
    int *row = SCREE_NEW(arena, int, nodes + 1), *diagonal = SCREE_NEW(arena, int, nodes);
    int *mark = SCREE_NEW(arena, int, nodes);
    if (!row || !diagonal || !mark || !turn_round(lu, nodes, arena, &of)) return false;
    double blocks = 0;
    for (int k = 0; k < nodes; k++) {
        blocks += neighbours(lu, &of, k, k + 1, mark, NULL);
        if (blocks > INT_MAX / NODE / NODE) return false;
        row[k + 1] = (int)blocks;
    }
    int *column = SCREE_NEW(arena, int, row[nodes]);
    if (!column) return false;
    for (int k = 0; k < nodes; k++) neighbours(lu, &of, k, nodes + k + 1, mark, column + row[k]);
    lu->graph =
        (scree_problem){ .contacts = nodes, .dimension = NODE, .row = row, .column = column };
    for (int k = 0; k < nodes; k++)
        diagonal[k] = scree_sparse_rows_find(lu->graph.row, lu->graph.column, k, k);
    lu->graph.diagonal = diagonal;
    return true;
}

static void find_pairs(scree_body_lu *lu) {
    for (int i = 0, next = 0; i < lu->problem->contacts; i++)
        for (int a = lu->first[i]; a < lu->first[i + 1]; a++)
            for (int b = lu->first[i]; b < lu->first[i + 1]; b++)
                lu->pair[next++] = scree_sparse_rows_find(lu->graph.row, lu->graph.column,
                                                          lu->node[a], lu->node[b]);
}

// M in the pattern; the room that the last node does not need moves by itself
static bool fill_M(scree_body_lu *lu, scree_arena *arena) {
    const scree_motion *motion = lu->problem->motion;
    const scree_problem *graph = &lu->graph;
    enum { SIZE = NODE * NODE };
    lu->M = SCREE_NEW(arena, double, ((size_t)graph->row[graph->contacts] * SIZE));
    if (!lu->M) return false;
    for (int j = 0; j < motion->dofs; j++)
        for (int e = motion->M_first[j]; e < motion->M_first[j + 1]; e++) {
            int i = motion->M_row[e];
            lu->M[(size_t)scree_sparse_rows_find(graph->row, graph->column, i / NODE, j / NODE) *
                      SIZE +
                  (size_t)(i % NODE * NODE + j % NODE)] += motion->M[e];
        }
    for (int j = motion->dofs; j < NODE * graph->contacts; j++)
        lu->M[(size_t)graph->diagonal[j / NODE] * SIZE + (size_t)(j % NODE * (NODE + 1))] = 1;
    return true;
}

scree_body_lu *scree_body_lu_new(const scree_problem *problem, double most, scree_arena *arena) {
    scree_body_lu *lu = SCREE_NEW(arena, scree_body_lu, 1);
    if (!lu) return NULL;
    *lu = (scree_body_lu){ .problem = problem, .arena = arena };
    if (!find_nodes(lu, arena) || !find_graph(lu, arena)) return NULL;
    find_pairs(lu);
    lu->lu = scree_block_lu_new(&lu->graph, most, arena);
    return lu->lu && fill_M(lu, arena) ? lu : NULL;
}

bool scree_body_lu_allocate(scree_body_lu *lu) {
    size_t nodes = (size_t)lu->graph.contacts;
    if (lu->x) return true;
    lu->value =
        SCREE_NEW(lu->arena, double, (size_t)lu->graph.row[lu->graph.contacts] * NODE * NODE);
    if (!lu->value || !scree_block_lu_allocate(lu->lu)) return false;
    lu->x = SCREE_NEW(lu->arena, double, (nodes * NODE));
    return lu->x;
}

// ---- numeric

typedef double row __attribute__((vector_size(ROW * sizeof(double)), aligned(8), may_alias));

// how many contacts from i on act on the same nodes, as those of two faces do; at most RUN
static int run_of(const scree_body_lu *lu, int i) {
    const int *first = lu->first + i;
    int count = first[1] - first[0], run = 1;
    size_t bytes = (size_t)count * sizeof *lu->node;
    while (run < RUN && i + run < lu->problem->contacts && first[run + 1] - first[run] == count &&
           !memcmp(lu->node + first[0], lu->node + first[run], bytes))
        run++;
    return run;
}

// block += sum of Ha^T CH over a run of contacts, in vectors of its own: rows of blocks overlap
static inline __attribute__((always_inline)) void add_run(const double *Ha, int step,
                                                          const row (*CH)[SCREE_CONE_MAX], int run,
                                                          int d, double *block) {
    row sum[NODE] = { 0 };
    for (int k = 0; k < NODE; k++)
        for (int c = 0; c < NODE; c++) sum[k][c] = block[k * NODE + c];
    for (int i = 0; i < run; i++, Ha += step)
        for (int r = 0; r < d; r++)
            for (int k = 0; k < NODE; k++) sum[k] += Ha[r * ROW + k] * CH[i][r];
    for (int k = 0; k < NODE; k++)
        for (int c = 0; c < NODE; c++) block[k * NODE + c] = sum[k][c];
}

// d is known when compiling
static inline __attribute__((always_inline)) void add_contacts(scree_body_lu *lu, const double *C,
                                                               int d) {
    const int *pair = lu->pair;
    for (int i = 0, run; i < lu->problem->contacts; i += run) {
        int begin = lu->first[i], count = lu->first[i + 1] - begin, step = count * ROW * d;
        const double *H = lu->H + (size_t)begin * (size_t)(ROW * d);
        run = run_of(lu, i);
        for (int b = 0; b < count; b++) {
            row CH[RUN][SCREE_CONE_MAX];
            for (int j = 0; j < run; j++) {
                const row *Hb = (const row *)(H + j * step + b * ROW * d);
                for (int r = 0; r < d; r++) {
                    CH[j][r] = (row){ 0 };
                    for (int k = 0; k < d; k++) CH[j][r] += C[(j * d + r) * d + k] * Hb[k];
                }
            }
            for (int a = 0; a < count; a++)
                add_run(H + a * ROW * d, step, CH, run, d,
                        lu->value + (size_t)pair[a * count + b] * NODE * NODE);
        }
        pair += run * count * count;
        C += run * d * d;
    }
}

SCREE_VECTOR_CLONES
static void add_planar(scree_body_lu *lu, const double *C) { add_contacts(lu, C, 2); }

SCREE_VECTOR_CLONES
static void add_spatial(scree_body_lu *lu, const double *C) { add_contacts(lu, C, 3); }

bool scree_body_lu_factor(scree_body_lu *lu, const double *C) {
    size_t entries = (size_t)lu->graph.row[lu->graph.contacts] * NODE * NODE;
    memcpy(lu->value, lu->M, entries * sizeof *lu->value);
    if (lu->problem->dimension == 2)
        add_planar(lu, C);
    else if (lu->problem->dimension == 3)
        add_spatial(lu, C);
    else
        add_contacts(lu, C, lu->problem->dimension);
    return scree_block_lu_factor(lu->lu, lu->value, NULL);
}

void scree_body_lu_solve(const scree_body_lu *lu, const double *g, double *u) {
    int nc = lu->problem->contacts, d = lu->problem->dimension;
    memset(lu->x, 0, (size_t)lu->graph.contacts * NODE * sizeof *lu->x);
    for (int i = 0; i < nc; i++)
        for (int e = lu->first[i]; e < lu->first[i + 1]; e++) {
            const double *H = lu->H + (size_t)e * (size_t)(ROW * d);
            double *x = lu->x + (size_t)lu->node[e] * NODE;
            for (int r = 0; r < d; r++)
                for (int c = 0; c < NODE; c++) x[c] += H[r * ROW + c] * g[i * d + r];
        }
    scree_block_lu_solve(lu->lu, lu->x);
    for (int i = 0; i < nc; i++) {
        double sum[SCREE_CONE_MAX] = { 0 };
        for (int e = lu->first[i]; e < lu->first[i + 1]; e++) {
            const double *H = lu->H + (size_t)e * (size_t)(ROW * d);
            const double *x = lu->x + (size_t)lu->node[e] * NODE;
            for (int r = 0; r < d; r++)
                for (int c = 0; c < NODE; c++) sum[r] += H[r * ROW + c] * x[c];
        }
        memcpy(u + (size_t)i * (size_t)d, sum, (size_t)d * sizeof *u);
    }
}

double scree_body_lu_factor_cost(const scree_body_lu *lu) {
    double d = lu->problem->dimension, pairs = lu->pair_first[lu->problem->contacts];
    return scree_block_lu_factor_cost(lu->lu) + pairs * NODE * NODE * d;
}

double scree_body_lu_solve_cost(const scree_body_lu *lu) {
    double rows = 2.0 * lu->first[lu->problem->contacts] * NODE * lu->problem->dimension;
    return scree_block_lu_solve_cost(lu->lu) + rows;
}
