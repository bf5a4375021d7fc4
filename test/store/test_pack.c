// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_pack.c - chunks are unpacked to the same bytes by zlib alone, noise costs next to nothing
// and what repeats is found.

#include <stdint.h>
#include <stdlib.h>
#include <zlib.h>

#include "harness.h"
#include "random.h"
#include "store/pack.h"

enum { NUMBERS = 3000, ROOM = NUMBERS * 8 };

static scree_packer packer;

// pack, unpack by zlib, put the planes together again; how many bytes it took
static size_t there_and_back(const void *numbers, size_t count, size_t size, int level) {
    static unsigned char planes[ROOM], back[ROOM];
    size_t bytes = count * size;
    bool fine = true;
    size_t packed = scree_pack(&packer, level, numbers, bytes, size, &fine);
    uLongf found = ROOM;
    CHECK(fine && packed > 0 && packed + 1 <= packer.room);
    CHECK(uncompress(planes, &found, (const Bytef *)packer.packed, packed) == Z_OK);
    CHECK(found == bytes);
    for (size_t k = 0; k < size; k++)
        for (size_t i = 0; i < count; i++) back[i * size + k] = planes[k * count + i];
    CHECK(memcmp(back, numbers, bytes) == 0);
    return packed;
}

static uint64_t dice(void) {
    return (uint64_t)uniform(0, 4294967296.0) << 32 | (uint64_t)uniform(0, 4294967296.0);
}

static void noise_is_left_alone(void) {
    static uint64_t word[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) word[i] = dice();
    size_t packed = there_and_back(word, NUMBERS, 8, 1);
    CHECK(packed > sizeof word && packed < sizeof word + 200);
}

static void doubles_lose_their_upper_bytes(void) {
    static double number[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) number[i] = uniform(1, 2);  // 52 bits of noise
    CHECK(there_and_back(number, NUMBERS, 8, 1) < NUMBERS * 27 / 4);
}

static void what_repeats_is_found(void) {
    static uint64_t word[NUMBERS];
    enum { PERIOD = NUMBERS / 2 };
    for (int i = 0; i < NUMBERS; i++) word[i] = i < PERIOD ? dice() : word[i - PERIOD];
    CHECK(there_and_back(word, NUMBERS, 8, 6) < sizeof word * 6 / 10);
    for (int i = 0; i < NUMBERS; i++) word[i] = (uint64_t)i;  // as many of each byte
    CHECK(there_and_back(word, NUMBERS, 8, 1) < sizeof word / 40);
    memset(word, 0, sizeof word);
    CHECK(there_and_back(word, NUMBERS, 8, 1) < sizeof word / 100);
}

// what is neither noise nor runs is left to zlib; without it bytes that are like the one before are
// all that is lost
static void runs_need_no_zlib(void) {
    static uint64_t word[NUMBERS];
    for (int i = 0; i < NUMBERS; i++) word[i] = (uint64_t)(i / 3);  // a counter
    CHECK(there_and_back(word, NUMBERS, 8, 0) < sizeof word / 5);
    CHECK(scree_pack_pays((const char *)word, sizeof word, 8, 1));
    for (int i = 0; i < NUMBERS; i++)
        word[i] = i < 2000 ? 7 : dice();  // changes its kind on the way
    CHECK(there_and_back(word, NUMBERS, 8, 0) < sizeof word / 2);
    for (int i = 0; i < NUMBERS; i++) word[i] = dice();
    CHECK(!scree_pack_pays((const char *)word, sizeof word, 8, 1));
    for (int i = 3; i < NUMBERS; i++) word[i] = word[i - 3];
    CHECK(scree_pack_pays((const char *)word, sizeof word, 8, 3));  // rows that are the same
    CHECK(!scree_pack_pays((const char *)word, 8, 8, 1));           // one number
}

// lengths of runs around those that deflate has names for
static void runs_of_every_length_come_back(void) {
    static unsigned char byte[ROOM];
    for (int length = 1; length < 1100; length += length < 300 ? 1 : 97) {
        size_t at = 0;
        for (int v = 0; at + (size_t)length < NUMBERS; at += (size_t)length, v += 37)
            memset(byte + at, v, (size_t)length);
        if (at) there_and_back(byte, at, 1, 0);
    }
}

static void skewed_bytes_get_codes(void) {
    static unsigned char byte[NUMBERS];
    for (int i = 0; i < NUMBERS; i++)
        byte[i] = (unsigned char)(random_int(0, 160) * random_int(1, 2));
    size_t packed = there_and_back(byte, NUMBERS, 1, 1);
    CHECK(packed < sizeof byte * 98 / 100);
}

static void any_mixture_comes_back(void) {
    static unsigned char byte[ROOM];
    static const size_t size[] = { 1, 4, 8 };
    for (int trial = 0; trial < 300; trial++) {
        size_t one = size[random_int(0, 2)], count = (size_t)random_int(1, NUMBERS);
        unsigned mask = (unsigned)random_int(0, 255);
        int used = random_int(0, (int)count);  // zeros behind, as in the last chunk
        memset(byte, 0, sizeof byte);
        for (size_t i = 0; i < (size_t)used; i++)
            for (size_t k = 0; k < one; k++)
                byte[i * one + k] = (unsigned char)(mask >> k & 1 ? random_int(0, 255) : trial);
        there_and_back(byte, count, one, random_int(0, 9));
    }
}

TEST_FILE(test_pack) {
    TEST(noise_is_left_alone);
    TEST(doubles_lose_their_upper_bytes);
    TEST(what_repeats_is_found);
    TEST(runs_need_no_zlib);
    TEST(runs_of_every_length_come_back);
    TEST(skewed_bytes_get_codes);
    TEST(any_mixture_comes_back);
    scree_packer_free(&packer);
    return harness_end();
}
