// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// events_bodies.c - rigid bodies in the plane at one moment, for the event-driven scheme.
// in: a model of few bodies; t, q, v.   out: a view.
//
//     u = (n, t).(V_a - V_b)(x),   du/dt = H a + drift,
//     drift = (n', t').(V_a - V_b) + (n, t).(spin_a J(x' - v_a) - spin_b J(x' - v_b) + prescribed)
//
// with x the place of contact, x' its velocity and n' = turn J n: exact, whatever the features.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/events_system.h"
#include "lab/events_touch.h"
#include "model/inertia.h"
#include "model/joint.h"
#include "model/memory.h"

enum { N = SCREE_SMALL_N, WIDTH = 3 };

static const double NEAR = 1e-3;  // of the lengths that make a gap: cannot touch beyond

struct scree_planar_system {
    const scree_model *model;
    double step;
    int n, pairs;
    scree_touch_pair pair[SCREE_SMALL_C];
    int feature[SCREE_SMALL_C];  // that touches; -1: the state says
    double position[N], velocity[N];
    scree_moving_frame *frame;  // (bodies)
    double *q, *v, *force;      // of the model (dofs)
};

// -------------------------------------------------------------------------------------------------
// bodies

static void show(const void *from, double t, const double *q, const double *v, double *q_all,
                 double *v_all) {
    const scree_planar_system *self = from;
    const scree_model *model = self->model;
    for (int i = 0, k = 0; i < model->bodies; i++) {
        const scree_body *body = &model->body[i];
        double *x = q_all + (long)i * WIDTH, *u = v_all + (long)i * WIDTH;
        memset(u, 0, WIDTH * sizeof *u);
        if (scree_body_moves(body)) {
            memcpy(x, q + k, WIDTH * sizeof *x);
            memcpy(u, v + k, WIDTH * sizeof *u);
            k += WIDTH;
            continue;
        }
        memcpy(x, body->position, 2 * sizeof *x);
        x[2] = body->angle;
        for (int c = 0; c < WIDTH && body->driven; c++)
            x[c] += scree_function_at(c < 2 ? &body->path.along[c] : &body->path.angle, t, &u[c]);
    }
}

static void place_bodies(const scree_planar_system *self, double t, const double *q,
                         const double *v) {
    const scree_model *model = self->model;
    show(self, t, q, v, self->q, self->v);
    for (int i = 0, dof = 0; i < model->bodies; i++) {
        const scree_body *body = &model->body[i];
        const double *x = self->q + (long)i * WIDTH, *u = self->v + (long)i * WIDTH;
        scree_moving_frame *f = &self->frame[i];
        *f = (scree_moving_frame){ { x[0], x[1] }, x[2],  cos(x[2]), sin(x[2]), { u[0], u[1] },
                                   u[2],           { 0 }, 0,         -1 };
        if (scree_body_moves(body)) {
            f->dof = dof;
            dof += WIDTH;
        }
        if (!body->driven) continue;
        double delta = self->step / 16;
        for (int k = 0; k < 2; k++)
            f->a[k] = scree_small_system_second_rate(&body->path.along[k], t, delta);
        f->spin_rate = scree_small_system_second_rate(&body->path.angle, t, delta);
    }
}

// -------------------------------------------------------------------------------------------------
// contacts

// what body f adds to row d of a contact at x; sign: 1 of a, -1 of b
static void add_side(const scree_moving_frame *f, const scree_touch *touch, const double d[2],
                     double sign, double *row, double *w, double *drift) {
    const double *x = touch->point;
    double arm = (x[0] - f->at[0]) * d[1] - (x[1] - f->at[1]) * d[0];
    double y[2] = { touch->point_v[0] - f->v[0], touch->point_v[1] - f->v[1] };
    *drift += sign * f->spin * (y[0] * d[1] - y[1] * d[0]);
    if (f->dof >= 0) {
        for (int k = 0; k < 2; k++) row[f->dof + k] += sign * d[k];
        row[f->dof + 2] += sign * arm;
        return;
    }
    *w += sign * (d[0] * f->v[0] + d[1] * f->v[1] + arm * f->spin);
    *drift += sign * (d[0] * f->a[0] + d[1] * f->a[1] + arm * f->spin_rate);
}

static double relative(const scree_moving_frame *a, const scree_moving_frame *b, const double x[2],
                       const double d[2]) {
    double va[2] = { a->v[0] - a->spin * (x[1] - a->at[1]), a->v[1] + a->spin * (x[0] - a->at[0]) };
    double vb[2] = { b->v[0] - b->spin * (x[1] - b->at[1]), b->v[1] + b->spin * (x[0] - b->at[0]) };
    return d[0] * (va[0] - vb[0]) + d[1] * (va[1] - vb[1]);
}

static void evaluate_contact(const scree_planar_system *self, int c, scree_evaluation *view) {
    const scree_touch_pair *pair = &self->pair[c];
    const scree_moving_frame *a = &self->frame[pair->a], *b = &self->frame[pair->b];
    scree_touch touch;
    scree_touch_find(pair, a, b, self->feature[c], &touch);
    const double n[2] = { touch.normal[0], touch.normal[1] }, t[2] = { -n[1], n[0] };
    double speed = hypot(a->v[0] - b->v[0], a->v[1] - b->v[1]);
    view->gap[c] = touch.gap;
    view->range[c] = touch.range;
    view->length[c] = scree_touch_length(pair, a, b) + fabs(touch.gap) + self->step * speed;
    view->far[c] = self->feature[c] < 0 && touch.gap > NEAR * view->length[c];
    for (int k = 0; k < 2; k++) {
        double *row = view->H[c][k];
        memset(row, 0, (size_t)view->n * sizeof *row);
        view->w[c][k] = 0;
        // n' = turn t, t' = -turn n
        view->drift[c][k] = (k ? -touch.turn : touch.turn) * relative(a, b, touch.point, k ? n : t);
        add_side(a, &touch, k ? t : n, 1, row, &view->w[c][k], &view->drift[c][k]);
        add_side(b, &touch, k ? t : n, -1, row, &view->w[c][k], &view->drift[c][k]);
    }
}

static void attach(const void *from, double t, const double *q, const double *v,
                   const double *length) {
    const scree_planar_system *self = from;
    scree_planar_system *own = (scree_planar_system *)self;
    place_bodies(self, t, q, v);
    for (int c = 0; c < self->pairs; c++) {
        const scree_touch_pair *pair = &self->pair[c];
        const scree_moving_frame *a = &self->frame[pair->a], *b = &self->frame[pair->b];
        double size = fmax(length[c], scree_touch_length(pair, a, b));
        own->feature[c] = scree_touch_choose(pair, a, b, 8 * SCREE_SMALL_TOUCH * size);
    }
}

static void release(const void *from, const scree_contact_mode *phase) {
    scree_planar_system *self = (scree_planar_system *)from;
    for (int c = 0; c < self->pairs; c++)
        if (phase[c] == SCREE_MODE_OPEN) self->feature[c] = -1;
}

static void describe(const void *from, int c, double t, const double *q, const double *v,
                     scree_contact *out) {
    const scree_planar_system *self = from;
    const scree_touch_pair *pair = &self->pair[c];
    bool lower = pair->shape_a < pair->shape_b;
    scree_touch touch;
    place_bodies(self, t, q, v);
    scree_touch_find(pair, &self->frame[pair->a], &self->frame[pair->b], self->feature[c], &touch);
    out->a = pair->a;
    out->b = pair->b;
    out->id = scree_contact_id_pack(SCREE_SOURCE_SHAPES,
                                    (uint64_t)(lower ? pair->shape_a : pair->shape_b),
                                    (uint64_t)(lower ? pair->shape_b : pair->shape_a),
                                    (uint64_t)(2 * pair->corner) | (uint64_t)!lower << 20);
    memcpy(out->normal, touch.normal, sizeof touch.normal);
    memcpy(out->point, touch.point, sizeof touch.point);
    out->tangent[0] = -touch.normal[1];
    out->tangent[1] = touch.normal[0];
}

static const char *name_of(const void *from, int c, char room[SCREE_EVENT_NAME]) {
    const scree_planar_system *self = from;
    const scree_touch_pair *pair = &self->pair[c];
    const char *a = self->model->body[pair->a].name, *b = self->model->body[pair->b].name;
    if (self->model->solid[pair->shape_a].vertices > 1)
        snprintf(room, SCREE_EVENT_NAME, "%.32s corner %d on %.32s", a, pair->corner + 1, b);
    else
        snprintf(room, SCREE_EVENT_NAME, "%.32s on %.32s", a, b);
    return room;
}

// -------------------------------------------------------------------------------------------------
// loads and energies

// F(t) and forces that see the state, on all bodies
static void find_forces(const scree_planar_system *self, double t) {
    const scree_model *model = self->model;
    const scree_mean_forces *mean = &model->memory->mean_forces;
    scree_state state = { 0, t, self->q, self->v };
    scree_error ignored = { 0 };
    scree_inertia_load(model, t, self->force);
    // a force that fails has no value, and the scheme says so
    if (model->force && model->force(model->force_data, &state, self->force, &ignored))
        for (int i = 0; i < model->dofs; i++) self->force[i] = NAN;
    if (mean->at) mean->at(mean->self, &state, self->force);
}

static void evaluate_bodies(const void *from, double t, const double *q, const double *v,
                            scree_evaluation *view) {
    const scree_planar_system *self = from;
    const scree_model *model = self->model;
    int n = view->n;
    place_bodies(self, t, q, v);
    find_forces(self, t);
    memset(view->L, 0, (size_t)(n * n) * sizeof *view->L);
    view->load_power = view->damping_power = 0;
    for (int b = 0; b < model->bodies; b++) {
        int dof = self->frame[b].dof;
        for (int k = 0; dof >= 0 && k < WIDTH; k++) {
            double mass = k < 2 ? model->body[b].mass : model->body[b].inertia;
            double weight = k < 2 ? mass * model->gravity[k] : 0, load = self->force[b * WIDTH + k];
            view->L[(dof + k) * n + dof + k] = sqrt(mass);
            view->force[dof + k] = weight + load;
            view->size[dof + k] = fabs(weight) + fabs(load);
            view->load_power += load * v[dof + k];
        }
    }
    for (int c = 0; c < view->contacts; c++) evaluate_contact(self, c, view);
}

static scree_small_energy energy_of(const void *from, const double *q, const double *v) {
    const scree_model *model = ((const scree_planar_system *)from)->model;
    scree_small_energy energy = { 0 };
    for (int b = 0; b < model->bodies; b++) {
        const scree_body *body = &model->body[b];
        if (!scree_body_moves(body)) continue;
        for (int k = 0; k < WIDTH; k++) {
            double twice = (k < 2 ? body->mass : body->inertia) * v[k] * v[k];
            double fall = k < 2 ? body->mass * model->gravity[k] * q[k] : 0;
            energy.kinetic += twice / 2;
            energy.potential -= fall;
            energy.size += twice + fabs(fall);
        }
        q += WIDTH;
        v += WIDTH;
    }
    return energy;
}

static double shift_work(const void *from, const double *q, const double *v, const double *way) {
    const scree_model *model = ((const scree_planar_system *)from)->model;
    double work = 0;
    (void)q;
    (void)v;
    for (int b = 0; b < model->bodies; b++) {
        if (!scree_body_moves(&model->body[b])) continue;
        for (int k = 0; k < 2; k++) work -= model->body[b].mass * model->gravity[k] * way[k];
        way += WIDTH;
    }
    return work;
}

// -------------------------------------------------------------------------------------------------
// pairs

static bool is_round(const scree_collision_shape *solid) {
    return solid->kind == SCREE_COLLISION_CONVEX && solid->vertices == 1;
}

// unit, from one vertex to another
static void direction(const double *from, const double *to, double way[2]) {
    double dx = to[0] - from[0], dy = to[1] - from[1], length = hypot(dx, dy);
    way[0] = dx / length;
    way[1] = dy / length;
}

// the corners of shape i against the solid of shape j
static scree_status add_corners(scree_planar_system *self, int i, int j, scree_error *err) {
    const scree_collision_shape *one = &self->model->solid[i], *two = &self->model->solid[j];
    for (int k = 0; k < one->vertices; k++) {
        if (self->pairs == SCREE_SMALL_C)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "event-driven is for few contacts: corners of bodies could touch in "
                              "more than %d ways",
                              SCREE_SMALL_C);
        const double *x = one->vertex + 3L * k;
        scree_touch_pair *pair = &self->pair[self->pairs++];
        *pair = (scree_touch_pair){ .a = self->model->shape[i].body,
                                    .b = self->model->shape[j].body,
                                    .shape_a = i,
                                    .shape_b = j,
                                    .corner = k,
                                    .place = { x[0], x[1] },
                                    .radius = one->radius,
                                    .solid = two };
        if (one->vertices == 1) continue;
        direction(x, one->vertex + 3L * ((k + 1) % one->vertices), pair->ahead);
        direction(x, one->vertex + 3L * ((k ? k : one->vertices) - 1), pair->behind);
    }
    return SCREE_OK;
}

static scree_status add_shapes(scree_planar_system *self, int i, int j, scree_error *err) {
    const scree_model *model = self->model;
    const scree_collision_shape *one = &model->solid[i], *two = &model->solid[j];
    int a = model->shape[i].body, b = model->shape[j].body;
    bool moves = scree_body_moves(&model->body[a]) || scree_body_moves(&model->body[b]);
    if (a == b || !moves || scree_model_law(model, a, b)->apart) return SCREE_OK;
    bool first_flat = one->kind == SCREE_COLLISION_HALF_SPACE,
         second_flat = two->kind == SCREE_COLLISION_HALF_SPACE;
    if (first_flat && second_flat) return SCREE_OK;
    if (is_round(one) && is_round(two) && one->radius + two->radius == 0) return SCREE_OK;
    // a disc meets a polygon where it is nearest; sharp corners meet edges, each way
    if (second_flat || (is_round(one) && is_round(two)) || is_round(one))
        return add_corners(self, i, j, err);
    if (first_flat || is_round(two)) return add_corners(self, j, i, err);
    scree_status status = add_corners(self, i, j, err);
    return status ? status : add_corners(self, j, i, err);
}

static scree_status check_shape(const scree_model *model, int i, scree_error *err) {
    const scree_collision_shape *solid = &model->solid[i];
    const char *name = model->body[model->shape[i].body].name;
    if (solid->kind == SCREE_COLLISION_SURFACE)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "body %s: event-driven takes points, discs, polygons and half-planes, "
                          "not chains: give convex pieces",
                          name);
    if (solid->vertices > 1 && solid->radius > 0)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "body %s: event-driven takes points, discs, polygons and half-planes, "
                          "not capsules and rounded polygons",
                          name);
    return SCREE_OK;
}

static scree_status check_body(const scree_body *body, scree_error *err) {
    if (body->birth_time > 0 || body->removal_time > 0 || body->deposit)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "body %s: event-driven takes bodies that are there throughout, without "
                          "birth and removal",
                          body->name);
    return SCREE_OK;
}

static scree_status check_law(const scree_model *model, int a, int b, scree_error *err) {
    const scree_law *law = scree_model_law(model, a, b);
    const char *what = law->impact == SCREE_IMPACT_FREMOND ? "Fremond's impact law, which belongs "
                                                             "to a step"
                       : law->tangential_restitution > 0   ? "tangential restitution"
                       : law->cohesion > 0                 ? "cohesion"
                       : scree_law_friction_varies(law)    ? "friction that varies"
                                                           : NULL;
    if (!what) return SCREE_OK;
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                      "bodies %s and %s: event-driven knows restitution and friction, not %s",
                      model->body[a].name, model->body[b].name, what);
}

static scree_status check(const scree_model *model, int moving, scree_error *err) {
    const char *what = model->space == 3 ? "bodies in space"
                       : model->joints   ? "joints, springs, motors and held coordinates"
                       : model->periodic ? "a world that repeats itself"
                       : model->memory->sources || model->memory->rows > 1
                           ? "parts and contacts of a program's own"
                           : NULL;
    if (what)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "event-driven is for few free bodies in the plane: it does not take %s",
                          what);
    if (moving * WIDTH > N)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "event-driven takes up to %d bodies that move, found %d", N / WIDTH,
                          moving);
    scree_status status = SCREE_OK;
    for (int i = 0; !status && i < model->bodies; i++) status = check_body(&model->body[i], err);
    for (int i = 0; !status && i < model->shapes; i++) status = check_shape(model, i, err);
    return status;
}

static scree_status find_pairs(scree_planar_system *self, scree_small_system *small,
                               scree_error *err) {
    const scree_model *model = self->model;
    scree_status status = SCREE_OK;
    for (int i = 0; i < model->shapes; i++)
        for (int j = i + 1; j < model->shapes && !status; j++) status = add_shapes(self, i, j, err);
    for (int c = 0; c < self->pairs && !status; c++) {
        const scree_touch_pair *pair = &self->pair[c];
        status = check_law(model, pair->a, pair->b, err);
        small->friction[c] = scree_model_law(model, pair->a, pair->b)->friction;
        small->restitution[c] = scree_model_law(model, pair->a, pair->b)->restitution;
        self->feature[c] = -1;
    }
    return status;
}

static void place_start(scree_planar_system *self) {
    for (int i = 0; i < self->model->bodies; i++) {
        const scree_body *body = &self->model->body[i];
        if (!scree_body_moves(body)) continue;
        memcpy(self->position + self->n, body->position, 2 * sizeof(double));
        memcpy(self->velocity + self->n, body->velocity, 2 * sizeof(double));
        self->position[self->n + 2] = body->angle;
        self->velocity[self->n + 2] = body->spin;
        self->n += WIDTH;
    }
}

scree_status scree_planar_system_make(const scree_model *model, double step,
                                      scree_planar_system **system, scree_small_system *small,
                                      scree_error *err) {
    int moving = 0;
    for (int i = 0; i < model->bodies; i++) moving += scree_body_moves(&model->body[i]);
    scree_status status = check(model, moving, err);
    if (status) return status;
    scree_planar_system *self = *system = calloc(1, sizeof *self);
    if (self) {
        self->frame = calloc((size_t)model->bodies, sizeof *self->frame);
        self->q = calloc(3 * (size_t)model->dofs, sizeof *self->q);
    }
    if (!self || !self->frame || !self->q) return scree_fail_memory(err, NULL);
    self->model = model;
    self->step = step;
    self->v = self->q + model->dofs;
    self->force = self->v + model->dofs;
    place_start(self);
    *small = (scree_small_system){ .n = self->n,
                                   .coordinates = model->coordinates,
                                   .source = SCREE_SOURCE_SHAPES,
                                   .self = self,
                                   .evaluate = evaluate_bodies,
                                   .energy = energy_of,
                                   .shift_work = shift_work,
                                   .name = name_of,
                                   .show = show,
                                   .describe = describe,
                                   .attach = attach,
                                   .release = release,
                                   .position = self->position,
                                   .velocity = self->velocity };
    status = find_pairs(self, small, err);
    small->contacts = self->pairs;
    return status;
}

void scree_planar_system_free(scree_planar_system *system) {
    if (!system) return;
    free(system->frame);
    free(system->q);
    free(system);
}
