// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// check_generator.c - does a generator have what its arrangement needs, and how many bodies has it?

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/scene.h"

#define COMPLAIN(key, ...) \
    scree_findings_add(findings, scree_scene_place(section, key), __VA_ARGS__)

static const char *const name_of[] = { "grid", "hexagonal", "random", "wall", "tower", "each" };

// which arrangements a key is for: one letter each
typedef struct key_rule {
    const char *key, *arrangements;
} key_rule;

static const key_rule rules[] = {
    { "spacing", "gh" }, { "origin", "ghwt" }, { "region", "r" },  { "radius", "ghr" },
    { "sizes", "ghr" },  { "turn", "ghr" },    { "jitter", "gh" }, { "per_level", "t" },
    { "seed", "ghr" },   { "gap", "ghrwt" },   { "let", "e" },     { NULL, NULL },
};

static void check_keys(const scree_scene_generator *generator, scree_findings *findings) {
    const scree_section *section = &generator->section;
    const char *arrange = name_of[generator->arrange];
    for (const key_rule *rule = rules; rule->key; rule++)
        if (scree_scene_given(section, rule->key) && !strchr(rule->arrangements, *arrange))
            COMPLAIN(rule->key, "arrange: %s has no %s", arrange, rule->key);
}

int scree_scene_generated(const scree_scene_generator *generator) {
    const double *count = generator->count.item;
    double product = 1;
    if (generator->section.broken || !count || !generator->count.count) return -1;
    for (int i = 0; i < generator->count.count; i++) product *= count[i];
    if (generator->arrange == SCREE_TOWER) product *= generator->per_level;
    // every other course of a wall has two halves instead of one whole
    if (generator->arrange == SCREE_WALL && generator->count.count > 1)
        product += floor(count[1] / 2) * (generator->count.count > 2 ? count[2] : 1);
    return product <= INT_MAX ? (int)product : -1;
}

static void check_count(const scree_scene_generator *generator, int space,
                        scree_findings *findings) {
    const scree_section *section = &generator->section;
    const double *number = generator->count.item;
    int count = generator->count.count;
    bool wall = generator->arrange == SCREE_WALL, lattice = generator->arrange <= SCREE_HEXAGONAL;
    if (lattice && count != space)
        COMPLAIN("count", "a %s count is a list of %d numbers, one for each axis; found %d",
                 name_of[generator->arrange], space, count);
    else if (wall && count != 2 && count != space)
        COMPLAIN("count",
                 "the count of a wall is [bricks in a course, courses%s], found %d numbers",
                 space == 3 ? "] or [bricks, courses, leaves" : "", count);
    else if (!lattice && !wall && count != 1)
        COMPLAIN("count", "the count of a %s is one number, found %d",
                 generator->arrange == SCREE_TOWER    ? "tower"
                 : generator->arrange == SCREE_RANDOM ? "random packing"
                                                      : "list of each",
                 count);
    for (int i = 0; i < count; i++)
        if (number[i] != floor(number[i])) {
            COMPLAIN("count", "count must be whole numbers, got %g", number[i]);
            return;
        }
    if (scree_scene_generated(generator) < 0)
        COMPLAIN("count", "the generator makes more bodies than can be counted");
}

static void check_region(const scree_scene_generator *generator, int space,
                         scree_findings *findings) {
    const scree_section *section = &generator->section;
    const double *corner = generator->region.item;
    bool given = scree_scene_given(section, "region");
    if (generator->arrange != SCREE_RANDOM) return;
    if (!given)
        COMPLAIN("arrange", "a random packing needs a region");
    else if (generator->region.count != 2 || generator->region.columns != space)
        COMPLAIN("region", "a region is two corners of %d numbers, found %d x %d", space,
                 generator->region.count, generator->region.columns);
    else
        for (int i = 0; i < space; i++)
            if (!(corner[i] < corner[space + i])) {
                COMPLAIN("region",
                         "the low corner of the region must be below the high one: %g, %g",
                         corner[i], corner[space + i]);
                return;
            }
}

static void check_sizes(const scree_scene_generator *generator, int space,
                        scree_findings *findings) {
    const scree_section *section = &generator->section;
    const double *radius = generator->radius.item;
    int count = generator->radius.count, spacings = generator->spacing.count;
    bool given = scree_scene_given(section, "radius");
    if (given && count != 1 && count != 2)
        COMPLAIN("radius", "radius is one number, or [least, greatest]; found %d", count);
    else if (given && count == 2 && radius[0] > radius[1])
        COMPLAIN("radius", "the least radius %g is above the greatest, %g", radius[0], radius[1]);
    if (given && !scree_scene_given(&generator->body.section, "density") &&
        !generator->body.fixed && !generator->body.motion.section.node)
        COMPLAIN("radius", "bodies of a given radius need density in place of mass and inertia");
    if (scree_scene_given(section, "sizes") && !given)
        COMPLAIN("sizes", "sizes needs radius: [least, greatest]");
    if (scree_scene_given(section, "spacing") && spacings != 1 &&
        (generator->arrange == SCREE_HEXAGONAL || spacings != space))
        COMPLAIN("spacing", "spacing is one number%s, found %d",
                 generator->arrange == SCREE_GRID ? " or one for each axis" : "", spacings);
}

// a wall has bricks, a tower planks: one box each, which the arrangement turns and cuts itself
static void check_brick(const scree_scene_generator *generator, int space,
                        scree_findings *findings) {
    const scree_section *section = &generator->section;
    const scree_scene_body *body = &generator->body;
    const scree_scene_shape *shape = body->shapes.item;
    const char *arrange = name_of[generator->arrange];
    if (generator->arrange != SCREE_WALL && generator->arrange != SCREE_TOWER) return;
    if (generator->arrange == SCREE_TOWER && space == 2)
        COMPLAIN("arrange", "a tower is built in space; in the plane take a grid or a wall");
    if (body->shapes.count != 1 || shape->kind != SCREE_BOX) {
        COMPLAIN("body", "a %s is built of a body with one shape, a box", arrange);
        return;
    }
    if (scree_scene_given(&shape->section, "at") || scree_scene_given(&shape->section, "angle"))
        scree_findings_add(findings, shape->section.node->at,
                           "the box of a %s sits at the origin of its body and is not turned",
                           arrange);
    static const char *const turned[] = { "angle", "orientation" };
    for (int i = 0; i < 2; i++)
        if (scree_scene_given(&body->section, turned[i]))
            scree_findings_add(findings, scree_scene_place(&body->section, turned[i]),
                               "the bodies of a %s are turned by it alone: leave out %s", arrange,
                               turned[i]);
    if (generator->arrange == SCREE_WALL && !body->fixed && !body->motion.section.node &&
        !scree_scene_given(&body->section, "density"))
        scree_findings_add(findings, body->section.node->at,
                           "a wall has half bricks too: give density in place of mass and inertia");
    const double *size = shape->size.item;
    if (generator->arrange == SCREE_TOWER && shape->size.count == 3 && space == 3 &&
        generator->per_level * (size[1] + generator->gap) - generator->gap > size[0] * (1 + 1e-12))
        COMPLAIN("per_level", "%d planks of width %g do not fit on a level of width %g",
                 generator->per_level, size[1], size[0]);
}

// what is wrong with one is mostly wrong with all: the first that is found is enough
static void check_each(scree_scene *scene, const scree_scene_generator *generator,
                       scree_findings *findings) {
    scree_scene_body *body = generator->each.item;
    int known = findings->count;
    for (int i = 0; i < generator->each.count && findings->count == known; i++)
        if (body[i].section.node) scree_check_body(scene, &body[i], true, findings);
}

void scree_check_generator(scree_scene *scene, scree_scene_generator *generator,
                           scree_findings *findings) {
    const scree_section *section = &generator->section;
    scree_scene_body *body = &generator->body;
    int space = scene->top.space;
    if (generator->arrange == SCREE_ARRANGE_EACH)
        check_each(scene, generator, findings);
    else if (body->section.node)
        scree_check_body(scene, body, true, findings);
    if (section->broken) return;
    check_keys(generator, findings);
    check_count(generator, space, findings);
    check_region(generator, space, findings);
    check_sizes(generator, space, findings);
    check_brick(generator, space, findings);
}
