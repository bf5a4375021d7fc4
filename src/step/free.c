// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// free.c - the velocity that a step would end with if nothing touched.
// in: state, loads.   out: free velocity, inertia at the end of the step.

#include "step/stepper.h"

// F at both ends of the step; loads that do not vary are looked up once
static void find_loads(scree_stepper *stepper) {
    if (!stepper->load_known)
        scree_inertia_load(stepper->model, stepper->record.before.time, stepper->load);
    if (stepper->loads_vary || !stepper->load_known)
        scree_inertia_load(stepper->model, stepper->record.after.time, stepper->load_next);
    stepper->load_known = true;
    stepper->stage.load = stepper->load;
    stepper->stage.load_next = stepper->load_next;
}

scree_status scree_free_velocity(scree_stepper *stepper, scree_error *err) {
    scree_status status = SCREE_OK;
    if (stepper->model->has_loads) find_loads(stepper);
    for (int k = 0; !status && k < stepper->rows; k++)
        status = stepper->parts[k].kind->free_velocity(&stepper->parts[k], &stepper->stage, err);
    return status;
}

scree_status scree_free_refresh(scree_stepper *stepper, const double *push, bool *changed,
                                scree_error *err) {
    scree_status status = SCREE_OK;
    *changed = false;
    for (int k = 0; !status && k < stepper->rows; k++) {
        scree_parts *parts = &stepper->parts[k];
        if (parts->refreshes)
            status = parts->kind->refresh(parts, &stepper->stage, push, changed, err);
    }
    return status;
}
