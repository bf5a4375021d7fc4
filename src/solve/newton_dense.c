// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// newton_dense.c - a few contacts: one sweep for the statuses, then Newton, all of it on the stack.
// in: task with a guess.   out: p and report, if solved.   work: W and a matrix in dense blocks.
//
// The equations and statuses are newton_contact.h's. Solved for the next p instead of a step, each
// row is an equation of the law, with the statuses and the direction of slip as they are now:
//
//     open     p = 0                                            drops out of the system
//     closed   (W p + b)_N = 0
//     stick    (W p + b)_T = 0
//     slip     along t:   t.p_T - mu p_N = 0
//              across e:  G e.(W p + b)_T + (1-G) A_T e.p_T = 0
//
// s = W p + b + eps D (p - centre), for W may be singular: a proximal point as in newton.c, with
// its rules for eps, except that the first attempt is made with almost none. Most problems need no
// other. What is not solved within some steps is left to others, who begin anew.
//
// A planar contact gets a second tangent along which nothing happens, so that there is one code for
// both: blocks of three rows, each padded to four numbers, one vector register. Sets of contacts
// are bits of a number.

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/clones.h"
#include "solve/newton.h"
#include "solve/newton_contact.h"
#include "solve/unique.h"

enum {
    MOST = 64,          // contacts, as many as a set has bits
    ON_THE_STACK = 12,  // contacts whose matrices need not be drawn from the arena
    ORDERED_FROM = 13,  // contacts; the order of fewer does not matter
    LOCAL_STEPS = 2,    // of Newton towards the slip of one contact
    INNER_STEPS = 12,   // of Newton on all, for one proximal point
    IDLE_STEPS = 3,     // of these without a clear gain: Newton has run into a cycle
    SWEEPS = 3,         // before the first step, if there are more than those on the stack
    STEPS = 1800,       // altogether, over the number of contacts: others are better with many
    STEPS_LEAST = 30,
    LIMIT_FROM = 1000  // closer limits of iterations are for those who count them
};
static const double eps_most = 1;
static const double near = 1e-2;  // to the slip, which Newton on all makes exact
static const double regular =
    1e5;  // inverse pivots below it, times D, are those of a regular matrix

typedef scree_four four;
typedef four block[3];
typedef uint64_t set;  // of contacts

typedef struct contact {
    four *own;              // W_ii
    double mu, D;           // D = trace(W_ii) / d
    double A_N, A_T;        // mobilities: their inverses are the steps of the natural maps
    double over_N, over_T;  // 1 / A_N, 1 / A_T
    scree_slip slip;
} contact;

typedef struct newton {
    scree_solver_context *context;
    const scree_problem *problem;
    int nc;
    int order[MOST], place[MOST];  // contacts in the order of elimination; the inverse
    set closed;                    // contacts that bear
    set factored, slipping;        // of the matrix: closed contacts, those of them that slip
    set neighbours[MOST];          // columns of each row of W
    set packed[MOST];              // those whose blocks are in W by now
    set pattern[MOST];             // columns of each row of the matrix, fill included
    contact contacts[MOST];
    four b[MOST], p[MOST];
    four centre[MOST], settled[MOST];  // of the proximal term; last proximal point
    four x[MOST];                      // right side, then solution
    block pivot[MOST];
    int first[MOST], last[MOST], *column;  // of W, whose blocks stand where the problem has them
    block *W;
    block *row;  // the matrix (nc x nc); what is not in the pattern is not set
    scree_proximal proximal;
    double miss, way;  // of the equations; from the centre: energies
    bool promising;    // may the judge be content?
    bool apart;        // no two bearing contacts act on each other: the first sweep was all
    int steps;         // of Newton, so far
} newton;

static bool can(const scree_problem *problem, const scree_solver_options *options) {
    return problem->contacts <= MOST && problem->dimension <= 3 && !problem->mu_second &&
           !problem->cohesion && !problem->equality && options->max_sweeps >= LIMIT_FROM;
}

SCREE_INLINE set only(int i) { return (set)1 << i; }
SCREE_INLINE bool has(set of, int i) { return of >> i & 1; }
SCREE_INLINE int lowest(set of) { return __builtin_ctzll(of); }
SCREE_INLINE int highest(set of) { return 63 - __builtin_clzll(of); }
SCREE_INLINE set before(int i) { return only(i) - 1; }
SCREE_INLINE set behind(int i) { return ~(only(i) | before(i)); }

// y = (sums of the rows of A), whose fourth column is zero
SCREE_INLINE void add_up(const block A, four *y) {
    four none = { 0 };
    four one = __builtin_shufflevector(A[0], A[1], 0, 4, 2, 6) +
               __builtin_shufflevector(A[0], A[1], 1, 5, 3, 7);
    four other = __builtin_shufflevector(A[2], none, 0, 4, 2, 6) +
                 __builtin_shufflevector(A[2], none, 1, 5, 3, 7);
    *y = __builtin_shufflevector(one, other, 0, 1, 4, 5) +
         __builtin_shufflevector(one, other, 2, 3, 6, 7);
}

SCREE_INLINE void pack_block(const double *W, int d, block packed) {
    packed[0] = (four){ W[0], W[1], d == 3 ? W[2] : 0, 0 };
    packed[1] = (four){ W[d], W[d + 1], d == 3 ? W[5] : 0, 0 };
    packed[2] = d == 3 ? (four){ W[6], W[7], W[8], 0 } : (four){ 0 };
}

// the neighbours of every contact by number, both ways
SCREE_INLINE void find_neighbours(const scree_problem *problem, set *of) {
    memset(of, 0, (size_t)problem->contacts * sizeof *of);
    for (int i = 0; i < problem->contacts; i++)
        for (int at = problem->row[i]; at < problem->row[i + 1]; at++) {
            of[i] |= only(problem->column[at]);
            of[problem->column[at]] |= only(i);
        }
}

// minimum degree: the contact with the fewest neighbours next, whose neighbours become each other's
SCREE_INLINE void put_in_order(newton *now) {
    int nc = now->nc;
    for (int k = 0; k < nc; k++) now->order[k] = now->place[k] = k;
    if (nc < ORDERED_FROM) return;
    set of[MOST], left = before(nc - 1) | only(nc - 1);
    find_neighbours(now->problem, of);
    for (int k = 0; k < nc; k++) {
        int best = 0, least = MOST + 1;
        for (set rest = left; rest; rest &= rest - 1) {
            int i = lowest(rest), degree = __builtin_popcountll(of[i] & left);
            if (degree < least) {
                best = i;
                least = degree;
            }
        }
        left &= ~only(best);
        for (set rest = of[best] & left; rest; rest &= rest - 1) of[lowest(rest)] |= of[best];
        now->order[k] = best;
        now->place[best] = k;
    }
}

SCREE_INLINE void pack_at(newton *now, int i, int at, int d) {
    pack_block(now->problem->block + (size_t)at * (size_t)(d * d), d, now->W[at]);
    now->packed[i] |= only(now->column[at]);
}

SCREE_INLINE void pack_own(newton *now, int i, int d) {
    pack_at(now, i, now->problem->diagonal[now->order[i]], d);
    if (d == 2) now->contacts[i].own[2][2] = now->contacts[i].own[1][1];
}

// false if a contact lacks mobility
SCREE_INLINE bool begin(newton *now, int d) {
    const scree_problem *problem = now->problem;
    for (int i = 0; i < now->nc; i++) {
        contact *one = &now->contacts[i];
        int from = now->order[i], at = problem->diagonal[from];
        const double *b = problem->b + (size_t)(from * d),
                     *p = now->context->p + (size_t)(from * d),
                     *W = problem->block + (size_t)at * (size_t)(d * d);
        now->b[i] = (four){ b[0], b[1], d == 3 ? b[2] : 0, 0 };
        now->p[i] = (four){ p[0], p[1], d == 3 ? p[2] : 0, 0 };
        if (p[0] != 0 || p[1] != 0 || p[d - 1] != 0) now->closed |= only(i);
        double across = d == 3 ? (W[5] + W[7]) / 2 : 0, T = W[d + 1];
        double square = T * W[d * d - 1] - across * across;
        if (!(W[0] > 0 && T > 0 && square > 0)) return false;
        now->first[i] = problem->row[from];
        now->last[i] = problem->row[from + 1];
        now->packed[i] = 0;
        one->own = now->W[at];
        one->mu = problem->mu[from];
        one->A_N = W[0];
        one->over_N = 1 / one->A_N;
        one->A_T = square;  // for a moment
    }
    return true;
}

SCREE_INLINE void pack_rest(newton *now, int d) {
    for (int i = 0; i < now->nc; i++) {
        for (int at = now->first[i]; at < now->last[i]; at++)
            if (!has(now->packed[i], now->column[at])) pack_at(now, i, at, d);
        pack_own(now, i, d);
    }
}

// what a sweep does without
SCREE_INLINE void find_mobilities(newton *now, int d) {
    for (int i = 0; i < now->nc; i++) {
        contact *one = &now->contacts[i];
        const four *W = one->own;
        one->D = (W[0][0] + W[1][1] + (d == 3 ? W[2][2] : 0)) / d;
        one->A_T = sqrt(one->A_T);  // between the two eigenvalues, which can lie far apart
        one->over_T = 1 / one->A_T;
    }
}

// y = b_i + the sum of W_ij p_j over the contacts that bear
SCREE_INLINE void gather(const newton *now, int i, set bearing, four *y) {
    block sum = { 0 };
    four total = { 0 };
    for (int at = now->first[i]; at < now->last[i]; at++) {
        int j = now->column[at];
        if (!has(bearing, j)) continue;
        for (int r = 0; r < 3; r++) sum[r] += now->W[at][r] * now->p[j];
    }
    add_up(sum, &total);
    *y = now->b[i] + total;
}

// p_T into the disc, unless it is there to rounding
SCREE_INLINE void project_tangent(four *p, double radius) {
    double square = (*p)[1] * (*p)[1] + (*p)[2] * (*p)[2];
    if (!(square > (1 + 8 * DBL_EPSILON) * radius * radius)) return;
    double shrink = radius / sqrt(square);
    *p *= (four){ 1, shrink, shrink, 0 };
}

typedef enum outcome { LEAVES, BEARS, EXACTLY } outcome;

// p along the slip direction of (p0, p1), with s_N = 0 and on the cone
SCREE_INLINE bool slide(const contact *one, const block W, double qN, double p0, double p1,
                        four *p) {
    double scale = one->mu / sqrt(p0 * p0 + p1 * p1);
    double slope = one->A_N + scale * (W[0][1] * p0 + W[0][2] * p1), pN = -qN / slope;
    *p = (four){ pN, scale * pN * p0, scale * pN * p1, 0 };
    return slope > 0;
}

// One contact alone, W p + q with q_N < 0, much as local.c does it, but with few steps to the slip
// and W as it is: a start for Newton.
SCREE_INLINE outcome solve_alone(const contact *one, const block W, const four *q, four *p) {
    double mu = one->mu, over = one->over_N, qN = (*q)[0], WN1 = W[0][1], WN2 = W[0][2];
    double first = W[1][0] * over, second = W[2][0] * over;
    double S00 = W[1][1] - first * WN1, S01 = W[1][2] - first * WN2;
    double S10 = W[2][1] - second * WN1, S11 = W[2][2] - second * WN2;
    double c0 = (*q)[1] - first * qN, c1 = (*q)[2] - second * qN, alpha = 0, p0, p1;
    if (mu == 0 || (c0 == 0 && c1 == 0)) {
        *p = (four){ -qN * over, 0, 0, 0 };
        return EXACTLY;
    }
    // does the direction of slip not depend on alpha?
    bool straight = S01 == 0 && S10 == 0 && (c1 == 0 || S00 == S11);
    for (int k = 0;; k++) {
        double a = S00 + alpha, d = S11 + alpha, inverse = 1 / (a * d - S01 * S10);
        p0 = (S01 * c1 - d * c0) * inverse;
        p1 = (S10 * c0 - a * c1) * inverse;
        double pN = -(qN + WN1 * p0 + WN2 * p1) * over, radius = mu * pN;
        double square = p0 * p0 + p1 * p1;
        if (k == 0 && radius > 0 && square <= radius * radius) {
            *p = (four){ pN, p0, p1, 0 };
            return EXACTLY;
        }
        if (k == LOCAL_STEPS || straight) break;
        if (!(radius > 0)) {  // what would be enough if the tangents did not act on the normal
            alpha = k ? 10 * alpha : sqrt(c0 * c0 + c1 * c1) / (mu * -qN * over);
            continue;
        }
        double length = sqrt(square);
        if (fabs(length - radius) <= near * length) break;
        double rate0 = (S01 * p1 - d * p0) * inverse, rate1 = (S10 * p0 - a * p1) * inverse;
        double along = p0 * rate0 + p1 * rate1, rate = -(WN1 * rate0 + WN2 * rate1) * over;
        double slope = mu * rate * square * length - along * radius * radius;
        double next = alpha + (length - radius) * radius * square / slope;
        alpha = next > 0.1 * alpha ? next : 0.1 * alpha;
    }
    if (!slide(one, W, qN, p0, p1, p)) return LEAVES;
    return straight ? EXACTLY : BEARS;
}

// the same with the blocks that it takes, which nobody has packed yet
SCREE_INLINE void gather_first(newton *now, int i, int d, four *y) {
    block sum = { 0 };
    four total = { 0 };
    now->neighbours[i] = 0;
    for (int at = now->first[i]; at < now->last[i]; at++) {
        int j = now->place[now->problem->column[at]];
        now->column[at] = j;
        now->neighbours[i] |= only(j);
        if (!has(now->closed, j)) continue;
        pack_at(now, i, at, d);
        for (int r = 0; r < 3; r++) sum[r] += now->W[at][r] * now->p[j];
    }
    if (now->packed[i]) add_up(sum, &total);
    *y = now->b[i] + total;
}

// Each contact once, the others held, for the first time or again. Returns whether this may have
// been all: bearing contacts solved exactly, no two of them in touch.
SCREE_INLINE bool sweep(newton *now, bool again, int d) {
    bool all = true;
    for (int k = 0; k < now->nc; k++) {
        int i = now->place[k];
        four q;
        outcome how = LEAVES;
        now->closed &= ~only(i);
        if (again)
            gather(now, i, now->closed, &q);
        else
            gather_first(now, i, d, &q);
        if (q[0] < 0) {
            if (!again) pack_own(now, i, d);
            how = solve_alone(&now->contacts[i], now->contacts[i].own, &q, &now->p[i]);
        }
        if (how == LEAVES) {
            now->p[i] = (four){ 0 };
            continue;
        }
        all = all && how == EXACTLY && !(now->neighbours[i] & now->closed);
        now->closed |= only(i);
    }
    return all;
}

// status of every contact at p, and how far the equations are from being solved
SCREE_INLINE void assess(newton *now) {
    const scree_solver_context *context = now->context;
    double natural = 0, energy = 0, way = 0;
    set bearing = now->closed;
    now->closed = 0;
    for (int i = 0; i < now->nc; i++) {
        contact *one = &now->contacts[i];
        four p = now->p[i], from = p - now->centre[i], s, miss;
        gather(now, i, bearing, &s);
        s += now->proximal.eps * one->D * from;
        double x = p[0] - s[0] * one->over_N;
        if (x > 0) {
            double y0 = p[1] - s[1] * one->over_T, y1 = p[2] - s[2] * one->over_T;
            now->closed |= only(i);
            scree_slip slip = scree_slip_of(one->mu, one->mu * x, y0, y1);
            one->slip.slips = slip.slips;  // one by one: a copy would wait for its parts
            one->slip.t[0] = slip.t[0];
            one->slip.t[1] = slip.t[1];
            one->slip.G = slip.G;
            miss = (four){ p[0] - x, p[1] - slip.G * y0, p[2] - slip.G * y1, 0 };
        } else {
            miss = p;
        }
        double sum = miss[0] * miss[0] + miss[1] * miss[1] + miss[2] * miss[2];
        double stretch = one->A_T > one->A_N ? one->A_T : one->A_N;
        natural += stretch > 1 ? stretch * stretch * sum : sum;
        energy += one->D * sum;
        way += one->D * (from[0] * from[0] + from[1] * from[1] + from[2] * from[2]);
    }
    double tolerance = context->options->tolerance, size = tolerance * context->scales.natural;
    now->miss = energy;
    now->way = way;
    now->promising =
        (context->options->criterion == SCREE_CRITERION_SCALED || natural <= size * size) &&
        (context->options->criterion == SCREE_CRITERION_NATURAL ||
         energy <= tolerance * tolerance * context->scales.energy);
}

// equations of the closed contact i
SCREE_INLINE void fill_stick(newton *now, int i) {
    double hold = now->proximal.eps * now->contacts[i].D;
    block *row = now->row + i * now->nc;
    for (int at = now->first[i]; at < now->last[i]; at++) {
        int j = now->column[at];
        for (int r = 0; r < 3; r++) row[j][r] = now->W[at][r];
    }
    row[i][0] += (four){ hold, 0, 0, 0 };
    row[i][1] += (four){ 0, hold, 0, 0 };
    row[i][2] += (four){ 0, 0, hold, 0 };
    now->x[i] = hold * now->centre[i] - now->b[i];
}

// the row along t comes only to the diagonal: it stays zero elsewhere
SCREE_INLINE void fill_slip(newton *now, int i) {
    const contact *one = &now->contacts[i];
    double hold = now->proximal.eps * one->D;
    scree_slip_rows slip = scree_slip_rows_of(&one->slip, one->mu, one->A_T, hold);
    block *row = now->row + i * now->nc;
    for (int at = now->first[i]; at < now->last[i]; at++) {
        int j = now->column[at];
        const four *W = now->W[at];
        row[j][0] = W[0];
        row[j][1] = (four){ 0 };
        row[j][2] = slip.across[0] * W[1] + slip.across[1] * W[2];
    }
    row[i][0] += (four){ hold, 0, 0, 0 };
    row[i][1] = (four){ slip.along[0], slip.along[1], slip.along[2], 0 };
    row[i][2] += (four){ 0, slip.own[0], slip.own[1], 0 };
    four right = hold * now->centre[i] - now->b[i];
    now->x[i] = (four){ right[0], 0, slip.across[0] * right[1] + slip.across[1] * right[2], 0 };
}

// Row i without its entries before the diagonal; of its d rows only every `by`-th has any. The
// third row and column of a planar contact are zero but for the diagonal.
SCREE_INLINE void reduce(newton *now, int i, int by, int d) {
    block *row = now->row + i * now->nc, sum = { 0 };
    four total = { 0 };
    set left = now->pattern[i] & before(i);
    while (left) {
        int j = lowest(left);
        const block *above = now->row + j * now->nc;
        const four *pivot = now->pivot[j], *entry = row[j], x = now->x[j];
        set right = now->pattern[j] & behind(j), fresh = right & ~now->pattern[i];
        block L;
        for (int r = 0; r < d; r += by) {
            L[r] = entry[r][0] * pivot[0] + entry[r][1] * pivot[1];
            if (d == 3) L[r] += entry[r][2] * pivot[2];
            sum[r] += L[r] * x;
        }
        for (; fresh; fresh &= fresh - 1) memset(row[lowest(fresh)], 0, sizeof *row);
        now->pattern[i] |= right;
        for (; right; right &= right - 1) {
            int k = lowest(right);
            const four *U = above[k];
            for (int r = 0; r < d; r += by) {
                four taken = L[r][0] * U[0] + L[r][1] * U[1];
                if (d == 3) taken += L[r][2] * U[2];
                row[k][r] -= taken;
            }
        }
        left = now->pattern[i] & before(i) & behind(j);
    }
    add_up(sum, &total);
    now->x[i] -= total;
}

// false if it is singular; rows are put down whole, for they are soon read so
SCREE_INLINE bool invert(const block A, block inverse) {
    double of[12];
    if (!scree_block_invert((const double *)A, 3, of)) return false;
    for (int r = 0; r < 3; r++) inverse[r] = (four){ of[4 * r], of[4 * r + 1], of[4 * r + 2], 0 };
    return true;
}

// LU by rows without exchanges, the right side along with it
SCREE_INLINE bool eliminate(newton *now, int d) {
    now->factored = now->closed;
    now->slipping = 0;
    for (set rows = now->closed; rows; rows &= rows - 1) {
        int i = lowest(rows);
        now->pattern[i] = now->neighbours[i] & now->closed;
        if (now->contacts[i].slip.slips) {
            now->slipping |= only(i);
            fill_slip(now, i);
            reduce(now, i, 2, d);
        } else {
            fill_stick(now, i);
            reduce(now, i, 1, d);
        }
        if (!invert(now->row[i * (now->nc + 1)], now->pivot[i])) return false;
    }
    return true;
}

// And back, into p. In the first attempt so little holds p that it may as well do so where p is.
SCREE_INLINE void substitute(newton *now) {
    bool first = !(now->proximal.eps > SCREE_PROXIMAL_LEAST);
    for (int i = 0; i < now->nc; i++) {
        if (has(now->closed, i)) continue;
        now->p[i] = (four){ 0 };
        if (first) now->centre[i] = (four){ 0 };
    }
    for (set rows = now->closed; rows;) {
        int i = highest(rows);
        rows &= ~only(i);
        const block *row = now->row + i * now->nc;
        block sum = { 0 };
        four total = { 0 }, p = { 0 };
        for (set rest = now->pattern[i] & behind(i); rest; rest &= rest - 1) {
            int j = lowest(rest);
            for (int r = 0; r < 3; r++) sum[r] += row[j][r] * now->x[j];
        }
        add_up(sum, &total);
        for (int r = 0; r < 3; r++) sum[r] = now->pivot[i][r] * (now->x[i] - total);
        add_up(sum, &p);
        now->x[i] = now->p[i] = p;
        if (!first) continue;
        if (p[0] > 0) project_tangent(&now->p[i], now->contacts[i].mu * p[0]);
        now->centre[i] = now->p[i];
    }
}

// Is contact i, with its own velocity s, clearly what it was in the matrix, and the block of that
// regular? D is the size of what is in it.
static bool is_clear(const newton *now, int i, const double *s, double nothing) {
    const contact *one = &now->contacts[i];
    if (!has(now->closed, i)) return s[0] > nothing;
    double speed = s[1] * s[1] + (now->problem->dimension == 3 ? s[2] * s[2] : 0), most = 0;
    bool moves = speed > nothing * nothing || one->mu == 0;
    if (!(one->D * now->p[i][0] > nothing) || (one->slip.slips && !moves) ||
        one->slip.slips != has(now->slipping, i))
        return false;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            most = fabs(now->pivot[i][r][c]) > most ? fabs(now->pivot[i][r][c]) : most;
    return one->D * most < regular;
}

// Are the impulses the only ones with their statuses, by the matrix of the last step?
static bool is_unique(const newton *now, const double *s) {
    if (now->steps == 0 || now->factored != now->closed || now->proximal.eps > SCREE_PROXIMAL_LEAST)
        return false;
    double nothing = scree_unique_nothing(now->problem, now->context->options->tolerance);
    int d = now->problem->dimension;
    for (int i = 0; i < now->nc; i++)
        if (!is_clear(now, i, s + now->order[i] * d, nothing)) return false;
    return true;
}

// What unique.c would find out with a matrix of its own. Nothing can matter if no two bearing
// contacts act on each other and the rest is clearly open.
static void settle(const newton *now, const double *s) {
    scree_solver_context *context = now->context;
    bool open = now->apart;
    for (int i = 0; open && i < now->nc; i++)
        open = has(now->closed, i) || s[now->order[i] * now->problem->dimension] >
                                          SCREE_UNIQUE_NOTHING * context->scales.natural;
    if (is_unique(now, s)) context->report->unique = SCREE_UNIQUE;
    context->settled =
        open || context->report->unique == SCREE_UNIQUE || !scree_unique_matters(now->problem, s);
}

// p in the cones, as the caller sees it, if the judge is content
static bool finish(newton *now) {
    scree_solver_context *context = now->context;
    double p[3 * MOST], s[3 * MOST];
    int d = now->problem->dimension;
    for (int i = 0; i < now->nc; i++) {
        four inside = now->p[i][0] > 0 ? now->p[i] : (four){ 0 };
        project_tangent(&inside, now->contacts[i].mu * inside[0]);
        for (int k = 0; k < d; k++) p[now->order[i] * d + k] = inside[k];
    }
    scree_residual residual = scree_context_judge(context, p, s);
    if (!scree_context_solved_by(context, now->steps ? "contact-newton" : "nsgs", &residual))
        return false;
    memcpy(context->p, p, (size_t)(now->nc * d) * sizeof *p);
    settle(now, s);
    return true;
}

SCREE_INLINE void copy(const newton *now, const four *from, four *to) {
    memcpy(to, from, (size_t)now->nc * sizeof *to);
}

typedef enum verdict { SOLVED, SETTLED, REFUSED, ENOUGH } verdict;

// one proximal point, from the centre; *steps: what it took
SCREE_INLINE verdict find_point(newton *now, int *steps) {
    scree_report *report = now->context->report;
    double first = 0, least = 0;
    for (int idle = 0;; (*steps)++) {
        assess(now);
        if (now->promising && finish(now)) return SOLVED;
        if (*steps == 0) first = least = now->miss;
        if (*steps == 0 && !isfinite(first)) return ENOUGH;
        if (!(now->miss <= 1e12 * first)) return REFUSED;
        double eps =
            SCREE_PROXIMAL_SETTLED * SCREE_PROXIMAL_SETTLED * now->proximal.eps * now->proximal.eps;
        if (*steps && (now->promising || now->miss <= eps * now->way)) return SETTLED;
        if (*steps) idle = now->miss < 0.5 * least ? 0 : idle + 1;
        least = now->miss < least ? now->miss : least;
        if (*steps == INNER_STEPS || idle == IDLE_STEPS) return REFUSED;
        if (now->steps >= STEPS_LEAST && now->steps * now->nc >= STEPS) return ENOUGH;
        now->steps++;
        report->iterations++;
        report->factorizations++;
        if (!(now->problem->dimension == 2 ? eliminate(now, 2) : eliminate(now, 3))) return REFUSED;
        substitute(now);
    }
}

// The larger eigenvalue instead of a mean: statuses change less often, for better or worse
SCREE_INLINE void shorten_steps(newton *now) {
    for (int i = 0; i < now->nc; i++) {
        contact *one = &now->contacts[i];
        const four *W = one->own;
        one->A_T = scree_newton_mobility(W[1][1], W[1][2], W[2][1], W[2][2]);
        one->over_T = 1 / one->A_T;
    }
}

// a point was found: from here on
SCREE_INLINE void accept_point(newton *now, int steps) {
    copy(now, now->p, now->centre);
    copy(now, now->p, now->settled);
    scree_proximal_accept(&now->proximal, steps);
}

// it was thrown away: back to the last one; the first attempt was made with almost no proximal term
SCREE_INLINE void refuse_point(newton *now) {
    copy(now, now->settled, now->p);
    now->closed = ~(set)0;
    copy(now, now->settled, now->centre);
    if (now->proximal.eps > SCREE_PROXIMAL_LEAST) {
        scree_proximal_refuse(&now->proximal, eps_most);
    } else {
        shorten_steps(now);
        now->proximal = (scree_proximal){ 0.03, 0.7 };
    }
}

SCREE_VECTOR_CLONES
static bool iterate(newton *now) {
    put_in_order(now);
    bool planar = now->problem->dimension == 2;
    if (!(planar ? begin(now, 2) : begin(now, 3))) return false;
    now->context->report->iterations++;
    now->apart = planar ? sweep(now, false, 2) : sweep(now, false, 3);
    if (now->apart && finish(now)) return true;
    now->apart = false;
    if (planar)
        pack_rest(now, 2);
    else
        pack_rest(now, 3);
    find_mobilities(now, now->problem->dimension);
    for (int k = 1; now->nc > ON_THE_STACK && k < SWEEPS; k++)
        sweep(now, true, now->problem->dimension);
    copy(now, now->p, now->centre);
    copy(now, now->p, now->settled);
    now->proximal = (scree_proximal){ SCREE_PROXIMAL_LEAST, 0.1 };
    for (;;) {
        int steps = 0;
        switch (find_point(now, &steps)) {
            case SOLVED:
                return true;
            case SETTLED:
                accept_point(now, steps);
                break;
            case REFUSED:
                if (scree_context_late(now->context)) return false;
                refuse_point(now);
                break;
            case ENOUGH:
                return false;
        }
    }
}

bool scree_newton_dense_solve(scree_solver_context *context) {
    newton now;
    if (!can(context->problem, context->options)) return false;
    now.context = context;
    now.problem = context->problem;
    now.nc = context->problem->contacts;
    now.closed = 0;
    now.steps = 0;
    size_t blocks = (size_t)now.problem->row[now.nc], size = (size_t)now.nc * (size_t)now.nc;
    block W[ON_THE_STACK * ON_THE_STACK], row[ON_THE_STACK * ON_THE_STACK];
    int column[ON_THE_STACK * ON_THE_STACK];
    bool few = now.nc <= ON_THE_STACK;
    now.W = few ? W : (block *)SCREE_NEW(context->arena, block, blocks);
    now.row = few ? row : (block *)SCREE_NEW(context->arena, block, size);
    now.column = few ? column : SCREE_NEW(context->arena, int, blocks);
    if (!now.W || !now.row || !now.column) return false;
    return iterate(&now);
}
