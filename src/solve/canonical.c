// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// canonical.c - elliptic cones, cohesion and rolling in variables that every solver understands.

#include "solve/canonical.h"

#include <math.h>
#include <string.h>

bool scree_canonical_needed(const scree_problem *problem) {
    return problem->mu_second || problem->cohesion || problem->limit ||
           (problem->dimension == 5 && !problem->rolling_length);
}

// The rows of friction on a reaction share one coefficient: these stay as they are.
static void balance_rows(const scree_problem *given, int i, double *S) {
    int d = given->dimension, there = 0;
    const double *W = given->block + (size_t)given->diagonal[i] * (size_t)(d * d);
    double sum = 0;
    if (!given->limit || (given->bearing && given->bearing[i] >= 0)) return;
    for (int k = 0; k < d; k++) {
        there += W[k * (d + 1)] > 0;
        sum += W[k * (d + 1)];
    }
    for (int k = 0; k < d; k++)
        if (W[k * (d + 1)] > 0) S[k] = sqrt(sum / there / W[k * (d + 1)]);
}

static void fill_scale(const scree_problem *given, double *scale, double *length) {
    int d = given->dimension;
    for (int i = 0; i < given->contacts; i++) {
        double *S = scale + (size_t)i * (size_t)d;
        bool joint = given->equality && given->equality[i];
        for (int k = 0; k < d; k++) S[k] = 1;
        if (joint) balance_rows(given, i, S);
        if (given->mu_second && given->mu[i] > 0 && !joint)
            S[2] = given->mu_second[i] / given->mu[i];
        if (d < 5) continue;
        length[i] = joint ? 1 : scree_problem_rolling_length(given, i);
        if (!joint) S[3] = S[4] = length[i];
    }
}

// a motion with its rows scaled: H' = S H, w' = S w - S W c n stays inside b alone
static const scree_motion *scale_motion(const scree_canonical *canonical, const double *b,
                                        scree_arena *arena) {
    const scree_motion *motion = canonical->given->motion;
    int nc = canonical->given->contacts, d = canonical->given->dimension;
    scree_motion *scaled = SCREE_NEW(arena, scree_motion, 1);
    double *H = SCREE_NEW(arena, double, (size_t)motion->H_first[nc] * (size_t)d);
    if (!scaled || !H) return NULL;
    for (int i = 0; i < nc; i++)
        for (int k = motion->H_first[i]; k < motion->H_first[i + 1]; k++)
            for (int r = 0; r < d; r++)
                H[k * d + r] = motion->H[k * d + r] * canonical->scale[i * d + r];
    *scaled = *motion;
    scaled->H = H;
    scaled->w = b;
    return scaled;
}

// limits of p' = p / S, weights of the reactions that bear friction
static bool scale_limits(scree_canonical *canonical, scree_arena *arena) {
    const scree_problem *given = canonical->given;
    int d = given->dimension;
    size_t n = (size_t)given->contacts * (size_t)d;
    double *limit = SCREE_NEW(arena, double, n), *weight = SCREE_NEW(arena, double, n);
    if (!limit || !weight) return false;
    for (size_t k = 0; k < n; k++) {
        int bearing = given->bearing ? given->bearing[k / (size_t)d] : -1;
        limit[k] = given->limit[k] / canonical->scale[k];
        weight[k] = given->bearing_weight ? given->bearing_weight[k] : 1;
        if (bearing >= 0)
            weight[k] *= canonical->scale[(size_t)bearing * (size_t)d + k % (size_t)d];
    }
    canonical->problem.limit = limit;
    canonical->problem.bearing_weight = weight;
    return true;
}

bool scree_canonical_make(const scree_problem *given, scree_arena *arena,
                          scree_canonical *canonical) {
    int nc = given->contacts, d = given->dimension;
    size_t n = (size_t)nc * (size_t)d, dd = (size_t)(d * d);
    double *scale = SCREE_NEW(arena, double, n), *b = SCREE_NEW(arena, double, n);
    double *block = SCREE_NEW(arena, double, (size_t)given->row[nc] * dd);
    double *length = SCREE_NEW(arena, double, nc), *rolling = SCREE_NEW(arena, double, nc);
    *canonical = (scree_canonical){ .given = given, .problem = *given, .scale = scale };
    if (!scale || !b || !block || !length || !rolling) return false;
    fill_scale(given, scale, length);
    for (int i = 0; i < nc; i++) {
        if (d == 5) rolling[i] = given->mu_rolling[i] / length[i];
        for (int r = 0; r < d; r++) b[i * d + r] = given->b[i * d + r];
        for (int at = given->row[i]; at < given->row[i + 1]; at++) {
            int j = given->column[at];
            const double *W = given->block + dd * (size_t)at;
            double tip = given->cohesion ? given->cohesion[j] : 0;
            for (int r = 0; r < d; r++) {
                b[i * d + r] -= W[r * d] * tip;
                for (int c = 0; c < d; c++)
                    block[dd * (size_t)at + (size_t)(r * d + c)] =
                        scale[i * d + r] * W[r * d + c] * scale[j * d + c];
            }
        }
        for (int r = 0; r < d; r++) b[i * d + r] *= scale[i * d + r];
    }
    canonical->problem.block = block;
    canonical->problem.b = b;
    canonical->problem.mu_second = canonical->problem.cohesion = NULL;
    canonical->problem.bodies = NULL;  // their H is not scaled
    canonical->problem.compliance = NULL;
    if (given->limit && !scale_limits(canonical, arena)) return false;
    if (d == 5) {
        canonical->problem.mu_rolling = rolling;
        canonical->problem.rolling_length = length;
    }
    if (given->motion && !(canonical->problem.motion = scale_motion(canonical, b, arena)))
        return false;
    return true;
}

void scree_canonical_enter(const scree_canonical *canonical, double *p) {
    const scree_problem *given = canonical->given;
    int d = given->dimension;
    for (int i = 0; i < given->contacts; i++) {
        if (given->cohesion) p[i * d] += given->cohesion[i];
        for (int k = 0; k < d; k++) p[i * d + k] /= canonical->scale[i * d + k];
    }
}

void scree_canonical_leave(const scree_canonical *canonical, double *p, bool is_direction) {
    const scree_problem *given = canonical->given;
    int d = given->dimension;
    for (int i = 0; i < given->contacts; i++) {
        for (int k = 0; k < d; k++) p[i * d + k] *= canonical->scale[i * d + k];
        if (given->cohesion && !is_direction) p[i * d] -= given->cohesion[i];
    }
}
