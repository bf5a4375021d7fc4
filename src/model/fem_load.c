// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fem_load.c - forces on a mesh, and what a displacement does inside it.
// in: mesh, material.   out: forces at nodes; strains and stresses of elements.

#include <math.h>

#include "base/space.h"
#include "model/fem.h"
#include "model/fem_element.h"
#include "model/fem_kind.h"

static double thickness_of(const scree_mesh *mesh, const scree_material *material) {
    return mesh->space == 2 ? material->thickness : 1;
}

// ---- size of elements

static double measure_of(const scree_fem_shape *shape) {
    scree_fem_point point[SCREE_FEM_POINTS];
    double sum = 0;
    int points = scree_fem_element_points(shape, point);
    for (int p = 0; p < points; p++) sum += point[p].volume;
    return sum;
}

double scree_fem_volume(const scree_mesh *mesh, const scree_material *material, int element) {
    scree_fem_shape shape;
    scree_fem_element_shape(mesh, element, &shape);
    return thickness_of(mesh, material) * measure_of(&shape);
}

// half the cross product of the diagonals; a triangle's fourth corner is its first
static double area_of(const double *a, const double *b, const double *c, const double *d) {
    double across[3], other[3], normal[3];
    for (int k = 0; k < 3; k++) {
        across[k] = c[k] - a[k];
        other[k] = d[k] - b[k];
    }
    scree_cross(across, other, normal);
    return scree_length(normal) / 2;
}

static double largest_side(const scree_fem_shape *shape) {
    static const int tetrahedron[4][4] = {
        { 0, 1, 2, 0 }, { 0, 1, 3, 0 }, { 0, 2, 3, 0 }, { 1, 2, 3, 1 }
    };
    static const int hexahedron[6][4] = { { 0, 1, 2, 3 }, { 4, 5, 6, 7 }, { 0, 1, 5, 4 },
                                          { 1, 2, 6, 5 }, { 2, 3, 7, 6 }, { 3, 0, 4, 7 } };
    double largest = 0;
    int corners = shape->row->corners;
    bool simplex = shape->row->simplex;
    for (int k = 0; shape->space == 2 && k < corners; k++) {
        const double *a = shape->at[k], *b = shape->at[(k + 1) % corners];
        largest = fmax(largest, hypot(b[0] - a[0], b[1] - a[1]));
    }
    int faces = shape->space == 2 ? 0 : simplex ? 4 : 6;
    for (int k = 0; k < faces; k++) {
        const int *face = simplex ? tetrahedron[k] : hexahedron[k];
        largest = fmax(largest, area_of(shape->at[face[0]], shape->at[face[1]], shape->at[face[2]],
                                        shape->at[face[3]]));
    }
    return largest;
}

// a height is what the measure over a side is, for simplices times their dimension; half of it lies
// between the nodes of quadratic elements
double scree_fem_extent(const scree_mesh *mesh, int element) {
    scree_fem_shape shape;
    scree_fem_element_shape(mesh, element, &shape);
    double factor = (shape.row->simplex ? shape.space : 1) / (shape.row->quadratic ? 2.0 : 1.0);
    return factor * measure_of(&shape) / largest_side(&shape);
}

// ---- forces

void scree_fem_add_volume_force(const scree_mesh *mesh, const scree_material *material,
                                const double density[3], double *force) {
    double thickness = thickness_of(mesh, material);
    for (int e = 0; e < mesh->elements; e++) {
        scree_fem_shape shape;
        scree_fem_point point[SCREE_FEM_POINTS];
        scree_fem_element_shape(mesh, e, &shape);
        int points = scree_fem_element_points(&shape, point);
        for (int p = 0; p < points; p++)
            for (int a = 0; a < shape.nodes; a++) {
                double *to = force + (size_t)shape.node[a] * (size_t)mesh->space;
                double share = thickness * point[p].volume * point[p].value[a];
                for (int c = 0; c < mesh->space; c++) to[c] += share * density[c];
            }
    }
}

typedef struct load {
    const scree_mesh *mesh;
    double thickness, value[3];
    bool pressure;
    double *force;
} load;

// the share of a node in a piece of surface whose outward normal has the length of its area
static void add_share(const load *now, int node, const double normal[3], double share) {
    double area = scree_length(normal), *to = now->force + (size_t)node * (size_t)now->mesh->space;
    for (int c = 0; c < now->mesh->space; c++) {
        double whole = now->pressure ? -now->value[0] * normal[c] : now->value[c] * area;
        to[c] += now->thickness * share * whole;
    }
}

static void add_edge(const load *now, const int *corner) {
    const double *a = now->mesh->node + 2 * (size_t)corner[0];
    const double *b = now->mesh->node + 2 * (size_t)corner[1];
    const double normal[3] = { b[1] - a[1], a[0] - b[0], 0 };  // the solid is on the left
    for (int k = 0; k < 2; k++) add_share(now, corner[k], normal, 1.0 / 2);
}

static void add_triangle(const load *now, const int *corner, double (*side)[3]) {
    double normal[3];
    scree_cross(side[1], side[2], normal);
    for (int c = 0; c < 3; c++) normal[c] /= 2;
    for (int k = 0; k < 3; k++) add_share(now, corner[k], normal, 1.0 / 3);
}

// 2 x 2 points of Gauss; exact for pressure on any face, for traction on flat ones
static void add_quadrilateral(const load *now, const int *corner, double (*side)[3]) {
    static const double place[2] = { 0.21132486540518712, 0.78867513459481288 };
    for (int p = 0; p < 4; p++) {
        double s = place[p % 2], t = place[p / 2], along[3], across[3], normal[3];
        const double value[4] = { (1 - s) * (1 - t), s * (1 - t), s * t, (1 - s) * t };
        for (int c = 0; c < 3; c++) {
            along[c] = (1 - t) * side[1][c] + t * (side[2][c] - side[3][c]);
            across[c] = (1 - s) * side[3][c] + s * (side[2][c] - side[1][c]);
        }
        scree_cross(along, across, normal);
        for (int c = 0; c < 3; c++) normal[c] /= 4;
        for (int k = 0; k < 4; k++) add_share(now, corner[k], normal, value[k]);
    }
}

// corners seen from the first, so that a face far from the origin loses no digits
static void add_face(const load *now, const int *corner) {
    int corners = corner[3] < 0 ? 3 : 4;
    double side[4][3] = { { 0 } };
    const double *first = now->mesh->node + 3 * (size_t)corner[0];
    for (int k = 1; k < corners; k++)
        for (int c = 0; c < 3; c++)
            side[k][c] = now->mesh->node[3 * (size_t)corner[k] + (size_t)c] - first[c];
    if (corners == 3)
        add_triangle(now, corner, side);
    else
        add_quadrilateral(now, corner, side);
}

// ---- tractions on sides of quadratic elements

// a side of an element, whose shape functions are those of an element of one dimension less; an
// edge has places from 0 to 1, a triangle barycentric ones, a quadrilateral from -1 to 1
typedef struct curved_side {
    int corners, nodes;
    int node[SCREE_FEM_SIDE_NODES];  // in the mesh
    double at[SCREE_FEM_SIDE_NODES][3];
    double place[SCREE_FEM_SIDE_NODES][2];
} curved_side;

static void fill_places(curved_side *side) {
    static const double corner[5][4][2] = { [2] = { { 0, 0 }, { 1, 0 } },
                                            [3] = { { 0, 0 }, { 1, 0 }, { 0, 1 } },
                                            [4] = { { -1, -1 }, { 1, -1 }, { 1, 1 }, { -1, 1 } } };
    for (int k = 0; k < side->nodes; k++) {
        int a = k % side->corners, b = k < side->corners ? a : (a + 1) % side->corners;
        for (int c = 0; c < 2; c++)
            side->place[k][c] = (corner[side->corners][a][c] + corner[side->corners][b][c]) / 2;
    }
}

// the side of the element that a flat facet is part of
static void find_side(const scree_mesh *mesh, int element, const int *facet, curved_side *side) {
    const scree_fem_kind *kind = scree_fem_kind_of(mesh->kind[element]);
    const int *own = mesh->corner + mesh->first[element];
    for (int s = 0; s < kind->sides; s++) {
        side->corners = scree_fem_kind_side(kind, s, side->node, &side->nodes);
        int found = 0, wanted = 0;
        for (int k = 0; k < side->nodes; k++) side->node[k] = own[side->node[k]];
        for (; wanted < SCREE_FACET_CORNERS && facet[wanted] >= 0; wanted++)
            for (int k = 0; k < side->nodes; k++) found += side->node[k] == facet[wanted];
        if (found == wanted) break;
    }
    const double *first = mesh->node + (size_t)mesh->space * (size_t)side->node[0];
    for (int k = 0; k < side->nodes; k++)
        for (int c = 0; c < mesh->space; c++)
            side->at[k][c] =
                mesh->node[(size_t)mesh->space * (size_t)side->node[k] + (size_t)c] - first[c];
    fill_places(side);
}

// values and slopes at a place: those of T6 with nothing along the other axis, T6, Q8
static void fill_side(const curved_side *side, const double at[2], double *value,
                      double (*slope)[2]) {
    double L[3] = { 1 - at[0] - at[1], at[0], at[1] };
    static const double dL[3][2] = { { -1, -1 }, { 1, 0 }, { 0, 1 } };
    int n = side->corners;
    for (int k = 0; k < side->nodes && n < 4; k++) {
        int a = k % n, b = (a + 1) % n;
        value[k] = k < n ? L[a] * (2 * L[a] - 1) : 4 * L[a] * L[b];
        for (int c = 0; c < 2; c++)
            slope[k][c] =
                k < n ? (4 * L[a] - 1) * dL[a][c] : 4 * (L[a] * dL[b][c] + L[b] * dL[a][c]);
    }
    for (int k = 0; k < side->nodes && n == 4; k++) {
        const double *s = side->place[k];
        double f[2], df[2], sum = k < n ? s[0] * at[0] + s[1] * at[1] - 1 : 1;
        for (int c = 0; c < 2; c++) {
            f[c] = s[c] == 0 ? 1 - at[c] * at[c] : (1 + s[c] * at[c]) / 2;
            df[c] = s[c] == 0 ? -2 * at[c] : s[c] / 2;
        }
        value[k] = f[0] * f[1] * sum;
        for (int c = 0; c < 2; c++)
            slope[k][c] = df[c] * f[1 - c] * sum + (k < n ? f[0] * f[1] * s[c] : 0);
    }
}

// one point of a flat facet: its place on the side, and the area there of a unit square of places
static void add_side_point(const load *now, const curved_side *side, const double at[2],
                           double weight) {
    double value[SCREE_FEM_SIDE_NODES], slope[SCREE_FEM_SIDE_NODES][2];
    double along[2][3] = { { 0 } }, normal[3];
    fill_side(side, at, value, slope);
    for (int k = 0; k < side->nodes; k++)
        for (int c = 0; c < 3; c++)
            for (int d = 0; d < 2; d++) along[d][c] += slope[k][d] * side->at[k][c];
    if (side->corners == 2) {  // the solid is on the left
        along[1][0] = along[1][1] = 0;
        along[1][2] = 1;
    }
    scree_cross(along[0], along[1], normal);
    for (int c = 0; c < 3; c++) normal[c] *= weight;
    for (int k = 0; k < side->nodes; k++) add_share(now, side->node[k], normal, value[k]);
}

// points of the flat facet in shares of its corners: exact up to degree 4 at least
static int share_points(int corners, double (*share)[SCREE_FACET_CORNERS], double *weight) {
    static const double line[3][2] = { { 0.11270166537925831, 5.0 / 18 },
                                       { 0.5, 8.0 / 18 },
                                       { 0.88729833462074169, 5.0 / 18 } };
    static const double orbit[2][2] = { { 0.44594849091596488632, 0.22338158967801146570 },
                                        { 0.09157621350977074346, 0.10995174365532186764 } };
    int count = 0;
    for (int p = 0; p < 6 && corners == 3; p++, count++) {
        for (int k = 0; k < 3; k++) share[p][k] = orbit[p / 3][0];
        share[p][p % 3] = 1 - 2 * orbit[p / 3][0];
        weight[p] = orbit[p / 3][1] / 2;
    }
    for (int p = 0; p < (corners == 2 ? 3 : 9) && corners != 3; p++, count++) {
        double s = line[p % 3][0], t = corners == 2 ? 0 : line[p / 3][0];
        share[p][0] = (1 - s) * (1 - t);
        share[p][1] = s * (1 - t);
        share[p][2] = s * t;
        share[p][3] = (1 - s) * t;
        weight[p] = line[p % 3][1] * (corners == 2 ? 1 : line[p / 3][1]);
    }
    return count;
}

// the flat facet's places are linear in its shares, also those of the square between middles
static void add_curved(const load *now, int element, const int *facet) {
    curved_side side = { 0 };
    double share[9][SCREE_FACET_CORNERS] = { { 0 } }, weight[9], corner[SCREE_FACET_CORNERS][2];
    find_side(now->mesh, element, facet, &side);
    int corners = 0;
    for (; corners < SCREE_FACET_CORNERS && facet[corners] >= 0; corners++)
        for (int k = 0; k < side.nodes; k++)
            for (int c = 0; c < 2 && side.node[k] == facet[corners]; c++)
                corner[corners][c] = side.place[k][c];
    const double *a = corner[0], *b = corner[1], *d = corner[corners - 1];
    double size =
        corners == 2 ? b[0] - a[0] : (b[0] - a[0]) * (d[1] - a[1]) - (b[1] - a[1]) * (d[0] - a[0]);
    int points = share_points(corners, share, weight);
    for (int p = 0; p < points; p++) {
        double at[2] = { 0 };
        for (int k = 0; k < corners; k++)
            for (int c = 0; c < 2; c++) at[c] += share[p][k] * corner[k][c];
        add_side_point(now, &side, at, fabs(size) * weight[p]);
    }
}

void scree_fem_add_traction(const scree_mesh *mesh, const scree_material *material,
                            const scree_traction *traction, const double value[3], double *force) {
    const scree_mesh_group *group = &mesh->group[traction->group];
    load now = { .mesh = mesh,
                 .thickness = thickness_of(mesh, material),
                 .value = { value[0], value[1], value[2] },
                 .pressure = traction->pressure,
                 .force = force };
    for (int k = 0; k < group->facets; k++) {
        const int *corner = mesh->facet + (size_t)SCREE_FACET_CORNERS * (size_t)group->facet[k];
        int owner = mesh->owner[group->facet[k]];
        if (scree_fem_kind_of(mesh->kind[owner])->quadratic)
            add_curved(&now, owner, corner);
        else if (mesh->space == 2)
            add_edge(&now, corner);
        else
            add_face(&now, corner);
    }
}

// ---- strain and stress

// xx yy zz xy yz xz of the displacement's symmetric gradient
static void strain_of(const scree_fem_shape *shape, const double *u, double strain[6]) {
    static const int row[6] = { 0, 1, 2, 0, 1, 0 }, column[6] = { 0, 1, 2, 1, 2, 2 };
    scree_fem_point middle;
    double slope[3][3] = { { 0 } };
    size_t space = (size_t)shape->space;
    const double *first = u + space * (size_t)shape->node[0];
    bool fine = scree_fem_element_middle(shape, &middle);
    for (int a = 1; fine && a < shape->nodes; a++)  // gradients add up to zero
        for (int r = 0; r < shape->space; r++) {
            double moved = u[space * (size_t)shape->node[a] + (size_t)r] - first[r];
            for (int c = 0; c < shape->space; c++) slope[r][c] += moved * middle.gradient[a][c];
        }
    for (int k = 0; k < 6; k++)
        strain[k] = (slope[row[k]][column[k]] + slope[column[k]][row[k]]) / 2;
}

// the change of volume that the term of lambda sees
static double dilatation_of(const scree_fem_shape *shape, const double *u, double trace) {
    double gradient[SCREE_FEM_NODES][3], sum = 0;
    size_t space = (size_t)shape->space;
    if (!shape->row->quadratic || !scree_fem_stiffness_dilatation(shape, gradient)) return trace;
    const double *first = u + space * (size_t)shape->node[0];
    for (int a = 1; a < shape->nodes; a++)
        for (int c = 0; c < shape->space; c++)
            sum += (u[space * (size_t)shape->node[a] + (size_t)c] - first[c]) * gradient[a][c];
    return sum;
}

void scree_fem_stress(const scree_mesh *mesh, const scree_material *material, const double *u,
                      double *strain, double *stress) {
    scree_fem_moduli moduli = scree_fem_element_moduli(material, mesh->space);
    bool plane_stress = mesh->space == 2 && material->plane_stress;
    for (int e = 0; e < mesh->elements; e++) {
        scree_fem_shape shape;
        double own[6];
        scree_fem_element_shape(mesh, e, &shape);
        strain_of(&shape, u, own);
        // in the plane own[2] is 0 here
        double trace = dilatation_of(&shape, u, own[0] + own[1] + own[2]);
        for (int k = 0; stress && k < 6; k++)
            stress[6 * (size_t)e + (size_t)k] =
                2 * moduli.mu * own[k] + (k < 3 ? moduli.lambda * trace : 0);
        if (plane_stress && stress) stress[6 * (size_t)e + 2] = 0;
        if (plane_stress) own[2] = -material->poisson / (1 - material->poisson) * trace;
        for (int k = 0; strain && k < 6; k++) strain[6 * (size_t)e + (size_t)k] = own[k];
    }
}
