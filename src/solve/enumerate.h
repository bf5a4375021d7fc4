// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// enumerate.h - through the combinations of statuses of a small problem, until one solves it.

#ifndef SCREE_SOLVE_ENUMERATE_H
#define SCREE_SOLVE_ENUMERATE_H

#include "solve/limits.h"
#include "solve/mode_problem.h"

enum { SCREE_ENUMERATE_RESCUE = 14 };  // contacts

/// Is it worth trying on a problem that others have missed: planar, and few contacts? The solver
/// itself takes up to SCREE_MODE_CONTACTS.
bool scree_enumerate_can(const scree_problem *problem);

typedef struct scree_enumeration {
    double (*error)(void *context, const double *x);  // what tolerance is held against
    void *context;
    double tolerance;
    scree_limits *limits;  // or NULL

    // out
    double best;  // least error found; HUGE_VAL: no combination is a solution
    long systems;
    bool complete, late;  // all combinations were looked at; the limit of time has passed
} scree_enumeration;

/// x (numbers): the best answer found, if there is one. False when memory ran out.
bool scree_enumerate_run(const scree_mode_problem *cells, scree_enumeration *enumeration, double *x,
                         scree_arena *arena);

#endif
