// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// farkas.h - a Farkas certificate: a proof that a complementarity problem has no solution, when
// there is a linear one.

#ifndef SCREE_SOLVE_FARKAS_H
#define SCREE_SOLVE_FARKAS_H

#include "solve/mode_problem.h"
#include "solve/solver_context.h"

/// Look for y >= 0 with M^T y <= 0 and q.y < 0 (LCP), or for normal impulses y >= 0 (and impulses
/// of joints) with -W^T y in K* and b.y < 0: either contradicts w >= 0 or s_N >= 0 whatever the
/// statuses. found: there is one, checked against the problem's numbers; certificate (numbers),
/// largest component 1. Returns false when memory ran out.
bool scree_farkas_find(const scree_mode_problem *modes, scree_arena *arena, double *certificate,
                       bool *found);

/// The same for a planar task of any size. proven: context->p is now a direction of length 1 in K,
/// along the normals, with W p = 0 and b.p < 0. Returns false when memory ran out.
bool scree_farkas_of_context(scree_solver_context *context, bool *proven);

#endif
