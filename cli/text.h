// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// text.h - text for people: columns of a terminal, words, paragraphs, quoting, lists of choices.

#ifndef SCREE_CLI_TEXT_H
#define SCREE_CLI_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/// Columns of the terminal behind stream, 80 if it does not tell; 0 if stream is no terminal.
int cli_terminal_columns(FILE *stream);

typedef enum cli_ink { CLI_PLAIN, CLI_GREEN, CLI_YELLOW, CLI_RED } cli_ink;

/// What turns the text behind it to a colour, or back with CLI_PLAIN; nothing where stream is no
/// terminal or a dumb one, or where NO_COLOR is set (no-color.org).
const char *cli_paint(FILE *stream, cli_ink ink);

/// Bytes of the UTF-8 character at text, from 1 to 4; 0 if it is not valid there. Not for the end.
int cli_character_bytes(const char *text);

/// Columns that length bytes of UTF-8 text take, rounded up: far scripts count as two columns each.
int cli_text_columns(const char *text, size_t length);

/// Copy text for a message: at most columns wide, cut with "...", control characters and invalid
/// bytes as '?'. Returns buffer.
const char *cli_tidy(const char *text, int columns, char *buffer, size_t size);

/// Write text as a field of a CSV table: in quotes where it holds a comma, a quote or a line's end.
void cli_text_csv(const char *text, FILE *stream);

/// The same, in quotes whatever it holds.
void cli_text_quoted(const char *text, FILE *stream);

/// A paragraph to be wrapped, or indented lines to be shown as they stand.
typedef struct cli_block {
    const char *text;  // borrowed, not terminated
    size_t length;     // without the last line's end
    bool verbatim;     // indented lines
    bool gap;          // a blank line stands before it
} cli_block;

/// Take the next block of a text; false at its end.
bool cli_next_block(const char **cursor, cli_block *block);

/// Take the next word before end; false if there is none.
bool cli_next_word(const char **cursor, const char *end, const char **word, size_t *length);

/// Take the next of "a|b|c"; false at the end. A closing "..." is not a choice.
bool cli_next_choice(const char **cursor, const char **choice, size_t *length);

/// Does the list end with "...", so that other words are welcome too?
bool cli_choices_open(const char *choices);

/// "a|b|c" for a sentence: "a, b or c", and "a|b|..." as "a, b, ...". Returns buffer.
const char *cli_list_choices(const char *choices, char *buffer, size_t size);

/// The name of the operand number index in "RUN [WHAT]...", without brackets and dots; the last one
/// stands for all that follow. Returns buffer.
const char *cli_operand_name(const char *operands, int index, char *buffer, size_t size);

#endif
