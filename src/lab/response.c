// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// response.c - from stiffness, load and contacts to rows over the generators of the cones.

#include "lab/response.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static long double *new_numbers(size_t count) {
    return calloc(count ? count : 1, sizeof(long double));
}

// zero if nothing is left of the terms
static long double clean(long double sum, long double size, double tolerance) {
    return fabsl(sum) <= tolerance * size ? 0 : sum;
}

// -------------------------------------------------------------------------------------------------
// K

// K = L L^T in place, the lower triangle; 0, or the row whose pivot is not safely positive
static int factor(long double *A, int n) {
    for (int j = 0; j < n; j++) {
        long double pivot = A[j * n + j];
        for (int k = 0; k < j; k++) pivot -= A[j * n + k] * A[j * n + k];
        if (!(pivot > n * DBL_EPSILON * fabsl(A[j * n + j]))) return j + 1;
        A[j * n + j] = sqrtl(pivot);
        for (int i = j + 1; i < n; i++) {
            long double sum = A[i * n + j];
            for (int k = 0; k < j; k++) sum -= A[i * n + k] * A[j * n + k];
            A[i * n + j] = sum / A[j * n + j];
        }
    }
    return 0;
}

static void solve(const long double *L, int n, long double *x) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) x[i] -= L[i * n + k] * x[k];
        x[i] /= L[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= L[k * n + i] * x[k];
        x[i] /= L[i * n + i];
    }
}

// K^-1 (n x n) and the largest row sum of |K^-1||K|
static scree_status invert(const scree_equilibrium_system *system, long double *inverse,
                           double *condition, scree_error *err) {
    int n = system->coordinates;
    size_t entries = (size_t)n * (size_t)n;
    long double *L = new_numbers(entries);
    if (!L) return scree_fail_memory(err, "equilibria");
    for (size_t k = 0; k < entries; k++) L[k] = system->stiffness[k];
    int bad = factor(L, n);
    for (int j = 0; j < n && !bad; j++) {
        inverse[j * n + j] = 1;
        solve(L, n, inverse + (size_t)j * (size_t)n);
    }
    free(L);
    if (bad)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the stiffness matrix must be positive definite for equilibria to be "
                          "enumerated; its leading %d x %d block is not",
                          bad, bad);
    long double most = 0;
    for (int i = 0; i < n; i++) {
        long double sum = 0;
        for (int k = 0; k < n; k++) {
            long double row = 0;
            for (int j = 0; j < n; j++) row += fabsl((long double)system->stiffness[k * n + j]);
            sum += fabsl(inverse[i * n + k]) * row;
        }
        most = fmaxl(most, sum);
    }
    *condition = (double)most;
    return SCREE_OK;
}

// -------------------------------------------------------------------------------------------------
// rows

// n_i K^-1 x, cleaned
static long double respond(const scree_equilibrium_system *system, const long double *inverse,
                           int i, const double *x, long double more, double tolerance) {
    int n = system->coordinates;
    long double sum = more, size = fabsl(more);
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++) {
            long double term = system->normal[i * n + k] * inverse[k * n + l] * x[l];
            sum += term;
            size += fabsl(term);
        }
    return clean(sum, size, tolerance);
}

// a response to r_N and r_T of contact j becomes one to alpha and beta
static void spread(const scree_response *response, int j, long double normal, long double tangent,
                   long double *row) {
    long double part = response->system->mu[j] * tangent, size = fabsl(normal) + fabsl(part);
    row[scree_response_alpha(j)] = clean(normal + part, size, response->tolerance);
    row[scree_response_beta(j)] = clean(normal - part, size, response->tolerance);
}

static void fill_elastic(scree_response *response, const long double *inverse) {
    const scree_equilibrium_system *system = response->system;
    int n = system->coordinates;
    for (int i = 0; i < system->contacts; i++) {
        long double *row = response->row + (size_t)i * (size_t)response->size;
        row[0] = respond(system, inverse, i, system->load, system->gap[i], response->tolerance);
        for (int j = 0; j < system->contacts; j++)
            spread(response, j,
                   respond(system, inverse, i, system->normal + j * n, 0, response->tolerance),
                   respond(system, inverse, i, system->tangent + j * n, 0, response->tolerance),
                   row);
    }
}

static void fill_rigid(scree_response *response) {
    const scree_equilibrium_system *system = response->system;
    int n = system->coordinates;
    for (int k = 0; k < n; k++) {
        long double *row = response->row + (size_t)k * (size_t)response->size;
        row[0] = system->load[k];
        for (int j = 0; j < system->contacts; j++)
            spread(response, j, system->normal[j * n + k], system->tangent[j * n + k], row);
    }
}

// K^-1 times load, normals and tangents
static void fill_displacements(scree_response *response, const long double *inverse) {
    const scree_equilibrium_system *system = response->system;
    int n = system->coordinates;
    for (int c = 0; c < response->size; c++) {
        const double *x =
            c == 0 ? system->load : (c % 2 ? system->normal : system->tangent) + (c - 1) / 2 * n;
        long double *u = response->u + (size_t)c * (size_t)n;
        for (int i = 0; i < n; i++) {
            long double sum = 0, size = 0;
            for (int k = 0; k < n; k++) {
                sum += inverse[i * n + k] * x[k];
                size += fabsl(inverse[i * n + k] * x[k]);
            }
            u[i] = clean(sum, size, response->tolerance);
        }
    }
}

static scree_status check(const scree_equilibrium_system *system, scree_error *err) {
    if (system->contacts > SCREE_EQUILIBRIUM_CONTACTS)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "equilibria can be enumerated with up to %d contacts; here are %d",
                          SCREE_EQUILIBRIUM_CONTACTS, system->contacts);
    if (system->coordinates > SCREE_EQUILIBRIUM_COORDINATES)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "equilibria can be enumerated with up to %d coordinates; here are %d",
                          SCREE_EQUILIBRIUM_COORDINATES, system->coordinates);
    for (int i = 0; i < system->contacts; i++)
        if (!(system->mu[i] >= 0 && isfinite(system->mu[i])))
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "contact %d: friction must not be negative, got %g", i + 1,
                              system->mu[i]);
    return SCREE_OK;
}

scree_status scree_response_find(const scree_equilibrium_system *system, double tolerance,
                                 scree_response *response, scree_error *err) {
    size_t n = (size_t)system->coordinates;
    scree_status status = check(system, err);
    if (status) return status;
    *response = (scree_response){ .system = system,
                                  .size = 1 + 2 * system->contacts,
                                  .rows = system->stiffness ? system->contacts : (int)n,
                                  .tolerance = fmax(tolerance, 64 * DBL_EPSILON),
                                  .variable = 1 };
    response->row = new_numbers((size_t)response->rows * (size_t)response->size);
    response->u = new_numbers((size_t)response->size * n);
    long double *inverse = new_numbers(n * n);
    if (!response->row || !response->u || !inverse) status = scree_fail_memory(err, "equilibria");
    if (!status && system->stiffness) {
        double condition = 1;
        status = invert(system, inverse, &condition, err);
        // the inverse of a 2 x 2 matrix is made of its own entries, over one common number
        if (n > 2) response->tolerance = fmax(response->tolerance, 16 * DBL_EPSILON * condition);
    }
    for (int i = 0; i < system->contacts; i++)
        response->variable |= (uint64_t)(system->mu[i] > 0 ? 3 : 1) << scree_response_alpha(i);
    if (!status && system->stiffness) {
        fill_elastic(response, inverse);
        fill_displacements(response, inverse);
    } else if (!status) {
        fill_rigid(response);
    }
    free(inverse);
    return status;
}

void scree_response_free(scree_response *response) {
    free(response->row);
    free(response->u);
    *response = (scree_response){ 0 };
}

// -------------------------------------------------------------------------------------------------
// back to reactions and displacements

static void reaction(const scree_response *response, const scree_cone_generator *g, int contact,
                     long double r[2]) {
    long double alpha = g->x[scree_response_alpha(contact)],
                beta = g->x[scree_response_beta(contact)];
    r[0] = alpha + beta;
    r[1] = response->system->mu[contact] * (alpha - beta);
}

void scree_response_reaction(const scree_response *response, const scree_cone_generator *g,
                             double *r) {
    for (int i = 0; i < response->system->contacts; i++) {
        long double own[2];
        reaction(response, g, i, own);
        r[2 * i] = (double)own[0];
        r[2 * i + 1] = (double)own[1];
    }
}

void scree_response_displacement(const scree_response *response, const scree_cone_generator *g,
                                 double *u) {
    const scree_equilibrium_system *system = response->system;
    int n = system->coordinates;
    for (int k = 0; k < n; k++) {
        long double sum = g->x[0] * response->u[k], size = fabsl(sum);
        for (int i = 0; i < system->contacts && system->stiffness; i++) {
            long double own[2];
            reaction(response, g, i, own);
            for (int c = 0; c < 2; c++) {
                long double term = own[c] * response->u[(1 + 2 * i + c) * n + k];
                sum += term;
                size += fabsl(term);
            }
        }
        u[k] = (double)clean(sum, size, response->tolerance);
        if (!system->stiffness) u[k] = g->x[0] > 0 ? system->position[k] : 0;
    }
}
