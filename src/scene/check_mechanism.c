// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// check_mechanism.c - do the formulas of a mechanism fit together, and give a mass at the start?

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "scene/expression.h"
#include "scene/scene.h"
#include "scree/mechanism.h"

enum { N = SCREE_MECHANISM_COORDINATES, LOOKS = 8 };

static const double symmetry_slack = 1e-12;  // of the diagonal entries

// -------------------------------------------------------------------------------------------------
// keys and lists

static void refuse_key(const scree_section *section, const char *key, const char *why,
                       scree_findings *findings) {
    if (scree_scene_given(section, key))
        scree_findings_add(findings, scree_scene_place(section, key), "%s is %s", key, why);
}

// what bodies and systems have, and a mechanism would silently not look at
static void check_around(const scree_scene_top *top, scree_findings *findings) {
    const scree_scene_scheme *scheme = &top->scheme;
    const scree_scheme_options named = { .name = (scree_scheme)scheme->name };
    const scree_scheme_row *row = scree_scheme_row_of(&named);
    bool bodies = scree_scene_given(&top->section, "bodies") ||
                  scree_scene_given(&top->section, "generate") ||
                  scree_scene_given(&top->section, "elastic");
    if (!bodies) {
        refuse_key(&top->section, "gravity", "for bodies: a mechanism has its weight in potential",
                   findings);
        refuse_key(&top->section, "laws", "for bodies: contacts of a mechanism have their own",
                   findings);
        refuse_key(&top->section, "space", "for bodies: a mechanism is planar", findings);
        refuse_key(&scheme->section, "correction", "not for mechanisms: leave it out", findings);
    }
    if (!scheme->section.broken && row->impact == SCREE_IMPACT_FREMOND && scheme->theta > 0.5)
        scree_findings_add(findings, scree_scene_place(&scheme->section, "theta"),
                           "moreau-jean-fremond has theta 1/2 for mechanisms, got %g",
                           scheme->theta);
}

static void check_length(const scree_section *section, const char *key, int count, int wanted,
                         scree_findings *findings) {
    if (scree_scene_given(section, key) && count != wanted)
        scree_findings_add(findings, scree_scene_place(section, key),
                           "%s has %d entries, the mechanism has %d coordinates", key, count,
                           wanted);
}

static void check_contacts(const scree_scene_mechanism *given, scree_findings *findings) {
    const scree_scene_touch *touch = given->contacts.item;
    if (given->contacts.count > SCREE_MECHANISM_CONTACTS)
        scree_findings_add(findings, scree_scene_place(&given->section, "contacts"),
                           "a mechanism has at most %d contacts, found %d",
                           SCREE_MECHANISM_CONTACTS, given->contacts.count);
    for (int c = 0; c < given->contacts.count; c++) {
        const scree_section *section = &touch[c].section;
        if (touch[c].friction > 0 && !touch[c].slip)
            scree_findings_add(findings, scree_scene_place(section, "friction"),
                               "friction needs slip, the place of the contact point along the "
                               "obstacle");
        if (touch[c].slip_across && !touch[c].slip)
            scree_findings_add(findings, scree_scene_place(section, "slip_across"),
                               "slip_across needs slip, the place along the obstacle that it is at "
                               "a right angle to");
        if (!scree_expression_uses(touch[c].gap, -1))
            scree_findings_add(findings, scree_scene_place(section, "gap"),
                               "the gap does not depend on the coordinates");
        for (int other = 0; other < c; other++)
            if (strcmp(touch[c].name, touch[other].name) == 0)
                scree_findings_add(findings, scree_scene_place(section, "name"),
                                   "contact \"%s\" is there already", touch[c].name);
    }
}

static void check_lists(const scree_scene_mechanism *given, scree_findings *findings) {
    const scree_section *section = &given->section;
    int n = given->coordinates.count;
    if (given->mass.count != n || given->mass.columns != n)
        scree_findings_add(findings, scree_scene_place(section, "mass"),
                           "mass must be %d x %d like the coordinates, found %d x %d", n, n,
                           given->mass.count, given->mass.columns);
    check_length(section, "force", given->force.count, n, findings);
    check_length(section, "position", given->position.count, n, findings);
    check_length(section, "velocity", given->velocity.count, n, findings);
    check_contacts(given, findings);
}

// -------------------------------------------------------------------------------------------------
// numbers

static scree_source_location entry_place(const scree_section *section, int i, int j) {
    return scree_yaml_find(section->node, "mass")->item[i]->item[j]->at;
}

// the first entry that is not that of the other triangle
static bool check_symmetry(const scree_scene_mechanism *given, const scree_mechanism_def *m,
                           const double *q, scree_findings *findings) {
    int n = m->coordinates;
    double M[N * N];
    scree_mechanism_def_written(m, q, M);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) {
            double low = M[i * n + j], high = M[j * n + i];
            double size = fabs(M[i * n + i]) + fabs(M[j * n + j]) + fabs(low) + fabs(high);
            if (!(fabs(low - high) > symmetry_slack * size)) continue;
            scree_findings_add(findings, entry_place(&given->section, i, j),
                               "mass is not symmetric: entry (%d, %d) is %.9g, entry (%d, %d) is "
                               "%.9g, at %s = %.6g, ...",
                               i + 1, j + 1, low, j + 1, i + 1, high,
                               ((const char **)given->coordinates.item)[0], q[0]);
            return false;
        }
    return true;
}

static void check_mass(const scree_scene_mechanism *given, const scree_mechanism_def *m,
                       scree_findings *findings) {
    int n = m->coordinates;
    double q[N] = { 0 }, M[N * N], dM[N * N * N];
    // the start, and places around it that no formula has in mind
    for (int k = 0; k < LOOKS; k++) {
        for (int i = 0; i < m->coordinates; i++)
            q[i] = m->position[i] + (k ? sin(12.9898 * k + 78.233 * (i + 1)) : 0);
        if (!check_symmetry(given, m, q, findings)) return;
    }
    m->mass(m->self, m->position, M, dM);
    int row = scree_dense_cholesky(M, n);
    if (row)
        scree_findings_add(findings, entry_place(&given->section, row - 1, row - 1),
                           "mass is not positive definite at the start: row %d", row);
}

// values and derivatives at the start
static void check_start(const scree_scene_mechanism *given, const scree_mechanism_def *m,
                        scree_findings *findings) {
    const scree_scene_touch *touch = given->contacts.item;
    const scree_section *section = &given->section;
    int n = m->coordinates;
    double M[N * N], dM[N * N * N], x[2][N];
    m->mass(m->self, m->position, M, dM);
    if (!scree_dense_finite(M, n * n) || !scree_dense_finite(dM, n * n * n))
        scree_findings_add(findings, scree_scene_place(section, "mass"),
                           "mass, or its derivative, is not finite at the start");
    if (m->potential &&
        (!isfinite(m->potential(m->self, m->position, x[0])) || !scree_dense_finite(x[0], n)))
        scree_findings_add(findings, scree_scene_place(section, "potential"),
                           "the potential, or its derivative, is not finite at the start");
    if (m->force) m->force(m->self, 0, m->position, m->velocity, x[0]);
    if (m->force && !scree_dense_finite(x[0], n))
        scree_findings_add(findings, scree_scene_place(section, "force"),
                           "the force is not finite at the start");
    for (int c = 0; c < m->contacts; c++) {
        double gap = m->contact(m->self, c, m->position, x[0], x[1]);
        if (!isfinite(gap) || !scree_dense_finite(x[0], n) || !scree_dense_finite(x[1], n))
            scree_findings_add(findings, scree_scene_place(&touch[c].section, "gap"),
                               "gap or slip, or a derivative of them, is not finite at the start");
        if (m->across) m->across(m->self, c, 0, m->position, x[0], &gap);
        if (m->across && (!scree_dense_finite(x[0], n) || !isfinite(gap)))
            scree_findings_add(findings, scree_scene_place(&touch[c].section, "slip_across"),
                               "slip_across, or a derivative of it, is not finite at the start");
    }
}

void scree_check_mechanism(scree_scene *scene, scree_findings *findings) {
    scree_scene_top *top = &scene->top;
    scree_scene_mechanism *given = &top->mechanism;
    int known = findings->count;
    check_around(top, findings);
    if (!given->section.node || given->section.broken) return;
    check_lists(given, findings);
    if (findings->count > known) return;
    const scree_mechanism_def *m = scree_mechanism_def_from_scene(scene);
    if (!m) {
        scree_findings_no_memory(findings);
        return;
    }
    check_start(given, m, findings);
    if (findings->count == known) check_mass(given, m, findings);
    if (findings->count == known) scene->mechanics = m;
}
