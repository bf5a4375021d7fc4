// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// check_sweeping.c - do start and sets of a sweeping process fit together?

#include <stdio.h>
#include <string.h>

#include "scene/scene.h"
#include "scree/sweeping.h"

static const char *const of_sweeping[] = { "sets", "method", NULL };

static bool is_among(const char *key, const char *const *keys) {
    for (; *keys; keys++)
        if (strcmp(key, *keys) == 0) return true;
    return false;
}

// a list of keys as text
static void join(const char *const *keys, char *text, size_t size) {
    text[0] = '\0';
    for (int i = 0; keys[i]; i++) {
        size_t used = strlen(text);
        snprintf(text + used, size - used, "%s%s", i ? ", " : "", keys[i]);
    }
}

// keys that mean something to bodies only; what nobody knows is complained about already
static void allow(const scree_section *section, const char *name, const scree_schema_row *rows,
                  const char *const *keys, scree_findings *findings) {
    char list[200];
    join(keys, list, sizeof list);
    for (int i = 0; section->node && i < section->node->count; i++) {
        const scree_node *key = section->node->key[i];
        if (scree_schema_find(rows, key->text) && !is_among(key->text, keys))
            scree_findings_add(findings, key->at,
                               "%s is not for kind: sweeping, where %s may have %s", key->text,
                               name, list);
    }
}

static const scree_schema_row *rows_of(const char *section) {
    const scree_schema_row *row = scree_schema();
    while (strcmp(row->key, section) != 0) row++;
    return row->rows;
}

static void want_count(const scree_section *section, const char *key, const scree_list *list,
                       int wanted, const char *of, scree_findings *findings) {
    if (scree_scene_given(section, key) && list->item && list->count != wanted)
        scree_findings_add(findings, scree_scene_place(section, key), "%s has %d entries, %s %d",
                           key, list->count, of, wanted);
}

static void want_key(const scree_section *section, const char *type, const char *key,
                     scree_findings *findings) {
    if (!scree_scene_given(section, key))
        scree_findings_add(findings, section->node->at, "a set of type %s needs the key \"%s\"",
                           type, key);
}

static void check_rows(const scree_scene_set *set, int n, scree_findings *findings) {
    const scree_section *section = &set->section;
    if (!set->rows.item) return;
    if (set->rows.columns != n)
        scree_findings_add(findings, scree_scene_place(section, "rows"),
                           "rows have %d numbers each, start has %d", set->rows.columns, n);
    want_count(section, "offsets", &set->offsets, set->rows.count, "rows", findings);
    for (int i = 0; i < set->rows.count; i++) {
        bool any = false;
        for (int k = 0; k < set->rows.columns; k++)
            any |= ((const double *)set->rows.item)[(long)i * set->rows.columns + k] != 0;
        if (!any)
            scree_findings_add(findings, scree_scene_place(section, "rows"), "row %d is zero",
                               i + 1);
    }
}

static void check_set(const scree_scene_set *set, int n, scree_findings *findings) {
    static const struct {
        const char *name, *needs[2], *may[5];
    } types[] = {
        { "interval", { NULL, NULL }, { "type", "low", "high", NULL } },
        { "half-space", { "normal", NULL }, { "type", "normal", "offset", NULL } },
        { "ball", { "centre", "radius" }, { "type", "centre", "radius", NULL } },
        { "polyhedron", { "rows", "offsets" }, { "type", "rows", "offsets", NULL } },
    };
    const scree_section *section = &set->section;
    const char *name = types[set->type].name, *const *may = types[set->type].may;
    char list[120];
    join(may, list, sizeof list);
    for (int i = 0; i < section->node->count; i++) {
        const scree_node *key = section->node->key[i];
        if (!is_among(key->text, may))
            scree_findings_add(findings, key->at, "%s is not for a set of type %s, which has %s",
                               key->text, name, list);
    }
    for (int i = 0; i < 2 && types[set->type].needs[i]; i++)
        want_key(section, name, types[set->type].needs[i], findings);
    if (set->type == SCREE_SET_INTERVAL && !scree_scene_given(section, "low") &&
        !scree_scene_given(section, "high"))
        scree_findings_add(findings, section->node->at, "an interval needs low, high or both");
    want_count(section, "low", &set->low, n, "start", findings);
    want_count(section, "high", &set->high, n, "start", findings);
    want_count(section, "normal", &set->normal, n, "start", findings);
    want_count(section, "centre", &set->centre, n, "start", findings);
    if (set->type == SCREE_SET_POLYHEDRON) check_rows(set, n, findings);
}

void scree_check_sweeping(const scree_scene_top *top, scree_findings *findings) {
    static const char *const keys[] = { "title", "units",  "kind",   "parameters", "start",
                                        "sets",  "method", "scheme", "output",     NULL };
    static const char *const scheme[] = { "step", "duration", NULL };
    static const char *const output[] = { "every", "precision", "compression", "checkpoint", NULL };
    const scree_section *section = &top->section;
    allow(section, "the scene", scree_schema(), keys, findings);
    allow(&top->scheme.section, "scheme", rows_of("scheme"), scheme, findings);
    allow(&top->output.section, "output", rows_of("output"), output, findings);
    bool given = scree_scene_given(section, "start"), sets = scree_scene_given(section, "sets");
    if (!given || !sets)
        scree_findings_add(findings, section->node->at,
                           "a scene of kind sweeping needs the key \"%s\"",
                           given ? "sets" : "start");
    static const char *const start[] = { "point", NULL };
    allow(&top->start.section, "start", rows_of("start"), start, findings);
    int n = top->start.point.count;
    if (given && (n < 1 || n > SCREE_SET_DIMENSION))
        scree_findings_add(findings, scree_scene_place(section, "start"),
                           "start has 1 to %d numbers, found %d", SCREE_SET_DIMENSION, n);
    if (sets && !top->sets.count && top->sets.item)
        scree_findings_add(findings, scree_scene_place(section, "sets"),
                           "the list of sets is empty");
    const scree_scene_set *set = top->sets.item;
    for (int i = 0; i < top->sets.count; i++)
        if (set[i].section.node && !set[i].section.broken && top->start.point.item)
            check_set(&set[i], n, findings);
}

void scree_check_not_sweeping(const scree_scene_top *top, scree_findings *findings) {
    for (int i = 0; of_sweeping[i]; i++)
        if (scree_scene_given(&top->section, of_sweeping[i]))
            scree_findings_add(findings, scree_scene_place(&top->section, of_sweeping[i]),
                               "%s is for scenes with kind: sweeping", of_sweeping[i]);
    const scree_section *start = &top->start.section;
    if (scree_scene_given(start, "point"))
        scree_findings_add(findings, start->node->at,
                           "a start by numbers is for scenes with kind: sweeping; here it has the "
                           "key \"run\"");
    else if (start->node && !start->broken && !top->start.run)
        scree_findings_add(findings, start->node->at, "start needs the key \"run\"");
}
