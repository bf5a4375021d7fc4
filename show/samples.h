// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// samples.h - from the tables of a run to the points of curves.
//
// Tables are read in blocks. Beyond SHOW_BUCKETS rows a curve keeps the lowest and the highest
// value of every bucket of neighbouring rows, so that no peak is lost; a path (y over x) keeps one
// point per bucket. That is far finer than any page, and exact for shorter runs.

#ifndef SCREE_SHOW_SAMPLES_H
#define SCREE_SHOW_SAMPLES_H

#include "scree/run_file.h"

enum { SHOW_BUCKETS = 100000, SHOW_TIME = -1 };

typedef struct show_points {  // one curve; begin zeroed, free when done
    double *x, *y;            // owned (count); NaN breaks the line
    int count, room;
    double low, high;  // of the finite y; both 0 without one
} show_points;

void show_points_free(show_points *points);

/// Append a point; false when memory ran out.
bool show_points_add(show_points *points, double x, double y);

/// Keep about `left` points, evenly spread, the first and the last among them.
void show_points_thin(show_points *points, int left);

typedef enum show_book {
    SHOW_VALUE,   // as it is
    SHOW_SUM,     // summed over the steps so far
    SHOW_CHANGE,  // minus its value at the start
} show_book;

typedef struct show_step_column {
    double (*of)(const scree_ledger *ledger);
    show_book book;
} show_step_column;

/// Curves over time from the ledgers: points (columns), zeroed before.
scree_status show_read_steps(scree_run_reader *run, const show_step_column *column, int columns,
                             show_points *points, scree_error *err);

typedef struct show_state_column {  // places in (q, v): v_i is at dofs + i
    int x;                          // SHOW_TIME: over time
    int y;
} show_state_column;

scree_status show_read_states(scree_run_reader *run, const show_state_column *column, int columns,
                              show_points *points, scree_error *err);

/// How far each coordinate moves during the run: raise range (dofs) to highest - lowest.
scree_status show_read_ranges(scree_run_reader *run, double *range, scree_error *err);

typedef struct show_contact {
    uint64_t id;
    int a, b;
    double impulse;  // normal, summed over all stored steps of all runs counted [N s]
} show_contact;

typedef struct show_tally {  // the contacts that occur; begin zeroed, free when done
    show_contact *contact;   // owned (count), in the order in which they first occur
    int count, room;
    int *slot;  // owned (slots): hash table of places in contact, -1: free
    size_t slots;
} show_tally;

/// Count the contacts of a run in; several runs may be counted into one tally.
scree_status show_tally_run(scree_run_reader *run, show_tally *tally, scree_error *err);
void show_tally_free(show_tally *tally);

/// The (at most `most`) contacts with the largest impulses, in the order of the tally.
int show_tally_largest(const show_tally *tally, int most, show_contact *largest);

typedef struct show_contact_column {
    double (*of)(const scree_contact_row *row);
    bool at_start;  // of the step, not at its end
} show_contact_column;

/// Curves over time from the contacts: points (contacts x columns), zeroed before. A curve is
/// broken where its contact was not stored. h: length of a step;
/// every: steps per stored one.
scree_status show_read_contacts(scree_run_reader *run, double h, int every,
                                const show_contact *contact, int contacts,
                                const show_contact_column *column, int columns, show_points *points,
                                scree_error *err);

#endif
