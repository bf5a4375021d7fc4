// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// project.c - position correction by projection: push bodies apart that have sunk into each other,
// by the smallest way there is.
//
//     dq = M^-1 H^T x,    0 <= gap + left + H dq  ⟂  x >= 0
//
// left is how deep they may stay: 0, or a small part of the smaller body (`limited`), a little less
// than what they may sink to, so that it is not done again in the next step.
// Gaps and H are those of where the step ends, of all contacts that the way could close: pairs that
// are to be pushed apart, and pairs as near to each other as the deepest of them are deep. Gaps are
// no linear functions, and a way can be longer than that: so it goes round, with the gaps that came
// out.
//
// Bodies in joints go together with their joints: equations are rows g + H dq = 0 of the same
// problem, limits and bushes of joints are gaps that the way must not use up. It goes round until
// joints are closed to rounding, as what is left open would be closed by the next step, with work
// of either sign; where that does not come about everything stays where it was. Where a marker
// takes part in a linkage its bodies stay, and others are pushed away from them: a marker moves
// with its part, which has no place of its own to be pushed to.
//
// The kinetic energy is left alone (the spin of a body turns with it); what the way does to the
// potential energy is the work of the correction and has a column of its own in the ledger.

#include <math.h>
#include <string.h>

#include "base/space.h"
#include "base/union_find.h"
#include "law/bodies.h"
#include "model/joint.h"
#include "step/stepper.h"

enum { ROUNDS = 8, CLOSING = 3 };

// of the size of the smaller shape: what `limited` leaves of SCREE_DEPTH_ALLOWED
static const double kept = 4e-3;

typedef struct overlaps {
    double deepest;  // of all contacts, or 0
    bool deep;       // is there one to be pushed apart?
    double opening;  // the largest of joints, of their size
    int count;
    int *chosen;  // contacts that take part (count)
} overlaps;

static scree_status no_memory(int contacts, scree_error *err) {
    return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory to correct %d contacts",
                      contacts);
}

// the second set of contacts, made when it is needed first
static scree_status make_set(scree_stepper *stepper, scree_error *err) {
    if (stepper->set.projection_contacts) return SCREE_OK;
    scree_contact_set *made = SCREE_NEW(&stepper->arena, scree_contact_set, 1);
    if (!made) return no_memory(stepper->set.count, err);
    scree_status status =
        scree_contacts_make(stepper->model, &stepper->scheme, &stepper->arena, made, err);
    if (status)
        scree_contacts_free(made);
    else
        stepper->set.projection_contacts = made;
    return status;
}

// contacts where bodies are now, of all pairs that are not further apart than `near`
static scree_status find_contacts(scree_stepper *stepper, double near, scree_error *err) {
    enum { SHARES = 8 };  // a shape reaches twice as far as its two ways, and a pair has two
    const scree_model *model = stepper->model;
    const scree_state *after = &stepper->record.after;
    double *way = stepper->work;
    scree_stepper_clear(stepper, way);
    for (int i = 0; i < stepper->stage.come; i++) way[(long)i * model->body_dofs] = near / SHARES;
    scree_contact_query query = scree_stepper_query(stepper, after->q, after->time, way);
    query.h = 1;
    query.spread = true;
    return scree_contacts_find(model, &query, stepper->set.projection_contacts, err);
}

// did both bodies take part in the step?
static bool took_part(const scree_stepper *stepper, const scree_contact *contact) {
    double time = stepper->record.before.time;
    return !stepper->has_births || (scree_body_present(&stepper->model->body[contact->a], time) &&
                                    scree_body_present(&stepper->model->body[contact->b], time));
}

// bodies of linkages in which a marker takes part, by union; the ground joins nothing
static bool find_pinned(scree_stepper *stepper) {
    const scree_model *model = stepper->model;
    int side[SCREE_JOINT_SIDES], bodies = model->bodies;
    int *linkage = SCREE_NEW(&stepper->arena, int, bodies + 1);
    stepper->pinned = SCREE_NEW(&stepper->arena, bool, bodies);
    if (!linkage || !stepper->pinned) return false;
    for (int i = 0; i <= bodies; i++) linkage[i] = i;  // the last one is that of all markers
    for (int k = 0; k < model->joints; k++) {
        int sides = scree_joint_bodies(model, k, side), first = -1;
        for (int s = 0; s < sides; s++) {
            int one = scree_marker_of_side(side[s]) >= 0 ? bodies : side[s];
            if (one < 0 || (one < bodies && !scree_body_moves(&model->body[one]))) continue;
            if (first < 0) first = one;
            linkage[scree_union_find_root(linkage, one)] = scree_union_find_root(linkage, first);
        }
    }
    int markers = scree_union_find_root(linkage, bodies);
    for (int i = 0; i < bodies; i++)
        stepper->pinned[i] = scree_union_find_root(linkage, i) == markers;
    return true;
}

static bool can_be_pushed(const scree_stepper *stepper, int body) {
    return scree_body_moves(&stepper->model->body[body]) && !stepper->pinned[body];
}

// equations, limits and bushes of joints whose bodies go
static bool holds(const scree_stepper *stepper, const scree_contact_set *set, int i) {
    const scree_model *model = stepper->model;
    const scree_contact *contact = &set->contact[i];
    int joint = scree_joint_of_contact(model, contact), side[SCREE_JOINT_SIDES];
    if (joint < 0) return false;
    uint64_t feature = scree_contact_id_unpack(contact->id).feature;
    if (feature == SCREE_JOINT_FRICTION || feature >= SCREE_JOINT_DRIVE) return false;
    for (int s = scree_joint_bodies(model, joint, side) - 1; s >= 0; s--)
        if (side[s] >= 0 && can_be_pushed(stepper, side[s])) return true;
    return false;
}

// may a contact be pushed apart? what has no size has no share of it
static bool is_limited(const scree_stepper *stepper) {
    return stepper->scheme.correct == SCREE_CORRECT_LIMITED;
}

static bool has_limit(const scree_stepper *stepper, const scree_contact *contact) {
    if (!can_be_pushed(stepper, contact->a) && !can_be_pushed(stepper, contact->b)) return false;
    return !is_limited(stepper) || contact->size > 0;
}

// how deep it may sink, and how deep it stays where it is pushed
static double depth_allowed(const scree_stepper *stepper, const scree_contact *contact) {
    return is_limited(stepper) ? SCREE_DEPTH_ALLOWED * contact->size : 0;
}

// what is there to be done: at first everything that is deeper than rounding, then what is deeper
// than a part of the smaller shape that nobody sees
static void list_overlaps(const scree_stepper *stepper, bool first, double near, overlaps *now) {
    const scree_contact_set *set = stepper->set.projection_contacts;
    now->deepest = now->opening = 0;
    now->deep = false;
    now->count = 0;
    for (int i = 0; i < set->count; i++) {
        const scree_contact *contact = &set->contact[i];
        if (holds(stepper, set, i)) {
            if (scree_contacts_row_law(set, i))
                now->opening = fmax(now->opening, contact->gap / set->gap_scale[i]);
            now->chosen[now->count++] = i;
            continue;
        }
        if (!scree_contacts_source(set, i)->kind->projects) continue;
        if (contact->gap > near || !has_limit(stepper, contact) || !took_part(stepper, contact))
            continue;
        double rounding = 1e-12 * set->gap_scale[i];
        double bound = depth_allowed(stepper, contact) +
                       (first ? rounding : fmax(rounding, 1e-9 * contact->size));
        now->deepest = fmax(now->deepest, -contact->gap);
        now->deep |= contact->gap < -bound;
        now->chosen[now->count++] = i;
    }
}

// Joints alone: what the last ways have left open is so little that no gap sees how it is closed.
static void keep_equations(const scree_stepper *stepper, overlaps *now) {
    int count = 0;
    for (int k = 0; k < now->count; k++)
        if (scree_contacts_row_law(stepper->set.projection_contacts, now->chosen[k]))
            now->chosen[count++] = now->chosen[k];
    now->count = count;
}

// the inertia of the step, but that bodies that markers pin have no inverse
static scree_status hold_pinned(scree_stepper *stepper, scree_inertia *held, scree_error *err) {
    const scree_model *model = stepper->model;
    int numbers = model->space == 3 ? 7 : 2;
    *held = stepper->inertia;
    if (!model->joints || !model->bodies) return SCREE_OK;
    scree_part *part = SCREE_NEW(&stepper->scratch, scree_part, held->parts);
    double *inverse = SCREE_NEW(&stepper->scratch, double, (model->bodies * numbers));
    if (!part || !inverse) return no_memory(stepper->set.count, err);
    memcpy(part, held->part, (size_t)held->parts * sizeof *part);
    for (int i = 0; i < model->bodies; i++) {
        part[i].inverse = inverse + (long)i * numbers;
        if (!stepper->pinned[i])
            memcpy(part[i].inverse, held->part[i].inverse, (size_t)numbers * sizeof *inverse);
    }
    held->part = part;
    return SCREE_OK;
}

// Rows of joints, in lengths. Equations that follow from others contradict each other by the square
// of the way: they give way a little, and the next round takes what that left.
static scree_status hold_joints(scree_stepper *stepper, const overlaps *now, scree_problem *problem,
                                double *b, scree_error *err) {
    const double slight = 1e-9;
    const scree_contact_set *set = stepper->set.projection_contacts;
    int d = problem->dimension, nc = now->count;
    size_t numbers = (size_t)nc * (size_t)d;
    unsigned char *equality = SCREE_NEW(&stepper->scratch, unsigned char, nc);
    double *limit = SCREE_NEW(&stepper->scratch, double, numbers);
    double *soft = SCREE_NEW(&stepper->scratch, double, numbers);
    double *W = SCREE_NEW(&stepper->scratch, double, (numbers * (size_t)d));
    if (!equality || !limit || !soft || !W ||
        !scree_bodies_diagonal(problem, NULL, W, &stepper->scratch))
        return no_memory(nc, err);
    for (int i = 0; i < nc; i++) {
        const scree_row_law *law = scree_contacts_row_law(set, now->chosen[i]);
        equality[i] = law != NULL;
        for (int r = 0; r < d; r++) limit[i * d + r] = law ? law->limit[r] : HUGE_VAL;
        for (int r = 0; law && r < d; r++) {
            if (law->limit[r] != HUGE_VAL) continue;
            b[i * d + r] = law->off[r];
            soft[i * d + r] =
                slight * W[((size_t)i * (size_t)d + (size_t)r) * (size_t)d + (size_t)r];
        }
    }
    problem->equality = equality;
    problem->limit = limit;
    problem->compliance = soft;
    return SCREE_OK;
}

// what a gap must not become less than; what joints have used up already stays so
static double room_of(const scree_stepper *stepper, const scree_contact *contact) {
    if (scree_joint_of_contact(stepper->model, contact) >= 0) return fmax(contact->gap, 0);
    return contact->gap + (is_limited(stepper) ? kept * contact->size : 0);
}

// the problem without friction, in lengths
static scree_status assemble(scree_stepper *stepper, const overlaps *now,
                             const scree_inertia *inertia, scree_problem *problem,
                             scree_error *err) {
    int d = stepper->model->dimension;
    const scree_contact_set *set = stepper->set.projection_contacts;
    double *b = SCREE_NEW(&stepper->scratch, double, (now->count * d));
    double *mu = SCREE_NEW(&stepper->scratch, double, now->count);
    if (!b || !mu) return no_memory(now->count, err);
    for (int i = 0; i < now->count; i++)
        b[(long)i * d] = room_of(stepper, &set->contact[now->chosen[i]]);
    scree_status status =
        scree_problem_of_contacts(stepper, inertia, set, now->chosen, now->count, problem, err);
    if (status) return status;
    ((scree_bodies *)problem->bodies)->w = b;  // the step's own; there is no v_free
    problem->b = b;
    problem->mu = mu;
    if (d == 5) problem->mu_rolling = mu;  // none
    return stepper->model->joints ? hold_joints(stepper, now, problem, b, err) : SCREE_OK;
}

// move all bodies by dq (dofs), and say what that did to their potential energy
static double move(scree_stepper *stepper, const double *dq) {
    const scree_model *model = stepper->model;
    scree_state *after = &stepper->record.after;
    double work = 0;
    scree_parts_integrate(stepper->parts, stepper->rows, after->q, dq, 1, stepper->q_trial);
    for (int i = 0; i < stepper->stage.come; i++) {
        const scree_body *body = &model->body[i];
        const double *way = dq + (long)i * model->body_dofs;
        size_t at = (size_t)i * (size_t)model->body_coordinates;
        if (!scree_body_moves(body) || !scree_body_present(body, after->time)) continue;
        memcpy(after->q + at, stepper->q_trial + at,
               (size_t)model->body_coordinates * sizeof *after->q);
        for (int k = 0; k < model->space; k++) work -= body->mass * model->gravity[k] * way[k];
        double *spin = after->v + (long)i * model->body_dofs + 3;
        if (model->space == 3 && !scree_body_isotropic(body)) scree_cayley(way + 3, spin, spin);
    }
    return work;
}

// one way, into stepper->work; whether there is one
static scree_status solve_projection(scree_stepper *stepper, const overlaps *now, bool *found,
                                     scree_error *err) {
    const scree_model *model = stepper->model;
    int d = model->dimension;
    scree_problem problem = { 0 };
    scree_inertia held;
    double *x = SCREE_NEW(&stepper->scratch, double, (now->count * d));
    if (!x) return no_memory(now->count, err);
    scree_status status = hold_pinned(stepper, &held, err);
    if (!status) status = assemble(stepper, now, &held, &problem, err);
    if (status) return status;
    scree_solver_options options = stepper->solver;
    scree_report report;
    options.name = "auto";
    options.criterion = SCREE_CRITERION_SCALED;
    options.tolerance = fmax(options.tolerance, 1e-8);
    status = scree_solve(&problem, &options, x, &report, err);
    *found = !status && report.converged;
    if (!*found) return status;
    scree_stepper_clear(stepper, stepper->work);
    for (int i = 0; i < now->count; i++)
        scree_contacts_apply_impulse(stepper->set.projection_contacts, now->chosen[i],
                                     x + (long)i * d, stepper->work);
    for (int k = 0; k < stepper->stage.come; k++)
        scree_inertia_solve(&held.part[k], stepper->work + held.part[k].dof);
    return SCREE_OK;
}

// the gap of a contact among those found last, or the least of its pair if other features meet by
// now; k: where its pair begins, or would
static double gap_now(const scree_contact_set *end, scree_contact_id id, int k, double otherwise) {
    double least = HUGE_VAL;
    for (; k < end->count && scree_contact_id_same_pair(end->contact[k].id, id); k++) {
        scree_contact_id other = end->contact[k].id;
        if (scree_contact_id_equal(other, id)) return end->contact[k].gap;
        least = fmin(least, end->contact[k].gap);
    }
    return least < HUGE_VAL ? least : otherwise;
}

// gaps of the step's contacts as they are now: both sets ascend by id. One whose gap was only
// estimated, and whose pair is not among those found, is open
static void update_gaps(scree_stepper *stepper) {
    const scree_state *after = &stepper->record.after;
    scree_contact_set *set = &stepper->set;
    const scree_contact_set *end = set->projection_contacts;
    scree_contacts_update_poses(after->q, set);
    scree_contacts_update_chunk(0, set->count, set);
    scree_contacts_update_gaps(after->q, after->time, set);
    for (int i = 0, k = 0; i < set->count; i++) {
        scree_contact *contact = &set->contact[i];
        if (!scree_contacts_source(set, i)->kind->projects) continue;
        scree_contact_id pair = scree_contact_id_pair(contact->id);
        while (k < end->count && scree_contact_id_less(end->contact[k].id, pair)) k++;
        contact->gap_after = gap_now(end, contact->id, k, fmax(contact->gap_after, 0));
    }
}

// where bodies are now: pairs that overlap, and what they could be pushed into
static scree_status find_overlaps(scree_stepper *stepper, bool first, overlaps *now,
                                  scree_error *err) {
    double near = 2 * now->deepest;
    scree_status status = find_contacts(stepper, near, err);
    if (status) return status;
    now->chosen = SCREE_NEW(&stepper->scratch, int, stepper->set.projection_contacts->count);
    if (!now->chosen) return no_memory(stepper->set.projection_contacts->count, err);
    list_overlaps(stepper, first, near, now);
    return SCREE_OK;
}

// the deepest contact of the step, or -1 if none is too deep
static double deepest_known(const scree_stepper *stepper) {
    const scree_contact_set *set = &stepper->set;
    double deepest = 0;
    bool deep = !is_limited(stepper);
    for (int i = 0; i < set->count; i++) {
        const scree_contact *contact = &set->contact[i];
        if (!scree_contacts_source(set, i)->kind->projects || !has_limit(stepper, contact))
            continue;
        deepest = fmax(deepest, -contact->gap_after);
        deep |= -contact->gap_after > depth_allowed(stepper, contact);
    }
    return deep ? deepest : -1;
}

// a place that has been left for one that does not do
typedef struct place {
    double *q, *v, work;
} place;

static bool keep_place(scree_stepper *stepper, place *old) {
    const scree_model *model = stepper->model;
    const scree_state *after = &stepper->record.after;
    old->q = SCREE_NEW(&stepper->scratch, double, model->coordinates);
    old->v = SCREE_NEW(&stepper->scratch, double, model->dofs);
    old->work = stepper->record.correction_work;
    if (!old->q || !old->v) return false;
    memcpy(old->q, after->q, (size_t)model->coordinates * sizeof *old->q);
    memcpy(old->v, after->v, (size_t)model->dofs * sizeof *old->v);
    return true;
}

static void go_back(scree_stepper *stepper, const place *old) {
    const scree_model *model = stepper->model;
    const scree_state *after = &stepper->record.after;
    memcpy(after->q, old->q, (size_t)model->coordinates * sizeof *old->q);
    memcpy(after->v, old->v, (size_t)model->dofs * sizeof *old->v);
    stepper->record.correction_work = old->work;
}

scree_status scree_project_positions(scree_stepper *stepper, scree_error *err) {
    const double closed = 1e-13, rounding = 1e-10;  // of joints, of their size
    bool found = true;
    if (!stepper->pinned && !find_pinned(stepper)) return no_memory(stepper->set.count, err);
    overlaps now = { .deepest = deepest_known(stepper) };
    if (now.deepest < 0) return SCREE_OK;
    place old;
    bool moved = false;
    if (!keep_place(stepper, &old)) return no_memory(stepper->set.count, err);
    scree_arena_mark mark = scree_arena_mark_of(&stepper->scratch);
    scree_status status = make_set(stepper, err);
    if (!status) status = find_overlaps(stepper, true, &now, err);
    double opening = now.opening;
    for (int k = 0; !status && k < ROUNDS + CLOSING; k++) {
        bool push = now.deep && k < ROUNDS;
        if (!push && !(moved && now.opening > closed)) break;
        if (!push) keep_equations(stepper, &now);
        status = solve_projection(stepper, &now, &found, err);
        // what cannot be pushed apart stays as it is, and the penetration in the summary tells
        if (status || !found) break;
        stepper->record.correction_work += move(stepper, stepper->work);
        moved = true;
        scree_arena_release(&stepper->scratch, mark);
        status = find_overlaps(stepper, false, &now, err);
    }
    if (!status && moved && now.opening > fmax(opening, rounding)) {
        go_back(stepper, &old);
        status = find_overlaps(stepper, false, &now, err);
    }
    if (!status) update_gaps(stepper);
    return status;
}
