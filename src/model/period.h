// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// period.h - a world that repeats itself: the nearest image, and the cell that is drawn.
//
// Coordinates of bodies are not wrapped, so that nothing jumps: what touches is the image of a body
// that is nearest. With shapes below a quarter of a period there is one image at most that can.

#ifndef SCREE_MODEL_PERIOD_H
#define SCREE_MODEL_PERIOD_H

#include <math.h>
#include <string.h>

#include "scree/model.h"

/// Are periods finite, and does every shape fit into them?
scree_status scree_period_check(const scree_model *model, scree_error *err);

/// By which multiple of the periods what lies at `from` a point has to go to be next to it.
static inline void scree_period_shift(const scree_model *model, const double from[3],
                                      double shift[3]) {
    for (int k = 0; k < 3; k++)
        shift[k] = model->period[k] > 0 ? -model->period[k] * round(from[k] / model->period[k]) : 0;
}

/// The image of x in the cell that begins with 0.
static inline void scree_period_wrap(const scree_model *model, double x[3]) {
    for (int k = 0; model->periodic && k < 3; k++)
        if (model->period[k] > 0) x[k] -= model->period[k] * floor(x[k] / model->period[k]);
}

#endif
