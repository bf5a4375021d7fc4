// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// units.c - what the numbers of a scene are called.
// in: section units, a unit of SI.   out: the unit that stands for it.
//
// A derived unit keeps its name where it is a power of a thousand of that of SI: with g, mm and ms
// a force is in N, an energy in mJ, a stress in MPa. Otherwise it is written out: g cm/s^2.

#include <stdio.h>
#include <string.h>

#include "scene/scene.h"

typedef struct base_unit {
    const char *name;
    int power;    // of ten, over that of SI
    bool by_ten;  // is it a power of ten?
} base_unit;

// in the order of the schema's choices
static const base_unit lengths[] = { { "m", 0, true },   { "km", 3, true },  { "cm", -2, true },
                                     { "mm", -3, true }, { "um", -6, true }, { "nm", -9, true } };
static const base_unit times[] = {
    { "s", 0, true }, { "ms", -3, true }, { "us", -6, true }, { "min", 0, false }, { "h", 0, false }
};
static const base_unit masses[] = {
    { "kg", 0, true }, { "g", -3, true }, { "mg", -6, true }, { "t", 3, true }
};

static const struct {
    const char *name;
    int length;              // its exponent; that of the time is -2, that of the mass 1
    const char *over, *per;  // with the length between mass and time
} derived[] = { { "N", 1, " ", "/" }, { "J", 2, " ", "^2/" }, { "Pa", -1, "/(", " " } };
enum { DERIVED = sizeof derived / sizeof *derived };

scree_units scree_scene_units(const scree_scene *scene) {
    const scree_scene_units_given *given = scene ? &scene->top.units : NULL;
    if (!given) return (scree_units){ .length = 0 };
    return (scree_units){ given->length, given->time, given->mass,
                          .given = scree_scene_given(&scene->top.section, "units") };
}

const char *scree_units_length(scree_units units) { return lengths[units.length].name; }
const char *scree_units_time(scree_units units) { return times[units.time].name; }
const char *scree_units_mass(scree_units units) { return masses[units.mass].name; }

// a base unit or a derived one, without exponent
static void translate(scree_units units, const char *si, char *text, size_t size) {
    static const char *const prefixes[] = { "n", "u", "m", "", "k", "M", "G" };
    const base_unit *l = &lengths[units.length], *t = &times[units.time], *m = &masses[units.mass];
    const char *base = strcmp(si, "m") == 0    ? l->name
                       : strcmp(si, "s") == 0  ? t->name
                       : strcmp(si, "kg") == 0 ? m->name
                                               : si;
    snprintf(text, size, "%s", base);
    for (int i = 0; i < DERIVED; i++) {
        if (strcmp(si, derived[i].name) != 0) continue;
        int power = derived[i].length * l->power - 2 * t->power + m->power;
        if (t->by_ten && power % 3 == 0 && power >= -9 && power <= 9)
            snprintf(text, size, "%s%s", prefixes[power / 3 + 3], si);
        else
            snprintf(text, size, "%s%s%s%s%s^2%s", m->name, derived[i].over, l->name,
                     derived[i].per, t->name, derived[i].length < 0 ? ")" : "");
    }
}

scree_unit scree_units_name(scree_units units, const char *si) {
    scree_unit made = { "" };
    size_t used = 0;
    while (*si && used + 1 < sizeof made.text) {
        char word[8], own[sizeof made.text];
        size_t length = strcspn(si, " /^");
        if (length == 0 || length >= sizeof word) {
            // a separator, or an exponent
            length = *si == '^' ? 1 + strcspn(si + 1, " /") : 1;
            snprintf(made.text + used, sizeof made.text - used, "%.*s", (int)length, si);
        } else {
            memcpy(word, si, length);
            word[length] = '\0';
            translate(units, word, own, sizeof own);
            snprintf(made.text + used, sizeof made.text - used, "%s", own);
        }
        used += strlen(made.text + used);
        si += length;
    }
    return made;
}

scree_unit_label scree_units_label(scree_units units, const char *label) {
    scree_unit_label made = { "" };
    size_t used = 0, size = sizeof made.text;
    while (*label && used + 1 < size) {
        size_t plain = strcspn(label, "["), inside = 0;
        char si[24] = "";
        if (label[plain]) inside = strcspn(label + plain + 1, "]");
        if (label[plain] && inside < sizeof si) memcpy(si, label + plain + 1, inside);
        snprintf(made.text + used, size - used, "%.*s%s%s", (int)plain, label, *si ? "[" : "",
                 *si ? scree_units_name(units, si).text : "");
        used += strlen(made.text + used);
        label += plain + (*si ? 1 + inside : label[plain] != '\0');
    }
    return made;
}
