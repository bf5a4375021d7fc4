// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sides.c - H of contacts whose sides are rigid bodies or nodes of elastic ones: the
// relative velocity u = H v, impulses H^T p, and H itself (the Jacobian of the gaps) in blocks.
//
//     u = (n, t1, t2) . (v_a + w_a x r_a - v_b - w_b x r_b),  rolling: (t1, t2) . (w_a - w_b)

#include "step/sides.h"

#include <math.h>
#include <string.h>

#include "base/space.h"
#include "model/part.h"

// Acary & Collins-Craft (8), (52c); where space and dimension are known little is left of it
static inline __attribute__((always_inline)) void velocity_of(const scree_model *model,
                                                              const scree_contact_set *set, int i,
                                                              const scree_node_stencil *stencil,
                                                              const double *x, bool driven,
                                                              int space, int dimension, double *u) {
    const scree_contact *contact = &set->contact[i];
    const int body[2] = { contact->a, contact->b };
    double second[3] = { 0 }, move[3] = { 0 }, turn[3] = { 0 };
    if (stencil) scree_node_stencil_velocity(model, stencil, x, driven, move);
    for (int s = 0; s < 2; s++) {
        if (body[s] >= model->bodies) continue;
        if (set->mobility[body[s]] != (driven ? SCREE_KINEMATIC : SCREE_DYNAMIC)) continue;
        const double *v = x + (long)body[s] * (space == 2 ? 3 : 6),
                     *r = set->arm + 6 * (size_t)i + 3 * s;
        double sign = s ? -1 : 1;
        if (space == 2) {
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
    if (dimension == 2) return;
    scree_cross(contact->normal, contact->tangent, second);
    u[2] = space == 3 ? scree_dot(second, move) : 0;
    if (dimension == 3) return;
    u[3] = scree_dot(contact->tangent, turn);
    u[4] = scree_dot(second, turn);
}

void scree_sides_velocity(const scree_model *model, const scree_contact_set *set, int i,
                          const scree_node_stencil *stencil, const double *x, bool driven,
                          double *u) {
    if (model->dimension == 2 && !stencil)
        velocity_of(model, set, i, NULL, x, driven, 2, 2, u);
    else
        velocity_of(model, set, i, stencil, x, driven, model->space, model->dimension, u);
}

// Acary & Collins-Craft (8), Moreau (33)
void scree_sides_impulse(const scree_model *model, const scree_contact_set *set, int i,
                         const scree_node_stencil *stencil, const double *p, double *x) {
    const scree_contact *contact = &set->contact[i];
    double second[3], force[3], moment[3] = { 0 };
    scree_cross(contact->normal, contact->tangent, second);
    for (int k = 0; k < 3; k++) {
        force[k] = contact->normal[k] * p[0] + contact->tangent[k] * p[1];
        if (model->space == 3) force[k] += second[k] * p[2];
        if (model->dimension == 5) moment[k] = contact->tangent[k] * p[3] + second[k] * p[4];
    }
    const int body[2] = { contact->a, contact->b };
    if (stencil) scree_node_stencil_apply_impulse(model, stencil, force, x);
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

double scree_sides_velocity_scale(const scree_model *model, const scree_contact_set *set, int i,
                                  const scree_velocity_scale *of, double size) {
    const scree_contact *contact = &set->contact[i];
    const int body[2] = { contact->a, contact->b };
    for (int s = 0; s < 2; s++) {
        if (body[s] >= model->bodies) continue;
        const double *r = set->arm + 6 * (size_t)i + 3 * s;
        size += of[body[s]].linear + of[body[s]].angular * scree_length(r);
    }
    return size;
}

// the columns of one elastic body: the nodes of a stencil that are its own and free
static bool stencil_block(const scree_model *model, const scree_contact_set *set, int i,
                          const scree_node_stencil *stencil, int e, const scree_inertia *inertia,
                          scree_arena *arena, scree_jacobian_block *block) {
    const scree_contact *contact = &set->contact[i];
    const scree_elastic_body *body = &model->elastic[e];
    int d = model->dimension, most = SCREE_STENCIL_NODES * model->space, columns = 0;
    double axis[3][3] = { { 0 } }, *H = SCREE_NEW(arena, double, (d * most));
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
                        const scree_node_stencil *stencil, const scree_inertia *inertia,
                        scree_arena *arena, scree_jacobian_block *block) {
    int first = stencil->body[0], last = stencil->body[stencil->nodes - 1], blocks = 0;
    for (int s = 0; s < (first == last ? 1 : 2); s++) {
        if (!stencil_block(model, set, i, stencil, s ? last : first, inertia, arena,
                           &block[blocks]))
            return -1;
        blocks += block[blocks].columns > 0;
    }
    return blocks;
}

int scree_sides_rows(const scree_model *model, const scree_contact_set *set, int i,
                     const scree_node_stencil *stencil, const scree_inertia *inertia,
                     scree_arena *arena, scree_jacobian_block *block) {
    const scree_contact *contact = &set->contact[i];
    int blocks = stencil ? stencil_rows(model, set, i, stencil, inertia, arena, block) : 0;
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
