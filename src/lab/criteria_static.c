// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// criteria_static.c - equilibria that are stable because friction there can only take energy.
//
//     L = V.M V / 2 + d.K d / 2 + sum r_N,e gap,   d = U - U_e
//     dL/dt <= -sum (r_T,e V_T + mu r_N |V_T|)
//
// over the contacts with friction that are pressed. If M^-1 does not couple a normal n to the other
// rows, then m = 1 / (n.M^-1 n) and kappa = m K M^-1 n give r_N = r_N,e + kappa.d while the contact
// is closed, and a flight ends soon and for ever. A contact that is strictly stuck then takes
// energy whatever it does. One that is about to slip along s = +T or -T may bring some as it
// slips: with z = s T.d at all of those and mu kappa.d = (Q z) at each, Q symmetric, that is what
// d.(K + T^T Q T) d / 2 accounts for, and where this is positive the equilibrium is stable.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "lab/criteria.h"
#include "lab/criteria_pencil.h"

enum { N = SCREE_PENCIL_COORDINATES, CONTACTS = SCREE_EQUILIBRIUM_CONTACTS };

static const double EVEN = 1e-11;   // Q_ij - Q_ji beside the largest: symmetric
static const double MARGIN = 1e-6;  // of what must be positive definite, beside K

typedef enum finding { COUPLED, NOT_PRESSED, STUCK, UNMOVED, SLIPPING } finding;

struct scree_static {
    const scree_equilibrium_system *system;
    double tolerance;
    int n;
    // of every contact, once for all pieces
    double *y;  // M^-1 of normals, then of tangents (2 contacts x n), and scratch (n)
    bool apart[CONTACTS][2 * CONTACTS];      // M^-1 does not couple a normal to a row of y
    bool damped[CONTACTS], stiff[CONTACTS];  // C M^-1 n, K M^-1 n is a multiple of n
    scree_rest status[CONTACTS];             // of the piece
};

static const double *normal_of(const scree_static *w, int c) {
    return w->system->normal + (long)c * w->n;
}

static const double *tangent_of(const scree_static *w, int c) {
    return w->system->tangent + (long)c * w->n;
}

static const double *answer_of(const scree_static *w, int row) { return w->y + (long)row * w->n; }

// -------------------------------------------------------------------------------------------------
// what is coupled to a normal

// A y a multiple of the row?
static bool is_parallel(const scree_static *w, int contact, const double *A, double *product) {
    const double *row = normal_of(w, contact), *y = answer_of(w, contact);
    if (!A) return true;
    scree_dense_product(A, w->n, y, product);
    double factor = scree_dense_dot(y, product, w->n) / scree_dense_dot(y, row, w->n);
    for (int i = 0; i < w->n; i++) {
        double size = fabs(factor * row[i]);
        for (int j = 0; j < w->n; j++) size += fabs(A[(long)i * w->n + j] * y[j]);
        if (!(fabs(product[i] - factor * row[i]) <= w->tolerance * size)) return false;
    }
    return true;
}

static void find_apart(scree_static *w) {
    int contacts = w->system->contacts;
    for (int i = 0; i < contacts; i++)
        for (int j = 0; j < 2 * contacts; j++) {
            const double *h = j < contacts ? normal_of(w, j) : tangent_of(w, j - contacts);
            double size = sqrt(scree_dense_dot(normal_of(w, i), answer_of(w, i), w->n) *
                               scree_dense_dot(h, answer_of(w, j), w->n));
            w->apart[i][j] = fabs(scree_dense_dot(answer_of(w, i), h, w->n)) <= w->tolerance * size;
        }
}

// the other rows that can carry a reaction near the equilibrium: a contact with a gap cannot
static bool is_alone(const scree_static *w, int contact) {
    int contacts = w->system->contacts;
    for (int c = 0; c < contacts; c++) {
        if (w->status[c] == SCREE_REST_FREE) continue;
        if (c != contact && !w->apart[contact][c]) return false;
        if (w->system->mu[c] > 0 && !w->apart[contact][contacts + c]) return false;
    }
    return true;
}

static bool is_pressed(const scree_static *w, int c) { return w->status[c] > SCREE_REST_GRAZING; }

static bool is_slipping(const scree_static *w, int c) { return w->status[c] > SCREE_REST_STUCK; }

// -------------------------------------------------------------------------------------------------
// what friction adds to K

typedef struct slips {
    int count, contact[CONTACTS];
    int size;
    double row[SCREE_PENCIL_ROWS * N];  // s T of those about to slip, then normals (size x n)
    double Q[CONTACTS * CONTACTS];      // (count x count)
} slips;

static void collect(const scree_static *w, slips *s) {
    for (int c = 0; c < w->system->contacts; c++)
        if (is_slipping(w, c)) {
            double sign = w->status[c] == SCREE_REST_SLIP_PLUS ? 1 : -1;
            s->contact[s->count++] = c;
            for (int j = 0; j < w->n; j++) s->row[s->size * w->n + j] = sign * tangent_of(w, c)[j];
            s->size++;
        }
    for (int c = 0; c < w->system->contacts; c++)
        if (is_pressed(w, c) && w->system->mu[c] > 0)
            memcpy(s->row + s->size++ * w->n, normal_of(w, c), (size_t)w->n * sizeof *s->row);
}

// mu kappa of one contact as a sum of the rows; false if it is none
static bool expand(const scree_static *w, const scree_svd *svd, const slips *s, int c,
                   double *part) {
    double kappa[N], size = 0, left = 0;
    scree_dense_product(w->system->stiffness, w->n, answer_of(w, c), kappa);
    double factor = w->system->mu[c] / scree_dense_dot(answer_of(w, c), normal_of(w, c), w->n);
    for (int j = 0; j < w->n; j++) kappa[j] *= factor;
    scree_svd_solve_transposed(svd, kappa, part);
    for (int j = 0; j < w->n; j++) {
        double rest = kappa[j], sum = fabs(kappa[j]);
        for (int i = 0; i < s->size; i++) {
            rest -= part[i] * s->row[i * w->n + j];
            sum += fabs(part[i] * s->row[i * w->n + j]);
        }
        left = fmax(left, fabs(rest));
        size = fmax(size, sum);
    }
    return left <= w->tolerance * size;
}

// Q, false unless it is there and symmetric
static bool find_Q(const scree_static *w, slips *s) {
    scree_svd svd;
    double part[SCREE_PENCIL_ROWS], largest = 0;
    if (!scree_svd_find(s->row, s->size, w->n, &svd)) return false;
    for (int i = 0; i < s->count; i++) {
        if (!expand(w, &svd, s, s->contact[i], part)) return false;
        memcpy(s->Q + i * s->count, part, (size_t)s->count * sizeof *part);
    }
    for (int i = 0; i < s->count * s->count; i++) largest = fmax(largest, fabs(s->Q[i]));
    for (int i = 0; i < s->count; i++)
        for (int j = 0; j < i; j++)
            if (fabs(s->Q[i * s->count + j] - s->Q[j * s->count + i]) > EVEN * largest)
                return false;
    return true;
}

// x.(K + T^T Q T) y and, of it, x.K y
static double form(const scree_static *w, const slips *s, const double *x, const double *y,
                   double *alone) {
    double Ky[N], along[CONTACTS];
    scree_dense_product(w->system->stiffness, w->n, y, Ky);
    *alone = scree_dense_dot(x, Ky, w->n);
    double sum = *alone;
    for (int i = 0; i < s->count; i++) along[i] = scree_dense_dot(s->row + i * w->n, y, w->n);
    for (int i = 0; i < s->count; i++)
        sum += scree_dense_dot(s->row + i * w->n, x, w->n) *
               scree_dense_dot(s->Q + i * s->count, along, s->count);
    return sum;
}

// on the motions that leave all pressed contacts closed
static bool is_positive(const scree_static *w, const slips *s) {
    double normals[CONTACTS * N], A[N * N];
    int count = 0;
    scree_svd svd;
    for (int c = 0; c < w->system->contacts; c++)
        if (is_pressed(w, c))
            memcpy(normals + count++ * w->n, normal_of(w, c), (size_t)w->n * sizeof *normals);
    if (!scree_svd_find(normals, count, w->n, &svd)) return false;
    int k = w->n - svd.rank;
    const double *Z = svd.left + svd.rank * w->n;
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) {
            double alone;
            A[i * k + j] = form(w, s, Z + i * w->n, Z + j * w->n, &alone);
            A[i * k + j] -= MARGIN * alone;
        }
    return scree_dense_cholesky(A, k) == 0;
}

static bool friction_keeps_positive(const scree_static *w) {
    slips s = { 0 };
    if (w->n > N) return false;
    collect(w, &s);
    return find_Q(w, &s) && is_positive(w, &s);
}

// -------------------------------------------------------------------------------------------------
// verdict

static finding classify(const scree_static *w) {
    finding found = NOT_PRESSED;
    bool constant = true;
    for (int c = 0; c < w->system->contacts; c++) {
        if (!is_pressed(w, c) || w->system->mu[c] == 0) continue;
        if (!is_alone(w, c)) return COUPLED;
        if (found == NOT_PRESSED) found = STUCK;
        if (!is_slipping(w, c)) continue;
        if (!w->damped[c]) return COUPLED;
        constant = constant && w->stiff[c];
        found = UNMOVED;
    }
    if (constant) return found;
    return friction_keeps_positive(w) ? SLIPPING : COUPLED;
}

static void say(finding found, scree_equilibrium *piece) {
    static const char *const why[] = {
        [COUPLED] = "",
        [NOT_PRESSED] = "no contact is pressed that has friction",
        [STUCK] =
            "mu r_N > |r_T| of the equilibrium while closed, since all that are pressed are "
            "strictly stuck and the mass couples nothing to their normals",
        [UNMOVED] =
            "r_N is constant while closed, since nothing couples to the normals of "
            "contacts about to slip",
        [SLIPPING] =
            "r_N depends on the slips alone while closed, and the stiffness with what "
            "friction adds to it is symmetric and positive",
    };
    piece->stability = SCREE_STABILITY_STABLE;
    snprintf(piece->ground, sizeof piece->ground,
             "static criterion: after short flights the energy about it never grows; %s",
             why[found]);
}

bool scree_static_judge(scree_static *w, scree_equilibrium *piece) {
    for (int c = 0; c < w->system->contacts; c++) w->status[c] = piece->status[c];
    finding found = classify(w);
    if (found != COUPLED) say(found, piece);
    return found != COUPLED;
}

static bool allocate(scree_static *w, double **factor) {
    size_t n = (size_t)w->n, rows = 2 * (size_t)w->system->contacts;
    w->y = malloc((rows + 1) * n * sizeof *w->y);
    *factor = malloc(n * n * sizeof **factor);
    return w->y && *factor;
}

// a model's mass is positive definite, so that its factor exists
static void prepare(scree_static *w, const scree_model *model, double *factor) {
    size_t n = (size_t)w->n, row = n * sizeof *w->y;
    int contacts = w->system->contacts;
    double *product = w->y + 2 * (size_t)contacts * n;
    memcpy(factor, model->system.mass, n * row);
    scree_dense_cholesky(factor, w->n);
    for (int i = 0; i < 2 * contacts; i++) {
        double *y = w->y + (size_t)i * n;
        memcpy(y, i < contacts ? normal_of(w, i) : tangent_of(w, i - contacts), row);
        scree_dense_solve(factor, w->n, y);
    }
    find_apart(w);
    for (int c = 0; c < contacts; c++) {
        w->damped[c] = is_parallel(w, c, model->system.damping, product);
        w->stiff[c] = is_parallel(w, c, w->system->stiffness, product);
    }
}

scree_status scree_static_new(const scree_model *model, const scree_equilibrium_system *system,
                              double tolerance, scree_static **made, scree_error *err) {
    scree_static *w = *made = calloc(1, sizeof *w);
    double *factor = NULL;
    if (w)
        *w = (scree_static){ .system = system, .tolerance = tolerance, .n = system->coordinates };
    bool fine = w && allocate(w, &factor);
    if (fine) prepare(w, model, factor);
    free(factor);
    return fine ? SCREE_OK : scree_fail_memory(err, NULL);
}

void scree_static_free(scree_static *w) {
    if (w) free(w->y);
    free(w);
}
