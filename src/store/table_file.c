// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// table_file.c - a table of numbers and texts as an HDF5 file of its own.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scree/study.h"
#include "store/layout.h"
#include "store/sheet.h"

static void get(const void *data, int row, int field, scree_sheet_value *value) {
    const scree_study_column *column = &((const scree_study_table *)data)->column[field];
    if (column->number)
        value->number[0] = column->number[row];
    else
        value->text = column->text[row];
}

static bool fill(hid_t file, const scree_study_table *table) {
    bool fine = true;
    const char *title = table->title ? table->title : "";
    scree_sheet_field *field = calloc((size_t)table->columns + 1, sizeof *field);
    if (!field) return false;
    for (int i = 0; i < table->columns; i++)
        field[i] =
            (scree_sheet_field){ table->column[i].name, table->column[i].number ? 'd' : 's', 1 };
    const scree_sheet sheet = { field, table->columns, table->rows, get, table };
    scree_layout_put_text(file, "title", title, strlen(title), &fine);
    scree_layout_put_text(file, "scree_version", scree_version(), strlen(scree_version()), &fine);
    scree_sheet_put(file, "runs", &sheet, &fine);
    free(field);
    return fine;
}

scree_status scree_study_table_write(const char *path, const scree_study_table *table,
                                     scree_error *err) {
    char *fresh = malloc(strlen(path) + 8);
    if (!fresh) return scree_fail_memory(err, NULL);
    sprintf(fresh, "%s.new", path);
    scree_quiet quiet = scree_layout_quiet();
    errno = 0;
    hid_t file = H5Fcreate(fresh, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    bool fine = file >= 0 && fill(file, table);
    if (file >= 0) fine = H5Fclose(file) >= 0 && fine;
    fine = fine && rename(fresh, path) == 0;
    int reason = errno;
    if (!fine) unlink(fresh);
    scree_layout_loud(quiet);
    free(fresh);
    if (fine) return SCREE_OK;
    return scree_fail(err, SCREE_FILE_ERROR, (scree_source_location){ path, 0, 0 },
                      "cannot be written: %s", reason ? strerror(reason) : "HDF5 refuses");
}
