// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_verify.c - every row of a run file held against its digest, and what leads to the rows.

#include <stdlib.h>

#include "store/run_read.h"
#include "store/run_restart.h"

// steps of a block; *good: how many are fine
static scree_status verify_steps(scree_run_reader *reader, int64_t *good, scree_error *err) {
    enum { BLOCK = 1024 };
    scree_step_row *row = malloc(BLOCK * sizeof *row);
    scree_status status = row ? SCREE_OK : scree_fail_memory(err, NULL);
    *good = 0;
    while (!status && *good < reader->steps) {
        int64_t left = reader->steps - *good, count = left < BLOCK ? left : BLOCK;
        status = scree_run_reader_steps(reader, *good, count, row, err);
        if (!status) *good += count;
    }
    // one by one where the block is not
    while (status == SCREE_BAD_INPUT && *good < reader->steps &&
           !scree_run_reader_steps(reader, *good, 1, row, NULL))
        ++*good;
    free(row);
    return status;
}

// numbers of some states, one kind behind the other
typedef struct room {
    double *q, *v, *strain, *stress, *reaction;
} room;

static scree_status verify_block(scree_run_reader *reader, int64_t first, int64_t count,
                                 const room *r, scree_error *err) {
    scree_status status = scree_run_reader_states(reader, first, count, r->q, r->v, err);
    if (!status && reader->elements)
        status = scree_run_reader_stress(reader, first, count, r->strain, r->stress, err);
    if (!status && reader->reaction_nodes)
        status = scree_run_reader_reactions(reader, first, count, r->reaction, err);
    return status ? status : scree_run_reader_check_contacts(reader, first, count, err);
}

static int64_t block_of(const scree_run_reader *reader) {
    static const int64_t numbers = 1 << 18, most = 1024;
    int64_t each = (int64_t)reader->coordinates + reader->dofs + 12 * (int64_t)reader->elements +
                   (int64_t)reader->reaction_nodes * reader->space;
    return numbers / each < 1 ? 1 : numbers / each < most ? numbers / each : most;
}

static scree_status verify_frames(scree_run_reader *reader, int64_t *good, scree_error *err) {
    size_t block = (size_t)block_of(reader), n = (size_t)reader->coordinates * block,
           m = (size_t)reader->dofs * block, six = (size_t)reader->elements * 6 * block,
           forces = (size_t)reader->reaction_nodes * (size_t)reader->space * block;
    *good = 0;
    if (!reader->frames) return SCREE_OK;
    double *all = malloc((n + m + 2 * six + forces) * sizeof *all);
    if (!all) return scree_fail_memory(err, NULL);
    const room r = { all, all + n, all + n + m, all + n + m + six, all + n + m + 2 * six };
    scree_status status = SCREE_OK;
    while (!status && *good < reader->frames) {
        int64_t left = reader->frames - *good;
        int64_t count = left < (int64_t)block ? left : (int64_t)block;
        status = verify_block(reader, *good, count, &r, err);
        if (!status) *good += count;
    }
    while (status == SCREE_BAD_INPUT && *good < reader->frames &&
           !verify_block(reader, *good, 1, &r, NULL))
        ++*good;
    free(all);
    return status;
}

static bool is_indexed(const scree_columns_reader *table) {
    bool fine = true;
    for (int i = 0; fine && i < table->count; i++)
        fine = scree_layout_indexed(table->column[i].set);
    return fine;
}

// what a run that goes on writes to
static scree_status verify_indexes(scree_run_reader *reader, scree_error *err) {
    const struct scree_run_reader_memory *memory = reader->memory;
    if (memory->rows) return SCREE_OK;  // it goes on in another file
    const scree_columns_reader *const tables[] = { &memory->steps,    &memory->frames,
                                                   &memory->contacts, &memory->q,
                                                   &memory->v,        &memory->strain,
                                                   &memory->stress,   &memory->reactions };
    scree_quiet quiet = scree_layout_quiet();
    bool fine = true, slots = !memory->restarts || scree_restart_is_sound(memory->file);
    for (size_t i = 0; fine && i < sizeof tables / sizeof *tables; i++)
        fine = is_indexed(tables[i]);
    scree_layout_loud(quiet);
    if (fine && slots) return SCREE_OK;
    return scree_run_reader_damaged(
        reader, fine ? "the index of its last state is torn" : "the index of a table is torn", err);
}

scree_status scree_run_reader_verify(scree_run_reader *reader, int64_t *steps, int64_t *frames,
                                     scree_error *err) {
    scree_error second = { 0 };
    scree_status status = verify_steps(reader, steps, err);
    scree_status other = verify_frames(reader, frames, status ? &second : err);
    if (!status && !other) return verify_indexes(reader, err);
    return status && other != SCREE_NO_MEMORY ? status : other;
}
