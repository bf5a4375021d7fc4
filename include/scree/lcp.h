// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// lcp.h - linear complementarity problems, and all solutions of small problems.
//
//     w = M z + q,   0 <= w  ⟂  z >= 0

#ifndef SCREE_LCP_H
#define SCREE_LCP_H

#include "scree/solve.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_lcp {
    int size;         // n
    const double *M;  // row-major (n x n)
    const double *q;  // (n)
} scree_lcp;

/// |min(z, M z + q)| / (1 + |q|), and the same with each row divided by |M_ii| or its largest
/// entry.
SCREE_API scree_residual scree_lcp_residual(const scree_lcp *lcp, const double *z);

/// options->name: auto, lemke (up to size 2400) or enumerate (up to size 63). z: out; with
/// SCREE_STOP_INFEASIBLE it holds a proof instead: z >= 0, M^T z <= 0, q.z < 0, largest
/// component 1.
SCREE_API scree_status scree_lcp_solve(const scree_lcp *lcp, const scree_solver_options *options,
                                       double *z, scree_report *report, scree_error *err);

typedef enum scree_pattern {
    SCREE_PATTERN_OPEN,  // z = 0; p = 0
    SCREE_PATTERN_STICK,
    SCREE_PATTERN_SLIP_PLUS,   // p_T = +mu p_N, s_T <= 0
    SCREE_PATTERN_SLIP_MINUS,  // p_T = -mu p_N, s_T >= 0
    SCREE_PATTERN_CLOSED,      // w = 0, for an LCP
} scree_pattern;

/// One solution, or a convex set of them: conv(vertices) + cone(rays).
typedef struct scree_solution {
    int *pattern;        // scree_pattern of each contact or component, in the middle of the set;
                         // where several hold, open before slip before stick or closed
    int freedom;         // 0: a point; 1: a segment or a ray; more: a face
    int vertices, rays;  // a point has 1 vertex and no ray
    double *vertex;      // (vertices x n)
    double *ray;         // (rays x n), largest component 1; a whole line is two rays
} scree_solution;

typedef struct scree_solution_set {
    int size;       // n, numbers of one solution: 2 nc for contacts
    int solutions;  // points and families, in the order of their patterns; none lies in another
    scree_solution *solution;
    bool certified_none;  // no solution, and certificate proves it
    double *certificate;  // (n) y >= 0 with M^T y <= 0 and q.y < 0; for contacts the same along the
                          // normals, -W^T y in K* and b.y < 0 (s_N >= 0 cannot be had)
    long systems;         // linear systems looked at
    void *owner;
} scree_solution_set;

/// Every solution: no solution and no certificate means none by complete enumeration. Rows and
/// unknowns are scaled to be about 1 with the largest of q; numbers below tolerance (within 1e-13
/// .. 1e-6) are then zero, and points closer than 100 x tolerance of their size are one.
/// SCREE_BAD_INPUT, saying the limit, above size 63 or where the combinations left by pruning are
/// too many. Typical: milliseconds at size 20, seconds at 36; it doubles with every 2 or 3.
SCREE_API scree_status scree_lcp_all(const scree_lcp *lcp, double tolerance,
                                     scree_solution_set *set, scree_error *err);
/// The same for a planar contact problem of up to 31 contacts; b at p_N = -cohesion where there is
/// cohesion. SCREE_PATTERN_STICK for joints.
SCREE_API scree_status scree_solve_all(const scree_problem *problem, double tolerance,
                                       scree_solution_set *set, scree_error *err);

/// Free it, with all that it owns.
SCREE_API void scree_solution_set_free(scree_solution_set *set);

#ifdef __cplusplus
}
#endif

#endif
