// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_version.c - the version of the headers is that of the build.

#include "harness.h"
#include "scree/scree.h"

static void headers_and_library_agree(void) {
    char text[40];
    snprintf(text, sizeof text, "%d.%d.%d", SCREE_VERSION_MAJOR, SCREE_VERSION_MINOR,
             SCREE_VERSION_PATCH);
    CHECK_TEXT(scree_version(), text);
}

TEST_FILE(test_version) {
    TEST(headers_and_library_agree);
    return harness_end();
}
