// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// formats.h - readers of files of other programs: the file that the draft names becomes its bodies.

#ifndef SCREE_IMPORT_FORMATS_H
#define SCREE_IMPORT_FORMATS_H

#include "import/draft.h"

/// Siconos' mechanics, HDF5.
scree_status scree_siconos_import(scree_draft *draft);

#endif
