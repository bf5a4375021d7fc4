// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sketch.c - a figure of several runs: which curve gets which panel, line, colour and words.
// in: curves by pane, quantity and run.   out: a chart.
//
//     one run          a colour for each quantity
//     two or three     the same colours; solid, dashed, dots
//     more             a colour for each run, a panel for each quantity

#include "show/sketch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STYLES = SKETCH_STYLES,
    DOTS = 45,      // of a third run along a curve
    CROWD = 200,    // stems that stand too close to be told apart
    CAPTIONED = 3,  // runs described in the caption
};

// ---- runs

static scree_status rebuild(show_run *run, scree_error *err) {
    const scree_run_reader *reader = run->reader;
    scree_findings findings = { 0 };
    scree_status status = SCREE_OK;
    run->simulation = scree_run_simulation(reader, &findings);
    scree_source_location at = { reader->path, 0, 0 };
    if (!run->simulation)
        status = scree_fail(err, SCREE_BAD_INPUT, at, "the scene inside cannot be used: %s",
                            findings.count ? findings.item[0].text : "out of memory");
    scree_findings_free(&findings);
    if (status) return status;
    run->model = scree_simulation_model(run->simulation);
    run->options = scree_simulation_options(run->simulation);
    if (run->model->dofs != reader->dofs || run->model->dimension != reader->dimension)
        return scree_fail(err, SCREE_BAD_INPUT, at, "the scene inside does not fit the states");
    if (run->model->system.coordinates && !run->model->system.mass) return SCREE_OK;
    // to look at stored states any scheme of the stepper will do
    scree_scheme_options scheme = run->options->scheme;
    if (!scree_scheme_row_of(&scheme)->steps) scheme.name = SCREE_MOREAU_JEAN;
    return scree_stepper_new(run->model, &scheme, &run->options->solver, &run->stepper, err);
}

scree_units show_run_units(const show_run *run) {
    return scree_scene_units(scree_simulation_scene(run->simulation));
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const char *scheme_of(const show_run *run) {
    return scree_simulation_integration(run->simulation).method;
}

// the scheme, and what else it takes to tell this run from the others
static void label_run(show_sketch *s, int r) {
    const scree_scheme_options *own = &s->run[r].options->scheme;
    const char *name = scheme_of(&s->run[r]);
    char *label = s->run[r].label;
    bool by_file = false, by_path = false;
    snprintf(label, SKETCH_NAME, "%s", name);
    for (int k = 0; k < s->runs; k++) {
        const scree_scheme_options *other = &s->run[k].options->scheme;
        if (k == r || strcmp(scheme_of(&s->run[k]), name) != 0) continue;
        if (other->theta != own->theta) {
            snprintf(label, SKETCH_NAME, "%s, θ = %g", name, own->theta);
        } else if (other->step != own->step) {
            snprintf(label, SKETCH_NAME, "%s, h = %g", name, own->step);
        } else {
            by_file = true;
            const char *file = base_name(s->run[k].reader->path);
            if (strcmp(file, base_name(s->run[r].reader->path)) == 0) by_path = true;
        }
    }
    const char *file = s->run[r].reader->path;
    if (by_file) scree_chart_escape(by_path ? file : base_name(file), label, SKETCH_NAME);
}

scree_status show_sketch_runs(show_sketch *s, scree_run_reader *const *run,
                              const char *const *label, int runs, scree_error *err) {
    s->run = calloc((size_t)runs, sizeof *s->run);
    if (!s->run) return scree_fail_memory(err, "a figure");
    s->runs = runs;
    for (int r = 0; r < runs; r++) {
        s->run[r].reader = run[r];
        scree_status status = rebuild(&s->run[r], err);
        if (status) return status;
    }
    for (int r = 0; r < runs; r++)
        if (label && label[r] && label[r][0])
            scree_chart_escape(label[r], s->run[r].label, sizeof s->run[r].label);
        else
            label_run(s, r);
    return SCREE_OK;
}

void show_sketch_free(show_sketch *s) {
    for (int r = 0; r < s->runs; r++) {
        scree_stepper_free(s->run[r].stepper);
        scree_simulation_free(s->run[r].simulation);
    }
    for (int c = 0; c < s->curves; c++) show_points_free(&s->curve[c].points);
    free(s->run);
    free(s->curve);
    *s = (show_sketch){ 0 };
}

// ---- panes and curves

int show_sketch_pane(show_sketch *s, show_pane pane) {
    s->pane[s->panes] = pane;
    return s->panes++;
}

scree_status show_sketch_curve(show_sketch *s, const show_curve *curve, scree_error *err) {
    if (s->curves == s->room) {
        int room = s->room ? 2 * s->room : 16;
        show_curve *more = realloc(s->curve, (size_t)room * sizeof *more);
        if (!more) {
            show_points points = curve->points;
            show_points_free(&points);
            return scree_fail_memory(err, "a figure");
        }
        s->curve = more;
        s->room = room;
    }
    s->curve[s->curves++] = *curve;
    return SCREE_OK;
}

// nothing happens in this pane
static bool dull(const show_sketch *s, int pane) {
    show_dull rule = s->pane[pane].dull;
    for (int c = 0; c < s->curves; c++) {
        const show_points *p = &s->curve[c].points;
        if (s->curve[c].pane != pane || !p->count) continue;
        if (rule == SHOW_KEEP || p->low != p->high) return false;
        if (rule == SHOW_DROP_ZERO && p->low != 0) return false;
    }
    return rule != SHOW_KEEP;
}

static bool same_quantity(const show_curve *a, const show_curve *b) {
    return a->pane == b->pane && a->colour == b->colour;
}

static bool is_zero(const show_points *points) { return points->low == 0 && points->high == 0; }

// take out quantities that are zero in all runs, where a pane has others
static void drop_zeros(show_sketch *s) {
    int kept = 0;
    bool *lively = calloc((size_t)s->curves + 1, sizeof *lively);
    for (int c = 0; c < s->curves && lively; c++) {
        bool own = false, pane = false;
        for (int k = 0; k < s->curves; k++) {
            bool moves = !is_zero(&s->curve[k].points);
            own |= moves && same_quantity(&s->curve[k], &s->curve[c]);
            pane |= moves && s->curve[k].pane == s->curve[c].pane;
        }
        lively[c] = own || !pane;
    }
    for (int c = 0; c < s->curves && lively; c++)
        if (lively[c])
            s->curve[kept++] = s->curve[c];
        else
            show_points_free(&s->curve[c].points);
    if (lively) s->curves = kept;
    free(lively);
}

// stems that would run into each other, or have no length at all, become lines
static void soften_stems(show_sketch *s) {
    bool crowded = false;
    for (int c = 0; c < s->curves; c++) {
        const show_points *p = &s->curve[c].points;
        int stems = 0;
        for (int i = 0; i < p->count; i++) stems += p->y[i] != 0;
        crowded |= s->curve[c].mark == SCREE_STEMS && stems > CROWD;
    }
    for (int c = 0; c < s->curves; c++) {
        show_curve *curve = &s->curve[c];
        if (curve->mark != SCREE_STEMS || !(crowded || is_zero(&curve->points))) continue;
        curve->mark = SCREE_LINE;
        curve->by_run = false;
    }
}

// ---- panels

typedef struct sheet {   // what the chart borrows
    scree_panel *panel;  // owned (panels)
    int panels;
    scree_series *series;            // owned (curves), panel after panel
    char (*label)[2 * SKETCH_NAME];  // owned (curves), as series
    char title[4 * SKETCH_NAME], caption[4 * SKETCH_NAME];
} sheet;

static void append(char *text, size_t size, const char *more) {
    size_t length = strlen(text);
    if (length < size) snprintf(text + length, size - length, "%s", more);
}

static void give_label(const show_sketch *s, const show_curve *curve, bool split, char *label,
                       size_t size) {
    bool told = s->runs > 1 && (split || curve->by_run || !s->styles_in_title) && !curve->plain;
    bool named = curve->name[0] && (curve->plain || !split);
    char number[16];
    label[0] = '\0';
    if (!told && !curve->plain && curve->run > 0) return;  // the first run's entry stands for all
    if (named) append(label, size, curve->name);
    if (named && told) append(label, size, ", ");
    snprintf(number, sizeof number, "%d", curve->run + 1);
    if (told) append(label, size, s->styles_in_title && !split ? number : s->run[curve->run].label);
}

static scree_series give_line(const show_sketch *s, show_curve *curve, bool split) {
    scree_mark mark = curve->mark;
    int colour = curve->by_run ? curve->colour * s->runs + curve->run : curve->colour;
    if (split) colour = curve->run;
    bool by_style = mark == SCREE_LINE && !split && !curve->by_run;
    if (by_style && curve->run == 1) mark = SCREE_DASHED;
    if (by_style && curve->run == 2) {
        mark = SCREE_DOTS;
        show_points_thin(&curve->points, DOTS);
    }
    return (scree_series){ .x = curve->points.x,
                           .y = curve->points.y,
                           .count = curve->points.count,
                           .mark = mark,
                           .colour = colour };
}

// a panel with the curves of this pane, or only those of one quantity
static void add_panel(show_sketch *s, sheet *out, int pane, const show_curve *only) {
    const show_pane *p = &s->pane[pane];
    int first = 0;
    for (int i = 0; i < out->panels; i++) first += out->panel[i].series_count;
    int count = 0;
    for (int c = 0; c < s->curves; c++) {
        show_curve *curve = &s->curve[c];
        if (curve->pane != pane) continue;
        if (only && !same_quantity(curve, only)) continue;
        scree_series *series = &out->series[first + count];
        char *label = out->label[first + count++];
        give_label(s, curve, only != NULL, label, sizeof *out->label);
        *series = give_line(s, curve, only != NULL);
        series->label = label;
    }
    out->panel[out->panels++] = (scree_panel){
        .title = only && only->name[0] ? only->name : p->title,
        .x_label = p->x_label ? p->x_label : "time [s]",
        .y_label = p->y_label,
        .series = out->series + first,
        .series_count = count,
        .equal_aspect = p->equal_aspect,
        .zero_line = p->zero_line,
    };
}

static bool first_of_its_kind(const show_sketch *s, int c) {
    for (int k = 0; k < c; k++)
        if (same_quantity(&s->curve[k], &s->curve[c])) return false;
    return true;
}

static bool same_legend(const scree_panel *a, const scree_panel *b) {
    bool same = a->series_count == b->series_count;
    for (int k = 0; k < a->series_count && same; k++)
        same = a->series[k].colour == b->series[k].colour && a->series[k].label &&
               b->series[k].label && strcmp(a->series[k].label, b->series[k].label) == 0;
    return same;
}

// a legend that stands in a panel before is left out
static void hush(sheet *out) {
    for (int i = out->panels - 1; i > 0; i--) {
        bool repeated = false;
        for (int k = 0; k < i; k++) repeated |= same_legend(&out->panel[k], &out->panel[i]);
        scree_series *series = &out->series[out->panel[i].series - out->series];
        for (int k = 0; k < out->panel[i].series_count && repeated; k++) series[k].label = NULL;
    }
}

// panes -> panels; the names of those left out go into the title
static void arrange(show_sketch *s, sheet *out) {
    bool split = s->runs > STYLES, any = false;
    const char *gone[SKETCH_PANES];
    int dropped = 0;
    bool zero = false;
    for (int p = 0; p < s->panes; p++) any |= !dull(s, p);
    for (int p = 0; p < s->panes; p++) {
        int curves = 0;
        for (int c = 0; c < s->curves; c++) curves += s->curve[c].pane == p;
        if (any && !s->whole && dull(s, p)) {
            if (curves) gone[dropped++] = s->pane[p].name;
            zero = s->pane[p].dull == SHOW_DROP_ZERO;
            continue;
        }
        if (!split || !curves) add_panel(s, out, p, NULL);
        for (int c = 0; c < s->curves && split; c++)
            if (s->curve[c].pane == p && first_of_its_kind(s, c))
                add_panel(s, out, p, &s->curve[c]);
    }
    hush(out);
    for (int i = 0; i < dropped; i++) {
        append(out->title, sizeof out->title, i ? ", " : " (");
        append(out->title, sizeof out->title, gone[i]);
    }
    if (dropped) append(out->title, sizeof out->title, zero ? " = 0)" : " constant)");
}

// ---- words

static void tell_styles(const show_sketch *s, sheet *out) {
    static const char *const style[STYLES] = { "1 (solid): ", "2 (dashed): ", "3 (dots): " };
    for (int r = 0; r < s->runs && s->runs <= STYLES; r++) {
        append(out->title, sizeof out->title, r ? ", " : " – ");
        append(out->title, sizeof out->title, style[r]);
        append(out->title, sizeof out->title, s->run[r].label);
    }
}

// scene, schemes and version: "ball: moreau-jean, θ = 0.5, h = 0.001 s; scree 0.1.0"
static void write_caption(const show_sketch *s, sheet *out) {
    char text[SKETCH_NAME], *caption = out->caption;
    size_t size = sizeof out->caption;
    for (int r = 0; r < s->runs && r < CAPTIONED; r++) {
        const scree_run_reader *reader = s->run[r].reader;
        const scree_scheme_options *scheme = &s->run[r].options->scheme;
        const char *title = reader->title[0] ? reader->title : base_name(reader->scene_file);
        if (r) append(caption, size, "; ");
        if (!r || strcmp(reader->title, s->run[r - 1].reader->title) != 0) {
            snprintf(text, sizeof text, "%s: ", title);
            append(caption, size, text);
        }
        append(caption, size, scheme_of(&s->run[r]));
        if (scree_simulation_integration(s->run[r].simulation).energies) {
            snprintf(text, sizeof text, ", θ = %g", scheme->theta);
            append(caption, size, text);
        }
        snprintf(text, sizeof text, ", h = %g %s", scheme->step,
                 scree_units_name(show_run_units(&s->run[r]), "s").text);
        append(caption, size, text);
    }
    if (s->runs > CAPTIONED) {
        snprintf(text, sizeof text, "; and %d more", s->runs - CAPTIONED);
        append(caption, size, text);
    }
    for (int r = 0; r < s->runs; r++) {
        const char *version = s->run[r].reader->version;
        bool told = false;
        for (int k = 0; k < r; k++) told |= strcmp(version, s->run[k].reader->version) == 0;
        if (told) continue;
        snprintf(text, sizeof text, r ? ", %s" : "; scree %s", version);
        append(caption, size, text);
    }
}

// height over width of what a panel shows
static double shape_of(const scree_panel *panel) {
    double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
    for (int k = 0; k < panel->series_count; k++)
        for (int i = 0; i < panel->series[k].count; i++)
            for (int axis = 0; axis < 2; axis++) {
                double value = axis ? panel->series[k].y[i] : panel->series[k].x[i];
                low[axis] = fmin(low[axis], value);
                high[axis] = fmax(high[axis], value);
            }
    double shape = (high[1] - low[1]) / (high[0] - low[0]);
    return isfinite(shape) ? shape : 1;
}

// height of panels below each other with a long legend between them; 0: as usual
static double room_for_legend(const sheet *out) {
    int entries = 0;
    const scree_panel *panel = &out->panel[0];
    for (int k = 0; k < panel->series_count; k++) entries += panel->series[k].label[0] != '\0';
    if (entries < (panel->equal_aspect ? 3 : 7)) return 0;
    double frame = panel->equal_aspect ? fmin(fmax(300 * shape_of(panel), 60), 400) : 130;
    return frame * out->panels + 70 + 11 * entries;  // points
}

scree_status show_sketch_draw(show_sketch *s, const char *file, scree_error *err) {
    sheet out = { 0 };
    size_t most = (size_t)(s->curves + s->panes + 1);
    out.panel = calloc(most, sizeof *out.panel);
    out.series = calloc(most, sizeof *out.series);
    out.label = calloc(most, sizeof *out.label);
    scree_status status =
        out.panel && out.series && out.label ? SCREE_OK : scree_fail_memory(err, "a figure");
    if (s->whole) drop_zeros(s);
    soften_stems(s);
    if (!status) {
        append(out.title, sizeof out.title, s->title);
        arrange(s, &out);
        if (s->styles_in_title && s->runs > 1) tell_styles(s, &out);
        write_caption(s, &out);
        int columns = out.panels == 1 ? 1 : s->runs > STYLES ? 0 : s->columns;
        scree_figure figure = { .title = out.title,
                                .units = show_run_units(&s->run[0]),
                                .caption = out.caption,
                                .panel = out.panel,
                                .panels = out.panels,
                                .columns = columns,
                                .height = columns == 1 ? room_for_legend(&out) : 0 };
        status = scree_chart_draw(&figure, file, err);
    }
    free(out.panel);
    free(out.series);
    free(out.label);
    return status;
}
