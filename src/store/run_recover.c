// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_recover.c - a damaged run file, cut back to what stands before the damage.
// in: a run file.   out: a whole one in its place, and the damaged one beside it.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/run_open.h"
#include "store/run_read.h"
#include "store/run_restart.h"
#include "store/run_stop.h"
#include "store/run_vtkhdf.h"
#include "store/superblock.h"
#include "store/target.h"

static scree_status fail_tables(const char *path, scree_error *err) {
    return scree_fail(err, SCREE_BAD_INPUT, (scree_source_location){ path, 0, 0 },
                      "has tables that can neither be read nor cut");
}

// A copy that was cut off is filled up with zeros, which have no digests; a torn head is mended.
static bool mend(FILE *copied, uint64_t size) {
    unsigned char block[SCREE_SUPERBLOCK_SIZE];
    if (fseek(copied, 0, SEEK_SET) != 0 || fread(block, sizeof block, 1, copied) != 1) return true;
    if (scree_superblock_mend(block, size))
        return fseek(copied, 0, SEEK_SET) == 0 && fwrite(block, sizeof block, 1, copied) == 1;
    uint64_t end = scree_superblock_end(block);
    return end <= size || end - size >= ((uint64_t)1 << 40) ||
           ftruncate(fileno(copied), (off_t)end) == 0;
}

static scree_status copy(const char *path, const char *fresh, scree_error *err) {
    enum { ROOM = 1 << 16 };
    struct stat about;
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode))
        return scree_fail_file(err, path, "cannot be copied",
                               EINVAL);  // a pipe would be waited for
    char *room = malloc(ROOM);
    FILE *from = fopen(path, "rb"), *to = fopen(fresh, "w+bx");
    bool fine = room && from && to;
    uint64_t size = 0;
    errno = room ? errno : ENOMEM;
    for (size_t got = 1; fine && got;) {
        got = fread(room, 1, ROOM, from);
        size += got;
        fine = !ferror(from) && fwrite(room, 1, got, to) == got;
    }
    fine = fine && fflush(to) == 0 && mend(to, size);
    int cause = errno;
    if (from) fclose(from);
    if (to && fclose(to) != 0) fine = false;
    free(room);
    return fine ? SCREE_OK : scree_fail_file(err, path, "cannot be copied", cause);
}

static bool cut(hid_t file, const char *name, int64_t rows) {
    hid_t set = scree_layout_open(file, name), space = set < 0 ? -1 : H5Dget_space(set);
    hsize_t size[3] = { 0 };
    bool fine = space >= 0 && H5Sget_simple_extent_ndims(space) <= 3 &&
                H5Sget_simple_extent_dims(space, size, NULL) >= 0;
    size[0] = (hsize_t)rows;
    fine = fine && H5Dset_extent(set, size) >= 0;
    if (space >= 0) H5Sclose(space);
    if (set >= 0) H5Dclose(set);
    return fine;
}

static bool cut_table(hid_t file, const char *name, int64_t rows) {
    hid_t group = scree_layout_enter(file, name);
    scree_arena arena = { 0 };
    char *list = group < 0 ? NULL : (char *)scree_layout_text(group, "columns", &arena);
    bool fine = list && *list;
    for (char *word = list, *end; fine && *word; word = end) {
        end = word + strcspn(word, " ");
        if (*end) *end++ = '\0';
        fine = cut(group, word, rows);
    }
    if (group >= 0) H5Gclose(group);
    scree_arena_free(&arena);
    return fine;
}

// all tables to the rows that are fine; the run counts as closed
static bool cut_all(const char *path, scree_run_end *end) {
    static const char *const states[] = { "q", "v", "strain", "stress", "reactions" };
    scree_driver_errors errors = { 0 };
    hid_t driver = -1, plist = scree_run_access_again(&errors, &driver);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, plist);
    H5Pclose(plist);
    bool fine = file >= 0 && cut_table(file, "steps", end->steps) &&
                cut_table(file, "frames", end->frames) &&
                cut_table(file, "contacts", end->contacts);
    for (int i = 0; fine && i < 5; i++)
        if (H5Lexists(file, states[i], H5P_DEFAULT) > 0) fine = cut(file, states[i], end->frames);
    fine = fine && scree_run_end_write(file, end) && scree_run_stop_write(file, "");
    if (fine) scree_run_vtkhdf_clear(file);
    if (file >= 0) fine = H5Fclose(file) >= 0 && fine;
    if (driver > 0) H5FDunregister(driver);
    return fine && !errors.writing;
}

// ---- slots that are damaged

static herr_t copy_attribute(hid_t from, const char *name, const H5A_info_t *about, void *to) {
    hid_t old = H5Aopen(from, name, H5P_DEFAULT), type = H5Aget_type(old),
          space = H5Aget_space(old);
    void *room = malloc(about->data_size + 1);
    hid_t made = H5Acreate2(*(const hid_t *)to, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    bool fine =
        room && made >= 0 && H5Aread(old, type, room) >= 0 && H5Awrite(made, type, room) >= 0;
    if (made >= 0) H5Aclose(made);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    if (old >= 0) H5Aclose(old);
    free(room);
    return fine ? 0 : -1;
}

static herr_t copy_object(hid_t from, const char *name, const H5L_info_t *about, void *to) {
    (void)about;
    if (strcmp(name, "restart") == 0) return 0;
    return H5Ocopy(from, name, *(const hid_t *)to, name, H5P_DEFAULT, H5P_DEFAULT);
}

// What cannot be read cannot be taken out of a file either: all but the slots goes to another one,
// which gets new slots.
static bool renew_slots(const char *path, const scree_restart *shape, const double *word) {
    char reason[160], *other = malloc(strlen(path) + 8);
    if (!other) return false;
    sprintf(other, "%s.slots", path);
    scree_driver_errors errors = { 0 };
    hid_t driver = -1, plist = scree_run_access(&errors, &driver), root = scree_layout_root();
    hid_t from = scree_run_open(path, reason, sizeof reason);
    hid_t to = H5Fcreate(other, H5F_ACC_TRUNC, root, plist);
    H5Pclose(plist);
    H5Pclose(root);
    bool fine = from >= 0 && to >= 0 &&
                H5Aiterate2(from, H5_INDEX_NAME, H5_ITER_INC, NULL, copy_attribute, &to) >= 0 &&
                H5Literate(from, H5_INDEX_NAME, H5_ITER_INC, NULL, copy_object, &to) >= 0 &&
                scree_restart_renew(shape, to, word);
    if (from >= 0) H5Fclose(from);
    if (to >= 0) fine = H5Fclose(to) >= 0 && fine;
    if (driver > 0) H5FDunregister(driver);
    fine = fine && !errors.writing && rename(other, path) == 0;
    if (!fine) unlink(other);
    free(other);
    return fine;
}

static bool is_whole(const char *path, scree_recovery *found) {
    scree_run_reader *reader;
    int64_t steps = 0, frames = 0;
    if (scree_run_reader_open(path, &reader, NULL)) return false;
    bool fine = scree_run_reader_verify(reader, &steps, &frames, NULL) == SCREE_OK && frames > 0;
    if (fine)
        *found =
            (scree_recovery){ true, steps, frames, reader->memory->frame[frames - 1].row.time };
    scree_run_reader_close(reader);
    return fine;
}

// how much of a copy is fine; it is cut to that
static scree_status repair(const char *fresh, scree_recovery *found, scree_error *err) {
    scree_run_reader *reader;
    scree_run_sums sums;
    scree_status status = scree_run_reader_open_part(fresh, &reader, err);
    if (status) return status;
    if (scree_run_reader_before(reader)) {
        scree_run_reader_close(reader);
        return scree_fail(err, SCREE_BAD_INPUT, (scree_source_location){ fresh, 0, 0 },
                          "is a run file of before, which has no digests");
    }
    int64_t steps, frames;
    scree_resume_point point = { .slot = -1 };
    scree_run_end end = { .wall_seconds = reader->wall_seconds };
    scree_error reason = { 0 };
    if (scree_run_reader_verify(reader, &steps, &frames, &reason) == SCREE_NO_MEMORY) {
        scree_run_reader_close(reader);  // what was not looked at is not cut off
        return scree_fail_memory(err, NULL);
    }
    const scree_frame_record *frame = reader->memory->frame;
    while (frames > 0 && frame[frames - 1].row.step - frame[0].row.step >= steps) frames--;
    if (frames < 1) {
        status = scree_fail(err, SCREE_BAD_INPUT, (scree_source_location){ fresh, 0, 0 },
                            "holds no state that is whole");
    } else {
        const scree_frame_row *last = &frame[frames - 1].row;
        end.frames = frames;
        end.steps = frames < reader->frames ? last->step - frame[0].row.step + 1 : steps;
        end.contacts = last->first_contact + last->contacts;
        *found = (scree_recovery){ false, end.steps, end.frames, last->time };
        if (!scree_run_reader_sums(reader, end.steps, end.frames, &sums))
            status = fail_tables(fresh, err);
        end.digest = scree_run_sums_digest(&sums);
        reader->steps = end.steps;
        reader->frames = end.frames;
        scree_run_reader_point(reader, &point, NULL);  // without one it can be read
    }
    const scree_restart shape = scree_run_reader_shape(reader);
    bool torn = reader->memory->restarts && !scree_restart_is_sound(reader->memory->file);
    scree_run_reader_close(reader);
    scree_recovery now;
    if (!status && !(cut_all(fresh, &end) && (!torn || renew_slots(fresh, &shape, point.word)) &&
                     is_whole(fresh, &now)))
        status = fail_tables(fresh, err);
    free(point.word);
    return status;
}

static scree_status exchange(const char *path, const char *fresh, const char *aside,
                             scree_error *err) {
    struct stat about;
    if (lstat(aside, &about) == 0) return scree_fail_file(err, aside, "is in the way", EEXIST);
    FILE *file = fopen(fresh, "rb");
    bool synced = file && fsync(fileno(file)) == 0;
    int cause = errno;
    if (file) fclose(file);
    if (!synced) return scree_fail_file(err, path, "cannot be written", cause);
    if (rename(path, aside) != 0 || rename(fresh, path) != 0)
        return scree_fail_file(err, path, "cannot be replaced", errno);
    return SCREE_OK;
}

scree_status scree_run_recover(const char *path, scree_recovery *found, scree_error *err) {
    scree_target target;
    *found = (scree_recovery){ 0 };
    scree_status status = scree_target_claim_run(path, &target, err);
    if (status || is_whole(target.path, found)) {
        if (!status) scree_target_release(&target);
        return status;
    }
    char *fresh = scree_target_beside(target.path), *aside = malloc(strlen(target.path) + 40);
    if (!fresh || !aside) status = scree_fail_memory(err, NULL);
    if (!status) {
        sprintf(aside, "%s.damaged", target.path);
        scree_quiet quiet = scree_layout_quiet();
        status = copy(target.path, fresh, err);
        if (!status) status = repair(fresh, found, err);
        if (!status) status = exchange(target.path, fresh, aside, err);
        scree_layout_loud(quiet);
        if (status) unlink(fresh);
        if (status && err) snprintf(err->file, sizeof err->file, "%s", path);
    }
    free(fresh);
    free(aside);
    scree_target_release(&target);
    return status;
}

scree_status scree_run_recover_header(const char *path, scree_run_reader **reader,
                                      scree_error *err) {
    *reader = NULL;
    char *filled = scree_target_beside(path);
    if (!filled) return scree_fail_memory(err, NULL);
    scree_status status = copy(path, filled, err);
    if (!status) status = scree_run_reader_open_part(filled, reader, err);
    unlink(filled);  // it stays open
    free(filled);
    return status;
}
