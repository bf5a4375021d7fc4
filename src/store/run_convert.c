// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_convert.c - the rows of a run file of before, put into one of today.

#include <stdlib.h>

#include "scree/stress.h"
#include "store/run_write.h"

scree_status scree_run_convert_start(scree_run_reader *before, double *q, scree_error *err) {
    double *v = malloc((size_t)before->dofs * sizeof *v);
    scree_status status =
        v ? scree_run_reader_states(before, 0, 1, q, v, err) : scree_fail_memory(err, NULL);
    free(v);
    return status;
}

static scree_status convert_steps(scree_run_writer *writer, scree_run_reader *before, int64_t steps,
                                  scree_error *err) {
    for (int64_t i = 0; i < steps; i++) {
        scree_step_row row;
        scree_status status = scree_run_reader_steps(before, i, 1, &row, err);
        if (status) return status;
        if (!scree_run_writer_put_step(writer, row.step, row.time, &row.account))
            return scree_run_writer_fail(writer, "cannot write", err);
    }
    return SCREE_OK;
}

static scree_status convert_contacts(scree_run_writer *writer, scree_run_reader *before,
                                     const scree_frame_row *row, scree_run_frame *frame,
                                     scree_error *err) {
    for (int64_t i = 0; i < row->contacts; i++) {
        scree_contact_row contact;
        scree_status status =
            scree_run_reader_contacts(before, row->first_contact + i, 1, &contact, err);
        if (status) return status;
        if (!scree_run_writer_put_contact(writer, &contact.contact, frame))
            return scree_run_writer_fail(writer, "cannot write", err);
    }
    return SCREE_OK;
}

static scree_status convert_frame(scree_run_writer *writer, scree_run_reader *before, int64_t i,
                                  double *q, double *v, scree_error *err) {
    scree_frame_row row;
    scree_run_frame frame = scree_run_writer_begin_frame(writer);
    scree_status status = scree_run_reader_frames(before, i, 1, &row, err);
    if (!status) status = scree_run_reader_states(before, i, 1, q, v, err);
    if (!status) status = convert_contacts(writer, before, &row, &frame, err);
    if (!status && writer->stress)
        status = scree_run_reader_stress(before, i, 1, writer->strain, writer->stress, err);
    if (!status && writer->reaction)
        status = scree_run_reader_reactions(before, i, 1, writer->reaction, err);
    const scree_state state = { row.step, row.time, q, v };
    if (!status && !scree_run_writer_put_frame(writer, &frame, &state, writer->strain,
                                               writer->stress, writer->reaction))
        status = scree_run_writer_fail(writer, "cannot write", err);
    return status;
}

static scree_status convert_state(scree_run_writer *writer, scree_run_reader *before, double *q,
                                  double *v, scree_error *err) {
    scree_state state = { .q = q, .v = v };
    scree_contact *contact;
    scree_totals totals;
    int contacts;
    scree_status status = scree_run_reader_last(before, &state, &contact, &contacts, &totals, err);
    if (!status) status = scree_run_writer_keep_state(writer, &state, contact, contacts, err);
    free(contact);
    return status;
}

scree_status scree_run_convert(scree_run_writer *writer, scree_run_reader *before,
                               const scree_resume_point *point, scree_error *err) {
    double *q = malloc((size_t)before->coordinates * sizeof *q);
    double *v = malloc((size_t)before->dofs * sizeof *v);
    bool same =
        before->elements == (writer->stress ? scree_stress_elements(writer->model) : 0) &&
        before->reaction_nodes == (writer->reaction ? scree_stress_nodes(writer->model) : 0);
    scree_status status = q && v ? SCREE_OK : scree_fail_memory(err, NULL);
    if (!status && !same)
        status = scree_fail(err, SCREE_BAD_INPUT, (scree_source_location){ before->path, 0, 0 },
                            "holds results of other elements than its scene has");
    if (!status) status = convert_steps(writer, before, point->step + 1, err);
    for (int64_t i = 0; !status && i < point->frames; i++)
        status = convert_frame(writer, before, i, q, v, err);
    if (!status) status = convert_state(writer, before, q, v, err);
    free(q);
    free(v);
    return status;
}
