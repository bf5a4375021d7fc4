// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// stage.h - what pictures of bodies share: states, outlines, camera, colours, how much is seen.

#ifndef SCREE_SHOW_STAGE_H
#define SCREE_SHOW_STAGE_H

#include "scree/fem.h"
#include "scree/geometry.h"
#include "show/bodies.h"
#include "show/frame.h"
#include "show/raster.h"

typedef struct show_stage {  // begin zeroed, free when done
    const scree_model *model;
    scree_units units;
    double h;  // step
    const show_bodies_options *options;
    show_frame *frame;  // borrowed (pictures)
    int pictures;
    show_camera camera;
    scree_geometry *geometry;  // owned
    double low[2], high[2];    // what is seen, by the camera
    int outside;               // bodies that are not, in the last picture
    double range[2];           // of the quantity that colours show; low > high: none does
    double force, speed;       // the largest
    double band;               // force of the widest band
} show_stage;

/// Choose what is seen of all frames, and what colours mean. Frames without states show nothing.
scree_status show_stage_set(show_stage *stage, scree_error *err);
void show_stage_free(show_stage *stage);

/// Colour of a layer of a deposit.
void show_stage_layer_colour(int layer, double rgb[3]);

/// Colour of a body; of an element of elastic body number `elastic` with this stress.
void show_stage_colour(const show_stage *stage, const show_frame *frame, int body, double rgb[3]);
void show_stage_stress_colour(const show_stage *stage, int elastic, double mises, double rgb[3]);

/// Does a number of the options say what colours mean, and how is it called?
const char *show_stage_quantity(const show_stage *stage);

#endif
