// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_vtkhdf.c - the group /VTKHDF of a run file, an unstructured grid that changes with time.
// in: tables that are there.   out: virtual data sets over them; no number is stored twice.
//
// VTK wants the points of all states one behind the other, rows x 3. A row of q becomes a matrix
// points x 3 by a first view (states x points x 3), which HDF5 stores in a few words because it has
// no end, and that view is laid flat by a second one, of one block. Offsets that never change are
// data sets in which nothing was written but their fill value.

#include "store/run_vtkhdf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/space.h"
#include "model/collision_shape.h"
#include "scree/fem.h"
#include "store/facets.h"

static const char group_name[] = "VTKHDF";
enum { AXES = 3, QUATERNION = 4, TENSOR = 6, VERTEX = 1, CHUNK = 1 << 14 };

// ---- views

// Part of a row of a table: `count` pieces of `width` numbers, `stride` apart, are `points` points.
typedef struct piece {
    hsize_t first, stride, count, width, points;
} piece;

static bool close_set(hid_t set) {
    if (set < 0) return false;
    return H5Dclose(set) >= 0;
}

// states x points x `used` numbers over a table of states x numbers
static bool view_states(hid_t where, const char *name, const char *table, hsize_t numbers,
                        int pieces, const piece *part, hsize_t states, hsize_t points,
                        hsize_t used) {
    const hsize_t size[AXES] = { states, points, used };
    const hsize_t most[AXES] = { H5S_UNLIMITED, points, used };
    const hsize_t row[2] = { states, numbers }, rows[2] = { H5S_UNLIMITED, numbers };
    hid_t plist = H5Pcreate(H5P_DATASET_CREATE), to = H5Screate_simple(AXES, size, most),
          from = H5Screate_simple(2, row, rows);
    bool fine = plist >= 0 && to >= 0 && from >= 0;
    for (hsize_t i = 0, at = 0; fine && i < (hsize_t)pieces; at += part[i++].points) {
        const hsize_t to_start[] = { 0, at, 0 }, to_count[] = { H5S_UNLIMITED, 1, 1 },
                      to_block[] = { 1, part[i].points, used };
        const hsize_t start[] = { 0, part[i].first }, stride[] = { 1, part[i].stride },
                      count[] = { H5S_UNLIMITED, part[i].count }, block[] = { 1, part[i].width };
        fine = H5Sselect_hyperslab(to, H5S_SELECT_SET, to_start, NULL, to_count, to_block) >= 0 &&
               H5Sselect_hyperslab(from, H5S_SELECT_SET, start, stride, count, block) >= 0 &&
               H5Pset_virtual(plist, to, ".", table, from) >= 0;
    }
    hid_t made = fine ? H5Screate_simple(AXES, size, most) : -1;
    fine = fine && close_set(H5Dcreate2(where, name, H5T_IEEE_F64LE, made, H5P_DEFAULT, plist,
                                        H5P_DEFAULT));
    if (made >= 0) H5Sclose(made);
    H5Sclose(from);
    H5Sclose(to);
    H5Pclose(plist);
    return fine;
}

// the first `used` of the components of each row, the others 0, from a set of states x points x
// used numbers; arrays of one component have one dimension
static bool view_flat(hid_t where, const char *name, const char *source, hsize_t states,
                      hsize_t points, hsize_t used, hsize_t components) {
    const hsize_t size[2] = { states * points, components }, block[2] = { states * points, used },
                  start[2] = { 0, 0 }, from[AXES] = { states, points, used };
    hid_t plist = H5Pcreate(H5P_DATASET_CREATE),
          to = H5Screate_simple(components > 1 ? 2 : 1, size, NULL),
          given = H5Screate_simple(AXES, from, NULL);
    bool fine =
        H5Sselect_hyperslab(to, H5S_SELECT_SET, start, NULL, block, NULL) >= 0 &&
        H5Pset_virtual(plist, to, ".", source, given) >= 0 && H5Sselect_all(to) >= 0 &&
        close_set(H5Dcreate2(where, name, H5T_IEEE_F64LE, to, H5P_DEFAULT, plist, H5P_DEFAULT));
    H5Sclose(given);
    H5Sclose(to);
    H5Pclose(plist);
    return fine;
}

// ---- numbers that are not in the tables

static bool put_integers(hid_t where, const char *name, hsize_t count, const int64_t *value) {
    hid_t space = H5Screate_simple(1, &count, NULL);
    hid_t set =
        H5Dcreate2(where, name, H5T_STD_I64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool fine = set >= 0 && (!count || H5Dwrite(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL,
                                                H5P_DEFAULT, value) >= 0);
    H5Sclose(space);
    return close_set(set) && fine;
}

// a column of one word for each state, in chunks; close with close_set
static hid_t make_column(hid_t where, const char *name, hsize_t states, hid_t plist) {
    hsize_t chunk = states < CHUNK ? states : CHUNK;
    hid_t space = H5Screate_simple(1, &states, NULL);
    H5Pset_chunk(plist, 1, &chunk);
    hid_t set = H5Dcreate2(where, name, H5T_STD_I64LE, space, H5P_DEFAULT, plist, H5P_DEFAULT);
    H5Sclose(space);
    return set;
}

// all the same
static bool put_constant(hid_t where, const char *name, hsize_t states, int64_t value) {
    hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_fill_value(plist, H5T_NATIVE_INT64, &value);
    hid_t set = make_column(where, name, states, plist);
    H5Pclose(plist);
    return close_set(set);
}

// the numbers of a chunk of states times `slope`
static bool put_slope(scree_packer *packer, hid_t set, hsize_t first, hsize_t rows, int64_t slope,
                      int64_t *word) {
    for (hsize_t i = 0; i < rows; i++) word[i] = (int64_t)(first + i) * slope;
    bool fine = true;
    size_t packed = scree_pack(packer, 0, (char *)word, rows * sizeof *word, sizeof *word, &fine);
    return fine && packed &&
           H5Dwrite_chunk(set, H5P_DEFAULT, 0, &first, packed, packer->packed) >= 0;
}

// the number of each state times `slope`
static bool put_ramp(scree_packer *packer, hid_t where, const char *name, hsize_t states,
                     int64_t slope) {
    if (!slope) return put_constant(where, name, states, 0);
    hsize_t rows = states < CHUNK ? states : CHUNK;
    int64_t *word = malloc(rows * sizeof *word);
    hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_shuffle(plist);
    H5Pset_deflate(plist, 1);
    hid_t set = make_column(where, name, states, plist);
    bool fine = word && set >= 0;
    for (hsize_t first = 0; fine && first < states; first += rows)
        fine = put_slope(packer, set, first, rows, slope, word);
    H5Pclose(plist);
    free(word);
    return close_set(set) && fine;
}

// ---- the grid while it is made

typedef struct grid {
    const scree_model *model;
    scree_packer *packer;
    hid_t root, points, cells, steps, point_offsets, cell_offsets, states;
    hsize_t frames, nodes, elements;  // elements: of elastic bodies
    bool fine;
} grid;

// Offsets that arrays share: 0 in all states, or as many as there are points or cells from state to
// state.
static const char no_offset[] = "no_offset", of_points[] = "point_offset",
                  of_cells[] = "cell_offset";

static void put_offset(grid *g, hid_t where, const char *name, const char *offset) {
    g->fine =
        g->fine && H5Lcreate_hard(g->states, offset, where, name, H5P_DEFAULT, H5P_DEFAULT) >= 0;
}

static hid_t open_group(grid *g, hid_t where, const char *name) {
    hid_t made = g->fine ? scree_layout_group(where, name) : -1;
    g->fine = g->fine && made >= 0;
    return made;
}

// places of points or an array of theirs that change from state to state
static void put_changing(grid *g, const char *name, const char *table, int numbers, int pieces,
                         const piece *part, int used, int components) {
    char path[64];
    snprintf(path, sizeof path, "/%s/states/%s", group_name, name);
    hid_t where = strcmp(name, "Points") == 0 ? g->root : g->points;
    g->fine = g->fine &&
              view_states(g->states, name, table, (hsize_t)numbers, pieces, part, g->frames,
                          g->nodes, (hsize_t)used) &&
              view_flat(where, name, path, g->frames, g->nodes, (hsize_t)used, (hsize_t)components);
    if (where == g->points) put_offset(g, g->point_offsets, name, of_points);
}

static void put_fixed(grid *g, const char *name, hid_t file_type, hid_t type, const void *value) {
    hid_t space = H5Screate_simple(1, &g->nodes, NULL);
    hid_t set =
        H5Dcreate2(g->points, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    g->fine = g->fine && set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0;
    put_offset(g, g->point_offsets, name, no_offset);
    if (set >= 0) H5Dclose(set);
    H5Sclose(space);
}

// ---- rigid bodies: a point for each, at its centre of mass

// the ball around each body's shapes that have an end
static void find_reach(const scree_model *model, double *reach) {
    for (int s = 0; s < model->shapes; s++) {
        const scree_collision_shape *solid = &model->solid[s];
        double *of = &reach[model->shape[s].body];
        double own = scree_facets_ball(model->shape[s].kind) ? solid->radius : solid->bound;
        if (isfinite(own)) *of = fmax(*of, scree_length(solid->centre) + own);
    }
}

static void put_bodies(grid *g) {
    const scree_model *model = g->model;
    size_t n = g->nodes;
    double *number = calloc(3 * n, sizeof *number);
    int *group = calloc(2 * n, sizeof *group);
    g->fine = g->fine && number && group;
    if (g->fine) find_reach(model, number);
    for (int i = 0; g->fine && i < model->bodies; i++) {
        const scree_body *body = &model->body[i];
        number[n + (size_t)i] = body->birth_time;
        number[2 * n + (size_t)i] = body->removal_time > 0 ? body->removal_time : HUGE_VAL;
        group[i] = i;
        group[n + (size_t)i] = body->group;
    }
    if (g->fine) {
        put_fixed(g, "radius", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, number);
        put_fixed(g, "birth", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, number + n);
        put_fixed(g, "removal", H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, number + 2 * n);
        put_fixed(g, "body", H5T_STD_I32LE, H5T_NATIVE_INT, group);
        put_fixed(g, "group", H5T_STD_I32LE, H5T_NATIVE_INT, group + n);
    }
    free(number);
    free(group);
}

static piece piece_of(int first, int stride, int count, int width) {
    return (piece){ (hsize_t)first, (hsize_t)stride, (hsize_t)count, (hsize_t)width,
                    (hsize_t)count };
}

static void put_motion(grid *g) {
    const scree_model *model = g->model;
    int n = model->bodies, space = model->space, q = model->body_coordinates, v = model->body_dofs;
    int turns = space == 2 ? 1 : QUATERNION, spins = space == 2 ? 1 : AXES;
    const piece place = piece_of(0, q, n, space), turn = piece_of(space, q, n, turns);
    const piece speed = piece_of(0, v, n, space), spin = piece_of(space, v, n, spins);
    put_changing(g, "Points", "/q", model->coordinates, 1, &place, space, AXES);
    put_changing(g, space == 2 ? "angle" : "orientation", "/q", model->coordinates, 1, &turn, turns,
                 turns);
    put_changing(g, "velocity", "/v", model->dofs, 1, &speed, space, AXES);
    put_changing(g, "spin", "/v", model->dofs, 1, &spin, spins, spins);
}

// cells of one point each
static void put_vertices(grid *g) {
    int64_t n = (int64_t)g->nodes, *number = calloc(g->nodes + 1, sizeof *number);
    unsigned char *type = malloc(g->nodes);
    g->fine = g->fine && number && type;
    for (int64_t i = 0; g->fine && i <= n; i++) number[i] = i;
    if (g->fine) memset(type, VERTEX, g->nodes);
    g->fine = g->fine && put_integers(g->root, "Connectivity", g->nodes, number) &&
              put_integers(g->root, "Offsets", g->nodes + 1, number);
    for (int i = 0; i < 3; i++) {
        static const char *const sizes[] = { "NumberOfPoints", "NumberOfCells",
                                             "NumberOfConnectivityIds" };
        g->fine = g->fine && put_integers(g->root, sizes[i], 1, &n);
    }
    if (g->fine) scree_layout_put_array(g->root, "Types", H5T_STD_U8LE, (int)n, 1, type, &g->fine);
    free(number);
    free(type);
}

static void put_rigid(grid *g) {
    put_vertices(g);
    put_motion(g);
    put_bodies(g);
    put_offset(g, g->steps, "PointOffsets", of_points);
}

// ---- elastic bodies: a part for each, its mesh where it was, with displacements

// the data sets of a mesh that VTK wants as well: of which each row is a place, an element, where
// an element begins (and where the last one ends), a corner
typedef enum mesh_set { NODES, TYPES, OFFSETS, CONNECTIVITY, MESH_SETS } mesh_set;

static const struct {
    const char *name, *of;
} mesh_sets[MESH_SETS] = { { "Points", "nodes" },
                           { "Types", "types" },
                           { "Offsets", "offsets" },
                           { "Connectivity", "connectivity" } };

static hsize_t rows_of(const scree_mesh *mesh, mesh_set set) {
    const int rows[MESH_SETS] = { mesh->nodes, mesh->elements, mesh->elements + 1,
                                  mesh->first[mesh->elements] };
    return (hsize_t)rows[set];
}

// those of all meshes one behind the other
static void join_meshes(grid *g, mesh_set set) {
    const scree_model *model = g->model;
    hsize_t size[2] = { 0, AXES }, start[2] = { 0, 0 };
    int rank = set == NODES ? 2 : 1;
    hid_t type = set == NODES ? H5T_IEEE_F64LE : set == TYPES ? H5T_STD_U8LE : H5T_STD_I64LE;
    for (int e = 0; e < model->elastics; e++) size[0] += rows_of(&model->elastic[e].mesh, set);
    hid_t plist = H5Pcreate(H5P_DATASET_CREATE), to = H5Screate_simple(rank, size, NULL);
    for (int e = 0; g->fine && e < model->elastics; e++) {
        const hsize_t block[2] = { rows_of(&model->elastic[e].mesh, set), (hsize_t)model->space };
        char path[64];
        snprintf(path, sizeof path, "/model/elastic/%d/%s", e, mesh_sets[set].of);
        hid_t from = H5Screate_simple(rank, block, NULL);
        g->fine = H5Sselect_hyperslab(to, H5S_SELECT_SET, start, NULL, block, NULL) >= 0 &&
                  H5Pset_virtual(plist, to, ".", path, from) >= 0;
        H5Sclose(from);
        start[0] += block[0];
    }
    g->fine = g->fine && H5Sselect_all(to) >= 0 &&
              close_set(H5Dcreate2(g->root, mesh_sets[set].name, type, to, H5P_DEFAULT, plist,
                                   H5P_DEFAULT));
    H5Sclose(to);
    H5Pclose(plist);
}

static void put_sizes(grid *g) {
    static const struct {
        const char *name;
        mesh_set set;
    } size[] = { { "NumberOfPoints", NODES },
                 { "NumberOfCells", TYPES },
                 { "NumberOfConnectivityIds", CONNECTIVITY } };
    int parts = g->model->elastics;
    int64_t *number = calloc((size_t)parts, sizeof *number);
    g->fine = g->fine && number;
    for (size_t i = 0; g->fine && i < sizeof size / sizeof *size; i++) {
        for (int e = 0; e < parts; e++)
            number[e] = (int64_t)rows_of(&g->model->elastic[e].mesh, size[i].set);
        g->fine = put_integers(g->root, size[i].name, (hsize_t)parts, number);
    }
    free(number);
}

// what a run may hold of states: arrays of points or cells, `used` numbers each
static void put_result(grid *g, hid_t file, const char *name, const char *table, bool cells,
                       int used, int components) {
    if (H5Lexists(file, table + 1, H5P_DEFAULT) <= 0) return;
    g->fine =
        g->fine && view_flat(cells ? g->cells : g->points, name, table, g->frames,
                             cells ? g->elements : g->nodes, (hsize_t)used, (hsize_t)components);
    put_offset(g, cells ? g->cell_offsets : g->point_offsets, name, cells ? of_cells : of_points);
}

static void put_elastic(grid *g, hid_t file) {
    const scree_model *model = g->model;
    piece *place = calloc((size_t)model->elastics, sizeof *place);
    piece *speed = calloc((size_t)model->elastics, sizeof *speed);
    g->fine = g->fine && place && speed;
    for (int e = 0; g->fine && e < model->elastics; e++) {
        const scree_elastic_body *body = &model->elastic[e];
        hsize_t nodes = (hsize_t)body->mesh.nodes, numbers = nodes * (hsize_t)model->space;
        place[e] = (piece){ (hsize_t)body->coordinate, numbers, 1, numbers, nodes };
        speed[e] = (piece){ (hsize_t)body->dof, numbers, 1, numbers, nodes };
    }
    for (int set = 0; set < MESH_SETS; set++) join_meshes(g, (mesh_set)set);
    put_sizes(g);
    put_changing(g, "displacement", "/q", model->coordinates, model->elastics, place, model->space,
                 AXES);
    put_changing(g, "velocity", "/v", model->dofs, model->elastics, speed, model->space, AXES);
    put_result(g, file, "reaction", "/reactions", false, model->space, AXES);
    put_result(g, file, "stress", "/stress", true, TENSOR, TENSOR);
    put_result(g, file, "strain", "/strain", true, TENSOR, TENSOR);
    put_offset(g, g->steps, "PointOffsets", no_offset);
    free(place);
    free(speed);
}

// ---- all of it

// time, parts, and offsets that are 0 in every state because cells never change
static void put_steps(grid *g) {
    static const char *const constant[] = { "PartOffsets", "CellOffsets", "ConnectivityIdOffsets" };
    hid_t plist = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &g->frames, NULL);
    g->fine = g->fine && H5Pset_virtual(plist, space, ".", "/frames/time", space) >= 0 &&
              close_set(H5Dcreate2(g->steps, "Values", H5T_IEEE_F64LE, space, H5P_DEFAULT, plist,
                                   H5P_DEFAULT));
    H5Sclose(space);
    H5Pclose(plist);
    int parts = g->model->elastics ? g->model->elastics : 1;
    g->fine = g->fine && put_constant(g->steps, "NumberOfParts", g->frames, parts) &&
              put_constant(g->states, no_offset, g->frames, 0) &&
              put_ramp(g->packer, g->states, of_points, g->frames, (int64_t)g->nodes) &&
              put_ramp(g->packer, g->states, of_cells, g->frames, (int64_t)g->elements);
    for (int i = 0; i < 3; i++) put_offset(g, g->steps, constant[i], no_offset);
}

static void find_sizes(grid *g) {
    const scree_model *model = g->model;
    g->nodes = model->elastics ? 0 : (hsize_t)model->bodies;
    for (int e = 0; e < model->elastics; e++) {
        g->nodes += (hsize_t)model->elastic[e].mesh.nodes;
        g->elements += (hsize_t)model->elastic[e].mesh.elements;
    }
}

bool scree_run_vtkhdf_prepare(hid_t file, const scree_model *model) {
    static const char kind[] = "UnstructuredGrid";
    static const int version[2] = { 2, 0 };
    if (!model->bodies && !model->elastics) return true;
    hid_t group = scree_layout_group(file, group_name), type = H5Tcopy(H5T_C_S1);
    const hsize_t two = 2;
    hid_t pair = H5Screate_simple(1, &two, NULL), one = H5Screate(H5S_SCALAR);
    H5Tset_size(type, sizeof kind - 1);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    hid_t of = H5Acreate2(group, "Type", type, one, H5P_DEFAULT, H5P_DEFAULT);
    hid_t is = H5Acreate2(group, "Version", H5T_STD_I64LE, pair, H5P_DEFAULT, H5P_DEFAULT);
    bool fine = group >= 0 && of >= 0 && is >= 0 && H5Awrite(of, type, kind) >= 0 &&
                H5Awrite(is, H5T_NATIVE_INT, version) >= 0;
    if (is >= 0) H5Aclose(is);
    if (of >= 0) H5Aclose(of);
    H5Sclose(one);
    H5Sclose(pair);
    H5Tclose(type);
    return H5Gclose(group) >= 0 && fine;
}

void scree_run_vtkhdf_clear(hid_t file) {
    hid_t group =
        H5Lexists(file, group_name, H5P_DEFAULT) > 0 ? scree_layout_enter(file, group_name) : -1;
    H5G_info_t about = { 0 };
    bool fine = group >= 0 && H5Gget_info(group, &about) >= 0;
    for (hsize_t i = about.nlinks; fine && i > 0; i--)
        fine = H5Ldelete_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i - 1, H5P_DEFAULT) >= 0;
    if (group >= 0) H5Gclose(group);
}

void scree_run_vtkhdf_fill(hid_t file, const scree_model *model, int64_t frames,
                           scree_packer *packer) {
    if (frames < 1 || H5Lexists(file, group_name, H5P_DEFAULT) <= 0) return;
    grid g = { .model = model, .packer = packer, .frames = (hsize_t)frames, .fine = true };
    g.root = scree_layout_enter(file, group_name);
    g.fine = g.root >= 0;
    g.points = open_group(&g, g.root, "PointData");
    g.cells = open_group(&g, g.root, "CellData");
    g.states = open_group(&g, g.root, "states");
    g.steps = open_group(&g, g.root, "Steps");
    g.point_offsets = open_group(&g, g.steps, "PointDataOffsets");
    g.cell_offsets = open_group(&g, g.steps, "CellDataOffsets");
    find_sizes(&g);
    if (g.fine) put_steps(&g);
    if (g.fine && model->elastics)
        put_elastic(&g, file);
    else if (g.fine)
        put_rigid(&g);
    if (g.fine) scree_layout_put_number(g.steps, "NSteps", H5T_NATIVE_INT64, &frames, &g.fine);
    const hid_t group[] = { g.cell_offsets, g.point_offsets, g.steps, g.states,
                            g.cells,        g.points,        g.root };
    for (size_t i = 0; i < sizeof group / sizeof *group; i++)
        if (group[i] >= 0) H5Gclose(group[i]);
    if (!g.fine) scree_run_vtkhdf_clear(file);
}
