// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_writer.c - the run file while it grows.
// in: records, ledgers, totals.   out: an HDF5 file.   work: rows in memory until the next flush.
//
// Rows are collected in chunks (columns.h) and flushed at least twice a second, in long runs less
// often. After its header is written the file is in HDF5's single-writer mode, whose order of
// writes keeps it readable when the process is killed at any moment.

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/space.h"
#include "scene/scene.h"
#include "scree/stress.h"
#include "store/run_open.h"
#include "store/run_stop.h"
#include "store/run_vtkhdf.h"
#include "store/run_write.h"

// Bytes and rows of a chunk. A compressed chunk that grows is written again at another place, and
// the old place is lost: the longer a run, the less often it is flushed.
enum { CHUNK_BYTES = 1 << 16, CONTACT_ROWS = 1024, ROWS_LEAST = 64, MANY = 1 << 16 };
static const double flush_least = 0.5, flush_most = 5, flush_share = 0.05;

scree_status scree_run_writer_fail(const scree_run_writer *writer, const char *what,
                                   scree_error *err) {
    char reason[160];
    scree_layout_reason(reason, sizeof reason);
    const scree_driver_errors *errors = &writer->errors;
    int known = errors->writing ? errors->writing : errors->opening;
    scree_source_location at = { writer->path, 0, 0 };
    const char *why = known == EAGAIN ? "it is open elsewhere, here or in another program"
                      : known         ? strerror(known)
                                      : reason;
    return scree_fail(err, SCREE_FILE_ERROR, at, "%s: %s%s", what, why,
                      known ? "" : "; scree recover tells whether it is damaged");
}

static double seconds_since(const struct timespec *then) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

// ---- tables

static void describe_array(scree_run_writer *writer, int table, const char *name, int rows,
                           int numbers, int parts) {
    writer->table[table].single = writer->single;
    writer->table[table].compression = writer->compression > 0 ? writer->compression : 0;
    scree_columns_describe_array(&writer->table[table], name, rows, numbers, parts);
}

// The numbers of few bodies have chunks of their own: those of a ground at the origin are not in
// the file, and what does not change is found when they are packed.
static int parts_of(const scree_model *model, int numbers, int body_numbers) {
    enum { FEW = 8 };
    bool few = model->bodies > 1 && model->bodies <= FEW;
    return few && numbers == model->bodies * body_numbers ? numbers : 1;
}

// strain, stress and reactions, and room for those of one state
static bool describe_results(scree_run_writer *writer, const scree_run_options *options) {
    const scree_model *model = writer->model;
    int elements = scree_stress_elements(model), nodes = scree_stress_nodes(model);
    size_t six = (size_t)elements * SCREE_TENSOR;
    if (elements && options->store_stress) {
        describe_array(writer, SCREE_RUN_STRAIN, "strain", elements, SCREE_TENSOR, 1);
        describe_array(writer, SCREE_RUN_STRESS, "stress", elements, SCREE_TENSOR, 1);
        writer->strain = calloc(six, sizeof *writer->strain);
        writer->stress = calloc(six, sizeof *writer->stress);
        if (!writer->strain || !writer->stress) return false;
    }
    if (nodes && options->store_reactions) {
        describe_array(writer, SCREE_RUN_REACTIONS, "reactions", nodes, model->space, 1);
        writer->reaction = calloc((size_t)nodes * (size_t)model->space, sizeof *writer->reaction);
        writer->scratch = calloc(2 * (size_t)model->dofs, sizeof *writer->scratch);
        if (!writer->reaction || !writer->scratch) return false;
    }
    return true;
}

// steps and frames keep every digit and are not compressed; contacts are, unless told otherwise
static bool describe_tables(scree_run_writer *writer, const scree_run_options *options) {
    const scree_model *model = writer->model;
    scree_extent extent = { model->space, model->dimension, false, SCREE_RUN_FORMAT };
    scree_columns *all = writer->table;
    for (int i = 0; i < SCREE_RUN_TABLES; i++) {
        all[i].packer = &writer->packer;
        all[i].background = writer->background;
    }
    all[SCREE_RUN_STEPS].digest = &writer->sums.steps;
    all[SCREE_RUN_FRAMES].digest = &writer->sums.frames;
    scree_columns_describe(&all[SCREE_RUN_STEPS], "steps", SCREE_TABLE_STEPS, extent);
    scree_columns_describe(&all[SCREE_RUN_FRAMES], "frames", SCREE_TABLE_FRAMES, extent);
    all[SCREE_RUN_CONTACTS].single = writer->single;
    all[SCREE_RUN_CONTACTS].compression = writer->compression < 0 ? 1 : writer->compression;
    scree_columns_describe(&all[SCREE_RUN_CONTACTS], "contacts", SCREE_TABLE_CONTACTS, extent);
    describe_array(writer, SCREE_RUN_Q, "q", model->coordinates, 0,
                   parts_of(model, model->coordinates, model->body_coordinates));
    describe_array(writer, SCREE_RUN_V, "v", model->dofs, 0,
                   parts_of(model, model->dofs, model->body_dofs));
    return describe_results(writer, options);
}

// Rows of a chunk. The last chunk takes its room in the file whether it is full or not: the rows
// that the run will have are spread over as many as there must be.
static hsize_t chunk_rows(const scree_run_writer *writer, int table) {
    double expected = writer->steps / (table == SCREE_RUN_STEPS ? 1 : writer->every) + 1;
    if (table == SCREE_RUN_CONTACTS) return expected < MANY ? CONTACT_ROWS : 4 * CONTACT_ROWS;
    const scree_column *column = &writer->table[table].column[0];
    double most = (double)CHUNK_BYTES / (double)(column->width * column->size);
    double chunks = ceil(expected / (most < 1 ? 1 : most));
    double rows = ceil(expected / chunks / ROWS_LEAST) * ROWS_LEAST;
    return rows > most ? (hsize_t)(most < 1 ? 1 : most) : (hsize_t)rows;
}

// ---- flushing

// to the disk itself, where there is one: after this a power cut takes nothing
static void sync_file(scree_run_writer *writer) {
    if (fsync(writer->target.descriptor) != 0 && errno != EINVAL && errno != ENOSYS &&
        !writer->errors.writing)
        writer->errors.writing = errno;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &writer->synced);
}

// frames come last, so that a frame in the file is always whole
static scree_status give(scree_run_writer *writer, bool (*to_file)(scree_columns *columns),
                         scree_error *err) {
    scree_quiet quiet = scree_layout_quiet();
    bool fine = true;
    scree_background_wait(writer->background);
    for (int i = 0; fine && i < SCREE_RUN_TABLES; i++) {
        if (i == SCREE_RUN_FRAMES) fine = H5Fflush(writer->file, H5F_SCOPE_LOCAL) >= 0;
        fine = fine && to_file(&writer->table[i]);
    }
    fine = fine && H5Fflush(writer->file, H5F_SCOPE_LOCAL) >= 0 && !writer->errors.writing;
    if (fine && writer->checkpoint > 0 && seconds_since(&writer->synced) > writer->checkpoint)
        sync_file(writer);
    scree_status status = fine && !writer->errors.writing
                              ? SCREE_OK
                              : scree_run_writer_fail(writer, "cannot write", err);
    scree_layout_loud(quiet);
    clock_gettime(CLOCK_MONOTONIC_COARSE, &writer->flushed);
    return status;
}

static scree_status flush(scree_run_writer *writer, scree_error *err) {
    return give(writer, scree_columns_flush, err);
}

// the state with every digit, where the tables round it; they are on the disk up to it before
scree_status scree_run_writer_keep_state(scree_run_writer *writer, const scree_state *state,
                                         const scree_contact *contact, int contacts,
                                         scree_error *err) {
    if (!writer->single) return SCREE_OK;
    scree_status status = flush(writer, err);
    if (status) return status;
    scree_quiet quiet = scree_layout_quiet();
    if (!scree_restart_write(&writer->restart, state, contact, contacts) || writer->errors.writing)
        status = scree_run_writer_fail(writer, "cannot write", err);
    scree_layout_loud(quiet);
    return status;
}

// is it time to write to the disk?
static bool late(const scree_run_writer *writer) {
    double since = seconds_since(&writer->flushed);
    if (since <= flush_least) return false;
    double wait = flush_share * seconds_since(&writer->began);
    return since > (wait < flush_least ? flush_least : wait > flush_most ? flush_most : wait);
}

// ---- rows

static bool put(scree_run_writer *writer, int table, const void *row, scree_digest *digest) {
    return scree_columns_put(&writer->table[table], row, digest);
}

bool scree_run_writer_put_step(scree_run_writer *writer, int64_t step, double time,
                               const scree_account *account) {
    scree_step_row *row = scree_columns_next(&writer->table[SCREE_RUN_STEPS]);
    row->step = step;
    row->time = time;
    row->account = *account;
    return scree_columns_add(&writer->table[SCREE_RUN_STEPS]);
}

// a tangent that follows from the normal is not stored
static void drop_tangent(scree_contact *contact) {
    double first[3], second[3];
    scree_tangents(contact->normal, first, second);
    if (memcmp(first, contact->tangent, sizeof first) == 0)
        memset(contact->tangent, 0, sizeof contact->tangent);
}

bool scree_run_writer_put_contact(scree_run_writer *writer, const scree_contact *contact,
                                  scree_run_frame *frame) {
    scree_contact_row row = { .contact = *contact };
    scree_digest digest = scree_digest_begin();
    if (writer->model->space == 3) drop_tangent(&row.contact);
    bool fine = put(writer, SCREE_RUN_CONTACTS, &row, &digest);
    scree_digest_word(&frame->contacts, scree_digest_value(&digest));
    frame->count++;
    return fine;
}

scree_run_frame scree_run_writer_begin_frame(const scree_run_writer *writer) {
    return (scree_run_frame){ (int64_t)writer->table[SCREE_RUN_CONTACTS].rows, 0,
                              scree_digest_begin() };
}

bool scree_run_writer_put_frame(scree_run_writer *writer, const scree_run_frame *frame,
                                const scree_state *state, const double *strain,
                                const double *stress, const double *reaction) {
    scree_frame_record *record = scree_columns_next(&writer->table[SCREE_RUN_FRAMES]);
    *record = (scree_frame_record){
        .row = { state->step, state->time, frame->first, frame->count },
        .contacts_digest = scree_digest_value(&frame->contacts),
    };
    scree_digest digest = scree_digest_begin();
    bool fine =
        put(writer, SCREE_RUN_Q, state->q, &digest) && put(writer, SCREE_RUN_V, state->v, &digest);
    record->state_digest = scree_digest_value(&digest);
    if (stress) {
        digest = scree_digest_begin();
        fine = fine && put(writer, SCREE_RUN_STRAIN, strain, &digest) &&
               put(writer, SCREE_RUN_STRESS, stress, &digest);
        record->stress_digest = scree_digest_value(&digest);
    }
    if (reaction) {
        digest = scree_digest_begin();
        fine = fine && put(writer, SCREE_RUN_REACTIONS, reaction, &digest);
        record->reactions_digest = scree_digest_value(&digest);
    }
    return fine && scree_columns_add(&writer->table[SCREE_RUN_FRAMES]);
}

// the state of a record with its contacts; forces of the step that led to it, none without
static bool add_frame(scree_run_writer *writer, const scree_state *state,
                      const scree_step_record *record, bool forces) {
    const scree_model *model = writer->model;
    scree_run_frame frame = scree_run_writer_begin_frame(writer);
    bool fine = true;
    for (int i = 0; fine && record && i < record->contacts; i++) {
        const scree_contact *contact = &record->contact[i];
        if (writer->active_only && contact->status == SCREE_CONTACT_INACTIVE) continue;
        fine = scree_run_writer_put_contact(writer, contact, &frame);
    }
    if (writer->stress) scree_stress_find_all(model, state->q, writer->strain, writer->stress);
    if (writer->reaction && forces)
        scree_reaction_find(model, writer->alpha, record, writer->reaction, writer->scratch);
    else if (writer->reaction)
        memset(writer->reaction, 0,
               (size_t)scree_stress_nodes(model) * (size_t)model->space * sizeof(double));
    return fine && scree_run_writer_put_frame(writer, &frame, state, writer->strain, writer->stress,
                                              writer->reaction);
}

// what HDF5 or the disk refused while rows were put
static scree_status judge(const scree_run_writer *writer, bool fine, scree_error *err) {
    return fine && !writer->errors.writing ? SCREE_OK
                                           : scree_run_writer_fail(writer, "cannot write", err);
}

scree_status scree_run_writer_step(scree_run_writer *writer, const scree_step_record *record,
                                   const scree_account *account, bool keep, scree_error *err) {
    bool fine = scree_run_writer_put_step(writer, record->after.step, record->after.time, account);
    if (keep || record->after.step % writer->every == 0)
        fine = fine && add_frame(writer, &record->after, record, true);
    scree_status status = judge(writer, fine, err);
    if (status) return status;
    bool on_time = late(writer);
    if (writer->single && (keep || (on_time && scree_restart_due(&writer->restart))))
        return scree_run_writer_keep_state(writer, &record->after, record->contact,
                                           record->contacts, err);
    return on_time ? flush(writer, err) : SCREE_OK;
}

scree_status scree_run_writer_keep(scree_run_writer *writer, const scree_step_record *record,
                                   scree_error *err) {
    scree_status status = SCREE_OK;
    if (record->after.step % writer->every != 0)
        status = judge(writer, add_frame(writer, &record->after, record, false), err);
    return status ? status
                  : scree_run_writer_keep_state(writer, &record->after, record->contact,
                                                record->contacts, err);
}

// ---- opening and closing

// What HDF5 still has is written now: errors can come as late as this.
static void close_file(scree_run_writer *writer) {
    scree_background_wait(writer->background);
    for (int i = 0; i < SCREE_RUN_TABLES; i++) scree_columns_close(&writer->table[i]);
    scree_restart_close(&writer->restart);
    if (writer->file > 0) H5Fclose(writer->file);
    writer->file = -1;
}

static void release(scree_run_writer *writer) {
    close_file(writer);
    scree_background_end(writer->background);
    scree_packer_free(&writer->packer);
    free(writer->strain);
    free(writer->stress);
    free(writer->reaction);
    free(writer->scratch);
    if (writer->driver > 0) H5FDunregister(writer->driver);
    scree_target_release(&writer->target);
    free(writer->path);
    free(writer);
}

static scree_status no_memory(const char *path, scree_error *err) {
    return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for writing %s", path);
}

// HDF5 itself must let threads in; without memory or with another HDF5 there is no background
static scree_background *begin_background(void) {
    hbool_t safe = false;
    return H5is_library_threadsafe(&safe) >= 0 && safe ? scree_background_begin() : NULL;
}

static scree_run_writer *new_writer(const char *path, const scree_run_origin *origin,
                                    scree_error *err) {
    const scree_run_options *options = origin->options;
    const scree_model *model = origin->model;
    scree_run_writer *writer = calloc(1, sizeof *writer);
    if (writer) {
        writer->model = model;
        const scree_scheme_options chosen = scree_scheme_choose(model, &options->scheme);
        writer->alpha = scree_scheme_alpha(&chosen);
        writer->duration = options->duration;
        writer->steps = options->duration / chosen.step;
        writer->every = options->store_every;
        writer->active_only = options->store_active_only;
        writer->single = options->precision_single;
        writer->compression = options->compression;
        writer->restart = (scree_restart){ .format = SCREE_RUN_FORMAT,
                                           .space = model->space,
                                           .dimension = model->dimension,
                                           .coordinates = model->coordinates,
                                           .dofs = model->dofs,
                                           .set = { -1, -1 } };
        writer->file = writer->driver = writer->target.descriptor = -1;
        writer->sums = (scree_run_sums){ scree_digest_begin(), scree_digest_begin() };
        writer->path = strdup(path);
        clock_gettime(CLOCK_MONOTONIC_COARSE, &writer->began);
        writer->flushed = writer->synced = writer->began;
        writer->checkpoint = options->checkpoint;
        writer->background = begin_background();
        if (writer->path && describe_tables(writer, options)) return writer;
        release(writer);
    }
    no_memory(path, err);
    return NULL;
}

// a row that is not known before the end
static bool make_end(hid_t file) {
    hid_t space = H5Screate(H5S_SCALAR), type = scree_run_end_type();
    hid_t set = H5Dcreate2(file, "end", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool fine = set >= 0;
    if (set >= 0) H5Dclose(set);
    H5Tclose(type);
    H5Sclose(space);
    scree_run_end open = { 0, -1, -1, -1, 0, 0 };
    return fine && scree_run_end_write(file, &open);
}

// header and empty tables
static scree_status begin(scree_run_writer *writer, const scree_run_origin *origin, const double *q,
                          scree_error *err) {
    bool fine = true;
    scree_run_header_write(writer->file, origin, q, &fine);
    scree_run_header_seal(writer->file, &fine);
    fine = fine && make_end(writer->file) && scree_run_stop_write(writer->file, "") &&
           scree_run_vtkhdf_prepare(writer->file, writer->model);
    for (int i = 0; i < SCREE_RUN_TABLES; i++)
        if (writer->table[i].count)
            fine = fine &&
                   scree_columns_create(&writer->table[i], writer->file, chunk_rows(writer, i));
    if (writer->single) fine = fine && scree_restart_create(&writer->restart, writer->file);
    fine = fine && !writer->errors.writing;
    return fine ? SCREE_OK : scree_run_writer_fail(writer, "cannot write", err);
}

// what the file begins with: the start of a run, or all of a file of before
typedef struct beginning {
    const scree_state *start;
    const scree_account *account;
    scree_run_reader *before;
    const scree_resume_point *point;
} beginning;

static scree_status put_beginning(scree_run_writer *writer, const beginning *first,
                                  scree_error *err) {
    if (first->before) return scree_run_convert(writer, first->before, first->point, err);
    scree_account account = *first->account;
    account.converged = 1;
    bool fine =
        scree_run_writer_put_step(writer, first->start->step, first->start->time, &account) &&
        add_frame(writer, first->start, NULL, false);
    scree_status status = judge(writer, fine, err);
    return status ? status : scree_run_writer_keep_state(writer, first->start, NULL, 0, err);
}

// to the disk with what was laid out in memory
static scree_status let_go(scree_run_writer *writer, scree_error *err) {
    scree_driver_let_go(writer->file);
    return judge(writer, true, err);
}

// the file gets its name when it can be read: a process killed before leaves the old one alone
static scree_status create(scree_run_writer *writer, const scree_run_origin *origin,
                           const beginning *first, scree_error *err) {
    char *fresh = scree_target_beside(writer->target.path);
    if (!fresh) return no_memory(writer->path, err);
    hid_t plist = scree_run_access(&writer->errors, &writer->driver), root = scree_layout_root();
    writer->file = H5Fcreate(fresh, H5F_ACC_EXCL | H5F_ACC_SWMR_WRITE, root, plist);
    H5Pclose(root);
    H5Pclose(plist);
    bool created = writer->file >= 0;
    if (created) {
        scree_driver_hold(writer->file);
        H5Fset_dset_no_attrs_hint(writer->file, 1);
    }
    scree_status status =
        created ? SCREE_OK : scree_run_writer_fail(writer, "cannot be created", err);
    double *q = calloc((size_t)writer->model->coordinates + 1, sizeof *q);
    if (!status && !q) status = no_memory(writer->path, err);
    if (!status && first->start)
        memcpy(q, first->start->q, (size_t)writer->model->coordinates * sizeof *q);
    if (!status && first->before) status = scree_run_convert_start(first->before, q, err);
    if (!status) status = begin(writer, origin, q, err);
    if (!status) status = put_beginning(writer, first, err);
    if (!status) status = flush(writer, err);
    if (!status) status = let_go(writer, err);
    if (!status) status = scree_target_replace(&writer->target, fresh, err);
    if (status && created) unlink(fresh);
    free(q);
    free(fresh);
    return status;
}

scree_status scree_run_writer_new(const char *path, const scree_run_origin *origin,
                                  const scree_state *start, const scree_account *account,
                                  scree_run_writer **out, scree_error *err) {
    *out = NULL;
    scree_run_writer *writer = new_writer(path, origin, err);
    if (!writer) return SCREE_NO_MEMORY;
    scree_quiet quiet = scree_layout_quiet();
    const beginning first = { .start = start, .account = account };
    const scree_target_kind run = { scree_run_reader_knows, "run" };
    scree_status status = scree_target_claim(path, run, &writer->target, err);
    if (!status) status = create(writer, origin, &first, err);
    if (status)
        release(writer);
    else
        *out = writer;
    scree_layout_loud(quiet);
    return status;
}

static bool open_again(scree_run_writer *writer) {
    hid_t plist = scree_run_access_again(&writer->errors, &writer->driver);
    writer->file =
        scree_run_open_patiently(writer->path, H5F_ACC_RDWR, plist, &writer->errors.opening);
    H5Pclose(plist);
    return writer->file >= 0;
}

// What stands behind the point that a run goes on from is taken away, table by table: until all is
// done the last row of the file says how many rows count. It is done in single-writer mode, which
// leaves what was there in its place, so that a process killed in between leaves a file to read.
static bool cut(scree_run_writer *writer) {
    bool fine = true;
    for (int i = 0; i < SCREE_RUN_TABLES; i++) fine = fine && scree_columns_cut(&writer->table[i]);
    scree_run_end open = { writer->wall_before, -1, -1, -1, 0, 0 };
    return fine && H5Fflush(writer->file, H5F_SCOPE_LOCAL) >= 0 &&
           scree_run_end_write(writer->file, &open) && H5Fflush(writer->file, H5F_SCOPE_LOCAL) >= 0;
}

// what a run file goes on from; a step that was kept for resuming only is taken out again
static bool reopen(scree_run_writer *writer, const scree_resume_point *point) {
    scree_run_end open =
        scree_run_end_of_cut(writer->wall_before, point->step + 1, point->frames, point->contacts);
    bool fine = open_again(writer) && scree_run_end_write(writer->file, &open) &&
                scree_run_header_put_duration(writer->file, writer->duration);
    fine = fine && scree_run_stop_write(writer->file, "");
    if (fine) scree_run_vtkhdf_clear(writer->file);
    for (int i = 0; i < SCREE_RUN_TABLES; i++) {
        int64_t rows = i == SCREE_RUN_STEPS      ? point->step + 1
                       : i == SCREE_RUN_CONTACTS ? point->contacts
                                                 : point->frames;
        if (writer->table[i].count)
            fine = fine && scree_columns_open(&writer->table[i], writer->file, (hsize_t)rows);
    }
    return fine &&
           (!writer->single || scree_restart_open(&writer->restart, writer->file, point->slot)) &&
           H5Fflush(writer->file, H5F_SCOPE_LOCAL) >= 0 && H5Fstart_swmr_write(writer->file) >= 0 &&
           cut(writer) && !writer->errors.writing;
}

// with the file of a run that was stopped, which is let go
static scree_status go_on(scree_run_writer *writer, const scree_run_origin *origin,
                          scree_run_reader *reader, const scree_resume_point *point,
                          scree_error *err) {
    writer->wall_before = reader->wall_seconds;
    if (scree_run_reader_before(reader)) {
        const beginning first = { .before = reader, .point = point };
        scree_status status = create(writer, origin, &first, err);
        scree_run_reader_close(reader);
        return status;
    }
    bool fine = scree_run_reader_sums(reader, point->step + 1, point->frames, &writer->sums);
    scree_run_reader_close(reader);
    fine = fine && reopen(writer, point);
    return fine ? SCREE_OK : scree_run_writer_fail(writer, "cannot be continued", err);
}

scree_status scree_run_writer_resume(const char *path, scree_run_claim *claim,
                                     const scree_run_origin *origin, scree_run_writer **out,
                                     scree_error *err) {
    *out = NULL;
    scree_run_reader *reader = NULL;
    scree_resume_point point = { 0 };
    scree_status status = claim ? SCREE_OK : scree_run_claim_take(path, &claim, err);
    if (status) return status;
    scree_target target = scree_target_of_claim(claim);
    status = scree_run_reader_open(path, &reader, err);
    if (!status) status = scree_run_reader_point(reader, &point, err);
    scree_run_writer *writer = status ? NULL : new_writer(path, origin, err);
    if (!writer) {
        scree_run_reader_close(reader);
        free(point.word);
        scree_target_release(&target);
        return status ? status : SCREE_NO_MEMORY;
    }
    scree_quiet quiet = scree_layout_quiet();
    writer->target = target;
    status = go_on(writer, origin, reader, &point, err);
    free(point.word);
    if (status)
        release(writer);
    else
        *out = writer;
    scree_layout_loud(quiet);
    return status;
}

scree_status scree_run_writer_note_program(scree_run_writer *writer, scree_error *err) {
    scree_quiet quiet = scree_layout_quiet();
    scree_background_wait(writer->background);
    bool fine = scree_run_header_put_program(writer->file) && !writer->errors.writing;
    scree_layout_loud(quiet);
    return fine ? SCREE_OK : scree_run_writer_fail(writer, "cannot write", err);
}

void scree_run_writer_stop(scree_run_writer *writer, const char *why) {
    scree_quiet quiet = scree_layout_quiet();
    scree_background_wait(writer->background);
    scree_run_stop_write(writer->file, why);  // errors of the disk are told when it is closed
    scree_layout_loud(quiet);
}

// the run is whole before others get their view of it
static bool view(scree_run_writer *writer, int64_t frames) {
    if (!open_again(writer)) return true;  // a reader was faster: they do without
    H5Fset_dset_no_attrs_hint(writer->file, 1);
    scree_run_vtkhdf_fill(writer->file, writer->model, frames, &writer->packer);
    close_file(writer);
    return true;
}

scree_status scree_run_writer_close(scree_run_writer *writer, double wall_seconds,
                                    scree_error *err) {
    scree_status status = give(writer, scree_columns_end, err);
    scree_quiet quiet = scree_layout_quiet();
    scree_run_end end = { wall_seconds + writer->wall_before,
                          (int64_t)writer->table[SCREE_RUN_STEPS].rows,
                          (int64_t)writer->table[SCREE_RUN_FRAMES].rows,
                          (int64_t)writer->table[SCREE_RUN_CONTACTS].rows,
                          scree_run_sums_digest(&writer->sums),
                          0 };
    bool fine =
        scree_run_end_write(writer->file, &end) && H5Fflush(writer->file, H5F_SCOPE_LOCAL) >= 0;
    close_file(writer);
    sync_file_range(writer->target.descriptor, 0, 0,
                    SYNC_FILE_RANGE_WRITE);  // while views are made
    fine = fine && !writer->errors.writing && view(writer, end.frames);
    sync_file(writer);
    if ((!fine || writer->errors.writing) && !status)
        status = scree_run_writer_fail(writer, "cannot write", err);
    release(writer);
    scree_layout_loud(quiet);
    return status;
}
