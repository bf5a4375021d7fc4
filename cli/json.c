// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// json.c - write one JSON document (RFC 8259) to a stream.
// in: values in their order.   out: indented text.   work: a stack of what is open.

#include "cli/json.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "cli/text.h"

cli_json cli_json_begin(FILE *stream) { return (cli_json){ .stream = stream }; }

static void begin_line(const cli_json *json) {
    fprintf(json->stream, "\n%*s", 2 * json->depth, "");
}

// what stands before a value: nothing at the top and after a key, comma and indent in an array
static void begin_value(cli_json *json) {
    assert(!json->complete && "a document has one value");
    if (json->depth == 0) {
        json->complete = true;
    } else if (json->open[json->depth - 1].object) {
        assert(json->keyed && "a value in an object needs a key");
        json->keyed = false;
    } else {
        if (json->open[json->depth - 1].filled) fputc(',', json->stream);
        json->open[json->depth - 1].filled = true;
        begin_line(json);
    }
}

static void begin_container(cli_json *json, bool object) {
    begin_value(json);
    assert(json->depth < CLI_JSON_DEPTH && "too deep");
    if (json->depth == 0) json->complete = false;  // not before its end
    json->open[json->depth].object = object;
    json->open[json->depth].filled = false;
    json->depth++;
    fputc(object ? '{' : '[', json->stream);
}

static void end_container(cli_json *json, bool object) {
    assert(json->depth > 0 && "nothing is open");
    assert(json->open[json->depth - 1].object == object && "ends as it began");
    assert(!json->keyed && "a key without its value");
    json->depth--;
    if (json->open[json->depth].filled) begin_line(json);
    fputc(object ? '}' : ']', json->stream);
    json->complete = json->depth == 0;
}

void cli_json_object_begin(cli_json *json) { begin_container(json, true); }
void cli_json_object_end(cli_json *json) { end_container(json, true); }
void cli_json_array_begin(cli_json *json) { begin_container(json, false); }
void cli_json_array_end(cli_json *json) { end_container(json, false); }

static void write_text(FILE *stream, const char *text) {
    fputc('"', stream);
    while (*text) {
        int bytes = cli_character_bytes(text);
        unsigned char c = (unsigned char)*text;
        if (bytes == 0)
            fputs("\xEF\xBF\xBD", stream);  // U+FFFD
        else if (c == '"' || c == '\\')
            fprintf(stream, "\\%c", c);
        else if (c == '\n')
            fputs("\\n", stream);
        else if (c == '\t')
            fputs("\\t", stream);
        else if (c < ' ')
            fprintf(stream, "\\u%04x", c);
        else
            fwrite(text, 1, (size_t)bytes, stream);
        text += bytes ? bytes : 1;
    }
    fputc('"', stream);
}

static void write_number(FILE *stream, double number) {
    if (!isfinite(number)) {
        fputs("null", stream);
        return;
    }
    char digits[40];
    for (int precision = 15; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, number);
        if (strtod(digits, NULL) == number) break;
    }
    fputs(digits, stream);
}

cli_json *cli_json_key(cli_json *json, const char *key) {
    assert(json->depth > 0 && json->open[json->depth - 1].object && "keys belong to objects");
    assert(!json->keyed && "a key without its value");
    if (json->open[json->depth - 1].filled) fputc(',', json->stream);
    json->open[json->depth - 1].filled = true;
    json->keyed = true;
    begin_line(json);
    write_text(json->stream, key);
    fputs(": ", json->stream);
    return json;
}

void cli_json_text(cli_json *json, const char *text) {
    begin_value(json);
    if (text)
        write_text(json->stream, text);
    else
        fputs("null", json->stream);
}

void cli_json_number(cli_json *json, double number) {
    begin_value(json);
    write_number(json->stream, number);
}

void cli_json_numbers(cli_json *json, const double *number, int count) {
    begin_value(json);
    fputc('[', json->stream);
    for (int i = 0; i < count; i++) {
        if (i) fputs(", ", json->stream);
        write_number(json->stream, number[i]);
    }
    fputc(']', json->stream);
}

void cli_json_integer(cli_json *json, int64_t integer) {
    begin_value(json);
    fprintf(json->stream, "%" PRId64, integer);
}

void cli_json_boolean(cli_json *json, bool boolean) {
    begin_value(json);
    fputs(boolean ? "true" : "false", json->stream);
}

void cli_json_null(cli_json *json) {
    begin_value(json);
    fputs("null", json->stream);
}

bool cli_json_end(cli_json *json) {
    assert(json->complete && json->depth == 0 && "the document is not complete");
    fputc('\n', json->stream);
    bool flushed = fflush(json->stream) == 0;
    return flushed && !ferror(json->stream);
}
