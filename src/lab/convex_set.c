// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// convex_set.c - the nearest point of a convex set.
// in: half-spaces and balls, a point x.   out: p with |p - x| least, or that there is none.
//
// Polyhedra: the dual method of Goldfarb and Idnani, which adds one broken row after the other and
// drops those that no longer press; p = x - A^T u on the active rows, of which Q R = A^T is kept.
// Balls: for multipliers mu >= 0 the Lagrangian is least at the projection onto the polyhedron of
//     y(mu) = (x + sum mu_j c_j) / (1 + sum mu_j),
// and the dual function g(mu) is concave with the gradient (|p - c_j|^2 - r_j^2) / 2. Its Newton
// step is again a projection onto a polyhedron: the balls replaced by their tangent half-spaces,
// which contain them. If those have no common point neither have the balls.

#include "lab/convex_set.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"

enum {
    N = SCREE_SET_DIMENSION,
    ROWS = SCREE_SET_ROWS + SCREE_SET_BALLS,
    CHANGES = 40 * ROWS,  // of the active rows; some dozen are usual
    NEWTON_STEPS = 200,
};

static const double dependent = 1e-11;  // sine of the angle below which a row adds nothing new
static const double thin = 1e-12;       // contradictions up to this, of the sizes, are rounding

typedef struct polyhedron {
    int n, rows;
    double a[ROWS][N], b[ROWS];
} polyhedron;

typedef struct active {  // rows that press, with Q R = A^T
    int count, row[N];
    double weight[N];   // u >= 0
    double q[N][N];     // q[k]: column k of Q
    double r[N][N];     // r[j][k]: upper triangle
    bool waived[ROWS];  // broken by rounding only, and not to be mended
} active;

static double length(const double *a, int n) { return sqrt(scree_dense_dot(a, a, n)); }

static double distance(const double *a, const double *b, int n) {
    double difference[N];
    for (int k = 0; k < n; k++) difference[k] = a[k] - b[k];
    return length(difference, n);
}

// what rounding makes of a . x - b
static double rounding(const double *a, double b, const double *x, int n) {
    double size = fabs(b);
    for (int k = 0; k < n; k++) size += fabs(a[k] * x[k]);
    return (n + 4) * DBL_EPSILON * size;
}

static double ball_rounding(const scree_convex_set *set, int j, const double *x) {
    double size = set->radius[j] + length(set->centre[j], set->dimension);
    return 8 * DBL_EPSILON * (size + length(x, set->dimension));
}

static double outside_ball(const scree_convex_set *set, int j, const double *x) {
    return distance(x, set->centre[j], set->dimension) - set->radius[j];
}

double scree_convex_set_outside(const scree_convex_set *set, const double *x) {
    double most = 0;
    for (int i = 0; i < set->rows; i++)
        most = fmax(most, scree_dense_dot(set->row[i], x, set->dimension) - set->bound[i]);
    for (int j = 0; j < set->balls; j++) most = fmax(most, outside_ball(set, j, x));
    return most;
}

static bool inside(const scree_convex_set *set, const double *x) {
    int n = set->dimension;
    for (int i = 0; i < set->rows; i++)
        if (scree_dense_dot(set->row[i], x, n) - set->bound[i] >
            rounding(set->row[i], set->bound[i], x, n))
            return false;
    for (int j = 0; j < set->balls; j++)
        if (outside_ball(set, j, x) > ball_rounding(set, j, x)) return false;
    return true;
}

// ---- polyhedra

// v without its part in the span of the active rows; d gets that part's coefficients on Q. Twice is
// enough to be orthogonal to rounding.
static void split(const active *w, int n, double *v, double *d) {
    memset(d, 0, N * sizeof *d);
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; k < w->count; k++) {
            double part = scree_dense_dot(w->q[k], v, n);
            d[k] += part;
            for (int i = 0; i < n; i++) v[i] -= part * w->q[k][i];
        }
}

static void append(const polyhedron *p, active *w, int row, double weight) {
    double v[N], d[N];
    int k = w->count;
    memcpy(v, p->a[row], sizeof v);
    split(w, p->n, v, d);
    double size = length(v, p->n);
    for (int j = 0; j < k; j++) w->r[j][k] = d[j];
    w->r[k][k] = size;
    for (int i = 0; i < p->n; i++) w->q[k][i] = v[i] / size;
    w->row[k] = row;
    w->weight[k] = weight;
    w->count++;
}

// small enough to be built again
static void drop(const polyhedron *p, active *w, int which) {
    active rest = { 0 };
    memcpy(rest.waived, w->waived, sizeof rest.waived);
    for (int k = 0; k < w->count; k++)
        if (k != which) append(p, &rest, w->row[k], w->weight[k]);
    *w = rest;
}

static void solve_upper(const active *w, double *d) {
    for (int k = w->count - 1; k >= 0; k--) {
        for (int j = k + 1; j < w->count; j++) d[k] -= w->r[k][j] * d[j];
        d[k] /= w->r[k][k];
    }
}

// x - Q R^-T (A x - b); adds the coefficients on Q to sum
static void onto_active(const polyhedron *p, const active *w, double *x, double *sum) {
    double d[N];
    for (int k = 0; k < w->count; k++) {
        d[k] = scree_dense_dot(p->a[w->row[k]], x, p->n) - p->b[w->row[k]];
        for (int j = 0; j < k; j++) d[k] -= w->r[j][k] * d[j];
        d[k] /= w->r[k][k];
    }
    for (int k = 0; k < w->count; k++) {
        sum[k] += d[k];
        for (int i = 0; i < p->n; i++) x[i] -= d[k] * w->q[k][i];
    }
}

// the point and the weights that belong to the active rows, with one step of refinement
static void settle(const polyhedron *p, const double *x, active *w, double *point) {
    double u[N] = { 0 };
    memcpy(point, x, (size_t)p->n * sizeof *point);
    onto_active(p, w, point, u);
    onto_active(p, w, point, u);
    solve_upper(w, u);
    for (int k = 0; k < w->count; k++) w->weight[k] = fmax(u[k], 0);
}

static int most_broken(const polyhedron *p, const active *w, const double *point) {
    int worst = -1;
    double most = 0;
    bool pressing[ROWS] = { false };
    for (int k = 0; k < w->count; k++) pressing[w->row[k]] = true;
    for (int i = 0; i < p->rows; i++) {
        double over = scree_dense_dot(p->a[i], point, p->n) - p->b[i];
        if (pressing[i] || w->waived[i] || over <= most) continue;
        if (over <= rounding(p->a[i], p->b[i], point, p->n)) continue;
        worst = i;
        most = over;
    }
    return worst;
}

// the active row that stops pressing first when row i gets weight, and how much that may get
static int first_to_leave(const active *w, const double *r, double *most) {
    int leaves = -1;
    *most = HUGE_VAL;
    for (int k = 0; k < w->count; k++)
        if (r[k] > 0 && w->weight[k] / r[k] < *most) {
            *most = w->weight[k] / r[k];
            leaves = k;
        }
    return leaves;
}

// bring row i into the active ones; false: it contradicts them
static bool take_in(const polyhedron *p, int i, active *w, double *point) {
    double weight = 0;
    for (;;) {
        double z[N], r[N], most;
        memcpy(z, p->a[i], sizeof z);
        split(w, p->n, z, r);
        solve_upper(w, r);
        double size = length(z, p->n);
        int leaves = first_to_leave(w, r, &most);
        double over = scree_dense_dot(p->a[i], point, p->n) - p->b[i];
        bool new = size > dependent;
        if (!new &&leaves < 0) return false;
        double needed = new ? over / (size * size) : HUGE_VAL, step = fmin(needed, most);
        for (int k = 0; k < p->n && new; k++) point[k] -= step * z[k];
        for (int k = 0; k < w->count; k++) w->weight[k] = fmax(w->weight[k] - step * r[k], 0);
        weight += step;
        if (needed <= most || leaves < 0) {
            append(p, w, i, weight);
            return true;
        }
        drop(p, w, leaves);
    }
}

static scree_projected project_polyhedron(const polyhedron *p, const double *x, double *point,
                                          active *w) {
    memset(w, 0, sizeof *w);
    memcpy(point, x, (size_t)p->n * sizeof *point);
    for (int change = 0; change < CHANGES; change++) {
        int i = most_broken(p, w, point);
        if (i < 0) return SCREE_PROJECTED;
        double size = fabs(p->b[i]) + length(point, p->n) + length(x, p->n);
        double over = scree_dense_dot(p->a[i], point, p->n) - p->b[i];
        if (!take_in(p, i, w, point)) {
            if (over > thin * size) return SCREE_PROJECTED_NOWHERE;
            w->waived[i] = true;
        }
        settle(p, x, w, point);
    }
    return SCREE_PROJECTED_UNKNOWN;
}

// ---- balls

typedef struct dual {
    double mu[SCREE_SET_BALLS];
    double sum;    // 1 + all of them
    double value;  // g
    double point[N];
} dual;

static void take_rows(const scree_convex_set *set, polyhedron *p) {
    p->n = set->dimension;
    p->rows = set->rows;
    memcpy(p->a, set->row, (size_t)set->rows * sizeof *set->row);
    memcpy(p->b, set->bound, (size_t)set->rows * sizeof *set->bound);
}

// (|p - c|^2 - r^2) / 2
static double excess(const scree_convex_set *set, int j, const double *point) {
    double away = distance(point, set->centre[j], set->dimension);
    return (away - set->radius[j]) * (away + set->radius[j]) / 2;
}

static scree_projected evaluate(const scree_convex_set *set, const polyhedron *p, const double *x,
                                dual *d) {
    double y[N];
    active w;
    d->sum = 1;
    for (int j = 0; j < set->balls; j++) d->sum += d->mu[j];
    for (int k = 0; k < p->n; k++) {
        y[k] = x[k];
        for (int j = 0; j < set->balls; j++) y[k] += d->mu[j] * (set->centre[j][k] - x[k]) / d->sum;
    }
    scree_projected found = project_polyhedron(p, y, d->point, &w);
    double away = distance(d->point, x, p->n);
    d->value = away * away / 2;
    for (int j = 0; j < set->balls; j++) d->value += d->mu[j] * excess(set, j, d->point);
    return found;
}

// how far the point breaks a ball, or hangs at one without touching it
static double error_of(const scree_convex_set *set, const dual *d, bool *rounded) {
    double most = 0;
    *rounded = true;
    for (int j = 0; j < set->balls; j++) {
        double over = outside_ball(set, j, d->point);
        if (d->mu[j] > 0) over = fabs(over);
        *rounded = *rounded && over <= ball_rounding(set, j, d->point);
        most = fmax(most, over);
    }
    return most;
}

// Newton's step for the multipliers, from the tangents at the point
static scree_projected newton(const scree_convex_set *set, const polyhedron *rows, const double *x,
                              const dual *d, double *mu) {
    polyhedron p = *rows;
    int of_ball[SCREE_SET_BALLS];
    double away[SCREE_SET_BALLS], target[N], point[N];
    active w;
    for (int j = 0; j < set->balls; j++) {
        away[j] = distance(d->point, set->centre[j], p.n);
        of_ball[j] = away[j] > 0 ? p.rows++ : -1;
        if (of_ball[j] < 0) continue;
        double *a = p.a[of_ball[j]];
        memset(a, 0, sizeof p.a[0]);
        for (int k = 0; k < p.n; k++) a[k] = (d->point[k] - set->centre[j][k]) / away[j];
        p.b[of_ball[j]] = scree_dense_dot(a, d->point, p.n) - excess(set, j, d->point) / away[j];
    }
    for (int k = 0; k < p.n; k++) target[k] = d->point[k] - (d->point[k] - x[k]) / d->sum;
    scree_projected found = project_polyhedron(&p, target, point, &w);
    for (int j = 0; j < set->balls; j++) {
        mu[j] = 0;
        for (int k = 0; k < w.count; k++)
            if (w.row[k] == of_ball[j]) mu[j] = d->sum * w.weight[k] / away[j];
    }
    return found;
}

// along the step as far as the dual function grows, or the balls are kept better
static bool search(const scree_convex_set *set, const polyhedron *p, const double *x,
                   const double *mu, dual *d) {
    bool rounded;
    double slope = 0, error = error_of(set, d, &rounded);
    for (int j = 0; j < set->balls; j++) slope += (mu[j] - d->mu[j]) * excess(set, j, d->point);
    dual next;
    for (double part = 1; part > 1e-9; part /= 2) {
        for (int j = 0; j < set->balls; j++) next.mu[j] = d->mu[j] + part * (mu[j] - d->mu[j]);
        if (evaluate(set, p, x, &next) != SCREE_PROJECTED) return false;
        bool grows = next.value >= d->value + 1e-4 * part * slope && next.value > d->value;
        if (grows || error_of(set, &next, &rounded) <= error / 2) {
            *d = next;
            return true;
        }
    }
    return false;
}

// a dual value above this proves that no point is in all balls
static double largest_half_square(const scree_convex_set *set, const double *x) {
    double least = HUGE_VAL;
    for (int j = 0; j < set->balls; j++)
        least = fmin(least, distance(x, set->centre[j], set->dimension) + set->radius[j]);
    return least * least / 2 * (1 + 1e-9);
}

static scree_projected project_balls(const scree_convex_set *set, const double *x, double *point) {
    polyhedron p;
    dual d = { 0 };
    double mu[SCREE_SET_BALLS], limit = largest_half_square(set, x), size = 0;
    take_rows(set, &p);
    scree_projected found = evaluate(set, &p, x, &d);
    bool rounded = false, polished = false;
    for (int step = 0; step < NEWTON_STEPS && found == SCREE_PROJECTED; step++) {
        error_of(set, &d, &rounded);
        // one step more than needed: a process adds up what is left
        if (rounded && polished) break;
        polished = rounded;
        if (d.value > limit) return SCREE_PROJECTED_NOWHERE;
        found = newton(set, &p, x, &d, mu);
        if (found == SCREE_PROJECTED && !search(set, &p, x, mu, &d)) break;
    }
    if (found != SCREE_PROJECTED) return found;
    for (int j = 0; j < set->balls; j++)
        size = fmax(size, length(set->centre[j], p.n) + set->radius[j]);
    memcpy(point, d.point, (size_t)p.n * sizeof *point);
    double error = error_of(set, &d, &rounded);
    return rounded || error <= thin * (size + length(x, p.n)) ? SCREE_PROJECTED
                                                              : SCREE_PROJECTED_UNKNOWN;
}

// ---- closed forms

static void onto_ball(const scree_convex_set *set, const double *x, double *point) {
    double away = distance(x, set->centre[0], set->dimension);
    for (int k = 0; k < set->dimension; k++)
        point[k] = set->centre[0][k] + set->radius[0] * ((x[k] - set->centre[0][k]) / away);
}

// the axis that a row is along, or -1
static int axis_of(const double *row, int n) {
    int axis = -1;
    for (int k = 0; k < n; k++)
        if (row[k] != 0) axis = fabs(row[k]) == 1 && axis < 0 ? k : N;
    return axis < N ? axis : -1;
}

static bool is_box(const scree_convex_set *set) {
    for (int i = 0; i < set->rows; i++)
        if (axis_of(set->row[i], set->dimension) < 0) return false;
    return !set->balls;
}

static scree_projected onto_box(const scree_convex_set *set, const double *x, double *point) {
    for (int k = 0; k < set->dimension; k++) {
        double low = -HUGE_VAL, high = HUGE_VAL;
        for (int i = 0; i < set->rows; i++) {
            if (set->row[i][k] > 0) high = fmin(high, set->bound[i]);
            if (set->row[i][k] < 0) low = fmax(low, -set->bound[i]);
        }
        if (low - high > thin * (fabs(low) + fabs(high))) return SCREE_PROJECTED_NOWHERE;
        point[k] = fmin(fmax(x[k], low), high);
    }
    return SCREE_PROJECTED;
}

static scree_projected project(const scree_convex_set *set, const double *x, double *nearest) {
    polyhedron p;
    active w;
    // a box first: it is exact, rounding or not
    if (is_box(set)) return onto_box(set, x, nearest);
    if (inside(set, x)) {
        memcpy(nearest, x, (size_t)set->dimension * sizeof *nearest);
        return SCREE_PROJECTED;
    }
    if (set->balls == 1 && !set->rows) {
        onto_ball(set, x, nearest);
        return SCREE_PROJECTED;
    }
    if (set->balls) return project_balls(set, x, nearest);
    take_rows(set, &p);
    return project_polyhedron(&p, x, nearest, &w);
}

scree_projected scree_convex_set_project(const scree_convex_set *set, const double *x,
                                         double *nearest) {
    scree_projected found = project(set, x, nearest);
    // numbers near the end of their range leave it on the way
    for (int k = 0; k < set->dimension && found == SCREE_PROJECTED; k++)
        if (!isfinite(nearest[k])) found = SCREE_PROJECTED_UNKNOWN;
    return found;
}
