// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// part.c - the table of part kinds, and the rows of a model; positions by the theta method.
// in: a model with all that was added to it.   out: its rows, placed in q and v.

#include "model/part.h"

#include <math.h>
#include <string.h>

#include "model/memory.h"

static const scree_part_kind *const table[] = { &scree_rigid_plane,  &scree_rigid_space,
                                                &scree_matrix_kind,  &scree_mechanism_kind,
                                                &scree_elastic_kind, &scree_drive_memory };
enum { KINDS = sizeof table / sizeof *table };

scree_status scree_model_add_parts(scree_model *model, const scree_parts *parts, scree_error *err) {
    struct scree_model_memory *memory = model->memory;
    if (memory->finished)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the model is finished already");
    scree_parts *array = SCREE_NEW(&memory->arena, scree_parts, memory->rows + 1);
    if (!array)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE,
                          "out of memory while building the model");
    if (memory->rows) memcpy(array, memory->parts, (size_t)memory->rows * sizeof *array);
    array[memory->rows++] = *parts;
    memory->parts = array;
    return SCREE_OK;
}

int scree_model_parts(const scree_model *model, const scree_parts **parts) {
    *parts = model->memory->parts;
    return model->memory->rows;
}

const scree_parts *scree_model_parts_of(const scree_model *model, const scree_part_kind *kind) {
    for (int k = 0; k < model->memory->rows; k++)
        if (model->memory->parts[k].kind == kind) return &model->memory->parts[k];
    return NULL;
}

bool scree_model_group(const scree_model *model, int k, scree_part_group *group) {
    if (k >= model->memory->rows) return false;
    const scree_parts *row = &model->memory->parts[k];
    *group = (scree_part_group){ row->kind->name,  row->count, row->coordinate,
                                 row->coordinates, row->dof,   row->dofs };
    return true;
}

scree_part_group scree_model_group_of(const scree_model *model, const char *kind) {
    scree_part_group group;
    for (int k = 0; scree_model_group(model, k, &group); k++)
        if (strcmp(group.kind, kind) == 0) return group;
    return (scree_part_group){ 0 };
}

bool scree_parts_finish(scree_model *model) {
    struct scree_model_memory *memory = model->memory;
    scree_parts *row = SCREE_NEW(&memory->arena, scree_parts, KINDS + memory->rows);
    int rows = 0, first = 0, coordinate = 0, dof = 0;
    if (!row) return false;
    for (int k = 0; k < KINDS; k++) {
        row[rows] = (scree_parts){ .kind = table[k] };
        table[k]->find(model, &row[rows]);
        rows += row[rows].count > 0;
    }
    if (memory->rows) memcpy(row + rows, memory->parts, (size_t)memory->rows * sizeof *row);
    rows += memory->rows;
    for (int k = 0; k < rows; k++) {
        row[k].model = model;
        row[k].first = first;
        row[k].coordinate = coordinate;
        row[k].dof = dof;
        first += row[k].count;
        coordinate += row[k].coordinates;
        dof += row[k].dofs;
        model->has_loads |= row[k].has_loads;
    }
    model->coordinates = coordinate;
    model->dofs = dof;
    memory->parts = row;
    memory->rows = rows;
    return true;
}

void scree_parts_integrate(const scree_parts *parts, int rows, const double *q, const double *v,
                           double h, double *out) {
    for (int k = 0; k < rows; k++) {
        const scree_parts *own = &parts[k];
        if (own->kind->integrate)
            own->kind->integrate(own, q, v, h, out);
        else
            for (int i = 0; i < own->coordinates; i++)
                out[own->coordinate + i] = q[own->coordinate + i] + h * v[own->dof + i];
    }
}

void scree_parts_drive(const scree_parts *parts, int rows, double t, double *q, double *v) {
    for (int k = 0; k < rows; k++)
        if (parts[k].drives) parts[k].kind->drive(&parts[k], t, q, v);
}

double scree_parts_extent(const scree_model *model, const double *q) {
    double size = 0;
    for (int k = 0; k < model->memory->rows; k++) {
        const scree_parts *own = &model->memory->parts[k];
        if (own->kind->extent)
            size = fmax(size, own->kind->extent(own, q));
        else
            for (int i = 0; i < own->coordinates; i++)
                size = fmax(size, fabs(q[own->coordinate + i]));
    }
    return size;
}

// Acary & Collins-Craft (52b), (63b)
void scree_parts_advance(scree_parts *parts, const scree_stage *stage, bool pushed) {
    const scree_state *before = stage->before, *after = stage->after;
    const scree_part *part = stage->inertia->part + parts->first;
    double h = stage->h, alpha = stage->alpha;
    for (int k = 0; pushed && k < parts->count; k++)
        scree_inertia_solve(&part[k], stage->work + part[k].dof);
    for (int i = 0; i < parts->dofs; i++) {
        int dof = parts->dof + i, at = parts->coordinate + i;
        after->v[dof] = stage->v_free[dof] + (pushed ? stage->work[dof] : 0);
        double mean = (1 - alpha) * before->v[dof] + alpha * after->v[dof];
        after->q[at] = before->q[at] + h * mean;
    }
}
