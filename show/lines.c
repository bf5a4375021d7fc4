// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// lines.c - curves of ledgers, contacts and states for a sketch: one for each run and subject.
// in: a sketch with its runs and panes, lines to draw.   out: curves in the sketch.

#include "show/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scree/fem.h"

static scree_status no_memory(scree_error *err) {
    return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for a figure");
}

// ---- ledgers

scree_status show_lines_ledger(show_sketch *s, const show_ledger_line *line, int lines,
                               scree_error *err) {
    show_step_column column[SHOW_LEDGER_LINES];
    bool zero[SHOW_LEDGER_LINES];
    show_points *points = calloc((size_t)s->runs * (size_t)lines, sizeof *points);
    scree_status status = points ? SCREE_OK : no_memory(err);
    for (int i = 0; i < lines; i++) {
        column[i] = line[i].column;
        zero[i] = true;
    }
    for (int r = 0; r < s->runs && !status; r++) {
        show_points *own = points + (size_t)r * (size_t)lines;
        status = show_read_steps(s->run[r].reader, column, lines, own, err);
        for (int i = 0; i < lines; i++) zero[i] &= own[i].low == 0 && own[i].high == 0;
    }
    for (int k = 0; k < s->runs * lines && points; k++) {
        const show_ledger_line *l = &line[k % lines];
        if (status || (l->need == SHOW_IF_ANY && zero[k % lines])) {
            show_points_free(&points[k]);
            continue;
        }
        show_curve curve = {
            .pane = l->pane,
            .run = k / lines,
            .colour = l->colour,
            .by_run = l->need == SHOW_BY_RUN,
            .mark = l->mark,
            .points = points[k],
        };
        snprintf(curve.name, sizeof curve.name, "%s", l->name);
        status = show_sketch_curve(s, &curve, err);
    }
    free(points);
    return status;
}

// ---- contacts

// "ball–ground", with a number where two bodies touch in several places; "stop" for a system
static void name_contact(const show_sketch *s, show_contact_list *list, int k) {
    const show_contact *own = &list->chosen[k];
    char a[SKETCH_NAME / 5] = "?", b[SKETCH_NAME / 5] = "?", number[16] = "";
    for (int r = 0; r < s->runs; r++) {
        const scree_model *model = s->run[r].model;
        if (!scree_model_has_side(model, own->a) || !scree_model_has_side(model, own->b)) continue;
        scree_chart_escape(scree_model_side_name(model, own->a), a, sizeof a);
        scree_chart_escape(scree_model_side_name(model, own->b), b, sizeof b);
        break;
    }
    int alike = 0, before = 0;
    for (int i = 0; i < list->tally.count; i++) {
        const show_contact *other = &list->tally.contact[i];
        if (other->a != own->a || other->b != own->b) continue;
        alike++;
        before += scree_contact_id_less(other->id, own->id);
    }
    if (alike > 1) snprintf(number, sizeof number, " #%d", before + 1);
    if (own->a < 0)
        snprintf(list->name[k], sizeof list->name[k], "%s", b);
    else
        snprintf(list->name[k], sizeof list->name[k], "%s–%s%s", a, b, number);
}

int show_lines_most(int runs) {
    static const int most[] = { SHOW_CONTACTS, SHOW_CONTACTS, 4, 2 };
    return runs <= SKETCH_STYLES ? most[runs] : 3;
}

scree_status show_lines_choose_contacts(const show_sketch *s, int most, bool pressed,
                                        show_contact_list *list, scree_error *err) {
    scree_status status = SCREE_OK;
    for (int r = 0; r < s->runs && !status; r++)
        status = show_tally_run(s->run[r].reader, scree_simulation_record(s->run[r].simulation),
                                &list->tally, err);
    if (status) return status;
    if (most > SHOW_CONTACTS) most = SHOW_CONTACTS;
    int count = show_tally_largest(&list->tally, most, list->chosen), kept = 0;
    pressed |= count < list->tally.count;
    for (int k = 0; k < count && pressed; k++)
        if (list->chosen[k].impulse > 0) list->chosen[kept++] = list->chosen[k];
    list->count = kept ? kept : count;
    for (int k = 0; k < list->count; k++) name_contact(s, list, k);
    return SCREE_OK;
}

static show_curve contact_curve(const show_contact_list *list, const show_contact_line *line, int i,
                                int k) {
    show_curve curve = { .pane = line[i].pane, .mark = line[i].mark, .colour = k };
    curve.by_run = line[i].mark == SCREE_STEMS;
    for (int other = 0; other < i; other++)
        if (line[other].pane == line[i].pane) curve.colour += list->count;
    const char *own = list->count > 1 ? list->name[k] : "", *name = line[i].name;
    snprintf(curve.name, sizeof curve.name, "%s%s%s", name ? name : "", own[0] && name ? ", " : "",
             own);
    return curve;
}

scree_status show_lines_contacts(show_sketch *s, const show_contact_list *list,
                                 const show_contact_line *line, int lines, scree_error *err) {
    show_points points[SHOW_CONTACTS * SHOW_CONTACT_LINES];
    show_contact_column column[SHOW_CONTACT_LINES];
    bool stems = true;  // impulses and works are zero where they were not stored
    scree_status status = SCREE_OK;
    for (int i = 0; i < lines; i++) {
        column[i] = line[i].column;
        stems &= line[i].mark == SCREE_STEMS;
    }
    for (int r = 0; r < s->runs && !status; r++) {
        const show_run *run = &s->run[r];
        memset(points, 0, sizeof points);
        status = show_read_contacts(run->reader, stems ? NULL : run->stepper,
                                    stems ? NULL : run->model->system.mechanics, list->chosen,
                                    list->count, column, lines, points, err);
        for (int k = 0; k < list->count * lines; k++) {
            if (status || !points[k].count) {
                show_points_free(&points[k]);
                continue;
            }
            show_curve curve = contact_curve(list, line, k % lines, k / lines);
            curve.run = r;
            curve.points = points[k];
            status = show_sketch_curve(s, &curve, err);
        }
    }
    return status;
}

// ---- states

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

// of the numbers of an elastic body the mean of how far they move
static void choose_elastic(const scree_model *model, const double *range, int most, double *size,
                           show_subjects *list) {
    for (int e = 0; e < model->elastics; e++) {
        const scree_elastic_body *body = &model->elastic[e];
        size[e] = 0;
        for (int i = 0; i < body->count; i++) size[e] += range[body->coordinate + i] / body->count;
    }
    list->elastics = pick_largest(size, model->elastics, most, list->elastic);
}

scree_status show_lines_choose_subjects(const show_sketch *s, int most, show_subjects *list,
                                        scree_error *err) {
    const scree_model *model = s->run[0].model;
    for (int r = 1; r < s->runs; r++)
        if (s->run[r].model->dofs != model->dofs || s->run[r].model->bodies != model->bodies ||
            s->run[r].model->elastics != model->elastics)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "%s and %s have not the same number of bodies or coordinates and "
                              "cannot be drawn over each other",
                              s->run[0].reader->path, s->run[r].reader->path);
    double *range = calloc((size_t)model->coordinates, sizeof *range);
    double *size = calloc((size_t)(model->bodies + model->elastics) + 1, sizeof *size);
    scree_status status = range && size ? SCREE_OK : no_memory(err);
    for (int r = 0; r < s->runs && !status; r++)
        status = show_read_ranges(s->run[r].reader, range, err);
    for (int b = 0; b < model->bodies && !status; b++) {
        const double *own = range + (long)b * model->body_coordinates;
        size[b] = model->body[b].fixed ? -1 : own[0] + own[1];
        if (!model->body[b].fixed && model->space == 3) size[b] += own[2];
        list->moving += !model->body[b].fixed;
    }
    if (!status) {
        if (most > SHOW_BODIES) most = SHOW_BODIES;
        list->bodies = pick_largest(size, model->bodies, most, list->body);
        choose_elastic(model, range, most, size, list);
        bool told_once = s->runs == 1 || s->styles_in_title;
        list->coordinates =
            pick_largest(range + model->bodies * model->body_coordinates, model->system.coordinates,
                         told_once ? SHOW_COORDINATES : show_lines_most(s->runs), list->coordinate);
    }
    free(range);
    free(size);
    return status;
}

int show_lines_of_bodies(const show_sketch *s, const show_subjects *list, bool velocity, int first,
                         int apart, show_state_line *line) {
    static const char *const planar[2][3] = { { "x", "y", "angle" }, { "v_x", "v_y", "ω" } };
    static const char *const spatial[2][3] = { { "x", "y", "z" }, { "v_x", "v_y", "v_z" } };
    const scree_model *model = s->run[0].model;
    const char *const *names = model->space == 2 ? planar[velocity] : spatial[velocity];
    char body[SKETCH_NAME / 2];
    int count = 0;
    for (int k = 0; k < list->bodies; k++)
        for (int i = 0; i < 3; i++) {
            show_state_line *l = &line[count++];
            int place = velocity ? model->coordinates + list->body[k] * model->body_dofs + i
                                 : list->body[k] * model->body_coordinates + i;
            *l = (show_state_line){ .column = { .x = SHOW_TIME, .y = place },
                                    .pane = first + i * apart };
            l->colour = apart ? k : 3 * k + i;
            scree_chart_escape(model->body[list->body[k]].name, body, sizeof body);
            snprintf(l->name, sizeof l->name, "%s%s%s", apart ? "" : names[i],
                     !apart && list->bodies > 1 ? ", " : "", list->bodies > 1 ? body : "");
        }
    return count;
}

int show_lines_of_elastic(const show_sketch *s, const show_subjects *list, bool velocity, int first,
                          int apart, int colour, show_state_line *line) {
    static const char *const names[2][3] = { { "u_x", "u_y", "u_z" }, { "v_x", "v_y", "v_z" } };
    const scree_model *model = s->run[0].model;
    int count = 0;
    for (int k = 0; k < list->elastics; k++)
        for (int i = 0; i < model->space; i++) {
            const scree_elastic_body *body = &model->elastic[list->elastic[k]];
            show_state_line *l = &line[count++];
            char name[SKETCH_NAME / 2];
            int place = i + (velocity ? model->coordinates + body->dof : body->coordinate);
            *l = (show_state_line){ .column = { SHOW_TIME, place, body->mesh.nodes, model->space },
                                    .pane = first + i * apart,
                                    .colour = colour + (apart ? k : model->space * k + i) };
            scree_chart_escape(body->name, name, sizeof name);
            bool told = list->elastics > 1 || list->bodies > 0;
            snprintf(l->name, sizeof l->name, "%s%s%s", apart ? "" : names[velocity][i],
                     !apart && told ? ", " : "", told ? name : "");
        }
    return count;
}

int show_lines_of_system(const show_sketch *s, const show_subjects *list, bool velocity, int pane,
                         show_state_line *line) {
    const scree_model *model = s->run[0].model;
    for (int k = 0; k < list->coordinates; k++) {
        int place =
            list->coordinate[k] + (velocity ? model->coordinates + model->bodies * model->body_dofs
                                            : model->bodies * model->body_coordinates);
        line[k] = (show_state_line){ .column = { .x = SHOW_TIME, .y = place },
                                     .pane = pane,
                                     .colour = k };
        if (model->system.coordinates > 1)
            snprintf(line[k].name, sizeof line[k].name, "%c_{%d}", velocity ? 'v' : 'q',
                     list->coordinate[k] + 1);
    }
    return list->coordinates;
}

scree_status show_lines_states(show_sketch *s, const show_state_line *line, int lines,
                               scree_error *err) {
    show_state_column column[SHOW_STATE_LINES];
    show_points points[SHOW_STATE_LINES];
    scree_status status = SCREE_OK;
    for (int i = 0; i < lines; i++) column[i] = line[i].column;
    for (int r = 0; r < s->runs && !status; r++) {
        memset(points, 0, sizeof points);
        status = show_read_states(s->run[r].reader, column, lines, points, err);
        for (int i = 0; i < lines; i++) {
            if (status) {
                show_points_free(&points[i]);
                continue;
            }
            show_curve curve = { .pane = line[i].pane, .run = r, .colour = line[i].colour };
            memcpy(curve.name, line[i].name, sizeof curve.name);
            curve.points = points[i];
            status = show_sketch_curve(s, &curve, err);
        }
    }
    return status;
}
