// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// file_text.h - a whole file in memory; pipes that would be waited for.

#ifndef SCREE_BASE_FILE_TEXT_H
#define SCREE_BASE_FILE_TEXT_H

#include <stdbool.h>

#include "scree/base.h"

enum { SCREE_FILE_BYTES_MOST = 1 << 30 };  // of a file of meshes

/// Is this a pipe with a name? To open one waits until somebody writes to it. Pipes that are open
/// already, as /dev/stdin can be one, are not meant.
bool scree_file_is_pipe(const char *path);

/// The bytes of a file with a zero behind them; free(*text), also after an error. More than `most`
/// bytes are refused.
scree_status scree_file_text(const char *path, size_t most, char **text, size_t *size,
                             scree_error *err);

#endif
