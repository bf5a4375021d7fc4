// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mechanics.c - the formulas of a mechanism as functions with exact derivatives.
// in: section mechanism, read and checked.   out: scree_mechanism_def, evaluated without
// allocation.
//
// Derivatives come along one coordinate at a time (expression.h). Formulas that a coordinate does
// not occur in are left out on its turn.

#include <string.h>

#include "scene/expression.h"
#include "scene/scene.h"
#include "scree/mechanism.h"

enum {
    N = SCREE_MECHANISM_COORDINATES,
    C = SCREE_MECHANISM_CONTACTS,
    VARIABLES = 2 * N + SCREE_DEFINITIONS_MAX,
};

typedef struct formula {
    const scree_expression *expression;  // NULL: zero
    uint64_t coordinates;                // that it depends on, also through definitions
} formula;

typedef struct formulas {
    int n, definitions;
    formula definition[SCREE_DEFINITIONS_MAX];
    formula mass[N * N], potential, force[N], gap[C], slip[C], across[C];
    scree_law law[C];
    const char *name[C];
    double rest[N];  // zeros, where no position or velocity is given
    scree_mechanism_def mechanics;
} formulas;

// -------------------------------------------------------------------------------------------------
// values and derivatives

// coordinates and definitions at q with their rates along coordinate k; on turns after the first
// one the values of definitions are there
static void turn_to(const formulas *f, const double *q, int k, scree_dual *variable) {
    for (int i = 0; i < f->n; i++) variable[i] = (scree_dual){ q[i], i == k };
    for (int d = 0; d < f->definitions; d++) {
        scree_dual *own = &variable[f->n + d];
        if (k == 0 || f->definition[d].coordinates >> k & 1)
            *own = scree_expression_along(f->definition[d].expression, 0, variable);
        else
            own->rate = 0;
    }
}

// value on the first turn, the derivative along k on every one
static double along(const formula *f, int k, double t, const scree_dual *variable, double *value) {
    if (k == 0) *value = 0;
    if (!f->expression || (k > 0 && !(f->coordinates >> k & 1))) return 0;
    scree_dual dual = scree_expression_along(f->expression, t, variable);
    *value = dual.value;
    return dual.rate;
}

// one triangle is taken for both
static void mass_at(const void *self, const double *q, double *M, double *dM) {
    const formulas *f = self;
    int n = f->n;
    scree_dual variable[VARIABLES];
    for (int k = 0; k < n; k++) {
        double *rate = dM + (long)k * n * n;
        turn_to(f, q, k, variable);
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++) {
                int at = i * n + j, mirrored = j * n + i;
                rate[at] = rate[mirrored] = along(&f->mass[at], k, 0, variable, &M[at]);
                M[mirrored] = M[at];
            }
    }
}

static double potential_at(const void *self, const double *q, double *gradient) {
    const formulas *f = self;
    scree_dual variable[VARIABLES];
    double value = 0;
    for (int k = 0; k < f->n; k++) {
        turn_to(f, q, k, variable);
        gradient[k] = along(&f->potential, k, 0, variable, &value);
    }
    return value;
}

static void force_at(const void *self, double t, const double *q, const double *v, double *Q) {
    const formulas *f = self;
    scree_dual variable[VARIABLES];
    turn_to(f, q, 0, variable);
    for (int i = 0; i < f->n; i++) variable[f->n + f->definitions + i] = (scree_dual){ v[i], 0 };
    for (int i = 0; i < f->n; i++)
        Q[i] = scree_expression_along(f->force[i].expression, t, variable).value;
}

// how it changes with t alone; variables are at a place
static double rate_of(const formulas *f, const formula *of, double t, scree_dual *variable) {
    for (int i = 0; i < f->n + f->definitions; i++) variable[i].rate = 0;
    return of->expression ? scree_expression_in_time(of->expression, t, variable).rate : 0;
}

static double moving_at(const void *self, int contact, double t, const double *q, double *normal,
                        double *tangent, double rate[2]) {
    const formulas *f = self;
    scree_dual variable[VARIABLES];
    double gap = 0, slip = 0;
    for (int k = 0; k < f->n; k++) {
        turn_to(f, q, k, variable);
        normal[k] = along(&f->gap[contact], k, t, variable, &gap);
        tangent[k] = along(&f->slip[contact], k, t, variable, &slip);
    }
    rate[0] = rate_of(f, &f->gap[contact], t, variable);
    rate[1] = rate_of(f, &f->slip[contact], t, variable);
    return gap;
}

static void across_at(const void *self, int contact, double t, const double *q, double *row,
                      double *rate) {
    const formulas *f = self;
    scree_dual variable[VARIABLES];
    double place = 0;
    for (int k = 0; k < f->n; k++) {
        turn_to(f, q, k, variable);
        row[k] = along(&f->across[contact], k, t, variable, &place);
    }
    *rate = rate_of(f, &f->across[contact], t, variable);
}

static double contact_at(const void *self, int contact, const double *q, double *normal,
                         double *tangent) {
    double rate[2];
    return moving_at(self, contact, 0, q, normal, tangent, rate);
}

static bool obstacles_move(const scree_scene_mechanism *given) {
    const scree_scene_touch *touch = given->contacts.item;
    for (int c = 0; c < given->contacts.count; c++)
        if (scree_expression_varies(touch[c].gap) ||
            (touch[c].slip && scree_expression_varies(touch[c].slip)) ||
            (touch[c].slip_across && scree_expression_varies(touch[c].slip_across)))
            return true;
    return false;
}

static bool slides_across(const scree_scene_mechanism *given) {
    const scree_scene_touch *touch = given->contacts.item;
    for (int c = 0; c < given->contacts.count; c++)
        if (touch[c].slip_across) return true;
    return false;
}

void scree_mechanism_def_written(const scree_mechanism_def *mechanics, const double *q, double *M) {
    const formulas *f = mechanics->self;
    scree_dual variable[VARIABLES];
    turn_to(f, q, 0, variable);
    for (int i = 0; i < f->n * f->n; i++) along(&f->mass[i], 0, 0, variable, &M[i]);
}

// -------------------------------------------------------------------------------------------------
// from the scene

static formula formula_of(const formulas *f, const scree_expression *expression) {
    uint64_t coordinates = 0;
    for (int i = 0; expression && i < f->n; i++)
        if (scree_expression_uses(expression, i)) coordinates |= UINT64_C(1) << i;
    for (int d = 0; expression && d < f->definitions; d++)
        if (scree_expression_uses(expression, f->n + d))
            coordinates |= f->definition[d].coordinates;
    return (formula){ expression, coordinates };
}

static void take_contacts(const scree_scene_mechanism *given, formulas *f) {
    const scree_scene_touch *touch = given->contacts.item;
    for (int c = 0; c < given->contacts.count; c++) {
        f->gap[c] = formula_of(f, touch[c].gap);
        f->slip[c] = formula_of(f, touch[c].slip);
        f->across[c] = formula_of(f, touch[c].slip_across);
        f->law[c] = (scree_law){ .restitution = touch[c].restitution,
                                 .friction = touch[c].friction,
                                 .tangential_restitution = touch[c].tangential_restitution };
        f->name[c] = touch[c].name;
    }
}

static void take_formulas(const scree_scene_mechanism *given, formulas *f) {
    const scree_expression *const *definition = given->definitions.item;
    const scree_expression *const *mass = given->mass.item, *const *force = given->force.item;
    f->n = given->coordinates.count;
    // a definition sees those above it, which are there
    for (int d = 0; d < given->definitions.count; d++) {
        f->definition[d] = formula_of(f, definition[d]);
        f->definitions++;
    }
    for (int i = 0; i < f->n * f->n; i++) f->mass[i] = formula_of(f, mass[i]);
    f->potential = formula_of(f, given->potential);
    for (int i = 0; i < given->force.count; i++) f->force[i] = formula_of(f, force[i]);
}

const scree_mechanism_def *scree_mechanism_def_from_scene(scree_scene *scene) {
    const scree_scene_mechanism *given = &scene->top.mechanism;
    formulas *f = SCREE_NEW(&scene->arena, formulas, 1);
    if (!f) return NULL;
    take_formulas(given, f);
    take_contacts(given, f);
    f->mechanics = (scree_mechanism_def){
        .coordinates = f->n,
        .contacts = given->contacts.count,
        .self = f,
        .mass = mass_at,
        .potential = given->potential ? potential_at : NULL,
        .force = given->force.count ? force_at : NULL,
        .contact = contact_at,
        .moving = obstacles_move(given) ? moving_at : NULL,
        .law = f->law,
        .position = given->position.count ? given->position.item : f->rest,
        .velocity = given->velocity.count ? given->velocity.item : f->rest,
        .contact_name = f->name,
        .across = slides_across(given) ? across_at : NULL,
    };
    return &f->mechanics;
}

// -------------------------------------------------------------------------------------------------
// markers

typedef struct marker_formulas {
    const formulas *of;
    formula row[3];
} marker_formulas;

double scree_marker_formulas_value(const void *self, int row, const double *q, double *gradient) {
    const marker_formulas *marker = self;
    scree_dual variable[VARIABLES];
    double value = 0;
    for (int k = 0; k < marker->of->n; k++) {
        turn_to(marker->of, q, k, variable);
        gradient[k] = along(&marker->row[row], k, 0, variable, &value);
    }
    return value;
}

const void *scree_marker_formulas_from_scene(scree_scene *scene, const scree_scene_marker *given) {
    const scree_expression *const *row = given->mechanism.item;
    marker_formulas *made = SCREE_NEW(&scene->arena, marker_formulas, 1);
    if (!made) return NULL;
    made->of = scene->mechanics->self;
    for (int i = 0; i < given->mechanism.count && i < 3; i++)
        made->row[i] = formula_of(made->of, row[i]);
    return made;
}
