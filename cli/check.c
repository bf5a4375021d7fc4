// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// check.c - scree check: every mistake in a scene, with its place.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"

void cli_warn(const scree_simulation *simulation) {
    const scree_findings *warnings = scree_simulation_warnings(simulation);
    for (int i = 0; i < warnings->count; i++) {
        const scree_error *w = &warnings->item[i];
        fprintf(stderr, "%s:%d:%d: warning: %s\n", w->file, w->line, w->column, w->text);
    }
}

static void json_warnings(const scree_findings *warnings, cli_json *json) {
    cli_json_array_begin(cli_json_key(json, "warnings"));
    for (int i = 0; i < warnings->count; i++) cli_json_text(json, warnings->item[i].text);
    cli_json_array_end(json);
}

// a body that can do nothing to others; most likely its shape was forgotten
static bool touches_nothing(const scree_model *model, int body) {
    for (int i = 0; i < model->shapes; i++)
        if (model->shape[i].body == body) return false;
    return model->body[body].fixed || model->body[body].driven;
}

// a vessel, or an obstacle that was drawn inside out
static void print_inward_meshes(const scree_model *model, scree_units units) {
    for (int i = 0; i < model->shapes; i++) {
        double volume = scree_model_mesh_volume(model, i);
        if (volume < 0)
            printf(
                "note: body \"%s\": the faces of its mesh point inwards (volume %.6g %s): it "
                "holds what is inside of it; turn the triangles round if it is meant as an "
                "obstacle\n",
                model->body[model->shape[i].body].name, volume,
                scree_units_name(units, "m^3").text);
    }
}

static void print_theorem(const scree_simulation *simulation) {
    scree_theorem theorem = scree_simulation_theorem(simulation);
    printf("dissipation theorem %s: %s\n", theorem.holds ? "holds" : "does not hold",
           theorem.reason);
}

// how joints fitted at the start, and what they say twice
static void print_assembly(const scree_model *model) {
    enum { MOST = 12 };
    scree_assembly found = scree_model_assembly(model);
    if (found.joint >= 0)
        printf("joint \"%s\" was off by %.3g: bodies were moved until all joints fit\n",
               model->joint[found.joint].name, found.distance);
    if (found.joint_velocity >= 0)
        printf(
            "joint \"%s\" does not allow its velocities, off by %.3g: they were changed, which "
            "takes %.3g J\n",
            model->joint[found.joint_velocity].name, found.velocity, found.energy);
    if (!found.redundant) return;
    printf("%d equation(s) of joints follow from others, among", found.redundant);
    for (int i = 0; i < found.joints && i < MOST; i++)
        printf("%s \"%s\"", i ? "," : "", model->joint[found.joint_of_loop[i]].name);
    printf("%s: of all reactions those of least norm are given\n",
           found.joints > MOST ? " and others" : "");
}

// Does something move bodies besides their start and their weight? The forecast does not know how
// fast.
static bool is_pushed(const scree_model *model) {
    bool pushed = model->drives > 0 || model->has_loads;
    for (int i = 0; i < model->bodies; i++) pushed |= model->body[i].driven;
    return pushed;
}

// what the scene leaves to the program, and what to expect of it
static void print_defaults(const scree_simulation *simulation) {
    const scree_model *model = scree_simulation_model(simulation);
    const scree_run_options *given = scree_scene_options(scree_simulation_scene(simulation));
    scree_scheme_reason reason;
    for (int i = 0; scree_scheme_explain(model, &given->scheme, i, &reason); i++)
        printf("chosen: scheme.%s = %s (%s)\n", reason.key, reason.value, reason.why);
    if (isnan(given->solver.tolerance)) {
        scree_scheme_choose_tolerance(model, &reason);
        printf("chosen: solver.%s = %s (%s)\n", reason.key, reason.value, reason.why);
    }
    print_assembly(model);
    scree_scheme_forecast ahead = scree_scheme_forecast_of(model, &given->scheme, given->duration);
    if (!(ahead.size > 0)) return;
    scree_units units = scree_scene_units(scree_simulation_scene(simulation));
    printf(
        "the fastest body may reach %.3g %s%s: in a step %.3g %% of the smallest body's size %.3g "
        "%s; penetration to be expected: ",
        ahead.speed, scree_units_name(units, "m/s").text,
        is_pushed(model) ? " by its start and its fall alone, beside what is pushed or driven" : "",
        100 * ahead.way, ahead.size, scree_units_name(units, "m").text);
    if (isinf(ahead.penetration))
        printf("without bound, with approach required what rests can sink on and on\n");
    else
        printf("up to %.2g %%\n", 100 * ahead.penetration);
}

static void json_reason(const scree_scheme_reason *reason, cli_json *json) {
    cli_json_object_begin(json);
    cli_json_text(cli_json_key(json, "key"), reason->key);
    cli_json_text(cli_json_key(json, "value"), reason->value);
    cli_json_text(cli_json_key(json, "why"), reason->why);
    cli_json_object_end(json);
}

static void json_defaults(const scree_simulation *simulation, cli_json *json) {
    const scree_model *model = scree_simulation_model(simulation);
    const scree_run_options *given = scree_scene_options(scree_simulation_scene(simulation));
    scree_scheme_reason reason;
    cli_json_array_begin(cli_json_key(json, "chosen"));
    for (int i = 0; scree_scheme_explain(model, &given->scheme, i, &reason); i++)
        json_reason(&reason, json);
    if (isnan(given->solver.tolerance)) {
        scree_scheme_choose_tolerance(model, &reason);
        json_reason(&reason, json);
    }
    cli_json_array_end(json);
    scree_scheme_forecast ahead = scree_scheme_forecast_of(model, &given->scheme, given->duration);
    cli_json_object_begin(cli_json_key(json, "forecast"));
    cli_json_number(cli_json_key(json, "speed"), ahead.speed);
    cli_json_number(cli_json_key(json, "size"), ahead.size);
    cli_json_number(cli_json_key(json, "way"), ahead.way);
    cli_json_number(cli_json_key(json, "penetration"), ahead.penetration);
    cli_json_boolean(cli_json_key(json, "complete"), !is_pushed(model));
    cli_json_object_end(json);
}

static void print_found(const cli_args *args, const scree_simulation *simulation) {
    const scree_model *model = scree_simulation_model(simulation);
    scree_integration about = scree_simulation_integration(simulation);
    printf("%s: fine (%s, %lld steps%s%s)\n", args->positional[0], about.text,
           (long long)scree_simulation_steps(simulation), about.energies ? "" : " of ",
           about.energies ? "" : about.method);
    for (int e = 0; e < model->elastics; e++)
        printf("elastic \"%s\": %d nodes, %d elements, %d nodes that can touch\n",
               model->elastic[e].name, model->elastic[e].mesh.nodes,
               model->elastic[e].mesh.elements, model->elastic[e].contact_nodes);
    for (int i = 0; i < model->bodies; i++)
        if (touches_nothing(model, i))
            printf("note: body \"%s\" does not move and has no shape: it touches nothing\n",
                   model->body[i].name);
    print_inward_meshes(model, scree_scene_units(scree_simulation_scene(simulation)));
    if (about.energies) print_theorem(simulation);
    if (about.energies && model->bodies) print_defaults(simulation);
}

// the start as a picture, where one is wanted
static int draw_start(const cli_args *args, scree_simulation *simulation) {
    const char *file = cli_value(args, "plot");
    scree_error err = { 0 };
    show_bodies_options options = show_bodies_options_default();
    if (!file) return CLI_DONE;
    if (!cli_read_view(args, &options)) return CLI_WRONG_USE;
    if (show_draw_start(simulation, NULL, args->positional[0], &options, file, &err))
        return cli_fail(&err, cli_flag(args, "json"));
    if (!cli_flag(args, "json")) printf("figure: %s\n", file);
    return CLI_DONE;
}

// what overlaps, or lies behind a surface, is seen best: drawn where nothing else is wrong
static void draw_refused(const cli_args *args) {
    int count;
    const char *const *given = cli_values(args, "set", &count);
    const char **overrides = malloc(((size_t)count + 1) * sizeof *overrides);
    if (!cli_value(args, "plot") || !overrides) {
        free(overrides);
        return;
    }
    for (int i = 0; i < count; i++) overrides[i] = given[i];
    overrides[count] = "overlaps=accept";
    scree_findings findings = { 0 };
    scree_simulation *simulation =
        cli_open_scene(args->positional[0], overrides, count + 1, &findings);
    if (simulation) draw_start(args, simulation);
    scree_simulation_free(simulation);
    scree_findings_free(&findings);
    free(overrides);
}

int cli_check(const cli_args *args) {
    int count;
    const char *const *overrides = cli_values(args, "set", &count);
    scree_findings findings = { 0 };
    scree_simulation *simulation = cli_open_scene(args->positional[0], overrides, count, &findings);
    int status = CLI_DONE;
    if (simulation) cli_warn(simulation);
    if (!simulation) {
        status = cli_complain(&findings, cli_flag(args, "json"));
        draw_refused(args);
    } else if ((status = draw_start(args, simulation))) {
        // it has been told why
    } else if (cli_flag(args, "json")) {
        cli_json json = cli_json_begin(stdout);
        cli_json_object_begin(&json);
        cli_json_text(cli_json_key(&json, "status"), "done");
        cli_json_boolean(cli_json_key(&json, "valid"), true);
        cli_json_array_begin(cli_json_key(&json, "errors"));
        cli_json_array_end(&json);
        json_warnings(scree_simulation_warnings(simulation), &json);
        cli_json_integer(cli_json_key(&json, "steps"), scree_simulation_steps(simulation));
        json_defaults(simulation, &json);
        cli_json_object_end(&json);
        cli_json_end(&json);
    } else {
        print_found(args, simulation);
    }
    scree_simulation_free(simulation);
    scree_findings_free(&findings);
    return status;
}
