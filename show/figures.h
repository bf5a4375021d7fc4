// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// figures.h - from run files to figures: the menu of `scree plot` and `scree compare --plot`.

#ifndef SCREE_SHOW_FIGURES_H
#define SCREE_SHOW_FIGURES_H

#include "scree/run_file.h"

typedef struct show_kind {
    const char *name, *summary;
} show_kind;

/// The menu; the row after the last one has no name.
const show_kind *show_kinds(void);

/// Draw `what` (a name of the menu) of one or several runs over each other into file (.svg, .png
/// or .pdf). label (runs) names the runs in legends; NULL, or an entry that is NULL or empty: the
/// scheme does. The second run is dashed, a third one dotted; more than three have a colour each
/// and every quantity a panel of its own.
///
/// Linear in the rows of the runs, which are read in blocks. A curve keeps at most
/// 2 x SHOW_BUCKETS points (samples.h), 4 MB, and loses no peak by it: some 100 MB for the fullest
/// figure, however long the runs. Where there are more contacts or bodies than a legend can tell
/// apart, the largest are drawn and the title says so.
scree_status show_draw(scree_run_reader *const *run, const char *const *label, int runs,
                       const char *what, const char *file, scree_error *err);

/// Draw the meshes of the elastic bodies of each run at the stored time next to `time` (NaN: the
/// last one), displaced, with von Mises' stress of the elements as colours and the forces of
/// contacts as arrows; in space the outside, seen from the right, the front and above. Small
/// displacements are magnified, and the figure says by how much. Rigid bodies are not drawn.
scree_status show_draw_deformed(scree_run_reader *const *run, const char *const *label, int runs,
                                double time, const char *file, scree_error *err);

#endif
