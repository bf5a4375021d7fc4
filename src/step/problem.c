// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// problem.c - active contacts -> problem: H and Mhat^-1 by parts, b, cones.
// in: contacts, inertia, free velocity.   out: the record's problem.   work: the step's memory.

#include <math.h>
#include <string.h>

#include "base/space.h"
#include "law/bodies.h"
#include "step/stepper.h"

static scree_status no_memory(int contacts, scree_error *err) {
    return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE,
                      "out of memory for a problem of %d contacts", contacts);
}

// -------------------------------------------------------------------------------------------------
// A

static void solve_part(void *self, double *x) { scree_inertia_solve(self, x); }

static const double *flexible_column(void *self, int column) {
    return scree_flexibility_column(self, column);
}

static scree_status flexible_require(void *self, const int *column, int count, scree_error *err) {
    return scree_flexibility_require(self, column, count, err);
}

// elastic bodies and the matrix system
static bool fill_parts(scree_stepper *stepper, const scree_inertia *inertia, scree_bodies *bodies) {
    bodies->parts = inertia->parts - bodies->rigid;
    if (!bodies->parts) return true;
    scree_part_inverse *inverse = SCREE_NEW(&stepper->scratch, scree_part_inverse, bodies->parts);
    bodies->part = inverse;
    for (int k = 0; inverse && k < bodies->parts; k++) {
        scree_part *part = &inertia->part[bodies->rigid + k];
        inverse[k] = (scree_part_inverse){ .dof = part->dof, .width = part->width, .self = part };
        if (!part->flexible) {
            inverse[k].solve = solve_part;
            if (!part->factor_end) inverse[k].factor = part->factor;
            continue;
        }
        inverse[k].width = scree_flexibility_locals(part->flexible);
        inverse[k].self = part->flexible;
        inverse[k].column = flexible_column;
        inverse[k].require = flexible_require;
    }
    return inverse != NULL;
}

// -------------------------------------------------------------------------------------------------
// H

static bool fill_blocks(scree_stepper *stepper, const scree_inertia *inertia,
                        const scree_contact_set *set, const int *chosen, int count,
                        scree_bodies *bodies) {
    scree_arena *arena = &stepper->scratch;
    int *first = SCREE_NEW(arena, int, count + 1);
    scree_jacobian_block *block =
        SCREE_NEW(arena, scree_jacobian_block, (size_t)count * SCREE_CONTACT_BLOCKS);
    if (!first || !block) return false;
    for (int i = 0; i < count; i++) {
        int blocks = scree_contacts_rows(set, chosen[i], inertia, arena, block + first[i]);
        if (blocks < 0) return false;
        first[i + 1] = first[i] + blocks;
    }
    bodies->first = first;
    bodies->block = block;
    return true;
}

// Problems by frames have bodies of their own: those that take part in a contact and move, in the
// order of the model, so that what touches nothing, is fixed or is yet to come costs nothing.
typedef struct numbering {
    int *number;  // of each body of the model, 0 for one that takes no part (bodies)
    int *body;    // which body of the model each of them is (count)
    int count;    // of them
} numbering;

typedef struct filling {  // of frames
    const scree_contact_set *set;
    const int *chosen;
    const int *number;
    double *frame, *arm;
    int *body;
} filling;

static bool moves(const scree_contact_set *set, int body) {
    return set->mobility[body] == SCREE_DYNAMIC;
}

static bool number_bodies(scree_stepper *stepper, const scree_contact_set *set, const int *chosen,
                          int count, numbering *bodies) {
    int all = stepper->model->bodies, *number = SCREE_NEW(&stepper->scratch, int, all);
    if (!number) return false;
    for (int k = 0; k < count; k++) {
        const scree_contact *contact = &set->contact[chosen[k]];
        number[contact->a] |= moves(set, contact->a);
        number[contact->b] |= moves(set, contact->b);
    }
    bodies->count = 0;
    for (int i = 0; i < all; i++) bodies->count += number[i];
    bodies->number = number;
    bodies->body = SCREE_ROOM(&stepper->scratch, int, bodies->count);
    if (!bodies->body) return false;
    for (int i = 0, next = 0; i < all; i++) {
        if (!number[i]) continue;
        bodies->body[next] = i;
        number[i] = ++next;
    }
    return true;
}

// so many numbers of each of the bodies that take part, side by side
static const double *gather(scree_stepper *stepper, const numbering *bodies, const double *from,
                            size_t numbers) {
    double *to = SCREE_ROOM(&stepper->scratch, double, numbers *(size_t)bodies->count);
    for (size_t k = 0; to && k < (size_t)bodies->count; k++)
        memcpy(to + numbers * k, from + numbers * (size_t)bodies->body[k], numbers * sizeof *to);
    return to;
}

static int side_of(const filling *to, int body) {
    return to->number[body] ? to->number[body] - 1 : SCREE_FIXED;
}

static void fill_frame(scree_stepper *stepper, int i, void *with) {
    const filling *to = with;
    const scree_contact_set *set = to->set;
    const scree_contact *contact = &set->contact[to->chosen[i]];
    double *frame = to->frame + 9 * (size_t)i;
    (void)stepper;
    memcpy(frame, contact->normal, sizeof contact->normal);
    memcpy(frame + 3, contact->tangent, sizeof contact->tangent);
    scree_cross(contact->normal, contact->tangent, frame + 6);
    memcpy(to->arm + 6 * (size_t)i, set->arm + 6 * (size_t)to->chosen[i], 6 * sizeof *to->arm);
    to->body[2 * (size_t)i] = side_of(to, contact->a);
    to->body[2 * (size_t)i + 1] = side_of(to, contact->b);
}

static bool fill_frames(scree_stepper *stepper, const scree_inertia *inertia,
                        const scree_contact_set *set, const int *chosen, int count,
                        numbering *numbered, scree_bodies *bodies) {
    scree_arena *arena = &stepper->scratch;
    if (!number_bodies(stepper, set, chosen, count, numbered)) return false;
    bodies->rigid = numbered->count;
    bodies->inverse =
        gather(stepper, numbered, inertia->part[0].inverse, bodies->width == 3 ? 2 : 7);
    filling to = { .set = set,
                   .chosen = chosen,
                   .number = numbered->number,
                   .frame = SCREE_ROOM(arena, double, 9 * (size_t)count),
                   .arm = SCREE_ROOM(arena, double, 6 * (size_t)count),
                   .body = SCREE_ROOM(arena, int, 2 * (size_t)count) };
    if (!bodies->inverse || !to.frame || !to.arm || !to.body) return false;
    scree_contacts_parallel_for(stepper, count, fill_frame, &to);
    bodies->frame = to.frame;
    bodies->arm = to.arm;
    bodies->body = to.body;
    return true;
}

// frames are for pairs of shapes; contacts of other sources have rows of their own
static bool are_pairs(const scree_contact_set *set) {
    for (int k = 0; k < set->sources; k++)
        if (set->source[k].kind->number != SCREE_SOURCE_SHAPES &&
            set->source[k].last > set->source[k].first)
            return false;
    return true;
}

static scree_status problem_of(scree_stepper *stepper, const scree_inertia *inertia,
                               const scree_contact_set *set, const int *chosen, int count,
                               numbering *numbered, scree_problem *problem, scree_error *err) {
    enum { MANY = 64 };  // in the plane rows are small: fewer contacts are quicker by blocks
    const scree_model *model = stepper->model;
    scree_bodies *bodies = SCREE_NEW(&stepper->scratch, scree_bodies, 1);
    if (!bodies) return no_memory(count, err);
    *bodies = (scree_bodies){ .rigid = model->bodies,
                              .width = model->body_dofs,
                              .inverse = model->bodies ? inertia->part[0].inverse : NULL };
    bool fine = fill_parts(stepper, inertia, bodies);
    bool frames = model->space == 3 || (model->dimension == 2 && count >= MANY);
    if (frames && !bodies->parts && are_pairs(set))
        fine = fine && fill_frames(stepper, inertia, set, chosen, count, numbered, bodies);
    else
        fine = fine && fill_blocks(stepper, inertia, set, chosen, count, bodies);
    if (!fine) return no_memory(count, err);
    *problem =
        (scree_problem){ .contacts = count, .dimension = model->dimension, .bodies = bodies };
    return SCREE_OK;
}

scree_status scree_problem_of_contacts(scree_stepper *stepper, const scree_inertia *inertia,
                                       const scree_contact_set *set, const int *chosen, int count,
                                       scree_problem *problem, scree_error *err) {
    numbering numbered;
    return problem_of(stepper, inertia, set, chosen, count, &numbered, problem, err);
}

// -------------------------------------------------------------------------------------------------
// b and the cones

typedef struct laws {  // of the active contacts
    double *w, *b, *mu;
} laws;

// b = u_free + w, w = (e u_N, tau u_T) and what is driven: y of Acary & Collins-Craft (85), and the
// b of (86); Moreau (34)
static void find_law_velocity(scree_stepper *stepper, int i, void *with) {
    const laws *to = with;
    const scree_contact_set *set = &stepper->set;
    int at = set->active[i], d = stepper->model->dimension;
    if (i + SCREE_PREFETCH_DISTANCE < set->active_count)
        scree_contacts_prefetch(stepper, set->active[i + SCREE_PREFETCH_DISTANCE],
                                stepper->free_velocity);
    const scree_contact *contact = &set->contact[at];
    double *w = to->w + (size_t)i * (size_t)d, *b = to->b + (size_t)i * (size_t)d;
    scree_contacts_velocity(set, at, stepper->free_velocity, b);
    for (int k = 0; k < d; k++) {
        w[k] = contact->w_after[k] + scree_stepper_law_share(stepper, at, k);
        b[k] += w[k];
    }
    to->mu[i] = contact->friction;
}

typedef struct row_laws {  // of all contacts of a problem
    unsigned char *equality;
    double *limit, *weight, *softness;
    int *bearing;
    bool bears, soft;
} row_laws;

static void take_row_law(const scree_stepper *stepper, int i, row_laws *to) {
    const scree_contact_set *set = &stepper->set;
    const scree_row_law *law = scree_contacts_row_law(set, set->active[i]);
    int d = stepper->model->dimension;
    to->equality[i] = law && !law->one_sided;
    to->bearing[i] = law && law->bears ? scree_contacts_active_from(set, law->bearing) : -1;
    to->bears |= to->bearing[i] >= 0;
    for (int r = 0; r < d; r++) {
        to->limit[i * d + r] = law ? law->limit[r] * stepper->scheme.step : HUGE_VAL;
        to->weight[i * d + r] = law && law->bears ? law->weight[r] : 0;
    }
    if (!law || !law->soft) return;
    double theta = scree_stepper_theta(stepper, &set->contact[set->active[i]]);
    to->softness[i * d] = scree_row_law_soft(law, theta, stepper->scheme.step).compliance;
    to->soft = true;
}

// contacts whose laws are rows of their own
static scree_status add_row_laws(scree_stepper *stepper, scree_problem *problem, scree_error *err) {
    const scree_contact_set *set = &stepper->set;
    int nc = set->active_count, joints = 0;
    size_t numbers = (size_t)nc * (size_t)problem->dimension;
    for (int i = 0; i < nc; i++) joints += scree_contacts_row_law(set, set->active[i]) != NULL;
    if (!joints) return SCREE_OK;
    row_laws rows = { .equality = SCREE_NEW(&stepper->scratch, unsigned char, nc),
                      .limit = SCREE_NEW(&stepper->scratch, double, numbers),
                      .weight = SCREE_NEW(&stepper->scratch, double, numbers),
                      .softness = SCREE_NEW(&stepper->scratch, double, numbers),
                      .bearing = SCREE_NEW(&stepper->scratch, int, nc) };
    if (!rows.equality || !rows.limit || !rows.weight || !rows.softness || !rows.bearing)
        return no_memory(nc, err);
    for (int i = 0; i < nc; i++) take_row_law(stepper, i, &rows);
    problem->equality = rows.equality;
    problem->limit = rows.limit;
    if (rows.soft) problem->compliance = rows.softness;
    if (rows.bears) problem->bearing = rows.bearing;
    if (rows.bears) problem->bearing_weight = rows.weight;
    return SCREE_OK;
}

// Equations of joints give way a little, or contacts: compliance, a share of what moves each row.
static scree_status ease(scree_stepper *stepper, scree_problem *problem, scree_error *err) {
    const scree_contact_set *set = &stepper->set;
    int nc = set->active_count, d = problem->dimension;
    if (!(stepper->ease > 0 && problem->limit) && !(stepper->give > 0)) return SCREE_OK;
    double *W = SCREE_NEW(&stepper->scratch, double, ((size_t)nc * (size_t)(d * d)));
    double *soft = SCREE_NEW(&stepper->scratch, double, ((size_t)nc * (size_t)d));
    if (!W || !soft || !scree_bodies_diagonal(problem, NULL, W, &stepper->scratch))
        return no_memory(nc, err);
    if (problem->compliance)
        memcpy(soft, problem->compliance, (size_t)nc * (size_t)d * sizeof *soft);
    for (int i = 0; i < nc; i++) {
        const scree_row_law *law = scree_contacts_row_law(set, set->active[i]);
        const double *own = W + (size_t)i * (size_t)(d * d);
        for (int r = 0; law && r < d; r++)
            if (law->limit[r] == HUGE_VAL && !law->soft && law->rule == SCREE_ROW_MEAN)
                soft[i * d + r] = stepper->ease * own[r * (d + 1)];
        for (int r = 0; !law && r < d; r++) soft[i * d + r] = stepper->give * own[0];
    }
    problem->compliance = soft;
    return SCREE_OK;
}

// laws that are more than restitution and friction
static scree_status add_laws(scree_stepper *stepper, scree_problem *problem, scree_error *err) {
    const scree_contact_set *set = &stepper->set;
    int nc = set->active_count;
    bool second = false, cohesion = false;
    scree_status status = add_row_laws(stepper, problem, err);
    if (!status) status = ease(stepper, problem, err);
    if (status) return status;
    for (int i = 0; i < nc; i++) {
        second |= set->contact[set->active[i]].friction_across > 0;
        cohesion |= set->contact[set->active[i]].cohesion > 0;
    }
    bool rolling = problem->dimension == 5;
    if (!second && !cohesion && !rolling) return SCREE_OK;
    double *other = SCREE_NEW(&stepper->scratch, double, nc);
    double *roll = SCREE_NEW(&stepper->scratch, double, nc);
    double *pull = SCREE_NEW(&stepper->scratch, double, nc);
    if (!other || !roll || !pull) return no_memory(nc, err);
    for (int i = 0; i < nc; i++) {
        const scree_contact *contact = &set->contact[set->active[i]];
        other[i] = contact->friction_across > 0 ? contact->friction_across : contact->friction;
        roll[i] = contact->rolling;
        pull[i] = scree_stepper_cohesion(contact) * stepper->scheme.step;
    }
    if (second) problem->mu_second = other;
    if (cohesion) problem->cohesion = pull;
    if (rolling) problem->mu_rolling = roll;
    return SCREE_OK;
}

// -------------------------------------------------------------------------------------------------
// balls

// Are all bodies of the problem balls? Then the distance of the centres over the radii says where
// the point of a contact is; what does not move may have any shape.
static bool are_balls(const scree_stepper *stepper, const numbering *bodies, double *radius) {
    const scree_contact_set *set = &stepper->set;
    for (int i = 0; i < set->active_count; i++)
        for (int s = 0; s < 2; s++) {
            int shape = set->shapes[3 * (size_t)set->active[i] + (size_t)s];
            if (!set->moves[shape]) continue;
            double *known = &radius[bodies->number[set->owner[shape]] - 1], own = set->ball[shape];
            if (!(own > 0) || (*known > 0 && *known != own)) return false;
            *known = own;
        }
    return true;
}

static double arm_ratio_of(const scree_contact_set *set, int i, const numbering *bodies,
                           const double *radius) {
    const scree_contact *contact = &set->contact[i];
    int a = bodies->number[contact->a], b = bodies->number[contact->b];
    double radii = (a ? radius[a - 1] : 0) + (b ? radius[b - 1] : 0);
    const double *arm = set->arm + 6 * (size_t)i + (a ? 0 : 3);
    return (a && b ? radii + contact->gap : fabs(scree_dot(arm, contact->normal))) / radii;
}

// what sweeps on bodies want to know besides: balls, and where bodies are
static scree_status describe_bodies(scree_stepper *stepper, const numbering *numbered,
                                    scree_bodies *bodies, scree_error *err) {
    const scree_contact_set *set = &stepper->set;
    scree_arena *arena = &stepper->scratch;
    size_t nb = (size_t)bodies->rigid, nc = (size_t)set->active_count;
    bodies->v_free = gather(stepper, numbered, stepper->free_velocity, (size_t)bodies->width);
    double *radius = SCREE_NEW(arena, double, nb), *ratio = SCREE_ROOM(arena, double, nc);
    double *position = SCREE_ROOM(arena, double, 3 * nb);
    if (!bodies->v_free || !radius || !ratio || !position) return no_memory(set->active_count, err);
    for (size_t i = 0; i < nb; i++)
        memcpy(position + 3 * i, set->pose[numbered->body[i]].at, 3 * sizeof *position);
    bodies->position = position;
    if (bodies->width == 3 || !are_balls(stepper, numbered, radius)) return SCREE_OK;
    for (int i = 0; i < set->active_count; i++)
        ratio[i] = arm_ratio_of(set, set->active[i], numbered, radius);
    bodies->radius = radius;
    bodies->arm_ratio = ratio;
    return SCREE_OK;
}

// -------------------------------------------------------------------------------------------------

// Acary & Collins-Craft (81), by (86) or by (91) over theta
scree_status scree_problem_of_step(scree_stepper *stepper, scree_error *err) {
    const scree_contact_set *set = &stepper->set;
    scree_problem *problem = &stepper->record.problem;
    int nc = set->active_count, d = stepper->model->dimension;
    *problem = (scree_problem){ .dimension = d };
    if (nc == 0) return SCREE_OK;
    numbering numbered;
    scree_status status =
        problem_of(stepper, &stepper->inertia, set, set->active, nc, &numbered, problem, err);
    if (status) return status;
    scree_bodies *bodies = (scree_bodies *)problem->bodies;  // the step's own
    size_t numbers = (size_t)nc * (size_t)d;
    double *room = SCREE_ROOM(&stepper->scratch, double, 2 * numbers + (size_t)nc);
    if (!room) return no_memory(nc, err);
    laws of = { .w = room, .b = room + numbers, .mu = room + 2 * numbers };
    scree_contacts_parallel_for(stepper, nc, find_law_velocity, &of);
    bodies->v_free = stepper->free_velocity;
    bodies->w = of.w;
    problem->b = of.b;
    problem->mu = of.mu;
    if (bodies->frame) status = describe_bodies(stepper, &numbered, bodies, err);
    return status ? status : add_laws(stepper, problem, err);
}
