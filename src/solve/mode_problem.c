// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mode_problem.c - LCPs and planar contact problems as units with statuses, in scaled variables.
//
// Signs do not change when rows and unknowns are multiplied by positive numbers, so both are scaled
// until the entries of B are about 1, by powers of two that round nothing; b then has largest 1.

#include "solve/mode_problem.h"

#include <float.h>
#include <math.h>

static bool allocate(scree_arena *arena, int unknowns, int rows, int units, int numbers,
                     scree_mode_problem *modes) {
    *modes = (scree_mode_problem){
        .unknowns = unknowns,
        .rows = rows,
        .units = units,
        .numbers = numbers,
        .B = SCREE_NEW(arena, double, (rows * unknowns)),
        .b = SCREE_NEW(arena, double, rows),
        .column = SCREE_NEW(arena, double, unknowns),
        .row = SCREE_NEW(arena, double, rows),
        .side = SCREE_NEW(arena, scree_side, unknowns + rows),
        .unit = SCREE_NEW(arena, scree_mode_unit, units),
        .base = SCREE_NEW(arena, double, numbers),
        .generator = SCREE_NEW(arena, double, (numbers * unknowns)),
        .number_of = SCREE_NEW(arena, int, rows),
    };
    return modes->B && modes->b && modes->column && modes->row && modes->side && modes->unit &&
           modes->base && modes->generator && modes->number_of;
}

// -------------------------------------------------------------------------------------------------
// scaling

static double power_of_two_below(double x) {
    int exponent;
    frexp(x, &exponent);
    return ldexp(1, exponent - 1);
}

// divide rows and columns by the root of their largest entry, a few times
static void balance(scree_mode_problem *modes) {
    int n = modes->unknowns, m = modes->rows;
    for (int i = 0; i < m; i++) modes->row[i] = 1;
    for (int j = 0; j < n; j++) modes->column[j] = 1;
    for (int round = 0; round < 5; round++) {
        for (int i = 0; i < m; i++) {
            double largest = 0;
            for (int j = 0; j < n; j++)
                largest = fmax(largest, fabs(modes->B[i * n + j]) * modes->column[j]);
            if (largest > 0) modes->row[i] = sqrt(modes->row[i] / largest);
        }
        for (int j = 0; j < n; j++) {
            double largest = 0;
            for (int i = 0; i < m; i++)
                largest = fmax(largest, fabs(modes->B[i * n + j]) * modes->row[i]);
            if (largest > 0) modes->column[j] = sqrt(modes->column[j] / largest);
        }
    }
}

// what is below the rounding of the largest entry is none
static void drop_rounding(scree_mode_problem *modes) {
    size_t entries = (size_t)modes->rows * (size_t)modes->unknowns;
    double largest = 0;
    for (size_t k = 0; k < entries; k++) largest = fmax(largest, fabs(modes->B[k]));
    for (size_t k = 0; k < entries; k++)
        if (fabs(modes->B[k]) < DBL_EPSILON * largest) modes->B[k] = 0;
}

static bool row_is_empty(const scree_mode_problem *modes, int i) {
    for (int j = 0; j < modes->unknowns; j++)
        if (modes->B[i * modes->unknowns + j] != 0) return false;
    return true;
}

static void scale(scree_mode_problem *modes) {
    int n = modes->unknowns, m = modes->rows;
    drop_rounding(modes);
    balance(modes);
    // a row that no unknown changes is measured like the strictest of the others
    double strictest = 0;
    for (int i = 0; i < m; i++)
        if (!row_is_empty(modes, i)) strictest = fmax(strictest, modes->row[i]);
    for (int i = 0; i < m; i++)
        if (strictest > 0 && row_is_empty(modes, i)) modes->row[i] = strictest;

    double size = 0;
    for (int i = 0; i < m; i++) size = fmax(size, fabs(modes->b[i]) * modes->row[i]);
    size = size > 0 ? power_of_two_below(size) : 1;
    for (int i = 0; i < m; i++) {
        modes->row[i] = power_of_two_below(modes->row[i]);
        modes->b[i] *= modes->row[i] / size;
    }
    for (int j = 0; j < n; j++) modes->column[j] = power_of_two_below(modes->column[j]);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) modes->B[i * n + j] *= modes->row[i] * modes->column[j];
    for (int j = 0; j < n; j++) modes->column[j] *= size;
}

// -------------------------------------------------------------------------------------------------
// LCPs

bool scree_mode_problem_of_lcp(const scree_lcp *lcp, double tolerance, scree_arena *arena,
                               scree_mode_problem *modes) {
    int n = lcp->size;
    if (!allocate(arena, n, n, n, n, modes)) return false;
    for (size_t k = 0; k < (size_t)n * (size_t)n; k++) modes->B[k] = lcp->M[k];
    for (int i = 0; i < n; i++) modes->b[i] = lcp->q[i];
    scale(modes);
    modes->tolerance = tolerance;
    for (int i = 0; i < n; i++) {
        modes->generator[i * n + i] = modes->column[i];
        modes->number_of[i] = i;
        modes->side[i] = modes->side[n + i] = SCREE_SIDE_UP;
        modes->unit[i] = (scree_mode_unit){
            .choices = 2,
            .choice = { { SCREE_PATTERN_CLOSED,
                          2,
                          { { n + i, SCREE_SIDE_ZERO }, { i, SCREE_SIDE_UP } } },
                        { SCREE_PATTERN_OPEN,
                          2,
                          { { i, SCREE_SIDE_ZERO }, { n + i, SCREE_SIDE_UP } } } },
        };
    }
    return true;
}

// -------------------------------------------------------------------------------------------------
// planar contact problems

typedef enum kind { FRICTION, SMOOTH, JOINT } kind;

static kind kind_of(const scree_problem *problem, int contact) {
    if (problem->equality && problem->equality[contact]) return JOINT;
    return problem->mu[contact] > 0 ? FRICTION : SMOOTH;
}

// what the unknowns from first on generate: their columns in p
static void fill_generators(const scree_problem *problem, int i, int first,
                            scree_mode_problem *modes) {
    int n = modes->unknowns;
    double *normal = modes->generator + (size_t)(2 * i) * (size_t)n + first, *tangent = normal + n;
    switch (kind_of(problem, i)) {
        case JOINT:
            normal[0] = tangent[1] = 1;
            break;
        case FRICTION:
            normal[0] = normal[1] = 1;
            tangent[0] = problem->mu[i];
            tangent[1] = -problem->mu[i];
            break;
        case SMOOTH:
            normal[0] = 1;
            break;
    }
}

// the rows s_N and s_T of a contact as functions of the unknowns
static void fill_rows(const scree_problem *problem, int i, int rows, int row,
                      scree_mode_problem *modes) {
    int n = modes->unknowns;
    for (int k = 0; k < rows; k++) {
        double *B = modes->B + (size_t)(row + k) * (size_t)n;
        modes->b[row + k] = problem->b[2 * i + k];
        modes->number_of[row + k] = 2 * i + k;
        for (int at = problem->row[i]; at < problem->row[i + 1]; at++) {
            const double *W = problem->block + 4 * (size_t)at + 2 * k;
            int j = problem->column[at];
            const double *G = modes->generator + (size_t)(2 * j) * (size_t)n;
            for (int c = 0; c < n; c++) B[c] += W[0] * G[c] + W[1] * G[n + c];
            modes->b[row + k] += W[0] * modes->base[2 * j];
        }
    }
}

static void fill_statuses(kind of, int first, int row, scree_side *side, scree_mode_unit *unit) {
    int alpha = first, beta = first + 1, normal = row, tangent = row + 1;
    const scree_side ZERO = SCREE_SIDE_ZERO, UP = SCREE_SIDE_UP, DOWN = SCREE_SIDE_DOWN;
    if (of == JOINT) {
        side[normal] = side[tangent] = ZERO;
        *unit = (scree_mode_unit){
            1, { { SCREE_PATTERN_STICK, 2, { { normal, ZERO }, { tangent, ZERO } } } }
        };
        return;
    }
    side[alpha] = side[normal] = UP;
    if (of == SMOOTH) {
        *unit = (scree_mode_unit){
            2,
            { { SCREE_PATTERN_SLIP_PLUS, 2, { { normal, ZERO }, { alpha, UP } } },
              { SCREE_PATTERN_OPEN, 2, { { alpha, ZERO }, { normal, UP } } } }
        };
        return;
    }
    side[beta] = UP;
    *unit = (scree_mode_unit){
        4,
        { { SCREE_PATTERN_STICK,
            4,
            { { normal, ZERO }, { tangent, ZERO }, { alpha, UP }, { beta, UP } } },
          { SCREE_PATTERN_SLIP_PLUS,
            4,
            { { beta, ZERO }, { normal, ZERO }, { tangent, DOWN }, { alpha, UP } } },
          { SCREE_PATTERN_SLIP_MINUS,
            4,
            { { alpha, ZERO }, { normal, ZERO }, { tangent, UP }, { beta, UP } } },
          { SCREE_PATTERN_OPEN, 3, { { alpha, ZERO }, { beta, ZERO }, { normal, UP } } } },
    };
}

bool scree_mode_problem_of_problem(const scree_problem *problem, double tolerance,
                                   scree_arena *arena, scree_mode_problem *modes) {
    int nc = problem->contacts, n = 0;
    for (int i = 0; i < nc; i++) n += kind_of(problem, i) == SMOOTH ? 1 : 2;
    if (!allocate(arena, n, n, nc, 2 * nc, modes)) return false;

    for (int i = 0, first = 0; i < nc; first += kind_of(problem, i++) == SMOOTH ? 1 : 2) {
        fill_generators(problem, i, first, modes);
        if (problem->cohesion && kind_of(problem, i) != JOINT)
            modes->base[2 * i] = -problem->cohesion[i];
        fill_statuses(kind_of(problem, i), first, n + first, modes->side, &modes->unit[i]);
    }
    for (int i = 0, row = 0; i < nc; i++) {
        int rows = kind_of(problem, i) == SMOOTH ? 1 : 2;
        fill_rows(problem, i, rows, row, modes);
        row += rows;
    }
    scale(modes);
    modes->tolerance = tolerance;
    for (int k = 0; k < 2 * nc; k++)
        for (int j = 0; j < n; j++) modes->generator[k * n + j] *= modes->column[j];
    return true;
}

// -------------------------------------------------------------------------------------------------
// back to the numbers of the problem

void scree_mode_problem_answer(const scree_mode_problem *modes, const double *unknown,
                               double weight, double *x) {
    for (int k = 0; k < modes->numbers; k++) {
        x[k] = weight * modes->base[k];
        for (int j = 0; j < modes->unknowns; j++)
            x[k] += modes->generator[k * modes->unknowns + j] * unknown[j];
    }
}
