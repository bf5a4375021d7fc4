// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// Logarithmic axes: numbers stand where they say, powers are straight lines.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "random.h"
#include "show/chart.h"
#include "show/ticks.h"

// "5", "10", "10^{−3}" or "2×10^{4}" as a number
static double read_label(const char *text) {
    char digits[32] = "";
    const char *power = strstr(text, "10^{");
    if (!power) return strtod(text, NULL);
    double factor = power == text ? 1 : strtod(text, NULL), sign = 1;
    power += 4;
    if (strncmp(power, "−", 3) == 0) {
        sign = -1;
        power += 3;
    }
    snprintf(digits, sizeof digits, "%.*s", (int)strcspn(power, "}"), power);
    return factor * pow(10, sign * strtod(digits, NULL));
}

static void check_axis(double low, double high, int most) {
    scree_ticks t;
    scree_ticks_choose_log(low, high, most, &t);
    CHECK(t.count >= SCREE_TICKS_FEWEST && t.count <= SCREE_TICKS_MOST);
    for (int i = 0; i < t.count; i++) {
        double at = (log10(read_label(t.label[i])) - low) / (high - low);
        CHECK_NEAR(t.at[i], at, 1e-8);
        CHECK(t.at[i] >= 0 && t.at[i] <= 1);
        if (i > 0) CHECK(t.at[i] > t.at[i - 1]);
    }
    for (int i = 0; i < t.minor_count; i++) CHECK(t.minor[i] >= 0 && t.minor[i] <= 1);
    CHECK(t.note[0] == 0 && t.exponent == 0 && t.offset == 0);
}

static void numbers_stand_where_they_say(void) {
    for (int i = 0; i < 3000; i++) {
        double low = uniform(-20, 20), span = pow(10, uniform(0, 1.5));
        check_axis(low, low + span, 3 + i % 7);
    }
    check_axis(-3, -2, 3);
    check_axis(-300, 300, 5);

    // both kinds of steps occur
    scree_ticks t;
    scree_ticks_choose_log(-3.1, -1.9, 8, &t);
    CHECK_INT(t.count, 4);
    CHECK_TEXT(t.label[0], "10^{−3}");
    CHECK_TEXT(t.label[1], "2×10^{−3}");
    CHECK_TEXT(t.label[2], "5×10^{−3}");
    scree_ticks_choose_log(-2.5, 2.5, 6, &t);
    CHECK_INT(t.count, 5);
    CHECK_TEXT(t.label[0], "10^{−2}");
    CHECK_TEXT(t.label[2], "1");
    CHECK_TEXT(t.label[3], "10");
    CHECK_TEXT(t.label[4], "10^{2}");
}

// ---- figures

static char folder[] = "/tmp/scree-log-axis-XXXXXX";
static char file[80];  // the figure in it

static scree_status draw(const double *x, const double *y, int count, scree_mark mark) {
    scree_series series = { NULL, x, y, count, mark, 0 };
    scree_panel panel = { .series = &series, .series_count = 1, .x_log = true, .y_log = true };
    scree_figure figure = { .panel = &panel, .panels = 1 };
    scree_error err = { 0 };
    return scree_chart_draw(&figure, file, &err);
}

// corners of the path in the palette's first colour
static int read_corners(double *x, double *y, int most) {
    char line[4096];
    int count = 0;
    FILE *svg = fopen(file, "r");
    CHECK(svg != NULL);
    while (svg && count == 0 && fgets(line, sizeof line, svg)) {
        char *at = strstr(line, " d=\"");
        if (!at || !strstr(line, "stroke:rgb(0%,44.7")) continue;
        for (at += 4; (*at == 'M' || *at == 'L') && count < most; count++) {
            x[count] = strtod(at + 1, &at);
            y[count] = strtod(at, &at);
            at += strspn(at, " ");
        }
    }
    if (svg) fclose(svg);
    return count;
}

static void powers_are_straight_lines(void) {
    double h[7], error[7], x[20], y[20];
    for (int i = 0; i < 7; i++) {
        h[i] = 1e-2 * pow(2, -i);
        error[i] = 3 * h[i] * h[i];
    }
    CHECK(draw(h, error, 7, SCREE_LINE) == SCREE_OK);
    CHECK_INT(read_corners(x, y, 20), 2);  // those on a straight stretch are left out

    // a point off the line is a corner, an octave of h from its neighbours
    error[3] *= 4;
    CHECK(draw(h, error, 7, SCREE_LINE) == SCREE_OK);
    CHECK_INT(read_corners(x, y, 20), 5);
    double octave = (x[0] - x[4]) / 6;
    CHECK_NEAR(x[1], x[0] - 2 * octave, 0.05);
    CHECK_NEAR(x[2], x[0] - 3 * octave, 0.05);
    CHECK_NEAR(y[2] - y[1], 0, 0.05);  // 4 h^2 there is as much as h^2 an octave before
}

static void what_is_not_positive_is_left_out(void) {
    double h[7], error[7], x[20], y[20];
    for (int i = 0; i < 7; i++) h[i] = error[i] = i + 1;
    error[3] = 0;
    h[6] = -1;
    CHECK(draw(h, error, 7, SCREE_LINE) == SCREE_OK);
    CHECK_INT(read_corners(x, y, 20), 4);  // two pieces
    for (int i = 0; i < 7; i++) error[i] = -1;
    CHECK(draw(h, error, 7, SCREE_LINE) == SCREE_OK);
    CHECK_INT(read_corners(x, y, 20), 0);  // "no data"
}

static void what_needs_a_zero_is_refused(void) {
    double h[2] = { 1, 2 };
    CHECK(draw(h, h, 2, SCREE_STEMS) == SCREE_BAD_INPUT);
    scree_series series = { NULL, h, h, 2, SCREE_LINE, 0 };
    scree_panel zero = { .series = &series, .series_count = 1, .y_log = true, .zero_line = true };
    scree_figure figure = { .panel = &zero, .panels = 1 };
    scree_error err = { 0 };
    CHECK(scree_chart_draw(&figure, file, &err) == SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "logarithmic") != NULL);
}

TEST_FILE(test_log_axis) {
    if (!mkdtemp(folder)) return 1;
    snprintf(file, sizeof file, "%s/figure.svg", folder);
    TEST(numbers_stand_where_they_say);
    TEST(powers_are_straight_lines);
    TEST(what_is_not_positive_is_left_out);
    TEST(what_needs_a_zero_is_refused);
    remove(file);
    remove(folder);
    return harness_end();
}
