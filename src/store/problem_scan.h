// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// problem_scan.h - numbers and words of a text, and where they stand.

#ifndef SCREE_STORE_PROBLEM_SCAN_H
#define SCREE_STORE_PROBLEM_SCAN_H

#include <locale.h>

#include "scree/base.h"

/// A copy of it is a look ahead.
typedef struct scree_scan {
    const char *path;
    const char *at, *end;  // *end is a zero
    const char *line_start;
    int line;
    locale_t plain;  // of C: a number has a point, whatever the country
} scree_scan;

/// Where the next token stands.
scree_source_location scree_scan_place(scree_scan *scan);

/// The next token in quotes, cut and made printable, or "the end of the file".
typedef struct scree_scan_text {
    char text[40];
} scree_scan_text;
scree_scan_text scree_scan_found(scree_scan *scan);

/// Bytes that are left: a bound for what can still follow.
size_t scree_scan_left(const scree_scan *scan);
bool scree_scan_at_end(scree_scan *scan);
void scree_scan_skip_line(scree_scan *scan);

/// Number of tokens up to the end, but no more than limit.
size_t scree_scan_tokens(scree_scan scan, size_t limit);

/// Move behind the number or word if it is the next thing, and stay where we are if it is not.
bool scree_scan_number(scree_scan *scan, double *value);
bool scree_scan_word(scree_scan *scan, const char *word);
/// The same for a number that other characters may follow at once, as in "3-by-4".
bool scree_scan_prefix(scree_scan *scan, double *value);

/// A whole number from low to high; what: its name in the complaint.
scree_status scree_scan_integer(scree_scan *scan, const char *what, int low, int high, int *value,
                                scree_error *err);

#endif
