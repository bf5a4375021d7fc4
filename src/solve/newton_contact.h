// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// newton_contact.h - Coulomb's law of one contact as Alart and Curnier's equations, and Newton's
// rows for them: the one place that knows them, for every scalar and every matrix.
//
// With mobilities A, x_N = p_N - s_N / A_N, and for every tangential part (sliding, and rolling if
// there is) x_T = p_T - s_T / A_T, R = mu x_N:
//
//     x_N <= 0     open     F = p           dp = -p
//     |x_T| <= R   stick    F_T = s_T/A_T   (W dp)_T = -s_T         F_N, (W dp)_N likewise, always
//     |x_T| > R    slip     F_T = p_T - R t,  t = x_T/|x_T|,  e across it,  G = R/|x_T|
//                           along   A_T (t.dp_T - mu dp_N) = A_T (mu p_N - t.p_T)
//                           across  G e.(W dp)_T + (1-G) A_T e.dp_T = -A_T e.p_T
//
// the full generalised Jacobian, unsymmetric by nature; W need not be symmetric either. W may be
// singular: W + hold stands for it, hold = eps D_i, D_i = trace(W_ii) / d, a proximal term.
//
// A file that wants another scalar than double defines SCREE_REAL before it includes this.

#ifndef SCREE_SOLVE_NEWTON_CONTACT_H
#define SCREE_SOLVE_NEWTON_CONTACT_H

#include <math.h>
#include <stdbool.h>

#include "solve/block.h"

#ifndef SCREE_REAL
#define SCREE_REAL double
#endif
typedef SCREE_REAL scree_real;
#define SCREE_SQRT(x) _Generic((x), long double : sqrtl, default : sqrt)(x)

typedef struct scree_slip {
    bool slips;
    scree_real t[2];  // direction of slip
    scree_real G;     // share of x_T that is in the disc: 1 if it sticks
} scree_slip;

// x_T = y against the disc of this radius; without friction there is nothing to stick to
SCREE_INLINE scree_slip scree_slip_of(scree_real mu, scree_real radius, scree_real y0,
                                      scree_real y1) {
    scree_real square = y0 * y0 + y1 * y1;
    if (square <= radius * radius && mu > 0) return (scree_slip){ .G = 1 };
    scree_real inverse = square > 0 ? 1 / SCREE_SQRT(square) : 0;
    return (scree_slip){ true, { square > 0 ? y0 * inverse : 1, y1 * inverse }, radius * inverse };
}

typedef struct scree_slip_rows {
    scree_real along[3];   // of dp_N, dp_T
    scree_real across[2];  // of the two rows of W
    scree_real own[2];     // of dp_T, beside W
} scree_slip_rows;

SCREE_INLINE scree_slip_rows scree_slip_rows_of(const scree_slip *at, scree_real mu, scree_real A,
                                                scree_real hold) {
    scree_real G = at->G, e0 = -at->t[1], e1 = at->t[0], own = (1 - G) * A + G * hold;
    return (scree_slip_rows){ { -mu * A, A * at->t[0], A * at->t[1] },
                              { G * e0, G * e1 },
                              { e0 * own, e1 * own } };
}

// the larger eigenvalue of the symmetric part: an inverse step that never overshoots
SCREE_INLINE scree_real scree_newton_mobility(scree_real a, scree_real b, scree_real c,
                                              scree_real d) {
    scree_real half = (a - d) / 2, across = (b + c) / 2;
    return (a + d) / 2 + SCREE_SQRT(half * half + across * across);
}

#endif
