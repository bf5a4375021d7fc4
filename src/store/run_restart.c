// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_restart.c - two slots for the last state, one of them always whole.

#include "store/run_restart.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 8192, HEAD = 3 };  // words: of a chunk, before q

static const char *const names[2] = { "restart/0", "restart/1" };

static size_t fixed_words(const scree_restart *r) {
    return HEAD + (size_t)r->coordinates + (size_t)r->dofs;
}

// numbers of 32 bits that make an id
static size_t id_words(const scree_restart *r) { return r->format == SCREE_RUN_FORMAT_64 ? 2 : 4; }

// id, a, b, status; normal; impulse
static size_t contact_words(const scree_restart *r) {
    return id_words(r) + 3 + (size_t)r->space + (size_t)r->dimension;
}

// a number of 52 bits, which a double holds exactly
static double checksum(const double *word, size_t count) {
    uint64_t sum = 14695981039346656037u, bits;
    for (size_t i = 0; i < count; i++) {
        memcpy(&bits, &word[i], sizeof bits);
        sum = (sum ^ bits) * 1099511628211u;
        sum ^= sum >> 29;
    }
    return (double)(sum >> 12);
}

static double seconds_since(const struct timespec *then) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)(now.tv_sec - then->tv_sec) + 1e-9 * (double)(now.tv_nsec - then->tv_nsec);
}

static hid_t create_slot(hid_t file, const char *name) {
    const hsize_t none = 0, any = H5S_UNLIMITED, chunk = CHUNK, one = 1;
    hid_t space = H5Screate_simple(1, &one, &any), plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(plist, 1, &chunk);
    H5Pset_fill_time(plist, H5D_FILL_TIME_NEVER);
    hid_t set = H5Dcreate2(file, name, H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    // as in the tables: its index must be on the disk before single-writer mode begins
    const double nothing = 0;
    bool fine = set >= 0 &&
                H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &nothing) >= 0 &&
                H5Dflush(set) >= 0 && H5Dset_extent(set, &none) >= 0;
    H5Pclose(plist);
    H5Sclose(space);
    if (!fine && set >= 0) H5Dclose(set);
    return fine ? set : -1;
}

bool scree_restart_create(scree_restart *restart, hid_t file) {
    hid_t group = H5Gcreate2(file, "restart", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0) return false;
    H5Gclose(group);
    for (int k = 0; k < 2; k++) restart->set[k] = create_slot(file, names[k]);
    return restart->set[0] >= 0 && restart->set[1] >= 0;
}

bool scree_restart_open(scree_restart *restart, hid_t file, int last) {
    for (int k = 0; k < 2; k++) restart->set[k] = scree_layout_open(file, names[k]);
    restart->next = !last;
    return restart->set[0] >= 0 && restart->set[1] >= 0;
}

bool scree_restart_due(const scree_restart *restart) {
    return seconds_since(&restart->finished) >= 20 * restart->seconds;
}

static bool make_room(scree_restart *restart, size_t words) {
    if (words <= restart->room) return true;
    size_t room = words + words / 4;
    double *word = realloc(restart->word, room * sizeof *word);
    if (!word) return false;
    restart->word = word;
    restart->room = room;
    return true;
}

static double *put_contact(const scree_restart *r, const scree_contact *contact, double *out) {
    uint64_t narrow = scree_contact_id_to_64(contact->id);
    const uint64_t *id = r->format == SCREE_RUN_FORMAT_64 ? &narrow : contact->id.word;
    for (size_t k = 0; k < id_words(r); k++)
        *out++ = (double)(k % 2 ? id[k / 2] & UINT32_MAX : id[k / 2] >> 32);
    *out++ = contact->a;
    *out++ = contact->b;
    *out++ = contact->status;
    memcpy(out, contact->normal, (size_t)r->space * sizeof *out);
    memcpy(out + r->space, contact->impulse, (size_t)r->dimension * sizeof *out);
    return out + r->space + r->dimension;
}

static bool write_words(hid_t set, const double *word, size_t count) {
    const hsize_t start = 0, size = count;
    hsize_t old = 0;
    hid_t space = H5Dget_space(set);
    H5Sget_simple_extent_dims(space, &old, NULL);
    H5Sclose(space);
    // a slot never shrinks: what stands behind its words is not looked at
    if (old < size && H5Dset_extent(set, &size) < 0) return false;
    space = H5Dget_space(set);
    hid_t memory = H5Screate_simple(1, &size, NULL);
    bool fine = H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &size, NULL) >= 0 &&
                H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, word) >= 0 &&
                H5Dflush(set) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return fine;
}

bool scree_restart_write(scree_restart *restart, const scree_state *state,
                         const scree_contact *contact, int contacts) {
    struct timespec begin;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    size_t n = (size_t)restart->coordinates, m = (size_t)restart->dofs;
    int count = 0;
    for (int i = 0; i < contacts; i++) count += contact[i].status != SCREE_CONTACT_INACTIVE;
    size_t words = fixed_words(restart) + (size_t)count * contact_words(restart);
    if (!make_room(restart, words)) return false;

    double *word = restart->word, *out = word + fixed_words(restart);
    word[1] = (double)state->step;
    word[2] = count;
    memcpy(word + HEAD, state->q, n * sizeof *word);
    memcpy(word + HEAD + n, state->v, m * sizeof *word);
    for (int i = 0; i < contacts; i++)
        if (contact[i].status != SCREE_CONTACT_INACTIVE)
            out = put_contact(restart, &contact[i], out);
    word[0] = checksum(word + 1, words - 1);
    bool fine = write_words(restart->set[restart->next], word, words);
    restart->next = !restart->next;
    restart->seconds = seconds_since(&begin);
    clock_gettime(CLOCK_MONOTONIC, &restart->finished);
    return fine;
}

void scree_restart_close(scree_restart *restart) {
    for (int k = 0; k < 2; k++)
        if (restart->set[k] > 0) H5Dclose(restart->set[k]);
    free(restart->word);
    restart->set[0] = restart->set[1] = -1;
    restart->word = NULL;
}

// of a slot
static size_t words_of(const scree_restart *shape, const double *word) {
    return fixed_words(shape) + (size_t)word[2] * contact_words(shape);
}

// do the words make sense?
static bool is_whole(const scree_restart *shape, const double *word, size_t count) {
    size_t fixed = fixed_words(shape), each = contact_words(shape);
    if (count < fixed || !(word[1] >= 0 && word[1] < 9e15)) return false;
    if (!(word[2] >= 0 && word[2] <= (double)((count - fixed) / each))) return false;
    if (!(word[2] <= INT_MAX)) return false;
    return word[0] == checksum(word + 1, words_of(shape, word) - 1);
}

double *scree_restart_read(const scree_restart *shape, hid_t file, int slot) {
    hid_t set = scree_layout_open(file, names[slot]);
    if (set < 0) return NULL;
    hid_t space = H5Dget_space(set);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    bool stored = count > 0 && scree_layout_stored(set, H5T_NATIVE_DOUBLE, (size_t)count);
    double *word = stored ? malloc((size_t)count * sizeof *word) : NULL;
    if (word && (H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, word) < 0 ||
                 !is_whole(shape, word, (size_t)count))) {
        free(word);
        word = NULL;
    }
    H5Sclose(space);
    H5Dclose(set);
    return word;
}

bool scree_restart_is_sound(hid_t file) {
    bool fine = true;
    for (int k = 0; fine && k < 2; k++) {
        hid_t set = scree_layout_open(file, names[k]);
        fine = set >= 0 && scree_layout_indexed(set);
        if (set >= 0) H5Dclose(set);
    }
    return fine;
}

bool scree_restart_renew(const scree_restart *shape, hid_t file, const double *word) {
    scree_restart made = *shape;
    made.set[0] = made.set[1] = -1;
    bool fine = scree_restart_create(&made, file) &&
                (!word || write_words(made.set[0], word, words_of(shape, word)));
    scree_restart_close(&made);
    return fine;
}

int64_t scree_restart_step(const double *word) { return (int64_t)word[1]; }
int scree_restart_contacts(const double *word) { return (int)word[2]; }

static scree_contact_id id_of(const scree_restart *shape, const double *word, bool row) {
    scree_contact_id id = { { 0 } };
    for (size_t k = 0; k < id_words(shape); k++)
        id.word[k / 2] = id.word[k / 2] << 32 | (uint64_t)word[k];
    return shape->format == SCREE_RUN_FORMAT_64 ? scree_contact_id_of_64(id.word[0], row) : id;
}

void scree_restart_take(const scree_restart *shape, const double *word, scree_state *state,
                        scree_contact *contact) {
    size_t n = (size_t)shape->coordinates, m = (size_t)shape->dofs;
    int contacts = scree_restart_contacts(word);
    state->step = scree_restart_step(word);
    memcpy(state->q, word + HEAD, n * sizeof *word);
    memcpy(state->v, word + HEAD + n, m * sizeof *word);
    word += fixed_words(shape);
    for (int i = 0; i < contacts; i++, word += contact_words(shape)) {
        const double *head = word + id_words(shape);
        contact[i] = (scree_contact){ .a = (int)head[0],
                                      .b = (int)head[1],
                                      .status = (scree_contact_status)head[2] };
        contact[i].id = id_of(shape, word, contact[i].a < 0);
        memcpy(contact[i].normal, head + 3, (size_t)shape->space * sizeof *word);
        memcpy(contact[i].impulse, head + 3 + shape->space,
               (size_t)shape->dimension * sizeof *word);
    }
}
