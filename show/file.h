// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// file.h - bytes -> a file that appears whole or not at all.

#ifndef SCREE_SHOW_FILE_H
#define SCREE_SHOW_FILE_H

#include <stddef.h>

#include "scree/base.h"

/// Write a picture or a page. Links are followed and devices and pipes written to as they are; what
/// was there is left alone if anything fails.
scree_status show_file_save(const char *file, const char *bytes, size_t size, scree_error *err);

#endif
