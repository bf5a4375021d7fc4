// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// schema.c - scree schema: the scene language as JSON Schema for editors, or as a reference page.

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"

static void write_rows(const scree_schema_row *rows, cli_json *json);
static void write_list(const scree_schema_row *row, int depth, int least, int most, cli_json *json);

// {"anyOf": [number, string]} and perhaps a list of them: a number may always be written as
// arithmetic, which a schema can only call a string
static void write_alternatives(const scree_schema_row *row, bool list, cli_json *json) {
    bool whole = row->kind == SCREE_VALUE_INTEGER;
    cli_json_array_begin(cli_json_key(json, "anyOf"));
    cli_json_object_begin(json);
    cli_json_text(cli_json_key(json, "type"), whole ? "integer" : "number");
    if (isfinite(row->low))
        cli_json_number(cli_json_key(json, row->above_low ? "exclusiveMinimum" : "minimum"),
                        row->low);
    if (isfinite(row->high)) cli_json_number(cli_json_key(json, "maximum"), row->high);
    cli_json_object_end(json);
    cli_json_object_begin(json);
    cli_json_text(cli_json_key(json, "type"), "string");
    cli_json_object_end(json);
    if (list) {
        cli_json_object_begin(json);
        write_list(row, 1, 0, 0, json);
        cli_json_object_end(json);
    }
    cli_json_array_end(json);
}

static void write_number(const scree_schema_row *row, cli_json *json) {
    write_alternatives(row, false, json);
}

static void write_choices(const char *choices, cli_json *json) {
    cli_json_array_begin(cli_json_key(json, "enum"));
    for (const char *word = choices; word;) {
        size_t length = strcspn(word, "|");
        char one[80];
        snprintf(one, sizeof one, "%.*s", (int)length, word);
        cli_json_text(json, one);
        word = word[length] ? word + length + 1 : NULL;
    }
    cli_json_array_end(json);
}

// {"type": "array", "items": {...}} around what the row holds; most 0: any number of them
static void write_list(const scree_schema_row *row, int depth, int least, int most,
                       cli_json *json) {
    cli_json_text(cli_json_key(json, "type"), "array");
    if (most) {
        cli_json_integer(cli_json_key(json, "minItems"), least);
        cli_json_integer(cli_json_key(json, "maxItems"), most);
    }
    cli_json_object_begin(cli_json_key(json, "items"));
    if (depth > 1)
        write_list(row, depth - 1, 0, 0, json);
    else if (row->kind == SCREE_VALUE_NAMES || row->kind == SCREE_VALUE_COORDINATES)
        cli_json_text(cli_json_key(json, "type"), "string");
    else if (row->kind == SCREE_VALUE_SECTIONS)
        write_rows(row->rows, json);
    else
        write_number(row, json);
    cli_json_object_end(json);
}

// a section, or the list that one of its keys has
static void write_list_or_rows(const scree_schema_row *row, cli_json *json) {
    const scree_schema_row *key = row->rows;
    while (strcmp(key->key, row->list) != 0) key++;
    cli_json_array_begin(cli_json_key(json, "anyOf"));
    cli_json_object_begin(json);
    write_rows(row->rows, json);
    cli_json_object_end(json);
    cli_json_object_begin(json);
    write_list(key, 1, 0, 0, json);
    cli_json_object_end(json);
    cli_json_array_end(json);
}

static void write_value(const scree_schema_row *row, cli_json *json) {
    switch (row->kind) {
        case SCREE_VALUE_TEXT:
            cli_json_text(cli_json_key(json, "type"), "string");
            break;
        case SCREE_VALUE_FLAG:
            cli_json_text(cli_json_key(json, "type"), "boolean");
            break;
        case SCREE_VALUE_CHOICE:
            write_choices(row->choices, json);
            break;
        case SCREE_VALUE_INTEGER:
        case SCREE_VALUE_NUMBER:
        case SCREE_VALUE_AUTO:
        case SCREE_VALUE_FUNCTION:
        case SCREE_VALUE_FORMULA:
            write_number(row, json);
            break;
        case SCREE_VALUE_NAMES:
        case SCREE_VALUE_COORDINATES:
            write_list(row, 1, (int)row->low, (int)row->high, json);
            break;
        case SCREE_VALUE_VECTOR:
            write_list(row, 1, 2, 3, json);
            break;
        case SCREE_VALUE_ONE_OR_MORE:
            write_alternatives(row, true, json);
            break;
        case SCREE_VALUE_FUNCTIONS:
        case SCREE_VALUE_FORMULAS:
        case SCREE_VALUE_NUMBERS:
        case SCREE_VALUE_SECTIONS:
            write_list(row, 1, 0, 0, json);
            break;
        case SCREE_VALUE_MATRIX:
        case SCREE_VALUE_FORMULA_ROWS:
            write_list(row, 2, 0, 0, json);
            break;
        case SCREE_VALUE_PARAMETERS:
        case SCREE_VALUE_DEFINITIONS:
            cli_json_text(cli_json_key(json, "type"), "object");
            cli_json_object_begin(cli_json_key(json, "additionalProperties"));
            write_number(row, json);
            cli_json_object_end(json);
            break;
        case SCREE_VALUE_SECTION:
            if (row->list)
                write_list_or_rows(row, json);
            else
                write_rows(row->rows, json);
            break;
    }
}

static void write_rows(const scree_schema_row *rows, cli_json *json) {
    cli_json_text(cli_json_key(json, "type"), "object");
    cli_json_boolean(cli_json_key(json, "additionalProperties"), false);
    cli_json_array_begin(cli_json_key(json, "required"));
    for (const scree_schema_row *row = rows; row->key; row++)
        if (row->required) cli_json_text(json, row->key);
    cli_json_array_end(json);
    cli_json_object_begin(cli_json_key(json, "properties"));
    for (const scree_schema_row *row = rows; row->key; row++) {
        char about[400];
        bool unit = row->unit && *row->unit && strcmp(row->unit, "1") != 0;
        snprintf(about, sizeof about, "%s%s%s%s", row->help, unit ? " [" : "",
                 unit ? row->unit : "", unit ? "]" : "");
        cli_json_object_begin(cli_json_key(json, row->key));
        cli_json_text(cli_json_key(json, "description"), about);
        if (row->preset) cli_json_text(cli_json_key(json, "default"), row->preset);
        write_value(row, json);
        cli_json_object_end(json);
    }
    cli_json_object_end(json);
}

static const char *kind_text(const scree_schema_row *row) {
    switch (row->kind) {
        case SCREE_VALUE_TEXT:
            return "text";
        case SCREE_VALUE_FLAG:
            return "true or false";
        case SCREE_VALUE_CHOICE:
            return "word";
        case SCREE_VALUE_INTEGER:
            return "whole number";
        case SCREE_VALUE_NUMBER:
            return "number";
        case SCREE_VALUE_AUTO:
            return "number or `auto`";
        case SCREE_VALUE_VECTOR:
            return "`[x, y]` or `[x, y, z]`";
        case SCREE_VALUE_FUNCTION:
            return "number, may use `t`";
        case SCREE_VALUE_FORMULA:
            return "formula of coordinates";
        case SCREE_VALUE_FUNCTIONS:
            return "list of numbers, each may use `t`";
        case SCREE_VALUE_FORMULAS:
            return "list of formulas of coordinates, velocities and `t`";
        case SCREE_VALUE_FORMULA_ROWS:
            return "list of rows of formulas";
        case SCREE_VALUE_COORDINATES:
            return "list of new names";
        case SCREE_VALUE_DEFINITIONS:
            return "map of new names to formulas";
        case SCREE_VALUE_NUMBERS:
            return "list of numbers";
        case SCREE_VALUE_ONE_OR_MORE:
            return "number or list of numbers";
        case SCREE_VALUE_MATRIX:
            return "list of rows";
        case SCREE_VALUE_NAMES:
            return row->high > 0 ? "two names" : "list of names";
        case SCREE_VALUE_PARAMETERS:
            return "map of names to numbers";
        case SCREE_VALUE_SECTION:
            return row->list ? "map or list" : "map";
        case SCREE_VALUE_SECTIONS:
            return "list of maps";
    }
    return "";
}

static void print_range(const scree_schema_row *row) {
    if (row->choices) {
        for (const char *c = row->choices; *c; c++)
            if (*c == '|')
                printf(", ");
            else
                putchar(*c);
    } else if (isinf(row->low) || (row->low == 0 && row->high == 0)) {
        printf("any");
    } else if (row->high >= INT_MAX) {
        printf("%s %g", row->above_low ? "above" : "at least", row->low);
    } else {
        printf("%s%g to %g", row->above_low ? "above " : "", row->low, row->high);
    }
}

static void print_default(const scree_schema_row *row) {
    if (row->required)
        printf("**required**");
    else if (!row->preset)
        printf("none");
    else if (row->preset_space)
        printf("`%s`, in space `%s`", row->preset, row->preset_space);
    else
        printf("`%s`", row->preset);
}

static void print_table(const scree_schema_row *rows) {
    printf("\n| key | value | unit | allowed | default | |\n|---|---|---|---|---|---|\n");
    for (const scree_schema_row *row = rows; row->key; row++) {
        printf("| `%s` | %s | %s | ", row->key, kind_text(row),
               row->unit && *row->unit ? row->unit : "-");
        if (row->rows || row->kind == SCREE_VALUE_TEXT || row->kind == SCREE_VALUE_FLAG ||
            row->kind == SCREE_VALUE_NAMES || row->kind == SCREE_VALUE_PARAMETERS ||
            row->kind == SCREE_VALUE_COORDINATES || row->kind == SCREE_VALUE_DEFINITIONS)
            printf("-");
        else
            print_range(row);
        printf(" | ");
        print_default(row);
        printf(" | %s |\n", row->help);
    }
}

// the tables that stand on the page already, and under which names
typedef struct page {
    int count;
    const scree_schema_row *rows[32];
    char path[32][80];
} page;

static const char *printed(const page *p, const scree_schema_row *rows) {
    for (int i = 0; i < p->count; i++)
        if (p->rows[i] == rows) return p->path[i];
    return NULL;
}

static void print_section(page *p, const char *path, const char *help,
                          const scree_schema_row *rows) {
    const char *before = printed(p, rows);
    if (*path) printf("\n## `%s`\n\n%s\n", path, help);
    if (before) {
        printf("\nThe keys are those of `%s`.\n", before);
        return;
    }
    if (p->count < 32) {
        snprintf(p->path[p->count], sizeof p->path[0], "%s", path);
        p->rows[p->count++] = rows;
    }
    print_table(rows);
    for (const scree_schema_row *row = rows; row->key; row++)
        if (row->rows) {
            char below[200];
            snprintf(below, sizeof below, "%s%s%s%s", path, *path ? "." : "", row->key,
                     row->kind == SCREE_VALUE_SECTIONS ? "[]" : "");
            print_section(p, below, row->help, row->rows);
        }
}

int cli_schema(const cli_args *args) {
    if (cli_flag(args, "markdown")) {
        page p = { 0 };
        print_section(&p, "", "", scree_schema());
        return CLI_DONE;
    }
    cli_json json = cli_json_begin(stdout);
    cli_json_object_begin(&json);
    cli_json_text(cli_json_key(&json, "$schema"), "https://json-schema.org/draft/2020-12/schema");
    cli_json_text(cli_json_key(&json, "title"), "scree scene");
    write_rows(scree_schema(), &json);
    cli_json_object_end(&json);
    cli_json_end(&json);
    return CLI_DONE;
}
