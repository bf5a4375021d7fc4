// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// measure.h - what scree measure found: numbers with names and one table, for text, JSON, CSV and
// figures alike.

#ifndef SCREE_CLI_MEASURE_H
#define SCREE_CLI_MEASURE_H

#include "cli/json.h"
#include "cli/options.h"
#include "scree/scree.h"
#include "show/chart.h"
#include "show/frame.h"

enum { CLI_FINDINGS = 24, CLI_COLUMNS = 16, CLI_RINGS_MOST = 100000 };

/// One or several numbers (a vector, a matrix row after row) with a name.
typedef struct cli_finding {
    const char *name, *unit;
    double value[9];
    int count;   // 1, 2, 3; 9: a matrix of 3 x 3; 4: one of 2 x 2
    bool whole;  // a count
} cli_finding;

typedef struct cli_cell {
    const char *text;  // borrowed; NULL: a number
    double number;
} cli_cell;

typedef struct cli_measured {  // begin zeroed, free when done
    const char *what;
    double time;
    scree_units units;  // of the scene; columns and findings name those of SI
    int findings;
    cli_finding finding[CLI_FINDINGS];
    const char *rows_name;  // key of the table in JSON; NULL: there is none
    int columns, rows, room;
    const char *column[CLI_COLUMNS], *unit[CLI_COLUMNS];
    cli_cell *cell;                 // owned (rows x columns)
    int x, y[CLI_COLUMNS], curves;  // columns of the figure; curves 0: nothing to draw
    scree_mark mark;                // of the curves
    bool arrows;                    // instead of curves: column 0 says of which kind,
    int at[2], along[2];            // these where they begin and where they point
} cli_measured;

void cli_measured_number(cli_measured *m, const char *name, const char *unit, double value);
void cli_measured_count(cli_measured *m, const char *name, double value);
/// A vector of the space's numbers, or with space x space numbers of a 3 x 3 matrix.
void cli_measured_vector(cli_measured *m, const char *name, const char *unit, const double *x,
                         int space);
void cli_measured_matrix(cli_measured *m, const char *name, const char *unit, const double *A,
                         int space);
void cli_measured_column(cli_measured *m, const char *name, const char *unit);

/// A new row of zeros, NULL without memory.
cli_cell *cli_measured_row(cli_measured *m);
void cli_measured_free(cli_measured *m);

void cli_measured_text(const cli_measured *m, FILE *out);
void cli_measured_json(const cli_measured *m, FILE *out);
void cli_measured_csv(const void *measured, FILE *out);
scree_status cli_measured_plot(const cli_measured *m, const char *title, const char *path,
                               scree_error *err);

/// One command: what was asked for, and what was found.
typedef struct cli_measuring {
    const cli_args *args;
    show_run run;
    int64_t frame;  // the chosen one
    double time;
    int space;
    scree_region region;
    bool region_given;
    int cells[3];
    double axis[2], width;
    int rings;
    const char *name;  // behind the colon of WHAT
    cli_measured found;
} cli_measuring;

/// The unit of stress in the scene's space.
const char *cli_measure_pascal(const cli_measuring *s);

scree_moment cli_measure_moment(const cli_measuring *s, const show_frame *frame);

/// In measure_pile.c: piles and walls.
scree_status cli_measure_ground(cli_measuring *s, const scree_moment *moment, scree_error *err);
scree_status cli_measure_slope(cli_measuring *s, const scree_moment *moment, scree_error *err);
scree_status cli_measure_meridian(cli_measuring *s, const scree_moment *moment, scree_error *err);
scree_status cli_measure_layers(cli_measuring *s, const scree_moment *moment, scree_error *err);
scree_status cli_measure_joints(cli_measuring *s, const scree_moment *moment, scree_error *err);

/// In measure_flow.c: over all stored times.
scree_status cli_measure_force_on(cli_measuring *s, scree_error *err);
scree_status cli_measure_flow(cli_measuring *s, scree_error *err);

#endif
