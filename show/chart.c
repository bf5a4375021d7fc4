// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// chart.c - from columns of numbers to a figure for a paper: the lay-out and the axes.
// in: a figure.   out: a file.   work: a plot per panel.
// Frames of one figure have the same size and line up: the margins of a column (of a row) are what
// its neediest panel asks for. Labels decide the margins and the margins how many labels fit, so
// the lay-out is passed a few times before anything is drawn.

#include "show/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "show/canvas.h"
#include "show/curve.h"
#include "show/legend.h"
#include "show/lettering.h"
#include "show/ticks.h"

static const scree_lettering TITLE = { .size = 10.5, .align = 0.5, .bold = true };
static const scree_lettering CAPTION = { .size = 6, .verbatim = true };
static const scree_lettering PANEL = { .size = 9, .align = 0.5 };
static const scree_lettering LABEL = { .size = 8.5, .align = 0.5 };
static const scree_lettering NUMBER = { .size = 7.5 };

static const double TICK = 3, MINOR = 1.7, GAP = 3;  // points
static const double EDGE = 8;                        // white around the figure
static const double SMALLEST = 24, LARGEST = 5000;   // frame and figure, points
static const double INK[] = { 0.15, 0.15, 0.15 }, GREY[] = { 0.5, 0.5, 0.5 };
static const double PALE[] = { 0.9, 0.9, 0.9 };

typedef struct margins {
    double left, right, top, bottom;
} margins;

typedef struct plot {  // a panel on its way to the page
    const scree_panel *panel;
    bool empty;
    scree_page_view data, view;  // what there is to show, and what the frame shows of it
    scree_ticks x, y;
    scree_legend legend;
    margins around;  // what the frame's column and row leave
    bool raised;     // the title stands above the y axis' note
} plot;

typedef struct sheet {
    const scree_figure *figure;
    cairo_t *cr;
    plot *plots;  // owned (panels)
    int columns, rows;
    double width, height;
} sheet;

static bool written(const char *text) { return text && text[0]; }

static void ink(cairo_t *cr, const double rgb[3]) {
    cairo_set_source_rgb(cr, rgb[0], rgb[1], rgb[2]);
}

// ---- data

static void include(double value, double *low, double *high) {
    if (value < *low) *low = value;
    if (value > *high) *high = value;
}

// a logarithmic axis shows a decade at least, which has room for three round numbers
static void spread(double *low, double *high) {
    double more = fmax(0, 0.5 * (1 - (*high - *low)));
    *low -= more;
    *high += more;
}

// The range of everything that can be drawn, with room around it.
static void measure_data(plot *p) {
    scree_page_view *v = &p->data;
    double dot_low = INFINITY, dot_high = -INFINITY;  // x of dots, which need some space
    bool stems = false;
    v->x_low = v->y_low = INFINITY;
    v->x_high = v->y_high = -INFINITY;
    v->x_log = p->panel->x_log;
    v->y_log = p->panel->y_log;
    for (int s = 0; s < p->panel->series_count; s++) {
        const scree_series *series = &p->panel->series[s];
        bool dots = series->mark == SCREE_DOTS, bars = series->mark == SCREE_STEMS;
        stems |= bars;
        for (int i = 0; i < series->count; i++) {
            if (!scree_curve_usable(v, series->x[i], series->y[i])) continue;
            double x = scree_curve_measure(series->x[i], v->x_log);
            include(x, &v->x_low, &v->x_high);
            include(scree_curve_measure(series->y[i], v->y_log), &v->y_low, &v->y_high);
            if (dots || (bars && series->y[i] != 0)) include(x, &dot_low, &dot_high);
        }
    }
    p->empty = !(v->x_low <= v->x_high);
    if (p->empty) return;
    if (stems || p->panel->zero_line) include(0, &v->y_low, &v->y_high);

    // lines run from edge to edge, dots stay clear of it
    scree_ticks_widen(&v->x_low, &v->x_high, p->panel->equal_aspect ? 0.05 : 0);
    double space = 0.025 * (v->x_high - v->x_low);
    if (!p->panel->equal_aspect && !v->x_log) scree_ticks_snap(&v->x_low, &v->x_high);
    v->x_low = fmin(v->x_low, dot_low - space);
    v->x_high = fmax(v->x_high, dot_high + space);

    // bars stand on the frame if all point the same way
    bool on_floor = stems && v->y_low == 0, from_ceiling = stems && v->y_high == 0;
    scree_ticks_widen(&v->y_low, &v->y_high, 0.06);
    if (on_floor && !from_ceiling) v->y_low = 0;
    if (from_ceiling && !on_floor) v->y_high = 0;
    if (v->x_log) spread(&v->x_low, &v->x_high);
    if (v->y_log) spread(&v->y_low, &v->y_high);
}

// ---- lay-out

// Give the frame to the view. With equal aspect shrink it towards the data's shape, but not to a
// slit, and let the axes show more where that is not enough.
static void fit_view(plot *p, scree_page_box frame) {
    p->view = p->data;
    p->view.box = frame;
    if (!p->panel->equal_aspect || p->empty) return;
    scree_page_view *v = &p->view;
    double x_span = v->x_high - v->x_low, y_span = v->y_high - v->y_low;
    double scale = fmin(frame.width / x_span, frame.height / y_span);
    v->box.width = fmax(x_span * scale, 0.45 * frame.width);
    v->box.height = fmax(y_span * scale, fmin(frame.height, fmax(0.45 * frame.height, 60)));
    v->box.left += 0.5 * (frame.width - v->box.width);
    double x_more = 0.5 * (v->box.width / scale - x_span);
    double y_more = 0.5 * (v->box.height / scale - y_span);
    v->x_low -= x_more;
    v->x_high += x_more;
    v->y_low -= y_more;
    v->y_high += y_more;
}

static double widest_label(cairo_t *cr, const scree_ticks *ticks) {
    double widest = 0;
    for (int i = 0; i < ticks->count; i++)
        widest = fmax(widest, scree_lettering_width(cr, NUMBER, ticks->label[i]));
    return widest;
}

static void choose(double low, double high, bool is_log, int most, scree_ticks *ticks) {
    if (is_log)
        scree_ticks_choose_log(low, high, most, ticks);
    else
        scree_ticks_choose(low, high, most, ticks);
}

// how close the closest two major ticks are, as a part of the axis
static double closest(const scree_ticks *ticks) {
    double least = 1;
    for (int i = 1; i < ticks->count; i++) least = fmin(least, ticks->at[i] - ticks->at[i - 1]);
    return least;
}

static void choose_ticks(cairo_t *cr, plot *p) {
    const scree_page_view *v = &p->view;
    p->x.count = p->y.count = 0;
    if (p->empty) return;

    // as many numbers as stand side by side with some air
    int most = (int)fmin(fmax(v->box.width / 34, SCREE_TICKS_FEWEST), SCREE_TICKS_MOST);
    for (; most >= SCREE_TICKS_FEWEST; most--) {
        choose(v->x_low, v->x_high, v->x_log, most, &p->x);
        if (closest(&p->x) * v->box.width >= widest_label(cr, &p->x) + 8) break;
    }
    most = (int)fmin(fmax(v->box.height / 20, SCREE_TICKS_FEWEST), SCREE_TICKS_MOST);
    choose(v->y_low, v->y_high, v->y_log, most, &p->y);
}

// What the panel needs around its frame.
static margins needs(cairo_t *cr, plot *p) {
    const scree_panel *panel = p->panel;
    margins m = { .left = GAP, .right = GAP, .top = GAP, .bottom = GAP };
    if (p->y.count) m.left = TICK + GAP + widest_label(cr, &p->y);
    if (written(panel->y_label)) m.left += GAP + 1.3 * LABEL.size;

    if (p->x.count) m.bottom = TICK + GAP + NUMBER.size;
    if (written(panel->x_label) || written(p->x.note)) m.bottom += GAP + 1.3 * LABEL.size;

    if (p->x.count) {
        int last = p->x.count - 1;
        double beyond = 0.5 * scree_lettering_width(cr, NUMBER, p->x.label[last]) -
                        (1 - p->x.at[last]) * p->view.box.width;
        m.right = fmax(m.right, beyond);
    }

    // title and note share a line if they do not touch
    bool note = p->y.count && written(p->y.note);
    double title = scree_lettering_width(cr, PANEL, panel->title);
    double side = 0.5 * (p->view.box.width - title);
    p->raised =
        note && written(panel->title) && scree_lettering_width(cr, NUMBER, p->y.note) > side - 8;
    if (note || written(panel->title)) m.top = GAP + 1.4 * PANEL.size;
    if (p->raised) m.top += 1.3 * NUMBER.size;

    if (p->legend.place == SCREE_LEGEND_RIGHT) m.right = fmax(m.right, p->legend.box.width + 4);
    if (p->legend.place == SCREE_LEGEND_BELOW) m.bottom += p->legend.box.height;
    return m;
}

static double head(const sheet *s) {
    return EDGE + (written(s->figure->title) ? 1.6 * TITLE.size : 0);
}

static double foot(const sheet *s) {
    return EDGE + (written(s->figure->caption) ? 1.7 * CAPTION.size : 0);
}

// Frames from the margins in each plot's `around`.
static bool place_frames(sheet *s) {
    double width = s->width - 2 * EDGE - (s->columns - 1) * EDGE;
    double height = s->height - head(s) - foot(s) - (s->rows - 1) * EDGE;
    for (int c = 0; c < s->columns; c++)
        width -= s->plots[c].around.left + s->plots[c].around.right;
    for (int r = 0; r < s->rows; r++) {
        margins m = s->plots[r * s->columns].around;
        height -= m.top + m.bottom;
    }
    scree_page_box frame = { .width = width / s->columns, .height = height / s->rows };
    if (!(frame.width >= SMALLEST && frame.height >= SMALLEST)) return false;

    double y = head(s);
    for (int r = 0; r < s->rows; r++) {
        double x = EDGE;
        margins m = { 0, 0, 0, 0 };
        for (int c = 0; c < s->columns && r * s->columns + c < s->figure->panels; c++) {
            plot *p = &s->plots[r * s->columns + c];
            m = p->around;
            frame.left = x + m.left;
            frame.top = y + m.top;
            fit_view(p, frame);
            x += m.left + frame.width + m.right + EDGE;
        }
        y += m.top + frame.height + m.bottom + EDGE;
    }
    return true;
}

// Each column's and row's largest margins, told to all their plots.
static void share_margins(sheet *s) {
    for (int i = 0; i < s->figure->panels; i++) s->plots[i].around = needs(s->cr, &s->plots[i]);
    for (int i = 0; i < s->figure->panels; i++)
        for (int k = 0; k < s->figure->panels; k++) {
            margins *m = &s->plots[i].around, other = s->plots[k].around;
            if (i % s->columns == k % s->columns) {
                m->left = fmax(m->left, other.left);
                m->right = fmax(m->right, other.right);
            }
            if (i / s->columns == k / s->columns) {
                m->top = fmax(m->top, other.top);
                m->bottom = fmax(m->bottom, other.bottom);
            }
        }
}

static scree_status lay_out(sheet *s, scree_error *err) {
    bool memory = true;
    for (int i = 0; i < s->figure->panels; i++) s->plots[i].around = (margins){ 40, 8, 16, 32 };
    for (int pass = 0; pass < 4; pass++) {
        if (!place_frames(s))
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "a chart of %g x %g points is too small for %d x %d panels", s->width,
                              s->height, s->columns, s->rows);
        for (int i = 0; i < s->figure->panels && memory; i++) {
            plot *p = &s->plots[i];
            choose_ticks(s->cr, p);
            if (p->empty) continue;
            double below = p->view.box.width + p->around.left;
            if (pass == 0)
                memory = scree_legend_choose(s->cr, p->panel, &p->view, s->columns == 1, below,
                                             &p->legend);
            else if (pass == 3)
                memory = scree_legend_settle(s->cr, p->panel, &p->view, &p->legend);
        }
        if (!memory)
            return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "chart: no memory for a legend");
        if (pass < 3) share_margins(s);
    }
    return SCREE_OK;
}

// ---- drawing

static double right_of(scree_page_box box) { return box.left + box.width; }
static double bottom_of(scree_page_box box) { return box.top + box.height; }

static void vertical(cairo_t *cr, scree_page_box box, double x) {
    cairo_move_to(cr, x, box.top);
    cairo_line_to(cr, x, bottom_of(box));
}

static void horizontal(cairo_t *cr, scree_page_box box, double y) {
    cairo_move_to(cr, box.left, y);
    cairo_line_to(cr, right_of(box), y);
}

static void stroke(cairo_t *cr, const double rgb[3], double width) {
    ink(cr, rgb);
    cairo_set_line_width(cr, width);
    cairo_stroke(cr);
}

// What lies under the curves: grid, zero line, vertical marks.
static void draw_ground(cairo_t *cr, const plot *p, bool zero_line) {
    const scree_page_view *v = &p->view;
    scree_page_box box = v->box;
    for (int i = 0; i < p->x.count; i++) vertical(cr, box, box.left + p->x.at[i] * box.width);
    for (int i = 0; i < p->y.count; i++)
        horizontal(cr, box, box.top + (1 - p->y.at[i]) * box.height);
    stroke(cr, PALE, 0.5);
    if (p->empty) return;

    if (zero_line) {
        horizontal(cr, box, box.top + v->y_high / (v->y_high - v->y_low) * box.height);
        stroke(cr, GREY, 0.6);
    }

    double last = -INFINITY;
    for (int i = 0; i < p->panel->mark_count; i++) {
        if (v->x_log && !(p->panel->mark_at[i] > 0)) continue;
        double x = scree_curve_measure(p->panel->mark_at[i], v->x_log);
        if (!(x >= v->x_low && x <= v->x_high)) continue;
        double at = box.left + (x - v->x_low) / (v->x_high - v->x_low) * box.width;
        if (fabs(at - last) < 0.25) continue;
        vertical(cr, box, at);
        last = at;
    }
    static const double dots[] = { 0.8, 1.6 };
    cairo_set_dash(cr, dots, 2, 0);
    stroke(cr, GREY, 0.7);
    cairo_set_dash(cr, NULL, 0, 0);
}

// Solid lines below, dashed ones over them, stems and dots on top; stems that share their x stand
// side by side.
static bool draw_curves(cairo_t *cr, const plot *p) {
    const scree_panel *panel = p->panel;
    scree_raster raster = scree_curve_raster(p->view.box, 0.8);
    if (!raster.mark) return false;
    int stems = 0, stem = 0;
    for (int i = 0; i < panel->series_count; i++) stems += panel->series[i].mark == SCREE_STEMS;
    for (int layer = 0; layer < 3; layer++) {
        for (int i = 0; i < panel->series_count; i++) {
            scree_mark mark = panel->series[i].mark;
            int its_layer = mark == SCREE_DASHED                        ? 1
                            : mark == SCREE_STEMS || mark == SCREE_DOTS ? 2
                                                                        : 0;
            if (its_layer != layer) continue;
            double shift = mark == SCREE_STEMS ? 0.7 * (stem++ - 0.5 * (stems - 1)) : 0;
            scree_curve_draw(cr, &p->view, &panel->series[i], scree_curve_colour_of(panel, i),
                             shift, &raster);
        }
    }
    free(raster.mark);
    return true;
}

static void draw_frame(cairo_t *cr, const plot *p) {
    scree_page_box box = p->view.box;
    for (int i = 0; i < p->x.count; i++) {
        cairo_move_to(cr, box.left + p->x.at[i] * box.width, bottom_of(box));
        cairo_rel_line_to(cr, 0, TICK);
    }
    for (int i = 0; i < p->y.count; i++) {
        cairo_move_to(cr, box.left, box.top + (1 - p->y.at[i]) * box.height);
        cairo_rel_line_to(cr, -TICK, 0);
    }
    for (int i = 0; i < p->x.minor_count && p->x.count && box.width > 3 * p->x.minor_count; i++) {
        cairo_move_to(cr, box.left + p->x.minor[i] * box.width, bottom_of(box));
        cairo_rel_line_to(cr, 0, MINOR);
    }
    for (int i = 0; i < p->y.minor_count && p->y.count && box.height > 3 * p->y.minor_count; i++) {
        cairo_move_to(cr, box.left, box.top + (1 - p->y.minor[i]) * box.height);
        cairo_rel_line_to(cr, -MINOR, 0);
    }
    cairo_rectangle(cr, box.left, box.top, box.width, box.height);
    stroke(cr, INK, 0.6);
}

// Numbers along the axes; where even the fewest would touch, only every second or third.
static void draw_numbers(cairo_t *cr, const plot *p) {
    scree_page_box box = p->view.box;
    scree_lettering style = NUMBER;
    double wide = widest_label(cr, &p->x) + 2, apart_x = 0, apart_y = 0;
    if (p->x.count > 1) apart_x = closest(&p->x) * box.width;
    if (p->y.count > 1) apart_y = closest(&p->y) * box.height;
    int every_x = apart_x > 0 ? (int)ceil(wide / apart_x) : 1;
    int every_y = apart_y > 0 ? (int)ceil(1.1 * NUMBER.size / apart_y) : 1;
    style.align = 0.5;
    for (int i = 0; i < p->x.count; i += every_x)
        scree_lettering_draw(cr, style, p->x.label[i], box.left + p->x.at[i] * box.width,
                             bottom_of(box) + TICK + GAP + 0.73 * NUMBER.size);
    style.align = 1;
    for (int i = 0; i < p->y.count; i += every_y)
        scree_lettering_draw(cr, style, p->y.label[i], box.left - TICK - 2,
                             box.top + (1 - p->y.at[i]) * box.height + 0.36 * NUMBER.size);
}

static void draw_words(cairo_t *cr, const plot *p) {
    const scree_panel *panel = p->panel;
    scree_page_box box = p->view.box;
    double middle = box.left + 0.5 * box.width;

    // below: the label in the middle, the power of ten at the end
    double line = bottom_of(box) + GAP + LABEL.size;
    if (p->x.count) line += TICK + GAP + 0.8 * NUMBER.size;
    scree_lettering end = NUMBER;
    end.align = 1;
    double note = p->x.count ? scree_lettering_width(cr, end, p->x.note) : 0;
    if (p->x.count) scree_lettering_draw(cr, end, p->x.note, right_of(box), line);
    double at = middle, room = box.width + 0.5 * p->around.left;
    if (note > 0 && scree_lettering_width(cr, LABEL, panel->x_label) > box.width - 2 * note - 12) {
        room = box.width + p->around.left - note - 12;  // too long for the middle: left of the note
        at = right_of(box) - note - 12 - 0.5 * room;
    }
    scree_lettering style = scree_lettering_fit(cr, LABEL, panel->x_label, room);
    scree_lettering_draw(cr, style, panel->x_label, at, line);

    // left, upwards
    style = scree_lettering_fit(cr, LABEL, panel->y_label, box.height + p->around.top);
    cairo_save(cr);
    cairo_translate(cr, box.left - p->around.left + LABEL.size, box.top + 0.5 * box.height);
    cairo_rotate(cr, -1.5707963267948966);
    scree_lettering_draw(cr, style, panel->y_label, 0, 0);
    cairo_restore(cr);

    // above: the y axis' power of ten and the title
    if (p->y.count) scree_lettering_draw(cr, NUMBER, p->y.note, box.left, box.top - GAP - 1);
    style = scree_lettering_fit(cr, PANEL, panel->title, box.width + p->around.right);
    double lift = p->raised ? 1.3 * NUMBER.size : 0;
    scree_lettering_draw(cr, style, panel->title, middle, box.top - GAP - 2 - lift);
}

static void place_outside(plot *p) {
    scree_page_box frame = p->view.box, *box = &p->legend.box;
    if (p->legend.place == SCREE_LEGEND_RIGHT) {
        box->left = right_of(frame) + 4;
        box->top = frame.top - 2;
    } else if (p->legend.place == SCREE_LEGEND_BELOW) {
        box->left = frame.left + 0.5 * (frame.width - p->around.left - box->width);
        box->top = bottom_of(frame) + TICK + 2 * GAP + NUMBER.size;
        if (written(p->panel->x_label) || written(p->x.note)) box->top += 1.3 * LABEL.size;
    }
}

static scree_status draw_panel(cairo_t *cr, plot *p, scree_error *err) {
    bool stems = false;
    for (int i = 0; i < p->panel->series_count; i++)
        stems |= p->panel->series[i].mark == SCREE_STEMS;
    draw_ground(cr, p, stems || p->panel->zero_line);
    if (!p->empty && !draw_curves(cr, p))
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "chart: no memory for the curves");
    draw_frame(cr, p);
    ink(cr, INK);
    draw_numbers(cr, p);
    draw_words(cr, p);
    if (p->empty) {
        scree_page_box box = p->view.box;
        ink(cr, GREY);
        scree_lettering_draw(cr, PANEL, "no data", box.left + 0.5 * box.width,
                             box.top + 0.5 * box.height + 0.36 * PANEL.size);
        return SCREE_OK;
    }
    place_outside(p);
    scree_legend_draw(cr, p->panel, &p->legend);
    return SCREE_OK;
}

static scree_status draw_sheet(sheet *s, scree_error *err) {
    scree_status status = SCREE_OK;
    for (int i = 0; i < s->figure->panels && status == SCREE_OK; i++)
        status = draw_panel(s->cr, &s->plots[i], err);
    double room = s->width - 2 * EDGE;
    ink(s->cr, INK);
    scree_lettering style = scree_lettering_fit(s->cr, TITLE, s->figure->title, room);
    scree_lettering_draw(s->cr, style, s->figure->title, 0.5 * s->width, EDGE + TITLE.size);
    ink(s->cr, GREY);
    style = scree_lettering_fit(s->cr, CAPTION, s->figure->caption, room);
    scree_lettering_draw(s->cr, style, s->figure->caption, EDGE, s->height - EDGE + 1);
    return status;
}

// ---- the figure

static scree_status check(const scree_figure *f, scree_error *err) {
    const char *wrong = NULL;
    if (f->panels < 1 || !f->panel) wrong = "a chart needs at least one panel";
    if (f->panels > 1000) wrong = "a chart takes at most 1000 panels";
    double sizes[] = { f->width, f->height };
    for (int i = 0; i < 2; i++)
        if (!(sizes[i] >= 0 && sizes[i] <= LARGEST))
            wrong = "a chart's width and height must be between 0 (automatic) and 5000 points";
    for (int i = 0; i < f->panels && !wrong; i++) {
        const scree_panel *panel = &f->panel[i];
        if (panel->series_count < 0 || (panel->series_count > 0 && !panel->series) ||
            panel->mark_count < 0 || (panel->mark_count > 0 && !panel->mark_at))
            wrong = "a chart's panel counts series or marks that it does not have";
        bool is_log = panel->x_log || panel->y_log;
        if (is_log && (panel->zero_line || panel->equal_aspect))
            wrong = "a logarithmic axis has neither a zero line nor equal aspect";
        for (int k = 0; k < panel->series_count && !wrong; k++) {
            const scree_series *series = &panel->series[k];
            if (series->count < 0 || (series->count > 0 && (!series->x || !series->y)))
                wrong = "a chart's series counts points that it does not have";
            if (is_log && series->mark == SCREE_STEMS) wrong = "a logarithmic axis has no stems";
        }
    }
    return wrong ? scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "%s", wrong) : SCREE_OK;
}

static void choose_size(sheet *s) {
    const scree_figure *f = s->figure;
    int columns = f->columns > 0 ? f->columns : f->panels == 1 ? 1 : f->panels <= 4 ? 2 : 3;
    s->columns = columns < f->panels ? columns : f->panels;
    s->rows = (f->panels + s->columns - 1) / s->columns;

    double cell_width = s->columns == 1 ? 360 : s->columns == 2 ? 260 : 230;
    double cell_height = f->panels == 1 ? 230 : s->columns == 1 ? 160 : s->columns == 2 ? 180 : 165;
    s->width = f->width > 0 ? f->width : fmin(cell_width * s->columns, LARGEST);
    if (f->panels == 1 && f->panel->equal_aspect && !s->plots->empty) {
        // the height that a path of this shape asks for
        const scree_page_view *v = &s->plots->data;
        double shape = (v->y_high - v->y_low) / (v->x_high - v->x_low);
        cell_height = fmin(fmax(shape * (s->width - 70) + 60, 110), 1.2 * s->width);
    }
    double height = cell_height * s->rows + head(s) + foot(s) - 2 * EDGE;
    s->height = f->height > 0 ? f->height : fmin(height, LARGEST);
}

// height of all rows of legends between the panels
static double legends_below(const sheet *s) {
    double sum = 0;
    for (int r = 0; r < s->rows; r++) {
        double most = 0;
        for (int i = r * s->columns; i < (r + 1) * s->columns && i < s->figure->panels; i++)
            if (s->plots[i].legend.place == SCREE_LEGEND_BELOW)
                most = fmax(most, s->plots[i].legend.box.height);
        sum += most;
    }
    return sum;
}

static scree_status open_sheet(sheet *s, scree_canvas *canvas, scree_canvas_format format,
                               scree_error *err) {
    scree_status status = scree_canvas_open(canvas, format, s->width, s->height, err);
    s->cr = canvas->cr;
    return status ? status : lay_out(s, err);
}

static scree_status draw_figure(const scree_figure *figure, const char *file,
                                scree_canvas_format format, scree_error *err) {
    sheet s = { .figure = figure, .plots = calloc((size_t)figure->panels, sizeof *s.plots) };
    if (!s.plots)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "chart: %d panels", figure->panels);
    for (int i = 0; i < figure->panels; i++) {
        s.plots[i].panel = &figure->panel[i];
        measure_data(&s.plots[i]);
    }
    choose_size(&s);

    scree_canvas canvas = { 0 };
    scree_status status = open_sheet(&s, &canvas, format, err);
    double more = figure->height > 0 ? 0 : legends_below(&s);
    if (status == SCREE_OK && more > 0) {
        // a long legend makes the figure higher, not its curves smaller
        scree_canvas_close(&canvas);
        s.height = fmin(s.height + more, LARGEST);
        status = open_sheet(&s, &canvas, format, err);
    }
    if (status == SCREE_OK) status = draw_sheet(&s, err);
    if (status == SCREE_OK) status = scree_canvas_save(&canvas, file, err);
    scree_canvas_close(&canvas);
    free(s.plots);
    return status;
}

// with labels in the figure's units
scree_status scree_chart_draw(const scree_figure *figure, const char *file, scree_error *err) {
    scree_canvas_format format;
    scree_status status = check(figure, err);
    if (status == SCREE_OK) status = scree_canvas_format_of(file, &format, err);
    if (status != SCREE_OK) return status;
    scree_figure made = *figure;
    scree_panel *panel = calloc((size_t)figure->panels, sizeof *panel);
    scree_unit_label *label = calloc(2 * (size_t)figure->panels, sizeof *label);
    for (int i = 0; panel && label && i < figure->panels; i++) {
        const char *x = figure->panel[i].x_label, *y = figure->panel[i].y_label;
        panel[i] = figure->panel[i];
        if (x) label[2 * i] = scree_units_label(figure->units, x);
        if (y) label[2 * i + 1] = scree_units_label(figure->units, y);
        panel[i].x_label = x ? label[2 * i].text : NULL;
        panel[i].y_label = y ? label[2 * i + 1].text : NULL;
    }
    made.panel = panel;
    status = panel && label ? draw_figure(&made, file, format, err)
                            : scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "chart: %d panels",
                                         figure->panels);
    free(panel);
    free(label);
    return status;
}

void scree_chart_escape(const char *text, char *buffer, size_t size) {
    size_t used = 0;
    for (; *text; text++) {
        bool special = strchr("_^\\{}", *text) != NULL;
        if (used + special + 1 >= size) break;
        if (special) buffer[used++] = '\\';
        buffer[used++] = *text;
    }
    if (size > 0) buffer[used] = 0;
}
