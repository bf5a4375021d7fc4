// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid_kernel_balls.h - the part of rigid_kernel.h for contacts of balls: seen, solved, pushed.
//
// plain: reach is 1 and slide 0 for all, which saves a tenth of the work and no bit.

#ifndef SCREE_SOLVE_RIGID_KERNEL_BALLS_H
#define SCREE_SOLVE_RIGID_KERNEL_BALLS_H

typedef struct ball_view {  // LANES contacts and their bodies
    sides side;
    lanes n[3], p[3], u[3], uN, arm_ratio;
} ball_view;

INLINE void load_balls(const place *at, const scree_rigid_central *batch, int l, bool plain,
                       ball_view *view) {
    view->arm_ratio = plain ? all(1) : load(at->arm_ratio + l);
    for (int e = 0; e < 3; e++) {
        view->n[e] = load(batch->n[e] + l);
        view->p[e] = load(batch->p[e] + l);
    }
}

INLINE void gather_balls(const place *at, const scree_rigid_central *batch, int l, bool plain,
                         ball_view *view) {
    lanes *a = view->side.a, *b = view->side.b, spin[3], turn[3];
    gather(at->motion, batch->a + l, a);
    gather(at->motion, batch->b + l, b);
    load_balls(at, batch, l, plain, view);
    for (int e = 0; e < 3; e++) {
        spin[e] = a[3 + e] + b[3 + e];
        if (!plain) spin[e] *= view->arm_ratio;
    }
    cross(spin, view->n, turn);
    for (int e = 0; e < 3; e++) {
        view->u[e] = a[e] - b[e] - turn[e];
        if (!plain) view->u[e] += load(at->slide + 8 * e + l);
    }
    view->uN = dot(view->u, view->n);
}

// -1 for the numbers of a line that an impulse changes the other way on the other body
static const double reaction[8] __attribute__((aligned(64))) = { -1, -1, -1, 1, 1, 1, 1, 1 };
// which of them change by the inverse mass, and which by the inverse inertia
static const int64_t moved[8] __attribute__((aligned(64))) = { -1, -1, -1, 0, 0, 0, 0, 0 };
static const int64_t turned[8] __attribute__((aligned(64))) = { 0, 0, 0, -1, -1, -1, 0, 0 };

INLINE mask load_mask(const int64_t *from) {
    mask m;
    memcpy(&m, __builtin_assume_aligned(from, sizeof m), sizeof m);
    return m;
}

// rows of impulses times what they move, onto the lines of their bodies
INLINE void push_lines(scree_body_slot *motion, const uint32_t *offset, const lanes row[8]) {
    for (int l = 0; l < LANES; l++) {
        double *line = (double *)((char *)motion + offset[l]);
        mask mass = (mask)all(line[6]), inertia = (mask)all(line[7]);
        for (int first = 0; first < 8; first += LANES) {
            lanes gain =
                (lanes)((mass & load_mask(moved + first)) | (inertia & load_mask(turned + first)));
            store(line + first, load(line + first) + row[first + l] * gain);
        }
    }
}

// Velocities after an impulse. It is turned into rows, which are added to the lines: for that
// bodies need not have been gathered, which takes longer than all else.
INLINE void push_balls(const place *at, const scree_rigid_central *batch, int l, bool plain,
                       const lanes *impulse, const ball_view *view) {
    lanes row[8], turn[3];
    cross(view->n, impulse, turn);
    for (int e = 0; e < 3; e++) {
        if (!plain) turn[e] *= view->arm_ratio;
        row[e] = -impulse[e];
        row[3 + e] = -turn[e];
    }
    row[6] = row[7] = all(0);
    for (int first = 0; first < 8; first += LANES) transpose(row + first);
    push_lines(at->motion, batch->b + l, row);
    for (int first = 0; first < 8; first += LANES)
        for (int k = 0; k < LANES; k++) row[first + k] *= load(reaction + first);
    push_lines(at->motion, batch->a + l, row);
}

INLINE lanes normal_mobility(const ball_view *view) { return view->side.a[6] + view->side.b[6]; }

INLINE lanes tangential_mobility(const ball_view *view, bool plain) {
    lanes turning = view->side.a[7] + view->side.b[7];
    if (!plain) turning *= view->arm_ratio * view->arm_ratio;
    return normal_mobility(view) + turning;
}

INLINE lanes mean_ball_mobility(const ball_view *view, bool plain) {
    return (normal_mobility(view) + 2 * tangential_mobility(view, plain)) / 3;
}

// new impulses; d = what they change
INLINE void solve_balls(const place *at, scree_rigid_central *batch, int l, bool plain,
                        const ball_view *view, lanes *d) {
    lanes t[3];
    lanes iN = 1 / normal_mobility(view), iT = 1 / tangential_mobility(view, plain);
    lanes pN = dot(view->p, view->n), new = pN - iN *(view->uN + load(batch->w + l));
    new = where(new > 0, new);
    lanes along = pN - iT * view->uN;
    for (int e = 0; e < 3; e++) t[e] = view->p[e] - iT * view->u[e] - along * view->n[e];
    lanes length = root(dot(t, t)), most = load(at->mu + l) * new;
    lanes shrink = choose(length > most, most / length, all(1));
    for (int e = 0; e < 3; e++) {
        lanes p = new * view->n[e] + shrink *t[e];
        d[e] = p - view->p[e];
        store(batch->p[e] + l, p);
    }
}

// Returns D |dp|^2, the larger of the two groups.
INLINE lanes relax_balls(const place *at, scree_rigid_central *batch, int l, bool plain, trace to) {
    ball_view view[GROUPS];
    lanes d[GROUPS][3], change = all(0);
    for (int g = 0; g < GROUPS; g++) gather_balls(at, batch, l + g * LANES, plain, &view[g]);
    for (int g = 0; g < GROUPS; g++) solve_balls(at, batch, l + g * LANES, plain, &view[g], d[g]);
    for (int g = 0; g < GROUPS; g++)
        change = larger(change, note(to, l + g * LANES, d[g], mean_ball_mobility(&view[g], plain)));
    for (int g = 0; g < GROUPS; g++) push_balls(at, batch, l + g * LANES, plain, d[g], &view[g]);
    return change;
}

INLINE void lead_balls(const place *at, scree_rigid_central *batch, int l, bool plain, course to) {
    ball_view view;
    lanes x[3], t[3], d[3], shrink;
    load_balls(at, batch, l, plain, &view);
    go_on(to, l, view.p, x);
    lanes xN = dot(x, view.n);
    for (int e = 0; e < 3; e++) t[e] = x[e] - xN * view.n[e];
    lanes foot = scree_cone_foot(xN, root(dot(t, t)), load(at->mu + l), &shrink);
    for (int e = 0; e < 3; e++) {
        lanes p = foot * view.n[e] + shrink * t[e];
        d[e] = p - view.p[e];
        store(batch->p[e] + l, p);
    }
    have_gone(to, l, d);
    push_balls(at, batch, l, plain, d, &view);
}

#endif
