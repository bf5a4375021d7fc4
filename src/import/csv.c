// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// csv.c - bodies from a table: a row for each, columns by their names.
// in: CSV with commas, semicolons or tabs.   out: a draft.
//
// With a column z the bodies are in space. Columns: name (or body), shape, x y z, angle or qw qx qy
// qz, radius, length, width height depth, vertices ("x y; x y; ..."), mass, inertia or ixx iyy izz,
// density, vx vy vz, omega or omegax omegay omegaz, group, fixed, born, removed.

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_text.h"
#include "base/suggestion.h"
#include "import/draft.h"
#include "import/formats.h"

enum { COLUMNS_MOST = 64, CELL_MOST = 1 << 16 };

typedef enum column {
    NAME,
    BODY,
    SHAPE,
    GROUP,
    FIXED,
    VERTICES,  // words
    X,
    Y,
    Z,
    ANGLE,
    QW,
    QX,
    QY,
    QZ,
    RADIUS,
    LENGTH,
    WIDTH,
    HEIGHT,
    DEPTH,
    MASS,
    INERTIA,
    IXX,
    IYY,
    IZZ,
    DENSITY,
    VX,
    VY,
    VZ,
    OMEGA,
    OMEGAX,
    OMEGAY,
    OMEGAZ,
    BORN,
    REMOVED,
    COLUMNS
} column;

static const char *const names[COLUMNS] = {
    "name",  "body",  "shape",   "group",  "fixed",  "vertices", "x",       "y",     "z",
    "angle", "qw",    "qx",      "qy",     "qz",     "radius",   "length",  "width", "height",
    "depth", "mass",  "inertia", "ixx",    "iyy",    "izz",      "density", "vx",    "vy",
    "vz",    "omega", "omegax",  "omegay", "omegaz", "born",     "removed",
};

typedef struct table {
    scree_draft *draft;
    char *text, *at;
    char separator;
    int line;
    int which[COLUMNS_MOST];  // column of each place, -1: unknown
    int places;
    bool there[COLUMNS];
    locale_t plain;
    // of the row at work
    char *cell[COLUMNS];
    double number[COLUMNS];  // NaN: not given
} table;

#define FAIL_AT(t, ...)                          \
    scree_fail((t)->draft->err, SCREE_BAD_INPUT, \
               (scree_source_location){ (t)->draft->path, (t)->line, 1 }, __VA_ARGS__)

// the next cell of the line, cut out of the text; *last: the line ends with it
static char *next_cell(table *t, bool *last) {
    char *from = t->at, *to = t->at;
    while (*t->at == ' ') t->at++;
    bool quoted = *t->at == '"';
    from = to = t->at += quoted;
    for (; *t->at; t->at++) {
        if (quoted && *t->at == '"') {
            if (t->at[1] != '"') break;
            t->at++;
        } else if (!quoted && (*t->at == t->separator || *t->at == '\n')) {
            break;
        }
        t->line += quoted && *t->at == '\n';
        *to++ = *t->at;
    }
    if (quoted && *t->at) t->at++;
    while (*t->at && *t->at != t->separator && *t->at != '\n') t->at++;
    *last = *t->at != t->separator;
    if (*t->at) t->at++;
    while (!quoted && to > from && (to[-1] == ' ' || to[-1] == '\r')) to--;
    *to = '\0';
    return from;
}

static scree_status read_head(table *t) {
    size_t first = strcspn(t->at, "\n");
    t->separator = memchr(t->at, ';', first) ? ';' : memchr(t->at, '\t', first) ? '\t' : ',';
    for (bool last = false; !last;) {
        char *name = next_cell(t, &last);
        name[strcspn(name, " [(")] = '\0';  // "x [m]"
        int found = -1;
        for (int k = 0; k < COLUMNS; k++)
            if (strcmp(names[k], name) == 0) found = k;
        const char *near = scree_suggestion(name, names, COLUMNS);
        if (found < 0 && *name)
            scree_draft_note(t->draft, "column \"%.60s\" is not carried over%s%s%s", name,
                             near ? "; was \"" : "", near ? near : "", near ? "\" meant?" : "");
        if (t->places == COLUMNS_MOST) return FAIL_AT(t, "more than %d columns", COLUMNS_MOST);
        if (found >= 0 && t->there[found]) return FAIL_AT(t, "column \"%s\" twice", name);
        if (found >= 0) t->there[found] = true;
        t->which[t->places++] = found;
    }
    if (!t->there[X] || !t->there[Y])
        return FAIL_AT(t, "expected a first line of names with the columns x and y");
    t->line++;
    return SCREE_OK;
}

static scree_status read_row(table *t) {
    memset(t->cell, 0, sizeof t->cell);
    int line = t->line;
    bool last = false;
    for (int i = 0; !last; i++) {
        char *cell = next_cell(t, &last);
        if (i >= t->places) {
            if (*cell) return FAIL_AT(t, "more cells than the first line has names");
        } else if (t->which[i] >= 0 && *cell) {
            t->cell[t->which[i]] = cell;
        }
    }
    for (int k = X; k < COLUMNS; k++) {
        char *end = NULL;
        t->number[k] = t->cell[k] ? strtod_l(t->cell[k], &end, t->plain) : (double)NAN;
        if (t->cell[k] && (*end || !isfinite(t->number[k])))
            return FAIL_AT(t, "%s: expected a number, found \"%.40s\"", names[k], t->cell[k]);
    }
    t->line = line;
    return SCREE_OK;
}

static double given(const table *t, column k, double otherwise) {
    return isnan(t->number[k]) ? otherwise : t->number[k];
}

// "x y; x y; ..."
static scree_status read_vertices(table *t, scree_draft_shape *shape) {
    const char *text = t->cell[VERTICES] ? t->cell[VERTICES] : "";
    int space = t->draft->space;
    size_t most = strlen(text) / 2 + 2, count = 0;
    double *value = SCREE_NEW(&t->draft->arena, double, most);
    if (!value) return scree_draft_no_memory(t->draft);
    for (char *end; *text; text = end) {
        text += strspn(text, " ;,");
        if (!*text) break;
        double x = strtod_l(text, &end, t->plain);
        if (end == text || !isfinite(x) || count == most)
            return FAIL_AT(t, "vertices: expected numbers, found \"%.20s\"", text);
        value[count++] = x;
    }
    if (count == 0 || count % (size_t)space)
        return FAIL_AT(t, "vertices: expected rows of %d numbers, found %zu numbers", space, count);
    shape->vertices = (int)count / space;
    shape->vertex = value;
    return SCREE_OK;
}

static scree_status read_shape(table *t, scree_draft_shape *shape) {
    static const char *const kinds[] = { "disc",     "sphere",  "box",        "capsule",
                                         "cylinder", "polygon", "polyhedron", "point" };
    int space = t->draft->space;
    const char *kind = t->cell[SHAPE];
    if (!kind)
        kind = t->cell[VERTICES]          ? (space == 2 ? "polygon" : "polyhedron")
               : !isnan(t->number[WIDTH]) ? "box"
               : space == 2               ? "disc"
                                          : "sphere";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i], kind) == 0) shape->type = kinds[i];
    if (!shape->type) return FAIL_AT(t, "shape: there is no \"%.40s\" in tables", kind);
    shape->radius = given(t, RADIUS, 0);
    shape->length = given(t, LENGTH, 0);
    bool box = strcmp(kind, "box") == 0;
    const column side[3] = { WIDTH, HEIGHT, DEPTH };
    for (int k = 0; k < space && box; k++) {
        shape->size[k] = given(t, side[k], 0);
        if (!(shape->size[k] > 0)) return FAIL_AT(t, "a box needs %s", names[side[k]]);
    }
    bool corners = strcmp(kind, "polygon") == 0 || strcmp(kind, "polyhedron") == 0;
    if (!box && !corners && strcmp(kind, "point") != 0 && !(shape->radius > 0))
        return FAIL_AT(t, "a %s needs a radius", kind);
    return corners ? read_vertices(t, shape) : SCREE_OK;
}

static void read_motion(const table *t, scree_draft_body *body) {
    const column place[3] = { X, Y, Z }, speed[3] = { VX, VY, VZ };
    const column spin[3] = { OMEGAX, OMEGAY, OMEGAZ }, turn[4] = { QW, QX, QY, QZ };
    int space = t->draft->space;
    for (int k = 0; k < space; k++) {
        body->position[k] = given(t, place[k], 0);
        body->velocity[k] = given(t, speed[k], 0);
        if (space == 3) body->spin[k] = given(t, spin[k], 0);
    }
    if (space == 2) body->spin[0] = given(t, OMEGA, 0);
    if (space == 2) body->turn[0] = given(t, ANGLE, 0);
    for (int k = 0; k < 4 && space == 3; k++) body->turn[k] = given(t, turn[k], k == 0);
    body->born = given(t, BORN, 0);
    body->removed = given(t, REMOVED, 0);
}

static scree_status read_mass(table *t, scree_draft_body *body) {
    const column axis[3] = { IXX, IYY, IZZ };
    static const int place[3] = { 0, 3, 5 };
    body->density = given(t, DENSITY, scree_draft_choose(t->draft->options->density, NAN, 1000));
    body->mass = given(t, MASS, 0);
    if (!(body->mass > 0)) {
        if (isnan(t->number[DENSITY]) && isnan(t->draft->options->density) && !body->fixed)
            scree_draft_note(t->draft,
                             "densities that the table does not give are 1000 (--density)");
        return SCREE_OK;
    }
    for (int k = 0; k < 3; k++) body->inertia[place[k]] = given(t, axis[k], given(t, INERTIA, 0));
    if (t->draft->space == 2) body->inertia[0] = given(t, INERTIA, given(t, IZZ, 0));
    return body->inertia[0] > 0 || body->fixed
               ? SCREE_OK
               : FAIL_AT(t, "a body with a mass needs its inertia; or give density instead");
}

static scree_status add_row(table *t) {
    scree_draft_shape shape = { 0 };
    scree_draft_body body = { .shapes = 1, .shape = &shape, .group = t->cell[GROUP] };
    char number[32];
    snprintf(number, sizeof number, "body-%d", t->draft->bodies + 1);
    const char *fixed = t->cell[FIXED], *name = t->cell[NAME] ? t->cell[NAME] : t->cell[BODY];
    if (!name) name = number;
    body.fixed = fixed && (strcmp(fixed, "true") == 0 || strcmp(fixed, "1") == 0 ||
                           strcmp(fixed, "yes") == 0);
    scree_status status = read_shape(t, &shape);
    if (!status) status = read_mass(t, &body);
    if (status) return status;
    read_motion(t, &body);
    body.name = scree_draft_name(t->draft, name);
    if (!body.name) return scree_draft_no_memory(t->draft);
    scree_draft_add_body(t->draft, &body);
    return SCREE_OK;
}

static scree_status read_table(table *t) {
    scree_status status = read_head(t);
    t->draft->space = t->there[Z] ? 3 : 2;
    scree_draft_choose_rest(t->draft, "any", NAN, NAN);
    for (; !status && *t->at; t->line++) {
        bool empty = *t->at == '\n' || *t->at == '#' || *t->at == '\r';
        if (empty) {
            t->at += strcspn(t->at, "\n");
            t->at += *t->at == '\n';
            continue;
        }
        status = read_row(t);
        if (!status) status = add_row(t);
    }
    return status;
}

scree_status scree_csv_import(scree_draft *draft) {
    table t = { .draft = draft, .line = 1 };
    size_t size = 0;
    draft->program = "tables";
    scree_status status =
        scree_file_text(draft->path, SCREE_FILE_BYTES_MOST, &t.text, &size, draft->err);
    t.plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!status && !t.plain) status = scree_draft_no_memory(draft);
    if (!status && strlen(t.text) != size) status = FAIL_AT(&t, "this is no text");
    if (!status) {
        t.at = t.text;
        if (strncmp(t.at, "\xEF\xBB\xBF", 3) == 0) t.at += 3;
        while (*t.at == '#') {
            t.at += strcspn(t.at, "\n");
            t.at += *t.at == '\n';
            t.line++;
        }
        status = read_table(&t);
    }
    if (t.plain) freelocale(t.plain);
    free(t.text);
    return status;
}
