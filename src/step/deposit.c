// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// deposit.c - bodies that are lowered onto what is there when they are born.
// in: the state at the end of a step.   out: places of newborn bodies.
//
// A pair of convex solids at the distance g is parted by a plane with the normal n of that
// distance, and the body that goes along the unit vector d meets the plane after g/-(n.d): so far
// it can go, and if n.d >= 0 it never meets the other. From pair to pair the smallest of these is
// gone, again and again; near the end each leaves a small share of the one before (a Newton step on
// the gap). Against surfaces, whose pieces push to their front alone, it goes by the gap itself.

#include <math.h>
#include <string.h>

#include "base/space.h"
#include "collide/narrow_phase.h"
#include "collide/pose.h"
#include "model/inertia.h"
#include "step/stepper.h"

enum { ROUNDS = 2000 };

static const double touching = 1e-13;  // of the body's size: near enough

typedef struct descent {
    const scree_stepper *stepper;
    int body;
    double time, down[3];
    scree_pose pose;  // of the body, as far as it came
    double size;
} descent;

// how far the shape can go before it meets the piece or the convex solid of a pair
static double way_to(const descent *d, const scree_manifold_point *point, bool convex) {
    double closing = -scree_dot(point->normal, d->down);
    double gap = fmax(point->gap, 0);
    if (!convex) return closing > 0 || gap > 0 ? gap : HUGE_VAL;
    return closing > 0 ? gap / closing : HUGE_VAL;
}

static double way_to_points(const descent *d, const scree_manifold_point *manifold, int count,
                            bool convex) {
    double least = HUGE_VAL;
    for (int k = 0; k < count; k++) least = fmin(least, way_to(d, &manifold[k], convex));
    return least;
}

// does the tube that the shape sweeps come near the ball around the other one?
static bool in_the_way(const descent *d, const scree_collision_shape *own,
                       const scree_collision_shape *other, const scree_pose *at) {
    double a[3], b[3], away[3], square;
    if (!isfinite(other->bound)) return true;
    scree_rotate(d->pose.turn, own->centre, a);
    scree_rotate(at->turn, other->centre, b);
    for (int k = 0; k < 3; k++) away[k] = at->at[k] + b[k] - d->pose.at[k] - a[k];
    double along = scree_dot(away, d->down), reach = own->bound + other->bound;
    square = scree_dot(away, away) - along * along;
    return along >= -reach && square <= reach * reach * (1 + 1e-9);
}

static double way_of_pair(const descent *d, int i, int j) {
    const scree_model *model = d->stepper->model;
    const scree_collision_shape *own = &model->solid[i], *other = &model->solid[j];
    scree_manifold_point manifold[SCREE_MANIFOLD_MAX];
    scree_pose at;
    double least = HUGE_VAL;
    scree_pose_of_body(model, model->shape[j].body, d->stepper->record.after.q, &at);
    if (model->periodic) {
        const scree_shape_pair pair = { .shape = { i, j }, .piece = -1 };
        scree_contacts_image(model, &pair, &d->pose, &at, &at);
    }
    if (!in_the_way(d, own, other, &at)) return HUGE_VAL;
    if (other->kind != SCREE_COLLISION_SURFACE) {
        int count = scree_narrow_phase(own, &d->pose, other, &at, HUGE_VAL, manifold);
        return way_to_points(d, manifold, count, true);
    }
    for (int piece = 0; piece < other->surface.pieces; piece++) {
        int count = scree_narrow_phase_piece(own, &d->pose, other, piece, &at, HUGE_VAL, manifold);
        least = fmin(least, way_to_points(d, manifold, count, false));
    }
    return least;
}

static double way_of_body(const descent *d) {
    const scree_model *model = d->stepper->model;
    double least = HUGE_VAL;
    for (int i = 0; i < model->shapes; i++) {
        if (model->shape[i].body != d->body) continue;
        for (int j = 0; j < model->shapes; j++) {
            int body = model->shape[j].body;
            if (body == d->body || !scree_body_present(&model->body[body], d->time) ||
                !scree_contacts_can_touch(&d->stepper->set, i, j))
                continue;
            least = fmin(least, way_of_pair(d, i, j));
        }
    }
    return least;
}

static double size_of(const scree_model *model, int body) {
    double size = 0;
    for (int i = 0; i < model->shapes; i++)
        if (model->shape[i].body == body) size = fmax(size, model->solid[i].bound);
    return size;
}

// down to what is there; where there is nothing below, it stays and falls
static void lower(scree_stepper *stepper, int body) {
    const scree_model *model = stepper->model;
    double g = scree_length(model->gravity);
    double *q = stepper->record.after.q + (long)body * model->body_coordinates;
    descent d = { .stepper = stepper,
                  .body = body,
                  .time = stepper->record.after.time,
                  .size = size_of(model, body) };
    for (int k = 0; k < 3; k++) d.down[k] = model->gravity[k] / g;
    for (int round = 0; round < ROUNDS; round++) {
        scree_pose_of_body(model, body, stepper->record.after.q, &d.pose);
        double way = way_of_body(&d);
        if (!isfinite(way)) return;
        for (int k = 0; k < model->space; k++) q[k] += way * d.down[k];
        if (way <= touching * d.size) return;
    }
}

bool scree_deposit_newborn(scree_stepper *stepper, double since) {
    const scree_model *model = stepper->model;
    double now = stepper->record.after.time;
    bool any = false;
    scree_presence *presence = &stepper->presence;
    scree_presence_update(model, since, presence);
    if (now < presence->until) return false;  // nobody comes
    for (int i = 0; stepper->has_deposits && i < model->bodies; i++) {
        const scree_body *body = &model->body[i];
        if (!body->deposit || scree_body_present(body, since) || !scree_body_present(body, now))
            continue;
        lower(stepper, i);
        any = true;
    }
    return any;
}
