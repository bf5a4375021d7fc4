// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// model.c - building a model: every number is checked here, so that the stages behind trust it.
// in: definitions of bodies, shapes, matrices, laws.   out: a model, constant after finish.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/dense.h"
#include "base/space.h"
#include "model/collision_shape.h"
#include "model/elastic.h"
#include "model/laws.h"
#include "model/mass.h"
#include "model/mechanism.h"
#include "model/memory.h"
#include "model/period.h"
#include "model/surface.h"

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
    model->space = model->dimension = 2;
    model->body_dofs = model->body_coordinates = 3;
    return model;
}

void scree_model_free(scree_model *model) {
    if (!model) return;
    free(model->body);
    free(model->shape);
    free(model->group);
    free(model->elastic);
    free(model->matrix_contact);
    free(model->joint);
    free(model->drive);
    free(model->memory->solid);
    scree_laws_free(&model->memory->laws);
    scree_arena_free(&model->memory->arena);
    free(model->memory);
    free(model);
}

void scree_model_set_period(scree_model *model, double x, double y, double z) {
    const double period[3] = { x, y, z };
    memcpy(model->period, period, sizeof period);
    model->periodic = x != 0 || y != 0 || z != 0;
}

void scree_model_set_gravity(scree_model *model, double x, double y, double z) {
    model->gravity[0] = x;
    model->gravity[1] = y;
    model->gravity[2] = model->space == 3 ? z : 0;
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

// a constant that is no number; what a function of time gives is looked at when it is used
static bool no_number(const scree_function *function, int count) {
    for (int i = 0; i < count; i++)
        if (!function[i].at && !isfinite(function[i].constant)) return true;
    return false;
}

static scree_status finished(scree_error *err) {
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the model is finished already");
}

scree_status scree_model_set_space(scree_model *model, int space, scree_error *err) {
    if (space != 2 && space != 3)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "space has 2 or 3 dimensions, got %d", space);
    if (model->dofs)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the space must be set before anything is in it");
    model->space = model->dimension = space;
    model->body_dofs = space == 3 ? 6 : 3;
    model->body_coordinates = space == 3 ? 7 : 3;
    return SCREE_OK;
}

scree_status scree_model_add_group(scree_model *model, const char *name, int *group,
                                   scree_error *err) {
    if (model->memory->finished) return finished(err);
    const char **array =
        grow(model->group, model->groups + 1, &model->memory->group_room, sizeof *array);
    char *copy = scree_arena_text(&model->memory->arena, name, strlen(name));
    if (array) model->group = array;
    if (!array || !copy) return no_memory(err);
    array[0] = "";
    array[ *group = ++model->groups] = copy;
    return SCREE_OK;
}

static scree_status check_inertia(const scree_model *model, const scree_body *body,
                                  const char *name, scree_error *err) {
    double inverse[6];
    if (!(body->mass > 0 && isfinite(body->mass)))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "body \"%s\": mass must be positive, got %g", name, body->mass);
    if (model->space == 3 &&
        !(scree_dense_finite(body->tensor, 6) && scree_symmetric_inverse(body->tensor, inverse)))
        return bad(err, "the inertia tensor must be positive definite: body", name);
    if (model->space == 2 && !(body->inertia > 0 && isfinite(body->inertia)))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "body \"%s\": inertia must be positive, got %g", name, body->inertia);
    return SCREE_OK;
}

static scree_status check_path(const scree_model *model, const scree_body *body, const char *name,
                               scree_error *err) {
    const scree_path *path = &body->path;
    if (body->fixed) return bad(err, "either fixed or driven: body", name);
    if (no_number(path->along, 3) || no_number(&path->angle, 1) ||
        !scree_dense_finite(path->axis, 3))
        return bad(err, "the motion must be finite: body", name);
    bool turns = path->angle.at || path->angle.constant != 0;
    if (turns && model->space == 3 && scree_length(path->axis) == 0)
        return bad(err, "a body that is turned needs an axis: body", name);
    return SCREE_OK;
}

// a unit quaternion; none given means not turned
static bool make_unit(double q[4]) {
    double most = 0;
    for (int i = 0; i < 4; i++) most = fmax(most, fabs(q[i]));
    if (!isfinite(most)) return false;
    if (most == 0) q[0] = most = 1;
    double sum = 0;
    for (int i = 0; i < 4; i++) sum += (q[i] / most) * (q[i] / most);
    for (int i = 0; i < 4; i++) q[i] /= most * sqrt(sum);
    return true;
}

static scree_status check_body(const scree_model *model, const scree_body *body, const char *name,
                               scree_error *err) {
    scree_status status = SCREE_OK;
    if (no_number(body->force, 6)) return bad(err, "force must be finite: body", name);
    if (!body->fixed && !body->driven) status = check_inertia(model, body, name, err);
    if (!status && body->driven) status = check_path(model, body, name, err);
    if (status) return status;
    if (!scree_dense_finite(body->position, 3) || !scree_dense_finite(body->velocity, 3) ||
        !scree_dense_finite(body->angular, 3) || !isfinite(body->angle) || !isfinite(body->spin))
        return bad(err, "position and velocity must be finite: body", name);
    bool moves = body->spin != 0;
    for (int k = 0; k < 3; k++) moves |= body->velocity[k] != 0 || body->angular[k] != 0;
    if (moves && (body->fixed || body->driven))
        return bad(err,
                   body->fixed ? "a fixed body has no velocity: body"
                               : "a driven body has the velocity of its motion alone: body",
                   name);
    if (isnan(body->birth_time) ||
        !(body->removal_time == 0 || body->removal_time > body->birth_time))
        return bad(err, "a body must be born before it is removed: body", name);
    if (body->group < 0 || body->group > model->groups)
        return bad(err, "there is no such group: body", name);
    if (model->system.coordinates || model->mechanism || model->elastics)
        return bad(err, "rigid bodies come before elastic ones, the system and the mechanism: body",
                   name);
    return SCREE_OK;
}

scree_status scree_model_add_body(scree_model *model, const scree_body *body, scree_error *err) {
    const char *name = body->name ? body->name : "";
    if (model->memory->finished) return finished(err);
    scree_status status = check_body(model, body, name, err);
    if (status) return status;
    scree_body copy = *body;
    if (!make_unit(copy.orientation)) return bad(err, "orientation must be finite: body", name);
    double length = scree_length(copy.path.axis);
    for (int k = 0; k < 3; k++) {
        if (model->space == 2)
            copy.path.axis[k] = k == 2;
        else if (length > 0)
            copy.path.axis[k] /= length;
    }

    scree_body *array = grow(model->body, model->bodies, &model->memory->body_room, sizeof *array);
    copy.name = scree_arena_text(&model->memory->arena, name, strlen(name));
    if (array) model->body = array;
    if (!array || !copy.name) return no_memory(err);
    array[model->bodies++] = copy;
    model->dofs += model->body_dofs;
    model->coordinates += model->body_coordinates;
    return SCREE_OK;
}

// in which space a shape can be
static bool fits(scree_shape_kind kind, int space) {
    bool planar = kind == SCREE_DISC || kind == SCREE_HALF_PLANE || kind == SCREE_POLYGON ||
                  kind == SCREE_CHAIN;
    bool both = kind == SCREE_POINT || kind == SCREE_CAPSULE || kind == SCREE_BOX;
    return both || planar == (space == 2);
}

static double *copy_numbers(scree_arena *arena, const double *x, int count) {
    double *copy = SCREE_NEW(arena, double, count);
    if (copy && x) memcpy(copy, x, (size_t)count * sizeof *x);
    return copy;
}

// the arrays of a shape belong to the model
static bool copy_arrays(scree_shape *shape, int space, scree_arena *arena) {
    int *triangle = NULL;
    if (shape->vertices) {
        shape->vertex = copy_numbers(arena, shape->vertex, shape->vertices * space);
        if (!shape->vertex) return false;
    }
    if (shape->triangles) {
        triangle = SCREE_NEW(arena, int, 3 * (size_t)shape->triangles);
        if (!triangle) return false;
        memcpy(triangle, shape->triangle, 3 * (size_t)shape->triangles * sizeof *triangle);
    }
    shape->triangle = triangle;
    if (shape->kind == SCREE_HEIGHT_FIELD)
        shape->height = copy_numbers(arena, shape->height, shape->rows * shape->columns);
    return shape->kind != SCREE_HEIGHT_FIELD || shape->height;
}

static scree_status check_shape(const scree_model *model, const scree_shape *shape,
                                scree_error *err) {
    if (shape->body < 0 || shape->body >= model->bodies)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "a shape of body %d, which is not",
                          shape->body);
    const scree_body *body = &model->body[shape->body];
    if ((unsigned)shape->kind >= SCREE_SHAPE_KINDS || !fits(shape->kind, model->space))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "body \"%s\": there is no %s in %s",
                          body->name, scree_shape_kind_name(shape->kind),
                          model->space == 2 ? "the plane" : "space");
    if (!scree_dense_finite(shape->at, 3))
        return bad(err, "a shape's place must be finite: body", body->name);
    if (shape->kind == SCREE_DISC && !(shape->radius > 0 && isfinite(shape->radius)))
        return bad(err, "a disc's radius must be positive: body", body->name);
    bool surface = shape->kind == SCREE_MESH || shape->kind == SCREE_HEIGHT_FIELD ||
                   shape->kind == SCREE_CHAIN;
    if (surface && !body->fixed && !body->driven)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "body \"%s\" moves and has a %s: give it convex shapes (several make a "
                          "compound), or let it be fixed or driven",
                          body->name, scree_shape_kind_name(shape->kind));
    return SCREE_OK;
}

scree_status scree_model_add_shape(scree_model *model, const scree_shape *shape, scree_error *err) {
    struct scree_model_memory *memory = model->memory;
    if (memory->finished) return finished(err);
    scree_status status = check_shape(model, shape, err);
    if (status) return status;
    const char *name = model->body[shape->body].name;
    scree_shape copy = *shape;
    if (!make_unit(copy.turn)) return bad(err, "a shape's turn must be finite: body", name);
    if (shape->kind == SCREE_HALF_PLANE || shape->kind == SCREE_PLANE) {
        double length = model->space == 2 ? hypot(shape->normal[0], shape->normal[1])
                                          : scree_length(shape->normal);
        if (!(length > 0 && isfinite(length)))
            return bad(err, "a half-plane's normal must have a length: body", name);
        for (int k = 0; k < 3; k++) copy.normal[k] /= length;
    }
    if (model->space == 2) copy.at[2] = copy.normal[2] = 0;
    if (!copy_arrays(&copy, model->space, &memory->arena)) return no_memory(err);

    scree_shape *array = grow(model->shape, model->shapes, &memory->shape_room, sizeof *array);
    if (array) model->shape = array;
    scree_collision_shape *solid =
        grow(memory->solid, model->shapes, &memory->solid_room, sizeof *solid);
    if (solid) model->solid = memory->solid = solid;
    if (!array || !solid) return no_memory(err);
    scree_error why;
    status = scree_collision_shape_make(&copy, model->space, &memory->arena, &solid[model->shapes],
                                        &why);
    if (status) return scree_fail(err, status, SCREE_NOWHERE, "body \"%s\": %s", name, why.text);
    array[model->shapes++] = copy;
    return SCREE_OK;
}

scree_status scree_shapes_mass(const scree_shape *shape, int shapes, int space, double density,
                               double *mass, double centre[3], double inertia[6],
                               scree_error *err) {
    scree_arena arena = { 0 };
    scree_status status = SCREE_OK;
    scree_mass total = { 0 };
    for (int i = 0; !status && i < shapes; i++) {
        scree_collision_shape solid;
        scree_mass part;
        scree_shape copy = shape[i];
        make_unit(copy.turn);
        status = scree_collision_shape_make(&copy, space, &arena, &solid, err);
        if (!status)
            status = scree_collision_shape_mass(&solid, density, &part.mass, part.centre,
                                                part.inertia, err);
        if (!status) scree_mass_add(&total, space, &part);
    }
    *mass = total.mass;
    memcpy(centre, total.centre, sizeof total.centre);
    memcpy(inertia, total.inertia, sizeof total.inertia);
    scree_arena_free(&arena);
    return status;
}

double scree_model_mesh_volume(const scree_model *model, int shape) {
    return scree_surface_volume(&model->solid[shape]);
}

scree_status scree_model_add_law(scree_model *model, int a, int b, scree_law law,
                                 scree_error *err) {
    if (model->memory->finished) return finished(err);
    scree_status status = scree_laws_check(model, &law, err);
    if (status) return status;
    int least = -1 - model->groups;
    int sides = model->bodies + model->elastics;
    if (a < least || b < least || a >= sides || b >= sides)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "a law between bodies %d and %d: no such body", a, b);
    if (law.rolling > 0) model->dimension = 5;
    return scree_laws_add(&model->memory->laws, a, b, &law) ? SCREE_OK : no_memory(err);
}

static scree_status check_matrix(const double *matrix, int n, const char *name, scree_error *err) {
    if (!matrix) return SCREE_OK;
    if (!scree_dense_finite(matrix, n * n))
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
    if (system->position && !scree_dense_finite(system->position, n))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "position must be finite");
    if (system->load && no_number(system->load, n))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "load must be finite");
    if (system->velocity && !scree_dense_finite(system->velocity, n))
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

static scree_status check_no_system(const scree_model *model, scree_error *err) {
    if (model->memory->finished) return finished(err);
    if (model->system.coordinates)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the model has a system already");
    if (model->mechanism)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the system comes before the mechanism");
    if (model->elastics)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the system comes before elastic bodies");
    return SCREE_OK;
}

scree_status scree_model_set_system(scree_model *model, const scree_system *system,
                                    scree_error *err) {
    scree_status status = check_no_system(model, err);
    if (!status) status = check_system(system, err);
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
    model->coordinates += n;
    return SCREE_OK;
}

// coordinates that no matrix belongs to
scree_status scree_model_set_point(scree_model *model, int n, const double *position,
                                   scree_error *err) {
    scree_status status = check_no_system(model, err);
    if (status) return status;
    if (n < 1)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "a system needs a coordinate");
    if (!scree_dense_finite(position, n))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "position must be finite");
    scree_arena *arena = &model->memory->arena;
    scree_system system = { .coordinates = n,
                            .position = copy_numbers(arena, position, n),
                            .velocity = copy_numbers(arena, NULL, n) };
    if (!system.position || !system.velocity) return no_memory(err);
    model->system = system;
    model->dofs += n;
    model->coordinates += n;
    return SCREE_OK;
}

static scree_status add_contact(scree_model *model, const scree_matrix_contact *contact,
                                scree_error *err) {
    struct scree_model_memory *memory = model->memory;
    scree_matrix_contact *array =
        grow(model->matrix_contact, model->matrix_contacts, &memory->contact_room, sizeof *array);
    const char *name = scree_arena_text(&memory->arena, contact->name, strlen(contact->name));
    if (array) model->matrix_contact = array;
    if (!array || !name) return no_memory(err);
    array[model->matrix_contacts] = *contact;
    array[model->matrix_contacts++].name = name;
    return SCREE_OK;
}

scree_status scree_model_set_forces(scree_model *model, scree_force_fn *force, void *data,
                                    scree_error *err) {
    if (model->memory->finished) return finished(err);
    model->force = force;
    model->force_data = data;
    return SCREE_OK;
}

scree_status scree_model_set_mechanism(scree_model *model, const scree_mechanism_def *mechanics,
                                       scree_error *err) {
    int n = mechanics->coordinates;
    if (model->memory->finished) return finished(err);
    if (model->mechanism)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the model has a mechanism already");
    if (model->elastics)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the mechanism comes before elastic bodies");
    scree_status status = scree_mechanism_check(mechanics, err);
    if (status) return status;
    if (!scree_dense_finite(mechanics->position, n) || !scree_dense_finite(mechanics->velocity, n))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "position or velocity of the mechanism is not finite");
    model->mechanism = mechanics;
    if (mechanics->across && model->dimension < 3) model->dimension = 3;
    model->mechanism_contact = model->matrix_contacts;
    model->dofs += n;
    model->coordinates += n;
    for (int c = 0; !status && c < mechanics->contacts; c++) {
        char number[16];
        snprintf(number, sizeof number, "%d", c);
        const scree_matrix_contact contact = {
            .name = mechanics->contact_name ? mechanics->contact_name[c] : number,
            .tangents = mechanics->across ? 2 : 1,
            .law = mechanics->law[c],
        };
        status = scree_laws_check(model, &contact.law, err);
        if (!status) status = add_contact(model, &contact, err);
    }
    return status;
}

scree_status scree_model_check_mass(const scree_model *model, const char *what, scree_error *err) {
    bool point = model->system.coordinates && !model->system.mass;
    if (!point && !model->mechanism) return SCREE_OK;
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                      "%s for bodies and matrix systems, not for a %s", what,
                      model->mechanism ? "mechanism" : "sweeping process");
}

scree_status scree_model_add_matrix_contact(scree_model *model, const scree_matrix_contact *contact,
                                            scree_error *err) {
    int n = model->system.coordinates;
    const char *name = contact->name ? contact->name : "";
    if (model->memory->finished) return finished(err);
    if (!n) return bad(err, "a contact without a system: contact", name);
    if (!model->system.mass) return bad(err, "rows are for matrix systems: contact", name);
    if (model->mechanism)
        return bad(err, "the system's contacts come before the mechanism: contact", name);
    if (!contact->normal) return bad(err, "a contact without a normal: contact", name);
    if (no_number(&contact->offset, 1) || no_number(contact->surface, 2))
        return bad(err, "gap and surface velocity must be finite: contact", name);
    if (contact->tangents < 0 || contact->tangents > 2 || (contact->tangents && !contact->tangent))
        return bad(err, "a contact has no, one or two tangents: contact", name);
    scree_status status = scree_laws_check(model, &contact->law, err);
    if (status) return status;
    if (contact->law.friction > 0 && !contact->tangents)
        return bad(err, "friction needs a tangent: contact", name);
    if (!scree_dense_finite(contact->normal, n) ||
        !scree_dense_finite(contact->tangent, contact->tangents * n))
        return bad(err, "normal and tangents must be finite: contact", name);
    double length = 0;
    for (int i = 0; i < n; i++) length += fabs(contact->normal[i]);
    if (length == 0) return bad(err, "the normal is zero: contact", name);

    scree_arena *arena = &model->memory->arena;
    scree_matrix_contact copy = *contact;
    copy.name = name;
    copy.normal = copy_numbers(arena, contact->normal, n);
    copy.tangent = copy_numbers(arena, contact->tangent, contact->tangents * n);
    if (!copy.normal || !copy.tangent) return no_memory(err);
    if (contact->tangents == 2 && model->dimension < 3) model->dimension = 3;
    return add_contact(model, &copy, err);
}

scree_status scree_model_finish(scree_model *model, scree_error *err) {
    struct scree_model_memory *memory = model->memory;
    if (!model->dofs && !memory->rows)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the model has no bodies");
    if (!scree_dense_finite(model->gravity, 3))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "gravity must be finite");
    if (memory->finished) return finished(err);
    scree_status status = scree_period_check(model, err);
    if (status) return status;
    if (!scree_laws_finish(&memory->laws, model) || !scree_parts_finish(model))
        return no_memory(err);
    status = scree_joints_finish(model, err);
    memory->finished = !status;
    return status;
}

const scree_law *scree_model_law(const scree_model *model, int a, int b) {
    return scree_laws_between(&model->memory->laws, a, b);
}

const scree_law *scree_model_laws(const scree_model *model, int i) {
    return i < model->memory->laws.count ? scree_laws_row(&model->memory->laws, i) : NULL;
}

const char *scree_model_law_side(const scree_model *model, int i, int side) {
    int number = scree_laws_side(&model->memory->laws, i, side);
    if (number == -1) return NULL;
    return number < 0 ? model->group[-1 - number] : scree_model_side_name(model, number);
}

bool scree_model_finished(const scree_model *model) { return model->memory->finished; }

int scree_model_body_find(const scree_model *model, const char *name) {
    for (int i = 0; i < model->bodies + model->elastics; i++)
        if (strcmp(scree_model_side_name(model, i), name) == 0) return i;
    return -1;
}

bool scree_model_has_side(const scree_model *model, int side) {
    return side >= -1 - model->matrix_contacts - model->joints &&
           side < model->bodies + model->elastics;
}

const char *scree_model_side_name(const scree_model *model, int side) {
    if (!scree_model_has_side(model, side)) return "?";
    if (side >= model->bodies) return model->elastic[side - model->bodies].name;
    if (side >= 0) return model->body[side].name;
    if (side == -1) return model->matrix_contacts || !model->joints ? "system" : "joint";
    int row = -2 - side;
    return row < model->matrix_contacts ? model->matrix_contact[row].name
                                        : model->joint[row - model->matrix_contacts].name;
}
