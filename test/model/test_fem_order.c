// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_fem_order.c - elements of second order: their nodes, sides and groups, curved outlines, and
// how fast they come near.

#include "fem_body.h"

static const double pi = 3.14159265358979323846;
static const scree_material plain = { .young = 1, .density = 1, .thickness = 1 };

// ---- nodes between corners

// middles lie between their corners; of a grid so many as it has edges
static void grids(void) {
    static const double low[3] = { 1, 2, 3 }, size[3] = { 3, 2, 1 };
    static const int cells[3] = { 3, 2, 2 };
    static const scree_element kinds[4] = { SCREE_T6, SCREE_Q8, SCREE_T10, SCREE_H20 };
    // corners; edges along the axes, on faces and through cells
    static const int nodes[4] = { 12 + 17 + 6, 12 + 17, 36 + 75 + 52 + 12, 36 + 75 };
    for (int k = 0; k < 4; k++) {
        scree_mesh *mesh;
        scree_error err = { 0 };
        scree_status status = k < 2 ? scree_mesh_rectangle(low, size, cells, kinds[k],
                                                           SCREE_DIAGONAL_RIGHT, &mesh, &err)
                                    : scree_mesh_box(low, size, cells, kinds[k], &mesh, &err);
        CHECK_INT(status, SCREE_OK);
        if (status) continue;
        CHECK_INT(mesh->nodes, nodes[k]);
        int corners = scree_element_corners(kinds[k]), s = mesh->space;
        CHECK_INT(mesh->first[1], scree_element_nodes(kinds[k]));
        for (int e = 0; e < mesh->elements; e++)
            for (int m = corners; m < mesh->first[1]; m++) {
                double nearest = INFINITY;
                const double *x = mesh->node + s * mesh->corner[mesh->first[e] + m];
                for (int a = 0; a < corners; a++)
                    for (int b = 0; b < a; b++) {
                        double off = 0;
                        for (int c = 0; c < s; c++)
                            off += fabs(x[c] -
                                        mesh->node[s * mesh->corner[mesh->first[e] + a] + c] / 2 -
                                        mesh->node[s * mesh->corner[mesh->first[e] + b] + c] / 2);
                        nearest = fmin(nearest, off);
                    }
                CHECK(nearest < 1e-14);
            }
        scree_mesh_free(mesh);
    }
}

// a side of quadratic elements is cut into flat facets, and its group has all of its nodes
static void facets_and_groups(void) {
    static const double unit[3] = { 1, 1, 1 };
    static const int cells[3] = { 2, 2, 2 };
    static const int facets[4] = { 4, 4, 32, 20 }, nodes[4] = { 5, 5, 25, 21 };
    for (int k = 0; k < 4; k++) {
        body b = grid((scree_element)(LINEAR_KINDS + k), unit, cells, &plain);
        const scree_mesh_group *right = group(&b, "right");
        CHECK_INT(right->facets, facets[k]);
        CHECK_INT(right->nodes, nodes[k]);
        for (int i = 0; i < right->nodes; i++)
            CHECK_NEAR(b.mesh->node[right->node[i] * b.mesh->space], 1, 0);
        CHECK_INT(b.mesh->facets, facets[k] * (b.mesh->space == 2 ? 4 : 6));
        drop(&b);
    }
}

// a group of flat facets, as run files have them
static void groups_of_pieces(void) {
    static const double unit[3] = { 1, 1, 1 };
    static const int cells[3] = { 2, 1, 1 };
    for (int k = LINEAR_KINDS; k < KINDS; k++) {
        body b = grid((scree_element)k, unit, cells, &plain);
        const scree_mesh *mesh = b.mesh;
        const scree_mesh_group *right = group(&b, "right");
        int list[32 * SCREE_FACET_CORNERS];
        for (int i = 0; i < right->facets; i++)
            memcpy(list + i * SCREE_FACET_CORNERS,
                   mesh->facet + right->facet[i] * SCREE_FACET_CORNERS,
                   SCREE_FACET_CORNERS * sizeof *list);
        scree_mesh_part part = { .name = "again", .node = list, .facets = right->facets };
        scree_mesh *made = NULL;
        scree_error err = { 0 };
        CHECK_INT(scree_mesh_make(mesh->space, mesh->nodes, mesh->node, mesh->elements, mesh->kind,
                                  mesh->corner, 1, &part, &made, &err),
                  SCREE_OK);
        if (made) {
            CHECK_INT(made->group[0].facets, right->facets);
            CHECK_INT(made->group[0].nodes, right->nodes);
            CHECK(memcmp(made->group[0].facet, right->facet, (size_t)right->facets * sizeof(int)) ==
                  0);
        }
        scree_mesh_free(made);
        drop(&b);
    }
}

// ---- what does not fit

static void refused(const scree_element *kind, const int *corner, const char *text) {
    static const double node[] = { 0, 0, 1, 0, 0, 1, 1, 1, 0.5, 0, 0.5, 0.5, 0, 0.5, 0.5, 0.4 };
    scree_mesh *mesh = NULL;
    scree_error err = { 0 };
    CHECK_INT(scree_mesh_make(2, 8, node, 2, kind, corner, 0, NULL, &mesh, &err), SCREE_BAD_INPUT);
    if (!strstr(err.text, text)) COMPLAIN("\"%s\" does not say \"%s\"", err.text, text);
}

static void orders_do_not_mix(void) {
    static const scree_element mixed[2] = { SCREE_T6, SCREE_T3 }, both[2] = { SCREE_T6, SCREE_T6 };
    static const int one[] = { 0, 1, 2, 4, 5, 6, 1, 3, 2 };
    static const int other[] = { 0, 1, 2, 4, 5, 6, 1, 3, 2, 4, 6, 7 };
    refused(mixed, one, "nodes without an element: 7");
    refused(both, other,
            "elements 0 (T6) and 1 (T6) do not fit: the edges that they share have not");
}

static void clockwise_is_turned(void) {
    static const double node[] = { 0, 0, 0, 1, 1, 0, 0, 0.5, 0.6, 0.6, 0.5, 0 };
    static const int corner[6] = { 0, 1, 2, 3, 4, 5 };
    const scree_element kind = SCREE_T6;
    scree_mesh *mesh = NULL;
    scree_error err = { 0 };
    CHECK_INT(scree_mesh_make(2, 6, node, 1, &kind, corner, 0, NULL, &mesh, &err), SCREE_OK);
    static const int turned[6] = { 0, 2, 1, 5, 4, 3 };
    for (int k = 0; mesh && k < 6; k++) CHECK_INT(mesh->corner[k], turned[k]);
    // the straight triangle, and two thirds of chord times height under the curved edge
    double exact = 0.5 + 2.0 / 3 * sqrt(2) * 0.1 * sqrt(2);
    if (mesh) CHECK_NEAR(scree_fem_volume(mesh, &plain, 0), exact, 1e-14);
    scree_mesh_free(mesh);
}

// ---- curved outlines

static void discs(void) {
    static const double centre[2] = { 3, -2 };
    for (int k = 0; k < KINDS; k++) {
        double off[2];
        if (!is_planar((scree_element)k)) continue;
        for (int fine = 0; fine < 2; fine++) {
            scree_mesh *mesh = NULL;
            scree_error err = { 0 };
            double area = 0;
            CHECK_INT(scree_mesh_disc(centre, 1.5, 6 << fine, (scree_element)k, &mesh, &err),
                      SCREE_OK);
            for (int e = 0; mesh && e < mesh->elements; e++)
                area += scree_fem_volume(mesh, &plain, e);
            off[fine] = fabs(area / (pi * 1.5 * 1.5) - 1);
            scree_mesh_free(mesh);
        }
        double order = log2(off[0] / off[1]);
        printf("disc of %s: area off by %.2e %.2e, order %.2f\n", kind_name[k], off[0], off[1],
               order);
        CHECK_NEAR(order, is_quadratic((scree_element)k) ? 4 : 2, 0.1);
    }
}

// ---- a bar that hangs from its end: quadratic displacements are exact at every node

static void hanging_bar(void) {
    static const double size[3] = { 2, 0.5, 0.5 }, weight[3] = { 1, 0, 0 };
    static const int cells[3] = { 3, 1, 1 };
    for (int k = LINEAR_KINDS; k < KINDS; k++) {
        body b = grid((scree_element)k, size, cells, &plain);
        assemble(&b);
        int s = b.mesh->space;
        double *u = vector(&b), *force = vector(&b);
        unsigned char *held = flags(&b);
        scree_error err = { 0 };
        for (int i = 0; i < b.dofs; i++)
            held[i] = i % s > 0 || b.mesh->node[i] == 0;  // it moves along x alone
        scree_fem_add_volume_force(b.mesh, &plain, weight, force);
        CHECK_INT(scree_fem_static(b.mesh, &b.fem, held, force, u, &err), SCREE_OK);
        for (int i = 0; i < b.mesh->nodes; i++) {
            double x = b.mesh->node[i * s];
            CHECK_NEAR(u[i * s], x * (2 - x / 2), 1e-13);
        }
        drop(&b);
    }
}

// ---- mass

// the parts of a lumped mass are positive, whole in sum, and those of the diagonal
static void lumps(void) {
    static const double unit[3] = { 1, 1, 1 };
    static const int cells[3] = { 1, 1, 1 };
    for (int k = LINEAR_KINDS; k < KINDS; k++) {
        scree_material m = plain;
        m.lumped = true;
        body b = grid((scree_element)k, unit, cells, &m);
        assemble(&b);
        double sum = 0;
        for (int i = 0; i < b.mesh->nodes; i++) {
            CHECK(b.fem.diagonal[i] > 0);
            sum += b.fem.diagonal[i];
        }
        CHECK_NEAR(sum, 1, 1e-14);
        if (k == SCREE_Q8) CHECK_NEAR(b.fem.diagonal[0], 3.0 / 76, 1e-14);
        printf("lumps of %s: %.5f at a corner, %.5f in a middle\n", kind_name[k], b.fem.diagonal[0],
               b.fem.diagonal[b.mesh->nodes - 1]);
        drop(&b);
    }
}

TEST_FILE(test_fem_order) {
    TEST(grids);
    TEST(facets_and_groups);
    TEST(groups_of_pieces);
    TEST(orders_do_not_mix);
    TEST(clockwise_is_turned);
    TEST(discs);
    TEST(hanging_bar);
    TEST(lumps);
    return harness_end();
}
