// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// source_nodes.c - contacts of nodes of elastic bodies, with rigid shapes and with facets
// (nodes.c), as a source: their H is that of the nodes' stencil and of the rigid side.

#include "step/sides.h"

static bool serves(const scree_model *model) { return model->elastics > 0; }

static scree_status make(scree_source *source, scree_contact_set *set, scree_arena *arena,
                         scree_error *err) {
    scree_node_set *self = source->self = SCREE_NEW(arena, scree_node_set, 1);
    set->stencils = true;
    if (!self) return scree_fail_memory(err, "nodes");
    return scree_nodes_make(source->model, arena, self, err);
}

static void release(scree_source *source) { scree_nodes_free(source->self); }

static scree_status find(scree_source *source, const scree_contact_query *query,
                         scree_contact_set *set, scree_error *err) {
    return scree_nodes_find(source->model, query, source->self, set, err);
}

static void velocity(const scree_source *source, const scree_contact_set *set, int i,
                     const double *x, bool driven, double *u) {
    scree_sides_velocity(source->model, set, i, &set->stencil[i], x, driven, u);
}

static void impulse(const scree_source *source, const scree_contact_set *set, int i,
                    const double *p, double *x) {
    scree_sides_impulse(source->model, set, i, &set->stencil[i], p, x);
}

static void obstacle(const scree_source *source, scree_contact_set *set, int first, int last,
                     const scree_state *before, const scree_state *after) {
    for (int i = first; i < last; i++) {
        velocity(source, set, i, before->v, true, set->contact[i].w_before);
        velocity(source, set, i, after->v, true, set->contact[i].w_after);
    }
}

static int rows(const scree_source *source, const scree_contact_set *set, int i,
                const scree_inertia *inertia, scree_arena *arena, scree_jacobian_block *block) {
    return scree_sides_rows(source->model, set, i, &set->stencil[i], inertia, arena, block);
}

static double velocity_scale(const scree_source *source, const scree_contact_set *set, int i,
                             const scree_scale_query *query, double size) {
    size +=
        scree_node_stencil_velocity_scale(source->model, &set->stencil[i], query->v, query->other);
    return scree_sides_velocity_scale(source->model, set, i, query->body, size);
}

static void update_gaps(scree_source *source, scree_contact_set *set, const double *q, double t) {
    (void)t;
    for (int i = source->first; i < source->last; i++)
        set->contact[i].gap_after = scree_nodes_gap(source->model, source->self, set, i, q);
}

static bool knows(const scree_source *source, const scree_contact *contact, scree_contact_key key) {
    int bodies = source->model->bodies, sides = bodies + source->model->elastics;
    (void)key;
    return contact->a >= bodies && contact->a < sides && contact->b >= 0 && contact->b < sides;
}

const scree_contact_source scree_source_nodes = {
    .name = "nodes",
    .number = SCREE_SOURCE_NODES,
    .serves = serves,
    .make = make,
    .free = release,
    .find = find,
    .velocity = velocity,
    .impulse = impulse,
    .obstacle = obstacle,
    .rows = rows,
    .velocity_scale = velocity_scale,
    .update_gaps = update_gaps,
    .knows = knows,
};
