// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// text.c - text for people: columns of a terminal, words, paragraphs, quoting, lists of choices.
// in: texts of the command's table or words that were typed.   out: pieces of them.

#define _POSIX_C_SOURCE 200809L

#include "cli/text.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int cli_terminal_columns(FILE *stream) {
    int file = fileno(stream);
    if (file < 0 || !isatty(file)) return 0;
    struct winsize size;
    if (ioctl(file, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
    return size.ws_col;
}

const char *cli_paint(FILE *stream, cli_ink ink) {
    static const char *const code[] = { "\x1b[0m", "\x1b[32m", "\x1b[33m", "\x1b[31m" };
    const char *none = getenv("NO_COLOR"), *terminal = getenv("TERM");
    if ((none && *none) || (terminal && strcmp(terminal, "dumb") == 0)) return "";
    return cli_terminal_columns(stream) ? code[ink] : "";
}

int cli_character_bytes(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] < 0x80) return 1;
    int bytes = c[0] >= 0xC2 && c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : 4;
    if (c[0] < 0xC2 || c[0] > 0xF4) return 0;
    for (int i = 1; i < bytes; i++)
        if ((c[i] & 0xC0) != 0x80) return 0;

    // overlong forms, surrogates, beyond U+10FFFF
    if (c[0] == 0xE0 && c[1] < 0xA0) return 0;
    if (c[0] == 0xED && c[1] > 0x9F) return 0;
    if (c[0] == 0xF0 && c[1] < 0x90) return 0;
    if (c[0] == 0xF4 && c[1] > 0x8F) return 0;
    return bytes;
}

int cli_text_columns(const char *text, size_t length) {
    int columns = 0;
    for (size_t i = 0; i < length;) {
        int bytes = cli_character_bytes(text + i);
        columns += bytes > 2 ? 2 : 1;
        i += (size_t)(bytes ? bytes : 1);
    }
    return columns;
}

const char *cli_tidy(const char *text, int columns, char *buffer, size_t size) {
    bool fits = cli_text_columns(text, strlen(text)) <= columns && strlen(text) < size;
    if (!fits) columns -= 3;
    size_t at = 0, room = fits ? size : size - 3;
    while (*text) {
        int bytes = cli_character_bytes(text);
        columns -= bytes > 2 ? 2 : 1;
        if (columns < 0 || at + 5 > room) break;
        bool control =
            bytes == 0 || (unsigned char)*text < ' ' || *text == 0x7F ||
            (bytes == 2 && (unsigned char)text[0] == 0xC2 && (unsigned char)text[1] < 0xA0);
        if (control) {
            buffer[at++] = '?';
        } else {
            memcpy(buffer + at, text, (size_t)bytes);
            at += (size_t)bytes;
        }
        text += bytes ? bytes : 1;
    }
    snprintf(buffer + at, size - at, "%s", *text ? "..." : "");
    return buffer;
}

bool cli_next_block(const char **cursor, cli_block *block) {
    const char *line = *cursor;
    *block = (cli_block){ 0 };
    for (; *line == '\n'; line++) block->gap = true;
    if (!*line) return false;

    // lines of the same kind up to a blank one
    block->text = line;
    block->verbatim = *line == ' ';
    while (*line && *line != '\n' && (*line == ' ') == block->verbatim) {
        size_t length = strcspn(line, "\n");
        block->length = (size_t)(line + length - block->text);
        line += length + (line[length] == '\n');
    }
    *cursor = line;
    return true;
}

bool cli_next_word(const char **cursor, const char *end, const char **word, size_t *length) {
    const char *at = *cursor;
    while (at < end && (*at == ' ' || *at == '\n')) at++;
    *word = at;
    while (at < end && *at != ' ' && *at != '\n') at++;
    *length = (size_t)(at - *word);
    *cursor = at;
    return *length > 0;
}

bool cli_next_choice(const char **cursor, const char **choice, size_t *length) {
    while (**cursor == '|') ++*cursor;
    *choice = *cursor;
    *length = strcspn(*cursor, "|");
    *cursor += *length;
    return *length > 0 && strcmp(*choice, "...") != 0;
}

bool cli_choices_open(const char *choices) {
    size_t length = strlen(choices);
    return length >= 3 && strcmp(choices + length - 3, "...") == 0;
}

const char *cli_list_choices(const char *choices, char *buffer, size_t size) {
    const char *choice;
    size_t at = 0, length;
    bool open = cli_choices_open(choices);
    buffer[0] = 0;
    for (bool more = cli_next_choice(&choices, &choice, &length), first = true; more;
         first = false) {
        const char *current = choice;
        size_t bytes = length;
        more = cli_next_choice(&choices, &choice, &length);
        int printed = snprintf(buffer + at, size - at, "%s%.*s",
                               first          ? ""
                               : more || open ? ", "
                                              : " or ",
                               (int)bytes, current);
        if (printed < 0 || (size_t)printed >= size - at) return buffer;
        at += (size_t)printed;
    }
    if (open) snprintf(buffer + at, size - at, "%s", at ? ", ..." : "...");
    return buffer;
}

const char *cli_operand_name(const char *operands, int index, char *buffer, size_t size) {
    const char *end = operands + strlen(operands), *word;
    size_t length;
    snprintf(buffer, size, "operand");
    for (int i = 0; i <= index && cli_next_word(&operands, end, &word, &length); i++) {
        size_t skip = strspn(word, "["), bytes = strcspn(word + skip, "]. ");
        snprintf(buffer, size, "%.*s", (int)bytes, word + skip);
    }
    return buffer;
}

void cli_text_quoted(const char *text, FILE *stream) {
    putc('"', stream);
    for (; *text; text++) {
        if (*text == '"') putc('"', stream);
        putc(*text, stream);
    }
    putc('"', stream);
}

void cli_text_csv(const char *text, FILE *stream) {
    if (strpbrk(text, ",\"\n\r"))
        cli_text_quoted(text, stream);
    else
        fputs(text, stream);
}
