// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// export_joints.c - scree export: coordinates and reactions of joints, as CSV.

#include <inttypes.h>
#include <stdlib.h>

#include "cli/export.h"
#include "scree/joint.h"

typedef struct frame {
    scree_frame_row row;
    scree_state state;
    scree_contact_row *contact;  // (row.contacts)
} frame;

static void write_joint(const cli_table *t, const frame *now, int k) {
    double coordinate, rate, work = 0;
    scree_joint_reaction sum = { 0 };
    bool plane = t->model->space == 2;
    scree_joint_coordinate(t->model, k, &now->state, &coordinate, &rate);
    for (int64_t i = 0; i < now->row.contacts; i++) {
        const scree_contact *contact = &now->contact[i].contact;
        if (scree_joint_of_contact(t->model, contact) != k) continue;
        scree_joint_add_reaction(t->model, now->state.q, contact, t->h, &sum);
        work += now->contact[i].work_normal + now->contact[i].work_tangential;
    }
    fprintf(t->out, "%" PRId64 ",%.17g", now->row.step, now->row.time);
    cli_table_text(t, t->model->joint[k].name);
    cli_table_numbers(t, &coordinate, 1);
    cli_table_numbers(t, &rate, 1);
    cli_table_numbers(t, sum.force, plane ? 2 : 3);
    cli_table_numbers(t, sum.moment + (plane ? 2 : 0), plane ? 1 : 3);
    cli_table_numbers(t, &sum.friction, 1);
    cli_table_numbers(t, &work, 1);
    putc('\n', t->out);
}

static scree_status read_frame(const cli_table *t, int64_t i, frame *now, scree_error *err) {
    scree_status status = scree_run_reader_frames(t->reader, i, 1, &now->row, err);
    if (!status) status = scree_run_reader_states(t->reader, i, 1, now->state.q, now->state.v, err);
    if (status) return status;
    size_t size = (size_t)now->row.contacts * sizeof *now->contact;
    scree_contact_row *grown = realloc(now->contact, size + 1);
    if (!grown) return scree_fail_memory(err, NULL);
    now->contact = grown;
    return scree_run_reader_contacts(t->reader, now->row.first_contact, now->row.contacts, grown,
                                     err);
}

scree_status cli_table_joints(const cli_table *t, scree_error *err) {
    if (!t->model->joints)
        return scree_fail(err, SCREE_BAD_INPUT, (scree_source_location){ t->reader->path, 0, 0 },
                          "is a run without joints");
    frame now = { .state = { .q = malloc((size_t)t->reader->coordinates * sizeof(double)),
                             .v = malloc((size_t)t->reader->dofs * sizeof(double)) } };
    scree_status status = now.state.q && now.state.v ? SCREE_OK : scree_fail_memory(err, NULL);
    fprintf(t->out, "step,time,joint,coordinate,rate,%s,friction,work\n",
            t->model->space == 2 ? "reaction_x,reaction_y,reaction_moment"
                                 : "reaction_x,reaction_y,reaction_z,moment_x,moment_y,moment_z");
    for (int64_t i = 0; !status && i < t->reader->frames; i++) {
        status = read_frame(t, i, &now, err);
        for (int k = 0; !status && k < t->model->joints; k++) write_joint(t, &now, k);
    }
    free(now.state.q);
    free(now.state.v);
    free(now.contact);
    return status;
}
