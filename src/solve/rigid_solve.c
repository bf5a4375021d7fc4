// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid_solve.c - nonsmooth Gauss-Seidel on bodies: sweep, look, stop.
// in: problem, guess.   out: impulses, velocities, report.   work: the laid-out set.
//
// Velocities are kept current, so they drift by rounding; they are computed afresh now and then,
// and before anything is called solved.

#include <float.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "solve/rigid_run.h"

enum {
    FRESH = 128,      // sweeps after which velocities are computed afresh
    PATIENCE = 2000,  // sweeps without a better residual before giving up
};

static const scree_solver_entry entries[] = {
    { "nsgs", "nonsmooth Gauss-Seidel on bodies, all sweeps in one direction" },
    { "nsgs-symmetric", "sweeps to and fro in turn: no direction preferred, about twice as many" },
    { "nsgs-freezing", "nsgs that rests contacts which have stopped changing" },
    { NULL, NULL },
};

const scree_solver_entry *scree_rigid_solver_list(void) { return entries; }

double scree_rigid_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// -------------------------------------------------------------------------------------------------
// judging

// |b|^2 and sum |b_i|^2 / D_i: the velocities that the law speaks about, without impulses
static scree_rigid_total measure_b(scree_rigid_run *run) {
    scree_rigid_set *set = &run->set;
    memcpy(set->motion, set->free, (size_t)set->lines * sizeof *set->motion);
    scree_rigid_total total = scree_rigid_judge(set, &run->team);
    run->size = total.speed;
    run->energy = total.speed_energy;
    return total;
}

static scree_residual residual_of(const scree_rigid_run *run, const scree_rigid_total *total) {
    double size = 1 + sqrt(run->size);
    return (scree_residual){
        .natural = sqrt(total->natural) / size,
        .scaled = total->energy == 0 ? 0 : sqrt(total->energy / run->energy),
        .natural_floor = 16 * DBL_EPSILON * sqrt(total->impulse) / size,
    };
}

double scree_rigid_error(const scree_rigid_run *run, scree_residual residual) {
    switch (run->options->criterion) {
        case SCREE_CRITERION_NATURAL:
            return residual.natural;
        case SCREE_CRITERION_SCALED:
            return residual.scaled;
        case SCREE_CRITERION_BOTH:
            break;
    }
    return scree_residual_max(residual);
}

scree_residual scree_rigid_look(scree_rigid_run *run) {
    double start = scree_rigid_seconds();
    scree_rigid_total total = scree_rigid_judge(&run->set, &run->team);
    run->report->seconds.judge += scree_rigid_seconds() - start;
    return residual_of(run, &total);
}

// -------------------------------------------------------------------------------------------------
// the best iterate so far, or nearly

static double *impulses_of(scree_rigid_set *set, size_t k) {
    return set->central ? set->centrals[k].p[0] : set->generals[k].p[0];
}

static void keep_impulses(scree_rigid_run *run) {
    for (size_t k = 0; k < (size_t)run->set.batches; k++)
        memcpy(run->kept + 24 * k, impulses_of(&run->set, k), 24 * sizeof(double));
}

static void keep(scree_rigid_run *run, scree_residual residual) {
    keep_impulses(run);
    run->kept_residual = residual;
}

static void restore(scree_rigid_run *run) {
    for (size_t k = 0; k < (size_t)run->set.batches; k++)
        memcpy(impulses_of(&run->set, k), run->kept + 24 * k, 24 * sizeof(double));
    scree_rigid_refresh(&run->set, &run->team);
}

static void clear(scree_rigid_run *run) {
    for (size_t k = 0; k < (size_t)run->set.batches; k++)
        memset(impulses_of(&run->set, k), 0, 24 * sizeof(double));
}

bool scree_rigid_note(scree_rigid_run *run, scree_residual residual) {
    double error = scree_rigid_error(run, residual);
    if (!isfinite(error)) {
        run->report->reason = SCREE_STOP_BROKEN;
        return false;
    }
    run->report->residual = residual;
    // a copy costs half a sweep, so it is taken at every halving of the residual only
    if (error < 0.5 * scree_rigid_error(run, run->kept_residual)) keep(run, residual);
    return true;
}

// -------------------------------------------------------------------------------------------------
// Gauss-Seidel

typedef struct way {
    scree_sweep_direction direction;
    bool freezing;
} way;

static void wake(scree_rigid_set *set) {
    memset(set->frozen, 0, (size_t)set->batches);
    memset(set->idle_sweeps, 0, (size_t)set->batches);
}

static void sweep_to(scree_rigid_run *run, way how, int last) {
    double start = scree_rigid_seconds();
    scree_rigid_sweep(&run->set, &run->team, how.direction, how.freezing, run->report->iterations,
                      last);
    run->report->iterations = last;
    run->report->seconds.iterate += scree_rigid_seconds() - start;
}

// A look costs nearly a sweep: after a quarter more of them, and after the last one that is
// allowed.
static int next_look(const scree_rigid_run *run, int sweeps) {
    int next = sweeps + 2 + sweeps / 4;
    return next < run->options->max_sweeps ? next : run->options->max_sweeps;
}

// solved, with velocities that have not drifted and contacts that are all awake?
static bool is_solved(scree_rigid_run *run, way how, scree_residual *residual) {
    if (!(scree_rigid_error(run, *residual) <= run->options->tolerance)) return false;
    if (how.freezing && run->report->iterations < run->options->max_sweeps) {
        wake(&run->set);
        sweep_to(run, how, run->report->iterations + 1);
    }
    scree_rigid_refresh(&run->set, &run->team);
    *residual = scree_rigid_look(run);
    return scree_rigid_error(run, *residual) <= run->options->tolerance;
}

static bool out_of_time(const scree_rigid_run *run) {
    return run->options->max_seconds > 0 &&
           scree_rigid_seconds() - run->start > run->options->max_seconds;
}

static void iterate(scree_rigid_run *run, way how) {
    const scree_solver_options *options = run->options;
    scree_report *report = run->report;
    scree_residual residual = report->residual;
    double level = scree_rigid_error(run, residual);
    int last_gain = 0, fresh = 0;
    report->reason = SCREE_STOP_LIMIT;
    while (!is_solved(run, how, &residual) && report->iterations < options->max_sweeps) {
        sweep_to(run, how, next_look(run, report->iterations));
        if (report->iterations - fresh >= FRESH) {
            scree_rigid_refresh(&run->set, &run->team);
            fresh = report->iterations;
        }
        residual = scree_rigid_look(run);
        if (!scree_rigid_note(run, residual)) return;
        if (scree_rigid_error(run, residual) < 0.99 * level) {
            level = scree_rigid_error(run, residual);
            last_gain = report->iterations;
        }
        if (report->iterations - last_gain > PATIENCE) report->reason = SCREE_STOP_STALLED;
        if (out_of_time(run)) report->reason = SCREE_STOP_TIME;
        if (report->reason != SCREE_STOP_LIMIT) break;
    }
    scree_rigid_note(run, residual);
}

// -------------------------------------------------------------------------------------------------
// beginning and end

// A guess that is far off is dropped. One that is worse than nothing by the residual alone is not:
// nothing leaves out what sweeps find last, how the load goes down through many bodies, while a
// guess from the step before has it.
static void begin(scree_rigid_run *run) {
    const double far = 100;
    double start = scree_rigid_seconds();
    keep_impulses(run);
    clear(run);
    scree_rigid_total nothing = measure_b(run);
    run->report->seconds.judge += scree_rigid_seconds() - start;
    scree_residual cold = residual_of(run, &nothing);
    restore(run);
    run->kept_residual = scree_rigid_look(run);
    if (!(scree_rigid_error(run, run->kept_residual) < far * scree_rigid_error(run, cold))) {
        clear(run);
        scree_rigid_refresh(&run->set, &run->team);
        keep(run, cold);
    }
    run->report->residual = run->kept_residual;
    double share = 1e-2 * run->options->tolerance;
    run->set.idle_energy = share * share * run->energy / fmax(run->set.problem->contacts, 1);
}

static void end(scree_rigid_run *run) {
    scree_report *report = run->report;
    const scree_rigid_problem *problem = run->set.problem;
    bool older =
        !(scree_rigid_error(run, report->residual) <= scree_rigid_error(run, run->kept_residual));
    if (older || report->reason == SCREE_STOP_BROKEN) {
        restore(run);
        report->residual = run->kept_residual;
    }
    report->converged = scree_rigid_error(run, report->residual) <= run->options->tolerance;
    if (report->converged) report->reason = SCREE_STOP_SOLVED;
    scree_rigid_impulses(&run->set, problem->impulse);
    if (problem->velocity) scree_rigid_velocities(&run->set, problem->velocity);
}

// the row of the menu, or -1
static int find_solver(const char *name) {
    if (!name || strcmp(name, "auto") == 0) return 0;
    for (int i = 0; entries[i].name; i++)
        if (strcmp(entries[i].name, name) == 0) return i;
    return -1;
}

static way way_of(int solver) {
    enum { NSGS, SYMMETRIC, FREEZING };
    return (way){ solver == SYMMETRIC ? SCREE_SWEEP_SYMMETRIC : SCREE_SWEEP_FORWARDS,
                  solver == FREEZING };
}

static scree_status broken_report(const scree_rigid_problem *problem, scree_report *report) {
    report->converged = false;
    report->reason = SCREE_STOP_BROKEN;
    report->residual = (scree_residual){ .natural = NAN, .scaled = NAN };
    if (problem->velocity && problem->velocity != problem->free_velocity)
        memcpy(problem->velocity, problem->free_velocity,
               6 * (size_t)problem->bodies * sizeof(double));
    return SCREE_OK;
}

scree_status scree_rigid_solve_in(const scree_rigid_problem *problem,
                                  const scree_solver_options *options, scree_rigid_memory *memory,
                                  scree_report *report, scree_error *err) {
    int solver = find_solver(options->name);
    if (solver < 0)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "there is no solver \"%s\" for rigid bodies", options->name);
    *report = (scree_report){ .solver = entries[solver].name, .converged = true, .islands = 1 };
    scree_rigid_run run = { .options = options,
                            .report = report,
                            .team = scree_kernel_config_of(options->threads),
                            .start = scree_rigid_seconds() };
    bool broken;
    scree_status status = scree_rigid_prepare_in(problem, memory, &run.set, &broken, err);
    if (status) return status;
    if (broken) return broken_report(problem, report);
    run.kept = SCREE_NEW(&memory->keep, double, 24 * (size_t)run.set.batches);
    if (!run.kept)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d contacts",
                          problem->contacts);
    report->seconds.prepare = scree_rigid_seconds() - run.start;
    begin(&run);
    iterate(&run, way_of(solver));
    end(&run);
    return SCREE_OK;
}

scree_status scree_rigid_solve(const scree_rigid_problem *problem,
                               const scree_solver_options *options, scree_report *report,
                               scree_error *err) {
    scree_rigid_memory memory = { 0 };
    scree_status status = scree_rigid_solve_in(problem, options, &memory, report, err);
    scree_rigid_forget(&memory);
    return status;
}

scree_status scree_rigid_residual(const scree_rigid_problem *problem, int threads,
                                  scree_residual *residual, scree_error *err) {
    scree_rigid_run run = { .team = scree_kernel_config_of(threads) };
    bool broken;
    scree_status status = scree_rigid_prepare(problem, &run.set, &broken, err);
    *residual = (scree_residual){ .natural = NAN, .scaled = NAN };
    if (status || broken) return status;
    measure_b(&run);
    scree_rigid_refresh(&run.set, &run.team);
    scree_rigid_total total = scree_rigid_judge(&run.set, &run.team);
    *residual = residual_of(&run, &total);
    scree_rigid_release(&run.set);
    return SCREE_OK;
}
