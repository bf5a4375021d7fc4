// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// paradox.c - Painlevé's paradox: every motion that may follow from a state with one closed
// contact, and what the schemes make of it. in: a model at its start.   out: W, accelerations, all
// forces that satisfy the laws.
//
// A sliding contact knows the direction of its friction, and one number decides: see paradox.h. At
// rest friction may point anywhere, and the laws are those of a step's problem with accelerations
// in the place of velocities; all solutions of that are found by complete enumeration.

#include "scree/paradox.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lab/curvature.h"
#include "lab/events_system.h"
#include "scree/lcp.h"

static const double closed_slack = 1e-9;    // of the lengths that make a gap
static const double velocity_slack = 1e-9;  // of the velocities that make one of a contact

const char *scree_verdict_name(scree_verdict verdict) {
    static const char *const name[] = { "consistent", "indeterminate", "inconsistent" };
    return name[verdict];
}

const char *scree_motion_kind_name(scree_motion_kind kind) {
    static const char *const name[] = { "take-off", "grazing", "slide", "stick", "slip+", "slip-" };
    return name[kind];
}

const char *scree_outcome_name(scree_outcome outcome) {
    static const char *const name[] = { "free", "force", "impact", "unclear", "refused", "unfit" };
    return name[outcome];
}

// -------------------------------------------------------------------------------------------------
// the contact

static scree_status check_tolerance(double tolerance, scree_error *err) {
    if (tolerance >= 0 && tolerance <= SCREE_PARADOX_TOLERANCE_MOST) return SCREE_OK;
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                      "the tolerance must be between 0 and %g, got %g",
                      SCREE_PARADOX_TOLERANCE_MOST, tolerance);
}

static scree_status check_model(const scree_model *model, double tolerance, scree_error *err) {
    if (!scree_model_finished(model))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the model is not finished");
    if (model->space != 2 || model->dimension != 2)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "paradoxes are looked for in the plane, this model is spatial");
    if (model->elastics)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "paradoxes are of rigid bodies, this model has %d elastic one(s)",
                          model->elastics);
    if (model->joints)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "paradoxes are of one contact, this model has %d joint(s) or spring(s)",
                          model->joints);
    return check_tolerance(tolerance, err);
}

static scree_status no_contact(double nearest, scree_error *err) {
    if (isinf(nearest))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "no contact is closed at the start, and none is near");
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                      "no contact is closed at the start: the nearest has a gap of %.6g", nearest);
}

static scree_status want_one(int closed, double nearest, scree_error *err) {
    if (closed == 1) return SCREE_OK;
    if (!closed) return no_contact(nearest, err);
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                      "%d contacts are closed at the start: exactly one is allowed here", closed);
}

static scree_status find_closed(const scree_stepper *stepper, int *found, scree_error *err) {
    const scree_contact_set *set = &stepper->set;
    const scree_model *model = stepper->model;
    int closed = 0;
    double nearest = HUGE_VAL;
    for (int i = 0; i < set->count; i++) {
        const scree_contact *contact = &set->contact[i];
        double near = closed_slack * set->gap_scale[i];
        nearest = fmin(nearest, contact->gap);
        if (contact->gap < -near)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "%s and %s penetrate each other by %.6g at the start",
                              scree_model_side_name(model, contact->a),
                              scree_model_side_name(model, contact->b), -contact->gap);
        if (contact->gap > near) continue;
        if (!closed++) *found = i;
    }
    return want_one(closed, nearest, err);
}

// the size of the velocities that those of contact i are made of
static double speed_of(const scree_stepper *stepper, int i) {
    const scree_model *model = stepper->model;
    const scree_contact *contact = &stepper->set.contact[i];
    const double *v = stepper->record.after.v;
    double size = fabs(contact->w_after[0]) + fabs(contact->w_after[1]);
    scree_contact_key key = scree_contact_id_unpack(contact->id);
    if (key.source == SCREE_SOURCE_ROWS) {
        const scree_matrix_contact *row = &model->matrix_contact[key.a];
        v += (long)model->bodies * model->body_dofs;
        for (int j = 0; j < model->system.coordinates; j++)
            size +=
                (fabs(row->normal[j]) + (row->tangents ? fabs(row->tangent[j]) : 0)) * fabs(v[j]);
        return size;
    }
    const int body[2] = { contact->a, contact->b };
    for (int s = 0; s < 2; s++) {
        const double *own = v + 3L * body[s], *arm = stepper->set.arm + 6L * i + 3L * s;
        if (scree_body_moves(&model->body[body[s]]))
            size += fabs(own[0]) + fabs(own[1]) + fabs(own[2]) * hypot(arm[0], arm[1]);
    }
    return size;
}

// a and b: what touches; speed: the size of the velocities that the contact's are made of
static scree_status check_contact(const scree_contact *contact, const char *a, const char *b,
                                  double speed, scree_paradox *paradox, scree_error *err) {
    if (!(contact->friction > 0))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the contact of %s and %s has no friction: without it there is always "
                          "one solution",
                          a, b);
    if (contact->cohesion > 0)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the contact of %s and %s has cohesion, which is not looked at here", a,
                          b);
    double still = velocity_slack * speed;
    if (fabs(contact->u_before[0]) > still)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "%s and %s %s with normal velocity %.6g at the start: it must be zero", a,
                          b, contact->u_before[0] < 0 ? "collide" : "separate",
                          contact->u_before[0]);
    paradox->contact = *contact;
    paradox->slides = fabs(contact->u_before[1]) > still;
    return SCREE_OK;
}

// -------------------------------------------------------------------------------------------------
// its accelerations

typedef struct scratch {
    scree_arena arena;
    scree_inertia inertia;  // of M itself
    double *a;              // (dofs)
} scratch;

// accelerations without contact: M a = F - C v - K q
static void free_fall(const scree_stepper *stepper, const scratch *work) {
    const scree_model *model = stepper->model;
    const scree_state *state = &stepper->record.after;
    const scree_system *system = &model->system;
    int n = system->coordinates;
    scree_inertia_load(model, state->time, work->a);
    double *own = work->a + (long)model->bodies * model->body_dofs;
    const double *q = state->q + (long)model->bodies * model->body_coordinates;
    const double *v = state->v + (long)model->bodies * model->body_dofs;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (system->stiffness) own[i] -= system->stiffness[i * n + j] * q[j];
            if (system->damping) own[i] -= system->damping[i * n + j] * v[j];
        }
    for (int k = 0; k < work->inertia.parts; k++) {
        const scree_part *part = &work->inertia.part[k];
        scree_inertia_solve(part, work->a + part->dof);
        for (int c = 0; k < model->bodies && c < 2 && scree_body_moves(&model->body[k]); c++)
            work->a[part->dof + c] += model->gravity[c];
    }
}

// W = H M^-1 H^T of contact i alone
static scree_status find_W(scree_stepper *stepper, int i, scratch *work, double W[4],
                           scree_error *err) {
    scree_problem problem;
    scree_status status =
        scree_problem_of_contacts(stepper, &work->inertia, &stepper->set, &i, 1, &problem, err);
    if (!status && !scree_bodies_diagonal(&problem, NULL, W, &work->arena))
        status = scree_fail_memory(err, NULL);
    return status;
}

static void round_accelerations(double tolerance, double size, scree_paradox *paradox) {
    for (int k = 0; k < 2; k++)
        if (fabs(paradox->acceleration[k]) <= tolerance * size) paradox->acceleration[k] = 0;
}

static scree_status find_accelerations(scree_stepper *stepper, int i, double tolerance,
                                       scree_paradox *paradox, scree_error *err) {
    const scree_model *model = stepper->model;
    scratch work = { 0 };
    double size;
    work.a = SCREE_NEW(&work.arena, double, model->dofs);
    scree_status status = scree_inertia_make(model, 0, 1, 1, &work.arena, &work.inertia, err);
    if (!status && !work.a) status = scree_fail_memory(err, NULL);
    if (!status) status = find_W(stepper, i, &work, paradox->W, err);
    if (!status) {
        free_fall(stepper, &work);
        status = scree_curvature_find(stepper, i, work.a, paradox->acceleration, &size, err);
    }
    if (!status) round_accelerations(tolerance, size, paradox);
    scree_inertia_free(&work.inertia);
    scree_arena_free(&work.arena);
    return status;
}

// -------------------------------------------------------------------------------------------------
// all solutions

static void add_solution(scree_paradox *paradox, scree_motion_kind kind, double normal,
                         double tangential) {
    const double *W = paradox->W, *free = paradox->acceleration;
    if (paradox->solutions == SCREE_MOTIONS_MAX) return;
    paradox->solution[paradox->solutions++] = (scree_motion_solution){
        .kind = kind,
        .force = { normal, tangential },
        .end = { normal, tangential },
        .acceleration = { W[0] * normal + W[1] * tangential + free[0],
                          W[2] * normal + W[3] * tangential + free[1] },
    };
}

static void solve_sliding(double tolerance, scree_paradox *paradox) {
    double share = copysign(paradox->contact.friction, -paradox->contact.u_before[1]);
    double coupling = share * paradox->W[1], A = paradox->W[0] + coupling;
    if (fabs(A) <= tolerance * (paradox->W[0] + fabs(coupling))) A = 0;
    double B = paradox->acceleration[0];
    paradox->A = A;
    paradox->B = B;
    bool any = A == 0 && B == 0;
    if (B >= 0 && !any)
        add_solution(paradox, B > 0 ? SCREE_MOTION_TAKE_OFF : SCREE_MOTION_GRAZES, 0, 0);
    if (A * B < 0) {
        double force = -B / A;
        add_solution(paradox, SCREE_MOTION_SLIDES, force, share * force);
        paradox->solution[paradox->solutions - 1].acceleration[0] = 0;
    }
    if (any) {
        add_solution(paradox, SCREE_MOTION_SLIDES, 0, 0);
        paradox->solution[0].family = true;
        paradox->solution[0].end[0] = HUGE_VAL;
        paradox->solution[0].end[1] = copysign(HUGE_VAL, share);
    }
}

static scree_motion_kind kind_of(int pattern, const double s[2], double small) {
    if (pattern == SCREE_PATTERN_OPEN)
        return s[0] > small ? SCREE_MOTION_TAKE_OFF : SCREE_MOTION_GRAZES;
    if (pattern == SCREE_PATTERN_STICK || fabs(s[1]) <= small) return SCREE_MOTION_STICKS;
    return s[1] > 0 ? SCREE_MOTION_SLIPS_PLUS : SCREE_MOTION_SLIPS_MINUS;
}

static void take_solution(const scree_solution *found, double small, scree_paradox *paradox) {
    add_solution(paradox, SCREE_MOTION_STICKS, found->vertex[0], found->vertex[1]);
    scree_motion_solution *solution = &paradox->solution[paradox->solutions - 1];
    solution->kind = kind_of(found->pattern[0], solution->acceleration, small);
    solution->family = found->freedom > 0;
    for (int k = 0; k < 2 && found->vertices > 1; k++) solution->end[k] = found->vertex[2 + k];
    for (int k = 0; k < 2 && found->rays; k++)
        if (found->ray[k] != 0) solution->end[k] = copysign(HUGE_VAL, found->ray[k]);
}

static scree_status solve_at_rest(double tolerance, scree_paradox *paradox, scree_error *err) {
    static const int row[2] = { 0, 1 }, first[1] = { 0 };
    const scree_problem problem = { .contacts = 1,
                                    .dimension = 2,
                                    .row = row,
                                    .column = first,
                                    .diagonal = first,
                                    .block = paradox->W,
                                    .b = paradox->acceleration,
                                    .mu = &paradox->contact.friction };
    double slack = fmin(fmax(tolerance, 1e-13), 1e-6);  // what the enumeration allows
    double small = 100 * slack * hypot(paradox->acceleration[0], paradox->acceleration[1]);
    scree_solution_set set = { 0 };
    scree_status status = scree_solve_all(&problem, slack, &set, err);
    paradox->A = paradox->B = NAN;
    for (int i = 0; !status && i < set.solutions && i < SCREE_MOTIONS_MAX; i++)
        take_solution(&set.solution[i], small, paradox);
    scree_solution_set_free(&set);
    return status;
}

static void count_solutions(scree_paradox *paradox) {
    paradox->count = paradox->solutions;
    for (int i = 0; i < paradox->solutions; i++)
        if (paradox->solution[i].family) paradox->count = -1;
    paradox->verdict = paradox->count == 0   ? SCREE_INCONSISTENT
                       : paradox->count == 1 ? SCREE_CONSISTENT
                                             : SCREE_INDETERMINATE;
}

static scree_status solve(double tolerance, scree_paradox *paradox, scree_error *err) {
    scree_status status = SCREE_OK;
    if (paradox->slides)
        solve_sliding(tolerance, paradox);
    else
        status = solve_at_rest(tolerance, paradox, err);
    count_solutions(paradox);
    return status;
}

scree_status scree_paradox_find(const scree_model *model, double tolerance, scree_paradox *paradox,
                                scree_error *err) {
    *paradox = (scree_paradox){ 0 };
    scree_status status = check_model(model, tolerance, err);
    if (status) return status;
    // contacts are found as a step would find them; the step itself is never taken
    scree_scheme_options scheme = scree_scheme_options_default();
    scree_solver_options solver = scree_solver_options_default();
    scheme.step = 1e-6;
    scree_stepper *stepper = NULL;
    int i = 0;
    status = scree_stepper_new(model, &scheme, &solver, &stepper, err);
    if (!status) status = find_closed(stepper, &i, err);
    if (!status) {
        const scree_contact *contact = &stepper->set.contact[i];
        status = check_contact(contact, scree_model_side_name(model, contact->a),
                               scree_model_side_name(model, contact->b), speed_of(stepper, i),
                               paradox, err);
    }
    if (!status) status = find_accelerations(stepper, i, tolerance, paradox, err);
    scree_stepper_free(stepper);
    return status ? status : solve(tolerance, paradox, err);
}

// -------------------------------------------------------------------------------------------------
// a mechanism

static scree_status find_closed_of(const scree_small_system *small, const scree_evaluation *view,
                                   int *found, scree_error *err) {
    int closed = 0;
    char room[16];
    double nearest = HUGE_VAL;
    for (int c = 0; c < small->contacts; c++) {
        // coordinates that are zero count as one: angles are made of turns, lengths of lengths
        double size = fabs(view->gap[c]);
        for (int i = 0; i < view->n; i++)
            size += fabs(view->H[c][0][i]) * fmax(1, fabs(small->position[i]));
        nearest = fmin(nearest, view->gap[c]);
        if (view->gap[c] < -closed_slack * size)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "contact %s penetrates by %.6g at the start",
                              small->name(small->self, c, room), -view->gap[c]);
        if (view->gap[c] <= closed_slack * size && !closed++) *found = c;
    }
    return want_one(closed, nearest, err);
}

scree_status scree_paradox_find_mechanism(const scree_mechanism_def *mechanics, double tolerance,
                                          scree_paradox *paradox, scree_error *err) {
    *paradox = (scree_paradox){ 0 };
    scree_mechanism_system system;
    scree_small_system small;
    scree_evaluation view;
    int c = 0;
    scree_status status = check_tolerance(tolerance, err);
    if (!status && mechanics->moving)
        status = scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                            "paradoxes are found of mechanisms whose obstacles stand still");
    if (!status) status = scree_mechanism_system_make(mechanics, 0, &system, &small, err);
    if (status) return status;
    scree_small_system_evaluate(&small, 0, mechanics->position, mechanics->velocity, &view);
    status = find_closed_of(&small, &view, &c, err);
    if (status) return status;
    const scree_contact contact = { .id = scree_contact_id_pack(SCREE_SOURCE_FORMULAS, (uint64_t)c,
                                                                0, 0),
                                    .a = -1,
                                    .b = -2 - c,
                                    .gap = view.gap[c],
                                    .u_before = { view.u[c][0], view.u[c][1] },
                                    .restitution = small.restitution[c],
                                    .friction = small.friction[c] };
    char room[SCREE_EVENT_NAME];
    status = check_contact(&contact, "the mechanism", small.name(small.self, c, room),
                           view.speed[c], paradox, err);
    if (status) return status;
    for (int k = 0; k < 2; k++) {
        paradox->acceleration[k] = view.du[c][k];
        for (int l = 0; l < 2; l++) paradox->W[2 * k + l] = view.W[2 * c + k][2 * c + l];
    }
    round_accelerations(tolerance, view.scale[c], paradox);
    return solve(tolerance, paradox, err);
}

// -------------------------------------------------------------------------------------------------
// what the schemes do

// the contact that bears most, or the one with the smallest gap
static const scree_contact *foremost(const scree_step_record *record) {
    const scree_contact *best = NULL;
    for (int i = 0; i < record->contacts; i++) {
        const scree_contact *contact = &record->contact[i];
        bool more = !best || contact->impulse[0] > best->impulse[0] ||
                    (contact->impulse[0] == best->impulse[0] && contact->gap < best->gap);
        if (more) best = contact;
    }
    return best;
}

static void note(const scree_step_record *record, int step, scree_trial *trial) {
    const scree_contact *contact = foremost(record);
    bool bears = contact && contact->impulse[0] > 0;
    if (!contact || (step > 1 && !bears)) return;
    trial->step = bears ? step : 0;
    trial->contact = contact->status;
    memcpy(trial->impulse, contact->impulse, sizeof trial->impulse);
    memcpy(trial->before, contact->u_before, sizeof trial->before);
    memcpy(trial->after, contact->u_after, sizeof trial->after);
}

scree_status scree_paradox_try(const scree_model *model, const scree_scheme_options *scheme,
                               const scree_solver_options *solver, scree_trial *trial,
                               scree_error *err) {
    scree_stepper *stepper = NULL;
    *trial = (scree_trial){ .h = scheme->step };
    scree_status status = scree_stepper_new(model, scheme, solver, &stepper, err);
    for (int step = 1; !status && !trial->step && step <= SCREE_TRIAL_STEPS; step++) {
        trial->status = scree_stepper_advance(stepper, err);
        if (trial->status == SCREE_UNCONVERGED) break;  // an answer, not a failure
        status = trial->status;
        if (!status) note(scree_stepper_record(stepper), step, trial);
    }
    scree_stepper_free(stepper);
    return status;
}

scree_outcome scree_paradox_outcome(const scree_trial *coarse, const scree_trial *fine) {
    if (coarse->status || fine->status) return SCREE_OUTCOME_REFUSED;
    double large = hypot(coarse->impulse[0], coarse->impulse[1]);
    double small = hypot(fine->impulse[0], fine->impulse[1]);
    if (small == 0 && large == 0) return SCREE_OUTCOME_FREE;
    if (small == 0 || large == 0) return SCREE_OUTCOME_UNCLEAR;
    return small > 0.5 * large ? SCREE_OUTCOME_IMPACT : SCREE_OUTCOME_FORCE;
}
