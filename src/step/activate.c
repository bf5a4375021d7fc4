// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// activate.c - the active set: which contacts are in the problem of a step (Signorini's condition
// is asked of closed contacts, in velocities).
// in: contacts, free velocity.   out: velocities before the step, the active contacts.

#include <float.h>
#include <math.h>

#include "law/status.h"
#include "step/stepper.h"

static const double rounding_slack = 64 * DBL_EPSILON;  // of the lengths that make the gap
// A contact that bore something in the step before has not opened by itself: what there is of a gap
// is what solvers have left over the steps. It stays until that is a part of the way which loads
// alone would move its bodies in a step; dropped earlier it would take its impulse with it, and all
// that lies on it would have to find another balance.
static const double persistence_slack = 0.25;

// the gap of contact i at q and t, exactly, if its source knows it
static bool gap_at(const scree_stepper *stepper, int i, const double *q, double t, double *gap) {
    const scree_source *source = scree_contacts_source(&stepper->set, i);
    return source->predicts && source->kind->gap_at(source, &stepper->set, i, q, t, gap);
}

// the gap that the activation rule asks for
static double rule_gap(const scree_stepper *stepper, int i) {
    const scree_state *before = &stepper->record.before;
    const scree_contact *contact = &stepper->set.contact[i];
    double h = stepper->scheme.step, gap = contact->gap;
    scree_activation rule = stepper->scheme.activation;
    if (rule == SCREE_ACTIVATE_CLOSED) return gap;
    if (rule == SCREE_ACTIVATE_HALF || rule == SCREE_ACTIVATE_PREDICTED_LINEAR) {
        // the rules speak of the gap at q, wherever H is taken
        if (stepper->scheme.jacobian != SCREE_JACOBIAN_START &&
            !gap_at(stepper, i, before->q, before->time, &gap))
            return gap;
        return gap + (rule == SCREE_ACTIVATE_HALF ? h / 2 : h) * contact->u_before[0];
    }
    // flat on flat meets with other features on the way: its gap, and all gaps in space, are
    // predicted by their velocity
    if (gap_at(stepper, i, stepper->q_trial, stepper->record.after.time, &gap)) return gap;
    return contact->gap + h * contact->u_before[0];
}

// can the pair close within the step?
static bool is_near(const scree_stepper *stepper, int i) {
    if (!scree_stepper_near_only(stepper)) return true;
    const scree_source *source = scree_contacts_source(&stepper->set, i);
    return !source->kind->is_far || !source->kind->is_far(source, &stepper->set, i);
}

// Basseville & Leger (13), as in Klarbring's table: the motion without contact would end in the
// obstacle, and not leave it
static bool ends_inside(const scree_stepper *stepper, int i, const scree_contact *contact) {
    double u[SCREE_ROWS_MAX], gap;
    scree_contacts_velocity(&stepper->set, i, stepper->free_velocity, u);
    double leaving = u[0] + contact->w_after[0];
    if (!gap_at(stepper, i, stepper->q_trial, stepper->record.after.time, &gap))
        gap = contact->gap + stepper->scheme.step * leaving;
    return gap <= rounding_slack * stepper->set.gap_scale[i] &&
           leaving <= rounding_slack * contact->velocity_scale;
}

// The rule `foreseen`. What is closed stays; what would hit bounces at once, with the room that the
// step goes on for, (1 - theta (1+e)) h |u_N|, before it; what would hit and not bounce may use up
// its gap. Where that way would lead too deep it ends with the gap. Others are added where impacts
// turn out to close them (foresee.c).
static bool is_foreseen(const scree_stepper *stepper, int i, scree_contact *contact, double most,
                        double near) {
    double h = stepper->scheme.step, theta = stepper->scheme.theta, u_N = contact->u_before[0];
    double on = scree_stepper_goes_on(stepper, contact);
    bool deep = on > 0 && contact->size > 0 &&
                contact->gap + on * h * u_N < -SCREE_DEPTH_ALLOWED * contact->size;
    if (contact->gap <= near) {
        contact->rests = deep;
        return true;
    }
    if (!(u_N <= most)) return false;
    if (!(rule_gap(stepper, i) + on * h * u_N <= near)) return false;
    bool lands = contact->restitution == 0 && contact->gap / h + (1 - theta) * u_N > 0;
    if (lands || deep) contact->reserve = contact->gap / h;
    return true;
}

// Acary & Collins-Craft (55), with slacks
static bool is_active(const scree_stepper *stepper, int i, scree_contact *contact) {
    const scree_scheme_options *scheme = &stepper->scheme;
    if (!is_near(stepper, i)) return false;
    contact->velocity_scale = scree_velocity_scale_of(stepper, i, stepper->free_velocity);
    if (scree_contacts_row_law(&stepper->set, i)) return true;
    if (scheme->activation == SCREE_ACTIVATE_FREE_END) return ends_inside(stepper, i, contact);
    double tolerance = stepper->solver.tolerance;
    double most = isnan(scheme->velocity_tolerance)
                      ? scree_law_velocity_slack(tolerance) * contact->velocity_scale
                      : scheme->velocity_tolerance;
    // what sticks together must be there to be pulled
    bool leaves = !(contact->u_before[0] <= most) && contact->cohesion == 0;
    if (leaves && scheme->approach == SCREE_APPROACH_REQUIRED) return false;
    bool kept = leaves && scheme->approach == SCREE_APPROACH_KEPT;
    double gap = kept ? contact->gap : rule_gap(stepper, i);
    double near = rounding_slack * stepper->set.gap_scale[i] +
                  scree_law_gap_slack(tolerance) * scheme->step * contact->velocity_scale;
    const scree_source *source = scree_contacts_source(&stepper->set, i);
    bool persistent =
        source->kind->load_change && stepper->set.warm_start[SCREE_ROWS_MAX * (size_t)i] > 0;
    if (persistent && !kept)
        near += persistence_slack * scheme->step *
                source->kind->load_change(source, &stepper->set, i, stepper->velocity_scale);
    if (!isnan(scheme->gap_tolerance)) near = scheme->gap_tolerance;
    if (scheme->approach == SCREE_APPROACH_FORESEEN)
        return is_foreseen(stepper, i, contact, most, near);
    return gap <= near;
}

// what the rule asks of bodies: how fast they are, and where they would be in the end
static void prepare_rule(scree_stepper *stepper) {
    const scree_state *before = &stepper->record.before;
    bool asked = false;
    for (int k = 0; k < stepper->set.sources; k++) asked |= stepper->set.source[k].predicts;
    scree_velocity_scale_find(stepper, stepper->free_velocity);
    scree_activation rule = stepper->scheme.activation;
    if (!asked || (rule != SCREE_ACTIVATE_PREDICTED && rule != SCREE_ACTIVATE_FREE_END)) return;
    const double *v =
        rule == SCREE_ACTIVATE_FREE_END ? scree_stepper_free_rate(stepper) : before->v;
    scree_parts_integrate(stepper->parts, stepper->rows, before->q, v, stepper->scheme.step,
                          stepper->q_trial);
    scree_parts_drive(stepper->parts, stepper->rows, stepper->record.after.time, stepper->q_trial,
                      NULL);
}

// velocities before the step, and 1 in `active` for contacts that are in the problem
static void choose(scree_stepper *stepper, int first, int last, void *with) {
    (void)with;
    scree_contact_set *set = &stepper->set;
    for (int i = first; i < last; i++) {
        if (i + SCREE_PREFETCH_DISTANCE < last)
            scree_contacts_prefetch(stepper, i + SCREE_PREFETCH_DISTANCE, stepper->start_velocity);
        scree_stepper_velocity_before(stepper, i);
        set->contact[i].reserve = set->contact[i].theta = 0;
        set->contact[i].rests = false;
        set->active[i] = is_active(stepper, i, &set->contact[i]);
    }
}

void scree_activate(scree_stepper *stepper) {
    scree_contact_set *set = &stepper->set;
    int near = 0, active = 0;
    while (near < set->count && !is_near(stepper, near)) near++;
    if (near < set->count) prepare_rule(stepper);
    scree_contacts_parallel_for_chunks(stepper, choose, NULL);
    for (int i = 0; i < set->count; i++)
        if (set->active[i]) set->active[active++] = i;
    set->active_count = active;
}
