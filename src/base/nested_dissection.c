// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// nested_dissection.c - halves, halves of halves, and what separates them: an order of elimination.
//
// in: pattern of a symmetric matrix.  out: order.  work: graphs, coarser and coarser, in an arena.
//
// A separator S whose removal leaves two halves without edges between them is eliminated last, so
// that no fill goes from one half to the other (George 1973). For meshes in space that is half to a
// third of the operations of minimum degree. S is found on a coarse graph, made by joining vertices
// along heavy edges, and improved on the way back (Karypis and Kumar 1998): a vertex of S goes to
// one side and draws its neighbours on the other side into S, the best first, also where S grows
// for a while; the best S on the way is kept (Fiduccia and Mattheyses 1982). Unknowns with the same
// neighbours, as those of one node are, count as one vertex. Within halves that are not cut any
// more and within separators CAMD, minimum degree that respects this order, has the last word.

#include "base/nested_dissection.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <suitesparse/camd.h>

#include "base/arena.h"

enum {
    LEAF = 120,        // vertices that are not cut any more
    COARSE = 150,      // vertices of the coarsest graph
    SEEDS = 12,        // from which a half grows there
    PASSES = 8,        // of improvement
    IDLE_MOVES = 300,  // in a pass that do not make the separator lighter
};
static const double share_most = 0.58;  // of a half, with the separator left out

typedef enum side { LEFT, RIGHT, MIDDLE } side;

typedef struct graph {
    int n, *first, *next;    // neighbours of each vertex (n + 1), (edges, each twice)
    int *weight, *strength;  // rows of a vertex (n); of edges: how many were joined
} graph;

typedef struct cut {
    unsigned char *where;  // side of each vertex
    long weight[3];        // of LEFT, RIGHT, MIDDLE
} cut;

static bool new_graph(scree_arena *arena, int n, int edges, graph *g) {
    *g = (graph){ n, SCREE_NEW(arena, int, n + 1), SCREE_NEW(arena, int, edges),
                  SCREE_NEW(arena, int, n), SCREE_NEW(arena, int, edges) };
    return g->first && g->next && g->weight && g->strength;
}

static void weigh(const graph *g, cut *c) {
    memset(c->weight, 0, sizeof c->weight);
    for (int i = 0; i < g->n; i++) c->weight[c->where[i]] += g->weight[i];
}

// how good a cut is: its weight, much more if a half is too heavy
static double cost_of(const cut *c) {
    long heavy = c->weight[LEFT] > c->weight[RIGHT] ? c->weight[LEFT] : c->weight[RIGHT];
    long both = c->weight[LEFT] + c->weight[RIGHT];
    double excess = (double)heavy - share_most * (double)both;
    return (double)c->weight[MIDDLE] + (excess > 0 ? 2 * excess : 0);
}

// ---- improvement

typedef struct refinement {
    const graph *g;
    cut *c;
    long *gain[2];  // of MIDDLE vertices that go LEFT or RIGHT
    int *list, *log, count, moves;
    unsigned char *listed, *locked, *was;
} refinement;

// what the separator loses if i goes to a side
static long gain_of(const refinement *now, int i, side to) {
    const graph *g = now->g;
    long gain = g->weight[i];
    for (int e = g->first[i]; e < g->first[i + 1]; e++)
        if (now->c->where[g->next[e]] == 1 - (int)to) gain -= g->weight[g->next[e]];
    return gain;
}

static void enlist(refinement *now, int i) {
    for (int to = 0; to < 2; to++) now->gain[to][i] = gain_of(now, i, (side)to);
    if (now->listed[i]) return;
    now->listed[i] = 1;
    now->list[now->count++] = i;
}

// at most three times for each vertex: drawn in, out, and in again
static void put(refinement *now, int i, side to) {
    cut *c = now->c;
    now->log[now->moves] = i;
    now->was[now->moves++] = c->where[i];
    c->weight[c->where[i]] -= now->g->weight[i];
    c->weight[to] += now->g->weight[i];
    c->where[i] = (unsigned char)to;
}

// i, of the separator, to a side; its neighbours on the other side into the separator
static void move(refinement *now, int i, side to) {
    const graph *g = now->g;
    int other = 1 - (int)to;
    put(now, i, to);
    now->locked[i] = 1;
    for (int e = g->first[i]; e < g->first[i + 1]; e++) {
        int j = g->next[e];
        if (now->c->where[j] == MIDDLE) now->gain[other][j] -= g->weight[i];
        if (now->c->where[j] != other) continue;
        put(now, j, MIDDLE);
        for (int f = g->first[j]; f < g->first[j + 1]; f++)
            if (now->c->where[g->next[f]] == MIDDLE) now->gain[to][g->next[f]] += g->weight[j];
        enlist(now, j);
    }
}

// the best move to the lighter side, or to the other one where that gains more; -1: none is left
static int choose(const refinement *now, side *to) {
    int best = -1;
    long most = LONG_MIN;
    side light = now->c->weight[LEFT] <= now->c->weight[RIGHT] ? LEFT : RIGHT;
    long both = now->c->weight[LEFT] + now->c->weight[RIGHT];
    for (int k = 0; k < now->count; k++) {
        int i = now->list[k];
        if (now->locked[i] || now->c->where[i] != MIDDLE) continue;
        for (int turn = 0; turn < 2; turn++) {
            side at = turn ? (side)(1 - (int)light) : light;
            bool heavy = turn && (double)(now->c->weight[at] + now->g->weight[i]) >
                                     share_most * (double)both;
            if (heavy || now->gain[at][i] <= most) continue;
            most = now->gain[at][i];
            best = i;
            *to = at;
        }
    }
    return best;
}

static void begin_pass(refinement *now) {
    now->count = now->moves = 0;
    memset(now->listed, 0, (size_t)now->g->n);
    memset(now->locked, 0, (size_t)now->g->n);
    for (int i = 0; i < now->g->n; i++)
        if (now->c->where[i] == MIDDLE) enlist(now, i);
}

// false if it found nothing better
static bool refine_once(refinement *now) {
    double first = cost_of(now->c), least = first;
    int kept = 0, idle = 0;
    begin_pass(now);
    for (side to; idle < IDLE_MOVES; idle++) {
        int i = choose(now, &to);
        if (i < 0) break;
        move(now, i, to);
        if (!(cost_of(now->c) < least)) continue;
        least = cost_of(now->c);
        kept = now->moves;
        idle = -1;
    }
    while (now->moves > kept) {
        now->moves--;
        now->c->where[now->log[now->moves]] = now->was[now->moves];
    }
    weigh(now->g, now->c);
    return least < first;
}

static bool refine_separator(const graph *g, cut *c, scree_arena *arena) {
    size_t n = (size_t)g->n;
    refinement now = { g,
                       c,
                       { SCREE_NEW(arena, long, n), SCREE_NEW(arena, long, n) },
                       SCREE_NEW(arena, int, n),
                       SCREE_NEW(arena, int, 3 * n),
                       0,
                       0,
                       SCREE_NEW(arena, unsigned char, n),
                       SCREE_NEW(arena, unsigned char, n),
                       SCREE_NEW(arena, unsigned char, 3 * n) };
    if (!now.gain[0] || !now.gain[1] || !now.list || !now.log || !now.listed || !now.locked ||
        !now.was)
        return false;
    weigh(g, c);
    for (int pass = 0; pass < PASSES && refine_once(&now); pass++) continue;
    return true;
}

// ---- the coarsest graph

// everything to the right, then breadth first from a seed to the left until half is there
static void grow(const graph *g, int seed, int *queue, unsigned char *where) {
    long all = 0, left = 0;
    int head = 0, tail = 0, from = 0;
    for (int i = 0; i < g->n; i++) {
        all += g->weight[i];
        where[i] = RIGHT;
    }
    where[seed] = LEFT;
    queue[tail++] = seed;
    while (2 * left < all) {
        if (head == tail) {  // a part of its own is full
            while (where[from] == LEFT) from++;
            where[from] = LEFT;
            queue[tail++] = from;
        }
        int i = queue[head++];
        left += g->weight[i];
        for (int e = g->first[i]; e < g->first[i + 1]; e++) {
            int j = g->next[e];
            if (where[j] == LEFT) continue;
            where[j] = LEFT;
            queue[tail++] = j;
        }
    }
    // what stands in the queue still touches the right: the separator
    for (; head < tail; head++) where[queue[head]] = MIDDLE;
}

static bool cut_coarsest(const graph *g, cut *c, scree_arena *arena) {
    int *queue = SCREE_NEW(arena, int, g->n);
    cut now = { .where = SCREE_NEW(arena, unsigned char, g->n) };
    double least = 0;
    if (!queue || !now.where) return false;
    for (int k = 0; k < SEEDS; k++) {
        grow(g, (int)((long)k * g->n / SEEDS), queue, now.where);
        if (!refine_separator(g, &now, arena)) return false;
        if (k > 0 && !(cost_of(&now) < least)) continue;
        least = cost_of(&now);
        memcpy(c->where, now.where, (size_t)g->n);
    }
    return true;
}

// ---- coarser graphs

// an order that has nothing to do with the mesh, the same every time
static void shuffle(int n, int *order) {
    uint64_t state = 1;
    for (int i = 0; i < n; i++) order[i] = i;
    for (int i = n - 1; i > 0; i--) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        int j = (int)((state >> 33) % (uint64_t)(i + 1)), swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
}

// Each vertex with the free neighbour at its strongest edge; number: of the pair. Returns how many.
static int join(const graph *g, const int *order, int *partner, int *number) {
    int pairs = 0;
    for (int i = 0; i < g->n; i++) partner[i] = -1;
    for (int k = 0; k < g->n; k++) {
        int i = order[k], best = i, most = 0;
        if (partner[i] >= 0) continue;
        for (int e = g->first[i]; e < g->first[i + 1]; e++) {
            int j = g->next[e];
            if (partner[j] >= 0 || g->strength[e] <= most) continue;
            best = j;
            most = g->strength[e];
        }
        partner[i] = best;
        partner[best] = i;
        number[i] = number[best] = pairs++;
    }
    return pairs;
}

// the edges of vertex i become those of pair k, whose edges so far begin at `from`
static int add_edges(const graph *g, int i, const int *number, int k, int from, int end, int *seen,
                     graph *coarse) {
    for (int e = g->first[i]; e < g->first[i + 1]; e++) {
        int to = number[g->next[e]];
        if (to == k) continue;
        if (seen[to] < from) {
            seen[to] = end;
            coarse->next[end] = to;
            coarse->strength[end++] = 0;
        }
        coarse->strength[seen[to]] += g->strength[e];
    }
    return end;
}

static bool coarsen(const graph *g, scree_arena *arena, int *number, graph *coarse) {
    int n = g->n, end = 0, *order = SCREE_NEW(arena, int, n), *partner = SCREE_NEW(arena, int, n);
    int *seen = SCREE_NEW(arena, int, n);
    if (!order || !partner || !seen) return false;
    shuffle(n, order);
    int pairs = join(g, order, partner, number);
    if (!new_graph(arena, pairs, g->first[n], coarse)) return false;
    for (int k = 0; k < pairs; k++) seen[k] = -1;
    for (int i = 0, k = 0; k < pairs; i++) {  // pairs in the order in which they were made
        int one = order[i], from = end;
        if (number[one] != k) continue;
        coarse->weight[k] = g->weight[one];
        end = add_edges(g, one, number, k, from, end, seen, coarse);
        if (partner[one] != one) {
            coarse->weight[k] += g->weight[partner[one]];
            end = add_edges(g, partner[one], number, k, from, end, seen, coarse);
        }
        coarse->first[++k] = end;
    }
    return true;
}

static bool bisect(const graph *g, cut *c, scree_arena *arena) {
    graph coarse;
    int *number = SCREE_NEW(arena, int, g->n);
    if (!number) return false;
    if (g->n <= COARSE) return cut_coarsest(g, c, arena);
    if (!coarsen(g, arena, number, &coarse)) return false;
    if (10 * coarse.n > 9 * g->n) return cut_coarsest(g, c, arena);  // hardly an edge to join along
    cut rough = { .where = SCREE_NEW(arena, unsigned char, coarse.n) };
    if (!rough.where || !bisect(&coarse, &rough, arena)) return false;
    for (int i = 0; i < g->n; i++) c->where[i] = rough.where[number[i]];
    return refine_separator(g, c, arena);
}

// ---- recursion

typedef struct dissection {
    int rank, *of;  // parts so far; rank of the part of each vertex: lower ones come first
    scree_arena arena;
} dissection;

// the vertices on one side, with their names
static bool extract(const graph *g, const int *name, const cut *c, side which, scree_arena *arena,
                    graph *part, int **names) {
    int n = 0, edges = 0, *number = SCREE_NEW(arena, int, g->n);
    if (!number) return false;
    for (int i = 0; i < g->n; i++) {
        if (c->where[i] != which) continue;
        number[i] = n++;
        edges += g->first[i + 1] - g->first[i];
    }
    *names = SCREE_NEW(arena, int, n);
    if (!*names || !new_graph(arena, n, edges, part)) return false;
    for (int i = 0, k = 0, end = 0; i < g->n; i++) {
        if (c->where[i] != which) continue;
        (*names)[k] = name[i];
        part->weight[k] = g->weight[i];
        for (int e = g->first[i]; e < g->first[i + 1]; e++) {
            if (c->where[g->next[e]] != which) continue;
            part->next[end] = number[g->next[e]];
            part->strength[end++] = g->strength[e];
        }
        part->first[++k] = end;
    }
    return true;
}

static bool dissect(dissection *now, const graph *g, const int *name) {
    scree_arena_mark mark = scree_arena_mark_of(&now->arena);
    cut c = { .where = SCREE_NEW(&now->arena, unsigned char, g->n) };
    if (!c.where) return false;
    if (g->n > LEAF && !bisect(g, &c, &now->arena)) return false;
    weigh(g, &c);
    bool two = c.weight[LEFT] > 0 && c.weight[RIGHT] > 0, fine = true;
    for (int which = LEFT; two && fine && which <= RIGHT; which++) {
        graph part;
        int *names;
        fine = extract(g, name, &c, (side)which, &now->arena, &part, &names) &&
               dissect(now, &part, names);
    }
    for (int i = 0; i < g->n; i++)
        if (!two || c.where[i] == MIDDLE) now->of[name[i]] = now->rank;
    now->rank++;
    scree_arena_release(&now->arena, mark);
    return fine;
}

// ---- the matrix as a graph

// both triangles without the diagonal, rows ascending
static bool mirror(int n, const int *first, const int *row, scree_arena *arena, graph *g) {
    int *at = SCREE_NEW(arena, int, n);
    if (!at || !new_graph(arena, n, 2 * first[n], g)) return false;
    for (int j = 0; j < n; j++)
        for (int e = first[j]; e < first[j + 1]; e++)
            if (row[e] != j) {
                g->first[j + 1]++;
                g->first[row[e] + 1]++;
            }
    for (int i = 0; i < n; i++) g->first[i + 1] += g->first[i];
    for (int i = 0; i < n; i++) at[i] = g->first[i];
    for (int j = 0; j < n; j++) {  // rows above j are there when j is reached
        for (int e = first[j]; e < first[j + 1]; e++)
            if (row[e] != j) g->next[at[j]++] = row[e];
        for (int e = first[j]; e < first[j + 1]; e++)
            if (row[e] != j) g->next[at[row[e]]++] = j;
    }
    return true;
}

// do i and i - 1 have the same neighbours, each other among them?
static bool is_twin(const graph *g, int i, const int *mark) {
    if (g->first[i + 1] - g->first[i] != g->first[i] - g->first[i - 1]) return false;
    bool touch = false;
    for (int e = g->first[i - 1]; e < g->first[i]; e++) {
        int j = g->next[e];
        if (j != i && mark[j] != i) return false;
        touch |= j == i;
    }
    return touch;
}

// twins in a row, as the unknowns of a node are, become one vertex
static bool compress(const graph *g, scree_arena *arena, int *number, graph *small) {
    int n = 0, *mark = SCREE_NEW(arena, int, g->n);
    if (!mark) return false;
    for (int i = 0; i < g->n; i++) mark[i] = -1;
    for (int i = 0; i < g->n; i++) {
        for (int e = g->first[i]; e < g->first[i + 1]; e++) mark[g->next[e]] = i;
        number[i] = i > 0 && is_twin(g, i, mark) ? n - 1 : n++;
    }
    if (!new_graph(arena, n, g->first[g->n], small)) return false;
    for (int k = 0; k < n; k++) mark[k] = -1;
    for (int i = 0, end = 0; i < g->n; i++) {
        int k = number[i];
        if (small->weight[k]++ > 0) continue;
        for (int e = g->first[i]; e < g->first[i + 1]; e++) {
            int to = number[g->next[e]];
            if (to == k || mark[to] == k) continue;
            mark[to] = k;
            small->next[end] = to;
            small->strength[end++] = 1;
        }
        small->first[k + 1] = end;
    }
    return true;
}

static bool order_all(int n, const int *first, const int *row, scree_arena *arena, dissection *now,
                      int *order) {
    graph all, g;
    int *number = SCREE_NEW(arena, int, n), *set = SCREE_NEW(arena, int, n);
    if (!number || !set || !mirror(n, first, row, arena, &all) ||
        !compress(&all, arena, number, &g))
        return false;
    int *name = SCREE_NEW(arena, int, g.n);
    now->of = SCREE_NEW(arena, int, g.n);
    if (!name || !now->of) return false;
    for (int k = 0; k < g.n; k++) name[k] = k;
    if (!dissect(now, &g, name)) return false;
    for (int i = 0; i < n; i++) set[i] = now->of[number[i]];
    return camd_order(n, first, row, order, NULL, NULL, set) >= 0;
}

bool scree_nested_dissection_order(int n, const int *first, const int *row, int *order) {
    scree_arena arena = { 0 };
    dissection now = { 0 };
    bool fine = order_all(n, first, row, &arena, &now, order);
    scree_arena_free(&now.arena);
    scree_arena_free(&arena);
    return fine;
}
