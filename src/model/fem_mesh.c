// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fem_mesh.c - meshes of finite elements: their boundary, its groups, and what is wrong with them.
// in: nodes, corners of elements, groups.   out: a mesh.   work: the sides of all elements, sorted.
//
// A side that one element has alone is a facet of the boundary; those of quadratic elements are cut
// into flat facets between their nodes. Sides are written counter-clockwise as seen from outside,
// so that two elements that share one write it in opposite orders. They are told by their corners.

#include "model/fem_mesh.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/order.h"
#include "model/fem_kind.h"

enum { SIDE_CORNERS = SCREE_FACET_CORNERS, LISTED = 5, TOLD = 320, INNER = -1 };

// sine of an angle, or volume over the product of three edges, below which nothing is left
static const double flat = 1e-12;

struct scree_mesh_memory {
    scree_mesh mesh;
    scree_arena arena;
};

typedef struct side {
    int key[SIDE_CORNERS];  // nodes, ascending, -1 behind the last
    int element, local;
    int slot;  // number of the side, element after element
} side;

typedef struct maker {
    scree_mesh *mesh;
    scree_arena *arena, scratch;
    const scree_mesh_labels *labels;
    int sides;
    side *side;  // sorted by their keys (sides)
    int *facet;  // by slot: the first of its facets in the mesh, or INNER (sides)
    int pieces;
    side *piece;  // facets of quadratic sides, sorted by their keys; slot: the facet (pieces)
    scree_error *err;
} maker;

static const scree_fem_kind *kind_of(const scree_mesh *mesh, int e) {
    return scree_fem_kind_of(mesh->kind[e]);
}

// ---- complaints

static int64_t element_name(const maker *m, int e) {
    return m->labels->element ? m->labels->element[e] : e;
}

static int64_t node_name(const maker *m, int i) { return m->labels->node ? m->labels->node[i] : i; }

static scree_source_location at_line(const maker *m, int line) {
    return (scree_source_location){ m->labels->path, line, line > 0 };
}

static scree_source_location at_element(const maker *m, int e) {
    return at_line(m, m->labels->line ? m->labels->line[e] : 0);
}

static scree_source_location at_part(const maker *m, int p, int k) {
    return at_line(m, m->labels->part_line ? m->labels->part_line[p][k] : 0);
}

#define FAIL(m, at, ...) scree_fail((m)->err, SCREE_BAD_INPUT, at, __VA_ARGS__)

static scree_status no_memory(const maker *m) {
    return scree_fail(m->err, SCREE_NO_MEMORY, at_line(m, 0), "out of memory for a mesh");
}

/// The first few of what may be many.
typedef struct list {
    int count, first;  // of all, the first one's number
    int used;
    char text[TOLD];
} list;

static SCREE_PRINTF(3, 4) void tell(list *l, int number, const char *format, ...) {
    if (l->count == 0) l->first = number;
    if (l->count++ >= LISTED) return;
    if (l->count > 1) l->used += snprintf(l->text + l->used, TOLD - (size_t)l->used, ", ");
    va_list args;
    va_start(args, format);
    l->used += vsnprintf(l->text + l->used, TOLD - (size_t)l->used, format, args);
    va_end(args);
}

static const char *more(const list *l) { return l->count > LISTED ? ", ..." : ""; }

// ---- what is given

static scree_status check_counts(const maker *m, int space, int nodes, int elements, int parts) {
    if (space != 2 && space != 3)
        return FAIL(m, at_line(m, 0), "a mesh has 2 or 3 dimensions, got %d", space);
    if (nodes < 1 || elements < 1 || parts < 0)
        return FAIL(m, at_line(m, 0), "a mesh of %d nodes, %d elements and %d groups", nodes,
                    elements, parts);
    if (nodes > SCREE_MESH_MOST || elements > SCREE_MESH_MOST)
        return FAIL(m, at_line(m, 0), "%d nodes and %d elements are too many: at most %d each",
                    nodes, elements, (int)SCREE_MESH_MOST);
    return SCREE_OK;
}

static scree_status copy_kinds(maker *m, int elements, const scree_element *kind) {
    scree_mesh *mesh = m->mesh;
    mesh->kind = SCREE_NEW(m->arena, scree_element, elements);
    mesh->first = SCREE_NEW(m->arena, int, elements + 1);
    if (!mesh->kind || !mesh->first) return no_memory(m);
    mesh->elements = elements;
    for (int e = 0; e < elements; e++) {
        const scree_fem_kind *row = scree_fem_kind_of(kind[e]);
        if (!row || row->space != mesh->space)
            return FAIL(
                m, at_element(m, e), "element %lld is of the kind %s: not one of %s",
                (long long)element_name(m, e), row ? row->name : "?",
                mesh->space == 2 ? "the plane, T3, Q4, T6 or Q8" : "space, T4, H8, T10 or H20");
        mesh->kind[e] = kind[e];
        mesh->first[e + 1] = mesh->first[e] + row->nodes;
        m->sides += row->sides;
    }
    return SCREE_OK;
}

static scree_status copy_corners(maker *m, const int *corner) {
    scree_mesh *mesh = m->mesh;
    mesh->corner = SCREE_NEW(m->arena, int, mesh->first[mesh->elements]);
    if (!mesh->corner) return no_memory(m);
    for (int e = 0; e < mesh->elements; e++)
        for (int k = mesh->first[e]; k < mesh->first[e + 1]; k++) {
            if (corner[k] < 0 || corner[k] >= mesh->nodes)
                return FAIL(m, at_element(m, e),
                            "element %lld names node %d: the mesh has nodes 0 to %d",
                            (long long)element_name(m, e), corner[k], mesh->nodes - 1);
            mesh->corner[k] = corner[k];
        }
    return SCREE_OK;
}

static scree_status copy_nodes(maker *m, const double *node) {
    scree_mesh *mesh = m->mesh;
    unsigned char *used = SCREE_NEW(&m->scratch, unsigned char, mesh->nodes);
    mesh->node = SCREE_NEW(m->arena, double, ((size_t)mesh->nodes * (size_t)mesh->space));
    if (!mesh->node || !used) return no_memory(m);
    for (int k = 0; k < mesh->first[mesh->elements]; k++) used[mesh->corner[k]] = 1;
    list infinite = { 0 }, alone = { 0 };
    for (int i = 0; i < mesh->nodes; i++) {
        bool finite = true;
        for (int c = 0; c < mesh->space; c++) {
            double x = node[i * mesh->space + c];
            finite = finite && isfinite(x);
            mesh->node[i * mesh->space + c] = x;
        }
        if (!finite) tell(&infinite, i, "%lld", (long long)node_name(m, i));
        if (!used[i]) tell(&alone, i, "%lld", (long long)node_name(m, i));
    }
    if (infinite.count)
        return FAIL(m, at_line(m, 0), "coordinates must be finite, those of %d of %d are not: %s%s",
                    infinite.count, mesh->nodes, infinite.text, more(&infinite));
    if (alone.count)
        return FAIL(m, at_line(m, 0), "nodes without an element: %s%s (%d of %d)", alone.text,
                    more(&alone), alone.count, mesh->nodes);
    return SCREE_OK;
}

// ---- the shape of elements

typedef enum fault { FINE, REPEATED, TURNED, NO_SIZE, FOLDED } fault;

static const char *const fault_text[] = { "", "names a node twice", "is turned inside out",
                                          "has no size", "is flat or folded inwards at a corner" };

static double length(const double a[3]) { return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]); }

// the Jacobian at a corner over the lengths of its edges
static double corner_size(const scree_mesh *mesh, int e, int k) {
    const signed char *next = kind_of(mesh, e)->next[k];
    const int *corner = mesh->corner + mesh->first[e];
    double a[3][3] = { { 0, 0, 0 }, { 0, 0, 0 }, { 0, 0, 1 } };
    for (int j = 0; j < mesh->space; j++)
        for (int c = 0; c < mesh->space; c++)
            a[j][c] = mesh->node[corner[next[j]] * mesh->space + c] -
                      mesh->node[corner[k] * mesh->space + c];
    double volume = a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) +
                    a[0][1] * (a[1][2] * a[2][0] - a[1][0] * a[2][2]) +
                    a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
    double box = length(a[0]) * length(a[1]) * length(a[2]);
    return box > 0 ? volume / box : 0;
}

static fault fault_of(const scree_mesh *mesh, int e) {
    int count = kind_of(mesh, e)->corners, nodes = kind_of(mesh, e)->nodes;
    const int *corner = mesh->corner + mesh->first[e];
    for (int i = 0; i < nodes; i++)
        for (int j = 0; j < i; j++)
            if (corner[i] == corner[j]) return REPEATED;
    double low = INFINITY, high = -INFINITY;
    for (int k = 0; k < count; k++) {
        double size = corner_size(mesh, e, k);
        if (!isfinite(size)) return NO_SIZE;
        low = fmin(low, size);
        high = fmax(high, size);
    }
    if (low > flat) return FINE;
    if (high < -flat) return TURNED;
    return high <= flat && low >= -flat ? NO_SIZE : FOLDED;
}

static int surface_of(const maker *m, int e) {
    return m->labels->surfaces ? m->labels->surface[e] : 0;
}

// In the plane the order of corners tells from which side somebody looked at a surface, and nothing
// else: where all elements of a surface are clockwise they are turned.
static scree_status turn_surfaces(maker *m, fault *faults) {
    scree_mesh *mesh = m->mesh;
    int surfaces = m->labels->surfaces ? m->labels->surfaces : 1;
    unsigned char *mixed = SCREE_NEW(&m->scratch, unsigned char, surfaces);
    if (!mixed) return no_memory(m);
    for (int e = 0; e < mesh->elements; e++)
        if (faults[e] != TURNED) mixed[surface_of(m, e)] = 1;
    for (int e = 0; e < mesh->elements; e++)
        if (!mixed[surface_of(m, e)]) {
            int *corner = mesh->corner + mesh->first[e], corners = kind_of(mesh, e)->corners;
            scree_order_reverse(corner + 1, corners - 1);
            scree_order_reverse(corner + corners, kind_of(mesh, e)->nodes - corners);
            faults[e] = FINE;
        }
    return SCREE_OK;
}

static scree_status check_shapes(maker *m) {
    scree_mesh *mesh = m->mesh;
    fault *faults = SCREE_NEW(&m->scratch, fault, mesh->elements);
    if (!faults) return no_memory(m);
    for (int e = 0; e < mesh->elements; e++) faults[e] = fault_of(mesh, e);
    scree_status status = mesh->space == 2 ? turn_surfaces(m, faults) : SCREE_OK;
    if (status) return status;
    list bad = { 0 };
    for (int e = 0; e < mesh->elements; e++)
        if (faults[e])
            tell(&bad, e, "element %lld %s", (long long)element_name(m, e), fault_text[faults[e]]);
    if (!bad.count) return SCREE_OK;
    return FAIL(m, at_element(m, bad.first), "%d of %d elements cannot be used: %s%s", bad.count,
                mesh->elements, bad.text, more(&bad));
}

// ---- the boundary

// corners, -1 behind the last
static int side_nodes(const scree_mesh *mesh, int e, int local, int *node) {
    const signed char *which = kind_of(mesh, e)->side[local];
    int count = 0;
    for (int k = 0; k < SIDE_CORNERS; k++) node[k] = -1;
    for (; count < SIDE_CORNERS && which[count] >= 0; count++)
        node[count] = mesh->corner[mesh->first[e] + which[count]];
    return count;
}

// the nodes in the middle of its edges; how many
static int side_middles(const scree_mesh *mesh, int e, int local, int *node) {
    int own[SCREE_FEM_SIDE_NODES], nodes;
    int corners = scree_fem_kind_side(kind_of(mesh, e), local, own, &nodes);
    for (int k = corners; k < nodes; k++) node[k - corners] = mesh->corner[mesh->first[e] + own[k]];
    return nodes - corners;
}

static void sort_key(int *key) {
    int count = 0;
    while (count < SIDE_CORNERS && key[count] >= 0) count++;
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && key[j] < key[j - 1]; j--) {
            int kept = key[j];
            key[j] = key[j - 1];
            key[j - 1] = kept;
        }
}

static int by_key(const void *a, const void *b) {
    const int *p = ((const side *)a)->key, *q = ((const side *)b)->key;
    for (int k = 0; k < SIDE_CORNERS; k++)
        if (p[k] != q[k]) return p[k] < q[k] ? -1 : 1;
    return 0;
}

static int by_key_and_slot(const void *a, const void *b) {
    int order = by_key(a, b), p = ((const side *)a)->slot, q = ((const side *)b)->slot;
    return order ? order : (p > q) - (p < q);
}

static scree_status sort_sides(maker *m) {
    const scree_mesh *mesh = m->mesh;
    m->side = SCREE_NEW(&m->scratch, side, m->sides);
    m->facet = SCREE_NEW(&m->scratch, int, m->sides);
    if (!m->side || !m->facet) return no_memory(m);
    int slot = 0;
    for (int e = 0; e < mesh->elements; e++)
        for (int k = 0; k < kind_of(mesh, e)->sides; k++, slot++) {
            m->side[slot] = (side){ .element = e, .local = k, .slot = slot };
            side_nodes(mesh, e, k, m->side[slot].key);
            sort_key(m->side[slot].key);
        }
    qsort(m->side, (size_t)m->sides, sizeof *m->side, by_key_and_slot);
    return SCREE_OK;
}

// do two elements lie on different sides of what they share?
static bool face_each_other(const scree_mesh *mesh, const side *s, const side *t) {
    int a[SIDE_CORNERS], b[SIDE_CORNERS], from = 0;
    int count = side_nodes(mesh, s->element, s->local, a);
    side_nodes(mesh, t->element, t->local, b);
    if (count == 2) return a[0] != b[0];
    while (b[from] != a[0]) from++;
    for (int k = 0; k < count; k++)
        if (a[k] != b[(from - k + count) % count]) return false;
    return true;
}

// have they the same nodes in the middle of its edges?
static bool share_middles(const scree_mesh *mesh, const side *s, const side *t) {
    int a[SCREE_FEM_SIDE_NODES], b[SCREE_FEM_SIDE_NODES], found = 0;
    int count = side_middles(mesh, s->element, s->local, a);
    if (side_middles(mesh, t->element, t->local, b) != count) return false;
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) found += a[i] == b[j];
    return found == count;
}

static scree_status match_sides(maker *m) {
    for (int i = 0; i < m->sides;) {
        const side *s = &m->side[i];
        int end = i + 1;
        while (end < m->sides && by_key(s, &m->side[end]) == 0) end++;
        long long first = element_name(m, s->element);
        if (end - i > 1) {
            const side *t = &m->side[i + 1];
            long long second = element_name(m, t->element);
            if (end - i > 2)
                return FAIL(m, at_element(m, t[1].element),
                            "%d elements share one side: elements %lld, %lld, %lld%s", end - i,
                            first, second, (long long)element_name(m, t[1].element),
                            end - i > 3 ? ", ..." : "");
            if (!face_each_other(m->mesh, s, t))
                return FAIL(m, at_element(m, t->element),
                            "elements %lld and %lld overlap: they lie on the same side of what "
                            "they share",
                            first, second);
            if (!share_middles(m->mesh, s, t))
                return FAIL(
                    m, at_element(m, t->element),
                    "elements %lld (%s) and %lld (%s) do not fit: the edges that they share "
                    "have not the same nodes in their middle",
                    first, kind_of(m->mesh, s->element)->name, second,
                    kind_of(m->mesh, t->element)->name);
            m->facet[s->slot] = m->facet[t->slot] = INNER;
        }
        i = end;
    }
    return SCREE_OK;
}

// A triangle on half of a quadrilateral: nothing would hold the two together.
static scree_status check_halves(const maker *m) {
    for (int i = 0; i < m->sides; i++) {
        const side *s = &m->side[i];
        if (s->key[3] < 0) continue;
        for (int out = 0; out < SIDE_CORNERS; out++) {
            side half = { .key = { 0, 0, 0, -1 } };
            for (int k = 0, at = 0; k < SIDE_CORNERS; k++)
                if (k != out) half.key[at++] = s->key[k];
            const side *t = bsearch(&half, m->side, (size_t)m->sides, sizeof half, by_key);
            if (t)
                return FAIL(
                    m, at_element(m, t->element),
                    "elements %lld (%s) and %lld (%s) do not fit: a triangle lies on half "
                    "of a quadrilateral",
                    (long long)element_name(m, s->element), kind_of(m->mesh, s->element)->name,
                    (long long)element_name(m, t->element), kind_of(m->mesh, t->element)->name);
        }
    }
    return SCREE_OK;
}

static bool is_mixed(const scree_mesh *mesh) {
    for (int e = 1; e < mesh->elements; e++)
        if (mesh->kind[e] != mesh->kind[0]) return true;
    return false;
}

// the flat facets of a side; facet: NULL to count them
static int pieces_of(const scree_mesh *mesh, int e, int local, int *facet) {
    int own[SCREE_FEM_SIDE_NODES], nodes, piece[SCREE_FEM_PIECES][SCREE_FACET_CORNERS];
    int corners = scree_fem_kind_side(kind_of(mesh, e), local, own, &nodes);
    int count = scree_fem_kind_pieces(kind_of(mesh, e), corners, piece);
    for (int p = 0; p < count && facet; p++)
        for (int k = 0; k < SCREE_FACET_CORNERS; k++, facet++)
            *facet = piece[p][k] < 0 ? -1 : mesh->corner[mesh->first[e] + own[piece[p][k]]];
    return count;
}

// facets that are not whole sides, to be found by their nodes
static scree_status sort_pieces(maker *m) {
    const scree_mesh *mesh = m->mesh;
    for (int f = 0; f < mesh->facets; f++) m->pieces += kind_of(mesh, mesh->owner[f])->quadratic;
    m->piece = SCREE_NEW(&m->scratch, side, m->pieces);
    if (!m->piece) return no_memory(m);
    for (int f = 0, at = 0; f < mesh->facets; f++) {
        if (!kind_of(mesh, mesh->owner[f])->quadratic) continue;
        m->piece[at] = (side){ .slot = f };
        memcpy(m->piece[at].key, mesh->facet + (size_t)f * SCREE_FACET_CORNERS,
               sizeof m->piece[at].key);
        sort_key(m->piece[at++].key);
    }
    if (m->pieces) qsort(m->piece, (size_t)m->pieces, sizeof *m->piece, by_key_and_slot);
    return SCREE_OK;
}

static scree_status find_boundary(maker *m) {
    scree_mesh *mesh = m->mesh;
    scree_status status = sort_sides(m);
    if (!status) status = match_sides(m);
    if (!status && mesh->space == 3 && is_mixed(mesh)) status = check_halves(m);
    if (status) return status;
    for (int e = 0, slot = 0; e < mesh->elements; e++)
        for (int k = 0; k < kind_of(mesh, e)->sides; k++, slot++)
            if (m->facet[slot] != INNER) mesh->facets += pieces_of(mesh, e, k, NULL);
    mesh->facet = SCREE_NEW(m->arena, int, ((size_t)mesh->facets * SCREE_FACET_CORNERS));
    mesh->owner = SCREE_NEW(m->arena, int, mesh->facets);
    if (!mesh->facet || !mesh->owner) return no_memory(m);
    int slot = 0, number = 0;
    for (int e = 0; e < mesh->elements; e++)
        for (int k = 0; k < kind_of(mesh, e)->sides; k++, slot++) {
            if (m->facet[slot] == INNER) continue;
            int pieces = pieces_of(mesh, e, k, mesh->facet + number * SCREE_FACET_CORNERS);
            m->facet[slot] = number;
            for (int end = number + pieces; number < end; number++) mesh->owner[number] = e;
        }
    return sort_pieces(m);
}

// ---- groups

static int sort_once(int *number, int count) {
    int kept = 0;
    if (count > 0) qsort(number, (size_t)count, sizeof *number, scree_order_ints);
    for (int i = 0; i < count; i++)
        if (i == 0 || number[i] != number[kept - 1]) number[kept++] = number[i];
    return kept;
}

static scree_status take_nodes(const maker *m, const scree_mesh_part *part, int p, int count,
                               int *node) {
    for (int k = 0; k < count; k++)
        if (node[k] < 0 || node[k] >= m->mesh->nodes)
            return FAIL(m, at_part(m, p, k),
                        "group \"%s\" names node %d: the mesh has nodes 0 to %d", part->name,
                        node[k], m->mesh->nodes - 1);
    return SCREE_OK;
}

typedef struct shown {
    char text[96];
} shown;

static shown nodes_of(const maker *m, const int *node) {
    shown s = { "" };
    int used = 0;
    for (int k = 0; k < SIDE_CORNERS && node[k] >= 0; k++)
        used += snprintf(s.text + used, sizeof s.text - (size_t)used, " %lld",
                         node[k] < m->mesh->nodes ? (long long)node_name(m, node[k]) : node[k]);
    return s;
}

/// What a group collects.
typedef struct collection {
    int *facet, facets;  // on the boundary
    int *node, nodes;
} collection;

// the facets of a side, or one facet that is part of a side; false: it lies inside
static scree_status find_facet(const maker *m, const scree_mesh_part *part, int p, int k,
                               collection *all, bool *outside) {
    side wanted = { 0 };
    const int *node = part->node + (size_t)k * SCREE_FACET_CORNERS;
    memcpy(wanted.key, node, sizeof wanted.key);
    sort_key(wanted.key);
    const side *whole = bsearch(&wanted, m->side, (size_t)m->sides, sizeof wanted, by_key);
    const side *piece =
        m->pieces ? bsearch(&wanted, m->piece, (size_t)m->pieces, sizeof wanted, by_key) : NULL;
    if (!whole && !piece)
        return FAIL(m, at_part(m, p, k), "group \"%s\": nodes%s are not a side of an element",
                    part->name, nodes_of(m, node).text);
    int first = whole ? m->facet[whole->slot] : piece->slot;
    *outside = first != INNER;
    int count = whole ? pieces_of(m->mesh, whole->element, whole->local, NULL) : 1;
    for (int f = 0; f < count && *outside; f++) all->facet[all->facets++] = first + f;
    for (int c = 0; c < SCREE_FACET_CORNERS && node[c] >= 0; c++) all->node[all->nodes++] = node[c];
    if (whole)
        all->nodes += side_middles(m->mesh, whole->element, whole->local, all->node + all->nodes);
    return SCREE_OK;
}

// Facets inside the body: something can be held there, but nothing can press or touch. All or none
// of a group, because a load on one half of it would be half the load.
static scree_status take_facets(const maker *m, const scree_mesh_part *part, int p,
                                collection *all) {
    int inside = -1, insides = 0;
    for (int k = 0; k < part->facets; k++) {
        bool outside = false;
        scree_status status = find_facet(m, part, p, k, all, &outside);
        if (status) return status;
        if (!outside) inside = k;
        insides += !outside;
    }
    if (insides == 0 || insides == part->facets) return SCREE_OK;
    return FAIL(m, at_part(m, p, inside),
                "group \"%s\": %d of its %d facets lie inside the body, such as that of nodes%s: a "
                "group is part of the boundary or wholly inside",
                part->name, insides, part->facets,
                nodes_of(m, part->node + (size_t)inside * SCREE_FACET_CORNERS).text);
}

static scree_status take_part(maker *m, const scree_mesh_part *part, int p) {
    scree_mesh_group *group = &m->mesh->group[p];
    size_t facets = part->facets > 0 ? (size_t)part->facets : 0;
    size_t most = facets ? facets * SCREE_FEM_SIDE_NODES : (size_t)part->nodes;
    collection all = { .node = SCREE_NEW(m->arena, int, most) };
    if (facets) all.facet = SCREE_NEW(m->arena, int, (facets * SCREE_FEM_PIECES));
    if (!all.node || (facets && !all.facet)) return no_memory(m);
    for (int k = 0; k < part->nodes && !facets; k++) all.node[all.nodes++] = part->node[k];
    scree_status status =
        facets ? take_facets(m, part, p, &all) : take_nodes(m, part, p, all.nodes, all.node);
    if (status) return status;
    group->nodes = sort_once(all.node, all.nodes);
    group->facets = sort_once(all.facet, all.facets);
    group->node = all.node;
    group->facet = all.facet;
    return SCREE_OK;
}

static scree_status check_part(const maker *m, const scree_mesh_part *part, int p) {
    if (!part->name || !part->name[0])
        return FAIL(m, at_line(m, 0), "group %d of the mesh has no name", p);
    if (part->facets > SCREE_MESH_MOST || part->nodes > SCREE_MESH_MOST)
        return FAIL(m, at_line(m, 0), "group \"%s\" is too large: at most %d", part->name,
                    (int)SCREE_MESH_MOST);
    if (part->facets < 0 || (part->facets == 0 && part->nodes <= 0))
        return FAIL(m, at_line(m, 0), "group \"%s\" is empty", part->name);
    return SCREE_OK;
}

static scree_status add_boundary(maker *m) {
    scree_mesh *mesh = m->mesh;
    int known = scree_mesh_find(mesh, "boundary");
    if (known >= 0 && mesh->group[known].facets == mesh->facets) return SCREE_OK;
    if (known >= 0)
        return FAIL(m, at_part(m, known, 0),
                    "group \"boundary\" has %d of %d facets: the name means all of them",
                    mesh->group[known].facets, mesh->facets);
    int *facet = SCREE_NEW(m->arena, int, mesh->facets), count = 0;
    int *node = SCREE_NEW(m->arena, int, ((size_t)mesh->facets * SCREE_FACET_CORNERS));
    if (!facet || !node) return no_memory(m);
    for (int k = 0; k < mesh->facets; k++) facet[k] = k;
    for (int k = 0; k < mesh->facets * SCREE_FACET_CORNERS; k++)
        if (mesh->facet[k] >= 0) node[count++] = mesh->facet[k];
    mesh->group[mesh->groups++] =
        (scree_mesh_group){ "boundary", sort_once(node, count), node, mesh->facets, facet };
    return SCREE_OK;
}

static scree_status take_groups(maker *m, int parts, const scree_mesh_part *part) {
    scree_mesh *mesh = m->mesh;
    mesh->group = SCREE_NEW(m->arena, scree_mesh_group, (size_t)parts + 1);
    if (!mesh->group) return no_memory(m);
    for (int p = 0; p < parts; p++) {
        scree_status status = check_part(m, &part[p], p);
        if (status) return status;
        if (scree_mesh_find(mesh, part[p].name) >= 0)
            return FAIL(m, at_part(m, p, 0), "two groups are called \"%s\"", part[p].name);
        status = take_part(m, &part[p], p);
        mesh->group[p].name = scree_arena_text(m->arena, part[p].name, strlen(part[p].name));
        if (status) return status;
        if (!mesh->group[p].name) return no_memory(m);
        mesh->groups++;
    }
    return add_boundary(m);
}

// ---- all of it

scree_status scree_mesh_build(int space, int nodes, const double *node, int elements,
                              const scree_element *kind, const int *corner, int parts,
                              const scree_mesh_part *part, const scree_mesh_labels *labels,
                              scree_mesh **mesh, scree_error *err) {
    *mesh = NULL;
    struct scree_mesh_memory *memory = calloc(1, sizeof *memory);
    maker m = { .labels = labels, .err = err };
    if (!memory) return no_memory(&m);
    m.mesh = &memory->mesh;
    m.arena = &memory->arena;
    *m.mesh = (scree_mesh){ .space = space, .nodes = nodes, .memory = memory };
    scree_status status = check_counts(&m, space, nodes, elements, parts);
    if (!status) status = copy_kinds(&m, elements, kind);
    if (!status) status = copy_corners(&m, corner);
    if (!status) status = copy_nodes(&m, node);
    if (!status) status = check_shapes(&m);
    if (!status) status = find_boundary(&m);
    if (!status) status = take_groups(&m, parts, part);
    scree_arena_free(&m.scratch);
    if (status)
        scree_mesh_free(m.mesh);
    else
        *mesh = m.mesh;
    return status;
}

scree_status scree_mesh_make(int space, int nodes, const double *node, int elements,
                             const scree_element *kind, const int *corner, int parts,
                             const scree_mesh_part *part, scree_mesh **mesh, scree_error *err) {
    return scree_mesh_build(space, nodes, node, elements, kind, corner, parts, part,
                            &(scree_mesh_labels){ 0 }, mesh, err);
}

void scree_mesh_free(scree_mesh *mesh) {
    if (!mesh) return;
    struct scree_mesh_memory *memory = mesh->memory;
    scree_arena_free(&memory->arena);
    free(memory);
}

int scree_mesh_find(const scree_mesh *mesh, const char *name) {
    for (int g = 0; g < mesh->groups; g++)
        if (strcmp(mesh->group[g].name, name) == 0) return g;
    return -1;
}
