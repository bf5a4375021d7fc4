// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fem.h - a mesh and a material as matrices: mass, stiffness, forces, stresses.
//
// Rows of K add up to zero over the nodes, so only the blocks K_ij between different nodes i < j
// are kept, and products and energies are made of differences of displacements: a body that has
// gone a long way loses no digits.

#ifndef SCREE_MODEL_FEM_H
#define SCREE_MODEL_FEM_H

#include "base/arena.h"
#include "scree/fem.h"

typedef struct scree_fem {
    int nodes, space;
    int *row;           // the pairs of node i are row[i] to row[i + 1] (nodes + 1)
    int *column;        // the other node j > i, ascending
    double *stiffness;  // K_ij, row after row (pairs x space x space)
    double *mass;       // M_ij = mass times the unit matrix (pairs); all 0 if lumped
    double *diagonal;   // M_ii (nodes)
    bool lumped;
} scree_fem;

/// Assemble; element after element in their order. All memory is drawn from the arena.
scree_status scree_fem_assemble(const scree_mesh *mesh, const scree_material *material,
                                scree_arena *arena, scree_fem *fem, scree_error *err);

/// y = K x (nodes x space).
void scree_fem_stiffness(const scree_fem *fem, const double *x, double *y);

/// y = M x.
void scree_fem_mass(const scree_fem *fem, const double *x, double *y);

/// x . K x and x . M x, and in *size, if it is not NULL, the sum of the absolute values of what was
/// added up.
double scree_fem_stiffness_form(const scree_fem *fem, const double *x, double *size);
double scree_fem_mass_form(const scree_fem *fem, const double *x, double *size);

/// mass M + stiffness K with the rows and columns of held degrees of freedom left out: the lower
/// triangle by columns as base/sparse_cholesky.h wants it. number: of each degree of freedom
/// among the free ones, in any order, -1 if it is held (nodes x space). The pattern depends on
/// whether stiffness is 0, as then the axes are not coupled.
typedef struct scree_fem_matrix {
    int size;
    int *first, *row;
    double *value;
} scree_fem_matrix;

scree_status scree_fem_combine(const scree_fem *fem, double mass, double stiffness,
                               const int *number, scree_arena *arena, scree_fem_matrix *matrix,
                               scree_error *err);

/// Volume (in the plane: area times thickness) of an element, and its extent: the smallest of its
/// heights, for Q4 and H8 area or volume over the largest side.
double scree_fem_volume(const scree_mesh *mesh, const scree_material *material, int element);
double scree_fem_extent(const scree_mesh *mesh, int element);

/// force += what density of force (per volume) gives at each node, and the force of a traction with
/// the given values: in equal parts at the corners of elements and facets that are straight,
/// otherwise by the shape functions. (nodes x space)
void scree_fem_add_volume_force(const scree_mesh *mesh, const scree_material *material,
                                const double density[3], double *force);
void scree_fem_add_traction(const scree_mesh *mesh, const scree_material *material,
                            const scree_traction *traction, const double value[3], double *force);

/// Solve K u = force with the displacements that are held (held: nodes x space flags) as they stand
/// in u. Where the rest can still move as a rigid body the error says how: which translations and
/// turns are free.
scree_status scree_fem_static(const scree_mesh *mesh, const scree_fem *fem,
                              const unsigned char *held, const double *force, double *u,
                              scree_error *err);

/// Strain and stress in the middle of each element, xx yy zz xy yz xz (elements x 6 each; shear
/// strains are those of the tensor, half the angles). Either may be NULL.
void scree_fem_stress(const scree_mesh *mesh, const scree_material *material, const double *u,
                      double *strain, double *stress);

#endif
