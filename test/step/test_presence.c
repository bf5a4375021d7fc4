// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_presence.c - bodies that are still to come change nothing and are not looked at; whoever
// comes and goes, in whatever order, a run that goes on from the middle has the same bits.

#include <stdlib.h>

#include "restore.h"
#include "scene_run.h"

// Twelve bodies fall onto each other; behind them in the list stand `later` more, which come beside
// them after `first`, one every `apart` seconds, from the front of the list or from its end.
#define PLANE                                                                                      \
    "parameters: {later: 1, first: 100, apart: 1, down: 1}\n"                                      \
    "gravity: [0, -9.81]\n"                                                                        \
    "bodies: [{name: floor, fixed: true, shapes: [{type: half-plane}]}]\n"                         \
    "generate:\n"                                                                                  \
    "  - {name: early, arrange: each, count: 12, let: {r: 0.04 + 0.02*random(i)},\n"               \
    "     body: {density: 1000, position: [0.05*random(i + 0.5), 0.12*i],\n"                       \
    "            shapes: [{type: disc, radius: r}]}}\n"                                            \
    "  - {name: late, arrange: each, count: later, let: {k: (1 + down)/2*i + (1 - down)/2*(later " \
    "+ 1 - i)},\n"                                                                                 \
    "     body: {density: 1000, born: first + apart*k, removed: first + apart*(k + 8),\n"          \
    "            position: [0.3 + 0.1*i, 0.1], shapes: [{type: disc, radius: 0.04}]}}\n"           \
    "laws: [{friction: 0.4}]\n"                                                                    \
    "scheme: {step: 1e-3, duration: 0.4}\n"                                                        \
    "solver: {tolerance: 1e-9}\n"
#define SPACE                                                                                      \
    "space: 3\n"                                                                                   \
    "parameters: {later: 1, first: 100, apart: 1, down: 1}\n"                                      \
    "gravity: [0, 0, -9.81]\n"                                                                     \
    "bodies: [{name: floor, fixed: true, shapes: [{type: plane}]}]\n"                              \
    "generate:\n"                                                                                  \
    "  - {name: early, arrange: each, count: 12, let: {r: 0.04 + 0.02*random(i)},\n"               \
    "     body: {density: 1000, position: [0.05*random(i + 0.5), 0.03*random(i), 0.12*i],\n"       \
    "            shapes: [{type: sphere, radius: r}]}}\n"                                          \
    "  - {name: late, arrange: each, count: later, let: {k: (1 + down)/2*i + (1 - down)/2*(later " \
    "+ 1 - i)},\n"                                                                                 \
    "     body: {density: 1000, born: first + apart*k, removed: first + apart*(k + 8),\n"          \
    "            position: [0.3 + 0.1*i, 0, 0.1], shapes: [{type: box, size: [0.06, "              \
    "0.05, 0.04]}]}}\n"                                                                            \
    "laws: [{friction: 0.4}]\n"                                                                    \
    "scheme: {step: 1e-3, duration: 0.4}\n"                                                        \
    "solver: {tolerance: 1e-9}\n"

static const char *const scenes[] = { PLANE, SPACE };

// those that come after the end of the run might as well not be there
static void who_comes_too_late_changes_nothing(void) {
    for (int k = 0; k < 2; k++) {
        scree_simulation *few = scene_begin(scenes[k], NULL);
        scree_simulation *many = scene_begin(scenes[k], "parameters.later=40", NULL);
        if (!few || !many) return;
        const scree_model *model = scree_simulation_model(few);
        size_t places = (size_t)model->coordinates * sizeof(double);
        size_t dofs = (size_t)model->dofs * sizeof(double);
        bool met = false;
        scree_error err;
        while (scree_simulation_left(few) > 0) {
            CHECK_INT(scree_simulation_step(few, &err), SCREE_OK);
            CHECK_INT(scree_simulation_step(many, &err), SCREE_OK);
            const scree_step_record *a = scree_simulation_record(few),
                                    *b = scree_simulation_record(many);
            CHECK(memcmp(a->after.q, b->after.q, places) == 0);
            CHECK(memcmp(a->after.v, b->after.v, dofs) == 0);
            CHECK_INT(a->contacts, b->contacts);
            CHECK_INT(a->dormant, 1);
            CHECK_INT(b->dormant, 40);
            CHECK(memcmp(scree_simulation_ledger(few), scree_simulation_ledger(many),
                         sizeof(scree_ledger)) == 0);
            met |= a->active > 5;
        }
        CHECK(met);
        scree_simulation_free(few);
        scree_simulation_free(many);
    }
}

// problems by frames have no more bodies than touch
static void problems_have_the_bodies_that_touch(void) {
    scree_simulation *run = scene_begin(SPACE, "parameters.later=40", "parameters.first=0.1",
                                        "parameters.apart=0.01", NULL);
    scree_error err;
    int seen = 0;
    while (run && scree_simulation_left(run) > 0) {
        CHECK_INT(scree_simulation_step(run, &err), SCREE_OK);
        const scree_step_record *record = scree_simulation_record(run);
        const scree_bodies *bodies = record->problem.bodies;
        if (!bodies || !bodies->frame) continue;
        bool touches[64] = { false };
        int count = 0;
        for (int c = 0; c < record->contacts; c++) {
            const scree_contact *contact = &record->contact[c];
            if (contact->status == SCREE_CONTACT_INACTIVE) continue;
            touches[contact->a] = touches[contact->b] = true;
        }
        for (int i = 1; i < 53; i++) count += touches[i];  // 0 is the floor
        CHECK_INT(bodies->rigid, count);
        seen++;
    }
    CHECK(seen > 100);
    scree_simulation_free(run);
}

// one after the other from the front or from the back: how many are still to come is known, energy
// comes and goes with them, and a restart in the middle makes no difference
static void comings_and_goings(void) {
    for (int k = 0; k < 2; k++)
        for (int down = -1; down <= 1; down += 2) {
            scree_simulation *run = scene_begin(
                scenes[k], "parameters.later=20", "parameters.first=0", "parameters.apart=0.004",
                down > 0 ? "parameters.down=1" : "parameters.down=-1", NULL);
            if (!run) return;
            const scree_model *model = scree_simulation_model(run);
            scree_run_options options = *scree_simulation_options(run);
            options.duration = STEPS * options.scheme.step;
            for (int round = 0; round < 4; round++) restores(model, &options, round % 2);
            scree_error err;
            for (int step = 0; step < 100; step++) {
                CHECK_INT(scree_simulation_step(run, &err), SCREE_OK);
                const scree_step_record *record = scree_simulation_record(run);
                // those behind the last one that has come; from the back that is the very last
                int come = 0;
                for (int i = 0; i < model->bodies; i++)
                    if (model->body[i].birth_time <= record->after.time) come = i + 1;
                CHECK_INT(record->dormant, model->bodies - come);
                CHECK(fabs(scree_simulation_ledger(run)->residual) <=
                      scree_simulation_ledger(run)->bound);
            }
            CHECK(scree_simulation_totals(run)->exchange != 0);
            scree_simulation_free(run);
        }
}

// a step that was refused and taken all the same leaves no trace in those that are to come
static void refused_steps_are_taken(void) {
    for (int k = 0; k < 2; k++) {
        scree_simulation *run[2];
        for (int r = 0; r < 2; r++)
            run[r] =
                scene_begin(scenes[k], "parameters.later=20", "parameters.first=0.15",
                            "parameters.apart=0.004", "solver.name=nsgs", "solver.max_sweeps=2",
                            "solver.tolerance=1e-15", "solver.unconverged=accept", NULL);
        if (!run[0] || !run[1]) return;
        scree_error err;
        while (scree_simulation_left(run[0]) > 0) {
            for (int r = 0; r < 2; r++) CHECK_INT(scree_simulation_step(run[r], &err), SCREE_OK);
            same_bits(run[0], run[1]);
            const scree_step_record *record = scree_simulation_record(run[0]);
            const scree_model *model = scree_simulation_model(run[0]);
            int width = model->body_coordinates;
            for (int i = model->bodies - record->dormant; i < model->bodies; i++)
                CHECK_NEAR(record->after.q[i * width], model->body[i].position[0], 0);
        }
        CHECK(scree_simulation_totals(run[0])->unconverged > 0);
        for (int r = 0; r < 2; r++) scree_simulation_free(run[r]);
    }
}

TEST_FILE(test_presence) {
    TEST(who_comes_too_late_changes_nothing);
    TEST(problems_have_the_bodies_that_touch);
    TEST(comings_and_goings);
    TEST(refused_steps_are_taken);
    return harness_end();
}
