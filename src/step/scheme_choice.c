// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// scheme_choice.c - what is taken where the options leave it to the model.
// in: model, options.   out: options with nothing left open.

#include <math.h>

#include "model/part.h"
#include "scree/step.h"

static bool is_rigid(const scree_model *model) {
    const scree_parts *row;
    int rows = scree_model_parts(model, &row);
    for (int k = 0; k < rows; k++)
        if (row[k].kind != &scree_rigid_plane && row[k].kind != &scree_rigid_space) return false;
    return rows > 0;
}

static double restitution_max(const scree_model *model) {
    const scree_law *law;
    double most = 0;
    for (int i = 0; (law = scree_model_laws(model, i)); i++) most = fmax(most, law->restitution);
    return most;
}

// With 1/(1+e) an impact leaves the gap as it was, u_N,theta = 0; what vibrates wants 1/2, which
// takes no energy from it.
static double choose_theta(const scree_model *model, const scree_scheme_options *scheme) {
    const scree_scheme_row *row = scree_scheme_row_of(scheme);
    double theta = is_rigid(model) ? 1 / (1 + restitution_max(model)) : 0.5;
    return fmin(fmax(theta, row->theta_min), row->theta_max);
}

// at theta = 1/2 a gap that is used up would decide by its size how far a pair bounces
static scree_approach choose_approach(const scree_model *model,
                                      const scree_scheme_options *scheme) {
    if (scheme->activation == SCREE_ACTIVATE_HALF) return SCREE_APPROACH_IGNORED;
    bool early = scheme->jacobian == SCREE_JACOBIAN_START && isnan(scheme->gap_tolerance);
    return is_rigid(model) && early && scheme->theta > 0.5 ? SCREE_APPROACH_FORESEEN
                                                           : SCREE_APPROACH_KEPT;
}

scree_scheme_options scree_scheme_choose(const scree_model *model,
                                         const scree_scheme_options *given) {
    scree_scheme_options scheme = scree_scheme_resolve(given);
    if (isnan(given->theta)) scheme.theta = choose_theta(model, given);
    if (scheme.approach == SCREE_APPROACH_AUTO) scheme.approach = choose_approach(model, &scheme);
    if (scheme.correct == SCREE_CORRECT_AUTO)
        scheme.correct =
            scheme.approach == SCREE_APPROACH_FORESEEN ? SCREE_CORRECT_LIMITED : SCREE_CORRECT_NONE;
    return scheme;
}
