// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// The event-driven scheme against closed forms, and time-stepping schemes against it.

#include "random.h"
#include "scene_text.h"
#include "simulation_text.h"

static const double PI = 3.14159265358979323846;

// to the end; the balance must close and gaps must not be negative all the way
static void run(scree_simulation *s) {
    scree_error err = { 0 };
    while (s && scree_simulation_left(s) > 0) {
        if (scree_simulation_step(s, &err)) {
            COMPLAIN("%s", err.text);
            return;
        }
    }
    if (!s) return;
    CHECK(scree_simulation_totals(s)->residual_over_bound_max < 1);
    CHECK(scree_simulation_totals(s)->penetration_max < 1e-12);
}

static int events_of(const scree_simulation *s, const scree_event **list) {
    *list = NULL;
    return s && scree_simulation_events(s) ? scree_events_list(scree_simulation_events(s), list)
                                           : 0;
}

typedef struct wanted {
    double time;
    scree_event_kind kind;
} wanted;

static void check_events(const scree_simulation *s, const wanted *list, int count,
                         double tolerance) {
    const scree_event *event;
    int found = events_of(s, &event);
    CHECK_INT(found, count);
    for (int k = 0; k < count && k < found; k++) {
        CHECK_TEXT(scree_event_kind_name(event[k].kind), scree_event_kind_name(list[k].kind));
        CHECK_NEAR(event[k].time, list[k].time, tolerance);
    }
}

// -------------------------------------------------------------------------------------------------
// Klarbring's particle, K = [[2, 1], [1, 1]], F = (1, 1), mu = 1/2: every phase has a closed form

typedef struct motion {  // of U_N, U_T - 1 and their rates; the springs are at rest at the vertex
    double t, U[2], V[2];
} motion;

// flight, in the two modes of K
static motion fly(const motion *from, double t) {
    motion to = { t, { 0, 0 }, { 0, 0 } };
    for (int k = 0; k < 2; k++) {
        double square = (3 + (k ? -1 : 1) * sqrt(5)) / 2, rate = sqrt(square);
        double mode[2] = { 1, square - 2 }, length = hypot(mode[0], mode[1]);
        double c = cos(rate * (t - from->t)), s = sin(rate * (t - from->t));
        double x = (mode[0] * from->U[0] + mode[1] * from->U[1]) / length;
        double v = (mode[0] * from->V[0] + mode[1] * from->V[1]) / length;
        for (int i = 0; i < 2; i++) {
            to.U[i] += mode[i] / length * (x * c + v / rate * s);
            to.V[i] += mode[i] / length * (v * c - x * rate * s);
        }
    }
    return to;
}

// the moment between two at which U_N becomes positive
static motion land(const motion *from, double low, double high) {
    for (int k = 0; k < 200; k++) {
        double middle = (low + high) / 2;
        if (fly(from, middle).U[0] < 0)
            low = middle;
        else
            high = middle;
    }
    return fly(from, high);
}

// sliding with the square of the frequency
static motion slide(const motion *from, double square, double t) {
    double rate = sqrt(square), c = cos(rate * (t - from->t)), s = sin(rate * (t - from->t));
    return (motion){ t,
                     { 0, from->U[1] * c + from->V[1] / rate * s },
                     { 0, from->V[1] * c - from->U[1] * rate * s } };
}

typedef struct particle {
    motion turn, vertex, first, second;  // at the end of each phase, before the impact
    motion again, after;                 // after each impact
} particle;

static particle solve_particle(void) {
    const motion start = { 0, { 0, 0 }, { 0, -0.5 } };
    particle p;
    p.turn = slide(&start, 1.5, PI / 2 / sqrt(1.5));
    p.turn.V[1] = 0;
    p.vertex = slide(&p.turn, 0.5, p.turn.t + PI / 2 / sqrt(0.5));
    p.first = land(&p.vertex, 7, 8.5);
    p.again = p.first;
    p.again.V[0] = 0;
    p.again.V[1] += 0.5 * p.first.V[0];  // slides down, friction pushes up
    p.second = land(&p.again, 9, 11);
    p.after = p.second;
    p.after.V[0] = p.after.V[1] = 0;  // friction could bear more than it must
    return p;
}

static motion place_particle(const particle *p, double t) {
    const motion start = { 0, { 0, 0 }, { 0, -0.5 } };
    return t < p->turn.t     ? slide(&start, 1.5, t)
           : t < p->vertex.t ? slide(&p->turn, 0.5, t)
           : t < p->first.t  ? fly(&p->vertex, t)
           : t < p->second.t ? fly(&p->again, t)
                             : slide(&p->after, 0.5, t);
}

static void particle_has_the_printed_phases(void) {
    particle p = solve_particle();
    CHECK_NEAR(p.turn.t, 1.282549830, 1e-9);
    CHECK_NEAR(p.vertex.t, 3.503991299241, 1e-12);
    CHECK_NEAR(p.vertex.V[1], 0.288675135, 1e-9);
    CHECK_NEAR(p.first.t, 8.039179233428, 1e-12);
    CHECK_NEAR(p.first.U[1] + 1, 1.155191265, 1e-9);
    CHECK_NEAR(p.second.t, 10.427267051919, 1e-12);
    CHECK_NEAR(p.second.U[1] + 1, 0.910108669, 1e-9);
    const wanted list[] = {
        { 0, SCREE_EVENT_TOUCH },
        { 0, SCREE_EVENT_SLIP_MINUS },
        { p.turn.t, SCREE_EVENT_SLIP_PLUS },
        { p.vertex.t, SCREE_EVENT_LIFT_OFF },
        { p.first.t, SCREE_EVENT_IMPACT },
        { p.second.t, SCREE_EVENT_IMPACT },
        { p.second.t, SCREE_EVENT_TOUCH },
        { p.second.t, SCREE_EVENT_SLIP_PLUS },
    };
    // the step is for looking only: it changes nothing
    static const char *const steps[] = { "scheme.step=3", "scheme.step=0.25", "scheme.step=1e-3" };
    for (int k = 0; k < 3; k++) {
        const char *overrides[] = { "scheme.name=event-driven", steps[k] };
        scree_simulation *s = open_text(scene_text("klarbring"), overrides, 2);
        run(s);
        check_events(s, list, 8, 1e-11);
        const scree_event *event;
        if (events_of(s, &event) == 8) {
            CHECK_NEAR(event[3].u_before[1], p.vertex.V[1], 1e-12);
            CHECK_NEAR(event[4].u_before[0], -p.first.V[0], 1e-11);
            CHECK_NEAR(event[4].u_before[1], p.first.V[1], 1e-11);
            CHECK_NEAR(event[4].u_after[1], -0.064934261, 1e-9);
            CHECK_NEAR(event[4].impulse[0], p.first.V[0], 1e-11);
            CHECK_NEAR(event[5].u_before[0], -p.second.V[0], 1e-10);
            CHECK_NEAR(event[5].u_after[1], 0, 1e-15);
        }
        if (s) {
            const scree_state *end = scree_simulation_state(s);
            motion exact = place_particle(&p, 12);
            CHECK_NEAR(end->q[1], exact.U[1] + 1, 1e-11);
            CHECK_NEAR(end->v[1], exact.V[1], 1e-11);
            CHECK_NEAR(end->q[1], 0.960197160, 1e-9);
            CHECK_NEAR(end->v[1], 0.056992040, 1e-9);
        }
        scree_simulation_free(s);
    }
}

static void particle_is_exact_all_the_way(void) {
    particle p = solve_particle();
    const char *overrides[] = { "scheme.name=event-driven", "scheme.step=0.03" };
    scree_simulation *s = open_text(scene_text("klarbring"), overrides, 2);
    scree_error err = { 0 };
    while (s && scree_simulation_left(s) > 0 && !harness_complaints) {
        CHECK(!scree_simulation_step(s, &err));
        const scree_state *state = scree_simulation_state(s);
        motion exact = place_particle(&p, state->time);
        CHECK_NEAR(state->q[0], exact.U[0], 1e-11);
        CHECK_NEAR(state->q[1], exact.U[1] + 1, 1e-11);
        CHECK_NEAR(state->v[0], exact.V[0], 1e-11);
        CHECK_NEAR(state->v[1], exact.V[1], 1e-11);
    }
    scree_simulation_free(s);
}

// how far a time-stepping scheme is from the exact state at t = 8
static double miss(const char *scheme, const char *step) {
    particle p = solve_particle();
    const char *overrides[] = { scheme, step, "scheme.duration=8" };
    scree_simulation *s = open_text(scene_text("klarbring"), overrides, 3);
    scree_error err = { 0 };
    while (s && scree_simulation_left(s) > 0 && !harness_complaints)
        if (scree_simulation_step(s, &err)) COMPLAIN("%s", err.text);
    if (!s) return NAN;
    motion exact = place_particle(&p, 8);
    const scree_state *end = scree_simulation_state(s);
    double off = hypot(end->q[0] - exact.U[0], end->q[1] - exact.U[1] - 1);
    scree_simulation_free(s);
    return off;
}

static void time_stepping_converges_with_order_one(void) {
    static const char *const steps[] = { "scheme.step=4e-3", "scheme.step=2e-3", "scheme.step=1e-3",
                                         "scheme.step=5e-4" };
    static const double printed[] = { 1.32e-3, 6.7e-4, 3.3e-4 };
    double nscd[4], newton[4];
    for (int k = 0; k < 4; k++) {
        nscd[k] = miss("scheme.name=nscd", steps[k]);
        newton[k] = miss("scheme.name=moreau-jean", steps[k]);
        if (k < 3) CHECK_NEAR(nscd[k], printed[k], 0.01 * printed[k] + 5e-6);
        if (k > 0) CHECK_NEAR(nscd[k - 1] / nscd[k], 2, 0.1);
        CHECK(newton[k] < nscd[k]);
    }
    // moreau-jean lands and leaves between its steps: the order shows over several halvings
    CHECK(newton[3] < newton[0] / 4);
    printf(
        "errors at t = 8 for h = 4e-3, 2e-3, 1e-3, 5e-4: nscd %.3g %.3g %.3g %.3g, moreau-jean "
        "%.3g %.3g %.3g %.3g\n",
        nscd[0], nscd[1], nscd[2], nscd[3], newton[0], newton[1], newton[2], newton[3]);
}

// -------------------------------------------------------------------------------------------------
// other closed forms

static void ball_bounces_until_it_lies(void) {
    static const char *const text =
        "parameters: {e: 0.7}\n"
        "system:\n"
        "  mass: [[1]]\n"
        "  load: [-9.81]\n"
        "  position: [1]\n"
        "  contacts: [{name: floor, normal: [1], restitution: e}]\n"
        "scheme: {name: event-driven, step: 0.1, duration: 3}\n";
    static const char *const steps[] = { "scheme.step=3", "scheme.step=0.1", "scheme.step=0.001" };
    static const double printed[] = { 0.4515236409857309, 1.083656738365754, 1.5261499065317703,
                                      1.8358951242479817 };
    for (int k = 0; k < 3; k++) {
        scree_simulation *s = open_text(text, &steps[k], 1);
        const scree_event *event;
        run(s);
        int count = events_of(s, &event);
        double first = sqrt(2 / 9.81), sum = 0;
        CHECK(count > 60 && count < 70);
        for (int n = 0; n + 1 < count; n++) {
            CHECK_INT(event[n].kind, SCREE_EVENT_IMPACT);
            CHECK_NEAR(event[n].time, first * (1 + 2 * sum), 1e-13);
            CHECK_NEAR(event[n].u_before[0], -9.81 * first * pow(0.7, n), 1e-12);
            if (n < 4) CHECK_NEAR(event[n].time, printed[n], 1e-13);
            sum += pow(0.7, n + 1);
        }
        if (count) CHECK_INT(event[count - 1].kind, SCREE_EVENT_TOUCH);
        if (count) CHECK_NEAR(event[count - 1].time, 2.5586339655858077, 1e-9);
        if (s) CHECK(scree_simulation_state(s)->v[0] == 0);
        scree_simulation_free(s);
    }
    const char *given[] = { "scheme.velocity_tolerance=1" };
    scree_simulation *s = open_text(text, given, 1);
    const scree_event *event;
    run(s);
    CHECK_INT(events_of(s, &event), 6);  // 4.43, 3.10, 2.17, 1.52, 1.06 and the end
    scree_simulation_free(s);
}

// a mass between a spring and a belt: slides, is caught, is carried along, slides again
static void mass_on_a_belt_is_caught_and_let_go(void) {
    static const char *const text =
        "system:\n"
        "  mass: [[1, 0], [0, 1]]\n"
        "  stiffness: [[0, 0], [0, 4]]\n"
        "  load: [-10, 0]\n"
        "  position: [0, 1.75]\n"
        "  contacts:\n"
        "    - {name: belt, normal: [1, 0], tangent: [0, 1], friction: 0.3,\n"
        "       surface_velocity: [0.5]}\n"
        "scheme: {name: event-driven, step: 0.01, duration: 6}\n";
    // friction 3 holds the spring at 0.75; the amplitude about it is 1, its frequency 2
    double caught = (PI + asin(0.25)) / 2, back = sqrt(1 - 0.0625);
    double left = caught + back / 0.5;
    const wanted list[] = {
        { 0, SCREE_EVENT_TOUCH },
        { 0, SCREE_EVENT_SLIP_MINUS },
        { caught, SCREE_EVENT_STICK },
        { left, SCREE_EVENT_SLIP_MINUS },
    };
    scree_simulation *s = open_text(text, NULL, 0);
    run(s);
    check_events(s, list, 4, 1e-10);
    if (s) {
        double angle = 2 * (6 - left);
        CHECK_NEAR(scree_simulation_state(s)->q[1], 0.75 + 0.25 * sin(angle), 1e-10);
        CHECK_NEAR(scree_simulation_state(s)->v[1], 0.5 * cos(angle), 1e-10);
    }
    scree_simulation_free(s);
}

// the scene belt-oscillator: how long a turn takes, from m x'' - d x' + k x = mu m g - d V with m =
// k = V = 1, which begins at x = mu g with the belt's velocity and ends with it
static double slip_time(double mu, double g, double d, double *way) {
    double rest = mu * g - d, rate = sqrt(1 - d * d / 4), x = mu * g - rest;
    double low = 4, high = 7;  // it is fastest once, about a turn later
    for (int k = 0; k < 100; k++) {
        double t = (low + high) / 2, s = sin(rate * t), c = cos(rate * t);
        double b = (1 - d / 2 * x) / rate, growth = exp(d / 2 * t);
        double v = growth * ((d / 2 * x + b * rate) * c + (d / 2 * b - x * rate) * s);
        *way = rest + growth * (x * c + b * s);
        if (v < 1)
            low = t;
        else
            high = t;
    }
    return high;
}

static void belt_comes_to_its_limit_cycle(void) {
    const char *overrides[] = { "scheme.name=event-driven", "scheme.step=0.1" };
    double caught, slip = slip_time(0.4, 9.81, 0.02 * 9.81, &caught);
    double stick = 0.4 * 9.81 - caught;
    scree_simulation *s = open_text(scene_text("belt-oscillator"), overrides, 2);
    const scree_event *event;
    int turns = 0, count;
    run(s);
    count = events_of(s, &event);
    for (int k = 3; k < count; k++) {
        bool leaves = event[k].kind == SCREE_EVENT_SLIP_MINUS;
        if (event[k - 1].kind == SCREE_EVENT_STICK && leaves && turns++)
            CHECK_NEAR(event[k].time - event[k - 1].time, stick, 1e-9);
        if (event[k].kind == SCREE_EVENT_STICK && turns)
            CHECK_NEAR(event[k].time - event[k - 1].time, slip, 1e-9);
    }
    CHECK(turns >= 4);
    CHECK(stick > 0.1);
    scree_simulation_free(s);
}

// a ball on a table that shakes leaves it when the table falls faster than it can
static void ball_leaves_a_shaking_table(void) {
    static const char *const text =
        "system:\n"
        "  mass: [[2]]\n"
        "  load: [-2*9.81]\n"
        "  position: [0]\n"
        "  velocity: [0.2*10]\n"
        "  contacts: [{name: table, normal: [1], gap: -0.2*sin(10*t)}]\n"
        "scheme: {name: event-driven, step: 0.01, duration: 0.8}\n";
    double leaves = asin(9.81 / 20) / 10, x = 0.2 * sin(10 * leaves), v = 2 * cos(10 * leaves);
    double low = leaves + 0.1, high = 0.6;
    for (int k = 0; k < 100; k++) {
        double middle = (low + high) / 2, t = middle - leaves;
        if (x + v * t - 9.81 * t * t / 2 > 0.2 * sin(10 * middle))
            low = middle;
        else
            high = middle;
    }
    const wanted list[] = {
        { 0, SCREE_EVENT_TOUCH },
        { leaves, SCREE_EVENT_LIFT_OFF },
        { high, SCREE_EVENT_IMPACT },
    };
    scree_simulation *s = open_text(text, NULL, 0);
    run(s);
    const scree_event *event;
    int count = events_of(s, &event);
    CHECK(count >= 3);
    for (int k = 0; k < 3 && k < count; k++) {
        CHECK_TEXT(scree_event_kind_name(event[k].kind), scree_event_kind_name(list[k].kind));
        CHECK_NEAR(event[k].time, list[k].time, 1e-9);
    }
    scree_simulation_free(s);
}

// -------------------------------------------------------------------------------------------------
// any system

static double limit_error(const scree_simulation *exact, const char *text, const char *scheme) {
    const char *overrides[] = { scheme, "scheme.step=1e-4" };
    scree_simulation *s = open_text(text, overrides, 2);
    scree_error err = { 0 };
    while (s && scree_simulation_left(s) > 0 && !harness_complaints)
        if (scree_simulation_step(s, &err)) COMPLAIN("%s", err.text);
    if (!s || !exact) return NAN;
    const double *a = scree_simulation_state(s)->q, *b = scree_simulation_state(exact)->q;
    double off = fmax(fabs(a[0] - b[0]), fabs(a[1] - b[1]));
    scree_simulation_free(s);
    return off;
}

// two contacts, friction, restitution, a load that swings: laws at every step, and the
// time-stepping scheme with the same impact law comes to the same motion
static void random_systems_obey_their_laws(void) {
    seed = 11;
    int impacts = 0, sticks = 0, close = 0, systems = 40 / FEWER;
    for (int k = 0; k < systems && !harness_complaints; k++) {
        char text[1200];
        snprintf(text, sizeof text,
                 "system:\n"
                 "  mass: [[1, %g], [%g, 1.5]]\n"
                 "  stiffness: [[%g, 2], [2, %g]]\n"
                 "  damping: [[0.1, 0], [0, 0.1]]\n"
                 "  load: [%g*sin(3*t), -%g]\n"
                 "  position: [0.3, 0.4]\n"
                 "  velocity: [%g, %g]\n"
                 "  contacts:\n"
                 "    - {name: floor, normal: [0, 1], tangent: [1, 0], friction: %g,\n"
                 "       restitution: %g}\n"
                 "    - {name: wall, normal: [-1, 0], tangent: [0, 1], gap: 1, friction: 0.2}\n"
                 "scheme: {name: event-driven, step: 0.02, duration: 3}\n",
                 k % 2 ? 0.2 : 0, k % 2 ? 0.2 : 0, uniform(5, 20), uniform(5, 20), uniform(5, 30),
                 uniform(2, 20), uniform(-3, 3), uniform(-3, 3), uniform(0, 1),
                 k % 3 ? uniform(0, 0.6) : 0);
        scree_simulation *s = open_text(text, NULL, 0);
        scree_error err = { 0 };
        while (s && scree_simulation_left(s) > 0 && !harness_complaints) {
            if (scree_simulation_step(s, &err)) COMPLAIN("system %d: %s", k, err.text);
            const scree_step_record *record = scree_simulation_record(s);
            for (int c = 0; c < record->contacts; c++) {
                const scree_contact *contact = &record->contact[c];
                const double *p = contact->impulse;
                CHECK(contact->gap_after > -1e-12 && p[0] >= -1e-12);
                CHECK(fabs(p[1]) <= contact->friction * p[0] + 1e-12);
                if (contact->status >= SCREE_CONTACT_STICK) {
                    CHECK(fabs(contact->gap_after) < 1e-13 && fabs(contact->u_after[0]) < 1e-13);
                    if (contact->status == SCREE_CONTACT_STICK) {
                        CHECK(fabs(contact->u_after[1]) < 1e-13);
                        sticks++;
                    }
                }
            }
        }
        const scree_event *event;
        int count = events_of(s, &event);
        for (int i = 0; i < count; i++) {
            if (i) CHECK(event[i].time >= event[i - 1].time);
            impacts += event[i].kind == SCREE_EVENT_IMPACT;
        }
        if (s) CHECK(scree_simulation_totals(s)->residual_over_bound_max < 1);
        close += limit_error(s, text, "scheme.name=moreau-jean") < 5e-3;
        scree_simulation_free(s);
    }
    printf("%d systems, %d impacts, %d steps stuck, moreau-jean near %d of them\n", systems,
           impacts, sticks, close);
    CHECK(impacts > 200 / FEWER && sticks > 100 / FEWER);
    CHECK_INT(close, systems);
}

static void resumed_run_has_the_same_bits(void) {
    const char *overrides[] = { "scheme.name=event-driven", "scheme.step=0.1" };
    scree_simulation *one = open_text(scene_text("klarbring"), overrides, 2);
    scree_simulation *two = open_text(scene_text("klarbring"), overrides, 2);
    scree_error err = { 0 };
    if (one && two) {
        for (int k = 0; k < 85; k++) CHECK(!scree_simulation_step(one, &err));
        const scree_totals totals = *scree_simulation_totals(one);
        CHECK(!scree_simulation_restore(two, scree_simulation_state(one), NULL, 0, &totals, &err));
        run(one);
        run(two);
        const scree_state *a = scree_simulation_state(one), *b = scree_simulation_state(two);
        const scree_event *first, *second;
        CHECK(memcmp(a->q, b->q, 2 * sizeof *a->q) == 0);
        CHECK(memcmp(a->v, b->v, 2 * sizeof *a->v) == 0);
        CHECK_INT(events_of(one, &first), events_of(two, &second));
        double q[2] = { 0, 7 }, v[2] = { 0 };
        const scree_state other = { 20, 2, q, v };
        CHECK(scree_simulation_restore(two, &other, NULL, 0, &totals, &err) == SCREE_BAD_INPUT);
    }
    scree_simulation_free(one);
    scree_simulation_free(two);
}

// -------------------------------------------------------------------------------------------------
// what cannot be done

static const char *const jam =
    "parameters: {push: -1, v: -1}\n"
    "system:\n"
    "  mass: [[1, 0.8], [0.8, 1]]\n"
    "  load: [push, 0]\n"
    "  velocity: [0, v]\n"
    "  contacts:\n"
    "    - {name: tip, normal: [1, 0], tangent: [0, 1], friction: 2}\n"
    "scheme: {name: event-driven, step: 0.1, duration: 1}\n";

static void refuse_text(const char *text, const char *override, const char *words) {
    scree_findings findings = { 0 };
    scree_simulation *made =
        scree_simulation_parse("test", text, strlen(text), &override, override != NULL, &findings);
    CHECK(!made);
    if (!made && !(findings.count && strstr(findings.item[0].text, words)))
        COMPLAIN("\"%s\" does not say \"%s\"", findings.count ? findings.item[0].text : "", words);
    scree_simulation_free(made);
    scree_findings_free(&findings);
}

// sliding down, friction presses the tip in: none of the accelerations fits, or two do
static void paradoxes_are_named(void) {
    refuse_text(jam, NULL, "no acceleration agrees with the contact laws: Painleve's paradox");
    refuse_text(jam, "parameters.push=1", "several accelerations agree");
    const char *up = "parameters.v=1";
    scree_simulation *s = open_text(jam, &up, 1);  // until friction has stopped it
    scree_error err = { 0 };
    if (s) CHECK(!scree_simulation_step(s, &err));
    scree_simulation_free(s);
}

static void limits_are_said(void) {
    for (int many = 0; many < 2; many++) {
        char text[8000] = "system:\n  mass: [[1]]\n  contacts:\n";
        for (int c = 0; c < (many ? SCREE_EVENTS_GAPS : SCREE_EVENTS_CONTACTS) + 1; c++)
            snprintf(text + strlen(text), sizeof text - strlen(text),
                     "    - {name: c%d, normal: [1], gap: %d}\n", c, many * c);
        strcat(text, "scheme: {name: event-driven, step: 0.1, duration: 1}\n");
        refuse_text(text, NULL,
                    many ? "up to 24 coordinates and 48 contacts" : "more than 8 contacts touch");
    }
    refuse_text(
        "system:\n  mass: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n  contacts:\n"
        "    - {name: a, normal: [1, 0, 0], tangents: [[0, 1, 0], [0, 0, 1]]}\n"
        "scheme: {name: event-driven, step: 0.1, duration: 1}\n",
        NULL, "planar");
    refuse_text(scene_text("klarbring"), "system.position=[0.1, 0]", "overlap");
}

// a load that ends stops the run there, with the state of the last step
static void loads_that_end_stop_the_run(void) {
    static const char *const text =
        "system:\n  mass: [[1]]\n  load: [sqrt(0.52 - t)]\n"
        "scheme: {name: event-driven, step: 0.1, duration: 1}\n";
    scree_simulation *s = open_text(text, NULL, 0);
    scree_error err = { 0 };
    scree_status status = SCREE_OK;
    while (s && !status && scree_simulation_left(s) > 0) status = scree_simulation_step(s, &err);
    CHECK_INT(status, SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "time 0.52: loads, gaps or the state are not finite"));
    if (s) CHECK_INT(scree_simulation_state(s)->step, 5);
    scree_simulation_free(s);
}

TEST_FILE(test_events) {
    TEST(particle_has_the_printed_phases);
    TEST(particle_is_exact_all_the_way);
    TEST(time_stepping_converges_with_order_one);
    TEST(ball_bounces_until_it_lies);
    TEST(mass_on_a_belt_is_caught_and_let_go);
    TEST(belt_comes_to_its_limit_cycle);
    TEST(ball_leaves_a_shaking_table);
    TEST(random_systems_obey_their_laws);
    TEST(resumed_run_has_the_same_bits);
    TEST(paradoxes_are_named);
    TEST(limits_are_said);
    TEST(loads_that_end_stop_the_run);
    return harness_end();
}
