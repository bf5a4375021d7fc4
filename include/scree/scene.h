// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// scene.h - from text to a scene, and the table that says what a scene may hold.

#ifndef SCREE_SCENE_H
#define SCREE_SCENE_H

#include "scree/base.h"
#include "scree/step.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct scree_scene scree_scene;

/// Read a scene. overrides are "path=value", applied in their order before anything is read.
/// Every mistake goes to findings with its place. Returns NULL only if there is nothing to check
/// further (unreadable file, bad YAML, no memory); a scene with findings must not be run.
SCREE_API scree_scene *scree_scene_load(const char *file, const char *const *overrides, int count,
                                        scree_findings *findings);

/// The same from memory; name stands in messages for the file.
SCREE_API scree_scene *scree_scene_parse(const char *name, const char *text, size_t length,
                                         const char *const *overrides, int count,
                                         scree_findings *findings);

/// Free it, with all that it owns.
SCREE_API void scree_scene_free(scree_scene *scene);

typedef struct scree_run_options {
    scree_scheme_options scheme;
    scree_solver_options solver;
    double duration;          // [s] > 0; the number of steps is duration / step, rounded up
    double penetration;       // that the run may have, over the size of the smaller body
    double energy_created;    // that contacts may create and the correction bring in it [J]
    bool accept_unconverged;  // go on with steps that missed the tolerance, and count them
    bool flow;                // that is meant: so many sweeps a step, whatever they reach
    bool accept_overlaps;     // start, and let bodies be born, although they overlap
    int store_every;          // states and contacts are stored every so many steps
    bool store_active_only;   // only contacts in the problem, not all possible ones
    int precision_single;     // store states and contacts in single precision
    int compression;          // 0: none, to 9: slow and small; -1: contacts alone, quickly
    double checkpoint;        // seconds of wall time from sync to sync; 0: at the end alone
    bool store_stress;        // strain and stress of elements of elastic bodies
    bool store_reactions;     // forces that hold their nodes
} scree_run_options;

/// Everything but scheme.step and duration, which must be set.
SCREE_API scree_run_options scree_run_options_default(void);

/// What the numbers of a scene are in. Labels follow it, numbers are never converted.
typedef struct scree_units {
    int length, time, mass;  // choices of the schema; 0: m, s, kg
    bool given;              // does the scene say so?
} scree_units;

typedef struct scree_unit {
    char text[48];
} scree_unit;

typedef struct scree_unit_label {
    char text[160];
} scree_unit_label;

/// The units of a scene, m, s and kg for NULL.
SCREE_API scree_units scree_scene_units(const scree_scene *scene);

/// The unit of lengths, as "m".
SCREE_API const char *scree_units_length(scree_units units);

/// The unit of times, as "s".
SCREE_API const char *scree_units_time(scree_units units);

/// The unit of masses, as "kg".
SCREE_API const char *scree_units_mass(scree_units units);

/// What stands for a unit of SI ("J", "m/s^2", "N s"), and the same for all units in a label's
/// brackets ("energy [J]").
SCREE_API scree_unit scree_units_name(scree_units units, const char *si);

/// A label with its units replaced.
SCREE_API scree_unit_label scree_units_label(scree_units units, const char *label);

/// The title of a scene; empty if it has none.
SCREE_API const char *scree_scene_title(const scree_scene *scene);

/// How a scene is to be run, as it says: what it leaves open is NaN or AUTO.
SCREE_API const scree_run_options *scree_scene_options(const scree_scene *scene);

/// The text as read, before overrides (length bytes and a closing zero).
SCREE_API const char *scree_scene_text(const scree_scene *scene, size_t *length);

/// The file that it was read from, or the name it was given.
SCREE_API const char *scree_scene_file(const scree_scene *scene);

/// The overrides, as given.
SCREE_API int scree_scene_overrides(const scree_scene *scene, const char *const **overrides);

/// How coordinate i of its mechanism is called; NULL if it has none of this number.
SCREE_API const char *scree_scene_coordinate(const scree_scene *scene, int i);

/// How many bodies the scene has, those of its generators included.
SCREE_API int64_t scree_scene_bodies(const scree_scene *scene);

/// How many cells the meshes of elastic bodies have that are described in the scene; those of files
/// are not counted.
SCREE_API double scree_scene_cells(const scree_scene *scene);

/// Does the scene name files to be read, or a script for which Gmsh is run?
SCREE_API bool scree_scene_needs_files(const scree_scene *scene);

/// Build the model of a scene; mistakes go to findings. NULL if there was one or no memory. The
/// scene is borrowed (loads that depend on time live in it) and must outlive the model; it keeps
/// the files of shapes that were read.
SCREE_API scree_model *scree_model_from_scene(scree_scene *scene, scree_findings *findings);

/// What the value of a key may be.
typedef enum scree_value_kind {
    SCREE_VALUE_TEXT,          // const char *
    SCREE_VALUE_FLAG,          // bool: true or false
    SCREE_VALUE_CHOICE,        // int: place in choices
    SCREE_VALUE_INTEGER,       // int
    SCREE_VALUE_NUMBER,        // double, arithmetic allowed
    SCREE_VALUE_AUTO,          // double or the word auto (NaN)
    SCREE_VALUE_VECTOR,        // double[3]; two numbers in the plane, three in space
    SCREE_VALUE_FUNCTION,      // scree_function, may depend on t
    SCREE_VALUE_FORMULA,       // of the coordinates of a mechanism
    SCREE_VALUE_FUNCTIONS,     // a list of functions
    SCREE_VALUE_FORMULAS,      // a list of formulas, of t and velocities as well
    SCREE_VALUE_FORMULA_ROWS,  // a list of rows of formulas, all of one length
    SCREE_VALUE_COORDINATES,   // a list of new names, for formulas
    SCREE_VALUE_DEFINITIONS,   // a map from new names to formulas, for those that follow
    SCREE_VALUE_NUMBERS,       // a list of numbers
    SCREE_VALUE_ONE_OR_MORE,   // a number, or a list of them
    SCREE_VALUE_MATRIX,        // a list of rows of one length
    SCREE_VALUE_NAMES,         // a list of texts
    SCREE_VALUE_PARAMETERS,    // a map from names to numbers
    SCREE_VALUE_SECTION,       // a map with rows of its own
    SCREE_VALUE_SECTIONS,      // a list of such maps
} scree_value_kind;

/// One key of a scene: the reader, `scree check`, `scree schema` and docs/scene.md all come from
/// these rows.
typedef struct scree_schema_row {
    const char *key;
    scree_value_kind kind;
    bool required;
    const char *unit;          // "m", "kg m^2", "1" for dimensionless, "" where there is none
    double low, high;          // allowed range of numbers, inclusive
    bool above_low;            // low itself is not allowed
    const char *choices;       // "a|b|c"
    const char *synonyms;      // "c=a": of the choices, the last ones mean others; or NULL
    const char *preset;        // what holds without the key, as text; NULL: nothing
    const char *preset_space;  // the same in space; NULL: no other than in the plane
    const char *help;          // one sentence
    const struct scree_schema_row *rows;  // of a section; the last row has no key
    const char *list;                     // of a section: the key that a bare list stands for
    size_t offset, size;                  // private: where the value goes
    bool per_number;                      // private: read once for each body of arrange: each
    bool of_body;          // formulas of the place and velocity of a body, and of others by name
    bool in_time;          // a formula that may use t
    const char *variable;  // the one that a formula is of; NULL: coordinates of the mechanism
    const char *before;    // what the key was once called, still read; NULL: it was never renamed
} scree_schema_row;

/// A file in memory.
typedef struct scree_embedded_file {
    const char *name;  // as the scene writes it
    const char *text;
    size_t length;
} scree_embedded_file;

/// The rows of the whole scene; the row after the last one has no key.
SCREE_API const scree_schema_row *scree_schema(void);

#ifdef __cplusplus
}
#endif

#endif
