// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid_prepare.c - from a problem of rigid bodies to lines and batches, and back.

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/space.h"
#include "solve/rigid_order.h"
#include "solve/rigid_set.h"

// -------------------------------------------------------------------------------------------------
// can it be worked with?

// numbers of the inverse inertia of a body
static size_t inverse_size(const scree_bodies *bodies) { return bodies->width == 3 ? 2 : 7; }

static bool is_finite(const scree_problem *problem, const double *p) {
    const scree_bodies *bodies = problem->bodies;
    size_t nb = (size_t)bodies->rigid, nc = (size_t)problem->contacts;
    size_t width = (size_t)bodies->width, d = (size_t)problem->dimension;
    return scree_dense_finite(bodies->v_free, width * nb) &&
           scree_dense_finite(bodies->inverse, inverse_size(bodies) * nb) &&
           scree_dense_finite(bodies->radius, nb) && scree_dense_finite(bodies->position, 3 * nb) &&
           scree_dense_finite(bodies->frame, 9 * nc) && scree_dense_finite(p, d * nc) &&
           scree_dense_finite(bodies->arm, 6 * nc) && scree_dense_finite(bodies->arm_ratio, nc) &&
           scree_dense_finite(bodies->w, d * nc) && scree_dense_finite(problem->mu, nc) &&
           scree_dense_finite(problem->mu_rolling, nc) && scree_dense_finite(problem->cohesion, nc);
}

static bool is_right_handed(const double *frame) {
    enum { N, T1 = 3, T2 = 6 };
    const double most = 1e-9;
    double second[3];
    scree_cross(frame + N, frame + T1, second);
    return fabs(scree_dot(frame + N, frame + N) - 1) < most &&
           fabs(scree_dot(frame + T1, frame + T1) - 1) < most &&
           fabs(scree_dot(frame + N, frame + T1)) < most &&
           fabs(scree_dot(second, frame + T2) - 1) < most;
}

static scree_status check_contact(const scree_problem *problem, int i, scree_error *err) {
    const scree_bodies *bodies = problem->bodies;
    const int *body = bodies->body + 2 * (size_t)i;
    const double *frame = bodies->frame + 9 * (size_t)i;
    for (int side = 0; side < 2; side++)
        if (body[side] < SCREE_FIXED || body[side] >= bodies->rigid)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "contact %d: there is no body %d", i, body[side]);
    if (body[0] == body[1] && body[0] >= 0)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "contact %d joins body %d to itself",
                          i, body[0]);
    if (problem->mu[i] < 0)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "contact %d: mu is %g", i,
                          problem->mu[i]);
    if (!is_right_handed(frame) && scree_dense_finite(frame, 9))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "contact %d: the frame is not orthonormal and right-handed", i);
    return SCREE_OK;
}

static scree_status check(const scree_problem *problem, scree_error *err) {
    const scree_bodies *bodies = problem->bodies;
    for (int i = 0; i < bodies->rigid; i++) {
        double mass = bodies->inverse[inverse_size(bodies) * (size_t)i];
        if (mass < 0 || (bodies->radius && bodies->radius[i] <= 0))
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "body %d: inverse mass %g, radius %g", i, mass,
                              bodies->radius ? bodies->radius[i] : 0);
    }
    scree_status status = SCREE_OK;
    for (int i = 0; !status && i < problem->contacts; i++) status = check_contact(problem, i, err);
    return status;
}

// balls that resist rolling have more rows
static bool has_rows_of(const scree_problem *problem) {
    const scree_bodies *bodies = problem->bodies;
    if (problem->dimension == 5)
        return bodies->width == 6 && bodies->radius && problem->mu_rolling &&
               !problem->rolling_length;
    return problem->dimension == (bodies->width == 3 ? 2 : 3);
}

bool scree_rigid_serves(const scree_problem *problem) {
    const scree_bodies *bodies = problem->bodies;
    return bodies && bodies->frame && !bodies->parts && (bodies->arm || bodies->width == 6) &&
           has_rows_of(problem) && !problem->mu_second && !problem->equality &&
           !problem->compliance;
}

// -------------------------------------------------------------------------------------------------
// lines

static void fill_planar_lines(const scree_bodies *bodies, scree_rigid_set *set) {
    for (size_t i = 0; i < (size_t)bodies->rigid; i++) {
        if (set->line_of[i] < 0) continue;
        double *line = set->motion[set->line_of[i]];
        if (bodies->v_free) memcpy(line, bodies->v_free + 3 * i, 3 * sizeof *line);
        memcpy(line + 3, bodies->inverse + 2 * i, 2 * sizeof *line);
    }
}

static void fill_lines(const scree_bodies *bodies, scree_rigid_set *set) {
    for (size_t i = 0; i < (size_t)bodies->rigid; i++) {
        if (set->line_of[i] < 0) continue;
        const double *inverse = bodies->inverse + 7 * i, *v = bodies->v_free + 6 * i;
        double *line = set->motion[set->line_of[i]], r = set->central ? bodies->radius[i] : 1;
        for (int e = 0; bodies->v_free && e < 3; e++) {
            line[e] = v[e];
            line[3 + e] = r * v[3 + e];
        }
        line[6] = inverse[0];
        if (set->central)
            line[7] = r * r * inverse[1];
        else
            memcpy(set->inertia[set->line_of[i]], inverse + 1, 6 * sizeof(double));
    }
}

// Lanes without a contact act on lines of mass 1 that never move, fixed bodies are lines without
// mobility. Every chunk has its own, so that threads do not share them, and several, so that a
// batch does not wait for the one before.
static int spare_line(int moving, int chunk, int batch, bool fixed) {
    return moving + chunk * SCREE_RIGID_SPARE_LINES + batch % SCREE_RIGID_FIXED_LINES +
           (fixed ? 0 : SCREE_RIGID_FIXED_LINES);
}

static uint32_t offset_of(int line) { return (uint32_t)line * (uint32_t)sizeof(scree_body_slot); }

static void spare_batch(scree_rigid_set *set, int moving, int chunk, int k) {
    uint32_t *a = set->planar    ? set->planars[k].a
                  : set->central ? set->centrals[k].a
                                 : set->generals[k].a;
    uint32_t *b = a + SCREE_BATCH;
    int padding = spare_line(moving, chunk, k, false);
    set->motion[padding][set->planar ? 3 : 6] = 1;
    for (int l = 0; l < SCREE_BATCH; l++) {
        a[l] = offset_of(padding);
        b[l] = offset_of(spare_line(moving, chunk, k, true));
        if (set->rollings) set->rollings[k].length[l] = 1;
        if (set->central) continue;
        if (set->planar) {
            set->planars[k].inverse[l] = set->planars[k].lambda[l] = 1;
            continue;
        }
        scree_rigid_general *batch = set->generals + k;
        batch->inverse[l] = batch->lambda[0][l] = batch->lambda[1][l] = 1;
    }
}

// -------------------------------------------------------------------------------------------------
// contacts

typedef struct contact_view {  // one contact of the problem
    int side[2];               // lines, or -1
    const double *n, *t1, *t2;
    double arm[2][3], arm_ratio;
    double w[5];  // with what bodies that do not move add
} contact_view;

static void add_prescribed(const scree_bodies *bodies, int body, double sign, const double *arm,
                           contact_view *view) {
    if (!bodies->v_free) return;
    bool planar = bodies->width == 3;
    const double *given = bodies->v_free + (size_t)bodies->width * (size_t)body;
    const double plane[6] = { given[0], given[1], 0, 0, 0, given[2] }, *v = planar ? plane : given;
    double u[3];
    scree_cross(v + 3, arm, u);
    for (int e = 0; e < 3; e++) u[e] += v[e];
    view->w[0] += sign * scree_dot(view->n, u);
    view->w[1] += sign * scree_dot(view->t1, u);
    view->w[2] += sign * scree_dot(view->t2, u);
    view->w[3] += sign * scree_dot(view->t1, v + 3);
    view->w[4] += sign * scree_dot(view->t2, v + 3);
}

static contact_view view_contact(const scree_problem *problem, const int *line_of, int i) {
    const scree_bodies *bodies = problem->bodies;
    const double *frame = bodies->frame + 9 * (size_t)i;
    contact_view view = { .n = frame, .t1 = frame + 3, .t2 = frame + 6, .arm_ratio = 1 };
    if (bodies->arm_ratio) view.arm_ratio = bodies->arm_ratio[i];
    size_t d = (size_t)problem->dimension;
    if (bodies->w) memcpy(view.w, bodies->w + d * (size_t)i, d * sizeof *view.w);
    for (int side = 0; side < 2; side++) {
        int body = bodies->body[2 * (size_t)i + (size_t)side];
        view.side[side] = body < 0 ? -1 : line_of[body];
        if (body < 0) continue;
        double sign = side ? -1 : 1;
        for (int e = 0; e < 3; e++)
            view.arm[side][e] = bodies->radius
                                    ? -sign * view.arm_ratio * bodies->radius[body] * view.n[e]
                                    : bodies->arm[6 * (size_t)i + 3 * (size_t)side + (size_t)e];
        if (view.side[side] < 0) add_prescribed(bodies, body, sign, view.arm[side], &view);
    }
    return view;
}

// a spare lane has a body that moves and a fixed one
static void set_sides(const contact_view *view, uint32_t *a, uint32_t *b) {
    *a = view->side[0] >= 0 ? offset_of(view->side[0]) : *b;
    if (view->side[1] >= 0) *b = offset_of(view->side[1]);
}

static void fill_ball(scree_rigid_set *set, const double *p, const contact_view *view, int k,
                      int l) {
    scree_rigid_central *batch = set->centrals + k;
    set_sides(view, &batch->a[l], &batch->b[l]);
    for (int e = 0; e < 3; e++) {
        batch->n[e][l] = view->n[e];
        batch->p[e][l] = p[0] * view->n[e] + p[1] * view->t1[e] + p[2] * view->t2[e];
        if (set->slide_step)
            set->slide[(size_t)k * set->slide_step + 8 * (size_t)e + (size_t)l] =
                view->w[1] * view->t1[e] + view->w[2] * view->t2[e];
    }
    batch->w[l] = view->w[0];
}

static double radius_of(const scree_problem *problem, int i, int side) {
    int body = problem->bodies->body[2 * (size_t)i + (size_t)side];
    return body < 0 ? 1 : problem->bodies->radius[body];
}

// the moments of a contact of balls, over the length of scree_problem_rolling_length
static void fill_rolling(scree_rigid_set *set, const double *p, const contact_view *view, int i,
                         int k, int l) {
    scree_rigid_rolling *batch = set->rollings + k;
    double slide = 0, roll = 0;
    for (int side = 0; side < 2; side++) {
        if (view->side[side] < 0) continue;
        const double *line = set->motion[view->side[side]];
        double radius = radius_of(set->problem, i, side);
        slide += line[6] + view->arm_ratio * view->arm_ratio * line[7];
        roll += line[7] / (radius * radius);
    }
    double length = slide > 0 && roll > 0 ? sqrt(slide / roll) : 1;
    for (int side = 0; side < 2; side++)
        batch->own[side][l] = view->side[side] < 0 ? 0 : length / radius_of(set->problem, i, side);
    for (int e = 0; e < 3; e++) {
        batch->p[e][l] = (p[3] * view->t1[e] + p[4] * view->t2[e]) / length;
        if (set->slide_step)
            set->slide[(size_t)k * set->slide_step + 24 + 8 * (size_t)e + (size_t)l] =
                length * (view->w[3] * view->t1[e] + view->w[4] * view->t2[e]);
    }
    batch->length[l] = length;
    batch->mu[l] = set->problem->mu_rolling[i] / length;
}

// W_ii: xx xy xz yy yz zz of components normal, first, second
static void local_operator(const scree_rigid_set *set, const contact_view *view, double A[6]) {
    const double *axis[3] = { view->n, view->t1, view->t2 };
    memset(A, 0, 6 * sizeof *A);
    for (int side = 0; side < 2; side++) {
        if (view->side[side] < 0) continue;
        const double *I = set->inertia[view->side[side]];
        double mass = set->motion[view->side[side]][6], moment[3][3], spin[3][3];
        for (int k = 0; k < 3; k++) {
            scree_cross(view->arm[side], axis[k], moment[k]);
            const double *m = moment[k];
            spin[k][0] = I[0] * m[0] + I[1] * m[1] + I[2] * m[2];
            spin[k][1] = I[1] * m[0] + I[3] * m[1] + I[4] * m[2];
            spin[k][2] = I[2] * m[0] + I[4] * m[1] + I[5] * m[2];
        }
        for (int k = 0, at = 0; k < 3; k++)
            for (int j = k; j < 3; j++, at++)
                A[at] += (k == j ? mass : 0) + scree_dot(moment[k], spin[j]);
    }
}

// turn (c, s), (-s, c) to the eigenvectors of a symmetric 2 x 2 matrix, the larger one first
static void eigenvectors(const double S[3], double *c, double *s, double lambda[2]) {
    double half = (S[0] - S[2]) / 2, mean = (S[0] + S[2]) / 2;
    double radius = sqrt(half * half + S[1] * S[1]);
    *c = 1;
    *s = 0;
    if (radius > 0 && half >= 0) {
        *c = sqrt((radius + half) / (2 * radius));
        *s = S[1] / (2 * radius * *c);
    } else if (radius > 0) {
        *s = sqrt((radius - half) / (2 * radius));
        *c = S[1] / (2 * radius * *s);
    }
    lambda[0] = mean + radius;
    lambda[1] = radius > 0 ? (S[0] * S[2] - S[1] * S[1]) / lambda[0] : mean;
    // a tangent along which nothing can move gets a little mobility, to divide by
    for (int e = 0; e < 2; e++) lambda[e] = fmax(lambda[e], 8 * DBL_EPSILON * lambda[0]);
}

static bool fill_frame(scree_rigid_set *set, const double *p, const contact_view *view, int k,
                       int l) {
    scree_rigid_general *batch = set->generals + k;
    double A[6], c, s, lambda[2];
    local_operator(set, view, A);
    double a = A[0], *g = A + 1;
    if (!(a > 0)) return false;
    double S[3] = { A[3] - g[0] * g[0] / a, A[4] - g[0] * g[1] / a, A[5] - g[1] * g[1] / a };
    eigenvectors(S, &c, &s, lambda);
    if (!(lambda[1] > 0)) lambda[0] = lambda[1] = DBL_EPSILON * a;

    set_sides(view, &batch->a[l], &batch->b[l]);
    for (int e = 0; e < 3; e++) {
        batch->n[e][l] = view->n[e];
        batch->t[e][l] = c * view->t1[e] + s * view->t2[e];
        batch->ra[e][l] = view->arm[0][e];
        batch->rb[e][l] = view->arm[1][e];
    }
    batch->p[0][l] = p[0];
    batch->p[1][l] = c * p[1] + s * p[2];
    batch->p[2][l] = c * p[2] - s * p[1];
    batch->w[l] = view->w[0];
    if (set->slide_step) {
        double *slide = set->slide + (size_t)k * set->slide_step + l;
        slide[0] = c * view->w[1] + s * view->w[2];
        slide[8] = c * view->w[2] - s * view->w[1];
    }
    batch->inverse[l] = 1 / a;
    batch->gamma[0][l] = (c * g[0] + s * g[1]) / a;
    batch->gamma[1][l] = (c * g[1] - s * g[0]) / a;
    batch->lambda[0][l] = lambda[0];
    batch->lambda[1][l] = lambda[1];
    return true;
}

static bool fill_plane(scree_rigid_set *set, const double *p, const contact_view *view, int k,
                       int l) {
    scree_rigid_planar *batch = set->planars + k;
    double a = 0, g = 0, c = 0;  // A_NN, A_TN, A_TT
    for (int side = 0; side < 2; side++) {
        const double *arm = view->arm[side];
        double N = arm[0] * view->n[1] - arm[1] * view->n[0];
        double T = arm[0] * view->t1[1] - arm[1] * view->t1[0];
        (side ? batch->lever_b : batch->lever_a)[0][l] = N;
        (side ? batch->lever_b : batch->lever_a)[1][l] = T;
        if (view->side[side] < 0) continue;
        const double *line = set->motion[view->side[side]];
        a += line[3] + line[4] * N * N;
        g += line[4] * N * T;
        c += line[3] + line[4] * T * T;
    }
    if (!(a > 0)) return false;
    set_sides(view, &batch->a[l], &batch->b[l]);
    for (int e = 0; e < 2; e++) {
        batch->n[e][l] = view->n[e];
        batch->p[e][l] = p[e];
    }
    batch->w[l] = view->w[0];
    if (set->slide_step) set->slide[(size_t)k * set->slide_step + (size_t)l] = view->w[1];
    batch->inverse[l] = 1 / a;
    batch->gamma[l] = g / a;
    // a tangent along which nothing can move gets a little mobility, to divide by
    batch->lambda[l] = fmax(c - g * g / a, 8 * DBL_EPSILON * fmax(c, a));
    return true;
}

// -------------------------------------------------------------------------------------------------
// numbers that may be the same for all contacts

static bool differ(const double *x, int count) {
    for (int i = 1; i < count; i++)
        if (x[i] != x[0]) return true;
    return false;
}

static bool slides(const scree_problem *problem, const int *line_of) {
    const scree_bodies *bodies = problem->bodies;
    size_t d = (size_t)problem->dimension;
    for (size_t i = 0; i < (size_t)problem->contacts; i++) {
        for (size_t r = 1; bodies->w && r < d; r++)
            if (bodies->w[d * i + r] != 0) return true;
        for (size_t side = 0; side < 2; side++) {
            int body = bodies->body[2 * i + side];
            if (body >= 0 && line_of[body] < 0) return true;
        }
    }
    return false;
}

static double *new_stream(const scree_rigid_set *set, bool many, size_t numbers, double value,
                          scree_arena *arena, size_t *step) {
    size_t count = numbers * (many ? (size_t)set->batches : 1);
    double *stream = SCREE_NEW(arena, double, count);
    *step = many ? numbers : 0;
    for (size_t i = 0; stream && value != 0 && i < count; i++) stream[i] = value;
    return stream;
}

static bool make_streams(const scree_problem *problem, scree_arena *arena, scree_rigid_set *set) {
    bool mu = differ(problem->mu, problem->contacts);
    bool arm_ratio = set->central && problem->bodies->arm_ratio;
    set->mu = new_stream(set, mu, 8, mu ? 0 : problem->mu[0], arena, &set->mu_step);
    set->arm_ratio = new_stream(set, arm_ratio, 8, 1, arena, &set->arm_ratio_step);
    set->slide = new_stream(set, slides(problem, set->line_of), set->central ? set->numbers : 16, 0,
                            arena, &set->slide_step);
    return set->mu && set->arm_ratio && set->slide;
}

// -------------------------------------------------------------------------------------------------

static bool make_room(const scree_rigid_order *order, scree_arena *arena, scree_rigid_set *set) {
    bool rolls = set->problem->dimension == 5, coheres = set->problem->cohesion;
    set->numbers = rolls ? 48 : 24;
    set->line_of = order->line_of;
    set->batches = order->batches;
    set->chunks = order->chunks;
    set->colours = order->colours;
    set->chunk = order->chunk;
    set->colour = order->colour;
    set->lines = order->moving + order->chunks * SCREE_RIGID_SPARE_LINES;
    set->motion = SCREE_NEW(arena, scree_body_slot, set->lines);
    set->free = SCREE_NEW(arena, scree_body_slot, set->lines);
    if (set->planar)
        set->planars = SCREE_NEW(arena, scree_rigid_planar, set->batches);
    else if (set->central) {
        set->centrals = SCREE_NEW(arena, scree_rigid_central, set->batches);
        if (rolls) set->rollings = SCREE_NEW(arena, scree_rigid_rolling, set->batches);
    } else {
        set->generals = SCREE_NEW(arena, scree_rigid_general, set->batches);
        set->inertia = SCREE_NEW(arena, scree_body_slot, set->lines);
    }
    if (coheres) set->cohesion = SCREE_NEW(arena, double, 8 * (size_t)set->batches);
    set->contact = SCREE_ROOM(arena, int, 8 * (size_t)set->batches);
    set->idle_sweeps = SCREE_NEW(arena, unsigned char, set->batches);
    set->frozen = SCREE_NEW(arena, unsigned char, set->batches);
    set->sums = SCREE_NEW(arena, scree_rigid_sums, set->chunks);
    set->change = SCREE_NEW(arena, double, (set->numbers * (size_t)set->batches));
    set->direction = SCREE_NEW(arena, double, (set->numbers * (size_t)set->batches));
    set->clock = SCREE_NEW(arena, double, set->numbers / 3 * (size_t)set->batches);
    set->change_energy = (double(*)[8])SCREE_NEW(arena, scree_body_slot, set->chunks);
    return set->motion && set->free && (!rolls || set->rollings) && (!coheres || set->cohesion) &&
           (set->planars || set->centrals || (set->generals && set->inertia)) && set->contact &&
           set->idle_sweeps && set->frozen && set->sums && set->change && set->direction &&
           set->clock && set->change_energy;
}

static bool fill(scree_rigid_set *set, const scree_rigid_order *order, const double *p) {
    const scree_problem *problem = set->problem;
    for (int chunk = 0; chunk < set->chunks; chunk++)
        for (int k = set->chunk[chunk]; k < set->chunk[chunk + 1]; k++)
            spare_batch(set, order->moving, chunk, k);
    (set->planar ? fill_planar_lines : fill_lines)(problem->bodies, set);
    memcpy(set->free, set->motion, (size_t)set->lines * sizeof *set->motion);
    for (size_t at = 0; at < 8 * (size_t)set->batches; at++) set->contact[at] = -1;
    for (int i = 0; i < problem->contacts; i++) {
        int k = order->slot[i] / 8, l = order->slot[i] % 8;
        contact_view view = view_contact(problem, set->line_of, i);
        set->contact[order->slot[i]] = i;
        if (set->cohesion) set->cohesion[order->slot[i]] = problem->cohesion[i];
        if (set->mu_step) set->mu[8 * (size_t)k + (size_t)l] = problem->mu[i];
        if (set->arm_ratio_step) set->arm_ratio[8 * (size_t)k + (size_t)l] = view.arm_ratio;
        const double *own = p + (size_t)problem->dimension * (size_t)i;
        bool fine = true;
        if (set->central) fill_ball(set, own, &view, k, l);
        if (set->rollings)
            fill_rolling(set, own, &view, i, k, l);
        else if (!set->central)
            fine = (set->planar ? fill_plane : fill_frame)(set, own, &view, k, l);
        if (!fine) return false;
    }
    return true;
}

// -------------------------------------------------------------------------------------------------
// impulses as they stand in the batches

enum { NUMBERS = 24 };  // impulses of a batch; moments are as many

static double *impulses_of(const scree_rigid_set *set, size_t k) {
    return set->planar    ? set->planars[k].p[0]
           : set->central ? set->centrals[k].p[0]
                          : set->generals[k].p[0];
}

void scree_rigid_keep(scree_rigid_set *set, double *kept) {
    for (size_t k = 0; k < (size_t)set->batches; k++, kept += set->numbers) {
        memcpy(kept, impulses_of(set, k), NUMBERS * sizeof *kept);
        if (set->rollings) memcpy(kept + NUMBERS, set->rollings[k].p, NUMBERS * sizeof *kept);
    }
}

void scree_rigid_return(scree_rigid_set *set, const double *kept) {
    for (size_t k = 0; k < (size_t)set->batches; k++, kept += set->numbers) {
        memcpy(impulses_of(set, k), kept, NUMBERS * sizeof *kept);
        if (set->rollings) memcpy(set->rollings[k].p, kept + NUMBERS, NUMBERS * sizeof *kept);
    }
}

// add share c n to all impulses, where contacts cohere
static void press(scree_rigid_set *set, double share) {
    for (size_t at = 0; set->cohesion && at < 8 * (size_t)set->batches; at++) {
        size_t k = at / 8, l = at % 8;
        double more = share * set->cohesion[at], *p = impulses_of(set, k) + l;
        for (size_t e = 0; e < (set->central ? 3 : 1); e++)
            p[8 * e] += set->central ? more * set->centrals[k].n[e][l] : more;
    }
}

static void clear(scree_rigid_set *set) {
    for (size_t k = 0; k < (size_t)set->batches; k++) {
        memset(impulses_of(set, k), 0, NUMBERS * sizeof(double));
        if (set->rollings) memset(set->rollings[k].p, 0, NUMBERS * sizeof(double));
    }
}

void scree_rigid_clear(scree_rigid_set *set) {
    clear(set);
    press(set, 1);
}

// Cones with cohesion are made to stand on their tips; false without memory.
static bool move_tips(scree_rigid_set *set, scree_arena *arena) {
    if (!set->cohesion) return true;
    double *kept = SCREE_ROOM(arena, double, (set->numbers * (size_t)set->batches));
    if (!kept) return false;
    scree_rigid_keep(set, kept);
    clear(set);
    press(set, -1);
    for (int chunk = 0; chunk < set->chunks; chunk++) scree_simd_kernel_1.apply(set, chunk);
    memcpy(set->free, set->motion, (size_t)set->lines * sizeof *set->motion);
    scree_rigid_return(set, kept);
    press(set, 1);
    return true;
}

// a contact of balls needs a mass to push, a general one a body that moves
static bool has_movers(const scree_problem *problem, bool *mover) {
    const scree_bodies *bodies = problem->bodies;
    for (int i = 0; i < bodies->rigid; i++) mover[i] = scree_bodies_moves(bodies, i);
    for (int i = 0; i < problem->contacts; i++) {
        bool moved = false;
        for (int side = 0; side < 2; side++) {
            int body = bodies->body[2 * (size_t)i + (size_t)side];
            if (body < 0 || !mover[body]) continue;
            moved = moved || !bodies->radius ||
                    bodies->inverse[inverse_size(bodies) * (size_t)body] > 0;
        }
        if (!moved) return false;
    }
    return true;
}

scree_status scree_rigid_prepare(const scree_problem *problem, const double *p, scree_arena *arena,
                                 scree_rigid_set *set, bool *broken, scree_error *err) {
    *set = (scree_rigid_set){ .problem = problem,
                              .central = problem->bodies->radius != NULL,
                              .planar = problem->bodies->width == 3 };
    *broken = false;
    scree_status status = check(problem, err);
    if (status) return status;
    scree_rigid_order order;
    bool *mover = SCREE_NEW(arena, bool, problem->bodies->rigid), room = mover != NULL;
    bool sound = room && is_finite(problem, p) && has_movers(problem, mover);
    if (sound) {
        room = scree_rigid_order_find(problem, mover, arena, &order) &&
               make_room(&order, arena, set) && make_streams(problem, arena, set);
        sound = room && fill(set, &order, p);
        room = room && (!sound || move_tips(set, arena));
    }
    *broken = room && !sound;
    return room ? SCREE_OK
                : scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d contacts",
                             problem->contacts);
}

// -------------------------------------------------------------------------------------------------
// and back

static void give_moments(const scree_rigid_rolling *batch, const double *frame, size_t l,
                         double *p) {
    double world[3];
    for (int e = 0; e < 3; e++) world[e] = batch->length[l] * batch->p[e][l];
    for (int e = 0; e < 2; e++) p[3 + e] = scree_dot(frame + 3 + 3 * e, world);
}

// of one lane, with what cohesion adds
static void give_impulse(const scree_rigid_set *set, size_t at, double *p) {
    size_t k = at / 8, l = at % 8;
    const double *frame = set->problem->bodies->frame + 9 * (size_t)set->contact[at];
    double world[3], t2[3];
    if (set->planar) {
        for (size_t e = 0; e < 2; e++) p[e] = set->planars[k].p[e][l];
        return;
    }
    if (set->central) {
        for (int e = 0; e < 3; e++) world[e] = set->centrals[k].p[e][l];
        for (size_t e = 0; e < 3; e++) p[e] = scree_dot(frame + 3 * e, world);
        if (set->rollings) give_moments(&set->rollings[k], frame, l, p);
        return;
    }
    const scree_rigid_general *batch = set->generals + k;
    double t1[3] = { batch->t[0][l], batch->t[1][l], batch->t[2][l] };
    scree_cross(frame, t1, t2);
    for (int e = 0; e < 3; e++) world[e] = batch->p[1][l] * t1[e] + batch->p[2][l] * t2[e];
    p[0] = batch->p[0][l];
    p[1] = scree_dot(frame + 3, world);
    p[2] = scree_dot(frame + 6, world);
}

void scree_rigid_impulses(const scree_rigid_set *set, double *p) {
    size_t d = (size_t)set->problem->dimension;
    for (size_t at = 0; at < 8 * (size_t)set->batches; at++) {
        if (set->contact[at] < 0) continue;
        double *own = p + d * (size_t)set->contact[at];
        give_impulse(set, at, own);
        if (set->cohesion) own[0] -= set->cohesion[at];
    }
}

void scree_rigid_velocities(const scree_rigid_set *set, double *velocity) {
    const scree_bodies *bodies = set->problem->bodies;
    size_t width = (size_t)bodies->width;
    for (size_t i = 0; i < (size_t)bodies->rigid; i++) {
        double *v = velocity + width * i;
        if (set->line_of[i] < 0) {
            if (bodies->v_free)
                memmove(v, bodies->v_free + width * i, width * sizeof *v);  // may be the same place
            else
                memset(v, 0, width * sizeof *v);
            continue;
        }
        memcpy(v, set->motion[set->line_of[i]], width * sizeof *v);
        if (set->central)
            for (int e = 3; e < 6; e++) v[e] /= bodies->radius[i];
    }
}
