// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// policy.c - how the problem of a step is solved: once, and again when the step changes it.
// in: problem, options, guess.   out: impulses, report.

#include "solve/policy.h"

#include <string.h>

#include "solve/rigid_set.h"

static scree_status solve_infeasible(const scree_problem *problem, scree_solver_options options,
                                     double *p, scree_report *report, scree_error *err) {
    enum { SWEEPS = 1000 };
    options.name = "nsgs";
    if (options.max_sweeps > SWEEPS) options.max_sweeps = SWEEPS;
    memset(p, 0, (size_t)problem->contacts * (size_t)problem->dimension * sizeof *p);
    scree_status status = scree_solve(problem, &options, p, report, err);
    report->converged = false;
    report->reason = SCREE_STOP_INFEASIBLE;
    return status;
}

scree_status scree_policy_solve(const scree_problem *problem, const scree_solver_options *options,
                                double *p, scree_report *report, scree_error *err) {
    scree_status status = scree_solve(problem, options, p, report, err);
    if (!status && report->reason == SCREE_STOP_INFEASIBLE)
        status = solve_infeasible(problem, *options, p, report, err);
    return status;
}

// Where velocities are not unique a solver may jump from one solution to another each time it is
// asked, sweeps move no further than they must: so mostly by sweeps, and now and then by all there
// is. On bodies there are sweeps alone. Rigid bodies are swept without W even where it is there,
// which is several times cheaper, and by conjugate gradients, which need not be as tight.
scree_status scree_policy_again(const scree_problem *problem, const scree_solver_options *options,
                                int pass, double *p, scree_report *report, scree_error *err) {
    enum { SWEEPS = 300, BODIES_SWEEPS = 600, TURNS = 3, FEW = 64 };
    if (!problem->block) return scree_policy_solve(problem, options, p, report, err);
    scree_solver_options tighter = *options;
    bool bodies = problem->contacts > FEW && scree_rigid_serves(problem);
    int most = bodies ? BODIES_SWEEPS : SWEEPS;
    tighter.tolerance /= bodies ? 3 : 10;
    if (problem->equality)  // joints want to be solved, not swept
        return scree_solve(problem, &tighter, p, report, err);
    if (pass >= SCREE_POLICY_LOCAL) {
        tighter.name = "contact-newton";
    } else if (pass % TURNS) {
        tighter.name = bodies ? "ncg" : "nsgs-anderson";
        if (tighter.max_sweeps > most) tighter.max_sweeps = most;
    }
    return scree_solve(problem, &tighter, p, report, err);
}
