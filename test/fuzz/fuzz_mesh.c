// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fuzz_mesh.c - libFuzzer target: any bytes as a mesh file must end in an error with a text or in
// triangles that keep their promises; so must the surface and the polyhedron made of them.
//
// The first letter tells what the rest is: o for OBJ, anything else for STL.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "model/collision_shape.h"
#include "model/mesh_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PROMISE(condition)                  \
    do {                                    \
        if (!(condition)) __builtin_trap(); \
    } while (0)

static void check_solid(const scree_collision_shape *solid) {
    for (int i = 0; i < 3 * solid->vertices; i++) PROMISE(isfinite(solid->vertex[i]));
    PROMISE(solid->bound > 0);
    if (solid->faces) PROMISE(solid->vertices - solid->edges + solid->faces == 2);
    for (int k = 0; k < 4 * solid->edges; k++)
        PROMISE(solid->edge[k] >= 0 &&
                solid->edge[k] < (k % 4 < 2 ? solid->vertices : solid->faces));
    for (int k = 0; k < 3 * solid->surface.pieces; k++) {
        PROMISE(solid->surface.neighbour[k] < solid->surface.pieces);
        PROMISE(isfinite(solid->surface.normal[k]));
    }
}

static void make(scree_shape *shape, scree_shape_kind kind, scree_arena *arena) {
    scree_collision_shape solid;
    scree_error err = { 0 };
    double mass, centre[3], inertia[6];
    shape->kind = kind;
    scree_status status = scree_collision_shape_make(shape, 3, arena, &solid, &err);
    PROMISE(!status || err.text[0]);
    if (!status) check_solid(&solid);
    if (!status && !scree_collision_shape_mass(&solid, 1, &mass, centre, inertia, &err))
        PROMISE(mass >= 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[64];
    if (size == 0) return 0;
    // named by the process, so that several fuzzers do not meet
    snprintf(path, sizeof path, "/tmp/scree-fuzz-%ld.%s", (long)getpid(),
             data[0] == 'o' ? "obj" : "stl");
    FILE *out = fopen(path, "wb");
    if (!out || fwrite(data + 1, 1, size - 1, out) != size - 1 || fclose(out)) abort();
    scree_arena arena = { 0 };
    scree_error err = { 0 };
    double *vertex;
    int *triangle;
    scree_shape shape = { 0 };
    scree_status status = scree_mesh_read(path, &arena, 1, &shape.vertices, &vertex,
                                          &shape.triangles, &triangle, &err);
    unlink(path);
    PROMISE(!status || err.text[0]);
    if (!status) {
        PROMISE(shape.triangles > 0 && shape.vertices > 0);
        for (int k = 0; k < 3 * shape.triangles; k++)
            PROMISE(triangle[k] >= 0 && triangle[k] < shape.vertices);
        shape.vertex = vertex;
        shape.triangle = triangle;
        make(&shape, SCREE_MESH, &arena);
        make(&shape, SCREE_POLYHEDRON, &arena);
        shape.triangle = NULL;
        make(&shape, SCREE_POLYHEDRON, &arena);
    }
    scree_arena_free(&arena);
    return 0;
}
