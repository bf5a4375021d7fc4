// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fuzz_gmsh.c - libFuzzer target: any bytes as a Gmsh file must end in an error with a text or in a
// mesh that keeps its promises.
//
// The first letter tells the dimension: 2 for the plane, anything else for space.

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "scree/fem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PROMISE(condition)                  \
    do {                                    \
        if (!(condition)) __builtin_trap(); \
    } while (0)

static void check_list(const int *number, int count, int end) {
    for (int i = 0; i < count; i++)
        PROMISE(number[i] >= 0 && number[i] < end && (i == 0 || number[i] > number[i - 1]));
}

static void check_boundary(const scree_mesh *mesh) {
    PROMISE(mesh->facets > mesh->space);
    for (int f = 0; f < mesh->facets; f++) {
        PROMISE(mesh->owner[f] >= 0 && mesh->owner[f] < mesh->elements);
        for (int k = 0; k < SCREE_FACET_CORNERS; k++) {
            int node = mesh->facet[f * SCREE_FACET_CORNERS + k];
            PROMISE(node < mesh->nodes && (k < mesh->space ? node >= 0 : node >= -1));
        }
    }
}

static void check_mesh(const scree_mesh *mesh) {
    PROMISE(mesh->nodes > mesh->space && mesh->elements > 0);
    for (int i = 0; i < mesh->nodes * mesh->space; i++) PROMISE(isfinite(mesh->node[i]));
    for (int e = 0; e < mesh->elements; e++)
        PROMISE(mesh->first[e + 1] - mesh->first[e] == scree_element_corners(mesh->kind[e]));
    for (int k = 0; k < mesh->first[mesh->elements]; k++)
        PROMISE(mesh->corner[k] >= 0 && mesh->corner[k] < mesh->nodes);
    check_boundary(mesh);
    for (int g = 0; g < mesh->groups; g++) {
        const scree_mesh_group *group = &mesh->group[g];
        PROMISE(group->name[0] && group->nodes > 0 && scree_mesh_find(mesh, group->name) == g);
        check_list(group->node, group->nodes, mesh->nodes);
        check_list(group->facet, group->facets, mesh->facets);
    }
    int all = scree_mesh_find(mesh, "boundary");
    PROMISE(all >= 0 && mesh->group[all].facets == mesh->facets);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) return 0;
    scree_error err = { 0 };
    scree_mesh *mesh;
    scree_status status = scree_mesh_parse_gmsh("fuzz.msh", (const char *)data + 1, size - 1,
                                                data[0] == '2' ? 2 : 3, 1, &mesh, &err);
    PROMISE(status ? !mesh && err.text[0] : mesh != NULL);
    if (mesh) check_mesh(mesh);
    scree_mesh_free(mesh);
    return 0;
}
