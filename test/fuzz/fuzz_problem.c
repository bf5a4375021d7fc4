// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fuzz_problem.c - libFuzzer target: any bytes as a problem file must end in an error with a text
// or in a problem that keeps its promises and survives being written and read again.
//
// Input that begins with "#hdf5" is a recipe: each line names a dataset, what it holds and its
// numbers, and an HDF5 file is made of it. The container itself is HDF5's business and always
// sound.
//
//     fclib_local/W/p i 0 1 2          i int32, l int64, f float64, t text, h huge and never
//     written

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scree/problem_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { VALUES = 2048 };

static void put_set(hid_t file, const char *name, char kind, hsize_t count, const double *value) {
    const hsize_t huge = 3000000000;
    hid_t type = kind == 'i'   ? H5T_STD_I32LE
                 : kind == 'l' ? H5T_STD_I64LE
                 : kind == 't' ? H5T_C_S1
                               : H5T_IEEE_F64LE;
    hid_t links = H5Pcreate(H5P_LINK_CREATE);
    hid_t space = H5Screate_simple(1, kind == 'h' ? &huge : &count, NULL);
    H5Pset_create_intermediate_group(links, 1);
    hid_t set = H5Dcreate2(file, name, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    if (set >= 0 && count && kind != 'h' && kind != 't')
        H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
    if (set >= 0) H5Dclose(set);
    H5Sclose(space);
    H5Pclose(links);
}

static void put_line(hid_t file, char *line) {
    static double value[VALUES];
    char *name = strtok(line, " "), *kind = strtok(NULL, " ");
    hsize_t count = 0;
    for (char *word; count < VALUES && (word = strtok(NULL, " "));)
        value[count++] = strtod(word, NULL);
    if (name && kind) put_set(file, name, *kind, count, value);
}

static void make_hdf5(const char *path, char *recipe) {
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    if (file < 0) abort();
    for (char *line = recipe, *next; line; line = next) {
        next = strchr(line, '\n');
        if (next) *next++ = 0;
        put_line(file, line);
    }
    H5Fclose(file);
}

#define PROMISE(condition)                  \
    do {                                    \
        if (!(condition)) __builtin_trap(); \
    } while (0)

static void check_motion(const scree_motion *m, int contacts) {
    for (int j = 0; j < m->dofs; j++)
        for (int e = m->M_first[j]; e < m->M_first[j + 1]; e++)
            PROMISE(m->M_row[e] >= (e > m->M_first[j] ? m->M_row[e - 1] + 1 : 0) &&
                    m->M_row[e] < m->dofs);
    for (int i = 0; i < contacts; i++)
        for (int e = m->H_first[i]; e < m->H_first[i + 1]; e++)
            PROMISE(m->H_dof[e] >= (e > m->H_first[i] ? m->H_dof[e - 1] + 1 : 0) &&
                    m->H_dof[e] < m->dofs);
}

static void check_problem(const scree_problem *p) {
    int d = p->dimension;
    PROMISE(d == 2 || d == 3 || d == 5);
    for (int i = 0; i < p->contacts; i++) {
        PROMISE(p->mu[i] >= 0 && isfinite(p->mu[i]));
        PROMISE(d != 5 || (p->mu_rolling[i] >= 0 && isfinite(p->mu_rolling[i])));
        PROMISE(p->column[p->diagonal[i]] == i);
        for (int k = p->row[i]; k < p->row[i + 1]; k++)
            PROMISE(p->column[k] >= (k > p->row[i] ? p->column[k - 1] + 1 : 0) &&
                    p->column[k] < p->contacts);
    }
    for (int k = 0; k < p->row[p->contacts] * d * d; k++) PROMISE(isfinite(p->block[k]));
    for (int i = 0; i < p->contacts * d; i++) PROMISE(isfinite(p->b[i]));
    if (p->motion) check_motion(p->motion, p->contacts);
}

// the file is named by its process, so that several fuzzers do not meet
static void check_round_trip(const scree_problem_file *file) {
    const scree_problem *p = &file->problem;
    char path[64];
    scree_error err = { 0 };
    scree_problem_file again;
    snprintf(path, sizeof path, "/tmp/scree-fuzz-%ld.hdf5", (long)getpid());
    scree_status status = scree_problem_write(path, p, NULL, &err);
    PROMISE(!status || (p->equality && !p->motion));
    if (status) return;
    PROMISE(!scree_problem_read(path, &again, &err));
    PROMISE(again.problem.contacts == p->contacts);
    for (int k = 0; !p->motion && k < p->contacts * p->dimension; k++)
        PROMISE(again.problem.b[k] == p->b[k]);
    scree_problem_file_free(&again);
    unlink(path);
}

static void make_text(const char *path, const uint8_t *data, size_t size) {
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(data, 1, size, out) != size || fclose(out)) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[64];
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    snprintf(path, sizeof path, "/tmp/scree-fuzz-%ld", (long)getpid());
    if (size >= 6 && memcmp(data, "#hdf5\n", 6) == 0) {
        char *recipe = strndup((const char *)data + 6, size - 6);
        make_hdf5(path, recipe);
        free(recipe);
    } else {
        make_text(path, data, size);
    }
    scree_error err = { 0 };
    scree_problem_file file;
    scree_status status = scree_problem_read(path, &file, &err);
    unlink(path);
    PROMISE(!status || err.text[0]);
    if (!status && !file.is_lcp) {
        check_problem(&file.problem);
        check_round_trip(&file);
    }
    scree_problem_file_free(&file);
    return 0;
}
