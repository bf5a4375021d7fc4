// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// stress.h - what elastic bodies feel: strain and stress of elements, forces of what holds nodes.

#ifndef SCREE_STRESS_H
#define SCREE_STRESS_H

#include "scree/fem.h"
#include "scree/step.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SCREE_TENSOR = 6 };  // xx yy zz xy yz xz

/// Strain and stress in the middle of each element of a body (elements x SCREE_TENSOR each); either
/// may be NULL. q is that of the whole model; shear strains are those of the tensor, half the
/// angles.
SCREE_API void scree_stress_find(const scree_elastic_body *body, const double *q, double *strain,
                                 double *stress);

/// The same for all elastic bodies of a model, one after the other.
SCREE_API void scree_stress_find_all(const scree_model *model, const double *q, double *strain,
                                     double *stress);

/// Von Mises' equivalent stress, and the mean pressure -(xx + yy + zz) / 3.
SCREE_API double scree_stress_mises(const double stress[SCREE_TENSOR]);

/// The mean pressure.
SCREE_API double scree_stress_pressure(const double stress[SCREE_TENSOR]);

/// Nodes and elements of all elastic bodies.
SCREE_API int scree_stress_nodes(const scree_model *model);

/// Elements of all elastic bodies.
SCREE_API int scree_stress_elements(const scree_model *model);

/// Mean forces during a step that what holds them puts on nodes (nodes of all elastic bodies x
/// space); 0 where nothing is held. Made of the record alone: inertia, damping, stiffness, loads
/// and contacts of a held degree of freedom leave just that. scratch: room for 2 x dofs.
///
/// Where a node touches a facet with a held corner, the corners' shares are those at the beginning
/// of the step.
SCREE_API void scree_reaction_find(const scree_model *model, double theta,
                                   const scree_step_record *record, double *reaction,
                                   double *scratch);

/// The node of side a that a contact of an elastic body is one of; -1: it is a contact of rigid
/// bodies, of a system, or not of this model.
SCREE_API int scree_contact_node(const scree_model *model, const scree_contact *contact);

#ifdef __cplusplus
}
#endif

#endif
