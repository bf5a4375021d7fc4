// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// natural_map.h - |z|^2, z = p - P_K( p - rho (s + shift n) ), for Coulomb's cone: the summand of
// both residuals, for one contact or for lanes of them.
//
// The includer defines the types real and mask, with all, choose, everywhere, root and magnitude.

#ifndef SCREE_SOLVE_NATURAL_MAP_H
#define SCREE_SOLVE_NATURAL_MAP_H

/// Where the nearest point of the cone to (xN, x_T), |x_T| = n, stands along the normal, and by
/// what x_T has shrunk there.
static inline __attribute__((always_inline)) real scree_cone_foot(real xN, real n, real mu,
                                                                  real *shrink) {
    mask inside = (xN >= 0) & (n <= mu * xN);
    if (everywhere(inside)) {  // nothing to wait for
        *shrink = all(1);
        return xN;
    }
    real onto = choose(mu * n <= -xN, all(0), (xN + mu * n) / (1 + mu * mu));
    real foot = choose(inside, xN, onto);
    *shrink = choose(inside, all(1), choose(n > 0, mu * foot / n, all(0)));
    return foot;
}

/// The same on the cone with moments that resist rolling, m: mu_rolling. n, r: lengths of what
/// stands on mu and on m; shrink: of these two. (law/cone.c says why so.)
static inline __attribute__((always_inline)) real scree_rolling_foot(real xN, real n, real r,
                                                                     real mu, real m,
                                                                     real shrink[2]) {
    real end_n = choose(n > 0, n / mu, all(0)), end_r = choose(r > 0, r / m, all(0));
    mask first = end_n <= end_r;  // the clip of n ends first
    mask early_n = ~(xN + m * r > end_n * (1 + m * m)), late_n = ~(xN > end_n);
    mask early_r = ~(xN + mu * n > end_r * (1 + mu * mu)), late_r = ~(xN > end_r);
    mask clip_n = (first & early_n) | (~first & (early_r | late_n));
    mask clip_r = (~first & early_r) | (first & (early_n | late_r));
    real size = 1 + choose(clip_n, mu * mu, all(0)) + choose(clip_r, m * m, all(0));
    real foot = (xN + choose(clip_n, mu * n, all(0)) + choose(clip_r, m * r, all(0))) / size;
    foot = choose((xN + mu * n + m * r > 0) & (foot > 0), foot, all(0));
    shrink[0] = choose(foot > 0, choose(clip_n, mu * foot / n, all(1)), all(0));
    shrink[1] = choose(foot > 0, choose(clip_r, m * foot / r, all(1)), all(0));
    return foot;
}

/// pN, sN and the tangential parts pT, sT in so many components of any axes; shift = mu |s_T|.
static inline __attribute__((always_inline)) real scree_natural_map(real pN, real sN,
                                                                    const real *pT, const real *sT,
                                                                    int tangents, real mu,
                                                                    real shift, real rho) {
    real xN = pN - rho * (sN + shift), x[3], square = all(0);
    for (int k = 0; k < tangents; k++) {
        x[k] = pT[k] - rho * sT[k];
        square += x[k] * x[k];
    }
    real n = tangents == 1 ? magnitude(x[0]) : root(square);
    real shrink, foot = scree_cone_foot(xN, n, mu, &shrink);
    real sum = (pN - foot) * (pN - foot);
    for (int k = 0; k < tangents; k++) {
        real off = pT[k] - shrink * x[k];
        sum += off * off;
    }
    return sum;
}

#endif
