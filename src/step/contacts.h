// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// contacts.h - the possible contacts of a step: found, matched with those of the step before, and
// their velocities.
//
// Contacts come from sources (source.h), in the order of their numbers, so that ids
// (scree/contact_id.h) ascend through all of them.

#ifndef SCREE_STEP_CONTACTS_H
#define SCREE_STEP_CONTACTS_H

#include "collide/broad_phase.h"
#include "collide/narrow_phase.h"
#include "law/bodies.h"
#include "model/inertia.h"
#include "model/presence.h"
#include "scree/step.h"
#include "step/images.h"
#include "step/nodes.h"
#include "step/source.h"

/// What is remembered of a contact from step to step.
typedef struct scree_cached_impulse {
    scree_contact_id id;
    scree_contact_status status;
    double normal[3], tangent[3], impulse[SCREE_ROWS_MAX];
} scree_cached_impulse;

/// What can move a body; kept apart from the bodies, which are too large to be looked at for it.
typedef enum scree_mobility { SCREE_STATIC, SCREE_DYNAMIC, SCREE_KINEMATIC } scree_mobility;

/// A shape as its pairs see it first, all in one line of the cache: partners may be anywhere in
/// memory, and what is not ready there has to be waited for.
typedef struct scree_shape_proxy {
    double at[3];    // of its body, when bodies were placed last
    double radius;   // if it is a ball around the centre of its body, in space; otherwise 0
    double margin;   // how far it may come in the step
    double bound;    // of its solid
    uint64_t piece;  // number of its first piece
    int owner;       // the body
    unsigned char moves, convex, bare;  // convex: it has an inside; bare: a point
} scree_shape_proxy;

/// Two shapes that may touch, in the order that the narrow phase wants.
typedef struct scree_shape_pair {
    int shape[2];  // a, b
    int piece;     // of b, or -1
} scree_shape_pair;

typedef struct scree_placed_id {
    scree_contact_id id;
    int place;
} scree_placed_id;

/// What finds pairs of shapes that touch: the work of source_shapes.c.
typedef struct scree_detection {
    bool all_pairs;  // there are so few pairs that all are looked at, however far apart
    int *pair;       // these (2 x pair_count)
    int pair_count;
    scree_manifold_point *manifold_cache;  // of these where the last step ended (pair_count x 4)
    int *manifold_count;                   // (pair_count)
    bool manifold_cache_valid;
    scree_broad_phase *broad;
    scree_images images;             // of a world that repeats itself
    scree_shape_proxy *proxy;        // (shapes)
    uint64_t pieces;                 // of all shapes
    bool surfaces;                   // some shape is one
    scree_manifold_point *manifold;  // of some pairs at a time (SCREE_PAIRS_AT_ONCE x 4)
    int *touches;                    // (SCREE_PAIRS_AT_ONCE + 1)
    scree_tree **tree;               // of surfaces, NULL for others (shapes)
    double *longest;                 // length of a piece of theirs along an axis (shapes)
    scree_aabb *box;                 // (shapes)
    double *margin;                  // how far each shape may come in the step (shapes)
    double *extent;                  // from the body's centre to the farthest point (shapes)
    int *found, found_room;          // pieces of a surface
    scree_placed_id *sorted;         // contacts of a surface (sorted_room)
    int sorted_room;
    scree_pose *pose_after;   // at the end of the step (bodies)
    unsigned char *centred;   // bodies whose shapes do not feel how they are turned (bodies)
    bool placed;              // poses of fixed bodies are there
    unsigned char *still;     // shapes that never move, come or go (shapes)
    bool changes;             // there are bodies that come or go
    bool has_margins;         // of shapes that are still, which keep them
    bool boxed;               // their margins and boxes are there
    scree_presence presence;  // of the time for which contacts are looked for
    int live, *live_shape;    // shapes whose margins and boxes may change (live)
    bool listed;              // they are those of bodies that are there; otherwise all
} scree_detection;

typedef struct scree_contact_set {
    int count, room;
    int sources;
    scree_source source[SCREE_SOURCES_MAX];            // ascending by number (sources)
    const scree_source *by_number[SCREE_SOURCES_MAX];  // the same, or NULL
    scree_contact *contact;                            // (count)
    int *shapes;  // of a pair: a, b and the piece of b, -1: b is no surface (count x 3);
                  // of a node: its number, the shape or -1 - facet, the piece
    scree_node_stencil *stencil;   // of a node (count); NULL without elastic bodies
    int *law;                      // place in laws (count)
    double *arm;                   // from the centres of a and b to the point (count x 6)
    double *gap_scale;             // size of the numbers that each gap is made of (count)
    double *warm_start;            // impulse of the last step, for the warm start (count x 5)
    unsigned char *status_before;  // in the last step (count)
    int *active;                   // which contacts are in the problem (count)
    int active_count;

    int cached, cache_room;
    scree_cached_impulse *impulse_cache;  // of the last step, ascending by id (kept)
    int matched;       // of these, the first that may be wanted by contacts still to come
    int warm_started;  // contacts that were matched
    bool stencils;     // contacts may have one
    bool row_laws;     // the same

    scree_law *laws;  // as the scheme takes them: none, of pairs, of the system's contacts
    int pair_laws;    // of these, those of pairs, the default included

    const scree_model *parted;  // the model, if joints or laws keep some bodies apart, else NULL
    // rigid bodies and their shapes, as contacts see them
    int *owner;                  // (shapes)
    unsigned char *moves;        // (shapes)
    double *ball;                // radius if the body is a ball around its centre, or 0 (shapes)
    scree_pose *pose;            // where H is evaluated (bodies)
    unsigned char *mobility;     // scree_mobility (bodies)
    bool drives;                 // some body is driven
    scree_detection *detection;  // of pairs of shapes: source_shapes.c
    struct scree_contact_set
        *projection_contacts;  // contacts of where the step ends, or NULL: project.c
} scree_contact_set;

/// Everything that stays. Memory of fixed size is drawn from the arena.
scree_status scree_contacts_make(const scree_model *model, const scree_scheme_options *scheme,
                                 scree_arena *arena, scree_contact_set *set, scree_error *err);
void scree_contacts_free(scree_contact_set *set);

/// Find the contacts of all sources. Impulses of the last step are in `warm_start`.
scree_status scree_contacts_find(const scree_model *model, const scree_contact_query *query,
                                 scree_contact_set *set, scree_error *err);

/// The source of contact i.
static inline const scree_source *scree_contacts_source(const scree_contact_set *set, int i) {
    return set->by_number[scree_contact_id_source(set->contact[i].id)];
}

/// u = H x of contact i; what is driven is left out.
static inline void scree_contacts_velocity(const scree_contact_set *set, int i, const double *x,
                                           double *u) {
    const scree_source *source = scree_contacts_source(set, i);
    source->kind->velocity(source, set, i, x, false, u);
}

/// x += H^T p of contact i.
static inline void scree_contacts_apply_impulse(const scree_contact_set *set, int i,
                                                const double *p, double *x) {
    const scree_source *source = scree_contacts_source(set, i);
    source->kind->impulse(source, set, i, p, x);
}

/// H of contact i in blocks, at most SCREE_CONTACT_BLOCKS; memory from the arena. How many there
/// are, or -1 when memory ran out.
enum { SCREE_CONTACT_BLOCKS = 4 };
static inline int scree_contacts_rows(const scree_contact_set *set, int i,
                                      const scree_inertia *inertia, scree_arena *arena,
                                      scree_jacobian_block *block) {
    const scree_source *source = scree_contacts_source(set, i);
    return source->kind->rows(source, set, i, inertia, arena, block);
}

/// The law of contact i row by row, or NULL: one of restitution and friction.
static inline const scree_row_law *scree_contacts_row_law(const scree_contact_set *set, int i) {
    if (!set->row_laws) return NULL;
    const scree_source *source = scree_contacts_source(set, i);
    return source->kind->row_law ? source->kind->row_law(source, i) : NULL;
}

/// The bodies of contact i; how many. Numbers that are no body's stand among them.
static inline int scree_contacts_bodies(const scree_contact_set *set, int i,
                                        int body[SCREE_CONTACT_BODIES]) {
    const scree_source *source = scree_contacts_source(set, i);
    if (source->kind->bodies) return source->kind->bodies(source, i, body);
    body[0] = set->contact[i].a;
    body[1] = set->contact[i].b;
    return 2;
}

/// What is driven in the velocities of all contacts, at both ends of the step.
void scree_contacts_obstacles(const scree_state *before, const scree_state *after,
                              scree_contact_set *set);

/// The law of contact i, as the scheme takes it.
static inline const scree_law *scree_contacts_law(const scree_contact_set *set, int i) {
    return &set->laws[set->law[i]];
}

/// The first tangent of a normal: along the grain, if the law has one.
void scree_contacts_tangent(int space, const scree_law *law, const double n[3], double t[3]);

/// The state is not where the last step ended.
void scree_contacts_invalidate(scree_contact_set *set);

/// The step ends at q: gaps there into gap_after, of all contacts whose pair is in the problem (or
/// of all if there are few); others, and those whose features do not meet there any more, keep
/// theirs. First this, then chunks of contacts from the beginning of a pair to the end of one, on
/// threads, then the last.
void scree_contacts_update_poses(const double *q, scree_contact_set *set);
void scree_contacts_update_chunk(int first, int last, scree_contact_set *set);
void scree_contacts_update_gaps(const double *q, double t, scree_contact_set *set);

/// The first contact of the pair of contact i (or the count of contacts, if i is).
int scree_contacts_begin_of_pair(const scree_contact_set *set, int i);

/// The first place in set->active that holds contact i or a later one.
int scree_contacts_active_from(const scree_contact_set *set, int i);

// -------------------------------------------------------------------------------------------------
// contact_pairs.c

enum { SCREE_PAIRS_AT_ONCE = 1024 };

/// Room for so many contacts; false when memory ran out.
bool scree_contacts_make_room(scree_contact_set *set, int count);

/// Add a contact between sides a and b with its law and frame; its number, or -1 without memory.
/// Arms, magnitude, shapes and tie are left to the caller.
int scree_contacts_append(const scree_model *model, scree_contact_id id, int a, int b,
                          const scree_manifold_point *manifold, scree_contact_set *set);

/// Give contact i the law of this number in the set.
void scree_contacts_set_law(scree_contact_set *set, int i, int number);

/// The pieces of a surface that overlap the box, into set->found; how many, or -1 without memory.
int scree_contacts_surface_pieces(scree_contact_set *set, int surface, const scree_aabb *box);

/// Do two bodies (elastic ones after rigid ones) leave each other alone, by a joint or by their
/// law?
bool scree_contacts_apart(const scree_model *model, int a, int b);

bool scree_contacts_can_touch(const scree_contact_set *set, int i, int j);
scree_shape_pair scree_contacts_order_pair(const scree_contact_set *set, int i, int j);

/// The image of b's pose that is nearest to a, in a world that repeats itself.
void scree_contacts_image(const scree_model *model, const scree_shape_pair *pair,
                          const scree_pose *a, const scree_pose *b, scree_pose *image);

/// Touches of a pair (of a and the nearest image of b), ascending by feature; how many.
int scree_contacts_collide(const scree_model *model, const scree_shape_pair *pair,
                           const scree_pose *pa, const scree_pose *pb, double margin,
                           scree_manifold_point *manifold);

/// The contacts of count touches of a pair; false when memory ran out.
bool scree_contacts_add(const scree_model *model, const scree_shape_pair *pair,
                        const scree_manifold_point *manifold, int count, scree_contact_set *set);

/// The contacts of the pair i, j that are within reach.
bool scree_contacts_add_pair(const scree_model *model, int i, int j, double margin,
                             scree_contact_set *set);

/// The contacts of many pairs (2 x pairs, ascending) that are within the reach of both; on threads.
bool scree_contacts_add_pairs(const scree_model *model, const int *pair, size_t pairs,
                              scree_thread_pool *pool, scree_contact_set *set);

// -------------------------------------------------------------------------------------------------
// warm_start.c

/// Put what is remembered of contacts into `warm_start`, of those that were not matched yet.
void scree_contacts_warm_start(const scree_model *model, scree_contact_set *set);

/// Remember the impulses of this step.
scree_status scree_contacts_cache_impulses(scree_contact_set *set, scree_error *err);

/// Remember impulses as if they were of this step, for contacts that need not be in the set.
scree_status scree_contacts_restore(const scree_model *model, const scree_contact *contact,
                                    int contacts, scree_contact_set *set, scree_error *err);

#endif
