// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// team.h - threads that share one work for a while: they spin a little where they wait for each
// other, then sleep, so that a busy machine loses nothing by them.
//
// What comes out must not depend on who does what, nor on how many do it: members take pieces that
// write to different places, and a piece that follows from others waits until these are done.

#ifndef SCREE_BASE_TEAM_H
#define SCREE_BASE_TEAM_H

#include <stdatomic.h>

typedef struct scree_team scree_team;
typedef void scree_team_job(void *with);

/// The caller and threads - 1 more. NULL: one is enough, or no more can be had; every function here
/// takes that for the caller alone.
scree_team *scree_team_begin(int threads);
void scree_team_end(scree_team *team);

/// job(with) by the caller and by so many members in all at most as come before it returns; back
/// when these have returned too. Nobody waits for one that the machine does not let run.
enum { SCREE_TEAM_ALL = 1 << 20 };
void scree_team_run(scree_team *team, int most, scree_team_job *job, void *with);

/// How much is done; begin with a zeroed one.
typedef struct scree_tally {
    atomic_uint count;
} scree_tally;

void scree_tally_add(scree_team *team, scree_tally *tally);
/// Back when the count is at least that.
void scree_tally_await(scree_team *team, scree_tally *tally, unsigned least);

#endif
