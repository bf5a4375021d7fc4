// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_chart.c - axes that say what they show, figures that appear whole or not at all.
// Draws into a folder of its own in /tmp and removes it. The SVG files are read back: the path in
// the first palette colour is the curve that was asked for.

#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700  // mkdtemp, symlink, setrlimit
#endif

#include <cairo.h>
#include <dirent.h>
#include <errno.h>
#include <float.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness.h"
#include "show/chart.h"
#include "show/lettering.h"
#include "show/ticks.h"

static char folder[64];
static uint64_t seed = 12345;  // with ROUNDS, change it to search for trouble
enum { ROUNDS = 120 };         // random figures

static double uniform(double low, double high) {  // splitmix64
    uint64_t z = (seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return low + (high - low) * ((double)((z ^ (z >> 31)) >> 11) * 0x1p-53);
}

static int integer(int low, int high) { return (int)floor(uniform(low, high + 1)); }

static const char *in_folder(const char *name) {
    static char path[4][200];
    static int turn;
    turn = (turn + 1) % 4;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

typedef struct bytes {
    char *data;  // owned, ends with a zero
    size_t size;
} bytes;

static bytes read_all(const char *path) {
    bytes b = { NULL, 0 };
    FILE *stream = fopen(path, "rb");
    if (stream) {
        fseek(stream, 0, SEEK_END);
        b.size = (size_t)ftell(stream);
        rewind(stream);
        b.data = calloc(b.size + 1, 1);
        CHECK(b.data && fread(b.data, 1, b.size, stream) == b.size);
        fclose(stream);
    }
    if (!b.data) b.data = calloc(1, 1);
    return b;
}

// Count the files in the folder; remove them too if asked.
static int sweep_folder(bool clear) {
    int count = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
        if (clear) remove(in_folder(entry->d_name));
        count++;
    }
    if (dir) closedir(dir);
    return count;
}

// ---- ticks

// Read a number written with a true minus sign, "9.81" or "9.81×10^{−3}" or "10^{8}".
static double read_number(const char *text) {
    char plain[128];
    int length = 0;
    for (; *text && length < 120;) {
        if (strncmp(text, "−", 3) == 0) {
            plain[length++] = '-';
            text += 3;
        } else if (strncmp(text, "×10^{", 6) == 0) {
            plain[length++] = 'e';
            text += 6;
        } else if (strncmp(text, "10^{", 4) == 0) {
            plain[length++] = '1';
            plain[length++] = 'e';
            text += 4;
        } else if (*text == '}' || *text == '+' || *text == ' ') {
            text++;
        } else {
            plain[length++] = *text++;
        }
    }
    plain[length] = 0;
    char *end;
    double value = strtod(plain, &end);
    if (*end) COMPLAIN("not a number: %s", plain);
    return value;
}

// What the note says: a factor and an offset.
static void read_note(const char *note, double *factor, double *offset) {
    *factor = 1;
    *offset = 0;
    if (strncmp(note, "×", 2) == 0) {
        char power[32] = { 0 };
        size_t length = strcspn(note, "}");
        if (length < 30) memcpy(power, note, length);
        *factor = read_number(power + 2);
        note += length + 1;
        if (*note == ' ') note++;
    }
    if (*note) *offset = read_number(note);
}

static void check_ticks(double low, double high, int most) {
    scree_ticks t;
    scree_ticks_choose(low, high, most, &t);
    double span = high - low, factor, offset;
    if (t.count < SCREE_TICKS_FEWEST || t.count > SCREE_TICKS_MOST) {
        COMPLAIN("%d ticks from %.17g to %.17g", t.count, low, high);
        return;
    }
    read_note(t.note, &factor, &offset);
    double step = t.at[1] - t.at[0];
    for (int i = 0; i < t.count; i++) {
        // what is written is where it stands
        double value = (offset - low) + read_number(t.label[i]) * factor;
        double rounding = 1e-9 + 2 * DBL_EPSILON * fmax(fabs(low), fabs(high)) / span;
        if (!(fabs(value / span - t.at[i]) <= rounding))
            COMPLAIN("\"%s\" \"%s\" stands at %.17g of %.17g .. %.17g", t.label[i], t.note, t.at[i],
                     low, high);
        CHECK(t.at[i] >= 0 && t.at[i] <= 1);
        if (i > 0) CHECK_NEAR(t.at[i] - t.at[i - 1], step, 1e-9);
        for (int k = 0; k < i; k++) CHECK(strcmp(t.label[i], t.label[k]) != 0);
        CHECK(strlen(t.label[i]) <= 14);
    }

    // they span the axis, in steps of 1, 2 or 5
    CHECK(t.at[0] < step + 1e-9 && 1 - t.at[t.count - 1] < step + 1e-9);
    double digit = step * span / pow(10, floor(log10(step * span) + 1e-6));
    CHECK(fabs(digit - 1) < 1e-6 || fabs(digit - 2) < 1e-6 || fabs(digit - 5) < 1e-6);
    for (int i = 0; i < t.minor_count; i++) CHECK(t.minor[i] >= 0 && t.minor[i] <= 1);
    CHECK(t.minor_count >= 2 * (t.count - 1));
}

static void ticks_say_where_they_stand(void) {
    for (int i = 0; i < 20000; i++) {
        double size = pow(10, uniform(-20, 20));
        double low = size * uniform(-1, 1), high = low + size * pow(10, uniform(-12, 1));
        scree_ticks_widen(&low, &high, uniform(0, 0.1));
        if (integer(0, 1)) scree_ticks_snap(&low, &high);
        check_ticks(low, high, integer(3, 9));
    }
    check_ticks(0, 1, 9);
    check_ticks(-1e300, 1e300, 5);
    check_ticks(1e-280, 3e-280, 5);
    check_ticks(9.81, 9.81 * (1 + 64 * DBL_EPSILON), 6);
}

static void ticks_are_written_like_in_a_paper(void) {
    scree_ticks t;
    scree_ticks_choose(0, 2, 6, &t);
    CHECK_INT(t.count, 5);
    CHECK_TEXT(t.label[0], "0");
    CHECK_TEXT(t.label[1], "0.5");
    CHECK_TEXT(t.label[4], "2.0");
    CHECK_TEXT(t.note, "");
    scree_ticks_choose(-4.1e-4, 4.1e-4, 6, &t);
    CHECK_TEXT(t.label[0], "−4");
    CHECK_TEXT(t.note, "×10^{−4}");
    scree_ticks_choose(9.81 - 2e-9, 9.81 + 2e-9, 6, &t);
    CHECK_TEXT(t.note, "×10^{−9} + 9.81");
    scree_ticks_choose(0, 50000, 6, &t);
    CHECK_TEXT(t.label[5], "50000");
    scree_ticks_choose(0, 5e6, 6, &t);
    CHECK_TEXT(t.label[5], "5");
    CHECK_TEXT(t.note, "×10^{6}");
    scree_ticks_choose(1e8, 1e8 + 3, 6, &t);
    CHECK_TEXT(t.note, "+ 10^{8}");
}

static void constant_data_get_a_range(void) {
    double constants[] = { 0, 5, -3e-7, 1e300, -1e-300, 5e-324 };
    for (int i = 0; i < 6; i++) {
        double low = constants[i], high = nextafter(low, low + 1);
        scree_ticks_widen(&low, &high, 0.06);
        CHECK(low < constants[i] && high > constants[i]);
        check_ticks(low, high, 6);
    }
}

// ---- figures

enum { POINTS = 5000, MANY = 1000000 };

static double *ramp(int count, double end) {
    double *x = malloc((size_t)count * sizeof *x);
    for (int i = 0; i < count; i++) x[i] = end * i / (count - 1);
    return x;
}

static scree_status draw_one(const scree_series *series, int count, const char *name) {
    scree_panel panel = { .title = "bouncing ball",
                          .x_label = "time t [s]",
                          .y_label = "u_N [m s^{-1}]",
                          .series = series,
                          .series_count = count };
    scree_figure figure = { .caption = "scenes/ball_1.yaml", .panel = &panel, .panels = 1 };
    scree_error err = { 0 };
    scree_status status = scree_chart_draw(&figure, in_folder(name), &err);
    if (status != SCREE_OK) COMPLAIN("%s", err.text);
    return status;
}

// The curve in the first colour with this line width: its number of pieces and extent.
typedef struct path {
    int pieces, vertices;
    double x_low, x_high, y_low, y_high;
} path;

static path find_path(const char *svg, const char *width) {
    path p = { .x_low = INFINITY, .x_high = -INFINITY, .y_low = INFINITY, .y_high = -INFINITY };
    const char *at = svg;
    for (; (at = strstr(at, "stroke-width:")); at++) {
        const char *end = strchr(at, '>'), *colour = strstr(at, "rgb(0%,44.7"),
                   *d = strstr(at, " d=\"");
        bool same = strncmp(at + 13, width, strlen(width)) == 0 && at[13 + strlen(width)] == ';';
        if (!end || !same || !colour || colour > end || !d || d > end) continue;
        for (d += 4; *d == 'M' || *d == 'L';) {
            char *next;
            p.pieces += *d == 'M';
            p.vertices++;
            double x = strtod(d + 1, &next), y = strtod(next, &next);
            p.x_low = fmin(p.x_low, x);
            p.x_high = fmax(p.x_high, x);
            p.y_low = fmin(p.y_low, y);
            p.y_high = fmax(p.y_high, y);
            d = next + strspn(next, " ");
        }
        break;
    }
    return p;
}

static path drawn_path(const scree_series *series, const char *width) {
    path p = { 0 };
    if (draw_one(series, 1, "path.svg") != SCREE_OK) return p;
    bytes b = read_all(in_folder("path.svg"));
    p = find_path(b.data, width);
    free(b.data);
    return p;
}

static void three_formats_are_drawn_alike_each_time(void) {
    double *x = ramp(POINTS, 2), *y = ramp(POINTS, 1), *z = ramp(POINTS, 1);
    for (int i = 0; i < POINTS; i++) y[i] = sin(20 * x[i]), z[i] = cos(20 * x[i]);
    scree_series series[] = { { "u_N", x, y, POINTS, SCREE_LINE, -1 },
                              { "u_T", x, z, POINTS, SCREE_DASHED, -1 },
                              { "r_N", x, z, 40, SCREE_STEMS, -1 },
                              { "λ", x, y, 60, SCREE_DOTS, -1 },
                              { "μ", x, z, POINTS, SCREE_STEPS, -1 } };
    const char *name[] = { "a.svg", "a.png", "a.pdf" }, *again[] = { "b.svg", "b.PNG", "b.pdf" };
    const char *magic[] = { "<?xml", "\x89PNG", "%PDF-" };
    for (int i = 0; i < 3; i++) {
        draw_one(series, 5, name[i]);
        draw_one(series, 1, "between.svg");
        draw_one(series, 5, again[i]);
        bytes first = read_all(in_folder(name[i])), second = read_all(in_folder(again[i]));
        CHECK(first.size > 4000 && first.size < 400000);
        CHECK(strncmp(first.data, magic[i], strlen(magic[i])) == 0);
        for (size_t k = 0; k + 12 < first.size; k++)
            CHECK(memcmp(first.data + k, "CreationDate", 12) != 0);
        CHECK(first.size == second.size && memcmp(first.data, second.data, first.size) == 0);
        free(first.data);
        free(second.data);
    }
    CHECK_INT(sweep_folder(false), 7);  // nothing temporary stays
    sweep_folder(true);
    free(x), free(y), free(z);
}

static void curves_stay_small(void) {
    // smooth and noisy, and a million points
    double *x = ramp(MANY, 10), *y = ramp(MANY, 1);
    for (int kind = 0; kind < 3; kind++) {
        int count = kind < 2 ? POINTS : MANY;
        for (int i = 0; i < count; i++)
            y[i] = kind == 0 ? sin(40.0 * i / count) : uniform(-1, 1) + sin(9.0 * i / count);
        scree_series series = { "u", x, y, count, SCREE_LINE, -1 };
        draw_one(&series, 1, "size.svg");
        bytes b = read_all(in_folder("size.svg"));
        if (b.size > 200000 || b.size < 10000) COMPLAIN("kind %d: %zu bytes", kind, b.size);
        free(b.data);
    }

    // a single value among a million is still seen, at its full height
    for (int i = 0; i < MANY; i++) y[i] = 1e-3 * sin(1e-3 * i);
    y[777777] = 4;
    y[222222] = -2;
    scree_series spike = { NULL, x, y, MANY, SCREE_LINE, -1 };
    path few = drawn_path(&spike, "1.1");
    double tall = few.y_high - few.y_low;
    double corner_x[] = { 0, 2, 8, 10 }, corner_y[] = { 0, -2, 4, 0 };
    scree_series corners = { NULL, corner_x, corner_y, 4, SCREE_LINE, -1 };
    path exact = drawn_path(&corners, "1.1");
    CHECK_NEAR(tall, exact.y_high - exact.y_low, 0.02);
    CHECK_NEAR(few.x_high - few.x_low, exact.x_high - exact.x_low, 0.02);
    CHECK(few.vertices < 5000);

    // an orbit passed a thousand times
    for (int i = 0; i < MANY; i++) x[i] = cos(0.01 * i), y[i] = sin(0.01 * i) * (1 + 1e-6 * i);
    scree_series orbit = { NULL, x, y, MANY, SCREE_LINE, -1 };
    draw_one(&orbit, 1, "size.svg");
    bytes b = read_all(in_folder("size.svg"));
    CHECK(b.size < 2000000);
    free(b.data);
    free(x), free(y);
    sweep_folder(true);
}

static void straight_lines_keep_their_corners(void) {
    // a saw tooth of 1001 points has 11 corners, and thinning must keep just about those
    double x[1001], y[1001];
    for (int i = 0; i <= 1000; i++) {
        x[i] = i;
        y[i] = fabs(remainder(i, 200));
    }
    scree_series saw = { NULL, x, y, 1001, SCREE_LINE, -1 };
    path p = drawn_path(&saw, "1.1");
    CHECK_INT(p.pieces, 1);
    CHECK(p.vertices >= 11 && p.vertices <= 24);

    // there and back on the same line
    scree_series tip = {
        NULL, (double[]){ 0, 5, 2, 9 }, (double[]){ 0, 5, 2, 2 }, 4, SCREE_LINE, -1
    };
    CHECK_INT(drawn_path(&tip, "1.1").vertices, 4);
    sweep_folder(true);
}

static void gaps_break_the_line(void) {
    double x[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 };
    double y[] = { 1, 2, NAN, 3, -INFINITY, 4, 5, 1e301, 2, 3 };
    scree_series series = { NULL, x, y, 10, SCREE_LINE, -1 };
    CHECK_INT(drawn_path(&series, "1.1").pieces, 3);
    CHECK_INT(drawn_path(&series, "2.6").pieces, 1);  // the lonely point, as a dot
    series.mark = SCREE_DOTS;
    CHECK_INT(drawn_path(&series, "2.6").pieces, 7);
    series.mark = SCREE_STEMS;
    CHECK_INT(drawn_path(&series, "1").pieces, 7);
    series.mark = SCREE_STEPS;
    CHECK_INT(drawn_path(&series, "1.1").vertices, 9);
    series.mark = SCREE_LINE;
    series.count = 1;
    CHECK_INT(drawn_path(&series, "2.6").pieces, 1);
    CHECK_INT(drawn_path(&series, "1.1").pieces, 0);
    sweep_folder(true);
}

static void panels_without_data_are_drawn(void) {
    double nothing[] = { NAN, INFINITY }, zero[] = { 0, 0 };
    scree_series bad = { "bad", zero, nothing, 2, SCREE_LINE, -1 }, none = { .label = "none" };
    scree_series flat = { "flat", zero, zero, 2, SCREE_STEMS, -1 };
    scree_panel panels[] = {
        { .title = "empty" },
        { .series = &bad, .series_count = 1, .equal_aspect = true },
        { .series = &none, .series_count = 1, .zero_line = true },
        { .series = &flat, .series_count = 1, .mark_at = zero, .mark_count = 2 },
        { .mark_at = zero, .mark_count = 2 }
    };
    for (int i = 0; i < 5; i++) {
        scree_figure figure = { .panel = panels + i, .panels = 5 - i };
        scree_error err = { 0 };
        CHECK_INT(scree_chart_draw(&figure, in_folder("none.svg"), &err), SCREE_OK);
        CHECK_INT(scree_chart_draw(&figure, in_folder("none.png"), NULL), SCREE_OK);
    }
    sweep_folder(true);
}

static void markup_is_read(void) {
    cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 10, 10);
    cairo_t *cr = cairo_create(surface);
    scree_lettering style = { .size = 100 }, verbatim = { .size = 100, .verbatim = true };
    double plain = scree_lettering_width(cr, style, "uN"),
           sub = scree_lettering_width(cr, style, "u_N");
    CHECK(sub < plain && sub > 0.6 * plain);
    CHECK_NEAR(scree_lettering_width(cr, style, "u_{N}"), sub, 1e-9);
    CHECK_NEAR(scree_lettering_width(cr, style, "u^{N}"), sub, 1e-9);
    CHECK_NEAR(scree_lettering_width(cr, style, "u_{N"), sub, 1e-9);
    CHECK_NEAR(scree_lettering_width(cr, style, "\\uN"), plain, 1e-9);
    CHECK(scree_lettering_width(cr, style, "u_") > scree_lettering_width(cr, style, "u"));
    CHECK_NEAR(scree_lettering_width(cr, style, NULL), 0, 0);
    const char *names[] = { "ball_1", "a^b_{c}\\", "_", "\\", "µ_Ω" };
    for (int i = 0; i < 5; i++) {
        char escaped[40], cut[5];
        scree_chart_escape(names[i], escaped, sizeof escaped);
        CHECK_NEAR(scree_lettering_width(cr, style, escaped),
                   scree_lettering_width(cr, verbatim, names[i]), 1);
        scree_chart_escape(names[i], cut, sizeof cut);
        CHECK(strlen(cut) < 5 && strncmp(cut, escaped, strlen(cut)) == 0);
    }
    CHECK_NEAR(scree_lettering_width(cr, style, "a\xff\xc0\x80\n\xed\xa0\x80"),
               scree_lettering_width(cr, style, "a??? ???"), 1);
    CHECK_INT(cairo_status(cr), CAIRO_STATUS_SUCCESS);
    cairo_destroy(cr);
    cairo_surface_destroy(surface);
}

// ---- errors

static void refuse(const scree_figure *figure, const char *file, scree_status expected,
                   const char *words) {
    scree_error err = { 0 };
    CHECK_INT(scree_chart_draw(figure, file, &err), expected);
    CHECK_INT(err.status, expected);
    if (!strstr(err.text, words)) COMPLAIN("\"%s\" does not say \"%s\"", err.text, words);
    CHECK_INT(scree_chart_draw(figure, file, NULL), expected);
}

static void wrong_figures_are_refused(void) {
    scree_panel panel = { .title = "t" };
    scree_figure good = { .panel = &panel, .panels = 1 }, bad = good;
    const char *names[] = { "x.jpg", "x", "", "svg", "x.svg.gz" };
    for (int i = 0; i < 5; i++) refuse(&good, names[i], SCREE_BAD_INPUT, ".svg, .png or .pdf");
    const char *file = in_folder("bad.svg");
    bad.panels = 0;
    refuse(&bad, file, SCREE_BAD_INPUT, "panel");
    double sizes[] = { -1, NAN, INFINITY, 1e6 };
    for (int i = 0; i < 4; i++) {
        bad = good;
        bad.width = sizes[i];
        refuse(&bad, file, SCREE_BAD_INPUT, "width");
    }
    bad = good;
    bad.width = bad.height = 30;
    refuse(&bad, file, SCREE_BAD_INPUT, "too small");
    bad = good;
    scree_series hollow = { .count = 3 };
    scree_panel wrong = { .series = &hollow, .series_count = 1 };
    bad.panel = &wrong;
    refuse(&bad, file, SCREE_BAD_INPUT, "points");
    wrong = (scree_panel){ .mark_count = 1 };
    refuse(&bad, file, SCREE_BAD_INPUT, "marks");
    CHECK_INT(sweep_folder(false), 0);
}

static void failed_writes_leave_nothing(void) {
    scree_panel panel = { .title = "t" };
    scree_figure figure = { .panel = &panel, .panels = 1 };
    refuse(&figure, in_folder("no/such/folder.svg"), SCREE_FILE_ERROR, strerror(ENOENT));
    CHECK(mkdir(in_folder("folder.svg"), 0777) == 0);
    refuse(&figure, in_folder("folder.svg"), SCREE_FILE_ERROR, "cannot be written");
    CHECK_INT(sweep_folder(false), 1);
    CHECK(rmdir(in_folder("folder.svg")) == 0);

    // a full device
    const char *endings[] = { "full.svg", "full.png", "full.pdf" };
    for (int i = 0; i < 3 && access("/dev/full", W_OK) == 0; i++) {
        CHECK(symlink("/dev/full", in_folder(endings[i])) == 0);
        refuse(&figure, in_folder(endings[i]), SCREE_FILE_ERROR, strerror(ENOSPC));
        CHECK(remove(in_folder(endings[i])) == 0);
    }

    // a disk that fills up half-way does not cost the old picture
    FILE *stream = fopen(in_folder("old.svg"), "w");
    CHECK(stream && fputs("old", stream) >= 0 && fclose(stream) == 0);
    struct rlimit before, limit;
    getrlimit(RLIMIT_FSIZE, &before);
    limit = before;
    limit.rlim_cur = 1000;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    refuse(&figure, in_folder("old.svg"), SCREE_FILE_ERROR, strerror(EFBIG));
    setrlimit(RLIMIT_FSIZE, &before);
    bytes b = read_all(in_folder("old.svg"));
    CHECK_TEXT(b.data, "old");
    free(b.data);
    CHECK_INT(sweep_folder(false), 1);

    // a link to a picture stays a link
    CHECK(symlink("old.svg", in_folder("link.svg")) == 0);
    CHECK_INT(scree_chart_draw(&figure, in_folder("link.svg"), NULL), SCREE_OK);
    struct stat found;
    CHECK(lstat(in_folder("link.svg"), &found) == 0 && S_ISLNK(found.st_mode));
    CHECK(stat(in_folder("old.svg"), &found) == 0 && found.st_size > 1000);
    sweep_folder(true);
}

// ---- anything goes

static double wild(int kind) {
    if (kind == 0) return uniform(-1, 1);
    if (kind == 1) return uniform(-1, 1) * pow(10, uniform(-320, 305));
    if (kind == 2) return integer(-2, 2);
    if (kind == 3) return 9.81 + integer(0, 100) * DBL_EPSILON;
    if (kind == 4) return integer(0, 3) ? uniform(0, 1e-3) : (double)NAN;
    if (kind == 5) return integer(0, 9) ? 0 : uniform(0, 1) * 1e-4;
    return integer(0, 1) ? (double)INFINITY : -1e300;
}

static const char *wild_text(char *buffer, int size) {
    if (!integer(0, 3)) return NULL;
    int length = integer(0, size - 1);
    for (int i = 0; i < length; i++)
        buffer[i] = (char)(integer(0, 2) ? "ab_^\\{}Nx[] "[integer(0, 11)] : integer(1, 255));
    buffer[length] = 0;
    return buffer;
}

static void random_figures_are_drawn(void) {
    enum { SERIES = 9, COUNT = 400, PANELS = 7 };
    static double x[SERIES][COUNT], y[SERIES][COUNT];
    static char text[4 * PANELS + SERIES][40];
    int drawn = 0;
    for (int round = 0; round < ROUNDS; round++) {
        scree_series series[SERIES];
        for (int s = 0; s < SERIES; s++) {
            int x_kind = integer(0, 6), y_kind = integer(0, 6);
            bool sorted = integer(0, 1);
            for (int i = 0; i < COUNT; i++) {
                x[s][i] = sorted ? 0.01 * i : wild(x_kind);
                y[s][i] = wild(y_kind);
            }
            series[s] =
                (scree_series){ wild_text(text[s], 30),    x[s],           y[s], integer(0, COUNT),
                                (scree_mark)integer(0, 4), integer(-1, 20) };
        }
        scree_panel panels[PANELS];
        for (int p = 0; p < PANELS; p++) {
            char(*own)[40] = text + SERIES + 3 * p;
            int first = integer(0, SERIES), count = integer(0, SERIES - first);
            bool may_log = true, equal = integer(0, 1), zero = integer(0, 1);
            for (int s = first; s < first + count; s++) may_log &= series[s].mark != SCREE_STEMS;
            panels[p] = (scree_panel){ wild_text(own[0], 40),
                                       wild_text(own[1], 40),
                                       wild_text(own[2], 40),
                                       series + first,
                                       count,
                                       x[0],
                                       integer(0, COUNT),
                                       equal,
                                       zero,
                                       may_log && !equal && !zero && integer(0, 1),
                                       may_log && !equal && !zero && integer(0, 1) };
        }
        scree_figure figure = { "any",
                                "_^\\",
                                panels,
                                integer(1, PANELS),
                                integer(-1, 5),
                                integer(0, 1) * uniform(20, 900),
                                integer(0, 1) * uniform(20, 900),
                                { integer(0, 5), integer(0, 4), integer(0, 3), true } };
        const char *names[] = { "any.svg", "any.pdf", "any.png" };
        scree_error err = { 0 };
        scree_status status = scree_chart_draw(&figure, in_folder(names[round % 3]), &err);
        drawn += status == SCREE_OK;
        if (status != SCREE_OK && !strstr(err.text, "too small")) COMPLAIN("%s", err.text);
        if (status == SCREE_OK && round % 3 == 0) {
            bytes b = read_all(in_folder("any.svg"));
            CHECK(!strstr(b.data, "nan") && !strstr(b.data, "inf"));
            CHECK(b.size > 100 && strstr(b.data + b.size - 10, "</svg>"));
            free(b.data);
        }
    }
    CHECK(drawn > ROUNDS / 3);
    sweep_folder(true);
}

TEST_FILE(test_chart) {
    snprintf(folder, sizeof folder, "/tmp/scree-chart-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    TEST(ticks_say_where_they_stand);
    TEST(ticks_are_written_like_in_a_paper);
    TEST(constant_data_get_a_range);
    TEST(three_formats_are_drawn_alike_each_time);
    TEST(curves_stay_small);
    TEST(straight_lines_keep_their_corners);
    TEST(gaps_break_the_line);
    TEST(panels_without_data_are_drawn);
    TEST(markup_is_read);
    TEST(wrong_figures_are_refused);
    TEST(failed_writes_leave_nothing);
    TEST(random_figures_are_drawn);
    rmdir(folder);
    return harness_end();
}
