// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// Bodies in space: tops, momentum, the ledger and the decay of energy while boxes tumble.

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/space.h"
#include "harness.h"
#include "random.h"
#include "scree/simulation.h"

static scree_run_options options_with(scree_scheme name, double theta, double step, int steps) {
    scree_run_options options = scree_run_options_default();
    options.scheme.name = name;
    options.scheme.theta = theta;
    options.scheme.step = step;
    options.duration = step * steps;
    return options;
}

static scree_simulation *begin(const scree_model *model, const scree_run_options *options) {
    scree_error err = { 0 };
    scree_simulation *simulation = NULL;
    if (scree_simulation_new(model, options, &simulation, &err)) COMPLAIN("refused: %s", err.text);
    return simulation;
}

static void angular_momentum(const scree_model *model, const scree_state *state, double total[3]) {
    memset(total, 0, 3 * sizeof *total);
    for (int i = 0; i < model->bodies; i++) {
        const scree_body *body = &model->body[i];
        const double *q = state->q + 7 * i, *v = state->v + 6 * i;
        double A[9], J[6], own[3], orbit[3];
        if (body->fixed) continue;
        scree_rotation(q + 3, A);
        scree_congruence(A, body->tensor, J);
        scree_symmetric(J, v + 3, own);
        scree_cross(q, v, orbit);
        for (int k = 0; k < 3; k++) total[k] += own[k] + body->mass * orbit[k];
    }
}

/// A free top, spun about an unstable axis and turning over and over, keeps its energy and its
/// angular momentum over 10^5 steps.
static void free_top(void) {
    scree_error err = { 0 };
    scree_model *model = scree_model_new();
    scree_body top = {
        .name = "top", .mass = 1, .tensor = { 1, 0.1, 0, 2, 0.2, 3 }, .angular = { 0.3, 10, 0.2 }
    };
    CHECK(!scree_model_set_space(model, 3, &err) && !scree_model_add_body(model, &top, &err) &&
          !scree_model_finish(model, &err));
    scree_run_options options = options_with(SCREE_MOREAU_JEAN_FREMOND, 0.5, 1e-3, 100000);
    scree_simulation *simulation = begin(model, &options);
    double L[3], now[3], kinetic = scree_simulation_ledger(simulation)->kinetic, least = 1;
    angular_momentum(model, scree_simulation_state(simulation), L);
    while (scree_simulation_left(simulation) > 0) {
        if (scree_simulation_step(simulation, &err)) {
            COMPLAIN("%s", err.text);
            break;
        }
        const double *v = scree_simulation_state(simulation)->v;
        least = fmin(least, v[4] / 10);
    }
    angular_momentum(model, scree_simulation_state(simulation), now);
    double change = fabs(scree_simulation_ledger(simulation)->kinetic / kinetic - 1), lost = 0;
    for (int k = 0; k < 3; k++) lost = fmax(lost, fabs(now[k] - L[k]) / scree_length(L));
    printf("free top: energy off by %.2g, angular momentum by %.2g after 10^5 steps\n", change,
           lost);
    CHECK(change < 1e-11 && lost < 1e-11);
    CHECK(least < 0.9);  // it does turn over
    scree_simulation_free(simulation);
    scree_model_free(model);
}

static void add_box(scree_model *model, const char *name, const double size[3],
                    const double position[3], scree_error *err) {
    double m = uniform(0.5, 3);
    scree_body body = { .name = name, .mass = m };
    for (int k = 0; k < 3; k++) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        body.tensor[k == 0 ? 0 : k == 1 ? 3 : 5] = m * (size[i] * size[i] + size[j] * size[j]) / 12;
        body.position[k] = position[k];
        body.velocity[k] = uniform(-3, 3);
        body.angular[k] = uniform(-8, 8);
    }
    for (int k = 0; k < 4; k++) body.orientation[k] = uniform(-1, 1);
    scree_shape shape = { .kind = SCREE_BOX, .body = model->bodies };
    memcpy(shape.size, size, sizeof shape.size);
    CHECK(!scree_model_add_body(model, &body, err) && !scree_model_add_shape(model, &shape, err));
}

// boxes and balls thrown at each other, over a floor if there is one
static scree_model *tumble(bool floor, double e, double mu) {
    scree_error err = { 0 };
    scree_model *model = scree_model_new();
    CHECK(!scree_model_set_space(model, 3, &err));
    if (floor) {
        scree_body ground = { .name = "ground", .fixed = true };
        scree_shape plane = { .kind = SCREE_PLANE, .normal = { 0.1, 0.05, 1 } };
        CHECK(!scree_model_add_body(model, &ground, &err) &&
              !scree_model_add_shape(model, &plane, &err));
        scree_model_set_gravity(model, 0, 0, -9.81);
    }
    for (int i = 0; i < 5; i++) {
        double spread = floor ? 0.3 : 0.05;
        const double at[3] = { uniform(-spread, spread), uniform(-spread, spread), 1 + 1.2 * i };
        const double size[3] = { uniform(0.2, 0.7), uniform(0.2, 0.7), uniform(0.2, 0.7) };
        add_box(model, "box", size, at, &err);
        if (!floor)
            for (int k = 0; k < 3; k++)
                model->body[model->bodies - 1].velocity[k] = k == 2 ? 2.0 * (2 - i) : 0;
    }
    CHECK(!scree_model_add_law(model, -1, -1, (scree_law){ .restitution = e, .friction = mu },
                               &err) &&
          !scree_model_finish(model, &err));
    return model;
}

/// Without anything outside the momenta are kept to rounding, collisions or not, by the scheme that
/// takes H in the middle of the step (docs/theory.md says why the others keep them to its length).
static void isolated_systems_keep_momentum(void) {
    double worst = 0;
    int64_t contacts = 0;
    for (int k = 0; k < 10; k++) {
        scree_error err = { 0 };
        scree_model *model = tumble(false, uniform(0, 1), uniform(0, 1));
        scree_run_options options = options_with(SCREE_MOREAU, 0.5, 1e-3, 2500);
        scree_simulation *simulation = begin(model, &options);
        double L[3], now[3], P[3] = { 0 }, size = 0;
        const scree_state *state = scree_simulation_state(simulation);
        angular_momentum(model, state, L);
        for (int i = 0; i < model->bodies; i++)
            for (int c = 0; c < 3; c++) {
                P[c] += model->body[i].mass * state->v[6 * i + c];
                size += fabs(state->v[6 * i + c]) + fabs(state->v[6 * i + 3 + c]);
            }
        while (scree_simulation_left(simulation) > 0)
            if (scree_simulation_step(simulation, &err)) {
                COMPLAIN("%s", err.text);
                break;
            }
        state = scree_simulation_state(simulation);
        angular_momentum(model, state, now);
        for (int i = 0; i < model->bodies; i++)
            for (int c = 0; c < 3; c++) P[c] -= model->body[i].mass * state->v[6 * i + c];
        for (int c = 0; c < 3; c++)
            worst = fmax(worst, fmax(fabs(P[c]), fabs(now[c] - L[c])) / size);
        contacts += scree_simulation_totals(simulation)->contacts_solved;
        scree_simulation_free(simulation);
        scree_model_free(model);
    }
    printf("isolated: momenta off by %.2g, %lld contacts solved\n", worst, (long long)contacts);
    CHECK(worst < 1e-12 && contacts > 500);
}

/// The ledger closes at every step of tumbling boxes, and within the theorem no step creates
/// energy.
static void tumbling_bodies_lose_energy(void) {
    int64_t contacts = 0, creating = 0, unconverged = 0;
    double worst = 0;
    for (int k = 0; k < 20; k++) {
        scree_error err = { 0 };
        double e = k % 2 ? 0 : uniform(0, 1), mu = uniform(0, 1);
        double theta = k % 4 < 2 ? 0.5 : uniform(0.5, 1 / (1 + e));
        scree_model *model = tumble(true, e, mu);
        scree_run_options options = options_with(SCREE_MOREAU_JEAN_FREMOND, theta, 2e-3, 1000);
        options.accept_unconverged = true;
        scree_simulation *simulation = begin(model, &options);
        CHECK(scree_simulation_theorem(simulation).holds);
        while (scree_simulation_left(simulation) > 0)
            if (scree_simulation_step(simulation, &err)) {
                COMPLAIN("%s", err.text);
                break;
            }
        const scree_totals *totals = scree_simulation_totals(simulation);
        contacts += totals->contacts_solved;
        creating += totals->steps_creating_energy;
        unconverged += totals->unconverged;
        worst = fmax(worst, totals->residual_over_bound_max);
        scree_simulation_free(simulation);
        scree_model_free(model);
    }
    printf(
        "tumbling: %lld contacts solved, %lld steps create energy, %lld unconverged, ledger "
        "residual/bound %.2g\n",
        (long long)contacts, (long long)creating, (long long)unconverged, worst);
    CHECK(contacts > 10000);
    CHECK_INT(creating, 0);
}

int main(void) {
    TEST(free_top);
    TEST(isolated_systems_keep_momentum);
    TEST(tumbling_bodies_lose_energy);
    return harness_end();
}
