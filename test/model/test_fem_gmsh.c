// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_fem_gmsh.c - Gmsh files of both versions: there and back, what they may leave to us, and
// files that are broken.

#include <stdarg.h>
#include <unistd.h>

#include "failing.h"
#include "model/mesh_judge.h"
#include "random.h"

// -------------------------------------------------------------------------------------------------
// files

static char path[64];

static void put(const char *text, size_t size) {
    snprintf(path, sizeof path, "/tmp/scree-gmsh-%ld.msh", (long)getpid());
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(text, 1, size, file) != size || fclose(file)) abort();
}

static scree_status get(int space, double scale, scree_mesh **m, scree_error *err) {
    scree_status status = scree_mesh_read_gmsh(path, space, scale, m, err);
    unlink(path);
    return status;
}

static scree_mesh *taken(int space, const char *text) {
    scree_mesh *m;
    scree_error err = { 0 };
    put(text, strlen(text));
    if (get(space, 1, &m, &err) != SCREE_OK) COMPLAIN("refused: line %d: %s", err.line, err.text);
    return m;
}

static void refuse(int space, const char *text, int line, const char *sentence) {
    scree_mesh *m = (scree_mesh *)1;
    scree_error err = { 0 };
    put(text, strlen(text));
    CHECK_INT(get(space, 1, &m, &err), SCREE_BAD_INPUT);
    CHECK(m == NULL);
    CHECK_TEXT(err.file, path);
    if (err.line != line || !strstr(err.text, sentence))
        COMPLAIN("line %d: \"%s\" instead of line %d: \"%s\"", err.line, err.text, line, sentence);
}

// -------------------------------------------------------------------------------------------------
// there and back

typedef struct text {
    char *at;
    size_t used, room;
    bool crlf;
} text;

static SCREE_PRINTF(2, 3) void add(text *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int length = vsnprintf(t->at + t->used, t->room - t->used, format, args);
    va_end(args);
    t->used += (size_t)length;
    if (t->used + 2 >= t->room) abort();
    if (t->crlf && t->at[t->used - 1] == '\n') {
        memcpy(t->at + t->used - 1, "\r\n", 3);
        t->used++;
    }
}

typedef struct style {
    const long long *tag;  // of each node
    const int *order;      // in which they are written
    int piece;             // 4.1: nodes and elements in a block, at most
} style;

static int type_of(const scree_mesh *m, int corners) {
    if (corners == 2) return 1;
    if (corners == 3) return 2;
    if (corners == 8) return 5;
    return m->space == 2 ? 3 : 4;
}

static void add_corners(text *t, const style *s, const int *corner, int count) {
    for (int k = 0; k < count; k++) add(t, " %lld", s->tag[corner[k]]);
    add(t, " \n");
}

static void add_place(text *t, const scree_mesh *m, int i) {
    const double *x = mesh_point(m, i);
    add(t, "%.17g %.17g %.17g\n", x[0], x[1], m->space == 3 ? x[2] : 0.25);
}

/// Group g of the mesh is physical group 10 + g; the last one, `boundary`, is not written.
static void add_names(text *t, const scree_mesh *m) {
    add(t, "$PhysicalNames\n%d\n", m->groups);
    for (int g = 0; g < m->groups - 1; g++)
        add(t, "%d %d \"%s\"\n", m->group[g].facets ? m->space - 1 : 0, 10 + g, m->group[g].name);
    add(t, "%d 1 \"steel and so on\"\n$EndPhysicalNames\n", m->space);
}

static int listed(const scree_mesh *m, int g) {
    return m->group[g].facets ? m->group[g].facets : m->group[g].nodes;
}

static int facet_type(const scree_mesh *m, int g, int k) {
    if (!m->group[g].facets) return 15;
    int corners = mesh_facet_corners(m, m->group[g].facet[k]);
    return corners == 4 ? 3 : type_of(m, corners);
}

static void add_listed(text *t, const scree_mesh *m, const style *s, int g, int k) {
    if (m->group[g].facets) {
        int f = m->group[g].facet[k];
        add_corners(t, s, m->facet + 4 * f, mesh_facet_corners(m, f));
    } else {
        add_corners(t, s, &m->group[g].node[k], 1);
    }
}

/// Every third element belongs to two groups, and so comes twice.
static void write_22(text *t, const scree_mesh *m, const style *s) {
    int all = m->elements + (m->elements + 2) / 3, number = 100;
    for (int g = 0; g < m->groups - 1; g++) all += listed(m, g);
    add(t, "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n");
    add_names(t, m);
    add(t, "$Nodes\n%d\n", m->nodes);
    for (int k = 0; k < m->nodes; k++) {
        add(t, "%lld ", s->tag[s->order[k]]);
        add_place(t, m, s->order[k]);
    }
    add(t, "$EndNodes\n$Elements\n%d\n", all);
    for (int g = 0; g < m->groups - 1; g++)
        for (int k = 0; k < listed(m, g); k++) {
            add(t, "%d %d 2 %d %d", number++, facet_type(m, g, k), 10 + g, 1 + g);
            add_listed(t, m, s, g, k);
        }
    for (int e = 0; e < m->elements; e++)
        for (int twice = 0; twice <= (e % 3 == 0); twice++) {
            int count = m->first[e + 1] - m->first[e];
            add(t, "%d %d 3 %d 1 0", number++, type_of(m, count), 1 + twice);
            add_corners(t, s, m->corner + m->first[e], count);
        }
    add(t, "$EndElements\n");
}

/// Blocks of one type and at most a piece; returns how many there are, writing if t is given.
static int add_cells(text *t, const scree_mesh *m, const style *s) {
    int blocks = 0, end;
    for (int e = 0; e < m->elements; e = end, blocks++) {
        for (end = e + 1; end < m->elements && end < e + s->piece; end++)
            if (m->kind[end] != m->kind[e]) break;
        if (!t) continue;
        int count = scree_element_corners(m->kind[e]);
        add(t, "%d 1 %d %d\n", m->space, type_of(m, count), end - e);
        for (int k = e; k < end; k++) {
            add(t, "%d", 1000 + k);
            add_corners(t, s, m->corner + m->first[k], count);
        }
    }
    return blocks;
}

static int add_lists(text *t, const scree_mesh *m, const style *s) {
    int blocks = 0, number = 1, end;
    for (int g = 0; g < m->groups - 1; g++)
        for (int k = 0; k < listed(m, g); k = end, blocks++) {
            for (end = k + 1; end < listed(m, g); end++)
                if (facet_type(m, g, end) != facet_type(m, g, k)) break;
            if (!t) continue;
            add(t, "%d %d %d %d\n", m->group[g].facets ? m->space - 1 : 0, 1 + g,
                facet_type(m, g, k), end - k);
            for (int i = k; i < end; i++) {
                add(t, "%d", number++);
                add_listed(t, m, s, g, i);
            }
        }
    return blocks;
}

static void add_entities(text *t, const scree_mesh *m) {
    int count[4] = { 0, 0, 0, 0 };
    for (int g = 0; g < m->groups - 1; g++) count[m->group[g].facets ? m->space - 1 : 0]++;
    count[m->space]++;
    add(t, "$Entities\n%d %d %d %d\n", count[0], count[1], count[2], count[3]);
    for (int d = 0; d <= m->space; d++)
        for (int g = 0; g < m->groups - 1; g++)
            if (d == (m->group[g].facets ? m->space - 1 : 0))
                add(t, d ? "%d 0 0 0 1 1 1 1 %d 2 1 -2 \n" : "%d 0 0 0 1 %d \n", 1 + g,
                    g % 2 ? 10 + g : -10 - g);
    add(t, "1 0 0 0 1 1 1 2 1 2 4 1 2 3 4 \n$EndEntities\n");
}

static void write_41(text *t, const scree_mesh *m, const style *s) {
    int all = m->elements, end;
    for (int g = 0; g < m->groups - 1; g++) all += listed(m, g);
    add(t, "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n");
    add_names(t, m);
    add_entities(t, m);
    add(t, "$Nodes\n%d %d 1 99999\n", (m->nodes + s->piece - 1) / s->piece, m->nodes);
    for (int k = 0; k < m->nodes; k = end) {
        end = k + s->piece < m->nodes ? k + s->piece : m->nodes;
        add(t, "%d 1 0 %d\n", m->space, end - k);
        for (int i = k; i < end; i++) add(t, "%lld\n", s->tag[s->order[i]]);
        for (int i = k; i < end; i++) add_place(t, m, s->order[i]);
    }
    add(t, "$EndNodes\n$Elements\n%d %d 1 99999\n", add_lists(NULL, m, s) + add_cells(NULL, m, s),
        all);
    add_lists(t, m, s);
    add_cells(t, m, s);
    add(t, "$EndElements\n");
}

static void same_numbers(const int *a, const int *b, int count) {
    for (int i = 0; i < count; i++) CHECK_INT(a[i], b[i]);
}

static void same_mesh(const scree_mesh *m, const scree_mesh *n) {
    if (m->nodes != n->nodes || m->elements != n->elements || m->facets != n->facets ||
        m->groups != n->groups) {
        COMPLAIN("%d nodes, %d elements, %d facets, %d groups", n->nodes, n->elements, n->facets,
                 n->groups);
        return;
    }
    for (int i = 0; i < m->nodes * m->space; i++) CHECK_NEAR(n->node[i], m->node[i], 0);
    for (int e = 0; e < m->elements; e++) CHECK_INT(n->kind[e], m->kind[e]);
    same_numbers(n->corner, m->corner, m->first[m->elements]);
    same_numbers(n->facet, m->facet, 4 * m->facets);
    same_numbers(n->owner, m->owner, m->facets);
    for (int g = 0; g < m->groups; g++) {
        CHECK_TEXT(n->group[g].name, m->group[g].name);
        CHECK_INT(n->group[g].nodes, m->group[g].nodes);
        CHECK_INT(n->group[g].facets, m->group[g].facets);
        same_numbers(n->group[g].node, m->group[g].node, m->group[g].nodes);
        same_numbers(n->group[g].facet, m->group[g].facet, m->group[g].facets);
    }
}

/// Rectangles and boxes, inner nodes shaken, with a group of two points behind the others.
static scree_mesh *random_mesh(int round) {
    const double low[3] = { 0, 1, 2 }, size[3] = { 3, 4, 5 };
    int cells[3] = { random_int(2, 4), random_int(2, 4), random_int(2, 3) };
    scree_mesh *grid, *m;
    if (round % 4 < 2)
        scree_mesh_rectangle(low, size, cells, round % 2 ? SCREE_Q4 : SCREE_T3, round % 3, &grid,
                             NULL);
    else
        scree_mesh_box(low, size, cells, round % 2 ? SCREE_H8 : SCREE_T4, &grid, NULL);
    if (!grid) abort();
    int all = scree_mesh_find(grid, "boundary"), points[2] = { 1, grid->nodes - 1 };
    const scree_mesh_group *boundary = &grid->group[all];
    for (int i = 0, b = 0; i < grid->nodes; i++)
        if (b < boundary->nodes && boundary->node[b] == i)
            b++;
        else
            for (int c = 0; c < grid->space; c++)
                grid->node[i * grid->space + c] += uniform(-0.1, 0.1);
    scree_mesh_part part[8];
    int *facet[8];
    for (int g = 0; g < all; g++) {
        facet[g] = malloc((size_t)grid->group[g].facets * 4 * sizeof **facet);
        for (int k = 0; k < 4 * grid->group[g].facets; k++)
            facet[g][k] = grid->facet[4 * grid->group[g].facet[k / 4] + k % 4];
        part[g] = (scree_mesh_part){ grid->group[g].name, 0, facet[g], grid->group[g].facets };
    }
    part[all] = (scree_mesh_part){ "two points", 2, points, 0 };
    scree_mesh_make(grid->space, grid->nodes, grid->node, grid->elements, grid->kind, grid->corner,
                    all + 1, part, &m, NULL);
    if (!m) abort();
    for (int g = 0; g < all; g++) free(facet[g]);
    scree_mesh_free(grid);
    return m;
}

static double group_sum(const scree_mesh *m, int g) {
    double sum = 0;
    for (int i = 0; i < m->group[g].nodes; i++)
        for (int c = 0; c < m->space; c++) sum += (c + 1) * mesh_point(m, m->group[g].node[i])[c];
    return sum;
}

static void alike(const scree_mesh *m, const scree_mesh *n) {
    CHECK_NEAR(judge_mesh(n), mesh_volume(m), 1e-11);
    CHECK_INT(n->facets, m->facets);
    CHECK_INT(n->groups, m->groups);
    for (int g = 0; g < m->groups && g < n->groups; g++) {
        CHECK_INT(n->group[g].facets, m->group[g].facets);
        CHECK_NEAR(group_sum(n, g), group_sum(m, g), 1e-9);
    }
}

/// Sparse tags in their order give the same mesh bit by bit, in whatever order they are written;
/// other tags the same mesh with other numbers.
static void round_trips(void) {
    text t = { malloc(1 << 20), 0, 1 << 20, false };
    seed = 5;
    for (int round = 0; round < 48; round++) {
        scree_mesh *m = random_mesh(round), *back;
        scree_error err = { 0 };
        long long tag[256];
        int order[256], name[256];
        bool renamed = round % 5 == 4;
        shuffle(order, m->nodes);
        shuffle(name, m->nodes);
        for (int i = 0; i < m->nodes; i++) tag[i] = 7 + 3LL * (renamed ? name[i] : i);
        if (round % 3 == 0) tag[m->nodes - 1] = 4000000000000;
        for (int i = 0; i < m->nodes && round % 2; i++) order[i] = i;
        style s = { tag, order, random_int(1, 40) };
        for (int version = 0; version < 2; version++) {
            t.used = 0;
            t.crlf = round % 7 == 6;
            (version ? write_41 : write_22)(&t, m, &s);
            put(t.at, t.used);
            if (get(m->space, 1, &back, &err)) {
                COMPLAIN("refused: line %d: %s", err.line, err.text);
                continue;
            }
            if (renamed)
                alike(m, back);
            else
                same_mesh(m, back);
            scree_mesh_free(back);
            put(t.at, t.used);
            CHECK_INT(get(m->space, 0.5, &back, &err), SCREE_OK);
            CHECK_NEAR(judge_mesh(back), mesh_volume(m) * pow(0.5, m->space), 1e-11);
            scree_mesh_free(back);
        }
        scree_mesh_free(m);
    }
    free(t.at);
}

// -------------------------------------------------------------------------------------------------
// what files leave to us

#define HEAD_22 "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define HEAD_41 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define SQUARE "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 1 1 0\n4 0 1 0\n9 5 5 5\n$EndNodes\n"

static void numbers_for_names(void) {
    // node 9 belongs to no element; its place and its z do not matter
    scree_mesh *m = taken(2, HEAD_22 SQUARE
                          "$Elements\n6\n1 15 2 7 1 3\n2 1 2 7 1 1 2\n3 1 2 8 1 2 3\n"
                          "4 2 0 1 2 3\n5 2 0 1 3 4\n6 15 2 0 0 9\n$EndElements\n");
    if (!m) return;
    CHECK_INT(m->nodes, 4);
    CHECK_INT(m->groups, 4);
    CHECK_TEXT(m->group[0].name, "7");
    CHECK_TEXT(m->group[1].name, "8");
    CHECK_TEXT(m->group[2].name, "point 7");
    CHECK_NEAR(judge_mesh(m), 1, 0);
    scree_mesh_free(m);
    m = taken(3, HEAD_22
              "$PhysicalNames\n1\n2 7 \"a \"quoted\" name\"\n$EndPhysicalNames\n$Comments\n"
              "$Nodes\nof whatever\n$EndComments\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n"
              "4 0 0 1\n$EndNodes\n$Elements\n3\n1 1 2 3 1 1 2\n2 2 2 7 1 1 2 3\n"
              "3 4 2 9 1 1 2 3 4\n$EndElements\n");
    if (!m) return;
    CHECK_TEXT(m->group[0].name, "a \"quoted\" name");
    CHECK_TEXT(m->group[1].name, "curve 3");
    CHECK_INT(m->group[1].nodes, 2);
    CHECK_NEAR(judge_mesh(m), 1. / 6, 1e-16);
    scree_mesh_free(m);
}

/// Gmsh goes around each surface as its curves do.
static void clockwise(void) {
    scree_mesh *m =
        taken(2, HEAD_22 SQUARE "$Elements\n2\n1 2 2 0 1 1 2 3\n2 2 2 0 2 1 4 3\n$EndElements\n");
    if (m) CHECK_NEAR(judge_mesh(m), 1, 0);
    scree_mesh_free(m);
    refuse(2, HEAD_22 SQUARE "$Elements\n2\n1 2 2 0 1 1 2 3\n2 2 2 0 1 1 4 3\n$EndElements\n", 15,
           "1 of 2 elements cannot be used: element 2 is turned inside out");
    // a surface that lies on the other one is none that was seen from behind
    refuse(2, HEAD_22 SQUARE "$Elements\n2\n1 2 2 0 1 1 2 3\n2 2 2 0 2 2 1 4\n$EndElements\n", 15,
           "elements 1 and 2 overlap");
}

static void inside(void) {
    scree_mesh *m = taken(2, HEAD_22 SQUARE
                          "$Elements\n4\n1 1 2 5 1 3 1\n2 1 2 6 1 1 2\n3 2 0 1 2 3\n"
                          "4 2 0 1 3 4\n$EndElements\n");
    if (m) CHECK_INT(m->group[0].facets, 0);
    if (m) CHECK_INT(m->group[0].nodes, 2);
    scree_mesh_free(m);
    refuse(2,
           HEAD_22 SQUARE
           "$Elements\n4\n1 1 2 5 1 3 1\n2 1 2 5 1 1 2\n3 2 0 1 2 3\n"
           "4 2 0 1 3 4\n$EndElements\n",
           14, "group \"5\": 1 of its 2 facets lie inside the body, such as that of nodes 3 1");
}

// -------------------------------------------------------------------------------------------------
// broken files

static void not_ours(void) {
    refuse(2, "", 1, "not a mesh of Gmsh: expected $MeshFormat, found the end of the file");
    refuse(2, "hello\n", 1, "not a mesh of Gmsh: expected $MeshFormat, found \"hello\"");
    refuse(2, "\n$MeshFormat\n4 0 8\n", 3, "format \"4\": only 2.2 and 4.1 can be read");
    refuse(2, "$MeshFormat\n4.1 1 8\n\1\0\0", 2, "the file is binary: save it as text");
    refuse(2, "$MeshFormat\n2.2 0 8\n", 3, "expected $EndMeshFormat, found the end of the file");
    refuse(2, HEAD_22, 4, "the file ends without a section $Nodes");
    refuse(2, HEAD_22 SQUARE, 12, "the file ends without a section $Elements");
    refuse(2, HEAD_22 "$Elements\n0\n", 5, "$Elements must come behind $Nodes");
    refuse(2, HEAD_22 SQUARE SQUARE, 12, "$Nodes is repeated or in the wrong place");
    refuse(2, HEAD_22 "nonsense\n", 4, "expected the name of a section, found \"nonsense\"");
    refuse(2, HEAD_22 "$EndNodes\n", 4, "\"$EndNodes\" closes nothing");
    refuse(2, HEAD_22 "$Periodic\n1\n$EndPerio\n", 4, "the section is not closed");
    refuse(2, HEAD_41 "$PartitionedEntities\n", 4, "the mesh is cut into partitions");
    scree_mesh *m;
    scree_error err = { 0 };
    snprintf(path, sizeof path, "/tmp/scree-mesh-that-is-not-there.msh");
    CHECK_INT(get(2, 1, &m, &err), SCREE_FILE_ERROR);
    CHECK(strstr(err.text, "cannot be read: No such file") != NULL);
    const double bad[] = { 0, -1, NAN, INFINITY };
    for (int k = 0; k < 4; k++) {
        CHECK_INT(get(2, bad[k], &m, &err), SCREE_BAD_INPUT);
        CHECK(strstr(err.text, "scale must be positive") != NULL);
    }
    CHECK_INT(get(4, 1, &m, &err), SCREE_BAD_INPUT);
    CHECK_TEXT(err.text, "a mesh has 2 or 3 dimensions, got 4");
}

static void bad_nodes(void) {
    refuse(2, HEAD_22 "$Nodes\n1000000000000\n1 0 0 0\n", 5,
           "the number of nodes is 1000000000000, for which the file is too short");
    refuse(2, HEAD_22 "$Nodes\n-1\n", 5, "the number of nodes cannot be -1");
    refuse(2, HEAD_22 "$Nodes\n99999999999999999999\n", 5, "expected the number of nodes, found");
    refuse(2, HEAD_22 "$Nodes\n2\n1 0 0 0\n1 1 0 0\n$EndNodes\n", 7,
           "node 1 is given twice: first in line 6");
    refuse(2, HEAD_22 "$Nodes\n1\n0 0 0 0\n$EndNodes\n", 6, "the number of a node cannot be 0");
    refuse(2, HEAD_22 "$Nodes\n1\n1 0 0\n$EndNodes\n", 6,
           "expected a coordinate, found the end of the line");
    refuse(2, HEAD_22 "$Nodes\n1\n1 0 0,5 0\n$EndNodes\n", 6,
           "expected a coordinate, found \"0,5\"");
    refuse(2, HEAD_22 "$Nodes\n1\n1 0 nan 0\n", 6, "a coordinate must be finite, got \"nan\"");
    refuse(2, HEAD_22 "$Nodes\n1\n1 0 0 0\n2 0 0 0\n$EndNodes\n", 7,
           "expected $EndNodes, found \"2\"");
    refuse(2, HEAD_41 "$Nodes\n1 2 1 2\n2 1 0 1\n1\n0 0 0\n$EndNodes\n", 9,
           "1 nodes in the blocks of a section of 2");
    refuse(2, HEAD_41 "$Nodes\n1 1 1 2\n2 1 0 2\n1\n2\n0 0 0\n1 0 0\n$EndNodes\n", 6,
           "there are more nodes than the 1 of the section");
    refuse(2, HEAD_41 "$Nodes\n1 1 1 2\n2 1 7 1\n1\n0 0 0\n", 6,
           "whether nodes are parametric cannot be 7");
    refuse(2,
           HEAD_22
           "$Nodes\n3\n1 0 0 0\n2 1 0 1\n3 0 1 0\n$EndNodes\n"
           "$Elements\n1\n1 2 0 1 2 3\n$EndElements\n",
           7, "z is 1 at node 2 and 0 at node 1: a mesh of the plane lies in a plane");
    scree_mesh *m;
    scree_error err = { 0 };
    const char *large = HEAD_22
        "$Nodes\n3\n1 0 0 0\n2 1e200 0 0\n3 0 1e200 0\n$EndNodes\n"
        "$Elements\n1\n1 2 0 1 2 3\n$EndElements\n";
    put(large, strlen(large));
    CHECK_INT(get(2, 1e200, &m, &err), SCREE_BAD_INPUT);
    CHECK_INT(err.line, 7);
    CHECK(strstr(err.text, "must be finite") != NULL);
}

static void bad_elements(void) {
    static const struct {
        const char *lines;
        int line;
        const char *sentence;
    } row[] = {
        { "1000000000\n", 13, "is 1000000000, for which the file is too short" },
        { "1\n1 2 2 1 1 1 2 77\n", 14, "there is no node 77" },
        { "1\n1 2 2 1 1 1 2\n", 14, "expected the number of a node, found the end of the line" },
        { "1\n1 2 2 1 1 1 2 3 4\n", 14, "expected the end of the line, found \"4\"" },
        { "1\n1 9 2 1 1 1 2 3 4 1\n", 14, "expected the number of a node, found the end of" },
        { "1\n1 13 2 1 1 1 2 3 4 1 2\n", 14,
          "elements of type 13 (prism of 18 nodes) cannot be used: mesh with elements of first or "
          "second order" },
        { "1\n1 6 2 1 1 1 2 3 4 1 2\n", 14, "elements of type 6 (prism) cannot be used" },
        { "1\n1 7 2 1 1 1 2 3 4 1\n", 14, "elements of type 7 (pyramid) cannot be used" },
        { "1\n1 92 2 1 1 1 2 3 4 1\n", 14, "elements of type 92 (of higher order) cannot be" },
        { "1\n1 0 2 1 1 1\n", 14, "the type of an element cannot be 0" },
        { "1\n1 2 -2 1 1 1\n", 14, "the number of tags cannot be -2" },
        { "2\n1 2 2 1 1 1 2 3\n$EndElements\n", 15, "expected the number of an element, found" },
        { "0\n$EndElements\n", 0, "there are no triangles or quadrangles in the file. Gmsh" },
        { "1\n1 1 2 1 1 1 2\n$EndElements\n", 0, "add a Physical Surface, or set Mesh.SaveAll" },
        { "1\n1 4 2 1 1 1 2 3 9\n$EndElements\n", 14,
          "an element of space in a mesh of the plane" },
        { "2\n1 15 2 5 1 9\n2 2 2 1 1 1 2 3\n$EndElements\n", 14,
          "group \"point 5\": node 9 belongs to no element" },
        { "2\n1 1 2 5 1 1 4\n2 2 2 1 1 1 2 3\n$EndElements\n", 14,
          "group \"5\": node 4 belongs to no element" },
        { "3\n1 1 2 5 1 2 4\n2 2 2 1 1 1 2 3\n3 2 2 1 1 1 3 4\n$EndElements\n", 14,
          "group \"5\": nodes 2 4 are not a side of an element" },
        { "2\n8 2 2 1 1 1 2 3\n9 2 2 1 1 1 2 2\n$EndElements\n", 15,
          "1 of 2 elements cannot be used: element 9 names a node twice" },
        { "2\n8 2 2 1 1 1 2 3\n9 2 2 1 1 1 2 3\n$EndElements\n", 15, "elements 8 and 9 overlap" },
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char all[1000];
        snprintf(all, sizeof all, HEAD_22 SQUARE "$Elements\n%s", row[k].lines);
        refuse(2, all, row[k].line, row[k].sentence);
    }
}

#define NODES_41 "$Nodes\n1 3 1 3\n2 1 0 3\n1\n2\n3\n0 0 0\n1 0 0\n0 1 0\n$EndNodes\n"
#define ENTITIES "$Entities\n0 1 1 0\n1 0 0 0 1 0 0 1 5 0\n1 0 0 0 1 1 0 0 0\n$EndEntities\n"

static void bad_blocks(void) {
    refuse(2, HEAD_41 NODES_41 "$Elements\n1 1 1 1\n1 1 2 1\n1 1 2 3\n$EndElements\n", 16,
           "a triangle in an entity of dimension 1");
    refuse(2, HEAD_41 ENTITIES NODES_41 "$Elements\n1 1 1 1\n2 8 2 1\n1 1 2 3\n", 21,
           "$Entities has no entity 8 of dimension 2");
    refuse(2, HEAD_41 NODES_41 "$Elements\n1 1 1 1\n2 1 2 2\n1 1 2 3\n", 16,
           "there are more elements than the 1 of the section");
    refuse(2, HEAD_41 NODES_41 "$Elements\n1 2 1 1\n2 1 2 1\n1 1 2 3\n$EndElements\n", 18,
           "1 elements in the blocks of a section of 2");
    refuse(2, HEAD_41 ENTITIES ENTITIES, 9, "$Entities is repeated or in the wrong place");
    refuse(2, HEAD_41 "$Entities\n0 2 0 0\n1 0 0 0 1 0 0 0 0\n1 0 0 0 1 0 0 0 0\n", 7,
           "entity 1 is given twice");
    refuse(2, HEAD_41 "$Entities\n0 1 0 0\n1 0 0 0 1 0 0 2 1\n\n\n\n", 6,
           "expected the number of a group, found the end of the line");
    refuse(2, HEAD_41 "$Entities\n0 999999999 0 0\n", 5, "for which the file is too short");
    // a file without entities has no groups, and one without groups is fine
    scree_mesh *m = taken(2, HEAD_41 NODES_41 "$Elements\n1 1 1 1\n2 1 2 1\n1 1 2 3\n$EndElements");
    if (m) CHECK_INT(m->groups, 1);
    if (m) CHECK_NEAR(judge_mesh(m), 0.5, 0);
    scree_mesh_free(m);
}

static void bad_names(void) {
    static const char *const head =
        HEAD_22 "$PhysicalNames\n2\n1 7 \"a\"\n%s\n$EndPhysicalNames\n" SQUARE
                "$Elements\n3\n1 1 2 7 1 1 2\n2 1 2 8 1 2 3\n3 2 2 1 1 1 2 3\n"
                "$EndElements\n";
    static const struct {
        const char *name;
        int line;
        const char *sentence;
    } row[] = {
        { "1 8 \"a\"", 20, "two groups are called \"a\"" },
        { "1 8 a", 7, "expected a name in quotes, found \"a\"" },
        { "1 8 \"a", 7, "the name of a group is empty or not closed" },
        { "1 8 \"\"", 7, "the name of a group is empty or not closed" },
        { "1 9 \"b\"", 7,
          "the physical group \"b\" has no elements (in version 2.2, Mesh.SaveAll" },
        { "4 8 \"b\"", 7, "the dimension of a group cannot be 4" },
        { "1 0 \"b\"", 7, "the number of a group cannot be 0" },
        { "1 8 \"boundary\"", 20, "group \"boundary\" has 1 of 3 facets" },
    };
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        char all[1000];
        snprintf(all, sizeof all, head, row[k].name);
        refuse(2, all, row[k].line, row[k].sentence);
    }
}

/// A file cut off anywhere before its end is refused; whatever else is cut out of it, nothing
/// crashes and no mesh is made that is not one.
static void cut(void) {
    text t = { malloc(1 << 16), 0, 1 << 16, false };
    const double low[2] = { 0, 0 }, size[2] = { 1, 1 };
    const int cells[2] = { 1, 2 }, order[] = { 0, 1, 2, 3, 4, 5 };
    const long long tag[] = { 1, 2, 3, 4, 5, 6 };
    style s = { tag, order, 3 };
    scree_mesh *m, *back;
    CHECK_INT(scree_mesh_rectangle(low, size, cells, SCREE_T3, 0, &m, NULL), SCREE_OK);
    for (int version = 0; version < 2; version++) {
        int fine = 0;
        t.used = 0;
        (version ? write_41 : write_22)(&t, m, &s);
        for (size_t end = 0; end < t.used - 1; end++) {
            scree_error err = { 0 };
            put(t.at, end);
            CHECK_INT(get(2, 1, &back, &err), SCREE_BAD_INPUT);
            CHECK(err.text[0] && !back);
        }
        for (size_t from = 0; from < t.used; from++)
            for (size_t to = from + 1; to < t.used && to < from + 30; to += 7) {
                char rest[1 << 14];
                scree_error err = { 0 };
                memcpy(rest, t.at, from);
                memcpy(rest + from, t.at + to, t.used - to);
                put(rest, from + t.used - to);
                scree_status status = get(2, 1, &back, &err);
                fine += status == SCREE_OK;
                if (status == SCREE_OK)
                    judge_mesh(back);
                else
                    CHECK(status == SCREE_BAD_INPUT && err.text[0] && !back);
                scree_mesh_free(back);
            }
        CHECK(fine > 50);
    }
    scree_mesh_free(m);
    free(t.at);
}

static void allocations(void) {
    text t = { malloc(1 << 20), 0, 1 << 20, false };
    seed = 3;
    scree_mesh *m = random_mesh(2), *back;
    long long tag[256];
    int order[256];
    for (int i = 0; i < m->nodes; i++) tag[i] = 1 + (order[i] = i);
    style s = { tag, order, 1000 };
    for (int version = 0; version < 2; version++) {
        long all = 0;
        t.used = 0;
        (version ? write_41 : write_22)(&t, m, &s);
        for (long n = 0; n <= all; n++) {
            scree_error err = { 0 };
            put(t.at, t.used);
            calls = 0;
            fails_at = n ? n : 1000000;
            scree_status status = get(3, 1, &back, &err);
            fails_at = 0;
            if (n == 0) all = calls;
            CHECK_INT(status, n ? SCREE_NO_MEMORY : SCREE_OK);
            scree_mesh_free(back);
        }
        CHECK(all > 6);
    }
    scree_mesh_free(m);
    free(t.at);
}

TEST_FILE(test_fem_gmsh) {
    TEST(round_trips);
    TEST(numbers_for_names);
    TEST(clockwise);
    TEST(inside);
    TEST(not_ours);
    TEST(bad_nodes);
    TEST(bad_elements);
    TEST(bad_blocks);
    TEST(bad_names);
    TEST(cut);
    TEST(allocations);
    return harness_end();
}
