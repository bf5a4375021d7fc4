// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// impact.h - the impact law of a pair: what it adds to u' before Coulomb's law is asked.
//
//     s = u' + (e u_N, tau u_T)       newton: tau is the law's;   fremond: tau = (1 - theta)/theta
//
// Newton's law is Acary & Collins-Craft (53), Frémond's (64): with its tau s_T = u_T,theta / theta,
// so that Coulomb's law is on the mean velocity. e and tau are the rho and tau of Moreau (43),
// (44).

#ifndef SCREE_LAW_IMPACT_H
#define SCREE_LAW_IMPACT_H

#include "scree/step.h"

/// The law as a scheme takes it: which impact law holds is decided, and tau is that of it.
scree_law scree_impact_resolve(const scree_law *law, const scree_scheme_options *scheme);

/// e (row 0) or tau of a resolved law at a contact with the normal velocity u_N before the step,
/// whose bodies have this theta.
double scree_impact_restitution(const scree_law *law, const scree_scheme_options *scheme,
                                double theta, double u_N, int row);

#endif
