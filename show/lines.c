// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// lines.c - curves of ledgers, contacts and states for a sketch: one for each run and subject.
// in: a sketch with its runs and panes, lines to draw.   out: curves in the sketch.

#include "show/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- ledgers

scree_status show_lines_ledger(show_sketch *s, const show_ledger_line *line, int lines,
                               scree_error *err) {
    show_step_column column[SHOW_LEDGER_LINES];
    bool zero[SHOW_LEDGER_LINES];
    show_points *points = calloc((size_t)s->runs * (size_t)lines, sizeof *points);
    scree_status status = SCREE_OK;
    if (!points) status = scree_fail_memory(err, "a figure");
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
        status = show_read_contacts(run->reader, stems ? NULL : run->stepper, list->chosen,
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
