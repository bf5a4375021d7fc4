// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// help.c - the help pages.
// in: the table.   out: text, wrapped to the terminal but never wider than 100 columns.

#include <string.h>

#include "cli/options.h"
#include "cli/text.h"

enum { NARROWEST = 60, USUAL = 80, WIDEST = 100 };  // columns of a page
enum { INDENT = 2, LABEL_MOST = 28, GAP = 2 };      // columns of a list: indent, label, gap, text
enum { LABEL = 200, NOTE = 1000 };                  // bytes

static int page_columns(FILE *stream) {
    int columns = cli_terminal_columns(stream);
    if (columns == 0) return USUAL;
    return columns < NARROWEST ? NARROWEST : columns > WIDEST ? WIDEST : columns;
}

static void print_spaces(FILE *stream, int count) {
    fprintf(stream, "%*s", count > 0 ? count : 0, "");
}

// words from column `at` on, every further line from column `indent` on; ends the line
static void print_wrapped(FILE *stream, const char *text, size_t length, int at, int indent,
                          int columns) {
    const char *word, *end = text + length;
    size_t bytes;
    print_spaces(stream, indent - at);
    at = indent;
    while (cli_next_word(&text, end, &word, &bytes)) {
        int width = cli_text_columns(word, bytes);
        if (at > indent && at + 1 + width > columns) {
            fputc('\n', stream);
            print_spaces(stream, indent);
            at = indent;
        } else if (at > indent) {
            fputc(' ', stream);
            at++;
        }
        fwrite(word, 1, bytes, stream);
        at += width;
    }
    fputc('\n', stream);
}

// paragraphs are wrapped, indented lines stay as they are
static void print_text(FILE *stream, const char *text, int columns) {
    cli_block block;
    for (bool first = true; cli_next_block(&text, &block); first = false) {
        if (block.gap && !first) fputc('\n', stream);
        if (block.verbatim)
            fprintf(stream, "%.*s\n", (int)block.length, block.text);
        else
            print_wrapped(stream, block.text, block.length, 0, 0, columns);
    }
}

// ---- two columns: labels and their texts ----

static const char *label_option(const cli_option *o, char buffer[LABEL]) {
    char letter[5] = "    ";
    if (o->letter) snprintf(letter, sizeof letter, "-%c, ", o->letter);
    snprintf(buffer, LABEL, "%s--%s%s%s", letter, o->name, o->value ? " " : "",
             o->value ? o->value : "");
    return buffer;
}

static const char *label_command(const cli_command *c, char buffer[LABEL]) {
    snprintf(buffer, LABEL, "%s%s%s", c->name, c->operands ? " " : "",
             c->operands ? c->operands : "");
    return buffer;
}

static int label_columns(const char *label) { return cli_text_columns(label, strlen(label)); }

static int widest(int columns, const char *label) {
    int width = label_columns(label);
    return width > columns && width <= LABEL_MOST ? width : columns;
}

static void print_row(FILE *stream, const char *label, int label_width, const char *text,
                      int columns) {
    int at = INDENT + label_columns(label), indent = INDENT + label_width + GAP;
    fprintf(stream, "%*s%s", INDENT, "", label);
    if (at + GAP > indent) {  // a long label has a line of its own
        fputc('\n', stream);
        at = 0;
    }
    print_wrapped(stream, text, strlen(text), at, indent, columns);
}

static void print_option(FILE *stream, const cli_option *o, int label_width, int columns) {
    char label[LABEL], list[NOTE], text[2 * NOTE];
    const char *choices = o->choices ? cli_list_choices(o->choices, list, sizeof list) : "";
    snprintf(text, sizeof text, "%s%s%s%s", o->help, o->choices ? ": " : "", choices,
             o->repeats ? "; may be repeated" : "");
    print_row(stream, label_option(o, label), label_width, text, columns);
}

// last is one more row, or NULL
static void print_options(FILE *stream, const cli_option *options, const cli_option *last,
                          int columns) {
    char label[LABEL];
    int width = 0;
    for (const cli_option *o = options; o && o->name; o++)
        width = widest(width, label_option(o, label));
    if (last) width = widest(width, label_option(last, label));
    fprintf(stream, "\nOptions:\n");
    for (const cli_option *o = options; o && o->name; o++) print_option(stream, o, width, columns);
    if (last) print_option(stream, last, width, columns);
}

// the operands that have a list of choices
static void print_operands(FILE *stream, const cli_command *command, int columns) {
    char name[LABEL], list[NOTE];
    int width = 0, rows = 0;
    for (int i = 0; i < command->most; i++)
        if (command->choices[i])
            width = widest(width, cli_operand_name(command->operands, i, name, sizeof name));
    for (int i = 0; i < command->most; i++) {
        if (!command->choices[i]) continue;
        if (rows++ == 0) fprintf(stream, "\nOperands:\n");
        cli_operand_name(command->operands, i, name, sizeof name);
        print_row(stream, name, width, cli_list_choices(command->choices[i], list, sizeof list),
                  columns);
    }
}

static void print_lines(FILE *stream, const char *heading, const char *lines) {
    fprintf(stream, "\n%s:\n", heading);
    while (*lines) {
        int length = (int)strcspn(lines, "\n");
        fprintf(stream, "%*s%.*s\n", length ? INDENT : 0, "", length, lines);
        lines += length + (lines[length] == '\n');
    }
}

// ---- pages ----

static void print_command_page(const cli_program *program, const cli_command *command,
                               FILE *stream) {
    int columns = page_columns(stream);
    char label[LABEL];
    fprintf(stream, "%s %s - %s\n", program->name, command->name, command->summary);
    fprintf(stream, "\nUsage:\n  %s %s%s\n", program->name, label_command(command, label),
            command->options ? " [OPTION]..." : "");
    if (command->text) {
        fputc('\n', stream);
        print_text(stream, command->text, columns);
    }
    print_operands(stream, command, columns);
    print_options(stream, command->options, &cli_help_option, columns);
    if (command->examples) print_lines(stream, "Examples", command->examples);
    fprintf(stream,
            "\nExit status: 0 done, 1 the run or the check says no, 2 wrong use or bad input\n");
}

static void print_program_page(const cli_program *program, FILE *stream) {
    int columns = page_columns(stream), width = 0;
    char label[LABEL];
    fprintf(stream, "%s - %s\n", program->name, program->summary);
    fprintf(stream, "\nUsage:\n  %s COMMAND [OPERAND]... [OPTION]...\n\nCommands:\n",
            program->name);
    for (const cli_command *c = program->commands; c->name; c++)
        width = widest(width, label_command(c, label));
    width = widest(width, label_command(&cli_help_command, label));
    for (const cli_command *c = program->commands; c->name; c++)
        print_row(stream, label_command(c, label), width, c->summary, columns);
    print_row(stream, label_command(&cli_help_command, label), width, cli_help_command.summary,
              columns);
    print_options(stream, cli_program_options, NULL, columns);
    if (program->examples) print_lines(stream, "Examples", program->examples);
    fprintf(stream,
            "\nExit status:\n"
            "  0  done\n"
            "  1  the run or the check says no\n"
            "  2  wrong use or bad input\n"
            "\nMore on a command: %s help COMMAND\n",
            program->name);
}

void cli_print_help(const cli_program *program, const cli_command *command, FILE *stream) {
    if (command)
        print_command_page(program, command, stream);
    else
        print_program_page(program, stream);
}
