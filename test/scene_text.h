// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// scene_text.h - the text of a built-in scene, from the folder SCREE_SCENES or scenes/.

#ifndef SCREE_TEST_SCENE_TEXT_H
#define SCREE_TEST_SCENE_TEXT_H

#include <stdlib.h>

#include "harness.h"

/// The text, valid until the next call, or NULL with a complaint.
static const char *scene_text(const char *name) {
    static char text[20000];
    const char *folder = getenv("SCREE_SCENES");
    char path[1000];
    snprintf(path, sizeof path, "%s/%s.yaml", folder ? folder : "scenes", name);
    FILE *file = fopen(path, "rb");
    size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
    if (file) fclose(file);
    text[size] = 0;
    if (!size) COMPLAIN("cannot read %s", path);
    return size ? text : NULL;
}

#endif
