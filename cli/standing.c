// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// standing.c - scree run --check-equilibrium: can the scene stand as it is?

#include <math.h>
#include <stdio.h>

#include "cli/commands.h"

enum { LISTED = 12 };  // contacts in the text; --json has them all

static const double at_rest =
    1e-6;  // of the free acceleration: less than that is the tolerance of the solver

// the force of contact i on side a, in world axes; rows of a system have no axes but their own
static void force_of(const scree_model *model, const scree_contact *c, double h, double force[3]) {
    const double *n = c->normal, *t = c->tangent;
    const double second[3] = { n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2],
                               n[0] * t[1] - n[1] * t[0] };
    for (int k = 0; k < 3; k++)
        force[k] = (n[k] * c->impulse[0] + t[k] * c->impulse[1] +
                    (model->space == 3 ? second[k] * c->impulse[2] : 0)) /
                   h;
}

static void numbers_json(cli_json *json, const char *key, const double *x, int count, double by) {
    cli_json_array_begin(cli_json_key(json, key));
    for (int k = 0; k < count; k++) cli_json_number(json, x[k] / by);
    cli_json_array_end(json);
}

static void standing_json(const scree_model *model, const scree_static_check *standing) {
    cli_json json = cli_json_begin(stdout);
    cli_json_object_begin(&json);
    cli_json_text(cli_json_key(&json, "status"), "done");
    cli_json_boolean(cli_json_key(&json, "equilibrium"), standing->admissible);
    cli_json_boolean(cli_json_key(&json, "proven"), standing->admissible || standing->inadmissible);
    cli_json_number(cli_json_key(&json, "acceleration_left"), standing->left);
    cli_json_number(cli_json_key(&json, "forces_needed"), standing->needed);
    cli_json_number(cli_json_key(&json, "acceleration"), standing->acceleration);
    cli_json_number(cli_json_key(&json, "free_acceleration"), standing->free_acceleration);
    cli_json_array_begin(cli_json_key(&json, "contacts"));
    for (int i = 0; i < standing->record->contacts; i++) {
        const scree_contact *c = &standing->record->contact[i];
        if (c->status == SCREE_CONTACT_INACTIVE) continue;
        double force[3];
        cli_json_object_begin(&json);
        cli_json_text(cli_json_key(&json, "a"), scree_model_side_name(model, c->a));
        cli_json_text(cli_json_key(&json, "b"), scree_model_side_name(model, c->b));
        cli_json_text(cli_json_key(&json, "status"), scree_contact_status_name(c->status));
        numbers_json(&json, "local_force", c->impulse, model->dimension, standing->step);
        if (c->a >= 0) {
            force_of(model, c, standing->step, force);
            numbers_json(&json, "point", c->point, model->space, 1);
            numbers_json(&json, "normal", c->normal, model->space, 1);
            numbers_json(&json, "force", force, model->space, 1);
        }
        cli_json_object_end(&json);
    }
    cli_json_array_end(&json);
    cli_json_object_end(&json);
    cli_json_end(&json);
}

static void verdict_text(const scree_static_check *standing, scree_units units) {
    scree_unit acceleration = scree_units_name(units, "m/s^2");
    if (standing->admissible)
        printf("stands: the contact forces below hold all loads\n");
    else if (standing->inadmissible)
        printf("moves: no contact forces hold the loads\n");
    else
        printf("not decided: the contact forces found do not hold the loads\n");
    printf("  acceleration left %.3g %s, without contacts it would be %.3g %s\n", standing->left,
           acceleration.text, standing->free_acceleration, acceleration.text);
    if (standing->inadmissible && isfinite(standing->needed))
        printf("  forces that hold them would have to be %.3g times the loads\n", standing->needed);
    if (isnan(standing->acceleration))
        printf("  Coulomb's law from rest: not solved\n");
    else if (!standing->admissible ||
             standing->acceleration > at_rest * standing->free_acceleration)
        printf("  Coulomb's law from rest: a motion that begins with %.3g %s%s\n",
               standing->acceleration, acceleration.text,
               standing->admissible ? " is possible too" : "");
}

static void standing_text(const scree_model *model, const scree_static_check *standing,
                          scree_units units) {
    scree_unit force = scree_units_name(units, "N");
    verdict_text(standing, units);
    int shown = 0, all = standing->record->active;
    for (int i = 0; i < standing->record->contacts && shown < LISTED; i++) {
        const scree_contact *c = &standing->record->contact[i];
        if (c->status == SCREE_CONTACT_INACTIVE) continue;
        double tangential = 0;
        for (int k = 1; k < model->dimension && k < 3; k++)
            tangential = hypot(tangential, c->impulse[k]);
        printf("  %s on %s: normal %.6g %s, tangential %.6g %s, %s\n",
               scree_model_side_name(model, c->b), scree_model_side_name(model, c->a),
               c->impulse[0] / standing->step, force.text, tangential / standing->step, force.text,
               scree_contact_status_name(c->status));
        shown++;
    }
    if (all > shown) printf("  and %d more contacts (--json lists them all)\n", all - shown);
}

int cli_check_equilibrium(const cli_args *args, const scree_simulation *simulation) {
    scree_static_check standing;
    scree_error err = { 0 };
    const scree_model *model = scree_simulation_model(simulation);
    scree_status status =
        scree_static_check_find(model, scree_simulation_options(simulation),
                                scree_simulation_state(simulation), &standing, &err);
    if (status) return cli_fail(&err, cli_flag(args, "json"));
    if (cli_flag(args, "json"))
        standing_json(model, &standing);
    else
        standing_text(model, &standing, scree_scene_units(scree_simulation_scene(simulation)));
    int code = standing.admissible ? CLI_DONE : CLI_SAYS_NO;
    const char *file = cli_value(args, "plot");
    if (file) {
        show_bodies_options options = show_bodies_options_default();
        options.forces = options.thrust = true;
        if (show_draw_start(simulation, standing.record, args->positional[0], &options, file, &err))
            code = cli_fail(&err, false);
    }
    scree_static_check_free(&standing);
    return code;
}
