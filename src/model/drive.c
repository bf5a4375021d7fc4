// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// drive.c - springs and motors: what may be added, their energies and forces.

#include "model/drive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/joint.h"
#include "model/memory.h"
#include "model/part.h"

scree_drive scree_drive_default(scree_drive_kind kind, int joint) {
    return (scree_drive){ .kind = kind, .joint = joint, .most = HUGE_VAL };
}

static scree_status bad(scree_error *err, const char *name, const char *what) {
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "%s: %s", name, what);
}

static scree_status check(const scree_model *model, const scree_drive *drive, const char *name,
                          scree_error *err) {
    if (model->memory->finished) return bad(err, name, "the model is finished already");
    if (drive->joint < 0 || drive->joint >= model->joints)
        return bad(err, name, "there is no such joint");
    if (!scree_joint_has_coordinate(model, drive->joint))
        return bad(err, name,
                   "its joint has no coordinate: it takes a hinge, slider, cylindrical "
                   "joint, screw, point on a line or a distance");
    if (!(drive->stiffness >= 0 && isfinite(drive->stiffness)) ||
        !(drive->damping >= 0 && isfinite(drive->damping)))
        return bad(err, name, "stiffness and damping must not be negative");
    if (!(drive->most > 0)) return bad(err, name, "its largest force must be positive");
    if (drive->area && (drive->kind == SCREE_SPRING || drive->integral > 0))
        return bad(err, name, "an area is for motors without integral");
    if (!(drive->yield >= 0 && isfinite(drive->yield)) ||
        !(drive->integral >= 0 && isfinite(drive->integral)))
        return bad(err, name, "yield and integral must not be negative");
    if (drive->yield > 0 && (drive->kind != SCREE_SPRING || !(drive->stiffness > 0) ||
                             drive->energy || drive->sense != SCREE_DRIVE_BOTH))
        return bad(err, name, "what yields is a spring with a stiffness that acts both ways");
    if (drive->integral > 0 && (drive->kind != SCREE_MOTOR_POSITION || !(drive->stiffness > 0)))
        return bad(err, name, "an integral goes with a position that is held with a stiffness");
    if (drive->kind == SCREE_SPRING && !(drive->stiffness > 0) && !(drive->damping > 0) &&
        !drive->energy)
        return bad(err, name, "a spring needs a stiffness, a damping or an energy");
    bool angle = model->space == 3 && model->joint[drive->joint].kind == SCREE_HINGE;
    if (drive->kind == SCREE_SPRING && angle && !(fabs(drive->target.constant) <= M_PI))
        return bad(err, name,
                   "angles of hinges in space are within (-pi, pi]: its length less "
                   "preload/stiffness must be, too");
    return SCREE_OK;
}

scree_status scree_model_add_drive(scree_model *model, const scree_drive *drive, scree_error *err) {
    const char *name = drive->name ? drive->name : "";
    scree_status status = check(model, drive, name, err);
    if (status) return status;
    int *room = &model->memory->drive_room;
    if (model->drives == *room) {
        int more = *room ? 2 * *room : 8;
        scree_drive *grown = realloc(model->drive, (size_t)more * sizeof *grown);
        if (!grown) return scree_fail_memory(err, NULL);
        model->drive = grown;
        *room = more;
    }
    scree_drive *own = &model->drive[model->drives];
    *own = *drive;
    own->name = scree_arena_text(&model->memory->arena, name, strlen(name));
    if (!own->name) return scree_fail_memory(err, NULL);
    own->rank = 0;
    for (int k = 0; k < model->drives; k++) own->rank += scree_drive_remembers(&model->drive[k]);
    model->drives++;
    return SCREE_OK;
}

// where a spring of this sense is at work
static double taut(const scree_drive *drive, double e) {
    if (drive->sense == SCREE_DRIVE_PULLS) return fmax(e, 0);
    return drive->sense == SCREE_DRIVE_PUSHES ? fmin(e, 0) : e;
}

double scree_drive_kept(const scree_drive *drive, double e) {
    if (!(drive->yield > 0)) return e;
    double most = drive->yield / drive->stiffness;
    return fmax(-most, fmin(e, most));
}

double scree_drive_energy(const scree_drive *drive, double e, double *slope) {
    double unused, x = taut(drive, e);
    if (!slope) slope = &unused;
    *slope = 0;
    if (drive->kind != SCREE_SPRING) return 0;
    if (drive->energy) {
        double energy = drive->energy(drive->self, x, slope);
        if (x != e) *slope = 0;
        return energy;
    }
    double kept = scree_drive_kept(drive, x);
    *slope = drive->stiffness * kept;
    return *slope * (x - kept / 2);
}

static bool is_linear(const scree_drive *drive, double e) {
    return !drive->energy && taut(drive, e) == e && scree_drive_kept(drive, e) == e;
}

// E'' by a difference: how fast a step finds its force depends on it, not which it is
static double curvature(const scree_drive *drive, double e) {
    double step = 1e-6 * (fabs(e) + 1e-3), low, high;
    if (drive->kind != SCREE_SPRING) return drive->stiffness;
    if (!drive->energy) return is_linear(drive, e) ? drive->stiffness : 0;
    scree_drive_energy(drive, e - step, &low);
    scree_drive_energy(drive, e + step, &high);
    return fmax((high - low) / (2 * step), 0);
}

// a position that a motor holds as a spring would, without storing anything
static double slope_at(const scree_drive *drive, double e) {
    double slope;
    if (drive->kind == SCREE_MOTOR_POSITION) return drive->stiffness * e;
    scree_drive_energy(drive, e, &slope);
    return slope;
}

scree_drive_force scree_drive_force_of(const scree_drive *drive, double e, double e_end) {
    double way = e_end - e, middle = (e + e_end) / 2;
    scree_drive_force f = { .end = slope_at(drive, e_end), .end_slope = curvature(drive, e_end) };
    if ((is_linear(drive, e) && is_linear(drive, e_end)) || drive->kind != SCREE_SPRING) {
        f.mean = slope_at(drive, middle);
        f.mean_slope = f.end_slope / 2;
    } else if (fabs(way) <= 1e-5 * (fabs(e) + fabs(e_end))) {  // a difference would be rounding
        f.mean = (slope_at(drive, e) + 4 * slope_at(drive, middle) + f.end) / 6;
        f.mean_slope = f.end_slope / 2;
    } else {
        f.mean =
            (scree_drive_energy(drive, e_end, NULL) - scree_drive_energy(drive, e, NULL)) / way;
        f.mean_slope = fmax((f.end - f.mean) / way, 0);
    }
    return f;
}

double scree_drive_turns(const scree_model *model, const scree_drive *drive, double x,
                         double rest) {
    if (drive->kind != SCREE_SPRING && drive->kind != SCREE_MOTOR_POSITION) return 0;
    return scree_joint_turns(model, drive->joint, x, rest);
}

double scree_drive_remembered(const scree_model *model, const scree_drive *drive, const double *q) {
    if (!scree_drive_remembers(drive)) return 0;
    return q[scree_model_parts_of(model, &scree_drive_memory)->coordinate + drive->rank];
}

double scree_drive_rest(const scree_model *model, const scree_drive *drive, const double *q,
                        double t) {
    double rate, target = scree_function_at(&drive->target, t, &rate);
    return drive->yield > 0 ? target + scree_drive_remembered(model, drive, q) : target;
}

double scree_drive_elongation(const scree_model *model, const scree_drive *drive, const double *q,
                              double t) {
    scree_joint_row row;
    double rest = scree_drive_rest(model, drive, q, t);
    scree_joint_coordinate_row(model, drive->joint, q, q, &row);
    return row.g + scree_drive_turns(model, drive, row.g, rest) - rest;
}

double scree_drives_energy(const scree_model *model, const scree_state *state) {
    double sum = 0;
    for (int k = 0; k < model->drives; k++)
        if (model->drive[k].kind == SCREE_SPRING)
            sum += scree_drive_energy(
                &model->drive[k],
                scree_drive_elongation(model, &model->drive[k], state->q, state->time), NULL);
    return sum;
}

int scree_drive_of_contact(const scree_model *model, const scree_contact *contact) {
    if (scree_contact_id_source(contact->id) != SCREE_SOURCE_JOINTS) return -1;
    uint64_t feature = scree_contact_id_unpack(contact->id).feature;
    bool known =
        feature >= SCREE_JOINT_DRIVE && feature - SCREE_JOINT_DRIVE < (uint64_t)model->drives;
    return known ? (int)(feature - SCREE_JOINT_DRIVE) : -1;
}
