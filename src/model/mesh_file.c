// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mesh_file.c - triangles from OBJ and STL files.
// in: a file.   out: vertices that differ, triangles.   work: the file, all vertices as they come.

#include "model/mesh_file.h"

#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file_text.h"

enum {
    BYTES_MOST = 1 << 30,      // of a file
    CORNERS_MOST = 300000000,  // of triangles or of vertices in it
    HEADER = 80,               // bytes of a binary STL file before the number of triangles
    RECORD = 50,               // and for each triangle
};

typedef struct reader {
    const char *path;
    char *text;  // with a closing zero
    size_t size;
    const char *at, *line_start;
    int line;
    locale_t plain;  // where the decimal point is a point
    double scale;
    int vertices, triangles;  // found so far
    double *vertex;           // (vertices x 3)
    int *triangle;            // (triangles x 3)
    scree_arena scratch;
    scree_error *err;
} reader;

static scree_place here(const reader *r) {
    return (scree_place){ r->path, r->line, r->line ? (int)(r->at - r->line_start) + 1 : 0 };
}

#define FAIL(r, ...) scree_fail((r)->err, SCREE_BAD_INPUT, here(r), __VA_ARGS__)

static scree_status no_memory(reader *r) {
    return scree_fail(r->err, SCREE_NO_MEMORY, (scree_place){ r->path, 0, 0 },
                      "out of memory for a mesh");
}

// ---- words of a line

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

static const char *end_of(const reader *r) { return r->text + r->size; }

static void skip_blanks(reader *r) {
    while (is_blank(*r->at)) r->at++;
}

static void skip_word(reader *r) {
    while (r->at < end_of(r) && !is_blank(*r->at) && *r->at != '\n') r->at++;
}

static bool at_line_end(reader *r) {
    skip_blanks(r);
    return r->at == end_of(r) || *r->at == '\n' || *r->at == '#';
}

static void next_line(reader *r) {
    while (r->at < end_of(r) && *r->at != '\n') r->at++;
    if (r->at < end_of(r)) r->at++;
    r->line_start = r->at;
    r->line++;
}

static void rewind_text(reader *r) {
    r->at = r->line_start = r->text;
    r->line = 1;
}

// a whole word, in any case
static bool take_word(reader *r, const char *word) {
    size_t length = strlen(word);
    skip_blanks(r);
    if (strncasecmp(r->at, word, length) != 0) return false;
    const char *behind = r->at + length;
    if (behind != end_of(r) && !is_blank(*behind) && *behind != '\n') return false;
    r->at = behind;
    return true;
}

typedef struct shown {
    char text[32];
} shown;

static shown found(reader *r) {
    shown word = { "the end of the line" };
    if (r->at == end_of(r)) return (shown){ "the end of the file" };
    if (at_line_end(r)) return word;
    size_t k = 0;
    word.text[k++] = '"';
    for (const char *c = r->at; k < sizeof word.text - 2 && c < end_of(r); c++) {
        if (is_blank(*c) || *c == '\n') break;
        word.text[k++] = *c > ' ' && *c <= '~' ? *c : '?';
    }
    word.text[k++] = '"';
    word.text[k] = 0;
    return word;
}

static scree_status take_coordinate(reader *r, double *x) {
    char *behind = NULL;
    if (!at_line_end(r)) *x = strtod_l(r->at, &behind, r->plain);
    bool whole =
        behind && behind != r->at && (behind == end_of(r) || is_blank(*behind) || *behind == '\n');
    if (!whole) return FAIL(r, "expected a coordinate, found %s", found(r).text);
    *x *= r->scale;
    if (!isfinite(*x)) return FAIL(r, "a coordinate must be finite, got %s", found(r).text);
    r->at = behind;
    return SCREE_OK;
}

static scree_status take_vertex(reader *r) {
    double *v = r->vertex + 3 * (size_t)r->vertices;
    for (int c = 0; c < 3; c++) {
        scree_status status = take_coordinate(r, &v[c]);
        if (status) return status;
        v[c] += 0;  // -0 is 0
    }
    r->vertices++;
    return SCREE_OK;
}

static scree_status make_room(reader *r, size_t vertices, size_t triangles) {
    if (vertices > CORNERS_MOST || triangles > CORNERS_MOST)
        return scree_fail(r->err, SCREE_BAD_INPUT, (scree_place){ r->path, 0, 0 },
                          "%zu vertices and %zu triangles are too many: at most %d", vertices,
                          triangles, (int)CORNERS_MOST);
    r->vertex = SCREE_NEW(&r->scratch, double, 3 * vertices);
    r->triangle = SCREE_NEW(&r->scratch, int, 3 * triangles);
    return r->vertex && r->triangle ? SCREE_OK : no_memory(r);
}

// ---- OBJ: lines "v x y z ..." and "f a b c ...", where a is 1, 1/2, 1//3 or 1/2/3

static size_t count_words(reader *r) {
    size_t count = 0;
    while (!at_line_end(r)) {
        skip_word(r);
        count++;
    }
    return count;
}

static void count_obj(reader *r, size_t *vertices, size_t *triangles) {
    *vertices = *triangles = 0;
    for (rewind_text(r); r->at < end_of(r); next_line(r))
        if (take_word(r, "v")) {
            ++*vertices;
        } else if (take_word(r, "f")) {
            size_t corners = count_words(r);
            *triangles += corners > 2 ? corners - 2 : 0;
        }
}

// positive: from the first vertex of the file, negative: back from this line
static scree_status take_corner(reader *r, int all, int *corner) {
    char *behind;
    errno = 0;
    long number = strtol(r->at, &behind, 10);
    bool whole = behind != r->at && errno == 0 &&
                 (behind == end_of(r) || is_blank(*behind) || *behind == '\n' || *behind == '/');
    if (!whole) return FAIL(r, "expected the number of a vertex, found %s", found(r).text);
    long from = number < 0 ? r->vertices + number : number - 1;
    if (number == 0 || from < 0 || from >= all)
        return FAIL(r, "there is no vertex %ld: the file has %d, and %d are above this line",
                    number, all, r->vertices);
    *corner = (int)from;
    skip_word(r);
    return SCREE_OK;
}

static scree_status take_face(reader *r, int all) {
    int first = 0, last = 0, corner = 0, count = 0;
    for (; !at_line_end(r) || count < 3; count++) {
        if (at_line_end(r)) return FAIL(r, "a face needs 3 vertices or more, got %d", count);
        scree_status status = take_corner(r, all, &corner);
        if (status) return status;
        if (count == 0) first = corner;
        if (count > 1) {
            int *t = r->triangle + 3 * (size_t)r->triangles++;
            t[0] = first;
            t[1] = last;
            t[2] = corner;
        }
        last = corner;
    }
    return SCREE_OK;
}

static scree_status read_obj(reader *r) {
    size_t vertices, triangles;
    count_obj(r, &vertices, &triangles);
    scree_status status = make_room(r, vertices, triangles);
    for (rewind_text(r); r->at < end_of(r) && !status; next_line(r)) {
        if (take_word(r, "v"))
            status = take_vertex(r);
        else if (take_word(r, "f"))
            status = take_face(r, (int)vertices);
        if (status) return status;
    }
    return status;
}

// ---- STL as text

static void skip_empty_lines(reader *r) {
    for (skip_blanks(r); r->at < end_of(r) && *r->at == '\n'; skip_blanks(r)) next_line(r);
}

static scree_status expect(reader *r, const char *word) {
    skip_empty_lines(r);
    if (take_word(r, word)) return SCREE_OK;
    return FAIL(r, "expected \"%s\", found %s", word, found(r).text);
}

// the normal behind "facet" is not looked at: the order of the vertices tells it
static scree_status take_facet(reader *r) {
    next_line(r);
    scree_status status = expect(r, "outer");
    if (!status) status = expect(r, "loop");
    for (int k = 0; k < 3 && !status; k++) {
        status = expect(r, "vertex");
        if (!status) status = take_vertex(r);
    }
    if (!status) status = expect(r, "endloop");
    return status ? status : expect(r, "endfacet");
}

static scree_status take_solid(reader *r) {
    scree_status status = expect(r, "solid");
    if (status) return status;
    next_line(r);
    for (;;) {
        skip_empty_lines(r);
        if (take_word(r, "endsolid")) break;
        if (!take_word(r, "facet"))
            return FAIL(r, "expected \"facet\" or \"endsolid\", found %s", found(r).text);
        status = take_facet(r);
        if (status) return status;
    }
    next_line(r);
    return SCREE_OK;
}

static void name_triangles(reader *r) {
    r->triangles = r->vertices / 3;
    for (int k = 0; k < 3 * r->triangles; k++) r->triangle[k] = k;
}

static scree_status read_stl_text(reader *r) {
    size_t vertices = 0;
    for (rewind_text(r); r->at < end_of(r); skip_word(r)) {
        skip_empty_lines(r);
        vertices += take_word(r, "vertex");
    }
    scree_status status = make_room(r, vertices, vertices / 3 + 1);
    rewind_text(r);
    while (!status) {
        skip_empty_lines(r);
        if (r->at == end_of(r)) break;
        status = take_solid(r);
    }
    if (!status) name_triangles(r);
    return status;
}

// ---- STL as bytes: header, number of triangles, then normal, three vertices and two bytes each

static uint32_t take_u32(const char *at) {
    const unsigned char *b = (const unsigned char *)at;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double take_float(const char *at) {
    uint32_t bits = take_u32(at);
    float x;
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}

static scree_status read_stl_bytes(reader *r, size_t triangles) {
    scree_status status = make_room(r, 3 * triangles, triangles);
    for (size_t t = 0; t < triangles && !status; t++)
        for (int k = 0; k < 9; k++) {
            const char *at = r->text + HEADER + 4 + RECORD * t + 12 + 4 * (size_t)k;
            double x = take_float(at) * r->scale;
            if (!isfinite(x))
                return FAIL(r, "triangle %zu: a coordinate must be finite, got %g", t + 1, x);
            r->vertex[9 * t + (size_t)k] = x + 0;  // -0 is 0
        }
    r->vertices = status ? 0 : (int)(3 * triangles);
    if (!status) name_triangles(r);
    return status;
}

// text files begin with "solid", and so do some binary ones: their length tells
static scree_status read_stl(reader *r) {
    bool text = r->size >= 5 && strncasecmp(r->text, "solid", 5) == 0;
    size_t header = HEADER + 4, triangles = 0;
    if (r->size >= header) {
        triangles = take_u32(r->text + HEADER);
        if (r->size == header + RECORD * triangles) return read_stl_bytes(r, triangles);
    }
    if (text) return read_stl_text(r);
    if (r->size < header)
        return FAIL(r,
                    "an STL file of %zu bytes: text begins with \"solid\", a binary file has %zu "
                    "bytes or more",
                    r->size, header);
    return FAIL(r, "a binary STL file of %zu triangles has %zu bytes, this one has %zu", triangles,
                header + RECORD * triangles, r->size);
}

// ---- vertices in the same place are one

typedef struct placed {
    double at[3];
    int number;
} placed;

static int by_place(const void *a, const void *b) {
    const placed *p = a, *q = b;
    for (int c = 0; c < 3; c++)
        if (p->at[c] != q->at[c]) return p->at[c] < q->at[c] ? -1 : 1;
    return p->number < q->number ? -1 : p->number > q->number;
}

static bool same_place(const placed *p, const placed *q) {
    return p->at[0] == q->at[0] && p->at[1] == q->at[1] && p->at[2] == q->at[2];
}

// name[i]: the first vertex in the place of i, if a triangle needs it, otherwise -1
static bool find_names(reader *r, int *name) {
    placed *sorted = SCREE_NEW(&r->scratch, placed, r->vertices);
    int used = 0;
    if (!sorted) return false;
    for (int i = 0; i < r->vertices; i++) name[i] = -1;
    for (int k = 0; k < 3 * r->triangles; k++) name[r->triangle[k]] = 0;
    for (int i = 0; i < r->vertices; i++)
        if (name[i] == 0) {
            const double *v = r->vertex + 3 * (size_t)i;
            sorted[used++] = (placed){ { v[0], v[1], v[2] }, i };
        }
    qsort(sorted, (size_t)used, sizeof *sorted, by_place);
    for (int i = 0, first = 0; i < used; i++) {
        if (!same_place(&sorted[i], &sorted[first])) first = i;
        name[sorted[i].number] = sorted[first].number;
    }
    return true;
}

static scree_status hand_over(reader *r, scree_arena *arena, int *vertices, double **vertex,
                              int *triangles, int **triangle) {
    int *name = SCREE_NEW(&r->scratch, int, r->vertices), count = 0;
    if (!name || !find_names(r, name)) return no_memory(r);
    for (int i = 0; i < r->vertices; i++) count += name[i] == i;
    *vertex = SCREE_NEW(arena, double, 3 * (size_t)count);
    *triangle = SCREE_NEW(arena, int, 3 * (size_t)r->triangles);
    if (!*vertex || !*triangle) return no_memory(r);
    // a first one comes before all that are named after it, so its new number is known by then
    *vertices = 0;
    for (int i = 0; i < r->vertices; i++) {
        if (name[i] == i) {
            memcpy(*vertex + 3 * (size_t)*vertices, r->vertex + 3 * (size_t)i, 3 * sizeof **vertex);
            name[i] = (*vertices)++;
        } else if (name[i] >= 0) {
            name[i] = name[name[i]];
        }
    }
    for (int k = 0; k < 3 * r->triangles; k++) (*triangle)[k] = name[r->triangle[k]];
    *triangles = r->triangles;
    return SCREE_OK;
}

// ---- files

static scree_status read_text(reader *r) {
    scree_status status = scree_file_text(r->path, BYTES_MOST, &r->text, &r->size, r->err);
    if (!status && r->size == 0) status = FAIL(r, "the file is empty");
    return status;
}

static bool ends_in(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

static scree_status read_any(reader *r) {
    bool obj = ends_in(r->path, ".obj");
    if (!obj && !ends_in(r->path, ".stl"))
        return FAIL(r, "the name of a mesh file must end in .obj or .stl");
    if (!(r->scale > 0 && isfinite(r->scale)))
        return FAIL(r, "scale must be positive, got %g", r->scale);
    r->plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (!r->plain) return no_memory(r);
    scree_status status = read_text(r);
    if (!status) status = obj ? read_obj(r) : read_stl(r);
    freelocale(r->plain);
    r->line = 0;
    if (!status && r->triangles == 0) status = FAIL(r, "there are no triangles in the file");
    return status;
}

scree_status scree_mesh_read(const char *path, scree_arena *arena, double scale, int *vertices,
                             double **vertex, int *triangles, int **triangle, scree_error *err) {
    reader r = { .path = path, .scale = scale, .err = err };
    *vertices = *triangles = 0;
    *vertex = NULL;
    *triangle = NULL;
    scree_status status = read_any(&r);
    if (!status) status = hand_over(&r, arena, vertices, vertex, triangles, triangle);
    free(r.text);
    scree_arena_free(&r.scratch);
    return status;
}
