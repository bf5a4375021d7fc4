// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// facet.c - the point of a facet nearest to a given one.

#include "collide/facet.h"

#include <math.h>
#include <string.h>

#include "base/space.h"

static const double beside = 1e-9;  // of the facet's size: corner above corner is not beside it

double scree_facet_size(const double *corner, int corners) {
    double most = 0, edge[3];
    for (int i = 0; i < corners; i++) {
        const double *a = corner + 3 * i, *b = corner + 3 * ((i + 1) % corners);
        for (int k = 0; k < 3; k++) edge[k] = b[k] - a[k];
        most = fmax(most, scree_length(edge));
    }
    return most;
}

static double clamp(double x, double low, double high) { return fmin(fmax(x, low), high); }

// the place between a and b nearest to x, from 0 to 1
static double along(const double x[3], const double a[3], const double b[3]) {
    double edge[3], from[3];
    for (int k = 0; k < 3; k++) {
        edge[k] = b[k] - a[k];
        from[k] = x[k] - a[k];
    }
    double square = scree_dot(edge, edge);
    return square > 0 ? clamp(scree_dot(from, edge) / square, 0, 1) : 0;
}

static bool meet_edge(const double x[3], const double *corner, scree_facet_touch *touch) {
    const double *a = corner, *b = corner + 3;
    double dx = b[0] - a[0], dy = b[1] - a[1], length = hypot(dx, dy);
    if (!(length > 0)) return false;
    touch->normal[0] = dy / length;
    touch->normal[1] = -dx / length;
    touch->normal[2] = 0;
    touch->weight[1] = along(x, a, b);
    touch->weight[0] = 1 - touch->weight[1];
    return true;
}

// weights of the nearest point of the outline
static void nearest_on_edges(const double x[3], const double *corner, int corners, double *w) {
    double nearest = HUGE_VAL;
    for (int i = 0; i < corners; i++) {
        int j = (i + 1) % corners;
        double s = along(x, corner + 3 * i, corner + 3 * j), off[3];
        for (int k = 0; k < 3; k++)
            off[k] = x[k] - (1 - s) * corner[3 * i + k] - s * corner[3 * j + k];
        if (scree_dot(off, off) >= nearest) continue;
        nearest = scree_dot(off, off);
        for (int k = 0; k < corners; k++) w[k] = k == i ? 1 - s : k == j ? s : 0;
    }
}

// weights of the point of a triangle's plane below x; outside of it the nearest point of an edge
static bool meet_triangle(const double x[3], const double *corner, scree_facet_touch *touch) {
    const double *a = corner, *b = corner + 3, *c = corner + 6;
    double ab[3], ac[3], ax[3], n[3], part[3];
    for (int k = 0; k < 3; k++) {
        ab[k] = b[k] - a[k];
        ac[k] = c[k] - a[k];
        ax[k] = x[k] - a[k];
    }
    scree_cross(ab, ac, n);
    double twice = scree_length(n);
    if (!(twice > 0)) return false;
    for (int k = 0; k < 3; k++) touch->normal[k] = n[k] / twice;
    scree_cross(ax, ac, part);
    double beta = scree_dot(part, touch->normal) / twice;
    scree_cross(ab, ax, part);
    double gamma = scree_dot(part, touch->normal) / twice;
    double *w = touch->weight;
    w[0] = 1 - beta - gamma;
    w[1] = beta;
    w[2] = gamma;
    if (w[0] >= 0 && w[1] >= 0 && w[2] >= 0) return true;
    nearest_on_edges(x, corner, 3, w);
    return true;
}

static void bilinear(double s, double t, double w[4], double by_s[4], double by_t[4]) {
    const double sign[4][2] = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } };
    for (int i = 0; i < 4; i++) {
        w[i] = (1 + sign[i][0] * s) * (1 + sign[i][1] * t) / 4;
        by_s[i] = sign[i][0] * (1 + sign[i][1] * t) / 4;
        by_t[i] = sign[i][1] * (1 + sign[i][0] * s) / 4;
    }
}

// how the point of the quadrilateral moves with s and t
static void tangents(const double *corner, double s, double t, double w[4], double along_s[3],
                     double along_t[3]) {
    double by_s[4], by_t[4];
    bilinear(s, t, w, by_s, by_t);
    for (int k = 0; k < 3; k++) {
        along_s[k] = along_t[k] = 0;
        for (int i = 0; i < 4; i++) {
            along_s[k] += by_s[i] * corner[3 * i + k];
            along_t[k] += by_t[i] * corner[3 * i + k];
        }
    }
}

// Newton's method for the foot of the perpendicular from x; where it leaves the quadrilateral, the
// nearest point of the outline
static bool meet_quadrilateral(const double x[3], const double *corner, scree_facet_touch *touch) {
    enum { STEPS = 30 };
    double s = 0, t = 0, along_s[3], along_t[3], off[3], *w = touch->weight;
    for (int step = 0; step < STEPS; step++) {
        tangents(corner, s, t, w, along_s, along_t);
        memcpy(off, x, sizeof off);
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 3; k++) off[k] -= w[i] * corner[3 * i + k];
        double ss = scree_dot(along_s, along_s), tt = scree_dot(along_t, along_t);
        double st = scree_dot(along_s, along_t), determinant = ss * tt - st * st;
        if (!(determinant > 0)) return false;
        double fs = scree_dot(off, along_s), ft = scree_dot(off, along_t);
        double next_s = clamp(s + (tt * fs - st * ft) / determinant, -1, 1);
        double next_t = clamp(t + (ss * ft - st * fs) / determinant, -1, 1);
        bool there = fabs(next_s - s) + fabs(next_t - t) <= 1e-15;
        s = next_s;
        t = next_t;
        if (there) break;
    }
    if (fabs(s) == 1 || fabs(t) == 1) {
        nearest_on_edges(x, corner, 4, w);
        s = clamp(w[1] + w[2] - w[0] - w[3], -1, 1);
        t = clamp(w[2] + w[3] - w[0] - w[1], -1, 1);
    }
    tangents(corner, s, t, w, along_s, along_t);
    double n[3];
    scree_cross(along_s, along_t, n);
    double length = scree_length(n);
    if (!(length > 0)) return false;
    for (int k = 0; k < 3; k++) touch->normal[k] = n[k] / length;
    return true;
}

bool scree_facet_meet(const double x[3], const double *corner, int corners,
                      scree_facet_touch *touch) {
    *touch = (scree_facet_touch){ 0 };
    bool sound = corners == 2   ? meet_edge(x, corner, touch)
                 : corners == 3 ? meet_triangle(x, corner, touch)
                                : meet_quadrilateral(x, corner, touch);
    if (!sound) return false;
    double off[3], side[3];
    memcpy(off, x, sizeof off);
    for (int i = 0; i < corners; i++)
        for (int k = 0; k < 3; k++) off[k] -= touch->weight[i] * corner[3 * i + k];
    touch->gap = scree_dot(off, touch->normal);
    touch->away = scree_length(off);
    for (int k = 0; k < 3; k++) side[k] = off[k] - touch->gap * touch->normal[k];
    return scree_length(side) <= fmax(touch->gap, beside * scree_facet_size(corner, corners));
}
