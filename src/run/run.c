// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run.c - scene -> run file: the loop around the steps.

#include "scree/run.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "run/build.h"
#include "run/simulation.h"
#include "scene/scene.h"
#include "scree/problem_file.h"
#include "store/run_header.h"
#include "store/run_mesh.h"
#include "store/run_read.h"
#include "store/run_restart.h"
#include "store/run_write.h"

// the next override that is not the duration, which may be another when a run goes on
static const char *next_override(const char *const *override, int count, int *at) {
    const char *duration = "scheme.duration=";
    while (*at < count && strncmp(override[*at], duration, strlen(duration)) == 0) ++*at;
    return *at < count ? override[(*at)++] : NULL;
}

// the same text with the same changes to it?
static bool is_of_scene(const scree_run_reader *reader, const scree_scene *scene) {
    size_t length;
    const char *const *override = NULL;
    const char *text = scree_scene_text(scene, &length), *here, *there;
    int count = scree_scene_overrides(scene, &override), at = 0, stored = 0;
    if (length != reader->scene_length || memcmp(text, reader->scene_text, length) != 0)
        return false;
    do {
        here = next_override(override, count, &at);
        there = next_override((const char *const *)reader->override, reader->overrides, &stored);
    } while (here && there && strcmp(here, there) == 0);
    return !here && !there;
}

// is the run of the file one of this simulation? room: for a state of it
static scree_status check_origin(const scree_simulation *simulation, scree_run_reader *reader,
                                 const scree_state *room, scree_error *err) {
    const scree_run_origin origin = scree_simulation_origin(simulation);
    const scree_model *model = origin.model;
    scree_source_location at = { reader->path, 0, 0 };
    bool same = reader->dofs == model->dofs && reader->dimension == model->dimension &&
                reader->coordinates == model->coordinates;
    if (same && origin.scene) same = is_of_scene(reader, origin.scene);
    if (same && !origin.scene)
        same = !reader->scene_length &&
               scree_run_reader_states(reader, 0, 1, room->q, room->v, err) == SCREE_OK &&
               scree_run_header_same_model(scree_run_reader_file(reader), &origin, room->q);
    if (!same)
        return scree_fail(err, SCREE_BAD_INPUT, at,
                          "holds no run of this %s with these settings: nothing but the duration "
                          "may be another",
                          origin.scene ? "scene" : "model");
    if (reader->program != origin.program)
        return scree_fail(err, SCREE_BAD_INPUT, at,
                          reader->program
                              ? "forces, laws, states or bodies of a program are in this run: only "
                                "that program can resume it"
                              : "was made without forces, laws, states or bodies of a program: it "
                                "cannot be resumed with them");
    return SCREE_OK;
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
    double *room = calloc((size_t)model->coordinates + (size_t)model->dofs, sizeof *room);
    scree_state state = { .q = room, .v = room ? room + model->coordinates : NULL };
    if (!room)
        status = scree_fail_memory(err, NULL);
    else
        status = check_origin(simulation, reader, &state, err);
    if (!status) status = scree_run_reader_last(reader, &state, &contact, &contacts, &totals, err);
    scree_run_reader_close(reader);
    if (!status)
        status = scree_simulation_restore(simulation, &state, contact, contacts, &totals, err);
    free(contact);
    free(room);
    return status;
}

// Claimed before it is read. A run that is at its end is left alone: it may be one that cannot be
// written to.
static scree_status resume(scree_simulation *simulation, const scree_run_request *request,
                           const scree_run_origin *origin, scree_run_writer **writer,
                           scree_error *err) {
    scree_error why = { 0 };
    scree_run_claim *claim = request->claim;
    scree_status claimed = claim ? SCREE_OK : scree_run_claim_take(request->path, &claim, &why);
    if (claimed && scree_run_check_writer(request->path, err)) return claimed;
    scree_status status = restore(simulation, request->path, err);
    if (!status && scree_simulation_left(simulation) > 0 && !claimed)
        return scree_run_writer_resume(request->path, claim, origin, writer, err);
    scree_run_claim_release(claim);
    if (status || scree_simulation_left(simulation) <= 0) return status;
    if (err) *err = why;
    return claimed;
}

static scree_status begin(scree_simulation *simulation, const scree_run_request *request,
                          scree_run_writer **writer, scree_error *err) {
    if (!request->path) return SCREE_OK;
    const scree_run_origin origin = scree_simulation_origin(simulation);
    if (request->resume) return resume(simulation, request, &origin, writer, err);
    return scree_run_writer_new(request->path, &origin, scree_simulation_state(simulation),
                                scree_simulation_account(simulation), writer, err);
}

// the last step of a run is kept even where the stride would leave it out
static scree_status store(scree_simulation *simulation, scree_run_writer *writer, bool last,
                          scree_error *err) {
    if (!writer) return SCREE_OK;
    return scree_run_writer_step(writer, scree_simulation_record(simulation),
                                 scree_simulation_account(simulation), last, err);
}

static scree_status make_folder(const char *folder, scree_error *err) {
    struct stat about;
    if (mkdir(folder, 0777) == 0) return SCREE_OK;
    int reason = errno;
    if (reason == EEXIST && stat(folder, &about) == 0)
        reason = S_ISDIR(about.st_mode) ? 0 : ENOTDIR;
    if (!reason) return SCREE_OK;
    return scree_fail_file(err, folder, "cannot be made", reason);
}

// a refused step has been taken back
static const scree_state *attempted(const scree_step_record *record) {
    return record->before.step > record->after.step ? &record->before : &record->after;
}

static void describe(const scree_simulation *simulation, char *title, size_t title_size,
                     char *description, size_t size) {
    const scree_step_record *record = scree_simulation_record(simulation);
    const scree_state *end = attempted(record);
    const scree_scene *scene = scree_simulation_scene(simulation);
    const char *name = scene ? scree_scene_title(scene) : "";
    if (scene && !*name) name = scree_scene_file(scene);
    snprintf(title, title_size, "%s%sstep %lld, t = %.9g", name, *name ? ", " : "",
             (long long)end->step, end->time);
    snprintf(description, size,
             "Contact problem of one time step, h = %.9g, written by scree %s. %s by %s: residual "
             "%.3g, scaled %.3g, after %d iterations.",
             record->h, scree_version(), record->report.converged ? "Solved" : "Not solved",
             record->report.solver, record->report.residual.natural, record->report.residual.scaled,
             record->report.iterations);
}

// the problem of the last step, or of the one that was refused
static scree_status write_problem(const scree_simulation *simulation, scree_run_dump *dump,
                                  scree_error *err) {
    scree_status status = SCREE_OK;
    const scree_step_record *record = scree_simulation_record(simulation);
    int d = record->problem.dimension, at = 0;
    size_t length = strlen(dump->folder) + 40;
    char title[400], description[400], *path = malloc(length);
    double *impulse = malloc((size_t)record->active * (size_t)d * sizeof *impulse);
    if (!path || !impulse) {
        status = scree_fail_memory(err, NULL);
    } else {
        for (int i = 0; i < record->contacts; i++)
            if (record->contact[i].status != SCREE_CONTACT_INACTIVE)
                memcpy(impulse + (size_t)d * (size_t)at++, record->contact[i].impulse,
                       (size_t)d * sizeof *impulse);
        describe(simulation, title, sizeof title, description, sizeof description);
        snprintf(path, length, "%s/step-%07lld.hdf5", dump->folder,
                 (long long)attempted(record)->step);
        const scree_problem_notes notes = { title, description, NULL,
                                            record->report.converged ? impulse : NULL };
        status = scree_problem_write(path, &record->problem, &notes, err);
    }
    if (!status) dump->written++;
    free(path);
    free(impulse);
    return status;
}

// is the problem of the last step one of those that are asked for?
static bool is_wanted(const scree_simulation *simulation, const scree_run_dump *dump) {
    const scree_step_record *record = scree_simulation_record(simulation);
    if (!dump || !record->active) return false;
    int64_t step = attempted(record)->step;
    for (int i = 0; i < dump->steps; i++)
        if (dump->step[i] == step) return true;
    if (dump->steps) return false;
    return dump->every ? step % dump->every == 0 : !record->report.converged;
}

// a step that stopped the run: that stays the news, whatever happens to its file
static void dump_last(const scree_simulation *simulation, scree_run_dump *dump,
                      scree_status status) {
    bool broken = status == SCREE_LEDGER_BROKEN && scree_simulation_record(simulation)->active;
    bool stands = status == SCREE_UNCONVERGED || broken;
    if (dump && stands && (is_wanted(simulation, dump) || (broken && !dump->every)))
        write_problem(simulation, dump, &dump->failure);
}

// Call whoever watches; what is stored has been. A hand that he lends the run is noted in its file.
static scree_status watch(scree_simulation *simulation, const scree_run_request *request,
                          scree_run_writer *writer, bool *stop, scree_error *err) {
    bool program = simulation->program;
    *stop = request->on_step && request->on_step(request->data, simulation);
    if (!writer || program == simulation->program) return SCREE_OK;
    return scree_run_writer_note_program(writer, err);
}

static scree_status loop(scree_simulation *simulation, const scree_run_request *request,
                         scree_run_writer *writer, scree_error *err) {
    int64_t left = scree_simulation_left(simulation);
    while (left > 0) {
        scree_status status = scree_simulation_step(simulation, err);
        if (status) dump_last(simulation, request->dump, status);
        // A refused step is not stored: the file ends with the state before it. After one that was
        // cut short the last stored state does: the impulses before it are no longer at hand.
        if (status == SCREE_UNCONVERGED && writer)
            scree_run_writer_keep(writer, scree_simulation_snapshot(simulation), NULL);
        if (status) return status;
        left--;
        bool stop = false;
        status = is_wanted(simulation, request->dump)
                     ? write_problem(simulation, request->dump, err)
                     : SCREE_OK;
        scree_error second;
        scree_status stored =
            store(simulation, writer, status || left == 0, status ? &second : err);
        if (status || stored) return status ? status : stored;
        status = watch(simulation, request, writer, &stop, err);
        if (!status && stop && left > 0 && writer)
            status = scree_run_writer_keep(writer, scree_simulation_record(simulation), err);
        if (status) return status;
        if (stop && left > 0)
            return scree_fail(err, SCREE_INTERRUPTED, SCREE_NOWHERE,
                              "stopped after step %lld at time %.9g",
                              (long long)scree_simulation_state(simulation)->step,
                              scree_simulation_state(simulation)->time);
    }
    return SCREE_OK;
}

scree_run_request scree_run_request_default(void) { return (scree_run_request){ 0 }; }

scree_status scree_run(scree_simulation *simulation, const scree_run_request *request,
                       double *wall_seconds, scree_error *err) {
    scree_run_writer *writer = NULL;
    scree_status status = SCREE_OK;
    scree_integration about = scree_simulation_integration(simulation);
    if (request->dump && !about.problems)
        status = scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                            "%s has no contact problems of steps to write", about.method);
    if (request->dump && !status) status = make_folder(request->dump->folder, err);
    if (status)
        scree_run_claim_release(request->claim);
    else
        status = begin(simulation, request, &writer, err);
    if (wall_seconds) *wall_seconds = 0;
    if (status) return status;

    double start = scree_clock_seconds();
    scree_error why = { 0 }, second;
    simulation->storing += writer != NULL;
    status = loop(simulation, request, writer, &why);
    simulation->storing -= writer != NULL;
    if (status && writer) scree_run_writer_stop(writer, why.text);
    if (status && err) *err = why;
    scree_status closing = writer ? scree_run_writer_close(writer, scree_clock_seconds() - start,
                                                           status ? &second : err)
                                  : SCREE_OK;
    if (wall_seconds) *wall_seconds = scree_clock_seconds() - start;
    return status ? status : closing;
}

scree_run_origin scree_simulation_origin(const scree_simulation *simulation) {
    return (scree_run_origin){ simulation->changed ? NULL : simulation->scene, simulation->model,
                               &simulation->options, simulation->program };
}

// the meshes that the run was made with, whatever has become of their files since
static bool read_meshes(const scree_run_reader *reader, int count, scree_mesh **mesh,
                        scree_arena *arena, scree_scene *scene, scree_findings *findings) {
    scree_error err = { 0 };
    scree_status status = scree_run_mesh_read_files(reader, arena, &scene->supply, &err);
    for (int e = 0; !status && e < count; e++)
        status = scree_run_mesh_read(reader, e, &mesh[e], &err);
    if (status) scree_findings_take(findings, (scree_source_location){ reader->path, 0, 0 }, &err);
    return status == SCREE_OK;
}

// A run goes on with what it was made with, also where defaults have changed since. Files that do
// not tell how contacts were chosen are of a time that kept them where several bodies move.
static void keep_settings(const scree_run_reader *reader, scree_run_options *options) {
    const scree_run_settings found = scree_run_reader_settings(reader);
    if (isnan(options->scheme.theta) && found.theta >= 0.5 && found.theta <= 1) {
        options->scheme.theta = found.theta;
        options->scheme.adapts = found.adapts > 0;
    }
    if (isnan(options->solver.tolerance) && found.tolerance > 0) {
        options->solver.tolerance = found.tolerance;
        options->solver.worst = NAN;  // by the model
    }
    bool told = found.approach > SCREE_APPROACH_AUTO && found.approach <= SCREE_APPROACH_FORESEEN;
    if (options->scheme.approach == SCREE_APPROACH_AUTO &&
        !scree_scheme_row_of(&options->scheme)->rules_fixed)
        options->scheme.approach = told ? (scree_approach)found.approach : SCREE_APPROACH_KEPT;
    bool corrected = found.correction > SCREE_CORRECT_NONE && found.correction < SCREE_CORRECT_AUTO;
    if (options->scheme.correct == SCREE_CORRECT_AUTO)
        options->scheme.correct =
            corrected ? (scree_correction)found.correction : SCREE_CORRECT_NONE;
}

scree_simulation *scree_run_simulation(const scree_run_reader *reader, scree_findings *findings) {
    return scree_run_simulation_to(reader, NULL, findings);
}

// the scene of a run, with its duration of now
static scree_scene *read_scene(const scree_run_reader *reader, const char *duration,
                               scree_findings *findings) {
    if (!reader->scene_length) {
        scree_findings_add(findings, (scree_source_location){ reader->path, 0, 0 },
                           "holds the run of a model that a program built: there is no scene to "
                           "build it from");
        return NULL;
    }
    int count = reader->overrides + (duration != NULL);
    const char **override = calloc((size_t)count + 1, sizeof *override);
    if (!override) {
        scree_findings_add(findings, SCREE_NOWHERE, "out of memory");
        return NULL;
    }
    for (int i = 0; i < reader->overrides; i++) override[i] = reader->override[i];
    if (duration) override[count - 1] = duration;
    scree_scene *scene = scree_scene_parse(reader->scene_file, reader->scene_text,
                                           reader->scene_length, override, count, findings);
    const scree_run_settings settings = scree_run_reader_settings(reader);
    if (scene && settings.every > 0) keep_settings(reader, &scene->options);
    double stored = settings.duration;
    if (scene && !duration && stored > 0) scene->options.duration = stored;
    free(override);
    return scene;
}

void scree_run_reader_lend(scree_run_reader *reader, const scree_simulation *simulation) {
    reader->memory->lent = simulation;
}

// the model of a program, at its start
static scree_simulation *begin_lent(const scree_run_reader *reader, scree_findings *findings) {
    const scree_simulation *lent = reader->memory->lent;
    scree_simulation *made = NULL;
    scree_error err = { 0 };
    if (scree_simulation_new(scree_simulation_model(lent), scree_simulation_options(lent), &made,
                             &err))
        scree_findings_add(findings, (scree_source_location){ reader->path, 0, 0 }, "%s", err.text);
    return made;
}

scree_simulation *scree_run_simulation_to(const scree_run_reader *reader, const char *duration,
                                          scree_findings *findings) {
    if (!reader->scene_length && reader->memory->lent) return begin_lent(reader, findings);
    scree_scene *scene = read_scene(reader, duration, findings);
    int count = scene ? scene->top.elastic.count : 0;
    scree_mesh **mesh = calloc((size_t)count + 1, sizeof *mesh);
    scree_arena arena = { 0 };
    bool fine = scene && mesh && read_meshes(reader, count, mesh, &arena, scene, findings);
    if (scene && !mesh) scree_findings_no_memory(findings);
    scree_simulation *made = NULL;
    if (fine) {
        scene->meshes = count;
        scene->mesh = mesh;
        made = scree_simulation_build(scene, findings);
        if (made) {  // they are gone in a moment, the scene stays
            scene->meshes = 0;
            scene->supply = NULL;
        }
    } else if (scene) {
        scree_scene_free(scene);
    }
    for (int e = 0; mesh && e < count; e++) scree_mesh_free(mesh[e]);
    free(mesh);
    scree_arena_free(&arena);
    return made;
}

// a new file in the place of a damaged one, which is moved aside
static scree_status begin_again(const scree_simulation *simulation, const char *path,
                                scree_error *err) {
    char *aside = malloc(strlen(path) + 16);
    if (!aside) return scree_fail_memory(err, NULL);
    sprintf(aside, "%s.damaged", path);
    struct stat about;
    int cause = lstat(aside, &about) == 0 ? EEXIST : rename(path, aside) == 0 ? 0 : errno;
    free(aside);
    if (cause)
        return scree_fail(err, SCREE_FILE_ERROR, (scree_source_location){ path, 0, 0 },
                          "cannot be moved to %s.damaged: %s", path, strerror(cause));
    scree_run_writer *writer;
    const scree_run_origin origin = scree_simulation_origin(simulation);
    scree_status status = scree_run_writer_new(path, &origin, scree_simulation_state(simulation),
                                               scree_simulation_account(simulation), &writer, err);
    return status ? status : scree_run_writer_close(writer, 0, err);
}

scree_status scree_run_restore(const char *path, scree_recovery *found, scree_error *err) {
    scree_status status = scree_run_recover(path, found, err);
    scree_run_reader *reader = NULL;
    if (status != SCREE_BAD_INPUT || scree_run_recover_header(path, &reader, NULL)) return status;
    scree_findings findings = { 0 };
    scree_simulation *simulation = scree_run_simulation(reader, &findings);
    scree_run_reader_close(reader);
    scree_findings_free(&findings);
    if (!simulation) return status;
    status = begin_again(simulation, path, err);
    if (!status) *found = (scree_recovery){ false, 1, 1, 0 };
    scree_simulation_free(simulation);
    return status;
}
