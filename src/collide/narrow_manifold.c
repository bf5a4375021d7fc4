// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// narrow_manifold.c - the contact manifold: where flat features lie on each other, once the
// direction is known; the incident face clipped against the reference face.
//
// The reference face casts a prism along the normal; what of the other solid's face, edge or vertex
// is inside the prism touches it. Every witness has its own distance along the common normal, so
// that a block that rocks through the flush position sees no jump. Witnesses are named by the two
// features that meet there: a vertex and a face, or two edges, whichever solid was the reference.

#include <assert.h>

#include "collide/narrow_space.h"

enum { RING_MAX = SCREE_POLYGON_MAX, CLIP_MAX = 2 * RING_MAX + 8 };
typedef scree_feature_polygon polygon;

/// A corner of what is left of the incident ring.
typedef struct corner {
    double x[3];
    uint64_t incident, reference;  // the features that meet here
    int side;                      // of the reference that the line to the next corner is on, or
    int from, to;                  // -1: then it is on the incident edge between these
} corner;

uint32_t scree_manifold_feature(uint64_t of_a, uint64_t of_b) {
    uint64_t z = of_a * 0x9e3779b97f4a7c15u + of_b;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (uint32_t)(z >> 44);
}

static void name_apart(scree_witness *witness, int count) {
    for (int i = 1; i < count; i++) {
        for (int j = 0; j < i; j++) {
            if (witness[i].feature != witness[j].feature) continue;
            witness[i].feature = (witness[i].feature + 1) & 0xfffff;
            j = -1;
        }
    }
}

/// How far a witness is from what is chosen, in the plane across n: from the point (squared), the
/// line (times its length), or beyond the sides of the triangle. side: n x the way along each of
/// them.
static double gain(const scree_witness *witness, int chosen, const double side[3][3],
                   const double x[3]) {
    double d[3], most = 0;
    minus(x, witness[0].a, d);
    if (chosen == 1) return scree_dot(d, d);
    if (chosen == 2) return fabs(scree_dot(side[0], d));
    for (int k = 0; k < 3; k++) {
        minus(x, witness[k].a, d);
        most = fmax(most, -scree_dot(side[k], d));
    }
    return most;
}

/// The sides of the two or three witnesses that are chosen, inwards.
static void sides_of(const double n[3], const scree_witness *witness, int chosen,
                     double side[3][3]) {
    double e[3], d[3];
    for (int k = 0; k < (chosen == 3 ? 3 : 1); k++) {
        minus(witness[(k + 1) % chosen].a, witness[k].a, e);
        scree_cross(n, e, side[k]);
    }
    if (chosen < 3) return;
    minus(witness[2].a, witness[0].a, d);
    if (scree_dot(side[0], d) > 0) return;
    for (int k = 0; k < 9; k++) side[k / 3][k % 3] = -side[k / 3][k % 3];
}

static void swap_spots(scree_witness *witness, int i, int j) {
    if (i == j) return;
    scree_witness kept = witness[i];
    witness[i] = witness[j];
    witness[j] = kept;
}

static int deepest_of(const scree_witness *witness, int count) {
    int deepest = 0;
    for (int i = 1; i < count; i++) {
        if (witness[i].apart < witness[deepest].apart) deepest = i;
    }
    return deepest;
}

/// The first to be chosen: farthest from the middle of them all.
static int outermost(const scree_witness *witness, int count) {
    double middle[3] = { 0, 0, 0 }, d[3], most = -1;
    for (int i = 0; i < count; i++) along(middle, 1.0 / count, witness[i].a, middle);
    int best = 0;
    for (int i = 0; i < count; i++) {
        minus(witness[i].a, middle, d);
        // equals differ by rounding: the first of them
        if (scree_dot(d, d) <= most * (1 + 1e-6)) continue;
        most = scree_dot(d, d);
        best = i;
    }
    return best;
}

int scree_manifold_reduce(const double n[3], double margin, double noise, scree_witness *witness,
                          int count) {
    int within = 0;
    for (int i = 0; i < count; i++) {
        if (!(witness[i].apart <= margin)) continue;
        if (within < i) witness[within] = witness[i];
        within++;
    }
    count = within;
    if (count < 2) return count;
    scree_witness deepest = witness[deepest_of(witness, count)];
    swap_spots(witness, 0, outermost(witness, count));
    double square = 0;
    int chosen = 1;
    for (; chosen < 4 && chosen < count; chosen++) {
        double most = 0, side[3][3] = { { 0 } };
        int best = chosen;
        if (chosen > 1) sides_of(n, witness, chosen, side);
        for (int i = chosen; i < count; i++) {
            double here = gain(witness, chosen, side, witness[i].a);
            if (here <= most * (chosen == 1 ? 1 + 2e-6 : 1 + 1e-6)) continue;
            most = here;
            best = i;
        }
        if (chosen == 1) square = most;
        // one that adds nothing would only repeat another
        if (most <= (chosen == 1 ? 100 * noise * noise : 1e-6 * square)) break;
        swap_spots(witness, chosen, best);
    }
    int shallow = deepest_of(witness, chosen);
    if (deepest.apart < witness[shallow].apart - noise) {
        // the deepest takes the place of its neighbour
        double d[3], least = HUGE_VAL;
        int nearest = 0;
        for (int i = 0; i < chosen; i++) {
            minus(witness[i].a, deepest.a, d);
            if (scree_dot(d, d) >= least * (1 - 1e-6)) continue;
            least = scree_dot(d, d);
            nearest = i;
        }
        witness[nearest] = deepest;
    }
    name_apart(witness, chosen);
    return chosen;
}

static void ring_vertex(const scree_pair_frame *pair, bool of_a, int vertex, polygon *out) {
    int k = out->count++;
    out->vertex[k] = vertex;
    if (of_a)
        vertex_a(pair, vertex, out->x[k]);
    else
        copy3(vertex_b(pair, vertex), out->x[k]);
}

static void ring_of_face(const scree_pair_frame *pair, bool of_a, int face, polygon *out) {
    const scree_collision_shape *solid = of_a ? pair->a : pair->b;
    int first = solid->face_first[face], last = solid->face_first[face + 1];
    assert(last - first <= RING_MAX);
    out->count = 0;
    out->face = face;
    for (int k = first; k < last; k++) ring_vertex(pair, of_a, solid->face_vertex[k], out);
    if (of_a)
        normal_a(pair, face, out->normal);
    else
        copy3(solid->face_normal + 3 * (long)face, out->normal);
}

static void ring_of_edge(const scree_pair_frame *pair, bool of_a, int v, int w, polygon *out) {
    out->count = 0;
    out->face = -1;
    ring_vertex(pair, of_a, v, out);
    if (w >= 0) ring_vertex(pair, of_a, w, out);
}

/// Ends of an edge; a segment has one and no list of it.
static const int *edge_of(const scree_collision_shape *solid, int edge) {
    static const int segment[4] = { 0, 1, -1, -1 };
    return solid->edges ? solid->edge + 4 * (long)edge : segment;
}

/// Cosine of the angle between an edge and the direction d, without its sign.
static double edge_cosine(const scree_collision_shape *solid, const int *edge, const double d[3]) {
    double e[3];
    minus(solid->vertex + 3 * (long)edge[1], solid->vertex + 3 * (long)edge[0], e);
    double length = scree_length(e);
    return length > 0 ? fabs(scree_dot(e, d)) / length : 1;
}

void scree_manifold_incident_face(const scree_collision_shape *solid, int vertex, const double d[3],
                                  int *face, int *edge) {
    double most = SCREE_FLAT_COSINE, least = SCREE_FLAT_SINE;
    *face = *edge = -1;
    int edges = solid->edges ? solid->edges : solid->vertices == 2;
    for (int i = 0; i < edges; i++) {
        const int *e = edge_of(solid, i);
        if (e[0] != vertex && e[1] != vertex) continue;
        double cosine = edge_cosine(solid, e, d);
        if (cosine < least) {
            least = cosine;
            *edge = i;
        }
        for (int side = 2; side < 4; side++) {
            if (e[side] < 0) continue;
            double here = scree_dot(solid->face_normal + 3 * (long)e[side], d);
            if (here <= most) continue;
            most = here;
            *face = e[side];
        }
    }
}

/// The outward direction of a solid in its own frame.
static void outward(const scree_pair_frame *pair, bool of_a, const double n[3], double d[3]) {
    if (of_a) {
        scree_rotate_back(pair->turn, n, d);
        for (int k = 0; k < 3; k++) d[k] = -d[k];
    } else {
        copy3(n, d);
    }
}

void scree_feature_polygon_of(const scree_pair_frame *pair, bool of_a, const double n[3],
                              polygon *out) {
    const scree_collision_shape *solid = of_a ? pair->a : pair->b;
    double d[3];
    int face, edge;
    outward(pair, of_a, n, d);
    int vertex = support_vertex(solid, d);
    scree_manifold_incident_face(solid, vertex, d, &face, &edge);
    if (face >= 0)
        ring_of_face(pair, of_a, face, out);
    else if (edge >= 0)
        ring_of_edge(pair, of_a, edge_of(solid, edge)[0], edge_of(solid, edge)[1], out);
    else
        ring_of_edge(pair, of_a, vertex, -1, out);
}

/// The flatter face at an edge if it is flat, otherwise the edge; returns the cosine.
static double ring_at_edge(const scree_pair_frame *pair, bool of_a, int edge, const double n[3],
                           polygon *out) {
    const scree_collision_shape *solid = of_a ? pair->a : pair->b;
    const int *e = edge_of(solid, edge);
    double d[3], most = SCREE_FLAT_COSINE;
    int face = -1;
    outward(pair, of_a, n, d);
    for (int side = 2; side < 4; side++) {
        if (e[side] < 0) continue;
        double here = scree_dot(solid->face_normal + 3 * (long)e[side], d);
        if (here <= most) continue;
        most = here;
        face = e[side];
    }
    if (face >= 0)
        ring_of_face(pair, of_a, face, out);
    else
        ring_of_edge(pair, of_a, e[0], e[1], out);
    return face >= 0 ? most : 0;
}

/// The corner where side `cut` of the reference cuts the line that leaves `from`.
static void cut_line(const polygon *reference, int cut, const corner *from, const corner *to,
                     double inside, double outside, corner *out) {
    int next = (cut + 1) % reference->count;
    // what is level with the side up to noise must not be cut beyond its ends
    double t = inside / (inside - outside);
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    for (int k = 0; k < 3; k++) out->x[k] = from->x[k] + t * (to->x[k] - from->x[k]);
    out->incident = edge_code(from->from, from->to);
    out->reference = edge_code(reference->vertex[cut], reference->vertex[next]);
    if (from->side < 0) return;
    // a line on a side of the reference, cut by another side: a vertex of the reference
    int shared = (from->side + 1) % reference->count == cut ? cut : from->side;
    out->incident = 0;
    out->reference = vertex_code(reference->vertex[shared]);
}

/// How far inside of one side plane of the prism the corners are; returns whether all are.
static bool inside_heights(const polygon *reference, int side, const double inward[3], double noise,
                           const corner *in, int count, double *height) {
    bool all = true;
    for (int i = 0; i < count; i++) {
        double d[3];
        minus(in[i].x, reference->x[side], d);
        height[i] = scree_dot(d, inward);
        all = all && height[i] >= -noise;
    }
    return all;
}

/// Keep what is inside of it.
static int clip_side(const polygon *reference, int side, const double *height, double noise,
                     bool closed, const corner *in, int count, corner *out) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        bool last = i + 1 == count;
        int next = last ? 0 : i + 1;
        bool in_here = height[i] >= -noise, in_there = height[next] >= -noise;
        if (in_here) out[kept++] = in[i];
        if (in_here != in_there && (closed || !last)) {
            cut_line(reference, side, &in[i], &in[next], height[i], height[next], &out[kept]);
            out[kept].side = in_here ? side : in[i].side;
            out[kept].from = in[i].from;
            out[kept].to = in[i].to;
            kept++;
        }
    }
    return kept;
}

/// What of the incident ring is inside the prism of the reference along n: in the one or the other
/// of two buffers.
static const corner *clip(const polygon *reference, const polygon *incident, const double n[3],
                          double noise, corner *result, corner *other, int *corners) {
    bool closed = incident->count > 2;
    int count = incident->count;
    double height[CLIP_MAX];
    for (int i = 0; i < count; i++) {
        int next = i + 1 < count ? i + 1 : 0;
        result[i] = (corner){ .incident = vertex_code(incident->vertex[i]),
                              .reference = face_code(reference->face),
                              .side = -1,
                              .from = incident->vertex[i],
                              .to = incident->vertex[next] };
        copy3(incident->x[i], result[i].x);
    }
    // counter-clockwise about the face's own normal
    double sign = scree_dot(reference->normal, n) > 0 ? 1 : -1;
    for (int side = 0; side < reference->count && count > 0; side++) {
        double e[3], inward[3];
        minus(reference->x[side + 1 < reference->count ? side + 1 : 0], reference->x[side], e);
        scree_cross(n, e, inward);
        double scale = sign / scree_length(inward);
        for (int k = 0; k < 3; k++) inward[k] *= scale;
        if (inside_heights(reference, side, inward, noise, result, count, height)) continue;
        count = clip_side(reference, side, height, noise, closed, result, count, other);
        corner *swap = result;
        result = other;
        other = swap;
    }
    *corners = count;
    return result;
}

int scree_manifold_clip_face(const scree_pair_frame *pair, bool reference_a,
                             const polygon *reference, const polygon *incident, const double n[3],
                             scree_witness witness[4]) {
    corner one[CLIP_MAX], two[CLIP_MAX];
    scree_witness all[CLIP_MAX];
    int count;
    // what is kept beyond a side counts at its own height, which must not be seen in the gap
    const corner *result = clip(reference, incident, n, 10 * pair->noise, one, two, &count);
    double slope = scree_dot(reference->normal, n);
    for (int i = 0; i < count; i++) {
        const corner *c = &result[i];
        double d[3];
        minus(reference->x[0], c->x, d);
        double up = scree_dot(reference->normal, d) / slope;
        uint64_t of_incident = c->incident ? c->incident : face_code(incident->face);
        all[i].apart = reference_a ? up : -up;
        copy3(c->x, reference_a ? all[i].b : all[i].a);
        along(c->x, up, n, reference_a ? all[i].a : all[i].b);
        all[i].feature = reference_a ? scree_manifold_feature(c->reference, of_incident)
                                     : scree_manifold_feature(of_incident, c->reference);
    }
    count = scree_manifold_reduce(n, HUGE_VAL, pair->noise, all, count);
    for (int i = 0; i < count; i++) witness[i] = all[i];
    return count;
}

int scree_manifold_clip_edges(const scree_pair_frame *pair, const polygon *a, const polygon *b,
                              const double n[3], scree_witness witness[4]) {
    double ea[3], eb[3], level[3], c[3], d[3], t[2];
    minus(a->x[1], a->x[0], ea);
    minus(b->x[1], b->x[0], eb);
    double length = scree_length(eb), length_a = scree_length(ea);
    scree_cross(ea, eb, c);
    // what is above what is told along n, also where b's edge is not across it
    copy3(eb, level);
    if (fabs(scree_dot(eb, n)) > 1e-12 * length) along(eb, -scree_dot(eb, n), n, level);
    double square = scree_dot(eb, level), slope = scree_dot(ea, level);
    double twist = fabs(scree_dot(c, n)) / (length * length_a);
    double rounding = pair->rounding_a + pair->rounding_b;
    // sharp edges must be parallel, between round ones a little play changes nothing
    double shorter = fmin(length, length_a);
    double play = fmax(1e-8 * shorter, 1e-3 * fmin(rounding, shorter));
    if (twist * shorter > play) return 0;
    for (int k = 0; k < 2; k++) {
        minus(a->x[slope > 0 ? k : 1 - k], b->x[0], d);
        t[k] = scree_dot(d, level) / square;
    }
    bool end_b[2] = { t[0]<1e-9, t[1]> 1 - 1e-9 };
    if (end_b[0]) t[0] = 0;
    if (end_b[1]) t[1] = 1;
    if (t[1] - t[0] <= 1e-6) return 0;
    for (int k = 0; k < 2; k++) {
        int of_a = slope > 0 ? k : 1 - k;
        along(b->x[0], t[k], eb, witness[k].b);
        minus(witness[k].b, a->x[0], d);
        along(a->x[0], scree_dot(d, level) / slope, ea, witness[k].a);
        minus(witness[k].a, witness[k].b, d);
        witness[k].apart = scree_dot(d, n);
        along(d, -witness[k].apart, n, d);
        if (scree_dot(d, d) > play * play) return 0;
        uint64_t whole_a = edge_code(a->vertex[0], a->vertex[1]);
        uint64_t whole_b = edge_code(b->vertex[0], b->vertex[1]);
        witness[k].feature = end_b[k]
                                 ? scree_manifold_feature(whole_a, vertex_code(b->vertex[k]))
                                 : scree_manifold_feature(vertex_code(a->vertex[of_a]), whole_b);
    }
    name_apart(witness, 2);
    return 2;
}

/// Two edges that cross.
static int crossing(const scree_pair_frame *pair, const polygon *a, const polygon *b,
                    const double n[3], scree_witness witness[4]) {
    double ea[3], eb[3], d[3], s, t;
    minus(a->x[1], a->x[0], ea);
    minus(b->x[1], b->x[0], eb);
    scree_round_segments(a->x[0], ea, b->x[0], eb, &s, &t);
    along(a->x[0], s, ea, witness->a);
    along(b->x[0], t, eb, witness->b);
    minus(witness->a, witness->b, d);
    witness->apart = scree_dot(d, n);
    // points that are not above each other do not show how far apart the solids are
    along(d, -witness->apart, n, d);
    if (witness->apart > 0 && scree_length(d) > 100 * pair->noise) return 0;
    witness->feature = scree_manifold_feature(edge_code(a->vertex[0], a->vertex[1]),
                                              edge_code(b->vertex[0], b->vertex[1]));
    return 1;
}

/// The flattest edge at the farthest vertex; false: none is flat.
static bool flat_edge(const scree_pair_frame *pair, bool of_a, const double n[3], polygon *out) {
    const scree_collision_shape *solid = of_a ? pair->a : pair->b;
    double d[3];
    int face, edge;
    outward(pair, of_a, n, d);
    scree_manifold_incident_face(solid, support_vertex(solid, d), d, &face, &edge);
    if (edge < 0) return false;
    ring_of_edge(pair, of_a, edge_of(solid, edge)[0], edge_of(solid, edge)[1], out);
    return true;
}

static double least_of(const scree_witness *witness, int count) {
    double least = HUGE_VAL;
    for (int i = 0; i < count; i++) least = fmin(least, witness[i].apart);
    return least;
}

/// Witnesses of what is flat on the face of an axis. An edge may lie on it beside a flatter face
/// that does not reach it: then the edge.
static int on_face(const scree_pair_frame *pair, const scree_axis *axis, scree_witness witness[4]) {
    polygon reference, incident;
    bool of_a = axis->kind == SCREE_AXIS_FACE_A;
    const double *n = axis->n;
    ring_of_face(pair, of_a, of_a ? axis->a : axis->b, &reference);
    scree_feature_polygon_of(pair, !of_a, n, &incident);
    int count = scree_manifold_clip_face(pair, of_a, &reference, &incident, n, witness);
    if (incident.count < 3 || least_of(witness, count) <= axis->apart + 10 * pair->noise)
        return count;
    if (!flat_edge(pair, !of_a, n, &incident)) return count;
    scree_witness other[4];
    int others = scree_manifold_clip_face(pair, of_a, &reference, &incident, n, other);
    if (least_of(other, others) >= least_of(witness, count)) return count;
    for (int i = 0; i < others; i++) witness[i] = other[i];
    return others;
}

int scree_manifold_find(const scree_pair_frame *pair, const scree_axis *axis,
                        scree_witness witness[4]) {
    polygon a, b;
    const double *n = axis->n;
    if (axis->kind == SCREE_AXIS_FACE_A || axis->kind == SCREE_AXIS_FACE_B)
        return on_face(pair, axis, witness);
    double flat_a = ring_at_edge(pair, true, axis->a, n, &a);
    double flat_b = ring_at_edge(pair, false, axis->b, n, &b);
    int count = 0;
    if (a.face >= 0 && flat_a >= flat_b)
        count = scree_manifold_clip_face(pair, true, &a, &b, n, witness);
    else if (b.face >= 0)
        count = scree_manifold_clip_face(pair, false, &b, &a, n, witness);
    if (least_of(witness, count) <= axis->apart + 10 * pair->noise) return count;
    // nothing flat at the edges, or not where they cross
    const int *ends = edge_of(pair->a, axis->a);
    ring_of_edge(pair, true, ends[0], ends[1], &a);
    ends = edge_of(pair->b, axis->b);
    ring_of_edge(pair, false, ends[0], ends[1], &b);
    count = scree_manifold_clip_edges(pair, &a, &b, n, witness);
    return count ? count : crossing(pair, &a, &b, n, witness);
}

/// The feature that the corners of a simplex span.
static uint64_t spanned(const int *end, int count) {
    int least = end[0], most = end[0];
    for (int i = 1; i < count; i++) {
        least = end[i] < least ? end[i] : least;
        most = end[i] > most ? end[i] : most;
    }
    return least == most ? vertex_code(least) : edge_code(least, most);
}

int scree_manifold_near(const scree_pair_frame *pair, const scree_closest_points *near,
                        scree_witness witness[4]) {
    polygon a, b;
    if (flat_edge(pair, true, near->n, &a) && flat_edge(pair, false, near->n, &b)) {
        int count = scree_manifold_clip_edges(pair, &a, &b, near->n, witness);
        double least = count ? fmin(witness[0].apart, witness[1].apart) : HUGE_VAL;
        if (least <= near->distance + 10 * pair->noise) return count;
    }
    copy3(near->a, witness->a);
    copy3(near->b, witness->b);
    witness->apart = near->distance;
    witness->feature = scree_manifold_feature(spanned(near->corner_a, near->corners),
                                              spanned(near->corner_b, near->corners));
    return 1;
}

int scree_manifold_write(const scree_pair_frame *pair, const double n[3],
                         const scree_witness *witness, int count,
                         scree_manifold_point manifold[SCREE_MANIFOLD_MAX]) {
    double world[3], middle[3];
    int written = 0;
    scree_rotate(pair->frame->turn, n, world);
    for (int i = 0; i < count; i++) {
        if (witness[i].apart > pair->margin) continue;
        scree_manifold_point *out = &manifold[written++];
        out->gap = witness[i].apart - pair->rounding_a - pair->rounding_b;
        double shift = (pair->rounding_b - pair->rounding_a) / 2;
        for (int k = 0; k < 3; k++)
            middle[k] = (witness[i].a[k] + witness[i].b[k]) / 2 + shift * n[k];
        scree_rotate(pair->frame->turn, middle, out->point);
        for (int k = 0; k < 3; k++) out->point[k] += pair->frame->at[k];
        copy3(world, out->normal);
        out->feature = witness[i].feature;
    }
    return written;
}
