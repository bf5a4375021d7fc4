// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_units.c - units that a scene names, and what follows from them.

#include <stdio.h>
#include <string.h>

#include "harness.h"
#include "scree/scene.h"

static scree_units units_of(const char *line) {
    char text[400];
    scree_findings findings = { 0 };
    snprintf(text, sizeof text,
             "%s\nbodies: [{name: a, mass: 1, inertia: 1}]\nscheme: {step: 1, duration: 1}\n",
             line);
    scree_scene *scene = scree_scene_parse("units", text, strlen(text), NULL, 0, &findings);
    CHECK(scene && findings.count == 0);
    scree_units units = scree_scene_units(scene);
    scree_scene_free(scene);
    scree_findings_free(&findings);
    return units;
}

static void expect(scree_units units, const char *si, const char *name) {
    CHECK_TEXT(scree_units_name(units, si).text, name);
}

static void units_that_follow(void) {
    static const char *const si[] = { "m",   "s",     "kg",  "J",     "N",      "Pa",
                                      "m/s", "m/s^2", "N s", "rad/s", "kg m^2", "m^3" };
    scree_units units = units_of("");
    CHECK(!units.given);
    for (int i = 0; i < 12; i++) expect(units, si[i], si[i]);

    units = units_of("units: {length: mm, time: ms, mass: g}");
    CHECK(units.given);
    static const char *const small[] = { "mm",    "ms",      "g",    "mJ",     "N",      "MPa",
                                         "mm/ms", "mm/ms^2", "N ms", "rad/ms", "g mm^2", "mm^3" };
    for (int i = 0; i < 12; i++) expect(units, si[i], small[i]);

    units = units_of("units: {length: cm, mass: g}");
    expect(units, "N", "g cm/s^2");
    expect(units, "J", "g cm^2/s^2");
    expect(units, "Pa", "g/(cm s^2)");
    expect(units_of("units: {length: mm, mass: t}"), "Pa", "MPa");
    expect(units_of("units: {time: min}"), "N", "kg m/min^2");
    expect(scree_scene_units(NULL), "J", "J");
}

static void labels(void) {
    scree_units units = units_of("units: {length: mm, time: ms, mass: g}");
    CHECK_TEXT(scree_units_label(units, "x, y [m], angle [rad]").text, "x, y [mm], angle [rad]");
    CHECK_TEXT(scree_units_label(units, "energy").text, "energy");
    CHECK_TEXT(scree_units_label(units, "open [m").text, "open [mm");
    CHECK_TEXT(scree_units_label(units, "").text, "");
    CHECK(strlen(scree_units_label(units,
                                   "long [m] and longer [s] and longer [kg], far beyond any "
                                   "room that there is in a label of a figure, so that it "
                                   "has to be cut somewhere, which it is, at its end [J]")
                     .text) < 160);
}

TEST_FILE(test_units) {
    TEST(units_that_follow);
    TEST(labels);
    return harness_end();
}
