// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_vtkhdf.h - a run file as VTK sees it: a group /VTKHDF over the tables that are there.
//
// The group is for others: no reader of scree looks into it, and what stands in it can be thrown
// away.

#ifndef SCREE_STORE_RUN_VTKHDF_H
#define SCREE_STORE_RUN_VTKHDF_H

#include "store/layout.h"
#include "store/pack.h"

/// The group of a new file, without anything in it; none for models without bodies.
bool scree_run_vtkhdf_prepare(hid_t file, const scree_model *model);

/// Empty the group: the tables are about to change.
void scree_run_vtkhdf_clear(hid_t file);

/// Fill it for so many states. A group that cannot be filled is left empty; files without one are
/// left alone.
void scree_run_vtkhdf_fill(hid_t file, const scree_model *model, int64_t frames,
                           scree_packer *packer);

#endif
