// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// assemble.c - Jacobians of contacts and the Delassus matrix W = H Mhat^-1 H^T.
// in: rows of H by part, Mhat^-1 by part.   out: W in blocks.   work: lists of contacts per part.

#include "law/assemble.h"

#include <string.h>

#include "base/space.h"
#include "scree/step.h"

void scree_assemble_planar(const double normal[2], const double arm[2], double sign, int dimension,
                           double *H) {
    double nx = normal[0], ny = normal[1];
    const double row[2][2] = { { nx, ny }, { -ny, nx } };
    memset(H, 0, (size_t)dimension * 3 * sizeof *H);
    for (int k = 0; k < 2; k++) {
        H[3 * k] = sign * row[k][0];
        H[3 * k + 1] = sign * row[k][1];
        H[3 * k + 2] = sign * (arm[0] * row[k][1] - arm[1] * row[k][0]);
    }
}

void scree_assemble_spatial(const double normal[3], const double tangent[3], const double arm[3],
                            double sign, int dimension, double *H) {
    double axis[3][3];
    memcpy(axis[0], normal, sizeof axis[0]);
    memcpy(axis[1], tangent, sizeof axis[1]);
    scree_cross(normal, tangent, axis[2]);
    for (int k = 0; k < dimension; k++) {
        double *row = H + 6 * (long)k;
        const double *along = axis[k < 3 ? k : k - 2];
        double about[3];
        scree_cross(arm, along, about);
        for (int c = 0; c < 3; c++) {
            row[c] = k < 3 ? sign * along[c] : 0;
            row[3 + c] = sign * (k < 3 ? about[c] : along[c]);
        }
    }
}

// which contacts touch each part, as (contact, block) entries sorted by part and contact
typedef struct part_list {
    int *first;    // (parts + 1)
    int *contact;  // (entries)
    int *block;    // (entries)
    double **Y;    // (contacts x SCREE_BLOCKS_MAX), Mhat^-1 H^T of each block: dimension rows
} part_list;

static bool list_parts(const scree_jacobian_rows *rows, int contacts, int dimension,
                       const scree_inertia *inertia, scree_arena *arena, part_list *list) {
    int entries = 0;
    list->first = SCREE_NEW(arena, int, inertia->parts + 1);
    list->Y = SCREE_NEW(arena, double *, (size_t)contacts *SCREE_BLOCKS_MAX);
    if (!list->first || !list->Y) return false;
    for (int i = 0; i < contacts; i++)
        for (int k = 0; k < rows[i].blocks; k++, entries++)
            list->first[rows[i].block[k].part + 1]++;
    for (int m = 0; m < inertia->parts; m++) list->first[m + 1] += list->first[m];
    list->contact = SCREE_NEW(arena, int, entries);
    list->block = SCREE_NEW(arena, int, entries);
    int *next = SCREE_NEW(arena, int, inertia->parts);
    if (!list->contact || !list->block || !next) return false;
    memcpy(next, list->first, (size_t)inertia->parts * sizeof *next);
    for (int i = 0; i < contacts; i++)
        for (int k = 0; k < rows[i].blocks; k++) {
            const scree_part *part = &inertia->part[rows[i].block[k].part];
            int at = next[rows[i].block[k].part]++;
            list->contact[at] = i;
            list->block[at] = k;
            if (part->flexible) continue;
            // one column of Mhat^-1 H^T after the other
            double *Y = SCREE_NEW(arena, double, (size_t)dimension *(size_t)part->width);
            if (!Y) return false;
            memcpy(Y, rows[i].block[k].H, (size_t)(dimension * part->width) * sizeof *Y);
            for (int c = 0; c < dimension; c++)
                scree_inertia_solve(part, Y + (size_t)c * (size_t)part->width);
            list->Y[i * SCREE_BLOCKS_MAX + k] = Y;
        }
    return true;
}

// have the columns of Mhat^-1 ready that contacts of elastic parts need
static scree_status want_columns(const scree_jacobian_rows *rows, const part_list *list,
                                 const scree_inertia *inertia, scree_arena *arena,
                                 scree_error *err) {
    scree_status status = SCREE_OK;
    for (int m = 0; !status && m < inertia->parts; m++) {
        int first = list->first[m], last = list->first[m + 1], count = 0;
        if (!inertia->part[m].flexible || first == last) continue;
        for (int e = first; e < last; e++)
            count += rows[list->contact[e]].block[list->block[e]].columns;
        int *local = SCREE_NEW(arena, int, count);
        if (!local)
            return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE,
                              "out of memory for a problem of contacts");
        count = 0;
        for (int e = first; e < last; e++) {
            const scree_block *block = &rows[list->contact[e]].block[list->block[e]];
            for (int c = 0; c < block->columns; c++) local[count++] = block->column[c];
        }
        status = scree_flexibility_want(inertia->part[m].flexible, local, count, err);
    }
    return status;
}

// block += H_i Mhat^-1 H_j^T for one shared part
static void add_coupling(const double *H, const double *Y, int dimension, int width,
                         double *block) {
    for (int r = 0; r < dimension; r++)
        for (int c = 0; c < dimension; c++) {
            double sum = 0;
            for (int j = 0; j < width; j++) sum += H[r * width + j] * Y[c * width + j];
            block[r * dimension + c] += sum;
        }
}

// The same for an elastic part. Columns of contact i, as those of its neighbours lie side by side
// in them; with sizes that the compiler knows.
static inline __attribute__((always_inline)) void couple(const scree_flexibility *flexible,
                                                         const scree_block *i, const scree_block *j,
                                                         int dimension, int of_i, int of_j,
                                                         double *block) {
    for (int a = 0; a < of_i; a++) {
        const double *column = scree_flexibility_column(flexible, i->column[a]);
        double moved[SCREE_ROWS_MAX] = { 0 };
        for (int b = 0; b < of_j; b++)
            for (int c = 0; c < dimension; c++)
                moved[c] += column[j->column[b]] * j->H[c * of_j + b];
        for (int r = 0; r < dimension; r++)
            for (int c = 0; c < dimension; c++)
                block[r * dimension + c] += i->H[r * of_i + a] * moved[c];
    }
}

static void add_elastic_coupling(const scree_flexibility *flexible, const scree_block *i,
                                 const scree_block *j, int dimension, double *block) {
    if (dimension == 2 && i->columns == 2 && j->columns == 2)
        couple(flexible, i, j, 2, 2, 2, block);
    else if (dimension == 3 && i->columns == 3 && j->columns == 3)
        couple(flexible, i, j, 3, 3, 3, block);
    else
        couple(flexible, i, j, dimension, i->columns, j->columns, block);
}

// the neighbours of contact i, itself included, ascending, each once; returns how many
static int neighbours_of(const scree_jacobian_rows *rows, int i, const part_list *list, int *mark,
                         int *out) {
    int count = 0;
    mark[i] = i + 1;
    out[count++] = i;
    for (int k = 0; k < rows[i].blocks; k++) {
        int m = rows[i].block[k].part;
        for (int e = list->first[m]; e < list->first[m + 1]; e++) {
            int j = list->contact[e];
            if (mark[j] == i + 1) continue;
            mark[j] = i + 1;
            int at = count++;
            for (; at > 0 && out[at - 1] > j; at--) out[at] = out[at - 1];
            out[at] = j;
        }
    }
    return count;
}

// the block of contacts i <= j, and its mirror image: W is symmetric to the last bit
static void fill_block(const scree_jacobian_rows *rows, int i, int j, int dimension,
                       const scree_inertia *inertia, const part_list *list, double *block,
                       double *mirror) {
    for (int k = 0; k < rows[i].blocks; k++)
        for (int l = 0; l < rows[j].blocks; l++) {
            const scree_block *one = &rows[i].block[k], *two = &rows[j].block[l];
            const scree_part *part = &inertia->part[one->part];
            if (one->part != two->part) continue;
            if (part->flexible)
                add_elastic_coupling(part->flexible, one, two, dimension, block);
            else
                add_coupling(one->H, list->Y[j * SCREE_BLOCKS_MAX + l], dimension, part->width,
                             block);
        }
    for (int r = 0; r < dimension; r++)
        for (int c = 0; c < (i == j ? r : dimension); c++) {
            double *here = &block[r * dimension + c], *there = &mirror[c * dimension + r];
            if (i == j) *here = (*here + *there) / 2;
            *there = *here;
        }
}

scree_status scree_assemble_W(const scree_jacobian_rows *rows, int contacts, int dimension,
                              const scree_inertia *inertia, scree_arena *arena,
                              scree_problem *problem, scree_error *err) {
    part_list list = { 0 };
    int *row = SCREE_NEW(arena, int, contacts + 1), *diagonal = SCREE_NEW(arena, int, contacts);
    int *mark = SCREE_NEW(arena, int, contacts), *near = SCREE_NEW(arena, int, contacts);
    bool fine = row && diagonal && mark && near &&
                list_parts(rows, contacts, dimension, inertia, arena, &list);

    // count the blocks of each row, then fill them
    for (int i = 0; fine && i < contacts; i++)
        row[i + 1] = row[i] + neighbours_of(rows, i, &list, mark, near);
    int blocks = fine ? row[contacts] : 0, size = dimension * dimension;
    int *column = fine ? SCREE_NEW(arena, int, blocks) : NULL;
    double *block = fine ? SCREE_NEW(arena, double, (size_t)blocks *(size_t)size) : NULL;
    if (!column || !block)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE,
                          "out of memory for a problem of %d contacts", contacts);
    scree_status status = want_columns(rows, &list, inertia, arena, err);
    if (status) return status;
    if (contacts) memset(mark, 0, (size_t)contacts * sizeof *mark);
    int *next = near;  // where the lower half of each row goes on: neighbours are not needed here
    memcpy(next, row, (size_t)contacts * sizeof *next);
    for (int i = 0; i < contacts; i++) {
        int count = neighbours_of(rows, i, &list, mark, column + row[i]);
        for (int at = row[i]; at < row[i] + count; at++) {
            int j = column[at];
            if (j < i) continue;
            if (j == i) diagonal[i] = at;
            fill_block(rows, i, j, dimension, inertia, &list, block + (size_t)at * (size_t)size,
                       block + (size_t)next[j]++ * (size_t)size);
        }
    }
    *problem = (scree_problem){ .contacts = contacts,
                                .dimension = dimension,
                                .row = row,
                                .column = column,
                                .diagonal = diagonal,
                                .block = block };
    return SCREE_OK;
}
