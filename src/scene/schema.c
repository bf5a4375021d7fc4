// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// schema.c - the scene language, one row per key. Reader, defaults, `scree check`, `scree schema`
// and docs/scene.md come from this table and from nothing else.

#include <limits.h>
#include <math.h>

#include "scene/scene.h"

#define AT(type, field) .offset = offsetof(type, field)
#define ANY .low = -HUGE_VAL, .high = HUGE_VAL
#define POSITIVE .low = 0, .above_low = true, .high = HUGE_VAL
#define NOT_NEGATIVE .low = 0, .high = HUGE_VAL
#define FROM_TO(first, last) .low = (first), .high = (last)
#define END \
    { .key = NULL }

static const scree_schema_row shape_rows[] = {
    { "type", SCREE_VALUE_CHOICE, true, .choices = "point|disc|half-plane", .unit = "",
      .help = "What the shape is.", AT(scree_scene_shape, kind) },
    { "at", SCREE_VALUE_VECTOR, .unit = "m", ANY, .fallback = "[0, 0]",
      .help = "The point, the disc's centre or a point of the half-plane's edge, in the frame of "
              "the body.",
      AT(scree_scene_shape, at) },
    { "radius", SCREE_VALUE_NUMBER, .unit = "m", POSITIVE, .help = "Radius of a disc.",
      AT(scree_scene_shape, radius) },
    { "normal", SCREE_VALUE_VECTOR, .unit = "1", ANY, .fallback = "[0, 1]",
      .help = "Direction out of the solid of a half-plane, in the frame of the body; its length "
              "does not matter.",
      AT(scree_scene_shape, normal) },
    END,
};

static const scree_schema_row body_rows[] = {
    { "name", SCREE_VALUE_TEXT, true, .unit = "", .help = "Name of the body, used once.",
      AT(scree_scene_body, name) },
    { "fixed", SCREE_VALUE_FLAG, .unit = "", .fallback = "false",
      .help = "A fixed body never moves and needs no mass.", AT(scree_scene_body, fixed) },
    { "mass", SCREE_VALUE_NUMBER, .unit = "kg", POSITIVE, .help = "Mass; required unless fixed.",
      AT(scree_scene_body, mass) },
    { "inertia", SCREE_VALUE_NUMBER, .unit = "kg m^2", POSITIVE,
      .help = "Moment of inertia about the centre of mass; required unless fixed.",
      AT(scree_scene_body, inertia) },
    { "position", SCREE_VALUE_VECTOR, .unit = "m", ANY, .fallback = "[0, 0]",
      .help = "Centre of mass at the start.", AT(scree_scene_body, position) },
    { "angle", SCREE_VALUE_NUMBER, .unit = "rad", ANY, .fallback = "0",
      .help = "Angle at the start, counter-clockwise.", AT(scree_scene_body, angle) },
    { "velocity", SCREE_VALUE_VECTOR, .unit = "m/s", ANY, .fallback = "[0, 0]",
      .help = "Velocity of the centre of mass at the start.", AT(scree_scene_body, velocity) },
    { "spin", SCREE_VALUE_NUMBER, .unit = "rad/s", ANY, .fallback = "0",
      .help = "Angular velocity at the start, counter-clockwise.", AT(scree_scene_body, spin) },
    { "force", SCREE_VALUE_FUNCTIONS, .unit = "N, N, N m", ANY, .fallback = "[0, 0, 0]",
      .help = "Applied force (x, y) and torque besides gravity; each may depend on t.",
      AT(scree_scene_body, force) },
    { "shapes", SCREE_VALUE_SECTIONS, .unit = "", .fallback = "[]", .rows = shape_rows,
      .size = sizeof(scree_scene_shape), .help = "What the body touches others with.",
      AT(scree_scene_body, shapes) },
    END,
};

static const scree_schema_row law_rows[] = {
    { "between", SCREE_VALUE_NAMES, .unit = "", .fallback = "[any, any]",
      .help = "Two names of bodies, or any. The last law that fits a pair counts.",
      AT(scree_scene_law, between) },
    { "restitution", SCREE_VALUE_NUMBER, .unit = "1", FROM_TO(0, 1), .fallback = "0",
      .help = "Newton's coefficient e of the normal velocity.", AT(scree_scene_law, restitution) },
    { "friction", SCREE_VALUE_NUMBER, .unit = "1", NOT_NEGATIVE, .fallback = "0",
      .help = "Coulomb's coefficient mu.", AT(scree_scene_law, friction) },
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
    { "gap", SCREE_VALUE_FUNCTION, .unit = "m", ANY, .fallback = "0",
      .help = "Offset of the gap; an obstacle that moves if it depends on t.",
      AT(scree_scene_contact, gap) },
    { "surface_velocity", SCREE_VALUE_FUNCTIONS, .unit = "m/s", ANY, .fallback = "0",
      .help = "Velocity of the obstacle's surface along each tangent (a belt); may depend on t.",
      AT(scree_scene_contact, surface) },
    { "restitution", SCREE_VALUE_NUMBER, .unit = "1", FROM_TO(0, 1), .fallback = "0",
      .help = "Newton's coefficient e of the normal velocity.",
      AT(scree_scene_contact, restitution) },
    { "friction", SCREE_VALUE_NUMBER, .unit = "1", NOT_NEGATIVE, .fallback = "0",
      .help = "Coulomb's coefficient mu.", AT(scree_scene_contact, friction) },
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
    { "load", SCREE_VALUE_FUNCTIONS, .unit = "N", ANY, .fallback = "0",
      .help = "Applied load on each coordinate; each may depend on t.",
      AT(scree_scene_system, load) },
    { "position", SCREE_VALUE_NUMBERS, .unit = "m", ANY, .fallback = "0",
      .help = "Coordinates q at the start.", AT(scree_scene_system, position) },
    { "velocity", SCREE_VALUE_NUMBERS, .unit = "m/s", ANY, .fallback = "0",
      .help = "Velocities v at the start.", AT(scree_scene_system, velocity) },
    { "contacts", SCREE_VALUE_SECTIONS, .unit = "", .fallback = "[]", .rows = contact_rows,
      .size = sizeof(scree_scene_contact),
      .help = "The system's contacts with fixed or moving "
              "obstacles.",
      AT(scree_scene_system, contacts) },
    END,
};

static const scree_schema_row scheme_rows[] = {
    { "name", SCREE_VALUE_CHOICE, .choices = "moreau-jean|moreau-jean-fremond", .unit = "",
      .fallback = "moreau-jean-fremond",
      .help = "Coulomb's law on the final velocity, or on the mean one (never creates energy).",
      AT(scree_scene_scheme, name) },
    { "theta", SCREE_VALUE_NUMBER, .unit = "1", FROM_TO(0.5, 1), .fallback = "1/2",
      .help = "Weight of the end of the step; the theorem wants 1/2 <= theta <= 1/(1+e).",
      AT(scree_scene_scheme, theta) },
    { "step", SCREE_VALUE_NUMBER, true, .unit = "s", POSITIVE, .help = "Length h of a time step.",
      AT(scree_scene_scheme, step) },
    { "duration", SCREE_VALUE_NUMBER, true, .unit = "s", POSITIVE,
      .help = "Time to simulate; rounded up to whole steps.", AT(scree_scene_scheme, duration) },
    { "activation", SCREE_VALUE_CHOICE, .choices = "predicted|predicted-linear|half", .unit = "",
      .fallback = "predicted",
      .help = "Contacts in the problem: gap(q + h v) <= 0, gap + h u_N <= 0, or gap + (h/2) u_N "
              "<= 0.",
      AT(scree_scene_scheme, activation) },
    { "approach", SCREE_VALUE_CHOICE, .choices = "auto|required|ignored", .unit = "",
      .fallback = "auto",
      .help = "Whether u_N <= 0 is needed too; auto: required, but ignored by the rule half.",
      AT(scree_scene_scheme, approach) },
    { "jacobian", SCREE_VALUE_CHOICE, .choices = "start|free-end", .unit = "", .fallback = "start",
      .help = "Where H is taken: at q, or at the end of the motion without contact.",
      AT(scree_scene_scheme, jacobian) },
    { "gap_tolerance", SCREE_VALUE_AUTO, .unit = "m", NOT_NEGATIVE, .fallback = "auto",
      .help = "A gap up to this counts as closed; auto: the rounding of each gap.",
      AT(scree_scene_scheme, gap_tolerance) },
    { "velocity_tolerance", SCREE_VALUE_AUTO, .unit = "m/s", NOT_NEGATIVE, .fallback = "auto",
      .help = "A separation velocity up to this counts as none; auto: 1e-9 of the velocities.",
      AT(scree_scene_scheme, velocity_tolerance) },
    END,
};

static const scree_schema_row solver_rows[] = {
    { "name", SCREE_VALUE_CHOICE,
      .choices = "auto|nsgs|nsgs-anderson|contact-newton|proximal-newton|admm|alart-curnier|apgd|"
                 "interior-point|lemke|enumerate",
      .unit = "", .fallback = "auto",
      .help = "Method for the contact problem; `scree solve --list` says what each is for.",
      AT(scree_scene_solver, name) },
    { "tolerance", SCREE_VALUE_NUMBER, .unit = "1", .low = 0, .above_low = true, .high = 1,
      .fallback = "1e-10", .help = "Both residuals must come below it.",
      AT(scree_scene_solver, tolerance) },
    { "max_sweeps", SCREE_VALUE_INTEGER, .unit = "", FROM_TO(1, INT_MAX), .fallback = "10000",
      .help = "Sweeps, Newton steps and the like before the step is refused.",
      AT(scree_scene_solver, max_sweeps) },
    { "unconverged", SCREE_VALUE_CHOICE, .choices = "stop|accept", .unit = "", .fallback = "stop",
      .help = "A step that misses the tolerance stops the run, or is accepted and counted.",
      AT(scree_scene_solver, unconverged) },
    END,
};

static const scree_schema_row output_rows[] = {
    { "every", SCREE_VALUE_INTEGER, .unit = "", FROM_TO(1, INT_MAX), .fallback = "1",
      .help = "States and contacts are stored every so many steps; the ledger always.",
      AT(scree_scene_output, every) },
    { "contacts", SCREE_VALUE_CHOICE, .choices = "active|all", .unit = "", .fallback = "active",
      .help = "Store the contacts in the problem of the step, or all possible ones.",
      AT(scree_scene_output, contacts) },
    END,
};

static const scree_schema_row scene_rows[] = {
    { "title", SCREE_VALUE_TEXT, .unit = "", .fallback = "\"\"",
      .help = "One line that says what the scene is.", AT(scree_scene_top, title) },
    { "parameters", SCREE_VALUE_PARAMETERS, .unit = "", .fallback = "{}", ANY,
      .help = "Names for numbers, used in all arithmetic below; a parameter may use those above "
              "it.",
      AT(scree_scene_top, parameters) },
    { "gravity", SCREE_VALUE_VECTOR, .unit = "m/s^2", ANY, .fallback = "[0, 0]",
      .help = "Acceleration of free fall, for bodies.", AT(scree_scene_top, gravity) },
    { "bodies", SCREE_VALUE_SECTIONS, .unit = "", .rows = body_rows,
      .size = sizeof(scree_scene_body),
      .help = "Planar rigid bodies. A scene has bodies or a system.", AT(scree_scene_top, bodies) },
    { "laws", SCREE_VALUE_SECTIONS, .unit = "", .fallback = "[]", .rows = law_rows,
      .size = sizeof(scree_scene_law), .help = "Restitution and friction between bodies.",
      AT(scree_scene_top, laws) },
    { "overlaps", SCREE_VALUE_CHOICE, .choices = "refuse|accept", .unit = "", .fallback = "refuse",
      .help = "Bodies that overlap at the start are an error, or accepted.",
      AT(scree_scene_top, overlaps) },
    { "system", SCREE_VALUE_SECTION, .unit = "", .rows = system_rows,
      .size = sizeof(scree_scene_system),
      .help = "A linear mechanical system given by its matrices.", AT(scree_scene_top, system) },
    { "scheme", SCREE_VALUE_SECTION, true, .unit = "", .rows = scheme_rows,
      .size = sizeof(scree_scene_scheme), .help = "How time is stepped.",
      AT(scree_scene_top, scheme) },
    { "solver", SCREE_VALUE_SECTION, .unit = "", .fallback = "{}", .rows = solver_rows,
      .size = sizeof(scree_scene_solver), .help = "How the contact problem of a step is solved.",
      AT(scree_scene_top, solver) },
    { "output", SCREE_VALUE_SECTION, .unit = "", .fallback = "{}", .rows = output_rows,
      .size = sizeof(scree_scene_output), .help = "What the run file holds.",
      AT(scree_scene_top, output) },
    END,
};

const scree_schema_row *scree_schema(void) { return scene_rows; }
