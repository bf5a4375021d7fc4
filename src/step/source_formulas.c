// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// source_formulas.c - contacts of the mechanism: gaps are functions of t and q, H their gradients.
// in: functions of the mechanism.   out: contacts, with H where the scheme wants it.

#include <math.h>
#include <string.h>

#include "model/mechanism.h"
#include "model/part.h"
#include "step/contacts.h"
#include "step/dense_rows.h"

enum { N = SCREE_CONFIGURATION_N };

typedef struct formulas {
    const scree_mechanism_def *mechanics;
    const scree_parts *parts;
    int first;  // number of its first contact among those of system and mechanism
    int law;    // number of its law in the set
    double H[SCREE_CONFIGURATION_C][SCREE_ROWS_MAX * N];
} formulas;

static bool serves(const scree_model *model) {
    return model->mechanism && model->mechanism->contacts > 0;
}

static scree_status make(scree_source *source, scree_contact_set *set, scree_arena *arena,
                         scree_error *err) {
    const scree_model *model = source->model;
    formulas *self = source->self = SCREE_NEW(arena, formulas, 1);
    if (!self) return scree_fail_memory(err, NULL);
    self->mechanics = model->mechanism;
    self->parts = scree_model_parts_of(model, &scree_mechanism_kind);
    self->first = model->mechanism_contact;
    self->law = set->pair_laws + self->first;
    return SCREE_OK;
}

static double gap_of(const scree_source *source, int c, double t, const double *q, double *rows,
                     double rate[3]) {
    const formulas *self = source->self;
    return scree_configuration_gap_rows(self->mechanics, c, t, q + self->parts->coordinate, rows,
                                        rate);
}

static int count_rows(const scree_source *source) {
    return scree_configuration_rows(((const formulas *)source->self)->mechanics);
}

static scree_status find(scree_source *source, const scree_contact_query *query,
                         scree_contact_set *set, scree_error *err) {
    formulas *self = source->self;
    int count = self->mechanics->contacts, n = self->mechanics->coordinates;
    const double *q = query->q + self->parts->coordinate;
    if (!scree_contacts_make_room(set, set->count + count))
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d contacts",
                          set->count);
    for (int c = 0; c < count; c++) {
        int i = set->count++;
        double *normal = self->H[c];
        scree_contact *contact = &set->contact[i];
        memset(contact, 0, sizeof *contact);
        contact->id = scree_contact_id_pack(SCREE_SOURCE_FORMULAS, (uint64_t)c, 0, 0);
        contact->a = -1;
        contact->b = -2 - self->first - c;
        scree_contacts_set_law(set, i, self->law + c);
        double rate[3];
        contact->gap = gap_of(source, c, query->t, query->q, normal, rate);
        // the size of the numbers that a gap is made of, as far as that can be seen from outside
        set->gap_scale[i] = fabs(contact->gap);
        for (int j = 0; j < n; j++) set->gap_scale[i] += fabs(normal[j] * q[j]);
    }
    return SCREE_OK;
}

// the rows of H of contact i
static const double *rows_of(const scree_source *source, int i) {
    return ((const formulas *)source->self)->H[i - source->first];
}

static void velocity(const scree_source *source, const scree_contact_set *set, int i,
                     const double *x, bool driven, double *u) {
    const formulas *self = source->self;
    const double *H = rows_of(source, i), *own = x + self->parts->dof;
    int n = self->mechanics->coordinates, d = source->model->dimension;
    (void)set;
    for (int k = 0; k < d; k++) u[k] = 0;
    if (!driven) scree_dense_rows_velocity(H, count_rows(source), n, own, u);
}

static void impulse(const scree_source *source, const scree_contact_set *set, int i,
                    const double *p, double *x) {
    const formulas *self = source->self;
    (void)set;
    scree_dense_rows_impulse(rows_of(source, i), count_rows(source), self->mechanics->coordinates,
                             p, x + self->parts->dof);
}

// what obstacles do by themselves, at both ends of the step
static void obstacle(const scree_source *source, scree_contact_set *set, int first, int last,
                     const scree_state *before, const scree_state *after) {
    double rows[3 * N];
    for (int i = first; i < last; i++) {
        int c = i - source->first;
        scree_contact *contact = &set->contact[i];
        gap_of(source, c, before->time, before->q, rows, contact->w_before);
        gap_of(source, c, after->time, before->q, rows, contact->w_after);
    }
}

static int blocks(const scree_source *source, const scree_contact_set *set, int i,
                  const scree_inertia *inertia, scree_arena *arena, scree_jacobian_block *block) {
    (void)set, (void)inertia, (void)arena;
    *block = (scree_jacobian_block){ .part = ((const formulas *)source->self)->parts->first,
                                     .H = rows_of(source, i) };
    return 1;
}

static double velocity_scale(const scree_source *source, const scree_contact_set *set, int i,
                             const scree_scale_query *query, double size) {
    const formulas *self = source->self;
    (void)set;
    return size + scree_dense_rows_scale(rows_of(source, i), count_rows(source),
                                         self->mechanics->coordinates, query->v + self->parts->dof,
                                         query->other + self->parts->dof);
}

static bool gap_at(const scree_source *source, const scree_contact_set *set, int i, const double *q,
                   double t, double *gap) {
    double rows[3 * N], rate[3];
    (void)set;
    *gap = gap_of(source, i - source->first, t, q, rows, rate);
    return true;
}

static bool knows(const scree_source *source, const scree_contact *contact, scree_contact_key key) {
    return contact->a == -1 && key.a < (uint64_t)source->model->mechanism->contacts;
}

const scree_contact_source scree_source_formulas = {
    .name = "formulas",
    .number = SCREE_SOURCE_FORMULAS,
    .serves = serves,
    .make = make,
    .find = find,
    .velocity = velocity,
    .impulse = impulse,
    .obstacle = obstacle,
    .rows = blocks,
    .velocity_scale = velocity_scale,
    .gap_at = gap_at,
    .knows = knows,
};
