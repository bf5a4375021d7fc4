// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// problem_fclib.c - reading FCLIB files, the HDF5 layout of the field.
// in: a file.   out: matrices and vectors, checked for their own sake.
//
// Sizes are held against the vectors, and the vectors against the bytes that the file stores for
// them, before memory is taken.

#include <hdf5.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "store/layout.h"
#include "store/problem_raw.h"

enum { NAME = 128 };  // length of a dataset's name

typedef struct reader {
    const char *path;
    hid_t file;
    const char *group;  // of the problem
    scree_arena *arena, scratch;
    scree_raw *raw;
    scree_error *err;
} reader;

// a dataset, while it is open
typedef struct dataset {
    char name[NAME];
    hid_t set, type, space;
    size_t count;
} dataset;

static scree_status no_memory(const reader *r) {
    return scree_fail(r->err, SCREE_NO_MEMORY, (scree_source_location){ r->path, 0, 0 },
                      "out of memory for this problem");
}

#define FAIL(r, ...) \
    scree_fail((r)->err, SCREE_BAD_INPUT, (scree_source_location){ (r)->path, 0, 0 }, __VA_ARGS__)

static void close_set(dataset *d) {
    if (d->space >= 0) H5Sclose(d->space);
    if (d->type >= 0) H5Tclose(d->type);
    if (d->set >= 0) H5Dclose(d->set);
}

// kind: what its numbers must be; floating-point datasets may hold integers, too
static scree_status open_set(reader *r, const char *group, const char *name, H5T_class_t kind,
                             dataset *d) {
    snprintf(d->name, sizeof d->name, "%s/%s", group, name);
    d->type = d->space = -1;
    d->set = scree_layout_open(r->file, d->name);
    if (d->set < 0) return FAIL(r, "dataset %s is missing", d->name);
    d->type = H5Dget_type(d->set);
    d->space = H5Dget_space(d->set);
    H5T_class_t found = H5Tget_class(d->type);
    hssize_t count = H5Sget_simple_extent_npoints(d->space);
    scree_status status = SCREE_OK;
    if (found != H5T_INTEGER && found != kind)
        status = FAIL(r, "dataset %s: expected %s", d->name,
                      kind == H5T_INTEGER ? "whole numbers" : "numbers");
    else if (count < 0 || count > INT_MAX)
        status = FAIL(r, "dataset %s: its size cannot be used", d->name);
    d->count = count < 0 ? 0 : (size_t)count;
    if (!status && !scree_layout_stored(d->set, d->type, d->count))
        status = FAIL(r, "dataset %s: announces %zu numbers, but the file does not store them",
                      d->name, d->count);
    if (status) close_set(d);
    return status;
}

static scree_status fetch(reader *r, dataset *d, hid_t type, void *out) {
    bool fine = !d->count || H5Dread(d->set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0;
    return fine ? SCREE_OK : FAIL(r, "dataset %s cannot be read: it is damaged", d->name);
}

// whole numbers; 64 bits, so that none is cut off unseen
static scree_status read_integers(reader *r, const char *group, const char *name, int64_t **out,
                                  size_t *count) {
    dataset d;
    scree_status status = open_set(r, group, name, H5T_INTEGER, &d);
    if (status) return status;
    *count = d.count;
    *out = SCREE_NEW(&r->scratch, int64_t, d.count);
    status = *out ? fetch(r, &d, H5T_NATIVE_INT64, *out) : no_memory(r);
    close_set(&d);
    return status;
}

static scree_status read_integer(reader *r, const char *group, const char *name, int low, int high,
                                 int *out) {
    int64_t *value;
    size_t count;
    scree_status status = read_integers(r, group, name, &value, &count);
    if (status) return status;
    if (count != 1)
        return FAIL(r, "dataset %s/%s: expected one number, found %zu", group, name, count);
    if (low == high && *value != low)
        return FAIL(r, "dataset %s/%s must be %d, got %lld", group, name, low, (long long)*value);
    if (*value < low || *value > high)
        return FAIL(r, "dataset %s/%s must be from %d to %d, got %lld", group, name, low, high,
                    (long long)*value);
    *out = (int)*value;
    return SCREE_OK;
}

static scree_status check_values(reader *r, const dataset *d, double lowest, const double *value) {
    for (size_t i = 0; i < d->count; i++)
        if (!isfinite(value[i]) || value[i] < lowest)
            return FAIL(r, "dataset %s: number %zu must %s, got %g", d->name, i + 1,
                        isfinite(value[i]) ? "not be negative" : "be finite", value[i]);
    return SCREE_OK;
}

// expected < 0: any number of them
static scree_status read_numbers(reader *r, const char *group, const char *name, long expected,
                                 double lowest, scree_arena *arena, double **out, size_t *count) {
    dataset d;
    scree_status status = open_set(r, group, name, H5T_FLOAT, &d);
    if (status) return status;
    if (expected >= 0 && d.count != (size_t)expected)
        status = FAIL(r, "dataset %s: expected %ld numbers, found %zu", d.name, expected, d.count);
    *out = status ? NULL : SCREE_NEW(arena, double, d.count);
    if (!status) status = *out ? fetch(r, &d, H5T_NATIVE_DOUBLE, *out) : no_memory(r);
    if (!status) status = check_values(r, &d, lowest, *out);
    *count = d.count;
    close_set(&d);
    return status;
}

static bool exists(const reader *r, const char *group, const char *name) {
    hid_t where = scree_layout_enter(r->file, group);
    bool found = where >= 0 && H5Lexists(where, name, H5P_DEFAULT) > 0;
    if (where >= 0) H5Gclose(where);
    return found;
}

// a vector of the problem; one without numbers need not be there
static scree_status read_vector(reader *r, const char *name, int count, double lowest,
                                double **out) {
    char group[NAME];
    size_t found;
    snprintf(group, sizeof group, "%s/vectors", r->group);
    if (count == 0 && !exists(r, group, name)) {
        *out = SCREE_NEW(r->arena, double, 0);
        return *out ? SCREE_OK : no_memory(r);
    }
    return read_numbers(r, group, name, count, lowest, r->arena, out, &found);
}

// number of entries that a vector has in the file, or -1 when it is not there
static long vector_length(reader *r, const char *name) {
    char group[NAME];
    snprintf(group, sizeof group, "%s/vectors", r->group);
    dataset d;
    if (!exists(r, group, name)) return -1;
    if (open_set(r, group, name, H5T_FLOAT, &d)) return -1;
    close_set(&d);
    return (long)d.count;
}

typedef struct compressed {
    const char *group;
    int nz;
    int64_t *p, *i;
    double *x;
    size_t p_count, i_count, x_count;
} compressed;

static scree_status read_triplets(reader *r, const compressed *a, scree_entries *out) {
    for (int k = 0; k < a->nz; k++) {
        if (a->i[k] < 0 || a->i[k] >= out->rows || a->p[k] < 0 || a->p[k] >= out->columns)
            return FAIL(r,
                        "%s: entry %d stands in row %lld, column %lld; it has %d rows and %d "
                        "columns, counted from 0",
                        a->group, k, (long long)a->i[k], (long long)a->p[k], out->rows,
                        out->columns);
        if (!scree_entries_add(out, (int)a->i[k], (int)a->p[k], a->x[k])) return no_memory(r);
    }
    return SCREE_OK;
}

static scree_status read_compressed(reader *r, const compressed *a, scree_entries *out) {
    bool by_row = a->nz == -2;
    int lines = by_row ? out->rows : out->columns, places = by_row ? out->columns : out->rows;
    const char *kind = by_row ? "row" : "column";
    for (int line = 0; line < lines; line++) {
        int64_t begin = a->p[line], end = a->p[line + 1];
        if ((line == 0 && begin != 0) || end < begin || end > (int64_t)a->i_count ||
            end > (int64_t)a->x_count)
            return FAIL(r, "dataset %s/p: %s %d goes from %lld to %lld, of %zu entries", a->group,
                        kind, line, (long long)begin, (long long)end, a->i_count);
        for (int64_t e = begin; e < end; e++) {
            if (a->i[e] < 0 || a->i[e] >= places)
                return FAIL(r, "dataset %s/i: entry %lld of %s %d is %lld, expected 0 to %d",
                            a->group, (long long)e, kind, line, (long long)a->i[e], places - 1);
            int place = (int)a->i[e];
            if (!scree_entries_add(out, by_row ? line : place, by_row ? place : line, a->x[e]))
                return no_memory(r);
        }
    }
    return SCREE_OK;
}

// rows, columns: what they must be
static scree_status read_matrix(reader *r, const char *name, int rows, int columns,
                                scree_entries *out) {
    char group[NAME];
    compressed a = { .group = group };
    snprintf(group, sizeof group, "%s/%s", r->group, name);
    scree_arena_mark mark = scree_arena_mark_of(&r->scratch);
    scree_status status = read_integer(r, group, "m", rows, rows, &out->rows);
    if (!status) status = read_integer(r, group, "n", columns, columns, &out->columns);
    if (!status) status = read_integer(r, group, "nz", -2, INT_MAX, &a.nz);
    bool empty = !rows || !columns || !a.nz;
    if (!status && !(empty && !exists(r, group, "x"))) {
        size_t lines = (size_t)(a.nz == -2 ? rows : columns);
        status = read_integers(r, group, "p", &a.p, &a.p_count);
        if (!status) status = read_integers(r, group, "i", &a.i, &a.i_count);
        if (!status)
            status = read_numbers(r, group, "x", -1, -INFINITY, &r->scratch, &a.x, &a.x_count);
        size_t p_least = a.nz >= 0 ? (size_t)a.nz : lines + 1;
        size_t least = a.nz >= 0 ? (size_t)a.nz : 0;
        if (!status && (a.p_count < p_least || a.i_count < least || a.x_count < least))
            status = FAIL(r,
                          "%s: expected %zu, %zu and %zu numbers in p, i and x, found %zu, %zu "
                          "and %zu",
                          group, p_least, least, least, a.p_count, a.i_count, a.x_count);
        if (!status) status = a.nz >= 0 ? read_triplets(r, &a, out) : read_compressed(r, &a, out);
    }
    scree_arena_release(&r->scratch, mark);
    return status;
}

// equations, if there are any: V of a local problem, G of a global one
static scree_status read_equalities(reader *r, const char *matrix, const char *offset, int rows) {
    scree_raw *raw = r->raw;
    char group[NAME];
    snprintf(group, sizeof group, "%s/%s", r->group, matrix);
    long length = vector_length(r, offset);
    if (!exists(r, r->group, matrix)) {
        if (length > 0)
            return FAIL(r, "%s/vectors/%s has no matrix %s that goes with it", r->group, offset,
                        matrix);
        return SCREE_OK;
    }
    scree_status status = read_integer(r, group, "n", 0, INT_MAX / 8, &raw->equalities);
    if (!status) status = read_vector(r, offset, raw->equalities, -INFINITY, &raw->s);
    return status ? status : read_matrix(r, matrix, rows, raw->equalities, &raw->V);
}

static scree_status read_local(reader *r) {
    scree_raw *raw = r->raw;
    int rows = raw->dimension * raw->contacts;
    raw->format = "FCLIB local";
    scree_status status = read_vector(r, "q", rows, -INFINITY, &raw->b);
    if (!status) status = read_matrix(r, "W", rows, rows, &raw->W);
    if (!status) status = read_equalities(r, "V", "s", rows);
    if (!status && raw->equalities && exists(r, r->group, "R"))
        status = read_matrix(r, "R", raw->equalities, raw->equalities, &raw->R);
    return status;
}

static scree_status read_global(reader *r) {
    scree_raw *raw = r->raw;
    int rows = raw->dimension * raw->contacts;
    char group[NAME];
    snprintf(group, sizeof group, "%s/M", r->group);
    raw->format = "FCLIB global";
    raw->is_global = true;
    scree_status status = read_integer(r, group, "m", 0, INT_MAX / 8, &raw->dofs);
    if (!status) status = read_vector(r, "f", raw->dofs, -INFINITY, &raw->f);
    if (!status) status = read_vector(r, "w", rows, -INFINITY, &raw->b);
    if (!status) status = read_matrix(r, "M", raw->dofs, raw->dofs, &raw->M);
    if (!status) status = read_matrix(r, "H", raw->dofs, rows, &raw->H);
    return status ? status : read_equalities(r, "G", "b", raw->dofs);
}

// the last guess is the best one
static scree_status read_guess(reader *r) {
    scree_raw *raw = r->raw;
    int guesses, rows = raw->dimension * raw->contacts;
    char group[NAME];
    size_t found;
    if (!exists(r, "guesses", "number_of_guesses")) return SCREE_OK;
    scree_status status = read_integer(r, "guesses", "number_of_guesses", 0, INT_MAX, &guesses);
    if (status || !guesses || !rows) return status;
    snprintf(group, sizeof group, "guesses/%d", guesses);
    status = read_numbers(r, group, "r", rows, -INFINITY, r->arena, &raw->guess, &found);
    if (!status && raw->equalities && exists(r, group, "l"))
        status = read_numbers(r, group, "l", raw->equalities, -INFINITY, r->arena,
                              &raw->guess_joint, &found);
    return status;
}

static scree_status read_problem(reader *r) {
    static const char *const groups[] = { "fclib_local", "fclib_local_rolling", "fclib_global",
                                          "fclib_global_rolling" };
    scree_raw *raw = r->raw;
    bool global = false;
    for (int i = 0; i < 4 && !r->group; i++) {
        if (H5Lexists(r->file, groups[i], H5P_DEFAULT) > 0) r->group = groups[i];
        global = i >= 2;
    }
    if (!r->group)
        return FAIL(r,
                    "is an HDF5 file without a group fclib_local, fclib_global or "
                    "fclib_global_rolling");
    scree_status status = read_integer(r, r->group, "spacedim", 2, 5, &raw->dimension);
    if (status) return status;
    int d = raw->dimension, rows;
    if (d == 4) return FAIL(r, "dataset %s/spacedim must be 2, 3 or 5, got 4", r->group);

    // the number of contacts follows from the matrix that all contacts have columns in
    char group[NAME];
    snprintf(group, sizeof group, "%s/%s", r->group, global ? "H" : "W");
    status = read_integer(r, group, "n", 0, INT_MAX / 8, &rows);
    if (status) return status;
    if (rows % d)
        return FAIL(r, "dataset %s/n must be a multiple of spacedim, got %d for %d", group, rows,
                    d);
    raw->contacts = rows / d;
    status = read_vector(r, "mu", raw->contacts, 0, &raw->mu);
    if (!status && d == 5) status = read_vector(r, "mu_r", raw->contacts, 0, &raw->mu_rolling);
    if (!status) status = global ? read_global(r) : read_local(r);
    return status ? status : read_guess(r);
}

scree_status scree_problem_fclib_read(const char *path, scree_arena *arena, scree_raw *raw,
                                      scree_error *err) {
    reader r = { .path = path, .arena = arena, .raw = raw, .err = err };
    scree_quiet quiet = scree_layout_quiet();
    r.file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    char reason[160] = "";
    if (r.file < 0) scree_layout_reason(reason, sizeof reason);
    scree_status status =
        r.file < 0 ? FAIL(&r, "cannot be opened as an HDF5 file: %s", reason) : read_problem(&r);
    if (r.file >= 0) H5Fclose(r.file);
    scree_layout_loud(quiet);
    scree_arena_free(&r.scratch);
    return status;
}
