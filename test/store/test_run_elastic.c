// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_run_elastic.c - elastic bodies in run files: stress and reactions come back as they were, a
// run goes on bit for bit, and a mesh that came from a file outlives it.

#include <hdf5.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness.h"
#include "scree/scree.h"
#include "store/reseal.h"

enum { STEPS = 60, STOP = 31 };

static const char scene[] =
    "gravity: [0, -10]\n"
    "bodies: [{name: floor, fixed: true, shapes: [{type: half-plane}]},\n"
    "         {name: ball, density: 1, position: [5, 0.5], velocity: [1, 0],\n"
    "          shapes: [{type: disc, radius: 0.5}]}]\n"
    "elastic:\n"
    "  - name: bar\n"
    "    mesh: {rectangle: {size: [2, 1], cells: [4, 3], at: [-4, 0.2]}}\n"
    "    young: 1000\n"
    "    poisson: 0.3\n"
    "    density: 1\n"
    "    held: [{on: left, x: 0.1*t, y: 0}]\n"
    "  - name: wedge\n"
    "    mesh: {file: wedge.msh}\n"
    "    young: 500\n"
    "    poisson: 0.2\n"
    "    density: 2\n"
    "    velocity: [0.1, -0.5]\n"
    "    held: [{on: tip, x: 0.1*t}]\n"
    "    contact: [base]\n"
    "laws: [{between: [any, any], friction: 0.3}]\n"
    "scheme: {step: 2e-3, duration: 60*2e-3}\n"
    "output: {stress: true, reactions: true}\n";

// triangles with groups of edges and of a point
static const char wedge[] =
    "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
    "$PhysicalNames\n3\n0 1 \"tip\"\n1 2 \"base\"\n2 3 \"all\"\n$EndPhysicalNames\n"
    "$Nodes\n6\n1 0 0 0\n2 1 0 0\n3 2 0 0\n4 0.5 0.7 0\n5 1.5 0.7 0\n6 1 1.4 0\n$EndNodes\n"
    "$Elements\n7\n1 15 2 1 1 6\n2 1 2 2 1 1 2\n3 1 2 2 1 2 3\n"
    "4 2 2 3 1 1 2 4\n5 2 2 3 1 2 5 4\n6 2 2 3 1 2 3 5\n7 2 2 3 1 4 5 6\n$EndElements\n";

static char folder[500], path[520], other[520], scene_file[520], mesh_file[520];

static void put(const char *file, const char *text) {
    FILE *out = fopen(file, "w");
    if (!out || fputs(text, out) < 0 || fclose(out) != 0) COMPLAIN("cannot write %s", file);
}

static int stop_there(void *data, const scree_simulation *simulation) {
    return scree_simulation_state(simulation)->step >= *(int *)data;
}

static scree_status run_to(const char *file, const char *const *set, int count, int step) {
    scree_findings findings = { 0 };
    scree_error err = { 0 };
    scree_simulation *simulation = scree_simulation_open(scene_file, set, count, &findings);
    if (!simulation) COMPLAIN("%s", findings.count ? findings.item[0].text : "no memory");
    scree_findings_free(&findings);
    scree_run_request request = { file, false, stop_there, &step, NULL, NULL };
    scree_status status =
        simulation ? scree_run(simulation, &request, NULL, &err) : SCREE_BAD_INPUT;
    if (status && status != SCREE_INTERRUPTED) COMPLAIN("%s", err.text);
    scree_simulation_free(simulation);
    return status;
}

static scree_run_reader *open_run(const char *file) {
    scree_run_reader *reader = NULL;
    scree_error err = { 0 };
    if (scree_run_reader_open(file, &reader, &err)) {
        printf("%s: %s\n", file, err.text);
        exit(1);
    }
    return reader;
}

// the simulation of a run file, or NULL and the first complaint
static scree_simulation *revive(const char *file, char *said, size_t size) {
    scree_run_reader *reader = open_run(file);
    scree_findings findings = { 0 };
    scree_simulation *simulation = scree_run_simulation(reader, &findings);
    snprintf(said, size, "%s", findings.count ? findings.item[0].text : "");
    scree_findings_free(&findings);
    scree_run_reader_close(reader);
    return simulation;
}

static void go_on(const char *file) {
    char said[600];
    int never = 1 << 30;
    scree_error err = { 0 };
    scree_simulation *simulation = revive(file, said, sizeof said);
    if (!simulation) COMPLAIN("%s", said);
    scree_run_request request = { file, true, stop_there, &never, NULL, NULL };
    if (simulation) CHECK_INT(scree_run(simulation, &request, NULL, &err), SCREE_OK);
    scree_simulation_free(simulation);
}

typedef struct results {
    scree_run_reader *reader;
    double *q, *v, *strain, *stress, *reaction;
} results;

static results read_frame(scree_run_reader *reader, int64_t frame) {
    size_t six = (size_t)reader->elements * SCREE_TENSOR;
    results r = { .reader = reader,
                  .q = calloc((size_t)reader->coordinates, sizeof(double)),
                  .v = calloc((size_t)reader->dofs, sizeof(double)),
                  .strain = calloc(six + 1, sizeof(double)),
                  .stress = calloc(six + 1, sizeof(double)),
                  .reaction = calloc((size_t)reader->reaction_nodes * 2 + 1, sizeof(double)) };
    scree_error err = { 0 };
    if (scree_run_reader_states(reader, frame, 1, r.q, r.v, &err) ||
        scree_run_reader_stress(reader, frame, 1, r.strain, r.stress, &err) ||
        scree_run_reader_reactions(reader, frame, 1, r.reaction, &err))
        COMPLAIN("%s", err.text);
    return r;
}

static void free_frame(results *r) {
    free(r->q);
    free(r->v);
    free(r->strain);
    free(r->stress);
    free(r->reaction);
}

static void stored_is_what_was_found(void) {
    char said[600];
    put(mesh_file, wedge);
    CHECK_INT(run_to(path, NULL, 0, 1 << 30), SCREE_OK);
    scree_run_reader *reader = open_run(path);
    scree_simulation *simulation = revive(path, said, sizeof said);
    const scree_model *model = scree_simulation_model(simulation);
    double *reaction = calloc((size_t)model->dofs, sizeof *reaction);
    double *scratch = calloc(2 * (size_t)model->dofs, sizeof *scratch);
    CHECK_INT(reader->elements, 12 + 4);
    CHECK_INT(reader->reaction_nodes, 20 + 6);
    double pulls = 0;
    for (int64_t f = 0; f < reader->frames; f++) {
        scree_error err = { 0 };
        results r = read_frame(reader, f);
        if (f) CHECK_INT(scree_simulation_step(simulation, &err), SCREE_OK);
        if (f)
            scree_reaction_find(model, 0.5, scree_simulation_record(simulation), reaction, scratch);
        double strain[12 * SCREE_TENSOR], stress[12 * SCREE_TENSOR];
        size_t first = 0;
        for (int e = 0; e < 2; e++) {
            const scree_elastic_body *body = &model->elastic[e];
            size_t bytes = (size_t)body->mesh.elements * SCREE_TENSOR * sizeof *stress;
            scree_stress_find(body, scree_simulation_state(simulation)->q, strain, stress);
            CHECK(memcmp(stress, r.stress + first, bytes) == 0);
            CHECK(memcmp(strain, r.strain + first, bytes) == 0);
            first += (size_t)body->mesh.elements * SCREE_TENSOR;
        }
        CHECK(memcmp(reaction, r.reaction, 2 * 26 * sizeof *reaction) == 0);
        for (int i = 0; i < 2 * 26; i++) pulls += fabs(r.reaction[i]);
        free_frame(&r);
    }
    CHECK(pulls > 1);
    free(reaction);
    free(scratch);
    scree_simulation_free(simulation);
    scree_run_reader_close(reader);
}

// the tables of two runs, byte by byte as their datasets hold them
static bool same_table(const char *one, const char *two, const char *name) {
    const char *const file[] = { one, two };
    char *bytes[2] = { NULL, NULL };
    size_t size[2] = { 0, 1 };
    for (int i = 0; i < 2; i++) {
        hid_t h5 = H5Fopen(file[i], H5F_ACC_RDONLY, H5P_DEFAULT);
        hid_t set = H5Dopen2(h5, name, H5P_DEFAULT), type = H5Dget_type(set);
        hid_t space = H5Dget_space(set);
        size[i] = H5Tget_size(type) * (size_t)H5Sget_simple_extent_npoints(space);
        bytes[i] = malloc(size[i] + 1);
        if (H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes[i]) < 0) size[i] = (size_t)i;
        H5Sclose(space);
        H5Tclose(type);
        H5Dclose(set);
        H5Fclose(h5);
    }
    bool same = size[0] == size[1] && memcmp(bytes[0], bytes[1], size[0]) == 0;
    free(bytes[0]);
    free(bytes[1]);
    return same && size[0] > 1;
}

static void resumed_run_has_the_same_bits(void) {
    static const char *const set[][2] = {
        { "output.precision=double", "output.every=1" },
        { "output.precision=single", "output.every=7" },
        { "output.compression=4", "output.every=7" },
    };
    static const char *const tables[] = {
        "q", "v", "strain", "stress", "reactions", "steps/digest", "frames/digest", "contacts/gap"
    };
    put(mesh_file, wedge);
    for (int k = 0; k < 3; k++) {
        CHECK_INT(run_to(path, set[k], 2, 1 << 30), SCREE_OK);
        CHECK_INT(run_to(other, set[k], 2, STOP), SCREE_INTERRUPTED);
        go_on(other);
        for (int t = 0; t < 8; t++)
            if (!same_table(path, other, tables[t])) COMPLAIN("%s, %s", set[k][0], tables[t]);
    }
}

// the file is gone, or holds another mesh, and the run is looked at and resumed all the same
static void mesh_outlives_its_file(void) {
    char said[600], *another = strdup(wedge);
    put(mesh_file, wedge);
    CHECK_INT(run_to(path, NULL, 0, 1 << 30), SCREE_OK);
    memcpy(strstr(another, "6 1 1.4"), "6 1 1.5", 7);
    for (int gone = 0; gone < 2; gone++) {
        put(mesh_file, wedge);
        CHECK_INT(run_to(other, NULL, 0, STOP), SCREE_INTERRUPTED);
        put(mesh_file, another);
        if (gone) unlink(mesh_file);
        go_on(other);
        CHECK(same_table(path, other, "q") && same_table(path, other, "stress"));
    }
    scree_simulation *simulation = revive(path, said, sizeof said);
    const scree_mesh *mesh = &scree_simulation_model(simulation)->elastic[1].mesh;
    CHECK_INT(mesh->nodes, 6);
    CHECK_INT(mesh->groups, 3);
    CHECK_INT(scree_mesh_find(mesh, "base"), 0);
    CHECK_INT(scree_mesh_find(mesh, "tip"), 1);
    CHECK_INT(mesh->group[0].facets, 2);
    CHECK_INT(mesh->group[1].facets, 0);
    CHECK_INT(mesh->group[1].node[0], 5);
    CHECK_INT(mesh->group[2].facets, mesh->facets);
    CHECK_NEAR(mesh->node[11], 1.4, 0);
    scree_simulation_free(simulation);
    free(another);
}

// change one number of a dataset, or remove it
static void damage(const char *name, int at, int value) {
    hid_t h5 = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    if (at < 0) {
        H5Ldelete(h5, name, H5P_DEFAULT);
    } else {
        int numbers[200] = { 0 };
        hid_t set = H5Dopen2(h5, name, H5P_DEFAULT);
        H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
        numbers[at] = value;
        H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers);
        H5Dclose(set);
    }
    reseal(h5);
    H5Fclose(h5);
}

static void damaged_meshes_are_refused(void) {
    static const struct {
        const char *name;
        int at, value;
    } change[] = {
        { "model/elastic/1/connectivity", 3, 77 }, { "model/elastic/1/connectivity", 0, -1 },
        { "model/elastic/1/types", 1, 13 },        { "model/elastic/1/types", 1, 9 },
        { "model/elastic/1/offsets", 1, 40000 },   { "model/elastic/1/facets", 0, 99 },
        { "model/elastic/1/group_facets", 0, 99 }, { "model/elastic/1/group_nodes_first", 1, 900 },
        { "model/elastic/1/group_nodes", 0, -3 },  { "model/elastic/1/nodes", -1, 0 },
        { "model/elastic/1/groups", -1, 0 },
    };
    put(mesh_file, wedge);
    for (size_t i = 0; i < sizeof change / sizeof *change; i++) {
        char said[600];
        CHECK_INT(run_to(path, NULL, 0, 1), SCREE_INTERRUPTED);
        damage(change[i].name, change[i].at, change[i].value);
        scree_simulation *simulation = revive(path, said, sizeof said);
        if (simulation || !strstr(said, "damaged"))
            COMPLAIN("%s %d: \"%s\"", change[i].name, change[i].at, said);
        scree_simulation_free(simulation);
    }
    // files of before have no meshes: the scene's file is read
    char said[600];
    CHECK_INT(run_to(path, NULL, 0, 1), SCREE_INTERRUPTED);
    damage("model/elastic", -1, 0);
    scree_simulation *simulation = revive(path, said, sizeof said);
    CHECK(simulation);
    scree_simulation_free(simulation);
    unlink(mesh_file);
    simulation = revive(path, said, sizeof said);
    CHECK(!simulation && strstr(said, "wedge.msh"));
    scree_simulation_free(simulation);
}

static void without_the_keys_nothing_is_stored(void) {
    static const char *const set[] = { "output.stress=false", "output.reactions=false" };
    scree_error err = { 0 };
    double number[1000];
    put(mesh_file, wedge);
    CHECK_INT(run_to(path, set, 2, 1), SCREE_INTERRUPTED);
    scree_run_reader *reader = open_run(path);
    CHECK_INT(reader->elements, 0);
    CHECK_INT(reader->reaction_nodes, 0);
    CHECK_INT(scree_run_reader_stress(reader, 0, 1, number, number, &err), SCREE_BAD_INPUT);
    CHECK_INT(scree_run_reader_reactions(reader, 0, 1, number, &err), SCREE_BAD_INPUT);
    scree_run_reader_close(reader);
}

TEST_FILE(test_run_elastic) {
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%.400s/scree-elastic-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(folder)) return 1;
    snprintf(path, sizeof path, "%s/run.h5", folder);
    snprintf(other, sizeof other, "%s/other.h5", folder);
    snprintf(scene_file, sizeof scene_file, "%s/scene.yaml", folder);
    snprintf(mesh_file, sizeof mesh_file, "%s/wedge.msh", folder);
    put(scene_file, scene);
    TEST(stored_is_what_was_found);
    TEST(resumed_run_has_the_same_bits);
    TEST(mesh_outlives_its_file);
    TEST(damaged_meshes_are_refused);
    TEST(without_the_keys_nothing_is_stored);
    unlink(path);
    unlink(other);
    unlink(scene_file);
    unlink(mesh_file);
    rmdir(folder);
    return harness_end();
}
