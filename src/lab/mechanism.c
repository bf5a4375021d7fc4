// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mechanism.c - steps of mechanisms whose mass depends on where they are.
// in: M(q), V(q), Q, gaps.   out: states, contacts, a ledger that closes.
//
// With momenta P = M v and G = M^-1, bars for means over the step and D for differences,
//
//     D(P.G P / 2) = vbar.DP + f(q') - f(q),   vbar = Gbar Pbar,   f(q) = (P'.G P' + P.G P)/4,
//
// is an identity. So  q' = q + h vbar,  P' = P - h g + h Q + H^T p  changes the energy by
// vbar.(h Q + H^T p) and nothing else, if g.Dq = D(f + V): g is the gradient at the mean of q and
// q', and as much along M Dq as is missing (Gonzalez). The equations are solved by going round:
// with Gbar and g known, what is left is a contact problem with W = H Gbar H^T.

#include "scree/mechanism.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"

enum { N = SCREE_MECHANISM_COORDINATES, C = SCREE_MECHANISM_CONTACTS, ROUNDS = 100 };

typedef struct place {  // the mechanism at q
    double M[N * N], dM[N * N * N], L[N * N];
    double potential, gradient[N];
} place;

typedef struct touching {  // contacts of a step
    int active, index[C];
    double row[C][2][N];
    int first[C + 1], column[C * C], diagonal[C];
    double block[C * C * 4], b[C * 2], mu[C], p[C * 2], s[C * 2];
} touching;

struct scree_mechanism {
    const scree_mechanics *mechanics;
    scree_scheme_options scheme;
    scree_solver_options solver;
    scree_step_record record;
    scree_contact contact[C];
    touching touch;
    place start, end, middle;
    double q[2][N], v[2][N];
    double momentum[2][N], vbar[N], load[N];
    double noise;  // what rounding does to momenta over a short way, as the root of an energy
};

// -------------------------------------------------------------------------------------------------
// the mechanism at one place

static double dot(const double *x, const double *y, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static bool look(const scree_mechanics *m, const double *q, place *at) {
    int n = m->coordinates;
    m->mass(m->self, q, at->M, at->dM);
    memcpy(at->L, at->M, (size_t)(n * n) * sizeof(double));
    memset(at->gradient, 0, sizeof at->gradient);
    at->potential = m->potential ? m->potential(m->self, q, at->gradient) : 0;
    return scree_dense_cholesky(at->L, n) == 0 && isfinite(at->potential);
}

// x.G x
static double inverse_form(const place *at, int n, const double *x) {
    double y[N];
    memcpy(y, x, (size_t)n * sizeof *x);
    scree_dense_solve(at->L, n, y);
    return dot(x, y, n);
}

// add factor times the gradient of x.G(q) x, which is -(G x).dM_k (G x)
static void add_gradient(const place *at, int n, const double *x, double factor, double *sum) {
    double y[N], z[N];
    memcpy(y, x, (size_t)n * sizeof *x);
    scree_dense_solve(at->L, n, y);
    for (int k = 0; k < n; k++) {
        scree_dense_product(at->dM + (long)k * n * n, n, y, z);
        sum[k] -= factor * dot(y, z, n);
    }
}

// Gbar x
static void mean_inverse(const place *one, const place *two, int n, const double *x, double *y) {
    double z[N];
    memcpy(y, x, (size_t)n * sizeof *x);
    memcpy(z, x, (size_t)n * sizeof *x);
    scree_dense_solve(one->L, n, y);
    scree_dense_solve(two->L, n, z);
    for (int i = 0; i < n; i++) y[i] = (y[i] + z[i]) / 2;
}

static scree_status lost(const scree_mechanism *s, const char *why, scree_error *err) {
    return scree_fail(err, SCREE_UNCONVERGED, SCREE_NOWHERE, "step %lld at time %.9g: %s",
                      (long long)s->record.after.step, s->record.after.time, why);
}

// -------------------------------------------------------------------------------------------------
// contacts

// gaps and rows of H at q, and which contacts take part: the gap predicted for the end, approaching
static void find_contacts(scree_mechanism *s) {
    const scree_mechanics *m = s->mechanics;
    int n = m->coordinates;
    const double *q = s->record.before.q, *v = s->record.before.v;
    double ahead[N], row[2][N];
    for (int i = 0; i < n; i++) ahead[i] = q[i] + s->record.h * v[i];
    s->touch.active = 0;
    for (int c = 0; c < m->contacts; c++) {
        scree_contact *contact = &s->contact[c];
        *contact = (scree_contact){ .id = (uint64_t)c,
                                    .a = -1,
                                    .b = -2 - c,
                                    .restitution = m->law[c].restitution,
                                    .friction = m->law[c].friction };
        contact->gap = m->contact(m->self, c, q, s->touch.row[c][0], s->touch.row[c][1]);
        for (int k = 0; k < 2; k++) {
            double size = 0;
            contact->u_before[k] = dot(s->touch.row[c][k], v, n);
            for (int i = 0; i < n; i++) size += fabs(s->touch.row[c][k][i] * v[i]);
            contact->speed = fmax(contact->speed, size);
        }
        double given = s->scheme.velocity_tolerance;
        double slack = isnan(given) ? 1e-9 * contact->speed : given;
        double predicted = m->contact(m->self, c, ahead, row[0], row[1]);
        if (predicted <= 64 * DBL_EPSILON * (fabs(contact->gap) + s->record.h * contact->speed) &&
            contact->u_before[0] <= slack)
            s->touch.index[s->touch.active++] = c;
    }
}

// W = H G H^T by a function that multiplies by G
typedef struct inverse {
    const place *one, *two;
    int n;
} inverse;

static void fill_matrix(const inverse *G, touching *t) {
    int nc = t->active;
    double y[N];
    for (int j = 0; j < nc; j++) {
        t->first[j + 1] = (j + 1) * nc;
        t->diagonal[j] = j * nc + j;
        for (int l = 0; l < 2; l++) {
            mean_inverse(G->one, G->two, G->n, t->row[t->index[j]][l], y);
            for (int i = 0; i < nc; i++)
                for (int k = 0; k < 2; k++)
                    t->block[(i * nc + j) * 4 + 2 * k + l] = dot(t->row[t->index[i]][k], y, G->n);
        }
        for (int i = 0; i < nc; i++) t->column[i * nc + j] = j;
    }
}

// s = W p + b; the guess is in p
static scree_status solve_contacts(touching *t, const scree_mechanics *m,
                                   const scree_solver_options *solver, scree_report *report,
                                   scree_error *err) {
    for (int a = 0; a < t->active; a++) t->mu[a] = m->law[t->index[a]].friction;
    const scree_problem problem = { .contacts = t->active,
                                    .dimension = 2,
                                    .row = t->first,
                                    .column = t->column,
                                    .diagonal = t->diagonal,
                                    .block = t->block,
                                    .b = t->b,
                                    .mu = t->mu };
    *report = (scree_report){ .solver = solver->name, .converged = true };
    if (!t->active) return SCREE_OK;
    scree_status status = scree_solve(&problem, solver, t->p, report, err);
    if (status) return status;
    scree_problem_velocity(&problem, t->p, t->s);
    if (report->converged) return SCREE_OK;
    return scree_fail(err, SCREE_UNCONVERGED, SCREE_NOWHERE,
                      "the contact problem: %s, residual %.3g (scaled %.3g)",
                      scree_stop_reason_text(report->reason), report->residual.field,
                      report->residual.scaled);
}

// x += H^T p
static void add_push(const touching *t, int n, double *x) {
    for (int a = 0; a < t->active; a++)
        for (int k = 0; k < 2; k++)
            for (int i = 0; i < n; i++) x[i] += t->row[t->index[a]][k][i] * t->p[2 * a + k];
}

// -------------------------------------------------------------------------------------------------
// moreau-jean-fremond: the discrete gradient

// g of the kinetic and potential energy between the two ends
static bool find_gradient(scree_mechanism *s, double *g) {
    const scree_mechanics *m = s->mechanics;
    int n = m->coordinates;
    const double *P = s->momentum[0], *next = s->momentum[1];
    double half[N], way[N], heavy[N];
    for (int i = 0; i < n; i++) {
        way[i] = s->record.after.q[i] - s->record.before.q[i];
        half[i] = s->record.before.q[i] + way[i] / 2;
    }
    if (!look(m, half, &s->middle)) return false;
    memcpy(g, s->middle.gradient, (size_t)n * sizeof *g);
    add_gradient(&s->middle, n, P, 0.25, g);
    add_gradient(&s->middle, n, next, 0.25, g);
    double then = inverse_form(&s->end, n, next) + inverse_form(&s->end, n, P);
    double now = inverse_form(&s->start, n, next) + inverse_form(&s->start, n, P);
    double missing = (then - now) / 4 + s->end.potential - s->start.potential - dot(g, way, n);
    double size = then + now + fabs(s->end.potential) + fabs(s->start.potential);
    // over a short way rounding would become a large force
    if (fabs(missing) <= 8 * DBL_EPSILON * size) missing = 0;
    scree_dense_product(s->middle.M, n, way, heavy);
    double length = dot(way, heavy, n);
    s->noise = length > 0 ? 32 * DBL_EPSILON * size * s->record.h / sqrt(length) : 0;
    for (int i = 0; length > 0 && i < n; i++) g[i] += missing / length * heavy[i];
    return true;
}

// one time round: from an end to a better one; *change is how far it moved, as the root of an
// energy
static scree_status improve(scree_mechanism *s, double *change, scree_error *err) {
    const scree_mechanics *m = s->mechanics;
    int n = m->coordinates;
    double h = s->record.h, g[N], known[N], free[N], mean[N], *q = s->record.after.q;
    if (!look(m, q, &s->end)) return lost(s, "M(q) is not positive definite", err);
    if (!find_gradient(s, g)) return lost(s, "M(q) is not positive definite", err);
    memset(s->load, 0, sizeof s->load);
    for (int i = 0; i < n; i++) mean[i] = (s->record.before.q[i] + q[i]) / 2;
    if (m->force) m->force(m->self, s->record.before.time + h / 2, mean, s->vbar, s->load);
    for (int i = 0; i < n; i++) {
        known[i] = s->momentum[0][i] + h * (s->load[i] - g[i]);
        mean[i] = (s->momentum[0][i] + known[i]) / 2;
    }
    mean_inverse(&s->start, &s->end, n, mean, free);
    fill_matrix(&(inverse){ &s->start, &s->end, n }, &s->touch);
    for (int a = 0; a < s->touch.active; a++) {
        int c = s->touch.index[a];
        for (int k = 0; k < 2; k++) s->touch.b[2 * a + k] = 2 * dot(s->touch.row[c][k], free, n);
        s->touch.b[2 * a] -= (1 - s->contact[c].restitution) * s->contact[c].u_before[0];
    }
    scree_status status = solve_contacts(&s->touch, m, &s->solver, &s->record.report, err);
    if (status) return status;
    add_push(&s->touch, n, known);
    for (int i = 0; i < n; i++) mean[i] = (s->momentum[0][i] + known[i]) / 2;
    mean_inverse(&s->start, &s->end, n, mean, free);
    // a contact that holds everything fixes vbar while the momentum still moves: look at both
    double step[N], heavy[N];
    for (int i = 0; i < n; i++) {
        mean[i] = known[i] - s->momentum[1][i];
        step[i] = free[i] - s->vbar[i];
    }
    scree_dense_product(s->start.M, n, step, heavy);
    *change = sqrt(fmax(inverse_form(&s->start, n, mean), dot(step, heavy, n)));
    for (int i = 0; i < n; i++) {
        s->vbar[i] = free[i];
        s->momentum[1][i] = known[i];
        q[i] = s->record.before.q[i] + h * free[i];
    }
    return SCREE_OK;
}

static scree_status go_round(scree_mechanism *s, scree_error *err) {
    int n = s->mechanics->coordinates;
    double before = HUGE_VAL, change = HUGE_VAL;
    double speed = sqrt(inverse_form(&s->start, n, s->momentum[0]));
    memcpy(s->momentum[1], s->momentum[0], sizeof s->momentum[0]);
    memcpy(s->vbar, s->record.before.v, (size_t)n * sizeof(double));
    for (int i = 0; i < n; i++)
        s->record.after.q[i] = s->record.before.q[i] + s->record.h * s->vbar[i];
    for (int round = 0; round < ROUNDS; round++) {
        scree_status status = improve(s, &change, err);
        if (status) return status;
        speed = fmax(speed, sqrt(inverse_form(&s->start, n, s->momentum[1])));
        if (!isfinite(change)) break;
        // down to rounding, where it does not get better any more
        if (change <= DBL_EPSILON * speed ||
            (change <= 1e-13 * speed + s->noise && change >= before / 2)) {
            memcpy(s->record.after.v, s->momentum[1], (size_t)n * sizeof(double));
            if (!look(s->mechanics, s->record.after.q, &s->end))
                return lost(s, "M(q) is not positive definite", err);
            scree_dense_solve(s->end.L, n, s->record.after.v);
            return SCREE_OK;
        }
        before = change;
    }
    return lost(s, "its equations are not solved by going round: take a smaller step", err);
}

// -------------------------------------------------------------------------------------------------
// moreau-jean: M and H at the start of the step

// h (Q - grad V - dM v v + grad(v.M v)/2), where it will be in the middle of the step
static bool find_load(scree_mechanism *s, double *impulse) {
    const scree_mechanics *m = s->mechanics;
    int n = m->coordinates;
    const double *v = s->record.before.v;
    double y[N], half[N], h = s->record.h;
    for (int i = 0; i < n; i++) half[i] = s->record.before.q[i] + h / 2 * v[i];
    if (!look(m, half, &s->middle)) return false;
    memset(s->load, 0, sizeof s->load);
    if (m->force) m->force(m->self, s->record.before.time + h / 2, half, v, s->load);
    for (int i = 0; i < n; i++) impulse[i] = h * (s->load[i] - s->middle.gradient[i]);
    for (int k = 0; k < n; k++) {
        scree_dense_product(s->middle.dM + (long)k * n * n, n, v, y);
        impulse[k] += h * dot(v, y, n) / 2;
        for (int i = 0; i < n; i++) impulse[i] -= h * v[k] * y[i];
    }
    return true;
}

static scree_status step_newton(scree_mechanism *s, scree_error *err) {
    const scree_mechanics *m = s->mechanics;
    int n = m->coordinates;
    double push[N], theta = s->scheme.theta;
    const double *v = s->record.before.v;
    scree_state *after = &s->record.after;
    if (!find_load(s, push)) return lost(s, "M(q) is not positive definite", err);
    scree_dense_solve(s->start.L, n, push);
    for (int i = 0; i < n; i++) after->v[i] = v[i] + push[i];
    fill_matrix(&(inverse){ &s->start, &s->start, n }, &s->touch);
    for (int a = 0; a < s->touch.active; a++) {
        int c = s->touch.index[a];
        for (int k = 0; k < 2; k++)
            s->touch.b[2 * a + k] = dot(s->touch.row[c][k], after->v, n) +
                                    (k ? 0 : s->contact[c].restitution * s->contact[c].u_before[0]);
    }
    scree_status status = solve_contacts(&s->touch, m, &s->solver, &s->record.report, err);
    if (status) return status;
    memset(push, 0, sizeof push);
    add_push(&s->touch, n, push);
    scree_dense_solve(s->start.L, n, push);
    for (int i = 0; i < n; i++) {
        after->v[i] += push[i];
        s->vbar[i] = (1 - theta) * v[i] + theta * after->v[i];
        after->q[i] = s->record.before.q[i] + s->record.h * s->vbar[i];
    }
    return look(m, after->q, &s->end) ? SCREE_OK : lost(s, "M(q) is not positive definite", err);
}

// -------------------------------------------------------------------------------------------------
// records and ledger

static void finish_contacts(scree_mechanism *s) {
    const scree_mechanics *m = s->mechanics;
    int n = m->coordinates;
    double row[2][N];
    for (int c = 0; c < m->contacts; c++) {
        scree_contact *contact = &s->contact[c];
        for (int k = 0; k < 2; k++)
            contact->u_after[k] =
                s->scheme.name == SCREE_MOREAU_JEAN
                    ? dot(s->touch.row[c][k], s->record.after.v, n)
                    : 2 * dot(s->touch.row[c][k], s->vbar, n) - contact->u_before[k];
        contact->gap_after = m->contact(m->self, c, s->record.after.q, row[0], row[1]);
    }
    for (int a = 0; a < s->touch.active; a++) {
        scree_contact *contact = &s->contact[s->touch.index[a]];
        const double *p = s->touch.p + 2 * a;
        memcpy(contact->impulse, p, 2 * sizeof *p);
        bool edge = fabs(p[1]) >= (1 - 1e-9) * contact->friction * p[0];
        bool slides = fabs(s->touch.s[2 * a + 1]) > 1e-10 * contact->speed;
        contact->status = p[0] <= 0          ? SCREE_CONTACT_OPEN
                          : (edge && slides) ? SCREE_CONTACT_SLIP
                                             : SCREE_CONTACT_STICK;
    }
    s->record.active = s->touch.active;
    s->record.law_velocity = s->touch.s;
}

static double kinetic_of(const place *at, int n, const double *v) {
    double Mv[N];
    scree_dense_product(at->M, n, v, Mv);
    return dot(v, Mv, n) / 2;
}

static void book(const scree_mechanism *s, scree_ledger *ledger) {
    int n = s->mechanics->coordinates;
    bool newton = s->scheme.name == SCREE_MOREAU_JEAN;
    double before = kinetic_of(&s->start, n, s->record.before.v);
    *ledger = (scree_ledger){ .kinetic = kinetic_of(&s->end, n, s->record.after.v),
                              .potential = s->end.potential };
    double scale = before + ledger->kinetic + fabs(s->start.potential) + fabs(s->end.potential);
    for (int i = 0; i < n; i++) {
        double work = s->record.h * s->vbar[i] * s->load[i];
        ledger->external_work += work;
        scale += fabs(work);
    }
    for (int a = 0; a < s->touch.active; a++)
        for (int k = 0; k < 2; k++) {
            double work =
                s->touch.p[2 * a + k] * dot(s->touch.row[s->touch.index[a]][k], s->vbar, n);
            *(k ? &ledger->contact_tangential_work : &ledger->contact_normal_work) += work;
            scale += fabs(s->touch.p[2 * a + k]) * s->contact[s->touch.index[a]].speed;
        }
    double left = ledger->kinetic - before + ledger->potential - s->start.potential -
                  ledger->external_work - ledger->contact_normal_work -
                  ledger->contact_tangential_work;
    *(newton ? &ledger->numerical_dissipation : &ledger->residual) = left;
    ledger->bound = 256 * n * DBL_EPSILON * scale;
}

// -------------------------------------------------------------------------------------------------
// beginning, steps, end

static scree_status check(const scree_mechanics *m, scree_error *err) {
    if (m->coordinates < 1 || m->coordinates > N || m->contacts < 0 || m->contacts > C)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "a mechanism has 1 to %d coordinates and up to %d contacts, found %d and "
                          "%d",
                          N, C, m->coordinates, m->contacts);
    for (int c = 0; c < m->contacts; c++)
        if (!(m->law[c].restitution >= 0 && m->law[c].restitution <= 1 && m->law[c].friction >= 0))
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "contact %d: restitution is between 0 and 1 and friction not "
                              "negative, got %g and %g",
                              c, m->law[c].restitution, m->law[c].friction);
    return SCREE_OK;
}

scree_status scree_mechanism_new(const scree_mechanics *mechanics,
                                 const scree_scheme_options *scheme,
                                 const scree_solver_options *solver, scree_mechanism **mechanism,
                                 scree_error *err) {
    *mechanism = NULL;
    scree_status status = check(mechanics, err);
    if (status) return status;
    if (scheme->name != SCREE_MOREAU_JEAN && scheme->name != SCREE_MOREAU_JEAN_FREMOND)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "mechanisms have the schemes moreau-jean and moreau-jean-fremond, not %s",
                          scree_scheme_name(scheme->name));
    if (!(scheme->step > 0 && isfinite(scheme->step)))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the step must be positive, got %g",
                          scheme->step);
    scree_mechanism *s = calloc(1, sizeof *s);
    if (!s) return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory");
    s->mechanics = mechanics;
    s->scheme = *scheme;
    s->solver = *solver;
    s->record.h = scheme->step;
    s->record.before = (scree_state){ 0, 0, s->q[0], s->v[0] };
    s->record.after = (scree_state){ 0, 0, s->q[1], s->v[1] };
    s->record.contacts = mechanics->contacts;
    s->record.contact = s->contact;
    memcpy(s->q[1], mechanics->position, (size_t)mechanics->coordinates * sizeof(double));
    memcpy(s->v[1], mechanics->velocity, (size_t)mechanics->coordinates * sizeof(double));
    if (!look(mechanics, s->q[1], &s->end)) {
        free(s);
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "M(q) is not positive definite at the start, or V(q) not finite");
    }
    *mechanism = s;
    return SCREE_OK;
}

void scree_mechanism_free(scree_mechanism *mechanism) { free(mechanism); }

static void swap_states(scree_mechanism *s) {
    scree_state old = s->record.before;
    s->record.before = s->record.after;
    s->record.after = old;
}

scree_status scree_mechanism_step(scree_mechanism *s, scree_ledger *ledger, scree_error *err) {
    swap_states(s);
    s->start = s->end;
    s->record.after.step = s->record.before.step + 1;
    s->record.after.time = (double)s->record.after.step * s->record.h;
    scree_dense_product(s->start.M, s->mechanics->coordinates, s->record.before.v, s->momentum[0]);
    memset(s->touch.p, 0, sizeof s->touch.p);
    find_contacts(s);
    scree_status status =
        s->scheme.name == SCREE_MOREAU_JEAN ? step_newton(s, err) : go_round(s, err);
    if (status) {
        s->end = s->start;
        swap_states(s);
        return status;
    }
    finish_contacts(s);
    book(s, ledger);
    return SCREE_OK;
}

const scree_step_record *scree_mechanism_record(const scree_mechanism *mechanism) {
    return &mechanism->record;
}

scree_status scree_mechanism_impact(const scree_mechanics *m, scree_scheme law,
                                    const scree_solver_options *solver, const double *q,
                                    const double *v, double *after, double *impulse,
                                    scree_error *err) {
    scree_status status = check(m, err);
    if (status) return status;
    int n = m->coordinates;
    touching t = { .active = m->contacts };
    scree_report report;
    double push[N] = { 0 }, slide = law == SCREE_MOREAU_JEAN_FREMOND;
    place at;
    if (!look(m, q, &at))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "M(q) is not positive definite");
    for (int c = 0; c < m->contacts; c++) {
        t.index[c] = c;
        m->contact(m->self, c, q, t.row[c][0], t.row[c][1]);
        t.b[2 * c] = (1 + m->law[c].restitution) * dot(t.row[c][0], v, n);
        t.b[2 * c + 1] = (1 + slide) * dot(t.row[c][1], v, n);
    }
    fill_matrix(&(inverse){ &at, &at, n }, &t);
    status = solve_contacts(&t, m, solver, &report, err);
    if (status) return status;
    add_push(&t, n, push);
    scree_dense_solve(at.L, n, push);
    for (int i = 0; i < n; i++) after[i] = v[i] + push[i];
    if (impulse) memcpy(impulse, t.p, (size_t)(2 * m->contacts) * sizeof *impulse);
    return SCREE_OK;
}
