// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sketch.h - a figure of several runs before it is decided which curve gets which line and panel.

#ifndef SCREE_SHOW_SKETCH_H
#define SCREE_SHOW_SKETCH_H

#include "scree/run.h"
#include "show/chart.h"
#include "show/samples.h"

enum { SKETCH_PANES = 8, SKETCH_NAME = 200, SKETCH_STYLES = 3 };

typedef struct show_run {  // a run and what its scene says
    scree_run_reader *reader;
    scree_simulation *simulation;  // owned
    scree_stepper *stepper;        // owned; finds gaps in stored states; or NULL
    const scree_model *model;
    const scree_run_options *options;
    char label[SKETCH_NAME];  // markup
} show_run;

typedef enum show_dull { SHOW_KEEP, SHOW_DROP_ZERO, SHOW_DROP_CONSTANT } show_dull;

typedef struct show_pane {  // a panel to be
    const char *name;       // what it shows, "u_T"; for the note that it was dropped
    char title[80];         // may be empty
    const char *x_label;    // NULL: time
    const char *y_label;
    bool equal_aspect, zero_line;
    show_dull dull;  // dropped when its curves are all zero, or all constant
} show_pane;

typedef struct show_curve {  // a quantity of one run
    int pane, run;
    int colour;              // of the quantity: unique in the pane, the same in every run
    bool by_run;             // one colour for each run instead (marks that cannot be dashed)
    bool plain;              // legend entry: the name alone, none without
    scree_mark mark;         // SCREE_LINE: the run decides
    char name[SKETCH_NAME];  // of the quantity, markup; empty: the run's label is enough
    show_points points;      // owned
} show_curve;

typedef struct show_sketch {  // begin zeroed, free when done
    int runs;
    show_run *run;  // owned (runs)
    int panes;
    show_pane pane[SKETCH_PANES];
    int curves, room;
    show_curve *curve;  // owned (curves)
    char title[2 * SKETCH_NAME];
    int columns;           // of the grid
    bool whole;            // keep all panes, but drop curves that are zero beside others
    bool styles_in_title;  // tell there which line is which run, not in every legend
} show_sketch;

/// Take the runs in: rebuild their simulations and find a label for each. Free s also if it fails.
scree_status show_sketch_runs(show_sketch *s, scree_run_reader *const *run,
                              const char *const *label, int runs, scree_error *err);
void show_sketch_free(show_sketch *s);

/// What the numbers of a run are in.
scree_units show_run_units(const show_run *run);

/// Add a pane and return its number.
int show_sketch_pane(show_sketch *s, show_pane pane);

/// Add a curve and take its points, also if it fails.
scree_status show_sketch_curve(show_sketch *s, const show_curve *curve, scree_error *err);

/// Give every curve its panel, line, colour and legend entry, and draw.
scree_status show_sketch_draw(show_sketch *s, const char *file, scree_error *err);

#endif
