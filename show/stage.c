// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// stage.c - what pictures of bodies share.
// in: model, states.   out: camera, extent of the picture, outlines, colours.

#include "show/stage.h"

#include <math.h>
#include <string.h>

#include "show/extent.h"
#include "show/paint.h"

enum { GROUPS = 7 };  // colours of them
static const double PALE[3] = { 0.93, 0.90, 0.84 };
static const double layers[SHOW_LAYERS_MOST][3] = {
    { 0.10, 0.10, 0.12 }, { 0.80, 0.36, 0.10 }, { 0.13, 0.40, 0.67 },
    { 0.20, 0.52, 0.30 }, { 0.55, 0.30, 0.60 }, { 0.70, 0.58, 0.10 },
};

static const double REST = 1e-10;  // pictures in a step
static const double EDGE = 0.04;

static const double GREY[3] = { 0.84, 0.84, 0.82 }, DRIVEN[3] = { 0.62, 0.66, 0.74 };
static const double groups[GROUPS][3] = {
    { 0.93, 0.76, 0.45 }, { 0.40, 0.65, 0.83 }, { 0.55, 0.78, 0.56 }, { 0.90, 0.55, 0.45 },
    { 0.72, 0.62, 0.82 }, { 0.85, 0.82, 0.45 }, { 0.60, 0.60, 0.62 },
};

// ---- what is seen

static bool moves(const scree_model *model, int body) {
    return !model->body[body].fixed && !model->body[body].driven;
}

static scree_status find_extent(show_stage *s, scree_error *err) {
    const show_sight sight = { s->model, s->geometry, s->camera, 2 };
    show_extent box = show_extent_empty();
    scree_status status = SCREE_OK;
    for (int i = 0; !status && i < s->pictures; i++)
        if (s->frame[i].q)
            status = show_extent_moving(&sight, &s->frame[i], &box, &s->outside, err);
    const show_extent moving = box;
    for (int i = 0; !status && i < s->pictures; i++)
        if (s->frame[i].q) show_extent_obstacles(&sight, &s->frame[i], &moving, &box);
    if (show_extent_is_empty(&box)) box = (show_extent){ { -1, -1, -1 }, { 1, 1, 1 } };
    double size = fmax(box.high[0] - box.low[0], box.high[1] - box.low[1]);
    if (!(size > 0)) size = 1;
    for (int k = 0; k < 2; k++) {
        // never so flat that nothing could be seen in it
        double lack = fmax(0, 0.25 * size - (box.high[k] - box.low[k])) / 2;
        s->low[k] = box.low[k] - lack - EDGE * size;
        s->high[k] = box.high[k] + lack + EDGE * size;
    }
    return status;
}

// a ball in space around what the picture shows
static scree_view view_of(const show_stage *s) {
    scree_view view = { 0 };
    double low[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL }, high[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
    double nearest = 0;
    for (int p = 0; p < s->pictures; p++)
        for (int i = 0; s->frame[p].q && i < s->model->shapes; i++)
            if (moves(s->model, s->model->shape[i].body))
                scree_geometry_surround(s->model, i, s->frame[p].q, s->frame[p].row.time, low,
                                        high);
    if (low[0] <= high[0]) {
        view = scree_view_of_box(s->model->space, low, high);
        nearest = view.centre[0] * s->camera.eye[0] + view.centre[1] * s->camera.eye[1] +
                  view.centre[2] * s->camera.eye[2];
    }
    double middle[2] = { (s->low[0] + s->high[0]) / 2, (s->low[1] + s->high[1]) / 2 };
    for (int k = 0; k < 3; k++)
        view.centre[k] = middle[0] * s->camera.right[k] + middle[1] * s->camera.up[k] +
                         nearest * s->camera.eye[k];
    double wide = hypot(s->high[0] - s->low[0], s->high[1] - s->low[1]);
    view.radius = 1.2 * wide;
    return view;
}

// ---- colours

static double speed_of(const show_stage *s, const show_frame *frame, int body) {
    const double *v = frame->v + (size_t)body * (size_t)s->model->body_dofs;
    return sqrt(v[0] * v[0] + v[1] * v[1] + (s->model->space == 3 ? v[2] * v[2] : 0));
}

static double value_of(const show_stage *s, const show_frame *frame, int body) {
    return s->options->colour == SHOW_BY_SPEED ? speed_of(s, frame, body)
                                               : s->model->body[body].birth_time;
}

static void widen(double range[2], double value) {
    if (!isfinite(value)) return;
    range[0] = fmin(range[0], value);
    range[1] = fmax(range[1], value);
}

static bool by_stress(const show_stage *s) {
    return s->model->elastics && s->options->colour != SHOW_BY_SPEED;
}

// the largest, and what the widest band stands for: an impact must not make all others invisible
static void find_forces(show_stage *s, const show_frame *frame) {
    double sum = 0, force[3];
    int64_t bearing = 0;
    for (int64_t c = 0; c < frame->row.contacts; c++) {
        double size = show_frame_force(s->model, s->h, &frame->contact[c].contact, force);
        s->force = fmax(s->force, size);
        sum += size;
        bearing += size > 0;
    }
    if (bearing) s->band = fmax(s->band, fmin(s->force, 4 * sum / (double)bearing));
}

static void find_ranges(show_stage *s) {
    s->range[0] = HUGE_VAL;
    s->range[1] = -HUGE_VAL;
    for (int p = 0; p < s->pictures; p++) {
        const show_frame *frame = &s->frame[p];
        if (!frame->q) continue;
        for (int i = 0; i < s->model->bodies; i++) {
            if (!moves(s->model, i) || !show_frame_shows(frame, s->model, i)) continue;
            s->speed = fmax(s->speed, speed_of(s, frame, i));
            bool counts =
                (s->options->colour == SHOW_BY_SPEED || s->options->colour == SHOW_BY_BIRTH) &&
                !s->options->layers;
            if (counts) widen(s->range, value_of(s, frame, i));
        }
        for (int e = 0, k = 0; by_stress(s) && e < s->model->elastics; e++)
            for (int i = 0; i < s->model->elastic[e].mesh.elements; i++)
                widen(s->range, frame->mises[k++]);
        find_forces(s, frame);
    }
    // stresses that are 0 everywhere tell nothing, and could not be told from each other
    if (by_stress(s) && !(s->range[1] > 0)) s->range[0] = HUGE_VAL, s->range[1] = -HUGE_VAL;
    // sizes are told from 0 on, also where they are 0 everywhere
    bool size = by_stress(s) || s->options->colour == SHOW_BY_SPEED;
    if (size && s->range[0] <= s->range[1]) s->range[0] = 0;
    if (s->range[0] == s->range[1]) s->range[1] = s->range[0] + 1;
}

// velocities that take no body anywhere within a step are rounding, and no arrows
static void leave_out_rounding(show_stage *s) {
    double wide = hypot(s->high[0] - s->low[0], s->high[1] - s->low[1]);
    if (s->speed * s->h > REST * wide) return;
    s->speed = 0;
    if (s->options->colour == SHOW_BY_SPEED) s->range[1] = 1;
}

const char *show_stage_quantity(const show_stage *s) {
    if (!(s->range[0] <= s->range[1])) return NULL;
    if (by_stress(s)) return "von Mises [Pa]";
    return s->options->colour == SHOW_BY_SPEED ? "speed [m/s]" : "born [s]";
}

void show_stage_stress_colour(const show_stage *s, int elastic, double mises, double rgb[3]) {
    double span = s->range[1] - s->range[0];
    if (!(s->range[0] <= s->range[1])) {
        memcpy(rgb, groups[elastic % GROUPS], 3 * sizeof *rgb);
        return;
    }
    show_paint_colour(span > 0 ? (mises - s->range[0]) / span : 0, rgb);
}

void show_stage_layer_colour(int layer, double rgb[3]) {
    memcpy(rgb, layers[layer % SHOW_LAYERS_MOST], 3 * sizeof *rgb);
}

static void colour_of_layer(const show_stage *s, double born, double rgb[3]) {
    memcpy(rgb, PALE, sizeof PALE);
    for (int k = 0; k < s->options->layers; k++)
        if (born >= s->options->layer[k][0] && born <= s->options->layer[k][1])
            show_stage_layer_colour(k, rgb);
}

void show_stage_colour(const show_stage *s, const show_frame *frame, int body, double rgb[3]) {
    const scree_body *of = &s->model->body[body];
    if (of->fixed || of->driven) {
        memcpy(rgb, of->fixed ? GREY : DRIVEN, 3 * sizeof *rgb);
        return;
    }
    if (s->options->layers) {
        colour_of_layer(s, of->birth_time, rgb);
        return;
    }
    if (!by_stress(s) && s->range[0] <= s->range[1]) {
        double span = s->range[1] - s->range[0];
        show_paint_colour(span > 0 ? (value_of(s, frame, body) - s->range[0]) / span : 0, rgb);
        return;
    }
    // neighbours are numbered one after the other: a little apart, so that they can be told
    double shade = 0.88 + 0.12 * (double)(body * 2654435761u % 1024) / 1023;
    for (int k = 0; k < 3; k++) rgb[k] = shade * groups[of->group % GROUPS][k];
}

// ---- all of it

scree_status show_stage_set(show_stage *s, scree_error *err) {
    const show_frame *first = NULL;
    for (int i = s->pictures - 1; i >= 0; i--)
        if (s->frame[i].q) first = &s->frame[i];
    s->camera = show_extent_camera(s->model, s->options->azimuth, s->options->elevation);
    find_ranges(s);
    s->low[0] = s->low[1] = -1;
    s->high[0] = s->high[1] = 1;
    if (!first) return SCREE_OK;
    // what has no end is cut to the picture, which is chosen by what has one
    scree_view view = { .radius = 1 };
    scree_status status = scree_geometry_new(s->model, first->q, &view, &s->geometry, err);
    if (!status) status = find_extent(s, err);
    if (status) return status;
    leave_out_rounding(s);
    view = view_of(s);
    scree_geometry_free(s->geometry);
    return scree_geometry_new(s->model, first->q, &view, &s->geometry, err);
}

void show_stage_free(show_stage *s) {
    scree_geometry_free(s->geometry);
    s->geometry = NULL;
}
