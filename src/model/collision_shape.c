// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// collision_shape.c - shapes as users give them -> solids as collision detection wants them.
// in: a shape.   out: vertices, faces, edges or pieces in the frame of the body; a bounding ball.
//
// Whatever is judged here is judged in the shape's own frame and against its own extent; only then
// is it turned and moved. Messages count vertices from 1.

#include "model/collision_shape.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "model/hull.h"
#include "model/polyhedron.h"
#include "model/surface.h"

#define NO_LENGTH 1e-12  // of the extent
#define LARGEST 1e50     // lengths, so that a moment of inertia is a number

typedef struct maker {
    const scree_shape *shape;
    int space;
    scree_arena *arena;
    scree_collision_shape *solid;
    scree_error *err;
    double turn[9];
} maker;

#define REFUSE(m, ...) scree_fail((m)->err, SCREE_BAD_INPUT, SCREE_NOWHERE, __VA_ARGS__)

static scree_status no_memory(maker *m) {
    return scree_fail(m->err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for a %s",
                      scree_shape_kind_name(m->shape->kind));
}

// ---- where the shape is

static bool is_usable(double x) { return fabs(x) <= LARGEST; }

static scree_status find_turn(maker *m) {
    const double *q = m->shape->turn;
    double norm = 0, *R = m->turn;
    memcpy(R, (double[9]){ 1, 0, 0, 0, 1, 0, 0, 0, 1 }, sizeof m->turn);
    for (int c = 0; c < m->space; c++)
        if (!is_usable(m->shape->at[c])) return REFUSE(m, "a shape's place must be finite");
    if (m->space == 2) {
        if (!isfinite(m->shape->angle)) return REFUSE(m, "a shape's angle must be finite");
        R[0] = R[4] = cos(m->shape->angle);
        R[3] = sin(m->shape->angle);
        R[1] = -R[3];
        return SCREE_OK;
    }
    for (int c = 0; c < 4; c++) norm += q[c] * q[c];
    if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0) return SCREE_OK;
    if (!(norm > 1e-200 && norm < 1e200))
        return REFUSE(m, "a shape's turn must be a quaternion of any length but 0");
    double w = q[0], x = q[1], y = q[2], z = q[3], s = 2 / norm;
    R[0] -= s * (y * y + z * z), R[1] = s * (x * y - w * z), R[2] = s * (x * z + w * y);
    R[3] = s * (x * y + w * z), R[4] -= s * (x * x + z * z), R[5] = s * (y * z - w * x);
    R[6] = s * (x * z - w * y), R[7] = s * (y * z + w * x), R[8] -= s * (x * x + y * y);
    return SCREE_OK;
}

static void turn_all(const maker *m, int count, double *vector) {
    for (int i = 0; i < count; i++) {
        double *v = vector + 3 * (size_t)i, old[3] = { v[0], v[1], v[2] };
        for (int c = 0; c < 3; c++)
            v[c] =
                m->turn[3 * c] * old[0] + m->turn[3 * c + 1] * old[1] + m->turn[3 * c + 2] * old[2];
    }
}

static void place_all(const maker *m, int count, double *vertex) {
    turn_all(m, count, vertex);
    for (int i = 0; i < count; i++)
        for (int c = 0; c < m->space; c++) vertex[3 * (size_t)i + (size_t)c] += m->shape->at[c];
}

// ---- a ball around it

static double farthest(int vertices, const double *vertex, const double centre[3], int *which) {
    double most = -1;
    for (int i = 0; i < vertices; i++) {
        const double *v = vertex + 3 * (size_t)i;
        double x = v[0] - centre[0], y = v[1] - centre[1], z = v[2] - centre[2];
        double square = x * x + y * y + z * z;
        if (square > most) {
            most = square;
            *which = i;
        }
    }
    return sqrt(most);
}

// From the middle of the bounding box towards whatever is farthest, by shorter and shorter steps:
// within some per cent of the smallest ball, and exact where the middle is. Surfaces, which are
// large and not many, stay in the middle.
static void enclose(scree_collision_shape *solid) {
    enum { STEPS = 60 };
    double low[3], high[3], centre[3];
    int n = solid->vertices, which = 0;
    memcpy(low, solid->vertex, sizeof low);
    memcpy(high, solid->vertex, sizeof high);
    for (int i = 0; i < n; i++)
        for (int c = 0; c < 3; c++) {
            low[c] = fmin(low[c], solid->vertex[3 * i + c]);
            high[c] = fmax(high[c], solid->vertex[3 * i + c]);
        }
    for (int c = 0; c < 3; c++) solid->centre[c] = centre[c] = low[c] / 2 + high[c] / 2;
    double best = farthest(n, solid->vertex, centre, &which);
    for (int step = 2; step < STEPS && n > 2 && solid->kind == SCREE_COLLISION_CONVEX; step++) {
        for (int c = 0; c < 3; c++) centre[c] += (solid->vertex[3 * which + c] - centre[c]) / step;
        double bound = farthest(n, solid->vertex, centre, &which);
        if (bound >= best) continue;
        best = bound;
        memcpy(solid->centre, centre, sizeof centre);
    }
    solid->bound = (best + solid->radius) * (1 + 1e-14);
}

static scree_status set_vertices(maker *m, int count, const double *local) {
    double *vertex = SCREE_NEW(m->arena, double, 3 * (size_t)count);
    if (!vertex) return no_memory(m);
    memcpy(vertex, local, 3 * (size_t)count * sizeof *vertex);
    place_all(m, count, vertex);
    m->solid->vertices = count;
    m->solid->vertex = vertex;
    enclose(m->solid);
    return SCREE_OK;
}

// ---- shapes of a few numbers

static scree_status check_positive(maker *m, double length, const char *what) {
    if (length > 0 && is_usable(length)) return SCREE_OK;
    return REFUSE(m, "%s: %s must be positive, got %g", scree_shape_kind_name(m->shape->kind), what,
                  length);
}

static scree_status check_rounding(maker *m) {
    if (m->shape->radius >= 0 && is_usable(m->shape->radius)) return SCREE_OK;
    return REFUSE(m, "%s: radius must not be negative, got %g",
                  scree_shape_kind_name(m->shape->kind), m->shape->radius);
}

static scree_status make_point(maker *m) { return set_vertices(m, 1, (double[3]){ 0 }); }

static scree_status make_ball(maker *m) {
    scree_status status = check_positive(m, m->shape->radius, "radius");
    m->solid->radius = m->shape->radius;
    return status ? status : set_vertices(m, 1, (double[3]){ 0 });
}

static scree_status make_axis(maker *m) {
    scree_status status = check_positive(m, m->shape->radius, "radius");
    if (!status) status = check_positive(m, m->shape->size[0], "size (the length of the axis)");
    if (status) return status;
    double end[6] = { 0 }, half = m->shape->size[0] / 2;
    int along = m->space == 2 ? 0 : 2;
    end[along] = -half;
    end[3 + along] = half;
    m->solid->radius = m->shape->radius;
    return set_vertices(m, 2, end);
}

static scree_status make_cylinder(maker *m) {
    scree_status status = make_axis(m);
    if (status) return status;
    m->solid->kind = SCREE_COLLISION_CYLINDER;
    m->solid->bound = hypot(m->shape->size[0] / 2, m->shape->radius) * (1 + 1e-14);
    return SCREE_OK;
}

static scree_status make_half_space(maker *m) {
    const double *given = m->shape->normal;
    double *normal = m->solid->normal, largest = 0, length = 0;
    for (int c = 0; c < m->space; c++) {
        if (!isfinite(given[c])) largest = NAN;
        largest = fabs(given[c]) > largest ? fabs(given[c]) : largest;
    }
    if (!(largest > 0))
        return REFUSE(m, "%s: normal must be finite and not 0",
                      scree_shape_kind_name(m->shape->kind));
    // by the largest first, so that nothing overflows
    for (int c = 0; c < m->space; c++) {
        normal[c] = given[c] / largest;
        length += normal[c] * normal[c];
    }
    for (int c = 0; c < m->space; c++) normal[c] /= sqrt(length);
    turn_all(m, 1, normal);
    scree_status status = set_vertices(m, 1, (double[3]){ 0 });
    m->solid->kind = SCREE_COLLISION_HALF_SPACE;
    m->solid->bound = HUGE_VAL;
    return status;
}

// ---- boxes: bit k of a vertex's number tells its side along axis k

static const int box_face_first[7] = { 0, 4, 8, 12, 16, 20, 24 };
static const int box_face_vertex[24] = { 0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                         2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6 };
static const int box_edge[48] = { 0, 1, 2, 4, 0, 2, 4, 0, 0, 4, 0, 2, 1, 3, 1, 4,
                                  1, 5, 2, 1, 2, 3, 4, 3, 2, 6, 3, 0, 3, 7, 1, 3,
                                  4, 5, 5, 2, 4, 6, 0, 5, 5, 7, 5, 1, 6, 7, 3, 5 };

static scree_status make_box_faces(maker *m) {
    scree_collision_shape *solid = m->solid;
    double *normal = SCREE_NEW(m->arena, double, 18);
    if (!normal) return no_memory(m);
    for (int f = 0; f < 6; f++) normal[3 * f + f / 2] = f % 2 ? 1 : -1;
    turn_all(m, 6, normal);
    solid->faces = 6;
    solid->face_first = box_face_first;
    solid->face_vertex = box_face_vertex;
    solid->face_normal = normal;
    solid->edges = 12;
    solid->edge = box_edge;
    return SCREE_OK;
}

// in the plane a rectangle
static scree_status make_box(maker *m) {
    const double *size = m->shape->size;
    double corner[24] = { 0 };
    for (int c = 0; c < m->space; c++) {
        scree_status status = check_positive(m, size[c], "size");
        if (status) return status;
    }
    if (m->space == 2) {
        const double x = size[0] / 2, y = size[1] / 2;
        return set_vertices(m, 4, (double[12]){ -x, -y, 0, x, -y, 0, x, y, 0, -x, y, 0 });
    }
    for (int v = 0; v < 8; v++)
        for (int c = 0; c < 3; c++) corner[3 * v + c] = (v >> c & 1 ? size[c] : -size[c]) / 2;
    scree_status status = set_vertices(m, 8, corner);
    return status ? status : make_box_faces(m);
}

// ---- shapes of many vertices

// copy the vertices (third coordinate 0 in the plane), and how large they are together
static scree_status copy_vertices(maker *m, int least, double **vertex, double *extent) {
    const scree_shape *shape = m->shape;
    const char *name = scree_shape_kind_name(shape->kind);
    int n = shape->vertices, space = m->space;
    double low[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL }, high[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
    if (n < least || n > INT_MAX / 3 || !shape->vertex)
        return REFUSE(m, "%s: needs %d vertices or more, got %d", name, least, n);
    *vertex = SCREE_NEW(m->arena, double, 3 * (size_t)n);
    if (!*vertex) return no_memory(m);
    *extent = 0;
    for (int i = 0; i < n; i++)
        for (int c = 0; c < space; c++) {
            double x = shape->vertex[(size_t)i * (size_t)space + (size_t)c];
            if (!is_usable(x))
                return REFUSE(m, "%s: vertex %d must be finite, got %g", name, i + 1, x);
            (*vertex)[3 * (size_t)i + (size_t)c] = x;
            low[c] = fmin(low[c], x);
            high[c] = fmax(high[c], x);
            *extent = fmax(*extent, high[c] - low[c]);
        }
    if (!(*extent > 1 / LARGEST))
        return REFUSE(m, "%s: all %d vertices are the same point", name, n);
    return SCREE_OK;
}

static scree_status finish_surface(maker *m, int vertices, double *vertex) {
    scree_collision_shape *solid = m->solid;
    solid->kind = SCREE_COLLISION_SURFACE;
    turn_all(m, solid->surface.pieces, (double *)solid->surface.normal);  // from the arena, ours
    place_all(m, vertices, vertex);
    solid->vertices = vertices;
    solid->vertex = vertex;
    enclose(solid);
    return SCREE_OK;
}

static scree_status make_chain(maker *m) {
    double *vertex, extent;
    int n = m->shape->vertices;
    scree_status status = copy_vertices(m, 2, &vertex, &extent);
    if (!status)
        status = scree_surface_chain(&n, vertex, extent, m->arena, &m->solid->surface, m->err);
    return status ? status : finish_surface(m, n, vertex);
}

static scree_status make_mesh(maker *m) {
    const scree_shape *shape = m->shape;
    double *vertex, extent;
    if (!shape->triangle) return REFUSE(m, "mesh: no triangles are given");
    scree_status status = copy_vertices(m, 3, &vertex, &extent);
    if (!status)
        status = scree_surface_mesh(shape->vertices, vertex, shape->triangles, shape->triangle,
                                    extent, m->arena, &m->solid->surface, m->err);
    return status ? status : finish_surface(m, shape->vertices, vertex);
}

static scree_status make_grid(maker *m, double **vertex, double *extent) {
    const scree_shape *shape = m->shape;
    int rows = shape->rows, columns = shape->columns;
    double low = HUGE_VAL, high = -HUGE_VAL, *v;
    if (!(v = *vertex = SCREE_NEW(m->arena, double, 3 * (size_t)rows * (size_t)columns)))
        return no_memory(m);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++, v += 3) {
            double z = shape->height[(size_t)r * (size_t)columns + (size_t)c];
            if (!is_usable(z))
                return REFUSE(m, "height-field: row %d, column %d must be finite, got %g", r + 1,
                              c + 1, z);
            v[0] = ((double)c / (columns - 1) - 0.5) * shape->size[0];
            v[1] = ((double)r / (rows - 1) - 0.5) * shape->size[1];
            v[2] = z;
            low = fmin(low, z);
            high = fmax(high, z);
        }
    *extent = fmax(fmax(shape->size[0], shape->size[1]), high - low);
    return SCREE_OK;
}

static scree_status make_height_field(maker *m) {
    const scree_shape *shape = m->shape;
    int rows = shape->rows, columns = shape->columns;
    double *vertex = NULL, extent = 0;
    scree_status status = check_positive(m, shape->size[0], "size along x");
    if (!status) status = check_positive(m, shape->size[1], "size along y");
    if (status) return status;
    if (rows < 2 || columns < 2 || rows > INT_MAX / 6 / columns || !shape->height)
        return REFUSE(m, "height-field: needs 2 x 2 to %d heights, got %d x %d", INT_MAX / 6, rows,
                      columns);
    scree_arena scratch = { 0 };
    const int *triangle = scree_surface_grid(rows, columns, &scratch);
    status = triangle ? make_grid(m, &vertex, &extent) : no_memory(m);
    if (!status)
        status = scree_surface_mesh(rows * columns, vertex, 2 * (rows - 1) * (columns - 1),
                                    triangle, extent, m->arena, &m->solid->surface, m->err);
    scree_arena_free(&scratch);
    return status ? status : finish_surface(m, rows * columns, vertex);
}

static scree_status make_polyhedron(maker *m) {
    const scree_shape *shape = m->shape;
    scree_collision_shape *solid = m->solid;
    double *vertex, extent;
    scree_hull hull;
    scree_status status = check_rounding(m);
    if (!status) status = copy_vertices(m, 4, &vertex, &extent);
    if (!status) status = scree_hull_find(shape->vertices, vertex, extent, m->arena, &hull, m->err);
    if (!status && shape->triangle)
        status = scree_polyhedron_check(&hull, shape->vertices, vertex, shape->triangles,
                                        shape->triangle, extent, m->err);
    if (status) return status;
    for (int i = 0; i < hull.corners; i++)  // ascending, so nothing is overwritten too early
        memmove(vertex + 3 * (size_t)i, vertex + 3 * (size_t)hull.corner[i], 3 * sizeof *vertex);
    place_all(m, hull.corners, vertex);
    turn_all(m, hull.faces, hull.face_normal);
    solid->radius = shape->radius;
    solid->vertices = hull.corners;
    solid->vertex = vertex;
    solid->faces = hull.faces;
    solid->face_first = hull.face_first;
    solid->face_vertex = hull.face_corner;
    solid->face_normal = hull.face_normal;
    solid->edges = hull.edges;
    solid->edge = hull.edge;
    enclose(solid);
    return SCREE_OK;
}

// ---- polygons

typedef struct outline {
    const double *vertex;
    double extent;
    int n, *order;       // counter-clockwise                      (n)
    int corners, *kept;  // without those in the middle of sides   (n)
} outline;

// where the way a, b, c turns: cross and dot product, distance of b from the line through a and c
typedef struct bend {
    double cross, dot, distance;
} bend;

static bend bend_at(const outline *o, int a, int b, int c) {
    const double *p = o->vertex + 3 * (size_t)a, *q = o->vertex + 3 * (size_t)b,
                 *r = o->vertex + 3 * (size_t)c;
    double ux = (q[0] - p[0]) / o->extent, uy = (q[1] - p[1]) / o->extent;
    double vx = (r[0] - q[0]) / o->extent, vy = (r[1] - q[1]) / o->extent;
    double cross = ux * vy - uy * vx, chord = hypot(ux + vx, uy + vy);
    return (bend){ cross, ux * vx + uy * vy, chord > 0 ? cross / chord : 0 };
}

static scree_status not_convex(maker *m, int vertex) {
    return REFUSE(m, "polygon: not convex at vertex %d; give convex parts as several shapes",
                  vertex + 1);
}

static scree_status check_outline(maker *m, const outline *o) {
    const double *v = o->vertex;
    int far = 0;
    double thickness = 0;
    for (int i = 0; i < o->n; i++) {
        int j = (i + 1) % o->n;
        if (!(hypot(v[3 * j] - v[3 * i], v[3 * j + 1] - v[3 * i + 1]) > NO_LENGTH * o->extent))
            return REFUSE(m, "polygon: vertices %d and %d are the same point", i + 1, j + 1);
    }
    farthest(o->n, v, v, &far);
    for (int i = 0; i < o->n; i++) {
        double x = (v[3 * far] - v[0]) / o->extent, y = (v[3 * far + 1] - v[1]) / o->extent;
        double cross =
            x * ((v[3 * i + 1] - v[1]) / o->extent) - y * ((v[3 * i] - v[0]) / o->extent);
        thickness = fmax(thickness, fabs(cross) / hypot(x, y));
    }
    if (!(thickness > NO_LENGTH)) return REFUSE(m, "polygon: the %d vertices lie on a line", o->n);
    return SCREE_OK;
}

// counter-clockwise, from the lowest vertex (of these the leftmost), which is a corner
static void set_order(outline *o) {
    const double *v = o->vertex;
    double area = 0;
    int start = 0;
    for (int i = 0; i < o->n; i++) {
        int j = (i + 1) % o->n;
        area += (v[3 * i] - v[0]) / o->extent * ((v[3 * j + 1] - v[1]) / o->extent) -
                (v[3 * i + 1] - v[1]) / o->extent * ((v[3 * j] - v[0]) / o->extent);
        bool lower = v[3 * i + 1] < v[3 * start + 1];
        if (lower || (v[3 * i + 1] == v[3 * start + 1] && v[3 * i] < v[3 * start])) start = i;
    }
    for (int i = 0; i < o->n; i++)
        o->order[i] = area < 0 ? (start - i + o->n) % o->n : (start + i) % o->n;
}

// corners only; refuses turns to the right and back
static scree_status keep_corners(maker *m, outline *o) {
    for (int i = 0; i <= o->n; i++) {
        int next = o->order[i % o->n], k = o->corners;
        if (k >= 2) {
            bend at = bend_at(o, o->kept[k - 2], o->kept[k - 1], next);
            bool straight = at.distance <= NO_LENGTH;
            if (at.distance < -NO_LENGTH || (straight && at.dot <= 0))
                return not_convex(m, o->kept[k - 1]);
            if (straight) k--;
        }
        if (i < o->n) o->kept[k++] = next;
        o->corners = k;
    }
    return SCREE_OK;
}

// a star turns left everywhere too, but more than once around
static scree_status check_once_around(maker *m, const outline *o) {
    const double once = 6.283185307179586;
    double turned = 0;
    for (int i = 0; i < o->corners; i++) {
        int k = o->corners;
        bend at = bend_at(o, o->kept[(i + k - 1) % k], o->kept[i], o->kept[(i + 1) % k]);
        turned += atan2(at.cross, at.dot);
        if (turned > once + 1e-3) return not_convex(m, o->kept[i]);
    }
    return o->corners < 3 ? not_convex(m, o->order[0]) : SCREE_OK;
}

static scree_status set_corners(maker *m, const outline *o) {
    int lowest = 0;
    double *corner = SCREE_NEW(m->arena, double, 3 * (size_t)o->corners);
    if (!corner) return no_memory(m);
    for (int i = 1; i < o->corners; i++)
        if (o->kept[i] < o->kept[lowest]) lowest = i;
    for (int i = 0; i < o->corners; i++) {
        int from = o->kept[(lowest + i) % o->corners];
        memcpy(corner + 3 * (size_t)i, o->vertex + 3 * (size_t)from, 3 * sizeof *corner);
    }
    place_all(m, o->corners, corner);
    m->solid->radius = m->shape->radius;
    m->solid->vertices = o->corners;
    m->solid->vertex = corner;
    enclose(m->solid);
    return SCREE_OK;
}

static scree_status make_polygon(maker *m) {
    outline o = { .n = m->shape->vertices };
    double *vertex;
    scree_arena scratch = { 0 };
    scree_status status = check_rounding(m);
    if (!status) status = copy_vertices(m, 3, &vertex, &o.extent);
    if (status) return status;
    o.vertex = vertex;
    o.order = SCREE_NEW(&scratch, int, o.n);
    o.kept = SCREE_NEW(&scratch, int, (size_t)o.n + 1);
    status = o.order && o.kept ? check_outline(m, &o) : no_memory(m);
    if (!status) {
        set_order(&o);
        status = keep_corners(m, &o);
    }
    if (!status) status = check_once_around(m, &o);
    if (!status) status = set_corners(m, &o);
    scree_arena_free(&scratch);
    return status;
}

// ---- the menu

typedef struct kind_entry {
    const char *name;
    bool plane, space;
    scree_status (*make)(maker *m);
} kind_entry;

static const kind_entry kinds[SCREE_SHAPE_KINDS] = {
    [SCREE_POINT] = { "point", true, true, make_point },
    [SCREE_DISC] = { "disc", true, false, make_ball },
    [SCREE_HALF_PLANE] = { "half-plane", true, false, make_half_space },
    [SCREE_POLYGON] = { "polygon", true, false, make_polygon },
    [SCREE_CHAIN] = { "chain", true, false, make_chain },
    [SCREE_SPHERE] = { "sphere", false, true, make_ball },
    [SCREE_BOX] = { "box", true, true, make_box },
    [SCREE_CAPSULE] = { "capsule", true, true, make_axis },
    [SCREE_CYLINDER] = { "cylinder", false, true, make_cylinder },
    [SCREE_POLYHEDRON] = { "polyhedron", false, true, make_polyhedron },
    [SCREE_PLANE] = { "plane", false, true, make_half_space },
    [SCREE_MESH] = { "mesh", false, true, make_mesh },
    [SCREE_HEIGHT_FIELD] = { "height-field", false, true, make_height_field },
};

const char *scree_shape_kind_name(scree_shape_kind kind) {
    return (int)kind >= 0 && kind < SCREE_SHAPE_KINDS ? kinds[kind].name : "?";
}

scree_status scree_collision_shape_make(const scree_shape *shape, int space, scree_arena *arena,
                                        scree_collision_shape *solid, scree_error *err) {
    maker m = { .shape = shape, .space = space, .arena = arena, .solid = solid, .err = err };
    *solid = (scree_collision_shape){ .kind = SCREE_COLLISION_CONVEX, .space = space };
    if ((int)shape->kind < 0 || shape->kind >= SCREE_SHAPE_KINDS)
        return REFUSE(&m, "there is no shape of kind %d", (int)shape->kind);
    const kind_entry *entry = &kinds[shape->kind];
    if (!(space == 2 ? entry->plane : entry->space))
        return REFUSE(&m, "there is no %s in %s", entry->name, space == 2 ? "the plane" : "space");
    scree_status status = find_turn(&m);
    return status ? status : entry->make(&m);
}
