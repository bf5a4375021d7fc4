// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// source_rows.c - contacts of the matrix system: constant rows of H, gaps that may depend on time.
// in: rows of the model.   out: contacts.
//
//     gap = n.q + offset(t),    u = H v + w,    w = (offset', -surface(t))

#include <math.h>
#include <string.h>

#include "model/part.h"
#include "step/contacts.h"
#include "step/dense_rows.h"

typedef struct rows {
    const scree_parts *system;
    double *H;  // (matrix contacts x dimension x n)
    int law;    // number of the first one's law in the set
} rows;

// contacts of the mechanism are behind those of the system, and not of this source
static int count_rows(const scree_model *model) {
    return model->mechanism ? model->mechanism_contact : model->matrix_contacts;
}

static bool serves(const scree_model *model) { return count_rows(model) > 0; }

static scree_status make(scree_source *source, scree_contact_set *set, scree_arena *arena,
                         scree_error *err) {
    const scree_model *model = source->model;
    size_t n = (size_t)model->system.coordinates, d = (size_t)model->dimension;
    rows *self = source->self = SCREE_NEW(arena, rows, 1);
    int count = count_rows(model);
    double *H = SCREE_NEW(arena, double, ((size_t)count * d * n));
    if (!self || !H)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d contacts",
                          count);
    *self = (rows){ .system = scree_model_parts_of(model, &scree_matrix_kind),
                    .H = H,
                    .law = set->pair_laws };
    for (int c = 0; c < count; c++, H += d * n) {
        const scree_matrix_contact *given = &model->matrix_contact[c];
        memcpy(H, given->normal, n * sizeof *H);
        memcpy(H + n, given->tangent, (size_t)given->tangents * n * sizeof *H);
    }
    return SCREE_OK;
}

static double gap_of(const scree_source *source, int c, const double *q, double t,
                     double *gap_scale) {
    const rows *self = source->self;
    const scree_matrix_contact *row = &source->model->matrix_contact[c];
    const double *own = q + self->system->coordinate;
    double rate, gap = scree_function_at(&row->offset, t, &rate);
    double size = fabs(gap);
    for (int j = 0; j < source->model->system.coordinates; j++) {
        gap += row->normal[j] * own[j];
        size += fabs(row->normal[j] * own[j]);
    }
    *gap_scale = size;
    return gap;
}

static scree_status find(scree_source *source, const scree_contact_query *query,
                         scree_contact_set *set, scree_error *err) {
    const rows *self = source->self;
    int count = count_rows(source->model);
    if (!scree_contacts_make_room(set, set->count + count))
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d contacts",
                          set->count);
    for (int c = 0; c < count; c++) {
        int i = set->count++;
        scree_contact *contact = &set->contact[i];
        memset(contact, 0, sizeof *contact);
        contact->id = scree_contact_id_pack(SCREE_SOURCE_ROWS, (uint64_t)c, 0, 0);
        contact->a = -1;
        contact->b = -2 - c;
        scree_contacts_set_law(set, i, self->law + c);
        contact->gap = gap_of(source, c, query->q, query->t, &set->gap_scale[i]);
    }
    return SCREE_OK;
}

// the rows of H of contact i
static const double *rows_of(const scree_source *source, int i) {
    const rows *self = source->self;
    int size = source->model->dimension * source->model->system.coordinates;
    return self->H + (size_t)(i - source->first) * (size_t)size;
}

static void velocity(const scree_source *source, const scree_contact_set *set, int i,
                     const double *x, bool driven, double *u) {
    const rows *self = source->self;
    const double *H = rows_of(source, i), *own = x + self->system->dof;
    int n = source->model->system.coordinates, d = source->model->dimension;
    (void)set;
    for (int k = 0; driven && k < d; k++) u[k] = 0;
    if (!driven) scree_dense_rows_velocity(H, d, n, own, u);
}

static void impulse(const scree_source *source, const scree_contact_set *set, int i,
                    const double *p, double *x) {
    const rows *self = source->self;
    (void)set;
    scree_dense_rows_impulse(rows_of(source, i), source->model->dimension,
                             source->model->system.coordinates, p, x + self->system->dof);
}

static void obstacle_at(const scree_matrix_contact *row, double t, double *w) {
    double rate;
    scree_function_at(&row->offset, t, &w[0]);
    for (int k = 0; k < 2; k++) w[1 + k] = -scree_function_at(&row->surface[k], t, &rate);
}

static void obstacle(const scree_source *source, scree_contact_set *set, int first, int last,
                     const scree_state *before, const scree_state *after) {
    for (int i = first; i < last; i++) {
        const scree_matrix_contact *row = &source->model->matrix_contact[i - source->first];
        obstacle_at(row, before->time, set->contact[i].w_before);
        obstacle_at(row, after->time, set->contact[i].w_after);
    }
}

static int blocks(const scree_source *source, const scree_contact_set *set, int i,
                  const scree_inertia *inertia, scree_arena *arena, scree_jacobian_block *block) {
    const rows *self = source->self;
    (void)set;
    (void)inertia;
    (void)arena;
    *block = (scree_jacobian_block){ .part = self->system->first, .H = rows_of(source, i) };
    return 1;
}

static double velocity_scale(const scree_source *source, const scree_contact_set *set, int i,
                             const scree_scale_query *query, double size) {
    const rows *self = source->self;
    (void)set;
    return size + scree_dense_rows_scale(rows_of(source, i), source->model->dimension,
                                         source->model->system.coordinates,
                                         query->v + self->system->dof,
                                         query->other + self->system->dof);
}

static bool gap_at(const scree_source *source, const scree_contact_set *set, int i, const double *q,
                   double t, double *gap) {
    double gap_scale;
    (void)set;
    *gap = gap_of(source, i - source->first, q, t, &gap_scale);
    return true;
}

static scree_status check(const scree_source *source, const scree_contact_set *set,
                          const scree_state *after, scree_error *err) {
    for (int i = source->first; i < source->last; i++) {
        const scree_contact *contact = &set->contact[i];
        bool fine = isfinite(contact->gap);
        for (int k = 0; k < 3; k++)
            fine = fine && isfinite(contact->w_before[k]) && isfinite(contact->w_after[k]);
        if (!fine)
            return scree_fail(
                err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                "step %lld at time %.9g: gap or surface velocity of contact %s, or its "
                "rate, is not finite",
                (long long)after->step, after->time,
                source->model->matrix_contact[i - source->first].name);
    }
    return SCREE_OK;
}

static bool knows(const scree_source *source, const scree_contact *contact, scree_contact_key key) {
    return contact->a == -1 && key.a < (uint64_t)count_rows(source->model);
}

const scree_contact_source scree_source_rows = {
    .name = "rows",
    .number = SCREE_SOURCE_ROWS,
    .serves = serves,
    .make = make,
    .find = find,
    .velocity = velocity,
    .impulse = impulse,
    .obstacle = obstacle,
    .rows = blocks,
    .velocity_scale = velocity_scale,
    .gap_at = gap_at,
    .check = check,
    .knows = knows,
};
