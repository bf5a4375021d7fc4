// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_problem_file.c - contact problems through files: every text storage gives the same bits,
// what is written comes back, W is what a plain elimination says, and real files are read.

#include <glob.h>
#include <hdf5.h>
#include <locale.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "harness.h"
#include "problem_text_sample.h"
#include "scree/problem_file.h"

typedef struct sample {
    int dimension, contacts, dofs;
    matrix W;       // local
    matrix M, H;    // global: H is dofs x (contacts x dimension)
    double *b, *f;  // b is w of a global problem
    double *mu, *mu_rolling;
} sample;

static sample new_sample(int dimension, int contacts) {
    int n = dimension * contacts;
    return (sample){ .dimension = dimension,
                     .contacts = contacts,
                     .b = random_vector(n, -1, 1),
                     .mu = random_vector(contacts, 0, 1),
                     .mu_rolling = random_vector(contacts, 0, 0.1) };
}

static sample local_sample(int dimension, int contacts) {
    sample s = new_sample(dimension, contacts);
    s.W = random_blocks(contacts, contacts, dimension, dimension, 0.3);
    return s;
}

static sample global_sample(int dimension, int contacts, int parts, int size) {
    sample s = new_sample(dimension, contacts);
    s.dofs = parts * size;
    s.M = random_mass(parts, size);
    s.H = random_blocks(parts, contacts, size, dimension, 0.3);
    s.f = random_vector(s.dofs, -1, 1);
    return s;
}

static void free_sample(sample *s) {
    double *all[] = { s->W.x, s->M.x, s->H.x, s->b, s->f, s->mu, s->mu_rolling };
    for (int i = 0; i < 7; i++) free(all[i]);
}

static void put_sample(const char *path, const sample *s, storage first, storage second,
                       const char *ending) {
    FILE *out = fopen(path, "w");
    int d = s->dimension, part = s->dofs % 6 ? s->dofs : 6;
    fprintf(out, "%d\n%d\n", d, s->contacts);
    if (s->dofs) {
        put_matrix(out, s->M, first, part, part);
        put_matrix(out, s->H, second, part, d);
        put_vector(out, s->f, s->dofs);
    } else {
        put_matrix(out, s->W, first, d, d);
    }
    put_vector(out, s->b, d * s->contacts);
    put_vector(out, s->mu, s->contacts);
    if (d == 5) put_vector(out, s->mu_rolling, s->contacts);
    fputs(ending, out);
    fclose(out);
}

static bool read_fine(const char *path, scree_problem_file *file) {
    scree_error err = { 0 };
    if (!scree_problem_read(path, file, &err)) return true;
    COMPLAIN("%s:%d:%d: %s", err.file, err.line, err.column, err.text);
    return false;
}

static matrix dense_W(const scree_problem *p) {
    int d = p->dimension;
    matrix W = matrix_new(d * p->contacts, d * p->contacts);
    for (int i = 0; i < p->contacts; i++)
        for (int k = p->row[i]; k < p->row[i + 1]; k++)
            for (int r = 0; r < d * d; r++)
                *at(W, i * d + r / d, p->column[k] * d + r % d) = p->block[k * d * d + r];
    return W;
}

static void check_same(const double *x, const double *y, int n, const char *what) {
    for (int i = 0; i < n; i++)
        if (x[i] != y[i]) {
            COMPLAIN("%s[%d] = %.17g, expected %.17g", what, i, x[i], y[i]);
            return;
        }
}

static double largest_difference(matrix a, matrix b) {
    double worst = 0;
    for (int k = 0; k < a.rows * a.columns; k++) worst = fmax(worst, fabs(a.x[k] - b.x[k]));
    return worst;
}

static void check_pattern(const scree_problem *p) {
    for (int i = 0; i < p->contacts; i++) {
        CHECK_INT(p->column[p->diagonal[i]], i);
        CHECK(p->diagonal[i] >= p->row[i] && p->diagonal[i] < p->row[i + 1]);
        for (int k = p->row[i] + 1; k < p->row[i + 1]; k++) CHECK(p->column[k] > p->column[k - 1]);
    }
}

static double asymmetry_of(matrix W) {
    double worst = 0, largest = 0;
    for (int i = 0; i < W.rows; i++)
        for (int j = 0; j < W.rows; j++) {
            worst = fmax(worst, fabs(*at(W, i, j) - *at(W, j, i)));
            largest = fmax(largest, fabs(*at(W, i, j)));
        }
    return largest > 0 ? worst / largest : 0;
}

static void check_local(const scree_problem_file *file, const sample *s) {
    const scree_problem *p = &file->problem;
    CHECK(!file->is_lcp);
    CHECK_INT(p->dimension, s->dimension);
    CHECK_INT(p->contacts, s->contacts);
    CHECK(!p->motion && !p->equality && !p->cohesion && !p->mu_second && !p->rolling_length);
    CHECK((p->mu_rolling != NULL) == (s->dimension == 5));
    if (p->contacts != s->contacts || p->dimension != s->dimension) return;
    check_pattern(p);
    matrix W = dense_W(p);
    check_same(W.x, s->W.x, W.rows * W.rows, "W");
    check_same(p->b, s->b, W.rows, "b");
    check_same(p->mu, s->mu, s->contacts, "mu");
    if (p->mu_rolling) check_same(p->mu_rolling, s->mu_rolling, s->contacts, "mu_rolling");
    CHECK_NEAR(file->asymmetry, asymmetry_of(s->W), 1e-15);
    free(W.x);
}

// X := A^-1 X by plain elimination of copies, largest pivot first
static matrix solve_plainly(matrix A, matrix X) {
    int n = A.rows;
    matrix a = matrix_new(n, n), x = matrix_new(n, X.columns);
    memcpy(a.x, A.x, (size_t)(n * n) * sizeof *a.x);
    memcpy(x.x, X.x, (size_t)(n * X.columns) * sizeof *x.x);
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k; i < n; i++)
            if (fabs(*at(a, i, k)) > fabs(*at(a, best, k))) best = i;
        for (int j = 0; j < n; j++) {
            double kept = *at(a, k, j);
            *at(a, k, j) = *at(a, best, j);
            *at(a, best, j) = kept;
        }
        for (int j = 0; j < x.columns; j++) {
            double kept = *at(x, k, j);
            *at(x, k, j) = *at(x, best, j);
            *at(x, best, j) = kept;
        }
        for (int i = 0; i < n; i++) {
            double factor = i == k ? 0 : *at(a, i, k) / *at(a, k, k);
            if (factor == 0) continue;
            for (int j = k; j < n; j++) *at(a, i, j) -= factor * *at(a, k, j);
            for (int j = 0; j < x.columns; j++) *at(x, i, j) -= factor * *at(x, k, j);
        }
    }
    for (int k = 0; k < n; k++)
        for (int j = 0; j < x.columns; j++) *at(x, k, j) /= *at(a, k, k);
    free(a.x);
    return x;
}

static matrix product_transposed(matrix A, matrix B) {  // A^T B
    matrix C = matrix_new(A.columns, B.columns);
    for (int k = 0; k < A.rows; k++)
        for (int i = 0; i < C.rows; i++)
            for (int j = 0; j < C.columns; j++) *at(C, i, j) += *at(A, k, i) * *at(B, k, j);
    return C;
}

static void check_motion(const scree_problem *p, const sample *s) {
    const scree_motion *m = p->motion;
    matrix M = matrix_new(s->dofs, s->dofs), H = matrix_new(s->dofs, s->H.columns);
    CHECK_INT(m->dofs, s->dofs);
    for (int j = 0; j < s->dofs; j++)
        for (int e = m->M_first[j]; e < m->M_first[j + 1]; e++) {
            *at(M, m->M_row[e], j) = m->M[e];
            CHECK(e == m->M_first[j] || m->M_row[e] > m->M_row[e - 1]);
        }
    for (int i = 0; i < s->contacts; i++)
        for (int e = m->H_first[i]; e < m->H_first[i + 1]; e++) {
            for (int r = 0; r < s->dimension; r++)
                *at(H, m->H_dof[e], i * s->dimension + r) = m->H[e * s->dimension + r];
            CHECK(e == m->H_first[i] || m->H_dof[e] > m->H_dof[e - 1]);
        }
    check_same(M.x, s->M.x, s->dofs * s->dofs, "M");
    check_same(H.x, s->H.x, s->dofs * s->H.columns, "H");
    check_same(m->f, s->f, s->dofs, "f");
    check_same(m->w, s->b, s->H.columns, "w");
    free(M.x);
    free(H.x);
}

static void check_global(const scree_problem_file *file, const sample *s) {
    const scree_problem *p = &file->problem;
    CHECK_INT(p->dimension, s->dimension);
    CHECK_INT(p->contacts, s->contacts);
    CHECK(p->motion != NULL);
    if (p->contacts != s->contacts || !p->motion) return;
    check_pattern(p);
    check_motion(p, s);
    check_same(p->mu, s->mu, s->contacts, "mu");
    matrix f = { s->dofs, 1, s->f }, W = dense_W(p);
    matrix MH = solve_plainly(s->M, s->H), Mf = solve_plainly(s->M, f);
    matrix expected = product_transposed(s->H, MH), offset = product_transposed(s->H, Mf);
    double largest = 1;
    for (int k = 0; k < W.rows * W.rows; k++) largest = fmax(largest, fabs(expected.x[k]));
    CHECK_NEAR(largest_difference(W, expected), 0, 1e-14 * largest);
    for (int i = 0; i < W.rows; i++) CHECK_NEAR(p->b[i], offset.x[i] + s->b[i], 1e-13);
    double *all[] = { W.x, MH.x, Mf.x, expected.x, offset.x };
    for (int i = 0; i < 5; i++) free(all[i]);
}

static void every_text_storage_of_a_local_problem_gives_its_bits(void) {
    const int dimensions[] = { 2, 3, 5 };
    for (int k = 0; k < 3; k++)
        for (int how = 0; how < STORAGES; how++)
            for (int contacts = 0; contacts <= 12; contacts += 4) {
                sample s = local_sample(dimensions[k], contacts);
                const char *path = scratch_path("local.dat");
                scree_problem_file file;
                put_sample(path, &s, (storage)how, STORE_DENSE, contacts == 8 ? "1\n" : "");
                if (read_fine(path, &file)) {
                    check_local(&file, &s);
                    CHECK_TEXT(file.format, "text local");
                    scree_problem_file_free(&file);
                }
                free_sample(&s);
            }
}

static void every_text_storage_of_a_global_problem_gives_its_bits(void) {
    const int dimensions[] = { 2, 3, 5 };
    for (int k = 0; k < 3; k++)
        for (int how = 0; how < STORAGES * STORAGES; how++) {
            sample s = global_sample(dimensions[k], random_int(0, 6), 3, 6);
            const char *path = scratch_path("global.dat");
            scree_problem_file file;
            put_sample(path, &s, (storage)(how / STORAGES), (storage)(how % STORAGES),
                       how % 2 ? "0\n" : "");
            if (read_fine(path, &file)) {
                check_global(&file, &s);
                CHECK_TEXT(file.format, "text global");
                scree_problem_file_free(&file);
            }
            free_sample(&s);
        }
}

static void square_H_is_still_global(void) {  // as many coordinates as components of contacts
    for (int how = 0; how < STORAGES; how++) {
        sample s = global_sample(3, 2, 1, 6);
        const char *path = scratch_path("square.dat");
        scree_problem_file file;
        put_sample(path, &s, STORE_DENSE, (storage)how, "");
        if (read_fine(path, &file)) {
            check_global(&file, &s);
            scree_problem_file_free(&file);
        }
        free_sample(&s);
    }
}

static void large_parts_are_condensed_too(
    void) {  // more than 64 coordinates: another factorisation
    for (int size = 63; size <= 150; size += 29) {
        sample s = global_sample(3, 5, 2, size);
        const char *path = scratch_path("large.dat");
        scree_problem_file file;
        put_sample(path, &s, STORE_TRIPLET, STORE_CSC, "");
        if (read_fine(path, &file)) {
            check_global(&file, &s);
            scree_problem_file_free(&file);
        }
        free_sample(&s);
    }
}

static void interleaved_parts_are_condensed(void) {  // coordinates of bodies in any order
    sample s = global_sample(3, 6, 4, 6);
    matrix M = matrix_new(24, 24), H = matrix_new(24, 18);
    for (int i = 0; i < 24; i++) {
        for (int j = 0; j < 24; j++) *at(M, i * 7 % 24, j * 7 % 24) = *at(s.M, i, j);
        for (int j = 0; j < 18; j++) *at(H, i * 7 % 24, j) = *at(s.H, i, j);
    }
    free(s.M.x);
    free(s.H.x);
    s.M = M;
    s.H = H;
    const char *path = scratch_path("mixed.dat");
    scree_problem_file file;
    put_sample(path, &s, STORE_CSR, STORE_TRIPLET, "");
    if (read_fine(path, &file)) {
        check_global(&file, &s);
        scree_problem_file_free(&file);
    }
    free_sample(&s);
}

// elimination without exchange of rows would divide by zero, and a large part goes another way
static void masses_with_an_empty_diagonal_are_condensed(void) {
    for (int size = 6; size <= 100; size += 94) {
        sample s = global_sample(3, 4, 2, size);
        matrix M = matrix_new(s.dofs, s.dofs);
        for (int i = 0; i < s.dofs; i++)
            for (int j = 0; j < s.dofs; j++) {
                int next = i / size * size + (i + 1) % size;
                *at(M, next, j) = next == j ? 0 : *at(s.M, i, j);
            }
        free(s.M.x);
        s.M = M;
        const char *path = scratch_path("pivot.dat");
        scree_problem_file file;
        put_sample(path, &s, STORE_CSC, STORE_DENSE, "");
        if (read_fine(path, &file)) {
            check_global(&file, &s);
            scree_problem_file_free(&file);
        }
        unlink(path);
        free_sample(&s);
    }
}

static void lcps_are_told_from_problems(void) {
    for (int n = 0; n <= 7; n++)
        for (int how = 0; how < STORAGES; how++) {
            matrix M = random_blocks(n, n, 1, 1, 0.5);
            double *q = random_vector(n, -1, 1);
            const char *path = scratch_path("lcp.dat");
            FILE *out = fopen(path, "w");
            fprintf(out, "%d\n", n);
            put_matrix(out, M, (storage)how, 1, 1);
            put_vector(out, q, n);
            fputs("\n# 4.4.7 is a remark\n1 2 3\n", out);
            fclose(out);
            scree_problem_file file;
            if (read_fine(path, &file)) {
                CHECK(file.is_lcp);
                CHECK_TEXT(file.format, "text LCP");
                CHECK_INT(file.lcp.size, n);
                check_same(file.lcp.M, M.x, file.lcp.size == n ? n * n : 0, "M");
                check_same(file.lcp.q, q, file.lcp.size == n ? n : 0, "q");
                scree_problem_file_free(&file);
            }
            free(M.x);
            free(q);
        }
    // d = 2, M and H sparse 2 by 2: begins like an LCP of two unknowns
    sample s = global_sample(2, 1, 1, 2);
    for (int how = STORE_TRIPLET; how < STORAGES; how++) {
        scree_problem_file file;
        put_sample(scratch_path("alike.dat"), &s, (storage)how, (storage)how, "");
        if (read_fine(scratch_path("alike.dat"), &file)) {
            CHECK(!file.is_lcp);
            if (!file.is_lcp) check_global(&file, &s);
            scree_problem_file_free(&file);
        }
    }
    free_sample(&s);
}

static void write_fine(const char *path, const scree_problem *problem,
                       const scree_problem_notes *notes) {
    scree_error err = { 0 };
    if (scree_problem_write(path, problem, notes, &err)) COMPLAIN("%s: %s", err.file, err.text);
}

static void check_equal_problems(const scree_problem *a, const scree_problem *b) {
    CHECK_INT(a->contacts, b->contacts);
    CHECK_INT(a->dimension, b->dimension);
    if (a->contacts != b->contacts || a->dimension != b->dimension) return;
    matrix x = dense_W(a), y = dense_W(b);
    check_same(x.x, y.x, x.rows * x.rows, "W");
    check_same(a->b, b->b, x.rows, "b");
    check_same(a->mu, b->mu, a->contacts, "mu");
    CHECK((a->mu_rolling == NULL) == (b->mu_rolling == NULL));
    if (a->mu_rolling) check_same(a->mu_rolling, b->mu_rolling, a->contacts, "mu_rolling");
    free(x.x);
    free(y.x);
}

// write, read, compare; then write again what was read
static void round_trip(const char *from, bool global) {
    scree_problem_file first, second, third;
    char path[400];
    snprintf(path, sizeof path, "%s", scratch_path("trip.hdf5"));
    if (!read_fine(from, &first)) return;
    const scree_problem *p = &first.problem;
    int n = p->dimension * p->contacts;
    double *guess = random_vector(n, -1, 1), *solution = random_vector(n, -1, 1);
    const scree_problem_notes notes = { "a title", "gr\303\274n", guess, solution };
    write_fine(path, p, &notes);
    if (read_fine(path, &second)) {
        check_equal_problems(&second.problem, p);
        CHECK_TEXT(second.format, global ? "FCLIB global" : "FCLIB local");
        CHECK((second.guess != NULL) == (n > 0));
        if (second.guess) check_same(second.guess, guess, n, "guess");
        write_fine(path, &second.problem, NULL);
        if (read_fine(path, &third)) {
            check_equal_problems(&third.problem, p);
            CHECK(!third.guess);
            scree_problem_file_free(&third);
        }
        scree_problem_file_free(&second);
    }
    unlink(path);
    free(guess);
    free(solution);
    scree_problem_file_free(&first);
}

static void what_is_written_comes_back(void) {
    const int dimensions[] = { 2, 3, 5 };
    for (int k = 0; k < 3; k++)
        for (int contacts = 0; contacts <= 9; contacts += 3) {
            char path[400];
            snprintf(path, sizeof path, "%s", scratch_path("origin.dat"));
            sample s = local_sample(dimensions[k], contacts);
            put_sample(path, &s, STORE_DENSE, STORE_DENSE, "");
            round_trip(path, false);
            free_sample(&s);
            s = global_sample(dimensions[k], contacts, 3, 6);
            put_sample(path, &s, STORE_DENSE, STORE_DENSE, "");
            round_trip(path, true);
            free_sample(&s);
        }
}

static double *read_set(const char *path, const char *name, int count) {
    double *x = calloc((size_t)count + 1, sizeof *x);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t set = file < 0 ? -1 : H5Dopen2(file, name, H5P_DEFAULT);
    hid_t space = set < 0 ? -1 : H5Dget_space(set);
    CHECK_INT(space < 0 ? -1 : H5Sget_simple_extent_npoints(space), count);
    if (space >= 0) {
        H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x);
        H5Sclose(space);
        H5Dclose(set);
    }
    if (file >= 0) H5Fclose(file);
    return x;
}

// M v = f + H r and u = H^T v + w, as other programs of the field expect it
static void a_written_solution_satisfies_the_equations_of_motion(void) {
    sample s = global_sample(3, 6, 3, 6);
    char path[400];
    scree_problem_file file;
    snprintf(path, sizeof path, "%s", scratch_path("motion.dat"));
    put_sample(path, &s, STORE_DENSE, STORE_DENSE, "");
    if (!read_fine(path, &file)) return;
    double *p = random_vector(18, -1, 1);
    snprintf(path, sizeof path, "%s", scratch_path("motion.hdf5"));
    write_fine(path, &file.problem, &(scree_problem_notes){ .solution = p });
    double *r = read_set(path, "solution/r", 18), *u = read_set(path, "solution/u", 18);
    double *v = read_set(path, "solution/v", 18);
    check_same(r, p, 18, "r");
    for (int i = 0; i < 18; i++) {
        double left = -s.f[i], velocity = s.b[i];
        for (int j = 0; j < 18; j++) {
            left += *at(s.M, i, j) * v[j] - *at(s.H, i, j) * r[j];
            velocity += *at(s.H, j, i) * v[j];
        }
        CHECK_NEAR(left, 0, 1e-13);
        CHECK_NEAR(u[i], velocity, 1e-13);
    }
    unlink(path);
    double *all[] = { p, r, u, v };
    for (int i = 0; i < 4; i++) free(all[i]);
    scree_problem_file_free(&file);
    free_sample(&s);
}

static void what_fclib_cannot_hold_is_refused(void) {
    const double b[3] = { 0 }, mu[1] = { 0.5 }, other[1] = { 0.25 };
    const double block[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    const unsigned char joint[1] = { 1 };
    const int row[2] = { 0, 1 }, zero[1] = { 0 };
    const scree_problem plain = { .contacts = 1,
                                  .dimension = 3,
                                  .row = row,
                                  .column = zero,
                                  .diagonal = zero,
                                  .block = block,
                                  .b = b,
                                  .mu = mu };
    scree_problem with[4] = { plain, plain, plain, plain };
    with[0].cohesion = other;
    with[1].mu_second = other;
    with[2].equality = joint;
    with[3].rolling_length = other;
    const char *const named[4] = { "cohesion", "mu_second", "equality", "rolling" };
    for (int i = 0; i < 4; i++) {
        scree_error err = { 0 };
        CHECK_INT(scree_problem_write(scratch_path("no.hdf5"), &with[i], NULL, &err),
                  SCREE_BAD_INPUT);
        if (!strstr(err.text, named[i])) COMPLAIN("%s: %s", named[i], err.text);
        CHECK(access(scratch_path("no.hdf5"), F_OK) != 0);
    }
    // a second coefficient that is the same says nothing
    scree_problem same = plain;
    same.mu_second = mu;
    write_fine(scratch_path("same.hdf5"), &same, NULL);
    unlink(scratch_path("same.hdf5"));
}

static long size_of(const char *path) {
    struct stat about;
    return stat(path, &about) == 0 ? (long)about.st_size : -1;
}

// a file system that refuses to grow a file further stands for a full disk
static void a_full_disk_leaves_the_old_file_alone(void) {
    char old[400], any[408];
    snprintf(old, sizeof old, "%s", scratch_path("full.hdf5"));
    snprintf(any, sizeof any, "%s*", old);
    sample s = local_sample(3, 10);
    scree_problem_file file;
    put_sample(scratch_path("full.dat"), &s, STORE_DENSE, STORE_DENSE, "");
    if (!read_fine(scratch_path("full.dat"), &file)) return;
    write_fine(old, &file.problem, NULL);
    long before = size_of(old);
    struct rlimit limit, small;
    getrlimit(RLIMIT_FSIZE, &limit);
    signal(SIGXFSZ, SIG_IGN);
    for (long most = 0; most < before; most += 1500) {
        scree_error err = { 0 };
        small = (struct rlimit){ (rlim_t)most, limit.rlim_max };
        setrlimit(RLIMIT_FSIZE, &small);
        scree_status status = scree_problem_write(old, &file.problem, NULL, &err);
        setrlimit(RLIMIT_FSIZE, &limit);
        CHECK_INT(status, SCREE_FILE_ERROR);
        CHECK(strstr(err.text, "File too large") != NULL);
        CHECK_INT(size_of(old), before);
        glob_t left;
        CHECK_INT(glob(any, 0, NULL, &left), 0);
        CHECK_INT((int)left.gl_pathc, 1);  // the old one
        globfree(&left);
    }
    scree_error err = { 0 };
    CHECK_INT(scree_problem_write("/nowhere/at/all.hdf5", &file.problem, NULL, &err),
              SCREE_FILE_ERROR);
    CHECK(strstr(err.text, "No such file") != NULL);
    unlink(old);
    scree_problem_file_free(&file);
    free_sample(&s);
}

// every way to print a number, against the library's own reading of it
static void numbers_are_read_to_the_last_bit(void) {
    static const char *const formats[] = { "%.0f",  "%.3f",  "%g",    "%.12g", "%.15g",
                                           "%.16g", "%.17g", "%.24e", "%+.5E", "%.30f" };
    enum { COUNT = 2000 };
    static double expected[2 * COUNT];
    char path[400], text[400];
    snprintf(path, sizeof path, "%s", scratch_path("numbers.dat"));
    for (int k = 0; k < 10; k++) {
        FILE *out = fopen(path, "w");
        fprintf(out, "2\n%d\n1\n%d\n%d\n0\n", COUNT, 2 * COUNT, 2 * COUNT);
        for (int i = 0; i < 2 * COUNT; i++) {
            double x = uniform(-1, 1) *
                       pow(10, random_int(0, 3) ? random_int(-9, 9) : random_int(-300, 300));
            snprintf(text, sizeof text, formats[k], x);
            expected[i] = strtod(text, NULL);
            fprintf(out, "%s ", text);
        }
        for (int i = 0; i < COUNT; i++) fprintf(out, "%s\n", i % 2 ? "0" : ".5");
        fclose(out);
        scree_problem_file file;
        if (!read_fine(path, &file)) continue;
        check_same(file.problem.b, expected, 2 * COUNT, formats[k]);
        CHECK_NEAR(file.problem.mu[2], 0.5, 0);
        scree_problem_file_free(&file);
    }
    unlink(path);
}

static void numbers_have_points_in_every_country(void) {
    if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "fr_FR.UTF-8")) {
        printf("SKIPPED numbers_have_points_in_every_country: no locale with a decimal comma\n");
        return;
    }
    FILE *out = fopen(scratch_path("point.dat"), "w");
    fputs("2 1 0 2 2 2 2 1.5 0 0 2.5 -0.5 0.25 0.75\n", out);
    fclose(out);
    scree_problem_file file;
    if (read_fine(scratch_path("point.dat"), &file)) {
        CHECK_NEAR(file.problem.block[0], 1.5, 0);
        CHECK_NEAR(file.problem.mu[0], 0.75, 0);
        scree_problem_file_free(&file);
    }
    setlocale(LC_ALL, "C");
}

static void remove_scratch(void) {
    const char *const names[] = { "local.dat",  "global.dat", "square.dat", "large.dat",
                                  "mixed.dat",  "lcp.dat",    "alike.dat",  "origin.dat",
                                  "motion.dat", "full.dat",   "point.dat" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) unlink(scratch_path(names[i]));
}

TEST_FILE(test_problem_file) {
    TEST(every_text_storage_of_a_local_problem_gives_its_bits);
    TEST(every_text_storage_of_a_global_problem_gives_its_bits);
    TEST(square_H_is_still_global);
    TEST(large_parts_are_condensed_too);
    TEST(interleaved_parts_are_condensed);
    TEST(masses_with_an_empty_diagonal_are_condensed);
    TEST(lcps_are_told_from_problems);
    TEST(what_is_written_comes_back);
    TEST(a_written_solution_satisfies_the_equations_of_motion);
    TEST(what_fclib_cannot_hold_is_refused);
    TEST(a_full_disk_leaves_the_old_file_alone);
    TEST(numbers_are_read_to_the_last_bit);
    TEST(numbers_have_points_in_every_country);
    remove_scratch();
    return harness_end();
}
