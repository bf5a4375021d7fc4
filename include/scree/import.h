// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// import.h - scenes from files of other programs (docs/import.md).
//
// Siconos' mechanics files (HDF5), OBJ with a body per object, tables of bodies (CSV), MJCF and
// URDF become the text of a scene. What could not be carried over is said, sentence by sentence.

#ifndef SCREE_IMPORT_H
#define SCREE_IMPORT_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What a file does not say. Where it does, NaN keeps its word and a number overrides it.
typedef struct scree_import_options {
    const char *format;   // siconos, obj, csv, mjcf or urdf; NULL: by the name and what is inside
    double step;          // [s] NaN: that of the file, or 1e-3 (Siconos: 5e-4)
    double duration;      // [s] NaN: that of the file, or 1 (Siconos: 10)
    double gravity[3];    // [m/s^2] NaN: that of the file, or what its program takes
    double density;       // [kg/m^3] NaN: 1000; of bodies whose mass is not said
    double friction;      // NaN: 0.5, of OBJ and CSV; of the others that of the file
    double restitution;   // NaN: 0
    const char *fixed;    // OBJ: names of bodies that never move, with commas; * at the end: all
                          // that begin so. NULL: none
    double scale;         // OBJ: factor on lengths; NaN: 1
    bool scree_defaults;  // Siconos: scree's own scheme, not the one that its answers were made by
} scree_import_options;

/// NaN, NULL and false throughout.
SCREE_API scree_import_options scree_import_options_default(void);

/// A scene as text, with what was left behind at its head as comments too.
typedef struct scree_imported {
    char *scene;    // owned, with a closing zero
    size_t length;  // without it
    int notes;      // sentences about what was not carried over
    char **note;    // owned (notes)
    int bodies;     // that the scene has
    int joints;
} scree_imported;

/// Read a file. Free what came of it, also after an error.
SCREE_API scree_status scree_import(const char *path, const scree_import_options *options,
                                    scree_imported *imported, scree_error *err);

/// Free it, with all that it owns.
SCREE_API void scree_imported_free(scree_imported *imported);

#ifdef __cplusplus
}
#endif

#endif
