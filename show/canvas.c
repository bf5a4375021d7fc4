// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// canvas.c - a white page that becomes an SVG, PNG or PDF file.
// in: cairo drawing.   out: a whole file, or none and an error.   work: the encoded bytes, in
// memory. The bytes depend on the drawing only: no date, no counters of the process.

#include "show/canvas.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/file.h"

static const double pixels_per_point = 2.5;  // of PNG: 180 to the inch

static scree_source_location at_file(const char *file) {
    return (scree_source_location){ file, 0, 0 };
}

scree_status scree_canvas_format_of(const char *file, scree_canvas_format *format,
                                    scree_error *err) {
    const char *endings[] = { [SCREE_SVG] = ".svg", [SCREE_PNG] = ".png", [SCREE_PDF] = ".pdf" };
    size_t length = strlen(file);
    for (int i = SCREE_SVG; i <= SCREE_PDF; i++) {
        bool same = length >= 4;
        for (size_t k = 0; same && k < 4; k++)
            same = tolower((unsigned char)file[length - 4 + k]) == endings[i][k];
        if (!same) continue;
        *format = (scree_canvas_format)i;
        return SCREE_OK;
    }
    return scree_fail(err, SCREE_BAD_INPUT, at_file(file),
                      "a chart's file name must end in .svg, .png or .pdf");
}

static cairo_status_t append(void *closure, const unsigned char *data, unsigned length) {
    scree_canvas *canvas = closure;
    if (canvas->capacity - canvas->size < length) {
        size_t capacity = 2 * canvas->capacity + length + 4096;
        char *bytes = realloc(canvas->bytes, capacity);
        if (!bytes) return CAIRO_STATUS_NO_MEMORY;
        canvas->bytes = bytes;
        canvas->capacity = capacity;
    }
    memcpy(canvas->bytes + canvas->size, data, length);
    canvas->size += length;
    return CAIRO_STATUS_SUCCESS;
}

static scree_status cairo_failed(cairo_status_t status, scree_error *err) {
    if (status == CAIRO_STATUS_NO_MEMORY)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "chart: no memory for the drawing");
    return scree_fail(err, SCREE_FILE_ERROR, SCREE_NOWHERE, "chart: cairo cannot draw it: %s",
                      cairo_status_to_string(status));
}

scree_status scree_canvas_open(scree_canvas *canvas, scree_canvas_format format, double width,
                               double height, scree_error *err) {
    canvas->format = format;
    if (format == SCREE_SVG) {
        canvas->surface = cairo_svg_surface_create_for_stream(append, canvas, width, height);
    } else if (format == SCREE_PDF) {
        canvas->surface = cairo_pdf_surface_create_for_stream(append, canvas, width, height);
        cairo_pdf_surface_set_metadata(canvas->surface, CAIRO_PDF_METADATA_CREATE_DATE, "");
        cairo_pdf_surface_set_metadata(canvas->surface, CAIRO_PDF_METADATA_CREATOR, "scree");
    } else {
        canvas->surface =
            cairo_image_surface_create(CAIRO_FORMAT_RGB24, (int)ceil(width * pixels_per_point),
                                       (int)ceil(height * pixels_per_point));
    }
    canvas->cr = cairo_create(canvas->surface);
    if (format == SCREE_PNG) cairo_scale(canvas->cr, pixels_per_point, pixels_per_point);

    // no hinting: the three formats have the same lay-out
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(canvas->cr, options);
    cairo_font_options_destroy(options);

    cairo_set_source_rgb(canvas->cr, 1, 1, 1);
    cairo_paint(canvas->cr);
    cairo_status_t status = cairo_status(canvas->cr);
    return status ? cairo_failed(status, err) : SCREE_OK;
}

// cairo numbers its surfaces through the life of the process: call ours surface1.
static void renumber_surfaces(scree_canvas *canvas) {
    static const char name[] = "id=\"surface";
    size_t length = sizeof name - 1, out = 0;
    for (size_t in = 0; in < canvas->size;) {
        bool found = canvas->size - in > length && memcmp(canvas->bytes + in, name, length) == 0;
        canvas->bytes[out++] = canvas->bytes[in++];
        if (!found) continue;
        memmove(canvas->bytes + out, canvas->bytes + in, length - 1);
        out += length - 1;
        in += length - 1;
        if (in < canvas->size && isdigit((unsigned char)canvas->bytes[in])) {
            canvas->bytes[out++] = '1';
            while (in < canvas->size && isdigit((unsigned char)canvas->bytes[in])) in++;
        }
    }
    canvas->size = out;
}

scree_status scree_canvas_save(scree_canvas *canvas, const char *file, scree_error *err) {
    cairo_status_t status = cairo_status(canvas->cr);
    if (!status && canvas->format == SCREE_PNG) {
        cairo_surface_flush(canvas->surface);
        status = cairo_surface_write_to_png_stream(canvas->surface, append, canvas);
    }
    cairo_surface_finish(canvas->surface);
    if (!status) status = cairo_surface_status(canvas->surface);
    if (status) return cairo_failed(status, err);
    if (canvas->format == SCREE_SVG) renumber_surfaces(canvas);

    return show_file_save(file, canvas->bytes, canvas->size, err);
}

void scree_canvas_close(scree_canvas *canvas) {
    if (canvas->cr) cairo_destroy(canvas->cr);
    if (canvas->surface) cairo_surface_destroy(canvas->surface);
    free(canvas->bytes);
    memset(canvas, 0, sizeof *canvas);
}
