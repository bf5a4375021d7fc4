// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// nodes.c - where nodes of elastic bodies touch.
// in: displacements, poses of rigid bodies.   out: contacts with their ties to nodes.
//
// An id says which node meets which rigid shape, by its first piece, or which elastic body: those
// are numbered behind all pieces.

#include "step/nodes.h"

#include <math.h>
#include <string.h>

#include "base/space.h"
#include "collide/facet.h"
#include "collide/narrow_phase.h"
#include "collide/pose.h"
#include "step/contacts.h"

static scree_status no_memory(int nodes, scree_error *err) {
    return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d nodes that touch",
                      nodes);
}

// --- what stays ---------------------------------------------------------------------------------

static void mark(const int *list, int count, unsigned char bit, unsigned char *flags) {
    for (int i = 0; i < count; i++) flags[list[i]] |= bit;
}

// nodes of one body, or its facets if node is false: counted, and listed if there is a list
static int list_items(const scree_model *model, int e, bool node, unsigned char *flags, int *of,
                      int *which, unsigned char *usual, unsigned char *self) {
    const scree_elastic_body *body = &model->elastic[e];
    int size = node ? body->mesh.nodes : body->mesh.facets, count = 0;
    memset(flags, 0, (size_t)size);
    if (node) {
        mark(body->contact_node, body->contact_nodes, 1, flags);
        mark(body->self_node, body->self_nodes, 2, flags);
    } else if (model->elastics > 1 || body->self_facets > 0) {  // others may come, or it itself
        mark(body->contact_facet, body->contact_facets, 1, flags);
        mark(body->self_facet, body->self_facets, 2, flags);
    }
    for (int i = 0; i < size; i++) {
        if (!flags[i]) continue;
        if (of) {
            of[count] = e;
            which[count] = i;
            usual[count] = flags[i] & 1;
            self[count] = (flags[i] & 2) != 0;
        }
        count++;
    }
    return count;
}

static bool list_nodes(const scree_model *model, scree_arena *arena, scree_node_set *set) {
    int most = 1;
    for (int e = 0; e < model->elastics; e++) {
        const scree_mesh *mesh = &model->elastic[e].mesh;
        most = mesh->nodes > most ? mesh->nodes : most;
        most = mesh->facets > most ? mesh->facets : most;
    }
    unsigned char *flags = SCREE_NEW(arena, unsigned char, most);
    if (!flags) return false;
    for (int e = 0; e < model->elastics; e++) {
        set->nodes += list_items(model, e, true, flags, NULL, NULL, NULL, NULL);
        set->facets += list_items(model, e, false, flags, NULL, NULL, NULL, NULL);
    }
    set->body = SCREE_NEW(arena, int, set->nodes);
    set->node = SCREE_NEW(arena, int, set->nodes);
    set->usual = SCREE_NEW(arena, unsigned char, set->nodes);
    set->self = SCREE_NEW(arena, unsigned char, set->nodes);
    set->facet_body = SCREE_NEW(arena, int, set->facets);
    set->facet = SCREE_NEW(arena, int, set->facets);
    set->facet_usual = SCREE_NEW(arena, unsigned char, set->facets);
    set->facet_self = SCREE_NEW(arena, unsigned char, set->facets);
    if (!set->body || !set->node || !set->usual || !set->self || !set->facet_body || !set->facet ||
        !set->facet_usual || !set->facet_self)
        return false;
    int node = 0, facet = 0;
    for (int e = 0; e < model->elastics; e++) {
        node += list_items(model, e, true, flags, set->body + node, set->node + node,
                           set->usual + node, set->self + node);
        facet += list_items(model, e, false, flags, set->facet_body + facet, set->facet + facet,
                            set->facet_usual + facet, set->facet_self + facet);
    }
    return true;
}

static int corners_of(const scree_mesh *mesh, int facet) {
    int count = 0;
    while (count < SCREE_FACET_CORNERS && mesh->facet[facet * SCREE_FACET_CORNERS + count] >= 0)
        count++;
    return count;
}

// where the corners of a facet are at q
static int place_facet(const scree_model *model, const scree_node_set *set, int i, const double *q,
                       double corner[3 * SCREE_FACET_CORNERS]) {
    const scree_elastic_body *body = &model->elastic[set->facet_body[i]];
    int corners = corners_of(&body->mesh, set->facet[i]);
    for (int c = 0; c < corners; c++)
        scree_elastic_place(body, q + body->coordinate,
                            body->mesh.facet[set->facet[i] * SCREE_FACET_CORNERS + c],
                            corner + 3 * c);
    return corners;
}

static double facet_size(const scree_mesh *mesh, int facet) {
    double corner[3 * SCREE_FACET_CORNERS] = { 0 };
    const int *node = mesh->facet + (long)facet * SCREE_FACET_CORNERS;
    int corners = corners_of(mesh, facet);
    for (int c = 0; c < corners; c++)
        memcpy(corner + 3 * c, mesh->node + (long)node[c] * mesh->space,
               (size_t)mesh->space * sizeof *corner);
    return scree_facet_size(corner, corners);
}

// of the facets that can touch, or of all if nodes alone can
static void measure_facets(const scree_model *model, scree_node_set *set) {
    for (int e = 0; e < model->elastics; e++) {
        const scree_elastic_body *body = &model->elastic[e];
        int usual = body->contact_facets, facets = usual + body->self_facets;
        int count = facets ? facets : body->mesh.facets;
        double sum = 0;
        for (int i = 0; i < count; i++)
            sum += facet_size(&body->mesh, !facets     ? i
                                           : i < usual ? body->contact_facet[i]
                                                       : body->self_facet[i - usual]);
        set->size[e] = sum / count;
    }
}

scree_status scree_nodes_make(const scree_model *model, scree_arena *arena, scree_node_set *set,
                              scree_error *err) {
    *set = (scree_node_set){ 0 };
    if (!model->elastics) return SCREE_OK;
    scree_shape dot = { .kind = SCREE_POINT, .turn = { 1 } };
    scree_status status = scree_collision_shape_make(&dot, model->space, arena, &set->point, err);
    if (status) return status;
    if (!list_nodes(model, arena, set)) return no_memory(set->nodes, err);
    set->items = set->nodes + model->shapes + set->facets;
    set->size = SCREE_NEW(arena, double, model->elastics);
    set->owner = SCREE_NEW(arena, int, set->items);
    set->moves = SCREE_NEW(arena, unsigned char, set->items);
    set->box = SCREE_NEW(arena, scree_aabb, set->items);
    set->margin = SCREE_NEW(arena, double, set->items);
    if (!set->size || !set->owner || !set->moves || !set->box || !set->margin)
        return no_memory(set->nodes, err);
    // nodes alone look for others; what they find need not look at each other
    for (int i = 0; i < set->items; i++) {
        set->owner[i] = i < set->nodes ? 0 : 1;
        set->moves[i] = i < set->nodes;
    }
    measure_facets(model, set);
    return scree_broad_phase_new(set->items, model->space, set->owner, set->moves, &set->broad,
                                 err);
}

void scree_nodes_free(scree_node_set *set) {
    if (set->broad) scree_broad_phase_free(set->broad);
}

// --- boxes --------------------------------------------------------------------------------------

typedef struct motion {
    const double *q, *v, *w;
    double h, slack;     // length of the step, gap that counts as closed
    double reach;        // what is hit may go so far, but for a part of its size
    const double *size;  // of facets (elastics)
} motion;

static double way_of(const scree_model *model, const motion *m, int e, int node) {
    const scree_elastic_body *body = &model->elastic[e];
    double sum = 0, x[3];
    scree_elastic_place(body, m->q + body->coordinate, node, x);
    for (int k = 0; k < model->space; k++) {
        long dof = body->dof + (long)node * model->space + k;
        sum += 2 * m->h * (fabs(m->v[dof]) + fabs(m->w[dof])) + 1e-9 * fabs(x[k]);
    }
    const double part = 0.05;  // as of rigid shapes
    return sum + m->slack + fmin(m->reach, part * m->size[e]);
}

static void surround(const double *x, int points, double margin, scree_aabb *box) {
    for (int k = 0; k < 3; k++) {
        double low = x[k], high = x[k];
        for (int i = 1; i < points; i++) {
            low = fmin(low, x[3 * i + k]);
            high = fmax(high, x[3 * i + k]);
        }
        box->low[k] = low - margin;
        box->high[k] = high + margin;
    }
}

static void place_items(const scree_model *model, const motion *m, double t,
                        const scree_contact_set *contacts, scree_node_set *set) {
    for (int i = 0; i < set->nodes; i++) {
        const scree_elastic_body *body = &model->elastic[set->body[i]];
        double x[3];
        scree_elastic_place(body, m->q + body->coordinate, set->node[i], x);
        set->margin[i] = way_of(model, m, set->body[i], set->node[i]);
        surround(x, 1, set->margin[i], &set->box[i]);
    }
    for (int i = 0; i < model->shapes; i++)
        scree_pose_aabb(model, i, &contacts->pose[model->shape[i].body],
                        contacts->detection->margin[i], t, &set->box[set->nodes + i]);
    for (int i = 0; i < set->facets; i++) {
        int item = set->nodes + model->shapes + i;
        const scree_elastic_body *body = &model->elastic[set->facet_body[i]];
        const int *node = body->mesh.facet + (long)set->facet[i] * SCREE_FACET_CORNERS;
        double corner[3 * SCREE_FACET_CORNERS], margin = 0;
        int corners = place_facet(model, set, i, m->q, corner);
        for (int c = 0; c < corners; c++)
            margin = fmax(margin, way_of(model, m, set->facet_body[i], node[c]));
        set->margin[item] = margin;
        // a node may have gone behind the facet by as much as the facet is long
        surround(corner, corners, margin + scree_facet_size(corner, corners), &set->box[item]);
    }
}

// --- touches ------------------------------------------------------------------------------------

static scree_contact_id id_of(int node, uint64_t other) {
    return scree_contact_id_pack(SCREE_SOURCE_NODES, (uint64_t)node, other, 0);
}

static void set_stencil(scree_contact_set *contacts, int i, const scree_node_stencil *stencil) {
    contacts->stencil[i] = *stencil;
}

// the numbers of a new contact that rounding depends on
static void measure(scree_contact_set *contacts, int i, const double x[3], double more,
                    double size) {
    contacts->gap_scale[i] = fabs(x[0]) + fabs(x[1]) + fabs(x[2]) + more;
    contacts->contact[i].size = size;
}

typedef struct finder {
    const scree_model *model;
    const motion *motion;
    const scree_node_set *nodes;
    scree_contact_set *contacts;
    double x[3];  // where the node at work is
} finder;

// the new contact of a node with a rigid shape
static bool add_rigid(finder *f, int node, int shape, int piece,
                      const scree_manifold_point *touch) {
    scree_contact_set *contacts = f->contacts;
    const scree_node_set *set = f->nodes;
    const scree_collision_shape *solid = &f->model->solid[shape];
    int body = f->model->shape[shape].body;
    int i = scree_contacts_append(f->model, id_of(node, contacts->detection->proxy[shape].piece),
                                  f->model->bodies + set->body[node], body, touch, contacts);
    if (i < 0) return false;
    const scree_pose *pose = &contacts->pose[body];
    double more = isfinite(solid->bound) ? solid->bound : 0;
    for (int k = 0; k < 3; k++) {
        contacts->arm[6 * (size_t)i + (size_t)k] = 0;
        contacts->arm[6 * (size_t)i + 3 + (size_t)k] = touch->point[k] - pose->at[k];
        more += fabs(pose->at[k]) + fabs(solid->centre[k]);
    }
    measure(contacts, i, f->x, more, set->size[set->body[node]]);
    int *shapes = contacts->shapes + 3 * (size_t)i;
    shapes[0] = node;
    shapes[1] = shape;
    shapes[2] = piece;
    set_stencil(contacts, i,
                &(scree_node_stencil){ 1, { set->body[node] }, { set->node[node] }, { 1 } });
    return true;
}

// where a piece of a surface is; a chain has its solid on the right, facets have it on the left
static int place_piece(const scree_collision_shape *solid, int piece, const scree_pose *pose,
                       double corner[3 * SCREE_FACET_CORNERS]) {
    int corners = solid->space;
    for (int c = 0; c < corners; c++) {
        int from = solid->space == 2 ? corners - 1 - c : c;
        int vertex = solid->surface.piece[piece * corners + from];
        scree_rotate(pose->turn, solid->vertex + 3 * (long)vertex, corner + 3 * c);
        for (int k = 0; k < 3; k++) corner[3 * c + k] += pose->at[k];
    }
    return corners;
}

static void as_touch(const scree_facet_touch *facet, const double x[3],
                     scree_manifold_point *touch) {
    *touch = (scree_manifold_point){ .gap = facet->gap };
    memcpy(touch->normal, facet->normal, sizeof touch->normal);
    memcpy(touch->point, x, sizeof touch->point);
}

// A point has no inside by which a surface could push it back: it meets the nearest piece, as it
// would meet a facet of an elastic body, and may be behind it by as much as its own facets are
// long.
static bool add_surface(finder *f, int node, int shape) {
    scree_contact_set *contacts = f->contacts;
    const scree_node_set *set = f->nodes;
    const scree_collision_shape *solid = &f->model->solid[shape];
    const scree_pose *pose = &contacts->pose[f->model->shape[shape].body];
    double margin = set->margin[node] + contacts->detection->margin[shape],
           deep = set->size[set->body[node]];
    scree_pose at = { .turn = { 1, 0, 0, 0, 1, 0, 0, 0, 1 } };
    memcpy(at.at, f->x, sizeof at.at);
    scree_aabb box;
    scree_pose_aabb_within(&set->point, &at, pose, margin + deep, &box);
    int pieces = scree_contacts_surface_pieces(contacts, shape, &box), nearest = -1;
    if (pieces < 0) return false;
    scree_facet_touch best = { 0 };
    for (int k = 0; k < pieces; k++) {
        double corner[3 * SCREE_FACET_CORNERS];
        scree_facet_touch touch;
        int corners = place_piece(solid, contacts->detection->found[k], pose, corner);
        if (!scree_facet_meet(f->x, corner, corners, &touch) || touch.gap > margin ||
            touch.gap < -deep || (nearest >= 0 && touch.away >= best.away))
            continue;
        nearest = contacts->detection->found[k];
        best = touch;
    }
    scree_manifold_point touch;
    as_touch(&best, f->x, &touch);
    return nearest < 0 || add_rigid(f, node, shape, nearest, &touch);
}

static bool add_solid(finder *f, int node, int shape) {
    const scree_collision_shape *solid = &f->model->solid[shape];
    const scree_node_set *set = f->nodes;
    if (!set->usual[node]) return true;
    if (f->contacts->parted && scree_contacts_apart(f->model, f->model->bodies + set->body[node],
                                                    f->model->shape[shape].body))
        return true;
    if (solid->kind == SCREE_COLLISION_CONVEX && solid->vertices == 1 && solid->radius == 0)
        return true;
    if (solid->kind == SCREE_COLLISION_SURFACE) return add_surface(f, node, shape);
    scree_pose at = { .turn = { 1, 0, 0, 0, 1, 0, 0, 0, 1 } };
    memcpy(at.at, f->x, sizeof at.at);
    scree_manifold_point touch[SCREE_MANIFOLD_MAX];
    int count =
        scree_narrow_phase(&set->point, &at, solid, &f->contacts->pose[f->model->shape[shape].body],
                           set->margin[node] + f->contacts->detection->margin[shape], touch);
    return count == 0 || add_rigid(f, node, shape, -1, &touch[0]);
}

// may the node meet the facet at all?
static bool may_meet(const finder *f, int node, int facet) {
    const scree_node_set *set = f->nodes;
    int one = set->body[node], two = set->facet_body[facet];
    if (one == two) {
        if (!set->self[node] || !set->facet_self[facet]) return false;
        const int *corner =
            f->model->elastic[two].mesh.facet + (long)set->facet[facet] * SCREE_FACET_CORNERS;
        for (int c = 0; c < SCREE_FACET_CORNERS; c++)
            if (corner[c] == set->node[node]) return false;
        return true;
    }
    if (f->contacts->parted &&
        scree_contacts_apart(f->model, f->model->bodies + one, f->model->bodies + two))
        return false;
    double size = set->size[one], other = set->size[two];  // of equal grids they differ by rounding
    bool finer = fabs(size - other) <= 1e-9 * (size + other) ? one > two : size < other;
    return set->usual[node] && set->facet_usual[facet] && finer;
}

typedef struct nearest {
    int facet;  // -1: none
    scree_facet_touch touch;
} nearest;

static void try_facet(const finder *f, int node, int facet, nearest *best) {
    const scree_node_set *set = f->nodes;
    double corner[3 * SCREE_FACET_CORNERS];
    scree_facet_touch touch;
    if (!may_meet(f, node, facet)) return;
    int corners = place_facet(f->model, set, facet, f->motion->q, corner);
    if (!scree_facet_meet(f->x, corner, corners, &touch)) return;
    int item = set->nodes + f->model->shapes + facet;
    if (touch.gap > set->margin[node] + set->margin[item] ||
        touch.gap < -scree_facet_size(corner, corners))
        return;
    if (best->facet < 0 || touch.away < best->touch.away) *best = (nearest){ facet, touch };
}

static bool add_facet(finder *f, int node, const nearest *best) {
    scree_contact_set *contacts = f->contacts;
    const scree_node_set *set = f->nodes;
    int other = set->facet_body[best->facet];
    scree_manifold_point touch;
    as_touch(&best->touch, f->x, &touch);
    uint64_t piece = contacts->detection->pieces + (uint64_t)other;
    int i = scree_contacts_append(f->model, id_of(node, piece), f->model->bodies + set->body[node],
                                  f->model->bodies + other, &touch, contacts);
    if (i < 0) return false;
    memset(contacts->arm + 6 * (size_t)i, 0, 6 * sizeof *contacts->arm);
    measure(contacts, i, f->x, set->size[other], set->size[set->body[node]]);
    int *shapes = contacts->shapes + 3 * (size_t)i;
    shapes[0] = node;
    shapes[1] = -1 - best->facet;
    shapes[2] = -1;
    scree_node_stencil stencil = { 1, { set->body[node] }, { set->node[node] }, { 1 } };
    const scree_mesh *mesh = &f->model->elastic[other].mesh;
    int corners = corners_of(mesh, set->facet[best->facet]);
    for (int c = 0; c < corners; c++, stencil.nodes++) {
        stencil.body[stencil.nodes] = other;
        stencil.node[stencil.nodes] =
            mesh->facet[set->facet[best->facet] * SCREE_FACET_CORNERS + c];
        stencil.weight[stencil.nodes] = -best->touch.weight[c];
    }
    set_stencil(contacts, i, &stencil);
    return true;
}

// pairs of one node come one after the other: first rigid shapes, then facets body by body
scree_status scree_nodes_find(const scree_model *model, const scree_contact_query *query,
                              scree_node_set *set, scree_contact_set *contacts, scree_error *err) {
    const int *pair;
    size_t pairs;
    motion m = { query->q, query->v, query->w, query->h, query->slack, query->reach, set->size };
    finder f = { .model = model, .motion = &m, .nodes = set, .contacts = contacts };
    place_items(model, &m, query->present, contacts, set);
    scree_status status = scree_broad_phase_find(set->broad, set->box, (scree_boxes_changed){ 0 },
                                                 &pair, &pairs, err);
    if (status) return status;
    nearest best = { .facet = -1 };
    bool fine = true;
    for (size_t k = 0; fine && k < pairs; k++) {
        int node = pair[2 * k], item = pair[2 * k + 1] - set->nodes;
        const scree_elastic_body *body = &model->elastic[set->body[node]];
        if (k == 0 || pair[2 * k - 2] != node)
            scree_elastic_place(body, query->q + body->coordinate, set->node[node], f.x);
        if (item < model->shapes) {
            fine = add_solid(&f, node, item);
            continue;
        }
        int facet = item - model->shapes;
        try_facet(&f, node, facet, &best);
        bool last =
            k + 1 == pairs || pair[2 * k + 2] != node ||
            set->facet_body[pair[2 * k + 3] - set->nodes - model->shapes] != set->facet_body[facet];
        if (last && best.facet >= 0) fine = add_facet(&f, node, &best);
        if (last) best.facet = -1;
    }
    return fine ? SCREE_OK : no_memory(set->nodes, err);
}

double scree_nodes_gap(const scree_model *model, const scree_node_set *set,
                       const scree_contact_set *contacts, int i, const double *q) {
    const int *shapes = contacts->shapes + 3 * (size_t)i;
    const scree_elastic_body *body = &model->elastic[set->body[shapes[0]]];
    double x[3];
    scree_elastic_place(body, q + body->coordinate, set->node[shapes[0]], x);
    double corner[3 * SCREE_FACET_CORNERS];
    scree_facet_touch facet;
    if (shapes[1] < 0) {
        int corners = place_facet(model, set, -1 - shapes[1], q, corner);
        bool meet = scree_facet_meet(x, corner, corners, &facet);
        return meet ? facet.gap : contacts->contact[i].gap_after;
    }
    scree_pose at = { .turn = { 1, 0, 0, 0, 1, 0, 0, 0, 1 } }, pose;
    memcpy(at.at, x, sizeof at.at);
    scree_pose_of_body(model, model->shape[shapes[1]].body, q, &pose);
    const scree_collision_shape *solid = &model->solid[shapes[1]];
    if (shapes[2] >= 0) {
        int corners = place_piece(solid, shapes[2], &pose, corner);
        bool meet = scree_facet_meet(x, corner, corners, &facet);
        return meet ? facet.gap : contacts->contact[i].gap_after;
    }
    scree_manifold_point touch[SCREE_MANIFOLD_MAX];
    int count = scree_narrow_phase(&set->point, &at, solid, &pose, HUGE_VAL, touch);
    return count ? touch[0].gap : contacts->contact[i].gap_after;
}

// --- ties ---------------------------------------------------------------------------------------

void scree_node_stencil_velocity(const scree_model *model, const scree_node_stencil *stencil,
                                 const double *x, bool held, double u[3]) {
    int space = model->space;
    for (int n = 0; n < stencil->nodes; n++) {
        const scree_elastic_body *body = &model->elastic[stencil->body[n]];
        long first = (long)stencil->node[n] * space;
        for (int k = 0; k < space; k++)
            if ((body->number[first + k] < 0) == held)
                u[k] += stencil->weight[n] * x[body->dof + first + k];
    }
}

void scree_node_stencil_apply_impulse(const scree_model *model, const scree_node_stencil *stencil,
                                      const double force[3], double *x) {
    int space = model->space;
    for (int n = 0; n < stencil->nodes; n++) {
        const scree_elastic_body *body = &model->elastic[stencil->body[n]];
        long first = (long)stencil->node[n] * space;
        for (int k = 0; k < space; k++)
            if (body->number[first + k] >= 0)
                x[body->dof + first + k] += stencil->weight[n] * force[k];
    }
}

double scree_node_stencil_velocity_scale(const scree_model *model,
                                         const scree_node_stencil *stencil, const double *x,
                                         const double *y) {
    double sum = 0;
    for (int n = 0; n < stencil->nodes; n++)
        for (int k = 0; k < model->space; k++) {
            long dof =
                model->elastic[stencil->body[n]].dof + (long)stencil->node[n] * model->space + k;
            sum += fabs(stencil->weight[n]) * (fabs(x[dof]) + fabs(y[dof]));
        }
    return sum;
}
