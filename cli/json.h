// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// json.h - write one JSON document to a stream as it comes, indented by two spaces.
//
//     cli_json json = cli_json_begin(stdout);
//     cli_json_object_begin(&json);
//     cli_json_number(cli_json_key(&json, "time"), 2.5);
//     cli_json_text(cli_json_key(&json, "scheme"), "moreau-jean");
//     cli_json_object_end(&json);
//     if (!cli_json_end(&json)) ...   // the disk is full
//
// A value where none belongs, a key outside an object and the like are bugs and assert.

#ifndef SCREE_CLI_JSON_H
#define SCREE_CLI_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CLI_JSON_DEPTH = 32 };  // objects and arrays within each other

typedef struct cli_json {
    FILE *stream;  // borrowed
    int depth;     // open objects and arrays
    struct {
        bool object;  // else an array
        bool filled;  // has a member already
    } open[CLI_JSON_DEPTH];
    bool keyed;     // a key waits for its value
    bool complete;  // the document's one value is written
} cli_json;

cli_json cli_json_begin(FILE *stream);

/// End the document with a line's end and flush. False if anything could not be written.
bool cli_json_end(cli_json *json);

void cli_json_object_begin(cli_json *json);
void cli_json_object_end(cli_json *json);
void cli_json_array_begin(cli_json *json);
void cli_json_array_end(cli_json *json);

/// Write the key of the object's next value; returns json, so that key and value fit on a line.
cli_json *cli_json_key(cli_json *json, const char *key);

/// UTF-8; each byte that is not becomes U+FFFD. NULL becomes null.
void cli_json_text(cli_json *json, const char *text);

/// The shortest of 15, 16 or 17 digits that reads back as the same bits; NaN and infinities are
/// null.
void cli_json_number(cli_json *json, double number);

/// An array of numbers on one line.
void cli_json_numbers(cli_json *json, const double *number, int count);

void cli_json_integer(cli_json *json, int64_t integer);
void cli_json_boolean(cli_json *json, bool boolean);
void cli_json_null(cli_json *json);

#endif
