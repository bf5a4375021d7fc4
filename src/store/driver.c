// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// driver.c - plain POSIX reads and writes behind HDF5, with write errors kept instead of passed on.

#include "store/driver.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct driver_info {  // what the file access list carries
    scree_driver_errors *errors;
} driver_info;

typedef struct piece {  // written after the first error
    struct piece *next;
    haddr_t address;
    size_t size;
    char bytes[];
} piece;

typedef struct driver_file {
    H5FD_t base;  // HDF5's part, first
    int descriptor;
    scree_driver_errors *errors;
    piece *first, **last;  // what did not reach the disk, in order
    haddr_t allocated;     // end of what HDF5 has handed out
    haddr_t taken;         // end of an old file: a writer that was killed may have used all of it
                           // without having told so in the file
    haddr_t end;           // end of the file
    haddr_t again;         // of what was read last
    int times;             // in a row
    char *image;           // of a file that is laid out in memory first; else NULL
    bool *touched;         // its pages that are not zeros
    size_t fresh;          // bytes that the system has not been told to begin with
    dev_t device;
    ino_t inode;
} driver_file;

static H5FD_t *open_file(const char *name, unsigned flags, hid_t access, haddr_t most) {
    (void)most;
    const driver_info *info = H5Pget_driver_info(access);
    int how = (flags & H5F_ACC_RDWR) ? O_RDWR : O_RDONLY;
    if (flags & H5F_ACC_TRUNC) how |= O_TRUNC;
    if (flags & H5F_ACC_CREAT) how |= O_CREAT;
    if (flags & H5F_ACC_EXCL) how |= O_EXCL;
    driver_file *file = calloc(1, sizeof *file);
    if (!file || !info) {
        free(file);
        return NULL;
    }
    struct stat about;
    file->errors = info->errors;
    file->last = &file->first;
    file->descriptor = open(name, how | O_CLOEXEC, 0666);
    file->errors->opening = 0;
    if (file->descriptor < 0 || fstat(file->descriptor, &about) != 0) {
        file->errors->opening = errno;
        if (file->descriptor >= 0) close(file->descriptor);
        free(file);
        return NULL;
    }
    file->end = (haddr_t)about.st_size;
    file->taken = file->end;
    file->device = about.st_dev;
    file->inode = about.st_ino;
    return &file->base;
}

static herr_t read_disk(const driver_file *file, haddr_t address, size_t size, char *at) {
    while (size > 0) {
        ssize_t got = pread(file->descriptor, at, size, (off_t)address);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        // behind the end there are zeros
        if (got == 0) {
            memset(at, 0, size);
            break;
        }
        at += got;
        address += (haddr_t)got;
        size -= (size_t)got;
    }
    return 0;
}

static herr_t keep(driver_file *file, haddr_t address, size_t size, const void *buffer) {
    piece *made = malloc(sizeof *made + size);
    if (!made) return -1;
    *made = (piece){ NULL, address, size };
    memcpy(made->bytes, buffer, size);
    *file->last = made;
    file->last = &made->next;
    return 0;
}

// errno of what could not be written, or 0
static int write_disk(const driver_file *file, haddr_t address, size_t size, const char *at) {
    while (size > 0) {
        ssize_t put = pwrite(file->descriptor, at, size, (off_t)address);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return put < 0 ? errno : ENOSPC;
        at += put;
        address += (haddr_t)put;
        size -= (size_t)put;
    }
    return 0;
}

// ---- a file that is laid out in memory first

enum { HELD_MOST = 1 << 23, PAGE = 4096, PAGES = HELD_MOST / PAGE };

// pages in a row that are not zeros
static int write_pages(const driver_file *file, size_t first, size_t end) {
    size_t from = first * PAGE, to = end * PAGE < file->end ? end * PAGE : (size_t)file->end;
    return write_disk(file, from, to - from, file->image + from);
}

// what is held goes to the disk at once; zeros stay holes
static void let_go(driver_file *file) {
    if (!file->image) return;
    int failed = file->errors->writing;
    for (size_t first = 0, end; first < PAGES && !failed; first = end + 1) {
        for (end = first; end < PAGES && file->touched[end];) end++;
        if (end > first) failed = write_pages(file, first, end);
    }
    if (!failed && ftruncate(file->descriptor, (off_t)file->end) != 0) failed = errno;
    file->errors->writing = failed;
    if (failed) keep(file, 0, (size_t)file->end, file->image);
    free(file->image);
    free(file->touched);
    file->image = NULL;
    file->touched = NULL;
}

// false: it has grown too large, and is on the disk now
static bool hold(driver_file *file, haddr_t address, size_t size, const char *buffer) {
    static const char zeros[PAGE];
    if (address + size > HELD_MOST) {
        let_go(file);
        return false;
    }
    if (address + size > file->end) {  // what is new is zeros already
        file->end = address + size;
        while (size > PAGE && memcmp(buffer + size - PAGE, zeros, PAGE) == 0) size -= PAGE;
    }
    memcpy(file->image + address, buffer, size);
    for (size_t page = address / PAGE; page * PAGE < address + size; page++)
        file->touched[page] = true;
    return true;
}

static herr_t close_file(H5FD_t *base) {
    driver_file *file = (driver_file *)base;
    let_go(file);
    if (close(file->descriptor) != 0 && !file->errors->writing) file->errors->writing = errno;
    for (piece *next; file->first; file->first = next) {
        next = file->first->next;
        free(file->first);
    }
    free(file);
    return 0;
}

static int compare(const H5FD_t *a, const H5FD_t *b) {
    const driver_file *x = (const driver_file *)a, *y = (const driver_file *)b;
    if (x->device != y->device) return x->device < y->device ? -1 : 1;
    return x->inode == y->inode ? 0 : x->inode < y->inode ? -1 : 1;
}

static herr_t query(const H5FD_t *base, unsigned long *flags) {
    (void)base;
    *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
             H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_POSIX_COMPAT_HANDLE |
             H5FD_FEAT_SUPPORTS_SWMR_IO | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
    return 0;
}

static haddr_t get_allocated(const H5FD_t *base, H5FD_mem_t type) {
    (void)type;
    const driver_file *file = (const driver_file *)base;
    return file->allocated > file->taken ? file->allocated : file->taken;
}

static herr_t set_allocated(H5FD_t *base, H5FD_mem_t type, haddr_t address) {
    (void)type;
    ((driver_file *)base)->allocated = address;
    return 0;
}

static haddr_t get_end(const H5FD_t *base, H5FD_mem_t type) {
    (void)type;
    return ((const driver_file *)base)->end;
}

static herr_t get_handle(H5FD_t *base, hid_t access, void **handle) {
    (void)access;
    *handle = &((driver_file *)base)->descriptor;
    return 0;
}

// In single-writer mode HDF5 reads what has a wrong checksum a hundred times, and doubles its sleep
// each time. Nobody else writes to this file: what is wrong stays so.
static bool is_read_too_often(driver_file *file, H5FD_mem_t type, haddr_t address) {
    enum { TIMES_MOST = 20 };
    if (type == H5FD_MEM_DRAW) return false;
    file->times = address == file->again ? file->times + 1 : 0;
    file->again = address;
    return file->times > TIMES_MOST;
}

static herr_t read_bytes(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address,
                         size_t size, void *buffer) {
    (void)transfer;
    driver_file *file = (driver_file *)base;
    if (is_read_too_often(file, type, address)) return -1;
    if (file->image && address + size <= HELD_MOST) {
        memcpy(buffer, file->image + address, size);
        return 0;
    }
    if (read_disk(file, address, size, buffer) < 0) return -1;
    for (const piece *p = file->first; p; p = p->next) {
        haddr_t from = p->address > address ? p->address : address;
        haddr_t end = p->address + p->size, to = address + size < end ? address + size : end;
        if (from < to)
            memcpy((char *)buffer + (from - address), p->bytes + (from - p->address), to - from);
    }
    return 0;
}

// The system begins to write to the disk while the run goes on: less is left for the sync at the
// end to wait for. It need not do so.
static void begin_writing(driver_file *file, size_t size) {
    enum { TOGETHER = 1 << 22 };
    file->fresh += size;
    if (file->fresh < TOGETHER) return;
    sync_file_range(file->descriptor, 0, 0, SYNC_FILE_RANGE_WRITE);
    file->fresh = 0;
}

static herr_t write_bytes(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address,
                          size_t size, const void *buffer) {
    (void)type;
    (void)transfer;
    driver_file *file = (driver_file *)base;
    file->times = 0;
    if (file->image && hold(file, address, size, buffer)) return 0;
    if (!file->errors->writing) file->errors->writing = write_disk(file, address, size, buffer);
    if (address + size > file->end) file->end = address + size;
    begin_writing(file, size);
    return file->errors->writing ? keep(file, address, size, buffer) : 0;
}

static herr_t truncate_file(H5FD_t *base, hid_t transfer, hbool_t closing) {
    (void)transfer;
    (void)closing;
    driver_file *file = (driver_file *)base;
    haddr_t size = get_allocated(base, H5FD_MEM_DEFAULT);
    if (size == file->end) return 0;
    if (!file->image && !file->errors->writing && ftruncate(file->descriptor, (off_t)size) != 0)
        file->errors->writing = errno;
    file->end = size;
    return 0;
}

// one writer at a time; file systems without locks are let through
static herr_t lock_file(H5FD_t *base, hbool_t write) {
    driver_file *file = (driver_file *)base;
    if (flock(file->descriptor, (write ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0) return 0;
    if (errno == ENOSYS || errno == ENOTSUP) return 0;
    file->errors->opening = errno;
    return -1;
}

static herr_t unlock_file(H5FD_t *base) {
    flock(((driver_file *)base)->descriptor, LOCK_UN);
    return 0;
}

hid_t scree_driver_set(hid_t access, scree_driver_errors *errors) {
    const H5FD_class_t driver = {
        .name = "scree",
        .maxaddr = INT64_MAX,
        .fc_degree = H5F_CLOSE_WEAK,
        .fapl_size = sizeof(driver_info),
        .open = open_file,
        .close = close_file,
        .cmp = compare,
        .query = query,
        .get_eoa = get_allocated,
        .set_eoa = set_allocated,
        .get_eof = get_end,
        .get_handle = get_handle,
        .read = read_bytes,
        .write = write_bytes,
        .truncate = truncate_file,
        .lock = lock_file,
        .unlock = unlock_file,
        .fl_map = H5FD_FLMAP_DICHOTOMY,
    };
    const driver_info info = { errors };
    hid_t id = H5FDregister(&driver);
    if (id < 0) return id;
    if (H5Pset_driver(access, id, &info) >= 0) return id;
    H5FDunregister(id);
    return -1;
}

static driver_file *file_of(hid_t id) {
    void *descriptor = NULL;
    if (H5Fget_vfd_handle(id, H5P_DEFAULT, &descriptor) < 0 || !descriptor) return NULL;
    return (driver_file *)(void *)((char *)descriptor - offsetof(driver_file, descriptor));
}

void scree_driver_hold(hid_t id) {
    driver_file *file = file_of(id);
    if (!file || file->end > PAGE) return;
    file->image = calloc(1, HELD_MOST);
    file->touched = calloc(PAGES, sizeof *file->touched);
    if (file->image && file->touched && read_disk(file, 0, (size_t)file->end, file->image) == 0) {
        file->touched[0] = true;
        return;
    }
    free(file->image);
    free(file->touched);
    file->image = NULL;
    file->touched = NULL;
}

void scree_driver_let_go(hid_t id) {
    driver_file *file = file_of(id);
    if (file) let_go(file);
}
