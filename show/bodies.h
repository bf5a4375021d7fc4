// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// bodies.h - pictures of bodies: the figure `bodies` of `scree plot`, and `scree check --plot`.

#ifndef SCREE_SHOW_BODIES_H
#define SCREE_SHOW_BODIES_H

#include "scree/measure.h"
#include "scree/run.h"
#include "scree/run_file.h"

typedef enum show_colouring {
    SHOW_BY_GROUP,  // of the laws; one colour without groups, neighbours a little apart
    SHOW_BY_BIRTH,
    SHOW_BY_SPEED,
    SHOW_BY_STRESS,  // von Mises' of elastic bodies; the default where there are any
} show_colouring;

enum { SHOW_LAYERS_MOST = 6 };

typedef struct show_bodies_options {
    const double *at;  // a picture for each of these times (pictures); NaN: the last state
    int pictures;
    double azimuth, elevation;  // in space: where the eye is [degrees]
    show_colouring colour;
    bool forces;      // of contacts: width by size, colour by stick and slip
    bool velocities;  // of bodies, as arrows
    bool numbers;     // of bodies, as in export
    bool thrust;      // of blocks in the plane: the line along which forces go through them
    /// Layers of a deposit: what was born within these times has a colour of its own (layers), all
    /// else that moves is pale.
    int layers;
    double layer[SHOW_LAYERS_MOST][2];
    /// Show only what is in this box (numbers: two corners of the space's dimension); 0: all.
    int region_numbers;
    double region[6];
} show_bodies_options;

/// The last state, from the front and above, by group.
show_bodies_options show_bodies_options_default(void);

/// Bodies of a run, rigid and elastic, in the plane as outlines, in space as a shaded projection
/// without perspective. Planes and half-planes are cut to the picture; bodies far outside of where
/// most are do not enlarge it, and the caption counts them.
scree_status show_draw_bodies(scree_run_reader *run, const show_bodies_options *options,
                              const char *file, scree_error *err);

/// Pictures of a run at even times, one view for all.
typedef struct show_sequence {
    int pictures;
    /// File of picture i, asked for before it is drawn; NULL: stop.
    const char *(*name)(void *with, int i);
    void *with;
} show_sequence;

scree_status show_draw_sequence(scree_run_reader *run, const show_bodies_options *options,
                                show_sequence *sequence, scree_error *err);

/// The start of a simulation, before anything is run; with the contacts of `held`, if it is not
/// NULL, for forces and thrust.
scree_status show_draw_start(const scree_simulation *simulation, const scree_step_record *held,
                             const char *title, const show_bodies_options *options,
                             const char *file, scree_error *err);

#endif
