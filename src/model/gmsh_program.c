// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// gmsh_program.c - a script of Gmsh -> a mesh file, by the program gmsh and without a shell.
// in: NAME.geo.   out: NAME.geo.msh.
//
// The mesh ends with a section $Comments, which readers of such files pass over. It says what the
// mesh was made of, by the sum of the script's bytes and not by times, which copies do not keep.

#define _POSIX_C_SOURCE 200809L

#include "model/gmsh_program.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { SAID = 240 };  // bytes of what the program says that are kept

typedef struct task {
    const char *geo, *path, *part;  // the script, its mesh, and the mesh while it is being written
    char label[160];                // what the mesh is made of
    char flag[4], size[40];         // -2 or -3; size empty: not given
    char said[SAID + 1];            // what the program says: errors alone
} task;

// --- is the mesh that is there the right one? ---------------------------------------------------

// the sum of Fowler, Noll and Vo; anything but a file has no end that one could wait for
static scree_status add_up(const char *geo, uint64_t *sum, scree_error *err) {
    struct stat about;
    scree_source_location at = { geo, 0, 0 };
    if (stat(geo, &about) == 0 && !S_ISREG(about.st_mode))
        return scree_fail(err, SCREE_FILE_ERROR, at, "is no file");
    FILE *file = fopen(geo, "rb");
    if (!file)
        return scree_fail(err, SCREE_FILE_ERROR, at, "cannot be opened: %s", strerror(errno));
    *sum = 14695981039346656037u;
    for (int c; (c = getc(file)) != EOF;) *sum = (*sum ^ (unsigned char)c) * 1099511628211u;
    bool failed = ferror(file);
    fclose(file);
    return failed ? scree_fail(err, SCREE_FILE_ERROR, at, "cannot be read") : SCREE_OK;
}

// does the mesh end with this label?
static bool is_made(const task *t) {
    char end[400] = "";
    FILE *file = fopen(t->path, "rb");
    if (!file) return false;
    if (fseek(file, -(long)(sizeof end - 1), SEEK_END) != 0) rewind(file);
    size_t got = fread(end, 1, sizeof end - 1, file);
    fclose(file);
    for (size_t i = 0; i < got; i++)
        if (end[i] == '\0') end[i] = ' ';
    return strstr(end, t->label);
}

static bool write_label(const task *t) {
    FILE *file = fopen(t->part, "ab");
    if (!file) return false;
    bool fine = fprintf(file, "$Comments\n%s\n$EndComments\n", t->label) > 0;
    return fclose(file) == 0 && fine;
}

// --- running ------------------------------------------------------------------------------------

// what comes first out of the pipe is the cause of the rest; lines are joined
static void listen_to(int pipe, task *t) {
    char piece[4096];
    size_t used = 0;
    for (;;) {
        ssize_t got = read(pipe, piece, sizeof piece);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) break;
        for (ssize_t i = 0; i < got && used < SAID; i++) {
            bool control = (unsigned char)piece[i] < ' ';
            t->said[used++] = piece[i] == '\n' ? '|' : control ? ' ' : piece[i];
        }
    }
    while (used > 0 && (t->said[used - 1] == '|' || t->said[used - 1] == ' ')) used--;
    t->said[used] = '\0';
}

static int spawn(const task *t, int output, pid_t *child) {
    char *clmax = t->size[0] ? "-clmax" : NULL;  // ends the list if there is no size
    char *words[] = {
        "gmsh",          (char *)t->geo, (char *)t->flag, "-v", "1", "-format", "msh41", "-o",
        (char *)t->part, clmax,          (char *)t->size, NULL
    };
    posix_spawn_file_actions_t actions;
    int failed = posix_spawn_file_actions_init(&actions);
    if (failed) return failed;
    failed = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", 0, 0);
    if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, output, 1);
    if (!failed) failed = posix_spawn_file_actions_adddup2(&actions, output, 2);
    if (!failed) failed = posix_spawnp(child, "gmsh", &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failed;
}

// runs the program to its end; *code is its exit status, or -1
static scree_status run(task *t, int *code, scree_error *err) {
    scree_source_location at = { t->geo, 0, 0 };
    int ends[2], status = 0;
    pid_t child;
    if (pipe(ends) != 0)
        return scree_fail(err, SCREE_FILE_ERROR, at, "no pipe to gmsh: %s", strerror(errno));
    for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFD, FD_CLOEXEC);
    int failed = spawn(t, ends[1], &child);
    close(ends[1]);
    if (!failed) listen_to(ends[0], t);
    close(ends[0]);
    if (failed == ENOENT)
        return scree_fail(err, SCREE_BAD_INPUT, at,
                          "the program gmsh is not installed: install it, or make the mesh "
                          "elsewhere and give it by the key file");
    if (failed)
        return scree_fail(err, SCREE_FILE_ERROR, at, "gmsh cannot be run: %s", strerror(failed));
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) break;
    *code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return SCREE_OK;
}

static scree_status make(task *t, scree_error *err) {
    scree_source_location at = { t->geo, 0, 0 };
    int code = -1;
    scree_status status = run(t, &code, err);
    if (status) return status;
    // the program may go on after an error and end as if there had been none
    if (code != 0 || access(t->part, F_OK) != 0 || strstr(t->said, "Error"))
        return scree_fail(err, SCREE_BAD_INPUT, at, "gmsh could not make a mesh of it: %s",
                          *t->said ? t->said : "it does not say why");
    if (!write_label(t) || rename(t->part, t->path) != 0)
        return scree_fail_file(err, t->path, "cannot be written", errno);
    return SCREE_OK;
}

static char *with_ending(const char *name, const char *ending, scree_arena *arena) {
    size_t room = strlen(name) + strlen(ending) + 1;
    char *text = SCREE_NEW(arena, char, room);
    if (text) snprintf(text, room, "%s%s", name, ending);
    return text;
}

scree_status scree_gmsh_program_run(const char *geo, int space, double size, scree_arena *arena,
                                    const char **path, scree_error *err) {
    char own[40];
    uint64_t sum = 0;
    snprintf(own, sizeof own, ".%ld.part", (long)getpid());
    task t = { .geo = geo, .path = with_ending(geo, ".msh", arena) };
    t.part = t.path ? with_ending(t.path, own, arena) : NULL;
    if (!t.part) return scree_fail_memory(err, NULL);
    scree_status status = add_up(geo, &sum, err);
    if (status) return status;
    snprintf(t.flag, sizeof t.flag, "-%d", space);
    if (!isnan(size)) snprintf(t.size, sizeof t.size, "%.17g", size);
    snprintf(t.label, sizeof t.label,
             "made by scree with gmsh %s%s%s of a script with the sum %016" PRIx64 ".", t.flag,
             t.size[0] ? " -clmax " : "", t.size, sum);
    *path = t.path;
    if (is_made(&t)) return SCREE_OK;
    status = make(&t, err);
    if (status) remove(t.part);
    return status;
}
