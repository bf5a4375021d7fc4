// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_mesh.h - meshes in a run file: those of elastic bodies with materials, those of rigid shapes
// as the files they came from.

#ifndef SCREE_STORE_RUN_MESH_H
#define SCREE_STORE_RUN_MESH_H

#include <hdf5.h>

#include "base/arena.h"
#include "scree/fem.h"
#include "scree/run_file.h"

/// Write a group elastic/0, elastic/1 ... for each elastic body of the model below `where`; *fine
/// becomes false if HDF5 refuses.
void scree_run_mesh_write(hid_t where, const scree_model *model, bool *fine);

/// The mesh of elastic body number `elastic`, made of what is stored; *mesh is NULL if the file has
/// none, as files of older versions.
scree_status scree_run_mesh_read(const scree_run_reader *reader, int elastic, scree_mesh **mesh,
                                 scree_error *err);

/// Write a group files for the files of shapes that a scene was built with, as they were read.
void scree_run_mesh_write_files(hid_t where, const scree_scene *scene, bool *fine);

/// These files, in memory of the arena; the row behind the last one has no name. None if the file
/// has none, as files of older versions.
scree_status scree_run_mesh_read_files(const scree_run_reader *reader, scree_arena *arena,
                                       const scree_embedded_file **files, scree_error *err);

/// In run_reader.c: the open file.
hid_t scree_run_reader_file(const scree_run_reader *reader);

#endif
