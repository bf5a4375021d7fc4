// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid_kernel.h - what is done to a batch: relaxed, applied to the bodies, judged.
//
// The SIMD kernels: included once for each width by rigid_simd_*.c, which define LANES and PATH.
//
// Balls: W_ii is diagonal, with W_NN = m and W_TT = t I, so the local solution is
//     p_N = max(0, p_N - s_N / m),   p_T = (p_T - s_T / t), cut to length mu p_N,
// in world axes, without any tangents.
//
// General contacts, with a = A_NN, gamma = A_TN / a and S = diag(lambda): s = A p' + (s - A p) is
//     p_N = m - gamma . p_T,   m = p_N + gamma . p_T - s_N / a   before the update,
//     s_T = S p_T + c,         c = s_T - gamma s_N - S p_T       before the update,
// open if m <= 0, stick p_T = -S^-1 c, slip by the secular equation of local.c.

#include "solve/rigid_set.h"
#include "solve/simd_lanes.h"

typedef lanes real;
#include "solve/natural_map.h"

enum {
    NEWTON = 80,         // steps at most; bisection alone would need them, Newton takes about four
    IDLE_SWEEPS = 3,     // sweeps without change before a batch is left out,
    FROZEN_SWEEPS = 10,  // and for how many
    PREFETCH_DISTANCE = 2,  // batches between fetching bodies and using them
};

// Groups of LANES contacts that are worked on together, stage by stage: a processor can then fill
// the waiting time of one with the other. Contacts taken one by one may depend on each other.
#if LANES == 1 || LANES == 8
enum { GROUPS = 1 };
#else
enum { GROUPS = 2 };
#endif

typedef struct sides {  // the two bodies of each lane
    lanes a[8], b[8];
} sides;

// where one batch's numbers are; local copies, so that stores cannot seem to change them
typedef struct place {
    scree_body_slot *motion;
    const scree_body_slot *inertia;
    const double *mu, *arm_ratio, *slide;
} place;

INLINE place place_of(const scree_rigid_set *set, size_t k) {
    return (place){ set->motion, (const scree_body_slot *)set->inertia, set->mu + k * set->mu_step,
                    set->arm_ratio + k * set->arm_ratio_step, set->slide + k * set->slide_step };
}

INLINE void prefetch(const void *base, const uint32_t *offset) {
    for (int l = 0; l < 8; l++) __builtin_prefetch((const char *)base + offset[l], 1);
}

typedef struct trace {  // where the changes of a batch are written down, or nowhere
    double *change, *energy;
} trace;

// Returns D |dp|^2.
INLINE lanes note(trace to, int l, const lanes *d, lanes mobility) {
    lanes energy = mobility * dot(d, d);
    if (!to.change) return energy;
    for (int e = 0; e < 3; e++) store(to.change + 8 * e + l, d[e]);
    store(to.energy + l, load(to.energy + l) + energy);
    return energy;
}

typedef struct course {  // where the numbers of a batch are, and the factors
    const double *change;
    double *direction, *clock;  // clock: momentum with a factor for each contact, NULL: keep, lead
    double keep, lead, turned;
} course;

// x = p + lead d with the new direction d; with clocks that is the way since the sweep before
INLINE void go_on(course to, int l, const lanes *p, lanes *x) {
    lanes d[3], c[3], lead = all(to.lead);
    for (int e = 0; e < 3; e++) {
        c[e] = load(to.change + 8 * e + l);
        d[e] = to.keep * load(to.direction + 8 * e + l) + c[e];
    }
    if (to.clock) {
        lanes k = load(to.clock + l);
        k = choose(dot(c, d) >= 0, k + 1, to.turned * k);
        store(to.clock + l, k);
        lead = k / (k + 3);
    }
    for (int e = 0; e < 3; e++) {
        store(to.direction + 8 * e + l, d[e]);
        x[e] = p[e] + lead * d[e];
    }
}

// moved: what the cones have left of it
INLINE void have_gone(course to, int l, const lanes *moved) {
    if (!to.clock) return;
    for (int e = 0; e < 3; e++) store(to.direction + 8 * e + l, moved[e]);
}

// what a batch adds to the judgement
INLINE void add_parts(const lanes part[SCREE_RIGID_SUMS], scree_rigid_sums *sums, int at) {
    for (int i = 0; i < SCREE_RIGID_SUMS; i++)
        store(sums->of[i] + at, load(sums->of[i] + at) + part[i]);
}

#include "solve/rigid_kernel_balls.h"
#include "solve/rigid_kernel_rolling.h"

// -------------------------------------------------------------------------------------------------
// general contacts

typedef struct frame_view {
    sides side;
    lanes n[3], t[3], q[3], ra[3], rb[3];  // q: second tangent
    lanes p[3], s[3];                      // components, the normal one first
    lanes inverse, gamma[2], lambda[2], mu;
} frame_view;

INLINE void gather_frames(const place *at, const scree_rigid_general *batch, int l,
                          frame_view *view) {
    lanes *a = view->side.a, *b = view->side.b, turn_a[3], turn_b[3], u[3];
    gather(at->motion, batch->a + l, a);
    gather(at->motion, batch->b + l, b);
    for (int e = 0; e < 3; e++) {
        view->n[e] = load(batch->n[e] + l);
        view->t[e] = load(batch->t[e] + l);
        view->ra[e] = load(batch->ra[e] + l);
        view->rb[e] = load(batch->rb[e] + l);
        view->p[e] = load(batch->p[e] + l);
    }
    cross(view->n, view->t, view->q);
    cross(a + 3, view->ra, turn_a);
    cross(b + 3, view->rb, turn_b);
    for (int e = 0; e < 3; e++) u[e] = (a[e] + turn_a[e]) - (b[e] + turn_b[e]);
    view->s[0] = dot(view->n, u) + load(batch->w + l);
    view->s[1] = dot(view->t, u) + load(at->slide + l);
    view->s[2] = dot(view->q, u) + load(at->slide + 8 + l);
    view->mu = load(at->mu + l);
    view->inverse = load(batch->inverse + l);
    for (int e = 0; e < 2; e++) {
        view->gamma[e] = load(batch->gamma[e] + l);
        view->lambda[e] = load(batch->lambda[e] + l);
    }
}

// x = I y with I symmetric: xx xy xz yy yz zz
INLINE void turn(const lanes *I, const lanes *y, lanes *x) {
    x[0] = I[0] * y[0] + I[1] * y[1] + I[2] * y[2];
    x[1] = I[1] * y[0] + I[3] * y[1] + I[4] * y[2];
    x[2] = I[2] * y[0] + I[4] * y[1] + I[5] * y[2];
}

INLINE void push_frames(const place *at, const scree_rigid_general *batch, int l,
                        const lanes *impulse, frame_view *view) {
    lanes *a = view->side.a, *b = view->side.b, I[8], world[3], moment[3], spin[3];
    for (int e = 0; e < 3; e++)
        world[e] = impulse[0] * view->n[e] + impulse[1] * view->t[e] + impulse[2] * view->q[e];
    gather(at->inertia, batch->a + l, I);
    cross(view->ra, world, moment);
    turn(I, moment, spin);
    for (int e = 0; e < 3; e++) {
        a[e] += a[6] * world[e];
        a[3 + e] += spin[e];
    }
    scatter(at->motion, batch->a + l, a);
    gather(at->inertia, batch->b + l, I);
    cross(view->rb, world, moment);
    turn(I, moment, spin);
    for (int e = 0; e < 3; e++) {
        b[e] -= b[6] * world[e];
        b[3 + e] -= spin[e];
    }
    scatter(at->motion, batch->b + l, b);
}

typedef struct slip_equation {  // find alpha > 0 with |p_T| = mu p_N, p_T = -(S + alpha)^-1 c
    lanes m, c[2], gamma[2], lambda[2], mu;
} slip_equation;

typedef struct slip_point {
    lanes t[2], length, normal;
    lanes next;  // alpha of Newton's method on 1/|p_T| - 1/(mu p_N)
} slip_point;

INLINE void slip_at(const slip_equation *f, lanes alpha, slip_point *point) {
    lanes d0 = f->lambda[0] + alpha, d1 = f->lambda[1] + alpha, both = 1 / (d0 * d1);
    lanes q0 = d1 * both, q1 = d0 * both;
    lanes t0 = -f->c[0] * q0, t1 = -f->c[1] * q1;
    lanes square = t0 * t0 + t1 * t1, length = root(square);
    lanes normal = f->m - (f->gamma[0] * t0 + f->gamma[1] * t1), most = f->mu * normal;
    lanes bend = t0 * t0 * q0 + t1 * t1 * q1;
    lanes rise = f->gamma[0] * t0 * q0 + f->gamma[1] * t1 * q1;
    point->t[0] = t0;
    point->t[1] = t1;
    point->length = length;
    point->normal = normal;
    point->next =
        alpha - (most - length) * square * normal / (bend * most * normal + length * square * rise);
}

typedef struct slip_search {  // of one group
    slip_equation f;
    slip_point point;
    lanes low, high, alpha;  // the root is inside (low, high)
    mask slips, open;
} slip_search;

// the root lies below
INLINE lanes slip_bound(const slip_equation *f) {
    lanes length = root(f->c[0] * f->c[0] + f->c[1] * f->c[1]);
    lanes coupling = root(f->gamma[0] * f->gamma[0] + f->gamma[1] * f->gamma[1]);
    return length * (1 + f->mu * coupling) / (f->mu * f->m);
}

// exact when both tangents are alike and the normal impulse does not depend on them
INLINE lanes slip_guess(const slip_equation *f) {
    lanes c0 = f->c[0] * f->c[0], c1 = f->c[1] * f->c[1], cc = c0 + c1;
    lanes mean = (c0 * f->lambda[0] + c1 * f->lambda[1]) / cc, high = slip_bound(f);
    lanes alpha = root(cc) / (f->mu * f->m) - mean;
    return choose((alpha > 0) & (alpha < high), alpha, high * mean / (high + mean));
}

INLINE void begin_search(const double *last, slip_search *search) {
    search->low = all(0);
    search->high = all(HUGE_VAL);
    search->alpha = load(last);
    search->open = search->slips;
    mask cold = search->slips & ~(search->alpha > 0);
    if (any(cold)) search->alpha = choose(cold, slip_guess(&search->f), search->alpha);
}

// The bracket halved, in the exponent while it spans magnitudes. Lanes that are not lost must not
// notice: their bits would depend on their neighbours.
INLINE lanes half_way(slip_search *search, mask lost) {
    mask unknown = lost & (search->high == HUGE_VAL);
    search->high = choose(unknown, slip_bound(&search->f), search->high);
    mask wide = (search->low > 0) & (search->high > 4 * search->low);
    return choose(wide, root(search->low * search->high), 0.5 * (search->low + search->high));
}

// One step of Newton; where it leaves the bracket, half of the bracket is dropped.
INLINE void step_search(slip_search *search) {
    slip_at(&search->f, search->alpha, &search->point);
    lanes alpha = search->alpha, next = search->point.next;
    mask beyond = search->point.length > search->f.mu * search->point.normal;
    search->low = choose(beyond, alpha, search->low);
    search->high = choose(beyond, search->high, alpha);
    // Newton doubles the digits: after a step of 1e-8 nothing is left to do
    lanes step = next - alpha, reach = 1e-8 * alpha;
    mask last = (step <= reach) & (step >= -reach);
    mask inside = (next > search->low) & (next < search->high) & (search->point.normal > 0);
    mask lost = search->open & ~(last | inside);
    if (any(lost)) {
        next = choose(lost, half_way(search, lost), next);
        last |= lost & (search->high - search->low <= 4e-16 * search->high);
    }
    search->alpha = choose(search->open, next, alpha);
    search->open &= ~last;
}

// the solution of contacts that do not slip, and the equation of those that do
INLINE void stick_or_open(const frame_view *view, slip_search *search, lanes *p) {
    const lanes *old = view->p, *s = view->s;
    slip_equation *f = &search->f;
    f->mu = view->mu;
    f->m = old[0] + (view->gamma[0] * old[1] + view->gamma[1] * old[2]) - view->inverse * s[0];
    lanes both = 1 / (view->lambda[0] * view->lambda[1]), t[2];
    for (int e = 0; e < 2; e++) {
        f->gamma[e] = view->gamma[e];
        f->lambda[e] = view->lambda[e];
        f->c[e] = s[1 + e] - view->gamma[e] * s[0] - view->lambda[e] * old[1 + e];
        t[e] = -f->c[e] * (view->lambda[1 - e] * both);
    }
    lanes normal = f->m - (f->gamma[0] * t[0] + f->gamma[1] * t[1]), most = f->mu * normal;
    mask closed = f->m > 0, rubs = f->mu > 0;
    mask sticks = (normal >= 0) & (t[0] * t[0] + t[1] * t[1] <= most * most);
    search->slips = closed & rubs & ~sticks;
    p[0] = where(closed, choose(rubs, normal, f->m));
    p[1] = where(closed & rubs, t[0]);
    p[2] = where(closed & rubs, t[1]);
}

INLINE void slip(slip_search *search, double *last, lanes *p) {
    slip_point *point = &search->point;
    slip_at(&search->f, search->alpha, point);
    store(last, choose(search->slips, search->alpha, load(last)));
    // end on the cone, by the better known of the two numbers
    lanes mu = search->f.mu;
    mask steep = mu >= 1;
    lanes shrink = choose(steep, all(1), mu * point->normal / point->length);
    p[0] = choose(search->slips, choose(steep, point->length / mu, point->normal), p[0]);
    p[1] = choose(search->slips, shrink * point->t[0], p[1]);
    p[2] = choose(search->slips, shrink * point->t[1], p[2]);
}

// new impulses; d = what they change
INLINE void solve_frames(scree_rigid_general *batch, int l, const frame_view *view, lanes (*d)[3]) {
    slip_search search[GROUPS];
    lanes p[GROUPS][3];
    mask slips = { 0 };
    for (int g = 0; g < GROUPS; g++) {
        stick_or_open(&view[g], &search[g], p[g]);
        slips |= search[g].slips;
    }
    if (any(slips)) {
        for (int g = 0; g < GROUPS; g++) begin_search(batch->alpha + l + g * LANES, &search[g]);
        for (int i = 0; i < NEWTON && any(slips); i++) {
            slips = (mask){ 0 };
            for (int g = 0; g < GROUPS; g++) step_search(&search[g]);
            for (int g = 0; g < GROUPS; g++) slips |= search[g].open;
        }
        for (int g = 0; g < GROUPS; g++) slip(&search[g], batch->alpha + l + g * LANES, p[g]);
    }
    for (int g = 0; g < GROUPS; g++)
        for (int e = 0; e < 3; e++) {
            d[g][e] = p[g][e] - view[g].p[e];
            store(batch->p[e] + l + g * LANES, p[g][e]);
        }
}

INLINE lanes mean_mobility(const frame_view *view) {
    lanes a = 1 / view->inverse, coupling = view->gamma[0] * view->gamma[0];
    coupling += view->gamma[1] * view->gamma[1];
    return (a * (1 + coupling) + view->lambda[0] + view->lambda[1]) / 3;
}

INLINE lanes relax_frames(const place *at, scree_rigid_general *batch, int l, trace to) {
    frame_view view[GROUPS];
    lanes d[GROUPS][3], change = all(0);
    for (int g = 0; g < GROUPS; g++) gather_frames(at, batch, l + g * LANES, &view[g]);
    solve_frames(batch, l, view, d);
    for (int g = 0; g < GROUPS; g++)
        change = larger(change, note(to, l + g * LANES, d[g], mean_mobility(&view[g])));
    for (int g = 0; g < GROUPS; g++) push_frames(at, batch, l + g * LANES, d[g], &view[g]);
    return change;
}

INLINE void lead_frames(const place *at, scree_rigid_general *batch, int l, course to) {
    frame_view view;
    lanes x[3], d[3], shrink;
    gather_frames(at, batch, l, &view);
    go_on(to, l, view.p, x);
    lanes size = root(x[1] * x[1] + x[2] * x[2]);
    lanes foot = scree_cone_foot(x[0], size, view.mu, &shrink);
    for (int e = 0; e < 3; e++) {
        lanes p = e == 0 ? foot : shrink * x[e];
        d[e] = p - view.p[e];
        store(batch->p[e] + l, p);
    }
    have_gone(to, l, d);
    push_frames(at, batch, l, d, &view);
}

// -------------------------------------------------------------------------------------------------
// sweeps

#include "solve/rigid_kernel_plane.h"

typedef enum kind { FRAMES, BALLS, PLAIN_BALLS, ROLLING_BALLS, PLANE } kind;

INLINE lanes relax(const scree_rigid_set *set, const place *at, size_t k, int l, kind what,
                   trace to) {
    return what == PLANE           ? relax_plane(at, set->planars + k, l, to)
           : what == FRAMES        ? relax_frames(at, set->generals + k, l, to)
           : what == ROLLING_BALLS ? relax_rolling(at, set->centrals + k, set->rollings + k, l, to)
                                   : relax_balls(at, set->centrals + k, l, what == PLAIN_BALLS, to);
}

// bodies of a batch, and the batch that comes as long after it: processors foresee the next bytes,
// not the next bodies, nor the next of several streams
INLINE void prefetch_ahead(const scree_rigid_set *set, size_t k, size_t later, kind what) {
    size_t count = (size_t)set->batches;
    size_t bytes = what == PLANE    ? sizeof *set->planars
                   : what == FRAMES ? sizeof *set->generals
                                    : sizeof *set->centrals;
    const char *first = what == PLANE    ? (const char *)set->planars
                        : what == FRAMES ? (const char *)set->generals
                                         : (const char *)set->centrals;
    if (k < count) {
        const uint32_t *a = (const uint32_t *)(first + k * bytes), *b = a + 8;  // they come first
        prefetch(set->motion, a);
        prefetch(set->motion, b);
        if (what == FRAMES) prefetch(set->inertia, a);
        if (what == FRAMES) prefetch(set->inertia, b);
    }
    if (later >= count) return;
    for (size_t at = 0; at < bytes; at += 64) __builtin_prefetch(first + later * bytes + at, 1);
}

// has nothing changed in this batch for some sweeps?
INLINE void freeze_idle(const scree_rigid_set *set, size_t k, bool changed) {
    set->idle_sweeps[k] = changed ? 0 : (unsigned char)(set->idle_sweeps[k] + 1);
    if (set->idle_sweeps[k] < IDLE_SWEEPS) return;
    set->idle_sweeps[k] = 0;
    set->frozen[k] = FROZEN_SWEEPS;
}

INLINE void sweep_kind(const scree_rigid_set *set, int chunk, bool forwards, kind what,
                       scree_sweep_kind way) {
    int first = set->chunk[chunk], last = set->chunk[chunk + 1];
    double *energy = set->change_energy[chunk];
    if (way == SCREE_SWEEP_TRACED) memset(energy, 0, sizeof *set->change_energy);
    for (int i = first; i < last; i++) {
        size_t k = (size_t)(forwards ? i : first + last - 1 - i);
        if (forwards)
            prefetch_ahead(set, k + PREFETCH_DISTANCE, k + 2 * PREFETCH_DISTANCE, what);
        else
            prefetch_ahead(set, k - PREFETCH_DISTANCE, k - 2 * PREFETCH_DISTANCE, what);
        if (way == SCREE_SWEEP_FREEZING && set->frozen[k] > 0) {
            set->frozen[k]--;
            continue;
        }
        place at = place_of(set, k);
        trace to = { way == SCREE_SWEEP_TRACED ? set->change + set->numbers * k : NULL, energy };
        bool changed = false;
        for (int l = 0; l < SCREE_BATCH; l += GROUPS * LANES) {
            int from = forwards ? l : SCREE_BATCH - GROUPS * LANES - l;
            lanes change = relax(set, &at, k, from, what, to);
            if (way == SCREE_SWEEP_FREEZING) changed = any(change > set->idle_energy) || changed;
        }
        if (way == SCREE_SWEEP_FREEZING) freeze_idle(set, k, changed);
    }
}

INLINE void sweep_what(const scree_rigid_set *set, int chunk, bool forwards, kind what,
                       scree_sweep_kind way) {
    if (way == SCREE_SWEEP_PLAIN)
        sweep_kind(set, chunk, forwards, what, SCREE_SWEEP_PLAIN);
    else if (way == SCREE_SWEEP_FREEZING)
        sweep_kind(set, chunk, forwards, what, SCREE_SWEEP_FREEZING);
    else
        sweep_kind(set, chunk, forwards, what, SCREE_SWEEP_TRACED);
}

INLINE kind kind_of(const scree_rigid_set *set) {
    return set->planar                              ? PLANE
           : !set->central                          ? FRAMES
           : set->rollings                          ? ROLLING_BALLS
           : set->arm_ratio_step || set->slide_step ? BALLS
                                                    : PLAIN_BALLS;
}

static void sweep(const scree_rigid_set *set, int chunk, bool forwards, scree_sweep_kind way) {
    switch (kind_of(set)) {
        case PLANE:
            sweep_what(set, chunk, forwards, PLANE, way);
            break;
        case FRAMES:
            sweep_what(set, chunk, forwards, FRAMES, way);
            break;
        case BALLS:
            sweep_what(set, chunk, forwards, BALLS, way);
            break;
        case PLAIN_BALLS:
            sweep_what(set, chunk, forwards, PLAIN_BALLS, way);
            break;
        case ROLLING_BALLS:
            sweep_what(set, chunk, forwards, ROLLING_BALLS, way);
            break;
    }
}

INLINE void lead_what(const scree_rigid_set *set, int chunk, kind what, scree_momentum how) {
    for (size_t k = (size_t)set->chunk[chunk]; k < (size_t)set->chunk[chunk + 1]; k++) {
        place at = place_of(set, k);
        course to = { set->change + set->numbers * k,
                      set->direction + set->numbers * k,
                      how.clocks ? set->clock + set->numbers / 3 * k : NULL,
                      how.keep,
                      how.lead,
                      how.turned };
        prefetch_ahead(set, k + PREFETCH_DISTANCE, k + 2 * PREFETCH_DISTANCE, what);
        for (int l = 0; l < SCREE_BATCH; l += LANES) {
            if (what == PLANE)
                lead_plane(&at, set->planars + k, l, to);
            else if (what == FRAMES)
                lead_frames(&at, set->generals + k, l, to);
            else if (what == ROLLING_BALLS)
                lead_rolling(&at, set->centrals + k, set->rollings + k, l, to);
            else
                lead_balls(&at, set->centrals + k, l, what == PLAIN_BALLS, to);
        }
    }
}

static void lead(const scree_rigid_set *set, int chunk, scree_momentum how) {
    switch (kind_of(set)) {
        case PLANE:
            lead_what(set, chunk, PLANE, how);
            break;
        case FRAMES:
            lead_what(set, chunk, FRAMES, how);
            break;
        case BALLS:
            lead_what(set, chunk, BALLS, how);
            break;
        case PLAIN_BALLS:
            lead_what(set, chunk, PLAIN_BALLS, how);
            break;
        case ROLLING_BALLS:
            lead_what(set, chunk, ROLLING_BALLS, how);
            break;
    }
}

// -------------------------------------------------------------------------------------------------
// impulses to velocities

INLINE void apply_balls(const place *at, const scree_rigid_central *batch, int l) {
    ball_view view;
    load_balls(at, batch, l, false, &view);
    push_balls(at, batch, l, false, view.p, &view);
}

INLINE void apply_frames(const place *at, const scree_rigid_general *batch, int l) {
    frame_view view;
    gather_frames(at, batch, l, &view);
    push_frames(at, batch, l, view.p, &view);
}

INLINE void apply_plane(const place *at, const scree_rigid_planar *batch, int l) {
    plane_view view;
    gather_plane(at, batch, l, &view);
    push_plane(at, batch, l, view.p, &view);
}

static void apply(const scree_rigid_set *set, int chunk) {
    for (int k = set->chunk[chunk]; k < set->chunk[chunk + 1]; k++) {
        place at = place_of(set, (size_t)k);
        for (int l = 0; l < SCREE_BATCH; l += LANES) {
            if (set->planar)
                apply_plane(&at, set->planars + k, l);
            else if (set->rollings)
                apply_rolling(&at, set->centrals + k, set->rollings + k, l);
            else if (set->central)
                apply_balls(&at, set->centrals + k, l);
            else
                apply_frames(&at, set->generals + k, l);
        }
    }
}

// -------------------------------------------------------------------------------------------------
// the judge: what residual.c sums up, by the same natural map

typedef struct trial {  // a contact by components: normal, and tangents as vectors of any axes
    lanes pN, sN, p[3], s[3], mu;  // p, s: tangential parts
} trial;

INLINE void add_up(const trial *c, int tangents, lanes D, scree_rigid_sums *sums, int at) {
    lanes slide = dot(c->s, c->s), total = c->sN * c->sN + slide, shift = c->mu * root(slide);
    lanes size = c->pN * c->pN + dot(c->p, c->p);
    lanes part[] = {
        scree_natural_map(c->pN, c->sN, c->p, c->s, tangents, c->mu, shift, all(1)),
        D * scree_natural_map(c->pN, c->sN, c->p, c->s, tangents, c->mu, shift, 1 / D),
        size,
        D * size,
        D * D * size,
        total,
        total / D,
    };
    add_parts(part, sums, at);
}

INLINE void judge_balls(const place *at, const scree_rigid_central *batch, int l,
                        scree_rigid_sums *sums) {
    ball_view view;
    gather_balls(at, batch, l, false, &view);
    trial c = { .mu = load(at->mu + l) };
    c.pN = dot(view.p, view.n);
    c.sN = view.uN + load(batch->w + l);
    for (int e = 0; e < 3; e++) {
        c.p[e] = view.p[e] - c.pN * view.n[e];
        c.s[e] = view.u[e] - view.uN * view.n[e];
    }
    add_up(&c, 3, mean_ball_mobility(&view, false), sums, l);
}

INLINE void judge_frames(const place *at, const scree_rigid_general *batch, int l,
                         scree_rigid_sums *sums) {
    frame_view view;
    gather_frames(at, batch, l, &view);
    trial c = { .pN = view.p[0],
                .sN = view.s[0],
                .p = { view.p[1], view.p[2] },
                .s = { view.s[1], view.s[2] },
                .mu = view.mu };
    add_up(&c, 2, mean_mobility(&view), sums, l);
}

INLINE void judge_plane(const place *at, const scree_rigid_planar *batch, int l,
                        scree_rigid_sums *sums) {
    plane_view view;
    gather_plane(at, batch, l, &view);
    trial c = {
        .pN = view.p[0], .sN = view.s[0], .p = { view.p[1] }, .s = { view.s[1] }, .mu = view.mu
    };
    add_up(&c, 1, mean_planar_mobility(&view), sums, l);
}

static void judge(const scree_rigid_set *set, int chunk) {
    scree_rigid_sums *sums = set->sums + chunk;
    *sums = (scree_rigid_sums){ 0 };
    for (int k = set->chunk[chunk]; k < set->chunk[chunk + 1]; k++) {
        place at = place_of(set, (size_t)k);
        for (int l = 0; l < SCREE_BATCH; l += LANES) {
            if (set->planar)
                judge_plane(&at, set->planars + k, l, sums);
            else if (set->rollings)
                judge_rolling(&at, set->centrals + k, set->rollings + k, l, sums);
            else if (set->central)
                judge_balls(&at, set->centrals + k, l, sums);
            else
                judge_frames(&at, set->generals + k, l, sums);
        }
    }
}

const scree_simd_kernel PATH = { NAME, LANES, sweep, lead, apply, judge };
