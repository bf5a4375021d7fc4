// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fem_load.c - forces on a mesh, and what a displacement does inside it.
// in: mesh, material.   out: forces at nodes; strains and stresses of elements.

#include <math.h>

#include "base/space.h"
#include "model/fem.h"
#include "model/fem_element.h"

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
    for (int k = 0; shape->space == 2 && k < shape->corners; k++) {
        const double *a = shape->at[k], *b = shape->at[(k + 1) % shape->corners];
        largest = fmax(largest, hypot(b[0] - a[0], b[1] - a[1]));
    }
    int faces = shape->space == 2 ? 0 : shape->kind == SCREE_T4 ? 4 : 6;
    for (int k = 0; k < faces; k++) {
        const int *face = shape->kind == SCREE_T4 ? tetrahedron[k] : hexahedron[k];
        largest = fmax(largest, area_of(shape->at[face[0]], shape->at[face[1]], shape->at[face[2]],
                                        shape->at[face[3]]));
    }
    return largest;
}

// a height is what the measure over a side is, for simplices times their dimension
double scree_fem_extent(const scree_mesh *mesh, int element) {
    scree_fem_shape shape;
    scree_fem_element_shape(mesh, element, &shape);
    double factor = shape.corners == shape.space + 1 ? shape.space : 1;
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
            for (int a = 0; a < shape.corners; a++) {
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
        if (mesh->space == 2)
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
    for (int a = 1; fine && a < shape->corners; a++)  // gradients add up to zero
        for (int r = 0; r < shape->space; r++) {
            double moved = u[space * (size_t)shape->node[a] + (size_t)r] - first[r];
            for (int c = 0; c < shape->space; c++) slope[r][c] += moved * middle.gradient[a][c];
        }
    for (int k = 0; k < 6; k++)
        strain[k] = (slope[row[k]][column[k]] + slope[column[k]][row[k]]) / 2;
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
        double trace = own[0] + own[1] + own[2];  // in the plane own[2] is 0 here
        for (int k = 0; stress && k < 6; k++)
            stress[6 * (size_t)e + (size_t)k] =
                2 * moduli.mu * own[k] + (k < 3 ? moduli.lambda * trace : 0);
        if (plane_stress && stress) stress[6 * (size_t)e + 2] = 0;
        if (plane_stress) own[2] = -material->poisson / (1 - material->poisson) * trace;
        for (int k = 0; strain && k < 6; k++) strain[6 * (size_t)e + (size_t)k] = own[k];
    }
}
