// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// local.c - exact solution of the one-contact problem in 2D and 3D; rolling and equalities.
//
// Open if b_N >= 0. Otherwise s_N = 0; eliminating p_N with a = A_NN, g = A_TN leaves
//
//     s_T = S p_T + c,   S = A_TT - g g^T / a,   c = b_T - g b_N / a,   p_N = -(b_N + g . p_T) / a
//
// Stick: p_T = -S^-1 c if that lies in the cone. Slip: s_T = -alpha p_T with alpha > 0, so that
// p_T(alpha) = -(S + alpha I)^-1 c, and phi(alpha) = |p_T| - mu p_N has a root, because phi > 0 at
// 0 (stick was refused) and phi < 0 beyond |c| (a + mu |g|) / (mu |b_N|). Newton on
// 1/|p_T| - 1/(mu p_N), nearly linear in alpha, is kept inside that bracket. Of several roots (mu
// |g| / a large) a sweep stays with the one near its last alpha.
//
// In 3D an A that is not symmetric is solved with its symmetric part, the rest acting on the last
// impulse: exact when the impulse no longer changes.

#include "solve/local.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/dense.h"

static double length_of(double x, double y) { return sqrt(x * x + y * y); }

// a tangent along which nothing can move: stick needs no impulse if it is at rest already, and no
// impulse is enough if it is not
static double stick_without_mobility(double c, double size) {
    return fabs(c) <= 16 * DBL_EPSILON * size ? 0 : -copysign(HUGE_VAL, c);
}

static double rounding_of_mobility(const double *A) {
    return 8 * DBL_EPSILON * (fabs(A[4]) + fabs(A[8]));
}

static void solve_planar(const scree_local *local, const double *b, double *p) {
    const double *A = local->A;
    double mu = local->cone.mu, inverse = local->inverse;
    double a = A[0], g = A[2], S = A[3] - A[2] * A[1] * inverse, c = b[1] - g * b[0] * inverse;
    double stick = S > 4 * DBL_EPSILON * fabs(A[3])
                       ? -c / S
                       : stick_without_mobility(c, fabs(b[1]) + fabs(g * b[0] * inverse));
    double normal = -(b[0] + A[1] * stick) * inverse;
    if (isfinite(stick) && fabs(stick) <= mu * normal) {
        p[0] = normal;
        p[1] = stick;
        return;
    }
    // slip to either side; where rounding refuses both, the less wrong one
    double least = HUGE_VAL;
    for (int side = -1; side <= 1; side += 2) {
        double slope = a + side * mu * A[1];
        if (!(slope > 0)) continue;
        double slide = -b[0] / slope;
        double wrong = side * (g * slide + A[3] * side * mu * slide + b[1]);
        // for A positive definite one side is right, the one to which stick went. For other A, in
        // problems from elsewhere, both can be, and that side is taken as well.
        if (wrong <= 0) wrong = (stick > 0) == (side > 0) ? -1 : 0;
        if (!(wrong < least)) continue;
        least = wrong;
        p[0] = slide;
        p[1] = side * mu * slide;
    }
}

typedef struct slip {  // the slip equation along the eigenvectors of S, at one alpha
    double pT[2], pN;
    double length, along, pN_rate;  // |p_T|, p_T . dp_T/dalpha, dp_N/dalpha
} slip;

static inline slip slip_at(const scree_local *local, const double c[2], double bN, double alpha) {
    slip at = { 0 };
    double first = local->lambda[0] + alpha, second = local->lambda[1] + alpha;
    if (c[0] == 0) first = 1;  // nothing moves there, even without mobility
    if (c[1] == 0) second = 1;
    double inverse[2] = { 1 / first, 1 / second }, rate[2];
    for (int k = 0; k < 2; k++) {
        at.pT[k] = -c[k] * inverse[k];
        rate[k] = -at.pT[k] * inverse[k];
    }
    at.along = at.pT[0] * rate[0] + at.pT[1] * rate[1];
    at.length = length_of(at.pT[0], at.pT[1]);
    at.pN = -(bN + local->g[0] * at.pT[0] + local->g[1] * at.pT[1]) * local->inverse;
    at.pN_rate = -(local->g[0] * rate[0] + local->g[1] * rate[1]) * local->inverse;
    return at;
}

// where Newton on 1/|p_T| - 1/(mu p_N), cleared of fractions, goes from alpha; -1 if nowhere
static inline double slip_next(const slip *at, double mu, double alpha) {
    double L = at->length, muN = mu * at->pN;
    if (!(muN > 0 && L > 0)) return -1;
    double slope = mu * at->pN_rate * L * L * L - at->along * muN * muN;
    return alpha + (L - muN) * muN * L * L / slope;
}

static slip slip_root(scree_local *local, const double c[2], double bN) {
    double mu = local->cone.mu, a = local->A[0];
    double cc = length_of(c[0], c[1]), gg = length_of(local->g[0], local->g[1]);
    double low = 0, high = cc * (a + mu * gg) / (mu * -bN);
    // what it would be without A_TN and with a mean S; half of the bracket if that is nothing
    double mean = (c[0] * c[0] * local->lambda[0] + c[1] * c[1] * local->lambda[1]) / (cc * cc);
    double alpha = cc * a / (mu * -bN) - mean;
    if (!(alpha > 0 && alpha < high)) alpha = high / (1 + (mean > 0 ? high / mean : 1));
    slip at = { 0 };
    for (int i = 0; i < 200; i++) {
        at = slip_at(local, c, bN, alpha);
        double phi = at.length - mu * at.pN;
        if (phi > 0)
            low = alpha;
        else
            high = alpha;
        if (phi == 0 || high - low <= 2 * DBL_EPSILON * high) break;
        double next = slip_next(&at, mu, alpha);
        if (next > low && next < high && fabs(next - alpha) <= 4 * DBL_EPSILON * alpha) {
            alpha = next;
            at = slip_at(local, c, bN, alpha);
            break;
        }
        // outside the bracket: halve it, in the exponent while it spans magnitudes
        if (!(next > low && next < high))
            next = low > 0 && high > 4 * low ? sqrt(low * high) : (low + high) / 2;
        alpha = next;
    }
    local->alpha = alpha;
    return at;
}

// One step of Newton from the last alpha: in the next sweep it is better still. False if that does
// not lead to a slip near by.
static bool slip_again(scree_local *local, const double c[2], double bN, slip *at) {
    double mu = local->cone.mu;
    *at = slip_at(local, c, bN, local->alpha);
    double next = slip_next(at, mu, local->alpha);
    if (!(next > 0.5 * local->alpha && next < 2 * local->alpha)) return false;
    *at = slip_at(local, c, bN, next);
    local->alpha = next;
    return at->pN > 0 && fabs(at->length - mu * at->pN) <= 0.01 * at->length;
}

// Mobility of S below its rounding counts as none. Where the impulse along such a tangent presses
// the contact by mu g > a, none is large enough to hold a c that is not zero, be it rounding alone:
// phi < 0 for all small alpha, and no root is sure. With as much mobility as rounding may have
// hidden there is an answer.
static bool make_mobile(scree_local *local, const double c[2]) {
    double along = 0, length = 0;
    for (int k = 0; k < 2; k++)
        if (local->lambda[k] == 0) {
            along += local->g[k] * c[k];
            length = length_of(length, c[k]);
        }
    if (!(local->cone.mu * along >= local->A[0] * length)) return false;
    for (int k = 0; k < 2; k++)
        if (local->lambda[k] == 0) local->lambda[k] = rounding_of_mobility(local->A);
    return true;
}

static void find_tangents(scree_local *local);

// sticking or sliding of Acary & Collins-Craft (17) for s = A p + b
static void solve_spatial(scree_local *local, const double *b, double *p) {
    if (!local->is_diagonal) find_tangents(local);
    double mu = local->cone.mu, bN = b[0], cosine = local->cosine, sine = local->sine;
    double b1 = cosine * b[1] + sine * b[2], b2 = -sine * b[1] + cosine * b[2];
    double normal = bN * local->inverse;
    double c[2] = { b1 - local->g[0] * normal, b2 - local->g[1] * normal };
    bool stuck = true;  // along a tangent without mobility a contact at rest stays at rest
    for (int k = 0; k < 2; k++) {
        if (local->lambda[k] > 0) continue;
        double size = fabs(b[1]) + fabs(b[2]) + fabs(local->g[k] * normal);
        if (stick_without_mobility(c[k], size) == 0)
            c[k] = 0;
        else
            stuck = false;
    }
    stuck = stuck || make_mobile(local, c);
    slip at = { 0 };
    bool slips = local->alpha > 0 && slip_again(local, c, bN, &at);
    if (!slips) {
        if (stuck) at = slip_at(local, c, bN, 0);
        slips = !stuck || !(at.length <= mu * at.pN);
        if (slips && !local->is_round) at = slip_root(local, c, bN);
        if (!slips) local->alpha = 0;
    }
    if (slips) {
        // end exactly on the cone, by the better known of the two numbers
        bool by_normal = local->is_round || mu < 1;
        double shrink = at.length > 0 && by_normal ? mu * at.pN / at.length : 1;
        at.pT[0] *= shrink;
        at.pT[1] *= shrink;
        if (!by_normal) at.pN = at.length / mu;
    }
    p[0] = at.pN;
    p[1] = cosine * at.pT[0] - sine * at.pT[1];
    p[2] = sine * at.pT[0] + cosine * at.pT[1];
}

// eigenvectors (c, s), (-s, c) of the symmetric matrix (S0, S1; S1, S2)
static void diagonalise(const double S[3], double *cosine, double *sine, double lambda[2]) {
    double half = (S[0] - S[2]) / 2, mean = (S[0] + S[2]) / 2;
    double radius = S[1] == 0 ? fabs(half) : length_of(half, S[1]);
    *cosine = 1;
    *sine = 0;
    if (S[1] == 0) {  // it is diagonal as it stands, but for the order
        *cosine = half >= 0;
        *sine = half >= 0 ? 0 : 1;
    } else if (radius > 0) {  // by half the angle of (half, S1), without cancellation
        double x = radius + fabs(half), size = length_of(x, S[1]);
        *cosine = (half >= 0 ? x : fabs(S[1])) / size;
        *sine = half >= 0 ? S[1] / size : copysign(x, S[1]) / size;
    }
    lambda[0] = mean + radius;
    lambda[1] = mean;
    if (!(radius > 0 && mean > 0)) return;
    double other = (S[0] * S[2] - S[1] * S[1]) / lambda[0];
    lambda[1] = other > 0 ? other : 0;
}

static void find_tangents(scree_local *local) {
    const double *A = local->A;
    double g[2] = { (A[3] + A[1]) / 2, (A[6] + A[2]) / 2 }, across = (A[5] + A[7]) / 2;
    double S[3] = { A[4] - g[0] * g[0] / A[0], across - g[0] * g[1] / A[0],
                    A[8] - g[1] * g[1] / A[0] };
    diagonalise(S, &local->cosine, &local->sine, local->lambda);
    local->g[0] = local->cosine * g[0] + local->sine * g[1];
    local->g[1] = -local->sine * g[0] + local->cosine * g[1];
    double least = rounding_of_mobility(A);
    for (int k = 0; k < 2; k++)
        if (!(local->lambda[k] > least)) local->lambda[k] = 0;
    local->is_round = local->lambda[0] == local->lambda[1] && local->lambda[0] > least &&
                      local->g[0] == 0 && local->g[1] == 0;
    local->is_diagonal = true;
}

// ---- rolling: Newton on the natural map, kept from getting worse, then plain projections. One
// update makes it a hundred times better: the next sweep changes b anyway, and goes on from here.

typedef struct rolling_state {
    double s[5], y[5];  // s = A p + b; y = p - (s + shift n) / D
    double F[5], size;  // p - P(y), |F|
} rolling_state;

static rolling_state rolling_at(const scree_local *local, const double *b, const double *p,
                                double D) {
    rolling_state at = { 0 };
    for (int r = 0; r < 5; r++) {
        at.s[r] = b[r];
        for (int c = 0; c < 5; c++) at.s[r] += local->A[r * 5 + c] * p[c];
    }
    double foot[5];
    for (int k = 0; k < 5; k++) at.y[k] = p[k] - at.s[k] / D;
    at.y[0] -= scree_cone_shift(&local->cone, at.s) / D;
    memcpy(foot, at.y, sizeof foot);
    scree_cone_project(&local->cone, foot);
    for (int k = 0; k < 5; k++) {
        at.F[k] = p[k] - foot[k];
        at.size += at.F[k] * at.F[k];
    }
    at.size = sqrt(at.size);
    return at;
}

// J x = F by elimination with row pivoting; false if J is singular
static bool solve_five(double J[5][6]) {
    for (int k = 0; k < 5; k++) {
        int pivot = k;
        for (int i = k + 1; i < 5; i++)
            if (fabs(J[i][k]) > fabs(J[pivot][k])) pivot = i;
        if (!(fabs(J[pivot][k]) > 1e-14)) return false;
        for (int j = 0; j < 6; j++) {
            double keep = J[k][j];
            J[k][j] = J[pivot][j];
            J[pivot][j] = keep;
        }
        for (int i = 0; i < 5; i++) {
            if (i == k) continue;
            double factor = J[i][k] / J[k][k];
            for (int j = k; j < 6; j++) J[i][j] -= factor * J[k][j];
        }
    }
    return true;
}

// F' = 1 - P'(y) (1 - (A + n grad(shift)^T A) / D)
static bool rolling_newton(const scree_local *local, const rolling_state *at, double D,
                           double *step) {
    double P[25], Y[25], grad[5] = { 0 }, J[5][6];
    scree_cone_derivative(&local->cone, at->y, P);
    double T = length_of(at->s[1], at->s[2]), R = length_of(at->s[3], at->s[4]);
    for (int k = 1; k < 3; k++) grad[k] = T > 0 ? local->cone.mu * at->s[k] / T : 0;
    for (int k = 3; k < 5; k++) grad[k] = R > 0 ? local->cone.mu_rolling * at->s[k] / R : 0;
    for (int r = 0; r < 5; r++)
        for (int c = 0; c < 5; c++) {
            double sum = local->A[r * 5 + c];
            for (int k = 1; r == 0 && k < 5; k++) sum += grad[k] * local->A[k * 5 + c];
            Y[r * 5 + c] = (r == c) - sum / D;
        }
    for (int r = 0; r < 5; r++) {
        for (int c = 0; c < 5; c++) {
            J[r][c] = r == c;
            for (int k = 0; k < 5; k++) J[r][c] -= P[r * 5 + k] * Y[k * 5 + c];
        }
        J[r][5] = at->F[r];
    }
    if (!solve_five(J)) return false;
    for (int k = 0; k < 5; k++) step[k] = -J[k][5] / J[k][k];
    return true;
}

static void solve_rolling(const scree_local *local, const double *b, double *p) {
    double D = 0;
    for (int k = 0; k < 5; k++) D += local->A[k * 6];
    rolling_state at = rolling_at(local, b, p, D);
    double enough = 0.01 * at.size;
    for (int i = 0; i < 100; i++) {
        double size = 0, step[5], next[5];
        for (int k = 0; k < 5; k++) size += p[k] * p[k] + b[k] * b[k] / (D * D);
        if (!(at.size > 4 * DBL_EPSILON * sqrt(size)) || at.size < enough) return;
        bool better = false;
        if (rolling_newton(local, &at, D, step))
            for (double t = 1; !better && t > 0.05; t /= 2) {
                for (int k = 0; k < 5; k++) next[k] = p[k] + t * step[k];
                rolling_state there = rolling_at(local, b, next, D);
                if (!(there.size < (1 - 0.1 * t) * at.size)) continue;
                memcpy(p, next, sizeof next);
                at = there;
                better = true;
            }
        for (int plain = 0; !better && plain < 10; plain++) {
            for (int k = 0; k < 5; k++) p[k] -= at.F[k];
            at = rolling_at(local, b, p, D);
        }
    }
}

bool scree_local_prepare(const scree_cone *cone, const double *A, scree_local *local) {
    int d = cone->d;
    memset(local, 0, offsetof(scree_local, L));
    local->cone = *cone;
    local->A = A;
    if (cone->free && cone->limit) return true;
    if (cone->free) {
        for (int r = 0; r < d; r++)
            for (int c = 0; c < d; c++) local->L[r * d + c] = 0.5 * (A[r * d + c] + A[c * d + r]);
        return scree_dense_cholesky(local->L, d) == 0;
    }
    if (!(A[0] >= 0)) return false;
    if (A[0] == 0) return true;  // nothing moves: the update leaves it without impulse
    local->inverse = 1 / A[0];
    if (d == 3) {
        local->skew[0] = (A[1] - A[3]) / 2;
        local->skew[1] = (A[2] - A[6]) / 2;
        local->skew[2] = (A[5] - A[7]) / 2;
        local->is_skew = local->skew[0] != 0 || local->skew[1] != 0 || local->skew[2] != 0;
    }
    return true;
}

static void solve_equality(const scree_local *local, const double *b, double *p) {
    int d = local->cone.d;
    double s[SCREE_CONE_MAX];
    for (int r = 0; r < d;
         r++) {  // a step from the last impulse, so that an unsymmetric A is exact
        s[r] = b[r];
        for (int c = 0; c < d; c++) s[r] += local->A[r * d + c] * p[c];
    }
    scree_dense_solve(local->L, d, s);
    for (int r = 0; r < d; r++) p[r] -= s[r];
}

// ---- rows with limits: those within them solve their equations, the others stay at them

typedef struct row_states {
    int state[SCREE_CONE_MAX];  // 0: within its limits, else the side that it is at
} row_states;

static void velocity_of(const scree_local *local, const double *b, const double *p, double *s) {
    int d = local->cone.d;
    for (int r = 0; r < d; r++) {
        s[r] = b[r];
        for (int c = 0; c < d; c++) s[r] += local->A[r * d + c] * p[c];
    }
}

static row_states states_at(const scree_local *local, const double *b, const double *p) {
    int d = local->cone.d;
    double s[SCREE_CONE_MAX];
    row_states at = { { 0 } };
    velocity_of(local, b, p, s);
    for (int r = 0; r < d; r++) {
        double A = local->A[r * (d + 1)], limit = local->cone.limit[r];
        double x = A > 0 ? p[r] - s[r] / A : 0;
        if (!(fabs(x) < limit) || !(A > 0)) at.state[r] = x < 0 ? -1 : 1;
    }
    return at;
}

// p of the rows within, for these states; a row that the others leave no mobility stays as it is
static void solve_states(const scree_local *local, const row_states *at, const double *b,
                         double *p) {
    int d = local->cone.d;
    double J[SCREE_CONE_MAX][SCREE_CONE_MAX], s[SCREE_CONE_MAX];
    for (int r = 0; r < d; r++)
        if (at->state[r]) {
            bool moves = local->A[r * (d + 1)] > 0;
            p[r] = moves ? at->state[r] * fmax(local->cone.limit[r], 0) : 0;
        }
    velocity_of(local, b, p, s);
    for (int r = 0; r < d; r++)
        for (int c = 0; c < d; c++)
            J[r][c] = at->state[r] || at->state[c] ? r == c : local->A[r * d + c];
    for (int r = 0; r < d; r++)
        if (at->state[r]) s[r] = 0;
    for (int k = 0; k < d; k++) {
        bool stays = !(J[k][k] > 1e-13 * (at->state[k] ? 1 : local->A[k * (d + 1)]));
        for (int r = 0; r < d; r++) {
            double factor = r == k || stays ? 0 : J[r][k] / J[k][k];
            for (int c = k; factor != 0 && c < d; c++) J[r][c] -= factor * J[k][c];
            s[r] -= factor * s[k];
        }
        if (stays) {
            for (int c = 0; c < d; c++) J[k][c] = J[c][k] = k == c;
            s[k] = 0;
        }
    }
    for (int r = 0; r < d; r++) p[r] -= s[r] / J[r][r];
}

static void solve_rows(const scree_local *local, const double *b, double *p) {
    enum { TRIES = 12, ROUNDS = 60 };
    int d = local->cone.d;
    row_states at = states_at(local, b, p);
    for (int k = 0; k < TRIES; k++) {
        solve_states(local, &at, b, p);
        row_states next = states_at(local, b, p);
        if (memcmp(&next, &at, sizeof at) == 0) return;
        at = next;
    }
    for (int k = 0; k < ROUNDS * d; k++) {  // states went in circles: row by row
        double s[SCREE_CONE_MAX], A = local->A[k % d * (d + 1)];
        double most = fmax(local->cone.limit[k % d], 0);
        velocity_of(local, b, p, s);
        if (A > 0) p[k % d] = fmin(fmax(p[k % d] - s[k % d] / A, -most), most);
    }
}

// d = 2, 3 and a symmetric A
static inline void update_coulomb(scree_local *local, const double *b, int d, double *p) {
    if (b[0] >= 0 || local->cone.mu == 0) {
        double normal = b[0] < 0 ? -b[0] * local->inverse : 0;
        for (int k = 0; k < d; k++) p[k] = 0;
        p[0] = normal;
    } else if (d == 2) {
        solve_planar(local, b, p);
    } else {
        solve_spatial(local, b, p);
    }
}

// Moreau (38)
void scree_local_update(scree_local *local, const double *b, double *p) {
    int d = local->cone.d;
    if (local->cone.free) {
        if (local->cone.limit)
            solve_rows(local, b, p);
        else
            solve_equality(local, b, p);
        return;
    }
    if (local->inverse == 0) {
        for (int k = 0; k < d; k++) p[k] = 0;
        return;
    }
    if (d == 5) {
        solve_rolling(local, b, p);
        return;
    }
    double own[3];
    if (local->is_skew) {
        const double *skew = local->skew;
        own[0] = b[0] + skew[0] * p[1] + skew[1] * p[2];
        own[1] = b[1] - skew[0] * p[0] + skew[2] * p[2];
        own[2] = b[2] - skew[1] * p[0] - skew[2] * p[1];
        b = own;
    }
    update_coulomb(local, b, d, p);
}

bool scree_local_solve(const double *A, const double *b, double mu, int d, double *p) {
    scree_cone cone = { .d = d, .mu = mu };
    scree_local local;
    if (!(A[0] > 0) || !scree_local_prepare(&cone, A, &local)) return false;
    update_coulomb(&local, b, d, p);
    return true;
}
