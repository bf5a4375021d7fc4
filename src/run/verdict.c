// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// verdict.c - what is to be said about a run before anything else.
// in: totals, options, refusal.   out: warnings, verdict.

#include "scree/verdict.h"

#include <math.h>
#include <stdio.h>

#include "scree/run.h"

const char *scree_refusal_reason_name(scree_refusal_reason reason) {
    static const char *const name[] = { "no-solution-proven",
                                        "existence-criterion-fails",
                                        "budget",
                                        "not-found",
                                        "turning",
                                        "ledger" };
    return name[reason];
}

const char *scree_run_status_name(scree_status status) {
    switch (status) {
        case SCREE_OK:
            return "done";
        case SCREE_UNCONVERGED:
            return "unconverged";
        case SCREE_LEDGER_BROKEN:
            return "ledger-broken";
        case SCREE_INTERRUPTED:
            return "interrupted";
        case SCREE_FILE_ERROR:
            return "file-error";
        case SCREE_NO_MEMORY:
            return "no-memory";
        case SCREE_BAD_INPUT:
            return "bad-input";
    }
    return "unknown";
}

const char *scree_run_verdict_name(scree_run_verdict verdict) {
    static const char *const name[] = { "good", "warned", "refused" };
    return name[verdict];
}

// the position correction is no law: the theorem does not speak of its work
static bool is_corrected(const scree_simulation *simulation) {
    static const double share = 0.01, rounding = 1e-12;
    const scree_totals *totals = scree_simulation_totals(simulation);
    double works = fabs(totals->contact_normal_work) + fabs(totals->contact_tangential_work);
    double energy = fabs(scree_simulation_energy(simulation)) + fabs(totals->boundary_work);
    return totals->correction_work > fmax(share * works, rounding * energy);
}

int scree_simulation_run_warnings(const scree_simulation *simulation,
                                  scree_warning warning[SCREE_WARNINGS]) {
    const scree_totals *totals = scree_simulation_totals(simulation);
    double allowed = scree_simulation_options(simulation)->penetration;
    scree_units units = scree_scene_units(scree_simulation_scene(simulation));
    scree_unit energy = scree_units_name(units, "J");
    int count = 0;
    if (totals->penetration_relative_max > allowed) {
        warning[count].kind = SCREE_WARNING_PENETRATION;
        snprintf(
            warning[count].text, sizeof warning[count].text,
            "penetration of up to %.3g %% of the smaller body (%.3g %s), %.3g %% are allowed by "
            "scheme.penetration: take a smaller scheme.step",
            100 * totals->penetration_relative_max, totals->penetration_max,
            scree_units_name(units, "m").text, 100 * allowed);
        count++;
    }
    if (totals->steps_creating_energy) {
        warning[count].kind = SCREE_WARNING_CREATED;
        snprintf(warning[count].text, sizeof warning[count].text,
                 "contacts created %.3g %s in %lld step(s)", totals->energy_created, energy.text,
                 (long long)totals->steps_creating_energy);
        count++;
    }
    if (totals->unconverged) {
        warning[count].kind = SCREE_WARNING_UNCONVERGED;
        const scree_run_options *options = scree_simulation_options(simulation);
        if (options->flow)
            snprintf(warning[count].text, sizeof warning[count].text,
                     "mode flow: %lld step(s) were left unsolved after %d sweeps, residual up to "
                     "%.2g: the law is missed by as much",
                     (long long)totals->unconverged, options->solver.max_sweeps,
                     totals->solver_residual_max);
        else
            snprintf(
                warning[count].text, sizeof warning[count].text,
                "%lld step(s) missed the solver's tolerance and were accepted, residual up to %.2g",
                (long long)totals->unconverged, totals->solver_residual_max);
        count++;
    }
    if (totals->loosened) {
        warning[count].kind = SCREE_WARNING_LOOSENED;
        snprintf(warning[count].text, sizeof warning[count].text,
                 "%lld step(s) missed the tolerance %.2g and were taken with a residual of up to "
                 "%.2g (at worst %.2g): give solver.tolerance to refuse them",
                 (long long)totals->loosened,
                 scree_simulation_options(simulation)->solver.tolerance,
                 totals->solver_residual_max, scree_simulation_options(simulation)->solver.worst);
        count++;
    }
    if (is_corrected(simulation)) {
        warning[count].kind = SCREE_WARNING_CORRECTION;
        snprintf(warning[count].text, sizeof warning[count].text,
                 "the position correction brought %.3g %s, beside what contacts did",
                 totals->correction_work, energy.text);
        count++;
    }
    return count;
}

scree_run_verdict scree_simulation_verdict(const scree_simulation *simulation) {
    scree_warning warning[SCREE_WARNINGS];
    if (scree_simulation_refusal(simulation)) return SCREE_RUN_REFUSED;
    bool warned = scree_simulation_warnings(simulation)->count ||
                  scree_simulation_run_warnings(simulation, warning);
    return warned ? SCREE_RUN_WARNED : SCREE_RUN_GOOD;
}
