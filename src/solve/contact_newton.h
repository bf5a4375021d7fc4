// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// contact_newton.h - Newton on Coulomb's law, for those who have swept and analysed already.

#ifndef SCREE_SOLVE_CONTACT_NEWTON_H
#define SCREE_SOLVE_CONTACT_NEWTON_H

#include "solve/block_lu.h"
#include "solve/sweep.h"

/// From task->p as it is, until the report counts `limit` iterations.
scree_status scree_contact_newton_continue(scree_task *task, scree_sweep *sweep, scree_block_lu *lu,
                                           int limit, scree_error *err);

#endif
