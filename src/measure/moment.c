// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// moment.c - a stored moment: who is there, where, and what the contacts bear.

#include "measure/moment.h"

#include <math.h>
#include <string.h>

#include "model/collision_shape.h"
#include "model/inertia.h"
#include "model/period.h"
#include "scree/geometry.h"

const scree_contact *scree_moment_contact(const scree_moment *moment, int i) {
    return (const scree_contact *)(const void *)((const char *)(const void *)moment->contact +
                                                 (size_t)i * moment->stride);
}

bool scree_moment_grain(const scree_moment *moment, int side) {
    const scree_model *model = moment->model;
    return side >= 0 && side < model->bodies && scree_body_moves(&model->body[side]) &&
           scree_body_present(&model->body[side], moment->time);
}

bool scree_moment_bears(const scree_moment *moment, const scree_contact *contact) {
    return contact->a >= 0 && contact->b >= 0 && contact->a < moment->model->bodies &&
           contact->b < moment->model->bodies &&
           (contact->status == SCREE_CONTACT_STICK || contact->status == SCREE_CONTACT_SLIP) &&
           contact->impulse[0] != 0;
}

const double *scree_moment_centre(const scree_moment *moment, int body) {
    return moment->q + (long)body * moment->model->body_coordinates;
}

void scree_moment_place(const scree_moment *moment, int body, double centre[3]) {
    const double *q = scree_moment_centre(moment, body);
    for (int k = 0; k < 3; k++) centre[k] = k < moment->model->space ? q[k] : 0;
    scree_period_wrap(moment->model, centre);
}

void scree_moment_arm(const scree_moment *moment, const scree_contact *contact, int body,
                      double arm[3]) {
    const double *q = scree_moment_centre(moment, body);
    double shift[3];
    for (int k = 0; k < 3; k++) arm[k] = k < moment->model->space ? contact->point[k] - q[k] : 0;
    scree_period_shift(moment->model, arm, shift);
    for (int k = 0; k < 3; k++) arm[k] += shift[k];
}

double scree_moment_force(const scree_moment *moment, int i, double force[3]) {
    const scree_contact *c = scree_moment_contact(moment, i);
    const double *n = c->normal, *t = c->tangent;
    const double second[3] = { n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2],
                               n[0] * t[1] - n[1] * t[0] };
    bool space = moment->model->space == 3;
    for (int k = 0; k < 3; k++)
        force[k] = (n[k] * c->impulse[0] + t[k] * c->impulse[1] +
                    (space ? second[k] * c->impulse[2] : 0)) /
                   moment->step;
    return c->impulse[0] / moment->step;
}

bool scree_region_holds(const scree_region *region, int space, const double *x) {
    for (int k = 0; k < space; k++)
        if (!(x[k] >= region->low[k] && x[k] <= region->high[k])) return false;
    return true;
}

double scree_region_volume(const scree_region *region, int space) {
    double volume = 1;
    for (int k = 0; k < space; k++) volume *= region->high[k] - region->low[k];
    return volume;
}

scree_region scree_region_around(const scree_moment *moment) {
    const scree_model *model = moment->model;
    scree_region region = { { 0 }, { 0 } };
    for (int k = 0; k < model->space; k++) {
        region.low[k] = HUGE_VAL;
        region.high[k] = -HUGE_VAL;
    }
    for (int s = 0; s < model->shapes; s++) {
        const scree_collision_shape *solid = &model->solid[s];
        int body = model->shape[s].body;
        if (!scree_moment_grain(moment, body) || !isfinite(solid->bound)) continue;
        scree_placement at;
        scree_geometry_place(model, body, moment->q, &at);
        for (int i = 0; i < solid->vertices; i++) {
            double x[3];
            scree_placement_apply(&at, solid->vertex + 3 * (long)i, x);
            for (int k = 0; k < model->space; k++) {
                region.low[k] = fmin(region.low[k], x[k] - solid->radius);
                region.high[k] = fmax(region.high[k], x[k] + solid->radius);
            }
        }
    }
    return region;
}
