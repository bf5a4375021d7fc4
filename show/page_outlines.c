// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// page_outlines.c - shapes of bodies -> balls, triangles and edges of a page.
// in: outlines.   out: packed arrays.

#include "show/page_outlines.h"

#include <stdlib.h>

typedef struct mesh_arrays {
    int32_t *ball_body, *point_body, *triangle, *edge;
    float *ball, *point;
    size_t balls, points, triangles, edges;
} mesh_arrays;

static void free_mesh(mesh_arrays *m) {
    free(m->ball_body);
    free(m->point_body);
    free(m->triangle);
    free(m->edge);
    free(m->ball);
    free(m->point);
}

static bool make_mesh(const scree_geometry *geometry, mesh_arrays *m) {
    size_t balls = 1, points = 1, corners = 1;
    for (int s = 0; s < geometry->outlines; s++) {
        const scree_outline *outline = &geometry->outline[s];
        balls += outline->ball;
        points += (size_t)outline->points;
        corners += outline->polygons ? (size_t)outline->first[outline->polygons] : 0;
    }
    *m = (mesh_arrays){ .ball_body = malloc(balls * sizeof *m->ball_body),
                        .ball = malloc(4 * balls * sizeof *m->ball),
                        .point_body = malloc(points * sizeof *m->point_body),
                        .point = malloc(3 * points * sizeof *m->point),
                        .triangle = malloc(3 * corners * sizeof *m->triangle),
                        .edge = malloc(2 * corners * sizeof *m->edge) };
    return m->ball_body && m->ball && m->point_body && m->point && m->triangle && m->edge;
}

static void take_polygon(const scree_outline *outline, int f, size_t first, mesh_arrays *m) {
    const int *corner = outline->corner + outline->first[f];
    int count = outline->first[f + 1] - outline->first[f];
    for (int k = 0; !outline->line && k + 2 < count; k++) {
        const int own[3] = { corner[0], corner[k + 1], corner[k + 2] };
        for (int c = 0; c < 3; c++)
            m->triangle[3 * m->triangles + (size_t)c] = (int32_t)first + own[c];
        m->triangles++;
    }
    for (int k = 0; k < count - outline->line; k++) {
        m->edge[2 * m->edges] = (int32_t)first + corner[k];
        m->edge[2 * m->edges++ + 1] = (int32_t)first + corner[(k + 1) % count];
    }
}

static void take_outline(const scree_outline *outline, mesh_arrays *m) {
    if (outline->ball) {
        m->ball_body[m->balls] = outline->body;
        for (int k = 0; k < 3; k++) m->ball[4 * m->balls + (size_t)k] = (float)outline->centre[k];
        m->ball[4 * m->balls++ + 3] = (float)outline->radius;
        return;
    }
    size_t first = m->points;
    for (int i = 0; i < outline->points; i++, m->points++) {
        m->point_body[m->points] = outline->endless ? -1 - outline->body : outline->body;
        for (int k = 0; k < 3; k++)
            m->point[3 * m->points + (size_t)k] = (float)outline->point[3 * (size_t)i + (size_t)k];
    }
    for (int f = 0; f < outline->polygons; f++) take_polygon(outline, f, first, m);
}

bool show_page_outlines(show_pack *pack, const scree_geometry *geometry) {
    mesh_arrays m = { 0 };
    bool fine = make_mesh(geometry, &m);
    for (int s = 0; fine && s < geometry->outlines; s++) take_outline(&geometry->outline[s], &m);
    if (fine) {
        show_pack_i32(pack, "ball_body", m.ball_body, m.balls);
        show_pack_f32(pack, "ball", m.ball, 4 * m.balls);
        show_pack_i32(pack, "point_body", m.point_body, m.points);
        show_pack_f32(pack, "point", m.point, 3 * m.points);
        show_pack_i32(pack, "triangle", m.triangle, 3 * m.triangles);
        show_pack_i32(pack, "edge", m.edge, 2 * m.edges);
    }
    free_mesh(&m);
    return fine;
}
