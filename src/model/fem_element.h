// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fem_element.h - one finite element: shape functions, stiffness, mass.
//
// Nodes are seen from the first one, so that an element far from the origin loses no digits.

#ifndef SCREE_MODEL_FEM_ELEMENT_H
#define SCREE_MODEL_FEM_ELEMENT_H

#include "scree/fem.h"

enum {
    SCREE_FEM_NODES = 20,   // at most
    SCREE_FEM_PAIRS = 190,  // of different ones
    SCREE_FEM_POINTS = 27,
};

typedef struct scree_fem_shape {  // an element as it lies in the mesh
    scree_element kind;
    const struct scree_fem_kind *row;
    int nodes, space;
    const int *node;                // in the mesh
    double at[SCREE_FEM_NODES][3];  // from the first one; in the plane z = 0
} scree_fem_shape;

typedef struct scree_fem_point {    // the element at one of its points
    double volume;                  // the share of the element's that belongs to the point; area in
                                    // the plane
    double value[SCREE_FEM_NODES];  // of the shape functions
    double gradient[SCREE_FEM_NODES][3];  // [1/m]
    double xi[3];                         // where it is in the reference element
    double determinant, inverse[3][3];    // of J = dx / dxi; gradients of the coordinates xi
} scree_fem_point;

/// lambda and mu such that stress = lambda tr(strain) 1 + 2 mu strain, in the plane within it.
typedef struct scree_fem_moduli {
    double lambda, mu;
} scree_fem_moduli;

void scree_fem_element_shape(const scree_mesh *mesh, int element, scree_fem_shape *shape);

/// The points that stiffness and volume are summed over: 1, 4, 1, 8, 6, 9, 14, 27. Returns how
/// many, 0 if the element is turned inside out at one of them.
int scree_fem_element_points(const scree_fem_shape *shape, scree_fem_point *point);

/// The middle. False if the element is turned inside out there.
bool scree_fem_element_middle(const scree_fem_shape *shape, scree_fem_point *point);

scree_fem_moduli scree_fem_element_moduli(const scree_material *material, int space);

/// The blocks K_ab of nodes a < b, (0, 1) (0, 2) ... (pairs x space x space), for thickness 1.
/// False if the element is turned inside out.
bool scree_fem_stiffness_element(const scree_fem_shape *shape, scree_fem_moduli moduli, double *K);

/// The gradient of each shape function whose trace a quadratic element takes for the change of
/// volume in its middle (see fem_stiffness.c). False without a unique one.
bool scree_fem_stiffness_dilatation(const scree_fem_shape *shape,
                                    double gradient[SCREE_FEM_NODES][3]);

/// The integrals of products of shape functions: of different nodes (pairs, as above) and of one
/// with itself (nodes). False if the element is turned inside out.
bool scree_fem_element_mass(const scree_fem_shape *shape, double *pair, double *own);

#endif
