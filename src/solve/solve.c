// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// solve.c - the menu of solvers.

#include "scree/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solve/enumerate.h"
#include "solve/nsgs.h"

static const scree_solver_entry entries[] = {
    { "nsgs",
      "nonsmooth Gauss-Seidel with exact local solutions; small planar problems that "
      "it misses are enumerated" },
    { NULL, NULL },
};

const scree_solver_entry *scree_solver_list(void) { return entries; }

scree_solver_options scree_solver_options_default(void) {
    return (scree_solver_options){ .name = "nsgs", .tolerance = 1e-10, .max_sweeps = 10000 };
}

const char *scree_stop_reason_text(scree_stop_reason reason) {
    switch (reason) {
        case SCREE_STOP_SOLVED:
            return "solved";
        case SCREE_STOP_LIMIT:
            return "the limit of sweeps was reached";
        case SCREE_STOP_STALLED:
            return "no progress any more";
        case SCREE_STOP_BROKEN:
            return "the problem is broken (not finite, or a massless contact)";
    }
    return "unknown";
}

// can the numbers of the problem be worked with?
static bool is_sound(const scree_problem *problem) {
    size_t nc = (size_t)problem->contacts, d = (size_t)problem->dimension;
    size_t numbers = (size_t)problem->row[nc] * d * d;
    for (size_t i = 0; i < numbers; i++)
        if (!isfinite(problem->block[i])) return false;
    for (size_t i = 0; i < nc * d; i++)
        if (!isfinite(problem->b[i])) return false;
    for (size_t i = 0; i < nc; i++)
        if (!(problem->mu[i] >= 0 && isfinite(problem->mu[i]))) return false;
    return true;
}

scree_status scree_solve(const scree_problem *problem, const scree_solver_options *options,
                         double *p, scree_report *report, scree_error *err) {
    *report = (scree_report){ .solver = "nsgs", .converged = true };
    if (problem->contacts == 0) return SCREE_OK;
    if (!options->name || strcmp(options->name, "nsgs") != 0)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "there is no solver \"%s\"",
                          options->name ? options->name : "");
    if (!is_sound(problem)) {
        *report = (scree_report){ .solver = "nsgs",
                                  .reason = SCREE_STOP_BROKEN,
                                  .residual = { .field = NAN, .scaled = NAN } };
        return SCREE_OK;
    }

    enum { SMALL = 96 };
    double small[SMALL], *scratch = small;
    size_t need = 2 * (size_t)problem->contacts * (size_t)problem->dimension;
    if (need > SMALL && !(scratch = malloc(need * sizeof *scratch)))
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d contacts",
                          problem->contacts);
    scree_nsgs_solve(problem, options, p, report, scratch);
    if (scratch != small) free(scratch);
    if (!report->converged && report->reason != SCREE_STOP_BROKEN && scree_enumerate_can(problem))
        scree_enumerate_solve(problem, options, p, report);
    return SCREE_OK;
}
