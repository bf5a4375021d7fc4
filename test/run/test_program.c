// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_program.c - simulations of a program's own: stored, resumed or refused, watched through
// buffers that stay, asked by names.

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness.h"
#include "scree/scree.h"

static const char *const path = "test_program.h5";

// a ball above the ground; the other one beside it
static scree_model *balls(double mass) {
    scree_error err = { 0 };
    scree_model *model = scree_model_new();
    const scree_body ground = { .name = "ground", .fixed = true };
    const scree_body ball = {
        .name = "ball", .mass = mass, .inertia = 4e-3, .position = { 0, 0.2 }
    };
    scree_body other = ball;
    other.name = "other";
    other.position[0] = 1;
    scree_model_set_gravity(model, 0, -9.81, 0);
    CHECK_INT(scree_model_add_body(model, &ground, &err), SCREE_OK);
    CHECK_INT(scree_model_add_body(model, &ball, &err), SCREE_OK);
    CHECK_INT(scree_model_add_body(model, &other, &err), SCREE_OK);
    scree_shape plane = scree_shape_default(SCREE_HALF_PLANE, 0);
    plane.normal[0] = 0, plane.normal[1] = 1;
    CHECK_INT(scree_model_add_shape(model, &plane, &err), SCREE_OK);
    for (int i = 1; i < 3; i++) {
        scree_shape disc = scree_shape_default(SCREE_DISC, i);
        disc.radius = 0.1;
        CHECK_INT(scree_model_add_shape(model, &disc, &err), SCREE_OK);
    }
    const scree_law law = { .restitution = 0.5, .friction = 0.3 };
    CHECK_INT(scree_model_add_law(model, -1, -1, law, &err), SCREE_OK);
    CHECK_INT(scree_model_finish(model, &err), SCREE_OK);
    return model;
}

static scree_simulation *simulate(const scree_model *model, double duration) {
    scree_error err = { 0 };
    scree_run_options options = scree_run_options_default();
    scree_simulation *simulation = NULL;
    options.scheme.step = 1e-3;
    options.duration = duration;
    CHECK_INT(scree_simulation_new(model, &options, &simulation, &err), SCREE_OK);
    return simulation;
}

static int stop_at(void *data, const scree_simulation *simulation) {
    return scree_simulation_state(simulation)->step == *(const int64_t *)data;
}

// a drag that sees the state, and a wind
static scree_status drag(void *data, const scree_state *state, double *force, scree_error *err) {
    (void)data, (void)err;
    for (int i = 3; i < 9; i++) force[i] -= 0.1 * state->v[i];
    force[3] += 0.2;
    return SCREE_OK;
}

// run to the end, once without a stop, once with: the same bits
static void resume(const scree_model *model, scree_force_fn *force) {
    scree_error err = { 0 };
    scree_simulation *whole = simulate(model, 0.5), *part = simulate(model, 0.5),
                     *rest = simulate(model, 0.5);
    scree_simulation *const all[] = { whole, part, rest };
    for (int i = 0; force && i < 3; i++)
        CHECK_INT(scree_simulation_set_forces(all[i], force, NULL, &err), SCREE_OK);
    int64_t last = 211;
    scree_run_request request = { .path = path, .on_step = stop_at, .data = &last };
    CHECK_INT(scree_run(whole, &(scree_run_request){ 0 }, NULL, &err), SCREE_OK);
    CHECK_INT(scree_run(part, &request, NULL, &err), SCREE_INTERRUPTED);
    request = (scree_run_request){ .path = path, .resume = true };
    CHECK_INT(scree_run(rest, &request, NULL, &err), SCREE_OK);
    const scree_state *a = scree_simulation_state(whole), *b = scree_simulation_state(rest);
    CHECK_INT(b->step, 500);
    CHECK(memcmp(a->q, b->q, 9 * sizeof *a->q) == 0 && memcmp(a->v, b->v, 9 * sizeof *a->v) == 0);
    for (int i = 0; i < 3; i++) scree_simulation_free(all[i]);
}

static void stored(void) {
    scree_model *model = balls(1);
    resume(model, NULL);
    scree_error err = { 0 };
    scree_run_reader *reader = NULL;
    CHECK_INT(scree_run_reader_open(path, &reader, &err), SCREE_OK);
    CHECK(reader && reader->steps == 501 && reader->scene_length == 0 && !reader->program);
    scree_findings findings = { 0 };
    CHECK(!scree_run_simulation(reader, &findings));
    CHECK(findings.count == 1 && strstr(findings.item[0].text, "a program built"));
    scree_findings_free(&findings);
    scree_run_reader_close(reader);
    resume(model, drag);
    scree_model_free(model);
}

// another model, other hands: refused with a sentence
static void refused(void) {
    scree_error err = { 0 };
    scree_model *model = balls(1), *heavy = balls(2);
    const scree_run_request again = { .path = path, .resume = true };
    scree_simulation *first = simulate(model, 0.05), *longer = simulate(model, 0.1),
                     *pushed = simulate(model, 0.1), *other = simulate(heavy, 0.1),
                     *late = simulate(model, 0.1);
    CHECK_INT(scree_run(first, &(scree_run_request){ .path = path }, NULL, &err), SCREE_OK);
    CHECK_INT(scree_run(other, &again, NULL, &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "holds no run of this model"));
    CHECK_INT(scree_simulation_set_force(pushed, 1, (double[]){ 1, 0, 0 }, &err), SCREE_OK);
    CHECK_INT(scree_run(pushed, &again, NULL, &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "without forces"));
    CHECK_INT(scree_run(longer, &again, NULL, &err), SCREE_OK);
    CHECK_INT(scree_simulation_state(longer)->step, 100);

    CHECK_INT(scree_simulation_step(late, &err), SCREE_OK);  // stored from its second step on
    CHECK_INT(scree_run(late, &(scree_run_request){ .path = path }, NULL, &err), SCREE_OK);
    scree_run_reader *reader = NULL;
    scree_step_row row;
    CHECK_INT(scree_run_reader_open(path, &reader, &err), SCREE_OK);
    CHECK_INT(reader->steps, 100);
    CHECK_INT(scree_run_reader_steps(reader, 0, 1, &row, &err), SCREE_OK);
    CHECK_INT(row.step, 1);
    scree_run_reader_close(reader);
    scree_simulation_free(longer);
    longer = simulate(model, 0.2);
    CHECK_INT(scree_run(longer, &again, NULL, &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "begins in the middle"));
    scree_simulation *const all[] = { first, longer, pushed, other, late };
    for (int i = 0; i < 5; i++) scree_simulation_free(all[i]);
    scree_model_free(model);
    scree_model_free(heavy);
}

// a scene with forces of a program: the scene alone does not resume it
static void marked(void) {
    static const char text[] =
        "bodies:\n  - {name: ball, mass: 2, inertia: 1}\n"
        "scheme: {step: 1e-3, duration: 0.01}\n";
    scree_error err = { 0 };
    scree_findings findings = { 0 };
    scree_simulation *simulation =
        scree_simulation_parse("one", text, sizeof text - 1, NULL, 0, &findings);
    CHECK_INT(scree_simulation_set_load(simulation, (double[]){ 2, 0, 0 }, &err), SCREE_OK);
    CHECK_INT(scree_run(simulation, &(scree_run_request){ .path = path }, NULL, &err), SCREE_OK);
    CHECK_NEAR(scree_simulation_state(simulation)->v[0], 0.01, 1e-15);
    scree_simulation_free(simulation);
    scree_run_reader *reader = NULL;
    CHECK_INT(scree_run_reader_open(path, &reader, &err), SCREE_OK);
    CHECK(reader->program);
    simulation = scree_run_simulation_to(reader, "scheme.duration=0.02", &findings);
    CHECK(simulation && findings.count == 0);
    const scree_run_request again = { .path = path, .resume = true };
    CHECK_INT(scree_run(simulation, &again, NULL, &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "only that program"));
    scree_run_reader_close(reader);
    scree_simulation_free(simulation);
    scree_findings_free(&findings);
}

// pointers that are taken once show every state, also after a refusal and a set state
static scree_status never(void *data, const scree_state *state, double *force, scree_error *err) {
    (void)data, (void)force;
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "not at %g", state->time);
}

static void buffers(void) {
    scree_error err = { 0 };
    scree_model *model = balls(1);
    scree_simulation *simulation = simulate(model, 1);
    const scree_state *state = scree_simulation_state(simulation);
    const double *q = state->q, *v = state->v;
    for (int k = 0; k < 7; k++) {
        CHECK_INT(scree_simulation_step(simulation, &err), SCREE_OK);
        CHECK(scree_simulation_state(simulation) == state && state->q == q && state->v == v);
        CHECK_NEAR(v[4], -9.81e-3 * (k + 1), 1e-15);
        CHECK(memcmp(q, scree_simulation_record(simulation)->after.q, 9 * sizeof *q) == 0);
    }
    double height = q[4];
    CHECK_INT(scree_simulation_set_forces(simulation, never, NULL, &err), SCREE_OK);
    CHECK_INT(scree_simulation_step(simulation, &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "not at 0.007") && q[4] == height && state->step == 7);
    CHECK_INT(scree_simulation_set_forces(simulation, NULL, NULL, &err), SCREE_OK);
    CHECK_INT(scree_simulation_set_state(simulation, q, (double[9]){ 0 }, &err), SCREE_OK);
    CHECK(v[4] == 0 && q[4] == height);
    CHECK_INT(scree_simulation_set_state(simulation, q, (double[9]){ NAN }, &err), SCREE_BAD_INPUT);
    CHECK_INT(scree_simulation_step(simulation, &err), SCREE_OK);
    CHECK_NEAR(scree_simulation_ledger(simulation)->exchange, -0.00981 * 0.00981 * 49, 1e-12);
    scree_simulation_free(simulation);
    scree_model_free(model);
}

static void names(void) {
    scree_error err = { 0 };
    scree_model *model = balls(1);
    CHECK_INT(scree_model_body_find(model, "other"), 2);
    CHECK_INT(scree_model_body_find(model, "nobody"), -1);
    scree_simulation *simulation = simulate(model, 1);
    while (scree_simulation_left(simulation) > 0)
        CHECK_INT(scree_simulation_step(simulation, &err), SCREE_OK);
    const scree_step_record *record = scree_simulation_record(simulation);
    double weight = 0;
    int of_ground = 0, ball = scree_model_body_find(model, "ball");
    for (int i = -1; (i = scree_contact_next(record, ball, i)) >= 0;)
        weight += record->contact[i].impulse[0] / record->h;
    for (int i = -1; (i = scree_contact_next(record, 0, i)) >= 0;) of_ground++;
    CHECK_NEAR(weight, 9.81, 1e-9);
    CHECK_INT(of_ground, 2);
    scree_simulation_free(simulation);
    scree_model_free(model);
}

// friction by a function that tells pairs apart and sees how fast a contact slips
typedef struct asked {
    int calls, disorder;
    scree_contact_id last;
    int64_t step;
    double most;  // restitution that it gives
} asked;

static scree_status weaken(void *data, const scree_state *state, const scree_contact *contact,
                           scree_law *law, scree_error *err) {
    asked *seen = data;
    if (state->step == seen->step && !scree_contact_id_less(seen->last, contact->id))
        seen->disorder++;
    seen->step = state->step;
    seen->last = contact->id;
    seen->calls++;
    if (state->time > 0.8)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "no law after 0.8");
    law->friction = contact->a == 2 || contact->b == 2 ? 0.1 : 0;
    law->restitution = seen->most;
    return SCREE_OK;
}

// both balls slide on the ground: one without friction, the other slows down by mu g
static void laws(void) {
    scree_error err = { 0 };
    scree_model *model = balls(1);
    scree_simulation *simulation = simulate(model, 1);
    double q[9], v[9] = { [3] = 1, [6] = 1, [8] = 0 };
    memcpy(q, scree_simulation_state(simulation)->q, sizeof q);
    q[4] = q[7] = 0.1;
    asked seen = { .step = -1 };
    CHECK_INT(scree_simulation_set_laws(simulation, weaken, &seen, &err), SCREE_OK);
    CHECK_INT(scree_simulation_set_state(simulation, q, v, &err), SCREE_OK);
    for (int k = 0; k < 100; k++) CHECK_INT(scree_simulation_step(simulation, &err), SCREE_OK);
    const scree_state *state = scree_simulation_state(simulation);
    CHECK_NEAR(state->v[3], 1, 1e-12);
    CHECK_NEAR(state->v[6], 1 - 0.1 * 9.81 * 0.1, 1e-9);
    CHECK(seen.calls >= 200 && seen.disorder == 0);
    CHECK(!scree_simulation_theorem(simulation).holds);
    seen.most = 0.9;
    CHECK_INT(scree_simulation_step(simulation, &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "restitution 0.9 is more than the largest") &&
          strstr(err.text, "\"ball\""));
    seen.most = 0;
    while (state->time < 0.8005) {
        scree_status status = scree_simulation_step(simulation, &err);
        if (status == SCREE_OK) continue;
        CHECK(strstr(err.text, "no law after 0.8") && state->step == 801);
        break;
    }
    scree_simulation_free(simulation);
    scree_model_free(model);
}

// a body more: its energy is exchange, it falls and bounces, and the others keep their bits
static void more_bodies(void) {
    scree_error err = { 0 };
    scree_model *model = balls(1);
    scree_simulation *alone = simulate(model, 1), *joined = simulate(model, 1);
    for (int k = 0; k < 300; k++) {
        CHECK_INT(scree_simulation_step(alone, &err), SCREE_OK);
        CHECK_INT(scree_simulation_step(joined, &err), SCREE_OK);
    }
    const scree_body late = {
        .name = "late", .mass = 3, .inertia = 1, .position = { 5, 2 }, .velocity = { 0, 1 }
    };
    const scree_shape disc = { SCREE_DISC, 0, .radius = 0.5 };
    CHECK_INT(scree_simulation_set_force(joined, 1, (double[]){ 0, 0, 0 }, &err), SCREE_OK);
    CHECK_INT(scree_simulation_add_bodies(joined, &late, 1, &disc, 1, &err), SCREE_OK);
    const scree_model *now = scree_simulation_model(joined);
    const scree_state *state = scree_simulation_state(joined);
    CHECK(now->bodies == 4 && scree_model_body_find(now, "late") == 3 && state->step == 300);
    CHECK(state->q[9] == 5 && state->q[10] == 2 && state->v[10] == 1);
    for (int k = 0; k < 700; k++) {
        CHECK_INT(scree_simulation_step(alone, &err), SCREE_OK);
        CHECK_INT(scree_simulation_step(joined, &err), SCREE_OK);
        if (k == 0)
            CHECK_NEAR(scree_simulation_ledger(joined)->exchange, 1.5 + 3 * 9.81 * 2, 1e-12);
    }
    const scree_state *other = scree_simulation_state(alone);
    CHECK(memcmp(other->q, state->q, 9 * sizeof(double)) == 0);
    CHECK(state->q[10] > 0.49 && state->q[10] < 2);
    CHECK_INT(scree_simulation_add_bodies(joined, &late, 1,
                                          &(scree_shape){ .kind = SCREE_DISC, .body = 1 }, 1, &err),
              SCREE_BAD_INPUT);
    CHECK(scree_simulation_model(joined) == now);
    scree_simulation_free(alone);
    scree_simulation_free(joined);
    scree_model_free(model);
}

// a body less: what stood on it falls
static void fewer_bodies(void) {
    static const char text[] =
        "gravity: [0, -10]\n"
        "bodies:\n"
        "  - {name: floor, fixed: true, shapes: [{type: half-plane, normal: [0, 1]}]}\n"
        "  - {name: table, fixed: true, position: [0, 1], shapes: [{type: box, size: [1, 1]}]}\n"
        "  - {name: ball, mass: 1, inertia: 1, position: [0, 1.6], shapes: [{type: disc, radius: "
        "0.1}]}\n"
        "forces:\n  - {bodies: [ball], force: [\"1\", 0]}\n"
        "scheme: {step: 1e-3, duration: 0.2}\n";
    scree_error err = { 0 };
    scree_findings findings = { 0 };
    scree_simulation *simulation =
        scree_simulation_parse("t", text, sizeof text - 1, NULL, 0, &findings);
    CHECK(simulation && findings.count == 0);
    const scree_state *state = scree_simulation_state(simulation);
    for (int k = 0; k < 100; k++) CHECK_INT(scree_simulation_step(simulation, &err), SCREE_OK);
    CHECK_NEAR(state->q[7], 1.6, 1e-9);
    int gone = scree_model_body_find(scree_simulation_model(simulation), "table");
    CHECK_INT(scree_simulation_remove_bodies(simulation, &gone, 1, &err), SCREE_OK);
    CHECK_INT(scree_simulation_remove_bodies(simulation, &(int){ 7 }, 1, &err), SCREE_BAD_INPUT);
    CHECK_INT(scree_run(simulation, &(scree_run_request){ .path = path }, NULL, &err), SCREE_OK);
    CHECK_NEAR(state->q[7], 1.6 - 0.05, 1e-3);
    CHECK_NEAR(state->v[6], 0.2, 1e-9);
    CHECK_NEAR(state->v[7], -1, 1e-9);
    CHECK(scree_simulation_totals(simulation)->exchange == 0);
    gone = 2;
    CHECK_INT(scree_simulation_remove_bodies(simulation, &gone, 1, &err), SCREE_OK);
    CHECK_INT(scree_simulation_step(simulation, &err), SCREE_OK);
    CHECK_NEAR(scree_simulation_ledger(simulation)->exchange, -(0.52 + 10 * state->q[7]), 1e-9);
    CHECK_NEAR(scree_simulation_energy(simulation), 0, 0);
    scree_run_reader *reader = NULL;
    CHECK_INT(scree_run_reader_open(path, &reader, &err), SCREE_OK);
    CHECK(reader && reader->program && reader->scene_length == 0);
    scree_run_reader_close(reader);
    scree_simulation_free(simulation);
    scree_findings_free(&findings);
}

// joints, motors, elastic bodies, matrices and formulas go on to the bit beside a body that is
// added
static void any_kind(void) {
    static const char *const scene[] = { "slider-crank", "sliding-block", "klarbring", "dominoes",
                                         "kane-pendulum" };
    const char *folder = getenv("SCREE_SCENES");
    if (!folder) {
        printf("SKIPPED any_kind: SCREE_SCENES does not name the scenes\n");
        return;
    }
    for (size_t s = 0; s < sizeof scene / sizeof *scene; s++) {
        char file[400];
        scree_error err = { 0 };
        scree_findings findings = { 0 };
        snprintf(file, sizeof file, "%s/%s.yaml", folder, scene[s]);
        scree_simulation *alone = scree_simulation_open(file, NULL, 0, &findings),
                         *joined = scree_simulation_open(file, NULL, 0, &findings);
        CHECK_INT(findings.count, 0);
        const scree_body post = { .name = "post", .fixed = true, .position = { 3, 4 } };
        for (int k = 0; k < 24; k++) {
            CHECK_INT(scree_simulation_step(alone, &err), SCREE_OK);
            if (scree_simulation_step(joined, &err)) COMPLAIN("%s: %s", scene[s], err.text);
            if ((k == 11 || k == 13) &&
                scree_simulation_add_bodies(joined, &post, 1, NULL, 0, &err))
                COMPLAIN("%s: %s", scene[s], err.text);
        }
        const scree_model *a = scree_simulation_model(alone), *b = scree_simulation_model(joined);
        const double *x = scree_simulation_state(alone)->q, *y = scree_simulation_state(joined)->q;
        size_t head = (size_t)(a->bodies * a->body_coordinates), all = (size_t)a->coordinates,
               moved = (size_t)(b->bodies * b->body_coordinates);
        CHECK_INT(b->bodies, a->bodies + 2);
        if (memcmp(x, y, head * sizeof *x) != 0 ||
            memcmp(x + head, y + moved, (all - head) * sizeof *x) != 0)
            COMPLAIN("%s goes another way", scene[s]);
        scree_simulation_free(alone);
        scree_simulation_free(joined);
        scree_findings_free(&findings);
    }
}

TEST_FILE(test_program) {
    TEST(any_kind);
    TEST(laws);
    TEST(more_bodies);
    TEST(fewer_bodies);
    TEST(stored);
    TEST(refused);
    TEST(marked);
    TEST(buffers);
    TEST(names);
    unlink(path);
    return harness_end();
}
