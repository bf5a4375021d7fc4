// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// vtk_export.c - a folder of VTK files: made, replaced if it is ours, taken away if it fails.

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scree/vtk.h"
#include "store/vtk.h"
#include "store/vtk_run.h"

enum { NAME = 320 };  // longer names in a folder are not ours

typedef struct place {
    const char *folder;
    char *path;  // scratch
    size_t size;
    bool made_folder;
} place;

static const char *path_of(place *p, const char *name) {
    snprintf(p->path, p->size, "%s/%s", p->folder, name);
    return p->path;
}

// ---- what is ours

// kind.pvd
static bool is_collection(const char *name) {
    for (int k = 0; k < SCREE_VTK_KINDS; k++) {
        const char *kind = scree_vtk_kind_name((scree_vtk_kind)k);
        if (strncmp(name, kind, strlen(kind)) == 0 && strcmp(name + strlen(kind), ".pvd") == 0)
            return true;
    }
    return false;
}

// a minus and at least so many digits, passed over; otherwise nothing
static const char *after_number(const char *text, size_t least) {
    size_t digits = *text == '-' ? strspn(text + 1, "0123456789") : 0;
    return digits >= least && digits ? text + 1 + digits : text;
}

// kind.vtp, kind-0001234.vtp or kind-0001234-5.vtu
static bool is_piece(const char *name) {
    for (int k = 0; k < SCREE_VTK_KINDS; k++) {
        const char *kind = scree_vtk_kind_name((scree_vtk_kind)k), *rest = name + strlen(kind);
        if (strncmp(name, kind, strlen(kind)) != 0) continue;
        rest = after_number(rest, 7);
        if (k == SCREE_VTK_ELASTIC) rest = after_number(rest, 1);
        if (strcmp(rest, k == SCREE_VTK_ELASTIC ? ".vtu" : ".vtp") == 0) return true;
    }
    return false;
}

// Go through a folder; false if it holds anything that we did not write. What is ours is removed if
// that is wanted.
static bool go_through(place *p, const char *inside, bool removing) {
    DIR *folder = opendir(inside ? path_of(p, inside) : p->folder);
    if (!folder) return errno == ENOENT;
    bool ours = true;
    for (struct dirent *entry; ours && (entry = readdir(folder));) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0) continue;
        if (!inside && strcmp(name, "data") == 0) {
            ours = go_through(p, "data", removing);
            if (removing) rmdir(path_of(p, "data"));
            continue;
        }
        char within[NAME];
        int length = snprintf(within, sizeof within, "%s%s%s", inside ? inside : "",
                              inside ? "/" : "", name);
        ours = length > 0 && length < NAME && (inside ? is_piece(name) : is_collection(name)) &&
               scree_vtk_is_ours(path_of(p, within));
        if (ours && removing) unlink(path_of(p, within));
    }
    closedir(folder);
    return ours;
}

// ---- the folder

static scree_status make_folder(const char *path, bool *made, scree_error *err) {
    struct stat about;
    *made = mkdir(path, 0777) == 0;
    if (*made) return SCREE_OK;
    int reason = errno;
    if (reason == EEXIST && stat(path, &about) == 0) {
        if (S_ISDIR(about.st_mode)) return SCREE_OK;
        return scree_fail(err, SCREE_BAD_INPUT, (scree_source_location){ path, 0, 0 },
                          "is there and is no folder: it is not replaced");
    }
    return scree_fail_file(err, path, "cannot be made", reason);
}

static scree_status prepare(place *p, scree_error *err) {
    bool made;
    scree_status status = make_folder(p->folder, &p->made_folder, err);
    if (status) return status;
    if (!p->made_folder && !go_through(p, NULL, false))
        return scree_fail(err, SCREE_BAD_INPUT, (scree_source_location){ p->folder, 0, 0 },
                          "is there and holds other things than an export: it is not replaced");
    if (!p->made_folder) go_through(p, NULL, true);
    status = make_folder(path_of(p, "data"), &made, err);
    if (status && p->made_folder) rmdir(p->folder);
    return status;
}

// ---- the files

static scree_status write_all(scree_vtk_run *run, const scree_vtk_request *request,
                              scree_error *err) {
    // collections first, empty: an export that is killed is known as one
    int64_t frames = scree_vtk_run_frames(run);
    scree_status status = scree_vtk_run_collect(run, err);
    for (int64_t i = 0; !status && i < frames; i++) {
        status = scree_vtk_run_frame(run, i, err);
        if (!status && request->on_frame && request->on_frame(request->data, i + 1, frames))
            status = scree_fail(err, SCREE_INTERRUPTED, SCREE_NOWHERE, "stopped");
    }
    return status ? status : scree_vtk_run_collect(run, err);
}

static void tell_files(place *p, const scree_vtk_run *run, const scree_vtk_request *request) {
    if (!request->made) return;
    for (int k = 0; k < SCREE_VTK_KINDS; k++) {
        char name[NAME];
        snprintf(name, sizeof name, "%s.pvd", scree_vtk_kind_name((scree_vtk_kind)k));
        if (scree_vtk_run_has(run, (scree_vtk_kind)k))
            request->made(request->data, path_of(p, name));
    }
    for (int k = 0; k < SCREE_VTK_KINDS; k++) {
        int64_t count;
        const char *const *file = scree_vtk_run_files(run, (scree_vtk_kind)k, &count);
        for (int64_t i = 0; i < count; i++) request->made(request->data, path_of(p, file[i]));
    }
}

scree_vtk_request scree_vtk_request_default(void) { return (scree_vtk_request){ .every = 1 }; }

scree_status scree_vtk_export(scree_run_reader *reader, const scree_model *model,
                              const scree_run_options *options, const scree_vtk_request *request,
                              scree_error *err) {
    place p = { .folder = request->folder, .size = strlen(request->folder) + NAME + 2 };
    scree_vtk_run *run = NULL;
    p.path = malloc(p.size);
    if (!p.path) return scree_fail_memory(err, NULL);
    // refusals before anything is touched
    scree_status status =
        scree_vtk_run_new(reader, model, options->scheme.step, options->precision_single,
                          request->folder, request->every, &run, err);
    if (!status) status = prepare(&p, err);
    if (!status) {
        status = write_all(run, request, err);
        if (!status) tell_files(&p, run, request);
        if (status) go_through(&p, NULL, true);
        if (status && p.made_folder) rmdir(p.folder);
    }
    scree_vtk_run_free(run);
    free(p.path);
    return status;
}
