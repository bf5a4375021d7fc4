// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// existence.h - is a solution known to exist? A convex problem that can be asked on every refusal.
//
//     value = max over motions u = W p + b, p free (u = 0 in joints), of the least
//             u_N - mu |u_T| (- mu_rolling |u_R|) of all contacts
//
// Above 0, Coulomb's problem has a solution (Acary, Cadoux, Lemarechal, Malick). So it has where
// value = 0, in the plane (Lemke's method on a copositive matrix ends in one): the case of bodies
// that wedge themselves between walls at rest. Below 0 there is a self-stress that the given
// velocities oppose: impulses in the cones that move nothing, W p = 0, with b.p < 0. The contacts
// it bears jam. There may be a solution all the same; most often impulses grow without bound.

#ifndef SCREE_SOLVE_EXISTENCE_H
#define SCREE_SOLVE_EXISTENCE_H

#include "base/arena.h"
#include "scree/problem.h"

#define SCREE_JAMMED 1e-4  // p_N of a contact that counts as jammed, against the largest

typedef struct scree_existence {
    double
        value;   // of a motion that was found, so never too large; not above the largest |b| [m/s]
    bool holds;  // value is not below 0, by more than rounding
    bool fails;  // value is below 0: stress proves it, to rounding
    int jammed;  // contacts in the self-stress; 0 unless it fails
    int factorizations;
} scree_existence;

/// W in blocks; its symmetric part is taken. All cones of problem.h. stress (nc x d): the
/// self-stress, with sum of p_N = 1, if the criterion fails, otherwise 0; of the islands, the one
/// with the least value. Neither holds nor fails: undecided. False without memory.
bool scree_existence_find(const scree_problem *problem, scree_arena *arena, double *stress,
                          scree_existence *existence);

#endif
