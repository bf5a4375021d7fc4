// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_bodies_drawn.c - outlines of shapes, what hides what, and pictures of scenes at their start.
// Pictures go into a folder of their own in /tmp, which is removed.

#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700  // mkdtemp
#endif

#include "show/bodies.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness.h"
#include "scree/scree.h"
#include "show/extent.h"
#include "simulation_text.h"

static const char *const shapes =
    "space: 3\n"
    "gravity: [0, 0, -10]\n"
    "bodies:\n"
    "  - {name: floor, fixed: true, shapes: [{type: plane, normal: [0, 0, 1]}]}\n"
    "  - {name: brick, density: 1, position: [1, 2, 3],\n"
    "     orientation: [sqrt(0.5), 0, 0, sqrt(0.5)], shapes: [{type: box, size: [2, 4, 6]}]}\n"
    "  - {name: ball, density: 1, position: [9, 0, 1], shapes: [{type: sphere, radius: 1}]}\n"
    "laws: [{friction: 0.5}]\n"
    "scheme: {step: 1e-3, duration: 1e-2}\n";

// ---- outlines

// every directed edge of a closed surface has its opposite
static void check_closed(const scree_outline *outline) {
    for (int f = 0; f < outline->polygons; f++)
        for (int c = outline->first[f]; c < outline->first[f + 1]; c++) {
            int next = c + 1 < outline->first[f + 1] ? c + 1 : outline->first[f], found = 0;
            for (int g = 0; g < outline->polygons; g++)
                for (int d = outline->first[g]; d < outline->first[g + 1]; d++) {
                    int after = d + 1 < outline->first[g + 1] ? d + 1 : outline->first[g];
                    found += outline->corner[d] == outline->corner[next] &&
                             outline->corner[after] == outline->corner[c];
                }
            CHECK_INT(found, 1);
        }
}

static void outlines_are_the_shapes(void) {
    scree_simulation *sim = open_text(shapes, NULL, 0);
    scree_geometry *geometry = NULL;
    scree_error err = { 0 };
    scree_placement at;
    double x[3];
    if (!sim) return;
    const scree_model *model = scree_simulation_model(sim);
    const double *q = scree_simulation_state(sim)->q;
    const scree_view view = { { 0, 0, 0 }, 5 };
    CHECK_INT(scree_geometry_new(model, q, &view, &geometry, &err), SCREE_OK);
    CHECK_INT(geometry->outlines, 3);
    CHECK(geometry->outline[0].endless && geometry->outline[0].polygons == 1);
    CHECK_INT(geometry->outline[1].polygons, 6);
    CHECK_INT(geometry->outline[1].points, 8);
    check_closed(&geometry->outline[1]);
    CHECK(geometry->outline[2].ball);
    CHECK_NEAR(geometry->outline[2].radius, 1, 0);
    // the box is turned by a right angle: its length of 4 lies along x
    double low[3] = { 1e9, 1e9, 1e9 }, high[3] = { -1e9, -1e9, -1e9 };
    scree_geometry_place(model, 1, q, &at);
    for (int i = 0; i < 8; i++) {
        scree_placement_apply(&at, geometry->outline[1].point + 3 * i, x);
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], x[k]);
            high[k] = fmax(high[k], x[k]);
        }
    }
    const double expected[3][2] = { { -1, 3 }, { 1, 3 }, { 0, 6 } };
    for (int k = 0; k < 3; k++) {
        CHECK_NEAR(low[k], expected[k][0], 1e-12);
        CHECK_NEAR(high[k], expected[k][1], 1e-12);
    }
    scree_geometry_free(geometry);
    scree_simulation_free(sim);
}

// ---- what hides what

static const double RED[3] = { 1, 0, 0 }, GREEN[3] = { 0, 1, 0 };

// 0: white, 1: red, 2: green, by the sample in the middle
static int colour_in_the_middle(const show_raster *r) {
    size_t at = (size_t)(r->height / 2) * (size_t)r->width + (size_t)(r->width / 2);
    const unsigned char *rgb = r->rgb + 3 * at;
    if (rgb[0] == 255 && rgb[1] == 255 && rgb[2] == 255) return 0;
    return rgb[0] > rgb[1] ? 1 : 2;
}

static void the_nearer_one_is_seen(void) {
    const double up[3] = { 0, 0, 1 }, low[2] = { -1, -1 }, high[2] = { 1, 1 };
    for (int k = 0; k < 24; k++) {  // from all sides, the eye never along the vertical
        show_camera camera = show_camera_at(up, 15.0 * k, 10 * (k % 5) - 20);
        double near[3], far[3];
        show_raster r = { 0 };
        for (int c = 0; c < 3; c++) {
            near[c] = 0.5 * camera.eye[c];
            far[c] = -0.5 * camera.eye[c];
        }
        CHECK(show_raster_open(&r, &camera, low, high, 20, 1));
        CHECK_INT(colour_in_the_middle(&r), 0);
        show_raster_ball(&r, near, 0.3, RED);
        show_raster_ball(&r, far, 0.6, GREEN);
        CHECK_INT(colour_in_the_middle(&r), 1);
        CHECK(show_raster_hides(&r, far, 0.6));  // also its own surface is behind the other
        CHECK(!show_raster_hides(&r, near, 0.3));
        show_raster_close(&r);
    }
}

static void faces_are_seen_from_outside_alone(void) {
    const double low[2] = { -1, -1 }, high[2] = { 1, 1 };
    const show_camera camera = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
    const double square[12] = { -1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0 };
    double turned[12];
    for (int i = 0; i < 4; i++) memcpy(turned + 3 * i, square + 3 * (3 - i), 3 * sizeof *turned);
    show_raster r = { 0 };
    CHECK(show_raster_open(&r, &camera, low, high, 20, 1));
    show_raster_polygon(&r, 4, turned, RED, true);
    CHECK_INT(colour_in_the_middle(&r), 0);
    show_raster_polygon(&r, 4, square, GREEN, true);
    CHECK_INT(colour_in_the_middle(&r), 2);
    show_raster_close(&r);
}

// ---- what is worth seeing

// the box of a scene's start: what moves, and with obstacles
static void find_extent(const scree_simulation *sim, show_extent box[2]) {
    const scree_model *model = scree_simulation_model(sim);
    show_frame frame = { .q = scree_simulation_state(sim)->q };
    const scree_view view = { .radius = 1 };
    scree_geometry *geometry = NULL;
    scree_error err = { 0 };
    int outside;
    CHECK_INT(scree_geometry_new(model, frame.q, &view, &geometry, &err), SCREE_OK);
    const show_sight sight = { model, geometry, show_extent_camera(model, 0, 0), model->space };
    box[0] = show_extent_empty();
    CHECK_INT(show_extent_moving(&sight, &frame, &box[0], &outside, &err), SCREE_OK);
    CHECK_INT(outside, 0);
    box[1] = box[0];
    show_extent_obstacles(&sight, &frame, &box[0], &box[1]);
    scree_geometry_free(geometry);
}

static void check_box(const show_extent *box, double left, double right, double low, double high) {
    CHECK_NEAR(box->low[0], left, 1e-12);
    CHECK_NEAR(box->high[0], right, 1e-12);
    CHECK_NEAR(box->low[1], low, 1e-12);
    CHECK_NEAR(box->high[1], high, 1e-12);
}

static void what_is_seen_is_what_moves_and_is_near(void) {
    show_extent box[2];
    // a bob without shapes on a hinge; a box of 7 m is seen whole beside a motion of 1 m, one of
    // 40 m as far as 0.6 m beyond
    scree_simulation *sim = open_text(
        "gravity: [0, -10]\n"
        "bodies:\n"
        "  - {name: bob, mass: 1, inertia: 1, position: [1, 0]}\n"
        "  - {name: near, fixed: true, position: [0, -3], shapes: [{type: box, size: [7, 1]}]}\n"
        "joints: [{name: hinge, type: hinge, bodies: [bob], at: [0, 0]}]\n"
        "scheme: {step: 1e-3, duration: 1e-2}\n",
        NULL, 0);
    if (!sim) return;
    find_extent(sim, box);
    check_box(&box[0], 0, 1, 0, 0);
    check_box(&box[1], -3.5, 3.5, -3.5, 0);
    scree_simulation_free(sim);
    sim = open_text(
        "gravity: [0, -10]\n"
        "bodies:\n"
        "  - {name: disc, density: 1, position: [0, 0.5], shapes: [{type: disc, radius: 0.5}]}\n"
        "  - {name: long, fixed: true, position: [0, -1], shapes: [{type: box, size: [40, 2]}]}\n"
        "scheme: {step: 1e-3, duration: 1e-2}\n",
        NULL, 0);
    if (!sim) return;
    find_extent(sim, box);
    check_box(&box[0], -0.5, 0.5, 0, 1);
    check_box(&box[1], -1.1, 1.1, -0.6, 1);
    scree_simulation_free(sim);
    // a point has no size: the ground is seen however far it is below
    sim = open_text(
        "gravity: [0, -10]\n"
        "bodies:\n"
        "  - {name: ground, fixed: true, shapes: [{type: half-plane, normal: [0, 1]}]}\n"
        "  - {name: p, mass: 1, inertia: 1, position: [3, 70], shapes: [{type: point}]}\n"
        "scheme: {step: 1e-3, duration: 1e-2}\n",
        NULL, 0);
    if (!sim) return;
    find_extent(sim, box);
    check_box(&box[1], 3, 3, 0, 70);
    scree_simulation_free(sim);
}

// ---- pictures

static void draw(scree_simulation *sim, const show_bodies_options *options, const char *file) {
    scree_error err = { 0 };
    struct stat info;
    if (!sim) return;
    CHECK_INT(show_draw_start(sim, NULL, "scene.yaml", options, file, &err), SCREE_OK);
    if (err.text[0]) COMPLAIN("%s", err.text);
    CHECK(stat(file, &info) == 0 && info.st_size > 1000);
    unlink(file);
}

static void starts_are_drawn(void) {
    char folder[] = "/tmp/scree-bodies-XXXXXX", file[64];
    const char *const planar =
        "gravity: [0, -10]\n"
        "bodies:\n"
        "  - {name: wall, fixed: true, shapes: [{type: chain, vertices: [[0, 1], [0, 0], [1, "
        "0]]}]}\n"
        "  - {name: ground, fixed: true, shapes: [{type: half-plane, normal: [0, 1]}]}\n"
        "  - {name: disc, density: 1, position: [0.5, 0.4], shapes: [{type: disc, radius: 0.1}]}\n"
        "  - {name: tip, mass: 1, inertia: 1, position: [0.8, 0.8],\n"
        "     shapes: [{type: point, at: [0, -0.2]}]}\n"
        "laws: [{friction: 0.5}]\n"
        "scheme: {step: 1e-3, duration: 1e-2}\n";
    show_bodies_options options = show_bodies_options_default();
    options.velocities = options.numbers = options.forces = true;
    CHECK(mkdtemp(folder));
    const char *const endings[] = { "svg", "png", "pdf" };
    for (int k = 0; k < 3; k++) {
        scree_simulation *flat = open_text(planar, NULL, 0), *space = open_text(shapes, NULL, 0);
        snprintf(file, sizeof file, "%s/a.%s", folder, endings[k]);
        options.colour = (show_colouring)k;
        draw(flat, &options, file);
        draw(space, &options, file);
        scree_simulation_free(flat);
        scree_simulation_free(space);
    }
    rmdir(folder);
}

static void systems_have_no_bodies_to_draw(void) {
    scree_simulation *sim = open_text(
        "system: {mass: [[1]], position: [0], velocity: [1]}\n"
        "scheme: {name: moreau-jean, step: 1e-2, duration: 1}\n",
        NULL, 0);
    show_bodies_options options = show_bodies_options_default();
    scree_error err = { 0 };
    if (!sim) return;
    CHECK_INT(show_draw_start(sim, NULL, "scene.yaml", &options, "/tmp/never.svg", &err),
              SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "no bodies to draw"));
    scree_simulation_free(sim);
}

TEST_FILE(test_bodies_drawn) {
    TEST(outlines_are_the_shapes);
    TEST(the_nearer_one_is_seen);
    TEST(faces_are_seen_from_outside_alone);
    TEST(what_is_seen_is_what_moves_and_is_near);
    TEST(starts_are_drawn);
    TEST(systems_have_no_bodies_to_draw);
    return harness_end();
}
