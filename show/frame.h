// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// frame.h - one stored state of a run with its contacts and stresses.

#ifndef SCREE_SHOW_FRAME_H
#define SCREE_SHOW_FRAME_H

#include "scree/measure.h"
#include "show/sketch.h"

typedef struct show_frame {  // begin zeroed, free when done
    scree_frame_row row;
    double *q, *v;               // NULL: the run holds no states
    double *mises;               // of all elements, elastic body after body
    scree_contact_row *contact;  // (row.contacts)
    unsigned char *hidden;       // bodies that are left out (bodies); NULL: none is
} show_frame;

/// Stored state number `frame`.
scree_status show_frame_read(const show_run *run, int64_t frame, show_frame *to, scree_error *err);

/// The stored state next to time (NaN: the last one).
scree_status show_frame_load(const show_run *run, double time, show_frame *frame, scree_error *err);
void show_frame_free(show_frame *frame);

/// Leave out bodies whose centre is not in the box, and contacts whose point is not; obstacles
/// without an end stay.
scree_status show_frame_cut(show_frame *frame, const scree_model *model, const scree_region *box,
                            scree_error *err);

/// Is the body there, and not left out?
bool show_frame_shows(const show_frame *frame, const scree_model *model, int body);

/// Mean force of a step of length h on side a; returns its size.
double show_frame_force(const scree_model *model, double h, const scree_contact *contact,
                        double force[3]);

#endif
