// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_property.c - what must hold for any system: the ledger closes, the theorem keeps its word,
// units, frames and restarts change nothing.
//
// Every number of a step is computed here once more, with plain loops over the matrices that this
// file made itself; only q, v and p are taken from the record.

#include "step/restore.h"

enum { N = 6, CONTACTS = 3 };

typedef struct wave {  // size (mean + amplitude sin(rate t/unit + phase))
    double size, unit, mean, amplitude, rate, phase;
} wave;

typedef struct sample {
    int n, contacts, d;
    double M[N * N], K[N * N], C[N * N], q[N], v[N];
    bool damped, bare;  // bare: no friction, and no tangents given
    wave load[N], offset[CONTACTS], surface[CONTACTS][2];
    double H[CONTACTS][3][N];
    scree_law law[CONTACTS];
    scree_run_options options;
} sample;

// -------------------------------------------------------------------------------------------------
// random systems

static double wave_at(const void *self, double t, double *rate) {
    const wave *w = self;
    *rate = 0;
    if (w->size == 0) return 0;
    *rate = w->size * w->amplitude * w->rate / w->unit * cos(w->rate * (t / w->unit) + w->phase);
    return w->size * (w->mean + w->amplitude * sin(w->rate * (t / w->unit) + w->phase));
}

static wave random_wave(double mean, double amplitude) {
    if (uniform(0, 1) < 0.4) amplitude = 0;
    return (wave){ 1, 1, mean, amplitude * uniform(-1, 1), uniform(1, 20), uniform(0, 6) };
}

static scree_function function_of(const wave *w) {
    if (w->amplitude == 0) return (scree_function){ .constant = w->size * w->mean };
    return (scree_function){ .at = wave_at, .self = w };
}

/// B B^T + shift I, with B of the given rank.
static void random_square(int n, int rank, double size, double shift, double *A) {
    double B[N * N];
    for (int i = 0; i < n * rank; i++) B[i] = uniform(-1, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = i == j ? shift : 0;
            for (int k = 0; k < rank; k++) sum += size * B[i * rank + k] * B[j * rank + k];
            A[i * n + j] = A[j * n + i] = sum;
        }
}

/// narrow: theta within the theorem's hypotheses.
static sample random_sample(scree_scheme scheme, bool narrow) {
    sample one = { .n = random_int(1, N), .d = random_int(2, 3), .contacts = random_int(1, 3) };
    int n = one.n;
    if (uniform(0, 1) < 0.1) one.bare = (one.d = 2);
    random_square(n, n, 1, 0.1, one.M);
    random_square(n, random_int(0, n), uniform(0, 100), 0, one.K);
    one.damped = uniform(0, 1) < 0.5;
    random_square(n, one.damped ? random_int(0, n) : 0, uniform(0, 2), 0, one.C);
    for (int i = 0; i < n; i++) {
        one.q[i] = uniform(-0.1, 0.1);
        one.v[i] = uniform(-1, 1);
    }
    double e_max = 0;
    for (int c = 0; c < one.contacts; c++) {
        double gap = uniform(0, 1) < 0.3 ? 0 : uniform(0, 0.05);
        for (int r = 0; r < one.d; r++)
            for (int i = 0; i < n && !(r && one.bare); i++) one.H[c][r][i] = uniform(-1, 1);
        for (int i = 0; i < n; i++) gap -= one.H[c][0][i] * one.q[i];
        one.offset[c] = random_wave(gap, 0.02);
        one.offset[c].mean -= one.offset[c].amplitude * sin(one.offset[c].phase);
        for (int k = 0; k < 2 && !one.bare; k++)
            one.surface[c][k] = random_wave(uniform(-1, 1), 0.5);
        double e = uniform(-0.3, 1.3), mu = one.bare ? 0 : uniform(-0.2, 1);
        one.law[c] = (scree_law){ .restitution = e < 0   ? 0
                                                 : e > 1 ? 1
                                                         : e,
                                  .friction = mu < 0                ? 0
                                              : uniform(0, 1) < 0.1 ? 20 * mu
                                                                    : mu };
        e_max = fmax(e_max, one.law[c].restitution);
    }
    for (int i = 0; i < n; i++)  // pressed on the first contact
        one.load[i] = random_wave(uniform(-5, 5) - uniform(0, 20) * one.H[0][0][i], 10);
    one.options = scree_run_options_default();
    one.options.scheme.name = scheme;
    one.options.scheme.theta = uniform(0.5, narrow ? 1 / (1 + e_max) : 1);
    if (uniform(0, 1) < 0.2) one.options.scheme.theta = 0.5;
    if (!narrow && uniform(0, 1) < 0.1) one.options.scheme.theta = 1;
    one.options.scheme.step = exp(uniform(log(1e-3), log(2e-2)));
    one.options.duration = 1;
    one.options.accept_unconverged = true;
    one.options.accept_overlaps = true;  // a gap of 0 is one, up to rounding
    return one;
}

static scree_model *build(const sample *one) {
    scree_error err = { 0 };
    scree_model *model = scree_model_new();
    scree_function load[N];
    for (int i = 0; i < one->n; i++) load[i] = function_of(&one->load[i]);
    scree_status status =
        scree_model_set_system(model,
                               &(scree_system){ .coordinates = one->n,
                                                .mass = one->M,
                                                .damping = one->damped ? one->C : NULL,
                                                .stiffness = one->K,
                                                .load = load,
                                                .position = one->q,
                                                .velocity = one->v },
                               &err);
    for (int c = 0; !status && c < one->contacts; c++) {
        double tangent[2 * N];
        for (int i = 0; i < 2 * one->n; i++) tangent[i] = one->H[c][1 + i / one->n][i % one->n];
        scree_matrix_contact contact = { .name = "contact",
                                         .normal = one->H[c][0],
                                         .tangent = tangent,
                                         .tangents = one->bare ? 0 : one->d - 1,
                                         .offset = function_of(&one->offset[c]),
                                         .law = one->law[c] };
        for (int k = 0; k < 2; k++) contact.surface[k] = function_of(&one->surface[c][k]);
        status = scree_model_add_matrix_contact(model, &contact, &err);
    }
    if (!status) status = scree_model_finish(model, &err);
    if (status) COMPLAIN("refused: %s", err.text);
    return model;
}

// -------------------------------------------------------------------------------------------------
// the step once more

static double product(const double *A, const double *x, const double *y, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) sum += x[i] * A[i * n + j] * y[j];
    return sum;
}

static double dot(const double *x, const double *y, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

typedef struct motion {                     // what follows from q, v, p of a record
    double q[N], v[N], dq[N], dv[N], F[N];  // at theta; differences
    double u[CONTACTS][3], u_after[CONTACTS][3], w[CONTACTS][3];  // w at theta
} motion;

static motion motion_of(const sample *one, const scree_step_record *record) {
    motion m = { 0 };
    double theta = one->options.scheme.theta, rate, t[2];
    t[0] = (double)record->before.step * one->options.scheme.step;
    t[1] = (double)record->after.step * one->options.scheme.step;
    for (int i = 0; i < one->n; i++) {
        double q[2] = { record->before.q[i], record->after.q[i] };
        double v[2] = { record->before.v[i], record->after.v[i] };
        m.q[i] = (1 - theta) * q[0] + theta * q[1];
        m.v[i] = (1 - theta) * v[0] + theta * v[1];
        m.dq[i] = q[1] - q[0];
        m.dv[i] = v[1] - v[0];
        m.F[i] = (1 - theta) * wave_at(&one->load[i], t[0], &rate) +
                 theta * wave_at(&one->load[i], t[1], &rate);
    }
    for (int c = 0; c < one->contacts; c++)
        for (int r = 0; r < one->d; r++) {
            double w[2];
            for (int k = 0; k < 2; k++) {
                if (r == 0)
                    wave_at(&one->offset[c], t[k], &w[k]);
                else
                    w[k] =
                        -wave_at(&one->surface[c][r - 1], t[k], &rate);  // seen from the obstacle
            }
            m.u[c][r] = dot(one->H[c][r], record->before.v, one->n) + w[0];
            m.u_after[c][r] = dot(one->H[c][r], record->after.v, one->n) + w[1];
            m.w[c][r] = (1 - theta) * w[0] + theta * w[1];
        }
    return m;
}

static void compare_motion(const sample *one, const motion *m, const scree_step_record *record) {
    int n = one->n;
    double h = one->options.scheme.step;
    CHECK_INT(record->contacts, one->contacts);
    for (int i = 0; i < n; i++) {
        double sum = -h * m->F[i], size = fabs(sum), term;
        for (int j = 0; j < n; j++) {
            sum += term = one->M[i * n + j] * m->dv[j];
            size += fabs(term) + fabs(one->M[i * n + j] * record->before.v[j]);
            sum += term = h * one->K[i * n + j] * m->q[j];
            size += fabs(term);
            sum += term = h * one->C[i * n + j] * m->v[j];
            size += fabs(term);
        }
        for (int c = 0; c < one->contacts; c++)
            for (int r = 0; r < one->d; r++) {
                sum -= term = one->H[c][r][i] * record->contact[c].impulse[r];
                size += fabs(term);
            }
        CHECK_NEAR(sum, 0, 1e-12 * size);
        CHECK_NEAR(m->dq[i], h * m->v[i], 1e-14 * (1 + fabs(m->q[i])));
    }
    for (int c = 0; c < one->contacts; c++) {
        const scree_contact *contact = &record->contact[c];
        for (int r = 0; r < one->d; r++) {
            CHECK_NEAR(contact->u_before[r], m->u[c][r], 1e-13 * (1 + contact->velocity_scale));
            CHECK_NEAR(contact->u_after[r], m->u_after[c][r],
                       1e-13 * (1 + contact->velocity_scale));
            if (contact->status == SCREE_CONTACT_INACTIVE) CHECK(contact->impulse[r] == 0);
        }
        CHECK(contact->impulse[0] >= 0);
    }
}

/// |p - P_K(p - s - mu |s_T| n)| of one contact, s from its own law.
static double law_residual(const sample *one, const motion *m, const scree_contact *contact,
                           int c) {
    double theta = one->options.scheme.theta, mu = one->law[c].friction, s[3] = { 0 }, y[3] = { 0 };
    double tau = one->options.scheme.name == SCREE_MOREAU_JEAN ? 0 : (1 - theta) / theta, miss = 0;
    CHECK_NEAR(contact->tangential_restitution, tau, 1e-15);
    // a contact that separates is kept with the law on its mean velocity
    bool kept = one->options.scheme.approach == SCREE_APPROACH_KEPT && contact->u_before[0] > 0;
    double e = fmax(one->law[c].restitution, kept ? (1 - theta) / theta : 0);
    for (int r = 0; r < one->d; r++) s[r] = m->u_after[c][r] + (r ? tau : e) * m->u[c][r];
    s[0] += mu * hypot(s[1], s[2]);
    for (int r = 0; r < one->d; r++) y[r] = contact->impulse[r] - s[r];
    double slide = hypot(y[1], y[2]), shrink = 1;
    if (y[0] < 0 || slide > mu * y[0]) {
        y[0] = mu * slide <= -y[0] ? 0 : (y[0] + mu * slide) / (1 + mu * mu);
        shrink = slide > 0 ? mu * y[0] / slide : 0;
    }
    for (int r = 0; r < one->d; r++)
        miss = hypot(miss, contact->impulse[r] - y[r] * (r ? shrink : 1));
    return miss;
}

/// Near a paradox of large friction impulses are huge, and W p alone is rounded by more than the
/// tolerance allows: such a problem may be refused.
static bool rounding_forbids(const scree_step_record *record, double tolerance) {
    const scree_problem *problem = &record->problem;
    double size = 0, b = 0;
    for (int r = 0; r < problem->dimension; r++) {
        for (int c = 0; c < problem->dimension; c++)
            size +=
                fabs(problem->block[r * problem->dimension + c] * record->contact[0].impulse[c]);
        b += fabs(problem->b[r]);
    }
    return 1e-16 * size > tolerance * b;
}

typedef struct tally {
    int64_t steps, active, unconverged, unconverged_alone, unconverged_free, creating;
    double residual_over_bound, bound, law, threshold, created;
    double energy;  // the largest number in the ledgers of a sample
} tally;

/// All of one step against the record; returns the largest contact work beyond its threshold.
static void check_step(const sample *one, const scree_simulation *simulation, bool theorem,
                       tally *all) {
    const scree_step_record *record = scree_simulation_record(simulation);
    const scree_ledger *ledger = scree_simulation_ledger(simulation);
    motion m = motion_of(one, record);
    compare_motion(one, &m, record);

    int n = one->n;
    double theta = one->options.scheme.theta, h = one->options.scheme.step;
    double tolerance = one->options.solver.tolerance;
    double kinetic = product(one->M, record->after.v, record->after.v, n) / 2;
    double elastic = product(one->K, record->after.q, record->after.q, n) / 2;
    double before = (product(one->M, record->before.v, record->before.v, n) +
                     product(one->K, record->before.q, record->before.q, n)) /
                    2;
    double external = h * dot(m.F, m.v, n), damping = -h * product(one->C, m.v, m.v, n);
    double numerical =
        (0.5 - theta) * (product(one->M, m.dv, m.dv, n) + product(one->K, m.dq, m.dq, n));
    double normal = 0, tangential = 0, boundary = 0, room = 0, size = kinetic + elastic + before;
    bool creates = false;
    for (int c = 0; c < one->contacts; c++) {
        const scree_contact *contact = &record->contact[c];
        double works[2] = { 0 }, largest = 0;
        for (int r = 0; r < one->d; r++) {
            double u = (1 - theta) * m.u[c][r] + theta * m.u_after[c][r];
            works[r > 0] += u * contact->impulse[r];
            boundary -= m.w[c][r] * contact->impulse[r];
            largest += (fabs(m.u[c][r]) + fabs(m.u_after[c][r])) * fabs(contact->impulse[r]);
        }
        normal += works[0];
        tangential += works[1];
        size += largest + fabs(boundary);
        all->active += contact->status != SCREE_CONTACT_INACTIVE;
        scree_contact_work work = scree_ledger_contact(contact, one->d, theta, tolerance);
        CHECK_NEAR(work.normal, works[0], 1e-12 * (1 + size));
        CHECK_NEAR(work.tangential, works[1], 1e-12 * (1 + size));
        room += 2 * work.threshold;
        all->energy = fmax(all->energy, size);
        all->threshold = fmax(all->threshold, work.threshold / all->energy);
        if (!record->report.converged) continue;
        creates = creates || works[0] > work.threshold || works[1] > work.threshold;
        all->created = fmax(all->created, works[0] + works[1]);
        if (theorem && (works[0] > work.threshold || works[1] > work.threshold))
            COMPLAIN("created: normal %.3g, tangential %.3g, threshold %.3g, theta %g, e %g, mu %g",
                     works[0], works[1], work.threshold, theta, one->law[c].restitution,
                     one->law[c].friction);
        if (contact->status != SCREE_CONTACT_INACTIVE)
            all->law = fmax(all->law, law_residual(one, &m, contact, c) / (1 + largest));
    }
    size += fabs(external) + fabs(damping) + fabs(numerical);

    // column by column
    CHECK_NEAR(ledger->kinetic, kinetic, 1e-13 * size);
    CHECK_NEAR(ledger->elastic, elastic, 1e-13 * size);
    CHECK(ledger->potential == 0 && ledger->joint_work == 0 && ledger->correction_work == 0);
    CHECK_NEAR(ledger->external_work, external, 1e-13 * size);
    CHECK_NEAR(ledger->damping_work, damping, 1e-13 * size);
    CHECK_NEAR(ledger->numerical_dissipation, numerical, 1e-13 * size);
    CHECK_NEAR(ledger->contact_normal_work, normal, 1e-13 * size);
    CHECK_NEAR(ledger->contact_tangential_work, tangential, 1e-13 * size);
    CHECK_NEAR(ledger->boundary_work, boundary, 1e-13 * size);
    double gain = kinetic + elastic - before;
    double left = gain - external - damping - numerical - normal - tangential - boundary;
    CHECK_NEAR(left, 0, ledger->bound);
    CHECK_NEAR(ledger->residual, 0, ledger->bound);
    CHECK(ledger->damping_work <= 1e-14 * size && ledger->numerical_dissipation <= 1e-14 * size);
    all->residual_over_bound = fmax(all->residual_over_bound, fabs(left) / ledger->bound);
    all->energy = fmax(all->energy, size);
    all->bound = fmax(all->bound, ledger->bound / all->energy);
    if (theorem && record->report.converged)
        CHECK(gain <= external + damping + boundary + room + ledger->bound);
    all->creating += creates;
    all->unconverged += !record->report.converged;
    bool solvable = one->contacts <= one->n && one->d <= one->n;
    all->unconverged_alone += !record->report.converged && solvable && one->contacts == 1 &&
                              !rounding_forbids(record, one->options.solver.tolerance);
    all->unconverged_free += !record->report.converged && solvable;
    all->steps++;
}

static tally check_samples(scree_scheme scheme, scree_approach approach, bool narrow, int samples) {
    bool theorem = narrow && scheme == SCREE_MOREAU_JEAN_FREMOND;
    tally all = { 0 };
    for (int k = 0; k < samples / FEWER; k++) {
        sample one = random_sample(scheme, narrow);
        one.options.scheme.approach = approach;
        scree_model *model = build(&one);
        scree_simulation *simulation = start(model, &one.options);
        int64_t creating = all.creating;
        all.energy = scree_simulation_ledger(simulation)->kinetic;
        scree_theorem verdict = scree_simulation_theorem(simulation);
        bool friction = false;
        for (int c = 0; c < one.contacts; c++) friction = friction || one.law[c].friction > 0;
        if (narrow && verdict.holds != (theorem || !friction))
            COMPLAIN("theorem: %s", verdict.reason);
        for (int step = 0; step < STEPS; step++) {
            scree_error err = { 0 };
            if (scree_simulation_step(simulation, &err) != SCREE_OK) {
                COMPLAIN("step %d: %s", step, err.text);
                break;
            }
            check_step(&one, simulation, theorem, &all);
            // a problem without solution, or a scheme that explodes: enough seen
            const scree_report *report = &scree_simulation_record(simulation)->report;
            if (!report->converged && (one.n < one.d || one.n < one.contacts)) break;
            if (all.energy > 1e9) break;
        }
        const scree_totals *totals = scree_simulation_totals(simulation);
        if (totals->unconverged == 0)
            CHECK_INT(totals->steps_creating_energy, all.creating - creating);
        scree_simulation_free(simulation);
        scree_model_free(model);
    }
    printf(
        "%s%s: %lld steps, %lld active contacts, %lld steps creating energy (at most %.2g);\n"
        "    unconverged %lld, on enough coordinates %lld, of these with one contact %lld;\n"
        "    ledger residual/bound %.2g, bound/energy %.2g, threshold/energy %.2g, law %.2g\n",
        scree_scheme_name(scheme), theorem ? ", theorem" : "", (long long)all.steps,
        (long long)all.active, (long long)all.creating, all.created, (long long)all.unconverged,
        (long long)all.unconverged_free, (long long)all.unconverged_alone, all.residual_over_bound,
        all.bound, all.threshold, all.law);
    CHECK(all.active > all.steps / 4);
    CHECK(all.bound < 1e-10 && all.threshold < 1e-5 && all.law < 1e-8);
    // one contact on enough coordinates always has a solution, and so have obstacles that cannot
    // squeeze the system; solvers do not find all of these where mu is 20, least with kept contacts
    CHECK_INT(all.unconverged_alone, 0);
    CHECK(all.unconverged_free < all.steps / (approach == SCREE_APPROACH_KEPT ? 150 : 500));
    return all;
}

static void fremond_never_creates_energy(void) {
    tally all = check_samples(SCREE_MOREAU_JEAN_FREMOND, SCREE_APPROACH_REQUIRED, true, 2000);
    CHECK_INT(all.creating, 0);
}

static void kept_contacts_do_not_either(void) {
    tally all = check_samples(SCREE_MOREAU_JEAN_FREMOND, SCREE_APPROACH_KEPT, true, 1000);
    CHECK_INT(all.creating, 0);
}

static void ledger_closes_outside_the_theorem(void) {
    check_samples(SCREE_MOREAU_JEAN_FREMOND, SCREE_APPROACH_REQUIRED, false, 500);
    check_samples(SCREE_MOREAU_JEAN_FREMOND, SCREE_APPROACH_KEPT, false, 500);
}

static void moreau_jean_does_create_energy(void) {
    tally all = check_samples(SCREE_MOREAU_JEAN, SCREE_APPROACH_REQUIRED, true, 1000);
    CHECK(all.creating > 100 && all.created > 1e-3);
}

/// A single coordinate under one contact with friction: the tangent moves with the normal. As long
/// as mu |H_T| < |H_N| there is an answer, whatever e, tau and the obstacle do.
static void one_coordinate_with_friction(void) {
    tally all = { 0 };
    for (int k = 0; k < 500; k++) {
        sample one = random_sample(k % 2 ? SCREE_MOREAU_JEAN : SCREE_MOREAU_JEAN_FREMOND, false);
        if (one.bare) continue;
        one.n = one.contacts = 1;
        one.M[0] = uniform(0.1, 9);
        one.H[0][0][0] = uniform(0.5, 1);
        one.law[0].friction = uniform(0, 0.3);
        one.load[0].mean = uniform(-20, 0);
        one.v[0] = uniform(-3, 0);
        one.K[0] = one.C[0] = 0;
        one.options.scheme.step = 0.01;
        scree_model *model = build(&one);
        scree_simulation *simulation = start(model, &one.options);
        for (int step = 0; step < STEPS; step++) {
            scree_error err;
            if (scree_simulation_step(simulation, &err) != SCREE_OK) COMPLAIN("%s", err.text);
            check_step(&one, simulation, false, &all);
        }
        scree_simulation_free(simulation);
        scree_model_free(model);
    }
    CHECK(all.active > all.steps / 10);
    CHECK_INT(all.unconverged, 0);
}

// -------------------------------------------------------------------------------------------------
// the same motion in other words

/// The same system with other units of mass, length and time.
static sample in_units(const sample *one, double mass, double length, double time) {
    sample two = *one;
    for (int i = 0; i < one->n * one->n; i++) {
        two.M[i] *= mass;
        two.C[i] *= mass / time;
        two.K[i] *= mass / (time * time);
    }
    for (int i = 0; i < one->n; i++) {
        two.q[i] *= length;
        two.v[i] *= length / time;
        two.load[i].size *= mass * length / (time * time);
        two.load[i].unit *= time;
    }
    for (int c = 0; c < one->contacts; c++) {
        two.offset[c].size *= length;
        two.offset[c].unit *= time;
        for (int k = 0; k < 2; k++) {
            two.surface[c][k].size *= length / time;
            two.surface[c][k].unit *= time;
        }
    }
    two.options.scheme.step *= time;
    two.options.duration *= time;
    return two;
}

/// Step both; the largest difference of q and v, or -1 where an event came one step later.
static double largest_difference(const sample *one, const sample *two, double length, double time) {
    scree_model *model[2] = { build(one), build(two) };
    scree_simulation *run[2] = { start(model[0], &one->options), start(model[1], &two->options) };
    double apart = 0;
    for (int step = 0; step < STEPS && apart >= 0; step++) {
        scree_error err;
        for (int k = 0; k < 2; k++)
            if (scree_simulation_step(run[k], &err) != SCREE_OK) COMPLAIN("%s", err.text);
        const scree_step_record *record[2] = { scree_simulation_record(run[0]),
                                               scree_simulation_record(run[1]) };
        if (!record[0]->report.converged || !record[1]->report.converged) break;
        double q_size = 0, v_size = 0;
        for (int i = 0; i < one->n; i++) {
            q_size = fmax(q_size, fabs(record[0]->after.q[i]));
            v_size = fmax(v_size, fabs(record[0]->after.v[i]));
        }
        for (int i = 0; i < one->n; i++) {
            double q = record[1]->after.q[i] / length - record[0]->after.q[i];
            double v = record[1]->after.v[i] / (length / time) - record[0]->after.v[i];
            apart = fmax(apart, fmax(fabs(q) / q_size, fabs(v) / v_size));
        }
        if (record[0]->active != record[1]->active) apart = -1;
    }
    for (int k = 0; k < 2; k++) {
        scree_simulation_free(run[k]);
        scree_model_free(model[k]);
    }
    return apart;
}

static void units_do_not_matter(void) {
    double worst = 0;
    int flips = 0, bits = 0, far = 0, runs = 0;
    for (int k = 0; k < 600; k++) {
        sample one = random_sample(k % 2 ? SCREE_MOREAU_JEAN : SCREE_MOREAU_JEAN_FREMOND, false);
        if (one.n < one.d || one.n < one.contacts) continue;  // may have no solution, or several
        one.options.scheme.approach = SCREE_APPROACH_REQUIRED;
        one.options.solver.tolerance = 1e-13;
        runs++;
        sample two = in_units(&one, 0.37, 2.9, 1.3);
        double apart = largest_difference(&one, &two, 2.9, 1.3);
        flips += apart < 0;
        far += apart > 1e-9;
        worst = fmax(worst, apart);
        two = in_units(&one, 0x1p4, 0x1p-3, 0x1p2);
        bits += largest_difference(&one, &two, 0x1p-3, 0x1p2) == 0;
    }
    printf(
        "units: apart at most %.2g, %d beyond 1e-9, %d with an event in another step, powers of "
        "two: %d of %d the same bits\n",
        worst, far, flips, bits, runs);
    CHECK_INT(far, 0);
    CHECK_INT(flips, 0);
    CHECK(bits >= runs * 9 / 10);
}

static void same_bits_again_and_after_a_restart(void) {
    for (int k = 0; k < 120 / FEWER; k++) {
        sample one = random_sample(k % 2 ? SCREE_MOREAU_JEAN : SCREE_MOREAU_JEAN_FREMOND, false);
        scree_model *model = build(&one);
        restores(model, &one.options, k % 4 < 2);
        scree_model_free(model);
    }
}

TEST_FILE(test_property) {
    TEST(fremond_never_creates_energy);
    TEST(kept_contacts_do_not_either);
    TEST(ledger_closes_outside_the_theorem);
    TEST(moreau_jean_does_create_energy);
    TEST(one_coordinate_with_friction);
    TEST(units_do_not_matter);
    TEST(same_bits_again_and_after_a_restart);
    return harness_end();
}
