// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// assemble.h - the one builder of W, the Delassus operator (Schur complement of the contacts).

#ifndef SCREE_LAW_ASSEMBLE_H
#define SCREE_LAW_ASSEMBLE_H

#include "base/arena.h"
#include "scree/problem.h"

/// W = H A H^T in blocks of a problem by bodies: fills row, column, diagonal, block with memory
/// from the arena. Contacts are coupled when they share a part that can move.
scree_status scree_assemble(scree_problem *problem, scree_arena *arena, scree_error *err);

/// The same where impulses push with other rows than those of H: W = H A G^T, which is not
/// symmetric. G by blocks of the same parts as H; NULL: H.
scree_status scree_assemble_pushed(scree_problem *problem, const scree_jacobian_block *pushed,
                                   scree_arena *arena, scree_error *err);

#endif
