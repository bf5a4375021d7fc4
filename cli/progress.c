// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// progress.c - one line that tells how far a run is.
// in: steps done, steps in all, a note.   out: a line that is overwritten and at last erased.

#define _POSIX_C_SOURCE 200809L

#include "cli/progress.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/text.h"

enum { BAR_LEAST = 10, BAR_MOST = 30, PIECE = 64, LINE = 512 };

static const double INTERVAL = 0.1;  // [s] between two drawings

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

cli_progress cli_progress_begin(FILE *stream, bool quiet) {
    const char *terminal = getenv("TERM");
    bool dumb = terminal && strcmp(terminal, "dumb") == 0;
    bool show = !quiet && !dumb && cli_terminal_columns(stream) > 0;
    double time = now();  // the first line after one interval: short runs show nothing
    return (cli_progress){ show ? stream : NULL, time, time, -1, 0 };
}

// three digits: 0.12, 1.23, 12.3, 123, 1.23k, 12.3M
static void write_rate(double rate, char buffer[PIECE]) {
    static const char *const units[] = { "", "k", "M", "G" };
    int unit = 0;
    while (rate >= 999.5 && unit < 3) {
        rate /= 1000;
        unit++;
    }
    int decimals = rate < 9.995 ? 2 : rate < 99.95 ? 1 : 0;
    snprintf(buffer, PIECE, "%.*f%s steps/s", decimals, rate, units[unit]);
}

// 0:07, 12:34, 5:12:34, 3 days
static void write_time(double seconds, char buffer[PIECE]) {
    if (!(seconds < 1e9)) {
        snprintf(buffer, PIECE, "ages");
        return;
    }
    long long s = (long long)(seconds + 0.5);
    if (s < 3600)
        snprintf(buffer, PIECE, "%lld:%02lld", s / 60, s % 60);
    else if (s < 100 * 3600)
        snprintf(buffer, PIECE, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
    else
        snprintf(buffer, PIECE, "%lld days", (s + 43200) / 86400);
}

static void write_bar(double part, int cells, char buffer[PIECE]) {
    int full = (int)(part * cells);
    buffer[0] = '[';
    for (int i = 0; i < cells; i++) buffer[1 + i] = i < full ? '=' : i == full ? '>' : ' ';
    buffer[1 + cells] = ']';
    buffer[2 + cells] = 0;
}

// add a piece if the line still has room for all of it
static void append(char *line, size_t size, int columns, int *used, const char *piece) {
    int gap = *used ? 2 : 0, width = cli_text_columns(piece, strlen(piece));
    size_t at = strlen(line);
    if (*used + gap + width > columns || at + (size_t)gap + strlen(piece) + 1 > size) return;
    snprintf(line + at, size - at, "%*s%s", gap, "", piece);
    *used += gap + width;
}

int cli_progress_line(int64_t done, int64_t total, double rate, const char *note, int columns,
                      char *buffer, size_t size) {
    char piece[PIECE], text[LINE];
    int used = 0;
    buffer[0] = 0;
    if (total > 0) {
        double part = (double)done / (double)total;
        if (!(part > 0)) part = 0;
        if (part > 1) part = 1;
        snprintf(piece, sizeof piece, "%3d%%", (int)(100 * part));
        append(buffer, size, columns, &used, piece);
        int cells = columns / 3 > BAR_MOST ? BAR_MOST : columns / 3;
        write_bar(part, cells < BAR_LEAST ? BAR_LEAST : cells, piece);
        append(buffer, size, columns, &used, piece);
    } else {
        snprintf(piece, sizeof piece, "%lld steps", (long long)done);
        append(buffer, size, columns, &used, piece);
    }
    if (rate > 0) {
        write_rate(rate, piece);
        append(buffer, size, columns, &used, piece);
    }
    if (rate > 0 && total > done) {
        char left[PIECE - 8];
        write_time(((double)total - (double)done) / rate, piece);
        snprintf(left, sizeof left, "%.40s left", piece);
        append(buffer, size, columns, &used, left);
    }

    // the note gets what is left, shortened if need be
    int room = columns - used - 2;
    if (note && *note && room >= 8)
        append(buffer, size, columns, &used, cli_tidy(note, room, text, sizeof text));
    return used;
}

void cli_progress_update(cli_progress *progress, int64_t done, int64_t total, const char *note) {
    if (!progress->stream) return;
    if (progress->before < 0) progress->before = done > 0 ? done - 1 : 0;
    double time = now();
    if (time - progress->shown < INTERVAL) return;
    progress->shown = time;

    // the last column stays free: some terminals wrap when it is filled
    char line[LINE];
    int columns = cli_terminal_columns(progress->stream) - 1;
    if (columns < 1) return;
    double elapsed = time - progress->began;
    double rate = elapsed > 0 ? ((double)done - (double)progress->before) / elapsed : 0;
    int used = cli_progress_line(done, total, rate, note, columns, line, sizeof line);

    // overwrite what stands there, blanks over its rest
    int rest = progress->columns - used;
    if (used + rest > columns) rest = columns - used;
    fprintf(progress->stream, "\r%s%*s", line, rest > 0 ? rest : 0, "");
    if (rest > 0) fprintf(progress->stream, "\r%s", line);
    fflush(progress->stream);
    progress->columns = used;
}

void cli_progress_erase(cli_progress *progress) {
    if (!progress->stream || progress->columns == 0) return;
    int columns = cli_terminal_columns(progress->stream) - 1;  // may be narrower by now
    if (columns > progress->columns) columns = progress->columns;
    fprintf(progress->stream, "\r%*s\r", columns > 0 ? columns : 0, "");
    fflush(progress->stream);
    progress->columns = 0;
}

void cli_progress_end(cli_progress *progress) {
    cli_progress_erase(progress);
    progress->stream = NULL;
}
