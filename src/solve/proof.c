// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// proof.c - Farkas' alternative of the signs that all statuses have in common.
//
//     either   unknowns >= 0,  B unknowns + b >= 0   or   y >= 0,  B^T y <= 0,  b.y < 0

#include "solve/proof.h"

#include <math.h>
#include <string.h>

#include "solve/node.h"

// The row of the dictionary, basic - a other = constant, is a combination of rows - B unknowns = b:
// its factors are the coefficients of the rows in it.
static void extract(const scree_node *node, int row, double *y) {
    int n = node->cells->unknowns;
    const double *a = node->a + (size_t)row * (size_t)(n + 1);
    double sign = a[n] > 0 ? -1 : 1;
    if (node->basic[row] >= n) y[node->basic[row] - n] = sign;
    for (int j = 0; j < n; j++)
        if (node->other[j] >= n) y[node->other[j] - n] = -sign * a[j];
}

// does it hold beyond rounding? What is rounding in y is cleared first.
static bool holds(const scree_cells *cells, double *y) {
    int n = cells->unknowns;
    double value = 0, largest = 0;
    for (int i = 0; i < cells->rows; i++) largest = fmax(largest, fabs(y[i]));
    for (int i = 0; i < cells->rows; i++) {
        scree_side side = cells->side[n + i];
        if (side == SCREE_SIDE_FREE || (side == SCREE_SIDE_UP && y[i] < 0) ||
            fabs(y[i]) <= 1e-13 * largest)
            y[i] = 0;
        value += cells->b[i] * y[i];
    }
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = 0; i < cells->rows; i++) sum += cells->B[(size_t)i * (size_t)n + j] * y[i];
        double excess = cells->side[j] == SCREE_SIDE_FREE ? fabs(sum) : sum;
        if (!(excess <= 1e-12 * cells->rows * largest)) return false;
    }
    return value < -cells->tolerance * largest;
}

static void write(const scree_cells *cells, const double *y, double *certificate) {
    double largest = 0;
    memset(certificate, 0, (size_t)cells->numbers * sizeof *certificate);
    for (int i = 0; i < cells->rows; i++) {
        certificate[cells->number_of[i]] = y[i] * cells->row[i];
        largest = fmax(largest, fabs(y[i] * cells->row[i]));
    }
    for (int k = 0; k < cells->numbers; k++) certificate[k] /= largest;
}

bool scree_proof_find(const scree_cells *cells, scree_arena *arena, double *certificate,
                      bool *found) {
    scree_node node;
    double *y = SCREE_NEW(arena, double, cells->rows);
    if (!y || !scree_node_create(cells, arena, &node)) return false;
    scree_node_begin(&node);
    int row = scree_node_settle(&node);
    *found = false;
    if (row < 0) return true;
    extract(&node, row, y);
    *found = holds(cells, y);
    if (*found) write(cells, y, certificate);
    return true;
}

// Is y, of length 1, a direction in K with W y = 0 and b.y < 0? A proof against W^T that W does not
// share (an unsymmetric W) is not what a report promises.
static bool is_direction(const scree_task *task, double *y, double *s) {
    const scree_problem *problem = task->problem;
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

bool scree_proof_of_task(scree_task *task, bool *proven) {
    scree_cells cells;
    int n = 2 * task->problem->contacts;
    double *y = SCREE_NEW(task->arena, double, n), *s = SCREE_NEW(task->arena, double, n);
    if (!y || !s || !scree_cells_of_problem(task->problem, 1e-10, task->arena, &cells) ||
        !scree_proof_find(&cells, task->arena, y, proven))
        return false;
    *proven = *proven && is_direction(task, y, s);
    if (*proven) memcpy(task->p, y, (size_t)n * sizeof *y);
    return true;
}
