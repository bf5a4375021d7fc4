// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// map.h - which of a few kinds holds at each point of a grid: coloured panels with legends.

#ifndef SCREE_SHOW_MAP_H
#define SCREE_SHOW_MAP_H

#include "scree/base.h"

/// Colours that are told apart with any eyes.
typedef enum show_map_colour {
    SHOW_MAP_PALE,
    SHOW_MAP_ORANGE,
    SHOW_MAP_RED,
    SHOW_MAP_BLUE,
    SHOW_MAP_GREEN,
    SHOW_MAP_PURPLE,
    SHOW_MAP_YELLOW,
    SHOW_MAP_DARK,
    SHOW_MAP_GREY,
} show_map_colour;

typedef struct show_map_kind {
    const char *label;  // its legend entry, with the markup of chart.h
    show_map_colour colour;
} show_map_kind;

/// One map; kinds that do not occur are left out of its legend.
typedef struct show_map_panel {
    const char *title;
    const show_map_kind *kind;  // (kinds)
    int kinds;
    const unsigned char *cell;  // the kind at each point, row after row, x running (rows x columns)
} show_map_panel;

/// Points lie evenly from low to high, ends included; each colours the cell around it.
typedef struct show_map {
    const char *title, *caption;  // as in scree_figure
    const char *x_label, *y_label;
    double x_low, x_high, y_low, y_high;
    int columns, rows;            // at least 2 each
    const show_map_panel *panel;  // (panels), two beside each other
    int panels;
} show_map;

/// Draw into file (.svg, .png or .pdf), which appears whole or not at all.
scree_status show_map_draw(const show_map *map, const char *file, scree_error *err);

#endif
