// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// joints.c - joints as rings at their anchors, springs as zigzags, bodies without shapes as bars.
// in: model, coordinates.   out: lines on a canvas.

#include "show/joints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scree/drive.h"
#include "scree/geometry.h"
#include "scree/joint.h"

static const double INK[] = { 0.15, 0.15, 0.15 }, BAR[] = { 0.45, 0.47, 0.5 };
static const double RING = 1.6, MOTOR = 3, COIL = 3;  // radii and half a width; points
enum { COILS = 10 };

show_joint_kind show_joint_look(const scree_model *model, int joint) {
    show_joint_kind look = SHOW_JOINT;
    for (int d = 0; d < model->drives; d++) {
        if (model->drive[d].joint != joint) continue;
        if (model->drive[d].kind != SCREE_SPRING) return SHOW_MOTOR;
        if (model->joint[joint].kind == SCREE_DISTANCE) look = SHOW_SPRING;
    }
    return look;
}

static void stroke(cairo_t *cr, const double rgb[3], double width) {
    cairo_set_source_rgb(cr, rgb[0], rgb[1], rgb[2]);
    cairo_set_line_width(cr, width);
    cairo_stroke(cr);
}

// from the centre of a body that has no shapes but points to the anchor
static void draw_bar(const show_linkage *l, int body, const double on[2]) {
    scree_placement now;
    double centre[2];
    scree_geometry_place(l->model, body, l->q, &now);
    l->to_page(l->with, now.at, centre);
    cairo_set_line_cap(l->cr, CAIRO_LINE_CAP_ROUND);
    cairo_move_to(l->cr, centre[0], centre[1]);
    cairo_line_to(l->cr, on[0], on[1]);
    stroke(l->cr, BAR, 2);
    cairo_set_line_cap(l->cr, CAIRO_LINE_CAP_BUTT);
}

static void draw_line(cairo_t *cr, double on[2][2], bool spring) {
    double way[2] = { on[1][0] - on[0][0], on[1][1] - on[0][1] };
    double length = hypot(way[0], way[1]);
    cairo_move_to(cr, on[0][0], on[0][1]);
    for (int k = 2; spring && length > 0 && k < COILS; k++) {
        double side = (k % 2 ? -COIL : COIL) / length, share = (double)k / COILS;
        cairo_line_to(cr, on[0][0] + share * way[0] - side * way[1],
                      on[0][1] + share * way[1] + side * way[0]);
    }
    cairo_line_to(cr, on[1][0], on[1][1]);
    stroke(cr, INK, 0.7);
}

static void draw_ring(cairo_t *cr, const double on[2], double radius) {
    cairo_new_path(cr);
    cairo_arc(cr, on[0], on[1], radius, 0, 6.283185307179586);
    cairo_set_source_rgb(cr, 1, 1, 1);
    cairo_fill_preserve(cr);
    stroke(cr, INK, 0.7);
}

void show_draw_joints(const show_linkage *l) {
    const scree_model *model = l->model;
    bool *shaped = calloc((size_t)model->bodies + 1, sizeof *shaped);
    for (int s = 0; shaped && s < model->shapes; s++)
        if (model->shape[s].kind != SCREE_POINT) shaped[model->shape[s].body] = true;
    for (int i = 0; i < model->joints; i++) {
        const scree_joint *joint = &model->joint[i];
        double x[3], on[2][2];
        if (joint->kind == SCREE_COUPLER) continue;
        for (int side = 0; side < 2; side++) {
            int body = side ? joint->b : joint->a;
            scree_joint_anchor(model, i, side, l->q, x);
            l->to_page(l->with, x, on[side]);
            if (body >= 0 && shaped && !shaped[body]) draw_bar(l, body, on[side]);
        }
        show_joint_kind look = show_joint_look(model, i);
        draw_line(l->cr, on, look == SHOW_SPRING);
        for (int side = 0; side < 2; side++) {
            if (look == SHOW_MOTOR) draw_ring(l->cr, on[side], MOTOR);
            draw_ring(l->cr, on[side], RING);
        }
    }
    free(shaped);
}
