// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// page_outlines.h - shapes of bodies as a page draws them.

#ifndef SCREE_SHOW_PAGE_OUTLINES_H
#define SCREE_SHOW_PAGE_OUTLINES_H

#include "scree/geometry.h"
#include "show/pack.h"

/// Balls, points, triangles and edges of all outlines; false: out of memory.
bool show_page_outlines(show_pack *pack, const scree_geometry *geometry);

#endif
