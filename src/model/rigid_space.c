// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid_space.c - rigid bodies in space: q = x, y, z and a quaternion, v = velocity and spin in
// world axes, A = 1/m and J^-1.
//
// They turn so that energy and angular momentum are kept. With spin w, its mean y over the step,
// angular momentum L = J w and J in world axes:
//
//     C = cay(h y),   J' = C J C^T,   J' w' = L + torque,   y = (1-theta) C w + theta w'
//
// C leaves y alone, hence the change of the kinetic energy is y . torque + (1/2 - theta) |w' - C
// w|^2 exactly, whatever the torque. A body whose J is a multiple of the identity needs no C: there
// w takes the place of C w.
//
// A body that is held turns by a given C. There J' w' = C L + torque: the energy changes by the
// same for any C, and the momentum turns with the body.

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/space.h"
#include "model/rigid.h"

enum { PLACES = 7, WIDTH = 6, NUMBERS = 7 };  // of one body in q, in v, in A

static void find(const scree_model *model, scree_parts *parts) {
    scree_rigid_find(model, 3, parts);
}

// --- rotation -----------------------------------------------------------------------------------

// x = A^-1 x for a general 3 x 3 matrix, by Cramer's rule
static bool solve_three(const double A[9], double x[3]) {
    double c0[3], c1[3], c2[3], out[3];
    scree_cross(A + 3, A + 6, c0);
    scree_cross(A + 6, A, c1);
    scree_cross(A, A + 3, c2);
    double determinant = scree_dot(A, c0);
    if (!(fabs(determinant) > 0)) return false;
    for (int i = 0; i < 3; i++) out[i] = (x[0] * c0[i] + x[1] * c1[i] + x[2] * c2[i]) / determinant;
    memcpy(x, out, sizeof out);
    return true;
}

// G(y) = y - (1-theta) w - theta J^-1 cay(h y)^T L, in the axes of the start
static void defect(const double inverse[6], const double spin[3], const double L[3], double h,
                   double theta, const double y[3], double G[3]) {
    const double back[3] = { -h * y[0], -h * y[1], -h * y[2] };
    double turned[3], moved[3];
    scree_cayley(back, L, turned);
    scree_symmetric(inverse, turned, moved);
    for (int i = 0; i < 3; i++) G[i] = y[i] - (1 - theta) * spin[i] - theta * moved[i];
}

// Where h y is not small: with the derivative as it is, by differences, and steps that are halved
// until |G| falls.
static bool spin_mean_far(const double inverse[6], const double spin[3], const double L[3],
                          double h, double theta, double rounding, double mean[3]) {
    enum { STEPS = 60, HALVINGS = 12 };
    double G[3], size, small = 1e-7 * rounding / DBL_EPSILON;
    memcpy(mean, spin, 3 * sizeof *mean);
    defect(inverse, spin, L, h, theta, mean, G);
    size = scree_length(G);
    for (int k = 0; k < STEPS && size > rounding; k++) {
        double A[9], step[3] = { G[0], G[1], G[2] }, trial[3], last = size;
        for (int c = 0; c < 3; c++) {
            double near[2][3];
            for (int side = 0; side < 2; side++) {
                memcpy(trial, mean, sizeof trial);
                trial[c] += side ? small : -small;
                defect(inverse, spin, L, h, theta, trial, near[side]);
            }
            for (int r = 0; r < 3; r++) A[3 * r + c] = (near[1][r] - near[0][r]) / (2 * small);
        }
        if (!solve_three(A, step)) return false;
        double part = 1;
        for (int half = 0; half < HALVINGS; half++, part /= 2) {
            for (int i = 0; i < 3; i++) trial[i] = mean[i] - part * step[i];
            defect(inverse, spin, L, h, theta, trial, G);
            size = scree_length(G);
            if (size < last) break;
        }
        if (!(size < last)) return last <= 1e3 * rounding;
        memcpy(mean, trial, sizeof trial);
    }
    return size <= 1e3 * rounding;
}

// The mean spin y for a momentum L at the end, by Newton's method from the guess in mean; spin and
// inverse (of J) are those of the start. False if the body turns too far to be followed.
static bool spin_mean(const double inverse[6], const double spin[3], const double L[3], double h,
                      double theta, double mean[3]) {
    enum { STEPS = 60 };
    // the derivative of G where h y is small: I - theta h J^-1 [L], its error is of second order
    const double cross[9] = { 0, -L[2], L[1], L[2], 0, -L[0], -L[1], L[0], 0 };
    double A[9];
    for (int c = 0; c < 3; c++) {
        const double column[3] = { cross[c], cross[3 + c], cross[6 + c] };
        double moved[3];
        scree_symmetric(inverse, column, moved);
        for (int r = 0; r < 3; r++) A[3 * r + c] = (r == c) - theta * h * moved[r];
    }
    double last = HUGE_VAL, end[3];
    scree_symmetric(inverse, L, end);
    double rounding = 4 * DBL_EPSILON * (scree_length(spin) + scree_length(end));
    for (int k = 0; k < STEPS; k++) {
        double G[3];
        defect(inverse, spin, L, h, theta, mean, G);
        if (!solve_three(A, G)) break;
        for (int i = 0; i < 3; i++) mean[i] -= G[i];
        double size = scree_length(G);
        if (size <= rounding || (size >= last && size <= 1e3 * rounding)) return true;
        if (!isfinite(size)) break;
        last = size;
    }
    return spin_mean_far(inverse, spin, L, h, theta, rounding, mean);
}

// with the mean spin of a body known: inertia at the end, spin of the start as seen from there, and
// spin at the end without contact
static void update_gyroscopic(const scree_stage *stage, const scree_gyroscopic_body *own,
                              double *inverse) {
    long dof = WIDTH * (long)own->body;
    double turn[3], C[9];
    for (int k = 0; k < 3; k++) turn[k] = stage->h * own->mean[k];
    static const double axis[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    for (int c = 0; c < 3; c++) {
        double column[3];
        scree_cayley(turn, axis[c], column);
        for (int r = 0; r < 3; r++) C[3 * r + c] = column[r];
    }
    scree_congruence(C, own->inverse, inverse + 1);
    scree_rotate(C, stage->before->v + dof + 3, stage->v_start + dof + 3);
    scree_symmetric(inverse + 1, own->momentum, stage->v_free + dof + 3);
}

// by the spin that it has, or the one that impulses would give it
static scree_status too_fast(const scree_parts *parts, const scree_stage *stage,
                             const scree_gyroscopic_body *own, const double *momentum,
                             scree_error *err) {
    double after[3], *spin = stage->before->v + WIDTH * (long)own->body + 3;
    scree_symmetric(own->inverse, momentum, after);
    return scree_fail(
        err, SCREE_UNCONVERGED, SCREE_NOWHERE,
        "step %lld at time %.9g: body \"%s\" turns too far in one step to be followed "
        "(%.3g rad): take a smaller step",
        (long long)stage->after->step, stage->after->time, parts->model->body[own->body].name,
        stage->h * fmax(scree_length(spin), scree_length(after)));
}

static double *inverse_of(const scree_parts *parts, const scree_stage *stage, int body) {
    return stage->inertia->part[parts->first].inverse + NUMBERS * (long)body;
}

static bool is_held(const scree_stage *stage, int body) { return stage->held && stage->held[body]; }

// C J w + h T of a body that is held, with J w in momentum and C by its mean spin
static void hold_momentum(const scree_stage *stage, scree_gyroscopic_body *own) {
    const double turn[3] = { stage->h * own->mean[0], stage->h * own->mean[1],
                             stage->h * own->mean[2] };
    double turned[3];
    scree_cayley(turn, own->momentum, turned);
    memcpy(own->momentum, turned, sizeof turned);
}

// J w + h T of the bodies that are not easy to turn, and how they turn without contact
static scree_status free_turning(scree_parts *parts, const scree_stage *stage, scree_error *err) {
    const scree_rigid_work *work = parts->work;
    for (int i = 0; i < work->gyroscopic; i++) {
        scree_gyroscopic_body *own = &work->gyroscopic_body[i];
        double A[9], J[6], *inverse = inverse_of(parts, stage, own->body);
        int dof = WIDTH * own->body;
        const double *spin = stage->before->v + dof + 3;
        if (inverse[0] == 0) continue;
        scree_rotation(stage->before->q + PLACES * (long)own->body + 3, A);
        scree_congruence(A, parts->model->body[own->body].tensor, J);
        scree_symmetric_inverse(J, own->inverse);
        scree_symmetric(J, spin, own->momentum);
        if (is_held(stage, own->body)) hold_momentum(stage, own);
        for (int k = 0; stage->load && k < 3; k++)
            own->momentum[k] +=
                scree_stage_load(stage, dof + 3 + k, scree_rigid_theta(stage, own->body));
        if (is_held(stage, own->body)) {
            update_gyroscopic(stage, own, inverse);
            continue;
        }
        memcpy(own->mean, spin, sizeof own->mean);
        if (!spin_mean(own->inverse, spin, own->momentum, stage->h,
                       scree_rigid_theta(stage, own->body), own->mean))
            return too_fast(parts, stage, own, own->momentum, err);
        update_gyroscopic(stage, own, inverse);
    }
    return SCREE_OK;
}

static scree_status refresh(scree_parts *parts, const scree_stage *stage, const double *push,
                            bool *changed, scree_error *err) {
    const scree_rigid_work *work = parts->work;
    (void)err;
    for (int i = 0; i < work->gyroscopic; i++) {
        scree_gyroscopic_body *own = &work->gyroscopic_body[i];
        double momentum[3], mean[3], *inverse = inverse_of(parts, stage, own->body);
        long dof = WIDTH * (long)own->body;
        if (inverse[0] == 0 || is_held(stage, own->body)) continue;
        for (int k = 0; k < 3; k++) momentum[k] = own->momentum[k] + push[dof + 3 + k];
        memcpy(mean, own->mean, sizeof mean);
        if (!spin_mean(own->inverse, stage->before->v + dof + 3, momentum, stage->h,
                       scree_rigid_theta(stage, own->body), mean)) {
            *changed = true;  // impulses of a wild pass: not yet settled
            continue;
        }
        if (memcmp(mean, own->mean, sizeof mean) == 0) continue;
        memcpy(own->mean, mean, sizeof mean);
        update_gyroscopic(stage, own, inverse);
        *changed = true;
    }
    return SCREE_OK;
}

// --- making -------------------------------------------------------------------------------------

static void invert_body(const scree_body *body, bool present, double *inverse) {
    memset(inverse, 0, NUMBERS * sizeof *inverse);
    if (!present) return;
    inverse[0] = 1 / body->mass;
    scree_symmetric_inverse(body->tensor, inverse + 1);
}

static scree_status invert(const scree_parts *parts, double h, double theta, double alpha,
                           scree_arena *arena, scree_part *part, scree_error *err) {
    (void)h;
    (void)theta;
    (void)alpha;
    return scree_rigid_invert(parts, NUMBERS, invert_body, arena, part, err);
}

static scree_status make(scree_parts *parts, scree_arena *arena, scree_error *err) {
    scree_status status = scree_rigid_make(parts, arena, err);
    if (status) return status;
    scree_rigid_work *work = parts->work;
    work->gyroscopic_body = SCREE_NEW(arena, scree_gyroscopic_body, parts->count);
    if (!work->gyroscopic_body)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d bodies",
                          parts->count);
    for (int i = 0; i < parts->count; i++) {
        const scree_body *body = &parts->model->body[i];
        if (scree_body_moves(body) && !scree_body_isotropic(body))
            work->gyroscopic_body[work->gyroscopic++].body = i;
    }
    parts->refreshes = work->gyroscopic > 0;
    return SCREE_OK;
}

static void drive_body(const scree_body *body, double t, double *q, double *v) {
    const double *a = body->path.axis;
    double rate[3], spin, angle = scree_function_at(&body->path.angle, t, &spin);
    double c = cos(angle / 2), s = sin(angle / 2);
    const double r[4] = { c, s * a[0], s * a[1], s * a[2] };
    for (int k = 0; k < 3; k++)
        q[k] = body->position[k] + scree_function_at(&body->path.along[k], t, &rate[k]);
    scree_quaternion_product(r, body->orientation, q + 3);
    for (int k = 0; v && k < 3; k++) {
        v[k] = rate[k];
        v[3 + k] = spin * a[k];
    }
}

static void drive(const scree_parts *parts, double t, double *q, double *v) {
    for (int i = 0; i < parts->count; i++)
        if (parts->model->body[i].driven)
            drive_body(&parts->model->body[i], t, q + (long)i * PLACES,
                       v ? v + (long)i * WIDTH : NULL);
}

static void start(const scree_parts *parts, double *q, double *v) {
    for (int i = 0; i < parts->count; i++) {
        const scree_body *body = &parts->model->body[i];
        double *x = q + (long)i * PLACES, *u = v + (long)i * WIDTH;
        memcpy(x, body->position, sizeof body->position);
        memcpy(x + 3, body->orientation, sizeof body->orientation);
        memcpy(u, body->velocity, sizeof body->velocity);
        memcpy(u + 3, body->angular, sizeof body->angular);
    }
    drive(parts, 0, q, v);
}

// --- the step -----------------------------------------------------------------------------------

// x = A x of one body
static inline void solve(const double *inverse, double *x) {
    double turn[3];
    scree_symmetric(inverse + 1, x + 3, turn);
    for (int k = 0; k < 3; k++) {
        x[k] *= inverse[0];
        x[3 + k] = turn[k];
    }
}

static scree_status free_velocity(scree_parts *parts, const scree_stage *stage, scree_error *err) {
    const double *v = stage->before->v, *g = parts->model->gravity;
    double *out = stage->v_free;
    scree_rigid_find_present(parts, stage, NUMBERS, invert_body, inverse_of(parts, stage, 0));
    memcpy(stage->v_start, v, (size_t)stage->come * WIDTH * sizeof *v);
    memcpy(out, v, (size_t)stage->come * WIDTH * sizeof *v);
    const scree_rigid_work *work = parts->work;
    for (int n = 0; n < work->live; n++) {
        double change[WIDTH] = { 0 };
        int i = work->live_body[n], dof = i * WIDTH;
        if (stage->load) {
            for (int k = 0; k < WIDTH; k++)
                change[k] = scree_stage_load(stage, dof + k, scree_rigid_theta(stage, i));
            solve(inverse_of(parts, stage, i), change);
        }
        for (int k = 0; k < 3; k++) change[k] += stage->h * g[k];
        for (int k = 0; k < WIDTH; k++) out[dof + k] = v[dof + k] + change[k];
    }
    return free_turning(parts, stage, err);
}

static void integrate_body(const double *q, const double *v, double h, double *out) {
    const double turn[3] = { h * v[3], h * v[4], h * v[5] };
    for (int k = 0; k < 3; k++) out[k] = q[k] + h * v[k];
    scree_cayley_after(turn, q + 3, out + 3);
}

static void integrate(const scree_parts *parts, const double *q, const double *v, double h,
                      double *out) {
    for (long i = 0; i < parts->count; i++)
        integrate_body(q + i * PLACES, v + i * WIDTH, h, out + i * PLACES);
}

static void find_end_velocity(const scree_parts *parts, const scree_stage *stage, bool pushed) {
    const scree_rigid_work *work = parts->work;
    for (int n = 0; n < work->live; n++) {
        long i = work->live_body[n];
        double *push = stage->work + i * WIDTH, *v = stage->after->v + i * WIDTH;
        if (pushed) solve(inverse_of(parts, stage, (int)i), push);
        for (int k = 0; k < WIDTH; k++)
            v[k] = stage->v_free[i * WIDTH + k] + (pushed ? push[k] : 0);
    }
}

static bool is_still(const double *v) {
    bool moves = false;
    for (int k = 0; k < WIDTH; k++) moves |= v[k] != 0;
    return !moves;
}

static void advance(scree_parts *parts, const scree_stage *stage, bool pushed) {
    const scree_rigid_work *work = parts->work;
    const scree_state *before = stage->before, *after = stage->after;
    double *mean = stage->work;
    scree_rigid_keep_idle(parts, stage);
    find_end_velocity(parts, stage, pushed);
    if (stage->glances) return;
    for (int n = 0; n < work->live; n++) {
        int i = work->live_body[n];
        double theta = scree_rigid_theta(stage, i);
        for (long dof = WIDTH * (long)i, end = dof + WIDTH; dof < end; dof++)
            mean[dof] = (1 - theta) * before->v[dof] + theta * after->v[dof];
    }
    for (int i = 0; i < work->gyroscopic; i++) {
        const scree_gyroscopic_body *own = &work->gyroscopic_body[i];
        memcpy(mean + WIDTH * (long)own->body + 3, own->mean, sizeof own->mean);
    }
    for (int n = 0; n < work->live; n++) {
        long i = work->live_body[n];
        const double *q = before->q + i * PLACES;
        double *out = after->q + i * PLACES;
        if (is_still(mean + i * WIDTH))
            memcpy(out, q, PLACES * sizeof *out);
        else
            integrate_body(q, mean + i * WIDTH, stage->h, out);
    }
}

// --- the ledger ---------------------------------------------------------------------------------

static double square(double x) { return x * x; }

// x . J x, in the body's own axes
static double tensor_form(const double J[6], const double x[3]) {
    double y[3];
    scree_symmetric(J, x, y);
    return scree_dot(x, y);
}

// the spin of a body in its own axes; those of the world do as well for one that is as easy to turn
// about every axis, and the step treats it so
static void own_spin(const scree_model *model, int i, const scree_state *state, double spin[3]) {
    const double *v = state->v + WIDTH * (long)i + 3;
    double A[9];
    if (scree_body_isotropic(&model->body[i])) {
        memcpy(spin, v, 3 * sizeof *spin);
        return;
    }
    scree_rotation(state->q + PLACES * (long)i + 3, A);
    scree_rotate_back(A, v, spin);
}

static scree_rigid_energy energy_of(const scree_model *model, int i, const scree_state *state) {
    const scree_body *body = &model->body[i];
    const double *q = state->q + (long)i * PLACES, *v = state->v + (long)i * WIDTH;
    double twice = 0, fall = 0, spin[3];
    for (int k = 0; k < 3; k++) {
        twice += body->mass * v[k] * v[k];
        fall += model->gravity[k] * q[k];
    }
    own_spin(model, i, state, spin);
    twice += tensor_form(body->tensor, spin);
    return (scree_rigid_energy){ twice / 2, -body->mass * fall };
}

static double change_of(const scree_model *model, int i, const scree_state *old,
                        const scree_state *new, double *scale) {
    const scree_body *body = &model->body[i];
    const double *p = old->q + (long)i * PLACES, *q = new->q + (long)i *PLACES;
    const double *u = old->v + (long)i * WIDTH, *v = new->v + (long)i *WIDTH;
    double change = 0, before[3], after[3];
    for (int k = 0; k < 3; k++) {
        change += body->mass * square(v[k] - u[k]);
        *scale += body->mass * (square(fabs(u[k]) + fabs(v[k])) +
                                fabs(model->gravity[k]) * (fabs(p[k]) + fabs(q[k])));
    }
    own_spin(model, i, old, before);
    own_spin(model, i, new, after);
    double size = scree_length(before) + scree_length(after);
    // turning there and back costs more roundings than the plane has
    *scale += 8 * (body->tensor[0] + body->tensor[3] + body->tensor[5]) * square(size);
    for (int k = 0; k < 3; k++) after[k] -= before[k];
    return change + tensor_form(body->tensor, after);
}

static void energies(const scree_parts *parts, const scree_state *state, scree_ledger *ledger) {
    scree_rigid_energies(parts, state, energy_of, change_of, ledger);
}

static void fill_ledger(const scree_parts *parts, double theta, const scree_step_record *record,
                        double *scratch, scree_ledger *ledger, double *scale) {
    (void)scratch;
    scree_rigid_fill_ledger(parts, theta, record, energy_of, change_of, ledger, scale);
}

// spins: y of the step, in world axes; C y = y unless the body was held, then it is that of the end
static void mean_velocity(const scree_parts *parts, double theta, const scree_step_record *record,
                          double *mean) {
    for (int i = 0; i < parts->count; i++) {
        if (scree_body_isotropic(&parts->model->body[i])) continue;
        double A[9], before[3], after[3];
        own_spin(parts->model, i, &record->before, before);
        own_spin(parts->model, i, &record->after, after);
        double weight = record->body_theta ? record->body_theta[i] : theta;
        for (int k = 0; k < 3; k++) after[k] = (1 - weight) * before[k] + weight * after[k];
        scree_rotation(record->after.q + PLACES * (long)i + 3, A);
        scree_rotate(A, after, mean + WIDTH * (long)i + 3);
    }
    scree_rigid_mean_velocity(parts, theta, record, mean);
}

const scree_part_kind scree_rigid_space = {
    .name = "rigid-space",
    .holds = true,
    .find = find,
    .invert = invert,
    .make = make,
    .start = start,
    .drive = drive,
    .load = scree_rigid_load,
    .free_velocity = free_velocity,
    .refresh = refresh,
    .advance = advance,
    .integrate = integrate,
    .check = scree_rigid_check,
    .energies = energies,
    .fill_ledger = fill_ledger,
    .mean_velocity = mean_velocity,
    .extent = scree_rigid_extent,
    .name_of_dof = scree_rigid_name_of_dof,
};
