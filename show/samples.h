// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// samples.h - from the tables of a run to the points of curves.
//
// Tables are read in blocks. Beyond SHOW_BUCKETS rows a curve keeps the lowest and the highest
// value of every bucket of neighbouring rows, so that no peak is lost; a path (y over x) keeps one
// point per bucket. That is far finer than any page, and exact for shorter runs. Values that are
// not finite are left out.

#ifndef SCREE_SHOW_SAMPLES_H
#define SCREE_SHOW_SAMPLES_H

#include "scree/run_file.h"

enum { SHOW_BUCKETS = 100000, SHOW_TIME = -1 };

typedef struct show_points {  // one curve; begin zeroed, free when done
    double *x, *y;            // owned (count)
    int count, room;
    double low, high;  // of y; both 0 without points
} show_points;

void show_points_free(show_points *points);

/// Append a point; false when memory ran out.
bool show_points_add(show_points *points, double x, double y);

/// Keep about `left` points, evenly spread, the first and the last among them.
void show_points_thin(show_points *points, int left);

typedef enum show_accumulation {
    SHOW_VALUE,   // as it is
    SHOW_SUM,     // summed over the steps so far
    SHOW_CHANGE,  // minus its value at the start
} show_accumulation;

typedef struct show_step_column {
    double (*of)(const scree_account *account);
    show_accumulation accumulation;
} show_step_column;

/// Curves over time from the accounts of the steps: points (columns), zeroed before.
scree_status show_read_steps(scree_run_reader *run, const show_step_column *column, int columns,
                             show_points *points, scree_error *err);

typedef struct show_state_column {  // places in (q, v): v_i is at dofs + i
    int x;                          // SHOW_TIME: over time
    int y;
    int count, stride;  // if count > 0: x and y are means of so many numbers so far apart
} show_state_column;

scree_status show_read_states(scree_run_reader *run, const show_state_column *column, int columns,
                              show_points *points, scree_error *err);

/// How far each coordinate moves during the run: raise range (dofs) to highest - lowest.
scree_status show_read_ranges(scree_run_reader *run, double *range, scree_error *err);

typedef struct show_contact {
    scree_contact_id id;
    int a, b;
    double impulse;  // normal, summed over all stored steps of all runs counted [N s]
} show_contact;

typedef struct show_tally {  // contacts; begin zeroed, free when done
    show_contact *contact;   // owned (count), in the order in which they were first seen
    int count, room;
    int *slot;  // owned (slots): hash table of places in contact, -1: free
    size_t slots;
} show_tally;

/// Count all possible contacts of a model in, as a stepper's record shows them at the start, and
/// the impulses of a run. Several runs may be counted into one tally.
scree_status show_tally_run(scree_run_reader *run, const scree_step_record *start,
                            show_tally *tally, scree_error *err);
void show_tally_free(show_tally *tally);

/// The (at most `most`) contacts with the largest impulses, in the order of the tally.
int show_tally_largest(const show_tally *tally, int most, show_contact *largest);

typedef double (*show_contact_column)(const scree_contact_row *row);

/// Curves over time from the contacts, with a point for every stored step: points
/// (contacts x columns), zeroed before. Where a contact was not stored, the mechanism or the
/// stepper of the run's model finds its gap and velocity in the stored state, which costs as much
/// as looking for contacts in a step; with neither everything is zero, as impulses and works are.
scree_status show_read_contacts(scree_run_reader *run, scree_stepper *stepper,
                                const show_contact *contact, int contacts,
                                const show_contact_column *column, int columns, show_points *points,
                                scree_error *err);

#endif
