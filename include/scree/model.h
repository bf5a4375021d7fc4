// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// model.h - bodies, shapes, matrices and laws: all that stays constant during a run.
//
// Velocities v and positions q are flat vectors of equal length n = model->dofs. Planar body i has
// (x, y, angle) at 3i, 3i+1, 3i+2, fixed bodies included (their velocity is zero). The coordinates
// of a matrix system follow behind the bodies.
//
// Units are the user's own, but must be consistent: the comments say kg, m, s. Angles are in
// radians, counter-clockwise.

#ifndef SCREE_MODEL_H
#define SCREE_MODEL_H

#include "scree/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A number that may depend on time: `at` (if not NULL) gives the value and its time derivative.
typedef struct scree_function {
    double constant;                                         // used when at is NULL
    double (*at)(const void *self, double t, double *rate);  // rate is never NULL
    const void *self;                                        // borrowed; must outlive the model
} scree_function;

SCREE_API double scree_function_at(const scree_function *function, double t, double *rate);

/// The law of one pair: u_N+ = -e u_N- (Newton) with Coulomb friction mu.
typedef struct scree_law {
    double restitution;  // e in [0, 1]
    double friction;     // mu >= 0
} scree_law;

typedef struct scree_body {
    const char *name;         // copied into the model
    bool fixed;               // never moves; mass and inertia are not used
    double mass;              // [kg] > 0
    double inertia;           // about the centre of mass [kg m^2] > 0
    double position[2];       // of the centre of mass at the start [m]
    double angle;             // at the start [rad]
    double velocity[2];       // of the centre of mass at the start [m/s]
    double spin;              // angular velocity at the start [rad/s]
    scree_function force[3];  // applied force and torque besides gravity [N, N, N m]
} scree_body;

typedef enum scree_shape_kind { SCREE_POINT, SCREE_DISC, SCREE_HALF_PLANE } scree_shape_kind;

typedef struct scree_shape {
    scree_shape_kind kind;
    int body;
    double at[2];      // in the body's frame: the point, the disc's centre, a point of the edge [m]
    double normal[2];  // half-plane, in the body's frame: points out of the solid; any length
    double radius;     // disc [m] > 0
} scree_shape;

/// A linear mechanical system M v' + C v + K q = F(t); matrices are n x n, row after row.
typedef struct scree_system {
    int coordinates;             // n
    const double *mass;          // M, symmetric positive definite (n x n)
    const double *damping;       // C, symmetric, or NULL; negative damping is allowed
    const double *stiffness;     // K, symmetric, or NULL
    const scree_function *load;  // F (n), or NULL
    const double *position;      // q at the start (n)
    const double *velocity;      // v at the start (n)
} scree_system;

/// One contact of a matrix system: gap = normal . q + offset(t), u = H v + w.
typedef struct scree_row_contact {
    const char *name;           // copied into the model
    const double *normal;       // row of H for u_N (n)
    const double *tangent;      // rows of H for u_T (tangents x n), or NULL
    int tangents;               // 0, 1 (planar) or 2 (spatial)
    scree_function offset;      // [m]; its rate is the obstacle's part of u_N
    scree_function surface[2];  // velocity of the obstacle along the tangents; u_T = H v - it [m/s]
    scree_law law;
} scree_row_contact;

/// Two shapes that can touch; fixed once, in the order of their numbers.
typedef struct scree_pair {
    int a, b;  // shapes; the normal points from b to a
    scree_law law;
} scree_pair;

/// Read every field; change none.
typedef struct scree_model {
    int dofs;       // n, length of q and v
    int dimension;  // of the contact problem: 2 or 3
    double gravity[2];
    bool loaded;  // is any load or force given that is not zero?

    int bodies;
    scree_body *body;  // (bodies)
    int shapes;
    scree_shape *shape;  // (shapes), half-plane normals of unit length
    int pairs;
    scree_pair *pair;  // (pairs)

    scree_system system;  // coordinates 0: none
    int row_contacts;
    scree_row_contact *row_contact;  // (row_contacts)

    struct scree_model_memory *memory;  // private
} scree_model;

/// An empty model, or NULL when memory ran out.
SCREE_API scree_model *scree_model_new(void);
SCREE_API void scree_model_free(scree_model *model);

/// Acceleration of free fall, for bodies; none if it is not set.
SCREE_API void scree_model_set_gravity(scree_model *model, double x, double y);

/// Add a body; its number is model->bodies - 1 afterwards. Bodies come before the system.
SCREE_API scree_status scree_model_add_body(scree_model *model, const scree_body *body,
                                            scree_error *err);

/// Add a shape to shape->body.
SCREE_API scree_status scree_model_add_shape(scree_model *model, const scree_shape *shape,
                                             scree_error *err);

/// The law between bodies a and b, -1 for any body. The last one that fits a pair counts.
SCREE_API scree_status scree_model_add_law(scree_model *model, int a, int b, scree_law law,
                                           scree_error *err);

/// Set the matrix system (all arrays are copied; load functions keep their borrowed self).
SCREE_API scree_status scree_model_set_system(scree_model *model, const scree_system *system,
                                              scree_error *err);
SCREE_API scree_status scree_model_add_row_contact(scree_model *model,
                                                   const scree_row_contact *contact,
                                                   scree_error *err);

/// Check the whole and number the pairs; the model is constant from here on.
/// Pairs of shapes: O(shapes^2).
SCREE_API scree_status scree_model_finish(scree_model *model, scree_error *err);

SCREE_API bool scree_model_finished(const scree_model *model);

/// The name of a contact's side (scree_contact.a and b in step.h); "?" if there is none.
SCREE_API const char *scree_model_side_name(const scree_model *model, int side);

#ifdef __cplusplus
}
#endif

#endif
