// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// subjects.c - kinds of parts as figures show them, and the lines of those that move most.
// in: the runs of a sketch.   out: subjects, panes, lines.

#include "show/subjects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scree/fem.h"

static const double SPINS = 5;  // radians for each metre that a body goes

#define PANE(symbol, label) \
    { .name = symbol, .y_label = label, .dull = SHOW_DROP_CONSTANT }

// the order of panels and colours
static const show_part_row rows[SHOW_KINDS] = {
    { .kind = "rigid-plane",
      .noun = "bodies",
      .columns = 3,
      .width = { 3, 3 },
      .pane = { { PANE("x", "x [m]"), PANE("y", "y [m]"), PANE("angle", "angle [rad]") },
                { PANE("v_x", "v_x [m/s]"), PANE("v_y", "v_y [m/s]"), PANE("ω", "ω [rad/s]") } },
      .together = { "x, y [m], angle [rad]", "v_x, v_y [m/s], ω [rad/s]" },
      .places = { "x, y [m]", "v_x, v_y [m/s]" },
      .path = "Trajectories",
      .placed = true },
    { .kind = "rigid-space",
      .noun = "bodies",
      .columns = 3,
      .width = { 7, 6 },
      .pane = { { PANE("x", "x [m]"), PANE("y", "y [m]"), PANE("z", "z [m]") },
                { PANE("v_x", "v_x [m/s]"), PANE("v_y", "v_y [m/s]"), PANE("v_z", "v_z [m/s]") } },
      .together = { "x, y, z [m]", "v_x, v_y, v_z [m/s]" },
      .path = "Trajectories",
      .placed = true },
    { .kind = "elastic",
      .noun = "elastic bodies",
      .pane = { { PANE("u_x", "mean u_x [m]"), PANE("u_y", "mean u_y [m]"),
                  PANE("u_z", "mean u_z [m]") },
                { PANE("v_x", "mean v_x [m/s]"), PANE("v_y", "mean v_y [m/s]"),
                  PANE("v_z", "mean v_z [m/s]") } },
      .together = { "mean u [m]", "mean v [m/s]" },
      .path = "Mean displacements, path",
      .beside = "elastic bodies: mean displacements",
      .mean = true },
    { .kind = "mechanism",
      .noun = "",
      .columns = 1,
      .width = { 1, 1 },
      .pane = { { PANE("q", "q") }, { PANE("v", "v") } },
      .together = { "q", "v" },
      .path = "Coordinates of a mechanism over time",
      .beside = "mechanism: coordinates over time",
      .numbered = true },
    { .kind = "matrix",
      .noun = "",
      .columns = 1,
      .width = { 1, 1 },
      .pane = { { PANE("q", "q [m]") }, { PANE("v", "v [m/s]") } },
      .together = { "q [m]", "v [m/s]" },
      .path = "Coordinates of a matrix system over time",
      .beside = "matrix system: coordinates over time",
      .numbered = true },
};

const show_pane *show_subjects_empty_pane(bool velocity) {
    return &rows[SHOW_KINDS - 1].pane[velocity][0];
}

// where number c of subject i is among (q, v)
static show_state_column column_of(const scree_model *model, const show_group *group, int i, int c,
                                   bool velocity) {
    int before = velocity ? model->coordinates : 0;
    if (group->row->mean) {
        const scree_elastic_body *body = &model->elastic[i];
        int place = before + (velocity ? body->dof : body->coordinate) + c;
        return (show_state_column){ SHOW_TIME, place, body->mesh.nodes, model->space };
    }
    int first = velocity ? group->of.dof : group->of.coordinate;
    return (show_state_column){ .x = SHOW_TIME,
                                .y = before + first + i * group->row->width[velocity] + c };
}

// how far a subject moves: the sum over its places in space, or the mean over nodes; below zero if
// it is fixed
static double range_of(const scree_model *model, const show_group *group, const double *range,
                       int i) {
    double sum = 0;
    if (group->row->placed && model->body[i].fixed) return -1;
    if (group->row->mean) {
        const scree_elastic_body *body = &model->elastic[i];
        for (int k = 0; k < body->count; k++) sum += range[body->coordinate + k] / body->count;
        return sum;
    }
    int places = group->row->numbered ? 1 : model->space;
    for (int c = 0; c < places; c++) sum += range[column_of(model, group, i, c, false).y];
    return sum;
}

// numbers of the `most` largest entries, ascending; entries below zero do not take part
static int pick_largest(const double *size, int count, int most, int *picked) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (size[i] < 0) continue;
        if (kept == most) {
            int least = 0;
            for (int k = 1; k < kept; k++)
                if (size[picked[k]] <= size[picked[least]]) least = k;
            if (size[i] <= size[picked[least]]) continue;
            kept--;
            memmove(&picked[least], &picked[least + 1], (size_t)(kept - least) * sizeof *picked);
        }
        picked[kept++] = i;
    }
    return kept;
}

static void choose(const show_sketch *s, int most, const double *range, double *size,
                   show_group *group) {
    const scree_model *model = s->run[0].model;
    // subjects, fixed ones included
    int count = group->row->numbered ? group->of.coordinates : group->of.parts;
    bool told_once = s->runs == 1 || s->styles_in_title;
    if (group->row->numbered) most = told_once ? SHOW_SUBJECTS : show_lines_most(s->runs);
    if (!group->row->numbered && most > SHOW_BODIES) most = SHOW_BODIES;
    for (int i = 0; i < count; i++) {
        size[i] = range_of(model, group, range, i);
        group->count += size[i] >= 0;
    }
    group->chosen = pick_largest(size, count, most, group->subject);
    if (!group->chosen || !group->row->places[0]) return;
    int first = group->subject[0], angle = column_of(model, group, first, model->space, false).y;
    group->spins = size[first] > 0 && range[angle] > SPINS * size[first];
}

static bool same_parts(const scree_model *a, const scree_model *b) {
    scree_part_group one, two;
    int k = 0;
    for (; scree_model_group(a, k, &one); k++)
        if (!scree_model_group(b, k, &two) || strcmp(one.kind, two.kind) != 0 ||
            one.parts != two.parts || one.dofs != two.dofs)
            return false;
    return !scree_model_group(b, k, &two);
}

static scree_status check_runs(const show_sketch *s, scree_error *err) {
    for (int r = 1; r < s->runs; r++)
        if (!same_parts(s->run[0].model, s->run[r].model))
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "%s and %s have not the same number of bodies or coordinates and "
                              "cannot be drawn over each other",
                              s->run[0].reader->path, s->run[r].reader->path);
    return SCREE_OK;
}

scree_status show_subjects_choose(const show_sketch *s, int most, show_subjects *list,
                                  scree_error *err) {
    const scree_model *model = s->run[0].model;
    scree_status status = check_runs(s, err);
    if (status) return status;
    double *range = calloc((size_t)model->coordinates, sizeof *range);
    double *size = calloc((size_t)model->coordinates, sizeof *size);
    if (!range || !size) status = scree_fail_memory(err, "a figure");
    for (int r = 0; r < s->runs && !status; r++)
        status = show_read_ranges(s->run[r].reader, range, err);
    bool named = false;
    for (int k = 0; k < SHOW_KINDS && !status; k++) {
        show_group *group = &list->group[list->groups];
        *group = (show_group){ .row = &rows[k], .of = scree_model_group_of(model, rows[k].kind) };
        group->columns = rows[k].columns ? rows[k].columns : model->space;
        choose(s, most, range, size, group);
        group->told = rows[k].numbered ? group->count > 1 : group->chosen > 1 || named;
        named |= group->chosen > 0;
        list->groups += group->chosen > 0;
    }
    free(range);
    free(size);
    return status;
}

// of a mechanism; NULL: it has a number
static const char *coordinate_name(const show_sketch *s, const show_group *group, int i) {
    const scree_scene *scene = scree_simulation_scene(s->run[0].simulation);
    bool named = scene && strcmp(group->row->kind, "mechanism") == 0;
    return named ? scree_scene_coordinate(scene, i) : NULL;
}

const char *show_subjects_name(const scree_model *model, const show_group *group, int subject) {
    return group->row->numbered ? group->row->pane[0][0].name
           : group->row->mean   ? model->elastic[subject].name
                                : model->body[subject].name;
}

void show_subjects_calm(show_subjects *list) {
    for (int k = 0; k < list->groups; k++)
        if (list->group[k].spins) list->group[k].columns--;
}

const char *show_subjects_label(const show_group *group, bool velocity) {
    bool all = !group->row->places[0] || group->columns == group->row->columns;
    return (all ? group->row->together : group->row->places)[velocity];
}

int show_subjects_panes(show_sketch *s, const show_group *group, bool velocity) {
    int first = s->panes;
    for (int c = 0; c < group->columns; c++) show_sketch_pane(s, group->row->pane[velocity][c]);
    return first;
}

// "x, ball"; "ball" where the panel tells what it is, "x" where there is one; "q_{2}", or the name
// that a mechanism gives, "phi", with its velocity "phi'"
static void name_line(const show_sketch *s, const show_group *group, int subject, bool velocity,
                      const char *symbol, bool apart, show_state_line *line) {
    char name[SKETCH_NAME / 2] = "";
    const char *own = coordinate_name(s, group, subject);
    if (own) {
        scree_chart_escape(own, name, sizeof name);
        snprintf(line->name, sizeof line->name, "%s%s", name, velocity ? "\'" : "");
    } else if (group->row->numbered && group->told) {
        snprintf(line->name, sizeof line->name, "%s_{%d}", symbol, subject + 1);
    } else if (!group->row->numbered) {
        if (group->told)
            scree_chart_escape(show_subjects_name(s->run[0].model, group, subject), name,
                               sizeof name);
        snprintf(line->name, sizeof line->name, "%s%s%s", apart ? "" : symbol,
                 !apart && group->told ? ", " : "", name);
    }
}

int show_subjects_lines(const show_sketch *s, const show_group *group, bool velocity, int first,
                        int apart, int colour, show_state_line *line) {
    const scree_model *model = s->run[0].model;
    int count = 0;
    for (int k = 0; k < group->chosen; k++)
        for (int c = 0; c < group->columns; c++) {
            show_state_line *l = &line[count++];
            *l = (show_state_line){ column_of(model, group, group->subject[k], c, velocity),
                                    .pane = first + c * apart,
                                    .colour = colour + (apart ? k : group->columns * k + c) };
            name_line(s, group, group->subject[k], velocity, group->row->pane[velocity][c].name,
                      apart, l);
        }
    return count;
}
