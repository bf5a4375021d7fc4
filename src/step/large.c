// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// large.c - many contacts of bodies in space, solved on the bodies without building W.
// in: active contacts.   out: impulses, report.   work: the step's scratch memory.

#include <math.h>
#include <string.h>

#include "base/space.h"
#include "scree/rigid.h"
#include "step/stepper.h"

// From so many contacts on W is not worth building: sweeps are enough for a loose tolerance, a
// tight one is better left to Newton for longer, and so are bodies that touch with faces.
enum { MANY_FLAT = 5000 };
static int large_enough(double tolerance) { return tolerance >= 1e-6 ? 256 : 2000; }

// are the bodies that move balls at this contact?
static bool is_ball(const scree_contact_set *set, int contact) {
    const int *shape = set->shapes + 3 * (size_t)contact;
    for (int s = 0; s < 2; s++)
        if (set->moves[shape[s]] && !(set->ball[shape[s]] > 0)) return false;
    return true;
}

bool scree_large_applies(const scree_stepper *stepper) {
    const scree_model *model = stepper->model;
    const scree_contact_set *set = &stepper->set;
    const char *name = stepper->solver.name;
    if (model->dimension != 3 || model->space != 3) return false;
    if (model->system.coordinates || model->elastics) return false;
    if (strcmp(name, "auto") != 0 && strcmp(name, "nsgs") != 0) return false;
    if (set->active_count < large_enough(stepper->solver.tolerance)) return false;
    bool balls = true;
    for (int i = 0; i < set->active_count; i++) {
        const scree_contact *contact = &set->contact[set->active[i]];
        if (contact->cohesion > 0 || contact->friction_across > 0) return false;
        balls = balls && is_ball(set, set->active[i]);
    }
    return balls || set->active_count >= MANY_FLAT;
}

// Are all bodies that move balls here? Then the distance of the centres over the radii says where
// the point of a contact is; what does not move may have any shape.
static bool is_central(const scree_stepper *stepper, double *radius) {
    const scree_contact_set *set = &stepper->set;
    for (int i = 0; i < set->active_count; i++)
        for (int s = 0; s < 2; s++) {
            int shape = set->shapes[3 * (size_t)set->active[i] + (size_t)s];
            double *known = &radius[set->owner[shape]], own = set->ball[shape];
            if (!set->moves[shape]) continue;
            if (!(own > 0) || (*known > 0 && *known != own)) return false;
            *known = own;
        }
    for (int i = 0; i < stepper->model->bodies; i++)
        if (!(radius[i] > 0)) radius[i] = 1;  // it touches nothing
    return true;
}

static bool moves(const scree_contact_set *set, int body) {
    return set->mobility[body] == SCREE_DYNAMIC;
}

static double reach_of(const scree_contact_set *set, int i, const double *radius) {
    const scree_contact *contact = &set->contact[i];
    bool a = moves(set, contact->a), b = moves(set, contact->b);
    double radii = (a ? radius[contact->a] : 0) + (b ? radius[contact->b] : 0);
    const double *arm = set->arm + 6 * (size_t)i + (a ? 0 : 3);
    return (a && b ? radii + contact->gap : fabs(scree_dot(arm, contact->normal))) / radii;
}

typedef struct arrays {
    double *inverse_mass, *inverse_inertia, *position, *radius, *arm_ratio, *frame, *arm, *w, *mu;
    int *body;
    bool central;
} arrays;

static bool allocate(scree_stepper *stepper, arrays *a) {
    size_t nb = (size_t)stepper->model->bodies, nc = (size_t)stepper->set.active_count;
    scree_arena *arena = &stepper->scratch;
    *a = (arrays){
        .inverse_mass = SCREE_NEW(arena, double, nb),
        .inverse_inertia = SCREE_NEW(arena, double, 6 * nb),
        .position = SCREE_NEW(arena, double, 3 * nb),
        .radius = SCREE_NEW(arena, double, nb),
        .arm_ratio = SCREE_NEW(arena, double, nc),
        .frame = SCREE_NEW(arena, double, 9 * nc),
        .arm = SCREE_NEW(arena, double, 6 * nc),
        .w = SCREE_NEW(arena, double, 3 * nc),
        .mu = SCREE_NEW(arena, double, nc),
        .body = SCREE_NEW(arena, int, 2 * nc),
    };
    return a->inverse_mass && a->inverse_inertia && a->position && a->radius && a->arm_ratio &&
           a->frame && a->arm && a->w && a->mu && a->body;
}

static void fill_bodies(const scree_stepper *stepper, const arrays *a) {
    for (int i = 0; i < stepper->model->bodies; i++) {
        const double *inverse = stepper->inertia.part[i].inverse;
        a->inverse_mass[i] = inverse[0];
        memcpy(a->position + 3 * (size_t)i, stepper->set.pose[i].at, 3 * sizeof *a->position);
        if (a->central)
            a->inverse_inertia[i] = inverse[1];
        else
            memcpy(a->inverse_inertia + 6 * (size_t)i, inverse + 1, 6 * sizeof *inverse);
    }
}

static void ask(const scree_stepper *stepper, int i, const arrays *a) {
    const scree_contact_set *set = &stepper->set;
    int body = set->contact[i].b;
    scree_contacts_prefetch(stepper, i, stepper->start_velocity);
    __builtin_prefetch(&set->pose[body]);
    __builtin_prefetch(&a->radius[body]);
}

static void fill_contact(scree_stepper *stepper, int i, void *with) {
    const arrays *a = with;
    scree_contact_set *set = &stepper->set;
    int at = set->active[i];
    if (i + SCREE_PREFETCH_DISTANCE < set->active_count)
        ask(stepper, set->active[i + SCREE_PREFETCH_DISTANCE], a);
    const scree_contact *contact = &set->contact[at];
    double *frame = a->frame + 9 * (size_t)i, *w = a->w + 3 * (size_t)i;
    if (a->central)
        a->arm_ratio[i] = reach_of(set, at, a->radius);
    else
        memcpy(a->arm + 6 * (size_t)i, set->arm + 6 * (size_t)at, 6 * sizeof *a->arm);
    memcpy(frame, contact->normal, sizeof contact->normal);
    memcpy(frame + 3, contact->tangent, sizeof contact->tangent);
    scree_cross(contact->normal, contact->tangent, frame + 6);
    a->mu[i] = contact->friction;
    a->body[2 * i] = moves(set, contact->a) ? contact->a : SCREE_RIGID_FIXED;
    a->body[2 * i + 1] = moves(set, contact->b) ? contact->b : SCREE_RIGID_FIXED;
    for (int k = 0; k < 3; k++)
        w[k] =
            contact->w_after[k] + scree_stepper_restitution(stepper, at, k) * contact->u_before[k];
}

scree_status scree_large_solve(scree_stepper *stepper, double *impulse, bool judge_only,
                               scree_error *err) {
    arrays a;
    if (!allocate(stepper, &a))
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE,
                          "out of memory for a problem of %d contacts", stepper->set.active_count);
    a.central = is_central(stepper, a.radius);
    fill_bodies(stepper, &a);
    scree_contacts_parallel_for(stepper, stepper->set.active_count, fill_contact, &a);
    scree_rigid_problem problem = {
        .bodies = stepper->model->bodies,
        .free_velocity = stepper->free_velocity,
        .inverse_mass = a.inverse_mass,
        .inverse_inertia = a.inverse_inertia,
        .position = a.position,
        .radius = a.central ? a.radius : NULL,
        .contacts = stepper->set.active_count,
        .body = a.body,
        .frame = a.frame,
        .arm = a.central ? NULL : a.arm,
        .arm_ratio = a.central ? a.arm_ratio : NULL,
        .w = a.w,
        .mu = a.mu,
        .impulse = impulse,
    };
    scree_report *report = &stepper->record.report;
    if (judge_only)
        return scree_rigid_residual(&problem, stepper->solver.threads, &report->residual, err);
    scree_solver_options options = stepper->solver;
    options.name = "nsgs";
    return scree_rigid_solve_in(&problem, &options, &stepper->rigid, report, err);
}
