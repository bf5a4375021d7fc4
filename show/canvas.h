// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// canvas.h - a white page that becomes an SVG, PNG or PDF file.

#ifndef SCREE_SHOW_CANVAS_H
#define SCREE_SHOW_CANVAS_H

#include <cairo.h>

#include "scree/base.h"

typedef enum scree_canvas_format { SCREE_SVG, SCREE_PNG, SCREE_PDF } scree_canvas_format;

typedef struct scree_canvas {
    cairo_t *cr;               // owned; draws in points
    cairo_surface_t *surface;  // owned
    scree_canvas_format format;
    char *bytes;  // the file to be, owned (capacity)
    size_t size, capacity;
} scree_canvas;

/// Tell the format from the file's ending.
scree_status scree_canvas_format_of(const char *file, scree_canvas_format *format,
                                    scree_error *err);

/// Begin with a zeroed canvas; close it whatever happens.
scree_status scree_canvas_open(scree_canvas *canvas, scree_canvas_format format, double width,
                               double height, scree_error *err);

/// End the drawing and write it to file: beside it first, then renamed, so that it appears whole.
scree_status scree_canvas_save(scree_canvas *canvas, const char *file, scree_error *err);

void scree_canvas_close(scree_canvas *canvas);

#endif
