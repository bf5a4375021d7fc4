// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run.c - scene -> run file: the loop around the steps.

#include "scree/run.h"

#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// go to the last state of the run file
static scree_status restore(scree_simulation *simulation, const char *path, scree_error *err) {
    scree_run_reader *reader;
    scree_status status = scree_run_reader_open(path, &reader, err);
    if (status) return status;
    const scree_model *model = scree_simulation_model(simulation);
    scree_contact *contact = NULL;
    scree_totals totals;
    int contacts = 0;
    double *room = calloc(2 * (size_t)model->dofs, sizeof *room);
    scree_state state = { .q = room, .v = room ? room + model->dofs : NULL };
    if (!room)
        status = scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory");
    else if (reader->dofs != model->dofs || reader->dimension != model->dimension)
        status = scree_fail(err, SCREE_BAD_INPUT, (scree_place){ path, 0, 0 },
                            "holds no run of this scene");
    if (!status) status = scree_run_reader_last(reader, &state, &contact, &contacts, &totals, err);
    scree_run_reader_close(reader);
    if (!status)
        status = scree_simulation_restore(simulation, &state, contact, contacts, &totals, err);
    free(contact);
    free(room);
    return status;
}

static scree_status begin(scree_simulation *simulation, const scree_run_request *request,
                          scree_run_writer **writer, scree_error *err) {
    if (!request->path) return SCREE_OK;
    const scree_scene *scene = scree_simulation_scene(simulation);
    const scree_model *model = scree_simulation_model(simulation);
    if (!request->resume)
        return scree_run_writer_new(request->path, scene, model, scree_simulation_state(simulation),
                                    scree_simulation_account(simulation), writer, err);
    scree_status status = restore(simulation, request->path, err);
    // a run that is at its end is left alone
    if (status || scree_simulation_left(simulation) <= 0) return status;
    return scree_run_writer_resume(request->path, scene, model, writer, err);
}

// the last step of a run is kept even where the stride would leave it out
static scree_status store(scree_simulation *simulation, scree_run_writer *writer, bool last,
                          scree_error *err) {
    if (!writer) return SCREE_OK;
    return scree_run_writer_step(writer, scree_simulation_record(simulation),
                                 scree_simulation_account(simulation), last, err);
}

static scree_status loop(scree_simulation *simulation, const scree_run_request *request,
                         scree_run_writer *writer, scree_error *err) {
    int64_t left = scree_simulation_left(simulation);
    while (left > 0) {
        scree_status status = scree_simulation_step(simulation, err);
        // a refused step is not stored: the file ends with the state before it
        if (status == SCREE_UNCONVERGED && writer)
            scree_run_writer_keep(writer, scree_simulation_look(simulation), NULL);
        if (status) return status;
        left--;
        bool stop = request->watch && request->watch(request->data, simulation);
        status = store(simulation, writer, stop || left == 0, err);
        if (status) return status;
        if (stop && left > 0)
            return scree_fail(err, SCREE_INTERRUPTED, SCREE_NOWHERE,
                              "stopped after step %lld at time %.9g",
                              (long long)scree_simulation_state(simulation)->step,
                              scree_simulation_state(simulation)->time);
    }
    return SCREE_OK;
}

scree_status scree_run(scree_simulation *simulation, const scree_run_request *request,
                       double *wall_seconds, scree_error *err) {
    scree_run_writer *writer = NULL;
    scree_status status = begin(simulation, request, &writer, err);
    if (wall_seconds) *wall_seconds = 0;
    if (status) return status;

    double start = now();
    status = loop(simulation, request, writer, err);
    scree_error second;
    scree_status closing =
        writer ? scree_run_writer_close(writer, now() - start, status ? &second : err) : SCREE_OK;
    if (wall_seconds) *wall_seconds = now() - start;
    return status ? status : closing;
}

scree_simulation *scree_run_simulation(const scree_run_reader *reader, scree_findings *findings) {
    return scree_simulation_parse(reader->scene_file, reader->scene_text, reader->scene_length,
                                  reader->override, reader->overrides, findings);
}
