// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_source.c - a contact source of one's own, by one file and one row: discs above a plane that
// moves by a formula, y = A sin(w t), held against the same scene with a driven half-plane.

#include "step/source.h"

#include <math.h>
#include <stdlib.h>

#include "harness.h"
#include "model/sources.h"
#include "scree/scree.h"
#include "step/sides.h"

// -------------------------------------------------------------------------------------------------
// the source

typedef struct plane {
    double amplitude, frequency;
    double radius;  // of all discs
    int body;       // that stands for the plane in laws and names; fixed, without a shape
} plane;

static double height(const plane *p, double t, double *rate) {
    *rate = p->amplitude * p->frequency * cos(p->frequency * t);
    return p->amplitude * sin(p->frequency * t);
}

static double gap_of(const plane *p, int body, const double *q, double t) {
    double rate;
    return q[3 * body + 1] - p->radius - height(p, t, &rate);
}

static scree_status find(scree_source *source, const scree_contact_query *query,
                         scree_contact_set *set, scree_error *err) {
    const plane *p = source->data;
    for (int k = 0; k < source->model->bodies; k++) {
        if (k == p->body) continue;
        const double *at = query->q + 3 * k;
        scree_manifold_point touch = { .gap = gap_of(p, k, query->q, query->t),
                                       .normal = { 0, 1 },
                                       .point = { at[0], at[1] - p->radius } };
        int i = scree_contacts_append(source->model,
                                      scree_contact_id_pack(SCREE_SOURCE_OWN, (uint64_t)k, 0, 0), k,
                                      p->body, &touch, set);
        if (i < 0) return scree_fail_memory(err, NULL);
        double *arm = set->arm + 6 * (size_t)i;
        memset(arm, 0, 6 * sizeof *arm);
        arm[1] = -p->radius;
        set->gap_scale[i] = fabs(at[1]) + p->radius + p->amplitude;
        set->contact[i].size = p->radius;
    }
    return SCREE_OK;
}

static void velocity(const scree_source *source, const scree_contact_set *set, int i,
                     const double *x, bool driven, double *u) {
    scree_sides_velocity(source->model, set, i, NULL, x, driven, u);
}

static void impulse(const scree_source *source, const scree_contact_set *set, int i,
                    const double *p, double *x) {
    scree_sides_impulse(source->model, set, i, NULL, p, x);
}

static void obstacle(const scree_source *source, scree_contact_set *set, int first, int last,
                     const scree_state *before, const scree_state *after) {
    const plane *p = source->data;
    for (int i = first; i < last; i++) {
        height(p, before->time, &set->contact[i].w_before[0]);
        height(p, after->time, &set->contact[i].w_after[0]);
        set->contact[i].w_before[0] *= -1;
        set->contact[i].w_after[0] *= -1;
    }
}

static int rows(const scree_source *source, const scree_contact_set *set, int i,
                const scree_inertia *inertia, scree_arena *arena, scree_jacobian_block *block) {
    return scree_sides_rows(source->model, set, i, NULL, inertia, arena, block);
}

static double velocity_scale(const scree_source *source, const scree_contact_set *set, int i,
                             const scree_scale_query *query, double size) {
    return scree_sides_velocity_scale(source->model, set, i, query->body, size);
}

static bool gap_at(const scree_source *source, const scree_contact_set *set, int i, const double *q,
                   double t, double *gap) {
    *gap = gap_of(source->data, set->contact[i].a, q, t);
    return true;
}

static bool knows(const scree_source *source, const scree_contact *contact, scree_contact_key key) {
    return contact->a < source->model->bodies && key.a == (uint64_t)contact->a;
}

static const scree_contact_source moving_plane = {
    .name = "moving plane",
    .number = SCREE_SOURCE_OWN,
    .find = find,
    .velocity = velocity,
    .impulse = impulse,
    .obstacle = obstacle,
    .rows = rows,
    .velocity_scale = velocity_scale,
    .gap_at = gap_at,
    .knows = knows,
};

// -------------------------------------------------------------------------------------------------
// the same twice

enum { DISCS = 3, STEPS = 3000 };
static const plane wave = { .amplitude = 0.02, .frequency = 12, .radius = 0.1 };

static double wave_at(const void *self, double t, double *rate) { return height(self, t, rate); }

// discs that bounce, slide and rest on the wave; own: it is a source, otherwise a driven body
static scree_model *make_model(bool own) {
    scree_error err;
    scree_model *model = scree_model_new();
    model->gravity[1] = -9.81;
    scree_body floor = { .name = "floor",
                         .fixed = own,
                         .driven = !own,
                         .path = { .along = { [1] = { .at = wave_at, .self = &wave } } } };
    CHECK_INT(scree_model_add_body(model, &floor, &err), SCREE_OK);
    for (int k = 0; k < DISCS; k++) {
        scree_body disc = { .name = k ? k == 1 ? "b" : "c" : "a",
                            .mass = 1 + k,
                            .inertia = 0.01 * (1 + k),
                            .position = { k, 0.1 + 0.1 * k },
                            .velocity = { 0.3 * k },
                            .spin = 5.0 - 5 * k };
        scree_shape round = { .kind = SCREE_DISC, .body = k + 1, .radius = wave.radius };
        CHECK_INT(scree_model_add_body(model, &disc, &err), SCREE_OK);
        CHECK_INT(scree_model_add_shape(model, &round, &err), SCREE_OK);
    }
    scree_shape half = { .kind = SCREE_HALF_PLANE, .normal = { 0, 1 } };
    if (own)
        CHECK_INT(scree_model_add_source(model, SCREE_SOURCE_OWN, &moving_plane, &wave, &err),
                  SCREE_OK);
    else
        CHECK_INT(scree_model_add_shape(model, &half, &err), SCREE_OK);
    scree_law law = { .restitution = 0.3, .friction = 0.4 };
    CHECK_INT(scree_model_add_law(model, -1, -1, law, &err), SCREE_OK);
    CHECK_INT(scree_model_finish(model, &err), SCREE_OK);
    return model;
}

static scree_stepper *make_stepper(const scree_model *model) {
    scree_error err;
    scree_scheme_options scheme = scree_scheme_options_default();
    scree_solver_options solver = scree_solver_options_default();
    scheme.step = 1e-3;
    scheme.theta = 0.5;  // kept: what is foreseen depends on sizes and loads, which shapes have
    scree_stepper *stepper = NULL;
    if (scree_stepper_new(model, &scheme, &solver, &stepper, &err)) COMPLAIN("%s", err.text);
    return stepper;
}

static void a_source_of_ones_own(void) {
    scree_error err;
    scree_model *model[2] = { make_model(true), make_model(false) };
    scree_stepper *stepper[2] = { make_stepper(model[0]), make_stepper(model[1]) };
    int bearing = 0;
    for (int step = 0; stepper[0] && stepper[1] && step < STEPS; step++) {
        for (int k = 0; k < 2; k++) CHECK_INT(scree_stepper_advance(stepper[k], &err), SCREE_OK);
        const scree_state *own = scree_stepper_state(stepper[0]);
        const scree_state *driven = scree_stepper_state(stepper[1]);
        for (int i = 3; i < 3 + 3 * DISCS; i++) {
            CHECK_NEAR(own->q[i], driven->q[i], 1e-7);
            CHECK_NEAR(own->v[i], driven->v[i], 1e-6);
        }
        const scree_step_record *record = scree_stepper_record(stepper[0]);
        for (int i = 0; i < record->contacts; i++) {
            const scree_contact *contact = &record->contact[i];
            bool plane_itself = scree_contact_id_source(contact->id) == SCREE_SOURCE_OWN;
            bearing += plane_itself && contact->impulse[0] > 0;
        }
    }
    CHECK(bearing > STEPS / 2);
    for (int k = 0; k < 2; k++) {
        scree_stepper_free(stepper[k]);
        scree_model_free(model[k]);
    }
}

// the warm start of a source is stored and found again like any other
static void a_state_is_restored_bit_for_bit(void) {
    scree_error err;
    scree_model *model = make_model(true);
    scree_stepper *one = make_stepper(model), *two = make_stepper(model);
    for (int step = 0; one && two && step < 500; step++)
        CHECK_INT(scree_stepper_advance(one, &err), SCREE_OK);
    const scree_step_record *record = scree_stepper_record(one);
    CHECK_INT(scree_stepper_restore(two, &record->after, record->contact, record->contacts, &err),
              SCREE_OK);
    for (int step = 0; step < 500; step++) {
        CHECK_INT(scree_stepper_advance(one, &err), SCREE_OK);
        CHECK_INT(scree_stepper_advance(two, &err), SCREE_OK);
    }
    size_t size = (size_t)model->coordinates * sizeof(double);
    CHECK(memcmp(scree_stepper_state(one)->q, scree_stepper_state(two)->q, size) == 0);
    // one of another source, or of no disc, is refused
    scree_contact wrong = record->contact[0];
    wrong.id = scree_contact_id_pack(SCREE_SOURCE_OWN + 1, 1, 0, 0);
    CHECK_INT(scree_stepper_restore(two, &record->after, &wrong, 1, &err), SCREE_BAD_INPUT);
    scree_stepper_free(one);
    scree_stepper_free(two);
    scree_model_free(model);
}

static void numbers_are_checked(void) {
    scree_error err;
    scree_model *model = scree_model_new();
    CHECK_INT(scree_model_add_source(model, SCREE_SOURCE_ROWS, &moving_plane, &wave, &err),
              SCREE_BAD_INPUT);
    CHECK_INT(scree_model_add_source(model, SCREE_SOURCES_MAX, &moving_plane, &wave, &err),
              SCREE_BAD_INPUT);
    scree_model_free(model);
    model = make_model(true);  // which is finished
    CHECK_INT(scree_model_add_source(model, SCREE_SOURCE_OWN + 1, &moving_plane, &wave, &err),
              SCREE_BAD_INPUT);
    scree_model_free(model);
}

TEST_FILE(test_source) {
    TEST(a_source_of_ones_own);
    TEST(a_state_is_restored_bit_for_bit);
    TEST(numbers_are_checked);
    return harness_end();
}
