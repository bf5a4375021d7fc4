// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// path.c - from cell to cell of statuses, one factorisation for each (Katzenelson's method in the
// plane; in space its smooth counterpart, with the events found by Newton).
// in: problem, centre, eps, an iterate.   out: p of the proximal point.   work: see path.h.
//
// The equations of a cell are those of newton_contact.h with its statuses held; their matrix is
// Newton's, J. With J dp = - dF/dtau the tangent is (dp, 1), and every functional l that should
// vanish beside F (a facet, tau itself, the plane across the tangent) costs no other matrix:
//
//     correction  J x = -F,   tau += t,  p += x + t dp,   t = -(l + l'(x)) / l'(dp, 1)
//
// Facets, all positive inside:  open s_N;  stick mu p_N - |p_T|;  slip -t.s_T, and p_N if every
// part slips. mu = 0 slips for ever, a joint sticks for ever.

#include "solve/path.h"

#include <float.h>

#include "solve/newton_rows.h"

struct scree_path {
    scree_newton_rows rows;  // p and s of the path
    scree_solver_context *context;
    scree_block_lu *lu;
    const double *centre;
    double tau, small;
    double *delta, *dp, *ds;  // dp, ds: tangent, by tau
    double *last;             // dp of the step before
    double *from_p, *from_s;  // where a step begins
    double *way_p, *way_s;    // a correction
    double from_tau;
    int changes, turns;
};

enum { CORRECTIONS = 12 };
static const double angle_most = 0.2;  // by which a direction of slip turns in one step
static const double shortest = 1e-6;   // share of the step before it is given up
static const double sharp = 1e-14;     // miss against the energy of the problem

typedef struct facet {
    int contact, part;  // part -1: the normal one
} facet;

static const facet nowhere = { -1, -1 };

scree_path *scree_path_new(scree_solver_context *context, scree_block_lu *lu) {
    scree_path *path = SCREE_NEW(context->arena, scree_path, 1);
    const scree_problem *problem = context->problem;
    size_t n = (size_t)problem->contacts * (size_t)problem->dimension;
    if (!path || problem->limit) return NULL;  // rows with limits have more statuses than it knows
    *path = (scree_path){ .rows = { .problem = problem, .W = problem->block },
                          .context = context,
                          .lu = lu,
                          .small = 1e-9 };
    double **vectors[] = { &path->delta,  &path->dp,    &path->ds,    &path->from_p,
                           &path->from_s, &path->way_p, &path->way_s, &path->last };
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
        if (!(*vectors[k] = SCREE_NEW(context->arena, double, n))) return NULL;
    bool ready =
        scree_newton_rows_prepare(&path->rows, true, context->arena) && scree_block_lu_allocate(lu);
    return ready ? path : NULL;
}

// ---- velocities and rows of a cell

// out = (W + eps D) x, and what else there is
static void multiply(const scree_path *path, const double *x, double *out) {
    const scree_problem *problem = path->rows.problem;
    int d = problem->dimension;
    scree_problem_velocity(problem, x, out);
    for (int i = 0; i < problem->contacts; i++)
        for (int k = i * d; k < (i + 1) * d; k++)
            out[k] += path->rows.eps * path->rows.of[i].D * x[k] - problem->b[k];
}

static void find_velocities(scree_path *path) {
    const scree_problem *problem = path->rows.problem;
    int d = problem->dimension;
    double *p = path->rows.p, *s = path->rows.s;
    scree_problem_velocity(problem, p, s);
    for (int i = 0; i < problem->contacts; i++)
        for (int k = i * d; k < (i + 1) * d; k++)
            s[k] += path->rows.eps * path->rows.of[i].D * (p[k] - path->centre[k]) +
                    path->tau * path->delta[k];
}

// directions of slip at (p, s); in the plane there are two, and the status says which
static void turn_slips(scree_path *path) {
    scree_newton_rows *rows = &path->rows;
    int d = rows->problem->dimension;
    if (d == 2) return;
    for (int i = 0; i < rows->problem->contacts; i++) {
        const double *p = rows->p + (size_t)i * (size_t)d, *s = rows->s + (size_t)i * (size_t)d;
        scree_newton_contact *one = &rows->of[i];
        for (int k = 0; rows->active[i] && !one->free && k < one->parts; k++) {
            scree_newton_part *part = &one->part[k];
            if (!part->slip.slips || !(part->mu > 0)) continue;
            double y0 = p[part->first] - s[part->first] * part->over_A;
            double y1 = p[part->first + 1] - s[part->first + 1] * part->over_A;
            double size = sqrt(y0 * y0 + y1 * y1);
            if (!(size > 0)) continue;
            part->slip.t[0] = y0 / size;
            part->slip.t[1] = y1 / size;
            part->slip.G = part->mu * p[0] / size;
        }
    }
}

// right side of the tangent into x
static void fill_tangent(const scree_path *path, double *x) {
    const scree_newton_rows *rows = &path->rows;
    int d = rows->problem->dimension;
    for (int i = 0; i < rows->problem->contacts; i++) {
        const scree_newton_contact *one = &rows->of[i];
        const double *delta = path->delta + (size_t)i * (size_t)d;
        double *right = x + (size_t)i * (size_t)d;
        for (int k = 0; k < d; k++) right[k] = rows->active[i] ? -delta[k] : 0;
        for (int k = 0; rows->active[i] && !one->free && k < one->parts; k++) {
            const scree_newton_part *part = &one->part[k];
            const scree_slip *slip = &part->slip;
            int at = part->first;
            if (!slip->slips) continue;
            right[at] = 0;
            if (part->width == 2)
                right[at + 1] = slip->G * (slip->t[1] * delta[at] - slip->t[0] * delta[at + 1]);
        }
    }
}

static double energy_of(const scree_path *path) {
    double sum = path->context->scales.energy;
    return sum > 0 ? sum : 1;
}

// |x|^2 of velocities or of impulses, against the energy of the problem
static double scaled_square(const scree_path *path, const double *x, bool velocity) {
    const scree_newton_rows *rows = &path->rows;
    int d = rows->problem->dimension;
    double sum = 0;
    for (int i = 0; i < rows->problem->contacts; i++) {
        double square = 0;
        for (int k = i * d; k < (i + 1) * d; k++) square += x[k] * x[k];
        sum += velocity ? square / rows->of[i].D : square * rows->of[i].D;
    }
    return sum / energy_of(path);
}

// F at (p, s) as the right side of Newton's step; returns its size
static double find_miss(scree_path *path) {
    turn_slips(path);
    scree_newton_rows_fill(&path->rows);
    return sqrt(scaled_square(path, path->rows.step, true));
}

static bool factorise(scree_path *path) {
    path->context->report->factorizations++;
    path->context->report->iterations++;
    turn_slips(path);
    scree_newton_rows_fill(&path->rows);
    return scree_block_lu_factor(path->lu, path->rows.jacobian, path->rows.active);
}

// ---- facets

static bool is_facet(const scree_path *path, facet f) {
    const scree_newton_contact *one = &path->rows.of[f.contact];
    if (one->free) return false;
    if (!path->rows.active[f.contact]) return f.part < 0;
    if (f.part >= 0) return one->part[f.part].mu > 0;
    for (int k = 0; k < one->parts; k++)
        if (!one->part[k].slip.slips) return false;
    return true;
}

static double norm_of(const double *x, int width) {
    return width == 1 ? fabs(x[0]) : sqrt(x[0] * x[0] + x[1] * x[1]);
}

static double dot_of(const double *x, const double *y, int width) {
    return x[0] * y[0] + (width == 2 ? x[1] * y[1] : 0);
}

static double facet_value(const scree_path *path, facet f) {
    size_t at = (size_t)f.contact * (size_t)path->rows.problem->dimension;
    const double *p = path->rows.p + at, *s = path->rows.s + at;
    if (f.part < 0) return path->rows.active[f.contact] ? p[0] : s[0];
    const scree_newton_part *part = &path->rows.of[f.contact].part[f.part];
    if (part->slip.slips) return -dot_of(part->slip.t, s + part->first, part->width);
    return part->mu * p[0] - norm_of(p + part->first, part->width);
}

// its change along (dp, ds)
static double facet_rate(const scree_path *path, facet f, const double *dp, const double *ds) {
    size_t at = (size_t)f.contact * (size_t)path->rows.problem->dimension;
    const double *p = path->rows.p + at;
    dp += at;
    ds += at;
    if (f.part < 0) return path->rows.active[f.contact] ? dp[0] : ds[0];
    const scree_newton_part *part = &path->rows.of[f.contact].part[f.part];
    int k = part->first;
    if (part->slip.slips) return -dot_of(part->slip.t, ds + k, part->width);
    double size = norm_of(p + k, part->width);
    return part->mu * dp[0] - (size > 0 ? dot_of(p + k, dp + k, part->width) / size : 0);
}

// how far along (dp, ds) the friction limit of a part that sticks is; `at_it`: there already
static double way_to_limit(const scree_path *path, facet f, double sign, bool at_it) {
    size_t at = (size_t)f.contact * (size_t)path->rows.problem->dimension;
    const scree_newton_part *part = &path->rows.of[f.contact].part[f.part];
    const double *p = path->rows.p + at, *dp = path->dp + at;
    const double *p_T = p + part->first, *dp_T = dp + part->first;
    double mu2 = part->mu * part->mu;
    double a = mu2 * dp[0] * dp[0] - dot_of(dp_T, dp_T, part->width);
    double b = sign * (mu2 * p[0] * dp[0] - dot_of(p_T, dp_T, part->width));
    double c = at_it ? 0 : fmax(mu2 * p[0] * p[0] - dot_of(p_T, p_T, part->width), 0);
    // a h^2 + 2 b h + c falls to 0
    if (at_it) return a < 0 && b > 0 ? -2 * b / a : HUGE_VAL;
    double root = b * b - a * c;
    if (root < 0) return HUGE_VAL;
    root = sqrt(root);
    if (b < 0) return c / (root - b);
    return a < 0 ? (b + root) / -a : HUGE_VAL;
}

static double way_to(const scree_path *path, facet f, double sign, bool skip) {
    bool active = path->rows.active[f.contact];
    if (active && f.part >= 0 && !path->rows.of[f.contact].part[f.part].slip.slips)
        return way_to_limit(path, f, sign, skip);
    if (skip) return HUGE_VAL;
    double rate = sign * facet_rate(path, f, path->dp, path->ds);
    return rate < 0 ? fmax(facet_value(path, f), 0) / -rate : HUGE_VAL;
}

// the first facet ahead
static facet find_facet(const scree_path *path, double sign, facet skip, double *way) {
    facet first = nowhere;
    *way = HUGE_VAL;
    for (int i = 0; i < path->rows.problem->contacts; i++)
        for (int k = -1; k < path->rows.of[i].parts; k++) {
            facet f = { i, k };
            if (!is_facet(path, f)) continue;
            double h = way_to(path, f, sign, i == skip.contact && k == skip.part);
            if (h < *way) {
                *way = h;
                first = f;
            }
        }
    return first;
}

static double sign_of(double x) { return x < 0 ? -1 : 1; }

// the contact goes to the neighbouring cell; returns the facet as it is seen from there
static facet cross(scree_path *path, facet f) {
    scree_newton_rows *rows = &path->rows;
    scree_newton_contact *one = &rows->of[f.contact];
    size_t at = (size_t)f.contact * (size_t)rows->problem->dimension;
    double *p = rows->p + at;
    const double *s = rows->s + at;
    path->changes++;
    if (f.part < 0) {
        bool opens = rows->active[f.contact];
        rows->active[f.contact] = !opens;
        for (int k = 0; k < rows->problem->dimension; k++) p[k] = 0;
        for (int k = 0; !opens && k < one->parts; k++) {
            scree_newton_part *part = &one->part[k];
            double size = norm_of(s + part->first, part->width);
            part->slip = (scree_slip){ .slips = true, .t = { 1, 0 } };
            for (int c = 0; size > 0 && c < part->width; c++)
                part->slip.t[c] = -s[part->first + c] / size;
        }
        return f;
    }
    scree_newton_part *part = &one->part[f.part];
    if (part->slip.slips) {
        part->slip = (scree_slip){ .G = 1 };
        return f;
    }
    double size = norm_of(p + part->first, part->width);
    part->slip = (scree_slip){ .slips = true, .t = { 1, 0 }, .G = 1 };
    for (int c = 0; size > 0 && c < part->width; c++) part->slip.t[c] = p[part->first + c] / size;
    return f;
}

// ---- one cell

// tangent (dp, 1), ds, with one refinement
static void find_tangent(scree_path *path) {
    const scree_problem *problem = path->rows.problem;
    size_t n = (size_t)problem->contacts * (size_t)problem->dimension;
    fill_tangent(path, path->dp);
    scree_block_lu_solve(path->lu, path->dp);
    multiply(path, path->dp, path->ds);
    for (size_t k = 0; k < n; k++) path->ds[k] += path->delta[k];
}

// what should vanish beside F
typedef struct target {
    facet f;
    bool end;  // tau; neither: the plane across the tangent
    double sign;
} target;

static double plane_product(const scree_path *path, const double *x, double t) {
    const scree_newton_rows *rows = &path->rows;
    int d = rows->problem->dimension;
    double sum = 0;
    for (int i = 0; i < rows->problem->contacts; i++)
        for (int k = i * d; k < (i + 1) * d; k++) sum += rows->of[i].D * path->dp[k] * x[k];
    return sum / energy_of(path) + t;
}

// x: correction of p at fixed tau, v: of s; returns that of tau
static double move_tau(const scree_path *path, const target *to, const double *x, const double *v) {
    if (to->end) return -path->tau;
    if (to->f.contact < 0) return -plane_product(path, x, 0) / plane_product(path, path->dp, 1);
    double rate = facet_rate(path, to->f, path->dp, path->ds);
    if (!(rate * rate > 0)) return 0;
    return -(facet_value(path, to->f) + facet_rate(path, to->f, x, v)) / rate;
}

// Newton with the matrix of the step's beginning; false if it does not settle
static bool correct(scree_path *path, const target *to) {
    const scree_problem *problem = path->rows.problem;
    size_t n = (size_t)problem->contacts * (size_t)problem->dimension;
    double last = HUGE_VAL;
    for (int pass = 0; pass < CORRECTIONS; pass++) {
        find_velocities(path);
        double miss = find_miss(path);
        if (!(miss < 1e3)) return false;
        bool met = to->f.contact < 0 || pass > 0;
        if (met && (miss <= sharp || (pass > 1 && miss > 0.5 * last && miss < 1e-12))) return true;
        if (pass > 1 && miss > 0.7 * last) return false;
        last = miss;
        memcpy(path->way_p, path->rows.step, n * sizeof *path->way_p);
        scree_block_lu_solve(path->lu, path->way_p);
        multiply(path, path->way_p, path->way_s);
        double t = move_tau(path, to, path->way_p, path->way_s);
        for (size_t k = 0; k < n; k++) path->rows.p[k] += path->way_p[k] + t * path->dp[k];
        path->tau += t;
    }
    return false;
}

// by how much tau may change so that no direction of slip turns by more than a little
static double way_of_turning(const scree_path *path) {
    const scree_newton_rows *rows = &path->rows;
    int d = rows->problem->dimension;
    double fastest = 0;
    if (d == 2) return HUGE_VAL;
    for (int i = 0; i < rows->problem->contacts; i++) {
        const scree_newton_contact *one = &rows->of[i];
        size_t at = (size_t)i * (size_t)d;
        for (int k = 0; rows->active[i] && !one->free && k < one->parts; k++) {
            const scree_newton_part *part = &one->part[k];
            if (!part->slip.slips || !(part->mu > 0)) continue;
            const double *t = part->slip.t;
            size_t j = at + (size_t)part->first;
            double y0 = rows->p[j] - rows->s[j] * part->over_A;
            double y1 = rows->p[j + 1] - rows->s[j + 1] * part->over_A;
            double dy0 = path->dp[j] - path->ds[j] * part->over_A;
            double dy1 = path->dp[j + 1] - path->ds[j + 1] * part->over_A;
            fastest = fmax(fastest, fabs(t[0] * dy1 - t[1] * dy0) / (t[0] * y0 + t[1] * y1));
        }
    }
    return fastest > 0 ? angle_most / fastest : HUGE_VAL;
}

// are all facets but this one still ahead?
static bool is_inside(const scree_path *path, facet but) {
    double size = sqrt(energy_of(path)), fine = fmax(1e-10, 3e-15 / path->rows.eps);
    for (int i = 0; i < path->rows.problem->contacts; i++) {
        const scree_newton_contact *one = &path->rows.of[i];
        double root = sqrt(one->D);
        for (int k = -1; k < one->parts; k++) {
            facet f = { i, k };
            if (!is_facet(path, f) || (i == but.contact && k == but.part)) continue;
            bool velocity = k < 0 ? !path->rows.active[i] : one->part[k].slip.slips;
            double least = velocity ? -1e-13 * size * root : -fine * size / root;
            if (!(facet_value(path, f) >= least)) return false;
        }
    }
    return true;
}

static void step_from(scree_path *path, double h) {
    size_t n = (size_t)path->rows.problem->contacts * (size_t)path->rows.problem->dimension;
    for (size_t k = 0; k < n; k++) {
        path->rows.p[k] = path->from_p[k] + h * path->dp[k];
        path->rows.s[k] = path->from_s[k] + h * path->ds[k];
    }
    path->tau = path->from_tau + h;
}

// One step in the cell, to its first facet, to the end, or as far as is safe. Returns what was
// reached; false: nothing was.
static bool advance(scree_path *path, double sign, facet skip, target *reached) {
    const scree_problem *problem = path->rows.problem;
    size_t n = (size_t)problem->contacts * (size_t)problem->dimension;
    bool planar = problem->dimension == 2;
    memcpy(path->from_p, path->rows.p, n * sizeof *path->from_p);
    memcpy(path->from_s, path->rows.s, n * sizeof *path->from_s);
    path->from_tau = path->tau;
    double to_facet, to_end = sign < 0 ? path->tau : HUGE_VAL, safe = way_of_turning(path);
    facet first = find_facet(path, sign, skip, &to_facet);
    for (double share = 1; share > shortest; share /= 4) {
        double h = fmin(fmin(to_facet, to_end), safe * share);
        if (!(h < HUGE_VAL)) return false;
        *reached = (target){ .f = nowhere, .sign = sign };
        if (h == to_end)
            reached->end = true;
        else if (h == to_facet)
            reached->f = first;
        step_from(path, sign * h);
        if (planar) {
            find_velocities(path);
            return true;
        }
        if (correct(path, reached) && is_inside(path, reached->f)) return true;
        step_from(path, 0);
        turn_slips(path);
        safe = fmin(safe, h / share);
    }
    return false;
}

// ---- the path

// where the path begins: within the cells of the iterate's statuses, so little that it hardly
// matters and differently for each contact, so that no two facets are met at once
static void begin(scree_path *path) {
    scree_newton_rows *rows = &path->rows;
    const scree_problem *problem = rows->problem;
    int d = problem->dimension;
    double size = sqrt(energy_of(path)) * path->small;
    unsigned seed = 1;
    path->tau = 0;
    find_velocities(path);
    scree_newton_rows_assess(rows, rows->p, rows->s);
    memcpy(path->from_s, rows->s, (size_t)problem->contacts * (size_t)d * sizeof *rows->s);
    for (int i = 0; i < problem->contacts; i++) {
        scree_newton_contact *one = &rows->of[i];
        double *p = rows->p + (size_t)i * (size_t)d, *s = path->from_s + (size_t)i * (size_t)d;
        seed = seed * 1664525u + 1013904223u;
        double e = size * (1 + seed / 4294967296.0);
        double e_p = e / sqrt(one->D), e_s = e * sqrt(one->D);
        if (!rows->active[i]) {
            for (int k = 0; k < d; k++) p[k] = 0;
            s[0] = fmax(s[0], e_s);
            continue;
        }
        if (one->free) {
            for (int k = 0; k < d; k++) s[k] = 0;
            continue;
        }
        p[0] = fmax(p[0], e_p);
        s[0] = 0;
        for (int k = 0; k < one->parts; k++) {
            scree_newton_part *part = &one->part[k];
            double *p_T = p + part->first, *s_T = s + part->first;
            double limit = part->mu * p[0], length = norm_of(p_T, part->width);
            if (part->slip.slips) {
                double v = fmax(-dot_of(part->slip.t, s_T, part->width), e_s);
                for (int c = 0; c < part->width; c++) {
                    if (part->mu > 0) s_T[c] = -v * part->slip.t[c];
                    p_T[c] = limit * part->slip.t[c];
                }
                continue;
            }
            limit -= fmin(e_p, 0.1 * limit);
            for (int c = 0; c < part->width; c++) {
                s_T[c] = 0;
                if (length > limit) p_T[c] *= limit / length;
            }
        }
    }
}

static void find_delta(scree_path *path) {
    size_t n = (size_t)path->rows.problem->contacts * (size_t)path->rows.problem->dimension;
    find_velocities(path);
    for (size_t k = 0; k < n; k++) path->delta[k] = path->from_s[k] - path->rows.s[k];
    path->tau = 1;
    find_velocities(path);
}

// Of the matrix of a cell, such that it is 1 where all stick and does not change where two cells
// meet without a fold: rows along t have the sign of t in the plane.
static double orientation(const scree_path *path) {
    const scree_newton_rows *rows = &path->rows;
    double sign = scree_block_lu_sign(path->lu);
    if (rows->problem->dimension != 2) return sign;
    for (int i = 0; i < rows->problem->contacts; i++)
        if (rows->active[i] && !rows->of[i].free && rows->of[i].part[0].slip.slips)
            sign *= rows->of[i].part[0].slip.t[0];
    return sign;
}

// which way: into the cell from the facet that was crossed, otherwise on as before
static double direction(const scree_path *path, facet crossed, double last_sign) {
    if (crossed.contact >= 0) return sign_of(facet_rate(path, crossed, path->dp, path->ds));
    return last_sign * sign_of(plane_product(path, path->last, 1));
}

static void polish(scree_path *path) {
    size_t n = (size_t)path->rows.problem->contacts * (size_t)path->rows.problem->dimension;
    for (int k = 0; k < 2; k++) {
        find_miss(path);
        scree_block_lu_solve(path->lu, path->rows.step);
        for (size_t j = 0; j < n; j++) path->rows.p[j] += path->rows.step[j];
        find_velocities(path);
    }
}

bool scree_path_follow(scree_path *path, const double *centre, double eps, int most, double *p) {
    size_t n = (size_t)path->rows.problem->contacts * (size_t)path->rows.problem->dimension;
    facet crossed = nowhere;
    double sign = -1;
    target reached;
    path->centre = centre;
    path->rows.eps = eps;
    path->changes = path->turns = 0;
    memcpy(path->rows.p, p, n * sizeof *p);
    begin(path);
    find_delta(path);
    for (int k = 0; k < most; k++) {
        if (scree_context_late(path->context) || !factorise(path)) return false;
        polish(path);
        find_tangent(path);
        if (k == 0) {  // down where the orientation is that of the end
            memcpy(path->last, path->dp, n * sizeof *path->last);
            sign = -orientation(path);
        }
        double now = direction(path, crossed, sign);
        path->turns += now != sign;
        sign = now;
        memcpy(path->last, path->dp, n * sizeof *path->last);
        if (!advance(path, sign, crossed, &reached)) return false;
        if (reached.end) {
            polish(path);
            memcpy(p, path->rows.p, n * sizeof *p);
            return true;
        }
        crossed = reached.f.contact >= 0 ? cross(path, reached.f) : nowhere;
    }
    return false;
}

int scree_path_changes(const scree_path *path) { return path->changes; }
