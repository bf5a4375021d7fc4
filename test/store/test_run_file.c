// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_run_file.c - precision and compression of run files: what is stored comes back, and a run
// that was stopped goes on bit for bit, also from states that were rounded in the tables.

#include <hdf5.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness.h"
#include "scree/scree.h"
#include "store/reseal.h"

enum { STEPS = 150, STOP = 83 };

// grains and a box that come to rest on each other: contacts that need their warm start
static const char scene[] =
    "space: 3\n"
    "gravity: [0, 0, -10]\n"
    "bodies:\n"
    "  - {name: floor, fixed: true, shapes: [{type: plane}]}\n"
    "  - {name: box, density: 500, position: [0.1, 0, 0.15], spin: [0, 1, 0],\n"
    "     shapes: [{type: box, size: [0.4, 0.4, 0.2]}]}\n"
    "generate:\n"
    "  - {name: grain, arrange: grid, count: [3, 2, 3], origin: [-0.1, -0.1, 0.4], jitter: 0.004,\n"
    "     spacing: 0.11, body: {density: 1000, shapes: [{type: sphere, radius: 0.05}]}}\n"
    "laws: [{between: [any, any], friction: 0.4}]\n"
    "scheme: {step: 2e-3, duration: 150*2e-3}\n";

typedef struct storage {
    const char *name;
    const char *set[3];
    bool single, compressed;
    int every;
} storage;

static const storage storages[] = {
    { "double", { "output.precision=double", "output.compression=0", "output.every=1" }, 0, 0, 1 },
    { "single", { "output.precision=single", "output.compression=0", "output.every=1" }, 1, 0, 1 },
    { "compressed",
      { "output.precision=double", "output.compression=6", "output.every=1" },
      0,
      1,
      1 },
    { "both", { "output.precision=single", "output.compression=6", "output.every=7" }, 1, 1, 7 },
    { "stride", { "output.precision=single", "output.compression=0", "output.every=7" }, 1, 0, 7 },
};
enum { STORAGES = sizeof storages / sizeof *storages };

static char folder[500], path[520], other[520];

static scree_simulation *begin(const storage *s) {
    scree_findings findings = { 0 };
    scree_simulation *simulation =
        scree_simulation_parse("scene", scene, sizeof scene - 1, s->set, 3, &findings);
    if (!simulation) COMPLAIN("%s: %s", s->name, findings.count ? findings.item[0].text : "?");
    scree_findings_free(&findings);
    return simulation;
}

static int stop_there(void *data, const scree_simulation *simulation) {
    return scree_simulation_state(simulation)->step >= *(int *)data;
}

// run to a step (or go on to it) and report how it ended
static scree_status run_to(const storage *s, const char *file, int step, bool resume) {
    scree_error err = { 0 };
    scree_simulation *simulation = begin(s);
    if (!simulation) return SCREE_BAD_INPUT;
    scree_run_request request = { file, resume, stop_there, &step, NULL, NULL };
    scree_status status = scree_run(simulation, &request, NULL, &err);
    if (status && status != SCREE_INTERRUPTED) printf("    %s: %s\n", s->name, err.text);
    scree_simulation_free(simulation);
    return status;
}

static scree_run_reader *open_run(const char *file) {
    scree_run_reader *reader;
    scree_error err = { 0 };
    if (scree_run_reader_open(file, &reader, &err)) COMPLAIN("%s: %s", file, err.text);
    return reader;
}

// ---- the tables of a run, all of them

typedef struct tables {
    int64_t steps, frames, contacts, coordinates, dofs;
    scree_step_row *step;
    scree_frame_row *frame;
    scree_contact_row *contact;
    double *q, *v;
} tables;

static tables read_tables(const char *file) {
    scree_run_reader *r = open_run(file);
    tables t = { 0 };
    if (!r) return t;
    t = (tables){ r->steps, r->frames, r->contacts, r->coordinates, r->dofs, 0, 0, 0, 0, 0 };
    t.step = calloc((size_t)t.steps + 1, sizeof *t.step);
    t.frame = calloc((size_t)t.frames + 1, sizeof *t.frame);
    t.contact = calloc((size_t)t.contacts + 1, sizeof *t.contact);
    t.q = calloc((size_t)(t.frames * t.coordinates) + 1, sizeof *t.q);
    t.v = calloc((size_t)(t.frames * t.dofs) + 1, sizeof *t.v);
    CHECK(!scree_run_reader_steps(r, 0, t.steps, t.step, NULL));
    CHECK(!scree_run_reader_frames(r, 0, t.frames, t.frame, NULL));
    CHECK(!scree_run_reader_contacts(r, 0, t.contacts, t.contact, NULL));
    CHECK(!scree_run_reader_states(r, 0, t.frames, t.q, t.v, NULL));
    scree_run_reader_close(r);
    return t;
}

static void free_tables(tables *t) {
    free(t->step);
    free(t->frame);
    free(t->contact);
    free(t->q);
    free(t->v);
}

static bool same(const void *a, const void *b, int64_t count, size_t size) {
    return memcmp(a, b, (size_t)count * size) == 0;
}

static void compare_tables(const char *what, const char *file, const char *expected) {
    tables a = read_tables(file), b = read_tables(expected);
    if (a.steps != b.steps || a.frames != b.frames || a.contacts != b.contacts)
        COMPLAIN("%s: %lld steps, %lld frames, %lld contacts instead of %lld, %lld, %lld", what,
                 (long long)a.steps, (long long)a.frames, (long long)a.contacts, (long long)b.steps,
                 (long long)b.frames, (long long)b.contacts);
    else if (!same(a.step, b.step, a.steps, sizeof *a.step) ||
             !same(a.frame, b.frame, a.frames, sizeof *a.frame) ||
             !same(a.contact, b.contact, a.contacts, sizeof *a.contact) ||
             !same(a.q, b.q, a.frames * a.coordinates, sizeof *a.q) ||
             !same(a.v, b.v, a.frames * a.dofs, sizeof *a.v))
        COMPLAIN("%s: the tables differ", what);
    free_tables(&a);
    free_tables(&b);
}

// ---- tests

static double stored(double x, bool single) { return single ? (double)(float)x : x; }

// step again and hold the tables against what the stepper says
static void what_is_stored_comes_back(void) {
    for (int k = 0; k < STORAGES; k++) {
        const storage *s = &storages[k];
        CHECK_INT(run_to(s, path, STEPS, false), SCREE_OK);
        tables t = read_tables(path);
        scree_simulation *simulation = begin(s);
        int64_t wrong = 0, contacts = 0;
        CHECK_INT(t.steps, STEPS + 1);
        for (int64_t f = 1; f < t.frames && simulation; f++) {
            const scree_state *state = scree_simulation_state(simulation);
            while (state->step < t.frame[f].step)
                if (scree_simulation_step(simulation, NULL)) break;
            for (int i = 0; i < t.coordinates; i++)
                wrong += t.q[f * t.coordinates + i] != stored(state->q[i], s->single);
            for (int i = 0; i < t.dofs; i++)
                wrong += t.v[f * t.dofs + i] != stored(state->v[i], s->single);
            const scree_step_record *record = scree_simulation_record(simulation);
            const scree_contact_row *row = t.contact + t.frame[f].first_contact;
            for (int i = 0; i < record->contacts; i++) {
                const scree_contact *contact = &record->contact[i];
                if (contact->status == SCREE_CONTACT_INACTIVE) continue;
                const scree_contact *got = &row++->contact;
                wrong +=
                    !scree_contact_id_equal(got->id, contact->id) || got->status != contact->status;
                wrong += got->gap != stored(contact->gap, s->single);
                for (int c = 0; c < 3; c++) {
                    wrong += got->normal[c] != stored(contact->normal[c], s->single);
                    wrong += fabs(got->tangent[c] - contact->tangent[c]) > (s->single ? 1e-6 : 0);
                    wrong += got->point[c] != stored(contact->point[c], s->single);
                    wrong += got->impulse[c] != stored(contact->impulse[c], s->single);
                }
                contacts++;
            }
            CHECK_INT(row - t.contact, t.frame[f].first_contact + t.frame[f].contacts);
        }
        if (wrong) COMPLAIN("%s: %lld numbers differ", s->name, (long long)wrong);
        CHECK(contacts > 100);
        scree_simulation_free(simulation);
        free_tables(&t);
    }
}

static void stopped_runs_go_on_bit_for_bit(void) {
    for (int k = 0; k < STORAGES; k++) {
        const storage *s = &storages[k];
        CHECK_INT(run_to(s, path, STEPS, false), SCREE_OK);
        CHECK_INT(run_to(s, other, STOP, false), SCREE_INTERRUPTED);
        CHECK_INT(run_to(s, other, STOP + 20, true), SCREE_INTERRUPTED);
        CHECK_INT(run_to(s, other, STEPS, true), SCREE_OK);
        compare_tables(s->name, other, path);
    }
}

// the last state has every digit, whatever the tables hold
static void the_last_state_is_whole(void) {
    for (int k = 0; k < STORAGES; k++) {
        const storage *s = &storages[k];
        CHECK_INT(run_to(s, path, STOP, false), SCREE_INTERRUPTED);
        scree_simulation *simulation = begin(s);
        scree_run_reader *reader = open_run(path);
        if (!simulation || !reader) return;
        for (int i = 0; i < STOP; i++) CHECK(!scree_simulation_step(simulation, NULL));
        double q[200], v[200];
        scree_state state = { .q = q, .v = v };
        const scree_state *expected = scree_simulation_state(simulation);
        scree_contact *contact;
        scree_totals totals;
        int contacts;
        CHECK(!scree_run_reader_last(reader, &state, &contact, &contacts, &totals, NULL));
        CHECK_INT(state.step, STOP);
        CHECK(state.time == expected->time);
        CHECK(same(q, expected->q, reader->coordinates, sizeof *q));
        CHECK(same(v, expected->v, reader->dofs, sizeof *v));
        CHECK(same(&totals, scree_simulation_totals(simulation), 1, sizeof totals));
        CHECK_INT(contacts, scree_simulation_record(simulation)->active);
        free(contact);
        scree_run_reader_close(reader);
        scree_simulation_free(simulation);
    }
}

// change the newest slot's checksum (or both slots'); the number of slots that were changed
static int spoil(const char *file, bool both) {
    hid_t f = H5Fopen(file, H5F_ACC_RDWR, H5P_DEFAULT), set[2];
    double word[2][3] = { { 0 } };
    const hsize_t start = 0, count = 3;
    int spoiled = 0;
    hid_t memory = H5Screate_simple(1, &count, NULL);
    for (int k = 0; k < 2; k++) {
        set[k] = H5Dopen2(f, k ? "restart/1" : "restart/0", H5P_DEFAULT);
        hid_t space = H5Dget_space(set[k]);
        H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL);
        H5Dread(set[k], H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, word[k]);
        H5Sclose(space);
    }
    for (int k = 0; k < 2; k++) {
        hid_t space = H5Dget_space(set[k]);
        H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL);
        word[k][0] += 1;
        if (both || word[k][1] > word[!k][1])
            spoiled +=
                H5Dwrite(set[k], H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, word[k]) >= 0;
        H5Sclose(space);
        H5Dclose(set[k]);
    }
    H5Sclose(memory);
    H5Fclose(f);
    return spoiled;
}

// as a writer leaves it that is killed while it writes a slot
static void half_a_slot_is_not_used(void) {
    const storage *s = &storages[STORAGES - 1];
    CHECK_INT(run_to(s, path, STEPS, false), SCREE_OK);
    CHECK_INT(run_to(s, other, STOP, false), SCREE_INTERRUPTED);
    CHECK_INT(run_to(s, other, STOP + 20, true), SCREE_INTERRUPTED);
    CHECK_INT(spoil(other, false), 1);
    CHECK_INT(run_to(s, other, STEPS, true), SCREE_OK);
    compare_tables("one slot spoiled", other, path);

    CHECK_INT(run_to(s, other, STOP, false), SCREE_INTERRUPTED);
    CHECK_INT(spoil(other, true), 2);
    printf("    (a complaint is expected here)\n");
    CHECK_INT(run_to(s, other, STEPS, true), SCREE_BAD_INPUT);
}

static void cut(const char *file, const char *table, hsize_t rows) {
    hid_t f = H5Fopen(file, H5F_ACC_RDWR, H5P_DEFAULT), set = H5Dopen2(f, table, H5P_DEFAULT);
    hid_t space = H5Dget_space(set);
    hsize_t size[2] = { 0 };
    H5Sget_simple_extent_dims(space, size, NULL);
    size[0] = rows;
    CHECK(H5Dset_extent(set, size) >= 0);
    H5Sclose(space);
    H5Dclose(set);
    reopen_end(f);
    H5Fclose(f);
}

// a slot that the tables do not reach: an older one is taken, and all are cut back to it
static void tables_must_reach_a_slot(void) {
    static const char *const names[] = { "steps/time", "frames/step", "q", "contacts/gap" };
    static const hsize_t rows[] = { STOP + 10, STOP / 7 + 2, STOP / 7 + 2, 0 };
    const storage *s = &storages[STORAGES - 1];
    CHECK_INT(run_to(s, path, STEPS, false), SCREE_OK);
    for (int k = 0; k < 4; k++) {
        CHECK_INT(run_to(s, other, STOP, false), SCREE_INTERRUPTED);
        CHECK_INT(run_to(s, other, STOP + 20, true), SCREE_INTERRUPTED);
        tables t = read_tables(other);
        hsize_t kept = rows[k] ? rows[k] : (hsize_t)t.contacts - 1;
        free_tables(&t);
        cut(other, names[k], kept);
        CHECK_INT(run_to(s, other, STEPS, true), SCREE_OK);
        compare_tables(names[k], other, path);
    }
}

// every column may be packed; of those that nobody asked for a counter is
static void columns_are_packed_where_asked_for(void) {
    enum { NAMES = 4, COUNTER = 1, Q = 2 };
    static const char *const names[NAMES] = { "steps/time", "frames/step", "q", "v" };
    for (int k = 0; k < STORAGES; k++) {
        const storage *s = &storages[k];
        CHECK_INT(run_to(s, path, 20, false), SCREE_INTERRUPTED);
        hid_t f = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
        for (int n = 0; n < NAMES; n++) {
            hid_t set = H5Dopen2(f, names[n], H5P_DEFAULT), plist = H5Dget_create_plist(set);
            hid_t space = H5Dget_space(set);
            unsigned mask = 0;
            hsize_t chunks = 0, at[2], bytes;
            CHECK_INT(H5Pget_nfilters(plist), 2);
            CHECK(H5Dget_num_chunks(set, space, &chunks) >= 0 && chunks > 0);
            CHECK(H5Dget_chunk_info(set, space, 0, at, &mask, NULL, &bytes) >= 0);
            // what was flushed before its chunk was full keeps its place, as a rounded state has it
            bool packed = n >= Q ? s->compressed : n == COUNTER && !s->single;
            if (packed && mask) COMPLAIN("%s: %s is not packed", s->name, names[n]);
            H5Sclose(space);
            H5Pclose(plist);
            H5Dclose(set);
        }
        hid_t q = H5Dopen2(f, "q", H5P_DEFAULT), type = H5Dget_type(q);
        CHECK_INT(H5Tget_size(type), s->single ? 4 : 8);
        CHECK_INT(H5Lexists(f, "restart", H5P_DEFAULT) > 0, s->single);
        H5Tclose(type);
        H5Dclose(q);
        H5Fclose(f);
    }
}

TEST_FILE(test_run_file) {
    const char *place = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/scree-run-XXXXXX", place ? place : "/tmp");
    if (!mkdtemp(folder)) return 1;
    snprintf(path, sizeof path, "%s/whole.h5", folder);
    snprintf(other, sizeof other, "%s/part.h5", folder);
    TEST(what_is_stored_comes_back);
    TEST(stopped_runs_go_on_bit_for_bit);
    TEST(the_last_state_is_whole);
    TEST(half_a_slot_is_not_used);
    TEST(tables_must_reach_a_slot);
    TEST(columns_are_packed_where_asked_for);
    unlink(path);
    unlink(other);
    rmdir(folder);
    return harness_end();
}
