// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// block_lu.h - sparse LU in blocks of one contact, on the graph of contacts.
//
// For matrices with the pattern of W and strong diagonal blocks: pivots are sought within a block
// only. Analysed once, factorised often. Contacts can be left out of a factorisation: their rows
// and columns count as those of the identity.

#ifndef SCREE_SOLVE_BLOCK_LU_H
#define SCREE_SOLVE_BLOCK_LU_H

#include "base/arena.h"
#include "scree/problem.h"

typedef struct scree_block_lu scree_block_lu;

/// Order and analyse the pattern of the problem's W, made symmetric; NULL without memory. With more
/// than `most` blocks in U the analysis ends, and its costs are HUGE_VAL.
scree_block_lu *scree_block_lu_new(const scree_problem *problem, double most, scree_arena *arena);

/// Memory for the numbers, before the first factorisation; false without it.
bool scree_block_lu_allocate(scree_block_lu *lu);

/// Blocks (i, j) for j in the pattern of row i of W are asked for by their place in W.
/// value: (blocks of W x d x d), row-major. active: (nc), false for contacts left out, or NULL.
/// False if a pivot block is singular.
bool scree_block_lu_factor(scree_block_lu *lu, const double *value, const bool *active);

/// Sign of the determinant of what was factorised last.
double scree_block_lu_sign(const scree_block_lu *lu);

/// A x = x in place (nc x d). Contacts left out keep their x.
void scree_block_lu_solve(const scree_block_lu *lu, double *x);

/// Multiplications of one factorisation, of one solve.
double scree_block_lu_factor_cost(const scree_block_lu *lu);
double scree_block_lu_solve_cost(const scree_block_lu *lu);

#endif
