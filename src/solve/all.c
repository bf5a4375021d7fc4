// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// all.c - every solution of a small LCP or planar contact problem.
// in: the problem.   out: points and convex families, or a proof that there are none.
//
// The search of mode_tree.h brings the polyhedra of all combinations of statuses; what is left when
// those that lie in others have been dropped is the answer (see double_description.h).

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "scree/lcp.h"
#include "solve/double_description.h"
#include "solve/farkas.h"
#include "solve/mode_tree.h"

enum { SETS_MAX = 10000 };

static const double BUDGET = 1e9;  // systems x entries of each: half a minute or so

typedef struct collection {
    const scree_mode_problem *modes;
    scree_arena *kept, *scratch;
    scree_polyhedron *polyhedron;
    int faces, room;
    bool too_many, too_large, no_memory;
} collection;

// -------------------------------------------------------------------------------------------------
// collecting

static bool copy_face(const scree_mode_problem *modes, const scree_polyhedron *from,
                      scree_arena *arena, scree_polyhedron *to) {
    size_t width = (size_t)(modes->unknowns + modes->rows), count = (size_t)from->count;
    *to = (scree_polyhedron){ .freedom = from->freedom,
                              .count = from->count,
                              .value = SCREE_NEW(arena, double, (count * width)),
                              .is_ray = SCREE_NEW(arena, bool, count),
                              .side = SCREE_NEW(arena, scree_side, width) };
    if (!to->value || !to->is_ray || !to->side) return false;
    memcpy(to->value, from->value, count * width * sizeof *to->value);
    memcpy(to->is_ray, from->is_ray, count * sizeof *to->is_ray);
    memcpy(to->side, from->side, width * sizeof *to->side);
    return true;
}

static bool make_room(collection *found) {
    if (found->faces < found->room) return true;
    int room = found->room ? 2 * found->room : 64;
    scree_polyhedron *polyhedron = realloc(found->polyhedron, (size_t)room * sizeof *polyhedron);
    if (!polyhedron) return false;
    found->polyhedron = polyhedron;
    found->room = room;
    return true;
}

static void add(collection *found, const scree_polyhedron *polyhedron) {
    for (int i = 0; i < found->faces; i++)
        if (scree_polyhedron_contains(found->modes, &found->polyhedron[i], polyhedron)) return;
    int kept = 0;
    for (int i = 0; i < found->faces; i++)
        if (polyhedron->freedom == 0 ||
            !scree_polyhedron_contains(found->modes, polyhedron, &found->polyhedron[i]))
            found->polyhedron[kept++] = found->polyhedron[i];
    found->faces = kept;
    if (found->faces == SETS_MAX)
        found->too_many = true;
    else if (!make_room(found) ||
             !copy_face(found->modes, polyhedron, found->kept, &found->polyhedron[found->faces]))
        found->no_memory = true;
    else
        found->faces++;
}

static scree_tree_action visit(void *context, scree_tableau *tableau, bool leaf) {
    collection *found = context;
    for (int i = 0; i < found->faces; i++)
        if (found->polyhedron[i].freedom > 0 &&
            scree_polyhedron_covers(&found->polyhedron[i], tableau))
            return SCREE_TREE_SKIP;
    if (!leaf || !scree_tableau_refactor(tableau)) return SCREE_TREE_DESCEND;

    scree_polyhedron polyhedron;
    scree_arena_mark mark = scree_arena_mark_of(found->scratch);
    scree_polyhedron_result result = scree_polyhedron_of(tableau, found->scratch, &polyhedron);
    if (result == SCREE_POLYHEDRON_FOUND) add(found, &polyhedron);
    found->too_large = found->too_large || result == SCREE_POLYHEDRON_TOO_LARGE;
    found->no_memory = found->no_memory || result == SCREE_POLYHEDRON_NO_MEMORY;
    scree_arena_release(found->scratch, mark);
    return found->too_many || found->too_large || found->no_memory ? SCREE_TREE_STOP
                                                                   : SCREE_TREE_DESCEND;
}

// -------------------------------------------------------------------------------------------------
// results

// rank of a status where several hold: open before slip before stick
static int rank_of(scree_pattern pattern) {
    switch (pattern) {
        case SCREE_PATTERN_OPEN:
            return 0;
        case SCREE_PATTERN_SLIP_PLUS:
            return 1;
        case SCREE_PATTERN_SLIP_MINUS:
            return 2;
        default:
            return 3;
    }
}

static bool holds(const scree_mode_problem *modes, const scree_mode_choice *choice,
                  const double *value) {
    for (int k = 0; k < choice->settings; k++) {
        int variable = choice->setting[k].variable;
        double sign = value[variable] > 0 ? 1 : -1;
        if (scree_polyhedron_is_zero(modes, value, variable)) continue;
        if (choice->setting[k].side != (sign > 0 ? SCREE_SIDE_UP : SCREE_SIDE_DOWN)) return false;
    }
    return true;
}

static scree_pattern status_at(const scree_mode_problem *modes, int unit, const double *value) {
    const scree_mode_unit *u = &modes->unit[unit];
    int best = -1;
    for (int c = 0; c < u->choices; c++)
        if (holds(modes, &u->choice[c], value) &&
            (best < 0 || rank_of(u->choice[c].pattern) < rank_of(u->choice[best].pattern)))
            best = c;
    return u->choice[best < 0 ? 0 : best].pattern;
}

// A contact without friction slips whichever way it moves: p_T = 0 = +-mu p_N. Its statuses do not
// tell the direction.
static void direct_smooth_slip(const scree_problem *problem, const double *p, double *s,
                               int *pattern) {
    scree_problem_velocity(problem, p, s);
    double largest = 0;
    for (int k = 0; k < 2 * problem->contacts; k++) largest = fmax(largest, fabs(s[k]));
    for (int i = 0; i < problem->contacts; i++)
        if (problem->mu[i] == 0 && pattern[i] == SCREE_PATTERN_SLIP_PLUS &&
            s[2 * i + 1] > 1e-12 * largest)
            pattern[i] = SCREE_PATTERN_SLIP_MINUS;
}

static void scale_to_one(double *x, int count) {
    double largest = 0;
    for (int k = 0; k < count; k++) largest = fmax(largest, fabs(x[k]));
    for (int k = 0; k < count && largest > 0; k++) x[k] /= largest;
}

static bool write_solution(const scree_mode_problem *modes, const scree_problem *problem,
                           const scree_polyhedron *polyhedron, scree_arena *arena, double *scratch,
                           scree_solution *solution) {
    int width = modes->unknowns + modes->rows, rays = 0;
    size_t size = (size_t)modes->numbers;
    for (int i = 0; i < polyhedron->count; i++) rays += polyhedron->is_ray[i];
    *solution = (scree_solution){
        .pattern = SCREE_NEW(arena, int, modes->units),
        .freedom = polyhedron->freedom,
        .vertex = SCREE_NEW(arena, double, (size_t)(polyhedron->count - rays) * size),
        .ray = SCREE_NEW(arena, double, ((size_t)rays * size)),
    };
    if (!solution->pattern || !solution->vertex || !solution->ray) return false;
    for (int i = 0; i < polyhedron->count; i++) {
        const double *value = polyhedron->value + (size_t)i * (size_t)width;
        bool ray = polyhedron->is_ray[i];
        double *x = ray ? solution->ray + (size_t)solution->rays++ * size
                        : solution->vertex + (size_t)solution->vertices++ * size;
        scree_mode_problem_answer(modes, value, ray ? 0 : 1, x);
        if (ray) scale_to_one(x, modes->numbers);
    }
    double *middle = scratch, *x = middle + width, *s = x + size;
    scree_polyhedron_middle(modes, polyhedron, middle);
    for (int u = 0; u < modes->units; u++) solution->pattern[u] = (int)status_at(modes, u, middle);
    scree_mode_problem_answer(modes, middle, 1, x);
    if (problem) direct_smooth_slip(problem, x, s, solution->pattern);
    return true;
}

static int compare_patterns(const int *one, const int *two, int units) {
    for (int u = 0; u < units; u++)
        if (one[u] != two[u]) return one[u] < two[u] ? -1 : 1;
    return 0;
}

// in the order of their patterns; equal ones stay as they were found
static void sort(scree_solution *solution, int count, int units) {
    for (int i = 1; i < count; i++) {
        scree_solution moved = solution[i];
        int at = i;
        for (; at > 0 && compare_patterns(solution[at - 1].pattern, moved.pattern, units) > 0; at--)
            solution[at] = solution[at - 1];
        solution[at] = moved;
    }
}

static scree_status write_set(const collection *found, const scree_problem *problem,
                              scree_solution_set *set, scree_error *err) {
    const scree_mode_problem *modes = found->modes;
    scree_arena *arena = set->owner;
    double *scratch =
        SCREE_NEW(found->scratch, double, modes->unknowns + modes->rows + 2 * modes->numbers);
    set->solution = SCREE_NEW(arena, scree_solution, found->faces);
    if (!scratch || !set->solution) return scree_fail_memory(err, "all solutions");
    for (int i = 0; i < found->faces; i++)
        if (!write_solution(modes, problem, &found->polyhedron[i], arena, scratch,
                            &set->solution[i]))
            return scree_fail_memory(err, "all solutions");
    set->solutions = found->faces;
    sort(set->solution, set->solutions, modes->units);
    return SCREE_OK;
}

// -------------------------------------------------------------------------------------------------
// the whole of it

static scree_status explain(const collection *found, const scree_mode_tree *search,
                            scree_error *err) {
    if (found->no_memory) return scree_fail_memory(err, "all solutions");
    if (search->exhausted)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "too many combinations: %ld were looked at, which is the limit, and some "
                          "are left",
                          search->systems);
    if (found->too_many)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "there are more than %d separate solutions", SETS_MAX);
    if (found->too_large)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "a family of solutions has more than %d vertices and rays",
                          SCREE_POLYHEDRON_GENERATORS);
    return SCREE_OK;
}

// none at all: a proof, if there is one
static scree_status certify(const scree_mode_problem *modes, scree_arena *scratch,
                            scree_solution_set *set, scree_error *err) {
    double *certificate = SCREE_NEW((scree_arena *)set->owner, double, modes->numbers);
    if (!certificate || !scree_farkas_find(modes, scratch, certificate, &set->certified_none))
        return scree_fail_memory(err, "all solutions");
    if (set->certified_none) set->certificate = certificate;
    return SCREE_OK;
}

static scree_status find_all(const scree_mode_problem *modes, const scree_problem *problem,
                             scree_arena *kept, scree_solution_set *set, scree_error *err) {
    scree_arena scratch = { 0 };
    collection found = { .modes = modes, .kept = kept, .scratch = &scratch };
    scree_mode_tree search = { .visit = visit,
                               .context = &found,
                               .budget = (long)(BUDGET / (1 + modes->rows * modes->unknowns)) };
    if (!scree_mode_tree_run(modes, &search, kept)) found.no_memory = true;
    set->systems = search.systems;
    scree_status status = explain(&found, &search, err);
    if (status == SCREE_OK) status = write_set(&found, problem, set, err);
    if (status == SCREE_OK && found.faces == 0) status = certify(modes, kept, set, err);
    free(found.polyhedron);
    scree_arena_free(&scratch);
    return status;
}

static double usable(double tolerance) { return fmin(fmax(tolerance, 1e-13), 1e-6); }

static scree_status begin_set(int size, scree_solution_set *set, scree_error *err) {
    *set = (scree_solution_set){ .size = size, .owner = calloc(1, sizeof(scree_arena)) };
    return set->owner ? SCREE_OK : scree_fail_memory(err, "all solutions");
}

static scree_status end_set(scree_status status, scree_arena *kept, scree_solution_set *set) {
    scree_arena_free(kept);
    if (status != SCREE_OK) scree_solution_set_free(set);
    return status;
}

scree_status scree_lcp_all(const scree_lcp *lcp, double tolerance, scree_solution_set *set,
                           scree_error *err) {
    scree_mode_problem modes;
    scree_arena kept = { 0 };
    size_t n = (size_t)lcp->size;
    scree_status status = begin_set(lcp->size, set, err);
    if (status == SCREE_OK &&
        (!scree_dense_finite(lcp->M, n * n) || !scree_dense_finite(lcp->q, n)))
        status = scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                            "the LCP holds a number that is not finite");
    if (status == SCREE_OK && n > SCREE_MODE_UNKNOWNS)
        status = scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                            "all solutions can be found of LCPs up to size %d; this one has %d",
                            SCREE_MODE_UNKNOWNS, lcp->size);
    if (status == SCREE_OK && !scree_mode_problem_of_lcp(lcp, usable(tolerance), &kept, &modes))
        status = scree_fail_memory(err, "all solutions");
    if (status == SCREE_OK) status = find_all(&modes, NULL, &kept, set, err);
    // z is zero where it is below that by the tolerance
    for (int i = 0; status == SCREE_OK && i < set->solutions; i++)
        for (size_t k = 0; k < n * (size_t)set->solution[i].vertices; k++)
            set->solution[i].vertex[k] = fmax(set->solution[i].vertex[k], 0);
    return end_set(status, &kept, set);
}

static bool is_sound(const scree_problem *problem) {
    size_t nc = (size_t)problem->contacts, d = (size_t)problem->dimension;
    for (size_t i = 0; i < nc; i++)
        if (!(problem->mu[i] >= 0)) return false;
    return scree_dense_finite(problem->block, (size_t)problem->row[nc] * d * d) &&
           scree_dense_finite(problem->b, nc * d) && scree_dense_finite(problem->mu, nc);
}

static scree_status check_size(const scree_problem *problem, scree_error *err) {
    if (problem->dimension != 2)
        return scree_fail(
            err, SCREE_BAD_INPUT, SCREE_NOWHERE,
            "all solutions can be found of planar problems; this one has dimension %d",
            problem->dimension);
    if (problem->contacts > SCREE_MODE_CONTACTS)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "all solutions can be found of up to %d contacts; this problem has %d",
                          SCREE_MODE_CONTACTS, problem->contacts);
    return SCREE_OK;
}

scree_status scree_solve_all(const scree_problem *problem, double tolerance,
                             scree_solution_set *set, scree_error *err) {
    scree_mode_problem modes;
    scree_arena kept = { 0 };
    scree_status status = begin_set(2 * problem->contacts, set, err);
    if (status == SCREE_OK && !is_sound(problem))
        status = scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                            "the problem holds a number that is not finite, or a negative friction "
                            "coefficient");
    if (status == SCREE_OK && problem->limit)
        status = scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                            "all solutions are not sought where rows of joints have limits");
    if (status == SCREE_OK) status = check_size(problem, err);
    if (status == SCREE_OK &&
        !scree_mode_problem_of_problem(problem, usable(tolerance), &kept, &modes))
        status = scree_fail_memory(err, "all solutions");
    if (status == SCREE_OK) status = find_all(&modes, problem, &kept, set, err);
    return end_set(status, &kept, set);
}

void scree_solution_set_free(scree_solution_set *set) {
    if (set->owner) scree_arena_free(set->owner);
    free(set->owner);
    *set = (scree_solution_set){ 0 };
}
