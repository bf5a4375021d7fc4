// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fail.c - errors and lists of findings.
// in: a status, a place, a sentence.   out: plain structs; the library itself never prints.

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scree/base.h"

enum { FINDINGS_MAX = 1000 };  // a broken file should not fill the memory with complaints

// names of files and words of scenes stand in messages, and terminals obey control characters,
// a line break among them
static void clean(char *text) {
    for (unsigned char *c = (unsigned char *)text; *c; c++) {
        if (c[0] == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0) c[0] = c[1] = '?';
        if (*c < ' ' || *c == 0x7F) *c = '?';
    }
}

static void fill(scree_error *err, scree_status status, scree_source_location at,
                 const char *format, va_list args) {
    err->status = status;
    snprintf(err->file, sizeof err->file, "%s", at.file ? at.file : "");
    err->line = at.line;
    err->column = at.column;
    vsnprintf(err->text, sizeof err->text, format, args);
    clean(err->text);
    clean(err->file);
}

scree_status scree_fail(scree_error *err, scree_status status, scree_source_location at,
                        const char *format, ...) {
    if (!err) return status;
    va_list args;
    va_start(args, format);
    fill(err, status, at, format, args);
    va_end(args);
    return status;
}

scree_status scree_fail_memory(scree_error *err, const char *what) {
    return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory%s%s", what ? " for " : "",
                      what ? what : "");
}

scree_status scree_fail_file(scree_error *err, const char *path, const char *what, int reason) {
    return scree_fail(err, SCREE_FILE_ERROR, (scree_source_location){ path, 0, 0 }, "%s: %s", what,
                      strerror(reason));
}

void scree_error_format(const scree_error *err, char *buffer, size_t size) {
    if (err->file[0] && err->line > 0)
        snprintf(buffer, size, "%s:%d:%d: error: %s", err->file, err->line, err->column, err->text);
    else if (err->file[0])
        snprintf(buffer, size, "%s: error: %s", err->file, err->text);
    else
        snprintf(buffer, size, "error: %s", err->text);
}

void scree_findings_add(scree_findings *findings, scree_source_location at, const char *format,
                        ...) {
    if (findings->count == findings->capacity) {
        int capacity = findings->capacity ? 2 * findings->capacity : 8;
        scree_error *item = findings->count < FINDINGS_MAX
                                ? realloc(findings->item, (size_t)capacity * sizeof *item)
                                : NULL;
        if (!item) {
            findings->truncated = true;
            findings->no_memory |= findings->count < FINDINGS_MAX;
            return;
        }
        findings->item = item;
        findings->capacity = capacity;
    }
    va_list args;
    va_start(args, format);
    fill(&findings->item[findings->count++], SCREE_BAD_INPUT, at, format, args);
    va_end(args);
}

void scree_findings_take(scree_findings *findings, scree_source_location at,
                         const scree_error *err) {
    findings->no_memory |= err->status == SCREE_NO_MEMORY;
    scree_findings_add(findings, at, "%s", err->text);
}

void scree_findings_no_memory(scree_findings *findings) {
    findings->no_memory = true;
    scree_findings_add(findings, SCREE_NOWHERE, "out of memory");
}

// insertion keeps the order of equal places, and of files as they were first complained about
void scree_findings_sort(scree_findings *findings) {
    for (int i = 1; i < findings->count; i++) {
        scree_error moved = findings->item[i];
        int at = i;
        for (; at > 0; at--) {
            const scree_error *other = &findings->item[at - 1];
            bool later = other->line > moved.line ||
                         (other->line == moved.line && other->column > moved.column);
            if (strcmp(other->file, moved.file) != 0 || !later) break;
            findings->item[at] = *other;
        }
        findings->item[at] = moved;
    }
}

void scree_findings_free(scree_findings *findings) {
    free(findings->item);
    memset(findings, 0, sizeof *findings);
}
