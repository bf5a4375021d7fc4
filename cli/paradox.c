// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// paradox.c - scree paradox: how many motions follow from a state, and which the schemes take.

#include "cli/paradox.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/chart.h"

enum { STEPS = 3 };                 // lengths of steps that are tried
static const double shrink = 0.25;  // from one to the next

// "1,2.5,-3"; false unless there are exactly count
static bool read_numbers(const char *text, double *number, int count) {
    for (int i = 0; i < count; i++) {
        char *end;
        number[i] = strtod(text, &end);
        bool closed = i + 1 < count ? *end == ',' : *end == '\0';
        if (end == text || !closed) return false;
        text = end + 1;
    }
    return true;
}

void cli_paradox_count(cli_json *json, int count) {
    if (count < 0)
        cli_json_text(json, "infinite");
    else
        cli_json_integer(json, count);
}

// ---- the equation ----

static void equation_to_json(const double given[4], double tolerance,
                             const scree_equation_set *set) {
    cli_json document = cli_json_begin(stdout), *json = &document;
    cli_json_object_begin(json);
    cli_json_key(json, "equation");
    cli_json_numbers(json, given, 4);
    cli_json_number(cli_json_key(json, "tolerance"), tolerance);
    cli_paradox_count(cli_json_key(json, "count"), set->families ? -1 : set->points);
    cli_json_key(json, "solutions");
    cli_json_numbers(json, set->point, set->points);
    cli_json_array_begin(cli_json_key(json, "families"));
    for (int i = 0; i < set->families; i++) {
        const double ends[2] = { set->family[i].low, set->family[i].high };  // infinite: null
        cli_json_numbers(json, ends, 2);
    }
    cli_json_array_end(json);
    cli_json_object_end(json);
    cli_json_end(json);
}

static void print_equation(const double given[4], double tolerance, const scree_equation_set *set) {
    printf("%.9g x + %.9g |x| + %.9g in -(1 + %.9g) sgn(x): ", given[0], given[1], given[2],
           given[3]);
    if (set->families)
        printf("infinitely many solutions\n");
    else
        printf("%d solution%s\n", set->points, set->points == 1 ? "" : "s");
    for (int i = 0; i < set->points; i++) printf("  %-20s x = %.12g\n", "point", set->point[i]);
    for (int i = 0; i < set->families; i++) {
        const scree_interval *f = &set->family[i];
        printf("  %-20s %s\n", "family",
               isfinite(f->low)    ? "x >= 0"
               : isfinite(f->high) ? "x <= 0"
                                   : "every x");
    }
    printf("  %-20s %.3g of the numbers given\n", "zero is below", tolerance);
}

static int solve_equation(const cli_args *args, double tolerance) {
    double given[4];
    scree_equation_set set;
    scree_error err = { 0 };
    if (!read_numbers(cli_value(args, "equation"), given, 4))
        return cli_wrong_use(args, "--equation wants four numbers a,b,c,d, got '%s'",
                             cli_value(args, "equation"));
    scree_status status =
        scree_equation_solve(given[0], given[1], given[2], given[3], tolerance, &set, &err);
    if (status) return cli_fail(&err, cli_flag(args, "json"));
    if (cli_flag(args, "json"))
        equation_to_json(given, tolerance, &set);
    else
        print_equation(given, tolerance, &set);
    return CLI_DONE;
}

// ---- a scene ----

typedef struct report {
    const char *scene;
    const scree_model *model;
    scree_units units;
    double tolerance;
    scree_paradox paradox;
    scree_trial trial[SCREE_TRIAL_SCHEMES][STEPS];
} report;

static scree_outcome outcome_of(const report *r, int scheme) {
    return scree_paradox_outcome(&r->trial[scheme][STEPS - 2], &r->trial[scheme][STEPS - 1]);
}

static const char *const meaning[] = {
    [SCREE_CONSISTENT] = "the laws give one motion",
    [SCREE_INDETERMINATE] =
        "the laws give several motions and do not say which: rigid bodies and "
        "Coulomb friction are not enough to tell",
    [SCREE_INCONSISTENT] =
        "no finite force satisfies the laws: the velocities must jump although "
        "nothing collides, an impact without collision",
};
static const char *const outcome_words[] = {
    [SCREE_OUTCOME_FREE] = "no impulse: the contact opens, or nothing presses it",
    [SCREE_OUTCOME_FORCE] = "the impulse vanishes with the step: a force",
    [SCREE_OUTCOME_IMPACT] =
        "the impulse does not vanish with the step: an impact without collision",
    [SCREE_OUTCOME_UNCLEAR] =
        "an impulse with one step and none with another: no limit can be told",
    [SCREE_OUTCOME_REFUSED] = "a step was refused: its problem was not solved",
};

static scree_status try_schemes(const scree_simulation *simulation, report *r, scree_error *err) {
    scree_status status = SCREE_OK;
    for (int s = 0; s < SCREE_TRIAL_SCHEMES; s++) {
        double h = scree_simulation_options(simulation)->scheme.step;
        for (int k = 0; !status && k < STEPS; k++, h *= shrink)
            status = scree_study_trial(simulation, (scree_scheme)s, h, &r->trial[s][k], err);
    }
    return status;
}

static void print_solution(const scree_motion_solution *s) {
    printf("  %-20s normal force %.9g, tangential %.9g", scree_motion_kind_name(s->kind),
           s->force[0], s->force[1] + 0.0);
    if (!s->family)
        printf("; gap'' = %.9g, sliding' = %.9g\n", s->acceleration[0], s->acceleration[1]);
    else if (isfinite(s->end[0]))
        printf(" to %.9g, %.9g\n", s->end[0], s->end[1]);
    else
        printf(" and on without end\n");
}

static void print_trials(const report *r) {
    printf("\n  %-22s %10s  %-8s %-9s %13s %13s %13s %13s\n", "scheme", "step", "impulse",
           "contact", scree_units_label(r->units, "normal [N s]").text, "tangential", "sliding",
           "then");
    for (int s = 0; s < SCREE_TRIAL_SCHEMES; s++)
        for (int k = 0; k < STEPS; k++) {
            const scree_trial *t = &r->trial[s][k];
            char when[24] = "none";
            if (t->status) snprintf(when, sizeof when, "refused");
            if (t->step) snprintf(when, sizeof when, "step %d", t->step);
            printf("  %-22s %10.3g  %-8s %-9s %13.6g %13.6g %13.6g %13.6g\n",
                   k ? "" : scree_scheme_name((scree_scheme)s), t->h, when,
                   scree_contact_status_name(t->contact), t->impulse[0], t->impulse[1],
                   t->before[1], t->after[1]);
        }
    putchar('\n');
    for (int s = 0; s < SCREE_TRIAL_SCHEMES; s++)
        printf("  %-22s %s\n", scree_scheme_name((scree_scheme)s), outcome_words[outcome_of(r, s)]);
}

static void print_report(const report *r) {
    const scree_paradox *p = &r->paradox;
    const scree_contact *c = &p->contact;
    if (p->count < 0)
        printf("%s: infinitely many solutions, %s\n", r->scene, scree_verdict_name(p->verdict));
    else
        printf("%s: %d solution%s, %s\n", r->scene, p->count, p->count == 1 ? "" : "s",
               scree_verdict_name(p->verdict));
    printf("  %s\n", meaning[p->verdict]);
    printf("  %-20s %s on %s, friction %.9g\n", "contact", scree_model_side_name(r->model, c->a),
           scree_model_side_name(r->model, c->b), c->friction);
    printf("  %-20s %.9g", "sliding velocity", c->u_before[1]);
    if (c->a >= 0) printf(" along (%.9g, %.9g)", c->tangent[0] + 0.0, c->tangent[1] + 0.0);
    printf(p->slides ? "\n" : ": at rest\n");
    printf("  %-20s [%.9g, %.9g; %.9g, %.9g]\n", "W", p->W[0], p->W[1], p->W[2], p->W[3]);
    printf("  %-20s gap'' = %.9g, sliding' = %.9g\n", "without force", p->acceleration[0],
           p->acceleration[1]);
    if (p->slides)
        printf("  %-20s gap'' = A lambda + B, A = %.9g, B = %.9g\n", "with it", p->A, p->B);
    for (int i = 0; i < p->solutions; i++) print_solution(&p->solution[i]);
    print_trials(r);
}

static void end_to_json(cli_json *json, const double end[2]) {
    if (isfinite(end[0]) && isfinite(end[1]))
        cli_json_numbers(json, end, 2);
    else
        cli_json_null(json);
}

static void solutions_to_json(cli_json *json, const scree_paradox *p, bool families) {
    cli_json_array_begin(cli_json_key(json, families ? "families" : "solutions"));
    for (int i = 0; i < p->solutions; i++) {
        const scree_motion_solution *s = &p->solution[i];
        if (s->family != families) continue;
        cli_json_object_begin(json);
        cli_json_text(cli_json_key(json, "status"), scree_motion_kind_name(s->kind));
        if (families) {
            cli_json_array_begin(cli_json_key(json, "ends"));
            end_to_json(json, s->force);
            end_to_json(json, s->end);
            cli_json_array_end(json);
        } else {
            cli_json_number(cli_json_key(json, "normal_force"), s->force[0]);
            cli_json_number(cli_json_key(json, "tangential_force"), s->force[1]);
            cli_json_key(json, "acceleration");
            cli_json_numbers(json, s->acceleration, 2);
        }
        cli_json_object_end(json);
    }
    cli_json_array_end(json);
}

static void contact_to_json(cli_json *json, const report *r) {
    const scree_contact *c = &r->paradox.contact;
    cli_json_object_begin(cli_json_key(json, "contact"));
    cli_json_text(cli_json_key(json, "a"), scree_model_side_name(r->model, c->a));
    cli_json_text(cli_json_key(json, "b"), scree_model_side_name(r->model, c->b));
    cli_json_number(cli_json_key(json, "friction"), c->friction);
    cli_json_number(cli_json_key(json, "gap"), c->gap);
    cli_json_key(json, "velocity");
    cli_json_numbers(json, c->u_before, 2);
    if (c->a >= 0) {
        cli_json_key(json, "point");
        cli_json_numbers(json, c->point, 2);
        cli_json_key(json, "normal");
        cli_json_numbers(json, c->normal, 2);
        cli_json_key(json, "tangent");
        cli_json_numbers(json, c->tangent, 2);
    }
    cli_json_object_end(json);
}

static void trials_to_json(cli_json *json, const report *r) {
    cli_json_array_begin(cli_json_key(json, "schemes"));
    for (int s = 0; s < SCREE_TRIAL_SCHEMES; s++) {
        cli_json_object_begin(json);
        cli_json_text(cli_json_key(json, "scheme"), scree_scheme_name((scree_scheme)s));
        cli_json_text(cli_json_key(json, "outcome"), scree_outcome_name(outcome_of(r, s)));
        cli_json_array_begin(cli_json_key(json, "trials"));
        for (int k = 0; k < STEPS; k++) {
            const scree_trial *t = &r->trial[s][k];
            cli_json_object_begin(json);
            cli_json_number(cli_json_key(json, "step"), t->h);
            cli_json_boolean(cli_json_key(json, "refused"), t->status != SCREE_OK);
            cli_json_integer(cli_json_key(json, "steps_to_impulse"), t->step);
            cli_json_text(cli_json_key(json, "contact"), scree_contact_status_name(t->contact));
            cli_json_key(json, "impulse");
            cli_json_numbers(json, t->impulse, 2);
            cli_json_key(json, "velocity_before");
            cli_json_numbers(json, t->before, 2);
            cli_json_key(json, "velocity_after");
            cli_json_numbers(json, t->after, 2);
            cli_json_object_end(json);
        }
        cli_json_array_end(json);
        cli_json_object_end(json);
    }
    cli_json_array_end(json);
}

static void report_to_json(const report *r, const char *plot) {
    const scree_paradox *p = &r->paradox;
    cli_json document = cli_json_begin(stdout), *json = &document;
    cli_json_object_begin(json);
    cli_json_text(cli_json_key(json, "scene"), r->scene);
    cli_json_number(cli_json_key(json, "tolerance"), r->tolerance);
    cli_paradox_count(cli_json_key(json, "count"), p->count);
    cli_json_text(cli_json_key(json, "verdict"), scree_verdict_name(p->verdict));
    cli_json_text(cli_json_key(json, "meaning"), meaning[p->verdict]);
    contact_to_json(json, r);
    cli_json_boolean(cli_json_key(json, "slides"), p->slides);
    cli_json_array_begin(cli_json_key(json, "W"));
    cli_json_numbers(json, p->W, 2);
    cli_json_numbers(json, p->W + 2, 2);
    cli_json_array_end(json);
    cli_json_key(json, "free_acceleration");
    cli_json_numbers(json, p->acceleration, 2);
    cli_json_number(cli_json_key(json, "A"), p->A);
    cli_json_number(cli_json_key(json, "B"), p->B);
    solutions_to_json(json, p, false);
    solutions_to_json(json, p, true);
    trials_to_json(json, r);
    cli_json_text(cli_json_key(json, "plot"), plot);
    cli_json_object_end(json);
    cli_json_end(json);
}

// ---- its figure ----

// gap'' over the force: a line, with the solutions on it
static scree_panel force_panel(const scree_paradox *p, double x[2], double y[2], double at[2][2],
                               scree_series series[2]) {
    double zero = p->A != 0 ? fabs(p->B / p->A) : 1;
    x[0] = 0;
    x[1] = zero > 0 ? 2 * zero : 1;
    for (int k = 0; k < 2; k++) y[k] = p->A * x[k] + p->B;
    int points = 0;
    for (int i = 0; i < p->solutions && points < 2; i++, points++) {
        at[0][points] = p->solution[i].force[0];
        at[1][points] = p->solution[i].acceleration[0];
    }
    series[0] = (scree_series){ "A λ + B", x, y, 2, SCREE_LINE, 0 };
    series[1] = (scree_series){ "solutions", at[0], at[1], points, SCREE_DOTS, 1 };
    return (scree_panel){ .title = "what the laws allow",
                          .x_label = "normal force λ [N]",
                          .y_label = "acceleration of the gap [m/s^2]",
                          .series = series,
                          .series_count = points ? 2 : 1,
                          .zero_line = true };
}

static scree_panel trial_panel(const report *r, double x[SCREE_TRIAL_SCHEMES][STEPS],
                               double y[SCREE_TRIAL_SCHEMES][STEPS],
                               scree_series series[SCREE_TRIAL_SCHEMES]) {
    for (int s = 0; s < SCREE_TRIAL_SCHEMES; s++) {
        for (int k = 0; k < STEPS; k++) {
            const scree_trial *t = &r->trial[s][k];
            x[s][k] = log10(t->h);
            y[s][k] = t->impulse[0];
        }
        series[s] = (scree_series){ scree_scheme_name((scree_scheme)s), x[s], y[s], STEPS,
                                    s ? SCREE_DASHED : SCREE_LINE,      -1 };
    }
    return (scree_panel){ .title = "what the schemes do",
                          .x_label = "log_{10} of the step [s]",
                          .y_label = "normal impulse [N s]",
                          .series = series,
                          .series_count = SCREE_TRIAL_SCHEMES,
                          .zero_line = true };
}

static scree_status draw(const report *r, const char *file, scree_error *err) {
    double x[2], y[2], at[2][2], h[SCREE_TRIAL_SCHEMES][STEPS], impulse[SCREE_TRIAL_SCHEMES][STEPS];
    scree_series line[2], curve[SCREE_TRIAL_SCHEMES];
    scree_panel panel[2];
    int panels = 0;
    char title[300];
    scree_chart_escape(r->scene, title, sizeof title);
    if (r->paradox.slides) panel[panels++] = force_panel(&r->paradox, x, y, at, line);
    panel[panels++] = trial_panel(r, h, impulse, curve);
    scree_figure figure = {
        .title = title, .panel = panel, .panels = panels, .columns = panels, .units = r->units
    };
    return scree_chart_draw(&figure, file, err);
}

static int look_at_scene(const cli_args *args, double tolerance) {
    int count;
    const char *const *overrides = cli_values(args, "set", &count);
    bool json = cli_flag(args, "json");
    scree_findings findings = { 0 };
    scree_simulation *simulation = cli_open_scene(args->positional[0], overrides, count, &findings);
    if (!simulation) {
        int code = cli_complain(&findings, json);
        scree_findings_free(&findings);
        return code;
    }
    const char *plot = cli_value(args, "plot");
    report r = { .scene = args->positional[0],
                 .model = scree_simulation_model(simulation),
                 .units = scree_scene_units(scree_simulation_scene(simulation)),
                 .tolerance = tolerance };
    scree_error err = { 0 };
    scree_status status = scree_study_paradox(simulation, tolerance, &r.paradox, &err);
    if (!status) status = try_schemes(simulation, &r, &err);
    if (!status && plot) status = draw(&r, plot, &err);
    if (!status && json) report_to_json(&r, plot);
    if (!status && !json) print_report(&r);
    scree_simulation_free(simulation);
    if (!status) return CLI_DONE;
    if (!err.file[0]) snprintf(err.file, sizeof err.file, "%s", r.scene);
    return cli_fail(&err, json);
}

int cli_paradox(const cli_args *args) {
    double tolerance = SCREE_PARADOX_TOLERANCE;
    if (!cli_number(args, "tolerance", 0, SCREE_PARADOX_TOLERANCE_MOST, &tolerance))
        return CLI_WRONG_USE;
    bool sweep = cli_flag(args, "sweep");
    if (cli_flag(args, "equation") && args->positionals)
        return cli_wrong_use(args, "--equation and a scene exclude each other");
    if (cli_flag(args, "equation") && (sweep || cli_flag(args, "plot")))
        return cli_wrong_use(args, "--sweep and --plot want a scene, not an equation");
    if (cli_flag(args, "equation")) return solve_equation(args, tolerance);
    if (!args->positionals) return cli_wrong_use(args, "a scene or --equation a,b,c,d is missing");
    if (cli_flag(args, "output") && !sweep)
        return cli_wrong_use(args, "--output writes the table of --sweep, which is missing");
    return sweep ? cli_paradox_sweep(args, tolerance) : look_at_scene(args, tolerance);
}
