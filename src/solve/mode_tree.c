// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mode_tree.c - branch and bound over contact modes, depth first, with two cuts: a partial choice
// whose polyhedron is empty is left, and where one status of a unit demands nothing that does not
// hold anyhow, the others are parts of it.

#include "solve/mode_tree.h"

#include <math.h>

typedef struct walk {
    scree_mode_tree *search;
    scree_tableau *tableau;  // one for each depth
    double *value;           // scratch (unknowns + rows)
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

static bool has_status(const scree_mode_unit *unit, const double *value, double tolerance) {
    for (int c = 0; c < unit->choices; c++) {
        const scree_mode_choice *choice = &unit->choice[c];
        bool satisfied = true;
        for (int k = 0; k < choice->settings; k++)
            satisfied = satisfied && is_on(choice->setting[k].side,
                                           value[choice->setting[k].variable], tolerance);
        if (satisfied) return true;
    }
    return false;
}

bool scree_mode_tree_is_solution(const scree_tableau *tableau, double *value) {
    const scree_mode_problem *modes = tableau->modes;
    scree_tableau_values(tableau, value);
    for (int u = 0; u < modes->units; u++)
        if (!has_status(&modes->unit[u], value, modes->tolerance)) return false;
    return true;
}

// the first open unit that contradicts complementarity, else the first open one; -1: none is open
static int next_unit(const scree_tableau *tableau, double *value) {
    const scree_mode_problem *modes = tableau->modes;
    int first = -1;
    scree_tableau_values(tableau, value);
    for (int u = 0; u < modes->units; u++) {
        if (tableau->decided[u]) continue;
        if (!has_status(&modes->unit[u], value, modes->tolerance)) return u;
        if (first < 0) first = u;
    }
    return first;
}

// does the choice hold in all of the node's polyhedron?
static bool holds_anyhow(const scree_tableau *tableau, const scree_mode_choice *choice) {
    for (int k = 0; k < choice->settings; k++) {
        int variable = choice->setting[k].variable;
        if (tableau->side[variable] == choice->setting[k].side) continue;
        if (!scree_tableau_vanishes(tableau, variable)) return false;
    }
    return true;
}

static void choose(scree_tableau *tableau, int unit, const scree_mode_choice *choice) {
    for (int k = 0; k < choice->settings; k++) {
        scree_side *side = &tableau->side[choice->setting[k].variable];
        if (*side != SCREE_SIDE_ZERO) *side = choice->setting[k].side;
    }
    tableau->decided[unit] = 1;
}

static void descend(walk *w, int depth) {
    scree_tableau *tableau = &w->tableau[depth];
    const scree_mode_problem *modes = tableau->modes;
    int unit = next_unit(tableau, w->value);
    scree_tree_action advice = w->search->visit(w->search->context, tableau, unit < 0);
    if (advice == SCREE_TREE_STOP) w->stop = true;
    if (advice != SCREE_TREE_DESCEND || unit < 0) return;

    const scree_mode_unit *branch = &modes->unit[unit];
    int only = -1;
    for (int c = 0; c < branch->choices && only < 0; c++)
        if (holds_anyhow(tableau, &branch->choice[c])) only = c;
    for (int c = 0; c < branch->choices && !w->stop; c++) {
        if (only >= 0 && c != only) continue;
        if (w->search->systems >= w->search->budget) {
            w->search->exhausted = w->stop = true;
            return;
        }
        scree_tableau *child = &w->tableau[depth + 1];
        scree_tableau_copy(tableau, child);
        choose(child, unit, &branch->choice[c]);
        w->search->systems++;
        if (scree_tableau_dual_simplex(child) < 0) descend(w, depth + 1);
    }
}

bool scree_mode_tree_run(const scree_mode_problem *modes, scree_mode_tree *search,
                         scree_arena *arena) {
    walk w = { .search = search,
               .tableau = SCREE_NEW(arena, scree_tableau, modes->units + 1),
               .value = SCREE_NEW(arena, double, modes->unknowns + modes->rows) };
    if (!w.tableau || !w.value) return false;
    for (int depth = 0; depth <= modes->units; depth++)
        if (!scree_tableau_create(modes, arena, &w.tableau[depth])) return false;

    scree_tableau_begin(&w.tableau[0]);
    search->systems = 1;
    if (scree_tableau_dual_simplex(&w.tableau[0]) < 0) descend(&w, 0);
    return true;
}
