// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// heap.h - grains at rest in an open box: kept in files, and as a model of the engine.
//
// Radii uniform in 1.25 to 2.5 mm, density 1000 kg/m^3, friction 0.4, restitution 0.

#ifndef SCREE_BENCH_HEAP_H
#define SCREE_BENCH_HEAP_H

#include "scree/scree.h"

enum { HEAP_NUMBERS = 10 };  // of a grain: radius, centre, velocity, spin

static const double heap_gravity = 9.81, heap_step = 2e-4, heap_friction = 0.4, heap_density = 1000;
static const double heap_near = 1e-6;  // contacts with a smaller gap are closed [m]

typedef struct heap {
    int grains;
    double width;   // of the box, whose corner is the origin [m]
    double *grain;  // (grains x HEAP_NUMBERS)
    int contacts;   // those that bear something, with what they bear in a step
    scree_contact *contact;
} heap;

/// Grains from a file of text (a line each, for other programs too) and their contacts from a
/// file beside it; what cannot be read ends the program.
heap heap_read(const char *path);
void heap_write(const heap *given, const char *path);
void heap_free(heap *old);

/// Body 0 is the box, body 1 + i grain i.
scree_model *heap_model(const heap *given);
/// moreau, with contacts that do not come and go by the solver's tolerance.
scree_scheme_options heap_scheme(void);
/// A simulation at the heap's state, that begins with the impulses of its contacts.
scree_simulation *heap_start(const heap *given, const scree_model *model,
                             const scree_solver_options *solver);
/// Go on with a share of the velocities; the impulses of contacts are the next guess.
void heap_restart(scree_simulation *simulation, double share, const scree_contact *contact,
                  int contacts);
/// The heap as a simulation has left it.
void heap_take(heap *changed, const scree_simulation *simulation);

/// End the program with a word, if something is wrong.
void heap_need(bool fine, const char *what);

#endif
