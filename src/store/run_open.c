// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_open.c - run files opened beside others that have them open.

#include "store/run_open.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "store/layout.h"

// was it the lock?
static bool is_locked(const int *cause) {
    char reason[160];
    if (cause) return *cause == EAGAIN;
    scree_layout_reason(reason, sizeof reason);
    return strstr(reason, "temporarily unavailable");
}

void scree_run_wait(void) {
    static const struct timespec moment = { 0, 50000000 };
    nanosleep(&moment, NULL);
}

hid_t scree_run_open_patiently(const char *path, unsigned flags, hid_t plist, int *cause) {
    hid_t file = H5Fopen(path, flags, plist);
    for (int i = 0; file < 0 && i < SCREE_RUN_TRIES && is_locked(cause); i++) {
        scree_run_wait();
        if (cause) *cause = 0;
        file = H5Fopen(path, flags, plist);
    }
    return file;
}

hid_t scree_run_access(scree_driver_errors *errors, hid_t *driver) {
    if (*driver > 0) H5FDunregister(*driver);
    hid_t plist = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(plist, H5F_LIBVER_V110, H5F_LIBVER_V110);
    H5Pset_metadata_read_attempts(plist, 5);  // a damaged file is an error, not a reason to wait
    *driver = scree_driver_set(plist, errors);
    return plist;
}

hid_t scree_run_access_again(scree_driver_errors *errors, hid_t *driver) {
    hid_t plist = scree_run_access(errors, driver);
    const hbool_t clear = 1;
    H5Pset(plist, "clear_status_flags", &clear);
    return plist;
}

// a file that was closed opens as it is; one that was not needs the reading side of single-writer
// mode, whose many patient retries would never end on a file that was cut off
static hid_t open_once(const char *path, bool *locked, char *reason, size_t size) {
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    *locked = file < 0 && is_locked(NULL);
    if (file >= 0) return file;
    scree_layout_reason(reason, size);
    if (*locked) return file;
    hid_t plist = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_metadata_read_attempts(plist, 5);
    file = H5Fopen(path, H5F_ACC_RDONLY | H5F_ACC_SWMR_READ, plist);
    // killed in the moment between opening and single-writer mode: only the mark is in the way
    const hbool_t clear = 1;
    if (file < 0 && H5Pset(plist, "clear_status_flags", &clear) >= 0) {
        file = H5Fopen(path, H5F_ACC_RDONLY, plist);
        *locked = file < 0 && is_locked(NULL);
    }
    H5Pclose(plist);
    return file;
}

// a writer that ends, or goes on, may come between one way to open it and the next
hid_t scree_run_open(const char *path, char *reason, size_t size) {
    struct stat about;
    bool locked;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode)) {  // to open a pipe waits for ever
        snprintf(reason, size, "it is no regular file");
        return -1;
    }
    hid_t file = open_once(path, &locked, reason, size);
    for (int i = 0; file < 0 && locked && i < SCREE_RUN_TRIES; i++) {
        scree_run_wait();
        file = open_once(path, &locked, reason, size);
    }
    return file;
}
