// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// flexibility.c - solves with Mhat of an elastic body, and the part of its inverse that contacts
// see.
// in: elastic body, step.   out: Mhat^-1 x, entries of Mhat^-1 at nodes that can touch.

#include "model/flexibility.h"

#include <stdlib.h>
#include <string.h>

#include "base/sparse_cholesky.h"

enum { BLOCK = 32 };                              // columns that are computed together
static const double room_for_columns = 1L << 31;  // bytes; more are not kept from step to step

struct scree_flexibility {
    const scree_elastic_body *body;
    scree_sparse_cholesky *factor;
    int *place;  // of each free degree of freedom among all (free)
    int locals;
    int *local;   // of each degree of freedom, -1: cannot touch or is held (count)
    int *number;  // among the free ones (locals)
    int blocks;
    double **column;          // (blocks): (BLOCK x locals), or NULL
    unsigned char *required;  // (blocks)
    double *right;            // (BLOCK x free), while columns are computed
};

static scree_status no_memory(const scree_elastic_body *body, scree_error *err) {
    return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE,
                      "out of memory for \"%s\" with %d degrees of freedom", body->name,
                      body->count);
}

static void mark_nodes(const scree_mesh *mesh, const int *node, int nodes, int *local) {
    for (int i = 0; i < nodes; i++)
        for (int k = 0; k < mesh->space; k++) local[(long)node[i] * mesh->space + k] = 0;
}

static void mark_facets(const scree_mesh *mesh, const int *facet, int facets, int *local) {
    for (int i = 0; i < facets; i++) {
        const int *node = mesh->facet + (long)facet[i] * SCREE_FACET_CORNERS;
        for (int c = 0; c < SCREE_FACET_CORNERS && node[c] >= 0; c++)
            mark_nodes(mesh, &node[c], 1, local);
    }
}

// number the degrees of freedom that a contact can move
static bool number_locals(scree_flexibility *made, const bool *joined) {
    const scree_elastic_body *body = made->body;
    const scree_mesh *mesh = &body->mesh;
    made->local = malloc((size_t)body->count * sizeof *made->local);
    if (!made->local) return false;
    for (int i = 0; i < body->count; i++) made->local[i] = -1;
    mark_nodes(mesh, body->contact_node, body->contact_nodes, made->local);
    mark_nodes(mesh, body->self_node, body->self_nodes, made->local);
    mark_facets(mesh, body->contact_facet, body->contact_facets, made->local);
    mark_facets(mesh, body->self_facet, body->self_facets, made->local);
    for (int i = 0; joined && i < mesh->nodes; i++)
        if (joined[i]) mark_nodes(mesh, &i, 1, made->local);
    for (int i = 0; i < body->count; i++) {
        if (body->number[i] < 0) made->local[i] = -1;
        if (made->local[i] == 0) made->local[i] = made->locals++;
    }
    made->number = malloc(((size_t)made->locals + 1) * sizeof *made->number);
    if (!made->number) return false;
    for (int i = 0; i < body->count; i++)
        if (made->local[i] >= 0) made->number[made->local[i]] = body->number[i];
    made->blocks = (made->locals + BLOCK - 1) / BLOCK;
    made->column = calloc((size_t)made->blocks + 1, sizeof *made->column);
    made->required = calloc((size_t)made->blocks + 1, 1);
    made->place = malloc((size_t)body->free * sizeof *made->place);
    if (!made->column || !made->required || !made->place) return false;
    for (int i = 0; i < body->count; i++)
        if (body->number[i] >= 0) made->place[body->number[i]] = i;
    return true;
}

// Mhat = (1 + h theta a) M + (h theta b + h^2 theta^2) K with C = a M + b K, the left side of
// Acary & Collins-Craft (82)
static scree_status factorise(scree_flexibility *made, double h, double theta, scree_error *err) {
    const scree_elastic_body *body = made->body;
    const scree_material *material = &body->material;
    scree_arena arena = { 0 };
    scree_fem_matrix matrix;
    scree_status status = scree_fem_combine(
        &body->parts->fem, 1 + h * theta * material->damping_mass,
        h * theta * (material->damping_stiffness + h * theta), body->number, &arena, &matrix, err);
    if (!status) {
        made->factor = scree_sparse_cholesky_new(matrix.size, matrix.first, matrix.row);
        if (!made->factor)
            status = no_memory(body, err);
        else if (!scree_sparse_cholesky_factor(made->factor, matrix.value))
            status = scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                                "\"%s\": M + h theta C + h^2 theta^2 K is not positive definite, "
                                "or memory ran out for its factor",
                                body->name);
        else
            scree_sparse_cholesky_settle(made->factor);
    }
    scree_arena_free(&arena);
    return status;
}

scree_status scree_flexibility_new(const scree_elastic_body *body, const bool *joined, double h,
                                   double theta, scree_flexibility **flexibility,
                                   scree_error *err) {
    *flexibility = NULL;
    scree_flexibility *made = calloc(1, sizeof *made);
    if (!made) return no_memory(body, err);
    made->body = body;
    scree_status status = number_locals(made, joined) ? SCREE_OK : no_memory(body, err);
    if (!status) status = factorise(made, h, theta, err);
    if (status)
        scree_flexibility_free(made);
    else
        *flexibility = made;
    return status;
}

void scree_flexibility_free(scree_flexibility *flexibility) {
    if (!flexibility) return;
    if (flexibility->factor) scree_sparse_cholesky_free(flexibility->factor);
    for (int k = 0; flexibility->column && k < flexibility->blocks; k++)
        free(flexibility->column[k]);
    free(flexibility->column);
    free(flexibility->required);
    free(flexibility->local);
    free(flexibility->number);
    free(flexibility->place);
    free(flexibility->right);
    free(flexibility);
}

void scree_flexibility_solve(scree_flexibility *flexibility, double *x) {
    const struct scree_elastic_data *parts = flexibility->body->parts;
    scree_sparse_cholesky_solve_at(flexibility->factor, flexibility->place, x);
    for (int k = 0; k < parts->held; k++) x[parts->prescribed_dof[k]] = 0;
}

int scree_flexibility_local(const scree_flexibility *flexibility, int dof) {
    return flexibility->local[dof];
}

static bool compute_block(scree_flexibility *flexibility, int block) {
    size_t free_count = (size_t)flexibility->body->free, locals = (size_t)flexibility->locals;
    if (!flexibility->right)
        flexibility->right = malloc(BLOCK * free_count * sizeof *flexibility->right);
    double *column = malloc(BLOCK * locals * sizeof *column), *right = flexibility->right;
    if (!right || !column) {
        free(column);
        return false;
    }
    int columns = flexibility->locals - block * BLOCK;
    if (columns > BLOCK) columns = BLOCK;
    memset(right, 0, BLOCK * free_count * sizeof *right);
    for (int c = 0; c < columns; c++)
        right[(size_t)c * free_count + (size_t)flexibility->number[block * BLOCK + c]] = 1;
    if (!scree_sparse_cholesky_solve_many(flexibility->factor, columns, right, 0)) {
        free(column);
        return false;
    }
    for (int c = 0; c < columns; c++)
        for (size_t i = 0; i < locals; i++)
            column[(size_t)c * locals + i] =
                right[(size_t)c * free_count + (size_t)flexibility->number[i]];
    flexibility->column[block] = column;
    return true;
}

scree_status scree_flexibility_require(scree_flexibility *flexibility, const int *local, int count,
                                       scree_error *err) {
    bool condensed = scree_flexibility_condensed(flexibility), fine = true;
    if (!condensed) {
        memset(flexibility->required, 0, (size_t)flexibility->blocks);
        for (int i = 0; i < count; i++) flexibility->required[local[i] / BLOCK] = 1;
        for (int k = 0; k < flexibility->blocks; k++)
            if (!flexibility->required[k]) {
                free(flexibility->column[k]);
                flexibility->column[k] = NULL;
            }
    }
    for (int i = 0; fine && i < count; i++)
        if (!flexibility->column[local[i] / BLOCK])
            fine = compute_block(flexibility, local[i] / BLOCK);
    return fine ? SCREE_OK
                : scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE,
                             "out of memory for the flexibility of \"%s\" at %d degrees of freedom "
                             "that touch: name fewer groups in contact",
                             flexibility->body->name, flexibility->locals);
}

const double *scree_flexibility_column(const scree_flexibility *flexibility, int local) {
    return flexibility->column[local / BLOCK] +
           (size_t)(local % BLOCK) * (size_t)flexibility->locals;
}

int scree_flexibility_locals(const scree_flexibility *flexibility) { return flexibility->locals; }

int scree_flexibility_columns(const scree_flexibility *flexibility) {
    int columns = 0;
    for (int k = 0; k < flexibility->blocks; k++)
        if (flexibility->column[k])
            columns += k + 1 < flexibility->blocks ? BLOCK : flexibility->locals - k * BLOCK;
    return columns;
}

bool scree_flexibility_condensed(const scree_flexibility *flexibility) {
    double locals = flexibility->locals;
    return locals * locals * (double)sizeof(double) <= room_for_columns;
}

double scree_flexibility_entries(const scree_flexibility *flexibility) {
    return scree_sparse_cholesky_entries(flexibility->factor);
}
