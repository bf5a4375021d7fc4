// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// double_description.c - vertices and rays by double description, containment.
//
// The coordinates of a set are the variables outside the basis that may move, its constraints the
// signs of the basic ones. In homogeneous form (t, y) it is a cone that begins as the orthant; each
// constraint keeps the generators on its good side and adds one on each edge that crosses it. An
// edge joins two generators whose common zeros no third one has.

#include "solve/double_description.h"

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
    int other[SCREE_MODE_UNKNOWNS];    // column of the dictionary
    double sign[SCREE_MODE_UNKNOWNS];  // -1 where it must be negative
    int lines;                         // columns that no constraint sees
    int line[SCREE_MODE_UNKNOWNS];
} frame;

enum { AT_INFINITY = 127 };

static void mark(mask *m, int variable) { m->word[variable / 64] |= (uint64_t)1 << variable % 64; }

static void unmark(mask *m, int variable) {
    m->word[variable / 64] &= ~((uint64_t)1 << variable % 64);
}

static mask both(mask a, mask b) {
    return (mask){ { a.word[0] & b.word[0], a.word[1] & b.word[1] } };
}

static bool has(mask all, mask part) {
    mask common = both(all, part);
    return common.word[0] == part.word[0] && common.word[1] == part.word[1];
}

static int marks(mask m) {
    return __builtin_popcountll(m.word[0]) + __builtin_popcountll(m.word[1]);
}

static int variables(const scree_mode_problem *modes) { return modes->unknowns + modes->rows; }

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

static const double *row_of(const scree_tableau *tableau, int i) {
    return tableau->a + (size_t)i * (size_t)(tableau->modes->unknowns + 1);
}

// a variable without a sign becomes basic in place of one with a sign
static bool hide(scree_tableau *tableau, int other) {
    int best = -1;
    double most = 0;
    for (int i = 0; i < tableau->modes->rows; i++) {
        double size = fabs(row_of(tableau, i)[other]);
        if (!is_sign(tableau->side[tableau->basic[i]]) ||
            size <= scree_tableau_smallest(tableau, i))
            continue;
        if (size <= most) continue;
        most = size;
        best = i;
    }
    if (best >= 0) scree_tableau_pivot(tableau, best, other);
    return best >= 0;
}

static void find_frame(scree_tableau *tableau, frame *f) {
    *f = (frame){ 0 };
    for (int j = 0; j < tableau->modes->unknowns; j++)
        if (tableau->side[tableau->other[j]] == SCREE_SIDE_FREE && !hide(tableau, j))
            f->line[f->lines++] = j;
    for (int j = 0; j < tableau->modes->unknowns; j++) {
        scree_side side = tableau->side[tableau->other[j]];
        if (!is_sign(side)) continue;
        f->sign[f->coordinates] = side == SCREE_SIDE_DOWN ? -1 : 1;
        f->other[f->coordinates++] = j;
    }
}

static bool begin_cone(const scree_tableau *tableau, const frame *f, scree_arena *arena, cone *c) {
    c->size = c->count = 1 + f->coordinates;
    c->room = f->coordinates <= 1 ? 4 : f->coordinates <= 2 ? 160 : SCREE_POLYHEDRON_GENERATORS;
    c->tolerance = 10 * tableau->modes->tolerance;
    c->x = SCREE_NEW(arena, double, c->room * c->size);
    c->zeros = SCREE_NEW(arena, mask, c->room);
    if (!c->x || !c->zeros) return false;
    mask all = { { 0 } };
    mark(&all, AT_INFINITY);
    for (int k = 0; k < f->coordinates; k++) mark(&all, tableau->other[f->other[k]]);
    for (int i = 0; i < c->count; i++) {
        generator(c, i)[i] = 1;
        c->zeros[i] = all;
        unmark(&c->zeros[i], i == 0 ? AT_INFINITY : tableau->other[f->other[i - 1]]);
    }
    return true;
}

// the sign of a basic variable as a row over (t, y); false if it holds everywhere
static bool constraint(const scree_tableau *tableau, const frame *f, int i, double *row) {
    scree_side side = tableau->side[tableau->basic[i]];
    if (!is_sign(side)) return false;
    const double *a = row_of(tableau, i);
    double sign = side == SCREE_SIDE_DOWN ? -1 : 1, small = scree_tableau_smallest(tableau, i);
    bool varies = false;
    row[0] = sign * a[tableau->modes->unknowns];
    for (int k = 0; k < f->coordinates; k++) {
        double entry = a[f->other[k]];
        varies = varies || fabs(entry) > small;
        row[k + 1] = fabs(entry) > small ? sign * f->sign[k] * entry : 0;
    }
    normalise(row, 1 + f->coordinates);
    return varies;
}

// value of all variables from the unknowns, a point with weight 1 or a direction with weight 0
static void complete(const scree_mode_problem *modes, double weight, double *value) {
    int n = modes->unknowns;
    for (int i = 0; i < modes->rows; i++) {
        double sum = weight * modes->b[i];
        for (int j = 0; j < n; j++) sum += modes->B[(size_t)i * (size_t)n + (size_t)j] * value[j];
        value[n + i] = sum;
    }
}

// the unknowns at (t, y); columns of others that are not coordinates are zero
static void unknowns_at(const scree_tableau *tableau, const double *other, double t,
                        double *value) {
    int n = tableau->modes->unknowns;
    for (int j = 0; j < n; j++)
        if (tableau->other[j] < n) value[tableau->other[j]] = other[j];
    for (int i = 0; i < tableau->modes->rows; i++) {
        if (tableau->basic[i] >= n) continue;
        double sum = t * row_of(tableau, i)[n];
        for (int j = 0; j < n; j++) sum += row_of(tableau, i)[j] * other[j];
        value[tableau->basic[i]] = tableau->side[tableau->basic[i]] == SCREE_SIDE_ZERO ? 0 : sum;
    }
}

// scaled unknowns that the tolerance cannot tell from a bound are on it
static void tidy(const scree_tableau *tableau, double *value) {
    int n = tableau->modes->unknowns;
    double largest = 0;
    for (int j = 0; j < n; j++) largest = fmax(largest, fabs(value[j]));
    for (int j = 0; j < n; j++)
        if (is_sign(tableau->side[j]) && fabs(value[j]) <= tableau->modes->tolerance * largest)
            value[j] = 0;
}

static void add_generator(const scree_tableau *tableau, const double *other, double t,
                          scree_polyhedron *polyhedron) {
    const scree_mode_problem *modes = tableau->modes;
    double *value = polyhedron->value + (size_t)polyhedron->count * (size_t)variables(modes);
    unknowns_at(tableau, other, t, value);
    if (t == 0) normalise(value, modes->unknowns);
    tidy(tableau, value);
    complete(modes, t, value);
    polyhedron->is_ray[polyhedron->count++] = t == 0;
}

static bool new_face(const scree_mode_problem *modes, int room, scree_arena *arena,
                     scree_polyhedron *polyhedron) {
    *polyhedron = (scree_polyhedron){
        .value = SCREE_NEW(arena, double, ((size_t)room * (size_t)variables(modes))),
        .is_ray = SCREE_NEW(arena, bool, room),
        .side = SCREE_NEW(arena, scree_side, variables(modes)),
    };
    return polyhedron->value && polyhedron->is_ray && polyhedron->side;
}

static const double *value_of(const scree_mode_problem *modes, const scree_polyhedron *polyhedron,
                              int i) {
    return polyhedron->value + (size_t)i * (size_t)variables(modes);
}

// what counts as zero beside the unknowns of a point (weight 1) or a ray
static double nearness(const scree_mode_problem *modes, const double *value, double weight) {
    double largest = weight;
    for (int j = 0; j < modes->unknowns; j++) largest = fmax(largest, fabs(value[j]));
    return 100 * modes->tolerance * largest;
}

// the dimension of the set, by orthogonalisation of the directions between vertices and of rays
static int spread(const scree_mode_problem *modes, const scree_polyhedron *polyhedron) {
    int n = modes->unknowns, rank = 0, first = 0;
    double basis[SCREE_MODE_UNKNOWNS][SCREE_MODE_UNKNOWNS], x[SCREE_MODE_UNKNOWNS];
    while (polyhedron->is_ray[first]) first++;
    const double *origin = value_of(modes, polyhedron, first);
    for (int i = 0; i < polyhedron->count && rank < n; i++) {
        const double *value = value_of(modes, polyhedron, i);
        double size = 0, near = nearness(modes, value, polyhedron->is_ray[i] ? 0 : 1);
        for (int j = 0; j < n; j++) x[j] = value[j] - (polyhedron->is_ray[i] ? 0 : origin[j]);
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
static void keep_one_vertex(const scree_mode_problem *modes, scree_polyhedron *polyhedron) {
    int first = 0;
    size_t width = (size_t)variables(modes);
    while (polyhedron->is_ray[first]) first++;
    memmove(polyhedron->value, polyhedron->value + (size_t)first * width,
            width * sizeof *polyhedron->value);
    polyhedron->is_ray[0] = false;
    polyhedron->count = 1;
}

static scree_polyhedron_result collect(const scree_tableau *tableau, const frame *f, const cone *c,
                                       scree_arena *arena, scree_polyhedron *polyhedron) {
    double other[SCREE_MODE_UNKNOWNS];
    bool has_vertex = false;
    if (!new_face(tableau->modes, c->count + 2 * f->lines, arena, polyhedron))
        return SCREE_POLYHEDRON_NO_MEMORY;
    memcpy(polyhedron->side, tableau->side,
           (size_t)variables(tableau->modes) * sizeof *polyhedron->side);
    for (int i = 0; i < c->count; i++) {
        const double *x = generator(c, i);
        double t = x[0] > c->tolerance ? x[0] : 0;
        has_vertex = has_vertex || t > 0;
        memset(other, 0, sizeof other);
        for (int k = 0; k < f->coordinates; k++)
            other[f->other[k]] = f->sign[k] * x[k + 1] / (t > 0 ? t : 1);
        add_generator(tableau, other, t > 0, polyhedron);
    }
    for (int k = 0; k < 2 * f->lines; k++) {
        memset(other, 0, sizeof other);
        other[f->line[k / 2]] = k % 2 ? -1 : 1;
        add_generator(tableau, other, 0, polyhedron);
    }
    if (!has_vertex) return SCREE_POLYHEDRON_EMPTY;
    polyhedron->freedom = spread(tableau->modes, polyhedron);
    if (polyhedron->freedom == 0) keep_one_vertex(tableau->modes, polyhedron);
    return SCREE_POLYHEDRON_FOUND;
}

scree_polyhedron_result scree_polyhedron_of(scree_tableau *tableau, scree_arena *arena,
                                            scree_polyhedron *polyhedron) {
    frame f;
    cone c = { 0 };
    double row[SCREE_MODE_UNKNOWNS + 1];
    find_frame(tableau, &f);
    if (!begin_cone(tableau, &f, arena, &c)) return SCREE_POLYHEDRON_NO_MEMORY;
    double *value = SCREE_NEW(arena, double, c.room);
    if (!value) return SCREE_POLYHEDRON_NO_MEMORY;
    for (int i = 0; i < tableau->modes->rows; i++)
        if (constraint(tableau, &f, i, row) && !cut(&c, row, tableau->basic[i], value))
            return SCREE_POLYHEDRON_TOO_LARGE;
    return collect(tableau, &f, &c, arena, polyhedron);
}

// -------------------------------------------------------------------------------------------------
// how sets lie

bool scree_polyhedron_is_zero(const scree_mode_problem *modes, const double *value, int variable) {
    return fabs(value[variable]) <= nearness(modes, value, 1);
}

// -1, 0 or 1
static int sign_at(const scree_mode_problem *modes, const scree_polyhedron *polyhedron, int i,
                   int variable) {
    const double *value = value_of(modes, polyhedron, i);
    double near = nearness(modes, value, polyhedron->is_ray[i] ? 0 : 1);
    return (value[variable] > near) - (value[variable] < -near);
}

static bool sign_allowed(scree_side side, int sign) {
    if (side == SCREE_SIDE_FREE || sign == 0) return true;
    return side == (sign > 0 ? SCREE_SIDE_UP : SCREE_SIDE_DOWN);
}

// do all points of the face have the variable on the side?
static bool is_valid(const scree_mode_problem *modes, const scree_polyhedron *polyhedron,
                     int variable, scree_side side) {
    for (int i = 0; i < polyhedron->count; i++)
        if (!sign_allowed(side, sign_at(modes, polyhedron, i, variable))) return false;
    return true;
}

static bool is_same_point(const scree_mode_problem *modes, const scree_polyhedron *one,
                          const scree_polyhedron *two) {
    double near = nearness(modes, one->value, 1);
    for (int j = 0; j < modes->unknowns; j++)
        if (fabs(one->value[j] - two->value[j]) > near) return false;
    return true;
}

bool scree_polyhedron_contains(const scree_mode_problem *modes, const scree_polyhedron *outer,
                               const scree_polyhedron *inner) {
    if (inner->freedom > outer->freedom) return false;
    if (outer->freedom == 0) return is_same_point(modes, outer, inner);
    for (int v = 0; v < variables(modes); v++)
        if (!is_valid(modes, inner, v, outer->side[v])) return false;
    return true;
}

bool scree_polyhedron_covers(const scree_polyhedron *polyhedron, const scree_tableau *tableau) {
    for (int v = 0; v < variables(tableau->modes); v++) {
        if (polyhedron->side[v] == SCREE_SIDE_FREE || polyhedron->side[v] == tableau->side[v])
            continue;
        if (!scree_tableau_vanishes(tableau, v)) return false;
    }
    return true;
}

void scree_polyhedron_middle(const scree_mode_problem *modes, const scree_polyhedron *polyhedron,
                             double *value) {
    int vertices = 0;
    for (int i = 0; i < polyhedron->count; i++) vertices += !polyhedron->is_ray[i];
    memset(value, 0, (size_t)variables(modes) * sizeof *value);
    for (int i = 0; i < polyhedron->count; i++)
        for (int v = 0; v < variables(modes); v++)
            value[v] += value_of(modes, polyhedron, i)[v] / (polyhedron->is_ray[i] ? 1 : vertices);
}
