// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_header.h - what a run file says before its first step: scene, options, model.

#ifndef SCREE_STORE_RUN_HEADER_H
#define SCREE_STORE_RUN_HEADER_H

#include "store/layout.h"

/// Write the header of a new file; q: coordinates at the start. *fine becomes false if HDF5 refuses
/// or memory runs out.
void scree_run_header_write(hid_t file, const scree_run_origin *origin, const double *q,
                            bool *fine);

/// The file that the scene of a run is from, and whether a program had a hand in the run.
const char *scree_run_header_scene(hid_t file, scree_arena *arena, bool *program);

/// Does a file hold this very model, at the start with coordinates q, and these options but for the
/// duration? By their digests.
bool scree_run_header_same_model(hid_t file, const scree_run_origin *origin, const double *q);

/// In run_model.c: tables of bodies, shapes and laws.
void scree_run_model_write(hid_t file, const scree_model *model, const scree_scheme_options *scheme,
                           const double *q, bool *fine);

/// Digests of the data sets of scene and model, in a table of their own, and of the options.
void scree_run_header_seal(hid_t file, bool *fine);

/// Do the data sets of that table have their digests? damaged: the name of one that has not, or "".
bool scree_run_header_check(hid_t file, char *damaged, size_t size);

/// What a run was made with, where its scene left it open.
typedef struct scree_run_settings {
    double theta, tolerance;  // NaN: not stored
    int approach;             // scree_approach, as it was chosen; 0: of a time that stored `auto`
    int correction;   // scree_correction; -1: of a time that had none unless it was asked for
    double alpha;     // that works are done with; NaN: not stored
    int every;        // steps from frame to frame; -1: not stored
    double duration;  // [s]; NaN: not stored
    int adapts;       // theta is that of each island; -1: not stored
} scree_run_settings;

/// Store that a program has a hand in the run.
bool scree_run_header_put_program(hid_t file);

/// Store another duration in a file that goes on.
bool scree_run_header_put_duration(hid_t file, double duration);

/// Options of a file, whatever its format; nothing is stored where one of them cannot be read, or
/// where they do not have their digest. Files of before may have none.
scree_run_settings scree_run_header_settings(hid_t file);

#endif
