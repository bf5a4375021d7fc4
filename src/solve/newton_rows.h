// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// newton_rows.h - Newton's rows of all contacts, in blocks in the pattern of W.
// in: p, s = W p + b with the proximal term.   out: statuses, merit; Jacobian and right side.
//
// For the sparse LU (newton.c) and for long double (newton_extended.c): compiled for the scalar of
// newton_contact.h, whose equations these are. Equalities stick in every row.

#ifndef SCREE_SOLVE_NEWTON_ROWS_H
#define SCREE_SOLVE_NEWTON_ROWS_H

#include <string.h>

#include "base/arena.h"
#include "scree/problem.h"
#include "solve/newton_contact.h"

typedef struct scree_newton_part {
    int first, width;          // rows of the contact
    scree_real mu, A, over_A;  // mobility
    scree_slip slip;
} scree_newton_part;

typedef struct scree_newton_contact {
    int parts;
    bool free;  // an equality
    scree_real D, over_A;
    scree_newton_part part[2];
} scree_newton_contact;

typedef struct scree_newton_rows {
    const scree_problem *problem;
    const scree_real *W;       // blocks, as the problem has them
    scree_real eps;            // of the proximal term, against D
    scree_real *p, *s;         // where the rows are found (nc x d)
    scree_real *jacobian;      // in the pattern of W, or NULL
    scree_real *step;          // right side (nc x d)
    scree_real *right;         // of another one (nc x d)
    bool *active;              // false: open, dp is the right side as it stands (nc)
    scree_newton_contact *of;  // (nc)
} scree_newton_rows;

SCREE_INLINE scree_newton_part scree_newton_part_of(const scree_real *W, int d, int first,
                                                    double mu) {
    const scree_real *B = W + first * (d + 1);
    scree_real A = d == 2 ? B[0] : scree_newton_mobility(B[0], B[1], B[d], B[d + 1]);
    if (!(A > 0)) A = 1;
    return (scree_newton_part){
        .first = first, .width = d == 2 ? 1 : 2, .mu = mu, .A = A, .over_A = 1 / A
    };
}

// W is there; false without memory
static bool scree_newton_rows_prepare(scree_newton_rows *rows, bool jacobian, scree_arena *arena) {
    const scree_problem *problem = rows->problem;
    int nc = problem->contacts, d = problem->dimension;
    size_t n = (size_t)nc * (size_t)d, dd = (size_t)(d * d);
    scree_real **vectors[] = { &rows->p, &rows->s, &rows->step, &rows->right };
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if (!(*vectors[k] = SCREE_NEW(arena, scree_real, n))) return false;
    if (jacobian) rows->jacobian = SCREE_NEW(arena, scree_real, (size_t)problem->row[nc] * dd);
    rows->active = SCREE_NEW(arena, bool, nc);
    rows->of = SCREE_NEW(arena, scree_newton_contact, nc);
    if ((jacobian && !rows->jacobian) || !rows->active || !rows->of) return false;
    for (int i = 0; i < nc; i++) {
        const scree_real *W = rows->W + (size_t)problem->diagonal[i] * dd;
        scree_newton_contact *one = &rows->of[i];
        *one = (scree_newton_contact){ .parts = d == 5 ? 2 : 1,
                                       .free = problem->equality && problem->equality[i],
                                       .over_A = W[0] > 0 ? 1 / W[0] : 1 };
        for (int k = 0; k < d; k++) one->D += W[k * d + k] / d;
        one->part[0] = scree_newton_part_of(W, d, 1, problem->mu[i]);
        if (d == 5) one->part[1] = scree_newton_part_of(W, d, 3, problem->mu_rolling[i]);
    }
    return true;
}

// status of contact i at (p, s); returns |F_i|^2
SCREE_INLINE scree_real scree_newton_assess_contact(scree_newton_rows *rows, int i, int d,
                                                    const scree_real *p, const scree_real *s) {
    scree_newton_contact *one = &rows->of[i];
    scree_real miss = 0, x = p[0] - s[0] * one->over_A;
    rows->active[i] = one->free || x > 0;
    if (one->free || !(x > 0)) {
        for (int k = 0; k < d; k++)
            miss += one->free ? s[k] / one->D * (s[k] / one->D) : p[k] * p[k];
        return miss;
    }
    miss = (p[0] - x) * (p[0] - x);
    for (scree_newton_part *part = one->part; part < one->part + one->parts; part++) {
        int k = part->first;
        bool two = part->width == 2;
        scree_real y0 = p[k] - s[k] * part->over_A,
                   y1 = two ? p[k + 1] - s[k + 1] * part->over_A : 0;
        part->slip = scree_slip_of(part->mu, part->mu * x, y0, y1);
        scree_real F0 = p[k] - part->slip.G * y0, F1 = two ? p[k + 1] - part->slip.G * y1 : 0;
        miss += F0 * F0 + F1 * F1;
    }
    return miss;
}

SCREE_INLINE scree_real scree_newton_assess_all(scree_newton_rows *rows, int d, const scree_real *p,
                                                const scree_real *s) {
    scree_real sum = 0;
    for (int i = 0; i < rows->problem->contacts; i++, p += d, s += d)
        sum += rows->of[i].D * scree_newton_assess_contact(rows, i, d, p, s);
    return sum;
}

// Statuses at (p, s); returns the merit sum D_i |F_i|^2, an energy.
static scree_real scree_newton_rows_assess(scree_newton_rows *rows, const scree_real *p,
                                           const scree_real *s) {
    switch (rows->problem->dimension) {
        case 2:
            return scree_newton_assess_all(rows, 2, p, s);
        case 3:
            return scree_newton_assess_all(rows, 3, p, s);
        default:
            return scree_newton_assess_all(rows, rows->problem->dimension, p, s);
    }
}

// rows [first, first + count) of contact i: those of W + hold, and -s
SCREE_INLINE void scree_newton_fill_stick(scree_newton_rows *rows, int i, int d, int first,
                                          int count) {
    const scree_problem *problem = rows->problem;
    size_t dd = (size_t)(d * d), at = (size_t)(i * d);
    for (int b = problem->row[i]; b < problem->row[i + 1]; b++)
        memcpy(rows->jacobian + dd * (size_t)b + first * d, rows->W + dd * (size_t)b + first * d,
               (size_t)(count * d) * sizeof *rows->W);
    scree_real *J = rows->jacobian + dd * (size_t)problem->diagonal[i];
    for (int k = first; k < first + count; k++) {
        J[k * d + k] += rows->eps * rows->of[i].D;
        rows->step[at + (size_t)k] = -rows->s[at + (size_t)k];
    }
}

// the row along t comes only to the diagonal: it is zero elsewhere
SCREE_INLINE void scree_newton_fill_slip(scree_newton_rows *rows, int i, int d,
                                         const scree_newton_part *part) {
    const scree_problem *problem = rows->problem;
    int first = part->first, second = first + 1;
    bool two = part->width == 2;
    size_t dd = (size_t)(d * d), at = (size_t)(i * d);
    const scree_real *p = rows->p + at;
    scree_real *right = rows->step + at;
    scree_slip_rows r =
        scree_slip_rows_of(&part->slip, part->mu, part->A, rows->eps * rows->of[i].D);
    for (int b = problem->row[i]; b < problem->row[i + 1]; b++) {
        const scree_real *W = rows->W + dd * (size_t)b;
        scree_real *J = rows->jacobian + dd * (size_t)b;
        for (int c = 0; c < d; c++) {
            J[first * d + c] = 0;
            if (two)
                J[second * d + c] =
                    r.across[0] * W[first * d + c] + r.across[1] * W[second * d + c];
        }
    }
    scree_real *J = rows->jacobian + dd * (size_t)problem->diagonal[i];
    J[first * d] = r.along[0];
    J[first * d + first] = r.along[1];
    right[first] = -r.along[0] * p[0] - r.along[1] * p[first];
    if (!two) return;
    J[first * d + second] = r.along[2];
    right[first] -= r.along[2] * p[second];
    J[second * d + first] += r.own[0];
    J[second * d + second] += r.own[1];
    right[second] = part->A * (part->slip.t[1] * p[first] - part->slip.t[0] * p[second]);
}

SCREE_INLINE void scree_newton_fill_all(scree_newton_rows *rows, int d) {
    for (int i = 0; i < rows->problem->contacts; i++) {
        const scree_newton_contact *one = &rows->of[i];
        if (!rows->active[i]) {
            for (int k = i * d; k < (i + 1) * d; k++) rows->step[k] = -rows->p[k];
            continue;
        }
        scree_newton_fill_stick(rows, i, d, 0, one->free ? d : 1);
        if (one->free) continue;
        for (const scree_newton_part *part = one->part; part < one->part + one->parts; part++)
            if (part->slip.slips)
                scree_newton_fill_slip(rows, i, d, part);
            else
                scree_newton_fill_stick(rows, i, d, part->first, part->width);
    }
}

// Rows of contact i with W apart, K dp + A (W dp) = right, at any (p, s) with the statuses that
// were found before; K and A begin as zero, and so they stay for open contacts, whose step is
// right.
SCREE_INLINE void scree_newton_split(const scree_newton_rows *rows, int i, int d, scree_real *K,
                                     scree_real *A, scree_real *right) {
    const scree_newton_contact *one = &rows->of[i];
    const scree_real *p = rows->p + i * d, *s = rows->s + i * d;
    scree_real hold = rows->eps * one->D;
    for (int k = 0; k < d; k++) {
        right[k] = rows->active[i] ? -s[k] : -p[k];
        if (!rows->active[i]) continue;
        K[k * (d + 1)] = hold;
        A[k * (d + 1)] = 1;
    }
    for (int k = 0; rows->active[i] && !one->free && k < one->parts; k++) {
        const scree_newton_part *part = &one->part[k];
        if (!part->slip.slips) continue;
        int first = part->first, second = first + 1;
        scree_slip_rows r = scree_slip_rows_of(&part->slip, part->mu, part->A, hold);
        K[first * d] = r.along[0];
        K[first * d + first] = r.along[1];
        A[first * d + first] = 0;
        right[first] = -r.along[0] * p[0] - r.along[1] * p[first];
        if (part->width < 2) continue;
        scree_real own = (1 - part->slip.G) * part->A;
        K[first * d + second] = r.along[2];
        right[first] -= r.along[2] * p[second];
        K[second * d + first] = r.own[0];
        K[second * d + second] = r.own[1];
        A[second * d + first] = r.across[0];
        A[second * d + second] = r.across[1];
        right[second] = -r.across[0] * s[first] - r.across[1] * s[second] +
                        own * (part->slip.t[1] * p[first] - part->slip.t[0] * p[second]);
    }
}

// Jacobian and right side at (p, s), with the statuses that were found there.
static void scree_newton_rows_fill(scree_newton_rows *rows) {
    switch (rows->problem->dimension) {
        case 2:
            scree_newton_fill_all(rows, 2);
            return;
        case 3:
            scree_newton_fill_all(rows, 3);
            return;
        default:
            scree_newton_fill_all(rows, rows->problem->dimension);
    }
}

#endif
