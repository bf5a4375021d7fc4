// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// lettering.c - lines of text with subscripts and superscripts.
// in: UTF-8 with markup.   out: glyphs.   Bytes that are no UTF-8 become "?", controls a space:
// cairo would refuse the whole figure for one bad byte in a label.

#include "show/lettering.h"

#include <string.h>

static const char *const family = "DejaVu Sans";  // has Greek; fontconfig finds a stand-in

enum { RUN = 120 };

typedef struct run {  // text of one height, waiting to be shown
    cairo_t *cr;
    scree_lettering style;
    bool visible;
    int level;  // -1 subscript, 0, 1 superscript
    double x, y;
    int length;
    char bytes[RUN + 8];
} run;

static void flush(run *r) {
    if (!r->length) return;
    r->bytes[r->length] = 0;
    r->length = 0;
    double size = r->style.size;
    double rise = r->level > 0 ? 0.38 * size : r->level < 0 ? -0.22 * size : 0;
    cairo_set_font_size(r->cr, r->level ? 0.72 * size : size);
    cairo_text_extents_t extents;
    cairo_text_extents(r->cr, r->bytes, &extents);
    if (r->visible) {
        cairo_move_to(r->cr, r->x, r->y - rise);
        cairo_show_text(r->cr, r->bytes);
    }
    r->x += extents.x_advance;
}

// Length of the UTF-8 sequence at s, 0 if it is not one.
static int sequence_length(const unsigned char *s) {
    if (s[0] < 0x80) return 1;
    int length = s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : 2;
    if (s[0] < 0xc2 || s[0] > 0xf4) return 0;
    for (int i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80) return 0;
    if (s[0] == 0xe0 && s[1] < 0xa0) return 0;                   // overlong
    if (s[0] == 0xed && s[1] > 0x9f) return 0;                   // surrogate
    if (s[0] == 0xef && s[1] == 0xbf && s[2] >= 0xbe) return 0;  // not a character
    if (s[0] == 0xf0 && s[1] < 0x90) return 0;                   // overlong
    return s[0] == 0xf4 && s[1] > 0x8f ? 0 : length;             // beyond Unicode
}

// Append the character at s at this level; returns the first byte after it.
static const char *put(run *r, const char *s, int level) {
    if (level != r->level || r->length >= RUN) flush(r);
    r->level = level;
    int length = sequence_length((const unsigned char *)s);
    unsigned char c = (unsigned char)*s;
    if (length == 0) {
        r->bytes[r->length++] = '?';
    } else if (c < 0x20 || c == 0x7f) {
        r->bytes[r->length++] = ' ';
    } else if (c == '-' && level > 0) {  // m s^{-1}: a minus, not a hyphen
        memcpy(r->bytes + r->length, "−", 3);
        r->length += 3;
    } else {
        memcpy(r->bytes + r->length, s, (size_t)length);
        r->length += length;
    }
    return s + (length ? length : 1);
}

static const char *put_escaped(run *r, const char *s, int level) {
    if (*s == '\\' && s[1]) s++;
    return put(r, s, level);
}

static double walk(cairo_t *cr, scree_lettering style, const char *s, double x, double y,
                   bool visible) {
    run r = { .cr = cr, .style = style, .visible = visible, .x = x, .y = y };
    cairo_select_font_face(cr, family, CAIRO_FONT_SLANT_NORMAL,
                           style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    while (s && *s) {
        if (style.verbatim || (*s != '_' && *s != '^') || !s[1]) {
            s = style.verbatim ? put(&r, s, 0) : put_escaped(&r, s, 0);
            continue;
        }
        int level = *s++ == '^' ? 1 : -1;
        if (*s != '{') {
            s = put_escaped(&r, s, level);
            continue;
        }
        for (s++; *s && *s != '}';) s = put_escaped(&r, s, level);
        if (*s) s++;
    }
    flush(&r);
    return r.x - x;
}

double scree_lettering_width(cairo_t *cr, scree_lettering style, const char *text) {
    return walk(cr, style, text, 0, 0, false);
}

void scree_lettering_draw(cairo_t *cr, scree_lettering style, const char *text, double x,
                          double y) {
    if (style.align > 0) x -= style.align * scree_lettering_width(cr, style, text);
    walk(cr, style, text, x, y, true);
}

scree_lettering scree_lettering_fit(cairo_t *cr, scree_lettering style, const char *text,
                                    double room) {
    double width = scree_lettering_width(cr, style, text);
    if (width > room && room > 0) style.size *= room / width;
    return style;
}
