// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// curve.c - a series of points as lines, stems or dots inside a frame.
// in: points, a view.   out: cairo paths.   work: a raster of visited cells.
// A line passes three filters, so that a million points cost what the eye can see of them:
//     columns     points that follow each other in a quarter-point column become first, lowest,
//                 highest and last;
//     straights   vertices within TOLERANCE of a straight stretch go;
//     raster      past VERTICES, a piece that runs over drawn cells only is not drawn again.

#include "show/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { VERTICES = 6000, PALETTE = 7 };

static const double TURN = 6.283185307179586;
static const double COLUMN = 0.25, TOLERANCE = 0.03;   // points
static const double LINE = 1.1, BAR = 1.0, DOT = 2.6;  // widths, points

typedef struct spot {
    double x, y;
} spot;

typedef struct pen {
    cairo_t *cr;  // NULL: only mark the raster
    scree_raster *raster;
    bool dots;     // draw the runs that are too small for a line, and only them
    int vertices;  // so far
    int specks;    // runs too small for a line
    bool down;     // cairo's path ends at `at`

    // straight stretch from at to held, with the directions that pass close to all between
    bool begun, holds;
    spot at, held;
    double reach, direction, left, right;

    // points in one column
    int count;
    double column;
    spot first, last, lowest, highest;
    bool lowest_first;

    // extent of the run
    spot least, most;
} pen;

bool scree_curve_usable(const scree_page_view *view, double x, double y) {
    if ((view->x_log && !(x > 0)) || (view->y_log && !(y > 0))) return false;
    return fabs(x) <= 1e300 && fabs(y) <= 1e300;
}

double scree_curve_measure(double value, bool is_log) { return is_log ? log10(value) : value; }

static spot to_page(const scree_page_view *v, double x, double y) {
    double across = (scree_curve_measure(x, v->x_log) - v->x_low) / (v->x_high - v->x_low);
    double up = (scree_curve_measure(y, v->y_log) - v->y_low) / (v->y_high - v->y_low);
    return (spot){ v->box.left + across * v->box.width, v->box.top + (1 - up) * v->box.height };
}

// ---- raster

scree_raster scree_curve_raster(scree_page_box box, double cell) {
    cell = fmax(cell, sqrt(box.width * box.height / 1e6));
    scree_raster raster = { .left = box.left, .top = box.top, .cell = cell };
    raster.columns = (int)(box.width / cell) + 1;
    raster.rows = (int)(box.height / cell) + 1;
    raster.mark = calloc((size_t)raster.columns * (size_t)raster.rows, 1);
    return raster;
}

static bool visit(scree_raster *raster, spot p) {  // true if the cell was new
    int column = (int)fmin(fmax((p.x - raster->left) / raster->cell, 0), raster->columns - 1);
    int row = (int)fmin(fmax((p.y - raster->top) / raster->cell, 0), raster->rows - 1);
    unsigned char *mark = &raster->mark[(size_t)row * (size_t)raster->columns + (size_t)column];
    bool fresh = !*mark;
    *mark = 1;
    return fresh;
}

static bool visit_line(scree_raster *raster, spot from, spot to) {
    double length = fmax(fabs(to.x - from.x), fabs(to.y - from.y));
    int steps = (int)(length / raster->cell) + 1;
    bool fresh = false;
    for (int i = 0; i <= steps; i++) {
        double part = (double)i / steps;
        spot p = { from.x + part * (to.x - from.x), from.y + part * (to.y - from.y) };
        fresh |= visit(raster, p);
    }
    return fresh;
}

static void wipe(scree_raster *raster) {
    memset(raster->mark, 0, (size_t)raster->rows * (size_t)raster->columns);
}

// Add a point without length to the path, unless one was there before.
static void dot(cairo_t *cr, scree_raster *raster, spot p) {
    if (!visit(raster, p) || !cr) return;
    cairo_move_to(cr, p.x, p.y);
    cairo_line_to(cr, p.x, p.y);
}

// ---- pen, from the last filter to the first

static void draw_to(pen *p, spot to) {
    bool fresh = !p->dots && visit_line(p->raster, p->at, to);
    if (p->cr && !p->dots) {
        bool seen = !fresh && p->vertices > VERTICES;
        if (!seen && !p->down) cairo_move_to(p->cr, p->at.x, p->at.y);
        if (!seen) cairo_line_to(p->cr, to.x, to.y);
        p->down = !seen;
        p->vertices += !seen;
    }
    p->at = to;
}

static void straighten(pen *p, spot to) {
    if (!p->begun) {
        p->begun = true;
        p->at = to;
        return;
    }
    double length = hypot(to.x - p->at.x, to.y - p->at.y);
    double angle = remainder(atan2(to.y - p->at.y, to.x - p->at.x) - p->direction, TURN);
    if (p->reach > 0 && (length < p->reach || angle < p->left || angle > p->right)) {
        draw_to(p, p->held);
        p->reach = 0;
        length = hypot(to.x - p->at.x, to.y - p->at.y);
    }
    p->held = to;
    p->holds = true;
    if (length <= TOLERANCE) return;
    double slack = asin(TOLERANCE / length);
    if (p->reach == 0) {
        p->direction = atan2(to.y - p->at.y, to.x - p->at.x);
        p->left = -slack;
        p->right = slack;
    } else {
        p->left = fmax(p->left, angle - slack);
        p->right = fmin(p->right, angle + slack);
    }
    p->reach = length;
}

static void end_column(pen *p) {
    if (p->count == 0) return;
    straighten(p, p->first);
    if (p->count > 2) {
        straighten(p, p->lowest_first ? p->lowest : p->highest);
        straighten(p, p->lowest_first ? p->highest : p->lowest);
    }
    if (p->count > 1) straighten(p, p->last);
    p->count = 0;
}

static void add(pen *p, spot to) {
    bool run_begins = !p->begun && p->count == 0;
    p->least.x = run_begins ? to.x : fmin(p->least.x, to.x);
    p->least.y = run_begins ? to.y : fmin(p->least.y, to.y);
    p->most.x = run_begins ? to.x : fmax(p->most.x, to.x);
    p->most.y = run_begins ? to.y : fmax(p->most.y, to.y);

    double column = floor(to.x / COLUMN);
    if (p->count > 0 && column != p->column) end_column(p);
    if (p->count++ == 0) {
        p->column = column;
        p->first = p->lowest = p->highest = to;
    }
    if (to.y > p->lowest.y) {
        p->lowest = to;
        p->lowest_first = false;
    }
    if (to.y < p->highest.y) {
        p->highest = to;
        p->lowest_first = true;
    }
    p->last = to;
}

// The run of finite points is over; one that would hardly be seen as a line becomes a dot.
static void lift(pen *p) {
    bool any = p->count > 0 || p->begun;
    bool small = any && p->most.x - p->least.x < 0.3 && p->most.y - p->least.y < 0.3;
    if (small) {
        p->specks++;
        dot(p->dots ? p->cr : NULL, p->raster, p->least);
    } else if (any) {
        end_column(p);
        if (p->holds) draw_to(p, p->held);
    }
    p->count = 0;
    p->begun = p->holds = p->down = false;
    p->reach = 0;
}

static void trace(pen *p, const scree_page_view *view, const scree_series *series) {
    spot previous = { 0, 0 };
    bool inside = false;
    for (int i = 0; i < series->count; i++) {
        if (!scree_curve_usable(view, series->x[i], series->y[i])) {
            lift(p);
            inside = false;
            continue;
        }
        spot to = to_page(view, series->x[i], series->y[i]);
        if (inside && series->mark == SCREE_STEPS) add(p, (spot){ to.x, previous.y });
        add(p, to);
        previous = to;
        inside = true;
    }
    lift(p);
}

// ---- series

int scree_curve_colour_of(const scree_panel *panel, int series) {
    int next = 0;
    for (int i = 0; i < series; i++)
        next = (panel->series[i].colour >= 0 ? panel->series[i].colour : next) + 1;
    return panel->series[series].colour >= 0 ? panel->series[series].colour : next;
}

void scree_curve_colour(cairo_t *cr, int colour) {
    // Okabe and Ito's palette without its yellow, which is too pale on white
    static const unsigned char rgb[PALETTE][3] = {
        { 0x00, 0x72, 0xb2 }, { 0xd5, 0x5e, 0x00 }, { 0x00, 0x9e, 0x73 }, { 0xcc, 0x79, 0xa7 },
        { 0xe6, 0x9f, 0x00 }, { 0x56, 0xb4, 0xe9 }, { 0x22, 0x22, 0x22 },
    };
    const unsigned char *c = rgb[colour % PALETTE];
    cairo_set_source_rgb(cr, c[0] / 255.0, c[1] / 255.0, c[2] / 255.0);
}

// Once the palette is used up, solid lines become dash-dotted, then dotted.
static void set_line(cairo_t *cr, scree_mark mark, int colour) {
    static const double dashed[] = { 3.4, 2.6 }, dash_dot[] = { 5, 1.8, 1, 1.8 },
                        dotted[] = { 1, 1.6 };
    scree_curve_colour(cr, colour);
    cairo_set_line_width(cr, LINE);
    cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
    if (mark == SCREE_DASHED)
        cairo_set_dash(cr, dashed, 2, 0);
    else if (colour / PALETTE % 3 == 1)
        cairo_set_dash(cr, dash_dot, 4, 0);
    else if (colour / PALETTE % 3 == 2)
        cairo_set_dash(cr, dotted, 2, 0);
    else
        cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
}

// Stroke the path as it is: points without length become discs.
static void stroke_dots(cairo_t *cr, double width) {
    cairo_set_dash(cr, NULL, 0, 0);
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_ROUND);
    cairo_set_line_width(cr, width);
    cairo_stroke(cr);
}

static void draw_dots(cairo_t *cr, const scree_page_view *view, const scree_series *series,
                      scree_raster *raster) {
    for (int i = 0; i < series->count; i++)
        if (scree_curve_usable(view, series->x[i], series->y[i]))
            dot(cr, raster, to_page(view, series->x[i], series->y[i]));
    if (cr) stroke_dots(cr, series->count > 1000 ? 0.6 * DOT : DOT);
}

typedef struct bar {  // the farthest tips from zero in one column
    double x, up, down;
} bar;

static void draw_bar(cairo_t *cr, bar b, scree_raster *raster) {
    if (!(b.down > b.up)) return;
    spot from = { b.x, b.down }, to = { b.x, b.up };
    visit_line(raster, from, to);
    if (!cr) return;
    cairo_move_to(cr, from.x, from.y);
    cairo_line_to(cr, to.x, to.y);
}

// Bars, one per column of the page; returns how many values are not zero.
static int draw_bars(cairo_t *cr, const scree_page_view *view, const scree_series *series,
                     double shift, scree_raster *raster) {
    int values = 0;
    double column = -INFINITY;
    bar b = { 0, 0, 0 };
    for (int i = 0; i < series->count; i++) {
        if (!scree_curve_usable(view, series->x[i], series->y[i]) || series->y[i] == 0) continue;
        values++;
        spot tip = to_page(view, series->x[i], series->y[i]);
        if (floor(tip.x / COLUMN) != column) {
            draw_bar(cr, b, raster);
            column = floor(tip.x / COLUMN);
            double foot = to_page(view, series->x[i], 0).y;
            b = (bar){ tip.x + shift, foot, foot };
        }
        b.up = fmin(b.up, tip.y);
        b.down = fmax(b.down, tip.y);
    }
    draw_bar(cr, b, raster);
    return values;
}

// Bars first; then dots, unless so many that they would hide the bars.
static void draw_stems(cairo_t *cr, const scree_page_view *view, const scree_series *series,
                       double shift, scree_raster *raster) {
    int values = draw_bars(cr, view, series, shift, raster);
    if (!cr) return;
    cairo_set_line_cap(cr, CAIRO_LINE_CAP_BUTT);
    cairo_set_line_width(cr, BAR);
    cairo_stroke(cr);

    double room = view->box.width / (1.5 * DOT);
    if (values > room) return;
    wipe(raster);
    for (int i = 0; i < series->count; i++) {
        if (!scree_curve_usable(view, series->x[i], series->y[i])) continue;
        if (series->y[i] == 0 && series->count > room && values > 0) continue;
        spot tip = to_page(view, series->x[i], series->y[i]);
        tip.x += shift;
        dot(cr, raster, tip);
    }
    stroke_dots(cr, DOT);
}

void scree_curve_draw(cairo_t *cr, const scree_page_view *view, const scree_series *series,
                      int colour, double shift, scree_raster *raster) {
    cairo_save(cr);
    wipe(raster);
    set_line(cr, series->mark, colour);
    if (series->mark == SCREE_STEMS) {
        draw_stems(cr, view, series, shift, raster);
    } else if (series->mark == SCREE_DOTS) {
        draw_dots(cr, view, series, raster);
    } else {
        pen lines = { .cr = cr, .raster = raster };
        trace(&lines, view, series);
        cairo_stroke(cr);
        if (lines.specks) {
            wipe(raster);
            pen dots = { .cr = cr, .raster = raster, .dots = true };
            trace(&dots, view, series);
            stroke_dots(cr, DOT);
        }
    }
    cairo_restore(cr);
}

void scree_curve_cover(const scree_page_view *view, const scree_series *series,
                       scree_raster *raster) {
    pen p = { .raster = raster };
    if (series->mark == SCREE_STEMS)
        draw_stems(NULL, view, series, 0, raster);
    else if (series->mark == SCREE_DOTS)
        draw_dots(NULL, view, series, raster);
    else
        trace(&p, view, series);
}

void scree_curve_sample(cairo_t *cr, scree_mark mark, int colour, double x, double y,
                        double width) {
    double middle = x + 0.5 * width;
    cairo_save(cr);
    set_line(cr, mark, colour);
    if (mark == SCREE_STEMS) {
        cairo_set_line_width(cr, BAR);
        cairo_move_to(cr, middle, y + 3);
        cairo_line_to(cr, middle, y - 2);
        cairo_stroke(cr);
        cairo_move_to(cr, middle, y - 2);
        cairo_line_to(cr, middle, y - 2);
        stroke_dots(cr, DOT);
    } else if (mark == SCREE_DOTS) {
        cairo_move_to(cr, middle, y);
        cairo_line_to(cr, middle, y);
        stroke_dots(cr, DOT);
    } else {
        cairo_move_to(cr, x, y);
        cairo_line_to(cr, x + width, y);
        cairo_stroke(cr);
    }
    cairo_restore(cr);
}
