// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// vtk_run.h - frames of a run as VTK files, one collection for each kind of thing to see.
//
//     folder/balls.pvd     discs, spheres and points: their centres, with radius
//     folder/shapes.pvd    everything else that may move, as polygons
//     folder/fixed.pvd     what never moves, once
//     folder/elastic.pvd   meshes of elastic bodies, a part for each body
//     folder/contacts.pvd  points with forces
//     folder/data/         the .vtp and .vtu files that they name

#ifndef SCREE_STORE_VTK_RUN_H
#define SCREE_STORE_VTK_RUN_H

#include "scree/run_file.h"

typedef enum scree_vtk_kind {
    SCREE_VTK_BALLS,
    SCREE_VTK_SHAPES,
    SCREE_VTK_FIXED,
    SCREE_VTK_ELASTIC,
    SCREE_VTK_CONTACTS,
    SCREE_VTK_KINDS
} scree_vtk_kind;

const char *scree_vtk_kind_name(scree_vtk_kind kind);

typedef struct scree_vtk_run scree_vtk_run;

/// Everything is borrowed. Takes every N-th frame of the run. single: numbers of four bytes.
scree_status scree_vtk_run_new(scree_run_reader *reader, const scree_model *model, double step,
                               bool single, const char *folder, int every, scree_vtk_run **run,
                               scree_error *err);
void scree_vtk_run_free(scree_vtk_run *run);

/// How many frames will be written.
int64_t scree_vtk_run_frames(const scree_vtk_run *run);

/// Write the files of frame i of them, from 0 on and in order. The folder and its data/ are there.
scree_status scree_vtk_run_frame(scree_vtk_run *run, int64_t i, scree_error *err);

/// Write the collections with all frames so far; a kind that the run does not have gets none.
scree_status scree_vtk_run_collect(const scree_vtk_run *run, scree_error *err);

/// Names of the .vtp or .vtu files of a kind so far, relative to the folder.
const char *const *scree_vtk_run_files(const scree_vtk_run *run, scree_vtk_kind kind,
                                       int64_t *count);

/// Does the run have things of this kind?
bool scree_vtk_run_has(const scree_vtk_run *run, scree_vtk_kind kind);

#endif
