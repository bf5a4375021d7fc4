// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_reader.c - reading a run file back, whole or cut off.

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "scree/stress.h"
#include "store/layout.h"
#include "store/run_mesh.h"
#include "store/run_restart.h"

struct scree_run_reader_memory {
    scree_arena arena;
    hid_t file, steps, frames, q, v, contacts;
    hid_t step_type, frame_type, contact_type, q_type, v_type;
    hid_t strain, stress, reactions;  // of runs that store them
    hid_t tensor_type, force_type;
    int every;  // steps from frame to frame
    scree_run_settings settings;
    int format;
    bool restarts;  // the states are rounded, the last one is kept apart
};

static scree_status fail(const scree_run_reader *reader, const char *what, scree_error *err) {
    scree_source_location at = { reader->path, 0, 0 };
    return scree_fail(err, SCREE_BAD_INPUT, at, "%s", what);
}

// a text attribute of any length, or "" when there is none
static const char *read_text(hid_t where, const char *name, scree_arena *arena) {
    hid_t attribute = H5Aopen(where, name, H5P_DEFAULT);
    if (attribute < 0) return "";
    hid_t type = H5Aget_type(attribute);
    char *text = NULL;
    if (H5Tget_class(type) == H5T_STRING && !H5Tis_variable_str(type)) {
        text = SCREE_NEW(arena, char, H5Tget_size(type) + 1);
        if (text && H5Aread(attribute, type, text) < 0) text = NULL;
    }
    H5Tclose(type);
    H5Aclose(attribute);
    return text ? text : "";
}

static int read_integer(hid_t where, const char *name) {
    int value = -1;
    hid_t attribute = H5Aopen(where, name, H5P_DEFAULT);
    if (attribute < 0) return -1;
    if (H5Aread(attribute, H5T_NATIVE_INT, &value) < 0) value = -1;
    H5Aclose(attribute);
    return value;
}

static double read_real(hid_t group, const char *name) {
    double value = NAN;
    hid_t attribute = H5Aexists(group, name) > 0 ? H5Aopen(group, name, H5P_DEFAULT) : -1;
    if (attribute < 0) return value;
    if (H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) < 0) value = NAN;
    H5Aclose(attribute);
    return value;
}

static scree_run_settings read_settings(hid_t group) {
    scree_run_settings found = { NAN, NAN, 0, -1 };
    if (group < 0) return found;
    found.theta = read_real(group, "theta");
    found.tolerance = read_real(group, "solver_tolerance");
    found.approach = read_integer(group, "approach");
    if (H5Aexists(group, "correction") > 0) found.correction = read_integer(group, "correction");
    return found;
}

scree_run_settings scree_run_reader_settings(const scree_run_reader *reader) {
    return reader->memory->settings;
}

static bool read_header(scree_run_reader *reader) {
    struct scree_run_reader_memory *memory = reader->memory;
    const char **text = NULL, **overrides = NULL;
    int count = 0;
    hid_t group = H5Gopen2(memory->file, "model", H5P_DEFAULT);
    reader->dofs = group < 0 ? -1 : read_integer(group, "dofs");
    reader->dimension = group < 0 ? -1 : read_integer(group, "dimension");
    reader->space = group < 0 ? -1 : read_integer(group, "space");
    reader->coordinates = group < 0 ? -1 : read_integer(group, "coordinates");
    H5Gclose(group);
    group = H5Gopen2(memory->file, "settings", H5P_DEFAULT);
    memory->every = group < 0 ? -1 : read_integer(group, "store_every");
    memory->settings = read_settings(group);
    H5Gclose(group);
    memory->restarts = H5Lexists(memory->file, "restart", H5P_DEFAULT) > 0;
    group = H5Gopen2(memory->file, "scene", H5P_DEFAULT);
    reader->scene_file = group < 0 ? "" : read_text(group, "file", &memory->arena);
    H5Gclose(group);
    reader->version = read_text(memory->file, "scree_version", &memory->arena);
    reader->build = read_text(memory->file, "build", &memory->arena);
    reader->title = read_text(memory->file, "title", &memory->arena);
    if (!scree_layout_texts(memory->file, "scene/text", &memory->arena, &text, &count) ||
        count != 1 ||
        !scree_layout_texts(memory->file, "scene/overrides", &memory->arena, &overrides,
                            &reader->overrides))
        return false;
    reader->scene_text = text[0];
    reader->scene_length = strlen(text[0]);
    reader->override = overrides;
    hid_t wall = H5Dopen2(memory->file, "wall_seconds", H5P_DEFAULT);
    bool fine = wall >= 0 && H5Dread(wall, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT,
                                     &reader->wall_seconds) >= 0;
    H5Dclose(wall);
    bool known = reader->dimension == 2 || reader->dimension == 3 || reader->dimension == 5;
    return fine && reader->dofs > 0 && reader->coordinates >= reader->dofs && known &&
           (reader->space == 2 || reader->space == 3) && memory->every > 0;
}

static hid_t open_table(hid_t file, const char *name, int64_t *rows) {
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    hid_t space = set < 0 ? -1 : H5Dget_space(set);
    hsize_t size = 0;
    if (space < 0 || H5Sget_simple_extent_ndims(space) != 1 ||
        H5Sget_simple_extent_dims(space, &size, NULL) < 0) {
        if (set >= 0) H5Dclose(set);
        set = -1;
    }
    H5Sclose(space);
    *rows = (int64_t)size;
    return set;
}

// the length of one side of the array that a row is, or 0
static int rows_of_array(hid_t set, int columns) {
    hsize_t size[2] = { 0 };
    hid_t type = set < 0 ? -1 : H5Dget_type(set);
    bool fine = type >= 0 && H5Tget_class(type) == H5T_ARRAY && H5Tget_array_ndims(type) == 2 &&
                H5Tget_array_dims2(type, size) >= 0 && size[1] == (hsize_t)columns &&
                size[0] < INT_MAX;
    if (type >= 0) H5Tclose(type);
    return fine ? (int)size[0] : 0;
}

static hid_t array_type(int rows, int columns) {
    hsize_t size[2] = { (hsize_t)rows, (hsize_t)columns };
    return rows ? H5Tarray_create2(H5T_NATIVE_DOUBLE, 2, size) : -1;
}

// a table of results, one row for each frame; fewer rows mean fewer frames
static hid_t open_results(scree_run_reader *reader, const char *name) {
    hid_t file = reader->memory->file;
    int64_t rows;
    if (H5Lexists(file, name, H5P_DEFAULT) <= 0) return -1;
    hid_t set = open_table(file, name, &rows);
    if (set >= 0 && rows < reader->frames) reader->frames = rows;
    return set;
}

static void open_elastic(scree_run_reader *reader) {
    struct scree_run_reader_memory *memory = reader->memory;
    memory->strain = open_results(reader, "strain");
    memory->stress = open_results(reader, "stress");
    memory->reactions = open_results(reader, "reactions");
    int elements = rows_of_array(memory->stress, SCREE_TENSOR);
    reader->elements = rows_of_array(memory->strain, SCREE_TENSOR) == elements ? elements : 0;
    reader->reaction_nodes = rows_of_array(memory->reactions, reader->space);
    memory->tensor_type = array_type(reader->elements, SCREE_TENSOR);
    memory->force_type = array_type(reader->reaction_nodes, reader->space);
}

static bool open_tables(scree_run_reader *reader) {
    struct scree_run_reader_memory *memory = reader->memory;
    int64_t q, v;
    hsize_t dofs = (hsize_t)reader->dofs, coordinates = (hsize_t)reader->coordinates;
    scree_extent extent = { reader->space, reader->dimension, false, memory->format };
    memory->steps = open_table(memory->file, "steps", &reader->steps);
    memory->frames = open_table(memory->file, "frames", &reader->frames);
    memory->q = open_table(memory->file, "q", &q);
    memory->v = open_table(memory->file, "v", &v);
    memory->contacts = open_table(memory->file, "contacts", &reader->contacts);
    memory->step_type = scree_layout_type(SCREE_TABLE_STEPS, extent, false);
    memory->frame_type = scree_layout_type(SCREE_TABLE_FRAMES, extent, false);
    memory->contact_type = scree_layout_type(SCREE_TABLE_CONTACTS, extent, false);
    memory->q_type = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &coordinates);
    memory->v_type = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &dofs);
    if (q < reader->frames) reader->frames = q;
    if (v < reader->frames) reader->frames = v;
    open_elastic(reader);
    return memory->steps >= 0 && memory->frames >= 0 && memory->q >= 0 && memory->v >= 0 &&
           memory->contacts >= 0 && memory->step_type >= 0 && memory->frame_type >= 0 &&
           memory->contact_type >= 0 && memory->q_type >= 0 && memory->v_type >= 0;
}

static bool read_rows(hid_t set, hid_t type, int64_t first, int64_t count, void *out) {
    if (count == 0) return true;
    hsize_t start = (hsize_t)first, size = (hsize_t)count;
    hid_t space = H5Dget_space(set), memory = H5Screate_simple(1, &size, NULL);
    bool fine = H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &size, NULL) >= 0 &&
                H5Dread(set, type, memory, space, H5P_DEFAULT, out) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return fine;
}

// drop frames at the end whose step or contacts did not make it to the disk
static bool trim(scree_run_reader *reader) {
    for (; reader->frames > 0; reader->frames--) {
        scree_frame_row frame = { 0 };
        if (!read_rows(reader->memory->frames, reader->memory->frame_type, reader->frames - 1, 1,
                       &frame))
            return false;
        if (frame.first_contact < 0 || frame.contacts < 0 || frame.step < 0) return false;
        if (frame.step < reader->steps && frame.first_contact + frame.contacts <= reader->contacts)
            return true;
    }
    return true;
}

// a file that was closed opens as it is; one that was not needs the reading side of single-writer
// mode, whose many patient retries would never end on a file that was cut off
static hid_t open_file(const char *path, char *reason, size_t size) {
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file >= 0) return file;
    scree_layout_reason(reason, size);
    hid_t plist = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_metadata_read_attempts(plist, 5);
    file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, plist);
    // killed in the moment between opening and single-writer mode: only the mark is in the way
    const hbool_t clear = 1;
    if (file < 0 && H5Pset(plist, "clear_status_flags", &clear) >= 0)
        file = H5Fopen(path, H5F_ACC_RDONLY, plist);
    H5Pclose(plist);
    return file;
}

static scree_status open_run(scree_run_reader *reader, scree_error *err) {
    struct scree_run_reader_memory *memory = reader->memory;
    char reason[160] = "", text[200];
    memory->file = open_file(reader->path, reason, sizeof reason);
    if (memory->file < 0 && strstr(reason, "signature"))
        return fail(reader, "is not a run file (it is no HDF5 file at all)", err);
    if (memory->file < 0) {
        snprintf(text, sizeof text, "cannot be opened as a run file: %s", reason);
        return fail(reader, text, err);
    }
    if (strcmp(read_text(memory->file, "format", &memory->arena), "scree-run") != 0)
        return fail(reader, "is an HDF5 file, but not a run of scree", err);
    memory->format = read_integer(memory->file, "format_version");
    if (memory->format != SCREE_RUN_FORMAT && memory->format != SCREE_RUN_FORMAT_64)
        return fail(reader, "is a run file of another version of scree", err);
    if (!read_header(reader) || !open_tables(reader) || !trim(reader))
        return fail(reader, "is a run file that is damaged", err);
    return SCREE_OK;
}

scree_status scree_run_reader_open(const char *path, scree_run_reader **out, scree_error *err) {
    *out = NULL;
    scree_run_reader *reader = calloc(1, sizeof *reader);
    struct scree_run_reader_memory *memory = calloc(1, sizeof *memory);
    if (!reader || !memory) {
        free(reader);
        free(memory);
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory");
    }
    reader->memory = memory;
    memory->file = memory->steps = memory->frames = memory->q = memory->v = memory->contacts = -1;
    memory->step_type = memory->frame_type = memory->contact_type = -1;
    memory->q_type = memory->v_type = memory->tensor_type = memory->force_type = -1;
    memory->strain = memory->stress = memory->reactions = -1;
    reader->path = scree_arena_text(&memory->arena, path, strlen(path));
    scree_quiet quiet = scree_layout_quiet();
    scree_status status = reader->path
                              ? open_run(reader, err)
                              : scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory");
    scree_layout_loud(quiet);
    if (status)
        scree_run_reader_close(reader);
    else
        *out = reader;
    return status;
}

void scree_run_reader_close(scree_run_reader *reader) {
    if (!reader) return;
    struct scree_run_reader_memory *memory = reader->memory;
    scree_quiet quiet = scree_layout_quiet();
    const hid_t sets[] = { memory->steps,    memory->frames, memory->q,      memory->v,
                           memory->contacts, memory->strain, memory->stress, memory->reactions };
    const hid_t types[] = { memory->step_type, memory->frame_type, memory->contact_type,
                            memory->q_type,    memory->v_type,     memory->tensor_type,
                            memory->force_type };
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (sets[i] >= 0) H5Dclose(sets[i]);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (types[i] >= 0) H5Tclose(types[i]);
    if (memory->file >= 0) H5Fclose(memory->file);
    scree_layout_loud(quiet);
    scree_arena_free(&memory->arena);
    free(memory);
    free(reader);
}

int scree_run_reader_format(const scree_run_reader *reader) { return reader->memory->format; }

hid_t scree_run_reader_file(const scree_run_reader *reader) { return reader->memory->file; }

static scree_status read_table(scree_run_reader *reader, hid_t set, hid_t type, int64_t rows,
                               int64_t first, int64_t count, void *out, scree_error *err) {
    if (first < 0 || count < 0 || first + count > rows)
        return fail(reader, "has fewer rows than asked for", err);
    scree_quiet quiet = scree_layout_quiet();
    bool fine = read_rows(set, type, first, count, out);
    scree_layout_loud(quiet);
    return fine ? SCREE_OK : fail(reader, "cannot be read any further: it is damaged", err);
}

scree_status scree_run_reader_steps(scree_run_reader *reader, int64_t first, int64_t count,
                                    scree_step_row *row, scree_error *err) {
    memset(row, 0, (size_t)(count > 0 ? count : 0) * sizeof *row);  // fields that are not stored
    return read_table(reader, reader->memory->steps, reader->memory->step_type, reader->steps,
                      first, count, row, err);
}

scree_status scree_run_reader_frames(scree_run_reader *reader, int64_t first, int64_t count,
                                     scree_frame_row *row, scree_error *err) {
    return read_table(reader, reader->memory->frames, reader->memory->frame_type, reader->frames,
                      first, count, row, err);
}

scree_status scree_run_reader_states(scree_run_reader *reader, int64_t first, int64_t count,
                                     double *q, double *v, scree_error *err) {
    scree_status status = read_table(reader, reader->memory->q, reader->memory->q_type,
                                     reader->frames, first, count, q, err);
    if (status) return status;
    return read_table(reader, reader->memory->v, reader->memory->v_type, reader->frames, first,
                      count, v, err);
}

scree_status scree_run_reader_contacts(scree_run_reader *reader, int64_t first, int64_t count,
                                       scree_contact_row *row, scree_error *err) {
    memset(row, 0, (size_t)(count > 0 ? count : 0) * sizeof *row);  // fields that are not stored
    scree_status status = read_table(reader, reader->memory->contacts, reader->memory->contact_type,
                                     reader->contacts, first, count, row, err);
    bool narrow = reader->memory->format == SCREE_RUN_FORMAT_64;
    for (int64_t i = 0; !status && i < count; i++) {
        scree_contact *contact = &row[i].contact;
        if (narrow) contact->id = scree_contact_id_of_64(contact->id.word[0], contact->a < 0);
        if (reader->space != 2) continue;
        contact->tangent[0] = -contact->normal[1];
        contact->tangent[1] = contact->normal[0];
    }
    return status;
}

scree_status scree_run_reader_stress(scree_run_reader *reader, int64_t first, int64_t count,
                                     double *strain, double *stress, scree_error *err) {
    const struct scree_run_reader_memory *memory = reader->memory;
    if (!reader->elements) return fail(reader, "does not hold strain and stress", err);
    scree_status status = read_table(reader, memory->strain, memory->tensor_type, reader->frames,
                                     first, count, strain, err);
    return status ? status
                  : read_table(reader, memory->stress, memory->tensor_type, reader->frames, first,
                               count, stress, err);
}

scree_status scree_run_reader_reactions(scree_run_reader *reader, int64_t first, int64_t count,
                                        double *reaction, scree_error *err) {
    if (!reader->reaction_nodes) return fail(reader, "does not hold reactions", err);
    return read_table(reader, reader->memory->reactions, reader->memory->force_type, reader->frames,
                      first, count, reaction, err);
}

// the totals up to a step are its accounts added up
static scree_status add_up(scree_run_reader *reader, int64_t steps, scree_totals *totals,
                           scree_error *err) {
    enum { BLOCK = 4096 };
    scree_step_row *row = malloc(BLOCK * sizeof *row);
    if (!row) return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory");
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
static bool reaches(scree_run_reader *reader, int64_t step, scree_resume_point *point) {
    const struct scree_run_reader_memory *memory = reader->memory;
    scree_frame_row frame = { 0 };
    int64_t frames = step / memory->every + 1;
    if (step >= reader->steps || frames > reader->frames ||
        !read_rows(memory->frames, memory->frame_type, frames - 1, 1, &frame) ||
        frame.step != (frames - 1) * memory->every)
        return false;
    int64_t contacts = frame.first_contact + frame.contacts;
    if (contacts < 0 || contacts > reader->contacts) return false;
    point->step = step;
    point->frames = frames;
    point->contacts = contacts;
    return true;
}

static scree_restart shape_of(const scree_run_reader *reader) {
    return (scree_restart){ .format = reader->memory->format,
                            .space = reader->space,
                            .dimension = reader->dimension,
                            .coordinates = reader->coordinates,
                            .dofs = reader->dofs };
}

// the newest slot that the tables reach
static bool find_slot(scree_run_reader *reader, scree_resume_point *point) {
    scree_restart shape = shape_of(reader);
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
    scree_frame_row last = { 0 };
    if (reader->frames < 1) return fail(reader, "holds no state to resume from", err);
    scree_status status = scree_run_reader_frames(reader, reader->frames - 1, 1, &last, err);
    if (status) return status;
    scree_quiet quiet = scree_layout_quiet();
    bool found =
        reader->memory->restarts ? find_slot(reader, point) : reaches(reader, last.step, point);
    scree_layout_loud(quiet);
    return found ? SCREE_OK : fail(reader, "holds no whole state to resume from", err);
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
    scree_restart shape = shape_of(reader);
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
    scree_status status = scree_run_reader_point(reader, &point, err);
    if (!status)
        status = point.word ? take_slot(reader, point.word, state, contact, contacts, err)
                            : take_frame(reader, state, contact, contacts, err);
    free(point.word);
    if (!status) status = scree_run_reader_steps(reader, state->step, 1, &row, err);
    if (!status) state->time = row.time;
    return status ? status : add_up(reader, state->step, totals, err);
}
