// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// import.c - which format a file has, and its reader.

#include "scree/import.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/file_text.h"
#include "import/draft.h"
#include "import/formats.h"

scree_import_options scree_import_options_default(void) {
    return (scree_import_options){ .step = NAN,
                                   .duration = NAN,
                                   .gravity = { NAN, NAN, NAN },
                                   .density = NAN,
                                   .friction = NAN,
                                   .restitution = NAN,
                                   .scale = NAN };
}

static const struct format {
    const char *name, *endings;  // with commas
    const char *within;          // what such a file holds, if its ending is shared; NULL: anything
    scree_status (*read)(scree_draft *draft);
} formats[] = {
    { "siconos", ".hdf5,.h5", NULL, scree_siconos_import },
    { "obj", ".obj", NULL, scree_obj_import },
    { "csv", ".csv,.tsv", NULL, scree_csv_import },
    { "mjcf", ".xml,.mjcf", "<mujoco", scree_mjcf_import },
    { "urdf", ".urdf,.xml", "<robot", scree_urdf_import },
};

static bool ends_so(const char *path, const char *endings) {
    const char *dot = strrchr(path, '.');
    for (const char *one = endings; dot && *one;) {
        size_t length = strcspn(one, ",");
        if (strlen(dot) == length && strncasecmp(dot, one, length) == 0) return true;
        one += length + (one[length] == ',');
    }
    return false;
}

// does the beginning of the file have this in it?
static bool holds(const char *path, const char *text) {
    char begin[4096];
    FILE *file = fopen(path, "rb");
    size_t length = file ? fread(begin, 1, sizeof begin - 1, file) : 0;
    if (file) fclose(file);
    begin[length] = '\0';
    return strstr(begin, text);
}

static const struct format *find_format(const char *path, const scree_import_options *options) {
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (options->format ? strcmp(options->format, formats[i].name) == 0
                            : ends_so(path, formats[i].endings) &&
                                  (!formats[i].within || holds(path, formats[i].within)))
            return &formats[i];
    return NULL;
}

scree_status scree_import(const char *path, const scree_import_options *options,
                          scree_imported *imported, scree_error *err) {
    scree_draft draft = { .path = path, .options = options, .err = err };
    *imported = (scree_imported){ 0 };
    if (scree_file_is_pipe(path)) return SCREE_DRAFT_FAIL(&draft, "is a pipe, no regular file");
    FILE *file = fopen(path, "rb");
    if (!file) return SCREE_DRAFT_FAIL(&draft, "cannot be opened");
    fclose(file);
    const struct format *format = find_format(path, options);
    if (!format)
        return SCREE_DRAFT_FAIL(
            &draft,
            "of no known format: expected .hdf5 (Siconos), .obj, .csv, .xml (MJCF) or .urdf");
    scree_status status = format->read(&draft);
    if (!status) status = scree_draft_finish(&draft, imported);
    scree_draft_free(&draft);
    return status;
}
