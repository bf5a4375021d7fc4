// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// contacts.c - from a configuration to gaps, frames and Jacobians of all possible contacts.

#include "step/contacts.h"

#include <math.h>
#include <string.h>

static void fill_law(scree_contact *contact, scree_law law, const scree_scheme_options *scheme) {
    contact->restitution = law.restitution;
    contact->friction = law.friction;
    contact->tangential_restitution =
        scheme->name == SCREE_MOREAU_JEAN_FREMOND ? (1 - scheme->theta) / scheme->theta : 0;
}

// H of a system's contact: the scene's rows, padded with zeros to the problem's dimension
static bool make_rows(const scree_model *model, int c, scree_arena *arena,
                      scree_jacobian_rows *rows) {
    const scree_row_contact *given = &model->row_contact[c];
    size_t n = (size_t)model->system.coordinates;
    double *H = SCREE_NEW(arena, double, (size_t)model->dimension *n);
    if (!H) return false;
    memcpy(H, given->normal, n * sizeof *H);
    memcpy(H + n, given->tangent, (size_t)given->tangents * n * sizeof *H);
    *rows = (scree_jacobian_rows){ 1, { { model->bodies, H } } };
    return true;
}

scree_status scree_contacts_make(const scree_model *model, const scree_scheme_options *scheme,
                                 scree_arena *arena, scree_contact_set *set, scree_error *err) {
    int count = model->pairs + model->row_contacts;
    *set = (scree_contact_set){
        .count = count,
        .contact = SCREE_NEW(arena, scree_contact, count),
        .rows = SCREE_NEW(arena, scree_jacobian_rows, count),
        .planar = SCREE_NEW(arena, double, (size_t)model->pairs * 6 * (size_t)model->dimension),
        .magnitude = SCREE_NEW(arena, double, count),
        .wanted = SCREE_NEW(arena, double, 3 * (size_t)count),
        .active = SCREE_NEW(arena, int, count),
        .placed = SCREE_NEW(arena, scree_placed, model->shapes),
        .near = SCREE_NEW(arena, scree_closeness, model->pairs),
    };
    bool fine = set->contact && set->rows && set->planar && set->magnitude && set->wanted &&
                set->active && set->placed && set->near;
    for (int i = 0; fine && i < model->pairs; i++) {
        const scree_pair *pair = &model->pair[i];
        set->contact[i].id = scree_closeness_id(pair);
        set->contact[i].a = model->shape[pair->a].body;
        set->contact[i].b = model->shape[pair->b].body;
        fill_law(&set->contact[i], pair->law, scheme);
    }
    for (int c = 0; fine && c < model->row_contacts; c++) {
        scree_contact *contact = &set->contact[model->pairs + c];
        contact->id = (uint64_t)c;
        contact->a = -1;
        contact->b = -2 - c;
        fill_law(contact, model->row_contact[c].law, scheme);
        fine = make_rows(model, c, arena, &set->rows[model->pairs + c]);
    }
    if (!fine)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d contacts",
                          count);
    return SCREE_OK;
}

void scree_contacts_approach(const scree_model *model, const double *q, scree_contact_set *set) {
    scree_closeness_place(model, q, false, set->placed);
    for (int i = 0; i < model->pairs; i++)
        scree_closeness_of(model, &model->pair[i], set->placed, &set->near[i]);
}

static void locate_pair(const scree_model *model, int i, const double *q, scree_contact_set *set) {
    scree_contact *contact = &set->contact[i];
    scree_jacobian_rows *rows = &set->rows[i];
    const scree_closeness *near = &set->near[i];
    double *H = set->planar + (size_t)i * 6 * (size_t)model->dimension;
    contact->gap = near->gap;
    set->magnitude[i] = near->magnitude;
    memcpy(contact->normal, near->normal, sizeof contact->normal);
    memcpy(contact->point, near->point, sizeof contact->point);

    // fixed bodies have no columns: they would couple everything that touches the ground
    rows->blocks = 0;
    const int side[2] = { contact->a, contact->b };
    for (int k = 0; k < 2; k++) {
        if (model->body[side[k]].fixed) continue;
        const double *body = q + 3 * (long)side[k];
        const double arm[2] = { near->point[0] - body[0], near->point[1] - body[1] };
        double *block = H + (size_t)k * 3 * (size_t)model->dimension;
        scree_assemble_planar(near->normal, arm, k ? -1 : 1, model->dimension, block);
        rows->block[rows->blocks++] = (scree_block){ side[k], block };
    }
}

static double row_gap(const scree_model *model, int c, const double *q, double t,
                      double *magnitude) {
    const scree_row_contact *row = &model->row_contact[c];
    const double *own = q + 3 * (long)model->bodies;
    double rate, gap = scree_function_at(&row->offset, t, &rate);
    double size = fabs(gap);
    for (int j = 0; j < model->system.coordinates; j++) {
        gap += row->normal[j] * own[j];
        size += fabs(row->normal[j] * own[j]);
    }
    *magnitude = size;
    return gap;
}

static void obstacle_velocity(const scree_row_contact *row, double t, double w[3]) {
    double rate;
    scree_function_at(&row->offset, t, &w[0]);
    for (int k = 0; k < 2; k++) w[1 + k] = -scree_function_at(&row->surface[k], t, &rate);
}

void scree_contacts_locate(const scree_model *model, const double *q, double t,
                           scree_contact_set *set) {
    for (int i = 0; i < model->pairs; i++) locate_pair(model, i, q, set);
    for (int c = 0; c < model->row_contacts; c++)
        set->contact[model->pairs + c].gap =
            row_gap(model, c, q, t, &set->magnitude[model->pairs + c]);
}

void scree_contacts_obstacles(const scree_model *model, double t, double t_next,
                              scree_contact_set *set) {
    for (int c = 0; c < model->row_contacts; c++) {
        scree_contact *contact = &set->contact[model->pairs + c];
        obstacle_velocity(&model->row_contact[c], t, contact->w_before);
        obstacle_velocity(&model->row_contact[c], t_next, contact->w_after);
    }
}

double scree_contacts_gap(const scree_model *model, const scree_contact_set *set, int i,
                          const double *q, double t, double *magnitude) {
    if (i >= model->pairs) return row_gap(model, i - model->pairs, q, t, magnitude);
    scree_closeness near;
    scree_closeness_of(model, &model->pair[i], set->placed, &near);
    *magnitude = near.magnitude;
    return near.gap;
}
