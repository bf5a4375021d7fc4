// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// frame.c - one stored state of a run with its contacts and stresses.
// in: run file, time.   out: state, contacts, stresses.

#include "show/frame.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scree/geometry.h"
#include "scree/stress.h"

static scree_status find_frame(scree_run_reader *reader, double time, int64_t *frame,
                               scree_frame_row *row, scree_error *err) {
    int64_t low = 0, high = reader->frames - 1;
    scree_status status = scree_run_reader_frames(reader, high, 1, row, err);
    // times rise: halve to the last one that is not later
    while (!status && !isnan(time) && low < high) {
        int64_t middle = (low + high + 1) / 2;
        status = scree_run_reader_frames(reader, middle, 1, row, err);
        if (row->time <= time)
            low = middle;
        else
            high = middle - 1;
    }
    scree_frame_row next = { 0 };
    if (!status) status = scree_run_reader_frames(reader, high, 1, row, err);
    *frame = high;
    if (status || isnan(time) || high + 1 >= reader->frames) return status;
    status = scree_run_reader_frames(reader, high + 1, 1, &next, err);
    if (!status && fabs(next.time - time) < fabs(row->time - time)) {
        *frame = high + 1;
        *row = next;
    }
    return status;
}

static scree_status find_stress(const show_run *run, int64_t frame, show_frame *p,
                                scree_error *err) {
    const scree_model *model = run->model;
    scree_run_reader *reader = run->reader;
    size_t elements = (size_t)scree_stress_elements(model);
    double *stress = malloc((2 * elements + 1) * SCREE_TENSOR * sizeof *stress);
    double *strain = stress ? stress + elements * SCREE_TENSOR : NULL;
    scree_status status = stress ? SCREE_OK : scree_fail_memory(err, "a figure");
    if (!status && elements && reader->elements == (int)elements) {
        status = scree_run_reader_stress(reader, frame, 1, strain, stress, err);
    } else if (!status) {
        scree_stress_find_all(model, p->q, NULL, stress);
    }
    for (size_t i = 0; !status && i < elements; i++)
        p->mises[i] = scree_stress_mises(stress + i * SCREE_TENSOR);
    free(stress);
    return status;
}

// a run that has stored nothing: its scene tells how it starts
static scree_status read_start(const show_run *run, show_frame *p, scree_error *err) {
    const scree_state *state = scree_simulation_state(run->simulation);
    size_t n = (size_t)run->model->coordinates, m = (size_t)run->model->dofs;
    p->row = (scree_frame_row){ .step = state->step, .time = state->time };
    p->q = malloc((n + 1) * sizeof *p->q);
    p->v = malloc((m + 1) * sizeof *p->v);
    p->mises = calloc((size_t)scree_stress_elements(run->model) + 1, sizeof *p->mises);
    p->contact = calloc(1, sizeof *p->contact);
    if (!p->q || !p->v || !p->mises || !p->contact) return scree_fail_memory(err, "a figure");
    memcpy(p->q, state->q, n * sizeof *p->q);
    memcpy(p->v, state->v, m * sizeof *p->v);
    return SCREE_OK;
}

scree_status show_frame_read(const show_run *run, int64_t frame, show_frame *p, scree_error *err) {
    scree_run_reader *reader = run->reader;
    if (reader->frames < 1) return read_start(run, p, err);
    scree_status status = scree_run_reader_frames(reader, frame, 1, &p->row, err);
    if (status) return status;
    if (p->row.contacts < 0 || p->row.contacts > reader->contacts)
        return scree_fail(err, SCREE_BAD_INPUT, (scree_source_location){ reader->path, 0, 0 },
                          "is damaged");
    p->q = malloc((size_t)reader->coordinates * sizeof *p->q);
    p->v = malloc((size_t)reader->dofs * sizeof *p->v);
    p->mises = calloc((size_t)scree_stress_elements(run->model) + 1, sizeof *p->mises);
    p->contact = calloc((size_t)p->row.contacts + 1, sizeof *p->contact);
    if (!p->q || !p->v || !p->mises || !p->contact) return scree_fail_memory(err, "a figure");
    status = scree_run_reader_states(reader, frame, 1, p->q, p->v, err);
    if (!status)
        status = scree_run_reader_contacts(reader, p->row.first_contact, p->row.contacts,
                                           p->contact, err);
    return status ? status : find_stress(run, frame, p, err);
}

scree_status show_frame_load(const show_run *run, double time, show_frame *p, scree_error *err) {
    int64_t frame;
    if (run->reader->frames < 1) return read_start(run, p, err);
    scree_status status = find_frame(run->reader, time, &frame, &p->row, err);
    return status ? status : show_frame_read(run, frame, p, err);
}

void show_frame_free(show_frame *frame) {
    free(frame->q);
    free(frame->v);
    free(frame->mises);
    free(frame->contact);
    free(frame->hidden);
    *frame = (show_frame){ 0 };
}

scree_status show_frame_cut(show_frame *frame, const scree_model *model, const scree_region *box,
                            scree_error *err) {
    int64_t kept = 0;
    frame->hidden = calloc((size_t)model->bodies + 1, 1);
    if (!frame->hidden) return scree_fail_memory(err, "a figure");
    for (int i = 0; i < model->bodies; i++) {
        scree_placement at;
        scree_geometry_place(model, i, frame->q, &at);
        frame->hidden[i] = !scree_region_holds(box, model->space, at.at);
    }
    for (int i = 0; i < model->shapes; i++)
        if (model->shape[i].kind == SCREE_HALF_PLANE || model->shape[i].kind == SCREE_PLANE)
            frame->hidden[model->shape[i].body] = 0;
    for (int64_t i = 0; i < frame->row.contacts; i++)
        if (scree_region_holds(box, model->space, frame->contact[i].contact.point))
            frame->contact[kept++] = frame->contact[i];
    frame->row.contacts = kept;
    return SCREE_OK;
}

bool show_frame_shows(const show_frame *frame, const scree_model *model, int body) {
    return !(frame->hidden && frame->hidden[body]) &&
           scree_geometry_present(model, body, frame->row.time);
}

double show_frame_force(const scree_model *model, double h, const scree_contact *c,
                        double force[3]) {
    const double *n = c->normal, *t = c->tangent;
    double sum = 0;
    const double second[3] = { n[1] * t[2] - n[2] * t[1], n[2] * t[0] - n[0] * t[2],
                               n[0] * t[1] - n[1] * t[0] };
    for (int k = 0; k < 3; k++) {
        force[k] = c->impulse[0] * n[k] + c->impulse[1] * t[k];
        if (model->space == 3) force[k] += c->impulse[2] * second[k];
        force[k] /= h;
        sum += force[k] * force[k];
    }
    return sqrt(sum);
}
