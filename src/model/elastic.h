// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// elastic.h - an elastic body in a model: its matrices, what loads it and what holds it.

#ifndef SCREE_MODEL_ELASTIC_H
#define SCREE_MODEL_ELASTIC_H

#include "model/fem.h"

/// Are they the same at all times, as far as can be told?
static inline bool scree_function_same(const scree_function *a, const scree_function *b) {
    return a->at == b->at && (a->at ? a->self == b->self : a->constant == b->constant);
}

/// A load that changes as one number does: force = value(t) times weight.
typedef struct scree_load_pattern {
    scree_function value;
    int count;
    int *dof;        // of the body, ascending (count)
    double *weight;  // (count)
} scree_load_pattern;

struct scree_elastic_data {
    scree_fem fem;
    double *node_mass;       // row sums of M (nodes)
    double *node_stiffness;  // sums of the sizes of the K_ij of each node (nodes)
    int loads;
    scree_load_pattern *load;  // (loads)
    bool loads_vary;           // does any load depend on t?
    int held;
    int *prescribed_dof;    // ascending (held)
    scree_function *value;  // their displacements (held)
    bool driven;            // does any of them move?
    double *start;          // displacements at time 0 (count)
    double velocity[3];     // of all nodes at time 0
};

/// Displacements and velocities that are given at time t; into the body's own part of q and v,
/// either of which may be NULL.
void scree_elastic_drive(const scree_elastic_body *body, double t, double *q, double *v);

/// The state at time 0, into the body's own part of q and v.
void scree_elastic_begin(const scree_elastic_body *body, double *q, double *v);

/// load += F(t) without gravity.
void scree_elastic_load(const scree_elastic_body *body, double t, double *load);

/// How far the body as a whole has turned, as its displacements have it [rad]: the rotation next to
/// them, by masses. It is a small one, u = turn x X: the tangent of the angle.
double scree_elastic_turn(const scree_elastic_body *body, const double *q);

/// Where a node is, with the body's own part of q.
static inline void scree_elastic_place(const scree_elastic_body *body, const double *q, int node,
                                       double x[3]) {
    int space = body->mesh.space;
    x[2] = 0;
    for (int k = 0; k < space; k++)
        x[k] = body->mesh.node[(long)node * space + k] + q[(long)node * space + k];
}

#endif
