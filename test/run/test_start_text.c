// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// The text of a start: what is written is read again to the bit, and nothing that is broken is.

#include <stdlib.h>

#include "harness.h"
#include "run/start.h"

static double q[] = { 1.0 / 3, -0.0, 1e-310, 4, 5, 6, 7 }, v[] = { 1, 2, 3, 4, 5, -6e300 };

static scree_start_part parts[] = {
    { SCREE_START_RIGID, "a b\n2 3", 7, 6, q, v },
    { SCREE_START_FIXED, "", 0, 0, q, v },
    { SCREE_START_ELASTIC, "block", 4, 4, q, v },
};

static scree_start_contact contacts[] = {
    { { 0, 1 }, { 2, 0 }, { 0, 77 }, 12345678901, SCREE_CONTACT_STICK, { 0, 0, 1 }, { 0.1, 0.2 } },
    { { 2, 0 }, { 0, 1 }, { 3, 0 }, 0, SCREE_CONTACT_OPEN, { 1, 0, 0 }, { 0 } },
};

static const scree_start whole = { 1e-3, 3, 2, parts, contacts };

static void round_trip(void) {
    scree_arena arena = { 0 };
    size_t length;
    char *text = scree_start_text_write(&whole, &length);
    const scree_start *read = text ? scree_start_text_parse(text, length, &arena) : NULL;
    CHECK(read && read->step == whole.step && read->parts == 3 && read->contacts == 2);
    for (int i = 0; read && i < 3; i++) {
        const scree_start_part *a = &parts[i], *b = &read->part[i];
        CHECK(a->kind == b->kind && strcmp(a->name, b->name) == 0);
        CHECK(a->coordinates == b->coordinates && a->dofs == b->dofs);
        CHECK(memcmp(a->q, b->q, (size_t)a->coordinates * sizeof *q) == 0);
        CHECK(memcmp(a->v, b->v, (size_t)a->dofs * sizeof *v) == 0);
    }
    for (int i = 0; read && i < 2; i++)
        CHECK(memcmp(&contacts[i], &read->contact[i], sizeof *contacts) == 0);
    free(text);
    scree_arena_free(&arena);
}

// a copy that ends where it says, so that a sanitizer sees who reads on
static bool is_read(const char *text, size_t length) {
    scree_arena arena = { 0 };
    char *copy = malloc(length + 1);
    if (!copy) return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    bool read = scree_start_text_parse(copy, length, &arena) != NULL;
    free(copy);
    scree_arena_free(&arena);
    return read;
}

static void cut_off(void) {
    size_t length;
    char *text = scree_start_text_write(&whole, &length);
    CHECK(text && is_read(text, length));
    // the digits of the last number may be cut, and the line's end
    for (size_t n = 0; text && n + 8 < length; n++)
        if (is_read(text, n)) COMPLAIN("cut off after %zu of %zu bytes it is read", n, length);
    free(text);
}

static void damaged(void) {
    static const char *const bad[] = {
        "",
        "scree start 2\n0 0 0x1p-1\n",
        "scree start 1\n0 0 0x0p+0\n",
        "scree start 1\n0 0 nan\n",
        "scree start 1\n-1 0 1\n",
        "scree start 1\n99999999999999999999 0 1\n",
        "scree start 1\n2000000000 2000000000 1\n",
        "scree start 1\n1 0 1\nx 1 a 0 0\n",
        "scree start 1\n1 0 1\nr 2147483647 a 0 0\n",
        "scree start 1\n1 0 1\nr 1 a 1073741823 0\n",
        "scree start 1\n1 1 1\nf 1 a 0 0\n1 0 0 0 0 0 0 1 0 0 1 0 0 0 0 0\n",
        "scree start 1\n1 1 1\nf 1 a 0 0\n0 0 0 0 0 0 0 9 0 0 1 0 0 0 0 0\n",
        "scree start 1\n1 1 1\nf 1 a 0 0\n0 0 0 0 0 0 99999999999999 1 0 0 1 0 0 0 0 0\n",
        "scree start 1\n1 1 1\nf 1 a 0 0\n0 0 0 0 0 0 0 1 0 inf 1 0 0 0 0 0\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (is_read(bad[i], strlen(bad[i]))) COMPLAIN("read: %s", bad[i]);
    CHECK(is_read("scree start 1\n0 0 1\n", 20));
}

TEST_FILE(test_start_text) {
    TEST(round_trip);
    TEST(cut_off);
    TEST(damaged);
    return harness_end();
}
