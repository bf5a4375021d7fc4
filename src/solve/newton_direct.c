// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// newton_direct.c - Newton on the law as it stands, for problems that are equations above all.
// in: problem with W in blocks, guess.   out: p with the least residual.   work: Jacobian, its LU.
//
// Equations take one step, whatever the signs of W; a few contacts, limits or frictions some more,
// until their statuses do not change. There is no globalisation: contact-newton has one, and wants
// a W that contacts can lean on. W may be singular: eps D stands beside it, as in newton.c.

#include "solve/newton_direct.h"

#include <float.h>
#include <string.h>

#include "solve/block_lu.h"
#include "solve/newton_rows.h"
#include "solve/residual.h"

static bool find_step(scree_newton_rows *rows, scree_block_lu *lu) {
    scree_newton_rows_assess(rows, rows->p, rows->s);
    scree_newton_rows_fill(rows);
    scree_newton_rows_move_known(rows);
    if (!scree_block_lu_factor(lu, rows->jacobian, rows->active)) return false;
    scree_block_lu_solve(lu, rows->step);
    return true;
}

bool scree_newton_direct(const scree_problem *problem, double tolerance, double *p,
                         scree_residual *least, scree_arena *arena) {
    enum { STEPS = 20, IDLE = 4 };
    size_t n = (size_t)problem->contacts * (size_t)problem->dimension;
    scree_newton_rows rows = { .problem = problem, .W = problem->block, .eps = 1e-13 };
    scree_block_lu *lu = scree_block_lu_new(problem, HUGE_VAL, arena);
    *least = (scree_residual){ .natural = DBL_MAX, .scaled = DBL_MAX };
    if (!lu || !scree_newton_rows_prepare(&rows, true, arena) || !scree_block_lu_allocate(lu))
        return false;
    memcpy(rows.p, p, n * sizeof *p);
    for (int step = 0, idle = 0; step <= STEPS && idle < IDLE; step++) {
        scree_residual residual = scree_problem_residual(problem, rows.p, rows.s);
        idle++;
        if (scree_residual_max(residual) < scree_residual_max(*least)) {
            *least = residual;
            memcpy(p, rows.p, n * sizeof *p);
            idle = 0;
        }
        if (scree_residual_meets(residual, tolerance) || !find_step(&rows, lu)) break;
        for (size_t k = 0; k < n; k++) rows.p[k] += rows.step[k];
    }
    return true;
}
