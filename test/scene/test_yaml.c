// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_yaml.c - the YAML reader: trees, places, every kind of mistake, and mangled scenes.

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "scene/yaml.h"

typedef struct result {
    scree_arena arena;
    scree_findings findings;
    scree_node *root;
} result;

static result parse_bytes(const char *text, size_t length) {
    result r = { 0 };
    // an exact copy on the heap: the sanitizer sees a read behind the end
    char *copy = malloc(length ? length : 1);
    if (length) memcpy(copy, text, length);
    r.root = scree_yaml_parse("scene.yaml", copy, length, &r.arena, &r.findings);
    free(copy);
    return r;
}

static result parse(const char *text) { return parse_bytes(text, strlen(text)); }

static void drop(result *r) {
    scree_arena_free(&r->arena);
    scree_findings_free(&r->findings);
}

// one finding, at a place, with a word in it; NULL if it is not there
static const scree_error *finding(const result *r, int i, int line, int column, const char *word) {
    if (i >= r->findings.count) {
        COMPLAIN("only %d findings", r->findings.count);
        return NULL;
    }
    const scree_error *e = &r->findings.item[i];
    if (e->line != line || e->column != column || !strstr(e->text, word))
        COMPLAIN("finding %d: %d:%d: %s; expected %d:%d with \"%s\"", i, e->line, e->column,
                 e->text, line, column, word);
    CHECK_TEXT(e->file, "scene.yaml");
    return e;
}

#define CHECK_AT(node, line_, column_)         \
    do {                                       \
        CHECK_INT((node)->at.line, line_);     \
        CHECK_INT((node)->at.column, column_); \
    } while (0)

// text has exactly one mistake; is there a tree all the same?
static void check_one(const char *text, size_t length, bool tree, int line, int column,
                      const char *word) {
    result r = parse_bytes(text, length);
    if ((r.root != NULL) != tree || r.findings.count != 1)
        COMPLAIN("%s tree and %d findings for: %s", r.root ? "a" : "no", r.findings.count, text);
    finding(&r, 0, line, column, word);
    drop(&r);
}
#define CHECK_ONE(text, tree, line, column, word) \
    check_one(text, sizeof(text) - 1, tree, line, column, word)

static const char scene[] =
    "# a block on a slope\n"
    "name: slope\n"
    "parameters: {mu: 0.3, 'angle': \"20\"}\n"
    "bodies:\n"
    "  - name: block\n"
    "    size: [1, 2.5,\n"
    "           -3e2]\n"
    "    empty:\n"
    "  - {}\n"
    "note: |\n"
    "  two\n"
    "  lines\n"
    "folded: >-\n"
    "  one\n"
    "  line\n"
    "plain: a b\n"
    "  c\n";

static void tree_is_what_was_written(void) {
    result r = parse(scene);
    scree_node *root = r.root;
    CHECK_INT(r.findings.count, 0);
    CHECK(root && root->kind == SCREE_NODE_MAP && root->count == 6 && !root->text);
    if (!root) return;
    CHECK_AT(root, 2, 1);
    CHECK_TEXT(root->at.file, "scene.yaml");
    CHECK_TEXT(root->key[1]->text, "parameters");
    CHECK_AT(root->key[1], 3, 1);

    scree_node *parameters = scree_yaml_find(root, "parameters");
    CHECK_AT(parameters, 3, 13);
    CHECK(!scree_yaml_find(parameters, "mu")->quoted);
    CHECK_AT(scree_yaml_find(parameters, "mu"), 3, 18);
    CHECK(parameters->key[1]->quoted && scree_yaml_find(parameters, "angle")->quoted);
    CHECK_TEXT(scree_yaml_find(parameters, "angle")->text, "20");
    CHECK(!scree_yaml_find(parameters, "Mu") && !scree_yaml_find(parameters, "m"));

    scree_node *bodies = scree_yaml_find(root, "bodies");
    CHECK(bodies->kind == SCREE_NODE_LIST && bodies->count == 2 && !bodies->key);
    CHECK_AT(bodies, 5, 3);
    CHECK_AT(bodies->item[0], 5, 5);
    CHECK(bodies->item[1]->kind == SCREE_NODE_MAP && bodies->item[1]->count == 0);
    scree_node *size = scree_yaml_find(bodies->item[0], "size");
    CHECK_INT(size->count, 3);
    CHECK_TEXT(size->item[2]->text, "-3e2");
    CHECK_AT(size->item[2], 7, 12);
    scree_node *empty = scree_yaml_find(bodies->item[0], "empty");
    CHECK(empty->kind == SCREE_NODE_SCALAR && !empty->quoted);
    CHECK_TEXT(empty->text, "");
    CHECK_INT(empty->at.line, 8);

    CHECK_TEXT(scree_yaml_find(root, "note")->text, "two\nlines\n");
    CHECK(scree_yaml_find(root, "note")->quoted && scree_yaml_find(root, "folded")->quoted);
    CHECK_TEXT(scree_yaml_find(root, "folded")->text, "one line");
    CHECK_TEXT(scree_yaml_find(root, "plain")->text, "a b c");
    CHECK(!scree_yaml_find(root, "plain")->quoted);
    CHECK(!scree_yaml_find(NULL, "a") && !scree_yaml_find(bodies, "a"));
    drop(&r);
}

static void nothing_is_an_empty_map(void) {
    const char *texts[] = {
        "", "\n\n", "# only a remark\n", "---\n", "--- # remark\n...\n", "\xEF\xBB\xBF"
    };
    for (int i = 0; i < 6; i++) {
        result r = parse(texts[i]);
        CHECK_INT(r.findings.count, 0);
        CHECK(r.root && r.root->kind == SCREE_NODE_MAP && r.root->count == 0);
        CHECK(r.root && r.root->at.line >= 1 && r.root->at.column >= 1);
        drop(&r);
    }
    scree_arena arena = { 0 };
    scree_findings findings = { 0 };
    scree_node *root = scree_yaml_parse(NULL, NULL, 0, &arena, &findings);
    CHECK(root && root->count == 0 && !root->at.file);
    scree_arena_free(&arena);
    scree_findings_free(&findings);
}

static void encodings(void) {
    // columns count characters, and a byte order mark is none
    result r = parse("\xEF\xBB\xBF\xC3\xA4\xE2\x82\xAC: \xF0\x9F\x98\x80 # x\r\nb: 2\r\n");
    CHECK_INT(r.findings.count, 0);
    if (r.root) {
        CHECK_AT(r.root->key[0], 1, 1);
        CHECK_TEXT(r.root->key[0]->text, "\xC3\xA4\xE2\x82\xAC");
        CHECK_AT(r.root->item[0], 1, 5);
        CHECK_AT(r.root->item[1], 2, 4);
    }
    drop(&r);
    CHECK_ONE("a: 1\nb: \xC3\xA4\xFF", false, 2, 5, "invalid leading UTF-8 octet (0xFF)");
    CHECK_ONE("a: 1\r\nb: \xC3(", false, 2, 5, "invalid trailing UTF-8 octet");
    CHECK_ONE("\xEF\xBB\xBF\xC3\xA4: 1\r\xC3", false, 2, 1, "incomplete UTF-8 octet sequence");
    CHECK_ONE("a: 1\n\nb: x\0y\n", false, 3, 5, "control characters are not allowed (0x00)");
    CHECK_ONE("a: \x7F", false, 1, 4, "control characters are not allowed (0x7F)");
    CHECK_ONE("\xFF\xFE\x61\x00", false, 1, 1, "UTF-16");
    CHECK_ONE("\xFE\xFF\x00\x61", false, 1, 1, "UTF-16");
    CHECK_ONE("a: \"x\\0y\"\n", true, 1, 4, "control character 0x00");
    CHECK_ONE("a: \"x\\e[31my\"\n", true, 1, 4, "control character 0x1B");
    CHECK_ONE("a: \"x\\ry\"\n", true, 1, 4, "control character 0x0D");
    CHECK_ONE("a: \"x\\x9by\"\n", true, 1, 4, "control character 0x9B");
    CHECK_ONE("a: \"x\\x7fy\"\n", true, 1, 4, "control character 0x7F");
}

static void repeated_keys(void) {
    result r = parse("a: 1\nb: {c: 1, d: 2, \"c\": 3}\n'a': 2\ne: 3\na: 4\n");
    CHECK_INT(r.findings.count, 3);
    finding(&r, 0, 2, 17, "key \"c\" was already given in line 2");
    finding(&r, 1, 3, 1, "key \"a\" was already given in line 1");
    finding(&r, 2, 5, 1, "key \"a\" was already given in line 1");
    // the first one stays, the others are left out, the order stays
    if (r.root) {
        CHECK_INT(r.root->count, 3);
        CHECK_TEXT(scree_yaml_find(r.root, "a")->text, "1");
        CHECK_TEXT(r.root->key[2]->text, "e");
        CHECK_TEXT(r.root->item[2]->text, "3");
        CHECK_INT(r.root->item[1]->count, 2);
    }
    CHECK(r.root != NULL);
    drop(&r);
    // the same key in two maps, and keys that differ in case or end, are fine
    r = parse("a: {x: 1}\nb: {x: 2, X: 3, xx: 4}\n");
    CHECK_INT(r.findings.count, 0);
    drop(&r);
}

static void what_is_not_taken(void) {
    CHECK_ONE("a: &here 1\n", true, 1, 4, "anchors (&here)");
    CHECK_ONE("a: &here [1]\n", true, 1, 4, "anchors (&here)");
    CHECK_ONE("a:\n  b: *there\n", false, 2, 6, "aliases (*there)");
    CHECK_ONE("*there : 1\n", false, 1, 1, "aliases (*there)");
    CHECK_ONE("a: !!float 3\n", true, 1, 4, "tags (tag:yaml.org,2002:float)");
    CHECK_ONE("a: ! 3\n", true, 1, 4, "tags (!)");
    CHECK_ONE("a: ! '3'\n", true, 1, 4, "tags (!)");
    CHECK_ONE("a: !body {}\n", true, 1, 4, "tags (!body)");
    CHECK_ONE("a: ! []\n", true, 1, 4, "tags (!)");
    CHECK_ONE("a: 1\n---\nb: 2\nb: 3\n", true, 2, 1, "second document");
    CHECK_ONE("---\n---\n", true, 2, 1, "second document");
    CHECK_ONE("? [a]\n: 1\n", true, 1, 3, "not a list");
    CHECK_ONE("{x: 1}: 1\n", true, 1, 1, "not a map");
    CHECK_ONE("? \n: 1\n", true, 1, 2, "a key is missing or empty");
    CHECK_ONE("'': 1\n", true, 1, 1, "a key is missing or empty");
}

static void all_mistakes_are_told_in_order(void) {
    result r = parse(
        "a: &x 1\n"
        "b: *x\n"
        "? [k, &y 2]\n"
        ": {z: 1, z: 2}\n"
        "c: !t {d: *y}\n"
        "a: 2\n"
        "e: [\n");
    CHECK(!r.root);
    CHECK_INT(r.findings.count, 9);
    finding(&r, 0, 1, 4, "&x");
    finding(&r, 1, 2, 4, "*x");
    finding(&r, 2, 3, 3, "not a list");
    finding(&r, 3, 3, 7, "&y");
    finding(&r, 4, 4, 10, "\"z\"");
    finding(&r, 5, 5, 4, "!t");
    finding(&r, 6, 5, 11, "*y");
    finding(&r, 7, 6, 1, "\"a\"");  // though its map never ends
    finding(&r, 8, 8, 1, "did not find expected node content");
    drop(&r);
}

static void syntax_mistakes_name_both_places(void) {
    CHECK_ONE("a: [1, 2\nb: 3\n", false, 2, 2, "that began at line 1, column 4");
    CHECK_ONE("x: 0\na: {b: 1\n", false, 3, 1, "flow mapping that began at line 2, column 4");
    CHECK_ONE("m:\n  a: 1\n  - b\n", false, 3, 3, "block mapping that began at line 2, column 3");
    CHECK_ONE("a: 'no end\n", false, 2, 1, "that began at line 1, column 4");
    CHECK_ONE("a: b: c\n", false, 1, 5, "mapping values are not allowed in this context");
    CHECK_ONE("a: @x\n", false, 1, 4, "must be in quotes");
    CHECK_ONE("a: 1\nb\nc: 2\n", false, 3, 1, "began at line 2, column 1; is ': ' missing");
    CHECK_ONE("%YAML 9.0\n---\na: 1\n", false, 1, 1, "incompatible YAML document");
    CHECK_ONE("a: \"\\q\"\n", false, 1, 5, "unknown escape character");
}

static void tabs(void) {
    CHECK_ONE("a:\n\tb: 1\n", false, 2, 1, "a tab cannot be used for indentation");
    CHECK_ONE("a:\n  b: 1\n\tc: 1\n", false, 3, 1, "a tab cannot be used for indentation");
    CHECK_ONE("a: 'x'\n\tb: 1\n", false, 2, 1, "a tab cannot be used for indentation");
    CHECK_ONE("a: x\n  \tb: 2\n", false, 2, 5, "indented with a tab");
    CHECK_ONE("a: |\n\ttext\n", false, 2, 1, "a tab cannot be used for indentation");
    // where tabs are no indentation they are fine
    result r = parse("a:\t1\t# remark\nb: [1,\n\t2]\nc: 'x\ty'\n");
    CHECK_INT(r.findings.count, 0);
    CHECK_TEXT(r.root ? scree_yaml_find(r.root, "c")->text : NULL, "x\ty");
    drop(&r);
}

static void nesting_has_an_end(void) {
    char text[20000];
    for (int levels = 63; levels <= 66; levels++) {
        memset(text, '[', (size_t)levels);
        memset(text + levels, ']', (size_t)levels);
        result r = parse_bytes(text, 2 * (size_t)levels);
        CHECK((r.root != NULL) == (levels <= 64));
        CHECK_INT(r.findings.count, levels > 64);
        if (levels > 64) finding(&r, 0, 1, 65, "nested more than 64 deep");
        drop(&r);
    }
    const char *openings[] = { "[", "{", "- ", "? ", "{a: ", "[a, " };
    for (int o = 0; o < 6; o++) {
        size_t step = strlen(openings[o]);
        for (size_t i = 0; i < sizeof text; i++) text[i] = openings[o][i % step];
        result r = parse_bytes(text, sizeof text);
        CHECK(!r.root && r.findings.count >= 1);
        drop(&r);
    }
}

static void many_keys_take_no_time(void) {
    enum { KEYS = 100000 };
    char *text = malloc(16 * KEYS);
    size_t length = 0;
    for (int k = 0; k < KEYS; k++)
        length += (size_t)snprintf(text + length, 16, "k%d: %d\n", k * 7919 % KEYS, k);
    result r = parse_bytes(text, length);
    CHECK_INT(r.findings.count, 0);
    CHECK(r.root && r.root->count == KEYS);
    drop(&r);
    // and a broken file ends the list of complaints
    length = 0;
    for (int k = 0; k < KEYS; k++) length += (size_t)snprintf(text + length, 16, "same: 1\n");
    r = parse_bytes(text, length);
    CHECK(r.findings.truncated && r.findings.count >= 1000);
    CHECK(r.root && r.root->count == 1);
    drop(&r);
    free(text);
}

static void long_words_are_cut_between_characters(void) {
    char text[400] = "";
    for (int i = 0; i < 70; i++) strcat(text, i ? "\xC3\xA4" : "x");
    size_t key = strlen(text);
    strcat(text, ": 1\n");
    memmove(text + key + 4, text, key);
    strcpy(text + 2 * key + 4, ": 2\n");
    result r = parse(text);
    const scree_error *e = finding(&r, 0, 2, 1, "was already given in line 1");
    CHECK(e && strstr(e->text, "\xC3\xA4\" was"));
    drop(&r);
}

// --- mangled scenes -----------------------------------------------------------------------------

static uint64_t random_state;

static unsigned draw(unsigned below) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((random_state >> 33) % below);
}

// what holds for every tree; returns its number of nodes
static int check_tree(const scree_node *node, int depth) {
    int nodes = 1;
    CHECK(depth <= 64 + 1 && node->at.line >= 1 && node->at.column >= 1 && node->count >= 0);
    if (node->kind == SCREE_NODE_SCALAR) {
        CHECK(node->text && node->count == 0 && !node->key && !node->item);
        return nodes;
    }
    CHECK(!node->text);
    for (int i = 0; i < node->count; i++) {
        nodes += check_tree(node->item[i], depth + 1);
        if (node->kind == SCREE_NODE_LIST) continue;
        CHECK(node->key[i]->kind == SCREE_NODE_SCALAR && node->key[i]->text[0]);
        CHECK(scree_yaml_find(node, node->key[i]->text) == node->item[i]);
    }
    return nodes;
}

static size_t mangle(char *text, size_t length, size_t room) {
    static const char spice[] = "\t\n\r :-?[]{},#&*!|>'\"%@`\\~.0a\xC3\xA4\xFF\0";
    for (unsigned slips = 1 + draw(6); slips > 0; slips--) {
        size_t at = draw((unsigned)length + 1);
        char c = spice[draw(sizeof spice - 1)];
        switch (draw(5)) {
            case 0:  // replace
                if (at < length) text[at] = c;
                break;
            case 1:  // insert
                if (length + 1 >= room) break;
                memmove(text + at + 1, text + at, length - at);
                text[at] = c;
                length++;
                break;
            case 2:  // delete a piece
            {
                size_t cut = draw(8);
                if (at + cut > length) break;
                memmove(text + at, text + at + cut, length - at - cut);
                length -= cut;
                break;
            }
            case 3:  // repeat a piece elsewhere
            {
                size_t from = draw((unsigned)length + 1), piece = draw(40);
                char kept[40];
                if (from + piece > length || length + piece >= room) break;
                memcpy(kept, text + from, piece);
                memmove(text + at + piece, text + at, length - at);
                memcpy(text + at, kept, piece);
                length += piece;
                break;
            }
            default:  // end early, seldom
                if (draw(4) == 0) length = at;
        }
    }
    return length;
}

static void mangled_scenes_are_read_or_explained(void) {
    random_state = 20240601;
    int trees = 0, clean = 0;
    for (int round = 0; round < 20000; round++) {
        char text[1024];
        memcpy(text, scene, sizeof scene);
        size_t length = mangle(text, sizeof scene - 1, sizeof text);
        result r = parse_bytes(text, length);
        CHECK(r.root || r.findings.count > 0);
        if (r.root) check_tree(r.root, 1);
        for (int i = 0; i < r.findings.count; i++) {
            const scree_error *e = &r.findings.item[i];
            CHECK(e->line >= 1 && e->column >= 1 && e->text[0]);
            if (i > 0) CHECK(e[-1].line <= e->line);
        }
        trees += r.root != NULL;
        clean += r.root && r.findings.count == 0;
        drop(&r);
    }
    // the slips should be neither all harmless nor all deadly
    CHECK(trees > 2000 && trees < 18000 && clean > 1000 && clean < trees);
}

TEST_FILE(test_yaml) {
    TEST(tree_is_what_was_written);
    TEST(nothing_is_an_empty_map);
    TEST(encodings);
    TEST(repeated_keys);
    TEST(what_is_not_taken);
    TEST(all_mistakes_are_told_in_order);
    TEST(syntax_mistakes_name_both_places);
    TEST(tabs);
    TEST(nesting_has_an_end);
    TEST(many_keys_take_no_time);
    TEST(long_words_are_cut_between_characters);
    TEST(mangled_scenes_are_read_or_explained);
    return harness_end();
}
