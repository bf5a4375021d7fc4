// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// pack.c - arrays of numbers -> text.

#include "show/pack.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

// ---- text

static bool make_room(show_text *text, size_t more) {
    if (text->failed) return false;
    if (text->room - text->size > more) return true;
    size_t room = 2 * text->room + more + 4096;
    char *bytes = realloc(text->bytes, room);
    if (!bytes) {
        text->failed = true;
        return false;
    }
    text->bytes = bytes;
    text->room = room;
    return true;
}

void show_text_add(show_text *text, const char *bytes, size_t size) {
    if (!make_room(text, size)) return;
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = '\0';
}

void show_text_print(show_text *text, const char *format, ...) {
    char line[400];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(line, sizeof line, format, values);
    va_end(values);
    show_text_add(text, line,
                  length < 0                     ? 0
                  : (size_t)length < sizeof line ? (size_t)length
                                                 : sizeof line - 1);
}

// how many bytes the character at p has, 0 if it is no UTF-8
static size_t length_of_character(const unsigned char *p) {
    size_t more = p[0] < 0x80                   ? 0
                  : p[0] >= 0xC2 && p[0] < 0xE0 ? 1
                  : (p[0] & 0xF0) == 0xE0       ? 2
                  : p[0] >= 0xF0 && p[0] < 0xF5 ? 3
                                                : 9;
    for (size_t k = 1; k <= more; k++)
        if (more == 9 || (p[k] & 0xC0) != 0x80) return 0;
    return more + 1;
}

void show_text_quote(show_text *text, const char *string) {
    show_text_add(text, "\"", 1);
    for (const unsigned char *p = (const unsigned char *)string; *p;) {
        size_t length = length_of_character(p);
        // "<" would end a script or begin a comment, and lines are separated by more than \n there
        bool plain = length == 1 && *p >= 0x20 && *p < 0x7F && *p != '"' && *p != '\\' &&
                     *p != '<' && *p != '>' && *p != '&';
        bool separator = length == 3 && p[0] == 0xE2 && p[1] == 0x80 && (p[2] & 0xFE) == 0xA8;
        if (plain || (length > 1 && !separator))
            show_text_add(text, (const char *)p, length);
        else if (separator)
            show_text_print(text, "\\u20%02x", 0x28 + (p[2] & 1));
        else if (length == 0)
            show_text_add(text, "\\ufffd", 6);
        else
            show_text_print(text, "\\u%04x", *p);
        p += length ? length : 1;
    }
    show_text_add(text, "\"", 1);
}

void show_text_free(show_text *text) {
    free(text->bytes);
    *text = (show_text){ 0 };
}

// ---- arrays

// byte k of every number, then byte k + 1 of every number
static void add_planes(show_pack *pack, const char *name, const char *type, const void *x,
                       size_t size, size_t count) {
    const unsigned char *from = x;
    if (pack->arrays == SHOW_PACK_ARRAYS) pack->bytes.failed = true;
    if (!make_room(&pack->bytes, size * count)) return;
    snprintf(pack->array[pack->arrays].name, sizeof pack->array->name, "%s", name);
    pack->array[pack->arrays].type = type;
    pack->array[pack->arrays].offset = pack->bytes.size;
    pack->array[pack->arrays++].count = count;
    char *to = pack->bytes.bytes + pack->bytes.size;
    for (size_t k = 0; k < size; k++)
        for (size_t i = 0; i < count; i++) *to++ = (char)from[i * size + k];
    pack->bytes.size += size * count;
}

void show_pack_u8(show_pack *pack, const char *name, const uint8_t *x, size_t count) {
    add_planes(pack, name, "u8", x, sizeof *x, count);
}
void show_pack_u16(show_pack *pack, const char *name, const uint16_t *x, size_t count) {
    add_planes(pack, name, "u16", x, sizeof *x, count);
}
void show_pack_i32(show_pack *pack, const char *name, const int32_t *x, size_t count) {
    add_planes(pack, name, "i32", x, sizeof *x, count);
}
void show_pack_f32(show_pack *pack, const char *name, const float *x, size_t count) {
    add_planes(pack, name, "f32", x, sizeof *x, count);
}
void show_pack_f64(show_pack *pack, const char *name, const double *x, size_t count) {
    add_planes(pack, name, "f64", x, sizeof *x, count);
}

static void encode(const unsigned char *bytes, size_t size, show_text *to) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (!make_room(to, 4 * (size / 3 + 1))) return;
    char *out = to->bytes + to->size;
    for (size_t i = 0; i < size; i += 3) {
        unsigned left = (unsigned)(size - i);
        unsigned word = (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                        (left > 2 ? bytes[i + 2] : 0u);
        *out++ = digits[word >> 18];
        *out++ = digits[word >> 12 & 63];
        *out++ = left > 1 ? digits[word >> 6 & 63] : '=';
        *out++ = left > 2 ? digits[word & 63] : '=';
    }
    to->size = (size_t)(out - to->bytes);
}

scree_status show_pack_write(show_pack *pack, show_text *contents, show_text *data,
                             scree_error *err) {
    if (pack->bytes.failed) return scree_fail_memory(err, "a page");
    show_text_add(contents, "[", 1);
    for (int i = 0; i < pack->arrays; i++)
        show_text_print(contents, "%s[\"%s\",\"%s\",%zu,%zu]", i ? "," : "", pack->array[i].name,
                        pack->array[i].type, pack->array[i].offset, pack->array[i].count);
    show_text_add(contents, "]", 1);
    uLongf size = compressBound((uLong)pack->bytes.size);
    unsigned char *packed = malloc(size);
    bool fine = packed && compress2(packed, &size, (const Bytef *)pack->bytes.bytes,
                                    (uLong)pack->bytes.size, 6) == Z_OK;
    if (fine) encode(packed, size, data);
    free(packed);
    return fine && !contents->failed && !data->failed ? SCREE_OK : scree_fail_memory(err, "a page");
}

void show_pack_free(show_pack *pack) {
    show_text_free(&pack->bytes);
    *pack = (show_pack){ 0 };
}
