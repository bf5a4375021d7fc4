// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// chart.h - from columns of numbers to a figure for a paper: panels in a grid, as SVG, PNG or PDF.
//
//     scree_series energy[] = {
//         { "kinetic", t, kinetic, steps, SCREE_LINE, -1 },
//         { "potential", t, potential, steps, SCREE_LINE, -1 },
//     };
//     scree_panel panel = { .x_label = "time t [s]", .y_label = "energy [J]",
//                           .series = energy, .series_count = 2 };
//     scree_figure figure = { .caption = "scenes/ball.yaml, Moreau", .panel = &panel, .panels = 1
//     }; status = scree_chart_draw(&figure, "energy.svg", &err);
//
// Titles and labels are UTF-8 with a tiny markup: "_" makes the next character or {group} a
// subscript, "^" a superscript, a backslash takes the next character as it is. Any text may be
// NULL. Names that come from outside ("ball_1") go through scree_chart_escape first.

#ifndef SCREE_SHOW_CHART_H
#define SCREE_SHOW_CHART_H

#include "scree/scene.h"

typedef enum scree_mark {
    SCREE_LINE,
    SCREE_DASHED,  // drawn over the solid lines, so that curves which coincide stay visible
    SCREE_STEPS,   // a value holds until the next point
    SCREE_STEMS,   // vertical bars from zero with a dot, for impulses
    SCREE_DOTS,
} scree_mark;

/// One curve. Points with a value that is not finite (or beyond 1e300) break the line.
typedef struct scree_series {
    const char *label;    // its legend entry; NULL or empty: none
    const double *x, *y;  // (count), borrowed
    int count;
    scree_mark mark;
    int colour;  // index in a colour-blind-safe palette of 7; -1: the next one in this panel
} scree_series;

/// One pair of axes. Without a single finite point it shows the words "no data".
typedef struct scree_panel {
    const char *title, *x_label, *y_label;
    const scree_series *series;  // (series_count), borrowed
    int series_count;
    const double *mark_at;  // thin vertical lines at these x, e.g. impact times (mark_count)
    int mark_count;
    bool equal_aspect;  // a metre is as long in x as in y
    bool zero_line;     // show y = 0, stretching the axis to it
    bool x_log, y_log;  // logarithmic; points that are not positive are left out, and there are no
                        // stems, no zero line and no equal aspect
} scree_panel;

typedef struct scree_figure {
    const char *title;
    const char *caption;  // small grey line at the bottom, without markup: scene, scheme, version
    const scree_panel *panel;  // (panels), row by row, borrowed
    int panels;
    int columns;           // of the grid; 0: from the number of panels
    double width, height;  // points (1/72 inch); 0: from the grid
    scree_units units;     // that units of SI in labels, "energy [J]", stand for
} scree_figure;

/// Draw figure into file, whose ending .svg, .png or .pdf names the format. The file appears whole
/// or not at all; the same figure gives the same bytes. Linear in the points; the size of the file
/// depends on the curve's look, not on the number of points.
scree_status scree_chart_draw(const scree_figure *figure, const char *file, scree_error *err);

/// Write text into buffer (size bytes, cut if it must) so that no character of it acts as markup.
void scree_chart_escape(const char *text, char *buffer, size_t size);

#endif
