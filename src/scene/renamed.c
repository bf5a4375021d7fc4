// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// renamed.c - keys of before get the names that they have now, wherever the schema knows both.
// in: nodes after overrides.   out: the same nodes, keys renamed.
//
// Where both names are given the old one is left to the reader, which complains, unless one of them
// is an override: that one counts.

#include <string.h>

#include "scene/scene.h"

static int find_key(const scree_node *map, const char *key) {
    for (int i = 0; i < map->count; i++)
        if (strcmp(map->key[i]->text, key) == 0) return i;
    return -1;
}

static bool is_override(const scree_node *node) {
    return node->at.file && strncmp(node->at.file, "--set ", 6) == 0;
}

static void rename_key(scree_node *map, const scree_schema_row *row) {
    int old = find_key(map, row->before), now = find_key(map, row->key);
    if (old < 0) return;
    if (now < 0) {
        map->key[old]->text = row->key;
        return;
    }
    if (!is_override(map->item[now]) && !is_override(map->item[old])) return;
    if (is_override(map->item[old])) map->item[now] = map->item[old];
    map->count--;
    for (int i = old; i < map->count; i++) {
        map->key[i] = map->key[i + 1];
        map->item[i] = map->item[i + 1];
    }
}

void scree_renamed_apply(const scree_schema_row *rows, scree_node *node) {
    if (node->kind == SCREE_NODE_LIST)
        for (int i = 0; i < node->count; i++) scree_renamed_apply(rows, node->item[i]);
    if (node->kind != SCREE_NODE_MAP) return;
    for (const scree_schema_row *row = rows; row->key; row++) {
        if (row->before) rename_key(node, row);
        scree_node *child = row->rows ? scree_yaml_find(node, row->key) : NULL;
        if (child) scree_renamed_apply(row->rows, child);
    }
}
