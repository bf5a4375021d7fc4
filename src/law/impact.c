// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// impact.c - Newton's and Frémond's impact law.
// in: law of a pair, scheme.   out: e and tau.

#include "law/impact.h"

#include <math.h>

scree_law scree_impact_resolve(const scree_law *law, const scree_scheme_options *scheme) {
    scree_law resolved = *law;
    if (law->impact == SCREE_IMPACT_OF_SCHEME)
        resolved.impact = scree_scheme_row_of(scheme)->impact;
    // Acary & Collins-Craft (64) over theta; Newton\'s law is (53), where tau is 0
    if (resolved.impact == SCREE_IMPACT_FREMOND)
        resolved.tangential_restitution = (1 - scheme->theta) / scheme->theta;
    return resolved;
}

double scree_impact_restitution(const scree_law *law, const scree_scheme_options *scheme,
                                double theta, double u_N, int row) {
    double most = (1 - theta) / theta;
    // Moreau (44); the other is (43)
    if (row) return law->impact == SCREE_IMPACT_FREMOND ? most : law->tangential_restitution;
    // To a contact that separates Newton's law would give energy, the law on the mean velocity does
    // not: one that is kept, or one that approached while bodies were thought to turn freely and
    // separates the way they turn with the impulses. What is slower than a tolerance set by hand
    // has been asked for, and what sticks together is held at once.
    bool turned = law->impact == SCREE_IMPACT_FREMOND ||
                  (law->cohesion == 0 && !(u_N <= scheme->velocity_tolerance));
    bool mean = scheme->approach == SCREE_APPROACH_KEPT ||
                scheme->approach == SCREE_APPROACH_FORESEEN ||
                (turned && scheme->approach == SCREE_APPROACH_REQUIRED);
    return mean && u_N > 0 ? fmax(law->restitution, most) : law->restitution;
}
