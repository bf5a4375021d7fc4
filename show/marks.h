// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// marks.h - what is drawn over bodies: forces, the line of thrust, joints, velocities, numbers.

#ifndef SCREE_SHOW_MARKS_H
#define SCREE_SHOW_MARKS_H

#include <cairo.h>

#include "show/stage.h"

static const double SHOW_BAND = 4.5;    // width of the largest force; points
static const double SHOW_ARROW = 0.12;  // of the picture: the highest speed
static const double SHOW_INK[] = { 0.15, 0.15, 0.15 }, SHOW_STICK[] = { 0.10, 0.36, 0.70 },
                    SHOW_SLIP[] = { 0.85, 0.33, 0.10 };

typedef struct show_place {  // the picture that is being drawn
    cairo_t *cr;
    const show_stage *stage;
    const show_frame *frame;
    double left, top, width, height;  // on the page; points
    double scale;                     // points for a metre
    show_raster raster;               // of bodies in space; what hides numbers
} show_place;

void show_place_project(const show_place *place, const double x[3], double at[2]);

/// All of them that the options want.
void show_draw_marks(const show_place *place);

#endif
