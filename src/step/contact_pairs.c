// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// contact_pairs.c - pairs of shapes -> contacts.
// in: pairs, poses.   out: contacts with their frames, laws and arms, ascending by id.
//
// Many pairs are taken some at a time: first all touches, then all contacts, each on threads. What
// a pair of balls needs of its partners is in their proxies, which are fetched early, and what
// was written last is still in the cache when impulses are matched.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/space.h"
#include "collide/pose.h"
#include "model/joint.h"
#include "model/laws.h"
#include "model/memory.h"
#include "model/period.h"
#include "step/contacts.h"

enum { PREFETCH_DISTANCE = 12 };  // pairs, from where a proxy is fetched to where it is needed

static bool grow(void *array, size_t count, size_t size) {
    void **place = array, *grown = realloc(*place, count * size);
    if (grown) *place = grown;
    return grown;
}

bool scree_contacts_make_room(scree_contact_set *set, int count) {
    if (count <= set->room) return true;
    size_t room = (size_t)count + (size_t)count / 2 + 16;
    bool fine = grow(&set->contact, room, sizeof *set->contact) &&
                grow(&set->shapes, 3 * room, sizeof *set->shapes) &&
                grow(&set->law, room, sizeof *set->law) &&
                grow(&set->arm, 6 * room, sizeof *set->arm) &&
                grow(&set->gap_scale, room, sizeof *set->gap_scale) &&
                grow(&set->warm_start, SCREE_ROWS_MAX * room, sizeof *set->warm_start) &&
                grow(&set->status_before, room, sizeof *set->status_before) &&
                grow(&set->active, room, sizeof *set->active) &&
                (!set->stencils || grow(&set->stencil, room, sizeof *set->stencil));
    if (fine) set->room = (int)room;
    return fine;
}

bool scree_contacts_apart(const scree_model *model, int a, int b) {
    return scree_joints_apart(model, a, b) || scree_laws_between(&model->memory->laws, a, b)->apart;
}

bool scree_contacts_can_touch(const scree_contact_set *set, int i, int j) {
    const scree_shape_proxy *a = &set->detection->proxy[i], *b = &set->detection->proxy[j];
    if (a->owner == b->owner || !(a->moves || b->moves)) return false;
    if (!a->convex && !b->convex) return false;
    return !(a->bare && b->bare) &&
           !(set->parted && scree_contacts_apart(set->parted, a->owner, b->owner));
}

scree_shape_pair scree_contacts_order_pair(const scree_contact_set *set, int i, int j) {
    bool turn = !set->detection->proxy[i].convex || set->detection->proxy[j].bare;
    return (scree_shape_pair){ .shape = { turn ? j : i, turn ? i : j }, .piece = -1 };
}

static scree_contact_id id_of(const scree_contact_set *set, const scree_shape_pair *pair,
                              uint32_t feature) {
    uint64_t one = set->detection->proxy[pair->shape[0]].piece;
    uint64_t two =
        set->detection->proxy[pair->shape[1]].piece + (uint64_t)(pair->piece < 0 ? 0 : pair->piece);
    return scree_contact_id_pack(SCREE_SOURCE_SHAPES, one < two ? one : two, one < two ? two : one,
                                 feature);
}

// -------------------------------------------------------------------------------------------------
// one contact

void scree_contacts_set_law(scree_contact_set *set, int i, int number) {
    const scree_law *law = &set->laws[number];
    scree_contact *contact = &set->contact[i];
    set->law[i] = number;
    contact->restitution = law->restitution;
    contact->tangential_restitution = law->tangential_restitution;
    contact->friction = law->friction;
    contact->friction_across = law->friction_across;
    contact->rolling = law->rolling;
    contact->cohesion = law->cohesion;
}

void scree_contacts_tangent(int space, const scree_law *law, const double n[3], double t[3]) {
    double second[3];
    if (space == 2) {
        t[0] = -n[1];
        t[1] = n[0];
        t[2] = 0;
        return;
    }
    scree_tangents(n, t, second);
    if (!(law->friction_across > 0)) return;
    double along = scree_dot(law->friction_axis, n), flat[3];
    for (int k = 0; k < 3; k++) flat[k] = law->friction_axis[k] - along * n[k];
    double length = scree_length(flat);
    if (!(length > 1e-6 * scree_length(law->friction_axis))) return;
    for (int k = 0; k < 3; k++) t[k] = flat[k] / length;
}

static void begin_contact(const scree_model *model, scree_contact_id id, int a, int b,
                          const scree_manifold_point *manifold, int i, scree_contact_set *set) {
    scree_contact *contact = &set->contact[i];
    memset(contact, 0, sizeof *contact);
    contact->id = id;
    contact->a = a;
    contact->b = b;
    contact->gap = manifold->gap;
    memcpy(contact->normal, manifold->normal, sizeof contact->normal);
    memcpy(contact->point, manifold->point, sizeof contact->point);
    scree_contacts_set_law(set, i, 1 + scree_laws_find(&model->memory->laws, a, b));
    scree_contacts_tangent(model->space, scree_contacts_law(set, i), contact->normal,
                           contact->tangent);
}

int scree_contacts_append(const scree_model *model, scree_contact_id id, int a, int b,
                          const scree_manifold_point *manifold, scree_contact_set *set) {
    if (!scree_contacts_make_room(set, set->count + 1)) return -1;
    begin_contact(model, id, a, b, manifold, set->count, set);
    return set->count++;
}

void scree_contacts_image(const scree_model *model, const scree_shape_pair *pair,
                          const scree_pose *a, const scree_pose *b, scree_pose *image) {
    const scree_collision_shape *one = &model->solid[pair->shape[0]],
                                *two = &model->solid[pair->shape[1]];
    double from[3], to[3], shift[3] = { 0 };
    if (isfinite(one->bound) && isfinite(two->bound)) {
        scree_rotate(a->turn, one->centre, from);
        scree_rotate(b->turn, two->centre, to);
        for (int k = 0; k < 3; k++) to[k] += b->at[k] - a->at[k] - from[k];
        scree_period_shift(model, to, shift);
    }
    *image = *b;
    for (int k = 0; k < 3; k++) image->at[k] += shift[k];
}

// contact i of a pair, in room that was made for it
static void fill_contact(const scree_model *model, const scree_shape_pair *pair,
                         const scree_manifold_point *manifold, int i, scree_contact_set *set) {
    static const double middle[3] = { 0 };
    scree_contact *contact = &set->contact[i];
    const scree_shape_proxy *side[2] = { &set->detection->proxy[pair->shape[0]],
                                         &set->detection->proxy[pair->shape[1]] };
    begin_contact(model, id_of(set, pair, manifold->feature), side[0]->owner, side[1]->owner,
                  manifold, i, set);
    double size = 0, *arm = set->arm + 6 * (size_t)i;
    scree_pose image;
    if (model->periodic) {
        scree_contacts_image(model, pair, &set->pose[side[0]->owner], &set->pose[side[1]->owner],
                             &image);
        scree_period_wrap(model, contact->point);
    }
    for (int k = 0; k < 2; k++) {
        bool moved = model->periodic && k == 1;
        const double *at = moved ? image.at : set->pose[side[k]->owner].at, bound = side[k]->bound;
        const double *centre = model->solid[pair->shape[k]].centre;
        if (side[k]->radius > 0) {
            if (!moved) at = side[k]->at;
            centre = middle;
        }
        for (int c = 0; c < 3; c++) {
            arm[3 * k + c] = manifold->point[c] - at[c];
            size += fabs(at[c]) + fabs(centre[c]);
        }
        if (!isfinite(bound)) continue;
        size += bound;
        if (bound > 0 && (contact->size == 0 || bound < contact->size)) contact->size = bound;
    }
    set->gap_scale[i] = size;
    int *shapes = set->shapes + 3 * (size_t)i;
    shapes[0] = pair->shape[0];
    shapes[1] = pair->shape[1];
    shapes[2] = pair->piece;
}

bool scree_contacts_add(const scree_model *model, const scree_shape_pair *pair,
                        const scree_manifold_point *manifold, int count, scree_contact_set *set) {
    if (!scree_contacts_make_room(set, set->count + count)) return false;
    for (int k = 0; k < count; k++) fill_contact(model, pair, &manifold[k], set->count++, set);
    return true;
}

// -------------------------------------------------------------------------------------------------
// one pair

int scree_contacts_collide(const scree_model *model, const scree_shape_pair *pair,
                           const scree_pose *pa, const scree_pose *pb, double margin,
                           scree_manifold_point *manifold) {
    const scree_collision_shape *a = &model->solid[pair->shape[0]],
                                *b = &model->solid[pair->shape[1]];
    scree_pose image;
    if (model->periodic) {
        scree_contacts_image(model, pair, pa, pb, &image);
        pb = &image;
    }
    int count = pair->piece < 0
                    ? scree_narrow_phase(a, pa, b, pb, margin, manifold)
                    : scree_narrow_phase_piece(a, pa, b, pair->piece, pb, margin, manifold);
    // ascending by feature, so that ids ascend
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && manifold[j - 1].feature > manifold[j].feature; j--) {
            scree_manifold_point swap = manifold[j];
            manifold[j] = manifold[j - 1];
            manifold[j - 1] = swap;
        }
    return count;
}

static int find_touches(const scree_model *model, const scree_contact_set *set,
                        const scree_shape_pair *pair, double margin,
                        scree_manifold_point *manifold) {
    return scree_contacts_collide(
        model, pair, &set->pose[set->detection->proxy[pair->shape[0]].owner],
        &set->pose[set->detection->proxy[pair->shape[1]].owner], margin, manifold);
}

int scree_contacts_surface_pieces(scree_contact_set *set, int surface, const scree_aabb *box) {
    const scree_tree *tree = set->detection->tree[surface];
    int count = scree_tree_find(tree, box, set->detection->found, set->detection->found_room);
    if (count <= set->detection->found_room) return count;
    if (!grow(&set->detection->found, (size_t)count, sizeof *set->detection->found)) return -1;
    set->detection->found_room = count;
    return scree_tree_find(tree, box, set->detection->found, set->detection->found_room);
}

// pieces of a surface that a convex shape is near
static int find_pieces(const scree_model *model, const scree_shape_pair *pair, double margin,
                       scree_contact_set *set) {
    const scree_shape_proxy *a = &set->detection->proxy[pair->shape[0]],
                            *b = &set->detection->proxy[pair->shape[1]];
    // a point may have sunk behind the surface by as much as a piece is long
    double deep = a->bare ? set->detection->longest[pair->shape[1]] : 0;
    scree_aabb box;
    scree_pose_aabb_within(&model->solid[pair->shape[0]], &set->pose[a->owner],
                           &set->pose[b->owner], margin + deep, &box);
    return scree_contacts_surface_pieces(set, pair->shape[1], &box);
}

bool scree_contacts_add_pair(const scree_model *model, int i, int j, double margin,
                             scree_contact_set *set) {
    scree_manifold_point manifold[SCREE_MANIFOLD_MAX];
    scree_shape_pair pair = scree_contacts_order_pair(set, i, j);
    bool surface = set->detection->tree[pair.shape[1]] != NULL;
    int pieces = surface ? find_pieces(model, &pair, margin, set) : 1;
    bool fine = pieces >= 0;
    for (int k = 0; fine && k < pieces; k++) {
        if (surface) pair.piece = set->detection->found[k];
        int count = find_touches(model, set, &pair, margin, manifold);
        fine = scree_contacts_add(model, &pair, manifold, count, set);
    }
    return fine;
}

// -------------------------------------------------------------------------------------------------
// all pairs of a surface

static void copy_contact(scree_contact_set *set, int from, int to) {
    set->contact[to] = set->contact[from];
    set->law[to] = set->law[from];
    set->gap_scale[to] = set->gap_scale[from];
    memcpy(set->shapes + 3 * (size_t)to, set->shapes + 3 * (size_t)from, 3 * sizeof *set->shapes);
    memcpy(set->arm + 6 * (size_t)to, set->arm + 6 * (size_t)from, 6 * sizeof *set->arm);
}

static int by_id(const void *a, const void *b) {
    const scree_placed_id *one = a, *two = b;
    return scree_contact_id_less(two->id, one->id) - scree_contact_id_less(one->id, two->id);
}

// contacts from this one on, cycle by cycle; the place behind the last one is free for one of each
static void permute(scree_contact_set *set, int first, scree_placed_id *to, int count) {
    for (int k = 0; k < count; k++) {
        if (to[k].place == k) continue;
        int hole = k;
        copy_contact(set, first + k, set->count);
        while (to[hole].place != k) {
            int from = to[hole].place;
            copy_contact(set, first + from, first + hole);
            to[hole].place = hole;
            hole = from;
        }
        copy_contact(set, set->count, first + hole);
        to[hole].place = hole;
    }
}

// Pairs ascend by the bodies, identities by the pieces of the surface first.
static bool sort_from(scree_contact_set *set, int first) {
    scree_detection *detection = set->detection;
    int count = set->count - first;
    bool ascends = true;
    for (int i = first + 1; i < set->count; i++)
        ascends &= scree_contact_id_less(set->contact[i - 1].id, set->contact[i].id);
    if (ascends) return true;
    if (!scree_contacts_make_room(set, set->count + 1)) return false;
    if (count > detection->sorted_room) {
        if (!grow(&detection->sorted, (size_t)(2 * count), sizeof *detection->sorted)) return false;
        detection->sorted_room = 2 * count;
    }
    for (int k = 0; k < count; k++)
        detection->sorted[k] = (scree_placed_id){ set->contact[first + k].id, k };
    qsort(detection->sorted, (size_t)count, sizeof *detection->sorted, by_id);
    permute(set, first, detection->sorted, count);
    return true;
}

static bool add_near_pair(const scree_model *model, int i, int j, scree_contact_set *set) {
    if (!scree_contacts_can_touch(set, i, j)) return true;
    const scree_shape_proxy *proxy = set->detection->proxy;
    return scree_contacts_add_pair(model, i, j, proxy[i].margin + proxy[j].margin, set);
}

// the first pair and those that begin with the same shape, if it is a surface; how many, or 0
// without memory
static size_t add_surface(const scree_model *model, const int *pair, size_t pairs,
                          scree_contact_set *set) {
    int surface = pair[0], first = set->count;
    bool many = set->detection->tree[surface] != NULL, fine = true;
    size_t taken = 0;
    do {
        fine = add_near_pair(model, surface, pair[2 * taken + 1], set);
        taken++;
    } while (fine && many && taken < pairs && pair[2 * taken] == surface);
    if (!fine || !sort_from(set, first)) return 0;
    scree_contacts_warm_start(model, set);
    return taken;
}

// -------------------------------------------------------------------------------------------------
// many pairs

typedef struct pair_batch {  // of pairs, none of them with a surface
    const scree_model *model;
    const int *pair;  // (2 x count)
    int count;
    int ahead;  // pairs that can be asked for
    scree_contact_set *set;
} pair_batch;

static void collide_pair(void *with, int k) {
    const pair_batch *s = with;
    scree_contact_set *set = s->set;
    int i = s->pair[2 * k], j = s->pair[2 * k + 1];
    if (k + PREFETCH_DISTANCE < s->ahead)
        __builtin_prefetch(&set->detection->proxy[s->pair[2 * (k + PREFETCH_DISTANCE) + 1]]);
    const scree_shape_proxy *a = &set->detection->proxy[i], *b = &set->detection->proxy[j];
    scree_manifold_point *manifold = set->detection->manifold + SCREE_MANIFOLD_MAX * (size_t)k;
    double margin = a->margin + b->margin;
    set->detection->touches[k] = 0;
    if (!scree_contacts_can_touch(set, i, j)) return;
    if (a->radius > 0 && b->radius > 0 && !s->model->periodic) {
        set->detection->touches[k] =
            scree_narrow_phase_balls(a->at, a->radius, b->at, b->radius, margin, manifold);
        return;
    }
    scree_shape_pair pair = scree_contacts_order_pair(set, i, j);
    set->detection->touches[k] = find_touches(s->model, set, &pair, margin, manifold);
}

// the contacts of pair k; touches[k] says where they begin
static void write_contacts(void *with, int k) {
    const pair_batch *s = with;
    scree_contact_set *set = s->set;
    int first = set->detection->touches[k], count = set->detection->touches[k + 1] - first;
    if (!count) return;
    scree_shape_pair pair = scree_contacts_order_pair(set, s->pair[2 * k], s->pair[2 * k + 1]);
    const scree_manifold_point *manifold =
        set->detection->manifold + SCREE_MANIFOLD_MAX * (size_t)k;
    for (int c = 0; c < count; c++) fill_contact(s->model, &pair, &manifold[c], first + c, set);
}

static bool add_batch(pair_batch *s, scree_thread_pool *pool) {
    scree_contact_set *set = s->set;
    int next = set->count;
    if (s->count < SCREE_PAIRS_AT_ONCE / 2) pool = NULL;
    scree_parallel_for(pool, s->count, collide_pair, s);
    for (int k = 0; k < s->count; k++) {
        int here = set->detection->touches[k];
        set->detection->touches[k] = next;
        next += here;
    }
    set->detection->touches[s->count] = next;
    if (!scree_contacts_make_room(set, next)) return false;
    scree_parallel_for(pool, s->count, write_contacts, s);
    set->count = next;
    scree_contacts_warm_start(s->model, set);
    return true;
}

// how many of the pairs have no surface in them, up to the first that has
static int batch_of(const scree_contact_set *set, const int *pair, size_t pairs) {
    int most = pairs < SCREE_PAIRS_AT_ONCE ? (int)pairs : SCREE_PAIRS_AT_ONCE, count = 0;
    if (!set->detection->surfaces) return most;
    while (count < most && !set->detection->tree[pair[2 * count]] &&
           !set->detection->tree[pair[2 * count + 1]])
        count++;
    return count;
}

bool scree_contacts_add_pairs(const scree_model *model, const int *pair, size_t pairs,
                              scree_thread_pool *pool, scree_contact_set *set) {
    bool fine = true;
    for (size_t k = 0, taken; fine && k < pairs; k += taken) {
        size_t left = pairs - k;
        int count = batch_of(set, pair + 2 * k, left);
        if (count) {
            pair_batch s = { model, pair + 2 * k, count, 0, set };
            s.ahead =
                left > (size_t)count + PREFETCH_DISTANCE ? count + PREFETCH_DISTANCE : (int)left;
            fine = add_batch(&s, pool);
            taken = (size_t)count;
        } else {
            taken = add_surface(model, pair + 2 * k, left, set);
            fine = taken > 0;
        }
    }
    return fine;
}
