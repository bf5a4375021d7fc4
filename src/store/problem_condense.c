// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// problem_condense.c - from the motion of bodies to the problem of their contacts.
// in: M, H, f, w.   out: W = H M^-1 H^T in blocks, b = H M^-1 f + w.
//
// M falls into parts that it does not couple, a part for each rigid body. Small parts are
// factorised densely, with pivots because M need not be symmetric; large ones by KLU. W is then
// built as that of any problem by bodies (law/assemble.c).

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/klu.h>

#include "base/union_find.h"
#include "law/assemble.h"
#include "store/problem_raw.h"

enum { DENSE_MOST = 64 };  // degrees of freedom of a part that is factorised densely

typedef struct part {
    int size;
    int first;   // its first degree of freedom, with the parts one after the other
    double *LU;  // row after row (size x size), or NULL for KLU
    int *pivot;  // row that was swapped with each row
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    struct condenser *owner;
} part;

typedef struct condenser {
    const char *path;
    const scree_motion *motion;
    int contacts, dimension;
    scree_arena *arena, *scratch;
    scree_error *err;
    int parts;
    part *part;
    int *part_of;  // of each degree of freedom
    int *place;    // of each degree of freedom, with the parts one after the other
    int *given;    // back to the number in the file
    scree_bodies bodies;
    klu_common common;
    bool failed;  // KLU ran out of memory in a solution
} condenser;

static scree_status no_memory(const condenser *c) {
    return scree_fail(c->err, SCREE_NO_MEMORY, (scree_source_location){ c->path, 0, 0 },
                      "out of memory for condensing %d contacts", c->contacts);
}

static scree_status singular(const condenser *c, const part *p, int local) {
    if (local < 0 || local >= p->size) local = 0;  // KLU may not know
    return scree_fail(c->err, SCREE_BAD_INPUT, (scree_source_location){ c->path, 0, 0 },
                      "M is singular at degree of freedom %d (counted from 0), so that W = H^T "
                      "M^-1 H does not exist",
                      c->given[p->first + local]);
}

// parts in the order of their first degree of freedom, the smallest number being the root
static bool find_parts(condenser *c) {
    const scree_motion *m = c->motion;
    int *parent = SCREE_NEW(c->scratch, int, m->dofs), *next;
    c->part_of = SCREE_NEW(c->scratch, int, m->dofs);
    c->place = SCREE_NEW(c->scratch, int, m->dofs);
    c->given = SCREE_NEW(c->scratch, int, m->dofs);
    if (!parent || !c->part_of || !c->place || !c->given) return false;
    for (int i = 0; i < m->dofs; i++) parent[i] = i;
    for (int j = 0; j < m->dofs; j++)
        for (int e = m->M_first[j]; e < m->M_first[j + 1]; e++) {
            int a = scree_union_find_root(parent, j),
                b = scree_union_find_root(parent, m->M_row[e]);
            parent[a > b ? a : b] = a > b ? b : a;
        }
    for (int i = 0; i < m->dofs; i++)
        c->part_of[i] = scree_union_find_root(parent, i) == i
                            ? c->parts++
                            : c->part_of[scree_union_find_root(parent, i)];
    c->part = SCREE_NEW(c->scratch, part, c->parts);
    next = SCREE_NEW(c->scratch, int, c->parts);
    if (!c->part || !next) return false;
    for (int i = 0; i < m->dofs; i++) c->part[c->part_of[i]].size++;
    for (int k = 1; k < c->parts; k++)
        c->part[k].first = c->part[k - 1].first + c->part[k - 1].size;
    for (int k = 0; k < c->parts; k++) next[k] = c->part[k].first;
    for (int i = 0; i < m->dofs; i++) c->given[c->place[i] = next[c->part_of[i]]++] = i;
    return true;
}

// P A = L U in place; returns the column without a safe pivot, or -1
static int factorise(double *A, int *pivot, int n) {
    for (int k = 0; k < n; k++) {
        double largest = 0, given = 0;
        for (int i = 0; i < k; i++) given = fmax(given, fabs(A[i * n + k]));
        for (int i = k; i < n; i++)
            if (fabs(A[i * n + k]) > largest) largest = fabs(A[(pivot[k] = i) * n + k]);
        if (!(largest > n * DBL_EPSILON * given && isfinite(largest))) return k;
        for (int j = 0; pivot[k] != k && j < n; j++) {
            double kept = A[k * n + j];
            A[k * n + j] = A[pivot[k] * n + j];
            A[pivot[k] * n + j] = kept;
        }
        for (int i = k + 1; i < n; i++) {
            double factor = A[i * n + k] /= A[k * n + k];
            for (int j = k + 1; factor != 0 && j < n; j++) A[i * n + j] -= factor * A[k * n + j];
        }
    }
    return -1;
}

static scree_status factorise_dense(condenser *c, part *p) {
    const scree_motion *m = c->motion;
    int n = p->size;
    p->LU = SCREE_NEW(c->scratch, double, ((size_t)n * (size_t)n));
    p->pivot = SCREE_NEW(c->scratch, int, n);
    if (!p->LU || !p->pivot) return no_memory(c);
    for (int j = 0; j < n; j++) {
        int column = c->given[p->first + j];
        for (int e = m->M_first[column]; e < m->M_first[column + 1]; e++)
            p->LU[(c->place[m->M_row[e]] - p->first) * n + j] = m->M[e];
    }
    int stuck = factorise(p->LU, p->pivot, n);
    return stuck < 0 ? SCREE_OK : singular(c, p, stuck);
}

// the column whose pivot drowns in rounding, or -1; KLU has scaled the rows
static int weakest_pivot(const part *p) {
    const double *pivot = p->numeric->Udiag;
    int least = 0, most = 0;
    for (int k = 1; k < p->size; k++) {
        if (!(fabs(pivot[k]) >= fabs(pivot[least]))) least = k;
        if (fabs(pivot[k]) > fabs(pivot[most])) most = k;
    }
    bool fine = fabs(pivot[least]) > DBL_EPSILON * fabs(pivot[most]);
    return fine ? -1 : p->symbolic->Q[least];
}

static scree_status factorise_sparse(condenser *c, part *p) {
    const scree_motion *m = c->motion;
    int n = p->size, entries = 0;
    for (int j = 0; j < n; j++) {
        int column = c->given[p->first + j];
        entries += m->M_first[column + 1] - m->M_first[column];
    }
    int *first = SCREE_NEW(c->scratch, int, (size_t)n + 1),
        *row = SCREE_NEW(c->scratch, int, entries);
    double *value = SCREE_NEW(c->scratch, double, entries);
    if (!first || !row || !value) return no_memory(c);
    for (int j = 0; j < n; j++) {
        int column = c->given[p->first + j], at = first[j];
        for (int e = m->M_first[column]; e < m->M_first[column + 1]; e++, at++) {
            row[at] = c->place[m->M_row[e]] - p->first;
            value[at] = m->M[e];
        }
        first[j + 1] = at;
    }
    p->symbolic = klu_analyze(n, first, row, &c->common);
    if (p->symbolic) p->numeric = klu_factor(first, row, value, p->symbolic, &c->common);
    if (c->common.status == KLU_OUT_OF_MEMORY) return no_memory(c);
    if (!p->numeric) return singular(c, p, c->common.singular_col);
    int weakest = weakest_pivot(p);
    return weakest < 0 ? SCREE_OK : singular(c, p, weakest);
}

static scree_status factorise_parts(condenser *c) {
    klu_defaults(&c->common);
    scree_status status = SCREE_OK;
    for (int k = 0; !status && k < c->parts; k++)
        status = c->part[k].size <= DENSE_MOST ? factorise_dense(c, &c->part[k])
                                               : factorise_sparse(c, &c->part[k]);
    return status;
}

// x := M^-1 x for one part
static bool solve(condenser *c, const part *p, double *x) {
    int n = p->size;
    if (!p->LU) return klu_solve(p->symbolic, p->numeric, n, 1, x, &c->common);
    for (int k = 0; k < n; k++) {
        double kept = x[k];
        x[k] = x[p->pivot[k]];
        x[p->pivot[k]] = kept;
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++) x[i] -= p->LU[i * n + k] * x[k];
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= p->LU[i * n + k] * x[k];
        x[i] /= p->LU[i * n + i];
    }
    return true;
}

// -------------------------------------------------------------------------------------------------
// the parts as the assembler wants them

static void solve_part(void *self, double *x) {
    const part *p = self;
    if (!solve(p->owner, p, x)) p->owner->failed = true;
}

static bool fill_parts(condenser *c) {
    scree_part_inverse *inverse = SCREE_NEW(c->scratch, scree_part_inverse, c->parts);
    for (int k = 0; inverse && k < c->parts; k++) {
        part *p = &c->part[k];
        p->owner = c;
        inverse[k] = (scree_part_inverse){
            .width = p->size, .dof = p->first, .self = p, .solve = solve_part
        };
    }
    c->bodies.parts = c->parts;
    c->bodies.part = inverse;
    return inverse != NULL;
}

// M as it is given, both triangles
static bool is_symmetric(const scree_motion *m) {
    for (int j = 0; j < m->dofs; j++)
        for (int e = m->M_first[j]; e < m->M_first[j + 1]; e++) {
            int low = m->M_first[m->M_row[e]], high = m->M_first[m->M_row[e] + 1];
            while (low < high) {  // row j in column M_row[e]
                int middle = low + (high - low) / 2;
                if (m->M_row[middle] < j)
                    low = middle + 1;
                else
                    high = middle;
            }
            bool there = low < m->M_first[m->M_row[e] + 1] && m->M_row[low] == j;
            if ((there ? m->M[low] : 0) != m->M[e]) return false;
        }
    return true;
}

// the entries of H again, those of a contact ordered by place so that each part stands together
static bool order_entries(condenser *c, int *entry_of) {
    const scree_motion *m = c->motion;
    int entries = m->H_first[c->contacts];
    int *first = SCREE_NEW(c->scratch, int, (size_t)m->dofs + 1);
    int *entry = SCREE_NEW(c->scratch, int, entries), *owner = SCREE_NEW(c->scratch, int, entries);
    int *put = SCREE_NEW(c->scratch, int, c->contacts);
    if (!first || !entry || !owner || !put) return false;
    for (int e = 0; e < entries; e++) first[c->place[m->H_dof[e]] + 1]++;
    for (int i = 0; i < m->dofs; i++) first[i + 1] += first[i];
    for (int i = 0; i < c->contacts; i++) {
        put[i] = m->H_first[i];
        for (int e = m->H_first[i]; e < m->H_first[i + 1]; e++) {
            int at = first[c->place[m->H_dof[e]]]++;
            entry[at] = e;
            owner[at] = i;
        }
    }
    for (int k = 0; k < entries; k++) entry_of[put[owner[k]]++] = entry[k];
    return true;
}

// H in blocks: entries of a contact that belong to one part
static bool fill_blocks(condenser *c) {
    const scree_motion *m = c->motion;
    int entries = m->H_first[c->contacts], d = c->dimension, blocks = 0;
    int *entry = SCREE_NEW(c->scratch, int, entries), *column = SCREE_NEW(c->scratch, int, entries);
    int *first = SCREE_NEW(c->scratch, int, (size_t)c->contacts + 1);
    double *H = SCREE_NEW(c->scratch, double, ((size_t)entries * (size_t)d));
    scree_jacobian_block *block = SCREE_NEW(c->scratch, scree_jacobian_block, entries);
    if (!entry || !column || !first || !H || !block || !order_entries(c, entry)) return false;
    for (int i = 0; i < c->contacts; i++) {
        for (int e = m->H_first[i], end; e < m->H_first[i + 1]; e = end) {
            int k = c->part_of[m->H_dof[entry[e]]];
            for (end = e; end < m->H_first[i + 1] && c->part_of[m->H_dof[entry[end]]] == k; end++)
                column[end] = c->place[m->H_dof[entry[end]]] - c->part[k].first;
            double *own = H + (size_t)e * (size_t)d;
            for (int r = 0; r < d; r++)
                for (int n = e; n < end; n++)
                    own[r * (end - e) + n - e] = m->H[(size_t)entry[n] * (size_t)d + (size_t)r];
            bool all = end - e == c->part[k].size;  // each once: duplicates have been added up
            block[blocks++] = (scree_jacobian_block){
                .part = k, .columns = all ? 0 : end - e, .column = column + e, .H = own
            };
        }
        first[i + 1] = blocks;
    }
    c->bodies.first = first;
    c->bodies.block = block;
    return true;
}

// M^-1 f, with the parts one after the other
static scree_status find_free_velocity(condenser *c) {
    const scree_motion *m = c->motion;
    double *v = SCREE_NEW(c->scratch, double, m->dofs);
    if (!v) return no_memory(c);
    for (int i = 0; i < m->dofs; i++) v[c->place[i]] = m->f[i];
    for (int k = 0; k < c->parts; k++)
        if (!solve(c, &c->part[k], v + c->part[k].first)) return no_memory(c);
    c->bodies.v_free = v;
    c->bodies.w = m->w;
    return SCREE_OK;
}

// W and b of the problem by bodies; the factors do not outlive this
static scree_status assemble(condenser *c, scree_problem *problem) {
    double *b = SCREE_NEW(c->arena, double, ((size_t)c->contacts * (size_t)c->dimension));
    if (!b) return no_memory(c);
    c->bodies.unsymmetric = !is_symmetric(c->motion);
    problem->bodies = &c->bodies;
    scree_status status = scree_assemble(problem, c->arena, c->err);
    if (status && c->err) snprintf(c->err->file, sizeof c->err->file, "%s", c->path);
    if (!status && c->failed) status = no_memory(c);
    if (!status) scree_problem_offset(problem, b);
    problem->b = b;
    problem->bodies = NULL;
    return status;
}

static void release(condenser *c) {
    for (int k = 0; c->part && k < c->parts; k++) {
        klu_free_numeric(&c->part[k].numeric, &c->common);
        klu_free_symbolic(&c->part[k].symbolic, &c->common);
    }
    scree_arena_free(c->scratch);
}

scree_status scree_problem_condense(const char *path, const scree_motion *motion, int contacts,
                                    int dimension, scree_arena *arena, scree_problem *problem,
                                    scree_error *err) {
    scree_arena scratch = { 0 };
    condenser c = { .path = path,
                    .motion = motion,
                    .contacts = contacts,
                    .dimension = dimension,
                    .arena = arena,
                    .scratch = &scratch,
                    .err = err };
    scree_status status = find_parts(&c) ? factorise_parts(&c) : no_memory(&c);
    if (!status && !(fill_parts(&c) && fill_blocks(&c))) status = no_memory(&c);
    if (!status) status = find_free_velocity(&c);
    if (!status) status = assemble(&c, problem);
    release(&c);
    return status;
}

scree_status scree_problem_condense_velocity(const char *path, const scree_motion *motion,
                                             int contacts, int dimension, const double *p,
                                             double *v, scree_error *err) {
    scree_arena scratch = { 0 };
    condenser c = { .path = path,
                    .motion = motion,
                    .contacts = contacts,
                    .dimension = dimension,
                    .scratch = &scratch,
                    .err = err };
    double *x = SCREE_NEW(&scratch, double, motion->dofs);
    scree_status status = x && find_parts(&c) ? factorise_parts(&c) : no_memory(&c);
    for (int i = 0; !status && i < motion->dofs; i++) x[c.place[i]] = motion->f[i];
    for (int i = 0; !status && i < contacts; i++)
        for (int e = motion->H_first[i]; e < motion->H_first[i + 1]; e++)
            for (int r = 0; r < dimension; r++)
                x[c.place[motion->H_dof[e]]] +=
                    motion->H[(size_t)e * (size_t)dimension + (size_t)r] * p[i * dimension + r];
    for (int k = 0; !status && k < c.parts; k++)
        if (!solve(&c, &c.part[k], x + c.part[k].first)) status = no_memory(&c);
    for (int i = 0; !status && i < motion->dofs; i++) v[i] = x[c.place[i]];
    release(&c);
    return status;
}
