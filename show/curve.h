// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// curve.h - a series of points as lines, stems or dots inside a frame.

#ifndef SCREE_SHOW_CURVE_H
#define SCREE_SHOW_CURVE_H

#include <cairo.h>

#include "show/chart.h"

typedef struct scree_page_box {  // points; y grows downwards
    double left, top, width, height;
} scree_page_box;

typedef struct scree_page_view {  // which values a frame shows
    scree_page_box box;
    double x_low, x_high, y_low, y_high;  // of a logarithmic axis: decimal logarithms
    bool x_log, y_log;
} scree_page_view;

/// Squares over a box that remember what was drawn through them.
typedef struct scree_raster {
    double left, top, cell;
    int columns, rows;
    unsigned char *mark;  // owned (rows x columns)
} scree_raster;

/// At most about a million cells of at least this size; mark is NULL if memory ran out.
scree_raster scree_curve_raster(scree_page_box box, double cell);

/// Whether the point can be drawn on the axes of the view.
bool scree_curve_usable(const scree_page_view *view, double x, double y);

/// What counts along an axis: the value or its logarithm.
double scree_curve_measure(double value, bool is_log);

/// The colour that a series of the panel gets: its own, or the one after its predecessor's.
int scree_curve_colour_of(const scree_panel *panel, int series);

void scree_curve_colour(cairo_t *cr, int colour);

/// Draw the series. raster is scratch over the view's box; shift (points) moves stems aside.
void scree_curve_draw(cairo_t *cr, const scree_page_view *view, const scree_series *series,
                      int colour, double shift, scree_raster *raster);

/// Mark the cells that the series would pass.
void scree_curve_cover(const scree_page_view *view, const scree_series *series,
                       scree_raster *raster);

/// The piece beside a legend's text, width points from x, at height y.
void scree_curve_sample(cairo_t *cr, scree_mark mark, int colour, double x, double y, double width);

#endif
