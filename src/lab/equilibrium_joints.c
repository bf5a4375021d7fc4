// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// equilibrium_joints.c - joints and springs of bodies in the plane, as equilibria see them.

#include "lab/equilibrium_joints.h"

#include <math.h>
#include <string.h>

#include "model/drive.h"
#include "model/joint.h"
#include "scree/contact_id.h"

static scree_status refuse(scree_error *err, const char *name, const char *what) {
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "equilibria: joint \"%s\" has %s", name,
                      what);
}

scree_status scree_equilibrium_joints_check(const scree_model *model, scree_error *err) {
    for (int k = 0; k < model->joints; k++) {
        const scree_joint *joint = &model->joint[k];
        if (joint->friction > 0 || joint->dry_friction > 0)
            return refuse(err, joint->name, "friction, which is not looked at");
        if (joint->clearance > 0)
            return refuse(err, joint->name, "clearance, which is not looked at");
        if (scree_joint_has_markers(model, k))
            return refuse(err, joint->name, "a marker: equilibria are of rigid bodies");
    }
    for (int k = 0; k < model->drives; k++) {
        const scree_drive *drive = &model->drive[k];
        bool known = drive->kind == SCREE_SPRING || drive->kind == SCREE_MOTOR_FORCE;
        if (!known || drive->yield > 0)
            return refuse(err, model->joint[drive->joint].name,
                          "a motor that holds something, or a spring that yields");
        if (drive->target.at)
            return refuse(err, model->joint[drive->joint].name, "what depends on time");
    }
    return SCREE_OK;
}

// x += factor H
static void add_row(const scree_model *model, int k, const scree_joint_row *row, double factor,
                    const int *first, double *x) {
    int body[SCREE_JOINT_SIDES], sides = scree_joint_bodies(model, k, body);
    for (int s = 0; s < sides; s++) {
        if (body[s] < 0 || first[body[s]] < 0) continue;
        for (int c = 0; c < 3; c++)
            x[first[body[s]] + c] += factor * row->H[s][scree_joint_column(model, c)];
    }
}

// against the coordinate
static double force_of(const scree_model *model, const scree_drive *drive, const double *q) {
    if (drive->kind == SCREE_MOTOR_FORCE) return -drive->target.constant;
    double force, e = scree_drive_elongation(model, drive, q, 0);
    scree_drive_energy(drive, e, &force);
    if (drive->sense == SCREE_DRIVE_PULLS) return fmax(force, 0);
    return drive->sense == SCREE_DRIVE_PUSHES ? fmin(force, 0) : force;
}

double scree_equilibrium_joints_load(const scree_model *model, const double *q, const int *first,
                                     double *load) {
    double largest = 0;
    for (int k = 0; k < model->drives; k++) {
        const scree_drive *drive = &model->drive[k];
        scree_joint_row row = { 0 };
        double force = force_of(model, drive, q);
        scree_joint_coordinate_row(model, drive->joint, q, q, &row);
        add_row(model, drive->joint, &row, -force, first, load);
        for (int s = 0; s < SCREE_JOINT_SIDES; s++)
            for (int c = 0; c < 6; c++) largest = fmax(largest, fabs(force * row.H[s][c]));
    }
    return largest;
}

// take out of x what orthonormal rows have of it, twice for rounding
static void remove_rows(const double *Q, int rows, int n, double *x) {
    for (int round = 0; round < 2; round++)
        for (int k = 0; k < rows; k++) {
            double share = 0;
            for (int i = 0; i < n; i++) share += Q[k * n + i] * x[i];
            for (int i = 0; i < n; i++) x[i] -= share * Q[k * n + i];
        }
}

// what row x (n) has that those before it have not; false: nothing. Its length is 1 then.
static bool orthogonalise(const double *Q, int before, int n, double *x) {
    const double negligible = 1e-9;
    double size = 0, left = 0;
    for (int i = 0; i < n; i++) size += x[i] * x[i];
    remove_rows(Q, before, n, x);
    for (int i = 0; i < n; i++) left += x[i] * x[i];
    if (!(left > negligible * negligible * size)) return false;
    for (int i = 0; i < n; i++) x[i] /= sqrt(left);
    return true;
}

bool scree_equilibrium_joints_equations(const scree_model *model, const double *q, const int *first,
                                        int n, scree_arena *arena, double **Q, int *equations) {
    int rows = 0, found = 0;
    for (int k = 0; k < model->joints; k++) rows += scree_joint_equations(model, k);
    double *made = *Q = SCREE_NEW(arena, double, ((size_t)rows * (size_t)n));
    if (!made) return false;
    for (int k = 0; k < model->joints; k++) {
        scree_joint_row row[SCREE_JOINT_ROWS];
        scree_joint_rows_of(model, k, q, q, row);
        for (int r = 0; r < scree_joint_equations(model, k) && found < n; r++) {
            double *own = made + (size_t)found * (size_t)n;
            memset(own, 0, (size_t)n * sizeof *own);
            add_row(model, k, &row[r], 1, first, own);
            found += orthogonalise(made, found, n, own);
        }
    }
    *equations = found;
    return true;
}

bool scree_equilibrium_joints_limits(const scree_model *model, const scree_contact *contact) {
    uint64_t feature = scree_contact_id_unpack(contact->id).feature;
    return scree_joint_of_contact(model, contact) >= 0 &&
           (feature == SCREE_JOINT_LOWER || feature == SCREE_JOINT_UPPER);
}

void scree_equilibrium_joints_row(const scree_model *model, const scree_contact *contact,
                                  const double *q, const int *first, double *row) {
    int k = scree_joint_of_contact(model, contact);
    bool lower = scree_contact_id_unpack(contact->id).feature == SCREE_JOINT_LOWER;
    scree_joint_row made;
    scree_joint_coordinate_row(model, k, q, q, &made);
    add_row(model, k, &made, lower ? 1 : -1, first, row);
}

void scree_equilibrium_joints_project(const double *Q, int equations, int n, double size,
                                      double *x) {
    const double rounding = 1e-13;
    for (int i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
    remove_rows(Q, equations, n, x);
    for (int i = 0; i < n; i++)
        if (fabs(x[i]) <= rounding * size) x[i] = 0;
}
