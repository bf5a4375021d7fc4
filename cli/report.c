// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// report.c - what a run came to, for people and for programs.

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>

#include "cli/commands.h"
#include "cli/text.h"

static volatile sig_atomic_t stop_asked;  // a signal handler has nowhere else to write

static void on_signal(int number) {
    (void)number;
    stop_asked = 1;
}

void cli_catch_signals(void) {
    struct sigaction action = { .sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND };
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

bool cli_stop_asked(void) { return stop_asked; }
const volatile int *cli_stop_flag(void) { return &stop_asked; }

int cli_fail(const scree_error *err, bool json_wanted) {
    char text[800];
    scree_error_format(err, text, sizeof text);
    fprintf(stderr, "%s\n", text);
    if (json_wanted) {
        cli_json json = cli_json_begin(stdout);
        cli_json_object_begin(&json);
        cli_json_text(cli_json_key(&json, "status"), scree_run_status_name(err->status));
        cli_json_text(cli_json_key(&json, "message"), text);
        cli_json_object_end(&json);
        cli_json_end(&json);
    }
    return err->status == SCREE_BAD_INPUT ? CLI_WRONG_USE : CLI_SAYS_NO;
}

void cli_print_file(const char *path, bool json_wanted) {
    if (!json_wanted) {
        printf("%s\n", path);
        return;
    }
    cli_json json = cli_json_begin(stdout);
    cli_json_object_begin(&json);
    cli_json_text(cli_json_key(&json, "file"), path);
    cli_json_object_end(&json);
    cli_json_end(&json);
}

int cli_complain(const scree_findings *findings, bool json_wanted) {
    char text[800];
    if (findings->no_memory) {
        const scree_error err = { .status = SCREE_NO_MEMORY, .text = "out of memory" };
        return cli_fail(&err, json_wanted);
    }
    for (int i = 0; i < findings->count; i++) {
        scree_error_format(&findings->item[i], text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
    if (findings->truncated) fprintf(stderr, "error: there is more; this list was cut\n");
    if (!json_wanted) return CLI_WRONG_USE;

    cli_json json = cli_json_begin(stdout);
    cli_json_object_begin(&json);
    cli_json_text(cli_json_key(&json, "status"), "bad-input");
    cli_json_boolean(cli_json_key(&json, "valid"), false);
    cli_json_array_begin(cli_json_key(&json, "errors"));
    for (int i = 0; i < findings->count; i++) {
        cli_json_object_begin(&json);
        cli_json_text(cli_json_key(&json, "file"), findings->item[i].file);
        cli_json_integer(cli_json_key(&json, "line"), findings->item[i].line);
        cli_json_integer(cli_json_key(&json, "column"), findings->item[i].column);
        cli_json_text(cli_json_key(&json, "message"), findings->item[i].text);
        cli_json_object_end(&json);
    }
    cli_json_array_end(&json);
    cli_json_object_end(&json);
    cli_json_end(&json);
    return CLI_WRONG_USE;
}

// what stands for a unit of SI
static scree_unit unit(const scree_simulation *simulation, const char *si) {
    return scree_units_name(scree_scene_units(scree_simulation_scene(simulation)), si);
}

void cli_units_json(const scree_simulation *simulation, cli_json *json) {
    scree_units units = scree_scene_units(scree_simulation_scene(simulation));
    cli_json_object_begin(cli_json_key(json, "units"));
    cli_json_text(cli_json_key(json, "length"), scree_units_length(units));
    cli_json_text(cli_json_key(json, "time"), scree_units_time(units));
    cli_json_text(cli_json_key(json, "mass"), scree_units_mass(units));
    cli_json_object_end(json);
}

// every column of the ledger that is not zero: with the change of energy they add up
static void print_works(const scree_totals *totals, const char *energy, FILE *stream) {
    const struct {
        const char *name;
        double sum;
        bool always;
    } work[] = {
        { "normal contact", totals->contact_normal_work, true },
        { "tangential contact", totals->contact_tangential_work, true },
        { "applied loads", totals->external_work, false },
        { "moving obstacles", totals->boundary_work, false },
        { "damping", totals->damping_work, false },
        { "numerical", totals->numerical_dissipation, false },
        { "joints", totals->joint_work, false },
        { "motors", totals->motor_work, false },
        { "position correction", totals->correction_work, false },
        { "held displacements", totals->prescribed_work, false },
        { "bodies come and gone", totals->exchange, false },
    };
    const char *title = "work of";
    for (size_t i = 0; i < sizeof work / sizeof *work; i++) {
        if (!work[i].always && work[i].sum == 0) continue;
        fprintf(stream, "  %-20s %-20s %+.9g %s\n", title, work[i].name, work[i].sum, energy);
        title = "";
    }
}

// what an elastic body is, how fine the step is for its waves, and how it was solved
static void print_elastic(const scree_simulation *simulation, FILE *stream) {
    const scree_model *model = scree_simulation_model(simulation);
    double h = scree_simulation_options(simulation)->scheme.step;
    for (int e = 0; e < model->elastics; e++) {
        const scree_elastic_body *body = &model->elastic[e];
        scree_elastic_route route = scree_simulation_elastic(simulation, e);
        fprintf(stream,
                "  %-20s \"%s\": %d nodes, %d elements, %d free degrees of freedom, %d nodes that "
                "can touch\n",
                e ? "" : "elastic", body->name, body->mesh.nodes, body->mesh.elements, body->free,
                body->contact_nodes);
        fprintf(stream, "  %-20s waves %.4g %s, the step is %.3g of their way through an element\n",
                "", body->wave_speed, unit(simulation, "m/s").text,
                h * body->wave_speed / body->extent);
        fprintf(stream,
                "  %-20s %s: %d of %d columns of the flexibility, factor with %.3g entries\n", "",
                route.condensed ? "condensed" : "sparse", route.columns, route.touching,
                route.entries);
    }
}

static void elastic_json(const scree_simulation *simulation, cli_json *json) {
    const scree_model *model = scree_simulation_model(simulation);
    double h = scree_simulation_options(simulation)->scheme.step;
    if (!model->elastics) return;
    cli_json_array_begin(cli_json_key(json, "elastic"));
    for (int e = 0; e < model->elastics; e++) {
        const scree_elastic_body *body = &model->elastic[e];
        scree_elastic_route route = scree_simulation_elastic(simulation, e);
        cli_json_object_begin(json);
        cli_json_text(cli_json_key(json, "name"), body->name);
        cli_json_integer(cli_json_key(json, "nodes"), body->mesh.nodes);
        cli_json_integer(cli_json_key(json, "elements"), body->mesh.elements);
        cli_json_integer(cli_json_key(json, "free"), body->free);
        cli_json_integer(cli_json_key(json, "contact_nodes"), body->contact_nodes);
        cli_json_number(cli_json_key(json, "wave_speed"), body->wave_speed);
        cli_json_number(cli_json_key(json, "step_per_crossing"),
                        h * body->wave_speed / body->extent);
        cli_json_text(cli_json_key(json, "route"), route.condensed ? "condensed" : "sparse");
        cli_json_integer(cli_json_key(json, "columns"), route.columns);
        cli_json_number(cli_json_key(json, "factor_entries"), route.entries);
        cli_json_object_end(json);
    }
    cli_json_array_end(json);
}

// titles are whatever a scene says, and take one line here
enum { TITLE = 256, COLUMNS = 120 };
static const char *tidy_title(const scree_scene *scene, char room[TITLE]) {
    return cli_tidy(scene ? scree_scene_title(scene) : "", COLUMNS, room, TITLE);
}

// how far it went, and how well it was kept inside
static void report_sweeping(const scree_simulation *simulation, const char *method,
                            double wall_seconds, const char *run_file, FILE *stream) {
    const scree_state *state = scree_simulation_state(simulation);
    char room[TITLE];
    const char *title = tidy_title(scree_simulation_scene(simulation), room);
    scree_unit time = unit(simulation, "s");
    fprintf(stream, "%s%ssweeping process, %s, h = %g %s\n", title, *title ? ": " : "", method,
            scree_simulation_options(simulation)->scheme.step, time.text);
    fprintf(stream, "  %-20s %" PRId64 " to t = %.9g %s, in %.3g s of wall time\n", "steps",
            state->step, state->time, time.text, wall_seconds);
    fprintf(stream, "  %-20s", "point at the end");
    for (int k = 0; k < scree_simulation_model(simulation)->coordinates; k++)
        fprintf(stream, " %.12g", state->q[k] + 0.0);
    fprintf(stream, "\n  %-20s at most %.3g\n", "outside of the set",
            scree_simulation_totals(simulation)->penetration_max);
    if (run_file) fprintf(stream, "  %-20s %s\n", "run file", run_file);
}

// -------------------------------------------------------------------------------------------------
// the verdict

typedef struct warnings {
    scree_warning row[SCREE_WARNINGS];
    int count;
} warnings;

static cli_ink ink_of(const scree_warning *warning) {
    return warning->allowed ? CLI_YELLOW : CLI_RED;
}

static bool is_told(const warnings *told, scree_warning_kind kind) {
    for (int i = 0; i < told->count; i++)
        if (told->row[i].kind == kind) return true;
    return false;
}

// as the warning of that kind, if there is one
static void print_piece(const char *text, const warnings *told, scree_warning_kind kind,
                        FILE *stream) {
    cli_ink ink = CLI_PLAIN;
    for (int i = 0; i < told->count; i++)
        if (told->row[i].kind == kind) ink = ink_of(&told->row[i]);
    fprintf(stream, "%s%s%s", ink ? cli_paint(stream, ink) : "", text,
            ink ? cli_paint(stream, CLI_PLAIN) : "");
}

static void print_warnings(const warnings *told, const scree_findings *doubts, FILE *stream) {
    for (int i = 0; i < told->count; i++)
        fprintf(stream, "  %s%-20s%s %s\n", cli_paint(stream, ink_of(&told->row[i])),
                told->row[i].allowed ? "warning" : "warning, status 1",
                cli_paint(stream, CLI_PLAIN), told->row[i].text);
    for (int i = 0; i < doubts->count; i++)
        fprintf(stream, "  %s%-20s%s %s\n", cli_paint(stream, CLI_YELLOW), "warning",
                cli_paint(stream, CLI_PLAIN), doubts->item[i].text);
}

// the first line: solved or not, penetration, created energy, certificate; then every warning
static void print_verdict(const scree_simulation *simulation, FILE *stream) {
    const scree_totals *totals = scree_simulation_totals(simulation);
    scree_run_verdict verdict = scree_simulation_verdict(simulation);
    warnings told;
    told.count = scree_simulation_run_warnings(simulation, told.row);
    long long steps = (long long)scree_simulation_state(simulation)->step;
    cli_ink ink = verdict == SCREE_RUN_GOOD ? CLI_GREEN : CLI_YELLOW;
    char text[160];
    for (int i = 0; i < told.count; i++)
        if (!told.row[i].allowed) ink = CLI_RED;
    fprintf(stream, "%s%s%s: ", cli_paint(stream, ink), scree_run_verdict_name(verdict),
            cli_paint(stream, CLI_PLAIN));
    snprintf(text, sizeof text, "%lld of %lld steps solved", steps - (long long)totals->unconverged,
             steps);
    print_piece(text, &told, SCREE_WARNING_UNCONVERGED, stream);
    snprintf(text, sizeof text, " (%" PRId64 " of them to %.2g, not to %.2g)", totals->loosened,
             totals->solver_residual_max, scree_simulation_options(simulation)->solver.tolerance);
    if (totals->loosened) print_piece(text, &told, SCREE_WARNING_LOOSENED, stream);
    if (totals->penetration_relative_max > 0)
        snprintf(text, sizeof text, ", penetration %.3g %% of the smaller body",
                 100 * totals->penetration_relative_max);
    else
        snprintf(text, sizeof text, ", penetration %.3g %s", totals->penetration_max,
                 unit(simulation, "m").text);
    print_piece(text, &told, SCREE_WARNING_PENETRATION, stream);
    if (totals->steps_creating_energy)
        snprintf(text, sizeof text, ", %.3g %s created", totals->energy_created,
                 unit(simulation, "J").text);
    else
        snprintf(text, sizeof text, ", no energy created");
    print_piece(text, &told, SCREE_WARNING_CREATED, stream);
    snprintf(text, sizeof text, ", %.3g %s by what the solver left", totals->energy_tolerated,
             unit(simulation, "J").text);
    if (is_told(&told, SCREE_WARNING_TOLERATED))
        print_piece(text, &told, SCREE_WARNING_TOLERATED, stream);
    fprintf(stream, ", %s\n",
            scree_simulation_theorem(simulation).holds ? "dissipation theorem holds"
                                                       : "no dissipation theorem");
    print_warnings(&told, scree_simulation_warnings(simulation), stream);
}

static void verdict_json(const scree_simulation *simulation, scree_status status,
                         const char *message, cli_json *json) {
    const scree_refusal *refusal = scree_simulation_refusal(simulation);
    const scree_findings *doubts = scree_simulation_warnings(simulation);
    scree_run_verdict verdict = scree_simulation_verdict(simulation);
    warnings told;
    told.count = scree_simulation_run_warnings(simulation, told.row);
    if (status == SCREE_BAD_INPUT) verdict = SCREE_RUN_REFUSED;
    if (status && verdict == SCREE_RUN_GOOD) verdict = SCREE_RUN_WARNED;
    cli_json_text(cli_json_key(json, "verdict"), scree_run_verdict_name(verdict));
    cli_json_array_begin(cli_json_key(json, "warnings"));
    if (status && !refusal) cli_json_text(json, message);
    for (int i = 0; i < told.count; i++) cli_json_text(json, told.row[i].text);
    for (int i = 0; i < doubts->count; i++) cli_json_text(json, doubts->item[i].text);
    cli_json_array_end(json);
    if (!refusal) {
        cli_json_null(cli_json_key(json, "refusal"));
        return;
    }
    cli_json_object_begin(cli_json_key(json, "refusal"));
    cli_json_integer(cli_json_key(json, "step"), refusal->step);
    cli_json_number(cli_json_key(json, "time"), refusal->time);
    cli_json_integer(cli_json_key(json, "contacts"), refusal->contacts);
    cli_json_text(cli_json_key(json, "reason"), scree_refusal_reason_name(refusal->reason));
    cli_json_text(cli_json_key(json, "detail"), refusal->detail);
    cli_json_text(cli_json_key(json, "advice"), refusal->advice);
    cli_json_object_end(json);
}

static void theorem_json(const scree_simulation *simulation, cli_json *json) {
    scree_theorem theorem = scree_simulation_theorem(simulation);
    scree_law_verdict law;
    cli_json_object_begin(cli_json_key(json, "theorem"));
    cli_json_boolean(cli_json_key(json, "holds"), theorem.holds);
    cli_json_text(cli_json_key(json, "reason"), theorem.reason);
    cli_json_array_begin(cli_json_key(json, "laws"));
    for (int i = 0; scree_simulation_law(simulation, i, &law); i++) {
        cli_json_object_begin(json);
        cli_json_array_begin(cli_json_key(json, "between"));
        for (int k = 0; k < 2; k++) cli_json_text(json, law.side[k] ? law.side[k] : "any");
        cli_json_array_end(json);
        cli_json_boolean(cli_json_key(json, "holds"), law.theorem.holds);
        cli_json_text(cli_json_key(json, "reason"), law.theorem.reason);
        cli_json_object_end(json);
    }
    cli_json_array_end(json);
    cli_json_object_end(json);
}

// -------------------------------------------------------------------------------------------------
// the whole

static void report_sweeping_json(const scree_simulation *simulation, const char *method,
                                 double wall_seconds, const char *run_file, scree_status status,
                                 const char *message, cli_json *json) {
    const scree_state *state = scree_simulation_state(simulation);
    cli_json_object_begin(json);
    cli_json_text(cli_json_key(json, "status"), scree_run_status_name(status));
    cli_json_text(cli_json_key(json, "message"), message);
    verdict_json(simulation, status, message, json);
    cli_units_json(simulation, json);
    cli_json_text(cli_json_key(json, "kind"), "sweeping");
    cli_json_text(cli_json_key(json, "method"), method);
    cli_json_number(cli_json_key(json, "step"), scree_simulation_options(simulation)->scheme.step);
    cli_json_integer(cli_json_key(json, "steps"), state->step);
    cli_json_number(cli_json_key(json, "time"), state->time);
    cli_json_text(cli_json_key(json, "run_file"), run_file);
    cli_json_number(cli_json_key(json, "wall_seconds"), wall_seconds);
    cli_json_array_begin(cli_json_key(json, "x"));
    for (int k = 0; k < scree_simulation_model(simulation)->coordinates; k++)
        cli_json_number(json, state->q[k]);
    cli_json_array_end(json);
    cli_json_number(cli_json_key(json, "penetration_share"), 0);
    cli_json_number(cli_json_key(json, "outside_max"),
                    scree_simulation_totals(simulation)->penetration_max);
    cli_json_object_end(json);
}

void cli_report(const scree_simulation *simulation, double energy_start, double wall_seconds,
                const char *run_file, FILE *stream) {
    scree_integration about = scree_simulation_integration(simulation);
    if (!about.energies) {
        report_sweeping(simulation, about.method, wall_seconds, run_file, stream);
        return;
    }
    const scree_run_options *options = scree_simulation_options(simulation);
    const scree_state *state = scree_simulation_state(simulation);
    const scree_totals *totals = scree_simulation_totals(simulation);
    scree_theorem theorem = scree_simulation_theorem(simulation);
    const scree_scene *scene = scree_simulation_scene(simulation);
    char room[TITLE];
    const char *title = tidy_title(scene, room);
    scree_unit time = unit(simulation, "s"), energy = unit(simulation, "J");

    print_verdict(simulation, stream);
    fprintf(stream, "%s%s%s, theta = %g, h = %g %s\n", title, *title ? ": " : "",
            scree_scheme_name(options->scheme.name), options->scheme.theta, options->scheme.step,
            time.text);
    fprintf(stream, "  %-20s %" PRId64 " to t = %.9g %s, in %.3g s of wall time\n", "steps",
            state->step, state->time, time.text, wall_seconds);
    fprintf(stream, "  %-20s %.9g %s at the start, %.9g %s at the end\n", "energy", energy_start,
            energy.text, scree_simulation_energy(simulation), energy.text);
    if (scree_simulation_account(simulation)->ledger.spring != 0)
        fprintf(stream, "  %-20s %.9g %s of it in springs at the end\n", "",
                scree_simulation_account(simulation)->ledger.spring, energy.text);
    print_works(totals, energy.text, stream);
    print_elastic(simulation, stream);
    if (totals->steps_creating_energy)
        fprintf(stream, "  %-20s %.9g %s in %" PRId64 " step(s), by contact works above zero\n",
                "energy created", totals->energy_created, energy.text,
                totals->steps_creating_energy);
    else
        fprintf(stream, "  %-20s none\n", "energy created");
    if (totals->energy_tolerated > 0)
        fprintf(stream, "  %-20s %.3g %s, works above zero that the solver's residual explains\n",
                "", totals->energy_tolerated, energy.text);
    fprintf(stream, "  %-20s residual at most %.2g %s, %.2g of the rounding bound: closed\n",
            "ledger", totals->residual_max, energy.text, totals->residual_over_bound_max);
    if (scree_simulation_model(simulation)->mechanism &&
        options->scheme.name != SCREE_MOREAU_JEAN_FREMOND)
        fprintf(stream,
                "  %-20s checked of the mechanism: works against the change of momentum; the rest "
                "of its energy is booked as numerical\n",
                "");
    fprintf(stream, "  %-20s %s: %s\n", "dissipation theorem", theorem.holds ? "holds" : "no",
            theorem.reason);
    fprintf(stream, "  %-20s %s%s, residual at most %.2g (tolerance %.2g), %" PRId64 " sweeps\n",
            "solver", options->solver.name, options->flow ? ", mode flow" : "",
            totals->solver_residual_max, options->solver.tolerance, totals->solver_iterations);
    scree_step_seconds seconds = scree_simulation_seconds(simulation);
    if (seconds.solve > 0)
        fprintf(stream, "  %-20s detection %.3g s, solver %.3g s, end of step %.3g s\n", "time",
                seconds.detect, seconds.solve, seconds.finish);
    if (scree_simulation_held(simulation))
        fprintf(stream, "  %-20s in %" PRId64 " steps bodies turned with their momentum\n", "held",
                scree_simulation_held(simulation));
    scree_eased_steps eased = scree_simulation_eased(simulation);
    if (eased.steps)
        fprintf(stream,
                "  %-20s in %" PRId64
                " steps a linkage was flat, stretched or jammed, and gave way by up to %.2g of its "
                "size\n",
                "joints", eased.steps, eased.opening);
    if (totals->unconverged)
        fprintf(stream, "  %-20s %" PRId64 " steps missed the tolerance and were accepted\n",
                "UNCONVERGED", totals->unconverged);
    fprintf(stream, "  %-20s at most %.3g %s, %.3g of the body's size\n", "penetration",
            totals->penetration_max, unit(simulation, "m").text, totals->penetration_relative_max);
    cli_report_masonry(simulation, stream);
    if (run_file) fprintf(stream, "  %-20s %s\n", "run file", run_file);
    const scree_model *shown = scree_simulation_model(simulation);
    if (run_file && (shown->bodies || shown->elastics))
        fprintf(stream, "  %-20s scree show %s\n", "see it", run_file);
}

static void ledger_json(const scree_simulation *simulation, double energy_start, cli_json *json) {
    const scree_totals *totals = scree_simulation_totals(simulation);
    cli_json_object_begin(cli_json_key(json, "ledger"));
    cli_json_number(cli_json_key(json, "residual_max"), totals->residual_max);
    cli_json_number(cli_json_key(json, "residual_over_bound_max"), totals->residual_over_bound_max);
    cli_json_number(cli_json_key(json, "contact_normal_work"), totals->contact_normal_work);
    cli_json_number(cli_json_key(json, "contact_tangential_work"), totals->contact_tangential_work);
    cli_json_number(cli_json_key(json, "external_work"), totals->external_work);
    cli_json_number(cli_json_key(json, "damping_work"), totals->damping_work);
    cli_json_number(cli_json_key(json, "numerical_dissipation"), totals->numerical_dissipation);
    cli_json_number(cli_json_key(json, "boundary_work"), totals->boundary_work);
    cli_json_number(cli_json_key(json, "joint_work"), totals->joint_work);
    cli_json_number(cli_json_key(json, "motor_work"), totals->motor_work);
    cli_json_number(cli_json_key(json, "correction_work"), totals->correction_work);
    cli_json_number(cli_json_key(json, "held_work"), totals->prescribed_work);
    cli_json_number(cli_json_key(json, "exchange"), totals->exchange);
    double largest = totals->tangential_work_max;  // without any impulse there is none: 0
    cli_json_number(cli_json_key(json, "tangential_work_max"), isfinite(largest) ? largest : 0);
    cli_json_integer(cli_json_key(json, "steps_creating_energy"), totals->steps_creating_energy);
    cli_json_number(cli_json_key(json, "energy_created"), totals->energy_created);
    cli_json_number(cli_json_key(json, "energy_tolerated"), totals->energy_tolerated);
    cli_json_number(cli_json_key(json, "energy_start"), energy_start);
    cli_json_number(cli_json_key(json, "energy_end"), scree_simulation_energy(simulation));
    cli_json_number(cli_json_key(json, "spring"),
                    scree_simulation_account(simulation)->ledger.spring);
    cli_json_object_end(json);
}

static void engines_json(const scree_simulation *simulation, cli_json *json) {
    scree_engine_steps engine[SCREE_ENGINES];
    int engines = scree_simulation_engines(simulation, engine);
    cli_json_object_begin(cli_json_key(json, "engines"));
    for (int i = 0; i < engines; i++)
        cli_json_integer(cli_json_key(json, engine[i].solver), engine[i].steps);
    cli_json_object_end(json);
}

void cli_report_json(const scree_simulation *simulation, double energy_start, double wall_seconds,
                     const char *run_file, scree_status status, const char *message,
                     cli_json *json) {
    scree_integration about = scree_simulation_integration(simulation);
    if (!about.energies) {
        report_sweeping_json(simulation, about.method, wall_seconds, run_file, status, message,
                             json);
        return;
    }
    const scree_run_options *options = scree_simulation_options(simulation);
    const scree_state *state = scree_simulation_state(simulation);
    const scree_totals *totals = scree_simulation_totals(simulation);

    cli_json_object_begin(json);
    cli_json_text(cli_json_key(json, "status"), scree_run_status_name(status));
    cli_json_text(cli_json_key(json, "message"), message);
    verdict_json(simulation, status, message, json);
    cli_units_json(simulation, json);
    cli_json_text(cli_json_key(json, "scheme"), scree_scheme_name(options->scheme.name));
    cli_json_number(cli_json_key(json, "theta"), options->scheme.theta);
    cli_json_number(cli_json_key(json, "step"), options->scheme.step);
    cli_json_integer(cli_json_key(json, "steps"), state->step);
    cli_json_number(cli_json_key(json, "time"), state->time);
    cli_json_text(cli_json_key(json, "run_file"), run_file);
    cli_json_number(cli_json_key(json, "wall_seconds"), wall_seconds);
    theorem_json(simulation, json);
    ledger_json(simulation, energy_start, json);
    elastic_json(simulation, json);
    cli_json_object_begin(cli_json_key(json, "solver"));
    cli_json_text(cli_json_key(json, "name"), options->solver.name);
    cli_json_text(cli_json_key(json, "mode"), options->flow ? "flow" : "exact");
    cli_json_number(cli_json_key(json, "tolerance"), options->solver.tolerance);
    cli_json_number(cli_json_key(json, "residual_max"), totals->solver_residual_max);
    cli_json_integer(cli_json_key(json, "iterations"), totals->solver_iterations);
    cli_json_integer(cli_json_key(json, "unconverged"), totals->unconverged);
    cli_json_integer(cli_json_key(json, "loosened"), totals->loosened);
    cli_json_integer(cli_json_key(json, "contacts"), totals->contacts_solved);
    scree_step_seconds seconds = scree_simulation_seconds(simulation);
    cli_json_integer(cli_json_key(json, "refused"),
                     totals->unconverged + (scree_simulation_refusal(simulation) != NULL));
    cli_json_number(cli_json_key(json, "cpu_seconds"), seconds.processor);
    cli_json_integer(cli_json_key(json, "sweeps"), totals->solver_iterations);
    cli_json_integer(cli_json_key(json, "held"), scree_simulation_held(simulation));
    cli_json_integer(cli_json_key(json, "eased"), scree_simulation_eased(simulation).steps);
    engines_json(simulation, json);
    cli_json_object_end(json);
    cli_json_object_begin(cli_json_key(json, "seconds"));
    cli_json_number(cli_json_key(json, "detect"), seconds.detect);
    cli_json_number(cli_json_key(json, "solve"), seconds.solve);
    cli_json_number(cli_json_key(json, "finish"), seconds.finish);
    cli_json_object_end(json);
    cli_json_number(cli_json_key(json, "penetration_max"), totals->penetration_max);
    cli_json_number(cli_json_key(json, "penetration_relative_max"),
                    totals->penetration_relative_max);
    cli_json_number(cli_json_key(json, "penetration_share"), totals->penetration_relative_max);
    cli_report_masonry_json(simulation, json);
    cli_json_object_end(json);
}
