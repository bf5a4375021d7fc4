// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// motion_from_scene.c - motions of driven bodies that stand in files: rows of numbers, an
// accelerogram or places over time.
// in: text, with commas, semicolons or blanks between numbers, # before what is no number, and
// perhaps a line of names above.   out: the motion's functions. The file is kept with the run.

#include <string.h>

#include "model/from_scene.h"
#include "model/mesh_text.h"

static int numbers_in_line(scree_mesh_text *in) {
    int count = 0;
    const char *from = in->at;
    for (; !scree_mesh_text_line_done(in); count++)
        while (!scree_mesh_text_ends_word(in, in->at)) in->at++;
    in->at = from;
    return count;
}

// a line that does not begin like a number names its columns
static void skip_names(scree_mesh_text *in) {
    scree_mesh_text_skip_empty(in);
    if (in->at < scree_mesh_text_end(in) && !strchr("+-.0123456789", *in->at))
        scree_mesh_text_next_line(in);
}

static scree_status read_rows(scree_mesh_text *in, scree_arena *arena, scree_list *table) {
    int rows = 0, columns = 0;
    skip_names(in);
    for (scree_mesh_text_skip_empty(in); in->at < scree_mesh_text_end(in); rows++) {
        if (rows == 0) columns = numbers_in_line(in);
        scree_mesh_text_next_line(in);
        scree_mesh_text_skip_empty(in);
    }
    size_t numbers = (size_t)rows * (size_t)columns;
    *table = (scree_list){ rows, columns, SCREE_NEW(arena, double, numbers) };
    if (!table->item) return scree_mesh_text_no_memory(in);
    scree_mesh_text_rewind(in);
    skip_names(in);
    double *number = table->item;
    for (int r = 0; r < rows; r++) {
        scree_mesh_text_skip_empty(in);
        for (int c = 0; c < columns; c++) {
            scree_status status = scree_mesh_text_number(in, "a number", number++);
            if (status) return status;
        }
        if (!scree_mesh_text_line_done(in))
            return SCREE_MESH_FAIL(in, "the first row has %d numbers, this one has more", columns);
        scree_mesh_text_next_line(in);
    }
    return SCREE_OK;
}

static scree_status parse(const char *path, const scree_embedded_file *file, scree_arena *arena,
                          scree_list *table, scree_error *err) {
    scree_mesh_text in;
    scree_status status = scree_mesh_text_open(&in, path, file->text, file->length, '#', err);
    for (size_t i = 0; !status && i < in.size; i++)
        if (in.text[i] == ',' || in.text[i] == ';') in.text[i] = ' ';
    if (!status) scree_mesh_text_rewind(&in);
    if (!status) status = read_rows(&in, arena, table);
    scree_mesh_text_close(&in);
    return status;
}

// ways and accelerations; times and angles stay
static void scale(scree_list *table, int space, double by) {
    double *number = table->item;
    for (int r = 0; r < table->count; r++)
        for (int c = 1; c < table->columns && c <= space; c++) number[r * table->columns + c] *= by;
}

static bool read_motion(scree_scene *scene, scree_scene_motion *motion, scree_findings *findings) {
    scree_error err = { 0 };
    bool places = motion->table_file;
    const char *key = places ? "table_file" : "acceleration_file",
               *name = places ? motion->table_file : motion->acceleration_file;
    scree_source_location at = scree_scene_place(&motion->section, key);
    scree_list *table = places ? &motion->table : &motion->acceleration;
    char *path = name ? scree_from_scene_path(scene, name, &scene->arena) : NULL;
    const scree_embedded_file *file = NULL;
    if (!name || table->count) return true;
    scree_status status =
        path ? scree_from_scene_file(scene, name, path, &file, &err) : SCREE_NO_MEMORY;
    if (!status) status = parse(path, file, &scene->arena, table, &err);
    if (status == SCREE_NO_MEMORY)
        scree_findings_no_memory(findings);
    else if (status && err.line > 0)
        scree_findings_add(findings, at, "%.200s:%d:%d: %.240s", err.file, err.line, err.column,
                           err.text);
    else if (status)
        scree_findings_add(findings, at, "%.200s: %.250s", path, err.text);
    if (status) return false;
    scale(table, scene->top.space, motion->scale);
    return scree_check_motion_rows(scene, motion, findings);
}

bool scree_motions_from_scene(scree_scene *scene, scree_findings *findings) {
    scree_scene_body *body = scene->top.bodies.item;
    scree_scene_generator *generator = scene->top.generate.item;
    bool fine = true;
    for (int i = 0; fine && i < scene->top.bodies.count; i++)
        fine = read_motion(scene, &body[i].motion, findings);
    for (int i = 0; fine && i < scene->top.generate.count; i++) {
        scree_scene_body *each = generator[i].each.item;
        fine = read_motion(scene, &generator[i].body.motion, findings);
        for (int k = 0; fine && k < generator[i].each.count; k++)
            fine = read_motion(scene, &each[k].motion, findings);
    }
    return fine;
}
