// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// fem.h - meshes of finite elements and linear elastic bodies made of them.
//
// Displacements are small: strains are linear in them and stiffness is constant. Where nodes touch
// something follows the displaced nodes all the same.

#ifndef SCREE_FEM_H
#define SCREE_FEM_H

#include "scree/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Corners are counter-clockwise in the plane. T4: the first three counter-clockwise seen from the
/// fourth, so that its volume is positive; H8: the four of the bottom counter-clockwise seen from
/// above, then those above them (the order of Gmsh and VTK). T6, Q8, T10 and H20 have a node in the
/// middle of each edge besides, behind the corners in VTK's order: of T10 those of the edges 01 12
/// 20 03 13 23, of H20 those of the bottom, of the top, and from bottom to top.
typedef enum scree_element {
    SCREE_T3,
    SCREE_Q4,
    SCREE_T4,
    SCREE_H8,
    SCREE_T6,
    SCREE_Q8,
    SCREE_T10,
    SCREE_H20,
    SCREE_ELEMENT_KINDS
} scree_element;

/// Corners: 3, 4, 4, 8, and the same again; nodes: 3, 4, 4, 8, 6, 8, 10, 20.
SCREE_API int scree_element_corners(scree_element kind);

/// Nodes of an element of this kind.
SCREE_API int scree_element_nodes(scree_element kind);

/// The nodes around an element of the plane, as a polygon. How many, 0 for those of space.
enum { SCREE_OUTLINE_NODES = 8 };

/// The nodes of the outline, in order; how many.
SCREE_API int scree_element_outline(scree_element kind, int node[SCREE_OUTLINE_NODES]);

enum { SCREE_FACET_CORNERS = 4 };

/// A named part of the boundary. Groups of nodes alone (points) have no facets.
typedef struct scree_mesh_group {
    const char *name;
    int nodes;
    const int *node;  // (nodes), ascending
    int facets;
    const int *facet;  // (facets), ascending: numbers of the mesh's facets
} scree_mesh_group;

/// Read every field; change none.
typedef struct scree_mesh {
    int space;  // 2 or 3
    int nodes;
    double *node;  // (nodes x space) [m]
    int elements;
    scree_element *kind;  // (elements)
    int *first;           // where the nodes of each begin (elements + 1)
    int *corner;          // its nodes: corners, then middles of edges
    int facets;           // of the boundary: edges in the plane, triangles or quadrilaterals; the
                          // sides of quadratic elements are cut into flat ones between their nodes
    int *facet;           // (facets x SCREE_FACET_CORNERS), -1 behind the last; seen from outside
                          // counter-clockwise, in the plane the solid is on the left of the edge
    int *owner;           // element of each facet (facets)
    int groups;
    scree_mesh_group *group;           // (groups); one that is called `boundary` holds all facets
    struct scree_mesh_memory *memory;  // private
} scree_mesh;

typedef enum scree_diagonal {
    SCREE_DIAGONAL_RIGHT,      // from lower left to upper right in every cell
    SCREE_DIAGONAL_LEFT,       // from lower right to upper left
    SCREE_DIAGONAL_ALTERNATE,  // in turn, like a chessboard
} scree_diagonal;

/// A rectangle of T3, Q4, T6 or Q8: node j (nx + 1) + i is at column i, row j, the middles of edges
/// come behind all corners; cells, of one or two elements, are numbered likewise. Groups left,
/// right, bottom, top.
SCREE_API scree_status scree_mesh_rectangle(const double low[2], const double size[2],
                                            const int cells[2], scree_element kind,
                                            scree_diagonal diagonal, scree_mesh **mesh,
                                            scree_error *err);

/// A box of H8 or H20, or of T4 or T10 (six in each cell): node (k (ny + 1) + j) (nx + 1) + i.
/// Groups left, right (low and high x), front, back (y), bottom, top (z).
SCREE_API scree_status scree_mesh_box(const double low[3], const double size[3], const int cells[3],
                                      scree_element kind, scree_mesh **mesh, scree_error *err);

/// A disc of Q4 or T3, or of Q8 or T6, whose outline is curved: a square of cells x cells whose
/// outline is blown up to the circle, where its 4 cells nodes are evenly spaced. T3 are cut
/// outwards and have angles of 30 degrees and more; Q4 at the four corners of the square have an
/// angle of nearly 180 degrees. Its one group is the boundary.
SCREE_API scree_status scree_mesh_disc(const double centre[2], double radius, int cells,
                                       scree_element kind, scree_mesh **mesh, scree_error *err);

/// A Gmsh file, version 2.2 or 4.1, text, of triangles and quadrangles or of tetrahedra and
/// hexahedra, of first or second order (of the latter the nodes inside of faces and volumes, which
/// Q8 and H20 do not have, are left out). Nodes are multiplied by
/// scale; in the plane z must be the same for all; nodes without an element are left out.
///
/// Physical groups of one dimension less than space become groups with facets (rules as below),
/// those of still less become groups of nodes, those of the same dimension (materials) are not
/// looked at. A group without a name is called by its number, `7`, or `point 7` and `curve 7` where
/// that is not the dimension of facets; a name without elements is refused. Elements that are
/// turned inside out or have no size are listed in the error by their numbers in the file, but a
/// surface in the plane of which all elements are clockwise is turned over. Errors name file and
/// line.
SCREE_API scree_status scree_mesh_read_gmsh(const char *path, int space, double scale,
                                            scree_mesh **mesh, scree_error *err);

/// The same for text in memory; name is what errors call it.
SCREE_API scree_status scree_mesh_parse_gmsh(const char *name, const char *text, size_t length,
                                             int space, double scale, scree_mesh **mesh,
                                             scree_error *err);

/// A group of a mesh to be made: a list of facets, or of nodes. Facets are given by their corners
/// in any order: those of a side of an element, or of one of the flat facets that it is cut into.
/// Facets are all on the boundary, or all inside the body: then the group has their nodes alone,
/// where something can be held, but not loaded or touched.
typedef struct scree_mesh_part {
    const char *name;
    int nodes;
    const int *node;  // of facets (facets x SCREE_FACET_CORNERS, -1 behind the last), or (nodes)
    int facets;       // 0: node lists the nodes of a group without facets
} scree_mesh_part;

/// A mesh from arrays, which are copied. The boundary is found, its facets are turned outwards.
/// Groups have the numbers of the parts; `boundary` comes behind them, unless a part that holds all
/// facets has the name.
///
/// Refused are nodes that are not finite or belong to no element; elements that name a node twice,
/// are turned inside out, have no size, or are flat or folded at a corner (in the plane, where all
/// elements are clockwise they are turned over instead); elements that overlap across a side, share
/// it with more than one other, or meet it with half a side. Numbers in the error count from 0.
SCREE_API scree_status scree_mesh_make(int space, int nodes, const double *node, int elements,
                                       const scree_element *kind, const int *corner, int parts,
                                       const scree_mesh_part *part, scree_mesh **mesh,
                                       scree_error *err);

/// Free it, with all that it owns.
SCREE_API void scree_mesh_free(scree_mesh *mesh);

/// The number of a group, or -1.
SCREE_API int scree_mesh_find(const scree_mesh *mesh, const char *name);

/// Units of a body in the plane: stress is force over length and thickness.
typedef struct scree_material {
    double young;       // E > 0 [Pa]
    double poisson;     // -1 < nu < 1/2
    double density;     // > 0 [kg/m^3]
    double thickness;   // of a body in the plane > 0 [m]
    bool plane_stress;  // in the plane: no stress across it; otherwise no strain
    bool lumped;        // the mass of each element at its nodes: in equal parts, of quadratic ones
                        // in those of the diagonal
    double damping_mass, damping_stiffness;  // C = damping_mass M + damping_stiffness K [1/s, s]
} scree_material;

/// Thickness 1, plane strain, consistent mass, no damping; the rest is to be said.
SCREE_API scree_material scree_material_default(void);

/// Speed of waves of pressure: of plane strain and space, or of plane stress.
SCREE_API double scree_material_wave_speed(const scree_material *material);

/// The displacement of a group along one axis is prescribed (a Dirichlet condition).
typedef struct scree_prescribed {
    int group, axis;
    scree_function value;  // [m]
} scree_prescribed;

/// Traction on the facets of a group, in axes of the world, or pressure against them: on the area
/// that they have in the mesh.
typedef struct scree_traction {
    int group;
    bool pressure;            // value[0] pushes against the outward normal
    scree_function value[3];  // [Pa]
} scree_traction;

/// How the body is at time 0: at rest, or in the static state under these conditions instead of
/// those of the run.
typedef struct scree_elastic_start {
    bool loaded;  // solve for it
    bool gravity;
    int holds, tractions;
    const scree_prescribed *hold;  // values at t = 0
    const scree_traction *traction;
    double velocity[3];  // of all nodes [m/s]
} scree_elastic_start;

typedef struct scree_elastic {
    const char *name;        // copied into the model
    int group;               // for laws; 0: none
    const scree_mesh *mesh;  // borrowed while the body is added
    scree_material material;
    int holds, tractions;
    const scree_prescribed *hold;
    const scree_traction *traction;
    scree_function force[3];  // over the volume, besides gravity [N/m^3]
    scree_elastic_start start;
    int contact_groups;
    const int *contact_group;     // whose nodes and facets can touch; `boundary` is the whole
    int self_nodes, self_facets;  // groups of which the nodes may touch the facets; -1: none
} scree_elastic;

/// A default material, nothing held, loaded or touching itself.
SCREE_API scree_elastic scree_elastic_default(void);

/// What an elastic body has become in a model. Read every field; change none.
typedef struct scree_elastic_body {
    const char *name;
    int group;
    scree_mesh mesh;  // the model's own copy
    scree_material material;
    int coordinate, dof;  // where its nodes begin in q and v; node after node, q: displacements
    int count;            // nodes x space
    int contact_nodes;
    const int *contact_node;  // ascending
    int contact_facets;
    const int *contact_facet;  // ascending
    int self_nodes, self_facets;
    const int *self_node, *self_facet;
    double wave_speed;                       // of pressure [m/s]
    double extent;                           // the smallest height of an element [m]
    int free;                                // degrees of freedom that are not held
    const int *number;                       // of each among the free ones, -1: it is held (count)
    const struct scree_elastic_data *parts;  // private: matrices, loads, what holds it
} scree_elastic_body;

/// Add an elastic body behind all rigid ones; everything is copied. Its side in laws and contacts
/// is model->bodies + its number.
SCREE_API scree_status scree_model_add_elastic(scree_model *model, const scree_elastic *elastic,
                                               scree_error *err);

#ifdef __cplusplus
}
#endif

#endif
