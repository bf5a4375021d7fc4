// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// samples.c - from the tables of a run to the points of curves.
// in: a run file.   out: points.   work: a block of rows, a bucket per curve.

#include "show/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEP_BLOCK = 8192, CONTACT_BLOCK = 8192, STATE_BLOCK = 1 << 17 };  // rows, rows, doubles

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

// ---- points

void show_points_free(show_points *points) {
    free(points->x);
    free(points->y);
    *points = (show_points){ 0 };
}

bool show_points_add(show_points *points, double x, double y) {
    if (points->count == points->room) {
        int room = points->room ? 2 * points->room : 256;
        double *more_x = realloc(points->x, (size_t)room * sizeof *more_x);
        if (more_x) points->x = more_x;
        double *more_y = realloc(points->y, (size_t)room * sizeof *more_y);
        if (more_y) points->y = more_y;
        if (!more_x || !more_y) return false;
        points->room = room;
    }
    points->x[points->count] = x;
    points->y[points->count++] = y;
    return true;
}

void show_points_thin(show_points *points, int left) {
    if (points->count <= left || left < 2) return;
    for (int i = 0; i < left; i++) {
        int64_t from = (int64_t)i * (points->count - 1) / (left - 1);
        points->x[i] = points->x[from];
        points->y[i] = points->y[from];
    }
    points->count = left;
}

// ---- buckets

typedef struct bucket {
    show_points *points;
    bool path;       // keep the first point, not the extremes
    bool seen;       // a value
    int64_t rows;    // that share a bucket
    int64_t number;  // of the bucket
    int held;        // points in it
    double low_x, low_y, high_x, high_y;
} bucket;

static bucket *new_buckets(show_points *points, int count, int64_t rows) {
    bucket *made = calloc((size_t)count + 1, sizeof *made);
    for (int i = 0; made && i < count; i++) {
        made[i].points = &points[i];
        made[i].rows = rows / SHOW_BUCKETS + 1;
    }
    return made;
}

static bool empty(bucket *b) {
    if (!b->held) return true;
    b->held = 0;
    if (b->low_x == b->high_x) return show_points_add(b->points, b->low_x, b->low_y);
    bool rising = b->low_x < b->high_x;
    return show_points_add(b->points, rising ? b->low_x : b->high_x,
                           rising ? b->low_y : b->high_y) &&
           show_points_add(b->points, rising ? b->high_x : b->low_x, rising ? b->high_y : b->low_y);
}

static bool fill(bucket *b, int64_t row, double x, double y) {
    show_points *points = b->points;
    if (!isfinite(x) || !isfinite(y)) return true;
    points->low = b->seen ? fmin(points->low, y) : y;
    points->high = b->seen ? fmax(points->high, y) : y;
    b->seen = true;
    int64_t number = row / b->rows;
    if (b->held && number != b->number && !empty(b)) return false;
    b->number = number;
    if (b->held++ == 0) {
        b->low_x = b->high_x = x;
        b->low_y = b->high_y = y;
    } else if (!b->path && y < b->low_y) {
        b->low_x = x;
        b->low_y = y;
    } else if (!b->path && y > b->high_y) {
        b->high_x = x;
        b->high_y = y;
    }
    return true;
}

// the end of all reading: status, unless memory runs out over the last points
static scree_status finish(bucket *b, int count, scree_status status, scree_error *err) {
    for (int i = 0; i < count && b && !status; i++)
        if (!empty(&b[i])) status = scree_fail_memory(err, "a figure's points");
    free(b);
    return status;
}

// ---- steps

scree_status show_read_steps(scree_run_reader *run, const show_step_column *column, int columns,
                             show_points *points, scree_error *err) {
    scree_step_row *row = calloc(STEP_BLOCK, sizeof *row);     // not every field is stored
    double *base = calloc((size_t)columns + 1, sizeof *base);  // sum so far, or value at the start
    bucket *b = new_buckets(points, columns, run->steps);
    scree_status status = row && base && b ? SCREE_OK : scree_fail_memory(err, "a figure's points");
    for (int64_t first = 0; first < run->steps && !status; first += STEP_BLOCK) {
        int64_t count = smaller(STEP_BLOCK, run->steps - first);
        status = scree_run_reader_steps(run, first, count, row, err);
        for (int64_t i = 0; i < count && !status; i++)
            for (int c = 0; c < columns && !status; c++) {
                double value = column[c].of(&row[i].account);
                if (column[c].accumulation == SHOW_SUM) value = base[c] += value;
                if (column[c].accumulation == SHOW_CHANGE && first + i == 0) base[c] = value;
                if (column[c].accumulation == SHOW_CHANGE) value -= base[c];
                if (!fill(&b[c], first + i, row[i].time, value))
                    status = scree_fail_memory(err, "a figure's points");
            }
    }
    free(row);
    free(base);
    return finish(b, columns, status, err);
}

// ---- states

typedef struct states {  // a block of stored states
    int64_t first, count, room;
    int coordinates, dofs;
    scree_frame_row *frame;  // (room)
    double *q, *v;           // (room x coordinates, room x dofs)
} states;

static states new_states(const scree_run_reader *run) {
    states s = { .room = STATE_BLOCK / run->dofs + 1,
                 .coordinates = run->coordinates,
                 .dofs = run->dofs };
    s.frame = malloc((size_t)s.room * sizeof *s.frame);
    s.q = malloc((size_t)s.room * (size_t)s.coordinates * sizeof *s.q);
    s.v = malloc((size_t)s.room * (size_t)s.dofs * sizeof *s.v);
    return s;
}

static void free_states(states *s) {
    free(s->frame);
    free(s->q);
    free(s->v);
}

// the next block; count is 0 at the end of the run
static scree_status next_states(scree_run_reader *run, states *s, scree_error *err) {
    if (!s->frame || !s->q || !s->v) return scree_fail_memory(err, "a figure's points");
    s->first += s->count;
    s->count = smaller(s->room, run->frames - s->first);
    if (!s->count) return SCREE_OK;
    scree_status status = scree_run_reader_frames(run, s->first, s->count, s->frame, err);
    return status ? status : scree_run_reader_states(run, s->first, s->count, s->q, s->v, err);
}

static double state_value(const states *s, int64_t i, int place) {
    if (place == SHOW_TIME) return s->frame[i].time;
    int n = s->coordinates;
    return place < n ? s->q[i * n + place] : s->v[i * s->dofs + place - n];
}

static double mean_value(const states *s, int64_t i, const show_state_column *column, int place) {
    if (place == SHOW_TIME || !column->count) return state_value(s, i, place);
    double sum = 0;
    for (int k = 0; k < column->count; k++) sum += state_value(s, i, place + k * column->stride);
    return sum / column->count;
}

scree_status show_read_states(scree_run_reader *run, const show_state_column *column, int columns,
                              show_points *points, scree_error *err) {
    states s = new_states(run);
    bucket *b = new_buckets(points, columns, run->frames);
    scree_status status =
        b ? next_states(run, &s, err) : scree_fail_memory(err, "a figure's points");
    for (int c = 0; c < columns && b; c++) b[c].path = column[c].x != SHOW_TIME;
    while (!status && s.count) {
        for (int64_t i = 0; i < s.count && !status; i++)
            for (int c = 0; c < columns && !status; c++)
                if (!fill(&b[c], s.first + i, mean_value(&s, i, &column[c], column[c].x),
                          mean_value(&s, i, &column[c], column[c].y)))
                    status = scree_fail_memory(err, "a figure's points");
        if (!status) status = next_states(run, &s, err);
    }
    free_states(&s);
    return finish(b, columns, status, err);
}

scree_status show_read_ranges(scree_run_reader *run, double *range, scree_error *err) {
    states s = new_states(run);
    size_t n = (size_t)run->coordinates;
    double *low = malloc(n * sizeof *low), *high = malloc(n * sizeof *high);
    scree_status status =
        low && high ? next_states(run, &s, err) : scree_fail_memory(err, "a figure's points");
    for (size_t k = 0; k < n && low && high; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    while (!status && s.count) {
        for (size_t i = 0; i < (size_t)s.count; i++)
            for (size_t k = 0; k < n; k++) {
                low[k] = fmin(low[k], s.q[i * n + k]);
                high[k] = fmax(high[k], s.q[i * n + k]);
            }
        status = next_states(run, &s, err);
    }
    for (size_t k = 0; k < n && !status; k++) range[k] = fmax(range[k], high[k] - low[k]);
    free(low);
    free(high);
    free_states(&s);
    return status;
}

// ---- contacts

static size_t hash(scree_contact_id id) {
    uint64_t mixed = (id.word[0] * 0x5bd1e995u ^ id.word[1]) * 0x9e3779b97f4a7c15u;
    return (size_t)(mixed >> 20);
}

// double the table, which is never more than half full, and the list with it
static bool grow(show_tally *tally) {
    size_t slots = tally->slots ? 2 * tally->slots : 64;
    int room = (int)(slots / 2);
    show_contact *more = realloc(tally->contact, (size_t)room * sizeof *more);
    if (more) tally->contact = more;
    int *slot = malloc(slots * sizeof *slot);
    if (!more || !slot) {
        free(slot);
        return false;
    }
    memset(slot, -1, slots * sizeof *slot);
    for (int i = 0; i < tally->count; i++) {
        size_t at = hash(more[i].id) % slots;
        while (slot[at] >= 0) at = (at + 1) % slots;
        slot[at] = i;
    }
    free(tally->slot);
    tally->slot = slot;
    tally->slots = slots;
    tally->room = room;
    return true;
}

static bool count_in(show_tally *tally, const scree_contact *contact) {
    if (tally->count == tally->room && !grow(tally)) return false;
    size_t at = hash(contact->id) % tally->slots;
    while (tally->slot[at] >= 0 &&
           !scree_contact_id_equal(tally->contact[tally->slot[at]].id, contact->id))
        at = (at + 1) % tally->slots;
    if (tally->slot[at] < 0) {
        tally->slot[at] = tally->count;
        tally->contact[tally->count++] = (show_contact){ contact->id, contact->a, contact->b, 0 };
    }
    tally->contact[tally->slot[at]].impulse += contact->impulse[0];
    return true;
}

scree_status show_tally_run(scree_run_reader *run, const scree_step_record *start,
                            show_tally *tally, scree_error *err) {
    scree_contact_row *row = calloc(CONTACT_BLOCK, sizeof *row);
    scree_status status = row ? SCREE_OK : scree_fail_memory(err, "a figure's points");
    for (int i = 0; i < start->contacts && !status; i++)
        if (!count_in(tally, &start->contact[i]))
            status = scree_fail_memory(err, "a figure's points");
    for (int64_t first = 0; first < run->contacts && !status; first += CONTACT_BLOCK) {
        int64_t count = smaller(CONTACT_BLOCK, run->contacts - first);
        status = scree_run_reader_contacts(run, first, count, row, err);
        for (int64_t i = 0; i < count && !status; i++)
            if (!count_in(tally, &row[i].contact))
                status = scree_fail_memory(err, "a figure's points");
    }
    free(row);
    return status;
}

void show_tally_free(show_tally *tally) {
    free(tally->contact);
    free(tally->slot);
    *tally = (show_tally){ 0 };
}

int show_tally_largest(const show_tally *tally, int most, show_contact *largest) {
    int kept = 0;
    for (int i = 0; i < tally->count && most > 0; i++) {
        // the new one replaces the smallest kept, which the others close up over
        if (kept == most) {
            int least = 0;
            for (int k = 1; k < kept; k++)
                if (largest[k].impulse <= largest[least].impulse) least = k;
            if (tally->contact[i].impulse <= largest[least].impulse) continue;
            kept--;
            memmove(&largest[least], &largest[least + 1], (size_t)(kept - least) * sizeof *largest);
        }
        largest[kept++] = tally->contact[i];
    }
    return kept;
}

typedef struct cursor {  // stored contacts, a block at a time
    scree_run_reader *run;
    int64_t first, count;
    scree_contact_row *row;  // owned (CONTACT_BLOCK)
} cursor;

static scree_status stored_contact(cursor *c, int64_t i, const scree_contact_row **row,
                                   scree_error *err) {
    if (i < c->first || i >= c->first + c->count) {
        c->count = 0;
        int64_t count = smaller(CONTACT_BLOCK, c->run->contacts - i);
        scree_status status = scree_run_reader_contacts(c->run, i, count, c->row, err);
        if (status) return status;
        c->first = i;
        c->count = count;
    }
    *row = &c->row[i - c->first];
    return SCREE_OK;
}

typedef struct chosen {
    const show_contact *contact;  // (count)
    int count;
    scree_contact_row *row;  // owned (count): what is known about each in the present frame
    bool *stored;            // owned (count)
    cursor cursor;
} chosen;

static int place_of(const chosen *c, const scree_contact *contact) {
    int k = 0;
    while (k < c->count && !scree_contact_id_equal(c->contact[k].id, contact->id)) k++;
    return k;
}

// gaps and velocities in the state of a frame, of contacts that were not stored with it
static scree_status find_others(chosen *c, scree_stepper *stepper, const states *s, int64_t i,
                                scree_error *err) {
    scree_state state = { s->frame[i].step, s->frame[i].time, s->q + i * s->coordinates,
                          s->v + i * s->dofs };
    scree_status status = scree_stepper_restore(stepper, &state, NULL, 0, err);
    if (status) return status;
    const scree_step_record *record = scree_stepper_record(stepper);
    for (int n = 0; n < record->contacts; n++) {
        int k = place_of(c, &record->contact[n]);
        if (k < c->count && !c->stored[k]) c->row[k].contact = record->contact[n];
    }
    return SCREE_OK;
}

static scree_status read_frame(chosen *c, scree_stepper *stepper, const states *s, int64_t i,
                               scree_error *err) {
    const scree_frame_row *frame = &s->frame[i];
    const scree_contact_row *row;
    int found = 0;
    memset(c->row, 0, (size_t)c->count * sizeof *c->row);
    memset(c->stored, 0, (size_t)c->count * sizeof *c->stored);
    for (int k = 0; k < c->count; k++) c->row[k].step = frame->step;
    for (int64_t n = 0; n < frame->contacts; n++) {
        scree_status status = stored_contact(&c->cursor, frame->first_contact + n, &row, err);
        if (status) return status;
        int k = place_of(c, &row->contact);
        if (k == c->count) continue;
        c->row[k] = *row;
        c->stored[k] = true;
        found++;
    }
    if (found == c->count) return SCREE_OK;
    return stepper ? find_others(c, stepper, s, i, err) : SCREE_OK;
}

scree_status show_read_contacts(scree_run_reader *run, scree_stepper *stepper,
                                const show_contact *contact, int contacts,
                                const show_contact_column *column, int columns, show_points *points,
                                scree_error *err) {
    states s = new_states(run);
    chosen c = { .contact = contact, .count = contacts, .cursor = { .run = run } };
    c.row = calloc((size_t)contacts + 1, sizeof *c.row);
    c.stored = calloc((size_t)contacts + 1, sizeof *c.stored);
    c.cursor.row = calloc(CONTACT_BLOCK, sizeof *c.cursor.row);
    bucket *b = new_buckets(points, contacts * columns, run->frames);
    bool memory = c.row && c.stored && c.cursor.row && b;
    scree_status status =
        memory ? next_states(run, &s, err) : scree_fail_memory(err, "a figure's points");
    while (!status && s.count && contacts) {
        for (int64_t i = 0; i < s.count && !status; i++) {
            status = read_frame(&c, stepper, &s, i, err);
            for (int k = 0; k < contacts * columns && !status; k++)
                if (!fill(&b[k], s.first + i, s.frame[i].time,
                          column[k % columns](&c.row[k / columns])))
                    status = scree_fail_memory(err, "a figure's points");
        }
        if (!status) status = next_states(run, &s, err);
    }
    free(c.row);
    free(c.stored);
    free(c.cursor.row);
    free_states(&s);
    return finish(b, contacts * columns, status, err);
}
