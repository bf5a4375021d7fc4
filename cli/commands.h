// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// commands.h - the commands' entry points, and what several of them share.

#ifndef SCREE_CLI_COMMANDS_H
#define SCREE_CLI_COMMANDS_H

#include "cli/built_in.h"
#include "cli/json.h"
#include "cli/options.h"
#include "scree/scree.h"
#include "show/bodies.h"

int cli_animate(const cli_args *args);
int cli_recover(const cli_args *args);
int cli_check(const cli_args *args);
int cli_compare(const cli_args *args);
int cli_converge_main(const cli_args *args);
int cli_equilibria(const cli_args *args);
int cli_export(const cli_args *args);

/// A run of bodies as files for ParaView.
int cli_export_vtk(const cli_args *args, scree_run_reader *reader,
                   const scree_simulation *simulation);
int cli_import(const cli_args *args);
int cli_measure(const cli_args *args);
int cli_new(const cli_args *args);
int cli_paradox(const cli_args *args);
int cli_plot(const cli_args *args);
int cli_run(const cli_args *args);

/// Can the scene stand as it is? Exit status 0 if it can, 1 if not.
int cli_check_equilibrium(const cli_args *args, const scree_simulation *simulation);
int cli_scenes(const cli_args *args);
int cli_schema(const cli_args *args);
int cli_show(const cli_args *args);
int cli_solve(const cli_args *args);
int cli_sweep_main(const cli_args *args);

#define CLI_STANDARD_INPUT "stdin"  // its name in messages and of files that are made of it

/// Open a file, standard input (-), or a built-in scene of that name, with overrides. Complaints
/// go to findings.
scree_simulation *cli_open_scene(const char *scene, const char *const *overrides, int count,
                                 scree_findings *findings);

enum { CLI_NAMES = 8 };

/// Words with commas between them.
typedef struct cli_names {
    char text[CLI_NAMES][80];
    const char *name[CLI_NAMES];
    int count;
} cli_names;

/// Split what an option has; wrong use if there is nothing, or more than CLI_NAMES.
int cli_split(const cli_args *args, const char *option, const char *given, cli_names *names);

/// The study of the scene and the --set of a command; it ends when that is to stop.
scree_study cli_study(const cli_args *args);

/// The name of a scene or run without folders and ending, for names of files made from it.
void cli_scene_stem(const char *scene, char *buffer, size_t size);

/// The name of a file, of any length, as printf makes it; NULL without memory, which is said. To be
/// freed.
char *cli_path(const char *format, ...) __attribute__((format(printf, 1, 2)));

/// Print findings to standard error, or as JSON to standard output. Returns the exit status.
int cli_complain(const scree_findings *findings, bool json);

/// Print what the scene most likely does not mean to standard error, with its places.
void cli_warn(const scree_simulation *simulation);

/// Print an error to standard error, and as JSON to standard output if that is wanted. Returns the
/// exit status that fits it.
int cli_fail(const scree_error *err, bool json);

enum { CLI_SCHEMA_LINE = 4200 };

/// The first line of a scene, by which editors find the schema: that which is installed or built
/// with the command, or scree-schema.json beside the scene.
void cli_schema_line(char *line, size_t size);

/// Write a scene with that line before it.
scree_status cli_write_scene(const char *path, const char *text, size_t length, bool force,
                             scree_error *err);

/// Write a text into a file that is not there yet, or replace it if force.
scree_status cli_write_file(const char *path, const char *text, size_t length, bool force,
                            scree_error *err);

/// Print the name of a file that was made, as text or as JSON.
void cli_print_file(const char *path, bool json);

/// What a run came to, as text or as JSON (an object with its braces). message: why it stopped
/// early, or NULL; run_file may be NULL.
void cli_report(const scree_simulation *simulation, double energy_start, double wall_seconds,
                const char *run_file, FILE *stream);
void cli_report_json(const scree_simulation *simulation, double energy_start, double wall_seconds,
                     const char *run_file, scree_status status, const char *message,
                     cli_json *json);

/// Units of length, time and mass, as the key "units".
void cli_units_json(const scree_simulation *simulation, cli_json *json);

/// The number of an option, at least `low`; unchanged where it is not given. On false the complaint
/// is written.
bool cli_read_number(const cli_args *args, const char *option, double low, double *number);

/// Joints of blocks in the plane, in a summary; nothing for other scenes.
void cli_report_masonry(const scree_simulation *simulation, FILE *stream);
void cli_report_masonry_json(const scree_simulation *simulation, cli_json *json);

/// Take --view into the options of a picture. On false the complaint is written.
bool cli_read_view(const cli_args *args, show_bodies_options *options);
/// The same with --colour and --with.
bool cli_read_style(const cli_args *args, show_bodies_options *options);

/// Stop at the next step after SIGINT or SIGTERM.
void cli_catch_signals(void);
bool cli_stop_asked(void);
const volatile int *cli_stop_flag(void);

#endif
