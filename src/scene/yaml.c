// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// yaml.c - from text to a tree of nodes that know their place.
// in: text.   out: tree, findings.   work: a stack with one entry per open list or map.
//
// A scene is data, so only a part of YAML 1.1 is taken: one document of lists, maps with scalar
// keys, and scalars. No anchors, aliases or tags, and no nesting beyond DEEPEST. libyaml finds the
// syntax mistakes, and the first one ends the reading; all others are collected.

#include "scene/yaml.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

enum { DEEPEST = 64, SHOWN = 60 };  // levels of nesting; bytes of a word in a message

typedef struct level {  // a list or map that is still open
    scree_node *node;
    int capacity;
    scree_node *key;  // map: a key whose value has not come yet
    bool drop;        // map: that key cannot be used, its value is read and forgotten
} level;

typedef struct reader {
    const char *file;  // in the arena
    const char *text;  // borrowed, without a byte order mark
    size_t length;
    scree_arena *arena;
    scree_findings *findings;
    scree_node *root;
    level stack[DEEPEST];
    int depth;
    int documents;
    bool unusable;  // a finding says why
    bool no_memory;
} reader;

// --- places -------------------------------------------------------------------------------------

static int from_one(size_t from_zero) { return from_zero < INT_MAX ? (int)from_zero + 1 : INT_MAX; }

static scree_source_location place_of(const reader *r, yaml_mark_t mark) {
    return (scree_source_location){ r->file, from_one(mark.line), from_one(mark.column) };
}

static bool continues_character(char c) { return ((unsigned char)c & 0xC0) == 0x80; }

static bool ends_line(const char *c, const char *end) {
    return *c == '\n' || (*c == '\r' && (c + 1 == end || c[1] != '\n'));
}

// where byte number offset of the text is, columns counted in characters
static scree_source_location place_of_byte(const reader *r, size_t offset) {
    scree_source_location at = { r->file, 1, 1 };
    const char *end = r->text + r->length;
    for (const char *c = r->text; c < end && c < r->text + offset; c++) {
        if (ends_line(c, end)) {
            at.line++;
            at.column = 1;
        } else if (c + 1 == end || !continues_character(c[1])) {
            at.column++;
        }
    }
    return at;
}

static const char *line_start(const reader *r, size_t line) {
    const char *c = r->text, *end = r->text + r->length;
    for (; line > 0 && c < end; c++) line -= ends_line(c, end);
    return c;
}

// the character at a mark; zero at the end of the text
static char character_at(const reader *r, yaml_mark_t mark) {
    const char *c = line_start(r, mark.line), *end = r->text + r->length;
    for (size_t column = mark.column; column > 0 && c < end; column--) {
        c++;
        while (c < end && continues_character(*c)) c++;
    }
    return c < end ? *c : '\0';
}

static bool indented_with_tab(const reader *r, size_t line) {
    const char *c = line_start(r, line), *end = r->text + r->length;
    while (c < end && *c == ' ') c++;
    return c < end && *c == '\t';
}

// bytes of text to show, so that no character is cut in half
static int shown(const char *text) {
    size_t length = strlen(text);
    if (length <= SHOWN) return (int)length;
    for (length = SHOWN; length > 0 && continues_character(text[length]);) length--;
    return (int)length;
}

// --- syntax mistakes ----------------------------------------------------------------------------

// what a person can do about libyaml's commonest complaints
static const char *hint_for(const reader *r, const char *problem, size_t line) {
    if (indented_with_tab(r, line)) return "; this line is indented with a tab, YAML wants spaces";
    if (strstr(problem, "mapping values are not allowed"))
        return "; is it indented wrongly, a space missing behind an earlier ':', or a text with "
               "':' "
               "not in quotes?";
    if (strstr(problem, "did not find expected key") || strstr(problem, "<block end>"))
        return "; are the lines of this block indented alike?";
    if (strstr(problem, "could not find expected ':'"))
        return "; is ': ' missing between a key and its value?";
    if (strstr(problem, "did not find expected ',' or"))
        return "; is a ',' or the closing bracket missing?";
    if (strstr(problem, "cannot start any token"))
        return "; a text that begins with this character must be in quotes";
    return "";
}

static void report_syntax(reader *r, const yaml_parser_t *parser) {
    const char *problem = parser->problem ? parser->problem : "this is not YAML";
    r->unusable = true;
    if (parser->error == YAML_MEMORY_ERROR) {
        r->no_memory = true;
    } else if (parser->error == YAML_READER_ERROR) {
        // the reader works below lines and columns and knows only the byte
        scree_source_location at = place_of_byte(r, parser->problem_offset);
        if (parser->problem_value >= 0)
            scree_findings_add(r->findings, at, "%s (0x%02X)", problem,
                               (unsigned)parser->problem_value);
        else
            scree_findings_add(r->findings, at, "%s", problem);
    } else if (character_at(r, parser->problem_mark) == '\t') {
        scree_findings_add(r->findings, place_of(r, parser->problem_mark),
                           "a tab cannot be used for indentation: YAML wants spaces");
    } else {
        scree_source_location at = place_of(r, parser->problem_mark);
        scree_source_location began = place_of(r, parser->context_mark);
        const char *hint = hint_for(r, problem, parser->problem_mark.line);
        if (!parser->context)
            scree_findings_add(r->findings, at, "%s%s", problem, hint);
        else if (began.line == at.line && began.column == at.column)
            scree_findings_add(r->findings, at, "%s %s%s", problem, parser->context, hint);
        else
            scree_findings_add(r->findings, at, "%s %s that began at line %d, column %d%s", problem,
                               parser->context, began.line, began.column, hint);
    }
}

// --- building the tree --------------------------------------------------------------------------

static scree_node *new_node(reader *r, scree_node_kind kind, yaml_mark_t mark) {
    scree_node *node = SCREE_NEW(r->arena, scree_node, 1);
    if (node)
        *node = (scree_node){ .kind = kind, .at = place_of(r, mark) };
    else
        r->no_memory = true;
    return node;
}

static bool grow(reader *r, level *top) {
    if (top->capacity > INT_MAX / 2) return false;
    int capacity = top->capacity ? 2 * top->capacity : 4;
    scree_node *node = top->node;
    size_t used = (size_t)node->count * sizeof *node->item;
    scree_node **item = SCREE_NEW(r->arena, scree_node *, capacity);
    if (!item) return false;
    if (used) memcpy(item, node->item, used);
    node->item = item;
    if (node->kind == SCREE_NODE_MAP) {
        scree_node **key = SCREE_NEW(r->arena, scree_node *, capacity);
        if (!key) return false;
        if (used) memcpy(key, node->key, used);
        node->key = key;
    }
    top->capacity = capacity;
    return true;
}

static void append(reader *r, level *top, scree_node *key, scree_node *item) {
    scree_node *node = top->node;
    if (node->count == top->capacity && !grow(r, top)) {
        r->no_memory = true;
        return;
    }
    if (key) node->key[node->count] = key;
    node->item[node->count++] = item;
}

// is this key one that a map can have? Aliases have been complained about already
static bool usable_key(reader *r, const scree_node *key, bool alias) {
    if (alias) return false;
    if (key->kind != SCREE_NODE_SCALAR) {
        scree_findings_add(r->findings, key->at, "a key must be a word or a quoted text, not a %s",
                           key->kind == SCREE_NODE_LIST ? "list" : "map");
        return false;
    }
    if (key->text[0] == '\0') {
        scree_findings_add(r->findings, key->at, "a key is missing or empty here");
        return false;
    }
    return true;
}

// hang a new node into the innermost open list or map, as its next item, key or value
static void attach(reader *r, scree_node *node, bool alias) {
    level *top = r->depth > 0 ? &r->stack[r->depth - 1] : NULL;
    if (!top) {
        r->root = node;
    } else if (top->node->kind == SCREE_NODE_LIST) {
        append(r, top, NULL, node);
    } else if (!top->key) {
        top->key = node;
        top->drop = !usable_key(r, node, alias);
    } else {
        if (!top->drop) append(r, top, top->key, node);
        top->key = NULL;
    }
}

// open a list or map; false when it would be too deep
static bool open_level(reader *r, scree_node_kind kind, yaml_mark_t mark) {
    scree_node *node = new_node(r, kind, mark);
    if (!node) return false;
    if (r->depth == DEEPEST) {
        scree_findings_add(r->findings, node->at, "lists and maps are nested more than %d deep",
                           DEEPEST);
        r->unusable = true;
        return false;
    }
    attach(r, node, false);
    r->stack[r->depth++] = (level){ .node = node };
    return true;
}

typedef struct ranked_key {
    const scree_node *key;
    int index;
} ranked_key;

static int compare_keys(const void *a, const void *b) {
    const ranked_key *x = a, *y = b;
    int order = strcmp(x->key->text, y->key->text);
    return order ? order : (x->index > y->index) - (x->index < y->index);
}

// report and take out every key that came before in the same map; n log n in its keys
static void drop_repeated_keys(reader *r, scree_node *map) {
    scree_arena_mark mark = scree_arena_mark_of(r->arena);
    ranked_key *sorted = SCREE_NEW(r->arena, ranked_key, map->count);
    if (!sorted) {
        r->no_memory = true;
        return;
    }
    for (int k = 0; k < map->count; k++) sorted[k] = (ranked_key){ map->key[k], k };
    qsort(sorted, (size_t)map->count, sizeof *sorted, compare_keys);

    // equal keys are neighbours now, the one written first in front
    for (int k = 1, first = 0; k < map->count; k++) {
        const scree_node *key = sorted[k].key;
        if (strcmp(key->text, sorted[first].key->text) != 0) {
            first = k;
            continue;
        }
        scree_findings_add(r->findings, key->at, "key \"%.*s\" was already given in line %d",
                           shown(key->text), key->text, sorted[first].key->at.line);
        map->key[sorted[k].index] = NULL;
    }
    scree_arena_release(r->arena, mark);

    // close the gaps
    int kept = 0;
    for (int k = 0; k < map->count; k++) {
        if (!map->key[k]) continue;
        map->key[kept] = map->key[k];
        map->item[kept++] = map->item[k];
    }
    map->count = kept;
}

static void close_level(reader *r) {
    scree_node *node = r->stack[--r->depth].node;
    if (node->kind == SCREE_NODE_MAP && node->count > 1) drop_repeated_keys(r, node);
}

// --- events -------------------------------------------------------------------------------------

static void check_properties(reader *r, yaml_mark_t mark, const yaml_char_t *anchor,
                             const char *tag) {
    scree_source_location at = place_of(r, mark);
    if (anchor)
        scree_findings_add(r->findings, at, "anchors (&%.*s) are not used here: write values out",
                           shown((const char *)anchor), (const char *)anchor);
    if (tag)
        scree_findings_add(r->findings, at,
                           "tags (%.*s) are not used here: what a value is follows from its key",
                           shown(tag), tag);
}

static void take_alias(reader *r, const yaml_event_t *event) {
    const char *name = (const char *)event->data.alias.anchor;
    scree_node *node = new_node(r, SCREE_NODE_SCALAR, event->start_mark);
    if (!node) return;
    scree_findings_add(r->findings, node->at,
                       "aliases (*%.*s) are not used here: write the value out", shown(name), name);
    // nothing can be said about the value, so the tree is read on only for its other mistakes
    node->text = "";
    r->unusable = true;
    attach(r, node, true);
}

// The first character of a text that is not for reading, as a terminal would obey it; -1: none.
// Tabs and ends of lines are.
static int find_control(const char *text, size_t length) {
    const unsigned char *c = (const unsigned char *)text;
    for (size_t i = 0; i < length; i++) {
        if ((c[i] < ' ' && c[i] != '\n' && c[i] != '\t') || c[i] == 0x7F) return c[i];
        if (c[i] == 0xC2 && i + 1 < length && c[i + 1] < 0xA0) return c[i + 1];
    }
    return -1;
}

static void take_scalar(reader *r, const yaml_event_t *event) {
    const char *value = (const char *)event->data.scalar.value;
    size_t length = event->data.scalar.length;
    bool plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    const char *tag = (const char *)event->data.scalar.tag;
    // libyaml swallows the tag "!", but a plain scalar that is not implicit had it
    if (!tag && plain && !event->data.scalar.plain_implicit) tag = "!";
    check_properties(r, event->start_mark, event->data.scalar.anchor, tag);

    // a document with nothing in it
    if (r->depth == 0 && plain && length == 0) {
        r->root = new_node(r, SCREE_NODE_MAP, event->start_mark);
        return;
    }
    scree_node *node = new_node(r, SCREE_NODE_SCALAR, event->start_mark);
    if (!node) return;
    node->text = scree_arena_text(r->arena, value, length);
    node->quoted = !plain;
    if (!node->text) {
        r->no_memory = true;
        return;
    }
    int control = find_control(value, length);
    if (control >= 0)
        scree_findings_add(r->findings, node->at,
                           "a text cannot contain the control character 0x%02X", (unsigned)control);
    attach(r, node, false);
}

// false when reading should end
static bool take_event(reader *r, const yaml_event_t *event) {
    yaml_mark_t mark = event->start_mark;
    switch (event->type) {
        case YAML_STREAM_END_EVENT:
            return false;
        case YAML_DOCUMENT_START_EVENT:
            if (r->documents++ == 0) return true;
            scree_findings_add(r->findings, place_of(r, mark),
                               "a second document begins here, but a file holds only one");
            return false;
        case YAML_SEQUENCE_START_EVENT:
            check_properties(r, mark, event->data.sequence_start.anchor,
                             (const char *)event->data.sequence_start.tag);
            return open_level(r, SCREE_NODE_LIST, mark);
        case YAML_MAPPING_START_EVENT:
            check_properties(r, mark, event->data.mapping_start.anchor,
                             (const char *)event->data.mapping_start.tag);
            return open_level(r, SCREE_NODE_MAP, mark);
        case YAML_SEQUENCE_END_EVENT:
        case YAML_MAPPING_END_EVENT:
            close_level(r);
            return true;
        case YAML_ALIAS_EVENT:
            take_alias(r, event);
            return true;
        case YAML_SCALAR_EVENT:
            take_scalar(r, event);
            return true;
        default:
            return true;
    }
}

static void read_events(reader *r, yaml_parser_t *parser) {
    bool more = true;
    while (more) {
        yaml_event_t event;
        if (!yaml_parser_parse(parser, &event)) {
            report_syntax(r, parser);
            return;
        }
        more = take_event(r, &event) && !r->no_memory;
        yaml_event_delete(&event);
    }
}

static int compare_findings(const void *a, const void *b) {
    const scree_error *x = a, *y = b;
    if (x->line != y->line) return x->line < y->line ? -1 : 1;
    if (x->column != y->column) return x->column < y->column ? -1 : 1;
    return strcmp(x->text, y->text);
}

scree_node *scree_yaml_parse(const char *file, const char *text, size_t length, scree_arena *arena,
                             scree_findings *findings) {
    reader r = { .text = length ? text : "", .length = length };
    r.arena = arena;
    r.findings = findings;
    if (file && !(r.file = scree_arena_text(arena, file, strlen(file)))) return NULL;

    // byte order marks: skip that of UTF-8, refuse those of UTF-16, whose places cannot be told
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) {
        r.text += 3;
        r.length -= 3;
    }
    if (length >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0)) {
        scree_findings_add(findings, (scree_source_location){ r.file, 1, 1 },
                           "this text is encoded as UTF-16: save it as UTF-8");
        return NULL;
    }

    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser)) return NULL;
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&parser, (const unsigned char *)r.text, r.length);
    int before = findings->count;
    read_events(&r, &parser);
    yaml_parser_delete(&parser);

    // a map's repeated keys are found at its end: look into those that a syntax mistake left open,
    // and bring all findings in the order of the text
    while (r.depth > 0 && !r.no_memory) close_level(&r);
    if (findings->count > before)
        qsort(findings->item + before, (size_t)(findings->count - before), sizeof *findings->item,
              compare_findings);
    if (!r.root && !r.unusable && !r.no_memory)
        r.root = new_node(&r, SCREE_NODE_MAP, (yaml_mark_t){ 0 });
    if (r.no_memory) scree_findings_no_memory(findings);
    return r.unusable || r.no_memory ? NULL : r.root;
}

scree_node *scree_yaml_find(const scree_node *map, const char *key) {
    if (!map || map->kind != SCREE_NODE_MAP) return NULL;
    for (int k = 0; k < map->count; k++)
        if (strcmp(map->key[k]->text, key) == 0) return map->item[k];
    return NULL;
}

const scree_node *scree_yaml_wrap(const char *key, const scree_node *node, scree_arena *arena) {
    scree_node *map = SCREE_NEW(arena, scree_node, 2), **pair = SCREE_NEW(arena, scree_node *, 2);
    if (!map || !pair) return NULL;
    pair[0] = &map[1];
    pair[1] = (scree_node *)node;
    map[1] = (scree_node){ .kind = SCREE_NODE_SCALAR, .text = key, .at = node->at };
    map[0] = (scree_node){
        .kind = SCREE_NODE_MAP, .at = node->at, .count = 1, .key = &pair[0], .item = &pair[1]
    };
    return map;
}
