// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// layout.c - columns of the tables: name, place in the struct, type; texts and numbers beside them.

#include "store/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct column {
    const char *name;
    size_t offset;
    char type;  // d double, l int64, i int32, v double[dimension], p double[space],
                // t double[3] that is there in space only, u uint64 of a word of an id, o an id of
                // 64 bits
} column;

#define STEP(field) offsetof(scree_step_row, field)
#define FRAME(field) offsetof(scree_frame_row, field)
#define CONTACT(field) offsetof(scree_contact_row, field)

static const column step_columns[] = {
    { "step", STEP(step), 'l' },
    { "time", STEP(time), 'd' },
    { "kinetic", STEP(account.ledger.kinetic), 'd' },
    { "elastic", STEP(account.ledger.elastic), 'd' },
    { "potential", STEP(account.ledger.potential), 'd' },
    { "external_work", STEP(account.ledger.external_work), 'd' },
    { "damping_work", STEP(account.ledger.damping_work), 'd' },
    { "numerical_dissipation", STEP(account.ledger.numerical_dissipation), 'd' },
    { "contact_normal_work", STEP(account.ledger.contact_normal_work), 'd' },
    { "contact_tangential_work", STEP(account.ledger.contact_tangential_work), 'd' },
    { "boundary_work", STEP(account.ledger.boundary_work), 'd' },
    { "correction_work", STEP(account.ledger.correction_work), 'd' },
    { "held_work", STEP(account.ledger.prescribed_work), 'd' },
    { "exchange", STEP(account.ledger.exchange), 'd' },
    { "residual", STEP(account.ledger.residual), 'd' },
    { "residual_bound", STEP(account.ledger.bound), 'd' },
    { "energy_created", STEP(account.energy_created), 'd' },
    { "tangential_work_max", STEP(account.tangential_work_max), 'd' },
    { "penetration", STEP(account.penetration), 'd' },
    { "penetration_relative", STEP(account.penetration_relative), 'd' },
    { "solver_residual", STEP(account.residual.natural), 'd' },
    { "solver_residual_scaled", STEP(account.residual.scaled), 'd' },
    { "solver_iterations", STEP(account.iterations), 'i' },
    { "active_contacts", STEP(account.active), 'i' },
    { "converged", STEP(account.converged), 'i' },
    { NULL, 0, 0 },
};

static const column frame_columns[] = {
    { "step", FRAME(step), 'l' },
    { "time", FRAME(time), 'd' },
    { "first_contact", FRAME(first_contact), 'l' },
    { "contacts", FRAME(contacts), 'l' },
    { NULL, 0, 0 },
};

static const column contact_columns[] = {
    { "step", CONTACT(step), 'l' },
    { "id", CONTACT(contact.id.word[0]), 'o' },
    { "id_high", CONTACT(contact.id.word[0]), 'u' },
    { "id_low", CONTACT(contact.id.word[1]), 'u' },
    { "a", CONTACT(contact.a), 'i' },
    { "b", CONTACT(contact.b), 'i' },
    { "status", CONTACT(contact.status), 'i' },
    { "gap", CONTACT(contact.gap), 'd' },
    { "gap_after", CONTACT(contact.gap_after), 'd' },
    { "normal", CONTACT(contact.normal), 'p' },
    { "tangent", CONTACT(contact.tangent), 't' },
    { "point", CONTACT(contact.point), 'p' },
    { "restitution", CONTACT(contact.restitution), 'd' },
    { "tangential_restitution", CONTACT(contact.tangential_restitution), 'd' },
    { "friction", CONTACT(contact.friction), 'd' },
    { "u_before", CONTACT(contact.u_before), 'v' },
    { "u_after", CONTACT(contact.u_after), 'v' },
    { "impulse", CONTACT(contact.impulse), 'v' },
    { "work_normal", CONTACT(work_normal), 'd' },
    { "work_tangential", CONTACT(work_tangential), 'd' },
    { NULL, 0, 0 },
};

// by scree_table
static const struct {
    const column *columns;
    size_t size;
} tables[] = {
    { step_columns, sizeof(scree_step_row) },
    { frame_columns, sizeof(scree_frame_row) },
    { contact_columns, sizeof(scree_contact_row) },
};

static bool is_there(const column *c, scree_extent extent) {
    bool narrow = extent.format == SCREE_RUN_FORMAT_64;
    return c->type == 't'   ? extent.space == 3
           : c->type == 'u' ? !narrow
           : c->type == 'o' ? narrow
                            : true;
}

// the ledger keeps every digit
static bool is_single(scree_table table, const column *c, scree_extent extent) {
    return extent.single && table == SCREE_TABLE_CONTACTS && strchr("dvpt", c->type);
}

static int length_of(char type, scree_extent extent) {
    return type == 'p' ? extent.space : type == 'v' ? extent.dimension : type == 't' ? 3 : 1;
}

static hid_t type_of(char type, scree_extent extent, bool single) {
    hsize_t length = (hsize_t)length_of(type, extent);
    hid_t number = single ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE;
    switch (type) {
        case 'd':
            return H5Tcopy(number);
        case 'l':
            return H5Tcopy(H5T_NATIVE_INT64);
        case 'u':
        case 'o':
            return H5Tcopy(H5T_NATIVE_UINT64);
        case 'i':
            return H5Tcopy(H5T_NATIVE_INT32);
        default:
            return H5Tarray_create2(number, 1, &length);
    }
}

hid_t scree_layout_type(scree_table table, scree_extent extent, bool packed) {
    hid_t row = H5Tcreate(H5T_COMPOUND, tables[table].size);
    for (const column *c = tables[table].columns; c->name && row >= 0; c++) {
        if (!is_there(c, extent)) continue;
        hid_t type = type_of(c->type, extent, packed && is_single(table, c, extent));
        herr_t failed = H5Tinsert(row, c->name, c->offset, type);
        H5Tclose(type);
        if (type >= 0 && failed >= 0) continue;
        H5Tclose(row);
        return -1;
    }
    if (packed && row >= 0) H5Tpack(row);
    return row;
}

int scree_layout_spans(scree_table table, scree_extent extent, scree_span *span) {
    int count = 0;
    for (const column *c = tables[table].columns; c->name; c++) {
        if (!is_there(c, extent)) continue;
        size_t one = c->type == 'i' ? sizeof(int32_t) : sizeof(double);
        size_t size = one * (size_t)length_of(c->type, extent);
        bool single = is_single(table, c, extent);
        scree_span *last = count ? &span[count - 1] : NULL;
        if (last && last->offset + last->size == c->offset && last->single == single)
            last->size += size;
        else
            span[count++] = (scree_span){ c->offset, size, single };
    }
    return count;
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
    snprintf(text, size, "unknown");
    H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &out);
    // HDF5 puts the system's words in the middle of a long sentence
    char *words = strstr(text, "error message = '");
    if (!words) return;
    words += strlen("error message = '");
    words[strcspn(words, "'")] = '\0';
    memmove(text, words, strlen(words) + 1);
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

bool scree_layout_texts(hid_t where, const char *name, scree_arena *arena, const char ***texts,
                        int *count) {
    hid_t set = H5Dopen2(where, name, H5P_DEFAULT);
    if (set < 0) return false;
    hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    hssize_t entries = H5Sget_simple_extent_npoints(space);
    bool fine = H5Tget_class(type) == H5T_STRING && !H5Tis_variable_str(type) && entries >= 0 &&
                entries < 1000000;
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
