// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// equilibria.h - figures of equilibria: Coulomb's cone with the set in it, and the map of kinds.

#ifndef SCREE_SHOW_EQUILIBRIA_H
#define SCREE_SHOW_EQUILIBRIA_H

#include "scree/equilibria.h"

/// Draw the cone of each contact (the first SHOW_CONES of them) with all pieces as they look in its
/// plane r_T, r_N: lines for segments and rays, dots for points and the corners of faces. One
/// elastic contact also shows the line of closed gaps, of which the cone cuts the equilibria.
scree_status show_cones(const scree_equilibrium_system *system, const scree_equilibria *set,
                        const char *caption, const char *file, scree_error *err);

/// A grid over one or two parameters, evenly spaced; the kind of point (i, j) is
/// kind[i * count[1] + j].
typedef struct show_kinds_grid {
    const char *name[2];     // the second NULL if there is one parameter
    const double *value[2];  // (count)
    int count[2];            // the second 1 if there is one parameter
    const int *kind;
    const char *const *label;  // of kinds
    int kinds;
} show_kinds_grid;

/// Two parameters: a map in colours. One: dots over the parameter, a row for each kind.
scree_status show_kinds_map(const show_kinds_grid *grid, const char *caption, const char *file,
                            scree_error *err);

enum { SHOW_CONES = 6, SHOW_KINDS = 24 };  // drawn at most; the last kind stands for the rest

#endif
