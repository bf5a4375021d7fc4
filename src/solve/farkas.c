// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// farkas.c - Farkas' alternative of the signs that all statuses have in common.
//
//     either   unknowns >= 0,  B unknowns + b >= 0   or   y >= 0,  B^T y <= 0,  b.y < 0

#include "solve/farkas.h"

#include <math.h>
#include <string.h>

#include "solve/tableau.h"

// The row of the dictionary, basic - a other = constant, is a combination of rows - B unknowns = b:
// its factors are the coefficients of the rows in it.
static void extract(const scree_tableau *tableau, int row, double *y) {
    int n = tableau->modes->unknowns;
    const double *a = tableau->a + (size_t)row * (size_t)(n + 1);
    double sign = a[n] > 0 ? -1 : 1;
    if (tableau->basic[row] >= n) y[tableau->basic[row] - n] = sign;
    for (int j = 0; j < n; j++)
        if (tableau->other[j] >= n) y[tableau->other[j] - n] = -sign * a[j];
}

// does it hold beyond rounding? What is rounding in y is cleared first.
static bool holds(const scree_mode_problem *modes, double *y) {
    int n = modes->unknowns;
    double value = 0, largest = 0;
    for (int i = 0; i < modes->rows; i++) largest = fmax(largest, fabs(y[i]));
    for (int i = 0; i < modes->rows; i++) {
        scree_side side = modes->side[n + i];
        if (side == SCREE_SIDE_FREE || (side == SCREE_SIDE_UP && y[i] < 0) ||
            fabs(y[i]) <= 1e-13 * largest)
            y[i] = 0;
        value += modes->b[i] * y[i];
    }
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < modes->rows; i++) sum += modes->B[(size_t)i * (size_t)n + j] * y[i];
        double excess = modes->side[j] == SCREE_SIDE_FREE ? fabs(sum) : sum;
        if (!(excess <= 1e-12 * modes->rows * largest)) return false;
    }
    return value < -modes->tolerance * largest;
}

static void write(const scree_mode_problem *modes, const double *y, double *certificate) {
    double largest = 0;
    memset(certificate, 0, (size_t)modes->numbers * sizeof *certificate);
    for (int i = 0; i < modes->rows; i++) {
        certificate[modes->number_of[i]] = y[i] * modes->row[i];
        largest = fmax(largest, fabs(y[i] * modes->row[i]));
    }
    for (int k = 0; k < modes->numbers; k++) certificate[k] /= largest;
}

bool scree_farkas_find(const scree_mode_problem *modes, scree_arena *arena, double *certificate,
                       bool *found) {
    scree_tableau tableau;
    double *y = SCREE_NEW(arena, double, modes->rows);
    if (!y || !scree_tableau_create(modes, arena, &tableau)) return false;
    scree_tableau_begin(&tableau);
    int row = scree_tableau_dual_simplex(&tableau);
    *found = false;
    if (row < 0) return true;
    extract(&tableau, row, y);
    *found = holds(modes, y);
    if (*found) write(modes, y, certificate);
    return true;
}

// Is y, of length 1, a direction in K with W y = 0 and b.y < 0? A proof against W^T that W does not
// share (an unsymmetric W) is not what a report promises.
static bool is_direction(const scree_solver_context *context, double *y, double *s) {
    const scree_problem *problem = context->problem;
    int n = 2 * problem->contacts;
    double size = 0, product = 0, largest = 0, b_size = 0;
    for (int k = 0; k < n; k++) size += y[k] * y[k];
    for (int k = 0; k < n; k++) y[k] /= sqrt(size);
    scree_problem_velocity(problem, y, s);
    for (int k = 0; k < n; k++) {
        product += problem->b[k] * y[k];
        largest = fmax(largest, fabs(s[k] - problem->b[k]));
        b_size = fmax(b_size, fabs(problem->b[k]));
    }
    double W_size = 0;
    for (size_t k = 0; k < 4 * (size_t)problem->row[problem->contacts]; k++)
        W_size = fmax(W_size, fabs(problem->block[k]));
    return largest <= 1e-10 * W_size && product < -1e-10 * b_size;
}

bool scree_farkas_of_context(scree_solver_context *context, bool *proven) {
    scree_mode_problem modes;
    int n = 2 * context->problem->contacts;
    double *y = SCREE_NEW(context->arena, double, n), *s = SCREE_NEW(context->arena, double, n);
    if (!y || !s ||
        !scree_mode_problem_of_problem(context->problem, 1e-10, context->arena, &modes) ||
        !scree_farkas_find(&modes, context->arena, y, proven))
        return false;
    *proven = *proven && is_direction(context, y, s);
    if (*proven) memcpy(context->p, y, (size_t)n * sizeof *y);
    return true;
}
