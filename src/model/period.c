// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// period.c - can a model repeat itself?

#include "model/period.h"

#include "model/collision_shape.h"
#include "model/rotation.h"

// is the plane of a shape along axis k where its body starts?
static bool is_along(const scree_model *model, int i, int k) {
    const scree_body *body = &model->body[model->shape[i].body];
    const double *n = model->solid[i].normal;
    double c = cos(body->angle), s = sin(body->angle);
    double normal[3] = { c * n[0] - s * n[1], s * n[0] + c * n[1], 0 };
    if (model->space == 3) scree_rotation_vector(body->orientation, n, normal);
    return fabs(normal[k]) < 1e-9;
}

static scree_status fits(const scree_model *model, int i, int k, scree_error *err) {
    const scree_collision_shape *solid = &model->solid[i];
    const char *name = model->body[model->shape[i].body].name;
    double period = model->period[k], length = 2 * solid->bound;
    static const char axis[] = "xyz";
    if (isfinite(length) && 4 * solid->bound >= period)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "a shape of %s is up to %.6g long, which is more than half of the period "
                          "%.6g along %c",
                          name, length, period, axis[k]);
    if (solid->kind == SCREE_COLLISION_HALF_SPACE && !is_along(model, i, k))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the plane of %s is not along %c, where the world repeats itself", name,
                          axis[k]);
    return SCREE_OK;
}

scree_status scree_period_check(const scree_model *model, scree_error *err) {
    scree_status status = SCREE_OK;
    for (int k = 0; k < 3; k++)
        if (!(model->period[k] >= 0 && isfinite(model->period[k])) ||
            (k >= model->space && model->period[k] > 0))
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "periods are lengths along the axes, or 0");
    if (model->periodic && model->elastics)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "a world with elastic bodies cannot repeat itself");
    for (int i = 0; !status && model->periodic && i < model->shapes; i++)
        for (int k = 0; !status && k < model->space; k++)
            if (model->period[k] > 0) status = fits(model, i, k, err);
    return status;
}
