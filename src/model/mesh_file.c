// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// mesh_file.c - triangles from OBJ and STL files.
// in: a file.   out: vertices that differ, triangles.   work: the file, all vertices as they come.

#include "model/mesh_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/mesh_text.h"

enum {
    CORNERS_MOST = 300000000,  // of triangles or of vertices in a file
    HEADER = 80,               // bytes of a binary STL file before the number of triangles
    RECORD = 50,               // and for each triangle
};

typedef struct reader {
    scree_mesh_text in;
    double scale;
    int vertices, triangles;  // found so far
    double *vertex;           // (vertices x 3)
    int *triangle;            // (triangles x 3)
    scree_arena scratch;
} reader;

// ---- words of a line

static void skip_word(reader *r) {
    while (!scree_mesh_text_ends_word(&r->in, r->in.at)) r->in.at++;
}

// a whole word, in any case
static bool take_word(reader *r, const char *word) {
    size_t length = strlen(word);
    if (scree_mesh_text_line_done(&r->in) || strncasecmp(r->in.at, word, length) != 0) return false;
    const char *behind = r->in.at + length;
    if (!scree_mesh_text_ends_word(&r->in, behind)) return false;
    r->in.at = behind;
    return true;
}

static scree_status take_coordinate(reader *r, double *x) {
    const char *first = r->in.at;
    scree_status status = scree_mesh_text_number(&r->in, "a coordinate", x);
    if (status) return status;
    *x *= r->scale;
    if (isfinite(*x)) return SCREE_OK;
    r->in.at = first;
    return SCREE_MESH_FAIL(&r->in, "a coordinate must be finite, got %s",
                           scree_mesh_text_found(&r->in).text);
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
        return scree_fail(r->in.err, SCREE_BAD_INPUT, (scree_source_location){ r->in.path, 0, 0 },
                          "%zu vertices and %zu triangles are too many: at most %d", vertices,
                          triangles, (int)CORNERS_MOST);
    r->vertex = SCREE_NEW(&r->scratch, double, 3 * vertices);
    r->triangle = SCREE_NEW(&r->scratch, int, 3 * triangles);
    return r->vertex && r->triangle ? SCREE_OK : scree_mesh_text_no_memory(&r->in);
}

// ---- OBJ: lines "v x y z ..." and "f a b c ...", where a is 1, 1/2, 1//3 or 1/2/3

static size_t count_words(reader *r) {
    size_t count = 0;
    while (!scree_mesh_text_line_done(&r->in)) {
        skip_word(r);
        count++;
    }
    return count;
}

static void count_obj(reader *r, size_t *vertices, size_t *triangles) {
    *vertices = *triangles = 0;
    for (scree_mesh_text_rewind(&r->in); r->in.at < scree_mesh_text_end(&r->in);
         scree_mesh_text_next_line(&r->in))
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
    long number = strtol(r->in.at, &behind, 10);
    bool whole = behind != r->in.at && errno == 0 &&
                 (scree_mesh_text_ends_word(&r->in, behind) || *behind == '/');
    if (!whole)
        return SCREE_MESH_FAIL(&r->in, "expected the number of a vertex, found %s",
                               scree_mesh_text_found(&r->in).text);
    long from = number < 0 ? r->vertices + number : number - 1;
    if (number == 0 || from < 0 || from >= all)
        return SCREE_MESH_FAIL(
            &r->in, "there is no vertex %ld: the file has %d, and %d are above this line", number,
            all, r->vertices);
    *corner = (int)from;
    skip_word(r);
    return SCREE_OK;
}

static scree_status take_face(reader *r, int all) {
    int first = 0, last = 0, corner = 0, count = 0;
    for (; !scree_mesh_text_line_done(&r->in) || count < 3; count++) {
        if (scree_mesh_text_line_done(&r->in))
            return SCREE_MESH_FAIL(&r->in, "a face needs 3 vertices or more, got %d", count);
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
    for (scree_mesh_text_rewind(&r->in); r->in.at < scree_mesh_text_end(&r->in) && !status;
         scree_mesh_text_next_line(&r->in)) {
        if (take_word(r, "v"))
            status = take_vertex(r);
        else if (take_word(r, "f"))
            status = take_face(r, (int)vertices);
        if (status) return status;
    }
    return status;
}

// ---- STL as text

static scree_status expect(reader *r, const char *word) {
    scree_mesh_text_skip_empty(&r->in);
    if (take_word(r, word)) return SCREE_OK;
    return SCREE_MESH_FAIL(&r->in, "expected \"%s\", found %s", word,
                           scree_mesh_text_found(&r->in).text);
}

// the normal behind "facet" is not looked at: the order of the vertices tells it
static scree_status take_facet(reader *r) {
    scree_mesh_text_next_line(&r->in);
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
    scree_mesh_text_next_line(&r->in);
    for (;;) {
        scree_mesh_text_skip_empty(&r->in);
        if (take_word(r, "endsolid")) break;
        if (!take_word(r, "facet"))
            return SCREE_MESH_FAIL(&r->in, "expected \"facet\" or \"endsolid\", found %s",
                                   scree_mesh_text_found(&r->in).text);
        status = take_facet(r);
        if (status) return status;
    }
    scree_mesh_text_next_line(&r->in);
    return SCREE_OK;
}

static void name_triangles(reader *r) {
    r->triangles = r->vertices / 3;
    for (int k = 0; k < 3 * r->triangles; k++) r->triangle[k] = k;
}

static scree_status read_stl_text(reader *r) {
    size_t vertices = 0;
    for (scree_mesh_text_rewind(&r->in); r->in.at < scree_mesh_text_end(&r->in); skip_word(r)) {
        scree_mesh_text_skip_empty(&r->in);
        vertices += take_word(r, "vertex");
    }
    scree_status status = make_room(r, vertices, vertices / 3 + 1);
    scree_mesh_text_rewind(&r->in);
    while (!status) {
        scree_mesh_text_skip_empty(&r->in);
        if (r->in.at == scree_mesh_text_end(&r->in)) break;
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
            const char *at = r->in.text + HEADER + 4 + RECORD * t + 12 + 4 * (size_t)k;
            double x = take_float(at) * r->scale;
            if (!isfinite(x))
                return SCREE_MESH_FAIL(&r->in, "triangle %zu: a coordinate must be finite, got %g",
                                       t + 1, x);
            r->vertex[9 * t + (size_t)k] = x + 0;  // -0 is 0
        }
    r->vertices = status ? 0 : (int)(3 * triangles);
    if (!status) name_triangles(r);
    return status;
}

// text files begin with "solid", and so do some binary ones: their length tells
static scree_status read_stl(reader *r) {
    bool text = r->in.size >= 5 && strncasecmp(r->in.text, "solid", 5) == 0;
    size_t header = HEADER + 4, triangles = 0;
    if (r->in.size >= header) {
        triangles = take_u32(r->in.text + HEADER);
        if (r->in.size == header + RECORD * triangles) return read_stl_bytes(r, triangles);
    }
    if (text) return read_stl_text(r);
    if (r->in.size < header)
        return SCREE_MESH_FAIL(
            &r->in,
            "an STL file of %zu bytes: text begins with \"solid\", a binary file has %zu "
            "bytes or more",
            r->in.size, header);
    return SCREE_MESH_FAIL(&r->in,
                           "a binary STL file of %zu triangles has %zu bytes, this one has %zu",
                           triangles, header + RECORD * triangles, r->in.size);
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

static scree_status merge_vertices(reader *r, scree_arena *arena, int *vertices, double **vertex,
                                   int *triangles, int **triangle) {
    int *name = SCREE_NEW(&r->scratch, int, r->vertices), count = 0;
    if (!name || !find_names(r, name)) return scree_mesh_text_no_memory(&r->in);
    for (int i = 0; i < r->vertices; i++) count += name[i] == i;
    *vertex = SCREE_NEW(arena, double, 3 * (size_t)count);
    *triangle = SCREE_NEW(arena, int, 3 * (size_t)r->triangles);
    if (!*vertex || !*triangle) return scree_mesh_text_no_memory(&r->in);
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

static bool ends_in(const char *path, const char *ending) {
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcasecmp(path + length - tail, ending) == 0;
}

bool scree_mesh_named(const char *path) { return ends_in(path, ".obj") || ends_in(path, ".stl"); }

static scree_status read_any(reader *r, const char *path, const char *text, size_t length,
                             scree_error *err) {
    scree_source_location file = { path, 0, 0 };
    if (!scree_mesh_named(path))
        return scree_fail(err, SCREE_BAD_INPUT, file,
                          "the name of a mesh file must end in .obj or .stl");
    if (!(r->scale > 0 && isfinite(r->scale)))
        return scree_fail(err, SCREE_BAD_INPUT, file, "scale must be positive, got %g", r->scale);
    scree_status status = scree_mesh_text_open(&r->in, path, text, length, '#', err);
    if (!status && r->in.size == 0)
        return scree_fail(err, SCREE_BAD_INPUT, file, "the file is empty");
    if (!status) status = ends_in(path, ".obj") ? read_obj(r) : read_stl(r);
    if (!status && r->triangles == 0)
        return scree_fail(err, SCREE_BAD_INPUT, file, "there are no triangles in the file");
    return status;
}

scree_status scree_mesh_parse(const char *path, const char *text, size_t length, scree_arena *arena,
                              double scale, int *vertices, double **vertex, int *triangles,
                              int **triangle, scree_error *err) {
    reader r = { .scale = scale };
    *vertices = *triangles = 0;
    *vertex = NULL;
    *triangle = NULL;
    scree_status status = read_any(&r, path, text, length, err);
    if (!status) status = merge_vertices(&r, arena, vertices, vertex, triangles, triangle);
    scree_mesh_text_close(&r.in);
    scree_arena_free(&r.scratch);
    return status;
}

scree_status scree_mesh_read(const char *path, scree_arena *arena, double scale, int *vertices,
                             double **vertex, int *triangles, int **triangle, scree_error *err) {
    return scree_mesh_parse(path, NULL, 0, arena, scale, vertices, vertex, triangles, triangle,
                            err);
}
