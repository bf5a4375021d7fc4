// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// columns.c - tables of a run file while they grow.
// in: rows.   out: chunks of columns, shuffled and deflated where that is wanted.
//
// Chunks are handed to HDF5 as they will be in the file. A compressed one that has grown is never
// written over the one before it: what was there can be read until the index points to the new one.

#include "store/columns.h"

#include <stdio.h>
#include <stdlib.h>

// ---- what there is

static scree_column *add(scree_columns *columns, const char *name, char type, size_t offset) {
    scree_column *made = &columns->column[columns->count++];
    *made = (scree_column){ .type = type, .offset = offset, .rank = 1, .width = 1, .set = -1 };
    snprintf(made->name, sizeof made->name, "%s", name);
    bool real = scree_layout_real(type);
    made->size = type == 'b' ? 1 : type == 'i' || (real && columns->single) ? 4 : 8;
    made->plain = made->size == 8 && strchr("dlu", type);
    return made;
}

void scree_columns_describe(scree_columns *columns, const char *name, scree_table table,
                            scree_extent extent) {
    for (const scree_layout_column *c = scree_layout_columns(table); c->name; c++) {
        if (!scree_layout_has(c, extent)) continue;
        char path[SCREE_COLUMN_NAME];
        snprintf(path, sizeof path, "%s/%s", name, c->name);
        scree_column *made = add(columns, path, c->type, c->offset);
        if (!strchr("vpt", c->type)) continue;
        made->rank = 2;
        made->width = (size_t)scree_layout_length(c->type, extent);
        made->inner[0] = made->width;
    }
}

void scree_columns_describe_array(scree_columns *columns, const char *name, int rows, int numbers) {
    scree_column *made = add(columns, name, 'd', 0);
    made->plain = false;
    made->rank = numbers ? 3 : 2;
    made->width = (size_t)rows * (size_t)(numbers ? numbers : 1);
    made->inner[0] = (hsize_t)rows;
    made->inner[1] = (hsize_t)numbers;
}

static hid_t file_type(const scree_column *column) {
    switch (column->type) {
        case 'l':
            return H5T_STD_I64LE;
        case 'u':
        case 'x':
            return H5T_STD_U64LE;
        case 'i':
            return H5T_STD_I32LE;
        case 'b':
            return H5T_STD_I8LE;
        default:
            return column->size == 4 ? H5T_IEEE_F32LE : H5T_IEEE_F64LE;
    }
}

static void fill_sizes(const scree_column *column, hsize_t rows, hsize_t size[3]) {
    size[0] = rows;
    size[1] = column->inner[0];
    size[2] = column->inner[1];
}

static size_t chunk_bytes(const scree_columns *columns, const scree_column *column) {
    return columns->chunk * column->width * column->size;
}

// ---- chunks

static bool make_room(scree_packer *packer, int level, size_t bytes) {
    if (packer->level != level) {
        if (packer->level) deflateEnd(&packer->stream);
        packer->level = 0;
        packer->stream = (z_stream){ 0 };
        if (deflateInit(&packer->stream, level) != Z_OK) return false;
        packer->level = level;
    }
    size_t room = deflateBound(&packer->stream, bytes) + 1;
    if (room <= packer->room) return true;
    free(packer->shuffled);
    free(packer->packed);
    packer->shuffled = malloc(room);
    packer->packed = malloc(room);
    packer->room = packer->shuffled && packer->packed ? room : 0;
    return packer->room;
}

// the first bytes of all numbers, then the second ones ...
static void shuffle(const char *from, size_t bytes, size_t size, char *to) {
    size_t count = bytes / size;
    for (size_t k = 0; k < size; k++)
        for (size_t i = 0; i < count; i++) *to++ = from[i * size + k];
}

// how many bytes the packed ones are, or 0
static size_t pack(scree_packer *packer, const char *chunk, size_t bytes, size_t size) {
    shuffle(chunk, bytes, size, packer->shuffled);
    z_stream *stream = &packer->stream;
    deflateReset(stream);
    stream->next_in = (Bytef *)(size > 1 ? packer->shuffled : chunk);
    stream->avail_in = (uInt)bytes;
    stream->next_out = (Bytef *)packer->packed;
    stream->avail_out = (uInt)packer->room - 1;
    return deflate(stream, Z_FINISH) == Z_STREAM_END ? stream->total_out : 0;
}

static bool is_zero(const char *chunk, size_t bytes) {
    return !chunk[0] && memcmp(chunk, chunk + 1, bytes - 1) == 0;
}

enum { UNFILTERED = 3, PACKED_MOST = 1 << 30 };  // the bits of both filters

static bool write_chunk(scree_columns *columns, scree_column *column, hsize_t first) {
    size_t bytes = chunk_bytes(columns, column), packed = 0;
    if (!column->stored && is_zero(column->chunk, bytes)) return true;
    bool filtered = columns->compression > 0;
    const void *data = column->chunk;
    if (filtered && bytes < PACKED_MOST) {
        if (!make_room(columns->packer, columns->compression, bytes)) return false;
        packed = pack(columns->packer, column->chunk, bytes, column->size);
    }
    const hsize_t at[3] = { first, 0, 0 };
    uint32_t skipped = filtered ? UNFILTERED : 0;
    if (packed && packed < bytes) {
        if (packed == column->stored) columns->packer->packed[packed++] = 0;
        data = columns->packer->packed;
        bytes = packed;
        skipped = 0;
    }
    column->stored = bytes;
    return H5Dwrite_chunk(column->set, H5P_DEFAULT, skipped, at, bytes, data) >= 0;
}

// the chunk that is being filled; all rows are in the file afterwards
static bool write_all(scree_columns *columns) {
    hsize_t first = (columns->rows - 1) / columns->chunk * columns->chunk;
    bool fine = true;
    for (int i = 0; fine && i < columns->count; i++) {
        hsize_t size[3];
        fill_sizes(&columns->column[i], columns->rows, size);
        fine = H5Dset_extent(columns->column[i].set, size) >= 0 &&
               write_chunk(columns, &columns->column[i], first);
    }
    return fine;
}

static bool end_chunk(scree_columns *columns) {
    scree_quiet quiet = scree_layout_quiet();
    bool fine = write_all(columns);
    scree_layout_loud(quiet);
    for (int i = 0; i < columns->count; i++) {
        memset(columns->column[i].chunk, 0, chunk_bytes(columns, &columns->column[i]));
        columns->column[i].stored = 0;
    }
    return fine;
}

// ---- rows

static void put_numbers(const scree_column *column, const double *number, char *out,
                        scree_digest *digest) {
    if (column->size == sizeof(double)) {
        memcpy(out, number, column->width * sizeof *number);
        scree_digest_numbers(digest, number, column->width);
        return;
    }
    for (size_t i = 0; i < column->width; i++) {
        float rounded = (float)number[i];
        memcpy(out + i * sizeof rounded, &rounded, sizeof rounded);
        scree_digest_number(digest, rounded);
    }
}

static void put_value(const scree_column *column, const char *from, char *out,
                      scree_digest *digest) {
    uint64_t word;
    int32_t small;
    switch (column->type) {
        case 'x':
            word = scree_digest_value(digest);
            memcpy(out, &word, sizeof word);
            break;
        case 'i':
        case 'b':
            memcpy(&small, from, sizeof small);
            if (column->size == 1)
                *out = (char)small;
            else
                memcpy(out, &small, sizeof small);
            scree_digest_word(digest, (uint64_t)(int64_t)small);
            break;
        default:
            put_numbers(column, (const double *)(const void *)from, out, digest);
    }
}

bool scree_columns_put(scree_columns *columns, const void *row, scree_digest *digest) {
    hsize_t at = columns->rows++ % columns->chunk;
    for (int i = 0; i < columns->count; i++) {
        const scree_column *column = &columns->column[i];
        const char *from = (const char *)row + column->offset;
        if (column->plain) {  // most of them
            uint64_t word;
            memcpy(&word, from, sizeof word);
            memcpy(column->chunk + at * sizeof word, &word, sizeof word);
            scree_digest_word(digest, word);
        } else {
            put_value(column, from, column->chunk + at * column->width * column->size, digest);
        }
    }
    columns->fresh = true;
    return at + 1 < columns->chunk || end_chunk(columns);
}

bool scree_columns_flush(scree_columns *columns) {
    if (!columns->fresh) return true;
    bool fine = columns->rows % columns->chunk == 0 || write_all(columns);
    for (int i = 0; i < columns->count; i++) fine = fine && H5Dflush(columns->column[i].set) >= 0;
    columns->fresh = false;
    return fine;
}

// ---- data sets

static bool make_chunks(scree_columns *columns) {
    for (int i = 0; i < columns->count; i++) {
        scree_column *column = &columns->column[i];
        column->chunk = calloc(columns->chunk * column->width, column->size);
        if (!column->chunk) return false;
    }
    return true;
}

// every column gets its index on the disk before single-writer mode begins: one row that is cut off
// again. An index that comes later may be missing in the file when the process is killed.
static bool make_index(scree_columns *columns, scree_column *column) {
    hsize_t size[3];
    fill_sizes(column, 1, size);
    column->chunk[0] = 1;
    bool fine = H5Dset_extent(column->set, size) >= 0 && write_chunk(columns, column, 0) &&
                H5Dflush(column->set) >= 0;
    size[0] = 0;
    column->chunk[0] = 0;
    column->stored = 0;
    return fine && H5Dset_extent(column->set, size) >= 0;
}

static bool create(scree_columns *columns, scree_column *column, hid_t file) {
    hsize_t none[3], most[3], chunk[3];
    fill_sizes(column, 0, none);
    fill_sizes(column, H5S_UNLIMITED, most);
    fill_sizes(column, columns->chunk, chunk);
    hid_t space = H5Screate_simple(column->rank, none, most), plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(plist, column->rank, chunk);
    if (columns->compression) {
        H5Pset_shuffle(plist);
        H5Pset_deflate(plist, (unsigned)columns->compression);
    }
    column->set =
        H5Dcreate2(file, column->name, file_type(column), space, H5P_DEFAULT, plist, H5P_DEFAULT);
    H5Pclose(plist);
    H5Sclose(space);
    return column->set >= 0 && make_index(columns, column);
}

// the group of the columns, with their names in order
static bool create_group(const scree_columns *columns, hid_t file) {
    const char *slash = strchr(columns->column[0].name, '/');
    if (!slash) return true;
    char name[SCREE_COLUMN_NAME], list[SCREE_COLUMNS_MOST * SCREE_COLUMN_NAME] = "";
    size_t length = (size_t)(slash - columns->column[0].name);
    snprintf(name, sizeof name, "%.*s", (int)length, columns->column[0].name);
    for (int i = 0; i < columns->count; i++) {
        if (i) strcat(list, " ");
        strcat(list, columns->column[i].name + length + 1);
    }
    hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool fine = group >= 0;
    scree_layout_put_text(group, "columns", list, strlen(list), &fine);
    H5Gclose(group);
    return fine;
}

bool scree_columns_create(scree_columns *columns, hid_t file, hsize_t chunk) {
    columns->chunk = chunk;
    bool fine = make_chunks(columns) && create_group(columns, file);
    for (int i = 0; fine && i < columns->count; i++)
        fine = create(columns, &columns->column[i], file);
    return fine;
}

static bool read_chunk_rows(scree_columns *columns, const scree_column *column) {
    hsize_t found[3] = { 0 }, wanted[3];
    hid_t plist = H5Dget_create_plist(column->set);
    bool fine = H5Pget_layout(plist) == H5D_CHUNKED &&
                H5Pget_chunk(plist, column->rank, found) == column->rank && found[0] > 0;
    H5Pclose(plist);
    if (!columns->chunk) columns->chunk = found[0];
    fill_sizes(column, columns->chunk, wanted);
    for (int k = 0; k < column->rank; k++) fine = fine && found[k] == wanted[k];
    return fine;
}

// what the last chunk holds already
static bool read_chunk(const scree_columns *columns, scree_column *column) {
    hsize_t rest = columns->rows % columns->chunk;
    hsize_t start[3] = { columns->rows - rest, 0, 0 }, size[3];
    if (!rest) return true;
    fill_sizes(column, rest, size);
    hid_t space = H5Dget_space(column->set), memory = H5Screate_simple(column->rank, size, NULL);
    bool fine =
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
        H5Dread(column->set, file_type(column), memory, space, H5P_DEFAULT, column->chunk) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    column->stored = is_zero(column->chunk, chunk_bytes(columns, column)) ? 0 : 1;
    return fine;
}

bool scree_columns_open(scree_columns *columns, hid_t file, hsize_t rows) {
    bool fine = true;
    columns->chunk = 0;
    columns->rows = rows;
    for (int i = 0; fine && i < columns->count; i++) {
        scree_column *column = &columns->column[i];
        column->set = H5Dopen2(file, column->name, H5P_DEFAULT);
        fine = column->set >= 0 && read_chunk_rows(columns, column);
    }
    fine = fine && make_chunks(columns);
    for (int i = 0; fine && i < columns->count; i++) {
        hsize_t size[3];
        fill_sizes(&columns->column[i], rows, size);
        fine = read_chunk(columns, &columns->column[i]) &&
               H5Dset_extent(columns->column[i].set, size) >= 0;
    }
    return fine;
}

void scree_columns_close(scree_columns *columns) {
    for (int i = 0; i < columns->count; i++) {
        if (columns->column[i].set >= 0) H5Dclose(columns->column[i].set);
        columns->column[i].set = -1;
        free(columns->column[i].chunk);
        columns->column[i].chunk = NULL;
    }
}

void scree_packer_free(scree_packer *packer) {
    if (packer->level) deflateEnd(&packer->stream);
    free(packer->shuffled);
    free(packer->packed);
    *packer = (scree_packer){ 0 };
}
