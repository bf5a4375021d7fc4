// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid_assemble.c - W = H M^-1 H^T of rigid bodies in blocks, and b = H v_free + w.
//
// Two contacts have a block for each body that both move; M^-1 is the world inertia of that body.

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "scree/rigid.h"

typedef struct rows {  // three rows of H of one contact on one body
    double linear[3][3], angular[3][3];
} rows;

typedef struct job {
    const scree_rigid_problem *problem;
    int *first, *at_body;  // contacts of a body, ascending: (nb + 1), (2 nc)
    int *mark;             // where the block of a column stands in the current row (nc)
} job;

static void cross3(const double *x, const double *y, double *z) {
    z[0] = x[1] * y[2] - x[2] * y[1];
    z[1] = x[2] * y[0] - x[0] * y[2];
    z[2] = x[0] * y[1] - x[1] * y[0];
}

static rows rows_of(const scree_rigid_problem *problem, int contact, int side) {
    const double *frame = problem->frame + 9 * (size_t)contact;
    int body = problem->body[2 * (size_t)contact + (size_t)side];
    double sign = side ? -1 : 1, arm[3];
    for (int e = 0; e < 3; e++) {
        double arm_ratio = problem->arm_ratio ? problem->arm_ratio[contact] : 1;
        arm[e] = problem->radius ? -sign * arm_ratio * problem->radius[body] * frame[e]
                                 : problem->arm[6 * (size_t)contact + 3 * (size_t)side + (size_t)e];
    }
    rows H;
    for (int k = 0; k < 3; k++) {
        cross3(arm, frame + 3 * k, H.angular[k]);
        for (int e = 0; e < 3; e++) {
            H.linear[k][e] = sign * frame[3 * k + e];
            H.angular[k][e] *= sign;
        }
    }
    return H;
}

static void inertia_of(const scree_rigid_problem *problem, int body, double I[3][3]) {
    double ball = problem->radius ? problem->inverse_inertia[body] : 0;
    const double six[6] = { ball, 0, 0, ball, 0, ball };
    const double *x = problem->radius ? six : problem->inverse_inertia + 6 * (size_t)body;
    const double full[3][3] = { { x[0], x[1], x[2] }, { x[1], x[3], x[4] }, { x[2], x[4], x[5] } };
    memcpy(I, full, sizeof full);
}

// block += H_i M^-1 H_j^T of one body
static void add_product(const scree_rigid_problem *problem, int body, const rows *Hi,
                        const rows *Hj, double *block) {
    double I[3][3];
    inertia_of(problem, body, I);
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            double sum = 0;
            for (int e = 0; e < 3; e++) {
                sum += problem->inverse_mass[body] * Hi->linear[r][e] * Hj->linear[c][e];
                for (int f = 0; f < 3; f++) sum += Hi->angular[r][e] * I[e][f] * Hj->angular[c][f];
            }
            block[3 * r + c] += sum;
        }
}

static bool moves(const scree_rigid_problem *problem, int body) {
    if (body < 0) return false;
    double I[3][3], size = problem->inverse_mass[body];
    inertia_of(problem, body, I);
    for (int e = 0; e < 9; e++) size += fabs(I[e / 3][e % 3]);
    return size > 0;
}

static void list_contacts(job *j) {
    const scree_rigid_problem *problem = j->problem;
    size_t sides = 2 * (size_t)problem->contacts, nb = (size_t)problem->bodies;
    for (size_t i = 0; i < sides; i++)
        if (moves(problem, problem->body[i])) j->first[problem->body[i] + 1]++;
    for (size_t i = 0; i < nb; i++) j->first[i + 1] += j->first[i];
    for (size_t i = 0; i < sides; i++)
        if (moves(problem, problem->body[i]))
            j->at_body[j->first[problem->body[i]]++] = (int)(i / 2);
    memmove(j->first + 1, j->first, nb * sizeof *j->first);
    j->first[0] = 0;
}

static int compare_ints(const void *a, const void *b) {
    return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

// Contacts that share a moving body with contact i, ascending, each once; their number. column
// NULL: count only.
static int neighbours(job *j, int i, int *column) {
    int count = 1;
    if (column) column[0] = i;
    j->mark[i] = i;
    for (int side = 0; side < 2; side++) {
        int body = j->problem->body[2 * (size_t)i + (size_t)side];
        if (!moves(j->problem, body)) continue;
        for (int at = j->first[body]; at < j->first[body + 1]; at++) {
            int other = j->at_body[at];
            if (j->mark[other] == i) continue;
            j->mark[other] = i;
            if (column) column[count] = other;
            count++;
        }
    }
    if (column) qsort(column, (size_t)count, sizeof *column, compare_ints);
    return count;
}

static void forget_marks(job *j) {
    for (int i = 0; i < j->problem->contacts; i++) j->mark[i] = -1;
}

static void fill_row(job *j, int i, const int *row, const int *column, double *block) {
    const scree_rigid_problem *problem = j->problem;
    for (int at = row[i]; at < row[i + 1]; at++) j->mark[column[at]] = at;
    for (int side = 0; side < 2; side++) {
        int body = problem->body[2 * (size_t)i + (size_t)side];
        if (!moves(problem, body)) continue;
        rows Hi = rows_of(problem, i, side);
        for (int at = j->first[body]; at < j->first[body + 1]; at++) {
            int other = j->at_body[at];
            int other_side = problem->body[2 * (size_t)other] == body ? 0 : 1;
            rows Hj = rows_of(problem, other, other_side);
            add_product(problem, body, &Hi, &Hj, block + 9 * (size_t)j->mark[other]);
        }
    }
}

// s without impulses; the velocity of bodies that do not move counts as well
static void fill_b(const scree_rigid_problem *problem, double *b) {
    for (int i = 0; i < problem->contacts; i++) {
        double *s = b + 3 * (size_t)i;
        if (problem->w) memcpy(s, problem->w + 3 * (size_t)i, 3 * sizeof *s);
        for (int side = 0; side < 2; side++) {
            int body = problem->body[2 * (size_t)i + (size_t)side];
            if (body < 0) continue;
            const double *v = problem->free_velocity + 6 * (size_t)body;
            rows H = rows_of(problem, i, side);
            for (int k = 0; k < 3; k++)
                for (int e = 0; e < 3; e++)
                    s[k] += H.linear[k][e] * v[e] + H.angular[k][e] * v[3 + e];
        }
    }
}

// row and the number of blocks; false when it does not fit an int
static bool count_blocks(job *j, int *row) {
    long total = 0;
    forget_marks(j);
    for (int i = 0; i < j->problem->contacts; i++) {
        total += neighbours(j, i, NULL);
        if (total > INT_MAX) return false;
        row[i + 1] = (int)total;
    }
    return true;
}

static scree_status no_memory(const scree_rigid_problem *problem, scree_error *err) {
    return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for W of %d contacts",
                      problem->contacts);
}

static scree_status build(job *j, scree_arena *arena, scree_problem *out, scree_error *err) {
    const scree_rigid_problem *problem = j->problem;
    int nc = problem->contacts;
    int *row = SCREE_NEW(arena, int, nc + 1), *diagonal = SCREE_NEW(arena, int, nc);
    double *b = SCREE_NEW(arena, double, 3 * (size_t)nc), *mu = SCREE_NEW(arena, double, nc);
    j->first = SCREE_NEW(arena, int, problem->bodies + 1);
    j->at_body = SCREE_NEW(arena, int, 2 * (size_t)nc);
    j->mark = SCREE_NEW(arena, int, nc);
    if (!row || !diagonal || !b || !mu || !j->first || !j->at_body || !j->mark)
        return no_memory(problem, err);
    list_contacts(j);
    if (!count_blocks(j, row))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "W of %d contacts would have more than %d blocks", nc, INT_MAX);
    int *column = SCREE_NEW(arena, int, row[nc]);
    double *block = SCREE_NEW(arena, double, 9 * (size_t)row[nc]);
    if (!column || !block) return no_memory(problem, err);
    forget_marks(j);
    for (int i = 0; i < nc; i++) neighbours(j, i, column + row[i]);
    for (int i = 0; i < nc; i++) {
        fill_row(j, i, row, column, block);
        diagonal[i] = j->mark[i];
    }
    fill_b(problem, b);
    memcpy(mu, problem->mu, (size_t)nc * sizeof *mu);
    *out = (scree_problem){ .contacts = nc,
                            .dimension = 3,
                            .row = row,
                            .column = column,
                            .diagonal = diagonal,
                            .block = block,
                            .b = b,
                            .mu = mu };
    return SCREE_OK;
}

scree_status scree_rigid_assemble(const scree_rigid_problem *problem,
                                  scree_rigid_assembled *assembled, scree_error *err) {
    *assembled = (scree_rigid_assembled){ 0 };
    scree_arena *arena = calloc(1, sizeof *arena);
    if (!arena) return no_memory(problem, err);
    job j = { .problem = problem };
    scree_status status = build(&j, arena, &assembled->problem, err);
    assembled->owner = arena;
    if (status) scree_rigid_assembled_free(assembled);
    return status;
}

void scree_rigid_assembled_free(scree_rigid_assembled *assembled) {
    if (assembled->owner) scree_arena_free(assembled->owner);
    free(assembled->owner);
    *assembled = (scree_rigid_assembled){ 0 };
}
