// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// manual.c - the manual page scree(1).
// in: the table.   out: roff with the man macros; see man(7) and groff_man_style(7).

#include <ctype.h>
#include <string.h>

#include "cli/options.h"
#include "cli/text.h"

enum { LINE = 72 };    // bytes after which a line of the source is broken
enum { LIST = 1000 };  // bytes of a list of choices

// the code point of the valid character of so many bytes
static unsigned code_point(const char *text, int bytes) {
    const unsigned char *c = (const unsigned char *)text;
    unsigned code = bytes == 1 ? c[0] : c[0] & (0x7Fu >> bytes);
    for (int i = 1; i < bytes; i++) code = code << 6 | (c[i] & 0x3Fu);
    return code;
}

// characters that roff would typeset differently are written by name, so that examples can be
// copied
static void put_text(FILE *stream, const char *text, size_t length) {
    static const char *const names[][2] = {
        { "\\", "\\e" },  { "-", "\\-" },   { "'", "\\(aq" }, { "\"", "\\(dq" },
        { "`", "\\(ga" }, { "^", "\\(ha" }, { "~", "\\(ti" },
    };
    for (size_t i = 0; i < length;) {
        int bytes = cli_character_bytes(text + i);
        const char *name = NULL;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            if (text[i] == names[k][0][0]) name = names[k][1];
        if (name)
            fputs(name, stream);
        else if (bytes > 1)
            fprintf(stream, "\\[u%04X]", code_point(text + i, bytes));
        else if (bytes == 1)
            fputc(text[i], stream);
        i += (size_t)(bytes ? bytes : 1);
    }
}

static void put(FILE *stream, const char *text) { put_text(stream, text, strlen(text)); }

static void put_bold(FILE *stream, const char *before, const char *text) {
    fputs("\\fB", stream);
    put(stream, before);
    put(stream, text);
    fputs("\\fR", stream);
}

// words in lines of moderate length; a dot at the head of a line would be a request
static void put_paragraph(FILE *stream, const char *text, size_t length) {
    const char *word, *end = text + length;
    size_t bytes;
    for (size_t at = 0; cli_next_word(&text, end, &word, &bytes); at += bytes + 1) {
        if (at > 0) fputc(at + bytes > LINE ? '\n' : ' ', stream);
        if (at + bytes > LINE) at = 0;
        if (at == 0 && *word == '.') fputs("\\&", stream);
        // names like moreau-jean are typed as they stand: roff must not hyphenate them
        if (strcspn(word, "-_/=") < bytes) fputs("\\%", stream);
        put_text(stream, word, bytes);
    }
    fputc('\n', stream);
}

// "simulate a scene" as a sentence of its own
static void put_sentence(FILE *stream, const char *fragment) {
    char text[2 * LIST];
    int length = snprintf(text, sizeof text - 1, "%s", fragment);
    if (length <= 0 || (size_t)length >= sizeof text - 1) return;
    text[0] = (char)toupper((unsigned char)text[0]);
    if (text[length - 1] != '.') strcat(text, ".");
    put_paragraph(stream, text, strlen(text));
}

// lines as they stand; `first` in its section
static void put_lines(FILE *stream, const char *text, size_t length, bool first) {
    fputs(first ? ".RS 4\n.nf\n" : ".PP\n.RS 4\n.nf\n", stream);
    for (const char *end = text + length; text < end;) {
        size_t bytes = strcspn(text, "\n");
        if (bytes > (size_t)(end - text)) bytes = (size_t)(end - text);
        size_t indent = strspn(text, " ");
        if (indent > 2) indent = 2;  // the table's own indent
        if (indent > bytes) indent = bytes;
        if (text[indent] == '.') fputs("\\&", stream);
        put_text(stream, text + indent, bytes - indent);
        fputc('\n', stream);
        text += bytes + 1;
    }
    fputs(".fi\n.RE\n", stream);
}

static void put_blocks(FILE *stream, const char *text, bool first) {
    cli_block block;
    for (; cli_next_block(&text, &block); first = false) {
        if (block.verbatim) {
            put_lines(stream, block.text, block.length, first);
        } else {
            if (!first) fputs(".PP\n", stream);
            put_paragraph(stream, block.text, block.length);
        }
    }
}

// "scree run SCENE [OPTION]..." with the typed words bold and the others slanted
static void put_synopsis(FILE *stream, const cli_program *program, const cli_command *command) {
    put_bold(stream, program->name, "");
    fputc(' ', stream);
    put_bold(stream, command->name, "");
    const char *cursor = command->operands ? command->operands : "", *end = cursor + strlen(cursor);
    const char *word;
    for (size_t length; cli_next_word(&cursor, end, &word, &length);) {
        fputc(' ', stream);
        for (size_t i = 0; i < length;) {
            bool plain = strchr("[].", word[i]) != NULL;
            size_t bytes = plain ? strspn(word + i, "[].") : strcspn(word + i, "[]. ");
            if (bytes > length - i) bytes = length - i;
            if (!plain) fputs("\\fI", stream);
            put_text(stream, word + i, bytes);
            if (!plain) fputs("\\fR", stream);
            i += bytes;
        }
    }
    if (command->options) fputs(" [\\fIOPTION\\fR]...", stream);
    fputc('\n', stream);
}

static void put_option(FILE *stream, const cli_option *option) {
    fputs(".TP\n", stream);
    if (option->letter) {
        put_bold(stream, "-", (char[2]){ option->letter, 0 });
        fputs(", ", stream);
    }
    put_bold(stream, "--", option->name);
    if (option->value) {
        fputs(" \\fI", stream);
        put(stream, option->value);
        fputs("\\fR", stream);
    }
    char list[LIST], text[2 * LIST];
    const char *choices = option->choices ? cli_list_choices(option->choices, list, LIST) : "";
    snprintf(text, sizeof text, "%s%s%s%s", option->help, option->choices ? ": " : "", choices,
             option->repeats ? "; may be repeated" : "");
    fputc('\n', stream);
    put_sentence(stream, text);
}

static void put_command(FILE *stream, const cli_program *program, const cli_command *command) {
    fputs(".SS ", stream);
    put_synopsis(stream, program, command);
    put_sentence(stream, command->summary);
    if (command->text) put_blocks(stream, command->text, false);
    for (int i = 0; i < command->most; i++) {
        if (!command->choices[i]) continue;
        char name[LIST], list[LIST];
        fputs(".TP\n\\fI", stream);
        put(stream, cli_operand_name(command->operands, i, name, sizeof name));
        fputs("\\fR\n", stream);
        cli_list_choices(command->choices[i], list, sizeof list);
        put_paragraph(stream, list, strlen(list));
    }
    for (const cli_option *o = command->options; o && o->name; o++) put_option(stream, o);
}

// ---- sections ----

static void put_head(FILE *stream, const cli_program *program) {
    fprintf(stream, ".\\\" Written by '%s --manual' from the command's own table.\n",
            program->name);
    fputs(".TH ", stream);
    for (const char *c = program->name; *c; c++) fputc(toupper((unsigned char)*c), stream);
    fprintf(stream, " 1 \"\" \"%s %s\" \"User Commands\"\n", program->name, program->version);
    fputs(".ad l\n.SH NAME\n", stream);
    fprintf(stream, "%s \\- ", program->name);
    put(stream, program->summary);
    fputs("\n.SH SYNOPSIS\n", stream);
    for (const cli_command *c = program->commands; c->name; c++) {
        put_synopsis(stream, program, c);
        fputs(".br\n", stream);
    }
    put_synopsis(stream, program, &cli_help_command);
    fputs(".br\n", stream);
    put_bold(stream, program->name, "");
    for (const cli_option *o = cli_program_options; o->name; o++) {
        fputs(o == cli_program_options ? " " : " | ", stream);
        put_bold(stream, "--", o->name);
    }
    fputc('\n', stream);
}

static void put_examples(FILE *stream, const cli_program *program) {
    bool first = true;
    const char *examples = program->examples;
    for (const cli_command *c = program->commands;; examples = c++->examples) {
        if (examples) {
            if (first) fputs(".SH EXAMPLES\n", stream);
            put_lines(stream, examples, strlen(examples), first);
            first = false;
        }
        if (!c->name) break;
    }
}

void cli_print_manual(const cli_program *program, FILE *stream) {
    put_head(stream, program);
    fputs(".SH DESCRIPTION\n", stream);
    if (program->text) put_blocks(stream, program->text, true);
    fputs(
        ".PP\nOptions may stand before or after the operands.\n"
        "A value follows its option as the next word or after an equals sign:\n"
        "\\fB\\-o\\fR \\fIFILE\\fR, \\fB\\-o\\fR\\fIFILE\\fR, \\fB\\-\\-output\\fR \\fIFILE\\fR,\n"
        "\\fB\\-\\-output=\\fR\\fIFILE\\fR.\n"
        "After \\fB\\-\\-\\fR every word is an operand.\n"
        "Every command has \\fB\\-h\\fR, \\fB\\-\\-help\\fR.\n",
        stream);
    fputs(".SH OPTIONS\n", stream);
    for (const cli_option *o = cli_program_options; o->name; o++) put_option(stream, o);
    fputs(".SH COMMANDS\n", stream);
    for (const cli_command *c = program->commands; c->name; c++) put_command(stream, program, c);
    put_command(stream, program, &cli_help_command);
    fputs(
        ".SH EXIT STATUS\n"
        ".TP\n\\fB0\\fR\nDone.\n"
        ".TP\n\\fB1\\fR\nThe run or the check says no.\n"
        ".TP\n\\fB2\\fR\nWrong use or bad input.\n",
        stream);
    if (program->files) {
        fputs(".SH FILES\n", stream);
        put_blocks(stream, program->files, true);
    }
    put_examples(stream, program);
    if (program->see_also) {
        fputs(".SH SEE ALSO\n", stream);
        put_blocks(stream, program->see_also, true);
    }
}
