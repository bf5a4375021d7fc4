// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// source_shapes.c - contacts of pairs of shapes of rigid bodies: broad phase, narrow phase, and the
// gaps where the step ends.
// in: poses of bodies.   out: contacts, ascending by the numbers of their pieces and features.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/space.h"
#include "collide/pose.h"
#include "step/sides.h"

// -------------------------------------------------------------------------------------------------
// what stays

// nodes of elastic bodies ask for shapes too, if only to hear that there are none
static bool serves(const scree_model *model) { return model->bodies > 0 || model->elastics > 0; }

static bool is_convex(const scree_collision_shape *solid) {
    return solid->kind == SCREE_COLLISION_CONVEX || solid->kind == SCREE_COLLISION_CYLINDER;
}

// a point, which has no surface to meet another one
static bool is_bare(const scree_collision_shape *solid) {
    return solid->kind == SCREE_COLLISION_CONVEX && solid->vertices == 1 && solid->radius == 0;
}

// the pairs of a model that has only a few
static scree_status list_pairs(const scree_model *model, scree_arena *arena, scree_contact_set *set,
                               scree_error *err) {
    enum { FEW = 64 };
    set->detection->pair = SCREE_NEW(arena, int, 2 * FEW);
    if (!set->detection->pair) return scree_fail_memory(err, "pairs");
    for (int i = 0; i < model->shapes; i++)
        if (model->solid[i].kind == SCREE_COLLISION_SURFACE) return SCREE_OK;
    for (int i = 0; i < model->shapes; i++)
        for (int j = i + 1; j < model->shapes; j++) {
            if (!scree_contacts_can_touch(set, i, j)) continue;
            if (set->detection->pair_count == FEW) return SCREE_OK;
            set->detection->pair[2 * set->detection->pair_count] = i;
            set->detection->pair[2 * set->detection->pair_count++ + 1] = j;
        }
    set->detection->manifold_cache =
        SCREE_NEW(arena, scree_manifold_point, SCREE_MANIFOLD_MAX * set->detection->pair_count);
    set->detection->manifold_count = SCREE_NEW(arena, int, set->detection->pair_count);
    if (!set->detection->manifold_cache || !set->detection->manifold_count)
        return scree_fail_memory(err, "pairs");
    set->detection->all_pairs = true;
    return SCREE_OK;
}

static scree_status plant_tree(const scree_collision_shape *solid, scree_arena *arena,
                               scree_tree **tree, double *longest, scree_error *err) {
    const scree_surface *surface = &solid->surface;
    scree_aabb *box = malloc((size_t)surface->pieces * sizeof *box);
    if (!box) return scree_fail_memory(err, "a surface");
    for (int i = 0; i < surface->pieces; i++) {
        scree_pose_piece_aabb(solid, i, &box[i]);
        for (int k = 0; k < 3; k++) *longest = fmax(*longest, box[i].high[k] - box[i].low[k]);
    }
    scree_status status = scree_tree_make(box, surface->pieces, arena, tree, err);
    free(box);
    return status;
}

// number the pieces of all shapes: what ids are made of
static scree_status number_pieces(const scree_model *model, scree_contact_set *set,
                                  scree_error *err) {
    const uint64_t most = (uint64_t)1 << SCREE_ID_SIDE_BITS;
    for (int i = 0; i < model->shapes; i++) {
        set->detection->proxy[i].piece = set->detection->pieces;
        set->detection->pieces += (uint64_t)scree_collision_shape_pieces(&model->solid[i]);
    }
    // elastic bodies, which nodes meet, are numbered behind them
    if (set->detection->pieces + (uint64_t)model->elastics <= most) return SCREE_OK;
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                      "more than 2^%d shapes and pieces of surfaces", SCREE_ID_SIDE_BITS);
}

static void find_centred(const scree_model *model, scree_contact_set *set) {
    memset(set->detection->centred, 1, (size_t)model->bodies);
    for (int i = 0; i < model->shapes; i++) {
        const scree_collision_shape *solid = &model->solid[i];
        bool round = solid->kind == SCREE_COLLISION_CONVEX && solid->vertices == 1;
        if (!round || scree_length(solid->vertex) > 0)
            set->detection->centred[model->shape[i].body] = 0;
    }
}

static bool is_ball(const scree_collision_shape *solid) {
    return solid->kind == SCREE_COLLISION_CONVEX && solid->vertices == 1 &&
           scree_length(solid->vertex) == 0 && scree_length(solid->centre) == 0;
}

static void note_shapes(const scree_model *model, scree_contact_set *set) {
    for (int i = 0; i < model->shapes; i++) {
        const scree_collision_shape *solid = &model->solid[i];
        const scree_body *body = &model->body[model->shape[i].body];
        set->owner[i] = model->shape[i].body;
        set->moves[i] = scree_body_moves(body);
        set->detection->extent[i] = scree_length(solid->centre) + solid->bound;
        bool changes = body->birth_time > 0 || body->removal_time != 0;
        set->detection->still[i] = !scree_body_moves(body) && !body->driven && !changes;
        set->detection->changes |= changes;
        set->ball[i] = is_ball(solid) && scree_body_isotropic(body) ? solid->radius : 0;
        set->detection->proxy[i] = (scree_shape_proxy){
            .radius = is_ball(solid) && model->space == 3 ? solid->radius : 0,
            .bound = solid->bound,
            .owner = model->shape[i].body,
            .moves = scree_body_moves(body),
            .convex = is_convex(solid),
            .bare = is_bare(solid),
        };
    }
}

static void note_bodies(const scree_model *model, scree_contact_set *set) {
    for (int i = 0; i < model->bodies; i++) {
        const scree_body *body = &model->body[i];
        set->mobility[i] = body->driven             ? SCREE_KINEMATIC
                           : scree_body_moves(body) ? SCREE_DYNAMIC
                                                    : SCREE_STATIC;
        set->drives |= body->driven;
    }
}

// what is needed to find the pairs that are near, where there are many
static scree_status prepare_broad_phase(const scree_model *model, scree_arena *arena,
                                        scree_contact_set *set, scree_error *err) {
    set->detection->manifold =
        SCREE_NEW(arena, scree_manifold_point, SCREE_PAIRS_AT_ONCE * SCREE_MANIFOLD_MAX);
    set->detection->touches = SCREE_NEW(arena, int, SCREE_PAIRS_AT_ONCE + 1);
    if (!set->detection->manifold || !set->detection->touches)
        return scree_fail_memory(err, "pairs");
    if (!model->periodic)
        return scree_broad_phase_new(model->shapes, model->space, set->owner, set->moves,
                                     &set->detection->broad, err);
    scree_images *images = &set->detection->images;
    scree_status status = scree_images_make(model, set->owner, set->moves, arena, images, err);
    if (status) return status;
    set->detection->box = images->box;
    return scree_broad_phase_new(images->copies * model->shapes, model->space, images->owner,
                                 images->moves, &set->detection->broad, err);
}

static scree_status make(scree_source *source, scree_contact_set *set, scree_arena *arena,
                         scree_error *err) {
    const scree_model *model = source->model;
    source->self = set->detection = SCREE_NEW(arena, scree_detection, 1);
    if (!set->detection) return scree_fail_memory(err, NULL);
    source->predicts = model->space == 2;
    size_t shapes = (size_t)model->shapes;
    set->detection->tree = SCREE_NEW(arena, scree_tree *, shapes);
    set->detection->longest = SCREE_NEW(arena, double, shapes);
    set->detection->box = SCREE_NEW(arena, scree_aabb, shapes);
    set->detection->margin = SCREE_NEW(arena, double, shapes);
    set->owner = SCREE_NEW(arena, int, shapes);
    set->moves = SCREE_NEW(arena, unsigned char, shapes);
    set->detection->proxy = SCREE_NEW(arena, scree_shape_proxy, shapes);
    set->detection->extent = SCREE_NEW(arena, double, shapes);
    set->ball = SCREE_NEW(arena, double, shapes);
    set->pose = SCREE_NEW(arena, scree_pose, model->bodies);
    set->detection->pose_after = SCREE_NEW(arena, scree_pose, model->bodies);
    set->mobility = SCREE_NEW(arena, unsigned char, model->bodies);
    set->detection->centred = SCREE_NEW(arena, unsigned char, model->bodies);
    set->detection->still = SCREE_NEW(arena, unsigned char, shapes);
    set->detection->live_shape = SCREE_NEW(arena, int, shapes);
    if (!set->detection->live_shape || !set->detection->tree || !set->detection->longest ||
        !set->detection->box || !set->detection->margin || !set->owner || !set->moves ||
        !set->detection->proxy || !set->detection->extent || !set->ball || !set->pose ||
        !set->detection->pose_after || !set->mobility || !set->detection->centred ||
        !set->detection->still)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d shapes",
                          model->shapes);
    note_shapes(model, set);
    note_bodies(model, set);
    find_centred(model, set);
    scree_status status = scree_presence_make(model, arena, &set->detection->presence, err);
    if (!status) status = number_pieces(model, set, err);
    if (!status) status = list_pairs(model, arena, set, err);
    for (int i = 0; !status && i < model->shapes; i++)
        if (model->solid[i].kind == SCREE_COLLISION_SURFACE) {
            set->detection->surfaces = true;
            status = plant_tree(&model->solid[i], arena, &set->detection->tree[i],
                                &set->detection->longest[i], err);
        }
    if (!status && !set->detection->all_pairs) status = prepare_broad_phase(model, arena, set, err);
    return status;
}

static void release(scree_source *source) {
    scree_detection *self = source->self;
    free(self->found);
    scree_images_free(&self->images);
    free(self->sorted);
    if (self->broad) scree_broad_phase_free(self->broad);
}

// -------------------------------------------------------------------------------------------------
// from a configuration to contacts

// How far a shape can come within h, with either of two velocities; twice the way is more than
// the way and the slacks of the activation rule together. The widths are known where it is called.
static inline __attribute__((always_inline)) double margin_of(const scree_contact_query *query,
                                                              int body, bool moves, double far,
                                                              int space, int coordinates,
                                                              int dofs) {
    const double part = 0.05;  // of the size of what is hit; what goes further is looked at again
    const double *at = query->q + (long)body * coordinates;
    const double *one = query->v + (long)body * dofs, *two = query->w + (long)body * dofs;
    double way = 0, turn = 0, place = 0;
    for (int k = 0; k < space; k++) way += fabs(one[k]) + fabs(two[k]);
    for (int k = space; k < dofs; k++) turn += fabs(one[k]) + fabs(two[k]);
    for (int k = 0; k < space; k++) place += fabs(at[k]);
    double margin = 2 * query->h * (way + (turn > 0 ? turn * far : 0));
    if (query->reach > 0 && moves) margin += fmin(query->reach, part * far);
    if (isfinite(far)) place += far;
    return margin + 1e-9 * place;
}

// All shapes where a body has come or gone, so that boxes of what is not there are empty; from then
// on those of bodies that are there.
static void list_shapes(const scree_model *model, double t, scree_contact_set *set) {
    scree_detection *detection = set->detection;
    bool changed = scree_presence_update(model, t, &detection->presence);
    if (!changed && detection->listed) return;
    bool all = changed || detection->all_pairs;  // few pairs look at bodies that are to come
    detection->live = 0;
    for (int i = 0; i < model->shapes; i++) {
        const scree_body *body = &model->body[set->owner[i]];
        bool boxed = detection->boxed && detection->still[i];
        if (!boxed && (all || scree_body_present(body, t)))
            detection->live_shape[detection->live++] = i;
    }
    detection->listed = !changed;
}

static void find_margins(const scree_model *model, const scree_contact_query *query,
                         scree_contact_set *set) {
    scree_detection *detection = set->detection;
    const double *extent = detection->extent;
    for (int k = 0, i; k < detection->live; k++) {
        i = detection->live_shape[k];
        if (detection->still[i] && detection->has_margins) continue;
        detection->margin[i] =
            model->space == 2 ? margin_of(query, set->owner[i], set->moves[i], extent[i], 2, 3, 3)
                              : margin_of(query, set->owner[i], set->moves[i], extent[i], 3, 7, 6);
    }
    detection->has_margins = !query->spread;
}

// the pose of a body at q; those of fixed bodies are known, and balls need no axes
static void update_pose(const scree_model *model, const scree_contact_set *set, int body,
                        const double *q, scree_pose *pose) {
    static const double straight[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    if (set->mobility[body] == SCREE_STATIC && set->detection->placed) {
        *pose = set->pose[body];
    } else if (set->detection->centred[body]) {
        const double *own = q + (long)body * model->body_coordinates;
        for (int k = 0; k < 3; k++) pose->at[k] = k < model->space ? own[k] : 0;
        memcpy(pose->turn, straight, sizeof straight);
    } else {
        scree_pose_of_body(model, body, q, pose);
    }
}

static void update_bodies(const scree_model *model, const double *q, scree_pose *pose,
                          const scree_contact_set *set) {
    const scree_detection *detection = set->detection;
    bool all = !detection->placed || !detection->listed || detection->all_pairs;
    int count = all ? model->bodies : detection->presence.count;
    for (int k = 0; k < count; k++) {
        int i = all ? k : detection->presence.body[k];
        if (!detection->placed || set->mobility[i] != SCREE_STATIC)
            update_pose(model, set, i, q, &pose[i]);
    }
}

// what the two shapes of pair k can come closer within the step, at most
static double margin_of_pair(const scree_detection *detection, int k) {
    return detection->margin[detection->pair[2 * k]] +
           detection->margin[detection->pair[2 * k + 1]];
}

// what is known of pair k since the last step ended, if one of its points is nearer than that
static bool add_cached_manifold(const scree_model *model, int k, double near,
                                scree_contact_set *set) {
    const scree_detection *detection = set->detection;
    const scree_manifold_point *manifold = detection->manifold_cache + SCREE_MANIFOLD_MAX * k;
    int count = detection->manifold_count[k], i = 0;
    while (i < count && manifold[i].gap > near) i++;
    if (i == count) return true;
    scree_shape_pair pair =
        scree_contacts_order_pair(set, detection->pair[2 * k], detection->pair[2 * k + 1]);
    return scree_contacts_add(model, &pair, manifold, count, set);
}

// the same for a pair that has to be looked at
static bool add_pair(const scree_model *model, int k, double near, scree_contact_set *set) {
    const int *shape = set->detection->pair + 2 * k;
    int first = set->count, i = first;
    if (!scree_contacts_add_pair(model, shape[0], shape[1], HUGE_VAL, set)) return false;
    while (i < set->count && set->contact[i].gap > near) i++;
    if (i == set->count) set->count = first;
    return true;
}

static bool are_present(const scree_model *model, const scree_contact_set *set, int k, double t) {
    return scree_body_present(&model->body[set->owner[set->detection->pair[2 * k]]], t) &&
           scree_body_present(&model->body[set->owner[set->detection->pair[2 * k + 1]]], t);
}

// few pairs: all of them, however far apart; in a step those that can close
static bool find_brute_force(const scree_model *model, const scree_contact_query *query,
                             bool use_cache, scree_contact_set *set) {
    bool fine = true;
    for (int k = 0; fine && k < set->detection->pair_count; k++) {
        if (set->detection->changes && !are_present(model, set, k, query->present)) continue;
        double near = query->near_only ? margin_of_pair(set->detection, k) : HUGE_VAL;
        fine = use_cache ? add_cached_manifold(model, k, near, set) : add_pair(model, k, near, set);
    }
    return fine;
}

// many: those whose boxes overlap
static scree_status find_broad_phase(const scree_model *model, const scree_contact_query *query,
                                     scree_contact_set *set, bool *fine, scree_error *err) {
    bool still = !model->periodic && !query->spread;  // images are placed where the shapes were
    scree_boxes_changed changed = { .count = set->detection->live };
    if (still && set->detection->boxed && set->detection->listed)
        changed.number = set->detection->live_shape;
    const int *pair;
    size_t pairs;
    for (int k = 0, i; k < set->detection->live; k++) {
        i = set->detection->live_shape[k];
        scree_pose_aabb(model, i, &set->pose[set->owner[i]], set->detection->margin[i],
                        query->present, &set->detection->box[i]);
    }
    set->detection->boxed = still;
    if (model->periodic) scree_images_place(model, &set->detection->images);
    scree_status status = scree_broad_phase_find(set->detection->broad, set->detection->box,
                                                 changed, &pair, &pairs, err);
    if (!status && model->periodic)
        status = scree_images_merge(model, &set->detection->images, &pair, &pairs, err);
    if (!status) *fine = scree_contacts_add_pairs(model, pair, pairs, query->pool, set);
    return status;
}

// what pairs see of shapes whose bodies are at these poses; few pairs in the plane do not look
// there
static void update_proxies(const scree_model *model, const scree_pose *pose,
                           scree_contact_set *set) {
    if (set->detection->all_pairs && model->space == 2) return;
    for (int k = 0, i; k < set->detection->live; k++) {
        i = set->detection->live_shape[k];
        memcpy(set->detection->proxy[i].at, pose[set->owner[i]].at,
               sizeof set->detection->proxy[i].at);
        set->detection->proxy[i].margin = set->detection->margin[i];
    }
}

static void place_bodies(const scree_model *model, const double *q, bool use_cache,
                         scree_contact_set *set) {
    if (use_cache) {
        scree_pose *swap = set->pose;
        set->pose = set->detection->pose_after;
        set->detection->pose_after = swap;
        return;
    }
    update_bodies(model, q, set->pose, set);
    for (int i = 0; !set->detection->placed && i < model->bodies; i++)
        set->detection->pose_after[i] = set->pose[i];
    set->detection->placed = true;
}

static scree_status find(scree_source *source, const scree_contact_query *query,
                         scree_contact_set *set, scree_error *err) {
    const scree_model *model = source->model;
    bool use_cache = set->detection->manifold_cache_valid && query->at_start, fine = true;
    scree_status status = SCREE_OK;
    set->detection->manifold_cache_valid = false;
    if (query->spread)
        set->detection->boxed = set->detection->listed = set->detection->has_margins = false;
    list_shapes(model, query->present, set);
    place_bodies(model, query->q, use_cache, set);
    find_margins(model, query, set);
    update_proxies(model, set->pose, set);
    if (set->detection->all_pairs)
        fine = find_brute_force(model, query, use_cache, set);
    else
        status = find_broad_phase(model, query, set, &fine, err);
    if (!status && !fine)
        status = scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d contacts",
                            set->count);
    return status;
}

static bool is_far(const scree_source *source, const scree_contact_set *set, int i) {
    const int *shapes = set->shapes + 3 * (size_t)i;
    (void)source;
    return set->contact[i].gap >
           set->detection->margin[shapes[0]] + set->detection->margin[shapes[1]];
}

// -------------------------------------------------------------------------------------------------
// gaps elsewhere

// the gaps of contacts first to last - 1, all of one pair, whose features still meet
static void take_gaps(const scree_manifold_point *manifold, int count, int first, int last,
                      scree_contact_set *set) {
    for (int i = first; i < last; i++)
        for (int c = 0; c < count; c++)
            if (scree_contact_id_unpack(set->contact[i].id).feature == manifold[c].feature)
                set->contact[i].gap_after = manifold[c].gap;
}

// one behind the last contact of the same pair as contact i
static int end_of_pair(const scree_contact_set *set, int i) {
    do i++;
    while (i < set->count && scree_contacts_begin_of_pair(set, i) < i);
    return i;
}

static int find_touches_after(const scree_model *model, const scree_shape_pair *pair,
                              const scree_contact_set *set, scree_manifold_point *manifold) {
    const scree_shape_proxy *a = &set->detection->proxy[pair->shape[0]],
                            *b = &set->detection->proxy[pair->shape[1]];
    if (a->radius > 0 && b->radius > 0 && !model->periodic)
        return scree_narrow_phase_balls(a->at, a->radius, b->at, b->radius, HUGE_VAL, manifold);
    return scree_contacts_collide(model, pair, &set->detection->pose_after[a->owner],
                                  &set->detection->pose_after[b->owner], HUGE_VAL, manifold);
}

// all pairs, for the next step to begin with
static void cache_manifolds(const scree_source *source, double t, scree_contact_set *set) {
    const scree_model *model = source->model;
    int i = source->first;
    for (int k = 0; k < set->detection->pair_count; k++) {
        scree_shape_pair pair = scree_contacts_order_pair(set, set->detection->pair[2 * k],
                                                          set->detection->pair[2 * k + 1]);
        scree_manifold_point *manifold = set->detection->manifold_cache + SCREE_MANIFOLD_MAX * k;
        bool known = i < source->last && set->shapes[3 * i] == pair.shape[0] &&
                     set->shapes[3 * i + 1] == pair.shape[1];
        set->detection->manifold_count[k] = 0;
        if (!known && set->detection->changes && !are_present(model, set, k, t)) continue;
        set->detection->manifold_count[k] = find_touches_after(model, &pair, set, manifold);
        if (!known) continue;
        int next = end_of_pair(set, i);
        take_gaps(manifold, set->detection->manifold_count[k], i, next, set);
        i = next;
    }
    set->detection->manifold_cache_valid = true;
}

// of pairs that are in the problem; where there are few, cache_manifolds does it for all
static void update_chunk(const scree_source *source, scree_contact_set *set, int first, int last) {
    enum { PREFETCH_DISTANCE = 12 };
    if (set->detection->all_pairs) return;
    int end = scree_contacts_active_from(set, last), done = first;
    for (int k = scree_contacts_active_from(set, first); k < end; k++) {
        if (k + PREFETCH_DISTANCE < end)
            __builtin_prefetch(
                &set->detection
                     ->proxy[set->shapes[3 * (size_t)set->active[k + PREFETCH_DISTANCE] + 1]]);
        if (set->active[k] < done) continue;  // an active one before it has the same pair
        int begin = scree_contacts_begin_of_pair(set, set->active[k]);
        done = end_of_pair(set, begin);
        const int *shapes = set->shapes + 3 * (size_t)begin;
        scree_shape_pair pair = { .shape = { shapes[0], shapes[1] }, .piece = shapes[2] };
        scree_manifold_point manifold[SCREE_MANIFOLD_MAX];
        take_gaps(manifold, find_touches_after(source->model, &pair, set, manifold), begin, done,
                  set);
    }
}

static void update_poses(scree_source *source, scree_contact_set *set, const double *q) {
    const scree_model *model = source->model;
    update_bodies(model, q, set->detection->pose_after, set);
    update_proxies(model, set->detection->pose_after, set);
}

static void update_gaps(scree_source *source, scree_contact_set *set, const double *q, double t) {
    (void)q;
    if (set->detection->all_pairs) cache_manifolds(source, t, set);
}

static void invalidate(scree_source *source) {
    scree_detection *self = source->self;
    self->manifold_cache_valid = false;
}

// not in space, and not where the pair may meet with other features
static bool gap_at(const scree_source *source, const scree_contact_set *set, int i, const double *q,
                   double t, double *gap) {
    const scree_model *model = source->model;
    const int *shapes = set->shapes + 3 * (size_t)i;
    (void)t;
    const scree_collision_shape *a = &model->solid[shapes[0]], *b = &model->solid[shapes[1]];
    bool round = a->vertices == 1 && (b->kind == SCREE_COLLISION_HALF_SPACE ||
                                      (b->kind == SCREE_COLLISION_CONVEX && b->vertices == 1));
    if (!round || model->space == 3) return false;
    scree_manifold_point manifold[SCREE_MANIFOLD_MAX];
    scree_pose pose[2];
    update_pose(model, set, set->contact[i].a, q, &pose[0]);
    update_pose(model, set, set->contact[i].b, q, &pose[1]);
    const scree_shape_pair pair = { .shape = { shapes[0], shapes[1] }, .piece = -1 };
    if (scree_contacts_collide(model, &pair, &pose[0], &pose[1], HUGE_VAL, manifold) < 1)
        return false;
    *gap = manifold[0].gap;
    return true;
}

// -------------------------------------------------------------------------------------------------
// H

static void velocity(const scree_source *source, const scree_contact_set *set, int i,
                     const double *x, bool driven, double *u) {
    scree_sides_velocity(source->model, set, i, NULL, x, driven, u);
}

static void impulse(const scree_source *source, const scree_contact_set *set, int i,
                    const double *p, double *x) {
    scree_sides_impulse(source->model, set, i, NULL, p, x);
}

static void obstacle(const scree_source *source, scree_contact_set *set, int first, int last,
                     const scree_state *before, const scree_state *after) {
    for (int i = first; set->drives && i < last; i++) {
        scree_contact *contact = &set->contact[i];
        if (set->mobility[contact->a] != SCREE_KINEMATIC &&
            set->mobility[contact->b] != SCREE_KINEMATIC)
            continue;
        velocity(source, set, i, before->v, true, contact->w_before);
        velocity(source, set, i, after->v, true, contact->w_after);
    }
}

static int rows(const scree_source *source, const scree_contact_set *set, int i,
                const scree_inertia *inertia, scree_arena *arena, scree_jacobian_block *block) {
    return scree_sides_rows(source->model, set, i, NULL, inertia, arena, block);
}

static double velocity_scale(const scree_source *source, const scree_contact_set *set, int i,
                             const scree_scale_query *query, double size) {
    return scree_sides_velocity_scale(source->model, set, i, query->body, size);
}

static double load_change(const scree_source *source, const scree_contact_set *set, int i,
                          const scree_velocity_scale *body) {
    (void)source;
    return body[set->contact[i].a].load_change + body[set->contact[i].b].load_change;
}

static bool knows(const scree_source *source, const scree_contact *contact, scree_contact_key key) {
    int bodies = source->model->bodies;
    (void)key;
    return contact->a >= 0 && contact->a < bodies && contact->b >= 0 && contact->b < bodies;
}

const scree_contact_source scree_source_shapes = {
    .name = "shapes",
    .number = SCREE_SOURCE_SHAPES,
    .projects = true,
    .serves = serves,
    .make = make,
    .free = release,
    .find = find,
    .velocity = velocity,
    .impulse = impulse,
    .obstacle = obstacle,
    .rows = rows,
    .velocity_scale = velocity_scale,
    .gap_at = gap_at,
    .is_far = is_far,
    .load_change = load_change,
    .update_poses = update_poses,
    .update_chunk = update_chunk,
    .update_gaps = update_gaps,
    .invalidate = invalidate,
    .knows = knows,
};
