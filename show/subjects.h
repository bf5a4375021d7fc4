// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// subjects.h - what moves in the runs of a sketch: kinds of parts as rows, and the lines of those
// that move most.

#ifndef SCREE_SHOW_SUBJECTS_H
#define SCREE_SHOW_SUBJECTS_H

#include "show/lines.h"

enum { SHOW_KINDS = 5, SHOW_COLUMNS = 3 };

/// How the parts of one kind are shown. A subject is a body, an elastic body, a coordinate.
typedef struct show_part_row {
    const char *kind;                 // of scree_part_group
    const char *noun;                 // "of so many bodies"
    int columns;                      // numbers of a subject; 0: as many as the space has axes
    int width[2];                     // from a body to the next in q and in v
    show_pane pane[2][SHOW_COLUMNS];  // of coordinates, of velocities; their names are symbols
    const char *together[2];          // the label of a panel that holds them all
    const char *places[2];            // of one that holds places alone; NULL: the same
    const char *path, *beside;        // titles of paths, alone and beside others
    bool placed;                      // is the path one in space?
    bool mean;                        // are numbers means over the nodes of a mesh?
    bool numbered;                    // do subjects have numbers instead of names?
} show_part_row;

typedef struct show_group {  // of one kind
    const show_part_row *row;
    scree_part_group of;
    int columns;
    int count;                           // subjects that are not fixed
    int chosen, subject[SHOW_SUBJECTS];  // those that move most; the same in every run
    bool told;                           // do names of lines say which one it is?
    bool spins;  // the first one turns by so much that places are flat beside its angle
} show_group;

typedef struct show_subjects {
    int groups;  // that have subjects
    show_group group[SHOW_KINDS];
} show_subjects;

/// Choose the (at most `most`) subjects of each kind that move most; of a matrix system as many
/// coordinates as can be told apart. An error if the runs do not have the same parts.
scree_status show_subjects_choose(const show_sketch *s, int most, show_subjects *list,
                                  scree_error *err);

/// The name of a subject; of one that has none its symbol.
const char *show_subjects_name(const scree_model *model, const show_group *group, int subject);

/// Add the panes of a group's numbers (or of their velocities); the first one.
int show_subjects_panes(show_sketch *s, const show_group *group, bool velocity);

/// Describe the numbers of a group (or their velocities) in the panes first, first + apart, ...;
/// where they share a pane colours begin with `colour`. Returns how many lines that makes.
int show_subjects_lines(const show_sketch *s, const show_group *group, bool velocity, int first,
                        int apart, int colour, show_state_line *line);

/// Leave out angles of bodies that spin, where they would share a panel with places.
void show_subjects_calm(show_subjects *list);

/// The label of a panel that holds all numbers of a group (or their velocities).
const char *show_subjects_label(const show_group *group, bool velocity);

/// The panel of coordinates that stands for nothing.
const show_pane *show_subjects_empty_pane(bool velocity);

#endif
