// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// stage.c - what pictures of bodies share.
// in: model, states.   out: camera, extent of the picture, outlines, colours.

#include "show/stage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scree/joint.h"
#include "show/joints.h"
#include "show/paint.h"

enum { FEW = 20, GROUPS = 7 };  // bodies all of which are shown; colours of groups

static const double FAR = 3;     // spreads beyond which a body does not enlarge the picture
static const double MORE = 0.6;  // of the moving bodies' extent that fixed ones may add
static const double WHOLE[2] = { 1.6, 4 };  // the same of one that is seen whole: of many, of few
static const double GROUND = 6;  // extents of the moving bodies that the ground below may be away
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

typedef struct extent {
    double low[2], high[2];
} extent;

static extent nothing(void) { return (extent){ { HUGE_VAL, HUGE_VAL }, { -HUGE_VAL, -HUGE_VAL } }; }

static void include(extent *box, const double at[2], double reach) {
    for (int k = 0; k < 2; k++) {
        box->low[k] = fmin(box->low[k], at[k] - reach);
        box->high[k] = fmax(box->high[k], at[k] + reach);
    }
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// where most of the values are, with some room around them
static void find_spread(double *value, int count, double spread[2]) {
    qsort(value, (size_t)count, sizeof *value, ascending);
    double low = value[count / 20], high = value[count - 1 - count / 20];
    spread[0] = count < FEW ? -HUGE_VAL : low - FAR * (high - low);
    spread[1] = count < FEW ? HUGE_VAL : high + FAR * (high - low);
}

// add what is seen of a shape; false if it is not there, or has no end
static bool include_outline(const show_stage *s, const show_frame *frame,
                            const scree_outline *outline, extent *box) {
    scree_placement at;
    double x[3], on[3];
    if (outline->endless || !scree_geometry_present(s->model, outline->body, frame->row.time))
        return false;
    scree_geometry_place(s->model, outline->body, frame->q, &at);
    for (int i = 0; i < (outline->ball ? 1 : outline->points); i++) {
        scree_placement_apply(&at, outline->ball ? outline->centre : outline->point + 3 * (size_t)i,
                              x);
        show_camera_project(&s->camera, x, on);
        if (isfinite(on[0]) && isfinite(on[1])) include(box, on, outline->radius);
    }
    show_camera_project(&s->camera, at.at, on);
    if (outline->ball && outline->radius == 0) include(box, on, 0);  // a stick is drawn to it
    return box->low[0] <= box->high[0];
}

// what moves, but for what is far away from most of it
static scree_status surround_moving(show_stage *s, const show_frame *frame, extent *box,
                                    scree_error *err) {
    int shapes = s->geometry->outlines, count = 0;
    const scree_outline *outline = s->geometry->outline;
    double *value = malloc(2 * ((size_t)shapes + 1) * sizeof *value);
    if (!value) return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory");
    for (int i = 0; i < shapes; i++) {
        extent own = nothing();
        if (!moves(s->model, outline[i].body) || !include_outline(s, frame, &outline[i], &own))
            continue;
        value[count] = (own.low[0] + own.high[0]) / 2;
        value[shapes + count++] = (own.low[1] + own.high[1]) / 2;
    }
    double spread[2][2] = { { 0 } };
    for (int k = 0; count && k < 2; k++) find_spread(value + (long)k * shapes, count, spread[k]);
    s->outside = 0;
    for (int i = 0; i < shapes; i++) {
        extent own = nothing();
        if (!moves(s->model, outline[i].body) || !include_outline(s, frame, &outline[i], &own))
            continue;
        bool near = true;
        for (int k = 0; k < 2; k++)
            near = near && own.high[k] >= spread[k][0] && own.low[k] <= spread[k][1];
        s->outside += !near;
        if (near) include(box, own.low, 0);
        if (near) include(box, own.high, 0);
    }
    free(value);
    return SCREE_OK;
}

static void surround_elastic(const show_stage *s, const show_frame *frame, extent *box) {
    for (int e = 0; e < s->model->elastics; e++)
        for (int i = 0; i < s->model->elastic[e].mesh.nodes; i++) {
            double x[3], at[3];
            show_stage_node(s, frame, &s->model->elastic[e], i, x);
            show_camera_project(&s->camera, x, at);
            include(box, at, 0);
        }
}

// anchors of joints, and with them bodies that have no shapes
static void surround_joints(const show_stage *s, const show_frame *frame, extent *box) {
    for (int i = 0; i < s->model->joints; i++)
        for (int side = 0; side < 2; side++) {
            double x[3], on[3];
            show_joint_anchor(s->model, s->start, frame->q, i, side, x);
            show_camera_project(&s->camera, x, on);
            bool finite = isfinite(on[0]) && isfinite(on[1]);
            if (finite && s->model->joint[i].kind != SCREE_COUPLER) include(box, on, 0);
        }
}

static double size_of(const extent *box) {
    return fmax(box->high[0] - box->low[0], box->high[1] - box->low[1]);
}

// an obstacle: whole if it is not much larger than what moves, otherwise as far as it is near
static void add_obstacle(const extent *own, const extent *moving, double reach, extent *box) {
    bool alone = !(moving->low[0] <= moving->high[0]), whole = true;
    double size = size_of(moving);
    for (int k = 0; k < 2; k++)
        whole = whole && own->low[k] >= moving->low[k] - reach * size &&
                own->high[k] <= moving->high[k] + reach * size;
    double more = whole ? reach * size : MORE * size;
    for (int k = 0; k < 2; k++) {
        double low = alone ? own->low[k] : fmax(own->low[k], moving->low[k] - more);
        double high = alone ? own->high[k] : fmin(own->high[k], moving->high[k] + more);
        box->low[k] = fmin(box->low[k], low);
        box->high[k] = fmax(box->high[k], high);
    }
}

static void surround_fixed(const show_stage *s, const show_frame *frame, const extent *moving,
                           extent *box) {
    int bodies = 0;
    for (int i = 0; i < s->model->bodies; i++) bodies += moves(s->model, i);
    for (int i = 0; i < s->geometry->outlines; i++) {
        extent own = nothing();
        if (!moves(s->model, s->geometry->outline[i].body) &&
            include_outline(s, frame, &s->geometry->outline[i], &own))
            add_obstacle(&own, moving, WHOLE[bodies < FEW], box);
    }
}

// where the bodies would come down on a plane, if that is not far away: a ball in the air tells
// nothing
static void surround_ground(const show_stage *s, const show_frame *frame, const extent *moving,
                            extent *box) {
    const scree_model *model = s->model;
    double most = GROUND * size_of(moving);
    for (int i = 0; i < model->shapes; i++) {
        const scree_shape *shape = &model->shape[i];
        if (!s->geometry->outline[i].endless || moves(model, shape->body)) continue;
        scree_placement at, body;
        double plane[3], normal[3], on[3], nearest = HUGE_VAL, foot[3] = { 0 };
        scree_geometry_place(model, shape->body, frame->q, &at);
        scree_placement_apply(&at, shape->at, plane);
        for (int k = 0; k < 3; k++)
            normal[k] = at.turn[3 * k] * shape->normal[0] + at.turn[3 * k + 1] * shape->normal[1] +
                        at.turn[3 * k + 2] * shape->normal[2];
        for (int b = 0; b < model->bodies; b++) {
            if (!moves(model, b) || !scree_geometry_present(model, b, frame->row.time)) continue;
            scree_geometry_place(model, b, frame->q, &body);
            double gap = 0;
            for (int k = 0; k < 3; k++) gap += normal[k] * (body.at[k] - plane[k]);
            if (!(gap >= 0 && gap < nearest)) continue;
            nearest = gap;
            for (int k = 0; k < 3; k++) foot[k] = body.at[k] - gap * normal[k];
        }
        show_camera_project(&s->camera, foot, on);
        if (nearest <= most) include(box, on, 0);
    }
}

static scree_status find_extent(show_stage *s, scree_error *err) {
    extent box = nothing();
    scree_status status = SCREE_OK;
    for (int i = 0; !status && i < s->pictures; i++)
        if (s->frame[i].q) {
            status = surround_moving(s, &s->frame[i], &box, err);
            surround_elastic(s, &s->frame[i], &box);
            surround_joints(s, &s->frame[i], &box);
        }
    const extent moving = box;
    for (int i = 0; i < s->pictures; i++)
        if (s->frame[i].q) {
            surround_fixed(s, &s->frame[i], &moving, &box);
            surround_ground(s, &s->frame[i], &moving, &box);
        }
    if (!(box.low[0] <= box.high[0])) box = (extent){ { -1, -1 }, { 1, 1 } };
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
            if (!moves(s->model, i) || !scree_geometry_present(s->model, i, frame->row.time))
                continue;
            s->speed = fmax(s->speed, speed_of(s, frame, i));
            bool counts =
                s->options->colour == SHOW_BY_SPEED || s->options->colour == SHOW_BY_BIRTH;
            if (counts) widen(s->range, value_of(s, frame, i));
        }
        for (int e = 0, k = 0; by_stress(s) && e < s->model->elastics; e++)
            for (int i = 0; i < s->model->elastic[e].mesh.elements; i++)
                widen(s->range, frame->mises[k++]);
        find_forces(s, frame);
    }
}

const char *show_stage_quantity(const show_stage *s) {
    if (!(s->range[0] <= s->range[1])) return NULL;
    if (by_stress(s)) return "von Mises [Pa]";
    return s->options->colour == SHOW_BY_SPEED ? "speed [m/s]" : "born [s]";
}

void show_stage_stress_colour(const show_stage *s, double mises, double rgb[3]) {
    double span = s->range[1] - s->range[0];
    show_paint_colour(span > 0 ? (mises - s->range[0]) / span : 0, rgb);
}

void show_stage_colour(const show_stage *s, const show_frame *frame, int body, double rgb[3]) {
    const scree_body *of = &s->model->body[body];
    if (of->fixed || of->driven) {
        memcpy(rgb, of->fixed ? GREY : DRIVEN, 3 * sizeof *rgb);
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

void show_stage_node(const show_stage *s, const show_frame *frame, const scree_elastic_body *body,
                     int node, double x[3]) {
    int space = s->model->space;
    x[2] = 0;
    for (int k = 0; k < space; k++)
        x[k] = body->mesh.node[(long)node * space + k] +
               frame->q[body->coordinate + (long)node * space + k];
}

static show_camera camera_of(const show_stage *s) {
    const double *g = s->model->gravity;
    double up[3] = { 0, 0, 1 };
    if (s->model->space == 2) return (show_camera){ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    // against the axis that gravity has most of
    for (int k = 0; k < 3; k++)
        if (fabs(g[k]) > fmax(fabs(g[(k + 1) % 3]), fabs(g[(k + 2) % 3]))) {
            memset(up, 0, sizeof up);
            up[k] = g[k] < 0 ? 1 : -1;
        }
    return show_camera_at(up, s->options->azimuth, s->options->elevation);
}

scree_status show_stage_set(show_stage *s, scree_error *err) {
    const show_frame *first = NULL;
    for (int i = s->pictures - 1; i >= 0; i--)
        if (s->frame[i].q) first = &s->frame[i];
    s->camera = camera_of(s);
    find_ranges(s);
    s->low[0] = s->low[1] = -1;
    s->high[0] = s->high[1] = 1;
    if (!first) return SCREE_OK;
    // what has no end is cut to the picture, which is chosen by what has one
    scree_view view = { .radius = 1 };
    scree_status status = scree_geometry_new(s->model, first->q, &view, &s->geometry, err);
    if (!status) status = find_extent(s, err);
    if (status) return status;
    view = view_of(s);
    scree_geometry_free(s->geometry);
    return scree_geometry_new(s->model, first->q, &view, &s->geometry, err);
}

void show_stage_free(show_stage *s) {
    scree_geometry_free(s->geometry);
    s->geometry = NULL;
}
