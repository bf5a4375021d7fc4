// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// ticks.h - round numbers along an axis and how they are written.

#ifndef SCREE_SHOW_TICKS_H
#define SCREE_SHOW_TICKS_H

#include <stdbool.h>

enum {
    SCREE_TICKS_FEWEST = 3,
    SCREE_TICKS_MOST = 9,
    SCREE_TICKS_MINOR = 64,
    SCREE_TICKS_TEXT = 32
};

/// A tick's value is  offset + label * 10^exponent.
typedef struct scree_ticks {
    int count;                                       // major ticks, 3 to 9
    double at[SCREE_TICKS_MOST];                     // along the axis: 0 at low, 1 at high
    char label[SCREE_TICKS_MOST][SCREE_TICKS_TEXT];  // UTF-8, with a true minus sign
    int minor_count;
    double minor[SCREE_TICKS_MINOR];  // between the major ones, same measure
    int exponent;                     // 0 if the labels say it all
    double offset;                    // 0 unless the range is tiny compared with the values
    char note[96];                    // markup for the axis end, "×10^{−4} + 9.81"; often empty
} scree_ticks;

/// Make an axis of the data's range: add margin (a fraction of the range) on both sides; data that
/// are constant to rounding get a range around their value.
void scree_ticks_widen(double *low, double *high, double margin);

/// Move the ends of a widened range outwards to a round number that is hardly a line's width away:
/// a time that ends at 1.999 wants its "2.0".
void scree_ticks_snap(double *low, double *high);

/// Choose steps of 1, 2 or 5 times a power of ten over a widened range, at most `most` of them if
/// that leaves three.
void scree_ticks_choose(double low, double high, int most, scree_ticks *ticks);

/// The same for a logarithmic axis whose ends are 10^low and 10^high, at least a decade apart:
/// powers of ten, on short axes with 2 and 5 times each. Labels hold markup, exponent, offset and
/// note stay empty.
void scree_ticks_choose_log(double low, double high, int most, scree_ticks *ticks);

#endif
