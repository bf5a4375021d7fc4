// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// equilibria.h - figures of equilibria: Coulomb's cone with the set in it, and the map of kinds.

#ifndef SCREE_SHOW_EQUILIBRIA_H
#define SCREE_SHOW_EQUILIBRIA_H

#include "scree/equilibria.h"

/// Draw the cone of each contact (the first SHOW_CONES of them) with all pieces as they look in its
/// plane r_T, r_N: lines for segments and rays, dots for points and the corners of faces. One
/// elastic contact also shows the line of closed gaps, of which the cone cuts the equilibria.
scree_status show_cones(const scree_rest_system *system, const scree_equilibria *set,
                        const char *caption, const char *file, scree_error *err);

/// A grid over one or two parameters; the kind of point (i, j) is kind[i * counts[1] + j].
typedef struct show_map {
    const char *name[2];     // the second NULL if there is one parameter
    const double *value[2];  // (count)
    int count[2];            // the second 1 if there is one parameter
    const int *kind;
    const char *const *label;  // of kinds
    int kinds;
} show_map;

scree_status show_kinds_of_map(const show_map *map, const char *caption, const char *file,
                               scree_error *err);

enum { SHOW_CONES = 6, SHOW_MAP_KINDS = 24 };

#endif
