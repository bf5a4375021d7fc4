// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// flexibility.h - Mhat of an elastic body, factored once, and the columns of its inverse where the
// body can touch.
//
// Columns are computed when a node touches for the first time, and kept as long as memory allows:
// they are the same in every step. They come in blocks that depend on the mesh alone, so that a
// run has the same bits whatever touched first.

#ifndef SCREE_MODEL_FLEXIBILITY_H
#define SCREE_MODEL_FLEXIBILITY_H

#include "model/elastic.h"

typedef struct scree_flexibility scree_flexibility;

/// Factor M + h theta C + h^2 theta^2 K on the degrees of freedom that are not held. joined: nodes
/// that joints move besides those that can touch (nodes); NULL: none.
scree_status scree_flexibility_new(const scree_elastic_body *body, const bool *joined, double h,
                                   double theta, scree_flexibility **flexibility, scree_error *err);
void scree_flexibility_free(scree_flexibility *flexibility);

/// x = Mhat^-1 x, of free degrees of freedom; 0 for those that are held (count).
void scree_flexibility_solve(scree_flexibility *flexibility, double *x);

/// The number of a degree of freedom among those of the nodes that can touch; -1 if it is held or
/// cannot.
int scree_flexibility_local(const scree_flexibility *flexibility, int dof);

/// Let the columns of these (local) be there; those that nobody wants may go if memory is short.
scree_status scree_flexibility_require(scree_flexibility *flexibility, const int *local, int count,
                                       scree_error *err);

/// A column of the inverse, which must be there (locals).
const double *scree_flexibility_column(const scree_flexibility *flexibility, int local);

/// How many degrees of freedom can touch, how many columns there are for them, and whether all of
/// them fit into memory at once.
int scree_flexibility_locals(const scree_flexibility *flexibility);
int scree_flexibility_columns(const scree_flexibility *flexibility);
bool scree_flexibility_condensed(const scree_flexibility *flexibility);

/// Entries of the Cholesky factor.
double scree_flexibility_entries(const scree_flexibility *flexibility);

#endif
