// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// measured.c - what scree measure found, as text, JSON, CSV or a figure.

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/measure.h"
#include "cli/text.h"
#include "show/chart.h"

enum { LISTED = 24 };  // rows in the text; JSON and CSV have them all

static cli_finding *next_finding(cli_measured *m, const char *name, const char *unit, int count) {
    assert(m->findings < CLI_FINDINGS);
    cli_finding *f = &m->finding[m->findings++];
    *f = (cli_finding){ .name = name, .unit = unit, .count = count };
    return f;
}

void cli_measured_number(cli_measured *m, const char *name, const char *unit, double value) {
    next_finding(m, name, unit, 1)->value[0] = value;
}

void cli_measured_count(cli_measured *m, const char *name, double value) {
    cli_finding *f = next_finding(m, name, "", 1);
    f->value[0] = value;
    f->whole = true;
}

void cli_measured_vector(cli_measured *m, const char *name, const char *unit, const double *x,
                         int space) {
    memcpy(next_finding(m, name, unit, space)->value, x, (size_t)space * sizeof *x);
}

void cli_measured_matrix(cli_measured *m, const char *name, const char *unit, const double *A,
                         int space) {
    cli_finding *f = next_finding(m, name, unit, space * space);
    for (int i = 0; i < space * space; i++) f->value[i] = A[i / space * 3 + i % space];
}

void cli_measured_column(cli_measured *m, const char *name, const char *unit) {
    assert(m->columns < CLI_COLUMNS);
    m->column[m->columns] = name;
    m->unit[m->columns++] = unit;
}

cli_cell *cli_measured_row(cli_measured *m) {
    if (m->rows == m->room) {
        int room = m->room ? 2 * m->room : 64;
        cli_cell *cell = realloc(m->cell, (size_t)room * (size_t)m->columns * sizeof *cell);
        if (!cell) return NULL;
        m->cell = cell;
        m->room = room;
    }
    cli_cell *row = m->cell + (size_t)m->rows++ * (size_t)m->columns;
    for (int i = 0; i < m->columns; i++) row[i] = (cli_cell){ 0 };
    return row;
}

void cli_measured_free(cli_measured *m) { free(m->cell); }

static const cli_cell *row_of(const cli_measured *m, int i) {
    return m->cell + (size_t)i * (size_t)m->columns;
}

// a column's name, with its unit
static void heading(const cli_measured *m, int column, char *text, size_t size) {
    scree_unit unit = scree_units_name(m->units, m->unit[column]);
    snprintf(text, size, "%s%s%s%s", m->column[column], *unit.text ? " [" : "", unit.text,
             *unit.text ? "]" : "");
}

// --- text ---------------------------------------------------------------------------------------

static void print_findings(const cli_measured *m, FILE *out) {
    for (int i = 0; i < m->findings; i++) {
        const cli_finding *f = &m->finding[i];
        int side = f->count == 9 ? 3 : f->count == 4 ? 2 : f->count;
        for (int first = 0; first < f->count; first += side) {
            fprintf(out, "  %-26s", first ? "" : f->name);
            for (int k = first; k < first + side; k++) fprintf(out, " %13.6g", f->value[k]);
            fprintf(out, " %s\n", first ? "" : scree_units_name(m->units, f->unit).text);
        }
    }
}

void cli_measured_text(const cli_measured *m, FILE *out) {
    fprintf(out, "%s at t = %.9g\n", m->what, m->time);
    print_findings(m, out);
    if (!m->rows_name) return;
    fprintf(out, " ");
    for (int k = 0; k < m->columns; k++) {
        char head[120];
        heading(m, k, head, sizeof head);
        fprintf(out, " %15s", head);
    }
    fprintf(out, "\n");
    for (int i = 0; i < m->rows && i < LISTED; i++) {
        fprintf(out, " ");
        for (int k = 0; k < m->columns; k++) {
            const cli_cell *cell = &row_of(m, i)[k];
            if (cell->text)
                fprintf(out, " %15s", cell->text);
            else
                fprintf(out, " %15.7g", cell->number);
        }
        fprintf(out, "\n");
    }
    if (m->rows > LISTED)
        fprintf(out, "  and %d more rows (--json or -o FILE.csv has them all)\n", m->rows - LISTED);
}

// --- JSON and CSV -------------------------------------------------------------------------------

static void finding_json(const cli_finding *f, cli_json *json) {
    int side = f->count == 9 ? 3 : f->count == 4 ? 2 : 0;
    cli_json_key(json, f->name);
    if (f->count == 1 && f->whole)
        cli_json_integer(json, (int64_t)f->value[0]);
    else if (f->count == 1)
        cli_json_number(json, f->value[0]);
    else if (!side)
        cli_json_numbers(json, f->value, f->count);
    else {
        cli_json_array_begin(json);
        for (int i = 0; i < side; i++) cli_json_numbers(json, f->value + i * side, side);
        cli_json_array_end(json);
    }
}

void cli_measured_json(const cli_measured *m, FILE *out) {
    cli_json json = cli_json_begin(out);
    cli_json_object_begin(&json);
    cli_json_text(cli_json_key(&json, "status"), "done");
    cli_json_text(cli_json_key(&json, "what"), m->what);
    cli_json_number(cli_json_key(&json, "time"), m->time);
    for (int i = 0; i < m->findings; i++) finding_json(&m->finding[i], &json);
    if (m->rows_name) {
        cli_json_array_begin(cli_json_key(&json, m->rows_name));
        for (int i = 0; i < m->rows; i++) {
            cli_json_object_begin(&json);
            for (int k = 0; k < m->columns; k++) {
                const cli_cell *cell = &row_of(m, i)[k];
                cli_json_key(&json, m->column[k]);
                if (cell->text)
                    cli_json_text(&json, cell->text);
                else
                    cli_json_number(&json, cell->number);
            }
            cli_json_object_end(&json);
        }
        cli_json_array_end(&json);
    }
    cli_json_object_end(&json);
    cli_json_end(&json);
}

// without a table: the numbers, a row for each
void cli_measured_csv(const void *measured, FILE *out) {
    const cli_measured *m = measured;
    if (!m->rows_name) {
        fprintf(out, "name,component,value\n");
        for (int i = 0; i < m->findings; i++)
            for (int k = 0; k < m->finding[i].count; k++)
                fprintf(out, "%s,%d,%.17g\n", m->finding[i].name, k, m->finding[i].value[k]);
        return;
    }
    for (int k = 0; k < m->columns; k++) fprintf(out, "%s%s", k ? "," : "", m->column[k]);
    fprintf(out, "\n");
    for (int i = 0; i < m->rows; i++)
        for (int k = 0; k < m->columns; k++) {
            const cli_cell *cell = &row_of(m, i)[k];
            if (k) putc(',', out);
            if (cell->text)
                cli_text_csv(cell->text, out);
            else
                fprintf(out, "%.17g", cell->number + 0.0);
            if (k == m->columns - 1) putc('\n', out);
        }
}

// --- figure -------------------------------------------------------------------------------------

static void label_of(const cli_measured *m, int column, char *label, size_t size) {
    char text[120];
    heading(m, column, text, sizeof text);
    scree_chart_escape(text, label, size);
}

enum { ARROW = 6 };  // points of one: tail, tip, one barb, tip, the other barb, a break

// arrows of one kind as one line with breaks; where[0], where[1] (rows x ARROW)
static int draw_arrows(const cli_measured *m, const char *kind, double scale, double *x,
                       double *y) {
    int points = 0;
    for (int i = 0; i < m->rows; i++) {
        const cli_cell *row = row_of(m, i);
        double at[2], along[2];
        bool none = row[m->along[0]].number == 0 && row[m->along[1]].number == 0;
        if (none || strcmp(row[0].text, kind) != 0) continue;
        for (int k = 0; k < 2; k++) {
            at[k] = row[m->at[k]].number;
            along[k] = scale * row[m->along[k]].number;
        }
        static const double back[ARROW][2] = { { 1, 0 }, { 0, 0 },        { 0.25, 0.12 },
                                               { 0, 0 }, { 0.25, -0.12 }, { NAN, NAN } };
        for (int k = 0; k < ARROW; k++, points++) {
            x[points] = at[0] + along[0] * (1 - back[k][0]) - along[1] * back[k][1];
            y[points] = at[1] + along[1] * (1 - back[k][0]) + along[0] * back[k][1];
        }
    }
    return points;
}

// as long as places are apart, the largest one
static double scale_of_arrows(const cli_measured *m) {
    double most = 0, near = HUGE_VAL;
    for (int i = 0; i < m->rows; i++) {
        const cli_cell *a = row_of(m, i);
        most = fmax(most, hypot(a[m->along[0]].number, a[m->along[1]].number));
        for (int j = 0; j < i; j++) {
            const cli_cell *b = row_of(m, j);
            double away = hypot(a[m->at[0]].number - b[m->at[0]].number,
                                a[m->at[1]].number - b[m->at[1]].number);
            if (away > 0) near = fmin(near, away);
        }
    }
    return most > 0 ? 2 * (isfinite(near) ? near : 1) / most : 1;
}

static scree_status plot_arrows(const cli_measured *m, const char *title, const char *path,
                                scree_error *err) {
    size_t room = (size_t)m->rows * ARROW + 1;
    double *number = malloc(2 * CLI_COLUMNS * room * sizeof *number), scale = scale_of_arrows(m);
    if (!number) return scree_fail_memory(err, NULL);
    scree_series series[CLI_COLUMNS];
    int kinds = 0;
    for (int i = 0; i < m->rows; i++) {
        const char *kind = row_of(m, i)[0].text;
        bool known = kinds == CLI_COLUMNS;
        for (int k = 0; k < kinds; k++) known |= strcmp(series[k].label, kind) == 0;
        if (known) continue;
        double *x = number + 2 * (size_t)kinds * room, *y = x + room;
        series[kinds] = (scree_series){ .label = kind, .x = x, .y = y, .colour = -1 };
        series[kinds++].count = draw_arrows(m, kind, scale, x, y);
    }
    char x_label[130], y_label[130], caption[200];
    label_of(m, m->at[0], x_label, sizeof x_label);
    label_of(m, m->at[1], y_label, sizeof y_label);
    snprintf(caption, sizeof caption, "%.120s, %s at t = %.6g", title, m->what, m->time);
    scree_panel panel = { .x_label = x_label,
                          .y_label = y_label,
                          .series = series,
                          .series_count = kinds,
                          .equal_aspect = true };
    scree_figure figure = { .caption = caption, .panel = &panel, .panels = 1, .width = 460 };
    scree_status status = scree_chart_draw(&figure, path, err);
    free(number);
    return status;
}

scree_status cli_measured_plot(const cli_measured *m, const char *title, const char *path,
                               scree_error *err) {
    if (m->arrows) return plot_arrows(m, title, path, err);
    size_t rows = (size_t)m->rows;
    double *number = malloc((rows + 1) * (size_t)(m->curves + 1) * sizeof *number);
    if (!number) return scree_fail_memory(err, NULL);
    scree_series series[CLI_COLUMNS];
    char x_label[130], y_label[130], name[CLI_COLUMNS][80], caption[200];
    for (int c = 0; c <= m->curves; c++)
        for (size_t i = 0; i < rows; i++)
            number[(size_t)c * rows + i] = row_of(m, (int)i)[c ? m->y[c - 1] : m->x].number;
    for (int c = 0; c < m->curves; c++) {
        scree_chart_escape(m->column[m->y[c]], name[c], sizeof name[c]);
        series[c] = (scree_series){ m->curves > 1 ? name[c] : NULL,
                                    number,
                                    number + (size_t)(c + 1) * rows,
                                    m->rows,
                                    m->mark,
                                    -1 };
    }
    label_of(m, m->x, x_label, sizeof x_label);
    label_of(m, m->y[0], y_label, sizeof y_label);
    if (m->curves > 1) {
        scree_unit unit = scree_units_name(m->units, m->unit[m->y[0]]);
        scree_chart_escape(unit.text, y_label, sizeof y_label);
    }
    snprintf(caption, sizeof caption, "%s, %s", title, m->what);
    scree_panel panel = { .x_label = x_label,
                          .y_label = y_label,
                          .series = series,
                          .series_count = m->curves,
                          .zero_line = true };
    scree_figure figure = { .caption = caption, .panel = &panel, .panels = 1 };
    scree_status status = scree_chart_draw(&figure, path, err);
    free(number);
    return status;
}
