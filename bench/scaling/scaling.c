// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// scaling.c - what a contact costs, from a thousand to a million of them.
//
// in: RIVAL SIDE...: a script that solves by Siconos, and packings of SIDE^3 balls.   out:
// Markdown.
//
// One thread is measured by its processor time, which other work on the machine does not lengthen
// much; several threads by the clock. Best of several rounds each.

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "packing.h"
#include "rival.h"
#include "solve/rigid_set.h"

enum { STEPS = 1600, SWEEPS = 30, ROUNDS = 7, RIVAL_CONTACTS = 8000, MANY = 300000 };
static const double touching = 2e-5;  // contacts of a measured problem [m]

typedef struct rates {  // bytes per second of a triad, by one thread and by all
    double one, all;
    int threads;
} rates;

static clockid_t clock_for(int threads) {
    return threads == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC;
}

static void note(const char *text, int side) {
    fprintf(stderr, "scaling: %s, %d balls a side\n", text, side);
}

// -------------------------------------------------------------------------------------------------
// the roofline: a = b + 3 c on arrays that no cache holds

enum { TRIAD_PIECES = 64, TRIAD_BITS = 24 };

typedef struct arrays {
    double *a, *b, *c;
} arrays;

static void fill_piece(void *with, int piece) {
    const arrays *of = with;
    size_t size = ((size_t)1 << TRIAD_BITS) / TRIAD_PIECES, first = (size_t)piece * size;
    for (size_t i = first; i < first + size; i++) of->a[i] = of->b[i] = of->c[i] = (double)i;
}

static void triad_piece(void *with, int piece) {
    const arrays *of = with;
    size_t size = ((size_t)1 << TRIAD_BITS) / TRIAD_PIECES, first = (size_t)piece * size;
    for (size_t i = first; i < first + size; i++) of->a[i] = of->b[i] + 3 * of->c[i];
}

static double triad(int threads) {
    size_t n = (size_t)1 << TRIAD_BITS;
    arrays of = { packing_room(NULL, n, 8), packing_room(NULL, n, 8), packing_room(NULL, n, 8) };
    scree_thread_pool pool = { .threads = threads };
    double best = DBL_MAX;
    scree_parallel_for(&pool, TRIAD_PIECES, fill_piece, &of);
    for (int round = 0; round < ROUNDS; round++) {
        double start = rival_now(clock_for(threads));
        scree_parallel_for(&pool, TRIAD_PIECES, triad_piece, &of);
        best = fmin(best, rival_now(clock_for(threads)) - start);
    }
    if (of.a[n / 2] != 4 * of.b[n / 2]) exit(3);
    scree_thread_pool_end(&pool);
    free(of.a);
    free(of.b);
    free(of.c);
    return 32 * (double)n / best;  // two read, one fetched before it is written, one written
}

// -------------------------------------------------------------------------------------------------
// general contacts in the place of the packing's: arms that miss the centre, bodies unlike balls

typedef struct shapes {
    double *arm, *inverse;
} shapes;

static double unevenness(size_t i) { return sin(12.9898 * (double)i) * 0.2; }

static shapes general_shapes(const packing *pack) {
    size_t nb = (size_t)pack->balls, nc = (size_t)pack->contacts;
    shapes s = { packing_room(NULL, 6 * nc, 8), packing_room(NULL, 7 * nb, 8) };
    for (size_t i = 0; i < nb; i++) {
        double *I = s.inverse + 7 * i + 1, ball = pack->inverse[7 * i + 1];
        I[-1] = pack->inverse[7 * i];
        for (size_t e = 0; e < 6; e++) I[e] = ball * unevenness(6 * i + e);
        I[0] += ball;
        I[3] += 0.6 * ball;
        I[5] += 1.7 * ball;
    }
    for (size_t c = 0; c < nc; c++)
        for (size_t side = 0; side < 2; side++)
            for (size_t e = 0; e < 3; e++) {
                int body = pack->body[2 * c + side];
                double r = body < 0 ? 0 : pack->radius[body] * pack->arm_ratio[c];
                s.arm[6 * c + 3 * side + e] = r * ((side ? 1 : -1) * pack->frame[9 * c + e] +
                                                   unevenness(6 * c + 3 * side + e));
            }
    return s;
}

static void free_shapes(shapes *s) {
    free(s->arm);
    free(s->inverse);
}

// -------------------------------------------------------------------------------------------------
// one problem

typedef struct cost {
    double ns, million;   // per contact and sweep; million updates per second
    double bytes, share;  // per contact and sweep; of the roofline
    double fill;          // of the batches
    double prepare;       // ns per contact
} cost;

// what a sweep has to move at least: batches are read and their impulses written, bodies both
static double least_bytes(const scree_rigid_set *set) {
    double batch = set->central ? sizeof(scree_rigid_central) : sizeof(scree_rigid_general);
    double streams = 8 * (double)(set->mu_step + set->arm_ratio_step + set->slide_step);
    double line = sizeof(scree_body_slot), bodies = set->lines;
    return set->batches * (batch + streams + 192) + bodies * line * (set->central ? 2 : 3);
}

static cost measure(const scree_problem *problem, const double *p, int threads, double roofline) {
    scree_rigid_set set;
    scree_error err;
    bool broken;
    double start = rival_now(clock_for(1));
    scree_arena memory = { 0 };
    if (scree_rigid_prepare(problem, p, &memory, &set, &broken, &err) || broken) exit(3);
    double prepare = rival_now(clock_for(1)) - start, best = DBL_MAX;
    scree_thread_pool pool = { .threads = threads };
    scree_kernel_config team = scree_kernel_config_of(&pool);
    int sweeps = 1 + 4000000 / problem->contacts;
    for (int round = 0; round < ROUNDS; round++) {
        start = rival_now(clock_for(threads));
        scree_rigid_sweep(&set, &team, SCREE_SWEEP_FORWARDS, SCREE_SWEEP_PLAIN, 0, sweeps);
        best = fmin(best, rival_now(clock_for(threads)) - start);
    }
    scree_thread_pool_end(&pool);
    double updates = (double)problem->contacts * sweeps, each = best / updates;
    cost c = { .ns = 1e9 * each,
               .million = 1e-6 / each,
               .bytes = least_bytes(&set) / problem->contacts,
               .fill = problem->contacts / (8.0 * set.batches),
               .prepare = 1e9 * prepare / problem->contacts };
    c.share = c.bytes / roofline / each;
    scree_arena_free(&memory);
    return c;
}

static scree_report solve(const scree_problem *problem, double tolerance, int sweeps, double *p,
                          double *seconds) {
    scree_solver_options options = scree_solver_options_default();
    options.name = "nsgs-bodies";
    options.tolerance = tolerance;
    options.criterion = SCREE_CRITERION_SCALED;
    options.max_sweeps = sweeps;
    options.threads = 1;
    scree_report report;
    scree_error err;
    double start = rival_now(clock_for(1));
    if (scree_solve(problem, &options, p, &report, &err)) {
        fprintf(stderr, "scaling: %s\n", err.text);
        exit(3);
    }
    *seconds = rival_now(clock_for(1)) - start;
    return report;
}

static void print_cost(const packing *pack, const char *kind, int threads, const cost *c) {
    printf("| %d | %d | %s | %d | %.1f | %.0f | %.0f | %.2f | %.2f | %.0f |\n", pack->balls,
           pack->contacts, kind, threads, c->ns, c->million, c->bytes, c->share, c->fill,
           c->prepare);
    fflush(stdout);
}

static void print_costs(const packing *pack, const rates *memory) {
    scree_bodies bodies;
    scree_problem problem = packing_problem(pack, &bodies);
    for (int kind = 0; kind < 2; kind++) {
        shapes s = general_shapes(pack);
        if (kind) {
            bodies.radius = bodies.arm_ratio = NULL;
            bodies.arm = s.arm;
            bodies.inverse = s.inverse;
        } else {
            bodies.arm_ratio = NULL;  // arms as long as the radii
        }
        for (int threads = 1; threads <= memory->threads; threads++) {
            double roofline = threads == 1 ? memory->one : memory->all;
            cost c = measure(&problem, pack->impulse, threads, roofline);
            print_cost(pack, kind ? "general" : "balls", threads, &c);
        }
        free_shapes(&s);
    }
}

// -------------------------------------------------------------------------------------------------
// time to 1e-4

static void print_solution(const packing *pack, double unrest) {
    scree_bodies bodies;
    scree_problem problem = packing_problem(pack, &bodies);
    double *impulse = packing_room(NULL, 3 * (size_t)pack->contacts, 8), seconds[2];
    scree_report report[2];
    for (int warm = 0; warm < 2; warm++) {
        size_t bytes = 3 * (size_t)pack->contacts * sizeof *impulse;
        if (warm)
            memcpy(impulse, pack->impulse, bytes);
        else
            memset(impulse, 0, bytes);
        report[warm] =
            solve(&problem, 1e-4, pack->contacts < MANY ? 20000 : 3000, impulse, &seconds[warm]);
    }
    printf("| %d | %d | %.2g |", pack->balls, pack->contacts, unrest);
    for (int warm = 0; warm < 2; warm++)
        printf(" %d | %.1e | %.3g | %.2f |", report[warm].iterations, report[warm].residual.scaled,
               seconds[warm], 1e6 * seconds[warm] / pack->contacts);
    printf("\n");
    fflush(stdout);
    free(impulse);
}

// -------------------------------------------------------------------------------------------------
// beside Siconos

// Siconos' own tolerance means another thing: tightened by tens until our judge sees 1e-4
static void print_rival(const packing *pack, const char *script) {
    scree_bodies bodies;
    scree_problem problem = packing_problem(pack, &bodies);
    scree_problem whole = problem;
    scree_error err;
    char path[64];
    snprintf(path, sizeof path, "/tmp/scree-scaling-%d.dat", (int)getpid());
    if (scree_problem_assemble(&whole, &err) || !rival_write(&whole, path)) exit(3);
    size_t numbers = 3 * (size_t)pack->contacts;
    double *r = packing_room(NULL, numbers, 8), *s = packing_room(NULL, numbers, 8), theirs = 0;
    scree_residual residual = { .scaled = 1 };
    int sweeps = 0;
    bool ran = true;
    for (double tolerance = 1e-2; ran && residual.scaled > 1e-4 && tolerance > 1e-14;
         tolerance /= 10) {
        ran = rival_ask(script, path, tolerance, 0, pack->contacts, &theirs, &sweeps, r);
        if (ran) residual = scree_problem_residual(&whole, r, s);
    }
    if (ran && residual.scaled <= 1e-4) {
        double ours = DBL_MAX, seconds;
        scree_report report = { 0 };
        for (int round = 0; round < ROUNDS; round++) {
            memset(s, 0, numbers * sizeof *s);
            report = solve(&problem, residual.scaled, 100000, s, &seconds);
            ours = fmin(ours, seconds);
        }
        printf("| %d | %d | %.2e | %d | %.3g | %.2f | %d | %.3g | %.1f |", pack->balls,
               pack->contacts, residual.scaled, sweeps, theirs,
               1e-6 * pack->contacts * sweeps / theirs, report.iterations, ours,
               1e-6 * pack->contacts * report.iterations / ours);
        if (report.converged)
            printf(" %.0f |\n", theirs / ours);
        else
            printf(" none, scree came to %.2e only |\n", report.residual.scaled);
    } else if (ran) {
        printf("Siconos did not come to 1e-4 on %d contacts.\n", pack->contacts);
    } else {
        printf("SKIPPED: Siconos did not run on %d contacts.\n", pack->contacts);
    }
    fflush(stdout);
    unlink(path);
    free(r);
    free(s);
    scree_problem_release(&whole);
}

// -------------------------------------------------------------------------------------------------

static packing *grow(int side) {
    note("growing", side);
    return packing_settle(side, STEPS, SWEEPS, 1);
}

// the packing that an argument asks for, with the contacts of its next step
static packing *pack_of(const char *text, const packing *before, double *unrest) {
    const char *copies = strchr(text, 'x');
    if (copies && before) return packing_repeat(before, atoi(copies + 1));
    packing *pack = grow(atoi(text));
    *unrest = packing_unrest(pack);
    packing_find_contacts(pack, touching, 0);
    return pack;
}

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: scaling RIVAL SIDE...\n");
        return 1;
    }
    int sides = argc - 2, all = scree_parallel_threads(0);
    rates memory = { triad(1), triad(all), all };
    packing **pack = packing_room(NULL, (size_t)sides, sizeof *pack);
    double *unrest = packing_room(NULL, (size_t)sides, sizeof *unrest);
    printf("Memory: %.1f GB/s by one thread, %.1f GB/s by %d (triad).\n\n", 1e-9 * memory.one,
           1e-9 * memory.all, all);
    for (int i = 0; i < sides; i++) {
        unrest[i] = i ? unrest[i - 1] : 0;
        pack[i] = pack_of(argv[2 + i], i ? pack[i - 1] : NULL, &unrest[i]);
    }
    printf(
        "| bodies | contacts | kind | threads | ns per contact and sweep | million updates/s | "
        "bytes | of roofline | batches full | laying out, ns per contact |\n"
        "|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|\n");
    for (int i = 0; i < sides; i++) print_costs(pack[i], &memory);
    printf(
        "\n| bodies | contacts | unrest | sweeps, cold | residual | s | us per contact | "
        "sweeps, warm | residual | s | us per contact |\n"
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (int i = 0; i < sides; i++) print_solution(pack[i], unrest[i]);
    printf(
        "\n| bodies | contacts | residual | Siconos sweeps | s | million updates/s | scree sweeps "
        "| s | million updates/s | ratio of times |\n"
        "|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (int i = 0; i < sides; i++)
        if (pack[i]->contacts <= RIVAL_CONTACTS) print_rival(pack[i], argv[1]);
    for (int i = 0; i < sides; i++) packing_free(pack[i]);
    free(pack);
    free(unrest);
    return 0;
}
