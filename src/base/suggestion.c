// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// suggestion.c - the nearest known word.
// in: a word, candidates.   out: one of them or NULL.   work: three rows of the distance table.
//
// Distance: the fewest insertions, deletions, replacements and swaps of neighbours, no letter
// touched twice (Damerau-Levenshtein, the restricted form called optimal string alignment).

#include "base/suggestion.h"

#include <stddef.h>
#include <string.h>

enum { LONGEST = 64 };

// not tolower: the answer must not depend on the host program's locale
static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

static int least(int a, int b) { return a < b ? a : b; }

static int distance(const char *a, int a_length, const char *b, int b_length) {
    int table[3][LONGEST + 1];
    int *before = table[0], *above = table[1], *row = table[2];
    for (int j = 0; j <= b_length; j++) above[j] = before[j] = j;
    for (int i = 1; i <= a_length; i++) {
        row[0] = i;
        for (int j = 1; j <= b_length; j++) {
            char x = lower(a[i - 1]), y = lower(b[j - 1]);
            row[j] = least(above[j - 1] + (x != y), 1 + least(above[j], row[j - 1]));
            // two neighbours swapped
            if (i > 1 && j > 1 && x == lower(b[j - 2]) && y == lower(a[i - 2]))
                row[j] = least(row[j], before[j - 2] + 1);
        }
        int *free_row = before;
        before = above;
        above = row;
        row = free_row;
    }
    return above[b_length];
}

const char *scree_suggestion(const char *word, const char *const *candidates, int count) {
    size_t length = strlen(word);
    if (length > LONGEST) return NULL;
    const char *nearest = NULL;
    int allowed = length / 3 > 1 ? (int)(length / 3) : 1;
    for (int c = 0; c < count; c++) {
        size_t other = strlen(candidates[c]);
        if (other > LONGEST) continue;
        int apart = distance(word, (int)length, candidates[c], (int)other);
        // as far apart as the longer one is long: nothing in common
        if (apart > allowed || apart >= (int)(length > other ? length : other)) continue;
        nearest = candidates[c];
        allowed = apart - 1;
    }
    return nearest;
}
