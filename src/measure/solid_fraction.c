// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// solid_fraction.c - the share of a box that bodies fill, by chords along parallel lines.
// in: a moment, a box.   out: one number.   work: outlines of the shapes.
//
// Lines go up, through the middles of a grid on the box's base. What a closed surface cuts out of a
// line is the sum of the heights at which the line leaves it (facets that look up), less those at
// which it enters. Cut off at the box's ends that stays true, also for bodies that are not convex.

#include <math.h>

#include "measure/moment.h"
#include "scree/geometry.h"

typedef struct beam {  // lines through a box
    scree_region region;
    int space, lines;
    double pitch[2];
} beam;

static double middle_of(const beam *b, int axis, int i) {
    return b->region.low[axis] + (i + 0.5) * b->pitch[axis];
}

static double cut_off(const beam *b, double height) {
    int up = b->space - 1;
    return fmin(fmax(height, b->region.low[up]), b->region.high[up]);
}

// lines of an axis within [low, high], from *first on
static int lines_within(const beam *b, int axis, double low, double high, int *first) {
    if (axis >= b->space - 1) {  // in the plane there is one row of lines
        *first = 0;
        return 1;
    }
    double from = ceil((low - b->region.low[axis]) / b->pitch[axis] - 0.5),
           to = floor((high - b->region.low[axis]) / b->pitch[axis] - 0.5);
    *first = from > 0 ? (int)fmin(from, b->lines) : 0;
    int last = to < b->lines - 1 ? (int)fmax(to, -1) : b->lines - 1;
    return last >= *first ? last - *first + 1 : 0;
}

static double ball_chords(const beam *b, const double centre[3], double radius) {
    int first[2] = { 0 }, count[2], up = b->space - 1;
    double sum = 0;
    for (int k = 0; k < 2; k++)
        count[k] = lines_within(b, k, centre[k] - radius, centre[k] + radius, &first[k]);
    for (int j = first[1]; j < first[1] + count[1]; j++)
        for (int i = first[0]; i < first[0] + count[0]; i++) {
            double x = middle_of(b, 0, i) - centre[0],
                   y = b->space == 3 ? middle_of(b, 1, j) - centre[1] : 0;
            double square = radius * radius - x * x - y * y;
            if (!(square > 0)) continue;
            double half = sqrt(square);
            sum += cut_off(b, centre[up] + half) - cut_off(b, centre[up] - half);
        }
    return sum;
}

// what lines gain at one edge of a polygon in the plane, or at one triangle of a facet in space
static double edge_chords(const beam *b, const double p[3], const double q[3]) {
    int first, count = lines_within(b, 0, fmin(p[0], q[0]), fmax(p[0], q[0]), &first);
    double sum = 0, wide = q[0] - p[0];
    if (wide == 0) return 0;
    for (int i = first; i < first + count; i++) {
        double x = middle_of(b, 0, i);
        // half-open, so that a line through a corner meets one of its two edges
        if ((x < p[0]) == (x < q[0])) continue;
        double height = p[1] + (q[1] - p[1]) * ((x - p[0]) / wide);
        sum += wide > 0 ? -cut_off(b, height) : cut_off(b, height);
    }
    return sum;
}

static double triangle_chords(const beam *b, const double p[3], const double q[3],
                              const double r[3]) {
    double area = (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]), sum = 0;
    int first[2], count[2];
    if (area == 0) return 0;
    for (int k = 0; k < 2; k++)
        count[k] = lines_within(b, k, fmin(p[k], fmin(q[k], r[k])), fmax(p[k], fmax(q[k], r[k])),
                                &first[k]);
    const double *corner[3] = { p, q, r };
    for (int j = first[1]; j < first[1] + count[1]; j++)
        for (int i = first[0]; i < first[0] + count[0]; i++) {
            double x = middle_of(b, 0, i), y = middle_of(b, 1, j), weight[3];
            bool inside = false;
            for (int k = 0; k < 3; k++) {  // crossings of the line through (x, y) along x
                const double *from = corner[k], *to = corner[(k + 1) % 3];
                if ((from[1] <= y) != (to[1] <= y) &&
                    x < from[0] + (to[0] - from[0]) * ((y - from[1]) / (to[1] - from[1])))
                    inside = !inside;
                weight[(k + 2) % 3] =
                    ((to[0] - from[0]) * (y - from[1]) - (to[1] - from[1]) * (x - from[0])) / area;
            }
            if (!inside) continue;
            double height = weight[0] * p[2] + weight[1] * q[2] + weight[2] * r[2];
            sum += area > 0 ? cut_off(b, height) : -cut_off(b, height);
        }
    return sum;
}

static double facet_chords(const beam *b, const scree_outline *outline, int polygon,
                           const scree_placement *at) {
    const int *corner = outline->corner + outline->first[polygon];
    int corners = outline->first[polygon + 1] - outline->first[polygon];
    double sum = 0, origin[3], last[3], x[3];
    scree_placement_apply(at, outline->point + 3 * (long)corner[0], origin);
    for (int i = 1; i <= corners; i++) {
        scree_placement_apply(at, outline->point + 3 * (long)corner[i % corners], x);
        const double *before = i > 1 ? last : origin;
        if (b->space == 2)
            sum += edge_chords(b, before, x);
        else if (i > 1 && i < corners)
            sum += triangle_chords(b, origin, last, x);
        for (int k = 0; k < 3; k++) last[k] = x[k];
    }
    return sum;
}

static double outline_chords(const beam *b, const scree_moment *moment,
                             const scree_outline *outline) {
    scree_placement at;
    double sum = 0, centre[3];
    scree_geometry_place(moment->model, outline->body, moment->q, &at);
    if (outline->ball) {
        scree_placement_apply(&at, outline->centre, centre);
        return ball_chords(b, centre, outline->radius);
    }
    for (int i = 0; i < outline->polygons && !outline->line; i++)
        sum += facet_chords(b, outline, i, &at);
    return sum;
}

scree_status scree_measure_solid_fraction(const scree_moment *moment, const scree_region *region,
                                          int lines, double *fraction, scree_error *err) {
    int space = moment->model->space;
    beam b = { .region = *region, .space = space, .lines = lines, .pitch = { 1, 1 } };
    double wide = 1, sum = 0, volume = scree_region_volume(region, space);
    *fraction = 0;
    if (!(volume > 0) || !isfinite(volume))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the region has no volume: is there a body that moves?");
    for (int k = 0; k < space - 1; k++) {
        b.pitch[k] = (region->high[k] - region->low[k]) / lines;
        wide *= b.pitch[k];
    }
    scree_geometry *geometry;
    scree_view view = scree_view_of_box(space, region->low, region->high);
    scree_status status = scree_geometry_new(moment->model, moment->q, &view, &geometry, err);
    if (status) return status;
    for (int i = 0; i < geometry->outlines; i++)
        if (scree_moment_grain(moment, geometry->outline[i].body))
            sum += outline_chords(&b, moment, &geometry->outline[i]);
    scree_geometry_free(geometry);
    *fraction = sum * wide / volume;
    return SCREE_OK;
}
