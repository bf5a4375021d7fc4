// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// generate.c - many bodies of one pattern.
// in: a plan, a pattern.   out: bodies and shapes of the model.   work: a scaled copy of the
// shapes.

#include "scree/generate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "model/packing.h"
#include "model/rotation.h"

typedef struct mass {
    double mass, centre[3], inertia[6];
} mass;

typedef struct work {
    scree_model *model;
    const char *name;
    const scree_generator *plan;
    const scree_body_pattern *pattern;
    int space, made;
    double bound;  // the pattern lies within it of its origin
    mass own;      // of the pattern
    uint64_t random;
    scree_arena arena;
    scree_shape *shape;  // about the centre of mass (shapes)
    char *label;         // room for a name
    size_t label_size;
    scree_error *err;
} work;

// one body: where its origin is, how it is turned there, how large it is
typedef struct spot {
    double at[3], turn[4], angle, factor;
    double stretch;  // along the pattern's x axis; walls have half bricks
} spot;

static scree_status bad(work *w, const char *what) {
    return scree_fail(w->err, SCREE_BAD_INPUT, SCREE_NOWHERE, "%s: %s", w->name, what);
}

static scree_status no_memory(work *w) { return scree_fail_memory(w->err, NULL); }

// --- size and mass of the pattern ---------------------------------------------------------------

static double length(const double *x, int count) {
    double square = 0;
    for (int i = 0; i < count; i++) square += x[i] * x[i];
    return sqrt(square);
}

static double farthest_vertex(const scree_shape *shape, int space) {
    double far = 0;
    for (int i = 0; i < shape->vertices; i++)
        far = fmax(far, length(shape->vertex + (size_t)i * (size_t)space, space));
    return far;
}

static double highest(const scree_shape *shape) {
    double high = 0;
    for (long i = 0; i < (long)shape->rows * shape->columns; i++)
        high = fmax(high, fabs(shape->height[i]));
    return high;
}

// the shape lies within this distance of its own origin
static double reach(const scree_shape *shape, int space) {
    switch (shape->kind) {
        case SCREE_POINT:
            return 0;
        case SCREE_DISC:
        case SCREE_SPHERE:
            return shape->radius;
        case SCREE_BOX:
            return length(shape->size, space) / 2;
        case SCREE_CAPSULE:
            return shape->size[0] / 2 + shape->radius;
        case SCREE_CYLINDER:
            return hypot(shape->size[0] / 2, shape->radius);
        case SCREE_POLYGON:
        case SCREE_POLYHEDRON:
            return farthest_vertex(shape, space) + shape->radius;
        case SCREE_CHAIN:
        case SCREE_MESH:
            return farthest_vertex(shape, space);
        case SCREE_HEIGHT_FIELD:
            return hypot(length(shape->size, 2) / 2, highest(shape));
        default:
            return HUGE_VAL;
    }
}

static double bound_of(const scree_body_pattern *pattern, int space) {
    double bound = 0;
    for (int i = 0; i < pattern->shapes; i++)
        bound = fmax(bound, length(pattern->shape[i].at, space) + reach(&pattern->shape[i], space));
    return bound;
}

static void move_to_centre(scree_shape *shape, int shapes, const double centre[3]) {
    for (int i = 0; i < shapes; i++)
        for (int k = 0; k < 3; k++) shape[i].at[k] -= centre[k];
}

// x turned with the body
static void rotate_with_body(const scree_body *body, int space, const double x[3],
                             double turned[3]) {
    double c = cos(body->angle), s = sin(body->angle);
    double flat[3] = { c * x[0] - s * x[1], s * x[0] + c * x[1], 0 };
    if (space == 3)
        scree_rotation_vector(body->orientation, x, turned);
    else
        memcpy(turned, flat, sizeof flat);
}

static void give_mass(scree_body *body, const mass *own, int space, double factor) {
    double volume = pow(factor, space), turned[3], centre[3];
    for (int k = 0; k < 3; k++) centre[k] = factor * own->centre[k];
    rotate_with_body(body, space, centre, turned);
    for (int k = 0; k < space; k++) body->position[k] += turned[k];
    body->mass = own->mass * volume;
    body->inertia = own->inertia[5] * volume * factor * factor;
    for (int k = 0; k < 6; k++) body->tensor[k] = own->inertia[k] * volume * factor * factor;
}

static scree_status measure(const scree_shape *shape, int shapes, int space, double density,
                            mass *own, scree_error *err) {
    *own = (mass){ 0 };
    return scree_shapes_mass(shape, shapes, space, density, &own->mass, own->centre, own->inertia,
                             err);
}

scree_status scree_body_from_density(scree_body *body, scree_shape *shape, int shapes, int space,
                                     double density, scree_error *err) {
    mass own;
    scree_status status = measure(shape, shapes, space, density, &own, err);
    if (status) return status;
    move_to_centre(shape, shapes, own.centre);
    give_mass(body, &own, space, 1);
    return SCREE_OK;
}

// --- one body -----------------------------------------------------------------------------------

// the pattern's shape, larger by a factor and stretched along x
static scree_status scale_shape(work *w, const scree_shape *shape, const spot *s,
                                scree_shape *scaled) {
    *scaled = *shape;
    double f = s->factor;
    for (int k = 0; k < 3; k++) {
        scaled->at[k] *= f;
        scaled->size[k] *= k == 0 ? f * s->stretch : f;
    }
    scaled->radius *= f;
    if (f == 1 && s->stretch == 1) return SCREE_OK;
    double *vertex = SCREE_NEW(&w->arena, double, shape->vertices * w->space);
    double *height = SCREE_NEW(&w->arena, double, ((size_t)shape->rows * (size_t)shape->columns));
    if (!vertex || !height) return no_memory(w);
    for (int i = 0; i < shape->vertices * w->space; i++)
        vertex[i] = shape->vertex[i] * (i % w->space == 0 ? f * s->stretch : f);
    for (long i = 0; i < (long)shape->rows * shape->columns; i++) height[i] = f * shape->height[i];
    scaled->vertex = vertex;
    scaled->height = height;
    return SCREE_OK;
}

static scree_status add_shapes(work *w, const scree_shape *shape) {
    scree_status status = SCREE_OK;
    for (int i = 0; i < w->pattern->shapes && !status; i++) {
        scree_shape own = shape[i];
        own.body = w->model->bodies - 1;
        status = scree_model_add_shape(w->model, &own, w->err);
    }
    return status;
}

static scree_status put(work *w, const spot *s) {
    const scree_body_pattern *pattern = w->pattern;
    scree_body body = pattern->body;
    scree_arena_mark mark = scree_arena_mark_of(&w->arena);
    scree_shape *shape = SCREE_NEW(&w->arena, scree_shape, pattern->shapes);
    if (!shape) return no_memory(w);
    scree_status status = SCREE_OK;
    for (int i = 0; i < pattern->shapes && !status; i++)
        status = scale_shape(w, &w->shape[i], s, &shape[i]);

    snprintf(w->label, w->label_size, "%s-%d", w->name, ++w->made);
    body.name = w->label;
    for (int k = 0; k < w->space; k++) body.position[k] += s->at[k];
    body.angle += s->angle;
    if (w->space == 3) scree_rotation_product(s->turn, body.orientation, body.orientation);
    mass own = w->own;
    if (!status && pattern->density > 0 && s->stretch != 1)
        status = measure(shape, pattern->shapes, w->space, pattern->density, &own, w->err);
    if (pattern->density > 0) give_mass(&body, &own, w->space, s->stretch != 1 ? 1 : s->factor);
    if (!status) status = scree_model_add_body(w->model, &body, w->err);
    if (!status) status = add_shapes(w, shape);
    scree_arena_release(&w->arena, mark);
    return status;
}

// --- what is random -----------------------------------------------------------------------------

static double draw(work *w, double low, double high) {
    return low + (high - low) * scree_random(&w->random);
}

static double draw_radius(work *w) {
    const scree_generator *plan = w->plan;
    double low = plan->radius[0], high = plan->radius[1];
    if (low == high) return low > 0 ? low : w->bound;
    double u = scree_random(&w->random), between = low + (high - low) * u;
    if (plan->sizes == SCREE_SIZES_LOG_UNIFORM) between = low * pow(high / low, u);
    // density of numbers like radius^-space, of volume constant
    if (plan->sizes == SCREE_SIZES_BY_VOLUME && w->space == 2)
        between = low / (1 - u * (1 - low / high));
    if (plan->sizes == SCREE_SIZES_BY_VOLUME && w->space == 3)
        between = low / sqrt(1 - u * (1 - low / high * (low / high)));
    return fmin(fmax(between, low), high);
}

// uniform among all rotations (Shoemake 1992)
static void draw_turn(work *w, spot *s) {
    const double tau = 6.28318530717958647693;
    if (!w->plan->turn) return;
    if (w->space == 2) {
        s->angle = draw(w, 0, tau);
        return;
    }
    double u = scree_random(&w->random), a = draw(w, 0, tau), b = draw(w, 0, tau);
    s->turn[0] = sqrt(1 - u) * sin(a);
    s->turn[1] = sqrt(1 - u) * cos(a);
    s->turn[2] = sqrt(u) * sin(b);
    s->turn[3] = sqrt(u) * cos(b);
}

static spot plain_spot(void) { return (spot){ .turn = { 1, 0, 0, 0 }, .factor = 1, .stretch = 1 }; }

// --- arrangements -------------------------------------------------------------------------------

static scree_status put_on_lattice(work *w, const double at[3]) {
    spot s = plain_spot();
    s.factor = w->plan->radius[1] > 0 ? draw_radius(w) / w->bound : 1;
    draw_turn(w, &s);
    for (int k = 0; k < w->space; k++) {
        s.at[k] = w->plan->origin[k] + at[k];
        if (w->plan->jitter > 0) s.at[k] += draw(w, -w->plan->jitter, w->plan->jitter);
    }
    return put(w, &s);
}

// every other row shifted by half a pitch, every other layer into the hollows of the one below
static void hexagonal_place(const int i[3], const double pitch[3], double at[3]) {
    double p = pitch[0], layer = i[2] % 2;
    at[0] = (i[0] + 0.5 * ((i[1] + i[2]) % 2)) * p;
    at[1] = (i[1] + layer / 3) * p * sqrt(0.75);
    at[2] = i[2] * p * sqrt(2.0 / 3);
}

static scree_status put_lattice(work *w) {
    const scree_generator *plan = w->plan;
    double greatest = plan->radius[1] > 0 ? plan->radius[1] : w->bound, pitch[3], at[3];
    // neighbours may come nearer by the jitter of both
    double near = 2 * greatest + plan->gap + 2 * sqrt(w->space) * plan->jitter;
    for (int k = 0; k < 3; k++) pitch[k] = plan->spacing[k] > 0 ? plan->spacing[k] : near;
    for (int k = 0; k < w->space; k++)
        if (!isfinite(pitch[k])) return bad(w, "the bodies have no end: give spacing");
    scree_status status = SCREE_OK;
    int i[3], layers = w->space == 3 ? plan->count[2] : 1;
    for (i[2] = 0; i[2] < layers; i[2]++)
        for (i[1] = 0; i[1] < plan->count[1]; i[1]++)
            for (i[0] = 0; i[0] < plan->count[0] && !status; i[0]++) {
                for (int k = 0; k < 3; k++) at[k] = i[k] * pitch[k];
                if (plan->arrange != SCREE_GRID) hexagonal_place(i, pitch, at);
                status = put_on_lattice(w, at);
            }
    return status;
}

static scree_status put_random(work *w) {
    const scree_generator *plan = w->plan;
    int count = plan->count[0];
    if (!(w->bound > 0 && isfinite(w->bound)))
        return bad(w, "only bodies of a size can be placed at random");
    double *radius = SCREE_NEW(&w->arena, double, count);
    double *place = SCREE_NEW(&w->arena, double, 3 * (size_t)count);
    if (!radius || !place) return no_memory(w);
    for (int i = 0; i < count; i++) radius[i] = draw_radius(w);
    scree_packing packing = { w->space, count, radius, plan->gap, { 0 }, { 0 } };
    memcpy(packing.low, plan->low, sizeof packing.low);
    memcpy(packing.high, plan->high, sizeof packing.high);
    scree_status status = scree_packing_fill(&packing, &w->random, &w->arena, place, w->err);
    for (int i = 0; i < count && !status; i++) {
        spot s = plain_spot();
        s.factor = plan->radius[1] > 0 ? radius[i] / w->bound : 1;
        memcpy(s.at, place + 3 * (size_t)i, sizeof s.at);
        draw_turn(w, &s);
        status = put(w, &s);
    }
    return status;
}

// from x on, where the next brick begins afterwards
static scree_status put_brick(work *w, double *x, double y, double z, double part) {
    const scree_generator *plan = w->plan;
    double wide = part * plan->brick[0];
    int up = w->space - 1;
    spot s = plain_spot();
    s.stretch = part;
    s.at[1] = plan->origin[1] + y;
    s.at[0] = plan->origin[0] + *x + wide / 2;
    s.at[up] = plan->origin[up] + z;
    *x += wide + plan->gap;
    return put(w, &s);
}

// odd courses begin and end with half a brick, so that both ends are flush and no brick overhangs
static scree_status put_course(work *w, bool odd, double y, double z) {
    const scree_generator *plan = w->plan;
    double half = (plan->brick[0] - plan->gap) / (2 * plan->brick[0]), x = 0;
    int whole = plan->count[0] - odd;
    scree_status status = odd ? put_brick(w, &x, y, z, half) : SCREE_OK;
    for (int i = 0; i < whole && !status; i++) status = put_brick(w, &x, y, z, 1);
    if (odd && !status) status = put_brick(w, &x, y, z, half);
    return status;
}

static scree_status put_wall(work *w) {
    const scree_generator *plan = w->plan;
    int up = w->space - 1, leaves = w->space == 3 && plan->count[2] > 0 ? plan->count[2] : 1;
    if (!(plan->gap < plan->brick[0])) return bad(w, "the gap is wider than a brick");
    scree_status status = SCREE_OK;
    for (int course = 0; course < plan->count[1]; course++)
        for (int leaf = 0; leaf < leaves && !status; leaf++) {
            double y = plan->brick[1] / 2 + leaf * (plan->brick[1] + plan->gap);
            double z = (course + 0.5) * plan->brick[up];
            status = put_course(w, course % 2, w->space == 3 ? y : z, z);
        }
    return status;
}

static scree_status put_tower(work *w) {
    const scree_generator *plan = w->plan;
    if (w->space != 3) return bad(w, "a tower is built in space");
    double room = plan->brick[0] - plan->brick[1];
    const double up[3] = { 0, 0, 1 }, quarter = 1.57079632679489661923;
    scree_status status = SCREE_OK;
    for (int level = 0; level < plan->count[0]; level++)
        for (int i = 0; i < plan->per_level && !status; i++) {
            spot s = plain_spot();
            double across = plan->per_level > 1 ? room * i / (plan->per_level - 1) - room / 2 : 0;
            if (level % 2) scree_rotation_about(up, quarter, s.turn);
            memcpy(s.at, plan->origin, sizeof s.at);
            s.at[level % 2 ? 0 : 1] += across;
            s.at[2] += (level + 0.5) * plan->brick[2];
            status = put(w, &s);
        }
    return status;
}

// --- the whole ----------------------------------------------------------------------------------

static scree_status begin(work *w) {
    const scree_body_pattern *pattern = w->pattern;
    size_t shapes = (size_t)pattern->shapes;
    w->label_size = strlen(w->name) + 16;
    w->label = SCREE_NEW(&w->arena, char, w->label_size);
    w->shape = SCREE_NEW(&w->arena, scree_shape, shapes);
    if (!w->label || !w->shape) return no_memory(w);
    if (shapes) memcpy(w->shape, pattern->shape, shapes * sizeof *w->shape);
    w->bound = bound_of(pattern, w->space);
    if (w->plan->radius[1] > 0 && !(w->bound > 0 && isfinite(w->bound)))
        return bad(w, "only bodies of a size can be scaled to a radius");
    if (!(pattern->density > 0)) return SCREE_OK;
    scree_status status =
        measure(w->shape, pattern->shapes, w->space, pattern->density, &w->own, w->err);
    move_to_centre(w->shape, pattern->shapes, w->own.centre);
    return status;
}

static scree_status put_all(work *w) {
    switch (w->plan->arrange) {
        case SCREE_RANDOM:
            return put_random(w);
        case SCREE_WALL:
            return put_wall(w);
        case SCREE_TOWER:
            return put_tower(w);
        default:
            return put_lattice(w);
    }
}

scree_status scree_generate(scree_model *model, const char *name, const scree_generator *plan,
                            const scree_body_pattern *pattern, scree_error *err) {
    work w = { .model = model,
               .name = name,
               .plan = plan,
               .pattern = pattern,
               .space = model->space,
               .random = plan->seed,
               .err = err };
    scree_status status = begin(&w);
    if (!status) status = put_all(&w);
    scree_arena_free(&w.arena);
    return status;
}
