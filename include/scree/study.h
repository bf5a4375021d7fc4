// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// study.h - questions that take many runs of one scene: what schemes make of it, how their errors
// fall with the step, what changes over a grid of its parameters, and where exactly it does.

#ifndef SCREE_STUDY_H
#define SCREE_STUDY_H

#include "scree/equilibria.h"
#include "scree/paradox.h"
#include "scree/simulation.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A scene that is opened again and again; everything is borrowed.
typedef struct scree_study {
    /// Opens the scene as scree_simulation_open does, or finds it elsewhere by its name.
    scree_simulation *(*open)(const char *scene, const char *const *override, int count,
                              scree_findings *findings);
    const char *scene;
    const char *const *override;  // "path=value", taken before those of the study  (overrides)
    int overrides;
    /// Called after every step or point (may be NULL); true ends the study, SCREE_INTERRUPTED.
    bool (*on_progress)(void *data, const char *what, int64_t done, int64_t total);
    void *data;
} scree_study;

/// Of a scene file as it is.
SCREE_API scree_study scree_study_default(const char *file);

// ---- tables ----

/// A column: numbers, or texts.
typedef struct scree_study_column {
    const char *name;
    const double *number;     // (rows), or NULL
    const char *const *text;  // (rows), of a column without numbers
} scree_study_column;

typedef struct scree_study_table {
    const char *title;
    const scree_study_column *column;
    int columns, rows;
} scree_study_table;

/// Write a table as an HDF5 file with one data set `runs`, whose rows are compounds of the columns;
/// its attribute title is that of the table. The file appears whole or not at all; what is there
/// already is replaced if it is such a table.
SCREE_API scree_status scree_study_table_write(const char *path, const scree_study_table *table,
                                               scree_error *err);

/// Would what is there now be in the way? To be asked before the work is done.
SCREE_API scree_status scree_study_table_check(const char *path, scree_error *err);

// ---- comparison of schemes ----

typedef struct scree_comparison_run {
    char scheme[80];
    char *path;                    // owned; its run file; NULL: none
    scree_simulation *simulation;  // owned, at its end
    double energy_start;           // [J]
    double wall;                   // [s]
} scree_comparison_run;

typedef struct scree_comparison {
    scree_comparison_run *run;  // owned (runs)
    int runs;
} scree_comparison;

/// Run the scene under each scheme. folder/stem.SCHEME.h5 are the run files; folder NULL: none. A
/// scheme that does not take the scene: mistakes in findings; what was run before it is kept.
SCREE_API scree_status scree_comparison_find(const scree_study *study, const char *const *scheme,
                                             int schemes, const char *folder, const char *stem,
                                             scree_comparison *comparison, scree_findings *findings,
                                             scree_error *err);

/// Free it, with all that it owns.
SCREE_API void scree_comparison_free(scree_comparison *comparison);

// ---- convergence ----

enum { SCREE_CONVERGENCE_LEVELS = 16, SCREE_CONVERGENCE_SAMPLES = 201 };

typedef enum scree_reference {
    SCREE_REFERENCE_AUTO,          // event-driven if it takes the scene and reaches the end
    SCREE_REFERENCE_EVENT_DRIVEN,  // or an error
    SCREE_REFERENCE_SELF,          // each run against one with half its step
} scree_reference;

typedef struct scree_convergence_options {
    const char *key;            // of the scene, that chooses a scheme
    const char *const *scheme;  // their names  (schemes)
    int schemes;
    double first;    // the longest step; the others are half of the one before [s]
    int levels;      // how many steps there are, 2 to SCREE_CONVERGENCE_LEVELS
    int64_t coarse;  // steps of the longest one, to the end
    int spread;      // runs of a level, with steps from 2^-1/4 to 2^1/4 of its own; means of them
    bool at_end;     // errors at the end alone
    scree_reference reference;
} scree_convergence_options;

/// For a scene: its duration, five steps from eight times its own on. The schemes are to be named.
SCREE_API scree_convergence_options
scree_convergence_options_default(const scree_simulation *simulation);

/// How far a run is from what it is compared with, as the largest component of the difference; of
/// several runs the mean of that.
typedef struct scree_distance {
    double most;  // over all steps of the run
    double mean;  // over all of them
    double last;  // at the end
} scree_distance;

/// One step. The errors are not numbers if a run, or what it is compared with, stopped.
typedef struct scree_convergence_level {
    double h;                     // [s]
    int64_t steps;                // to the end
    bool opened;                  // the scheme took the scene
    char reason[480];             // why there are no errors
    scree_distance q, v, energy;  // the energy: of the whole, not numbers where it has none
    double error_q, error_v, error_energy;    // those that count: of q most, of the others mean; or
                                              // all last
    double order_q, order_v, order_energy;    // against the level before; not a number: not known
    double time[SCREE_CONVERGENCE_SAMPLES];   // of the run with this very step: from 0 to the end,
    double curve[SCREE_CONVERGENCE_SAMPLES];  // and its energy there [J]
} scree_convergence_level;

/// All steps of one scheme.
typedef struct scree_convergence_ladder {
    char scheme[80];
    bool opened;  // the scheme took the scene with some step
    scree_convergence_level level[SCREE_CONVERGENCE_LEVELS];
    double travel;                          // largest displacement of the reference [m]
    double size_q, size_v;                  // its largest coordinate and velocity
    double size_energy;                     // by how much its energy changes at most [J]
    double floor_q, floor_v, floor_energy;  // errors are not told from rounding below this
    double order_q, order_v, order_energy;  // fitted
} scree_convergence_ladder;

typedef struct scree_convergence {
    scree_convergence_ladder *ladder;  // owned (schemes)
    int schemes, levels;
    double end;          // where the runs end [s]
    bool self;           // compared with half the step
    char why_self[480];  // empty: it was asked for
} scree_convergence;

/// Run every scheme with every step, in lock-step with its reference. Runs that stop are told level
/// by level. An error: interrupted, no memory, or a reference that was asked for and stopped.
SCREE_API scree_status scree_convergence_find(const scree_study *study,
                                              const scree_convergence_options *options,
                                              scree_convergence *convergence, scree_error *err);

/// Free it, with all that it owns.
SCREE_API void scree_convergence_free(scree_convergence *convergence);

// ---- grids of parameters ----

/// A parameter of the scene and the values it takes. Points of a grid are numbered with the last
/// axis running.
typedef struct scree_axis {
    const char *name;     // of `parameters`
    const double *value;  // (count)
    int count;
} scree_axis;

enum { SCREE_AXES = 2 };  // at most

/// How many points a grid has.
SCREE_API int scree_grid_points(const scree_axis *axis, int axes);

/// The values of all axes at a point.
SCREE_API void scree_grid_values(const scree_axis *axis, int axes, int point, double *value);

/// Every motion that may follow from the start of a scene, of bodies or of a mechanism, and what a
/// scheme does with it; all else as in the scene.
SCREE_API scree_status scree_study_paradox(const scree_simulation *simulation, double tolerance,
                                           scree_paradox *paradox, scree_error *err);

/// What a scheme does with it.
SCREE_API scree_status scree_study_trial(const scree_simulation *simulation, scree_scheme scheme,
                                         double h, scree_trial *trial, scree_error *err);

enum { SCREE_TRIAL_SCHEMES = SCREE_MOREAU + 1, SCREE_PARADOX_UNFIT = -2 };

typedef struct scree_paradox_grid {
    int points;
    int *count;     // of motions, -1: infinitely many; SCREE_PARADOX_UNFIT: not to be asked there
    double *A, *B;  // NaN: at rest or unfit
    unsigned char *outcome[SCREE_TRIAL_SCHEMES];  // of each scheme, a scree_outcome
    int unfit, first_unfit;                       // how many points, and the first
    char reason[480];                             // of the first
} scree_paradox_grid;

/// How many motions there are over a grid, and what the schemes do.
SCREE_API scree_status scree_paradox_grid_find(const scree_study *study, const scree_axis *axis,
                                               int axes, double tolerance, scree_paradox_grid *grid,
                                               scree_error *err);

/// Free it, with all that it owns.
SCREE_API void scree_paradox_grid_free(scree_paradox_grid *grid);

/// A value at which a kind changes, and what is there beside and at it.
typedef struct scree_critical {
    double value;
    int below, at, above;  // at: -1 if none of its own
} scree_critical;

/// Critical values between neighbours of different kinds, by halving: numerical, and changes there
/// and back between neighbours go unseen. Two changes that cannot be told apart are one, and what
/// is between them holds at it. critical has room for SCREE_CHANGES of each neighbours.
enum { SCREE_CHANGES = 4 };
typedef scree_status scree_kind_at(void *data, double value, int *kind, scree_error *err);

/// Find the critical values between neighbours of `value` (ascending, of kind[i]).
SCREE_API scree_status scree_bisection_find(scree_kind_at *kind_at, void *data, const double *value,
                                            const int *kind, int count, scree_critical *critical,
                                            int *criticals, scree_error *err);

typedef struct scree_equilibria_grid {
    int points;
    int *kind;           // a number for each kind of set, in the order they are met  (points)
    int *pieces;         // of the set                                                (points)
    double *low, *high;  // r_N of all contacts and pieces; NaN: no equilibria      (points)
    char **label;        // "free + slip+ point + stuck ray"                        (kinds)
    int kinds;
    scree_critical *critical;  // of one axis; none of two
    int criticals;
} scree_equilibria_grid;

/// Kinds of equilibria over a grid, and where they change. The axis A, if the scene has no such
/// parameter, is that of Klarbring's particle, A = KT FN - W FT, by its tangential load. Mistakes
/// in the scene go to findings.
SCREE_API scree_status scree_equilibria_grid_find(const scree_study *study, const scree_axis *axis,
                                                  int axes, double tolerance,
                                                  scree_equilibria_grid *grid,
                                                  scree_findings *findings, scree_error *err);

/// Free it, with all that it owns.
SCREE_API void scree_equilibria_grid_free(scree_equilibria_grid *grid);

// ---- sweeps: a run for every combination of values ----

/// LOW:HIGH:COUNT, evenly spaced, both ends included.
typedef struct scree_range {
    double low, high;
    int count;
} scree_range;

/// Read a range up to the next comma or the end; counts above most become most + 1. Returns what
/// follows the comma (or the end), NULL: it reads otherwise, or its count is below 2.
SCREE_API const char *scree_range_read(const char *text, int most, scree_range *range);

/// Its values (count), symmetric in the ends, so that middles of round numbers are met exactly.
SCREE_API void scree_range_fill(const scree_range *range, double *value);

enum { SCREE_SWEEP_AXES = 8, SCREE_SWEEP_RUNS = 20000, SCREE_SWEEP_LINE = 1000 };

/// A key of the scene and the values that it takes; all of it is the sweep's.
typedef struct scree_sweep_axis {
    char path[160];  // "parameters.e"
    char **word;     // the values, as they stand behind --set  (count)
    double *number;  // what they are as numbers, NaN: no number  (count)
    int count;
} scree_sweep_axis;

/// Runs of a scene over all combinations of values. Run r, from 0, has the files NNNNN.h5 and
/// NNNNN.txt in the folder, its summary, where NNNNN is r + 1: those of `scree sweep`.
typedef struct scree_sweep {
    scree_sweep_axis axis[SCREE_SWEEP_AXES];  // (axes); the last one runs first
    int axes, runs;
    const char *folder;             // of run files and summaries, borrowed; NULL: none are kept
    bool store;                     // run files are wanted
    bool retry;                     // runs that failed before are done again
    int jobs;                       // runs at a time, each in a thread of this process
    const char *scene;              // its name, borrowed from the study; and a digest of what it
    char state[40];                 // says: summaries of another one do not count
    const volatile int *interrupt;  // may be NULL; once it is not 0 the sweep ends
} scree_sweep;

/// One run, of the scene as it is; axes are to be added and a folder to be named.
SCREE_API scree_sweep scree_sweep_default(const scree_study *study);

/// Add an axis as `scree sweep --set` has it: "e=0.1:0.5:5", "h0=1,2", "gravity=[0,-9],[0,-1]".
SCREE_API scree_status scree_sweep_add(scree_sweep *sweep, const char *text, scree_error *err);

/// Add an axis by its values. A name without a dot that is no key of scenes is a parameter.
SCREE_API scree_status scree_sweep_add_values(scree_sweep *sweep, const char *name,
                                              const char *const *value, int count,
                                              scree_error *err);

/// Free what a sweep owns.
SCREE_API void scree_sweep_free(scree_sweep *sweep);

/// Which value of each axis a run (from 0) has.
SCREE_API void scree_sweep_point(const scree_sweep *sweep, int run, int place[SCREE_SWEEP_AXES]);

/// The line of a run (from 0): its number from 1, then overrides, with tabs between them. False:
/// too long.
SCREE_API bool scree_sweep_line(const scree_sweep *sweep, int run, char line[SCREE_SWEEP_LINE]);

/// Numbers that a run comes to.
typedef enum scree_sweep_number {
    SCREE_SWEEP_STEPS,
    SCREE_SWEEP_TIME,                  // [s]
    SCREE_SWEEP_ENERGY_START,          // [J]
    SCREE_SWEEP_ENERGY,                // at the end [J]
    SCREE_SWEEP_EXTERNAL_WORK,         // of loads [J]
    SCREE_SWEEP_CONTACT_WORK,          // normal and tangential [J]
    SCREE_SWEEP_DISSIPATION,           // of the scheme [J]
    SCREE_SWEEP_ENERGY_CREATED,        // by contacts, beyond rounding [J]
    SCREE_SWEEP_RESIDUAL,              // of the ledger over its bound
    SCREE_SWEEP_PENETRATION,           // the largest [m]
    SCREE_SWEEP_PENETRATION_RELATIVE,  // over the size of bodies
    SCREE_SWEEP_CONTACTS,              // in the problem of a step, mean
    SCREE_SWEEP_UNCONVERGED,           // steps that were accepted unsolved
    SCREE_SWEEP_WALL_SECONDS,
    SCREE_SWEEP_NUMBERS
} scree_sweep_number;

/// Its column in tables, as "energy_start".
SCREE_API const char *scree_sweep_number_name(scree_sweep_number number);

/// What a run came to.
typedef struct scree_sweep_summary {
    char line[SCREE_SWEEP_LINE];        // that it was made of
    char status[32];                    // done, or why not; empty: it has not been run
    char verdict[32];                   // of the run, or ""
    char message[800];                  // the sentence, or ""
    double value[SCREE_SWEEP_NUMBERS];  // NaN: not known
} scree_sweep_summary;

/// Make one run of a line and leave its summary in the folder. What goes wrong with the run stands
/// in the summary; an error is that it was interrupted or that the summary cannot be written, and
/// then there is none.
SCREE_API scree_status scree_sweep_run(const scree_study *study, const scree_sweep *sweep,
                                       const char *line, scree_sweep_summary *summary,
                                       scree_error *err);

/// Leave a summary with the status "crashed" for a run that did not live to do it.
SCREE_API scree_status scree_sweep_mark(const scree_sweep *sweep, const char *line,
                                        const char *message, scree_error *err);

/// The summary in the folder of a run with that very line and scene; false: there is none.
SCREE_API bool scree_sweep_read(const scree_sweep *sweep, const char *line,
                                scree_sweep_summary *summary);

/// Make all runs that have no summary yet, jobs at a time; those that failed stay failed unless
/// retry. The open of the study is called from several threads, on_progress (with runs) from the
/// caller's alone. What was done before an error or an interrupt is kept: the same call goes on.
SCREE_API scree_status scree_sweep_find(const scree_study *study, const scree_sweep *sweep,
                                        scree_sweep_summary *summary, scree_error *err);

/// Write the table of all runs (runs) as scree_study_table_write does: run, values, status,
/// verdict, numbers, message.
SCREE_API scree_status scree_sweep_write(const scree_sweep *sweep,
                                         const scree_sweep_summary *summary, const char *path,
                                         scree_error *err);

#ifdef __cplusplus
}
#endif

#endif
