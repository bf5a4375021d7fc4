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
#include "store/run_open.h"
#include "store/sheet.h"
#include "store/target.h"

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

static bool is_table(const char *path) {
    char reason[160];
    scree_arena arena = { 0 };
    scree_quiet quiet = scree_layout_quiet();
    hid_t file = scree_run_open(path, reason, sizeof reason);
    hid_t rows = file < 0 ? -1 : scree_layout_open(file, "runs");
    bool known = rows >= 0 && scree_layout_text(file, "scree_version", &arena)[0];
    if (rows >= 0) H5Dclose(rows);
    if (file >= 0) H5Fclose(file);
    scree_layout_loud(quiet);
    scree_arena_free(&arena);
    return known;
}

static const scree_target_kind table_kind = { is_table, "table" };

static scree_status write_fresh(const char *fresh, const char *path, const scree_study_table *table,
                                scree_error *err) {
    errno = 0;
    hid_t file = H5Fcreate(fresh, H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT);
    bool fine = file >= 0 && fill(file, table);
    if (file >= 0) fine = H5Fclose(file) >= 0 && fine;
    if (fine) return SCREE_OK;
    return scree_fail(err, SCREE_FILE_ERROR, (scree_source_location){ path, 0, 0 },
                      "cannot be written: %s", errno ? strerror(errno) : "HDF5 refuses");
}

scree_status scree_study_table_check(const char *path, scree_error *err) {
    scree_target target;
    scree_status status = scree_target_claim(path, table_kind, &target, err);
    scree_target_release(&target);
    return status;
}

scree_status scree_study_table_write(const char *path, const scree_study_table *table,
                                     scree_error *err) {
    scree_target target;
    scree_status status = scree_target_claim(path, table_kind, &target, err);
    char *fresh = status ? NULL : scree_target_beside(target.path);
    if (!status && !fresh) status = scree_fail_memory(err, NULL);
    scree_quiet quiet = scree_layout_quiet();
    if (!status) status = write_fresh(fresh, path, table, err);
    if (!status) status = scree_target_replace(&target, fresh, err);
    if (status && fresh) unlink(fresh);
    scree_layout_loud(quiet);
    scree_target_release(&target);
    free(fresh);
    return status;
}
