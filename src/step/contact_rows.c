// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// contact_rows.c - H of contacts: velocities u = H v, impulses H^T p, and H itself in blocks.

#include <string.h>

#include "base/space.h"
#include "model/part.h"
#include "step/contacts.h"

// Acary & Collins-Craft (8), (52c)
void scree_contacts_velocity(const scree_model *model, const scree_contact_set *set, int i,
                             const double *x, bool driven, double *u) {
    const scree_contact *contact = &set->contact[i];
    for (int k = 0; k < model->dimension; k++) u[k] = 0;
    if (i >= set->pairs) {
        if (driven) return;
        int n = model->system.coordinates;
        const double *own = x + (long)model->bodies * model->body_dofs;
        const double *H = set->row_H + (size_t)(i - set->pairs) * (size_t)(model->dimension * n);
        for (int k = 0; k < model->dimension; k++)
            for (int j = 0; j < n; j++) u[k] += H[k * n + j] * own[j];
        return;
    }
    const int body[2] = { contact->a, contact->b };
    double second[3] = { 0 }, move[3] = { 0 }, turn[3] = { 0 };
    if (i >= set->rigid) scree_node_stencil_velocity(model, &set->stencil[i], x, driven, move);
    for (int s = 0; s < 2; s++) {
        if (body[s] >= model->bodies) continue;
        if (set->mobility[body[s]] != (driven ? SCREE_KINEMATIC : SCREE_DYNAMIC)) continue;
        const double *v = x + (long)body[s] * model->body_dofs,
                     *r = set->arm + 6 * (size_t)i + 3 * s;
        double sign = s ? -1 : 1;
        if (model->space == 2) {
            move[0] += sign * (v[0] - v[2] * r[1]);
            move[1] += sign * (v[1] + v[2] * r[0]);
            continue;
        }
        double around[3];
        scree_cross(v + 3, r, around);
        for (int k = 0; k < 3; k++) {
            move[k] += sign * (v[k] + around[k]);
            turn[k] += sign * v[3 + k];
        }
    }
    u[0] = scree_dot(contact->normal, move);
    u[1] = scree_dot(contact->tangent, move);
    if (model->dimension == 2) return;
    scree_cross(contact->normal, contact->tangent, second);
    u[2] = model->space == 3 ? scree_dot(second, move) : 0;
    if (model->dimension == 3) return;
    u[3] = scree_dot(contact->tangent, turn);
    u[4] = scree_dot(second, turn);
}

// Acary & Collins-Craft (8)
void scree_contacts_apply_impulse(const scree_model *model, const scree_contact_set *set, int i,
                                  const double *p, double *x) {
    const scree_contact *contact = &set->contact[i];
    if (i >= set->pairs) {
        int n = model->system.coordinates;
        double *own = x + (long)model->bodies * model->body_dofs;
        const double *H = set->row_H + (size_t)(i - set->pairs) * (size_t)(model->dimension * n);
        for (int k = 0; k < model->dimension; k++)
            for (int j = 0; j < n; j++) own[j] += H[k * n + j] * p[k];
        return;
    }
    double second[3], force[3], moment[3] = { 0 };
    scree_cross(contact->normal, contact->tangent, second);
    for (int k = 0; k < 3; k++) {
        force[k] = contact->normal[k] * p[0] + contact->tangent[k] * p[1];
        if (model->space == 3) force[k] += second[k] * p[2];
        if (model->dimension == 5) moment[k] = contact->tangent[k] * p[3] + second[k] * p[4];
    }
    const int body[2] = { contact->a, contact->b };
    if (i >= set->rigid) scree_node_stencil_apply_impulse(model, &set->stencil[i], force, x);
    for (int s = 0; s < 2; s++) {
        if (body[s] >= model->bodies || set->mobility[body[s]] != SCREE_DYNAMIC) continue;
        double *own = x + (long)body[s] * model->body_dofs, sign = s ? -1 : 1, around[3];
        scree_cross(set->arm + 6 * (size_t)i + 3 * s, force, around);
        for (int k = 0; k < model->space; k++) own[k] += sign * force[k];
        if (model->space == 2)
            own[2] += sign * around[2];
        else
            for (int k = 0; k < 3; k++) own[3 + k] += sign * (around[k] + moment[k]);
    }
}

static void obstacle_velocity(const scree_matrix_contact *row, double t, double *w) {
    double rate;
    scree_function_at(&row->offset, t, &w[0]);
    for (int k = 0; k < 2; k++) w[1 + k] = -scree_function_at(&row->surface[k], t, &rate);
}

void scree_contacts_obstacle(const scree_model *model, const scree_state *before,
                             const scree_state *after, scree_contact_set *set, int i) {
    scree_contact *contact = &set->contact[i];
    if (i < set->rigid && set->mobility[contact->a] != SCREE_KINEMATIC &&
        set->mobility[contact->b] != SCREE_KINEMATIC)
        return;
    scree_contacts_velocity(model, set, i, before->v, true, contact->w_before);
    scree_contacts_velocity(model, set, i, after->v, true, contact->w_after);
}

void scree_contacts_obstacles(const scree_model *model, const scree_state *before,
                              const scree_state *after, scree_contact_set *set) {
    for (int i = set->drives ? 0 : set->rigid; i < set->pairs; i++)
        scree_contacts_obstacle(model, before, after, set, i);
    for (int i = set->pairs; i < set->count; i++) {
        const scree_matrix_contact *row = &model->matrix_contact[i - set->pairs];
        obstacle_velocity(row, before->time, set->contact[i].w_before);
        obstacle_velocity(row, after->time, set->contact[i].w_after);
    }
}

// the columns of one elastic body: the nodes of a tie that are its own and free
static bool tie_block(const scree_model *model, const scree_contact_set *set, int i, int e,
                      const scree_inertia *inertia, scree_arena *arena,
                      scree_jacobian_block *block) {
    const scree_node_stencil *stencil = &set->stencil[i];
    const scree_contact *contact = &set->contact[i];
    const scree_elastic_body *body = &model->elastic[e];
    int d = model->dimension, most = SCREE_STENCIL_NODES * model->space, columns = 0;
    double axis[3][3] = { { 0 } }, *H = SCREE_NEW(arena, double, d *most);
    int *column = SCREE_NEW(arena, int, most), from[3 * SCREE_STENCIL_NODES];
    int part = scree_model_parts_of(model, &scree_elastic_kind)->first + e;
    *block = (scree_jacobian_block){ .part = part, .H = H, .column = column };
    if (!H || !column) return false;
    memcpy(axis[0], contact->normal, sizeof axis[0]);
    memcpy(axis[1], contact->tangent, sizeof axis[1]);
    if (model->space == 3) scree_cross(contact->normal, contact->tangent, axis[2]);
    for (int n = 0; n < stencil->nodes; n++)
        for (int k = 0; k < model->space && stencil->body[n] == e; k++) {
            int dof = stencil->node[n] * model->space + k;
            if (body->number[dof] < 0 || stencil->weight[n] == 0) continue;
            from[columns] = n * 3 + k;
            column[columns++] = scree_flexibility_local(inertia->part[block->part].flexible, dof);
        }
    for (int r = 0; r < d && r < 3; r++)
        for (int c = 0; c < columns; c++)
            H[r * columns + c] = stencil->weight[from[c] / 3] * axis[r][from[c] % 3];
    block->columns = columns;
    return true;
}

// the nodes of side a, and those of side b if they are another body's; how many blocks, -1: no
// memory
static int stencil_rows(const scree_model *model, const scree_contact_set *set, int i,
                        const scree_inertia *inertia, scree_arena *arena,
                        scree_jacobian_block *block) {
    const scree_node_stencil *stencil = &set->stencil[i];
    int first = stencil->body[0], last = stencil->body[stencil->nodes - 1], blocks = 0;
    for (int s = 0; s < (first == last ? 1 : 2); s++) {
        if (!tie_block(model, set, i, s ? last : first, inertia, arena, &block[blocks])) return -1;
        blocks += block[blocks].columns > 0;
    }
    return blocks;
}

int scree_contacts_rows(const scree_model *model, const scree_contact_set *set, int i,
                        const scree_inertia *inertia, scree_arena *arena,
                        scree_jacobian_block *block) {
    const scree_contact *contact = &set->contact[i];
    if (i >= set->pairs) {
        size_t size = (size_t)(model->dimension * model->system.coordinates);
        *block = (scree_jacobian_block){ .part = model->bodies,
                                         .H = set->row_H + (size_t)(i - set->pairs) * size };
        return 1;
    }
    int blocks = i < set->rigid ? 0 : stencil_rows(model, set, i, inertia, arena, block);
    if (blocks < 0) return -1;
    const int body[2] = { contact->a, contact->b };
    for (int s = 0; s < 2; s++) {
        if (body[s] >= model->bodies) continue;
        // bodies that nothing moves have no columns: they would couple everything that touches them
        if (set->mobility[body[s]] != SCREE_DYNAMIC) continue;
        const double *arm = set->arm + 6 * (size_t)i + 3 * s;
        double *H = SCREE_NEW(arena, double, model->dimension * model->body_dofs);
        if (!H) return -1;
        if (model->space == 2)
            scree_bodies_planar(contact->normal, arm, s ? -1 : 1, model->dimension, H);
        else
            scree_bodies_spatial(contact->normal, contact->tangent, arm, s ? -1 : 1,
                                 model->dimension, H);
        block[blocks++] = (scree_jacobian_block){ .part = body[s], .H = H };
    }
    return blocks;
}
