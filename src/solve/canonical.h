// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// canonical.h - every cone becomes one of law/cone.h by a change of variables.
//
// With p = S p' - c n, S diagonal, the problem in p' has W' = S W S, b' = S (b - W c n):
//
//     elliptic friction   S = mu_second / mu on the second tangent: the cone becomes round
//     cohesion            c: the tip of the cone moves to the origin
//     rolling             S = a length on the rolling rows: they become velocities (problem.h)
//     rows with limits    S makes the rows of a joint equally mobile, be they forces or moments

#ifndef SCREE_SOLVE_CANONICAL_H
#define SCREE_SOLVE_CANONICAL_H

#include "base/arena.h"
#include "scree/problem.h"

typedef struct scree_canonical {
    const scree_problem *given;
    scree_problem problem;
    double *scale;  // S (nc x d)
} scree_canonical;

bool scree_canonical_needed(const scree_problem *problem);

/// False without memory.
bool scree_canonical_make(const scree_problem *given, scree_arena *arena,
                          scree_canonical *canonical);

/// p (nc x d) of the given problem into p' in place, and back. A direction has no tip to move.
void scree_canonical_enter(const scree_canonical *canonical, double *p);
void scree_canonical_leave(const scree_canonical *canonical, double *p, bool is_direction);

#endif
