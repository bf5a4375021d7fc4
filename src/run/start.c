// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// start.c - a state of a run as the start of another one.
// in: a run file, or the text of a start that is kept with a scene.   out: the state, with the
// impulses between bodies that both runs have.
//
// Bodies are known by their names. A contact is known by its bodies, the number of the shape in its
// body and the piece of that shape, which stay what they are when other bodies come or go.

#include "run/start.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/collision_shape.h"
#include "model/from_scene.h"
#include "model/inertia.h"
#include "scree/fem.h"
#include "scree/run.h"
#include "store/run_restart.h"

// --- what moves in a model ----------------------------------------------------------------------

typedef struct span {
    scree_start_kind kind;
    const char *name;
    int coordinate, coordinates, dof, dofs;
} span;

static int spans_of(const scree_model *model) { return model->bodies + model->elastics; }

static span span_of(const scree_model *model, int i) {
    if (i >= model->bodies) {
        const scree_elastic_body *elastic = &model->elastic[i - model->bodies];
        return (span){ SCREE_START_ELASTIC, elastic->name, elastic->coordinate,
                       elastic->count,      elastic->dof,  elastic->count };
    }
    const scree_body *body = &model->body[i];
    if (body->fixed || body->driven) return (span){ .kind = SCREE_START_FIXED, .name = body->name };
    return (span){ SCREE_START_RIGID,       body->name,           i * model->body_coordinates,
                   model->body_coordinates, i * model->body_dofs, model->body_dofs };
}

// the first shape of each body and, behind the last one, how many there are; bodies of scenes have
// theirs in a row
static int *first_shapes(const scree_model *model) {
    int *first = malloc(((size_t)model->bodies + 1) * sizeof *first);
    for (int body = 0, shape = 0; first && body <= model->bodies; body++) {
        first[body] = shape;
        while (body < model->bodies && shape < model->shapes && model->shape[shape].body == body)
            shape++;
    }
    return first;
}

// the first piece of each shape and, behind the last one, how many there are
static uint64_t *first_pieces(const scree_model *model) {
    uint64_t *first = malloc(((size_t)model->shapes + 1) * sizeof *first);
    if (!first) return NULL;
    first[0] = 0;
    for (int i = 0; i < model->shapes; i++)
        first[i + 1] = first[i] + (uint64_t)scree_collision_shape_pieces(&model->solid[i]);
    return first;
}

typedef struct numbering {
    const scree_model *model;
    int *shape;       // the first one of each body   (bodies + 1)
    uint64_t *piece;  // the first one of each shape  (shapes + 1)
} numbering;

static bool number(const scree_model *model, numbering *n) {
    *n = (numbering){ model, first_shapes(model), first_pieces(model) };
    return n->shape && n->piece;
}

static void release(numbering *n) {
    free(n->shape);
    free(n->piece);
}

// --- a run -> a start ---------------------------------------------------------------------------

// the shape of a piece: that of the last first one that is not behind it
static int shape_of(const numbering *n, uint64_t piece) {
    int low = 0, high = n->model->shapes;
    if (piece >= n->piece[high]) return -1;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (n->piece[middle] <= piece)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// contacts between shapes that were in the problem of the step
static bool take_contact(const numbering *n, const scree_contact *contact,
                         scree_start_contact *taken) {
    scree_contact_key key = scree_contact_id_unpack(contact->id);
    if (key.source != SCREE_SOURCE_SHAPES || contact->status == SCREE_CONTACT_INACTIVE)
        return false;
    const uint64_t piece[2] = { key.a, key.b };
    for (int k = 0; k < 2; k++) {
        int shape = shape_of(n, piece[k]);
        if (shape < 0) return false;
        taken->part[k] = n->model->shape[shape].body;
        taken->shape[k] = shape - n->shape[taken->part[k]];
        taken->piece[k] = (int)(piece[k] - n->piece[shape]);
    }
    taken->feature = key.feature;
    taken->status = (int)contact->status;
    memcpy(taken->normal, contact->normal, sizeof taken->normal);
    memcpy(taken->impulse, contact->impulse, sizeof taken->impulse);
    return true;
}

typedef struct snapshot {  // a stored state of a run
    double time;
    double *q, *v;
    scree_contact *contact;
    int contacts;
} snapshot;

static scree_status read_last(scree_run_reader *reader, snapshot *s, scree_error *err) {
    scree_state state = { .q = s->q, .v = s->v };
    scree_totals totals;
    scree_status status =
        scree_run_reader_last(reader, &state, &s->contact, &s->contacts, &totals, err);
    s->time = state.time;
    return status;
}

static scree_status read_contacts(scree_run_reader *reader, const scree_frame_row *frame,
                                  snapshot *s, scree_error *err) {
    size_t count = (size_t)frame->contacts;
    scree_contact_row *row = malloc((count + 1) * sizeof *row);
    s->contact = malloc((count + 1) * sizeof *s->contact);
    scree_status status =
        row && s->contact
            ? scree_run_reader_contacts(reader, frame->first_contact, frame->contacts, row, err)
            : scree_fail_memory(err, NULL);
    for (size_t i = 0; !status && i < count; i++) s->contact[i] = row[i].contact;
    s->contacts = status ? 0 : (int)count;
    free(row);
    return status;
}

// the stored state next to a time
static scree_status read_at(scree_run_reader *reader, double at, snapshot *s, scree_error *err) {
    scree_frame_row row, best = { 0 };
    int64_t number = 0;
    for (int64_t i = 0; i < reader->frames; i++) {
        scree_status status = scree_run_reader_frames(reader, i, 1, &row, err);
        if (status) return status;
        if (i > 0 && fabs(row.time - at) >= fabs(best.time - at)) continue;
        best = row;
        number = i;
    }
    s->time = best.time;
    scree_status status = scree_run_reader_states(reader, number, 1, s->q, s->v, err);
    return status ? status : read_contacts(reader, &best, s, err);
}

// parts of the model that are there, the others with no name to be found by
static void fill_parts(const scree_model *model, const snapshot *s, scree_start *start) {
    for (int i = 0; i < start->parts; i++) {
        span part = span_of(model, i);
        bool there = i >= model->bodies || scree_body_present(&model->body[i], s->time);
        start->part[i] = (scree_start_part){ part.kind, there ? part.name : "", part.coordinates,
                                             part.dofs, s->q + part.coordinate, s->v + part.dof };
    }
}

static char *write_start(const scree_model *model, double step, const snapshot *s, size_t *length) {
    scree_start start = { .step = step, .parts = spans_of(model) };
    start.part = malloc(((size_t)start.parts + 1) * sizeof *start.part);
    start.contact = malloc(((size_t)s->contacts + 1) * sizeof *start.contact);
    numbering n;
    bool fine = number(model, &n) && start.part && start.contact;
    if (fine) fill_parts(model, s, &start);
    for (int i = 0; fine && i < s->contacts; i++)
        start.contacts += take_contact(&n, &s->contact[i], &start.contact[start.contacts]);
    char *text = fine ? scree_start_text_write(&start, length) : NULL;
    release(&n);
    free(start.part);
    free(start.contact);
    return text;
}

static scree_status snap(scree_run_reader *reader, double at, const scree_simulation *old,
                         char **text, size_t *length, scree_error *err) {
    snapshot s = { 0 };
    const scree_model *model = scree_simulation_model(old);
    s.q = calloc((size_t)reader->coordinates + 1, sizeof *s.q);
    s.v = calloc((size_t)reader->dofs + 1, sizeof *s.v);
    scree_status status = SCREE_OK;
    if (!s.q || !s.v)
        status = scree_fail_memory(err, NULL);
    else if (reader->coordinates != model->coordinates || reader->dofs != model->dofs)
        status = scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "holds no run of its own scene");
    if (!status) status = isnan(at) ? read_last(reader, &s, err) : read_at(reader, at, &s, err);
    if (!status) {
        *text = write_start(model, scree_simulation_options(old)->scheme.step, &s, length);
        if (!*text) status = scree_fail_memory(err, NULL);
    }
    free(s.contact);
    free(s.q);
    free(s.v);
    return status;
}

static scree_status read_run(const char *path, double at, char **text, size_t *length,
                             scree_error *err) {
    scree_run_reader *reader;
    scree_status status = scree_run_reader_open(path, &reader, err);
    if (status) return status;
    scree_findings findings = { 0 };
    scree_simulation *old = scree_run_simulation(reader, &findings);
    if (!old)
        status = scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "%.400s",
                            findings.count ? findings.item[0].text : "its scene cannot be read");
    else
        status = snap(reader, at, old, text, length, err);
    scree_simulation_free(old);
    scree_findings_free(&findings);
    scree_run_reader_close(reader);
    return status;
}

// --- the start of a scene -----------------------------------------------------------------------

static const scree_embedded_file *keep_run(scree_scene *scene, scree_arena *arena,
                                           scree_error *err) {
    const scree_scene_begin *given = &scene->top.start;
    const scree_embedded_file *file = NULL;
    size_t length = 0;
    char *text = NULL, *path = scree_from_scene_path(scene, given->run, arena);
    scree_status status =
        path ? read_run(path, given->at, &text, &length, err) : scree_fail_memory(err, NULL);
    if (!status) file = scree_from_scene_keep(scene, given->run, text, length);
    if (!status && !file) scree_fail_memory(err, NULL);
    free(text);
    return file;
}

const scree_start *scree_start_find(scree_scene *scene, scree_arena *arena,
                                    scree_findings *findings) {
    const scree_scene_begin *given = &scene->top.start;
    scree_source_location at = scree_scene_place(&given->section, "run");
    scree_error err = { 0 };
    if (!given->run) return NULL;
    const scree_embedded_file *supply = scree_from_scene_supplied(scene, given->run);
    const scree_embedded_file *file =
        supply ? scree_from_scene_keep(scene, given->run, supply->text, supply->length)
               : keep_run(scene, arena, &err);
    const scree_start *start =
        file ? scree_start_text_parse(file->text, file->length, arena) : NULL;
    if (start) return start;
    if (!file && err.text[0])
        scree_findings_add(findings, at, "%.200s: %.300s", given->run, err.text);
    else if (!file)
        scree_findings_no_memory(findings);
    else
        scree_findings_add(findings, at, "%.200s: the start that is kept with the scene is damaged",
                           given->run);
    return NULL;
}

// --- a start -> a simulation --------------------------------------------------------------------

static int by_name(const void *a, const void *b) {
    const scree_start_part *const *one = a, *const *two = b;
    return strcmp((*one)->name, (*two)->name);
}

typedef struct match {  // the parts of a model among those of a start
    const scree_start_part **sorted;
    int *part;   // of each span of the model, -1: none       (spans)
    int *other;  // body of each part of the start, -1: none  (parts)
} match;

static void free_match(match *m) {
    free(m->sorted);
    free(m->part);
    free(m->other);
}

static bool find_match(const scree_start *start, const scree_model *model, match *m) {
    int spans = spans_of(model);
    m->sorted = malloc(((size_t)start->parts + 1) * sizeof *m->sorted);
    m->part = malloc(((size_t)spans + 1) * sizeof *m->part);
    m->other = malloc(((size_t)start->parts + 1) * sizeof *m->other);
    if (!m->sorted || !m->part || !m->other) return false;
    for (int i = 0; i < start->parts; i++) {
        m->sorted[i] = &start->part[i];
        m->other[i] = -1;
    }
    if (start->parts) qsort(m->sorted, (size_t)start->parts, sizeof *m->sorted, by_name);
    for (int i = 0; i < spans; i++) {
        const scree_start_part key = { .name = span_of(model, i).name }, *wanted = &key;
        const scree_start_part **found =
            bsearch(&wanted, m->sorted, (size_t)start->parts, sizeof *m->sorted, by_name);
        bool same = found && *key.name && (*found)->kind == span_of(model, i).kind;
        m->part[i] = same ? (int)(*found - start->part) : -1;
        if (same) m->other[m->part[i]] = i;
    }
    return true;
}

void scree_start_wake(const scree_start *start, scree_model *model) {
    match m = { 0 };
    if (find_match(start, model, &m))
        for (int i = 0; i < model->bodies; i++)
            if (m.part[i] >= 0 && start->part[m.part[i]].kind == SCREE_START_RIGID)
                model->body[i].birth_time = 0;
    free_match(&m);
}

static scree_status place(const scree_start *start, const scree_model *model, const match *m,
                          bool rest, scree_state *state, scree_error *err) {
    int placed = 0;
    for (int i = 0; i < spans_of(model); i++) {
        span own = span_of(model, i);
        if (m->part[i] < 0 || own.kind == SCREE_START_FIXED) continue;
        const scree_start_part *part = &start->part[m->part[i]];
        if (part->coordinates != own.coordinates || part->dofs != own.dofs)
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "%s has %d coordinates in the run and %d here", own.name,
                              part->coordinates, own.coordinates);
        memcpy(state->q + own.coordinate, part->q, (size_t)own.coordinates * sizeof *part->q);
        for (int k = 0; k < own.dofs; k++) state->v[own.dof + k] = rest ? 0 : part->v[k];
        placed++;
    }
    if (placed) return SCREE_OK;
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                      "no body that moves has the name of one that is there in the run");
}

// the same contact in the model; false if it has no such shapes, or has them the other way round
static bool translate(const scree_start_contact *given, const numbering *n, const match *m,
                      double scale, scree_contact *contact) {
    uint64_t piece[2];
    int body[2];
    for (int k = 0; k < 2; k++) {
        body[k] = m->other[given->part[k]];
        if (body[k] < 0 || body[k] >= n->model->bodies) return false;
        int shape = n->shape[body[k]];
        if (given->shape[k] >= n->shape[body[k] + 1] - shape) return false;
        shape += given->shape[k];
        if (given->piece[k] >= scree_collision_shape_pieces(&n->model->solid[shape])) return false;
        piece[k] = n->piece[shape] + (uint64_t)given->piece[k];
    }
    if (piece[0] >= piece[1]) return false;
    *contact = (scree_contact){
        .id = scree_contact_id_pack(SCREE_SOURCE_SHAPES, piece[0], piece[1], given->feature),
        .a = body[0],
        .b = body[1],
        .status = (scree_contact_status)given->status,
    };
    memcpy(contact->normal, given->normal, sizeof contact->normal);
    for (int k = 0; k < SCREE_ROWS_MAX; k++) contact->impulse[k] = scale * given->impulse[k];
    return true;
}

// impulses that the new steps would have, which may be of another length
static scree_status go(const scree_start *start, const match *m, const numbering *n,
                       const scree_state *state, scree_simulation *simulation, scree_error *err) {
    int contacts = 0;
    double scale = scree_simulation_options(simulation)->scheme.step / start->step;
    scree_contact *contact = malloc(((size_t)start->contacts + 1) * sizeof *contact);
    if (!contact) return scree_fail_memory(err, NULL);
    for (int i = 0; i < start->contacts; i++)
        contacts += translate(&start->contact[i], n, m, scale, &contact[contacts]);
    const scree_totals none = scree_totals_none();
    scree_status status =
        scree_simulation_restore(simulation, state, contact, contacts, &none, err);
    free(contact);
    return status;
}

scree_status scree_start_restore(const scree_start *start, bool rest, scree_simulation *simulation,
                                 scree_error *err) {
    const scree_model *model = scree_simulation_model(simulation);
    const scree_state *now = scree_simulation_state(simulation);
    size_t coordinates = (size_t)model->coordinates, dofs = (size_t)model->dofs;
    double *room = malloc((coordinates + dofs) * sizeof *room);
    match m = { 0 };
    numbering n;
    scree_status status = SCREE_OK;
    if (!number(model, &n) || !find_match(start, model, &m) || !room) {
        status = scree_fail_memory(err, NULL);
    } else {
        scree_state state = { .q = room, .v = room + coordinates };
        memcpy(state.q, now->q, coordinates * sizeof *room);
        memcpy(state.v, now->v, dofs * sizeof *room);
        status = place(start, model, &m, rest, &state, err);
        if (!status) status = go(start, &m, &n, &state, simulation, err);
    }
    release(&n);
    free_match(&m);
    free(room);
    return status;
}
