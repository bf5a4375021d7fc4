// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// static_check.c - can a configuration stand as it is? Are there forces that hold it, and if not,
// why?
//
// From rest a step with theta = 1 is M v' = h F + H^T p with Coulomb's law on v'. If v' = 0 solves
// it, p / h are forces that hold the loads. If another v' does, there may be such forces all the
// same: a block that fits between walls can be jammed, or drop. So they are sought for themselves,
//
//     v = the least v_free + M^-1 H^T p in the norm of M,     p in the friction cones
//
// which is convex. v = 0: they hold the loads. Otherwise s = H v is in the dual of the cones, and
// for any forces that held the loads, with the cohesion c,
//
//     0 = v.(h F + H^T p) = h F.v + s.p >= G - sum delta_i (p_N,i + c_i),   G = h F.v - sum c s_N,
//
// delta_i = mu |s_T| - s_N where rounding leaves s outside of the dual cone. G > 0 and delta = 0 is
// a contradiction; with delta it says how large forces would have to be. G and delta are summed up
// from v alone, whatever found it.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/space.h"
#include "law/assemble.h"
#include "law/status.h"
#include "model/collision_shape.h"
#include "model/inertia.h"
#include "scree/simulation.h"
#include "solve/associated.h"
#include "step/stepper.h"

static const double at_rest = 1e-8;      // of the free acceleration: what is left is rounding
static const double out_of_reach = 1e6;  // of the loads: no forces that large are thought of

// how far from its centre a body reaches, to weigh its spin with
static double size_of_body(const scree_model *model, int body) {
    double size = 0;
    for (int i = 0; i < model->shapes; i++) {
        const scree_collision_shape *solid = &model->solid[i];
        if (model->shape[i].body != body || !isfinite(solid->bound)) continue;
        size = fmax(size, hypot(hypot(solid->centre[0], solid->centre[1]), solid->centre[2]) +
                              solid->bound);
    }
    return size;
}

// the largest velocity in v: of centres and of far points, or of coordinates
static double largest_velocity(const scree_model *model, const double *v) {
    double most = 0;
    for (int i = 0; i < model->bodies; i++) {
        const double *own = v + (long)i * model->body_dofs;
        double move = 0, turn = 0;
        if (!scree_body_moves(&model->body[i])) continue;
        for (int k = 0; k < model->body_dofs; k++)
            *(k < model->space ? &move : &turn) += own[k] * own[k];
        most = fmax(most, sqrt(move) + sqrt(turn) * (turn > 0 ? size_of_body(model, i) : 0));
    }
    for (int j = model->bodies * model->body_dofs; j < model->dofs; j++)
        most = fmax(most, fabs(v[j]));
    return most;
}

static scree_status step_from_rest(const scree_model *model, scree_stepper *stepper,
                                   const scree_state *now, scree_error *err) {
    scree_state rest = *now;
    double *v = calloc((size_t)model->dofs, sizeof *v);
    if (!v) return scree_fail_memory(err, NULL);
    rest.v = v;
    scree_status status = scree_stepper_restore(stepper, &rest, NULL, 0, err);
    if (!status) status = scree_stepper_advance(stepper, err);
    free(v);
    return status;
}

// -------------------------------------------------------------------------------------------------
// the best forces

// v = before + M^-1 H^T p, which may be the same vector
static void push(scree_stepper *stepper, const double *before, const double *p, double *v) {
    scree_impulses_apply(stepper, p);
    for (int k = 0; k < stepper->inertia.parts; k++) {
        const scree_part *part = &stepper->inertia.part[k];
        double *change = stepper->work + part->dof;
        bool held = k < stepper->model->bodies && !scree_body_moves(&stepper->model->body[k]);
        if (!held) scree_inertia_solve(part, change);
        for (int i = 0; i < part->width; i++)
            v[part->dof + i] = held ? 0 : before[part->dof + i] + change[i];
    }
}

typedef struct question {
    scree_stepper *stepper;
    scree_problem problem;  // of the active contacts
    double *b, *p;          // (active contacts x d)
    double *v;              // what the best forces leave (dofs)
} question;

// memory of the step
static scree_status draw(question *now, scree_error *err) {
    scree_stepper *stepper = now->stepper;
    int nc = stepper->set.active_count;
    size_t n = (size_t)nc * (size_t)stepper->model->dimension;
    now->problem = stepper->record.problem;
    scree_status status = SCREE_OK;
    if (nc && !now->problem.block) status = scree_assemble(&now->problem, &stepper->scratch, err);
    if (status) return status;
    now->b = SCREE_NEW(&stepper->scratch, double, n);
    now->p = SCREE_NEW(&stepper->scratch, double, n);
    now->v = SCREE_NEW(&stepper->scratch, double, stepper->model->dofs);
    now->problem.b = now->b;
    if (now->b && now->p && now->v) return SCREE_OK;
    return scree_fail_memory(err, NULL);
}

// p, and v = the least before + M^-1 H^T p
static scree_status hold(question *now, const double *before, scree_error *err) {
    scree_stepper *stepper = now->stepper;
    const scree_contact_set *set = &stepper->set;
    int nc = set->active_count, d = stepper->model->dimension;
    memset(now->p, 0, (size_t)nc * (size_t)d * sizeof *now->p);
    for (int i = 0; i < nc; i++)  // loads alone: neither restitution nor what is driven
        scree_contacts_velocity(set, set->active[i], before, now->b + (long)i * d);
    if (nc && !scree_associated_solve(&now->problem, &stepper->scratch, now->p))
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE,
                          "out of memory for the equilibrium of %d contacts", nc);
    push(stepper, before, now->p, now->v);
    return SCREE_OK;
}

// the record's contacts hold the loads with p; nothing moves
static void show_forces(scree_stepper *stepper, const double *p) {
    static const double still[SCREE_ROWS_MAX] = { 0 };
    int d = stepper->model->dimension;
    for (int i = 0; i < stepper->set.active_count; i++) {
        scree_contact *contact = &stepper->set.contact[stepper->set.active[i]];
        memcpy(contact->impulse, p + (long)i * d, (size_t)d * sizeof *p);
        scree_law_cone cone = scree_law_cone_of(contact, stepper->scheme.step);
        contact->status =
            scree_law_status(&cone, contact->impulse, still, d, (scree_law_scale){ 0 });
    }
}

// does a driven body move at a contact? Then friction has a direction, and not all of its cone.
static bool is_driven(const scree_stepper *stepper) {
    for (int i = 0; i < stepper->set.active_count; i++)
        for (int k = 0; k < stepper->model->dimension; k++)
            if (stepper->set.contact[stepper->set.active[i]].w_after[k] != 0) return true;
    return false;
}

// -------------------------------------------------------------------------------------------------
// why no forces hold the loads

// x.M y of one part; false if its M is not at hand
static bool product_of(const scree_part *part, const double *x, const double *y, double *product) {
    if (part->flexible) return false;
    *product = 0;
    for (int c = 0; part->factor && c < part->width; c++) {  // (L^T x).(L^T y)
        double left = 0, right = 0;
        for (int r = c; r < part->width; r++) {
            left += part->factor[r * part->width + c] * x[r];
            right += part->factor[r * part->width + c] * y[r];
        }
        *product += left * right;
    }
    if (part->factor || !(part->inverse[0] > 0)) return true;
    int space = part->width == 3 ? 2 : 3;
    for (int k = 0; k < space; k++) *product += x[k] * y[k] / part->inverse[0];
    double turned[3] = { 0 }, J[6] = { 0 };
    if (space == 2)
        turned[0] = part->inverse[1] > 0 ? y[2] / part->inverse[1] : 0;
    else if (scree_symmetric_inverse(part->inverse + 1, J))
        scree_symmetric(J, y + 3, turned);
    else
        return false;
    for (int k = space; k < part->width; k++) *product += x[k] * turned[k - space];
    return true;
}

static bool product(const scree_stepper *stepper, const double *x, const double *y, double *sum) {
    *sum = 0;
    for (int k = 0; k < stepper->inertia.parts; k++) {
        const scree_part *part = &stepper->inertia.part[k];
        double own;
        if (k < stepper->model->bodies && !scree_body_moves(&stepper->model->body[k])) continue;
        if (!product_of(part, x + part->dof, y + part->dof, &own)) return false;
        *sum += own;
    }
    return true;
}

// how far s is outside of the dual of contact's cone, per unit of its normal impulse
static double miss_of(const scree_contact *contact, const double *s, int d) {
    double second = contact->friction_across > 0 ? contact->friction_across : contact->friction;
    double bound = contact->friction * fabs(s[1]);
    if (d > 2) bound = hypot(bound, second * s[2]);
    if (d > 3) bound += contact->rolling * hypot(s[3], s[4]);
    return fmax(0, bound - s[0]);
}

// How large forces would have to be, against the loads, to hold them; 0 if v says nothing.
static double forces_needed(const scree_stepper *stepper, const double *v) {
    const scree_contact_set *set = &stepper->set;
    double gain, loads, miss = 0, speed = largest_velocity(stepper->model, stepper->free_velocity);
    if (!product(stepper, stepper->free_velocity, v, &gain) ||
        !product(stepper, stepper->free_velocity, stepper->free_velocity, &loads))
        return 0;
    for (int i = 0; i < set->active_count; i++) {
        const scree_contact *contact = &set->contact[set->active[i]];
        double s[SCREE_ROWS_MAX];
        scree_contacts_velocity(set, set->active[i], v, s);
        gain -= contact->cohesion * stepper->scheme.step * s[0];
        miss = fmax(miss, miss_of(contact, s, stepper->model->dimension));
    }
    if (!(gain > 0) || !(loads > 0)) return 0;
    return miss > 0 ? gain / miss / (loads / speed) : HUGE_VAL;
}

// -------------------------------------------------------------------------------------------------

static scree_status decide(scree_static_check *standing, scree_error *err) {
    scree_stepper *stepper = standing->stepper;
    question now = { .stepper = stepper };
    standing->left = standing->acceleration;
    standing->admissible = standing->acceleration <= at_rest * standing->free_acceleration;
    if (standing->admissible) return SCREE_OK;
    scree_status status = draw(&now, err);
    if (!status) status = hold(&now, stepper->free_velocity, err);
    if (status) return status;
    standing->left = largest_velocity(stepper->model, now.v) / standing->step;
    if (standing->left <= at_rest * standing->free_acceleration) {
        standing->admissible = !is_driven(stepper);
        if (standing->admissible) show_forces(stepper, now.p);
        return SCREE_OK;
    }
    // v has the rounding of the free velocity, which s = H v shows outside of the dual cones. The
    // nearest v with s inside is found in the same way, without cohesion, and has the rounding of v
    now.problem.cohesion = NULL;
    status = hold(&now, now.v, err);
    if (status) return status;
    standing->needed = forces_needed(stepper, now.v);
    standing->inadmissible = standing->needed >= out_of_reach;
    return SCREE_OK;
}

scree_status scree_static_check_find(const scree_model *model, const scree_run_options *options,
                                     const scree_state *state, scree_static_check *standing,
                                     scree_error *err) {
    *standing = (scree_static_check){ 0 };
    scree_status status = scree_model_check_mass(model, "equilibrium is checked", err);
    if (status) return status;
    scree_run_options still = *options;
    still.scheme.name = SCREE_MOREAU_JEAN;
    still.scheme.row = NULL;
    still.scheme.theta = 1;
    still.scheme.activation = SCREE_ACTIVATE_PREDICTED_LINEAR;
    still.scheme.approach = SCREE_APPROACH_REQUIRED;
    still.scheme.jacobian = SCREE_JACOBIAN_START;
    still.scheme.correct = SCREE_CORRECT_NONE;
    scree_stepper *stepper = NULL;
    status = scree_stepper_new(model, &still.scheme, &still.solver, &stepper, err);
    if (!status) status = step_from_rest(model, stepper, state, err);
    bool solved = !status;
    if (status == SCREE_UNCONVERGED) status = SCREE_OK;  // the forces can be found without
    if (!status) {
        double h = still.scheme.step;
        *standing = (scree_static_check){ .stepper = stepper,
                                          .record = scree_stepper_record(stepper),
                                          .step = h };
        standing->acceleration =
            solved ? largest_velocity(model, standing->record->after.v) / h : (double)NAN;
        standing->free_acceleration =
            largest_velocity(model, scree_stepper_free_velocity(stepper)) / h;
        status = decide(standing, err);
    }
    if (status) {
        scree_stepper_free(stepper);
        *standing = (scree_static_check){ 0 };
    }
    return status;
}

void scree_static_check_free(scree_static_check *standing) {
    scree_stepper_free(standing->stepper);
    *standing = (scree_static_check){ 0 };
}
