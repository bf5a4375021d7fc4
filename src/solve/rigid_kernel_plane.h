// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid_kernel_plane.h - the part of rigid_kernel.h for contacts in the plane: seen, solved,
// pushed.

#ifndef SCREE_SOLVE_RIGID_KERNEL_PLANE_H
#define SCREE_SOLVE_RIGID_KERNEL_PLANE_H

typedef struct plane_view {
    sides side;
    lanes n[2], lever_a[2], lever_b[2], p[3], s[2];
    lanes inverse, gamma, lambda, mu;
} plane_view;

INLINE void gather_plane(const place *at, const scree_rigid_planar *batch, int l,
                         plane_view *view) {
    lanes *a = view->side.a, *b = view->side.b, u[2];
    gather(at->motion, batch->a + l, a);
    gather(at->motion, batch->b + l, b);
    for (int e = 0; e < 2; e++) {
        view->n[e] = load(batch->n[e] + l);
        view->lever_a[e] = load(batch->lever_a[e] + l);
        view->lever_b[e] = load(batch->lever_b[e] + l);
        u[e] = a[e] - b[e];
    }
    for (int e = 0; e < 3; e++) view->p[e] = load(batch->p[e] + l);
    lanes turn_N = view->lever_a[0] * a[2] - view->lever_b[0] * b[2];
    lanes turn_T = view->lever_a[1] * a[2] - view->lever_b[1] * b[2];
    view->s[0] = view->n[0] * u[0] + view->n[1] * u[1] + turn_N + load(batch->w + l);
    view->s[1] = view->n[0] * u[1] - view->n[1] * u[0] + turn_T + load(at->slide + l);
    view->mu = load(at->mu + l);
    view->inverse = load(batch->inverse + l);
    view->gamma = load(batch->gamma + l);
    view->lambda = load(batch->lambda + l);
}

INLINE void push_plane(const place *at, const scree_rigid_planar *batch, int l,
                       const lanes *impulse, plane_view *view) {
    lanes *a = view->side.a, *b = view->side.b;
    lanes world[2] = { impulse[0] * view->n[0] - impulse[1] * view->n[1],
                       impulse[0] * view->n[1] + impulse[1] * view->n[0] };
    for (int e = 0; e < 2; e++) {
        a[e] += a[3] * world[e];
        b[e] -= b[3] * world[e];
    }
    a[2] += a[4] * (view->lever_a[0] * impulse[0] + view->lever_a[1] * impulse[1]);
    b[2] -= b[4] * (view->lever_b[0] * impulse[0] + view->lever_b[1] * impulse[1]);
    scatter(at->motion, batch->a + l, a);
    scatter(at->motion, batch->b + l, b);
}

// as for general contacts; slip has one root, on the side that c pushes to
INLINE void solve_plane(scree_rigid_planar *batch, int l, const plane_view *view, lanes *d) {
    const lanes *old = view->p, *s = view->s;
    lanes m = old[0] + view->gamma * old[1] - view->inverse * s[0];
    lanes c = s[1] - view->gamma * s[0] - view->lambda * old[1];
    lanes stick = -c / view->lambda, bears = m - view->gamma * stick;
    mask sticks = (bears >= 0) & (magnitude(stick) <= view->mu * bears);
    lanes along = choose(c > 0, -view->mu, view->mu);  // p_T over p_N
    lanes slides = m / (1 + along * view->gamma);
    mask closed = m > 0;
    lanes p[3] = { where(closed, choose(sticks, bears, slides)),
                   where(closed, choose(sticks, stick, along * slides)), all(0) };
    for (int e = 0; e < 3; e++) d[e] = p[e] - old[e];
    for (int e = 0; e < 2; e++) store(batch->p[e] + l, p[e]);
}

INLINE lanes mean_planar_mobility(const plane_view *view) {
    return ((1 + view->gamma * view->gamma) / view->inverse + view->lambda) / 2;
}

INLINE lanes relax_plane(const place *at, scree_rigid_planar *batch, int l, trace to) {
    plane_view view[GROUPS];
    lanes d[GROUPS][3], change = all(0);
    for (int g = 0; g < GROUPS; g++) gather_plane(at, batch, l + g * LANES, &view[g]);
    for (int g = 0; g < GROUPS; g++) solve_plane(batch, l + g * LANES, &view[g], d[g]);
    for (int g = 0; g < GROUPS; g++)
        change = larger(change, note(to, l + g * LANES, d[g], mean_planar_mobility(&view[g])));
    for (int g = 0; g < GROUPS; g++) push_plane(at, batch, l + g * LANES, d[g], &view[g]);
    return change;
}

INLINE void lead_plane(const place *at, scree_rigid_planar *batch, int l, course to) {
    plane_view view;
    lanes x[3], shrink;
    gather_plane(at, batch, l, &view);
    go_on(to, l, view.p, x);
    lanes foot = scree_cone_foot(x[0], magnitude(x[1]), view.mu, &shrink);
    lanes p[2] = { foot, shrink * x[1] };
    lanes d[3] = { p[0] - view.p[0], p[1] - view.p[1], all(0) };
    for (int e = 0; e < 2; e++) store(batch->p[e] + l, p[e]);
    have_gone(to, l, d);
    push_plane(at, batch, l, d, &view);
}

#endif
