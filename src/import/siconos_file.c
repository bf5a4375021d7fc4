// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// siconos_file.c - names, attributes and tables of an HDF5 file of somebody else.
// in: an open file.   out: numbers and texts that were looked at.

#include "import/siconos_file.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "store/layout.h"

enum { ATTRIBUTE_MOST = 256, NAMES_MOST = 1 << 20, TEXT_MOST = 4096, NUMBERS_MOST = 1 << 24 };

bool scree_siconos_has(hid_t where, const char *name) {
    H5L_info_t info;
    return where >= 0 && H5Lexists(where, name, H5P_DEFAULT) > 0 &&
           H5Lget_info(where, name, &info, H5P_DEFAULT) >= 0 && info.type == H5L_TYPE_HARD;
}

hid_t scree_siconos_open(hid_t where, const char *name) {
    return scree_siconos_has(where, name) ? H5Oopen(where, name, H5P_DEFAULT) : -1;
}

// ---- names

typedef struct name_list {
    scree_arena *arena;
    char **name;
    int count, room;
    bool failed;
} name_list;

static herr_t take_name(hid_t group, const char *name, const H5L_info_t *info, void *data) {
    (void)group;
    name_list *list = data;
    if (info->type != H5L_TYPE_HARD) return 0;
    if (list->count == NAMES_MOST) return -1;
    if (list->count == list->room) {
        int room = list->room ? 2 * list->room : 64;
        char **grown = SCREE_NEW(list->arena, char *, room);
        list->failed = !grown;
        if (!grown) return -1;
        if (list->count) memcpy(grown, list->name, (size_t)list->count * sizeof *grown);
        list->name = grown;
        list->room = room;
    }
    char *copy = scree_arena_text(list->arena, name, strlen(name));
    list->failed = !copy;
    if (!copy) return -1;
    list->name[list->count++] = copy;
    return 0;
}

int scree_siconos_names(hid_t group, scree_arena *arena, char ***names) {
    name_list list = { .arena = arena };
    *names = NULL;
    if (group < 0 || H5Iget_type(group) != H5I_GROUP) return -1;
    herr_t status = H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, take_name, &list);
    *names = list.name;
    return status < 0 ? -1 : list.count;
}

// ---- attributes

static hid_t open_attribute(hid_t node, const char *name) {
    return node >= 0 && H5Aexists(node, name) > 0 ? H5Aopen(node, name, H5P_DEFAULT) : -1;
}

// numpy's booleans are enumerations of one byte
static bool read_flags(hid_t attribute, hid_t type, int count, double *out) {
    signed char flag[ATTRIBUTE_MOST];
    if (H5Tget_size(type) != 1) return false;
    if (H5Aread(attribute, type, flag) < 0) return false;
    for (int i = 0; i < count; i++) out[i] = flag[i] != 0;
    return true;
}

int scree_siconos_numbers(hid_t node, const char *name, int most, double *out) {
    hid_t attribute = open_attribute(node, name);
    if (attribute < 0) return -1;
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    H5T_class_t kind = H5Tget_class(type);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    double value[ATTRIBUTE_MOST];
    bool fine = count > 0 && count <= most && count <= ATTRIBUTE_MOST;
    if (fine && kind == H5T_ENUM)
        fine = read_flags(attribute, type, (int)count, value);
    else if (fine)
        fine = (kind == H5T_INTEGER || kind == H5T_FLOAT) &&
               H5Aread(attribute, H5T_NATIVE_DOUBLE, value) >= 0;
    for (int i = 0; fine && i < (int)count; i++) fine = isfinite(value[i]);
    if (fine) memcpy(out, value, (size_t)count * sizeof *out);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return fine ? (int)count : -1;
}

double scree_siconos_number(hid_t node, const char *name, double otherwise) {
    double value;
    return scree_siconos_numbers(node, name, 1, &value) == 1 ? value : otherwise;
}

// texts whose lengths the heap of the file knows
static int take_variable(hid_t attribute, hid_t type, hid_t space, scree_arena *arena, int count,
                         int most, const char **out) {
    char **text = SCREE_NEW(arena, char *, count);
    int taken = 0;
    if (!text || H5Aread(attribute, type, text) < 0) return 0;
    for (int i = 0; i < count && i < most; i++) {
        size_t length = text[i] ? strnlen(text[i], TEXT_MOST + 1) : 0;
        char *copy = scree_arena_text(arena, text[i] ? text[i] : "", length);
        if (!copy || length > TEXT_MOST) break;
        out[taken++] = copy;
    }
    H5Dvlen_reclaim(type, space, H5P_DEFAULT, text);
    return taken;
}

static int take_fixed(hid_t attribute, hid_t type, scree_arena *arena, int count, int most,
                      const char **out) {
    size_t width = H5Tget_size(type);
    if (width == 0 || width > TEXT_MOST) return 0;
    char *all = SCREE_NEW(arena, char, (width * (size_t)count));
    if (!all || H5Aread(attribute, type, all) < 0) return 0;
    int taken = 0;
    for (; taken < count && taken < most; taken++) {
        const char *one = all + (size_t)taken * width;
        out[taken] = scree_arena_text(arena, one, strnlen(one, width));
        if (!out[taken]) break;
    }
    return taken;
}

int scree_siconos_texts(hid_t node, const char *name, scree_arena *arena, int most,
                        const char **out) {
    hid_t attribute = open_attribute(node, name);
    if (attribute < 0) return 0;
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    int taken = 0;
    if (count > 0 && count <= TEXT_MOST && H5Tget_class(type) == H5T_STRING)
        taken = H5Tis_variable_str(type) > 0
                    ? take_variable(attribute, type, space, arena, (int)count, most, out)
                    : take_fixed(attribute, type, arena, (int)count, most, out);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return taken;
}

const char *scree_siconos_text(hid_t node, const char *name, scree_arena *arena) {
    const char *text;
    return scree_siconos_texts(node, name, arena, 1, &text) == 1 ? text : "";
}

// ---- tables

static bool read_rows(hid_t set, hid_t space, hsize_t first, hsize_t rows, hsize_t columns,
                      int dimensions, double *out) {
    const hsize_t start[2] = { first, 0 }, count[2] = { rows, columns };
    hid_t memory = H5Screate_simple(dimensions, count, NULL);
    bool fine = memory >= 0 &&
                H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0 &&
                H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, out) >= 0;
    if (memory >= 0) H5Sclose(memory);
    return fine;
}

bool scree_siconos_read(hid_t set, scree_arena *arena, int first, int most,
                        scree_siconos_table *table) {
    *table = (scree_siconos_table){ 0 };
    if (set < 0 || H5Iget_type(set) != H5I_DATASET) return false;
    hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    H5T_class_t kind = H5Tget_class(type);
    hsize_t size[2] = { 0, 1 };
    int dimensions = H5Sget_simple_extent_ndims(space);
    bool fine = (kind == H5T_INTEGER || kind == H5T_FLOAT) && dimensions >= 1 && dimensions <= 2 &&
                H5Sget_simple_extent_dims(space, size, NULL) == dimensions;
    if (dimensions == 1) size[1] = 1;
    fine = fine && size[0] > 0 && size[1] > 0 && size[0] <= INT_MAX && size[1] <= NUMBERS_MOST &&
           scree_layout_stored(set, type, (size_t)size[0] * (size_t)size[1]);
    // from the end if first is negative
    hsize_t from = first >= 0    ? (hsize_t)first
                   : size[0] > 0 ? size[0] + (hsize_t)(int64_t)first
                                 : 0;
    fine = fine && from < size[0];
    hsize_t rows = fine && size[0] - from < (hsize_t)most ? size[0] - from : (hsize_t)most;
    fine = fine && rows * size[1] <= NUMBERS_MOST;
    if (fine) {
        *table = (scree_siconos_table){ (int)rows, (int)size[1],
                                        SCREE_NEW(arena, double, ((size_t)rows * size[1])) };
        fine = table->value && read_rows(set, space, from, rows, size[1], dimensions, table->value);
        for (size_t i = 0; fine && i < (size_t)rows * size[1]; i++)
            fine = isfinite(table->value[i]);
    }
    H5Sclose(space);
    H5Tclose(type);
    return fine;
}
