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
    double at[2], normal[2], radius;
} scree_scene_shape;

typedef struct scree_scene_body {
    scree_section section;
    const char *name;
    bool fixed;
    double mass, inertia;  // NaN: not given
    double position[2], angle, velocity[2], spin;
    scree_list force;   // of scree_function: none, or three
    scree_list shapes;  // of scree_scene_shape
} scree_scene_body;

typedef struct scree_scene_law {
    scree_section section;
    scree_list between;  // of names: none, or two
    double restitution, friction;
} scree_scene_law;

typedef struct scree_scene_contact {
    scree_section section;
    const char *name;
    scree_list normal, tangent, tangents;  // numbers, numbers, matrix
    scree_function gap;
    scree_list surface;  // of scree_function
    double restitution, friction;
} scree_scene_contact;

typedef struct scree_scene_system {
    scree_section section;
    scree_list mass, damping, stiffness;  // matrices
    scree_list load;                      // of scree_function
    scree_list position, velocity;        // numbers
    scree_list contacts;                  // of scree_scene_contact
} scree_scene_system;

typedef struct scree_scene_scheme {
    scree_section section;
    int name, activation, approach, jacobian;  // choices, in the order of the enums
    double theta, step, duration, gap_tolerance, velocity_tolerance;
} scree_scene_scheme;

typedef struct scree_scene_solver {
    scree_section section;
    int name, unconverged;
    double tolerance;
    int max_sweeps;
} scree_scene_solver;

typedef struct scree_scene_output {
    scree_section section;
    int every, contacts;
} scree_scene_output;

typedef struct scree_scene_top {  // what the schema's first level fills
    scree_section section;
    const char *title;
    scree_list parameters;  // filled by parameters.c
    double gravity[2];
    int overlaps;
    scree_list bodies, laws;
    scree_scene_system system;
    scree_scene_scheme scheme;
    scree_scene_solver solver;
    scree_scene_output output;
} scree_scene_top;

struct scree_scene {
    scree_arena arena;
    const char *file, *text;
    size_t length;
    int overrides;
    const char **override;
    int names;               // parameters
    const char **name;       // (names)
    double *value;           // (names)
    bool parameters_broken;  // one of them could not be read and stands as 1
    scree_scene_top top;
    scree_run_options options;
};

/// Where the value of key stands, or the section itself if the key is not written.
scree_place scree_scene_place(const scree_section *section, const char *key);

/// Was the key written?
bool scree_scene_given(const scree_section *section, const char *key);

/// Read all values of the tree into scene->top (schema.c has the table).
void scree_reader_fill(scree_scene *scene, const scree_node *root, scree_findings *findings);

/// Change the tree by "path=value".
void scree_override_apply(scree_node *root, const char *override, scree_arena *arena,
                          scree_findings *findings);

#endif
