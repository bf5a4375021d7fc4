// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// stress.c - strain and stress of elements from displacements, and the numbers made of them.

#include "scree/stress.h"

#include <math.h>

#include "model/fem.h"

void scree_stress_find(const scree_elastic_body *body, const double *q, double *strain,
                       double *stress) {
    scree_fem_stress(&body->mesh, &body->material, q + body->coordinate, strain, stress);
}

void scree_stress_find_all(const scree_model *model, const double *q, double *strain,
                           double *stress) {
    size_t first = 0;
    for (int e = 0; e < model->elastics; e++) {
        scree_stress_find(&model->elastic[e], q, strain ? strain + first : NULL,
                          stress ? stress + first : NULL);
        first += (size_t)model->elastic[e].mesh.elements * SCREE_TENSOR;
    }
}

double scree_stress_mises(const double stress[SCREE_TENSOR]) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double apart = stress[k] - stress[(k + 1) % 3], shear = stress[3 + k];
        sum += apart * apart / 2 + 3 * shear * shear;
    }
    return sqrt(sum);
}

double scree_stress_pressure(const double stress[SCREE_TENSOR]) {
    return -(stress[0] + stress[1] + stress[2]) / 3;
}

int scree_stress_nodes(const scree_model *model) {
    int sum = 0;
    for (int e = 0; e < model->elastics; e++) sum += model->elastic[e].mesh.nodes;
    return sum;
}

int scree_stress_elements(const scree_model *model) {
    int sum = 0;
    for (int e = 0; e < model->elastics; e++) sum += model->elastic[e].mesh.elements;
    return sum;
}
