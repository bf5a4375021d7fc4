// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// residual.c - the one judge: how far p is from solving the contact problem.
//
//     z_i(rho) = p_i - P_K( p_i - rho (s_i + mu |s_T,i| n) )          natural map of contact i
//     field    = |z(1)| / (1 + |b|)                                   the convention of the field
//     scaled^2 = sum D_i |z_i(1/D_i)|^2 / sum |b_i|^2 / D_i           D_i = trace(W_ii) / d
//
// The first has a floor, 16 eps |p| / (1 + |b|): below it there is nothing but the rounding of p.
// It matters where the units make impulses huge.
//
// Both sums of the second are energies: it does not change with the units, nor with the mass of a
// contact's bodies. Sums run in the order of contacts, so the value is the same in every run.

#include <float.h>
#include <math.h>

#include "law/cone.h"
#include "scree/problem.h"

double scree_residual_worse(scree_residual residual) {
    double field = residual.field <= residual.field_floor ? 0 : residual.field;
    return field > residual.scaled ? field : residual.scaled + 0 * residual.field;
}

void scree_problem_velocity(const scree_problem *problem, const double *p, double *s) {
    int d = problem->dimension;
    for (int i = 0; i < problem->contacts; i++) {
        double sum[3] = { 0 };
        for (int at = problem->row[i]; at < problem->row[i + 1]; at++) {
            const double *W = problem->block + (size_t)at * (size_t)(d * d);
            const double *pj = p + (size_t)problem->column[at] * (size_t)d;
            for (int r = 0; r < d; r++)
                for (int c = 0; c < d; c++) sum[r] += W[r * d + c] * pj[c];
        }
        for (int r = 0; r < d; r++) s[i * d + r] = sum[r] + problem->b[i * d + r];
    }
}

// |z_i(rho)|^2
static double natural_map(const double *p, const double *s, int d, double mu, double rho) {
    double x[3] = { 0 };
    for (int k = 0; k < d; k++) x[k] = p[k] - rho * s[k];
    x[0] -= rho * mu * scree_cone_tangential(s, d);
    scree_cone_project(x, d, mu);
    double sum = 0;
    for (int k = 0; k < d; k++) sum += (p[k] - x[k]) * (p[k] - x[k]);
    return sum;
}

scree_residual scree_problem_residual(const scree_problem *problem, const double *p, double *s) {
    int d = problem->dimension;
    double field = 0, size = 0, energy = 0, energy_b = 0, impulse = 0;
    scree_problem_velocity(problem, p, s);
    for (int i = 0; i < problem->contacts; i++) {
        const double *W = problem->block + (size_t)problem->diagonal[i] * (size_t)(d * d);
        double D = 0, bb = 0;
        for (int k = 0; k < d; k++) {
            D += W[k * d + k] / d;
            bb += problem->b[i * d + k] * problem->b[i * d + k];
            impulse += p[i * d + k] * p[i * d + k];
        }
        field +=
            natural_map(p + (size_t)i * (size_t)d, s + (size_t)i * (size_t)d, d, problem->mu[i], 1);
        energy += D * natural_map(p + (size_t)i * (size_t)d, s + (size_t)i * (size_t)d, d,
                                  problem->mu[i], 1 / D);
        size += bb;
        energy_b += bb / D;
    }
    return (scree_residual){
        .field = sqrt(field) / (1 + sqrt(size)),
        .scaled = energy == 0 ? 0 : sqrt(energy / energy_b),
        .field_floor = 16 * DBL_EPSILON * sqrt(impulse) / (1 + sqrt(size)),
    };
}
