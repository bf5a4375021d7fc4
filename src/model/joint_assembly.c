// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// joint_assembly.c - joints at the start: frames in their bodies, whether all of them fit, and
// which equations follow from others.
// in: a model with all that was added to it.   out: frames; bodies where joints fit, with
// velocities that they allow.
//
// Bodies are moved along A H^T x with H A H^T x = -g, as little as masses allow, by conjugate
// gradients: what follows from other equations does no harm there.

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/space.h"
#include "base/union_find.h"
#include "model/inertia.h"
#include "model/joint.h"
#include "model/memory.h"
#include "model/part.h"

static const double far_share = 0.1;  // of its size: what is further off is a mistake

typedef struct assembly {
    scree_model *model;
    const scree_parts *parts;  // rigid bodies, or NULL
    int rows;                  // equations of all joints
    int *first;                // of each joint (joints + 1)
    scree_joint_row *row;      // (rows)
    double *scale;             // 1/sqrt of the diagonal of H A H^T (rows)
    double *q, *v, *trial;     // (coordinates), (dofs), (coordinates)
    scree_marker_map *map;     // of sides that are markers (joints x SCREE_JOINT_SIDES), or NULL
    double *inverse;           // A by bodies: 2 or 7 numbers (bodies x 7)
    double *lightness;         // A of what is behind the bodies, roughly; 0: it stays (dofs)
    double *x, *r, *p, *y;     // (rows)
    double *push;              // (dofs)
} assembly;

// --- frames -------------------------------------------------------------------------------------

// place and axes of a side; its angle in the plane
static double pose_of(const scree_model *model, int side, const double *q, double at[3],
                      double A[9]) {
    static const double unit[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    double room[7];
    const double *own = scree_joint_pose(model, side, q, room);
    memset(at, 0, 3 * sizeof *at);
    memcpy(A, unit, sizeof unit);
    memcpy(at, own, (size_t)model->space * sizeof *own);
    if (model->space == 3) {
        scree_rotation(own + 3, A);
        return 0;
    }
    const double c = cos(own[2]), s = sin(own[2]);
    A[0] = A[4] = c;
    A[1] = -s;
    A[3] = s;
    return own[2];
}

// the axis and two across it, of unit length, in world axes; side 1 of a universal joint has its
// own axis first
static void triad(const scree_model *model, const scree_joint *joint, int side, double axis[9]) {
    const double *given = joint->kind == SCREE_UNIVERSAL && side ? joint->axis_second : joint->axis;
    double e[3] = { given[0], given[1], model->space == 3 ? given[2] : 0 };
    double length = scree_length(e);
    if (length == 0) e[0] = length = 1;  // kinds without an axis
    for (int k = 0; k < 3; k++) axis[k] = e[k] / length;
    if (model->space == 3) {
        scree_tangents(axis, axis + 3, axis + 6);
        return;
    }
    const double across[6] = { -axis[1], axis[0], 0, 0, 0, 1 };
    memcpy(axis + 3, across, sizeof across);
}

static void make_frame(scree_model *model, int k, const double *q) {
    scree_joint *joint = &model->joint[k];
    scree_joint_frame *frame = &model->memory->joints.frame[k];
    const int body[2] = { joint->a, joint->b };
    double way[3], at[2][3], A[9], axis[9], angle[2];
    for (int i = 0; i < 2; i++) {
        double arm[3];
        angle[i] = pose_of(model, body[i], q, at[i], A);
        for (int c = 0; c < 3; c++) arm[c] = c < model->space ? joint->anchor[i][c] - at[i][c] : 0;
        scree_rotate_back(A, arm, frame->arm[i]);
        triad(model, joint, i, axis);
        for (int r = 0; r < 3; r++) scree_rotate_back(A, axis + 3 * r, frame->axis[i] + 3 * r);
        if (body[i] != SCREE_GROUND) frame->size = fmax(frame->size, scree_length(arm));
    }
    for (int c = 0; c < 3; c++) way[c] = joint->anchor[0][c] - joint->anchor[1][c];
    if (joint->length == 0) joint->length = scree_length(way);
    if (joint->kind == SCREE_ROPE) joint->upper = joint->length;
    if (joint->kind == SCREE_ROD || joint->kind == SCREE_ROPE)
        frame->size = fmax(frame->size, joint->length);
    if (body[0] != SCREE_GROUND && body[1] != SCREE_GROUND)
        for (int c = 0; c < 3; c++) way[c] = at[0][c] - at[1][c];
    frame->size = fmax(frame->size, scree_length(way));
    if (model->space == 2) frame->start = angle[0] - angle[1];
}

// where a coupler begins: all other frames are there
static void start_coupler(scree_model *model, int k, const double *q) {
    const scree_joint *joint = &model->joint[k];
    scree_joint_frame *frame = &model->memory->joints.frame[k];
    for (int i = 0; i < 2; i++) {
        scree_joint_row one;
        scree_joint_coordinate_row(model, joint->joint[i], q, q, &one);
        frame->start += (i ? joint->ratio : 1) * one.g;
    }
    frame->size = 1;
}

// --- H A H^T ------------------------------------------------------------------------------------

static bool moves(const scree_model *model, int body) {
    return body >= 0 && scree_body_moves(&model->body[body]);
}

static void find_inverse(assembly *it) {
    for (int i = 0; i < it->model->bodies; i++) {
        const scree_body *body = &it->model->body[i];
        double *inverse = it->inverse + 7 * (long)i, A[9], J[6];
        if (!scree_body_moves(body)) continue;
        inverse[0] = 1 / body->mass;
        inverse[1] = it->model->space == 2 ? 1 / body->inertia : 0;
        if (it->model->space == 2) continue;
        scree_rotation(it->q + 7 * (long)i + 3, A);
        scree_congruence(A, body->tensor, J);
        scree_symmetric_inverse(J, inverse + 1);
    }
}

static const scree_marker_map *maps_of(const assembly *it, int k) {
    return it->map ? it->map + (size_t)k * SCREE_JOINT_SIDES : NULL;
}

// push = A H^T S p
static void push_rows(assembly *it, const double *p) {
    const scree_model *model = it->model;
    memset(it->push, 0, (size_t)model->dofs * sizeof *it->push);
    for (int k = 0; k < model->joints; k++)
        for (int r = it->first[k]; r < it->first[k + 1]; r++)
            scree_joint_row_impulse(model, k, &it->row[r], maps_of(it, k), it->scale[r] * p[r],
                                    it->push);
    for (int i = model->bodies * model->body_dofs; i < model->dofs; i++)
        it->push[i] *= it->lightness[i];
    for (int i = 0; i < model->bodies; i++) {
        double *x = it->push + (long)i * model->body_dofs, turn[3];
        const double *inverse = it->inverse + 7 * (long)i;
        for (int c = 0; c < model->space; c++) x[c] *= inverse[0];
        if (model->space == 2) {
            x[2] *= inverse[1];
            continue;
        }
        scree_symmetric(inverse + 1, x + 3, turn);
        memcpy(x + 3, turn, sizeof turn);
    }
}

// y = S H A H^T S p
static void product(assembly *it, const double *p, double *y) {
    push_rows(it, p);
    for (int k = 0; k < it->model->joints; k++)
        for (int r = it->first[k]; r < it->first[k + 1]; r++)
            y[r] = it->scale[r] * scree_joint_row_velocity(it->model, k, &it->row[r],
                                                           maps_of(it, k), it->push, false);
}

// push = -A H^T (H A H^T)^+ r, r is overwritten
static void correct(assembly *it) {
    int n = it->rows, most = 10 * n + 50;
    memset(it->x, 0, (size_t)n * sizeof *it->x);
    for (int i = 0; i < n; i++) it->r[i] *= -it->scale[i];
    memcpy(it->p, it->r, (size_t)n * sizeof *it->p);
    double now = scree_dense_dot(it->r, it->r, n), end = 1e-28 * now;
    for (int step = 0; step < most && now > end; step++) {
        product(it, it->p, it->y);
        double curve = scree_dense_dot(it->p, it->y, n);
        if (!(curve > 0)) break;
        double alpha = now / curve, last = now;
        for (int i = 0; i < n; i++) {
            it->x[i] += alpha * it->p[i];
            it->r[i] -= alpha * it->y[i];
        }
        now = scree_dense_dot(it->r, it->r, n);
        for (int i = 0; i < n; i++) it->p[i] = it->r[i] + now / last * it->p[i];
    }
    push_rows(it, it->x);
}

// rows at q, and the one that is off most over its size; r = g
static double evaluate(assembly *it, int *worst) {
    double most = 0;
    *worst = -1;
    for (int k = 0; k < it->model->joints; k++) {
        scree_joint_rows_of(it->model, k, it->q, it->q, &it->row[it->first[k]]);
        if (it->map)
            scree_joint_maps(it->model, k, it->q, it->q, it->map + (size_t)k * SCREE_JOINT_SIDES);
        double size = it->model->memory->joints.frame[k].size;
        for (int r = it->first[k]; r < it->first[k + 1]; r++) {
            it->r[r] = it->row[r].g;
            double off = fabs(it->r[r]) / (size > 0 ? size : 1);
            if (off > most) *worst = k;
            most = fmax(most, off);
        }
    }
    return most;
}

// what a marker adds to the diagonal of H A H^T
static double marker_diagonal(const assembly *it, int k, int side, int m, const double *H) {
    const scree_marker_frame *own = scree_marker_frame_of(it->model, m);
    double sum = 0;
    for (int c = 0; c < own->columns; c++) {
        double w = scree_marker_column(it->model, m, &maps_of(it, k)[side], H, c);
        sum += w * w * it->lightness[own->dof + own->local[c]];
    }
    return sum;
}

static void find_scale(assembly *it) {
    for (int k = 0; k < it->model->joints; k++)
        for (int r = it->first[k]; r < it->first[k + 1]; r++) {
            double diagonal = 0;
            int body[SCREE_JOINT_SIDES], sides = scree_joint_bodies(it->model, k, body);
            for (int i = 0; i < sides; i++) {
                int m = scree_marker_of_side(body[i]);
                if (m >= 0) diagonal += marker_diagonal(it, k, i, m, it->row[r].H[i]);
                if (!moves(it->model, body[i])) continue;
                const double *H = it->row[r].H[i], *A = it->inverse + 7 * (long)body[i];
                double turn[3] = { 0, 0, A[1] * H[5] };
                if (it->model->space == 3) scree_symmetric(A + 1, H + 3, turn);
                diagonal += A[0] * scree_dot(H, H) + scree_dot(turn, H + 3);
            }
            it->scale[r] = diagonal > 0 ? 1 / sqrt(diagonal) : 0;
        }
}

// --- rank ---------------------------------------------------------------------------------------

// from now on markers move: the rank of H does not depend on masses
static void lighten(assembly *it) {
    for (int m = 0; m < scree_model_markers(it->model); m++) {
        const scree_marker_frame *own = scree_marker_frame_of(it->model, m);
        for (int c = 0; c < own->columns; c++)
            it->lightness[own->dof + own->local[c]] = own->lightness[c];
    }
}

// Rows that follow from others: what Gaussian elimination of S H A H^T S with pivots leaves. Large
// loops are not looked at. W is U in the order of pivots then, `rank` rows of it.
typedef struct elimination {
    int n, rank;
    double *W;   // (n x n)
    int *order;  // row of the problem at each place (n)
} elimination;

static void swap_places(elimination *e, int i, int k) {
    size_t n = (size_t)e->n;
    for (size_t c = 0; i != k && c < n; c++) {
        double other = e->W[c * n + (size_t)i];
        e->W[c * n + (size_t)i] = e->W[c * n + (size_t)k];
        e->W[c * n + (size_t)k] = other;
    }
    for (size_t c = 0; i != k && c < n; c++) {
        double other = e->W[(size_t)i * n + c];
        e->W[(size_t)i * n + c] = e->W[(size_t)k * n + c];
        e->W[(size_t)k * n + c] = other;
    }
    int other = e->order[i];
    e->order[i] = e->order[k];
    e->order[k] = other;
}

// least: of a diagonal of ones, what counts as a pivot
static void eliminate(elimination *e, double least) {
    size_t n = (size_t)e->n;
    for (int k = 0; k < e->n; k++) {
        int best = k;
        for (int i = k + 1; i < e->n; i++)
            if (e->W[(size_t)i * n + (size_t)i] > e->W[(size_t)best * n + (size_t)best]) best = i;
        if (!(e->W[(size_t)best * n + (size_t)best] > least)) return;
        swap_places(e, k, best);
        const double *pivot = e->W + (size_t)k * n;
        for (int i = k + 1; i < e->n; i++) {
            double *row = e->W + (size_t)i * n, share = row[k] / pivot[k];
            for (int c = k; share != 0 && c < e->n; c++) row[c] -= share * pivot[c];
        }
        e->rank = k + 1;
    }
}

// reactions that do nothing, one for each row beyond the rank: U x = 0
static void find_idle(const elimination *e, int beyond, double *x) {
    size_t n = (size_t)e->n;
    for (int i = e->rank; i < e->n; i++) x[i] = i == beyond;
    for (int i = e->rank - 1; i >= 0; i--) {
        const double *row = e->W + (size_t)i * n;
        double sum = row[beyond];
        for (int c = i + 1; c < e->rank; c++) sum += row[c] * x[c];
        x[i] = -sum / row[i];
    }
}

// The joints that have a part in them, or, where these are asked for, in those on which openings g
// would work: such openings cannot be closed.
static bool name_idle(assembly *it, const elimination *e, bool open, scree_arena *scratch) {
    const double part = 1e-6;
    scree_model *model = it->model;
    scree_assembly *found = &model->memory->joints.assembly;
    double *x = SCREE_NEW(scratch, double, e->n), size = 0;
    bool *idle = SCREE_NEW(scratch, bool, e->n);
    int *joint = SCREE_NEW(&model->memory->arena, int, model->joints);
    if (!x || !idle || !joint) return false;
    for (int r = 0; r < e->n; r++) size = fmax(size, fabs(it->scale[r] * it->row[r].g));
    for (int beyond = e->rank; beyond < e->n; beyond++) {
        double work = 0;
        find_idle(e, beyond, x);
        for (int i = 0; i < e->n; i++)
            work += x[i] * it->scale[e->order[i]] * it->row[e->order[i]].g;
        for (int i = 0; (!open || fabs(work) > 1e-3 * size) && i < e->n; i++)
            if (fabs(x[i]) > part) idle[e->order[i]] = true;
    }
    for (int k = 0; k < model->joints; k++) {
        bool any = false;
        for (int r = it->first[k]; r < it->first[k + 1]; r++) any |= idle[r];
        if (any) joint[found->joints++] = k;
    }
    found->joint_of_loop = joint;
    if (found->joints) found->in_loop = joint[0];
    return true;
}

// at q; open: only what cannot be closed
static bool find_redundant(assembly *it, bool open, scree_arena *scratch) {
    enum { MOST = 600 };
    int n = it->rows, worst;
    if (n > MOST) return true;
    elimination e = { .n = n,
                      .W = SCREE_NEW(scratch, double, ((size_t)n * (size_t)n)),
                      .order = SCREE_NEW(scratch, int, n) };
    if (!e.W || !e.order) return false;
    evaluate(it, &worst);
    find_inverse(it);
    if (!open) lighten(it);
    find_scale(it);
    for (int i = 0; i < n; i++) {
        memset(it->p, 0, (size_t)n * sizeof *it->p);
        it->p[i] = 1;
        e.order[i] = i;
        product(it, it->p, e.W + (size_t)i * (size_t)n);
    }
    eliminate(&e, open ? 1e-4 : 1e-9);
    it->model->memory->joints.assembly.redundant = n - e.rank;
    return e.rank == n || name_idle(it, &e, open, scratch);
}

// --- places -------------------------------------------------------------------------------------

static double off_of(const assembly *it, int k) {
    double most = 0;
    for (int r = it->first[k]; r < it->first[k + 1]; r++) most = fmax(most, fabs(it->row[r].g));
    return most;
}

// they contradict each other: the one that was off most, and those that it contradicts
static scree_status fail_loop(assembly *it, int worst, scree_arena *scratch, scree_error *err) {
    enum { NAMED = 6 };
    const scree_assembly *found = &it->model->memory->joints.assembly;
    char others[240] = "";
    int named = 0, lead = found->joint;
    double off = off_of(it, worst);
    if (!find_redundant(it, true, scratch)) return scree_fail_memory(err, "joints");
    for (int i = 0; i < found->joints; i++) {
        size_t used = strlen(others);
        if (found->joint_of_loop[i] == lead || named++ >= NAMED) continue;
        snprintf(others + used, sizeof others - used, "%s\"%.30s\"", named > 1 ? ", " : " with ",
                 it->model->joint[found->joint_of_loop[i]].name);
    }
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                      "joint \"%s\": the joints contradict each other, they stay %g apart wherever "
                      "bodies are moved: a loop that cannot close%s%s",
                      it->model->joint[lead].name, off, others, named > NAMED ? " and others" : "");
}

static scree_status move_bodies(assembly *it, scree_arena *scratch, scree_error *err) {
    enum { STEPS = 50 };
    scree_assembly *found = &it->model->memory->joints.assembly;
    const double fits = 1e-12;
    int worst;
    double off = evaluate(it, &worst), first = off;
    if (worst >= 0) found->distance = off_of(it, worst);
    found->joint = off > fits ? worst : -1;
    if (off > far_share)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "joint \"%s\": its two sides are %g apart at the start, more than %g of "
                          "its size",
                          it->model->joint[worst].name, found->distance, far_share);
    for (int step = 0; step < STEPS && off > fits; step++) {
        find_inverse(it);
        find_scale(it);
        correct(it);
        if (!it->parts) break;
        scree_parts_integrate(it->parts, 1, it->q, it->push, 1, it->trial);
        memcpy(it->q + it->parts->coordinate, it->trial + it->parts->coordinate,
               (size_t)it->parts->coordinates * sizeof *it->q);
        off = evaluate(it, &worst);
    }
    if (!(off <= fmax(1e-9, 1e-6 * first))) return fail_loop(it, worst, scratch, err);
    return SCREE_OK;
}

static double kinetic(const assembly *it) {
    scree_ledger ledger = { 0 };
    const scree_state state = { .q = it->q, .v = it->v };
    if (it->parts) it->parts->kind->energies(it->parts, &state, &ledger);
    return ledger.kinetic;
}

// r = H v; the joint that allows it least, and by how much
static int find_worst_velocity(assembly *it, double *velocity) {
    const scree_model *model = it->model;
    int worst = -1;
    *velocity = 0;
    for (int k = 0; k < model->joints; k++)
        for (int r = it->first[k]; r < it->first[k + 1]; r++) {
            const scree_marker_map *map = maps_of(it, k);
            it->r[r] = scree_joint_row_velocity(model, k, &it->row[r], map, it->v, false) +
                       scree_joint_row_velocity(model, k, &it->row[r], map, it->v, true);
            if (fabs(it->r[r]) > *velocity) worst = k;
            *velocity = fmax(*velocity, fabs(it->r[r]));
        }
    return worst;
}

// velocities that joints allow
static scree_status change_velocities(assembly *it, scree_error *err) {
    scree_assembly *found = &it->model->memory->joints.assembly;
    const scree_model *model = it->model;
    double fastest = 0, left;
    found->joint_velocity = find_worst_velocity(it, &found->velocity);
    for (int i = 0; i < model->dofs; i++) fastest = fmax(fastest, fabs(it->v[i]));
    if (!(found->velocity > 1e-12 * fastest)) {
        found->velocity = 0;
        found->joint_velocity = -1;
        return SCREE_OK;
    }
    find_inverse(it);
    find_scale(it);
    double before = kinetic(it);
    correct(it);
    for (int i = 0; i < model->bodies * model->body_dofs; i++)
        if (moves(model, i / model->body_dofs)) it->v[i] += it->push[i];
    found->energy = before - kinetic(it);
    int worst = it->map ? find_worst_velocity(it, &left) : -1;
    if (worst < 0 || !(left > 1e-9 * fastest)) return SCREE_OK;
    found->joint = worst;
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                      "joint \"%s\": its two sides move apart with %g at the start, and only "
                      "velocities of rigid bodies are changed so that joints allow them",
                      model->joint[worst].name, left);
}

// the state is where the model's bodies begin
static void write_back(assembly *it) {
    scree_model *model = it->model;
    for (int i = 0; i < model->bodies; i++) {
        scree_body *body = &model->body[i];
        const double *q = it->q + (long)i * model->body_coordinates,
                     *v = it->v + (long)i * model->body_dofs;
        if (!scree_body_moves(body)) continue;
        memcpy(body->position, q, (size_t)model->space * sizeof *q);
        memcpy(body->velocity, v, (size_t)model->space * sizeof *v);
        if (model->space == 2) {
            body->angle = q[2];
            body->spin = v[2];
            continue;
        }
        memcpy(body->orientation, q + 3, sizeof body->orientation);
        memcpy(body->angular, v + 3, sizeof body->angular);
    }
}

// --- loops --------------------------------------------------------------------------------------

// Do equations form a loop, with the ground as one of the parts?
static bool has_loops(const scree_model *model, int parts, int *parent) {
    int ground = parts;
    bool loops = false;
    for (int i = 0; i <= ground; i++) parent[i] = i;
    for (int k = 0; k < model->joints; k++) {
        int body[SCREE_JOINT_SIDES], sides = scree_joint_bodies(model, k, body), last = -1;
        for (int i = 0; i < sides && scree_joint_equations(model, k); i++) {
            int part = scree_joint_part(model, body[i]);
            int own = scree_union_find_root(parent, part >= 0 ? part : ground);
            loops |= last >= 0 && own == scree_union_find_root(parent, last);
            if (last >= 0) parent[own] = scree_union_find_root(parent, last);
            last = own;
        }
    }
    return loops;
}

// the body, rigid or elastic, whose shapes or nodes touch where a side is; -1: none
static int shape_owner(const scree_model *model, int side) {
    int m = scree_marker_of_side(side);
    if (m < 0) return side;
    const scree_marker *marker = scree_model_marker(model, m);
    return marker->kind == SCREE_MARKER_PATCH ? model->bodies + marker->body : -1;
}

static bool find_aparts(scree_model *model) {
    scree_joints *joints = &model->memory->joints;
    joints->apart = SCREE_NEW(&model->memory->arena, int, 2 * (size_t)model->joints);
    if (!joints->apart) return false;
    for (int k = 0; k < model->joints; k++) {
        const scree_joint *joint = &model->joint[k];
        if (joint->collide || joint->kind == SCREE_ROD || joint->kind == SCREE_ROPE ||
            joint->kind == SCREE_COUPLER || joint->kind == SCREE_COORDINATE)
            continue;
        int a = shape_owner(model, joint->a), b = shape_owner(model, joint->b);
        if (a < 0 || b < 0) continue;
        int *own = joints->apart + 2 * (long)joints->aparts++;
        own[0] = a < b ? a : b;
        own[1] = a < b ? b : a;
    }
    for (int i = 1; i < joints->aparts; i++) {  // few, or nearly in order
        int own[2] = { joints->apart[2 * i], joints->apart[2 * i + 1] }, at = i;
        for (; at > 0 &&
               (joints->apart[2 * at - 2] > own[0] ||
                (joints->apart[2 * at - 2] == own[0] && joints->apart[2 * at - 1] > own[1]));
             at--)
            memcpy(joints->apart + 2 * at, joints->apart + 2 * at - 2, sizeof own);
        memcpy(joints->apart + 2 * at, own, sizeof own);
    }
    return true;
}

// -------------------------------------------------------------------------------------------------

static bool allocate(assembly *it, scree_arena *scratch) {
    const scree_model *model = it->model;
    it->first = SCREE_NEW(scratch, int, model->joints + 1);
    if (!it->first) return false;
    for (int k = 0; k < model->joints; k++)
        it->first[k + 1] = it->first[k] + scree_joint_equations(model, k);
    it->rows = it->first[model->joints];
    it->row = SCREE_NEW(scratch, scree_joint_row, it->rows);
    it->inverse = SCREE_NEW(scratch, double, 7 * (size_t)model->bodies);
    double **of_rows[] = { &it->scale, &it->x, &it->r, &it->p, &it->y };
    bool fine = it->row && it->inverse;
    for (size_t i = 0; i < sizeof of_rows / sizeof *of_rows; i++)
        fine = fine && (*of_rows[i] = SCREE_NEW(scratch, double, it->rows));
    fine = fine && (it->q = SCREE_NEW(scratch, double, model->coordinates));
    fine = fine && (it->trial = SCREE_NEW(scratch, double, model->coordinates));
    fine = fine && (it->v = SCREE_NEW(scratch, double, model->dofs));
    fine = fine && (it->lightness = SCREE_NEW(scratch, double, model->dofs));
    if (scree_model_markers(model)) {
        size_t sides = (size_t)model->joints * SCREE_JOINT_SIDES;
        fine = fine && (it->map = SCREE_NEW(scratch, scree_marker_map, sides));
    }
    return fine && (it->push = SCREE_NEW(scratch, double, model->dofs));
}

// does each marker know how it is turned where its joint asks?
static scree_status check_turns(const scree_model *model, scree_error *err) {
    for (int k = 0; k < model->joints; k++) {
        const scree_joint *joint = &model->joint[k];
        const int side[2] = { joint->a, joint->b };
        bool free = joint->kind == SCREE_BALL || joint->kind == SCREE_ROD ||
                    joint->kind == SCREE_ROPE || joint->kind == SCREE_POINT_ON_LINE ||
                    joint->kind == SCREE_POINT_ON_PLANE || joint->kind == SCREE_COORDINATE ||
                    joint->kind == SCREE_DISTANCE || joint->kind == SCREE_COUPLER ||
                    (joint->kind == SCREE_HINGE && model->space == 2);
        for (int i = 0; i < 2 && !free; i++) {
            int m = scree_marker_of_side(side[i]);
            if (m < 0 || scree_marker_frame_of(model, m)->turns) continue;
            model->memory->joints.assembly.joint = k;
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "joint \"%s\": a %s asks how its sides are turned, which marker "
                              "\"%s\" does not say",
                              joint->name, scree_joint_kind_name(joint->kind),
                              scree_model_marker(model, m)->name);
        }
    }
    return SCREE_OK;
}

static scree_status assemble(assembly *it, scree_arena *scratch, scree_error *err) {
    scree_model *model = it->model;
    scree_joints *joints = &model->memory->joints;
    const scree_parts *row;
    int rows = scree_model_parts(model, &row), parts = 0;
    for (int k = 0; k < rows; k++) parts += row[k].count;
    int *parent = SCREE_NEW(scratch, int, parts + 1);
    joints->frame = SCREE_NEW(&model->memory->arena, scree_joint_frame, model->joints);
    if (!parent || !joints->frame || !allocate(it, scratch))
        return scree_fail_memory(err, "joints");
    for (int k = 0; k < rows; k++) row[k].kind->start(&row[k], it->q, it->v);
    for (int k = 0; k < model->joints; k++)
        if (model->joint[k].kind != SCREE_COUPLER) make_frame(model, k, it->q);
    for (int k = 0; k < model->joints; k++)
        if (model->joint[k].kind == SCREE_COUPLER) start_coupler(model, k, it->q);
    if (!find_aparts(model)) return scree_fail_memory(err, "joints");
    scree_status status = check_turns(model, err);
    if (!status) status = move_bodies(it, scratch, err);
    if (!status) status = change_velocities(it, err);
    if (status) return status;
    joints->loops = scree_model_markers(model) || has_loops(model, parts, parent);
    if (joints->loops && !find_redundant(it, false, scratch))
        return scree_fail_memory(err, "joints");
    write_back(it);
    return SCREE_OK;
}

scree_status scree_joints_finish(scree_model *model, scree_error *err) {
    model->memory->joints.assembly =
        (scree_assembly){ .joint = -1, .joint_velocity = -1, .in_loop = -1 };
    scree_status status = scree_markers_finish(model, err);
    if (status || !model->joints) return status;
    scree_arena scratch = { 0 };
    const scree_part_kind *kind = model->space == 2 ? &scree_rigid_plane : &scree_rigid_space;
    assembly it = { .model = model, .parts = scree_model_parts_of(model, kind) };
    status = assemble(&it, &scratch, err);
    scree_arena_free(&scratch);
    return status;
}

scree_assembly scree_model_assembly(const scree_model *model) {
    return model->memory->joints.assembly;
}
