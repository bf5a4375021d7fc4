// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// scene.h - a scene in memory: typed values, each with its place in the text.
//
// Every section begins with the node it was read from; scree_scene_place finds where a key's value
// was written. broken means that a value of the section could not be read.

#ifndef SCREE_SCENE_SCENE_H
#define SCREE_SCENE_SCENE_H

#include "base/arena.h"
#include "scene/yaml.h"
#include "scree/generate.h"
#include "scree/model.h"
#include "scree/scene.h"

typedef struct scree_section {
    const scree_node *node;
    bool broken;
} scree_section;

typedef struct scree_list {  // of numbers, functions, names or sections
    int count, columns;      // columns: of a matrix
    void *item;
} scree_list;

typedef struct scree_scene_shape {
    scree_section section;
    int kind;  // scree_shape_kind
    double at[3], normal[3];
    double radius, length;  // NaN: not given
    double angle, scale;
    scree_list axis, size;                    // numbers
    scree_list vertices, triangles, heights;  // matrices
    const char *file;                         // NULL: none
} scree_scene_shape;

typedef struct scree_scene_motion {
    scree_section section;  // without a node: the body is not driven
    scree_list position;    // of scree_function: none, or as many as space
    scree_function angle;
    scree_list axis;          // numbers
    scree_list table;         // matrix; turned into position and angle when it was checked
    scree_list acceleration;  // the same
    const char *table_file, *acceleration_file;  // instead of them, read with the model; NULL: none
    double scale;                                // of ways and accelerations in the file
} scree_scene_motion;

typedef struct scree_scene_body {
    scree_section section;
    const char *name, *group;  // NULL: none
    bool fixed;
    double mass, density;  // NaN: not given
    scree_list inertia;    // numbers
    double position[3], angle, velocity[3];
    scree_list axis, orientation, spin;  // numbers
    scree_list force;                    // of scree_function: none, or three, in space six
    scree_scene_motion motion;
    double birth_time, removal_time;  // removed NaN: never
    bool deposit;
    scree_list hold;    // of names of coordinates
    scree_list shapes;  // of scree_scene_shape
} scree_scene_body;

typedef struct scree_scene_generator {
    scree_section section;
    const char *name;
    scree_scene_body body;              // the pattern, without a name; of each: the first
    scree_list each;                    // of scree_scene_body: each body's own
    scree_list let;                     // read with each body
    int arrange;                        // scree_arrangement or SCREE_ARRANGE_EACH
    scree_list count, spacing, radius;  // numbers
    double origin[3];
    scree_list region;  // matrix
    double gap, jitter;
    int sizes, turn, seed, per_level;
} scree_scene_generator;

/// Bodies that the scene itself writes, one after the other, as formulas of their number.
enum { SCREE_ARRANGE_EACH = SCREE_TOWER + 1 };

typedef struct scree_scene_grid {  // cells of a rectangle or of a box
    scree_section section;         // without a node: the mesh is not one of these
    scree_list size, cells;        // numbers
    double at[3];
    int elements, diagonal;  // choices
} scree_scene_grid;

typedef struct scree_scene_round {  // cells of a disc
    scree_section section;
    double radius, at[3];
    int cells, elements;
} scree_scene_round;

typedef struct scree_scene_mesh {  // one of the first five
    scree_section section;
    scree_scene_grid rectangle, box;
    scree_scene_round disc;
    const char *file, *geo;  // NULL: none
    double scale, size;      // size NaN: as the .geo says
} scree_scene_mesh;

typedef struct scree_scene_hold {
    scree_section section;
    const char *group;
    scree_function along[3];
} scree_scene_hold;

typedef struct scree_scene_traction {
    scree_section section;
    const char *group;
    scree_list traction;  // of scree_function: none, or as many as space
    scree_function pressure;
} scree_scene_traction;

typedef struct scree_scene_damping {
    scree_section section;
    double mass, stiffness;
} scree_scene_damping;

typedef struct scree_scene_start {
    scree_section section;   // without a node: at rest in the shape of the mesh
    scree_list held, loads;  // of scree_scene_hold and scree_scene_traction
    bool gravity;
} scree_scene_start;

typedef struct scree_scene_self {
    scree_section section;
    const char *nodes, *facets;
} scree_scene_self;

typedef struct scree_scene_elastic {
    scree_section section;
    const char *name, *group;  // group NULL: none
    scree_scene_mesh mesh;
    double density, young, poisson, thickness, velocity[3];
    int plane, mass;  // choices
    scree_scene_damping damping;
    scree_list held, loads;  // of scree_scene_hold and scree_scene_traction
    scree_list force;        // of scree_function: none, or as many as space
    scree_scene_start start;
    scree_list contact;  // of names
    scree_scene_self self;
} scree_scene_elastic;

typedef struct scree_scene_law {
    scree_section section;
    scree_list between;  // of names: none, or two
    double restitution, tangential_restitution, cohesion, rolling;
    scree_function friction;
    double friction_across, friction_kinetic, friction_speed;  // NaN: not given
    scree_list friction_axis;                                  // numbers
    int impact;                                                // choice
    bool contact;
} scree_scene_law;

typedef struct scree_scene_joint {
    scree_section section;
    const char *name, *chain;  // chain NULL: not given
    int type;                  // scree_joint_kind
    scree_list bodies;         // of names: one or two
    scree_list joints;         // coupler: of names
    scree_list at, to;         // numbers
    scree_list axis, axis_second;
    double length, pitch, ratio, lower, upper;  // NaN: not given
    double restitution, friction, radius, dry_friction, clearance;
    bool collide;
} scree_scene_joint;

/// A formula that sees bodies: its first variables are the coordinates of one that is understood,
/// then come those of others by their names, as in wall.x; behind them the velocities of all.
typedef struct scree_scene_formula {
    const struct scree_expression *expression;
    int variables;
    const char *const *variable;  // (variables)
    scree_source_location at;
} scree_scene_formula;

enum { SCREE_FORMULA_VARIABLES = 32, SCREE_FORMULA_OWN = 3 };

/// The variables of such a formula; how many, 0 when memory ran out, and more than
/// SCREE_FORMULA_VARIABLES if there are too many.
int scree_formula_variables(const char *text, int space, scree_arena *arena,
                            const char *variable[SCREE_FORMULA_VARIABLES]);

typedef struct scree_scene_force {  // that sees the state
    scree_section section;
    scree_list bodies;  // of names
    scree_list force;   // of scree_scene_formula
    bool implicit;
} scree_scene_force;

typedef struct scree_scene_drive {  // a spring or motor
    scree_section section;
    const char *name, *joint;                                   // joint NULL: not given
    scree_list bodies;                                          // of names
    scree_list at, to;                                          // numbers
    double stiffness, damping, preload, most, yield, integral;  // most, yield NaN: not given
    const struct scree_expression *energy;                      // NULL: not given
    scree_scene_formula area;                                   // expression NULL: not given
    scree_function target, velocity, force;
    int sense;  // choice
} scree_scene_drive;

typedef struct scree_scene_marker {
    scree_section section;
    const char *name;
    const char *elastic, *group;  // NULL: not given
    scree_list system;            // matrix: rows x coordinates
    scree_list mechanism;         // of const scree_expression *
} scree_scene_marker;

typedef struct scree_scene_contact {
    scree_section section;
    const char *name;
    scree_list normal, tangent, tangents;  // numbers, numbers, matrix
    scree_function gap;
    scree_list surface;  // of scree_function
    double restitution, friction;
    int impact;  // choice
} scree_scene_contact;

typedef struct scree_scene_system {
    scree_section section;
    scree_list mass, damping, stiffness;  // matrices
    scree_list load;                      // of scree_function
    scree_list position, velocity;        // numbers
    scree_list contacts;                  // of scree_scene_contact
} scree_scene_system;

typedef struct scree_scene_touch {  // a contact of a mechanism
    scree_section section;
    const char *name;
    const struct scree_expression *gap, *slip, *slip_across;  // slips NULL: not given
    double restitution, friction, tangential_restitution;
} scree_scene_touch;

typedef struct scree_scene_mechanism {
    scree_section section;
    scree_list coordinates;                    // names
    scree_list definitions;                    // of const scree_expression *
    scree_list mass, force;                    // the same; mass is a matrix
    const struct scree_expression *potential;  // NULL: none
    scree_list position, velocity;             // numbers
    scree_list contacts;                       // of scree_scene_touch
} scree_scene_mechanism;

typedef struct scree_scene_set {  // of a sweeping process
    scree_section section;
    int type;                                       // scree_set_kind
    scree_list low, high, normal, centre, offsets;  // of scree_function
    scree_function offset, radius;
    scree_list rows;  // matrix
} scree_scene_set;

typedef struct scree_scene_scheme {
    scree_section section;
    int name, activation, approach, jacobian, correction;  // choices, in the order of the enums
    double theta, step, duration, gap_tolerance, velocity_tolerance, penetration, energy_created;
} scree_scene_scheme;

typedef struct scree_scene_solver {
    scree_section section;
    int name, mode, unconverged;
    double tolerance, max_seconds, max_effort;
    int max_sweeps, sweeps, threads;
} scree_scene_solver;

typedef struct scree_scene_output {
    scree_section section;
    int every, contacts, precision;
    double compression;  // NaN: auto
    double checkpoint;
    bool stress, reactions;
} scree_scene_output;

typedef struct scree_scene_units_given {
    scree_section section;
    int length, time, mass;  // choices
} scree_scene_units_given;

typedef struct scree_scene_begin {
    scree_section section;
    scree_list point;  // of a sweeping process: numbers
    const char *run;   // a run file, or NULL
    double at;         // NaN: its end
    bool rest;
} scree_scene_begin;

typedef enum scree_scene_kind { SCREE_KIND_MECHANICS, SCREE_KIND_SWEEPING } scree_scene_kind;

typedef struct scree_scene_top {  // what the schema's first level fills
    scree_section section;
    const char *title;
    scree_scene_units_given units;
    int kind;               // scree_scene_kind
    scree_list parameters;  // read before everything else
    int space;              // 2 or 3; the same
    double gravity[3], periodic[3];
    int overlaps;
    scree_list bodies, generate, elastic, laws, markers, joints, springs, motors, forces;
    scree_scene_system system;
    scree_scene_mechanism mechanism;
    scree_scene_begin start;
    scree_list sets;  // of a sweeping process: scree_scene_set
    int method;       // scree_sweeping_method
    scree_scene_scheme scheme;
    scree_scene_solver solver;
    scree_scene_output output;
} scree_scene_top;

/// What a name in a law stands for.
typedef enum scree_named {
    SCREE_NAMED_NOTHING,
    SCREE_NAMED_ANY,
    SCREE_NAMED_BODY,       // number: in the list of bodies
    SCREE_NAMED_ELASTIC,    // number: in the list of elastic bodies
    SCREE_NAMED_GROUP,      // number: of the group, from 1
    SCREE_NAMED_GENERATED,  // number: of the generator, from 0; which: of its bodies, from 1
} scree_named;

typedef struct scree_meaning {
    scree_named kind;
    int number, which;
} scree_meaning;

typedef struct scree_word {  // one name and what it stands for
    const char *text;
    scree_named kind;  // SCREE_NAMED_GENERATED: the generator itself, whose bodies have its name
    int number;
    scree_source_location at;
} scree_word;

/// A file that was read while the model was built; a run file stores it.
typedef struct scree_kept_file {
    scree_embedded_file file;
    struct scree_kept_file *next;
} scree_kept_file;

struct scree_scene {
    scree_arena arena;
    const char *file, *text;
    size_t length;
    int overrides;
    const char **override;
    int names;               // parameters; while a body of each is read also its own names
    const char **name;       // (names)
    double *value;           // (names)
    bool parameters_broken;  // one of them could not be read and stands as 1
    scree_scene_top top;
    int words;         // names of bodies, groups and generators, filled by names.c
    scree_word *word;  // (words), in the order of the alphabet
    int groups;
    const char **group;  // names, from 1 on (groups + 1)
    scree_run_options options;
    const struct scree_mechanism_def *mechanics;  // of a scene with a mechanism, or NULL
    // of elastic bodies, taken instead of files, NULL where there is none; borrowed while the model
    // is built (meshes)
    int meshes;
    struct scree_mesh *const *mesh;
    const scree_embedded_file *supply;  // files that are in memory, or NULL; borrowed the same way
    scree_kept_file *kept;              // files of shapes as they were read, in that order
};

/// The bit (scree/joint.h) of a coordinate that a body may hold; 0: there is none of this name.
unsigned scree_scene_held(const char *coordinate, int space);

/// Where the value of key stands, or the section itself if the key is not written.
scree_source_location scree_scene_place(const scree_section *section, const char *key);

/// Was the key written?
bool scree_scene_given(const scree_section *section, const char *key);

/// Where body number `body` of the model is described; elastic ones are counted behind the others.
scree_source_location scree_scene_body_place(const scree_scene *scene, int body);

enum { SCREE_DEFINITIONS_MAX = 64 };   // of a mechanism, and names of a let
enum { SCREE_BODIES_MAX = 10000000 };  // of a scene

/// How many bodies a generator makes; -1 if it cannot be told, or is more than fits.
int scree_scene_generated(const scree_scene_generator *generator);

/// Look through all names; complains about those that mean two things.
void scree_names_collect(scree_scene *scene, scree_findings *findings);
bool scree_names_have(const char *const *names, int count, const char *name);

/// May a parameter or a coordinate be called so? Letters, digits and _, and no word of formulas.
bool scree_names_valid(const char *name);

/// What the name stands for, after scree_names_collect.
scree_meaning scree_names_find(const scree_scene *scene, const char *name);

/// The known name that is nearest to it, or NULL.
const char *scree_names_near(const scree_scene *scene, const char *name);

/// The number of a group, from 1; 0 if there is none of this name.
int scree_names_group(const scree_scene *scene, const char *name);

/// Complain about what no single value can show, and mark the sections that have such a mistake.
void scree_check_scene(scree_scene *scene, scree_findings *findings);
void scree_check_body(scree_scene *scene, scree_scene_body *body, bool pattern,
                      scree_findings *findings);
/// The rows of a motion, given or read, become its functions; false if they are wrong.
bool scree_check_motion_rows(scree_scene *scene, scree_scene_motion *motion,
                             scree_findings *findings);
void scree_check_shape(const scree_scene_shape *shape, int space, scree_findings *findings);
void scree_check_generator(scree_scene *scene, scree_scene_generator *generator,
                           scree_findings *findings);

void scree_check_elastic(const scree_scene_elastic *elastic, int space, scree_findings *findings);

/// Joints: that they name bodies, and have what their type wants.
void scree_check_joint(const scree_scene *scene, int number, scree_findings *findings);

/// The same for a marker.
void scree_check_marker(const scree_scene *scene, int number, scree_findings *findings);

/// The number of a marker, or -1.
int scree_scene_marker_find(const scree_scene *scene, const char *name);

/// The functions of a marker of the mechanism, whose formulas are read: what scree_marker.value is
/// handed; NULL without memory.
const void *scree_marker_formulas_from_scene(scree_scene *scene, const scree_scene_marker *given);

/// scree_marker.value of these.
double scree_marker_formulas_value(const void *self, int row, const double *q, double *gradient);

/// The same for springs and motors.
void scree_check_spring(const scree_scene *scene, const scree_scene_drive *drive,
                        scree_findings *findings);
void scree_check_motor(const scree_scene *scene, const scree_scene_drive *drive,
                       scree_findings *findings);

/// The same for a system given by its matrices.
void scree_check_system(const scree_scene_system *system, scree_findings *findings);

/// The same for a mechanism, and for the keys beside it; makes scene->mechanics.
void scree_check_mechanism(scree_scene *scene, scree_findings *findings);

/// The functions of a mechanism whose lists fit together, in the scene's arena; NULL without
/// memory.
const struct scree_mechanism_def *scree_mechanism_def_from_scene(scree_scene *scene);

/// M(q) as it is written, both triangles (n x n).
void scree_mechanism_def_written(const struct scree_mechanism_def *mechanics, const double *q,
                                 double *M);

/// A scene of kind sweeping; and what belongs to such scenes only, in one of another kind.
void scree_check_sweeping(const scree_scene_top *top, scree_findings *findings);
void scree_check_not_sweeping(const scree_scene_top *top, scree_findings *findings);

/// An axis and an angle, both or neither; none of an axis in the plane.
void scree_check_axis(const scree_section *section, const scree_list *axis, int space,
                      scree_findings *findings);

/// Turn the rows t, place, angle of a motion into functions of t. False without memory.
bool scree_motion_from_table(scree_scene_motion *motion, int space, scree_arena *arena);

/// The same with rows t, acceleration, integrated from rest.
bool scree_motion_from_acceleration(scree_scene_motion *motion, int space, scree_arena *arena);

/// Give keys of before the names that they have now.
void scree_renamed_apply(const scree_schema_row *rows, scree_node *node);
const scree_schema_row *scree_schema_find(const scree_schema_row *rows, const char *key);

/// Read all values of the tree into scene->top (schema.c has the table).
void scree_reader_fill(scree_scene *scene, const scree_node *root, scree_findings *findings);

/// Change the tree by "path=value".
void scree_override_apply(scree_node *root, const char *override, scree_arena *arena,
                          scree_findings *findings);

#endif
