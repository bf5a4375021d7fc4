// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// restore.h - a run, the same run again, and one that goes on from the middle: the same bits.

#ifndef SCREE_TEST_STEP_RESTORE_H
#define SCREE_TEST_STEP_RESTORE_H

#include <stdlib.h>

#include "harness.h"
#include "random.h"
#include "scree/simulation.h"

enum { STEPS = 50 };  // of every random run

static scree_simulation *start(const scree_model *model, const scree_run_options *options) {
    scree_error err = { 0 };
    scree_simulation *simulation = NULL;
    if (scree_simulation_new(model, options, &simulation, &err) != SCREE_OK)
        COMPLAIN("refused: %s", err.text);
    return simulation;
}

static void same_bits(const scree_simulation *one, const scree_simulation *two) {
    const scree_step_record *a = scree_simulation_record(one), *b = scree_simulation_record(two);
    size_t size = (size_t)scree_simulation_model(one)->dofs * sizeof(double);
    CHECK(memcmp(a->after.q, b->after.q, size) == 0 && memcmp(a->after.v, b->after.v, size) == 0);
    CHECK(a->after.time == b->after.time && a->after.step == b->after.step);
    CHECK_INT(a->report.iterations, b->report.iterations);
    for (int c = 0; c < a->contacts; c++) {
        CHECK(scree_contact_id_equal(a->contact[c].id, b->contact[c].id) &&
              a->contact[c].gap == b->contact[c].gap);
        CHECK(memcmp(a->contact[c].impulse, b->contact[c].impulse, 3 * sizeof(double)) == 0);
    }
    CHECK(memcmp(scree_simulation_ledger(one), scree_simulation_ledger(two),
                 sizeof(scree_ledger)) == 0);
    CHECK(memcmp(scree_simulation_totals(one), scree_simulation_totals(two),
                 sizeof(scree_totals)) == 0);
}

/// Run, run again, and go on from a record in the middle: the same bits. active: hand over only the
/// contacts that were in the problem, as a run file may.
static void restores(const scree_model *model, const scree_run_options *options, bool active) {
    scree_simulation *run[3];
    for (int k = 0; k < 3; k++) run[k] = start(model, options);
    scree_error err;
    int middle = random_int(1, STEPS - 1);
    for (int step = 0; step < STEPS; step++) {
        scree_status status[3] = { SCREE_OK };
        for (int k = 0; k < (step < middle ? 2 : 3); k++) {
            status[k] = scree_simulation_step(run[k], &err);
            CHECK_INT(status[k], status[0]);
        }
        if (status[0] != SCREE_OK) break;  // refused, by all of them
        same_bits(run[0], run[1]);
        if (step >= middle) same_bits(run[0], run[2]);
        if (step != middle - 1) continue;
        const scree_step_record *record = scree_simulation_record(run[0]);
        scree_contact *kept = malloc(sizeof *kept * (size_t)(record->contacts + 1));
        int count = 0;
        for (int c = 0; c < record->contacts; c++)
            if (!active || record->contact[c].status != SCREE_CONTACT_INACTIVE)
                kept[count++] = record->contact[c];
        CHECK_INT(scree_simulation_restore(run[2], &record->after, kept, count,
                                           scree_simulation_totals(run[0]), &err),
                  SCREE_OK);
        free(kept);
    }
    for (int k = 0; k < 3; k++) scree_simulation_free(run[k]);
}

#endif
