// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid_pass.c - passes over all contacts by threads that share no body.
//
// Threads draw chunks in the order of colours, and begin one when all of the colours before are
// done: no one waits who has something to do. The hubs' chunk comes last, or first in a backward
// sweep. Who takes which chunk does not matter for the result.

#include <stdatomic.h>
#include <string.h>

#include "solve/rigid_set.h"

const scree_simd_kernel *const *scree_simd_kernels(void) {
#ifdef SCREE_WIDE
    static const scree_simd_kernel *const wide[] = { &scree_simd_kernel_8, &scree_simd_kernel_4,
                                                     &scree_simd_kernel_2, &scree_simd_kernel_1,
                                                     NULL };
    if (__builtin_cpu_supports("avx512f")) return wide;
    if (__builtin_cpu_supports("avx2")) return wide + 1;
    return wide + 2;
#else
    static const scree_simd_kernel *const plain[] = { &scree_simd_kernel_2, &scree_simd_kernel_1,
                                                      NULL };
    return plain;
#endif
}

scree_kernel_config scree_kernel_config_of(scree_thread_pool *pool) {
    return (scree_kernel_config){ scree_simd_kernels()[0], pool };
}

static int hubs(const scree_rigid_set *set) { return set->chunks - 1; }

// -------------------------------------------------------------------------------------------------
// passes

typedef struct pass {
    const scree_rigid_set *set;
    const scree_kernel_config *config;
    scree_team *team;
    void (*act)(const struct pass *pass, const scree_simd_kernel *path, int chunk, bool forwards);
    scree_sweep_direction direction;
    int first, last;  // passes, one after the other
    bool ordered;     // colour by colour
    scree_sweep_kind kind;
    scree_momentum momentum;
    atomic_int drawn;
    scree_tally done;
} pass;

// chunks that come before the colour of this one
static int earlier(const scree_rigid_set *set, int chunk, bool forwards) {
    if (chunk == hubs(set)) return forwards ? chunk : 0;
    int colour = 0;
    while (set->colour[colour + 1] <= chunk) colour++;
    return forwards ? set->colour[colour] : set->chunks - set->colour[colour + 1];
}

static void work(void *with) {
    pass *now = with;
    const scree_rigid_set *set = now->set;
    int chunks = set->chunks, all = (now->last - now->first) * chunks;
    for (int at = atomic_fetch_add(&now->drawn, 1); at < all;
         at = atomic_fetch_add(&now->drawn, 1)) {
        int round = at / chunks, place = at % chunks;
        bool forwards = now->direction == SCREE_SWEEP_SYMMETRIC
                            ? (now->first + round) % 2 == 0
                            : now->direction == SCREE_SWEEP_FORWARDS;
        int chunk = forwards ? place : chunks - 1 - place;
        if (now->ordered)
            scree_tally_await(now->team, &now->done,
                              (unsigned)(round * chunks + earlier(set, chunk, forwards)));
        // contacts of hubs share bodies
        const scree_simd_kernel *path =
            chunk == hubs(set) ? &scree_simd_kernel_1 : now->config->path;
        now->act(now, path, chunk, forwards);
        scree_tally_add(now->team, &now->done);
    }
}

// more threads than chunks of a colour would only wait for each other
static void carry_out(pass *now) {
    int most = now->set->colours > 0 ? hubs(now->set) / now->set->colours : 1;
    now->team = most > 1 ? scree_thread_pool_team(now->config->pool) : NULL;
    scree_team_run(now->team, most, work, now);
}

static void sweep(const pass *now, const scree_simd_kernel *path, int chunk, bool forwards) {
    path->sweep(now->set, chunk, forwards, now->kind);
}

static void lead(const pass *now, const scree_simd_kernel *path, int chunk, bool forwards) {
    (void)forwards;
    path->lead(now->set, chunk, now->momentum);
}

static void apply(const pass *now, const scree_simd_kernel *path, int chunk, bool forwards) {
    (void)forwards;
    path->apply(now->set, chunk);
}

static void judge(const pass *now, const scree_simd_kernel *path, int chunk, bool forwards) {
    (void)forwards;
    path->judge(now->set, chunk);
}

void scree_rigid_sweep(scree_rigid_set *set, const scree_kernel_config *config,
                       scree_sweep_direction direction, scree_sweep_kind kind, int first,
                       int last) {
    pass now = { .set = set,
                 .config = config,
                 .act = sweep,
                 .direction = direction,
                 .first = first,
                 .last = last,
                 .ordered = true,
                 .kind = kind };
    carry_out(&now);
}

void scree_rigid_lead(scree_rigid_set *set, const scree_kernel_config *config, scree_momentum how) {
    pass now = {
        .set = set, .config = config, .act = lead, .last = 1, .ordered = true, .momentum = how
    };
    carry_out(&now);
}

void scree_rigid_refresh(scree_rigid_set *set, const scree_kernel_config *config) {
    memcpy(set->motion, set->free, (size_t)set->lines * sizeof *set->motion);
    pass now = { .set = set, .config = config, .act = apply, .last = 1, .ordered = true };
    carry_out(&now);
}

// -------------------------------------------------------------------------------------------------
// sums

static double add_lanes(const double *lane) {
    double sum = 0;
    for (int l = 0; l < SCREE_BATCH; l++) sum += lane[l];
    return sum;
}

double scree_rigid_change(const scree_rigid_set *set) {
    double sum = 0;
    for (int chunk = 0; chunk < set->chunks; chunk++) sum += add_lanes(set->change_energy[chunk]);
    return sum;
}

scree_rigid_total scree_rigid_judge(scree_rigid_set *set, const scree_kernel_config *config) {
    pass now = { .set = set, .config = config, .act = judge, .last = 1 };
    carry_out(&now);
    double total[SCREE_RIGID_SUMS] = { 0 };
    for (int chunk = 0; chunk < set->chunks; chunk++)
        for (int k = 0; k < SCREE_RIGID_SUMS; k++) total[k] += add_lanes(set->sums[chunk].of[k]);
    return (scree_rigid_total){ .sums = { .natural = total[0],
                                          .energy = total[1],
                                          .impulse = total[2],
                                          .rounding = total[3],
                                          .speed = total[4] },
                                .speed = total[5],
                                .speed_energy = total[6] };
}
