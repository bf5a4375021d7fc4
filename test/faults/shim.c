// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// shim.c - faults of a machine, put below a command by LD_PRELOAD.
// in: the environment.   out: calls that fail, writes that are torn, a process that is killed.
//
// FAULT_AT: the number of the call that is hit, from 1; 0 or none, calls are only counted.
// FAULT_CALL: of which kind, alloc, write, truncate, sync, close or rename.
// FAULT_HOW: fail, which is the default; kill, before the call; torn, FAULT_BYTES of a write reach
// the disk and the process is killed; short, they reach it and the write tells how many; slow, the
// second half of every write reaches it FAULT_BYTES microseconds after the first, and truncations
// wait as long: what others see in between.
// FAULT_ERROR: errno of what fails, EIO if not given.
// FAULT_EVER: 1, all later calls of the kind are hit as well.
// FAULT_COUNT: a file for how many calls there were, written when the process ends.
// FAULT_LOG: a file for what was written: a line "W place bytes" and the bytes, "T size" for a
// truncation, "N" where a file got its name.
//
// What is written, closed and the like counts where it is a regular file that was opened for
// writing, allocations count from the start of the process, those of all libraries.

#define _GNU_SOURCE
#undef _FILE_OFFSET_BITS  // both names of each call are taken here

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef enum kind { ALLOC, WRITE, TRUNCATE, SYNC, CLOSE, RENAME, KINDS } kind;
static const char *const kind_name[] = { "alloc", "write", "truncate", "sync", "close", "rename" };

static kind wanted = KINDS;
static long at;
static int error_number = EIO;
static bool ever, kills, tears, is_short, is_slow;
static size_t bytes;
static int log_file = -1;
static atomic_long calls[KINDS];

static long number_of(const char *name, long otherwise) {
    const char *text = getenv(name);
    return text ? strtol(text, NULL, 10) : otherwise;
}

__attribute__((constructor)) static void begin(void) {
    const char *call = getenv("FAULT_CALL"), *how = getenv("FAULT_HOW");
    error_number = (int)number_of("FAULT_ERROR", EIO);
    ever = number_of("FAULT_EVER", 0) != 0;
    bytes = (size_t)number_of("FAULT_BYTES", 0);
    kills = how && strcmp(how, "kill") == 0;
    tears = how && strcmp(how, "torn") == 0;
    is_short = how && strcmp(how, "short") == 0;
    is_slow = how && strcmp(how, "slow") == 0;
    at = number_of("FAULT_AT", 0);
    if (getenv("FAULT_LOG"))
        log_file = open(getenv("FAULT_LOG"), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    for (int k = 0; call && k < KINDS; k++)
        if (strcmp(call, kind_name[k]) == 0) wanted = (kind)k;
}

__attribute__((destructor)) static void end(void) {
    const char *path = getenv("FAULT_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    for (int k = 0; k < KINDS; k++) fprintf(file, "%s %ld\n", kind_name[k], (long)calls[k]);
    fclose(file);
}

// is this call hit?
static bool is_hit(kind of) {
    long number = atomic_fetch_add(&calls[of], 1) + 1;
    return of == wanted && at && (ever ? number >= at : number == at);
}

static int hit(void) {
    if (kills) kill(getpid(), SIGKILL);
    errno = error_number;
    return -1;
}

static bool is_written(int file) {
    struct stat about;
    int flags = fcntl(file, F_GETFL);
    return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && fstat(file, &about) == 0 &&
           S_ISREG(about.st_mode);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

// -------------------------------------------------------------------------------------------------
// memory: glibc's own names, since dlsym itself allocates

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static bool runs_out(void) {
    if (!is_hit(ALLOC)) return false;
    errno = ENOMEM;
    return true;
}

void *malloc(size_t size) { return runs_out() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return runs_out() ? NULL : __libc_calloc(count, size); }
void *realloc(void *old, size_t size) { return runs_out() ? NULL : __libc_realloc(old, size); }

void *aligned_alloc(size_t alignment, size_t size) {
    return runs_out() ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **made, size_t alignment, size_t size) {
    void *room = runs_out() ? NULL : __libc_memalign(alignment, size);
    if (!room) return ENOMEM;
    *made = room;
    return 0;
}

// -------------------------------------------------------------------------------------------------
// files

static void put_log(const char *what, long first, long second, const void *more, size_t size) {
    char line[80];
    if (log_file < 0) return;
    int length = snprintf(line, sizeof line, "%s %ld %ld\n", what, first, second);
    if (write(log_file, line, (size_t)length) != length ||
        (size && write(log_file, more, size) != (ssize_t)size))
        abort();
}

static ssize_t write_slowly(int file, const char *from, size_t size, off_t offset) {
    ssize_t put = REAL(pwrite)(file, from, size / 2, offset);
    usleep((useconds_t)bytes);
    if (put < 0) return put;
    ssize_t more = REAL(pwrite)(file, from + put, size - (size_t)put, offset + put);
    usleep((useconds_t)bytes);
    return more < 0 ? more : put + more;
}

ssize_t pwrite(int file, const void *from, size_t size, off_t offset) {
    if (is_slow && is_written(file)) return write_slowly(file, from, size, offset);
    if (!is_written(file) || !is_hit(WRITE)) {
        put_log("W", (long)offset, (long)size, from, size);
        return REAL(pwrite)(file, from, size, offset);
    }
    size_t part = bytes < size ? bytes : size;
    if ((tears || is_short) && part > 0) {
        ssize_t put = REAL(pwrite)(file, from, part, offset);
        if (is_short) return put;
    }
    if (tears) kill(getpid(), SIGKILL);
    return hit();
}

ssize_t pwrite64(int file, const void *from, size_t size, off_t offset) {
    return pwrite(file, from, size, offset);
}

int ftruncate(int file, off_t size) {
    if (is_slow && is_written(file)) usleep((useconds_t)bytes);
    put_log("T", (long)size, 0, NULL, 0);
    return is_written(file) && is_hit(TRUNCATE) ? hit() : REAL(ftruncate)(file, size);
}

int ftruncate64(int file, off_t size) { return ftruncate(file, size); }
int fsync(int file) { return is_hit(SYNC) ? hit() : REAL(fsync)(file); }
int fdatasync(int file) { return is_hit(SYNC) ? hit() : REAL(fdatasync)(file); }

int close(int file) {
    bool is = is_written(file) && is_hit(CLOSE);
    if (is && kills) return hit();
    int code = REAL(close)(file);
    return is ? hit() : code;
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    put_log("N", 0, 0, NULL, 0);
    return REAL(renameat2)(from_folder, from, to_folder, to, flags);
}

int rename(const char *from, const char *to) {
    return is_hit(RENAME) ? hit() : REAL(rename)(from, to);
}
