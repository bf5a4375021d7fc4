// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fem_matrix.c - mass and stiffness of a mesh, pair of nodes after pair of nodes.
// in: mesh, material.   out: blocks between nodes; their products with vectors.
//
//     (K x)_i = sum_j K_ij (x_j - x_i)
//     x . K x = sum_{i<j}  - d . K_ij d + 2 (x_i - x_0) . A_ij d,     d = x_j - x_i
//
// as K_ii is minus the sum of the others of its row. A_ij is the skew part of K_ij: elements that
// share a pair take it from each other, so that inside the body it is nothing but rounding, and
// along the boundary it remains; for T3 it is (lambda - mu) thickness / 4. Over each row it adds
// up to zero, so that x_0 may be anything: here the displacement of the first node.

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/order.h"
#include "base/sparse_rows.h"
#include "model/fem.h"
#include "model/fem_element.h"
#include "model/fem_kind.h"

#define ALWAYS_INLINE static inline __attribute__((always_inline))

// ---- material

static scree_status bad_number(const char *name, double value, const char *wanted,
                               scree_error *err) {
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "%s of an elastic body is %g: %s", name,
                      value, wanted);
}

static bool is_positive(double value) { return value > 0 && isfinite(value); }
static bool is_not_negative(double value) { return value >= 0 && isfinite(value); }

static scree_status check_material(const scree_material *material, int space, scree_error *err) {
    const char *positive = "it must be positive", *not_negative = "it must not be negative";
    if (!is_positive(material->young))
        return bad_number("Young's modulus", material->young, positive, err);
    if (material->poisson >= 0.5)
        return bad_number("Poisson's ratio", material->poisson,
                          "it must be below 0.5; for a material that keeps its volume "
                          "take 0.4999 and Q4, H8, Q8 or H20, which do not lock",
                          err);
    if (!(material->poisson > -1))
        return bad_number("Poisson's ratio", material->poisson, "it must be above -1", err);
    if (!is_positive(material->density))
        return bad_number("density", material->density, positive, err);
    if (space == 2 && !is_positive(material->thickness))
        return bad_number("thickness", material->thickness, positive, err);
    if (!is_not_negative(material->damping_mass))
        return bad_number("damping by mass", material->damping_mass, not_negative, err);
    if (!is_not_negative(material->damping_stiffness))
        return bad_number("damping by stiffness", material->damping_stiffness, not_negative, err);
    if (space == 3 && material->plane_stress)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "plane stress is for bodies in the plane");
    return SCREE_OK;
}

// ---- pattern

// the elements of each node: first (nodes + 1), element
static bool find_elements(const scree_mesh *mesh, scree_arena *arena, int **first, int **element) {
    int corners = mesh->first[mesh->elements];
    *first = SCREE_NEW(arena, int, mesh->nodes + 2);
    *element = SCREE_NEW(arena, int, corners);
    if (!*first || !*element) return false;
    int *next = *first + 1;  // one place ahead: filling turns beginnings into ends
    for (int k = 0; k < corners; k++) next[mesh->corner[k] + 1]++;
    for (int i = 0; i < mesh->nodes; i++) next[i + 1] += next[i];
    for (int e = 0; e < mesh->elements; e++)
        for (int k = mesh->first[e]; k < mesh->first[e + 1]; k++)
            (*element)[next[mesh->corner[k]]++] = e;
    return true;
}

// the nodes behind node i that share an element with it; column: NULL to count them
static int find_neighbours(const scree_mesh *mesh, const int *first, const int *element, int i,
                           int *seen, int *column) {
    int count = 0;
    for (int at = first[i]; at < first[i + 1]; at++)
        for (int k = mesh->first[element[at]]; k < mesh->first[element[at] + 1]; k++) {
            int j = mesh->corner[k];
            if (j <= i || seen[j] == i) continue;
            seen[j] = i;
            if (column) column[count] = j;
            count++;
        }
    return count;
}

static void forget(int *seen, int nodes) {
    for (int j = 0; j < nodes; j++) seen[j] = -1;
}

static scree_status no_memory(int nodes, scree_error *err) {
    return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "no memory for a mesh of %d nodes",
                      nodes);
}

static scree_status find_pairs(const scree_mesh *mesh, scree_arena *arena, scree_fem *fem,
                               scree_arena *scratch, scree_error *err) {
    int *first, *element, *seen = SCREE_NEW(scratch, int, mesh->nodes);
    fem->row = SCREE_NEW(arena, int, mesh->nodes + 1);
    if (!seen || !fem->row || !find_elements(mesh, scratch, &first, &element))
        return no_memory(mesh->nodes, err);
    forget(seen, mesh->nodes);
    for (int i = 0; i < mesh->nodes; i++) {
        int count = find_neighbours(mesh, first, element, i, seen, NULL);
        if (count > INT_MAX - fem->row[i])
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "mesh of %d nodes is too large",
                              mesh->nodes);
        fem->row[i + 1] = fem->row[i] + count;
    }
    fem->column = SCREE_NEW(arena, int, fem->row[mesh->nodes]);
    if (!fem->column) return no_memory(mesh->nodes, err);
    forget(seen, mesh->nodes);
    for (int i = 0; i < mesh->nodes; i++) {
        int *column = fem->column + fem->row[i];
        scree_order_insert(column, find_neighbours(mesh, first, element, i, seen, column));
    }
    return SCREE_OK;
}

// ---- assembly

// K_ab to where it stands between two nodes, turned over if b has the lower one
static void add_stiffness(const double *K, double thickness, bool turned, int space, double *to) {
    for (int r = 0; r < space; r++)
        for (int c = 0; c < space; c++)
            to[space * r + c] += thickness * (turned ? K[space * c + r] : K[space * r + c]);
}

static bool add_element(const scree_fem_shape *shape, const scree_material *material,
                        scree_fem *fem) {
    double K[SCREE_FEM_PAIRS * 9], pair[SCREE_FEM_PAIRS], own[SCREE_FEM_NODES], whole = 0, sum = 0;
    int n = shape->nodes, space = shape->space, block = space * space, at = 0;
    double thickness = space == 2 ? material->thickness : 1;
    double density = material->density * thickness;
    if (!scree_fem_stiffness_element(shape, scree_fem_element_moduli(material, space), K) ||
        !scree_fem_element_mass(shape, pair, own))
        return false;
    for (int a = 0; a < n; a++) whole += own[a];
    sum = whole;
    for (int k = 0; k < n * (n - 1) / 2; k++) whole += 2 * pair[k];
    for (int a = 0; a < n; a++) {
        int i = shape->node[a];
        // of quadratic elements rows of the mass add up to nothing at corners, or to less
        double lump = shape->row->quadratic ? whole * (own[a] / sum) : whole / n;
        fem->diagonal[i] += density * (material->lumped ? lump : own[a]);
        for (int b = a + 1; b < n; b++, at++) {
            int j = shape->node[b];
            int p = i < j ? scree_sparse_rows_find(fem->row, fem->column, i, j)
                          : scree_sparse_rows_find(fem->row, fem->column, j, i);
            add_stiffness(K + at * block, thickness, i > j, space,
                          fem->stiffness + (size_t)p * (size_t)block);
            if (!material->lumped) fem->mass[p] += density * pair[at];
        }
    }
    return true;
}

scree_status scree_fem_assemble(const scree_mesh *mesh, const scree_material *material,
                                scree_arena *arena, scree_fem *fem, scree_error *err) {
    *fem = (scree_fem){ .nodes = mesh->nodes, .space = mesh->space, .lumped = material->lumped };
    scree_status status = check_material(material, mesh->space, err);
    if (status != SCREE_OK) return status;
    scree_arena scratch = { 0 };
    status = find_pairs(mesh, arena, fem, &scratch, err);
    scree_arena_free(&scratch);
    if (status != SCREE_OK) return status;
    size_t pairs = (size_t)fem->row[mesh->nodes], block = (size_t)(mesh->space * mesh->space);
    fem->stiffness = SCREE_NEW(arena, double, (pairs * block));
    fem->mass = SCREE_NEW(arena, double, pairs);
    fem->diagonal = SCREE_NEW(arena, double, mesh->nodes);
    if (!fem->stiffness || !fem->mass || !fem->diagonal) return no_memory(mesh->nodes, err);
    for (int e = 0; e < mesh->elements; e++) {
        scree_fem_shape shape;
        scree_fem_element_shape(mesh, e, &shape);
        if (!add_element(&shape, material, fem))
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "element %d (from 0) is turned inside out or has no size", e);
    }
    return SCREE_OK;
}

// ---- products

static void stiffness_2(const scree_fem *fem, const double *restrict x, double *restrict y) {
    const double *restrict K = fem->stiffness;
    const int *restrict row = fem->row, *restrict column = fem->column;
    for (int i = 0; i < fem->nodes; i++) {
        double x0 = x[2 * (size_t)i], x1 = x[2 * (size_t)i + 1], y0 = 0, y1 = 0;
        for (int p = row[i]; p < row[i + 1]; p++) {
            size_t j = 2 * (size_t)column[p];
            const double *k = K + 4 * (size_t)p;
            double d0 = x[j] - x0, d1 = x[j + 1] - x1;
            y0 += k[0] * d0 + k[1] * d1;
            y1 += k[2] * d0 + k[3] * d1;
            y[j] -= k[0] * d0 + k[2] * d1;
            y[j + 1] -= k[1] * d0 + k[3] * d1;
        }
        y[2 * (size_t)i] += y0;
        y[2 * (size_t)i + 1] += y1;
    }
}

static void stiffness_3(const scree_fem *fem, const double *restrict x, double *restrict y) {
    const double *restrict K = fem->stiffness;
    const int *restrict row = fem->row, *restrict column = fem->column;
    for (int i = 0; i < fem->nodes; i++) {
        const double *xi = x + 3 * (size_t)i;
        double *yi = y + 3 * (size_t)i;
        double x0 = xi[0], x1 = xi[1], x2 = xi[2], y0 = 0, y1 = 0, y2 = 0;
        for (int p = row[i]; p < row[i + 1]; p++) {
            size_t j = 3 * (size_t)column[p];
            const double *k = K + 9 * (size_t)p;
            double d0 = x[j] - x0, d1 = x[j + 1] - x1, d2 = x[j + 2] - x2;
            y0 += k[0] * d0 + k[1] * d1 + k[2] * d2;
            y1 += k[3] * d0 + k[4] * d1 + k[5] * d2;
            y2 += k[6] * d0 + k[7] * d1 + k[8] * d2;
            y[j] -= k[0] * d0 + k[3] * d1 + k[6] * d2;
            y[j + 1] -= k[1] * d0 + k[4] * d1 + k[7] * d2;
            y[j + 2] -= k[2] * d0 + k[5] * d1 + k[8] * d2;
        }
        yi[0] += y0;
        yi[1] += y1;
        yi[2] += y2;
    }
}

void scree_fem_stiffness(const scree_fem *fem, const double *x, double *y) {
    memset(y, 0, (size_t)fem->nodes * (size_t)fem->space * sizeof *y);
    if (fem->space == 2)
        stiffness_2(fem, x, y);
    else
        stiffness_3(fem, x, y);
}

// y has M_ii x_i already
ALWAYS_INLINE void add_pair_mass(const scree_fem *fem, size_t space, const double *restrict x,
                                 double *restrict y) {
    for (int i = 0; i < fem->nodes; i++) {
        const double *xi = x + space * (size_t)i;
        double sum[3] = { 0 }, *yi = y + space * (size_t)i;
        for (int p = fem->row[i]; p < fem->row[i + 1]; p++) {
            size_t j = space * (size_t)fem->column[p];
            double m = fem->mass[p];
            for (size_t c = 0; c < space; c++) sum[c] += m * x[j + c];
            for (size_t c = 0; c < space; c++) y[j + c] += m * xi[c];
        }
        for (size_t c = 0; c < space; c++) yi[c] += sum[c];
    }
}

void scree_fem_mass(const scree_fem *fem, const double *x, double *y) {
    size_t space = (size_t)fem->space;
    for (size_t i = 0; i < (size_t)fem->nodes; i++)
        for (size_t c = 0; c < space; c++) y[space * i + c] = fem->diagonal[i] * x[space * i + c];
    if (fem->lumped) return;
    if (space == 2)
        add_pair_mass(fem, 2, x, y);
    else
        add_pair_mass(fem, 3, x, y);
}

// ---- quadratic forms

typedef struct sum {
    double value, size;
} sum;

// sized: the absolute values are wanted too
ALWAYS_INLINE sum stiffness_form_2(const scree_fem *fem, const double *x, bool sized) {
    sum all = { 0 };
    for (int i = 0; i < fem->nodes; i++) {
        double x0 = x[2 * (size_t)i], x1 = x[2 * (size_t)i + 1], r0 = x0 - x[0], r1 = x1 - x[1];
        for (int p = fem->row[i]; p < fem->row[i + 1]; p++) {
            size_t j = 2 * (size_t)fem->column[p];
            const double *k = fem->stiffness + 4 * (size_t)p;
            double d0 = x[j] - x0, d1 = x[j + 1] - x1;
            double a = d0 * (k[0] * d0 + k[1] * d1), b = d1 * (k[2] * d0 + k[3] * d1);
            double turn = (k[1] - k[2]) * (r0 * d1 - r1 * d0);
            all.value += turn - (a + b);
            if (sized) all.size += fabs(turn) + fabs(a) + fabs(b);
        }
    }
    return all;
}

ALWAYS_INLINE sum stiffness_form_3(const scree_fem *fem, const double *x, bool sized) {
    sum all = { 0 };
    for (int i = 0; i < fem->nodes; i++) {
        const double *xi = x + 3 * (size_t)i;
        double r0 = xi[0] - x[0], r1 = xi[1] - x[1], r2 = xi[2] - x[2];
        for (int p = fem->row[i]; p < fem->row[i + 1]; p++) {
            const double *xj = x + 3 * (size_t)fem->column[p], *k = fem->stiffness + 9 * (size_t)p;
            double d0 = xj[0] - xi[0], d1 = xj[1] - xi[1], d2 = xj[2] - xi[2];
            double a = d0 * (k[0] * d0 + k[1] * d1 + k[2] * d2);
            double b = d1 * (k[3] * d0 + k[4] * d1 + k[5] * d2);
            double c = d2 * (k[6] * d0 + k[7] * d1 + k[8] * d2);
            double turn0 = (k[5] - k[7]) * (r1 * d2 - r2 * d1);
            double turn1 = (k[6] - k[2]) * (r2 * d0 - r0 * d2);
            double turn2 = (k[1] - k[3]) * (r0 * d1 - r1 * d0);
            all.value += (turn0 + turn1 + turn2) - (a + b + c);
            if (sized)
                all.size += fabs(turn0) + fabs(turn1) + fabs(turn2) + fabs(a) + fabs(b) + fabs(c);
        }
    }
    return all;
}

double scree_fem_stiffness_form(const scree_fem *fem, const double *x, double *size) {
    if (!size)
        return fem->space == 2 ? stiffness_form_2(fem, x, false).value
                               : stiffness_form_3(fem, x, false).value;
    sum all = fem->space == 2 ? stiffness_form_2(fem, x, true) : stiffness_form_3(fem, x, true);
    *size = all.size;
    return all.value;
}

ALWAYS_INLINE sum mass_form_of(const scree_fem *fem, const double *x, size_t space, bool sized) {
    sum all = { 0 };
    for (int i = 0; i < fem->nodes; i++) {
        const double *xi = x + space * (size_t)i;
        double with[3], size = 0;
        for (size_t c = 0; c < space; c++) with[c] = fem->diagonal[i] / 2 * xi[c];
        for (int p = fem->row[i]; p < fem->row[i + 1] && !fem->lumped; p++) {
            const double *xj = x + space * (size_t)fem->column[p];
            for (size_t c = 0; c < space; c++) with[c] += fem->mass[p] * xj[c];
            for (size_t c = 0; sized && c < space; c++) size += fem->mass[p] * fabs(xi[c] * xj[c]);
        }
        double own = 0;
        for (size_t c = 0; c < space; c++) own += with[c] * xi[c];
        all.value += 2 * own;
        for (size_t c = 0; sized && c < space; c++) size += fem->diagonal[i] / 2 * xi[c] * xi[c];
        all.size += 2 * size;
    }
    return all;
}

double scree_fem_mass_form(const scree_fem *fem, const double *x, double *size) {
    if (!size)
        return fem->space == 2 ? mass_form_of(fem, x, 2, false).value
                               : mass_form_of(fem, x, 3, false).value;
    sum all = fem->space == 2 ? mass_form_of(fem, x, 2, true) : mass_form_of(fem, x, 3, true);
    *size = all.size;
    return all.value;
}

// ---- mass M + stiffness K

typedef struct combined {
    const scree_fem *fem;
    double mass, stiffness;
    const int *number;
    int *dof;         // of each free one
    int *first;       // pairs in which a node is the higher one: first (nodes + 1),
    int *low, *pair;  // the other node, the pair
    double *own;      // K_ii (nodes x space x space)
} combined;

// what all pairs of a node take from its own block
static void fill_own(combined *now) {
    const scree_fem *fem = now->fem;
    int space = fem->space, block = space * space;
    for (int i = 0; i < fem->nodes; i++)
        for (int p = fem->row[i]; p < fem->row[i + 1]; p++) {
            const double *K = fem->stiffness + (size_t)p * (size_t)block;
            double *a = now->own + (size_t)i * (size_t)block;
            double *b = now->own + (size_t)fem->column[p] * (size_t)block;
            for (int k = 0; k < block; k++) a[k] -= K[k];
            for (int r = 0; r < space; r++)
                for (int c = 0; c < space; c++) b[space * r + c] -= K[space * c + r];
        }
}

static void turn_over(combined *now) {
    const scree_fem *fem = now->fem;
    int *next = now->first + 1;
    for (int p = 0; p < fem->row[fem->nodes]; p++) next[fem->column[p] + 1]++;
    for (int i = 0; i < fem->nodes; i++) next[i + 1] += next[i];
    for (int i = 0; i < fem->nodes; i++)
        for (int p = fem->row[i]; p < fem->row[i + 1]; p++) {
            int at = next[fem->column[p]]++;
            now->low[at] = i;
            now->pair[at] = p;
        }
}

static bool prepare(combined *now, scree_arena *scratch, int *size) {
    const scree_fem *fem = now->fem;
    size_t pairs = (size_t)fem->row[fem->nodes], all = (size_t)fem->nodes * (size_t)fem->space;
    now->dof = SCREE_NEW(scratch, int, all);
    now->first = SCREE_NEW(scratch, int, fem->nodes + 2);
    now->low = SCREE_NEW(scratch, int, pairs);
    now->pair = SCREE_NEW(scratch, int, pairs);
    now->own = SCREE_NEW(scratch, double, (all * (size_t)fem->space));
    if (!now->dof || !now->first || !now->low || !now->pair || !now->own) return false;
    *size = 0;
    for (size_t k = 0; k < all; k++)
        if (now->number[k] >= 0) {
            now->dof[now->number[k]] = (int)k;
            (*size)++;
        }
    turn_over(now);
    fill_own(now);
    return true;
}

typedef struct column_list {  // columns that one row has entries in
    int64_t *end;             // of each column so far
    int *row;                 // NULL: count
    double *value;
} column_list;

// the entry of row r in the columns of node j: K_ij, K_ji turned over, or K_ii
static void put_block(const combined *now, int r, int j, const double *K, bool turned, double m,
                      column_list *list) {
    int space = now->fem->space, axis = now->dof[r] % space;
    for (int c = 0; c < space; c++) {
        int column = now->number[(size_t)j * (size_t)space + (size_t)c];
        // without stiffness the axes are not coupled
        if (column < 0 || column > r || (c != axis && now->stiffness == 0)) continue;
        int64_t at = list->end[column]++;
        if (!list->row) continue;
        double k = turned ? K[space * c + axis] : K[space * axis + c];
        list->row[at] = r;
        list->value[at] = now->stiffness * k + (c == axis ? now->mass * m : 0);
    }
}

static void put_row(const combined *now, int r, column_list *list) {
    const scree_fem *fem = now->fem;
    int i = now->dof[r] / fem->space;
    size_t block = (size_t)(fem->space * fem->space);
    bool coupled = now->stiffness != 0 || !fem->lumped;
    for (int at = now->first[i]; coupled && at < now->first[i + 1]; at++) {
        size_t p = (size_t)now->pair[at];
        put_block(now, r, now->low[at], fem->stiffness + p * block, true, fem->mass[p], list);
    }
    put_block(now, r, i, now->own + (size_t)i * block, false, fem->diagonal[i], list);
    for (int at = fem->row[i]; coupled && at < fem->row[i + 1]; at++) {
        size_t p = (size_t)at;
        put_block(now, r, fem->column[at], fem->stiffness + p * block, false, fem->mass[p], list);
    }
}

// rows in their order, so that each column gets its own in ascending order
static scree_status fill_columns(const combined *now, scree_arena *arena, scree_fem_matrix *matrix,
                                 scree_arena *scratch, scree_error *err) {
    int n = matrix->size;
    column_list list = { .end = SCREE_NEW(scratch, int64_t, n) };
    matrix->first = SCREE_NEW(arena, int, n + 1);
    if (!list.end || !matrix->first) return no_memory(now->fem->nodes, err);
    for (int r = 0; r < n; r++) put_row(now, r, &list);
    int64_t entries = 0;
    for (int c = 0; c < n; c++) {
        int64_t count = list.end[c];
        matrix->first[c] = (int)entries;
        list.end[c] = entries;
        entries += count;
        if (entries > INT_MAX)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "a matrix of %d rows has more entries than can be counted", n);
    }
    matrix->first[n] = (int)entries;
    matrix->row = list.row = SCREE_NEW(arena, int, entries);
    matrix->value = list.value = SCREE_NEW(arena, double, entries);
    if (!list.row || !list.value) return no_memory(now->fem->nodes, err);
    for (int r = 0; r < n; r++) put_row(now, r, &list);
    return SCREE_OK;
}

scree_status scree_fem_combine(const scree_fem *fem, double mass, double stiffness,
                               const int *number, scree_arena *arena, scree_fem_matrix *matrix,
                               scree_error *err) {
    combined now = { .fem = fem, .mass = mass, .stiffness = stiffness, .number = number };
    scree_arena scratch = { 0 };
    *matrix = (scree_fem_matrix){ 0 };
    scree_status status = prepare(&now, &scratch, &matrix->size)
                              ? fill_columns(&now, arena, matrix, &scratch, err)
                              : no_memory(fem->nodes, err);
    scree_arena_free(&scratch);
    return status;
}
