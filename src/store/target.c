// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// target.c - the place of a run file or a table.

#include "store/target.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "scree/run_file.h"

// places of locks: who writes, and behind it a byte for each process that might be asked who it is
static const off_t WRITER = (off_t)1 << 62, NAMES = ((off_t)1 << 62) + 1, PROCESSES = 1 << 23;

static int set_lock(int descriptor, off_t at) {
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = at, .l_len = 1 };
    return fcntl(descriptor, F_OFD_SETLK, &lock);
}

// the process that writes, 0 if it cannot be told
static long find_writer(int descriptor) {
    struct flock lock = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = NAMES, .l_len = PROCESSES
    };
    if (fcntl(descriptor, F_OFD_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) return 0;
    return (long)(lock.l_start - NAMES);
}

static scree_status fail_taken(const char *path, long process, scree_error *err) {
    char who[40] = "another process";
    if (process > 0) snprintf(who, sizeof who, "process %ld", process);
    return scree_fail(err, SCREE_FILE_ERROR, (scree_source_location){ path, 0, 0 },
                      "is being written by %s", who);
}

// file systems without locks are let through
static scree_status lock(const char *path, int descriptor, scree_error *err) {
    set_lock(descriptor, NAMES + getpid() % PROCESSES);
    if (set_lock(descriptor, WRITER) == 0 || (errno != EAGAIN && errno != EACCES)) return SCREE_OK;
    return fail_taken(path, find_writer(descriptor), err);
}

// is the place held, and by whom?
static bool is_taken(int descriptor, long *process) {
    struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = WRITER, .l_len = 1 };
    bool taken = fcntl(descriptor, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
    *process = taken ? find_writer(descriptor) : 0;
    return taken;
}

scree_status scree_run_check_writer(const char *path, scree_error *err) {
    long process;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return SCREE_OK;
    bool taken = is_taken(descriptor, &process);
    close(descriptor);
    return taken ? fail_taken(path, process, err) : SCREE_OK;
}

bool scree_target_changes(const char *path, double since) {
    long process = 0;
    struct stat about;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) return false;
    bool elsewhere = is_taken(descriptor, &process) && process != (long)getpid();
    bool later = fstat(descriptor, &about) == 0 &&
                 (double)about.st_mtim.tv_sec + 1e-9 * (double)about.st_mtim.tv_nsec > since;
    close(descriptor);
    return elsewhere || later;
}

// devices, pipes and folders are no run files, and to open some of them waits or does something
static scree_status check_regular(const char *path, const struct stat *about, scree_error *err) {
    if (S_ISREG(about->st_mode)) return SCREE_OK;
    return scree_fail(err, SCREE_BAD_INPUT, (scree_source_location){ path, 0, 0 },
                      "is %s, and no regular file, which is what can be written here",
                      S_ISDIR(about->st_mode)    ? "a directory"
                      : S_ISFIFO(about->st_mode) ? "a pipe"
                                                 : "a device");
}

static scree_status check_known(const char *named, const char *path, scree_target_kind kind,
                                scree_error *err) {
    if (kind.knows(path)) return SCREE_OK;
    return scree_fail(err, SCREE_BAD_INPUT, (scree_source_location){ named, 0, 0 },
                      "exists and is no %s of scree's: it is not replaced; remove it, or give "
                      "another name",
                      kind.name);
}

// the file that a path means, through links, also where there is none yet; NULL: no memory
static char *follow(const char *path) {
    enum { LINKS = 40, LONGEST = 4096 };
    char *at = realpath(path, NULL), *target = at ? NULL : malloc(LONGEST + 1);
    if (at) return at;
    at = strdup(path);
    for (int i = 0; at && target && i < LINKS; i++) {
        ssize_t length = readlink(at, target, LONGEST);
        if (length <= 0) break;  // no link, or nothing at all
        target[length] = '\0';
        const char *slash = target[0] == '/' ? NULL : strrchr(at, '/');
        size_t folder = slash ? (size_t)(slash - at) + 1 : 0;
        char *next = malloc(folder + (size_t)length + 1);
        if (next) {
            memcpy(next, at, folder);
            memcpy(next + folder, target, (size_t)length + 1);
        }
        free(at);
        at = next;
    }
    free(target);
    return at;
}

// lock what is there
static scree_status claim(const char *path, scree_target *target, scree_error *err) {
    struct stat about;
    *target = (scree_target){ follow(path), -1 };
    if (!target->path)
        return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for writing %s",
                          path);
    if (stat(target->path, &about) != 0)
        return errno == ENOENT ? SCREE_OK : scree_fail_file(err, path, "cannot be created", errno);
    scree_status status = check_regular(path, &about, err);
    if (status) return status;
    target->descriptor = open(target->path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (target->descriptor < 0) return scree_fail_file(err, path, "cannot be written", errno);
    return lock(path, target->descriptor, err);
}

scree_status scree_target_claim(const char *path, scree_target_kind kind, scree_target *target,
                                scree_error *err) {
    struct stat about;
    scree_status status = claim(path, target, err);
    bool there = !status && target->descriptor >= 0;
    bool empty = there && fstat(target->descriptor, &about) == 0 && about.st_size == 0;
    if (there && !empty) status = check_known(path, target->path, kind, err);
    if (status) scree_target_release(target);
    return status;
}

scree_status scree_target_claim_run(const char *path, scree_target *target, scree_error *err) {
    scree_status status = claim(path, target, err);
    if (!status && target->descriptor < 0)
        status = scree_fail_file(err, path, "cannot be opened", ENOENT);
    if (status) scree_target_release(target);
    return status;
}

struct scree_run_claim {
    scree_target target;
};

scree_status scree_run_claim_take(const char *path, scree_run_claim **claim, scree_error *err) {
    *claim = calloc(1, sizeof **claim);
    if (!*claim) return scree_fail_memory(err, NULL);
    scree_status status = scree_target_claim_run(path, &(*claim)->target, err);
    if (!status) return SCREE_OK;
    free(*claim);
    *claim = NULL;
    return status;
}

void scree_run_claim_release(scree_run_claim *claim) {
    if (claim) scree_target_release(&claim->target);
    free(claim);
}

scree_target scree_target_of_claim(scree_run_claim *claim) {
    scree_target target = claim->target;
    free(claim);
    return target;
}

char *scree_target_beside(const char *path) {
    enum { LONGEST = 255 - 40 };  // a file system's names, less what is added
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t length = strlen(name) < LONGEST ? strlen(name) : LONGEST, folder = (size_t)(name - path);
    char *fresh = malloc(folder + length + 40);
    struct timespec now = { 0 };
    clock_gettime(CLOCK_MONOTONIC, &now);
    // two threads of a process may ask in one moment
    uint64_t word = (uint64_t)now.tv_nsec ^ (uint64_t)(uintptr_t)&now;
    if (fresh)
        sprintf(fresh, "%.*s.%ld-%08" PRIx32 ".new", (int)(folder + length), path, (long)getpid(),
                (uint32_t)word);
    return fresh;
}

// over what is held, or where nothing is; without the second on file systems that cannot tell
static int move(const scree_target *target, const char *fresh) {
    if (target->descriptor < 0) {
        if (renameat2(AT_FDCWD, fresh, AT_FDCWD, target->path, RENAME_NOREPLACE) == 0) return 0;
        if (errno != EINVAL && errno != ENOSYS) return errno;
    }
    return rename(fresh, target->path) == 0 ? 0 : errno;
}

scree_status scree_target_replace(scree_target *target, const char *fresh, scree_error *err) {
    int descriptor = open(fresh, O_RDWR | O_CLOEXEC);
    if (descriptor < 0) return scree_fail_file(err, target->path, "cannot be created", errno);
    scree_status status = lock(target->path, descriptor, err);
    int cause = status ? 0 : move(target, fresh);
    if (cause == EEXIST) {
        scree_target faster;
        status = claim(target->path, &faster, err);
        scree_target_release(&faster);
    }
    if (cause && !status) status = scree_fail_file(err, target->path, "cannot be created", cause);
    if (status) {
        close(descriptor);
        return status;
    }
    if (target->descriptor >= 0) close(target->descriptor);
    target->descriptor = descriptor;
    return SCREE_OK;
}

void scree_target_release(scree_target *target) {
    if (target->descriptor >= 0) close(target->descriptor);
    free(target->path);
    *target = (scree_target){ .descriptor = -1 };
}
