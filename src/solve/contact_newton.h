// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// contact_newton.h - Newton on Coulomb's law, for those who have swept and analysed already.

#ifndef SCREE_SOLVE_CONTACT_NEWTON_H
#define SCREE_SOLVE_CONTACT_NEWTON_H

#include "solve/block_lu.h"
#include "solve/gauss_seidel.h"

/// From context->p as it is, until the report counts `limit` iterations.
scree_status scree_contact_newton_continue(scree_solver_context *context, scree_gauss_seidel *sweep,
                                           scree_block_lu *lu, int limit, scree_error *err);

#endif
