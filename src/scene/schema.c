// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// schema.c - the scene language, one row per key. Reader, defaults, `scree check`, `scree schema`
// and docs/scene.md come from this table and from nothing else.

#include <string.h>

#include "scene/schema_rows.h"
#include "scree/solve.h"

static const scree_schema_row shape_rows[] = {
    { "type", SCREE_VALUE_CHOICE, true,
      .choices = "point|disc|half-plane|polygon|chain|sphere|box|capsule|cylinder|polyhedron|"
                 "plane|mesh|height-field",
      .unit = "", .help = "What the shape is; see the list above.", AT(scree_scene_shape, kind) },
    { "at", SCREE_VALUE_VECTOR, .unit = "m", ANY, .preset = "[0, 0]", .preset_space = "[0, 0, 0]",
      .help = "The point, the centre, a point of the plane or the origin of the vertices, in the "
              "frame of the body.",
      AT(scree_scene_shape, at) },
    { "angle", SCREE_VALUE_NUMBER, .unit = "rad", ANY, .preset = "0",
      .help = "Turned by this angle within the body; in space about axis.",
      AT(scree_scene_shape, angle) },
    { "axis", SCREE_VALUE_NUMBERS, .unit = "1", ANY,
      .help = "In space: direction about which the shape is turned, `[x, y, z]` of any length.",
      AT(scree_scene_shape, axis) },
    { "normal", SCREE_VALUE_VECTOR, .unit = "1", ANY, .preset = "[0, 1]",
      .preset_space = "[0, 0, 1]",
      .help = "Direction out of the solid of a half-plane or plane, in the frame of the body; its "
              "length does not matter.",
      AT(scree_scene_shape, normal) },
    { "radius", SCREE_VALUE_NUMBER, .unit = "m", POSITIVE,
      .help = "Radius of a disc, sphere, capsule or cylinder; rounding of a polygon or polyhedron.",
      AT(scree_scene_shape, radius) },
    { "length", SCREE_VALUE_NUMBER, .unit = "m", POSITIVE,
      .help = "Length of the axis of a capsule or cylinder, without caps; along x in the plane, "
              "along z in space.",
      AT(scree_scene_shape, length) },
    { "size", SCREE_VALUE_NUMBERS, .unit = "m", POSITIVE,
      .help = "Lengths of the edges of a box; widths along x and y of a height field.",
      AT(scree_scene_shape, size) },
    { "vertices", SCREE_VALUE_MATRIX, .unit = "m", ANY,
      .help = "Corners of a polygon (convex, either way round), of a chain in the order of its "
              "way, of a mesh; points whose hull is a polyhedron.",
      AT(scree_scene_shape, vertices) },
    { "triangles", SCREE_VALUE_MATRIX, .unit = "", FROM_TO(0, INT_MAX),
      .help = "Triangles of a mesh: three vertices each, counted from 0, counter-clockwise seen "
              "from the front.",
      AT(scree_scene_shape, triangles) },
    { "heights", SCREE_VALUE_MATRIX, .unit = "m", ANY,
      .help = "Heights of a height field: a row for each y, from low to high x.",
      AT(scree_scene_shape, heights) },
    { "file", SCREE_VALUE_TEXT, .unit = "",
      .help = "OBJ or STL file of a polyhedron or mesh, relative to the file of the scene.",
      AT(scree_scene_shape, file) },
    { "scale", SCREE_VALUE_NUMBER, .unit = "1", POSITIVE, .preset = "1",
      .help = "Factor on vertices, from file or given here.", AT(scree_scene_shape, scale) },
    END,
};

static const scree_schema_row motion_rows[] = {
    { "position", SCREE_VALUE_FUNCTIONS, .unit = "m", ANY, .preset = "0",
      .help = "Displacement from the position at the start, one number for each axis; each may "
              "depend on t.",
      AT(scree_scene_motion, position) },
    { "angle", SCREE_VALUE_FUNCTION, .unit = "rad", ANY, .preset = "0",
      .help = "Turned by this angle from the start, about the position; may depend on t.",
      AT(scree_scene_motion, angle) },
    { "axis", SCREE_VALUE_NUMBERS, .unit = "1", ANY,
      .help = "In space: direction about which the body turns, `[x, y, z]` of any length.",
      AT(scree_scene_motion, axis) },
    { "table", SCREE_VALUE_MATRIX, .unit = "s, m, rad", ANY,
      .help = "Instead of position and angle: rows of time, displacement and angle, straight "
              "between the rows and at rest outside of them; the angle may be left out.",
      AT(scree_scene_motion, table) },
    { "acceleration", SCREE_VALUE_MATRIX, .unit = "s, m/s^2", ANY,
      .help = "Instead of position, angle and table, an accelerogram: rows of time and "
              "acceleration, straight between the rows and none outside of them; the body starts "
              "at rest.",
      AT(scree_scene_motion, acceleration) },
    { "table_file", SCREE_VALUE_TEXT, .unit = "",
      .help = "Instead of table: a file with its rows (CSV: commas, semicolons or blanks between "
              "numbers, # before comments, perhaps a first line of names), beside the scene; run "
              "files hold a copy.",
      AT(scree_scene_motion, table_file) },
    { "acceleration_file", SCREE_VALUE_TEXT, .unit = "",
      .help = "The same instead of acceleration.", AT(scree_scene_motion, acceleration_file) },
    { "scale", SCREE_VALUE_NUMBER, .unit = "1", ANY, .preset = "1",
      .help = "Ways and accelerations of the file are multiplied by it: 9.81 for an accelerogram "
              "in g.",
      AT(scree_scene_motion, scale) },
    END,
};

// the first row alone is not for the bodies of generators, which name them
static const scree_schema_row body_rows[] = {
    { "name", SCREE_VALUE_TEXT, true, .unit = "", .help = "Name of the body, used once.",
      AT(scree_scene_body, name) },
    { "group", SCREE_VALUE_TEXT, .unit = "",
      .help = "Name shared by bodies with the same laws; bodies of a generator have its name if "
              "there is none here.",
      AT(scree_scene_body, group) },
    { "fixed", SCREE_VALUE_FLAG, .unit = "", .preset = "false",
      .help = "A fixed body never moves and needs no mass.", AT(scree_scene_body, fixed) },
    { "mass", SCREE_VALUE_NUMBER, .unit = "kg", POSITIVE,
      .help = "Mass, together with inertia; a body that moves freely needs both, or density.",
      AT(scree_scene_body, mass) },
    { "inertia", SCREE_VALUE_ONE_OR_MORE, .unit = "kg m^2", ANY,
      .help = "Moment of inertia about the centre of mass; in space one number, three for the "
              "body's axes, or six: xx, xy, xz, yy, yz, zz.",
      AT(scree_scene_body, inertia) },
    { "density", SCREE_VALUE_NUMBER, .unit = "kg/m^3", POSITIVE,
      .help = "Instead of mass and inertia, which follow from the shapes; in the plane kg/m^2.",
      AT(scree_scene_body, density) },
    { "position", SCREE_VALUE_VECTOR, .unit = "m", ANY, .preset = "[0, 0]",
      .preset_space = "[0, 0, 0]",
      .help = "Centre of mass at the start; with density the origin of the frame of the shapes.",
      AT(scree_scene_body, position) },
    { "angle", SCREE_VALUE_NUMBER, .unit = "rad", ANY, .preset = "0",
      .help = "Angle at the start, counter-clockwise; in space about axis.",
      AT(scree_scene_body, angle) },
    { "axis", SCREE_VALUE_NUMBERS, .unit = "1", ANY,
      .help = "In space: direction about which angle turns the body, `[x, y, z]` of any length.",
      AT(scree_scene_body, axis) },
    { "orientation", SCREE_VALUE_NUMBERS, .unit = "1", ANY,
      .help = "In space, instead of axis and angle: quaternion `[w, x, y, z]` of any length.",
      AT(scree_scene_body, orientation) },
    { "velocity", SCREE_VALUE_VECTOR, .unit = "m/s", ANY, .preset = "[0, 0]",
      .preset_space = "[0, 0, 0]", .help = "Velocity of the centre of mass at the start.",
      AT(scree_scene_body, velocity) },
    { "spin", SCREE_VALUE_ONE_OR_MORE, .unit = "rad/s", ANY, .preset = "0",
      .preset_space = "[0, 0, 0]",
      .help = "Angular velocity at the start, counter-clockwise; in space a vector.",
      AT(scree_scene_body, spin) },
    { "force", SCREE_VALUE_FUNCTIONS, .unit = "N, N m", ANY, .preset = "[0, 0, 0]",
      .preset_space = "[0, 0, 0, 0, 0, 0]",
      .help = "Applied force and torque besides gravity; each number may depend on t.",
      AT(scree_scene_body, force) },
    { "motion", SCREE_VALUE_SECTION, .unit = "", .rows = motion_rows,
      .size = sizeof(scree_scene_motion),
      .help = "Drives the body along a given path, whatever pushes it; it needs no mass.",
      AT(scree_scene_body, motion) },
    { "hold", SCREE_VALUE_NAMES, .unit = "", FROM_TO(1, 4),
      .help = "Coordinates that stay as they are at the start, whatever pushes the body: x, y, "
              "angle; in space x, y, z, rotation. A platen that only moves in y holds [x, angle].",
      AT(scree_scene_body, hold) },
    { "born", SCREE_VALUE_NUMBER, .unit = "s", NOT_NEGATIVE, .preset = "0",
      .help = "The body is not there before this time.", AT(scree_scene_body, birth_time) },
    { "deposit", SCREE_VALUE_FLAG, .unit = "", .preset = "false",
      .help = "When it is born the body is lowered from its position, along gravity, until it "
              "touches what is there.",
      AT(scree_scene_body, deposit) },
    { "removed", SCREE_VALUE_NUMBER, .unit = "s", POSITIVE,
      .help = "The body is not there from this time on; without it the body stays.",
      AT(scree_scene_body, removal_time) },
    { "shapes", SCREE_VALUE_SECTIONS, .unit = "", .preset = "[]", .rows = shape_rows,
      .size = sizeof(scree_scene_shape), .help = "What the body touches others with.",
      AT(scree_scene_body, shapes) },
    END,
};

static const scree_schema_row generator_rows[] = {
    { "name", SCREE_VALUE_TEXT, true, .unit = "",
      .help = "The bodies are called name-1, name-2 and so on.", AT(scree_scene_generator, name) },
    { "arrange", SCREE_VALUE_CHOICE, true, .choices = "grid|hexagonal|random|wall|tower|each",
      .unit = "", .help = "How the bodies are placed; see the list above.",
      AT(scree_scene_generator, arrange) },
    { "count", SCREE_VALUE_ONE_OR_MORE, true, .unit = "", FROM_TO(1, INT_MAX),
      .help = "How many: along each axis (grid, hexagonal), altogether (random), bricks in a "
              "course, courses and leaves (wall), levels (tower).",
      AT(scree_scene_generator, count) },
    { "let", SCREE_VALUE_PARAMETERS, .unit = "", .preset = "{}", ANY,
      .help = "Each: names for numbers that use the number `i` of the body, for the arithmetic of "
              "body; a name may use those above it.",
      AT(scree_scene_generator, let) },
    { "body", SCREE_VALUE_SECTION, true, .unit = "", .rows = body_rows + 1,
      .size = sizeof(scree_scene_body), .per_number = true,
      .help = "What every body is like; its position and angle are added to those of its place. "
              "Each: all its numbers may use `i`, from 1, and the names of let.",
      AT(scree_scene_generator, body) },
    { "spacing", SCREE_VALUE_ONE_OR_MORE, .unit = "m", POSITIVE,
      .help = "From centre to centre (grid: one number or one for each axis; hexagonal: one "
              "number); without it the bodies just do not touch, but for gap.",
      AT(scree_scene_generator, spacing) },
    { "gap", SCREE_VALUE_NUMBER, .unit = "m", NOT_NEGATIVE, .preset = "0",
      .help = "Room left between neighbours.", AT(scree_scene_generator, gap) },
    { "origin", SCREE_VALUE_VECTOR, .unit = "m", ANY, .preset = "[0, 0]",
      .preset_space = "[0, 0, 0]",
      .help = "Where the first body is; of a wall its lower corner, of a tower the middle of its "
              "base.",
      AT(scree_scene_generator, origin) },
    { "region", SCREE_VALUE_MATRIX, .unit = "m", ANY,
      .help = "Random: two corners, low and high, of the box that all bodies lie in.",
      AT(scree_scene_generator, region) },
    { "radius", SCREE_VALUE_ONE_OR_MORE, .unit = "m", POSITIVE,
      .help = "Bodies are scaled to this radius about their origin: one number, or least and "
              "greatest; needs density.",
      AT(scree_scene_generator, radius) },
    { "sizes", SCREE_VALUE_CHOICE, .choices = "uniform|log-uniform|by-volume", .unit = "",
      .preset = "uniform",
      .help = "How radii are drawn: uniform, uniform in their logarithm, or such that every range "
              "of radii holds the same volume.",
      AT(scree_scene_generator, sizes) },
    { "turn", SCREE_VALUE_CHOICE, .choices = "none|random", .unit = "", .preset = "none",
      .help = "Bodies are turned as the pattern is, or at random.",
      AT(scree_scene_generator, turn) },
    { "jitter", SCREE_VALUE_NUMBER, .unit = "m", NOT_NEGATIVE, .preset = "0",
      .help = "Grid and hexagonal: places are moved at random, up to this along each axis.",
      AT(scree_scene_generator, jitter) },
    { "per_level", SCREE_VALUE_INTEGER, .unit = "", FROM_TO(1, INT_MAX), .preset = "2",
      .help = "Tower: planks side by side on each level.", AT(scree_scene_generator, per_level) },
    { "seed", SCREE_VALUE_INTEGER, .unit = "", FROM_TO(0, INT_MAX), .preset = "1",
      .help = "Another seed, other random numbers; the same seed, the same bodies.",
      AT(scree_scene_generator, seed) },
    END,
};

static const char impact_help[] =
    "Impact law: Coulomb's on the final velocity (newton), on the mean one (fremond), the "
    "scheme's.";

static const scree_schema_row law_rows[] = {
    { "between", SCREE_VALUE_NAMES, .unit = "", FROM_TO(2, 2), .preset = "[any, any]",
      .help = "Two names of bodies or groups, or any. The last law that fits a pair counts.",
      AT(scree_scene_law, between) },
    { "restitution", SCREE_VALUE_NUMBER, .unit = "1", FROM_TO(0, 1), .preset = "0",
      .help = "Newton's coefficient e of the normal velocity.", AT(scree_scene_law, restitution) },
    { "friction", SCREE_VALUE_FUNCTION, .unit = "1", NOT_NEGATIVE, .preset = "0",
      .help = "Coulomb's coefficient mu; may depend on t.", AT(scree_scene_law, friction) },
    { "friction_kinetic", SCREE_VALUE_NUMBER, .unit = "1", NOT_NEGATIVE,
      .help = "mu of fast sliding, with friction_speed: mu = kinetic + (friction - kinetic) "
              "exp(-u/friction_speed) with the sliding speed u where the step begins.",
      AT(scree_scene_law, friction_kinetic) },
    { "friction_speed", SCREE_VALUE_NUMBER, .unit = "m/s", POSITIVE,
      .help = "How fast friction falls from static to kinetic.",
      AT(scree_scene_law, friction_speed) },
    { "tangential_restitution", SCREE_VALUE_NUMBER, .unit = "1", FROM_TO(0, 1), .preset = "0",
      .help = "Part tau of the tangential velocity that comes back where friction holds; not with "
              "Fremond's impact law, which has its own.",
      AT(scree_scene_law, tangential_restitution) },
    { "contact", SCREE_VALUE_FLAG, .unit = "", .preset = "true",
      .help = "false: these bodies do not touch, they pass through each other.",
      AT(scree_scene_law, contact) },
    { "impact", SCREE_VALUE_CHOICE, .choices = "scheme|newton|fremond", .unit = "",
      .preset = "scheme", .help = impact_help, AT(scree_scene_law, impact) },
    { "cohesion", SCREE_VALUE_NUMBER, .unit = "N", NOT_NEGATIVE, .preset = "0",
      .help = "Pull that a contact bears before it opens.", AT(scree_scene_law, cohesion) },
    { "rolling", SCREE_VALUE_NUMBER, .unit = "m", NOT_NEGATIVE, .preset = "0",
      .help = "In space: resistance to rolling, moment over normal force.",
      AT(scree_scene_law, rolling) },
    { "friction_second", SCREE_VALUE_NUMBER, .unit = "1", POSITIVE,
      .help = "In space: coefficient of friction across grain; friction then holds along it.",
      AT(scree_scene_law, friction_across) },
    { "grain", SCREE_VALUE_NUMBERS, .unit = "1", ANY,
      .help = "In space, with friction_second: direction in the world, `[x, y, z]` of any length.",
      AT(scree_scene_law, friction_axis) },
    END,
};

static const scree_schema_row contact_rows[] = {
    { "name", SCREE_VALUE_TEXT, true, .unit = "", .help = "Name of the contact, used once.",
      AT(scree_scene_contact, name) },
    { "normal", SCREE_VALUE_NUMBERS, true, .unit = "1", ANY,
      .help = "Row of H: normal velocity = normal . v, and gap = normal . q + gap.",
      AT(scree_scene_contact, normal) },
    { "tangent", SCREE_VALUE_NUMBERS, .unit = "1", ANY,
      .help = "Row of H for the tangential velocity of a planar contact; needed with friction.",
      AT(scree_scene_contact, tangent) },
    { "tangents", SCREE_VALUE_MATRIX, .unit = "1", ANY,
      .help = "Two rows of H for the tangential velocities of a spatial contact.",
      AT(scree_scene_contact, tangents) },
    { "gap", SCREE_VALUE_FUNCTION, .unit = "m", ANY, .preset = "0",
      .help = "Offset of the gap; an obstacle that moves if it depends on t.",
      AT(scree_scene_contact, gap) },
    { "surface_velocity", SCREE_VALUE_FUNCTIONS, .unit = "m/s", ANY, .preset = "0",
      .help = "Velocity of the obstacle's surface along each tangent (a belt); may depend on t.",
      AT(scree_scene_contact, surface) },
    { "restitution", SCREE_VALUE_NUMBER, .unit = "1", FROM_TO(0, 1), .preset = "0",
      .help = "Newton's coefficient e of the normal velocity.",
      AT(scree_scene_contact, restitution) },
    { "friction", SCREE_VALUE_NUMBER, .unit = "1", NOT_NEGATIVE, .preset = "0",
      .help = "Coulomb's coefficient mu.", AT(scree_scene_contact, friction) },
    { "impact", SCREE_VALUE_CHOICE, .choices = "scheme|newton|fremond", .unit = "",
      .preset = "scheme", .help = impact_help, AT(scree_scene_contact, impact) },
    END,
};

static const scree_schema_row system_rows[] = {
    { "mass", SCREE_VALUE_MATRIX, true, .unit = "kg", ANY,
      .help = "Mass matrix M, symmetric positive definite, a list of rows.",
      AT(scree_scene_system, mass) },
    { "damping", SCREE_VALUE_MATRIX, .unit = "kg/s", ANY,
      .help = "Damping matrix C, symmetric; none if not given.", AT(scree_scene_system, damping) },
    { "stiffness", SCREE_VALUE_MATRIX, .unit = "N/m", ANY,
      .help = "Stiffness matrix K, symmetric; none if not given.",
      AT(scree_scene_system, stiffness) },
    { "load", SCREE_VALUE_FUNCTIONS, .unit = "N", ANY, .preset = "0",
      .help = "Applied load on each coordinate; each may depend on t.",
      AT(scree_scene_system, load) },
    { "position", SCREE_VALUE_NUMBERS, .unit = "m", ANY, .preset = "0",
      .help = "Coordinates q at the start.", AT(scree_scene_system, position) },
    { "velocity", SCREE_VALUE_NUMBERS, .unit = "m/s", ANY, .preset = "0",
      .help = "Velocities v at the start.", AT(scree_scene_system, velocity) },
    { "contacts", SCREE_VALUE_SECTIONS, .unit = "", .preset = "[]", .rows = contact_rows,
      .size = sizeof(scree_scene_contact),
      .help = "The system's contacts with fixed or moving obstacles.",
      AT(scree_scene_system, contacts) },
    END,
};

static const scree_schema_row touch_rows[] = {
    { "name", SCREE_VALUE_TEXT, true, .unit = "", .help = "Name of the contact, used once.",
      AT(scree_scene_touch, name) },
    { "gap", SCREE_VALUE_FORMULA, true, .unit = "m", ANY, .in_time = true,
      .help =
          "Distance from the obstacle, which moves where t is in it; its gradient is the row of "
          "the normal velocity.",
      AT(scree_scene_touch, gap) },
    { "slip", SCREE_VALUE_FORMULA, .unit = "m", ANY, .in_time = true,
      .help = "Place of the contact point along the obstacle; its rate is the sliding velocity. "
              "Needed with friction.",
      AT(scree_scene_touch, slip) },
    { "slip_across", SCREE_VALUE_FORMULA, .unit = "m", ANY, .in_time = true,
      .help = "The same at a right angle to `slip` on the obstacle: friction in space.",
      AT(scree_scene_touch, slip_across) },
    { "restitution", SCREE_VALUE_NUMBER, .unit = "1", FROM_TO(0, 1), .preset = "0",
      .help = "Newton's coefficient e of the normal velocity.",
      AT(scree_scene_touch, restitution) },
    { "friction", SCREE_VALUE_NUMBER, .unit = "1", NOT_NEGATIVE, .preset = "0",
      .help = "Coulomb's coefficient mu.", AT(scree_scene_touch, friction) },
    { "tangential_restitution", SCREE_VALUE_NUMBER, .unit = "1", FROM_TO(0, 1), .preset = "0",
      .help = "Part of the sliding velocity that comes back, by moreau-jean and moreau.",
      AT(scree_scene_touch, tangential_restitution) },
    END,
};

static const scree_schema_row mechanism_rows[] = {
    { "coordinates", SCREE_VALUE_COORDINATES, true, .unit = "", FROM_TO(1, 40),
      .help = "Names of the coordinates q, up to 40. The velocity of `x` is written `x'`.",
      AT(scree_scene_mechanism, coordinates) },
    { "let", SCREE_VALUE_DEFINITIONS, .unit = "", .preset = "{}", ANY,
      .help = "Names for formulas of the coordinates, up to 40; a formula may use those above it.",
      AT(scree_scene_mechanism, definitions) },
    { "mass", SCREE_VALUE_FORMULA_ROWS, true, .unit = "kg, kg m, kg m^2", ANY,
      .help = "Mass matrix M(q), symmetric positive definite, a list of rows.",
      AT(scree_scene_mechanism, mass) },
    { "potential", SCREE_VALUE_FORMULA, .unit = "J", ANY,
      .help = "Potential energy V(q) of weights and springs; none if not given.",
      AT(scree_scene_mechanism, potential) },
    { "force", SCREE_VALUE_FORMULAS, .unit = "N, N m", ANY, .preset = "0",
      .help = "Forces that V does not have, one for each coordinate, of t, q and velocities.",
      AT(scree_scene_mechanism, force) },
    { "position", SCREE_VALUE_NUMBERS, .unit = "m, rad", ANY, .preset = "0",
      .help = "Coordinates q at the start.", AT(scree_scene_mechanism, position) },
    { "velocity", SCREE_VALUE_NUMBERS, .unit = "m/s, rad/s", ANY, .preset = "0",
      .help = "Velocities at the start.", AT(scree_scene_mechanism, velocity) },
    { "contacts", SCREE_VALUE_SECTIONS, .unit = "", .preset = "[]", .rows = touch_rows,
      .size = sizeof(scree_scene_touch), .help = "Contacts with obstacles, up to 24.",
      AT(scree_scene_mechanism, contacts) },
    END,
};

static const scree_schema_row set_rows[] = {
    { "type", SCREE_VALUE_CHOICE, true, .choices = "interval|half-space|ball|polyhedron",
      .unit = "", .help = "What the set is.", AT(scree_scene_set, type) },
    { "low", SCREE_VALUE_FUNCTIONS, .unit = "1", ANY,
      .help = "Interval: least value of each coordinate; without it there is none.",
      AT(scree_scene_set, low) },
    { "high", SCREE_VALUE_FUNCTIONS, .unit = "1", ANY,
      .help = "Interval: greatest value of each coordinate; without it there is none.",
      AT(scree_scene_set, high) },
    { "normal", SCREE_VALUE_FUNCTIONS, .unit = "1", ANY,
      .help = "Half-space normal . x <= offset: points out of it; its length does not matter to "
              "the set, but scales the offset.",
      AT(scree_scene_set, normal) },
    { "offset", SCREE_VALUE_FUNCTION, .unit = "1", ANY, .preset = "0",
      .help = "Half-space: the largest value of normal . x in it.", AT(scree_scene_set, offset) },
    { "centre", SCREE_VALUE_FUNCTIONS, .unit = "1", ANY, .help = "Centre of a ball.",
      AT(scree_scene_set, centre) },
    { "radius", SCREE_VALUE_FUNCTION, .unit = "1", POSITIVE,
      .help = "Radius of a ball; it must stay positive.", AT(scree_scene_set, radius) },
    { "rows", SCREE_VALUE_MATRIX, .unit = "1", ANY,
      .help = "Polyhedron rows . x <= offsets: a normal for each face.",
      AT(scree_scene_set, rows) },
    { "offsets", SCREE_VALUE_FUNCTIONS, .unit = "1", ANY,
      .help = "Polyhedron: a number for each row.", AT(scree_scene_set, offsets) },
    END,
};

static const scree_schema_row scheme_rows[] = {
    { "name", SCREE_VALUE_CHOICE,
      .choices = "moreau-jean|moreau-jean-fremond|moreau|nscd|event-driven", .unit = "",
      .preset = "moreau-jean-fremond",
      .help = "Coulomb's law on the final velocity, on the mean one (never creates energy), or "
              "Moreau's midpoint scheme; for systems and mechanisms also NSCD; and as a reference "
              "from event to event, for these and for few bodies in the plane.",
      AT(scree_scene_scheme, name) },
    { "theta", SCREE_VALUE_AUTO, .unit = "1", FROM_TO(0.5, 1), .preset = "auto",
      .help = "Weight of the end of the step; the theorem wants 1/2 <= theta <= 1/(1+e). auto: "
              "1/(1+e) with the largest e of what bounces among rigid bodies that touch, which "
              "then do not sink in at impacts; 1/2 where anything else moves.",
      AT(scree_scene_scheme, theta) },
    { "step", SCREE_VALUE_NUMBER, true, .unit = "s", POSITIVE, .help = "Length h of a time step.",
      AT(scree_scene_scheme, step) },
    { "duration", SCREE_VALUE_NUMBER, true, .unit = "s", POSITIVE,
      .help = "Time to simulate; rounded up to whole steps.", AT(scree_scene_scheme, duration) },
    { "activation", SCREE_VALUE_CHOICE, .choices = "predicted|predicted-linear|half", .unit = "",
      .preset = "predicted",
      .help = "Contacts in the problem: gap(q + h v) <= 0, gap + h u_N <= 0, or gap + (h/2) u_N "
              "<= 0.",
      AT(scree_scene_scheme, activation) },
    { "approach", SCREE_VALUE_CHOICE, .choices = "auto|required|ignored|kept|foreseen", .unit = "",
      .preset = "auto",
      .help = "Contacts that separate, u_N > 0: left out (required), in with the law of the others "
              "(ignored), or, where closed, in with a law on the mean velocity (kept); foreseen is "
              "kept with pairs that impacts close; auto: that for bodies, kept for others, ignored "
              "by the rule half. Papers mostly have required.",
      AT(scree_scene_scheme, approach) },
    { "jacobian", SCREE_VALUE_CHOICE, .choices = "start|free-end", .unit = "", .preset = "start",
      .help = "Where H is taken: at q, or at the end of the motion without contact.",
      AT(scree_scene_scheme, jacobian) },
    { "gap_tolerance", SCREE_VALUE_AUTO, .unit = "m", NOT_NEGATIVE, .preset = "auto",
      .help = "A gap up to this counts as closed; auto: the rounding of each gap.",
      AT(scree_scene_scheme, gap_tolerance) },
    { "velocity_tolerance", SCREE_VALUE_AUTO, .unit = "m/s", NOT_NEGATIVE, .preset = "auto",
      .help = "A separation velocity up to this counts as none; auto: 1e-9 of the velocities.",
      AT(scree_scene_scheme, velocity_tolerance) },
    { "correction", SCREE_VALUE_CHOICE, .choices = "none|projection|limited|auto", .unit = "",
      .preset = "auto",
      .help = "Penetration that drift has left stays, is pushed out after each step, or only what "
              "of it is above 1/200 of the smaller body; the ledger books the work of it. auto: "
              "limited where approach is foreseen, else none.",
      AT(scree_scene_scheme, correction) },
    { "penetration", SCREE_VALUE_NUMBER, .unit = "", NOT_NEGATIVE, .preset = "0.05",
      .help = "Largest penetration that the run may have, over the size of the smaller body; a run "
              "with more says so in the first line of its summary and ends with exit status 1.",
      AT(scree_scene_scheme, penetration) },
    { "energy_created", SCREE_VALUE_NUMBER, .unit = "J", NOT_NEGATIVE, .preset = "0",
      .help =
          "Energy that contacts may create in the run, and the correction of positions bring; a "
          "run with more ends with exit status 1. Any of it is told in the first line.",
      AT(scree_scene_scheme, energy_created) },
    END,
};

static const scree_schema_row solver_rows[] = {
    { "name", SCREE_VALUE_CHOICE,
      .choices = "auto|nsgs|nsgs-anderson|contact-newton|proximal-newton|admm|alart-curnier|apgd|"
                 "interior-point|lemke|path|enumerate|nsgs-bodies|"
                 "nsgs-symmetric|nsgs-freezing|ncg",
      .unit = "", .preset = "auto",
      .help = "Method for the contact problem; `scree solve --list` says what each is for.",
      AT(scree_scene_solver, name) },
    { "tolerance", SCREE_VALUE_AUTO, .unit = "1", .low = 0, .above_low = true, .high = 1,
      .preset = "auto",
      .help =
          "Both residuals must come below it. auto: 1e-10, 1e-5 where more than 100 bodies "
          "move (1e-6 with joints), 1e-4 where more than 1000 do, ten times as much where these "
          "are discs or balls without joints; steps that miss it are taken with a tenth of its "
          "root at worst (ten times the tolerance where there are joints), and counted.",
      AT(scree_scene_solver, tolerance) },
    { "max_sweeps", SCREE_VALUE_INTEGER, .unit = "", FROM_TO(1, INT_MAX), .preset = "10000",
      .help = "Sweeps, Newton steps and the like before the step is refused.",
      AT(scree_scene_solver, max_sweeps) },
    { "max_effort", SCREE_VALUE_NUMBER, .unit = "1", NOT_NEGATIVE, .preset = "200",
      .help = "What `auto` adds to its usual ways before a step is refused, in factorisations (a "
              "sweep counts as a fifth) of a step of 2000 contacts or more; smaller steps have "
              "more of them, for about the same work; 0: no limit.",
      AT(scree_scene_solver, max_effort) },
    { "max_seconds", SCREE_VALUE_NUMBER, .unit = "s", NOT_NEGATIVE, .preset = "0",
      .help = "Processor time after which a step is refused, 0: no limit. With a limit the results "
              "depend on the machine.",
      AT(scree_scene_solver, max_seconds) },
    { "threads", SCREE_VALUE_INTEGER, .unit = "", FROM_TO(0, SCREE_THREADS_MOST), .preset = "1",
      .help = "Threads to compute on, 0: all there are; the results are the same bit for bit.",
      AT(scree_scene_solver, threads) },
    { "mode", SCREE_VALUE_CHOICE, .choices = "exact|flow", .unit = "", .preset = "exact",
      .help =
          "`exact`: a step is solved to the tolerance or refused. `flow`: bounded cost; a problem "
          "gets at most `sweeps` sweeps from the last impulses, whatever they reach, and the "
          "summary says what that is. The tolerance is then 1e-4 unless given.",
      AT(scree_scene_solver, mode) },
    { "sweeps", SCREE_VALUE_INTEGER, .unit = "", FROM_TO(1, 999), .preset = "50",
      .help = "Sweeps for each problem of a step in the mode `flow`; where `approach` foresees "
              "contacts "
              "a step has several.",
      AT(scree_scene_solver, sweeps) },
    { "unconverged", SCREE_VALUE_CHOICE, .choices = "stop|accept", .unit = "", .preset = "stop",
      .help = "A step that misses the tolerance stops the run, or is accepted and counted.",
      AT(scree_scene_solver, unconverged) },
    END,
};

static const scree_schema_row output_rows[] = {
    { "every", SCREE_VALUE_INTEGER, .unit = "", FROM_TO(1, INT_MAX), .preset = "1",
      .help = "States and contacts are stored every so many steps; the ledger always.",
      AT(scree_scene_output, every) },
    { "contacts", SCREE_VALUE_CHOICE, .choices = "active|all", .unit = "", .preset = "active",
      .help = "Store the contacts in the problem of the step, or all possible ones.",
      AT(scree_scene_output, contacts) },
    { "precision", SCREE_VALUE_CHOICE, .choices = "double|single", .unit = "", .preset = "double",
      .help =
          "Numbers of states and contacts with 8 or 4 bytes; a run is resumed bit for bit either "
          "way.",
      AT(scree_scene_output, precision) },
    { "compression", SCREE_VALUE_AUTO, .unit = "", FROM_TO(0, 9), .preset = "auto",
      .help = "Level of compression: 0 none, 9 smallest and slowest; auto: 1 for contacts, which "
              "costs little, and none for states.",
      AT(scree_scene_output, compression) },
    { "checkpoint", SCREE_VALUE_NUMBER, .unit = "s", .low = 0, .high = 1e9, .preset = "30",
      .help = "Seconds of wall time after which the file is synced to the disk, against power "
              "cuts; 0: at "
              "the end alone.",
      AT(scree_scene_output, checkpoint) },
    { "stress", SCREE_VALUE_FLAG, .unit = "", .preset = "false",
      .help = "Store strain and stress of each element of elastic bodies with the states.",
      AT(scree_scene_output, stress) },
    { "reactions", SCREE_VALUE_FLAG, .unit = "", .preset = "false",
      .help = "Store the forces that hold nodes of elastic bodies with the states.",
      AT(scree_scene_output, reactions) },
    END,
};

// the order is that of scene/units.c
static const scree_schema_row units_rows[] = {
    { "length", SCREE_VALUE_CHOICE, .choices = "m|km|cm|mm|um|nm", .unit = "", .preset = "m",
      .help = "Unit of lengths.", AT(scree_scene_units_given, length) },
    { "time", SCREE_VALUE_CHOICE, .choices = "s|ms|us|min|h", .unit = "", .preset = "s",
      .help = "Unit of times.", AT(scree_scene_units_given, time) },
    { "mass", SCREE_VALUE_CHOICE, .choices = "kg|g|mg|t", .unit = "", .preset = "kg",
      .help = "Unit of masses.", AT(scree_scene_units_given, mass) },
    END,
};

static const scree_schema_row force_rows[] = {
    { "bodies", SCREE_VALUE_NAMES, true, .unit = "", FROM_TO(1, INT_MAX),
      .help = "Bodies and groups that it acts on, or any.", AT(scree_scene_force, bodies) },
    { "force", SCREE_VALUE_FORMULAS, true, .unit = "N, N m", ANY, .of_body = true,
      .help =
          "Force, and torque if wanted, on each of them: formulas of t, of its x, y, angle (in "
          "space x, y, z), of the same of other bodies (lid.y) and of the velocities of all (x', "
          "lid.y').",
      AT(scree_scene_force, force) },
    { "implicit", SCREE_VALUE_FLAG, .unit = "", .preset = "false",
      .help = "Take t, places and velocities at the mean of the step, t + theta h and so on: drag "
              "then takes energy in every step, and stiff forces do not limit the step. Otherwise "
              "those of the start of the step, held during it.",
      AT(scree_scene_force, implicit) },
    END,
};

static const scree_schema_row start_rows[] = {
    { "run", SCREE_VALUE_TEXT, .unit = "",
      .help =
          "A run file, relative to the file of the scene. Bodies that move and have the name of "
          "a body that is there in the run begin where it is, as fast as it is, whatever the "
          "scene says of their place, speed and birth; with the forces between them.",
      AT(scree_scene_begin, run) },
    { "at", SCREE_VALUE_NUMBER, .unit = "s", NOT_NEGATIVE,
      .help = "Time in that run: the stored state next to it. Its end if nothing is said.",
      AT(scree_scene_begin, at) },
    { "rest", SCREE_VALUE_FLAG, .unit = "", .preset = "false",
      .help = "Take the places alone; everything begins at rest.", AT(scree_scene_begin, rest) },
    { "point", SCREE_VALUE_NUMBERS, .unit = "1", ANY,
      .help = "Sweeping: coordinates of the point at time 0, up to 16.",
      AT(scree_scene_begin, point) },
    END,
};

static const scree_schema_row scene_rows[] = {
    { "title", SCREE_VALUE_TEXT, .unit = "", .preset = "\"\"",
      .help = "One line that says what the scene is.", AT(scree_scene_top, title) },
    { "units", SCREE_VALUE_SECTION, .unit = "", .preset = "{}", .rows = units_rows,
      .size = sizeof(scree_scene_units_given),
      .help = "What the scene's numbers are in; figures, summaries and headers of tables say so. "
              "No number is converted: units that are named here stand where this document says m, "
              "s and kg, and forces, energies and stresses follow (g, mm, ms: N, mJ, MPa).",
      AT(scree_scene_top, units) },
    { "parameters", SCREE_VALUE_PARAMETERS, .unit = "", .preset = "{}", ANY,
      .help = "Names for numbers, used in all arithmetic below; a parameter may use those above "
              "it.",
      AT(scree_scene_top, parameters) },
    { "kind", SCREE_VALUE_CHOICE, .choices = "mechanics|sweeping", .unit = "",
      .preset = "mechanics",
      .help = "Bodies, a system or a mechanism that move and touch, or a point that a moving set "
              "takes along "
              "(start, sets, method, step and duration of the scheme, output).",
      AT(scree_scene_top, kind) },
    { "space", SCREE_VALUE_INTEGER, .unit = "", FROM_TO(2, 3), .preset = "2",
      .help = "2: bodies in the plane, vectors are `[x, y]`; 3: in space, `[x, y, z]`.",
      AT(scree_scene_top, space) },
    { "gravity", SCREE_VALUE_VECTOR, .unit = "m/s^2", ANY, .preset = "[0, 0]",
      .preset_space = "[0, 0, 0]", .help = "Acceleration of free fall, for bodies.",
      AT(scree_scene_top, gravity) },
    { "periodic", SCREE_VALUE_VECTOR, .unit = "m", NOT_NEGATIVE, .preset = "[0, 0]",
      .preset_space = "[0, 0, 0]",
      .help = "Lengths along the axes after which the world repeats itself, 0: it does not. Bodies "
              "touch the nearest image of each other; shapes are below a quarter of it.",
      AT(scree_scene_top, periodic) },
    { "bodies", SCREE_VALUE_SECTIONS, .unit = "", .rows = body_rows,
      .size = sizeof(scree_scene_body),
      .help = "Rigid bodies. A scene has bodies (given here, generated, elastic), a system or a "
              "mechanism, or several of them.",
      AT(scree_scene_top, bodies) },
    { "generate", SCREE_VALUE_SECTIONS, .unit = "", .preset = "[]", .rows = generator_rows,
      .size = sizeof(scree_scene_generator),
      .help = "Many bodies of one pattern; they follow those of the list bodies.",
      AT(scree_scene_top, generate) },
    { "elastic", SCREE_VALUE_SECTIONS, .unit = "", .preset = "[]", .rows = scree_schema_elastic,
      .size = sizeof(scree_scene_elastic),
      .help = "Elastic bodies of finite elements, besides rigid ones or without.",
      AT(scree_scene_top, elastic) },
    { "laws", SCREE_VALUE_SECTIONS, .unit = "", .preset = "[]", .rows = law_rows,
      .size = sizeof(scree_scene_law), .help = "Restitution and friction between bodies.",
      AT(scree_scene_top, laws) },
    { "joints", SCREE_VALUE_SECTIONS, .unit = "", .preset = "[]", .rows = scree_schema_joint,
      .size = sizeof(scree_scene_joint),
      .help = "Joints between bodies and markers, and with the ground (docs/joints.md).",
      AT(scree_scene_top, joints) },
    { "springs", SCREE_VALUE_SECTIONS, .unit = "", .preset = "[]", .rows = scree_schema_spring,
      .size = sizeof(scree_scene_drive),
      .help = "Springs and dampers between bodies, markers and the ground, or along joints.",
      AT(scree_scene_top, springs) },
    { "motors", SCREE_VALUE_SECTIONS, .unit = "", .preset = "[]", .rows = scree_schema_motor,
      .size = sizeof(scree_scene_drive), .help = "Motors of joints.", AT(scree_scene_top, motors) },
    { "forces", SCREE_VALUE_SECTIONS, .unit = "", .preset = "[]", .rows = force_rows,
      .size = sizeof(scree_scene_force),
      .help = "Forces on bodies that see where they are and how fast: drag, wind, fields.",
      AT(scree_scene_top, forces) },
    { "overlaps", SCREE_VALUE_CHOICE, .choices = "refuse|accept", .unit = "", .preset = "refuse",
      .help =
          "Bodies that overlap at the start or when one is born by more than rounding (1e-8 of the "
          "smaller shape) are an error, or accepted.",
      AT(scree_scene_top, overlaps) },
    { "system", SCREE_VALUE_SECTION, .unit = "", .rows = system_rows,
      .size = sizeof(scree_scene_system),
      .help = "A linear mechanical system given by its matrices.", AT(scree_scene_top, system) },
    { "mechanism", SCREE_VALUE_SECTION, .unit = "", .rows = mechanism_rows,
      .size = sizeof(scree_scene_mechanism),
      .help = "A mechanism in minimal coordinates, given by formulas.",
      AT(scree_scene_top, mechanism) },
    { "markers", SCREE_VALUE_SECTIONS, .unit = "", .preset = "[]", .rows = scree_schema_marker,
      .size = sizeof(scree_scene_marker),
      .help = "Points of elastic bodies, the system and the mechanism that joints and springs can "
              "hold.",
      AT(scree_scene_top, markers) },
    { "start", SCREE_VALUE_SECTION, .unit = "", .rows = start_rows, .list = "point",
      .size = sizeof(scree_scene_begin),
      .help = "Begin with a state of another run. Sweeping: the point at time 0; a list of numbers "
              "is its `point`.",
      AT(scree_scene_top, start) },
    { "sets", SCREE_VALUE_SECTIONS, .unit = "", .rows = set_rows, .size = sizeof(scree_scene_set),
      .help = "Sweeping: the moving set is the intersection of these. Their numbers may depend on "
              "t.",
      AT(scree_scene_top, sets) },
    { "method", SCREE_VALUE_CHOICE, .choices = "catching-up|lazy", .unit = "",
      .preset = "catching-up",
      .help = "Sweeping: nearest point of the set at the end of the step, or least velocity that "
              "the boundary allows at its start.",
      AT(scree_scene_top, method) },
    { "scheme", SCREE_VALUE_SECTION, true, .unit = "", .rows = scheme_rows,
      .size = sizeof(scree_scene_scheme), .help = "How time is stepped.",
      AT(scree_scene_top, scheme) },
    { "solver", SCREE_VALUE_SECTION, .unit = "", .preset = "{}", .rows = solver_rows,
      .size = sizeof(scree_scene_solver), .help = "How the contact problem of a step is solved.",
      AT(scree_scene_top, solver) },
    { "output", SCREE_VALUE_SECTION, .unit = "", .preset = "{}", .rows = output_rows,
      .size = sizeof(scree_scene_output), .help = "What the run file holds.",
      AT(scree_scene_top, output) },
    END,
};

const scree_schema_row *scree_schema(void) { return scene_rows; }

const scree_schema_row *scree_schema_find(const scree_schema_row *rows, const char *key) {
    for (; rows->key; rows++)
        if (strcmp(rows->key, key) == 0) return rows;
    return NULL;
}
