// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_formats.c - files of other programs with memory that runs out: the whole scene or an error,
// never a scene with something missing.

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "failing.h"
#include "harness.h"
#include "scree/import.h"

static const char *const obj =
    "o stone\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
    "o other\nv 2 0 0\nv 3 0 0\nv 2 1 0\nv 2 0 1\nf 5 7 6\nf 5 6 8\nf 6 7 8\nf 7 5 8\n";
static const char *const csv =
    "name,x,y,radius,vertices,colour\na,0,0,1,,red\nb,5,0,,\"0 0; 1 0; 0 1\",\n";
static const char *const mjcf =
    "<mujoco><default><geom density=\"10\"/></default><worldbody><geom type=\"plane\" size=\"1 1 "
    "1\"/><body pos=\"0 0 1\"><joint damping=\"1\"/><geom size=\"0.1\"/><body pos=\"1 0 0\"><joint "
    "type=\"slide\"/><geom type=\"box\" size=\"0.1 0.1 "
    "0.1\"/></body></body></worldbody><sensor/></mujoco>";
static const char *const urdf =
    "<robot><link name=\"a\"/><link name=\"b\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
    "iyy=\"1\" izz=\"1\"/></inertial><collision><geometry><sphere "
    "radius=\"1\"/></geometry></collision></link><joint name=\"j\" type=\"continuous\"><parent "
    "link=\"a\"/><child link=\"b\"/></joint></robot>";

static void write_file(const char *path, const char *text) {
    FILE *file = fopen(path, "wb");
    CHECK(file && fputs(text, file) >= 0);
    if (file) fclose(file);
}

// the whole first, then with every allocation failing once
static void try_all(const char *format, const char *text) {
    char path[80];
    snprintf(path, sizeof path, "/tmp/scree-import-%ld.txt", (long)getpid());
    write_file(path, text);
    scree_import_options options = scree_import_options_default();
    scree_error err = { 0 };
    scree_imported whole, part;
    options.format = format;
    fails_at = 0;
    if (scree_import(path, &options, &whole, &err)) COMPLAIN("%s: %s", format, err.text);
    CHECK(whole.bodies == 2 || whole.bodies == 3);
    for (long n = 1; n < 2000; n++) {
        calls = 0;
        fails_at = n;
        scree_status status = scree_import(path, &options, &part, &err);
        bool reached = calls >= n;
        fails_at = 0;
        CHECK(status == SCREE_OK || status == SCREE_NO_MEMORY);
        if (status == SCREE_OK && strcmp(part.scene, whole.scene) != 0)
            COMPLAIN("%s, call %ld: a scene with something missing", format, n);
        CHECK(status == SCREE_OK || !part.scene);
        scree_imported_free(&part);
        if (!reached) break;
    }
    scree_imported_free(&whole);
    unlink(path);
}

static void memory_runs_out(void) {
    try_all("obj", obj);
    try_all("csv", csv);
    try_all("mjcf", mjcf);
    try_all("urdf", urdf);
}

TEST_FILE(test_formats) {
    TEST(memory_runs_out);
    return harness_end();
}
