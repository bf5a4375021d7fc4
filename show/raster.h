// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// raster.h - balls and polygons in space as a shaded picture, hidden parts by a depth buffer.
//
// The camera looks along -eye without perspective: lengths can be measured in the picture.

#ifndef SCREE_SHOW_RASTER_H
#define SCREE_SHOW_RASTER_H

#include <cairo.h>
#include <stdbool.h>

typedef struct show_camera {
    double right[3], up[3], eye[3];  // of unit length; eye: towards the one who looks
} show_camera;

/// azimuth: from the first axis towards the second about `up`, elevation: above the horizon; where
/// the eye is, in degrees.
show_camera show_camera_at(const double up[3], double azimuth, double elevation);

/// Place in the picture, and how near to the eye.
void show_camera_project(const show_camera *camera, const double x[3], double at[3]);

typedef struct show_raster {  // begin zeroed, close when done
    show_camera camera;
    double low[2], scale;  // of the lower left corner; pixels for a metre
    int width, height;
    float *depth;        // owned
    unsigned char *rgb;  // owned
} show_raster;

/// low and high: what the picture shows, by the camera; finer: pixels for a point of the page.
bool show_raster_open(show_raster *raster, const show_camera *camera, const double low[2],
                      const double high[2], double points, double finer);
void show_raster_close(show_raster *raster);

void show_raster_ball(show_raster *raster, const double x[3], double radius, const double rgb[3]);

/// A convex polygon (count x 3), counter-clockwise seen from outside; left out if it faces away.
void show_raster_polygon(show_raster *raster, int count, const double *x, const double rgb[3],
                         bool edges);

/// Is there something nearer to the eye than a place, by more than reach? Not where nothing is
/// drawn.
bool show_raster_hides(const show_raster *raster, const double x[3], double reach);

/// Paint it with its upper left corner at (left, top), `points` wide.
cairo_status_t show_raster_paint(const show_raster *raster, cairo_t *cr, double left, double top,
                                 double points);

#endif
