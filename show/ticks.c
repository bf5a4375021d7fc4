// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// ticks.c - round numbers along an axis and how they are written.
// in: a range.   out: positions and labels.
// A tick is offset + k * m * 10^p with m in {1, 2, 5}. Labels are written from the integers k m and
// p, never from rounded doubles: they are exact, distinct, and the same in every locale.

#include "show/ticks.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define MINUS "−"
#define TIMES "×"

typedef struct step {  // digit * 10^power
    int digit, power;
} step;

static double scaled(double n, int power) {  // n * 10^power, exact divisor for negative powers
    return power < 0 ? n / pow(10, -power) : n * pow(10, power);
}

static int magnitude(double value) { return (int)floor(log10(value)); }

static step next_step(step s) {
    if (s.digit == 1) return (step){ 2, s.power };
    if (s.digit == 2) return (step){ 5, s.power };
    return (step){ 1, s.power + 1 };
}

void scree_ticks_widen(double *low, double *high, double margin) {
    double span = *high - *low, size = fmax(fabs(*low), fabs(*high));
    double pad = margin * span;
    if (span < 64 * DBL_EPSILON * size || span < 1e-290) pad = size > 1e-290 ? 0.1 * size : 1;
    *low -= pad;
    *high += pad;
}

void scree_ticks_snap(double *low, double *high) {
    double span = *high - *low;
    double unit = scaled(1, magnitude(span) - 1);
    double below = floor(*low / unit) * unit, above = ceil(*high / unit) * unit;
    if (*low - below < 0.01 * span) *low = fmin(*low, below);
    if (above - *high < 0.01 * span) *high = fmax(*high, above);
}

// The first and last k with low <= offset + k step <= high.
static int multiples(double low, double high, double offset, double width, int *first) {
    double from = ceil((low - offset) / width - 1e-9), to = floor((high - offset) / width + 1e-9);
    *first = (int)from;
    return (int)(to - from) + 1;
}

// The smallest step with at most `most` ticks; one finer if fewer than three would remain, which
// then has at most nine: steps differ by a factor of 2.5 or less.
static step choose_step(double low, double high, double offset, int most) {
    step s = { 1, magnitude(high - low) - 2 }, finer = s;
    int first;
    while (multiples(low, high, offset, scaled(s.digit, s.power), &first) > SCREE_TICKS_MOST)
        s = next_step(s);
    finer = s;
    while (multiples(low, high, offset, scaled(s.digit, s.power), &first) > most) {
        finer = s;
        s = next_step(s);
    }
    int count = multiples(low, high, offset, scaled(s.digit, s.power), &first);
    return count < SCREE_TICKS_FEWEST ? finer : s;
}

// Write n * 10^-decimals (or n * 10^zeros); returns the end of the text.
static char *write_number(char *out, int64_t n, int decimals, int zeros) {
    char digits[64];
    int count = 0;
    int64_t rest = n < 0 ? -n : n;
    for (; rest > 0 || count <= decimals; rest /= 10) digits[count++] = (char)('0' + rest % 10);
    if (n < 0) {
        memcpy(out, MINUS, 3);
        out += 3;
    }
    while (count > 0) {
        if (count == decimals) *out++ = '.';
        *out++ = digits[--count];
    }
    for (; zeros > 0 && n != 0; zeros--) *out++ = '0';
    *out = 0;
    return out;
}

static char *write_power(char *out, int exponent) {
    out += sprintf(out, "10^{");
    out = write_number(out, exponent, 0, 0);
    *out++ = '}';
    *out = 0;
    return out;
}

// The roundest number in or just below the range: n * 10^power.
static int64_t choose_offset(double low, double high, int *power) {
    double span = high - low;
    for (*power = magnitude(fmax(fabs(low), fabs(high)));; (*power)--) {
        double unit = scaled(1, *power);
        double from = ceil((low - span) / unit), to = floor(high / unit);
        if (from <= to || unit <= span)
            return (int64_t)fmin(fmax(rint((low + 0.5 * span) / unit), from), to);
    }
}

static void write_offset(char *out, int64_t n, int power) {
    out += sprintf(out, "%s ", n < 0 ? MINUS : "+");
    if (n < 0) n = -n;
    for (; n % 10 == 0 && n != 0; power++) n /= 10;
    int top = magnitude((double)n + 0.5) + power;  // of the first digit
    if (top >= -3 && top <= 5) {
        write_number(out, n, power < 0 ? -power : 0, power > 0 ? power : 0);
    } else {
        if (n != 1) out = write_number(out, n, top - power, 0);
        if (n != 1) out += sprintf(out, TIMES);
        write_power(out, top);
    }
}

static void place_minor(double low, double high, double offset, step s, scree_ticks *ticks) {
    int parts = s.digit == 2 ? 4 : 5, first;
    double width = scaled(s.digit, s.power) / parts;
    int count = multiples(low, high, offset, width, &first);
    for (int i = first; i < first + count && ticks->minor_count < SCREE_TICKS_MINOR; i++) {
        if (i % parts == 0) continue;
        double at = ((offset - low) + i * width) / (high - low);
        ticks->minor[ticks->minor_count++] = fmin(fmax(at, 0), 1);
    }
}

void scree_ticks_choose(double low, double high, int most, scree_ticks *ticks) {
    memset(ticks, 0, sizeof *ticks);

    // a range far from zero is counted from a round number in it
    int64_t offset = 0;
    int offset_power = 0;
    if (fmax(fabs(low), fabs(high)) >= 1000 * (high - low)) {
        offset = choose_offset(low, high, &offset_power);
        ticks->offset = scaled((double)offset, offset_power);
    }

    // positions; offset - low is exact, so that they hold down to the last bits of the data
    step s = choose_step(low, high, ticks->offset, most);
    double width = scaled(s.digit, s.power);
    int first, largest = 0;
    ticks->count = multiples(low, high, ticks->offset, width, &first);
    if (ticks->count > SCREE_TICKS_MOST) ticks->count = SCREE_TICKS_MOST;
    for (int i = 0; i < ticks->count; i++) {
        double at = ((ticks->offset - low) + (first + i) * width) / (high - low);
        int n = (first + i) * s.digit;
        ticks->at[i] = fmin(fmax(at, 0), 1);
        if (largest < (n < 0 ? -n : n)) largest = n < 0 ? -n : n;
    }
    place_minor(low, high, ticks->offset, s, ticks);

    // labels share their power of ten if it is far from one
    int top = magnitude(largest + 0.5) + s.power;
    if (top >= 5 || top <= -3) ticks->exponent = top;
    int decimals = ticks->exponent - s.power;
    for (int i = 0; i < ticks->count; i++) {
        int n = (first + i) * s.digit;
        int shown = decimals > 0 && n != 0 ? decimals : 0;
        write_number(ticks->label[i], n, shown, decimals < 0 ? -decimals : 0);
    }
    char *end = ticks->note;
    if (ticks->exponent) end = write_power(end + sprintf(end, TIMES), ticks->exponent);
    if (ticks->exponent && offset) *end++ = ' ';
    if (offset) write_offset(end, offset, offset_power);
}

// ---- logarithmic

typedef struct rungs {  // digits of each decade, of every so many decades
    int digits, digit[3], every;
} rungs;

static bool on_rung(const rungs *r, int decade, int digit) {
    if (decade % r->every != 0) return false;
    for (int k = 0; k < r->digits; k++)
        if (r->digit[k] == digit) return true;
    return false;
}

// digit 10^decade as a part of the axis
static double along(double low, double high, int decade, int digit) {
    return (decade + log10(digit) - low) / (high - low);
}

static bool within(double at) { return at >= -1e-9 && at <= 1 + 1e-9; }

static int count_rungs(double low, double high, const rungs *r) {
    int count = 0;
    for (int decade = (int)floor(low); decade <= (int)ceil(high); decade++)
        for (int k = 0; k < r->digits; k++)
            if (on_rung(r, decade, r->digit[k]))
                count += within(along(low, high, decade, r->digit[k]));
    return count;
}

// 1, 2, 5 of each decade or powers of ten alone, and of these only some on a long axis
static rungs choose_rungs(double low, double high, int most) {
    rungs fine = { 3, { 1, 2, 5 }, 1 }, whole = { 1, { 1 }, 1 };
    if (count_rungs(low, high, &fine) <= most) return fine;
    if (count_rungs(low, high, &whole) < SCREE_TICKS_FEWEST) return fine;
    rungs coarser = whole;
    while (count_rungs(low, high, &coarser) > most) {
        whole = coarser;
        coarser.every++;
    }
    bool enough = count_rungs(low, high, &coarser) >= SCREE_TICKS_FEWEST;
    return enough || count_rungs(low, high, &whole) > SCREE_TICKS_MOST ? coarser : whole;
}

static void write_rung(char *out, int decade, int digit) {
    bool plain = decade == 0 || (decade == 1 && digit == 1);
    if (plain) {
        write_number(out, decade ? 10 : digit, 0, 0);
        return;
    }
    char *end = out;
    if (digit != 1) end = write_number(end, digit, 0, 0);
    if (digit != 1) end += sprintf(end, TIMES);
    write_power(end, decade);
}

void scree_ticks_choose_log(double low, double high, int most, scree_ticks *ticks) {
    memset(ticks, 0, sizeof *ticks);
    rungs r = choose_rungs(low, high, most);
    for (int decade = (int)floor(low); decade <= (int)ceil(high); decade++)
        for (int digit = 1; digit <= 9; digit++) {
            double at = along(low, high, decade, digit);
            if (!within(at)) continue;
            at = fmin(fmax(at, 0), 1);
            if (!on_rung(&r, decade, digit)) {
                if (ticks->minor_count < SCREE_TICKS_MINOR) ticks->minor[ticks->minor_count++] = at;
            } else if (ticks->count < SCREE_TICKS_MOST) {
                write_rung(ticks->label[ticks->count], decade, digit);
                ticks->at[ticks->count++] = at;
            }
        }
}
