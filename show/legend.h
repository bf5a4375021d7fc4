// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// legend.h - which curve is which, where it hides the least.

#ifndef SCREE_SHOW_LEGEND_H
#define SCREE_SHOW_LEGEND_H

#include <cairo.h>

#include "show/curve.h"

typedef enum scree_legend_place {
    SCREE_LEGEND_NONE,
    SCREE_LEGEND_INSIDE,
    SCREE_LEGEND_RIGHT,  // outside
    SCREE_LEGEND_BELOW,  // outside
} scree_legend_place;

typedef struct scree_legend {
    scree_legend_place place;
    int columns, rows;
    double column;  // width of one
    scree_page_box box;
} scree_legend;

/// Decide on a place for the panel's legend over this view: inside where it covers (almost) no
/// data, else outside, below if not right; there it may be `below` points wide. false if memory
/// ran out.
bool scree_legend_choose(cairo_t *cr, const scree_panel *panel, const scree_page_view *view,
                         bool right_allowed, double below, scree_legend *legend);

/// Find the best spot for a legend that stays inside, after the view has changed.
bool scree_legend_settle(cairo_t *cr, const scree_panel *panel, const scree_page_view *view,
                         scree_legend *legend);

void scree_legend_draw(cairo_t *cr, const scree_panel *panel, const scree_legend *legend);

#endif
