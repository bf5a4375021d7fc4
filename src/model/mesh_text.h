// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mesh_text.h - words and lines of mesh files, with the place of what is wrong.

#ifndef SCREE_MODEL_MESH_TEXT_H
#define SCREE_MODEL_MESH_TEXT_H

#include <locale.h>

#include "scree/base.h"

typedef struct scree_mesh_text {
    const char *path;
    char *text;  // with a closing zero
    size_t size;
    const char *at, *line_start;
    int line;        // 0: of the file as a whole
    locale_t plain;  // where the decimal point is a point
    char comment;    // what ends a line early, 0: nothing does
    scree_error *err;
} scree_mesh_text;

typedef struct scree_mesh_word {
    char text[40];
} scree_mesh_word;

/// The whole of a file, or, if there is a text already, a copy of that. Close it, also if it fails.
scree_status scree_mesh_text_open(scree_mesh_text *in, const char *path, const char *text,
                                  size_t length, char comment, scree_error *err);
void scree_mesh_text_close(scree_mesh_text *in);

/// To the first line.
void scree_mesh_text_rewind(scree_mesh_text *in);

scree_source_location scree_mesh_text_place(const scree_mesh_text *in);
scree_status scree_mesh_text_no_memory(const scree_mesh_text *in);

#define SCREE_MESH_FAIL(in, ...) \
    scree_fail((in)->err, SCREE_BAD_INPUT, scree_mesh_text_place(in), __VA_ARGS__)

static inline const char *scree_mesh_text_end(const scree_mesh_text *in) {
    return in->text + in->size;
}

/// Is c, or the end, behind a word?
bool scree_mesh_text_ends_word(const scree_mesh_text *in, const char *c);

/// Is there nothing more in this line? Goes over blanks.
bool scree_mesh_text_line_done(scree_mesh_text *in);
void scree_mesh_text_next_line(scree_mesh_text *in);
void scree_mesh_text_skip_empty(scree_mesh_text *in);

/// What stands here, for a message.
scree_mesh_word scree_mesh_text_found(scree_mesh_text *in);

/// A finite number; what: its name in messages.
scree_status scree_mesh_text_number(scree_mesh_text *in, const char *what, double *value);

#endif
