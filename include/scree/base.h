// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// base.h - what every stage shares: statuses, places in files, errors, lists of findings.

#ifndef SCREE_BASE_H
#define SCREE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SCREE_API __attribute__((visibility("default")))
#define SCREE_PRINTF(text, values) __attribute__((format(printf, text, values)))
#else
#define SCREE_API
#define SCREE_PRINTF(text, values)
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum scree_status {
    SCREE_OK = 0,
    SCREE_BAD_INPUT,      // a scene, file or argument that cannot be used
    SCREE_NO_MEMORY,      // an allocation failed
    SCREE_FILE_ERROR,     // a file could not be read or written
    SCREE_UNCONVERGED,    // a contact problem missed its tolerance, or a moving set became empty:
                          // the step was refused
    SCREE_LEDGER_BROKEN,  // the energy ledger missed its rounding bound
    SCREE_INTERRUPTED,    // asked to stop
} scree_status;

/// Where a value was written. line 0 means that there is no place to name.
typedef struct scree_source_location {
    const char *file;  // borrowed
    int line;          // from 1
    int column;        // from 1
} scree_source_location;

#define SCREE_NOWHERE ((scree_source_location){ NULL, 0, 0 })

/// What went wrong and where; plain data that owns nothing.
typedef struct scree_error {
    scree_status status;
    char file[240];  // empty if there is no place
    int line, column;
    char text[480];
} scree_error;

/// Fill err (if not NULL) and return status, so that `return scree_fail(...)` reads well.
SCREE_API scree_status scree_fail(scree_error *err, scree_status status, scree_source_location at,
                                  const char *format, ...) SCREE_PRINTF(4, 5);

/// The same for an allocation that failed: "out of memory for ...", or NULL.
SCREE_API scree_status scree_fail_memory(scree_error *err, const char *what);

/// The same for a file that the system refused, and why: "... cannot be written: disk full".
SCREE_API scree_status scree_fail_file(scree_error *err, const char *path, const char *what,
                                       int reason);

/// Write "file:line:column: error: text" (or what of it is known) into buffer.
SCREE_API void scree_error_format(const scree_error *err, char *buffer, size_t size);

/// Every mistake found in one pass over an input. Begin with a zeroed struct; free when done.
typedef struct scree_findings {
    scree_error *item;  // owned (count)
    int count, capacity;
    bool truncated;  // memory ran out or more than a thousand were found: the list is not complete
    bool no_memory;  // memory ran out: what else was found may come of that
} scree_findings;

/// Add a mistake at a place; with no place: SCREE_NOWHERE.
SCREE_API void scree_findings_add(scree_findings *findings, scree_source_location at,
                                  const char *format, ...) SCREE_PRINTF(3, 4);
/// The text of an error at a place of its own, with its status.
SCREE_API void scree_findings_take(scree_findings *findings, scree_source_location at,
                                   const scree_error *err);
/// Memory ran out.
SCREE_API void scree_findings_no_memory(scree_findings *findings);
/// Bring the findings of each file into the order of its lines.
SCREE_API void scree_findings_sort(scree_findings *findings);

/// Free it, with all that it owns.
SCREE_API void scree_findings_free(scree_findings *findings);

/// Version of these headers; scree_version says that of the library.
#define SCREE_VERSION_MAJOR 0
#define SCREE_VERSION_MINOR 1
#define SCREE_VERSION_PATCH 0

/// The same as one number that grows: 10000 major + 100 minor + patch.
#define SCREE_VERSION_NUMBER \
    (10000 * SCREE_VERSION_MAJOR + 100 * SCREE_VERSION_MINOR + SCREE_VERSION_PATCH)

/// The library's version, "major.minor.patch".
SCREE_API const char *scree_version(void);

/// Compiler and flags of this build, one line.
SCREE_API const char *scree_version_build(void);

#ifdef __cplusplus
}
#endif

#endif
