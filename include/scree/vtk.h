// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// vtk.h - runs of bodies as files for ParaView and VTK; docs/run-file.md says what is in them.

#ifndef SCREE_VTK_H
#define SCREE_VTK_H

#include "scree/run_file.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_vtk_request {
    const char *folder;  // is made; an old export in it is replaced, anything else refused
    int every;           // frames of the run, at least 1: every so many are written
    /// Called after every frame (may be NULL); a value other than 0 stops.
    int (*on_frame)(void *data, int64_t done, int64_t frames);
    /// Called with the name of each file that was made, at the end (may be NULL).
    void (*made)(void *data, const char *path);
    void *data;
} scree_vtk_request;

/// Every frame, nobody is called; the folder is to be said.
SCREE_API scree_vtk_request scree_vtk_request_default(void);

/// Write PVD collections and VTP files of a run with bodies; model and options are those of its
/// scene. Numbers have as many bytes as in the run file. If it fails, nothing is left behind.
SCREE_API scree_status scree_vtk_export(scree_run_reader *reader, const scree_model *model,
                                        const scree_run_options *options,
                                        const scree_vtk_request *request, scree_error *err);

#ifdef __cplusplus
}
#endif

#endif
