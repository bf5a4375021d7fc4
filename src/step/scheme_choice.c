// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// scheme_choice.c - what is taken where the options leave it to the model.
// in: model, options.   out: options with nothing left open.

#include <math.h>
#include <stdio.h>

#include "base/space.h"
#include "law/status.h"
#include "model/collision_shape.h"
#include "model/joint.h"
#include "model/part.h"
#include "scree/step.h"

// are there rigid bodies alone, or, if that will do, rigid and elastic ones? What springs and
// motors remember (an integral, a slider's way) does not move
static bool is_of(const scree_model *model, bool elastic) {
    const scree_parts *row;
    int rows = scree_model_parts(model, &row);
    for (int k = 0; k < rows; k++)
        if (row[k].kind != &scree_rigid_plane && row[k].kind != &scree_rigid_space &&
            row[k].kind != &scree_drive_memory && !(elastic && row[k].kind == &scree_elastic_kind))
            return false;
    return rows > 0;
}

static bool is_rigid(const scree_model *model) { return is_of(model, false); }
static bool is_of_bodies(const scree_model *model) { return is_of(model, true); }

static double restitution_max(const scree_model *model) {
    const scree_law *law;
    double most = 0;
    for (int i = 0; (law = scree_model_laws(model, i)); i++) most = fmax(most, law->restitution);
    for (int k = 0; k < model->joints; k++)
        if (scree_joint_is_limited(&model->joint[k]))
            most = fmax(most, model->joint[k].restitution);
    return most;
}

// With 1/(1+e) an impact leaves the gap as it was, u_N,theta = 0; the least of it is chosen here,
// that of a step in foresee.c. What vibrates wants 1/2, which takes no energy from it.
static double choose_theta(const scree_model *model, const scree_scheme_options *scheme) {
    const scree_scheme_row *row = scree_scheme_row_of(scheme);
    double theta = is_rigid(model) ? 1 / (1 + restitution_max(model)) : 0.5;
    return fmin(fmax(theta, row->theta_min), row->theta_max);
}

// a theta of 1/2 that was asked for is that of published motions, which have closed contacts alone
static scree_approach choose_approach(const scree_model *model, const scree_scheme_options *given,
                                      const scree_scheme_options *scheme) {
    if (scheme->activation == SCREE_ACTIVATE_HALF) return SCREE_APPROACH_IGNORED;
    bool early = scheme->jacobian == SCREE_JACOBIAN_START && isnan(scheme->gap_tolerance);
    bool free = isnan(given->theta) || scheme->theta > 0.5;
    return is_of_bodies(model) && early && free ? SCREE_APPROACH_FORESEEN : SCREE_APPROACH_KEPT;
}

scree_scheme_options scree_scheme_choose(const scree_model *model,
                                         const scree_scheme_options *given) {
    scree_scheme_options scheme = scree_scheme_resolve(given);
    if (isnan(given->theta)) scheme.theta = choose_theta(model, given);
    if (scheme.approach == SCREE_APPROACH_AUTO)
        scheme.approach = choose_approach(model, given, &scheme);
    // what is not rigid has the theta of the scheme, and so has what touches it
    scheme.adapts |=
        isnan(given->theta) && scheme.approach == SCREE_APPROACH_FORESEEN && is_of_bodies(model);
    if (scheme.correct == SCREE_CORRECT_AUTO)
        scheme.correct =
            scheme.approach == SCREE_APPROACH_FORESEEN ? SCREE_CORRECT_LIMITED : SCREE_CORRECT_NONE;
    return scheme;
}

// -------------------------------------------------------------------------------------------------
// and why

static void explain_theta(const scree_model *model, const scree_scheme_options *given,
                          scree_scheme_reason *reason) {
    double theta = scree_scheme_choose(model, given).theta;
    snprintf(reason->value, sizeof reason->value, "%.6g", theta);
    if (is_rigid(model))
        snprintf(
            reason->why, sizeof reason->why,
            "1/(1+e) with the largest restitution, %g: impacts leave gaps as they are; more where "
            "bodies bounce less, 1/2 in the air",
            restitution_max(model));
    else
        snprintf(reason->why, sizeof reason->why,
                 "not all that moves is rigid, and 1/2 takes nothing from what vibrates");
}

static void explain_approach(const scree_model *model, const scree_scheme_options *given,
                             scree_scheme_reason *reason) {
    const scree_scheme_options chosen = scree_scheme_choose(model, given);
    const char *word = "kept", *why = "closed contacts stay in the problem, and rest";
    if (chosen.approach == SCREE_APPROACH_FORESEEN) {
        word = "foreseen";
        why = "closed contacts stay, and pairs that an impact would close are seen in time";
    } else if (chosen.approach == SCREE_APPROACH_IGNORED) {
        word = "ignored";
        why = "as the rule half has it";
    }
    snprintf(reason->value, sizeof reason->value, "%s", word);
    snprintf(reason->why, sizeof reason->why, "%s", why);
}

static void explain_correction(const scree_model *model, const scree_scheme_options *given,
                               scree_scheme_reason *reason) {
    bool limited = scree_scheme_choose(model, given).correct == SCREE_CORRECT_LIMITED;
    snprintf(reason->value, sizeof reason->value, "%s", limited ? "limited" : "none");
    snprintf(reason->why, sizeof reason->why, "%s",
             limited ? "what turns and has sunk by more than 1/200 of the smaller body is pushed "
                       "back"
                     : "only with approach foreseen");
}

bool scree_scheme_explain(const scree_model *model, const scree_scheme_options *given, int i,
                          scree_scheme_reason *reason) {
    static const struct {
        const char *key;
        void (*explain)(const scree_model *model, const scree_scheme_options *given,
                        scree_scheme_reason *reason);
    } row[] = { { "theta", explain_theta },
                { "approach", explain_approach },
                { "correction", explain_correction } };
    const bool fixed = scree_scheme_row_of(given)->rules_fixed;
    const bool open[] = { isnan(given->theta), given->approach == SCREE_APPROACH_AUTO && !fixed,
                          given->correct == SCREE_CORRECT_AUTO };
    for (int k = 0; k < 3; k++) {
        if (!open[k] || i-- > 0) continue;
        *reason = (scree_scheme_reason){ .key = row[k].key };
        row[k].explain(model, given, reason);
        return true;
    }
    return false;
}

enum { MANY = 100, THOUSANDS = 1000 };  // bodies that move

static int moving_bodies(const scree_model *model) {
    const scree_parts *row;
    int rows = scree_model_parts(model, &row), moving = 0;
    for (int k = 0; k < rows; k++) moving += row[k].moving;
    return moving;
}

// the size of the smallest shape that moves; round: are all of them discs or balls?
static double smallest(const scree_model *model, bool *round) {
    double least = HUGE_VAL;
    *round = true;
    for (int i = 0; i < model->shapes; i++) {
        const scree_collision_shape *solid = &model->solid[i];
        if (!scree_body_moves(&model->body[model->shape[i].body])) continue;
        if (solid->bound > 0) least = fmin(least, solid->bound);
        *round &= solid->kind == SCREE_COLLISION_CONVEX && solid->vertices == 1;
    }
    return isfinite(least) ? least : 0;
}

// Few bodies are a laboratory, many are a job: of each of hundreds of impulses, of which only sums
// are unique, ten digits tell no more than five do, of thousands no more than four. Grains, whose
// motion depends on what differs in the sixth digit anyhow, are asked for one digit less, joints
// for one more: what they are left open by does work in the next step.
double scree_scheme_choose_tolerance(const scree_model *model, scree_scheme_reason *reason) {
    int moving = moving_bodies(model);
    int class = moving > THOUSANDS ? THOUSANDS : MANY;
    bool many = moving > class, round;
    smallest(model, &round);
    bool grains = many && round && !model->joints && !model->elastics;
    double blocks = class == THOUSANDS ? 1e-4 : model->joints ? 1e-6 : 1e-5;
    double tolerance = !many ? 1e-10 : grains ? 10 * blocks : blocks;
    if (!reason) return tolerance;
    *reason = (scree_scheme_reason){ .key = "tolerance" };
    snprintf(reason->value, sizeof reason->value, "%g", tolerance);
    snprintf(reason->why, sizeof reason->why, "%d %s, %s than %d", moving,
             grains        ? "discs or balls move"
             : moving == 1 ? "body moves"
                           : "bodies move",
             many ? "more" : "not more", class);
    return tolerance;
}

// Where bodies jam, or wedge in each other, the least residual there is can be above a tolerance
// that all other steps of a run meet. 1e-6, 3e-4, 1e-3 and 3e-3 of what is chosen above. Joints
// that are left open do work when the next step closes them: no more than counts as none
// (account.c).
double scree_scheme_worst(const scree_model *model, double tolerance) {
    double close = 0.1 * sqrt(tolerance);
    return model->joints ? fmin(scree_law_velocity_slack(tolerance), close) : close;
}

// -------------------------------------------------------------------------------------------------
// what is to be expected

// the fastest body at the start, and what a fall from the highest to the lowest of all bodies adds
static double fastest(const scree_model *model, double duration) {
    double most = 0, high = -HUGE_VAL, low = HUGE_VAL, g = scree_length(model->gravity);
    for (int i = 0; i < model->bodies; i++) {
        const scree_body *body = &model->body[i];
        double up = g > 0 ? -scree_dot(body->position, model->gravity) / g : 0;
        high = fmax(high, up);
        low = fmin(low, up);
        if (scree_body_moves(body)) most = fmax(most, scree_length(body->velocity));
    }
    double fall = high > low ? high - low : 0;
    return sqrt(most * most + fmin(2 * g * fall, g * g * duration * duration));
}

// An impact leaves (1 - theta (1+e)) h u_N; bodies that impacts drive into each other sink by all
// of the way, if nobody looks ahead; what turns is pushed back to 1/200, or drifts by the way's
// square, as against nodes of elastic bodies; linkages with markers are not pushed, and drift on.
scree_scheme_forecast scree_scheme_forecast_of(const scree_model *model,
                                               const scree_scheme_options *given, double duration) {
    const scree_scheme_options scheme = scree_scheme_choose(model, given);
    bool round;
    scree_scheme_forecast ahead = { .speed = fastest(model, duration),
                                    .size = smallest(model, &round) };
    if (ahead.size > 0) ahead.way = scheme.step * ahead.speed / ahead.size;
    if (scheme.approach == SCREE_APPROACH_FORESEEN)
        ahead.penetration = round && !model->elastics    ? 1e-3
                            : scree_model_markers(model) ? fmax(5e-3, ahead.way)
                            : model->elastics            ? fmax(5e-3, ahead.way * ahead.way)
                            : scheme.correct == SCREE_CORRECT_LIMITED ? 5e-3
                                                                      : ahead.way * ahead.way;
    else if (scheme.correct == SCREE_CORRECT_PROJECTION)
        ahead.penetration = 0;
    else if (scheme.approach == SCREE_APPROACH_REQUIRED)
        ahead.penetration = HUGE_VAL;
    else
        ahead.penetration = moving_bodies(model) > 1 ? ahead.way : (1 - scheme.theta) * ahead.way;
    return ahead;
}
