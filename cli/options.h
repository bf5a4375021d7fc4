// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// options.h - one table describes every command; parsing, help, the manual page and the shell
// completion all come from it.
//
//     static const cli_option check_options[] = {
//         { "set", 's', .value = "KEY=VALUE", .repeats = true, .help = "change a value" },
//         CLI_OPTION_JSON,
//         { 0 },
//     };
//     const cli_command commands[] = {
//         { "check", "SCENE", 1, 1, "list every mistake in a scene", .options = check_options,
//           .main = check_main },
//         { 0 },
//     };
//     int main(int argc, char **argv) { return cli_main(&program, argc, argv); }
//
// (gcc's -Wextra wants at least one .field = in a row that leaves fields out.)
//
// Longer texts are paragraphs, wrapped when shown; an indented line is shown as it stands.

#ifndef SCREE_CLI_OPTIONS_H
#define SCREE_CLI_OPTIONS_H

#include <float.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "scree/base.h"

enum { CLI_DONE = 0, CLI_SAYS_NO = 1, CLI_WRONG_USE = 2 };  // exit statuses

enum { CLI_POSITIONALS = 8, CLI_OPTIONS = 48, CLI_COMMANDS = 48 };  // a table has at most so many

typedef struct cli_option {
    const char *name;     // "output" for --output
    char letter;          // 'o' for -o, or 0
    const char *value;    // "FILE", "N"; NULL for a flag
    const char *help;     // what it does, lower case, no full stop
    bool repeats;         // may be given several times, see cli_values
    const char *choices;  // "csv|vtk": only these; "pgs|nsn|...": these are suggested; or NULL
} cli_option;

// rows that many commands share
#define CLI_OPTION_JSON \
    { "json", .help = "print the result as one JSON document, nothing else" }
#define CLI_OPTION_QUIET \
    { "quiet", 'q', .help = "no progress line, no messages but errors" }

typedef struct cli_args cli_args;

/// A row of the table. The names of operands and values choose what the shell completes: FILE, RUN
/// and PROBLEM are files, DIR a directory, SCENE a file or a built-in scene, an operand NAME a
/// built-in scene, COMMAND a command.
typedef struct cli_command {
    const char *name;
    const char *operands;                  // "SCENE", "RUN WHAT", "[NAME]", or NULL for none
    int least, most;                       // how many operands
    const char *summary;                   // one line, lower case, no full stop
    const char *text;                      // longer help, or NULL
    const cli_option *options;             // ends with a zeroed row; --help is not listed; or NULL
    int (*main)(const cli_args *args);     // returns the exit status
    const char *examples;                  // command lines and "# comment" lines, or NULL
    const char *choices[CLI_POSITIONALS];  // of each operand, as in cli_option
} cli_command;

typedef struct cli_program {
    const char *name, *version;
    const char *build;                        // second line of --version, or NULL
    const char *summary;                      // one line
    const char *text;                         // the manual's DESCRIPTION
    const cli_command *commands;              // ends with a zeroed row; "help" is not listed
    const char *examples, *files, *see_also;  // sections of the manual, or NULL
} cli_program;

/// One parsed command line. The fields are for cli_; commands read positional and ask the functions
/// below. Every text is borrowed from argv.
struct cli_args {
    const cli_program *program;
    const cli_command *command;
    const char *positional[CLI_POSITIONALS];  // the operands; NULL beyond the last one
    int positionals;
    bool help;               // --help was given: nothing else was looked at
    int given[CLI_OPTIONS];  // how often each option of the command's table was given
    const char **value;      // every value, grouped by option in the table's order; owned (values)
    int values;
    FILE *errors;  // where complaints go
};

/// The whole program: choose the command, parse, call it. Returns the exit status; 2 also when
/// standard output could not be written.
int cli_main(const cli_program *program, int argc, char *const *argv);

/// Parse the words that follow a command's name. On false the complaint has been written to errors.
/// Free args in either case.
bool cli_parse(const cli_program *program, const cli_command *command, int argc, char *const *argv,
               FILE *errors, cli_args *args);
void cli_args_free(cli_args *args);

/// Was the option given? Asking for a name that is not in the command's table is a bug.
bool cli_flag(const cli_args *args, const char *name);

/// The value of an option (the last one if it repeats), NULL if it was not given.
const char *cli_value(const cli_args *args, const char *name);

/// All values of a repeating option in their order, count 0 if it was not given.
const char *const *cli_values(const cli_args *args, const char *name, int *count);

#define CLI_POSITIVE DBL_MIN  // as `least` of cli_number: greater than zero

/// Read a finite number within [least, most] into value, which keeps its default if the option was
/// not given. On false the complaint is written: return CLI_WRONG_USE.
bool cli_number(const cli_args *args, const char *name, double least, double most, double *value);

/// The same for whole numbers; 1e6 is one.
bool cli_integer(const cli_args *args, const char *name, int least, int most, int *value);

/// Read least to most finite numbers with commas between them; count 0 if the option was not given.
bool cli_numbers(const cli_args *args, const char *name, double *value, int least, int most,
                 int *count);

/// Complain: "scree run: ..." and where to find help. Returns CLI_WRONG_USE.
int cli_wrong_use(const cli_args *args, const char *format, ...) SCREE_PRINTF(2, 3);

/// The help page of a command, at most 100 columns wide; of the program if command is NULL.
void cli_print_help(const cli_program *program, const cli_command *command, FILE *stream);

/// The manual page scree(1), roff with the man macros.
void cli_print_manual(const cli_program *program, FILE *stream);

/// The completion script for bash 4 or newer.
void cli_print_completion(const cli_program *program, FILE *stream);

/// The built-in command `help` and the options of the bare program, for those who print the table.
extern const cli_command cli_help_command;
extern const cli_option cli_program_options[];
extern const cli_option cli_help_option;

/// Is the table free of mistakes (missing texts, doubled names or letters, too many rows)? The
/// first mistake is written to errors. cli_main asserts it.
bool cli_table_sound(const cli_program *program, FILE *errors);

#endif
