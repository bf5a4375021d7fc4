// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sheet.h - a small table that is written once, as a data set of compounds with named fields.

#ifndef SCREE_STORE_SHEET_H
#define SCREE_STORE_SHEET_H

#include <hdf5.h>
#include <stdbool.h>

/// One field of one row.
typedef union scree_sheet_value {
    double number[8];
    long long integer;
    const char *text;
} scree_sheet_value;

typedef struct scree_sheet_field {
    const char *name;
    char type;   // d numbers, i integer of 32 bits, l of 64, b of 8, s text
    int length;  // of d: 1, or the numbers of an array
} scree_sheet_field;

typedef struct scree_sheet {
    const scree_sheet_field *field;
    int fields;
    int rows;
    void (*get)(const void *data, int row, int field, scree_sheet_value *value);
    const void *data;
} scree_sheet;

/// Write it; *fine becomes false if HDF5 refuses or memory runs out.
void scree_sheet_put(hid_t where, const char *name, const scree_sheet *sheet, bool *fine);

#endif
