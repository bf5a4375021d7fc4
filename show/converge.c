// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// converge.c - errors of schemes over the step, on logarithmic axes.
// in: steps and errors.   out: a figure of two panels.

#include "show/converge.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "show/chart.h"

enum { BLACK = 6, BLACK_DASH_DOT = 13 };  // of the palette, see curve.c

static const double ABOVE = 2;      // how far over the largest error the slopes begin, a factor
static const double SHORT = 0.125;  // their length

typedef struct slopes {
    double h_low, h_high, low, high;  // of all errors
    double x[2][2], y[2][2];          // of the lines
} slopes;

typedef struct error_panel {
    scree_series series[2 * SHOW_ERRORS + 2];
    int count;
    char name[SHOW_ERRORS][100];
    slopes slopes;
} error_panel;

static void include(slopes *s, const double *h, const double *error, int count) {
    for (int i = 0; i < count; i++) {
        if (!(h[i] > 0 && error[i] > 0 && isfinite(error[i]))) continue;
        s->h_low = fmin(s->h_low, h[i]);
        s->h_high = fmax(s->h_high, h[i]);
        s->low = fmin(s->low, error[i]);
        s->high = fmax(s->high, error[i]);
    }
}

// over some octaves from the longest step on, not below the lowest error
static void add_slope(error_panel *p, int order) {
    slopes *s = &p->slopes;
    double *x = s->x[order - 1], *y = s->y[order - 1];
    if (!(s->h_low < s->h_high)) return;
    x[0] = s->h_high;
    y[0] = ABOVE * s->high;
    y[1] = fmax(y[0] * pow(fmax(s->h_low / s->h_high, SHORT), order), s->low);
    x[1] = s->h_high * pow(y[1] / y[0], 1.0 / order);
    p->series[p->count++] = (scree_series){
        order == 1 ? "order 1" : "order 2", x, y, 2, order == 1 ? SCREE_DASHED : SCREE_LINE,
        order == 1 ? BLACK : BLACK_DASH_DOT
    };
}

// a curve and a dot for each run
static void add_curve(error_panel *p, const show_errors *e, const double *error, int colour) {
    scree_chart_escape(e->scheme, p->name[colour], sizeof p->name[colour]);
    p->series[p->count++] =
        (scree_series){ p->name[colour], e->h, error, e->count, SCREE_LINE, colour };
    p->series[p->count++] = (scree_series){ NULL, e->h, error, e->count, SCREE_DOTS, colour };
    include(&p->slopes, e->h, error, e->count);
}

static scree_panel panel_of(error_panel *p, const char *title) {
    add_slope(p, 1);
    add_slope(p, 2);
    return (scree_panel){ .title = title,
                          .x_label = "step h [s]",
                          .y_label = "error",
                          .series = p->series,
                          .series_count = p->count,
                          .x_log = true,
                          .y_log = true };
}

enum { CURVES = 6 };  // as many as can be told apart: the shortest steps

typedef struct energy_panel {
    scree_series series[CURVES];
    char label[CURVES][40], title[140];
} energy_panel;

static scree_panel panel_of_energies(const show_energies *e, energy_panel *p) {
    int first = e->count > CURVES ? e->count - CURVES : 0;
    char scheme[100];
    scree_chart_escape(e->scheme, scheme, sizeof scheme);
    snprintf(p->title, sizeof p->title, "energy with %s", scheme);
    for (int i = first; i < e->count; i++) {
        snprintf(p->label[i - first], sizeof p->label[0], "h = %.4g", e->h[i]);
        p->series[i - first] = (scree_series){ p->label[i - first], e->time[i], e->energy[i],
                                               e->samples,          SCREE_LINE, i - first };
    }
    return (scree_panel){ .title = p->title,
                          .x_label = "time t [s]",
                          .y_label = "energy [J]",
                          .series = p->series,
                          .series_count = e->count - first };
}

scree_status show_convergence(const show_errors *errors, int schemes, const show_energies *energies,
                              bool at_end, scree_units units, const char *caption, const char *file,
                              scree_error *err) {
    assert(schemes <= SHOW_ERRORS);
    const slopes none = { .h_low = INFINITY, .low = INFINITY };
    error_panel position = { .slopes = none }, velocity = { .slopes = none };
    for (int i = 0; i < schemes; i++) {
        add_curve(&position, &errors[i], errors[i].position, i);
        add_curve(&velocity, &errors[i], errors[i].velocity, i);
    }
    energy_panel energy;
    const scree_panel panel[3] = {
        panel_of(&position, at_end ? "positions at the end" : "positions, largest error"),
        panel_of(&velocity, at_end ? "velocities at the end" : "velocities, mean error"),
        panel_of_energies(energies, &energy),
    };
    scree_figure figure = { .caption = caption,
                            .panel = panel,
                            .panels = energies->count ? 3 : 2,
                            .columns = energies->count ? 3 : 2,
                            .height = 240,
                            .width = energies->count ? 760 : 0,
                            .units = units };
    return scree_chart_draw(&figure, file, err);
}
