// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// vtk_elastic.h - an elastic body in one frame as an unstructured grid.

#ifndef SCREE_STORE_VTK_ELASTIC_H
#define SCREE_STORE_VTK_ELASTIC_H

#include "base/arena.h"
#include "scree/run_file.h"
#include "scree/stress.h"
#include "store/vtk.h"

typedef struct scree_vtk_elastic {
    const scree_model *model;
    int parts;                // bodies
    double *strain, *stress;  // of all elements (elements x 6)
    double *reaction;         // of all nodes (nodes x space); NULL: the run does not hold them
} scree_vtk_elastic;

/// Room for the numbers of one frame; false without memory.
bool scree_vtk_elastic_make(const scree_model *model, const scree_run_reader *reader,
                            scree_arena *arena, scree_vtk_elastic *elastic);

/// Take the numbers of a frame from the run file, or find those that it does not hold.
scree_status scree_vtk_elastic_read(scree_vtk_elastic *elastic, scree_run_reader *reader,
                                    int64_t frame, const double *q, scree_error *err);

/// Let the box from low to high hold all nodes that have a place.
void scree_vtk_elastic_surround(const scree_model *model, const double *q, double low[3],
                                double high[3]);

/// Body number e as data to be written; all of it is in the arena or in elastic.
scree_status scree_vtk_elastic_fill(const scree_vtk_elastic *elastic, int e, const double *q,
                                    const double *v, scree_arena *arena, scree_vtk_data *data,
                                    scree_error *err);

#endif
