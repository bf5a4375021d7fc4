// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// contacts.c - from a configuration to contacts, their frames and their rows of H.

#include "step/contacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/space.h"
#include "collide/place.h"
#include "model/inertia.h"

static bool is_convex(const scree_solid *solid) {
    return solid->kind == SCREE_SOLID_CORE || solid->kind == SCREE_SOLID_CYLINDER;
}

// a point, which has no surface to meet another one
static bool is_bare(const scree_solid *solid) {
    return solid->kind == SCREE_SOLID_CORE && solid->vertices == 1 && solid->radius == 0;
}

static bool can_touch(const scree_model *model, int i, int j) {
    int a = model->shape[i].body, b = model->shape[j].body;
    if (a == b || !(scree_body_moves(&model->body[a]) || scree_body_moves(&model->body[b])))
        return false;
    if (!is_convex(&model->solid[i]) && !is_convex(&model->solid[j])) return false;
    return !(is_bare(&model->solid[i]) && is_bare(&model->solid[j]));
}

// the pairs of a model that has only a few
static scree_status list_pairs(const scree_model *model, scree_arena *arena, scree_contact_set *set,
                               scree_error *err) {
    enum { FEW = 64 };
    set->pair = SCREE_NEW(arena, int, 2 * FEW);
    if (!set->pair)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for pairs");
    for (int i = 0; i < model->shapes; i++)
        if (model->solid[i].kind == SCREE_SOLID_SURFACE) return SCREE_OK;
    for (int i = 0; i < model->shapes; i++)
        for (int j = i + 1; j < model->shapes; j++) {
            if (!can_touch(model, i, j)) continue;
            if (set->pair_count == FEW) return SCREE_OK;
            set->pair[2 * set->pair_count] = i;
            set->pair[2 * set->pair_count++ + 1] = j;
        }
    set->everything = true;
    return SCREE_OK;
}

static scree_status plant_tree(const scree_solid *solid, scree_arena *arena, scree_tree **tree,
                               scree_error *err) {
    const scree_surface *surface = &solid->surface;
    scree_box *box = malloc((size_t)surface->pieces * sizeof *box);
    if (!box) return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for a surface");
    for (int i = 0; i < surface->pieces; i++) scree_place_piece(solid, i, &box[i]);
    scree_status status = scree_tree_make(box, surface->pieces, arena, tree, err);
    free(box);
    return status;
}

// number the pieces of all shapes: what ids are made of
static scree_status number_pieces(const scree_model *model, scree_contact_set *set,
                                  scree_error *err) {
    int64_t pieces = 0;
    for (int i = 0; i < model->shapes; i++) {
        set->first_piece[i] = (uint32_t)pieces;
        const scree_solid *solid = &model->solid[i];
        pieces += solid->kind == SCREE_SOLID_SURFACE ? solid->surface.pieces : 1;
        if (pieces > 1 << 22)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "more than %d shapes and pieces of surfaces", 1 << 22);
    }
    return SCREE_OK;
}

static scree_status make_rows(const scree_model *model, scree_arena *arena, scree_contact_set *set,
                              scree_error *err) {
    size_t n = (size_t)model->system.coordinates, d = (size_t)model->dimension;
    set->row_H = SCREE_NEW(arena, double, (size_t)model->row_contacts *d *n);
    set->keep_row = SCREE_NEW(arena, double, (size_t)model->row_contacts *SCREE_ROWS_MAX);
    if (!set->row_H || !set->keep_row)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d contacts",
                          model->row_contacts);
    for (int c = 0; c < model->row_contacts; c++) {
        const scree_row_contact *given = &model->row_contact[c];
        double *H = set->row_H + (size_t)c * d * n;
        memcpy(H, given->normal, n * sizeof *H);
        memcpy(H + n, given->tangent, (size_t)given->tangents * n * sizeof *H);
    }
    return SCREE_OK;
}

static void find_centred(const scree_model *model, scree_contact_set *set) {
    memset(set->centred, 1, (size_t)model->bodies);
    for (int i = 0; i < model->shapes; i++) {
        const scree_solid *solid = &model->solid[i];
        bool round = solid->kind == SCREE_SOLID_CORE && solid->vertices == 1;
        if (!round || scree_length(solid->vertex) > 0) set->centred[model->shape[i].body] = 0;
    }
}

scree_status scree_contacts_make(const scree_model *model, scree_arena *arena,
                                 scree_contact_set *set, scree_error *err) {
    size_t shapes = (size_t)model->shapes;
    *set = (scree_contact_set){
        .tree = SCREE_NEW(arena, scree_tree *, shapes),
        .box = SCREE_NEW(arena, scree_box, shapes),
        .reach = SCREE_NEW(arena, double, shapes),
        .owner = SCREE_NEW(arena, int, shapes),
        .moves = SCREE_NEW(arena, unsigned char, shapes),
        .first_piece = SCREE_NEW(arena, uint32_t, shapes + 1),
        .pose = SCREE_NEW(arena, scree_pose, model->bodies),
        .centred = SCREE_NEW(arena, unsigned char, model->bodies),
    };
    if (!set->tree || !set->box || !set->reach || !set->owner || !set->moves || !set->first_piece ||
        !set->pose || !set->centred)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d shapes",
                          model->shapes);
    for (int i = 0; i < model->shapes; i++) {
        set->owner[i] = model->shape[i].body;
        set->moves[i] = scree_body_moves(&model->body[set->owner[i]]);
    }
    find_centred(model, set);
    scree_status status = number_pieces(model, set, err);
    if (!status) status = make_rows(model, arena, set, err);
    if (!status) status = list_pairs(model, arena, set, err);
    for (int i = 0; !status && i < model->shapes; i++)
        if (model->solid[i].kind == SCREE_SOLID_SURFACE)
            status = plant_tree(&model->solid[i], arena, &set->tree[i], err);
    if (!status && !set->everything)
        status =
            scree_broad_new(model->shapes, model->space, set->owner, set->moves, &set->broad, err);
    if (!status) status = scree_nodes_make(model, arena, &set->nodes, err);
    return status;
}

void scree_contacts_free(scree_contact_set *set) {
    scree_nodes_free(&set->nodes);
    free(set->contact);
    free(set->tie);
    free(set->shapes);
    free(set->arm);
    free(set->magnitude);
    free(set->wanted);
    free(set->active);
    free(set->keep);
    free(set->found);
    if (set->broad) scree_broad_free(set->broad);
}

static bool grow(void *array, size_t count, size_t size) {
    void **place = array, *grown = realloc(*place, count * size);
    if (grown) *place = grown;
    return grown;
}

static bool make_room(scree_contact_set *set, int count) {
    if (count <= set->room) return true;
    size_t room = (size_t)count + (size_t)count / 2 + 16;
    bool fine = grow(&set->contact, room, sizeof *set->contact) &&
                grow(&set->shapes, 3 * room, sizeof *set->shapes) &&
                grow(&set->arm, 6 * room, sizeof *set->arm) &&
                grow(&set->magnitude, room, sizeof *set->magnitude) &&
                grow(&set->wanted, SCREE_ROWS_MAX * room, sizeof *set->wanted) &&
                grow(&set->active, room, sizeof *set->active) &&
                (!set->nodes.items || grow(&set->tie, room, sizeof *set->tie));
    if (fine) set->room = (int)room;
    return fine;
}

// how far each shape can come within h, with either of two velocities; twice the way is more than
// the way and the slacks of the activation rule together
static void find_reach(const scree_model *model, const double *q, double h, const double *v,
                       const double *w, scree_contact_set *set) {
    for (int i = 0; i < model->shapes; i++) {
        const scree_solid *solid = &model->solid[i];
        long body = model->shape[i].body;
        const double *at = q + body * model->body_coordinates;
        const double *one = v + body * model->body_dofs, *two = w + body * model->body_dofs;
        double way = 0, turn = 0, place = 0;
        for (int k = 0; k < model->body_dofs; k++) {
            double size = fabs(one[k]) + fabs(two[k]);
            if (k < model->space)
                way += size;
            else
                turn += size;
        }
        for (int k = 0; k < model->space; k++) place += fabs(at[k]);
        double far = scree_length(solid->centre) + solid->bound;
        set->reach[i] = 2 * h * (way + (turn > 0 ? turn * far : 0));
        if (isfinite(solid->bound)) place += far;
        set->reach[i] += 1e-9 * place;
    }
}

static void fill_law(const scree_law *law, const scree_scheme_options *scheme,
                     scree_contact *contact) {
    contact->restitution = law->restitution;
    contact->friction = law->friction;
    contact->friction_second = law->friction_second;
    contact->rolling = law->rolling;
    contact->cohesion = law->cohesion;
    contact->tangential_restitution = scheme->name == SCREE_MOREAU_JEAN_FREMOND
                                          ? (1 - scheme->theta) / scheme->theta
                                          : law->tangential_restitution;
}

// the first tangent: along the grain, if there is one
static void find_tangent(int space, const scree_law *law, const double n[3], double t[3]) {
    double second[3];
    if (space == 2) {
        t[0] = -n[1];
        t[1] = n[0];
        t[2] = 0;
        return;
    }
    scree_tangents(n, t, second);
    if (!(law->friction_second > 0)) return;
    double along = scree_dot(law->grain, n), flat[3];
    for (int k = 0; k < 3; k++) flat[k] = law->grain[k] - along * n[k];
    double length = scree_length(flat);
    if (!(length > 1e-6 * scree_length(law->grain))) return;
    for (int k = 0; k < 3; k++) t[k] = flat[k] / length;
}

typedef struct sides {
    int shape[2];  // a, b
    int piece;     // of b, or -1
    uint64_t id;   // without the feature
} sides;

int scree_contacts_append(const scree_model *model, const scree_scheme_options *scheme, uint64_t id,
                          int a, int b, const scree_touch *touch, scree_contact_set *set) {
    if (!make_room(set, set->count + 1)) return -1;
    scree_contact *contact = &set->contact[set->count];
    memset(contact, 0, sizeof *contact);
    contact->id = id;
    contact->a = a;
    contact->b = b;
    contact->gap = touch->gap;
    memcpy(contact->normal, touch->normal, sizeof contact->normal);
    memcpy(contact->point, touch->point, sizeof contact->point);
    const scree_law *law = scree_model_law(model, a, b);
    fill_law(law, scheme, contact);
    find_tangent(model->space, law, contact->normal, contact->tangent);
    return set->count++;
}

static bool add_touch(const scree_model *model, const scree_scheme_options *scheme,
                      const sides *pair, const scree_touch *touch, scree_contact_set *set) {
    int i = scree_contacts_append(model, scheme, pair->id | touch->feature,
                                  model->shape[pair->shape[0]].body,
                                  model->shape[pair->shape[1]].body, touch, set);
    if (i < 0) return false;
    scree_contact *contact = &set->contact[i];
    const scree_pose *pose[2] = { &set->pose[contact->a], &set->pose[contact->b] };
    double size = 0;
    for (int k = 0; k < 2; k++) {
        const scree_solid *solid = &model->solid[pair->shape[k]];
        for (int c = 0; c < 3; c++) {
            set->arm[6 * (size_t)i + 3 * (size_t)k + (size_t)c] = touch->point[c] - pose[k]->at[c];
            size += fabs(pose[k]->at[c]) + fabs(solid->centre[c]);
        }
        if (isfinite(solid->bound)) size += solid->bound;
        if (isfinite(solid->bound) && solid->bound > 0 &&
            (contact->size == 0 || solid->bound < contact->size))
            contact->size = solid->bound;
    }
    set->magnitude[i] = size;
    int *shapes = set->shapes + 3 * (size_t)i;
    shapes[0] = pair->shape[0];
    shapes[1] = pair->shape[1];
    shapes[2] = pair->piece;
    return true;
}

static int find_touches(const scree_model *model, const sides *pair, const scree_pose *pa,
                        const scree_pose *pb, double reach, scree_touch *touch) {
    const scree_solid *a = &model->solid[pair->shape[0]], *b = &model->solid[pair->shape[1]];
    int count = pair->piece < 0 ? scree_narrow(a, pa, b, pb, reach, touch)
                                : scree_narrow_piece(a, pa, b, pair->piece, pb, reach, touch);
    // ascending by feature, so that ids ascend
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && touch[j - 1].feature > touch[j].feature; j--) {
            scree_touch swap = touch[j];
            touch[j] = touch[j - 1];
            touch[j - 1] = swap;
        }
    return count;
}

static bool add_touches(const scree_model *model, const scree_scheme_options *scheme, sides *pair,
                        double reach, scree_contact_set *set) {
    uint64_t one = set->first_piece[pair->shape[0]];
    uint64_t two = set->first_piece[pair->shape[1]] + (uint32_t)(pair->piece < 0 ? 0 : pair->piece);
    pair->id = one < two ? one << 42 | two << 20 : two << 42 | one << 20;
    scree_touch touch[SCREE_TOUCHES_MAX];
    const scree_pose *pa = &set->pose[model->shape[pair->shape[0]].body];
    const scree_pose *pb = &set->pose[model->shape[pair->shape[1]].body];
    int count = find_touches(model, pair, pa, pb, reach, touch);
    bool fine = true;
    for (int k = 0; fine && k < count; k++) fine = add_touch(model, scheme, pair, &touch[k], set);
    return fine;
}

int scree_contacts_pieces(scree_contact_set *set, int surface, const scree_box *box) {
    const scree_tree *tree = set->tree[surface];
    int count = scree_tree_find(tree, box, set->found, set->found_room);
    if (count <= set->found_room) return count;
    if (!grow(&set->found, (size_t)count, sizeof *set->found)) return -1;
    set->found_room = count;
    return scree_tree_find(tree, box, set->found, set->found_room);
}

static bool add_pair(const scree_model *model, const scree_scheme_options *scheme, int i, int j,
                     double reach, scree_contact_set *set) {
    bool turn =
        !is_convex(&model->solid[i]) || (is_bare(&model->solid[j]) && is_convex(&model->solid[i]));
    sides pair = { .shape = { turn ? j : i, turn ? i : j }, .piece = -1 };
    if (model->solid[pair.shape[1]].kind != SCREE_SOLID_SURFACE)
        return add_touches(model, scheme, &pair, reach, set);
    scree_box box;
    scree_place_box_within(&model->solid[pair.shape[0]],
                           &set->pose[model->shape[pair.shape[0]].body],
                           &set->pose[model->shape[pair.shape[1]].body], reach, &box);
    int pieces = scree_contacts_pieces(set, pair.shape[1], &box);
    bool fine = pieces >= 0;
    for (int k = 0; fine && k < pieces; k++) {
        pair.piece = set->found[k];
        fine = add_touches(model, scheme, &pair, reach, set);
    }
    return fine;
}

static double row_gap(const scree_model *model, int c, const double *q, double t,
                      double *magnitude) {
    const scree_row_contact *row = &model->row_contact[c];
    const double *own = q + (long)model->bodies * model->body_coordinates;
    double rate, gap = scree_function_at(&row->offset, t, &rate);
    double size = fabs(gap);
    for (int j = 0; j < model->system.coordinates; j++) {
        gap += row->normal[j] * own[j];
        size += fabs(row->normal[j] * own[j]);
    }
    *magnitude = size;
    return gap;
}

static void add_rows(const scree_model *model, const scree_scheme_options *scheme, const double *q,
                     double t, scree_contact_set *set) {
    for (int c = 0; c < model->row_contacts; c++) {
        int i = set->count++;
        scree_contact *contact = &set->contact[i];
        memset(contact, 0, sizeof *contact);
        contact->id = (uint64_t)c;
        contact->a = -1;
        contact->b = -2 - c;
        fill_law(&model->row_contact[c].law, scheme, contact);
        contact->gap = row_gap(model, c, q, t, &set->magnitude[i]);
        memcpy(set->wanted + (size_t)i * SCREE_ROWS_MAX, set->keep_row + (size_t)c * SCREE_ROWS_MAX,
               SCREE_ROWS_MAX * sizeof *set->wanted);
    }
}

// the impulse of the last step in the axes of this one
static void carry(int space, const scree_kept *old, const scree_contact *contact, double *p) {
    if (space == 2) {
        memcpy(p, old->impulse, SCREE_ROWS_MAX * sizeof *p);
        return;
    }
    double second[3], world[3], moment[3], now[3];
    scree_cross(old->normal, old->tangent, second);
    scree_cross(contact->normal, contact->tangent, now);
    for (int k = 0; k < 3; k++) {
        world[k] = old->impulse[0] * old->normal[k] + old->impulse[1] * old->tangent[k] +
                   old->impulse[2] * second[k];
        moment[k] = old->impulse[3] * old->tangent[k] + old->impulse[4] * second[k];
    }
    p[0] = scree_dot(world, contact->normal);
    p[1] = scree_dot(world, contact->tangent);
    p[2] = scree_dot(world, now);
    p[3] = scree_dot(moment, contact->tangent);
    p[4] = scree_dot(moment, now);
}

// the pose of a body at q; those of fixed bodies are known, and balls need no axes
static void place(const scree_model *model, const scree_contact_set *set, int body, const double *q,
                  scree_pose *pose) {
    static const double straight[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    if (model->body[body].fixed && set->placed) {
        *pose = set->pose[body];
    } else if (set->centred[body]) {
        const double *own = q + (long)body * model->body_coordinates;
        for (int k = 0; k < 3; k++) pose->at[k] = k < model->space ? own[k] : 0;
        memcpy(pose->turn, straight, sizeof straight);
    } else {
        scree_place_body(model, body, q, pose);
    }
}

// both lists ascend by id
static void match(const scree_model *model, scree_contact_set *set) {
    int k = 0;
    for (int i = 0; i < set->pairs; i++) {
        const scree_contact *contact = &set->contact[i];
        double *p = set->wanted + (size_t)i * SCREE_ROWS_MAX;
        while (k < set->kept && set->keep[k].id < contact->id) k++;
        if (k < set->kept && set->keep[k].id == contact->id)
            carry(model->space, &set->keep[k], contact, p);
        else
            memset(p, 0, SCREE_ROWS_MAX * sizeof *p);
    }
}

scree_status scree_contacts_find(const scree_model *model, const scree_scheme_options *scheme,
                                 const double *q, double t, double h, const double *v,
                                 const double *w, scree_contact_set *set, scree_error *err) {
    const int *pair = set->pair;
    size_t pairs = (size_t)set->pair_count;
    scree_status status = SCREE_OK;
    set->count = set->active_count = 0;
    for (int i = 0; i < model->bodies; i++)
        if (!set->placed || !model->body[i].fixed) place(model, set, i, q, &set->pose[i]);
    set->placed = true;
    find_reach(model, q, h, v, w, set);
    if (!set->everything) {
        for (int i = 0; i < model->shapes; i++)
            scree_place_box(model, i, &set->pose[model->shape[i].body], set->reach[i], t,
                            &set->box[i]);
        status = scree_broad_find(set->broad, set->box, &pair, &pairs, err);
    }
    bool fine = true;
    for (size_t k = 0; !status && fine && k < pairs; k++) {
        int i = pair[2 * k], j = pair[2 * k + 1];
        if (set->everything) {
            if (scree_body_present(&model->body[set->owner[i]], t) &&
                scree_body_present(&model->body[set->owner[j]], t))
                fine = add_pair(model, scheme, i, j, HUGE_VAL, set);
        } else if (can_touch(model, i, j)) {
            fine = add_pair(model, scheme, i, j, set->reach[i] + set->reach[j], set);
        }
    }
    set->rigid = set->count;
    if (!status && fine && model->elastics)
        status = scree_nodes_find(model, scheme, q, t, h, v, w, set, err);
    set->pairs = set->count;
    fine = fine && make_room(set, set->count + model->row_contacts);
    if (!status && !fine)
        status = scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d contacts",
                            set->count);
    if (status) {
        set->count = set->rigid = set->pairs = 0;
        return status;
    }
    match(model, set);
    add_rows(model, scheme, q, t, set);
    return SCREE_OK;
}

void scree_contacts_after(const scree_model *model, const double *q, double t,
                          scree_contact_set *set) {
    scree_touch touch[SCREE_TOUCHES_MAX];
    for (int i = 0, next; i < set->rigid; i = next) {
        const int *shapes = set->shapes + 3 * (size_t)i;
        bool wanted = set->everything;
        for (next = i; next < set->rigid &&
                       memcmp(shapes, set->shapes + 3 * (size_t)next, 3 * sizeof *shapes) == 0;
             next++)
            wanted |= set->contact[next].status != SCREE_CONTACT_INACTIVE;
        if (!wanted) continue;
        sides pair = { .shape = { shapes[0], shapes[1] }, .piece = shapes[2] };
        scree_pose pose[2];
        place(model, set, set->contact[i].a, q, &pose[0]);
        place(model, set, set->contact[i].b, q, &pose[1]);
        int count = find_touches(model, &pair, &pose[0], &pose[1], HUGE_VAL, touch);
        for (int k = i; k < next; k++)
            for (int c = 0; c < count; c++)
                if ((set->contact[k].id & 0xfffff) == touch[c].feature)
                    set->contact[k].gap_after = touch[c].gap;
    }
    for (int i = set->rigid; i < set->pairs; i++)
        set->contact[i].gap_after = scree_nodes_gap(model, set, i, q);
    for (int i = set->pairs; i < set->count; i++) {
        double magnitude;
        set->contact[i].gap_after = row_gap(model, i - set->pairs, q, t, &magnitude);
    }
}

bool scree_contacts_far(const scree_contact_set *set, int i) {
    const int *shapes = set->shapes + 3 * (size_t)i;
    return i < set->rigid && set->contact[i].gap > set->reach[shapes[0]] + set->reach[shapes[1]];
}

bool scree_contacts_predict(const scree_model *model, const scree_contact_set *set, int i,
                            const double *q, double t, double *gap) {
    double magnitude;
    if (i >= set->pairs) {
        *gap = row_gap(model, i - set->pairs, q, t, &magnitude);
        return true;
    }
    const int *shapes = set->shapes + 3 * (size_t)i;
    if (i >= set->rigid) return false;
    const scree_solid *a = &model->solid[shapes[0]], *b = &model->solid[shapes[1]];
    bool round = a->vertices == 1 && (b->kind == SCREE_SOLID_HALF_SPACE ||
                                      (b->kind == SCREE_SOLID_CORE && b->vertices == 1));
    if (!round || model->space == 3) return false;
    scree_touch touch[SCREE_TOUCHES_MAX];
    scree_pose pose[2];
    place(model, set, set->contact[i].a, q, &pose[0]);
    place(model, set, set->contact[i].b, q, &pose[1]);
    if (scree_narrow(a, &pose[0], b, &pose[1], HUGE_VAL, touch) < 1) return false;
    *gap = touch[0].gap;
    return true;
}

static bool make_kept_room(scree_contact_set *set, int count) {
    if (count <= set->kept_room) return true;
    int room = count + count / 2;
    if (!grow(&set->keep, (size_t)room, sizeof *set->keep)) return false;
    set->kept_room = room;
    return true;
}

static void keep(scree_contact_set *set, const scree_contact *contact) {
    scree_kept *kept = &set->keep[set->kept++];
    kept->id = contact->id;
    memcpy(kept->normal, contact->normal, sizeof kept->normal);
    memcpy(kept->tangent, contact->tangent, sizeof kept->tangent);
    memcpy(kept->impulse, contact->impulse, sizeof kept->impulse);
}

scree_status scree_contacts_keep(const scree_model *model, scree_contact_set *set,
                                 scree_error *err) {
    set->kept = 0;
    if (!make_kept_room(set, set->active_count))
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d contacts",
                          set->active_count);
    memset(set->keep_row, 0, (size_t)model->row_contacts * SCREE_ROWS_MAX * sizeof *set->keep_row);
    for (int k = 0; k < set->active_count; k++) {
        const scree_contact *contact = &set->contact[set->active[k]];
        if (contact->a >= 0)
            keep(set, contact);
        else
            memcpy(set->keep_row + (size_t)contact->id * SCREE_ROWS_MAX, contact->impulse,
                   sizeof contact->impulse);
    }
    return SCREE_OK;
}

static int by_id(const void *a, const void *b) {
    const scree_kept *one = a, *two = b;
    return (one->id > two->id) - (one->id < two->id);
}

scree_status scree_contacts_restore(const scree_model *model, const scree_contact *contact,
                                    int contacts, scree_contact_set *set, scree_error *err) {
    set->kept = 0;
    if (!make_kept_room(set, contacts))
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d contacts",
                          contacts);
    memset(set->keep_row, 0, (size_t)model->row_contacts * SCREE_ROWS_MAX * sizeof *set->keep_row);
    int last = model->bodies + model->elastics;
    for (int i = 0; i < contacts; i++) {
        const scree_contact *given = &contact[i];
        bool row = given->a < 0;
        bool known = row ? given->id < (uint64_t)model->row_contacts
                         : given->a < last && given->b >= 0 && given->b < last;
        if (!known)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "the stored contact %llu is not in this model",
                              (unsigned long long)given->id);
        if (given->status == SCREE_CONTACT_INACTIVE) continue;
        if (row) {
            memcpy(set->keep_row + (size_t)given->id * SCREE_ROWS_MAX, given->impulse,
                   sizeof given->impulse);
            continue;
        }
        keep(set, given);
        const scree_law *law = scree_model_law(model, given->a, given->b);
        find_tangent(model->space, law, given->normal, set->keep[set->kept - 1].tangent);
    }
    if (set->kept) qsort(set->keep, (size_t)set->kept, sizeof *set->keep, by_id);
    return SCREE_OK;
}
