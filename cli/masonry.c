// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// masonry.c - the joints of blocks in the summary of a run: how many are closed, and by which
// hinges and slides the rest moves.

#include <stdlib.h>

#include "cli/commands.h"

enum { BLOCKS_LEAST = 3, BLOCKS_MOST = 400, NAMED = 12 };

static const double open_share = 1e-3;  // of a block: a joint with a larger gap is open

// walls, arches, stacks: polygons and boxes in the plane and nothing else that moves
static bool is_masonry(const scree_model *model) {
    int blocks = 0;
    if (model->space != 2 || model->elastics) return false;
    for (int i = 0; i < model->shapes; i++) {
        const scree_shape *shape = &model->shape[i];
        const scree_body *body = &model->body[shape->body];
        if (body->fixed || body->driven) continue;
        if (shape->kind != SCREE_POLYGON && shape->kind != SCREE_BOX) return false;
        blocks++;
    }
    return blocks >= BLOCKS_LEAST && blocks <= BLOCKS_MOST;
}

// the joints after the last step; NULL: there are none to tell of
static scree_block_joint *find_joints(const scree_simulation *simulation, int *count) {
    const scree_model *model = scree_simulation_model(simulation);
    const scree_step_record *record = scree_simulation_record(simulation);
    scree_block_joint *joint = NULL;
    scree_error err = { 0 };
    *count = 0;
    if (!record || !record->contacts || !record->contact || !is_masonry(model)) return NULL;
    const scree_moment moment = { .model = model,
                                  .time = record->after.time,
                                  .step = record->h,
                                  .q = record->after.q,
                                  .contacts = record->contacts,
                                  .contact = record->contact,
                                  .stride = sizeof *record->contact };
    if (scree_measure_joints(&moment, open_share, &joint, count, &err)) return NULL;
    return joint;
}

static int count_of(const scree_block_joint *joint, int count, scree_joint_state state) {
    int sum = 0;
    for (int i = 0; i < count; i++) sum += joint[i].state == state;
    return sum;
}

static void print_state(const scree_model *model, const scree_block_joint *joint, int count,
                        scree_joint_state state, const char *name, FILE *stream) {
    int found = count_of(joint, count, state), shown = 0;
    if (!found) return;
    fprintf(stream, "  %-20s ", name);
    for (int i = 0; i < count && shown < NAMED; i++) {
        if (joint[i].state != state) continue;
        fprintf(stream, "%s%s | %s%s%s", shown++ ? ", " : "", model->body[joint[i].a].name,
                model->body[joint[i].b].name, *joint[i].side ? " " : "", joint[i].side);
    }
    if (found > shown) fprintf(stream, " and %d more", found - shown);
    fprintf(stream, "\n");
}

void cli_report_masonry(const scree_simulation *simulation, FILE *stream) {
    const scree_model *model = scree_simulation_model(simulation);
    int count;
    scree_block_joint *joint = find_joints(simulation, &count);
    if (count) {
        fprintf(stream, "  %-20s %d: %d closed, %d hinged, %d sliding, %d open\n", "block joints",
                count, count_of(joint, count, SCREE_JOINT_CLOSED),
                count_of(joint, count, SCREE_JOINT_HINGED),
                count_of(joint, count, SCREE_JOINT_SLIDING),
                count_of(joint, count, SCREE_JOINT_OPEN));
        print_state(model, joint, count, SCREE_JOINT_HINGED, "hinges", stream);
        print_state(model, joint, count, SCREE_JOINT_SLIDING, "slides", stream);
    }
    free(joint);
}

void cli_report_masonry_json(const scree_simulation *simulation, cli_json *json) {
    const scree_model *model = scree_simulation_model(simulation);
    int count;
    scree_block_joint *joint = find_joints(simulation, &count);
    if (count) {
        cli_json_array_begin(cli_json_key(json, "block_joints"));
        for (int i = 0; i < count; i++) {
            cli_json_object_begin(json);
            cli_json_text(cli_json_key(json, "a"), model->body[joint[i].a].name);
            cli_json_text(cli_json_key(json, "b"), model->body[joint[i].b].name);
            cli_json_text(cli_json_key(json, "state"), scree_joint_state_name(joint[i].state));
            cli_json_text(cli_json_key(json, "side"), joint[i].side);
            cli_json_numbers(cli_json_key(json, "point"), joint[i].point, 2);
            cli_json_object_end(json);
        }
        cli_json_array_end(json);
    }
    free(joint);
}
