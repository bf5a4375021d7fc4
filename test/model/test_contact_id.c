// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_contact_id.c - identities of contacts: nothing is lost, their order is that of their parts,
// and there is room for millions of pieces.

#include <stdlib.h>

#include "harness.h"
#include "random.h"
#include "scree/scree.h"

static uint64_t bits(int count) {
    return (uint64_t)uniform(0, 0x1p32) << 32 >> (64 - count) | (uint64_t)uniform(0, 0x1p20);
}

static scree_contact_key random_key(void) {
    return (scree_contact_key){ .source = random_int(0, SCREE_SOURCES_MAX - 1),
                                .a = bits(random_int(21, SCREE_ID_SIDE_BITS)),
                                .b = bits(random_int(21, SCREE_ID_SIDE_BITS)),
                                .feature = bits(SCREE_ID_FEATURE_BITS) };
}

static scree_contact_id pack(scree_contact_key key) {
    return scree_contact_id_pack(key.source, key.a, key.b, key.feature);
}

static int order(uint64_t x, uint64_t y) { return (x > y) - (x < y); }

static int order_of_keys(scree_contact_key x, scree_contact_key y) {
    int by[4] = { order((uint64_t)x.source, (uint64_t)y.source), order(x.a, y.a), order(x.b, y.b),
                  order(x.feature, y.feature) };
    for (int k = 0; k < 4; k++)
        if (by[k]) return by[k];
    return 0;
}

static void nothing_is_lost(void) {
    for (int k = 0; k < 100000; k++) {
        scree_contact_key key = random_key(), other = k % 2 ? key : random_key();
        if (k % 2) other.feature ^= (uint64_t)1 << random_int(0, 43);
        scree_contact_key back = scree_contact_id_unpack(pack(key));
        CHECK(order_of_keys(key, back) == 0);
        int found = scree_contact_id_less(pack(key), pack(other))   ? -1
                    : scree_contact_id_less(pack(other), pack(key)) ? 1
                                                                    : 0;
        CHECK_INT(found, order_of_keys(key, other));
        CHECK(scree_contact_id_equal(pack(key), pack(other)) == (found == 0));
        bool pair = key.source == other.source && key.a == other.a && key.b == other.b;
        CHECK(scree_contact_id_equal(scree_contact_id_pair(pack(key)),
                                     scree_contact_id_pair(pack(other))) == pair);
    }
}

static void text_is_a_number(void) {
    static const struct {
        scree_contact_id id;
        const char *text;
    } row[] = {
        { { { 0, 0 } }, "0" },
        { { { 0, 7 } }, "7" },
        { { { 0, UINT64_MAX } }, "18446744073709551615" },
        { { { 1, 0 } }, "18446744073709551616" },
        { { { UINT64_MAX, UINT64_MAX } }, "340282366920938463463374607431768211455" },
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char text[SCREE_ID_TEXT];
        scree_contact_id_text(row[i].id, text);
        CHECK_TEXT(text, row[i].text);
    }
}

static void old_ones_are_known(void) {
    static const struct {
        uint64_t old;
        bool row;
        scree_contact_key key;
    } row[] = {
        { (uint64_t)3 << 42 | 9 << 20 | 5, false, { SCREE_SOURCE_SHAPES, 3, 9, 5 } },
        { (uint64_t)1 << 63 | (uint64_t)3 << 42 | 9 << 20, false, { SCREE_SOURCE_NODES, 3, 9, 0 } },
        { 4, true, { SCREE_SOURCE_ROWS, 4, 0, 0 } },
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        scree_contact_id id = scree_contact_id_of_64(row[i].old, row[i].row);
        CHECK(order_of_keys(scree_contact_id_unpack(id), row[i].key) == 0);
        CHECK(scree_contact_id_to_64(id) == row[i].old);
    }
}

// a disc on the last of five million segments: ids of 22 bits ended at 4.2 million
static void millions_of_pieces(void) {
    enum { SEGMENTS = 5000000 };
    scree_error err;
    double *vertex = malloc(2 * (SEGMENTS + 1) * sizeof *vertex);
    for (int i = 0; i <= SEGMENTS; i++) {
        vertex[2 * i] = i;
        vertex[2 * i + 1] = 0;
    }
    scree_model *model = scree_model_new();
    model->gravity[1] = -10;
    scree_body ground = { .name = "ground", .fixed = true };
    scree_body disc = {
        .name = "disc", .mass = 1, .inertia = 1, .position = { SEGMENTS - 0.5, 0.5 }
    };
    CHECK_INT(scree_model_add_body(model, &ground, &err), SCREE_OK);
    CHECK_INT(scree_model_add_body(model, &disc, &err), SCREE_OK);
    scree_shape round = { .kind = SCREE_DISC, .body = 1, .radius = 0.5 };
    scree_shape chain = { .kind = SCREE_CHAIN, .vertices = SEGMENTS + 1, .vertex = vertex };
    CHECK_INT(scree_model_add_shape(model, &chain, &err), SCREE_OK);
    CHECK_INT(scree_model_add_shape(model, &round, &err), SCREE_OK);
    CHECK_INT(scree_model_finish(model, &err), SCREE_OK);
    scree_scheme_options scheme = scree_scheme_options_default();
    scree_solver_options solver = scree_solver_options_default();
    scree_stepper *stepper = NULL;
    scheme.step = 1e-3;
    CHECK_INT(scree_stepper_new(model, &scheme, &solver, &stepper, &err), SCREE_OK);
    if (stepper) {
        for (int k = 0; k < 2; k++) CHECK_INT(scree_stepper_advance(stepper, &err), SCREE_OK);
        const scree_step_record *record = scree_stepper_record(stepper);
        int bearing = 0;
        for (int i = 0; i < record->contacts; i++) {
            scree_contact_key key = scree_contact_id_unpack(record->contact[i].id);
            if (!(record->contact[i].impulse[0] > 0)) continue;
            CHECK_INT(key.a, SEGMENTS - 1);
            CHECK_INT(key.b, SEGMENTS);
            bearing++;
        }
        CHECK_INT(bearing, 1);
    } else {
        COMPLAIN("%s", err.text);
    }
    scree_stepper_free(stepper);
    scree_model_free(model);
    free(vertex);
}

TEST_FILE(test_contact_id) {
    TEST(nothing_is_lost);
    TEST(text_is_a_number);
    TEST(old_ones_are_known);
    const char *asked = getenv("SCREE_LONG");
    if (asked && strcmp(asked, "1") == 0 && !SANITIZED)
        TEST(millions_of_pieces);
    else
        printf("SKIPPED millions_of_pieces: five seconds and gigabytes for one number\n");
    return harness_end();
}
