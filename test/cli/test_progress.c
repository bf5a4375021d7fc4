// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_progress.c - the progress line: its words, its width on every terminal, and a real terminal
// that is as blank after the run as before.

#define _XOPEN_SOURCE 700

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "cli/progress.h"
#include "cli/text.h"
#include "harness.h"

static void the_line_reads_well(void) {
    static const struct {
        int64_t done, total;
        double rate;
        const char *note, *line;
    } cases[] = {
        { 0, 1000, 0, NULL, "  0%  [>                         ]" },
        { 500, 1000, 12.34, "t = 1 s",
          " 50%  [=============>            ]  12.3 steps/s  0:41 left  t = 1 s" },
        { 1000, 1000, 1234, "", "100%  [==========================]  1.23k steps/s" },
        { 1, 3000000, 999.6, NULL,
          "  0%  [>                         ]  1.00k steps/s  50:01 left" },
        { 10, 36010, 1, NULL, "  0%  [>                         ]  1.00 steps/s  10:00:00 left" },
        { 0, 1000000, 1, NULL, "  0%  [>                         ]  1.00 steps/s  12 days left" },
        { 0, INT64_MAX, 1, NULL, "  0%  [>                         ]  1.00 steps/s  ages left" },
        { 42, 0, 2.5e7, "a\nb", "42 steps  25.0M steps/s  a?b" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[200];
        int columns = cli_progress_line(cases[i].done, cases[i].total, cases[i].rate, cases[i].note,
                                        79, line, sizeof line);
        CHECK_TEXT(line, cases[i].line);
        CHECK_INT(columns, strlen(line));
    }
}

static void no_terminal_is_too_narrow(void) {
    static const int64_t steps[] = { 0, 1, 77, 100, 123456789, INT64_MAX, INT64_MIN, -5 };
    static const char *const notes[] = {
        NULL, "", "t = 0.5 s, 1234 contacts",
        "\xE2\x88\x8B\xE2\x88\x8B\xE2\x88\x8B\xE2\x88\x8B é é é é é", "\xFF\xFE\033[2J"
    };
    for (int columns = 1; columns < 600; columns += columns < 120 ? 1 : 37)
        for (int d = 0; d < 8; d++)
            for (int t = 0; t < 8; t++)
                for (int n = 0; n < 5; n++) {
                    char line[512], small[20];
                    int used = cli_progress_line(steps[d], steps[t], 3.7e3 * n, notes[n], columns,
                                                 line, sizeof line);
                    CHECK(used <= columns);
                    CHECK_INT(used, cli_text_columns(line, strlen(line)));
                    cli_progress_line(steps[d], steps[t], 1e300, notes[n], columns, small,
                                      sizeof small);
                }
}

static void nothing_is_written_to_files(void) {
    FILE *file = tmpfile();
    cli_progress progress = cli_progress_begin(file, false);
    progress.began -= 10;
    progress.shown -= 10;
    cli_progress_update(&progress, 1, 2, "note");
    cli_progress_end(&progress);
    CHECK_INT(ftell(file), 0);
    fclose(file);
}

// a terminal of so many columns; false if the system has none to give
static bool open_terminal(int columns, int *master, FILE **stream) {
    *master = posix_openpt(O_RDWR | O_NOCTTY);
    if (*master < 0) return false;
    if (grantpt(*master) != 0 || unlockpt(*master) != 0) return false;
    struct winsize size = { .ws_row = 24, .ws_col = (unsigned short)columns };
    int slave = open(ptsname(*master), O_RDWR | O_NOCTTY);
    if (slave < 0) return false;
    ioctl(slave, TIOCSWINSZ, &size);
    *stream = fdopen(slave, "w");
    return *stream != NULL;
}

// what a terminal shows on its line; complains if text reaches the last column
static size_t play(const char *output, size_t length, int columns, char *screen) {
    size_t at = 0, drawn = 0;
    memset(screen, ' ', (size_t)columns);
    for (size_t i = 0; i < length; i++) {
        if (output[i] == '\r') {
            at = 0;
            continue;
        }
        CHECK((unsigned char)output[i] >= ' ');
        CHECK((int)at < columns - 1);
        if ((int)at < columns) screen[at++] = output[i];
        drawn += output[i] == '%';
    }
    screen[columns] = 0;
    return drawn;
}

static void a_terminal_is_blank_afterwards(void) {
    static const int widths[] = { 8, 30, 80 };
    setenv("TERM", "xterm", 1);
    for (int w = 0; w < 3; w++) {
        int master, columns = widths[w];
        FILE *stream;
        if (!open_terminal(columns, &master, &stream)) return;
        cli_progress quiet = cli_progress_begin(stream, true);
        CHECK(quiet.stream == NULL);
        cli_progress progress = cli_progress_begin(stream, false);
        CHECK(progress.stream == stream);

        // a quarter of a second of updates; ten drawings a second are allowed
        for (int step = 0; step < 250; step++) {
            cli_progress_update(&progress, step, 300, step < 150 ? "a long long note" : "short");
            nanosleep(&(struct timespec){ 0, 1000000 }, NULL);
        }
        CHECK(progress.columns > 0);
        cli_progress_end(&progress);
        CHECK_INT(progress.columns, 0);

        char output[4000], screen[100];
        double elapsed = progress.shown - progress.began;
        fclose(stream);
        size_t length = 0;
        for (ssize_t more; (more = read(master, output + length, sizeof output - length)) > 0;)
            length += (size_t)more;
        size_t drawn = play(output, length, columns, screen);
        CHECK(drawn >= 1 && (double)drawn <= 2 * elapsed / 0.1);  // a shorter line is drawn twice
        CHECK_INT(strspn(screen, " "), columns);
        close(master);
    }
}

TEST_FILE(test_progress) {
    TEST(the_line_reads_well);
    TEST(no_terminal_is_too_narrow);
    TEST(nothing_is_written_to_files);
    TEST(a_terminal_is_blank_afterwards);
    return harness_end();
}
