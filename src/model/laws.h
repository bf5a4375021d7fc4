// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// laws.h - which law holds between two bodies, looked up in constant time.

#ifndef SCREE_MODEL_LAWS_H
#define SCREE_MODEL_LAWS_H

#include "scree/model.h"

/// Bodies that no law can tell apart form a class: those of one group, and each body that a law
/// Is it a law that the model can have?
scree_status scree_laws_check(const scree_model *model, const scree_law *law, scree_error *err);

/// names by itself.
typedef struct scree_laws {
    int count, room;
    struct scree_law_row *row;  // in the order they were given
    int classes;
    int *class_of;  // (bodies, then elastic bodies)
    int *which;     // row of two classes, -1: none fits (classes x classes)
} scree_laws;

bool scree_laws_add(scree_laws *laws, int a, int b, const scree_law *law);

/// Make the table; false when memory ran out.
bool scree_laws_finish(scree_laws *laws, const scree_model *model);

/// The row of the last law that fits, or -1.
int scree_laws_find(const scree_laws *laws, int a, int b);

/// The law itself; the default is neither bounce nor friction.
const scree_law *scree_laws_between(const scree_laws *laws, int a, int b);

/// The law of row i.
const scree_law *scree_laws_row(const scree_laws *laws, int i);

/// Does a law keep some bodies from touching?
bool scree_laws_part(const scree_laws *laws);

/// Side 0 or 1 of row i, as it was given.
int scree_laws_side(const scree_laws *laws, int i, int side);

void scree_laws_free(scree_laws *laws);

#endif
