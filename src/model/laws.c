// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// laws.c - rows of laws between bodies and groups -> a table by classes of bodies.

#include "model/laws.h"

#include <math.h>
#include <stdlib.h>

#include "base/space.h"
#include "scree/fem.h"

struct scree_law_row {
    int a, b;  // a body, -1: any, -1 - g: group g
    scree_law law;
};

bool scree_law_friction_varies(const scree_law *law) {
    return law->friction_at.at || law->friction_speed > 0;
}

double scree_law_friction(const scree_law *law, double t, double speed) {
    double rate, mu = law->friction_at.at ? law->friction_at.at(law->friction_at.self, t, &rate)
                                          : law->friction;
    if (!(law->friction_speed > 0)) return mu;
    return law->friction_kinetic + (mu - law->friction_kinetic) * exp(-speed / law->friction_speed);
}

scree_status scree_laws_check(const scree_model *model, const scree_law *law, scree_error *err) {
    if (!(law->restitution >= 0 && law->restitution <= 1))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "restitution must be between 0 and 1, got %g", law->restitution);
    if (!(law->friction >= 0 && isfinite(law->friction)))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "friction must not be negative, got %g", law->friction);
    if (!(law->friction_speed >= 0 && isfinite(law->friction_speed)) ||
        !(law->friction_kinetic >= 0 && isfinite(law->friction_kinetic)))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "friction_speed and friction_kinetic must not be negative");
    if (!(law->tangential_restitution >= 0 && law->tangential_restitution <= 1))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "tangential restitution must be between 0 and 1, got %g",
                          law->tangential_restitution);
    if (law->impact < SCREE_IMPACT_OF_SCHEME || law->impact > SCREE_IMPACT_FREMOND)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "there is no impact law number %d",
                          (int)law->impact);
    const double more[3] = { law->cohesion, law->rolling, law->friction_across };
    static const char *const name[3] = { "cohesion", "rolling", "friction_second" };
    for (int k = 0; k < 3; k++) {
        if (!(more[k] >= 0 && isfinite(more[k])))
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "%s must not be negative, got %g", name[k], more[k]);
        if (k && more[k] > 0 && model->space == 2)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "%s is for bodies in space",
                              name[k]);
    }
    if (law->friction_across > 0 &&
        !(isfinite(scree_length(law->friction_axis)) && scree_length(law->friction_axis) > 0))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "friction_second needs a grain, the direction of the first");
    return SCREE_OK;
}

bool scree_laws_add(scree_laws *laws, int a, int b, const scree_law *law) {
    if (laws->count == laws->room) {
        int room = laws->room ? 2 * laws->room : 8;
        struct scree_law_row *row = realloc(laws->row, (size_t)room * sizeof *row);
        if (!row) return false;
        laws->row = row;
        laws->room = room;
    }
    laws->row[laws->count++] = (struct scree_law_row){ a, b, *law };
    return true;
}

// a body that stands for its class
typedef struct member {
    int body, group;
} member;

static bool fits(int side, member m) {
    return side == -1 || (side >= 0 ? side == m.body : -1 - side == m.group);
}

static int find(const scree_laws *laws, member a, member b) {
    int found = -1;
    for (int i = 0; i < laws->count; i++) {
        const struct scree_law_row *row = &laws->row[i];
        if ((fits(row->a, a) && fits(row->b, b)) || (fits(row->a, b) && fits(row->b, a))) found = i;
    }
    return found;
}

static int group_of(const scree_model *model, int side) {
    return side < model->bodies ? model->body[side].group
                                : model->elastic[side - model->bodies].group;
}

bool scree_laws_finish(scree_laws *laws, const scree_model *model) {
    int sides = model->bodies + model->elastics;
    laws->class_of = malloc(((size_t)sides + 1) * sizeof *laws->class_of);
    int most = model->groups + 1 + 2 * laws->count;
    member *of = malloc((size_t)most * sizeof *of);
    laws->which = malloc((size_t)most * (size_t)most * sizeof *laws->which);
    bool fine = laws->class_of && of && laws->which;
    if (fine) {
        for (int g = 0; g <= model->groups; g++) of[g] = (member){ -1, g };
        for (int i = 0; i < sides; i++) laws->class_of[i] = group_of(model, i);
        laws->classes = model->groups + 1;
        for (int i = 0; i < laws->count; i++) {
            const int side[2] = { laws->row[i].a, laws->row[i].b };
            for (int k = 0; k < 2; k++) {
                if (side[k] < 0 || laws->class_of[side[k]] > model->groups) continue;
                of[laws->classes] = (member){ side[k], group_of(model, side[k]) };
                laws->class_of[side[k]] = laws->classes++;
            }
        }
        for (int i = 0; i < laws->classes; i++)
            for (int j = 0; j < laws->classes; j++)
                laws->which[i * laws->classes + j] = find(laws, of[i], of[j]);
    }
    free(of);
    return fine;
}

int scree_laws_find(const scree_laws *laws, int a, int b) {
    return laws->which[laws->class_of[a] * laws->classes + laws->class_of[b]];
}

const scree_law *scree_laws_between(const scree_laws *laws, int a, int b) {
    static const scree_law none = { 0 };
    int which = scree_laws_find(laws, a, b);
    return which < 0 ? &none : &laws->row[which].law;
}

const scree_law *scree_laws_row(const scree_laws *laws, int i) { return &laws->row[i].law; }

bool scree_laws_part(const scree_laws *laws) {
    for (int i = 0; i < laws->count; i++)
        if (laws->row[i].law.apart) return true;
    return false;
}

int scree_laws_side(const scree_laws *laws, int i, int side) {
    return side ? laws->row[i].b : laws->row[i].a;
}

void scree_laws_free(scree_laws *laws) {
    free(laws->row);
    free(laws->class_of);
    free(laws->which);
}
