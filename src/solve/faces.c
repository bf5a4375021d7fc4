// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// faces.c - vertices and rays by double description, containment.
//
// The coordinates of a set are the variables outside the basis that may move, its constraints the
// signs of the basic ones. In homogeneous form (t, y) it is a cone that begins as the orthant; each
// constraint keeps the generators on its good side and adds one on each edge that crosses it. An
// edge joins two generators whose common zeros no third one has.

#include "solve/faces.h"

#include <math.h>
#include <string.h>

typedef struct mask {  // one bit for each variable, the last one for t
    uint64_t word[2];
} mask;

typedef struct cone {  // of generators (t, y)
    int size;          // 1 + coordinates
    int count, room;
    double *x;    // largest entry 1    (room x size)
    mask *zeros;  // variables that are zero    (room)
    double tolerance;
} cone;

typedef struct frame {  // which variables are the coordinates
    int coordinates;
    int other[SCREE_CELLS_UNKNOWNS];    // column of the dictionary
    double sign[SCREE_CELLS_UNKNOWNS];  // -1 where it must be negative
    int lines;                          // columns that no constraint sees
    int line[SCREE_CELLS_UNKNOWNS];
} frame;

enum { AT_INFINITY = 127 };

static void mark(mask *m, int variable) { m->word[variable / 64] |= (uint64_t)1 << variable % 64; }

static void unmark(mask *m, int variable) {
    m->word[variable / 64] &= ~((uint64_t)1 << variable % 64);
}

static mask both(mask a, mask b) {
    return (mask){ { a.word[0] & b.word[0], a.word[1] & b.word[1] } };
}

static bool is_equal(mask a, mask b) { return a.word[0] == b.word[0] && a.word[1] == b.word[1]; }

static bool has(mask all, mask part) { return is_equal(both(all, part), part); }

static int marks(mask m) {
    return __builtin_popcountll(m.word[0]) + __builtin_popcountll(m.word[1]);
}

static int variables(const scree_cells *cells) { return cells->unknowns + cells->rows; }

static bool is_sign(scree_side side) { return side == SCREE_SIDE_UP || side == SCREE_SIDE_DOWN; }

// -------------------------------------------------------------------------------------------------
// double description

static double *generator(const cone *c, int i) { return c->x + (size_t)i * (size_t)c->size; }

static double product(const cone *c, int i, const double *row) {
    double sum = 0;
    for (int k = 0; k < c->size; k++) sum += row[k] * generator(c, i)[k];
    return fabs(sum) <= c->tolerance ? 0 : sum;
}

static void normalise(double *x, int size) {
    double largest = 0;
    for (int k = 0; k < size; k++) largest = fmax(largest, fabs(x[k]));
    for (int k = 0; k < size && largest > 0; k++) x[k] /= largest;
}

static bool is_edge(const cone *c, int count, int i, int j) {
    mask common = both(c->zeros[i], c->zeros[j]);
    if (marks(common) < c->size - 2) return false;
    for (int k = 0; k < count; k++)
        if (k != i && k != j && has(c->zeros[k], common)) return false;
    return true;
}

// forget generators on the bad side
static void keep_good(cone *c, const double *value, int before) {
    int kept = 0;
    for (int i = 0; i < c->count; i++) {
        if (i < before && value[i] < 0) continue;
        memmove(generator(c, kept), generator(c, i), (size_t)c->size * sizeof *c->x);
        c->zeros[kept++] = c->zeros[i];
    }
    c->count = kept;
}

// row.(t, y) >= 0; false if there are too many generators. value: scratch (room)
static bool cut(cone *c, const double *row, int variable, double *value) {
    int before = c->count;
    for (int i = 0; i < before; i++) value[i] = product(c, i, row);
    for (int i = 0; i < before; i++)
        for (int j = 0; j < before && value[i] > 0; j++) {
            if (value[j] >= 0 || !is_edge(c, before, i, j)) continue;
            if (c->count == c->room) return false;
            double *x = generator(c, c->count);
            for (int k = 0; k < c->size; k++)
                x[k] = value[i] * generator(c, j)[k] - value[j] * generator(c, i)[k];
            normalise(x, c->size);
            c->zeros[c->count] = both(c->zeros[i], c->zeros[j]);
            mark(&c->zeros[c->count++], variable);
        }
    for (int i = 0; i < before; i++)
        if (value[i] == 0) mark(&c->zeros[i], variable);
    keep_good(c, value, before);
    return true;
}

// -------------------------------------------------------------------------------------------------
// from a dictionary to vertices and rays

static const double *row_of(const scree_node *node, int i) {
    return node->a + (size_t)i * (size_t)(node->cells->unknowns + 1);
}

// a variable without a sign becomes basic in place of one with a sign
static bool hide(scree_node *node, int other) {
    int best = -1;
    double most = 0;
    for (int i = 0; i < node->cells->rows; i++) {
        double size = fabs(row_of(node, i)[other]);
        if (!is_sign(node->side[node->basic[i]]) || size <= scree_node_smallest(node, i)) continue;
        if (size <= most) continue;
        most = size;
        best = i;
    }
    if (best >= 0) scree_node_pivot(node, best, other);
    return best >= 0;
}

static void find_frame(scree_node *node, frame *f) {
    *f = (frame){ 0 };
    for (int j = 0; j < node->cells->unknowns; j++)
        if (node->side[node->other[j]] == SCREE_SIDE_FREE && !hide(node, j))
            f->line[f->lines++] = j;
    for (int j = 0; j < node->cells->unknowns; j++) {
        scree_side side = node->side[node->other[j]];
        if (!is_sign(side)) continue;
        f->sign[f->coordinates] = side == SCREE_SIDE_DOWN ? -1 : 1;
        f->other[f->coordinates++] = j;
    }
}

static bool begin_cone(const scree_node *node, const frame *f, scree_arena *arena, cone *c) {
    c->size = c->count = 1 + f->coordinates;
    c->room = f->coordinates <= 1 ? 4 : f->coordinates <= 2 ? 160 : SCREE_FACE_GENERATORS;
    c->tolerance = 10 * node->cells->tolerance;
    c->x = SCREE_NEW(arena, double, c->room * c->size);
    c->zeros = SCREE_NEW(arena, mask, c->room);
    if (!c->x || !c->zeros) return false;
    mask all = { { 0 } };
    mark(&all, AT_INFINITY);
    for (int k = 0; k < f->coordinates; k++) mark(&all, node->other[f->other[k]]);
    for (int i = 0; i < c->count; i++) {
        generator(c, i)[i] = 1;
        c->zeros[i] = all;
        unmark(&c->zeros[i], i == 0 ? AT_INFINITY : node->other[f->other[i - 1]]);
    }
    return true;
}

// the sign of a basic variable as a row over (t, y); false if it holds everywhere
static bool constraint(const scree_node *node, const frame *f, int i, double *row) {
    scree_side side = node->side[node->basic[i]];
    if (!is_sign(side)) return false;
    const double *a = row_of(node, i);
    double sign = side == SCREE_SIDE_DOWN ? -1 : 1, small = scree_node_smallest(node, i);
    bool varies = false;
    row[0] = sign * a[node->cells->unknowns];
    for (int k = 0; k < f->coordinates; k++) {
        double entry = a[f->other[k]];
        varies = varies || fabs(entry) > small;
        row[k + 1] = fabs(entry) > small ? sign * f->sign[k] * entry : 0;
    }
    normalise(row, 1 + f->coordinates);
    return varies;
}

// value of all variables from the unknowns, a point with weight 1 or a direction with weight 0
static void complete(const scree_cells *cells, double weight, double *value) {
    int n = cells->unknowns;
    for (int i = 0; i < cells->rows; i++) {
        double sum = weight * cells->b[i];
        for (int j = 0; j < n; j++) sum += cells->B[(size_t)i * (size_t)n + (size_t)j] * value[j];
        value[n + i] = sum;
    }
}

// the unknowns at (t, y); columns of others that are not coordinates are zero
static void unknowns_at(const scree_node *node, const double *other, double t, double *value) {
    int n = node->cells->unknowns;
    for (int j = 0; j < n; j++)
        if (node->other[j] < n) value[node->other[j]] = other[j];
    for (int i = 0; i < node->cells->rows; i++) {
        if (node->basic[i] >= n) continue;
        double sum = t * row_of(node, i)[n];
        for (int j = 0; j < n; j++) sum += row_of(node, i)[j] * other[j];
        value[node->basic[i]] = node->side[node->basic[i]] == SCREE_SIDE_ZERO ? 0 : sum;
    }
}

// scaled unknowns that the tolerance cannot tell from a bound are on it
static void tidy(const scree_node *node, double *value) {
    int n = node->cells->unknowns;
    double largest = 0;
    for (int j = 0; j < n; j++) largest = fmax(largest, fabs(value[j]));
    for (int j = 0; j < n; j++)
        if (is_sign(node->side[j]) && fabs(value[j]) <= node->cells->tolerance * largest)
            value[j] = 0;
}

static void add_generator(const scree_node *node, const double *other, double t, scree_face *face) {
    const scree_cells *cells = node->cells;
    double *value = face->value + (size_t)face->count * (size_t)variables(cells);
    unknowns_at(node, other, t, value);
    if (t == 0) normalise(value, cells->unknowns);
    tidy(node, value);
    complete(cells, t, value);
    face->is_ray[face->count++] = t == 0;
}

static bool new_face(const scree_cells *cells, int room, scree_arena *arena, scree_face *face) {
    *face = (scree_face){
        .value = SCREE_NEW(arena, double, (size_t)room *(size_t)variables(cells)),
        .is_ray = SCREE_NEW(arena, bool, room),
        .side = SCREE_NEW(arena, scree_side, variables(cells)),
    };
    return face->value && face->is_ray && face->side;
}

static const double *value_of(const scree_cells *cells, const scree_face *face, int i) {
    return face->value + (size_t)i * (size_t)variables(cells);
}

// what counts as zero beside the unknowns of a point (weight 1) or a ray
static double nearness(const scree_cells *cells, const double *value, double weight) {
    double largest = weight;
    for (int j = 0; j < cells->unknowns; j++) largest = fmax(largest, fabs(value[j]));
    return 100 * cells->tolerance * largest;
}

// the dimension of the set, by orthogonalisation of the directions between vertices and of rays
static int spread(const scree_cells *cells, const scree_face *face) {
    int n = cells->unknowns, rank = 0, first = 0;
    double basis[SCREE_CELLS_UNKNOWNS][SCREE_CELLS_UNKNOWNS], x[SCREE_CELLS_UNKNOWNS];
    while (face->is_ray[first]) first++;
    const double *origin = value_of(cells, face, first);
    for (int i = 0; i < face->count && rank < n; i++) {
        const double *value = value_of(cells, face, i);
        double size = 0, near = nearness(cells, value, face->is_ray[i] ? 0 : 1);
        for (int j = 0; j < n; j++) x[j] = value[j] - (face->is_ray[i] ? 0 : origin[j]);
        for (int r = 0; r < rank; r++) {
            double along = 0;
            for (int j = 0; j < n; j++) along += basis[r][j] * x[j];
            for (int j = 0; j < n; j++) x[j] -= along * basis[r][j];
        }
        for (int j = 0; j < n; j++) size += x[j] * x[j];
        size = sqrt(size);
        if (!(size > near)) continue;
        for (int j = 0; j < n; j++) basis[rank][j] = x[j] / size;
        rank++;
    }
    return rank;
}

// vertices that the tolerance cannot tell apart are one
static void keep_one_vertex(const scree_cells *cells, scree_face *face) {
    int first = 0;
    size_t width = (size_t)variables(cells);
    while (face->is_ray[first]) first++;
    memmove(face->value, face->value + (size_t)first * width, width * sizeof *face->value);
    face->is_ray[0] = false;
    face->count = 1;
}

static scree_face_result collect(const scree_node *node, const frame *f, const cone *c,
                                 scree_arena *arena, scree_face *face) {
    double other[SCREE_CELLS_UNKNOWNS];
    bool has_vertex = false;
    if (!new_face(node->cells, c->count + 2 * f->lines, arena, face)) return SCREE_FACE_NO_MEMORY;
    memcpy(face->side, node->side, (size_t)variables(node->cells) * sizeof *face->side);
    for (int i = 0; i < c->count; i++) {
        const double *x = generator(c, i);
        double t = x[0] > c->tolerance ? x[0] : 0;
        has_vertex = has_vertex || t > 0;
        memset(other, 0, sizeof other);
        for (int k = 0; k < f->coordinates; k++)
            other[f->other[k]] = f->sign[k] * x[k + 1] / (t > 0 ? t : 1);
        add_generator(node, other, t > 0, face);
    }
    for (int k = 0; k < 2 * f->lines; k++) {
        memset(other, 0, sizeof other);
        other[f->line[k / 2]] = k % 2 ? -1 : 1;
        add_generator(node, other, 0, face);
    }
    if (!has_vertex) return SCREE_FACE_EMPTY;
    face->freedom = spread(node->cells, face);
    if (face->freedom == 0) keep_one_vertex(node->cells, face);
    return SCREE_FACE_FOUND;
}

scree_face_result scree_face_of(scree_node *node, scree_arena *arena, scree_face *face) {
    frame f;
    cone c = { 0 };
    double row[SCREE_CELLS_UNKNOWNS + 1];
    find_frame(node, &f);
    if (!begin_cone(node, &f, arena, &c)) return SCREE_FACE_NO_MEMORY;
    double *value = SCREE_NEW(arena, double, c.room);
    if (!value) return SCREE_FACE_NO_MEMORY;
    for (int i = 0; i < node->cells->rows; i++)
        if (constraint(node, &f, i, row) && !cut(&c, row, node->basic[i], value))
            return SCREE_FACE_TOO_LARGE;
    return collect(node, &f, &c, arena, face);
}

// -------------------------------------------------------------------------------------------------
// how sets lie

bool scree_face_is_zero(const scree_cells *cells, const double *value, int variable) {
    return fabs(value[variable]) <= nearness(cells, value, 1);
}

// -1, 0 or 1
static int sign_at(const scree_cells *cells, const scree_face *face, int i, int variable) {
    const double *value = value_of(cells, face, i);
    double near = nearness(cells, value, face->is_ray[i] ? 0 : 1);
    return (value[variable] > near) - (value[variable] < -near);
}

static bool sign_allowed(scree_side side, int sign) {
    if (side == SCREE_SIDE_FREE || sign == 0) return true;
    return side == (sign > 0 ? SCREE_SIDE_UP : SCREE_SIDE_DOWN);
}

// do all points of the face have the variable on the side?
static bool is_valid(const scree_cells *cells, const scree_face *face, int variable,
                     scree_side side) {
    for (int i = 0; i < face->count; i++)
        if (!sign_allowed(side, sign_at(cells, face, i, variable))) return false;
    return true;
}

static bool is_same_point(const scree_cells *cells, const scree_face *one, const scree_face *two) {
    double near = nearness(cells, one->value, 1);
    for (int j = 0; j < cells->unknowns; j++)
        if (fabs(one->value[j] - two->value[j]) > near) return false;
    return true;
}

bool scree_face_contains(const scree_cells *cells, const scree_face *outer,
                         const scree_face *inner) {
    if (inner->freedom > outer->freedom) return false;
    if (outer->freedom == 0) return is_same_point(cells, outer, inner);
    for (int v = 0; v < variables(cells); v++)
        if (!is_valid(cells, inner, v, outer->side[v])) return false;
    return true;
}

bool scree_face_covers(const scree_face *face, const scree_node *node) {
    for (int v = 0; v < variables(node->cells); v++) {
        if (face->side[v] == SCREE_SIDE_FREE || face->side[v] == node->side[v]) continue;
        if (!scree_node_vanishes(node, v)) return false;
    }
    return true;
}

void scree_face_middle(const scree_cells *cells, const scree_face *face, double *value) {
    int vertices = 0;
    for (int i = 0; i < face->count; i++) vertices += !face->is_ray[i];
    memset(value, 0, (size_t)variables(cells) * sizeof *value);
    for (int i = 0; i < face->count; i++)
        for (int v = 0; v < variables(cells); v++)
            value[v] += value_of(cells, face, i)[v] / (face->is_ray[i] ? 1 : vertices);
}
