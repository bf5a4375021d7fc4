// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// status.c - the case of the law a contact is in.
// in: impulse, law velocity, cone, scales.   out: status.

#include "law/status.h"

#include <math.h>

double scree_law_velocity_slack(double tolerance) { return fmax(1e-9, 10 * tolerance); }

double scree_law_gap_slack(double tolerance) { return fmax(1e-6, 100 * tolerance); }

scree_law_cone scree_law_cone_of(const scree_contact *contact, double h) {
    return (scree_law_cone){ .mu = contact->friction,
                             .mu_second = contact->friction_across,
                             .pull = contact->cohesion * h };
}

scree_contact_status scree_law_mode_status(const scree_law_cone *cone, bool closed, bool slides) {
    if (cone->equality) return SCREE_CONTACT_STICK;
    if (!closed) return SCREE_CONTACT_OPEN;
    return slides || cone->mu == 0 ? SCREE_CONTACT_SLIP : SCREE_CONTACT_STICK;
}

// |p_T|, measured so that the ellipse is a circle of radius mu (p_N + pull)
static double friction_of(const scree_law_cone *cone, const double *p, int d) {
    if (d == 2) return fabs(p[1]);
    double across = cone->mu_second > 0 ? p[2] * cone->mu / cone->mu_second : p[2];
    return sqrt(p[1] * p[1] + across * across);
}

// the three cases of Acary & Collins-Craft (17): take-off, sticking, sliding
scree_contact_status scree_law_status(const scree_law_cone *cone, const double *p, const double *s,
                                      int d, scree_law_scale scale) {
    const double roundoff = 1e-12, edge_slack = 1e-9;
    double bears = p[0] + cone->pull;
    double sliding = d == 2 ? fabs(s[1]) : sqrt(s[1] * s[1] + s[2] * s[2]);
    bool edge =
        friction_of(cone, p, d) >= (1 - fmax(scale.tolerance, edge_slack)) * cone->mu * bears;
    bool slides = edge && sliding > fmax(scale.tolerance, roundoff) * scale.s;
    return scree_law_mode_status(cone, bears > scale.tolerance * scale.p, slides);
}
