// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// xml.h - elements and attributes of an XML file, with their places; as much as MJCF and URDF need.
//
// Text between elements, comments and processing instructions are passed over. A DOCTYPE is
// refused, so that nothing is fetched from elsewhere and nothing grows while it is read.

#ifndef SCREE_IMPORT_XML_H
#define SCREE_IMPORT_XML_H

#include "base/arena.h"
#include "scree/base.h"

typedef struct scree_xml {
    const char *name;
    int line;
    int attributes;
    const char **key, **value;
    struct scree_xml *parent, *first, *last, *next;  // children, and the element behind this one
} scree_xml;

/// The root element; memory from the arena.
scree_status scree_xml_read(const char *path, scree_arena *arena, scree_xml **root,
                            scree_error *err);

/// The value of an attribute, or NULL.
const char *scree_xml_get(const scree_xml *node, const char *key);

/// Numbers of an attribute, at most so many; how many, 0 if there is none, -1 if it is no list of
/// finite numbers. What is not there stays as it is.
int scree_xml_numbers(const scree_xml *node, const char *key, int most, double *out);

/// One number, or otherwise.
double scree_xml_number(const scree_xml *node, const char *key, double otherwise);

/// The first child of this name from an element on (NULL: name is that of the parent's first one).
scree_xml *scree_xml_child(const scree_xml *node, const char *name);
scree_xml *scree_xml_next(const scree_xml *node, const char *name);

#endif
