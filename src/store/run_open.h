// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_open.h - run files opened beside others that have them open.

#ifndef SCREE_STORE_RUN_OPEN_H
#define SCREE_STORE_RUN_OPEN_H

#include <hdf5.h>
#include <stddef.h>

#include "store/driver.h"

/// How often what another process keeps from being read is tried again, a moment after the last
/// time each: for three seconds.
enum { SCREE_RUN_TRIES = 60 };
void scree_run_wait(void);

/// H5Fopen, tried again for three seconds while HDF5's lock of the file is held: a writer has it
/// for the moment in which it begins or ends, a reader for as long as it reads a run that has
/// ended. cause: errno of the driver that plist names, NULL for HDF5's own.
hid_t scree_run_open_patiently(const char *path, unsigned flags, hid_t plist, int *cause);

/// A file access list for writing, with a driver in it that goes to *driver; one that is there
/// already is unregistered.
hid_t scree_run_access(scree_driver_errors *errors, hid_t *driver);

/// Such a list for a file whose writer may have been killed: its mark is in the way, and is cleared
/// as HDF5's own h5clear does it.
hid_t scree_run_access_again(scree_driver_errors *errors, hid_t *driver);

/// To be read: also where its writer is at work or was killed. -1, and the reason.
hid_t scree_run_open(const char *path, char *reason, size_t size);

#endif
