// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid_motion.c - the way back from M and H to rigid bodies: who touches whom, where and in which
// frame.
// in: motion of a problem.   out: bodies by frames, or NULL.
//
// The rows of H that act on the velocity of a body are the frame of the contact, those that act on
// its spin are arm x axis: sum of axis x (arm x axis) = 2 arm. What is read off is held against H.

#include "law/rigid_motion.h"

#include <math.h>
#include <string.h>

#include "base/space.h"

static const double accuracy = 1e-12;  // of frames and arms: rounding, not digits of a text

typedef struct reader {
    const scree_motion *motion;
    int d, width, rigid, nc;
    double *inverse, *v_free, *frame, *arm, *radius, *arm_ratio;
    int *body;
    double M[36];
} reader;

// ---- bodies

// M of one body, dense; false if it is coupled with others
static bool read_block(reader *to, int body) {
    const scree_motion *motion = to->motion;
    int n = to->width, first = body * n;
    memset(to->M, 0, sizeof to->M);
    for (int j = 0; j < n; j++)
        for (int at = motion->M_first[first + j]; at < motion->M_first[first + j + 1]; at++) {
            int i = motion->M_row[at] - first;
            if (i < 0 || i >= n) return false;
            to->M[i * n + j] += motion->M[at];
        }
    return true;
}

// a mass, the same in all directions, and an inertia that is not coupled with it
static bool is_rigid(const reader *to) {
    int n = to->width, axes = n == 3 ? 2 : 3;
    if (!(to->M[0] > 0) || !(to->M[(n + 1) * axes] > 0)) return false;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (to->M[i * n + j] != to->M[j * n + i]) return false;
            if (i < axes && to->M[i * n + j] != (i == j ? to->M[0] : 0)) return false;
        }
    return true;
}

static bool read_body(reader *to, int body) {
    if (!read_block(to, body) || !is_rigid(to)) return false;
    const double *M = to->M, *f = to->motion->f + (size_t)body * (size_t)to->width;
    double *inverse = to->inverse + (size_t)body * (to->width == 3 ? 2 : 7);
    double *v = to->v_free + (size_t)body * (size_t)to->width;
    inverse[0] = 1 / M[0];
    if (to->width == 3) {
        inverse[1] = 1 / M[8];
        for (int k = 0; k < 3; k++) v[k] = f[k] * inverse[k == 2];
        return true;
    }
    const double J[6] = { M[21], M[22], M[23], M[28], M[29], M[35] };
    double *A = inverse + 1;
    if (!scree_symmetric_inverse(J, A)) return false;
    for (int k = 0; k < 3; k++) v[k] = f[k] * inverse[0];
    v[3] = A[0] * f[3] + A[1] * f[4] + A[2] * f[5];
    v[4] = A[1] * f[3] + A[3] * f[4] + A[4] * f[5];
    v[5] = A[2] * f[3] + A[4] * f[4] + A[5] * f[5];
    return true;
}

// ---- contacts

typedef struct side {
    double frame[9], arm[3];
    bool second;  // the normal points towards the other body
} side;

static bool near(const double *x, const double *y, int count, double size) {
    for (int k = 0; k < count; k++)
        if (!(fabs(x[k] - y[k]) <= accuracy * size)) return false;
    return true;
}

static bool is_frame(const double *frame) {
    double third[3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            if (!(fabs(scree_dot(frame + 3 * i, frame + 3 * j) - (i == j)) <= accuracy))
                return false;
    scree_cross(frame, frame + 3, third);
    return near(third, frame + 6, 3, 1);
}

// rows of H, each with its velocity and its moment; in the plane they get a third one
static void read_rows(const reader *to, const double *H, double axis[9], double moment[9]) {
    memset(axis, 0, 9 * sizeof *axis);
    memset(moment, 0, 9 * sizeof *moment);
    if (to->width == 3) {
        for (int r = 0; r < 2; r++) {
            for (int c = 0; c < 2; c++) axis[3 * r + c] = H[c * 2 + r];
            moment[3 * r + 2] = H[2 * 2 + r];
        }
        axis[8] = 1;
        return;
    }
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) {
            axis[3 * r + c] = H[c * 3 + r];
            moment[3 * r + c] = H[(3 + c) * 3 + r];
        }
}

static bool read_side(const reader *to, const double *H, side *own) {
    double moment[9], third[3], size = 0, product[3];
    read_rows(to, H, own->frame, moment);
    scree_cross(own->frame, own->frame + 3, third);
    // in the plane a turn by half is right-handed too: which body is which is found from both
    own->second = to->width == 6 && scree_dot(third, own->frame + 6) < 0;
    for (int k = 0; own->second && k < 9; k++) {
        own->frame[k] = -own->frame[k];
        moment[k] = -moment[k];
    }
    if (!is_frame(own->frame)) return false;
    memset(own->arm, 0, sizeof own->arm);
    double share = to->width == 3 ? 1 : 0.5;  // there the third axis has no moment
    for (int r = 0; r < 3; r++) {
        scree_cross(own->frame + 3 * r, moment + 3 * r, product);
        for (int k = 0; k < 3; k++) {
            own->arm[k] += share * product[k];
            size = fmax(size, fabs(moment[3 * r + k]));
        }
    }
    for (int r = 0; r < (to->width == 3 ? 2 : 3); r++) {
        scree_cross(own->arm, own->frame + 3 * r, product);
        if (!near(product, moment + 3 * r, 3, size)) return false;
    }
    return true;
}

// H of the bodies of a contact, column after column, and their number; 0: more than two. Zeros may
// be left out of it.
static int read_columns(const reader *to, int i, int body[2], double H[2][18]) {
    const scree_motion *motion = to->motion;
    int count = 0;
    memset(H, 0, 2 * sizeof *H);
    for (int at = motion->H_first[i]; at < motion->H_first[i + 1]; at++) {
        int own = motion->H_dof[at] / to->width, k = motion->H_dof[at] % to->width;
        if (count == 0 || body[count - 1] != own) {
            if (count == 2) return 0;
            body[count++] = own;
        }
        memcpy(H[count - 1] + k * to->d, motion->H + (size_t)at * (size_t)to->d,
               (size_t)to->d * sizeof(double));
    }
    return count;
}

static bool read_contact(reader *to, int i) {
    side own[2];
    int body[2] = { SCREE_FIXED, SCREE_FIXED };
    double H[2][18];
    int count = read_columns(to, i, body, H);
    if (!count) return false;
    for (int k = 0; k < count; k++)
        if (!read_side(to, H[k], &own[k])) return false;
    if (count == 2 && to->width == 3) {
        for (int k = 0; k < 6; k++) own[1].frame[k] = -own[1].frame[k];
        own[1].second = !own[1].second;
    }
    if (count == 2 && (own[0].second == own[1].second || !near(own[0].frame, own[1].frame, 9, 1)))
        return false;
    memcpy(to->frame + 9 * (size_t)i, own[0].frame, sizeof own[0].frame);
    to->body[2 * i] = to->body[2 * i + 1] = SCREE_FIXED;
    for (int k = 0; k < count; k++) {
        to->body[2 * i + own[k].second] = body[k];
        memcpy(to->arm + 6 * (size_t)i + 3 * (size_t)own[k].second, own[k].arm, sizeof own[k].arm);
    }
    return true;
}

// ---- balls: radii of solid ones, and arms that are one multiple of them along the normal

static bool find_radii(reader *to) {
    for (int k = 0; k < to->rigid; k++) {
        const double *inverse = to->inverse + 7 * (size_t)k, *A = inverse + 1;
        if (A[1] != 0 || A[2] != 0 || A[4] != 0 || A[0] != A[3] || A[0] != A[5]) return false;
        to->radius[k] = sqrt(2.5 * inverse[0] / A[0]);
    }
    return true;
}

static bool find_ratio(reader *to, int i) {
    const double *n = to->frame + 9 * (size_t)i;
    double ratio = 0;
    for (int k = 0; k < 2; k++) {
        int body = to->body[2 * i + k];
        if (body < 0) continue;
        const double *arm = to->arm + 6 * (size_t)i + 3 * (size_t)k;
        double along = (k ? 1 : -1) * scree_dot(arm, n), radius = to->radius[body];
        double central[3] = { 0 };
        for (int e = 0; e < 3; e++) central[e] = (k ? 1 : -1) * along * n[e];
        if (!near(arm, central, 3, radius)) return false;
        if (ratio > 0 && !(fabs(along - ratio * radius) <= accuracy * radius)) return false;
        ratio = along / radius;
    }
    to->arm_ratio[i] = ratio;
    return ratio > 0;
}

static bool are_balls(reader *to) {
    if (to->width != 6 || !find_radii(to)) return false;
    for (int i = 0; i < to->nc; i++)
        if (!find_ratio(to, i)) return false;
    return true;
}

// ----

static bool draw(reader *to, scree_arena *arena) {
    size_t nc = (size_t)to->nc, rigid = (size_t)to->rigid;
    to->inverse = SCREE_NEW(arena, double, 7 * rigid);
    to->v_free = SCREE_NEW(arena, double, 6 * rigid);
    to->radius = SCREE_NEW(arena, double, rigid);
    to->frame = SCREE_NEW(arena, double, 9 * nc);
    to->arm = SCREE_NEW(arena, double, 6 * nc);
    to->arm_ratio = SCREE_NEW(arena, double, nc);
    to->body = SCREE_NEW(arena, int, 2 * nc);
    return to->inverse && to->v_free && to->radius && to->frame && to->arm && to->arm_ratio &&
           to->body;
}

const scree_bodies *scree_rigid_bodies_of_motion(const scree_problem *problem, scree_arena *arena) {
    const scree_motion *motion = problem->motion;
    int width = problem->dimension == 2 ? 3 : 6;
    if (problem->dimension > 3 || motion->dofs % width) return NULL;
    reader to = { .motion = motion,
                  .d = problem->dimension,
                  .width = width,
                  .rigid = motion->dofs / width,
                  .nc = problem->contacts };
    scree_bodies *bodies = SCREE_NEW(arena, scree_bodies, 1);
    if (!bodies || !draw(&to, arena)) return NULL;
    for (int k = 0; k < to.rigid; k++)
        if (!read_body(&to, k)) return NULL;
    for (int i = 0; i < to.nc; i++)
        if (!read_contact(&to, i)) return NULL;
    bool balls = are_balls(&to);
    *bodies = (scree_bodies){ .rigid = to.rigid,
                              .width = width,
                              .inverse = to.inverse,
                              .body = to.body,
                              .frame = to.frame,
                              .arm = balls ? NULL : to.arm,
                              .radius = balls ? to.radius : NULL,
                              .arm_ratio = balls ? to.arm_ratio : NULL,
                              .v_free = to.v_free,
                              .w = motion->w };
    return bodies;
}
