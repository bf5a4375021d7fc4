// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// grid.c - a hierarchical grid (Ogarko and Luding's idea) on sorted cells instead of a hash.
//
// Boxes of like size share a level, whose cells are as large as its largest box. A box is filed
// under the cell of its low corner; sorted by cells, row after row along x, a level is one list
// with neighbours close to each other. A box looks through the rows that can hold partners: on its
// own level those behind it in the list, on coarser levels all. As boxes come in order, so do the
// rows, and each is found from where the one before was.
//
// Nothing here has a tolerance: the cell of a coordinate, (x - origin) scale rounded down, is a
// monotone function whatever the rounding, so boxes that overlap have cells that do. A first test
// on 20 bits per coordinate, three coordinates in a word, modulo 2^20, leaves few pairs for the
// exact test.

#include "collide/grid.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
    QUANTA = 64,          // of a coordinate in a cell
    CELL = 6,             // bits of it
    CELL_X = 4,           // cells are narrower along x, where more of them cost nothing
    FIELD = 21,           // bits for a coordinate in a packed word: 20 and a guard
    CLASSES = 2048,       // binary orders of magnitude of a double
    FINEST = 44,          // levels below the extent of everything
    LEVELS = FINEST + 8,  // at most
    SLICE = 4,            // cells are at least this part of the level's largest extent
    WINDOW = 8,           // rows that a box can reach in y and in z
    DIGIT = 11,           // bits of a radix sort's digit, at most
    CHUNK = 4,            // slots tested at once
    LAG = 2,              // slots that a cursor may lag behind
    PAD = CHUNK + LAG,    // empty slots behind a level
    CANDIDATES = 248,     // noted before they are tested
};

static const uint64_t guards = 1ull << 20 | 1ull << 41 | 1ull << 62;
static const uint64_t signs = 1ull << 19 | 1ull << 40 | 1ull << 61;

typedef struct slot {
    uint64_t key;        // z, y and x of the cell
    uint64_t low, high;  // quanta of the corners, packed
} slot;

typedef struct filed {  // the box of a slot
    double low[3], high[3];
    int number, owner;
} filed;

typedef struct level {
    int first, count;  // slots
    double scale[3];   // quanta per length
    int bits[3];       // of a cell's coordinates in the key
    bool folded[3];    // more cells than that
    int span[3];       // most cells that a box reaches beyond its first
} level;

typedef struct class {
    int count, level;
    double extent[3];        // largest
    double low[3], high[3];  // of all
} class;

struct scree_grid {
    int space, number_bits;
    double origin[3], width[3];  // of everything
    int levels;
    level level[LEVELS];  // coarse ones first
    class class[CLASSES];
    int lowest, highest;     // classes in use
    unsigned short *order;   // class of each member    (members)
    uint64_t *word, *spare;  // key and number          (members)
    slot *slot;              //                         (members)
    filed *filed;            //                         (members)
};

scree_grid *scree_grid_new(int members, int numbers, int space) {
    size_t n = (size_t)members + LEVELS * PAD;
    scree_grid *grid = calloc(1, sizeof *grid);
    if (!grid) return NULL;
    grid->space = space;
    while (numbers >> grid->number_bits > 0) grid->number_bits++;
    grid->order = calloc(n, sizeof *grid->order);
    grid->word = calloc(n, sizeof *grid->word);
    grid->spare = calloc(n, sizeof *grid->spare);
    grid->slot = calloc(n, sizeof *grid->slot);
    grid->filed = calloc(n, sizeof *grid->filed);
    if (grid->order && grid->word && grid->spare && grid->slot && grid->filed) return grid;
    scree_grid_free(grid);
    return NULL;
}

void scree_grid_free(scree_grid *grid) {
    if (!grid) return;
    free(grid->order);
    free(grid->word);
    free(grid->spare);
    free(grid->slot);
    free(grid->filed);
    free(grid);
}

// -------------------------------------------------------------------------------------------------
// levels

static int exponent_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (int)(bits >> 52 & (CLASSES - 1));
}

/// Sort the members into classes of size.
static void classify(scree_grid *grid, const scree_aabb *box, const int *member, int members) {
    grid->lowest = CLASSES - 1;
    grid->highest = 0;
    for (int m = 0; m < members; m++) {
        const scree_aabb *b = &box[member[m]];
        double extent[3] = { 0 }, most = 0;
        for (int d = 0; d < grid->space; d++) {
            extent[d] = b->high[d] - b->low[d];
            if (extent[d] > most) most = extent[d];
        }
        int order = exponent_of(most);
        class *c = &grid->class[order];
        bool first = c->count++ == 0;
        for (int d = 0; d < grid->space; d++) {
            if (extent[d] > c->extent[d]) c->extent[d] = extent[d];
            if (first || b->low[d] < c->low[d]) c->low[d] = b->low[d];
            if (first || b->high[d] > c->high[d]) c->high[d] = b->high[d];
        }
        if (order < grid->lowest) grid->lowest = order;
        if (order > grid->highest) grid->highest = order;
        grid->order[m] = (unsigned short)order;
    }
}

/// The extent of everything in the classes up to `from`.
static void measure(scree_grid *grid, int from) {
    const class *c = &grid->class[from];
    double low[3], high[3];
    memcpy(low, c->low, sizeof low);
    memcpy(high, c->high, sizeof high);
    for (c--; c >= &grid->class[grid->lowest]; c--) {
        if (!c->count) continue;
        for (int d = 0; d < 3; d++) {
            low[d] = fmin(low[d], c->low[d]);
            high[d] = fmax(high[d], c->high[d]);
        }
    }
    for (int d = 0; d < 3; d++) {
        grid->origin[d] = low[d];
        grid->width[d] = high[d] - low[d];
    }
}

static double largest(const double x[3]) { return fmax(x[0], fmax(x[1], x[2])); }

static int bits_of(double cells) {
    int bits = 0;
    while (bits < 62 && cells >= (double)(1ull << bits)) bits++;
    return bits;
}

/// Cells for boxes up to the given extents.
static void lay_out(const scree_grid *grid, const double extent[3], level *l) {
    double least = fmax(largest(extent) / SLICE, largest(grid->width) * ldexp(1, -FINEST));
    int total = 0;
    for (int d = 0; d < 3; d++) {
        double cell = fmax(extent[d], least);
        l->scale[d] = cell > 0 ? fmin(QUANTA / cell, DBL_MAX) : 0;
        double cells = grid->width[d] * l->scale[d] / (d ? 1 << CELL : 1 << CELL_X);
        l->bits[d] = bits_of(cells);
        total += l->bits[d];
    }
    // the key shares a word with the number of its box
    for (; total > 64 - grid->number_bits; total--) {
        int d = l->bits[1] > l->bits[0] ? 1 : 0;
        if (l->bits[2] > l->bits[d]) d = 2;
        l->bits[d]--;
        l->folded[d] = true;
    }
}

/// Do boxes of a finer class join the level of larger ones? That saves looking through two levels,
/// but puts more boxes into a cell.
static bool joins(double extent, int count, double finer, int finer_count) {
    return extent <= 1.5 * finer || (extent <= 3 * finer && finer_count <= 2 * count);
}

/// From coarse to fine, gather classes into levels; those before `from` are left out.
static void make_levels(scree_grid *grid, int from) {
    int floor_class = exponent_of(largest(grid->width) * ldexp(1, -FINEST)), slots = 0;
    for (int c = from; c >= grid->lowest;) {
        double extent[3];
        memcpy(extent, grid->class[c].extent, sizeof extent);
        level l = { .first = slots };
        do {
            class *own = &grid->class[c];
            own->level = grid->levels;
            l.count += own->count;
            for (int d = 0; d < 3; d++) extent[d] = fmax(extent[d], own->extent[d]);
            for (c--; c >= grid->lowest && !grid->class[c].count; c--) continue;
        } while (c >= grid->lowest &&
                 (c < floor_class || joins(largest(extent), l.count, largest(grid->class[c].extent),
                                           grid->class[c].count)));
        lay_out(grid, extent, &l);
        grid->level[grid->levels++] = l;
        slots += l.count + PAD;
    }
}

// -------------------------------------------------------------------------------------------------
// filing

static int64_t quantum(const scree_grid *grid, const level *l, double x, int d) {
    return (int64_t)((x - grid->origin[d]) * l->scale[d]);
}

static int64_t cell_of(int64_t quantum, int d) { return quantum >> (d ? CELL : CELL_X); }

/// A coordinate in the bits there are for it. Each further round is shifted by another amount, or
/// boxes on a sparse lattice might all meet in one cell.
static uint64_t fold(const level *l, int64_t cell, int d) {
    if (!l->folded[d]) return (uint64_t)cell;
    int bits = l->bits[d];
    uint64_t round = (uint64_t)cell >> bits, mask = (1ull << bits) - 1;
    uint64_t shift = (0x9e3779b97f4a7c15u >> (64 - bits)) | 1;
    return ((uint64_t)cell + round * shift) & mask;
}

static uint64_t key_of(const level *l, uint64_t x, uint64_t y, uint64_t z) {
    return (z << l->bits[1] | y) << l->bits[0] | x;
}

/// Sort words by the bits from `from` on; returns the array where they end up.
static uint64_t *sort_words(uint64_t *word, uint64_t *spare, int count, int from, int bits) {
    if (count <= 32) {
        for (int i = 1; i < count; i++) {
            uint64_t value = word[i];
            int at = i;
            for (; at > 0 && word[at - 1] > value; at--) word[at] = word[at - 1];
            word[at] = value;
        }
        return word;
    }
    int most = count < 4096 ? 8 : DIGIT, passes = (bits + most - 1) / most;
    int digit = passes ? (bits + passes - 1) / passes : 0;
    for (int pass = 0; pass < passes; pass++) {
        unsigned start[1 << DIGIT] = { 0 }, sum = 0, mask = (1u << digit) - 1;
        int shift = from + pass * digit;
        for (int i = 0; i < count; i++) start[word[i] >> shift & mask]++;
        for (unsigned k = 0; k <= mask; k++) {
            unsigned here = start[k];
            start[k] = sum;
            sum += here;
        }
        for (int i = 0; i < count; i++) spare[start[word[i] >> shift & mask]++] = word[i];
        uint64_t *swap = word;
        word = spare;
        spare = swap;
    }
    return word;
}

/// Write the members of each level with their keys into its part of the words.
static void mark(scree_grid *grid, const scree_aabb *box, const int *member, int members,
                 int from) {
    int used[LEVELS];
    for (int k = 0; k < grid->levels; k++) used[k] = grid->level[k].first;
    for (int m = 0; m < members; m++) {
        if (grid->order[m] > from) continue;
        int k = grid->class[grid->order[m]].level, number = member[m];
        const level *l = &grid->level[k];
        uint64_t part[3] = { 0 };
        for (int d = 0; d < grid->space; d++)
            part[d] = fold(l, cell_of(quantum(grid, l, box[number].low[d], d), d), d);
        grid->word[used[k]++] =
            key_of(l, part[0], part[1], part[2]) << grid->number_bits | (unsigned)number;
    }
}

static void file_box(const scree_grid *grid, const scree_aabb *box, level *l, slot *s, filed *f) {
    s->low = s->high = 0;
    for (int d = 0; d < grid->space; d++) {
        f->low[d] = box->low[d];
        f->high[d] = box->high[d];
        int64_t low = quantum(grid, l, f->low[d], d), high = quantum(grid, l, f->high[d], d);
        int span = (int)(cell_of(high, d) - cell_of(low, d));
        if (span > l->span[d]) l->span[d] = span;
        s->low |= ((uint64_t)low & 0xfffff) << (FIELD * d);
        s->high |= ((uint64_t)high & 0xfffff) << (FIELD * d);
    }
}

static void file_level(scree_grid *grid, const scree_aabb *box, const int *owner, level *l) {
    int bits = l->bits[0] + l->bits[1] + l->bits[2];
    const uint64_t *word = sort_words(grid->word + l->first, grid->spare + l->first, l->count,
                                      grid->number_bits, bits);
    uint64_t mask = (1ull << grid->number_bits) - 1;
    for (int i = 0; i < l->count; i++) {
        slot *s = &grid->slot[l->first + i];
        filed *f = &grid->filed[l->first + i];
        // boxes come in any order from memory: ask early
        if (i + 8 < l->count) __builtin_prefetch(&box[word[i + 8] & mask]);
        f->number = (int)(word[i] & mask);
        f->owner = owner[f->number];
        s->key = word[i] >> grid->number_bits;
        file_box(grid, &box[f->number], l, s, f);
    }
    for (int i = 0; i < PAD; i++) grid->slot[l->first + l->count + i].key = UINT64_MAX;
}

// -------------------------------------------------------------------------------------------------
// searching

typedef struct search {
    const scree_grid *grid;
    const level *level;  // looked through
    const slot *slot;    // its slots
    const filed *filed;
    scree_pairs *pairs;
    int cursor[WINDOW * WINDOW];  // where each row of the window was found last
    int64_t first[3], last[3];    // cells of the box that looks
    uint64_t low, high;
    const filed *box;
    int candidates;
    int candidate[CANDIDATES + CHUNK];  // slots that passed the first test
} search;

/// Open the window of a box.
static void open_window(search *s, const filed *box) {
    s->box = box;
    s->low = s->high = 0;
    for (int d = 0; d < s->grid->space; d++) {
        int64_t low = quantum(s->grid, s->level, box->low[d], d);
        int64_t high = quantum(s->grid, s->level, box->high[d], d);
        s->first[d] = cell_of(low, d);
        s->last[d] = cell_of(high, d);
        s->low |= ((uint64_t)low & 0xfffff) << (FIELD * d);
        s->high |= ((uint64_t)high & 0xfffff) << (FIELD * d);
    }
    s->high |= guards;
}

/// The exact test. Nothing here branches on its outcome, which no processor foresees.
static void test_candidates(search *s) {
    filed box = *s->box;
    if (!scree_pairs_reserve(s->pairs, (size_t)s->candidates)) return;
    for (int k = 0; k < s->candidates; k++) {
        const filed *other = &s->filed[s->candidate[k]];
        int apart = (box.owner == other->owner) | (box.low[0] > other->high[0]) |
                    (other->low[0] > box.high[0]) | (box.low[1] > other->high[1]) |
                    (other->low[1] > box.high[1]) | (box.low[2] > other->high[2]) |
                    (other->low[2] > box.high[2]);
        scree_pairs_put(s->pairs, box.number, other->number, !apart);
    }
    s->candidates = 0;
}

/// Note the slots from `at` on with keys from first to last that pass the first test.
static inline void scan(search *s, int at, uint64_t first, uint64_t last) {
    const uint64_t low = s->low, high = s->high, width = last - first;
    const slot *other = s->slot + at;
    do {
        int *candidate = s->candidate + s->candidates;
        for (int k = 0; k < CHUNK; k++, other++) {
            uint64_t apart = ((high - other->low) | ((other->high | guards) - low)) & signs;
            *candidate = at + k;
            candidate += (apart == 0) & (other->key - first <= width);
        }
        s->candidates = (int)(candidate - s->candidate);
        if (s->candidates >= CANDIDATES) test_candidates(s);
        at += CHUNK;
    } while (other->key <= last);
}

/// The first slot whose key is not smaller, searched for in growing steps from `at`.
static int seek(const search *s, int at, uint64_t key) {
    const slot *list = s->slot;
    int count = s->level->count, below, above, step = 1;  // key of below < key <= key of above
    if (at < count && list[at].key < key) {
        for (below = at; (above = below + step) < count && list[above].key < key; step *= 2)
            below = above;
        if (above > count) above = count;
    } else {
        for (above = at; (below = above - step) >= 0 && list[below].key >= key; step *= 2)
            above = below;
        if (below < 0) below = -1;
    }
    while (above - below > 1) {
        int middle = below + (above - below) / 2;
        if (list[middle].key < key)
            below = middle;
        else
            above = middle;
    }
    return above;
}

/// Look through the cells of a row between two keys. The cursor follows without branches while the
/// rows come in order, and may lag behind by a few slots.
static void scan_cells(search *s, uint64_t first, uint64_t last, int *cursor) {
    const slot *list = s->slot;
    int at = *cursor;
    at += list[at].key < first;
    at += list[at].key < first;
    if (list[at + LAG].key < first || (at > 0 && list[at - 1].key >= first))
        at = seek(s, at, first);
    *cursor = at;
    scan(s, at, first, last);
}

/// Look through the cells of row (y, z) from `first` to the last that the box reaches.
static void scan_row(search *s, int64_t y, int64_t z, int64_t first, int *cursor) {
    const level *l = s->level;
    uint64_t row = key_of(l, 0, fold(l, y, 1), fold(l, z, 2));
    int64_t last = s->last[0];
    if (first < 0) first = 0;
    if (!l->folded[0]) {
        scan_cells(s, row | (uint64_t)first, row | (uint64_t)last, cursor);
        return;
    }
    // piece by piece up to where the row is folded
    for (int64_t end; first <= last; first = end + 1) {
        end = first | (((int64_t)1 << l->bits[0]) - 1);
        if (end > last) end = last;
        scan_cells(s, row | fold(l, first, 0), row | fold(l, end, 0), cursor);
    }
}

/// The rest of the own row, from slot `at` on.
static void scan_rest_of_row(search *s, int at) {
    const level *l = s->level;
    int64_t last = s->last[0], end = last;
    if (l->folded[0]) end = s->first[0] | (((int64_t)1 << l->bits[0]) - 1);
    if (end > last) end = last;
    uint64_t row = key_of(l, 0, fold(l, s->first[1], 1), fold(l, s->first[2], 2));
    scan(s, at + 1, s->slot[at].key, row | fold(l, end, 0));
    if (end < last) scan_row(s, s->first[1], s->first[2], end + 1, &s->cursor[0]);
}

static search begin(const scree_grid *grid, const level *l, scree_pairs *pairs) {
    return (search){
        .grid = grid,
        .level = l,
        .slot = grid->slot + l->first,
        .filed = grid->filed + l->first,
        .pairs = pairs,
    };
}

/// Pairs within a level, each found from the box whose cell comes first.
static void pair_within(const scree_grid *grid, const level *l, scree_pairs *pairs) {
    search s = begin(grid, l, pairs);
    for (int i = 0; i < l->count && !pairs->full; i++) {
        open_window(&s, &s.filed[i]);
        scan_rest_of_row(&s, i);
        int64_t tall = s.last[1] - s.first[1], deep = s.last[2] - s.first[2];
        for (int64_t dz = 0; dz <= deep; dz++)
            for (int64_t dy = dz ? -l->span[1] : 1; dy <= tall; dy++) {
                if (s.first[1] + dy < 0) continue;
                int *cursor = &s.cursor[dz * WINDOW + dy + l->span[1]];
                scan_row(&s, s.first[1] + dy, s.first[2] + dz, s.first[0] - l->span[0], cursor);
            }
        test_candidates(&s);
    }
}

/// Pairs of a level with one coarser level.
static void pair_across(const scree_grid *grid, const level *fine, const level *l,
                        scree_pairs *pairs) {
    search s = begin(grid, l, pairs);
    for (int i = 0; i < fine->count && !pairs->full; i++) {
        open_window(&s, &grid->filed[fine->first + i]);
        for (int64_t z = s.first[2] - l->span[2]; z <= s.last[2]; z++) {
            if (z < 0) continue;
            for (int64_t y = s.first[1] - l->span[1]; y <= s.last[1]; y++) {
                if (y < 0) continue;
                // a row keeps its cursor while the window moves over it
                int *cursor = &s.cursor[(z % WINDOW) * WINDOW + y % WINDOW];
                scan_row(&s, y, z, s.first[0] - l->span[0], cursor);
            }
        }
        test_candidates(&s);
    }
}

// -------------------------------------------------------------------------------------------------

/// The coarsest class that is worth a level: a few huge boxes cost more there than they save.
/// Returns one below the lowest if there is none.
static int coarsest_class(const scree_grid *grid) {
    int c = grid->highest, passed = 0;
    for (; c >= grid->lowest; c--) {
        passed += grid->class[c].count;
        if (passed > SCREE_GRID_LARGES) break;
    }
    // what is hardly larger is no trouble
    bool tail = c >= grid->lowest && c < grid->highest && grid->class[c + 1].count > 0;
    return tail ? c + 1 : c;
}

int scree_grid_find(scree_grid *grid, const scree_aabb *box, const int *owner, const int *member,
                    int members, int *large, scree_pairs *pairs) {
    classify(grid, box, member, members);
    int from = coarsest_class(grid), larges = 0;
    for (int m = 0; m < members; m++)
        if (grid->order[m] > from) large[larges++] = member[m];
    grid->levels = 0;
    if (larges < members) {
        measure(grid, from);
        make_levels(grid, from);
        mark(grid, box, member, members, from);
    }
    for (int k = 0; k < grid->levels; k++) file_level(grid, box, owner, &grid->level[k]);
    for (int k = 0; k < grid->levels; k++) {
        pair_within(grid, &grid->level[k], pairs);
        for (int c = 0; c < k; c++) pair_across(grid, &grid->level[k], &grid->level[c], pairs);
    }
    for (int c = grid->lowest; c <= grid->highest; c++) grid->class[c] = (class){ 0 };
    return larges;
}
