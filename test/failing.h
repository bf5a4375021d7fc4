// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// failing.h - memory that runs out at a chosen call, for files named by scree_failing_test.
//
// All calls of the library and of the test itself are counted; shared libraries keep theirs.

#ifndef SCREE_TEST_FAILING_H
#define SCREE_TEST_FAILING_H

#include <stdbool.h>
#include <stdlib.h>

extern volatile long calls, fails_at;  // fails_at: the call that gets nothing, 0: none
extern volatile bool fails_for_good;   // and all calls after it

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
char *__wrap_strdup(const char *text);

#endif
