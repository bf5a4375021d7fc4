// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mode_problem.h - complementarity problems as a choice of statuses.
//
// An LCP and a planar contact problem have the same shape: unknowns x, rows y = B x + b, and units
// of which each has to choose one of a few statuses. A status is a set of signs,
//
//     component   open: x = 0, y >= 0       closed: y = 0, x >= 0
//     contact     p = alpha (1, mu) + beta (1, -mu)
//                 stick: s = 0    slip+: beta = 0, s_N = 0, s_T <= 0    slip-: the mirror image
//                 open: alpha = beta = 0, s_N >= 0
//
// so that every complete choice is a polyhedron, and a partial one is contained in the polyhedron
// of the signs that hold for all statuses. The search (mode_tree.h) goes depth first and leaves a
// branch as soon as that polyhedron is empty (tableau.h); sets of solutions are put together in
// double_description.h.

#ifndef SCREE_SOLVE_MODE_PROBLEM_H
#define SCREE_SOLVE_MODE_PROBLEM_H

#include "base/arena.h"
#include "scree/lcp.h"

enum {
    SCREE_MODE_UNKNOWNS = 63,
    SCREE_MODE_VARIABLES = 2 * SCREE_MODE_UNKNOWNS,  // unknowns and rows: a bit each in a mask
    SCREE_MODE_CONTACTS = SCREE_MODE_UNKNOWNS / 2,
};

typedef enum scree_side {  // what a variable may be
    SCREE_SIDE_FREE,
    SCREE_SIDE_UP,    // >= 0
    SCREE_SIDE_DOWN,  // <= 0
    SCREE_SIDE_ZERO,
} scree_side;

typedef struct scree_mode_choice {  // one status of a unit
    scree_pattern pattern;
    int settings;
    struct {
        int variable;  // an unknown, or unknowns + a row
        scree_side side;
    } setting[4];
} scree_mode_choice;

typedef struct scree_mode_unit {
    int choices;
    scree_mode_choice choice[4];  // those that leave the most free first
} scree_mode_unit;

typedef struct scree_mode_problem {
    int unknowns, rows, units;
    int numbers;            // of an answer: n, or 2 nc
    double *B, *b;          // scaled: entries of B about 1, the largest of b too (rows x unknowns)
    double *column;         // unknown = column x scaled unknown                  (unknowns)
    double *row;            // a positive multiple of this made the scaled rows   (rows)
    scree_side *side;       // what holds for all statuses              (unknowns + rows)
    scree_mode_unit *unit;  // (units)
    double *base;           // answer when all unknowns are zero                  (numbers)
    double *generator;      // answer = base + generator x scaled unknowns (numbers x unknowns)
    int *number_of;         // the number of the answer that a row is dual to     (rows)
    double tolerance;       // what counts as zero of the scaled variables
} scree_mode_problem;

/// Of any size; false when memory ran out. Nodes can only be polished and turned into faces within
/// the limits above.
bool scree_mode_problem_of_lcp(const scree_lcp *lcp, double tolerance, scree_arena *arena,
                               scree_mode_problem *modes);
/// The problem must be planar.
bool scree_mode_problem_of_problem(const scree_problem *problem, double tolerance,
                                   scree_arena *arena, scree_mode_problem *modes);

/// x (numbers) of scaled unknowns: a point with weight 1, a direction with weight 0.
void scree_mode_problem_answer(const scree_mode_problem *modes, const double *unknown,
                               double weight, double *x);

#endif
