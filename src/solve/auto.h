// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// auto.h - what the driver expects of its engines, with W (auto.c) and without (auto_bodies.c).

#ifndef SCREE_SOLVE_AUTO_H
#define SCREE_SOLVE_AUTO_H

enum {
    SCREE_AUTO_NEWTON_STEPS = 3,     // what Newton is expected to need, one more for each doubling
    SCREE_AUTO_TIED_STEPS = 30,      // the same in a cold stack
    SCREE_AUTO_TIED_SWEEPS = 10000,  // and what sweeps are expected to need there
    SCREE_AUTO_PATIENT = 1000        // a limit of iterations from which on last resorts are tried
};
#define SCREE_AUTO_NEWTON_MOST 1e7  // blocks of U that fit into memory

#endif
