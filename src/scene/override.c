// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// override.c - `--set path=value` on the tree, before it is read.
//
// A path is keys joined by dots; an entry of a list is named by its number (from 0) or by its
// name: bodies.stick.mass, bodies.0.mass. A key that is not written yet is added, except under
// parameters, where it could only be a slip.

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggestion.h"
#include "scene/scene.h"

static scree_node *new_node(scree_arena *arena, scree_node_kind kind, scree_source_location at,
                            const char *text) {
    scree_node *node = SCREE_NEW(arena, scree_node, 1);
    if (node) *node = (scree_node){ .kind = kind, .at = at, .text = text };
    return node;
}

// append key: value to a map; the tree keeps its old arrays when memory runs out
static bool append(scree_node *map, scree_node *key, scree_node *value, scree_arena *arena) {
    size_t count = (size_t)map->count;
    scree_node **keys = SCREE_NEW(arena, scree_node *, count + 1);
    scree_node **items = SCREE_NEW(arena, scree_node *, count + 1);
    if (!key || !value || !keys || !items) return false;
    if (count) {
        memcpy(keys, map->key, count * sizeof *keys);
        memcpy(items, map->item, count * sizeof *items);
    }
    keys[count] = key;
    items[count] = value;
    map->key = keys;
    map->item = items;
    map->count++;
    return true;
}

// the entry of a list with this number or name, as a slot that can be replaced
static scree_node **list_slot(scree_node *list, const char *word) {
    char *end;
    long number = strtol(word, &end, 10);
    if (isdigit((unsigned char)*word) && !*end)
        return number < list->count ? &list->item[number] : NULL;
    for (int i = 0; i < list->count; i++) {
        scree_node *name =
            list->item[i]->kind == SCREE_NODE_MAP ? scree_yaml_find(list->item[i], "name") : NULL;
        if (name && name->text && strcmp(name->text, word) == 0) return &list->item[i];
    }
    return NULL;
}

static scree_node **map_slot(scree_node *map, const char *word) {
    for (int i = 0; i < map->count; i++)
        if (strcmp(map->key[i]->text, word) == 0) return &map->item[i];
    return NULL;
}

// what could have been meant: keys of a map, names of a list's entries
static int known_words(const scree_node *parent, const char **known, int room) {
    int count = 0;
    for (int i = 0; i < parent->count && count < room; i++) {
        const scree_node *entry = parent->item[i];
        if (parent->kind == SCREE_NODE_MAP) {
            known[count++] = parent->key[i]->text;
        } else if (entry->kind == SCREE_NODE_MAP) {
            const scree_node *name = scree_yaml_find(entry, "name");
            if (name && name->text) known[count++] = name->text;
        }
    }
    return count;
}

static void complain_missing(const scree_node *parent, const char *word, scree_source_location at,
                             scree_findings *findings) {
    const char *known[256] = { NULL };
    int count = known_words(parent, known, 256);
    const char *near = scree_suggestion(word, known, count);
    if (near)
        scree_findings_add(findings, at, "there is no \"%s\" here to set; did you mean \"%s\"?",
                           word, near);
    else if (parent->kind == SCREE_NODE_LIST)
        scree_findings_add(findings, at,
                           "the list has no entry \"%s\" (%d entries, by number or name)", word,
                           parent->count);
    else
        scree_findings_add(findings, at, "there is no \"%s\" here to set", word);
}

// a new key with an empty map behind it, or NULL and a finding
static scree_node **add_key(scree_node *map, const char *word, scree_source_location at,
                            scree_arena *arena, scree_findings *findings) {
    char *text = scree_arena_text(arena, word, strlen(word));
    scree_node *key = text ? new_node(arena, SCREE_NODE_SCALAR, at, text) : NULL;
    if (append(map, key, new_node(arena, SCREE_NODE_MAP, at, NULL), arena))
        return &map->item[map->count - 1];
    scree_findings_no_memory(findings);
    return NULL;
}

// walk one word down the path; missing maps are made on the way, except under parameters
static scree_node **descend(scree_node *parent, const char *word, bool may_add,
                            scree_source_location at, scree_arena *arena,
                            scree_findings *findings) {
    scree_node **slot = NULL;
    if (parent->kind == SCREE_NODE_LIST) slot = list_slot(parent, word);
    if (parent->kind == SCREE_NODE_MAP) {
        slot = map_slot(parent, word);
        if (!slot && may_add) return add_key(parent, word, at, arena, findings);
    }
    if (!slot) complain_missing(parent, word, at, findings);
    return slot;
}

void scree_override_apply(scree_node *root, const char *override, scree_arena *arena,
                          scree_findings *findings) {
    const char *equals = strchr(override, '=');
    size_t length = equals ? (size_t)(equals - override) : 0;
    char label[200];
    snprintf(label, sizeof label, "--set %.*s", (int)(equals ? length : strlen(override)),
             override);
    char *file = scree_arena_text(arena, label, strlen(label));
    scree_source_location at = { file, 1, 1 };
    if (!equals || !length) {
        scree_findings_add(findings, at, "expected path=value, for example scheme.theta=0.6");
        return;
    }
    scree_node *value = scree_yaml_parse(file, equals + 1, strlen(equals + 1), arena, findings);
    char *path = scree_arena_text(arena, override, length);
    if (!file || !value || !path) {
        if (!findings->count) scree_findings_no_memory(findings);
        return;
    }
    if (value->kind == SCREE_NODE_MAP && !value->count && !strchr(equals, '{')) {
        scree_findings_add(findings, at, "there is no value behind the =");
        return;
    }
    bool parameters = strncmp(path, "parameters.", 11) == 0;
    scree_node **slot = &root;
    for (char *rest = path, *word; (word = strsep(&rest, "."));) {
        slot = descend(*slot, word, !parameters, at, arena, findings);
        if (!slot) return;
    }
    *slot = value;
}
