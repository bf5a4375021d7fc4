// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// main.c - the program of one folder of tests: those of the files that are named, or of all.
// in: test_files.h, a line ROW(name) for each file of the folder, made by test/CMakeLists.txt

#include <stdio.h>
#include <string.h>

typedef struct test_file {
    const char *name;
    int (*run)(void);
} test_file;

#define ROW(name) int name(void);
#include "test_files.h"
#undef ROW

#define ROW(name) { #name, name },
static const test_file files[] = {
#include "test_files.h"
};
enum { FILES = sizeof files / sizeof *files };

static const test_file *find(const char *name) {
    for (int i = 0; i < FILES; i++)
        if (strcmp(files[i].name, name) == 0) return &files[i];
    return NULL;
}

static int usage(const char *wrong) {
    fprintf(stderr, "no tests with the name %s; there are:\n", wrong);
    for (int i = 0; i < FILES; i++) fprintf(stderr, "  %s\n", files[i].name);
    return 2;
}

int main(int argc, char **argv) {
    int failed = 0;
    for (int i = 1; i < argc; i++) {
        const test_file *file = find(argv[i]);
        if (!file) return usage(argv[i]);
        failed |= file->run();
    }
    for (int i = 0; i < FILES && argc == 1; i++) {
        printf("%s\n", files[i].name);
        failed |= files[i].run();
    }
    return failed;
}
