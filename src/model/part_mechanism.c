// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// part_mechanism.c - a mechanism as a part: masses that depend on where they are.
//
// With f = Q - grad V + grad(v.M v)/2 - (dM/dt) v, which is all that accelerates but contacts,
//
//     M(q*) (v' - v) = h f(t + h/2, q + (h/2) v, v) + H^T p,   q' = q + h v_theta
//
// with q* where H is taken, at the start or in the middle (moreau), and
//
//     M(q) (v' - v) = h ((1 - theta) f(t, q, v') + theta f(t', q', v')) + H^T p,   q' = q + h v'
//
// for schemes with an alpha of their own (nscd). Those whose law is on the mean velocity
// (moreau-jean-fremond) have a discrete gradient of the energy: with momenta P = M v and G = M^-1,
// bars for means over the step and D for differences,
//
//     D(P.G P / 2) = vbar.DP + f(q') - f(q),   vbar = Gbar Pbar,   f(q) = (P'.G P' + P.G P)/4,
//
// is an identity. So  q' = q + h vbar,  P' = P - h g + h Q + H^T p  changes the energy by
// vbar.(h Q + H^T p) and nothing else, if g.Dq = D(f + V): g is the gradient at the mean of q and
// q', and as much along M Dq as is missing (Gonzalez).
//
// The last two are implicit. They are closed with given impulses, down to rounding (`close_end`,
// `close_mean`), and then linear in the impulses: v' = v_free + A H^T p, where v' is what laws see,
// 2 vbar - v for the discrete gradient. The step solves, closes and judges (step/impulses.c).

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "model/mechanism.h"
#include "model/part.h"

enum { N = SCREE_CONFIGURATION_N, ROUNDS = 100 };

typedef enum rule { EXPLICIT_START, EXPLICIT_MIDDLE, IMPLICIT_END, DISCRETE_GRADIENT } rule;

static rule rule_of(const scree_scheme_options *scheme) {
    const scree_scheme_row *row = scree_scheme_row_of(scheme);
    if (!isnan(row->alpha)) return IMPLICIT_END;
    if (row->impact == SCREE_IMPACT_FREMOND) return DISCRETE_GRADIENT;
    return scheme->jacobian == SCREE_JACOBIAN_MIDDLE ? EXPLICIT_MIDDLE : EXPLICIT_START;
}

typedef struct work {
    const scree_mechanism_def *mechanics;
    double h, theta;
    const scree_state *before, *after;
    const double *q, *v;  // at the start of the step
    scree_configuration start, middle, end;
    double A[N * N];        // IMPLICIT_END: M less the rates of forces, factorised
    double place[N];        // q'
    double velocity[N];     // v' of IMPLICIT_END, vbar of DISCRETE_GRADIENT
    double momentum[2][N];  // DISCRETE_GRADIENT: at both ends
    double push[N];         // impulses that the balance is closed under
    double noise;  // what rounding does to a velocity in one time round, as the root of an energy
} work;

static const scree_mechanism_def *mechanics_of(const scree_parts *parts) {
    return parts->model->mechanism;
}

static scree_status fail_step(const work *s, const char *why, scree_error *err) {
    return scree_fail(err, SCREE_UNCONVERGED, SCREE_NOWHERE, "step %lld at time %.9g: %s",
                      (long long)s->after->step, s->after->time, why);
}

// after an evaluation that failed
static scree_status fail_place(const work *s, scree_error *err) {
    const char *wrong = s->start.wrong ? s->start.wrong : s->middle.wrong;
    return fail_step(s, wrong ? wrong : s->end.wrong, err);
}

// -------------------------------------------------------------------------------------------------
// the rows of a model

static void find(const scree_model *model, scree_parts *parts) {
    if (!model->mechanism) return;
    parts->coordinates = parts->dofs = model->mechanism->coordinates;
    parts->count = 1;
    parts->roundings = 256 * model->mechanism->coordinates;
}

// M at the start of the run; every step has its own
static scree_status invert(const scree_parts *parts, double h, double theta, double alpha,
                           scree_arena *arena, scree_part *part, scree_error *err) {
    const scree_mechanism_def *m = mechanics_of(parts);
    scree_configuration *at = SCREE_NEW(arena, scree_configuration, 1);
    (void)h, (void)theta, (void)alpha;
    if (!at) return scree_fail_memory(err, NULL);
    if (!scree_configuration_evaluate(m, m->position, at))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "%s at the start", at->wrong);
    *part = (scree_part){ .dof = parts->dof, .width = m->coordinates, .factor = at->L };
    return SCREE_OK;
}

static scree_status make(scree_parts *parts, scree_arena *arena, scree_error *err) {
    work *s = parts->work = SCREE_NEW(arena, work, 1);
    if (!s) return scree_fail_memory(err, NULL);
    s->mechanics = mechanics_of(parts);
    parts->refreshes = parts->apart = true;
    return SCREE_OK;
}

static scree_status accepts(const scree_parts *parts, const scree_scheme_options *scheme,
                            scree_error *err) {
    const scree_scheme_row *row = scree_scheme_row_of(scheme);
    bool middle = row->theta_max == 0.5 || row->impact == SCREE_IMPACT_FREMOND;
    (void)parts;
    if (middle && scheme->theta > 0.5)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "mechanisms have %s with theta 1/2 only, got %g", row->name,
                          scheme->theta);
    return SCREE_OK;
}

static void start(const scree_parts *parts, double *q, double *v) {
    const scree_mechanism_def *m = mechanics_of(parts);
    size_t size = (size_t)m->coordinates * sizeof *q;
    memcpy(q + parts->coordinate, m->position, size);
    memcpy(v + parts->dof, m->velocity, size);
}

static const char *name_of_dof(const scree_parts *parts, int dof, int *component) {
    *component = dof - parts->dof;
    return "mechanism";
}

// -------------------------------------------------------------------------------------------------
// moreau-jean and moreau: forces where the step leads to in its half

// Q and h f there; the middle is evaluated
static bool find_impulse(work *s, double *load, double *impulse) {
    const scree_mechanism_def *m = s->mechanics;
    int n = m->coordinates;
    double half[N];
    for (int i = 0; i < n; i++) half[i] = s->q[i] + s->h / 2 * s->v[i];
    if (!scree_configuration_evaluate(m, half, &s->middle)) return false;
    memset(load, 0, (size_t)n * sizeof *load);
    if (m->force) m->force(m->self, s->before->time + s->h / 2, half, s->v, load);
    memcpy(impulse, load, (size_t)n * sizeof *impulse);
    scree_configuration_forces(&s->middle, n, s->v, impulse, NULL);
    for (int i = 0; i < n; i++) impulse[i] *= s->h;
    return true;
}

static scree_status free_explicit(work *s, const double *L, double *v_free, scree_error *err) {
    int n = s->mechanics->coordinates;
    double load[N];
    if (!find_impulse(s, load, v_free)) return fail_place(s, err);
    scree_dense_solve(L, n, v_free);
    for (int i = 0; i < n; i++) v_free[i] += s->v[i];
    return SCREE_OK;
}

// -------------------------------------------------------------------------------------------------
// implicit rules: with given impulses, round after round until only rounding is left

// one time round; the change as the root of an energy, and the largest speed so far
typedef bool round_fn(work *s, const double *push, double *change, double *speed);

static scree_status close_balance(work *s, const double *push, round_fn *iterate,
                                  scree_error *err) {
    double before = HUGE_VAL, change = HUGE_VAL;
    double speed =
        sqrt(2 * scree_configuration_kinetic(&s->start, s->mechanics->coordinates, s->v));
    for (int round = 0; round < ROUNDS; round++) {
        if (!iterate(s, push, &change, &speed)) return fail_place(s, err);
        if (!isfinite(change)) break;
        if (change <= DBL_EPSILON * speed ||
            (change <= 1e-13 * speed + s->noise && change >= before / 2))
            return SCREE_OK;
        before = change;
    }
    return fail_step(s, "its equations are not solved by going round: take a smaller step", err);
}

// --- nscd: Newton's method with a matrix that is had once in a step, by differences, and made
// symmetric, so that contact problems stay what they are: that the matrix is not exact costs
// rounds, not accuracy

// the mean of Q and h times that of f at both ends, if the step ends with the velocity x; the end
// is evaluated; size may be NULL
static bool find_end_impulse(work *s, const double *x, double *load, double *impulse,
                             double *size) {
    const scree_mechanism_def *m = s->mechanics;
    int n = m->coordinates;
    double Q[N], f[N];
    memset(impulse, 0, (size_t)n * sizeof *impulse);
    memset(load, 0, (size_t)n * sizeof *load);
    for (int i = 0; i < n; i++) s->place[i] = s->q[i] + s->h * x[i];
    if (!scree_configuration_evaluate(m, s->place, &s->end)) return false;
    for (int end = 0; end < 2; end++) {
        double weight = end ? s->theta : 1 - s->theta, t = (end ? s->after : s->before)->time;
        memset(Q, 0, sizeof Q);
        if (m->force) m->force(m->self, t, end ? s->place : s->q, x, Q);
        memcpy(f, Q, sizeof f);
        scree_configuration_forces(end ? &s->end : &s->start, n, x, f, size);
        for (int i = 0; i < n; i++) {
            load[i] += weight * Q[i];
            impulse[i] += s->h * weight * f[i];
            if (size) size[i] += fabs(Q[i]);
        }
    }
    return true;
}

// M(q) less the symmetric part of the rate of the impulse with the velocity at the end, factorised
static scree_status find_matrix(work *s, scree_error *err) {
    int n = s->mechanics->coordinates;
    double x[N], load[N], ahead[N], behind[N], unit = 0;
    if (!find_end_impulse(s, s->v, load, ahead, NULL)) return fail_place(s, err);
    scree_dense_solve(s->start.L, n, ahead);
    for (int i = 0; i < n; i++) unit = fmax(unit, fmax(fabs(s->v[i]), fabs(ahead[i])));
    double delta = unit > 0 ? 1e-4 * unit : 1e-4;
    memcpy(s->A, s->start.M, (size_t)(n * n) * sizeof *s->A);
    memcpy(x, s->v, (size_t)n * sizeof *x);
    for (int j = 0; j < n; j++) {
        x[j] = s->v[j] + delta;
        bool fine = find_end_impulse(s, x, load, ahead, NULL);
        x[j] = s->v[j] - delta;
        if (!fine || !find_end_impulse(s, x, load, behind, NULL)) return fail_place(s, err);
        x[j] = s->v[j];
        for (int i = 0; i < n; i++) {
            double rate = (ahead[i] - behind[i]) / (4 * delta);
            s->A[i * n + j] -= rate;
            s->A[j * n + i] -= rate;
        }
    }
    if (scree_dense_cholesky(s->A, n))
        return fail_step(
            s, "M less h times the rates of forces is not positive definite: take a smaller step",
            err);
    return SCREE_OK;
}

static bool iterate_end(work *s, const double *push, double *change, double *speed) {
    int n = s->mechanics->coordinates;
    double load[N], impulse[N], size[N] = { 0 }, way[N], missing[N], heavy[N];
    if (!find_end_impulse(s, s->velocity, load, impulse, size)) return false;
    for (int i = 0; i < n; i++) way[i] = s->velocity[i] - s->v[i];
    scree_dense_product(s->start.M, n, way, missing);
    for (int i = 0; i < n; i++) {
        missing[i] = impulse[i] - missing[i] + push[i];
        size[i] = s->h * size[i] + fabs(push[i]);
    }
    scree_dense_solve(s->A, n, missing);
    for (int i = 0; i < n; i++) s->velocity[i] += missing[i];
    scree_dense_product(s->start.M, n, missing, heavy);
    *change = sqrt(scree_dense_dot(missing, heavy, n));
    *speed = fmax(*speed, sqrt(2 * scree_configuration_kinetic(&s->start, n, s->velocity)));
    s->noise = 32 * DBL_EPSILON * sqrt(scree_configuration_inverse_form(&s->start, n, size));
    return true;
}

// --- moreau-jean-fremond

// add factor times the gradient of x.G(q) x, which is -(G x).dM_k (G x)
static void add_gradient(const scree_configuration *at, int n, const double *x, double factor,
                         double *sum) {
    double y[N], z[N];
    memcpy(y, x, (size_t)n * sizeof *x);
    scree_dense_solve(at->L, n, y);
    for (int k = 0; k < n; k++) {
        scree_dense_product(at->dM + (long)k * n * n, n, y, z);
        sum[k] -= factor * scree_dense_dot(y, z, n);
    }
}

// Gbar x
static void mean_inverse(const work *s, const double *x, double *y) {
    int n = s->mechanics->coordinates;
    const scree_part part = { .width = n, .factor = s->start.L, .factor_end = s->end.L };
    memcpy(y, x, (size_t)n * sizeof *x);
    scree_inertia_solve(&part, y);
}

// g of the kinetic and potential energy between the two ends
static bool find_gradient(work *s, double *g) {
    int n = s->mechanics->coordinates;
    const double *P = s->momentum[0], *next = s->momentum[1];
    double half[N], way[N], heavy[N];
    for (int i = 0; i < n; i++) {
        way[i] = s->place[i] - s->q[i];
        half[i] = s->q[i] + way[i] / 2;
    }
    if (!scree_configuration_evaluate(s->mechanics, half, &s->middle)) return false;
    memcpy(g, s->middle.gradient, (size_t)n * sizeof *g);
    add_gradient(&s->middle, n, P, 0.25, g);
    add_gradient(&s->middle, n, next, 0.25, g);
    double then = scree_configuration_inverse_form(&s->end, n, next) +
                  scree_configuration_inverse_form(&s->end, n, P);
    double now = scree_configuration_inverse_form(&s->start, n, next) +
                 scree_configuration_inverse_form(&s->start, n, P);
    double missing =
        (then - now) / 4 + s->end.potential - s->start.potential - scree_dense_dot(g, way, n);
    double size = then + now + fabs(s->end.potential) + fabs(s->start.potential);
    // over a short way rounding would become a large force
    if (fabs(missing) <= 8 * DBL_EPSILON * size) missing = 0;
    scree_dense_product(s->middle.M, n, way, heavy);
    double length = scree_dense_dot(way, heavy, n);
    s->noise = length > 0 ? 32 * DBL_EPSILON * size * s->h / sqrt(length) : 0;
    for (int i = 0; length > 0 && i < n; i++) g[i] += missing / length * heavy[i];
    return true;
}

// Q in the middle of the step
static void find_mean_load(const work *s, double *load) {
    const scree_mechanism_def *m = s->mechanics;
    int n = m->coordinates;
    double mean[N];
    memset(load, 0, (size_t)n * sizeof *load);
    for (int i = 0; i < n; i++) mean[i] = (s->q[i] + s->place[i]) / 2;
    if (m->force) m->force(m->self, s->before->time + s->h / 2, mean, s->velocity, load);
}

static bool iterate_mean(work *s, const double *push, double *change, double *speed) {
    int n = s->mechanics->coordinates;
    double g[N], load[N], next[N], mean[N], velocity[N], step[N], heavy[N];
    if (!scree_configuration_evaluate(s->mechanics, s->place, &s->end) || !find_gradient(s, g))
        return false;
    find_mean_load(s, load);
    for (int i = 0; i < n; i++) {
        next[i] = s->momentum[0][i] + s->h * (load[i] - g[i]) + push[i];
        mean[i] = (s->momentum[0][i] + next[i]) / 2;
    }
    mean_inverse(s, mean, velocity);
    // a contact that holds everything fixes vbar while the momentum still moves: look at both
    for (int i = 0; i < n; i++) {
        mean[i] = next[i] - s->momentum[1][i];
        step[i] = velocity[i] - s->velocity[i];
    }
    scree_dense_product(s->start.M, n, step, heavy);
    *change = sqrt(fmax(scree_configuration_inverse_form(&s->start, n, mean),
                        scree_dense_dot(step, heavy, n)));
    for (int i = 0; i < n; i++) {
        s->velocity[i] = velocity[i];
        s->momentum[1][i] = next[i];
        s->place[i] = s->q[i] + s->h * velocity[i];
    }
    *speed = fmax(*speed, sqrt(scree_configuration_inverse_form(&s->start, n, next)));
    return true;
}

// -------------------------------------------------------------------------------------------------
// the step

// close the balance under these impulses, and be linear there: v_free and A
static scree_status follow(work *s, rule by, const double *push, scree_part *part, double *v_free,
                           scree_error *err) {
    int n = s->mechanics->coordinates;
    double moved[N];
    memcpy(s->push, push, (size_t)n * sizeof *push);
    scree_status status =
        close_balance(s, push, by == IMPLICIT_END ? iterate_end : iterate_mean, err);
    if (status) return status;
    if (by == DISCRETE_GRADIENT && !scree_configuration_evaluate(s->mechanics, s->place, &s->end))
        return fail_place(s, err);
    part->factor = by == IMPLICIT_END ? s->A : s->start.L;
    part->factor_end = by == IMPLICIT_END ? NULL : s->end.L;
    memcpy(moved, push, (size_t)n * sizeof *moved);
    scree_inertia_solve(part, moved);
    for (int i = 0; i < n; i++)
        v_free[i] = (by == IMPLICIT_END ? s->velocity[i] : 2 * s->velocity[i] - s->v[i]) - moved[i];
    return SCREE_OK;
}

static void begin(work *s, const scree_parts *parts, const scree_state *before,
                  const scree_state *after) {
    s->before = before;
    s->after = after;
    s->q = before->q + parts->coordinate;
    s->v = before->v + parts->dof;
}

static const double none[N];  // no impulses

static scree_status free_velocity(scree_parts *parts, const scree_stage *stage, scree_error *err) {
    work *s = parts->work;
    int n = s->mechanics->coordinates;
    rule by = rule_of(stage->scheme);
    scree_part *part = &stage->inertia->part[parts->first];
    double *v_free = stage->v_free + parts->dof;
    s->h = stage->h;
    s->theta = stage->theta;
    begin(s, parts, stage->before, stage->after);
    memcpy(stage->v_start + parts->dof, s->v, (size_t)n * sizeof *s->v);
    if (!scree_configuration_evaluate(s->mechanics, s->q, &s->start)) return fail_place(s, err);
    if (by == EXPLICIT_START || by == EXPLICIT_MIDDLE) {
        part->factor = by == EXPLICIT_START ? s->start.L : s->middle.L;
        return free_explicit(s, part->factor, v_free, err);
    }
    memcpy(s->velocity, s->v, (size_t)n * sizeof *s->v);
    for (int i = 0; i < n; i++) s->place[i] = s->q[i] + s->h * s->v[i];
    scree_dense_product(s->start.M, n, s->v, s->momentum[0]);
    memcpy(s->momentum[1], s->momentum[0], sizeof s->momentum[0]);
    scree_status status = by == IMPLICIT_END ? find_matrix(s, err) : SCREE_OK;
    return status ? status : follow(s, by, none, part, v_free, err);
}

static scree_status refresh(scree_parts *parts, const scree_stage *stage, const double *push,
                            bool *changed, scree_error *err) {
    rule by = rule_of(stage->scheme);
    if (by == EXPLICIT_START || by == EXPLICIT_MIDDLE) return SCREE_OK;
    work *s = parts->work;
    *changed = true;
    return follow(s, by, push + parts->dof, &stage->inertia->part[parts->first],
                  stage->v_free + parts->dof, err);
}

// The balance is closed under the impulses of the last refresh, or under none. These are others
// where H followed the step afterwards: it is closed once more, so that the energy is exact under
// them.
static void advance(scree_parts *parts, const scree_stage *stage, bool pushed) {
    work *s = parts->work;
    int n = s->mechanics->coordinates;
    rule by = rule_of(stage->scheme);
    double *q = stage->after->q + parts->coordinate, *v = stage->after->v + parts->dof;
    if (by == EXPLICIT_START || by == EXPLICIT_MIDDLE) {
        scree_parts_advance(parts, stage, pushed);
        return;
    }
    bool implicit = by == IMPLICIT_END;
    scree_error ignored;
    const double *push = pushed ? stage->work + parts->dof : none;
    if (memcmp(push, s->push, (size_t)n * sizeof *push) != 0)
        follow(s, by, push, &stage->inertia->part[parts->first], stage->v_free + parts->dof,
               &ignored);
    memcpy(v, implicit ? s->velocity : s->momentum[1], (size_t)n * sizeof *v);
    if (!implicit) scree_dense_solve(s->end.L, n, v);
    for (int i = 0; i < n; i++) q[i] = s->q[i] + s->h * s->velocity[i];
}

static void end_velocity(const scree_parts *parts, const scree_stage *stage, double *v_end) {
    const work *s = parts->work;
    if (rule_of(stage->scheme) != DISCRETE_GRADIENT) return;
    for (int i = 0; i < s->mechanics->coordinates; i++)
        v_end[parts->dof + i] = 2 * s->velocity[i] - s->v[i];
}

// -------------------------------------------------------------------------------------------------
// the ledger

static void energies(const scree_parts *parts, const scree_state *state, scree_ledger *ledger) {
    const scree_mechanism_def *m = mechanics_of(parts);
    const double *v = state->v + parts->dof;
    scree_configuration at;
    scree_configuration_evaluate(m, state->q + parts->coordinate, &at);
    ledger->kinetic += scree_configuration_kinetic(&at, m->coordinates, v);
    ledger->potential += at.potential;
}

// The works of loads are done with the mean velocity. Where M is that of one place the balance is
// no identity: what impulses, M* (v' - v) - h f, and loads leave of it is the scheme's.
static void fill_ledger(const scree_parts *parts, double theta, const scree_step_record *record,
                        double *scratch, scree_ledger *ledger, double *scale) {
    work s = { .mechanics = mechanics_of(parts), .h = record->h, .theta = theta };
    const double *last = record->after.v + parts->dof, *seen = record->v_end + parts->dof;
    rule by = rule_of(record->scheme);
    int n = s.mechanics->coordinates;
    double load[N], impulse[N] = { 0 }, jump[N], heavy[N], alpha = record->alpha, E = 0;
    scree_ledger first = { 0 }, then = { 0 };
    (void)scratch;
    begin(&s, parts, &record->before, &record->after);
    energies(parts, &record->before, &first);
    energies(parts, &record->after, &then);
    memcpy(s.place, record->after.q + parts->coordinate, (size_t)n * sizeof *s.place);
    for (int i = 0; i < n; i++) s.velocity[i] = (1 - alpha) * s.v[i] + alpha * seen[i];
    scree_configuration_evaluate(s.mechanics, s.q, &s.start);
    if (by == DISCRETE_GRADIENT)
        find_mean_load(&s, load);
    else if (by == IMPLICIT_END)
        find_end_impulse(&s, last, load, impulse, NULL);
    else
        find_impulse(&s, load, impulse);
    for (int i = 0; i < n; i++) jump[i] = last[i] - s.v[i];
    scree_dense_product(by == EXPLICIT_MIDDLE ? s.middle.M : s.start.M, n, jump, heavy);
    *scale += first.kinetic + then.kinetic + fabs(first.potential) + fabs(then.potential);
    for (int i = 0; i < n; i++) {
        double done = s.h * s.velocity[i] * load[i];
        ledger->external_work += done;
        E += done + s.velocity[i] * (heavy[i] - impulse[i]);
        *scale += fabs(done) + fabs(s.velocity[i] * heavy[i]) + fabs(s.velocity[i] * impulse[i]);
    }
    ledger->kinetic += then.kinetic;
    ledger->potential += then.potential;
    if (by != DISCRETE_GRADIENT)
        ledger->numerical_dissipation +=
            then.kinetic - first.kinetic + then.potential - first.potential - E;
}

static const char *objection(const scree_parts *parts, const scree_scheme_options *scheme) {
    (void)parts;
    switch (rule_of(scheme)) {
        case DISCRETE_GRADIENT:
            return scheme->velocity_tolerance > 0
                       ? "contacts that separate may be active: leave velocity_tolerance at auto, "
                         "or 0"
                       : NULL;
        case IMPLICIT_END:
            return "contacts create no energy, but M(q) is that of the start of a step: what this "
                   "does to the energy has either sign";
        default:
            return "M(q) is that of one place in a step: what this does to the energy has either "
                   "sign";
    }
}

const scree_part_kind scree_mechanism_kind = {
    .name = "mechanism",
    .find = find,
    .invert = invert,
    .make = make,
    .accepts = accepts,
    .start = start,
    .free_velocity = free_velocity,
    .refresh = refresh,
    .advance = advance,
    .end_velocity = end_velocity,
    .energies = energies,
    .fill_ledger = fill_ledger,
    .objection = objection,
    .name_of_dof = name_of_dof,
};
