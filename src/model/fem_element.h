// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fem_element.h - one finite element: shape functions, stiffness, mass.
//
// Corners are seen from the first one, so that an element far from the origin loses no digits.

#ifndef SCREE_MODEL_FEM_ELEMENT_H
#define SCREE_MODEL_FEM_ELEMENT_H

#include "scree/fem.h"

enum {
    SCREE_FEM_CORNERS = 8,  // at most
    SCREE_FEM_PAIRS = 28,   // of different corners
    SCREE_FEM_POINTS = 27,
};

typedef struct scree_fem_shape {  // an element as it lies in the mesh
    scree_element kind;
    int corners, space;
    const int *node;                  // of each corner
    double at[SCREE_FEM_CORNERS][3];  // corners from the first one; in the plane z = 0
} scree_fem_shape;

typedef struct scree_fem_point {  // the element at one of its points
    double volume;                // the share of the element's that belongs to the point; area in
                                  // the plane
    double value[SCREE_FEM_CORNERS];        // of the shape functions
    double gradient[SCREE_FEM_CORNERS][3];  // [1/m]
    double xi[3];                           // where it is in the reference element
    double determinant, inverse[3][3];      // of J = dx / dxi; gradients of the coordinates xi
} scree_fem_point;

/// lambda and mu such that stress = lambda tr(strain) 1 + 2 mu strain, in the plane within it.
typedef struct scree_fem_moduli {
    double lambda, mu;
} scree_fem_moduli;

void scree_fem_element_shape(const scree_mesh *mesh, int element, scree_fem_shape *shape);

/// The points of Gauss that stiffness and volume are summed over: 1, 4, 1, 8. Returns how many, 0
/// if the element is turned inside out at one of them.
int scree_fem_element_points(const scree_fem_shape *shape, scree_fem_point *point);

/// The middle. False if the element is turned inside out there.
bool scree_fem_element_middle(const scree_fem_shape *shape, scree_fem_point *point);

scree_fem_moduli scree_fem_element_moduli(const scree_material *material, int space);

/// The blocks K_ab of corners a < b, (0, 1) (0, 2) ... (pairs x space x space), for thickness 1.
/// False if the element is turned inside out.
bool scree_fem_stiffness_element(const scree_fem_shape *shape, scree_fem_moduli moduli, double *K);

/// The integrals of products of shape functions: of different corners (pairs, as above) and of one
/// with itself (corners). False if the element is turned inside out.
bool scree_fem_element_mass(const scree_fem_shape *shape, double *pair, double *own);

#endif
