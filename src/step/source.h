// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// source.h - where contacts come from, as rows: pairs of shapes, nodes of elastic bodies, rows of
// the matrix system, formulas of the mechanism, and what a program adds.
//
// A source is one file with the functions below. The stepper, the problem and the warm start go
// from source to source and know none of them: to them a contact is an identity, a law, a gap, and
// a map
//
//     u = H v + w,    x += H^T p
//
// Contacts of a set stand in the order of their sources' numbers, those of one source ascend by id.

#ifndef SCREE_STEP_SOURCE_H
#define SCREE_STEP_SOURCE_H

#include "base/parallel.h"
#include "law/bodies.h"
#include "model/inertia.h"
#include "scree/step.h"

struct scree_contact_set;
typedef struct scree_contact_source scree_contact_source;

/// A source in a set of contacts.
typedef struct scree_source {
    const scree_contact_source *kind;
    const scree_model *model;
    const void *data;  // of a source that a program added (model/sources.h)
    void *self;        // what `make` made
    bool predicts;     // gap_at may know gaps: set by `make`
    int first, last;   // its contacts are those from first to last - 1
} scree_source;

/// Where contacts are looked for: those that velocities v or w can close within h.
typedef struct scree_contact_query {
    const double *q, *v, *w;  // (coordinates), (dofs), (dofs)
    double t, h;
    double present;  // bodies that are there at this time: t, or where the step begins
    double slack;    // gap that counts as closed
    double reach;    // how far bodies that are hit may go, but for a part of their size
    bool at_start;   // q is where the last step ended, if that is known
    bool near_only;  // pairs that cannot close within h are not asked for
    bool spread;     // fixed bodies have velocities here, too: how far around them is looked
    scree_thread_pool *pool;
} scree_contact_query;

/// The size of a body's velocities in this step.
typedef struct scree_velocity_scale {
    double linear, angular;  // |v| + |v'|, |spin| + |spin'|
    double load_change;      // |v_free - v|: what loads do in a step
} scree_velocity_scale;

/// Velocities whose sizes are asked for.
typedef struct scree_scale_query {
    const double *v, *other;           // (dofs)
    const scree_velocity_scale *body;  // of the two (bodies)
} scree_scale_query;

/// What of the step a row looks at.
typedef enum scree_row_rule { SCREE_ROW_MEAN, SCREE_ROW_SETTLES, SCREE_ROW_END } scree_row_rule;

/// The law of a contact that is no pair, row by row: a joint. It is always in the problem, and
///
///     s = (u_theta + off/h)/theta,   s = 0 where the limit is HUGE_VAL
///
/// A motor that is held looks at the end of the step, or it would swing about its target with the
/// velocity of the start for ever: one of velocity has s = u', one of position
///
///     s = u' + (1 - theta) u + off/h
///
/// with which errors of place and of velocity are both gone after two steps. A soft one (its first
/// row) has p = -h (F + slope (way - ahead) + damping u_theta) instead, with way = h u_theta, and F
/// and its slope mixed of two by theta (model/drive.h). A controller adds integral I_theta with I'
/// = I + h e_theta, where e is `off`.
typedef struct scree_row_law {
    scree_row_rule rule;
    double off[SCREE_ROWS_MAX];    // g(q): how far the row is off [m, rad]
    double limit[SCREE_ROWS_MAX];  // of |p|/h: HUGE_VAL: none, the row is an equation; below 0:
                                   // there is no such row [N, N m]
    bool bears;                    // friction mu |weight o p| of another contact is added to it
    int bearing;                   // that contact, which is in the problem
    double weight[SCREE_ROWS_MAX];
    bool soft, one_sided;  // one_sided: 0 <= s _|_ p >= 0 instead
    double mean, mean_slope, end, end_slope, ahead, damping;
    double integral, sum;  // sum: I where the step begins
    double least;  // slope h + damping is taken to be at least this, which changes no answer
} scree_row_law;

/// What makes the first row of a soft law: s = (u_theta + off)/theta + compliance p.
typedef struct scree_soft_row {
    double off, compliance;
} scree_soft_row;

static inline scree_soft_row scree_row_law_soft(const scree_row_law *law, double theta, double h) {
    double force = (2 - 2 * theta) * law->mean + (2 * theta - 1) * law->end;
    double slope = (2 - 2 * theta) * law->mean_slope + (2 * theta - 1) * law->end_slope;
    force += law->integral * (law->sum + theta * h * (law->off[0] + theta * law->ahead));
    slope += law->integral * theta * theta * h;
    if (slope * h + law->damping < law->least) slope = (law->least - law->damping) / h;
    double total = slope * h + law->damping;
    return (scree_soft_row){ (force - slope * law->ahead) / total, 1 / (theta * h * total) };
}

enum { SCREE_CONTACT_BODIES = 4 };  // that one contact has at most

/// Functions that are not needed may be NULL where it is said.
struct scree_contact_source {
    const char *name;
    int number;     // of identities: SCREE_SOURCE_...
    bool projects;  // overlaps can be pushed apart (project.c)

    /// Has the model contacts of this kind? NULL: it has.
    bool (*serves)(const scree_model *model);

    /// What stays, with memory from the arena; NULL: nothing.
    scree_status (*make)(scree_source *source, struct scree_contact_set *set, scree_arena *arena,
                         scree_error *err);
    void (*free)(scree_source *source);  // or NULL

    /// Append contacts to the set, ascending by id.
    scree_status (*find)(scree_source *source, const scree_contact_query *query,
                         struct scree_contact_set *set, scree_error *err);

    /// H of the step from q to q_end, where that is more than H at one place; sets changed, or
    /// leaves it. NULL: it is not.
    void (*follow)(scree_source *source, struct scree_contact_set *set, const double *q,
                   const double *q_end, bool *changed);

    /// u = H x of contact i; of bodies only those that move, or only those that are driven.
    void (*velocity)(const scree_source *source, const struct scree_contact_set *set, int i,
                     const double *x, bool driven, double *u);

    /// x += H^T p.
    void (*impulse)(const scree_source *source, const struct scree_contact_set *set, int i,
                    const double *p, double *x);

    /// w and w' of contacts first to last - 1.
    void (*obstacle)(const scree_source *source, struct scree_contact_set *set, int first, int last,
                     const scree_state *before, const scree_state *after);

    /// H in blocks of parts, at most SCREE_CONTACT_BLOCKS; how many, or -1 when memory ran out.
    int (*rows)(const scree_source *source, const struct scree_contact_set *set, int i,
                const scree_inertia *inertia, scree_arena *arena, scree_jacobian_block *block);

    /// size + the size of the numbers that H v is made of.
    double (*velocity_scale)(const scree_source *source, const struct scree_contact_set *set, int i,
                             const scree_scale_query *query, double size);

    /// The gap at q and t, exactly; false where it is not known. NULL: it never is.
    bool (*gap_at)(const scree_source *source, const struct scree_contact_set *set, int i,
                   const double *q, double t, double *gap);

    /// Is contact i too far away to close within the step? NULL: none is.
    bool (*is_far)(const scree_source *source, const struct scree_contact_set *set, int i);

    /// |v_free - v| of what touches at contact i: a contact that bore persists while its gap is a
    /// part of the way that this is. NULL: it need not.
    double (*load_change)(const scree_source *source, const struct scree_contact_set *set, int i,
                          const scree_velocity_scale *body);

    /// The step ends at q: gaps there. The first is called before, the second for chunks of
    /// contacts on threads, the last after; NULL: nothing to do, or (the last) gap_at does it.
    void (*update_poses)(scree_source *source, struct scree_contact_set *set, const double *q);
    void (*update_chunk)(const scree_source *source, struct scree_contact_set *set, int first,
                         int last);
    void (*update_gaps)(scree_source *source, struct scree_contact_set *set, const double *q,
                        double t);

    /// The law of contact i row by row; NULL, or a result of it: one of restitution and friction.
    const scree_row_law *(*row_law)(const scree_source *source, int i);

    /// The bodies of contact i, SCREE_GROUND among them; how many. NULL: its sides a and b.
    int (*bodies)(const scree_source *source, int i, int body[SCREE_CONTACT_BODIES]);

    /// Do functions of time give numbers? NULL: there are none.
    scree_status (*check)(const scree_source *source, const struct scree_contact_set *set,
                          const scree_state *after, scree_error *err);

    /// The state is not where the last step ended. NULL: nothing was remembered of it.
    void (*invalidate)(scree_source *source);

    /// Can a stored contact be of this model?
    bool (*knows)(const scree_source *source, const scree_contact *contact, scree_contact_key key);
};

extern const scree_contact_source scree_source_shapes, scree_source_nodes, scree_source_rows,
    scree_source_joints, scree_source_formulas;

#endif
