// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// harness.h - the tests' only framework. A test is a function; a failed check names file, line,
// values and tolerance, and the program goes on, so that one run shows everything that is wrong.
//
//     TEST_FILE(test_ball) {
//         TEST(ball_bounces);
//         return harness_end();
//     }
//
// All files of a folder make one program (main.c): `tests_step test_ball` runs one of them.

#ifndef SCREE_TEST_HARNESS_H
#define SCREE_TEST_HARNESS_H

#include <math.h>
#include <stdio.h>
#include <string.h>

// sanitizers make everything slow: fewer of the same kind will do there
#if defined __has_feature  // clang's way to tell, below gcc's
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define HARNESS_SANITIZER 1
#endif
#endif
#if defined HARNESS_SANITIZER || defined __SANITIZE_ADDRESS__
enum { SANITIZED = 1, FEWER = 4 };  // what random counts are divided by
#else
enum { SANITIZED = 0, FEWER = 1 };
#endif

static int harness_passed, harness_failed, harness_complaints;

/// The tests of the file with this name: 0 if all pass.
#define TEST_FILE(name) \
    int name(void);     \
    int name(void)

#define TEST(function)                        \
    do {                                      \
        harness_complaints = 0;               \
        function();                           \
        if (harness_complaints) {             \
            harness_failed++;                 \
            printf("FAILED %s\n", #function); \
        } else {                              \
            harness_passed++;                 \
        }                                     \
    } while (0)

#define COMPLAIN(...)                              \
    do {                                           \
        if (harness_complaints++ < 20) {           \
            printf("%s:%d: ", __FILE__, __LINE__); \
            printf(__VA_ARGS__);                   \
            printf("\n");                          \
        }                                          \
    } while (0)

#define CHECK(condition)                                        \
    do {                                                        \
        if (!(condition)) COMPLAIN("not true: %s", #condition); \
    } while (0)

/// |value - expected| <= tolerance; NaN fails.
#define CHECK_NEAR(value, expected, tolerance)                                                  \
    do {                                                                                        \
        double value_ = (value), expected_ = (expected), tolerance_ = (tolerance);              \
        if (!(fabs(value_ - expected_) <= tolerance_))                                          \
            COMPLAIN("%s = %.17g, expected %.17g, off by %.3g, tolerance %.3g", #value, value_, \
                     expected_, fabs(value_ - expected_), tolerance_);                          \
    } while (0)

#define CHECK_INT(value, expected)                                                                \
    do {                                                                                          \
        long long value_ = (long long)(value), expected_ = (long long)(expected);                 \
        if (value_ != expected_) COMPLAIN("%s = %lld, expected %lld", #value, value_, expected_); \
    } while (0)

#define CHECK_TEXT(value, expected)                                                      \
    do {                                                                                 \
        const char *value_ = (value), *expected_ = (expected);                           \
        if (strcmp(value_ ? value_ : "(null)", expected_) != 0)                          \
            COMPLAIN("%s = \"%s\", expected \"%s\"", #value, value_ ? value_ : "(null)", \
                     expected_);                                                         \
    } while (0)

static int harness_end(void) {
    printf("%d passed, %d failed\n", harness_passed, harness_failed);
    return harness_failed > 0;
}

#endif
