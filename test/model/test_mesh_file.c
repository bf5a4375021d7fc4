// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_mesh_file.c - OBJ and STL files: there and back, and files that are broken.

#include "model/mesh_file.h"

#include <math.h>
#include <stdarg.h>
#include <unistd.h>

#include "failing.h"
#include "harness.h"
#include "random.h"

// -------------------------------------------------------------------------------------------------
// files

static char path[64];

static void put(const char *ending, const void *bytes, size_t size) {
    snprintf(path, sizeof path, "/tmp/scree-mesh-%ld%s", (long)getpid(), ending);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(bytes, 1, size, file) != size || fclose(file)) abort();
}

typedef struct mesh {
    int vertices, triangles;
    double *vertex;
    int *triangle;
} mesh;

static scree_arena arena;

static scree_status get(double scale, mesh *m, scree_error *err) {
    scree_status status = scree_mesh_read(path, &arena, scale, &m->vertices, &m->vertex,
                                          &m->triangles, &m->triangle, err);
    unlink(path);
    return status;
}

static mesh taken(const char *ending, const char *text) {
    mesh m;
    scree_error err = { 0 };
    put(ending, text, strlen(text));
    if (get(1, &m, &err) != SCREE_OK) COMPLAIN("refused: line %d: %s", err.line, err.text);
    return m;
}

static void refuse_bytes(const char *ending, const void *bytes, size_t size, int line,
                         const char *sentence) {
    mesh m;
    scree_error err = { 0 };
    put(ending, bytes, size);
    CHECK_INT(get(1, &m, &err), SCREE_BAD_INPUT);
    CHECK(m.vertices == 0 && m.triangles == 0 && !m.vertex && !m.triangle);
    CHECK_TEXT(err.file, path);
    if (err.line != line || !strstr(err.text, sentence))
        COMPLAIN("line %d: \"%s\" instead of line %d: \"%s\"", err.line, err.text, line, sentence);
}

static void refuse(const char *ending, const char *text, int line, const char *sentence) {
    refuse_bytes(ending, text, strlen(text), line, sentence);
}

#define CHECK_INTS(list, ...)                                        \
    do {                                                             \
        const int want_[] = { __VA_ARGS__ };                         \
        for (size_t i_ = 0; i_ < sizeof want_ / sizeof *want_; i_++) \
            CHECK_INT((list)[i_], want_[i_]);                        \
    } while (0)

// -------------------------------------------------------------------------------------------------
// OBJ

static void obj(void) {
    mesh m =
        taken(".obj",
              "# a pyramid\r\nmtllib x.mtl\no pyramid\nv 0 0 0\nv 1 0 0 1.0\nv 1 1e0 0 .5 .5 .5\n"
              "v 0 1 0\nvn 0 0 1\nvt 0 0\n\ns off\nf 4/1/1 3/1 2//1 1 # the base\n"
              "v .5 .5 +1\nf 1 2 -1\nf 2 3 5\nf 3/2/2 4/1/1 -1/1/1\nf 4 1 5");
    CHECK_INT(m.vertices, 5);
    CHECK_INT(m.triangles, 6);
    CHECK_INTS(m.triangle, 3, 2, 1, 3, 1, 0, 0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4);
    CHECK(m.vertex[12] == 0.5 && m.vertex[14] == 1 && m.vertex[7] == 1);
    // a face may come before its vertices; equal ones are one, others without a face none
    m = taken(".OBJ", "v 7 7 7\nf 3 2 4\nv 0 0 -0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nf 5 4 3\n");
    CHECK_INT(m.vertices, 3);
    CHECK_INTS(m.triangle, 1, 0, 2, 0, 2, 1);
    CHECK(!signbit(m.vertex[2]));
    scree_arena_free(&arena);
}

static void broken_obj(void) {
    refuse(".obj", "", 0, "the file is empty");
    refuse(".obj", "v 0 0 0\nv 1 0 0\n", 0, "there are no triangles in the file");
    refuse(".obj", "v 0 0\n", 1, "expected a coordinate, found the end of the line");
    refuse(".obj", "v 0 0", 1, "expected a coordinate, found the end of the file");
    refuse(".obj", "v 0 0 0\nv 1 x7 0\n", 2, "expected a coordinate, found \"x7\"");
    refuse(".obj", "v 0 0 0\nv 1,5 0 0\n", 2, "expected a coordinate, found \"1,5\"");
    refuse(".obj", "v 0 nan 0\n", 1, "a coordinate must be finite, got \"nan\"");
    refuse(".obj", "v 0 0 1e999\n", 1, "a coordinate must be finite, got \"1e999\"");
    const char *points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    static const struct {
        const char *line, *sentence;
    } faces[] = {
        { "f 1 2", "a face needs 3 vertices or more, got 2" },
        { "f", "a face needs 3 vertices or more, got 0" },
        { "f 1 2 0", "there is no vertex 0: the file has 3, and 3 are above this line" },
        { "f 1 2 4", "there is no vertex 4" },
        { "f 1 2 -4", "there is no vertex -4" },
        { "f 1 2 99999999999999999999", "expected the number of a vertex, found \"9999999999" },
        { "f 1 2 9999999999", "there is no vertex 9999999999" },
        { "f 1 2 1.5", "expected the number of a vertex, found \"1.5\"" },
        { "f 1 2 \x01?", "expected the number of a vertex, found \"??\"" },
        { "f 1 2 /3", "expected the number of a vertex, found \"/3\"" },
    };
    for (size_t i = 0; i < sizeof faces / sizeof *faces; i++) {
        char text[200];
        snprintf(text, sizeof text, "%s%s\n", points, faces[i].line);
        refuse(".obj", text, 4, faces[i].sentence);
    }
    // bytes of zero do not end the file unseen
    refuse_bytes(".obj", "v 0 0 0\0\nv 1 0 0\nv 0 1 0\nf 1 2 3", 33, 1, "expected a coordinate");
}

// -------------------------------------------------------------------------------------------------
// STL

static const char one_facet[] =
    "solid some vertex name\n"
    "  facet normal nan 0 1\n    outer loop\n"
    "      vertex 0 0 0\n      VERTEX 1 0 0\n      vertex 0 1e-3 0\n"
    "    endloop\n  endfacet\n"
    "endsolid name\n";

static void stl_text(void) {
    mesh m = taken(".stl", one_facet);
    CHECK(m.vertices == 3 && m.triangles == 1);
    CHECK_INTS(m.triangle, 0, 1, 2);
    CHECK(m.vertex[7] == 1e-3);
    char twice[2 * sizeof one_facet + 8];
    snprintf(twice, sizeof twice, "%s\n\n%s\n", one_facet, one_facet);
    m = taken(".stl", twice);
    CHECK(m.vertices == 3 && m.triangles == 2);
    CHECK_INTS(m.triangle, 0, 1, 2, 0, 1, 2);
    scree_arena_free(&arena);
}

/// A text cut off anywhere is refused, with the line where it ends; whatever else is cut out of
/// it, nothing crashes.
static void cut_stl(void) {
    size_t length = strlen(one_facet);
    mesh m;
    for (size_t end = 1; end < length; end++) {
        scree_error err = { 0 };
        put(".stl", one_facet, end);
        scree_status status = get(1, &m, &err);
        bool whole = strstr(one_facet, "endsolid") + 8 <= one_facet + end;
        CHECK_INT(status, whole ? SCREE_OK : SCREE_BAD_INPUT);
        int lines = 1;
        for (size_t i = 0; i < end; i++) lines += one_facet[i] == '\n';
        if (!whole && end > 5) CHECK(err.line == lines || err.line == lines + 1);
    }
    int taken_so = 0;
    for (size_t from = 0; from < length; from++)
        for (size_t to = from; to < length; to += 3) {
            char text[sizeof one_facet];
            scree_error err = { 0 };
            memcpy(text, one_facet, from);
            memcpy(text + from, one_facet + to, length - to);
            put(".stl", text, from + length - to);
            scree_status status = get(1, &m, &err);
            taken_so += status == SCREE_OK;
            if (status) CHECK(status == SCREE_BAD_INPUT && err.text[0]);
        }
    CHECK(taken_so > 100);
    scree_arena_free(&arena);
}

static void broken_stl(void) {
    refuse(".stl", "solid\nendsolid\n", 0, "there are no triangles");
    refuse(".stl", "solid\nvertex 0 0 0\n", 2,
           "expected \"facet\" or \"endsolid\", found \"vertex\"");
    refuse(".stl", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 inf\n", 4,
           "a coordinate must be finite, got \"inf\"");
    refuse(".stl", "solid\nfacet\nouter loop\nvertex 0 0 0\nvertex 0 0 0\nendloop\n", 6,
           "expected \"vertex\", found \"endloop\"");
    refuse(".stl", "solid\nfacet\nouter loop\nvertex 0 0\nvertex 0 0 0\n", 4,
           "expected a coordinate, found the end of the line");
    refuse(".stl", "hello", 0, "an STL file of 5 bytes");
    char bytes[84 + 50] = "something binary";
    refuse_bytes(".stl", bytes, 84, 0, "there are no triangles");
    bytes[80] = 2;
    refuse_bytes(".stl", bytes, sizeof bytes, 0,
                 "a binary STL file of 2 triangles has 184 bytes, this one has 134");
    bytes[80] = bytes[81] = bytes[82] = bytes[83] = (char)0xff;
    refuse_bytes(".stl", bytes, sizeof bytes, 0, "of 4294967295 triangles has 214748364834 bytes");
    memset(bytes + 80, 0, 54);
    bytes[80] = 1;
    bytes[84 + 12 + 14] = (char)0x80;
    bytes[84 + 12 + 15] = 0x7f;
    refuse_bytes(".stl", bytes, sizeof bytes, 0,
                 "triangle 1: a coordinate must be finite, got inf");
}

// -------------------------------------------------------------------------------------------------
// there and back

typedef struct text {
    char *at;
    size_t used, room;
} text;

static void add(text *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int length = vsnprintf(t->at + t->used, t->room - t->used, format, args);
    va_end(args);
    t->used += (size_t)length;
    if (t->used >= t->room) abort();
}

static void write_obj(text *t, const mesh *m) {
    for (int i = 0; i < m->vertices; i++)
        add(t, "v %.17g %.17g %.17g\n", m->vertex[3 * i], m->vertex[3 * i + 1],
            m->vertex[3 * i + 2]);
    for (int i = 0; i < m->triangles; i++)
        add(t, "f %d %d %d\n", m->triangle[3 * i] + 1, m->triangle[3 * i + 1] + 1,
            m->triangle[3 * i + 2] + 1);
}

static void write_stl(text *t, const mesh *m) {
    add(t, "solid\n");
    for (int i = 0; i < m->triangles; i++) {
        add(t, "facet normal 0 0 0\nouter loop\n");
        for (int k = 0; k < 3; k++) {
            const double *v = m->vertex + 3 * m->triangle[3 * i + k];
            add(t, "vertex %.17g %.17g %.17g\n", v[0], v[1], v[2]);
        }
        add(t, "endloop\nendfacet\n");
    }
    add(t, "endsolid\n");
}

static void write_bytes(text *t, const mesh *m) {
    memset(t->at, ' ', 80);
    memcpy(t->at, "solid, and yet binary", 21);
    uint32_t count = (uint32_t)m->triangles;
    memcpy(t->at + 80, &count, 4);  // on a machine that counts as the format does
    t->used = 84;
    for (int i = 0; i < m->triangles; i++, t->used += 50) {
        memset(t->at + t->used, 0, 50);
        for (int k = 0; k < 9; k++) {
            float x = (float)m->vertex[3 * m->triangle[3 * i + k / 3] + k % 3];
            memcpy(t->at + t->used + 12 + 4 * k, &x, 4);
        }
    }
}

/// Random meshes, coordinates in single precision, through all three formats.
static void round_trips(void) {
    text t = { malloc(1 << 20), 0, 1 << 20 };
    seed = 41;
    for (int round = 0; round < 60; round++) {
        double vertex[3 * 300];
        int triangle[3 * 900];
        mesh m = { random_int(3, 300), random_int(1, 900), vertex, triangle };
        double scale = pow(10, random_int(-6, 6));
        for (int i = 0; i < 3 * m.vertices; i++)
            vertex[i] = (double)(float)(scale * uniform(-1, 1));
        for (int i = 0; i < 3 * m.triangles; i++) triangle[i] = random_int(0, m.vertices - 1);
        const char *const ending[] = { ".obj", ".stl", ".Stl" };
        void (*const write[])(text *, const mesh *) = { write_obj, write_stl, write_bytes };
        for (int k = 0; k < 3; k++) {
            mesh back;
            scree_error err = { 0 };
            double factor = round % 2 ? 1 : 0.001;
            t.used = 0;
            write[k](&t, &m);
            put(ending[k], t.at, t.used);
            CHECK_INT(get(factor, &back, &err), SCREE_OK);
            CHECK_INT(back.triangles, m.triangles);
            CHECK(back.vertices <= m.vertices);
            for (int i = 0; i < 3 * m.triangles && back.triangles == m.triangles; i++)
                for (int c = 0; c < 3; c++)
                    CHECK_NEAR(back.vertex[3 * back.triangle[i] + c],
                               factor * m.vertex[3 * m.triangle[i] + c], 0);
            // no two in one place
            for (int i = 0; i < back.vertices; i++)
                for (int j = 0; j < i; j++)
                    CHECK(memcmp(back.vertex + 3 * i, back.vertex + 3 * j, 24) != 0);
        }
        scree_arena_free(&arena);
    }
    free(t.at);
}

static void refused_calls(void) {
    mesh m;
    scree_error err = { 0 };
    snprintf(path, sizeof path, "/tmp/scree-mesh-that-is-not-there.obj");
    CHECK_INT(get(1, &m, &err), SCREE_FILE_ERROR);
    CHECK(strstr(err.text, "cannot be read: No such file") != NULL);
    CHECK_TEXT(err.file, path);
    refuse(".ply", "x", 0, "must end in .obj or .stl");
    const double bad[] = { 0, -1, NAN, INFINITY };
    for (int k = 0; k < 4; k++) {
        put(".obj", "v 0 0 0\n", 8);
        CHECK_INT(get(bad[k], &m, &err), SCREE_BAD_INPUT);
        CHECK(strstr(err.text, "scale must be positive") != NULL);
    }
    // a scale that makes a number too large
    put(".obj", "v 1e10 0 0\n", 11);
    CHECK_INT(get(1e300, &m, &err), SCREE_BAD_INPUT);
    CHECK_INT(err.line, 1);
}

static void allocations(void) {
    static const char *const ending[] = { ".obj", ".stl" };
    text t = { malloc(1 << 20), 0, 1 << 20 };
    double vertex[3 * 900];
    int triangle[3 * 900];
    mesh m = { 900, 900, vertex, triangle };
    for (int i = 0; i < 2700; i++) {
        vertex[i] = i * 0.1;
        triangle[i] = i % 900;
    }
    for (int k = 0; k < 2; k++) {
        long all = 0;
        for (long n = 0; n <= all; n++) {
            mesh back;
            scree_error err = { 0 };
            t.used = 0;
            (k ? write_stl : write_obj)(&t, &m);
            put(ending[k], t.at, t.used);
            calls = 0;
            fails_at = n ? n : 1000000;
            scree_status status = get(1, &back, &err);
            fails_at = 0;
            if (n == 0) all = calls;
            CHECK_INT(status, n ? SCREE_NO_MEMORY : SCREE_OK);
            scree_arena_free(&arena);
        }
        CHECK(all > 3);
    }
    free(t.at);
}

TEST_FILE(test_mesh_file) {
    TEST(obj);
    TEST(broken_obj);
    TEST(stl_text);
    TEST(cut_stl);
    TEST(broken_stl);
    TEST(round_trips);
    TEST(refused_calls);
    TEST(allocations);
    scree_arena_free(&arena);
    return harness_end();
}
