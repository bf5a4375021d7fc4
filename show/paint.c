// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// paint.c - coloured cells, arrows and scales on a page that shows a piece of space.

#include "show/paint.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "show/lettering.h"
#include "show/ticks.h"

enum { COLOURS = 5, EDGES_MOST = 6000, STRIPES = 128 };

static const scree_lettering NUMBER = { .size = 7.5 };
static const double INK[] = { 0.15, 0.15, 0.15 };
static const double RIGID[] = { 0.84, 0.84, 0.82 };
static const double FORCE[] = { 0.80, 0.20, 0.10 };
static const double ROOM = 64;             // for the words over the bar; points
static const double BAR = 11, HEAD = 5.5;  // width of the bar, length of an arrow's head; points

// dark to bright at every step, which also a printer in grey and most eyes tell apart
static const double colours[COLOURS][3] = {
    { 0.17, 0.14, 0.38 }, { 0.16, 0.36, 0.55 }, { 0.17, 0.57, 0.53 },
    { 0.52, 0.76, 0.36 }, { 0.98, 0.90, 0.36 },
};

void show_paint_colour(double share, double rgb[3]) {
    double at = fmin(fmax(share, 0), 1) * (COLOURS - 1);
    int k = at < COLOURS - 1 ? (int)at : COLOURS - 2;
    for (int c = 0; c < 3; c++)
        rgb[c] = colours[k][c] + (at - k) * (colours[k + 1][c] - colours[k][c]);
}

static void set_colour(cairo_t *cr, double share) {
    double rgb[3];
    show_paint_colour(share, rgb);
    cairo_set_source_rgb(cr, rgb[0], rgb[1], rgb[2]);
}

void show_paint_project(int space, const double x[3], double at[2]) {
    const double half = sqrt(0.5), sixth = sqrt(1.0 / 6);
    at[0] = space == 2 ? x[0] : half * (x[0] + x[1]);
    at[1] = space == 2 ? x[1] : sixth * (x[1] - x[0] + 2 * x[2]);
}

static void to_page(const show_page *page, int space, const double x[3], double at[2]) {
    show_paint_project(space, x, at);
    at[0] = page->left + page->scale * (at[0] - page->low[0]);
    at[1] = page->bottom - page->scale * (at[1] - page->low[1]);
}

// towards the eye
static double nearness(const show_cell *cell) {
    double sum = 0;
    for (int c = 0; c < cell->corners; c++) sum += cell->x[c][0] - cell->x[c][1] + cell->x[c][2];
    return sum / cell->corners;
}

static int farther_first(const void *a, const void *b) {
    double one = nearness(a), two = nearness(b);
    return (one > two) - (one < two);
}

// twice the area on the page, positive if it is seen from outside
static double seen(int space, const show_cell *cell) {
    double sum = 0, at[2], next[2];
    for (int c = 0; c < cell->corners; c++) {
        show_paint_project(space, cell->x[c], at);
        show_paint_project(space, cell->x[(c + 1) % cell->corners], next);
        sum += at[0] * next[1] - at[1] * next[0];
    }
    return sum;
}

void show_paint_cells(cairo_t *cr, const show_page *page, int space, show_cell *cell, size_t count,
                      const double range[2]) {
    double span = range[1] - range[0];
    if (space == 3) qsort(cell, count, sizeof *cell, farther_first);
    cairo_set_line_width(cr, 0.25);
    for (size_t i = 0; i < count; i++) {
        double at[2];
        if (space == 3 && seen(space, &cell[i]) <= 0) continue;
        cairo_new_path(cr);  // text leaves a point behind
        for (int c = 0; c < cell[i].corners; c++) {
            to_page(page, space, cell[i].x[c], at);
            cairo_line_to(cr, at[0], at[1]);
        }
        cairo_close_path(cr);
        if (cell[i].rigid)
            cairo_set_source_rgb(cr, RIGID[0], RIGID[1], RIGID[2]);
        else
            set_colour(cr, span > 0 ? (cell[i].value - range[0]) / span : 0);
        cairo_fill_preserve(cr);
        // in its own colour where there are many, so that no white shines through between them
        if (count <= EDGES_MOST) cairo_set_source_rgba(cr, INK[0], INK[1], INK[2], 0.45);
        cairo_stroke(cr);
    }
}

void show_paint_ball(cairo_t *cr, const show_page *page, int space, const double centre[3],
                     double radius) {
    double at[2];
    to_page(page, space, centre, at);
    cairo_new_path(cr);
    cairo_arc(cr, at[0], at[1], fmax(page->scale * radius, 1), 0, 6.283185307179586);
    cairo_set_source_rgb(cr, RIGID[0], RIGID[1], RIGID[2]);
    cairo_fill_preserve(cr);
    cairo_set_line_width(cr, 0.5);
    cairo_set_source_rgb(cr, INK[0], INK[1], INK[2]);
    cairo_stroke(cr);
}

void show_paint_line(cairo_t *cr, const show_page *page, int space, const double from[3],
                     const double to[3]) {
    double at[2];
    to_page(page, space, from, at);
    cairo_move_to(cr, at[0], at[1]);
    to_page(page, space, to, at);
    cairo_line_to(cr, at[0], at[1]);
}

void show_paint_stroke(cairo_t *cr, const double tail[2], const double tip[2], const double rgb[3],
                       double wider) {
    double along[2] = { tip[0] - tail[0], tip[1] - tail[1] }, length = hypot(along[0], along[1]);
    if (!(length > 0.3)) return;  // smaller than a dot
    double head = fmin(HEAD, 0.6 * length), x = along[0] / length, y = along[1] / length;
    cairo_set_source_rgb(cr, rgb[0], rgb[1], rgb[2]);
    cairo_set_line_width(cr, 0.9 + wider);
    cairo_move_to(cr, tail[0], tail[1]);
    cairo_line_to(cr, tip[0] - 0.8 * head * x, tip[1] - 0.8 * head * y);
    cairo_stroke(cr);
    cairo_move_to(cr, tip[0], tip[1]);
    cairo_line_to(cr, tip[0] - head * x - 0.35 * head * y, tip[1] - head * y + 0.35 * head * x);
    cairo_line_to(cr, tip[0] - head * x + 0.35 * head * y, tip[1] - head * y - 0.35 * head * x);
    cairo_close_path(cr);
    cairo_fill(cr);
}

void show_paint_arrow(cairo_t *cr, const show_page *page, int space, const double tail[3],
                      const double tip[3]) {
    double from[2], to[2];
    to_page(page, space, tail, from);
    to_page(page, space, tip, to);
    show_paint_stroke(cr, from, to, FORCE, 0);
}

void show_paint_bar(cairo_t *cr, double left, double top, double height, const double range[2],
                    const char *unit) {
    scree_ticks ticks;
    double low = range[0], high = range[1];
    scree_ticks_widen(&low, &high, 0);
    // as many numbers as stand over each other with some air, three at least
    scree_ticks_choose(low, high, (int)fmin(fmax(height / 16, SCREE_TICKS_FEWEST), 6), &ticks);
    for (int i = 0; i < STRIPES; i++) {
        // each reaches under the next one, or light comes through
        double y = top + height * (STRIPES - 1 - i) / STRIPES, more = i ? 0.4 : 0;
        cairo_rectangle(cr, left, y, BAR, height / STRIPES + more);
        set_colour(cr, (i + 0.5) / STRIPES);
        cairo_fill(cr);
    }
    cairo_set_source_rgb(cr, INK[0], INK[1], INK[2]);
    cairo_set_line_width(cr, 0.6);
    cairo_rectangle(cr, left, top, BAR, height);
    for (int i = 0; i < ticks.count; i++) {
        double y = top + height * (1 - ticks.at[i]);
        cairo_move_to(cr, left + BAR, y);
        cairo_rel_line_to(cr, 3, 0);
        scree_lettering_draw(cr, NUMBER, ticks.label[i], left + BAR + 5, y + 0.36 * NUMBER.size);
    }
    cairo_stroke(cr);
    char words[140];
    snprintf(words, sizeof words, "%s%s%s", ticks.note, ticks.note[0] ? " " : "", unit);
    scree_lettering_draw(cr, scree_lettering_fit(cr, NUMBER, words, ROOM), words, left, top - 4);
}

void show_paint_lengths(cairo_t *cr, const show_page *page, double left, double y, double length,
                        double force, double reach, scree_units units) {
    char words[60];
    double wide = page->scale * length;
    cairo_set_source_rgb(cr, INK[0], INK[1], INK[2]);
    cairo_set_line_width(cr, 1.2);
    cairo_move_to(cr, left, y);
    cairo_rel_line_to(cr, wide, 0);
    cairo_stroke(cr);
    snprintf(words, sizeof words, "%g %s", length, scree_units_name(units, "m").text);
    scree_lettering_draw(cr, NUMBER, words, left, y - 4);
    if (!(force > 0)) return;
    double tail[2] = { left + wide + 24, y };
    const double tip[2] = { tail[0] + page->scale * reach, y };
    show_paint_stroke(cr, tail, tip, FORCE, 0);
    cairo_set_source_rgb(cr, INK[0], INK[1], INK[2]);
    snprintf(words, sizeof words, "%.3g %s", force, scree_units_name(units, "N").text);
    scree_lettering_draw(cr, NUMBER, words, tail[0], y - 4);
}
