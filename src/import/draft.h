// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// draft.h - a scene that is being put together from somebody else's file.
//
// Readers of formats fill records of bodies, shapes, laws, joints and drives; each becomes a line
// of YAML as soon as it is added. One writer for all formats.

#ifndef SCREE_IMPORT_DRAFT_H
#define SCREE_IMPORT_DRAFT_H

#include "base/arena.h"
#include "scree/import.h"

typedef struct scree_draft_text {  // begin with a zeroed struct
    char *text;
    size_t length, room;
    bool failed;  // memory ran out
} scree_draft_text;

void scree_draft_print(scree_draft_text *out, const char *format, ...) SCREE_PRINTF(2, 3);

/// A name or other text in double quotes, with escapes where YAML wants them.
void scree_draft_quote(scree_draft_text *out, const char *text);

typedef struct scree_draft_shape {
    const char *type;  // as in a scene
    double at[3];      // in the frame of the body
    double turn[4];    // quaternion w x y z; all zero: not turned
    double radius;     // 0: none
    double length;     // 0: none
    double size[3];    // 0: none
    double normal[3];  // 0: none
    int vertices;
    const double *vertex;  // rows of three, in the plane of two
    int triangles;
    const int *triangle;  // rows of three
    int rows, columns;    // of heights
    const double *height;
} scree_draft_shape;

typedef struct scree_draft_body {
    const char *name, *group;  // group NULL: none
    bool fixed;
    double mass;        // 0: by density
    double inertia[6];  // xx xy xz yy yz zz; in the plane the first
    double density;     // 0: none
    double position[3];
    double turn[4];               // quaternion; in the plane turn[0] is the angle
    double velocity[3], spin[3];  // in the plane spin[0]
    double born, removed;         // 0: from the start; never
    const char *motion;           // inside of motion: { }; NULL: none
    int shapes;
    const scree_draft_shape *shape;
} scree_draft_body;

typedef struct scree_draft_law {
    const char *first, *second;  // names of bodies or groups, or any
    double restitution, friction, rolling;
    bool apart;  // no contact at all
} scree_draft_law;

typedef struct scree_draft_joint {
    const char *name, *type;
    const char *first, *second;  // bodies; second NULL: the ground. Of a coupler: joints
    double at[3];
    double axis[3];       // zero: none
    double lower, upper;  // NaN: none
    double restitution, dry_friction;
    double pitch, ratio;  // of a screw, of a coupler
    bool collide;
} scree_draft_joint;

typedef struct scree_draft_drive {
    const char *name, *joint;
    double stiffness, damping;
    double rest;                // of a spring: coordinate; NaN: as at the start
    const char *kind, *target;  // of a motor: velocity, position or force, and its formula
    double limit;               // of a motor; 0: none
} scree_draft_drive;

typedef struct scree_draft {
    scree_arena arena;  // for whoever reads: names, points
    const char *path;
    const scree_import_options *options;
    int space;
    double gravity[3], step, duration;
    const char *program;  // whose file it is, for the head of the scene
    const char *scheme;   // more of the scheme, "" for none
    bool overlaps;        // accept them
    scree_draft_text body, law, joint, spring, motor;
    char **name;  // of bodies as they are in the scene: a table by hashes, owned (room_names)
    int names, room_names;
    char **note;  // owned (notes)
    int notes, room_notes, more_notes;
    int bodies, joints;
    scree_error *err;
} scree_draft;

/// Say what was not carried over; the same sentence counts once.
void scree_draft_note(scree_draft *draft, const char *format, ...) SCREE_PRINTF(2, 3);

/// A name that no body of the draft has yet, made from the wanted one; NULL without memory.
const char *scree_draft_name(scree_draft *draft, const char *wanted);

void scree_draft_add_body(scree_draft *draft, const scree_draft_body *body);
void scree_draft_add_law(scree_draft *draft, const scree_draft_law *law);
void scree_draft_add_joint(scree_draft *draft, const scree_draft_joint *joint);
void scree_draft_add_spring(scree_draft *draft, const scree_draft_drive *spring);
void scree_draft_add_motor(scree_draft *draft, const scree_draft_drive *motor);

/// The value of an option, or of the file, or otherwise.
double scree_draft_choose(double option, double file, double otherwise);

/// Gravity, step, duration and one law between all and `whom`, as the options or the file (NaN: it
/// does not say) have them; gravity of 9.81 m/s^2 down the last axis if neither does.
void scree_draft_choose_rest(scree_draft *draft, const char *whom, double step, double friction);

/// Memory ran out where nothing can be returned: the draft will not be finished.
void scree_draft_fail(scree_draft *draft);
scree_status scree_draft_no_memory(const scree_draft *draft);

#define SCREE_DRAFT_FAIL(draft, ...)                                                          \
    scree_fail((draft)->err, SCREE_BAD_INPUT, (scree_source_location){ (draft)->path, 0, 0 }, \
               __VA_ARGS__)

/// The whole scene. The notes go to imported.
scree_status scree_draft_finish(scree_draft *draft, scree_imported *imported);
void scree_draft_free(scree_draft *draft);

#endif
