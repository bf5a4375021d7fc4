// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// geometry.c - a model as balls, lines and polygons.
// in: model, coordinates, what is to be seen.   out: an outline for each shape.

#include "scree/geometry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/space.h"
#include "collide/pose.h"
#include "model/inertia.h"
#include "model/period.h"
#include "store/facets.h"

struct scree_geometry_memory {
    scree_arena arena;
};

void scree_geometry_place(const scree_model *model, int body, const double *q,
                          scree_placement *placement) {
    const double *given = q + (size_t)body * (size_t)model->body_coordinates;
    double own[7], *turn = placement->quaternion;
    memcpy(own, given, (size_t)model->body_coordinates * sizeof *own);
    if (model->space == 2) {
        turn[0] = cos(own[2] / 2);
        turn[1] = turn[2] = 0;
        turn[3] = sin(own[2] / 2);
    } else {
        double length = sqrt(own[3] * own[3] + own[4] * own[4] + own[5] * own[5] + own[6] * own[6]);
        for (int k = 0; k < 4; k++) turn[k] = own[3 + k] = own[3 + k] / length;
    }
    scree_pose pose;
    scree_pose_of_body(model, 0, own, &pose);
    memcpy(placement->at, pose.at, sizeof pose.at);
    scree_period_wrap(model, placement->at);
    memcpy(placement->turn, pose.turn, sizeof pose.turn);
}

void scree_placement_apply(const scree_placement *placement, const double X[3], double x[3]) {
    double arm[3];
    scree_rotate(placement->turn, X, arm);
    for (int k = 0; k < 3; k++) x[k] = placement->at[k] + arm[k];
}

bool scree_geometry_present(const scree_model *model, int body, double t) {
    return scree_body_present(&model->body[body], t);
}

bool scree_geometry_surround(const scree_model *model, int shape, const double *q, double t,
                             double low[3], double high[3]) {
    const scree_collision_shape *solid = &model->solid[shape];
    int body = model->shape[shape].body;
    const double *given = q + (size_t)body * (size_t)model->body_coordinates;
    double at[3] = { given[0], given[1], model->space == 3 ? given[2] : 0 };
    scree_period_wrap(model, at);
    double reach = scree_length(solid->centre) + solid->bound;
    if (!isfinite(solid->bound) || !scree_geometry_present(model, body, t)) return false;
    for (int k = 0; k < model->space; k++)
        if (!isfinite(at[k])) return false;
    for (int k = 0; k < model->space; k++) {
        low[k] = fmin(low[k], at[k] - reach);
        high[k] = fmax(high[k], at[k] + reach);
    }
    return true;
}

scree_view scree_view_of_box(int space, const double low[3], const double high[3]) {
    scree_view view = { .radius = 1 };
    double square = 0;
    if (!(low[0] <= high[0])) return view;
    for (int k = 0; k < space; k++) {
        view.centre[k] = low[k] / 2 + high[k] / 2;
        square += (high[k] - low[k]) * (high[k] - low[k]);
    }
    if (square > 0) view.radius = sqrt(square) / 2;
    return view;
}

// the view in the frame of a body
static scree_facets_view view_of_body(const scree_model *model, int body, const double *q,
                                      const scree_view *view) {
    scree_facets_view own = { .radius = view->radius };
    scree_placement placement;
    double away[3];
    scree_geometry_place(model, body, q, &placement);
    for (int k = 0; k < 3; k++) away[k] = view->centre[k] - placement.at[k];
    scree_rotate_back(placement.turn, away, own.centre);
    return own;
}

static scree_status make_outline(const scree_model *model, int shape, const double *q,
                                 const scree_view *view, scree_arena *arena, scree_outline *made,
                                 scree_error *err) {
    const scree_collision_shape *solid = &model->solid[shape];
    *made = (scree_outline){ .body = model->shape[shape].body };
    if (scree_facets_ball(model->shape[shape].kind)) {
        made->ball = true;
        made->radius = solid->radius;
        memcpy(made->centre, solid->vertex, sizeof made->centre);
        return SCREE_OK;
    }
    scree_facets facets;
    scree_facets_view own = view_of_body(model, made->body, q, view);
    scree_status status = scree_facets_make(model, shape, &own, arena, &facets, err);
    if (status) return status;
    made->line = facets.line;
    made->endless = solid->kind == SCREE_COLLISION_HALF_SPACE;
    made->points = facets.points;
    made->point = facets.point;
    made->polygons = facets.polygons;
    made->first = facets.first;
    made->corner = facets.corner;
    return SCREE_OK;
}

scree_status scree_geometry_new(const scree_model *model, const double *q, const scree_view *view,
                                scree_geometry **geometry, scree_error *err) {
    scree_arena arena = { 0 };
    scree_geometry *made = SCREE_NEW(&arena, scree_geometry, 1);
    struct scree_geometry_memory *memory = SCREE_NEW(&arena, struct scree_geometry_memory, 1);
    scree_outline *outline = SCREE_NEW(&arena, scree_outline, model->shapes);
    scree_status status = made && memory && outline
                              ? SCREE_OK
                              : scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE,
                                           "out of memory for %d outlines", model->shapes);
    for (int s = 0; !status && s < model->shapes; s++)
        status = make_outline(model, s, q, view, &arena, &outline[s], err);
    *geometry = NULL;
    if (status) {
        scree_arena_free(&arena);
        return status;
    }
    *made = (scree_geometry){ model->shapes, outline, memory };
    memory->arena = arena;
    *geometry = made;
    return SCREE_OK;
}

void scree_geometry_free(scree_geometry *geometry) {
    if (!geometry) return;
    scree_arena arena = geometry->memory->arena;  // which holds the geometry itself
    scree_arena_free(&arena);
}
