// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// robot.c - frames, shapes and masses of bodies of MJCF and URDF.

#include "import/robot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/file_text.h"
#include "base/space.h"
#include "model/hull.h"
#include "model/mesh_file.h"
#include "model/rotation.h"

scree_robot_frame scree_robot_place(const scree_robot_frame *parent, const double at[3],
                                    const double turn[4]) {
    scree_robot_frame made;
    scree_rotation_vector(parent->turn, at, made.at);
    for (int k = 0; k < 3; k++) made.at[k] += parent->at[k];
    scree_rotation_product(parent->turn, turn, made.turn);
    return made;
}

void scree_robot_turn_inertia(const double turn[4], const double given[6], double out[6]) {
    double rotation[9], unit[4], made[6];
    const double none[4] = { 1, 0, 0, 0 };
    scree_rotation_product(turn, none, unit);
    scree_rotation(unit, rotation);
    scree_congruence(rotation, given, made);
    memcpy(out, made, sizeof made);
}

// volume, first and second moments of the tetrahedra between the origin and the faces of a hull
static bool hull_mass(scree_draft *draft, const scree_draft_shape *shape, scree_mass *out) {
    scree_hull hull;
    double size = 0, second[6] = { 0 };
    for (int i = 0; i < 3 * shape->vertices; i++) size = fmax(size, fabs(shape->vertex[i]));
    scree_status status = size > 0 ? scree_hull_find(shape->vertices, shape->vertex, 2 * size,
                                                     &draft->arena, &hull, NULL)
                                   : SCREE_BAD_INPUT;
    if (status == SCREE_NO_MEMORY) scree_draft_fail(draft);
    if (status) return false;
    *out = (scree_mass){ 0 };
    for (int f = 0; f < hull.faces; f++)
        for (int k = hull.face_first[f] + 1; k + 1 < hull.face_first[f + 1]; k++) {
            const int place[3] = { hull.face_first[f], k, k + 1 };
            const double *x[3];
            double normal[3];
            for (int c = 0; c < 3; c++)
                x[c] = &shape->vertex[3 * hull.corner[hull.face_corner[place[c]]]];
            scree_cross(x[1], x[2], normal);
            double volume = scree_dot(x[0], normal) / 6;
            out->mass += volume;
            for (int i = 0; i < 3; i++) {
                double sum = x[0][i] + x[1][i] + x[2][i];
                out->centre[i] += volume * sum / 4;
                for (int j = i; j < 3; j++) {
                    double products = sum * (x[0][j] + x[1][j] + x[2][j]);
                    for (int c = 0; c < 3; c++) products += x[c][i] * x[c][j];
                    second[i == 0 ? j : i + j + 1] += volume * products / 20;
                }
            }
        }
    if (!(out->mass > 0)) return false;
    for (int i = 0; i < 3; i++) out->centre[i] /= out->mass;
    const double *c = out->centre;
    const double xx = second[0] - out->mass * c[0] * c[0], yy = second[3] - out->mass * c[1] * c[1],
                 zz = second[5] - out->mass * c[2] * c[2];
    const double inertia[6] = {
        yy + zz, out->mass * c[0] * c[1] - second[1], out->mass * c[0] * c[2] - second[2],
        xx + zz, out->mass * c[1] * c[2] - second[4], xx + yy
    };
    memcpy(out->inertia, inertia, sizeof inertia);
    return true;
}

// volume and moments of inertia over density, about the middle
static bool solid_mass(const scree_draft_shape *s, scree_mass *out) {
    double r = s->radius, l = s->length, pi = acos(-1), across = 0, along = 0;
    *out = (scree_mass){ 0 };
    if (strcmp(s->type, "sphere") == 0) {
        out->mass = 4 * pi * r * r * r / 3;
        across = along = 0.4 * out->mass * r * r;
    } else if (strcmp(s->type, "cylinder") == 0) {
        out->mass = pi * r * r * l;
        across = out->mass * (3 * r * r + l * l) / 12;
        along = out->mass * r * r / 2;
    } else if (strcmp(s->type, "capsule") == 0) {
        double rod = pi * r * r * l, ends = 4 * pi * r * r * r / 3;
        out->mass = rod + ends;
        along = rod * r * r / 2 + 0.4 * ends * r * r;
        across = rod * (3 * r * r + l * l) / 12 + ends * (0.4 * r * r + l * l / 4 + 3 * l * r / 8);
    } else if (strcmp(s->type, "box") == 0) {
        const double *a = s->size;
        out->mass = a[0] * a[1] * a[2];
        out->inertia[0] = out->mass * (a[1] * a[1] + a[2] * a[2]) / 12;
        out->inertia[3] = out->mass * (a[0] * a[0] + a[2] * a[2]) / 12;
        out->inertia[5] = out->mass * (a[0] * a[0] + a[1] * a[1]) / 12;
        return true;
    } else {
        return false;
    }
    out->inertia[0] = out->inertia[3] = across;
    out->inertia[5] = along;
    return true;
}

bool scree_robot_shape_mass(scree_draft *draft, const scree_draft_shape *shape, double mass,
                            double density, scree_mass *out) {
    bool known = shape->vertices ? hull_mass(draft, shape, out) : solid_mass(shape, out);
    if (!known || !(out->mass > 0)) return false;
    double factor = mass > 0 ? mass / out->mass : density;
    out->mass *= factor;
    for (int k = 0; k < 6; k++) out->inertia[k] *= factor;
    scree_robot_turn_inertia(shape->turn, out->inertia, out->inertia);
    scree_rotation_vector(shape->turn, out->centre, out->centre);
    for (int k = 0; k < 3; k++) out->centre[k] += shape->at[k];
    return true;
}

bool scree_robot_put(scree_draft *draft, scree_robot_body *body, const scree_draft_shape *shape) {
    scree_robot_shape *kept = SCREE_NEW(&draft->arena, scree_robot_shape, 1);
    if (!kept) return false;
    *kept = (scree_robot_shape){ *shape, body->first };
    body->first = kept;
    body->shapes++;
    return true;
}

// a file beside another one; names of packages are taken off, folder by folder
static bool find_file(const char *beside, const char *folder, const char *file, char *path,
                      size_t size) {
    const char *slash = strrchr(beside, '/'), *scheme = strstr(file, "://");
    int length = slash ? (int)(slash - beside) + 1 : 0;
    const char *name = scheme ? scheme + 3 : file;
    while (name) {
        const char *roots[3] = { folder, "", "../" };
        for (int k = 0; k < 3; k++) {
            bool joined = *roots[k] && roots[k][strlen(roots[k]) - 1] != '/';
            snprintf(path, size, "%.*s%s%s%s", *name == '/' ? 0 : length, beside,
                     *name == '/' ? "" : roots[k], joined && *name != '/' ? "/" : "", name);
            FILE *found = scree_file_is_pipe(path) ? NULL : fopen(path, "rb");
            if (found) {
                fclose(found);
                return true;
            }
        }
        const char *next = scheme ? strchr(name, '/') : NULL;
        name = next ? next + 1 : NULL;
    }
    return false;
}

bool scree_robot_mesh(scree_draft *draft, const char *folder, const char *file,
                      const double scale[3], scree_draft_shape *shape) {
    size_t room = strlen(draft->path) + strlen(folder) + strlen(file) + sizeof "..//";
    char *path = SCREE_NEW(&draft->arena, char, room);
    int vertices = 0, triangles = 0, *triangle;
    double *vertex = NULL;
    scree_error err = { 0 };
    if (!path) {
        scree_draft_fail(draft);
        return false;
    }
    if (!find_file(draft->path, folder, file, path, room)) {
        scree_draft_note(draft, "mesh \"%s\" is not there: a body is without it", file);
        return false;
    }
    if (!scree_mesh_named(path) ||
        scree_mesh_read(path, &draft->arena, 1, &vertices, &vertex, &triangles, &triangle, &err)) {
        if (err.status == SCREE_NO_MEMORY) scree_draft_fail(draft);
        scree_draft_note(draft, "mesh \"%s\" is not carried over: %s", file,
                         *err.text ? err.text : "only OBJ and STL files are read");
        return false;
    }
    for (int i = 0; i < 3 * vertices; i++) vertex[i] *= scale[i % 3];
    shape->type = "polyhedron";
    shape->vertices = vertices;
    shape->vertex = vertex;
    scree_draft_note(draft, "meshes touch as their convex hulls");
    return true;
}

scree_status scree_robot_add(scree_draft *draft, scree_robot_body *body) {
    scree_draft_body made = { .fixed = body->fixed, .mass = body->mass.mass };
    scree_draft_shape *shape = SCREE_NEW(&draft->arena, scree_draft_shape, body->shapes);
    made.name = shape ? scree_draft_name(draft, body->name) : NULL;
    if (!made.name) return scree_draft_no_memory(draft);
    double centre[3] = { 0 };
    if (!body->fixed) memcpy(centre, body->mass.centre, sizeof centre);
    for (const scree_robot_shape *one = body->first; one; one = one->next) {
        scree_draft_shape *own = &shape[body->shapes - 1 - made.shapes++];  // in their order
        *own = one->shape;
        for (int k = 0; k < 3; k++) own->at[k] -= centre[k];
    }
    scree_robot_frame place = scree_robot_place(&body->frame, centre, (double[4]){ 1, 0, 0, 0 });
    memcpy(made.position, place.at, sizeof made.position);
    memcpy(made.turn, body->frame.turn, sizeof made.turn);
    memcpy(made.inertia, body->mass.inertia, sizeof made.inertia);
    made.shape = shape;
    body->in_scene = made.name;
    if (!body->fixed && !(body->mass.mass > 0)) {
        scree_draft_note(draft, "body \"%s\" has no mass: it gets 1 g and 1e-6 kg m^2", body->name);
        made.mass = 1e-3;
        memcpy(made.inertia, (double[6]){ 1e-6, 0, 0, 1e-6, 0, 1e-6 }, sizeof made.inertia);
    } else if (!body->fixed && !(body->mass.inertia[0] > 0)) {
        const double ball = 0.4 * made.mass * 1e-4;
        scree_draft_note(draft, "body \"%s\" has no inertia: it gets that of a ball of 1 cm",
                         body->name);
        memcpy(made.inertia, (double[6]){ ball, 0, 0, ball, 0, ball }, sizeof made.inertia);
    }
    scree_draft_add_body(draft, &made);
    return SCREE_OK;
}
