// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// formats.h - readers of files of other programs: the file that the draft names becomes its bodies.

#ifndef SCREE_IMPORT_FORMATS_H
#define SCREE_IMPORT_FORMATS_H

#include "import/draft.h"

/// Siconos' mechanics, HDF5.
scree_status scree_siconos_import(scree_draft *draft);

/// Wavefront OBJ, a body per object.
scree_status scree_obj_import(scree_draft *draft);

/// Tables of bodies.
scree_status scree_csv_import(scree_draft *draft);

/// MuJoCo's MJCF and ROS' URDF.
scree_status scree_mjcf_import(scree_draft *draft);
scree_status scree_urdf_import(scree_draft *draft);

#endif
