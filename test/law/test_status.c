// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_status.c - one rule for the status of a contact: case by case, and the same particle as a
// matrix system, as a mechanism and as a body under every scheme that takes it.

#include "law/status.h"

#include <stdlib.h>

#include "scree/scree.h"
#include "simulation_text.h"

// --- the rule -----------------------------------------------------------------------------------

static void each_case_has_its_status(void) {
    const scree_law_scale scale = { .s = 1, .tolerance = 1e-8 };
    const struct {
        scree_law_cone cone;
        double p[3], s[3];
        int d;
        scree_contact_status expected;
    } row[] = {
        { { .mu = 0.5 }, { 0, 0 }, { 1, 0 }, 2, SCREE_CONTACT_OPEN },
        { { .mu = 0.5 }, { 1, 0.1 }, { 0, 0 }, 2, SCREE_CONTACT_STICK },
        { { .mu = 0.5 }, { 1, -0.5 }, { 0, 1 }, 2, SCREE_CONTACT_SLIP },
        { { .mu = 0.5 }, { 1, -0.5 }, { 0, 1e-12 }, 2, SCREE_CONTACT_STICK },  // just not
        { { .mu = 0.5 }, { 1, 0.1 }, { 0, 1e-3 }, 2, SCREE_CONTACT_STICK },    // inside the cone
        { { .mu = 0 }, { 1, 0 }, { 0, 0 }, 2, SCREE_CONTACT_SLIP },            // nothing holds it
        { { .mu = 0 }, { 1, 0, 0 }, { 0, 1, 2 }, 3, SCREE_CONTACT_SLIP },
        { { .mu = 0.5 }, { 1, 0.3, 0.4 }, { 0, -3, -4 }, 3, SCREE_CONTACT_SLIP },
        { { .mu = 0.5 }, { 1, 0.3, 0.3 }, { 0, -3, -4 }, 3, SCREE_CONTACT_STICK },
        // across the grain friction is twice as large
        { { .mu = 0.5, .mu_second = 1 }, { 1, 0, 0.5 }, { 0, 0, -1 }, 3, SCREE_CONTACT_STICK },
        { { .mu = 0.5, .mu_second = 1 }, { 1, 0, 1 }, { 0, 0, -1 }, 3, SCREE_CONTACT_SLIP },
        // cohesion: what is pulled by less than it bears sticks, and opens at the tip of the cone
        { { .mu = 0.5, .pull = 2 }, { -1, 0 }, { 0, 0 }, 2, SCREE_CONTACT_STICK },
        { { .mu = 0.5, .pull = 2 }, { -1, 0.5 }, { 0, -1 }, 2, SCREE_CONTACT_SLIP },
        { { .mu = 0.5, .pull = 2 }, { -2, 0 }, { 1, 0 }, 2, SCREE_CONTACT_OPEN },
        { { .equality = true }, { -1, 3 }, { 0, 0 }, 2, SCREE_CONTACT_STICK },
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        scree_contact_status found =
            scree_law_status(&row[i].cone, row[i].p, row[i].s, row[i].d, scale);
        if (found != row[i].expected)
            COMPLAIN("case %zu: %s, expected %s", i, scree_contact_status_name(found),
                     scree_contact_status_name(row[i].expected));
    }
}

static void a_problem_counts_by_the_same_rule(void) {
    // three contacts on their own: open, without friction, sliding
    const int row[] = { 0, 1, 2, 3 }, column[] = { 0, 1, 2 };
    const double block[] = { 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1 };
    const double b[] = { 1, 0, -1, 0, -1, 4 }, mu[] = { 0.5, 0, 0.5 };
    scree_problem problem = { .contacts = 3,
                              .dimension = 2,
                              .row = row,
                              .column = column,
                              .diagonal = column,
                              .block = block,
                              .b = b,
                              .mu = mu };
    const double p[] = { 0, 0, 1, 0, 1, -0.5 };
    double s[6];
    scree_problem_velocity(&problem, p, s);
    scree_statuses found = scree_problem_statuses(&problem, p, s, 1e-8);
    CHECK_INT(found.open, 1);
    CHECK_INT(found.stick, 0);
    CHECK_INT(found.slip, 2);
}

// --- the same particle everywhere ---------------------------------------------------------------

#define SCHEME "scheme: {name: %s, theta: %s, step: 0.01, duration: 0.1}\n"

static const char *const particle[] = {
    "title: system\n"
    "system:\n"
    "  mass: [[1, 0], [0, 1]]\n"
    "  load: [-1, 0]\n"
    "  position: [0, 0]\n"
    "  velocity: [0, 0]\n"
    "  contacts: [{name: floor, normal: [1, 0], tangent: [0, 1], friction: %g}]\n" SCHEME,
    "title: mechanism\n"
    "mechanism:\n"
    "  coordinates: [y, x]\n"
    "  mass: [[1, 0], [0, 1]]\n"
    "  potential: y\n"
    "  position: [0, 0]\n"
    "  velocity: [0, 0]\n"
    "  contacts: [{name: floor, gap: y, slip: x, friction: %g}]\n" SCHEME,
    "title: body\n"
    "gravity: [0, -1]\n"
    "bodies:\n"
    "  - {name: floor, fixed: true, shapes: [{type: half-plane, normal: [0, 1]}]}\n"
    "  - {name: particle, mass: 1, inertia: 1, position: [0, 0], shapes: [{type: point}]}\n"
    "laws: [{between: [floor, particle], friction: %g}]\n" SCHEME,
};

static const char *const scheme[] = { "moreau-jean", "moreau-jean-fremond", "moreau", "nscd",
                                      "event-driven" };

static scree_simulation *open_scene(const char *form, double mu, const char *name) {
    char text[1000];
    bool end = strcmp(name, "nscd") == 0 || strcmp(name, "event-driven") == 0;
    snprintf(text, sizeof text, form, mu, name, end ? "1" : "1/2");
    return open_text(text, NULL, 0);
}

static void expect(const scree_step_record *record, const char *what, const char *name,
                   scree_contact_status expected) {
    CHECK_INT(record->contacts, 1);
    if (record->contacts == 1 && record->contact[0].status != expected)
        COMPLAIN("%.20s under %s: %s, expected %s", what, name,
                 scree_contact_status_name(record->contact[0].status),
                 scree_contact_status_name(expected));
}

static void rest(int kind, const char *name, double mu, scree_contact_status expected) {
    scree_error err;
    scree_simulation *s = open_scene(particle[kind], mu, name);
    if (!s) return;
    for (int k = 0; k < 3; k++) CHECK_INT(scree_simulation_step(s, &err), SCREE_OK);
    expect(scree_simulation_record(s), particle[kind], name, expected);
    scree_simulation_free(s);
}

static void a_particle_at_rest_has_one_status(void) {
    for (int kind = 0; kind < 3; kind++)
        for (int k = 0; k < (kind == 2 ? 3 : 5); k++) {
            rest(kind, scheme[k], 0, SCREE_CONTACT_SLIP);
            rest(kind, scheme[k], 0.5, SCREE_CONTACT_STICK);
        }
}

// a state that is looked at, or gone back to, has the statuses of the step that made it
static void a_restored_state_keeps_its_statuses(void) {
    for (int kind = 0; kind < 3; kind += 2) {
        scree_error err;
        scree_simulation *s = open_scene(particle[kind], 0, "moreau-jean");
        if (!s) continue;
        for (int k = 0; k < 3; k++) CHECK_INT(scree_simulation_step(s, &err), SCREE_OK);
        scree_contact kept = scree_simulation_record(s)->contact[0];
        expect(scree_simulation_snapshot(s), particle[kind], "look", SCREE_CONTACT_SLIP);
        CHECK_INT(scree_simulation_restore(s, scree_simulation_state(s), &kept, 1,
                                           scree_simulation_totals(s), &err),
                  SCREE_OK);
        expect(scree_simulation_record(s), particle[kind], "restore", SCREE_CONTACT_SLIP);
        scree_simulation_free(s);
    }
}

TEST_FILE(test_status) {
    TEST(each_case_has_its_status);
    TEST(a_problem_counts_by_the_same_rule);
    TEST(a_particle_at_rest_has_one_status);
    TEST(a_restored_state_keeps_its_statuses);
    return harness_end();
}
