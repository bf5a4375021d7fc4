// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// equilibria.h - all equilibria of a small system with contact and Coulomb friction, and whether
// they are stable.
//
//     K U = F + H^T r,   gap = n U + g >= 0  ⟂  r_N >= 0,   |r_T| <= mu r_N
//
// or, for rigid bodies in a given place, 0 = F + H^T r with the same cones. Friction at rest allows
// any r_T in the cone, so equilibria come as convex families. They are cut into relatively open
// pieces on which the status of every contact is the same:
//
//     free     gap > 0, r = 0
//     grazing  gap = 0, r = 0
//     stuck    gap = 0, r_N > 0, |r_T| < mu r_N; also any r_N > 0 where mu = 0
//     slip+    gap = 0, r_T = -mu r_N < 0: about to slide along +T
//     slip-    gap = 0, r_T = +mu r_N > 0: about to slide along -T
//
// (scree_pattern in lcp.h names slip by the sign of the reaction, here it is that of the motion.)

#ifndef SCREE_EQUILIBRIA_H
#define SCREE_EQUILIBRIA_H

#include "scree/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    SCREE_EQUILIBRIUM_CONTACTS = 10,   // at most
    SCREE_EQUILIBRIUM_PIECES = 20000,  // of all equilibria
    SCREE_EQUILIBRIUM_GENERATORS =
        4096,  // vertices and rays of one closed family, also on the way to it
    SCREE_EQUILIBRIUM_DIRECTIONS = 8,  // named in a verdict
};

typedef enum scree_rest {
    SCREE_REST_FREE,
    SCREE_REST_GRAZING,
    SCREE_REST_STUCK,
    SCREE_REST_SLIP_PLUS,
    SCREE_REST_SLIP_MINUS,
} scree_rest;

/// free, grazing, stuck, slip+ or slip-.
SCREE_API const char *scree_rest_name(scree_rest status);

/// Arrays are borrowed by scree_equilibria_find, and owned where scree_equilibrium_system_new made
/// them.
typedef struct scree_equilibrium_system {
    int coordinates, contacts;
    const double *stiffness;  // K, symmetric positive semi-definite (n x n); NULL: rigid
    const double *load;       // F (n)
    const double *normal;     // rows of H for gap and r_N (contacts x n)
    const double *tangent;    // rows of H for r_T (contacts x n)
    const double *gap;        // at U = 0 (contacts); not used of rigid bodies: all are closed
    const double *mu;         // (contacts) >= 0
    const double *position;   // rigid: what is reported as U (n)
    const char *const *name;  // of contacts, or NULL
    int equations;            // of joints: motions across them are not possible, and load, normal
                              // and tangent have nothing of it
    const double *equation;   // orthonormal (equations x n)
    void *owner;
} scree_equilibrium_system;

typedef enum scree_stability {
    SCREE_STABILITY_UNDECIDED,
    SCREE_STABILITY_UNSTABLE,
    SCREE_STABILITY_STABLE,      // Lyapunov
    SCREE_STABILITY_ASYMPTOTIC,  // and perturbed motions come back
} scree_stability;

/// asymptotically-stable, stable, unstable or undecided.
SCREE_API const char *scree_stability_name(scree_stability stability);

/// One piece: the relative interior of conv(vertices) + cone(rays).
typedef struct scree_equilibrium {
    scree_rest *status;  // (contacts)
    int freedom;         // 0: a point; 1: a segment or a ray; more: a face
    int vertices, rays;
    double *u;        // of vertices, then directions of rays with largest r 1
                      // ((vertices + rays) x coordinates)
    double *r;        // r_N, r_T of each contact, the same ((vertices + rays) x 2 contacts); the
                      // ends of a segment are in the order of r_N
    scree_rest *end;  // status at the vertices (vertices x contacts)
    double *rn;       // least and largest r_N of each contact, INFINITY: unbounded (contacts x 2)

    // see scree_stability_judge
    scree_stability stability;
    char ground[400];
    int stable_directions;  // of an unstable one: perturbations that it survives
    char stable_direction[SCREE_EQUILIBRIUM_DIRECTIONS][40];
    double growth_rate;  // kinetic criterion: U_e + eps exp(rate t) direction is a motion, or,
    double *growth_direction;  // rate 0, U_e + eps t direction; largest entry 1 (coordinates);
                               // NULL: none found, or one that oscillates while it grows
} scree_equilibrium;

typedef struct scree_equilibria {
    int coordinates, contacts;
    int count;
    scree_equilibrium *item;  // in the order of their statuses
    double tolerance;         // that was used: smaller numbers count as zero beside their terms
    void *owner;
} scree_equilibria;

/// point, segment, ray or face.
SCREE_API const char *scree_equilibrium_family(const scree_equilibrium *piece);

/// All of them. A sum counts as zero when it is below tolerance times the sum of the sizes of its
/// terms. With more than two coordinates tolerance is raised to 16 eps max(|K^-1||K|), which is
/// what the last digits of an ill-conditioned K can do. SCREE_BAD_INPUT if K has a negative
/// direction, or one without resistance along which there are equilibria without end, or, saying
/// the limit, if there are too many contacts, vertices or pieces. Cost: one double description for
/// each of the 2^contacts sets of closed contacts.
SCREE_API scree_status scree_equilibria_find(const scree_equilibrium_system *system,
                                             double tolerance, scree_equilibria *set,
                                             scree_error *err);

/// Free it, with all that it owns.
SCREE_API void scree_equilibria_free(scree_equilibria *set);

/// The equations of rest of a model: a matrix system with its contacts, or rigid bodies in the
/// plane where they are at the start, with the contacts that are closed there.
SCREE_API scree_status scree_equilibrium_system_new(const scree_model *model,
                                                    const scree_run_options *options,
                                                    scree_equilibrium_system *system,
                                                    scree_error *err);

/// Free it, with all that it owns.
SCREE_API void scree_equilibrium_system_free(scree_equilibrium_system *system);

/// One elastic contact: gap = free_gap + normal r_N + tangential r_T. The set of equilibria changes
/// its kind where mu = normal / |tangential| and where free_gap = 0.
typedef struct scree_rest_critical {
    double normal, tangential;
    double friction;  // normal / |tangential|; infinite if tangential = 0
    double free_gap;  // that the load alone would leave; 0 if it is rounding
} scree_rest_critical;

/// SCREE_BAD_INPUT if there is not one contact, or no stiffness.
SCREE_API scree_status scree_rest_critical_of(const scree_equilibrium_system *system,
                                              double tolerance, scree_rest_critical *critical,
                                              scree_error *err);

/// The critical load of each coordinate, all others as they are: that with which free_gap is 0; NaN
/// where the gap does not depend on it (n). SCREE_BAD_INPUT as above.
SCREE_API scree_status scree_rest_critical_loads(const scree_equilibrium_system *system,
                                                 double tolerance, double *load, scree_error *err);

/// A particle of mass m in the plane, in the letters of its literature: U_N = -gap, R_N = -r_N,
/// R_T = r_T, K = [[KN, W], [W, KT]], A = KT FN - W FT.
typedef struct scree_klarbring {
    double m, KN, KT, W, FN, FT, mu;
    double A;  // 0 if it is rounding
} scree_klarbring;

/// Is the model such a particle, whatever its axes? One contact with orthonormal rows, a mass that
/// is the same in all directions, constant loads, no damping, e = 0, no motion of the obstacle.
SCREE_API bool scree_klarbring_of(const scree_model *model, const scree_equilibrium_system *system,
                                  double tolerance, scree_klarbring *particle);

typedef enum scree_stability_method {
    SCREE_JUDGE_AUTO,        // theorem, else energy, else criteria, else experiment
    SCREE_JUDGE_EXPERIMENT,  // experiments only
    SCREE_JUDGE_PROOF,       // no experiments
    SCREE_JUDGE_CRITERIA,    // static and kinetic criterion only
} scree_stability_method;

/// Give every equilibrium of the set its verdict and the ground of it.
///
/// The first three are for a definite K.
/// Theorem: Klarbring's particle with mu > 0 and W != 0.
/// Energy: e = 0, no negative damping, nothing driven, and either no reaction (K U = F: kinetic
/// energy plus the elastic energy of U - U_e never grows) or no friction at all (U_e is the strict
/// minimum of the potential over the admissible displacements).
/// Static criterion (stable): a matrix system, e = 0, no negative damping; M^-1 does not couple the
/// normals of contacts that are pressed with friction to other closed rows, and C and K do not
/// couple those of contacts about to slip to anything else.
/// Kinetic criterion (unstable): a matrix system of up to 40 coordinates has a motion that grows
/// from the equilibrium and keeps all contact laws; growth_rate and growth_direction say which.
/// Experiment: at the point of a piece, or at the middle of a family, velocities of two sizes in a
/// fan of admissible directions, from event to event where that takes the system, else by the run's
/// scheme, step and duration. Stable: all of them stay within 10 times their size. Unstable: a
/// small one goes 10 large sizes away, with half the step as well; what has sunk in does not count.
/// Anything else is undecided. It is an observation, and its ground says so.
SCREE_API scree_status scree_stability_judge(const scree_model *model,
                                             const scree_run_options *options,
                                             const scree_equilibrium_system *system,
                                             scree_stability_method method, scree_equilibria *set,
                                             scree_error *err);

#ifdef __cplusplus
}
#endif

#endif
