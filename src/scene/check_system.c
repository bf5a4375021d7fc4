// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// check_system.c - do the matrices and rows of a system fit together?

#include <math.h>
#include <string.h>

#include "scene/scene.h"

static void check_length(const scree_section *section, const char *key, int count, int wanted,
                         scree_findings *findings) {
    if (scree_scene_given(section, key) && count != wanted)
        scree_findings_add(findings, scree_scene_place(section, key),
                           "%s has %d entries, the system has %d coordinates", key, count, wanted);
}

static void check_square(const scree_section *section, const char *key, const scree_list *matrix,
                         int n, scree_findings *findings) {
    if (scree_scene_given(section, key) && (matrix->count != n || matrix->columns != n))
        scree_findings_add(findings, scree_scene_place(section, key),
                           "%s must be %d x %d like the mass matrix, found %d x %d", key, n, n,
                           matrix->count, matrix->columns);
}

static void check_contact(const scree_scene_contact *contact, int n, scree_findings *findings) {
    const scree_section *section = &contact->section;
    bool one = scree_scene_given(section, "tangent"), two = scree_scene_given(section, "tangents");
    check_length(section, "normal", contact->normal.count, n, findings);
    check_length(section, "tangent", contact->tangent.count, n, findings);
    double length = 0;
    for (int i = 0; i < contact->normal.count; i++)
        length += fabs(((const double *)contact->normal.item)[i]);
    if (length == 0)
        scree_findings_add(findings, scree_scene_place(section, "normal"), "the normal is zero");
    if (one && two)
        scree_findings_add(findings, scree_scene_place(section, "tangents"),
                           "give either tangent (planar) or tangents (spatial)");
    if (two && (contact->tangents.count != 2 || contact->tangents.columns != n))
        scree_findings_add(findings, scree_scene_place(section, "tangents"),
                           "tangents are 2 rows of %d numbers, found %d x %d", n,
                           contact->tangents.count, contact->tangents.columns);
    if (contact->friction > 0 && !one && !two)
        scree_findings_add(findings, scree_scene_place(section, "friction"),
                           "friction needs a tangent");
    int tangents = two ? 2 : one;
    if (scree_scene_given(section, "surface_velocity") && contact->surface.count != tangents)
        scree_findings_add(findings, scree_scene_place(section, "surface_velocity"),
                           "surface_velocity has %d entries, the contact has %d tangents",
                           contact->surface.count, tangents);
}

void scree_check_system(const scree_scene_system *system, scree_findings *findings) {
    const scree_section *section = &system->section;
    int n = system->mass.count;
    const scree_scene_contact *contact = system->contacts.item;
    if (n == 0) {
        scree_findings_add(findings, scree_scene_place(section, "mass"), "mass has no rows");
        return;
    }
    // nothing can be measured against a mass matrix that is not square
    if (system->mass.columns != n) {
        scree_findings_add(findings, scree_scene_place(section, "mass"),
                           "mass must be a square matrix, found %d x %d", n, system->mass.columns);
        return;
    }
    check_square(section, "damping", &system->damping, n, findings);
    check_square(section, "stiffness", &system->stiffness, n, findings);
    check_length(section, "load", system->load.count, n, findings);
    check_length(section, "position", system->position.count, n, findings);
    check_length(section, "velocity", system->velocity.count, n, findings);
    for (int i = 0; i < system->contacts.count; i++) {
        if (!contact[i].section.broken) check_contact(&contact[i], n, findings);
        for (int j = 0; j < i && contact[i].name; j++)
            if (contact[j].name && strcmp(contact[i].name, contact[j].name) == 0)
                scree_findings_add(findings, scree_scene_place(&contact[i].section, "name"),
                                   "contact \"%s\" is there already", contact[i].name);
    }
}
