// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// criteria_kinetic.c - motions that leave an equilibrium: unstable, without integrating.
//
//     U = U_e + eps exp(lambda t) v,   r = r_e + eps exp(lambda t) rho,   lambda > 0
//     (lambda^2 M + lambda C + K) v = D rho,   B v = 0
//
// or U_e + eps t v with C v = 0 and K v = D rho. Contacts that are free or strictly inside their
// cones stay so for small eps. The others are marginal, and each may go several ways; B and D
// follow from what all of them do. The laws are cones, so a motion that keeps them keeps them for
// every small eps: it begins as near as one likes and leaves. Restitution plays no part: nothing
// impacts.
//
// Coordinates, rows and time are scaled first so that tolerances mean the same in all units.

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/dense.h"
#include "lab/criteria.h"
#include "lab/criteria_pencil.h"

enum {
    N = SCREE_PENCIL_COORDINATES,
    CONTACTS = SCREE_EQUILIBRIUM_CONTACTS,
    WAYS = 4,
    CHOICES = 4096
};

static const double SLOW = 1e-3;    // lambda below this may be rounding (1: slowest oscillation)
static const double FAST = 1e5;     // above this it may be infinite
static const double MARGIN = 1e-7;  // of what must be positive, beside the largest of its kind
static const double NOTHING = 1e-12;
static const double BUDGET = 2e8;  // price of all choices of a set, about a few seconds

typedef enum way { LEAVES, SLIDES, STICKS, SLIPS_PLUS, SLIPS_MINUS } way;  // SLIDES: no friction

typedef struct choice {  // what every contact does
    way way[CONTACTS];
    int first[CONTACTS];  // its row in B and D
    int rows;
    double B[SCREE_PENCIL_ROWS * N], D[SCREE_PENCIL_ROWS * N];
} choice;

typedef struct growth {  // the fastest motion so far
    bool any, oscillates;
    double lambda, frequency, v[N];
    way way[CONTACTS];
} growth;

struct scree_kinetic {
    int n, contacts;
    bool fits;
    double spent;
    double scale[N], time;  // U = scale x, t = time s
    double M[N * N], C[N * N], K[N * N];
    double normal[CONTACTS * N], tangent[CONTACTS * N], mu[CONTACTS];
    // of one piece
    double tolerance;
    scree_rest status[CONTACTS];
    way ways[CONTACTS][WAYS];
    int count[CONTACTS];
    bool marginal;
    bool drifts;  // may it have neighbours in equilibrium that a drift would lead through?
    choice choice;
    scree_svd free_motions, forces;
    scree_pencil pencil;
    growth best;
};

static double length(const double *x, int n) { return sqrt(scree_dense_dot(x, x, n)); }

// -------------------------------------------------------------------------------------------------
// without dimensions

// the row in scaled coordinates, of length 1; returns the length it had
static double scale_row(const scree_kinetic *k, const double *given, double *row) {
    for (int j = 0; j < k->n; j++) row[j] = given[j] * k->scale[j];
    double size = length(row, k->n);
    for (int j = 0; j < k->n && size > 0; j++) row[j] /= size;
    return size;
}

static void scale_matrix(const scree_kinetic *k, const double *given, double factor, double *A) {
    for (int i = 0; i < k->n; i++)
        for (int j = 0; given && j < k->n; j++)
            A[i * k->n + j] = factor * k->scale[i] * given[i * k->n + j] * k->scale[j];
}

static void scale_system(const scree_model *model, const scree_equilibrium_system *system,
                         scree_kinetic *k) {
    int n = k->n;
    double inertia = 0;
    for (int i = 0; i < n; i++) {
        k->scale[i] = 1 / sqrt(system->stiffness[i * n + i]);
        inertia = fmax(inertia, model->system.mass[i * n + i] * k->scale[i] * k->scale[i]);
    }
    k->time = sqrt(inertia);
    scale_matrix(k, model->system.mass, 1 / inertia, k->M);
    scale_matrix(k, model->system.damping, 1 / k->time, k->C);
    scale_matrix(k, system->stiffness, 1, k->K);
    for (int c = 0; c < k->contacts; c++) {
        double one = scale_row(k, system->normal + (long)c * n, k->normal + c * n);
        double two = scale_row(k, system->tangent + (long)c * n, k->tangent + c * n);
        k->mu[c] = one > 0 ? system->mu[c] * two / one : 0;
    }
}

scree_status scree_kinetic_new(const scree_model *model, const scree_equilibrium_system *system,
                               scree_kinetic **kinetic, scree_error *err) {
    scree_kinetic *k = *kinetic = calloc(1, sizeof *k);
    if (!k) return scree_fail_memory(err, NULL);
    k->n = system->coordinates;
    k->contacts = system->contacts;
    k->fits = system->coordinates <= N;
    if (k->fits) scale_system(model, system, k);
    return SCREE_OK;
}

void scree_kinetic_free(scree_kinetic *kinetic) { free(kinetic); }

// -------------------------------------------------------------------------------------------------
// what contacts may do

static int find_ways(scree_rest status, bool friction, way *list) {
    switch (status) {
        case SCREE_REST_FREE:
            list[0] = LEAVES;
            return 1;
        case SCREE_REST_GRAZING:
            list[0] = LEAVES;
            list[1] = friction ? STICKS : SLIDES;
            list[2] = SLIPS_PLUS;
            list[3] = SLIPS_MINUS;
            return friction ? 4 : 2;
        case SCREE_REST_STUCK:
            list[0] = friction ? STICKS : SLIDES;
            return 1;
        case SCREE_REST_SLIP_PLUS:
        case SCREE_REST_SLIP_MINUS:
            list[0] = STICKS;
            list[1] = status == SCREE_REST_SLIP_PLUS ? SLIPS_PLUS : SLIPS_MINUS;
            return 2;
    }
    return 0;
}

static double sign_of(way taken) { return taken == SLIPS_MINUS ? -1 : 1; }

static void add_row(const scree_kinetic *k, const double *velocity, const double *force,
                    double tangential, const double *tangent, choice *made) {
    double *B = made->B + made->rows * k->n, *D = made->D + made->rows * k->n;
    for (int j = 0; j < k->n; j++) {
        B[j] = velocity[j];
        D[j] = force[j] + (tangential != 0 ? tangential * tangent[j] : 0);
    }
    made->rows++;
}

static void fill_choice(const scree_kinetic *k, choice *made) {
    made->rows = 0;
    for (int c = 0; c < k->contacts; c++) {
        const double *n = k->normal + c * k->n, *t = k->tangent + c * k->n;
        way taken = made->way[c];
        made->first[c] = made->rows;
        if (taken == LEAVES) continue;
        bool slips = taken == SLIPS_PLUS || taken == SLIPS_MINUS;
        add_row(k, n, n, slips ? -sign_of(taken) * k->mu[c] : 0, t, made);
        if (taken == STICKS) add_row(k, t, t, 0, t, made);
    }
}

// -------------------------------------------------------------------------------------------------
// does a motion keep the laws?

typedef struct motion {
    double lambda;
    double x[N];                    // |x| = 1
    double rho[SCREE_PENCIL_ROWS];  // of the rows of D
    double largest;                 // of |rho|
} motion;

static bool positive(double value, double size) { return value > MARGIN * size; }

// no part of the motion reaches the row, so that nothing but rounding is in the sum
static bool untouched(const double *row, const double *x, int n) {
    double size = 0;
    for (int j = 0; j < n; j++) size += fabs(row[j] * x[j]);
    return size <= NOTHING;
}

static bool stays_in_cone(const scree_kinetic *k, const motion *m, int c, double sign) {
    const double *rho = m->rho + k->choice.first[c];
    double normal = sign * rho[0], along = sign * rho[1], mu = k->mu[c];
    if (k->status[c] == SCREE_REST_STUCK) return true;
    if (fabs(normal) + fabs(along) <= NOTHING * m->largest) return true;
    if (k->status[c] == SCREE_REST_SLIP_PLUS) return positive(mu * normal + along, m->largest);
    if (k->status[c] == SCREE_REST_SLIP_MINUS) return positive(mu * normal - along, m->largest);
    return positive(normal, m->largest) && positive(mu * normal - fabs(along), m->largest);
}

static bool contact_agrees(const scree_kinetic *k, const motion *m, int c, double sign) {
    const double *n = k->normal + c * k->n, *t = k->tangent + c * k->n;
    const double *rho = m->rho + k->choice.first[c];
    way taken = k->choice.way[c];
    bool grazing = k->status[c] == SCREE_REST_GRAZING;
    switch (taken) {
        case LEAVES:
            return !grazing || positive(sign * scree_dense_dot(n, m->x, k->n), 1) ||
                   untouched(n, m->x, k->n);
        case SLIDES:
            return !grazing || positive(sign * rho[0], m->largest);
        case STICKS:
            return stays_in_cone(k, m, c, sign);
        case SLIPS_PLUS:
        case SLIPS_MINUS:
            return positive(sign * sign_of(taken) * scree_dense_dot(t, m->x, k->n), 1) &&
                   (!grazing || positive(sign * rho[0], m->largest));
    }
    return false;
}

static bool all_agree(const scree_kinetic *k, const motion *m, double sign) {
    for (int c = 0; c < k->contacts; c++)
        if (!contact_agrees(k, m, c, sign)) return false;
    return true;
}

// rho, and that all equations hold
static bool complete(scree_kinetic *k, motion *m) {
    double force[N], size = 0, left = 0;
    for (int i = 0; i < k->n; i++) {
        force[i] = 0;
        for (int j = 0; j < k->n; j++) {
            int at = i * k->n + j;
            double P = m->lambda * (m->lambda * k->M[at] + k->C[at]) + k->K[at];
            force[i] += P * m->x[j];
            size = fmax(size, fabs(P));
        }
    }
    scree_svd_solve_transposed(&k->forces, force, m->rho);
    m->largest = 0;
    for (int i = 0; i < k->choice.rows; i++) m->largest = fmax(m->largest, fabs(m->rho[i]));
    for (int j = 0; j < k->n; j++) {
        double rest = force[j];
        for (int i = 0; i < k->choice.rows; i++) rest -= m->rho[i] * k->choice.D[i * k->n + j];
        left = fmax(left, fabs(rest));
    }
    return left <= 1e-9 * (size + m->largest);
}

static void keep(scree_kinetic *k, const motion *m, double sign) {
    growth *best = &k->best;
    if (best->any && best->lambda >= m->lambda) return;
    double largest = 0;
    best->any = true;
    best->lambda = m->lambda;
    memcpy(best->way, k->choice.way, sizeof best->way);
    for (int j = 0; j < k->n; j++) {
        best->v[j] = sign * k->scale[j] * m->x[j];
        largest = fmax(largest, fabs(best->v[j]));
    }
    // what is rounding beside the rest is none
    for (int j = 0; j < k->n; j++)
        best->v[j] = fabs(best->v[j]) > 1e-14 * largest ? best->v[j] / largest : 0;
}

// y: the motion within what B leaves free
static void try_motion(scree_kinetic *k, double lambda, const double *y) {
    motion m = { .lambda = lambda };
    const double *Z = k->free_motions.left + k->free_motions.rank * k->n;
    for (int i = 0; i < k->pencil.size; i++)
        for (int j = 0; j < k->n; j++) m.x[j] += y[i] * Z[i * k->n + j];
    if (!complete(k, &m)) return;
    for (double sign = 1; sign > -2; sign -= 2)
        if (all_agree(k, &m, sign)) keep(k, &m, sign);
}

// -------------------------------------------------------------------------------------------------
// one choice

// Y A Z^T
static void reduce(const scree_kinetic *k, const double *A, double *reduced) {
    const double *Y = k->forces.left + k->forces.rank * k->n;
    const double *Z = k->free_motions.left + k->free_motions.rank * k->n;
    double AZ[N];
    for (int j = 0; j < k->pencil.size; j++) {
        for (int i = 0; i < k->n; i++) AZ[i] = scree_dense_dot(A + i * k->n, Z + j * k->n, k->n);
        for (int i = 0; i < k->pencil.size; i++)
            reduced[i * k->pencil.size + j] = scree_dense_dot(Y + i * k->n, AZ, k->n);
    }
}

static bool make_pencil(scree_kinetic *k) {
    const choice *made = &k->choice;
    if (!scree_svd_find(made->B, made->rows, k->n, &k->free_motions) ||
        !scree_svd_find(made->D, made->rows, k->n, &k->forces))
        return false;
    k->pencil.size = k->n - k->free_motions.rank;
    if (k->pencil.size == 0 || k->free_motions.rank != k->forces.rank) return false;
    reduce(k, k->M, k->pencil.A2);
    reduce(k, k->C, k->pencil.A1);
    reduce(k, k->K, k->pencil.A0);
    return true;
}

// U_e + eps t v, all of them equilibria: the set must know them, and damping must not see v
static void try_drift(scree_kinetic *k) {
    double y[N], x[N] = { 0 }, damped = 0, most = 0;
    const double *Z = k->free_motions.left + k->free_motions.rank * k->n;
    if (!k->drifts ||
        !scree_pencil_rest(&k->pencil, length(k->K, k->n * k->n), 4 * k->tolerance, y))
        return;
    for (int i = 0; i < k->pencil.size; i++)
        for (int j = 0; j < k->n; j++) x[j] += y[i] * Z[i * k->n + j];
    for (int i = 0; i < k->n; i++) {
        damped = fmax(damped, fabs(scree_dense_dot(k->C + i * k->n, x, k->n)));
        most = fmax(most, length(k->C + i * k->n, k->n));
    }
    if (damped <= NOTHING * most) try_motion(k, 0, y);
}

// no contact can change: the motion is linear, and any growing part of it will do
static void try_oscillation(scree_kinetic *k, double real, double imaginary) {
    if (k->marginal || real <= SLOW * fmax(1, hypot(real, imaginary))) return;
    if (k->best.any && k->best.lambda >= real) return;
    k->best = (growth){ .any = true, .oscillates = true, .lambda = real };
    k->best.frequency = fabs(imaginary);
    memcpy(k->best.way, k->choice.way, sizeof k->best.way);
}

static void try_choice(scree_kinetic *k) {
    double real[2 * N], imaginary[2 * N], y[N];
    fill_choice(k, &k->choice);
    if (!make_pencil(k)) return;
    int found = scree_pencil_eigenvalues(&k->pencil, real, imaginary);
    for (int i = 0; i < found; i++) {
        double lambda = real[i];
        if (imaginary[i] == 0 && lambda > SLOW && lambda < FAST &&
            scree_pencil_motion(&k->pencil, &lambda, y) && lambda > SLOW)
            try_motion(k, lambda, y);
    }
    for (int i = 0; i < found; i++) try_oscillation(k, real[i], imaginary[i]);
    try_drift(k);
}

// the next choice in the order of digits; false after the last one
static bool next_choice(const scree_kinetic *k, int *digit, choice *made) {
    for (int c = 0; c < k->contacts; c++) {
        digit[c] = (digit[c] + 1) % k->count[c];
        made->way[c] = k->ways[c][digit[c]];
        if (digit[c]) return true;
    }
    return false;
}

// -------------------------------------------------------------------------------------------------
// verdict

static void add(char *text, size_t room, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add(char *text, size_t room, const char *format, ...) {
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, room - used, format, arguments);
    va_end(arguments);
}

static void say(const scree_kinetic *k, scree_equilibrium *piece) {
    enum { LISTED = 8 };
    static const char *const does[] = { "leaves", "slides", "sticks", "slides along +T",
                                        "slides along -T" };
    const growth *best = &k->best;
    char *text = piece->ground;
    size_t room = sizeof piece->ground;
    piece->stability = SCREE_STABILITY_UNSTABLE;
    text[0] = '\0';
    if (best->oscillates) {
        add(text, room,
            "kinetic criterion: exp(%.6g t) cos(%.6g t) is in a motion near it that no "
            "contact limits",
            best->lambda / k->time, best->frequency / k->time);
        return;
    }
    if (best->lambda > 0)
        add(text, room, "kinetic criterion: U_e + eps exp(%.6g t) (", best->lambda / k->time);
    else
        add(text, room, "kinetic criterion: U_e + eps t (");
    for (int j = 0; j < k->n && j < LISTED; j++)
        add(text, room, "%s%.4g", j ? ", " : "", best->v[j] + 0.0);
    add(text, room, "%s) is a motion", k->n > LISTED ? ", ..." : "");
    for (int c = 0; c < k->contacts; c++)
        if (k->status[c] != SCREE_REST_FREE)
            add(text, room, ", contact %d %s", c + 1, does[best->way[c]]);
}

static void begin(scree_kinetic *k, const scree_equilibria *set, const scree_equilibrium *piece) {
    k->tolerance = set->tolerance;
    k->marginal = false;
    k->drifts = piece->freedom > 0;
    k->best = (growth){ 0 };
    for (int c = 0; c < k->contacts; c++) {
        k->status[c] = piece->status[c];
        k->count[c] = find_ways(piece->status[c], k->mu[c] > 0, k->ways[c]);
        k->marginal = k->marginal || k->count[c] > 1;
        k->drifts = k->drifts || piece->status[c] == SCREE_REST_GRAZING;
        k->choice.way[c] = k->ways[c][0];
    }
}

scree_status scree_kinetic_judge(scree_kinetic *k, scree_equilibria *set, scree_equilibrium *piece,
                                 bool *unstable, char *untried, scree_error *err) {
    int digit[CONTACTS] = { 0 };
    double choices = 1;
    *unstable = false;
    untried[0] = '\0';
    if (!k->fits) {
        snprintf(untried, 80, "more than %d coordinates", N);
        return SCREE_OK;
    }
    begin(k, set, piece);
    for (int c = 0; c < k->contacts; c++) choices *= k->count[c];
    double price = choices * (2000 + pow(2 * k->n, 3));
    if (choices > CHOICES || k->spent + price > BUDGET) {
        if (choices > CHOICES)
            snprintf(untried, 80, "%.0f choices of what marginal contacts do", choices);
        else
            snprintf(untried, 80, "all pieces together have too many choices");
        return SCREE_OK;
    }
    k->spent += price;
    do try_choice(k);
    while (next_choice(k, digit, &k->choice));
    if (!k->best.any) return SCREE_OK;
    *unstable = true;
    say(k, piece);
    piece->growth_rate = k->best.lambda / k->time;
    if (k->best.oscillates) return SCREE_OK;
    piece->growth_direction = SCREE_NEW(set->owner, double, k->n);
    if (!piece->growth_direction) return scree_fail_memory(err, NULL);
    memcpy(piece->growth_direction, k->best.v, (size_t)k->n * sizeof *k->best.v);
    return SCREE_OK;
}
