// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// marker.c - markers: frames on elastic bodies, matrix systems and mechanisms.
// in: what a marker hangs on.   out: its pose at q, its J over a step.
//
// A patch follows its nodes i of weight w_i (their share of the facets' area) as the rigid motion
// that is nearest to theirs:
//
//     place = sum w x / sum w,    c = (sum w (r.r - r r^T))^-1 sum w r x u,    r from the centre
//
// so that a force of the joint is a uniform traction on the patch, and a moment a linear one.

#include "model/marker.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/space.h"
#include "model/elastic.h"
#include "model/memory.h"
#include "model/part.h"

static scree_status bad(scree_error *err, const char *name, const char *what) {
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "marker \"%s\": %s", name, what);
}

static scree_status check(const scree_model *model, const scree_marker *marker, const char *name,
                          scree_error *err) {
    int most = model->space == 2 ? 3 : model->space;
    if (model->memory->finished) return bad(err, name, "the model is finished already");
    if (marker->kind == SCREE_MARKER_PATCH) {
        if (marker->body < 0 || marker->body >= model->elastics)
            return bad(err, name, "there is no such elastic body");
        const scree_mesh *mesh = &model->elastic[marker->body].mesh;
        if (marker->group < 0 || marker->group >= mesh->groups || !mesh->group[marker->group].nodes)
            return bad(err, name, "the mesh has no such group of nodes");
        return SCREE_OK;
    }
    if (marker->rows < model->space || marker->rows > most)
        return bad(err, name, "it has a place, and in the plane it may have an angle");
    if (marker->kind == SCREE_MARKER_MECHANISM)
        return model->mechanism && marker->value ? SCREE_OK
                                                 : bad(err, name, "there is no mechanism");
    if (!model->system.coordinates || !model->system.mass || !marker->row)
        return bad(err, name, "there is no matrix system");
    for (int i = 0; i < marker->rows * model->system.coordinates; i++)
        if (!isfinite(marker->row[i])) return bad(err, name, "its rows must be finite");
    return SCREE_OK;
}

scree_status scree_model_add_marker(scree_model *model, const scree_marker *marker,
                                    scree_error *err) {
    scree_joints *joints = &model->memory->joints;
    scree_arena *arena = &model->memory->arena;
    const char *name = marker->name ? marker->name : "";
    scree_status status = check(model, marker, name, err);
    if (status) return status;
    if (joints->markers == joints->marker_room) {
        int room = joints->marker_room ? 2 * joints->marker_room : 8;
        scree_marker_frame *grown = SCREE_NEW(arena, scree_marker_frame, room);
        if (!grown) return scree_fail_memory(err, "markers");
        if (joints->markers) memcpy(grown, joints->marker, (size_t)joints->markers * sizeof *grown);
        joints->marker = grown;
        joints->marker_room = room;
    }
    scree_marker_frame *own = &joints->marker[joints->markers];
    own->given = *marker;
    own->given.name = scree_arena_text(arena, name, strlen(name));
    if (!own->given.name) return scree_fail_memory(err, "markers");
    if (marker->kind == SCREE_MARKER_SYSTEM) {
        size_t numbers = (size_t)(marker->rows * model->system.coordinates);
        double *row = SCREE_NEW(arena, double, numbers);
        if (!row) return scree_fail_memory(err, "markers");
        memcpy(row, marker->row, numbers * sizeof *row);
        own->given.row = row;
    }
    joints->markers++;
    return SCREE_OK;
}

int scree_model_markers(const scree_model *model) { return model->memory->joints.markers; }

const scree_marker *scree_model_marker(const scree_model *model, int m) {
    return m >= 0 && m < scree_model_markers(model) ? &model->memory->joints.marker[m].given : NULL;
}

const scree_marker_frame *scree_marker_frame_of(const scree_model *model, int m) {
    return &model->memory->joints.marker[m];
}

const bool *scree_marker_nodes(const scree_model *model, int e) {
    bool *const *joined = model->memory->joints.joined;
    return joined ? joined[e] : NULL;
}

// -------------------------------------------------------------------------------------------------
// frames

// the area of a facet, in the plane the length of an edge
static double area_of(const scree_mesh *mesh, const int *corner, int corners) {
    double x[SCREE_FACET_CORNERS][3] = { { 0 } }, area = 0;
    for (int c = 0; c < corners; c++)
        memcpy(x[c], mesh->node + (long)corner[c] * mesh->space,
               (size_t)mesh->space * sizeof *mesh->node);
    if (mesh->space == 2) return hypot(x[1][0] - x[0][0], x[1][1] - x[0][1]);
    for (int c = 2; c < corners; c++) {
        double a[3], b[3], normal[3];
        for (int k = 0; k < 3; k++) {
            a[k] = x[c - 1][k] - x[0][k];
            b[k] = x[c][k] - x[0][k];
        }
        scree_cross(a, b, normal);
        area += scree_length(normal) / 2;
    }
    return area;
}

// each node's share of the facets of its group, of 1 in all; of points the same
static bool find_weights(const scree_mesh *mesh, const scree_mesh_group *group, scree_arena *arena,
                         double *weight) {
    double *of_node = SCREE_NEW(arena, double, mesh->nodes), total = 0;
    if (!of_node) return false;
    for (int f = 0; f < group->facets; f++) {
        const int *corner = mesh->facet + (long)group->facet[f] * SCREE_FACET_CORNERS;
        int corners = 0;
        while (corners < SCREE_FACET_CORNERS && corner[corners] >= 0) corners++;
        double area = area_of(mesh, corner, corners);
        for (int c = 0; c < corners; c++) of_node[corner[c]] += area / corners;
    }
    for (int i = 0; i < group->nodes; i++) {
        weight[i] = group->facets ? of_node[group->node[i]] : 1;
        total += weight[i];
    }
    for (int i = 0; i < group->nodes; i++) weight[i] /= total;
    return true;
}

// sum w (r.r - r r^T) of the nodes about their centre, inverted; false: they do not say how they
// turn
static bool invert_spread(const scree_mesh *mesh, const scree_mesh_group *group,
                          const double *weight, const double centre[3], double inverse[6]) {
    const double least = 1e-8;  // of the largest spread
    double S[6] = { 0 }, size = 0;
    for (int i = 0; i < group->nodes; i++) {
        double r[3] = { 0 };
        for (int k = 0; k < mesh->space; k++)
            r[k] = mesh->node[(long)group->node[i] * mesh->space + k] - centre[k];
        double square = scree_dot(r, r);
        S[0] += weight[i] * (square - r[0] * r[0]);
        S[1] -= weight[i] * r[0] * r[1];
        S[2] -= weight[i] * r[0] * r[2];
        S[3] += weight[i] * (square - r[1] * r[1]);
        S[4] -= weight[i] * r[1] * r[2];
        S[5] += weight[i] * (square - r[2] * r[2]);
        size = fmax(size, square);
    }
    memset(inverse, 0, 6 * sizeof *inverse);
    if (mesh->space == 2) {
        inverse[5] = S[5] > 0 ? 1 / S[5] : 0;
        return S[5] > 0;
    }
    if (!(size > 0) || !scree_symmetric_inverse(S, inverse)) return false;
    return inverse[0] + inverse[3] + inverse[5] < 1 / (least * size);
}

// column `at`: node i of the patch along axis k
static void fill_column(const scree_model *model, scree_marker_frame *own, double weight,
                        const double r[3], const double inverse[6], int k, int at) {
    double e[3] = { 0 }, around[3], turn[3];
    e[k] = weight;
    scree_cross(r, e, around);
    scree_symmetric(inverse, around, turn);
    own->rate[k * own->columns + at] = weight;
    for (int c = model->space == 2 ? 2 : 0; own->turns && c < 3; c++)
        own->rate[(3 + c) * own->columns + at] = turn[c];
}

static bool make_patch(scree_model *model, scree_marker_frame *own, scree_arena *scratch) {
    const scree_elastic_body *body = &model->elastic[own->given.body];
    const scree_mesh *mesh = &body->mesh;
    const scree_mesh_group *group = &mesh->group[own->given.group];
    double *weight = SCREE_NEW(scratch, double, group->nodes), inverse[6];
    if (!weight || !find_weights(mesh, group, scratch, weight)) return false;
    own->coordinate = body->coordinate;
    own->dof = body->dof;
    for (int i = 0; i < group->nodes; i++)
        for (int k = 0; k < mesh->space; k++)
            own->centre[k] += weight[i] * mesh->node[(long)group->node[i] * mesh->space + k];
    own->turns = invert_spread(mesh, group, weight, own->centre, inverse);
    for (int i = 0; i < group->nodes; i++) {
        double r[3] = { 0 };
        int node = group->node[i];
        for (int k = 0; k < mesh->space; k++)
            r[k] = mesh->node[(long)node * mesh->space + k] - own->centre[k];
        for (int k = 0; k < mesh->space; k++) {
            int at = i * mesh->space + k, dof = node * mesh->space + k;
            own->local[at] = dof;
            own->lightness[at] = body->number[dof] < 0 ? 0 : 1 / body->parts->node_mass[node];
            if (!(own->lightness[at] > 0) && body->number[dof] >= 0) own->lightness[at] = 1;
            fill_column(model, own, weight[i], r, inverse, k, at);
        }
        model->memory->joints.joined[own->given.body][node] = true;
    }
    return true;
}

static void make_system(const scree_model *model, scree_marker_frame *own) {
    const scree_parts *parts = scree_model_parts_of(model, &scree_matrix_kind);
    int n = own->columns;
    own->coordinate = parts->coordinate;
    own->dof = parts->dof;
    own->turns = own->given.rows > model->space;
    for (int r = 0; r < own->given.rows; r++)
        memcpy(own->rate + (r < model->space ? r : 5) * n, own->given.row + r * n,
               (size_t)n * sizeof *own->rate);
    for (int j = 0; j < n; j++) {
        own->local[j] = j;
        own->lightness[j] = 1 / model->system.mass[(long)j * n + j];
    }
}

static void make_mechanism(const scree_model *model, scree_marker_frame *own) {
    const scree_parts *parts = scree_model_parts_of(model, &scree_mechanism_kind);
    int n = own->columns;
    scree_configuration at;
    own->coordinate = parts->coordinate;
    own->dof = parts->dof;
    own->turns = own->given.rows > model->space;
    bool fine = scree_configuration_evaluate(model->mechanism, model->mechanism->position, &at);
    for (int j = 0; j < n; j++) {
        own->local[j] = j;
        own->lightness[j] = fine ? 1 / at.M[j * n + j] : 1;
    }
}

static int count_columns(const scree_model *model, const scree_marker *given) {
    if (given->kind == SCREE_MARKER_SYSTEM) return model->system.coordinates;
    if (given->kind == SCREE_MARKER_MECHANISM) return model->mechanism->coordinates;
    return model->elastic[given->body].mesh.group[given->group].nodes * model->space;
}

static int part_of(const scree_model *model, const scree_marker *given) {
    const scree_part_kind *kind = given->kind == SCREE_MARKER_PATCH    ? &scree_elastic_kind
                                  : given->kind == SCREE_MARKER_SYSTEM ? &scree_matrix_kind
                                                                       : &scree_mechanism_kind;
    return scree_model_parts_of(model, kind)->first +
           (given->kind == SCREE_MARKER_PATCH ? given->body : 0);
}

static bool make_frame(scree_model *model, scree_marker_frame *own, scree_arena *scratch) {
    scree_arena *arena = &model->memory->arena;
    int n = own->columns = count_columns(model, &own->given);
    own->part = part_of(model, &own->given);
    own->local = SCREE_NEW(arena, int, n);
    own->lightness = SCREE_NEW(arena, double, n);
    own->rate = SCREE_NEW(arena, double, 6 * (size_t)n);
    if (!own->local || !own->lightness || !own->rate) return false;
    if (own->given.kind == SCREE_MARKER_PATCH) return make_patch(model, own, scratch);
    if (own->given.kind == SCREE_MARKER_SYSTEM)
        make_system(model, own);
    else
        make_mechanism(model, own);
    return true;
}

scree_status scree_markers_finish(scree_model *model, scree_error *err) {
    scree_joints *joints = &model->memory->joints;
    scree_arena *arena = &model->memory->arena, scratch = { 0 };
    if (!joints->markers) return SCREE_OK;
    bool fine = (joints->joined = SCREE_NEW(arena, bool *, model->elastics + 1));
    for (int e = 0; fine && e < model->elastics; e++)
        fine = (joints->joined[e] = SCREE_NEW(arena, bool, model->elastic[e].mesh.nodes));
    for (int m = 0; fine && m < joints->markers; m++)
        fine = make_frame(model, &joints->marker[m], &scratch);
    scree_arena_free(&scratch);
    return fine ? SCREE_OK : scree_fail_memory(err, "markers");
}

// -------------------------------------------------------------------------------------------------
// poses

// rows of a patch or system: place and small rotation
static void linear_pose(const scree_marker_frame *own, const double *q, double y[6]) {
    for (int r = 0; r < 6; r++) {
        const double *rate = own->rate + (long)r * own->columns;
        y[r] = r < 3 ? own->centre[r] : 0;
        for (int c = 0; c < own->columns; c++) y[r] += rate[c] * q[own->coordinate + own->local[c]];
    }
}

static void formula_pose(const scree_model *model, const scree_marker_frame *own, const double *q,
                         double y[6]) {
    double unused[SCREE_CONFIGURATION_N];
    memset(y, 0, 6 * sizeof *y);
    for (int r = 0; r < own->given.rows; r++)
        y[r < model->space ? r : 5] =
            own->given.value(own->given.self, r, q + own->coordinate, unused);
}

void scree_marker_pose(const scree_model *model, int m, const double *q, double pose[7]) {
    const scree_marker_frame *own = scree_marker_frame_of(model, m);
    double y[6];
    if (own->given.kind == SCREE_MARKER_MECHANISM)
        formula_pose(model, own, q, y);
    else
        linear_pose(own, q, y);
    memcpy(pose, y, 3 * sizeof *y);
    if (model->space == 2) {
        pose[2] = y[5];
        return;
    }
    double length = sqrt(1 + scree_dot(y + 3, y + 3) / 4);
    pose[3] = 1 / length;
    for (int k = 0; k < 3; k++) pose[4 + k] = y[3 + k] / (2 * length);
}

// -------------------------------------------------------------------------------------------------
// J

// T(c, c') = (1 + [c/2]) / (1 + c.c'/4): Cayley's vector from one turn to the other over c' - c
static void find_turn(const scree_marker_frame *own, const double *q, const double *q_end,
                      double T[9]) {
    double y[6], end[6];
    linear_pose(own, q, y);
    linear_pose(own, q_end, end);
    const double *c = y + 3, below = 1 + scree_dot(c, end + 3) / 4;
    const double made[9] = {
        1, -c[2] / 2, c[1] / 2, c[2] / 2, 1, -c[0] / 2, -c[1] / 2, c[0] / 2, 1
    };
    for (int k = 0; k < 9; k++) T[k] = made[k] / below;
}

// the mean gradient of a formula along the way, and what rounding and Gauss' rule leave of its
// difference along the way itself
static void find_gradient(const scree_marker_frame *own, int row, const double *q,
                          const double *q_end, double *mean) {
    static const double node[4] = { 0.069431844202973713, 0.33000947820757187, 0.66999052179242813,
                                    0.93056815579702629 };
    static const double weight[4] = { 0.17392742256872692, 0.32607257743127307, 0.32607257743127307,
                                      0.17392742256872692 };
    int n = own->columns;
    double at[SCREE_CONFIGURATION_N], gradient[SCREE_CONFIGURATION_N], square = 0, along = 0;
    const scree_marker *of = &own->given;
    memset(mean, 0, (size_t)n * sizeof *mean);
    for (int g = 0; g < 4; g++) {
        for (int j = 0; j < n; j++) at[j] = q[j] + node[g] * (q_end[j] - q[j]);
        of->value(of->self, row, at, gradient);
        for (int j = 0; j < n; j++) mean[j] += weight[g] * gradient[j];
    }
    double first = of->value(of->self, row, q, gradient),
           last = of->value(of->self, row, q_end, gradient);
    for (int j = 0; j < n; j++) {
        square += (q_end[j] - q[j]) * (q_end[j] - q[j]);
        along += mean[j] * (q_end[j] - q[j]);
    }
    double left = last - first - along;
    if (!(fabs(left) > 8 * DBL_EPSILON * (fabs(first) + fabs(last)))) return;
    for (int j = 0; j < n; j++) mean[j] += left / square * (q_end[j] - q[j]);
}

void scree_marker_map_find(const scree_model *model, int m, const double *q, const double *q_end,
                           scree_marker_map *map) {
    const scree_marker_frame *own = scree_marker_frame_of(model, m);
    memset(map, 0, sizeof *map);
    if (own->given.kind == SCREE_MARKER_PATCH && model->space == 3)
        find_turn(own, q, q_end, map->turn);
    for (int r = 0; own->given.kind == SCREE_MARKER_MECHANISM && r < own->given.rows; r++)
        find_gradient(own, r, q + own->coordinate, q_end + own->coordinate,
                      map->gradient[r < model->space ? r : 3]);
}

// w with moments as small rotations take them
static void turn_back(const scree_model *model, const scree_marker_frame *own,
                      const scree_marker_map *map, const double w[6], double out[6]) {
    memcpy(out, w, 6 * sizeof *w);
    if (own->given.kind == SCREE_MARKER_PATCH && model->space == 3)
        scree_rotate_back(map->turn, w + 3, out + 3);
}

static double column_of(const scree_marker_frame *own, const scree_marker_map *map,
                        const double w[6], int column) {
    double sum = 0;
    if (own->given.kind == SCREE_MARKER_MECHANISM) {
        for (int k = 0; k < 3; k++) sum += w[k] * map->gradient[k][column];
        return sum + w[5] * map->gradient[3][column];
    }
    for (int r = 0; r < 6; r++) sum += w[r] * own->rate[(long)r * own->columns + column];
    return sum;
}

double scree_marker_column(const scree_model *model, int m, const scree_marker_map *map,
                           const double w[6], int column) {
    const scree_marker_frame *own = scree_marker_frame_of(model, m);
    double turned[6];
    turn_back(model, own, map, w, turned);
    return column_of(own, map, turned, column);
}

double scree_marker_velocity(const scree_model *model, int m, const scree_marker_map *map,
                             const double w[6], const double *x, bool held) {
    const scree_marker_frame *own = scree_marker_frame_of(model, m);
    double turned[6], u = 0;
    turn_back(model, own, map, w, turned);
    for (int c = 0; c < own->columns; c++)
        if ((own->lightness[c] == 0) == held)
            u += column_of(own, map, turned, c) * x[own->dof + own->local[c]];
    return u;
}

void scree_marker_impulse(const scree_model *model, int m, const scree_marker_map *map,
                          const double w[6], double p, double *x) {
    const scree_marker_frame *own = scree_marker_frame_of(model, m);
    double turned[6];
    turn_back(model, own, map, w, turned);
    for (int c = 0; c < own->columns; c++)
        if (own->lightness[c] > 0)
            x[own->dof + own->local[c]] += column_of(own, map, turned, c) * p;
}
