// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_problem_fclib.c - FCLIB files as other programs may write them: every storage, equations,
// guesses, and what is wrong with a file, said with the name of the dataset.

#include <hdf5.h>
#include <math.h>

#include "harness.h"
#include "problem_sample.h"
#include "scree/problem_file.h"

static hid_t file;  // the one that is being written

static void put_set(const char *name, hid_t stored, hid_t type, int count, const void *data) {
    hsize_t size = (hsize_t)count;
    hid_t links = H5Pcreate(H5P_LINK_CREATE), space = H5Screate_simple(1, &size, NULL);
    H5Pset_create_intermediate_group(links, 1);
    hid_t set = H5Dcreate2(file, name, stored, space, links, H5P_DEFAULT, H5P_DEFAULT);
    if (count) H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(links);
}

static void put_ints(const char *group, const char *name, int count, const int *data, bool wide) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", group, name);
    put_set(path, wide ? H5T_STD_I64BE : H5T_STD_I32LE, H5T_NATIVE_INT, count, data);
}

static void put_numbers(const char *group, const char *name, int count, const double *data) {
    char path[200];
    snprintf(path, sizeof path, "%s/%s", group, name);
    put_set(path, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, data);
}

// triplets come twice, in halves, with room behind them that is not filled
static void put_fclib_matrix(const char *group, matrix a, storage how) {
    int most = 2 * a.rows * a.columns + a.rows + a.columns + 8, count = 0, lines = 0;
    int *p = calloc((size_t)most, sizeof *p), *i = calloc((size_t)most, sizeof *i);
    double *x = calloc((size_t)most, sizeof *x);
    bool by_row = how == STORE_CSR, triplets = how == STORE_TRIPLET;
    int major = by_row ? a.rows : a.columns, minor = by_row ? a.columns : a.rows;
    for (int line = 0; line < major; line++) {
        for (int k = minor - 1; k >= 0; k--) {
            double value = by_row ? *at(a, line, k) : *at(a, k, line);
            for (int half = 0; half < 1 + triplets && value != 0; half++) {
                if (triplets) p[count] = line;
                i[count] = k;
                x[count++] = triplets ? value / 2 : value;
            }
        }
        if (!triplets) p[++lines] = count;
    }
    int nz = triplets ? count : by_row ? -2 : -1, room = count + (triplets ? 3 : 0);
    put_ints(group, "m", 1, &a.rows, false);
    put_ints(group, "n", 1, &a.columns, true);
    put_ints(group, "nz", 1, &nz, false);
    put_ints(group, "nzmax", 1, &room, false);
    put_ints(group, "p", triplets ? room : lines + 1, p, by_row);
    put_ints(group, "i", room, i, by_row);
    put_numbers(group, "x", room, x);
    free(p);
    free(i);
    free(x);
}

typedef struct sample {
    int d, nc, ne, dofs;
    matrix W, V, R, M, H;  // V stands for G of a global problem
    double *b, *s, *f, *mu, *mu_rolling, *guess, *guess_joint;
} sample;

static sample new_sample(int d, int nc, int ne, int parts) {
    sample s = { .d = d, .nc = nc, .ne = ne, .dofs = 6 * parts };
    int n = d * nc;
    if (parts) {
        s.M = random_mass(parts, 6);
        s.H = random_blocks(parts, nc, 6, d, 0.4);
        s.V = random_blocks(parts, ne, 6, 1, 0.4);
        s.W = matrix_new(0, 0);
        s.R = matrix_new(0, 0);
    } else {
        s.W = random_blocks(nc, nc, d, d, 0.4);
        s.V = random_blocks(nc, ne, d, 1, 0.4);
        s.R = random_blocks(ne, ne, 1, 1, 0.4);
        s.M = matrix_new(0, 0);
        s.H = matrix_new(0, 0);
    }
    s.b = random_vector(n, -1, 1);
    s.s = random_vector(ne, -1, 1);
    s.f = random_vector(s.dofs, -1, 1);
    s.mu = random_vector(nc, 0, 1);
    s.mu_rolling = random_vector(nc, 0, 1);
    s.guess = random_vector(n, -1, 1);
    s.guess_joint = random_vector(ne, -1, 1);
    return s;
}

static void free_sample(sample *s) {
    double *all[] = { s->W.x, s->V.x, s->R.x, s->M.x,        s->H.x,   s->b,
                      s->s,   s->f,   s->mu,  s->mu_rolling, s->guess, s->guess_joint };
    for (int i = 0; i < 12; i++) free(all[i]);
}

static const char *put_sample(const sample *s, storage how) {
    const char *path = scratch_path("sample.hdf5"),
               *group = s->dofs ? "fclib_global" : "fclib_local";
    char name[3][64], vectors[64];
    const int two = 2;
    double *zero = random_vector(s->d * s->nc, 0, 0);
    snprintf(vectors, sizeof vectors, "%s/vectors", group);
    snprintf(name[0], 64, "%s/%s", group, s->dofs ? "M" : "W");
    snprintf(name[1], 64, "%s/%s", group, s->dofs ? "G" : "V");
    snprintf(name[2], 64, "%s/%s", group, s->dofs ? "H" : "R");
    file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    put_ints(group, "spacedim", 1, &s->d, false);
    put_fclib_matrix(name[0], s->dofs ? s->M : s->W, how);
    if (s->dofs) put_fclib_matrix(name[2], s->H, how);
    if (s->ne) put_fclib_matrix(name[1], s->V, how);
    if (s->ne && !s->dofs) put_fclib_matrix(name[2], s->R, how);
    put_numbers(vectors, s->dofs ? "w" : "q", s->d * s->nc, s->b);
    put_numbers(vectors, "mu", s->nc, s->mu);
    if (s->d == 5) put_numbers(vectors, "mu_r", s->nc, s->mu_rolling);
    if (s->dofs) put_numbers(vectors, "f", s->dofs, s->f);
    if (s->ne) put_numbers(vectors, s->dofs ? "b" : "s", s->ne, s->s);
    put_ints("guesses", "number_of_guesses", 1, &two, false);
    put_numbers("guesses/1", "r", s->d * s->nc, zero);
    put_numbers("guesses/2", "r", s->d * s->nc, s->guess);
    if (s->ne) put_numbers("guesses/2", "l", s->ne, s->guess_joint);
    H5Fclose(file);
    free(zero);
    return path;
}

static bool read_fine(const char *path, scree_problem_file *out) {
    scree_error err = { 0 };
    if (!scree_problem_read(path, out, &err)) return true;
    COMPLAIN("%s: %s", err.file, err.text);
    return false;
}

static void solve_plainly(matrix A, double *x) {  // A and x are overwritten; A is far from singular
    int n = A.rows;
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) {
            double factor = i == k ? 0 : *at(A, i, k) / *at(A, k, k);
            for (int j = k; j < n; j++) *at(A, i, j) -= factor * *at(A, k, j);
            x[i] -= factor * x[k];
        }
    for (int k = 0; k < n; k++) x[k] /= *at(A, k, k);
}

// u of the contacts and what the equations leave, from impulses r and multipliers l by the formulas
static double *expected_velocity(const sample *s, const double *r, const double *l) {
    int n = s->d * s->nc;
    double *out = calloc((size_t)(n + s->ne) + 1, sizeof *out);
    double *v = calloc((size_t)s->dofs + 1, sizeof *v);
    matrix M = matrix_new(s->dofs, s->dofs);
    for (int i = 0; i < s->dofs; i++) {
        v[i] = s->f[i];
        for (int j = 0; j < n; j++) v[i] += *at(s->H, i, j) * r[j];
        for (int j = 0; j < s->ne; j++) v[i] += *at(s->V, i, j) * l[j];
        for (int j = 0; j < s->dofs; j++) *at(M, i, j) = *at(s->M, i, j);
    }
    solve_plainly(M, v);
    for (int i = 0; i < n; i++) {
        out[i] = s->b[i];
        for (int j = 0; j < s->dofs; j++) out[i] += *at(s->H, j, i) * v[j];
        for (int j = 0; !s->dofs && j < n; j++) out[i] += *at(s->W, i, j) * r[j];
        for (int j = 0; !s->dofs && j < s->ne; j++) out[i] += *at(s->V, i, j) * l[j];
    }
    for (int i = 0; i < s->ne; i++) {
        out[n + i] = s->s[i];
        for (int j = 0; j < s->dofs; j++) out[n + i] += *at(s->V, j, i) * v[j];
        for (int j = 0; !s->dofs && j < n; j++) out[n + i] += *at(s->V, j, i) * r[j];
        for (int j = 0; !s->dofs && j < s->ne; j++) out[n + i] += *at(s->R, i, j) * l[j];
    }
    free(M.x);
    free(v);
    return out;
}

// rows that fill the last group of equations: coupled to nothing, with the solution 0
static void check_padding(const scree_problem *p, int real, double mean) {
    int d = p->dimension;
    for (int row = real; row < d * p->contacts; row++) {
        CHECK_NEAR(p->b[row], 0, 0);
        for (int i = 0; i < p->contacts; i++)
            for (int k = p->row[i]; k < p->row[i + 1]; k++)
                for (int r = 0; r < d * d; r++) {
                    int at_row = i * d + r / d, at_column = p->column[k] * d + r % d;
                    double x = p->block[k * d * d + r];
                    if (at_row == row && at_column == row)
                        CHECK_NEAR(x, mean, 1e-12 * mean);
                    else if (at_row == row || at_column == row)
                        CHECK_NEAR(x, 0, 0);
                }
    }
}

static double mean_diagonal(const scree_problem *p, int rows) {
    int d = p->dimension;
    double sum = 0;
    for (int i = 0; i < rows; i++)
        sum += fabs(p->block[p->diagonal[i / d] * d * d + i % d * (d + 1)]);
    return rows ? sum / rows : 1;
}

// W = H M^-1 H^T must hold for every row, those that fill up included: row sums against a vector
static void check_motion(const scree_problem *p, const double *impulse, const double *velocity) {
    const scree_motion *m = p->motion;
    int d = p->dimension;
    matrix M = matrix_new(m->dofs, m->dofs);
    double *v = calloc((size_t)m->dofs + 1, sizeof *v);
    for (int i = 0; i < m->dofs; i++) v[i] = m->f[i];
    for (int j = 0; j < m->dofs; j++)
        for (int e = m->M_first[j]; e < m->M_first[j + 1]; e++) *at(M, m->M_row[e], j) = m->M[e];
    for (int i = 0; i < p->contacts; i++)
        for (int e = m->H_first[i]; e < m->H_first[i + 1]; e++)
            for (int r = 0; r < d; r++) v[m->H_dof[e]] += m->H[e * d + r] * impulse[i * d + r];
    solve_plainly(M, v);
    for (int i = 0; i < p->contacts; i++)
        for (int r = 0; r < d; r++) {
            double sum = m->w[i * d + r];
            for (int e = m->H_first[i]; e < m->H_first[i + 1]; e++)
                sum += m->H[e * d + r] * v[m->H_dof[e]];
            CHECK_NEAR(velocity[i * d + r], sum, 1e-12);
        }
    free(M.x);
    free(v);
}

static void check_against(const sample *s, const scree_problem_file *read) {
    const scree_problem *p = &read->problem;
    int n = s->d * s->nc, groups = (s->ne + s->d - 1) / s->d, all = n + groups * s->d;
    CHECK_INT(p->contacts, s->nc + groups);
    CHECK_INT(p->dimension, s->d);
    if (p->contacts != s->nc + groups || p->dimension != s->d) return;
    CHECK((p->equality != NULL) == (s->ne > 0));
    for (int i = 0; i < p->contacts; i++) {
        CHECK_INT(p->equality && p->equality[i], i >= s->nc);
        CHECK_NEAR(p->mu[i], i < s->nc ? s->mu[i] : 0, 0);
        if (s->d == 5) CHECK_NEAR(p->mu_rolling[i], i < s->nc ? s->mu_rolling[i] : 0, 0);
    }
    CHECK((read->guess != NULL) == (n > 0));
    for (int i = 0; read->guess && i < all; i++) {
        double expected = i < n ? s->guess[i] : i < n + s->ne ? s->guess_joint[i - n] : 0;
        CHECK_NEAR(read->guess[i], expected, 0);
    }

    double *impulse = random_vector(all, -1, 1),
           *velocity = calloc((size_t)all + 1, sizeof(double));
    double *expected = expected_velocity(s, impulse, impulse + n);
    scree_problem_velocity(p, impulse, velocity);
    for (int i = 0; i < n + s->ne; i++) CHECK_NEAR(velocity[i], expected[i], 1e-12);
    check_padding(p, n + s->ne, mean_diagonal(p, s->dofs ? n + s->ne : n));
    if (p->motion) check_motion(p, impulse, velocity);
    free(impulse);
    free(velocity);
    free(expected);
}

static void every_storage_and_every_equation_is_read(void) {
    const int dimensions[] = { 2, 3, 5 };
    for (int k = 0; k < 3; k++)
        for (int how = STORE_TRIPLET; how <= STORE_CSR; how++)
            for (int ne = 0; ne <= 6; ne++)
                for (int global = 0; global <= 1; global++) {
                    sample s = new_sample(dimensions[k], random_int(0, 5), ne, global ? 3 : 0);
                    scree_problem_file read;
                    if (read_fine(put_sample(&s, (storage)how), &read)) {
                        CHECK_TEXT(read.format, global ? "FCLIB global" : "FCLIB local");
                        check_against(&s, &read);
                        scree_problem_file_free(&read);
                    }
                    free_sample(&s);
                }
}

// a global problem with joints is written with G, and its padding as equations of its own
static void joints_survive_a_round_trip(void) {
    for (int ne = 1; ne <= 4; ne++) {
        sample s = new_sample(3, 4, ne, 3);
        scree_problem_file first, second;
        scree_error err = { 0 };
        char path[400];
        snprintf(path, sizeof path, "%s", scratch_path("joints.hdf5"));
        if (!read_fine(put_sample(&s, STORE_TRIPLET), &first)) continue;
        const scree_problem *p = &first.problem;
        CHECK_INT(
            scree_problem_write(path, p, &(scree_problem_notes){ .guess = first.guess }, &err),
            SCREE_OK);
        if (read_fine(path, &second)) {
            const scree_problem *q = &second.problem;
            int blocks = p->row[p->contacts];
            CHECK_INT(q->contacts, p->contacts);
            CHECK_INT(q->row[q->contacts], blocks);
            CHECK(memcmp(q->equality, p->equality, (size_t)p->contacts) == 0);
            for (int k = 0; k < 3 * p->contacts; k++) {
                CHECK_NEAR(second.guess[k], first.guess[k], 0);
                CHECK_NEAR(q->b[k], p->b[k], 0);
            }
            for (int k = 0; q->row[q->contacts] == blocks && k < 9 * blocks; k++)
                CHECK_NEAR(q->block[k], p->block[k], 1e-15 * fabs(p->block[k]));
            scree_problem_file_free(&second);
        }
        unlink(path);
        scree_problem_file_free(&first);
        free_sample(&s);
    }
}

// packed by HDF5 itself: less in the file than in memory
static void packed_datasets_are_read(void) {
    sample s = new_sample(3, 40, 0, 0);
    hsize_t size = 120;
    double *same = random_vector(120, 0.5, 0.5);
    const char *path = put_sample(&s, STORE_CSR);
    file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    H5Ldelete(file, "fclib_local/vectors/q", H5P_DEFAULT);
    hid_t how = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &size, NULL);
    H5Pset_chunk(how, 1, &size);
    H5Pset_deflate(how, 9);
    hid_t set = H5Dcreate2(file, "fclib_local/vectors/q", H5T_IEEE_F64LE, space, H5P_DEFAULT, how,
                           H5P_DEFAULT);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, same);
    H5Dclose(set);
    H5Sclose(space);
    H5Pclose(how);
    H5Fclose(file);
    scree_problem_file read;
    if (read_fine(path, &read)) {
        CHECK_NEAR(read.problem.b[119], 0.5, 0);
        scree_problem_file_free(&read);
    }
    free(same);
    free_sample(&s);
}

enum { INTS, NUMBERS, NOTHING, HUGE_SET };  // what a dataset is replaced with

static const struct broken {
    bool global;
    const char *name;
    int kind, count;
    double value[7];
    const char *says;
} broken[] = {
    { 0, "spacedim", INTS, 1, { 4 }, "fclib_local/spacedim must be 2, 3 or 5, got 4" },
    { 0, "spacedim", INTS, 1, { 7 }, "fclib_local/spacedim must be from 2 to 5, got 7" },
    { 0, "spacedim", INTS, 2, { 3, 3 }, "fclib_local/spacedim: expected one number, found 2" },
    { 0, "spacedim", NUMBERS, 1, { 3 }, "fclib_local/spacedim: expected whole numbers" },
    { 0, "spacedim", NOTHING, 0, { 0 }, "fclib_local/spacedim is missing" },
    { 0, "spacedim", INTS, 1, { 2 }, "fclib_local/vectors/mu: expected 3 numbers, found 2" },
    { 0, "W", NOTHING, 0, { 0 }, "fclib_local/W/n is missing" },
    { 0, "W/n", INTS, 1, { 7 }, "fclib_local/W/n must be a multiple of spacedim" },
    { 0, "W/n", INTS, 1, { -3 }, "fclib_local/W/n must be from 0" },
    { 0, "W/n", INTS, 1, { 3e8 }, "fclib_local/W/n must be from 0" },
    { 0, "W/n", INTS, 1, { 9e7 }, "fclib_local/vectors/mu: expected 30000000 numbers, found 2" },
    { 0, "W/m", INTS, 1, { 5 }, "fclib_local/W/m must be 6, got 5" },
    { 0, "W/nz", INTS, 1, { -3 }, "fclib_local/W/nz must be from -2" },
    { 0, "W/nz", INTS, 1, { 1e9 }, "fclib_local/W: expected 1000000000, 1000000000 and" },
    { 0, "W/p", INTS, 3, { 0, 1, 2 }, "fclib_local/W: expected 7, 0 and 0 numbers in p, i and x" },
    { 0, "W/p", INTS, 7, { 0, 2, 1, 1, 1, 1, 1 }, "fclib_local/W/p: row 1 goes from 2 to 1" },
    { 0, "W/p", INTS, 7, { 1, 2, 2, 2, 2, 2, 2 }, "fclib_local/W/p: row 0 goes from 1 to 2" },
    { 0, "W/p", HUGE_SET, 0, { 0 }, "fclib_local/W/p: announces 2000000000 numbers" },
    { 0, "W/x", HUGE_SET, 0, { 0 }, "fclib_local/W/x: announces 2000000000 numbers" },
    { 0, "W/x", INTS, 1, { 1 }, "fclib_local/W/p: row 0 goes from 0 to" },
    { 0,
      "W/i",
      INTS,
      4,
      { 9, 9, 9, 9 },
      "fclib_local/W/i: entry 0 of row 0 is 9, expected 0 to 5" },
    { 0, "vectors/q", NUMBERS, 4, { 1, 1, 1, 1 }, "vectors/q: expected 6 numbers, found 4" },
    { 0, "vectors/q", NOTHING, 0, { 0 }, "fclib_local/vectors/q is missing" },
    { 0, "vectors/mu", NUMBERS, 2, { 1, -1 }, "vectors/mu: number 2 must not be negative, got -1" },
    { 0, "vectors/mu", NUMBERS, 2, { NAN, 0 }, "vectors/mu: number 1 must be finite, got" },
    { 0, "vectors/mu", HUGE_SET, 0, { 0 }, "fclib_local/vectors/mu: announces" },
    { 0, "vectors/s", NOTHING, 0, { 0 }, "fclib_local/vectors/s is missing" },
    { 0, "V", NOTHING, 0, { 0 }, "fclib_local/vectors/s has no matrix V" },
    { 0, "V/m", INTS, 1, { 5 }, "fclib_local/V/m must be 6, got 5" },
    { 0, "V/n", INTS, 1, { 2e8 }, "fclib_local/vectors/s: expected 200000000 numbers, found 2" },
    { 0, "R/n", INTS, 1, { 5 }, "fclib_local/R/n must be 2, got 5" },
    { 1, "M/m", INTS, 1, { 11 }, "fclib_global/vectors/f: expected 11 numbers, found 12" },
    { 1, "M/n", INTS, 1, { 11 }, "fclib_global/M/n must be 12, got 11" },
    { 1, "H/m", INTS, 1, { 11 }, "fclib_global/H/m must be 12, got 11" },
    { 1, "H", NOTHING, 0, { 0 }, "fclib_global/H/n is missing" },
    { 1, "vectors/w", NOTHING, 0, { 0 }, "fclib_global/vectors/w is missing" },
    { 1, "vectors/f", NUMBERS, 1, { INFINITY }, "fclib_global/vectors/f: expected 12 numbers" },
    { 1, "vectors/b", NUMBERS, 2, { 1, INFINITY }, "vectors/b: number 2 must be finite, got inf" },
    { 1, "G/n", INTS, 1, { 1 }, "fclib_global/vectors/b: expected 1 numbers, found 2" },
    { 1, "M/x", INTS, 4, { 0, 0, 0, 0 }, "fclib_global/M/p: row 0 goes from 0 to" },
};

static void replace(const char *name, const struct broken *b) {
    H5Ldelete(file, name, H5P_DEFAULT);
    const hsize_t huge = 2000000000;
    if (b->kind == INTS) put_set(name, H5T_STD_I32LE, H5T_NATIVE_DOUBLE, b->count, b->value);
    if (b->kind == NUMBERS) put_set(name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, b->count, b->value);
    if (b->kind == HUGE_SET) {
        hid_t space = H5Screate_simple(1, &huge, NULL);
        bool integers = strstr(name, "/p");
        H5Dclose(H5Dcreate2(file, name, integers ? H5T_STD_I32LE : H5T_IEEE_F64LE, space,
                            H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        H5Sclose(space);
    }
}

static void broken_files_are_refused_with_the_dataset(void) {
    for (size_t k = 0; k < sizeof broken / sizeof *broken; k++) {
        const struct broken *b = &broken[k];
        sample s = new_sample(3, 2, 2, b->global ? 2 : 0);
        const char *path = put_sample(&s, STORE_CSR);
        char name[100];
        snprintf(name, sizeof name, "fclib_%s/%s", b->global ? "global" : "local", b->name);
        file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        replace(name, b);
        H5Fclose(file);
        scree_error err = { 0 };
        scree_problem_file read;
        scree_status status = scree_problem_read(path, &read, &err);
        if (status != SCREE_BAD_INPUT || !strstr(err.text, b->says))
            COMPLAIN("row %zu, %s: %d: %s\n    expected: %s", k, name, (int)status, err.text,
                     b->says);
        scree_problem_file_free(&read);
        free_sample(&s);
    }
}

static void other_hdf5_files_are_refused(void) {
    const char *path = scratch_path("sample.hdf5");
    scree_error err = { 0 };
    scree_problem_file read;
    const int one = 1;
    file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    put_ints("something", "else", 1, &one, false);
    H5Fclose(file);
    CHECK_INT(scree_problem_read(path, &read, &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "without a group fclib_local") != NULL);
    sample s = new_sample(3, 5, 0, 0);
    put_sample(&s, STORE_CSR);
    for (int size = 2000; size > 8; size = size * 2 / 3) {  // cut off
        CHECK_INT(truncate(path, size), 0);
        CHECK_INT(scree_problem_read(path, &read, &err), SCREE_BAD_INPUT);
        CHECK(strstr(err.text, "HDF5") != NULL);
    }
    free_sample(&s);
}

TEST_FILE(test_problem_fclib) {
    TEST(every_storage_and_every_equation_is_read);
    TEST(joints_survive_a_round_trip);
    TEST(packed_datasets_are_read);
    TEST(broken_files_are_refused_with_the_dataset);
    TEST(other_hdf5_files_are_refused);
    unlink(scratch_path("sample.hdf5"));
    return harness_end();
}
