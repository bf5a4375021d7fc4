// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// small_equilibria.h - systems of a few coordinates at rest, and Klarbring's particle at a wall.

#ifndef SCREE_TEST_SMALL_EQUILIBRIA_H
#define SCREE_TEST_SMALL_EQUILIBRIA_H

#include "scree/equilibria.h"

static const double TOLERANCE = 1e-12;

enum { N = 8, NC = SCREE_EQUILIBRIUM_CONTACTS + 1 };

typedef struct small {
    int n, contacts;
    double K[N * N], F[N], normal[NC * N], tangent[NC * N], gap[NC], mu[NC];
} small;

static scree_equilibrium_system view(const small *s) {
    return (scree_equilibrium_system){ .coordinates = s->n,
                                       .contacts = s->contacts,
                                       .stiffness = s->K,
                                       .load = s->F,
                                       .normal = s->normal,
                                       .tangent = s->tangent,
                                       .gap = s->gap,
                                       .mu = s->mu };
}

// gap = g - U_N
static small particle(double KN, double KT, double W, double FN, double FT, double mu) {
    return (small){ .n = 2,
                    .contacts = 1,
                    .K = { KN, W, W, KT },
                    .F = { FN, FT },
                    .normal = { -1, 0 },
                    .tangent = { 0, 1 },
                    .mu = { mu } };
}

#endif
