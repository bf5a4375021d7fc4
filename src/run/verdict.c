// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// verdict.c - what is to be said about a run before anything else.
// in: totals, options, refusal.   out: warnings, verdict.

#include "scree/verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "run/simulation.h"
#include "scree/fem.h"
#include "scree/run.h"

static const double told_swelling = 0.005;  // of elastic bodies that turn

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

// Is what no law brought more than a hundredth of what contacts did, and than a part of the energy?
// Of that the kinetic part, too: the whole depends on where heights begin.
static bool is_felt(const scree_simulation *simulation, double brought, double part) {
    static const double share = 0.01;
    const scree_totals *totals = scree_simulation_totals(simulation);
    double works = fabs(totals->contact_normal_work) + fabs(totals->contact_tangential_work);
    double energy = fabs(scree_simulation_energy(simulation)) + fabs(totals->boundary_work) +
                    totals->kinetic_max;
    return brought > fmax(share * works, part * energy);
}

SCREE_PRINTF(4, 5)
static void write(scree_warning *warning, scree_warning_kind kind, bool allowed, const char *form,
                  ...) {
    va_list values;
    warning->kind = kind;
    warning->allowed = allowed;
    va_start(values, form);
    vsnprintf(warning->text, sizeof warning->text, form, values);
    va_end(values);
}

static void write_missed(const scree_totals *totals, const scree_run_options *options,
                         scree_warning *warning) {
    if (options->flow)
        write(warning, SCREE_WARNING_UNCONVERGED, true,
              "mode flow: %lld step(s) were left unsolved after %d sweeps, residual up to %.2g: "
              "the law is missed by as much",
              (long long)totals->unconverged, options->solver.max_sweeps,
              totals->solver_residual_max);
    else
        write(warning, SCREE_WARNING_UNCONVERGED, true,
              "%lld step(s) missed the solver's tolerance and were accepted, residual up to %.2g",
              (long long)totals->unconverged, totals->solver_residual_max);
}

int scree_simulation_run_warnings(const scree_simulation *simulation,
                                  scree_warning warning[SCREE_WARNINGS]) {
    const scree_totals *totals = scree_simulation_totals(simulation);
    const scree_run_options *options = scree_simulation_options(simulation);
    scree_units units = scree_scene_units(scree_simulation_scene(simulation));
    scree_unit energy = scree_units_name(units, "J");
    int count = 0;
    // told from the share on that scenes have by default, even where theirs allows more
    double told = fmin(scree_run_options_default().penetration, options->penetration);
    if (totals->penetration_relative_max > told)
        write(&warning[count++], SCREE_WARNING_PENETRATION,
              totals->penetration_relative_max <= options->penetration,
              "penetration of up to %.3g %% of the smaller body (%.3g %s), %.3g %% are allowed by "
              "scheme.penetration: take a smaller scheme.step%s",
              100 * totals->penetration_relative_max, totals->penetration_max,
              scree_units_name(units, "m").text, 100 * options->penetration,
              options->scheme.approach == SCREE_APPROACH_FORESEEN
                  ? ""
                  : ", or leave name, theta and approach of scheme open");
    if (totals->steps_creating_energy)
        write(&warning[count++], SCREE_WARNING_CREATED,
              totals->energy_created - totals->energy_created_unsolved <= options->energy_created,
              "%s created %.3g %s in %lld step(s), %.3g %s are allowed by "
              "scheme.energy_created",
              scree_simulation_model(simulation)->joints ? "contacts or joints" : "contacts",
              totals->energy_created, energy.text, (long long)totals->steps_creating_energy,
              options->energy_created, energy.text);
    if (totals->unconverged) write_missed(totals, options, &warning[count++]);
    if (totals->loosened)
        write(&warning[count++], SCREE_WARNING_LOOSENED, options->accept_unconverged,
              "%lld step(s) missed the tolerance %.2g and were taken with a residual of up to %.2g "
              "(at worst %.2g): solver.unconverged=accept allows them, a solver.tolerance refuses "
              "them",
              (long long)totals->loosened, options->solver.tolerance, totals->solver_residual_max,
              options->solver.worst);
    // the position correction is no law: the theorem does not speak of its work
    if (is_felt(simulation, totals->correction_work, 1e-12))
        write(&warning[count++], SCREE_WARNING_CORRECTION,
              totals->correction_work + totals->energy_created <= options->energy_created,
              "the position correction brought %.3g %s, beside what contacts did; %.3g %s are "
              "allowed by scheme.energy_created",
              totals->correction_work, energy.text, options->energy_created, energy.text);
    // what rests has works of either sign, and hardly any in all
    if (is_felt(simulation, totals->energy_tolerated, 1e-6))
        write(&warning[count++], SCREE_WARNING_TOLERATED,
              totals->energy_tolerated + totals->energy_created <= options->energy_created,
              "what the solver left of the law brought %.3g %s, beside what contacts took; %.3g %s "
              "are allowed by scheme.energy_created: take a smaller solver.tolerance",
              totals->energy_tolerated, energy.text, options->energy_created, energy.text);
    // displacements u = turn x X carry no stress, and stretch what turns by (1 + turn^2)^1/2: as a
    // share of the body it is allowed what bodies may lie in each other by default
    double swelling = hypot(1, simulation->turn) - 1;
    if (swelling > told_swelling)
        write(&warning[count++], SCREE_WARNING_TURNED,
              swelling <= scree_run_options_default().penetration,
              "elastic body %s turned by %.2g rad, which swelled it by %.2g %%: its elasticity is "
              "that of small rotations; make it rigid, or of several bodies",
              scree_simulation_model(simulation)->elastic[simulation->turned].name,
              atan(simulation->turn), 100 * swelling);
    return count;
}

scree_run_verdict scree_simulation_verdict(const scree_simulation *simulation) {
    scree_warning warning[SCREE_WARNINGS];
    if (scree_simulation_refusal(simulation)) return SCREE_RUN_REFUSED;
    bool warned = scree_simulation_warnings(simulation)->count ||
                  scree_simulation_run_warnings(simulation, warning);
    return warned ? SCREE_RUN_WARNED : SCREE_RUN_GOOD;
}
