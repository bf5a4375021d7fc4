// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// map.c - which of a few kinds holds at each point of a grid.
// in: kinds of cells.   out: a figure.

#include "show/map.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "show/canvas.h"
#include "show/lettering.h"
#include "show/ticks.h"

static const double FRAME_WIDTH = 220, FRAME_HEIGHT = 190;
static const double LEFT = 52, RIGHT = 14, ABOVE = 24, BELOW = 40, LEGEND_LINE = 11;
static const double HEAD = 26, FOOT = 18, SWATCH = 8;
static const double OVERLAP = 0.3;  // of neighbouring cells, so that no seam shows [points]
static const scree_lettering small = { .size = 7.5 }, plain = { .size = 8.5, .align = 0.5 };

static const double palette[][3] = {
    [SHOW_MAP_PALE] = { 0.87, 0.91, 0.94 },   [SHOW_MAP_ORANGE] = { 0.90, 0.62, 0.00 },
    [SHOW_MAP_RED] = { 0.76, 0.24, 0.10 },    [SHOW_MAP_BLUE] = { 0.00, 0.45, 0.70 },
    [SHOW_MAP_GREEN] = { 0.45, 0.76, 0.62 },  [SHOW_MAP_PURPLE] = { 0.58, 0.40, 0.68 },
    [SHOW_MAP_YELLOW] = { 0.95, 0.90, 0.35 }, [SHOW_MAP_DARK] = { 0.20, 0.22, 0.35 },
    [SHOW_MAP_GREY] = { 0.55, 0.55, 0.55 },
};

typedef struct frame {
    double left, top;
} frame;

static void ink(cairo_t *cr, double level) { cairo_set_source_rgb(cr, level, level, level); }

static void paint_with(cairo_t *cr, show_map_colour colour) {
    cairo_set_source_rgb(cr, palette[colour][0], palette[colour][1], palette[colour][2]);
}

// where the cell of point i of n begins; those at the ends are half as wide
static double edge_of(int i, int n) {
    double edge = (i - 0.5) / (n - 1);
    return edge < 0 ? 0 : edge > 1 ? 1 : edge;
}

// the cells of one kind in a row, neighbours at once
static void add_row(cairo_t *cr, const show_map *map, const show_map_panel *panel, frame f, int row,
                    int kind) {
    const unsigned char *cell = panel->cell + (long)row * map->columns;
    double bottom = f.top + FRAME_HEIGHT * (1 - edge_of(row, map->rows));
    double top = f.top + FRAME_HEIGHT * (1 - edge_of(row + 1, map->rows));
    for (int first = 0, last; first < map->columns; first = last) {
        for (last = first + 1; last < map->columns && cell[last] == cell[first];) last++;
        if (cell[first] != kind) continue;
        double x = f.left + FRAME_WIDTH * edge_of(first, map->columns);
        double end = f.left + FRAME_WIDTH * edge_of(last, map->columns);
        cairo_rectangle(cr, x, top - OVERLAP, end - x + OVERLAP, bottom - top + OVERLAP);
    }
}

static void draw_cells(cairo_t *cr, const show_map *map, const show_map_panel *panel, frame f) {
    cairo_save(cr);
    cairo_rectangle(cr, f.left, f.top, FRAME_WIDTH, FRAME_HEIGHT);
    cairo_clip(cr);
    // all of a kind as one path: rows that touch leave no seam
    for (int kind = 0; kind < panel->kinds; kind++) {
        for (int row = 0; row < map->rows; row++) add_row(cr, map, panel, f, row, kind);
        paint_with(cr, panel->kind[kind].colour);
        cairo_fill(cr);
    }
    cairo_restore(cr);
}

static void line(cairo_t *cr, double x, double y, double dx, double dy) {
    cairo_move_to(cr, x, y);
    cairo_rel_line_to(cr, dx, dy);
    cairo_stroke(cr);
}

// the axis' name with the power of ten that its numbers lack
static void name_axis(const char *label, const scree_ticks *ticks, char *text, size_t size) {
    snprintf(text, size, "%s%s%s%s", label ? label : "", ticks->note[0] ? "  (" : "", ticks->note,
             ticks->note[0] ? ")" : "");
}

static void draw_axes(cairo_t *cr, const show_map *map, frame f) {
    scree_ticks ticks;
    char label[300];
    double bottom = f.top + FRAME_HEIGHT;
    scree_lettering right = small, middle = small;
    right.align = 1;
    middle.align = 0.5;
    ink(cr, 0.15);
    cairo_set_line_width(cr, 0.6);
    cairo_rectangle(cr, f.left, f.top, FRAME_WIDTH, FRAME_HEIGHT);
    cairo_stroke(cr);

    scree_ticks_choose(map->x_low, map->x_high, 6, &ticks);
    for (int i = 0; i < ticks.count; i++) {
        double x = f.left + FRAME_WIDTH * ticks.at[i];
        line(cr, x, bottom, 0, 3);
        scree_lettering_draw(cr, middle, ticks.label[i], x, bottom + 11);
    }
    name_axis(map->x_label, &ticks, label, sizeof label);
    scree_lettering_draw(cr, plain, label, f.left + FRAME_WIDTH / 2, bottom + 23);

    scree_ticks_choose(map->y_low, map->y_high, 6, &ticks);
    for (int i = 0; i < ticks.count; i++) {
        double y = bottom - FRAME_HEIGHT * ticks.at[i];
        line(cr, f.left, y, -3, 0);
        scree_lettering_draw(cr, right, ticks.label[i], f.left - 5, y + 2.7);
    }
    name_axis(map->y_label, &ticks, label, sizeof label);
    cairo_save(cr);
    cairo_translate(cr, f.left - 36, f.top + FRAME_HEIGHT / 2);
    cairo_rotate(cr, -acos(0));
    scree_lettering_draw(cr, plain, label, 0, 0);
    cairo_restore(cr);
}

static bool occurs(const show_map *map, const show_map_panel *panel, int kind) {
    size_t cells = (size_t)map->rows * (size_t)map->columns;
    return memchr(panel->cell, kind, cells) != NULL;
}

static int legend_lines(const show_map *map) {
    int most = 0;
    for (int p = 0; p < map->panels; p++) {
        int lines = 0;
        for (int k = 0; k < map->panel[p].kinds; k++) lines += occurs(map, &map->panel[p], k);
        if (lines > most) most = lines;
    }
    return most;
}

static void draw_legend(cairo_t *cr, const show_map *map, const show_map_panel *panel, frame f) {
    double y = f.top + FRAME_HEIGHT + BELOW;
    for (int k = 0; k < panel->kinds; k++) {
        if (!occurs(map, panel, k)) continue;
        cairo_rectangle(cr, f.left, y - SWATCH + 1.5, 1.6 * SWATCH, SWATCH);
        paint_with(cr, panel->kind[k].colour);
        cairo_fill_preserve(cr);
        ink(cr, 0.4);
        cairo_set_line_width(cr, 0.4);
        cairo_stroke(cr);
        ink(cr, 0.1);
        scree_lettering_draw(cr, small, panel->kind[k].label, f.left + 1.6 * SWATCH + 5, y);
        y += LEGEND_LINE;
    }
}

static void draw_panel(cairo_t *cr, const show_map *map, const show_map_panel *panel, frame f) {
    draw_cells(cr, map, panel, f);
    draw_axes(cr, map, f);
    draw_legend(cr, map, panel, f);
    ink(cr, 0.1);
    scree_lettering title = scree_lettering_fit(cr, plain, panel->title, FRAME_WIDTH);
    scree_lettering_draw(cr, title, panel->title, f.left + FRAME_WIDTH / 2, f.top - 6);
}

static void draw_words(cairo_t *cr, const show_map *map, double width, double height) {
    scree_lettering title = { .size = 11, .align = 0.5, .bold = true };
    scree_lettering caption = { .size = 6.5, .verbatim = true };
    ink(cr, 0.1);
    title = scree_lettering_fit(cr, title, map->title, width - 20);
    scree_lettering_draw(cr, title, map->title, width / 2, 18);
    ink(cr, 0.45);
    caption = scree_lettering_fit(cr, caption, map->caption, width - 20);
    scree_lettering_draw(cr, caption, map->caption, 10, height - 7);
}

scree_status show_map_draw(const show_map *map, const char *file, scree_error *err) {
    scree_canvas_format format;
    scree_status status = scree_canvas_format_of(file, &format, err);
    if (status) return status;
    int across = map->panels > 1 ? 2 : 1, down = (map->panels + across - 1) / across;
    double wide = LEFT + FRAME_WIDTH + RIGHT;
    double high = ABOVE + FRAME_HEIGHT + BELOW + LEGEND_LINE * legend_lines(map);
    double width = across * wide, height = HEAD + down * high + FOOT;
    scree_canvas canvas = { 0 };
    status = scree_canvas_open(&canvas, format, width, height, err);
    for (int p = 0; !status && p < map->panels; p++) {
        frame f = { p % across * wide + LEFT, HEAD + p / across * high + ABOVE };
        draw_panel(canvas.cr, map, &map->panel[p], f);
    }
    if (!status) draw_words(canvas.cr, map, width, height);
    if (!status) status = scree_canvas_save(&canvas, file, err);
    scree_canvas_close(&canvas);
    return status;
}
