// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// search.c - depth first, with two cuts: a partial choice whose polyhedron is empty is left, and
// where one status of a unit demands nothing that does not hold anyhow, the others are parts of it.

#include "solve/search.h"

#include <math.h>

typedef struct walk {
    scree_search *search;
    scree_node *node;  // one for each depth
    double *value;     // scratch (unknowns + rows)
    bool stop;
} walk;

static bool is_on(scree_side side, double value, double tolerance) {
    switch (side) {
        case SCREE_SIDE_FREE:
            return true;
        case SCREE_SIDE_UP:
            return value >= -tolerance;
        case SCREE_SIDE_DOWN:
            return value <= tolerance;
        case SCREE_SIDE_ZERO:
            return fabs(value) <= tolerance;
    }
    return false;
}

static bool has_status(const scree_unit *unit, const double *value, double tolerance) {
    for (int c = 0; c < unit->choices; c++) {
        const scree_choice *choice = &unit->choice[c];
        bool satisfied = true;
        for (int k = 0; k < choice->settings; k++)
            satisfied = satisfied && is_on(choice->setting[k].side,
                                           value[choice->setting[k].variable], tolerance);
        if (satisfied) return true;
    }
    return false;
}

bool scree_search_is_solution(const scree_node *node, double *value) {
    const scree_cells *cells = node->cells;
    scree_node_values(node, value);
    for (int u = 0; u < cells->units; u++)
        if (!has_status(&cells->unit[u], value, cells->tolerance)) return false;
    return true;
}

// the first open unit that contradicts complementarity, else the first open one; -1: none is open
static int next_unit(const scree_node *node, double *value) {
    const scree_cells *cells = node->cells;
    int first = -1;
    scree_node_values(node, value);
    for (int u = 0; u < cells->units; u++) {
        if (node->decided[u]) continue;
        if (!has_status(&cells->unit[u], value, cells->tolerance)) return u;
        if (first < 0) first = u;
    }
    return first;
}

// does the choice hold in all of the node's polyhedron?
static bool holds_anyhow(const scree_node *node, const scree_choice *choice) {
    for (int k = 0; k < choice->settings; k++) {
        int variable = choice->setting[k].variable;
        if (node->side[variable] == choice->setting[k].side) continue;
        if (!scree_node_vanishes(node, variable)) return false;
    }
    return true;
}

static void choose(scree_node *node, int unit, const scree_choice *choice) {
    for (int k = 0; k < choice->settings; k++) {
        scree_side *side = &node->side[choice->setting[k].variable];
        if (*side != SCREE_SIDE_ZERO) *side = choice->setting[k].side;
    }
    node->decided[unit] = 1;
}

static void descend(walk *w, int depth) {
    scree_node *node = &w->node[depth];
    const scree_cells *cells = node->cells;
    int unit = next_unit(node, w->value);
    scree_advice advice = w->search->look(w->search->context, node, unit < 0);
    if (advice == SCREE_SEARCH_STOP) w->stop = true;
    if (advice != SCREE_SEARCH_ON || unit < 0) return;

    const scree_unit *branch = &cells->unit[unit];
    int only = -1;
    for (int c = 0; c < branch->choices && only < 0; c++)
        if (holds_anyhow(node, &branch->choice[c])) only = c;
    for (int c = 0; c < branch->choices && !w->stop; c++) {
        if (only >= 0 && c != only) continue;
        if (w->search->systems >= w->search->budget) {
            w->search->exhausted = w->stop = true;
            return;
        }
        scree_node *child = &w->node[depth + 1];
        scree_node_copy(node, child);
        choose(child, unit, &branch->choice[c]);
        w->search->systems++;
        if (scree_node_settle(child) < 0) descend(w, depth + 1);
    }
}

bool scree_search_run(const scree_cells *cells, scree_search *search, scree_arena *arena) {
    walk w = { .search = search,
               .node = SCREE_NEW(arena, scree_node, cells->units + 1),
               .value = SCREE_NEW(arena, double, cells->unknowns + cells->rows) };
    if (!w.node || !w.value) return false;
    for (int depth = 0; depth <= cells->units; depth++)
        if (!scree_node_create(cells, arena, &w.node[depth])) return false;

    scree_node_begin(&w.node[0]);
    search->systems = 1;
    if (scree_node_settle(&w.node[0]) < 0) descend(&w, 0);
    return true;
}
