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
