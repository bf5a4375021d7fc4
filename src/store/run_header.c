// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_header.c - what a run file says before its first step.
// in: scene, model.   out: groups of the file, and the digests of their data sets.

#include "store/run_header.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene.h"
#include "scree/sweeping.h"
#include "store/digest.h"
#include "store/run_mesh.h"

// ---- words, in the order of their enumerations in scree/step.h

static const char *const activations[] = { "predicted", "predicted-linear", "half", "closed",
                                           "free-end" };
static const char *const approaches[] = { "auto", "required", "ignored", "kept", "foreseen" };
static const char *const corrections[] = { "none", "projection", "limited", "auto" };
static const char *const jacobians[] = { "start", "free-end", "middle" };

static int find_word(const char *word, const char *const *words, int count) {
    for (int i = 0; i < count; i++)
        if (strcmp(word, words[i]) == 0) return i;
    return -1;
}

// ---- scene

// the scene's text may be longer than an attribute can hold
static void write_scene(hid_t file, const scree_run_origin *origin, bool *fine) {
    const scree_scene *scene = origin->scene;
    size_t length;
    const char *text = scene ? scree_scene_text(scene, &length) : "";
    const char *name = scene ? scree_scene_file(scene) : "", *const *overrides = NULL;
    int count = scene ? scree_scene_overrides(scene, &overrides) : 0;
    const int program = origin->program;
    hid_t group = scree_layout_group(file, "scene");
    scree_layout_put_text(group, "file", name, strlen(name), fine);
    scree_layout_put_number(group, "program", H5T_NATIVE_INT, &program, fine);
    scree_layout_put_texts(group, "text", &text, 1, fine);
    scree_layout_put_texts(group, "overrides", overrides, count, fine);
    if (scene) scree_run_mesh_write_files(group, scene, fine);
    H5Gclose(group);
}

const char *scree_run_header_scene(hid_t file, scree_arena *arena, bool *program) {
    hid_t group = scree_layout_enter(file, "scene");
    const char *name = group < 0 ? "" : scree_layout_text(group, "file", arena);
    *program = group >= 0 && scree_layout_integer(group, "program") > 0;
    if (group >= 0) H5Gclose(group);
    return name;
}

// ---- options, with nothing left open

static const char *scheme_of(const scree_run_origin *origin) {
    if (origin->scene && origin->scene->top.kind == SCREE_KIND_SWEEPING)
        return scree_sweeping_method_name((scree_sweeping_method)origin->scene->top.method);
    return scree_scheme_row_of(&origin->options->scheme)->name;
}

static void put_words(hid_t group, const scree_run_origin *origin,
                      const scree_scheme_options *scheme, bool *fine) {
    const scree_run_options *options = origin->options;
    const struct {
        const char *name, *word;
    } text[] = {
        { "scheme", scheme_of(origin) },
        { "solver", options->solver.name },
        { "activation", activations[scheme->activation] },
        { "approach", approaches[scheme->approach] },
        { "correction", corrections[scheme->correct] },
        { "jacobian", jacobians[scheme->jacobian] },
        { "unconverged", options->accept_unconverged ? "accept" : "stop" },
        { "contacts", options->store_active_only ? "active" : "all" },
        { "precision", options->precision_single ? "single" : "double" },
    };
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        scree_layout_put_text(group, text[i].name, text[i].word, strlen(text[i].word), fine);
}

static void put_options(hid_t file, const scree_run_origin *origin,
                        const scree_scheme_options *scheme, bool *fine) {
    const scree_run_options *options = origin->options;
    hid_t group = scree_layout_group(file, "options");
    const double tolerance = isnan(options->solver.tolerance)
                                 ? scree_scheme_choose_tolerance(origin->model, NULL)
                                 : options->solver.tolerance;
    const struct {
        const char *name;
        double value;
    } number[] = {
        { "theta", scheme->theta },
        { "alpha", scree_scheme_alpha(scheme) },
        { "step", scheme->step },
        { "duration", options->duration },
        { "gap_tolerance", scheme->gap_tolerance },
        { "velocity_tolerance", scheme->velocity_tolerance },
        { "solver_tolerance", tolerance },
        { "max_seconds", options->solver.max_seconds },
        { "max_effort", (double)options->solver.max_effort },
        { "penetration", options->penetration },
        { "energy_created", options->energy_created },
        { "checkpoint", options->checkpoint },
    };
    const struct {
        const char *name;
        int value;
    } integer[] = {
        { "max_sweeps", options->solver.max_sweeps },
        { "threads", options->solver.threads },
        { "adapts", scheme->adapts },
        { "store_every", options->store_every },
        { "compression", options->compression },
        { "stress", options->store_stress },
        { "reactions", options->store_reactions },
    };
    put_words(group, origin, scheme, fine);
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        scree_layout_put_number(group, number[i].name, H5T_NATIVE_DOUBLE, &number[i].value, fine);
    for (size_t i = 0; i < sizeof integer / sizeof *integer; i++)
        scree_layout_put_number(group, integer[i].name, H5T_NATIVE_INT, &integer[i].value, fine);
    H5Gclose(group);
}

// ---- their digest

// What attributes come to, in the order of their names: each by its name and by what is read of it.
typedef struct sum_of {
    scree_digest sum;
    const double *duration;  // instead of the one that is stored; may be NULL
} sum_of;

// a text by its bytes, a number as a double or as an integer of 64 bits
static bool add_value(hid_t attribute, hid_t type, scree_digest *sum) {
    char text[200] = "";
    double number = 0;
    int64_t integer = 0;
    bool fine = false;
    switch (H5Tget_class(type)) {
        case H5T_STRING:
            fine = !H5Tis_variable_str(type) && H5Tget_size(type) < sizeof text &&
                   H5Aread(attribute, type, text) >= 0;
            scree_digest_bytes(sum, text, strlen(text));
            break;
        case H5T_FLOAT:
            fine = H5Aread(attribute, H5T_NATIVE_DOUBLE, &number) >= 0;
            scree_digest_number(sum, number);
            break;
        case H5T_INTEGER:
            fine = H5Aread(attribute, H5T_NATIVE_INT64, &integer) >= 0;
            scree_digest_word(sum, (uint64_t)integer);
            break;
        default:
            break;
    }
    return fine;
}

static herr_t add_attribute(hid_t group, const char *name, const H5A_info_t *info, void *data) {
    sum_of *all = data;
    (void)info;
    if (strcmp(name, "digest") == 0) return 0;
    scree_digest_bytes(&all->sum, name, strlen(name));
    if (all->duration && strcmp(name, "duration") == 0) {
        scree_digest_number(&all->sum, *all->duration);
        return 0;
    }
    hid_t attribute = H5Aopen(group, name, H5P_DEFAULT);
    if (attribute < 0) return -1;
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    bool fine = type >= 0 && space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                add_value(attribute, type, &all->sum);
    if (space >= 0) H5Sclose(space);
    if (type >= 0) H5Tclose(type);
    H5Aclose(attribute);
    return fine ? 0 : -1;
}

// false: one of them cannot be read
static bool sum_options(hid_t group, const double *duration, uint64_t *digest) {
    sum_of all = { scree_digest_begin(), duration };
    bool fine = H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_INC, NULL, add_attribute, &all) >= 0;
    *digest = scree_digest_value(&all.sum);
    return fine;
}

// Two of them, either of which counts: a process may be killed between the writing of another
// duration and that of its digest.
enum { OPTION_DIGESTS = 2 };

static hid_t option_digests(void) {
    const hsize_t count = OPTION_DIGESTS;
    return H5Tarray_create2(H5T_STD_U64LE, 1, &count);
}

static void seal_options(hid_t file, bool *fine) {
    hid_t group = scree_layout_enter(file, "options"), type = option_digests();
    uint64_t digest[OPTION_DIGESTS] = { 0 };
    *fine = *fine && group >= 0 && type >= 0 && sum_options(group, NULL, digest);
    digest[1] = digest[0];
    if (*fine) scree_layout_put_number(group, "digest", type, digest, fine);
    if (type >= 0) H5Tclose(type);
    if (group >= 0) H5Gclose(group);
}

// the digests that a file has, which may be of a time before options had any
static bool options_have(hid_t group, uint64_t digest) {
    htri_t there = H5Aexists(group, "digest");
    if (there == 0) return true;
    hid_t attribute = there < 0 ? -1 : H5Aopen(group, "digest", H5P_DEFAULT),
          type = option_digests();
    uint64_t said[OPTION_DIGESTS] = { 0 };
    hid_t space = attribute < 0 ? -1 : H5Aget_space(attribute);
    bool fine = space >= 0 && H5Sget_simple_extent_npoints(space) == 1 &&
                H5Aread(attribute, type, said) >= 0 && (digest == said[0] || digest == said[1]);
    if (space >= 0) H5Sclose(space);
    if (attribute >= 0) H5Aclose(attribute);
    if (type >= 0) H5Tclose(type);
    return fine;
}

static bool put_attribute(hid_t group, const char *name, hid_t type, const void *value) {
    hid_t attribute = group < 0 ? -1 : H5Aopen(group, name, H5P_DEFAULT);
    bool fine = attribute >= 0 && H5Awrite(attribute, type, value) >= 0;
    if (attribute >= 0) H5Aclose(attribute);
    return fine;
}

bool scree_run_header_put_program(hid_t file) {
    const int yes = 1;
    hid_t group = H5Gopen2(file, "scene", H5P_DEFAULT);
    bool fine = put_attribute(group, "program", H5T_NATIVE_INT, &yes);
    if (group >= 0) H5Gclose(group);
    return fine && H5Fflush(file, H5F_SCOPE_LOCAL) >= 0;
}

bool scree_run_header_put_duration(hid_t file, double duration) {
    hid_t group = scree_layout_enter(file, "options"), type = option_digests();
    uint64_t digest[OPTION_DIGESTS];
    bool fine = group >= 0 && type >= 0 && sum_options(group, NULL, &digest[0]) &&
                sum_options(group, &duration, &digest[1]);
    if (fine && digest[0] != digest[1]) {
        if (H5Aexists(group, "digest") > 0)
            fine = put_attribute(group, "digest", type, digest) &&
                   H5Fflush(file, H5F_SCOPE_LOCAL) >= 0;
        fine = fine && put_attribute(group, "duration", H5T_NATIVE_DOUBLE, &duration);
    }
    if (type >= 0) H5Tclose(type);
    if (group >= 0) H5Gclose(group);
    return fine;
}

// ---- what is read of them

// files of before have numbers where there are words now
static int read_choice(hid_t group, const char *name, const char *const *words, int count,
                       bool numbers) {
    if (numbers) return H5Aexists(group, name) > 0 ? scree_layout_integer(group, name) : -1;
    scree_arena arena = { 0 };
    int found = find_word(scree_layout_text(group, name, &arena), words, count);
    scree_arena_free(&arena);
    return found;
}

scree_run_settings scree_run_header_settings(hid_t file) {
    scree_run_settings found = { NAN, NAN, 0, -1, NAN, -1, NAN, -1 };
    bool before = H5Lexists(file, "options", H5P_DEFAULT) <= 0;
    hid_t group = scree_layout_enter(file, before ? "settings" : "options");
    uint64_t digest;
    bool whole = group >= 0 && sum_options(group, NULL, &digest) && options_have(group, digest);
    if (!before && !whole) {
        if (group >= 0) H5Gclose(group);
        return found;
    }
    if (group < 0) return found;
    found.theta = scree_layout_double(group, "theta");
    found.tolerance = scree_layout_double(group, "solver_tolerance");
    found.alpha = scree_layout_double(group, "alpha");
    found.every = scree_layout_integer(group, "store_every");
    found.adapts = scree_layout_integer(group, "adapts");
    if (!before) found.duration = scree_layout_double(group, "duration");
    found.approach =
        read_choice(group, "approach", approaches, sizeof approaches / sizeof *approaches, before);
    found.correction = read_choice(group, "correction", corrections,
                                   sizeof corrections / sizeof *corrections, before);
    H5Gclose(group);
    return found;
}

// ---- all of it

static void put_root(hid_t file, const scree_scene *scene, bool *fine) {
    const int format = SCREE_RUN_FORMAT;
    const scree_units units = scree_scene_units(scene);
    const struct {
        const char *name, *text;
    } text[] = {
        { "format", "scree-run" },
        { "scree_version", scree_version() },
        { "build", scree_version_build() },
        { "title", scene ? scree_scene_title(scene) : "" },
        { "unit_length", scree_units_length(units) },
        { "unit_time", scree_units_time(units) },
        { "unit_mass", scree_units_mass(units) },
    };
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        scree_layout_put_text(file, text[i].name, text[i].text, strlen(text[i].text), fine);
    scree_layout_put_number(file, "format_version", H5T_NATIVE_INT, &format, fine);
}

void scree_run_header_write(hid_t file, const scree_run_origin *origin, const double *q,
                            bool *fine) {
    const scree_scheme_options scheme =
        scree_scheme_choose(origin->model, &origin->options->scheme);
    put_root(file, origin->scene, fine);
    write_scene(file, origin, fine);
    put_options(file, origin, &scheme, fine);
    scree_run_model_write(file, origin->model, &scheme, q, fine);
}

// ---- digests

typedef struct seal {
    const char **name;  // (count)
    uint64_t *digest;
    int count, room;
    bool fine;
} seal;

static const hsize_t bytes_most = (hsize_t)1 << 34;

// the bytes of a data set, which is closed, as they are in the file; false if they cannot be had
static bool find_digest(hid_t set, uint64_t *digest) {
    if (set < 0) return false;
    hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    size_t size = H5Tget_size(type);
    // what is not stored in full is not one of ours
    bool fine = count >= 0 && size > 0 && (hsize_t)count < bytes_most / size &&
                H5Dget_storage_size(set) == (hsize_t)count * size;
    char *bytes = fine ? malloc((size_t)count * size + 1) : NULL;
    fine = bytes && (!count || H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0);
    if (fine) {
        scree_digest sum = scree_digest_begin();
        scree_digest_bytes(&sum, bytes, (size_t)count * size);
        *digest = scree_digest_value(&sum);
    }
    free(bytes);
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(set);
    return fine;
}

static herr_t visit(hid_t file, const char *name, const H5O_info_t *info, void *data) {
    seal *all = data;
    bool ours = strncmp(name, "scene/", 6) == 0 || strncmp(name, "model/", 6) == 0;
    if (info->type != H5O_TYPE_DATASET || !ours) return 0;
    if (all->count == all->room) {
        int room = all->room ? 2 * all->room : 32;
        const char **names = realloc(all->name, (size_t)room * sizeof *names);
        if (names) all->name = names;
        uint64_t *digests = realloc(all->digest, (size_t)room * sizeof *digests);
        if (digests) all->digest = digests;
        all->fine = all->fine && names && digests;
        if (!all->fine) return 1;
        all->room = room;
    }
    all->name[all->count] = strdup(name);
    all->fine = all->name[all->count] &&
                find_digest(H5Dopen2(file, name, H5P_DEFAULT), &all->digest[all->count]);
    all->count++;
    return all->fine ? 0 : 1;
}

void scree_run_header_seal(hid_t file, bool *fine) {
    seal all = { .fine = true };
    herr_t done = H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, visit, &all);
    *fine = *fine && all.fine && done >= 0;
    seal_options(file, fine);
    hid_t group = scree_layout_group(file, "digests");
    if (*fine) {
        scree_layout_put_texts(group, "name", all.name, all.count, fine);
        scree_layout_put_array(group, "digest", H5T_STD_U64LE, all.count, 1, all.digest, fine);
    }
    if (group >= 0) H5Gclose(group);
    for (int i = 0; i < all.count; i++) free((void *)all.name[i]);
    free(all.name);
    free(all.digest);
}

static bool read_digests(hid_t group, int count, uint64_t *digest) {
    hid_t set = scree_layout_open(group, "digest"), space = set < 0 ? -1 : H5Dget_space(set);
    bool fine = space >= 0 && H5Sget_simple_extent_npoints(space) == count &&
                H5Dread(set, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, digest) >= 0;
    if (space >= 0) H5Sclose(space);
    if (set >= 0) H5Dclose(set);
    return fine;
}

bool scree_run_header_check(hid_t file, char *damaged, size_t size) {
    const char **name;
    int count = 0;
    scree_arena arena = { 0 };
    hid_t group = scree_layout_enter(file, "digests");
    *damaged = '\0';
    bool fine = group >= 0 && scree_layout_texts(group, "name", &arena, &name, &count);
    uint64_t *said = fine ? SCREE_NEW(&arena, uint64_t, count + 1) : NULL;
    fine = said && read_digests(group, count, said);
    for (int i = 0; fine && i < count; i++) {
        uint64_t digest;
        fine = find_digest(scree_layout_open(file, name[i]), &digest) && digest == said[i];
        if (!fine) snprintf(damaged, size, "%s", name[i]);
    }
    if (group >= 0) H5Gclose(group);
    scree_arena_free(&arena);
    return fine;
}

// the digests of all tables of a model, in the order of their names; false if they cannot be had
static bool find_model_digest(hid_t file, uint64_t *digest) {
    const char **name;
    int count = 0;
    scree_arena arena = { 0 };
    scree_digest sum = scree_digest_begin();
    hid_t group = scree_layout_enter(file, "digests");
    bool fine = group >= 0 && scree_layout_texts(group, "name", &arena, &name, &count);
    uint64_t *said = fine ? SCREE_NEW(&arena, uint64_t, count + 1) : NULL;
    fine = said && read_digests(group, count, said);
    for (int i = 0; fine && i < count; i++) {
        if (strncmp(name[i], "model/", 6) != 0) continue;
        scree_digest_bytes(&sum, name[i], strlen(name[i]));
        scree_digest_bytes(&sum, &said[i], sizeof said[i]);
    }
    *digest = scree_digest_value(&sum);
    if (group >= 0) H5Gclose(group);
    scree_arena_free(&arena);
    return fine;
}

// the digest of options as if they had this duration
static bool find_options_digest(hid_t file, double duration, uint64_t *digest) {
    hid_t group = H5Gopen2(file, "options", H5P_DEFAULT);
    bool fine = group >= 0 && sum_options(group, &duration, digest);
    if (group >= 0) H5Gclose(group);
    return fine;
}

bool scree_run_header_same_model(hid_t file, const scree_run_origin *origin, const double *q) {
    enum { GROWTH = 1 << 16 };
    uint64_t here[2] = { 0 }, there[2] = { 1 };
    bool fine = true;
    hid_t plist = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_fapl_core(plist, GROWTH, 0);  // in memory alone
    hid_t image = H5Fcreate("model", H5F_ACC_TRUNC, H5P_DEFAULT, plist);
    H5Pclose(plist);
    if (image < 0) return false;
    scree_run_header_write(image, origin, q, &fine);
    scree_run_header_seal(image, &fine);
    fine = fine && find_model_digest(image, &here[0]) && find_model_digest(file, &there[0]) &&
           find_options_digest(image, 0, &here[1]) && find_options_digest(file, 0, &there[1]);
    H5Fclose(image);
    return fine && here[0] == there[0] && here[1] == there[1];
}
