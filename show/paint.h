// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// paint.h - coloured cells, arrows and scales on a page that shows a piece of space.

#ifndef SCREE_SHOW_PAINT_H
#define SCREE_SHOW_PAINT_H

#include <cairo.h>
#include <stddef.h>

#include "scree/scene.h"

enum { SHOW_CELL_CORNERS = 8 };

typedef struct show_page {
    double left, bottom;  // of the lowest point, points
    double low[2];        // what is there
    double scale;         // points for a metre
} show_page;

typedef struct show_cell {  // a triangle or quadrilateral
    int corners;
    double x[SHOW_CELL_CORNERS][3];  // counter-clockwise, in space seen from outside
    double value;
    bool rigid;  // grey, whatever its value
} show_cell;

/// The place in the plane of the page: x and y, or in space isometrically from the right, the front
/// and above.
void show_paint_project(int space, const double x[3], double at[2]);

/// Fill the cells, coloured by their value between range[0] and range[1]. In space those that face
/// away are left out, and those in front come last. The cells are sorted.
void show_paint_cells(cairo_t *cr, const show_page *page, int space, show_cell *cell, size_t count,
                      const double range[2]);

/// A ball of a rigid body; a projection along parallels makes it a circle.
void show_paint_ball(cairo_t *cr, const show_page *page, int space, const double centre[3],
                     double radius);

/// Add a line to the path.
void show_paint_line(cairo_t *cr, const show_page *page, int space, const double from[3],
                     const double to[3]);

void show_paint_arrow(cairo_t *cr, const show_page *page, int space, const double tail[3],
                      const double tip[3]);

/// An arrow between two places of the page [points], wider by so much.
void show_paint_stroke(cairo_t *cr, const double tail[2], const double tip[2], const double rgb[3],
                       double wider);

/// The colour of a share from 0 (dark) to 1 (bright).
void show_paint_colour(double share, double rgb[3]);

/// A bar of colours with numbers, its upper left corner at (left, top).
void show_paint_bar(cairo_t *cr, double left, double top, double height, const double range[2],
                    const char *unit);

/// How long `length` metres are, and, if there are forces, an arrow of the largest one, which is
/// `reach` metres long on the page.
void show_paint_lengths(cairo_t *cr, const show_page *page, double left, double y, double length,
                        double force, double reach, scree_units units);

#endif
