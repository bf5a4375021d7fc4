// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_facet.c - a point against an edge, a triangle, a quadrilateral: the nearest point of the
// facet against a search that knows nothing but distances.

#include "collide/facet.h"
#include "harness.h"
#include "random.h"

typedef struct place {  // within the facet, both from 0 to 1
    double s, t;
} place;

static double length3(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

// weights of the corners: along the edge; of the triangle as half of a square that is folded along
// its diagonal; bilinear in the quadrilateral
static void weights_at(int corners, place at, double w[4]) {
    double s = at.s, t = at.t;
    w[2] = w[3] = 0;
    if (corners == 2) {
        w[0] = 1 - s;
        w[1] = s;
    } else if (corners == 3) {
        bool fold = s + t > 1;
        w[1] = fold ? 1 - t : s;
        w[2] = fold ? 1 - s : t;
        w[0] = 1 - w[1] - w[2];
    } else {
        w[0] = (1 - s) * (1 - t);
        w[1] = s * (1 - t);
        w[2] = s * t;
        w[3] = (1 - s) * t;
    }
}

static double distance(const double x[3], const double *corner, const double *w, int corners) {
    double off[3];
    for (int k = 0; k < 3; k++) {
        off[k] = x[k];
        for (int i = 0; i < corners; i++) off[k] -= w[i] * corner[3 * i + k];
    }
    return length3(off);
}

static double distance_at(const double x[3], const double *corner, int corners, place at) {
    double w[4];
    weights_at(corners, at, w);
    return distance(x, corner, w, corners);
}

// a grid over the facet, then small grids about the best place, smaller where none is better
static double search(const double x[3], const double *corner, int corners, place *best) {
    enum { GRID = 24 };
    double least = INFINITY, width = 1;
    place centre = { 0.5, 0.5 };
    for (bool first = true; width > 1e-11; first = false) {
        int cells = first ? GRID : 4;
        double before = least;
        place middle = centre;
        for (int i = 0; i <= cells; i++)
            for (int j = 0; j <= (corners == 2 ? 0 : cells); j++) {
                place at = { middle.s + width * ((double)i / cells - 0.5),
                             middle.t + width * ((double)j / cells - 0.5) };
                at.s = fmin(fmax(at.s, 0), 1);
                at.t = fmin(fmax(at.t, 0), 1);
                double d = distance_at(x, corner, corners, at);
                if (d >= least) continue;
                least = d;
                centre = at;
            }
        if (first)
            width = 4.0 / GRID;
        else if (!(least < before * (1 - 1e-9)))
            width /= 2;
    }
    *best = centre;
    return least;
}

typedef struct tally {
    int met, beside, far, worse;
    double worst;
} tally;

static double facet_size(const double *corner, int corners) {
    double most = 0;
    for (int i = 0; i < corners; i++) {
        double edge[3];
        for (int k = 0; k < 3; k++)
            edge[k] = corner[3 * ((i + 1) % corners) + k] - corner[3 * i + k];
        most = fmax(most, length3(edge));
    }
    return most;
}

// the normal at a place: across the edge, or of the tangents by differences, which are exact here
static void normal_at(const double *corner, int corners, const place *at, double n[3]) {
    double a[3], b[3] = { 0, 0, 1 }, w[4][4];
    place on = corners == 4 ? *at : (place){ 0, 0 };  // a plane has one normal
    weights_at(corners, (place){ 0, on.t }, w[0]);
    weights_at(corners, (place){ 1, on.t }, w[1]);
    weights_at(corners, (place){ on.s, 0 }, w[2]);
    weights_at(corners, (place){ on.s, 1 }, w[3]);
    for (int k = 0; k < 3; k++) {
        a[k] = 0;
        if (corners > 2) b[k] = 0;
        for (int i = 0; i < corners; i++) {
            a[k] += (w[1][i] - w[0][i]) * corner[3 * i + k];
            if (corners > 2) b[k] += (w[3][i] - w[2][i]) * corner[3 * i + k];
        }
    }
    for (int k = 0; k < 3; k++)
        n[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
    double length = length3(n);
    for (int k = 0; k < 3; k++) n[k] /= length;
}

static void compare(const double x[3], const double *corner, int corners, double tolerance,
                    tally *all) {
    scree_facet_touch manifold;
    place at;
    double size = facet_size(corner, corners), least = search(x, corner, corners, &at), n[3], w[4];
    CHECK_NEAR(scree_facet_size(corner, corners), size, 1e-15 * size);
    bool met = scree_facet_meet(x, corner, corners, &manifold);
    if (!(manifold.away <= least + tolerance * size)) all->worse++;
    all->worst = fmax(all->worst, (manifold.away - least) / size);

    // what it says about itself
    double sum = 0, off[3], side[3];
    for (int i = 0; i < 4; i++) {
        CHECK(manifold.weight[i] >= -1e-15 && manifold.weight[i] <= 1 + 1e-15);
        if (i >= corners) CHECK(manifold.weight[i] == 0);
        sum += manifold.weight[i];
    }
    CHECK_NEAR(sum, 1, 1e-15);
    CHECK_NEAR(distance(x, corner, manifold.weight, corners), manifold.away,
               1e-14 * (size + least));

    // what the search says, which finds places less exactly than distances
    weights_at(corners, at, w);
    normal_at(corner, corners, &at, n);
    for (int k = 0; k < 3; k++) {
        off[k] = x[k];
        for (int i = 0; i < corners; i++) off[k] -= w[i] * corner[3 * i + k];
    }
    double gap = off[0] * n[0] + off[1] * n[1] + off[2] * n[2];
    for (int k = 0; k < 3; k++) side[k] = off[k] - gap * n[k];
    double beside = length3(side);
    bool far = false, inside = true;
    for (int i = 0; i < corners; i++) {
        far |= fabs(w[i] - manifold.weight[i]) > 1e-4;
        inside = inside && w[i] > 1e-3;
    }
    all->far += far;
    if (far) return;  // of a thin triangle, or an error
    for (int k = 0; k < 3; k++) CHECK_NEAR(manifold.normal[k], n[k], 1e-3);
    CHECK_NEAR(manifold.gap, gap, 1e-3 * (size + least));
    if (inside) CHECK(met);
    if (gap > 0 && beside < gap - 1e-3 * (size + gap)) CHECK(met);
    if (beside > fmax(gap, 0) + 1e-3 * (size + fabs(gap))) CHECK(!met);
    all->met += met;
    all->beside += !met;
}

// inside, near edges and corners, and far away
static void point_near(const double *corner, int corners, double height, double x[3]) {
    double w[4];
    place at = { uniform(-0.3, 1.3), uniform(-0.3, 1.3) };
    if (uniform(0, 1) < 0.3) at.s = uniform(0, 1) < 0.5 ? 0 : 1;
    if (uniform(0, 1) < 0.3) at.t = uniform(0, 1) < 0.5 ? 0 : 1;
    weights_at(corners, at, w);
    for (int k = 0; k < 3; k++) {
        x[k] = (k < 2 || corners > 2) ? height * uniform(-1, 1) : 0;
        for (int i = 0; i < corners; i++) x[k] += w[i] * corner[3 * i + k];
    }
}

static void report(const char *what, const tally *all) {
    printf("%s: %d before or behind, %d beside, %d elsewhere; away from the nearest by %.2g\n",
           what, all->met, all->beside, all->far, all->worst);
    CHECK(all->met > 100 && all->beside > 100 && all->far < 10);
    if (all->worse) COMPLAIN("%s: %d points are nearer to another place", what, all->worse);
}

static void edges(void) {
    tally all = { .worst = -INFINITY };
    for (int trial = 0; trial < 1500; trial++) {
        double corner[6] = { 0 }, x[3], unit = pow(10, uniform(-4, 4));
        for (int i = 0; i < 2; i++)
            for (int k = 0; k < 2; k++) corner[3 * i + k] = unit * uniform(-1, 1);
        point_near(corner, 2, unit * pow(10, uniform(-5, 0.5)), x);
        compare(x, corner, 2, 1e-9, &all);
    }
    report("edges", &all);
}

static void triangles(void) {
    tally all = { .worst = -INFINITY };
    for (int trial = 0; trial < 1500; trial++) {
        double corner[9], x[3], unit = pow(10, uniform(-4, 4));
        for (int i = 0; i < 9; i++) corner[i] = unit * uniform(-1, 1);
        point_near(corner, 3, unit * pow(10, uniform(-5, 0.5)), x);
        compare(x, corner, 3, 1e-7, &all);
    }
    report("triangles", &all);
}

// a rectangle that is sheared, turned, and of which the corners are moved, out of its plane too
static void random_quadrilateral(double shear, double warp, double *corner) {
    double turn = uniform(0, 6.3), tilt = uniform(0, 6.3), high = uniform(0.3, 1);
    for (int i = 0; i < 4; i++) {
        double x = i == 1 || i == 2, y = i > 1 ? high : 0, z = warp * uniform(-1, 1), p, q;
        x += shear * y + 0.2 * uniform(-1, 1);
        y += 0.15 * high * uniform(-1, 1);
        p = cos(turn) * x - sin(turn) * y;
        q = sin(turn) * x + cos(turn) * y;
        corner[3 * i] = 5 + p;
        corner[3 * i + 1] = cos(tilt) * q - sin(tilt) * z;
        corner[3 * i + 2] = sin(tilt) * q + cos(tilt) * z;
    }
}

static void quadrilaterals_of(const char *what, double shear, double warp, double height) {
    tally all = { .worst = -INFINITY };
    for (int trial = 0; trial < 1500; trial++) {
        double corner[12], x[3];
        random_quadrilateral(uniform(-shear, shear), warp, corner);
        point_near(corner, 4, height * pow(10, uniform(-5, 0)), x);
        compare(x, corner, 4, 1e-7, &all);
    }
    report(what, &all);
}

static void flat_quadrilaterals(void) { quadrilaterals_of("flat quadrilaterals", 0.3, 0, 1); }
static void skew_quadrilaterals(void) { quadrilaterals_of("skew quadrilaterals", 1.5, 0, 1); }
static void warped_quadrilaterals(void) {
    quadrilaterals_of("warped quadrilaterals", 0.3, 0.1, 0.5);
}

// what has no size meets nothing, and says so
static void facets_without_size(void) {
    double corner[12] = { 0 }, x[3] = { 0, 0, 1 };
    scree_facet_touch manifold;
    for (int corners = 2; corners <= 4; corners++)
        CHECK(!scree_facet_meet(x, corner, corners, &manifold));
    double line[9] = { 0, 0, 0, 1, 0, 0, 2, 0, 0 };
    CHECK(!scree_facet_meet(x, line, 3, &manifold));
}

// solid on the left of an edge, below a facet that is counter-clockwise from above
static void normals_point_out(void) {
    double edge[6] = { 0, 0, 0, 1, 0, 0 }, below[3] = { 0.25, -0.5, 0 },
           above[3] = { 0.25, 0.25, 2 };
    double square[12] = { 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0 };
    scree_facet_touch manifold;
    CHECK(scree_facet_meet(below, edge, 2, &manifold));
    CHECK(manifold.gap == 0.5 && manifold.normal[1] == -1 && manifold.weight[1] == 0.25);
    for (int corners = 3; corners <= 4; corners++) {
        CHECK(scree_facet_meet(above, square, corners, &manifold));
        CHECK(manifold.gap == 2 && manifold.normal[2] == 1);
    }
    CHECK_NEAR(manifold.weight[0], 0.5625, 1e-15);
    CHECK_NEAR(manifold.weight[2], 0.0625, 1e-15);
}

TEST_FILE(test_facet) {
    TEST(edges);
    TEST(triangles);
    TEST(flat_quadrilaterals);
    TEST(skew_quadrilaterals);
    TEST(warped_quadrilaterals);
    TEST(facets_without_size);
    TEST(normals_point_out);
    return harness_end();
}
