// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// lines.h - curves of ledgers, contacts and states for a sketch: one for each run and subject.

#ifndef SCREE_SHOW_LINES_H
#define SCREE_SHOW_LINES_H

#include "show/sketch.h"

enum {
    SHOW_CONTACTS = 6,  // drawn at most
    SHOW_BODIES = 6,    // of a kind, drawn at most
    SHOW_SUBJECTS = 7,  // coordinates of a matrix system, drawn at most
    SHOW_LEDGER_LINES = 16,
    SHOW_CONTACT_LINES = 6,
    SHOW_STATE_LINES = 6 * SHOW_BODIES + 2 * SHOW_SUBJECTS,
};

typedef enum show_need {
    SHOW_ALWAYS,
    SHOW_IF_ANY,  // not drawn if it is zero throughout in all runs
    SHOW_BY_RUN,  // always, in one colour for each run (see show_curve)
} show_need;

typedef struct show_ledger_line {
    const char *name;
    int pane;
    show_step_column column;
    int colour;
    scree_mark mark;
    show_need need;
} show_ledger_line;

/// Add the lines of all runs, reading each run's steps once. At most SHOW_LEDGER_LINES.
scree_status show_lines_ledger(show_sketch *s, const show_ledger_line *line, int lines,
                               scree_error *err);

typedef struct show_contact_line {
    const char *name;  // or NULL: the contact's is enough
    int pane;
    show_contact_column column;
    scree_mark mark;
} show_contact_line;

typedef struct show_contact_list {  // begin zeroed; free the tally when done
    show_tally tally;
    int count;
    show_contact chosen[SHOW_CONTACTS];
    char name[SHOW_CONTACTS][SKETCH_NAME / 2];  // markup
} show_contact_list;

/// How many contacts or bodies of so many runs a legend can tell apart.
int show_lines_most(int runs);

/// Choose the (at most `most`) largest contacts of all runs and find a name for each. Those that
/// never had an impulse are left out if there are too many of them, or if only the `pressed` ones
/// are wanted, but not if that would leave none.
scree_status show_lines_choose_contacts(const show_sketch *s, int most, bool pressed,
                                        show_contact_list *list, scree_error *err);

/// Add the lines of the chosen contacts of all runs. Lines that share a pane have a colour each,
/// otherwise each contact has its own. At most SHOW_CONTACT_LINES.
scree_status show_lines_contacts(show_sketch *s, const show_contact_list *list,
                                 const show_contact_line *line, int lines, scree_error *err);

typedef struct show_state_line {
    show_state_column column;
    int pane, colour;
    char name[SKETCH_NAME];
} show_state_line;

/// Add the lines of all runs, reading each run's states once. At most SHOW_STATE_LINES.
scree_status show_lines_states(show_sketch *s, const show_state_line *line, int lines,
                               scree_error *err);

#endif
