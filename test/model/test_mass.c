// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_mass.c - mass, centre and inertia against closed forms, cuts into parts, and sampling.

#include "model/mass.h"

#include "random.h"
#include "solid_check.h"

static const double pi = 3.14159265358979323846;

static scree_mass mass_of(const scree_shape *shape, int space, double density) {
    scree_mass m = { 0 };
    scree_error err = { 0 };
    scree_collision_shape solid = made(shape, space);
    if (scree_collision_shape_mass(&solid, density, &m.mass, m.centre, m.inertia, &err) != SCREE_OK)
        COMPLAIN("no mass: %s", err.text);
    return m;
}

static void check_mass(const scree_mass *got, double mass, const double centre[3],
                       const double inertia[6], double length) {
    CHECK_NEAR(got->mass, mass, 4e-15 * mass);
    for (int c = 0; c < 3; c++) CHECK_NEAR(got->centre[c], centre[c], 4e-15 * length);
    for (int k = 0; k < 6; k++)
        CHECK_NEAR(got->inertia[k], inertia[k], 1e-14 * mass * length * length);
}

static void planar(void) {
    for (int k = 0; k < SCALES; k++) {
        double a = scales[k], r = 0.7 * a, L = 3 * a, rho = 2.5, at[3] = { a, -2 * a, 0 };
        scree_shape shape = { .kind = SCREE_DISC, .at = { at[0], at[1] }, .radius = r };
        scree_mass m = mass_of(&shape, 2, rho);
        double disc = rho * pi * r * r, plate = rho * 2 * r * L;
        check_mass(&m, disc, at, (double[6]){ [5] = disc * r * r / 2 }, a);

        shape.kind = SCREE_CAPSULE;
        shape.size[0] = L;
        shape.angle = 0.8;
        m = mass_of(&shape, 2, rho);
        double inertia = plate * (L * L + 4 * r * r) / 12 +
                         disc * (r * r / 2 + L * L / 4 + L * 4 * r / (3 * pi));
        check_mass(&m, disc + plate, at, (double[6]){ [5] = inertia }, 3 * a);

        // a rectangle, as a box, as a polygon, and rounded
        shape.kind = SCREE_BOX;
        shape.size[1] = 2 * a;
        m = mass_of(&shape, 2, rho);
        double block = rho * 6 * a * a;
        check_mass(&m, block, at, (double[6]){ [5] = block * 13 * a * a / 12 }, 3 * a);

        double corner[8] = { 0, 0, 0, 2 * a, L, 2 * a, L, 0 };
        shape = (scree_shape){ .kind = SCREE_POLYGON, .vertices = 4, .vertex = corner };
        m = mass_of(&shape, 2, rho);
        check_mass(&m, block, (double[3]){ L / 2, a }, (double[6]){ [5] = block * 13 * a * a / 12 },
                   3 * a);
        // quarter discs at the corners; the centre of one is 4 r / (3 pi) from its sides
        shape.radius = r;
        m = mass_of(&shape, 2, rho);
        double wide = rho * L * 2 * r, high = rho * 2 * a * 2 * r, d = 4 * r / (3 * pi);
        double far = (L / 2 + d) * (L / 2 + d) + (a + d) * (a + d);
        inertia = block * 13 * a * a / 12 + wide * (L * L + r * r) / 12 +
                  wide * (a + r / 2) * (a + r / 2) + high * (4 * a * a + r * r) / 12 +
                  high * (L / 2 + r / 2) * (L / 2 + r / 2) + disc * (r * r / 2 - 2 * d * d + far);
        check_mass(&m, block + wide + high + disc, (double[3]){ L / 2, a },
                   (double[6]){ [5] = inertia }, 4 * a);

        // a right triangle: I = m (b^2 + h^2) / 18
        double three[6] = { a, a, 4 * a, a, a, 3 * a };
        shape = (scree_shape){ .kind = SCREE_POLYGON, .vertices = 3, .vertex = three };
        m = mass_of(&shape, 2, rho);
        check_mass(&m, rho * 3 * a * a, (double[3]){ 2 * a, 5 * a / 3 },
                   (double[6]){ [5] = rho * 3 * a * a * 13 * a * a / 18 }, 3 * a);
    }
}

static void spatial(void) {
    for (int k = 0; k < SCALES; k++) {
        double a = scales[k], r = 0.7 * a, L = 3 * a, rho = 2.5, at[3] = { a, -2 * a, a };
        scree_shape shape = { .kind = SCREE_SPHERE, .radius = r };
        memcpy(shape.at, at, sizeof at);
        scree_mass m = mass_of(&shape, 3, rho);
        double ball = rho * 4 / 3 * pi * r * r * r, tube = rho * pi * r * r * L;
        double i = 0.4 * ball * r * r;
        check_mass(&m, ball, at, (double[6]){ i, 0, 0, i, 0, i }, a);

        // the axis turned from z to x
        shape.size[0] = L;
        memcpy(shape.turn, (double[4]){ 1, 0, 1, 0 }, sizeof shape.turn);
        shape.kind = SCREE_CYLINDER;
        m = mass_of(&shape, 3, rho);
        double around = tube * r * r / 2, across = tube * (L * L / 12 + r * r / 4);
        check_mass(&m, tube, at, (double[6]){ around, 0, 0, across, 0, across }, L);
        // half balls: 83/320 m r^2 about their own centre, which is 3 r / 8 from the cut
        shape.kind = SCREE_CAPSULE;
        m = mass_of(&shape, 3, rho);
        double far = L / 2 + 3 * r / 8;
        around += i;
        across += ball * (83. / 320 * r * r + far * far);
        check_mass(&m, tube + ball, at, (double[6]){ around, 0, 0, across, 0, across }, L);

        shape.kind = SCREE_BOX;
        shape.size[1] = 2 * a;
        shape.size[2] = a;  // along x once turned
        m = mass_of(&shape, 3, rho);
        double block = rho * 6 * a * a * a, unit = block * a * a / 12;
        check_mass(&m, block, at, (double[6]){ 13 * unit, 0, 0, 10 * unit, 0, 5 * unit }, L);

        // the tetrahedron of the axes: products -m a^2 / 80, squares m a^2 3/40
        double corner[12] = { a, a, a, 2 * a, a, a, a, 2 * a, a, a, a, 2 * a };
        shape = (scree_shape){ .kind = SCREE_POLYHEDRON, .vertices = 4, .vertex = corner };
        m = mass_of(&shape, 3, rho);
        double whole = rho * a * a * a / 6, s = whole * a * a * 3 / 40, p = whole * a * a / 80;
        check_mass(&m, whole, (double[3]){ 1.25 * a, 1.25 * a, 1.25 * a },
                   (double[6]){ s, p, p, s, p, s }, a);
    }
}

/// Rounding a polygon of very many corners is a disc, and a prism of many sides a cylinder.
static void many_corners(void) {
    enum { N = 1000 };
    static double point[6 * N];
    for (int i = 0; i < N; i++) {
        point[2 * i] = cos(2 * pi * i / N);
        point[2 * i + 1] = sin(2 * pi * i / N);
    }
    scree_shape shape = { .kind = SCREE_POLYGON, .vertices = N, .vertex = point, .radius = 1 };
    scree_mass m = mass_of(&shape, 2, 1);
    CHECK_NEAR(m.mass, 4 * pi, 1e-4);
    CHECK_NEAR(m.inertia[5], 8 * pi, 1e-3);
    for (int i = 0; i < 2 * N; i++) {
        point[3 * i] = cos(2 * pi * (i / 2) / N);
        point[3 * i + 1] = sin(2 * pi * (i / 2) / N);
        point[3 * i + 2] = i % 2 * 3;
    }
    shape = (scree_shape){ .kind = SCREE_POLYHEDRON, .vertices = 2 * N, .vertex = point };
    m = mass_of(&shape, 3, 1);
    CHECK_NEAR(m.mass, 3 * pi, 1e-4);
    CHECK_NEAR(m.centre[2], 1.5, 1e-14);
    CHECK_NEAR(m.inertia[5], 3 * pi / 2, 1e-4);
    CHECK_NEAR(m.inertia[0], 3 * pi * (9. / 12 + 1. / 4), 1e-4);
}

/// Cut a random polyhedron by a plane through it: the parts together are the whole.
static void parts_and_whole(void) {
    double point[90], upper[3 * 500], lower[3 * 500];
    seed = 17;
    for (int round = 0; round < 200; round++) {
        int n = random_int(6, 30), ups = 0, downs = 0;
        for (int i = 0; i < 3 * n; i++) point[i] = uniform(-1, 1);
        for (int i = 0; i < n; i++) {
            double *to = point[3 * i + 2] > 0 ? upper + 3 * ups++ : lower + 3 * downs++;
            memcpy(to, point + 3 * i, 3 * sizeof *to);
        }
        if (ups == 0 || downs == 0) continue;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < i; j++) {
                const double *v = point + 3 * i, *w = point + 3 * j;
                if ((v[2] > 0) == (w[2] > 0)) continue;
                double part = v[2] / (v[2] - w[2]);
                for (int c = 0; c < 3; c++)
                    upper[3 * ups + c] = lower[3 * downs + c] =
                        c == 2 ? 0 : v[c] + part * (w[c] - v[c]);
                ups++;
                downs++;
            }
        scree_shape shape = { .kind = SCREE_POLYHEDRON, .vertices = n, .vertex = point };
        memcpy(shape.turn, (double[4]){ 1, 2, 3, 4 }, sizeof shape.turn);
        scree_mass whole = mass_of(&shape, 3, 3), sum = { 0 };
        shape.vertices = ups;
        shape.vertex = upper;
        scree_mass part = mass_of(&shape, 3, 3);
        scree_mass_add(&sum, 3, &part);
        shape.vertices = downs;
        shape.vertex = lower;
        part = mass_of(&shape, 3, 3);
        scree_mass_add(&sum, 3, &part);
        CHECK_NEAR(sum.mass, whole.mass, 1e-9 * whole.mass);
        for (int c = 0; c < 3; c++) CHECK_NEAR(sum.centre[c], whole.centre[c], 1e-9);
        for (int k = 0; k < 6; k++) CHECK_NEAR(sum.inertia[k], whole.inertia[k], 1e-8 * whole.mass);
        scree_arena_free(&arena);
    }
}

/// Needles and plates askew: no direction is lost in the rounding of another.
static void thin(void) {
    static const double sizes[6][3] = { { 1, 1e-5, 1e-5 }, { 1, 1, 1e-5 },    { 1, 1e-3, 1e-6 },
                                        { 1, 1e-2, 1e-2 }, { 1, 0.5, 0.009 }, { 1, 1, 1e-8 } };
    seed = 23;
    for (int round = 0; round < 300; round++) {
        const double *size = sizes[round % 6];
        double q[4], corner[24], own[3] = { 0 }, least = HUGE_VAL, axis[3], moment;
        for (int c = 0; c < 4; c++) q[c] = uniform(-1, 1);
        for (int i = 0; i < 8; i++) {
            double v[3];
            for (int c = 0; c < 3; c++) v[c] = (i >> c & 1 ? 0.5 : -0.5) * size[c];
            rotate(q, v, corner + 3 * i);
        }
        scree_shape shape = { .kind = SCREE_POLYHEDRON, .vertices = 8, .vertex = corner };
        scree_mass m = mass_of(&shape, 3, 1);
        double mass = size[0] * size[1] * size[2], thin_by = 1e-15 / size[2];
        CHECK_NEAR(m.mass, mass, thin_by * mass);
        for (int c = 0; c < 3; c++) {
            for (int d = 0; d < 3; d++) own[c] += d == c ? 0 : mass * size[d] * size[d] / 12;
            least = fmin(least, own[c]);
        }
        // the moment about each axis of the box is a small one of large entries
        for (int c = 0; c < 3; c++) {
            double e[3] = { c == 0, c == 1, c == 2 }, Ie[3];
            const double *t = m.inertia;
            rotate(q, e, axis);
            Ie[0] = t[0] * axis[0] + t[1] * axis[1] + t[2] * axis[2];
            Ie[1] = t[1] * axis[0] + t[3] * axis[1] + t[4] * axis[2];
            Ie[2] = t[2] * axis[0] + t[4] * axis[1] + t[5] * axis[2];
            moment = dot(axis, Ie);
            CHECK_NEAR(moment, own[c], thin_by * own[c] + 1e-15 * mass);
            if (size[1] > 1e-5) CHECK(moment > 0.99 * least);
        }
        scree_arena_free(&arena);
    }
}

/// Two half plates are a plate; in the plane nothing but zz is touched.
static void compounds(void) {
    scree_mass total = { 0 }, half;
    scree_shape shape = { .kind = SCREE_BOX, .size = { 1, 3 }, .at = { 7, 8 } };
    half = mass_of(&shape, 2, 2);
    scree_mass_add(&total, 2, &half);
    check_mass(&total, 6, half.centre, half.inertia, 3);
    shape.at[0] = 8;
    half = mass_of(&shape, 2, 2);
    scree_mass_add(&total, 2, &half);
    check_mass(&total, 12, (double[3]){ 7.5, 8 }, (double[6]){ [5] = 13 }, 9);
    scree_mass nothing = { 0 };
    scree_mass before = total;
    scree_mass_add(&total, 2, &nothing);
    CHECK(memcmp(&before, &total, sizeof total) == 0);

    // a dumb-bell: two balls on the diagonal of x and y
    scree_mass ball = { 1, { 1, 1, 0 }, { 0.4, 0, 0, 0.4, 0, 0.4 } }, bell = { 0 };
    scree_mass_add(&bell, 3, &ball);
    ball.centre[0] = ball.centre[1] = -1;
    scree_mass_add(&bell, 3, &ball);
    check_mass(&bell, 2, (double[3]){ 0 }, (double[6]){ 2.8, -2, 0, 2.8, 0, 4.8 }, 2);
}

/// Rounded polygons against points of a fine grid.
static void by_sampling(void) {
    const double corner[10] = { 0, 0, 2, -0.5, 2.7, 0.4, 1.5, 1.2, 0.2, 0.9 };
    const double r = 0.3, step = 4e-3;
    scree_shape shape = { .kind = SCREE_POLYGON, .vertices = 5, .vertex = corner, .radius = r };
    scree_mass m = mass_of(&shape, 2, 1);
    double area = 0, x = 0, y = 0, polar = 0;
    for (double px = -0.5; px < 3.3; px += step)
        for (double py = -1; py < 1.8; py += step) {
            bool inside = true;
            double nearest = HUGE_VAL;
            for (int i = 0; i < 5; i++) {
                const double *v = corner + 2 * i, *w = corner + 2 * ((i + 1) % 5);
                double ex = w[0] - v[0], ey = w[1] - v[1], dx = px - v[0], dy = py - v[1];
                double t = fmin(1, fmax(0, (dx * ex + dy * ey) / (ex * ex + ey * ey)));
                nearest = fmin(nearest, hypot(dx - t * ex, dy - t * ey));
                inside = inside && ex * dy - ey * dx >= 0;
            }
            if (!inside && nearest > r) continue;
            area += step * step;
            x += step * step * px;
            y += step * step * py;
            polar += step * step * (px * px + py * py);
        }
    CHECK_NEAR(m.mass, area, 1e-3);
    CHECK_NEAR(m.centre[0], x / area, 1e-3);
    CHECK_NEAR(m.centre[1], y / area, 1e-3);
    CHECK_NEAR(m.inertia[5], polar - (x * x + y * y) / area, 2e-3);
}

static void refuse_mass(scree_shape shape, int space, double density, const char *sentence) {
    scree_mass m;
    scree_error err = { 0 };
    scree_collision_shape solid = made(&shape, space);
    CHECK_INT(scree_collision_shape_mass(&solid, density, &m.mass, m.centre, m.inertia, &err),
              SCREE_BAD_INPUT);
    if (!strstr(err.text, sentence)) COMPLAIN("\"%s\" instead of \"%s\"", err.text, sentence);
}

static void refused(void) {
    const double point[12] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    const int triangle[3] = { 0, 1, 2 };
    refuse_mass((scree_shape){ .kind = SCREE_POINT }, 2, 1, "a point has no mass: give mass");
    refuse_mass((scree_shape){ .kind = SCREE_PLANE, .normal = { 1 } }, 3, 1, "a half-space");
    scree_shape mesh = { .kind = SCREE_MESH, .vertices = 4, .vertex = point };
    mesh.triangles = 1;
    mesh.triangle = triangle;
    refuse_mass(mesh, 3, 1, "a surface has no mass");
    scree_shape soft = { .kind = SCREE_POLYHEDRON, .vertices = 4, .vertex = point, .radius = 1 };
    refuse_mass(soft, 3, 1,
                "the mass of a rounded polyhedron is not computed: give mass and inertia");
    scree_shape ball = { .kind = SCREE_SPHERE, .radius = 1 };
    refuse_mass(ball, 3, 0, "density must be positive, got 0");
    refuse_mass(ball, 3, NAN, "density must be positive, got nan");
}

TEST_FILE(test_mass) {
    TEST(planar);
    TEST(spatial);
    TEST(many_corners);
    TEST(parts_and_whole);
    TEST(thin);
    TEST(compounds);
    TEST(by_sampling);
    TEST(refused);
    scree_arena_free(&arena);
    return harness_end();
}
