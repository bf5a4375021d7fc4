// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// problem_write.c - a contact problem as an FCLIB file.
// in: a problem in blocks, by bodies or with its motion.   out: a file that is there whole or not
// at all.
//
// Local problems keep W row after row, global ones M, H and G as triplets: what other programs of
// the field write. Joints of a global problem are the columns of G, behind all contacts.

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "law/assemble.h"
#include "law/motion.h"
#include "store/driver.h"
#include "store/layout.h"
#include "store/problem_raw.h"
#include "store/target.h"

typedef struct writer {
    const char *path;
    const scree_problem *problem;
    hid_t file, group;
    bool fine;  // no call of HDF5 has failed so far
    scree_arena scratch;
    scree_error *err;
} writer;

static scree_status no_memory(const writer *w) {
    return scree_fail(w->err, SCREE_NO_MEMORY, (scree_source_location){ w->path, 0, 0 },
                      "out of memory for writing this problem");
}

static scree_status refuse(const writer *w, const char *what) {
    return scree_fail(w->err, SCREE_BAD_INPUT, (scree_source_location){ w->path, 0, 0 },
                      "an FCLIB file cannot hold %s", what);
}

static bool is_joint(const scree_problem *problem, int contact) {
    return problem->equality && problem->equality[contact];
}

// what the format has no place for
static scree_status check(const writer *w) {
    const scree_problem *p = w->problem;
    if (!p->motion && (double)p->row[p->contacts] * p->dimension * p->dimension > INT_MAX)
        return refuse(w, "a W of more than 2^31 entries");
    for (int i = 0; i < p->contacts; i++) {
        if (p->cohesion && p->cohesion[i] != 0) return refuse(w, "cohesion");
        if (p->mu_second && p->mu_second[i] != p->mu[i])
            return refuse(w, "friction that differs along the two tangents (mu_second)");
        if (p->rolling_length && p->rolling_length[i] != 1)
            return refuse(w, "rolling rows that have been multiplied by a length");
        for (int k = 0; is_joint(p, i) && p->limit && k < p->dimension; k++)
            if (p->limit[i * p->dimension + k] != HUGE_VAL)
                return refuse(w, "rows of joints with limits (motors, friction, missing rows)");
        if (is_joint(p, i) && !p->motion)
            return refuse(w, "joints (equality) of a problem without its motion");
    }
    return SCREE_OK;
}

static hid_t make_group(writer *w, hid_t where, const char *name) {
    hid_t group = H5Gcreate2(where, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    w->fine = w->fine && group >= 0;
    return group;
}

static void write_array(writer *w, hid_t where, const char *name, hid_t stored, hid_t type,
                        size_t count, const void *data) {
    hsize_t size = count;
    hid_t space = H5Screate_simple(1, &size, NULL);
    hid_t set = H5Dcreate2(where, name, stored, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    w->fine = w->fine && set >= 0 &&
              (!count || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    if (set >= 0) H5Dclose(set);
    H5Sclose(space);
}

static void write_numbers(writer *w, hid_t where, const char *name, size_t count,
                          const double *data) {
    write_array(w, where, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, count, data);
}

static void write_integers(writer *w, hid_t where, const char *name, size_t count,
                           const int *data) {
    write_array(w, where, name, H5T_STD_I32LE, H5T_NATIVE_INT, count, data);
}

static void write_text(writer *w, hid_t where, const char *name, const char *text) {
    if (!text) text = "";
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, strlen(text) + 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    hid_t set = H5Dcreate2(where, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    w->fine = w->fine && set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    if (set >= 0) H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
}

// nz: -2 by rows, otherwise the number of triplets
static void write_matrix(writer *w, const char *name, int rows, int columns, int nz, size_t p_count,
                         const int *p, size_t entries, const int *i, const double *x) {
    int room = (int)entries;
    hid_t group = make_group(w, w->group, name);
    write_integers(w, group, "m", 1, &rows);
    write_integers(w, group, "n", 1, &columns);
    write_integers(w, group, "nzmax", 1, &room);
    write_integers(w, group, "nz", 1, &nz);
    write_integers(w, group, "p", p_count, p);
    write_integers(w, group, "i", entries, i);
    write_numbers(w, group, "x", entries, x);
    H5Gclose(group);
}

static void write_triplets(writer *w, const char *name, const scree_entries *a) {
    write_matrix(w, name, a->rows, a->columns, (int)a->count, a->count, a->column, a->count, a->row,
                 a->value);
}

static scree_status write_W(writer *w) {
    const scree_problem *problem = w->problem;
    int d = problem->dimension, n = d * problem->contacts, at = 0;
    size_t room = (size_t)problem->row[problem->contacts] * (size_t)(d * d);
    int *p = SCREE_NEW(&w->scratch, int, (size_t)n + 1),
        *column = SCREE_NEW(&w->scratch, int, room);
    double *x = SCREE_NEW(&w->scratch, double, room);
    if (!p || !column || !x) return no_memory(w);
    for (int i = 0; i < n; i++) {
        for (int k = problem->row[i / d]; k < problem->row[i / d + 1]; k++)
            for (int c = 0; c < d; c++) {
                double value =
                    problem->block[(size_t)k * (size_t)(d * d) + (size_t)(i % d * d + c)];
                if (value == 0) continue;
                column[at] = problem->column[k] * d + c;
                x[at++] = value;
            }
        p[i + 1] = at;
    }
    write_matrix(w, "W", n, n, -2, (size_t)n + 1, p, (size_t)at, column, x);
    return SCREE_OK;
}

// the columns of H, or those of G: contacts or joints
static scree_status write_H(writer *w, const char *name, bool joints) {
    const scree_problem *problem = w->problem;
    const scree_motion *motion = problem->motion;
    int d = problem->dimension;
    scree_entries H = { .rows = motion->dofs };
    bool fine = true;
    for (int i = 0; i < problem->contacts; i++) {
        if (is_joint(problem, i) != joints) continue;
        for (int e = motion->H_first[i]; e < motion->H_first[i + 1]; e++)
            for (int c = 0; c < d; c++)
                fine = fine && scree_entries_add(&H, motion->H_dof[e], H.columns + c,
                                                 motion->H[(size_t)e * (size_t)d + (size_t)c]);
        H.columns += d;
    }
    if (fine && (H.columns || !joints)) write_triplets(w, name, &H);
    scree_entries_free(&H);
    return fine ? SCREE_OK : no_memory(w);
}

static scree_status write_M(writer *w) {
    const scree_motion *motion = w->problem->motion;
    scree_entries M = { .rows = motion->dofs, .columns = motion->dofs };
    bool fine = true;
    for (int j = 0; j < motion->dofs; j++)
        for (int e = motion->M_first[j]; e < motion->M_first[j + 1]; e++)
            fine = fine && scree_entries_add(&M, motion->M_row[e], j, motion->M[e]);
    if (fine) write_triplets(w, "M", &M);
    scree_entries_free(&M);
    return fine ? SCREE_OK : no_memory(w);
}

// size numbers for each contact (or each joint) of a vector that has them for both; none: no
// dataset
static scree_status write_some(writer *w, hid_t where, const char *name, bool joints, int size,
                               const double *vector) {
    const scree_problem *problem = w->problem;
    double *some = SCREE_NEW(&w->scratch, double, ((size_t)problem->contacts * (size_t)size));
    if (!some) return no_memory(w);
    size_t count = 0;
    for (int i = 0; i < problem->contacts; i++)
        for (int r = 0; r < size && is_joint(problem, i) == joints; r++)
            some[count++] = vector ? vector[i * size + r] : 0;
    if (count || !joints) write_numbers(w, where, name, count, some);
    return SCREE_OK;
}

static scree_status write_vectors(writer *w) {
    const scree_problem *problem = w->problem;
    const scree_motion *motion = problem->motion;
    int d = problem->dimension;
    hid_t vectors = make_group(w, w->group, "vectors");
    if (motion) write_numbers(w, vectors, "f", (size_t)motion->dofs, motion->f);
    scree_status status =
        write_some(w, vectors, motion ? "w" : "q", false, d, motion ? motion->w : problem->b);
    if (!status && motion) status = write_some(w, vectors, "b", true, d, motion->w);
    if (!status) status = write_some(w, vectors, "mu", false, 1, problem->mu);
    if (!status && d == 5) status = write_some(w, vectors, "mu_r", false, 1, problem->mu_rolling);
    H5Gclose(vectors);
    return status;
}

// impulses with the velocities that follow from them
static scree_status write_answer(writer *w, hid_t where, const double *p) {
    const scree_problem *problem = w->problem;
    const scree_motion *motion = problem->motion;
    int d = problem->dimension;
    double *s = SCREE_NEW(&w->scratch, double, ((size_t)problem->contacts * (size_t)d));
    double *v = SCREE_NEW(&w->scratch, double, motion ? motion->dofs : 0);
    if (!s || !v) return no_memory(w);
    if (!scree_problem_velocity(problem, p, s)) return no_memory(w);
    scree_status status = write_some(w, where, "r", false, d, p);
    if (!status) status = write_some(w, where, "l", true, d, p);
    if (!status) status = write_some(w, where, "u", false, d, s);
    if (!status && motion)
        status =
            scree_problem_condense_velocity(w->path, motion, problem->contacts, d, p, v, w->err);
    if (!status && motion) write_numbers(w, where, "v", (size_t)motion->dofs, v);
    return status;
}

static scree_status write_guess(writer *w, const double *guess) {
    const int one = 1;
    hid_t guesses = make_group(w, w->file, "guesses"), first = make_group(w, guesses, "1");
    write_integers(w, guesses, "number_of_guesses", 1, &one);
    scree_status status = write_answer(w, first, guess);
    H5Gclose(first);
    H5Gclose(guesses);
    return status;
}

static scree_status write_solution(writer *w, const double *solution) {
    hid_t group = make_group(w, w->file, "solution");
    scree_status status = write_answer(w, group, solution);
    H5Gclose(group);
    return status;
}

static scree_status write_problem(writer *w, const scree_problem_notes *notes) {
    const scree_problem *problem = w->problem;
    bool global = problem->motion;
    const char *name = !global                   ? "fclib_local"
                       : problem->dimension == 5 ? "fclib_global_rolling"
                                                 : "fclib_global";
    w->group = make_group(w, w->file, name);
    write_integers(w, w->group, "spacedim", 1, &problem->dimension);
    hid_t info = make_group(w, w->group, "info");
    write_text(w, info, "title", notes ? notes->title : NULL);
    write_text(w, info, "description", notes ? notes->description : NULL);
    write_text(w, info, "math_info", NULL);
    H5Gclose(info);
    scree_status status = global ? write_M(w) : write_W(w);
    if (!status && global) status = write_H(w, "H", false);
    if (!status && global) status = write_H(w, "G", true);
    if (!status) status = write_vectors(w);
    H5Gclose(w->group);
    if (!status && notes && notes->guess) status = write_guess(w, notes->guess);
    if (!status && notes && notes->solution) status = write_solution(w, notes->solution);
    return status;
}

static scree_status cannot_write(const writer *w, int reason) {
    char text[160];
    scree_layout_reason(text, sizeof text);
    return scree_fail(w->err, SCREE_FILE_ERROR, (scree_source_location){ w->path, 0, 0 },
                      "cannot be written: %s", reason ? strerror(reason) : text);
}

// everything into the file of the given name; HDF5 writes much of it only when it closes
static scree_status fill(writer *w, const char *name, const scree_problem_notes *notes,
                         bool *created) {
    scree_driver_errors errors = { 0 };
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), driver = scree_driver_set(access, &errors);
    w->file = driver < 0 ? -1 : H5Fcreate(name, H5F_ACC_EXCL, H5P_DEFAULT, access);
    H5Pclose(access);
    *created = w->file >= 0;
    scree_status status = SCREE_OK;
    if (w->file < 0) status = cannot_write(w, errors.opening);
    if (!status) status = write_problem(w, notes);
    if (!status && !w->fine) status = cannot_write(w, errors.writing);
    if (w->file >= 0 && H5Fclose(w->file) < 0 && !status) status = cannot_write(w, errors.writing);
    if (!status && errors.writing) status = cannot_write(w, errors.writing);
    if (driver >= 0) H5FDunregister(driver);
    return status;
}

// a problem by bodies with its motion, or, where that is not at hand, with its W
static scree_status complete(writer *w, scree_problem *problem) {
    if (problem->motion || !problem->bodies) return SCREE_OK;
    if (!scree_motion_known(problem))
        return problem->block ? SCREE_OK : scree_assemble(problem, &w->scratch, w->err);
    problem->motion = scree_motion_of_bodies(problem, &w->scratch);
    return problem->motion ? SCREE_OK : no_memory(w);
}

static scree_status write_file(writer *w, const scree_problem_notes *notes) {
    const char *path = w->path;
    char *fresh = scree_target_beside(path);
    if (!fresh) return no_memory(w);
    bool created = false;
    scree_quiet quiet = scree_layout_quiet();
    scree_status status = fill(w, fresh, notes, &created);
    scree_layout_loud(quiet);
    if (!status && rename(fresh, path) != 0) status = cannot_write(w, errno);
    if (status && created) unlink(fresh);
    free(fresh);
    return status;
}

scree_status scree_problem_write(const char *path, const scree_problem *problem,
                                 const scree_problem_notes *notes, scree_error *err) {
    scree_problem whole = *problem;
    writer w = { .path = path, .problem = &whole, .fine = true, .err = err };
    scree_status status = complete(&w, &whole);
    if (!status) status = check(&w);
    if (!status) status = write_file(&w, notes);
    scree_arena_free(&w.scratch);
    return status;
}
