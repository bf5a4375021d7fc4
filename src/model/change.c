// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// change.c - a finished model with some bodies more, and without some.
// in: a model, bodies with shapes, numbers of bodies.   out: another model, built by the same
// calls.

#include "model/change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/memory.h"
#include "scree/drive.h"
#include "scree/fem.h"

static scree_status check(const scree_model *model, const scree_change *change, scree_error *err) {
    const scree_parts *row;
    int rows = scree_model_parts(model, &row);
    bool own = model->memory->sources > 0;
    for (int k = 0; k < rows; k++) own |= !row[k].kind->find;
    if (own)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "bodies cannot be added to a model with parts or contact sources of its "
                          "own kind, nor removed");
    for (int i = 0; i < change->gones; i++)
        if (change->gone[i] < 0 || change->gone[i] >= model->bodies)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "there is no body %d; rigid bodies are counted from 0 to %d",
                              change->gone[i], model->bodies - 1);
    for (int i = 0; i < change->gones; i++)
        if (model->body[change->gone[i]].birth_time == HUGE_VAL)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "body \"%s\" has been removed before",
                              model->body[change->gone[i]].name);
    for (int i = 0; i < change->shapes; i++)
        if (change->shape[i].body < 0 || change->shape[i].body >= change->bodies)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "shape %d is of body %d of those that are added: they are counted "
                              "from 0 to %d",
                              i, change->shape[i].body, change->bodies - 1);
    return SCREE_OK;
}

// to the bit as it was, whatever checking would make of it again
static scree_status copy_body(const scree_body *body, scree_model *made, scree_error *err) {
    scree_status status = scree_model_add_body(made, body, err);
    if (status) return status;
    scree_body *copy = &made->body[made->bodies - 1];
    const char *name = copy->name;
    *copy = *body;
    copy->name = name;
    return SCREE_OK;
}

static scree_status copy_bodies(const scree_model *model, const scree_change *change,
                                scree_model *made, scree_error *err) {
    scree_status status = scree_model_set_space(made, model->space, err);
    memcpy(made->gravity, model->gravity, sizeof made->gravity);
    for (int g = 1; !status && g <= model->groups; g++) {
        int number;
        status = scree_model_add_group(made, model->group[g], &number, err);
    }
    for (int i = 0; !status && i < model->bodies; i++)
        status = copy_body(&model->body[i], made, err);
    for (int i = 0; !status && i < change->gones; i++) {
        made->body[change->gone[i]].birth_time = HUGE_VAL;
        made->body[change->gone[i]].removal_time = 0;
    }
    for (int i = 0; !status && i < change->bodies; i++)
        status = scree_model_add_body(made, &change->body[i], err);
    for (int i = 0; !status && i < model->shapes; i++)
        status = scree_model_add_shape(made, &model->shape[i], err);
    for (int i = 0; !status && i < change->shapes; i++) {
        scree_shape shape = change->shape[i];
        shape.body += model->bodies;
        status = scree_model_add_shape(made, &shape, err);
    }
    return status;
}

// what stands behind the rigid bodies, the elastic ones as they are
static scree_status copy_system(const scree_model *model, scree_model *made, scree_error *err) {
    const scree_system *system = &model->system;
    int rows = model->mechanism ? model->mechanism_contact : model->matrix_contacts;
    scree_status status = SCREE_OK;
    if (system->coordinates)
        status = system->mass
                     ? scree_model_set_system(made, system, err)
                     : scree_model_set_point(made, system->coordinates, system->position, err);
    for (int c = 0; !status && c < rows; c++)
        status = scree_model_add_matrix_contact(made, &model->matrix_contact[c], err);
    if (!status && model->mechanism)
        status = scree_model_set_mechanism(made, model->mechanism, err);
    if (status || !model->elastics) return status;
    made->elastic = malloc((size_t)model->elastics * sizeof *made->elastic);
    if (!made->elastic) return scree_fail_memory(err, NULL);
    memcpy(made->elastic, model->elastic, (size_t)model->elastics * sizeof *made->elastic);
    for (int e = 0; e < model->elastics; e++) {
        made->elastic[e].coordinate = made->coordinates;
        made->elastic[e].dof = made->dofs;
        made->coordinates += made->elastic[e].count;
        made->dofs += made->elastic[e].count;
    }
    made->elastics = model->elastics;
    return SCREE_OK;
}

static scree_status copy_laws(const scree_model *model, scree_model *made, scree_error *err) {
    const scree_laws *laws = &model->memory->laws;
    scree_status status = SCREE_OK;
    int more = made->bodies - model->bodies;
    for (int i = 0; !status && i < laws->count; i++) {
        int side[2];
        for (int k = 0; k < 2; k++) {
            side[k] = scree_laws_side(laws, i, k);
            if (side[k] >= model->bodies) side[k] += more;
        }
        status = scree_model_add_law(made, side[0], side[1], *scree_laws_row(laws, i), err);
    }
    for (int m = 0; !status && m < scree_model_markers(model); m++)
        status = scree_model_add_marker(made, scree_model_marker(model, m), err);
    for (int k = 0; !status && k < model->joints; k++)
        status = scree_model_add_joint(made, &model->joint[k], err);
    for (int k = 0; !status && k < model->drives; k++)
        status = scree_model_add_drive(made, &model->drive[k], err);
    made->memory->mean_forces = model->memory->mean_forces;
    return status ? status : scree_model_set_forces(made, model->force, model->force_data, err);
}

// joints fit as they did: bodies were moved for them once
static void keep_joints(const scree_model *model, scree_model *made) {
    const scree_joints *old = &model->memory->joints;
    scree_joints *new = &made->memory->joints;
    if (!model->joints) return;
    memcpy(new->frame, old->frame, (size_t)model->joints * sizeof *new->frame);
    const int *loop = new->assembly.joint_of_loop, joints = new->assembly.joints;
    new->assembly = old->assembly;
    new->assembly.joint_of_loop = loop;  // the old one goes with its model
    new->assembly.joints = joints;
    for (int i = 0; i < model->bodies; i++) {
        scree_body *body = &made->body[i];
        const scree_body *was = &model->body[i];
        memcpy(body->position, was->position, sizeof body->position);
        memcpy(body->orientation, was->orientation, sizeof body->orientation);
        memcpy(body->velocity, was->velocity, sizeof body->velocity);
        memcpy(body->angular, was->angular, sizeof body->angular);
        body->angle = was->angle;
        body->spin = was->spin;
    }
}

scree_status scree_change_model(const scree_model *model, const scree_change *change,
                                scree_model **made, bool *shares, scree_error *err) {
    *made = NULL;
    *shares = model->elastics || model->force || model->memory->mean_forces.at;
    scree_status status = check(model, change, err);
    if (status) return status;
    scree_model *copy = scree_model_new();
    if (!copy) return scree_fail_memory(err, NULL);
    status = copy_bodies(model, change, copy, err);
    if (!status) status = copy_system(model, copy, err);
    if (!status) status = copy_laws(model, copy, err);
    if (!status) status = scree_model_finish(copy, err);
    if (status) {
        scree_model_free(copy);
        return status;
    }
    keep_joints(model, copy);
    *made = copy;
    return SCREE_OK;
}
