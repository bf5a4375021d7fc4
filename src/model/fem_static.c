// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fem_static.c - displacements of a mesh in equilibrium.
// in: mesh, K, held degrees of freedom, forces.   out: u.
//
//     K_ff u_f = f_f - K_fh u_h
//
// It has a solution if no part of the mesh can move as a rigid body. Such a motion t + w x r leaves
// the held components alone: t_a = - mean of (w x r)_a over the nodes held along axis a, and
//
//     ((r - mean of r over them) x e_a) . w = 0     for each node held along a.
//
// Translations are free along axes that nothing holds, turns are the null space of these rows,
// which is found by rotations of Givens and Jacobi, without squares that would halve the digits.

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/space.h"
#include "base/sparse_cholesky.h"
#include "model/fem.h"

enum { ROUNDS = 3, SWEEPS = 30, TEXT = 300 };

static const double singular = 1e-11;  // of rows whose lengths are of the order 1
static const double solved = 1e-6;     // residual against the largest force

// ---- rigid motions

typedef struct part {  // of the mesh, connected by elements
    int nodes, first;  // nodes, and the lowest
    double size;       // largest distance from the lowest node along an axis
    int held[3];
    double mean[3][3];  // of the nodes held along each axis, from the lowest node
    double R[3][3];     // triangle with the same null space as the rows
} part;

// each node gets the number of its part
static int find_parts(const scree_fem *fem, int *part_of, int *parent) {
    int parts = 0;
    for (int i = 0; i < fem->nodes; i++) parent[i] = i;
    for (int i = 0; i < fem->nodes; i++)
        for (int p = fem->row[i]; p < fem->row[i + 1]; p++) {
            int a = i, b = fem->column[p];
            while (parent[a] != a) a = parent[a] = parent[parent[a]];
            while (parent[b] != b) b = parent[b] = parent[parent[b]];
            parent[a > b ? a : b] = a > b ? b : a;
        }
    for (int i = 0; i < fem->nodes; i++)  // the root is the lowest node
        part_of[i] = parent[i] == i ? parts++ : part_of[parent[i]];
    return parts;
}

static void from_first(const scree_mesh *mesh, const part *p, int node, double r[3]) {
    size_t space = (size_t)mesh->space;
    for (size_t c = 0; c < 3; c++)
        r[c] = c < space
                   ? mesh->node[space * (size_t)node + c] - mesh->node[space * (size_t)p->first + c]
                   : 0;
}

static void measure_parts(const scree_mesh *mesh, const unsigned char *held, const int *part_of,
                          int parts, part *list) {
    double r[3];
    for (int i = mesh->nodes - 1; i >= 0; i--) list[part_of[i]].first = i;
    for (int i = 0; i < mesh->nodes; i++) {
        part *p = &list[part_of[i]];
        p->nodes++;
        from_first(mesh, p, i, r);
        for (int c = 0; c < 3; c++) p->size = fmax(p->size, fabs(r[c]));
        for (int a = 0; a < mesh->space; a++) {
            if (!held[(size_t)i * (size_t)mesh->space + (size_t)a]) continue;
            p->held[a]++;
            for (int c = 0; c < 3; c++) p->mean[a][c] += r[c];
        }
    }
    for (int k = 0; k < parts; k++)
        for (int a = 0; a < 3; a++)
            for (int c = 0; list[k].held[a] && c < 3; c++) list[k].mean[a][c] /= list[k].held[a];
}

// a row more: rotated into the triangle
static void add_row(double (*R)[3], double row[3]) {
    for (int k = 0; k < 3; k++) {
        double length = hypot(R[k][k], row[k]);
        if (length == 0) continue;
        double c = R[k][k] / length, s = row[k] / length;
        for (int j = k; j < 3; j++) {
            double upper = R[k][j], lower = row[j];
            R[k][j] = c * upper + s * lower;
            row[j] = c * lower - s * upper;
        }
    }
}

static void add_rows(const scree_mesh *mesh, const unsigned char *held, const int *part_of,
                     part *list) {
    for (int i = 0; i < mesh->nodes; i++) {
        part *p = &list[part_of[i]];
        for (int a = 0; a < mesh->space; a++) {
            if (!held[(size_t)i * (size_t)mesh->space + (size_t)a] || p->size == 0) continue;
            double r[3], axis[3] = { a == 0, a == 1, a == 2 }, row[3];
            from_first(mesh, p, i, r);
            for (int c = 0; c < 3; c++) r[c] = (r[c] - p->mean[a][c]) / p->size;
            scree_cross(r, axis, row);
            add_row(p->R, row);
        }
    }
}

static void rotate(double (*A)[3], double c, double s, int p, int q) {
    for (int k = 0; k < 3; k++) {
        double x = A[k][p], y = A[k][q];
        A[k][p] = c * x - s * y;
        A[k][q] = s * x + c * y;
    }
}

// columns of R V become orthogonal: their lengths are the singular values
static void make_orthogonal(double (*R)[3], double (*V)[3]) {
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++) V[k][j] = k == j;
    bool turned = true;
    for (int sweep = 0; turned && sweep < SWEEPS; sweep++) {
        turned = false;
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) {
                double a = 0, b = 0, both = 0;
                for (int k = 0; k < 3; k++) {
                    a += R[k][p] * R[k][p];
                    b += R[k][q] * R[k][q];
                    both += R[k][p] * R[k][q];
                }
                if (fabs(both) <= DBL_EPSILON * sqrt(a * b)) continue;
                double ratio = (b - a) / (2 * both);
                double t = copysign(1, ratio) / (fabs(ratio) + hypot(1, ratio));
                double c = 1 / hypot(1, t);
                rotate(R, c, t * c, p, q);
                rotate(V, c, t * c, p, q);
                turned = true;
            }
    }
}

// the turns that are free: orthonormal rows of `turn`; in the plane about z alone
static int find_turns(const part *p, int space, double (*turn)[3]) {
    double R[3][3], V[3][3];
    int turns = 0;
    if (p->nodes == 1) return 0;
    memcpy(R, p->R, sizeof R);
    if (space == 2)
        for (int k = 0; k < 2; k++) R[k][k] = 1;
    make_orthogonal(R, V);
    for (int j = 0; j < 3; j++) {
        double length = hypot(hypot(R[0][j], R[1][j]), R[2][j]);
        if (length > singular) continue;
        for (int k = 0; k < 3; k++) turn[turns][k] = V[k][j];
        turns++;
    }
    return turns;
}

// ---- words for them

typedef struct words {
    char text[TEXT];
    size_t length;
    int count;
    const char *verb;  // the last
} words;

static void say(words *w, const char *verb, const char *what) {
    size_t room = sizeof w->text - w->length;
    int more = snprintf(w->text + w->length, room, "%s%s%s", w->count ? " and " : "",
                        verb == w->verb ? "" : verb, what);
    w->verb = verb;
    if (more > 0) w->length += (size_t)more < room ? (size_t)more : room - 1;
    w->count++;
}

// take direction d out of the space of turns, if it lies in it
static bool take_axis(double (*turn)[3], int *turns, const double d[3]) {
    double share[3], square = 0;
    for (int k = 0; k < *turns; k++) {
        share[k] = scree_dot(turn[k], d);
        square += share[k] * share[k];
    }
    if (square < 1 - 1e-8) return false;
    // the rest: each without its part along d, the one that is nearest to d left out
    int nearest = 0;
    for (int k = 1; k < *turns; k++)
        if (fabs(share[k]) > fabs(share[nearest])) nearest = k;
    int kept = 0;
    for (int k = 0; k < *turns; k++) {
        if (k == nearest) continue;
        double rest[3];
        for (int c = 0; c < 3; c++) rest[c] = turn[k][c] - share[k] * d[c];
        for (int other = 0; other < kept; other++) {
            double both = scree_dot(turn[other], rest);
            for (int c = 0; c < 3; c++) rest[c] -= both * turn[other][c];
        }
        double length = scree_length(rest);
        for (int c = 0; c < 3; c++) turn[kept][c] = rest[c] / length;
        kept++;
    }
    *turns = kept;
    return true;
}

static const char *const along = "move along ", *const about = "turn about ";

static void say_direction(words *w, const double *turn) {
    char direction[80];
    double clean[3], largest = 0;
    for (int c = 0; c < 3; c++)
        if (fabs(turn[c]) > fabs(largest)) largest = turn[c];
    for (int c = 0; c < 3; c++)
        clean[c] = fabs(turn[c]) < 1e-6 ? 0 : copysign(1, largest) * turn[c];
    snprintf(direction, sizeof direction, "(%.3g, %.3g, %.3g)", clean[0], clean[1], clean[2]);
    say(w, about, direction);
}

static void describe(const part *p, int space, words *w) {
    static const char *const axis_name[3] = { "x", "y", "z" };
    double turn[3][3];
    int turns = find_turns(p, space, turn);
    for (int a = 0; a < space; a++)
        if (!p->held[a]) say(w, along, axis_name[a]);
    for (int a = 0; a < 3; a++) {
        const double axis[3] = { a == 0, a == 1, a == 2 };
        if (turns > 0 && take_axis(turn, &turns, axis)) say(w, about, axis_name[a]);
    }
    for (int k = 0; k < turns; k++) say_direction(w, turn[k]);
}

static scree_status no_memory(const scree_fem *fem, scree_error *err) {
    return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE,
                      "no memory for the equilibrium of %d nodes", fem->nodes);
}

static scree_status check_held(const scree_mesh *mesh, const scree_fem *fem,
                               const unsigned char *held, scree_arena *scratch, scree_error *err) {
    int *part_of = SCREE_NEW(scratch, int, fem->nodes),
        *parent = SCREE_NEW(scratch, int, fem->nodes);
    if (!part_of || !parent) return no_memory(fem, err);
    int parts = find_parts(fem, part_of, parent), loose = 0;
    part *list = SCREE_NEW(scratch, part, parts), *worst = NULL;
    if (!list) return no_memory(fem, err);
    measure_parts(mesh, held, part_of, parts, list);
    add_rows(mesh, held, part_of, list);
    words first = { .count = 0 };
    for (int k = 0; k < parts; k++) {
        words w = { .count = 0 };
        describe(&list[k], mesh->space, &w);
        if (!w.count) continue;
        if (!loose++) {
            first = w;
            worst = &list[k];
        }
    }
    if (!loose) return SCREE_OK;
    if (parts == 1)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "no static state: the body can still %s", first.text);
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                      "no static state: the part of the mesh with node %d (from 0) can still %s; "
                      "%d of %d parts can move",
                      worst->first, first.text, loose, parts);
}

// ---- solution

typedef struct equilibrium {
    const scree_fem *fem;
    const int *number;
    const double *force;
    size_t all;
    double *product, *rest;  // K u; of the free ones
} equilibrium;

// f - K u where it is free; returns its largest entry, and that of the forces it is made of
static double find_rest(const equilibrium *now, const double *u, double *scale) {
    double largest = 0;
    scree_fem_stiffness(now->fem, u, now->product);
    for (size_t k = 0; k < now->all; k++) {
        *scale = fmax(*scale, fmax(fabs(now->force[k]), fabs(now->product[k])));
        if (now->number[k] < 0) continue;
        double rest = now->force[k] - now->product[k];
        now->rest[now->number[k]] = rest;
        largest = fmax(largest, fabs(rest));
    }
    return largest;
}

// corrected by what is left, so that displacements far from zero lose no digits
static scree_status refine_solution(const equilibrium *now, scree_sparse_cholesky *chol, double *u,
                                    scree_error *err) {
    double scale = 0, rest = find_rest(now, u, &scale);
    for (int round = 0; round < ROUNDS && rest > 0; round++) {
        scree_sparse_cholesky_solve(chol, now->rest);
        for (size_t k = 0; k < now->all; k++)
            if (now->number[k] >= 0) u[k] += now->rest[now->number[k]];
        scale = 0;
        rest = find_rest(now, u, &scale);
    }
    if (rest <= solved * scale) return SCREE_OK;
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                      "no static state: the equations are singular; do parts of the mesh hang "
                      "together in one node or edge only?");
}

static scree_status solve(const scree_fem *fem, const int *number, const double *force, double *u,
                          scree_arena *scratch, scree_error *err) {
    scree_fem_matrix K;
    scree_status status = scree_fem_combine(fem, 0, 1, number, scratch, &K, err);
    if (status != SCREE_OK || K.size == 0) return status;
    equilibrium now = {
        .fem = fem, .number = number, .force = force, .all = (size_t)fem->nodes * (size_t)fem->space
    };
    now.product = SCREE_NEW(scratch, double, now.all);
    now.rest = SCREE_NEW(scratch, double, K.size);
    scree_sparse_cholesky *chol = scree_sparse_cholesky_new(K.size, K.first, K.row);
    if (!now.product || !now.rest || !chol)
        status = no_memory(fem, err);
    else if (!scree_sparse_cholesky_factor(chol, K.value))
        status = scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                            "no static state: the stiffness is not positive; do parts of the mesh "
                            "hang together in one node or edge only?");
    else
        status = refine_solution(&now, chol, u, err);
    scree_sparse_cholesky_free(chol);
    return status;
}

scree_status scree_fem_static(const scree_mesh *mesh, const scree_fem *fem,
                              const unsigned char *held, const double *force, double *u,
                              scree_error *err) {
    scree_arena scratch = { 0 };
    size_t all = (size_t)fem->nodes * (size_t)fem->space;
    int *number = SCREE_NEW(&scratch, int, all), free_ones = 0;
    scree_status status = number ? check_held(mesh, fem, held, &scratch, err) : no_memory(fem, err);
    for (size_t k = 0; status == SCREE_OK && k < all; k++) {
        number[k] = held[k] ? -1 : free_ones++;
        if (!held[k]) u[k] = 0;
    }
    if (status == SCREE_OK) status = solve(fem, number, force, u, &scratch, err);
    scree_arena_free(&scratch);
    return status;
}
