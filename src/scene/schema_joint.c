// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// schema_joint.c - the keys of joints and markers in the scene language.

#include "scene/schema_rows.h"

const scree_schema_row scree_schema_joint[] = {
    { "name", SCREE_VALUE_TEXT, true, .unit = "", .help = "Name of the joint, used once.",
      AT(scree_scene_joint, name) },
    { "type", SCREE_VALUE_CHOICE, true,
      .choices = "hinge|slider|ball|cylindrical|planar|universal|weld|screw|rod|rope|"
                 "point-on-line|point-on-plane|coupler|coordinate|fixed|gear",
      .synonyms = "fixed=weld|gear=coupler", .unit = "",
      .help = "What it leaves free; docs/joints.md has the list. `fixed` is `weld`, `gear` is "
              "`coupler`.",
      AT(scree_scene_joint, type) },
    { "bodies", SCREE_VALUE_NAMES, .unit = "", FROM_TO(1, 2),
      .help = "The two bodies a and b, or markers; with one, or `ground` as the second, it is "
              "joined to the ground.",
      AT(scree_scene_joint, bodies) },
    { "chain", SCREE_VALUE_TEXT, .unit = "",
      .help = "Instead of bodies, a generator: one such joint for each of its bodies and the next, "
              "called name-1, name-2 and so on.",
      AT(scree_scene_joint, chain) },
    { "at", SCREE_VALUE_NUMBERS, .unit = "m", ANY,
      .help = "The joint's point at the start, in the world; of a chain in the frame of the first "
              "body of each pair. Rod and rope: the point on a.",
      AT(scree_scene_joint, at) },
    { "to", SCREE_VALUE_NUMBERS, .unit = "m", ANY,
      .help = "The point on b, where that is another one: rod, rope; other joints are closed by "
              "moving bodies, if it is not further than a tenth of their size. Of a chain in the "
              "frame of the second body.",
      AT(scree_scene_joint, to) },
    { "axis", SCREE_VALUE_NUMBERS, .unit = "1", ANY,
      .help = "Direction at the start, in the world, of any length; planar: the normal, universal: "
              "that of a. A hinge in the plane needs none.",
      AT(scree_scene_joint, axis) },
    { "axis_second", SCREE_VALUE_NUMBERS, .unit = "1", ANY,
      .help = "Universal: the axis of b, at a right angle to axis.",
      AT(scree_scene_joint, axis_second) },
    { "length", SCREE_VALUE_NUMBER, .unit = "m", POSITIVE,
      .help = "Rod and rope; without it the distance of their points at the start. With clearance: "
              "of the block of a slider, of the pin of a hinge in space.",
      AT(scree_scene_joint, length) },
    { "pitch", SCREE_VALUE_NUMBER, .unit = "m", ANY,
      .help = "Screw: way along the axis in one turn; negative: left-handed.",
      AT(scree_scene_joint, pitch) },
    { "joints", SCREE_VALUE_NAMES, .unit = "", FROM_TO(2, 2),
      .help = "Coupler: names of two joints above it that have a coordinate.",
      AT(scree_scene_joint, joints) },
    { "ratio", SCREE_VALUE_NUMBER, .unit = "1", ANY, .preset = "1",
      .help = "Coupler: coordinate of the first + ratio x that of the second stays as it is: two "
              "gears that mesh have the second's radius over the first's.",
      AT(scree_scene_joint, ratio) },
    { "lower", SCREE_VALUE_NUMBER, .unit = "m, rad", ANY,
      .help = "Least value of the coordinate, which is 0 at the start but for a way between two "
              "points; in space angles are between -pi and pi. None if not given.",
      AT(scree_scene_joint, lower) },
    { "upper", SCREE_VALUE_NUMBER, .unit = "m, rad", ANY, .help = "Greatest value of it.",
      AT(scree_scene_joint, upper) },
    { "restitution", SCREE_VALUE_NUMBER, .unit = "1", FROM_TO(0, 1), .preset = "0",
      .help = "Newton's coefficient e at the limits, and of a rope that tightens.",
      AT(scree_scene_joint, restitution) },
    { "friction", SCREE_VALUE_NUMBER, .unit = "1", NOT_NEGATIVE, .preset = "0",
      .help = "Coulomb's coefficient mu of a hinge, slider, cylindrical joint or point-on-line: mu "
              "times the force that it transmits works against its coordinate.",
      AT(scree_scene_joint, friction) },
    { "radius", SCREE_VALUE_NUMBER, .unit = "m", NOT_NEGATIVE, .preset = "0",
      .help =
          "Hinge with friction: the radius of the pin that rubs. Slider with clearance in space: "
          "half the width of its block.",
      AT(scree_scene_joint, radius) },
    { "dry_friction", SCREE_VALUE_NUMBER, .unit = "N, N m", NOT_NEGATIVE, .preset = "0",
      .help = "Force, of a hinge moment, against the coordinate, whatever is transmitted.",
      AT(scree_scene_joint, dry_friction) },
    { "clearance", SCREE_VALUE_NUMBER, .unit = "m", NOT_NEGATIVE, .preset = "0",
      .help =
          "Hinge, slider, ball: the pin or block of the first body has so much room in the bush or "
          "guide of the second, on each side, and touches it with `restitution`, `friction` and "
          "`radius`; sliders, and hinges in space, have a `length`. 0: it is held in the middle.",
      AT(scree_scene_joint, clearance) },
    { "collide", SCREE_VALUE_FLAG, .unit = "", .preset = "false",
      .help = "Shapes of the two bodies may touch each other.", AT(scree_scene_joint, collide) },
    END,
};

const scree_schema_row scree_schema_marker[] = {
    { "name", SCREE_VALUE_TEXT, true, .unit = "",
      .help = "Name of the marker, which no body has; joints and springs name it as they name a "
              "body.",
      AT(scree_scene_marker, name) },
    { "elastic", SCREE_VALUE_TEXT, .unit = "",
      .help = "An elastic body: the marker follows the mean motion and rotation of `group`.",
      AT(scree_scene_marker, elastic) },
    { "group", SCREE_VALUE_TEXT, .unit = "", .help = "A group of nodes of that body's mesh.",
      AT(scree_scene_marker, group) },
    { "system", SCREE_VALUE_MATRIX, .unit = "1", ANY,
      .help = "Or x, y and in space z of the marker as rows of factors of the system's "
              "coordinates; in the plane a third row is its angle.",
      AT(scree_scene_marker, system) },
    { "mechanism", SCREE_VALUE_FORMULAS, .unit = "m, rad", ANY,
      .help = "Or formulas of the mechanism's coordinates for x, y and, if it is to be known, the "
              "angle (in space x, y, z).",
      AT(scree_scene_marker, mechanism) },
    END,
};
