// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// source_joints.c - joints as contacts: d equations each, or a limit of a joint's coordinate.
// in: joints of the model, q at both ends of the step.   out: contacts with the mean H of the step.
//
//     equations   s = (u_theta + g/h)/theta = 0, p free         limits   as any contact, gap = x -
//     x_low
//     bushes      a pin with clearance, as any contact with friction
//     drives      springs and motors on the coordinate, model/drive.h
//
// A joint of five equations in space is two contacts; rows that a contact has too many are zero.
// With the mean H (model/joint.h) u_theta + g/h = 0 says g(q') = 0: nothing drifts, and u_theta .
// p, the work of the joint, is what rounding and the solver's tolerance left in g.

#include <math.h>
#include <string.h>

#include "base/space.h"
#include "model/drive.h"
#include "model/inertia.h"
#include "model/joint.h"
#include "step/contacts.h"

enum { EQUATIONS, FRICTION, LOWER, UPPER, BUSH, DRIVE };

typedef struct unit {  // a contact of a joint
    int joint, kind;
    int first, rows;        // of the joint's equations; which of its bushes
    const scree_drive *of;  // a spring or motor on its coordinate
} unit;

typedef struct joints {
    int units;
    unit *unit;            // ascending by joint (units)
    int *found;            // unit of each contact of the step (units)
    scree_joint_row *row;  // (units x dimension)
    scree_row_law *law;    // of equations and drives (units)
    double *end;           // coordinate of a drive at the end of the step as it is foreseen (units)
    scree_marker_map *map;  // of sides that are markers (units x SCREE_JOINT_SIDES), or NULL
    int first_law;          // number of the first joint's law in the set
} joints;

static bool serves(const scree_model *model) { return model->joints > 0; }

static bool has_friction(const scree_joint *joint) {
    return (joint->friction > 0 && !(joint->clearance > 0)) || joint->dry_friction > 0;
}

static int count_units(const scree_model *model, int k) {
    const scree_joint *joint = &model->joint[k];
    int d = model->dimension;
    return (scree_joint_equations(model, k) + d - 1) / d + (joint->lower > -HUGE_VAL) +
           (joint->upper < HUGE_VAL) + scree_joint_bushes(model, k) + has_friction(joint);
}

// friction against the coordinate: its limit is what is given, and mu times the force that the
// equations transmit across it; they are the contact before this one or, in space, an earlier one
static void add_friction(const scree_model *model, int k, joints *self) {
    const scree_joint *joint = &model->joint[k];
    scree_row_law *law = &self->law[self->units];
    int forces = joint->kind == SCREE_HINGE ? model->space : model->space - 1;
    law->bears = joint->friction > 0 && !(joint->clearance > 0);
    for (int c = 0; c < SCREE_ROWS_MAX; c++) {
        law->limit[c] = c ? -1 : joint->dry_friction / scree_joint_rubbing_arm(joint);
        law->weight[c] = c < forces;
    }
    self->unit[self->units++] = (unit){ k, FRICTION, 0, 1, NULL };
}

static scree_row_rule rule_of(const scree_drive *drive) {
    if (scree_drive_is_soft(drive)) return SCREE_ROW_MEAN;
    return drive->kind == SCREE_MOTOR_VELOCITY ? SCREE_ROW_END : SCREE_ROW_SETTLES;
}

static void add_units(const scree_model *model, int k, joints *self) {
    const scree_joint *joint = &model->joint[k];
    int equations = scree_joint_equations(model, k), d = model->dimension;
    for (int r = 0; r < equations; r += d) {
        scree_row_law *law = &self->law[self->units];
        for (int c = 0; c < SCREE_ROWS_MAX; c++)
            law->limit[c] = r + c < equations && c < d ? HUGE_VAL : -1;
        self->unit[self->units++] =
            (unit){ k, EQUATIONS, r, equations - r < d ? equations - r : d, NULL };
    }
    if (has_friction(joint)) add_friction(model, k, self);
    if (joint->lower > -HUGE_VAL) self->unit[self->units++] = (unit){ k, LOWER, 0, 1, NULL };
    if (joint->upper < HUGE_VAL) self->unit[self->units++] = (unit){ k, UPPER, 0, 1, NULL };
    for (int w = 0; w < scree_joint_bushes(model, k); w++)
        self->unit[self->units++] = (unit){ k, BUSH, w, model->space, NULL };
    for (int n = 0; n < model->drives; n++) {
        const scree_drive *drive = &model->drive[n];
        if (drive->joint != k) continue;
        scree_row_law *law = &self->law[self->units];
        *law = (scree_row_law){ .rule = rule_of(drive),
                                .soft = scree_drive_is_soft(drive),
                                .one_sided = drive->sense != SCREE_DRIVE_BOTH,
                                .damping = drive->damping,
                                .integral = drive->integral };
        for (int c = 0; c < SCREE_ROWS_MAX; c++) law->limit[c] = c ? -1 : drive->most;
        self->unit[self->units++] = (unit){ k, DRIVE, 0, 1, drive };
    }
}

static scree_status make(scree_source *source, scree_contact_set *set, scree_arena *arena,
                         scree_error *err) {
    const scree_model *model = source->model;
    joints *self = source->self = SCREE_NEW(arena, joints, 1);
    size_t count = 0;
    for (int k = 0; k < model->joints; k++) count += (size_t)count_units(model, k);
    count += (size_t)model->drives;
    if (!self) return scree_fail_memory(err, "joints");
    self->unit = SCREE_NEW(arena, unit, count);
    self->found = SCREE_NEW(arena, int, count);
    self->row = SCREE_NEW(arena, scree_joint_row, count * (size_t)model->dimension);
    self->law = SCREE_NEW(arena, scree_row_law, count);
    self->end = SCREE_NEW(arena, double, count);
    self->first_law = set->pair_laws + model->matrix_contacts;
    if (scree_model_markers(model) &&
        !(self->map = SCREE_NEW(arena, scree_marker_map, count * SCREE_JOINT_SIDES)))
        return scree_fail_memory(err, "joints");
    if (!self->unit || !self->found || !self->row || !self->law || !self->end)
        return scree_fail_memory(err, "joints");
    for (int k = 0; k < model->joints; k++) add_units(model, k, self);
    return SCREE_OK;
}

static bool is_present(const scree_model *model, int k, double t) {
    int body[SCREE_JOINT_SIDES], sides = scree_joint_bodies(model, k, body);
    for (int i = 0; i < sides; i++)
        if (body[i] >= 0 && !scree_body_present(&model->body[body[i]], t)) return false;
    return true;
}

// --- rows ---------------------------------------------------------------------------------------

static const unit *unit_of(const scree_source *source, int i) {
    const joints *self = source->self;
    return &self->unit[self->found[i - source->first]];
}

static scree_joint_row *rows_of(const scree_source *source, int i) {
    const joints *self = source->self;
    return self->row + (size_t)self->found[i - source->first] * (size_t)source->model->dimension;
}

// of its sides that are markers, or NULL
static scree_marker_map *maps_of(const scree_source *source, int i) {
    const joints *self = source->self;
    return self->map ? self->map + (size_t)self->found[i - source->first] * SCREE_JOINT_SIDES
                     : NULL;
}

// the gap of a limit, and its row
static double limit_of(const scree_model *model, const unit *own, const double *q,
                       const double *q_end, scree_joint_row *row) {
    const scree_joint *joint = &model->joint[own->joint];
    scree_joint_coordinate_row(model, own->joint, q, q_end, row);
    if (own->kind == LOWER) return row->g - joint->lower;
    for (int s = 0; s < SCREE_JOINT_SIDES; s++)
        for (int c = 0; c < 6; c++) row->H[s][c] *= -1;
    return joint->upper - row->g;
}

static double largest(const scree_joint_row *row, int rows) {
    double most = 0;
    for (int r = 0; r < rows; r++) most = fmax(most, fabs(row[r].g));
    return most;
}

// the row of a spring or motor, and where its coordinate ends
static void drive_row(const scree_model *model, const unit *own, const double *q,
                      const double *q_end, scree_joint_row *row, double *end) {
    scree_joint_row after;
    double sign = scree_drive_sign(own->of);
    scree_joint_coordinate_row(model, own->joint, q, q_end, row);
    scree_joint_coordinate_row(model, own->joint, q_end, q_end, &after);
    *end = after.g;
    *end += scree_joint_turns(model, own->joint, *end, row->g);
    for (int s = 0; s < SCREE_JOINT_SIDES; s++)
        for (int c = 0; c < 6; c++) row->H[s][c] *= sign;
}

static double marker_mobility(const scree_model *model, int m, const scree_marker_map *map,
                              const double *H) {
    const scree_marker_frame *frame = scree_marker_frame_of(model, m);
    double sum = 0;
    for (int c = 0; c < frame->columns; c++) {
        double w = scree_marker_column(model, m, map, H, c);
        sum += w * w * frame->lightness[c];
    }
    return sum;
}

// what moves a row by an impulse of 1, roughly
static double mobility(const scree_model *model, const unit *own, const scree_joint_row *row,
                       const scree_marker_map *map) {
    int body[SCREE_JOINT_SIDES], sides = scree_joint_bodies(model, own->joint, body);
    double sum = 0;
    for (int s = 0; s < sides; s++) {
        int m = scree_marker_of_side(body[s]);
        if (m >= 0) sum += marker_mobility(model, m, &map[s], row->H[s]);
        if (body[s] < 0 || !scree_body_moves(&model->body[body[s]])) continue;
        const scree_body *of = &model->body[body[s]];
        double inertia =
            model->space == 2 ? of->inertia : (of->tensor[0] + of->tensor[3] + of->tensor[5]) / 3;
        sum += scree_dot(row->H[s], row->H[s]) / of->mass +
               scree_dot(row->H[s] + 3, row->H[s] + 3) / inertia;
    }
    return sum;
}

// The law of a drive over a step whose ends are at these times, with w, the rate of its target, and
// how far its slider has gone.
static void drive_law(const scree_model *model, const unit *own, const scree_joint_row *row,
                      const scree_marker_map *map, double end, double slid, double t, double t_end,
                      scree_row_law *law, double w[2]) {
    const double negligible = 1e-6;
    const scree_drive *drive = own->of;
    double h = t_end - t, rate, rate_end, sign = scree_drive_sign(drive);
    double from = scree_function_at(&drive->target, t, &rate);
    double to = scree_function_at(&drive->target, t_end, &rate_end);
    double e = row->g - from - slid, e_end = end - to - slid, W = mobility(model, own, row, map);
    law->off[0] = 0;
    w[0] = w[1] = 0;
    if (drive->kind == SCREE_MOTOR_VELOCITY) {
        w[0] = -from;
        w[1] = -to;
        return;
    }
    if (law->rule == SCREE_ROW_SETTLES) {
        w[0] = w[1] = -rate_end;
        law->off[0] = row->g + h * rate_end - to;
        return;
    }
    if (drive->kind == SCREE_MOTOR_FORCE) {
        law->mean = law->end = -(from + to) / 2;
        law->ahead = end - row->g;
    } else {
        scree_drive_force f = scree_drive_force_of(drive, e, e_end);
        w[0] = w[1] = -sign * (h > 0 ? (to - from) / h : rate_end);
        law->off[0] = sign * e;
        law->mean = sign * f.mean;
        law->end = sign * f.end;
        law->mean_slope = f.mean_slope;
        law->end_slope = f.end_slope;
        law->ahead = sign * (e_end - e);
    }
    law->least = W > 0 ? negligible / ((h > 0 ? h : 1) * W) : 1;
}

// J of the markers of contact i; whether it changed
static bool follow_markers(const scree_source *source, int i, const double *q,
                           const double *q_end) {
    scree_marker_map *map = maps_of(source, i), made[SCREE_JOINT_SIDES] = { 0 };
    scree_joint_maps(source->model, unit_of(source, i)->joint, q, q_end, made);
    if (memcmp(map, made, sizeof made) == 0) return false;
    memcpy(map, made, sizeof made);
    return true;
}

// rows of contact i from q to q_end; whether they changed
static bool evaluate(const scree_source *source, scree_contact_set *set, int i, const double *q,
                     const double *q_end) {
    joints *self = source->self;
    const scree_model *model = source->model;
    const unit *own = unit_of(source, i);
    scree_contact *contact = &set->contact[i];
    scree_joint_row made[SCREE_JOINT_ROWS], *row = rows_of(source, i);
    scree_row_law *law = &self->law[self->found[i - source->first]];
    bool changed = self->map && follow_markers(source, i, q, q_end);
    if (own->kind == EQUATIONS) {
        scree_joint_rows_of(model, own->joint, q, q_end, made);
        for (int r = 0; r < own->rows; r++) law->off[r] = made[own->first + r].g;
        contact->gap = largest(made + own->first, own->rows);
    } else if (own->kind == DRIVE) {
        double *end = &self->end[self->found[i - source->first]], last = *end;
        drive_row(model, own, q, q_end, made, end);
        changed |= *end != last;
    } else if (own->kind == BUSH) {
        scree_joint_bush_rows(model, own->joint, own->first, q, q_end, made);
        contact->gap = made->g;
    } else if (own->kind == FRICTION) {
        scree_joint_coordinate_row(model, own->joint, q, q_end, made);
        for (int s = 0; s < SCREE_JOINT_SIDES; s++)
            for (int c = 0; c < 6; c++)
                made->H[s][c] *= scree_joint_rubbing_arm(&model->joint[own->joint]);
    } else {
        contact->gap = limit_of(model, own, q, q_end, made);
    }
    size_t bytes = (size_t)own->rows * sizeof *row;
    const scree_joint_row *from = made + (own->kind == EQUATIONS ? own->first : 0);
    if (memcmp(row, from, bytes) == 0) return changed;
    memcpy(row, from, bytes);
    return true;
}

// --- the source ---------------------------------------------------------------------------------

// ascends with the units of a joint
static uint64_t feature_of(const scree_model *model, const unit *own) {
    if (own->kind == EQUATIONS) return (uint64_t)own->first;
    if (own->kind == DRIVE) return SCREE_JOINT_DRIVE + (uint64_t)(own->of - model->drive);
    if (own->kind == FRICTION) return SCREE_JOINT_FRICTION;
    if (own->kind == BUSH) return SCREE_JOINT_BUSH + (uint64_t)own->first;
    return own->kind == LOWER ? SCREE_JOINT_LOWER : SCREE_JOINT_UPPER;
}

static scree_status find(scree_source *source, const scree_contact_query *query,
                         scree_contact_set *set, scree_error *err) {
    joints *self = source->self;
    const scree_model *model = source->model;
    int bearing = -1;
    if (!scree_contacts_make_room(set, set->count + self->units))
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d contacts",
                          set->count);
    for (int u = 0; u < self->units; u++) {
        const unit *own = &self->unit[u];
        if (!is_present(model, own->joint, query->present)) continue;
        int i = set->count++;
        uint64_t feature = feature_of(model, own);
        scree_contact *contact = &set->contact[i];
        memset(contact, 0, sizeof *contact);
        self->found[i - source->first] = u;
        contact->id = scree_contact_id_pack(SCREE_SOURCE_JOINTS, (uint64_t)own->joint, 0, feature);
        contact->a = -1;
        contact->b = -2 - model->matrix_contacts - own->joint;
        scree_contacts_set_law(set, i, self->first_law + own->joint);
        if (own->kind != BUSH || !scree_joint_bush_rubs(model, own->joint, own->first))
            contact->friction = 0;
        if (own->kind == EQUATIONS && own->first == 0) bearing = i;
        if (own->kind == FRICTION) {
            bool bears = self->law[u].bears;
            contact->friction = bears ? model->joint[own->joint].friction : 0;
            self->law[u].bearing = bearing;
        }
        evaluate(source, set, i, query->q, query->q);
        set->gap_scale[i] = scree_joint_size(model, own->joint, query->q);
    }
    return SCREE_OK;
}

static void follow(scree_source *source, scree_contact_set *set, const double *q,
                   const double *q_end, bool *changed) {
    for (int i = source->first; i < source->last; i++)
        if (evaluate(source, set, i, q, q_end)) *changed = true;
}

static void velocity(const scree_source *source, const scree_contact_set *set, int i,
                     const double *x, bool driven, double *u) {
    const unit *own = unit_of(source, i);
    const scree_joint_row *row = rows_of(source, i);
    (void)set;
    for (int r = 0; r < source->model->dimension; r++)
        u[r] = r < own->rows ? scree_joint_row_velocity(source->model, own->joint, &row[r],
                                                        maps_of(source, i), x, driven)
                             : 0;
}

static void impulse(const scree_source *source, const scree_contact_set *set, int i,
                    const double *p, double *x) {
    const unit *own = unit_of(source, i);
    const scree_joint_row *row = rows_of(source, i);
    (void)set;
    for (int r = 0; r < own->rows; r++)
        scree_joint_row_impulse(source->model, own->joint, &row[r], maps_of(source, i), p[r], x);
}

// The velocity of a driven body over the step: with the mean H it is the way that counts.
static void driven_velocity(const scree_model *model, int body, const scree_state *before,
                            const scree_state *after, double v[6]) {
    double h = after->time - before->time;
    const double *q = before->q + (long)body * model->body_coordinates,
                 *r = after->q + (long)body * model->body_coordinates;
    memcpy(v, after->v + (long)body * model->body_dofs, (size_t)model->body_dofs * sizeof *v);
    if (!(h > 0)) return;
    for (int k = 0; k < 3; k++) v[k] = (r[k] - q[k]) / h;
    if (model->space == 2) return;
    const double back[4] = { q[3], -q[4], -q[5], -q[6] };
    double turn[4];
    scree_quaternion_product(r + 3, back, turn);
    for (int k = 0; k < 3; k++) v[3 + k] = 2 * turn[1 + k] / turn[0] / h;
}

// The same of held nodes: w.J (q' - q)/h.
static double held_velocity(const scree_model *model, int m, const scree_marker_map *map,
                            const double *H, const scree_state *before, const scree_state *after) {
    const scree_marker_frame *frame = scree_marker_frame_of(model, m);
    double h = after->time - before->time, u = 0;
    if (frame->given.kind != SCREE_MARKER_PATCH) return 0;
    if (!(h > 0)) return scree_marker_velocity(model, m, map, H, after->v, true);
    for (int c = 0; c < frame->columns; c++) {
        int at = frame->coordinate + frame->local[c];
        if (frame->lightness[c] == 0)
            u += scree_marker_column(model, m, map, H, c) * (after->q[at] - before->q[at]) / h;
    }
    return u;
}

static void obstacle(const scree_source *source, scree_contact_set *set, int first, int last,
                     const scree_state *before, const scree_state *after) {
    const scree_model *model = source->model;
    for (int i = first; i < last; i++) {
        const unit *own = unit_of(source, i);
        const scree_joint_row *row = rows_of(source, i);
        double *w = set->contact[i].w_after, v[6];
        int body[SCREE_JOINT_SIDES], sides = scree_joint_bodies(model, own->joint, body);
        memset(w, 0, sizeof set->contact[i].w_after);
        for (int s = 0; s < sides; s++) {
            int m = scree_marker_of_side(body[s]);
            for (int r = 0; m >= 0 && r < own->rows; r++)
                w[r] += held_velocity(model, m, &maps_of(source, i)[s], row[r].H[s], before, after);
            if (body[s] < 0 || !model->body[body[s]].driven) continue;
            driven_velocity(model, body[s], before, after, v);
            for (int r = 0; r < own->rows; r++)
                for (int c = 0; c < model->body_dofs; c++)
                    w[r] += row[r].H[s][scree_joint_column(model, c)] * v[c];
        }
        memcpy(set->contact[i].w_before, w, sizeof set->contact[i].w_after);
        if (own->kind == DRIVE) {
            const joints *self = source->self;
            int u = self->found[i - source->first];
            double known = scree_drive_remembered(model, own->of, before->q), target[2];
            double rest = scree_drive_rest(model, own->of, before->q, before->time);
            double turns = scree_drive_turns(model, own->of, row->g, rest);
            scree_joint_row turned = *row;
            turned.g += turns;
            self->law[u].sum = known;
            if (own->of->area)
                self->law[u].limit[0] =
                    own->of->most * fmax(own->of->area(own->of->area_self, before), 0);
            drive_law(model, own, &turned, maps_of(source, i), self->end[u] + turns,
                      own->of->yield > 0 ? known : 0, before->time, after->time, &self->law[u],
                      target);
            set->contact[i].w_before[0] += target[0];
            w[0] += target[1];
        }
    }
}

// --- H in blocks --------------------------------------------------------------------------------

// the free columns of a part that sides of a contact hang on, one after the other (room), and how
// many; of parts without a flexibility all are meant, and none is listed
static int find_columns(const scree_model *model, const int *side, int sides, int number,
                        const scree_part *part, int *column) {
    int count = 0;
    for (int s = 0; part->flexible && s < sides; s++) {
        int m = scree_marker_of_side(side[s]), before = count;
        if (m < 0 || scree_joint_part(model, side[s]) != number) continue;
        const scree_marker_frame *frame = scree_marker_frame_of(model, m);
        for (int c = 0; c < frame->columns; c++) {
            int local = scree_flexibility_local(part->flexible, frame->local[c]), k = 0;
            while (k < before && column[k] != local) k++;
            if (local >= 0 && k == before) column[count++] = local;
        }
    }
    return count;
}

// H of side s, added to what others on the same part have; its width is that of the block
static void fill_side(const scree_source *source, int i, int side, int s, const scree_part *part,
                      const scree_jacobian_block *block, double *H) {
    const scree_model *model = source->model;
    const unit *own = unit_of(source, i);
    const scree_joint_row *row = rows_of(source, i);
    int m = scree_marker_of_side(side), width = block->columns ? block->columns : part->width;
    for (int c = 0; m < 0 && c < width; c++)
        for (int r = 0; r < own->rows; r++)
            H[r * width + c] += row[r].H[s][scree_joint_column(model, c)];
    for (int c = 0; m >= 0 && c < scree_marker_frame_of(model, m)->columns; c++) {
        int at = scree_marker_frame_of(model, m)->local[c];
        if (part->flexible) {
            int local = scree_flexibility_local(part->flexible, at);
            for (at = 0; at < width && block->column[at] != local;) at++;
            if (at == width) continue;  // it is held
        }
        for (int r = 0; r < own->rows; r++)
            H[r * width + at] +=
                scree_marker_column(model, m, &maps_of(source, i)[s], row[r].H[s], c);
    }
}

// the block of the part of side s; false when memory ran out, no columns: it is held altogether
static bool make_block(const scree_source *source, int i, const int *side, int sides, int s,
                       const scree_inertia *inertia, scree_arena *arena,
                       scree_jacobian_block *block, bool *empty) {
    const scree_model *model = source->model;
    int number = scree_joint_part(model, side[s]), room = 0;
    const scree_part *part = &inertia->part[number];
    for (int k = 0; k < sides; k++) {
        int m = scree_marker_of_side(side[k]);
        room += m < 0 ? 0 : scree_marker_frame_of(model, m)->columns;
    }
    int *column = SCREE_NEW(arena, int, room + 1);
    if (!column) return false;
    int columns = find_columns(model, side, sides, number, part, column);
    *empty = part->flexible && columns == 0;
    int width = part->flexible ? columns : part->width;
    double *H = SCREE_NEW(arena, double, (model->dimension * width));
    *block = (scree_jacobian_block){ .part = number, .columns = columns, .column = column, .H = H };
    if (!columns) block->column = NULL;
    for (int k = s; H && !*empty && k < sides; k++)
        if (scree_joint_part(model, side[k]) == number)
            fill_side(source, i, side[k], k, part, block, H);
    return H != NULL;
}

static int blocks(const scree_source *source, const scree_contact_set *set, int i,
                  const scree_inertia *inertia, scree_arena *arena, scree_jacobian_block *block) {
    const scree_model *model = source->model;
    int side[SCREE_JOINT_SIDES], count = 0;
    int sides = scree_joint_bodies(model, unit_of(source, i)->joint, side);
    (void)set;
    for (int s = 0; s < sides; s++) {
        int number = scree_joint_part(model, side[s]);
        bool known = number < 0, empty;
        for (int k = 0; k < count; k++) known |= block[k].part == number;
        if (known) continue;
        if (!make_block(source, i, side, sides, s, inertia, arena, &block[count], &empty))
            return -1;
        count += !empty;
    }
    return count;
}

static double marker_scale(const scree_model *model, int m, const scree_marker_map *map,
                           const double *H, const scree_scale_query *query) {
    const scree_marker_frame *frame = scree_marker_frame_of(model, m);
    double sum = 0;
    for (int c = 0; c < frame->columns; c++) {
        int at = frame->dof + frame->local[c];
        sum += fabs(scree_marker_column(model, m, map, H, c)) *
               (fabs(query->v[at]) + fabs(query->other[at]));
    }
    return sum;
}

static double velocity_scale(const scree_source *source, const scree_contact_set *set, int i,
                             const scree_scale_query *query, double size) {
    const unit *own = unit_of(source, i);
    const scree_joint_row *row = rows_of(source, i);
    int body[SCREE_JOINT_SIDES], sides = scree_joint_bodies(source->model, own->joint, body);
    double most = 0;
    (void)set;
    for (int r = 0; r < own->rows; r++) {
        double sum = 0;
        for (int s = 0; s < sides; s++) {
            int m = scree_marker_of_side(body[s]);
            if (m >= 0)
                sum += marker_scale(source->model, m, &maps_of(source, i)[s], row[r].H[s], query);
            if (body[s] < 0) continue;
            const scree_velocity_scale *of = &query->body[body[s]];
            sum += scree_length(row[r].H[s]) * of->linear +
                   scree_length(row[r].H[s] + 3) * of->angular;
        }
        most = fmax(most, sum);
    }
    return size + most;
}

static bool gap_at(const scree_source *source, const scree_contact_set *set, int i, const double *q,
                   double t, double *gap) {
    const unit *own = unit_of(source, i);
    scree_joint_row row[SCREE_JOINT_ROWS];
    (void)set, (void)t;
    *gap = 0;
    if (own->kind == EQUATIONS) {
        scree_joint_rows_of(source->model, own->joint, q, q, row);
        *gap = largest(row + own->first, own->rows);
    } else if (own->kind == BUSH) {
        scree_joint_bush_rows(source->model, own->joint, own->first, q, q, row);
        *gap = row->g;
    } else if (own->kind != FRICTION && own->kind != DRIVE) {
        *gap = limit_of(source->model, own, q, q, row);
    }
    return true;
}

static const scree_row_law *row_law(const scree_source *source, int i) {
    const joints *self = source->self;
    int u = self->found[i - source->first];
    int kind = self->unit[u].kind;
    return kind == EQUATIONS || kind == FRICTION || kind == DRIVE ? &self->law[u] : NULL;
}

static int bodies(const scree_source *source, int i, int *body) {
    return scree_joint_bodies(source->model, unit_of(source, i)->joint, body);
}

static bool knows(const scree_source *source, const scree_contact *contact, scree_contact_key key) {
    return contact->a == -1 && key.a < (uint64_t)source->model->joints;
}

const scree_contact_source scree_source_joints = {
    .name = "joints",
    .number = SCREE_SOURCE_JOINTS,
    .serves = serves,
    .make = make,
    .find = find,
    .follow = follow,
    .velocity = velocity,
    .impulse = impulse,
    .obstacle = obstacle,
    .rows = blocks,
    .velocity_scale = velocity_scale,
    .gap_at = gap_at,
    .row_law = row_law,
    .bodies = bodies,
    .knows = knows,
};
