// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// vtk_elastic.c - an elastic body in one frame as an unstructured grid: its mesh with the nodes
// where they have gone to, displacements, velocities, reactions; strain and stress of elements.

#include "store/vtk_elastic.h"

#include <math.h>
#include <string.h>

#include "model/elastic.h"

bool scree_vtk_elastic_make(const scree_model *model, const scree_run_reader *reader,
                            scree_arena *arena, scree_vtk_elastic *elastic) {
    size_t six = (size_t)scree_stress_elements(model) * SCREE_TENSOR;
    int nodes = scree_stress_nodes(model);
    *elastic = (scree_vtk_elastic){ .model = model,
                                    .parts = scree_model_group_of(model, "elastic").parts };
    elastic->strain = SCREE_NEW(arena, double, six);
    elastic->stress = SCREE_NEW(arena, double, six);
    if (!elastic->strain || !elastic->stress) return false;
    if (!nodes || reader->reaction_nodes != nodes) return true;
    elastic->reaction = SCREE_NEW(arena, double, ((size_t)nodes * (size_t)model->space));
    return elastic->reaction;
}

scree_status scree_vtk_elastic_read(scree_vtk_elastic *elastic, scree_run_reader *reader,
                                    int64_t frame, const double *q, scree_error *err) {
    const scree_model *model = elastic->model;
    int elements = scree_stress_elements(model);
    if (elastic->reaction) {
        scree_status status = scree_run_reader_reactions(reader, frame, 1, elastic->reaction, err);
        if (status) return status;
    }
    if (reader->elements == elements)
        return scree_run_reader_stress(reader, frame, 1, elastic->strain, elastic->stress, err);
    scree_stress_find_all(model, q, elastic->strain, elastic->stress);
    return SCREE_OK;
}

void scree_vtk_elastic_surround(const scree_model *model, const double *q, double low[3],
                                double high[3]) {
    for (int e = 0; e < model->elastics; e++) {
        const scree_elastic_body *body = &model->elastic[e];
        for (int i = 0; i < body->mesh.nodes; i++) {
            double x[3];
            scree_elastic_place(body, q + body->coordinate, i, x);
            for (int k = 0; k < model->space; k++) {
                if (!isfinite(x[k])) continue;
                low[k] = fmin(low[k], x[k]);
                high[k] = fmax(high[k], x[k]);
            }
        }
    }
}

// three numbers for each node of numbers that have a third one in space only
static double *lift(const scree_mesh *mesh, const double *from, scree_arena *arena) {
    double *made = SCREE_NEW(arena, double, 3 * (size_t)mesh->nodes);
    for (int i = 0; made && i < mesh->nodes; i++)
        memcpy(made + 3 * (size_t)i, from + (size_t)i * (size_t)mesh->space,
               (size_t)mesh->space * sizeof *made);
    return made;
}

static bool fill_points(const scree_vtk_elastic *elastic, const scree_elastic_body *body,
                        const double *q, const double *v, scree_arena *arena,
                        scree_vtk_data *data) {
    const scree_mesh *mesh = &body->mesh;
    double *x = SCREE_NEW(arena, double, 3 * (size_t)mesh->nodes), *force = NULL;
    double *moved = lift(mesh, q + body->coordinate, arena);
    double *speed = lift(mesh, v + body->dof, arena);
    for (int i = 0; x && i < mesh->nodes; i++)
        scree_elastic_place(body, q + body->coordinate, i, x + 3 * (size_t)i);
    if (elastic->reaction) {
        int first = body->dof - elastic->model->elastic[0].dof;
        force = lift(mesh, elastic->reaction + first, arena);
        if (!force) return false;
    }
    data->points = mesh->nodes;
    data->point = x;
    data->point_arrays = force ? 3 : 2;
    data->point_array[0] = (scree_vtk_array){ "displacement", SCREE_VTK_NUMBER, 3, moved };
    data->point_array[1] = (scree_vtk_array){ "velocity", SCREE_VTK_NUMBER, 3, speed };
    data->point_array[2] = (scree_vtk_array){ "reaction", SCREE_VTK_NUMBER, 3, force };
    return x && moved && speed;
}

static bool fill_cells(const scree_mesh *mesh, scree_arena *arena, scree_vtk_data *data) {
    // triangle, quad, tetra, hexahedron, and the quadratic ones
    static const uint8_t types[] = { 5, 9, 10, 12, 22, 23, 24, 25 };
    int corners = mesh->first[mesh->elements];
    int64_t *corner = SCREE_NEW(arena, int64_t, corners);
    int64_t *end = SCREE_NEW(arena, int64_t, mesh->elements);
    uint8_t *type = SCREE_NEW(arena, uint8_t, mesh->elements);
    if (!corner || !end || !type) return false;
    for (int c = 0; c < corners; c++) corner[c] = mesh->corner[c];
    for (int e = 0; e < mesh->elements; e++) {
        end[e] = mesh->first[e + 1];
        type[e] = types[mesh->kind[e]];
    }
    data->grid = (scree_vtk_cells){ mesh->elements, corners, corner, end };
    data->type = type;
    return true;
}

static bool fill_stress(const scree_vtk_elastic *elastic, int e, scree_arena *arena,
                        scree_vtk_data *data) {
    const scree_model *model = elastic->model;
    int elements = model->elastic[e].mesh.elements;
    size_t first = 0;
    for (int i = 0; i < e; i++) first += (size_t)model->elastic[i].mesh.elements * SCREE_TENSOR;
    double *mises = SCREE_NEW(arena, double, elements);
    double *pressure = SCREE_NEW(arena, double, elements);
    int32_t *body = SCREE_NEW(arena, int32_t, elements);
    if (!mises || !pressure || !body) return false;
    for (int i = 0; i < elements; i++) {
        const double *stress = elastic->stress + first + (size_t)i * SCREE_TENSOR;
        mises[i] = scree_stress_mises(stress);
        pressure[i] = scree_stress_pressure(stress);
        body[i] = model->bodies + e;
    }
    const scree_vtk_array arrays[] = {
        { "stress", SCREE_VTK_NUMBER, SCREE_TENSOR, elastic->stress + first },
        { "strain", SCREE_VTK_NUMBER, SCREE_TENSOR, elastic->strain + first },
        { "von_mises", SCREE_VTK_NUMBER, 1, mises },
        { "pressure", SCREE_VTK_NUMBER, 1, pressure },
        { "body", SCREE_VTK_INT32, 1, body },
    };
    memcpy(data->cell_array, arrays, sizeof arrays);
    data->cell_arrays = sizeof arrays / sizeof *arrays;
    return true;
}

scree_status scree_vtk_elastic_fill(const scree_vtk_elastic *elastic, int e, const double *q,
                                    const double *v, scree_arena *arena, scree_vtk_data *data,
                                    scree_error *err) {
    const scree_elastic_body *body = &elastic->model->elastic[e];
    bool fine = fill_points(elastic, body, q, v, arena, data) &&
                fill_cells(&body->mesh, arena, data) && fill_stress(elastic, e, arena, data);
    return fine ? SCREE_OK : scree_fail_memory(err, NULL);
}
