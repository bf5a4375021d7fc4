// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// schema_elastic.c - the rows of the scene language for elastic bodies.

#include "scene/schema_rows.h"

static const scree_schema_row rectangle_rows[] = {
    { "size", SCREE_VALUE_NUMBERS, true, .unit = "m", POSITIVE,
      .help = "Width and height, `[x, y]`.", AT(scree_scene_grid, size) },
    { "cells", SCREE_VALUE_NUMBERS, true, .unit = "", FROM_TO(1, INT_MAX),
      .help = "How many cells along x and y.", AT(scree_scene_grid, cells) },
    { "at", SCREE_VALUE_VECTOR, .unit = "m", ANY, .preset = "[0, 0]", .preset_space = "[0, 0, 0]",
      .help = "The lower left corner.", AT(scree_scene_grid, at) },
    { "elements", SCREE_VALUE_CHOICE, .choices = "T3|Q4|T6|Q8", .unit = "", .preset = "Q4",
      .help =
          "Two triangles in each cell, or one quadrilateral; T6 and Q8 with nodes in the middle "
          "of edges.",
      AT(scree_scene_grid, elements) },
    { "diagonal", SCREE_VALUE_CHOICE, .choices = "right|left|alternate", .unit = "",
      .preset = "right",
      .help =
          "T3, T6: cells are cut from lower left to upper right, from lower right to upper left, "
          "or in turn like a chessboard.",
      AT(scree_scene_grid, diagonal) },
    END,
};

static const scree_schema_row box_rows[] = {
    { "size", SCREE_VALUE_NUMBERS, true, .unit = "m", POSITIVE,
      .help = "Lengths of the edges, `[x, y, z]`.", AT(scree_scene_grid, size) },
    { "cells", SCREE_VALUE_NUMBERS, true, .unit = "", FROM_TO(1, INT_MAX),
      .help = "How many cells along x, y and z.", AT(scree_scene_grid, cells) },
    { "at", SCREE_VALUE_VECTOR, .unit = "m", ANY, .preset = "[0, 0]", .preset_space = "[0, 0, 0]",
      .help = "The corner with the lowest x, y and z.", AT(scree_scene_grid, at) },
    { "elements", SCREE_VALUE_CHOICE, .choices = "T4|H8|T10|H20", .unit = "", .preset = "H8",
      .help =
          "Six tetrahedra in each cell, or one hexahedron; T10 and H20 with nodes in the middle "
          "of edges.",
      AT(scree_scene_grid, elements) },
    END,
};

static const scree_schema_row disc_rows[] = {
    { "radius", SCREE_VALUE_NUMBER, true, .unit = "m", POSITIVE, .help = "Radius of the disc.",
      AT(scree_scene_round, radius) },
    { "cells", SCREE_VALUE_INTEGER, true, .unit = "", FROM_TO(1, 20000),
      .help = "Cells along each side of the square that is blown up to the disc; its outline has "
              "four times as many edges.",
      AT(scree_scene_round, cells) },
    { "at", SCREE_VALUE_VECTOR, .unit = "m", ANY, .preset = "[0, 0]", .preset_space = "[0, 0, 0]",
      .help = "The centre.", AT(scree_scene_round, at) },
    { "elements", SCREE_VALUE_CHOICE, .choices = "T3|Q4|T6|Q8", .unit = "", .preset = "Q4",
      .help = "Triangles or quadrilaterals; T6 and Q8 have a curved outline.",
      AT(scree_scene_round, elements) },
    END,
};

static const scree_schema_row mesh_rows[] = {
    { "rectangle", SCREE_VALUE_SECTION, .unit = "", .rows = rectangle_rows,
      .size = sizeof(scree_scene_grid),
      .help = "In the plane: equal cells, with the groups left, right, bottom and top.",
      AT(scree_scene_mesh, rectangle) },
    { "box", SCREE_VALUE_SECTION, .unit = "", .rows = box_rows, .size = sizeof(scree_scene_grid),
      .help = "In space: equal cells, with the groups left and right (x), front and back (y), "
              "bottom and top (z).",
      AT(scree_scene_mesh, box) },
    { "disc", SCREE_VALUE_SECTION, .unit = "", .rows = disc_rows, .size = sizeof(scree_scene_round),
      .help = "In the plane: a disc of cells; its outline is the group boundary.",
      AT(scree_scene_mesh, disc) },
    { "file", SCREE_VALUE_TEXT, .unit = "",
      .help = "Gmsh file, version 2.2 or 4.1, text, of first or second order, relative to the "
              "file of the scene; its physical groups are the groups.",
      AT(scree_scene_mesh, file) },
    { "geo", SCREE_VALUE_TEXT, .unit = "",
      .help = "Script of Gmsh, relative to the file of the scene: the program gmsh makes the mesh, "
              "which is kept beside it as NAME.geo.msh.",
      AT(scree_scene_mesh, geo) },
    { "scale", SCREE_VALUE_NUMBER, .unit = "1", POSITIVE, .preset = "1",
      .help = "File and geo: factor on all coordinates.", AT(scree_scene_mesh, scale) },
    { "size", SCREE_VALUE_NUMBER, .unit = "1", POSITIVE,
      .help = "Geo: largest size of an element, in the units of the script.",
      AT(scree_scene_mesh, size) },
    END,
};

static const scree_schema_row hold_rows[] = {
    { "group", SCREE_VALUE_TEXT, true, .unit = "", .help = "A group of the mesh, or boundary.",
      .before = "on", AT(scree_scene_hold, group) },
    { "x", SCREE_VALUE_FUNCTION, .unit = "m", ANY,
      .help = "Displacement along x, which may depend on t; free if it is left out.",
      AT(scree_scene_hold, along[0]) },
    { "y", SCREE_VALUE_FUNCTION, .unit = "m", ANY, .help = "The same along y.",
      AT(scree_scene_hold, along[1]) },
    { "z", SCREE_VALUE_FUNCTION, .unit = "m", ANY, .help = "The same along z, in space.",
      AT(scree_scene_hold, along[2]) },
    END,
};

static const scree_schema_row load_rows[] = {
    { "group", SCREE_VALUE_TEXT, true, .unit = "", .help = "A group of the mesh, or boundary.",
      .before = "on", AT(scree_scene_traction, group) },
    { "traction", SCREE_VALUE_FUNCTIONS, .unit = "Pa", ANY,
      .help = "Force over area along each axis of the world; each number may depend on t.",
      AT(scree_scene_traction, traction) },
    { "pressure", SCREE_VALUE_FUNCTION, .unit = "Pa", ANY,
      .help = "Instead of traction: pushes against the faces; may depend on t.",
      AT(scree_scene_traction, pressure) },
    END,
};

static const scree_schema_row damping_rows[] = {
    { "mass", SCREE_VALUE_NUMBER, .unit = "1/s", NOT_NEGATIVE, .preset = "0",
      .help = "Factor on the mass matrix: damps slow motions most.",
      AT(scree_scene_damping, mass) },
    { "stiffness", SCREE_VALUE_NUMBER, .unit = "s", NOT_NEGATIVE, .preset = "0",
      .help = "Factor on the stiffness matrix: damps fast vibrations most.",
      AT(scree_scene_damping, stiffness) },
    END,
};

static const scree_schema_row start_rows[] = {
    { "held", SCREE_VALUE_SECTIONS, .unit = "", .preset = "[]", .rows = hold_rows,
      .size = sizeof(scree_scene_hold),
      .help = "Displacements that are given there, instead of those of the run.",
      AT(scree_scene_start, held) },
    { "loads", SCREE_VALUE_SECTIONS, .unit = "", .preset = "[]", .rows = load_rows,
      .size = sizeof(scree_scene_traction), .help = "Loads there, instead of those of the run.",
      AT(scree_scene_start, loads) },
    { "gravity", SCREE_VALUE_FLAG, .unit = "", .preset = "true",
      .help = "Whether gravity acts there.", AT(scree_scene_start, gravity) },
    END,
};

static const scree_schema_row self_rows[] = {
    { "nodes", SCREE_VALUE_TEXT, true, .unit = "",
      .help = "Group of the mesh of which the nodes can touch.", AT(scree_scene_self, nodes) },
    { "facets", SCREE_VALUE_TEXT, true, .unit = "",
      .help = "Group of the mesh of which the faces can be touched by them.",
      AT(scree_scene_self, facets) },
    END,
};

const scree_schema_row scree_schema_elastic[] = {
    { "name", SCREE_VALUE_TEXT, true, .unit = "",
      .help = "Name of the body, used once, by rigid ones neither.",
      AT(scree_scene_elastic, name) },
    { "group", SCREE_VALUE_TEXT, .unit = "", .help = "Name shared by bodies with the same laws.",
      AT(scree_scene_elastic, group) },
    { "mesh", SCREE_VALUE_SECTION, true, .unit = "", .rows = mesh_rows,
      .size = sizeof(scree_scene_mesh),
      .help = "What the body is made of: one of rectangle, box, disc, file and geo.",
      AT(scree_scene_elastic, mesh) },
    { "density", SCREE_VALUE_NUMBER, true, .unit = "kg/m^3", POSITIVE,
      .help = "Mass over volume; in the plane too, where the body has a thickness.",
      AT(scree_scene_elastic, density) },
    { "young", SCREE_VALUE_NUMBER, true, .unit = "Pa", POSITIVE, .help = "Young's modulus E.",
      AT(scree_scene_elastic, young) },
    { "poisson", SCREE_VALUE_NUMBER, true, .unit = "1", .low = -1, .above_low = true, .high = 0.5,
      .help = "Poisson's ratio nu, below 1/2.", AT(scree_scene_elastic, poisson) },
    { "plane", SCREE_VALUE_CHOICE, .choices = "strain|stress", .unit = "", .preset = "strain",
      .help = "In the plane: no strain across it (a slice of something long), or no stress (a thin "
              "plate).",
      AT(scree_scene_elastic, plane) },
    { "thickness", SCREE_VALUE_NUMBER, .unit = "m", POSITIVE, .preset = "1",
      .help = "Of a body in the plane; a factor on its mass, stiffness and loads.",
      AT(scree_scene_elastic, thickness) },
    { "mass", SCREE_VALUE_CHOICE, .choices = "consistent|lumped", .unit = "",
      .preset = "consistent",
      .help = "Masses couple neighbours as the elements say, or sit in the nodes.",
      AT(scree_scene_elastic, mass) },
    { "damping", SCREE_VALUE_SECTION, .unit = "", .preset = "{}", .rows = damping_rows,
      .size = sizeof(scree_scene_damping), .help = "Rayleigh damping: C = mass M + stiffness K.",
      AT(scree_scene_elastic, damping) },
    { "velocity", SCREE_VALUE_VECTOR, .unit = "m/s", ANY, .preset = "[0, 0]",
      .preset_space = "[0, 0, 0]", .help = "Velocity of all nodes at the start.",
      AT(scree_scene_elastic, velocity) },
    { "held", SCREE_VALUE_SECTIONS, .unit = "", .preset = "[]", .rows = hold_rows,
      .size = sizeof(scree_scene_hold), .help = "Groups of which the displacement is given.",
      AT(scree_scene_elastic, held) },
    { "loads", SCREE_VALUE_SECTIONS, .unit = "", .preset = "[]", .rows = load_rows,
      .size = sizeof(scree_scene_traction), .help = "Tractions and pressures on groups.",
      AT(scree_scene_elastic, loads) },
    { "force", SCREE_VALUE_FUNCTIONS, .unit = "N/m^3", ANY, .preset = "[0, 0]",
      .preset_space = "[0, 0, 0]",
      .help = "Force over volume besides gravity, one number for each axis; each may depend on t.",
      AT(scree_scene_elastic, force) },
    { "start", SCREE_VALUE_SECTION, .unit = "", .rows = start_rows,
      .size = sizeof(scree_scene_start),
      .help = "Begin in the static state under these conditions; without it the body begins in "
              "the shape of its mesh.",
      AT(scree_scene_elastic, start) },
    { "contact", SCREE_VALUE_NAMES, .unit = "", .preset = "[boundary]",
      .help = "Groups of which nodes and faces can touch other bodies; [] for none.",
      AT(scree_scene_elastic, contact) },
    { "self", SCREE_VALUE_SECTION, .unit = "", .rows = self_rows, .size = sizeof(scree_scene_self),
      .help = "The body can touch itself there.", AT(scree_scene_elastic, self) },
    END,
};
