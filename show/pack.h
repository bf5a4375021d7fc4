// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// pack.h - arrays of numbers as one compressed block of text with a table of contents.
//
// Bytes of the same place of all numbers stand together (byte planes), which deflate likes.

#ifndef SCREE_SHOW_PACK_H
#define SCREE_SHOW_PACK_H

#include <stdint.h>

#include "scree/base.h"

enum { SHOW_PACK_ARRAYS = 64 };

typedef struct show_text {  // grows; begin zeroed, free when done
    char *bytes;
    size_t size, room;
    bool failed;  // memory ran out
} show_text;

void show_text_add(show_text *text, const char *bytes, size_t size);
void SCREE_PRINTF(2, 3) show_text_print(show_text *text, const char *format, ...);
/// A JSON string with its quotes, safe inside of <script>.
void show_text_quote(show_text *text, const char *string);
void show_text_free(show_text *text);

typedef struct show_pack {  // begin zeroed, free when done
    show_text bytes;
    struct {
        char name[24];
        const char *type;  // of the page's typed arrays: u8, u16, i32, f32, f64
        size_t offset, count;
    } array[SHOW_PACK_ARRAYS];
    int arrays;
} show_pack;

void show_pack_u8(show_pack *pack, const char *name, const uint8_t *x, size_t count);
void show_pack_u16(show_pack *pack, const char *name, const uint16_t *x, size_t count);
void show_pack_i32(show_pack *pack, const char *name, const int32_t *x, size_t count);
void show_pack_f32(show_pack *pack, const char *name, const float *x, size_t count);
void show_pack_f64(show_pack *pack, const char *name, const double *x, size_t count);

/// The table of contents as a JSON array, and the bytes, deflated, in base 64.
scree_status show_pack_write(show_pack *pack, show_text *contents, show_text *data,
                             scree_error *err);
void show_pack_free(show_pack *pack);

#endif
