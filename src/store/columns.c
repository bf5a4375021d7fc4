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

#include "base/clones.h"

enum { ROWS_TOGETHER = 64, LINE = 64, WORDS = LINE / 8 };  // LINE: bytes of a line of the cache

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

// bytes in whole lines
static size_t lines_of(size_t bytes) { return (bytes + LINE - 1) / LINE * LINE; }

void scree_columns_describe(scree_columns *columns, const char *name, scree_table table,
                            scree_extent extent) {
    if (columns->digest) columns->row_bytes = lines_of(scree_layout_row_bytes(table));
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

void scree_columns_describe_array(scree_columns *columns, const char *name, int rows, int numbers,
                                  int parts) {
    size_t width = (size_t)rows * (size_t)(numbers ? numbers : 1) / (size_t)parts;
    for (int i = 0; i < parts; i++) {
        scree_column *made = add(columns, name, 'd', (size_t)i * width * sizeof(double));
        made->plain = made->plain && width == 1;
        made->rank = numbers ? 3 : 2;
        made->width = width;
        made->first = (size_t)i * width;
        made->inner[0] = (hsize_t)rows;
        made->inner[1] = (hsize_t)numbers;
    }
    bool words = parts > 1 && columns->column[0].plain;
    columns->row_bytes = words ? lines_of((size_t)parts * sizeof(uint64_t)) : 0;
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

// of a chunk, which may be a part of its rows
static void fill_chunk(const scree_column *column, hsize_t rows, hsize_t size[3]) {
    fill_sizes(column, rows, size);
    if (column->rank == 2) size[1] = column->width;
}

static size_t chunk_bytes(const scree_columns *columns, const scree_column *column) {
    return columns->chunk * column->width * column->size;
}

// ---- chunks

static bool is_zero(const char *chunk, size_t bytes) {
    return !chunk[0] && memcmp(chunk, chunk + 1, bytes - 1) == 0;
}

enum { UNFILTERED = 3, PACKED_MOST = 1 << 30 };  // the bits of both filters

// the first `used` bytes of a chunk, and zeros behind them; NULL: out of memory
static const char *filled_up(scree_columns *columns, const scree_column *column, char *chunk,
                             size_t used) {
    size_t bytes = chunk_bytes(columns, column);
    if (used > bytes / 2) {
        memset(chunk + used, 0, bytes - used);
        return chunk;
    }
    if (bytes > columns->zeros_room) {
        free(columns->zeros);
        columns->zeros = calloc(1, bytes);
        columns->zeros_room = columns->zeros ? bytes : 0;
    }
    return columns->zeros ? memcpy(columns->zeros, chunk, used) : NULL;
}

// Chunks that will be written again without being packed keep their place; packed ones leave a
// hole.
static bool is_packed(const scree_columns *columns, const scree_column *column, const char *chunk,
                      bool once) {
    size_t bytes = chunk_bytes(columns, column);
    if (!column->packs || bytes >= PACKED_MOST) return false;
    if (columns->compression) return true;
    return once && scree_pack_pays(chunk, bytes, column->size, column->width);
}

static bool put_chunk(scree_columns *columns, const scree_column *column, const char *chunk,
                      hsize_t first, bool last, size_t *stored) {
    size_t bytes = chunk_bytes(columns, column), packed = 0;
    bool fine = true;
    const void *data = chunk;
    if (is_packed(columns, column, chunk, last && !*stored))
        packed =
            scree_pack(columns->packer, columns->compression, chunk, bytes, column->size, &fine);
    if (!fine) return false;
    const hsize_t at[3] = { first, column->first, 0 };
    uint32_t skipped = column->packs ? UNFILTERED : 0;
    if (packed && packed < bytes) {
        if (packed == *stored) columns->packer->packed[packed++] = 0;
        data = columns->packer->packed;
        bytes = packed;
        skipped = 0;
    }
    *stored = bytes;
    return H5Dwrite_chunk(column->set, H5P_DEFAULT, skipped, at, bytes, data) >= 0;
}

// the rows of a block that belong to column i
static bool write_chunk(scree_columns *columns, int i, scree_columns_block *block) {
    const scree_column *column = &columns->column[i];
    size_t used = block->used * column->width * column->size, *stored = &block->stored[i];
    char *rows = block->byte + column->place;
    if (!*stored && (!block->filled[i] || is_zero(rows, used))) return true;
    const char *chunk = filled_up(columns, column, rows, used);
    bool last = columns->ends || block->used == columns->chunk;
    bool fine = chunk && put_chunk(columns, column, chunk, block->rows - block->used, last, stored);
    if (chunk && chunk != rows) memset(columns->zeros, 0, used);
    return fine;
}

// all of its rows are in the file afterwards
static bool write_block(scree_columns *columns, scree_columns_block *block) {
    scree_quiet quiet = scree_layout_quiet();
    bool fine = true;
    for (int i = 0; fine && i < columns->count; i++) {
        hsize_t size[3];
        fill_sizes(&columns->column[i], block->rows, size);
        fine = (columns->column[i].first || H5Dset_extent(columns->column[i].set, size) >= 0) &&
               write_chunk(columns, i, block);
    }
    scree_layout_loud(quiet);
    return fine;
}

// the rows that there are, as a block
static scree_columns_block *close_block(scree_columns *columns) {
    scree_columns_block *block = &columns->block[0];
    block->rows = columns->rows;
    block->used = columns->used;
    for (int i = 0; i < columns->count; i++) block->filled[i] = columns->column[i].filled;
    return block;
}

// rows go to a block of which nothing is in the file yet
static void open_block(scree_columns *columns) {
    scree_columns_block *block = &columns->block[0];
    memset(block->stored, 0, sizeof block->stored);
    for (int i = 0; i < columns->count; i++) {
        columns->column[i].chunk = block->byte + columns->column[i].place;
        columns->column[i].filled = false;
    }
    columns->used = 0;
}

static void write_behind(void *with) {
    scree_columns *columns = with;
    if (!columns->refused) columns->refused = !write_block(columns, &columns->block[1]);
}

// the block goes to the background, where the one before it must be done with
static bool hand_over(scree_columns *columns) {
    if (columns->refused) return false;
    scree_columns_block *block = columns->block;
    const scree_columns_block full = *close_block(columns);
    block[0].byte = block[1].byte;
    block[1] = full;
    columns->ticket = scree_background_give(columns->background, write_behind, columns);
    return true;
}

// is the background through with the block before, and is there another one to go on with?
static bool can_hand_over(scree_columns *columns) {
    if (!columns->background) return false;
    scree_background_await(columns->background, columns->ticket);
    if (!columns->block[1].byte) columns->block[1].byte = malloc(columns->block_bytes);
    return columns->block[1].byte;
}

static bool end_chunk(scree_columns *columns) {
    bool fine =
        can_hand_over(columns) ? hand_over(columns) : write_block(columns, close_block(columns));
    open_block(columns);
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
    int32_t small;
    if (column->type != 'i' && column->type != 'b') {
        put_numbers(column, (const double *)(const void *)from, out, digest);
        return;
    }
    memcpy(&small, from, sizeof small);
    if (column->size == 1)
        *out = (char)small;
    else
        memcpy(out, &small, sizeof small);
    scree_digest_word(digest, (uint64_t)(int64_t)small);
}

// rows of words wait until some can go to their columns together
static bool put_words(scree_columns *columns, const void *row, scree_digest *digest) {
    size_t bytes = (size_t)columns->count * sizeof(uint64_t);
    memcpy(scree_columns_next(columns), row, bytes);
    scree_digest_bytes(digest, row, bytes);
    return scree_columns_add(columns);
}

bool scree_columns_put(scree_columns *columns, const void *row, scree_digest *digest) {
    if (columns->waiting) return put_words(columns, row, digest);
    size_t at = columns->used++;
    scree_digest sum = *digest;  // in registers
    for (int i = 0; i < columns->count; i++) {
        scree_column *column = &columns->column[i];
        const char *from = (const char *)row + column->offset;
        column->filled = true;
        if (column->plain) {  // most of them
            uint64_t word;
            memcpy(&word, from, sizeof word);
            memcpy(column->chunk + at * sizeof word, &word, sizeof word);
            scree_digest_word(&sum, word);
        } else {
            put_value(column, from, column->chunk + at * column->width * column->size, &sum);
        }
    }
    *digest = sum;
    columns->rows++;
    columns->fresh = true;
    return columns->used < columns->chunk || end_chunk(columns);
}

// ---- rows of numbers, some at a time; where they have digests of their own, these too

typedef struct sums {  // of digests, for each row
    uint64_t a[ROWS_TOGETHER], b[ROWS_TOGETHER];
    uint64_t zeros;  // columns of nothing but zeros that b does not have yet
} sums;

SCREE_VECTOR_CLONES
static void add_zeros(sums *sum) {
    for (int i = 0; i < ROWS_TOGETHER; i++) sum->b[i] += sum->zeros * sum->a[i];
    sum->zeros = 0;
}

SCREE_VECTOR_CLONES
static void add_words(const uint64_t *word, sums *sum) {
    for (int i = 0; i < ROWS_TOGETHER; i++) {
        sum->a[i] += word[i];
        sum->b[i] += sum->a[i];
    }
}

// the bits that are set in any of the rows that wait, line by line
SCREE_VECTOR_CLONES
static void find_bits(const char *row, size_t bytes, size_t rows, char *bits) {
    for (size_t at = 0; at < bytes; at += LINE) {
        uint64_t any[WORDS] = { 0 }, line[WORDS];
        for (size_t i = 0; i < rows; i++) {
            memcpy(line, row + i * bytes + at, LINE);
            for (int k = 0; k < WORDS; k++) any[k] |= line[k];
        }
        memcpy(bits + at, any, LINE);
    }
}

static bool is_any(const scree_column *column, const char *bits) {
    static const char none[sizeof(uint64_t)];
    return memcmp(bits + column->offset, none, column->plain ? sizeof none : sizeof(int32_t)) != 0;
}

// one column of the rows that wait, as words
static void gather(const scree_columns *columns, const scree_column *column, uint64_t *word) {
    const char *from = columns->waiting + column->offset;
    for (size_t i = 0; i < columns->waits; i++, from += columns->row_bytes) {
        int32_t small;
        if (column->plain)
            memcpy(&word[i], from, sizeof word[i]);
        else {
            memcpy(&small, from, sizeof small);
            word[i] = (uint64_t)(int64_t)small;
        }
    }
}

static void keep_words(scree_column *column, size_t first, const uint64_t *word, size_t count) {
    char *to = column->chunk + first * column->size;
    if (!column->filled) memset(column->chunk, 0, first * column->size);
    column->filled = true;
    if (column->size == sizeof *word) {
        memcpy(to, word, count * sizeof *word);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        int32_t small = (int32_t)word[i];
        memcpy(to + i * sizeof small, &small, sizeof small);
    }
}

// they are not even written to memory before something else has come
static void keep_zeros(const scree_column *column, size_t first, size_t count) {
    if (column->filled) memset(column->chunk + first * column->size, 0, count * column->size);
}

static void add_before(sums *sum, const uint64_t **before) {
    if (!*before) return;
    if (sum->zeros) add_zeros(sum);
    add_words(*before, sum);
    *before = NULL;
}

static void find_digests(scree_columns *columns, sums *sum, uint64_t *word) {
    add_zeros(sum);
    for (size_t i = 0; i < columns->waits; i++) {
        word[i] = scree_digest_value(&(scree_digest){ sum->a[i], sum->b[i] });
        scree_digest_word(columns->digest, word[i]);
    }
}

// the rows that wait go into the chunk
static void settle(scree_columns *columns) {
    size_t count = columns->waits, first = columns->used - count;
    // those of the column before are added when these are in memory, which takes a moment
    uint64_t both[2][ROWS_TOGETHER] = { { 0 } }, *word = both[0];
    const uint64_t *before = NULL;
    char bits[SCREE_COLUMNS_MOST * sizeof(uint64_t) + LINE];
    sums sum = { .zeros = 0 };
    for (int i = 0; i < ROWS_TOGETHER; i++) sum.a[i] = 1;
    find_bits(columns->waiting, columns->row_bytes, count, bits);
    for (int k = 0; k < columns->count; k++) {
        scree_column *column = &columns->column[k];
        if (column->type == 'x') {
            add_before(&sum, &before);
            find_digests(columns, &sum, word);
        } else if (is_any(column, bits)) {
            gather(columns, column, word);
            add_before(&sum, &before);
            before = word;
            word = both[word == both[0]];
        } else {
            add_before(&sum, &before);
            sum.zeros++;
            keep_zeros(column, first, count);
            continue;
        }
        keep_words(column, first, before ? before : word, count);
    }
    columns->waits = 0;
}

void *scree_columns_next(scree_columns *columns) {
    return columns->waiting + columns->waits * columns->row_bytes;
}

bool scree_columns_add(scree_columns *columns) {
    columns->waits++;
    bool full = ++columns->used == columns->chunk;
    columns->rows++;
    columns->fresh = true;
    if (full || columns->waits == ROWS_TOGETHER) settle(columns);
    return !full || end_chunk(columns);
}

bool scree_columns_flush(scree_columns *columns) {
    if (!columns->fresh) return true;
    if (columns->waits) settle(columns);
    bool fine = !columns->refused && (!columns->used || write_block(columns, close_block(columns)));
    columns->fresh = false;
    return fine;
}

bool scree_columns_end(scree_columns *columns) {
    columns->ends = true;
    return scree_columns_flush(columns);
}

// ---- data sets

// All in one block, of which what stays zeros is never touched. Columns begin at different places
// of a page, where a processor would have little room for as many as there are.
static bool make_chunks(scree_columns *columns) {
    enum { APART = 5 * LINE };
    columns->block_bytes = 0;
    for (int i = 0; i < columns->count; i++) {
        columns->column[i].place = columns->block_bytes;
        columns->block_bytes += chunk_bytes(columns, &columns->column[i]) / LINE * LINE + APART;
    }
    columns->block[0].byte = malloc(columns->block_bytes);
    columns->waiting = columns->row_bytes ? malloc(ROWS_TOGETHER * columns->row_bytes) : NULL;
    if (!columns->block[0].byte || (columns->row_bytes && !columns->waiting)) return false;
    open_block(columns);
    return true;
}

// every column gets its index on the disk before single-writer mode begins: one row that is cut off
// again. An index that comes later may be missing in the file when the process is killed. What is
// written to get it, one byte, nobody reads.
static bool make_index(const scree_column *column) {
    const hsize_t at[3] = { 0 };
    hsize_t size[3];
    fill_sizes(column, 1, size);
    bool fine = H5Dset_extent(column->set, size) >= 0 &&
                H5Dwrite_chunk(column->set, H5P_DEFAULT, 0, at, 1, "") >= 0;
    size[0] = 0;
    return fine && H5Dset_extent(column->set, size) >= 0;
}

// How the chunks of a column are stored; close with H5Pclose. All may be packed, so that they may
// have any size; most never are.
static hid_t chunks_of(const scree_columns *columns, const scree_column *column) {
    hsize_t chunk[3];
    fill_chunk(column, columns->chunk, chunk);
    hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(plist, column->rank, chunk);
    H5Pset_shuffle(plist);
    H5Pset_deflate(plist, columns->compression ? (unsigned)columns->compression : 1);
    return plist;
}

static bool create(scree_column *column, hid_t where, hid_t plist) {
    hsize_t none[3], most[3];
    const char *slash = strchr(column->name, '/');
    fill_sizes(column, 0, none);
    fill_sizes(column, H5S_UNLIMITED, most);
    hid_t space = H5Screate_simple(column->rank, none, most);
    column->set = H5Dcreate2(where, slash ? slash + 1 : column->name, file_type(column), space,
                             H5P_DEFAULT, plist, H5P_DEFAULT);
    column->packs = true;
    H5Sclose(space);
    return column->set >= 0 && make_index(column);
}

// a part of the rows of a data set that is there
static void share(scree_column *part, const scree_column *before) {
    part->set = before->set;
    part->packs = before->packs;
}

// columns of one shape, which most are, share how their chunks are stored
static bool create_all(scree_columns *columns, hid_t where) {
    hid_t plist = -1;
    bool fine = true;
    for (int i = 0; fine && i < columns->count; i++) {
        scree_column *column = &columns->column[i], *before = i ? column - 1 : NULL;
        if (!before || before->rank != column->rank || before->width != column->width) {
            if (plist >= 0) H5Pclose(plist);
            plist = chunks_of(columns, column);
        }
        if (!column->first)
            fine = create(column, where, plist);
        else
            share(column, before);
    }
    if (plist >= 0) H5Pclose(plist);
    return fine;
}

// the group of the columns, with their names in order; close with H5Gclose
static hid_t create_group(const scree_columns *columns, hid_t file, size_t length) {
    char name[SCREE_COLUMN_NAME], list[SCREE_COLUMNS_MOST * SCREE_COLUMN_NAME] = "";
    snprintf(name, sizeof name, "%.*s", (int)length, columns->column[0].name);
    for (int i = 0; i < columns->count; i++) {
        if (i) strcat(list, " ");
        strcat(list, columns->column[i].name + length + 1);
    }
    hid_t group = scree_layout_group_of(file, name, (unsigned)columns->count);
    bool fine = group >= 0;
    scree_layout_put_text(group, "columns", list, strlen(list), &fine);
    if (fine || group < 0) return group;
    H5Gclose(group);
    return -1;
}

bool scree_columns_create(scree_columns *columns, hid_t file, hsize_t chunk) {
    columns->chunk = chunk;
    const char *slash = strchr(columns->column[0].name, '/');
    if (!make_chunks(columns)) return false;
    if (!slash) return create_all(columns, file);
    hid_t group = create_group(columns, file, (size_t)(slash - columns->column[0].name));
    bool fine = group >= 0 && create_all(columns, group);
    if (group >= 0) H5Gclose(group);
    return fine;
}

static bool read_chunk_rows(scree_columns *columns, scree_column *column) {
    hsize_t found[3] = { 0 }, wanted[3];
    hid_t plist = H5Dget_create_plist(column->set);
    bool fine = H5Pget_layout(plist) == H5D_CHUNKED &&
                H5Pget_chunk(plist, column->rank, found) == column->rank && found[0] > 0;
    column->packs = H5Pget_nfilters(plist) > 0;
    H5Pclose(plist);
    if (!columns->chunk) columns->chunk = found[0];
    fill_chunk(column, columns->chunk, wanted);
    for (int k = 0; k < column->rank; k++) fine = fine && found[k] == wanted[k];
    return fine;
}

// what the last chunk holds already
static bool read_chunk(scree_columns *columns, int i) {
    scree_column *column = &columns->column[i];
    hsize_t rest = columns->used;
    hsize_t start[3] = { columns->rows - rest, column->first, 0 }, size[3];
    if (!rest) return true;
    fill_chunk(column, rest, size);
    hid_t space = H5Dget_space(column->set), memory = H5Screate_simple(column->rank, size, NULL);
    bool fine =
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
        H5Dread(column->set, file_type(column), memory, space, H5P_DEFAULT, column->chunk) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    bool zeros = is_zero(column->chunk, rest * column->width * column->size);
    columns->block[0].stored[i] = zeros ? 0 : 1;
    column->filled = true;
    return fine;
}

// In files of before the rows of an array may be in other parts, or in one.
static void take_parts(scree_columns *columns, hid_t file) {
    const scree_column array = columns->column[0];
    hsize_t found[2] = { 0 };
    if (array.rank != 2 || strchr(array.name, '/')) return;
    hid_t set = scree_layout_open(file, array.name);
    hid_t plist = set < 0 ? -1 : H5Dget_create_plist(set);
    bool known = plist >= 0 && H5Pget_layout(plist) == H5D_CHUNKED &&
                 H5Pget_chunk(plist, 2, found) == 2 && found[1] > 0;
    if (plist >= 0) H5Pclose(plist);
    if (set >= 0) H5Dclose(set);
    hsize_t numbers = array.inner[0], parts = known ? numbers / found[1] : 0;
    if (!parts || parts > SCREE_COLUMNS_MOST || parts * found[1] != numbers) return;
    columns->count = 0;
    scree_columns_describe_array(columns, array.name, (int)numbers, 0, (int)parts);
}

bool scree_columns_open(scree_columns *columns, hid_t file, hsize_t rows) {
    bool fine = true;
    take_parts(columns, file);
    columns->chunk = 0;
    columns->rows = rows;
    for (int i = 0; fine && i < columns->count; i++) {
        scree_column *column = &columns->column[i];
        if (column->first) {
            share(column, column - 1);
            continue;
        }
        column->set = scree_layout_open(file, column->name);
        fine = column->set >= 0 && read_chunk_rows(columns, column);
    }
    fine = fine && make_chunks(columns);
    if (fine) columns->used = rows % columns->chunk;
    for (int i = 0; fine && i < columns->count; i++) fine = read_chunk(columns, i);
    return fine;
}

bool scree_columns_cut(const scree_columns *columns) {
    bool fine = true;
    for (int i = 0; fine && i < columns->count; i++) {
        hsize_t size[3];
        fill_sizes(&columns->column[i], columns->rows, size);
        fine = H5Dset_extent(columns->column[i].set, size) >= 0;
    }
    return fine;
}

void scree_columns_close(scree_columns *columns) {
    for (int i = 0; i < columns->count; i++) {
        if (!columns->column[i].first && columns->column[i].set >= 0)
            H5Dclose(columns->column[i].set);
        columns->column[i].set = -1;
    }
    for (int i = 0; i < 2; i++) {
        free(columns->block[i].byte);
        columns->block[i].byte = NULL;
    }
    free(columns->waiting);
    free(columns->zeros);
    columns->waiting = columns->zeros = NULL;
    columns->zeros_room = 0;
}
