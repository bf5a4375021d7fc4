// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// problem_raw.h - what a problem file holds, before W is assembled: all formats read into this.
//
//     local:   u = W r + V l + b,        0 = V^T r + R l + s
//     global:  M v = f + H r + V l,      u = H^T v + b,      0 = V^T v + s
//     LCP:     w = W z + b

#ifndef SCREE_STORE_PROBLEM_RAW_H
#define SCREE_STORE_PROBLEM_RAW_H

#include "scree/problem_file.h"
#include "store/problem_entries.h"

typedef struct scree_raw {
    const char *format;
    bool is_lcp, is_global;
    int dimension, contacts, dofs, equalities;
    scree_entries W, R;   // local
    scree_entries M, H;   // global: H is dofs x (contacts x dimension)
    scree_entries V;      // FCLIB's V, or its G when the problem is global
    double *b;            // (contacts x dimension), or (dofs) of an LCP
    double *mu;           // (contacts)
    double *mu_rolling;   // (contacts), dimension 5 only
    double *f;            // (dofs)
    double *s;            // (equalities)
    double *guess;        // (contacts x dimension) or NULL
    double *guess_joint;  // (equalities) or NULL
} scree_raw;

/// Text of any format; text[size] is a zero. Vectors are drawn from the arena.
scree_status scree_problem_text_read(const char *path, const char *text, size_t size,
                                     scree_arena *arena, scree_raw *raw, scree_error *err);

/// An FCLIB file.
scree_status scree_problem_fclib_read(const char *path, scree_arena *arena, scree_raw *raw,
                                      scree_error *err);

/// W = H M^-1 H^T in blocks and b = H M^-1 f + w, into row, column, diagonal, block and b.
scree_status scree_problem_condense(const char *path, const scree_motion *motion, int contacts,
                                    int dimension, scree_arena *arena, scree_problem *problem,
                                    scree_error *err);

/// v (dofs) with M v = f + H^T p.
scree_status scree_problem_condense_velocity(const char *path, const scree_motion *motion,
                                             int contacts, int dimension, const double *p,
                                             double *v, scree_error *err);

#endif
