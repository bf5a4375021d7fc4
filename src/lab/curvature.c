// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// curvature.c - the second derivative of an exact gap along a motion.
// in: a contact, velocities, accelerations.   out: accelerations of gap and sliding.
//
// Planar outlines are made of circles (corners and discs; a sharp corner has radius 0) and lines,
// so that a gap g is one of two functions of the bodies' motion. With D = Ca - Cb from centre to
// centre and t the tangent,
//
//     circle on circle    g = |D| - ra - rb      g'' = n.D'' + (t.D')^2 / |D|
//     circle on line      g = n.D - ra - rb      g'' = n.D'' + 2 w t.D' - w^2 n.D
//
// where w is the spin of the body whose line it is, n turns with it, and Cb is the point of that
// body below the centre of the circle.

#include "lab/curvature.h"

#include <math.h>

static const double at_corner = 1e-9;  // of the lengths: closer than that a vertex is the one

typedef struct side {
    double x[2], v[2], spin;  // of the centre of mass
    double a[2], turn;        // their rates
    bool rounded;             // touches with a vertex
    double centre[2];         // that vertex, or the point of the line below the other's
    double radius;
} side;

static scree_status make_side(const scree_stepper *stepper, int body, const double *a, side *s,
                              scree_error *err) {
    const scree_model *model = stepper->model;
    const scree_state *state = &stepper->record.after;
    *s = (side){ 0 };
    if (model->body[body].driven)
        return scree_fail(
            err, SCREE_BAD_INPUT, SCREE_NOWHERE,
            "the body \"%s\" is driven: the acceleration of its contacts is not known",
            model->body[body].name);
    for (int k = 0; k < 2; k++) s->x[k] = state->q[3L * body + k];
    if (!scree_body_moves(&model->body[body])) return SCREE_OK;
    for (int k = 0; k < 2; k++) {
        s->v[k] = state->v[3L * body + k];
        s->a[k] = a[3L * body + k];
    }
    s->spin = state->v[3L * body + 2];
    s->turn = a[3L * body + 2];
    return SCREE_OK;
}

static void velocity_at(const side *s, const double p[2], double out[2]) {
    out[0] = s->v[0] - s->spin * (p[1] - s->x[1]);
    out[1] = s->v[1] + s->spin * (p[0] - s->x[0]);
}

static void acceleration_at(const side *s, const double p[2], double out[2]) {
    double r[2] = { p[0] - s->x[0], p[1] - s->x[1] };
    out[0] = s->a[0] - s->turn * r[1] - s->spin * s->spin * r[0];
    out[1] = s->a[1] + s->turn * r[0] - s->spin * s->spin * r[1];
}

static double size_at(const side *s, const double p[2]) {
    double r = hypot(p[0] - s->x[0], p[1] - s->x[1]);
    return fabs(s->a[0]) + fabs(s->a[1]) + (fabs(s->turn) + s->spin * s->spin) * r;
}

// does the shape touch with a vertex? Its outline there is a circle around it
static void find_vertex(const scree_stepper *stepper, int i, int which, double away, side *s) {
    const scree_contact_set *set = &stepper->set;
    const scree_contact *contact = &set->contact[i];
    const int *shapes = set->shapes + 3 * (size_t)i;
    const scree_collision_shape *solid = &stepper->model->solid[shapes[which]];
    const scree_pose *pose = &set->pose[which ? contact->b : contact->a];
    bool piece = which && shapes[2] >= 0;
    int count = piece ? 2 : solid->kind == SCREE_COLLISION_CONVEX ? solid->vertices : 0;
    s->radius = solid->kind == SCREE_COLLISION_CONVEX ? solid->radius : 0;
    double nearest = at_corner * set->gap_scale[i];
    for (int k = 0; k < count; k++) {
        int vertex = piece ? solid->surface.piece[2 * shapes[2] + k] : k;
        const double *X = solid->vertex + 3L * vertex, *R = pose->turn;
        double at[2] = { pose->at[0] + R[0] * X[0] + R[1] * X[1],
                         pose->at[1] + R[3] * X[0] + R[4] * X[1] };
        double far = hypot(at[0] - contact->point[0] - away * s->radius * contact->normal[0],
                           at[1] - contact->point[1] - away * s->radius * contact->normal[1]);
        if (!(far <= nearest)) continue;
        nearest = far;
        s->rounded = true;
        s->centre[0] = at[0];
        s->centre[1] = at[1];
    }
}

static scree_status find_outlines(const scree_stepper *stepper, int i, side *a, side *b,
                                  scree_error *err) {
    const double *n = stepper->set.contact[i].normal;
    find_vertex(stepper, i, 0, 1, a);
    find_vertex(stepper, i, 1, -1, b);
    double apart = a->radius + b->radius;
    if (a->rounded && b->rounded && apart == 0)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "a sharp corner stands on a sharp corner: the gap has no curvature");
    if (!a->rounded && !b->rounded)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "no corner was found where the contact is: flat on flat");
    for (int k = 0; k < 2; k++) {
        if (!a->rounded) a->centre[k] = b->centre[k] + apart * n[k];
        if (!b->rounded) b->centre[k] = a->centre[k] - apart * n[k];
    }
    return SCREE_OK;
}

static double bend(const side *a, const side *b, const double *n, const double *t) {
    double va[2], vb[2], aa[2], ab[2];
    velocity_at(a, a->centre, va);
    velocity_at(b, b->centre, vb);
    acceleration_at(a, a->centre, aa);
    acceleration_at(b, b->centre, ab);
    double along = t[0] * (va[0] - vb[0]) + t[1] * (va[1] - vb[1]);
    double straight = n[0] * (aa[0] - ab[0]) + n[1] * (aa[1] - ab[1]);
    double apart = a->radius + b->radius;
    if (a->rounded && b->rounded) return straight + along * along / apart;
    double w = b->rounded ? a->spin : b->spin;
    return straight + 2 * w * along - w * w * apart;
}

static scree_status of_bodies(const scree_stepper *stepper, int i, const double *a, double out[2],
                              double *size, scree_error *err) {
    const scree_contact *contact = &stepper->set.contact[i];
    const double *n = contact->normal, *t = contact->tangent;
    side one, two;
    scree_status status = make_side(stepper, contact->a, a, &one, err);
    if (!status) status = make_side(stepper, contact->b, a, &two, err);
    if (!status) status = find_outlines(stepper, i, &one, &two, err);
    if (status) return status;
    double here[2], there[2];
    acceleration_at(&one, contact->point, here);
    acceleration_at(&two, contact->point, there);
    out[0] = bend(&one, &two, n, t);
    out[1] = t[0] * (here[0] - there[0]) + t[1] * (here[1] - there[1]);
    *size = size_at(&one, contact->point) + size_at(&two, contact->point);
    return SCREE_OK;
}

// gap = n.q + offset, sliding = t.v - surface
static scree_status of_system(const scree_stepper *stepper, int i, const double *a, double out[2],
                              double *size, scree_error *err) {
    const scree_model *model = stepper->model;
    scree_contact_key key = scree_contact_id_unpack(stepper->set.contact[i].id);
    const scree_matrix_contact *row = &model->matrix_contact[key.a];
    if (row->offset.at)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the gap of \"%s\" depends on time: its acceleration is not known",
                          row->name);
    double rate = 0;
    if (row->surface[0].at) scree_function_at(&row->surface[0], stepper->record.after.time, &rate);
    const double *own = a + (long)model->bodies * model->body_dofs;
    out[0] = 0;
    out[1] = -rate;
    *size = fabs(rate);
    for (int j = 0; j < model->system.coordinates; j++) {
        double across = row->tangents ? row->tangent[j] : 0;
        out[0] += row->normal[j] * own[j];
        out[1] += across * own[j];
        *size += (fabs(row->normal[j]) + fabs(across)) * fabs(own[j]);
    }
    return SCREE_OK;
}

scree_status scree_curvature_find(const scree_stepper *stepper, int i, const double *a,
                                  double out[2], double *size, scree_error *err) {
    return scree_contact_id_source(stepper->set.contact[i].id) == SCREE_SOURCE_ROWS
               ? of_system(stepper, i, a, out, size, err)
               : of_bodies(stepper, i, a, out, size, err);
}
