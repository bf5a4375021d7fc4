// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// part.h - kinds of parts as rows: what a step asks of bodies, elastic bodies and matrices.
//
// To contacts every part is one affine map, v' = v_free + A H^T p with A = Mhat^-1 symmetric and
// positive definite. A kind is one file with the functions below; all parts of a kind are one row
// of the model, and the stepper, Mhat and the ledger go from row to row: one call for a row and
// stage of the step, with arrays inside, never one for a body. v' is the velocity that the law
// sees; for spins v_start is the spin as seen from the end of the step (rigid_space.c).
//
// Vectors are those of the whole model: the numbers of a row begin at `coordinate` in q and at
// `dof` in v, F and H^T p.

#ifndef SCREE_MODEL_PART_H
#define SCREE_MODEL_PART_H

#include "base/arena.h"
#include "model/inertia.h"
#include "scree/ledger.h"

typedef struct scree_part_kind scree_part_kind;

/// All parts of one kind. The model's rows are constant; a stepper has its own copy, with work.
typedef struct scree_parts {
    const scree_part_kind *kind;
    const scree_model *model;
    const void *data;  // of kinds that the model's own fields do not hold
    void *work;        // the stepper's: what `make` made

    int count, first;             // parts, and the number of the first among all
    int coordinates, coordinate;  // of all of them: how many, and where they begin
    int dofs, dof;
    int moving;       // parts that impulses move and that can meet others
    int roundings;    // that a term of the ledger suffers
    bool has_loads;   // is any of F not zero?
    bool loads_vary;  // does any of F depend on t?
    bool drives;      // is any motion prescribed?
    bool refreshes;   // does A depend on the impulses? Set by `make`
    bool apart;       // do laws see another velocity at the end than the state has? Set by `make`
} scree_parts;

/// One step as parts see it.
typedef struct scree_stage {
    const scree_scheme_options *scheme;
    double h, theta, alpha;  // alpha: q' = q + h v_alpha; theta but for schemes of matrices alone
    const scree_state *before;
    scree_state *after;  // what is prescribed is there already
    scree_inertia *inertia;
    int come;  // rigid bodies but for those at the end of the list that are still to come
    const double *body_theta;        // of rigid bodies (bodies), or NULL: theta
    const bool *held;                // bodies in space that turn as they do now, whatever impulses
                                     // say, with their momentum (bodies); NULL: none
    double *v_start, *v_free;        // (dofs)
    const double *load, *load_next;  // F at both ends of the step (dofs); NULL: there is none
    double *work;                    // (dofs)
    bool glances;                    // velocities at the end are wanted, places there need not be
} scree_stage;

/// Functions that are not needed may be NULL where it is said.
struct scree_part_kind {
    const char *name;
    bool holds;    // if A depends on the impulses, it can be held as it is (held of the stage)
    bool deforms;  // its points move against each other: nothing to push apart or to roll on

    /// Counts and flags of the parts that a model has of this kind; NULL: they are added by
    /// scree_model_add_parts.
    void (*find)(const scree_model *model, scree_parts *parts);

    /// A of each part for Mhat = M + h alpha C + h^2 theta alpha K (count).
    scree_status (*invert)(const scree_parts *parts, double h, double theta, double alpha,
                           scree_arena *arena, scree_part *part, scree_error *err);

    /// What a stepper needs besides; NULL: nothing.
    scree_status (*make)(scree_parts *parts, scree_arena *arena, scree_error *err);

    /// Does it step by this scheme? NULL: by any.
    scree_status (*accepts)(const scree_parts *parts, const scree_scheme_options *scheme,
                            scree_error *err);

    /// State at time 0.
    void (*start)(const scree_parts *parts, double *q, double *v);

    /// Prescribed motion at time t, v may be NULL; NULL: there is none.
    void (*drive)(const scree_parts *parts, double t, double *q, double *v);

    /// F(t) without gravity; NULL: there is none.
    void (*load)(const scree_parts *parts, double t, double *F);

    /// Loads, births -> v_start, v_free, A.
    scree_status (*free_velocity)(scree_parts *parts, const scree_stage *stage, scree_error *err);

    /// Let A, v_start and v_free follow the impulses push = H^T p; sets changed, or leaves it.
    /// NULL: they do not depend on them.
    scree_status (*refresh)(scree_parts *parts, const scree_stage *stage, const double *push,
                            bool *changed, scree_error *err);

    /// v' = v_free + A push and q' = q + h v_theta; push is in stage->work, or there is none.
    void (*advance)(scree_parts *parts, const scree_stage *stage, bool pushed);

    /// The velocity at the end that laws and works of contacts see, where that is not v'; only of
    /// rows that say so (`apart`).
    void (*end_velocity)(const scree_parts *parts, const scree_stage *stage, double *v_end);

    /// out = q + h v, not in place; NULL: number by number.
    void (*integrate)(const scree_parts *parts, const double *q, const double *v, double h,
                      double *out);

    /// Does the prescribed motion consist of numbers? NULL: it does.
    scree_status (*check)(const scree_parts *parts, const scree_stage *stage, scree_error *err);

    /// Add the energies of a state.
    void (*energies)(const scree_parts *parts, const scree_state *state, scree_ledger *ledger);

    /// Add the energies at the end of a step and the works of the step but those of loads and
    /// contacts, from model and record alone, and the size of the numbers that they are made of to
    /// scale. scratch: room for 3 x dofs.
    void (*fill_ledger)(const scree_parts *parts, double theta, const scree_step_record *record,
                        double *scratch, scree_ledger *ledger, double *scale);

    /// The velocity over a step that loads work with; NULL: v_theta.
    void (*mean_velocity)(const scree_parts *parts, double theta, const scree_step_record *record,
                          double *mean);

    /// Is K positive semidefinite, as the dissipation theorem wants it? NULL: it is.
    bool (*is_passive)(const scree_parts *parts);

    /// Why contacts may create energy with a scheme, whatever their laws are, or NULL. NULL: never.
    const char *(*objection)(const scree_parts *parts, const scree_scheme_options *scheme);

    /// The largest of the numbers that places are made of at q; NULL: the largest of its own in q.
    double (*extent)(const scree_parts *parts, const double *q);

    /// The name of the part that a degree of freedom belongs to, and which of it it is.
    const char *(*name_of_dof)(const scree_parts *parts, int dof, int *component);
};

// the kinds of the model's own fields
extern const scree_part_kind scree_rigid_plane, scree_rigid_space, scree_matrix_kind,
    scree_mechanism_kind, scree_elastic_kind, scree_drive_memory;

/// Add parts of a kind of one's own to a model that is not finished: kind, data, counts and flags
/// are the caller's, the rest is found by scree_model_finish. Their data must outlive the model.
scree_status scree_model_add_parts(scree_model *model, const scree_parts *parts, scree_error *err);

/// The rows of a finished model; how many.
int scree_model_parts(const scree_model *model, const scree_parts **parts);

/// The row of a kind, or NULL if the model has none.
const scree_parts *scree_model_parts_of(const scree_model *model, const scree_part_kind *kind);

/// Number the rows of a model and place them in q and v; false when memory ran out.
bool scree_parts_finish(scree_model *model);

/// out = q + h v of all rows, not in place.
void scree_parts_integrate(const scree_parts *parts, int rows, const double *q, const double *v,
                           double h, double *out);

/// Prescribed motion of all rows at time t; v may be NULL.
void scree_parts_drive(const scree_parts *parts, int rows, double t, double *q, double *v);

/// The largest of the numbers that places are made of at q, over all rows of a model.
double scree_parts_extent(const scree_model *model, const double *q);

/// v' = v_free + A push and q' = q + h v_theta, number by number: `advance` of kinds whose rates
/// are their velocities.
void scree_parts_advance(scree_parts *parts, const scree_stage *stage, bool pushed);

/// h F_theta of one degree of freedom; there are loads.
static inline double scree_stage_load(const scree_stage *stage, int dof, double theta) {
    return stage->h * ((1 - theta) * stage->load[dof] + theta * stage->load_next[dof]);
}

#endif
