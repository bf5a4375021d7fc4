// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_end.c - the last row of a run file: what it holds in all.

#include "store/run_read.h"

hid_t scree_run_end_type(void) {
    hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(scree_run_end));
    if (type < 0) return type;
    H5Tinsert(type, "wall_seconds", offsetof(scree_run_end, wall_seconds), H5T_IEEE_F64LE);
    H5Tinsert(type, "steps", offsetof(scree_run_end, steps), H5T_STD_I64LE);
    H5Tinsert(type, "frames", offsetof(scree_run_end, frames), H5T_STD_I64LE);
    H5Tinsert(type, "contacts", offsetof(scree_run_end, contacts), H5T_STD_I64LE);
    H5Tinsert(type, "digest", offsetof(scree_run_end, digest), H5T_STD_U64LE);
    H5Tinsert(type, "check", offsetof(scree_run_end, check), H5T_STD_U64LE);
    return type;
}

uint64_t scree_run_end_check(const scree_run_end *end) {
    scree_digest sum = scree_digest_begin();
    scree_digest_bytes(&sum, end, offsetof(scree_run_end, check));
    return scree_digest_value(&sum);
}

scree_run_end scree_run_end_of_cut(double wall_seconds, int64_t steps, int64_t frames,
                                   int64_t contacts) {
    return (scree_run_end){ wall_seconds, -2 - steps, -2 - frames, -2 - contacts, 0, 0 };
}

bool scree_run_end_write(hid_t file, scree_run_end *end) {
    end->check = scree_run_end_check(end);
    hid_t set = scree_layout_open(file, "end"), type = scree_run_end_type();
    bool fine =
        set >= 0 && type >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, end) >= 0;
    if (type >= 0) H5Tclose(type);
    if (set >= 0) H5Dclose(set);
    return fine;
}

bool scree_run_end_read(hid_t file, scree_run_end *end) {
    hid_t set = scree_layout_open(file, "end"), type = scree_run_end_type();
    hid_t space = set < 0 ? -1 : H5Dget_space(set);
    bool fine = space >= 0 && type >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, end) >= 0 &&
                end->check == scree_run_end_check(end);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    if (set >= 0) H5Dclose(set);
    return fine;
}
