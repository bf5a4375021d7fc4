// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_reader.c - reading a run file back, whole or cut off.
//
// All that a file says about itself (ranks, widths, lengths, which contacts belong to which state)
// is looked at when it is opened; digests when rows are read. Nothing is believed twice.

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/space.h"
#include "scree/stress.h"
#include "store/run_mesh.h"
#include "store/run_open.h"
#include "store/run_read.h"
#include "store/run_restart.h"
#include "store/run_stop.h"
#include "store/target.h"

static scree_status fail(const scree_run_reader *reader, const char *what, scree_error *err) {
    scree_source_location at = { reader->path, 0, 0 };
    return scree_fail(err, SCREE_BAD_INPUT, at, "%s", what);
}

// What looks like damage may be a file of two moments: it was read while it was written to.
scree_status scree_run_reader_damaged(const scree_run_reader *reader, const char *where,
                                      scree_error *err) {
    scree_source_location at = { reader->path, 0, 0 };
    if (!reader->memory->lenient && scree_target_changes(reader->path, reader->memory->began))
        return scree_fail(err, SCREE_FILE_ERROR, at,
                          "was changed by another process while it was read (%s); read it again",
                          where);
    return scree_fail(err, SCREE_BAD_INPUT, at, "is a run file that is damaged: %s; %s", where,
                      reader->memory->lenient ? "it cannot be recovered"
                                              : "scree recover keeps what stands before");
}

scree_run_settings scree_run_reader_settings(const scree_run_reader *reader) {
    return reader->memory->settings;
}

// ---- header

// rows of a table that count
static int64_t rows_of_end(int64_t said, int64_t there) {
    return said < -1 && -2 - said < there ? -2 - said : there;
}

static bool read_wall(scree_run_reader *reader, scree_run_end *end) {
    const scree_run_end open = { 0, -1, -1, -1, 0, 0 };
    hid_t file = reader->memory->file;
    *end = open;
    if (!reader->memory->rows) {
        bool whole = scree_run_end_read(file, end);
        if (!whole) *end = open;
        return whole;
    }
    hid_t wall = scree_layout_open(file, "wall_seconds"),
          space = wall < 0 ? -1 : H5Dget_space(wall);
    bool fine =
        space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
        H5Dread(wall, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &end->wall_seconds) >= 0;
    if (space >= 0) H5Sclose(space);
    if (wall >= 0) H5Dclose(wall);
    return fine;
}

static bool read_sizes(scree_run_reader *reader) {
    hid_t group = scree_layout_enter(reader->memory->file, "model");
    reader->dofs = scree_layout_integer(group, "dofs");
    reader->dimension = scree_layout_integer(group, "dimension");
    reader->space = scree_layout_integer(group, "space");
    reader->coordinates = scree_layout_integer(group, "coordinates");
    if (group >= 0) H5Gclose(group);
    bool known = reader->dimension == 2 || reader->dimension == 3 || reader->dimension == 5;
    return reader->dofs > 0 && reader->coordinates >= reader->dofs && known &&
           (reader->space == 2 || reader->space == 3);
}

static bool read_header(scree_run_reader *reader) {
    struct scree_run_reader_memory *memory = reader->memory;
    const char **text = NULL, **overrides = NULL;
    int count = 0;
    memory->settings = scree_run_header_settings(memory->file);
    memory->restarts = H5Lexists(memory->file, "restart", H5P_DEFAULT) > 0;
    reader->scene_file = scree_run_header_scene(memory->file, &memory->arena, &reader->program);
    reader->version = scree_layout_text(memory->file, "scree_version", &memory->arena);
    reader->build = scree_layout_text(memory->file, "build", &memory->arena);
    reader->title = scree_layout_text(memory->file, "title", &memory->arena);
    if (!scree_layout_texts(memory->file, "scene/text", &memory->arena, &text, &count) ||
        count != 1 ||
        !scree_layout_texts(memory->file, "scene/overrides", &memory->arena, &overrides,
                            &reader->overrides))
        return false;
    reader->scene_text = text[0];
    reader->scene_length = strlen(text[0]);
    reader->override = overrides;
    return read_sizes(reader);
}

// ---- tables

// a table that has a row for each frame; fewer rows mean fewer frames
static bool find_states(scree_run_reader *reader, const char *name, int rank, size_t width,
                        scree_columns_reader *found) {
    bool fine = scree_columns_find_array(found, reader->memory->file, name, rank, width);
    if (fine && found->rows < reader->frames) reader->frames = found->rows;
    return fine;
}

static bool find_results(scree_run_reader *reader) {
    struct scree_run_reader_memory *memory = reader->memory;
    bool fine = true;
    if (H5Lexists(memory->file, "stress", H5P_DEFAULT) > 0) {
        fine = find_states(reader, "strain", 3, 0, &memory->strain) &&
               find_states(reader, "stress", 3, memory->strain.column[0].width, &memory->stress) &&
               memory->strain.column[0].width % SCREE_TENSOR == 0;
        reader->elements = fine ? (int)(memory->strain.column[0].width / SCREE_TENSOR) : 0;
    }
    if (fine && H5Lexists(memory->file, "reactions", H5P_DEFAULT) > 0) {
        size_t space = (size_t)reader->space;
        fine = find_states(reader, "reactions", 3, 0, &memory->reactions) &&
               memory->reactions.column[0].width % space == 0;
        reader->reaction_nodes = fine ? (int)(memory->reactions.column[0].width / space) : 0;
    }
    return fine;
}

// A table without compression whose digests are never 0 is stored in full: a length that is not is
// made up. Contacts have identities, which are not 0 either, and may be compressed.
static bool has_room(const scree_columns_reader *table, const char *column, int64_t rows) {
    static const hsize_t ratio_most = 1100;  // of deflate
    hsize_t bytes = 0;
    for (int i = 0; i < table->count; i++) {
        char name[80] = "";
        H5Iget_name(table->column[i].set, name, sizeof name);
        const char *slash = strrchr(name, '/');
        if (slash && strncmp(slash + 1, column, strlen(column)) == 0)
            bytes += H5Dget_storage_size(table->column[i].set);
    }
    return (hsize_t)rows <= bytes * ratio_most / 8;
}

static bool find_tables(scree_run_reader *reader) {
    struct scree_run_reader_memory *memory = reader->memory;
    scree_extent extent = { reader->space, reader->dimension, false, memory->format };
    hid_t file = memory->file;
    if (memory->rows) return scree_run_old_open(reader);
    // frames first: what a frame of a growing file points to was there before it
    bool fine = scree_columns_find(&memory->frames, file, "frames", SCREE_TABLE_FRAMES, extent);
    reader->frames = memory->frames.rows;
    fine = fine && find_states(reader, "q", 2, (size_t)reader->coordinates, &memory->q) &&
           find_states(reader, "v", 2, (size_t)reader->dofs, &memory->v) && find_results(reader) &&
           scree_columns_find(&memory->steps, file, "steps", SCREE_TABLE_STEPS, extent) &&
           scree_columns_find(&memory->contacts, file, "contacts", SCREE_TABLE_CONTACTS, extent);
    reader->steps = memory->steps.rows;
    reader->contacts = memory->contacts.rows;
    return fine && has_room(&memory->frames, "digest", reader->frames) &&
           has_room(&memory->steps, "digest", reader->steps) &&
           has_room(&memory->contacts, "id_", reader->contacts);
}

// ---- frames

static bool load_frames(scree_run_reader *reader, uint64_t *said, scree_digest *digest) {
    struct scree_run_reader_memory *memory = reader->memory;
    if (!memory->rows)
        return scree_columns_read(&memory->frames, 0, reader->frames, memory->frame,
                                  sizeof *memory->frame, digest, said);
    return scree_run_old_rows(memory->old.frames, memory->old.frame_type, 0, reader->frames,
                              memory->frame);
}

// does a frame follow the one before, and is what it points to there?
static bool follows(const scree_run_reader *reader, int64_t i, bool *there) {
    const scree_frame_row *row = &reader->memory->frame[i].row,
                          *before = i ? &reader->memory->frame[i - 1].row : NULL;
    int64_t first = before ? before->first_contact + before->contacts : 0;
    *there = true;
    if (row->step < 0 || (before && row->step <= before->step) || row->contacts < 0 ||
        row->contacts > INT_MAX || row->first_contact != first)
        return false;
    // a run from somewhere in the middle has its first row there
    int64_t begin = reader->memory->frame[0].row.step;
    *there = row->step - begin < reader->steps && first + row->contacts <= reader->contacts;
    return true;
}

// frames up to the first one that is damaged, or whose rows did not make it to the disk
static int64_t count_frames(const scree_run_reader *reader, const uint64_t *said,
                            const scree_digest *digest, bool *damaged) {
    *damaged = false;
    for (int64_t i = 0; i < reader->frames; i++) {
        bool there;
        *damaged = (!reader->memory->rows && said[i] != scree_digest_value(&digest[i])) ||
                   !follows(reader, i, &there);
        if (*damaged || !there) return i;
    }
    return reader->frames;
}

// the column of digests, all rows of it
static bool sum_digests(const scree_columns_reader *table, int64_t rows, scree_digest *sum) {
    enum { BLOCK = 4096 };
    scree_columns_reader column = { 0 };
    scree_digest unused[1];
    for (int i = 0; i < table->count; i++)
        if (table->column[i].type == 'x') {
            column.count = 1;
            column.column[0] = table->column[i];
        }
    uint64_t *word = malloc(BLOCK * sizeof *word);
    bool fine = word && column.count;
    for (int64_t first = 0; fine && first < rows; first += BLOCK) {
        int64_t count = rows - first < BLOCK ? rows - first : BLOCK;
        fine = scree_columns_read(&column, first, count, NULL, 0, unused, word);
        for (int64_t i = 0; fine && i < count; i++) scree_digest_word(sum, word[i]);
    }
    free(word);
    return fine;
}

bool scree_run_reader_sums(const scree_run_reader *reader, int64_t steps, int64_t frames,
                           scree_run_sums *sums) {
    sums->steps = sums->frames = scree_digest_begin();
    return sum_digests(&reader->memory->steps, steps, &sums->steps) &&
           sum_digests(&reader->memory->frames, frames, &sums->frames);
}

uint64_t scree_run_sums_digest(const scree_run_sums *sums) {
    scree_digest all = scree_digest_begin();
    scree_digest_word(&all, scree_digest_value(&sums->steps));
    scree_digest_word(&all, scree_digest_value(&sums->frames));
    return scree_digest_value(&all);
}

// a run that was closed holds what it held then
static bool is_whole(const scree_run_reader *reader, const scree_run_end *end) {
    scree_run_sums sums;
    if (end->steps < 0) return true;
    return end->steps == reader->steps && end->frames == reader->frames &&
           end->contacts == reader->contacts &&
           scree_run_reader_sums(reader, reader->steps, reader->frames, &sums) &&
           end->digest == scree_run_sums_digest(&sums);
}

static scree_status load_and_verify(scree_run_reader *reader, const scree_run_end *end,
                                    scree_error *err) {
    struct scree_run_reader_memory *memory = reader->memory;
    size_t n = (size_t)reader->frames;
    scree_arena scratch = { 0 };
    memory->frame = SCREE_NEW(&memory->arena, scree_frame_record, n + 1);
    memory->verified = SCREE_NEW(&memory->arena, bool, n + 1);
    uint64_t *said = SCREE_NEW(&scratch, uint64_t, n + 1);
    scree_digest *digest = SCREE_NEW(&scratch, scree_digest, n + 1);
    scree_status status = memory->frame && memory->verified && said && digest
                              ? SCREE_OK
                              : scree_fail_memory(err, NULL);
    for (size_t i = 0; !status && i < n; i++) digest[i] = scree_digest_begin();
    bool damaged = false;
    if (!status && !load_frames(reader, said, digest)) {
        if (!memory->lenient)
            status = scree_run_reader_damaged(reader, "its table of states cannot be read", err);
        reader->frames = 0;
    } else if (!status) {
        int64_t good = count_frames(reader, said, digest, &damaged);
        char where[80];
        snprintf(where, sizeof where, "the digest of stored state %lld is wrong", (long long)good);
        if (damaged && !memory->lenient)
            status = scree_run_reader_damaged(reader, where, err);
        else if (!memory->lenient && !memory->rows && !is_whole(reader, end))
            status = scree_run_reader_damaged(reader, "the digest of the whole is wrong", err);
        reader->frames = good;
    }
    scree_arena_free(&scratch);
    return status;
}

// ---- opening

static bool is_run(hid_t file) {
    scree_arena arena = { 0 };
    bool found = strcmp(scree_layout_text(file, "format", &arena), "scree-run") == 0;
    scree_arena_free(&arena);
    return found;
}

bool scree_run_reader_knows(const char *path) {
    char reason[160];
    scree_quiet quiet = scree_layout_quiet();
    hid_t file = scree_run_open(path, reason, sizeof reason);
    bool known = file >= 0 && is_run(file);
    if (file >= 0) H5Fclose(file);
    scree_layout_loud(quiet);
    return known;
}

// Format 4 had rows before it had columns. The tables themselves are opened when the last row is
// known: what HDF5 remembers of a growing table would be older than that row.
static bool has_rows(hid_t file) {
    hid_t set = scree_layout_open(file, "steps");
    if (set >= 0) H5Dclose(set);
    return set >= 0;
}

static scree_status open_run(scree_run_reader *reader, scree_error *err) {
    struct scree_run_reader_memory *memory = reader->memory;
    char reason[160] = "", text[240], name[120] = "";
    memory->file = scree_run_open(reader->path, reason, sizeof reason);
    if (memory->file < 0 && strstr(reason, "signature"))
        return fail(reader, "is not a run file (it is no HDF5 file at all)", err);
    bool cut = strstr(reason, "truncated");
    if (memory->file < 0 && (cut || strstr(reason, "checksum")))
        return scree_run_reader_damaged(reader, cut ? "its end is missing" : "its head is torn",
                                        err);
    snprintf(text, sizeof text, "cannot be opened as a run file: %s", reason);
    if (memory->file < 0) return fail(reader, text, err);
    if (!is_run(memory->file)) return fail(reader, "is an HDF5 file, but not a run of scree", err);
    memory->format = scree_layout_integer(memory->file, "format_version");
    if (memory->format != SCREE_RUN_FORMAT && memory->format != SCREE_RUN_FORMAT_64)
        return fail(reader, "is a run file of another version of scree", err);
    memory->rows = memory->format == SCREE_RUN_FORMAT_64 || has_rows(memory->file);
    scree_run_end end;
    if (!memory->rows && !scree_run_header_check(memory->file, name, sizeof name)) {
        snprintf(text, sizeof text, "the digest of %s is wrong", *name ? name : "its digests");
        return scree_run_reader_damaged(reader, text, err);
    }
    if (!read_header(reader))
        return scree_run_reader_damaged(reader, "its header cannot be read", err);
    bool optioned = memory->settings.every > 0;
    if (!optioned && !memory->lenient)
        return scree_run_reader_damaged(
            reader, "its options cannot be read, or their digest is wrong", err);
    if (!read_wall(reader, &end) && !memory->lenient)
        return scree_run_reader_damaged(reader, "its last row is not whole", err);
    if (!scree_run_stop_read(memory->file, &memory->arena, &reader->stopped) && !memory->lenient)
        return scree_run_reader_damaged(reader, "why it ended is not whole", err);
    reader->wall_seconds = end.wall_seconds;
    reader->open = !memory->rows && end.steps < 0;
    if (!optioned || !find_tables(reader)) {
        if (!memory->lenient)
            return scree_run_reader_damaged(reader, "its tables cannot be read", err);
        reader->frames = reader->steps = reader->contacts = 0;  // the header alone
    }
    reader->steps = rows_of_end(end.steps, reader->steps);
    reader->frames = rows_of_end(end.frames, reader->frames);
    reader->contacts = rows_of_end(end.contacts, reader->contacts);
    return load_and_verify(reader, &end, err);
}

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// one attempt to open it
static scree_status open_once(const char *path, bool lenient, scree_run_reader **out, double *began,
                              scree_error *err) {
    scree_run_reader *reader = calloc(1, sizeof *reader);
    struct scree_run_reader_memory *memory = calloc(1, sizeof *memory);
    if (!reader || !memory) {
        free(reader);
        free(memory);
        return scree_fail_memory(err, NULL);
    }
    reader->memory = memory;
    memory->file = -1;
    memory->lenient = lenient;
    *began = memory->began = seconds_now();
    reader->path = scree_arena_text(&memory->arena, path, strlen(path));
    scree_quiet quiet = scree_layout_quiet();
    scree_status status = reader->path ? open_run(reader, err) : scree_fail_memory(err, NULL);
    scree_layout_loud(quiet);
    if (status)
        scree_run_reader_close(reader);
    else
        *out = reader;
    return status;
}

// A writer that begins, goes on or ends may be met between two of its writes: a first block that
// says another length than the file has, a last row half written. All is read once more then.
static scree_status open_reader(const char *path, bool lenient, scree_run_reader **out,
                                scree_error *err) {
    static const double coarse = 0.1;  // of the clocks of files
    double began;
    *out = NULL;
    scree_status status = open_once(path, lenient, out, &began, err);
    for (int i = 0; status && status != SCREE_NO_MEMORY && i < SCREE_RUN_TRIES &&
                    scree_target_changes(path, began - coarse);
         i++) {
        scree_run_wait();
        status = open_once(path, lenient, out, &began, err);
    }
    return status;
}

scree_status scree_run_reader_open(const char *path, scree_run_reader **out, scree_error *err) {
    return open_reader(path, false, out, err);
}

scree_status scree_run_reader_open_part(const char *path, scree_run_reader **out,
                                        scree_error *err) {
    return open_reader(path, true, out, err);
}

void scree_run_reader_close(scree_run_reader *reader) {
    if (!reader) return;
    struct scree_run_reader_memory *memory = reader->memory;
    scree_quiet quiet = scree_layout_quiet();
    scree_columns_reader *const tables[] = { &memory->steps,  &memory->frames,   &memory->contacts,
                                             &memory->q,      &memory->v,        &memory->strain,
                                             &memory->stress, &memory->reactions };
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) scree_columns_forget(tables[i]);
    scree_run_old_close(&memory->old);
    if (memory->file >= 0) H5Fclose(memory->file);
    scree_layout_loud(quiet);
    scree_arena_free(&memory->arena);
    free(memory);
    free(reader);
}

bool scree_run_reader_before(const scree_run_reader *reader) { return reader->memory->rows; }

hid_t scree_run_reader_file(const scree_run_reader *reader) { return reader->memory->file; }

// ---- rows

// `there` rows of a table; a mistake of the caller, not of the file
static scree_status check_range(const scree_run_reader *reader, int64_t first, int64_t count,
                                int64_t there, scree_error *err) {
    if (first < 0 || count < 0 || first > there || count > there - first)
        return fail(reader, "has fewer rows than asked for", err);
    return SCREE_OK;
}

static scree_status wrong_row(const scree_run_reader *reader, const char *what, int64_t row,
                              scree_error *err) {
    char where[100];
    snprintf(where, sizeof where, "the digest of %s %lld is wrong", what, (long long)row);
    return scree_run_reader_damaged(reader, where, err);
}

static scree_digest *begin_digests(int64_t count) {
    scree_digest *digest = malloc(((size_t)count + 1) * sizeof *digest);
    for (int64_t i = 0; digest && i < count; i++) digest[i] = scree_digest_begin();
    return digest;
}

static scree_status read_steps(scree_run_reader *reader, int64_t first, int64_t count,
                               scree_step_row *row, scree_error *err) {
    const struct scree_run_reader_memory *memory = reader->memory;
    if (memory->rows)
        return scree_run_old_rows(memory->old.steps, memory->old.step_type, first, count, row)
                   ? SCREE_OK
                   : scree_run_reader_damaged(reader, "its steps cannot be read", err);
    scree_digest *digest = begin_digests(count);
    uint64_t *said = malloc(((size_t)count + 1) * sizeof *said);
    scree_status status = digest && said ? SCREE_OK : scree_fail_memory(err, NULL);
    if (!status &&
        !scree_columns_read(&memory->steps, first, count, row, sizeof *row, digest, said))
        status = scree_run_reader_damaged(reader, "its steps cannot be read", err);
    for (int64_t i = 0; !status && i < count; i++)
        if (said[i] != scree_digest_value(&digest[i]))
            status = wrong_row(reader, "step", first + i, err);
    free(digest);
    free(said);
    return status;
}

scree_status scree_run_reader_steps(scree_run_reader *reader, int64_t first, int64_t count,
                                    scree_step_row *row, scree_error *err) {
    scree_status status = check_range(reader, first, count, reader->steps, err);
    if (status) return status;
    memset(row, 0, (size_t)count * sizeof *row);  // fields that are not stored
    scree_quiet quiet = scree_layout_quiet();
    status = read_steps(reader, first, count, row, err);
    scree_layout_loud(quiet);
    return status;
}

scree_status scree_run_reader_frames(scree_run_reader *reader, int64_t first, int64_t count,
                                     scree_frame_row *row, scree_error *err) {
    scree_status status = check_range(reader, first, count, reader->frames, err);
    for (int64_t i = 0; !status && i < count; i++) row[i] = reader->memory->frame[first + i].row;
    return status;
}

// One or two arrays of each frame with one digest, which is field `at` of the frame's record.
typedef struct arrays {
    const scree_columns_reader *table[2];
    hid_t set[2], type[2];  // of a file of before
    double *out[2];
    size_t at;
    const char *what;
} arrays;

static scree_status read_arrays(scree_run_reader *reader, int64_t first, int64_t count,
                                const arrays *a, scree_error *err) {
    const struct scree_run_reader_memory *memory = reader->memory;
    scree_status status = check_range(reader, first, count, reader->frames, err);
    if (status) return status;
    scree_quiet quiet = scree_layout_quiet();
    scree_digest *digest = begin_digests(count);
    bool fine = true;
    if (!digest) status = scree_fail_memory(err, NULL);
    for (int k = 0; k < 2 && !status && fine && a->out[k]; k++)
        fine = memory->rows ? scree_run_old_rows(a->set[k], a->type[k], first, count, a->out[k])
                            : scree_columns_read(a->table[k], first, count, a->out[k],
                                                 a->table[k]->column[0].width * sizeof(double),
                                                 digest, NULL);
    if (!status && !fine)
        status = scree_run_reader_damaged(reader, "its states cannot be read", err);
    for (int64_t i = 0; !status && !memory->rows && i < count; i++) {
        uint64_t said;
        memcpy(&said, (const char *)&memory->frame[first + i] + a->at, sizeof said);
        if (said != scree_digest_value(&digest[i]))
            status = wrong_row(reader, a->what, first + i, err);
    }
    free(digest);
    scree_layout_loud(quiet);
    return status;
}

scree_status scree_run_reader_states(scree_run_reader *reader, int64_t first, int64_t count,
                                     double *q, double *v, scree_error *err) {
    const struct scree_run_reader_memory *memory = reader->memory;
    const arrays a = { { &memory->q, &memory->v },
                       { memory->old.q, memory->old.v },
                       { memory->old.q_type, memory->old.v_type },
                       { q, v },
                       offsetof(scree_frame_record, state_digest),
                       "q and v of stored state" };
    return read_arrays(reader, first, count, &a, err);
}

scree_status scree_run_reader_stress(scree_run_reader *reader, int64_t first, int64_t count,
                                     double *strain, double *stress, scree_error *err) {
    const struct scree_run_reader_memory *memory = reader->memory;
    if (!reader->elements) return fail(reader, "does not hold strain and stress", err);
    const arrays a = { { &memory->strain, &memory->stress },
                       { memory->old.strain, memory->old.stress },
                       { memory->old.tensor_type, memory->old.tensor_type },
                       { strain, stress },
                       offsetof(scree_frame_record, stress_digest),
                       "strain and stress of stored state" };
    return read_arrays(reader, first, count, &a, err);
}

scree_status scree_run_reader_reactions(scree_run_reader *reader, int64_t first, int64_t count,
                                        double *reaction, scree_error *err) {
    const struct scree_run_reader_memory *memory = reader->memory;
    if (!reader->reaction_nodes) return fail(reader, "does not hold reactions", err);
    const arrays a = { { &memory->reactions, NULL },
                       { memory->old.reactions, -1 },
                       { memory->old.force_type, -1 },
                       { reaction, NULL },
                       offsetof(scree_frame_record, reactions_digest),
                       "reactions of stored state" };
    return read_arrays(reader, first, count, &a, err);
}

// ---- contacts

// the frame that a row of contacts belongs to, or the number of frames
static int64_t frame_of(const scree_run_reader *reader, int64_t contact) {
    int64_t low = 0, high = reader->frames;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        const scree_frame_row *row = &reader->memory->frame[middle].row;
        if (row->first_contact + row->contacts <= contact)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static scree_status read_contacts(scree_run_reader *reader, int64_t first, int64_t count,
                                  scree_contact_row *row, scree_digest *digest, scree_error *err) {
    const struct scree_run_reader_memory *memory = reader->memory;
    bool fine =
        memory->rows
            ? scree_run_old_rows(memory->old.contacts, memory->old.contact_type, first, count, row)
            : scree_columns_read(&memory->contacts, first, count, row, sizeof *row, digest, NULL);
    return fine ? SCREE_OK : scree_run_reader_damaged(reader, "its contacts cannot be read", err);
}

// Contacts of frames first to last - 1 have the digests of their frames: those of the digests of
// all rows.
static scree_status verify(scree_run_reader *reader, int64_t first, int64_t last,
                           scree_error *err) {
    enum { BLOCK = 2048 };
    struct scree_run_reader_memory *memory = reader->memory;
    const scree_frame_row *end = &memory->frame[last - 1].row;
    int64_t at = memory->frame[first].row.first_contact, stop = end->first_contact + end->contacts;
    scree_contact_row *row = malloc(BLOCK * sizeof *row);
    scree_digest sum = scree_digest_begin(), *digest = NULL;
    scree_status status = row ? SCREE_OK : scree_fail_memory(err, NULL);
    int64_t have = 0, next = 0;  // rows of the block, and the one to look at
    for (int64_t f = first; !status && f < last; f++) {
        const scree_frame_record *record = &memory->frame[f];
        for (int64_t k = 0; !status && k < record->row.contacts; k++) {
            if (next == have) {
                have = stop - at < BLOCK ? stop - at : BLOCK;
                next = 0;
                free(digest);
                digest = begin_digests(have);
                status = digest ? read_contacts(reader, at, have, row, digest, err)
                                : scree_fail_memory(err, NULL);
                at += have;
            }
            if (!status) scree_digest_word(&sum, scree_digest_value(&digest[next++]));
        }
        if (!status && scree_digest_value(&sum) != record->contacts_digest)
            status = wrong_row(reader, "contacts of stored state", f, err);
        memory->verified[f] = !status;
        sum = scree_digest_begin();
    }
    free(digest);
    free(row);
    return status;
}

scree_status scree_run_reader_check_contacts(scree_run_reader *reader, int64_t first, int64_t count,
                                             scree_error *err) {
    if (reader->memory->rows) return SCREE_OK;
    scree_quiet quiet = scree_layout_quiet();
    scree_status status = verify(reader, first, first + count, err);
    scree_layout_loud(quiet);
    return status;
}

// what is not stored, but follows: step, works, the tangent
static void complete(const scree_run_reader *reader, int64_t step, scree_contact_row *row) {
    const struct scree_run_reader_memory *memory = reader->memory;
    scree_contact *contact = &row->contact;
    double second[3], *n = contact->normal, *t = contact->tangent;
    if (memory->format == SCREE_RUN_FORMAT_64)
        contact->id = scree_contact_id_of_64(contact->id.word[0], contact->a < 0);
    if (reader->space == 2) {
        t[0] = -n[1];
        t[1] = n[0];
    }
    if (memory->rows) return;
    bool stored = t[0] != 0 || t[1] != 0 || t[2] != 0, bare = n[0] == 0 && n[1] == 0 && n[2] == 0;
    if (reader->space == 3 && !stored && !bare) scree_tangents(n, t, second);
    row->step = step;
    double alpha = contact->theta > 0 ? contact->theta : memory->settings.alpha;
    const scree_contact_work work = scree_ledger_contact(contact, reader->dimension, alpha, 0);
    row->work_normal = work.normal;
    row->work_tangential = work.tangential;
}

scree_status scree_run_reader_contacts(scree_run_reader *reader, int64_t first, int64_t count,
                                       scree_contact_row *row, scree_error *err) {
    struct scree_run_reader_memory *memory = reader->memory;
    scree_status status = check_range(reader, first, count, reader->contacts, err);
    if (status || !count) return status;
    memset(row, 0, (size_t)count * sizeof *row);  // fields that are not stored
    scree_quiet quiet = scree_layout_quiet();
    int64_t frame = frame_of(reader, first);
    int64_t last = frame;
    bool known = true;
    for (; !memory->rows && last < reader->frames &&
           memory->frame[last].row.first_contact < first + count;
         last++)
        known = known && memory->verified[last];
    if (!known) status = verify(reader, frame, last, err);
    scree_digest *unused = begin_digests(count);
    if (!status)
        status = unused ? read_contacts(reader, first, count, row, unused, err)
                        : scree_fail_memory(err, NULL);
    free(unused);
    for (int64_t i = 0; !status && i < count; i++) {
        while (frame < reader->frames &&
               memory->frame[frame].row.first_contact + memory->frame[frame].row.contacts <=
                   first + i)
            frame++;
        complete(reader, frame < reader->frames ? memory->frame[frame].row.step : -1, &row[i]);
    }
    scree_layout_loud(quiet);
    return status;
}
