// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// vtk_run.c - states and contacts -> points and polygons.
// in: frames of a run file, its model.   out: .vtp, .vtu and .pvd files.   work: one frame in
// memory.

#include "store/vtk_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/space.h"
#include "model/collision_shape.h"
#include "model/elastic.h"
#include "scree/geometry.h"
#include "store/facets.h"
#include "store/vtk.h"
#include "store/vtk_elastic.h"

typedef struct file_list {
    int64_t count;
    double *time;
    int *part;
    const char **name;
} file_list;

struct scree_vtk_run {
    scree_run_reader *reader;
    const scree_model *model;
    double step;
    bool single;
    const char *folder;
    int64_t every, frames;
    scree_arena arena;
    scree_arena frame;  // emptied before each file
    int shapes[SCREE_VTK_KINDS];
    int *shape[SCREE_VTK_KINDS];  // numbers of the shapes of a kind, chains first
    scree_geometry *geometry;     // owned
    double *q, *v;                // of the frame
    scree_vtk_elastic elastic;    // what elastic bodies feel in it
    scree_frame_row row;
    file_list files[SCREE_VTK_KINDS];
};

static const char *const kind_names[SCREE_VTK_KINDS] = { "balls", "shapes", "fixed", "elastic",
                                                         "contacts" };

const char *scree_vtk_kind_name(scree_vtk_kind kind) { return kind_names[kind]; }

// ---- which shape is drawn how

static scree_vtk_kind kind_of(const scree_model *model, int shape) {
    const scree_body *body = &model->body[model->shape[shape].body];
    if (scree_facets_ball(model->shape[shape].kind)) return SCREE_VTK_BALLS;
    bool always = body->birth_time <= 0 && body->removal_time == 0;
    return body->fixed && always ? SCREE_VTK_FIXED : SCREE_VTK_SHAPES;
}

// cells of lines come before polygons in a file
static bool sort_shapes(scree_vtk_run *run) {
    const scree_model *model = run->model;
    for (int k = 0; k < SCREE_VTK_KINDS; k++) {
        run->shape[k] = SCREE_NEW(&run->arena, int, model->shapes);
        if (!run->shape[k]) return false;
    }
    for (int chains = 1; chains >= 0; chains--)
        for (int s = 0; s < model->shapes; s++)
            if ((model->shape[s].kind == SCREE_CHAIN) == chains) {
                scree_vtk_kind kind = kind_of(model, s);
                run->shape[kind][run->shapes[kind]++] = s;
            }
    return true;
}

// ---- what a plane is cut to

static scree_status read_state(scree_vtk_run *run, int64_t i, scree_error *err) {
    int64_t frame = i * run->every;
    scree_status status = scree_run_reader_frames(run->reader, frame, 1, &run->row, err);
    if (!status) status = scree_run_reader_states(run->reader, frame, 1, run->q, run->v, err);
    bool damaged = run->row.contacts < 0 || run->row.contacts > run->reader->contacts;
    return !status && damaged
               ? scree_fail(err, SCREE_BAD_INPUT,
                            (scree_source_location){ run->reader->path, 0, 0 }, "is damaged")
               : status;
}

static bool has_half_space(const scree_model *model) {
    for (int s = 0; s < model->shapes; s++)
        if (model->solid[s].kind == SCREE_COLLISION_HALF_SPACE) return true;
    return false;
}

// a ball around the whole run, which is read once more for it
static scree_status find_view(scree_vtk_run *run, scree_view *view, scree_error *err) {
    double low[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL }, high[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
    scree_status status = SCREE_OK;
    *view = (scree_view){ .radius = 1 };
    if (!has_half_space(run->model)) return SCREE_OK;
    for (int64_t i = 0; !status && i < run->frames; i++) {
        status = read_state(run, i, err);
        for (int s = 0; !status && s < run->model->shapes; s++)
            scree_geometry_surround(run->model, s, run->q, run->row.time, low, high);
        if (!status) scree_vtk_elastic_surround(run->model, run->q, low, high);
    }
    if (!status) *view = scree_view_of_box(run->model->space, low, high);
    return status;
}

// ---- poses

static void find_motion(const scree_vtk_run *run, int body, double velocity[3], double spin[3]) {
    const double *v = run->v + (size_t)body * (size_t)run->model->body_dofs;
    bool planar = run->model->space == 2;
    for (int k = 0; k < 3; k++) {
        velocity[k] = planar && k == 2 ? 0 : v[k];
        spin[k] = !planar ? v[3 + k] : k == 2 ? v[2] : 0;
    }
}

// where a point of a body is and how fast
static void follow(const scree_placement *at, const double velocity[3], const double spin[3],
                   const double own[3], double x[3], double u[3]) {
    double arm[3], turning[3];
    scree_placement_apply(at, own, x);
    for (int k = 0; k < 3; k++) arm[k] = x[k] - at->at[k];
    scree_cross(spin, arm, turning);
    for (int k = 0; k < 3; k++) u[k] = velocity[k] + turning[k];
}

static bool is_drawn(const scree_vtk_run *run, int shape) {
    return scree_geometry_present(run->model, run->model->shape[shape].body, run->row.time);
}

static scree_status make_geometry(scree_vtk_run *run, scree_error *err) {
    scree_view view;
    scree_status status = find_view(run, &view, err);
    if (!status) status = read_state(run, 0, err);
    if (!status) status = scree_geometry_new(run->model, run->q, &view, &run->geometry, err);
    return status;
}

// ---- one file

// the name of a file of a kind, or of a part of it
static void name_file(const scree_vtk_run *run, scree_vtk_kind kind, int part, char name[64]) {
    long long step = (long long)run->row.step;
    if (kind == SCREE_VTK_FIXED)
        snprintf(name, 64, "data/%s.vtp", kind_names[kind]);
    else if (kind == SCREE_VTK_ELASTIC)
        snprintf(name, 64, "data/%s-%07lld-%d.vtu", kind_names[kind], step, part);
    else
        snprintf(name, 64, "data/%s-%07lld.vtp", kind_names[kind], step);
}

static scree_status write_part(scree_vtk_run *run, scree_vtk_kind kind, int part,
                               scree_vtk_data *data, scree_error *err) {
    file_list *list = &run->files[kind];
    char name[64];
    data->time = run->row.time;
    data->single = run->single;
    name_file(run, kind, part, name);
    size_t length = strlen(run->folder) + sizeof name + 1;
    char *path = SCREE_NEW(&run->frame, char, length);
    const char *kept = scree_arena_text(&run->arena, name, strlen(name));
    if (!path || !kept) return scree_fail_memory(err, NULL);
    snprintf(path, length, "%s/%s", run->folder, name);
    scree_status status = scree_vtk_write(path, data, err);
    if (status) return status;
    list->time[list->count] = run->row.time;
    list->part[list->count] = part;
    list->name[list->count++] = kept;
    return SCREE_OK;
}

static scree_status write_file(scree_vtk_run *run, scree_vtk_kind kind, scree_vtk_data *data,
                               scree_error *err) {
    return write_part(run, kind, 0, data, err);
}

static scree_status write_balls(scree_vtk_run *run, scree_error *err) {
    const scree_model *model = run->model;
    size_t room = (size_t)run->shapes[SCREE_VTK_BALLS], n = 0;
    scree_arena *arena = &run->frame;
    double *x = SCREE_NEW(arena, double, 3 * room), *u = SCREE_NEW(arena, double, 3 * room),
           *spin = SCREE_NEW(arena, double, 3 * room), *turn = SCREE_NEW(arena, double, 4 * room),
           *radius = SCREE_NEW(arena, double, room);
    int32_t *body = SCREE_NEW(arena, int32_t, room), *group = SCREE_NEW(arena, int32_t, room);
    if (!x || !u || !spin || !turn || !radius || !body || !group)
        return scree_fail_memory(err, NULL);
    for (size_t i = 0; i < room; i++) {
        int s = run->shape[SCREE_VTK_BALLS][i];
        if (!is_drawn(run, s)) continue;
        scree_placement at;
        double velocity[3];
        body[n] = model->shape[s].body;
        group[n] = model->body[body[n]].group;
        radius[n] = model->solid[s].radius;
        scree_geometry_place(model, body[n], run->q, &at);
        memcpy(turn + 4 * n, at.quaternion, sizeof at.quaternion);
        find_motion(run, body[n], velocity, spin + 3 * n);
        follow(&at, velocity, spin + 3 * n, model->solid[s].vertex, x + 3 * n, u + 3 * n);
        n++;
    }
    scree_vtk_data data = { .points = (int64_t)n,
                            .point = x,
                            .vertices = true,
                            .point_arrays = 6,
                            .point_array = {
                                { "radius", SCREE_VTK_NUMBER, 1, radius },
                                { "body", SCREE_VTK_INT32, 1, body },
                                { "group", SCREE_VTK_INT32, 1, group },
                                { "velocity", SCREE_VTK_NUMBER, 3, u },
                                { "spin", SCREE_VTK_NUMBER, 3, spin },
                                { "orientation", SCREE_VTK_NUMBER, 4, turn },
                            } };
    return write_file(run, SCREE_VTK_BALLS, &data, err);
}

// points, corners and cells of all polygons of a file, while they are collected
typedef struct drawing {
    double *x, *u;
    int64_t *corner, *end;
    int32_t *body, *shape, *group;
    int64_t points, corners, cells;
} drawing;

static bool make_drawing(scree_vtk_run *run, scree_vtk_kind kind, drawing *d) {
    int64_t points = 0, corners = 0, cells = 0;
    for (int i = 0; i < run->shapes[kind]; i++) {
        const scree_outline *f = &run->geometry->outline[run->shape[kind][i]];
        points += f->points;
        cells += f->polygons;
        corners += f->first[f->polygons];
    }
    scree_arena *arena = &run->frame;
    *d = (drawing){ SCREE_NEW(arena, double, 3 * points),
                    SCREE_NEW(arena, double, 3 * points),
                    SCREE_NEW(arena, int64_t, corners),
                    SCREE_NEW(arena, int64_t, cells),
                    SCREE_NEW(arena, int32_t, cells),
                    SCREE_NEW(arena, int32_t, cells),
                    SCREE_NEW(arena, int32_t, cells),
                    0,
                    0,
                    0 };
    return d->x && d->u && d->corner && d->end && d->body && d->shape && d->group;
}

static void draw(const scree_vtk_run *run, int shape, drawing *d) {
    const scree_outline *f = &run->geometry->outline[shape];
    int body = run->model->shape[shape].body;
    scree_placement at;
    double velocity[3], spin[3];
    scree_geometry_place(run->model, body, run->q, &at);
    find_motion(run, body, velocity, spin);
    for (int i = 0; i < f->points; i++)
        follow(&at, velocity, spin, f->point + 3 * (size_t)i, d->x + 3 * (d->points + i),
               d->u + 3 * (d->points + i));
    for (int i = 0; i < f->polygons; i++, d->cells++) {
        for (int c = f->first[i]; c < f->first[i + 1]; c++)
            d->corner[d->corners++] = d->points + f->corner[c];
        d->end[d->cells] = d->corners;
        d->body[d->cells] = body;
        d->shape[d->cells] = shape;
        d->group[d->cells] = run->model->body[body].group;
    }
    d->points += f->points;
}

static scree_status write_shapes(scree_vtk_run *run, scree_vtk_kind kind, scree_error *err) {
    drawing d;
    scree_vtk_cells lines = { 0 };
    if (!make_drawing(run, kind, &d)) return scree_fail_memory(err, NULL);
    for (int i = 0; i < run->shapes[kind]; i++) {
        int s = run->shape[kind][i];
        if (!is_drawn(run, s)) continue;
        draw(run, s, &d);
        if (run->geometry->outline[s].line)
            lines = (scree_vtk_cells){ d.cells, d.corners, d.corner, d.end };
    }
    // ends of polygons count from the first polygon on
    for (int64_t i = lines.cells; i < d.cells; i++) d.end[i] -= lines.corners;
    scree_vtk_data data = { .points = d.points,
                            .point = d.x,
                            .lines = lines,
                            .polygons = { d.cells - lines.cells, d.corners - lines.corners,
                                          d.corner + lines.corners, d.end + lines.cells },
                            .point_arrays = 1,
                            .point_array = { { "velocity", SCREE_VTK_NUMBER, 3, d.u } },
                            .cell_arrays = 3,
                            .cell_array = {
                                { "body", SCREE_VTK_INT32, 1, d.body },
                                { "shape", SCREE_VTK_INT32, 1, d.shape },
                                { "group", SCREE_VTK_INT32, 1, d.group },
                            } };
    return write_file(run, kind, &data, err);
}

static scree_status write_elastic(scree_vtk_run *run, int64_t frame, scree_error *err) {
    scree_status status =
        scree_vtk_elastic_read(&run->elastic, run->reader, frame * run->every, run->q, err);
    for (int e = 0; !status && e < run->elastic.parts; e++) {
        scree_vtk_data data = { 0 };
        scree_arena_free(&run->frame);
        status = scree_vtk_elastic_fill(&run->elastic, e, run->q, run->v, &run->frame, &data, err);
        if (!status) status = write_part(run, SCREE_VTK_ELASTIC, e, &data, err);
    }
    return status;
}

// the columns of a file of contacts
typedef struct touching {
    double *x, *force, *normal, *gap, *strength;
    int32_t *status, *a, *b;
    uint64_t *id;
} touching;

static bool make_touching(scree_arena *arena, int64_t n, touching *t) {
    *t = (touching){ SCREE_NEW(arena, double, 3 * n),  SCREE_NEW(arena, double, 3 * n),
                     SCREE_NEW(arena, double, 3 * n),  SCREE_NEW(arena, double, n),
                     SCREE_NEW(arena, double, n),      SCREE_NEW(arena, int32_t, n),
                     SCREE_NEW(arena, int32_t, n),     SCREE_NEW(arena, int32_t, n),
                     SCREE_NEW(arena, uint64_t, 2 * n) };
    return t->x && t->force && t->normal && t->gap && t->strength && t->status && t->a && t->b &&
           t->id;
}

// the mean force of the step on side a
static void add_contact(const scree_vtk_run *run, const scree_contact *c, size_t i, touching *t) {
    double second[3];
    scree_cross(c->normal, c->tangent, second);
    for (size_t k = 0; k < 3; k++) {
        t->x[3 * i + k] = c->point[k];
        t->normal[3 * i + k] = c->normal[k];
        double impulse = c->impulse[0] * c->normal[k] + c->impulse[1] * c->tangent[k];
        if (run->model->space == 3) impulse += c->impulse[2] * second[k];
        t->force[3 * i + k] = impulse / run->step;
    }
    t->gap[i] = c->gap;
    t->strength[i] = c->impulse[0] / run->step;
    t->status[i] = (int32_t)c->status;
    t->a[i] = c->a;
    t->b[i] = c->b;
    memcpy(t->id + 2 * i, c->id.word, sizeof c->id.word);
}

static scree_status write_contacts(scree_vtk_run *run, scree_error *err) {
    enum { ROWS = 4096 };
    touching t;
    int64_t n = run->row.contacts;
    scree_contact_row *row = SCREE_NEW(&run->frame, scree_contact_row, ROWS);
    if (!row || !make_touching(&run->frame, n, &t)) return scree_fail_memory(err, NULL);
    for (int64_t first = 0; first < n; first += ROWS) {
        int64_t count = n - first < ROWS ? n - first : ROWS;
        scree_status status =
            scree_run_reader_contacts(run->reader, run->row.first_contact + first, count, row, err);
        if (status) return status;
        for (int64_t i = 0; i < count; i++)
            add_contact(run, &row[i].contact, (size_t)(first + i), &t);
    }
    scree_vtk_data data = { .points = n,
                            .point = t.x,
                            .vertices = true,
                            .point_arrays = 8,
                            .point_array = {
                                { "force", SCREE_VTK_NUMBER, 3, t.force },
                                { "normal", SCREE_VTK_NUMBER, 3, t.normal },
                                { "normal_force", SCREE_VTK_NUMBER, 1, t.strength },
                                { "gap", SCREE_VTK_NUMBER, 1, t.gap },
                                { "status", SCREE_VTK_INT32, 1, t.status },
                                { "a", SCREE_VTK_INT32, 1, t.a },
                                { "b", SCREE_VTK_INT32, 1, t.b },
                                { "id", SCREE_VTK_UINT64, 2, t.id },
                            } };
    return write_file(run, SCREE_VTK_CONTACTS, &data, err);
}

// ---- the run

scree_status scree_vtk_run_new(scree_run_reader *reader, const scree_model *model, double step,
                               bool single, const char *folder, int every, scree_vtk_run **out,
                               scree_error *err) {
    *out = NULL;
    scree_source_location at = { reader->path, 0, 0 };
    if (!model->bodies && !model->elastics)
        return scree_fail(err, SCREE_BAD_INPUT, at,
                          "is the run of a matrix system: it has no shapes, and there is nothing "
                          "to draw; its tables can be written by --to csv");
    if (reader->frames < 1) return scree_fail(err, SCREE_BAD_INPUT, at, "holds no states");
    if (reader->coordinates != model->coordinates || reader->dofs != model->dofs)
        return scree_fail(err, SCREE_BAD_INPUT, at, "holds no run of its scene");
    scree_vtk_run *run = calloc(1, sizeof *run);
    if (!run) return scree_fail_memory(err, NULL);
    run->reader = reader;
    run->model = model;
    run->step = step;
    run->single = single;
    run->folder = folder;
    run->every = every;
    run->frames = (reader->frames - 1) / every + 1;
    run->q = SCREE_NEW(&run->arena, double, reader->coordinates);
    run->v = SCREE_NEW(&run->arena, double, reader->dofs);
    bool fine = run->q && run->v && sort_shapes(run) &&
                scree_vtk_elastic_make(model, reader, &run->arena, &run->elastic);
    for (int k = 0; fine && k < SCREE_VTK_KINDS; k++) {
        int64_t most = run->frames * (k == SCREE_VTK_ELASTIC ? run->elastic.parts : 1);
        run->files[k].time = SCREE_NEW(&run->arena, double, most);
        run->files[k].part = SCREE_NEW(&run->arena, int, most);
        run->files[k].name = SCREE_NEW(&run->arena, const char *, most);
        fine = run->files[k].time && run->files[k].part && run->files[k].name;
    }
    scree_status status = fine ? make_geometry(run, err) : scree_fail_memory(err, NULL);
    if (status)
        scree_vtk_run_free(run);
    else
        *out = run;
    return status;
}

void scree_vtk_run_free(scree_vtk_run *run) {
    if (!run) return;
    scree_geometry_free(run->geometry);
    scree_arena_free(&run->arena);
    scree_arena_free(&run->frame);
    free(run);
}

int64_t scree_vtk_run_frames(const scree_vtk_run *run) { return run->frames; }

bool scree_vtk_run_has(const scree_vtk_run *run, scree_vtk_kind kind) {
    if (kind == SCREE_VTK_ELASTIC) return run->elastic.parts > 0;
    return kind == SCREE_VTK_CONTACTS || run->shapes[kind] > 0;
}

scree_status scree_vtk_run_frame(scree_vtk_run *run, int64_t i, scree_error *err) {
    scree_status status = read_state(run, i, err);
    for (int k = 0; !status && k < SCREE_VTK_KINDS; k++) {
        scree_arena_free(&run->frame);
        if (!scree_vtk_run_has(run, (scree_vtk_kind)k) || (k == SCREE_VTK_FIXED && i > 0)) continue;
        status = k == SCREE_VTK_BALLS      ? write_balls(run, err)
                 : k == SCREE_VTK_ELASTIC  ? write_elastic(run, i, err)
                 : k == SCREE_VTK_CONTACTS ? write_contacts(run, err)
                                           : write_shapes(run, (scree_vtk_kind)k, err);
    }
    return status;
}

scree_status scree_vtk_run_collect(const scree_vtk_run *run, scree_error *err) {
    size_t length = strlen(run->folder) + 32;
    char *path = malloc(length);
    scree_status status = path ? SCREE_OK : scree_fail_memory(err, NULL);
    for (int k = 0; !status && k < SCREE_VTK_KINDS; k++) {
        if (!scree_vtk_run_has(run, (scree_vtk_kind)k)) continue;
        snprintf(path, length, "%s/%s.pvd", run->folder, kind_names[k]);
        const file_list *list = &run->files[k];
        status = scree_vtk_collect(path, list->time, list->part, list->name, list->count, err);
    }
    free(path);
    return status;
}

const char *const *scree_vtk_run_files(const scree_vtk_run *run, scree_vtk_kind kind,
                                       int64_t *count) {
    *count = run->files[kind].count;
    return run->files[kind].name;
}
