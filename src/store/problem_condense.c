// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// problem_condense.c - from the motion of bodies to the problem of their contacts.
// in: M, H, f, w.   out: W = H M^-1 H^T in blocks, b = H M^-1 f + w.
//
// M falls into parts that it does not couple, a part for each rigid body. Contacts that share a
// part get a block, and for nothing else is anything done. Small parts are factorised densely, with
// pivots because M need not be symmetric; large ones by KLU.

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <suitesparse/klu.h>

#include "store/problem_raw.h"

enum { DENSE_MOST = 64 };               // degrees of freedom of a part that is factorised densely
static const double memory_most = 4e9;  // bytes of W [one body that all contacts touch fills it]

typedef struct part {
    int size;
    int first;   // its first degree of freedom, with the parts one after the other
    double *LU;  // row after row (size x size), or NULL for KLU
    int *pivot;  // row that was swapped with each row
    klu_symbolic *symbolic;
    klu_numeric *numeric;
    int *contact, *begin, *end;  // contacts on it, and where their entries of H stand
    int contacts;
} part;

typedef struct condenser {
    const char *path;
    const scree_motion *motion;
    int contacts, dimension;
    scree_arena *arena, *scratch;
    scree_error *err;
    int parts;
    part *part;
    int *part_of;      // of each degree of freedom
    int *place;        // of each degree of freedom, with the parts one after the other
    int *given;        // back to the number in the file
    int *touch_first;  // parts of each contact (contacts + 1)
    int *touch_part, *touch_begin, *touch_end;
    int *dof;  // entries of H by contact, then by place
    double *H;
    klu_common common;
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

static int root_of(int *parent, int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
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
            int a = root_of(parent, j), b = root_of(parent, m->M_row[e]);
            parent[a > b ? a : b] = a > b ? b : a;
        }
    for (int i = 0; i < m->dofs; i++)
        c->part_of[i] = root_of(parent, i) == i ? c->parts++ : c->part_of[root_of(parent, i)];
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
    p->LU = SCREE_NEW(c->scratch, double, (size_t)n *(size_t)n);
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

// the entries of H again, those of a contact ordered by place so that each part stands together
static bool order_entries(condenser *c) {
    const scree_motion *m = c->motion;
    int entries = m->H_first[c->contacts], d = c->dimension;
    int *first = SCREE_NEW(c->scratch, int, (size_t)m->dofs + 1);
    int *next = SCREE_NEW(c->scratch, int, (size_t)m->dofs + 1);
    int *entry = SCREE_NEW(c->scratch, int, entries), *owner = SCREE_NEW(c->scratch, int, entries);
    int *put = SCREE_NEW(c->scratch, int, c->contacts);
    c->dof = SCREE_NEW(c->scratch, int, entries);
    c->H = SCREE_NEW(c->scratch, double, (size_t)entries *(size_t)d);
    if (!first || !next || !entry || !owner || !put || !c->dof || !c->H) return false;
    for (int e = 0; e < entries; e++) first[c->place[m->H_dof[e]] + 1]++;
    for (int i = 0; i < m->dofs; i++) next[i + 1] = first[i + 1] += first[i];
    for (int i = 0; i < c->contacts; i++)
        for (int e = m->H_first[i]; e < m->H_first[i + 1]; e++) {
            int at = next[c->place[m->H_dof[e]]]++;
            entry[at] = e;
            owner[at] = i;
        }
    for (int i = 0; i < c->contacts; i++) put[i] = m->H_first[i];
    for (int k = 0; k < entries; k++) {
        int at = put[owner[k]]++;
        c->dof[at] = c->place[m->H_dof[entry[k]]];
        memcpy(c->H + (size_t)at * (size_t)d, m->H + (size_t)entry[k] * (size_t)d,
               (size_t)d * sizeof *c->H);
    }
    return true;
}

// which contact touches which parts, and the other way round
static bool find_touches(condenser *c) {
    const scree_motion *m = c->motion;
    int entries = m->H_first[c->contacts], touches = 0;
    c->touch_first = SCREE_NEW(c->scratch, int, (size_t)c->contacts + 1);
    c->touch_part = SCREE_NEW(c->scratch, int, entries);
    c->touch_begin = SCREE_NEW(c->scratch, int, entries);
    c->touch_end = SCREE_NEW(c->scratch, int, entries);
    if (!c->touch_first || !c->touch_part || !c->touch_begin || !c->touch_end) return false;
    for (int i = 0; i < c->contacts; i++) {
        for (int e = m->H_first[i]; e < m->H_first[i + 1]; e++) {
            int k = c->part_of[c->given[c->dof[e]]];
            if (touches == c->touch_first[i] || c->touch_part[touches - 1] != k) {
                c->touch_part[touches] = k;
                c->touch_begin[touches++] = e;
                c->part[k].contacts++;
            }
            c->touch_end[touches - 1] = e + 1;
        }
        c->touch_first[i + 1] = touches;
    }
    for (int k = 0; k < c->parts; k++) {
        part *p = &c->part[k];
        p->contact = SCREE_NEW(c->scratch, int, p->contacts);
        p->begin = SCREE_NEW(c->scratch, int, p->contacts);
        p->end = SCREE_NEW(c->scratch, int, p->contacts);
        if (!p->contact || !p->begin || !p->end) return false;
        p->contacts = 0;
    }
    for (int i = 0; i < c->contacts; i++)
        for (int t = c->touch_first[i]; t < c->touch_first[i + 1]; t++) {
            part *p = &c->part[c->touch_part[t]];
            p->contact[p->contacts] = i;
            p->begin[p->contacts] = c->touch_begin[t];
            p->end[p->contacts++] = c->touch_end[t];
        }
    return true;
}

// the contacts that share a part with j, j included, each once, in no order
static int neighbours_of(const condenser *c, int j, int *mark, int *out) {
    int count = 0;
    mark[j] = j + 1;
    out[count++] = j;
    for (int t = c->touch_first[j]; t < c->touch_first[j + 1]; t++) {
        const part *p = &c->part[c->touch_part[t]];
        for (int k = 0; k < p->contacts; k++) {
            if (mark[p->contact[k]] == j + 1) continue;
            mark[p->contact[k]] = j + 1;
            out[count++] = p->contact[k];
        }
    }
    return count;
}

// Neighbourhood is symmetric, so that the size of a row is the number of neighbours of its contact.
static scree_status lay_out(condenser *c, int *mark, int *near, int *row, scree_problem *problem) {
    double size = (double)(c->dimension * c->dimension) * sizeof(double), blocks = 0;
    for (int i = 0; i < c->contacts; i++) {
        int count = neighbours_of(c, i, mark, near);
        blocks += count;
        if (blocks * size > memory_most)
            return scree_fail(c->err, SCREE_BAD_INPUT, (scree_source_location){ c->path, 0, 0 },
                              "W of these %d contacts would take more than %g GB", c->contacts,
                              memory_most * 1e-9);
        row[i + 1] = row[i] + count;
    }
    problem->row = row;
    return SCREE_OK;
}

// block += H_i X for the entries of contact i in one part
static void add_coupling(const condenser *c, const part *p, int k, const double *X, double *block) {
    int d = c->dimension;
    for (int col = 0; col < d; col++)
        for (int e = p->begin[k]; e < p->end[k]; e++) {
            double x = X[(size_t)col * (size_t)p->size + (size_t)(c->dof[e] - p->first)];
            for (int r = 0; r < d; r++)
                block[r * d + col] += c->H[(size_t)e * (size_t)d + (size_t)r] * x;
        }
}

// X := M^-1 H_j^T on one part, column after column
static bool solve_contact(condenser *c, const part *p, int t, double *X) {
    int d = c->dimension;
    memset(X, 0, (size_t)d * (size_t)p->size * sizeof *X);
    for (int e = c->touch_begin[t]; e < c->touch_end[t]; e++)
        for (int col = 0; col < d; col++)
            X[(size_t)col * (size_t)p->size + (size_t)(c->dof[e] - p->first)] =
                c->H[(size_t)e * (size_t)d + (size_t)col];
    for (int col = 0; col < d; col++)
        if (!solve(c, p, X + (size_t)col * (size_t)p->size)) return false;
    return true;
}

// Column after column: the columns of a row come in ascending order by themselves, so that the next
// free block of each row is the right one.
static scree_status fill(condenser *c, int *mark, int *near, scree_problem *problem) {
    int d = c->dimension, blocks = problem->row[c->contacts], widest = 0;
    size_t size = (size_t)(d * d);
    for (int k = 0; k < c->parts; k++) widest = c->part[k].size > widest ? c->part[k].size : widest;
    double *X = SCREE_NEW(c->scratch, double, (size_t)widest *(size_t)d);
    int *next = SCREE_NEW(c->scratch, int, c->contacts),
        *at = SCREE_NEW(c->scratch, int, c->contacts);
    int *column = SCREE_NEW(c->arena, int, blocks),
        *diagonal = SCREE_NEW(c->arena, int, c->contacts);
    double *block = SCREE_NEW(c->arena, double, (size_t)blocks *size);
    if (!X || !next || !at || !column || !diagonal || !block) return no_memory(c);
    for (int i = 0; i < c->contacts; i++) next[i] = problem->row[i];
    if (c->contacts) memset(mark, 0, (size_t)c->contacts * sizeof *mark);
    for (int j = 0; j < c->contacts; j++) {
        int count = neighbours_of(c, j, mark, near);
        for (int k = 0; k < count; k++) column[at[near[k]] = next[near[k]]++] = j;
        diagonal[j] = at[j];
        for (int t = c->touch_first[j]; t < c->touch_first[j + 1]; t++) {
            const part *p = &c->part[c->touch_part[t]];
            if (!solve_contact(c, p, t, X)) return no_memory(c);
            for (int k = 0; k < p->contacts; k++)
                add_coupling(c, p, k, X, block + (size_t)at[p->contact[k]] * size);
        }
    }
    problem->column = column;
    problem->diagonal = diagonal;
    problem->block = block;
    return SCREE_OK;
}

// b = H M^-1 f + w
static scree_status find_offset(condenser *c, scree_problem *problem) {
    const scree_motion *m = c->motion;
    int d = c->dimension;
    double *v = SCREE_NEW(c->scratch, double, m->dofs);
    double *b = SCREE_NEW(c->arena, double, (size_t)c->contacts *(size_t)d);
    if (!v || !b) return no_memory(c);
    for (int i = 0; i < m->dofs; i++) v[c->place[i]] = m->f[i];
    for (int k = 0; k < c->parts; k++)
        if (!solve(c, &c->part[k], v + c->part[k].first)) return no_memory(c);
    for (int i = 0; i < c->contacts; i++)
        for (int r = 0; r < d; r++) {
            double sum = 0;
            for (int e = m->H_first[i]; e < m->H_first[i + 1]; e++)
                sum += c->H[(size_t)e * (size_t)d + (size_t)r] * v[c->dof[e]];
            b[i * d + r] = sum + m->w[i * d + r];
        }
    problem->b = b;
    return SCREE_OK;
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
    int *mark = SCREE_NEW(&scratch, int, contacts), *near = SCREE_NEW(&scratch, int, contacts);
    int *row = SCREE_NEW(arena, int, (size_t)contacts + 1);
    bool fine = mark && near && row && find_parts(&c);
    scree_status status = fine ? factorise_parts(&c) : no_memory(&c);
    if (!status && !(order_entries(&c) && find_touches(&c))) status = no_memory(&c);
    if (!status) status = lay_out(&c, mark, near, row, problem);
    if (!status) status = fill(&c, mark, near, problem);
    if (!status) status = find_offset(&c, problem);
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
