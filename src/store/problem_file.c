// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// problem_file.c - reading a contact problem from any file.
// in: a path.   out: a problem with W in blocks, or an LCP; one arena owns it.
//
// Equations (joints) come behind the contacts, in groups of d rows. Where they do not fill the last
// group, rows are added that are coupled to nothing and whose solution is 0.

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_text.h"
#include "store/problem_raw.h"

enum { LCP_MOST = 10000 };                // unknowns: M is dense in memory
enum { CHUNK = 1 << 16 };                 // bytes read at a time, at first
static const size_t text_most = INT_MAX;  // bytes

typedef struct builder {
    const char *path;
    scree_raw *raw;
    scree_arena *arena, *scratch;
    scree_problem_file *file;
    scree_error *err;
    int contacts;  // with the groups of equations
    int rows;      // contacts x dimension
    int padding;   // rows of the last group that say nothing
} builder;

static scree_status no_memory(const char *path, scree_error *err) {
    return scree_fail(err, SCREE_NO_MEMORY, (scree_source_location){ path, 0, 0 },
                      "out of memory for this problem");
}

// a vector of the file followed by zeros for what was added
static double *extend(scree_arena *arena, const double *given, int count, const double *more,
                      int more_count, int total) {
    double *made = SCREE_NEW(arena, double, total);
    if (!made) return NULL;
    if (given) memcpy(made, given, (size_t)count * sizeof *made);
    if (more) memcpy(made + count, more, (size_t)more_count * sizeof *made);
    return made;
}

// columns of G or V become rows behind those of the contacts; true if there was memory
static bool append(scree_entries *to, const scree_entries *from, int row, int column,
                   bool transpose) {
    for (size_t e = 0; e < from->count; e++) {
        int i = transpose ? from->column[e] : from->row[e];
        int j = transpose ? from->row[e] : from->column[e];
        if (!scree_entries_add(to, row + i, column + j, from->value[e])) return false;
    }
    return true;
}

static double mean_diagonal(const scree_entries *W) {
    double sum = 0;
    for (size_t e = 0; e < W->count; e++)
        if (W->row[e] == W->column[e]) sum += fabs(W->value[e]);
    return isnormal(sum) ? sum / W->rows : 1;
}

// entry (i, j) -> (i / rows, j / columns): where the blocks stand
static bool find_blocks(const scree_entries *entries, int rows, int columns, bool diagonal,
                        scree_arena *arena, scree_lines *blocks, scree_arena *scratch) {
    scree_entries pattern = { .rows = entries->rows / rows, .columns = entries->columns / columns };
    bool fine = true;
    for (size_t e = 0; fine && e < entries->count; e++)
        fine = scree_entries_add(&pattern, entries->row[e] / rows, entries->column[e] / columns, 1);
    for (int i = 0; fine && diagonal && i < pattern.rows; i++)
        fine = scree_entries_add(&pattern, i, i, 1);
    fine = fine && scree_entries_by_row(&pattern, arena, blocks, scratch);
    scree_entries_free(&pattern);
    return fine;
}

static bool assemble_blocks(builder *b, const scree_entries *W) {
    int d = b->raw->dimension;
    scree_problem *problem = &b->file->problem;
    scree_lines blocks, rows;
    if (!find_blocks(W, d, d, true, b->arena, &blocks, b->scratch) ||
        !scree_entries_by_row(W, b->scratch, &rows, b->scratch))
        return false;
    double *block =
        SCREE_NEW(b->arena, double, (size_t)blocks.first[b->contacts] * (size_t)(d * d));
    int *diagonal = SCREE_NEW(b->arena, int, b->contacts);
    if (!block || !diagonal) return false;
    for (int i = 0; i < b->rows; i++) {
        int at = blocks.first[i / d];
        for (int e = rows.first[i]; e < rows.first[i + 1]; e++) {
            while (blocks.index[at] < rows.index[e] / d) at++;
            block[(size_t)at * (size_t)(d * d) + (size_t)(i % d * d + rows.index[e] % d)] =
                rows.value[e];
        }
    }
    for (int i = 0; i < b->contacts; i++)
        for (int k = blocks.first[i]; k < blocks.first[i + 1]; k++)
            if (blocks.index[k] == i) diagonal[i] = k;
    problem->row = blocks.first;
    problem->column = blocks.index;
    problem->diagonal = diagonal;
    problem->block = block;
    return true;
}

static scree_status build_local(builder *b) {
    scree_raw *raw = b->raw;
    int d = raw->dimension, n = d * raw->contacts;
    double mean = mean_diagonal(&raw->W);
    bool fine = append(&raw->W, &raw->V, 0, n, false) && append(&raw->W, &raw->V, n, 0, true) &&
                append(&raw->W, &raw->R, n, n, false);
    for (int i = b->rows - b->padding; i < b->rows; i++)
        fine = fine && scree_entries_add(&raw->W, i, i, mean);
    raw->W.rows = raw->W.columns = b->rows;
    b->file->problem.b = extend(b->arena, raw->b, n, raw->s, raw->equalities, b->rows);
    fine = fine && b->file->problem.b && assemble_blocks(b, &raw->W);
    return fine ? SCREE_OK : no_memory(b->path, b->err);
}

// H by contact: the degrees of freedom of its d columns together
static bool gather_rows(builder *b, const scree_entries *H, scree_motion *motion) {
    int d = b->raw->dimension;
    scree_entries turned = { H->columns, H->rows, H->count, 0, H->column, H->row, H->value };
    scree_lines touched, rows;
    if (!find_blocks(&turned, d, 1, false, b->arena, &touched, b->scratch) ||
        !scree_entries_by_row(&turned, b->scratch, &rows, b->scratch))
        return false;
    double *value = SCREE_NEW(b->arena, double, (size_t)touched.first[b->contacts] * (size_t)d);
    if (!value) return false;
    for (int i = 0; i < b->rows; i++) {
        int at = touched.first[i / d];
        for (int e = rows.first[i]; e < rows.first[i + 1]; e++) {
            while (touched.index[at] < rows.index[e]) at++;
            value[(size_t)at * (size_t)d + (size_t)(i % d)] = rows.value[e];
        }
    }
    motion->H_first = touched.first;
    motion->H_dof = touched.index;
    motion->H = value;
    return true;
}

// A row that says nothing gets a degree of freedom of its own, so that W = H M^-1 H^T holds for it
// too. Its mass makes it as mobile as the others are on average.
static void weigh_padding(builder *b, double *M, const int *M_first, int dofs) {
    const scree_problem *problem = &b->file->problem;
    int d = b->raw->dimension, real = b->rows - b->padding;
    double sum = 0, *block = (double *)problem->block;
    for (int i = 0; i < real; i++)
        sum += fabs(block[problem->diagonal[i / d] * d * d + i % d * (d + 1)]);
    double mass = isnormal(sum) && isnormal(real / sum) ? real / sum : 1;
    for (int i = 0; i < b->padding; i++) {
        int row = real + i;
        M[M_first[dofs + i]] = mass;
        block[problem->diagonal[row / d] * d * d + row % d * (d + 1)] = 1 / mass;
    }
}

static scree_status build_global(builder *b) {
    scree_raw *raw = b->raw;
    int n = raw->dimension * raw->contacts, dofs = raw->dofs + b->padding;
    scree_motion *motion = SCREE_NEW(b->arena, scree_motion, 1);
    scree_lines M;
    bool fine = append(&raw->H, &raw->V, 0, n, false);
    for (int i = 0; i < b->padding; i++)
        fine = fine && scree_entries_add(&raw->H, raw->dofs + i, b->rows - b->padding + i, 1) &&
               scree_entries_add(&raw->M, raw->dofs + i, raw->dofs + i, 1);
    raw->M.rows = raw->M.columns = raw->H.rows = dofs;
    raw->H.columns = b->rows;
    fine = fine && motion && scree_entries_by_column(&raw->M, b->arena, &M, b->scratch) &&
           gather_rows(b, &raw->H, motion);
    if (!fine) return no_memory(b->path, b->err);
    motion->dofs = dofs;
    motion->M_first = M.first;
    motion->M_row = M.index;
    motion->M = M.value;
    motion->f = extend(b->arena, raw->f, raw->dofs, NULL, 0, dofs);
    motion->w = extend(b->arena, raw->b, n, raw->s, raw->equalities, b->rows);
    if (!motion->f || !motion->w) return no_memory(b->path, b->err);
    b->file->problem.motion = motion;
    scree_status status = scree_problem_condense(b->path, motion, b->contacts, raw->dimension,
                                                 b->arena, &b->file->problem, b->err);
    if (!status) weigh_padding(b, M.value, M.first, raw->dofs);
    return status;
}

// sums of finite numbers may still overflow
static scree_status check_finite(const builder *b) {
    const scree_problem *problem = &b->file->problem;
    size_t numbers =
        (size_t)problem->row[b->contacts] * (size_t)(problem->dimension * problem->dimension);
    bool fine = true;
    for (size_t k = 0; k < numbers; k++) fine = fine && isfinite(problem->block[k]);
    for (int i = 0; i < b->rows; i++) fine = fine && isfinite(problem->b[i]);
    if (fine) return SCREE_OK;
    return scree_fail(b->err, SCREE_BAD_INPUT, (scree_source_location){ b->path, 0, 0 },
                      "W or b is not finite: numbers of the file are too large to be added up");
}

// Block (j, i) of each (i, j): rows are walked in order, so that each row needs one finger only.
static bool measure_asymmetry(builder *b) {
    const scree_problem *problem = &b->file->problem;
    int d = problem->dimension, size = d * d;
    int *finger = SCREE_NEW(b->scratch, int, b->contacts);
    if (!finger) return false;
    double worst = 0, largest = 0;
    for (int i = 0; i < b->contacts; i++) finger[i] = problem->row[i];
    for (int i = 0; i < b->contacts; i++)
        for (int k = problem->row[i]; k < problem->row[i + 1]; k++) {
            int j = problem->column[k], *at = &finger[j];
            while (*at < problem->row[j + 1] && problem->column[*at] < i) ++*at;
            bool there = *at < problem->row[j + 1] && problem->column[*at] == i;
            const double *one = problem->block + (size_t)k * (size_t)size;
            const double *other = problem->block + (size_t)*at * (size_t)size;
            for (int r = 0; r < size; r++) {
                double across = there ? other[r % d * d + r / d] : 0;
                worst = fmax(worst, fabs(one[r] - across));
                largest = fmax(largest, fabs(one[r]));
            }
        }
    b->file->asymmetry = largest > 0 ? worst / largest : 0;
    return true;
}

static scree_status build_problem(builder *b) {
    scree_raw *raw = b->raw;
    scree_problem *problem = &b->file->problem;
    int d = raw->dimension, groups = (raw->equalities + d - 1) / d;
    if (raw->contacts > INT_MAX / 8 - groups)
        return scree_fail(b->err, SCREE_BAD_INPUT, (scree_source_location){ b->path, 0, 0 },
                          "more than %d contacts", INT_MAX / 8);
    b->contacts = problem->contacts = raw->contacts + groups;
    b->rows = d * b->contacts;
    b->padding = groups * d - raw->equalities;
    problem->dimension = d;
    problem->mu = extend(b->arena, raw->mu, raw->contacts, NULL, 0, b->contacts);
    bool fine = problem->mu;
    if (d == 5) {
        problem->mu_rolling =
            extend(b->arena, raw->mu_rolling, raw->contacts, NULL, 0, b->contacts);
        fine = fine && problem->mu_rolling;
    }
    if (groups) {
        unsigned char *equality = SCREE_NEW(b->arena, unsigned char, b->contacts);
        if (equality) memset(equality + raw->contacts, 1, (size_t)groups);
        problem->equality = equality;
        fine = fine && equality;
    }
    if (raw->guess) {
        b->file->guess = extend(b->arena, raw->guess, d * raw->contacts, raw->guess_joint,
                                raw->equalities, b->rows);
        fine = fine && b->file->guess;
    }
    if (!fine) return no_memory(b->path, b->err);
    scree_status status = raw->is_global ? build_global(b) : build_local(b);
    if (!status) status = check_finite(b);
    return status || measure_asymmetry(b) ? status : no_memory(b->path, b->err);
}

static scree_status build_lcp(builder *b) {
    const scree_raw *raw = b->raw;
    int n = raw->dofs;
    if (n > LCP_MOST)
        return scree_fail(b->err, SCREE_BAD_INPUT, (scree_source_location){ b->path, 0, 0 },
                          "an LCP of %d unknowns; the limit is %d, since M is kept dense", n,
                          LCP_MOST);
    double *M = SCREE_NEW(b->arena, double, ((size_t)n * (size_t)n)), worst = 0, largest = 0;
    if (!M) return no_memory(b->path, b->err);
    for (size_t e = 0; e < raw->W.count; e++)
        M[(size_t)raw->W.row[e] * (size_t)n + (size_t)raw->W.column[e]] += raw->W.value[e];
    for (size_t i = 0; i < (size_t)n; i++)
        for (size_t j = 0; j < (size_t)n; j++) {
            double value = M[i * (size_t)n + j];
            if (!isfinite(value))
                return scree_fail(b->err, SCREE_BAD_INPUT, (scree_source_location){ b->path, 0, 0 },
                                  "M is not finite: its entries are too large to be added up");
            worst = fmax(worst, fabs(value - M[j * (size_t)n + i]));
            largest = fmax(largest, fabs(value));
        }
    b->file->is_lcp = true;
    b->file->lcp = (scree_lcp){ n, M, raw->b };
    b->file->asymmetry = largest > 0 ? worst / largest : 0;
    return SCREE_OK;
}

static scree_status cannot_read(const char *path, scree_error *err) {
    return scree_fail_file(err, path, "cannot be read", errno);
}

static bool is_hdf5(const char *text, size_t size) {
    return size >= 8 && memcmp(text, "\211HDF\r\n\032\n", 8) == 0;
}

// the whole text with a zero behind it; of an HDF5 file the beginning is enough
static scree_status slurp(const char *path, FILE *stream, char **text, size_t *size,
                          scree_error *err) {
    size_t capacity = 0;
    for (size_t got = 1; got > 0; *size += got) {
        if (*size == capacity) {
            capacity = capacity ? 2 * capacity : CHUNK;
            char *larger = realloc(*text, capacity + 1);
            if (!larger) return no_memory(path, err);
            *text = larger;
        }
        got = fread(*text + *size, 1, capacity - *size, stream);
        if (ferror(stream)) return cannot_read(path, err);
        (*text)[*size + got] = 0;
        if (*size == 0 && is_hdf5(*text, got)) {
            *size = got;
            return SCREE_OK;
        }
        if (memchr(*text + *size, 0, got))
            return scree_fail(err, SCREE_BAD_INPUT, (scree_source_location){ path, 0, 0 },
                              "is neither an HDF5 file nor text");
        if (*size + got > text_most)
            return scree_fail(err, SCREE_BAD_INPUT, (scree_source_location){ path, 0, 0 },
                              "is a text of more than 2 GB");
    }
    return SCREE_OK;
}

static scree_status read_raw(const char *path, scree_arena *arena, scree_raw *raw,
                             scree_error *err) {
    if (scree_file_is_pipe(path))
        return scree_fail(err, SCREE_BAD_INPUT, (scree_source_location){ path, 0, 0 },
                          "is a pipe, no regular file");
    FILE *stream = fopen(path, "rb");
    if (!stream) return cannot_read(path, err);
    char *text = NULL;
    size_t size = 0;
    scree_status status = slurp(path, stream, &text, &size, err);
    fclose(stream);
    if (!status)
        status = is_hdf5(text, size) ? scree_problem_fclib_read(path, arena, raw, err)
                                     : scree_problem_text_read(path, text, size, arena, raw, err);
    free(text);
    return status;
}

scree_status scree_problem_read(const char *path, scree_problem_file *file, scree_error *err) {
    *file = (scree_problem_file){ 0 };
    scree_arena *arena = calloc(1, sizeof *arena), scratch = { 0 };
    if (!arena) return no_memory(path, err);
    file->owner = arena;
    scree_raw raw = { 0 };
    builder b = { path, &raw, arena, &scratch, file, err, 0, 0, 0 };
    scree_status status = read_raw(path, arena, &raw, err);
    if (!status) status = raw.is_lcp ? build_lcp(&b) : build_problem(&b);
    file->format = raw.format;
    scree_entries *all[] = { &raw.W, &raw.R, &raw.M, &raw.H, &raw.V };
    for (int i = 0; i < 5; i++) scree_entries_free(all[i]);
    scree_arena_free(&scratch);
    if (status) scree_problem_file_free(file);
    return status;
}

void scree_problem_file_free(scree_problem_file *file) {
    if (!file) return;
    if (file->owner) scree_arena_free(file->owner);
    free(file->owner);
    *file = (scree_problem_file){ 0 };
}
