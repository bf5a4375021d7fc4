// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid_order.c - which contact stands where.
// in: the pairs of bodies, positions.   out: lines, slots, chunks, colours.
//
// Bodies are sorted along a Morton curve. A contact belongs to the first of its bodies; a chunk is
// a stretch of the curve with its contacts. Two chunks conflict when contacts of both move one
// body, and colours separate them. Within a chunk a contact goes to the first of 64 open batches
// that has room and none of its bodies.

#include "solve/rigid_order.h"

#include <math.h>
#include <string.h>

enum {
    CHUNKS = 64,  // wanted, for threads,
    LEAST = 512,
    MOST = 4096,  // but with that many contacts each: a few batches, half a cache
    RADIX = 11,
    DIGITS = 3,  // of the sorting of Morton codes: ten bits of each coordinate
};

typedef struct work {  // what is only needed until the order is found
    const scree_bodies *bodies;
    int total;  // contacts of the problem
    const bool *moves;
    int *degree;       // contacts of a body                                          (nb)
    int *first;        // first contact of a line in by_line                          (moving + 1)
    int *by_line;      // contacts sorted by the line they belong to                  (nc)
    int hub_contacts;  // at the end of by_line
    int most;          // contacts of a body that is no hub yet
    int contacts;      // of a chunk, about
    int *home;         // chunk of a line                                             (moving)
    int *chunk_line;   // first line of a chunk, in the order of the curve            (chunks + 1)
    int *visitor_first, *visitor;  // chunks that move a line of another chunk
    int *colour_of;  // of a chunk                                                  (chunks)
} work;

static bool is_hub(const work *job, int body) { return job->degree[body] > job->most; }

static int line_of(const work *job, const scree_rigid_order *order, int body) {
    return body >= 0 && job->moves[body] && !is_hub(job, body) ? order->line_of[body] : -1;
}

// -------------------------------------------------------------------------------------------------
// bodies along the curve

static void count_degrees(work *job) {
    const int *body = job->bodies->body;
    for (size_t i = 0; i < 2 * (size_t)job->total; i++)
        if (body[i] >= 0) job->degree[body[i]]++;
}

// two zeros between any two of ten bits
static uint32_t spread(uint32_t x) {
    x = (x | x << 16) & 0x030000ff;
    x = (x | x << 8) & 0x0300f00f;
    x = (x | x << 4) & 0x030c30c3;
    return (x | x << 2) & 0x09249249;
}

static void find_box(const work *job, double low[3], double *size) {
    double high[3];
    for (int e = 0; e < 3; e++) low[e] = HUGE_VAL, high[e] = -HUGE_VAL;
    for (int i = 0; i < job->bodies->rigid; i++)
        for (int e = 0; e < 3 && job->moves[i]; e++) {
            low[e] = fmin(low[e], job->bodies->position[3 * (size_t)i + e]);
            high[e] = fmax(high[e], job->bodies->position[3 * (size_t)i + e]);
        }
    *size = fmax(high[0] - low[0], fmax(high[1] - low[1], high[2] - low[2]));
}

static uint32_t morton(const double *x, const double *low, double scale) {
    uint32_t code = 0;
    for (int e = 0; e < 3; e++) {
        double cell = (x[e] - low[e]) * scale;
        code |= spread(cell > 0 ? (uint32_t)fmin(cell, 1023) : 0) << e;
    }
    return code;
}

// body (moving) in the order of code; sorted digit by digit, so equal codes keep their order
static bool sort_bodies(int moving, uint32_t *code, int **body, scree_arena *arena) {
    uint32_t *other_code = SCREE_NEW(arena, uint32_t, moving);
    int *other = SCREE_NEW(arena, int, moving), *from = *body;
    if (!other_code || !other) return false;
    for (int digit = 0; digit < DIGITS; digit++) {
        int count[(1 << RADIX) + 1] = { 0 }, shift = digit * RADIX;
        for (int i = 0; i < moving; i++) count[(code[i] >> shift & ((1 << RADIX) - 1)) + 1]++;
        for (int i = 0; i < 1 << RADIX; i++) count[i + 1] += count[i];
        for (int i = 0; i < moving; i++) {
            int to = count[code[i] >> shift & ((1 << RADIX) - 1)]++;
            other[to] = from[i];
            other_code[to] = code[i];
        }
        int *body_swap = from;
        uint32_t *code_swap = code;
        from = other;
        code = other_code;
        other = body_swap;
        other_code = code_swap;
    }
    *body = from;
    return true;
}

static bool order_bodies(const work *job, scree_rigid_order *order, scree_arena *arena) {
    const scree_bodies *bodies = job->bodies;
    int *body = SCREE_NEW(arena, int, bodies->rigid);
    uint32_t *code = SCREE_NEW(arena, uint32_t, bodies->rigid);
    if (!body || !code) return false;
    double low[3] = { 0 }, size = 0;
    if (bodies->position) find_box(job, low, &size);
    double scale = size > 0 ? 1023 / size : 0;
    for (int i = 0; i < bodies->rigid; i++) {
        order->line_of[i] = -1;
        if (!job->moves[i]) continue;
        if (scale > 0) code[order->moving] = morton(bodies->position + 3 * (size_t)i, low, scale);
        body[order->moving++] = i;
    }
    if (scale > 0 && !sort_bodies(order->moving, code, &body, arena)) return false;
    for (int i = 0; i < order->moving; i++) order->line_of[body[i]] = i;
    return true;
}

// -------------------------------------------------------------------------------------------------
// contacts to chunks, chunks to colours

// the line a contact belongs to; those of hubs come after all others
static int owner(const work *job, const scree_rigid_order *order, int contact) {
    const int *body = job->bodies->body + 2 * (size_t)contact;
    int a = line_of(job, order, body[0]), b = line_of(job, order, body[1]);
    for (int side = 0; side < 2; side++)
        if (body[side] >= 0 && job->moves[body[side]] && is_hub(job, body[side]))
            return order->moving;
    return a < 0 ? b : b < 0 ? a : a < b ? a : b;
}

static void sort_contacts(work *job, const scree_rigid_order *order) {
    int nc = job->total, moving = order->moving;
    for (int c = 0; c < nc; c++) job->first[owner(job, order, c) + 1]++;
    job->hub_contacts = job->first[moving + 1];
    for (int i = 0; i <= moving; i++) job->first[i + 1] += job->first[i];
    for (int c = 0; c < nc; c++) job->by_line[job->first[owner(job, order, c)]++] = c;
    memmove(job->first + 1, job->first, (size_t)(moving + 1) * sizeof *job->first);
    job->first[0] = 0;
}

static int cut_chunks(work *job, const scree_rigid_order *order) {
    int chunks = 0, contacts = 0;
    for (int line = 0; line < order->moving; line++) {
        int more = job->first[line + 1] - job->first[line];
        if (chunks == 0 || contacts + more > job->contacts) {
            job->chunk_line[chunks++] = line;
            contacts = 0;
        }
        contacts += more;
        job->home[line] = chunks - 1;
    }
    job->chunk_line[chunks] = order->moving;
    return chunks;
}

// call act for each line of another chunk that a contact of a chunk moves
typedef void visit_action(work *job, int line, int chunk);

static void count_visit(work *job, int line, int chunk) {
    (void)chunk;
    job->visitor_first[line + 1]++;
}

static void note_visit(work *job, int line, int chunk) {
    job->visitor[job->visitor_first[line]++] = chunk;
}

static void visit(work *job, const scree_rigid_order *order, visit_action *act) {
    int ordinary = job->total - job->hub_contacts;
    for (int at = 0; at < ordinary; at++) {
        const int *body = job->bodies->body + 2 * (size_t)job->by_line[at];
        int a = line_of(job, order, body[0]), b = line_of(job, order, body[1]);
        if (a < 0 || b < 0 || job->home[a] == job->home[b]) continue;
        act(job, a > b ? a : b, job->home[a < b ? a : b]);
    }
}

static bool find_visitors(work *job, const scree_rigid_order *order, scree_arena *arena) {
    job->visitor_first = SCREE_NEW(arena, int, order->moving + 2);
    if (!job->visitor_first) return false;
    visit(job, order, count_visit);
    for (int i = 0; i < order->moving; i++) job->visitor_first[i + 1] += job->visitor_first[i];
    job->visitor = SCREE_NEW(arena, int, job->visitor_first[order->moving]);
    if (!job->visitor) return false;
    visit(job, order, note_visit);
    memmove(job->visitor_first + 1, job->visitor_first,
            (size_t)order->moving * sizeof *job->visitor_first);
    job->visitor_first[0] = 0;
    return true;
}

// colours of the chunks before this one that also move this line
static void forbid(const work *job, int line, int chunk, int *taken) {
    for (int at = job->visitor_first[line]; at < job->visitor_first[line + 1]; at++)
        if (job->visitor[at] < chunk) taken[job->colour_of[job->visitor[at]]] = chunk;
}

// the lowest colour that no chunk in conflict has; returns the number of colours
static int colour_chunks(work *job, const scree_rigid_order *order, int chunks, int *taken) {
    int colours = 0;
    for (int i = 0; i < chunks; i++) taken[i] = -1;
    for (int c = 0; c < chunks; c++) {
        int from = job->chunk_line[c], to = job->chunk_line[c + 1];
        for (int line = from; line < to; line++) forbid(job, line, c, taken);
        for (int at = job->first[from]; at < job->first[to]; at++) {
            const int *body = job->bodies->body + 2 * (size_t)job->by_line[at];
            for (int side = 0; side < 2; side++) {
                int line = line_of(job, order, body[side]);
                if (line >= to) forbid(job, line, c, taken);
            }
        }
        int colour = 0;
        while (taken[colour] == c) colour++;
        job->colour_of[c] = colour;
        if (colour + 1 > colours) colours = colour + 1;
    }
    return colours;
}

// -------------------------------------------------------------------------------------------------
// batches

typedef struct window {    // the 64 batches from base on that are open
    int base, end;         // end: one beyond the last batch in use
    uint64_t full;         // bit k: batch base + k has no room
    unsigned char *count;  // contacts of a batch (nc + 64)
    uint64_t *busy;        // of a line: bit k: batch since[line] + k has it
    int *since;
} window;

static void advance(window *w) {
    w->base++;
    w->full >>= 1;
}

static uint64_t busy(window *w, int line) {
    if (line < 0) return 0;
    int passed = w->base - w->since[line];
    w->busy[line] = passed < 64 ? w->busy[line] >> passed : 0;
    w->since[line] = w->base;
    return w->busy[line];
}

static int place(window *w, int a, int b) {
    uint64_t taken = busy(w, a) | busy(w, b) | w->full;
    while (!~taken) {
        advance(w);
        taken = busy(w, a) | busy(w, b) | w->full;
    }
    int k = __builtin_ctzll(~taken), batch = w->base + k;
    if (a >= 0) w->busy[a] |= (uint64_t)1 << k;
    if (b >= 0) w->busy[b] |= (uint64_t)1 << k;
    int slot = 8 * batch + w->count[batch]++;
    if (w->count[batch] == 8) w->full |= (uint64_t)1 << k;
    if (batch + 1 > w->end) w->end = batch + 1;
    while (w->full & 1) advance(w);
    return slot;
}

static void fill_chunk(const work *job, scree_rigid_order *order, int chunk, window *w) {
    w->base = w->end;
    w->full = 0;
    int to = job->first[job->chunk_line[chunk + 1]];
    for (int at = job->first[job->chunk_line[chunk]]; at < to; at++) {
        int c = job->by_line[at];
        const int *body = job->bodies->body + 2 * (size_t)c;
        order->slot[c] = place(w, line_of(job, order, body[0]), line_of(job, order, body[1]));
    }
}

// the contacts of hubs in their order, eight to a batch although they share bodies
static void fill_hubs(const work *job, scree_rigid_order *order, int first_batch) {
    int ordinary = job->total - job->hub_contacts;
    for (int i = 0; i < job->hub_contacts; i++)
        order->slot[job->by_line[ordinary + i]] = 8 * first_batch + i;
    order->batches = first_batch + (job->hub_contacts + 7) / 8;
}

static bool fill_batches(work *job, scree_rigid_order *order, int chunks, scree_arena *arena) {
    window w = { .count = SCREE_NEW(arena, unsigned char, job->total + 64),
                 .busy = SCREE_NEW(arena, uint64_t, order->moving),
                 .since = SCREE_NEW(arena, int, order->moving) };
    if (!w.count || !w.busy || !w.since) return false;
    int done = 0;
    for (int colour = 0; colour < order->colours; colour++) {
        order->colour[colour] = done;
        for (int c = 0; c < chunks; c++) {
            if (job->colour_of[c] != colour) continue;
            order->chunk[done++] = w.end;
            fill_chunk(job, order, c, &w);
        }
    }
    order->colour[order->colours] = done;
    order->chunk[done] = w.end;
    fill_hubs(job, order, w.end);
    order->chunks = done + 1;
    order->chunk[done + 1] = order->batches;
    return true;
}

// -------------------------------------------------------------------------------------------------

static bool find(work *job, scree_rigid_order *order, scree_arena *arena) {
    int nc = job->total, nb = job->bodies->rigid;
    job->contacts = nc / CHUNKS < LEAST ? LEAST : nc / CHUNKS > MOST ? MOST : nc / CHUNKS;
    job->most = job->contacts / 8;
    job->degree = SCREE_NEW(arena, int, nb);
    order->line_of = SCREE_NEW(arena, int, nb);
    order->slot = SCREE_NEW(arena, int, nc);
    if (!job->degree || !order->line_of || !order->slot) return false;
    count_degrees(job);
    if (!order_bodies(job, order, arena)) return false;

    job->first = SCREE_NEW(arena, int, order->moving + 3);
    job->by_line = SCREE_NEW(arena, int, nc);
    job->home = SCREE_NEW(arena, int, order->moving);
    job->chunk_line = SCREE_NEW(arena, int, order->moving + 2);
    if (!job->first || !job->by_line || !job->home || !job->chunk_line) return false;
    sort_contacts(job, order);
    int chunks = cut_chunks(job, order);

    int *taken = SCREE_NEW(arena, int, chunks + 1);
    job->colour_of = SCREE_NEW(arena, int, chunks + 1);
    if (!taken || !job->colour_of || !find_visitors(job, order, arena)) return false;
    order->colours = colour_chunks(job, order, chunks, taken);

    order->chunk = SCREE_NEW(arena, int, chunks + 2);
    order->colour = SCREE_NEW(arena, int, order->colours + 1);
    if (!order->chunk || !order->colour) return false;
    return fill_batches(job, order, chunks, arena);
}

bool scree_rigid_order_find(const scree_problem *problem, const bool *moves, scree_arena *arena,
                            scree_rigid_order *order) {
    work job = { .bodies = problem->bodies, .total = problem->contacts, .moves = moves };
    *order = (scree_rigid_order){ 0 };
    return find(&job, order, arena);
}
