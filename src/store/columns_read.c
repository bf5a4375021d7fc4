// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// columns_read.c - tables of a run file read back, with the digest of every row.
//
// The file is an enemy's: ranks, widths, types and lengths are looked at here, once, when a table
// is opened.

#include <limits.h>
#include <stdlib.h>

#include "store/columns.h"
#include "store/run_open.h"

// the type in memory of what a data set holds: of numbers double, of integers 64 bits
static char type_of(hid_t set) {
    hid_t type = H5Dget_type(set);
    H5T_class_t class = H5Tget_class(type);
    char found = class == H5T_FLOAT                                            ? 'd'
                 : class != H5T_INTEGER || H5Tget_size(type) > 8               ? 0
                 : H5Tget_sign(type) == H5T_SGN_NONE && H5Tget_size(type) == 8 ? 'u'
                                                                               : 'l';
    H5Tclose(type);
    return found;
}

static size_t size_of(hid_t set) {
    hid_t type = H5Dget_type(set);
    size_t size = H5Tget_size(type);
    H5Tclose(type);
    return size;
}

static bool same_kind(char stored, char wanted) {
    if (scree_layout_real(wanted)) return stored == 'd';
    return wanted == 'u' || wanted == 'x' ? stored == 'u' : stored == 'l';
}

enum { INFLATED_MOST = 1 << 26 };  // bytes of a compressed chunk of more than one row

// in chunks, and those that have to be inflated are of a size that somebody may have wanted
static bool is_chunked(hid_t set, int rank, size_t bytes) {
    hsize_t chunk[3] = { 1, 1, 1 };
    hid_t plist = H5Dget_create_plist(set);
    bool chunked = plist >= 0 && H5Pget_layout(plist) == H5D_CHUNKED &&
                   H5Pget_chunk(plist, rank, chunk) == rank;
    bool packed = plist >= 0 && H5Pget_nfilters(plist) != 0;
    if (plist >= 0) H5Pclose(plist);
    return chunked &&
           (!packed || chunk[0] == 1 || chunk[0] * chunk[1] * chunk[2] <= INFLATED_MOST / bytes);
}

// a column of the open file: its rows count if they are fewer than those of others
static bool open_column(scree_columns_reader *reader, hid_t file, const char *name, int rank,
                        size_t width) {
    hsize_t size[3] = { 0, 1, 1 };
    if (reader->count == SCREE_COLUMNS_MOST) return false;
    hid_t set = scree_layout_open(file, name);
    hid_t space = set < 0 ? -1 : H5Dget_space(set);
    int found = space < 0 ? -1 : H5Sget_simple_extent_ndims(space);
    size_t bytes = space < 0 ? 0 : size_of(set);
    bool fine = found > 0 && found <= 3 && bytes > 0 && is_chunked(set, found, bytes) &&
                (!rank || found == rank) && H5Sget_simple_extent_dims(space, size, NULL) >= 0 &&
                size[0] < INT64_MAX && size[1] <= INT_MAX && size[2] <= INT_MAX &&
                (!width || size[1] * size[2] == width);
    if (space >= 0) H5Sclose(space);
    char type = fine ? type_of(set) : 0;
    if (set >= 0) {
        int i = reader->count++;
        reader->column[i].set = set;
        reader->column[i].type = type;
        reader->column[i].width = size[1] * size[2];
    }
    if (reader->rows > (int64_t)size[0]) reader->rows = (int64_t)size[0];
    return fine && type;
}

bool scree_columns_find_array(scree_columns_reader *reader, hid_t file, const char *name, int rank,
                              size_t width) {
    *reader = (scree_columns_reader){ .rows = INT64_MAX };
    bool fine = open_column(reader, file, name, rank, width) && reader->column[0].type == 'd';
    if (fine) reader->column[0].known = true;
    if (!reader->count) reader->rows = 0;
    return fine;
}

static const scree_layout_column *look_up(const char *name, scree_table table,
                                          scree_extent extent) {
    for (const scree_layout_column *c = scree_layout_columns(table); c->name; c++)
        if (strcmp(c->name, name) == 0 && scree_layout_has(c, extent)) return c;
    return NULL;
}

static bool find_one(scree_columns_reader *reader, hid_t group, const char *name, scree_table table,
                     scree_extent extent) {
    const scree_layout_column *known = look_up(name, table, extent);
    size_t width = known ? (size_t)scree_layout_length(known->type, extent) : 0;
    int rank = !known ? 0 : strchr("vpt", known->type) ? 2 : 1;
    if (!open_column(reader, group, name, rank, width)) return false;
    int i = reader->count - 1;
    if (!known) return true;
    if (!same_kind(reader->column[i].type, known->type)) return false;
    reader->column[i].type = known->type;
    reader->column[i].known = known->type != 'x';
    reader->column[i].offset = known->offset;
    return true;
}

bool scree_columns_find(scree_columns_reader *reader, hid_t file, const char *name,
                        scree_table table, scree_extent extent) {
    *reader = (scree_columns_reader){ .rows = INT64_MAX };
    hid_t group = scree_layout_enter(file, name);
    scree_arena arena = { 0 };
    char *list = group < 0 ? NULL : (char *)scree_layout_text(group, "columns", &arena);
    bool fine = list && *list;
    for (char *word = list, *end; fine && *word; word = end) {
        end = word + strcspn(word, " ");
        if (*end) *end++ = '\0';
        fine = find_one(reader, group, word, table, extent);
    }
    scree_arena_free(&arena);
    if (group >= 0) H5Gclose(group);
    if (!fine) reader->rows = 0;
    return fine;
}

// may a writer be at work beside us?
static bool may_grow(hid_t set) {
    unsigned intent = 0;
    hid_t file = H5Iget_file_id(set);
    bool known = file >= 0 && H5Fget_intent(file, &intent) >= 0;
    if (file >= 0) H5Fclose(file);
    return known && (intent & H5F_ACC_SWMR_READ);
}

// the index of a table that grows may be met while it is written
static bool read_patiently(hid_t set, hid_t type, hid_t memory, hid_t space, void *out) {
    enum { TRIES = 3 };
    bool fine = H5Dread(set, type, memory, space, H5P_DEFAULT, out) >= 0;
    int tries = fine || !may_grow(set) ? 0 : TRIES;
    for (int i = 0; !fine && i < tries; i++) {
        scree_run_wait();
        fine = H5Dread(set, type, memory, space, H5P_DEFAULT, out) >= 0;
    }
    return fine;
}

// A chunk is not stored in many more bytes than it has, whatever the filters of HDF5 it went
// through. One that is would be inflated without end.
static bool is_inflatable(hid_t set, int rank, const hsize_t *size, hsize_t first, hsize_t count) {
    enum { CHECKSUMS = 64 };
    hsize_t chunk[3] = { 1, 1, 1 }, at[3], stored;
    hid_t plist = H5Dget_create_plist(set);
    bool packed = H5Pget_nfilters(plist) != 0;
    H5Pget_chunk(plist, rank, chunk);
    H5Pclose(plist);
    if (!packed) return true;
    const hsize_t most = 2 * chunk[0] * chunk[1] * chunk[2] * size_of(set) + CHECKSUMS;
    bool fine = true;
    for (at[0] = first / chunk[0] * chunk[0]; fine && at[0] < first + count; at[0] += chunk[0])
        for (at[1] = 0; fine && at[1] < size[1]; at[1] += chunk[1])
            for (at[2] = 0; fine && at[2] < size[2]; at[2] += chunk[2])
                fine = H5Dget_chunk_storage_size(set, at, &stored) < 0 || stored <= most;
    return fine;
}

// numbers of a column, one word each
static bool read_words(const scree_columns_reader *reader, int i, int64_t first, int64_t count,
                       uint64_t *word) {
    hid_t set = reader->column[i].set, space = H5Dget_space(set);
    hsize_t size[3] = { 1, 1, 1 }, start[3] = { (hsize_t)first, 0, 0 };
    int rank = H5Sget_simple_extent_dims(space, size, NULL);
    size[0] = (hsize_t)count;
    hid_t memory = rank > 0 ? H5Screate_simple(rank, size, NULL) : -1;
    char type = reader->column[i].type;
    hid_t number = scree_layout_real(type)      ? H5T_NATIVE_DOUBLE
                   : type == 'u' || type == 'x' ? H5T_NATIVE_UINT64
                                                : H5T_NATIVE_INT64;
    bool fine = memory >= 0 &&
                H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
                is_inflatable(set, rank, size, (hsize_t)first, (hsize_t)count) &&
                read_patiently(set, number, memory, space, word);
    if (memory >= 0) H5Sclose(memory);
    H5Sclose(space);
    return fine;
}

static void take(char type, size_t width, const uint64_t *word, char *out) {
    int32_t small = (int32_t)*word;
    if (type == 'i' || type == 'b')
        memcpy(out, &small, sizeof small);
    else
        memcpy(out, word, width * sizeof *word);
}

bool scree_columns_read(const scree_columns_reader *reader, int64_t first, int64_t count, void *row,
                        size_t size, scree_digest *digest, uint64_t *said) {
    size_t width = 0;
    if (count == 0) return true;
    for (int i = 0; i < reader->count; i++)
        if (width < reader->column[i].width) width = reader->column[i].width;
    uint64_t *word = malloc((size_t)count * width * sizeof *word);
    bool fine = word;
    for (int i = 0; fine && i < reader->count; i++) {
        char type = reader->column[i].type;
        size_t w = reader->column[i].width;
        fine = read_words(reader, i, first, count, word);
        for (int64_t k = 0; fine && k < count; k++) {
            const uint64_t *at = word + (size_t)k * w;
            if (type == 'x') {
                if (said) said[k] = *at;
                continue;
            }
            for (size_t j = 0; j < w; j++) scree_digest_word(&digest[k], at[j]);
            if (reader->column[i].known)
                take(type, w, at, (char *)row + (size_t)k * size + reader->column[i].offset);
        }
    }
    free(word);
    return fine;
}

void scree_columns_forget(scree_columns_reader *reader) {
    for (int i = 0; i < reader->count; i++)
        if (reader->column[i].set >= 0) H5Dclose(reader->column[i].set);
    reader->count = 0;
}
