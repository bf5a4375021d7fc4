// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// hull.c - the convex hull of points in space: the one file that knows qhull.
// in: points.   out: corners, faces, edges.   work: an arena of its own.
//
// qhull gives facets that are flat to rounding, as directed sides. Sides of facets that lie in one
// plane to 1e-10 of the extent vanish, and so do points where no more than two of the remaining
// edges meet. All of this is combinatorics of sides, so that the faces fit together whatever the
// rounding; Euler's formula is the judge.

#include "model/hull.h"

#include <libqhull_r/qhull_ra.h>

#include "base/order.h"

typedef struct side {  // of a facet or face, which lies left of the way from v to w seen from
                       // outside
    int v, w, owner, number;
} side;

typedef struct work {
    int given;      // points of the caller
    int n;          // points that differ
    int *original;  // their numbers            (n)
    double *point;  // moved and scaled to extent 1   (n x 3)
    int facets, sides;
    side *side;   // facet after facet        (sides)
    int *first;   // side of each facet       (facets + 1)
    int *twin;    // side that goes back      (sides)
    int *group;   // the face of each facet   (facets)
    int *degree;  // edges that meet in each point (n)
    int *kept;    // the points that are corners
    int groups;
    double flat;  // how far from a plane its points may be
    scree_arena arena;
    scree_error *err;
} work;

static scree_status no_memory(work *k) {
    return scree_fail(k->err, SCREE_NO_MEMORY, SCREE_NOWHERE,
                      "out of memory for the hull of %d vertices", k->given);
}

static scree_status flat(work *k) {
    return scree_fail(k->err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                      "the %d vertices of the polyhedron lie in a plane, to %g of their extent",
                      k->given, SCREE_HULL_FLAT);
}

static scree_status confused(work *k, const char *what) {
    return scree_fail(k->err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                      "no hull was found of the %d vertices of the polyhedron: %s", k->given, what);
}

// ---- points that differ

typedef struct ranked {
    double key;
    int number;
} ranked;

static int by_key(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static bool near(const double *a, const double *b) {
    double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z <= SCREE_HULL_FLAT * SCREE_HULL_FLAT;
}

// mark points that have an earlier one in the same place; looked up along a direction in which
// points on a grid do not coincide
static bool mark_repeated(work *k, int points, const double *unit, bool *repeated) {
    ranked *order = SCREE_NEW(&k->arena, ranked, points);
    if (!order) return false;
    for (int i = 0; i < points; i++)
        order[i] = (ranked){
            0.7548776 * unit[3 * i] + 0.5698403 * unit[3 * i + 1] + 0.3245179 * unit[3 * i + 2], i
        };
    qsort(order, (size_t)points, sizeof *order, by_key);
    for (int i = 0; i < points; i++)
        for (int j = i + 1; j < points && order[j].key - order[i].key <= SCREE_HULL_FLAT; j++) {
            int a = order[i].number, b = order[j].number;
            if (near(unit + 3 * (size_t)a, unit + 3 * (size_t)b)) repeated[a > b ? a : b] = true;
        }
    return true;
}

static scree_status take_points(work *k, int points, const double *point, double extent) {
    double low[3], high[3];
    for (int c = 0; c < 3; c++) low[c] = high[c] = point[c];
    for (int i = 0; i < points; i++)
        for (int c = 0; c < 3; c++) {
            low[c] = fmin(low[c], point[3 * i + c]);
            high[c] = fmax(high[c], point[3 * i + c]);
        }
    k->point = SCREE_NEW(&k->arena, double, 3 * (size_t)points);
    k->original = SCREE_NEW(&k->arena, int, points);
    bool *repeated = SCREE_NEW(&k->arena, bool, points);
    if (!k->point || !k->original || !repeated) return no_memory(k);
    for (int i = 0; i < points; i++)
        for (int c = 0; c < 3; c++)
            k->point[3 * i + c] = (point[3 * i + c] - (low[c] / 2 + high[c] / 2)) / extent;
    if (!mark_repeated(k, points, k->point, repeated)) return no_memory(k);
    for (int i = 0; i < points; i++) {
        if (repeated[i]) continue;
        for (int c = 0; c < 3; c++) k->point[3 * k->n + c] = k->point[3 * i + c];
        k->original[k->n++] = i;
    }
    if (k->n < 4)
        return scree_fail(k->err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "a polyhedron needs 4 different vertices or more, got %d", k->n);
    return SCREE_OK;
}

// ---- qhull: points -> facets

static int number_of(const work *k, const vertexT *vertex) {
    return (int)((vertex->point - k->point) / 3);
}

static int count_sides(qhT *qh, int *facets) {
    facetT *facet;
    int sides = 0;
    *facets = 0;
    FORALLfacets {
        sides += facet->simplicial ? 3 : qh_setsize(qh, facet->ridges);
        ++*facets;
    }
    return sides;
}

// qhull calls facets up or down, alike for neighbours, and the order of their points follows
static int put_sides(work *k, facetT *facet, int owner, int at) {
    ridgeT *ridge, **ridgep;
    if (facet->simplicial) {
        vertexT *const *corner = SETaddr_(facet->vertices, vertexT);
        for (int c = 0; c < 3; c++, at++) {
            int v = number_of(k, corner[c]), w = number_of(k, corner[(c + 1) % 3]);
            k->side[at] = facet->toporient ? (side){ v, w, owner, at } : (side){ w, v, owner, at };
        }
        return at;
    }
    FOREACHridge_(facet->ridges) {
        int v = number_of(k, SETfirstt_(ridge->vertices, vertexT));
        int w = number_of(k, SETsecondt_(ridge->vertices, vertexT));
        k->side[at] = ridge->top == facet ? (side){ v, w, owner, at } : (side){ w, v, owner, at };
        at++;
    }
    return at;
}

static scree_status copy_facets(work *k, qhT *qh) {
    facetT *facet;
    int at = 0, owner = 0;
    k->sides = count_sides(qh, &k->facets);
    k->side = SCREE_NEW(&k->arena, side, k->sides);
    k->first = SCREE_NEW(&k->arena, int, (size_t)k->facets + 1);
    if (!k->side || !k->first) return no_memory(k);
    FORALLfacets {
        at = put_sides(k, facet, owner, at);
        k->first[++owner] = at;
    }
    return SCREE_OK;
}

static scree_status run_qhull(work *k) {
    char command[] = "qhull Pp", silence[64];
    qhT qh_data, *qh = &qh_data;
    int long_left, long_bytes;
    FILE *nowhere = fmemopen(silence, sizeof silence, "w");  // qhull insists on a file for errors
    if (!nowhere) return no_memory(k);
    qh_zero(qh, nowhere);
    int code = qh_new_qhull(qh, 3, k->n, k->point, False, command, NULL, nowhere);
    scree_status status = SCREE_OK;
    if (code == qh_ERRmem)
        status = no_memory(k);
    else if (code == qh_ERRsingular)
        status = flat(k);
    else if (code)
        status = confused(k, "they are too near to degenerate");
    else
        status = copy_facets(k, qh);
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &long_left, &long_bytes);
    fclose(nowhere);
    return status;
}

// ---- sides that go there and back

static int by_ends(const void *a, const void *b) {
    const side *x = a, *y = b;
    int low[2] = { x->v < x->w ? x->v : x->w, y->v < y->w ? y->v : y->w };
    int high[2] = { x->v < x->w ? x->w : x->v, y->v < y->w ? y->w : y->v };
    if (low[0] != low[1]) return low[0] < low[1] ? -1 : 1;
    if (high[0] != high[1]) return high[0] < high[1] ? -1 : 1;
    return x->v < y->v ? -1 : x->v > y->v;
}

// sort so that the sides of an edge stand beside each other, from lower to higher first,
// false if that does not come out even
static bool pair_sides(side *side_of, int sides) {
    qsort(side_of, (size_t)sides, sizeof *side_of, by_ends);
    for (int s = 0; s < sides; s += 2) {
        if (s + 1 == sides) return false;
        const side *a = &side_of[s], *b = &side_of[s + 1];
        if (a->v >= a->w || a->v != b->w || a->w != b->v) return false;
        if (s && by_ends(a - 1, a) == 0) return false;
    }
    return true;
}

static scree_status find_twins(work *k) {
    side *sorted = SCREE_NEW(&k->arena, side, k->sides);
    k->twin = SCREE_NEW(&k->arena, int, k->sides);
    if (!sorted || !k->twin) return no_memory(k);
    for (int s = 0; s < k->sides; s++) sorted[s] = k->side[s];
    if (!pair_sides(sorted, k->sides)) return confused(k, "its facets do not fit together");
    for (int s = 0; s < k->sides; s++) k->twin[sorted[s].number] = sorted[s ^ 1].number;
    return SCREE_OK;
}

// ---- facets -> faces

// of the triangle of three points, as a vector
static void add_triangle(const double *p, const double *v, const double *w, double area[3]) {
    double a[3], b[3];
    for (int c = 0; c < 3; c++) {
        a[c] = v[c] - p[c];
        b[c] = w[c] - p[c];
    }
    area[0] += (a[1] * b[2] - a[2] * b[1]) / 2;
    area[1] += (a[2] * b[0] - a[0] * b[2]) / 2;
    area[2] += (a[0] * b[1] - a[1] * b[0]) / 2;
}

static const double *point_of(const work *k, int point) { return k->point + 3 * (size_t)point; }

static void add_area(const work *k, int facet, double area[3]) {
    const side *from = k->side + k->first[facet], *end = k->side + k->first[facet + 1];
    for (const side *s = from; s < end; s++)
        add_triangle(point_of(k, from->v), point_of(k, s->v), point_of(k, s->w), area);
}

static double length_of(const double *a) { return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

typedef struct plane {
    double normal[3], offset;
} plane;

static double height(const plane *of, const double *p) {
    return of->normal[0] * p[0] + of->normal[1] * p[1] + of->normal[2] * p[2] - of->offset;
}

static plane plane_of(const work *k, int facet) {
    plane made = { 0 };
    double sum = 0;
    add_area(k, facet, made.normal);
    double length = length_of(made.normal);
    for (int c = 0; c < 3 && length > 0; c++) made.normal[c] /= length;
    for (int s = k->first[facet]; s < k->first[facet + 1]; s++)
        sum += height(&made, point_of(k, k->side[s].v));
    made.offset = sum / (k->first[facet + 1] - k->first[facet]);
    return made;
}

static bool lies_in(const work *k, int facet, const plane *in) {
    for (int s = k->first[facet]; s < k->first[facet + 1]; s++)
        if (!(fabs(height(in, point_of(k, k->side[s].v))) <= k->flat)) return false;
    return true;
}

// all facets that hang together with this one and lie in its plane
static void grow_face(work *k, int seed, int *queue) {
    plane in = plane_of(k, seed);
    int waiting = 0;
    queue[waiting++] = seed;
    k->group[seed] = k->groups;
    for (int next = 0; next < waiting; next++)
        for (int s = k->first[queue[next]]; s < k->first[queue[next] + 1]; s++) {
            int other = k->side[k->twin[s]].owner;
            if (k->group[other] >= 0 || !lies_in(k, other, &in)) continue;
            k->group[other] = k->groups;
            queue[waiting++] = other;
        }
    k->groups++;
}

// the largest first, because their planes are the best known
static scree_status grow_faces(work *k) {
    ranked *order = SCREE_NEW(&k->arena, ranked, k->facets);
    int *queue = SCREE_NEW(&k->arena, int, k->facets);
    k->group = SCREE_NEW(&k->arena, int, k->facets);
    if (!order || !queue || !k->group) return no_memory(k);
    for (int f = 0; f < k->facets; f++) {
        double area[3] = { 0 };
        add_area(k, f, area);
        order[f] = (ranked){ -length_of(area), f };
        k->group[f] = -1;
    }
    qsort(order, (size_t)k->facets, sizeof *order, by_key);
    for (int i = 0; i < k->facets; i++)
        if (k->group[order[i].number] < 0) grow_face(k, order[i].number, queue);
    return SCREE_OK;
}

static bool is_border(const work *k, int s) {
    return k->group[k->side[s].owner] != k->group[k->side[k->twin[s]].owner];
}

// ---- faces -> the hull

typedef struct loop {         // corners of a face in their order
    int group, count, first;  // in a list of all
    const int *list;
} loop;

static int by_corners(const void *a, const void *b) {
    const loop *x = a, *y = b;
    for (int c = 0; c < x->count && c < y->count; c++) {
        int v = x->list[x->first + c], w = y->list[y->first + c];
        if (v != w) return v < w ? -1 : 1;
    }
    return x->count - y->count;
}

static void number_corners(work *k, scree_hull *hull, int *place) {
    for (int i = 0; i < k->n; i++) {
        place[i] = k->degree[i] > 2 ? hull->corners : -1;
        if (k->degree[i] <= 2) continue;
        k->kept[hull->corners] = i;
        hull->corner[hull->corners++] = k->original[i];
    }
}

// sides at the border of each face, face after face: the side that leaves each point
typedef struct borders {
    int *first, *list;  // (groups + 1), (border sides)
    int *leaving;       // side of the present face at each point (n)
} borders;

static bool sort_borders(work *k, borders *b) {
    b->first = SCREE_NEW(&k->arena, int, (size_t)k->groups + 2);
    b->list = SCREE_NEW(&k->arena, int, k->sides);
    b->leaving = SCREE_NEW(&k->arena, int, k->n);
    if (!b->first || !b->list || !b->leaving) return false;
    for (int s = 0; s < k->sides; s++)
        if (is_border(k, s)) {
            b->first[k->group[k->side[s].owner] + 2]++;
            k->degree[k->side[s].v]++;
        }
    for (int g = 2; g < k->groups + 2; g++) b->first[g] += b->first[g - 1];
    for (int s = 0; s < k->sides; s++)
        if (is_border(k, s)) b->list[b->first[k->group[k->side[s].owner] + 1]++] = s;
    return true;
}

// around a face once; its corners from the lowest on. False if the border is not one ring.
static bool trace(const work *k, const borders *b, const int *place, loop *made, int *list) {
    int from = b->first[made->group], to = b->first[made->group + 1], steps = 0, lowest = 0;
    if (from == to) return false;
    for (int i = from; i < to; i++) b->leaving[k->side[b->list[i]].v] = b->list[i];
    int start = b->list[from], s = start;
    do {
        int at = place[k->side[s].v];
        if (at >= 0) list[made->count++] = at;
        s = b->leaving[k->side[s].w];
    } while (++steps < to - from && s != start);
    if (s != start || steps < to - from || made->count < 3) return false;
    for (int c = 1; c < made->count; c++)
        if (list[c] < list[lowest]) lowest = c;
    // two halves change places
    scree_order_reverse(list, lowest);
    scree_order_reverse(list + lowest, made->count - lowest);
    scree_order_reverse(list, made->count);
    return true;
}

// false if the corners, without the points between them, are not flat any more
static bool find_normal(const work *k, const loop *face, double *normal) {
    const int *list = face->list + face->first;
    for (int c = 2; c < face->count; c++)
        add_triangle(point_of(k, k->kept[list[0]]), point_of(k, k->kept[list[c - 1]]),
                     point_of(k, k->kept[list[c]]), normal);
    double length = length_of(normal), low = HUGE_VAL, high = -HUGE_VAL;
    for (int c = 0; c < 3; c++) normal[c] /= length;
    plane at_origin = { { normal[0], normal[1], normal[2] }, 0 };
    for (int c = 0; c < face->count; c++) {
        double above = height(&at_origin, point_of(k, k->kept[list[c]]));
        low = fmin(low, above);
        high = fmax(high, above);
    }
    return length > 0 && high - low <= 3 * k->flat;
}

static scree_status make_faces(work *k, scree_hull *hull, const borders *b, const int *place) {
    loop *face = SCREE_NEW(&k->arena, loop, k->groups);
    int *list = SCREE_NEW(&k->arena, int, k->sides), used = 0;
    if (!face || !list) return no_memory(k);
    for (int g = 0; g < k->groups; g++) {
        face[g] = (loop){ .group = g, .first = used, .list = list };
        if (!trace(k, b, place, &face[g], list + used))
            return confused(k, "one of its faces is no polygon");
        used += face[g].count;
    }
    qsort(face, (size_t)k->groups, sizeof *face, by_corners);
    for (int f = 0; f < k->groups; f++) {
        if (!find_normal(k, &face[f], hull->face_normal + 3 * (size_t)f))
            return confused(k, "one of its faces is not flat");
        for (int c = 0; c < face[f].count; c++)
            hull->face_corner[hull->face_first[f] + c] = list[face[f].first + c];
        hull->face_first[f + 1] = hull->face_first[f] + face[f].count;
    }
    hull->faces = k->groups;
    return SCREE_OK;
}

static scree_status make_edges(work *k, scree_hull *hull) {
    int sides = hull->face_first[hull->faces];
    side *sorted = SCREE_NEW(&k->arena, side, sides);
    if (!sorted) return no_memory(k);
    for (int f = 0; f < hull->faces; f++)
        for (int first = hull->face_first[f], end = hull->face_first[f + 1], s = first; s < end;
             s++)
            sorted[s] = (side){ hull->face_corner[s],
                                hull->face_corner[s + 1 < end ? s + 1 : first], f, s };
    if (!pair_sides(sorted, sides)) return confused(k, "its faces do not fit together");
    hull->edges = sides / 2;
    for (int e = 0; e < hull->edges; e++) {
        const side *there = &sorted[2 * e];
        int *edge = hull->edge + 4 * (size_t)e;
        edge[0] = there->v;
        edge[1] = there->w;
        edge[2] = there->owner;
        edge[3] = there[1].owner;
    }
    if (hull->corners - hull->edges + hull->faces != 2)
        return confused(k, "it misses Euler's formula");
    return SCREE_OK;
}

static scree_status assemble(work *k, scree_arena *arena, scree_hull *hull) {
    borders b;
    int *place = SCREE_NEW(&k->arena, int, k->n);
    k->degree = SCREE_NEW(&k->arena, int, k->n);
    k->kept = SCREE_NEW(&k->arena, int, k->n);
    if (!place || !k->degree || !k->kept || !sort_borders(k, &b)) return no_memory(k);
    hull->corner = SCREE_NEW(arena, int, k->n);
    hull->face_first = SCREE_NEW(arena, int, (size_t)k->groups + 1);
    hull->face_corner = SCREE_NEW(arena, int, b.first[k->groups]);
    hull->face_normal = SCREE_NEW(arena, double, 3 * (size_t)k->groups);
    hull->edge = SCREE_NEW(arena, int, 2 * (size_t)b.first[k->groups]);
    if (!hull->corner || !hull->face_first || !hull->face_corner || !hull->face_normal ||
        !hull->edge)
        return no_memory(k);
    number_corners(k, hull, place);
    scree_status status = make_faces(k, hull, &b, place);
    return status ? status : make_edges(k, hull);
}

// qhull's idea of clockwise is not ours to know: the volume tells
static void face_outwards(work *k) {
    double volume = 0;
    for (int f = 0; f < k->facets; f++) {
        double area[3] = { 0 };
        const double *p = point_of(k, k->side[k->first[f]].v);
        add_area(k, f, area);
        volume += area[0] * p[0] + area[1] * p[1] + area[2] * p[2];
    }
    for (int s = 0; s < k->sides && volume < 0; s++) {
        int v = k->side[s].v;
        k->side[s].v = k->side[s].w;
        k->side[s].w = v;
    }
}

// Points that are off by just what counts as flat may leave faces that do not fit; a little more
// patience settles that.
static scree_status find_faces(work *k, scree_arena *arena, scree_hull *hull) {
    scree_status status = SCREE_BAD_INPUT;
    for (k->flat = SCREE_HULL_FLAT; status == SCREE_BAD_INPUT && k->flat < 1e-7; k->flat *= 10) {
        *hull = (scree_hull){ 0 };
        k->groups = 0;
        status = grow_faces(k);
        if (!status) status = k->groups < 4 ? flat(k) : assemble(k, arena, hull);
    }
    return status;
}

scree_status scree_hull_find(int points, const double *point, double extent, scree_arena *arena,
                             scree_hull *hull, scree_error *err) {
    work k = { .given = points, .err = err };
    *hull = (scree_hull){ 0 };
    scree_status status = take_points(&k, points, point, extent);
    if (!status) status = run_qhull(&k);
    if (!status) {
        face_outwards(&k);
        status = find_twins(&k);
    }
    if (!status) status = find_faces(&k, arena, hull);
    scree_arena_free(&k.arena);
    return status;
}
