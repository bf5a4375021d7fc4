// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// reseal.h - run files changed on purpose: with digests that fit, as an enemy would have them.

#ifndef SCREE_TEST_STORE_RESEAL_H
#define SCREE_TEST_STORE_RESEAL_H

#include "harness.h"
#include "store/run_read.h"

/// Digests of the header as it is now.
static inline void reseal(hid_t file) {
    bool fine = H5Ldelete(file, "digests", H5P_DEFAULT) >= 0 &&
                H5Adelete_by_name(file, "options", "digest", H5P_DEFAULT) >= 0;
    scree_run_header_seal(file, &fine);
    CHECK(fine);
}

/// As if the writer had been killed.
static inline void reopen_end(hid_t file) {
    scree_run_end open = { 0, -1, -1, -1, 0, 0 };
    CHECK(scree_run_end_write(file, &open));
}

#endif
