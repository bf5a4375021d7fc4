// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fem_gmsh.c - from what stands in a Gmsh file to a mesh.
// in: nodes, elements of all dimensions, physical groups.   out: a mesh.   work: numbers, members.

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/fem_kind.h"
#include "model/fem_mesh.h"
#include "model/gmsh_file.h"

// how far z may be off a plane, of the extent in it: what turning a geometry leaves behind
static const double off_plane = 1e-9;

/// An element of a physical group.
typedef struct member {
    int dimension;
    int64_t physical;
    int element;
} member;

typedef struct maker {
    const char *path;
    const char *text;  // of the file, NULL: to be read
    size_t length;
    int space;
    double scale;
    scree_gmsh file;
    int nodes, cells, parts, members;
    int *number;  // of each of the file's nodes in the mesh, -1 if no cell needs it (file.nodes)
    double *node;
    int *cell;  // which elements of the file are cells, those of the dimension of space
    scree_element *kind;
    int *corner;
    member *member;
    scree_mesh_part *part;
    const int **part_line;
    scree_mesh_labels labels;
    scree_arena arena;
    scree_error *err;
} maker;

#define FAIL(m, line, ...)                                                                        \
    scree_fail((m)->err, SCREE_BAD_INPUT, (scree_source_location){ (m)->path, line, (line) > 0 }, \
               __VA_ARGS__)

static scree_status no_memory(const maker *m) {
    return scree_fail(m->err, SCREE_NO_MEMORY, (scree_source_location){ m->path, 0, 0 },
                      "out of memory for a mesh");
}

// ---- cells

// version 2.2 writes an element once for each of its groups, one after the other
static bool is_repeated(const scree_gmsh_element *element, int index) {
    const scree_gmsh_element *e = &element[index], *before = e - 1;
    if (index == 0 || e->physical == before->physical || e->entity != before->entity) return false;
    return e->dimension == before->dimension && e->nodes == before->nodes &&
           memcmp(e->node, before->node, (size_t)e->nodes * sizeof *e->node) == 0;
}

static scree_status choose_cells(maker *m) {
    const scree_gmsh *file = &m->file;
    m->cell = SCREE_NEW(&m->arena, int, file->elements);
    if (!m->cell) return no_memory(m);
    for (int k = 0; k < file->elements; k++) {
        if (file->element[k].dimension > m->space)
            return FAIL(m, file->element[k].line, "an element of space in a mesh of the plane");
        if (file->element[k].dimension == m->space && !is_repeated(file->element, k))
            m->cell[m->cells++] = k;
    }
    if (m->cells > 0) return SCREE_OK;
    return FAIL(m, 0,
                "there are no %s in the file. Gmsh leaves out what belongs to no physical group "
                "as soon as there is one: add a Physical %s, or set Mesh.SaveAll = 1",
                m->space == 2 ? "triangles or quadrangles" : "tetrahedra or hexahedra",
                m->space == 2 ? "Surface" : "Volume");
}

static scree_element kind_of(const scree_gmsh_element *element) {
    int kind = 0;
    while (scree_fem_kind_of((scree_element)kind)->space != element->dimension ||
           scree_fem_kind_of((scree_element)kind)->nodes != element->nodes)
        kind++;
    return (scree_element)kind;
}

static scree_status fill_cells(maker *m) {
    int64_t *tag = SCREE_NEW(&m->arena, int64_t, m->cells);
    int *line = SCREE_NEW(&m->arena, int, m->cells);
    m->kind = SCREE_NEW(&m->arena, scree_element, m->cells);
    m->corner = SCREE_NEW(&m->arena, int, ((size_t)m->cells * SCREE_GMSH_NODES));
    if (!tag || !line || !m->kind || !m->corner) return no_memory(m);
    int *corner = m->corner;
    for (int c = 0; c < m->cells; c++) {
        const scree_gmsh_element *element = &m->file.element[m->cell[c]];
        tag[c] = element->tag;
        line[c] = element->line;
        m->kind[c] = kind_of(element);
        for (int k = 0; k < element->nodes; k++) *corner++ = m->number[element->node[k]];
    }
    m->labels.path = m->path;
    m->labels.element = tag;
    m->labels.line = line;
    return SCREE_OK;
}

// ---- nodes

static scree_status number_nodes(maker *m) {
    const scree_gmsh *file = &m->file;
    m->number = SCREE_NEW(&m->arena, int, file->nodes);
    if (!m->number) return no_memory(m);
    for (int i = 0; i < file->nodes; i++) m->number[i] = -1;
    for (int c = 0; c < m->cells; c++) {
        const scree_gmsh_element *element = &file->element[m->cell[c]];
        for (int k = 0; k < element->nodes; k++) m->number[element->node[k]] = 0;
    }
    for (int i = 0; i < file->nodes; i++)
        if (m->number[i] == 0) m->number[i] = m->nodes++;
    return SCREE_OK;
}

static scree_status fill_nodes(maker *m) {
    int64_t *tag = SCREE_NEW(&m->arena, int64_t, m->nodes);
    m->node = SCREE_NEW(&m->arena, double, ((size_t)m->nodes * (size_t)m->space));
    if (!tag || !m->node) return no_memory(m);
    for (int i = 0; i < m->file.nodes; i++) {
        int n = m->number[i];
        if (n < 0) continue;
        tag[n] = m->file.node[i].tag;
        for (int c = 0; c < m->space; c++) {
            double x = m->scale * m->file.node[i].at[c];
            if (!isfinite(x))
                return FAIL(m, m->file.node[i].line, "a coordinate times %g must be finite",
                            m->scale);
            m->node[n * m->space + c] = x;
        }
    }
    m->labels.node = tag;
    return SCREE_OK;
}

static scree_status check_plane(const maker *m) {
    const scree_gmsh_node *first = NULL;
    double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
    for (int i = 0; i < m->file.nodes; i++) {
        const scree_gmsh_node *node = &m->file.node[i];
        if (m->number[i] < 0) continue;
        if (!first) first = node;
        for (int c = 0; c < 2; c++) {
            low[c] = fmin(low[c], node->at[c]);
            high[c] = fmax(high[c], node->at[c]);
        }
    }
    double most = off_plane * fmax(high[0] - low[0], high[1] - low[1]);
    for (int i = 0; i < m->file.nodes; i++) {
        const scree_gmsh_node *node = &m->file.node[i];
        if (m->number[i] >= 0 && !(fabs(node->at[2] - first->at[2]) <= most))
            return FAIL(m, node->line,
                        "z is %g at node %lld and %g at node %lld: a mesh of the plane lies in a "
                        "plane of the same z",
                        node->at[2], (long long)node->tag, first->at[2], (long long)first->tag);
    }
    return SCREE_OK;
}

// ---- surfaces

static int by_number(const void *a, const void *b) {
    int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
    return (p > q) - (p < q);
}

// numbers from 0 for the entities of the cells
static scree_status number_surfaces(maker *m) {
    int64_t *entity = SCREE_NEW(&m->arena, int64_t, m->cells);
    int *surface = SCREE_NEW(&m->arena, int, m->cells), count = 0;
    if (!entity || !surface) return no_memory(m);
    for (int c = 0; c < m->cells; c++) entity[c] = m->file.element[m->cell[c]].entity;
    qsort(entity, (size_t)m->cells, sizeof *entity, by_number);
    for (int c = 0; c < m->cells; c++)
        if (c == 0 || entity[c] != entity[count - 1]) entity[count++] = entity[c];
    for (int c = 0; c < m->cells; c++) {
        const int64_t *found = bsearch(&m->file.element[m->cell[c]].entity, entity, (size_t)count,
                                       sizeof *entity, by_number);
        surface[c] = (int)(found - entity);
    }
    m->labels.surface = surface;
    m->labels.surfaces = count;
    return SCREE_OK;
}

// ---- groups

static const scree_gmsh_entity *entity_of(const scree_gmsh *file,
                                          const scree_gmsh_element *element) {
    int low = 0, high = file->entities;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const scree_gmsh_entity *e = &file->entity[middle];
        if (e->dimension == element->dimension && e->tag == element->entity) return e;
        if (e->dimension < element->dimension ||
            (e->dimension == element->dimension && e->tag < element->entity))
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

// the physical groups of an element: one of its own, or those of its entity
static int groups_of(const scree_gmsh *file, const scree_gmsh_element *element,
                     const int64_t **physical) {
    const scree_gmsh_entity *entity = entity_of(file, element);
    if (!entity) {
        *physical = &element->physical;
        return element->physical != 0;
    }
    // where no entity has a group there is no list of them
    *physical = entity->count ? file->physical + entity->first : NULL;
    return entity->count;
}

static int by_group(const void *a, const void *b) {
    const member *p = a, *q = b;
    if (p->dimension != q->dimension) return p->dimension > q->dimension ? -1 : 1;
    return (p->physical > q->physical) - (p->physical < q->physical);
}

static int by_group_and_element(const void *a, const void *b) {
    int order = by_group(a, b), p = ((const member *)a)->element, q = ((const member *)b)->element;
    return order ? order : (p > q) - (p < q);
}

static scree_status find_members(maker *m) {
    const scree_gmsh *file = &m->file;
    const int64_t *physical;
    int64_t all = 0;
    for (int k = 0; k < file->elements; k++)
        if (file->element[k].dimension < m->space)
            all += groups_of(file, &file->element[k], &physical);
    if (all > SCREE_MESH_MOST)
        return FAIL(m, 0, "the groups have %lld elements: at most %d", (long long)all,
                    (int)SCREE_MESH_MOST);
    m->member = SCREE_NEW(&m->arena, member, all);
    if (!m->member) return no_memory(m);
    for (int k = 0; k < file->elements; k++) {
        if (file->element[k].dimension == m->space) continue;
        int count = groups_of(file, &file->element[k], &physical);
        for (int g = 0; g < count; g++)
            m->member[m->members++] = (member){ file->element[k].dimension, physical[g], k };
    }
    if (m->members) qsort(m->member, (size_t)m->members, sizeof *m->member, by_group_and_element);
    return SCREE_OK;
}

static const char *name_of(maker *m, const member *of) {
    for (int k = 0; k < m->file.names; k++)
        if (m->file.name[k].dimension == of->dimension && m->file.name[k].physical == of->physical)
            return m->file.name[k].text;
    char text[40];
    const char *what = of->dimension == m->space - 1 ? ""
                       : of->dimension == 0          ? "point "
                                                     : "curve ";
    int length = snprintf(text, sizeof text, "%s%lld", what, (long long)of->physical);
    return scree_arena_text(&m->arena, text, (size_t)length);
}

static scree_status take_corners(const maker *m, const scree_gmsh_element *element, int count,
                                 const char *name, int *node) {
    for (int k = 0; k < count; k++) {
        node[k] = m->number[element->node[k]];
        if (node[k] < 0)
            return FAIL(m, element->line, "group \"%s\": node %lld belongs to no element", name,
                        (long long)m->file.node[element->node[k]].tag);
    }
    return SCREE_OK;
}

// facets by their corners, with room for four each, or nodes one behind the other
static scree_status make_part(maker *m, const member *of, int count) {
    const scree_gmsh_element *element = m->file.element;
    bool facets = of->dimension == m->space - 1;
    int corners = 0, used = 0;
    for (int k = 0; k < count; k++)
        corners += facets ? SCREE_FACET_CORNERS : element[of[k].element].nodes;
    int *node = SCREE_NEW(&m->arena, int, corners), *line = SCREE_NEW(&m->arena, int, corners);
    const char *name = name_of(m, of);
    if (!node || !line || !name) return no_memory(m);
    for (int k = 0; k < count; k++) {
        const scree_gmsh_element *e = &element[of[k].element];
        int own = facets ? e->corners : e->nodes;
        scree_status status = take_corners(m, e, own, name, node + used);
        if (status) return status;
        for (int c = own; facets && c < SCREE_FACET_CORNERS; c++) node[used + c] = -1;
        for (int c = 0; c < own && !facets; c++) line[used + c] = e->line;
        if (facets) line[k] = e->line;
        used += facets ? SCREE_FACET_CORNERS : own;
    }
    m->part_line[m->parts] = line;
    m->part[m->parts++] = (scree_mesh_part){
        .name = name, .node = node, .nodes = facets ? 0 : used, .facets = facets ? count : 0
    };
    return SCREE_OK;
}

// a name that nothing has would be missed later, far from here
static scree_status check_names(const maker *m) {
    for (int k = 0; k < m->file.names; k++) {
        const scree_gmsh_name *name = &m->file.name[k];
        member wanted = { name->dimension, name->physical, 0 };
        if (name->dimension >= m->space) continue;
        if (m->members == 0 ||
            !bsearch(&wanted, m->member, (size_t)m->members, sizeof wanted, by_group))
            return FAIL(
                m, name->line, "the physical group \"%s\" has no elements%s", name->text,
                m->file.entities ? "" : " (in version 2.2, Mesh.SaveAll leaves groups out)");
    }
    return SCREE_OK;
}

static scree_status make_parts(maker *m) {
    scree_status status = find_members(m);
    if (!status) status = check_names(m);
    if (status) return status;
    m->part = SCREE_NEW(&m->arena, scree_mesh_part, m->members);
    m->part_line = SCREE_NEW(&m->arena, const int *, m->members);
    if (!m->part || !m->part_line) return no_memory(m);
    for (int i = 0, end; i < m->members && !status; i = end) {
        for (end = i + 1; end < m->members && by_group(&m->member[i], &m->member[end]) == 0;) end++;
        status = make_part(m, &m->member[i], end - i);
    }
    m->labels.part_line = m->part_line;
    return status;
}

// ---- all of it

static scree_status prepare(maker *m) {
    if (m->space != 2 && m->space != 3)
        return FAIL(m, 0, "a mesh has 2 or 3 dimensions, got %d", m->space);
    if (!(m->scale > 0 && isfinite(m->scale)))
        return FAIL(m, 0, "scale must be positive, got %g", m->scale);
    scree_status status =
        m->text ? scree_gmsh_parse(m->path, m->text, m->length, &m->arena, &m->file, m->err)
                : scree_gmsh_read(m->path, &m->arena, &m->file, m->err);
    if (!status) status = choose_cells(m);
    if (!status) status = number_nodes(m);
    if (!status) status = fill_nodes(m);
    if (!status) status = fill_cells(m);
    if (!status && m->space == 2) status = check_plane(m);
    if (!status && m->space == 2) status = number_surfaces(m);
    return status ? status : make_parts(m);
}

static scree_status make(maker *m, scree_mesh **mesh) {
    *mesh = NULL;
    scree_status status = prepare(m);
    if (!status)
        status = scree_mesh_build(m->space, m->nodes, m->node, m->cells, m->kind, m->corner,
                                  m->parts, m->part, &m->labels, mesh, m->err);
    scree_arena_free(&m->arena);
    return status;
}

scree_status scree_mesh_read_gmsh(const char *path, int space, double scale, scree_mesh **mesh,
                                  scree_error *err) {
    maker m = { .path = path, .space = space, .scale = scale, .err = err };
    return make(&m, mesh);
}

scree_status scree_mesh_parse_gmsh(const char *name, const char *text, size_t length, int space,
                                   double scale, scree_mesh **mesh, scree_error *err) {
    maker m = {
        .path = name, .text = text, .length = length, .space = space, .scale = scale, .err = err
    };
    return make(&m, mesh);
}
