// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// contacts.h - the possible contacts of a step: found, matched with those of the step before, and
// their velocities.
//
// Contacts of rigid bodies come first, then those of nodes of elastic bodies, all ascending by id;
// then those of the matrix system. An id of rigid bodies says which two pieces of shapes touch (the
// lower number first, 22 bits each) and with which features (20).

#ifndef SCREE_STEP_CONTACTS_H
#define SCREE_STEP_CONTACTS_H

#include "collide/broad.h"
#include "collide/narrow.h"
#include "law/assemble.h"
#include "scree/step.h"
#include "step/nodes.h"

/// What is remembered of a contact from step to step.
typedef struct scree_kept {
    uint64_t id;
    double normal[3], tangent[3], impulse[SCREE_ROWS_MAX];
} scree_kept;

typedef struct scree_contact_set {
    int count, room;
    int rigid;               // contacts of rigid bodies
    int pairs;               // and with those of nodes; the others are the system's
    scree_contact *contact;  // (count)
    int *shapes;             // of a pair: a, b and the piece of b, -1: b is no surface (count x 3);
                             // of a node: its number, the shape or -1 - facet, the piece
    scree_tie *tie;          // of a node (count); NULL without elastic bodies
    double *arm;             // from the centres of a and b to the point (count x 6)
    double *magnitude;       // size of the numbers that each gap is made of (count)
    double *wanted;          // impulse of the last step, for the warm start (count x 5)
    int *active;             // which contacts are in the problem (count)
    int active_count;

    int kept, kept_room;
    scree_kept *keep;  // of the last step, ascending by id (kept)
    double *keep_row;  // of the system's contacts (row_contacts x 5)

    bool everything;  // there are so few pairs that all are looked at, however far apart
    int *pair;        // these (2 x pair_count)
    int pair_count;
    scree_broad *broad;
    scree_tree **tree;  // of surfaces, NULL for others (shapes)
    scree_box *box;     // (shapes)
    double *reach;      // how far each shape may come in the step (shapes)
    int *owner;         // (shapes)
    unsigned char *moves;
    int *found, found_room;  // pieces of a surface
    uint32_t *first_piece;   // numbers of pieces (shapes + 1)
    scree_pose *pose;        // (bodies)
    unsigned char *centred;  // bodies whose shapes do not feel how they are turned (bodies)
    bool placed;             // poses of fixed bodies are there
    scree_node_set nodes;
    double *row_H;  // rows of H of the system's contacts (row_contacts x dimension x n)
} scree_contact_set;

/// Everything that stays. Memory of fixed size is drawn from the arena.
scree_status scree_contacts_make(const scree_model *model, scree_arena *arena,
                                 scree_contact_set *set, scree_error *err);
void scree_contacts_free(scree_contact_set *set);

/// Find the contacts at configuration q and time t: those that velocities v or w (dofs each) can
/// close within h. Impulses of the last step are in `wanted`.
scree_status scree_contacts_find(const scree_model *model, const scree_scheme_options *scheme,
                                 const double *q, double t, double h, const double *v,
                                 const double *w, scree_contact_set *set, scree_error *err);

/// Is the pair too far apart to close within the step, whatever its shapes do on the way?
bool scree_contacts_far(const scree_contact_set *set, int i);

/// The gap of contact i at q and t, exactly; false in space, and where the pair may meet with other
/// features.
bool scree_contacts_predict(const scree_model *model, const scree_contact_set *set, int i,
                            const double *q, double t, double *gap);

/// Set gap_after to the exact gaps at q and t, of all contacts whose pair is in the problem (or of
/// all if there are few); others, and those whose features do not meet there any more, keep theirs.
void scree_contacts_after(const scree_model *model, const double *q, double t,
                          scree_contact_set *set);

/// u = H x of contact i; of bodies only those that move, or only those that are driven.
void scree_contacts_velocity(const scree_model *model, const scree_contact_set *set, int i,
                             const double *x, bool driven, double *u);

/// x += H^T p of contact i.
void scree_contacts_push(const scree_model *model, const scree_contact_set *set, int i,
                         const double *p, double *x);

/// What is driven in the velocities of all contacts, at both ends of the step.
void scree_contacts_obstacles(const scree_model *model, const scree_state *before,
                              const scree_state *after, scree_contact_set *set);

/// H of contact i in blocks; memory from the arena. False when memory ran out.
bool scree_contacts_rows(const scree_model *model, const scree_contact_set *set, int i,
                         const scree_inertia *inertia, scree_arena *arena,
                         scree_jacobian_rows *rows);

/// Add a contact between sides a and b with its law and frame; its number, or -1 without memory.
/// Arms, magnitude, shapes and tie are left to the caller.
int scree_contacts_append(const scree_model *model, const scree_scheme_options *scheme, uint64_t id,
                          int a, int b, const scree_touch *touch, scree_contact_set *set);

/// The pieces of a surface that overlap the box, into set->found; how many, or -1 without memory.
int scree_contacts_pieces(scree_contact_set *set, int surface, const scree_box *box);

/// Remember the impulses of this step.
scree_status scree_contacts_keep(const scree_model *model, scree_contact_set *set,
                                 scree_error *err);

/// Remember impulses as if they were of this step, for contacts that need not be in the set.
scree_status scree_contacts_restore(const scree_model *model, const scree_contact *contact,
                                    int contacts, scree_contact_set *set, scree_error *err);

#endif
