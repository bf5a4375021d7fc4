// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_defaults.c - the schema's defaults are those of the C structs, and every row is complete.

#include "harness.h"
#include "scree/scree.h"

static const char *const text =
    "bodies: [{name: a, mass: 1, inertia: 1}]\n"
    "scheme: {step: 1e-3, duration: 1}\n";

static void scene_and_structs_agree(void) {
    scree_findings findings = { 0 };
    scree_scene *scene = scree_scene_parse("scene", text, strlen(text), NULL, 0, &findings);
    CHECK_INT(findings.count, 0);
    const scree_run_options *read = scree_scene_options(scene);
    scree_run_options made = scree_run_options_default();
    CHECK_INT(read->scheme.name, made.scheme.name);
    CHECK(read->scheme.theta == made.scheme.theta);
    CHECK_INT(read->scheme.activation, made.scheme.activation);
    CHECK_INT(read->scheme.approach, made.scheme.approach);
    CHECK_INT(read->scheme.jacobian, made.scheme.jacobian);
    CHECK(isnan(read->scheme.gap_tolerance) && isnan(made.scheme.gap_tolerance));
    CHECK(isnan(read->scheme.velocity_tolerance) && isnan(made.scheme.velocity_tolerance));
    CHECK_TEXT(read->solver.name, made.solver.name);
    CHECK(read->solver.tolerance == made.solver.tolerance);
    CHECK_INT(read->solver.max_sweeps, made.solver.max_sweeps);
    CHECK_INT(read->scheme.correct, made.scheme.correct);
    CHECK_INT(read->solver.threads, made.solver.threads);
    CHECK_INT(read->accept_unconverged, made.accept_unconverged);
    CHECK_INT(read->accept_overlaps, made.accept_overlaps);
    CHECK_INT(read->store_every, made.store_every);
    CHECK_INT(read->store_active_only, made.store_active_only);
    CHECK_INT(read->precision_single, made.precision_single);
    CHECK_INT(read->compression, made.compression);
    CHECK_INT(read->store_stress, made.store_stress);
    CHECK_INT(read->store_reactions, made.store_reactions);
    scree_scene_free(scene);
    scree_findings_free(&findings);
}

static void check_rows(const scree_schema_row *rows) {
    for (const scree_schema_row *row = rows; row->key; row++) {
        CHECK(row->help && strlen(row->help) > 10 && row->help[strlen(row->help) - 1] == '.');
        CHECK(row->unit != NULL);
        CHECK((row->kind == SCREE_VALUE_CHOICE) == (row->choices != NULL));
        bool section = row->kind == SCREE_VALUE_SECTION || row->kind == SCREE_VALUE_SECTIONS;
        CHECK(section == (row->rows != NULL) && section == (row->size > 0));
        CHECK(!(row->required && row->preset));
        CHECK(row->preset || !row->preset_space);
        if (row->kind == SCREE_VALUE_VECTOR)
            CHECK((row->preset != NULL) == (row->preset_space != NULL));
        for (const scree_schema_row *other = rows; other != row; other++)
            CHECK(strcmp(row->key, other->key) != 0);
        if (row->rows) check_rows(row->rows);
    }
}

static void rows_are_complete(void) { check_rows(scree_schema()); }

TEST_FILE(test_defaults) {
    TEST(scene_and_structs_agree);
    TEST(rows_are_complete);
    return harness_end();
}
