// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// background.h - a thread that does what it is given, one thing after the other.

#ifndef SCREE_BASE_BACKGROUND_H
#define SCREE_BASE_BACKGROUND_H

#include <stdbool.h>

typedef struct scree_background scree_background;
typedef void scree_background_job(void *with);

/// The thread starts with the first job. NULL: no memory.
scree_background *scree_background_begin(void);

/// Have a job done, behind those that were given before; where there is one processor only or no
/// thread is to be had it is done at once. What to await it with. Waits while many are not done.
unsigned scree_background_give(scree_background *background, scree_background_job *job, void *with);

/// Wait until a job is done, or all of them: what it wrote can be read then. NULL is fine.
void scree_background_await(scree_background *background, unsigned ticket);
void scree_background_wait(scree_background *background);

/// Wait for all jobs and end the thread.
void scree_background_end(scree_background *background);

#endif
