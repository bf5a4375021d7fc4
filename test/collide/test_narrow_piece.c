// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// Solids on meshes: a flat mesh is a plane, seams or not; the mesh of a polyhedron is that
// polyhedron; on a landscape a ball is as far as its nearest triangle.

#include "collide/narrow_judge.h"
#include "harness.h"

enum { MESH_VERTICES = 400, MESH_PIECES = 800 };

typedef struct mesh {
    scree_collision_shape solid;
    double vertex[3 * MESH_VERTICES], normal[3 * MESH_PIECES];
    int piece[3 * MESH_PIECES], neighbour[3 * MESH_PIECES];
} mesh;

static const scree_pose still = { { 0, 0, 0 }, { 1, 0, 0, 0, 1, 0, 0, 0, 1 } };
static int times = 1;

/// Neighbours by trying all pairs of sides, normals from the corners.
static void finish_mesh(mesh *m) {
    scree_surface *s = &m->solid.surface;
    for (int p = 0; p < s->pieces; p++) {
        double e[3], f[3], *n = m->normal + 3 * p;
        const double *x[3];
        for (int i = 0; i < 3; i++) x[i] = m->vertex + 3 * m->piece[3 * p + i];
        for (int k = 0; k < 3; k++) {
            e[k] = x[1][k] - x[0][k];
            f[k] = x[2][k] - x[0][k];
        }
        cross3(e, f, n);
        double length = norm3(n);
        for (int k = 0; k < 3; k++) n[k] /= length;
        for (int i = 0; i < 3; i++) {
            int v = m->piece[3 * p + i], w = m->piece[3 * p + (i + 1) % 3];
            m->neighbour[3 * p + i] = -1;
            for (int j = 0; j < 3 * s->pieces; j++) {
                if (m->piece[j] == w && m->piece[j / 3 * 3 + (j + 1) % 3] == v)
                    m->neighbour[3 * p + i] = j / 3;
            }
        }
    }
    s->piece = m->piece;
    s->neighbour = m->neighbour;
    s->normal = m->normal;
    m->solid.kind = SCREE_COLLISION_SURFACE;
    m->solid.space = 3;
    m->solid.vertex = m->vertex;
}

/// A grid over [-2, 2]^2, each square cut one way or the other.
static void make_ground(mesh *m, int cells, double bumps) {
    memset(m, 0, sizeof *m);
    int side = cells + 1;
    m->solid.vertices = side * side;
    for (int i = 0; i < side * side; i++) {
        double *x = m->vertex + 3 * i;
        x[0] = -2 + 4.0 * (i % side) / cells;
        x[1] = -2 + 4.0 * (i / side) / cells;
        x[2] = bumps > 0 ? uniform(-bumps, bumps) : 0;
    }
    int *out = m->piece;
    for (int i = 0; i < cells; i++) {
        for (int j = 0; j < cells; j++) {
            int a = i * side + j, b = a + 1, c = a + side, d = c + 1;
            int one[6] = { a, b, d, a, d, c }, two[6] = { a, b, c, b, d, c };
            memcpy(out, random_int(0, 1) ? one : two, sizeof one);
            out += 6;
        }
    }
    m->solid.surface.pieces = 2 * cells * cells;
    finish_mesh(m);
}

/// The surface of a polyhedron, each face cut into a fan.
static void make_surface_of(const sample *s, mesh *m) {
    memset(m, 0, sizeof *m);
    m->solid.vertices = s->solid.vertices;
    memcpy(m->vertex, s->vertex, sizeof s->vertex);
    int count = 0;
    for (int f = 0; f < s->solid.faces; f++) {
        const int *list = s->entry + s->first[f];
        for (int i = 1; i + 1 < s->first[f + 1] - s->first[f]; i++) {
            int corners[3] = { list[0], list[i], list[i + 1] };
            memcpy(m->piece + 3 * count++, corners, sizeof corners);
        }
    }
    m->solid.surface.pieces = count;
    finish_mesh(m);
}

typedef struct tally {
    int touches;
    double gap, normal[3], point[3];
} tally;

/// All pieces of a mesh together.
static tally touch_all(const scree_collision_shape *a, const scree_pose *pa, const mesh *m,
                       const scree_pose *pb, double margin) {
    tally all = { .gap = HUGE_VAL };
    for (int p = 0; p < m->solid.surface.pieces; p++) {
        scree_manifold_point t[SCREE_MANIFOLD_MAX];
        int count = scree_narrow_phase_piece(a, pa, &m->solid, p, pb, margin, t);
        for (int i = 0; i < count; i++) {
            CHECK(t[i].gap <= margin && t[i].feature < 1u << 20);
            if (t[i].gap >= all.gap) continue;
            all.gap = t[i].gap;
            memcpy(all.normal, t[i].normal, sizeof all.normal);
            memcpy(all.point, t[i].point, sizeof all.point);
        }
        all.touches += count;
    }
    return all;
}

static sample shelf[10];
static const int samples = 10;

static void stock(void) {
    double ball[3] = { 0.05, 0, 0 }, capsule[6] = { 0, 0, -0.4, 0, 0, 0.4 };
    double corner[12] = { 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    make_points(&shelf[0], "ball", ball, 1, 0.3);
    make_points(&shelf[1], "capsule", capsule, 2, 0.2);
    make_box(&shelf[2], 0.3, 0.3, 0.3, 0);
    make_box(&shelf[3], 0.5, 0.3, 0.05, 0);
    make_box(&shelf[4], 0.2, 0.3, 0.1, 0.05);
    make_points(&shelf[5], "tetrahedron", corner, 4, 0);
    make_random_hull(&shelf[6], 12);
    make_prism(&shelf[7], 6, 0.4, 0.2);
    make_cylinder(&shelf[8], 0.3, 0.3);
    make_cylinder(&shelf[9], 0.1, 0.5);
}

/// Is x over or under the piece?
static bool in_shadow(const double corner[9], const double *x) {
    for (int k = 0; k < 3; k++) {
        const double *u = corner + 3 * k, *w = corner + 3 * ((k + 1) % 3);
        if ((w[0] - u[0]) * (x[1] - u[1]) - (w[1] - u[1]) * (x[0] - u[0]) < 0) return false;
    }
    return true;
}

/// Does the lowest vertex hang under a piece that the solid does not cross? It came down beside it,
/// so that piece has no part in the overlap, and the others see no deeper than over themselves.
static bool hangs(const sample *a, const scree_pose *pa, const mesh *ground) {
    double low[3] = { 0, 0, HUGE_VAL }, x[3], corner[9];
    for (int i = 0; i < a->solid.vertices; i++) {
        to_world(pa, a->solid.vertex + 3 * (long)i, x);
        if (x[2] < low[2]) memcpy(low, x, sizeof x);
    }
    for (int p = 0; p < ground->solid.surface.pieces; p++) {
        sample triangle;
        for (int k = 0; k < 3; k++) {
            int v = ground->solid.surface.piece[3 * p + k];
            memcpy(corner + 3 * k, ground->solid.vertex + 3 * (long)v, 3 * sizeof *corner);
        }
        if (!in_shadow(corner, low)) continue;
        make_points(&triangle, "triangle", corner, 3, 0);
        return climb(&a->solid, pa, &triangle.solid, &still, 24, 1e-6) > 0;
    }
    return false;
}

/// On a flat mesh every normal is up and every gap the height, wherever the seams are.
static void flat_ground(void) {
    static mesh ground;
    int hanging = 0;
    static const double depths[] = { 0, 1e-12, -1e-12, 1e-6, -1e-6, -1e-3, 1e-3, 0.01, -0.01 };
    for (int i = 0; i < 400 / FEWER * times; i++) {
        const sample *a = &shelf[random_int(0, samples - 1)];
        scree_pose pa = still;
        double down[3] = { 0, 0, -1 }, tilt[3], turn[9];
        if (i % 20 == 0) make_ground(&ground, random_int(2, 9), 0);
        random_turn(pa.turn);
        if (i % 3) {  // on a face or an edge, more or less
            if (a->solid.faces) {
                int face = random_int(0, a->solid.faces - 1);
                double axis[3], cosine = -a->normal[3 * face + 2];
                cross3(a->normal + 3 * face, down, axis);
                double sine = norm3(axis);
                if (sine < 1e-9) {
                    axis[0] = sine = 1;
                    axis[1] = axis[2] = 0;
                    sine = 0;
                }
                double length = norm3(axis);
                for (int k = 0; k < 3; k++) axis[k] /= length;
                spin(atan2(sine, cosine), axis, pa.turn);
            } else if (i % 2) {
                double x[3] = { 1, 0, 0 };
                spin(1.5707963267948966, x, pa.turn);
            } else {
                pa = still;
            }
            static const double tilts[] = { 0, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3 };
            double z[3] = { 0, 0, 1 };
            spin(uniform(0, 6), z, turn);
            multiply(turn, pa.turn, pa.turn);
            random_direction(tilt);
            spin(tilts[random_int(0, 5)], tilt, turn);
            multiply(turn, pa.turn, pa.turn);
        }
        for (int k = 0; k < 2; k++) pa.at[k] = uniform(-0.4, 0.4);
        double lowest = -reach_along(&a->solid, &pa, down, still.at) - rounding_of(&a->solid);
        double gap = depths[random_int(0, 8)];
        pa.at[2] = gap - lowest;
        gap = -reach_along(&a->solid, &pa, down, still.at) - rounding_of(&a->solid);
        tally all = touch_all(&a->solid, &pa, &ground, &still, 0.05);
        if (all.touches == 0) COMPLAIN("%s: no touch at a gap of %g", a->name, gap);
        bool smooth = a->solid.kind == SCREE_COLLISION_CYLINDER;
        bool same = fabs(all.gap - gap) <= (smooth ? 1e-11 : 1e-12);
        if (!same && all.gap > gap && all.gap <= 0 && hangs(a, &pa, &ground))
            hanging++;
        else if (!same)
            COMPLAIN("%s: gap %.17g, the height is %.17g (%d)", a->name, all.gap, gap, i);
        for (int p = 0; p < ground.solid.surface.pieces; p++) {
            scree_manifold_point t[SCREE_MANIFOLD_MAX];
            int count = scree_narrow_phase_piece(&a->solid, &pa, &ground.solid, p, &still, 0.05, t);
            for (int j = 0; j < count; j++) {
                if (!(fabs(t[j].normal[2] - 1) <= 1e-9))
                    COMPLAIN("%s: caught on a seam, normal %g %g %g, gap %g", a->name,
                             t[j].normal[0], t[j].normal[1], t[j].normal[2], t[j].gap);
            }
        }
    }
    if (hanging) printf("%d of %d hang over a seam\n", hanging, 400 * times);
    CHECK(hanging <= times / 10);
}

/// The mesh of a polyhedron is the polyhedron.
static void closed_mesh(void) {
    sample solids[4];
    static mesh surface;
    make_box(&solids[0], 1, 1, 1, 0);
    make_box(&solids[1], 1.5, 0.8, 0.6, 0);
    make_prism(&solids[2], 6, 1, 1);
    make_random_hull(&solids[3], 10);
    int apart = 0, overlap = 0, shallower = 0, deeper = 0;
    for (int i = 0; i < 4000 / FEWER * times; i++) {
        const sample *a = &shelf[random_int(0, samples - 1)], *b = &solids[i % 4];
        scree_pose pa, pb = still;
        scree_manifold_point t[SCREE_MANIFOLD_MAX];
        double n[3];
        make_surface_of(b, &surface);
        random_turn(pa.turn);
        random_turn(pb.turn);
        random_direction(n);
        for (int k = 0; k < 3; k++) pa.at[k] = 3 * n[k];
        int count = scree_narrow_phase(&a->solid, &pa, &b->solid, &pb, HUGE_VAL, t);
        // straight towards each other, to a small gap or overlap
        double goal = i % 8 < 4 ? uniform(0, 0.3) : uniform(-0.004, 0);
        memcpy(n, t[0].normal, sizeof n);
        double here = t[0].gap;
        for (int j = 1; j < count; j++) here = fmin(here, t[j].gap);
        for (int k = 0; k < 3; k++) pa.at[k] += (goal - here) * n[k];
        count = scree_narrow_phase(&a->solid, &pa, &b->solid, &pb, HUGE_VAL, t);
        double gap = HUGE_VAL;
        for (int j = 0; j < count; j++) gap = fmin(gap, t[j].gap);
        tally all = touch_all(&a->solid, &pa, &surface, &pb, 0.5);
        double scale = a->solid.bound + b->solid.bound;
        bool smooth = a->solid.kind == SCREE_COLLISION_CYLINDER;
        apart += gap > 0;
        overlap += gap < 0;
        // around a sharp edge an overlap is shared out; it may seem deeper, and rarely be missed
        shallower += gap < 0 && !(all.gap <= gap + 1e-9 * scale);
        deeper += gap < 0 && all.gap < 3 * gap;
        if (gap >= 0 && !(fabs(all.gap - gap) <= (smooth ? 1e-9 : 1e-11) * scale))
            COMPLAIN("%s on the mesh of a %s: gap %.17g, of the solid %.17g (%d)", a->name, b->name,
                     all.gap, gap, all.touches);
        if (gap < 0) continue;
        for (int k = 0; k < 3; k++) CHECK_NEAR(all.normal[k], t[0].normal[k], smooth ? 1e-4 : 1e-8);
    }
    CHECK(apart > 500 / FEWER && overlap > 500 / FEWER);
    printf("of %d overlaps with closed meshes %d seem shallower, %d three times deeper\n", overlap,
           shallower, deeper);
    CHECK(shallower <= overlap / 200 && deeper <= overlap / 50);
}

/// Distance of a point from a triangle, by a fine net and then by its halves.
static double from_triangle(const double *p, const double *q, const double *r, const double *x) {
    double low[2] = { 0, 0 }, best = HUGE_VAL, step = 1;
    for (int round = 0; round < 60; round++, step *= 0.6) {
        double middle[2] = { low[0], low[1] };
        for (int i = -4; i <= 4; i++) {
            for (int j = -4; j <= 4; j++) {
                double s = fmin(1, fmax(0, middle[0] + step * i / 4));
                double t = fmin(1 - s, fmax(0, middle[1] + step * j / 4)), d[3];
                for (int k = 0; k < 3; k++)
                    d[k] = x[k] - p[k] - s * (q[k] - p[k]) - t * (r[k] - p[k]);
                double here = norm3(d);
                if (here >= best) continue;
                best = here;
                low[0] = s;
                low[1] = t;
            }
        }
    }
    return best;
}

/// Balls over a landscape: the nearest triangle, once.
static void landscape(void) {
    static mesh ground;
    for (int i = 0; i < 300 / FEWER * times; i++) {
        scree_pose pa = still;
        if (i % 10 == 0) make_ground(&ground, 5, 0.4);
        random_turn(pa.turn);
        for (int k = 0; k < 2; k++) pa.at[k] = uniform(-1.5, 1.5);
        pa.at[2] = uniform(0.45, 1);
        double x[3], least = HUGE_VAL;
        to_world(&pa, shelf[0].vertex, x);
        for (int p = 0; p < ground.solid.surface.pieces; p++) {
            const int *list = ground.piece + 3 * p;
            least =
                fmin(least, from_triangle(ground.vertex + 3 * list[0], ground.vertex + 3 * list[1],
                                          ground.vertex + 3 * list[2], x));
        }
        tally all = touch_all(&shelf[0].solid, &pa, &ground, &still, 5);
        CHECK_NEAR(all.gap, least - 0.3, 1e-9);
        double length = (all.gap / 2 + 0.3);
        for (int k = 0; k < 3; k++) CHECK_NEAR(all.point[k], x[k] - length * all.normal[k], 1e-12);
        CHECK(all.normal[2] > 0);
        // two touches at one place would push twice
        int same = 0;
        for (int p = 0; p < ground.solid.surface.pieces; p++) {
            scree_manifold_point t[SCREE_MANIFOLD_MAX];
            int count =
                scree_narrow_phase_piece(&shelf[0].solid, &pa, &ground.solid, p, &still, 5, t);
            same += count > 0 && t[0].gap < all.gap + 1e-9;
        }
        CHECK_INT(same, 1);
    }
}

/// Nothing is pushed from behind.
static void behind(void) {
    static mesh ground;
    make_ground(&ground, 4, 0);
    for (int i = 0; i < samples; i++) {
        scree_pose pa = still;
        pa.at[2] = -3;
        CHECK_INT(touch_all(&shelf[i].solid, &pa, &ground, &still, 10).touches, 0);
    }
}

TEST_FILE(test_narrow_piece) {
    const char *long_run = getenv("SCREE_LONG");
    if (long_run && *long_run) times = 50;
    stock();
    TEST(flat_ground);
    TEST(closed_mesh);
    TEST(landscape);
    TEST(behind);
    return harness_end();
}
