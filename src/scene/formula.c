// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// formula.c - which coordinates of bodies a formula names, as in "p*(lid.y - floor.y)".
// in: text.   out: names of its variables.

#include <string.h>

#include "scene/scene.h"

static bool is_letter(char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80);
}

static bool in_name(char c) { return is_letter(c) || c == '-' || (c >= '0' && c <= '9'); }

// The next body.coordinate from *at on: where it begins, and its length; 0: there is none. The name
// of a body reaches back as far as letters, digits, _ and - do, to a letter: spaces tell a
// difference from a name.
static int find_next(const char *text, const char **at) {
    for (const char *dot = strchr(*at, '.'); dot; dot = strchr(dot + 1, '.')) {
        const char *begin = dot, *end = dot + 1;
        while (begin > text && in_name(begin[-1])) begin--;
        while (begin < dot && !is_letter(*begin)) begin++;
        while (is_letter(*end)) end++;
        if (begin == dot || end == dot + 1) continue;
        *at = begin;
        return (int)(end - begin);
    }
    return 0;
}

int scree_formula_variables(const char *text, int space, scree_arena *arena,
                            const char *variable[SCREE_FORMULA_VARIABLES]) {
    static const char *const plane[] = { "x", "y", "angle" }, *const room[] = { "x", "y", "z" };
    const char *at = text;
    int count = SCREE_FORMULA_OWN;
    memcpy(variable, space == 2 ? plane : room, sizeof plane);
    for (int length; (length = find_next(text, &at)) > 0; at += length) {
        const char *name = scree_arena_text(arena, at, (size_t)length);
        if (!name) return 0;
        if (scree_names_have(variable, count, name)) continue;
        if (count == SCREE_FORMULA_VARIABLES) return count + 1;
        variable[count++] = name;
    }
    return count;
}
