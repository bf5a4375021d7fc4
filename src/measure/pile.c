// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// pile.c - a pile about a vertical axis: pressure on the ground, forces across strips, slope.

#include <math.h>

#include "base/space.h"
#include "measure/moment.h"

static const double pi = 3.14159265358979323846;

static double from_axis(int space, const double *x, const double axis[2]) {
    return space == 3 ? hypot(x[0] - axis[0], x[1] - axis[1]) : fabs(x[0] - axis[0]);
}

// --- the ground ---------------------------------------------------------------------------------

static double weight_of(const scree_moment *moment) {
    double mass = 0, g = scree_length(moment->model->gravity);
    for (int i = 0; i < moment->model->bodies; i++)
        if (scree_moment_grain(moment, i)) mass += moment->model->body[i].mass;
    return mass * g;
}

void scree_measure_ground(const scree_moment *moment, const double axis[2], double width, int rings,
                          scree_ground_ring *ring, scree_ground *whole) {
    int space = moment->model->space;
    *whole = (scree_ground){ .weight = weight_of(moment) };
    for (int k = 0; k < rings; k++) {
        double inner = k * width, outer = (k + 1) * width;
        double area = space == 3 ? pi * width * width * (2 * k + 1) : 2 * width;
        ring[k] = (scree_ground_ring){ .inner = inner, .outer = outer, .area = area };
    }
    for (int i = 0; i < moment->contacts; i++) {
        const scree_contact *c = scree_moment_contact(moment, i);
        bool a = scree_moment_grain(moment, c->a), b = scree_moment_grain(moment, c->b);
        double force[3];
        if (a == b || !scree_moment_bears(moment, c)) continue;
        scree_moment_force(moment, i, force);
        double down = a ? force[space - 1] : -force[space - 1];  // on what does not move
        double k = floor(from_axis(space, c->point, axis) / width);
        whole->force += down;
        whole->reach = fmax(whole->reach, from_axis(space, c->point, axis));
        if (!(k < rings)) continue;
        ring[(int)k].force += down;
        ring[(int)k].contacts++;
    }
    for (int k = 0; k < rings; k++) ring[k].pressure = ring[k].force / ring[k].area;
}

// --- strips -------------------------------------------------------------------------------------

static void shape_strip(scree_strip *strip) {
    double along[2] = { strip->to[0] - strip->from[0], strip->to[1] - strip->from[1] };
    double length = hypot(along[0], along[1]);
    double normal[2] = { along[1] / length, -along[0] / length };
    double sign = normal[0] < 0 || (normal[0] == 0 && normal[1] < 0) ? -1 : 1;
    for (int k = 0; k < 2; k++) strip->normal[k] = sign * normal[k] + 0.0;
    strip->area = pi * (strip->from[0] + strip->to[0]) * length;
}

// (r, z) of x: along the segment as a share of it, and across it on the side of the normal
static void on_strip(const scree_strip *strip, const double axis[2], const double *x, double *along,
                     double *across) {
    double r = from_axis(3, x, axis) - strip->from[0], z = x[2] - strip->from[1];
    double d[2] = { strip->to[0] - strip->from[0], strip->to[1] - strip->from[1] };
    *along = (r * d[0] + z * d[1]) / (d[0] * d[0] + d[1] * d[1]);
    *across = r * strip->normal[0] + z * strip->normal[1];
}

void scree_measure_strip(const scree_moment *moment, const double axis[2], scree_strip *strip) {
    shape_strip(strip);
    strip->density[0] = strip->density[1] = 0;
    strip->contacts = 0;
    for (int i = 0; i < moment->contacts; i++) {
        const scree_contact *c = scree_moment_contact(moment, i);
        double along, at, side_a, side_b, ignored, force[3];
        if (!scree_moment_bears(moment, c)) continue;
        on_strip(strip, axis, c->point, &along, &at);
        if (!(along >= 0 && along < 1)) continue;
        on_strip(strip, axis, scree_moment_centre(moment, c->a), &ignored, &side_a);
        on_strip(strip, axis, scree_moment_centre(moment, c->b), &ignored, &side_b);
        if ((side_a > 0) == (side_b > 0)) continue;
        scree_moment_force(moment, i, force);  // of b on a
        double sign = side_b > 0 ? 1 : -1;     // wanted: of the side of nu on the other
        double x = c->point[0] - axis[0], y = c->point[1] - axis[1], r = hypot(x, y);
        strip->density[0] += r > 0 ? sign * (force[0] * x + force[1] * y) / r : 0;
        strip->density[1] += sign * force[2];
        strip->contacts++;
    }
    for (int k = 0; k < 2; k++) strip->density[k] /= strip->area;
}

// --- lines through points (r, z) ----------------------------------------------------------------

typedef struct line_sums {
    double n, r, z, rr, rz;
} line_sums;

static void add_point(line_sums *s, double r, double z) {
    s->n += 1;
    s->r += r;
    s->z += z;
    s->rr += r * r;
    s->rz += r * z;
}

static double slope_of(const line_sums *s) {
    double determinant = s->n * s->rr - s->r * s->r;
    return s->n >= 3 && determinant > 0 ? (s->n * s->rz - s->r * s->z) / determinant : (double)NAN;
}

// --- slope --------------------------------------------------------------------------------------

static void top_of_rings(const scree_moment *moment, const double axis[2], double width, int rings,
                         double *height) {
    int space = moment->model->space;
    for (int k = 0; k < rings; k++) height[k] = NAN;
    for (int i = 0; i < moment->model->bodies; i++) {
        if (!scree_moment_grain(moment, i)) continue;
        const double *x = scree_moment_centre(moment, i);
        double k = floor(from_axis(space, x, axis) / width);
        if (k < rings) height[(int)k] = fmax(height[(int)k], x[space - 1]);
    }
}

void scree_measure_slope(const scree_moment *moment, const double axis[2], double width, int rings,
                         double *height, scree_slope *slope) {
    line_sums line = { 0 };
    *slope = (scree_slope){ .apex = -HUGE_VAL, .foot = HUGE_VAL };
    top_of_rings(moment, axis, width, rings, height);
    for (int k = 0; k < rings; k++) {
        if (isnan(height[k])) continue;
        slope->apex = fmax(slope->apex, height[k]);
        slope->foot = fmin(slope->foot, height[k]);
    }
    double range = slope->apex - slope->foot;
    for (int k = 0; k < rings; k++)
        if (height[k] >= slope->foot + 0.1 * range && height[k] <= slope->foot + 0.9 * range)
            add_point(&line, (k + 0.5) * width, height[k]);
    slope->fitted = (int)line.n;
    slope->angle = atan(-slope_of(&line));
}

// --- layers of a deposit ------------------------------------------------------------------------

// add the bodies of a layer with their centre in rings from first to last
static void add_layer(const scree_moment *moment, const double axis[2], const double born[2],
                      double from, double to, line_sums *sums) {
    for (int i = 0; i < moment->model->bodies; i++) {
        double time = moment->model->body[i].birth_time;
        if (!(time >= born[0] && time <= born[1]) || !scree_moment_grain(moment, i)) continue;
        const double *x = scree_moment_centre(moment, i);
        double r = from_axis(3, x, axis);
        if (r >= from && r < to) add_point(sums, r, x[2]);
    }
}

void scree_measure_layer(const scree_moment *moment, const double axis[2], const double born[2],
                         double width, int rings, scree_layer_ring *ring) {
    for (int k = 0; k < rings; k++) {
        line_sums own = { 0 }, near = { 0 };
        add_layer(moment, axis, born, k * width, (k + 1) * width, &own);
        ring[k] = (scree_layer_ring){ .bodies = (int)own.n, .slope = NAN };
        if (!ring[k].bodies) continue;
        add_layer(moment, axis, born, (k - 1) * width, (k + 2) * width, &near);
        ring[k].r = own.r / own.n;
        ring[k].z = own.z / own.n;
        ring[k].slope = slope_of(&near);
        ring[k].strip = (scree_strip){ .from = { ring[k].r, ring[k].z - width / 2 },
                                       .to = { ring[k].r, ring[k].z + width / 2 } };
        scree_measure_strip(moment, axis, &ring[k].strip);
    }
}
