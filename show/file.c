// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// file.c - bytes -> a file that appears whole or not at all.
// in: bytes.   out: the file.   work: a file of our own beside it, that is renamed.

#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700  // realpath, stat
#endif

#include "show/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

// Write all bytes and close; 0 or errno.
static int fill(FILE *stream, const char *bytes, size_t size) {
    errno = 0;
    bool whole = fwrite(bytes, 1, size, stream) == size;
    whole = fflush(stream) == 0 && whole;
    int cause = whole ? 0 : errno ? errno : EIO;
    if (fclose(stream) != 0 && !cause) cause = errno ? errno : EIO;
    return cause;
}

// Create a file of our own in target's folder; its name goes to temporary (size).
static FILE *create_beside(const char *target, char *temporary, size_t size) {
    const char *slash = strrchr(target, '/');
    int folder = slash ? (int)(slash - target) + 1 : 0;
    for (int i = 0; i < 1000; i++) {
        snprintf(temporary, size, "%.*s.scree-file-%d.tmp", folder, target, i);
        FILE *stream = fopen(temporary, "wx");
        if (stream || errno != EEXIST) return stream;
    }
    return NULL;
}

// 0 or errno
static int replace(const char *target, const char *bytes, size_t size) {
    // devices and pipes cannot be renamed over
    struct stat found;
    if (stat(target, &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode)) {
        FILE *stream = fopen(target, "w");
        return stream ? fill(stream, bytes, size) : errno;
    }
    size_t room = strlen(target) + 64;
    char *temporary = malloc(room);
    if (!temporary) return ENOMEM;
    FILE *stream = create_beside(target, temporary, room);
    int cause = stream ? fill(stream, bytes, size) : errno;
    if (!cause && rename(temporary, target) != 0) cause = errno;
    if (cause && stream) remove(temporary);
    free(temporary);
    return cause;
}

scree_status show_file_save(const char *file, const char *bytes, size_t size, scree_error *err) {
    char *real = realpath(file, NULL);  // a link to a picture stays one
    int cause = replace(real ? real : file, bytes, size);
    free(real);
    if (!cause) return SCREE_OK;
    return scree_fail(err, SCREE_FILE_ERROR, (scree_source_location){ file, 0, 0 },
                      "cannot be written: %s", strerror(cause));
}
