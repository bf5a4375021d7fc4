// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// moving.h - functions of time for tests, and processes that complain when they stop.

#ifndef SCREE_TEST_MOVING_H
#define SCREE_TEST_MOVING_H

#include "harness.h"
#include "scree/sweeping.h"

typedef struct wave {  // value + slope t + size sin(rate t + phase)
    double value, slope, size, rate, phase;
} wave;

static inline double wave_at(const void *self, double t, double *rate) {
    const wave *w = self;
    *rate = w->slope + w->size * w->rate * cos(w->rate * t + w->phase);
    return w->value + w->slope * t + w->size * sin(w->rate * t + w->phase);
}

static inline scree_function of_wave(const wave *w) { return (scree_function){ 0, wave_at, w }; }
static inline scree_function fixed(double value) { return (scree_function){ .constant = value }; }

static inline scree_sweeping *start(int n, const scree_moving_set *set, int sets,
                                    scree_sweeping_method method, double h, const double *x) {
    scree_sweeping *s;
    scree_error err = { 0 };
    if (scree_sweeping_new(n, set, sets, method, h, x, &s, &err)) COMPLAIN("%s", err.text);
    return s;
}

static inline void go(scree_sweeping *s, int steps) {
    scree_error err = { 0 };
    for (int i = 0; i < steps; i++)
        if (scree_sweeping_step(s, &err)) {
            COMPLAIN("step %d: %s", i, err.text);
            return;
        }
}

#endif
