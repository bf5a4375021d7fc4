// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// joint_rows.c - what joints ask of q: equations and coordinates, with their mean H over a step.
// in: joint, q at both ends of a step.   out: g at the first, H.

#include <math.h>
#include <string.h>

#include "base/space.h"
#include "model/inertia.h"
#include "model/joint.h"
#include "model/memory.h"

/// Where a side of a joint is, at both ends of a step.
typedef struct side {
    double at[2][3], A[2][9];  // centre and axes
    double factor;             // of spins in ways of points: 1 in space
    double angle[2];           // in the plane
    double turn[3];            // h y: Cayley's vector from one end to the other, in space
} side;

static void plane_axes(double angle, double A[9]) {
    double c = cos(angle), s = sin(angle);
    const double turned[9] = { c, -s, 0, s, c, 0, 0, 0, 1 };
    memcpy(A, turned, sizeof turned);
}

// tan(x)/x
static double tangent_over(double x) { return fabs(x) < 1e-4 ? 1 + x * x / 3 : tan(x) / x; }

static side side_of(const scree_model *model, int of, const double *q, const double *q_end) {
    side s = { .factor = 1 };
    double room[2][7], turn[4];
    const double *end[2] = { scree_joint_pose(model, of, q, room[0]),
                             scree_joint_pose(model, of, q_end, room[1]) };
    for (int e = 0; e < 2; e++) {
        memcpy(s.at[e], end[e], (size_t)model->space * sizeof *end[e]);
        if (model->space == 3)
            scree_rotation(end[e] + 3, s.A[e]);
        else
            plane_axes(s.angle[e] = end[e][2], s.A[e]);
    }
    if (model->space == 2) s.factor = tangent_over((s.angle[1] - s.angle[0]) / 2);
    if (model->space == 2 || of == SCREE_GROUND) return s;
    const double *p = end[0] + 3, back[4] = { p[0], -p[1], -p[2], -p[3] };
    scree_quaternion_product(end[1] + 3, back, turn);
    for (int k = 0; k < 3; k++) s.turn[k] = 2 * turn[1 + k] / turn[0];
    return s;
}

// a direction of a side at both ends, and their mean
static void direction(const side *s, const double own[3], double at[3][3]) {
    for (int e = 0; e < 2; e++) scree_rotate(s->A[e], own, at[e]);
    for (int k = 0; k < 3; k++) at[2][k] = (at[0][k] + at[1][k]) / 2;
}

typedef struct pair {  // a joint of two bodies over a step
    const scree_joint *joint;
    const scree_joint_frame *frame;
    bool plane;
    side s[2];
    double arm[2][3][3];  // from centre to anchor, at both ends and their mean
    double way[3][3];     // from the anchor of b to that of a, the same
} pair;

// the anchor of a is moved by this much, in its own axes
static void pair_at(const scree_model *model, int k, const double *q, const double *q_end,
                    const double moved[3], pair *out) {
    out->joint = &model->joint[k];
    out->frame = &model->memory->joints.frame[k];
    out->plane = model->space == 2;
    const int body[2] = { out->joint->a, out->joint->b };
    for (int i = 0; i < 2; i++) {
        double arm[3];
        for (int c = 0; c < 3; c++) arm[c] = out->frame->arm[i][c] + (i ? 0 : moved[c]);
        out->s[i] = side_of(model, body[i], q, q_end);
        direction(&out->s[i], arm, out->arm[i]);
    }
    for (int e = 0; e < 2; e++)
        for (int c = 0; c < 3; c++)
            out->way[e][c] =
                out->s[0].at[e][c] + out->arm[0][e][c] - out->s[1].at[e][c] - out->arm[1][e][c];
    for (int c = 0; c < 3; c++) out->way[2][c] = (out->way[0][c] + out->way[1][c]) / 2;
}

static void pair_of(const scree_model *model, int k, const double *q, const double *q_end,
                    pair *out) {
    pair_at(model, k, q, q_end, (double[3]){ 0 }, out);
}

// the row of e . way, e (mean) fixed in b or in the world
static void way_row(const pair *p, const double e[3], bool turns, scree_joint_row *row) {
    double arm[3];
    for (int i = 0; i < 2; i++) {
        double sign = i ? -1 : 1;
        for (int k = 0; k < 3; k++) {
            arm[k] = p->arm[i][2][k] + (i && turns ? p->way[2][k] : 0);
            row->H[i][k] = sign * e[k];
        }
        scree_cross(arm, e, row->H[i] + 3);
        for (int k = 3; k < 6; k++) row->H[i][k] *= sign * p->s[i].factor;
    }
}

static void point_row(const pair *p, int axis, scree_joint_row *row) {
    double e[3] = { 0 };
    e[axis] = 1;
    way_row(p, e, false, row);
    row->g = p->way[0][axis];
}

static void slide_row(const pair *p, int axis, scree_joint_row *row) {
    double e[3][3];
    direction(&p->s[1], p->frame->axis[1] + 3 * axis, e);
    way_row(p, e[2], true, row);
    row->g = scree_dot(e[0], p->way[0]);
}

// axis i of a . axis k of b
static void dot_row(const pair *p, int i, int k, scree_joint_row *row) {
    double e[3][3], f[3][3], around[3];
    direction(&p->s[0], p->frame->axis[0] + 3 * i, e);
    direction(&p->s[1], p->frame->axis[1] + 3 * k, f);
    scree_cross(e[2], f[2], around);
    for (int c = 0; c < 3; c++) {
        row->H[0][3 + c] = around[c];
        row->H[1][3 + c] = -around[c];
    }
    row->g = scree_dot(e[0], f[0]);
}

// |way|
static void length_row(const pair *p, scree_joint_row *row) {
    double mean = (scree_length(p->way[0]) + scree_length(p->way[1])) / 2, e[3] = { 0 };
    for (int k = 0; mean > 0 && k < 3; k++) e[k] = p->way[2][k] / mean;
    way_row(p, e, false, row);
    row->g = scree_length(p->way[0]);
}

// the angle of a about the axis, seen from b
static void angle_row(const pair *p, scree_joint_row *row) {
    if (p->plane) {
        row->H[0][5] = 1;
        row->H[1][5] = -1;
        row->g = p->s[0].angle[0] - p->s[1].angle[0] - p->frame->start;
        return;
    }
    double axis[3][3], own[3][3], first[3][3], second[3][3];
    direction(&p->s[1], p->frame->axis[1], axis);
    direction(&p->s[0], p->frame->axis[0] + 3, own);
    direction(&p->s[1], p->frame->axis[1] + 3, first);
    direction(&p->s[1], p->frame->axis[1] + 6, second);
    row->g = atan2(scree_dot(own[0], second[0]), scree_dot(own[0], first[0]));
    for (int i = 0; i < 2; i++) {
        double half = scree_dot(p->s[i].turn, axis[2]) / 2;
        double factor = fabs(half) < 1e-4 ? 1 - half * half / 3 : atan(half) / half;
        for (int c = 0; c < 3; c++) row->H[i][3 + c] = (i ? -factor : factor) * axis[2][c];
    }
}

// -------------------------------------------------------------------------------------------------

enum { POINT, SLIDE, DOT, ANGLE, LENGTH, SCREW_ROW };
typedef struct form {
    unsigned char kind, i, k;
} form;
typedef struct recipe {
    int count;
    form row[SCREE_JOINT_ROWS];
} recipe;

static const recipe in_plane[SCREE_JOINT_KINDS] = {
    [SCREE_HINGE] = { 2, { { POINT, 0, 0 }, { POINT, 1, 0 } } },
    [SCREE_SLIDER] = { 2, { { SLIDE, 1, 0 }, { ANGLE, 0, 0 } } },
    [SCREE_WELD] = { 3, { { POINT, 0, 0 }, { POINT, 1, 0 }, { ANGLE, 0, 0 } } },
    [SCREE_ROD] = { 1, { { LENGTH, 0, 0 } } },
    [SCREE_POINT_ON_LINE] = { 1, { { SLIDE, 1, 0 } } },
};

static const recipe in_space[SCREE_JOINT_KINDS] = {
    [SCREE_HINGE] = { 5,
                      { { POINT, 0, 0 },
                        { POINT, 1, 0 },
                        { POINT, 2, 0 },
                        { DOT, 0, 1 },
                        { DOT, 0, 2 } } },
    [SCREE_SLIDER] = { 5,
                       { { SLIDE, 1, 0 },
                         { SLIDE, 2, 0 },
                         { DOT, 0, 1 },
                         { DOT, 0, 2 },
                         { DOT, 1, 2 } } },
    [SCREE_BALL] = { 3, { { POINT, 0, 0 }, { POINT, 1, 0 }, { POINT, 2, 0 } } },
    [SCREE_CYLINDRICAL] = { 4, { { SLIDE, 1, 0 }, { SLIDE, 2, 0 }, { DOT, 0, 1 }, { DOT, 0, 2 } } },
    [SCREE_PLANAR] = { 3, { { SLIDE, 0, 0 }, { DOT, 0, 1 }, { DOT, 0, 2 } } },
    [SCREE_UNIVERSAL] = { 4, { { POINT, 0, 0 }, { POINT, 1, 0 }, { POINT, 2, 0 }, { DOT, 0, 0 } } },
    [SCREE_WELD] = { 6,
                     { { POINT, 0, 0 },
                       { POINT, 1, 0 },
                       { POINT, 2, 0 },
                       { DOT, 0, 1 },
                       { DOT, 0, 2 },
                       { DOT, 1, 2 } } },
    [SCREE_SCREW] = { 5,
                      { { SLIDE, 1, 0 },
                        { SLIDE, 2, 0 },
                        { DOT, 0, 1 },
                        { DOT, 0, 2 },
                        { SCREW_ROW, 0, 0 } } },
    [SCREE_ROD] = { 1, { { LENGTH, 0, 0 } } },
    [SCREE_POINT_ON_LINE] = { 2, { { SLIDE, 1, 0 }, { SLIDE, 2, 0 } } },
    [SCREE_POINT_ON_PLANE] = { 1, { { SLIDE, 0, 0 } } },
};

// what holds coordinates one by one: places of the centre in the world, and the angle, or in space
// all three axes
static recipe recipe_of_hold(const scree_model *model, unsigned held) {
    recipe of = { 0 };
    for (unsigned char i = 0; i < 3; i++)
        if (held >> i & 1) of.row[of.count++] = (form){ POINT, i, 0 };
    if (!(held & SCREE_HOLD_TURN)) return of;
    if (model->space == 2) {
        of.row[of.count++] = (form){ ANGLE, 0, 0 };
        return of;
    }
    for (unsigned char i = 0; i < 2; i++)
        for (unsigned char k = i + 1; k < 3; k++) of.row[of.count++] = (form){ DOT, i, k };
    return of;
}

// a pin with clearance has no equations
static recipe recipe_of(const scree_model *model, int k) {
    const scree_joint *joint = &model->joint[k];
    if (joint->clearance > 0) return (recipe){ 0 };
    if (joint->kind == SCREE_HOLD) return recipe_of_hold(model, joint->held);
    return (model->space == 2 ? in_plane : in_space)[joint->kind];
}

int scree_joint_equations(const scree_model *model, int k) {
    return model->joint[k].kind == SCREE_COUPLER ? 1 : recipe_of(model, k).count;
}

int scree_joint_bodies(const scree_model *model, int k, int body[SCREE_JOINT_SIDES]) {
    const scree_joint *joint = &model->joint[k];
    for (int i = 0; i < SCREE_JOINT_SIDES; i++) body[i] = SCREE_GROUND;
    if (joint->kind != SCREE_COUPLER) {
        body[0] = joint->a;
        body[1] = joint->b;
        return 2;
    }
    for (int i = 0; i < 2; i++) {
        body[2 * i] = model->joint[joint->joint[i]].a;
        body[2 * i + 1] = model->joint[joint->joint[i]].b;
    }
    return 4;
}

// way - pitch x turns: of all turns that the angle can mean those that fit best
static void screw_row(const pair *p, scree_joint_row *row) {
    scree_joint_row turn = { 0 };
    double pitch = p->joint->pitch, share = pitch / (2 * M_PI);
    slide_row(p, 0, row);
    angle_row(p, &turn);
    double g = row->g - share * turn.g;
    row->g = pitch != 0 ? g - pitch * round(g / pitch) : g;
    for (int i = 0; i < 2; i++)
        for (int c = 0; c < 6; c++) row->H[i][c] -= share * turn.H[i][c];
}

static void form_row(const pair *p, form what, scree_joint_row *row) {
    *row = (scree_joint_row){ 0 };
    switch (what.kind) {
        case POINT:
            point_row(p, what.i, row);
            break;
        case SLIDE:
            slide_row(p, what.i, row);
            break;
        case DOT:
            dot_row(p, what.i, what.k, row);
            break;
        case ANGLE:
            angle_row(p, row);
            break;
        case LENGTH:
            length_row(p, row);
            row->g -= p->joint->length;
            break;
        default:
            screw_row(p, row);
    }
}

// x + ratio y as it was at the start. Angles in space are known but for whole turns: there the
// rates alone are held together, whose H is exact.
static void coupler_row(const scree_model *model, int k, const double *q, const double *q_end,
                        scree_joint_row *row) {
    const scree_joint *joint = &model->joint[k];
    bool turns = false;
    *row = (scree_joint_row){ .g = -model->memory->joints.frame[k].start };
    for (int i = 0; i < 2; i++) {
        scree_joint_row one;
        double weight = i ? joint->ratio : 1;
        scree_joint_coordinate_row(model, joint->joint[i], q, q_end, &one);
        turns |= model->space == 3 && model->joint[joint->joint[i]].kind == SCREE_HINGE;
        row->g += weight * one.g;
        for (int s = 0; s < 2; s++)
            for (int c = 0; c < 6; c++) row->H[2 * i + s][c] = weight * one.H[s][c];
    }
    if (turns) row->g = 0;
}

void scree_joint_rows_of(const scree_model *model, int k, const double *q, const double *q_end,
                         scree_joint_row *row) {
    pair p;
    if (model->joint[k].kind == SCREE_COUPLER) {
        coupler_row(model, k, q, q_end, row);
        return;
    }
    const recipe of = recipe_of(model, k);
    pair_of(model, k, q, q_end, &p);
    for (int r = 0; r < of.count; r++) form_row(&p, of.row[r], &row[r]);
}

// -------------------------------------------------------------------------------------------------
// bushes

enum { ENDS = 2, SHOULDERS = 2 };

int scree_joint_bushes(const scree_model *model, int k) {
    const scree_joint *joint = &model->joint[k];
    if (!(joint->clearance > 0)) return 0;
    if (joint->kind == SCREE_SLIDER) return model->space == 2 ? 4 : 16;
    return joint->kind == SCREE_HINGE && model->space == 3 ? ENDS + SHOULDERS : 1;
}

bool scree_joint_bush_rubs(const scree_model *model, int k, int which) {
    bool shoulder = model->joint[k].kind == SCREE_HINGE && model->space == 3 && which >= ENDS;
    return !shoulder;
}

static void add_rows(const scree_joint_row *from, double factor, scree_joint_row *to) {
    for (int i = 0; i < 2; i++)
        for (int c = 0; c < 6; c++) to->H[i][c] += factor * from->H[i][c];
}

// A ball of a, of this radius, touches the bush in b on the side where it is: the gap is the
// clearance - |way|, and what rubs is its surface, radius from its middle, against the bush's.
static void ball_rows(const scree_model *model, const pair *p, scree_joint_row *row) {
    double e[3] = { 1, 0, 0 }, tangent[2][3] = { 0 }, around[3];
    length_row(p, row);
    for (int i = 0; i < 2; i++)
        for (int c = 0; c < 6; c++) row->H[i][c] *= -1;
    row->g = p->joint->clearance - row->g;
    double length = scree_length(p->way[2]), radius = p->joint->radius;
    for (int c = 0; length > 0 && c < 3; c++) e[c] = p->way[2][c] / length;
    if (p->plane)
        memcpy(tangent[0], (double[]){ e[1], -e[0], 0 }, sizeof tangent[0]);
    else
        scree_tangents(e, tangent[0], tangent[1]);
    for (int r = 1; r < model->space; r++) {
        way_row(p, tangent[r - 1], false, &row[r]);
        scree_cross(e, tangent[r - 1], around);
        for (int c = 0; c < 3; c++) {
            row[r].H[0][3 + c] += radius * around[c];
            row[r].H[1][3 + c] -= (radius + length) * around[c];
        }
    }
}

// An end of a pin in its bush, which is long: with the ways y across its axis the gap is the
// clearance - |y|. It rubs around and along the axis.
static void end_rows(const pair *p, const pair *last, scree_joint_row *row) {
    scree_joint_row across[2], end;
    double mean[2], now = 0, then = 0, e[2][3][3], axis[3], round[3];
    for (int i = 0; i < 2; i++) {
        across[i] = (scree_joint_row){ 0 };
        end = (scree_joint_row){ 0 };
        slide_row(p, 1 + i, &across[i]);
        slide_row(last, 1 + i, &end);
        direction(&p->s[1], p->frame->axis[1] + 3 * (1 + i), e[i]);
        mean[i] = (across[i].g + end.g) / 2;
        now = hypot(now, across[i].g);
        then = hypot(then, end.g);
    }
    double size = (now + then) / 2, length = hypot(mean[0], mean[1]);
    const double unit[2] = { length > 0 ? mean[0] / length : 1, length > 0 ? mean[1] / length : 0 };
    for (int i = 0; i < 2; i++) {
        add_rows(&across[i], size > 0 ? -mean[i] / size : 0, &row[0]);
        add_rows(&across[i], i ? unit[0] : -unit[1], &row[1]);
    }
    row[0].g = p->joint->clearance - now;
    double around[3], tangent[3];
    for (int c = 0; c < 3; c++)
        round[c] = p->joint->radius * (unit[0] * e[0][2][c] + unit[1] * e[1][2][c]);
    for (int c = 0; c < 3; c++) tangent[c] = unit[0] * e[1][2][c] - unit[1] * e[0][2][c];
    scree_cross(round, tangent, around);
    slide_row(p, 0, &row[2]);
    direction(&p->s[1], p->frame->axis[1], e[0]);
    scree_cross(round, e[0][2], axis);
    for (int c = 0; c < 3; c++)
        for (int i = 0; i < 2; i++) {
            row[1].H[i][3 + c] += (i ? -1 : 1) * around[c];
            row[2].H[i][3 + c] += (i ? -1 : 1) * axis[c];
        }
}

// A corner of a block in its guide: `face` says which of the walls of b it is at, by its axis and
// the sense. It rubs along the guide, in space across it, too.
static void guide_rows(const scree_model *model, const pair *p, int face, double sense, double half,
                       scree_joint_row *row) {
    scree_joint_row wall = { 0 };
    slide_row(p, face, &wall);
    add_rows(&wall, -sense, &row[0]);
    row[0].g = p->joint->clearance + half - sense * wall.g;
    slide_row(p, 0, &row[1]);
    if (model->space == 3) slide_row(p, 3 - face, &row[2]);
}

// where contact `which` of a block is, in axes of its joint: an end, and in space a corner of it
static void corner_of(const scree_model *model, const scree_joint *joint, int which, double at[3],
                      int *face, double *sense) {
    at[0] = (which & 1 ? 0.5 : -0.5) * joint->length;
    *face = model->space == 3 && which & 8 ? 2 : 1;
    *sense = which & 2 ? 1 : -1;
    at[1] = at[2] = 0;
    if (model->space == 2) return;
    at[*face] = *sense * joint->radius;
    at[3 - *face] = (which & 4 ? 1 : -1) * joint->radius;
}

void scree_joint_bush_rows(const scree_model *model, int k, int which, const double *q,
                           const double *q_end, scree_joint_row *row) {
    const scree_joint *joint = &model->joint[k];
    const double *axis = model->memory->joints.frame[k].axis[0];
    double at[3] = { 0 }, moved[3] = { 0 }, sense = which & 1 ? 1 : -1;
    int face = 1;
    pair p, last;
    for (int r = 0; r < model->space; r++) row[r] = (scree_joint_row){ 0 };
    bool pin = joint->kind == SCREE_HINGE && model->space == 3, shoulder = pin && which >= ENDS;
    if (joint->kind == SCREE_SLIDER) corner_of(model, joint, which, at, &face, &sense);
    if (pin && !shoulder) at[0] = sense * joint->length / 2;
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) moved[c] += at[i] * axis[3 * i + c];
    pair_at(model, k, q, q_end, moved, &p);
    if (joint->kind == SCREE_SLIDER) {
        guide_rows(model, &p, face, sense, fabs(at[face]), row);
    } else if (shoulder) {
        scree_joint_row along = { 0 };
        slide_row(&p, 0, &along);
        add_rows(&along, -sense, &row[0]);
        row[0].g = joint->clearance - sense * along.g;
    } else if (pin) {
        pair_at(model, k, q_end, q_end, moved, &last);
        end_rows(&p, &last, row);
    } else {
        ball_rows(model, &p, row);
    }
}

bool scree_joint_has_coordinate(const scree_model *model, int k) {
    scree_joint_kind kind = model->joint[k].kind;
    return kind == SCREE_HINGE || kind == SCREE_SLIDER || kind == SCREE_CYLINDRICAL ||
           kind == SCREE_SCREW || kind == SCREE_ROD || kind == SCREE_ROPE ||
           kind == SCREE_POINT_ON_LINE || kind == SCREE_DISTANCE || kind == SCREE_COORDINATE;
}

void scree_joint_coordinate_row(const scree_model *model, int k, const double *q,
                                const double *q_end, scree_joint_row *row) {
    pair p;
    scree_joint_kind kind = model->joint[k].kind;
    pair_of(model, k, q, q_end, &p);
    *row = (scree_joint_row){ 0 };
    if (kind == SCREE_HINGE)
        angle_row(&p, row);
    else if (kind == SCREE_ROD || kind == SCREE_ROPE || kind == SCREE_DISTANCE)
        length_row(&p, row);
    else
        slide_row(&p, 0, row);
}

double scree_joint_turns(const scree_model *model, int k, double from, double to) {
    bool angle = model->space == 3 && model->joint[k].kind == SCREE_HINGE;
    return angle ? 2 * M_PI * round((to - from) / (2 * M_PI)) : 0;
}

bool scree_joint_coordinate(const scree_model *model, int k, const scree_state *state,
                            double *coordinate, double *rate) {
    scree_joint_row row;
    scree_marker_map map[SCREE_JOINT_SIDES];
    *coordinate = *rate = 0;
    if (!scree_joint_has_coordinate(model, k)) return false;
    scree_joint_coordinate_row(model, k, state->q, state->q, &row);
    scree_joint_maps(model, k, state->q, state->q, map);
    *coordinate = row.g;
    *rate = scree_joint_row_velocity(model, k, &row, map, state->v, false) +
            scree_joint_row_velocity(model, k, &row, map, state->v, true);
    return true;
}

void scree_joint_anchor(const scree_model *model, int k, int which, const double *q, double x[3]) {
    pair p;
    pair_of(model, k, q, q, &p);
    for (int c = 0; c < 3; c++) x[c] = p.s[which].at[0][c] + p.arm[which][0][c];
}

double scree_joint_rubbing_arm(const scree_joint *joint) {
    return joint->kind == SCREE_HINGE && joint->radius > 0 ? joint->radius : 1;
}

void scree_joint_add_reaction(const scree_model *model, const double *q,
                              const scree_contact *contact, double h,
                              scree_joint_reaction *reaction) {
    scree_joint_row row[SCREE_JOINT_ROWS];
    int k = scree_joint_of_contact(model, contact), first = 0, rows = 1;
    uint64_t feature = scree_contact_id_unpack(contact->id).feature;
    double sign = feature == SCREE_JOINT_UPPER ? -1 : 1, force[3] = { 0 }, around[3];
    if (k < 0) return;
    if (feature >= SCREE_JOINT_BUSH && feature < SCREE_JOINT_DRIVE) {
        scree_joint_bush_rows(model, k, (int)feature - SCREE_JOINT_BUSH, q, q, row);
        rows = model->space;
        reaction->friction += contact->impulse[1] / h;
    } else if (feature >= SCREE_JOINT_FRICTION) {
        scree_joint_coordinate_row(model, k, q, q, row);
        bool rubs = feature == SCREE_JOINT_FRICTION;
        if (rubs) sign = scree_joint_rubbing_arm(&model->joint[k]);
        if (rubs) reaction->friction += sign * contact->impulse[0] / h;
    } else {
        scree_joint_rows_of(model, k, q, q, row);
        first = (int)feature;
        rows = scree_joint_equations(model, k) - first;
    }
    for (int r = 0; r < rows && r < model->dimension; r++)
        for (int c = 0; c < 3; c++) {
            force[c] += sign * row[first + r].H[0][c] * contact->impulse[r] / h;
            reaction->moment[c] += sign * row[first + r].H[0][3 + c] * contact->impulse[r] / h;
        }
    pair p = { 0 };
    if (model->joint[k].kind != SCREE_COUPLER) pair_of(model, k, q, q, &p);
    scree_cross(p.arm[0][0], force, around);
    for (int c = 0; c < 3; c++) {
        reaction->force[c] += force[c];
        reaction->moment[c] -= around[c];
    }
}
