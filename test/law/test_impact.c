// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_impact.c - Newton's and Fremond's impact law, pair by pair: the law of all pairs is the
// scheme, pairs do not feel each other's law, and the theorem's verdict is one on each law.

#include "law/impact.h"

#include <stdlib.h>

#include "harness.h"
#include "scene_text.h"
#include "scree/scree.h"
#include "simulation_text.h"

// --- the law of all pairs is the scheme ---------------------------------------------------------

// the same bits from two runs; *active: contacts in the problems
static void compare(const char *name, scree_simulation *a, scree_simulation *b, int *active) {
    scree_error err;
    const scree_model *model = scree_simulation_model(a);
    CHECK(scree_simulation_theorem(a).holds == scree_simulation_theorem(b).holds);
    for (int k = 0; k < 400 / FEWER && scree_simulation_left(a) > 0; k++) {
        CHECK_INT(scree_simulation_step(a, &err), SCREE_OK);
        CHECK_INT(scree_simulation_step(b, &err), SCREE_OK);
        const scree_state *one = scree_simulation_state(a), *two = scree_simulation_state(b);
        *active += scree_simulation_record(a)->active;
        if (memcmp(one->q, two->q, (size_t)model->coordinates * sizeof *one->q) ||
            memcmp(one->v, two->v, (size_t)model->dofs * sizeof *one->v) ||
            memcmp(scree_simulation_ledger(a), scree_simulation_ledger(b), sizeof(scree_ledger))) {
            COMPLAIN("%s: step %d differs", name, k + 1);
            return;
        }
    }
}

static void the_law_of_all_pairs_is_the_scheme(void) {
    static const struct {
        const char *scene, *law[2], *theta;
    } row[] = {
        { "impacting-stick", { "laws.0.impact" }, "1/2" },
        { "impacting-stick", { "laws.0.impact" }, "0.7" },
        { "dominoes", { "laws.0.impact", "laws.1.impact" }, "1/2" },
        { "oscillator-stop", { "system.contacts.0.impact" }, "0.6" },
        { "klarbring", { "system.contacts.0.impact" }, "1/2" },
    };
    static const char *const scheme[2] = { "moreau-jean", "moreau-jean-fremond" };
    static const char *const law[2] = { "newton", "fremond" };
    int active = 0;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (int k = 0; k < 2; k++) {
            char own[60], other[60], given[2][60], theta[60];
            snprintf(own, sizeof own, "scheme.name=%s", scheme[k]);
            snprintf(other, sizeof other, "scheme.name=%s", scheme[!k]);
            int laws = row[i].law[1] ? 2 : 1;
            for (int l = 0; l < laws; l++)
                snprintf(given[l], sizeof given[l], "%s=%s", row[i].law[l], law[k]);
            snprintf(theta, sizeof theta, "scheme.theta=%s", row[i].theta);
            const char *text = scene_text(row[i].scene),
                       *set[] = { theta, own, given[0], given[1] };
            scree_simulation *a = open_text(text, set, 2);
            set[1] = other;
            scree_simulation *b = open_text(text, set, 2 + laws);
            if (a && b) compare(row[i].scene, a, b, &active);
            scree_simulation_free(a);
            scree_simulation_free(b);
        }
    CHECK(active > 1000 / FEWER);
}

// --- one pair of each ---------------------------------------------------------------------------

// two sticks far apart that land with one end (scene impacting-stick): what friction does to them
// shows which law they have
static const char *const sticks =
    "title: sticks\n"
    "gravity: [0, -10]\n"
    "bodies:\n"
    "  - {name: floor, fixed: true, shapes: [{type: half-plane, normal: [0, 1]}]}\n"
    "  - {name: one, mass: 1, inertia: 1/12, position: [0, 0.37], angle: pi/4,\n"
    "     velocity: [-0.5, 0.1], spin: 0.1, shapes: [{type: point, at: [0, -0.5]}]}\n"
    "  - {name: two, mass: 1, inertia: 1/12, position: [100, 0.37], angle: pi/4,\n"
    "     velocity: [-0.5, 0.1], spin: 0.1, shapes: [{type: point, at: [0, -0.5]}]}\n"
    "laws:\n"
    "  - {between: [floor, one], friction: 0.01, restitution: 1, impact: newton}\n"
    "  - {between: [floor, two], friction: 0.01, restitution: 1, impact: fremond}\n"
    "scheme: {name: moreau-jean, theta: 1/2, step: 1e-4, approach: kept, duration: 0.2}\n";

// one step of the mixed run beside the two runs with one law for both: stick k is that of run k
static void check_sticks(scree_simulation *const run[3], double work[2]) {
    const scree_state *mixed = scree_simulation_state(run[2]);
    for (int k = 0; k < 2; k++) {
        const scree_state *alone = scree_simulation_state(run[k]);
        for (int i = 3 * (k + 1); i < 3 * (k + 2); i++) {  // both in one problem: to rounding
            CHECK_NEAR(mixed->q[i], alone->q[i], 1e-7);
            CHECK_NEAR(mixed->v[i], alone->v[i], 1e-7);
        }
    }
    const scree_step_record *record = scree_simulation_record(run[2]);
    for (int i = 0; i < record->contacts; i++) {
        const scree_contact *contact = &record->contact[i];
        int k = contact->a == 1 || contact->b == 1 ? 0 : 1;
        double done = scree_ledger_contact(contact, 2, 0.5, 1e-8).tangential;
        CHECK_NEAR(contact->tangential_restitution, k ? 1 : 0, 0);
        work[k] = fmax(work[k], done);
    }
    const scree_ledger *ledger = scree_simulation_ledger(run[2]);
    CHECK(fabs(ledger->residual) <= ledger->bound);
}

static void pairs_do_not_feel_each_others_law(void) {
    static const char *const set[2][2] = { { "laws.0.impact=newton", "laws.1.impact=newton" },
                                           { "laws.0.impact=fremond", "laws.1.impact=fremond" } };
    scree_simulation *run[3] = { open_text(sticks, set[0], 2), open_text(sticks, set[1], 2),
                                 open_text(sticks, NULL, 0) };
    double work[2] = { 0 };
    scree_error err;
    for (int step = 0; run[0] && run[1] && run[2] && step < 1500; step++) {
        for (int k = 0; k < 3; k++) CHECK_INT(scree_simulation_step(run[k], &err), SCREE_OK);
        check_sticks(run, work);
    }
    // Newton's law gives the stick energy (docs/theory.md, section 5), Fremond's never does
    CHECK(work[0] > 1e-4);
    CHECK(work[1] <= 1e-12);
    for (int k = 0; k < 3 && run[k]; k++) CHECK(scree_simulation_theorem(run[k]).holds == (k == 1));
    for (int k = 0; k < 3; k++) scree_simulation_free(run[k]);
}

// --- verdicts -----------------------------------------------------------------------------------

static void each_law_has_its_verdict(void) {
    const scree_impact newton = SCREE_IMPACT_NEWTON, fremond = SCREE_IMPACT_FREMOND;
    const struct {
        scree_law law;
        double theta;
        bool holds;
    } row[] = {
        { { .restitution = 1, .friction = 0.3, .impact = fremond }, 0.5, true },
        { { .restitution = 1, .friction = 0.3, .impact = fremond }, 0.6, false },
        { { .restitution = 0.5, .impact = newton }, 1 / 1.5, true },
        { { .friction = 0.3, .impact = newton }, 0.5, false },
        { { .friction = 0.3, .impact = newton }, 1, true },
        { { .friction = 0.3, .tangential_restitution = 1, .impact = newton }, 1, false },
        { { .friction = 0.3, .tangential_restitution = 1, .impact = newton }, 0.5, true },
        { { .friction = 0.3, .tangential_restitution = 0.3, .impact = fremond }, 0.5, true },
        { { .rolling = 0.1, .impact = newton }, 0.5, false },
        { { .rolling = 0.1, .impact = fremond }, 0.5, true },
        { { .cohesion = 1, .impact = fremond }, 0.5, false },
        { { .cohesion = 1, .restitution = 1, .impact = fremond }, 0.5, true },
        { { .cohesion = 1, .friction = 0.3, .impact = newton }, 1, true },
    };
    scree_scheme_options scheme = scree_scheme_options_default();
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (int name = SCREE_MOREAU_JEAN; name <= SCREE_MOREAU_JEAN_FREMOND; name++) {
            scheme.name = (scree_scheme)name;
            scheme.theta = row[i].theta;
            scree_theorem found = scree_ledger_law_theorem(&row[i].law, &scheme);
            if (found.holds != row[i].holds) COMPLAIN("case %zu: %s", i, found.reason);
            bool coulomb = row[i].law.friction > 0 || row[i].law.friction_across > 0;
            if (!coulomb) CHECK(!strstr(found.reason, "mu ="));
        }
}

static void bad_laws_are_refused(void) {
    scree_error err;
    scree_model *model = scree_model_new();
    CHECK_INT(scree_model_add_law(model, -1, -1, (scree_law){ .impact = (scree_impact)3 }, &err),
              SCREE_BAD_INPUT);
    scree_model_free(model);
    static const char *const set[2][2] = {
        { "scheme.name=nscd", "system.contacts.0.impact=fremond" },
        { "scheme.name=event-driven", "system.contacts.0.impact=fremond" }
    };
    for (int k = 0; k < 2; k++) {
        scree_findings findings = { 0 };
        const char *text = scene_text("klarbring");
        scree_simulation *s =
            scree_simulation_parse("test", text, strlen(text), set[k], 2, &findings);
        CHECK(!s && findings.count == 1);
        if (findings.count) CHECK(strstr(findings.item[0].text, "impact law") != NULL);
        scree_findings_free(&findings);
        scree_simulation_free(s);
    }
}

TEST_FILE(test_impact) {
    TEST(the_law_of_all_pairs_is_the_scheme);
    TEST(pairs_do_not_feel_each_others_law);
    TEST(each_law_has_its_verdict);
    TEST(bad_laws_are_refused);
    return harness_end();
}
