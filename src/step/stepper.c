// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// stepper.c - one step of moreau-jean and moreau-jean-fremond; scree_stepper_advance is the
// engine's table of contents.
// in: model, state.   out: next state, contacts, report.   work: an arena that is empty in between.

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/dense.h"
#include "model/inertia.h"
#include "scree/step.h"
#include "step/contacts.h"

struct scree_stepper {
    const scree_model *model;
    scree_scheme_options scheme;
    scree_solver_options solver;
    scree_arena arena;    // lives as long as the stepper
    scree_arena scratch;  // emptied by each step
    scree_inertia inertia;
    scree_contact_set set;
    scree_step_record record;
    double *free_velocity, *load, *load_next, *work, *place;  // (dofs)
    bool load_known;                                          // load is F at the current time
    bool varies;                                              // does any load depend on t?
};

// Tolerances of the activation rule, relative to the numbers compared (docs/theory.md). The solver
// leaves u_N of a resting contact with an error of its tolerance, and the gap adds these errors up:
// both slacks must be larger, or resting contacts are lost.
static double velocity_slack(const scree_stepper *stepper) {
    return fmax(1e-9, 10 * stepper->solver.tolerance);
}
static double gap_slack(const scree_stepper *stepper) {
    return fmax(1e-6, 100 * stepper->solver.tolerance);  // of the way in a step
}
static const double rounding_slack = 64 * DBL_EPSILON;  // of the lengths that make the gap

scree_scheme_options scree_scheme_options_default(void) {
    return (scree_scheme_options){
        .name = SCREE_MOREAU_JEAN_FREMOND,
        .theta = 0.5,
        .step = NAN,
        .activation = SCREE_ACTIVATE_PREDICTED,
        .approach = SCREE_APPROACH_AUTO,
        .jacobian = SCREE_JACOBIAN_START,
        .gap_tolerance = NAN,
        .velocity_tolerance = NAN,
    };
}

const char *scree_scheme_name(scree_scheme scheme) {
    return scheme == SCREE_MOREAU_JEAN ? "moreau-jean" : "moreau-jean-fremond";
}

const char *scree_contact_status_name(scree_contact_status status) {
    static const char *const name[] = { "inactive", "open", "stick", "slip" };
    return name[status];
}

static scree_status check_options(const scree_scheme_options *scheme,
                                  const scree_solver_options *solver, scree_error *err) {
    if (!(scheme->theta >= 0.5 && scheme->theta <= 1))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "theta must be between 1/2 and 1, got %g", scheme->theta);
    if (!(scheme->step > 0 && isfinite(scheme->step)))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the step must be positive, got %g",
                          scheme->step);
    if (scheme->gap_tolerance < 0 || scheme->velocity_tolerance < 0)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "tolerances must not be negative");
    if (!(solver->tolerance > 0) || solver->max_sweeps < 1)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the solver needs a positive tolerance and at least one sweep");
    return SCREE_OK;
}

static bool loads_vary(const scree_model *model) {
    for (int i = 0; i < model->bodies; i++)
        for (int k = 0; k < 3; k++)
            if (model->body[i].force[k].at) return true;
    for (int i = 0; i < model->system.coordinates; i++)
        if (model->system.load[i].at) return true;
    return false;
}

static void start(scree_stepper *stepper) {
    const scree_model *model = stepper->model;
    scree_state *state = &stepper->record.after;
    for (int i = 0; i < model->bodies; i++) {
        const scree_body *body = &model->body[i];
        const double q[3] = { body->position[0], body->position[1], body->angle };
        const double v[3] = { body->velocity[0], body->velocity[1], body->spin };
        memcpy(state->q + 3 * (long)i, q, sizeof q);
        memcpy(state->v + 3 * (long)i, v, sizeof v);
    }
    for (int j = 0; j < model->system.coordinates; j++) {
        state->q[3 * model->bodies + j] = model->system.position[j];
        state->v[3 * model->bodies + j] = model->system.velocity[j];
    }
}

const scree_step_record *scree_stepper_look(scree_stepper *stepper) {
    scree_contact_set *set = &stepper->set;
    const scree_state *state = &stepper->record.after;
    scree_contacts_approach(stepper->model, state->q, set);
    scree_contacts_locate(stepper->model, state->q, state->time, set);
    scree_contacts_obstacles(stepper->model, state->time, state->time, set);
    for (int i = 0; i < set->count; i++) {
        scree_contact *contact = &set->contact[i];
        contact->gap_after = contact->gap;
        memcpy(contact->impulse, set->wanted + 3 * (long)i, sizeof contact->impulse);
        contact->status = contact->impulse[0] > 0 ? SCREE_CONTACT_STICK : SCREE_CONTACT_INACTIVE;
        scree_assemble_apply(&set->rows[i], &stepper->inertia, stepper->model->dimension, state->v,
                             contact->w_after, contact->u_after);
        memcpy(contact->u_before, contact->u_after, sizeof contact->u_before);
    }
    set->near_known = true;
    stepper->record.contacts = set->count;
    stepper->record.contact = set->contact;
    stepper->record.active = 0;
    return &stepper->record;
}

static scree_status allocate(scree_stepper *stepper, scree_error *err) {
    const scree_model *model = stepper->model;
    double **vectors[] = { &stepper->record.before.q,
                           &stepper->record.before.v,
                           &stepper->record.after.q,
                           &stepper->record.after.v,
                           &stepper->free_velocity,
                           &stepper->load,
                           &stepper->load_next,
                           &stepper->work,
                           &stepper->place };
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        if (!(*vectors[i] = SCREE_NEW(&stepper->arena, double, model->dofs)))
            return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE,
                              "out of memory for %d degrees of freedom", model->dofs);
    scree_status status = scree_inertia_make(model, stepper->scheme.step, stepper->scheme.theta,
                                             &stepper->arena, &stepper->inertia, err);
    if (status) return status;
    return scree_contacts_make(model, &stepper->scheme, &stepper->arena, &stepper->set, err);
}

scree_status scree_stepper_new(const scree_model *model, const scree_scheme_options *scheme,
                               const scree_solver_options *solver, scree_stepper **stepper,
                               scree_error *err) {
    *stepper = NULL;
    scree_status status = check_options(scheme, solver, err);
    if (status) return status;
    scree_stepper *made = calloc(1, sizeof *made);
    if (!made) return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory");
    made->model = model;
    made->scheme = *scheme;
    made->solver = *solver;
    if (made->scheme.approach == SCREE_APPROACH_AUTO)
        made->scheme.approach = scheme->activation == SCREE_ACTIVATE_HALF ? SCREE_APPROACH_IGNORED
                                                                          : SCREE_APPROACH_REQUIRED;
    made->varies = loads_vary(model);
    status = allocate(made, err);
    if (status) {
        scree_stepper_free(made);
        return status;
    }
    made->record.h = scheme->step;
    start(made);
    scree_closeness_place(model, made->record.after.q, true, made->set.placed);
    scree_stepper_look(made);
    *stepper = made;
    return SCREE_OK;
}

void scree_stepper_free(scree_stepper *stepper) {
    if (!stepper) return;
    scree_arena_free(&stepper->arena);
    scree_arena_free(&stepper->scratch);
    free(stepper);
}

const scree_state *scree_stepper_state(const scree_stepper *stepper) {
    return &stepper->record.after;
}

const scree_step_record *scree_stepper_record(const scree_stepper *stepper) {
    return &stepper->record;
}

scree_status scree_stepper_restore(scree_stepper *stepper, const scree_state *state,
                                   const scree_contact *contact, int contacts, scree_error *err) {
    size_t size = (size_t)stepper->model->dofs * sizeof *state->q;
    scree_contact_set *set = &stepper->set;
    memset(set->wanted, 0, 3 * (size_t)set->count * sizeof *set->wanted);
    for (int i = 0; i < contacts; i++) {
        int at = 0;
        while (at < set->count &&
               (set->contact[at].id != contact[i].id || set->contact[at].a != contact[i].a))
            at++;
        if (at == set->count)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "the stored contact %llu is not in this model",
                              (unsigned long long)contact[i].id);
        memcpy(set->wanted + 3 * (size_t)at, contact[i].impulse, sizeof contact[i].impulse);
    }
    scree_state *after = &stepper->record.after;
    after->step = state->step;
    after->time = (double)state->step * stepper->scheme.step;
    memcpy(after->q, state->q, size);
    memcpy(after->v, state->v, size);
    stepper->load_known = false;
    scree_stepper_look(stepper);
    return SCREE_OK;
}

// F at both ends of the step; loads that do not vary are looked up once
static void find_loads(scree_stepper *stepper) {
    if (!stepper->load_known)
        scree_inertia_load(stepper->model, stepper->record.before.time, stepper->load);
    if (stepper->varies || !stepper->load_known)
        scree_inertia_load(stepper->model, stepper->record.after.time, stepper->load_next);
    stepper->load_known = true;
}

// h F_theta of one degree of freedom
static double load_impulse(const scree_stepper *stepper, int i) {
    double theta = stepper->scheme.theta;
    return stepper->scheme.step * ((1 - theta) * stepper->load[i] + theta * stepper->load_next[i]);
}

// Mhat (v_free - v) = h (F_theta - C v - K (q + h theta v)) for the matrix system
static void free_system(scree_stepper *stepper) {
    const scree_model *model = stepper->model;
    int n = model->system.coordinates, behind = 3 * model->bodies;
    double h = stepper->scheme.step, theta = stepper->scheme.theta;
    const double *q = stepper->record.before.q + behind, *v = stepper->record.before.v + behind;
    double *change = stepper->free_velocity + behind, *middle = stepper->work,
           *product = stepper->place;
    for (int i = 0; i < n; i++) middle[i] = q[i] + h * theta * v[i];
    for (int i = 0; i < n; i++) change[i] = model->loaded ? load_impulse(stepper, behind + i) : 0;
    scree_dense_product(model->system.stiffness, n, middle, product);
    for (int i = 0; i < n; i++) change[i] -= h * product[i];
    scree_dense_product(model->system.damping, n, v, product);
    for (int i = 0; i < n; i++) change[i] -= h * product[i];
    scree_inertia_solve(&stepper->inertia.part[model->bodies], change);
    for (int i = 0; i < n; i++) change[i] += v[i];
}

// state -> velocity without contact
static void find_free_velocity(scree_stepper *stepper) {
    const scree_model *model = stepper->model;
    const double *v = stepper->record.before.v;
    double *out = stepper->free_velocity, h = stepper->scheme.step;
    if (model->loaded) find_loads(stepper);
    for (int i = 0; i < model->bodies; i++) {
        const double *inverse = stepper->inertia.part[i].inverse;
        bool falls = !model->body[i].fixed;
        for (int k = 0; k < 3; k++) {
            double change = model->loaded ? inverse[k] * load_impulse(stepper, 3 * i + k) : 0;
            if (falls && k < 2) change += h * model->gravity[k];
            out[3 * i + k] = v[3 * i + k] + change;
        }
    }
    if (model->system.coordinates) free_system(stepper);
}

// the size of the numbers from which a contact's velocities are made, with v and another vector
static double speed_of(const scree_stepper *stepper, int i, const double *other) {
    const scree_jacobian_rows *rows = &stepper->set.rows[i];
    const scree_contact *contact = &stepper->set.contact[i];
    double most = 0;
    for (int r = 0; r < stepper->model->dimension; r++) {
        double size = fabs(contact->w_before[r]) + fabs(contact->w_after[r]);
        for (int k = 0; k < rows->blocks; k++) {
            const scree_part *part = &stepper->inertia.part[rows->block[k].part];
            const double *H = rows->block[k].H + (long)r * part->width;
            const double *v = stepper->record.before.v + part->dof, *w = other + part->dof;
            for (int j = 0; j < part->width; j++) size += fabs(H[j]) * (fabs(v[j]) + fabs(w[j]));
        }
        if (size > most) most = size;
    }
    return most;
}

// state -> contacts: gaps, frames and H where the scheme wants them, and u before the step
static void find_contacts(scree_stepper *stepper) {
    const scree_model *model = stepper->model;
    const scree_state *before = &stepper->record.before;
    scree_contact_set *set = &stepper->set;
    double h = stepper->scheme.step, theta = stepper->scheme.theta;

    const double *place = before->q;
    double time = before->time;
    if (stepper->scheme.jacobian == SCREE_JACOBIAN_FREE_END) {
        for (int i = 0; i < model->dofs; i++)
            stepper->place[i] =
                before->q[i] + h * ((1 - theta) * before->v[i] + theta * stepper->free_velocity[i]);
        place = stepper->place;
        time = stepper->record.after.time;
        set->near_known = false;
    }
    if (!set->near_known) scree_contacts_approach(model, place, set);
    scree_contacts_locate(model, place, time, set);
    scree_contacts_obstacles(model, before->time, stepper->record.after.time, set);
    for (int i = 0; i < set->count; i++) {
        scree_contact *contact = &set->contact[i];
        scree_assemble_apply(&set->rows[i], &stepper->inertia, model->dimension, before->v,
                             contact->w_before, contact->u_before);
        contact->speed = 0;
    }
}

// can the pair not come close within the step, whatever its shapes do on the way?
static bool out_of_reach(const scree_stepper *stepper, int i) {
    const scree_model *model = stepper->model;
    if (i >= model->pairs || stepper->scheme.jacobian != SCREE_JACOBIAN_START) return false;
    if (!isnan(stepper->scheme.gap_tolerance)) return false;
    const scree_shape *a = &model->shape[model->pair[i].a], *b = &model->shape[model->pair[i].b];
    const double *velocity[2] = { stepper->record.before.v, stepper->free_velocity };
    double reach = 0, gap = stepper->set.contact[i].gap;
    for (int k = 0; k < 2; k++)
        reach += scree_closeness_reach(model, a, velocity[k], stepper->scheme.step) +
                 scree_closeness_reach(model, b, velocity[k], stepper->scheme.step);
    // twice the way is more than the way and the slacks of is_active together
    return gap > 2 * reach && gap > 1e-9 * stepper->set.magnitude[i];
}

// the gap that the activation rule asks for
static double rule_gap(scree_stepper *stepper, int i, bool *placed, double *magnitude) {
    const scree_model *model = stepper->model;
    const scree_state *before = &stepper->record.before;
    double h = stepper->scheme.step;
    bool linear = stepper->scheme.activation != SCREE_ACTIVATE_PREDICTED;
    if (!*placed) {
        for (int k = 0; k < model->dofs; k++)
            stepper->work[k] = before->q[k] + (linear ? 0 : h * before->v[k]);
        scree_closeness_place(model, stepper->work, false, stepper->set.placed);
        *placed = true;
    }
    double time = linear ? before->time : stepper->record.after.time;
    double gap = scree_contacts_gap(model, &stepper->set, i, stepper->work, time, magnitude);
    double share = stepper->scheme.activation == SCREE_ACTIVATE_HALF ? h / 2 : h;
    return linear ? gap + share * stepper->set.contact[i].u_before[0] : gap;
}

static bool is_active(scree_stepper *stepper, int i, bool *placed) {
    const scree_scheme_options *scheme = &stepper->scheme;
    scree_contact *contact = &stepper->set.contact[i];
    if (out_of_reach(stepper, i)) return false;
    contact->speed = speed_of(stepper, i, stepper->free_velocity);
    double most = isnan(scheme->velocity_tolerance) ? velocity_slack(stepper) * contact->speed
                                                    : scheme->velocity_tolerance;
    if (scheme->approach == SCREE_APPROACH_REQUIRED && !(contact->u_before[0] <= most))
        return false;
    double magnitude, gap = rule_gap(stepper, i, placed, &magnitude);
    double near = rounding_slack * magnitude + gap_slack(stepper) * scheme->step * contact->speed;
    return gap <= (isnan(scheme->gap_tolerance) ? near : scheme->gap_tolerance);
}

static void activate_contacts(scree_stepper *stepper) {
    scree_contact_set *set = &stepper->set;
    bool placed = false;
    set->active_count = 0;
    for (int i = 0; i < set->count; i++) {
        scree_contact *contact = &set->contact[i];
        contact->status = SCREE_CONTACT_INACTIVE;
        for (int k = 0; k < 3; k++) contact->impulse[k] = 0;
        if (is_active(stepper, i, &placed)) set->active[set->active_count++] = i;
    }
}

// contacts -> problem: W, b = u_free + (e u_N, tau u_T), mu
static scree_status assemble(scree_stepper *stepper, double **impulse, double **law_velocity,
                             scree_error *err) {
    const scree_model *model = stepper->model;
    scree_contact_set *set = &stepper->set;
    scree_problem *problem = &stepper->record.problem;
    int nc = set->active_count, d = model->dimension;
    *problem = (scree_problem){ .dimension = d };
    if (nc == 0) return SCREE_OK;
    scree_jacobian_rows *rows = SCREE_NEW(&stepper->scratch, scree_jacobian_rows, nc);
    double *b = SCREE_NEW(&stepper->scratch, double, nc *d);
    double *mu = SCREE_NEW(&stepper->scratch, double, nc);
    *impulse = SCREE_NEW(&stepper->scratch, double, nc *d);
    *law_velocity = SCREE_NEW(&stepper->scratch, double, nc *d);
    if (!rows || !b || !mu || !*impulse || !*law_velocity)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE,
                          "out of memory for a problem of %d contacts", nc);
    for (int i = 0; i < nc; i++) {
        const scree_contact *contact = &set->contact[set->active[i]];
        rows[i] = set->rows[set->active[i]];
        scree_assemble_apply(&rows[i], &stepper->inertia, d, stepper->free_velocity,
                             contact->w_after, b + (long)i * d);
        for (int k = 0; k < d; k++)
            b[i * d + k] +=
                contact->u_before[k] * (k ? contact->tangential_restitution : contact->restitution);
        mu[i] = contact->friction;
        memcpy(*impulse + (long)i * d, set->wanted + 3 * (long)set->active[i],
               (size_t)d * sizeof **impulse);
    }
    scree_status status =
        scree_assemble_W(rows, nc, d, &stepper->inertia, &stepper->scratch, problem, err);
    if (status) return status;
    problem->b = b;
    problem->mu = mu;
    return SCREE_OK;
}

// which case of the law a solved contact is in; on the cone's boundary and sliding is slip
static scree_contact_status status_of(const scree_contact *contact, const double *s, int d,
                                      double tolerance) {
    const double *p = contact->impulse;
    double tangential = d == 2 ? fabs(p[1]) : hypot(p[1], p[2]);
    double sliding = d == 2 ? fabs(s[1]) : hypot(s[1], s[2]);
    if (p[0] <= 0) return SCREE_CONTACT_OPEN;
    if (contact->friction == 0) return SCREE_CONTACT_SLIP;  // nothing holds it
    bool edge = tangential >= (1 - 1e-9) * contact->friction * p[0];
    bool slides = sliding > fmax(tolerance, 1e-12) * contact->speed;
    return edge && slides ? SCREE_CONTACT_SLIP : SCREE_CONTACT_STICK;
}

// impulses -> next state
static void apply(scree_stepper *stepper, const double *impulse) {
    scree_contact_set *set = &stepper->set;
    scree_state *after = &stepper->record.after;
    const scree_state *before = &stepper->record.before;
    int n = stepper->model->dofs, d = stepper->model->dimension;
    double h = stepper->scheme.step, theta = stepper->scheme.theta;

    // v' = v_free + Mhat^-1 H^T p,   q' = q + h v_theta
    memcpy(after->v, stepper->free_velocity, (size_t)n * sizeof *after->v);
    if (set->active_count) {
        memset(stepper->work, 0, (size_t)n * sizeof *stepper->work);
        for (int i = 0; i < set->active_count; i++)
            scree_assemble_scatter(&set->rows[set->active[i]], &stepper->inertia, d,
                                   impulse + (long)i * d, stepper->work);
        for (int k = 0; k < stepper->inertia.parts; k++)
            scree_inertia_solve(&stepper->inertia.part[k],
                                stepper->work + stepper->inertia.part[k].dof);
        for (int i = 0; i < n; i++) after->v[i] += stepper->work[i];
    }
    for (int i = 0; i < n; i++)
        after->q[i] = before->q[i] + h * ((1 - theta) * before->v[i] + theta * after->v[i]);

    // u' of every contact by the step's own H, and the gap where the next step begins
    double magnitude;
    scree_contacts_approach(stepper->model, after->q, set);
    set->near_known = true;
    for (int i = 0; i < set->count; i++) {
        scree_contact *contact = &set->contact[i];
        contact->gap_after =
            i < stepper->model->pairs
                ? set->near[i].gap
                : scree_contacts_gap(stepper->model, set, i, after->q, after->time, &magnitude);
        scree_assemble_apply(&set->rows[i], &stepper->inertia, d, after->v, contact->w_after,
                             contact->u_after);
    }
    for (int i = 0; i < set->active_count; i++) {
        scree_contact *contact = &set->contact[set->active[i]];
        double speed = speed_of(stepper, set->active[i], after->v);
        if (speed > contact->speed) contact->speed = speed;
        memcpy(contact->impulse, impulse + (long)i * d, (size_t)d * sizeof *impulse);
        contact->status = status_of(contact, stepper->record.law_velocity + (long)i * d, d,
                                    stepper->solver.tolerance);
    }
}

// the step counts: remember what the next one needs
static void commit(scree_stepper *stepper) {
    scree_contact_set *set = &stepper->set;
    for (int i = 0; i < set->count; i++)
        memcpy(set->wanted + 3 * (long)i, set->contact[i].impulse, sizeof set->contact[i].impulse);
    double *swap = stepper->load;
    if (stepper->varies) {
        stepper->load = stepper->load_next;
        stepper->load_next = swap;
    }
}

static void begin(scree_stepper *stepper) {
    scree_state *before = &stepper->record.before, *after = &stepper->record.after, old = *before;
    *before = *after;
    after->q = old.q;
    after->v = old.v;
    after->step = before->step + 1;
    after->time = (double)after->step * stepper->scheme.step;
    scree_arena_release(&stepper->scratch, (scree_arena_mark){ 0 });
}

static void take_back(scree_stepper *stepper) {
    stepper->set.near_known = false;
    scree_state attempt = stepper->record.after;
    stepper->record.after = stepper->record.before;
    stepper->record.before = attempt;
}

// functions of time may give anything: name the one that does not give a number
static scree_status check_functions(const scree_stepper *stepper, scree_error *err) {
    const scree_model *model = stepper->model;
    const scree_state *after = &stepper->record.after;
    for (int i = 0; stepper->varies && i < model->dofs; i++) {
        if (isfinite(stepper->load[i]) && isfinite(stepper->load_next[i])) continue;
        int own = i - 3 * model->bodies;
        const char *name = own < 0 ? model->body[i / 3].name : "system";
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "step %lld at time %.9g: the load on %s, component %d, is not finite",
                          (long long)after->step, after->time, name, own < 0 ? i % 3 : own);
    }
    for (int c = 0; c < model->row_contacts; c++) {
        const scree_contact *contact = &stepper->set.contact[model->pairs + c];
        bool fine = isfinite(contact->gap);
        for (int k = 0; k < 3; k++)
            fine = fine && isfinite(contact->w_before[k]) && isfinite(contact->w_after[k]);
        if (!fine)
            return scree_fail(
                err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                "step %lld at time %.9g: gap or surface velocity of contact %s, or its "
                "rate, is not finite",
                (long long)after->step, after->time, model->row_contact[c].name);
    }
    return SCREE_OK;
}

static bool finite_state(const scree_state *state, int dofs) {
    for (int i = 0; i < dofs; i++)
        if (!isfinite(state->q[i]) || !isfinite(state->v[i])) return false;
    return true;
}

// Where there is no solution the solver proves it, and the step is refused; should it be accepted
// all the same, it is with what sweeps leave of the contradiction.
static scree_status solve_contradiction(scree_stepper *stepper, double *impulse, scree_error *err) {
    const scree_problem *problem = &stepper->record.problem;
    scree_solver_options options = stepper->solver;
    options.name = "nsgs";
    if (options.max_sweeps > 1000) options.max_sweeps = 1000;
    memset(impulse, 0, (size_t)problem->contacts * (size_t)problem->dimension * sizeof *impulse);
    scree_status status = scree_solve(problem, &options, impulse, &stepper->record.report, err);
    stepper->record.report.converged = false;
    stepper->record.report.reason = SCREE_STOP_INFEASIBLE;
    return status;
}

scree_status scree_stepper_advance(scree_stepper *stepper, scree_error *err) {
    scree_step_record *record = &stepper->record;
    double *impulse = NULL, *s = NULL;

    begin(stepper);
    find_free_velocity(stepper);  // state    -> free velocity
    find_contacts(stepper);       // state    -> contacts
    scree_status status = check_functions(stepper, err);
    if (!status) activate_contacts(stepper);                     // contacts -> active ones
    if (!status) status = assemble(stepper, &impulse, &s, err);  // contacts -> problem
    if (!status)                                                 // problem  -> impulses
        status = scree_solve(&record->problem, &stepper->solver, impulse, &record->report, err);
    if (!status && record->report.reason == SCREE_STOP_INFEASIBLE)
        status = solve_contradiction(stepper, impulse, err);
    if (status) {
        take_back(stepper);
        return status;
    }
    scree_problem_velocity(&record->problem, impulse, s);
    record->law_velocity = s;
    record->contacts = stepper->set.count;
    record->contact = stepper->set.contact;
    record->active = stepper->set.active_count;
    apply(stepper, impulse);  // impulses -> next state
    if (!finite_state(&record->after, stepper->model->dofs)) {
        take_back(stepper);
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "step %lld at time %.9g: the state is not finite any more",
                          (long long)record->before.step, record->before.time);
    }
    if (record->report.converged) {
        commit(stepper);
        return SCREE_OK;
    }
    take_back(stepper);
    return scree_fail(
        err, SCREE_UNCONVERGED, SCREE_NOWHERE,
        "step %lld at time %.9g with %d contacts: %s after %d iterations, residual %.3g "
        "(scaled %.3g), tolerance %.3g",
        (long long)record->before.step, record->before.time, record->active,
        scree_stop_reason_text(record->report.reason), record->report.iterations,
        record->report.residual.field, record->report.residual.scaled, stepper->solver.tolerance);
}

void scree_stepper_accept(scree_stepper *stepper) {
    assert(!stepper->record.report.converged);
    take_back(stepper);
    commit(stepper);
}
