// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// marks.c - what is drawn over bodies.
// in: one state and where it is on the page.   out: bands, arrows, rings, numbers.

#include "show/marks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "scree/measure.h"
#include "show/joints.h"
#include "show/lettering.h"
#include "show/paint.h"

enum { NUMBERS_MOST = 400 };

static const scree_lettering NUMBER = { .size = 6, .align = 0.5, .verbatim = true };
static const double WHITE[] = { 1, 1, 1 };
static const double HALO = 1.6;  // of white around numbers and arrows; points

static void ink(cairo_t *cr, const double rgb[3]) {
    cairo_set_source_rgb(cr, rgb[0], rgb[1], rgb[2]);
}

void show_place_project(const show_place *p, const double x[3], double at[2]) {
    double seen[3];
    show_camera_project(&p->stage->camera, x, seen);
    at[0] = p->left + (seen[0] - p->stage->low[0]) * p->scale;
    at[1] = p->top + p->height - (seen[1] - p->stage->low[1]) * p->scale;
}

// a band through the point along the force, as wide as it is large
static void draw_forces(const show_place *p) {
    const show_stage *stage = p->stage;
    double reach = 0.03 * fmin(p->width, p->height) / p->scale;
    for (int64_t i = 0; stage->band > 0 && i < p->frame->row.contacts; i++) {
        const scree_contact *contact = &p->frame->contact[i].contact;
        double force[3], from[3], to[3], a[2], b[2];
        double size = show_frame_force(stage->model, stage->h, contact, force);
        double share = fmin(size / stage->band, 1);
        if (contact->a < 0 || !(share > 1e-3)) continue;
        double half = contact->size > 0 ? contact->size : reach;
        for (int k = 0; k < 3; k++) {
            from[k] = contact->point[k] - half * force[k] / size;
            to[k] = contact->point[k] + half * force[k] / size;
        }
        show_place_project(p, from, a);
        show_place_project(p, to, b);
        cairo_move_to(p->cr, a[0], a[1]);
        cairo_line_to(p->cr, b[0], b[1]);
        cairo_set_line_width(p->cr, fmin(0.3 + SHOW_BAND * share, fmax(half * p->scale, 0.4)));
        ink(p->cr, contact->status == SCREE_CONTACT_SLIP ? SHOW_SLIP : SHOW_STICK);
        cairo_stroke(p->cr);
    }
}

// from joint to joint of each block that has two which bear
static void draw_thrust(const show_place *p) {
    const show_stage *stage = p->stage;
    const scree_moment moment = { .model = stage->model,
                                  .time = p->frame->row.time,
                                  .step = stage->h,
                                  .q = p->frame->q,
                                  .contacts = (int)p->frame->row.contacts,
                                  .contact = &p->frame->contact->contact,
                                  .stride = sizeof *p->frame->contact };
    scree_block_joint *joint;
    scree_error ignored = { 0 };
    int joints;
    if (!p->frame->contact || scree_measure_joints(&moment, 1e-3, &joint, &joints, &ignored))
        return;
    for (int body = 0; body < stage->model->bodies; body++) {
        const double *end[2];
        int ends = 0;
        if (stage->model->body[body].fixed) continue;
        for (int i = 0; i < joints; i++) {
            bool own = joint[i].a == body || joint[i].b == body;
            if (!own || joint[i].state == SCREE_JOINT_OPEN) continue;
            if (ends < 2) end[ends] = joint[i].point;
            ends++;
        }
        if (ends != 2) continue;
        double from[3] = { end[0][0], end[0][1], 0 }, to[3] = { end[1][0], end[1][1], 0 }, a[2],
               b[2];
        show_place_project(p, from, a);
        show_place_project(p, to, b);
        cairo_move_to(p->cr, a[0], a[1]);
        cairo_line_to(p->cr, b[0], b[1]);
    }
    free(joint);
    ink(p->cr, SHOW_INK);
    cairo_set_line_width(p->cr, 1.6);
    cairo_stroke(p->cr);
}

static void joint_to_page(const void *with, const double x[3], double on[2]) {
    show_place_project(with, x, on);
}

// how far the shapes of a body go from its centre
static double reach_of(const show_stage *stage, int body) {
    double reach = 0;
    for (int i = 0; i < stage->geometry->outlines; i++) {
        const scree_outline *outline = &stage->geometry->outline[i];
        for (int k = 0; outline->body == body && k < (outline->ball ? 1 : outline->points); k++) {
            const double *X = outline->ball ? outline->centre : outline->point + 3 * (size_t)k;
            double square = X[0] * X[0] + X[1] * X[1] + X[2] * X[2];
            reach = fmax(reach, sqrt(square) + outline->radius);
        }
    }
    return reach;
}

static void draw_number(const show_place *p, int body, const double x[3]) {
    char text[16];
    double on[2];
    if (show_raster_hides(&p->raster, x, reach_of(p->stage, body))) return;
    show_place_project(p, x, on);
    snprintf(text, sizeof text, "%d", body);
    ink(p->cr, WHITE);
    for (int k = 0; k < 9; k++)  // on all sides of it
        scree_lettering_draw(p->cr, NUMBER, text, on[0] + (k % 3 - 1) * HALO / 2,
                             on[1] + 2 + (k / 3 - 1) * HALO / 2);
    ink(p->cr, SHOW_INK);
    scree_lettering_draw(p->cr, NUMBER, text, on[0], on[1] + 2);
}

static void draw_velocity(const show_place *p, int body, const double x[3]) {
    const show_stage *stage = p->stage;
    const double *v = p->frame->v + (size_t)body * (size_t)stage->model->body_dofs;
    double longest = SHOW_ARROW * fmin(p->width, p->height) / p->scale, tip[3], from[2], to[2];
    for (int k = 0; k < 3; k++)
        tip[k] = x[k] +
                 (k < stage->model->space && stage->speed > 0 ? longest * v[k] / stage->speed : 0);
    show_place_project(p, x, from);
    show_place_project(p, tip, to);
    show_paint_stroke(p->cr, from, to, WHITE, HALO);
    show_paint_stroke(p->cr, from, to, SHOW_INK, 0);
}

void show_draw_marks(const show_place *p) {
    const show_stage *stage = p->stage;
    const scree_model *model = stage->model;
    const show_linkage linkage = { p->cr, model, p->frame->q, joint_to_page, p };
    if (stage->options->forces) draw_forces(p);
    if (stage->options->thrust && model->space == 2) draw_thrust(p);
    show_draw_joints(&linkage);
    for (int pass = 0; pass < 2; pass++)  // numbers over all arrows
        for (int i = 0; i < model->bodies; i++) {
            scree_placement at;
            if (model->body[i].fixed || !show_frame_shows(p->frame, model, i)) continue;
            scree_geometry_place(model, i, p->frame->q, &at);
            if (!pass && stage->options->velocities) draw_velocity(p, i, at.at);
            if (pass && stage->options->numbers && model->bodies <= NUMBERS_MOST)
                draw_number(p, i, at.at);
        }
}
