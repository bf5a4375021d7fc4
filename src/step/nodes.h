// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// nodes.h - contacts of elastic bodies: their nodes against rigid shapes, and against facets of
// elastic bodies.
//
// One pass: between two elastic bodies the nodes of one meet the facets of the other. Nodes are
// those of the body with the smaller facets, of the later one if they are alike. A node has one
// contact with each elastic body, the nearest of its facets.

#ifndef SCREE_STEP_NODES_H
#define SCREE_STEP_NODES_H

#include "collide/broad_phase.h"
#include "model/collision_shape.h"
#include "model/inertia.h"
#include "step/source.h"

enum { SCREE_STENCIL_NODES = 5 };  // a node, and the corners of a facet

/// The node-to-facet stencil, how a contact hangs on nodes: its velocity has weight times that of
/// each of them in it.
typedef struct scree_node_stencil {
    int nodes;                           // 0: no elastic body is in it
    int body[SCREE_STENCIL_NODES];       // elastic bodies
    int node[SCREE_STENCIL_NODES];       //
    double weight[SCREE_STENCIL_NODES];  // > 0: side a, < 0: side b
} scree_node_stencil;

typedef struct scree_node_set {
    int nodes;                    // that can touch, of all elastic bodies
    int *body, *node;             // (nodes)
    unsigned char *usual, *self;  // touches other bodies, its own (nodes)
    int facets;
    int *facet_body, *facet;  // (facets)
    unsigned char *facet_usual, *facet_self;
    double *size;  // mean size of the facets of each elastic body (elastics)
    scree_collision_shape point;
    int *owner;            // of nodes, rigid shapes, facets (items)
    unsigned char *moves;  // (items)
    scree_aabb *box;       // (items)
    double *margin;        // of nodes and facets; rigid shapes have theirs elsewhere (items)
    int items;
    scree_broad_phase *broad;
} scree_node_set;

scree_status scree_nodes_make(const scree_model *model, scree_arena *arena, scree_node_set *nodes,
                              scree_error *err);
void scree_nodes_free(scree_node_set *nodes);

/// Append the contacts of nodes to the set, ascending by id.
scree_status scree_nodes_find(const scree_model *model, const scree_contact_query *query,
                              scree_node_set *nodes, struct scree_contact_set *set,
                              scree_error *err);

/// The gap of contact i, which is one of nodes, at q.
double scree_nodes_gap(const scree_model *model, const scree_node_set *nodes,
                       const struct scree_contact_set *set, int i, const double *q);

/// u += velocities x of the nodes; of those that are free, or of those that are held.
void scree_node_stencil_velocity(const scree_model *model, const scree_node_stencil *stencil,
                                 const double *x, bool held, double u[3]);

/// x += force at the nodes that are free.
void scree_node_stencil_apply_impulse(const scree_model *model, const scree_node_stencil *stencil,
                                      const double force[3], double *x);

/// Sum of the sizes of the numbers in scree_node_stencil_velocity, of two vectors.
double scree_node_stencil_velocity_scale(const scree_model *model,
                                         const scree_node_stencil *stencil, const double *x,
                                         const double *y);

#endif
