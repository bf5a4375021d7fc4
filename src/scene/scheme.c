// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// scheme.c - the schemes as rows of numbers and rules, and what is taken where none is given.

#include <math.h>

#include "scree/step.h"

static const scree_scheme_row table[] = {
    [SCREE_MOREAU_JEAN] = { .name = "moreau-jean",
                            .alpha = NAN,
                            .theta_min = 0.5,
                            .theta_max = 1,
                            .impact = SCREE_IMPACT_NEWTON,
                            .obstacle_at = 1,
                            .steps = true },
    [SCREE_MOREAU_JEAN_FREMOND] = { .name = "moreau-jean-fremond",
                                    .alpha = NAN,
                                    .theta_min = 0.5,
                                    .theta_max = 1,
                                    .impact = SCREE_IMPACT_FREMOND,
                                    .obstacle_at = 1,
                                    .steps = true },
    // Moreau (32) to (35): all at the middle of the step
    [SCREE_MOREAU] = { .name = "moreau",
                       .alpha = NAN,
                       .theta_min = 0.5,
                       .theta_max = 0.5,
                       .rules_fixed = true,
                       .activation = SCREE_ACTIVATE_CLOSED,
                       .approach = SCREE_APPROACH_IGNORED,
                       .jacobian = SCREE_JACOBIAN_MIDDLE,
                       .impact = SCREE_IMPACT_NEWTON,
                       .obstacle_at = 0.5,
                       .steps = true },
    // Basseville & Leger (9), (10), (13) for theta = 1/2
    [SCREE_NSCD] = { .name = "nscd",
                     .alpha = 1,
                     .theta_min = 0.5,
                     .theta_max = 1,
                     .rules_fixed = true,
                     .activation = SCREE_ACTIVATE_FREE_END,
                     .approach = SCREE_APPROACH_IGNORED,
                     .jacobian = SCREE_JACOBIAN_START,
                     .impact = SCREE_IMPACT_NEWTON,
                     .obstacle_at = 1,
                     .inelastic = true,
                     .steps = true },
    [SCREE_EVENT_DRIVEN] = { .name = "event-driven",
                             .alpha = NAN,
                             .theta_min = 0.5,
                             .theta_max = 1,
                             .impact = SCREE_IMPACT_NEWTON,
                             .obstacle_at = 1 },
};

scree_scheme_options scree_scheme_options_default(void) {
    return (scree_scheme_options){
        .name = SCREE_MOREAU_JEAN_FREMOND,
        .theta = NAN,
        .step = NAN,
        .activation = SCREE_ACTIVATE_PREDICTED,
        .approach = SCREE_APPROACH_AUTO,
        .jacobian = SCREE_JACOBIAN_START,
        .gap_tolerance = NAN,
        .velocity_tolerance = NAN,
        .correct = SCREE_CORRECT_AUTO,
    };
}

const char *scree_scheme_name(scree_scheme scheme) { return table[scheme].name; }

const scree_scheme_row *scree_scheme_row_of(const scree_scheme_options *scheme) {
    return scheme->row ? scheme->row : &table[scheme->name];
}

double scree_scheme_alpha(const scree_scheme_options *scheme) {
    double alpha = scree_scheme_row_of(scheme)->alpha;
    return isnan(alpha) ? scheme->theta : alpha;
}

scree_scheme_options scree_scheme_resolve(const scree_scheme_options *scheme) {
    const scree_scheme_row *row = scree_scheme_row_of(scheme);
    scree_scheme_options own = *scheme;
    if (isnan(own.theta)) own.theta = 0.5;
    if (row->rules_fixed) {
        own.activation = row->activation;
        own.approach = row->approach;
        own.jacobian = row->jacobian;
    }
    return own;
}

scree_status scree_scheme_check_theta(const scree_scheme_options *scheme, scree_error *err) {
    const scree_scheme_row *row = scree_scheme_row_of(scheme);
    double theta = scree_scheme_resolve(scheme).theta;
    if (!(theta >= 0.5 && theta <= 1))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "theta must be between 1/2 and 1, got %g", theta);
    if (theta < row->theta_min || theta > row->theta_max)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          row->theta_max == 0.5 ? "%s is a midpoint scheme: theta is 1/2, got %g"
                                                : "%s takes other theta than %g: from %g to %g",
                          row->name, theta, row->theta_min, row->theta_max);
    return SCREE_OK;
}
