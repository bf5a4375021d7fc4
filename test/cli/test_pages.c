// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_pages.c - what is made from the table: help pages, the manual page, and the completion
// script in a real bash.

#define _POSIX_C_SOURCE 200809L

#include <stdlib.h>
#include <unistd.h>

#include "cli/text.h"
#include "sample.h"

static void make_page(void (*print)(const cli_program *, FILE *), char page[PAGE]) {
    FILE *file = tmpfile();
    print(&program, file);
    slurp(file, page, PAGE);
    fclose(file);
}

static void help_names_everything_and_fits(void) {
    for (const cli_command *c = commands; c->name; c++) {
        char page[PAGE], name[100];
        FILE *file = tmpfile();
        cli_print_help(&program, c, file);
        slurp(file, page, sizeof page);
        fclose(file);
        CHECK_HAS(page, c->summary);
        CHECK_HAS(page, "-h, --help");
        CHECK_HAS(page, "Exit status: 0 done, 1 the run or the check says no, 2 wrong use");
        if (c->operands) CHECK_HAS(page, c->operands);
        for (const cli_option *o = c->options; o && o->name; o++) {
            snprintf(name, sizeof name, "--%s%s%s", o->name, o->value ? " " : "",
                     o->value ? o->value : "");
            CHECK_HAS(page, name);
            if (o->letter) {
                snprintf(name, sizeof name, "  -%c, --%s", o->letter, o->name);
                CHECK_HAS(page, name);
            }
        }
        for (char *line = strtok(page, "\n"); line; line = strtok(NULL, "\n")) {
            CHECK(cli_text_columns(line, strlen(line)) <= 80);
            CHECK(line[strlen(line) - 1] != ' ');
        }
    }
    char page[PAGE];
    FILE *file = tmpfile();
    cli_print_help(&program, &commands[0], file);
    slurp(file, page, sizeof page);
    fclose(file);
    CHECK_HAS(page, "\nA paragraph.\n\n  kept   as it is\n\nAnother.\n");
    CHECK_HAS(page, "\nExamples:\n  # comment\n  scree run slide\n");
    CHECK_HAS(page, "format: csv or vtk\n");
    CHECK_HAS(page, "method: pgs, nsn, ...\n");
    CHECK_HAS(page, "change a value of the scene; may be repeated\n");
}

static void manual_names_everything_in_clean_roff(void) {
    static const char *const known[] = { ".TH", ".SH", ".SS", ".TP", ".PP", ".RS",
                                         ".RE", ".nf", ".fi", ".br", ".ad", ".\\\"" };
    static const char *const sections[] = { "NAME",    "SYNOPSIS", "DESCRIPTION",
                                            "OPTIONS", "COMMANDS", "EXIT STATUS",
                                            "FILES",   "EXAMPLES", "SEE ALSO" };
    char page[PAGE], text[100];
    make_page(cli_print_manual, page);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        snprintf(text, sizeof text, "\n.SH %s\n", sections[i]);
        CHECK_HAS(page, text);
    }
    for (const cli_command *c = commands; c->name; c++) {
        snprintf(text, sizeof text, "\n.SS \\fBscree\\fR \\fB%s\\fR", c->name);
        CHECK_HAS(page, text);
        for (const cli_option *o = c->options; o && o->name; o++) {
            snprintf(text, sizeof text, "\\fB\\-\\-%s\\fR", o->name);
            CHECK_HAS(page, text);
        }
    }
    CHECK_HAS(page, "Fr\\[u00E9]mond\\(aqs law; a \\(aqquoted\\(aq \\(dqword\\(dq");

    // a line that begins like a request is one
    for (char *line = strtok(page, "\n"); line; line = strtok(NULL, "\n")) {
        bool good = *line != '.';
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            good = good || strncmp(line, known[i], strlen(known[i])) == 0;
        if (!good || *line == '\'') COMPLAIN("not roff: %s", line);
    }
}

// the answer of the completion script to a line of words; "" if there is no bash
static void complete_line(const char *script, const char *words, char *answer, size_t size) {
    char path[] = "/tmp/scree-completion-XXXXXX", call[1000];
    int handle = mkstemp(path);
    FILE *file = fdopen(handle, "w");
    fprintf(file, "%s", script);
    fprintf(file, "scree() { printf 'slide\\nslope\\nbridge\\n'; }\n");
    fprintf(file, "COMP_WORDS=(%s); COMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_scree\n", words);
    fprintf(file, "printf '[%%s]' \"${COMPREPLY[@]}\"\n");
    fclose(file);
    snprintf(call, sizeof call, "bash --norc -u '%s' 2>&1", path);
    FILE *pipe = popen(call, "r");
    size_t length = fread(answer, 1, size - 1, pipe);
    answer[length] = 0;
    pclose(pipe);
    unlink(path);
}

static void bash_completes_from_the_table(void) {
    if (system("command -v bash >/dev/null 2>&1") != 0) return;
    char script[PAGE], answer[COMPLAINT], folder[] = "/tmp/scree test XXXXXX", words[200];
    make_page(cli_print_completion, script);
    static const char *const cases[][2] = {
        { "scree ''", "[run][plot][scenes][many][help]" },
        { "scree ru", "[run]" },
        { "scree --v", "[--version]" },
        { "scree help s", "[scenes]" },
        { "scree run --ou", "[--output]" },
        { "scree run -- --ou", "[]" },
        { "scree run -q sl", "[slide][slope]" },
        { "scree run slide --to ''", "[csv][vtk]" },
        { "scree run slide --to = v", "[vtk]" },
        { "scree run --to=v", "[--to=vtk]" },
        { "scree run --solver pgs,n", "[pgs,nsn]" },
        { "scree run --set a = b sli", "[slide]" },
        { "scree plot -- -x g", "[gaps]" },
        { "scree plot x y ''", "[]" },
        { "scree bogus ''", "[]" },
        { "scree", "[]" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        complete_line(script, cases[i][0], answer, sizeof answer);
        CHECK_TEXT(answer, cases[i][1]);
    }

    // names with blanks, as they are typed: plain, with a backslash, after a quote
    if (!mkdtemp(folder)) return;
    static const char *const typed[] = { "'/tmp/scree test %s/a'", "'/tmp/scree\\ test\\ %s/a'",
                                         "\\''/tmp/scree test %s/a'",
                                         "\\\"'/tmp/scree test %s/a'" };
    char path[100], expected[200];
    snprintf(path, sizeof path, "%s/a run.h5", folder);
    fclose(fopen(path, "w"));
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) {
        char tail[100];
        snprintf(tail, sizeof tail, typed[i], folder + strlen("/tmp/scree test "));
        snprintf(words, sizeof words, "scree plot %s", tail);
        snprintf(expected, sizeof expected, "[%s]", path);
        complete_line(script, words, answer, sizeof answer);
        CHECK_TEXT(answer, expected);
        snprintf(words, sizeof words, "scree run slide --output = %s", tail);
        complete_line(script, words, answer, sizeof answer);
        CHECK_TEXT(answer, expected);
    }
    unlink(path);
    rmdir(folder);
}

TEST_FILE(test_pages) {
    TEST(help_names_everything_and_fits);
    TEST(manual_names_everything_in_clean_roff);
    TEST(bash_completes_from_the_table);
    return harness_end();
}
