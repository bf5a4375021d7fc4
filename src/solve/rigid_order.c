// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid_order.c - which contact stands where.
// in: the pairs of bodies, positions.   out: lines, slots, chunks, colours.
//
// Bodies are sorted along a Morton curve of cells that the bulk of them sets. A contact belongs to
// the first of its bodies; a chunk is a stretch of the curve with its contacts. Two chunks conflict
// when contacts of both move one body, and colours separate them. Within a chunk a contact goes to
// the first of 64 open batches that has room and none of its bodies.

#include "solve/rigid_order.h"

#include <math.h>
#include <string.h>

enum {
    CHUNKS = 64,  // wanted, for threads,
    LEAST = 512,
    MOST = 4096,     // but with that many contacts each: a few batches, half a cache
    RADIX = 11,      // bits that codes are sorted by at a time
    SAMPLE = 1024,   // bodies that say where the middle is
    FINE = 1 << 12,  // cells between the first and the last quarter of them
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

// two zeros between any two of 21 bits
static uint64_t spread(uint64_t x) {
    x = (x | x << 32) & 0x001f00000000ffff;
    x = (x | x << 16) & 0x001f0000ff0000ff;
    x = (x | x << 8) & 0x100f00f00f00f00f;
    x = (x | x << 4) & 0x10c30c30c30c30c3;
    return (x | x << 2) & 0x1249249249249249;
}

// The cells of the curve: where the middle body is, and how far apart the quarters are, by a
// sample. Bodies far away have no say in it.
typedef struct cells {
    double middle[3], scale;  // cells per length
} cells;

// x[k] as if x were sorted; x is stirred. Those before `from` are known to be no larger than the
// others.
static double pick(double *x, int count, int k, int from) {
    for (int low = from, high = count - 1; low < high;) {
        double pivot = x[low + (high - low) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (x[i] < pivot) i++;
            while (x[j] > pivot) j--;
            if (i > j) break;
            double swap = x[i];
            x[i++] = x[j];
            x[j--] = swap;
        }
        if (k > j && k < i) break;
        if (k <= j)
            high = j;
        else
            low = i;
    }
    return x[k];
}

static cells find_cells(const double *position, const int *body, int moving) {
    cells found = { 0 };
    double x[SAMPLE], size = 0;
    int step = moving / SAMPLE + 1, count = (moving + step - 1) / step;
    for (size_t e = 0; e < 3 && position && count > 0; e++) {
        for (int i = 0; i < count; i++) x[i] = position[3 * (size_t)body[i * step] + e];
        double low = pick(x, count, count / 4, 0);
        found.middle[e] = pick(x, count, count / 2, count / 4);
        size = fmax(size, pick(x, count, 3 * count / 4, count / 2) - low);
    }
    found.scale = size > 0 ? FINE / size : 0;
    return found;
}

static uint64_t morton(const double *x, const cells *grid) {
    const double most = (1 << 21) - 1, half = 1 << 20;
    uint64_t code = 0;
    for (int e = 0; e < 3; e++) {
        double cell = (x[e] - grid->middle[e]) * grid->scale + half;
        code |= spread((uint64_t)fmin(fmax(cell, 0), most)) << e;
    }
    return code;
}

typedef struct coded {
    uint64_t code;
    int body;
} coded;

// by code, digit by digit, so that equal codes keep their order; digits that all share are skipped
static coded *sort_codes(int count, coded *from, coded *to) {
    for (int shift = 0; shift < 63; shift += RADIX) {
        const uint64_t mask = (1 << RADIX) - 1;
        int first[(1 << RADIX) + 1] = { 0 };
        for (int i = 0; i < count; i++) first[(from[i].code >> shift & mask) + 1]++;
        if (first[(from[0].code >> shift & mask) + 1] == count) continue;
        for (int i = 0; i < 1 << RADIX; i++) first[i + 1] += first[i];
        for (int i = 0; i < count; i++) to[first[from[i].code >> shift & mask]++] = from[i];
        coded *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

// Bodies without contacts have no line: nothing moves them.
static bool order_bodies(const work *job, scree_rigid_order *order, scree_arena *arena) {
    const scree_bodies *bodies = job->bodies;
    int *body = SCREE_NEW(arena, int, bodies->rigid);
    if (!body) return false;
    for (int i = 0; i < bodies->rigid; i++) {
        order->line_of[i] = -1;
        if (job->moves[i] && job->degree[i] > 0) body[order->moving++] = i;
    }
    int moving = order->moving;
    cells grid = find_cells(bodies->position, body, moving);
    coded *code = SCREE_NEW(arena, coded, moving), *other = SCREE_NEW(arena, coded, moving);
    if (!code || !other) return false;
    for (int i = 0; i < moving; i++) {
        code[i].body = body[i];
        if (grid.scale > 0) code[i].code = morton(bodies->position + 3 * (size_t)body[i], &grid);
    }
    if (moving > 0) code = sort_codes(moving, code, other);
    for (int i = 0; i < moving; i++) order->line_of[code[i].body] = i;
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
