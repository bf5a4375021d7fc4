// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// from_scene.c - scene -> model. What the model refuses is reported at its place in the scene.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_text.h"
#include "model/from_scene.h"
#include "model/mesh_file.h"
#include "model/rotation.h"
#include "scree/generate.h"
#include "scree/joint.h"

typedef struct builder {
    scree_scene *scene;
    scree_model *model;
    int space;
    int *first;           // body of each generator that is its first
    scree_arena scratch;  // shapes of the body at work
    scree_findings *findings;
} builder;

// false if there was an error, which becomes a finding at the given place
static bool accept(scree_status status, const scree_error *err, scree_source_location at,
                   scree_findings *findings) {
    if (status) scree_findings_take(findings, at, err);
    return status == SCREE_OK;
}

static bool out_of_memory(builder *b) {
    scree_findings_no_memory(b->findings);
    return false;
}

// --- shapes -------------------------------------------------------------------------------------

char *scree_from_scene_path(const scree_scene *scene, const char *file, scree_arena *arena) {
    const char *slash = strrchr(scene->file, '/');
    size_t folder = slash && *file != '/' ? (size_t)(slash - scene->file) + 1 : 0;
    size_t room = folder + strlen(file) + 1;
    char *path = SCREE_NEW(arena, char, room);
    if (path) snprintf(path, room, "%.*s%s", (int)folder, scene->file, file);
    return path;
}

const scree_embedded_file *scree_from_scene_kept(const scree_scene *scene, const char *name) {
    for (const scree_kept_file *kept = scene->kept; kept; kept = kept->next)
        if (strcmp(kept->file.name, name) == 0) return &kept->file;
    return NULL;
}

const scree_embedded_file *scree_from_scene_supplied(const scree_scene *scene, const char *name) {
    const scree_embedded_file *supply = scene->supply;
    while (supply && supply->name && strcmp(supply->name, name) != 0) supply++;
    return supply && supply->name ? supply : NULL;
}

const scree_embedded_file *scree_from_scene_keep(scree_scene *scene, const char *name,
                                                 const char *text, size_t length) {
    scree_kept_file **end = &scene->kept, *kept = SCREE_NEW(&scene->arena, scree_kept_file, 1);
    char *copy = kept ? scree_arena_text(&scene->arena, text, length) : NULL;
    if (!copy) return NULL;
    while (*end) end = &(*end)->next;
    *kept = (scree_kept_file){ .file = { name, copy, length } };
    *end = kept;
    return &kept->file;
}

scree_status scree_from_scene_file(scree_scene *scene, const char *name, const char *path,
                                   const scree_embedded_file **file, scree_error *err) {
    const scree_embedded_file *supply = scree_from_scene_supplied(scene, name);
    scree_status status = SCREE_OK;
    size_t length = 0;
    char *text = NULL;
    *file = scree_from_scene_kept(scene, name);
    if (*file) return SCREE_OK;
    if (supply)
        *file = scree_from_scene_keep(scene, name, supply->text, supply->length);
    else
        status = scree_file_text(path, SCREE_FILE_BYTES_MOST, &text, &length, err);
    if (text && !status) *file = scree_from_scene_keep(scene, name, text, length);
    free(text);
    if (status || *file) return status;
    return scree_fail_memory(err, NULL);
}

static bool read_mesh(builder *b, const scree_scene_shape *given, scree_shape *shape) {
    scree_error err = { 0 };
    scree_source_location at = scree_scene_place(&given->section, "file");
    char *path = scree_from_scene_path(b->scene, given->file, &b->scratch);
    double *vertex = NULL;
    int *triangle = NULL;
    if (!path) return out_of_memory(b);
    // what has another name is refused unread
    const scree_embedded_file *file = NULL;
    scree_status status = scree_mesh_named(path)
                              ? scree_from_scene_file(b->scene, given->file, path, &file, &err)
                              : SCREE_OK;
    if (!status)
        status = scree_mesh_parse(path, file ? file->text : NULL, file ? file->length : 0,
                                  &b->scratch, given->scale, &shape->vertices, &vertex,
                                  &shape->triangles, &triangle, &err);
    shape->vertex = vertex;
    shape->triangle = triangle;  // of a polyhedron too, which must be convex
    if (status == SCREE_NO_MEMORY)
        scree_findings_no_memory(b->findings);
    else if (status && err.file[0] && err.line > 0)
        scree_findings_add(b->findings, at, "%.200s:%d: %.250s", err.file, err.line, err.text);
    else if (status)
        scree_findings_add(b->findings, at, "%.200s: %.250s", path, err.text);
    return status == SCREE_OK;
}

static bool take_vertices(builder *b, const scree_scene_shape *given, scree_shape *shape) {
    int count = given->vertices.count * given->vertices.columns;
    int corners = 3 * given->triangles.count;
    double *vertex = SCREE_NEW(&b->scratch, double, count);
    int *triangle = SCREE_NEW(&b->scratch, int, corners);
    if (!vertex || !triangle) return out_of_memory(b);
    for (int i = 0; i < count; i++)
        vertex[i] = given->scale * ((const double *)given->vertices.item)[i];
    for (int i = 0; i < corners; i++) triangle[i] = (int)((const double *)given->triangles.item)[i];
    shape->vertices = given->vertices.count;
    shape->vertex = vertex;
    shape->triangles = given->triangles.count;
    shape->triangle = corners ? triangle : NULL;
    return true;
}

static bool make_shape(builder *b, const scree_scene_shape *given, scree_shape *shape) {
    *shape = (scree_shape){
        .kind = (scree_shape_kind)given->kind,
        .radius = isnan(given->radius) ? 0 : given->radius,
        .angle = b->space == 2 ? given->angle : 0,
        .rows = given->heights.count,
        .columns = given->heights.columns,
        .height = given->heights.item,
    };
    memcpy(shape->at, given->at, sizeof shape->at);
    memcpy(shape->normal, given->normal, sizeof shape->normal);
    if (given->axis.count == 3) scree_rotation_about(given->axis.item, given->angle, shape->turn);
    for (int k = 0; k < given->size.count && k < 3; k++)
        shape->size[k] = ((const double *)given->size.item)[k];
    if (!isnan(given->length)) shape->size[0] = given->length;
    if (given->file) return read_mesh(b, given, shape);
    return !given->vertices.count || take_vertices(b, given, shape);
}

static scree_shape *make_shapes(builder *b, const scree_scene_body *given) {
    const scree_scene_shape *shape = given->shapes.item;
    scree_shape *made = SCREE_NEW(&b->scratch, scree_shape, given->shapes.count);
    if (!made) out_of_memory(b);
    for (int i = 0; made && i < given->shapes.count; i++)
        if (!make_shape(b, &shape[i], &made[i])) return NULL;
    return made;
}

// --- bodies -------------------------------------------------------------------------------------

static void fill_inertia(const scree_list *given, int space, scree_body *body) {
    const double *number = given->item;
    static const int diagonal[3] = { 0, 3, 5 };
    if (!given->count) return;
    if (space == 2) body->inertia = number[0];
    for (int k = 0; k < 3; k++) body->tensor[diagonal[k]] = number[given->count == 3 ? k : 0];
    if (given->count == 6) memcpy(body->tensor, number, sizeof body->tensor);
}

static void fill_motion(const scree_scene_motion *given, scree_body *body) {
    if (!given->section.node) return;
    body->driven = true;
    const scree_function *along = given->position.item;
    for (int k = 0; k < given->position.count && k < 3; k++) body->path.along[k] = along[k];
    body->path.angle = given->angle;
    body->path.axis[2] = 1;
    if (given->axis.count == 3) memcpy(body->path.axis, given->axis.item, sizeof body->path.axis);
}

static scree_body make_body(const builder *b, const scree_scene_body *given) {
    scree_body body = {
        .fixed = given->fixed,
        .mass = isnan(given->mass) ? 0 : given->mass,
        .angle = b->space == 2 ? given->angle : 0,
        .birth_time = given->birth_time,
        .deposit = given->deposit,
        .removal_time = isnan(given->removal_time) ? 0 : given->removal_time,
        .group = scree_names_group(b->scene, given->group),
    };
    memcpy(body.position, given->position, sizeof body.position);
    memcpy(body.velocity, given->velocity, sizeof body.velocity);
    fill_inertia(&given->inertia, b->space, &body);
    fill_motion(&given->motion, &body);
    if (given->axis.count == 3)
        scree_rotation_about(given->axis.item, given->angle, body.orientation);
    if (given->orientation.count == 4)
        memcpy(body.orientation, given->orientation.item, sizeof body.orientation);
    const double *spin = given->spin.item;
    if (given->spin.count == 1) body.spin = spin[0];
    if (given->spin.count == 3) memcpy(body.angular, spin, sizeof body.angular);
    if (given->force.count)
        memcpy(body.force, given->force.item, (size_t)given->force.count * sizeof *body.force);
    return body;
}

// density counts for bodies that move freely; the others turn about the position as given
static double density_of(const scree_scene_body *given) {
    bool free = !given->fixed && !given->motion.section.node;
    return free && !isnan(given->density) ? given->density : 0;
}

// name and group, if it has none of its own
static bool add_body(builder *b, const scree_scene_body *given, const char *name,
                     const char *group) {
    scree_error err = { 0 };
    scree_findings *findings = b->findings;
    const scree_scene_shape *shape = given->shapes.item;
    scree_body body = make_body(b, given);
    body.name = name;
    if (!given->group) body.group = scree_names_group(b->scene, group);
    scree_shape *made = make_shapes(b, given);
    double density = density_of(given);
    if (!made) return false;
    if (density > 0 &&
        !accept(scree_body_from_density(&body, made, given->shapes.count, b->space, density, &err),
                &err, scree_scene_place(&given->section, "density"), findings))
        return false;
    if (!accept(scree_model_add_body(b->model, &body, &err), &err, given->section.node->at,
                findings))
        return false;
    bool fine = true;
    for (int i = 0; fine && i < given->shapes.count; i++) {
        made[i].body = b->model->bodies - 1;
        fine = accept(scree_model_add_shape(b->model, &made[i], &err), &err,
                      shape[i].section.node->at, findings);
    }
    return fine;
}

// bodies that the scene wrote out as formulas of their number
static bool add_each(builder *b, const scree_scene_generator *given) {
    const scree_scene_body *body = given->each.item;
    size_t size = strlen(given->name) + 16;
    char *name = SCREE_NEW(&b->scratch, char, size);
    if (!name) return out_of_memory(b);
    bool fine = true;
    for (int i = 0; i < given->each.count && fine; i++) {
        scree_arena_mark mark = scree_arena_mark_of(&b->scratch);
        snprintf(name, size, "%s-%d", given->name, i + 1);
        fine = add_body(b, &body[i], name, given->name);
        scree_arena_release(&b->scratch, mark);
    }
    return fine;
}

static scree_generator plan_of(const scree_scene_generator *given, int space) {
    scree_generator plan = {
        .arrange = (scree_arrangement)given->arrange,
        .gap = given->gap,
        .sizes = (scree_sizes)given->sizes,
        .turn = given->turn == 1,
        .jitter = given->jitter,
        .per_level = given->per_level,
        .seed = (uint64_t)given->seed,
    };
    const double *count = given->count.item, *spacing = given->spacing.item;
    const double *corner = given->region.item, *radius = given->radius.item;
    const scree_scene_shape *shape = given->body.shapes.item;
    memcpy(plan.origin, given->origin, sizeof plan.origin);
    for (int k = 0; k < given->count.count && k < 3; k++) plan.count[k] = (int)count[k];
    for (int k = 0; k < 3 && spacing; k++)
        plan.spacing[k] = spacing[k < given->spacing.count ? k : 0];
    for (int k = 0; k < space && corner; k++) {
        plan.low[k] = corner[k];
        plan.high[k] = corner[space + k];
    }
    for (int k = 0; k < 2 && radius; k++) plan.radius[k] = radius[given->radius.count > 1 ? k : 0];
    bool bricks = given->arrange == SCREE_WALL || given->arrange == SCREE_TOWER;
    if (bricks) memcpy(plan.brick, shape[0].size.item, (size_t)space * sizeof(double));
    return plan;
}

static bool add_generated(builder *b, const scree_scene_generator *given) {
    scree_error err = { 0 };
    if (given->arrange == SCREE_ARRANGE_EACH) return add_each(b, given);
    scree_shape *shape = make_shapes(b, &given->body);
    if (!shape) return false;
    scree_generator plan = plan_of(given, b->space);
    scree_body_pattern pattern = { .body = make_body(b, &given->body),
                                   .shapes = given->body.shapes.count,
                                   .shape = shape,
                                   .density = density_of(&given->body) };
    if (!given->body.group) pattern.body.group = scree_names_group(b->scene, given->name);
    return accept(scree_generate(b->model, given->name, &plan, &pattern, &err), &err,
                  scree_scene_place(&given->section, "name"), b->findings);
}

static bool add_bodies(builder *b) {
    const scree_scene_top *top = &b->scene->top;
    const scree_scene_body *body = top->bodies.item;
    const scree_scene_generator *generator = top->generate.item;
    bool fine = true;
    for (int i = 0; i < top->bodies.count; i++) {
        scree_arena_mark mark = scree_arena_mark_of(&b->scratch);
        fine = fine && !body[i].section.broken && add_body(b, &body[i], body[i].name, NULL);
        scree_arena_release(&b->scratch, mark);
    }
    for (int i = 0; i < top->generate.count; i++) {
        scree_arena_mark mark = scree_arena_mark_of(&b->scratch);
        b->first[i] = b->model->bodies;
        fine = fine && !generator[i].section.broken && add_generated(b, &generator[i]);
        scree_arena_release(&b->scratch, mark);
    }
    return fine;
}

static bool add_elastic(builder *b) {
    const scree_scene_elastic *elastic = b->scene->top.elastic.item;
    bool fine = true;
    for (int i = 0; i < b->scene->top.elastic.count; i++) {
        scree_arena_mark mark = scree_arena_mark_of(&b->scratch);
        fine = fine && !elastic[i].section.broken &&
               scree_from_scene_elastic(b->scene, &elastic[i], b->model, &b->scratch, b->findings);
        scree_arena_release(&b->scratch, mark);
    }
    return fine;
}

// --- laws ---------------------------------------------------------------------------------------

static bool add_groups(builder *b) {
    scree_error err = { 0 };
    bool fine = true;
    for (int g = 1; g <= b->scene->groups && fine; g++) {
        int number;
        fine = accept(scree_model_add_group(b->model, b->scene->group[g], &number, &err), &err,
                      SCREE_NOWHERE, b->findings);
    }
    return fine;
}

static int side_of(const builder *b, const char *name) {
    scree_meaning meaning = scree_names_find(b->scene, name);
    switch (meaning.kind) {
        case SCREE_NAMED_BODY:
            return meaning.number;
        case SCREE_NAMED_ELASTIC:
            return b->model->bodies + meaning.number;
        case SCREE_NAMED_GROUP:
            return -1 - meaning.number;
        case SCREE_NAMED_GENERATED:
            return b->first[meaning.number] + meaning.which - 1;
        default:
            return -1;
    }
}

static bool add_law(builder *b, const scree_scene_law *given) {
    scree_error err = { 0 };
    const char *const *name = given->between.item;
    bool two = given->between.count == 2;
    scree_law law = {
        .restitution = given->restitution,
        .friction = given->friction.constant,
        .friction_at = given->friction,
        .friction_kinetic = isnan(given->friction_kinetic) ? 0 : given->friction_kinetic,
        .friction_speed = isnan(given->friction_speed) ? 0 : given->friction_speed,
        .tangential_restitution = given->tangential_restitution,
        .cohesion = given->cohesion,
        .rolling = given->rolling,
        .friction_across = isnan(given->friction_across) ? 0 : given->friction_across,
        .impact = (scree_impact)given->impact,
        .apart = !given->contact,
    };
    if (given->friction_axis.count == 3)
        memcpy(law.friction_axis, given->friction_axis.item, sizeof law.friction_axis);
    return accept(scree_model_add_law(b->model, two ? side_of(b, name[0]) : -1,
                                      two ? side_of(b, name[1]) : -1, law, &err),
                  &err, given->section.node->at, b->findings);
}

// --- systems ------------------------------------------------------------------------------------

static bool add_contact(scree_model *model, const scree_scene_contact *given,
                        scree_findings *findings) {
    scree_error err = { 0 };
    bool spatial = given->tangents.count == 2;
    scree_matrix_contact contact = {
        .name = given->name,
        .normal = given->normal.item,
        .tangent = spatial ? given->tangents.item : given->tangent.item,
        .tangents = spatial ? 2 : given->tangent.count > 0,
        .offset = given->gap,
        .law = { .restitution = given->restitution,
                 .friction = given->friction,
                 .impact = (scree_impact)given->impact },
    };
    const scree_function *surface = given->surface.item;
    for (int k = 0; k < given->surface.count && k < 2; k++) contact.surface[k] = surface[k];
    return accept(scree_model_add_matrix_contact(model, &contact, &err), &err,
                  given->section.node->at, findings);
}

static bool add_system(scree_model *model, const scree_scene_system *given,
                       scree_findings *findings) {
    scree_error err = { 0 };
    scree_system system = {
        .coordinates = given->mass.count,
        .mass = given->mass.item,
        .damping = given->damping.item,
        .stiffness = given->stiffness.item,
        .load = given->load.item,
        .position = given->position.item,
        .velocity = given->velocity.item,
    };
    scree_status status = scree_model_set_system(model, &system, &err);
    const char *key = strstr(err.text, "stiffness") ? "stiffness"
                      : strstr(err.text, "damping") ? "damping"
                                                    : "mass";
    bool fine = accept(status, &err, scree_scene_place(&given->section, key), findings);
    const scree_scene_contact *contact = given->contacts.item;
    for (int i = 0; fine && i < given->contacts.count; i++)
        fine = add_contact(model, &contact[i], findings);
    return fine;
}

// the formulas of a mechanism stay the scene's; what is wrong with them has been said
static bool add_mechanism(builder *b) {
    scree_error err = { 0 };
    const struct scree_mechanism_def *mechanics = b->scene->mechanics;
    scree_source_location at = scree_scene_place(&b->scene->top.section, "mechanism");
    if (!mechanics) return b->findings->count ? false : out_of_memory(b);
    return accept(scree_model_set_mechanism(b->model, mechanics, &err), &err, at, b->findings);
}

static bool build(builder *b) {
    const scree_scene_top *top = &b->scene->top;
    const scree_scene_law *law = top->laws.item;
    scree_error err = { 0 };
    scree_source_location at = { b->scene->file, 0, 0 };
    b->first = SCREE_NEW(&b->scratch, int, top->generate.count);
    if (!b->first) return out_of_memory(b);
    bool fine = accept(scree_model_set_space(b->model, b->space, &err), &err, at, b->findings);
    scree_model_set_gravity(b->model, top->gravity[0], top->gravity[1], top->gravity[2]);
    scree_model_set_period(b->model, top->periodic[0], top->periodic[1], top->periodic[2]);
    fine =
        fine && scree_motions_from_scene(b->scene, b->findings) && add_groups(b) && add_bodies(b);
    if (fine && top->system.section.node)
        fine = !top->system.section.broken && add_system(b->model, &top->system, b->findings);
    if (fine && scree_scene_given(&top->section, "mechanism")) fine = add_mechanism(b);
    fine = fine && add_elastic(b);
    for (int i = 0; i < top->laws.count; i++)
        fine = fine && !law[i].section.broken && add_law(b, &law[i]);
    fine = fine && scree_markers_from_scene(b->scene, b->model, b->findings) &&
           scree_joints_from_scene(b->scene, b->model, b->first, b->findings) &&
           scree_drives_from_scene(b->scene, b->model, b->first, b->findings) &&
           scree_forces_from_scene(b->scene, b->model, b->first, b->findings);
    if (!fine) return false;
    scree_status status = scree_model_finish(b->model, &err);
    int joint = scree_model_assembly(b->model).joint;
    if (status && joint >= 0) at = scree_joint_place(b->scene, joint, "at");
    return accept(status, &err, at, b->findings);
}

// the point of a sweeping process
static bool build_point(builder *b) {
    scree_error err = { 0 };
    const scree_list *start = &b->scene->top.start.point;
    scree_source_location at = scree_scene_place(&b->scene->top.section, "start");
    scree_status status = scree_model_set_point(b->model, start->count, start->item, &err);
    if (!status) status = scree_model_finish(b->model, &err);
    return accept(status, &err, at, b->findings);
}

scree_model *scree_model_from_scene(scree_scene *scene, scree_findings *findings) {
    builder b = {
        .scene = scene, .model = scree_model_new(), .space = scene->top.space, .findings = findings
    };
    if (!b.model) {
        scree_findings_no_memory(findings);
        return NULL;
    }
    bool point = scene->top.kind == SCREE_KIND_SWEEPING,
         mechanism = scree_scene_given(&scene->top.section, "mechanism");
    // of these two nothing is built while there is something to complain about
    bool fine = (point || mechanism) && findings->count ? false
                : point                                 ? build_point(&b)
                                                        : build(&b);
    scree_arena_free(&b.scratch);
    if (fine) return b.model;
    scree_model_free(b.model);
    return NULL;
}
