// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// near.c - the problem of a step as it is near the impulses of the last pass.
// in: the problem of the step, impulses that led to its H.   out: one that has the same velocities
// at these impulses, and whose answer stays near them.
//
// Rows of joints turn with their bodies, so that a body that is pulled at both of its ends turns
// back as on a spring: with the reactions f at arms r' its torque changes by -D (w' - w'_k),
//
//     D = (h theta/2) sum ((r' . f) I - (r' f^T + f r'^T)/2),
//
// in space a little more, so that it is nowhere negative.
//
// To leave that out, as plain passes do, is to forget a pendulum's stiffness: they run away where
// it is above the inertia, as it is in light links with a heavy weight. Here the inverse of the
// body is that of J + D, and its free spin such that the spin at these impulses is what it was.
// Pushed bodies, whose D is negative, have none.
//
// Besides every row gets a compliance c, a share of what moves it, on what its impulse changes:
// s + c (p - p_k). Of several answers that is one near the last, and an answer that does not move
// any more solves the problem itself, whatever c is (a proximal point method).

#include <math.h>
#include <string.h>

#include "base/space.h"
#include "law/bodies.h"
#include "model/joint.h"
#include "model/memory.h"
#include "step/stepper.h"

enum { SPACE = 6 };  // numbers of a symmetric tensor: xx xy xz yy yz zz

// D += of one joint; side i hangs on a body that moves
static void add_side(const scree_stepper *stepper, const scree_joint_row *row, const double *p,
                     int rows, int joint, int i, int body, double *D) {
    const scree_model *model = stepper->model;
    const double *arm = model->memory->joints.frame[joint].arm[i];
    double f[3] = { 0 }, A[9], r[3], room[7];
    for (int k = 0; k < rows; k++)
        for (int c = 0; c < model->space; c++) f[c] += row[k].H[i][c] * p[k];
    const double *end = scree_joint_pose(model, body, stepper->record.after.q, room);
    double theta = stepper->body_theta ? stepper->body_theta[body] : stepper->scheme.theta;
    double weight = stepper->scheme.step * theta / 2;
    if (model->space == 2) {
        double c = cos(end[2]), s = sin(end[2]);
        D[body] += weight * ((c * arm[0] - s * arm[1]) * f[0] + (s * arm[0] + c * arm[1]) * f[1]);
        return;
    }
    scree_rotation(end + 3, A);
    scree_rotate(A, arm, r);
    double *to = D + (long)body * SPACE, along = scree_dot(r, f);
    double most = (along + scree_length(r) * scree_length(f)) / 2;  // nowhere negative
    if (!(along > 0)) return;
    for (int a = 0, at = 0; a < 3; a++)
        for (int b = a; b < 3; b++, at++)
            to[at] += weight * ((a == b ? most : 0) - (r[a] * f[b] + f[a] * r[b]) / 2);
}

// D of all bodies (1 or SPACE numbers each)
static void find_stiffness(const scree_stepper *stepper, const double *impulse, double *D) {
    const scree_model *model = stepper->model;
    const scree_contact_set *set = &stepper->set;
    for (int k = 0; k < set->active_count; k++) {
        const scree_contact *contact = &set->contact[set->active[k]];
        int joint = scree_joint_of_contact(model, contact), body[SCREE_JOINT_SIDES];
        int first = (int)scree_contact_id_unpack(contact->id).feature;  // of its equations
        if (joint < 0 || model->joint[joint].kind == SCREE_COUPLER || first >= SCREE_JOINT_FRICTION)
            continue;
        scree_joint_row row[SCREE_JOINT_ROWS];
        int rows = scree_joint_equations(model, joint) - first;
        if (rows > model->dimension) rows = model->dimension;
        scree_joint_rows_of(model, joint, stepper->record.before.q, stepper->record.after.q, row);
        scree_joint_bodies(model, joint, body);
        for (int i = 0; i < 2; i++)
            if (body[i] >= 0 && scree_body_moves(&model->body[body[i]]))
                add_side(stepper, row + first, impulse + (long)k * model->dimension, rows, joint, i,
                         body[i], D);
    }
}

// the inverse of a symmetric tensor
static void invert(const double T[SPACE], double to[SPACE]) {
    double xx = T[3] * T[5] - T[4] * T[4], xy = T[2] * T[4] - T[1] * T[5],
           xz = T[1] * T[4] - T[2] * T[3], det = T[0] * xx + T[1] * xy + T[2] * xz;
    const double adjugate[SPACE] = {
        xx, xy, xz, T[0] * T[5] - T[2] * T[2], T[1] * T[2] - T[0] * T[4], T[0] * T[3] - T[1] * T[1]
    };
    for (int k = 0; k < SPACE; k++) to[k] = adjugate[k] / det;
}

static void times(const double T[SPACE], const double x[3], double y[3]) {
    y[0] = T[0] * x[0] + T[1] * x[1] + T[2] * x[2];
    y[1] = T[1] * x[0] + T[3] * x[1] + T[4] * x[2];
    y[2] = T[2] * x[0] + T[4] * x[1] + T[5] * x[2];
}

// The inverse of J + D, and the free spin with it: w + (J + D)^-1 D (A t), t the torque that p_k
// has.
static void stiffen_plane(double D, const double torque, double *inverse, double *spin) {
    double J = 1 / inverse[1];
    if (!(D > 0) || !(inverse[1] > 0)) return;
    *spin += D / (J + D) * torque / J;
    inverse[1] = 1 / (J + D);
}

static void stiffen_space(const double D[SPACE], const double torque[3], double *inverse,
                          double spin[3]) {
    double T[SPACE], sum[SPACE], turned[3], held[3], more[3];
    if (!(D[0] + D[3] + D[5] > 0) || !(inverse[1] > 0)) return;
    times(inverse + 1, torque, turned);
    times(D, turned, held);
    invert(inverse + 1, T);
    for (int k = 0; k < SPACE; k++) sum[k] = T[k] + D[k];
    invert(sum, inverse + 1);
    times(inverse + 1, held, more);
    for (int k = 0; k < 3; k++) spin[k] += more[k];
}

static scree_status stiffen(scree_stepper *stepper, const double *impulse, scree_problem *problem,
                            scree_error *err) {
    const scree_model *model = stepper->model;
    scree_bodies *bodies = (scree_bodies *)problem->bodies;  // the step's own
    int space = model->space, numbers = space == 2 ? 2 : 7, each = space == 2 ? 1 : SPACE;
    if (bodies->frame) return SCREE_OK;  // pairs alone: no joint is stiff
    double *D = SCREE_NEW(&stepper->scratch, double, (model->bodies * each));
    double *inverse = SCREE_NEW(&stepper->scratch, double, (model->bodies * numbers));
    double *v_free = SCREE_NEW(&stepper->scratch, double, model->dofs);
    if (!D || !inverse || !v_free) return scree_fail_memory(err, NULL);
    memcpy(inverse, bodies->inverse, (size_t)(model->bodies * numbers) * sizeof *inverse);
    memcpy(v_free, bodies->v_free, (size_t)model->dofs * sizeof *v_free);
    find_stiffness(stepper, impulse, D);
    scree_impulses_apply(stepper, impulse);
    for (int i = 0; i < model->bodies; i++) {
        const double *torque = stepper->work + (long)i * model->body_dofs + space;
        double *spin = v_free + (long)i * model->body_dofs + space, *own = inverse + i * numbers;
        if (space == 2)
            stiffen_plane(D[i], *torque, own, spin);
        else
            stiffen_space(D + (long)i * SPACE, torque, own, spin);
    }
    bodies->inverse = inverse;
    bodies->v_free = v_free;
    return SCREE_OK;
}

// compliance on what impulses change; the same in all rows of what has friction
static scree_status soften(scree_stepper *stepper, const double *impulse, double share,
                           scree_problem *problem, double *w, scree_error *err) {
    const double slight = fmin(share, 1e-9);
    int nc = problem->contacts, d = problem->dimension;
    double *W = SCREE_NEW(&stepper->scratch, double, ((size_t)nc * (size_t)(d * d)));
    double *soft = SCREE_NEW(&stepper->scratch, double, ((size_t)nc * (size_t)d));
    if (!W || !soft || !scree_bodies_diagonal(problem, NULL, W, &stepper->scratch))
        return scree_fail_memory(err, NULL);
    if (problem->compliance)
        memcpy(soft, problem->compliance, (size_t)nc * (size_t)d * sizeof *soft);
    for (int i = 0; i < nc; i++) {
        bool joint = problem->equality && problem->equality[i];
        double most = 0;
        for (int r = 0; r < d; r++)
            most = fmax(most, W[((size_t)i * (size_t)d + (size_t)r) * (size_t)d + (size_t)r]);
        for (int r = 0; r < d; r++) {
            double own =
                joint ? slight * W[((size_t)i * (size_t)d + (size_t)r) * (size_t)d + (size_t)r]
                      : share * most;
            soft[i * d + r] += own;
            w[i * d + r] -= own * impulse[i * d + r];
        }
    }
    problem->compliance = soft;
    return SCREE_OK;
}

scree_status scree_problem_near(scree_stepper *stepper, const double *impulse, double share,
                                scree_error *err) {
    scree_status status = scree_problem_of_step(stepper, err);
    scree_problem *problem = &stepper->record.problem;
    if (status || !problem->contacts) return status;
    scree_bodies *bodies = (scree_bodies *)problem->bodies;
    int nc = problem->contacts, d = problem->dimension;
    double *b = SCREE_NEW(&stepper->scratch, double, 2 * (size_t)nc * (size_t)d);
    if (!b) return scree_fail_memory(err, NULL);
    double *w = b + (size_t)nc * (size_t)d;
    memcpy(w, bodies->w, (size_t)nc * (size_t)d * sizeof *w);
    if (bodies->rigid) status = stiffen(stepper, impulse, problem, err);
    if (!status) status = soften(stepper, impulse, share, problem, w, err);
    if (status) return status;
    bodies->w = w;
    const double *v = bodies->frame ? stepper->free_velocity : bodies->v_free;
    for (int i = 0; i < nc; i++) {
        scree_contacts_velocity(&stepper->set, stepper->set.active[i], v,
                                b + (size_t)i * (size_t)d);
        for (int r = 0; r < d; r++) b[i * d + r] += w[i * d + r];
    }
    problem->b = b;
    return SCREE_OK;
}
