// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// The event-driven scheme of bodies in the plane against closed forms.

#include "random.h"
#include "scene_text.h"
#include "simulation_text.h"

static const double PI = 3.14159265358979323846;

// to the end; the balance must close and nothing sink all the way
static void run(scree_simulation *s) {
    scree_error err = { 0 };
    while (s && scree_simulation_left(s) > 0)
        if (scree_simulation_step(s, &err)) {
            COMPLAIN("%s", err.text);
            return;
        }
    if (!s) return;
    CHECK(scree_simulation_totals(s)->residual_over_bound_max < 1);
    CHECK(scree_simulation_totals(s)->penetration_max < 1e-11);
}

static scree_simulation *run_text(const char *text, const char *const *overrides, int count) {
    scree_simulation *s = open_text(text, overrides, count);
    run(s);
    return s;
}

static int events_of(const scree_simulation *s, const scree_event **list) {
    *list = NULL;
    return s ? scree_events_list(scree_simulation_events(s), list) : 0;
}

// the first event of a kind from number `from` on; a time of NaN if there is none
static scree_event find(const scree_simulation *s, scree_event_kind kind, int from) {
    const scree_event *event;
    int count = events_of(s, &event);
    for (int k = from; k < count; k++)
        if (event[k].kind == kind) return event[k];
    COMPLAIN("no event of the kind %s", scree_event_kind_name(kind));
    return (scree_event){ .time = NAN };
}

static const double *place(const scree_simulation *s, int body) {
    return scree_simulation_state(s)->q + 3L * body;
}

static const double *speed(const scree_simulation *s, int body) {
    return scree_simulation_state(s)->v + 3L * body;
}

// -------------------------------------------------------------------------------------------------

static void ball_bounces_until_it_lies(void) {
    static const char *const steps[] = { "scheme.step=3", "scheme.step=0.1", "scheme.step=0.001" };
    const double g = 9.81, e = 0.7, first = sqrt(2 / g);
    for (int k = 0; k < 3; k++) {
        const char *overrides[] = { "scheme.name=event-driven", steps[k] };
        scree_simulation *s = run_text(scene_text("bouncing-ball"), overrides, 2);
        const scree_event *event;
        int count = events_of(s, &event);
        double sum = 0;
        CHECK(count > 40 && count < 70);
        for (int n = 0; n + 1 < count; n++) {
            CHECK_INT(event[n].kind, SCREE_EVENT_IMPACT);
            CHECK_NEAR(event[n].time, first * (1 + 2 * sum), 1e-9);
            if (n < 20) CHECK_NEAR(event[n].time, first * (1 + 2 * sum), 1e-12);
            if (n < 20) CHECK_NEAR(event[n].u_before[0], -g * first * pow(e, n), 1e-11);
            sum += pow(e, n + 1);
        }
        if (count) CHECK_INT(event[count - 1].kind, SCREE_EVENT_TOUCH);
        // hops that are as low as the rounding of the height are none
        if (count) CHECK_NEAR(event[count - 1].time, first * (1 + e) / (1 - e), 2e-7);
        if (s) CHECK(speed(s, 1)[1] == 0);
        if (s) CHECK_NEAR(place(s, 1)[1], 0.1, 1e-16);
        scree_simulation_free(s);
    }
}

static void ball_has_its_apexes(void) {
    // a step that ends at the apexes after the first and the second impact
    const double g = 9.81, e = 0.7, first = sqrt(2 / g);
    const double apex[] = { first * (1 + e), first * (1 + 2 * e + e * e) };
    for (int k = 0; k < 2; k++) {
        char step[80], duration[80];
        snprintf(step, sizeof step, "scheme.step=%.17g", apex[k]);
        snprintf(duration, sizeof duration, "scheme.duration=%.17g", apex[k]);
        const char *overrides[] = { "scheme.name=event-driven", step, duration };
        scree_simulation *s = run_text(scene_text("bouncing-ball"), overrides, 3);
        if (s) CHECK_NEAR(place(s, 1)[1], 0.1 + pow(e, 2 * (k + 1)), 1e-13);
        if (s) CHECK_NEAR(speed(s, 1)[1], 0, 1e-12);
        scree_simulation_free(s);
    }
}

// -------------------------------------------------------------------------------------------------

static const char *const block =
    "parameters: {angle: 0.4, mu: 0.5, v0: 0}\n"
    "gravity: [0, -10]\n"
    "bodies:\n"
    "  - {name: incline, fixed: true, angle: angle,\n"
    "     shapes: [{type: half-plane, normal: [0, 1]}]}\n"
    "  - name: block\n"
    "    density: 3\n"
    "    position: [-0.1*sin(angle), 0.1*cos(angle)]\n"
    "    angle: angle\n"
    "    velocity: [v0*cos(angle), v0*sin(angle)]\n"
    "    shapes: [{type: box, size: [0.4, 0.2]}]\n"
    "laws: [{between: [any, any], friction: mu}]\n"
    "scheme: {name: event-driven, step: 0.05, duration: 2}\n";

static void block_sticks_and_slides_on_an_incline(void) {
    scree_simulation *s = run_text(block, NULL, 0);  // tan 0.4 = 0.423
    if (s) CHECK_NEAR(place(s, 1)[0], -0.1 * sin(0.4), 1e-14);
    if (s) CHECK_NEAR(speed(s, 1)[0], 0, 1e-14);
    scree_simulation_free(s);

    const char *smooth[] = { "parameters.mu=0.3" };
    s = run_text(block, smooth, 1);
    double pull = 10 * (sin(0.4) - 0.3 * cos(0.4));
    if (s) CHECK_NEAR(place(s, 1)[0], -0.1 * sin(0.4) - pull * 2 * cos(0.4), 1e-11);
    if (s) CHECK_NEAR(place(s, 1)[1], 0.1 * cos(0.4) - pull * 2 * sin(0.4), 1e-11);
    if (s) CHECK_NEAR(place(s, 1)[2], 0.4, 1e-13);
    scree_simulation_free(s);

    // pushed up: it stops, and stays or comes back
    for (int k = 0; k < 2; k++) {
        const char *up[] = { "parameters.v0=3", k ? "parameters.mu=0.3" : "parameters.mu=0.5" };
        double mu = k ? 0.3 : 0.5, slow = 10 * (sin(0.4) + mu * cos(0.4)), stop = 3 / slow;
        double way = 3 * stop / 2, back = k ? pull * pow(2 - stop, 2) / 2 : 0;
        s = run_text(block, up, 2);
        scree_event event = find(s, k ? SCREE_EVENT_SLIP_PLUS : SCREE_EVENT_STICK, 0);
        if (k)
            event = find(s, SCREE_EVENT_SLIP_MINUS, 0).time > event.time
                        ? find(s, SCREE_EVENT_SLIP_MINUS, 0)
                        : event;
        CHECK_NEAR(event.time, stop, 1e-12);
        if (s) CHECK_NEAR(place(s, 1)[0], -0.1 * sin(0.4) + (way - back) * cos(0.4), 1e-11);
        scree_simulation_free(s);
    }
}

static void load_breaks_a_block_loose(void) {
    static const char *const text =
        "gravity: [0, -10]\n"
        "bodies:\n"
        "  - {name: ground, fixed: true, shapes: [{type: half-plane, normal: [0, 1]}]}\n"
        "  - {name: block, mass: 2, inertia: 0.1, position: [0, 0.1], force: [3*t, 0, 0.3*t],\n"
        "     shapes: [{type: box, size: [1, 0.2]}]}\n"
        "laws: [{between: [any, any], friction: 0.3}]\n"
        "scheme: {name: event-driven, step: 0.1, duration: 4}\n";
    // 6 N hold until t = 2; then 2 x'' = 3 (t - 2)
    scree_simulation *s = run_text(text, NULL, 0);
    if (s) CHECK_NEAR(place(s, 1)[0], 8 / 4., 1e-10);
    if (s) CHECK_NEAR(speed(s, 1)[0], 3, 1e-10);
    if (s) CHECK_NEAR(scree_simulation_totals(s)->contact_tangential_work, -12, 1e-9);
    scree_simulation_free(s);
}

// -------------------------------------------------------------------------------------------------

// it slides until its rim stands still: v = v0 + (spin r - v0 ...)/(1 + m r^2/J)
static void disc_slides_until_it_rolls(void) {
    static const char *const text =
        "parameters: {v0: 3, w0: 0}\n"
        "gravity: [0, -10]\n"
        "bodies:\n"
        "  - {name: ground, fixed: true, shapes: [{type: half-plane, normal: [0, 1]}]}\n"
        "  - {name: disc, mass: 2, inertia: 0.04, position: [0, 0.2], velocity: [v0, 0],\n"
        "     spin: w0, shapes: [{type: disc, radius: 0.2}]}\n"
        "laws: [{between: [any, any], friction: 0.25}]\n"
        "scheme: {name: event-driven, step: 0.1, duration: 2}\n";
    static const char *const spins[] = { "parameters.w0=0", "parameters.w0=40" };
    for (int k = 0; k < 2; k++) {
        scree_simulation *s = run_text(text, &spins[k], 1);
        // rim: 3 + 0.2 w0; friction takes 2.5 of v and 62.5 * 0.2 of the rim's speed besides
        double rim = 3 + 0.2 * (k ? 40 : 0), until = rim / (2.5 + 0.2 * 0.25 * 20 * 0.2 / 0.04);
        double v = 3 - 2.5 * until, x = (3 + v) / 2 * until + v * (2 - until);
        CHECK_NEAR(find(s, SCREE_EVENT_STICK, 0).time, until, 1e-12);
        if (s) CHECK_NEAR(speed(s, 1)[0], v, 1e-12);
        if (s) CHECK_NEAR(speed(s, 1)[2], -v / 0.2, 1e-11);
        if (s) CHECK_NEAR(place(s, 1)[0], x, 1e-11);
        scree_simulation_free(s);
    }
}

// off the corner of a table without friction it leaves where the weight does not hold it any more
static void disc_slips_over_a_corner(void) {
    static const char *const text =
        "gravity: [0, -10]\n"
        "bodies:\n"
        "  - {name: table, fixed: true,\n"
        "     shapes: [{type: polygon, vertices: [[-3, -1], [0, -1], [0, 0], [-3, 0]]}]}\n"
        "  - {name: disc, mass: 2, inertia: 0.04, position: [-0.5, 0.2], velocity: [1, 0],\n"
        "     shapes: [{type: disc, radius: 0.2}]}\n"
        "scheme: {name: event-driven, step: 0.05, duration: 0.7}\n";
    scree_simulation *s = run_text(text, NULL, 0);
    double fall = (1 / (10 * 0.2) + 2) / 3;  // cosine of the angle where it leaves
    double fast = sqrt(10 * 0.2 * fall);
    scree_event off = find(s, SCREE_EVENT_LIFT_OFF, 0);
    CHECK(off.time > 0.5 && off.time < 0.7);
    CHECK_NEAR(fabs(off.u_before[1]), fast, 1e-9);
    // the time over the corner: an integral by Simpson's rule
    double time = 0, end = acos(fall);
    int n = 2000;
    for (int k = 0; k <= n; k++) {
        double angle = end * k / n, weight = k == 0 || k == n ? 1 : k % 2 ? 4 : 2;
        time += weight * 0.2 / sqrt(1 + 2 * 10 * 0.2 * (1 - cos(angle)));
    }
    CHECK_NEAR(off.time, 0.5 + time * end / n / 3, 1e-9);
    scree_simulation_free(s);
}

// a box slides over the end of a table; it tips when its middle has passed, not earlier
static void box_slides_off_a_table(void) {
    static const char *const text =
        "gravity: [0, -10]\n"
        "bodies:\n"
        "  - {name: table, fixed: true,\n"
        "     shapes: [{type: polygon, vertices: [[-3, -1], [0, -1], [0, 0], [-3, 0]]}]}\n"
        "  - {name: box, density: 1, position: [-0.7, 0.1], velocity: [1, 0],\n"
        "     shapes: [{type: box, size: [0.6, 0.2]}]}\n"
        "scheme: {name: event-driven, step: 0.03, duration: 0.9}\n";
    scree_simulation *s = run_text(text, NULL, 0);
    const scree_event *event;
    int count = events_of(s, &event), last = 0;
    for (int k = 0; k < count; k++) {
        CHECK(event[k].kind != SCREE_EVENT_IMPACT);
        if (event[k].time > 0.65) last = last ? last : k;
    }
    // its front corner at 0.4 s, its middle at 0.7 s
    if (count) CHECK_NEAR(event[last].time, 0.7, 1e-9);
    for (int k = 0; k < last; k++) CHECK(event[k].time == 0 || fabs(event[k].time - 0.4) < 1e-9);
    if (s) CHECK(speed(s, 1)[2] < -1 && place(s, 1)[1] < 0.1);
    scree_simulation_free(s);
}

// -------------------------------------------------------------------------------------------------
// impacts

static void block_rocks_from_corner_to_corner(void) {
    const char *overrides[] = { "scheme.name=event-driven", "scheme.step=0.1" };
    scree_simulation *s = run_text(scene_text("rocking-block"), overrides, 2);
    const scree_event *event;
    int count = events_of(s, &event), impacts = 0;
    // about the corner: J = m (b^2 + H^2)/3; what the middle falls by
    double arm = sqrt(17) / 2, at = atan(0.25) - 10 * PI / 180;
    double spin = sqrt(2 * 9.81 * (arm * cos(at) - 2) / (17 / 3.)), before = 0;
    for (int k = 0; k < count; k++) {
        if (event[k].kind != SCREE_EVENT_IMPACT) continue;
        double down = -event[k].u_before[0];
        if (!impacts) CHECK_NEAR(down, spin, 1e-11);
        if (impacts && impacts < 6) CHECK_NEAR(down / before, 31 / 34., 1e-10);
        before = down;
        impacts++;
    }
    CHECK(impacts >= 6);
    scree_simulation_free(s);
}

// the stick of Acary and Collins-Craft: flight and percussion by hand
static void stick_has_its_printed_impact(void) {
    const char *overrides[] = { "scheme.name=event-driven", "scheme.step=0.01" };
    scree_simulation *s = run_text(scene_text("impacting-stick"), overrides, 2);
    scree_event hit = find(s, SCREE_EVENT_IMPACT, 0);
    double t = 0, y = sqrt(0.125) + 0.01, angle = PI / 4;
    for (int k = 0; k < 50; k++) {  // Newton's method on the height of the end
        double gap = y + 0.1 * t - 5 * t * t - 0.5 * cos(angle + 0.1 * t);
        double rate = 0.1 - 10 * t + 0.05 * sin(angle + 0.1 * t);
        t = k ? t - gap / rate : 0.06;
    }
    CHECK_NEAR(hit.time, t, 1e-13);
    double x = 0.5 * sin(angle + 0.1 * t), z = -0.5 * cos(angle + 0.1 * t);
    double un = 0.1 - 10 * t + 0.1 * x, ut = -(-0.5 - 0.1 * z);
    // normal from the ground to the stick; tangent (-1, 0)
    double wnn = 1 + 12 * x * x, wnt = 12 * x * z, wtt = 1 + 12 * z * z;
    CHECK_NEAR(hit.u_before[0], un, 1e-12);
    CHECK_NEAR(hit.u_before[1], ut, 1e-12);
    double sign = hit.u_after[1] > 0 ? 1 : -1, pn = -2 * un / (wnn - sign * 0.01 * wnt);
    CHECK_NEAR(hit.impulse[0], pn, 1e-12);
    CHECK_NEAR(hit.impulse[1], -sign * 0.01 * pn, 1e-12);
    CHECK_NEAR(hit.u_after[1], ut + wnt * pn - sign * 0.01 * wtt * pn, 1e-12);
    CHECK(hit.u_after[1] * ut < 0);  // the sliding reverses, and that creates
    if (s) CHECK_NEAR(scree_simulation_totals(s)->energy_created, 7.08e-4, 1e-6);
    scree_simulation_free(s);
}

// oblique, without friction: what is normal is exchanged
static void discs_exchange_their_normal_velocities(void) {
    static const char *const text =
        "bodies:\n"
        "  - {name: one, mass: 1, inertia: 0.01, position: [-1, 0.1], velocity: [2, 0],\n"
        "     shapes: [{type: disc, radius: 0.1}]}\n"
        "  - {name: two, mass: 1, inertia: 0.01, position: [0, 0],\n"
        "     shapes: [{type: disc, radius: 0.1}]}\n"
        "laws: [{between: [any, any], restitution: 1}]\n"
        "scheme: {name: event-driven, step: 0.1, duration: 1}\n";
    scree_simulation *s = run_text(text, NULL, 0);
    double x = sqrt(0.04 - 0.01);
    CHECK_NEAR(find(s, SCREE_EVENT_IMPACT, 0).time, (1 - x) / 2, 1e-14);
    const double n[] = { x / 0.2, -0.5 };  // from one to two
    for (int k = 0; s && k < 2; k++) {
        CHECK_NEAR(speed(s, 1)[k], 2 * n[0] * n[k], 1e-13);
        CHECK_NEAR(speed(s, 0)[k], (k ? 0 : 2) - 2 * n[0] * n[k], 1e-13);
    }
    scree_simulation_free(s);
}

static void ball_leaves_a_shaking_table(void) {
    static const char *const text =
        "gravity: [0, -10]\n"
        "bodies:\n"
        "  - {name: table, motion: {position: [0, 0.02*sin(25*t)]},\n"
        "     shapes: [{type: half-plane, normal: [0, 1]}]}\n"
        "  - {name: ball, mass: 1, inertia: 0.01, position: [0, 0.1], velocity: [0, 0.5],\n"
        "     shapes: [{type: disc, radius: 0.1}]}\n"
        "scheme: {name: event-driven, step: 0.01, duration: 0.12}\n";
    scree_simulation *s = run_text(text, NULL, 0);
    double left = asin(10 / (0.02 * 625)) / 25, go = 0.12 - left;
    CHECK_NEAR(find(s, SCREE_EVENT_LIFT_OFF, 0).time, left, 1e-9);
    double y = 0.1 + 0.02 * sin(25 * left) + 0.5 * cos(25 * left) * go - 5 * go * go;
    if (s) CHECK_NEAR(place(s, 1)[1], y, 1e-10);
    if (s) CHECK_NEAR(place(s, 0)[1], 0.02 * sin(3), 1e-16);
    scree_simulation_free(s);
}

// a slab turns under a stuck ball: it is carried along exactly as far as friction can
static void belt_carries_a_block(void) {
    static const char *const text =
        "gravity: [0, -10]\n"
        "bodies:\n"
        "  - {name: belt, motion: {position: [t + 0.5*t^2, 0]},\n"
        "     shapes: [{type: box, size: [20, 0.2]}]}\n"
        "  - {name: block, mass: 2, inertia: 0.1, position: [0, 0.2],\n"
        "     shapes: [{type: box, size: [1, 0.2]}]}\n"
        "laws: [{between: [any, any], friction: 0.2}]\n"
        "scheme: {name: event-driven, step: 0.1, duration: 3}\n";
    // 2 t = 1 + t: caught after 1 s at x = 1, then with the belt
    scree_simulation *s = run_text(text, NULL, 0);
    CHECK_NEAR(find(s, SCREE_EVENT_STICK, 0).time, 1, 1e-11);
    if (s) CHECK_NEAR(place(s, 1)[0], 1 + (3 + 4.5 - 1.5), 1e-10);
    if (s) CHECK_NEAR(speed(s, 1)[0], 4, 1e-10);
    scree_simulation_free(s);
}

static void forces_by_formulas_are_exact(void) {
    static const char *const text =
        "bodies:\n"
        "  - {name: bob, mass: 2, inertia: 1, position: [1, 0], velocity: [0, 3]}\n"
        "forces:\n"
        "  - {bodies: [bob], force: [-8*x, -0.5*y'], implicit: true}\n"
        "scheme: {name: event-driven, step: 0.1, duration: 2}\n";
    static const char *const how[] = { "forces.0.implicit=true", "forces.0.implicit=false" };
    for (int k = 0; k < 2; k++) {
        scree_simulation *s = run_text(text, &how[k], 1);
        if (s) CHECK_NEAR(place(s, 0)[0], cos(4), 1e-11);
        if (s) CHECK_NEAR(speed(s, 0)[1], 3 * exp(-0.5), 1e-11);
        if (s) CHECK_NEAR(place(s, 0)[1], 12 * (1 - exp(-0.5)), 1e-11);
        scree_simulation_free(s);
    }
}

// -------------------------------------------------------------------------------------------------

// what drops and tumbles: nothing sinks, balances close, and moreau-jean comes to the same place
static void random_bodies_obey_their_laws(void) {
    seed = 7;
    int runs = 24, stopped = 0;
    double worst = 0;
    for (int k = 0; k < runs; k++) {
        char text[2000];
        double b = uniform(0.2, 0.6), h = uniform(0.2, 0.6);
        snprintf(
            text, sizeof text,
            "gravity: [0, -9.81]\n"
            "bodies:\n"
            "  - {name: ground, fixed: true, shapes: [{type: half-plane, normal: [0, 1]}]}\n"
            "  - {name: box, density: 1, position: [%.17g, 0.5], angle: %.17g,\n"
            "     velocity: [%.17g, 0], spin: %.17g, shapes: [{type: box, size: [%.17g, %.17g]}]}\n"
            "  - {name: disc, density: 1, position: [0, 1.1], shapes: [{type: disc, radius: "
            "0.12}]}\n"
            "laws: [{between: [any, any], restitution: %.17g, friction: %.17g}]\n"
            "scheme: {name: event-driven, step: 0.02, duration: 2}\n",
            uniform(-0.2, 0.2), uniform(0, 6), uniform(-1, 1), uniform(-3, 3), b, h,
            uniform(0, 0.6), k % 3 ? uniform(0, 0.4) : 0);
        scree_simulation *s = open_text(text, NULL, 0);
        scree_error err = { 0 };
        scree_status status = SCREE_OK;
        while (s && !status && scree_simulation_left(s) > 0)
            status = scree_simulation_step(s, &err);
        // a law that does not say what follows stops the run, nothing else does
        if (status && !strstr(err.text, "agree")) COMPLAIN("run %d: %s", k, err.text);
        stopped += status != SCREE_OK;
        if (s) CHECK(scree_simulation_totals(s)->residual_over_bound_max < 1);
        if (s) worst = fmax(worst, scree_simulation_totals(s)->penetration_max);
        scree_simulation_free(s);
    }
    CHECK(worst < 1e-11);
    CHECK(stopped <= 2);
    printf("%d runs, %d stopped by laws that do not decide, penetration at most %.2g\n", runs,
           stopped, worst);
}

static void refuse(const char *text, const char *words) {
    scree_findings findings = { 0 };
    scree_simulation *made = scree_simulation_parse("test", text, strlen(text), NULL, 0, &findings);
    CHECK(!made);
    if (!made && !(findings.count && strstr(findings.item[0].text, words)))
        COMPLAIN("\"%s\" does not say \"%s\"", findings.count ? findings.item[0].text : "", words);
    if (!made && findings.count) CHECK(findings.item[0].line > 0);
    scree_simulation_free(made);
    scree_findings_free(&findings);
}

static void limits_are_said(void) {
    refuse(
        "bodies:\n  - {name: a, mass: 1, inertia: 1,\n"
        "     shapes: [{type: capsule, length: 1, radius: 0.1}]}\n"
        "scheme: {name: event-driven, step: 0.1, duration: 1}\n",
        "not capsules");
    refuse(
        "bodies:\n  - {name: a, fixed: true, shapes: [{type: chain, vertices: [[0, 0], [1, 0]]}]}\n"
        "  - {name: b, mass: 1, inertia: 1, position: [0, 3]}\n"
        "scheme: {name: event-driven, step: 0.1, duration: 1}\n",
        "not chains");
    refuse(
        "bodies:\n  - {name: a, mass: 1, inertia: 1, born: 0.5}\n"
        "scheme: {name: event-driven, step: 0.1, duration: 1}\n",
        "there throughout");
    refuse(
        "bodies:\n  - {name: g, fixed: true, shapes: [{type: half-plane, normal: [0, 1]}]}\n"
        "  - {name: a, mass: 1, inertia: 1, position: [0, 1], shapes: [{type: disc, radius: 1}]}\n"
        "laws: [{between: [a, g], cohesion: 1}]\n"
        "scheme: {name: event-driven, step: 0.1, duration: 1}\n",
        "not cohesion");
    refuse(
        "bodies:\n  - {name: g, fixed: true, shapes: [{type: half-plane, normal: [0, 1]}]}\n"
        "  - {name: a, mass: 1, inertia: 1, position: [0, 0.9], shapes: [{type: disc, radius: "
        "1}]}\n"
        "scheme: {name: event-driven, step: 0.1, duration: 1}\n",
        "overlap");
}

TEST_FILE(test_events_bodies) {
    TEST(ball_bounces_until_it_lies);
    TEST(ball_has_its_apexes);
    TEST(block_sticks_and_slides_on_an_incline);
    TEST(load_breaks_a_block_loose);
    TEST(disc_slides_until_it_rolls);
    TEST(disc_slips_over_a_corner);
    TEST(box_slides_off_a_table);
    TEST(block_rocks_from_corner_to_corner);
    TEST(stick_has_its_printed_impact);
    TEST(discs_exchange_their_normal_velocities);
    TEST(ball_leaves_a_shaking_table);
    TEST(belt_carries_a_block);
    TEST(forces_by_formulas_are_exact);
    TEST(random_bodies_obey_their_laws);
    TEST(limits_are_said);
    return harness_end();
}
