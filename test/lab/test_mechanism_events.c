// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// The event-driven scheme of mechanisms against that of matrix systems and closed forms, and the
// time-stepping schemes against it.

#include "scene_text.h"
#include "simulation_text.h"
#include "test_mechanism_examples.h"

static scree_run_options options_of(double step) {
    scree_run_options options = scree_run_options_default();
    options.scheme.name = SCREE_EVENT_DRIVEN;
    options.scheme.step = step;
    return options;
}

static scree_events *open(const scree_mechanism_def *m, const scree_run_options *options) {
    scree_events *made;
    scree_error err = { 0 };
    if (scree_events_of_mechanism(m, options, &made, &err)) COMPLAIN("%s", err.text);
    return made;
}

// so many steps; balances must close and gaps stay closed all the way
static bool go(scree_events *e, int steps) {
    scree_error err = { 0 };
    scree_account account;
    for (int k = 0; e && k < steps; k++) {
        if (scree_events_step(e, &account, &err)) {
            COMPLAIN("%s", err.text);
            return false;
        }
        CHECK(fabs(account.ledger.residual) <= account.ledger.bound);
        CHECK(account.penetration < 1e-11);
    }
    return e != NULL;
}

// -------------------------------------------------------------------------------------------------
// systems that both can do

static void compare_events(const char *text, double step, int steps, int least) {
    scree_simulation *simulation = open_text(text, NULL, 0);
    if (!simulation) return;
    const scree_model *model = scree_simulation_model(simulation);
    const scree_run_options options = options_of(step);
    scree_law law[SCREE_MECHANISM_CONTACTS];
    scree_mechanism_def m = matrix_mechanics(model, law);
    scree_events *one = open(&m, &options), *two;
    scree_error err = { 0 };
    if (scree_events_new(model, &options, &two, &err)) COMPLAIN("%s", err.text);
    const scree_event *mine, *other;
    double late = 0, off = 0;
    if (go(one, steps) && go(two, steps)) {
        int found = scree_events_list(one, &mine);
        CHECK_INT(found, scree_events_list(two, &other));
        CHECK(found >= least);
        for (int k = 0; k < found && k < scree_events_list(two, &other); k++) {
            CHECK_TEXT(scree_event_kind_name(mine[k].kind), scree_event_kind_name(other[k].kind));
            CHECK_INT(mine[k].contact, other[k].contact);
            late = fmax(late, fabs(mine[k].time - other[k].time));
        }
        for (int i = 0; i < m.coordinates; i++)
            off = fmax(off, fabs(scree_events_record(one)->after.v[i] -
                                 scree_events_record(two)->after.v[i]));
        CHECK_NEAR(late, 0, 1e-11);
        CHECK_NEAR(off, 0, 1e-11);
        printf("%d events, times differ by %.2g, velocities by %.2g\n", found, late, off);
    }
    scree_events_free(one);
    scree_events_free(two);
    scree_simulation_free(simulation);
}

static const char damped[] =
    "system:\n"
    "  mass: [[2, 0.3, 0.1], [0.3, 1, -0.2], [0.1, -0.2, 1.5]]\n"
    "  stiffness: [[40, -10, 0], [-10, 30, -5], [0, -5, 20]]\n"
    "  damping: [[0.4, 0.1, 0], [0.1, 0.3, 0], [0, 0, 0.6]]\n"
    "  load: [8*sin(3*t), -2, 5*cos(2*t)]\n"
    "  position: [0.1, 0.2, -0.1]\n"
    "  velocity: [0.5, -1, 0.3]\n"
    "  contacts:\n"
    "    - {name: one, normal: [1, 0.2, 0], tangent: [0, 1, 0.5], gap: 0.1, friction: 0.4,\n"
    "       restitution: 0.3}\n"
    "    - {name: two, normal: [0, -0.3, 1], tangent: [1, 0, 0.2], gap: 0.2, friction: 0.7}\n"
    "scheme: {name: event-driven, step: 0.05, duration: 8}\n";

static void events_are_those_of_matrix_systems(void) {
    compare_events(scene_text("klarbring"), 0.25, 48, 6);
    compare_events(damped, 0.05, 160, 20);
}

// the stick falls freely, so that the time of its impact is a root and its impact a formula
static double stick_gap(const double *q, const double *v, double t) {
    return q[1] + v[1] * t - 5 * t * t - cos(q[2] + v[2] * t) / 2;
}

static void stick_falls_as_it_must(void) {
    const double q[] = { sin(45 * degree) / 2, cos(45 * degree) / 2 + 0.01, 45 * degree };
    const double v[] = { -0.5, 0.1, 0.1 };
    const scree_law law = { .restitution = 1, .friction = 0.01 };
    const scree_mechanism_def m = { 3,    1, NULL, bar_mass, bar_weight, NULL, bar_end,
                                    &law, q, v,    NULL,     NULL,       NULL };
    const scree_run_options options = options_of(0.1);
    scree_events *e = open(&m, &options);
    const scree_event *event;
    double low = 0.01, high = 0.2;
    for (int k = 0; k < 200; k++)
        *(stick_gap(q, v, (low + high) / 2) > 0 ? &low : &high) = (low + high) / 2;
    double there[] = { 0, 0, q[2] + v[2] * high }, with[] = { v[0], v[1] - 10 * high, v[2] };
    double after[3], p[2];
    const scree_solver_options exact = solver();
    scree_error err = { 0 };
    CHECK(!scree_mechanism_impact(&m, SCREE_MOREAU_JEAN, &exact, there, with, after, p, &err));
    if (go(e, 1)) {
        CHECK_INT(scree_events_list(e, &event), 1);
        CHECK_NEAR(event[0].time, high, 1e-14);
        CHECK_NEAR(event[0].impulse[0], p[0], 1e-12);
        CHECK_NEAR(event[0].impulse[1], p[1], 1e-12);
        CHECK_NEAR(scree_events_record(e)->after.v[2], after[2], 1e-12);
    }
    scree_events_free(e);
}

// -------------------------------------------------------------------------------------------------
// free motion, and motion on a constraint that bends

static double drift_of_energy(const scree_mechanism_def *m, double step, int steps) {
    const scree_run_options options = options_of(step);
    scree_events *e = open(m, &options);
    scree_error err = { 0 };
    scree_account account;
    double first = NAN, worst = 0, scale = 0;
    for (int k = 0; e && k < steps; k++) {
        if (scree_events_step(e, &account, &err)) {
            COMPLAIN("%s", err.text);
            worst = NAN;
            break;
        }
        double energy = account.ledger.kinetic + account.ledger.potential;
        if (k == 0) first = energy;
        scale = fmax(scale, account.ledger.kinetic + fabs(account.ledger.potential));
        worst = fmax(worst, fabs(energy - first));
    }
    scree_events_free(e);
    return worst / scale;
}

static void swinging_keeps_the_energy(void) {
    const double depth = 10, q[] = { 1, 2 }, v[] = { 0.5, -1 };
    const scree_mechanism_def m = {
        2, 0, &depth, pendulum_mass, pendulum_weight, NULL, NULL, NULL, q, v, NULL, NULL, NULL
    };
    double drift = drift_of_energy(&m, 0.1, 20);
    CHECK(drift < 1e-12);
    printf("free double pendulum over 2 s: energy to %.2g\n", drift);
}

// the rod in other units: lengths are measured in pieces of `unit` metres
typedef struct measured {
    double unit;
} measured;

static void measured_mass(const void *self, const double *q, double *M, double *dM) {
    double unit = ((const measured *)self)->unit;
    bar_mass(NULL, q, M, dM);
    M[0] *= unit * unit;
    M[4] *= unit * unit;
}

static double measured_weight(const void *self, const double *q, double *gradient) {
    double unit = ((const measured *)self)->unit;
    gradient[0] = gradient[2] = 0;
    gradient[1] = 9.81 * unit;
    return 9.81 * q[1] * unit;
}

static double measured_end(const void *self, int contact, const double *q, double *normal,
                           double *tangent) {
    double unit = ((const measured *)self)->unit;
    const double metres[] = { q[0] * unit, q[1] * unit, q[2] };
    double gap = rod_end(NULL, contact, metres, normal, tangent) / unit;
    normal[2] /= unit;
    tangent[2] /= unit;
    return gap;
}

// without friction a rod that slides on its tip keeps its energy and its horizontal velocity: the
// other end hits the ground when it lies, and the time of that is the same in all units
static void sliding_rod_falls_alike_in_all_units(void) {
    static const double units[] = { 1, 1e-3, 1e3, 0.3048 };
    const scree_law law[] = { { .friction = 0 }, { .friction = 0 } };
    double time[4] = { 0 };
    for (int k = 0; k < 4; k++) {
        const measured self = { units[k] };
        double q[3], v[3];
        rod_start(1, 0.5, 0.7, q, v);
        for (int i = 0; i < 2; i++) {
            q[i] /= units[k];
            v[i] /= units[k];
        }
        const scree_mechanism_def m = {
            3, 2,    &self, measured_mass, measured_weight, NULL, measured_end, law, q,
            v, NULL, NULL,  NULL
        };
        const scree_run_options options = options_of(0.05);
        scree_events *e = open(&m, &options);
        const scree_event *event;
        scree_error err = { 0 };
        scree_account account = { 0 };
        double first = 9.81 * sin(1) / 2 + dot(v, v, 2) / 2 * units[k] * units[k] + 0.125 / 12;
        int found = 0;
        while (e && found < 3 && scree_events_record(e)->after.time < 2) {
            if (scree_events_step(e, &account, &err)) {
                COMPLAIN("%s", err.text);
                break;
            }
            found = scree_events_list(e, &event);
            double energy = account.ledger.kinetic + account.ledger.potential;
            if (found < 2) CHECK_NEAR(energy, first, 1e-12 * first);
            CHECK(fabs(account.ledger.residual) <= account.ledger.bound);
            CHECK(account.penetration * units[k] < 1e-11);
        }
        for (int i = 0; i < found && time[k] == 0; i++)
            if (event[i].contact == 1) time[k] = event[i].time;
        CHECK_NEAR(time[k], time[0], 1e-11);
        scree_events_free(e);
    }
    // the energy as a function of the angle and its rate gives the time as an integral
    double sum = 0, constant = 9.81 * sin(1) / 2 + 0.125 * (1 / 12. + cos(1) * cos(1) / 4);
    enum { PIECES = 20000 };
    for (int i = 0; i <= 2 * PIECES; i++) {
        double theta = i / (2. * PIECES), inertia = 1 / 12. + cos(theta) * cos(theta) / 4;
        double weight = i == 0 || i == 2 * PIECES ? 1 : i % 2 ? 4 : 2;
        sum += weight * sqrt(inertia / (2 * (constant - 9.81 * sin(theta) / 2))) / (6. * PIECES);
    }
    CHECK(time[0] > 0);
    CHECK_NEAR(time[0], sum, 1e-11);
    printf("rod lies at %.12f, by an integral at %.12f\n", time[0], sum);
}

// a bead that slides in the troughs of a floor of waves, whose length is all there is of a scale
static void bead_mass(const void *self, const double *q, double *M, double *dM) {
    const double mass[] = { 1, 0, 0, 1 };
    (void)self;
    (void)q;
    memcpy(M, mass, sizeof mass);
    memset(dM, 0, 8 * sizeof *dM);
}

static double bead_weight(const void *self, const double *q, double *gradient) {
    (void)self;
    gradient[0] = 0;
    gradient[1] = 10;
    return 10 * q[1];
}

static double bead_floor(const void *self, int contact, const double *q, double *normal,
                         double *tangent) {
    double length = *(const double *)self;
    (void)contact;
    normal[0] = sin(q[0] / length) / 4;
    normal[1] = 1;
    tangent[0] = 1;
    tangent[1] = 0;
    return q[1] - length * cos(q[0] / length) / 4;
}

static void bead_slides_alike_on_waves_of_any_length(void) {
    static const double lengths[] = { 1, 1e-4, 1e4 };
    const scree_law law = { .friction = 0 };
    double end[3] = { 0 };
    for (int k = 0; k < 3; k++) {
        double pace = sqrt(lengths[k]);
        const double q[] = { 180 * degree * lengths[k], -lengths[k] / 4 }, v[] = { 1.2 * pace, 0 };
        const scree_mechanism_def m = { 2,    1,          &lengths[k], bead_mass, bead_weight,
                                        NULL, bead_floor, &law,        q,         v,
                                        NULL, NULL,       NULL };
        const scree_run_options options = options_of(0.1 * pace);
        scree_events *e = open(&m, &options);
        if (!go(e, 50)) return;
        CHECK_INT(scree_events_record(e)->active, 1);
        end[k] = scree_events_record(e)->after.q[0] / lengths[k];
        CHECK_NEAR(end[k], end[0], 1e-11);
        double drift = drift_of_energy(&m, 0.1 * pace, 50);
        CHECK(drift < 1e-12);
        printf("bead on waves of %g: at %.13f, energy to %.2g\n", lengths[k], end[k], drift);
        scree_events_free(e);
    }
}

// -------------------------------------------------------------------------------------------------
// Kane's pendulum: the time-stepping schemes against it

static double error_of(const scree_mechanism_def *m, scree_scheme name, double h, double t,
                       const double *exact) {
    scree_scheme_options scheme = scree_scheme_options_default();
    scheme.name = name;
    scheme.step = h;
    scree_solver_options options = solver();
    scree_mechanism *s;
    scree_error err = { 0 };
    scree_account account;
    if (scree_mechanism_new(m, &scheme, &options, &s, &err)) {
        COMPLAIN("%s", err.text);
        return NAN;
    }
    double off = 0;
    for (int k = 0; k < (int)nearbyint(t / h); k++)
        if (scree_mechanism_step(s, &account, &err)) {
            COMPLAIN("%s", err.text);
            off = NAN;
        }
    for (int i = 0; i < 2; i++)
        off = fmax(off, fabs(scree_mechanism_record(s)->after.q[i] - exact[i]));
    scree_mechanism_free(s);
    return off;
}

static void kane_is_approached_by_all_schemes(void) {
    static const scree_scheme schemes[] = { SCREE_MOREAU_JEAN, SCREE_MOREAU_JEAN_FREMOND,
                                            SCREE_MOREAU, SCREE_NSCD };
    enum {
        REFINED = SANITIZED ? 3 : 5,
        EARLY = 2,
        LATE = 8
    };  // steps of 1/16 s; the impact is at 0.4423 s
    const double step = 0.0625, depth = 1.75, q[] = { 50 * degree, 20 * degree };
    const double v[] = { -0.1, -0.2 };
    const scree_run_options options = options_of(step);
    for (int i = 0; i < 4; i++) {
        bool nscd = schemes[i] == SCREE_NSCD, mean = schemes[i] == SCREE_MOREAU_JEAN_FREMOND;
        const scree_law law = { .restitution = nscd ? 0 : 0.5, .friction = 0.5 };
        const scree_mechanism_def m = {
            2, 1,    &depth, pendulum_mass, pendulum_weight, NULL, pendulum_tip, &law, q,
            v, NULL, NULL,   NULL
        };
        scree_events *e = open(&m, &options);
        const scree_event *event;
        double off[2][REFINED];
        for (int k = 0; k < 2; k++) {
            if (!go(e, k ? LATE - EARLY : EARLY)) return;
            const scree_state *exact = &scree_events_record(e)->after;
            for (int n = 0; n < REFINED; n++)
                off[k][n] = error_of(&m, schemes[i], step / (64 << n), exact->time, exact->q);
            printf("%s at %g: %.3g .. %.3g\n", scree_scheme_name(schemes[i]), exact->time,
                   off[k][0], off[k][REFINED - 1]);
            CHECK(k || scree_events_list(e, &event) == 0);
        }
        CHECK(scree_events_list(e, &event) >= 1);
        CHECK_NEAR(event[0].time, 0.442311, 1e-6);
        CHECK_TEXT(scree_event_kind_name(event[0].kind), "impact");
        for (int n = 1; n < REFINED; n++) CHECK_NEAR(off[0][n - 1] / off[0][n], mean ? 4 : 2, 0.1);
        // where in a step the impact falls makes the order a rough one
        CHECK(off[1][REFINED - 1] < off[1][0] / (1 << (REFINED - 2)));
        scree_events_free(e);
    }
}

// Kane's impact itself, by Newton's law
static void kane_gains_energy_at_once(void) {
    const double q[] = { 20 * degree, 30 * degree }, v[] = { -0.1, -0.2 };
    const double depth = cos(q[0]) + cos(q[1]);
    const scree_law law = { .restitution = 0.5, .friction = 0.5 };
    const scree_mechanism_def m = { 2,    1, &depth, pendulum_mass, NULL, NULL, pendulum_tip,
                                    &law, q, v,      NULL,          NULL, NULL };
    const scree_run_options options = options_of(1e-3);
    scree_events *e = open(&m, &options);
    const scree_event *event;
    if (!e) return;
    CHECK(scree_events_list(e, &event) >= 1 && event[0].time == 0);
    // the state of step 0 is the given one; the impact is booked in the first step
    const scree_state *state = &scree_events_record(e)->after;
    CHECK_NEAR(kinetic(&m, state->q, state->v), 0.023181410863455, 1e-12);
    scree_account account;
    scree_error err = { 0 };
    CHECK(scree_events_step(e, &account, &err) == SCREE_OK);
    state = &scree_events_record(e)->after;
    CHECK_NEAR(kinetic(&m, state->q, state->v), 0.036800366581273, 1e-12);
    CHECK_NEAR(account.energy_created, 0.036800366581273 - 0.023181410863455, 1e-12);
    CHECK(fabs(account.ledger.residual) <= account.ledger.bound);
    scree_events_free(e);
}

// -------------------------------------------------------------------------------------------------
// Painleve's rod

static void rod_slides_or_stops_at_its_paradox(void) {
    const scree_run_options options = options_of(0.025);
    double q[3], v[3];
    rod_start(atan(2), 3, 1, q, v);
    scree_law law[] = { { .friction = 1.5 }, { .friction = 1.5 } };
    const char *const names[] = { "tip", "end" };
    const scree_mechanism_def m = { 3,   2, NULL, bar_mass, rod_weight, NULL, rod_end,
                                    law, q, v,    names,    NULL,       NULL };
    scree_events *e;
    scree_error err = { 0 };
    CHECK(scree_events_of_mechanism(&m, &options, &e, &err) == SCREE_BAD_INPUT && !e);
    CHECK(strstr(err.text, "Painleve's paradox, friction at tip"));
    // with less friction there is none, and moreau-jean comes to the same
    law[0].friction = law[1].friction = 0.6;
    e = open(&m, &options);
    if (!go(e, 8)) return;
    const scree_event *event;
    CHECK(scree_events_list(e, &event) >= 2);  // touches and slides
    const double *exact = scree_events_record(e)->after.q;
    double off[4];
    for (int n = 0; n < 4; n++) {
        scree_scheme scheme = n < 2 ? SCREE_MOREAU_JEAN : SCREE_MOREAU;
        off[n] = error_of(&m, scheme, n % 2 ? 1e-5 : 1e-4, 0.2, exact);
    }
    CHECK(off[0] < 1e-2 && off[1] < off[0] / 5);
    CHECK(off[2] < 1e-2 && off[3] < off[2] / 5);
    printf("rod at 0.2 s: moreau-jean %.3g %.3g, moreau %.3g %.3g\n", off[0], off[1], off[2],
           off[3]);
    scree_events_free(e);
}

// -------------------------------------------------------------------------------------------------
// random mechanisms

static void balances_of_random_mechanisms_close(void) {
    int steps = 0, impacts = 0, stopped = 0, closed = 0;
    double worst = 0;
    seed = 31;
    for (int k = 0; k < 60 / FEWER; k++) {
        machine made = random_machine();
        const scree_mechanism_def m = mechanics_of(&made);
        const scree_run_options options = options_of(0.02);
        scree_error err = { 0 };
        scree_account account;
        scree_events *e;
        scree_status status = scree_events_of_mechanism(&m, &options, &e, &err);
        for (int i = 0; i < 25 && !status; i++) {
            status = scree_events_step(e, &account, &err);
            if (status) break;
            steps++;
            closed += account.active > 0;
            CHECK(fabs(account.ledger.residual) <= account.ledger.bound);
            CHECK(account.penetration < 1e-11);
            worst = fmax(worst, fabs(account.ledger.residual) / account.ledger.bound);
        }
        const scree_event *event;
        int found = e ? scree_events_list(e, &event) : 0;
        for (int i = 0; i < found; i++) impacts += event[i].kind == SCREE_EVENT_IMPACT;
        // laws that have no or several solutions are nobody's fault; other errors would be
        if (status) {
            stopped++;
            if (!strstr(err.text, "agree")) COMPLAIN("%s", err.text);
        }
        scree_events_free(e);
    }
    printf("%d steps, %d with contact, %d impacts, %d runs stopped, residuals to %.2g of bounds\n",
           steps, closed, impacts, stopped, worst);
    CHECK(steps > 1000 / FEWER && impacts > 80 / FEWER && closed > 300 / FEWER && stopped < 15);
}

static void restored_states_have_the_same_bits(void) {
    const double depth = 1.75, q[] = { 50 * degree, 20 * degree }, v[] = { -0.1, -0.2 };
    const scree_law law = { .restitution = 0.5, .friction = 0.5 };
    const scree_mechanism_def m = {
        2, 1,    &depth, pendulum_mass, pendulum_weight, NULL, pendulum_tip, &law, q,
        v, NULL, NULL,   NULL
    };
    const scree_run_options options = options_of(0.0625);
    scree_events *whole = open(&m, &options), *part = open(&m, &options);
    scree_error err = { 0 };
    if (go(whole, 8)) {
        CHECK(!scree_events_restore(part, &scree_events_record(whole)->after, &err));
        if (go(whole, 4) && go(part, 4))
            for (int i = 0; i < 2; i++) {
                CHECK(scree_events_record(whole)->after.q[i] ==
                      scree_events_record(part)->after.q[i]);
                CHECK(scree_events_record(whole)->after.v[i] ==
                      scree_events_record(part)->after.v[i]);
            }
    }
    scree_events_free(whole);
    scree_events_free(part);
}

static void what_is_wrong_is_said(void) {
    const double depth = 1.5, q[] = { 1, 1 }, v[] = { 0, 0 };
    scree_law law = { .tangential_restitution = 0.5 };
    scree_mechanism_def m = {
        2, 1,    &depth, pendulum_mass, pendulum_weight, NULL, pendulum_tip, &law, q,
        v, NULL, NULL,   NULL
    };
    scree_run_options options = options_of(0.1);
    scree_events *e;
    scree_error err = { 0 };
    CHECK(scree_events_of_mechanism(&m, &options, &e, &err) == SCREE_BAD_INPUT && !e);
    CHECK(strstr(err.text, "contact 0: event-driven knows restitution and friction"));
    law = (scree_law){ .friction = 0.5 };
    m.coordinates = SCREE_MECHANISM_COORDINATES + 1;
    CHECK(scree_events_of_mechanism(&m, &options, &e, &err) == SCREE_BAD_INPUT && !e);
    CHECK(strstr(err.text, "40 coordinates"));
    m.coordinates = 2;
    options.scheme.step = 0;
    CHECK(scree_events_of_mechanism(&m, &options, &e, &err) == SCREE_BAD_INPUT && !e);
    CHECK(strstr(err.text, "step"));
}

TEST_FILE(test_mechanism_events) {
    TEST(events_are_those_of_matrix_systems);
    TEST(stick_falls_as_it_must);
    TEST(swinging_keeps_the_energy);
    TEST(sliding_rod_falls_alike_in_all_units);
    TEST(bead_slides_alike_on_waves_of_any_length);
    TEST(kane_is_approached_by_all_schemes);
    TEST(kane_gains_energy_at_once);
    TEST(rod_slides_or_stops_at_its_paradox);
    TEST(balances_of_random_mechanisms_close);
    TEST(restored_states_have_the_same_bits);
    TEST(what_is_wrong_is_said);
    return harness_end();
}
