// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// measure.h - what scree measure found: numbers with names and one table, for text, JSON, CSV and
// figures alike.

#ifndef SCREE_CLI_MEASURE_H
#define SCREE_CLI_MEASURE_H

#include "cli/json.h"
#include "scree/scree.h"

enum { CLI_FINDINGS = 24, CLI_COLUMNS = 16 };

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
    int findings;
    cli_finding finding[CLI_FINDINGS];
    const char *rows_name;  // key of the table in JSON; NULL: there is none
    int columns, rows, room;
    const char *column[CLI_COLUMNS], *unit[CLI_COLUMNS];
    cli_cell *cell;                 // owned (rows x columns)
    int x, y[CLI_COLUMNS], curves;  // columns of the figure; curves 0: nothing to draw
    bool steps;                     // curves hold their value until the next row
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
void cli_measured_csv(const cli_measured *m, FILE *out);
scree_status cli_measured_plot(const cli_measured *m, const char *title, const char *path,
                               scree_error *err);

#endif
