// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// memory.c - what happens when memory runs out inside HDF5.
// in: every allocation of the process.   out: the same; or, for HDF5 without memory, the end.
//
// After some allocations have failed HDF5 goes on with NULL, or loops when it is closed. So the
// command looks at what HDF5 is about to get: if that is nothing it ends at once, with a sentence,
// as a kill would end it. That is what run files are made for: what was written stays readable, and
// the run goes on with --resume. Our own allocations, and those of libraries that look at what they
// got, fail as ever. Other C libraries than glibc and sanitizers, which have a malloc of their own,
// go without.

#include <stdlib.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif
#if defined(__GLIBC__) && !defined(SANITIZED) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define SHARED __attribute__((visibility("default")))  // HDF5 must find them

SHARED void *malloc(size_t size);
SHARED void *calloc(size_t count, size_t size);
SHARED void *realloc(void *old, size_t size);
SHARED char *strdup(const char *text);

// glibc's, or those of whoever was loaded before it
static void *(*next_malloc)(size_t size);
static void *(*next_calloc)(size_t count, size_t size);
static void *(*next_realloc)(void *old, size_t size);

static void find_next(void) {
    *(void **)&next_malloc = dlsym(RTLD_NEXT, "malloc");
    *(void **)&next_calloc = dlsym(RTLD_NEXT, "calloc");
    *(void **)&next_realloc = dlsym(RTLD_NEXT, "realloc");
}

typedef struct place {
    uintptr_t address;
    bool inside;
} place;

static int look_for_hdf5(struct dl_phdr_info *info, size_t size, void *asked) {
    place *of = asked;
    (void)size;
    if (!strstr(info->dlpi_name, "libhdf5")) return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t first = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (of->address >= first && of->address - first < info->dlpi_phdr[i].p_memsz)
            of->inside = true;
    }
    return of->inside;
}

// who asked is where the call returns to
static void *pass_on(void *got, size_t size, void *caller) {
    static const char sentence[] = "error: out of memory (in HDF5)\n";
    place of = { (uintptr_t)caller, false };
    if (got || size == 0) return got;
    dl_iterate_phdr(look_for_hdf5, &of);
    if (!of.inside) return NULL;
    if (write(STDERR_FILENO, sentence, sizeof sentence - 1) < 0) _exit(1);
    _exit(1);
}

void *malloc(size_t size) {
    if (!next_malloc) find_next();
    return pass_on(next_malloc(size), size, __builtin_return_address(0));
}

void *calloc(size_t count, size_t size) {
    if (!next_calloc) find_next();
    return pass_on(next_calloc(count, size), count ? size : 0, __builtin_return_address(0));
}

void *realloc(void *old, size_t size) {
    if (!next_realloc) find_next();
    return pass_on(next_realloc(old, size), size, __builtin_return_address(0));
}

// the C library's would ask on HDF5's behalf
char *strdup(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = pass_on(malloc(size), size, __builtin_return_address(0));
    return copy ? memcpy(copy, text, size) : NULL;
}

#endif
