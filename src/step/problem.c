// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// problem.c - active contacts -> problem: H and Mhat^-1 by parts, b, cones.
// in: contacts, inertia, free velocity.   out: the record's problem.   work: the step's memory.

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/space.h"
#include "step/stepper.h"

static scree_status no_memory(int contacts, scree_error *err) {
    return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE,
                      "out of memory for a problem of %d contacts", contacts);
}

// -------------------------------------------------------------------------------------------------
// A

static void solve_dense(void *self, double *x) {
    const scree_part *part = self;
    scree_dense_solve(part->factor, part->width, x);
}

static const double *flexible_column(void *self, int column) {
    return scree_flexibility_column(self, column);
}

static scree_status flexible_require(void *self, const int *column, int count, scree_error *err) {
    return scree_flexibility_require(self, column, count, err);
}

// elastic bodies and the matrix system
static bool fill_parts(scree_stepper *stepper, scree_bodies *bodies) {
    const scree_inertia *inertia = &stepper->inertia;
    bodies->parts = inertia->parts - bodies->rigid;
    if (!bodies->parts) return true;
    scree_part_inverse *inverse = SCREE_NEW(&stepper->scratch, scree_part_inverse, bodies->parts);
    bodies->part = inverse;
    for (int k = 0; inverse && k < bodies->parts; k++) {
        scree_part *part = &inertia->part[bodies->rigid + k];
        inverse[k] = (scree_part_inverse){ .dof = part->dof, .width = part->width, .self = part };
        if (!part->flexible) {
            inverse[k].solve = solve_dense;
            continue;
        }
        inverse[k].width = scree_flexibility_locals(part->flexible);
        inverse[k].self = part->flexible;
        inverse[k].column = flexible_column;
        inverse[k].require = flexible_require;
    }
    return inverse != NULL;
}

// -------------------------------------------------------------------------------------------------
// H

static bool fill_blocks(scree_stepper *stepper, const scree_contact_set *set, const int *chosen,
                        int count, scree_bodies *bodies) {
    scree_arena *arena = &stepper->scratch;
    int *first = SCREE_NEW(arena, int, count + 1);
    scree_jacobian_block *block =
        SCREE_NEW(arena, scree_jacobian_block, (size_t)count * SCREE_CONTACT_BLOCKS);
    if (!first || !block) return false;
    for (int i = 0; i < count; i++) {
        int blocks =
            scree_contacts_rows(set, chosen[i], &stepper->inertia, arena, block + first[i]);
        if (blocks < 0) return false;
        first[i + 1] = first[i] + blocks;
    }
    bodies->first = first;
    bodies->block = block;
    return true;
}

scree_status scree_problem_of_contacts(scree_stepper *stepper, const scree_contact_set *set,
                                       const int *chosen, int count, scree_problem *problem,
                                       scree_error *err) {
    const scree_model *model = stepper->model;
    scree_bodies *bodies = SCREE_NEW(&stepper->scratch, scree_bodies, 1);
    if (!bodies) return no_memory(count, err);
    *bodies = (scree_bodies){ .rigid = model->bodies,
                              .width = model->body_dofs,
                              .inverse = model->bodies ? stepper->inertia.part[0].inverse : NULL };
    if (!fill_parts(stepper, bodies) || !fill_blocks(stepper, set, chosen, count, bodies))
        return no_memory(count, err);
    *problem =
        (scree_problem){ .contacts = count, .dimension = model->dimension, .bodies = bodies };
    return SCREE_OK;
}

// -------------------------------------------------------------------------------------------------
// b and the cones

// b = u_free + (e u_N, tau u_T) of one contact: y of Acary & Collins-Craft (85), and the b of (86)
static void find_law_velocity(const scree_stepper *stepper, int i, double *b) {
    const scree_contact *contact = &stepper->set.contact[i];
    scree_contacts_velocity(&stepper->set, i, stepper->free_velocity, b);
    for (int k = 0; k < stepper->model->dimension; k++)
        b[k] +=
            contact->w_after[k] + scree_stepper_restitution(stepper, i, k) * contact->u_before[k];
}

// laws that are more than restitution and friction
static scree_status add_laws(scree_stepper *stepper, scree_problem *problem, scree_error *err) {
    const scree_contact_set *set = &stepper->set;
    int nc = set->active_count;
    bool second = false, cohesion = false;
    for (int i = 0; i < nc; i++) {
        second |= set->contact[set->active[i]].friction_across > 0;
        cohesion |= set->contact[set->active[i]].cohesion > 0;
    }
    bool rolling = problem->dimension == 5;
    if (!second && !cohesion && !rolling) return SCREE_OK;
    double *other = SCREE_NEW(&stepper->scratch, double, nc);
    double *roll = SCREE_NEW(&stepper->scratch, double, nc);
    double *pull = SCREE_NEW(&stepper->scratch, double, nc);
    if (!other || !roll || !pull) return no_memory(nc, err);
    for (int i = 0; i < nc; i++) {
        const scree_contact *contact = &set->contact[set->active[i]];
        other[i] = contact->friction_across > 0 ? contact->friction_across : contact->friction;
        roll[i] = contact->rolling;
        pull[i] = contact->cohesion * stepper->scheme.step;
    }
    if (second) problem->mu_second = other;
    if (cohesion) problem->cohesion = pull;
    if (rolling) problem->mu_rolling = roll;
    return SCREE_OK;
}

// Acary & Collins-Craft (81), by (86) or by (91) over theta
scree_status scree_problem_of_step(scree_stepper *stepper, scree_error *err) {
    const scree_contact_set *set = &stepper->set;
    scree_problem *problem = &stepper->record.problem;
    int nc = set->active_count, d = stepper->model->dimension;
    *problem = (scree_problem){ .dimension = d };
    if (nc == 0) return SCREE_OK;
    scree_status status = scree_problem_of_contacts(stepper, set, set->active, nc, problem, err);
    if (status) return status;
    double *b = SCREE_NEW(&stepper->scratch, double, nc *d);
    double *mu = SCREE_NEW(&stepper->scratch, double, nc);
    if (!b || !mu) return no_memory(nc, err);
    for (int i = 0; i < nc; i++) {
        find_law_velocity(stepper, set->active[i], b + (long)i * d);
        mu[i] = set->contact[set->active[i]].friction;
    }
    problem->b = b;
    problem->mu = mu;
    return add_laws(stepper, problem, err);
}
