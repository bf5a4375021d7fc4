// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// defaults.c - definitions before anything is said; those of scenes, in the schema, are the same.
// out: structs that are zero but for what zero would say wrongly.

#include "scree/fem.h"
#include "scree/generate.h"

scree_law scree_law_default(void) { return (scree_law){ 0 }; }

scree_body scree_body_default(void) {
    return (scree_body){ .orientation = { 1 }, .path.axis = { 0, 0, 1 } };
}

scree_shape scree_shape_default(scree_shape_kind kind, int body) {
    return (scree_shape){ .kind = kind, .body = body, .turn = { 1 } };
}

scree_system scree_system_default(void) { return (scree_system){ 0 }; }

scree_matrix_contact scree_matrix_contact_default(void) { return (scree_matrix_contact){ 0 }; }

scree_material scree_material_default(void) { return (scree_material){ .thickness = 1 }; }

scree_elastic scree_elastic_default(void) {
    return (scree_elastic){
        .material = scree_material_default(),
        .self_nodes = -1,
        .self_facets = -1,
    };
}

scree_generator scree_generator_default(void) {
    return (scree_generator){ .per_level = 2, .seed = 1 };
}
