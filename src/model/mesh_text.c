// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mesh_text.c - words and lines of mesh files.
// in: a file, or its text.   out: words one after the other, errors with their place.

#include "model/mesh_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_text.h"

scree_source_location scree_mesh_text_place(const scree_mesh_text *in) {
    return (scree_source_location){ in->path, in->line,
                                    in->line ? (int)(in->at - in->line_start) + 1 : 0 };
}

scree_status scree_mesh_text_no_memory(const scree_mesh_text *in) {
    return scree_fail(in->err, SCREE_NO_MEMORY, (scree_source_location){ in->path, 0, 0 },
                      "out of memory for a mesh");
}

static scree_status copy_text(scree_mesh_text *in, const char *text, size_t length) {
    in->text = malloc(length + 1);
    if (!in->text) return scree_mesh_text_no_memory(in);
    if (length) memcpy(in->text, text, length);
    in->text[length] = 0;
    in->size = length;
    return SCREE_OK;
}

scree_status scree_mesh_text_open(scree_mesh_text *in, const char *path, const char *text,
                                  size_t length, char comment, scree_error *err) {
    *in = (scree_mesh_text){ .path = path, .comment = comment, .err = err };
    in->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!in->plain) return scree_mesh_text_no_memory(in);
    return text ? copy_text(in, text, length)
                : scree_file_text(path, SCREE_FILE_BYTES_MOST, &in->text, &in->size, err);
}

void scree_mesh_text_close(scree_mesh_text *in) {
    if (in->plain) freelocale(in->plain);
    free(in->text);
}

void scree_mesh_text_rewind(scree_mesh_text *in) {
    in->at = in->line_start = in->text;
    in->line = 1;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

bool scree_mesh_text_ends_word(const scree_mesh_text *in, const char *c) {
    return c == scree_mesh_text_end(in) || is_blank(*c) || *c == '\n';
}

bool scree_mesh_text_line_done(scree_mesh_text *in) {
    while (is_blank(*in->at)) in->at++;
    return in->at == scree_mesh_text_end(in) || *in->at == '\n' ||
           (in->comment && *in->at == in->comment);
}

void scree_mesh_text_next_line(scree_mesh_text *in) {
    while (in->at < scree_mesh_text_end(in) && *in->at != '\n') in->at++;
    if (in->at == scree_mesh_text_end(in)) return;
    in->line_start = ++in->at;
    in->line++;
}

void scree_mesh_text_skip_empty(scree_mesh_text *in) {
    while (scree_mesh_text_line_done(in) && in->at < scree_mesh_text_end(in))
        scree_mesh_text_next_line(in);
}

scree_mesh_word scree_mesh_text_found(scree_mesh_text *in) {
    bool nothing = scree_mesh_text_line_done(in);
    if (in->at == scree_mesh_text_end(in)) return (scree_mesh_word){ "the end of the file" };
    if (nothing) return (scree_mesh_word){ "the end of the line" };
    scree_mesh_word word = { "\"" };
    size_t k = 1;
    for (const char *c = in->at; k < sizeof word.text - 2; c++) {
        if (scree_mesh_text_ends_word(in, c)) break;
        word.text[k++] = *c > ' ' && *c <= '~' ? *c : '?';
    }
    word.text[k] = '"';
    return word;
}

scree_status scree_mesh_text_number(scree_mesh_text *in, const char *what, double *value) {
    char *behind = NULL;
    if (!scree_mesh_text_line_done(in)) *value = strtod_l(in->at, &behind, in->plain);
    if (!behind || behind == in->at || !scree_mesh_text_ends_word(in, behind))
        return SCREE_MESH_FAIL(in, "expected %s, found %s", what, scree_mesh_text_found(in).text);
    if (!isfinite(*value))
        return SCREE_MESH_FAIL(in, "%s must be finite, got %s", what,
                               scree_mesh_text_found(in).text);
    in->at = behind;
    return SCREE_OK;
}
