// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// golden_table.c - the bits of every scene of some folders under every scheme that takes it.
// in: the scenes.   out: one row for each pair, with hashes of q, v, p and of the ledger.
//
//     golden_table [--quick] FOLDER...
//
// Hashes go over all steps of the run. q, v: the states; p: the impulses of the contacts in the
// problem, in their order and without identities; ledger: all its columns. A row is printed once:
// a run with two threads that is stored, interrupted and resumed must agree with it; if not, both
// are tried alone. tools/golden compares rows with test/golden/table.txt.

#include <dirent.h>
#include <gnu/libc-version.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scree/run.h"

// steps that show contacts and cost little; scenes that are not named here take STEPS or all they
// have
enum { STEPS = 8000 };

typedef struct golden_plan {
    const char *scene, *scheme;  // scheme NULL: any
    int steps;
    bool slow;  // left out by --quick
} golden_plan;

static const golden_plan plans[] = {
    { "balls", NULL, 5, true },
    { "beam-on-stops", NULL, 600, true },
    { "bouncing-elastic-disc", NULL, 6000, true },
    { "cam-follower", "event-driven", 200, true },
    { "chain", NULL, 200, true },
    { "conical-pile", NULL, 300, true },
    { "dominoes", NULL, 150, true },
    { "flat", NULL, 2, true },
    { "hertz-line-contact", NULL, 80, true },
    { "hopper", NULL, 250, true },
    { "kapla-tower", NULL, 2, true },
    { "newtons-cradle", "event-driven", 1000, true },
    { "oscillator-stop", NULL, 20000, false },
    { "rockfall", NULL, 1000, true },
    { "rotating-drum", NULL, 150, true },
    { "rough-incline", NULL, 400, true },
    { "sliding-block", NULL, 300, true },
    { "sliding-block-gmsh", NULL, 300, true },
    { "sliding-rod", "event-driven", 100, true },
    { "sphere-packing", NULL, 400, true },
    { "spinning-top", NULL, 2000, false },
    { "stone-bridge", NULL, 200, true },
};

static const char *const schemes[] = { "moreau-jean", "moreau-jean-fremond", "moreau", "nscd",
                                       "event-driven" };
static const char *const methods[] = { "catching-up", "lazy" };

// ---- hashes ----

// FNV-1a, 64 bits
static const uint64_t hash_start = 0xcbf29ce484222325u;

static void hash_bytes(uint64_t *hash, const void *data, size_t size) {
    const unsigned char *byte = data;
    for (size_t i = 0; i < size; i++) *hash = (*hash ^ byte[i]) * 0x100000001b3u;
}

// the sign of a zero does not count
static void hash_numbers(uint64_t *hash, const double *x, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        double value = x[i] + 0.0;
        hash_bytes(hash, &value, sizeof value);
    }
}

// what one run leaves
typedef struct result {
    int64_t steps;     // done
    int64_t contacts;  // that bore an impulse, summed over the steps
    uint64_t q, v, p, ledger;
    double q_max;   // of the last state: the largest |q_i|
    double q_sum;   // and a sum of q_i with signs, which changes by about |change of q|
    char end[400];  // why the run stopped before its last step, or empty
} result;

static void hash_impulses(const scree_step_record *record, result *out) {
    for (int i = 0; i < record->contacts; i++) {
        const scree_contact *contact = &record->contact[i];
        if (contact->status == SCREE_CONTACT_INACTIVE) continue;
        hash_numbers(&out->p, contact->impulse, SCREE_ROWS_MAX);
        for (int k = 0; k < SCREE_ROWS_MAX; k++)
            if (contact->impulse[k] != 0) {
                out->contacts++;
                break;
            }
    }
}

static void hash_ledger(const scree_ledger *ledger, uint64_t *hash) {
    const double columns[] = {
        ledger->kinetic,
        ledger->elastic,
        ledger->potential,
        ledger->external_work,
        ledger->damping_work,
        ledger->numerical_dissipation,
        ledger->contact_normal_work,
        ledger->contact_tangential_work,
        ledger->boundary_work,
        ledger->joint_work,
        ledger->correction_work,
        ledger->prescribed_work,
        ledger->exchange,
        ledger->residual,
        ledger->bound,
    };
    hash_numbers(hash, columns, (int64_t)(sizeof columns / sizeof *columns));
}

// ---- runs ----

typedef struct golden_way {
    const char *name;
    int threads;
    bool resumed;
} golden_way;

static const golden_way one_thread = { "one thread", 1, false };
static const golden_way another = { "two threads, resumed", 2, true };
static const golden_way alone[2] = { { "two threads", 2, false }, { "resuming", 1, true } };

static void take_digest(const scree_simulation *simulation, result *out) {
    const scree_state *state = scree_simulation_state(simulation);
    uint64_t sign = hash_start;
    int coordinates = scree_simulation_model(simulation)->coordinates;
    for (int64_t i = 0; i < coordinates; i++) {
        hash_bytes(&sign, &i, sizeof i);
        out->q_max = fmax(out->q_max, fabs(state->q[i]));
        out->q_sum += sign >> 63 ? state->q[i] : -state->q[i];
    }
}

typedef struct counter {
    result *out;
    int64_t stop;  // after so many steps
} counter;

static int hash_step(void *data, const scree_simulation *simulation) {
    counter *c = data;
    result *out = c->out;
    const scree_state *state = scree_simulation_state(simulation);
    const scree_model *model = scree_simulation_model(simulation);
    hash_numbers(&out->q, state->q, model->coordinates);
    hash_numbers(&out->v, state->v, model->dofs);
    hash_impulses(scree_simulation_record(simulation), out);
    hash_ledger(scree_simulation_ledger(simulation), &out->ledger);
    return ++out->steps == c->stop;
}

// Go on up to a number of steps, storing what happens if there is a path.
static void run(scree_simulation *simulation, const char *path, bool resume, int64_t steps,
                result *out) {
    counter c = { out, steps };
    scree_run_request request = { path, resume, hash_step, &c, NULL, NULL };
    scree_error err = { 0 };
    scree_status status = scree_run(simulation, &request, NULL, &err);
    out->end[0] = '\0';
    if (status && status != SCREE_INTERRUPTED)
        snprintf(out->end, sizeof out->end, "%s",
                 status == SCREE_UNCONVERGED ? "refused" : err.text);
}

static void run_resumed(scree_simulation *first, int64_t steps, const char *path, result *out) {
    scree_findings findings = { 0 };
    scree_error err = { 0 };
    scree_run_reader *reader = NULL;
    scree_simulation *second = NULL;
    int64_t all = scree_simulation_left(first);
    run(first, path, false, (all < steps ? all : steps + 1) / 2, out);
    if (!scree_run_reader_open(path, &reader, &err))
        second = scree_run_simulation(reader, &findings);
    scree_run_reader_close(reader);
    if (second) run(second, path, true, steps, out);
    if (second) take_digest(second, out);
    scree_simulation_free(second);
    scree_findings_free(&findings);
    remove(path);
}

typedef struct golden {
    const char *folder;
    bool quick;
    char path[80];  // of run files
    int rows, failed;
} golden;

static const golden_plan *plan_of(const char *scene, const char *scheme) {
    static const golden_plan ordinary = { .steps = STEPS };
    for (size_t i = 0; i < sizeof plans / sizeof *plans; i++)
        if (strcmp(plans[i].scene, scene) == 0 &&
            (!plans[i].scheme || strcmp(plans[i].scheme, scheme) == 0))
            return &plans[i];
    return &ordinary;
}

// false: the scene does not take this override
static bool run_with(const golden *table, const char *file, const char *override,
                     const golden_way *way, int steps, result *out) {
    const char *overrides[] = { override,
                                way->threads == 2 ? "solver.threads=2" : "solver.threads=1" };
    scree_findings findings = { 0 };
    // sweeping processes have no solver and no threads
    int given = strncmp(override, "method", 6) == 0 ? 1 : 2;
    scree_simulation *simulation = scree_simulation_open(file, overrides, given, &findings);
    *out = (result){ .q = hash_start, .v = hash_start, .p = hash_start, .ledger = hash_start };
    if (simulation && way->resumed) {
        run_resumed(simulation, steps, table->path, out);
    } else if (simulation) {
        run(simulation, NULL, false, steps, out);
        take_digest(simulation, out);
    }
    scree_simulation_free(simulation);
    scree_findings_free(&findings);
    return simulation != NULL;
}

static void print_row(const char *scene, const char *scheme, const result *row) {
    printf("%-24s %-20s %5lld %7lld %016llx %016llx %016llx %016llx %.17g %.17g%s%s\n", scene,
           scheme, (long long)row->steps, (long long)row->contacts, (unsigned long long)row->q,
           (unsigned long long)row->v, (unsigned long long)row->p, (unsigned long long)row->ledger,
           row->q_max, row->q_sum, row->end[0] ? " " : "", row->end);
}

static bool same(const result *a, const result *b) {
    return a->steps == b->steps && a->contacts == b->contacts && a->q == b->q && a->v == b->v &&
           a->p == b->p && a->ledger == b->ledger && strcmp(a->end, b->end) == 0;
}

static bool agrees(const golden *table, const char *file, const char *override,
                   const golden_way *way, int steps, const result *one, result *other) {
    return run_with(table, file, override, way, steps, other) && same(one, other);
}

static void add_row(golden *table, const char *scene, const char *key, const char *scheme) {
    const golden_plan *plan = plan_of(scene, scheme);
    if (table->quick && plan->slow) return;
    char file[1000], override[80];
    snprintf(file, sizeof file, "%s/%s.yaml", table->folder, scene);
    snprintf(override, sizeof override, "%s=%s", key, scheme);
    result one, other;
    if (!run_with(table, file, override, &one_thread, plan->steps, &one)) return;
    table->rows++;
    print_row(scene, scheme, &one);
    if (one.contacts == 0 && strcmp(key, "method") != 0) {
        table->failed++;
        printf("IDLE: nothing touches in %s with %s\n", scene, scheme);
    }
    if (agrees(table, file, override, &another, plan->steps, &one, &other)) return;
    table->failed++;
    const golden_way *way = &another;
    for (int k = 0; k < 2 && way == &another; k++)
        if (!agrees(table, file, override, &alone[k], plan->steps, &one, &other)) way = &alone[k];
    printf("UNLIKE: with %s the row above is\n", way->name);
    print_row(scene, scheme, &other);
}

static void add_scene(golden *table, const char *scene) {
    int before = table->rows;
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
        add_row(table, scene, "scheme.name", schemes[i]);
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
        add_row(table, scene, "method", methods[i]);
    if (table->rows == before && !table->quick) {
        table->failed++;
        printf("REFUSED: no scheme takes %s\n", scene);
    }
}

// ---- where the bits hold ----

extern char *openblas_get_config(void) __attribute__((weak));

static void print_place(void) {
    printf("compiler: %s %s\n",
#ifdef __clang__
           "clang",
#else
           "gcc",
#endif
           __VERSION__);
    printf("libm: glibc %s\n", gnu_get_libc_version());
#ifdef __x86_64__
    printf("processor: x86-64%s%s%s\n", __builtin_cpu_supports("avx2") ? " avx2" : "",
           __builtin_cpu_supports("fma") ? " fma" : "",
           __builtin_cpu_supports("avx512f") ? " avx512f" : "");
#else
    printf("processor: not x86-64\n");
#endif
    printf("blas: %s\n", openblas_get_config ? openblas_get_config() : "not OpenBLAS");
}

static int is_scene(const struct dirent *entry) {
    const char *dot = strrchr(entry->d_name, '.');
    return dot && strcmp(dot, ".yaml") == 0;
}

static void add_folder(golden *table, const char *folder) {
    struct dirent **entry = NULL;
    int scenes = scandir(folder, &entry, is_scene, alphasort);
    if (scenes <= 0) {
        table->failed++;
        printf("REFUSED: no scenes in %s\n", folder);
    }
    table->folder = folder;
    for (int i = 0; i < scenes; i++) {
        *strrchr(entry[i]->d_name, '.') = '\0';
        add_scene(table, entry[i]->d_name);
        free(entry[i]);
    }
    free(entry);
}

int main(int argc, char **argv) {
    golden table = { .quick = argc > 1 && strcmp(argv[1], "--quick") == 0 };
    if (argc < 2 + table.quick) {
        fprintf(stderr, "usage: golden_table [--quick] FOLDER...\n");
        return 2;
    }
    snprintf(table.path, sizeof table.path, "golden-%ld.h5", (long)getpid());
    print_place();
    for (int i = 1 + table.quick; i < argc; i++) add_folder(&table, argv[i]);
    return table.failed > 0;
}
