// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid_kernel_rolling.h - the part of rigid_kernel.h for contacts of balls that resist rolling.
//
// Beside p of rigid_kernel_balls.h there is a moment about the tangents, |p_R| <= mu_R p_N, against
// which the balls turn on each other, s_R = (spin_a - spin_b)_T. It is divided by the length L that
// makes it as mobile as the tangents (problem.h): with the spins of the lines, which are
// velocities, s_R = own_a spin_a - own_b spin_b, own = L / radius. W_ii couples it with p_T alone,
//
//     s_T += c n x p_R,   s_R -= c n x p_T,   c = arm_ratio (own_a t_a - own_b t_b),
//
// t: what the spin of a line moves by. Balls of one size have c = 0. The normal impulse is found
// first, then p_T, then p_R with the new p_T: three blocks of Gauss-Seidel, each solved exactly.

#ifndef SCREE_SOLVE_RIGID_KERNEL_ROLLING_H
#define SCREE_SOLVE_RIGID_KERNEL_ROLLING_H

typedef struct rolling_view {  // of LANES contacts, beside their ball_view
    lanes p[3], s[3];          // s: tangential
    lanes own[2], mobility, length, mu;
} rolling_view;

INLINE void load_rolling(const scree_rigid_rolling *batch, int l, rolling_view *roll) {
    for (int e = 0; e < 3; e++) roll->p[e] = load(batch->p[e] + l);
    for (int side = 0; side < 2; side++) roll->own[side] = load(batch->own[side] + l);
    roll->length = load(batch->length + l);
    roll->mu = load(batch->mu + l);
}

INLINE void see_rolling(const place *at, const scree_rigid_rolling *batch, int l,
                        const ball_view *view, rolling_view *roll) {
    const lanes *a = view->side.a, *b = view->side.b;
    load_rolling(batch, l, roll);
    lanes along = all(0);
    for (int e = 0; e < 3; e++) {
        roll->s[e] = roll->own[0] * a[3 + e] - roll->own[1] * b[3 + e];
        roll->s[e] += load(at->slide + 24 + 8 * e + l);
    }
    along = dot(roll->s, view->n);
    for (int e = 0; e < 3; e++) roll->s[e] -= along * view->n[e];
    roll->mobility = roll->own[0] * roll->own[0] * a[7] + roll->own[1] * roll->own[1] * b[7];
}

INLINE lanes mean_rolling_mobility(const ball_view *view, const rolling_view *roll) {
    return (normal_mobility(view) + 2 * tangential_mobility(view, false) + 2 * roll->mobility) / 5;
}

// new moments after the change d of the impulses; rolled = what they change
INLINE void solve_rolling(scree_rigid_rolling *batch, int l, const lanes *normal_and_tangential,
                          const lanes *d, const ball_view *view, const rolling_view *roll,
                          lanes *rolled) {
    lanes turn[3], x[3];
    lanes gain = roll->own[0] * view->side.a[7] - roll->own[1] * view->side.b[7];
    lanes inverse = choose(roll->mobility > 0, 1 / roll->mobility, all(0));
    cross(view->n, d, turn);
    gain *= view->arm_ratio;
    for (int e = 0; e < 3; e++) x[e] = roll->p[e] - inverse * (roll->s[e] - gain * turn[e]);
    lanes length = root(dot(x, x)), most = roll->mu * dot(normal_and_tangential, view->n);
    lanes shrink = choose(length > most, most / length, all(1));
    for (int e = 0; e < 3; e++) {
        lanes p = shrink * x[e];
        rolled[e] = p - roll->p[e];
        store(batch->p[e] + l, p);
    }
}

// push_balls with moments
INLINE void push_rolling(const place *at, const scree_rigid_central *batch, int l,
                         const lanes *impulse, const lanes *moment, const ball_view *view,
                         const rolling_view *roll) {
    lanes row_a[8], row_b[8], turn[3];
    cross(view->n, impulse, turn);
    for (int e = 0; e < 3; e++) {
        row_a[e] = impulse[e];
        row_b[e] = -impulse[e];
        row_a[3 + e] = roll->own[0] * moment[e] - view->arm_ratio * turn[e];
        row_b[3 + e] = -roll->own[1] * moment[e] - view->arm_ratio * turn[e];
    }
    row_a[6] = row_a[7] = row_b[6] = row_b[7] = all(0);
    for (int first = 0; first < 8; first += LANES) {
        transpose(row_a + first);
        transpose(row_b + first);
    }
    push_lines(at->motion, batch->b + l, row_b);
    push_lines(at->motion, batch->a + l, row_a);
}

// the numbers of the moments stand behind those of the impulses
INLINE trace trace_of_moments(trace to) {
    if (to.change) to.change += 24;
    return to;
}

INLINE course course_of_moments(course to) {
    to.change += 24;
    to.direction += 24;
    if (to.clock) to.clock += 8;
    return to;
}

INLINE lanes relax_rolling(const place *at, scree_rigid_central *batch,
                           scree_rigid_rolling *rolling, int l, trace to) {
    ball_view view[GROUPS];
    rolling_view roll[GROUPS];
    lanes d[GROUPS][3], rolled[GROUPS][3], p[3], change = all(0);
    for (int g = 0; g < GROUPS; g++) {
        gather_balls(at, batch, l + g * LANES, false, &view[g]);
        see_rolling(at, rolling, l + g * LANES, &view[g], &roll[g]);
    }
    for (int g = 0; g < GROUPS; g++) {
        solve_balls(at, batch, l + g * LANES, false, &view[g], d[g]);
        for (int e = 0; e < 3; e++) p[e] = view[g].p[e] + d[g][e];
        solve_rolling(rolling, l + g * LANES, p, d[g], &view[g], &roll[g], rolled[g]);
    }
    for (int g = 0; g < GROUPS; g++) {
        lanes mobility = mean_rolling_mobility(&view[g], &roll[g]);
        lanes gone = note(to, l + g * LANES, d[g], mobility);
        gone += note(trace_of_moments(to), l + g * LANES, rolled[g], mobility);
        change = larger(change, gone);
    }
    for (int g = 0; g < GROUPS; g++)
        push_rolling(at, batch, l + g * LANES, d[g], rolled[g], &view[g], &roll[g]);
    return change;
}

INLINE void lead_rolling(const place *at, scree_rigid_central *batch, scree_rigid_rolling *rolling,
                         int l, course to) {
    ball_view view;
    rolling_view roll;
    lanes x[3], y[3], t[3], d[3], rolled[3], shrink[2];
    load_balls(at, batch, l, false, &view);
    load_rolling(rolling, l, &roll);
    go_on(to, l, view.p, x);
    go_on(course_of_moments(to), l, roll.p, y);
    lanes xN = dot(x, view.n), yN = dot(y, view.n);
    for (int e = 0; e < 3; e++) {
        t[e] = x[e] - xN * view.n[e];
        y[e] -= yN * view.n[e];
    }
    lanes foot =
        scree_rolling_foot(xN, root(dot(t, t)), root(dot(y, y)), load(at->mu + l), roll.mu, shrink);
    for (int e = 0; e < 3; e++) {
        lanes p = foot * view.n[e] + shrink[0] * t[e], m = shrink[1] * y[e];
        d[e] = p - view.p[e];
        rolled[e] = m - roll.p[e];
        store(batch->p[e] + l, p);
        store(rolling->p[e] + l, m);
    }
    have_gone(to, l, d);
    have_gone(course_of_moments(to), l, rolled);
    push_rolling(at, batch, l, d, rolled, &view, &roll);
}

INLINE void apply_rolling(const place *at, const scree_rigid_central *batch,
                          const scree_rigid_rolling *rolling, int l) {
    ball_view view;
    rolling_view roll;
    load_balls(at, batch, l, false, &view);
    load_rolling(rolling, l, &roll);
    push_rolling(at, batch, l, view.p, roll.p, &view, &roll);
}

typedef struct rolling_trial {  // a contact by components, with moments in some variables
    lanes pN, sN, p[3], s[3], pR[3], sR[3], mu, mu_rolling;
} rolling_trial;

// |z(rho)|^2 of natural_map.h, on the cone with moments
INLINE lanes rolling_map(const rolling_trial *c, lanes shift, lanes rho) {
    lanes x[3], y[3], shrink[2], sum;
    for (int e = 0; e < 3; e++) {
        x[e] = c->p[e] - rho * c->s[e];
        y[e] = c->pR[e] - rho * c->sR[e];
    }
    lanes foot = scree_rolling_foot(c->pN - rho * (c->sN + shift), root(dot(x, x)), root(dot(y, y)),
                                    c->mu, c->mu_rolling, shrink);
    sum = (c->pN - foot) * (c->pN - foot);
    for (int e = 0; e < 3; e++) {
        lanes off = c->p[e] - shrink[0] * x[e], turn = c->pR[e] - shrink[1] * y[e];
        sum += off * off + turn * turn;
    }
    return sum;
}

INLINE void judge_rolling(const place *at, const scree_rigid_central *batch,
                          const scree_rigid_rolling *rolling, int l, scree_rigid_sums *sums) {
    ball_view view;
    rolling_view roll;
    gather_balls(at, batch, l, false, &view);
    see_rolling(at, rolling, l, &view, &roll);
    rolling_trial c = { .mu = load(at->mu + l), .mu_rolling = roll.mu }, given;
    c.pN = dot(view.p, view.n);
    c.sN = view.uN + load(batch->w + l);
    for (int e = 0; e < 3; e++) {
        c.p[e] = view.p[e] - c.pN * view.n[e];
        c.s[e] = view.u[e] - view.uN * view.n[e];
        c.pR[e] = roll.p[e];
        c.sR[e] = roll.s[e];
    }
    given = c;  // as the problem has them
    for (int e = 0; e < 3; e++) {
        given.pR[e] = roll.length * c.pR[e];
        given.sR[e] = c.sR[e] / roll.length;
    }
    given.mu_rolling = roll.length * c.mu_rolling;
    lanes slide = dot(c.s, c.s), turn = dot(c.sR, c.sR), push = dot(c.pR, c.pR);
    lanes shift = c.mu * root(slide) + c.mu_rolling * root(turn);
    lanes size = c.pN * c.pN + dot(c.p, c.p), total = c.sN * c.sN + slide;
    lanes D = mean_rolling_mobility(&view, &roll);
    lanes part[] = {
        rolling_map(&given, shift, all(1)),
        D * rolling_map(&c, shift, 1 / D),
        size + dot(given.pR, given.pR),
        D * (size + push),
        D * D * (size + push),
        total + dot(given.sR, given.sR),
        (total + turn) / D,
    };
    add_parts(part, sums, l);
}

#endif
