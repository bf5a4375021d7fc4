// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// residual.c - the one judge: how far p is from solving the contact problem.
//
//     z_i(rho) = p_i - P_K( p_i - rho (s_i + mu |s_T,i| n) )          natural map of contact i
//     natural  = |z(1)| / (1 + |b|)                                   the convention of the field
//     scaled^2 = sum D_i |z_i(1/D_i)|^2 / sum |b_i|^2 / D_i           D_i = trace(W_ii) / d
//
// To the sum above the line of the second, eps^2 sum D_i |p_i|^2 is added, which rounding of p does
// to it: impulses so large that p - s/D is p again would otherwise look like a solution.
//
// That rounding is known apart: where bodies differ much in mass it is above every tolerance, and
// what is left within a small multiple of it is as good as an answer in double precision can be.
//
// So is what cohesion c brings: impulses are found as p + c, and eps c is lost, which is all there
// is of b where bodies that stick together come to rest.
//
// The first has a floor, 16 eps |p| / (1 + |b|): below it there is nothing but the rounding of p.
// It matters where the units make impulses huge.
//
// What z_i = z_i(1/D_i) explains of the works of contact i. With y = P_K(p - (s + mu |s_T| n)/D) =
// p - z and v = s/D + mu |s_T| n/D - z, which is in the dual cone and across from y:
//
//     p_T . s_T <= |z| (D |p_T| + |s_T|)                            since y_T . v_T <= 0
//     p_N s_N   <= |z| (D (1 + mu^2)^1/2 (p_N + |z|) + |s_N|)       since y_N v_N <= mu y_N |v_T|
//
// For equations it is sum p.s <= (sum D |z|^2)^1/2 (sum D |p|^2)^1/2, by Cauchy's inequality.
//
// Both sums of the second are energies: it does not change with the units, nor with the mass of a
// contact's bodies. Sums run in the order of contacts, so the value is the same in every run.

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "law/bodies.h"
#include "law/cone.h"
#include "solve/residual.h"

// both residuals at once: the lanes are rho = 1 and rho = 1/D
#define LANES 2
#include "solve/simd_lanes.h"
typedef lanes real;
#include "solve/natural_map.h"

double scree_residual_max(scree_residual residual) { return scree_residual_worse(residual); }

// What may be left where rounding is above `from`. Beyond 1e-8 it is no excuse, and below 1e-13 it
// is that of any problem: a tolerance that small is asked for in earnest.
static double rounding_limit(double rounding, double from) {
    return rounding > fmax(from, 1e-13) ? fmin(16 * rounding, 1e-8) : 0;
}

bool scree_residual_is_rounding(scree_residual residual, double tolerance, double from) {
    double floor = residual.natural_floor;
    double natural = rounding_limit(residual.natural_rounding, fmax(from, floor));
    double scaled = fmax(rounding_limit(residual.rounding, from), 64 * residual.pull_rounding);
    return residual.natural <= fmax(fmax(natural, floor), tolerance) &&
           residual.scaled <= fmax(scaled, tolerance);
}

bool scree_residual_meets(scree_residual residual, double tolerance) {
    return scree_residual_max(residual) <= tolerance ||
           scree_residual_is_rounding(residual, tolerance, tolerance / 16);
}

// rows first .. last of W p + b, with d known when compiling
static inline __attribute__((always_inline)) void velocity_rows(const scree_problem *problem,
                                                                const double *p, double *s,
                                                                int first, int last, int d) {
    for (int i = first; i < last; i++) {
        double sum[SCREE_CONE_MAX] = { 0 };
        for (int at = problem->row[i]; at < problem->row[i + 1]; at++) {
            const double *W = problem->block + (size_t)at * (size_t)(d * d);
            const double *pj = p + (size_t)problem->column[at] * (size_t)d;
            for (int r = 0; r < d; r++)
                for (int c = 0; c < d; c++) sum[r] += W[r * d + c] * pj[c];
        }
        for (int r = 0; r < d; r++) s[i * d + r] = sum[r] + problem->b[i * d + r];
    }
}

static void velocity_range(const scree_problem *problem, const double *p, double *s, int first,
                           int last) {
    switch (problem->dimension) {
        case 2:
            velocity_rows(problem, p, s, first, last, 2);
            break;
        case 3:
            velocity_rows(problem, p, s, first, last, 3);
            break;
        default:
            velocity_rows(problem, p, s, first, last, problem->dimension);
    }
}

static bool velocity_by_bodies(const scree_problem *problem, const double *p, double *s) {
    scree_arena arena = { 0 };
    bool fine = scree_bodies_velocity(problem, p, s, &arena);
    for (int k = 0; !fine && k < problem->contacts * problem->dimension; k++) s[k] = NAN;
    scree_arena_free(&arena);
    return fine;
}

bool scree_problem_velocity(const scree_problem *problem, const double *p, double *s) {
    if (!problem->block && problem->bodies) return velocity_by_bodies(problem, p, s);
    velocity_range(problem, p, s, 0, problem->contacts);
    return true;
}

// Large problems are judged in pieces, whose sums are added up in their order: the value does not
// depend on how many threads there are.
enum { PIECES = 64, PIECES_FROM = 8192 };

static int pieces_of(const scree_problem *problem) {
    return problem->contacts < PIECES_FROM ? 1 : PIECES;
}

static int piece_begin(const scree_problem *problem, int piece) {
    return (int)((long)problem->contacts * piece / pieces_of(problem));
}

typedef struct judged {
    const scree_problem *problem;
    const double *p, *s;
    double *out;                // s, where it is asked for
    scree_residual_sums *part;  // (pieces)
} judged;

static void velocity_piece(void *with, int piece) {
    const judged *of = with;
    velocity_range(of->problem, of->p, of->out, piece_begin(of->problem, piece),
                   piece_begin(of->problem, piece + 1));
}

// s = W p + b, on threads for large problems
static void find_velocity(const scree_problem *problem, const double *p, double *s,
                          scree_thread_pool *pool) {
    judged of = { .problem = problem, .p = p, .out = s };
    if (pieces_of(problem) == 1)
        scree_problem_velocity(problem, p, s);
    else
        scree_parallel_for(pool, pieces_of(problem), velocity_piece, &of);
}

// |z_i(rho)|^2, zero where Acary & Collins-Craft (16) holds
static double natural_map(const scree_cone *cone, const double *p, const double *s, double rho) {
    double x[SCREE_CONE_MAX] = { 0 }, sum = 0;
    for (int k = 0; k < cone->d; k++) x[k] = p[k] - rho * s[k];
    x[0] -= rho * scree_cone_shift(cone, s);
    scree_cone_project(cone, x);
    for (int k = 0; k < cone->d; k++) sum += (p[k] - x[k]) * (p[k] - x[k]);
    return sum;
}

// D = trace(W_ii) / d; 1 where nothing moves, since any step will do
static inline __attribute__((always_inline)) double mobility(const scree_problem *problem, int i,
                                                             int d) {
    const double *W = problem->block + (size_t)problem->diagonal[i] * (size_t)(d * d);
    double sum = 0;
    for (int k = 0; k < d; k++) sum += W[k * d + k];
    return sum > 0 ? sum / d : 1;
}

typedef struct contact_view {  // one contact in variables in which its cone is one of law/cone.h
    scree_cone cone;
    double p[SCREE_CONE_MAX], s[SCREE_CONE_MAX], b[SCREE_CONE_MAX];
    double D;  // trace(W_ii) / d
} contact_view;

static void scale_rows(contact_view *view, int first, int last, double factor) {
    for (int k = first; k < last; k++) {
        view->p[k] /= factor;
        view->s[k] *= factor;
        view->b[k] *= factor;
    }
}

static contact_view view_contact(const scree_problem *problem, int i, const double *p,
                                 const double *s) {
    int d = problem->dimension;
    contact_view view = { .cone = scree_cone_of(problem, i), .D = mobility(problem, i, d) };
    size_t bytes = (size_t)d * sizeof *p, at = (size_t)i * (size_t)d;
    memcpy(view.p, p + at, bytes);
    memcpy(view.s, s + at, bytes);
    memcpy(view.b, problem->b + at, bytes);
    if (problem->cohesion) view.p[0] += problem->cohesion[i];
    if (problem->mu_second && view.cone.mu > 0)
        scale_rows(&view, 2, 3, problem->mu_second[i] / view.cone.mu);
    return view;
}

// The field measures the rolling rows as they were given; the scaled residual measures them times
// a length that makes them as mobile as the tangents.
static void unscale_rolling(const scree_problem *problem, int i, contact_view *view) {
    if (!problem->rolling_length) return;
    scale_rows(view, 3, 5, 1 / problem->rolling_length[i]);
    view->cone.mu_rolling *= problem->rolling_length[i];
}

double scree_problem_rolling_length(const scree_problem *problem, int i) {
    int d = problem->dimension;
    const double *W = problem->block + (size_t)problem->diagonal[i] * (size_t)(d * d);
    double slide = W[6] + W[12], roll = W[18] + W[24];
    return slide > 0 && roll > 0 ? sqrt(slide / roll) : 1;
}

static void balance_rolling(const scree_problem *problem, int i, contact_view *view) {
    const double *W = problem->block + (size_t)problem->diagonal[i] * 25;
    double length = scree_problem_rolling_length(problem, i);
    scale_rows(view, 3, 5, length);
    view->cone.mu_rolling /= length;
    view->D = (W[0] + W[6] + W[12] + length * length * (W[18] + W[24])) / 5;
    if (!(view->D > 0)) view->D = 1;
}

// A joint whose rows have limits is judged row by row, for these may be forces and moments.
typedef struct row_view {
    double p, s, D, limit;
} row_view;

static row_view view_row(const scree_problem *problem, int i, int k, const double *p,
                         const double *s, const double *limit) {
    int d = problem->dimension;
    size_t at = (size_t)i * (size_t)d + (size_t)k;
    double W =
        problem->block[(size_t)problem->diagonal[i] * (size_t)(d * d) + (size_t)(k * (d + 1))];
    return (row_view){ p[at], s[at], W > 0 ? W : 1, limit ? limit[k] : HUGE_VAL };
}

static double natural_row(const row_view *row, double rho) {
    double x = row->p - rho * row->s;
    x = row->p - fmin(fmax(x, -row->limit), row->limit);
    return x * x;
}

static bool has_rows(const scree_problem *problem, int i) {
    return problem->limit && problem->equality && problem->equality[i];
}

static void sum_rows(const scree_problem *problem, const double *p, const double *s, int i,
                     scree_residual_sums *sums) {
    double limit[SCREE_CONE_MAX];
    scree_cone_limits(problem, i, p, limit);
    for (int k = 0; k < problem->dimension; k++) {
        row_view row = view_row(problem, i, k, p, s, limit);
        sums->impulse += row.p * row.p;
        sums->rounding += row.D * row.p * row.p;
        sums->speed += row.D * row.D * row.p * row.p;
        sums->natural += natural_row(&row, 1);
        sums->energy += row.D * natural_row(&row, 1 / row.D);
    }
}

// contacts first .. last with whatever cone
static scree_residual_sums sum_any(const scree_problem *problem, const double *p, const double *s,
                                   int first, int last) {
    int d = problem->dimension;
    scree_residual_sums sums = { 0 };
    for (int i = first; i < last; i++) {
        if (has_rows(problem, i)) {
            sum_rows(problem, p, s, i, &sums);
            continue;
        }
        contact_view view = view_contact(problem, i, p, s), given = view;
        if (d == 5) {
            unscale_rolling(problem, i, &given);
            balance_rolling(problem, i, &view);
        }
        for (int k = 0; k < d; k++) {
            sums.impulse += given.p[k] * given.p[k];
            sums.rounding += view.D * view.p[k] * view.p[k];
            sums.speed += view.D * view.D * view.p[k] * view.p[k];
        }
        sums.natural += natural_map(&given.cone, given.p, given.s, 1);
        sums.energy += view.D * natural_map(&view.cone, view.p, view.s, 1 / view.D);
    }
    return sums;
}

// The natural map at p = 0 for s_N < 0, with rho = 1, which is but a factor here. On the surface of
// the cone the shift cancels.
static inline __attribute__((always_inline)) double miss_at_rest(const double *s, double mu,
                                                                 double tangential) {
    double inside = -s[0] - mu * tangential;
    if (tangential <= mu * inside) return inside * inside + tangential * tangential;
    return s[0] * s[0] / (1 + mu * mu);
}

// the same as sum_any, for plain Coulomb and with d known when compiling
static inline __attribute__((always_inline)) scree_residual_sums sum_coulomb(
    const scree_problem *problem, const double *p, const double *s, int first, int last, int d) {
    scree_residual_sums sums = { 0 };
    for (int i = first; i < last; i++) {
        const double *pi = p + (size_t)i * (size_t)d, *si = s + (size_t)i * (size_t)d;
        double mu = problem->mu[i], size = 0;
        for (int k = 0; k < d; k++) size += pi[k] * pi[k];
        if (size == 0 && si[0] >= 0) {                              // many contacts are open
            for (int k = 1; k < d; k++) sums.natural += 0 * si[k];  // NaN if that is not finite
            continue;
        }
        double tangential = d == 2 ? fabs(si[1]) : sqrt(si[1] * si[1] + si[2] * si[2]);
        double D = mobility(problem, i, d), shift = mu * tangential;
        if (size == 0) {
            double miss = miss_at_rest(si, mu, tangential);
            sums.natural += miss;
            sums.energy += miss / D;
            continue;
        }
        sums.impulse += size;
        sums.rounding += D * size;
        sums.speed += D * D * size;
        lanes pT[2], sT[2];
        for (int k = 1; k < d; k++) {
            pT[k - 1] = all(pi[k]);
            sT[k - 1] = all(si[k]);
        }
        lanes miss = scree_natural_map(all(pi[0]), all(si[0]), pT, sT, d - 1, all(mu), all(shift),
                                       (lanes){ 1, 1 / D });
        sums.natural += miss[0];
        sums.energy += D * miss[1];
    }
    return sums;
}

static bool is_plain(const scree_problem *problem) {
    return problem->dimension < 5 && !problem->mu_second && !problem->cohesion &&
           !problem->equality;
}

static scree_residual_sums sum_range(const scree_problem *problem, const double *p, const double *s,
                                     int first, int last) {
    bool plain = is_plain(problem);
    if (plain && problem->dimension == 2) return sum_coulomb(problem, p, s, first, last, 2);
    if (plain) return sum_coulomb(problem, p, s, first, last, 3);
    return sum_any(problem, p, s, first, last);
}

static void sum_piece(void *with, int piece) {
    const judged *of = with;
    of->part[piece] = sum_range(of->problem, of->p, of->s, piece_begin(of->problem, piece),
                                piece_begin(of->problem, piece + 1));
}

scree_residual_sums scree_residual_sum(const scree_problem *problem, const double *p,
                                       const double *s, scree_thread_pool *pool) {
    int pieces = pieces_of(problem);
    if (pieces == 1) return sum_range(problem, p, s, 0, problem->contacts);
    scree_residual_sums part[PIECES], sums = { 0 };
    judged of = { .problem = problem, .p = p, .s = s, .part = part };
    scree_parallel_for(pool, pieces, sum_piece, &of);
    for (int piece = 0; piece < pieces; piece++) scree_residual_sums_add(&sums, part[piece]);
    return sums;
}

// At p = 0 contacts that do not press have nothing to be judged. The natural map is s_N^2 / (1 +
// mu^2) at least, which any unit vector of the cone bounds, and the one of slip by this: a look
// without roots and divisions.
static inline __attribute__((always_inline)) bool rest_coulomb(const scree_problem *problem,
                                                               double most,
                                                               scree_residual_sums *sums, int d) {
    *sums = (scree_residual_sums){ 0 };
    double above = 2 * most * most;
    for (int i = 0; i < problem->contacts; i++) {
        const double *s = problem->b + (size_t)i * (size_t)d;
        if (s[0] >= 0) continue;
        double mu = problem->mu[i];
        if (s[0] * s[0] > above * (1 + mu * mu)) return false;
        double tangential = d == 2 ? fabs(s[1]) : sqrt(s[1] * s[1] + s[2] * s[2]);
        double miss = miss_at_rest(s, mu, tangential);
        sums->natural += miss;
        sums->energy += miss / mobility(problem, i, d);
    }
    return true;
}

bool scree_residual_at_rest(const scree_problem *problem, const double *zero, double most,
                            scree_thread_pool *pool, scree_residual_sums *sums) {
    bool plain = is_plain(problem);
    if (plain && !(problem->dimension == 2 ? rest_coulomb(problem, most, sums, 2)
                                           : rest_coulomb(problem, most, sums, 3)))
        return false;
    if (!plain || pieces_of(problem) > 1)
        *sums = scree_residual_sum(problem, zero, problem->b, pool);
    return sums->natural <= most * most;
}

scree_residual_sums scree_residual_sum_of(const scree_problem *problem, const double *p,
                                          const double *s, int contact) {
    return sum_range(problem, p, s, contact, contact + 1);
}

static scree_residual_scales scale_any(const scree_problem *problem) {
    int d = problem->dimension;
    double size = 0, energy = 0, pull = 0;
    for (int i = 0; i < problem->contacts; i++) {
        for (int k = 0; has_rows(problem, i) && k < d; k++) {
            row_view row = view_row(problem, i, k, problem->b, problem->b, NULL);
            size += row.s * row.s;
            energy += row.s * row.s / row.D;
        }
        if (has_rows(problem, i)) continue;
        contact_view view = view_contact(problem, i, problem->b, problem->b), given = view;
        if (d == 5) {
            unscale_rolling(problem, i, &given);
            balance_rolling(problem, i, &view);
        }
        for (int k = 0; k < d; k++) {
            size += given.b[k] * given.b[k];
            energy += view.b[k] * view.b[k] / view.D;
        }
        double c = problem->cohesion ? problem->cohesion[i] : 0;
        pull += view.D * c * c;
    }
    return (scree_residual_scales){ .natural = 1 + sqrt(size), .energy = energy, .pull = pull };
}

// cones that leave b as it is, with d known when compiling
static inline __attribute__((always_inline)) scree_residual_scales scale_plain(
    const scree_problem *problem, int d) {
    double size = 0, energy = 0, pull = 0;
    for (int i = 0; i < problem->contacts; i++) {
        const double *b = problem->b + (size_t)i * (size_t)d;
        double square = 0;
        for (int k = 0; k < d; k++) square += b[k] * b[k];
        size += square;
        double D = mobility(problem, i, d);
        energy += square / D;
        if (problem->cohesion) pull += D * problem->cohesion[i] * problem->cohesion[i];
    }
    return (scree_residual_scales){ .natural = 1 + sqrt(size), .energy = energy, .pull = pull };
}

scree_residual_scales scree_residual_scale(const scree_problem *problem) {
    if (problem->mu_second || problem->dimension == 5 || problem->limit) return scale_any(problem);
    return problem->dimension == 2 ? scale_plain(problem, 2) : scale_plain(problem, 3);
}

// b is finite if its length is
static inline __attribute__((always_inline)) bool look(const scree_problem *problem,
                                                       scree_residual_scales *scales, int d) {
    size_t entries = (size_t)problem->row[problem->contacts] * (size_t)(d * d);
    for (int i = 0; i < problem->contacts; i++)
        if (!(problem->mu[i] >= 0 && problem->mu[i] < HUGE_VAL)) return false;
    *scales = scale_plain(problem, d);
    return scales->natural < HUGE_VAL && scree_dense_finite(problem->block, entries);
}

bool scree_residual_look(const scree_problem *problem, scree_residual_scales *scales) {
    return problem->dimension == 2 ? look(problem, scales, 2) : look(problem, scales, 3);
}

// Roots of two numbers at a time; where nothing bears most of them are of nothing.
static inline __attribute__((always_inline)) scree_residual residual_of(
    scree_residual_sums sums, scree_residual_scales scales) {
    double energy = sums.energy + DBL_EPSILON * DBL_EPSILON * sums.rounding;
    double scaled = energy == 0 ? 0 : energy / scales.energy;
    lanes error = root((lanes){ sums.natural, scaled });
    scree_residual residual = { .natural = error[0] / scales.natural, .scaled = error[1] };
    if (scales.pull > 0) residual.pull_rounding = DBL_EPSILON * sqrt(scales.pull / scales.energy);
    if (sums.impulse == 0) return residual;
    lanes of_p = root((lanes){ sums.impulse, sums.impulse + sums.speed });
    lanes work = root((lanes){ energy, sums.rounding });
    residual.natural_floor = 16 * DBL_EPSILON * of_p[0] / scales.natural;
    residual.natural_rounding = DBL_EPSILON * of_p[1] / scales.natural;
    if (sums.rounding > 0) residual.rounding = DBL_EPSILON * sqrt(sums.rounding / scales.energy);
    residual.work = work[0] * work[1];
    return residual;
}

scree_residual scree_residual_of(scree_residual_sums sums, scree_residual_scales scales) {
    return residual_of(sums, scales);
}

// all at once, with nothing between the sums and what becomes of them
static inline __attribute__((always_inline)) scree_residual judge_coulomb(
    const scree_problem *problem, const double *p, double *s, scree_residual_scales scales, int d) {
    velocity_rows(problem, p, s, 0, problem->contacts, d);
    return residual_of(sum_coulomb(problem, p, s, 0, problem->contacts, d), scales);
}

scree_residual scree_residual_judge(const scree_problem *problem, const double *p, double *s,
                                    scree_residual_scales scales, scree_thread_pool *pool) {
    if (is_plain(problem) && problem->block && pieces_of(problem) == 1)
        return problem->dimension == 2 ? judge_coulomb(problem, p, s, scales, 2)
                                       : judge_coulomb(problem, p, s, scales, 3);
    find_velocity(problem, p, s, pool);
    return residual_of(scree_residual_sum(problem, p, s, pool), scales);
}

static scree_residual judge(const scree_problem *problem, const double *p, double *s) {
    scree_problem_velocity(problem, p, s);
    return scree_residual_of(scree_residual_sum(problem, p, s, NULL),
                             scree_residual_scale(problem));
}

// Of W the sums want the diagonal blocks only: the problem with these, or with those asked for
// (NULL: all).
static bool show_diagonal(const scree_problem *problem, const bool *asked, scree_problem *shown,
                          scree_arena *arena) {
    size_t dd = (size_t)(problem->dimension * problem->dimension);
    int count = 0, *diagonal = SCREE_NEW(arena, int, problem->contacts);
    for (int i = 0; diagonal && i < problem->contacts; i++)
        if (!asked || asked[i]) diagonal[i] = count++;
    double *W = diagonal ? SCREE_ROOM(arena, double, ((size_t)count * dd)) : NULL;
    if (!W || !scree_bodies_diagonal(problem, asked, W, arena)) return false;
    *shown = *problem;
    shown->diagonal = diagonal;
    shown->block = W;
    return true;
}

static scree_residual judge_by_bodies(const scree_problem *problem, const double *p, double *s) {
    scree_arena arena = { 0 };
    scree_residual residual = { .natural = NAN, .scaled = NAN };
    scree_problem shown;
    if (show_diagonal(problem, NULL, &shown, &arena) &&
        scree_bodies_velocity(problem, p, s, &arena))
        residual =
            scree_residual_of(scree_residual_sum(&shown, p, s, NULL), scree_residual_scale(&shown));
    scree_arena_free(&arena);
    return residual;
}

scree_residual scree_problem_residual(const scree_problem *problem, const double *p, double *s) {
    bool by_bodies = !problem->block && problem->bodies;
    return by_bodies ? judge_by_bodies(problem, p, s) : judge(problem, p, s);
}

// ---- works

static const double roundings = 64;  // of p and W p, in what is seen of z

static double explained_by_rows(const scree_problem *problem, const double *p, const double *s,
                                int i) {
    double limit[SCREE_CONE_MAX], sum = 0;
    scree_cone_limits(problem, i, p, limit);
    for (int k = 0; k < problem->dimension; k++) {
        row_view row = view_row(problem, i, k, p, s, limit);
        sum += sqrt(natural_row(&row, 1 / row.D)) * (row.D * fabs(row.p) + fabs(row.s));
    }
    return sum;
}

static double explained(const scree_problem *problem, const double *p, const double *s, int i) {
    if (has_rows(problem, i)) return explained_by_rows(problem, p, s, i);
    int d = problem->dimension;
    contact_view view = view_contact(problem, i, p, s);
    if (d == 5) balance_rolling(problem, i, &view);
    const scree_cone *cone = &view.cone;
    double z = sqrt(natural_map(cone, view.p, view.s, 1 / view.D)), p_T = 0, s_T = 0;
    for (int k = 1; k < d; k++) {
        p_T += view.p[k] * view.p[k];
        s_T += view.s[k] * view.s[k];
    }
    z += roundings * DBL_EPSILON * sqrt(view.p[0] * view.p[0] + p_T);
    double slope = sqrt(1 + cone->mu * cone->mu + cone->mu_rolling * cone->mu_rolling);
    double pull = problem->cohesion ? problem->cohesion[i] : 0;  // s_N >= -D slope z
    double normal = view.D * slope * (fabs(view.p[0]) + pull + z) + fabs(view.s[0]);
    return z * (normal + view.D * sqrt(p_T) + sqrt(s_T));
}

bool scree_residual_works(const scree_problem *problem, const double *p, const double *s,
                          const bool *asked, double *work) {
    scree_arena arena = { 0 };
    scree_problem shown = *problem;
    bool fine = problem->block || show_diagonal(problem, asked, &shown, &arena);
    for (int i = 0; fine && i < problem->contacts; i++)
        if (asked[i]) work[i] = explained(&shown, p, s, i);
    scree_arena_free(&arena);
    return fine;
}
