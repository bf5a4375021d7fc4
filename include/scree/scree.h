// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// scree.h - everything: bodies that touch, slide, stick and collide, with an energy ledger that
// closes at every step.

#ifndef SCREE_H
#define SCREE_H

#include "scree/base.h"
#include "scree/contact_id.h"
#include "scree/drive.h"
#include "scree/equilibria.h"
#include "scree/events.h"
#include "scree/fem.h"
#include "scree/generate.h"
#include "scree/geometry.h"
#include "scree/import.h"
#include "scree/joint.h"
#include "scree/lcp.h"
#include "scree/ledger.h"
#include "scree/measure.h"
#include "scree/mechanism.h"
#include "scree/model.h"
#include "scree/paradox.h"
#include "scree/problem.h"
#include "scree/problem_file.h"
#include "scree/run.h"
#include "scree/run_file.h"
#include "scree/scene.h"
#include "scree/simulation.h"
#include "scree/solve.h"
#include "scree/step.h"
#include "scree/stress.h"
#include "scree/study.h"
#include "scree/sweeping.h"
#include "scree/verdict.h"
#include "scree/vtk.h"

#endif
