// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sides.h - H of contacts whose sides are rigid bodies or nodes of elastic ones: what sources of
// such contacts have in common.

#ifndef SCREE_STEP_SIDES_H
#define SCREE_STEP_SIDES_H

#include "step/contacts.h"

/// u = H x of contact i; of bodies only those that move, or only those that are driven. stencil:
/// the nodes it hangs on, or NULL.
void scree_sides_velocity(const scree_model *model, const scree_contact_set *set, int i,
                          const scree_node_stencil *stencil, const double *x, bool driven,
                          double *u);

/// x += H^T p.
void scree_sides_impulse(const scree_model *model, const scree_contact_set *set, int i,
                         const scree_node_stencil *stencil, const double *p, double *x);

/// H in blocks (source.h).
int scree_sides_rows(const scree_model *model, const scree_contact_set *set, int i,
                     const scree_node_stencil *stencil, const scree_inertia *inertia,
                     scree_arena *arena, scree_jacobian_block *block);

/// size + that of the velocities of the rigid bodies at contact i, whose own are `of` (bodies).
double scree_sides_velocity_scale(const scree_model *model, const scree_contact_set *set, int i,
                                  const scree_velocity_scale *of, double size);

#endif
