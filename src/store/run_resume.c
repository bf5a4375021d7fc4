// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_resume.c - where a run file goes on: its last whole state, with contacts and totals.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "store/run_read.h"
#include "store/run_restart.h"

static scree_status fail(const scree_run_reader *reader, const char *what, scree_error *err) {
    scree_source_location at = { reader->path, 0, 0 };
    return scree_fail(err, SCREE_BAD_INPUT, at, "%s", what);
}

// the totals up to a step are its accounts added up
static scree_status add_up(scree_run_reader *reader, int64_t steps, scree_totals *totals,
                           scree_error *err) {
    enum { BLOCK = 4096 };
    scree_step_row *row = malloc(BLOCK * sizeof *row);
    if (!row) return scree_fail_memory(err, NULL);
    *totals = scree_totals_none();
    scree_status status = SCREE_OK;
    for (int64_t first = 1; !status && first <= steps; first += BLOCK) {
        int64_t count = steps - first + 1 < BLOCK ? steps - first + 1 : BLOCK;
        status = scree_run_reader_steps(reader, first, count, row, err);
        for (int64_t i = 0; !status && i < count; i++) scree_totals_add(totals, &row[i].account);
    }
    free(row);
    return status;
}

// what belongs to a run up to a step; false if the tables do not reach that far
static bool reaches(const scree_run_reader *reader, int64_t step, scree_resume_point *point) {
    int every = reader->memory->settings.every;
    int64_t frames = step / every + 1;
    if (step >= reader->steps || frames > reader->frames) return false;
    const scree_frame_row *frame = &reader->memory->frame[frames - 1].row;
    if (frame->step != (frames - 1) * every) return false;
    point->step = step;
    point->frames = frames;
    point->contacts = frame->first_contact + frame->contacts;
    return true;
}

scree_restart scree_run_reader_shape(const scree_run_reader *reader) {
    return (scree_restart){ .format = reader->memory->format,
                            .space = reader->space,
                            .dimension = reader->dimension,
                            .coordinates = reader->coordinates,
                            .dofs = reader->dofs };
}

// the newest slot that the tables reach
static bool find_slot(scree_run_reader *reader, scree_resume_point *point) {
    scree_restart shape = scree_run_reader_shape(reader);
    bool found = false;
    for (int slot = 0; slot < 2; slot++) {
        double *word = scree_restart_read(&shape, reader->memory->file, slot);
        int64_t step = word ? scree_restart_step(word) : -1;
        if (word && !(found && step <= point->step) && reaches(reader, step, point)) {
            free(point->word);
            point->word = word;
            point->slot = slot;
            found = true;
        } else {
            free(word);
        }
    }
    return found;
}

scree_status scree_run_reader_point(scree_run_reader *reader, scree_resume_point *point,
                                    scree_error *err) {
    *point = (scree_resume_point){ .slot = -1 };
    scree_frame_row first = { 0 }, last = { 0 };
    if (reader->frames < 1) return fail(reader, "holds no state to resume from", err);
    scree_status status = scree_run_reader_frames(reader, reader->frames - 1, 1, &last, err);
    if (!status) status = scree_run_reader_frames(reader, 0, 1, &first, err);
    if (status) return status;
    if (first.step)
        return fail(reader, "begins in the middle of a simulation: it cannot be resumed", err);
    scree_quiet quiet = scree_layout_quiet();
    bool found =
        reader->memory->restarts ? find_slot(reader, point) : reaches(reader, last.step, point);
    scree_layout_loud(quiet);
    if (found) return SCREE_OK;
    return fail(reader,
                reader->memory->restarts
                    ? "holds no whole state to resume from: its states are rounded, and the last "
                      "one with every digit is damaged or was cut off"
                    : "holds no whole state to resume from",
                err);
}

// the last frame, whose contacts that were in the problem are wanted
static scree_status take_frame(scree_run_reader *reader, scree_state *state,
                               scree_contact **contact, int *contacts, scree_error *err) {
    scree_frame_row frame = { 0 };
    scree_status status = scree_run_reader_frames(reader, reader->frames - 1, 1, &frame, err);
    if (!status)
        status = scree_run_reader_states(reader, reader->frames - 1, 1, state->q, state->v, err);
    if (status) return status;
    state->step = frame.step;
    scree_contact_row *row = calloc((size_t)frame.contacts + 1, sizeof *row);
    *contact = calloc((size_t)frame.contacts + 1, sizeof **contact);
    if (!row || !*contact)
        status = scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %lld contacts",
                            (long long)frame.contacts);
    if (!status)
        status = scree_run_reader_contacts(reader, frame.first_contact, frame.contacts, row, err);
    for (int64_t i = 0; !status && i < frame.contacts; i++)
        if (row[i].contact.status != SCREE_CONTACT_INACTIVE)
            (*contact)[(*contacts)++] = row[i].contact;
    free(row);
    return status;
}

static scree_status take_slot(const scree_run_reader *reader, const double *word,
                              scree_state *state, scree_contact **contact, int *contacts,
                              scree_error *err) {
    scree_restart shape = scree_run_reader_shape(reader);
    *contacts = scree_restart_contacts(word);
    *contact = calloc((size_t)*contacts + 1, sizeof **contact);
    if (!*contact)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %d contacts",
                          *contacts);
    scree_restart_take(&shape, word, state, *contact);
    return SCREE_OK;
}

scree_status scree_run_reader_last(scree_run_reader *reader, scree_state *state,
                                   scree_contact **contact, int *contacts, scree_totals *totals,
                                   scree_error *err) {
    *contact = NULL;
    *contacts = 0;
    scree_resume_point point;
    scree_step_row row;
    int64_t steps, frames;
    scree_status status = scree_run_reader_verify(reader, &steps, &frames, err);
    if (status) return status;
    status = scree_run_reader_point(reader, &point, err);
    if (!status)
        status = point.word ? take_slot(reader, point.word, state, contact, contacts, err)
                            : take_frame(reader, state, contact, contacts, err);
    free(point.word);
    if (!status) status = scree_run_reader_steps(reader, state->step, 1, &row, err);
    if (!status) state->time = row.time;
    return status ? status : add_up(reader, state->step, totals, err);
}
