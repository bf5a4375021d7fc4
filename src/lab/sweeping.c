// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sweeping.c - the sweeping process, step by step (Moreau 2001, section 2).
// in: moving sets, a start.   out: positions.   work: the sets as they stand at one moment.
//
// Catching-up: x' = proj(x, C(t')). Lazy selector: x' = x + h v with the v of least length in
//     Gamma(t, x) = { v : df_i/dt + v . grad f_i <= 0 for all i with f_i(t, x) >= 0 },
// which is the projection of 0 onto a polyhedron.

#include "scree/sweeping.h"
#include "base/dense.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "lab/convex_set.h"

enum { N = SCREE_SET_DIMENSION };

typedef struct set_rates {  // of the same lengths as in the set
    double row[SCREE_SET_ROWS][N], bound[SCREE_SET_ROWS];
    double centre[SCREE_SET_BALLS][N], radius[SCREE_SET_BALLS];
} set_rates;

struct scree_sweeping {
    scree_arena arena;
    scree_moving_set *set;  // (state.sets)
    double h;
    scree_sweeping_state state;
    double x[N], before[N];
    scree_convex_set at;  // C at the time looked at last
    set_rates rates;
    scree_convex_set gamma;
};

static const scree_source_location nowhere = { NULL, 0, 0 };

const char *scree_sweeping_method_name(scree_sweeping_method method) {
    return method == SCREE_CATCHING_UP ? "catching-up" : "lazy";
}

const scree_sweeping_state *scree_sweeping_state_of(const scree_sweeping *sweeping) {
    return &sweeping->state;
}

// ---- sets at one moment

typedef struct moment {  // what one of them is made of
    scree_sweeping *s;
    int number;  // of the set, from 1
    double t;
    scree_error *err;
} moment;

static scree_status value_of(const moment *m, const scree_function *f, const char *what,
                             double *value, double *rate) {
    *value = scree_function_at(f, m->t, rate);
    if (isfinite(*value) && (m->s->state.method == SCREE_CATCHING_UP || isfinite(*rate)))
        return SCREE_OK;
    bool wrong_rate = isfinite(*value);
    return scree_fail(m->err, SCREE_BAD_INPUT, nowhere, "set %d: %s%s is %g at t = %.9g", m->number,
                      wrong_rate ? "the rate of " : "", what, wrong_rate ? *rate : *value, m->t);
}

static scree_status values_of(const moment *m, const scree_function *f, const char *what,
                              double *value, double *rate) {
    scree_status status = SCREE_OK;
    for (int k = 0; k < m->s->state.dimension && !status; k++)
        status = value_of(m, &f[k], what, &value[k], &rate[k]);
    return status;
}

// the next row, scaled to unit length; its rates are scaled with it
static scree_status finish_row(const moment *m) {
    scree_convex_set *at = &m->s->at;
    set_rates *rates = &m->s->rates;
    int i = at->rows, n = at->dimension;
    double size = 0;
    for (int k = 0; k < n; k++) size = hypot(size, at->row[i][k]);
    if (!(size > 0) || !isfinite(size))
        return scree_fail(m->err, SCREE_BAD_INPUT, nowhere,
                          "set %d: the normal has the length %g at t = %.9g", m->number, size,
                          m->t);
    for (int k = 0; k < n; k++) {
        at->row[i][k] /= size;
        rates->row[i][k] /= size;
    }
    at->bound[i] /= size;
    rates->bound[i] /= size;
    at->rows++;
    return SCREE_OK;
}

static scree_status place_bounds(const moment *m, const scree_function *f, int side) {
    scree_convex_set *at = &m->s->at;
    set_rates *rates = &m->s->rates;
    scree_status status = SCREE_OK;
    for (int k = 0; k < at->dimension && f && !status; k++) {
        int i = at->rows;
        double value = 0, rate = 0;
        status = value_of(m, &f[k], side > 0 ? "high" : "low", &value, &rate);
        memset(at->row[i], 0, sizeof at->row[i]);
        memset(rates->row[i], 0, sizeof rates->row[i]);
        at->row[i][k] = side;
        at->bound[i] = side * value;
        rates->bound[i] = side * rate;
        at->rows++;
    }
    return status;
}

static scree_status place_half_space(const moment *m, const scree_moving_set *set) {
    scree_convex_set *at = &m->s->at;
    set_rates *rates = &m->s->rates;
    int i = at->rows;
    scree_status status = values_of(m, set->normal, "the normal", at->row[i], rates->row[i]);
    if (!status) status = value_of(m, &set->offset, "offset", &at->bound[i], &rates->bound[i]);
    return status ? status : finish_row(m);
}

static scree_status place_ball(const moment *m, const scree_moving_set *set) {
    scree_convex_set *at = &m->s->at;
    set_rates *rates = &m->s->rates;
    int j = at->balls++;
    scree_status status = values_of(m, set->centre, "the centre", at->centre[j], rates->centre[j]);
    if (!status) status = value_of(m, &set->radius, "radius", &at->radius[j], &rates->radius[j]);
    if (!status && !(at->radius[j] > 0))
        status = scree_fail(m->err, SCREE_BAD_INPUT, nowhere,
                            "set %d: the radius must stay positive, it is %g at t = %.9g",
                            m->number, at->radius[j], m->t);
    return status;
}

static scree_status place_polyhedron(const moment *m, const scree_moving_set *set) {
    scree_convex_set *at = &m->s->at;
    set_rates *rates = &m->s->rates;
    scree_status status = SCREE_OK;
    for (int i = 0; i < set->rows && !status; i++) {
        int to = at->rows, n = at->dimension;
        memcpy(at->row[to], set->row + (long)i * n, (size_t)n * sizeof(double));
        memset(rates->row[to], 0, sizeof rates->row[to]);
        status = value_of(m, &set->offsets[i], "an offset", &at->bound[to], &rates->bound[to]);
        if (!status) status = finish_row(m);
    }
    return status;
}

static scree_status place_set(const moment *m, const scree_moving_set *set) {
    scree_status status;
    switch (set->kind) {
        case SCREE_SET_INTERVAL:
            status = place_bounds(m, set->low, -1);
            return status ? status : place_bounds(m, set->high, 1);
        case SCREE_SET_HALF_SPACE:
            return place_half_space(m, set);
        case SCREE_SET_BALL:
            return place_ball(m, set);
        case SCREE_SET_POLYHEDRON:
            return place_polyhedron(m, set);
    }
    return SCREE_BAD_INPUT;
}

// C(t) and how it moves
static scree_status place(scree_sweeping *s, double t, scree_error *err) {
    s->at.rows = s->at.balls = 0;
    scree_status status = SCREE_OK;
    for (int i = 0; i < s->state.sets && !status; i++) {
        moment m = { s, i + 1, t, err };
        status = place_set(&m, &s->set[i]);
    }
    return status;
}

// Moreau (6)
scree_status scree_sweeping_project(scree_sweeping *s, double t, const double *x, double *nearest,
                                    scree_error *err) {
    s->state.empty = false;
    scree_status status = place(s, t, err);
    if (status) return status;
    switch (scree_convex_set_project(&s->at, x, nearest)) {
        case SCREE_PROJECTED:
            return SCREE_OK;
        case SCREE_PROJECTED_NOWHERE:
            s->state.empty = true;
            return scree_fail(err, SCREE_UNCONVERGED, nowhere,
                              "the set is empty at t = %.9g: its parts have no point in common", t);
        default:
            return scree_fail(err, SCREE_UNCONVERGED, nowhere,
                              "no nearest point of the set was found at t = %.9g: its parts hardly "
                              "have a point in common",
                              t);
    }
}

// ---- steps

// add v . normal <= most where the point is on the boundary or beyond
static void allow(scree_convex_set *gamma, double f, double size, const double *normal,
                  double most) {
    int n = gamma->dimension;
    if (f < -8 * DBL_EPSILON * size) return;
    memcpy(gamma->row[gamma->rows], normal, (size_t)n * sizeof *normal);
    gamma->bound[gamma->rows++] = most;
}

// Gamma(t, x) of Moreau (3); balls are at most as many as there is room for beside the rows
static void allow_velocities(scree_sweeping *s) {
    const scree_convex_set *at = &s->at;
    const set_rates *rates = &s->rates;
    int n = at->dimension;
    const double *x = s->x;
    s->gamma.dimension = n;
    s->gamma.rows = s->gamma.balls = 0;
    double reach = sqrt(scree_dense_dot(x, x, n));
    for (int i = 0; i < at->rows; i++)
        allow(&s->gamma, scree_dense_dot(at->row[i], x, n) - at->bound[i],
              reach + fabs(at->bound[i]), at->row[i],
              rates->bound[i] - scree_dense_dot(rates->row[i], x, n));
    for (int j = 0; j < at->balls; j++) {
        double normal[N], away = 0;
        for (int k = 0; k < n; k++) away = hypot(away, x[k] - at->centre[j][k]);
        for (int k = 0; k < n && away > 0; k++) normal[k] = (x[k] - at->centre[j][k]) / away;
        double centre = sqrt(scree_dense_dot(at->centre[j], at->centre[j], n));
        if (away > 0)
            allow(&s->gamma, away - at->radius[j], reach + centre + at->radius[j], normal,
                  scree_dense_dot(normal, rates->centre[j], n) + rates->radius[j]);
    }
}

// Moreau (4), the element of least length, by an explicit step
static scree_status lazy(scree_sweeping *s, double *next, scree_error *err) {
    const double rest[N] = { 0 };
    double v[N], t = s->state.time;
    scree_status status = place(s, t, err);
    if (status) return status;
    allow_velocities(s);
    if (scree_convex_set_project(&s->gamma, rest, v) != SCREE_PROJECTED)
        return scree_fail(err, SCREE_UNCONVERGED, nowhere,
                          "no velocity keeps the point in the set at t = %.9g: its parts close in "
                          "from all sides",
                          t);
    for (int k = 0; k < s->state.dimension; k++) next[k] = s->x[k] + s->h * v[k];
    return SCREE_OK;
}

scree_status scree_sweeping_step(scree_sweeping *s, scree_error *err) {
    double next[N], t = (double)(s->state.step + 1) * s->h;
    size_t size = (size_t)s->state.dimension * sizeof *next;
    scree_status status = s->state.method == SCREE_LAZY
                              ? lazy(s, next, err)
                              : scree_sweeping_project(s, t, s->x, next, err);
    // the explicit method must be told how far it is off
    if (!status && s->state.method == SCREE_LAZY) status = place(s, t, err);
    if (status) return status;
    memcpy(s->before, s->x, size);
    memcpy(s->x, next, size);
    s->state.step++;
    s->state.time = t;
    s->state.outside = scree_convex_set_outside(&s->at, s->x);
    return SCREE_OK;
}

scree_status scree_sweeping_restore(scree_sweeping *s, int64_t step, const double *x,
                                    scree_error *err) {
    scree_status status = place(s, (double)step * s->h, err);
    if (status) return status;
    memcpy(s->x, x, (size_t)s->state.dimension * sizeof *x);
    memcpy(s->before, s->x, sizeof s->before);
    s->state.step = step;
    s->state.time = (double)step * s->h;
    s->state.outside = scree_convex_set_outside(&s->at, s->x);
    return SCREE_OK;
}

// ---- the start

static scree_status refuse(scree_error *err, const char *what, double value) {
    return scree_fail(err, SCREE_BAD_INPUT, nowhere, "%s, got %g", what, value);
}

static scree_status check(int dimension, const scree_moving_set *set, int sets, double step,
                          scree_error *err) {
    if (dimension < 1 || dimension > SCREE_SET_DIMENSION)
        return refuse(err, "the point has 1 to 16 coordinates", dimension);
    if (sets < 1) return refuse(err, "there must be a set", sets);
    if (!(step > 0 && isfinite(step))) return refuse(err, "the step must be positive", step);
    double rows = 0, balls = 0;
    for (int i = 0; i < sets; i++) {
        if (set[i].kind == SCREE_SET_INTERVAL)
            rows += dimension * ((set[i].low != NULL) + (set[i].high != NULL));
        rows += set[i].kind == SCREE_SET_HALF_SPACE;
        if (set[i].kind == SCREE_SET_POLYHEDRON) rows += set[i].rows;
        balls += set[i].kind == SCREE_SET_BALL;
    }
    if (balls > SCREE_SET_BALLS) return refuse(err, "there may be at most 16 balls", balls);
    // in the velocities a ball is a half-space too
    return rows + balls > SCREE_SET_ROWS
               ? refuse(err, "there may be at most 128 half-spaces and balls", rows + balls)
               : SCREE_OK;
}

// an array of one's own; NULL stays NULL
static const void *copy(scree_arena *arena, const void *array, size_t count, size_t size,
                        bool *fine) {
    void *own = array ? scree_arena_alloc(arena, count, size) : NULL;
    if (own) memcpy(own, array, count * size);
    *fine = *fine && (own || !array);
    return own;
}

static bool copy_sets(scree_sweeping *s, const scree_moving_set *set) {
    size_t n = (size_t)s->state.dimension, one = sizeof(scree_function);
    s->set = SCREE_NEW(&s->arena, scree_moving_set, s->state.sets);
    bool fine = s->set;
    for (int i = 0; i < s->state.sets && fine; i++) {
        scree_moving_set *to = &s->set[i];
        *to = set[i];
        size_t rows = to->kind == SCREE_SET_POLYHEDRON ? (size_t)to->rows : 0;
        to->low = copy(&s->arena, set[i].low, n, one, &fine);
        to->high = copy(&s->arena, set[i].high, n, one, &fine);
        to->normal = copy(&s->arena, set[i].normal, n, one, &fine);
        to->centre = copy(&s->arena, set[i].centre, n, one, &fine);
        to->row = copy(&s->arena, set[i].row, rows, n * sizeof(double), &fine);
        to->offsets = copy(&s->arena, set[i].offsets, rows, one, &fine);
    }
    return fine;
}

// x_0 must be in C(0), to rounding
static scree_status check_start(scree_sweeping *s, scree_error *err) {
    double nearest[N], away = 0, size = 1;
    for (int k = 0; k < s->state.dimension; k++)
        if (!isfinite(s->x[k])) return refuse(err, "the start must be finite", s->x[k]);
    scree_status status = scree_sweeping_project(s, 0, s->x, nearest, err);
    // no step was refused: the scene has no set to begin with
    if (status == SCREE_UNCONVERGED) status = SCREE_BAD_INPUT;
    if (status && err) err->status = status;
    if (status) return status;
    for (int k = 0; k < s->state.dimension; k++) {
        away = hypot(away, nearest[k] - s->x[k]);
        size = fmax(size, fabs(s->x[k]));
    }
    if (away > 1e-12 * size)
        return scree_fail(err, SCREE_BAD_INPUT, nowhere,
                          "the start lies outside of the set, by %.9g", away);
    s->state.outside = scree_convex_set_outside(&s->at, s->x);
    return SCREE_OK;
}

scree_status scree_sweeping_new(int dimension, const scree_moving_set *set, int sets,
                                scree_sweeping_method method, double step, const double *start,
                                scree_sweeping **sweeping, scree_error *err) {
    *sweeping = NULL;
    scree_status status = check(dimension, set, sets, step, err);
    if (status) return status;
    scree_sweeping *s = calloc(1, sizeof *s);
    if (!s) return scree_fail_memory(err, NULL);
    s->state = (scree_sweeping_state){
        .dimension = dimension, .sets = sets, .method = method, .x = s->x, .before = s->before
    };
    s->h = step;
    s->at.dimension = dimension;
    memcpy(s->x, start, (size_t)dimension * sizeof *start);
    memcpy(s->before, s->x, sizeof s->x);
    status = copy_sets(s, set) ? check_start(s, err) : scree_fail_memory(err, NULL);
    if (status)
        scree_sweeping_free(s);
    else
        *sweeping = s;
    return status;
}

void scree_sweeping_free(scree_sweeping *sweeping) {
    if (!sweeping) return;
    scree_arena_free(&sweeping->arena);
    free(sweeping);
}
