// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// vtk.h - VTK's XML files: poly data and grids with raw appended numbers, and collections over
// time.
//
// What ParaView 5.11 and VTK 9.1 read: header_type UInt64, the byte order of this machine.

#ifndef SCREE_STORE_VTK_H
#define SCREE_STORE_VTK_H

#include <stdint.h>

#include "scree/base.h"

typedef enum scree_vtk_type {
    SCREE_VTK_NUMBER,  // double in memory, in the file Float64 or Float32
    SCREE_VTK_UINT8,
    SCREE_VTK_INT32,
    SCREE_VTK_INT64,
    SCREE_VTK_UINT64,
} scree_vtk_type;

typedef struct scree_vtk_array {
    const char *name;
    scree_vtk_type type;
    int components;
    const void *data;  // (tuples x components), borrowed
} scree_vtk_array;

/// Cells as VTK has them: corners one after the other, and where each cell ends.
typedef struct scree_vtk_cells {
    int64_t cells, corners;
    const int64_t *corner;  // (corners)
    const int64_t *end;     // (cells)
} scree_vtk_cells;

enum { SCREE_VTK_ARRAYS = 12 };

/// Everything is borrowed. Arrays of cells count lines first, then polygons. Arrays of six
/// components are symmetric tensors, xx yy zz xy yz xz.
typedef struct scree_vtk_data {
    double time;
    bool single;  // numbers as Float32
    int64_t points;
    const double *point;  // (points x 3)
    scree_vtk_cells lines, polygons;
    bool vertices;         // each point is a cell
    scree_vtk_cells grid;  // of an unstructured grid, which has none of the other cells
    const uint8_t *type;   // VTK's numbers of their kinds (grid.cells)
    int point_arrays, cell_arrays;
    scree_vtk_array point_array[SCREE_VTK_ARRAYS], cell_array[SCREE_VTK_ARRAYS];
} scree_vtk_data;

/// Write a .vtp file, or a .vtu file if data has cells of a grid.
scree_status scree_vtk_write(const char *path, const scree_vtk_data *data, scree_error *err);

/// Write a .pvd file: which file shows which time, and there which part of the whole. file[i] is
/// relative to the folder of path.
scree_status scree_vtk_collect(const char *path, const double *time, const int *part,
                               const char *const *file, int64_t count, scree_error *err);

/// Is path a .pvd file that scree_vtk_collect wrote?
bool scree_vtk_is_ours(const char *path);

#endif
