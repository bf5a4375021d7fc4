// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_allocation.c - every allocation fails once: an error comes back, nothing crashes or leaks.
//
// libyaml and HDF5 are shared libraries and keep their memory, SuiteSparse is told to use ours.
// Leaks show in the sanitizer build.

#include <suitesparse/SuiteSparse_config.h>

#include "failing.h"
#include "scene_text.h"
#include "scree/simulation.h"
#include "solve/mechanism.h"

// -------------------------------------------------------------------------------------------------
// one story with many allocations, told again and again

typedef struct ending {
    scree_status status;
    double sum;  // of the last state
} ending;

static double sum_of(const scree_simulation *simulation) {
    const scree_state *state = scree_simulation_state(simulation);
    double sum = 0;
    for (int i = 0; i < scree_simulation_model(simulation)->dofs; i++)
        sum += (i + 1) * (state->q[i] + state->v[i]);
    return sum;
}

/// Parse a scene, step it, restore it to where it is, step again.
static ending tell(const char *text, const char *const *overrides, int count) {
    ending end = { SCREE_OK, 0 };
    scree_findings findings = { 0 };
    scree_simulation *simulation =
        scree_simulation_parse("scene", text, strlen(text), overrides, count, &findings);
    if (!simulation) {
        // somebody must have said what it was, or at least that the list is not complete
        bool said = findings.truncated;
        for (int i = 0; i < findings.count; i++)
            said = said || strstr(findings.item[i].text, "memory");
        if (!said)
            COMPLAIN("call %ld: %d findings, first \"%s\"", fails_at, findings.count,
                     findings.count ? findings.item[0].text : "");
        end.status = SCREE_NO_MEMORY;
    } else {
        size_t length = 0;
        const char *kept = scree_scene_text(scree_simulation_scene(simulation), &length);
        const char *const *given = NULL;
        if (!kept || length != strlen(text) || strcmp(kept, text) != 0)
            COMPLAIN("call %ld: the scene lost its text", fails_at);
        int number = scree_scene_overrides(scree_simulation_scene(simulation), &given);
        if (number != count) COMPLAIN("call %ld: the scene lost its overrides", fails_at);
        for (int i = 0; i < count && i < number; i++) CHECK_TEXT(given[i], overrides[i]);
        if (findings.count > 0 || findings.truncated)
            COMPLAIN("call %ld: findings, and a simulation", fails_at);
        scree_error err = { 0 };
        for (int step = 0; step < 20 && end.status == SCREE_OK; step++)
            end.status = scree_simulation_step(simulation, &err);
        if (end.status == SCREE_OK) {
            const scree_step_record *record = scree_simulation_record(simulation);
            scree_totals totals = *scree_simulation_totals(simulation);
            end.status = scree_simulation_restore(simulation, &record->after, record->contact,
                                                  record->contacts, &totals, &err);
        }
        if (end.status == SCREE_OK) end.status = scree_simulation_step(simulation, &err);
        if (end.status != SCREE_OK && !err.text[0]) COMPLAIN("call %ld: no sentence", fails_at);
        end.sum = sum_of(simulation);
    }
    scree_simulation_free(simulation);
    scree_findings_free(&findings);
    return end;
}

static void fail_each(const char *name, const char *text, const char *const *overrides, int count) {
    fails_at = calls = 0;
    ending good = tell(text, overrides, count);
    CHECK_INT(good.status, SCREE_OK);
    long all = calls, tolerated = 0;
    for (long k = 0; k < 2 * all; k++) {
        long n = fails_at = 1 + k / 2;
        calls = 0;
        fails_for_good = k % 2;
        ending end = tell(text, overrides, count);
        if (end.status == SCREE_OK) {
            // an allocation it can do without, but then the result is the same
            tolerated++;
            CHECK_NEAR(end.sum, good.sum, 0);
        } else if (end.status != SCREE_NO_MEMORY) {
            COMPLAIN("%s: call %ld of %ld fails, and the status is %d", name, n, all,
                     (int)end.status);
        }
    }
    fails_at = fails_for_good = 0;
    printf("%s: %ld allocations, %ld failures without effect\n", name, all, tolerated);
    CHECK(all > 3);
}

static void scene_allocations(const char *name) {
    const char *text = scene_text(name);
    if (!text) return;
    const char *none[1] = { NULL };
    const char *set[3] = { "scheme.theta=0.6", "title=another", "solver.tolerance=1e-9" };
    fail_each(name, text, none, 0);
    fail_each(name, text, set, 3);
}

static void bouncing_ball(void) { scene_allocations("bouncing-ball"); }
static void impacting_stick(void) { scene_allocations("impacting-stick"); }
static void oscillator_stop(void) { scene_allocations("oscillator-stop"); }
static void single_bar_impact(void) { scene_allocations("single-bar-impact"); }
static void sliding_incline(void) { scene_allocations("sliding-incline"); }
static void spinning_disc(void) { scene_allocations("spinning-disc"); }

static void mechanisms(void) {
    const char *none[1] = { NULL }, *events[1] = { "scheme.name=event-driven" };
    const char *text = scene_text("kane-pendulum");
    if (!text) return;
    fail_each("kane-pendulum", text, none, 0);
    fail_each("kane-pendulum, event-driven", text, events, 1);
    fail_each("three-balls, event-driven", scene_text("three-balls"), events, 1);
}

/// Elastic bodies: meshes, factors, columns of the inverse, nodes on ground and on each other.
static void elastic_bodies(void) {
    const char *bar[2] = { "parameters.n=3", "scheme.step=0.1" };
    const char *blocks[2] = { "parameters.n=4", "scheme.theta=0.6" };
    const char *text = scene_text("impacting-bar");
    if (text) fail_each("impacting-bar", text, bar, 2);
    text = scene_text("two-blocks");
    if (text) fail_each("two-blocks", text, blocks, 2);
}

/// Contacts enough for scratch that does not fit on the stack.
static void many_contacts(void) {
    static char text[40000];
    size_t at = (size_t)snprintf(text, sizeof text,
                                 "gravity: [0, -10]\nscheme: {step: 1e-3, duration: 1}\n"
                                 "laws: [{friction: 0.3}]\nbodies:\n"
                                 "  - {name: ground, fixed: true, shapes: [{type: half-plane, "
                                 "normal: [0, 1]}]}\n");
    for (int i = 0; i < 40; i++)
        at += (size_t)snprintf(text + at, sizeof text - at,
                               "  - {name: b%d, mass: 1, inertia: 1, position: [%d, 1], "
                               "shapes: [{type: disc, radius: 1}]}\n",
                               i, 3 * i);
    const char *none[1] = { NULL };
    const char *deep[3] = { "scheme.correction=projection", "overlaps=accept",
                            "bodies.b0.position=[0, 0.9]" };
    fail_each("forty discs", text, none, 0);
    fail_each("forty discs, corrected", text, deep, 3);
}

/// A scene full of mistakes: the list of findings grows, and may not grow.
static void many_mistakes(void) {
    static char text[4000];
    size_t at = (size_t)snprintf(text, sizeof text, "scheme: {step: -1, duration: x}\nbodies:\n");
    for (int i = 0; i < 20; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "  - {nmae: b%d, mass: -%d}\n", i, i);
    fails_at = calls = 0;
    for (long all = 1, n = 0; n <= all; n++) {
        scree_findings findings = { 0 };
        fails_at = n;
        calls = 0;
        scree_simulation *simulation =
            scree_simulation_parse("scene", text, strlen(text), NULL, 0, &findings);
        CHECK(!simulation);
        CHECK(findings.count > 0 || findings.truncated);
        if (n == 0) all = calls;
        if (n == 0) CHECK(findings.count > 30 && !findings.truncated);
        scree_findings_free(&findings);
        scree_simulation_free(simulation);
    }
    fails_at = 0;
}

static const double unit[4] = { 1, 0, 0, 1 }, start[2] = { 0, 0.1 };

static scree_status build(scree_model **model, scree_simulation **simulation, scree_error *err) {
    scree_status status = SCREE_OK;
    if (!(*model = scree_model_new())) {
        err->text[0] = '!';  // NULL says it all
        return SCREE_NO_MEMORY;
    }
    scree_system system = {
        .coordinates = 2, .mass = unit, .stiffness = unit, .position = start, .velocity = start
    };
    scree_matrix_contact contact = {
        .name = "stop", .normal = unit, .tangent = unit + 2, .tangents = 1, .law = { 0.5, 0.5 }
    };
    status = scree_model_set_system(*model, &system, err);
    for (int i = 0; i < 30 && !status; i++)
        status = scree_model_add_matrix_contact(*model, &contact, err);
    if (!status) status = scree_model_finish(*model, err);
    scree_run_options options = scree_run_options_default();
    options.scheme.step = 0.01;
    options.duration = 1;
    options.accept_overlaps = options.accept_unconverged = true;
    if (!status) status = scree_simulation_new(*model, &options, simulation, err);
    for (int i = 0; i < 5 && !status; i++) status = scree_simulation_step(*simulation, err);
    return status;
}

/// The same for models built by hand.
static void models_by_hand(void) {
    for (long all = 1, n = 0; n <= all; n++) {
        scree_model *model = NULL;
        scree_simulation *simulation = NULL;
        scree_error err = { 0 };
        fails_at = n;
        calls = 0;
        scree_status status = build(&model, &simulation, &err);
        CHECK_INT(status, n && calls >= n ? SCREE_NO_MEMORY : SCREE_OK);
        CHECK(status == SCREE_OK || err.text[0]);
        if (n == 0) all = calls;
        scree_simulation_free(simulation);
        scree_model_free(model);
    }
    fails_at = 0;
}

// -------------------------------------------------------------------------------------------------
// solvers

/// A column of balls, pushed to the side; `lid`: speed of a wall that comes down on it.
static mechanism *column(int d, int balls, double lid) {
    mechanism *one = mechanism_new(d, balls, balls + 1);
    double frame[3][3] = { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } };
    double below[3] = { 0, 0, -1 }, above[3] = { 0, 0, 1 };
    for (int k = 0; k <= balls; k++) {
        if (k < balls) {
            set_mass(one, k, 1 + k % 3, 0.4);
            one->velocity[k * 6 + 2] = -0.1;
            one->velocity[k * 6] = 0.05 * (k % 4);
        }
        attach(one, k, 0, k < balls ? k : -1, below, frame);
        attach(one, k, 1, k - 1, above, frame);
        one->mu[k] = 0.3;
        if (d == 5) one->mu_rolling[k] = 0.1;
    }
    one->w[balls * d] = -lid;
    condense(one);
    return one;
}

typedef struct effort {
    const char *what;
    double tolerance, lid;
} effort;

/// Solve once with the n-th allocation failing; what comes back is no memory, or the truth. Says
/// whether it was no memory to the solver, but no solution either.
static bool solve_failing(const mechanism *one, const char *solver, const effort *of, double *p,
                          double *s, double *v) {
    scree_solver_options options = scree_solver_options_default();
    scree_report report = { .iterations = -1 };
    scree_error err = { 0 };
    options.name = solver;
    options.tolerance = of->tolerance;
    options.max_sweeps = strcmp(solver, "auto") == 0 ? 2500 : 100;  // it has many to ask
    memset(p, 0, (size_t)rows_of(one) * sizeof *p);
    calls = 0;
    scree_status status = scree_solve(&one->problem, &options, p, &report, &err);
    long at = fails_at;
    fails_at = 0;
    if (status != SCREE_OK && !(status == SCREE_NO_MEMORY && at && err.text[0]))
        COMPLAIN("%s, %s, call %ld: status %d, \"%s\"", solver, of->what, at, (int)status,
                 err.text);
    if (status != SCREE_OK) return false;
    if (report.converged != (report.reason == SCREE_STOP_SOLVED))
        COMPLAIN("%s, %s, call %ld: converged %d, %s", solver, of->what, at, report.converged,
                 scree_stop_reason_text(report.reason));
    move(one, p, v, s);
    if (report.converged && !(law_miss(one, p, s) <= 1e-5))
        COMPLAIN("%s, %s, call %ld: \"solved\", law missed by %g", solver, of->what, at,
                 law_miss(one, p, s));
    return !report.converged;
}

static void fail_in_solver(const char *solver, int d, int balls, const effort *of) {
    enum { MOST = 40 / FEWER };  // failures of a solver; where it allocates more, some are left out
    mechanism *one = column(d, balls, of->lid);
    double *p = zeros((size_t)rows_of(one), sizeof *p), *s = zeros((size_t)rows_of(one), sizeof *s);
    double *v = zeros((size_t)balls * 6, sizeof *v);
    int gave_up = 0;
    fails_at = fails_for_good = 0;
    bool solved = !solve_failing(one, solver, of, p, s, v);
    long all = calls, stride = 1 + all / MOST;
    CHECK(all > 0);
    for (long k = 2; k < 2 * (all + 1); k += k / 2 < MOST / 2 ? 1 : stride) {
        fails_at = k / 2;
        fails_for_good = k % 2;
        gave_up += solve_failing(one, solver, of, p, s, v);
    }
    fails_at = fails_for_good = 0;
    printf("%s, d = %d, %s: %ld allocations, %d times unsolved instead of out of memory\n", solver,
           d, of->what, all, gave_up);
    if (solved) CHECK_INT(gave_up, 0);
    free(p);
    free(s);
    free(v);
    mechanism_free(one);
}

static void solvers(void) {
    const effort efforts[] = { { "solvable", 1e-8, 0 },
                               { "a tolerance nobody reaches", 1e-30, 0 },
                               { "no solution", 1e-8, 1 } };
    SuiteSparse_config.malloc_func = __wrap_malloc;
    SuiteSparse_config.calloc_func = __wrap_calloc;
    SuiteSparse_config.realloc_func = __wrap_realloc;
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++)
        for (int k = 0; k < 3; k++) {
            bool planar = is_planar_solver(entry->name);
            // small problems allocate nothing; enumerate takes no large ones
            int balls = strcmp(entry->name, "enumerate") == 0 ? 11 : 80;
            if (strcmp(entry->name, "apgd") == 0) balls = 180;
            if (strcmp(entry->name, "auto") == 0) balls = 30;
            fail_in_solver(entry->name, planar ? 2 : 3, balls, &efforts[k]);
            if (!planar && k == 0) fail_in_solver(entry->name, 5, 40, &efforts[k]);
        }
}

TEST_FILE(test_allocation) {
    TEST(solvers);
    TEST(bouncing_ball);
    TEST(impacting_stick);
    TEST(oscillator_stop);
    TEST(single_bar_impact);
    TEST(sliding_incline);
    TEST(spinning_disc);
    TEST(mechanisms);
    TEST(elastic_bodies);
    TEST(many_contacts);
    TEST(many_mistakes);
    TEST(models_by_hand);
    return harness_end();
}
