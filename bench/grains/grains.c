// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// grains.c - the whole engine on grains at rest: what a step costs and how still it keeps them.
//
//     grow SIDE HEAP                           make SIDE^3 grains, packed roughly
//     calm HEAP THREADS STEPS EVERY SHARE      let the engine bring them to rest
//     run HEAP THREADS TOLERANCE SWEEPS STEPS  step from there; numbers in JSON
//     rival HEAP SCRIPT SECONDS                the contact problem of a step, to scree and Siconos
//
// Time is the clock's. Contact updates are sweeps times contacts over the time that the phase
// `solve` takes, laying out and judging included.

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "heap.h"
#include "packing.h"
#include "rival.h"

enum { ROUGH_STEPS = 800, ROUGH_SWEEPS = 30, WARM_UP = 3 };
enum { CALM_SWEEPS = 999, REPORT_EVERY = 5 };

static scree_solver_options solver_of(int threads, double tolerance, int sweeps) {
    scree_solver_options solver = scree_solver_options_default();
    solver.name = "auto";
    solver.threads = threads;
    solver.tolerance = tolerance;
    solver.max_sweeps = sweeps;
    return solver;
}

static void step(scree_simulation *simulation) {
    scree_error err = { 0 };
    heap_need(scree_simulation_step(simulation, &err) == SCREE_OK, err.text);
}

// -------------------------------------------------------------------------------------------------
// how still the grains are

typedef struct rest {    // all without units
    double unrest;       // root mean square of velocities, over g h
    double imbalance;    // the same of forces that nothing balances, over weights
    double penetration;  // largest overlap over the smaller radius
} rest;

static rest look(const scree_simulation *simulation) {
    const scree_step_record *record = scree_simulation_record(simulation);
    int grains = scree_simulation_model(simulation)->bodies - 1;
    double speed = 0, change = 0, unit = heap_gravity * heap_step;
    for (size_t i = 1; i <= (size_t)grains; i++)
        for (size_t k = 0; k < 3; k++) {
            double before = record->before.v[6 * i + k], after = record->after.v[6 * i + k];
            speed += after * after;
            change += (after - before) * (after - before);
        }
    return (rest){ .unrest = sqrt(speed / grains) / unit,
                   .imbalance = sqrt(change / grains) / unit,
                   .penetration = scree_simulation_account(simulation)->penetration_relative };
}

// -------------------------------------------------------------------------------------------------
// settle

// Grains of the packing in a random order: neighbours in space are no neighbours in memory then,
// as in any scene that was not sorted by hand.
static heap heap_of(const packing *pack) {
    heap made = { .grains = pack->balls, .width = pack->width };
    made.grain = calloc(HEAP_NUMBERS * (size_t)made.grains, sizeof *made.grain);
    int *order = malloc((size_t)made.grains * sizeof *order);
    heap_need(made.grain && order, "out of memory");
    uint64_t state = 1;
    for (int i = 0; i < made.grains; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        int j = (int)((state >> 33) % (uint64_t)(i + 1));
        order[i] = order[j];
        order[j] = i;
    }
    for (int i = 0; i < made.grains; i++) {
        double *grain = made.grain + HEAP_NUMBERS * (size_t)i;
        grain[0] = pack->radius[order[i]];
        memcpy(grain + 1, pack->x + 3 * (size_t)order[i], 3 * sizeof *grain);
    }
    free(order);
    return made;
}

static void report_rest(const scree_simulation *simulation, int done) {
    rest r = look(simulation);
    const scree_report *report = &scree_simulation_record(simulation)->report;
    fprintf(stderr,
            "grains: %d, step %d: unrest %.3g, imbalance %.3g, overlap %.3g, %d sweeps, %.2g\n",
            scree_simulation_model(simulation)->bodies - 1, done, r.unrest, r.imbalance,
            r.penetration, report->iterations, scree_residual_max(report->residual));
}

// The rough packing is made by the way of bench/scaling, which is quick.
static void grow(int side, const char *path) {
    packing *pack = packing_settle(side, ROUGH_STEPS, ROUGH_SWEEPS, 1);
    heap made = heap_of(pack);
    packing_free(pack);
    heap_write(&made, path);
    heap_free(&made);
}

// The engine itself has the last word. Every so many steps only a share of all velocities is left,
// or grains would fall and roll for long; with none left the impulses come to a balance first.
static void calm(const char *path, int threads, int steps, int every, double share) {
    heap given = heap_read(path);
    scree_model *model = heap_model(&given);
    scree_solver_options solver = solver_of(threads, 1e-4, CALM_SWEEPS);
    scree_simulation *simulation = heap_start(&given, model, &solver);
    for (int k = 1; k <= steps; k++) {
        step(simulation);
        if (k % REPORT_EVERY == 0) report_rest(simulation, k);
        if (k % every && k < steps) continue;
        heap_take(&given, simulation);
        heap_restart(simulation, share, given.contact, given.contacts);
    }
    heap_write(&given, path);
    scree_simulation_free(simulation);
    scree_model_free(model);
    heap_free(&given);
}

// -------------------------------------------------------------------------------------------------
// run

typedef struct sums {  // over the measured steps
    double wall, processor, detect, solve, finish;
    double prepare, iterate, judge;  // of solve
    double contacts, possible, sweeps, updates;
    double imbalance, residual, scaled;
    int missed;
} sums;

static void add_step(sums *s, const scree_simulation *simulation) {
    const scree_step_record *record = scree_simulation_record(simulation);
    const scree_report *report = &record->report;
    s->detect += record->seconds.detect;
    s->solve += record->seconds.solve;
    s->finish += record->seconds.finish;
    s->prepare += report->seconds.prepare;
    s->iterate += report->seconds.iterate;
    s->judge += report->seconds.judge;
    s->contacts += record->active;
    s->possible += record->contacts;
    s->sweeps += report->iterations;
    s->updates += (double)report->iterations * record->active;
    s->imbalance += look(simulation).imbalance;
    s->residual = fmax(s->residual, scree_residual_max(report->residual));
    s->scaled += report->residual.scaled;
    s->missed += !report->converged;
}

static void print(const sums *s, int steps, rest end) {
    double n = steps;
    printf(
        "{\"step\": %.6g, \"processor\": %.6g, \"detect\": %.6g, \"solve\": %.6g, "
        "\"finish\": %.6g, \"book\": %.6g, ",
        s->wall / n, s->processor / n, s->detect / n, s->solve / n, s->finish / n,
        (s->wall - s->detect - s->solve - s->finish) / n);
    printf("\"prepare\": %.6g, \"iterate\": %.6g, \"judge\": %.6g, ", s->prepare / n,
           s->iterate / n, s->judge / n);
    printf(
        "\"contacts\": %.6g, \"possible\": %.6g, \"sweeps\": %.6g, \"updates\": %.6g, "
        "\"pure_updates\": %.6g, ",
        s->contacts / n, s->possible / n, s->sweeps / n, s->updates / s->solve,
        s->updates / s->iterate);
    printf(
        "\"residual\": %.6g, \"scaled\": %.6g, \"missed\": %d, \"steps\": %d, \"unrest\": %.6g, "
        "\"imbalance\": %.6g, \"penetration\": %.6g}\n",
        s->residual, s->scaled / n, s->missed, steps, end.unrest, s->imbalance / n,
        end.penetration);
}

static void run(const char *path, int threads, double tolerance, int sweeps, int steps) {
    heap given = heap_read(path);
    scree_model *model = heap_model(&given);
    scree_solver_options solver = solver_of(threads, tolerance, sweeps);
    scree_simulation *simulation = heap_start(&given, model, &solver);
    sums s = { 0 };
    for (int k = 0; k < WARM_UP; k++) step(simulation);
    for (int k = 0; k < steps; k++) {
        double wall = rival_now(CLOCK_MONOTONIC), processor = rival_now(CLOCK_PROCESS_CPUTIME_ID);
        step(simulation);
        s.wall += rival_now(CLOCK_MONOTONIC) - wall;
        s.processor += rival_now(CLOCK_PROCESS_CPUTIME_ID) - processor;
        add_step(&s, simulation);
    }
    print(&s, steps, look(simulation));
    scree_simulation_free(simulation);
    scree_model_free(model);
    heap_free(&given);
}

// -------------------------------------------------------------------------------------------------
// rival: one problem

// scree's whole step from no impulses, to the residual that the rival came to
static void time_engine(const heap *given, const scree_model *model, double tolerance,
                        double *seconds, scree_report *report) {
    scree_solver_options solver = solver_of(1, tolerance, 200000);
    heap cold = *given;
    cold.contacts = 0;
    scree_simulation *simulation = heap_start(&cold, model, &solver);
    double start = rival_now(CLOCK_PROCESS_CPUTIME_ID);
    step(simulation);
    *seconds = rival_now(CLOCK_PROCESS_CPUTIME_ID) - start;
    *report = scree_simulation_record(simulation)->report;
    scree_simulation_free(simulation);
}

// the heap's next step
static scree_stepper *next_problem(const scree_model *model) {
    scree_scheme_options scheme = heap_scheme();
    scree_solver_options solver = solver_of(1, 1, 1);
    scree_stepper *stepper;
    scree_error err = { 0 };
    heap_need(scree_stepper_new(model, &scheme, &solver, &stepper, &err) == SCREE_OK, err.text);
    scree_status status = scree_stepper_advance(stepper, &err);
    heap_need(status == SCREE_OK || status == SCREE_UNCONVERGED, err.text);
    return stepper;
}

// Siconos' own tolerance means another thing: tightened by tens until our judge sees 1e-4
static void rival(const char *path, const char *script, double limit) {
    heap given = heap_read(path);
    scree_model *model = heap_model(&given);
    scree_stepper *stepper = next_problem(model);
    scree_problem whole = scree_stepper_record(stepper)->problem;
    const scree_problem *problem = &whole;
    scree_error err;
    heap_need(whole.block || scree_problem_assemble(&whole, &err) == SCREE_OK, err.text);
    char file[512];
    snprintf(file, sizeof file, "%s.problem", path);
    heap_need(rival_write(problem, file), file);
    size_t numbers = 3 * (size_t)problem->contacts;
    double *r = calloc(numbers, sizeof *r), *s = calloc(numbers, sizeof *s), theirs = 0,
           left = limit;
    heap_need(r && s, "out of memory");
    scree_residual residual = { .scaled = 1 };
    int sweeps = 0;
    bool ran = true;
    for (double tolerance = 1e-2; ran && scree_residual_max(residual) > 1e-4 && left > 1;
         tolerance /= 10) {
        double start = rival_now(CLOCK_MONOTONIC);
        ran = rival_ask(script, file, tolerance, left, problem->contacts, &theirs, &sweeps, r);
        if (ran) residual = scree_problem_residual(problem, r, s);
        left -= rival_now(CLOCK_MONOTONIC) - start;
    }
    unlink(file);
    bool there = scree_residual_max(residual) <= 1e-4;
    double ours = 0;
    scree_report report;
    time_engine(&given, model, there ? scree_residual_max(residual) : 1e-4, &ours, &report);
    printf(
        "{\"contacts\": %d, \"there\": %s, \"residual\": %.6g, \"siconos_sweeps\": %d, "
        "\"siconos\": %.6g, ",
        problem->contacts, there ? "true" : "false", scree_residual_max(residual), sweeps, theirs);
    printf("\"converged\": %s, \"sweeps\": %d, \"scree\": %.6g, \"scree_residual\": %.6g}\n",
           report.converged ? "true" : "false", report.iterations, ours,
           scree_residual_max(report.residual));
    free(r);
    free(s);
    scree_problem_release(&whole);
    scree_stepper_free(stepper);
    scree_model_free(model);
    heap_free(&given);
}

// -------------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
    if (argc == 4 && strcmp(argv[1], "grow") == 0)
        grow(atoi(argv[2]), argv[3]);
    else if (argc == 7 && strcmp(argv[1], "calm") == 0)
        calm(argv[2], atoi(argv[3]), atoi(argv[4]), atoi(argv[5]), atof(argv[6]));
    else if (argc == 7 && strcmp(argv[1], "run") == 0)
        run(argv[2], atoi(argv[3]), atof(argv[4]), atoi(argv[5]), atoi(argv[6]));
    else if (argc == 5 && strcmp(argv[1], "rival") == 0)
        rival(argv[2], argv[3], atof(argv[4]));
    else
        heap_need(false,
                  "usage: grow SIDE HEAP | calm HEAP THREADS STEPS EVERY SHARE | run HEAP THREADS "
                  "TOLERANCE SWEEPS STEPS | "
                  "rival HEAP SCRIPT SECONDS");
    return 0;
}
