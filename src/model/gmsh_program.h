// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// gmsh_program.h - the program gmsh, which makes a mesh of a script (.geo).

#ifndef SCREE_MODEL_GMSH_PROGRAM_H
#define SCREE_MODEL_GMSH_PROGRAM_H

#include "base/arena.h"
#include "scree/base.h"

/// The mesh of a script, kept beside it as geo + ".msh": path (in the arena) names that file. The
/// program is run only if the file is not there, or was made of another text, in another space or
/// with another size. size: largest element, NaN: as the script says.
scree_status scree_gmsh_program_run(const char *geo, int space, double size, scree_arena *arena,
                                    const char **path, scree_error *err);

#endif
