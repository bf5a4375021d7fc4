// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// model.c - building a model: every number is checked here, so that the stages behind trust it.
// in: definitions of bodies, shapes, matrices, laws.   out: a model, constant after finish.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/dense.h"
#include "scree/model.h"

typedef struct law_row {
    int a, b;
    scree_law law;
} law_row;

struct scree_model_memory {
    scree_arena arena;
    int body_room, shape_room, law_room, contact_room;
    int laws;
    law_row *law;
    bool finished;
};

double scree_function_at(const scree_function *function, double t, double *rate) {
    *rate = 0;
    return function->at ? function->at(function->self, t, rate) : function->constant;
}

scree_model *scree_model_new(void) {
    scree_model *model = calloc(1, sizeof *model);
    if (!model) return NULL;
    model->memory = calloc(1, sizeof *model->memory);
    if (!model->memory) {
        free(model);
        return NULL;
    }
    model->dimension = 2;
    return model;
}

void scree_model_free(scree_model *model) {
    if (!model) return;
    free(model->body);
    free(model->shape);
    free(model->row_contact);
    free(model->memory->law);
    scree_arena_free(&model->memory->arena);
    free(model->memory);
    free(model);
}

void scree_model_set_gravity(scree_model *model, double x, double y) {
    model->gravity[0] = x;
    model->gravity[1] = y;
}

// room for one more entry in a growing array; NULL when memory ran out, the old array stays valid
static void *grow(void *array, int count, int *room, size_t size) {
    if (count < *room) return array;
    int more = *room ? 2 * *room : 8;
    void *grown = realloc(array, (size_t)more * size);
    if (grown) *room = more;
    return grown;
}

static scree_status no_memory(scree_error *err) {
    return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE,
                      "out of memory while building the model");
}

static scree_status bad(scree_error *err, const char *what, const char *name) {
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "%s \"%s\"", what, name);
}

static bool all_finite(const double *x, int count) {
    for (int i = 0; i < count; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

// a constant that is no number; what a function of time gives is looked at when it is used
static bool no_number(const scree_function *function, int count) {
    for (int i = 0; i < count; i++)
        if (!function[i].at && !isfinite(function[i].constant)) return true;
    return false;
}

static scree_status finished(scree_error *err) {
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the model is finished already");
}

scree_status scree_model_add_body(scree_model *model, const scree_body *body, scree_error *err) {
    const char *name = body->name ? body->name : "";
    if (model->memory->finished) return finished(err);
    if (no_number(body->force, 3)) return bad(err, "force must be finite: body", name);
    if (!body->fixed && !(body->mass > 0 && isfinite(body->mass)))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "body \"%s\": mass must be positive, got %g", name, body->mass);
    if (!body->fixed && !(body->inertia > 0 && isfinite(body->inertia)))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "body \"%s\": inertia must be positive, got %g", name, body->inertia);
    if (!all_finite(body->position, 2) || !all_finite(body->velocity, 2) ||
        !isfinite(body->angle) || !isfinite(body->spin))
        return bad(err, "position and velocity must be finite: body", name);
    if (body->fixed && (body->velocity[0] != 0 || body->velocity[1] != 0 || body->spin != 0))
        return bad(err, "a fixed body has no velocity: body", name);
    if (model->system.coordinates) return bad(err, "bodies come before the system: body", name);

    scree_body *array = grow(model->body, model->bodies, &model->memory->body_room, sizeof *array);
    char *copy = scree_arena_text(&model->memory->arena, name, strlen(name));
    if (array) model->body = array;
    if (!array || !copy) return no_memory(err);
    array[model->bodies] = *body;
    array[model->bodies].name = copy;
    model->bodies++;
    model->dofs += 3;
    return SCREE_OK;
}

scree_status scree_model_add_shape(scree_model *model, const scree_shape *shape, scree_error *err) {
    if (model->memory->finished) return finished(err);
    if (shape->body < 0 || shape->body >= model->bodies)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "a shape of body %d, which is not",
                          shape->body);
    const char *name = model->body[shape->body].name;
    if (!all_finite(shape->at, 2)) return bad(err, "a shape's place must be finite: body", name);
    scree_shape copy = *shape;
    if (shape->kind != SCREE_DISC) copy.radius = 0;
    if (shape->kind == SCREE_DISC && !(shape->radius > 0 && isfinite(shape->radius)))
        return bad(err, "a disc's radius must be positive: body", name);
    if (shape->kind == SCREE_HALF_PLANE) {
        double length = hypot(shape->normal[0], shape->normal[1]);
        if (!(length > 0 && isfinite(length)))
            return bad(err, "a half-plane's normal must have a length: body", name);
        copy.normal[0] /= length;
        copy.normal[1] /= length;
    }

    scree_shape *array =
        grow(model->shape, model->shapes, &model->memory->shape_room, sizeof *array);
    if (!array) return no_memory(err);
    model->shape = array;
    array[model->shapes++] = copy;
    return SCREE_OK;
}

static scree_status check_law(scree_law law, scree_error *err) {
    if (!(law.restitution >= 0 && law.restitution <= 1))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "restitution must be between 0 and 1, got %g", law.restitution);
    if (!(law.friction >= 0 && isfinite(law.friction)))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "friction must not be negative, got %g", law.friction);
    return SCREE_OK;
}

scree_status scree_model_add_law(scree_model *model, int a, int b, scree_law law,
                                 scree_error *err) {
    if (model->memory->finished) return finished(err);
    scree_status status = check_law(law, err);
    if (status) return status;
    if (a < -1 || b < -1 || a >= model->bodies || b >= model->bodies)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "a law between bodies %d and %d: no such body", a, b);
    struct scree_model_memory *memory = model->memory;
    law_row *array = grow(memory->law, memory->laws, &memory->law_room, sizeof *array);
    if (!array) return no_memory(err);
    memory->law = array;
    array[memory->laws++] = (law_row){ a, b, law };
    return SCREE_OK;
}

static double *copy_numbers(scree_arena *arena, const double *x, int count) {
    double *copy = SCREE_NEW(arena, double, count);
    if (copy && x) memcpy(copy, x, (size_t)count * sizeof *x);
    return copy;
}

static scree_status check_matrix(const double *matrix, int n, const char *name, scree_error *err) {
    if (!matrix) return SCREE_OK;
    if (!all_finite(matrix, n * n))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "%s has an entry that is not finite",
                          name);
    double largest = 0;
    for (int i = 0; i < n * n; i++) largest = fmax(largest, fabs(matrix[i]));
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (fabs(matrix[i * n + j] - matrix[j * n + i]) > 1e-12 * largest)
                return scree_fail(
                    err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                    "%s must be symmetric: row %d column %d is %.17g, row %d column %d is %.17g",
                    name, i + 1, j + 1, matrix[i * n + j], j + 1, i + 1, matrix[j * n + i]);
    return SCREE_OK;
}

static scree_status check_system(const scree_system *system, scree_error *err) {
    int n = system->coordinates;
    if (n < 1)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "a system needs a coordinate");
    if (!system->mass)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "a system needs a mass matrix");
    scree_status status = check_matrix(system->mass, n, "the mass matrix", err);
    if (!status) status = check_matrix(system->damping, n, "the damping matrix", err);
    if (!status) status = check_matrix(system->stiffness, n, "the stiffness matrix", err);
    if (status) return status;
    if (system->position && !all_finite(system->position, n))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "position must be finite");
    if (system->load && no_number(system->load, n))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "load must be finite");
    if (system->velocity && !all_finite(system->velocity, n))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "velocity must be finite");

    double *factor = malloc((size_t)n * (size_t)n * sizeof *factor);
    if (!factor) return no_memory(err);
    memcpy(factor, system->mass, (size_t)n * (size_t)n * sizeof *factor);
    int failed = scree_dense_cholesky(factor, n);
    free(factor);
    if (failed)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the mass matrix must be positive definite; it is singular or "
                          "indefinite at row %d",
                          failed);
    return SCREE_OK;
}

scree_status scree_model_set_system(scree_model *model, const scree_system *system,
                                    scree_error *err) {
    if (model->memory->finished) return finished(err);
    if (model->system.coordinates)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the model has a system already");
    scree_status status = check_system(system, err);
    if (status) return status;

    scree_arena *arena = &model->memory->arena;
    int n = system->coordinates;
    scree_system copy = { .coordinates = n };
    scree_function *load = SCREE_NEW(arena, scree_function, n);
    copy.mass = copy_numbers(arena, system->mass, n * n);
    copy.position = copy_numbers(arena, system->position, n);
    copy.velocity = copy_numbers(arena, system->velocity, n);
    if (!load || !copy.mass || !copy.position || !copy.velocity) return no_memory(err);
    if (system->load) memcpy(load, system->load, (size_t)n * sizeof *load);
    copy.load = load;
    if (system->damping && !(copy.damping = copy_numbers(arena, system->damping, n * n)))
        return no_memory(err);
    if (system->stiffness && !(copy.stiffness = copy_numbers(arena, system->stiffness, n * n)))
        return no_memory(err);
    model->system = copy;
    model->dofs += n;
    return SCREE_OK;
}

scree_status scree_model_add_row_contact(scree_model *model, const scree_row_contact *contact,
                                         scree_error *err) {
    int n = model->system.coordinates;
    const char *name = contact->name ? contact->name : "";
    if (model->memory->finished) return finished(err);
    if (!n) return bad(err, "a contact without a system: contact", name);
    if (!contact->normal) return bad(err, "a contact without a normal: contact", name);
    if (no_number(&contact->offset, 1) || no_number(contact->surface, 2))
        return bad(err, "gap and surface velocity must be finite: contact", name);
    if (contact->tangents < 0 || contact->tangents > 2 || (contact->tangents && !contact->tangent))
        return bad(err, "a contact has no, one or two tangents: contact", name);
    scree_status status = check_law(contact->law, err);
    if (status) return status;
    if (contact->law.friction > 0 && !contact->tangents)
        return bad(err, "friction needs a tangent: contact", name);
    if (!all_finite(contact->normal, n) || !all_finite(contact->tangent, contact->tangents * n))
        return bad(err, "normal and tangents must be finite: contact", name);
    double length = 0;
    for (int i = 0; i < n; i++) length += fabs(contact->normal[i]);
    if (length == 0) return bad(err, "the normal is zero: contact", name);

    struct scree_model_memory *memory = model->memory;
    scree_row_contact *array =
        grow(model->row_contact, model->row_contacts, &memory->contact_room, sizeof *array);
    if (array) model->row_contact = array;
    scree_row_contact copy = *contact;
    copy.name = scree_arena_text(&memory->arena, name, strlen(name));
    copy.normal = copy_numbers(&memory->arena, contact->normal, n);
    copy.tangent = copy_numbers(&memory->arena, contact->tangent, contact->tangents * n);
    if (!array || !copy.name || !copy.normal || !copy.tangent) return no_memory(err);
    array[model->row_contacts++] = copy;
    if (contact->tangents == 2) model->dimension = 3;
    return SCREE_OK;
}

// the last law that fits; the default is neither bounce nor friction
static scree_law law_between(const struct scree_model_memory *memory, int a, int b) {
    scree_law law = { 0, 0 };
    for (int i = 0; i < memory->laws; i++) {
        const law_row *row = &memory->law[i];
        bool direct = (row->a < 0 || row->a == a) && (row->b < 0 || row->b == b);
        bool turned = (row->a < 0 || row->a == b) && (row->b < 0 || row->b == a);
        if (direct || turned) law = row->law;
    }
    return law;
}

// which of two kinds of shape can touch: a half-plane is always the second, points never meet
static bool can_touch(const scree_model *model, const scree_shape *a, const scree_shape *b) {
    if (a->body == b->body) return false;
    if (model->body[a->body].fixed && model->body[b->body].fixed) return false;
    if (a->kind == SCREE_HALF_PLANE && b->kind == SCREE_HALF_PLANE) return false;
    return !(a->kind == SCREE_POINT && b->kind == SCREE_POINT);
}

static bool has_loads(const scree_model *model) {
    for (int i = 0; i < model->bodies; i++)
        for (int k = 0; k < 3; k++) {
            const scree_function *force = &model->body[i].force[k];
            if (!model->body[i].fixed && (force->at || force->constant != 0)) return true;
        }
    for (int i = 0; i < model->system.coordinates; i++)
        if (model->system.load[i].at || model->system.load[i].constant != 0) return true;
    return false;
}

scree_status scree_model_finish(scree_model *model, scree_error *err) {
    struct scree_model_memory *memory = model->memory;
    if (!model->dofs)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the model has no bodies");
    if (!all_finite(model->gravity, 2))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "gravity must be finite");
    if (memory->finished) return finished(err);

    // count, then fill: the order of pairs is the order of shapes
    for (int pass = 0; pass < 2; pass++) {
        int count = 0;
        for (int i = 0; i < model->shapes; i++)
            for (int j = i + 1; j < model->shapes; j++) {
                if (!can_touch(model, &model->shape[i], &model->shape[j])) continue;
                bool turn =
                    model->shape[i].kind == SCREE_HALF_PLANE ||
                    (model->shape[i].kind == SCREE_DISC && model->shape[j].kind == SCREE_POINT);
                int a = turn ? j : i, b = turn ? i : j;
                if (pass)
                    model->pair[count] = (scree_pair){
                        a,
                        b,
                        law_between(memory, model->shape[a].body, model->shape[b].body),
                    };
                count++;
            }
        if (pass) break;
        model->pair = SCREE_NEW(&memory->arena, scree_pair, count);
        if (!model->pair) return no_memory(err);
        model->pairs = count;
    }
    model->loaded = has_loads(model);
    memory->finished = true;
    return SCREE_OK;
}

bool scree_model_finished(const scree_model *model) { return model->memory->finished; }

const char *scree_model_side_name(const scree_model *model, int side) {
    if (side >= 0) return side < model->bodies ? model->body[side].name : "?";
    if (side == -1) return "system";
    return -2 - side < model->row_contacts ? model->row_contact[-2 - side].name : "?";
}
