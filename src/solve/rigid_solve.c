// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid_solve.c - nonsmooth Gauss-Seidel on bodies, without W, and conjugate gradients over it:
// sweep, look, stop.
// in: task by bodies, guess.   out: impulses, report.   work: the laid-out set.
//
// Velocities v = v_free + A H^T p are kept current, so they drift by rounding; they are computed
// afresh now and then, and before anything is called solved.

#include <float.h>
#include <math.h>
#include <string.h>

#include "solve/rigid_set.h"
#include "solve/solver_context.h"
#include "solve/workspace.h"

enum {
    FRESH = 128,        // sweeps after which velocities are computed afresh
    PATIENCE = 5000,    // sweeps without a better residual before giving up,
    CONTENT = 3000,     // and where it would do
    PHASE_SWEEPS = 60,  // of a kind of momentum, two of which take turns,
    LONG_SWEEPS = 240,  // and of long clocks
    TRIAL = 1200,       // sweeps without a gain before another second kind is tried
};

typedef enum momentum {
    CAUTIOUS,     // conjugate gradients; the direction is dropped where the energy of a sweep grows
    BOLD,         // it is kept there
    CLOCKS,       // each contact has a factor of its own, and begins again when it turns round,
    LONG_CLOCKS,  // or goes back a little
} momentum;

typedef struct way {
    const char *name;
    scree_sweep_direction direction;
    scree_sweep_kind kind;
    double patience;  // sweeps without a gain before giving up, 0: PATIENCE
} way;

typedef struct run {
    scree_solver_context *context;
    way how;
    scree_rigid_set set;
    scree_kernel_config config;
    double *kept;  // an iterate that was good (batches x numbers)
    scree_residual kept_residual;

    // conjugate gradients
    double energy, beta;   // of the last sweep's change; over that of the one before, 0: not known
    bool straight;         // no direction yet
    momentum kind, other;  // of this phase; of those between cautious ones
    bool gained;           // have this phase and the one before come to a better residual?
    int phase_end, doublings, trial_end;
    double phase_level;
    int half_way;         // sweeps when the second half of this phase was first seen, 0: not yet
    double half_error;    // the error there
    double check_energy;  // below which the tolerance may have been reached
} run;

static double error_of(const run *now, scree_residual residual) {
    return scree_context_error(now->context, residual);
}

static scree_residual judge(run *now) {
    double start = scree_context_now();
    scree_rigid_total total = scree_rigid_judge(&now->set, &now->config);
    now->context->report->seconds.judge += scree_context_now() - start;
    return scree_residual_of(total.sums, now->context->scales);
}

// -------------------------------------------------------------------------------------------------
// the best iterate so far, or nearly

static void keep(run *now, scree_residual residual) {
    scree_rigid_keep(&now->set, now->kept);
    now->kept_residual = residual;
}

static void restore(run *now) {
    scree_rigid_return(&now->set, now->kept);
    scree_rigid_refresh(&now->set, &now->config);
}

// report this residual, keep the iterate if it is much better; false if it is not finite
static bool note(run *now, scree_residual residual) {
    double error = error_of(now, residual);
    if (!isfinite(error)) {
        now->context->report->reason = SCREE_STOP_BROKEN;
        return false;
    }
    now->context->report->residual = residual;
    // a copy costs half a sweep, so it is taken at every halving of the residual only
    if (error < 0.5 * error_of(now, now->kept_residual)) keep(now, residual);
    return true;
}

// -------------------------------------------------------------------------------------------------
// Gauss-Seidel

static bool conjugates(const run *now) { return now->how.kind == SCREE_SWEEP_TRACED; }

static bool clocks(momentum kind) { return kind == CLOCKS || kind == LONG_CLOCKS; }

// Two kinds of momentum in turn. Conjugate gradients (Fletcher and Reeves, with the change of a
// sweep as gradient) bring loads through the whole. Contacts that slip while their impulses are
// still inside their cones go straight on for long, whatever swings elsewhere: a clock for each
// contact lets them, in packings of balls. Others, and those where that gains nothing, get bold
// conjugate gradients, which get over what holds cautious ones up.
static void lead(run *now) {
    double beta = now->kind == BOLD ? fmin(now->beta, 1) : now->beta;
    bool goes_on = clocks(now->kind) || (beta > 0 && beta <= 1);
    scree_momentum how = { .keep = now->straight ? 0 : beta, .lead = beta };
    if (clocks(now->kind))
        how = (scree_momentum){ .keep = now->straight ? 0 : 1,
                                .clocks = true,
                                .turned = now->kind == LONG_CLOCKS ? 0.3 : 0 };
    if (goes_on) scree_rigid_lead(&now->set, &now->config, how);
    now->straight = !goes_on;
}

static void begin_phase(run *now, momentum kind, int sweeps) {
    bool same = !clocks(now->kind) && !clocks(kind);
    now->kind = kind;
    now->phase_end = now->context->report->iterations + sweeps;
    now->half_way = 0;
    if (same) return;  // goes on with the direction that there is
    now->straight = true;
    now->beta = now->energy = 0;
    size_t count = now->set.numbers / 3 * (size_t)now->set.batches;
    memset(now->set.clock, 0, count * sizeof *now->set.clock);
}

// A phase goes on whose second half would come to the tolerance in another one: what comes next has
// to find its direction first. Between balls without cohesion, where that was found to gain; a
// lattice of cohesive boxes then hovers.
static bool prolong_phase(run *now, double error) {
    int sweeps = now->context->report->iterations, since = sweeps - now->half_way;
    if (!now->set.central || now->set.cohesion || now->half_way == 0 || since <= 0 ||
        !(error < now->half_error))
        return false;
    double rate = log(now->half_error / error) / since;
    double left = log(error / now->context->options->tolerance) / rate;
    if (!(left <= PHASE_SWEEPS)) return false;
    now->phase_end = sweeps + (int)ceil(1.25 * left) + 2;
    now->half_way = sweeps;
    now->half_error = error;
    return true;
}

// What takes turns with cautious phases. Between balls that neither cohere nor resist rolling, long
// stretches of clocks come first: they go as far as half the square of their sweeps, and the edges
// of cones are ten thousand plain sweeps away.
static void choose_other(run *now) {
    bool balls = now->set.central && !now->set.rollings && !now->set.cohesion;
    if (now->other == CAUTIOUS)
        now->other = balls ? LONG_CLOCKS : now->set.central ? CLOCKS : BOLD;
    else if (now->other == BOLD)
        now->other = balls ? LONG_CLOCKS : CLOCKS;
    else
        now->other = now->other == LONG_CLOCKS ? CLOCKS : BOLD;
    now->trial_end = now->context->report->iterations + TRIAL;
    now->doublings = 0;
}

// The next phase, if this one is over. Cautious ones get longer while nothing is gained, but not
// beside long clocks.
static void change_phase(run *now, double error) {
    int longest = now->other == LONG_CLOCKS ? 0 : 4;  // doublings
    int sweeps = now->context->report->iterations;
    if (error < 0.99 * now->phase_level) {
        now->phase_level = error;
        now->gained = true;
        now->trial_end = sweeps + TRIAL;
    }
    if (now->half_way == 0 && now->phase_end - sweeps <= PHASE_SWEEPS / 2) {
        now->half_way = sweeps;
        now->half_error = error;
    }
    if (sweeps < now->phase_end || prolong_phase(now, error)) return;
    if (now->kind == CAUTIOUS) {
        begin_phase(now, now->other, now->other == LONG_CLOCKS ? LONG_SWEEPS : PHASE_SWEEPS);
        return;
    }
    now->doublings = now->gained ? 0 : now->doublings < longest ? now->doublings + 1 : longest;
    now->gained = false;
    if (sweeps >= now->trial_end) choose_other(now);
    begin_phase(now, CAUTIOUS, PHASE_SWEEPS << now->doublings);
}

static void conjugate_to(run *now, int last) {
    scree_report *report = now->context->report;
    while (report->iterations < last) {
        lead(now);
        scree_rigid_sweep(&now->set, &now->config, SCREE_SWEEP_FORWARDS, SCREE_SWEEP_TRACED, 0, 1);
        double energy = scree_rigid_change(&now->set);
        now->beta = now->energy > 0 ? energy / now->energy : 0;
        now->energy = energy;
        report->iterations++;
        if (energy <= now->check_energy) return;
    }
}

static void sweep_to(run *now, int last) {
    scree_report *report = now->context->report;
    double start = scree_context_now();
    if (conjugates(now)) {
        conjugate_to(now, last);
    } else {
        scree_rigid_sweep(&now->set, &now->config, now->how.direction, now->how.kind,
                          report->iterations, last);
        report->iterations = last;
    }
    report->seconds.iterate += scree_context_now() - start;
}

// A look costs nearly a sweep: after a quarter more of them, and after the last one that is
// allowed. Conjugate gradients dip below the tolerance and come up again.
static int next_check(const run *now, int sweeps) {
    int next = sweeps + 2 + sweeps / 4, most = now->context->options->max_sweeps;
    if (conjugates(now) && next > sweeps + PHASE_SWEEPS) next = sweeps + PHASE_SWEEPS;
    if (conjugates(now) && next > now->phase_end) next = now->phase_end;
    return next < most ? next : most;
}

// solved, with velocities that have not drifted and contacts that are all awake?
static bool is_solved(run *now, scree_residual *residual) {
    const scree_solver_context *context = now->context;
    if (!scree_context_meets(context, *residual)) return false;
    if (now->how.kind == SCREE_SWEEP_FREEZING &&
        context->report->iterations < context->options->max_sweeps) {
        memset(now->set.frozen, 0, (size_t)now->set.batches);
        memset(now->set.idle_sweeps, 0, (size_t)now->set.batches);
        sweep_to(now, context->report->iterations + 1);
    }
    scree_rigid_refresh(&now->set, &now->config);
    *residual = judge(now);
    return scree_context_meets(context, *residual);
}

// Is there somebody who wants to see what is still loose, and was it enough?
static bool ends_halfway(run *now, scree_residual residual) {
    scree_halfway *half = now->context->halfway;
    if (!half || half->looked || !(residual.scaled <= half->tolerance)) return false;
    scree_rigid_impulses(&now->set, now->context->p);
    half->looked = true;
    half->ended = !half->look(half->with, now->context->p, residual.scaled);
    return half->ended;
}

static void iterate(run *now) {
    scree_report *report = now->context->report;
    scree_residual residual = report->residual;
    double level = error_of(now, residual);
    int last_gain = 0, fresh = 0;
    // who has something else to try wants more than a hundredth
    double patience = now->how.patience > 0 ? now->how.patience : PATIENCE;
    double gain = now->how.patience > 0 ? 0.5 : 0.99;
    now->phase_level = level;
    now->other = CAUTIOUS;
    choose_other(now);
    begin_phase(now, CAUTIOUS, PHASE_SWEEPS);
    report->reason = SCREE_STOP_LIMIT;
    while (!is_solved(now, &residual) && !ends_halfway(now, residual) &&
           report->iterations < now->context->options->max_sweeps) {
        sweep_to(now, next_check(now, report->iterations));
        if (report->iterations - fresh >= FRESH) {
            scree_rigid_refresh(&now->set, &now->config);
            fresh = report->iterations;
        }
        residual = judge(now);
        if (!note(now, residual)) return;
        // when to look before that: the residual goes with the root of the change's energy
        double share = now->context->options->tolerance / error_of(now, residual);
        now->check_energy = share * share * now->energy;
        change_phase(now, error_of(now, residual));
        if (error_of(now, residual) < gain * level) {
            level = error_of(now, residual);
            last_gain = report->iterations;
        }
        if (level <= now->context->options->worst) patience = fmin(patience, CONTENT);
        if (report->iterations - last_gain > patience) report->reason = SCREE_STOP_STALLED;
        if (scree_context_late(now->context)) report->reason = SCREE_STOP_TIME;
        if (report->reason != SCREE_STOP_LIMIT) break;
    }
    note(now, residual);
}

// -------------------------------------------------------------------------------------------------
// beginning and end

// the scales of the residual, from s = b, and the residual of p = 0
static scree_residual measure_nothing(run *now) {
    scree_rigid_set *set = &now->set;
    double start = scree_context_now();
    scree_rigid_clear(set);
    if (set->cohesion)
        scree_rigid_refresh(set, &now->config);
    else
        memcpy(set->motion, set->free, (size_t)set->lines * sizeof *set->motion);
    scree_rigid_total total = scree_rigid_judge(set, &now->config);
    now->context->scales = (scree_residual_scales){ .natural = 1 + sqrt(total.speed),
                                                    .energy = total.speed_energy,
                                                    .pull = total.sums.rounding };
    now->context->report->seconds.judge += scree_context_now() - start;
    return scree_residual_of(total.sums, now->context->scales);
}

// A guess that is far off is dropped. One that is worse than nothing by the residual alone is not:
// nothing leaves out what sweeps find last, how the load goes down through many bodies, while a
// guess from the step before has it.
static void begin(run *now) {
    const double far = 100;
    scree_solver_context *context = now->context;
    scree_rigid_keep(&now->set, now->kept);
    scree_residual cold = measure_nothing(now);
    restore(now);
    now->kept_residual = judge(now);
    if (!(error_of(now, now->kept_residual) < far * error_of(now, cold))) {
        scree_rigid_clear(&now->set);
        scree_rigid_refresh(&now->set, &now->config);
        keep(now, cold);
    }
    context->report->residual = now->kept_residual;
    double share = 1e-2 * context->options->tolerance;
    now->set.idle_energy = share * share * context->scales.energy / context->problem->contacts;
}

static void end(run *now) {
    scree_solver_context *context = now->context;
    scree_report *report = context->report;
    bool older = !(error_of(now, report->residual) <= error_of(now, now->kept_residual));
    if (older || report->reason == SCREE_STOP_BROKEN) {
        restore(now);
        report->residual = now->kept_residual;
    }
    scree_rigid_impulses(&now->set, context->p);
    scree_context_finish(context, now->how.name, report->residual, report->reason);
}

static scree_status solve(scree_solver_context *context, way how, scree_error *err) {
    const scree_problem *problem = context->problem;
    scree_report *report = context->report;
    if (!scree_rigid_serves(problem))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the solver \"%s\" works on rigid bodies with plain friction, and "
                          "rolling resistance of balls",
                          how.name);
    run now = { .context = context, .how = how, .config = scree_kernel_config_of(context->pool) };
    double start = scree_context_now();
    bool broken;
    scree_status status =
        scree_rigid_prepare(problem, context->p, context->arena, &now.set, &broken, err);
    if (status) return status;
    if (broken) {
        report->solver = how.name;
        report->converged = false;
        report->reason = SCREE_STOP_BROKEN;
        report->residual = (scree_residual){ .natural = NAN, .scaled = NAN };
        return SCREE_OK;
    }
    now.kept = SCREE_ROOM(context->arena, double, (now.set.numbers * (size_t)now.set.batches));
    if (!now.kept) return scree_context_no_memory(context, err);
    report->seconds.prepare += scree_context_now() - start;
    begin(&now);
    iterate(&now);
    end(&now);
    return SCREE_OK;
}

scree_status scree_rigid_nsgs_solve(scree_solver_context *context, scree_error *err) {
    return solve(context, (way){ "nsgs", SCREE_SWEEP_FORWARDS, SCREE_SWEEP_PLAIN, 0 }, err);
}

scree_status scree_rigid_symmetric_solve(scree_solver_context *context, scree_error *err) {
    return solve(context, (way){ "nsgs-symmetric", SCREE_SWEEP_SYMMETRIC, SCREE_SWEEP_PLAIN, 0 },
                 err);
}

scree_status scree_rigid_freezing_solve(scree_solver_context *context, scree_error *err) {
    return solve(context, (way){ "nsgs-freezing", SCREE_SWEEP_FORWARDS, SCREE_SWEEP_FREEZING, 0 },
                 err);
}

scree_status scree_rigid_ncg_try(scree_solver_context *context, double patience, scree_error *err) {
    return solve(context, (way){ "ncg", SCREE_SWEEP_FORWARDS, SCREE_SWEEP_TRACED, patience }, err);
}

scree_status scree_rigid_ncg_solve(scree_solver_context *context, scree_error *err) {
    return scree_rigid_ncg_try(context, 0, err);
}
