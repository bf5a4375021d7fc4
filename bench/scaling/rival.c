// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rival.c - a contact problem handed to Siconos.
// in: problem, script.   out: what the script found, and how long it took.

#include "rival.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

double rival_now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool rival_write(const scree_problem *problem, const char *path) {
    FILE *file = fopen(path, "w");
    if (!file) return false;
    int nc = problem->contacts, blocks = problem->row[nc];
    fprintf(file, "3\n%d\n1\n%d\n%d\n%d\n%d\n%d\n", nc, 3 * nc, 3 * nc, blocks, nc, nc);
    for (int list = 0; list < 2; list++)
        for (int i = 0; i < nc; i++) fprintf(file, "%d\n", 3 * (i + 1));
    fprintf(file, "%d\n%d\n", nc + 1, blocks);
    for (int i = 0; i <= nc; i++) fprintf(file, "%d\n", problem->row[i]);
    for (int k = 0; k < blocks; k++) fprintf(file, "%d\n", problem->column[k]);
    for (int k = 0; k < blocks; k++) {
        fprintf(file, "%d\n", k);
        for (int e = 0; e < 9; e++)
            fprintf(file, "%.17e\n", problem->block[9 * (size_t)k + (size_t)(e % 3 * 3 + e / 3)]);
    }
    for (int i = 0; i < 3 * nc; i++) fprintf(file, "%.17e\n", problem->b[i]);
    for (int i = 0; i < nc; i++) fprintf(file, "%.17e\n", problem->mu[i]);
    return fclose(file) == 0;
}

bool rival_ask(const char *script, const char *path, double tolerance, double limit, int contacts,
               double *seconds, int *sweeps, double *r) {
    char command[1024], answer[512], line[256] = "";
    snprintf(answer, sizeof answer, "%s.answer", path);
    // a limit of 0 is none to timeout, too
    snprintf(command, sizeof command, "timeout %.0f /usr/bin/python3 -B %s %s %g %s", limit, script,
             path, tolerance, answer);
    FILE *pipe = popen(command, "r");
    if (!pipe) return false;
    bool spoke = fgets(line, sizeof line, pipe) != NULL;
    bool ended = pclose(pipe) == 0;
    if (!spoke || !ended || sscanf(line, "%lf %d", seconds, sweeps) != 2) {
        if (spoke && strncmp(line, "SKIPPED", 7) == 0) fputs(line, stderr);
        return false;
    }
    FILE *file = fopen(answer, "rb");
    if (!file) return false;
    bool whole = fread(r, sizeof *r, 3 * (size_t)contacts, file) == 3 * (size_t)contacts;
    fclose(file);
    unlink(answer);
    return whole;
}
