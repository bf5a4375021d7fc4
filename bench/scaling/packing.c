// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// packing.c - balls settled in an open box by the solver that is measured.
//
// They begin on a jittered lattice, dense enough to overlap; for some steps overlaps are pushed out
// without inertia, then gravity and the contact law have them.

#include "packing.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solve/rigid_set.h"

static const double gravity = 9.81, step = 2e-4, friction = 0.4, density = 1000;
static const double smallest = 1.25e-3, largest = 2.5e-3, spacing = 3.9e-3;
static const double near_by = 2e-4;  // contacts are found at that distance while balls move
enum { FLOOR = -1, WALLS = 5, STILL = 200, EMPTY = 0 };

struct pairs {  // open addressing by the pair of bodies
    uint64_t *key;
    double (*impulse)[3];  // in world axes
    size_t mask;
};

void *packing_room(void *old, size_t count, size_t size) {
    void *memory = realloc(old, (count ? count : 1) * size);
    if (memory) return memory;
    fprintf(stderr, "scaling: out of memory\n");
    exit(2);
}

static double *numbers(size_t count) {
    double *x = packing_room(NULL, count, sizeof *x);
    memset(x, 0, count * sizeof *x);
    return x;
}

static double random_number(void) {
    static uint64_t state = 1;
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

// -------------------------------------------------------------------------------------------------
// what the last step knew

static uint64_t key_of(int a, int b) {
    return ((uint64_t)(uint32_t)(a + 8) << 32) | (uint32_t)(b + 8);
}

static size_t find_pair(const struct pairs *pairs, uint64_t key) {
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15u >> 20) & pairs->mask;
    while (pairs->key[at] != EMPTY && pairs->key[at] != key) at = (at + 1) & pairs->mask;
    return at;
}

static void remember(packing *pack) {
    struct pairs *pairs = pack->pairs;
    size_t need = 16;
    while (need < 3 * (size_t)pack->contacts) need *= 2;
    if (need > pairs->mask + 1) {
        pairs->key = packing_room(pairs->key, need, sizeof *pairs->key);
        pairs->impulse = packing_room(pairs->impulse, need, sizeof *pairs->impulse);
        pairs->mask = need - 1;
    }
    memset(pairs->key, 0, (pairs->mask + 1) * sizeof *pairs->key);
    for (size_t c = 0; c < (size_t)pack->contacts; c++) {
        // walls are told apart by their normals
        const double *frame = pack->frame + 9 * c, *p = pack->impulse + 3 * c;
        int b = pack->body[2 * c + 1];
        if (b < 0)
            b = -1 - (frame[0] > 0.5) - 2 * (frame[0] < -0.5) - 3 * (frame[1] > 0.5) -
                4 * (frame[1] < -0.5);
        size_t at = find_pair(pairs, key_of(pack->body[2 * c], b));
        pairs->key[at] = key_of(pack->body[2 * c], b);
        for (size_t e = 0; e < 3; e++)
            pairs->impulse[at][e] = p[0] * frame[e] + p[1] * frame[3 + e] + p[2] * frame[6 + e];
    }
}

// -------------------------------------------------------------------------------------------------
// contacts

static void make_room(packing *pack) {
    if (pack->contacts < pack->room) return;
    pack->room = pack->room ? 2 * pack->room : 4096;
    size_t room = (size_t)pack->room;
    pack->body = packing_room(pack->body, 2 * room, sizeof(int));
    pack->frame = packing_room(pack->frame, 9 * room, sizeof(double));
    pack->arm_ratio = packing_room(pack->arm_ratio, room, sizeof(double));
    pack->w = packing_room(pack->w, 3 * room, sizeof(double));
    pack->b = packing_room(pack->b, 3 * room, sizeof(double));
    pack->mu = packing_room(pack->mu, room, sizeof(double));
    pack->impulse = packing_room(pack->impulse, 3 * room, sizeof(double));
}

static void set_frame(double *frame, const double *n) {
    int least = fabs(n[0]) < fabs(n[1]) ? (fabs(n[0]) < fabs(n[2]) ? 0 : 2)
                                        : (fabs(n[1]) < fabs(n[2]) ? 1 : 2);
    double *t = frame + 3, *q = frame + 6, size = sqrt(1 - n[least] * n[least]);
    for (int e = 0; e < 3; e++) {
        frame[e] = n[e];
        t[e] = ((e == least) - n[least] * n[e]) / size;
    }
    q[0] = n[1] * t[2] - n[2] * t[1];
    q[1] = n[2] * t[0] - n[0] * t[2];
    q[2] = n[0] * t[1] - n[1] * t[0];
}

// a ball and another one or a wall (wall < 0); the two meet at one point
static void add_contact(packing *pack, int a, int b, const double *n, double gap, double recovery) {
    make_room(pack);
    size_t c = (size_t)pack->contacts++;
    double *frame = pack->frame + 9 * c, radii = pack->radius[a] + (b >= 0 ? pack->radius[b] : 0);
    pack->body[2 * c] = a;
    pack->body[2 * c + 1] = b >= 0 ? b : SCREE_FIXED;
    set_frame(frame, n);
    pack->arm_ratio[c] = 1 + gap / radii;
    pack->mu[c] = friction;
    // an approach is free until it closes the gap; overlaps may be pushed out, not too fast
    double speed = gap > 0 ? gap / step : fmax(0.2 * gap / step, -recovery);
    pack->w[3 * c] = speed;
    pack->w[3 * c + 1] = pack->w[3 * c + 2] = 0;
    size_t at = find_pair(pack->pairs, key_of(a, b));
    const double *old = pack->pairs->impulse[at], zero[3] = { 0 };
    if (pack->pairs->key[at] == EMPTY) old = zero;
    for (size_t e = 0; e < 3; e++) {
        const double *axis = frame + 3 * e;
        pack->impulse[3 * c + e] = axis[0] * old[0] + axis[1] * old[1] + axis[2] * old[2];
    }
}

static void touch_walls(packing *pack, int i, double margin, double recovery) {
    static const double normal[WALLS][3] = {
        { 0, 0, 1 }, { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }
    };
    const double *x = pack->x + 3 * (size_t)i;
    const double distance[WALLS] = { x[2], x[0], pack->width - x[0], x[1], pack->width - x[1] };
    for (int wall = 0; wall < WALLS; wall++) {
        double gap = distance[wall] - pack->radius[i];
        if (gap < margin) add_contact(pack, i, FLOOR - wall, normal[wall], gap, recovery);
    }
}

typedef struct grid {  // balls of each cell, by counting
    int across, up, *first, *ball;
    double cell;
} grid;

static int cell_of(const grid *g, double x, int cells) {
    int at = (int)(x / g->cell);
    return at < 0 ? 0 : at >= cells ? cells - 1 : at;
}

static int place_of(const grid *g, const double *x) {
    return (cell_of(g, x[2], g->up) * g->across + cell_of(g, x[1], g->across)) * g->across +
           cell_of(g, x[0], g->across);
}

static grid make_grid(const packing *pack, double margin) {
    double top = 0;
    for (int i = 0; i < pack->balls; i++) top = fmax(top, pack->x[3 * (size_t)i + 2]);
    grid g = { .cell = 2 * largest + margin };
    g.across = (int)(pack->width / g.cell) + 1;
    g.up = (int)(top / g.cell) + 1;
    size_t cells = (size_t)g.across * (size_t)g.across * (size_t)g.up;
    g.first = packing_room(NULL, cells + 2, sizeof(int));
    g.ball = packing_room(NULL, (size_t)pack->balls, sizeof(int));
    memset(g.first, 0, (cells + 2) * sizeof(int));
    for (int i = 0; i < pack->balls; i++) g.first[place_of(&g, pack->x + 3 * (size_t)i) + 2]++;
    for (size_t k = 1; k <= cells; k++) g.first[k + 1] += g.first[k];
    for (int i = 0; i < pack->balls; i++)
        g.ball[g.first[place_of(&g, pack->x + 3 * (size_t)i) + 1]++] = i;
    return g;
}

static void touch_ball(packing *pack, int i, int j, double margin, double recovery) {
    const double *x = pack->x + 3 * (size_t)i, *y = pack->x + 3 * (size_t)j;
    double d[3] = { x[0] - y[0], x[1] - y[1], x[2] - y[2] };
    double most = pack->radius[i] + pack->radius[j] + margin;
    double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
    if (square >= most * most) return;
    double distance = sqrt(square), n[3] = { d[0] / distance, d[1] / distance, d[2] / distance };
    add_contact(pack, i, j, n, distance - most + margin, recovery);
}

static void touch_cell(packing *pack, const grid *g, int i, const int *cell, double margin,
                       double recovery) {
    if (cell[0] < 0 || cell[1] < 0 || cell[2] < 0 || cell[0] >= g->across || cell[1] >= g->across ||
        cell[2] >= g->up)
        return;
    int k = (cell[2] * g->across + cell[1]) * g->across + cell[0];
    for (int at = g->first[k]; at < g->first[k + 1]; at++)
        if (g->ball[at] < i) touch_ball(pack, i, g->ball[at], margin, recovery);
}

void packing_find_contacts(packing *pack, double margin, double recovery) {
    remember(pack);
    pack->contacts = 0;
    grid g = make_grid(pack, margin);
    for (int i = 0; i < pack->balls; i++) {
        const double *x = pack->x + 3 * (size_t)i;
        int here[3] = { cell_of(&g, x[0], g.across), cell_of(&g, x[1], g.across),
                        cell_of(&g, x[2], g.up) };
        touch_walls(pack, i, margin, recovery);
        for (int near = 0; near < 27; near++) {
            int cell[3] = { here[0] + near % 3 - 1, here[1] + near / 3 % 3 - 1,
                            here[2] + near / 9 - 1 };
            touch_cell(pack, &g, i, cell, margin, recovery);
        }
    }
    free(g.first);
    free(g.ball);
    memcpy(pack->free_velocity, pack->velocity, 6 * (size_t)pack->balls * sizeof(double));
    for (int i = 0; i < pack->balls; i++) pack->free_velocity[6 * (size_t)i + 2] -= gravity * step;
}

// -------------------------------------------------------------------------------------------------
// boxes side by side

static double *repeat(const double *x, size_t count, int copies) {
    double *all = packing_room(NULL, count * (size_t)copies, sizeof *all);
    for (size_t k = 0; k < (size_t)copies; k++) memcpy(all + k * count, x, count * sizeof *x);
    return all;
}

packing *packing_repeat(const packing *pack, int copies) {
    size_t nb = (size_t)pack->balls, nc = (size_t)pack->contacts, times = (size_t)copies;
    packing *all = packing_room(NULL, 1, sizeof *all);
    *all = (packing){ .balls = pack->balls * copies,
                      .width = pack->width * copies,
                      .x = repeat(pack->x, 3 * nb, copies),
                      .radius = repeat(pack->radius, nb, copies),
                      .velocity = repeat(pack->velocity, 6 * nb, copies),
                      .inverse = repeat(pack->inverse, 7 * nb, copies),
                      .free_velocity = repeat(pack->free_velocity, 6 * nb, copies),
                      .contacts = pack->contacts * copies,
                      .room = pack->contacts * copies,
                      .body = packing_room(NULL, 2 * nc * times, sizeof(int)),
                      .frame = repeat(pack->frame, 9 * nc, copies),
                      .arm_ratio = repeat(pack->arm_ratio, nc, copies),
                      .w = repeat(pack->w, 3 * nc, copies),
                      .b = repeat(pack->b, 3 * nc, copies),
                      .mu = repeat(pack->mu, nc, copies),
                      .impulse = repeat(pack->impulse, 3 * nc, copies),
                      .pairs = packing_room(NULL, 1, sizeof(struct pairs)) };
    *all->pairs = (struct pairs){ .mask = 0 };
    for (int k = 0; k < copies; k++) {
        size_t balls = nb * (size_t)k, sides = 2 * nc * (size_t)k;
        for (size_t i = 0; i < nb; i++) all->x[3 * (balls + i)] += k * pack->width;
        for (size_t i = 0; i < 2 * nc; i++)
            all->body[sides + i] = pack->body[i] + (pack->body[i] < 0 ? 0 : (int)balls);
    }
    return all;
}

// -------------------------------------------------------------------------------------------------

scree_problem packing_problem(const packing *pack, scree_bodies *bodies) {
    *bodies = (scree_bodies){ .rigid = pack->balls,
                              .width = 6,
                              .inverse = pack->inverse,
                              .v_free = pack->free_velocity,
                              .radius = pack->radius,
                              .position = pack->x,
                              .body = pack->body,
                              .frame = pack->frame,
                              .arm_ratio = pack->arm_ratio,
                              .w = pack->w };
    scree_problem problem = {
        .contacts = pack->contacts, .dimension = 3, .bodies = bodies, .b = pack->b, .mu = pack->mu
    };
    scree_problem_offset(&problem, pack->b);
    return problem;
}

static packing *make_lattice(int side) {
    packing *pack = packing_room(NULL, 1, sizeof *pack);
    size_t n = (size_t)side * (size_t)side * (size_t)side;
    *pack = (packing){ .balls = (int)n,
                       .width = side * spacing,
                       .x = numbers(3 * n),
                       .radius = numbers(n),
                       .velocity = numbers(6 * n),
                       .inverse = numbers(7 * n),
                       .free_velocity = numbers(6 * n),
                       .pairs = packing_room(NULL, 1, sizeof(struct pairs)) };
    *pack->pairs = (struct pairs){ .mask = 0 };
    for (size_t i = 0; i < n; i++) {
        int cell[3] = { (int)i % side, (int)i / side % side, (int)i / side / side };
        double r = pack->radius[i] = smallest + (largest - smallest) * random_number();
        for (size_t e = 0; e < 3; e++)
            pack->x[3 * i + e] = (cell[e] + 0.5 + 0.2 * (random_number() - 0.5)) * spacing;
        double mass = density * 4 / 3 * 3.14159265358979 * r * r * r;
        double *inverse = pack->inverse + 7 * i;
        inverse[0] = 1 / mass;
        inverse[1] = inverse[4] = inverse[6] = 2.5 / (mass * r * r);
    }
    return pack;
}

// Some sweeps from the last step's impulses, however far they come: scree_solve would give
// back its best iterate, which at first is to do nothing.
static void sweep(packing *pack, int sweeps, scree_kernel_config *team) {
    scree_bodies bodies;
    scree_problem problem = packing_problem(pack, &bodies);
    scree_arena memory = { 0 };
    scree_rigid_set set;
    scree_error err;
    bool broken = false;
    if (scree_rigid_prepare(&problem, pack->impulse, &memory, &set, &broken, &err) || broken) {
        fprintf(stderr, "scaling: %s\n", broken ? "a broken packing" : err.text);
        exit(2);
    }
    scree_rigid_refresh(&set, team);
    scree_rigid_sweep(&set, team, SCREE_SWEEP_SYMMETRIC, SCREE_SWEEP_PLAIN, 0, sweeps);
    scree_rigid_impulses(&set, pack->impulse);
    scree_rigid_velocities(&set, pack->velocity);
    scree_arena_free(&memory);
}

packing *packing_settle(int side, int steps, int sweeps, int threads) {
    packing *pack = make_lattice(side);
    scree_thread_pool pool = { .threads = threads };
    scree_kernel_config team = scree_kernel_config_of(&pool);
    int pushed = 0;
    bool still = true;  // pushed out without inertia, until nearly nothing overlaps
    for (int k = 0; k < steps; k += !still) {
        packing_find_contacts(pack, near_by, still ? 0.5 : 0.02);
        sweep(pack, sweeps, &team);
        for (size_t i = 0; i < (size_t)pack->balls; i++)
            for (size_t e = 0; e < 3; e++) pack->x[3 * i + e] += step * pack->velocity[6 * i + e];
        still = still && pushed++ < STILL && packing_overlap(pack) > 0.01;
        if (still) memset(pack->velocity, 0, 6 * (size_t)pack->balls * sizeof(double));
    }
    scree_thread_pool_end(&pool);
    return pack;
}

double packing_overlap(const packing *pack) {
    double most = 0;
    for (size_t c = 0; c < (size_t)pack->contacts; c++) {
        int a = pack->body[2 * c], b = pack->body[2 * c + 1];
        double radii = pack->radius[a] + (b >= 0 ? pack->radius[b] : 0);
        most = fmax(most, (1 - pack->arm_ratio[c]) * radii);
    }
    return most / (0.5 * (smallest + largest));
}

double packing_unrest(const packing *pack) {
    double sum = 0;
    for (size_t i = 0; i < (size_t)pack->balls; i++)
        for (size_t e = 0; e < 3; e++) sum += pack->velocity[6 * i + e] * pack->velocity[6 * i + e];
    return sqrt(sum / pack->balls) / (gravity * step);
}

void packing_free(packing *pack) {
    void *all[] = { pack->x,
                    pack->radius,
                    pack->velocity,
                    pack->inverse,
                    pack->free_velocity,
                    pack->body,
                    pack->frame,
                    pack->arm_ratio,
                    pack->w,
                    pack->b,
                    pack->mu,
                    pack->impulse,
                    pack->pairs->key,
                    pack->pairs->impulse,
                    pack->pairs,
                    pack };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}
