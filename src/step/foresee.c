// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// foresee.c - open pairs that impacts of the step would close: solve, look where that leads, add
// them to the problem with the gap that they may use up, and solve again.
// in: contacts, active ones.   out: impulses with which nothing sinks in, more active contacts.
//
// A pair is added if it would sink in by more than a part of its size that nobody sees, with all of
// its points that are as near as what moves it can reach: a face that is added corner by corner
// takes a round for each. Bodies that impacts drive further than contacts were looked for are
// looked at again, once.
//
// Who will meet is asked of loose answers, each less so than the one before and begun with its
// impulses, as long as there is something to add. Pairs are added to these that come as near as the
// answer is wrong: one that does not close after all bears nothing and changes nothing. So the
// answer itself rarely finds another, and what it finds must be worth solving it once more.

#include <math.h>
#include <string.h>

#include "base/union_find.h"
#include "law/status.h"
#include "scree/joint.h"
#include "step/stepper.h"

enum { ROUNDS = 10 };

static const double loosest = 3e-2, loose = 1e-3;  // tolerances of answers that say who will meet,
static const double tightened = 0.3;               // from one to the next
static const double unseen = 5e-5;    // of the size of the smaller shape: added to a loose answer,
static const double bearable = 1e-3;  // and to the answer
// What a gap takes of a bounce is lost. A pair that bounces without loss has none to give: it is
// stopped where one sees it. The more a pair bounces the deeper it may go for one step instead.
static const double seen = 0.01;

typedef struct foresight {
    double wrong;           // by how much an answer may be, of velocities
    double deepest;         // that pairs may sink in, of the size of the smaller shape
    unsigned char *active;  // 1: in the problem, 2: to be added (contacts)
} foresight;

// what the impact of the next step would go on for, if the pair is left as fast as it is: not above
// 0
static double room_after(const scree_stepper *stepper, int i) {
    const scree_contact *contact = &stepper->set.contact[i];
    double on = scree_stepper_goes_on(stepper, contact);
    double u[SCREE_ROWS_MAX];
    if (on == 0) return 0;
    scree_contacts_velocity(&stepper->set, i, stepper->record.after.v, u);
    return on * stepper->scheme.step * fmin(u[0] + contact->w_after[0], 0);
}

// one pair, contacts first to last - 1
static void foresee_pair(scree_stepper *stepper, int first, int last, const foresight *how) {
    scree_contact_set *set = &stepper->set;
    unsigned char *active = how->active;
    double h = stepper->scheme.step, deepest = 0;
    for (int i = first; i < last; i++) {
        const scree_contact *contact = &set->contact[i];
        if (active[i] || contact->velocity_scale == 0) continue;  // far away
        double gap = scree_stepper_gap_ahead(stepper, i) + room_after(stepper, i) -
                     how->wrong * h * contact->velocity_scale;
        double most = how->deepest + contact->restitution * (seen - how->deepest);
        if (gap < -most * contact->size) deepest = fmax(deepest, contact->gap - gap);
    }
    for (int i = first; deepest > 0 && i < last; i++) {
        scree_contact *contact = &set->contact[i];
        if (active[i] || contact->velocity_scale == 0 || contact->gap > deepest) continue;
        contact->reserve = fmax(contact->gap, 0) / h;
        active[i] = 2;
    }
}

static void foresee_chunk(scree_stepper *stepper, int first, int last, void *with) {
    const scree_contact_set *set = &stepper->set;
    for (int i = first, end; i < last; i = end) {
        for (end = i + 1;
             end < last && scree_contact_id_same_pair(set->contact[i].id, set->contact[end].id);)
            end++;
        foresee_pair(stepper, i, end, with);
    }
}

// add what the velocities at the end would close; how many, or -1 when memory ran out
static int add_contacts(scree_stepper *stepper, foresight how) {
    scree_contact_set *set = &stepper->set;
    if (set->active_count == set->count) return 0;
    unsigned char *active = SCREE_NEW(&stepper->scratch, unsigned char, set->count);
    if (!active) return -1;
    how.active = active;
    for (int k = 0; k < set->active_count; k++) active[set->active[k]] = 1;
    scree_contacts_parallel_for_chunks(stepper, foresee_chunk, &how);
    int before = set->active_count;
    set->active_count = 0;
    for (int i = 0; i < set->count; i++)
        if (active[i]) set->active[set->active_count++] = i;
    return set->active_count - before;
}

// does a body go further than contacts were looked for?
static bool has_outrun(const scree_stepper *stepper) {
    const scree_model *model = stepper->model;
    const scree_contact_set *set = &stepper->set;
    double h = stepper->scheme.step;
    for (int n = 0, i; n < set->detection->live; n++) {
        i = set->detection->live_shape[n];
        if (!set->moves[i]) continue;
        const double *v = stepper->record.after.v + (long)set->owner[i] * model->body_dofs;
        double way = 0, turn = 0, far = set->detection->extent[i];
        for (int k = 0; k < model->space; k++) way += v[k] * v[k];
        for (int k = model->space; k < model->body_dofs; k++) turn += v[k] * v[k];
        way = h * (sqrt(way) + (turn > 0 ? sqrt(turn) * far : 0));
        if (way > set->detection->margin[i] + unseen * far) return true;
    }
    return false;
}

// the next round begins with the impulses of this one
static void remember(scree_stepper *stepper, const double *impulse) {
    scree_contact_set *set = &stepper->set;
    int d = stepper->model->dimension;
    for (int k = 0; k < set->active_count; k++)
        memcpy(set->warm_start + SCREE_ROWS_MAX * (size_t)set->active[k], impulse + (long)k * d,
               (size_t)d * sizeof *impulse);
}

static scree_status find_contacts_again(scree_stepper *stepper, scree_error *err) {
    double *w = SCREE_NEW(&stepper->scratch, double, stepper->model->dofs);
    if (!w) return scree_fail_memory(err, NULL);
    memcpy(w, stepper->record.after.v, (size_t)stepper->model->dofs * sizeof *w);
    scree_status status = scree_stepper_find_contacts(stepper, w, err);
    if (!status) scree_activate(stepper);
    return status;
}

// ---- theta of bodies

// what is in the problem and can have another theta: the number of a rigid body that moves, or -1
static int body_of(const scree_stepper *stepper, int side) {
    bool rigid = side >= 0 && side < stepper->model->bodies;
    if (!rigid) return -1;
    const unsigned char *mobility = stepper->set.mobility;  // NULL: there are no shapes
    bool moves =
        mobility ? mobility[side] == SCREE_DYNAMIC : scree_body_moves(&stepper->model->body[side]);
    return moves ? side : -1;
}

// the first of the bodies of contact i that moves, or -1
static int first_body(const scree_stepper *stepper, int i) {
    int side[SCREE_CONTACT_BODIES], sides = scree_contacts_bodies(&stepper->set, i, side);
    for (int s = 0; s < sides; s++)
        if (body_of(stepper, side[s]) >= 0) return side[s];
    return -1;
}

// does contact i join something that is no rigid body, and has the scheme's theta?
static bool has_marker(const scree_stepper *stepper, int i) {
    int side[SCREE_CONTACT_BODIES], sides = scree_contacts_bodies(&stepper->set, i, side);
    for (int s = 0; s < sides; s++)
        if (side[s] < SCREE_GROUND) return true;
    return false;
}

// bodies that contacts of the problem join, by the least number of them
static void find_islands(scree_stepper *stepper) {
    const scree_contact_set *set = &stepper->set;
    const scree_presence *here = &stepper->presence;
    int *island = stepper->island;
    for (int k = 0; k < here->count; k++) island[here->body[k]] = here->body[k];
    for (int k = 0; k < set->active_count; k++) {
        int side[SCREE_CONTACT_BODIES], sides = scree_contacts_bodies(set, set->active[k], side);
        int a = first_body(stepper, set->active[k]);
        for (int s = 0; a >= 0 && s < sides; s++) {
            int b = body_of(stepper, side[s]);
            if (b < 0) continue;
            a = scree_union_find_root(island, a);
            b = scree_union_find_root(island, b);
            island[a > b ? a : b] = a > b ? b : a;
        }
    }
}

// Where nothing bounces theta is 1: what rests is still, and impacts without restitution leave no
// way to go. What bounces wants 1/(1+e). The theorem asks that of contacts that move; to one that
// rests, or uses up its gap, any theta will do.
static double theta_of_contact(const scree_stepper *stepper, scree_contact *contact) {
    double slow = scree_law_velocity_slack(stepper->solver.tolerance) * contact->velocity_scale;
    if (!stepper->scheme.adapts || contact->a >= stepper->model->bodies)  // a node
        return stepper->scheme.theta;
    contact->rests =
        contact->reserve == 0 && (contact->rests || fabs(contact->u_before[0]) <= slow);
    double bounce = contact->rests || contact->reserve > 0 ? 0 : contact->restitution;
    return fmax(1 / (1 + bounce), stepper->scheme.theta);
}

static const double flying = 0.5;  // of second order

// bodies that contacts of the problem join have the theta of their island
static void find_island_thetas(scree_stepper *stepper, double *theta) {
    scree_contact_set *set = &stepper->set;
    const double none = 2;
    const scree_presence *here = &stepper->presence;
    int *island = stepper->island;
    for (int k = 0; k < here->count; k++) theta[here->body[k]] = none;
    find_islands(stepper);
    for (int k = 0; k < set->active_count; k++) {
        scree_contact *contact = &set->contact[set->active[k]];
        int body = first_body(stepper, set->active[k]);
        bool held = has_marker(stepper, set->active[k]);
        if (body < 0) continue;
        if (scree_contacts_row_law(set, set->active[k]) && !held) continue;  // joints fly too
        double *least = &theta[scree_union_find_root(island, body)];
        *least = fmin(*least, held ? stepper->scheme.theta : theta_of_contact(stepper, contact));
    }
    for (int k = here->count - 1, i; k >= 0; k--) {  // an island has the number of its first body
        i = here->body[k];
        double own = theta[scree_union_find_root(island, i)];
        theta[i] = own < none ? own : flying;
    }
}

// Nothing of the problem depends on bodies that are in no contact of it.
static void find_thetas(scree_stepper *stepper, double *theta) {
    scree_contact_set *set = &stepper->set;
    const scree_presence *here = &stepper->presence;
    for (int k = 0; k < here->count; k++) theta[here->body[k]] = flying;
    if (set->active_count) find_island_thetas(stepper, theta);
    for (int i = 0; i < set->count; i++) {
        scree_contact *contact = &set->contact[i];
        int body = first_body(stepper, i);
        contact->theta = body < 0 ? 0 : theta[body];
    }
}

static scree_status weigh(scree_stepper *stepper, scree_error *err) {
    const scree_presence *here = &stepper->presence;
    bool changed = false;
    double *theta = SCREE_NEW(&stepper->scratch, double, stepper->stage.come);
    if (!theta) return scree_fail_memory(err, NULL);
    find_thetas(stepper, theta);
    for (int k = 0, i; k < here->count; k++) {
        i = here->body[k];
        changed |= theta[i] != stepper->body_theta[i];
        stepper->body_theta[i] = theta[i];
    }
    if (!changed || !(stepper->loads_vary || stepper->refreshes)) return SCREE_OK;
    scree_status status = scree_free_velocity(stepper, err);
    if (!status) scree_contacts_update_velocities(stepper);
    return status;
}

// impulses of the contacts that are in the problem now; half: who looks at loose ones
static scree_status solve(scree_stepper *stepper, scree_halfway *half, double **impulse, double **s,
                          scree_error *err) {
    scree_solver_options asked = stepper->exact = stepper->solver;
    scree_status status = stepper->body_theta ? weigh(stepper, err) : SCREE_OK;
    if (status) return status;
    if (half && half->tolerance > asked.tolerance) {  // loose answers are the same in any units
        stepper->solver.tolerance = half->tolerance;
        stepper->solver.criterion = SCREE_CRITERION_SCALED;
        stepper->halfway = half;
    }
    status = scree_impulses_find(stepper, impulse, s, err);
    stepper->solver = asked;
    stepper->halfway = stepper->solver.workspace->halfway = NULL;
    return status;
}

// one look at where the impulses lead; added: contacts that are new in the problem
static scree_status find_closing(scree_stepper *stepper, const double *impulse, foresight how,
                                 bool *again, int *added, scree_error *err) {
    scree_status status = SCREE_OK;
    scree_impulses_move(stepper, impulse);
    bool outrun = !*again && stepper->set.detection && has_outrun(stepper);
    if (outrun)
        status = find_contacts_again(stepper, err);
    else
        remember(stepper, impulse);
    *again |= outrun;
    if (status) return status;
    *added = add_contacts(stepper, how);
    if (*added < 0)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d contacts",
                          stepper->set.count);
    *added += outrun;
    return SCREE_OK;
}

typedef struct closing {  // what loose impulses would close
    scree_stepper *stepper;
    bool *again;
    int added;
    scree_status status;
    scree_error *err;
} closing;

// scaled: the residual of these impulses; false: the problem has to be another one
static bool see_closing(void *with, const double *impulse, double scaled) {
    closing *now = with;
    const foresight how = { .wrong = fmin(scaled, loosest), .deepest = unseen };
    now->stepper->stage.glances = true;
    now->status = find_closing(now->stepper, impulse, how, now->again, &now->added, now->err);
    now->stepper->stage.glances = false;
    return !now->status && !now->added;
}

// is there a pair that is not in the problem and not far away?
static bool has_open(const scree_contact_set *set) {
    int near = 0;
    for (int i = 0; i < set->count; i++) near += set->contact[i].velocity_scale > 0;
    return near > set->active_count;
}

// A problem that was not solved is left for the one without pairs that were added, in which every
// contact may use up what gap it has: better a little sunk than refused.
static scree_status solve_without(scree_stepper *stepper, double **impulse, double **s,
                                  scree_error *err) {
    scree_contact_set *set = &stepper->set;
    set->matched = set->warm_started = 0;  // from the impulses of the last step again
    scree_contacts_warm_start(stepper->model, set);
    scree_activate(stepper);
    for (int i = 0; i < set->count; i++)
        set->contact[i].reserve = fmax(set->contact[i].gap, 0) / stepper->scheme.step;
    return solve(stepper, NULL, impulse, s, err);
}

// The engines are at their end: what they found may do all the same. What is left at joints does
// work with reactions that may be large.
static void take_worst(scree_stepper *stepper) {
    scree_report *report = &stepper->record.report;
    if (report->converged || !(stepper->solver.worst > 0)) return;
    bool fine = report->reason != SCREE_STOP_INFEASIBLE &&
                scree_residual_meets(report->residual, stepper->solver.worst);
    if (fine && stepper->model->joints)
        fine = report->residual.work <= stepper->solver.worst * scree_impulses_energy(stepper);
    report->converged = stepper->record.loosened = fine;
}

// what the answer of a round is good for: a loose one may happen to be the answer itself
static foresight foresight_of(const scree_stepper *stepper, bool first, bool exact) {
    double wrong = stepper->record.report.residual.scaled;
    return (foresight){ .wrong = exact ? 0 : fmin(wrong, loosest),
                        .deepest = first ? unseen : bearable };
}

scree_status scree_foresee_impulses(scree_stepper *stepper, double **impulse, double **s,
                                    scree_error *err) {
    scree_report *report = &stepper->record.report;
    bool foreseen = stepper->scheme.approach == SCREE_APPROACH_FORESEEN, again = false;
    bool first = foreseen && has_open(&stepper->set);
    double tolerance = loosest;
    int added = 0, iterations = 0;
    scree_status status = SCREE_OK;
    for (int round = 0; !status; round++) {
        closing found = { .stepper = stepper, .again = &again, .err = err };
        scree_halfway half = { .tolerance = tolerance, .look = see_closing, .with = &found };
        status = solve(stepper, first ? &half : NULL, impulse, s, err);
        iterations += report->iterations;
        if (!status) status = found.status;
        first = first && !(half.looked && !half.ended);  // it went on to what is exact
        if (status || !foreseen || round >= 2 * ROUNDS || (!first && !report->converged)) break;
        bool exact = !first || scree_residual_meets(report->residual, stepper->solver.tolerance);
        added = found.added;
        if (!half.ended)
            status = find_closing(stepper, *impulse, foresight_of(stepper, first, exact), &again,
                                  &added, err);
        if (!half.ended && exact && !added) {
            stepper->moved = true;
            break;
        }
        first = first && added && round < ROUNDS;
        tolerance = fmax(tightened * tolerance, loose);
    }
    if (!status) take_worst(stepper);
    if (!status && !report->converged && foreseen && stepper->set.active_count) {
        status = solve_without(stepper, impulse, s, err);
        iterations += report->iterations;
        if (!status) take_worst(stepper);
    }
    report->iterations = iterations;
    return status;
}
