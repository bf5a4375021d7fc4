// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// problem_scan.c - numbers and words of a text.

#include "store/problem_scan.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static void skip_space(scree_scan *scan) {
    for (; is_space(*scan->at); scan->at++)
        if (*scan->at == '\n') {
            scan->line++;
            scan->line_start = scan->at + 1;
        }
}

scree_source_location scree_scan_place(scree_scan *scan) {
    skip_space(scan);
    return (scree_source_location){ scan->path, scan->line,
                                    (int)(scan->at - scan->line_start) + 1 };
}

scree_scan_text scree_scan_found(scree_scan *scan) {
    scree_scan_text found = { "the end of the file" };
    if (scree_scan_at_end(scan)) return found;
    char word[25];
    size_t length = 0;
    for (; length < sizeof word - 1; length++) {
        char c = scan->at[length];
        if (scan->at + length == scan->end || is_space(c)) break;
        word[length] = c > ' ' && c <= '~' ? c : '?';
    }
    word[length] = 0;
    snprintf(found.text, sizeof found.text, "\"%s\"", word);
    return found;
}

size_t scree_scan_left(const scree_scan *scan) { return (size_t)(scan->end - scan->at); }

bool scree_scan_at_end(scree_scan *scan) {
    skip_space(scan);
    return scan->at == scan->end;
}

void scree_scan_skip_line(scree_scan *scan) {
    while (scan->at < scan->end && *scan->at != '\n') scan->at++;
}

size_t scree_scan_tokens(scree_scan scan, size_t limit) {
    size_t count = 0;
    while (count < limit && !scree_scan_at_end(&scan)) {
        while (scan.at < scan.end && !is_space(*scan.at)) scan.at++;
        count++;
    }
    return count;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Fifteen digits and a power of ten up to 22 are exact in a double, so that one product or quotient
// is all the rounding there is. Anything longer, or with other letters behind it, is left to
// strtod.
static const char *read_short(const char *at, double *value) {
    static const double power[] = { 1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                    1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22 };
    bool negative = *at == '-', small = false;
    int digits = 0, after_point = 0, exponent = 0;
    int64_t number = 0;
    if (*at == '-' || *at == '+') at++;
    for (; is_digit(*at) && digits < 16; at++, digits++) number = 10 * number + (*at - '0');
    if (*at == '.')
        for (at++; is_digit(*at) && digits < 16; at++, digits++, after_point++)
            number = 10 * number + (*at - '0');
    if (digits == 0 || digits > 15) return NULL;
    if (*at == 'e' || *at == 'E') {
        small = *++at == '-';
        if (*at == '-' || *at == '+') at++;
        if (!is_digit(*at)) return NULL;
        for (; is_digit(*at) && exponent < 1000; at++) exponent = 10 * exponent + (*at - '0');
    }
    int scale = (small ? -exponent : exponent) - after_point;
    if (scale < -22 || scale > 22 || !is_space(*at)) return NULL;
    double size = scale < 0 ? (double)number / power[-scale] : (double)number * power[scale];
    *value = negative ? -size : size;
    return at;
}

bool scree_scan_prefix(scree_scan *scan, double *value) {
    skip_space(scan);
    const char *behind = read_short(scan->at, value);
    if (behind) {
        scan->at = behind;
        return true;
    }
    char *stop;
    *value = strtod_l(scan->at, &stop, scan->plain);
    bool found = stop != scan->at;
    scan->at = stop;
    return found;
}

bool scree_scan_number(scree_scan *scan, double *value) {
    skip_space(scan);
    const char *begin = scan->at;
    if (!scree_scan_prefix(scan, value)) return false;
    if (scan->at == scan->end || is_space(*scan->at)) return true;
    scan->at = begin;
    return false;
}

bool scree_scan_word(scree_scan *scan, const char *word) {
    skip_space(scan);
    size_t length = strlen(word);
    if (strncmp(scan->at, word, length) != 0) return false;
    scan->at += length;
    return true;
}

scree_status scree_scan_integer(scree_scan *scan, const char *what, int low, int high, int *value,
                                scree_error *err) {
    double number;
    scree_scan before = *scan;
    if (scree_scan_number(scan, &number) && number == floor(number) && number >= low &&
        number <= high) {
        *value = (int)number;
        return SCREE_OK;
    }
    *scan = before;
    bool whole = scree_scan_number(&before, &number) && number == floor(number);
    scree_source_location at = scree_scan_place(scan);
    scree_scan_text found = scree_scan_found(scan);
    if (!whole)
        return scree_fail(err, SCREE_BAD_INPUT, at, "expected %s, a whole number, found %s", what,
                          found.text);
    if (low == high)
        return scree_fail(err, SCREE_BAD_INPUT, at, "%s must be %d, got %s", what, low, found.text);
    return scree_fail(err, SCREE_BAD_INPUT, at, "%s must be from %d to %d, got %s", what, low, high,
                      found.text);
}
