// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// joints.h - joints, springs and motors in pictures of bodies.

#ifndef SCREE_SHOW_JOINTS_H
#define SCREE_SHOW_JOINTS_H

#include <cairo.h>

#include "scree/model.h"

/// What is drawn for a joint: a spring between two points is a zigzag line, a motor a larger ring.
typedef enum show_joint_kind { SHOW_JOINT, SHOW_SPRING, SHOW_MOTOR } show_joint_kind;

show_joint_kind show_joint_look(const scree_model *model, int joint);

/// Where joints are drawn: coordinates, and how a place comes to the page.
typedef struct show_linkage {
    cairo_t *cr;
    const scree_model *model;
    const double *q;
    void (*to_page)(const void *with, const double x[3], double on[2]);
    const void *with;
} show_linkage;

void show_draw_joints(const show_linkage *linkage);

#endif
