// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// generate.h - many bodies of one pattern: lattices, random packings, walls, towers.
//
// The same plan and seed give the same bodies. Up is the last axis, y in the plane and z in space.

#ifndef SCREE_GENERATE_H
#define SCREE_GENERATE_H

#include "scree/model.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_arrangement {
    SCREE_GRID,       // rows and columns
    SCREE_HEXAGONAL,  // every other row shifted; in space layers, hexagonally close
    SCREE_RANDOM,     // one after the other where there is room in a box
    SCREE_WALL,       // bricks in running bond along x
    SCREE_TOWER,      // planks on levels, crosswise; in space
} scree_arrangement;

typedef enum scree_sizes {
    SCREE_SIZES_UNIFORM,      // in the radius
    SCREE_SIZES_LOG_UNIFORM,  // in its logarithm
    SCREE_SIZES_BY_VOLUME,    // every range of radii holds the same volume, in the plane area
} scree_sizes;

typedef struct scree_generator {
    scree_arrangement arrange;
    int count[3];            // along each axis; random: the first; wall: bricks in a course,
                             // courses, leaves (0: one); tower: the first, levels
    double spacing[3];       // grid, hexagonal (the first) [m]; 0: bodies just do not touch
    double gap;              // room between neighbours, of bricks and planks to the side [m]
    double origin[3];        // of the first body; wall: lower corner; tower: middle of the base [m]
    double low[3], high[3];  // random: two corners of the box that all bodies lie in [m]
    double radius[2];        // least and greatest that bodies are scaled to [m]; 0: as they are
    scree_sizes sizes;
    bool turn;        // at random
    double jitter;    // grid, hexagonal: up to this along each axis [m]
    int per_level;    // tower: planks on a level
    double brick[3];  // wall, tower: edges of the pattern's box [m]
    uint64_t seed;
} scree_generator;

/// Two planks on a level, seed 1, sizes as they are; the rest is to be said.
SCREE_API scree_generator scree_generator_default(void);

/// What the bodies are like. Positions and orientations of the places are added to those of body.
typedef struct scree_body_pattern {
    scree_body body;  // its name is not used
    int shapes;
    const scree_shape *shape;  // (shapes), in the body's frame; shape->body is not used
    double density;            // mass, inertia and centre come from the shapes; 0: they are in body
} scree_body_pattern;

/// Add the bodies, called name-1, name-2 and so on, and their shapes to the model. On failure some
/// of them may have been added.
SCREE_API scree_status scree_generate(scree_model *model, const char *name,
                                      const scree_generator *plan,
                                      const scree_body_pattern *pattern, scree_error *err);

/// Give a body mass and inertia from its shapes, whose frame is moved into the centre of mass:
/// position, which was the place of their origin, is the centre's afterwards.
SCREE_API scree_status scree_body_from_density(scree_body *body, scree_shape *shape, int shapes,
                                               int space, double density, scree_error *err);

#ifdef __cplusplus
}
#endif

#endif
