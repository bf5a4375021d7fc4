// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// path.h - a path of statuses to one proximal point, which may turn back.
//
//     s = W p + b + eps D (p - centre) + tau delta,      tau from 1 to 0
//
// delta makes the start exact at tau = 1, and along the path Coulomb's law holds for every tau. In
// a cell, where no status changes, p is a smooth function of tau (in the plane a linear one); where
// a contact leaves its cell it has one neighbour, and the path goes on there, whether tau falls or
// rises. So it gets around folds, where everything that only descends stands still.

#ifndef SCREE_SOLVE_PATH_H
#define SCREE_SOLVE_PATH_H

#include "solve/block_lu.h"
#include "solve/solver_context.h"

typedef struct scree_path scree_path;

/// For problems whose W is there and has been analysed; NULL without memory.
scree_path *scree_path_new(scree_solver_context *context, scree_block_lu *lu);

/// The proximal point of the centre, from the iterate p, with at most so many factorisations; p is
/// overwritten with it. False if the path did not come to its end.
bool scree_path_follow(scree_path *path, const double *centre, double eps, int most, double *p);

/// How many statuses changed on the last path.
int scree_path_changes(const scree_path *path);

#endif
