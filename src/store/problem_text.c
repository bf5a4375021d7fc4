// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// problem_text.c - the text formats of the field: local, global and rolling problems, LCPs.
// in: text.   out: matrices and vectors, checked for their own sake.
//
//     local    d  nc  W  b  mu  [mu_r]          global   d  nc  M  H  f  b  mu  [mu_r]
//     LCP      n  W  b
//
// Nothing in a file says which of them it is: the shapes and the number of tokens decide. A count
// is held against the bytes that are left before memory is taken for it: every row and column of a
// matrix has a number in a vector further down.

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "store/problem_raw.h"
#include "store/problem_scan.h"

enum { DENSE, BLOCKS, SPARSE };           // storages of a matrix
enum { TRIPLET = 1, BY_COLUMN, BY_ROW };  // kinds of sparse ones
enum { PRINTED_EXACTLY = 1000000 };       // sparse matrices are printed with six digits

typedef struct reader {
    scree_scan scan;
    scree_arena *arena;
    scree_raw *raw;
    scree_error *err;
} reader;

#define FAIL(r, ...) \
    scree_fail((r)->err, SCREE_BAD_INPUT, scree_scan_place(&(r)->scan), __VA_ARGS__)

static scree_status no_memory(reader *r) {
    return scree_fail(r->err, SCREE_NO_MEMORY, (scree_source_location){ r->scan.path, 0, 0 },
                      "out of memory for this problem");
}

static scree_status read_integer(reader *r, const char *what, int low, int high, int *value) {
    return scree_scan_integer(&r->scan, what, low, high, value, r->err);
}

// a count of things that take at least bytes bytes each further down
static scree_status read_count(reader *r, const char *what, int low, size_t bytes, int *value) {
    scree_scan before = r->scan;
    scree_status status = read_integer(r, what, low, INT_MAX / 8, value);
    size_t left = scree_scan_left(&r->scan);
    if (status || (size_t)*value <= left / bytes) return status;
    r->scan = before;
    return FAIL(r, "%s is %d, but only %zu bytes follow", what, *value, left);
}

// a number that must be there and be finite
static scree_status read_value(reader *r, const char *what, double *value) {
    scree_scan before = r->scan;
    bool found = scree_scan_number(&r->scan, value);
    if (found && isfinite(*value)) return SCREE_OK;
    r->scan = before;
    return FAIL(
        r, found ? "%s holds a number that is not finite: %s" : "expected a number of %s, found %s",
        what, scree_scan_found(&r->scan).text);
}

// count numbers, none below lowest, in memory that does not exceed what the file can hold
static scree_status read_vector(reader *r, const char *name, int count, double lowest,
                                double **vector) {
    size_t possible = scree_scan_left(&r->scan) / 2 + 1, found = 0;
    if (possible > (size_t)count) possible = (size_t)count;
    double *made = SCREE_NEW(r->arena, double, possible);
    if (!made) return no_memory(r);
    for (; found < possible; found++) {
        scree_scan before = r->scan;
        if (!scree_scan_number(&r->scan, &made[found])) break;
        if (isfinite(made[found]) && made[found] >= lowest) continue;
        bool finite = isfinite(made[found]);
        r->scan = before;
        return FAIL(r, "number %zu of %s must %s, got %s", found + 1, name,
                    finite ? "not be negative" : "be finite", scree_scan_found(&r->scan).text);
    }
    if (found < (size_t)count)
        return FAIL(r, "expected the %d numbers of %s, found %zu and then %s", count, name, found,
                    scree_scan_found(&r->scan).text);
    *vector = made;
    return SCREE_OK;
}

static scree_status read_dense(reader *r, const char *name, scree_entries *out) {
    int rows, columns;
    char what[64];
    snprintf(what, sizeof what, "the rows of dense %s once more", name);
    scree_status status = read_integer(r, what, out->rows, out->rows, &rows);
    snprintf(what, sizeof what, "the columns of dense %s once more", name);
    if (!status) status = read_integer(r, what, out->columns, out->columns, &columns);
    if (status) return status;
    long long numbers = (long long)rows * columns, found = 0;
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < rows; i++, found++) {
            double value;
            if (scree_scan_at_end(&r->scan))
                return FAIL(r, "expected the %lld numbers of dense %s, found %lld", numbers, name,
                            found);
            status = read_value(r, name, &value);
            if (status) return status;
            if (!scree_entries_add(out, i, j, value)) return no_memory(r);
        }
    return SCREE_OK;
}

typedef struct block_shape {
    int blocks, rows, columns;  // numbers of blocks, block rows, block columns
    int *row_end, *column_end;  // last row + 1 of each block row, and the same for columns
    int *first, *column;        // blocks of each block row, their block columns
} block_shape;

// count whole numbers that may not fall, from low to high
static scree_status read_ascending(reader *r, const char *what, int count, int low, int high,
                                   int *out) {
    for (int i = 0; i < count; i++) {
        scree_status status = read_integer(r, what, i ? out[i - 1] : low, high, &out[i]);
        if (status) return status;
    }
    return SCREE_OK;
}

static scree_status read_block_shape(reader *r, const char *name, const scree_entries *matrix,
                                     block_shape *shape) {
    int pointers, indices;
    char what[64];
    snprintf(what, sizeof what, "the number of block rows of %s", name);
    scree_status status = read_count(r, what, 1, 2, &shape->rows);
    snprintf(what, sizeof what, "the number of block columns of %s", name);
    if (!status) status = read_count(r, what, 1, 2, &shape->columns);
    if (status) return status;
    shape->row_end = SCREE_NEW(r->arena, int, shape->rows);
    shape->column_end = SCREE_NEW(r->arena, int, shape->columns);
    shape->first = SCREE_NEW(r->arena, int, (size_t)shape->rows + 1);
    shape->column = SCREE_NEW(r->arena, int, shape->blocks);
    if (!shape->row_end || !shape->column_end || !shape->first || !shape->column)
        return no_memory(r);
    snprintf(what, sizeof what, "the end of a block row of %s", name);
    status = read_ascending(r, what, shape->rows, 0, matrix->rows, shape->row_end);
    if (!status && shape->row_end[shape->rows - 1] != matrix->rows)
        return FAIL(r, "the block rows of %s end at %d, expected %d", name,
                    shape->row_end[shape->rows - 1], matrix->rows);
    snprintf(what, sizeof what, "the end of a block column of %s", name);
    if (!status)
        status = read_ascending(r, what, shape->columns, 0, matrix->columns, shape->column_end);
    if (!status && shape->column_end[shape->columns - 1] != matrix->columns)
        return FAIL(r, "the block columns of %s end at %d, expected %d", name,
                    shape->column_end[shape->columns - 1], matrix->columns);
    snprintf(what, sizeof what, "the length of the row pointer of %s", name);
    if (!status) status = read_integer(r, what, 1, shape->rows + 1, &pointers);
    snprintf(what, sizeof what, "the number of block columns listed in %s", name);
    if (!status) status = read_integer(r, what, shape->blocks, shape->blocks, &indices);
    snprintf(what, sizeof what, "an entry of the row pointer of %s", name);
    if (!status) status = read_ascending(r, what, pointers, 0, shape->blocks, shape->first);
    if (status) return status;
    if (shape->first[0] != 0 || shape->first[pointers - 1] != shape->blocks)
        return FAIL(r, "the row pointer of %s goes from %d to %d, expected 0 to %d", name,
                    shape->first[0], shape->first[pointers - 1], shape->blocks);
    // rows without blocks at the end may be missing in the pointer
    for (int i = pointers; i <= shape->rows; i++) shape->first[i] = shape->blocks;
    snprintf(what, sizeof what, "the block column of a block of %s", name);
    for (int k = 0; !status && k < shape->blocks; k++)
        status = read_integer(r, what, 0, shape->columns - 1, &shape->column[k]);
    return status;
}

static scree_status read_block(reader *r, const char *name, const block_shape *shape, int row,
                               int k, scree_entries *out) {
    int number, column = shape->column[k];
    int row_begin = row ? shape->row_end[row - 1] : 0;
    int column_begin = column ? shape->column_end[column - 1] : 0;
    char what[64];
    snprintf(what, sizeof what, "the number of block %d of %s", k, name);
    scree_status status = read_integer(r, what, k, k, &number);
    snprintf(what, sizeof what, "block %d of %s", k, name);
    for (int j = column_begin; !status && j < shape->column_end[column]; j++)
        for (int i = row_begin; !status && i < shape->row_end[row]; i++) {
            double value;
            status = read_value(r, what, &value);
            if (!status && !scree_entries_add(out, i, j, value)) status = no_memory(r);
        }
    return status;
}

static scree_status read_blocks(reader *r, const char *name, scree_entries *out) {
    block_shape shape = { 0 };
    char what[64];
    snprintf(what, sizeof what, "the number of blocks of %s", name);
    scree_status status = read_count(r, what, 0, 2, &shape.blocks);
    if (status || !shape.blocks) return status;
    status = read_block_shape(r, name, out, &shape);
    for (int row = 0; !status && row < shape.rows; row++)
        for (int k = shape.first[row]; !status && k < shape.first[row + 1]; k++)
            status = read_block(r, name, &shape, row, k, out);
    return status;
}

// "3-by-4, nzmax: 7 nnz: 7, 1-norm: 1.5" behind the word that tells the kind
static scree_status read_sparse_header(reader *r, const char *name, int kind,
                                       const scree_entries *matrix, double *entries) {
    static const char *const opening[] = { "", "triplet:", "", "csr:" };
    double rows, columns, room;
    scree_scan *scan = &r->scan;
    scree_source_location at = scree_scan_place(scan);
    bool fine = scree_scan_word(scan, opening[kind]) && scree_scan_prefix(scan, &rows) &&
                scree_scan_word(scan, "-by-") && scree_scan_prefix(scan, &columns) &&
                scree_scan_word(scan, ",") && scree_scan_word(scan, "nzmax:") &&
                scree_scan_prefix(scan, &room) && scree_scan_word(scan, "nnz:") &&
                scree_scan_prefix(scan, entries);
    if (!fine)
        return scree_fail(r->err, SCREE_BAD_INPUT, at,
                          "expected the line \"%s%sM-by-N, nzmax: A nnz: B\" of sparse %s",
                          opening[kind], *opening[kind] ? " " : "", name);
    if (rows != matrix->rows || columns != matrix->columns)
        return scree_fail(r->err, SCREE_BAD_INPUT, at, "sparse %s is %g by %g, expected %d by %d",
                          name, rows, columns, matrix->rows, matrix->columns);
    if (!(*entries >= 0 && *entries <= (double)scree_scan_left(scan)))
        return scree_fail(r->err, SCREE_BAD_INPUT, at,
                          "sparse %s announces %g entries, but only %zu bytes follow", name,
                          *entries, scree_scan_left(scan));
    scree_scan_skip_line(scan);
    return SCREE_OK;
}

// is the next thing "i : x", or "i j : x" for triplets? Stays where it is if not.
static bool read_indices(scree_scan *scan, int indices, double *index) {
    scree_scan before = *scan;
    bool fine = true;
    for (int k = 0; k < indices; k++) fine = fine && scree_scan_number(scan, &index[k]);
    fine = fine && scree_scan_word(scan, ":");
    if (!fine) *scan = before;
    return fine;
}

static scree_status read_entry(reader *r, const char *name, const double *index,
                               scree_entries *out) {
    const double i = index[0], j = index[1];
    double value;
    if (!(i >= 0 && i < out->rows && i == floor(i) && j >= 0 && j < out->columns && j == floor(j)))
        return FAIL(r,
                    "an entry of sparse %s stands in row %g, column %g; it has %d rows and %d "
                    "columns, counted from 0",
                    name, i, j, out->rows, out->columns);
    scree_status status = read_value(r, name, &value);
    if (status) return status;
    return scree_entries_add(out, (int)i, (int)j, value) ? SCREE_OK : no_memory(r);
}

// the entries of one line up to the next heading
static scree_status read_line_entries(reader *r, const char *name, int kind, int line,
                                      scree_entries *out, long long *found) {
    double index[2], minor;
    scree_status status = SCREE_OK;
    while (!status && read_indices(&r->scan, 1, &minor)) {
        index[kind == BY_ROW] = minor;
        index[kind != BY_ROW] = line;
        status = read_entry(r, name, index, out);
        ++*found;
    }
    return status;
}

// "col 3 : locations 5 to 9": the locations say nothing that the lines below do not
static scree_status read_line_heading(reader *r, const char *name, int kind, int line) {
    const char *word = kind == BY_ROW ? "row" : "col";
    double number, from, to;
    scree_scan *scan = &r->scan;
    scree_source_location at = scree_scan_place(scan);
    bool fine = scree_scan_word(scan, word) && scree_scan_number(scan, &number) &&
                scree_scan_word(scan, ":") && scree_scan_word(scan, "locations") &&
                scree_scan_number(scan, &from) && scree_scan_word(scan, "to") &&
                scree_scan_number(scan, &to);
    if (!fine || number != line)
        return scree_fail(r->err, SCREE_BAD_INPUT, at,
                          "expected \"%s %d : locations A to B\" of sparse %s", word, line, name);
    return SCREE_OK;
}

static scree_status read_sparse(reader *r, const char *name, scree_entries *out) {
    int kind;
    char what[64];
    snprintf(what, sizeof what, "the kind of sparse %s (1 triplet, 2 csc, 3 csr)", name);
    scree_status status = read_integer(r, what, TRIPLET, BY_ROW, &kind);
    if (status) return status;
    if (out->rows >= PRINTED_EXACTLY || out->columns >= PRINTED_EXACTLY)
        return FAIL(r,
                    "sparse %s is %d by %d: text keeps six digits of an index, which is not "
                    "enough; FCLIB files keep them all",
                    name, out->rows, out->columns);
    scree_scan_place(&r->scan);
    scree_scan_skip_line(&r->scan);  // the banner
    double announced = 0, index[2];
    long long found = 0;
    status = read_sparse_header(r, name, kind, out, &announced);
    if (kind == TRIPLET) {
        for (; !status && read_indices(&r->scan, 2, index); found++)
            status = read_entry(r, name, index, out);
    } else {
        int lines = kind == BY_ROW ? out->rows : out->columns;
        for (int line = 0; !status && line < lines; line++) {
            status = read_line_heading(r, name, kind, line);
            if (!status) status = read_line_entries(r, name, kind, line, out, &found);
        }
    }
    // the announced number has six digits, too
    if (!status && announced < PRINTED_EXACTLY && (double)found != announced)
        return FAIL(r, "expected the %.0f entries of sparse %s, found %lld and then %s", announced,
                    name, found, scree_scan_found(&r->scan).text);
    return status;
}

static scree_status read_matrix(reader *r, const char *name, scree_entries *out) {
    int storage;
    char what[64];
    snprintf(what, sizeof what, "the storage of %s (0 dense, 1 blocks, 2 sparse)", name);
    scree_status status = read_integer(r, what, DENSE, SPARSE, &storage);
    snprintf(what, sizeof what, "the number of rows of %s", name);
    if (!status) status = read_count(r, what, 0, 1, &out->rows);
    snprintf(what, sizeof what, "the number of columns of %s", name);
    if (!status) status = read_count(r, what, 0, 1, &out->columns);
    if (status) return status;
    if (storage == DENSE) return read_dense(r, name, out);
    return storage == BLOCKS ? read_blocks(r, name, out) : read_sparse(r, name, out);
}

static scree_status check_shape(reader *r, const char *name, const scree_entries *matrix, int rows,
                                int columns) {
    if (matrix->rows == rows && matrix->columns == columns) return SCREE_OK;
    return FAIL(r, "%s is %d by %d, expected %d by %d", name, matrix->rows, matrix->columns, rows,
                columns);
}

// behind the numbers there may be a remark, which does not begin with a number
static scree_status check_rest(reader *r) {
    double number;
    scree_scan before = r->scan;
    if (!scree_scan_number(&r->scan, &number)) return SCREE_OK;
    r->scan = before;
    return FAIL(r, "expected the end of the problem, found %s", scree_scan_found(&r->scan).text);
}

static scree_status read_lcp(reader *r) {
    scree_raw *raw = r->raw;
    raw->format = "text LCP";
    raw->is_lcp = true;
    scree_status status = read_integer(r, "the size of the LCP", 0, INT_MAX, &raw->dofs);
    if (!status) status = read_matrix(r, "M", &raw->W);
    if (!status) status = check_shape(r, "M", &raw->W, raw->dofs, raw->dofs);
    if (!status) status = read_vector(r, "q", raw->dofs, -INFINITY, &raw->b);
    return status ? status : check_rest(r);
}

// a matrix record of this shape?
static bool matrix_follows(scree_scan scan, int rows, int columns) {
    double number[3];
    for (int k = 0; k < 3; k++)
        if (!scree_scan_number(&scan, &number[k])) return false;
    return number[0] >= DENSE && number[0] <= SPARSE && number[1] == rows && number[2] == columns;
}

// The numbers of tokens of a local problem are known; where they do not fit, a matrix with the
// shape of H makes it global, and otherwise the shape of the first matrix decides.
static bool is_global(const reader *r) {
    const scree_raw *raw = r->raw;
    size_t d = (size_t)raw->dimension, vectors = d == 5 ? d + 2 : d + 1;
    size_t expected = vectors * (size_t)raw->contacts;
    bool square = raw->W.rows == raw->W.columns && (size_t)raw->W.rows == d * (size_t)raw->contacts;
    size_t tokens = scree_scan_tokens(r->scan, expected + 2);
    if (square && (tokens == expected || tokens == expected + 1)) return false;
    return matrix_follows(r->scan, raw->W.rows, raw->dimension * raw->contacts) || !square;
}

static scree_status read_motion(reader *r) {
    scree_raw *raw = r->raw;
    raw->is_global = true;
    raw->format = "text global";
    raw->M = raw->W;
    raw->W = (scree_entries){ 0 };
    raw->dofs = raw->M.rows;
    scree_status status = check_shape(r, "M", &raw->M, raw->dofs, raw->dofs);
    if (!status) status = read_matrix(r, "H", &raw->H);
    if (!status) status = check_shape(r, "H", &raw->H, raw->dofs, raw->dimension * raw->contacts);
    return status ? status : read_vector(r, "f", raw->dofs, -INFINITY, &raw->f);
}

static scree_status read_friction(reader *r) {
    scree_raw *raw = r->raw;
    raw->format = "text local";
    scree_status status = read_integer(r, "the dimension", 2, 5, &raw->dimension);
    if (status) return status;
    if (raw->dimension == 4) return FAIL(r, "the dimension must be 2, 3 or 5, got 4");
    status = read_integer(r, "the number of contacts", 0, INT_MAX / 8, &raw->contacts);
    if (!status) status = read_matrix(r, "W or M", &raw->W);
    if (!status && is_global(r)) status = read_motion(r);
    const char *offset = raw->is_global ? "b" : "q";
    if (!status)
        status = read_vector(r, offset, raw->dimension * raw->contacts, -INFINITY, &raw->b);
    if (!status) status = read_vector(r, "mu", raw->contacts, 0, &raw->mu);
    if (!status && raw->dimension == 5)
        status = read_vector(r, "mu_r", raw->contacts, 0, &raw->mu_rolling);
    if (status) return status;
    // old files end with one more whole number
    double extra;
    scree_scan before = r->scan;
    if (scree_scan_number(&r->scan, &extra) && extra != floor(extra)) r->scan = before;
    return check_rest(r);
}

// "n storage n n" is an LCP; d = 2 with a sparse matrix begins alike, but has its banner later
static bool is_lcp(scree_scan scan) {
    double number[7];
    int count = 0;
    while (count < 7 && scree_scan_number(&scan, &number[count])) count++;
    if (count < 4 || number[0] != number[2] || number[0] != number[3]) return false;
    if (number[1] < DENSE || number[1] > SPARSE) return false;
    return !(number[0] == 2 && count == 6);
}

scree_status scree_problem_text_read(const char *path, const char *text, size_t size,
                                     scree_arena *arena, scree_raw *raw, scree_error *err) {
    reader r = { .scan = { path, text, text + size, text, 1, NULL }, arena, raw, err };
    r.scan.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!r.scan.plain) return no_memory(&r);
    scree_status status = is_lcp(r.scan) ? read_lcp(&r) : read_friction(&r);
    freelocale(r.scan.plain);
    return status;
}
