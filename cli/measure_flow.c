// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// measure_flow.c - scree measure: forces and flows over all stored times.

#include <math.h>
#include <stdlib.h>

#include "cli/measure.h"

// --- over time ----------------------------------------------------------------------------------

typedef scree_status visit(cli_measuring *s, const scree_moment *moment, const show_frame *frame,
                           void *data, scree_error *err);

static scree_status each_frame(cli_measuring *s, visit *seen, void *data, scree_error *err) {
    scree_status status = SCREE_OK;
    for (int64_t i = 0; i < s->run.reader->frames && !status; i++) {
        show_frame frame = { 0 };
        status = show_frame_read(&s->run, i, &frame, err);
        if (!status) {
            scree_moment moment = cli_measure_moment(s, &frame);
            status = seen(s, &moment, &frame, data, err);
            s->found.time = moment.time;
        }
        show_frame_free(&frame);
    }
    return status;
}

static scree_status add_frame_force(cli_measuring *s, const scree_moment *moment,
                                    const show_frame *frame, void *data, scree_error *err) {
    double force[3], torque[3], *sum = data;
    (void)frame;
    cli_cell *row = cli_measured_row(&s->found);
    if (!row) return scree_fail_memory(err, NULL);
    scree_measure_force_on(moment, s->name, force, torque);
    row[0].number = moment->time;
    for (int k = 0; k < s->space; k++) row[1 + k].number = force[k];
    int first = s->space == 3 ? 0 : 2;
    for (int k = first; k < 3; k++) row[1 + s->space + k - first].number = torque[k];
    for (int k = 0; k < 3; k++) {
        sum[k] = force[k];
        sum[3] =
            fmax(sum[3], sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]));
    }
    return SCREE_OK;
}

scree_status cli_measure_force_on(cli_measuring *s, scree_error *err) {
    cli_measured *m = &s->found;
    double sum[4] = { 0 };
    if (!*s->name || !scree_measure_knows(s->run.model, s->name))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "no body or group is called \"%s\"",
                          s->name);
    m->rows_name = "forces";
    static const char *const plane[] = { "time", "fx", "fy", "torque" };
    static const char *const space[] = { "time", "fx", "fy", "fz", "tx", "ty", "tz" };
    int columns = s->space == 3 ? 7 : 4;
    for (int k = 0; k < columns; k++)
        cli_measured_column(m, s->space == 3 ? space[k] : plane[k],
                            k == 0          ? "s"
                            : k <= s->space ? "N"
                                            : "N m");
    for (int k = 1; k <= s->space; k++) m->y[m->curves++] = k;
    scree_status status = each_frame(s, add_frame_force, sum, err);
    cli_measured_vector(m, "force", "N", sum, s->space);
    cli_measured_number(m, "force_max", "N", sum[3]);
    return status;
}

typedef struct flow_count {
    int axis;
    double level;
    double *before;  // places of bodies, NaN: not there (bodies)
    double mass, last_time;
    int bodies;
} flow_count;

static scree_status add_frame_flow(cli_measuring *s, const scree_moment *moment,
                                   const show_frame *frame, void *data, scree_error *err) {
    flow_count *f = data;
    const scree_model *model = s->run.model;
    double mass = 0;
    int bodies = 0;
    (void)frame;
    for (int i = 0; i < model->bodies; i++) {
        bool there = !model->body[i].fixed && !model->body[i].driven &&
                     scree_geometry_present(model, i, moment->time);
        double now = there ? moment->q[(long)i * model->body_coordinates + f->axis] : (double)NAN;
        double was = f->before[i];
        f->before[i] = now;
        int passed = (was < f->level && now >= f->level) - (was >= f->level && now < f->level);
        bodies += passed;
        mass += passed * model->body[i].mass;
    }
    cli_cell *row = cli_measured_row(&s->found);
    if (!row) return scree_fail_memory(err, NULL);
    f->mass += mass;
    f->bodies += bodies;
    double length = moment->time - f->last_time;
    row[0].number = moment->time;
    row[1].number = f->bodies;
    row[2].number = f->mass;
    row[3].number = length > 0 ? mass / length : 0;
    f->last_time = moment->time;
    return SCREE_OK;
}

scree_status cli_measure_flow(cli_measuring *s, scree_error *err) {
    flow_count f = { 0 };
    char *rest;
    f.axis = *s->name - 'x';
    f.level = *s->name && s->name[1] == '=' ? strtod(s->name + 2, &rest) : (double)NAN;
    if (f.axis < 0 || f.axis >= s->space || !isfinite(f.level) || rest == s->name + 2 || *rest)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "a flow goes through a plane across one of the scene's axes: "
                          "flow:x=0.1, got \"%s\"",
                          s->name);
    f.before = malloc(((size_t)s->run.model->bodies + 1) * sizeof *f.before);
    if (!f.before) return scree_fail_memory(err, NULL);
    for (int i = 0; i < s->run.model->bodies; i++) f.before[i] = NAN;
    cli_measured *m = &s->found;
    m->rows_name = "flow";
    cli_measured_column(m, "time", "s");
    cli_measured_column(m, "bodies", "");
    cli_measured_column(m, "mass", "kg");
    cli_measured_column(m, "rate", "kg/s");
    m->y[m->curves++] = 2;
    scree_status status = each_frame(s, add_frame_flow, &f, err);
    free(f.before);
    cli_measured_count(m, "bodies", f.bodies);
    cli_measured_number(m, "mass", "kg", f.mass);
    cli_measured_number(m, "mean_rate", "kg/s", m->time > 0 ? f.mass / m->time : 0);
    return status;
}
