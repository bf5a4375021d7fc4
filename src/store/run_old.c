// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_old.c - run files of before: tables of rows, without digests.

#include <limits.h>

#include "scree/stress.h"
#include "store/run_read.h"

static hid_t open_table(hid_t file, const char *name, int64_t *rows) {
    hid_t set = scree_layout_open(file, name);
    hid_t space = set < 0 ? -1 : H5Dget_space(set);
    hsize_t size = 0;
    if (space < 0 || H5Sget_simple_extent_ndims(space) != 1 ||
        H5Sget_simple_extent_dims(space, &size, NULL) < 0 || size > INT64_MAX) {
        if (set >= 0) H5Dclose(set);
        set = -1;
        size = 0;
    }
    if (space >= 0) H5Sclose(space);
    *rows = (int64_t)size;
    return set;
}

// the length of one side of the array that a row is, or 0
static int rows_of_array(hid_t set, int columns) {
    hsize_t size[2] = { 0 };
    hid_t type = set < 0 ? -1 : H5Dget_type(set);
    bool fine = type >= 0 && H5Tget_class(type) == H5T_ARRAY && H5Tget_array_ndims(type) == 2 &&
                H5Tget_array_dims2(type, size) >= 0 && size[1] == (hsize_t)columns &&
                size[0] < INT_MAX;
    if (type >= 0) H5Tclose(type);
    return fine ? (int)size[0] : 0;
}

// does a row hold so many numbers?
static bool is_vector(hid_t set, int length) {
    hsize_t size[2] = { 0 };
    hid_t type = set < 0 ? -1 : H5Dget_type(set);
    bool fine = type >= 0 && H5Tget_class(type) == H5T_ARRAY && H5Tget_array_ndims(type) == 1 &&
                H5Tget_array_dims2(type, size) >= 0 && size[0] == (hsize_t)length;
    if (type >= 0) H5Tclose(type);
    return fine;
}

static hid_t array_type(int rows, int columns) {
    hsize_t size[2] = { (hsize_t)rows, (hsize_t)columns };
    return rows ? H5Tarray_create2(H5T_NATIVE_DOUBLE, 2, size) : -1;
}

// a table of results, one row for each frame; fewer rows mean fewer frames
static hid_t open_results(scree_run_reader *reader, const char *name) {
    hid_t file = reader->memory->file;
    int64_t rows;
    if (H5Lexists(file, name, H5P_DEFAULT) <= 0) return -1;
    hid_t set = open_table(file, name, &rows);
    if (set >= 0 && rows < reader->frames) reader->frames = rows;
    return set;
}

static void open_elastic(scree_run_reader *reader) {
    scree_run_old *old = &reader->memory->old;
    old->strain = open_results(reader, "strain");
    old->stress = open_results(reader, "stress");
    old->reactions = open_results(reader, "reactions");
    int elements = rows_of_array(old->stress, SCREE_TENSOR);
    reader->elements = rows_of_array(old->strain, SCREE_TENSOR) == elements ? elements : 0;
    reader->reaction_nodes = rows_of_array(old->reactions, reader->space);
    old->tensor_type = array_type(reader->elements, SCREE_TENSOR);
    old->force_type = array_type(reader->reaction_nodes, reader->space);
}

bool scree_run_old_open(scree_run_reader *reader) {
    struct scree_run_reader_memory *memory = reader->memory;
    scree_run_old *old = &memory->old;
    int64_t q, v;
    hsize_t dofs = (hsize_t)reader->dofs, coordinates = (hsize_t)reader->coordinates;
    scree_extent extent = { reader->space, reader->dimension, true, memory->format };
    old->frames = open_table(memory->file, "frames", &reader->frames);
    old->q = open_table(memory->file, "q", &q);
    old->v = open_table(memory->file, "v", &v);
    old->steps = open_table(memory->file, "steps", &reader->steps);
    old->contacts = open_table(memory->file, "contacts", &reader->contacts);
    old->step_type = scree_layout_row_type(SCREE_TABLE_STEPS, extent);
    old->frame_type = scree_layout_row_type(SCREE_TABLE_FRAMES, extent);
    old->contact_type = scree_layout_row_type(SCREE_TABLE_CONTACTS, extent);
    old->q_type = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &coordinates);
    old->v_type = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &dofs);
    if (q < reader->frames) reader->frames = q;
    if (v < reader->frames) reader->frames = v;
    open_elastic(reader);
    return old->steps >= 0 && old->frames >= 0 && old->q >= 0 && old->v >= 0 &&
           old->contacts >= 0 && old->step_type >= 0 && old->frame_type >= 0 &&
           old->contact_type >= 0 && old->q_type >= 0 && old->v_type >= 0 &&
           is_vector(old->q, reader->coordinates) && is_vector(old->v, reader->dofs);
}

bool scree_run_old_rows(hid_t set, hid_t type, int64_t first, int64_t count, void *out) {
    if (count == 0) return true;
    hsize_t start = (hsize_t)first, size = (hsize_t)count;
    hid_t space = H5Dget_space(set), memory = H5Screate_simple(1, &size, NULL);
    bool fine = H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &size, NULL) >= 0 &&
                H5Dread(set, type, memory, space, H5P_DEFAULT, out) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return fine;
}

void scree_run_old_close(scree_run_old *old) {
    const hid_t sets[] = { old->steps,    old->frames, old->q,      old->v,
                           old->contacts, old->strain, old->stress, old->reactions };
    const hid_t types[] = { old->step_type, old->frame_type,  old->contact_type, old->q_type,
                            old->v_type,    old->tensor_type, old->force_type };
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (sets[i] > 0) H5Dclose(sets[i]);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i] > 0) H5Tclose(types[i]);
}
