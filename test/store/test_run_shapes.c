// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_run_shapes.c - a run needs nothing beside its file: OBJ and STL files of its shapes may be
// gone or have become others, and the run goes on bit for bit.

#include <hdf5.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness.h"
#include "scree/scree.h"
#include "store/reseal.h"

enum { STEPS = 40, STOP = 17 };

static const char scene[] =
    "space: 3\n"
    "gravity: [0.5, 0, -10]\n"
    "bodies:\n"
    "  - {name: ground, fixed: true, shapes: [{type: mesh, file: ground.stl, scale: 2}]}\n"
    "  - name: stone\n"
    "    density: 1000\n"
    "    position: [0.1, 0.2, 0.5]\n"
    "    spin: [1, 2, 3]\n"
    "    shapes: [{type: polyhedron, file: stone.obj}]\n"
    "generate:\n"
    "  - name: grain\n"
    "    arrange: grid\n"
    "    count: [2, 1, 1]\n"
    "    origin: [-1, 0, 0.2]\n"
    "    spacing: 0.5\n"
    "    body: {density: 1000, shapes: [{type: polyhedron, file: stone.obj, scale: 0.5}]}\n"
    "laws: [{friction: 0.3}]\n"
    "scheme: {step: 5e-3, duration: 40*5e-3}\n";

static const char stone[] =
    "# a tetrahedron\n"
    "v -0.3 -0.2 -0.2\nv 0.3 -0.2 -0.2\nv 0 0.4 -0.2\nv 0 0 0.3\n"
    "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

static char folder[500], scene_file[520], obj_file[520], stl_file[520], whole[520], part[520];

static void put(const char *file, const void *data, size_t size) {
    FILE *out = fopen(file, "wb");
    if (!out || fwrite(data, 1, size, out) != size || fclose(out) != 0)
        COMPLAIN("cannot write %s", file);
}

// two triangles as a binary STL file, in which zeros stand
static void put_ground(float side) {
    unsigned char bytes[80 + 4 + 2 * 50] = { 0 };
    const float corner[2][9] = { { -side, -side, 0, side, -side, 0, side, side, 0 },
                                 { -side, -side, 0, side, side, 0, -side, side, 0 } };
    bytes[80] = 2;
    for (int t = 0; t < 2; t++) memcpy(bytes + 84 + 50 * t + 12, corner[t], sizeof corner[t]);
    put(stl_file, bytes, sizeof bytes);
}

static void put_files(void) {
    put(scene_file, scene, strlen(scene));
    put(obj_file, stone, strlen(stone));
    put_ground(5);
}

static int stop_there(void *data, const scree_simulation *simulation) {
    return scree_simulation_state(simulation)->step >= *(int *)data;
}

static void run_to(const char *file, int step) {
    scree_findings findings = { 0 };
    scree_error err = { 0 };
    scree_simulation *simulation = scree_simulation_open(scene_file, NULL, 0, &findings);
    if (!simulation) COMPLAIN("%s", findings.count ? findings.item[0].text : "no memory");
    scree_findings_free(&findings);
    scree_run_request request = { file, false, stop_there, &step, NULL, NULL };
    scree_status status = simulation ? scree_run(simulation, &request, NULL, &err) : SCREE_OK;
    if (status && status != SCREE_INTERRUPTED) COMPLAIN("%s", err.text);
    scree_simulation_free(simulation);
}

// the simulation of a run file, or NULL and the first complaint
static scree_simulation *revive(const char *file, char *said, size_t size) {
    scree_run_reader *reader = NULL;
    scree_error err = { 0 };
    scree_findings findings = { 0 };
    if (scree_run_reader_open(file, &reader, &err)) COMPLAIN("%s: %s", file, err.text);
    scree_simulation *simulation = reader ? scree_run_simulation(reader, &findings) : NULL;
    snprintf(said, size, "%s", findings.count ? findings.item[0].text : "");
    scree_findings_free(&findings);
    scree_run_reader_close(reader);
    return simulation;
}

// go on to the end and compare with the run that was not stopped
static void go_on(void) {
    char said[600];
    int never = STEPS + 1;
    scree_error err = { 0 };
    scree_simulation *simulation = revive(part, said, sizeof said);
    if (!simulation) COMPLAIN("%s", said);
    scree_run_request request = { part, true, stop_there, &never, NULL, NULL };
    if (simulation) CHECK_INT(scree_run(simulation, &request, NULL, &err), SCREE_OK);
    scree_run_reader *reader = NULL;
    if (!simulation || scree_run_reader_open(whole, &reader, &err)) return;
    const scree_state *end = scree_simulation_state(simulation);
    double q[100], v[100];
    CHECK_INT(reader->coordinates, 28);
    CHECK_INT(scree_run_reader_states(reader, reader->frames - 1, 1, q, v, &err), SCREE_OK);
    CHECK(memcmp(end->q, q, 28 * sizeof *q) == 0 && memcmp(end->v, v, 24 * sizeof *v) == 0);
    CHECK(scree_simulation_totals(simulation)->contacts_solved > 20);
    scree_run_reader_close(reader);
    scree_simulation_free(simulation);
}

static void files_may_be_gone(void) {
    put_files();
    run_to(whole, STEPS + 1);
    run_to(part, STOP);
    CHECK(remove(obj_file) == 0 && remove(stl_file) == 0 && remove(scene_file) == 0);
    go_on();
}

static void files_may_be_others(void) {
    put_files();
    run_to(part, STOP);
    put(obj_file, "nonsense\n", 9);
    put_ground(0.01F);
    go_on();
}

static void forget_files(void) {
    hid_t file = H5Fopen(part, H5F_ACC_RDWR, H5P_DEFAULT);
    CHECK(file >= 0 && H5Ldelete(file, "scene/files", H5P_DEFAULT) >= 0);
    reseal(file);
    H5Fclose(file);
}

/// Files of older versions hold none: they are read from where the scene says.
static void older_runs_read_them(void) {
    char said[600];
    put_files();
    run_to(part, STOP);
    forget_files();
    go_on();
    run_to(part, STOP);
    forget_files();
    remove(obj_file);
    CHECK(!revive(part, said, sizeof said));
    CHECK(strstr(said, "stone.obj") && strstr(said, "cannot be read"));
}

static void damage_is_told(void) {
    char said[600];
    put_files();
    run_to(part, STOP);
    hid_t file = H5Fopen(part, H5F_ACC_RDWR, H5P_DEFAULT);
    CHECK(file >= 0 && H5Ldelete(file, "scene/files/1", H5P_DEFAULT) >= 0);
    reseal(file);
    H5Fclose(file);
    CHECK(!revive(part, said, sizeof said));
    CHECK(strstr(said, "damaged"));
}

TEST_FILE(test_run_shapes) {
    const char *place = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/scree-shapes-XXXXXX", place ? place : "/tmp");
    if (!mkdtemp(folder)) return 1;
    snprintf(scene_file, sizeof scene_file, "%s/scene.yaml", folder);
    snprintf(obj_file, sizeof obj_file, "%s/stone.obj", folder);
    snprintf(stl_file, sizeof stl_file, "%s/ground.stl", folder);
    snprintf(whole, sizeof whole, "%s/whole.h5", folder);
    snprintf(part, sizeof part, "%s/part.h5", folder);
    TEST(files_may_be_gone);
    TEST(files_may_be_others);
    TEST(older_runs_read_them);
    TEST(damage_is_told);
    const char *made[] = { scene_file, obj_file, stl_file, whole, part };
    for (int i = 0; i < 5; i++) remove(made[i]);
    rmdir(folder);
    return harness_end();
}
