// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_stop.c - why a run ended before its time: a text of fixed length with its digest, so that it
// can be written where it is when nothing can be added to the file any more.

#include "store/run_stop.h"

#include <stdio.h>

#include "store/digest.h"

typedef struct sentence {
    char why[1016];
    uint64_t digest;
} sentence;

static uint64_t digest_of(const sentence *s) {
    scree_digest sum = scree_digest_begin();
    scree_digest_bytes(&sum, s->why, sizeof s->why);
    return scree_digest_value(&sum);
}

static hid_t sentence_type(void) {
    hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(sentence)), text = H5Tcopy(H5T_C_S1);
    H5Tset_size(text, sizeof((sentence *)0)->why);
    H5Tset_cset(text, H5T_CSET_UTF8);
    H5Tinsert(type, "why", offsetof(sentence, why), text);
    H5Tinsert(type, "digest", offsetof(sentence, digest), H5T_STD_U64LE);
    H5Tclose(text);
    return type;
}

bool scree_run_stop_write(hid_t file, const char *why) {
    sentence s = { 0 };
    snprintf(s.why, sizeof s.why, "%s", why);
    s.digest = digest_of(&s);
    hid_t type = sentence_type(), space = H5Screate(H5S_SCALAR);
    hid_t set =
        H5Lexists(file, "stopped", H5P_DEFAULT) > 0
            ? scree_layout_open(file, "stopped")
            : H5Dcreate2(file, "stopped", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool fine = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &s) >= 0;
    if (set >= 0) H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
    return fine;
}

bool scree_run_stop_read(hid_t file, scree_arena *arena, const char **why) {
    *why = "";
    if (H5Lexists(file, "stopped", H5P_DEFAULT) <= 0) return true;
    sentence s = { 0 };
    hid_t type = sentence_type(), set = scree_layout_open(file, "stopped");
    hid_t space = set < 0 ? -1 : H5Dget_space(set);
    bool fine = space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, &s) >= 0 &&
                s.digest == digest_of(&s) && !s.why[sizeof s.why - 1];
    if (space >= 0) H5Sclose(space);
    if (set >= 0) H5Dclose(set);
    H5Tclose(type);
    const char *kept = fine ? scree_arena_text(arena, s.why, strlen(s.why)) : NULL;
    if (kept) *why = kept;
    return kept;
}
