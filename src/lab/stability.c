// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// stability.c - a verdict for each equilibrium, and its ground.
//
// For Klarbring's particle the verdicts are the theorems 5.1 to 5.6 of Basseville and Léger (2006)
// with their corrections: for A < 0 and mu > KT/W there are strictly stuck states beside the one in
// impending slip, and they are stable; the states that are unstable survive a push the other way.
// Which theorem applies is read off the set of equilibria, so that verdict and set agree about what
// is zero: a free state is there iff A < 0, and a grazing one iff A = 0.

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "lab/criteria.h"
#include "lab/perturbation.h"

const char *scree_stability_name(scree_stability stability) {
    static const char *const name[] = { "undecided", "unstable", "stable",
                                        "asymptotically-stable" };
    return name[stability];
}

static void say(scree_equilibrium *piece, scree_stability verdict, const char *ground) {
    piece->stability = verdict;
    snprintf(piece->ground, sizeof piece->ground, "%s", ground);
}

// -------------------------------------------------------------------------------------------------
// theorems

static bool has_status(const scree_equilibria *set, scree_rest status) {
    for (int i = 0; i < set->count; i++)
        if (set->item[i].status[0] == status) return true;
    return false;
}

// Basseville & Leger, theorems 5.2, 5.3, 5.5
static void judge_grazing(const scree_equilibria *set, scree_equilibrium *piece) {
    if (set->count == 1)
        say(piece, SCREE_STABILITY_ASYMPTOTIC, "theorem 5.2 (corrected): A = 0, mu < KT/|W|");
    else if (has_status(set, SCREE_REST_STUCK))
        say(piece, SCREE_STABILITY_STABLE, "theorem 5.5 (corrected): A = 0, mu > KT/|W|");
    else
        say(piece, SCREE_STABILITY_STABLE, "theorem 5.3 (corrected): A = 0, mu = KT/|W|");
}

// an impending slip that moves towards the vertex of the cone: Basseville & Leger, theorems 5.4 to
// 5.6
static void judge_slip(const scree_equilibria *set, scree_equilibrium *piece) {
    bool below = has_status(set, SCREE_REST_FREE);
    if (!below && piece->freedom == 0) {
        say(piece, SCREE_STABILITY_STABLE, "theorem 5.5 (corrected): A > 0");
        return;
    }
    say(piece, SCREE_STABILITY_UNSTABLE,
        below ? "theorem 5.6 (corrected): A < 0, mu > KT/|W|"
              : "theorem 5.4 (corrected): A = 0, mu = KT/|W|");
    piece->stable_directions = 1;
    snprintf(piece->stable_direction[0], sizeof piece->stable_direction[0], "%s",
             piece->status[0] == SCREE_REST_SLIP_PLUS ? "-T" : "+T");
}

// Basseville & Leger, theorems 5.1 and 5.5, and those above
static void judge_particle(const scree_equilibria *set, scree_equilibrium *piece) {
    switch (piece->status[0]) {
        case SCREE_REST_FREE:
            say(piece, SCREE_STABILITY_STABLE, "theorem 5.1 (corrected): no contact");
            break;
        case SCREE_REST_GRAZING:
            judge_grazing(set, piece);
            break;
        case SCREE_REST_STUCK:
            say(piece, SCREE_STABILITY_STABLE,
                has_status(set, SCREE_REST_FREE) ? "theorem 5.5 (corrected): strictly stuck, A < 0"
                                                 : "theorem 5.5 (corrected): strictly stuck");
            break;
        case SCREE_REST_SLIP_PLUS:
        case SCREE_REST_SLIP_MINUS:
            judge_slip(set, piece);
            break;
    }
}

// -------------------------------------------------------------------------------------------------
// energy

typedef enum damping { NO_DAMPING, SOME_DAMPING, FULL_DAMPING, BAD_DAMPING } damping;

static bool is_definite(const double *C, int n, double more, double *scratch) {
    memcpy(scratch, C, (size_t)n * (size_t)n * sizeof *scratch);
    for (int k = 0; k < n; k++) scratch[k * n + k] += more;
    return scree_dense_cholesky(scratch, n) == 0;
}

// false when memory ran out
static bool find_damping(const scree_model *model, damping *kind) {
    const double *C = model->system.damping;
    int n = model->system.coordinates;
    double size = 0;
    for (int k = 0; C && k < n * n; k++) size = C[k] > size ? C[k] : -C[k] > size ? -C[k] : size;
    *kind = NO_DAMPING;
    if (size == 0) return true;
    double *scratch = malloc((size_t)n * (size_t)n * sizeof *scratch);
    if (!scratch) return false;
    bool full = is_definite(C, n, 0, scratch), some = is_definite(C, n, 1e-10 * size, scratch);
    *kind = full ? FULL_DAMPING : some ? SOME_DAMPING : BAD_DAMPING;
    free(scratch);
    return true;
}

// false when memory ran out
static bool is_stiff(const scree_model *model, bool *definite) {
    int n = model->system.coordinates;
    double *scratch = malloc((size_t)n * (size_t)n * sizeof *scratch), most = 0;
    if (!scratch) return false;
    for (int k = 0; k < n; k++) most = fmax(most, fabs(model->system.stiffness[k * n + k]));
    *definite = is_definite(model->system.stiffness, n, -64 * n * DBL_EPSILON * most, scratch);
    free(scratch);
    return true;
}

// with e = 0 no impact brings energy, whatever the friction and the number of contacts
static bool impacts_dissipate(const scree_model *model) {
    for (int i = 0; i < model->matrix_contacts; i++)
        if (model->matrix_contact[i].law.restitution != 0 ||
            model->matrix_contact[i].law.tangential_restitution != 0)
            return false;
    return true;
}

// a push that is small enough ends before a gap that is open
static bool judge_energy(const scree_equilibrium_system *system, damping kind, bool impacts_take,
                         scree_equilibrium *piece) {
    bool unloaded = true, all_free = true, smooth = true;
    for (int i = 0; i < system->contacts; i++) {
        unloaded = unloaded && piece->status[i] <= SCREE_REST_GRAZING;
        all_free = all_free && piece->status[i] == SCREE_REST_FREE;
        smooth = smooth && system->mu[i] == 0;
    }
    if (!all_free && !impacts_take) return false;
    if (all_free && kind == FULL_DAMPING)
        say(piece, SCREE_STABILITY_ASYMPTOTIC, "energy: no contact, and damping in all directions");
    else if (unloaded)
        say(piece, SCREE_STABILITY_STABLE,
            "energy: no reaction, so kinetic energy plus elastic energy about it never grows");
    else if (smooth)
        say(piece, SCREE_STABILITY_STABLE,
            "energy: no friction, and it is the strict minimum of the potential");
    else
        return false;
    return true;
}

// -------------------------------------------------------------------------------------------------
// criteria

typedef struct judge {
    const scree_model *model;
    const scree_run_options *options;
    const scree_equilibrium_system *system;
    scree_equilibria *set;
    bool theorems, energy, criteria, experiments;
    damping damping;
    bool impacts_take;  // energy, all of them
    scree_static *stationary;
    scree_kinetic *kinetic;
    scree_perturbation *experiment;
} judge;

// what is left undecided says so if the kinetic criterion had no chance
static scree_status judge_criteria(judge *j, scree_equilibrium *piece, scree_error *err) {
    bool unstable = false;
    char untried[80];
    scree_status status = SCREE_OK;
    bool taken = j->damping != BAD_DAMPING && j->impacts_take;
    if (taken && !j->stationary)
        status = scree_static_new(j->model, j->system, j->set->tolerance, &j->stationary, err);
    if (status || (taken && scree_static_judge(j->stationary, piece))) return status;
    if (!j->kinetic) status = scree_kinetic_new(j->model, j->system, &j->kinetic, err);
    if (!status) status = scree_kinetic_judge(j->kinetic, j->set, piece, &unstable, untried, err);
    if (!status && !unstable && untried[0])
        snprintf(piece->ground, sizeof piece->ground,
                 "no theorem, no energy argument; kinetic criterion not tried: %s", untried);
    return status;
}

// -------------------------------------------------------------------------------------------------
// the whole of it

static scree_status judge_piece(judge *j, scree_equilibrium *piece, scree_error *err) {
    scree_status status = SCREE_OK;
    say(piece, SCREE_STABILITY_UNDECIDED, "no theorem, no energy argument, no criterion");
    piece->stable_directions = 0;
    piece->growth_rate = 0;
    piece->growth_direction = NULL;
    if (j->theorems) {
        judge_particle(j->set, piece);
        return SCREE_OK;
    }
    if (j->energy && j->damping != BAD_DAMPING &&
        judge_energy(j->system, j->damping, j->impacts_take, piece))
        return SCREE_OK;
    if (j->criteria) status = judge_criteria(j, piece, err);
    if (status || piece->stability != SCREE_STABILITY_UNDECIDED || !j->experiments) return status;
    if (!j->experiment)
        status =
            scree_perturbation_new(j->model, j->options, j->system, j->set, &j->experiment, err);
    return status ? status : scree_perturbation_test(j->experiment, piece, err);
}

scree_status scree_stability_judge(const scree_model *model, const scree_run_options *options,
                                   const scree_equilibrium_system *system,
                                   scree_stability_method method, scree_equilibria *set,
                                   scree_error *err) {
    scree_klarbring particle;
    // theorems, energy and criteria are about stiffness that holds everything
    bool definite = false;
    if (system->stiffness && !is_stiff(model, &definite)) return scree_fail_memory(err, NULL);
    bool proofs = method == SCREE_JUDGE_AUTO || method == SCREE_JUDGE_PROOF;
    judge j = {
        .model = model,
        .options = options,
        .system = system,
        .set = set,
        .theorems = proofs && definite &&
                    scree_klarbring_of(model, system, set->tolerance, &particle) &&
                    particle.mu > 0 && particle.W != 0,
        .energy = proofs && definite,
        .criteria = method != SCREE_JUDGE_EXPERIMENT && definite,
        .experiments = method == SCREE_JUDGE_AUTO || method == SCREE_JUDGE_EXPERIMENT,
        .damping = BAD_DAMPING,
        .impacts_take = impacts_dissipate(model),
    };
    if (system->stiffness && !find_damping(model, &j.damping)) return scree_fail_memory(err, NULL);
    scree_status status = SCREE_OK;
    for (int i = 0; i < set->count && !status; i++) status = judge_piece(&j, &set->item[i], err);
    scree_static_free(j.stationary);
    scree_kinetic_free(j.kinetic);
    scree_perturbation_free(j.experiment);
    return status;
}
