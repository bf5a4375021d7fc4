// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// masonry.c - joints between blocks in the plane: closed, sliding, hinged or open, and where the
// thrust goes through them.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/moment.h"
#include "model/collision_shape.h"

const char *scree_joint_state_name(scree_joint_state state) {
    static const char *const name[] = { "closed", "sliding", "hinged", "open" };
    return name[state];
}

typedef struct touch {  // one contact, from the body with the smaller number
    int a, b, contact;
} touch;

static int by_pair(const void *x, const void *y) {
    const touch *p = x, *q = y;
    if (p->a != q->a) return (p->a > q->a) - (p->a < q->a);
    if (p->b != q->b) return (p->b > q->b) - (p->b < q->b);
    return (p->contact > q->contact) - (p->contact < q->contact);
}

static bool is_block(const scree_moment *moment, int side) {
    return side >= 0 && side < moment->model->bodies;
}

static int list_touches(const scree_moment *moment, touch *list) {
    int count = 0;
    for (int i = 0; i < moment->contacts; i++) {
        const scree_contact *c = scree_moment_contact(moment, i);
        if (!is_block(moment, c->a) || !is_block(moment, c->b)) continue;
        list[count++] = c->a < c->b ? (touch){ c->a, c->b, i } : (touch){ c->b, c->a, i };
    }
    qsort(list, (size_t)count, sizeof *list, by_pair);
    return count;
}

// The end of the joint at which it bears: its direction is that of the tangent of its contacts,
// turned up (or to the right, if it is level), and the middle is that of the other block's end.
static const char *end_of(const double tangent[2], double offset) {
    double up[2] = { tangent[0], tangent[1] };
    bool level = fabs(up[1]) < fabs(up[0]);
    double sign = (level ? up[0] : up[1]) < 0 ? -1 : 1;
    bool far = sign * offset > 0;
    if (level) return far ? "right" : "left";
    return far ? "upper" : "lower";
}

typedef struct load {                 // what a joint bears
    double force[2], normal, moment;  // moment of the normal forces along the tangent
    double low, high;                 // places of bearing contacts along it
    double least_gap, gap;            // of its points
    int bearing, slipping;
} load;

static void add_touch(const scree_moment *moment, const touch *t, const double origin[2],
                      const double tangent[2], double open, load *sum) {
    const scree_contact *c = scree_moment_contact(moment, t->contact);
    double along = (c->point[0] - origin[0]) * tangent[0] + (c->point[1] - origin[1]) * tangent[1];
    sum->gap = fmax(sum->gap, c->gap_after);
    sum->least_gap = fmin(sum->least_gap, c->gap_after);
    if (!scree_moment_bears(moment, c) || c->gap_after > open) return;
    double force[3], sign = c->a == t->a ? 1 : -1;
    double normal = scree_moment_force(moment, t->contact, force);
    for (int k = 0; k < 2; k++) sum->force[k] += sign * force[k];
    sum->normal += normal;
    sum->moment += normal * along;
    sum->low = fmin(sum->low, along);
    sum->high = fmax(sum->high, along);
    sum->bearing++;
    sum->slipping += c->status == SCREE_CONTACT_SLIP && c->friction > 0;
}

// half the length of a block's face along the tangent: where the middle of a joint is that bears at
// one end only cannot be told from its contact, but from the block with the shorter side there
static double middle_of(const scree_moment *moment, const touch *t, const double origin[2],
                        const double tangent[2], const double normal[2]) {
    const scree_model *model = moment->model;
    double best = HUGE_VAL, middle = 0;
    for (int side = 0; side < 2; side++) {
        int body = side ? t->b : t->a;
        const double *q = scree_moment_centre(moment, body);
        double c = cos(q[2]), s = sin(q[2]), low = HUGE_VAL, high = -HUGE_VAL, near = HUGE_VAL;
        for (int pass = 0; pass < 2; pass++)
            for (int k = 0; k < model->shapes; k++) {
                const scree_collision_shape *solid = &model->solid[k];
                if (model->shape[k].body != body || !isfinite(solid->bound)) continue;
                for (int i = 0; i < solid->vertices; i++) {
                    const double *X = solid->vertex + 3 * (long)i;
                    double x = q[0] + c * X[0] - s * X[1] - origin[0],
                           y = q[1] + s * X[0] + c * X[1] - origin[1];
                    // distance from the joint's line, into the block
                    double away = (side ? -1 : 1) * (x * normal[0] + y * normal[1]);
                    double along = x * tangent[0] + y * tangent[1];
                    if (pass == 0) {
                        near = fmin(near, away);
                    } else if (away < near + 0.25 * solid->bound) {
                        low = fmin(low, along);
                        high = fmax(high, along);
                    }
                }
            }
        if (high - low < best && high > low) {
            best = high - low;
            middle = (low + high) / 2;
        }
    }
    return middle;
}

// radius of the largest shape of a block; of what has no end none
static double size_of(const scree_moment *moment, int body) {
    const scree_model *model = moment->model;
    double size = 0;
    for (int k = 0; k < model->shapes; k++)
        if (model->shape[k].body == body) size = fmax(size, model->solid[k].bound);
    return size;
}

static const double apart = 0.1;  // of the smaller block: farther away there is no joint any more

// the joint of count touches of one pair; false if they are too far apart for one
static bool judge(const scree_moment *moment, const touch *t, int count, double open,
                  scree_block_joint *made) {
    const scree_contact *first = scree_moment_contact(moment, t->contact);
    double sign = first->a == t->a ? 1 : -1;
    double normal[2] = { sign * first->normal[0], sign * first->normal[1] };
    double tangent[2] = { -normal[1], normal[0] };
    double origin[2] = { first->point[0], first->point[1] };
    load sum = { .low = HUGE_VAL, .high = -HUGE_VAL, .least_gap = HUGE_VAL };
    double wide = fmin(size_of(moment, t->a), size_of(moment, t->b));
    for (int i = 0; i < count; i++) add_touch(moment, t + i, origin, tangent, open * wide, &sum);
    scree_block_joint joint = { .a = t->a, .b = t->b, .side = "", .opening = sum.gap };
    memcpy(joint.force, sum.force, sizeof joint.force);
    double at = sum.normal > 0 ? sum.moment / sum.normal : 0;
    for (int k = 0; k < 2; k++) joint.point[k] = origin[k] + at * tangent[k];
    bool one_end = !(sum.high - sum.low > 1e-3 * wide);
    if (!sum.bearing)
        joint.state = SCREE_JOINT_OPEN;
    else if (sum.slipping == sum.bearing)
        joint.state = SCREE_JOINT_SLIDING;
    else if (one_end && (count == 1 || sum.gap > open * wide))
        joint.state = SCREE_JOINT_HINGED;
    else
        joint.state = SCREE_JOINT_CLOSED;
    if (joint.state == SCREE_JOINT_HINGED)
        joint.side = end_of(tangent, at - middle_of(moment, t, origin, tangent, normal));
    *made = joint;
    return sum.least_gap <= apart * wide;
}

scree_status scree_measure_joints(const scree_moment *moment, double open,
                                  scree_block_joint **joint, int *joints, scree_error *err) {
    *joint = NULL;
    *joints = 0;
    if (moment->model->space != 2)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "joints of blocks are told in the plane only");
    size_t room = (size_t)moment->contacts + 1;
    touch *list = malloc(room * sizeof *list);
    scree_block_joint *made = calloc(room, sizeof *made);
    if (!list || !made) {
        free(list);
        free(made);
        return scree_fail_memory(err, "joints");
    }
    int count = list_touches(moment, list), next;
    for (int i = 0; i < count; i = next) {
        for (next = i + 1; next < count && list[next].a == list[i].a && list[next].b == list[i].b;)
            next++;
        *joints += judge(moment, list + i, next - i, open, &made[*joints]);
    }
    free(list);
    *joint = made;
    return SCREE_OK;
}
