// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// problem_file.h - contact problems in files: FCLIB (HDF5) and the text formats of the field.

#ifndef SCREE_PROBLEM_FILE_H
#define SCREE_PROBLEM_FILE_H

#include "scree/lcp.h"
#include "scree/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a file held. Exactly one of problem.contacts >= 0 (is_lcp false) or lcp is meaningful.
typedef struct scree_problem_file {
    bool is_lcp;
    scree_problem problem;  // a global problem also has problem.motion, and W condensed from it
    scree_lcp lcp;
    const char *format;   // "FCLIB local", "FCLIB global", "text local", ..., "text LCP"
    double asymmetry;     // max |W - W^T| / max |W|
    const double *guess;  // (nc x d), the last guess of an FCLIB file, or NULL
    void *owner;
} scree_problem_file;

/// Errors name the file and the line (text) or the dataset (HDF5) and what was expected there.
SCREE_API scree_status scree_problem_read(const char *path, scree_problem_file *file,
                                          scree_error *err);

/// Free it, with all that it owns.
SCREE_API void scree_problem_file_free(scree_problem_file *file);

/// FCLIB: global when the problem has a motion or is given by bodies whose inertia is known,
/// otherwise local. p: guess or solution to go with it, or NULL. The file appears whole or not at
/// all.
typedef struct scree_problem_notes {
    const char *title, *description;
    const double *guess, *solution;  // (nc x d) or NULL
} scree_problem_notes;

/// Write a problem to a file (see above); notes may be NULL.
SCREE_API scree_status scree_problem_write(const char *path, const scree_problem *problem,
                                           const scree_problem_notes *notes, scree_error *err);

#ifdef __cplusplus
}
#endif

#endif
