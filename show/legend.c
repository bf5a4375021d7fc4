// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// legend.c - which curve is which, where it hides the least.
// in: a panel, its view.   out: a box.   work: a raster that the curves have marked.

#include "show/legend.h"

#include <math.h>
#include <stdlib.h>

#include "show/lettering.h"

static const double SAMPLE = 17, GAP = 4, BETWEEN = 10, LINE_HEIGHT = 10.5, PAD = 4, INSET = 5;
static const double CELL = 3;        // of the raster, points
static const double CROWDED = 0.05;  // cost (see try_places) from which on the legend goes outside
enum { PLACES = 10 };                // tried in each direction
static const scree_lettering font = { .size = 7.5 };

static bool listed(const scree_series *series) { return series->label && series->label[0]; }

static int entries(const scree_panel *panel) {
    int count = 0;
    for (int i = 0; i < panel->series_count; i++) count += listed(&panel->series[i]);
    return count;
}

static void shape(cairo_t *cr, const scree_panel *panel, int columns, scree_legend *legend) {
    double widest = 0;
    for (int i = 0; i < panel->series_count; i++)
        if (listed(&panel->series[i]))
            widest = fmax(widest, scree_lettering_width(cr, font, panel->series[i].label));
    int count = entries(panel);
    legend->rows = (count + columns - 1) / columns;
    legend->columns = (count + legend->rows - 1) / legend->rows;
    legend->column = SAMPLE + GAP + widest + BETWEEN;
    legend->box.width = legend->columns * legend->column - BETWEEN + 2 * PAD;
    legend->box.height = legend->rows * LINE_HEIGHT + 2 * PAD - 2;
}

// how much curve lies under the box, in widths of the frame
static double covered(const scree_raster *raster, scree_page_box box) {
    int marked = 0;
    int left = (int)((box.left - raster->left) / raster->cell);
    int right = (int)((box.left + box.width - raster->left) / raster->cell);
    int top = (int)((box.top - raster->top) / raster->cell);
    int bottom = (int)((box.top + box.height - raster->top) / raster->cell);
    for (int row = top < 0 ? 0 : top; row <= bottom && row < raster->rows; row++)
        for (int column = left < 0 ? 0 : left; column <= right && column < raster->columns;
             column++)
            marked += raster->mark[row * raster->columns + column];
    return raster->columns ? (double)marked / raster->columns : 1;
}

static scree_page_box grown(scree_page_box b, double by) {
    return (scree_page_box){ b.left - by, b.top - by, b.width + 2 * by, b.height + 2 * by };
}

// Try this shape all over the frame and keep the best in best: first of all nothing hidden, then
// some air around, then corners before edges before the middle, and right and above before the
// rest.
static void try_places(const scree_raster *raster, scree_page_box frame, scree_legend trial,
                       double *least, scree_legend *best) {
    scree_page_box *box = &trial.box;
    if (box->width > 0.8 * frame.width || box->height > 0.6 * frame.height) return;
    double free_width = frame.width - box->width - 2 * INSET;
    double free_height = frame.height - box->height - 2 * INSET;
    for (int i = 0; i <= PLACES; i++)
        for (int k = 0; k <= PLACES; k++) {
            double across = (double)i / PLACES, down = (double)k / PLACES;
            box->left = frame.left + INSET + (1 - across) * free_width;
            box->top = frame.top + INSET + down * free_height;
            double inward = fmin(across, 1 - across) + fmin(down, 1 - down);
            double cost = covered(raster, grown(*box, 1)) + 0.1 * covered(raster, grown(*box, 5)) +
                          0.02 * inward + 1e-4 * (across + 2 * down) + 1e-3 * trial.columns;
            if (cost >= *least) continue;
            *least = cost;
            *best = trial;
        }
}

static bool best_inside(cairo_t *cr, const scree_panel *panel, const scree_page_view *view,
                        double *least, scree_legend *best) {
    scree_raster raster = scree_curve_raster(view->box, CELL);
    if (!raster.mark) return false;
    for (int i = 0; i < panel->series_count; i++)
        scree_curve_cover(view, &panel->series[i], &raster);
    *least = 2;
    int count = entries(panel), columns[] = { 1, 2, count };
    for (int i = 0; i < 3; i++) {
        scree_legend trial = { .place = SCREE_LEGEND_INSIDE };
        shape(cr, panel, columns[i] < count ? columns[i] : count, &trial);
        try_places(&raster, view->box, trial, least, best);
    }
    free(raster.mark);
    return true;
}

bool scree_legend_choose(cairo_t *cr, const scree_panel *panel, const scree_page_view *view,
                         bool right_allowed, double below, scree_legend *legend) {
    *legend = (scree_legend){ .place = SCREE_LEGEND_NONE };
    if (!entries(panel)) return true;
    double least;
    if (!best_inside(cr, panel, view, &least, legend)) return false;
    if (least <= CROWDED) return true;

    // outside: a narrow list beside the frame or lines below it
    shape(cr, panel, 1, legend);
    bool right = right_allowed && legend->box.width < 0.35 * view->box.width &&
                 legend->box.height < view->box.height;
    legend->place = right ? SCREE_LEGEND_RIGHT : SCREE_LEGEND_BELOW;
    if (right) return true;
    int fit = (int)((below + BETWEEN) / legend->column), count = entries(panel);
    shape(cr, panel, fit < 1 ? 1 : fit < count ? fit : count, legend);
    return true;
}

bool scree_legend_settle(cairo_t *cr, const scree_panel *panel, const scree_page_view *view,
                         scree_legend *legend) {
    double least;
    if (legend->place != SCREE_LEGEND_INSIDE) return true;
    return best_inside(cr, panel, view, &least, legend);
}

void scree_legend_draw(cairo_t *cr, const scree_panel *panel, const scree_legend *legend) {
    if (legend->place == SCREE_LEGEND_NONE) return;
    scree_page_box box = legend->box;
    if (legend->place == SCREE_LEGEND_INSIDE) {
        cairo_rectangle(cr, box.left, box.top, box.width, box.height);
        cairo_set_source_rgba(cr, 1, 1, 1, 0.88);
        cairo_fill_preserve(cr);
        cairo_set_source_rgb(cr, 0.85, 0.85, 0.85);
        cairo_set_line_width(cr, 0.4);
        cairo_stroke(cr);
    }
    int entry = 0;
    for (int i = 0; i < panel->series_count; i++) {
        const scree_series *series = &panel->series[i];
        if (!listed(series)) continue;
        double x = box.left + PAD + entry / legend->rows * legend->column;
        double y = box.top + PAD - 1 + (entry % legend->rows + 0.5) * LINE_HEIGHT;
        entry++;
        scree_curve_sample(cr, series->mark, scree_curve_colour_of(panel, i), x, y, SAMPLE);
        cairo_set_source_rgb(cr, 0.1, 0.1, 0.1);
        scree_lettering_draw(cr, font, series->label, x + SAMPLE + GAP, y + 0.36 * font.size);
    }
}
