// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sheet.c - named fields -> a data set of compounds.

#include "store/sheet.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// bytes of a field; of texts the longest one
static size_t width_of(const scree_sheet *sheet, int field) {
    const scree_sheet_field *f = &sheet->field[field];
    if (f->type != 's')
        return f->type == 'd'   ? (size_t)f->length * sizeof(double)
               : f->type == 'l' ? sizeof(int64_t)
               : f->type == 'i' ? sizeof(int32_t)
                                : sizeof(int8_t);
    size_t width = 1;
    for (int row = 0; row < sheet->rows; row++) {
        scree_sheet_value value = { { 0 } };
        sheet->get(sheet->data, row, field, &value);
        if (value.text && strlen(value.text) > width) width = strlen(value.text);
    }
    return width;
}

static hid_t type_of(const scree_sheet_field *f, size_t width) {
    hsize_t length = (hsize_t)f->length;
    hid_t type;
    switch (f->type) {
        case 'd':
            return f->length > 1 ? H5Tarray_create2(H5T_IEEE_F64LE, 1, &length)
                                 : H5Tcopy(H5T_IEEE_F64LE);
        case 'l':
            return H5Tcopy(H5T_STD_I64LE);
        case 'i':
            return H5Tcopy(H5T_STD_I32LE);
        case 'b':
            return H5Tcopy(H5T_STD_I8LE);
        default:
            type = H5Tcopy(H5T_C_S1);
            H5Tset_size(type, width);
            H5Tset_strpad(type, H5T_STR_NULLPAD);
            H5Tset_cset(type, H5T_CSET_UTF8);
            return type;
    }
}

static void pack(const scree_sheet_field *f, const scree_sheet_value *value, size_t width,
                 char *out) {
    int64_t wide = value->integer;
    int32_t middle = (int32_t)value->integer;
    int8_t small = (int8_t)value->integer;
    switch (f->type) {
        case 'd':
            memcpy(out, value->number, width);
            break;
        case 'l':
            memcpy(out, &wide, width);
            break;
        case 'i':
            memcpy(out, &middle, width);
            break;
        case 'b':
            memcpy(out, &small, width);
            break;
        default:
            if (value->text) memcpy(out, value->text, strlen(value->text));
    }
}

static void write_block(hid_t where, const char *name, hid_t type, const void *block, int rows,
                        bool *fine) {
    hsize_t size = (hsize_t)rows;
    hid_t space = H5Screate_simple(1, &size, NULL);
    hid_t set = H5Dcreate2(where, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    *fine = *fine && set >= 0 &&
            (!rows || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, block) >= 0);
    if (set >= 0) H5Dclose(set);
    H5Sclose(space);
}

enum { FIELDS_MOST = 24 };

void scree_sheet_put(hid_t where, const char *name, const scree_sheet *sheet, bool *fine) {
    size_t at[FIELDS_MOST + 1] = { 0 };
    for (int f = 0; f < sheet->fields; f++) at[f + 1] = at[f] + width_of(sheet, f);
    size_t size = at[sheet->fields];
    char *block = calloc((size_t)sheet->rows + 1, size);
    hid_t type = H5Tcreate(H5T_COMPOUND, size);
    *fine = *fine && block && type >= 0;
    for (int f = 0; *fine && f < sheet->fields; f++) {
        hid_t one = type_of(&sheet->field[f], at[f + 1] - at[f]);
        *fine = one >= 0 && H5Tinsert(type, sheet->field[f].name, at[f], one) >= 0;
        if (one >= 0) H5Tclose(one);
    }
    for (int row = 0; *fine && row < sheet->rows; row++) {
        for (int f = 0; f < sheet->fields; f++) {
            scree_sheet_value value = { { 0 } };
            sheet->get(sheet->data, row, f, &value);
            pack(&sheet->field[f], &value, at[f + 1] - at[f], block + (size_t)row * size + at[f]);
        }
    }
    if (*fine) write_block(where, name, type, block, sheet->rows, fine);
    if (type >= 0) H5Tclose(type);
    free(block);
}
