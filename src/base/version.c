// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// version.c - what this build is; the build system fills in the two texts.

#include "scree/base.h"

const char *scree_version(void) { return SCREE_VERSION; }

const char *scree_version_build(void) { return SCREE_BUILD; }
