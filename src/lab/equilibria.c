// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// equilibria.c - all equilibria of a small system.
// in: the equations of rest.   out: pieces on which every contact keeps its status.
//
// For each set of closed contacts the equilibria are a polyhedron: alpha, beta >= 0 of the closed
// ones, their gaps zero, the other gaps not negative (response.h). Its faces are the sets of
// generators with common zeros, so all of them are found by joining one generator after the other
// to faces that are known. A face where an open gap is zero belongs to a larger set of closed
// contacts; the others are the pieces, and no equilibrium is in two of them.
//
// Where K is not definite each set of closed contacts has a response of its own (semidefinite.h).

#include "scree/equilibria.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/dense.h"
#include "lab/response.h"
#include "lab/semidefinite.h"

// K that does not hold everything: with springs at one set of closed contacts
typedef struct stiffened {
    bool needed;
    double *K, *F, *z;  // (n x n), (n), (n x n)
    scree_equilibrium_system system;
    scree_response response;
} stiffened;

typedef struct face_list {  // zeros of each, in the order found
    int count, room;
    uint64_t *zeros;
    int slots, *slot;  // hashed places + 1, a power of two of them
} face_list;

typedef struct collection {
    const scree_equilibrium_system *system;
    const scree_response *response;
    stiffened stiffened;
    scree_generators generators;
    face_list faces;
    int *freedom;  // of faces (SCREE_EQUILIBRIUM_PIECES)
    scree_equilibria *set;
    int room;
    bool too_many;
} collection;

const char *scree_rest_name(scree_rest status) {
    static const char *const name[] = { "free", "grazing", "stuck", "slip+", "slip-" };
    return name[status];
}

const char *scree_equilibrium_family(const scree_equilibrium *piece) {
    if (piece->freedom == 0) return "point";
    if (piece->freedom > 1) return "face";
    return piece->rays ? "ray" : "segment";
}

// -------------------------------------------------------------------------------------------------
// faces of one polyhedron

static int *slot_of(const face_list *faces, uint64_t zeros) {
    uint64_t at = zeros * 0x9e3779b97f4a7c15u >> 20;
    for (;; at++) {
        int *slot = &faces->slot[at & (uint64_t)(faces->slots - 1)];
        if (!*slot || faces->zeros[*slot - 1] == zeros) return slot;
    }
}

// false if there are too many
static bool add_face(face_list *faces, uint64_t zeros) {
    int *slot = slot_of(faces, zeros);
    if (*slot) return true;
    if (faces->count == faces->room) return false;
    faces->zeros[faces->count++] = zeros;
    *slot = faces->count;
    return true;
}

static bool find_faces(const scree_generators *generators, face_list *faces) {
    faces->count = 0;
    memset(faces->slot, 0, (size_t)faces->slots * sizeof *faces->slot);
    for (int i = 0; i < generators->count; i++)
        if (!scree_cone_generator_is_ray(&generators->item[i]) &&
            !add_face(faces, generators->item[i].zeros))
            return false;
    for (int f = 0; f < faces->count; f++)
        for (int i = 0; i < generators->count; i++)
            if (!add_face(faces, faces->zeros[f] & generators->item[i].zeros)) return false;
    return true;
}

static int by_zeros(const void *one, const void *two) {
    uint64_t a = *(const uint64_t *)one, b = *(const uint64_t *)two;
    int more = __builtin_popcountll(b) - __builtin_popcountll(a);
    return more ? more : (a > b) - (a < b);
}

// the freedom of a face is one more than that of the largest one on its boundary
static void find_freedom(face_list *faces, int *freedom) {
    qsort(faces->zeros, (size_t)faces->count, sizeof *faces->zeros, by_zeros);
    for (int f = 0; f < faces->count; f++) {
        uint64_t zeros = faces->zeros[f];
        freedom[f] = 0;
        for (int g = 0; g < f; g++)
            if (freedom[g] >= freedom[f] && (faces->zeros[g] & zeros) == zeros)
                freedom[f] = freedom[g] + 1;
    }
}

// -------------------------------------------------------------------------------------------------
// pieces

static int gap_bit(const scree_response *response, int contact) { return response->size + contact; }

static scree_rest status_of(const scree_response *response, uint64_t closed, uint64_t zeros,
                            int contact) {
    if (!(closed >> contact & 1))
        return zeros >> gap_bit(response, contact) & 1 ? SCREE_REST_GRAZING : SCREE_REST_FREE;
    bool alpha = !(zeros >> scree_response_alpha(contact) & 1);
    bool beta = !(zeros >> scree_response_beta(contact) & 1);
    if (!alpha && !beta) return SCREE_REST_GRAZING;
    if (response->system->mu[contact] == 0 || (alpha && beta)) return SCREE_REST_STUCK;
    return alpha ? SCREE_REST_SLIP_MINUS : SCREE_REST_SLIP_PLUS;
}

static bool make_room(collection *found) {
    scree_equilibria *set = found->set;
    if (set->count < found->room) return true;
    int room = found->room ? 2 * found->room : 16;
    scree_equilibrium *item = realloc(set->item, (size_t)room * sizeof *item);
    if (!item) return false;
    set->item = item;
    found->room = room;
    return true;
}

static bool new_piece(const scree_equilibria *set, int vertices, int rays,
                      scree_equilibrium *piece) {
    scree_arena *arena = set->owner;
    size_t generators = (size_t)(vertices + rays), nc = (size_t)set->contacts;
    *piece = (scree_equilibrium){
        .status = SCREE_NEW(arena, scree_rest, nc),
        .u = SCREE_NEW(arena, double, (generators * (size_t)set->coordinates)),
        .r = SCREE_NEW(arena, double, generators * 2 * nc),
        .end = SCREE_NEW(arena, scree_rest, (size_t)vertices * nc),
        .rn = SCREE_NEW(arena, double, 2 * nc),
    };
    return piece->status && piece->u && piece->r && piece->end && piece->rn;
}

static void find_ranges(int contacts, scree_equilibrium *piece) {
    for (int i = 0; i < contacts; i++) {
        double low = INFINITY, high = 0;
        for (int k = 0; k < piece->vertices + piece->rays; k++) {
            double rn = piece->r[(size_t)k * 2 * (size_t)contacts + 2 * (size_t)i];
            if (k < piece->vertices) {
                low = fmin(low, rn);
                high = fmax(high, rn);
            } else if (rn > 0) {
                high = INFINITY;
            }
        }
        piece->rn[2 * i] = low;
        piece->rn[2 * i + 1] = high;
    }
}

static void exchange(double *one, double *two) {
    double keep = *one;
    *one = *two;
    *two = keep;
}

// the largest reaction is 1
static void scale_ray(double *r, size_t reactions, double *u, size_t coordinates) {
    double largest = 0;
    for (size_t k = 0; k < reactions; k++) largest = fmax(largest, fabs(r[k]));
    for (size_t k = 0; k < reactions && largest > 0; k++) r[k] /= largest;
    for (size_t k = 0; k < coordinates && largest > 0; k++) u[k] /= largest;
}

static void fill_generators(const collection *found, uint64_t closed, uint64_t zeros, bool rays,
                            scree_equilibrium *piece) {
    const scree_response *response = found->response;
    size_t n = (size_t)found->set->coordinates, nc = (size_t)found->set->contacts;
    for (int i = 0; i < found->generators.count; i++) {
        const scree_cone_generator *g = &found->generators.item[i];
        if (scree_cone_generator_is_ray(g) != rays || (g->zeros & zeros) != zeros) continue;
        size_t at = (size_t)(piece->vertices + piece->rays);
        scree_response_reaction(response, g, piece->r + at * 2 * nc);
        scree_response_displacement(response, g, piece->u + at * n);
        for (size_t c = 0; c < nc && !rays; c++)
            piece->end[at * nc + c] = status_of(response, closed, g->zeros, (int)c);
        if (rays) scale_ray(piece->r + at * 2 * nc, 2 * nc, piece->u + at * n, n);
        *(rays ? &piece->rays : &piece->vertices) += 1;
    }
}

// the ends of a segment in the order of rn
static void order_ends(int contacts, int coordinates, scree_equilibrium *piece) {
    bool turn = false;
    if (piece->vertices != 2 || piece->rays) return;
    for (int c = 0; c < contacts && !turn; c++) {
        double first = piece->r[2 * c], second = piece->r[2 * contacts + 2 * c];
        if (first < second) return;
        turn = first > second;
    }
    for (int k = 0; turn && k < 2 * contacts; k++)
        exchange(&piece->r[k], &piece->r[2 * contacts + k]);
    for (int k = 0; turn && k < coordinates; k++)
        exchange(&piece->u[k], &piece->u[coordinates + k]);
    for (int c = 0; turn && c < contacts; c++) {
        scree_rest keep = piece->end[c];
        piece->end[c] = piece->end[contacts + c];
        piece->end[contacts + c] = keep;
    }
}

static bool add_piece(collection *found, uint64_t closed, int face) {
    uint64_t zeros = found->faces.zeros[face];
    int vertices = 0, rays = 0;
    for (int i = 0; i < found->generators.count; i++) {
        const scree_cone_generator *g = &found->generators.item[i];
        if ((g->zeros & zeros) == zeros) *(scree_cone_generator_is_ray(g) ? &rays : &vertices) += 1;
    }
    scree_equilibrium piece;
    if (!make_room(found) || !new_piece(found->set, vertices, rays, &piece)) return false;
    fill_generators(found, closed, zeros, false, &piece);
    fill_generators(found, closed, zeros, true, &piece);
    for (int c = 0; c < found->set->contacts; c++)
        piece.status[c] = status_of(found->response, closed, zeros, c);
    piece.freedom = found->freedom[face];
    find_ranges(found->set->contacts, &piece);
    order_ends(found->set->contacts, found->set->coordinates, &piece);
    found->set->item[found->set->count++] = piece;
    return true;
}

// in none of its points is a gap zero that should be open
static bool is_piece(const scree_response *response, uint64_t closed, uint64_t zeros) {
    for (int c = 0; c < response->system->contacts; c++)
        if (!(closed >> c & 1) && (zeros >> gap_bit(response, c) & 1)) return false;
    return true;
}

static bool add_pieces(collection *found, uint64_t closed) {
    if (!find_faces(&found->generators, &found->faces)) {
        found->too_many = true;
        return false;
    }
    find_freedom(&found->faces, found->freedom);
    for (int f = 0; f < found->faces.count; f++) {
        if (!is_piece(found->response, closed, found->faces.zeros[f])) continue;
        if (found->set->count == SCREE_EQUILIBRIUM_PIECES) {
            found->too_many = true;
            return false;
        }
        if (!add_piece(found, closed, f)) return false;
    }
    return true;
}

// -------------------------------------------------------------------------------------------------
// polyhedra

// the polyhedron of a set of closed contacts; empty generators: there is none
static bool find_polyhedron(collection *found, uint64_t closed) {
    const scree_response *response = found->response;
    scree_generators *g = &found->generators;
    bool elastic = response->system->stiffness;
    uint64_t alive = 1;
    for (int c = 0; c < response->system->contacts; c++)
        if (closed >> c & 1) alive |= response->variable & (uint64_t)3 << scree_response_alpha(c);
    if (!scree_generators_begin(g, response->size, alive, response->tolerance)) return false;
    for (int i = 0; i < response->rows && scree_generators_any_vertex(g); i++) {
        const long double *row = response->row + (size_t)i * (size_t)response->size;
        bool equal = !elastic || (closed >> i & 1);
        if (equal ? !scree_generators_equal(g, row)
                  : !scree_generators_above(g, row, gap_bit(response, i)))
            return false;
    }
    scree_generators_finish(g);
    return true;
}

// why a search did not come to its end
static scree_status explain(const collection *found, scree_error *err) {
    if (found->generators.too_many)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "a family of equilibria has more than %d vertices and rays",
                          SCREE_EQUILIBRIUM_GENERATORS);
    if (found->too_many)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the equilibria fall into more than %d pieces", SCREE_EQUILIBRIUM_PIECES);
    return scree_fail_memory(err, "equilibria");
}

// does the load push in a direction in which nothing resists, friction neither?
static bool is_pushed(const collection *found, uint64_t closed) {
    const stiffened *own = &found->stiffened;
    int n = found->system->coordinates;
    scree_semidefinite_stiffen(found->system, closed, true, own->K, own->F);
    int count = scree_semidefinite_null(own->K, n, own->z);
    for (int v = 0; v < count; v++) {
        double sum = 0, size = 0;
        for (int k = 0; k < n; k++) {
            double term = own->z[(size_t)v * (size_t)n + (size_t)k] * found->system->load[k];
            sum += term;
            size += fabs(term);
        }
        if (fabs(sum) > found->set->tolerance * size) return true;
    }
    return false;
}

// the response with springs at the closed contacts; skip: there is no equilibrium with these closed
static scree_status stiffen(collection *found, uint64_t closed, bool *skip, scree_error *err) {
    stiffened *own = &found->stiffened;
    double tolerance = found->set->tolerance;
    *skip = false;
    if (!own->needed) return SCREE_OK;
    *skip = is_pushed(found, closed);
    if (*skip) return SCREE_OK;
    own->system = *found->system;
    own->system.stiffness = own->K;
    own->system.load = own->F;
    scree_semidefinite_stiffen(found->system, closed, false, own->K, own->F);
    scree_response_free(&own->response);
    scree_status status = scree_response_find(&own->system, tolerance, &own->response, err);
    if (status == SCREE_BAD_INPUT)
        return scree_fail(
            err, status, SCREE_NOWHERE,
            "the stiffness matrix is not positive definite, and equilibria go on without "
            "end: there is a direction that neither it nor the normals of closed "
            "contacts hold, and in which the load does not push");
    return status;
}

static scree_status search(collection *found, scree_error *err) {
    uint64_t all = ((uint64_t)1 << found->set->contacts) - 1;
    // contacts of rigid bodies are closed as they stand
    uint64_t closed = found->system->stiffness ? 0 : all;
    for (; closed <= all; closed++) {
        bool skip;
        scree_status status = stiffen(found, closed, &skip, err);
        if (status) return status;
        if (skip) continue;
        if (!find_polyhedron(found, closed)) return explain(found, err);
        if (scree_generators_any_vertex(&found->generators) && !add_pieces(found, closed))
            return explain(found, err);
    }
    return SCREE_OK;
}

static int compare(const scree_equilibrium *one, const scree_equilibrium *two, int contacts) {
    for (int c = 0; c < contacts; c++)
        if (one->status[c] != two->status[c]) return one->status[c] < two->status[c] ? -1 : 1;
    return 0;
}

// merge sort: no two pieces have the same statuses, and there may be thousands
static void sort(scree_equilibrium *item, scree_equilibrium *scratch, int count, int contacts) {
    if (count < 2) return;
    int half = count / 2, i = 0, j = half;
    sort(item, scratch, half, contacts);
    sort(item + half, scratch, count - half, contacts);
    for (int k = 0; k < count; k++) {
        bool left = j == count || (i < half && compare(&item[i], &item[j], contacts) <= 0);
        scratch[k] = item[left ? i++ : j++];
    }
    memcpy(item, scratch, (size_t)count * sizeof *item);
}

static bool allocate(collection *found) {
    face_list *faces = &found->faces;
    faces->room = SCREE_EQUILIBRIUM_PIECES;
    faces->slots = 1 << 16;
    faces->zeros = calloc((size_t)faces->room, sizeof *faces->zeros);
    faces->slot = calloc((size_t)faces->slots, sizeof *faces->slot);
    found->freedom = calloc((size_t)faces->room, sizeof *found->freedom);
    found->set->owner = calloc(1, sizeof(scree_arena));
    return faces->zeros && faces->slot && found->freedom && found->set->owner;
}

// K that has directions without resistance, but none that is negative
static scree_status prepare(collection *found, scree_response *response, double tolerance,
                            scree_error *err) {
    stiffened *own = &found->stiffened;
    size_t n = (size_t)found->system->coordinates;
    scree_status status = scree_response_find(found->system, tolerance, response, err);
    found->set->tolerance = response->tolerance;
    if (status != SCREE_BAD_INPUT || !response->size) return status;
    own->K = calloc(n * n, sizeof *own->K);
    own->F = calloc(n, sizeof *own->F);
    own->z = calloc(n * n, sizeof *own->z);
    if (!own->K || !own->F || !own->z) return scree_fail_memory(err, "equilibria");
    if (scree_semidefinite_null(found->system->stiffness, (int)n, own->z) <= 0) return status;
    own->needed = true;
    found->response = &own->response;
    return SCREE_OK;
}

static void discard(collection *found) {
    free(found->faces.zeros);
    free(found->faces.slot);
    free(found->freedom);
    scree_generators_free(&found->generators);
    scree_response_free(&found->stiffened.response);
    free(found->stiffened.K);
    free(found->stiffened.F);
    free(found->stiffened.z);
}

scree_status scree_equilibria_find(const scree_equilibrium_system *system, double tolerance,
                                   scree_equilibria *set, scree_error *err) {
    *set = (scree_equilibria){ .coordinates = system->coordinates, .contacts = system->contacts };
    scree_response response = { 0 };
    collection found = { .system = system, .response = &response, .set = set };
    scree_status status = prepare(&found, &response, tolerance, err);
    if (!status && !allocate(&found)) status = scree_fail_memory(err, "equilibria");
    if (!status) status = search(&found, err);
    scree_equilibrium *scratch = calloc((size_t)set->count + 1, sizeof *scratch);
    if (!status && !scratch) status = scree_fail_memory(err, "equilibria");
    if (!status) sort(set->item, scratch, set->count, set->contacts);
    free(scratch);
    discard(&found);
    scree_response_free(&response);
    if (status) scree_equilibria_free(set);
    return status;
}

void scree_equilibria_free(scree_equilibria *set) {
    if (set->owner) scree_arena_free(set->owner);
    free(set->owner);
    free(set->item);
    *set = (scree_equilibria){ 0 };
}

// a, b and the free gap of the one contact; mu: for which a and mu b are of one size, so that both
// have all digits
static scree_status find_critical(const scree_equilibrium_system *system, double tolerance,
                                  double mu, scree_rest_critical *critical, scree_error *err) {
    scree_response response = { 0 };
    scree_equilibrium_system other = *system;
    other.mu = &mu;
    scree_status status = scree_response_find(&other, tolerance, &response, err);
    if (!status) {
        long double sum = response.row[1], difference = response.row[2];
        long double a = (sum + difference) / 2, b = (sum - difference) / 2;
        bool none = fabsl(b) <= response.tolerance * fabsl(a);
        critical->normal = (double)a;
        critical->tangential = none ? 0 : (double)(b / mu);
        critical->friction = none ? HUGE_VAL : (double)(mu * a / fabsl(b));
        critical->free_gap = (double)response.row[0];
    }
    scree_response_free(&response);
    return status;
}

static scree_status no_critical(scree_error *err) {
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                      "only one contact of a system with stiffness has critical values");
}

scree_status scree_rest_critical_of(const scree_equilibrium_system *system, double tolerance,
                                    scree_rest_critical *critical, scree_error *err) {
    if (system->contacts != 1 || !system->stiffness) return no_critical(err);
    scree_status status = find_critical(system, tolerance, 1, critical, err);
    if (status) return status;
    double mu = critical->friction;
    return !isfinite(mu) || !(mu > 0) ? SCREE_OK
                                      : find_critical(system, tolerance, mu, critical, err);
}

scree_status scree_rest_critical_loads(const scree_equilibrium_system *system, double tolerance,
                                       double *load, scree_error *err) {
    scree_rest_critical critical;
    size_t n = (size_t)system->coordinates;
    double largest = 0;
    scree_status status = scree_rest_critical_of(system, tolerance, &critical, err);
    if (status) return status;
    double *L = malloc(n * n * sizeof *L);
    if (!L) return scree_fail_memory(err, "equilibria");
    memcpy(L, system->stiffness, n * n * sizeof *L);
    if (scree_dense_cholesky(L, system->coordinates)) {
        status = no_critical(err);
    } else {
        memcpy(load, system->normal, n * sizeof *load);
        scree_dense_solve(L, system->coordinates, load);
        for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(load[i]));
        for (size_t i = 0; i < n; i++)
            load[i] = fabs(load[i]) <= tolerance * largest
                          ? (double)NAN
                          : system->load[i] - critical.free_gap / load[i];
    }
    free(L);
    return status;
}
