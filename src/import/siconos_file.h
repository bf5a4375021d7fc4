// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// siconos_file.h - what stands in an HDF5 file that somebody else wrote: names, attributes, tables.
//
// The file may hold anything. Nothing is followed out of it, no size is believed before the file
// has the bytes, and numbers are finite.

#ifndef SCREE_IMPORT_SICONOS_FILE_H
#define SCREE_IMPORT_SICONOS_FILE_H

#include <hdf5.h>

#include "base/arena.h"
#include "scree/base.h"

typedef struct scree_siconos_table {
    int rows, columns;
    double *value;  // rows x columns
} scree_siconos_table;

/// Is there a group or data set of this name in the file itself?
bool scree_siconos_has(hid_t where, const char *name);

/// A group or data set; -1: there is none. Close with H5Oclose.
hid_t scree_siconos_open(hid_t where, const char *name);

/// Names in a group, ascending, as Siconos meets them; -1 if they cannot be read.
int scree_siconos_names(hid_t group, scree_arena *arena, char ***names);

/// Numbers of an attribute, booleans as 0 and 1; how many there are, -1: no such attribute, more
/// than most of them, or some that are not finite; then out stays as it is.
int scree_siconos_numbers(hid_t node, const char *name, int most, double *out);

/// One number, or otherwise.
double scree_siconos_number(hid_t node, const char *name, double otherwise);

/// Texts of an attribute; how many, 0 if there are none. Those beyond most are left out.
int scree_siconos_texts(hid_t node, const char *name, scree_arena *arena, int most,
                        const char **out);

/// One text, or "".
const char *scree_siconos_text(hid_t node, const char *name, scree_arena *arena);

/// A data set of one or two dimensions with numbers: most rows of it at most, from the row `first`
/// on; -1 is the last one. False if there is none that can be read.
bool scree_siconos_read(hid_t set, scree_arena *arena, int first, int most,
                        scree_siconos_table *table);

#endif
