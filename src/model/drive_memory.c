// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// drive_memory.c - what springs that yield and motors with an integral remember, as parts: one
// number in q each, behind all that moves.
//
//     yield       z: how far the dry slider in series with the spring has gone
//     integral    I: the sum of e over time, I' = I + h e_theta, but while the motor is at its
//     limit
//
// Nothing pushes them: they follow from where the bodies of their joint end.

#include <math.h>

#include "model/drive.h"
#include "model/joint.h"
#include "model/rigid.h"

static const scree_drive *drive_of(const scree_parts *parts, int number) {
    const scree_drive *drive = parts->model->drive;
    while (!scree_drive_remembers(drive) || number-- > 0) drive++;
    return drive;
}

static void find(const scree_model *model, scree_parts *parts) {
    for (int k = 0; k < model->drives; k++) parts->count += scree_drive_remembers(&model->drive[k]);
    parts->coordinates = parts->dofs = parts->count;
    parts->roundings = 1;
}

static scree_status invert(const scree_parts *parts, double h, double theta, double alpha,
                           scree_arena *arena, scree_part *part, scree_error *err) {
    double *one = SCREE_NEW(arena, double, parts->count);
    (void)h, (void)theta, (void)alpha;
    if (!one) return scree_fail_memory(err, NULL);
    for (int i = 0; i < parts->count; i++) {
        one[i] = 1;
        part[i] = (scree_part){ .dof = parts->dof + i, .width = 1, .factor = one + i };
    }
    return SCREE_OK;
}

static void start(const scree_parts *parts, double *q, double *v) {
    for (int i = 0; i < parts->count; i++) q[parts->coordinate + i] = v[parts->dof + i] = 0;
}

static scree_status free_velocity(scree_parts *parts, const scree_stage *stage, scree_error *err) {
    (void)err;
    for (int i = 0; i < parts->count; i++)
        stage->v_start[parts->dof + i] = stage->v_free[parts->dof + i] = 0;
    return SCREE_OK;
}

// the weight of the end of the step for the bodies of a joint, which have one
static double theta_of(const scree_model *model, int joint, const scree_stage *stage) {
    int body[SCREE_JOINT_SIDES], sides = scree_joint_bodies(model, joint, body);
    for (int s = 0; s < sides; s++)
        if (body[s] >= 0 && scree_body_moves(&model->body[body[s]]))
            return scree_rigid_theta(stage, body[s]);
    return stage->theta;
}

static double rate_of_integral(const scree_drive *drive, double theta, double h, double e,
                               double end, double sum) {
    double mean = (1 - theta) * e + theta * end;
    double force = drive->stiffness * mean + drive->damping * (end - e) / h +
                   drive->integral * (sum + theta * h * mean);
    return fabs(force) < drive->most ? mean : 0;
}

static void advance(scree_parts *parts, const scree_stage *stage, bool pushed) {
    const scree_model *model = parts->model;
    const scree_state *before = stage->before, *after = stage->after;
    (void)pushed;
    for (int k = 0; k < model->drives; k++) {
        const scree_drive *drive = &model->drive[k];
        if (!scree_drive_remembers(drive)) continue;
        int at = parts->coordinate + drive->rank;
        double last = after->q[at] = before->q[at];
        double e = scree_drive_elongation(model, drive, before->q, before->time);
        double end = scree_drive_elongation(model, drive, after->q, after->time);
        double change = end - scree_drive_kept(drive, end),
               theta = theta_of(model, drive->joint, stage);
        if (drive->integral > 0)
            change = stage->h * rate_of_integral(drive, theta, stage->h, e, end, last);
        after->q[at] = last + change;
        after->v[parts->dof + drive->rank] = change / stage->h;
    }
}

static void integrate(const scree_parts *parts, const double *q, const double *v, double h,
                      double *out) {
    (void)v, (void)h;
    for (int i = 0; i < parts->count; i++) out[parts->coordinate + i] = q[parts->coordinate + i];
}

static void energies(const scree_parts *parts, const scree_state *state, scree_ledger *ledger) {
    (void)parts, (void)state, (void)ledger;  // springs book what they do themselves
}

static void fill_ledger(const scree_parts *parts, double theta, const scree_step_record *record,
                        double *scratch, scree_ledger *ledger, double *scale) {
    (void)parts, (void)theta, (void)record, (void)scratch, (void)ledger, (void)scale;
}

static double extent(const scree_parts *parts, const double *q) {
    (void)parts, (void)q;
    return 0;
}

static const char *name_of_dof(const scree_parts *parts, int dof, int *component) {
    *component = 0;
    return drive_of(parts, dof - parts->dof)->name;
}

const scree_part_kind scree_drive_memory = {
    .name = "drive-memory",
    .find = find,
    .invert = invert,
    .start = start,
    .free_velocity = free_velocity,
    .advance = advance,
    .integrate = integrate,
    .energies = energies,
    .fill_ledger = fill_ledger,
    .extent = extent,
    .name_of_dof = name_of_dof,
};
