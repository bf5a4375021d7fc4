// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// export_elastic.c - scree export: nodes and elements of elastic bodies as CSV.

#include <inttypes.h>
#include <stdlib.h>

#include "cli/export.h"
#include "scree/stress.h"

typedef struct frame {  // one stored state
    scree_frame_row row;
    double *q, *v;
    double *strain, *stress;  // of all elements
    double *reaction;         // of all nodes, if the run holds them
} frame;

static bool has_reactions(const cli_table *t) {
    return t->reader->reaction_nodes == scree_stress_nodes(t->model);
}

static bool make_frame(const cli_table *t, frame *f) {
    const scree_model *model = t->model;
    size_t six = (size_t)scree_stress_elements(model) * SCREE_TENSOR;
    size_t forces = (size_t)scree_stress_nodes(model) * (size_t)model->space;
    f->q = malloc((size_t)t->reader->coordinates * sizeof *f->q);
    f->v = malloc((size_t)t->reader->dofs * sizeof *f->v);
    f->strain = malloc(six * sizeof *f->strain);
    f->stress = malloc(six * sizeof *f->stress);
    f->reaction = malloc(forces * sizeof *f->reaction);
    return f->q && f->v && f->strain && f->stress && f->reaction;
}

static void free_frame(frame *f) {
    free(f->q);
    free(f->v);
    free(f->strain);
    free(f->stress);
    free(f->reaction);
}

// strain and stress as stored, or from the displacements
static scree_status find_stress(const cli_table *t, int64_t i, frame *f, scree_error *err) {
    if (t->reader->elements == scree_stress_elements(t->model))
        return scree_run_reader_stress(t->reader, i, 1, f->strain, f->stress, err);
    scree_stress_find_all(t->model, f->q, f->strain, f->stress);
    return SCREE_OK;
}

static void begin_row(const cli_table *t, const frame *f, const char *body, int number) {
    fprintf(t->out, "%" PRId64 ",%.17g", f->row.step, f->row.time);
    cli_table_text(t, body);
    fprintf(t->out, ",%d", number);
}

static void write_nodes(const cli_table *t, const frame *f) {
    int space = t->model->space;
    for (int e = 0; e < t->model->elastics; e++) {
        const scree_elastic_body *body = &t->model->elastic[e];
        for (int i = 0; i < body->mesh.nodes; i++) {
            long at = (long)i * space;
            const double *moved = f->q + body->coordinate + at;
            double x[3];
            for (int k = 0; k < space; k++) x[k] = body->mesh.node[at + k] + moved[k];
            begin_row(t, f, body->name, i);
            cli_table_numbers(t, x, space);
            cli_table_numbers(t, moved, space);
            cli_table_numbers(t, f->v + body->dof + at, space);
            if (has_reactions(t))
                cli_table_numbers(t, f->reaction + body->dof - t->model->elastic[0].dof + at,
                                  space);
            putc('\n', t->out);
        }
    }
}

static void write_elements(const cli_table *t, const frame *f) {
    size_t at = 0;
    for (int e = 0; e < t->model->elastics; e++)
        for (int i = 0; i < t->model->elastic[e].mesh.elements; i++, at += SCREE_TENSOR) {
            const double *stress = f->stress + at;
            const double made[] = { scree_stress_mises(stress), scree_stress_pressure(stress) };
            begin_row(t, f, t->model->elastic[e].name, i);
            cli_table_numbers(t, f->strain + at, SCREE_TENSOR);
            cli_table_numbers(t, stress, SCREE_TENSOR);
            cli_table_numbers(t, made, 2);
            putc('\n', t->out);
        }
}

static scree_status refuse(const cli_table *t, scree_error *err) {
    return scree_fail(err, SCREE_BAD_INPUT, (scree_source_location){ t->reader->path, 0, 0 },
                      "is a run without elastic bodies, it has no nodes and elements");
}

// a line of headings, then all states one by one
static scree_status write_frames(const cli_table *t, bool elements, scree_error *err) {
    frame f = { 0 };
    scree_status status = SCREE_OK;
    if (!make_frame(t, &f)) status = scree_fail_memory(err, NULL);
    for (int64_t i = 0; !status && i < t->reader->frames; i++) {
        status = scree_run_reader_frames(t->reader, i, 1, &f.row, err);
        if (!status) status = scree_run_reader_states(t->reader, i, 1, f.q, f.v, err);
        if (!status && elements) status = find_stress(t, i, &f, err);
        if (!status && !elements && has_reactions(t))
            status = scree_run_reader_reactions(t->reader, i, 1, f.reaction, err);
        if (!status && elements) write_elements(t, &f);
        if (!status && !elements) write_nodes(t, &f);
    }
    free_frame(&f);
    return status;
}

scree_status cli_table_nodes(const cli_table *t, scree_error *err) {
    if (!t->model->elastics) return refuse(t, err);
    bool planar = t->model->space == 2;
    cli_table_header(t, "step,time,body,node,");
    cli_table_header(t, planar ? "x,y,ux,uy,vx,vy" : "x,y,z,ux,uy,uz,vx,vy,vz");
    if (has_reactions(t)) cli_table_header(t, planar ? ",rx,ry" : ",rx,ry,rz");
    putc('\n', t->out);
    return write_frames(t, false, err);
}

scree_status cli_table_elements(const cli_table *t, scree_error *err) {
    if (!t->model->elastics) return refuse(t, err);
    cli_table_header(t,
                     "step,time,body,element,strain_xx,strain_yy,strain_zz,strain_xy,strain_yz,"
                     "strain_xz,stress_xx,stress_yy,stress_zz,stress_xy,stress_yz,stress_xz,"
                     "von_mises,pressure\n");
    return write_frames(t, true, err);
}
