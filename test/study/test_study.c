// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_study.c - what C is told by a study is what the command says, number by number
// (SCREE_COMMAND is the command); and critical values of kinds that are known.

#include <stdlib.h>

#include "harness.h"
#include "scree/scree.h"

// ---- what the command says ----

static char said[1 << 20];
static const char *at;  // read up to here

static void ask(const char *question) {
    char line[600];
    snprintf(line, sizeof line, "%s %s", getenv("SCREE_COMMAND"), question);
    FILE *pipe = popen(line, "r");
    size_t length = pipe ? fread(said, 1, sizeof said - 1, pipe) : 0;
    said[length] = '\0';
    CHECK(pipe && pclose(pipe) == 0);
    at = said;
}

// go on behind the next key with this name
static bool seek(const char *key) {
    char quoted[80];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *found = strstr(at, quoted);
    if (!found) COMPLAIN("the command says no more %s", key);
    at = found ? found + strlen(quoted) : at + strlen(at);
    return found != NULL;
}

// the next value, whatever list it is in; null: not a number
static double number(void) {
    at += strspn(at, " \n,[]");
    if (strncmp(at, "null", 4) == 0) {
        at += 4;
        return (double)NAN;
    }
    char *end;
    double value = strtod(at, &end);
    if (end == at) COMPLAIN("the command says no number at %.20s", at);
    at = end;
    return value;
}

static void same_number(const char *what, double value) {
    double expected = number();
    if (!(value == expected || (isnan(value) && isnan(expected))))
        COMPLAIN("%s: %.17g from C, %.17g from the command", what, value, expected);
}

static void same_at(const char *key, double value) {
    if (seek(key)) same_number(key, value);
}

static void same_text(const char *value) {
    at += strspn(at, " \n,[]");
    size_t length = strlen(value);
    if (*at != '"' || strncmp(at + 1, value, length) != 0 || at[1 + length] != '"')
        COMPLAIN("\"%s\" from C, %.60s from the command", value, at);
    at += *at == '"' ? strcspn(at + 1, "\"") + 2 : 0;
}

// ---- the studies ----

static char scene_path[400];

static scree_study study_of(const char *scene) {
    snprintf(scene_path, sizeof scene_path, "%s/%s.yaml", getenv("SCREE_SCENES"), scene);
    return scree_study_default(scene_path);
}

static void comparison(void) {
    const char *const scheme[] = { "moreau-jean", "moreau-jean-fremond", "moreau" };
    scree_study study = study_of("impacting-stick");
    scree_comparison found;
    scree_findings findings = { 0 };
    scree_error err = { 0 };
    CHECK_INT(scree_comparison_find(&study, scheme, 3, NULL, NULL, &found, &findings, &err), 0);
    CHECK_INT(found.runs, 3);
    ask("compare impacting-stick --json --schemes moreau-jean,moreau-jean-fremond,moreau");
    for (int i = 0; i < found.runs; i++) {
        const scree_totals *totals = scree_simulation_totals(found.run[i].simulation);
        CHECK(!found.run[i].path);
        if (seek("scheme")) same_text(scheme[i]);
        same_at("contact_tangential_work", totals->contact_tangential_work);
        same_at("tangential_work_max", totals->tangential_work_max);
        same_at("energy_start", found.run[i].energy_start);
        same_at("energy_end", scree_simulation_energy(found.run[i].simulation));
    }
    scree_comparison_free(&found);

    // a scheme that does not take the scene
    const char *const other[] = { "moreau-jean", "nscd" };
    CHECK(scree_comparison_find(&study, other, 2, NULL, NULL, &found, &findings, &err) ==
          SCREE_BAD_INPUT);
    CHECK(findings.count > 0 && found.run[0].simulation && !found.run[1].simulation);
    scree_comparison_free(&found);
    scree_findings_free(&findings);
}

static void convergence(void) {
    const char *const scheme[] = { "moreau-jean", "nscd" };
    scree_study study = study_of("klarbring");
    scree_findings findings = { 0 };
    scree_simulation *own = scree_simulation_open(study.scene, NULL, 0, &findings);
    scree_convergence_options options = scree_convergence_options_default(own);
    CHECK_NEAR(options.first, 8 * scree_simulation_options(own)->scheme.step, 0);
    CHECK_TEXT(options.key, "scheme.name");
    scree_simulation_free(own);
    options.scheme = scheme;
    options.schemes = 2;
    options.first = 0.16;
    options.levels = 3;
    options.coarse = 10;
    options.spread = 2;
    scree_convergence found;
    scree_error err = { 0 };
    CHECK_INT(scree_convergence_find(&study, &options, &found, &err), SCREE_OK);
    ask("converge klarbring --schemes moreau-jean,nscd --steps 0.16:3 --duration 1.6 --spread 2 "
        "--json --quiet");
    same_at("time", found.end);
    for (int s = 0; s < found.schemes; s++) {
        const scree_convergence_ladder *ladder = &found.ladder[s];
        if (seek("scheme")) same_text(scheme[s]);
        same_at("order_position", ladder->order_q);
        same_at("order_velocity", ladder->order_v);
        same_at("largest_displacement", ladder->travel);
        for (int i = 0; i < found.levels; i++) {
            const scree_convergence_level *level = &ladder->level[i];
            same_at("h", level->h);
            same_at("position_error", level->error_q);
            same_at("velocity_error", level->error_v);
            same_at("position_mean", level->q.mean);
            same_at("velocity_end", level->v.last);
            same_at("order_position", level->order_q);
            CHECK(level->error_q > 0 && level->error_q < 0.1);
        }
    }
    scree_convergence_free(&found);

    options.levels = 1;
    CHECK(scree_convergence_find(&study, &options, &found, &err) == SCREE_BAD_INPUT);
    scree_convergence_free(&found);
}

static bool stop_at(void *data, const char *what, int64_t done, int64_t total) {
    (void)what, (void)total;
    return done == *(int64_t *)data;
}

static void stopped(void) {
    const char *const scheme[] = { "moreau-jean" };
    int64_t when = 7;
    scree_study study = study_of("klarbring");
    study.on_progress = stop_at;
    study.data = &when;
    scree_convergence_options options = { .key = "scheme.name",
                                          .scheme = scheme,
                                          .schemes = 1,
                                          .first = 0.1,
                                          .levels = 2,
                                          .coarse = 5,
                                          .spread = 1 };
    scree_convergence found;
    scree_error err = { 0 };
    CHECK(scree_convergence_find(&study, &options, &found, &err) == SCREE_INTERRUPTED);
    scree_convergence_free(&found);
    const double mu[] = { 0.1, 0.2, 0.3, 0.4 };
    const scree_axis axis = { "mu", mu, 4 };
    scree_equilibria_grid grid;
    scree_findings findings = { 0 };
    when = 3;
    CHECK(scree_equilibria_grid_find(&study, &axis, 1, 1e-12, &grid, &findings, &err) ==
          SCREE_INTERRUPTED);
    scree_equilibria_grid_free(&grid);
    scree_findings_free(&findings);
}

static void paradoxes(void) {
    const double mu[] = { -0.5, 1, 2.5 }, theta[] = { 0.5, 0.75, 1, 1.25, 1.5 };
    const scree_axis axis[] = { { "mu", mu, 3 }, { "theta0", theta, 5 } };  // the last one running
    scree_study study = study_of("painleve-rod");
    scree_paradox_grid found;
    scree_error err = { 0 };
    CHECK_INT(scree_paradox_grid_find(&study, axis, 2, SCREE_PARADOX_TOLERANCE, &found, &err), 0);
    CHECK_INT(found.points, 15);
    CHECK_INT(found.unfit, 5);
    CHECK_INT(found.first_unfit, 0);
    ask("paradox painleve-rod --sweep theta0=0.5:1.5:5,mu=-0.5:2.5:3 --json");
    seek("counts");
    for (int p = 0; p < found.points; p++) {
        double count = found.count[p] == SCREE_PARADOX_UNFIT ? (double)NAN : found.count[p];
        same_number("counts", count);
    }
    seek("A");
    for (int p = 0; p < found.points; p++) same_number("A", found.A[p]);
    seek("B");
    for (int p = 0; p < found.points; p++) same_number("B", found.B[p]);
    for (int s = 0; s < SCREE_TRIAL_SCHEMES; s++) {
        seek(scree_scheme_name((scree_scheme)s));
        for (int p = 0; p < found.points; p++)
            same_text(scree_outcome_name((scree_outcome)found.outcome[s][p]));
    }
    same_at("unfit", found.unfit);
    scree_paradox_grid_free(&found);
}

static void equilibria(void) {
    const double mu[] = { 0, 0.75, 1.5, 2.25, 3 };
    const scree_axis axis = { "mu", mu, 5 };
    scree_study study = study_of("klarbring");
    scree_equilibria_grid found;
    scree_findings findings = { 0 };
    scree_error err = { 0 };
    CHECK_INT(scree_equilibria_grid_find(&study, &axis, 1, 1e-12, &found, &findings, &err), 0);
    ask("equilibria klarbring --sweep mu=0:3:5 --json");
    seek("kinds");
    for (int k = 0; k < found.kinds; k++) same_text(found.label[k]);
    seek("map");
    for (int p = 0; p < found.points; p++) same_number("map", found.kind[p]);
    CHECK_INT(found.criticals, 1);
    for (int i = 0; i < found.criticals; i++) {
        const scree_critical *c = &found.critical[i];
        same_at("value", c->value);
        if (seek("below")) same_text(found.label[c->below]);
        if (seek("at")) same_text(found.label[c->at]);
        if (seek("above")) same_text(found.label[c->above]);
    }
    scree_equilibria_grid_free(&found);

    // the particle's A, which is no parameter of the scene; and a name that nothing has
    const double A[] = { -1, 0, 1 };
    const scree_axis both[] = { { "A", A, 3 }, axis };
    CHECK_INT(scree_equilibria_grid_find(&study, both, 2, 1e-12, &found, &findings, &err), 0);
    ask("equilibria klarbring --sweep A=-1:1:3,mu=0:3:5 --json");
    seek("map");
    for (int p = 0; p < found.points; p++) same_number("map", found.kind[p]);
    scree_equilibria_grid_free(&found);
    const scree_axis unknown = { "nu", A, 3 };
    CHECK(scree_equilibria_grid_find(&study, &unknown, 1, 1e-12, &found, &findings, &err) ==
          SCREE_BAD_INPUT);
    CHECK(findings.count > 0);
    scree_equilibria_grid_free(&found);
    scree_findings_free(&findings);
}

// kind 0 below 1/3, 1 up to pi/2 and 2 behind; 3 at 3 alone
static scree_status step_kind(void *data, double x, int *kind, scree_error *err) {
    ++*(int *)data;
    *kind = fabs(x - 3) < 1e-12 ? 3 : x < 1.0 / 3 ? 0 : x < M_PI_2 ? 1 : 2;
    return x > 9 ? scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "beyond") : SCREE_OK;
}

static void bisection(void) {
    const double value[] = { 0, 2, 3, 4 };
    const int kind[] = { 0, 2, 3, 2 };
    scree_critical critical[3 * SCREE_CHANGES];
    int calls = 0, count;
    scree_error err = { 0 };
    CHECK_INT(scree_bisection_find(step_kind, &calls, value, kind, 4, critical, &count, &err), 0);
    CHECK_INT(count, 3);
    CHECK_NEAR(critical[0].value, 1.0 / 3, 1e-15);
    CHECK_INT(critical[0].at, -1);
    CHECK_NEAR(critical[1].value, M_PI_2, 1e-15);
    CHECK_INT(critical[1].below, 1);
    CHECK_NEAR(critical[2].value, 3, 1e-12);
    CHECK_INT(critical[2].at, 3);
    CHECK_INT(critical[2].above, 2);
    CHECK(calls < 5 * 60);
    const double beyond[] = { 8, 12 };
    CHECK(scree_bisection_find(step_kind, &calls, beyond, kind, 2, critical, &count, &err) ==
          SCREE_BAD_INPUT);
}

static void sweep(void) {
    static scree_sweep_summary found[6], again[6];
    char folder[] = "/tmp/scree-sweep-XXXXXX", runs[60], line[SCREE_SWEEP_LINE];
    scree_study study = study_of("bouncing-ball");
    scree_sweep all = scree_sweep_default(&study);
    scree_error err = { 0 };
    const char *const height[] = { "0.5", "2" };
    CHECK(mkdtemp(folder));
    snprintf(runs, sizeof runs, "%s/study.runs", folder);
    all.folder = runs;
    CHECK_INT(scree_sweep_add(&all, "e=0:1:3", &err), SCREE_OK);
    CHECK_INT(scree_sweep_add_values(&all, "h0", height, 2, &err), SCREE_OK);
    CHECK_INT(all.runs, 6);
    CHECK(scree_sweep_line(&all, 3, line));
    CHECK_TEXT(line, "4\tparameters.e=0.5\tparameters.h0=2");
    all.jobs = 2;
    CHECK_INT(scree_sweep_find(&study, &all, found, &err), SCREE_OK);

    // the command takes these runs for its own: nothing is done twice, not even the clock moves
    char question[900];
    snprintf(question, sizeof question,
             "sweep %s --set e=0:1:3 --set h0=0.5,2 --json --quiet -o "
             "%s/study.json",
             study.scene, folder);
    ask(question);
    for (int i = 0; i < all.runs; i++) {
        if (seek("status")) same_text("done");
        same_at("energy_start", found[i].value[SCREE_SWEEP_ENERGY_START]);
        same_at("energy", found[i].value[SCREE_SWEEP_ENERGY]);
        same_at("wall_seconds", found[i].value[SCREE_SWEEP_WALL_SECONDS]);
    }
    // energy of the last one: e = 1, from 2 m; nothing is lost
    CHECK_NEAR(found[5].value[SCREE_SWEEP_ENERGY], 9.81 * 2.1, 1e-9);

    // nothing kept, one at a time: the same numbers
    all.folder = NULL;
    all.jobs = 1;
    CHECK_INT(scree_sweep_find(&study, &all, again, &err), SCREE_OK);
    for (int i = 0; i < all.runs; i++)
        for (int k = 0; k < SCREE_SWEEP_WALL_SECONDS; k++)
            CHECK(found[i].value[k] == again[i].value[k]);

    int64_t when = 2;
    study.on_progress = stop_at;
    study.data = &when;
    CHECK(scree_sweep_find(&study, &all, again, &err) == SCREE_INTERRUPTED);
    CHECK_TEXT(again[1].status, "done");
    CHECK_TEXT(again[2].status, "");
    scree_sweep_free(&all);
    snprintf(question, sizeof question, "rm -r %s", folder);
    CHECK(system(question) == 0);
}

static void sweeps_that_cannot_be(void) {
    scree_study study = study_of("bouncing-ball");
    scree_sweep all = scree_sweep_default(&study);
    scree_error err = { 0 };
    const char *const broken = "1\n2";
    CHECK(scree_sweep_add(&all, "e", &err) == SCREE_BAD_INPUT);
    CHECK(scree_sweep_add(&all, "e=0:1:30000", &err) == SCREE_BAD_INPUT);
    CHECK_TEXT(err.text, "a sweep has at most 20000 runs, these are 20001");
    scree_sweep_free(&all);
    CHECK(scree_sweep_add_values(&all, "e", NULL, 0, &err) == SCREE_BAD_INPUT);
    scree_sweep_free(&all);
    CHECK(scree_sweep_add_values(&all, "e", &broken, 1, &err) == SCREE_BAD_INPUT);
    scree_sweep_free(&all);
    CHECK(scree_sweep_add(&all, "e=1", &err) == SCREE_OK);
    CHECK(scree_sweep_add(&all, "parameters.e=1", &err) == SCREE_BAD_INPUT);
    scree_sweep_free(&all);
}

TEST_FILE(test_study) {
    TEST(comparison);
    TEST(convergence);
    TEST(stopped);
    TEST(paradoxes);
    TEST(equilibria);
    TEST(bisection);
    TEST(sweep);
    TEST(sweeps_that_cannot_be);
    return harness_end();
}
