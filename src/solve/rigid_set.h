// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid_set.h - a problem of rigid bodies laid out for sweeps.
//
// Contacts stand in batches of eight that share no body that moves, one number of all eight side by
// side. Batches belong to chunks, small enough for a cache; chunks to colours: two chunks of a
// colour share no body, so threads may take them in any order and get the same bits. Contacts of
// hubs, bodies with so many contacts that they would need a batch each, come last and are
// solved one by one.

#ifndef SCREE_SOLVE_RIGID_SET_H
#define SCREE_SOLVE_RIGID_SET_H

#include "base/arena.h"
#include "law/bodies.h"
#include "scree/solve.h"
#include "solve/residual.h"

enum { SCREE_BATCH = 8 };

// Bodies are lines of eight numbers: velocity, spin, inverse mass, and for balls radius^2 times the
// inverse inertia; the spin of a ball is stored times its radius, which makes it a velocity. In the
// plane: velocity (2), spin, inverse mass, inverse inertia.
typedef double scree_body_slot[8];

typedef struct scree_rigid_central {  // contacts of balls; impulses in world axes
    uint32_t a[8], b[8];              // lines, in bytes from the first one
    double n[3][8], p[3][8], w[8];
} scree_rigid_central;

// Beside the contacts of a batch of balls that resist rolling: moments over a length L that makes
// them as mobile as the tangents, in world axes and across the normal.
typedef struct scree_rigid_rolling {
    double p[3][8];
    double own[2][8];         // L / radius of a and of b
    double length[8], mu[8];  // L; mu_rolling / L
} scree_rigid_rolling;

// The tangents are turned so that S = A_TT - g g^T / a is diagonal, where a = A_NN and g = A_TN.
typedef struct scree_rigid_general {
    uint32_t a[8], b[8];
    double n[3][8], t[3][8];  // normal, first tangent
    double ra[3][8], rb[3][8];
    double p[3][8], w[8];
    double inverse[8];                 // 1 / a
    double gamma[2][8], lambda[2][8];  // g / a, diagonal of S
    double alpha[8];                   // of the last slip, where the next search begins
} scree_rigid_general;

// In the plane a lever is the moment of a unit impulse about a centre of mass, and A_NN = a,
// A_TN = a gamma, lambda = A_TT - a gamma^2. A third row of p stays zero.
typedef struct scree_rigid_planar {
    uint32_t a[8], b[8];
    double n[2][8], lever_a[2][8], lever_b[2][8];  // levers of the normal and of the tangent
    double p[3][8], w[8];
    double inverse[8], gamma[8], lambda[8];
} scree_rigid_planar;

// what one chunk adds to the judgement, lane by lane: the numbers of scree_residual_sums, then
// |s|^2 and |s|^2 / D
enum { SCREE_RIGID_SUMS = 7 };
typedef struct scree_rigid_sums {
    double of[SCREE_RIGID_SUMS][8];
} scree_rigid_sums;

typedef struct scree_rigid_set {
    const scree_problem *problem;
    bool central, planar;
    int lines;  // bodies that move, padding, and what stands for fixed bodies
    scree_body_slot *motion, *free, *inertia;  // inertia: xx xy xz yy yz zz, general only
    int *line_of;                              // of a body, or -1                  (nb)

    int batches, chunks, colours;  // the last chunk is that of the hubs
    size_t numbers;                // impulses of a batch: 24, and 24 moments
    int *chunk;                    // first batch of each chunk         (chunks + 1)
    int *colour;                   // first chunk of each colour        (colours + 1)
    int *contact;                  // of each lane, or -1               (batches x 8)
    scree_rigid_central *centrals;
    scree_rigid_rolling *rollings;  // beside centrals, or NULL
    scree_rigid_general *generals;
    scree_rigid_planar *planars;

    // what is often the same for all contacts: one batch of it and step 0, or all and their step
    double *mu, *arm_ratio, *slide;  // slide: tangential part of w, (3, 6 or 2) x 8
    size_t mu_step, arm_ratio_step, slide_step;

    // of contacts that cohere: impulses are p + c n, and free the velocities at p = -c n, so that
    // the cones stand on their tips
    double *cohesion;  // c (batches x 8), or NULL

    unsigned char *idle_sweeps, *frozen;  // freezing, for each batch
    double idle_energy;                   // D |dp|^2 of a contact that does not change
    scree_rigid_sums *sums;               // for each chunk

    // momentum: what the last sweep changed, the way impulses go  (batches x numbers)
    double *change, *direction;
    double *clock;               // of each contact  (batches x numbers / 3)
    double (*change_energy)[8];  // sum of D |dp|^2, lane by lane, for each chunk
} scree_rigid_set;

/// Can it be laid out? Rigid bodies by frames, Coulomb's cones with d = 3, or 2 in the plane, with
/// cohesion or without; d = 5 of balls that resist rolling.
bool scree_rigid_serves(const scree_problem *problem);

/// Lay out problem with impulses p; both and the arena must outlive the set. broken: some contact
/// cannot be moved, or holds numbers that are not finite, and nothing was laid out.
scree_status scree_rigid_prepare(const scree_problem *problem, const double *p, scree_arena *arena,
                                 scree_rigid_set *set, bool *broken, scree_error *err);

/// The impulses of the set into kept (batches x numbers), and back; none at all. Velocities stay.
void scree_rigid_keep(scree_rigid_set *set, double *kept);
void scree_rigid_return(scree_rigid_set *set, const double *kept);
void scree_rigid_clear(scree_rigid_set *set);

/// The impulses and velocities of the set, in the problem's own order and axes.
void scree_rigid_impulses(const scree_rigid_set *set, double *p);
void scree_rigid_velocities(const scree_rigid_set *set, double *velocity);

// -------------------------------------------------------------------------------------------------
// one instruction set each; all give the same bits

typedef enum scree_sweep_kind {
    SCREE_SWEEP_PLAIN,
    SCREE_SWEEP_FREEZING,  // leaves out batches that have stopped changing
    SCREE_SWEEP_TRACED,    // writes down what it changes
} scree_sweep_kind;

/// Between two sweeps: direction = keep direction + change, p = P_K( p + lead direction ). With
/// clocks keep is 1, the direction what is left of the move, and lead that of each contact:
/// k/(k+3), k its clock, one more for each move that goes on, and this part of it when one turns
/// round.
typedef struct scree_momentum {
    double keep, lead;
    bool clocks;
    double turned;
} scree_momentum;

typedef struct scree_simd_kernel {
    const char *name;
    int lanes;
    void (*sweep)(const scree_rigid_set *set, int chunk, bool forwards, scree_sweep_kind kind);
    void (*lead)(const scree_rigid_set *set, int chunk, scree_momentum how);
    void (*apply)(const scree_rigid_set *set, int chunk);  // v += M^-1 H^T p
    void (*judge)(const scree_rigid_set *set, int chunk);  // to sums of the chunk
} scree_simd_kernel;

extern const scree_simd_kernel scree_simd_kernel_1, scree_simd_kernel_2, scree_simd_kernel_4,
    scree_simd_kernel_8;

/// The paths that this processor can take, widest first, ended by NULL.
const scree_simd_kernel *const *scree_simd_kernels(void);

// -------------------------------------------------------------------------------------------------
// passes over all contacts

typedef struct scree_kernel_config {
    const scree_simd_kernel *path;
    scree_thread_pool *pool;  // NULL: the caller alone
} scree_kernel_config;

/// The widest path.
scree_kernel_config scree_kernel_config_of(scree_thread_pool *pool);

typedef enum scree_sweep_direction {
    SCREE_SWEEP_FORWARDS,
    SCREE_SWEEP_BACKWARDS,
    SCREE_SWEEP_SYMMETRIC,  // even sweeps forwards
} scree_sweep_direction;

/// Sweeps number first to last - 1.
void scree_rigid_sweep(scree_rigid_set *set, const scree_kernel_config *config,
                       scree_sweep_direction direction, scree_sweep_kind kind, int first, int last);
/// Sum of D |dp|^2 of the last traced sweep, in a fixed order.
double scree_rigid_change(const scree_rigid_set *set);
/// Impulses go on in their direction, and v with them.
void scree_rigid_lead(scree_rigid_set *set, const scree_kernel_config *config, scree_momentum how);
/// v = v_free + M^-1 H^T p, from scratch.
void scree_rigid_refresh(scree_rigid_set *set, const scree_kernel_config *config);
/// The sums of all chunks, in a fixed order.
typedef struct scree_rigid_total {
    scree_residual_sums sums;
    double speed, speed_energy;  // |s|^2, sum |s_i|^2 / D_i
} scree_rigid_total;
scree_rigid_total scree_rigid_judge(scree_rigid_set *set, const scree_kernel_config *config);

#endif
