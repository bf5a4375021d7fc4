// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// file_text.c - a whole file in memory, read piece by piece, because not every file knows its size.

#include "base/file_text.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static scree_status cannot_read(scree_source_location at, scree_error *err) {
    return scree_fail(err, SCREE_FILE_ERROR, at, "cannot be read: %s", strerror(errno));
}

static scree_status slurp(FILE *stream, scree_source_location at, size_t most, char **text,
                          size_t *size, scree_error *err) {
    size_t room = 0;
    for (size_t got = 1; got;) {
        if (room - *size < 2) {
            room = room ? 2 * room : 65536;
            char *larger = realloc(*text, room);
            if (!larger) return scree_fail(err, SCREE_NO_MEMORY, at, "out of memory while reading");
            *text = larger;
        }
        got = fread(*text + *size, 1, room - *size - 1, stream);
        *size += got;
        if (*size > most)
            return scree_fail(err, SCREE_BAD_INPUT, at, "more than %zu bytes, which is too large",
                              most);
    }
    (*text)[*size] = 0;
    return ferror(stream) ? cannot_read(at, err) : SCREE_OK;
}

bool scree_file_is_pipe(const char *path) {
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISFIFO(about.st_mode)) return false;
    char *name = realpath(path, NULL);  // an open pipe without a name has none
    free(name);
    return name;
}

scree_status scree_file_text(const char *path, size_t most, char **text, size_t *size,
                             scree_error *err) {
    scree_source_location at = { path, 0, 0 };
    *text = NULL;
    *size = 0;
    if (scree_file_is_pipe(path))
        return scree_fail(err, SCREE_BAD_INPUT, at, "is a pipe, no regular file");
    FILE *stream = fopen(path, "rb");
    if (!stream) return cannot_read(at, err);
    scree_status status = slurp(stream, at, most, text, size, err);
    fclose(stream);
    return status;
}
