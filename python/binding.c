// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// binding.c - loops around steps that Python leaves to C, and Ctrl-C during them.

#include "binding.h"

#include <signal.h>
#include <stdlib.h>
#include <time.h>

// A handler of signals has nothing but globals; they are touched in the main thread alone. It sets
// the flag and calls the one that was there, Python's: once in place it stays, since putting it
// there and back costs more than a short step.
static volatile int asked;
static struct sigaction before;

static void on_signal(int number, siginfo_t *info, void *context) {
    asked = 1;
    if (before.sa_flags & SA_SIGINFO)
        before.sa_sigaction(number, info, context);
    else
        before.sa_handler(number);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// somebody may have put another handler there since; short steps do not ask each time
static void install(void) {
    static double last = -1;
    double t = now();
    if (last >= 0 && t < last + 0.01) return;
    last = t;
    struct sigaction own = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO }, found;
    if (sigaction(SIGINT, NULL, &found)) return;
    bool rich = found.sa_flags & SA_SIGINFO;
    if (rich && found.sa_sigaction == on_signal) return;
    // nobody handles the signal: it does what it does by default
    if (!rich && (found.sa_handler == SIG_DFL || found.sa_handler == SIG_IGN)) return;
    before = found;
    own.sa_flags |= found.sa_flags;
    own.sa_mask = found.sa_mask;
    sigaction(SIGINT, &own, NULL);
}

static const volatile int *watch_signal(void) {
    install();
    asked = 0;
    return &asked;
}

static void guard_begin(scree_simulation *simulation, bool wanted) {
    if (wanted) scree_simulation_interrupt(simulation, watch_signal());
}

static void guard_end(scree_simulation *simulation, bool wanted) {
    if (wanted) scree_simulation_interrupt(simulation, NULL);
}

static scree_status interrupted(const scree_simulation *simulation, scree_error *err) {
    const scree_state *state = scree_simulation_state(simulation);
    return scree_fail(err, SCREE_INTERRUPTED, SCREE_NOWHERE, "stopped after step %lld at time %.9g",
                      (long long)state->step, state->time);
}

scree_status binding_steps(scree_simulation *simulation, int64_t count, bool guarded,
                           scree_error *err) {
    scree_status status = SCREE_OK;
    guard_begin(simulation, guarded);
    for (int64_t i = 0; i < count && !status; i++) {
        status = scree_simulation_step(simulation, err);
        if (!status && guarded && asked && i + 1 < count) status = interrupted(simulation, err);
    }
    guard_end(simulation, guarded);
    return status;
}

scree_status binding_solve(const scree_problem *problem, scree_solver_options *options,
                           bool guarded, double *p, scree_report *report, scree_error *err) {
    if (guarded) options->interrupt = watch_signal();
    return scree_solve(problem, options, p, report, err);
}

scree_status binding_sweep(const scree_study *study, scree_sweep *sweep, bool guarded,
                           scree_sweep_summary *summary, scree_error *err) {
    if (guarded) sweep->interrupt = watch_signal();
    return scree_sweep_find(study, sweep, summary, err);
}

static int watch_step(void *data, const scree_simulation *simulation) {
    binding_watch *watch = data;
    if (watch->guarded && asked) return 1;
    if (!watch->tell) return 0;
    if (watch->seconds > 0) {
        double t = now();
        if (t < watch->next) return 0;
        watch->next = t + watch->seconds;
    }
    return watch->tell(watch->data, scree_simulation_state(simulation)->step);
}

scree_status binding_run(scree_simulation *simulation, const char *path, bool resume,
                         binding_watch *watch, double *wall, scree_error *err) {
    guard_begin(simulation, watch->guarded);
    const scree_run_request request = { path, resume, watch_step, watch, NULL, NULL };
    scree_status status = scree_run(simulation, &request, wall, err);
    guard_end(simulation, watch->guarded);
    return status;
}

void binding_free(void *memory) { free(memory); }
