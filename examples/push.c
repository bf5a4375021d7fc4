// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// push.c - a force that sees the state: a puck on a spring, with a stop in its way.
// prints: after 3 s at x = -0.[0-9]+ m. energy [0-9.]+ J = 0.5 J .* closed to [0-9.e-]+ J

#include <scree/scree.h>
#include <stdio.h>

// asked once where each step begins; it adds to what is there
static scree_status spring(void *data, const scree_state *state, double *force, scree_error *err) {
    double stiffness = *(const double *)data, x = state->q[3];
    if (x > 10) return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the spring is torn");
    force[3] -= stiffness * x;  // body 1 begins at 3: x, y, torque
    return SCREE_OK;
}

int main(void) {
    scree_error err = { 0 };
    scree_model *model = scree_model_new();
    scree_body stop = scree_body_default(), puck = scree_body_default();
    stop.name = "stop";
    stop.fixed = true;
    puck.name = "puck";
    puck.mass = 1;
    puck.inertia = 0.01;
    puck.velocity[0] = 1;
    scree_shape wall = scree_shape_default(SCREE_HALF_PLANE, 0),
                disc = scree_shape_default(SCREE_DISC, 1);
    wall.at[0] = 0.6;
    wall.normal[0] = -1, wall.normal[1] = 0;  // the solid is on the right
    disc.radius = 0.1;
    bool built =
        !scree_model_add_body(model, &stop, &err) && !scree_model_add_body(model, &puck, &err) &&
        !scree_model_add_shape(model, &wall, &err) && !scree_model_add_shape(model, &disc, &err) &&
        !scree_model_add_law(model, -1, -1, (scree_law){ .restitution = 0.8 }, &err) &&
        !scree_model_finish(model, &err);

    scree_run_options options = scree_run_options_default();
    options.scheme.step = 1e-3;
    options.duration = 3;
    scree_simulation *simulation = NULL;
    double stiffness = 1;
    built = built && !scree_simulation_new(model, &options, &simulation, &err) &&
            !scree_simulation_set_forces(simulation, spring, &stiffness, &err);
    scree_status status = built ? SCREE_OK : SCREE_BAD_INPUT;
    while (!status && scree_simulation_left(simulation) > 0)
        status = scree_simulation_step(simulation, &err);
    if (status) return fprintf(stderr, "%s\n", err.text), 1;

    const scree_totals *sum = scree_simulation_totals(simulation);
    printf(
        "after %g s at x = %.4f m; energy %.4f J = 0.5 J %+.4f of the spring %+.4f of contact "
        "%+.4f of the scheme, closed to %.1e J\n",
        scree_simulation_state(simulation)->time, scree_simulation_state(simulation)->q[3],
        scree_simulation_energy(simulation), sum->external_work, sum->contact_normal_work,
        sum->numerical_dissipation, sum->residual_max);
    scree_simulation_free(simulation);
    scree_model_free(model);
    return 0;
}
