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
    double nearest = HUGE_VAL;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3;
        double s = along(x, corner + 3 * i, corner + 3 * j), off[3];
        for (int k = 0; k < 3; k++)
            off[k] = x[k] - (1 - s) * corner[3 * i + k] - s * corner[3 * j + k];
        if (scree_dot(off, off) >= nearest) continue;
        nearest = scree_dot(off, off);
        w[i] = 1 - s;
        w[j] = s;
        w[3 - i - j] = 0;
    }
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

// Newton's method for the foot of the perpendicular from x, kept within the quadrilateral
static bool meet_quadrilateral(const double x[3], const double *corner, scree_facet_touch *touch) {
    enum { STEPS = 30 };
    double s = 0, t = 0, by_s[4], by_t[4], along_s[3], along_t[3], off[3];
    for (int step = 0; step < STEPS; step++) {
        bilinear(s, t, touch->weight, by_s, by_t);
        memset(along_s, 0, sizeof along_s);
        memset(along_t, 0, sizeof along_t);
        memcpy(off, x, sizeof off);
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 3; k++) {
                along_s[k] += by_s[i] * corner[3 * i + k];
                along_t[k] += by_t[i] * corner[3 * i + k];
                off[k] -= touch->weight[i] * corner[3 * i + k];
            }
        double ss = scree_dot(along_s, along_s), tt = scree_dot(along_t, along_t);
        double st = scree_dot(along_s, along_t), determinant = ss * tt - st * st;
        if (!(determinant > 0)) return false;
        double fs = scree_dot(off, along_s), ft = scree_dot(off, along_t);
        double next_s = clamp(s + (tt * fs - st * ft) / determinant, -1, 1);
        double next_t = clamp(t + (ss * ft - st * fs) / determinant, -1, 1);
        // on an edge the other coordinate alone is free
        if (fabs(next_s) == 1 && fabs(next_t) < 1) next_t = clamp(t + ft / tt, -1, 1);
        if (fabs(next_t) == 1 && fabs(next_s) < 1) next_s = clamp(s + fs / ss, -1, 1);
        bool there = fabs(next_s - s) + fabs(next_t - t) <= 1e-15;
        s = next_s;
        t = next_t;
        if (there) break;
    }
    bilinear(s, t, touch->weight, by_s, by_t);
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
