// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_defaults.c - the schema's defaults are those of the C structs, and every row is complete.

#include <stdlib.h>

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
    CHECK(isnan(read->scheme.theta) && isnan(made.scheme.theta));
    CHECK_INT(read->scheme.activation, made.scheme.activation);
    CHECK_INT(read->scheme.approach, made.scheme.approach);
    CHECK_INT(read->scheme.jacobian, made.scheme.jacobian);
    CHECK(isnan(read->scheme.gap_tolerance) && isnan(made.scheme.gap_tolerance));
    CHECK(isnan(read->scheme.velocity_tolerance) && isnan(made.scheme.velocity_tolerance));
    CHECK_TEXT(read->solver.name, made.solver.name);
    CHECK(isnan(read->solver.tolerance) && isnan(made.solver.tolerance));
    CHECK_INT(read->solver.max_sweeps, made.solver.max_sweeps);
    CHECK_INT(read->scheme.correct, made.scheme.correct);
    CHECK_INT(read->solver.threads, made.solver.threads);
    CHECK(read->penetration == made.penetration);
    CHECK_INT(read->accept_unconverged, made.accept_unconverged);
    CHECK_INT(read->accept_overlaps, made.accept_overlaps);
    CHECK_INT(read->store_every, made.store_every);
    CHECK_INT(read->store_active_only, made.store_active_only);
    CHECK_INT(read->precision_single, made.precision_single);
    CHECK_INT(read->compression, made.compression);
    CHECK_NEAR(read->checkpoint, made.checkpoint, 0);
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

// the first row with this key, wherever it is
static const scree_schema_row *find_row(const scree_schema_row *rows, const char *key) {
    for (const scree_schema_row *row = rows; row->key; row++) {
        if (strcmp(row->key, key) == 0) return row;
        const scree_schema_row *inside = row->rows ? find_row(row->rows, key) : NULL;
        if (inside) return inside;
    }
    return NULL;
}

static double preset(const char *key) {
    const scree_schema_row *row = find_row(scree_schema(), key);
    CHECK(row && row->preset);
    return row && row->preset ? atof(row->preset) : HUGE_VAL;
}

static void definitions_are_those_of_the_schema(void) {
    scree_law law = scree_law_default();
    CHECK(law.restitution == preset("restitution") && law.friction == preset("friction"));
    CHECK(law.cohesion == preset("cohesion") && law.rolling == preset("rolling"));
    scree_body body = scree_body_default();
    CHECK(body.birth_time == preset("born") && body.removal_time == 0 && body.group == 0);
    scree_generator plan = scree_generator_default();
    CHECK(plan.per_level == preset("per_level") && (double)plan.seed == preset("seed"));
    CHECK(plan.gap == preset("gap") && plan.jitter == preset("jitter"));
    CHECK(scree_material_default().thickness == preset("thickness"));
    scree_elastic elastic = scree_elastic_default();
    CHECK(elastic.material.thickness == scree_material_default().thickness);
    CHECK(elastic.self_nodes == -1 && elastic.self_facets == -1);
    CHECK(scree_vtk_request_default().every == 1 && !scree_run_request_default().path);
}

// a ball above the floor and a spring over a wall, from nothing but defaults and what they lack
static void definitions_make_a_model(void) {
    for (int space = 2; space <= 3; space++) {
        scree_error err = { 0 };
        scree_model *model = scree_model_new();
        scree_body floor = scree_body_default(), ball = scree_body_default();
        floor.fixed = true;
        ball.mass = ball.inertia = ball.tensor[0] = ball.tensor[3] = ball.tensor[5] = 1;
        ball.position[space - 1] = 2;
        scree_shape ground = scree_shape_default(space == 2 ? SCREE_HALF_PLANE : SCREE_PLANE, 0);
        scree_shape round = scree_shape_default(space == 2 ? SCREE_DISC : SCREE_SPHERE, 1);
        ground.normal[space - 1] = round.radius = 1;
        CHECK(model && !scree_model_set_space(model, space, &err));
        CHECK(!scree_model_add_body(model, &floor, &err));
        CHECK(!scree_model_add_body(model, &ball, &err));
        CHECK(!scree_model_add_shape(model, &ground, &err));
        CHECK(!scree_model_add_shape(model, &round, &err));
        const double one = 1, start = 0;
        scree_system system = scree_system_default();
        system.coordinates = 1;
        system.mass = system.stiffness = &one;
        system.position = system.velocity = &start;
        scree_matrix_contact wall = scree_matrix_contact_default();
        wall.name = "wall";
        wall.normal = &one;
        CHECK(!scree_model_set_system(model, &system, &err));
        CHECK(!scree_model_add_matrix_contact(model, &wall, &err));
        CHECK(!scree_model_add_law(model, -1, -1, scree_law_default(), &err));
        CHECK(!scree_model_finish(model, &err));
        if (err.text[0]) COMPLAIN("%s", err.text);
        scree_model_free(model);
    }
}

TEST_FILE(test_defaults) {
    TEST(definitions_are_those_of_the_schema);
    TEST(definitions_make_a_model);
    TEST(scene_and_structs_agree);
    TEST(rows_are_complete);
    return harness_end();
}
