// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// equilibria.c - Coulomb's cone with the equilibria in it, and the map of kinds over parameters.
// in: a set of equilibria, or a grid of kinds.   out: a figure.

#include "show/equilibria.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/chart.h"
#include "show/map.h"

enum { PIECES = 200, BLACK = 6, STATUSES = 5 };  // pieces drawn; the palette's last colour

static const double BEYOND = 1.6;  // how far rays are drawn, in heights of the rest

typedef struct cone_panel {
    scree_series series[PIECES + 3];
    int count;
    double *x, *y;  // owned; of all pieces
    double edge_x[2][2], edge_y[2][2], line_x[5], line_y[5];
    char title[120];
    bool named[STATUSES];
} cone_panel;

// -------------------------------------------------------------------------------------------------
// cones

static double height_of(const scree_equilibria *set, int contact) {
    double height = 0;
    for (int i = 0; i < set->count; i++)
        for (int v = 0; v < set->item[i].vertices; v++)
            height = fmax(height, set->item[i].r[2 * (v * set->contacts + contact)]);
    return BEYOND * (height > 0 ? height : 1);
}

static void add_series(cone_panel *panel, scree_series series) {
    panel->series[panel->count++] = series;
}

static void add_cone(cone_panel *panel, double mu, double height) {
    for (int k = 0; k < 2; k++) {
        panel->edge_x[k][1] = (k ? -1 : 1) * mu * height;
        panel->edge_y[k][1] = height;
        add_series(panel, (scree_series){ k ? NULL : "cone", panel->edge_x[k], panel->edge_y[k], 2,
                                          SCREE_LINE, BLACK });
    }
}

// a point of the line free_gap + normal r_N + tangential r_T = 0, part in [0, 1]
static void closed_at(const scree_rest_critical *c, double mu, double height, double part,
                      double *x, double *y) {
    double width = mu > 0 ? mu * height : height;
    *y = c->tangential == 0 ? -c->free_gap / c->normal : part * height;
    *x = c->tangential == 0 ? (2 * part - 1) * width
                            : -(c->free_gap + c->normal * *y) / c->tangential;
}

// where on the line a closed vertex is
static double part_of(const scree_rest_critical *c, double mu, double height, const double *r) {
    double width = mu > 0 ? mu * height : height;
    return c->tangential == 0 ? (r[1] / width + 1) / 2 : r[0] / height;
}

// the line of closed gaps, dashed where it is not the set itself
static void add_closed_line(cone_panel *panel, const scree_equilibria *set,
                            const scree_rest_critical *c, double mu, double height) {
    double low = 1, high = 0;
    for (int i = 0; i < set->count; i++) {
        const scree_equilibrium *piece = &set->item[i];
        if (piece->status[0] == SCREE_REST_FREE) continue;
        for (int v = 0; v < piece->vertices; v++) {
            low = fmin(low, part_of(c, mu, height, piece->r + 2 * v));
            high = fmax(high, part_of(c, mu, height, piece->r + 2 * v));
        }
        if (piece->rays) high = 1;
    }
    if (low > high) low = high = 0;
    const double part[5] = { 0, low, (double)NAN, high, 1 };
    for (int k = 0; k < 5; k++)
        closed_at(c, mu, height, part[k], &panel->line_x[k], &panel->line_y[k]);
    panel->line_x[2] = (double)NAN;
    add_series(panel,
               (scree_series){ "gap = 0", panel->line_x, panel->line_y, 5, SCREE_DASHED, BLACK });
}

// corners of a piece, and a point far along its ray
static int place_piece(const scree_equilibria *set, const scree_equilibrium *piece, int contact,
                       double height, double *x, double *y) {
    int width = 2 * set->contacts, count = 0;
    for (int v = 0; v < piece->vertices; v++, count++) {
        y[count] = piece->r[v * width + 2 * contact];
        x[count] = piece->r[v * width + 2 * contact + 1];
    }
    for (int k = 0; k < piece->rays && piece->freedom == 1; k++) {
        const double *ray = piece->r + (piece->vertices + k) * width + 2 * contact;
        double far = ray[0] > 0 ? (height - y[0]) / ray[0] : 0;
        y[count] = y[0] + far * ray[0];
        x[count] = x[0] + far * ray[1];
        count++;
    }
    return count;
}

static void add_piece(cone_panel *panel, const scree_equilibria *set,
                      const scree_equilibrium *piece, int contact, double height, double *x,
                      double *y) {
    scree_rest status = piece->status[contact];
    const char *label = panel->named[status] ? NULL : scree_rest_name(status);
    int count = place_piece(set, piece, contact, height, x, y);
    panel->named[status] = true;
    add_series(panel, (scree_series){ label, x, y, count,
                                      piece->freedom == 1 ? SCREE_LINE : SCREE_DOTS, (int)status });
}

// families first, so that dots lie on lines; false when memory ran out
static bool fill_panel(const scree_equilibrium_system *system, const scree_equilibria *set,
                       int contact, cone_panel *panel) {
    double height = height_of(set, contact);
    size_t points = 0, at = 0;
    for (int i = 0; i < set->count; i++)
        points += (size_t)(set->item[i].vertices + set->item[i].rays);
    panel->x = calloc(points + 1, sizeof *panel->x);
    panel->y = calloc(points + 1, sizeof *panel->y);
    if (!panel->x || !panel->y) return false;
    add_cone(panel, system->mu[contact], height);
    scree_rest_critical critical;
    scree_status status = scree_rest_critical_of(system, set->tolerance, &critical, NULL);
    if (status == SCREE_NO_MEMORY) return false;
    if (!status) add_closed_line(panel, set, &critical, system->mu[contact], height);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < set->count && panel->count < PIECES + 3; i++) {
            const scree_equilibrium *piece = &set->item[i];
            if ((piece->freedom == 1) == pass) continue;
            add_piece(panel, set, piece, contact, height, panel->x + at, panel->y + at);
            at += (size_t)(piece->vertices + piece->rays);
        }
    char name[80];
    scree_chart_escape(system->name && system->name[contact] ? system->name[contact] : "contact",
                       name, sizeof name);
    snprintf(panel->title, sizeof panel->title, "%s, μ = %.4g", name, system->mu[contact]);
    return true;
}

scree_status show_cones(const scree_equilibrium_system *system, const scree_equilibria *set,
                        const char *caption, const char *file, scree_error *err) {
    int panels = set->contacts < SHOW_CONES ? set->contacts : SHOW_CONES;
    cone_panel *cone = calloc((size_t)panels + 1, sizeof *cone);
    scree_panel panel[SHOW_CONES] = { { 0 } };
    char title[160];
    if (!cone) return scree_fail_memory(err, "a figure");
    bool full = true;
    for (int i = 0; i < panels && full; i++) {
        full = fill_panel(system, set, i, &cone[i]);
        panel[i] = (scree_panel){ .title = cone[i].title,
                                  .x_label = "r_T",
                                  .y_label = "r_N",
                                  .series = cone[i].series,
                                  .series_count = cone[i].count,
                                  .zero_line = true };
    }
    snprintf(title, sizeof title, "Equilibria in Coulomb's cone%s%s",
             panels < set->contacts ? " of the first contacts" : "",
             set->count > PIECES ? " (the first pieces)" : "");
    scree_figure figure = { .title = title, .caption = caption, .panel = panel, .panels = panels };
    scree_status status = full ? SCREE_OK : scree_fail_memory(err, "a figure");
    if (!status && !panels)
        status = scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "there is no contact to draw");
    if (!status) status = scree_chart_draw(&figure, file, err);
    for (int i = 0; i < panels; i++) {
        free(cone[i].x);
        free(cone[i].y);
    }
    free(cone);
    return status;
}

// -------------------------------------------------------------------------------------------------
// maps

enum { LABEL = 160 };

static int drawn_kind(const show_kinds_grid *grid, int point) {
    return grid->kind[point] < SHOW_KINDS ? grid->kind[point] : SHOW_KINDS - 1;
}

static int name_kinds(const show_kinds_grid *grid, char label[][LABEL]) {
    int kinds = grid->kinds < SHOW_KINDS ? grid->kinds : SHOW_KINDS;
    for (int k = 0; k < kinds; k++) scree_chart_escape(grid->label[k], label[k], LABEL);
    if (grid->kinds > SHOW_KINDS) snprintf(label[SHOW_KINDS - 1], LABEL, "others");
    return kinds;
}

static int points_of(const show_kinds_grid *grid, int kind) {
    int count = 0;
    for (int p = 0; p < grid->count[0] * grid->count[1]; p++) count += drawn_kind(grid, p) == kind;
    return count;
}

// the most common kinds have a colour each, the rare ones share grey
static show_map_colour colour_of(const show_kinds_grid *grid, int kinds, int kind) {
    static const show_map_colour colour[] = { SHOW_MAP_PALE,   SHOW_MAP_BLUE, SHOW_MAP_ORANGE,
                                              SHOW_MAP_GREEN,  SHOW_MAP_RED,  SHOW_MAP_PURPLE,
                                              SHOW_MAP_YELLOW, SHOW_MAP_DARK };
    int own = points_of(grid, kind), rank = 0;
    for (int k = 0; k < kinds; k++) {
        int other = points_of(grid, k);
        rank += other > own || (other == own && k < kind);
    }
    return rank < 8 ? colour[rank] : SHOW_MAP_GREY;
}

static scree_status draw_map(const show_kinds_grid *grid, const char *caption, const char *file,
                             scree_error *err) {
    int columns = grid->count[0], rows = grid->count[1];
    unsigned char *cell = calloc((size_t)columns * (size_t)rows, 1);
    char label[SHOW_KINDS][LABEL], axis[2][LABEL];
    show_map_kind kind[SHOW_KINDS];
    if (!cell) return scree_fail_memory(err, "a figure");
    int kinds = name_kinds(grid, label);
    for (int k = 0; k < kinds; k++)
        kind[k] = (show_map_kind){ label[k], colour_of(grid, kinds, k) };
    for (int p = 0; p < 2; p++) scree_chart_escape(grid->name[p], axis[p], LABEL);
    for (int i = 0; i < columns; i++)
        for (int j = 0; j < rows; j++)
            cell[j * columns + i] = (unsigned char)drawn_kind(grid, i * rows + j);
    show_map_panel panel = { .kind = kind, .kinds = kinds, .cell = cell };
    show_map map = { .title = "Kinds of equilibria",
                     .caption = caption,
                     .x_label = axis[0],
                     .y_label = axis[1],
                     .x_low = grid->value[0][0],
                     .x_high = grid->value[0][columns - 1],
                     .y_low = grid->value[1][0],
                     .y_high = grid->value[1][rows - 1],
                     .columns = columns,
                     .rows = rows,
                     .panel = &panel,
                     .panels = 1 };
    scree_status status = show_map_draw(&map, file, err);
    free(cell);
    return status;
}

static scree_status draw_row(const show_kinds_grid *grid, const char *caption, const char *file,
                             scree_error *err) {
    size_t points = (size_t)grid->count[0], at = 0;
    double *x = calloc(points, sizeof *x), *y = calloc(points, sizeof *y);
    scree_series series[SHOW_KINDS];
    char label[SHOW_KINDS][LABEL], axis[LABEL];
    int kinds = name_kinds(grid, label);
    for (int k = 0; k < kinds && x && y; k++) {
        int count = 0;
        for (int i = 0; i < grid->count[0]; i++) {
            if (drawn_kind(grid, i) != k) continue;
            x[at + (size_t)count] = grid->value[0][i];
            y[at + (size_t)count++] = k + 1;
        }
        series[k] = (scree_series){ label[k], x + at, y + at, count, SCREE_DOTS, k % (BLACK + 1) };
        at += (size_t)count;
    }
    scree_chart_escape(grid->name[0], axis, LABEL);
    scree_panel panel = {
        .x_label = axis, .y_label = "kind", .series = series, .series_count = kinds
    };
    scree_figure figure = {
        .title = "Kinds of equilibria", .caption = caption, .panel = &panel, .panels = 1
    };
    scree_status status =
        x && y ? scree_chart_draw(&figure, file, err) : scree_fail_memory(err, "a figure");
    free(x);
    free(y);
    return status;
}

scree_status show_kinds_map(const show_kinds_grid *grid, const char *caption, const char *file,
                            scree_error *err) {
    return grid->name[1] ? draw_map(grid, caption, file, err) : draw_row(grid, caption, file, err);
}
