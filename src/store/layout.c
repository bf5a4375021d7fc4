// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// layout.c - columns of the tables: name, place in the struct, type; texts and numbers beside them.

#include "store/layout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef scree_layout_column column;

#define STEP(field) offsetof(scree_step_row, field)
#define FRAME(field) offsetof(scree_frame_record, row.field)
#define DIGEST(field) offsetof(scree_frame_record, field)
#define CONTACT(field) offsetof(scree_contact_row, field)

// in which files: columns, or rows of compounds as before
enum { BOTH, NEW, OLD };

static const column step_columns[] = {
    { "step", STEP(step), 'l', BOTH },
    { "time", STEP(time), 'd', BOTH },
    { "kinetic", STEP(account.ledger.kinetic), 'd', BOTH },
    { "elastic", STEP(account.ledger.elastic), 'd', BOTH },
    { "potential", STEP(account.ledger.potential), 'd', BOTH },
    { "external_work", STEP(account.ledger.external_work), 'd', BOTH },
    { "damping_work", STEP(account.ledger.damping_work), 'd', BOTH },
    { "numerical_dissipation", STEP(account.ledger.numerical_dissipation), 'd', BOTH },
    { "contact_normal_work", STEP(account.ledger.contact_normal_work), 'd', BOTH },
    { "contact_tangential_work", STEP(account.ledger.contact_tangential_work), 'd', BOTH },
    { "boundary_work", STEP(account.ledger.boundary_work), 'd', BOTH },
    { "joint_work", STEP(account.ledger.joint_work), 'd', NEW },
    { "spring", STEP(account.ledger.spring), 'd', NEW },
    { "motor_work", STEP(account.ledger.motor_work), 'd', NEW },
    { "correction_work", STEP(account.ledger.correction_work), 'd', BOTH },
    { "held_work", STEP(account.ledger.prescribed_work), 'd', BOTH },
    { "exchange", STEP(account.ledger.exchange), 'd', BOTH },
    { "residual", STEP(account.ledger.residual), 'd', BOTH },
    { "residual_bound", STEP(account.ledger.bound), 'd', BOTH },
    { "energy_created", STEP(account.energy_created), 'd', BOTH },
    { "energy_tolerated", STEP(account.energy_tolerated), 'd', NEW },
    { "tangential_work_max", STEP(account.tangential_work_max), 'd', BOTH },
    { "penetration", STEP(account.penetration), 'd', BOTH },
    { "penetration_relative", STEP(account.penetration_relative), 'd', BOTH },
    { "solver_residual", STEP(account.residual.natural), 'd', BOTH },
    { "solver_residual_scaled", STEP(account.residual.scaled), 'd', BOTH },
    { "solver_iterations", STEP(account.iterations), 'i', BOTH },
    { "active_contacts", STEP(account.active), 'i', BOTH },
    { "converged", STEP(account.converged), 'i', BOTH },
    { "digest", 0, 'x', NEW },
    { NULL, 0, 0, BOTH },
};

static const column frame_columns[] = {
    { "step", FRAME(step), 'l', BOTH },
    { "time", FRAME(time), 'd', BOTH },
    { "first_contact", FRAME(first_contact), 'l', BOTH },
    { "contacts", FRAME(contacts), 'l', BOTH },
    { "contacts_digest", DIGEST(contacts_digest), 'u', NEW },
    { "state_digest", DIGEST(state_digest), 'u', NEW },
    { "stress_digest", DIGEST(stress_digest), 'u', NEW },
    { "reactions_digest", DIGEST(reactions_digest), 'u', NEW },
    { "digest", 0, 'x', NEW },
    { NULL, 0, 0, BOTH },
};

static const column contact_columns[] = {
    { "step", CONTACT(step), 'l', OLD },
    { "id", CONTACT(contact.id.word[0]), 'o', OLD },
    { "id_high", CONTACT(contact.id.word[0]), 'u', BOTH },
    { "id_low", CONTACT(contact.id.word[1]), 'u', BOTH },
    { "a", CONTACT(contact.a), 'i', BOTH },
    { "b", CONTACT(contact.b), 'i', BOTH },
    { "status", CONTACT(contact.status), 'b', BOTH },
    { "gap", CONTACT(contact.gap), 'd', BOTH },
    { "gap_after", CONTACT(contact.gap_after), 'd', BOTH },
    { "normal", CONTACT(contact.normal), 'p', BOTH },
    { "tangent", CONTACT(contact.tangent), 't', BOTH },
    { "point", CONTACT(contact.point), 'p', BOTH },
    { "restitution", CONTACT(contact.restitution), 'd', BOTH },
    { "tangential_restitution", CONTACT(contact.tangential_restitution), 'd', BOTH },
    { "friction", CONTACT(contact.friction), 'd', BOTH },
    { "theta", CONTACT(contact.theta), 'd', NEW },
    { "u_before", CONTACT(contact.u_before), 'v', BOTH },
    { "u_after", CONTACT(contact.u_after), 'v', BOTH },
    { "impulse", CONTACT(contact.impulse), 'v', BOTH },
    { "work_normal", CONTACT(work_normal), 'd', OLD },
    { "work_tangential", CONTACT(work_tangential), 'd', OLD },
    { NULL, 0, 0, BOTH },
};

// by scree_table
static const struct {
    const column *columns;
    size_t size;
} tables[] = {
    { step_columns, sizeof(scree_step_row) },
    { frame_columns, sizeof(scree_frame_record) },
    { contact_columns, sizeof(scree_contact_row) },
};

const scree_layout_column *scree_layout_columns(scree_table table) { return tables[table].columns; }

size_t scree_layout_row_bytes(scree_table table) { return tables[table].size; }

bool scree_layout_has(const scree_layout_column *c, scree_extent extent) {
    bool narrow = extent.format == SCREE_RUN_FORMAT_64;
    if (c->when == (extent.rows ? NEW : OLD)) return false;
    return c->type == 't'                  ? extent.space == 3
           : extent.rows && c->type == 'u' ? !narrow
           : c->type == 'o'                ? narrow
                                           : true;
}

int scree_layout_length(char type, scree_extent extent) {
    return type == 'p' ? extent.space : type == 'v' ? extent.dimension : type == 't' ? 3 : 1;
}

bool scree_layout_real(char type) { return strchr("dvpt", type) != NULL; }

static hid_t type_of(char type, scree_extent extent) {
    hsize_t length = (hsize_t)scree_layout_length(type, extent);
    switch (type) {
        case 'd':
            return H5Tcopy(H5T_NATIVE_DOUBLE);
        case 'l':
            return H5Tcopy(H5T_NATIVE_INT64);
        case 'u':
        case 'o':
            return H5Tcopy(H5T_NATIVE_UINT64);
        case 'i':
        case 'b':
            return H5Tcopy(H5T_NATIVE_INT32);
        default:
            return H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &length);
    }
}

hid_t scree_layout_row_type(scree_table table, scree_extent extent) {
    hid_t row = H5Tcreate(H5T_COMPOUND, tables[table].size);
    for (const column *c = tables[table].columns; c->name && row >= 0; c++) {
        if (!scree_layout_has(c, extent)) continue;
        hid_t type = type_of(c->type, extent);
        herr_t failed = H5Tinsert(row, c->name, c->offset, type);
        H5Tclose(type);
        if (type >= 0 && failed >= 0) continue;
        H5Tclose(row);
        return -1;
    }
    return row;
}

scree_quiet scree_layout_quiet(void) {
    scree_quiet quiet = { 0 };
    H5Eget_auto2(H5E_DEFAULT, &quiet.function, &quiet.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return quiet;
}

void scree_layout_loud(scree_quiet quiet) { H5Eset_auto2(H5E_DEFAULT, quiet.function, quiet.data); }

typedef struct reason {
    char *text;
    size_t size;
} reason;

static herr_t keep_first(unsigned depth, const H5E_error2_t *error, void *data) {
    reason *out = data;
    if (depth == 0 && error->desc) snprintf(out->text, out->size, "%s", error->desc);
    return 0;
}

void scree_layout_reason(char *text, size_t size) {
    reason out = { text, size };
    snprintf(text, size, "HDF5 gives no reason");
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &out);
    // HDF5 puts the system's words in the middle of a long sentence
    char *words = strstr(text, "error message = '");
    if (!words) return;
    words += strlen("error message = '");
    words[strcspn(words, "'")] = '\0';
    memmove(text, words, strlen(words) + 1);
}

// ---- groups

enum { HEAD_MOST = 64, HEAD_LEAST = 32 };  // links or attributes in a head

hid_t scree_layout_group_of(hid_t where, const char *name, unsigned links) {
    enum { LETTERS = 12 };
    hid_t plist = H5Pcreate(H5P_GROUP_CREATE);
    H5Pset_link_phase_change(plist, HEAD_MOST, HEAD_LEAST);
    H5Pset_attr_phase_change(plist, HEAD_MOST, HEAD_LEAST);
    H5Pset_est_link_info(plist, links, LETTERS);
    hid_t group = H5Gcreate2(where, name, H5P_DEFAULT, plist, H5P_DEFAULT);
    H5Pclose(plist);
    return group;
}

hid_t scree_layout_group(hid_t where, const char *name) {
    enum { LINKS = 4 };
    return scree_layout_group_of(where, name, LINKS);
}

hid_t scree_layout_root(void) {
    enum { LINKS = 64, LETTERS = 16 };
    hid_t plist = H5Pcreate(H5P_FILE_CREATE);
    H5Pset_link_phase_change(plist, HEAD_MOST, HEAD_LEAST);
    H5Pset_est_link_info(plist, LINKS, LETTERS);
    return plist;
}

// ---- what is in the file itself

// Before HDF5 opens the file that an external link names: what is read stands in the one file that
// was asked for, and so does what is written.
static herr_t stay(const char *file, const char *group, const char *child_file, const char *child,
                   unsigned *flags, hid_t access, void *data) {
    (void)file;
    (void)group;
    (void)child_file;
    (void)child;
    (void)flags;
    (void)access;
    (void)data;
    return -1;
}

static hid_t staying(hid_t class) {
    hid_t access = H5Pcreate(class);
    if (access >= 0 && H5Pset_elink_cb(access, stay, NULL) >= 0) return access;
    if (access >= 0) H5Pclose(access);
    return -1;
}

// a view of other data sets, or numbers that stand in another file
static bool is_elsewhere(hid_t set) {
    hid_t plist = H5Dget_create_plist(set);
    bool here =
        plist >= 0 && H5Pget_layout(plist) != H5D_VIRTUAL && H5Pget_external_count(plist) == 0;
    if (plist >= 0) H5Pclose(plist);
    return !here;
}

// bytes of all the chunks that one row lies in, where these are more than one; 0 for others
static double row_of_chunks(hid_t set) {
    enum { RANK = 3 };
    hsize_t chunk[RANK], size[RANK];
    hid_t plist = H5Dget_create_plist(set), space = H5Dget_space(set), type = H5Dget_type(set);
    bool chunked = plist >= 0 && H5Pget_layout(plist) == H5D_CHUNKED;
    int rank = chunked ? H5Pget_chunk(plist, RANK, chunk) : 0;
    bool known = rank > 1 && rank <= RANK && H5Sget_simple_extent_ndims(space) == rank &&
                 H5Sget_simple_extent_dims(space, size, NULL) == rank;
    double bytes = known ? (double)H5Tget_size(type) * (double)chunk[0] : 0, count = 1;
    for (int k = 1; known && k < rank; k++) {
        count *= ceil((double)size[k] / (double)chunk[k]);
        bytes *= (double)chunk[k];
    }
    if (type >= 0) H5Tclose(type);
    if (space >= 0) H5Sclose(space);
    if (plist >= 0) H5Pclose(plist);
    return count > 1 ? count * bytes : 0;
}

// HDF5 keeps 1 MB of chunks. Where those of one row are more than that, who reads row by row would
// have every one of them unpacked again for each.
static hid_t open_with(hid_t where, const char *name, double kept) {
    enum { SLOTS = 4093 };
    hid_t access = staying(H5P_DATASET_ACCESS);
    if (access >= 0 && kept > 0) H5Pset_chunk_cache(access, SLOTS, (size_t)kept, 0.75);
    hid_t set = access < 0 ? -1 : H5Dopen2(where, name, access);
    if (access >= 0) H5Pclose(access);
    return set;
}

hid_t scree_layout_open(hid_t where, const char *name) {
    const double usual = 1 << 20, most = 1 << 28;
    hid_t set = open_with(where, name, 0);
    if (set < 0) return set;
    if (is_elsewhere(set)) {
        H5Dclose(set);
        return -1;
    }
    double row = row_of_chunks(set);
    if (!(2 * row > usual) || row > most) return set;
    H5Dclose(set);
    return open_with(where, name, 2 * row);
}

hid_t scree_layout_enter(hid_t where, const char *name) {
    hid_t access = staying(H5P_GROUP_ACCESS);
    hid_t group = access < 0 ? -1 : H5Gopen2(where, name, access);
    if (access >= 0) H5Pclose(access);
    return group;
}

enum { PACKED_MOST = 2000 };  // no filter of HDF5 packs numbers more tightly than this

bool scree_layout_stored(hid_t set, hid_t type, size_t count) {
    hsize_t stored = H5Dget_storage_size(set);
    size_t size = H5Tget_size(type);
    return !is_elsewhere(set) && size > 0 && count / PACKED_MOST <= stored / size &&
           (stored > 0 || count == 0);
}

bool scree_layout_indexed(hid_t set) {
    hsize_t chunks;
    hid_t space = H5Dget_space(set);
    bool fine = space >= 0 && H5Dget_num_chunks(set, space, &chunks) >= 0;
    if (space >= 0) H5Sclose(space);
    return fine;
}

// ---- texts and numbers

void scree_layout_put_text(hid_t where, const char *name, const char *text, size_t length,
                           bool *fine) {
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
    H5Tset_size(type, length + 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    hid_t made = H5Acreate2(where, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    *fine = *fine && made >= 0 && H5Awrite(made, type, text) >= 0;
    H5Aclose(made);
    H5Sclose(space);
    H5Tclose(type);
}

void scree_layout_put_number(hid_t where, const char *name, hid_t type, const void *value,
                             bool *fine) {
    hid_t space = H5Screate(H5S_SCALAR);
    hid_t made = H5Acreate2(where, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    *fine = *fine && made >= 0 && H5Awrite(made, type, value) >= 0;
    H5Aclose(made);
    H5Sclose(space);
}

void scree_layout_put_texts(hid_t where, const char *name, const char *const *texts, int count,
                            bool *fine) {
    size_t width = 1;
    for (int i = 0; i < count; i++)
        if (strlen(texts[i]) >= width) width = strlen(texts[i]) + 1;
    char *block = calloc((size_t)count + 1, width);
    for (int i = 0; block && i < count; i++)
        memcpy(block + (size_t)i * width, texts[i], strlen(texts[i]));
    hsize_t size = (hsize_t)count;
    hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate_simple(1, &size, NULL);
    H5Tset_size(type, width);
    H5Tset_cset(type, H5T_CSET_UTF8);
    hid_t set = H5Dcreate2(where, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    *fine = *fine && block && set >= 0 &&
            (!count || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, block) >= 0);
    H5Dclose(set);
    H5Sclose(space);
    H5Tclose(type);
    free(block);
}

void scree_layout_put_array(hid_t where, const char *name, hid_t type, int rows, int columns,
                            const void *data, bool *fine) {
    hsize_t size[2] = { (hsize_t)rows, (hsize_t)columns };
    hid_t space = H5Screate_simple(columns > 1 ? 2 : 1, size, NULL);
    hid_t set = H5Dcreate2(where, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    *fine = *fine && set >= 0 &&
            (!rows || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
    H5Dclose(set);
    H5Sclose(space);
}

const char *scree_layout_text(hid_t where, const char *name, scree_arena *arena) {
    hid_t attribute = H5Aexists(where, name) > 0 ? H5Aopen(where, name, H5P_DEFAULT) : -1;
    if (attribute < 0) return "";
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    char *text = NULL;
    if (H5Tget_class(type) == H5T_STRING && !H5Tis_variable_str(type) &&
        H5Sget_simple_extent_npoints(space) == 1) {
        text = SCREE_NEW(arena, char, H5Tget_size(type) + 1);
        if (text && H5Aread(attribute, type, text) < 0) text = NULL;
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(attribute);
    return text ? text : "";
}

// one number, whatever its type in the file
static bool get_number(hid_t where, const char *name, hid_t type, void *value) {
    hid_t attribute =
        where >= 0 && H5Aexists(where, name) > 0 ? H5Aopen(where, name, H5P_DEFAULT) : -1;
    if (attribute < 0) return false;
    hid_t space = H5Aget_space(attribute), stored = H5Aget_type(attribute);
    H5T_class_t class = H5Tget_class(stored);
    bool fine = (class == H5T_INTEGER || class == H5T_FLOAT) &&
                H5Sget_simple_extent_npoints(space) == 1 && H5Aread(attribute, type, value) >= 0;
    H5Tclose(stored);
    H5Sclose(space);
    H5Aclose(attribute);
    return fine;
}

int scree_layout_integer(hid_t where, const char *name) {
    int value;
    return get_number(where, name, H5T_NATIVE_INT, &value) ? value : -1;
}

double scree_layout_double(hid_t where, const char *name) {
    double value = NAN;
    get_number(where, name, H5T_NATIVE_DOUBLE, &value);
    return value;
}

bool scree_layout_texts(hid_t where, const char *name, scree_arena *arena, const char ***texts,
                        int *count) {
    hid_t set = scree_layout_open(where, name);
    if (set < 0) return false;
    hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    hssize_t entries = H5Sget_simple_extent_npoints(space);
    bool fine = H5Tget_class(type) == H5T_STRING && !H5Tis_variable_str(type) && entries >= 0 &&
                entries < 1000000 && scree_layout_stored(set, type, (size_t)entries);
    size_t width = fine ? H5Tget_size(type) : 1, n = fine ? (size_t)entries : 0;
    char *block = SCREE_NEW(arena, char, (n * width + 1));
    *texts = SCREE_NEW(arena, const char *, n + 1);
    fine = fine && block && *texts &&
           (!n || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, block) >= 0);
    *count = (int)n;
    for (size_t i = 0; fine && i < n; i++) {
        const char *entry = block + i * width;
        const char *end = memchr(entry, 0, width);
        (*texts)[i] = scree_arena_text(arena, entry, end ? (size_t)(end - entry) : width);
        fine = (*texts)[i];
    }
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    return fine;
}
