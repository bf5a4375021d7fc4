// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// schema_drive.c - the keys of springs and motors in the scene language.

#include "scene/schema_rows.h"

const scree_schema_row scree_schema_spring[] = {
    { "name", SCREE_VALUE_TEXT, true, .unit = "", .help = "Name of the spring, used once.",
      AT(scree_scene_drive, name) },
    { "bodies", SCREE_VALUE_NAMES, .unit = "", FROM_TO(1, 2),
      .help = "The two bodies that it is between; with one body, or `ground` as the second, it is "
              "fixed to the ground.",
      AT(scree_scene_drive, bodies) },
    { "at", SCREE_VALUE_NUMBERS, .unit = "m", ANY,
      .help = "Its end on the first body at the start, in the world.", AT(scree_scene_drive, at) },
    { "to", SCREE_VALUE_NUMBERS, .unit = "m", ANY, .help = "Its other end.",
      AT(scree_scene_drive, to) },
    { "joint", SCREE_VALUE_TEXT, .unit = "",
      .help = "Instead of bodies, at and to: the joint along whose coordinate it acts; on a hinge "
              "it is torsional.",
      AT(scree_scene_drive, joint) },
    { "stiffness", SCREE_VALUE_NUMBER, .unit = "N/m, N m/rad", NOT_NEGATIVE, .preset = "0",
      .help = "Force over elongation.", AT(scree_scene_drive, stiffness) },
    { "damping", SCREE_VALUE_NUMBER, .unit = "N s/m, N m s/rad", NOT_NEGATIVE, .preset = "0",
      .help = "Force over the rate of elongation, of a damper beside it.",
      AT(scree_scene_drive, damping) },
    { "length", SCREE_VALUE_FUNCTION, .unit = "m, rad", ANY,
      .help = "Where it is at rest: its length, or the coordinate of its joint; may depend on t. "
              "Without it as it is at the start.",
      AT(scree_scene_drive, target) },
    { "preload", SCREE_VALUE_NUMBER, .unit = "N, N m", ANY, .preset = "0",
      .help = "Pull that it has at `length`; negative: it pushes. Needs a stiffness.",
      AT(scree_scene_drive, preload) },
    { "energy", SCREE_VALUE_FORMULA, .unit = "J", ANY, .variable = "e",
      .help =
          "Instead of stiffness: what it stores, a formula of its elongation e, as in \"k*e^2/2 "
          "+ c*e^4/4\"; its force is the derivative.",
      AT(scree_scene_drive, energy) },
    { "yield", SCREE_VALUE_NUMBER, .unit = "N, N m", POSITIVE,
      .help = "With stiffness: force at which a dry slider in series with it gives way: it is "
              "elastic below, and slides with that force.",
      AT(scree_scene_drive, yield) },
    { "acts", SCREE_VALUE_CHOICE, .choices = "both|pull|push", .unit = "", .preset = "both",
      .help = "Both ways; only where it is longer than at rest (an elastic rope); only where it is "
              "shorter (a bumper).",
      AT(scree_scene_drive, sense) },
    END,
};

const scree_schema_row scree_schema_motor[] = {
    { "name", SCREE_VALUE_TEXT, true, .unit = "", .help = "Name of the motor, used once.",
      AT(scree_scene_drive, name) },
    { "joint", SCREE_VALUE_TEXT, true, .unit = "",
      .help = "The joint whose coordinate it drives: hinge, slider, cylindrical, screw, "
              "point-on-line.",
      AT(scree_scene_drive, joint) },
    { "velocity", SCREE_VALUE_FUNCTION, .unit = "m/s, rad/s", ANY,
      .help = "Rate that it holds; may depend on t. One of velocity, position and force.",
      AT(scree_scene_drive, velocity) },
    { "position", SCREE_VALUE_FUNCTION, .unit = "m, rad", ANY,
      .help = "Coordinate that it holds: exactly, or, with stiffness and damping, as a spring and "
              "a damper would.",
      AT(scree_scene_drive, target) },
    { "force", SCREE_VALUE_FUNCTION, .unit = "N, N m", ANY, .help = "Force or torque that it has.",
      AT(scree_scene_drive, force) },
    { "stiffness", SCREE_VALUE_NUMBER, .unit = "N/m, N m/rad", NOT_NEGATIVE, .preset = "0",
      .help = "With position: force over the distance from it.", AT(scree_scene_drive, stiffness) },
    { "damping", SCREE_VALUE_NUMBER, .unit = "N s/m, N m s/rad", NOT_NEGATIVE, .preset = "0",
      .help = "With position and stiffness: force over the rate of that.",
      AT(scree_scene_drive, damping) },
    { "integral", SCREE_VALUE_NUMBER, .unit = "N/(m s), N m/(rad s)", NOT_NEGATIVE, .preset = "0",
      .help = "With position and stiffness: force over the time integral of the distance from it; "
              "what is beyond the limit is not summed up.",
      AT(scree_scene_drive, integral) },
    { "limit", SCREE_VALUE_NUMBER, .unit = "N, N m", POSITIVE,
      .help = "Largest force or torque of velocity and position; none if not given. With area: the "
              "pressure that a wall keeps.",
      AT(scree_scene_drive, most) },
    { "area", SCREE_VALUE_FORMULA, .unit = "m, m^2", ANY, .of_body = true,
      .help = "Formula of t and of places of bodies (`lid.y`) by which limit is multiplied where a "
              "step begins: a servo wall goes on with its velocity until it is pressed with limit "
              "times area, and keeps that pressure from then on.",
      AT(scree_scene_drive, area) },
    END,
};
