// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// siconos.h - a scene of Siconos' mechanics (siconos.io.mechanics_hdf5) while it is read.

#ifndef SCREE_IMPORT_SICONOS_H
#define SCREE_IMPORT_SICONOS_H

#include "import/draft.h"
#include "import/siconos_file.h"

typedef struct scree_siconos_body {
    const char *name;      // in the file
    const char *in_scene;  // and in the scene
    const char **part;     // the names of more bodies that it became, one for each group
    int parts;
    int id;             // in tables of answers
    bool moves, later;  // not driven; born later than at the start
    double velocity[3];
    double position[3], turn[4];  // at the start; in the plane turn[0] is the angle
} scree_siconos_body;

typedef struct scree_siconos_law {
    const char *name, *type;
    int group[2];  // -1: not of contacts
    double restitution, friction, rolling;
    double low, high;  // of a relay
} scree_siconos_law;

/// Two bodies of the scene that do not touch.
typedef struct scree_siconos_pair {
    const char *first, *second;
    struct scree_siconos_pair *before;
} scree_siconos_pair;

typedef struct scree_siconos {
    scree_draft *draft;
    hid_t file, data, shapes, input;
    int bodies;
    scree_siconos_body *body;  // ascending by name
    int laws;
    scree_siconos_law *law;
    int groups, room_groups;
    int *group;                 // of contactors, each once
    scree_siconos_pair *apart;  // the last of them
    int welds;                  // of parts of one body
} scree_siconos;

/// The shape of a contactor in the frame of the centre of mass. False: there is none, and the draft
/// says why. inertia: what Siconos takes for a body of this mass whose inertia is not given; moves:
/// of a body that does.
bool scree_siconos_shape(scree_siconos *s, hid_t contactor, const char *body, bool moves,
                         const double centre[3], double mass, scree_draft_shape *shape,
                         double inertia[6]);

/// x with so many digits: numbers of single precision have 7.
double scree_siconos_digits(double x, int count);

/// The body of this name, or NULL.
const scree_siconos_body *scree_siconos_find_body(const scree_siconos *s, const char *name);
const scree_siconos_law *scree_siconos_find_law(const scree_siconos *s, const char *name);

/// Two bodies of the scene that do not touch.
void scree_siconos_part(scree_siconos *s, const char *first, const char *second);

/// data/joints, after all bodies and laws.
void scree_siconos_joints(scree_siconos *s);

typedef struct scree_siconos_held {
    bool any;          // is there a boundary condition?
    const char *type;  // joint with the ground that does what it says, or NULL
    double axis[3];    // of that joint; zero: none
} scree_siconos_held;

/// What a boundary condition says of this body: the inside of motion: {}, or NULL and a joint that
/// holds it, or neither.
const char *scree_siconos_motion(scree_siconos *s, const char *body, const double turn[4],
                                 scree_siconos_held *held);

#endif
