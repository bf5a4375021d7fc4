// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_mesh.c - meshes in a run file.
// in: a model, the files of a scene.   out: a group for each elastic body, with cells as VTK has
// them, and the bytes of files; and back: a mesh, the files.
//
// A mesh that came from a file may be gone, or have become another one, when the run is looked at.

#include "store/run_mesh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_text.h"
#include "model/fem_mesh.h"
#include "scene/scene.h"
#include "store/layout.h"

// by scree_element: VTK's numbers of triangle, quad, tetra, hexahedron, and of the quadratic ones
static const int vtk_types[SCREE_ELEMENT_KINDS] = { 5, 9, 10, 12, 22, 23, 24, 25 };

// ---- writing

static void put_integers(hid_t where, const char *name, int rows, int columns, const int *data,
                         bool *fine) {
    scree_layout_put_array(where, name, H5T_NATIVE_INT, rows, columns, data, fine);
}

// lists of all groups one behind the other, and where each begins
static void put_lists(hid_t where, const scree_mesh *mesh, bool facets, bool *fine) {
    int length = 0;
    for (int g = 0; g < mesh->groups; g++)
        length += facets ? mesh->group[g].facets : mesh->group[g].nodes;
    int *first = calloc((size_t)mesh->groups + 1, sizeof *first);
    int *list = calloc((size_t)length + 1, sizeof *list);
    *fine = *fine && first && list;
    for (int g = 0; *fine && g < mesh->groups; g++) {
        const scree_mesh_group *group = &mesh->group[g];
        int count = facets ? group->facets : group->nodes;
        if (count)
            memcpy(list + first[g], facets ? group->facet : group->node,
                   (size_t)count * sizeof *list);
        first[g + 1] = first[g] + count;
    }
    if (*fine) {
        put_integers(where, facets ? "group_facets" : "group_nodes", length, 1, list, fine);
        put_integers(where, facets ? "group_facets_first" : "group_nodes_first", mesh->groups + 1,
                     1, first, fine);
    }
    free(first);
    free(list);
}

static void put_groups(hid_t where, const scree_mesh *mesh, bool *fine) {
    const char **name = calloc((size_t)mesh->groups + 1, sizeof *name);
    *fine = *fine && name;
    for (int g = 0; name && g < mesh->groups; g++) name[g] = mesh->group[g].name;
    if (name) scree_layout_put_texts(where, "groups", name, mesh->groups, fine);
    free(name);
    put_lists(where, mesh, false, fine);
    put_lists(where, mesh, true, fine);
}

static void put_cells(hid_t where, const scree_mesh *mesh, bool *fine) {
    int *type = calloc((size_t)mesh->elements + 1, sizeof *type);
    *fine = *fine && type;
    for (int e = 0; type && e < mesh->elements; e++) type[e] = vtk_types[mesh->kind[e]];
    if (type) put_integers(where, "types", mesh->elements, 1, type, fine);
    free(type);
    put_integers(where, "offsets", mesh->elements + 1, 1, mesh->first, fine);
    put_integers(where, "connectivity", mesh->first[mesh->elements], 1, mesh->corner, fine);
}

static void put_material(hid_t where, const scree_material *material, bool *fine) {
    const struct {
        const char *name;
        double value;
    } number[] = {
        { "young", material->young },
        { "poisson", material->poisson },
        { "density", material->density },
        { "thickness", material->thickness },
        { "damping_mass", material->damping_mass },
        { "damping_stiffness", material->damping_stiffness },
    };
    const int stress = material->plane_stress, lumped = material->lumped;
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        scree_layout_put_number(where, number[i].name, H5T_NATIVE_DOUBLE, &number[i].value, fine);
    scree_layout_put_number(where, "plane_stress", H5T_NATIVE_INT, &stress, fine);
    scree_layout_put_number(where, "lumped", H5T_NATIVE_INT, &lumped, fine);
}

static void put_body(hid_t where, const scree_elastic_body *body, bool *fine) {
    const scree_mesh *mesh = &body->mesh;
    scree_layout_put_text(where, "name", body->name, strlen(body->name), fine);
    scree_layout_put_number(where, "coordinate", H5T_NATIVE_INT, &body->coordinate, fine);
    scree_layout_put_number(where, "dof", H5T_NATIVE_INT, &body->dof, fine);
    put_material(where, &body->material, fine);
    scree_layout_put_array(where, "nodes", H5T_NATIVE_DOUBLE, mesh->nodes, mesh->space, mesh->node,
                           fine);
    put_cells(where, mesh, fine);
    put_integers(where, "facets", mesh->facets, SCREE_FACET_CORNERS, mesh->facet, fine);
    put_integers(where, "contact_nodes", body->contact_nodes, 1, body->contact_node, fine);
    put_groups(where, mesh, fine);
}

void scree_run_mesh_write(hid_t where, const scree_model *model, bool *fine) {
    if (!model->elastics) return;
    hid_t all = scree_layout_group(where, "elastic");
    for (int e = 0; *fine && e < model->elastics; e++) {
        char name[16];
        snprintf(name, sizeof name, "%d", e);
        hid_t one = scree_layout_group(all, name);
        put_body(one, &model->elastic[e], fine);
        H5Gclose(one);
    }
    H5Gclose(all);
}

void scree_run_mesh_write_files(hid_t where, const scree_scene *scene, bool *fine) {
    int count = 0;
    for (const scree_kept_file *kept = scene->kept; kept; kept = kept->next) count++;
    if (!count) return;
    const char **name = calloc((size_t)count, sizeof *name);
    hid_t all = scree_layout_group(where, "files");
    *fine = *fine && name;
    count = 0;
    for (const scree_kept_file *kept = scene->kept; *fine && kept; kept = kept->next) {
        char number[16];
        snprintf(number, sizeof number, "%d", count);
        scree_layout_put_array(all, number, H5T_NATIVE_UCHAR, (int)kept->file.length, 1,
                               kept->file.text, fine);
        name[count++] = kept->file.name;
    }
    if (*fine) scree_layout_put_texts(all, "names", name, count, fine);
    H5Gclose(all);
    free(name);
}

// ---- reading

static const hssize_t numbers_most = 8 * (hssize_t)SCREE_MESH_MOST;

typedef struct stored {
    hid_t where;
    bool starved;  // memory ran out
    scree_arena arena;
    const char **name;
    int groups, nodes, elements, facets;
    int *facet, *node_list, *node_first, *facet_list, *facet_first;
} stored;

// a dataset of numbers with so many columns, and fewer than `most`; NULL if it is no such thing
static void *get_array(stored *s, const char *name, hid_t type, int columns, hssize_t most,
                       int *rows) {
    hid_t set = scree_layout_open(s->where, name);
    hid_t space = set < 0 ? -1 : H5Dget_space(set);
    hssize_t count = space < 0 ? -1 : H5Sget_simple_extent_npoints(space);
    void *data = NULL;
    if (count >= 0 && count % columns == 0 && count < most) {
        *rows = (int)(count / columns);
        data = scree_arena_alloc(&s->arena, (size_t)count + 1, H5Tget_size(type));
        s->starved |= !data;
        if (data && count && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
            data = NULL;
    }
    if (space >= 0) H5Sclose(space);
    if (set >= 0) H5Dclose(set);
    return data;
}

static int *get_integers(stored *s, const char *name, int columns, int *rows) {
    return get_array(s, name, H5T_NATIVE_INT, columns, numbers_most, rows);
}

// where lists begin: from 0 on, never back, to the end of the list; entries below a limit
static bool is_list(const int *first, int firsts, const int *list, int length, int below) {
    bool fine = firsts > 0 && first[0] == 0 && first[firsts - 1] == length;
    for (int i = 1; fine && i < firsts; i++) fine = first[i] >= first[i - 1];
    for (int i = 0; fine && i < length; i++) fine = list[i] >= 0 && list[i] < below;
    return fine;
}

static bool get_groups(stored *s) {
    int nodes, facets, node_firsts, facet_firsts;
    s->facet = get_integers(s, "facets", SCREE_FACET_CORNERS, &s->facets);
    s->node_list = get_integers(s, "group_nodes", 1, &nodes);
    s->node_first = get_integers(s, "group_nodes_first", 1, &node_firsts);
    s->facet_list = get_integers(s, "group_facets", 1, &facets);
    s->facet_first = get_integers(s, "group_facets_first", 1, &facet_firsts);
    return s->facet && s->node_list && s->node_first && s->facet_list && s->facet_first &&
           scree_layout_texts(s->where, "groups", &s->arena, &s->name, &s->groups) &&
           node_firsts == s->groups + 1 && facet_firsts == s->groups + 1 &&
           is_list(s->node_first, node_firsts, s->node_list, nodes, s->nodes) &&
           is_list(s->facet_first, facet_firsts, s->facet_list, facets, s->facets);
}

static scree_mesh_part *make_parts(stored *s) {
    scree_mesh_part *part = SCREE_NEW(&s->arena, scree_mesh_part, s->groups + 1);
    for (int g = 0; part && g < s->groups; g++) {
        int facets = s->facet_first[g + 1] - s->facet_first[g];
        int nodes = s->node_first[g + 1] - s->node_first[g];
        int *node = s->node_list + s->node_first[g];
        if (facets) {
            node = SCREE_NEW(&s->arena, int, (facets * SCREE_FACET_CORNERS));
            if (!node) return NULL;
        }
        for (int i = 0; i < facets; i++)
            memcpy(node + (long)i * SCREE_FACET_CORNERS,
                   s->facet + (long)s->facet_list[s->facet_first[g] + i] * SCREE_FACET_CORNERS,
                   SCREE_FACET_CORNERS * sizeof *node);
        part[g] = (scree_mesh_part){ s->name[g], facets ? 0 : nodes, node, facets };
    }
    return part;
}

// the numbers of VTK become kinds; nodes must be as many as these have
static bool get_kinds(const int *type, const int *first, int elements, int corners,
                      scree_element *kind) {
    bool fine = first[0] == 0 && first[elements] == corners;
    for (int e = 0; fine && e < elements; e++) {
        int k = 0;
        while (k < SCREE_ELEMENT_KINDS && vtk_types[k] != type[e]) k++;
        kind[e] = (scree_element)k;
        fine = k < SCREE_ELEMENT_KINDS && first[e + 1] - first[e] == scree_element_nodes(kind[e]);
    }
    return fine;
}

static bool make(stored *s, int space, scree_mesh **mesh, scree_error *err) {
    int corners, firsts;
    double *node = get_array(s, "nodes", H5T_NATIVE_DOUBLE, space, numbers_most, &s->nodes);
    int *type = get_integers(s, "types", 1, &s->elements);
    int *first = get_integers(s, "offsets", 1, &firsts);
    int *corner = get_integers(s, "connectivity", 1, &corners);
    scree_element *kind = type ? SCREE_NEW(&s->arena, scree_element, s->elements + 1) : NULL;
    if (!node || !kind || !first || !corner || firsts != s->elements + 1 ||
        !get_kinds(type, first, s->elements, corners, kind) || !get_groups(s))
        return false;
    // the group of the whole boundary makes itself
    int parts = s->groups;
    if (parts && strcmp(s->name[parts - 1], "boundary") == 0) parts--;
    scree_mesh_part *part = make_parts(s);
    s->starved |= !part;
    if (!part) return false;
    scree_status status =
        scree_mesh_make(space, s->nodes, node, s->elements, kind, corner, parts, part, mesh, err);
    s->starved |= status == SCREE_NO_MEMORY;
    return status == SCREE_OK;
}

scree_status scree_run_mesh_read(const scree_run_reader *reader, int elastic, scree_mesh **mesh,
                                 scree_error *err) {
    *mesh = NULL;
    char name[40];
    scree_error reason;
    stored s = { 0 };
    scree_quiet quiet = scree_layout_quiet();
    snprintf(name, sizeof name, "model/elastic/%d", elastic);
    s.where = scree_layout_enter(scree_run_reader_file(reader), name);
    bool fine = s.where < 0 || make(&s, reader->space, mesh, &reason);
    if (s.where >= 0) H5Gclose(s.where);
    scree_layout_loud(quiet);
    scree_arena_free(&s.arena);
    if (fine) return SCREE_OK;
    if (s.starved) return scree_fail_memory(err, NULL);
    return scree_fail(err, SCREE_BAD_INPUT, (scree_source_location){ reader->path, 0, 0 },
                      "the mesh of elastic body %d in it is damaged", elastic);
}

// the files of the open group, one behind the other
static scree_embedded_file *get_files(stored *s) {
    const char **name;
    int count;
    if (!scree_layout_texts(s->where, "names", &s->arena, &name, &count)) return NULL;
    scree_embedded_file *file = SCREE_NEW(&s->arena, scree_embedded_file, count + 1);
    s->starved |= !file;
    for (int i = 0; file && i < count; i++) {
        char number[16];
        int length;
        snprintf(number, sizeof number, "%d", i);
        char *text =
            get_array(s, number, H5T_NATIVE_UCHAR, 1, (hssize_t)SCREE_FILE_BYTES_MOST + 1, &length);
        if (!text) return NULL;
        file[i] = (scree_embedded_file){ name[i], text, (size_t)length };
    }
    return file;
}

scree_status scree_run_mesh_read_files(const scree_run_reader *reader, scree_arena *arena,
                                       const scree_embedded_file **files, scree_error *err) {
    static const scree_embedded_file none = { 0 };
    stored s = { .arena = *arena };
    scree_quiet quiet = scree_layout_quiet();
    s.where = scree_layout_enter(scree_run_reader_file(reader), "scene/files");
    *files = s.where < 0 ? &none : get_files(&s);
    if (s.where >= 0) H5Gclose(s.where);
    scree_layout_loud(quiet);
    *arena = s.arena;
    if (*files) return SCREE_OK;
    if (s.starved) return scree_fail_memory(err, NULL);
    return scree_fail(err, SCREE_BAD_INPUT, (scree_source_location){ reader->path, 0, 0 },
                      "a file of a shape in it is damaged");
}
