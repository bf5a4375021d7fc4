// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// packing.h - balls settled in an open box, and the contact problem of their next step.
//
// Radii uniform in 1.25 to 2.5 mm, density 1000 kg/m^3, friction 0.4, step 2e-4 s.

#ifndef SCREE_BENCH_PACKING_H
#define SCREE_BENCH_PACKING_H

#include "scree/solve.h"

typedef struct packing {
    int balls;
    double width;                     // of the box [m]
    double *x, *radius, *velocity;    // (3 n), (n), (6 n)
    double *inverse, *free_velocity;  // (7 n): 1/m, J^-1; (6 n)
    // contacts of the next step
    int contacts, room;
    int *body;
    double *frame, *arm_ratio, *w, *b, *mu, *impulse;
    struct pairs *pairs;  // impulses of the last step, by pair
} packing;

/// side^3 balls, settled by steps of sweeps each; every allocation that fails ends the program.
packing *packing_settle(int side, int steps, int sweeps, int threads);
/// Gravity, contacts nearer than margin, impulses of the last step as a guess (in world axes turned
/// into the new frames). Overlaps may be pushed out with the speed recovery.
void packing_find_contacts(packing *pack, double margin, double recovery);
/// Boxes side by side, each with the same balls and contacts: a large problem without the
/// hour of growing it.
packing *packing_repeat(const packing *pack, int copies);
/// The problem of balls, by bodies; arrays stay the packing's.
scree_problem packing_problem(const packing *pack, scree_bodies *bodies);
/// The largest overlap over the mean radius, and the root mean square velocity over g h.
double packing_overlap(const packing *pack);
double packing_unrest(const packing *pack);
void packing_free(packing *pack);

void *packing_room(void *old, size_t count, size_t size);

#endif
