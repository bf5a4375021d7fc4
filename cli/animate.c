// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// animate.c - scree animate: a run as a film or as numbered pictures, without a browser.

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/progress.h"

enum { RATE = 25, MOST = 5000 };  // pictures a second, and of a film

typedef struct film {
    const cli_args *args;
    const char *folder;  // of the pictures
    char *path;          // of the one that is drawn
    size_t size;
    int pictures;
    cli_progress progress;
} film;

static const char *name_picture(void *with, int i) {
    film *f = with;
    cli_progress_update(&f->progress, i, f->pictures, NULL);
    if (cli_stop_asked()) return NULL;
    snprintf(f->path, f->size, "%s/%06d.png", f->folder, i);
    return f->path;
}

static bool ends_in(const char *text, const char *ending) {
    size_t length = strlen(text), own = strlen(ending);
    return length > own && strcmp(text + length - own, ending) == 0;
}

// a name with an ending, and no folder that is there
static bool looks_like_file(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    struct stat about;
    return dot && dot > name && dot[1] && !(stat(path, &about) == 0 && S_ISDIR(about.st_mode));
}

// how many pictures a film of so many seconds has
static bool count_pictures(const cli_args *args, int *pictures) {
    const char *text = cli_value(args, "seconds");
    char *rest;
    double seconds = text ? strtod(text, &rest) : 10;
    if (text && (*rest || rest == text || !(seconds > 0) || seconds * RATE > MOST)) {
        cli_wrong_use(args, "--seconds wants a number above 0, at most %d, got \"%s\"", MOST / RATE,
                      text);
        return false;
    }
    *pictures = (int)fmax(2, round(seconds * RATE));
    return true;
}

static scree_status draw_pictures(film *f, const show_bodies_options *options, scree_error *err) {
    scree_run_reader *reader;
    show_sequence sequence = { f->pictures, name_picture, f };
    f->size = strlen(f->folder) + 32;
    f->path = malloc(f->size);
    if (!f->path) return scree_fail_memory(err, NULL);
    scree_status status = scree_run_reader_open(f->args->positional[0], &reader, err);
    if (!status) {
        cli_catch_signals();
        f->progress = cli_progress_begin(stderr, cli_flag(f->args, "quiet"));
        status = show_draw_sequence(reader, options, &sequence, err);
        cli_progress_end(&f->progress);
        scree_run_reader_close(reader);
    }
    return status;
}

static void remove_pictures(film *f) {
    for (int i = 0; f->path && i < f->pictures; i++) {
        snprintf(f->path, f->size, "%s/%06d.png", f->folder, i);
        unlink(f->path);
    }
    rmdir(f->folder);
}

enum { MISSING = 127 };  // as a shell says it

// its exit status; -1: it did not come to one
static int run_ffmpeg(const char *const *command) {
    int state = 0;
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stdout)) _exit(1);
        execvp(command[0], (char *const *)command);
        _exit(MISSING);
    }
    bool waited = child > 0 && waitpid(child, &state, 0) == child;
    return waited && WIFEXITED(state) ? WEXITSTATUS(state) : -1;
}

// asked before anything is drawn
static scree_status find_ffmpeg(const char *file, scree_error *err) {
    static const char *const command[] = { "ffmpeg", "-loglevel", "quiet", "-version", NULL };
    if (run_ffmpeg(command) != MISSING) return SCREE_OK;
    return scree_fail(err, SCREE_FILE_ERROR, (scree_source_location){ file, 0, 0 },
                      "needs the program ffmpeg, which is not installed; a folder takes "
                      "numbered PNG pictures without it");
}

// even sizes are what most players want; GIF gets colours of its own
static scree_status make_film(const film *f, const char *file, scree_error *err) {
    char *pattern = malloc(f->size + 8), rate[16];
    scree_source_location at = { file, 0, 0 };
    if (!pattern) return scree_fail_memory(err, NULL);
    snprintf(pattern, f->size + 8, "%s/%%06d.png", f->folder);
    snprintf(rate, sizeof rate, "%d", RATE);
    bool gif = ends_in(file, ".gif");
    const char *filter = gif ? "scale=720:720:force_original_aspect_ratio=decrease:flags=lanczos,"
                               "split[a][b];[a]palettegen[p];[b][p]paletteuse"
                             : "scale=trunc(iw/2)*2:trunc(ih/2)*2";
    const char *command[] = { "ffmpeg",
                              "-y",
                              "-loglevel",
                              "error",
                              "-nostdin",
                              "-framerate",
                              rate,
                              "-i",
                              pattern,
                              "-vf",
                              filter,
                              gif ? "-loop" : "-pix_fmt",
                              gif ? "0" : "yuv420p",
                              file,
                              NULL };
    int state = run_ffmpeg(command);
    free(pattern);
    if (state == 0) return SCREE_OK;
    return scree_fail(err, SCREE_FILE_ERROR, at, "ffmpeg could not make it");
}

int cli_animate(const cli_args *args) {
    const char *file = cli_value(args, "output");
    char made[] = "/tmp/scree-film-XXXXXX";
    scree_error err = { 0 };
    show_bodies_options options = show_bodies_options_default();
    film f = { .args = args };
    bool json = cli_flag(args, "json");
    if (!file) return cli_wrong_use(args, "expected --output FILE.mp4, FILE.gif or a folder");
    if (!cli_read_style(args, &options) || !count_pictures(args, &f.pictures)) return CLI_WRONG_USE;
    bool whole = ends_in(file, ".mp4") || ends_in(file, ".gif");
    if (!whole && looks_like_file(file))
        return cli_wrong_use(args,
                             "a film is FILE.mp4 or FILE.gif, and pictures go to a folder, whose "
                             "name has no ending; got \"%s\"",
                             file);
    if (whole && find_ffmpeg(file, &err)) return cli_fail(&err, json);
    f.folder = whole ? mkdtemp(made) : file;
    if (!f.folder || (!whole && mkdir(file, 0777) != 0 && errno != EEXIST)) {
        scree_fail_file(&err, whole ? made : file, "cannot be made", errno);
        return cli_fail(&err, json);
    }
    scree_status status = draw_pictures(&f, &options, &err);
    if (!status && whole) status = make_film(&f, file, &err);
    if (whole) remove_pictures(&f);
    free(f.path);
    if (status) return cli_fail(&err, json);
    cli_print_file(file, json);
    return CLI_DONE;
}
