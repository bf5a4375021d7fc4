// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// gmsh_file.c - the sections of a Gmsh file, versions 2.2 and 4.1, as text.
// in: a file.   out: nodes, elements, groups as they stand in it.   work: the text.
//
// A count is believed only as far as the rest of the file is long enough for it.

#include "model/gmsh_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/fem_mesh.h"
#include "model/mesh_text.h"

enum { ENTITY_PHYSICALS_FIRST = 64 };

typedef struct reader {
    scree_mesh_text in;
    bool blocks;  // version 4.1
    bool seen_nodes, seen_elements, seen_entities, seen_names;
    int room;  // for physical groups of entities
    scree_gmsh *file;
    scree_arena *arena;
} reader;

// ---- words of a line

static bool take_word(reader *r, const char *word) {
    size_t length = strlen(word);
    if (scree_mesh_text_line_done(&r->in) || strncmp(r->in.at, word, length) != 0) return false;
    if (!scree_mesh_text_ends_word(&r->in, r->in.at + length)) return false;
    r->in.at += length;
    return true;
}

static scree_status take_integer(reader *r, const char *what, int64_t low, int64_t high,
                                 int64_t *value) {
    char *behind = NULL;
    errno = 0;
    if (!scree_mesh_text_line_done(&r->in)) *value = strtoll(r->in.at, &behind, 10);
    if (!behind || behind == r->in.at || !scree_mesh_text_ends_word(&r->in, behind) || errno)
        return SCREE_MESH_FAIL(&r->in, "expected %s, found %s", what,
                               scree_mesh_text_found(&r->in).text);
    if (*value < low || *value > high)
        return SCREE_MESH_FAIL(&r->in, "%s cannot be %lld", what, (long long)*value);
    r->in.at = behind;
    return SCREE_OK;
}

// a number of things of which each takes some bytes at least
static scree_status take_count(reader *r, const char *what, size_t bytes, int *count) {
    int64_t value = 0;
    scree_status status = take_integer(r, what, 0, INT64_MAX, &value);
    if (status) return status;
    if ((uint64_t)value > (size_t)(scree_mesh_text_end(&r->in) - r->in.at) / bytes + 1)
        return SCREE_MESH_FAIL(&r->in, "%s is %lld, for which the file is too short", what,
                               (long long)value);
    if (value > SCREE_MESH_MOST)
        return SCREE_MESH_FAIL(&r->in, "%s is %lld: at most %d", what, (long long)value,
                               (int)SCREE_MESH_MOST);
    *count = (int)value;
    return SCREE_OK;
}

static scree_status close_line(reader *r) {
    if (!scree_mesh_text_line_done(&r->in))
        return SCREE_MESH_FAIL(&r->in, "expected the end of the line, found %s",
                               scree_mesh_text_found(&r->in).text);
    scree_mesh_text_next_line(&r->in);
    return SCREE_OK;
}

static scree_status close_section(reader *r, const char *name) {
    scree_mesh_text_skip_empty(&r->in);
    if (!take_word(r, name))
        return SCREE_MESH_FAIL(&r->in, "expected %s, found %s", name,
                               scree_mesh_text_found(&r->in).text);
    return close_line(r);
}

// ---- $MeshFormat, $PhysicalNames

static scree_status read_format(reader *r) {
    int64_t binary = 0;
    scree_mesh_text_skip_empty(&r->in);
    if (!take_word(r, "$MeshFormat"))
        return SCREE_MESH_FAIL(&r->in, "not a mesh of Gmsh: expected $MeshFormat, found %s",
                               scree_mesh_text_found(&r->in).text);
    scree_mesh_text_next_line(&r->in);
    scree_mesh_text_skip_empty(&r->in);
    r->blocks = take_word(r, "4.1");
    if (!r->blocks && !take_word(r, "2.2"))
        return SCREE_MESH_FAIL(&r->in,
                               "format %s: only 2.2 and 4.1 can be read (gmsh -format msh41)",
                               scree_mesh_text_found(&r->in).text);
    scree_status status = take_integer(r, "the type of the file", 0, 1, &binary);
    if (status) return status;
    if (binary)
        return SCREE_MESH_FAIL(&r->in, "the file is binary: save it as text (without -bin)");
    scree_mesh_text_next_line(&r->in);
    return close_section(r, "$EndMeshFormat");
}

static scree_status take_name(reader *r, scree_gmsh_name *name) {
    int64_t dimension = 0;
    scree_mesh_text_skip_empty(&r->in);
    name->line = r->in.line;
    scree_status status = take_integer(r, "the dimension of a group", 0, 3, &dimension);
    if (!status) status = take_integer(r, "the number of a group", 1, INT64_MAX, &name->physical);
    if (status) return status;
    name->dimension = (int)dimension;
    if (scree_mesh_text_line_done(&r->in) || *r->in.at != '"')
        return SCREE_MESH_FAIL(&r->in, "expected a name in quotes, found %s",
                               scree_mesh_text_found(&r->in).text);
    const char *first = r->in.at + 1, *last = first;
    for (const char *c = first; c < scree_mesh_text_end(&r->in) && *c != '\n'; c++)
        if (*c == '"') last = c;
    if (last == first) return SCREE_MESH_FAIL(&r->in, "the name of a group is empty or not closed");
    name->text = scree_arena_text(r->arena, first, (size_t)(last - first));
    if (!name->text) return scree_mesh_text_no_memory(&r->in);
    if (strlen(name->text) != (size_t)(last - first))
        return SCREE_MESH_FAIL(&r->in, "the name of a group has a zero in it");
    r->in.at = last + 1;
    return close_line(r);
}

static scree_status read_names(reader *r) {
    scree_gmsh *file = r->file;
    int count = 0;
    scree_mesh_text_skip_empty(&r->in);
    scree_status status = take_count(r, "the number of names", 6, &count);
    if (!status) status = close_line(r);
    if (status) return status;
    file->name = SCREE_NEW(r->arena, scree_gmsh_name, count);
    if (!file->name) return scree_mesh_text_no_memory(&r->in);
    for (; file->names < count; file->names++) {
        status = take_name(r, &file->name[file->names]);
        if (status) return status;
    }
    return close_section(r, "$EndPhysicalNames");
}

// ---- $Entities

static scree_status add_physical(reader *r, int64_t physical) {
    scree_gmsh *file = r->file;
    if (file->physicals == r->room) {
        int room = r->room ? 2 * r->room : ENTITY_PHYSICALS_FIRST;
        int64_t *larger = SCREE_NEW(r->arena, int64_t, room);
        if (!larger) return scree_mesh_text_no_memory(&r->in);
        if (r->room) memcpy(larger, file->physical, (size_t)r->room * sizeof *larger);
        file->physical = larger;
        r->room = room;
    }
    file->physical[file->physicals++] = physical;
    return SCREE_OK;
}

// tag, place or box, physical groups; what it is bounded by is not looked at
static scree_status take_entity(reader *r, int dimension) {
    scree_gmsh_entity *entity = &r->file->entity[r->file->entities];
    scree_mesh_text_skip_empty(&r->in);
    *entity = (scree_gmsh_entity){ .dimension = dimension, .line = r->in.line };
    entity->first = r->file->physicals;
    scree_status status =
        take_integer(r, "the number of an entity", INT64_MIN, INT64_MAX, &entity->tag);
    double unused;
    for (int k = 0; k < (dimension ? 6 : 3) && !status; k++)
        status = scree_mesh_text_number(&r->in, "a coordinate", &unused);
    if (!status) status = take_count(r, "the number of groups", 2, &entity->count);
    for (int k = 0; k < entity->count && !status; k++) {
        int64_t physical = 0;
        status = take_integer(r, "the number of a group", -INT64_MAX, INT64_MAX, &physical);
        // a sign tells a direction, which facets do not need
        if (!status) status = add_physical(r, physical < 0 ? -physical : physical);
    }
    if (status) return status;
    r->file->entities++;
    scree_mesh_text_next_line(&r->in);
    return SCREE_OK;
}

static int by_entity(const void *a, const void *b) {
    const scree_gmsh_entity *p = a, *q = b;
    if (p->dimension != q->dimension) return p->dimension < q->dimension ? -1 : 1;
    return (p->tag > q->tag) - (p->tag < q->tag);
}

static scree_status sort_entities(reader *r) {
    scree_gmsh *file = r->file;
    if (file->entities)
        qsort(file->entity, (size_t)file->entities, sizeof *file->entity, by_entity);
    for (int i = 1; i < file->entities; i++)
        if (by_entity(&file->entity[i - 1], &file->entity[i]) == 0)
            return scree_fail(r->in.err, SCREE_BAD_INPUT,
                              (scree_source_location){ r->in.path, file->entity[i].line, 1 },
                              "entity %lld is given twice", (long long)file->entity[i].tag);
    return SCREE_OK;
}

static scree_status read_entities(reader *r) {
    int count[4] = { 0 }, all = 0;
    scree_status status = SCREE_OK;
    scree_mesh_text_skip_empty(&r->in);
    for (int d = 0; d < 4 && !status; d++) {
        status = take_count(r, "the number of entities", 10, &count[d]);
        all += count[d];
    }
    if (!status) status = close_line(r);
    if (status) return status;
    r->file->entity = SCREE_NEW(r->arena, scree_gmsh_entity, all);
    if (!r->file->entity) return scree_mesh_text_no_memory(&r->in);
    for (int d = 0; d < 4; d++)
        for (int k = 0; k < count[d]; k++) {
            status = take_entity(r, d);
            if (status) return status;
        }
    status = sort_entities(r);
    return status ? status : close_section(r, "$EndEntities");
}

// ---- $Nodes

static scree_status take_tag(reader *r, const char *what, int64_t *tag) {
    scree_mesh_text_skip_empty(&r->in);
    return take_integer(r, what, 1, INT64_MAX, tag);
}

// behind the coordinates of parametric nodes there is more
static scree_status take_place(reader *r, double at[3]) {
    scree_status status = SCREE_OK;
    for (int c = 0; c < 3 && !status; c++) {
        status = scree_mesh_text_number(&r->in, "a coordinate", &at[c]);
        at[c] += 0;  // -0 is 0
    }
    if (!status) scree_mesh_text_next_line(&r->in);
    return status;
}

static scree_status take_node(reader *r) {
    scree_gmsh_node *node = &r->file->node[r->file->nodes];
    scree_status status = take_tag(r, "the number of a node", &node->tag);
    node->line = r->in.line;
    if (!status) status = take_place(r, node->at);
    if (!status) r->file->nodes++;
    return status;
}

// all numbers of a block, then all places
static scree_status take_node_block(reader *r, int all) {
    int64_t unused;
    int count = 0;
    scree_mesh_text_skip_empty(&r->in);
    scree_status status = take_integer(r, "the dimension of an entity", 0, 3, &unused);
    if (!status) status = take_integer(r, "the number of an entity", INT64_MIN, INT64_MAX, &unused);
    if (!status) status = take_integer(r, "whether nodes are parametric", 0, 1, &unused);
    if (!status) status = take_count(r, "the number of nodes", 8, &count);
    if (!status && count > all - r->file->nodes)
        return SCREE_MESH_FAIL(&r->in, "there are more nodes than the %d of the section", all);
    if (!status) status = close_line(r);
    scree_gmsh_node *node = r->file->node + r->file->nodes;
    for (int k = 0; k < count && !status; k++) {
        status = take_tag(r, "the number of a node", &node[k].tag);
        if (!status) status = close_line(r);
    }
    for (int k = 0; k < count && !status; k++) {
        scree_mesh_text_skip_empty(&r->in);
        node[k].line = r->in.line;
        status = take_place(r, node[k].at);
    }
    if (!status) r->file->nodes += count;
    return status;
}

static int by_tag(const void *a, const void *b) {
    const scree_gmsh_node *p = a, *q = b;
    if (p->tag != q->tag) return p->tag < q->tag ? -1 : 1;
    return (p->line > q->line) - (p->line < q->line);
}

static scree_status sort_nodes(reader *r) {
    scree_gmsh *file = r->file;
    if (file->nodes) qsort(file->node, (size_t)file->nodes, sizeof *file->node, by_tag);
    for (int i = 1; i < file->nodes; i++)
        if (file->node[i].tag == file->node[i - 1].tag)
            return scree_fail(r->in.err, SCREE_BAD_INPUT,
                              (scree_source_location){ r->in.path, file->node[i].line, 1 },
                              "node %lld is given twice: first in line %d",
                              (long long)file->node[i].tag, file->node[i - 1].line);
    return SCREE_OK;
}

/// The first line of $Nodes and $Elements: in version 4.1 the number of blocks before that of
/// things, and the least and largest of their tags behind it, which nobody needs.
static scree_status take_counts(reader *r, const char *what, size_t bytes, int *blocks, int *all) {
    scree_mesh_text_skip_empty(&r->in);
    scree_status status = SCREE_OK;
    if (r->blocks) status = take_count(r, "the number of blocks", 2, blocks);
    if (!status) status = take_count(r, what, bytes, all);
    if (!status) scree_mesh_text_next_line(&r->in);
    return status;
}

static scree_status read_nodes(reader *r, const char *ending) {
    int blocks = 0, all = 0;
    scree_status status = take_counts(r, "the number of nodes", 8, &blocks, &all);
    if (status) return status;
    r->file->node = SCREE_NEW(r->arena, scree_gmsh_node, all);
    if (!r->file->node) return scree_mesh_text_no_memory(&r->in);
    for (int b = 0; b < blocks && !status; b++) status = take_node_block(r, all);
    while (!r->blocks && r->file->nodes < all && !status) status = take_node(r);
    if (status) return status;
    if (r->file->nodes < all)
        return SCREE_MESH_FAIL(&r->in, "%d nodes in the blocks of a section of %d", r->file->nodes,
                               all);
    status = close_section(r, ending);
    return status ? status : sort_nodes(r);
}

// ---- $Elements

typedef struct type_row {
    int dimension, corners;  // corners 0: not for us
    const char *name;
    int nodes, inner;          // corners and middles of edges; behind them, in faces and inside
    const signed char *order;  // where they stand in the file; NULL: in ours
} type_row;

// middles of edges: ours, in the places of the file
static const signed char tetrahedron[] = { 0, 1, 2, 3, 4, 5, 6, 7, 9, 8 };
static const signed char hexahedron[] = { 0,  1, 2,  3,  4,  5,  6,  7,  8,  11,
                                          13, 9, 16, 18, 19, 17, 10, 12, 14, 15 };

static const type_row type_table[] = {
    [1] = { 1, 2, "line", 2, 0, NULL },
    [2] = { 2, 3, "triangle", 3, 0, NULL },
    [3] = { 2, 4, "quadrangle", 4, 0, NULL },
    [4] = { 3, 4, "tetrahedron", 4, 0, NULL },
    [5] = { 3, 8, "hexahedron", 8, 0, NULL },
    [6] = { 3, 0, "prism", 0, 0, NULL },
    [7] = { 3, 0, "pyramid", 0, 0, NULL },
    [8] = { 1, 2, "line of 3 nodes", 3, 0, NULL },
    [9] = { 2, 3, "triangle of 6 nodes", 6, 0, NULL },
    [10] = { 2, 4, "quadrangle of 9 nodes", 8, 1, NULL },
    [11] = { 3, 4, "tetrahedron of 10 nodes", 10, 0, tetrahedron },
    [12] = { 3, 8, "hexahedron of 27 nodes", 20, 7, hexahedron },
    [13] = { 3, 0, "prism of 18 nodes", 0, 0, NULL },
    [14] = { 3, 0, "pyramid of 14 nodes", 0, 0, NULL },
    [15] = { 0, 1, "point", 1, 0, NULL },
    [16] = { 2, 4, "quadrangle of 8 nodes", 8, 0, NULL },
    [17] = { 3, 8, "hexahedron of 20 nodes", 20, 0, hexahedron },
    [18] = { 3, 0, "prism of 15 nodes", 0, 0, NULL },
    [19] = { 3, 0, "pyramid of 13 nodes", 0, 0, NULL },
};

enum { TYPES = sizeof type_table / sizeof *type_table, PRISM = 6, PYRAMID = 7 };

static scree_status take_type(reader *r, const type_row **row) {
    int64_t type = 0;
    scree_status status = take_integer(r, "the type of an element", 1, INT64_MAX, &type);
    if (status) return status;
    *row = &type_table[type < TYPES ? type : 0];
    if ((*row)->corners) return SCREE_OK;
    if (type == PRISM || type == PYRAMID)
        return SCREE_MESH_FAIL(
            &r->in,
            "elements of type %lld (%s) cannot be used: mesh with tetrahedra or with "
            "hexahedra",
            (long long)type, (*row)->name);
    return SCREE_MESH_FAIL(
        &r->in,
        "elements of type %lld (%s) cannot be used: mesh with elements of first or second "
        "order (Mesh.ElementOrder = 1 or 2)",
        (long long)type, (*row)->name ? (*row)->name : "of higher order");
}

static scree_status take_corner(reader *r, int *corner) {
    const scree_gmsh *file = r->file;
    scree_gmsh_node wanted = { 0 };
    scree_status status = take_integer(r, "the number of a node", 1, INT64_MAX, &wanted.tag);
    if (status) return status;
    // most files have all tags from 1
    const scree_gmsh_node *node = NULL;
    if (wanted.tag <= file->nodes && file->node[wanted.tag - 1].tag == wanted.tag)
        node = &file->node[wanted.tag - 1];
    for (int low = 0, high = file->nodes; !node && low < high;) {
        int middle = low + (high - low) / 2;
        if (file->node[middle].tag == wanted.tag) node = &file->node[middle];
        if (file->node[middle].tag < wanted.tag)
            low = middle + 1;
        else
            high = middle;
    }
    if (!node) return SCREE_MESH_FAIL(&r->in, "there is no node %lld", (long long)wanted.tag);
    *corner = (int)(node - file->node);
    return SCREE_OK;
}

static scree_status take_corners(reader *r, const type_row *row, scree_gmsh_element *element) {
    scree_status status = SCREE_OK;
    element->dimension = row->dimension;
    element->corners = row->corners;
    element->nodes = row->nodes;
    int node[SCREE_GMSH_NODES], inner;
    for (int k = 0; k < row->nodes && !status; k++) status = take_corner(r, &node[k]);
    for (int k = 0; k < row->inner && !status; k++) status = take_corner(r, &inner);
    for (int k = 0; k < row->nodes && !status; k++)
        element->node[k] = node[row->order ? row->order[k] : k];
    return status ? status : close_line(r);
}

// tag type tags ... nodes ..., where the first tag is the physical group, the second the entity
static scree_status take_element(reader *r) {
    scree_gmsh_element *element = &r->file->element[r->file->elements];
    const type_row *row = NULL;
    int tags = 0;
    scree_status status = take_tag(r, "the number of an element", &element->tag);
    element->line = r->in.line;
    if (!status) status = take_type(r, &row);
    if (!status) status = take_count(r, "the number of tags", 2, &tags);
    for (int k = 0; k < tags && !status; k++) {
        int64_t tag = 0;
        status = take_integer(r, "a tag", -INT64_MAX, INT64_MAX, &tag);
        if (k == 0) element->physical = tag < 0 ? -tag : tag;
        if (k == 1) element->entity = tag;
    }
    if (!status) status = take_corners(r, row, element);
    if (!status) r->file->elements++;
    return status;
}

static scree_status check_entity(reader *r, int dimension, int64_t tag) {
    scree_gmsh_entity wanted = { .dimension = dimension, .tag = tag };
    const scree_gmsh *file = r->file;
    if (!r->seen_entities) return SCREE_OK;
    if (file->entities &&
        bsearch(&wanted, file->entity, (size_t)file->entities, sizeof wanted, by_entity))
        return SCREE_OK;
    return SCREE_MESH_FAIL(&r->in, "$Entities has no entity %lld of dimension %d", (long long)tag,
                           dimension);
}

static scree_status take_element_block(reader *r, int all) {
    int64_t dimension = 0, entity = 0;
    const type_row *row = NULL;
    int count = 0;
    scree_mesh_text_skip_empty(&r->in);
    scree_status status = take_integer(r, "the dimension of an entity", 0, 3, &dimension);
    if (!status) status = take_integer(r, "the number of an entity", INT64_MIN, INT64_MAX, &entity);
    if (!status) status = check_entity(r, (int)dimension, entity);
    if (!status) status = take_type(r, &row);
    if (!status && row->dimension != dimension)
        return SCREE_MESH_FAIL(&r->in, "a %s in an entity of dimension %d", row->name,
                               (int)dimension);
    if (!status) status = take_count(r, "the number of elements", 4, &count);
    if (!status && count > all - r->file->elements)
        return SCREE_MESH_FAIL(&r->in, "there are more elements than the %d of the section", all);
    if (!status) status = close_line(r);
    for (int k = 0; k < count && !status; k++) {
        scree_gmsh_element *element = &r->file->element[r->file->elements];
        status = take_tag(r, "the number of an element", &element->tag);
        element->entity = entity;
        element->line = r->in.line;
        if (!status) status = take_corners(r, row, element);
        if (!status) r->file->elements++;
    }
    return status;
}

static scree_status read_elements(reader *r) {
    if (!r->seen_nodes) return SCREE_MESH_FAIL(&r->in, "$Elements must come behind $Nodes");
    int blocks = 0, all = 0;
    scree_status status = take_counts(r, "the number of elements", 4, &blocks, &all);
    if (status) return status;
    r->file->element = SCREE_NEW(r->arena, scree_gmsh_element, all);
    if (!r->file->element) return scree_mesh_text_no_memory(&r->in);
    for (int b = 0; b < blocks && !status; b++) status = take_element_block(r, all);
    while (!r->blocks && r->file->elements < all && !status) status = take_element(r);
    if (status) return status;
    if (r->file->elements < all)
        return SCREE_MESH_FAIL(&r->in, "%d elements in the blocks of a section of %d",
                               r->file->elements, all);
    return close_section(r, "$EndElements");
}

// ---- sections

static bool take_once(reader *r, const char *name, bool *seen) {
    if (*seen || !take_word(r, name)) return false;
    *seen = true;
    scree_mesh_text_next_line(&r->in);
    return true;
}

// results, periodicity and the rest
static scree_status skip_section(reader *r) {
    const char *name = r->in.at + 1;
    scree_source_location begin = scree_mesh_text_place(&r->in);
    size_t length = 0;
    while (!scree_mesh_text_ends_word(&r->in, name + length)) length++;
    for (scree_mesh_text_next_line(&r->in); r->in.at < scree_mesh_text_end(&r->in);
         scree_mesh_text_next_line(&r->in))
        if ((size_t)(scree_mesh_text_end(&r->in) - r->in.at) >= length + 4 &&
            strncmp(r->in.at, "$End", 4) == 0 && strncmp(r->in.at + 4, name, length) == 0 &&
            scree_mesh_text_ends_word(&r->in, r->in.at + 4 + length)) {
            scree_mesh_text_next_line(&r->in);
            return SCREE_OK;
        }
    return scree_fail(r->in.err, SCREE_BAD_INPUT, begin, "the section is not closed");
}

static scree_status refuse_section(reader *r) {
    static const char *const once[] = { "$MeshFormat", "$PhysicalNames",   "$Entities",
                                        "$Nodes",      "$ParametricNodes", "$Elements" };
    if (*r->in.at != '$')
        return SCREE_MESH_FAIL(&r->in, "expected the name of a section, found %s",
                               scree_mesh_text_found(&r->in).text);
    if (strncmp(r->in.at, "$End", 4) == 0)
        return SCREE_MESH_FAIL(&r->in, "%s closes nothing", scree_mesh_text_found(&r->in).text);
    for (size_t k = 0; k < sizeof once / sizeof *once; k++)
        if (take_word(r, once[k]))
            return SCREE_MESH_FAIL(&r->in, "%s is repeated or in the wrong place", once[k]);
    if (take_word(r, "$PartitionedEntities"))
        return SCREE_MESH_FAIL(&r->in, "the mesh is cut into partitions: save it as one");
    return SCREE_OK;
}

static scree_status read_section(reader *r) {
    if (take_once(r, "$PhysicalNames", &r->seen_names)) return read_names(r);
    if (r->blocks && !r->seen_elements && take_once(r, "$Entities", &r->seen_entities))
        return read_entities(r);
    if (take_once(r, "$Nodes", &r->seen_nodes)) return read_nodes(r, "$EndNodes");
    if (!r->blocks && take_once(r, "$ParametricNodes", &r->seen_nodes))
        return read_nodes(r, "$EndParametricNodes");
    if (take_once(r, "$Elements", &r->seen_elements)) return read_elements(r);
    scree_status status = refuse_section(r);
    return status ? status : skip_section(r);
}

static scree_status read_sections(reader *r) {
    scree_mesh_text_rewind(&r->in);
    scree_status status = read_format(r);
    while (!status) {
        scree_mesh_text_skip_empty(&r->in);
        if (r->in.at == scree_mesh_text_end(&r->in)) break;
        status = read_section(r);
    }
    if (status) return status;
    if (!r->seen_nodes) return SCREE_MESH_FAIL(&r->in, "the file ends without a section $Nodes");
    if (!r->seen_elements)
        return SCREE_MESH_FAIL(&r->in, "the file ends without a section $Elements");
    return SCREE_OK;
}

// ---- files

// text NULL: that of the file path
static scree_status read_all(const char *path, const char *text, size_t length, scree_arena *arena,
                             scree_gmsh *file, scree_error *err) {
    reader r = { .file = file, .arena = arena };
    *file = (scree_gmsh){ 0 };
    scree_status status = scree_mesh_text_open(&r.in, path, text, length, 0, err);
    if (!status) status = read_sections(&r);
    scree_mesh_text_close(&r.in);
    return status;
}

scree_status scree_gmsh_read(const char *path, scree_arena *arena, scree_gmsh *file,
                             scree_error *err) {
    return read_all(path, NULL, 0, arena, file, err);
}

scree_status scree_gmsh_parse(const char *name, const char *text, size_t length, scree_arena *arena,
                              scree_gmsh *file, scree_error *err) {
    return read_all(name, text, length, arena, file, err);
}
