// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_file.h - one HDF5 file that holds a run: scene, settings, every stored step.
//
// docs/run-file.md describes the layout for other programs. A run file needs nothing beside it.

#ifndef SCREE_RUN_FILE_H
#define SCREE_RUN_FILE_H

#include "scree/ledger.h"
#include "scree/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

/// One row for every step; the first one is the start, with energies only.
typedef struct scree_step_row {
    int64_t step;
    double time;
    scree_account account;
} scree_step_row;

/// One row for every stored step: which contacts belong to it.
typedef struct scree_frame_row {
    int64_t step;
    double time;
    int64_t first_contact, contacts;  // in the contacts of the file
} scree_frame_row;

/// A contact as stored, with its works; w_before, w_after and speed are not stored and zero.
typedef struct scree_contact_row {
    int64_t step;
    scree_contact contact;
    double work_normal, work_tangential;
} scree_contact_row;

/// What a run is made of.
typedef struct scree_run_origin {
    const scree_scene *scene;  // or NULL: the model is a program's own
    const scree_model *model;
    const scree_run_options *options;
    bool program;  // forces, laws, states or bodies come from a program: scene and model alone do
                   // not make the run again
} scree_run_origin;

typedef struct scree_run_writer scree_run_writer;

/// Create path (an old file of that name is replaced) and store the start.
SCREE_API scree_status scree_run_writer_new(const char *path, const scree_run_origin *origin,
                                            const scree_state *start, const scree_account *account,
                                            scree_run_writer **writer, scree_error *err);

/// The right to go on with a run file, which one process has at a time.
typedef struct scree_run_claim scree_run_claim;

/// Take it, before anything is read: who else wants it, later, is refused at once, however long the
/// file is. SCREE_FILE_ERROR with the number of the process that has it.
SCREE_API scree_status scree_run_claim_take(const char *path, scree_run_claim **claim,
                                            scree_error *err);

/// Give it back. NULL is fine.
SCREE_API void scree_run_claim_release(scree_run_claim *claim);

/// Open a run file to go on writing behind its last whole stored step (scree_run_reader_last). A
/// claim belongs to the writer from now on, even if this fails; NULL: it is taken now.
SCREE_API scree_status scree_run_writer_resume(const char *path, scree_run_claim *claim,
                                               const scree_run_origin *origin,
                                               scree_run_writer **writer, scree_error *err);

/// Store a step. With keep a step that is not due is stored too, so that a run can be resumed
/// from it; resuming takes it out again.
SCREE_API scree_status scree_run_writer_step(scree_run_writer *writer,
                                             const scree_step_record *record,
                                             const scree_account *account, bool keep,
                                             scree_error *err);

/// Keep the state of a record whose step is stored already but not due as a state (see above).
SCREE_API scree_status scree_run_writer_keep(scree_run_writer *writer,
                                             const scree_step_record *record, scree_error *err);

/// Say why the run ends before its time: readers have it as `stopped`.
SCREE_API void scree_run_writer_stop(scree_run_writer *writer, const char *why);

/// Write everything that is still in memory, add wall_seconds and close. Frees the writer even if
/// it fails.
SCREE_API scree_status scree_run_writer_close(scree_run_writer *writer, double wall_seconds,
                                              scree_error *err);

typedef struct scree_run_reader {  // read every field; change none
    const char *path, *version, *build, *title;
    const char *scene_file, *scene_text;  // empty: the model was a program's own
    size_t scene_length;
    bool program;  // see scree_run_origin
    int overrides;
    const char *const *override;  // (overrides)
    int64_t steps;                // rows of steps, the start included
    int64_t frames;               // stored states, the start included
    int64_t contacts;             // rows of contacts
    int space, dimension;         // of the bodies, of the contacts
    int coordinates, dofs;        // numbers of q and v in one state
    int elements;                 // whose strain and stress are stored; 0: none are
    int reaction_nodes;           // whose reactions are stored; 0: none are
    double wall_seconds;
    const char *stopped;  // why it ended before its time; empty: it did not, or cannot tell
    bool open;            // its writer has not closed it: it was killed, or is still at work
    struct scree_run_reader_memory *memory;  // private
} scree_run_reader;

/// Open a run file, also one whose writer was killed or is still at work. Of a table that was
/// cut off only the part that all tables have is seen.
SCREE_API scree_status scree_run_reader_open(const char *path, scree_run_reader **reader,
                                             scree_error *err);

/// Does nobody write to this file? SCREE_FILE_ERROR with the number of the process that does. Found
/// without reading the file, which may be long; also fine where there is none.
SCREE_API scree_status scree_run_check_writer(const char *path, scree_error *err);

/// Free it, with all that it owns.
SCREE_API void scree_run_reader_close(scree_run_reader *reader);

/// The last stored state, with the contacts and totals that scree_simulation_restore wants.
/// state->q has room for coordinates, state->v for dofs; *contact is allocated and belongs to the
/// caller.
SCREE_API scree_status scree_run_reader_last(scree_run_reader *reader, scree_state *state,
                                             scree_contact **contact, int *contacts,
                                             scree_totals *totals, scree_error *err);

/// Rows first .. first + count - 1 of a table.
SCREE_API scree_status scree_run_reader_steps(scree_run_reader *reader, int64_t first,
                                              int64_t count, scree_step_row *row, scree_error *err);

/// Rows of the stored states: their steps, times and contacts.
SCREE_API scree_status scree_run_reader_frames(scree_run_reader *reader, int64_t first,
                                               int64_t count, scree_frame_row *row,
                                               scree_error *err);

/// Stored states themselves: q (count x coordinates), v (count x dofs).
SCREE_API scree_status scree_run_reader_states(scree_run_reader *reader, int64_t first,
                                               int64_t count, double *q, double *v,
                                               scree_error *err);

/// Strain and stress of all elastic bodies as stored (elements x 6 for each state), and forces that
/// hold nodes (reaction_nodes x space), see stress.h. Check that they are there.
SCREE_API scree_status scree_run_reader_stress(scree_run_reader *reader, int64_t first,
                                               int64_t count, double *strain, double *stress,
                                               scree_error *err);

/// Forces that hold nodes (count x reaction_nodes x space).
SCREE_API scree_status scree_run_reader_reactions(scree_run_reader *reader, int64_t first,
                                                  int64_t count, double *reaction,
                                                  scree_error *err);

/// Rows of contacts; which belong to a state says its frame.
SCREE_API scree_status scree_run_reader_contacts(scree_run_reader *reader, int64_t first,
                                                 int64_t count, scree_contact_row *row,
                                                 scree_error *err);

/// What is left of a damaged run file.
typedef struct scree_recovery {
    bool whole;      // nothing was damaged, and nothing has been done
    int64_t steps;   // rows of steps, the start included
    int64_t frames;  // stored states, the start included
    double time;     // of the last one [s]
} scree_recovery;

/// Cut a damaged run file back to what stands before the first row that does not have its digest.
/// What it was stays beside it as path.damaged.
SCREE_API scree_status scree_run_recover(const char *path, scree_recovery *found, scree_error *err);

#ifdef __cplusplus
}
#endif

#endif
