// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// equilibria_grid.c - kinds of equilibria over one or two parameters.
// in: a study, axes.   out: the kind of the set at every point; of one axis where it changes.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/study.h"

enum { KINDS_MAX = 1000, LABEL = 400 };

typedef struct sweep {
    const scree_study *study;
    const scree_axis *axis;  // as given
    scree_axis
        named[SCREE_AXES];  // those that are parameters of the scene; the others without name
    int axes;
    double tolerance;
    scree_equilibria_grid *grid;
    scree_findings *findings;
} sweep;

// ---- one point ----

// the particle's A, through its tangential load
static scree_status set_A(const scree_simulation *simulation, double A, double tolerance,
                          scree_equilibrium_system *system, double load[2], scree_error *err) {
    scree_klarbring p;
    if (!scree_klarbring_of(scree_simulation_model(simulation), system, tolerance, &p) || p.W == 0)
        return scree_fail(
            err, SCREE_BAD_INPUT, SCREE_NOWHERE,
            "there is no parameter A, and only Klarbring's particle with W != 0 has an A");
    double more = (p.KT * p.FN - A) / p.W - p.FT;
    for (int k = 0; k < 2; k++) load[k] = system->load[k] + more * system->tangent[k];
    system->load = load;
    return SCREE_OK;
}

static scree_status find_at(sweep *s, const double *value, scree_equilibria *set,
                            scree_error *err) {
    scree_equilibrium_system system = { 0 };
    double load[2];
    scree_simulation *simulation = scree_grid_open(s->study, s->named, s->axes, value, s->findings);
    scree_status status = simulation ? scree_equilibrium_system_new(
                                           scree_simulation_model(simulation),
                                           scree_simulation_options(simulation), &system, err)
                                     : scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "%s",
                                                  scree_study_mistake(s->findings));
    for (int a = 0; !status && a < s->axes; a++)
        if (!s->named[a].name)
            status = set_A(simulation, value[a], s->tolerance, &system, load, err);
    if (!status) status = scree_equilibria_find(&system, s->tolerance, set, err);
    scree_equilibrium_system_free(&system);
    scree_simulation_free(simulation);
    return status;
}

// ---- kinds ----

static void add_text(char *buffer, size_t size, const char *text) {
    size_t used = strlen(buffer);
    snprintf(buffer + used, size - used, "%s", text);
}

// statuses and families without numbers
static void describe(const scree_equilibria *set, char *buffer, size_t size) {
    buffer[0] = '\0';
    if (set->count == 0) snprintf(buffer, size, "none");
    for (int i = 0; i < set->count && strlen(buffer) < size - 1; i++) {
        const scree_equilibrium *piece = &set->item[i];
        if (i) add_text(buffer, size, " + ");
        for (int c = 0; c < set->contacts; c++) {
            if (c) add_text(buffer, size, "/");
            add_text(buffer, size, scree_rest_name(piece->status[c]));
        }
        // a free or grazing particle can only be a point
        if (set->contacts == 1 && piece->status[0] <= SCREE_REST_GRAZING) continue;
        add_text(buffer, size, " ");
        add_text(buffer, size, scree_equilibrium_family(piece));
    }
}

// the number of a kind, new ones at the end
static scree_status number_kind(scree_equilibria_grid *g, const scree_equilibria *set, int *kind,
                                scree_error *err) {
    char text[LABEL];
    describe(set, text, sizeof text);
    for (*kind = 0; *kind < g->kinds; ++*kind)
        if (strcmp(g->label[*kind], text) == 0) return SCREE_OK;
    if (g->kinds == KINDS_MAX || !(g->label[g->kinds] = strdup(text)))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the sweep meets more than %d kinds of equilibria", KINDS_MAX);
    g->kinds++;
    return SCREE_OK;
}

static scree_status kind_at(void *data, double value, int *kind, scree_error *err) {
    sweep *s = data;
    scree_equilibria set = { 0 };
    scree_status status = find_at(s, &value, &set, err);
    if (!status) status = number_kind(s->grid, &set, kind, err);
    scree_equilibria_free(&set);
    return status;
}

static scree_status evaluate_point(sweep *s, int point, scree_error *err) {
    scree_equilibria_grid *g = s->grid;
    double value[SCREE_AXES], low = HUGE_VAL, high = 0;
    scree_equilibria set = { 0 };
    scree_grid_values(s->axis, s->axes, point, value);
    scree_status status = find_at(s, value, &set, err);
    if (!status) status = number_kind(g, &set, &g->kind[point], err);
    for (int i = 0; !status && i < set.count; i++)
        for (int c = 0; c < set.contacts; c++) {
            low = fmin(low, set.item[i].rn[2 * c]);
            high = fmax(high, set.item[i].rn[2 * c + 1]);
        }
    g->pieces[point] = set.count;
    g->low[point] = set.count ? low : (double)NAN;
    g->high[point] = set.count ? high : (double)NAN;
    scree_equilibria_free(&set);
    return status;
}

// ---- the whole of it ----

static bool allocate(scree_equilibria_grid *g, int axes) {
    size_t n = (size_t)g->points;
    g->kind = calloc(n, sizeof *g->kind);
    g->pieces = calloc(n, sizeof *g->pieces);
    g->low = calloc(n, sizeof *g->low);
    g->high = calloc(n, sizeof *g->high);
    g->label = calloc(KINDS_MAX, sizeof *g->label);
    g->critical = calloc(axes == 1 ? n * SCREE_CHANGES : 1, sizeof *g->critical);
    return g->kind && g->pieces && g->low && g->high && g->label && g->critical;
}

void scree_equilibria_grid_free(scree_equilibria_grid *grid) {
    for (int k = 0; k < grid->kinds; k++) free(grid->label[k]);
    free(grid->kind);
    free(grid->pieces);
    free(grid->low);
    free(grid->high);
    free(grid->label);
    free(grid->critical);
    *grid = (scree_equilibria_grid){ 0 };
}

// is A a parameter of the scene, or the particle's?
static bool is_particles(const scree_study *study, const char *name) {
    const char *own[] = { "parameters.A=0" };
    scree_findings findings = { 0 };
    if (strcmp(name, "A") != 0) return false;
    scree_simulation_free(scree_study_open(study, own, 1, &findings));
    bool unknown = findings.count > 0;
    scree_findings_free(&findings);
    return unknown;
}

scree_status scree_equilibria_grid_find(const scree_study *study, const scree_axis *axis, int axes,
                                        double tolerance, scree_equilibria_grid *grid,
                                        scree_findings *findings, scree_error *err) {
    sweep s = { study, axis, .axes = axes, tolerance, grid, findings };
    scree_status status = SCREE_OK;
    *grid = (scree_equilibria_grid){ .points = scree_grid_points(axis, axes) };
    for (int a = 0; a < axes; a++) {
        s.named[a] = axis[a];
        if (is_particles(study, axis[a].name)) s.named[a].name = NULL;
    }
    if (!allocate(grid, axes)) return scree_fail_memory(err, NULL);
    for (int p = 0; !status && p < grid->points; p++) {
        status = evaluate_point(&s, p, err);
        if (!status && scree_study_progress(study, "points", p + 1, grid->points))
            status = scree_fail(err, SCREE_INTERRUPTED, SCREE_NOWHERE, "stopped before the end");
    }
    if (status || axes != 1) return status;
    return scree_bisection_find(kind_at, &s, axis->value, grid->kind, axis->count, grid->critical,
                                &grid->criticals, err);
}
