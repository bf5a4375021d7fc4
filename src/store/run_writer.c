// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_writer.c - the run file while it grows.
// in: records, ledgers, totals.   out: an HDF5 file.   work: rows in memory until the next flush.
//
// Rows are collected and written in blocks, at least twice a second. After its header is written
// the file is in HDF5's single-writer mode, whose order of writes keeps it readable when the
// process is killed at any moment.

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "scene/scene.h"
#include "scree/stress.h"
#include "scree/sweeping.h"
#include "store/driver.h"
#include "store/layout.h"
#include "store/run_mesh.h"
#include "store/run_restart.h"
#include "store/target.h"

enum { ROWS = 1024, CHUNK = 1024, CHUNK_BYTES = 1 << 20, COMPRESSED_BYTES = 1 << 16 };

// A compressed chunk that grows is written again at another place, and the old place is lost: a
// table waits for a whole chunk, but not forever.
static const double flush_seconds = 0.5, patience_seconds = 5;

// in the order of writing: frames come after what they point to
enum { CONTACTS, Q, V, STRAIN, STRESS, REACTIONS, STEPS, FRAMES, TABLES };

typedef struct table {
    hid_t set, type;
    const char *name;
    size_t size;      // bytes of a row, in memory as in the file; 0: the run has no such table
    int compression;  // 0: none, to 9
    char *rows;       // waiting to be written
    hsize_t waiting, room;
    hsize_t written;
    int spans;  // how a struct is packed into a row
    scree_span span[SCREE_SPANS_MAX];
} table;

struct scree_run_writer {
    hid_t file, driver;
    scree_driver_errors errors;
    scree_target target;  // held for as long as it is written
    char *path;
    const scree_model *model;
    int format;
    double alpha;  // the mean of u and u' that works are done with
    int every;
    bool active_only, single;
    int compression;
    table table[TABLES];
    double *strain, *stress, *reaction;  // of elastic bodies, of one state; NULL: not stored
    double *scratch;                     // (2 x dofs)
    scree_restart restart;               // of a run in single precision
    struct timespec flushed;
    double wall_before;  // of the runs before a resume [s]
};

static scree_status fail(const scree_run_writer *writer, const char *what, scree_error *err) {
    char reason[160];
    scree_layout_reason(reason, sizeof reason);
    const scree_driver_errors *errors = &writer->errors;
    int known = errors->writing ? errors->writing : errors->opening;
    scree_source_location at = { writer->path, 0, 0 };
    return scree_fail(err, SCREE_FILE_ERROR, at, "%s: %s", what, known ? strerror(known) : reason);
}

static double seconds_since(const struct timespec *then) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

// the scene's text may be longer than an attribute can hold
static void write_scene(hid_t file, const scree_scene *scene, bool *fine) {
    size_t length;
    const char *text = scree_scene_text(scene, &length);
    const char *const *overrides;
    int count = scree_scene_overrides(scene, &overrides);
    hid_t group = H5Gcreate2(file, "scene", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    scree_layout_put_text(group, "file", scree_scene_file(scene), strlen(scree_scene_file(scene)),
                          fine);
    scree_layout_put_texts(group, "text", &text, 1, fine);
    scree_layout_put_texts(group, "overrides", overrides, count, fine);
    scree_run_mesh_write_files(group, scene, fine);
    H5Gclose(group);
}

static const char *scheme_of(const scree_scene *scene) {
    if (scene->top.kind == SCREE_KIND_SWEEPING)
        return scree_sweeping_method_name((scree_sweeping_method)scene->top.method);
    return scree_scheme_name(scene->options.scheme.name);
}

static void write_settings(hid_t file, const scree_scene *scene, const scree_model *model,
                           bool *fine) {
    const scree_run_options *options = scree_scene_options(scene);
    const scree_scheme_options chosen = scree_scheme_choose(model, &options->scheme),
                               *scheme = &chosen;
    hid_t group = H5Gcreate2(file, "settings", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const char *name = scheme_of(scene);
    const int activation = (int)scheme->activation, approach = (int)scheme->approach,
              jacobian = (int)scheme->jacobian, correction = (int)scheme->correct,
              accept = options->accept_unconverged;
    scree_layout_put_text(group, "scheme", name, strlen(name), fine);
    scree_layout_put_text(group, "solver", options->solver.name, strlen(options->solver.name),
                          fine);
    scree_layout_put_number(group, "theta", H5T_NATIVE_DOUBLE, &scheme->theta, fine);
    scree_layout_put_number(group, "step", H5T_NATIVE_DOUBLE, &scheme->step, fine);
    scree_layout_put_number(group, "duration", H5T_NATIVE_DOUBLE, &options->duration, fine);
    scree_layout_put_number(group, "gap_tolerance", H5T_NATIVE_DOUBLE, &scheme->gap_tolerance,
                            fine);
    scree_layout_put_number(group, "velocity_tolerance", H5T_NATIVE_DOUBLE,
                            &scheme->velocity_tolerance, fine);
    const double tolerance = isnan(options->solver.tolerance)
                                 ? scree_scheme_choose_tolerance(model, NULL)
                                 : options->solver.tolerance;
    scree_layout_put_number(group, "solver_tolerance", H5T_NATIVE_DOUBLE, &tolerance, fine);
    scree_layout_put_number(group, "activation", H5T_NATIVE_INT, &activation, fine);
    scree_layout_put_number(group, "approach", H5T_NATIVE_INT, &approach, fine);
    scree_layout_put_number(group, "jacobian", H5T_NATIVE_INT, &jacobian, fine);
    scree_layout_put_number(group, "correction", H5T_NATIVE_INT, &correction, fine);
    scree_layout_put_number(group, "accept_unconverged", H5T_NATIVE_INT, &accept, fine);
    scree_layout_put_number(group, "store_every", H5T_NATIVE_INT, &options->store_every, fine);
    const char *precision = options->precision_single ? "single" : "double";
    scree_layout_put_text(group, "precision", precision, strlen(precision), fine);
    scree_layout_put_number(group, "compression", H5T_NATIVE_INT, &options->compression, fine);
    const int stress = options->store_stress, reactions = options->store_reactions;
    scree_layout_put_number(group, "stress", H5T_NATIVE_INT, &stress, fine);
    scree_layout_put_number(group, "reactions", H5T_NATIVE_INT, &reactions, fine);
    H5Gclose(group);
}

static void write_model(hid_t file, const scree_model *model, bool *fine) {
    hid_t group = H5Gcreate2(file, "model", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    scree_layout_put_number(group, "dofs", H5T_NATIVE_INT, &model->dofs, fine);
    scree_layout_put_number(group, "dimension", H5T_NATIVE_INT, &model->dimension, fine);
    scree_layout_put_number(group, "space", H5T_NATIVE_INT, &model->space, fine);
    scree_layout_put_number(group, "coordinates", H5T_NATIVE_INT, &model->coordinates, fine);
    int own = model->system.coordinates + scree_model_group_of(model, "mechanism").coordinates;
    scree_layout_put_number(group, "system_coordinates", H5T_NATIVE_INT, &own, fine);
    const char **name = calloc((size_t)(model->bodies + model->matrix_contacts) + 1, sizeof *name);
    *fine = *fine && name;
    for (int i = 0; name && i < model->bodies; i++) name[i] = model->body[i].name;
    if (name) scree_layout_put_texts(group, "bodies", name, model->bodies, fine);
    for (int i = 0; name && i < model->matrix_contacts; i++)
        name[i] = model->matrix_contact[i].name;
    if (name) scree_layout_put_texts(group, "system_contacts", name, model->matrix_contacts, fine);
    free(name);
    scree_run_mesh_write(group, model, fine);
    H5Gclose(group);
}

static void write_header(hid_t file, const scree_scene *scene, const scree_model *model,
                         bool *fine) {
    const int format = SCREE_RUN_FORMAT;
    scree_layout_put_text(file, "format", "scree-run", 9, fine);
    scree_layout_put_number(file, "format_version", H5T_NATIVE_INT, &format, fine);
    scree_layout_put_text(file, "scree_version", scree_version(), strlen(scree_version()), fine);
    scree_layout_put_text(file, "build", scree_version_build(), strlen(scree_version_build()),
                          fine);
    scree_layout_put_text(file, "title", scree_scene_title(scene), strlen(scree_scene_title(scene)),
                          fine);
    write_scene(file, scene, fine);
    write_settings(file, scene, model, fine);
    write_model(file, model, fine);

    // known at the end only
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t set = H5Dcreate2(file, "wall_seconds", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT,
                           H5P_DEFAULT);
    const double unknown = 0;
    *fine = *fine && set >= 0 &&
            H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &unknown) >= 0;
    H5Dclose(set);
    H5Sclose(space);
}

static table describe(const char *name, scree_table which, scree_extent extent) {
    table t = { .name = name, .set = -1, .type = scree_layout_type(which, extent, true) };
    t.spans = scree_layout_spans(which, extent, t.span);
    return t;
}

// a row of numbers, or with columns an array of them, for each stored state
static table describe_array(const scree_run_writer *writer, const char *name, int rows,
                            int columns) {
    bool single = writer->single;
    hsize_t length[2] = { (hsize_t)rows, (hsize_t)columns };
    size_t size = (size_t)rows * (size_t)columns * sizeof(double);
    hid_t number = single ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
    hid_t type = H5Tarray_create2(number, columns > 1 ? 2 : 1, length);
    return (table){ .name = name,
                    .set = -1,
                    .type = type,
                    .compression = writer->compression,
                    .spans = 1,
                    .span = { { 0, size, single } } };
}

// strain, stress and reactions, and room for those of one state
static bool describe_results(scree_run_writer *writer, const scree_run_options *options) {
    const scree_model *model = writer->model;
    int elements = scree_stress_elements(model), nodes = scree_stress_nodes(model);
    size_t six = (size_t)elements * SCREE_TENSOR;
    if (elements && options->store_stress) {
        writer->table[STRAIN] = describe_array(writer, "strain", elements, SCREE_TENSOR);
        writer->table[STRESS] = describe_array(writer, "stress", elements, SCREE_TENSOR);
        writer->strain = calloc(six, sizeof *writer->strain);
        writer->stress = calloc(six, sizeof *writer->stress);
        if (!writer->strain || !writer->stress) return false;
    }
    if (nodes && options->store_reactions) {
        writer->table[REACTIONS] = describe_array(writer, "reactions", nodes, model->space);
        writer->reaction = calloc((size_t)nodes * (size_t)model->space, sizeof *writer->reaction);
        writer->scratch = calloc(2 * (size_t)model->dofs, sizeof *writer->scratch);
        if (!writer->reaction || !writer->scratch) return false;
    }
    return true;
}

static bool describe_tables(scree_run_writer *writer, const scree_run_options *options) {
    const scree_model *model = writer->model;
    scree_extent extent = { model->space, model->dimension, writer->single, writer->format };
    table *all = writer->table;
    // steps and frames are small and not compressed
    all[STEPS] = describe("steps", SCREE_TABLE_STEPS, extent);
    all[FRAMES] = describe("frames", SCREE_TABLE_FRAMES, extent);
    all[CONTACTS] = describe("contacts", SCREE_TABLE_CONTACTS, extent);
    all[CONTACTS].compression = writer->compression;
    all[Q] = describe_array(writer, "q", model->coordinates, 1);
    all[V] = describe_array(writer, "v", model->dofs, 1);
    if (!describe_results(writer, options)) return false;
    for (int i = 0; i < TABLES; i++) {
        if (!all[i].name) continue;
        if (all[i].type < 0) return false;
        all[i].size = H5Tget_size(all[i].type);
        // fewer rows where they are long: a buffer of a few megabytes is enough
        all[i].room = ROWS * all[i].size > (4u << 20) ? (4u << 20) / all[i].size + 1 : ROWS;
        all[i].rows = malloc(all[i].room * all[i].size);
        if (!all[i].rows) return false;
    }
    return true;
}

static hsize_t chunk_rows(const table *t) {
    hsize_t rows = CHUNK, bytes = t->compression ? COMPRESSED_BYTES : CHUNK_BYTES;
    while (rows > 1 && rows * t->size > bytes) rows /= 2;
    return rows;
}

static bool create_table(scree_run_writer *writer, table *t) {
    hsize_t none = 0, any = H5S_UNLIMITED, chunk = chunk_rows(t);
    hid_t space = H5Screate_simple(1, &none, &any), plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(plist, 1, &chunk);
    H5Pset_fill_time(plist, H5D_FILL_TIME_NEVER);
    if (t->compression) {
        H5Pset_shuffle(plist);
        H5Pset_deflate(plist, (unsigned)t->compression);
    }
    t->set = H5Dcreate2(writer->file, t->name, t->type, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    H5Pclose(plist);
    H5Sclose(space);
    return t->set >= 0;
}

static bool write_rows(table *t) {
    if (!t->waiting) return true;
    hsize_t size = t->written + t->waiting;
    if (H5Dset_extent(t->set, &size) < 0) return false;
    hid_t space = H5Dget_space(t->set), memory = H5Screate_simple(1, &t->waiting, NULL);
    bool fine =
        H5Sselect_hyperslab(space, H5S_SELECT_SET, &t->written, NULL, &t->waiting, NULL) >= 0 &&
        H5Dwrite(t->set, t->type, memory, space, H5P_DEFAULT, t->rows) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    t->written = size;
    t->waiting = 0;
    return fine;
}

// frames come last, so that a frame in the file is always whole
static scree_status flush(scree_run_writer *writer, bool to_disk, scree_error *err) {
    scree_quiet quiet = scree_layout_quiet();
    bool fine = true;
    for (int i = 0; i < TABLES; i++) {
        table *t = &writer->table[i];
        if (!t->size) continue;
        fine = fine && write_rows(t);
        if (to_disk) fine = fine && H5Dflush(t->set) >= 0;
        fine = fine && !writer->errors.writing;
    }
    scree_status status = fine ? SCREE_OK : fail(writer, "cannot write", err);
    scree_layout_loud(quiet);
    if (to_disk) clock_gettime(CLOCK_MONOTONIC_COARSE, &writer->flushed);
    return status;
}

// the state with every digit, where the tables round it; they are on the disk up to it before
static scree_status keep_state(scree_run_writer *writer, const scree_state *state,
                               const scree_contact *contact, int contacts, scree_error *err) {
    if (!writer->single) return SCREE_OK;
    scree_status status = flush(writer, true, err);
    if (status) return status;
    scree_quiet quiet = scree_layout_quiet();
    if (!scree_restart_write(&writer->restart, state, contact, contacts) || writer->errors.writing)
        status = fail(writer, "cannot write", err);
    scree_layout_loud(quiet);
    return status;
}

static void put_row(table *t, const void *row) {
    char *out = t->rows + t->size * t->waiting++;
    for (int k = 0; k < t->spans; k++) {
        const scree_span *span = &t->span[k];
        const char *from = (const char *)row + span->offset;
        if (!span->single) {
            memcpy(out, from, span->size);
            out += span->size;
            continue;
        }
        for (size_t at = 0; at < span->size; at += sizeof(double), out += sizeof(float)) {
            double number;
            memcpy(&number, from + at, sizeof number);
            float rounded = (float)number;
            memcpy(out, &rounded, sizeof rounded);
        }
    }
}

static scree_status add_contacts(scree_run_writer *writer, const scree_step_record *record,
                                 int64_t *count, scree_error *err) {
    table *t = &writer->table[CONTACTS];
    for (int i = 0; i < record->contacts; i++) {
        const scree_contact *contact = &record->contact[i];
        if (writer->active_only && contact->status == SCREE_CONTACT_INACTIVE) continue;
        if (t->waiting == t->room) {
            scree_status status = flush(writer, false, err);
            if (status) return status;
        }
        scree_contact_work work =
            scree_ledger_contact(contact, writer->model->dimension, writer->alpha, 0);
        scree_contact_row row = { record->after.step, *contact, work.normal, work.tangential };
        if (writer->format == SCREE_RUN_FORMAT_64)
            row.contact.id.word[0] = scree_contact_id_to_64(contact->id);
        put_row(t, &row);
        ++*count;
    }
    return SCREE_OK;
}

// strain and stress of the state; forces of the step that led to it, none at the start
static void add_results(scree_run_writer *writer, const scree_state *state,
                        const scree_step_record *record) {
    const scree_model *model = writer->model;
    if (writer->stress) {
        scree_stress_find_all(model, state->q, writer->strain, writer->stress);
        put_row(&writer->table[STRAIN], writer->strain);
        put_row(&writer->table[STRESS], writer->stress);
    }
    if (!writer->reaction) return;
    size_t forces = (size_t)scree_stress_nodes(model) * (size_t)model->space;
    if (record)
        scree_reaction_find(model, writer->alpha, record, writer->reaction, writer->scratch);
    else
        memset(writer->reaction, 0, forces * sizeof *writer->reaction);
    put_row(&writer->table[REACTIONS], writer->reaction);
}

// record: of the step that led to the state, or NULL
static void add_frame(scree_run_writer *writer, const scree_state *state,
                      const scree_step_record *record, int64_t first, int64_t count) {
    scree_frame_row frame = { state->step, state->time, first, count };
    put_row(&writer->table[FRAMES], &frame);
    put_row(&writer->table[Q], state->q);
    put_row(&writer->table[V], state->v);
    add_results(writer, state, record);
}

static bool full(const scree_run_writer *writer) {
    for (int i = 0; i < TABLES; i++) {
        const table *t = &writer->table[i];
        if (i != CONTACTS && t->size && t->waiting == t->room) return true;
    }
    return false;
}

// is it time to write to the disk?
static bool late(const scree_run_writer *writer) {
    double seconds = seconds_since(&writer->flushed);
    if (seconds <= flush_seconds) return false;
    bool worth = !writer->compression || seconds > patience_seconds;
    for (int i = 0; i < STEPS; i++) {
        const table *t = &writer->table[i];
        worth = worth || (t->size && t->waiting >= chunk_rows(t));
    }
    return worth;
}

static int64_t next_contact(const scree_run_writer *writer) {
    return (int64_t)(writer->table[CONTACTS].written + writer->table[CONTACTS].waiting);
}

scree_status scree_run_writer_step(scree_run_writer *writer, const scree_step_record *record,
                                   const scree_account *account, bool keep, scree_error *err) {
    scree_step_row row = { record->after.step, record->after.time, *account };
    put_row(&writer->table[STEPS], &row);
    if (keep || record->after.step % writer->every == 0) {
        int64_t first = next_contact(writer), count = 0;
        scree_status status = SCREE_OK;
        if (record->active || !writer->active_only)
            status = add_contacts(writer, record, &count, err);
        if (status) return status;
        add_frame(writer, &record->after, record, first, count);
    }
    bool on_time = late(writer);
    if (keep || (on_time && scree_restart_due(&writer->restart))) {
        scree_status status =
            keep_state(writer, &record->after, record->contact, record->contacts, err);
        if (status || writer->single) return status;
    }
    return on_time || full(writer) ? flush(writer, on_time, err) : SCREE_OK;
}

scree_status scree_run_writer_keep(scree_run_writer *writer, const scree_step_record *record,
                                   scree_error *err) {
    scree_status status = SCREE_OK;
    if (record->after.step % writer->every != 0) {
        int64_t first = next_contact(writer), count = 0;
        status = add_contacts(writer, record, &count, err);
        if (!status) add_frame(writer, &record->after, NULL, first, count);
    }
    return status ? status
                  : keep_state(writer, &record->after, record->contact, record->contacts, err);
}

// What HDF5 still has is written now: errors can come as late as this.
static void close_file(scree_run_writer *writer) {
    for (int i = 0; i < TABLES; i++) {
        table *t = &writer->table[i];
        if (t->set > 0) H5Dclose(t->set);
        if (t->type > 0) H5Tclose(t->type);
        t->set = t->type = 0;
    }
    scree_restart_close(&writer->restart);
    if (writer->file > 0) H5Fclose(writer->file);
    writer->file = -1;
}

static void release(scree_run_writer *writer) {
    close_file(writer);
    for (int i = 0; i < TABLES; i++) free(writer->table[i].rows);
    free(writer->strain);
    free(writer->stress);
    free(writer->reaction);
    free(writer->scratch);
    if (writer->driver > 0) H5FDunregister(writer->driver);
    scree_target_release(&writer->target);
    free(writer->path);
    free(writer);
}

static scree_run_writer *new_writer(const char *path, const scree_scene *scene,
                                    const scree_model *model, int format, scree_error *err) {
    const scree_run_options *options = scree_scene_options(scene);
    scree_run_writer *writer = calloc(1, sizeof *writer);
    if (writer) {
        writer->model = model;
        writer->format = format;
        const scree_scheme_options chosen = scree_scheme_choose(model, &options->scheme);
        writer->alpha = scree_scheme_alpha(&chosen);
        writer->every = options->store_every;
        writer->active_only = options->store_active_only;
        writer->single = options->precision_single;
        writer->compression = options->compression;
        writer->restart = (scree_restart){ .format = format,
                                           .space = model->space,
                                           .dimension = model->dimension,
                                           .coordinates = model->coordinates,
                                           .dofs = model->dofs,
                                           .set = { -1, -1 } };
        writer->file = writer->driver = writer->target.descriptor = -1;
        writer->path = strdup(path);
        clock_gettime(CLOCK_MONOTONIC_COARSE, &writer->flushed);
        if (writer->path && describe_tables(writer, options)) return writer;
        release(writer);
    }
    scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for writing %s", path);
    return NULL;
}

static hid_t access_list(scree_run_writer *writer) {
    hid_t plist = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(plist, H5F_LIBVER_V110, H5F_LIBVER_V110);
    H5Pset_metadata_read_attempts(plist, 5);  // a damaged file is an error, not a reason to wait
    writer->driver = scree_driver_set(plist, &writer->errors);
    return plist;
}

// every table gets its index on the disk before single-writer mode begins: one row that is cut off
// again. An index that comes later may be missing in the file when the process is killed.
static bool make_index(table *t) {
    const hsize_t none = 0;
    memset(t->rows, 0, t->size);
    t->waiting = 1;
    bool fine = write_rows(t) && H5Dflush(t->set) >= 0 && H5Dset_extent(t->set, &none) >= 0;
    t->written = 0;
    return fine;
}

// header, empty tables and the first row
static scree_status begin(scree_run_writer *writer, const scree_scene *scene,
                          const scree_state *start, const scree_account *account,
                          scree_error *err) {
    bool fine = true;
    write_header(writer->file, scene, writer->model, &fine);
    for (int i = 0; i < TABLES; i++) {
        table *t = &writer->table[i];
        if (t->size) fine = fine && create_table(writer, t) && make_index(t);
    }
    if (writer->single) fine = fine && scree_restart_create(&writer->restart, writer->file);
    fine = fine && H5Fflush(writer->file, H5F_SCOPE_LOCAL) >= 0 &&
           H5Fstart_swmr_write(writer->file) >= 0 && !writer->errors.writing;
    if (!fine) return fail(writer, "cannot write", err);
    scree_step_row row = { start->step, start->time, *account };
    row.account.converged = 1;
    put_row(&writer->table[STEPS], &row);
    add_frame(writer, start, NULL, 0, 0);
    scree_status status = flush(writer, true, err);
    return status ? status : keep_state(writer, start, NULL, 0, err);
}

scree_status scree_run_writer_new(const char *path, const scree_scene *scene,
                                  const scree_model *model, const scree_state *start,
                                  const scree_account *account, scree_run_writer **out,
                                  scree_error *err) {
    *out = NULL;
    scree_run_writer *writer = new_writer(path, scene, model, SCREE_RUN_FORMAT, err);
    if (!writer) return SCREE_NO_MEMORY;
    scree_quiet quiet = scree_layout_quiet();
    scree_status status = scree_target_claim(path, &writer->target, err);
    // the file gets its name when it can be read: a process killed before leaves the old one alone
    char *fresh = status ? NULL : malloc(strlen(writer->target.path) + 40);
    if (!status && !fresh)
        status =
            scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for writing %s", path);
    bool created = false;
    if (!status) {
        sprintf(fresh, "%s.%ld.new", writer->target.path, (long)getpid());
        hid_t plist = access_list(writer);
        writer->file = H5Fcreate(fresh, H5F_ACC_TRUNC, H5P_DEFAULT, plist);
        H5Pclose(plist);
        created = writer->file >= 0;
        if (!created) status = fail(writer, "cannot be created", err);
    }
    if (!status) status = begin(writer, scene, start, account, err);
    if (!status) status = scree_target_replace(&writer->target, fresh, err);
    if (status) {
        if (created) unlink(fresh);
        release(writer);
    } else {
        *out = writer;
    }
    scree_layout_loud(quiet);
    free(fresh);
    return status;
}

// cut a table back to the given number of rows and open it for writing
static bool reopen_table(scree_run_writer *writer, table *t, int64_t rows) {
    hsize_t size = (hsize_t)rows;
    t->set = H5Dopen2(writer->file, t->name, H5P_DEFAULT);
    t->written = size;
    return t->set >= 0 && H5Dset_extent(t->set, &size) >= 0;
}

// a writer that was killed left its mark in the file, which makes HDF5 refuse to open it; the
// property is the one HDF5's own h5clear uses
static bool open_again(scree_run_writer *writer) {
    hid_t plist = access_list(writer);
    const hbool_t clear = 1;
    H5Pset(plist, "clear_status_flags", &clear);
    writer->file = H5Fopen(writer->path, H5F_ACC_RDWR, plist);
    H5Pclose(plist);
    return writer->file >= 0;
}

// what a run file goes on from; a step that was kept for resuming only is taken out again
static bool reopen(scree_run_writer *writer, const scree_resume_point *point) {
    bool fine = open_again(writer);
    for (int i = 0; i < TABLES; i++) {
        table *t = &writer->table[i];
        int64_t rows = i == STEPS      ? point->step + 1
                       : i == CONTACTS ? point->contacts
                                       : point->frames;
        if (t->size) fine = fine && reopen_table(writer, t, rows);
    }
    return fine &&
           (!writer->single || scree_restart_open(&writer->restart, writer->file, point->slot)) &&
           H5Fstart_swmr_write(writer->file) >= 0 && !writer->errors.writing;
}

scree_status scree_run_writer_resume(const char *path, const scree_scene *scene,
                                     const scree_model *model, scree_run_writer **out,
                                     scree_error *err) {
    *out = NULL;
    scree_run_reader *reader = NULL;
    scree_resume_point point = { 0 };
    scree_target target;
    scree_status status = scree_target_claim_run(path, &target, err);
    if (!status) status = scree_run_reader_open(path, &reader, err);
    if (!status) status = scree_run_reader_point(reader, &point, err);
    scree_run_writer *writer =
        status ? NULL : new_writer(path, scene, model, scree_run_reader_format(reader), err);
    if (writer) writer->wall_before = reader->wall_seconds;
    scree_run_reader_close(reader);
    free(point.word);
    if (!writer) {
        scree_target_release(&target);
        return status ? status : SCREE_NO_MEMORY;
    }
    scree_quiet quiet = scree_layout_quiet();
    writer->target = target;
    if (reopen(writer, &point)) {
        *out = writer;
    } else {
        status = fail(writer, "cannot be continued", err);
        release(writer);
    }
    scree_layout_loud(quiet);
    return status;
}

scree_status scree_run_writer_close(scree_run_writer *writer, double wall_seconds,
                                    scree_error *err) {
    scree_status status = flush(writer, false, err);
    scree_quiet quiet = scree_layout_quiet();
    wall_seconds += writer->wall_before;
    hid_t set = H5Dopen2(writer->file, "wall_seconds", H5P_DEFAULT);
    bool fine = set >= 0 &&
                H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &wall_seconds) >= 0;
    H5Dclose(set);
    fine = fine && H5Fflush(writer->file, H5F_SCOPE_LOCAL) >= 0;
    close_file(writer);
    // to the disk itself, where there is one: after this a power cut takes nothing
    if (fsync(writer->target.descriptor) != 0 && errno != EINVAL && errno != ENOSYS)
        writer->errors.writing = errno;
    if ((!fine || writer->errors.writing) && !status) status = fail(writer, "cannot write", err);
    release(writer);
    scree_layout_loud(quiet);
    return status;
}
