// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid_pass.c - passes over all contacts by threads that share no body.
//
// Threads take chunks of one colour and wait for each other between colours; the hubs' chunk is one
// thread's, at the end, or at the beginning of a backward sweep. Who takes which chunk does not
// matter for the result.

#include <string.h>

#include "solve/rigid_set.h"

#ifdef _OPENMP
#include <omp.h>
#define TEAM(text) _Pragma(#text)
#define SHARE(text) _Pragma(#text)
#else
#define TEAM(text) (void)threads;
#define SHARE(text)
#endif

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

scree_kernel_config scree_kernel_config_of(int threads) {
#ifdef _OPENMP
    if (threads <= 0) threads = omp_get_max_threads();
#else
    threads = 1;
#endif
    return (scree_kernel_config){ scree_simd_kernels()[0], threads };
}

static int hubs(const scree_rigid_set *set) { return set->chunks - 1; }

// more threads than chunks of a colour would only wait for each other
static int useful_threads(const scree_rigid_set *set, const scree_kernel_config *team) {
    int chunks = set->colours > 0 ? hubs(set) / set->colours : 1;
    return team->threads < chunks ? team->threads : chunks > 1 ? chunks : 1;
}

static void sweep_hubs(const scree_rigid_set *set, bool forwards, scree_sweep_kind kind) {
    SHARE(omp single)
    scree_simd_kernel_1.sweep(set, hubs(set), forwards, kind);
}

static void sweep_colours(const scree_rigid_set *set, const scree_simd_kernel *path, bool forwards,
                          scree_sweep_kind kind) {
    for (int i = 0; i < set->colours; i++) {
        int colour = forwards ? i : set->colours - 1 - i;
        int first = set->colour[colour], last = set->colour[colour + 1];
        SHARE(omp for schedule(dynamic, 1))
        for (int at = first; at < last; at++) {
            int chunk = forwards ? at : first + last - 1 - at;
            path->sweep(set, chunk, forwards, kind);
        }
    }
}

void scree_rigid_sweep(scree_rigid_set *set, const scree_kernel_config *team,
                       scree_sweep_direction direction, scree_sweep_kind kind, int first,
                       int last) {
    int threads = useful_threads(set, team);
    TEAM(omp parallel num_threads(threads) if (threads > 1))
    for (int i = first; i < last; i++) {
        bool forwards =
            direction == SCREE_SWEEP_SYMMETRIC ? i % 2 == 0 : direction == SCREE_SWEEP_FORWARDS;
        if (!forwards) sweep_hubs(set, false, kind);
        sweep_colours(set, team->path, forwards, kind);
        if (forwards) sweep_hubs(set, true, kind);
    }
}

void scree_rigid_refresh(scree_rigid_set *set, const scree_kernel_config *team) {
    memcpy(set->motion, set->free, (size_t)set->lines * sizeof *set->motion);
    int threads = useful_threads(set, team);
    TEAM(omp parallel num_threads(threads) if (threads > 1)) {
        for (int i = 0; i < set->colours; i++) {
            SHARE(omp for schedule(dynamic, 1))
            for (int chunk = set->colour[i]; chunk < set->colour[i + 1]; chunk++)
                team->path->apply(set, chunk);
        }
        SHARE(omp single)
        scree_simd_kernel_1.apply(set, hubs(set));
    }
}

void scree_rigid_lead(scree_rigid_set *set, const scree_kernel_config *team, double keep,
                      double lead) {
    int threads = useful_threads(set, team);
    TEAM(omp parallel num_threads(threads) if (threads > 1)) {
        for (int i = 0; i < set->colours; i++) {
            SHARE(omp for schedule(dynamic, 1))
            for (int chunk = set->colour[i]; chunk < set->colour[i + 1]; chunk++)
                team->path->lead(set, chunk, keep, lead);
        }
        SHARE(omp single)
        scree_simd_kernel_1.lead(set, hubs(set), keep, lead);
    }
}

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

scree_rigid_total scree_rigid_judge(scree_rigid_set *set, const scree_kernel_config *team) {
    int threads = useful_threads(set, team);
    TEAM(omp parallel for schedule(dynamic, 1) num_threads(threads) if (threads > 1))
    for (int chunk = 0; chunk < set->chunks; chunk++) team->path->judge(set, chunk);
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
