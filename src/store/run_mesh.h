// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_mesh.h - meshes and materials of elastic bodies in a run file.

#ifndef SCREE_STORE_RUN_MESH_H
#define SCREE_STORE_RUN_MESH_H

#include <hdf5.h>

#include "scree/fem.h"
#include "scree/run_file.h"

/// Write a group elastic/0, elastic/1 ... for each elastic body of the model below `where`; *fine
/// becomes false if HDF5 refuses.
void scree_run_mesh_write(hid_t where, const scree_model *model, bool *fine);

/// The mesh of elastic body number `elastic`, made of what is stored; *mesh is NULL if the file has
/// none, as files of older versions.
scree_status scree_run_mesh_read(const scree_run_reader *reader, int elastic, scree_mesh **mesh,
                                 scree_error *err);

/// In run_reader.c: the open file.
hid_t scree_run_reader_file(const scree_run_reader *reader);

#endif
