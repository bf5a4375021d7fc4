// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// sample.h - the table that the tests of the command's framework share: every kind of option and
// operand.

#ifndef SCREE_TEST_CLI_SAMPLE_H
#define SCREE_TEST_CLI_SAMPLE_H

#include "cli/options.h"
#include "harness.h"

static int answer_seven(const cli_args *args) { return args->positionals ? 7 : 0; }

static int print_names(const cli_args *args) {
    if (cli_flag(args, "names")) printf("slide\nslope\nbridge\n");
    return CLI_DONE;
}

static const cli_option run_options[] = {
    { "output", 'o', .value = "FILE", .help = "store the run" },
    { "set", 's', .value = "KEY=VALUE", .repeats = true, .help = "change a value of the scene" },
    { "tolerance", 't', .value = "T",
      .help = "relative residual to stop at, such a long text that it must be wrapped" },
    { "sweeps", 'n', .value = "N", .help = "sweeps over all contacts" },
    { "to", .value = "FORMAT", .help = "format", .choices = "csv|vtk" },
    { "solver", .value = "S", .help = "method", .choices = "pgs|nsn|..." },
    CLI_OPTION_QUIET,
    { "verbose", 'v', .help = "more messages" },
    CLI_OPTION_JSON,
    { 0 },
};

static const cli_option scenes_options[] = { { "names", .help = "only the names" }, { 0 } };

static const cli_command commands[] = {
    { "run", "SCENE", 1, 1, "simulate a scene", "A paragraph.\n\n  kept   as it is\n\nAnother.",
      run_options, answer_seven, .examples = "# comment\nscree run slide" },
    { "plot", "RUN WHAT", 1, 2, "draw", NULL, NULL, answer_seven,
      .choices = { [1] = "energy|gaps|impulses|momentum" } },
    { "scenes", NULL, 0, 0, "list the scenes", .options = scenes_options, .main = print_names },
    { "many", "[THING]...", 0, 8, "take up to eight", .main = answer_seven },
    { 0 },
};

static const cli_program program = {
    .name = "scree",
    .version = "1.2.3",
    .summary = "simulate bodies that touch",
    .text = "Frémond's law; a 'quoted' \"word\".\n.dotted",
    .commands = commands,
    .examples = "scree run slide",
    .files = "None.",
    .see_also = "groff(1)",
};

enum { WORDS = 64, COMPLAINT = 2000, PAGE = 20000 };

static inline size_t slurp(FILE *file, char *buffer, size_t size) {
    rewind(file);
    size_t length = fread(buffer, 1, size - 1, file);
    buffer[length] = 0;
    return length;
}

#define CHECK_HAS(text, piece)                                                   \
    do {                                                                         \
        if (!strstr(text, piece)) COMPLAIN("\"%s\" is not in: %s", piece, text); \
    } while (0)

#endif
