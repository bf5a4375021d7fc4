// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// lettering.h - lines of text with subscripts and superscripts.

#ifndef SCREE_SHOW_LETTERING_H
#define SCREE_SHOW_LETTERING_H

#include <cairo.h>
#include <stdbool.h>

typedef struct scree_lettering {
    double size;   // points
    double align;  // 0: begins at x, 0.5: centred there, 1: ends there
    bool bold;
    bool verbatim;  // no markup
} scree_lettering;

/// Width of text in points.
double scree_lettering_width(cairo_t *cr, scree_lettering style, const char *text);

/// Draw text with its base line at y in cairo's present colour.
void scree_lettering_draw(cairo_t *cr, scree_lettering style, const char *text, double x, double y);

/// The style, made smaller if text needs more than room.
scree_lettering scree_lettering_fit(cairo_t *cr, scree_lettering style, const char *text,
                                    double room);

#endif
