// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fuzz_run.c - libFuzzer target: any bytes as a run file must end in an error with a text or in
// tables that can be read to their ends.
//
// HDF5 takes files alone, so the bytes are put into one that has no name.

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scree/scree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROWS = 64, NUMBERS_MOST = 100000 };

static void check_told(scree_status status, const scree_error *err) {
    if (status && !err->text[0]) __builtin_trap();
}

static void read_steps(scree_run_reader *reader) {
    static scree_step_row row[ROWS];
    scree_error err = { 0 };
    scree_status status = SCREE_OK;
    for (int64_t first = 0; !status && first < reader->steps; first += ROWS) {
        int64_t left = reader->steps - first;
        status = scree_run_reader_steps(reader, first, left < ROWS ? left : ROWS, row, &err);
    }
    check_told(status, &err);
}

static void read_states(scree_run_reader *reader) {
    scree_frame_row frame;
    scree_contact_row contact;
    scree_error err = { 0 };
    scree_status status = SCREE_OK;
    if (reader->coordinates > NUMBERS_MOST || reader->dofs > NUMBERS_MOST) return;
    double *q = calloc((size_t)reader->coordinates + 1, sizeof *q);
    double *v = calloc((size_t)reader->dofs + 1, sizeof *v);
    for (int64_t i = 0; q && v && !status && i < reader->frames; i++) {
        status = scree_run_reader_frames(reader, i, 1, &frame, &err);
        if (!status) status = scree_run_reader_states(reader, i, 1, q, v, &err);
        if (!status && frame.contacts > 0)
            status = scree_run_reader_contacts(reader, frame.first_contact, 1, &contact, &err);
    }
    check_told(status, &err);
    free(q);
    free(v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct timespec past[2] = { { 0, 0 }, { 0, 0 } };
    char path[40];
    int file = memfd_create("run", 0);
    scree_run_reader *reader;
    scree_error err = { 0 };
    if (file < 0 || write(file, data, size) != (ssize_t)size) abort();
    futimens(file, past);  // what was written a moment ago would be read again
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    scree_status status = scree_run_reader_open(path, &reader, &err);
    check_told(status, &err);
    if (!status) {
        scree_findings findings = { 0 };
        scree_simulation *simulation = scree_run_simulation(reader, &findings);
        if (!simulation && !findings.count) __builtin_trap();
        read_steps(reader);
        read_states(reader);
        scree_simulation_free(simulation);
        scree_findings_free(&findings);
        scree_run_reader_close(reader);
    }
    close(file);
    return 0;
}
