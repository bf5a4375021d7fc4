// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mechanism.h - bodies and contacts of the tests, the problem they make, and a judge of answers.
//
// A body has six freedoms (velocity, spin) and a diagonal mass; a contact joins one to another or
// to the ground (-1). From these come W in blocks and b. The judge is Coulomb's law in words and
// shares nothing with the library.

#ifndef SCREE_TEST_MECHANISM_H
#define SCREE_TEST_MECHANISM_H

#include <stdbool.h>
#include <stdlib.h>

#include "harness.h"
#include "scree/solve.h"

typedef struct hold {  // how a contact holds on to its bodies
    int body[2];       // the normal points from the second to the first; -1: the ground
    double H[2][5][6];
} hold;

typedef struct mechanism {
    int d, bodies, contacts;
    double *inverse;   // of the mass          (bodies x 6)
    double *velocity;  // without contacts     (bodies x 6)
    hold *hold;        // (contacts)
    double *w;         // of moving walls      (contacts x d)
    double *mu;        // (contacts), as all below
    double *mu_second, *mu_rolling, *cohesion;
    unsigned char *equality;
    int *row, *column, *diagonal;
    double *block, *b;
    scree_problem problem;
} mechanism;

static inline void *zeros(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size);
    if (!memory) abort();
    return memory;
}

static inline mechanism *mechanism_new(int d, int bodies, int contacts) {
    mechanism *one = zeros(1, sizeof *one);
    size_t nb = (size_t)bodies * 6, nc = (size_t)contacts;
    *one = (mechanism){ .d = d, .bodies = bodies, .contacts = contacts };
    one->inverse = zeros(nb, sizeof(double));
    one->velocity = zeros(nb, sizeof(double));
    one->hold = zeros(nc, sizeof(hold));
    one->w = zeros(nc * (size_t)d, sizeof(double));
    double **values[] = { &one->mu, &one->mu_second, &one->mu_rolling, &one->cohesion };
    for (int k = 0; k < 4; k++) *values[k] = zeros(nc, sizeof(double));
    one->equality = zeros(nc, 1);
    one->row = zeros(nc + 1, sizeof(int));
    one->diagonal = zeros(nc, sizeof(int));
    one->b = zeros(nc * (size_t)d, sizeof(double));
    return one;
}

static inline void mechanism_free(mechanism *one) {
    void *all[] = { one->inverse,   one->velocity,   one->hold,     one->w,        one->mu,
                    one->mu_second, one->mu_rolling, one->cohesion, one->equality, one->row,
                    one->column,    one->diagonal,   one->block,    one->b,        one };
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) free(all[k]);
}

static inline int rows_of(const mechanism *one) { return one->contacts * one->d; }

/// Mass and moment of inertia, the same about all axes.
static inline void set_mass(mechanism *one, int body, double mass, double inertia) {
    for (int k = 0; k < 6; k++) one->inverse[body * 6 + k] = 1 / (k < 3 ? mass : inertia);
}

static inline double dot3(const double *x, const double *y) {
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static inline void cross3(const double *x, const double *y, double *out) {
    out[0] = x[1] * y[2] - x[2] * y[1];
    out[1] = x[2] * y[0] - x[0] * y[2];
    out[2] = x[0] * y[1] - x[1] * y[0];
}

/// One end of a contact at `arm` from the centre of `body`; the frame is normal, tangents.
static inline void attach(mechanism *one, int contact, int end, int body, const double *arm,
                          double frame[3][3]) {
    hold *held = &one->hold[contact];
    double sign = end ? -1 : 1;
    held->body[end] = body;
    for (int r = 0; r < one->d && body >= 0; r++) {
        double spin[3], *row = held->H[end][r];
        if (r < 3) cross3(arm, frame[r], spin);
        for (int k = 0; k < 3; k++) {
            row[k] = r < 3 ? sign * frame[r][k] : 0;
            row[k + 3] = sign * (r < 3 ? spin[k] : frame[r - 2][k]);
        }
    }
}

/// A frame whose normal is the given vector, of any length; turned by `angle` about it.
static inline void make_frame(const double *normal, double angle, double frame[3][3]) {
    double size = sqrt(dot3(normal, normal)), c = cos(angle), s = sin(angle), t[3], o[3];
    int least = 0;
    for (int k = 0; k < 3; k++) {
        frame[0][k] = normal[k] / size;
        if (fabs(normal[k]) < fabs(normal[least])) least = k;
    }
    double axis[3] = { least == 0, least == 1, least == 2 };
    cross3(frame[0], axis, t);
    size = sqrt(dot3(t, t));
    for (int k = 0; k < 3; k++) t[k] /= size;
    cross3(frame[0], t, o);
    for (int k = 0; k < 3; k++) {
        frame[1][k] = c * t[k] + s * o[k];
        frame[2][k] = c * o[k] - s * t[k];
    }
}

// -------------------------------------------------------------------------------------------------
// W and b

/// The block (i, j), added up over the bodies they share; false if there is none.
static inline bool couple(const mechanism *one, int i, int j, double *block) {
    int d = one->d;
    bool any = i == j;
    memset(block, 0, (size_t)(d * d) * sizeof *block);
    for (int e = 0; e < 2; e++)
        for (int f = 0; f < 2; f++) {
            int body = one->hold[i].body[e];
            if (body < 0 || body != one->hold[j].body[f]) continue;
            any = true;
            for (int k = 0; k < d * d; k++)
                for (int m = 0; m < 6; m++)
                    block[k] += one->hold[i].H[e][k / d][m] * one->inverse[body * 6 + m] *
                                one->hold[j].H[f][k % d][m];
        }
    return any;
}

static inline void find_b(mechanism *one) {
    for (int i = 0; i < one->contacts; i++)
        for (int r = 0; r < one->d; r++) {
            double *b = &one->b[i * one->d + r];
            *b = one->w[i * one->d + r];
            for (int e = 0; e < 2; e++)
                for (int k = 0; one->hold[i].body[e] >= 0 && k < 6; k++)
                    *b += one->hold[i].H[e][r][k] * one->velocity[one->hold[i].body[e] * 6 + k];
        }
}

static inline int ascending(const void *x, const void *y) {
    return *(const int *)x - *(const int *)y;
}

typedef struct reach {  // which contacts a body has
    int *first, *contact;
} reach;

static inline reach find_reach(const mechanism *one) {
    reach of = { zeros((size_t)one->bodies + 2, sizeof(int)),
                 zeros((size_t)one->contacts * 2, sizeof(int)) };
    for (int i = 0; i < one->contacts * 2; i++)
        if (one->hold[i / 2].body[i % 2] >= 0) of.first[one->hold[i / 2].body[i % 2] + 2]++;
    for (int b = 1; b <= one->bodies; b++) of.first[b + 1] += of.first[b];
    for (int i = 0; i < one->contacts * 2; i++)
        if (one->hold[i / 2].body[i % 2] >= 0)
            of.contact[of.first[one->hold[i / 2].body[i % 2] + 1]++] = i / 2;
    return of;
}

/// The neighbours of contact i, ascending, itself included.
static inline int neighbours(const mechanism *one, const reach *of, int i, int *list) {
    int count = 0, kept = 0;
    list[count++] = i;
    for (int e = 0; e < 2; e++) {
        int body = one->hold[i].body[e];
        for (int k = body < 0 ? 0 : of->first[body]; body >= 0 && k < of->first[body + 1]; k++)
            list[count++] = of->contact[k];
    }
    qsort(list, (size_t)count, sizeof *list, ascending);
    for (int k = 0; k < count; k++)
        if (k == 0 || list[k] != list[k - 1]) list[kept++] = list[k];
    return kept;
}

/// W, b and the problem. Optional laws that are zero everywhere are left out.
static inline void condense(mechanism *one) {
    size_t nc = (size_t)one->contacts, dd = (size_t)(one->d * one->d), blocks = 0, room = 0;
    reach of = find_reach(one);
    int *list = zeros(2 * nc + 1, sizeof *list);
    for (int i = 0; i < one->contacts; i++) room += (size_t)neighbours(one, &of, i, list);
    free(one->column);
    free(one->block);
    one->column = zeros(room, sizeof(int));
    one->block = zeros(room * dd, sizeof(double));
    for (int i = 0; i < one->contacts; i++) {
        int count = neighbours(one, &of, i, list);
        for (int k = 0; k < count; k++) {
            if (!couple(one, i, list[k], one->block + blocks * dd)) continue;
            if (list[k] == i) one->diagonal[i] = (int)blocks;
            one->column[blocks++] = list[k];
        }
        one->row[i + 1] = (int)blocks;
    }
    free(list);
    free(of.first);
    free(of.contact);
    find_b(one);
    bool elliptic = false, sticky = false, jointed = false;
    for (size_t i = 0; i < nc; i++) {
        elliptic = elliptic || one->mu_second[i] > 0;
        sticky = sticky || one->cohesion[i] > 0;
        jointed = jointed || one->equality[i];
    }
    one->problem = (scree_problem){ .contacts = one->contacts,
                                    .dimension = one->d,
                                    .row = one->row,
                                    .column = one->column,
                                    .diagonal = one->diagonal,
                                    .block = one->block,
                                    .b = one->b,
                                    .mu = one->mu,
                                    .mu_second = elliptic ? one->mu_second : NULL,
                                    .mu_rolling = one->d == 5 ? one->mu_rolling : NULL,
                                    .cohesion = sticky ? one->cohesion : NULL,
                                    .equality = jointed ? one->equality : NULL };
}

/// s = W p + b, from the bodies: v = velocity + M^-1 H^T p (bodies x 6).
static inline void move(const mechanism *one, const double *p, double *v, double *s) {
    memcpy(v, one->velocity, (size_t)one->bodies * 6 * sizeof *v);
    for (int i = 0; i < one->contacts; i++)
        for (int e = 0; e < 2; e++) {
            int body = one->hold[i].body[e];
            for (int r = 0; r < one->d && body >= 0; r++)
                for (int k = 0; k < 6; k++)
                    v[body * 6 + k] +=
                        one->inverse[body * 6 + k] * one->hold[i].H[e][r][k] * p[i * one->d + r];
        }
    for (int i = 0; i < one->contacts; i++)
        for (int r = 0; r < one->d; r++) {
            double sum = one->w[i * one->d + r];
            for (int e = 0; e < 2; e++)
                for (int k = 0; one->hold[i].body[e] >= 0 && k < 6; k++)
                    sum += one->hold[i].H[e][r][k] * v[one->hold[i].body[e] * 6 + k];
            s[i * one->d + r] = sum;
        }
}

// -------------------------------------------------------------------------------------------------
// the judge

/// Friction of two components with coefficients m[0], m[1] under the normal impulse q: within the
/// ellipse, and sliding against the outward normal of the point where it is.
static inline double slip_miss(const double *p, const double *s, int count, const double *m,
                               double q) {
    double sigma = 0, off = 0, reached = 0, most = fmax(m[0], m[1]);
    for (int k = 0; k < count; k++) sigma = hypot(sigma, m[k] * s[k]);
    for (int k = 0; k < count; k++) {
        off = hypot(off, sigma * p[k] + q * m[k] * m[k] * s[k]);
        reached = hypot(reached, m[k] > 0 ? p[k] / m[k] : p[k] == 0 ? 0 : HUGE_VAL);
    }
    return fmax(fmax(0, reached - q), most > 0 ? off / most : 0);
}

/// How far contact i is from its law; p, s and c are measured against the largest of the problem.
static inline double contact_miss(const mechanism *one, int i, const double *p, const double *s,
                                  double c) {
    int d = one->d;
    double worst = 0, q = p[0] + c;
    if (one->equality[i]) {
        for (int k = 0; k < d; k++) worst = fmax(worst, fabs(s[k]));
        return worst;
    }
    double m[2] = { one->mu[i], one->mu_second[i] > 0 ? one->mu_second[i] : one->mu[i] };
    double rolling[2] = { one->mu_rolling[i], one->mu_rolling[i] };
    worst = fmax(fmax(-q, -s[0]), fmin(q, s[0]));
    worst = fmax(worst, slip_miss(p + 1, s + 1, d == 2 ? 1 : 2, m, q));
    if (d == 5) worst = fmax(worst, slip_miss(p + 3, s + 3, 2, rolling, q));
    return worst;
}

/// The worst contact. Impulses are measured against the largest |p|, velocities against |b|.
static inline double law_miss(const mechanism *one, const double *p, const double *s) {
    double impulse = 1e-300, speed = 1e-300, worst = 0;
    for (int i = 0; i < rows_of(one); i++) {
        impulse = fmax(impulse, fabs(p[i]));
        speed = fmax(speed, fabs(one->b[i]));
        if (!isfinite(p[i]) || !isfinite(s[i])) return HUGE_VAL;
    }
    for (int i = 0; i < one->contacts; i++) {
        double x[5] = { 0 }, y[5] = { 0 };
        for (int k = 0; k < one->d; k++) {
            x[k] = p[i * one->d + k] / impulse;
            y[k] = s[i * one->d + k] / speed;
        }
        worst = fmax(worst, contact_miss(one, i, x, y, one->cohesion[i] / impulse));
    }
    return worst;
}

// -------------------------------------------------------------------------------------------------
// solving

static inline bool is_planar_solver(const char *name) {
    return strcmp(name, "lemke") == 0 || strcmp(name, "enumerate") == 0;
}

/// Solve from p; a report that contradicts itself is a complaint.
static inline scree_report solve_mechanism(const mechanism *one, const char *solver,
                                           double tolerance, int sweeps, double *p) {
    scree_solver_options options = scree_solver_options_default();
    scree_report report = { .iterations = -1 };
    scree_error err = { 0 };
    options.name = solver;
    options.tolerance = tolerance;
    options.max_sweeps = sweeps;
    scree_status status = scree_solve(&one->problem, &options, p, &report, &err);
    if (status) {
        COMPLAIN("%s: status %d, %s", solver, (int)status, err.text);
        return (scree_report){ .solver = solver, .reason = SCREE_STOP_BROKEN };
    }
    if (report.converged != (report.reason == SCREE_STOP_SOLVED))
        COMPLAIN("%s: converged %d, but \"%s\"", solver, report.converged,
                 scree_stop_reason_text(report.reason));
    if (report.iterations < 0 || report.iterations > sweeps)
        COMPLAIN("%s: %d iterations of %d", solver, report.iterations, sweeps);
    return report;
}

#endif
