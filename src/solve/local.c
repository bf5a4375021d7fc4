// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// local.c - exact solution of the one-contact problem in 2D and 3D.
//
// Open if b_N >= 0. Otherwise s_N = 0; eliminating p_N with a = A_NN, g = A_TN leaves
//
//     s_T = S p_T + c,   S = A_TT - g g^T / a,   c = b_T - g b_N / a,   p_N = -(b_N + g . p_T) / a
//
// Stick: p_T = -S^-1 c if that lies in the cone. Slip: s_T = -alpha p_T with alpha > 0, so that
// p_T(alpha) = -(S + alpha I)^-1 c, and phi(alpha) = |p_T| - mu p_N has a root, because phi > 0 at
// 0 (stick was refused) and phi < 0 beyond |c| (a + mu |g|) / (mu |b_N|). Newton on
// 1/|p_T| - 1/(mu p_N), nearly linear in alpha, is kept inside that bracket.

#include "solve/local.h"

#include <float.h>
#include <math.h>

// a tangent along which nothing can move: stick needs no impulse if it is at rest already, and no
// impulse is enough if it is not
static double stick_without_mobility(double c, double size) {
    return fabs(c) <= 16 * DBL_EPSILON * size ? 0 : -copysign(HUGE_VAL, c);
}

static bool solve_planar(const double *A, const double *b, double mu, double *p) {
    double a = A[0], g = A[2], S = A[3] - A[2] * A[1] / a, c = b[1] - g * b[0] / a;
    double stick = S > 4 * DBL_EPSILON * fabs(A[3])
                       ? -c / S
                       : stick_without_mobility(c, fabs(b[1]) + fabs(g * b[0] / a));
    double normal = -(b[0] + A[1] * stick) / a;
    if (isfinite(stick) && fabs(stick) <= mu * normal) {
        p[0] = normal;
        p[1] = stick;
        return true;
    }
    // slip to either side; where rounding refuses both, the less wrong one
    double least = HUGE_VAL;
    for (int side = -1; side <= 1; side += 2) {
        double slope = a + side * mu * A[1];
        if (!(slope > 0)) continue;
        double slide = -b[0] / slope;
        double wrong = side * (g * slide + A[3] * side * mu * slide + b[1]);
        // for A positive definite one side is right, the one to which stick went. For other A, in
        // problems from elsewhere, both can be, and that side is taken as well.
        if (wrong <= 0) wrong = (stick > 0) == (side > 0) ? -1 : 0;
        if (!(wrong < least)) continue;
        least = wrong;
        p[0] = slide;
        p[1] = side * mu * slide;
    }
    return least < HUGE_VAL;
}

typedef struct secular {     // the slip equation in the eigenvectors of S
    double lambda[2], c[2];  // S, c
    double g[2];             // A_TN
    double a, bN, mu;
} secular;

// p_T(alpha), p_N(alpha) and their derivatives
static void slip_at(const secular *f, double alpha, double pT[2], double *pN, double *length,
                    double *length_rate, double *pN_rate) {
    double along = 0, gdot = 0, gp = 0;
    for (int k = 0; k < 2; k++) {
        double inverse = 1 / (f->lambda[k] + alpha);
        pT[k] = f->c[k] == 0 ? 0 : -f->c[k] * inverse;
        double rate = f->c[k] == 0 ? 0 : -pT[k] * inverse;
        along += pT[k] * rate;
        gdot += f->g[k] * rate;
        gp += f->g[k] * pT[k];
    }
    *length = hypot(pT[0], pT[1]);
    *length_rate = *length > 0 ? along / *length : 0;
    *pN = -(f->bN + gp) / f->a;
    *pN_rate = -gdot / f->a;
}

static double slip_root(const secular *f, double pT[2], double *pN) {
    double cc = hypot(f->c[0], f->c[1]), gg = hypot(f->g[0], f->g[1]);
    double low = 0, high = cc * (f->a + f->mu * gg) / (f->mu * -f->bN);
    double stiff = fmax(f->lambda[0], f->lambda[1]);
    double alpha = stiff > 0 ? high / (1 + high / stiff) : high / 2;
    double length = 0, rate, pN_rate;
    for (int i = 0; i < 200; i++) {
        slip_at(f, alpha, pT, pN, &length, &rate, &pN_rate);
        double phi = length - f->mu * *pN;
        if (phi > 0)
            low = alpha;
        else
            high = alpha;
        if (phi == 0 || high - low <= 2 * DBL_EPSILON * high) break;
        double next = -1, muN = f->mu * *pN;
        if (muN > 0 && length > 0) {
            double value = 1 / length - 1 / muN;
            double slope = -rate / (length * length) + f->mu * pN_rate / (muN * muN);
            next = alpha - value / slope;
            if (next > low && next < high && fabs(next - alpha) <= 2 * DBL_EPSILON * alpha) {
                slip_at(f, next, pT, pN, &length, &rate, &pN_rate);
                break;
            }
        }
        // outside the bracket: halve it, in the exponent while it spans magnitudes
        if (!(next > low && next < high))
            next = low > 0 && high > 4 * low ? sqrt(low * high) : (low + high) / 2;
        alpha = next;
    }
    return length;
}

// eigenvectors (c, s), (-s, c) of a symmetric 2 x 2 matrix
static void rotate_to_eigenvectors(const double S[3], double *cosine, double *sine,
                                   double lambda[2]) {
    double half = (S[0] - S[2]) / 2, mean = (S[0] + S[2]) / 2, radius = hypot(half, S[1]);
    double angle = 0.5 * atan2(S[1], half);
    *cosine = cos(angle);
    *sine = sin(angle);
    lambda[0] = mean + radius;
    lambda[1] = radius > 0 && mean > 0 ? fmax((S[0] * S[2] - S[1] * S[1]) / lambda[0], 0) : mean;
}

static bool solve_spatial(const double *A, const double *b, double mu, double *p) {
    double a = A[0];
    double g[2] = { A[3], A[6] }, row[2] = { A[1], A[2] };
    double S[3] = { A[4] - g[0] * row[0] / a, A[5] - (g[0] * row[1] + g[1] * row[0]) / (2 * a),
                    A[8] - g[1] * row[1] / a };
    double c[2] = { b[1] - g[0] * b[0] / a, b[2] - g[1] * b[0] / a };

    double cosine, sine;
    secular f = { .a = a, .bN = b[0], .mu = mu };
    rotate_to_eigenvectors(S, &cosine, &sine, f.lambda);
    f.c[0] = cosine * c[0] + sine * c[1];
    f.c[1] = -sine * c[0] + cosine * c[1];
    f.g[0] = cosine * g[0] + sine * g[1];
    f.g[1] = -sine * g[0] + cosine * g[1];
    double least = 8 * DBL_EPSILON * (fabs(A[4]) + fabs(A[8]));
    double size = fabs(b[1]) + fabs(b[2]) + (fabs(g[0]) + fabs(g[1])) * fabs(b[0]) / a;
    for (int k = 0; k < 2; k++) {
        if (f.lambda[k] > least) continue;
        bool rests = stick_without_mobility(f.c[k], size) == 0;
        f.lambda[k] = 0;
        if (rests) f.c[k] = f.g[k] = 0;
    }

    double pT[2], pN, length, rate, pN_rate;
    slip_at(&f, 0, pT, &pN, &length, &rate, &pN_rate);
    if (!(isfinite(length) && length <= mu * pN)) {
        length = slip_root(&f, pT, &pN);
        // end exactly on the cone, by the better known of the two numbers
        double shrink = length > 0 && mu < 1 ? mu * pN / length : 1;
        pT[0] *= shrink;
        pT[1] *= shrink;
        if (mu >= 1) pN = length / mu;
    }
    p[0] = pN;
    p[1] = cosine * pT[0] - sine * pT[1];
    p[2] = sine * pT[0] + cosine * pT[1];
    return true;
}

bool scree_local_solve(const double *A, const double *b, double mu, int d, double *p) {
    if (!(A[0] > 0)) return false;
    if (b[0] >= 0 || mu == 0) {
        for (int k = 0; k < d; k++) p[k] = 0;
        if (b[0] < 0) p[0] = -b[0] / A[0];
        return true;
    }
    return d == 2 ? solve_planar(A, b, mu, p) : solve_spatial(A, b, mu, p);
}
