// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// extent.c - how much of a scene is worth seeing.
// in: model, states, camera.   out: a box by the camera.   work: points of all shapes, a sort.

#include "show/extent.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scree/joint.h"
#include "show/joints.h"

enum { FEW = 20 };  // bodies all of which are shown

static const double FAR = 3;  // spreads beyond which a body does not enlarge the picture
// of the moving bodies' extent that an obstacle may add on each side
static const double MORE = 0.6;               // if it is cut off
static const double WHOLE[2] = { 1.6, 7.5 };  // if it is seen whole: of many bodies, of few
static const double GROUND = 6;  // extents of the moving bodies that the ground below may be away

show_extent show_extent_empty(void) {
    return (show_extent){ { HUGE_VAL, HUGE_VAL, HUGE_VAL }, { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL } };
}

bool show_extent_is_empty(const show_extent *box) { return !(box->low[0] <= box->high[0]); }

show_camera show_extent_camera(const scree_model *model, double azimuth, double elevation) {
    const double *g = model->gravity;
    double up[3] = { 0, 0, 1 };
    if (model->space == 2) return (show_camera){ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    for (int k = 0; k < 3; k++)
        if (fabs(g[k]) > fmax(fabs(g[(k + 1) % 3]), fabs(g[(k + 2) % 3]))) {
            memset(up, 0, sizeof up);
            up[k] = g[k] < 0 ? 1 : -1;
        }
    return show_camera_at(up, azimuth, elevation);
}

static void include(show_extent *box, const double at[3], double reach) {
    for (int k = 0; k < 3; k++) {
        box->low[k] = fmin(box->low[k], at[k] - reach);
        box->high[k] = fmax(box->high[k], at[k] + reach);
    }
}

// a point of space; what is not finite is nowhere
static void include_point(const show_sight *s, const double x[3], double reach, show_extent *box) {
    double on[3];
    show_camera_project(&s->camera, x, on);
    if (isfinite(on[0]) && isfinite(on[1]) && isfinite(on[2])) include(box, on, reach);
}

static double size_of(const show_sight *s, const show_extent *box) {
    double size = 0;
    for (int k = 0; k < s->axes; k++) size = fmax(size, box->high[k] - box->low[k]);
    return size;
}

static bool moves(const scree_model *model, int body) {
    return !model->body[body].fixed && !model->body[body].driven;
}

// ---- what moves

// add what is seen of a shape; false if it is not there, or has no end
static bool include_outline(const show_sight *s, const show_frame *frame,
                            const scree_outline *outline, show_extent *box) {
    scree_placement at;
    double x[3];
    if (outline->endless || !show_frame_shows(frame, s->model, outline->body)) return false;
    scree_geometry_place(s->model, outline->body, frame->q, &at);
    for (int i = 0; i < (outline->ball ? 1 : outline->points); i++) {
        scree_placement_apply(&at, outline->ball ? outline->centre : outline->point + 3 * (size_t)i,
                              x);
        include_point(s, x, outline->radius, box);
    }
    if (outline->ball && outline->radius == 0)
        include_point(s, at.at, 0, box);  // a stick is drawn to it
    return !show_extent_is_empty(box);
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

// shapes of bodies that move, but for what is far away from most of it
static scree_status surround_rigid(const show_sight *s, const show_frame *frame, show_extent *box,
                                   int *outside, scree_error *err) {
    int shapes = s->geometry->outlines, count = 0;
    show_extent *own = malloc(((size_t)shapes + 1) * sizeof *own);
    double *value = malloc(((size_t)shapes + 1) * sizeof *value), spread[3][2] = { { 0 } };
    *outside = 0;
    if (own && value) {
        for (int i = 0; i < shapes; i++) {
            const scree_outline *outline = &s->geometry->outline[i];
            own[count] = show_extent_empty();
            if (moves(s->model, outline->body))
                count += include_outline(s, frame, outline, &own[count]);
        }
        for (int k = 0; count && k < s->axes; k++) {
            for (int i = 0; i < count; i++) value[i] = (own[i].low[k] + own[i].high[k]) / 2;
            find_spread(value, count, spread[k]);
        }
    }
    for (int i = 0; i < count; i++) {
        bool near = true;
        for (int k = 0; k < s->axes; k++)
            near = near && own[i].high[k] >= spread[k][0] && own[i].low[k] <= spread[k][1];
        *outside += !near;
        if (near) include(box, own[i].low, 0);
        if (near) include(box, own[i].high, 0);
    }
    bool fine = own && value;
    free(own);
    free(value);
    return fine ? SCREE_OK : scree_fail_memory(err, NULL);
}

void show_extent_node(const scree_model *model, const double *q, const scree_elastic_body *body,
                      int node, double x[3]) {
    x[2] = 0;
    for (int k = 0; k < model->space; k++)
        x[k] = body->mesh.node[(long)node * model->space + k] +
               q[body->coordinate + (long)node * model->space + k];
}

scree_status show_extent_moving(const show_sight *s, const show_frame *frame, show_extent *box,
                                int *outside, scree_error *err) {
    const scree_model *model = s->model;
    double x[3];
    for (int e = 0; e < model->elastics; e++)
        for (int i = 0; i < model->elastic[e].mesh.nodes; i++) {
            show_extent_node(model, frame->q, &model->elastic[e], i, x);
            include_point(s, x, 0, box);
        }
    // joints, with the bars from centres to anchors by which bodies without shapes are seen
    for (int i = 0; i < model->joints; i++)
        for (int side = 0; side < 2 && model->joint[i].kind != SCREE_COUPLER; side++) {
            int body = side ? model->joint[i].b : model->joint[i].a;
            scree_placement at;
            scree_joint_anchor(model, i, side, frame->q, x);
            include_point(s, x, 0, box);
            if (body < 0) continue;
            scree_geometry_place(model, body, frame->q, &at);
            include_point(s, at.at, 0, box);
        }
    return surround_rigid(s, frame, box, outside, err);
}

// ---- what does not

// whole if it is not much larger than what moves, otherwise as far as it is near
static void add_obstacle(const show_sight *s, const show_extent *own, const show_extent *moving,
                         bool few, show_extent *box) {
    bool alone = show_extent_is_empty(moving), whole = true;
    double size = size_of(s, moving);
    for (int k = 0; k < s->axes; k++)
        whole = whole && own->low[k] >= moving->low[k] - WHOLE[few] * size &&
                own->high[k] <= moving->high[k] + WHOLE[few] * size;
    double more = (whole ? WHOLE[few] : MORE) * size;
    for (int k = 0; k < 3; k++) {
        double low = alone ? own->low[k] : fmax(own->low[k], moving->low[k] - more);
        double high = alone ? own->high[k] : fmin(own->high[k], moving->high[k] + more);
        box->low[k] = fmin(box->low[k], low);
        box->high[k] = fmax(box->high[k], high);
    }
}

typedef struct footing {  // a plane, and where what moves is nearest to it
    double at[3], normal[3];
    double gap, foot[3];
} footing;

static void step_on(footing *f, const double x[3]) {
    double gap = 0;
    for (int k = 0; k < 3; k++) gap += f->normal[k] * (x[k] - f->at[k]);
    if (!(gap >= 0 && gap < f->gap)) return;
    f->gap = gap;
    for (int k = 0; k < 3; k++) f->foot[k] = x[k] - gap * f->normal[k];
}

// where the bodies would come down on a plane, if that is not far away: a ball in the air tells
// nothing
static void add_ground(const show_sight *s, const show_frame *frame, const scree_shape *shape,
                       double most, show_extent *box) {
    const scree_model *model = s->model;
    footing f = { .gap = HUGE_VAL };
    scree_placement at;
    double x[3];
    scree_geometry_place(model, shape->body, frame->q, &at);
    scree_placement_apply(&at, shape->at, f.at);
    for (int k = 0; k < 3; k++)
        f.normal[k] = at.turn[3 * k] * shape->normal[0] + at.turn[3 * k + 1] * shape->normal[1] +
                      at.turn[3 * k + 2] * shape->normal[2];
    for (int b = 0; b < model->bodies; b++) {
        if (!moves(model, b) || !show_frame_shows(frame, model, b)) continue;
        scree_geometry_place(model, b, frame->q, &at);
        step_on(&f, at.at);
    }
    for (int e = 0; e < model->elastics; e++)
        for (int i = 0; i < model->elastic[e].mesh.nodes; i++) {
            show_extent_node(model, frame->q, &model->elastic[e], i, x);
            step_on(&f, x);
        }
    if (isfinite(f.gap) && f.gap <= most) include_point(s, f.foot, 0, box);
}

void show_extent_obstacles(const show_sight *s, const show_frame *frame, const show_extent *moving,
                           show_extent *box) {
    int bodies = 0;
    bool sized = s->model->elastics > 0;
    for (int i = 0; i < s->model->bodies; i++) bodies += moves(s->model, i);
    for (int i = 0; i < s->geometry->outlines; i++)
        sized |= moves(s->model, s->geometry->outline[i].body) &&
                 !(s->geometry->outline[i].ball && s->geometry->outline[i].radius == 0);
    double most = sized ? GROUND * size_of(s, moving) : HUGE_VAL;  // points have no size
    for (int i = 0; i < s->geometry->outlines; i++) {
        const scree_outline *outline = &s->geometry->outline[i];
        show_extent own = show_extent_empty();
        if (moves(s->model, outline->body)) continue;
        if (outline->endless)
            add_ground(s, frame, &s->model->shape[i], most, box);
        else if (include_outline(s, frame, outline, &own))
            add_obstacle(s, &own, moving, bodies < FEW, box);
    }
}
