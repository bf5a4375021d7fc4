// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// newton_rows.h - Newton's rows of all contacts, in blocks in the pattern of W.
// in: p, s = W p + b with the proximal term.   out: statuses, merit; Jacobian and right side.
//
// For the sparse LU (newton.c) and for long double (newton_extended.c): compiled for the scalar of
// newton_contact.h, whose equations these are. Equalities stick in every row; those whose rows have
// limits L, which the reaction l of another one may widen by mu |w o l|, have row by row
//
//     |p - s/D| < L    (W dp) = -s
//     otherwise        D (dp -+ mu g.dl) = D (+-L - p),     g = w^2 o l / |w o l|

#ifndef SCREE_SOLVE_NEWTON_ROWS_H
#define SCREE_SOLVE_NEWTON_ROWS_H

#include <string.h>

#include "base/arena.h"
#include "law/cone.h"
#include "scree/problem.h"
#include "solve/newton_contact.h"

typedef struct scree_newton_part {
    int first, width;          // rows of the contact
    scree_real mu, A, over_A;  // mobility
    scree_slip slip;
} scree_newton_part;

typedef struct scree_newton_contact {
    int parts;
    bool free;     // an equality
    bool limited;  // with limits
    scree_real D, over_A;
    scree_newton_part part[2];
    int bearing;               // the block of W with the joint whose reaction widens limits, or -1
    int side[SCREE_CONE_MAX];  // of a row: 0 within its limits, else at which
    scree_real past[SCREE_CONE_MAX];  // and how far past that, p - side L
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

static int scree_newton_bearing_of(const scree_problem *problem, int i) {
    if (!scree_cone_bears(problem, i)) return -1;
    for (int at = problem->row[i]; at < problem->row[i + 1]; at++)
        if (problem->column[at] == problem->bearing[i]) return at;
    return -1;
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
                                       .bearing = scree_newton_bearing_of(problem, i),
                                       .over_A = W[0] > 0 ? 1 / W[0] : 1 };
        one->limited = one->free && problem->limit;
        for (int k = 0; k < d; k++) one->D += W[k * d + k] / d;
        if (one->limited && !(one->D > 0)) one->D = 1;
        one->part[0] = scree_newton_part_of(W, d, 1, problem->mu[i]);
        if (d == 5) one->part[1] = scree_newton_part_of(W, d, 3, problem->mu_rolling[i]);
    }
    return true;
}

// what row k of the reaction that contact i bears on weighs
SCREE_INLINE double scree_newton_weight(const scree_problem *problem, int i, int k) {
    return problem->bearing_weight ? problem->bearing_weight[i * problem->dimension + k] : 1;
}

// |w o l| of the reaction l that contact i bears on, 0 if there is none; own: its impulse
SCREE_INLINE scree_real scree_newton_reaction(const scree_newton_rows *rows, int i, int d,
                                              const scree_real *own) {
    scree_real square = 0;
    if (rows->of[i].bearing < 0) return 0;
    const scree_real *l = own + (long)(rows->problem->bearing[i] - i) * d;
    for (int k = 0; k < d; k++) {
        scree_real part = scree_newton_weight(rows->problem, i, k) * l[k];
        square += part * part;
    }
    return SCREE_SQRT(square);
}

// the same for a joint whose rows have limits; p and s stand among those of all contacts
SCREE_INLINE scree_real scree_newton_assess_rows(scree_newton_rows *rows, int i, int d,
                                                 const scree_real *p, const scree_real *s) {
    scree_newton_contact *one = &rows->of[i];
    const double *given = rows->problem->limit + (size_t)i * (size_t)d;
    scree_real miss = 0, friction = rows->problem->mu[i] * scree_newton_reaction(rows, i, d, p);
    for (int k = 0; k < d; k++) {
        scree_real limit = given[k] < 0 ? 0 : given[k] + friction, x = p[k] - s[k] / one->D;
        one->side[k] = x < limit && -x < limit ? 0 : x < 0 ? -1 : 1;
        one->past[k] = one->side[k] ? p[k] - one->side[k] * limit : 0;
        scree_real F = one->side[k] ? one->past[k] : s[k] / one->D;
        miss += F * F;
    }
    return miss;
}

// status of contact i at (p, s); returns |F_i|^2
SCREE_INLINE scree_real scree_newton_assess_contact(scree_newton_rows *rows, int i, int d,
                                                    const scree_real *p, const scree_real *s) {
    scree_newton_contact *one = &rows->of[i];
    scree_real miss = 0, x = p[0] - s[0] * one->over_A;
    rows->active[i] = one->free || x > 0;
    if (one->limited) return scree_newton_assess_rows(rows, i, d, p, s);
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

// rows of a joint that are at their limits, over those that scree_newton_fill_stick has made
SCREE_INLINE void scree_newton_fill_sides(scree_newton_rows *rows, int i, int d) {
    const scree_problem *problem = rows->problem;
    const scree_newton_contact *one = &rows->of[i];
    size_t dd = (size_t)(d * d);
    const scree_real *p = rows->p + (size_t)i * (size_t)d;
    scree_real reaction = scree_newton_reaction(rows, i, d, p);
    for (int k = 0; k < d; k++) {
        if (!one->side[k]) continue;
        for (int b = problem->row[i]; b < problem->row[i + 1]; b++)
            memset(rows->jacobian + dd * (size_t)b + k * d, 0, (size_t)d * sizeof *rows->W);
        rows->jacobian[dd * (size_t)problem->diagonal[i] + (size_t)(k * (d + 1))] = one->D;
        rows->step[i * d + k] = -one->D * one->past[k];
        bool fixed = problem->limit[i * d + k] < 0 || !(reaction > 0);
        for (int c = 0; !fixed && c < d; c++) {
            double w = scree_newton_weight(problem, i, c);
            scree_real g = w * w * p[(problem->bearing[i] - i) * d + c] / reaction;
            rows->jacobian[dd * (size_t)one->bearing + (size_t)(k * d + c)] =
                -one->D * one->side[k] * problem->mu[i] * g;
        }
    }
}

SCREE_INLINE void scree_newton_fill_all(scree_newton_rows *rows, int d) {
    for (int i = 0; i < rows->problem->contacts; i++) {
        const scree_newton_contact *one = &rows->of[i];
        if (!rows->active[i]) {
            for (int k = i * d; k < (i + 1) * d; k++) rows->step[k] = -rows->p[k];
            continue;
        }
        scree_newton_fill_stick(rows, i, d, 0, one->free ? d : 1);
        if (one->limited) scree_newton_fill_sides(rows, i, d);
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
// right. Not for joints that bear on others.
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
        if (!one->limited || !one->side[k]) continue;
        double limit = rows->problem->limit[i * d + k];
        K[k * (d + 1)] = one->D;
        A[k * (d + 1)] = 0;
        right[k] = one->D * (one->side[k] * (limit < 0 ? 0 : limit) - p[k]);
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

// the steps of open contacts are known: they go to the right
SCREE_INLINE void scree_newton_rows_move_known(scree_newton_rows *rows) {
    const scree_problem *problem = rows->problem;
    int d = problem->dimension;
    for (int i = 0; i < problem->contacts; i++)
        for (int at = problem->row[i]; rows->active[i] && at < problem->row[i + 1]; at++) {
            int j = problem->column[at];
            if (rows->active[j]) continue;
            const scree_real *J = rows->jacobian + (size_t)at * (size_t)(d * d);
            for (int r = 0; r < d; r++)
                for (int c = 0; c < d; c++)
                    rows->step[i * d + r] -= J[r * d + c] * rows->step[j * d + c];
        }
}

#endif
