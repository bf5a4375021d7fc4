// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// yaml.h - from text to a tree of nodes that know their place.

#ifndef SCREE_SCENE_YAML_H
#define SCREE_SCENE_YAML_H

#include "base/arena.h"
#include "scree/base.h"

typedef enum scree_node_kind { SCREE_NODE_SCALAR, SCREE_NODE_LIST, SCREE_NODE_MAP } scree_node_kind;

typedef struct scree_node {
    scree_node_kind kind;
    scree_source_location at;
    const char *text;          // scalar: its characters, zero ended; otherwise NULL
    bool quoted;               // scalar: written in quotes or as a block
    int count;                 // list, map: number of entries
    struct scree_node **key;   // map: the keys, all scalars (count)
    struct scree_node **item;  // list: the entries, map: the values (count)
} scree_node;

/// Parse one document. Mistakes go to findings with their place, in the order of the text; returns
/// NULL when there was one that leaves no usable tree, or, perhaps without a finding, when memory
/// ran out. A tree with findings is there to look for more of them: what could not be used, such as
/// a repeated key, is left out of it. An empty text gives an empty map. All that the tree points to
/// lives in the arena; file (may be NULL) is copied there too.
scree_node *scree_yaml_parse(const char *file, const char *text, size_t length, scree_arena *arena,
                             scree_findings *findings);

/// The value of key in a map, or NULL if there is none or map (may be NULL) is not a map. Linear in
/// the number of keys.
scree_node *scree_yaml_find(const scree_node *map, const char *key);

/// A map with one key, whose value is the node; NULL without memory.
const scree_node *scree_yaml_wrap(const char *key, const scree_node *node, scree_arena *arena);

#endif
