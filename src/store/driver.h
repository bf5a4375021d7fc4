// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// driver.h - an HDF5 file driver for the writer that survives a full disk.
//
// HDF5 cannot close a file it failed to write, and crashes the process when that exits. This driver
// keeps the first error for us and tells HDF5 that all is well; from then on nothing reaches the
// file any more, which stays as it was at that moment, and what HDF5 believes to be in it is kept
// in memory until it is closed.

#ifndef SCREE_STORE_DRIVER_H
#define SCREE_STORE_DRIVER_H

#include <hdf5.h>
#include <stdatomic.h>

typedef struct scree_driver_errors {
    int opening;         // errno of the last attempt to open, if it failed
    atomic_int writing;  // errno of the first write that failed, or 0; a thread may write
} scree_driver_errors;

/// Register the driver and set it in a file access list. errors must outlive the file. Returns the
/// driver to unregister with H5FDunregister after the file is closed, or a negative value.
hid_t scree_driver_set(hid_t access, scree_driver_errors *errors);

/// A new file is laid out in memory, as long as it is small, and written at once, where HDF5 would
/// write in hundreds of places. From hold, just behind its creation, to let_go nobody can read it.
void scree_driver_hold(hid_t file);
void scree_driver_let_go(hid_t file);

#endif
