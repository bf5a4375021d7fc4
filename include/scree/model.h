// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// model.h - bodies, shapes, matrices and laws: all that stays constant during a run.
//
// Velocities v (model->dofs numbers) and coordinates q (model->coordinates) are flat vectors, body
// after body, fixed bodies included; behind them stand the coordinates of a matrix system, then the
// nodes of elastic bodies (fem.h).
//
//     in the plane   q = x, y, angle                   v = of x, y, angle
//     in space       q = x, y, z, quaternion w x y z   v = of x, y, z, then the spin in world axes
//
// Units are the user's own, but must be consistent: the comments say kg, m, s. Angles are in
// radians, counter-clockwise. Definitions begin with what scree_..._default() gives.

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

/// The value at time t, and its rate.
SCREE_API double scree_function_at(const scree_function *function, double t, double *rate);

/// Which impact law holds between two bodies (docs/theory.md, section 2).
typedef enum scree_impact {
    SCREE_IMPACT_OF_SCHEME,  // moreau-jean-fremond: Frémond's, all others: Newton's
    SCREE_IMPACT_NEWTON,     // Coulomb's law on u_T' + tau u_T
    SCREE_IMPACT_FREMOND,    // Coulomb's law on the mean velocity: tau = (1 - theta)/theta
} scree_impact;

/// The law of one pair: restitution, Coulomb friction, and what may be added to it.
typedef struct scree_law {
    double restitution;             // e in [0, 1]
    double friction;                // mu >= 0
    double tangential_restitution;  // tau in [0, 1]: u_T' = -tau u_T where friction holds;
                                    // Fremond's law has its own instead
    double cohesion;                // pull that the contact bears [N]
    double rolling;                 // moment over normal force [m]; in space only
    double friction_across;         // mu across friction_axis; 0: the same
    double friction_axis[3];        // direction in which mu counts, in world axes
    scree_impact impact;
    bool apart;                  // no contact at all: the bodies pass through each other
    scree_function friction_at;  // mu of t, friction is that of t = 0; at NULL: friction
                                 // throughout. Of pairs of bodies, as the next two
    double friction_speed;       // > 0: mu falls with the sliding speed, to 1/e of what it is more
                                 // than friction_kinetic at this one [m/s]
    double friction_kinetic;     // mu of fast sliding
} scree_law;

/// mu of a law at a time and sliding speed.
SCREE_API double scree_law_friction(const scree_law *law, double t, double speed);

/// Does it depend on either?
SCREE_API bool scree_law_friction_varies(const scree_law *law);

/// A body that goes where it is told: displacement from its start, and angle about an axis through
/// its position.
typedef struct scree_path {
    scree_function along[3];  // displacement [m]; in the plane two
    scree_function angle;     // [rad]
    double axis[3];           // any length; in the plane the third axis
} scree_path;

typedef struct scree_body {
    const char *name;         // copied into the model
    bool fixed;               // never moves; mass and inertia are not used
    bool driven;              // goes along path, whatever pushes it; counts as fixed otherwise
    double mass;              // [kg] > 0
    double inertia;           // in the plane: about the centre of mass [kg m^2] > 0
    double tensor[6];         // in space: about the centre of mass, in the body's axes:
                              // xx xy xz yy yz zz, positive definite [kg m^2]
    double position[3];       // of the centre of mass at the start [m]
    double angle;             // in the plane: at the start [rad]
    double orientation[4];    // in space: quaternion w x y z at the start; all 0: not turned
    double velocity[3];       // of the centre of mass at the start [m/s]
    double spin;              // in the plane: at the start [rad/s]
    double angular[3];        // in space: angular velocity at the start, world axes [rad/s]
    scree_function force[6];  // applied force, then torque [N, N m]; in the plane x, y and torque
    scree_path path;          // of a driven body
    double birth_time;        // before it the body is not there [s]
    double removal_time;      // nor behind it [s]; 0: it stays for ever
    bool deposit;  // when it is born it is lowered along gravity until it touches something
    int group;     // for laws; 0: none
} scree_body;

typedef enum scree_shape_kind {
    SCREE_POINT,
    SCREE_DISC,
    SCREE_HALF_PLANE,
    SCREE_POLYGON,  // convex
    SCREE_CHAIN,    // segments, solid on the right of the way along them
    SCREE_SPHERE,
    SCREE_BOX,
    SCREE_CAPSULE,  // in the plane and in space
    SCREE_CYLINDER,
    SCREE_POLYHEDRON,  // the hull of its vertices
    SCREE_PLANE,
    SCREE_MESH,          // triangles; of bodies that do not move by themselves
    SCREE_HEIGHT_FIELD,  // a grid of heights over x and y; the same
    SCREE_SHAPE_KINDS
} scree_shape_kind;

/// What it is called in scenes, files and reports.
SCREE_API const char *scree_shape_kind_name(scree_shape_kind kind);

typedef struct scree_shape {
    scree_shape_kind kind;
    int body;
    double at[3];          // in the body's frame: the centre, or a point of the plane [m];
                           // vertices are turned and then moved by it
    double normal[3];      // half-plane and plane: points out of the solid; any length
    double radius;         // disc, sphere, capsule, cylinder [m] > 0; polygon, polyhedron: rounding
    double angle;          // turned within the body, in the plane [rad]
    double turn[4];        // the same in space: quaternion w x y z; all 0: not turned
    double size[3];        // box: lengths of the edges; capsule, cylinder: size[0], the length of
                           // the axis (the shape's x axis in the plane, z in space), caps not
                           // included; height field: width of the grid along x and y [m]
    int vertices;          // polygon, chain, polyhedron, mesh
    const double *vertex;  // (vertices x 2 in the plane, x 3 in space) [m]
    int triangles;         // mesh
    const int *triangle;   // vertices, counter-clockwise seen from the front (triangles x 3)
    int rows, columns;     // height field: points along y and along x
    const double *height;  // (rows x columns) [m]
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
typedef struct scree_matrix_contact {
    const char *name;           // copied into the model
    const double *normal;       // row of H for u_N (n); NULL in a mechanism, which has a function
    const double *tangent;      // rows of H for u_T (tangents x n), or NULL
    int tangents;               // 0, 1 (planar) or 2 (spatial)
    scree_function offset;      // [m]; its rate is the obstacle's part of u_N
    scree_function surface[2];  // velocity of the obstacle along the tangents [m/s]: u_T = H v - it
    scree_law law;
} scree_matrix_contact;

struct scree_state;

/// Read every field; change none.
typedef struct scree_model {
    int space;             // 2: bodies in the plane, 3: in space
    int coordinates;       // length of q
    int dofs;              // length of v
    int body_coordinates;  // of one body in q: 3 in the plane, 7 in space
    int body_dofs;         // of one body in v: 3 in the plane, 6 in space
    int dimension;         // of the contact problem: 2, 3, or 5 with rolling resistance
    double gravity[3];
    double period[3];  // lengths after which the world repeats itself; 0: it does not [m]
    bool periodic;     // is any of them not 0?
    bool has_loads;    // is any load or force given that is not zero?
    scree_status (*force)(void *data, const struct scree_state *state, double *force,
                          scree_error *err);  // that see the state, or NULL
    void *force_data;

    int bodies;
    scree_body *body;  // (bodies), orientations of unit length
    int shapes;
    scree_shape *shape;                         // (shapes), normals of unit length
    const struct scree_collision_shape *solid;  // private: the shapes, for collision detection
    int groups;
    const char **group;  // names, from 1 on (groups + 1)

    int elastics;
    struct scree_elastic_body *elastic;  // (elastics), see fem.h

    scree_system system;                          // coordinates 0: none
    const struct scree_mechanism_def *mechanism;  // mechanism.h, or NULL
    int matrix_contacts;
    scree_matrix_contact *matrix_contact;  // of system and mechanism (matrix_contacts); those of
                                           // the mechanism have names and laws alone
    int mechanism_contact;                 // number of its first one

    int joints;
    struct scree_joint *joint;  // (joints), see joint.h
    int drives;                 // springs and motors
    struct scree_drive *drive;  // (drives), see drive.h

    struct scree_model_memory *memory;  // private
} scree_model;

/// Definitions before anything is said: zeros, and what zero cannot say.
SCREE_API scree_law scree_law_default(void);

/// A body at rest without a mass, which is to be given.
SCREE_API scree_body scree_body_default(void);

/// A shape of a kind on a body, at its centre, without sizes.
SCREE_API scree_shape scree_shape_default(scree_shape_kind kind, int body);

/// A system without coordinates.
SCREE_API scree_system scree_system_default(void);

/// A contact without rows.
SCREE_API scree_matrix_contact scree_matrix_contact_default(void);

/// An empty model of bodies in the plane, or NULL when memory ran out.
SCREE_API scree_model *scree_model_new(void);

/// Free it, with all that it owns.
SCREE_API void scree_model_free(scree_model *model);

/// 2 or 3; before anything is added.
SCREE_API scree_status scree_model_set_space(scree_model *model, int space, scree_error *err);

/// Acceleration of free fall, for bodies; none if it is not set. z is not used in the plane.
SCREE_API void scree_model_set_gravity(scree_model *model, double x, double y, double z);

/// Let the world repeat itself after these lengths along x, y and z; 0: it does not. Bodies touch
/// the nearest image of each other. Shapes must be smaller than a quarter of a period, but for
/// half-planes and planes along it; coordinates go on beyond a period. scree_model_finish checks.
SCREE_API void scree_model_set_period(scree_model *model, double x, double y, double z);

/// A name for bodies that share laws; numbers begin with 1, and 0 in a body means none.
SCREE_API scree_status scree_model_add_group(scree_model *model, const char *name, int *group,
                                             scree_error *err);

/// Add a body; its number is model->bodies - 1 afterwards. Bodies come before the system.
SCREE_API scree_status scree_model_add_body(scree_model *model, const scree_body *body,
                                            scree_error *err);

/// Add a shape to shape->body; its arrays are copied. Mass and inertia of the body are not changed.
SCREE_API scree_status scree_model_add_shape(scree_model *model, const scree_shape *shape,
                                             scree_error *err);

/// Mass, centre and inertia (as in scree_body: about the centre; in the plane inertia[5] alone) of
/// shapes of one density, in the frame that the shapes are given in.
SCREE_API scree_status scree_shapes_mass(const scree_shape *shape, int shapes, int space,
                                         double density, double *mass, double centre[3],
                                         double inertia[6], scree_error *err);

/// What a mesh that is closed encloses [m^3]: negative if its faces look inwards, so that it holds
/// what is inside. 0 for an open one and for other shapes.
SCREE_API double scree_model_mesh_volume(const scree_model *model, int shape);

/// The law between two sides: a body's number (behind the rigid bodies come the elastic ones), -1
/// for any, -1 - g for group g. The last one that fits a pair counts.
SCREE_API scree_status scree_model_add_law(scree_model *model, int a, int b, scree_law law,
                                           scree_error *err);

/// Set the matrix system, behind rigid bodies and before elastic ones (all arrays are copied; load
/// functions keep their borrowed self).
SCREE_API scree_status scree_model_set_system(scree_model *model, const scree_system *system,
                                              scree_error *err);

/// Add a contact of the system; its arrays are copied.
SCREE_API scree_status scree_model_add_matrix_contact(scree_model *model,
                                                      const scree_matrix_contact *contact,
                                                      scree_error *err);

/// The mechanism of mechanism.h, with its contacts by their names and laws; borrowed. It comes
/// behind rigid bodies and the system and before elastic bodies.
SCREE_API scree_status scree_model_set_mechanism(scree_model *model,
                                                 const struct scree_mechanism_def *mechanics,
                                                 scree_error *err);

/// Forces that see the state, asked once for each step, where it begins: add them to force (dofs;
/// of bodies first the force, then the torque about the centre of mass, in world axes). They are
/// held during the step and booked as external work; those on bodies that impulses do not move are
/// dropped. With a status other than SCREE_OK the step is not taken.
typedef scree_status scree_force_fn(void *data, const struct scree_state *state, double *force,
                                    scree_error *err);

/// The model's own; data must outlive it.
SCREE_API scree_status scree_model_set_forces(scree_model *model, scree_force_fn *force, void *data,
                                              scree_error *err);

/// Coordinates without masses as the system: a point that a sweeping process (sweeping.h) moves.
SCREE_API scree_status scree_model_set_point(scree_model *model, int coordinates,
                                             const double *position, scree_error *err);

/// Has everything that moves a mass matrix? The sentence of the refusal begins with `what`, as
/// "equilibria are found": not for a mechanism, not for a sweeping process.
SCREE_API scree_status scree_model_check_mass(const scree_model *model, const char *what,
                                              scree_error *err);

/// Check the whole; the model is constant from here on.
SCREE_API scree_status scree_model_finish(scree_model *model, scree_error *err);

/// Is it finished?
SCREE_API bool scree_model_finished(const scree_model *model);

/// The law that holds between two bodies of a finished model, rigid or elastic.
SCREE_API const scree_law *scree_model_law(const scree_model *model, int a, int b);

/// Law i in the order they were added; NULL behind the last one.
SCREE_API const scree_law *scree_model_laws(const scree_model *model, int i);

/// The name of side 0 or 1 of law i: a body, a group; NULL: any.
SCREE_API const char *scree_model_law_side(const scree_model *model, int i, int side);

/// The parts of one kind, as they follow each other in q and v.
typedef struct scree_part_group {
    const char *kind;             // rigid-plane, rigid-space, matrix, elastic
    int parts;                    // bodies, the system, elastic bodies
    int coordinate, coordinates;  // where they begin in q, and how many numbers they have there
    int dof, dofs;                // the same in v
} scree_part_group;

/// Group k of a finished model; false behind the last one.
SCREE_API bool scree_model_group(const scree_model *model, int k, scree_part_group *group);

/// The group of a kind; all zero if the model has none.
SCREE_API scree_part_group scree_model_group_of(const scree_model *model, const char *kind);

/// The number of the body of a name, rigid ones first, behind them the elastic ones (as in laws and
/// contacts); the first one if there are several, -1 if there is none.
SCREE_API int scree_model_body_find(const scree_model *model, const char *name);

/// Is there such a side of contacts (scree_contact.a and b in step.h)?
SCREE_API bool scree_model_has_side(const scree_model *model, int side);

/// The name of a contact's side (scree_contact.a and b in step.h); "?" if there is none.
SCREE_API const char *scree_model_side_name(const scree_model *model, int side);

#ifdef __cplusplus
}
#endif

#endif
