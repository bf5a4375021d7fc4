// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// nscd.c - the NSCD algorithm of Klarbring's particle (its table 2), for any matrix system.
// in: matrices, state.   out: next state, record, account.   work: an arena emptied by each step.
//
//     M (v' - v) + h C v' + h K q_theta - h F_theta = H^T p,      q' = q + h v'
//
// so that Mt v' = M v - h K q + h F_theta + H^T p with Mt = M + h C + h^2 theta K. A contact takes
// part if the motion without contacts would end in the obstacle, gap(q + h v_free) <= 0, and not
// leave it, u_N,free <= 0; then 0 <= u_N' _|_ p_N >= 0 with Coulomb's law on u_T'. For one contact
// that is the table's choice between free, slip each way and stick.
//
// Take the scalar product with h v' = q' - q to see the balance that the account books, exactly:
//
//     dE = h v'.F_theta - h v'.C v' + u'.p - w'.p
//          - |v' - v|_M^2 / 2 + (1/2 - theta) |q' - q|_K^2

#include "lab/nscd.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/dense.h"
#include "law/status.h"
#include "model/inertia.h"

static const double ROUNDING = 64 * DBL_EPSILON;  // of the numbers that gaps and velocities are of

struct scree_nscd {
    const scree_model *model;
    const scree_run_options *options;
    scree_arena arena, scratch;
    scree_step_record record;
    scree_contact *contact;  // (row contacts)
    int *active;             // those in the problem of the step
    double *factor;          // L of Mt (n x n)
    double *free;            // velocity without contact (n)
    double *load, *work;     // F_theta (n); (n)
    scree_ledger ledger;     // of the state, for the step after it
};

static scree_status no_memory(scree_error *err) {
    return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory");
}

static double dot(const double *x, const double *y, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

// row k of a contact's H, or NULL where it has fewer tangents than the problem
static const double *row_of(const scree_matrix_contact *row, int k, int n) {
    if (k == 0) return row->normal;
    return k <= row->tangents ? row->tangent + (size_t)(k - 1) * (size_t)n : NULL;
}

static scree_status check(const scree_model *model, const scree_scheme_options *scheme,
                          scree_error *err) {
    scree_status status = scree_model_check_mass(model, "nscd is", err);
    if (status) return status;
    if (model->bodies || model->elastics || !model->system.coordinates)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "nscd is for systems given by their matrices: there are bodies");
    if (!(scheme->theta >= 0.5 && scheme->theta <= 1))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "theta must be between 1/2 and 1, got %g", scheme->theta);
    if (!(scheme->step > 0 && isfinite(scheme->step)))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the step must be positive, got %g",
                          scheme->step);
    for (int c = 0; c < model->matrix_contacts; c++) {
        const scree_matrix_contact *row = &model->matrix_contact[c];
        if (row->law.impact == SCREE_IMPACT_FREMOND)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "contact %s: nscd has no impact law to choose; moreau-jean has",
                              row->name);
        if (row->law.restitution > 0)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "contact %s: nscd has no restitution, got %g; moreau-jean has",
                              row->name, row->law.restitution);
    }
    return SCREE_OK;
}

// -------------------------------------------------------------------------------------------------
// contacts of a state

static double gap_of(const scree_nscd *s, int c, const double *q, double t, double *size) {
    const scree_matrix_contact *row = &s->model->matrix_contact[c];
    double rate, gap = scree_function_at(&row->offset, t, &rate);
    *size = fabs(gap);
    for (int j = 0; j < s->model->system.coordinates; j++) {
        gap += row->normal[j] * q[j];
        *size += fabs(row->normal[j] * q[j]);
    }
    return gap;
}

// what the obstacle adds to u
static void obstacle(const scree_matrix_contact *row, double t, double *w) {
    double rate;
    memset(w, 0, SCREE_ROWS_MAX * sizeof *w);
    scree_function_at(&row->offset, t, &w[0]);
    for (int k = 0; k < row->tangents; k++)
        w[k + 1] = -scree_function_at(&row->surface[k], t, &rate);
}

static void velocity(const scree_nscd *s, int c, const double *v, const double *w, double *u) {
    int n = s->model->system.coordinates;
    memset(u, 0, SCREE_ROWS_MAX * sizeof *u);
    for (int k = 0; k < s->model->dimension; k++) {
        const double *row = row_of(&s->model->matrix_contact[c], k, n);
        u[k] = w[k] + (row ? dot(row, v, n) : 0);
    }
}

// the size of the numbers that u is made of
static double speed_of(const scree_nscd *s, int c) {
    int n = s->model->system.coordinates;
    const scree_contact *contact = &s->contact[c];
    const double *v = s->record.before.v;
    double most = 0;
    for (int k = 0; k < s->model->dimension; k++) {
        const double *row = row_of(&s->model->matrix_contact[c], k, n);
        double sum = fabs(contact->w_before[k]) + fabs(contact->w_after[k]);
        for (int j = 0; row && j < n; j++) sum += fabs(row[j]) * (fabs(v[j]) + fabs(s->free[j]));
        most = fmax(most, sum);
    }
    return most;
}

static void begin_contact(const scree_nscd *s, int c) {
    const scree_law *law = &s->model->matrix_contact[c].law;
    s->contact[c] =
        (scree_contact){ .id = scree_contact_id_pack(SCREE_SOURCE_ROWS, (uint64_t)c, 0, 0),
                         .a = -1,
                         .b = -2 - c,
                         .friction = law->friction };
}

// -------------------------------------------------------------------------------------------------
// the step

static void find_free(scree_nscd *s) {
    const scree_system *system = &s->model->system;
    int n = system->coordinates;
    double h = s->record.h, theta = s->options->scheme.theta;
    const scree_state *before = &s->record.before;
    scree_inertia_load(s->model, before->time, s->load);
    scree_inertia_load(s->model, s->record.after.time, s->work);
    for (int i = 0; i < n; i++) s->load[i] = (1 - theta) * s->load[i] + theta * s->work[i];
    scree_dense_product(system->mass, n, before->v, s->free);
    scree_dense_product(system->stiffness, n, before->q, s->work);
    for (int i = 0; i < n; i++) s->free[i] += h * (s->load[i] - s->work[i]);
    scree_dense_solve(s->factor, n, s->free);
}

// where contacts are, and which of them the free motion would end in
static void find_contacts(scree_nscd *s) {
    const scree_state *before = &s->record.before, *after = &s->record.after;
    int n = s->model->system.coordinates;
    double size, free[SCREE_ROWS_MAX];
    for (int i = 0; i < n; i++) s->work[i] = before->q[i] + s->record.h * s->free[i];
    s->record.active = 0;
    for (int c = 0; c < s->model->matrix_contacts; c++) {
        scree_contact *contact = &s->contact[c];
        const scree_matrix_contact *row = &s->model->matrix_contact[c];
        begin_contact(s, c);
        contact->gap = gap_of(s, c, before->q, before->time, &size);
        obstacle(row, before->time, contact->w_before);
        obstacle(row, after->time, contact->w_after);
        velocity(s, c, before->v, contact->w_before, contact->u_before);
        velocity(s, c, s->free, contact->w_after, free);
        contact->velocity_scale = speed_of(s, c);
        double end = gap_of(s, c, s->work, after->time, &size);
        if (end <= ROUNDING * size && free[0] <= ROUNDING * contact->velocity_scale)
            s->active[s->record.active++] = c;
    }
}

// functions of time may give anything
static scree_status check_functions(const scree_nscd *s, scree_error *err) {
    const scree_state *after = &s->record.after;
    for (int i = 0; i < s->model->system.coordinates; i++)
        if (!isfinite(s->load[i]))
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "step %lld at time %.9g: the load on system, component %d, is not "
                              "finite",
                              (long long)after->step, after->time, i);
    for (int c = 0; c < s->model->matrix_contacts; c++)
        if (!isfinite(s->contact[c].gap) || !isfinite(s->contact[c].velocity_scale))
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "step %lld at time %.9g: gap or surface velocity of contact %s, or "
                              "its rate, is not finite",
                              (long long)after->step, after->time,
                              s->model->matrix_contact[c].name);
    return SCREE_OK;
}

typedef struct tables {  // room for a problem of `active` contacts
    int *row, *column, *diagonal;
    double *block, *b, *mu, *p, *s;
    double *push;  // Mt^-1 times a row of H (n)
} tables;

static bool make_tables(scree_nscd *s, tables *t) {
    size_t nc = (size_t)s->record.active, d = (size_t)s->model->dimension;
    t->row = SCREE_NEW(&s->scratch, int, nc + 1);
    t->column = SCREE_NEW(&s->scratch, int, nc *nc);
    t->diagonal = SCREE_NEW(&s->scratch, int, nc);
    t->block = SCREE_NEW(&s->scratch, double, nc *nc *d *d);
    t->b = SCREE_NEW(&s->scratch, double, nc *d);
    t->mu = SCREE_NEW(&s->scratch, double, nc);
    t->p = SCREE_NEW(&s->scratch, double, nc *d);
    t->s = SCREE_NEW(&s->scratch, double, nc *d);
    t->push = SCREE_NEW(&s->scratch, double, s->model->system.coordinates);
    return t->row && t->column && t->diagonal && t->block && t->b && t->mu && t->p && t->s &&
           t->push;
}

// W = H Mt^-1 H^T with all its blocks, b = u_free
static void fill_tables(const scree_nscd *s, tables *t) {
    int nc = s->record.active, d = s->model->dimension, n = s->model->system.coordinates;
    for (int j = 0; j < nc; j++) {
        const scree_matrix_contact *contact = &s->model->matrix_contact[s->active[j]];
        double free[SCREE_ROWS_MAX];
        velocity(s, s->active[j], s->free, s->contact[s->active[j]].w_after, free);
        memcpy(t->b + (size_t)j * (size_t)d, free, (size_t)d * sizeof *free);
        t->mu[j] = contact->law.friction;
        t->row[j + 1] = (j + 1) * nc;
        t->diagonal[j] = j * nc + j;
        for (int l = 0; l < d; l++) {
            const double *column = row_of(contact, l, n);
            for (int m = 0; m < n; m++) t->push[m] = column ? column[m] : 0;
            scree_dense_solve(s->factor, n, t->push);
            for (int i = 0; i < nc; i++)
                for (int k = 0; k < d; k++) {
                    const double *row = row_of(&s->model->matrix_contact[s->active[i]], k, n);
                    size_t at = (size_t)(i * nc + j) * (size_t)(d * d) + (size_t)(k * d + l);
                    t->block[at] = row ? dot(row, t->push, n) : 0;
                }
        }
        for (int i = 0; i < nc; i++) t->column[i * nc + j] = j;
    }
}

static scree_status find_impulses(scree_nscd *s, const double **p, scree_error *err) {
    scree_step_record *record = &s->record;
    *p = NULL;
    record->problem = (scree_problem){ .dimension = s->model->dimension };
    record->report = (scree_report){ .solver = s->options->solver.name, .converged = true };
    if (!record->active) return SCREE_OK;
    tables t;
    if (!make_tables(s, &t)) return no_memory(err);
    fill_tables(s, &t);
    record->problem = (scree_problem){ .contacts = record->active,
                                       .dimension = s->model->dimension,
                                       .row = t.row,
                                       .column = t.column,
                                       .diagonal = t.diagonal,
                                       .block = t.block,
                                       .b = t.b,
                                       .mu = t.mu };
    scree_status status =
        scree_solve(&record->problem, &s->options->solver, t.p, &record->report, err);
    scree_problem_velocity(&record->problem, t.p, t.s);
    record->law_velocity = t.s;
    *p = t.p;
    return status;
}

static void find_end(scree_nscd *s, const double *p) {
    int n = s->model->system.coordinates, d = s->model->dimension;
    scree_state *after = &s->record.after;
    memset(s->work, 0, (size_t)n * sizeof *s->work);
    for (int a = 0; a < s->record.active; a++)
        for (int k = 0; k < d; k++) {
            const double *row = row_of(&s->model->matrix_contact[s->active[a]], k, n);
            for (int j = 0; row && j < n; j++) s->work[j] += row[j] * p[a * d + k];
        }
    if (s->record.active) scree_dense_solve(s->factor, n, s->work);
    for (int j = 0; j < n; j++) {
        after->v[j] = s->free[j] + s->work[j];
        after->q[j] = s->record.before.q[j] + s->record.h * after->v[j];
    }
}

static void finish_contacts(scree_nscd *s, const double *p) {
    int d = s->model->dimension;
    const scree_state *after = &s->record.after;
    double size;
    for (int c = 0; c < s->model->matrix_contacts; c++) {
        scree_contact *contact = &s->contact[c];
        velocity(s, c, after->v, contact->w_after, contact->u_after);
        contact->gap_after = gap_of(s, c, after->q, after->time, &size);
    }
    for (int a = 0; a < s->record.active; a++) {
        scree_contact *contact = &s->contact[s->active[a]];
        memcpy(contact->impulse, p + (size_t)a * (size_t)d, (size_t)d * sizeof *p);
        scree_law_cone cone = scree_law_cone_of(contact, s->record.h);
        scree_law_scale scale = { .s = contact->velocity_scale,
                                  .tolerance = s->options->solver.tolerance };
        contact->status = scree_law_status(
            &cone, contact->impulse, s->record.law_velocity + (size_t)a * (size_t)d, d, scale);
    }
}

// -------------------------------------------------------------------------------------------------
// the account

static double form(const double *A, int n, const double *x) {
    double sum = 0;
    for (int i = 0; A && i < n; i++) sum += x[i] * dot(A + (size_t)i * (size_t)n, x, n);
    return sum;
}

static double absolute_form(const double *A, int n, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; A && i < n; i++)
        for (int j = 0; j < n; j++) sum += fabs(A[i * n + j] * x[i] * y[j]);
    return sum;
}

static scree_ledger energies_of(const scree_nscd *s, const scree_state *state) {
    const scree_system *system = &s->model->system;
    return (scree_ledger){ .kinetic = form(system->mass, system->coordinates, state->v) / 2,
                           .elastic = form(system->stiffness, system->coordinates, state->q) / 2 };
}

// what rounding can do: every number that was added up
static double scale_of(scree_nscd *s) {
    const scree_system *system = &s->model->system;
    const scree_state *before = &s->record.before, *after = &s->record.after;
    int n = system->coordinates;
    double h = s->record.h, *speed = s->work, *reach = s->free, scale = 0;
    for (int i = 0; i < n; i++) {
        speed[i] = fabs(before->v[i]) + fabs(after->v[i]);
        reach[i] = fabs(before->q[i]) + fabs(after->q[i]);
        scale += h * fabs(after->v[i] * s->load[i]);
    }
    scale += absolute_form(system->mass, n, speed, speed) +
             absolute_form(system->stiffness, n, reach, reach) +
             h * absolute_form(system->stiffness, n, speed, reach) +
             h * absolute_form(system->damping, n, speed, speed);
    for (int a = 0; a < s->record.active; a++) {
        const scree_contact *contact = &s->contact[s->active[a]];
        for (int k = 0; k < s->model->dimension; k++)
            scale +=
                fabs(contact->impulse[k]) * (contact->velocity_scale + fabs(contact->u_after[k]));
    }
    return scale;
}

static void fill_ledger_contacts(const scree_nscd *s, scree_account *account) {
    int d = s->model->dimension;
    for (int a = 0; a < s->record.active; a++) {
        const scree_contact *contact = &s->contact[s->active[a]];
        // the balance pairs impulses with u', which is what the weight 1 says
        scree_contact_work work = scree_ledger_contact(contact, d, 1, s->options->solver.tolerance);
        account->ledger.contact_normal_work += work.normal;
        account->ledger.contact_tangential_work += work.tangential;
        for (int k = 0; k < d; k++)
            account->ledger.boundary_work -= contact->impulse[k] * contact->w_after[k];
        if (contact->impulse[0] == 0) continue;
        account->tangential_work_max = fmax(account->tangential_work_max, work.tangential);
        if (work.normal > work.threshold) account->energy_created += work.normal;
        if (work.tangential > work.threshold) account->energy_created += work.tangential;
    }
}

static void fill_ledger(scree_nscd *s, scree_account *account) {
    const scree_system *system = &s->model->system;
    const scree_state *before = &s->record.before, *after = &s->record.after;
    int n = system->coordinates;
    *account = (scree_account){ .ledger = energies_of(s, after),
                                .tangential_work_max = -HUGE_VAL,
                                .residual = s->record.report.residual,
                                .iterations = s->record.report.iterations,
                                .active = s->record.active,
                                .converged = s->record.report.converged };
    scree_ledger *ledger = &account->ledger;
    ledger->external_work = s->record.h * dot(after->v, s->load, n);
    ledger->damping_work = -s->record.h * form(system->damping, n, after->v);
    for (int i = 0; i < n; i++) s->work[i] = after->v[i] - before->v[i];
    ledger->numerical_dissipation = -form(system->mass, n, s->work) / 2;
    for (int i = 0; i < n; i++) s->work[i] = after->q[i] - before->q[i];
    ledger->numerical_dissipation +=
        (0.5 - s->options->scheme.theta) * form(system->stiffness, n, s->work);
    fill_ledger_contacts(s, account);
    for (int c = 0; c < s->model->matrix_contacts; c++)
        account->penetration = fmax(account->penetration, -s->contact[c].gap_after);
    ledger->residual =
        (ledger->kinetic - s->ledger.kinetic) + (ledger->elastic - s->ledger.elastic) -
        ledger->external_work - ledger->damping_work - ledger->numerical_dissipation -
        ledger->contact_normal_work - ledger->contact_tangential_work - ledger->boundary_work;
    ledger->bound = (16 + 2 * n) * DBL_EPSILON * scale_of(s);
    s->ledger = *ledger;
}

scree_theorem scree_nscd_theorem(const scree_model *model, const scree_scheme_options *scheme) {
    scree_theorem theorem = { .holds = scheme->theta == 0.5 || !model->system.stiffness };
    snprintf(theorem.reason, sizeof theorem.reason,
             theorem.holds
                 ? "inelastic contacts with Coulomb's law on the final velocity, which is "
                   "the one that works are done with"
                 : "theta = %g > 1/2: what it takes from the energy has the sign of the "
                   "stiffness matrix, which is not looked at",
             scheme->theta);
    return theorem;
}

// -------------------------------------------------------------------------------------------------
// beginning, steps, end

// show the state as it is: gaps and velocities, no impulses
static void look(scree_nscd *s) {
    const scree_state *state = &s->record.after;
    double size;
    for (int c = 0; c < s->model->matrix_contacts; c++) {
        scree_contact *contact = &s->contact[c];
        begin_contact(s, c);
        contact->gap = contact->gap_after = gap_of(s, c, state->q, state->time, &size);
        obstacle(&s->model->matrix_contact[c], state->time, contact->w_after);
        velocity(s, c, state->v, contact->w_after, contact->u_after);
        memcpy(contact->w_before, contact->w_after, sizeof contact->w_before);
        memcpy(contact->u_before, contact->u_after, sizeof contact->u_before);
    }
    s->record.active = 0;
    s->record.report = (scree_report){ .solver = s->options->solver.name, .converged = true };
    s->ledger = energies_of(s, state);
}

static scree_status factor(scree_nscd *s, scree_error *err) {
    const scree_system *system = &s->model->system;
    size_t entries = (size_t)system->coordinates * (size_t)system->coordinates;
    double h = s->record.h, theta = s->options->scheme.theta;
    for (size_t i = 0; i < entries; i++) {
        s->factor[i] = system->mass[i];
        if (system->damping) s->factor[i] += h * system->damping[i];
        if (system->stiffness) s->factor[i] += h * h * theta * system->stiffness[i];
    }
    if (scree_dense_cholesky(s->factor, system->coordinates))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "M + h C + h^2 theta K is not positive definite: take a smaller step");
    return SCREE_OK;
}

static scree_status allocate(scree_nscd *s, scree_error *err) {
    int n = s->model->system.coordinates, nc = s->model->matrix_contacts;
    double **of_dofs[] = { &s->record.before.q,
                           &s->record.before.v,
                           &s->record.after.q,
                           &s->record.after.v,
                           &s->free,
                           &s->load,
                           &s->work };
    bool fine = true;
    for (size_t i = 0; i < sizeof of_dofs / sizeof *of_dofs; i++)
        fine = fine && (*of_dofs[i] = SCREE_NEW(&s->arena, double, n));
    s->factor = SCREE_NEW(&s->arena, double, (size_t)n *(size_t)n);
    s->contact = SCREE_NEW(&s->arena, scree_contact, nc);
    s->active = SCREE_NEW(&s->arena, int, nc);
    return fine && s->factor && s->contact && s->active ? SCREE_OK : no_memory(err);
}

scree_status scree_nscd_new(const scree_model *model, const scree_run_options *options,
                            scree_nscd **nscd, scree_error *err) {
    *nscd = NULL;
    scree_status status = check(model, &options->scheme, err);
    if (status) return status;
    scree_nscd *s = calloc(1, sizeof *s);
    if (!s) return no_memory(err);
    s->model = model;
    s->options = options;
    s->record.h = options->scheme.step;
    status = allocate(s, err);
    if (!status) status = factor(s, err);
    if (status) {
        scree_nscd_free(s);
        return status;
    }
    s->record.contacts = model->matrix_contacts;
    s->record.contact = s->contact;
    const scree_state start = { 0, 0, (double *)model->system.position,
                                (double *)model->system.velocity };
    scree_nscd_restore(s, &start);
    *nscd = s;
    return SCREE_OK;
}

void scree_nscd_free(scree_nscd *nscd) {
    if (!nscd) return;
    scree_arena_free(&nscd->arena);
    scree_arena_free(&nscd->scratch);
    free(nscd);
}

void scree_nscd_restore(scree_nscd *s, const scree_state *state) {
    size_t size = (size_t)s->model->system.coordinates * sizeof(double);
    scree_state *after = &s->record.after;
    after->step = state->step;
    after->time = (double)state->step * s->record.h;
    memcpy(after->q, state->q, size);
    memcpy(after->v, state->v, size);
    look(s);
}

static void swap_states(scree_nscd *s) {
    scree_state old = s->record.before;
    s->record.before = s->record.after;
    s->record.after = old;
}

static scree_status refuse(scree_nscd *s, scree_error *err) {
    const scree_step_record *record = &s->record;
    return scree_fail(err, SCREE_UNCONVERGED, SCREE_NOWHERE,
                      "step %lld at time %.9g with %d contacts: %s after %d iterations, residual "
                      "%.3g (scaled %.3g), tolerance %.3g",
                      (long long)record->before.step, record->before.time, record->active,
                      scree_stop_reason_text(record->report.reason), record->report.iterations,
                      record->report.residual.natural, record->report.residual.scaled,
                      s->options->solver.tolerance);
}

scree_status scree_nscd_step(scree_nscd *s, scree_account *account, scree_error *err) {
    const double *p = NULL;
    bool finite = true;
    swap_states(s);
    s->record.after.step = s->record.before.step + 1;
    s->record.after.time = (double)s->record.after.step * s->record.h;
    scree_arena_release(&s->scratch, (scree_arena_mark){ 0 });
    find_free(s);
    find_contacts(s);
    scree_status status = check_functions(s, err);
    if (!status) status = find_impulses(s, &p, err);
    if (!status) {
        find_end(s, p);
        finish_contacts(s, p);
        for (int i = 0; i < s->model->system.coordinates; i++)
            finite = finite && isfinite(s->record.after.q[i]) && isfinite(s->record.after.v[i]);
        if (!finite)
            status = scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                                "step %lld at time %.9g: the state is not finite any more",
                                (long long)s->record.after.step, s->record.after.time);
        else if (!s->record.report.converged && !s->options->accept_unconverged)
            status = refuse(s, err);
    }
    if (status)
        swap_states(s);
    else
        fill_ledger(s, account);
    return status;
}

const scree_step_record *scree_nscd_record(const scree_nscd *nscd) { return &nscd->record; }
