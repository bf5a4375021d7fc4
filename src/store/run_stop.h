// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_stop.h - why a run ended before its time, in its file.

#ifndef SCREE_STORE_RUN_STOP_H
#define SCREE_STORE_RUN_STOP_H

#include "store/layout.h"

/// Write the sentence, "" for none; the data set is made if it is not there. What is too long is
/// cut.
bool scree_run_stop_write(hid_t file, const char *why);

/// Read it, in memory of the arena: "" if there is none, as in files of before. False if it does
/// not have its digest.
bool scree_run_stop_read(hid_t file, scree_arena *arena, const char **why);

#endif
