// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_mechanics.c - the section mechanism: formulas become the functions that they say, and every
// mistake is found at its place.

#include <stdlib.h>

#include "harness.h"
#include "random.h"
#include "scene_case.h"
#include "scene_text.h"
#include "scree/scree.h"
#include "simulation_text.h"

// ---- functions

static void pendulum_is_what_its_formulas_say(void) {
    scree_simulation *made = open_text(scene_text("kane-pendulum"), NULL, 0);
    const scree_mechanism_def *m = made ? scree_simulation_model(made)->mechanism : NULL;
    CHECK(m && m->coordinates == 2 && m->contacts == 1 && m->potential && m->force);
    for (int trial = 0; m && trial < 100; trial++) {
        double q[] = { uniform(-3, 3), uniform(-3, 3) }, v[] = { 1, 2 };
        double M[4], dM[8], gradient[2], Q[2], normal[2], tangent[2];
        double c = cos(q[0] - q[1]) / 2, s = sin(q[0] - q[1]) / 2;
        const double mass[] = { 4 / 3., c, c, 1 / 3. };
        const double rate[] = { 0, -s, -s, 0, 0, s, s, 0 };
        m->mass(m->self, q, M, dM);
        for (int i = 0; i < 4; i++) CHECK_NEAR(M[i], mass[i], 1e-15);
        for (int i = 0; i < 8; i++) CHECK_NEAR(dM[i], rate[i], 1e-15);
        CHECK_NEAR(m->potential(m->self, q, gradient), -9.81 * (1.5 * cos(q[0]) + 0.5 * cos(q[1])),
                   1e-14);
        CHECK_NEAR(gradient[0], 9.81 * 1.5 * sin(q[0]), 1e-14);
        CHECK_NEAR(gradient[1], 9.81 * 0.5 * sin(q[1]), 1e-14);
        m->force(m->self, 0, q, v, Q);
        CHECK(Q[0] == 0 && Q[1] == 0);
        double depth = cos(20 * acos(-1) / 180) + cos(30 * acos(-1) / 180);
        CHECK_NEAR(m->contact(m->self, 0, q, normal, tangent), depth - cos(q[0]) - cos(q[1]),
                   1e-14);
        for (int i = 0; i < 2; i++) {
            CHECK_NEAR(normal[i], sin(q[i]), 1e-15);
            CHECK_NEAR(tangent[i], cos(q[i]), 1e-15);
        }
    }
    scree_simulation_free(made);
}

#define SCHEME "scheme: {step: 1e-3, duration: 1}\n"

// definitions of definitions, t and velocities; a contact without slip
static void everything_together(void) {
    scree_simulation *made =
        open_text(SCHEME
                  "parameters: {k: 2}\n"
                  "mechanism:\n"
                  "  coordinates: [x, y, z]\n"
                  "  let: {r2: x^2 + y^2, r: sqrt(1 + r2), w: r*z}\n"
                  "  mass: [[1 + r2, 0, w/10], [0, 2, 0], [w/10, 0, r]]\n"
                  "  force: [k*sin(t)*x' - r, y', w*z'*t]\n"
                  "  position: [0.1, 0.2, 0.3]\n"
                  "  contacts: [{name: floor, gap: w + 1, tangential_restitution: 0.3}]\n",
                  NULL, 0);
    const scree_mechanism_def *m = made ? scree_simulation_model(made)->mechanism : NULL;
    CHECK(m && !m->potential && m->velocity[0] == 0 && m->law[0].friction == 0);
    CHECK(m && m->law[0].tangential_restitution == 0.3 && m->law[0].restitution == 0);
    for (int trial = 0; m && trial < 50; trial++) {
        double q[3], v[3], M[9], dM[27], Q[3], normal[3], tangent[3], t = uniform(0, 3);
        for (int i = 0; i < 3; i++) {
            q[i] = uniform(-1, 1);
            v[i] = uniform(-1, 1);
        }
        double r2 = q[0] * q[0] + q[1] * q[1], r = sqrt(1 + r2), w = r * q[2];
        const double dr[] = { q[0] / r, q[1] / r, 0 };
        m->mass(m->self, q, M, dM);
        const double mass[] = { 1 + r2, 0, w / 10, 0, 2, 0, w / 10, 0, r };
        for (int i = 0; i < 9; i++) CHECK_NEAR(M[i], mass[i], 1e-15);
        for (int k = 0; k < 3; k++) {
            double dw = dr[k] * q[2] + (k == 2 ? r : 0);
            const double rate[] = { k < 2 ? 2 * q[k] : 0, 0, dw / 10, 0, 0, 0, dw / 10, 0, dr[k] };
            for (int i = 0; i < 9; i++) CHECK_NEAR(dM[9 * k + i], rate[i], 1e-15);
        }
        m->force(m->self, t, q, v, Q);
        CHECK_NEAR(Q[0], 2 * sin(t) * v[0] - r, 1e-15);
        CHECK_NEAR(Q[1], v[1], 0);
        CHECK_NEAR(Q[2], w * v[2] * t, 1e-15);
        CHECK_NEAR(m->contact(m->self, 0, q, normal, tangent), w + 1, 1e-15);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(normal[k], dr[k] * q[2] + (k == 2 ? r : 0), 1e-15);
            CHECK(tangent[k] == 0);
        }
    }
    scree_simulation_free(made);
}

// ---- mistakes

// one finding at the mark ^, in a scene with a scheme in its first line
static void mistake(const char *rest, const char *message) {
    char text[4000];
    int line, column;
    snprintf(text, sizeof text, SCHEME "%s", rest);
    take_mark(text, &line, &column);
    scree_findings findings = { 0 };
    scree_simulation *made =
        scree_simulation_parse("scene", text, strlen(text), NULL, 0, &findings);
    CHECK(!made);
    if (findings.count != 1) COMPLAIN("%d findings in %s", findings.count, text);
    for (int i = 0; i < findings.count; i++) {
        const scree_error *found = &findings.item[i];
        if (found->line != line || found->column != column || strcmp(found->text, message) != 0)
            COMPLAIN("%d:%d: %s\nexpected %d:%d: %s\nin %s", found->line, found->column,
                     found->text, line, column, message, text);
    }
    scree_simulation_free(made);
    scree_findings_free(&findings);
}

#define AB "mechanism:\n  coordinates: [a, b]\n"
#define MASS "  mass: [[2, 0], [0, 1]]\n"

static void names_are_refused(void) {
    mistake("parameters: {m: 1}\nmechanism:\n  coordinates: [a, ^m]\n" MASS,
            "\"m\" cannot be a coordinate: it is a parameter");
    mistake("mechanism:\n  coordinates: [^sin, b]\n" MASS,
            "\"sin\" cannot be a coordinate: it is a function");
    mistake("mechanism:\n  coordinates: [a, ^t]\n" MASS,
            "\"t\" cannot be a coordinate: letters, digits and _ only, not t, pi or auto");
    mistake("mechanism:\n  coordinates: [a, ^a]\n" MASS,
            "\"a\" cannot be a coordinate: it is there already");
    mistake("mechanism:\n  coordinates: ^[]\n  mass: []\n",
            "coordinates: a mechanism has 1 to 40, found 0");
    char many[1000] = "mechanism:\n  coordinates: ^[q";
    for (int i = 1; i < 41; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), ", q%d", i);
    strcat(many, "]\n  mass: [[1]]\n");
    mistake(many, "coordinates: a mechanism has 1 to 40, found 41");
    mistake(AB "  let: {^b: a}\n" MASS,
            "\"b\" cannot be a name for a formula: it is there already");
    mistake(AB "  let: {c: ^d, d: a}\n" MASS, "c: unknown name \"d\"");
    mistake(AB "  let: ^a\n" MASS,
            "let: expected a map of names and formulas, found a single value");
    mistake(AB "  mass: [[2, 0], [0, cos(^c)]]\n", "mass: unknown name \"c\"");
    mistake(AB "  mass: [[2, 0], [0, ^t]]\n", "mass: t (time) cannot be used here");
    mistake(AB MASS "  potential: a*^b'\n", "potential: b' (a velocity) cannot be used here");
    mistake(AB MASS "  contacts: [{name: n, gap: a + ^b'}]\n",
            "gap: b' (a velocity) cannot be used here");
    mistake(AB MASS "  force: [^angle, 0]\n", "force: unknown name \"angle\"");
}

static void sizes_are_refused(void) {
    mistake(AB "  mass: ^[[1]]\n", "mass must be 2 x 2 like the coordinates, found 1 x 1");
    mistake(AB "  mass: [[1, 0], ^[0]]\n", "mass: row 2 has 1 numbers, the first has 2");
    mistake(AB MASS "  force: ^[0]\n", "force has 1 entries, the mechanism has 2 coordinates");
    mistake(AB MASS "  position: ^[0, 1, 2]\n",
            "position has 3 entries, the mechanism has 2 coordinates");
    mistake(AB MASS "  velocity: ^[0]\n",
            "velocity has 1 entries, the mechanism has 2 coordinates");
    mistake(AB MASS "  contacts: [{name: n, gap: a, friction: ^0.5}]\n",
            "friction needs slip, the place of the contact point along the obstacle");
    mistake(AB MASS "  contacts: [{name: n, gap: ^1}]\n",
            "the gap does not depend on the coordinates");
    mistake(AB MASS "  contacts: [{name: n, gap: a}, {name: ^n, gap: b}]\n",
            "contact \"n\" is there already");
    mistake(AB MASS "  contacts: [{name: n, gap: a, slip_across: ^b}]\n",
            "slip_across needs slip, the place along the obstacle that it is at a right angle to");
    char many[4000] = "";
    for (int c = 0; c < 65; c++)
        snprintf(many + strlen(many), sizeof many - strlen(many), "%s{name: c%d, gap: a}",
                 c ? ", " : AB MASS "  contacts: ^[", c);
    strcat(many, "]\n");
    mistake(many, "a mechanism has at most 64 contacts, found 65");
}

static void masses_are_refused(void) {
    mistake(AB "  mass: [[2, a/2], [^b/2, 1]]\n  position: [1, 0.5]\n",
            "mass is not symmetric: entry (2, 1) is 0.25, entry (1, 2) is 0.5, at a = 1, ...");
    // equal at the start, not elsewhere
    mistake(AB "  mass: [[2, a*a], [^a*a*a, 1]]\n  position: [0, 0]\n",
            "mass is not symmetric: entry (2, 1) is -0.00157502401, entry (1, 2) is 0.0135370735, "
            "at a = -0.116349, ...");
    mistake(AB "  mass: [[1, cos(a)], [cos(a), ^1]]\n",
            "mass is not positive definite at the start: row 2");
    mistake(AB "  mass: [[^-1, 0], [0, 1]]\n", "mass is not positive definite at the start: row 1");
    mistake(AB "  mass: ^[[1/a, 0], [0, 1]]\n",
            "mass, or its derivative, is not finite at the start");
    mistake(AB MASS "  potential: ^log(a)\n",
            "the potential, or its derivative, is not finite at the start");
    mistake(AB MASS "  force: ^[1/t, 0]\n", "the force is not finite at the start");
    mistake(AB MASS "  contacts: [{name: n, gap: ^sqrt(a)}]\n",
            "gap or slip, or a derivative of them, is not finite at the start");
}

static void what_is_around_is_refused(void) {
    mistake(AB MASS "gravity: ^[0, -1]\n",
            "gravity is for bodies: a mechanism has its weight in potential");
    mistake(AB MASS "laws: ^[]\n", "laws is for bodies: contacts of a mechanism have their own");
    mistake(AB MASS "  contacts:\n    - {name: n, gap: ^a - 0.25}\n",
            "contact \"n\" penetrates by 0.25 at the start; move the mechanism, or set overlaps: "
            "accept");
    mistake("kind: sweeping\nstart: [0]\nsets: [{type: interval, low: [0]}]\n^" AB MASS,
            "mechanism is not for kind: sweeping, where the scene may have title, units, kind, "
            "parameters, start, sets, method, scheme, output");
}

static void schemes_are_refused(void) {
    static const struct {
        const char *scheme, *message;
    } cases[] = {
        { "{step: 1, duration: 1, correction: ^none}",
          "correction is not for mechanisms: leave it out" },
        { "{step: 1, duration: 1, theta: ^0.6}",
          "moreau-jean-fremond has theta 1/2 for mechanisms, got 0.6" },
        { "{name: nscd, step: ^1, duration: 1}",
          "contact n: nscd has no restitution, got 0.5; moreau-jean has" },
    };
    for (int i = 0; i < 3; i++) {
        char text[1000];
        int line, column;
        snprintf(text, sizeof text,
                 AB MASS "  contacts: [{name: n, gap: a, restitution: 1/2}]\nscheme: %s\n",
                 cases[i].scheme);
        take_mark(text, &line, &column);
        scree_findings findings = { 0 };
        scree_simulation *made =
            scree_simulation_parse("scene", text, strlen(text), NULL, 0, &findings);
        CHECK(!made);
        CHECK_INT(findings.count, 1);
        if (findings.count) {
            CHECK_TEXT(findings.item[0].text, cases[i].message);
            CHECK_INT(findings.item[0].line, line);
            CHECK_INT(findings.item[0].column, column);
        }
        scree_simulation_free(made);
        scree_findings_free(&findings);
    }
}

// its model holds functions, names and laws, and no matrices that would mean nothing
static void the_model_of_a_mechanism(void) {
    scene_case c = open_case(SCHEME AB MASS "  contacts: [{name: n, gap: a, restitution: 1/2}]\n");
    CHECK_INT(c.findings.count, 0);
    if (c.model) {
        scree_error err = { 0 };
        CHECK(c.model->mechanism && !c.model->system.mass);
        CHECK_INT(c.model->coordinates, 2);
        CHECK_INT(c.model->matrix_contacts, 1);
        CHECK_TEXT(c.model->matrix_contact[0].name, "n");
        CHECK(!c.model->matrix_contact[0].normal &&
              c.model->matrix_contact[0].law.restitution == 0.5);
        CHECK_INT(scree_model_check_mass(c.model, "nothing is", &err), SCREE_BAD_INPUT);
        CHECK_TEXT(err.text, "nothing is for bodies and matrix systems, not for a mechanism");
    }
    CHECK(c.model);
    close_case(&c);
}

TEST_FILE(test_mechanics) {
    TEST(pendulum_is_what_its_formulas_say);
    TEST(everything_together);
    TEST(names_are_refused);
    TEST(sizes_are_refused);
    TEST(masses_are_refused);
    TEST(what_is_around_is_refused);
    TEST(schemes_are_refused);
    TEST(the_model_of_a_mechanism);
    return harness_end();
}
