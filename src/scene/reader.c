// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// reader.c - from a tree of nodes to typed values, row by row of the schema.
// in: nodes, schema.   out: scene->top.   Every mistake becomes a finding; reading goes on.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/suggestion.h"
#include "scene/expression.h"
#include "scene/scene.h"
#include "scree/mechanism.h"

enum { KEYS_MAX = 64, DEFAULTS = 512, VARIABLES = 128 };

typedef struct default_value {
    const scree_schema_row *row;
    const scree_node *node;
} default_value;

typedef struct reader {
    scree_scene *scene;
    scree_findings *findings;
    int space;                   // numbers of a vector
    int variables, coordinates;  // names for formulas, of coordinates first
    const char *variable[VARIABLES];
    default_value parsed[DEFAULTS];  // by row: a list of a thousand bodies needs them as often
} reader;

static bool read_section(reader *r, const scree_schema_row *rows, const scree_node *node,
                         const char *name, void *base);
static bool read_each(reader *r, const scree_schema_row *row, const scree_node *node,
                      scree_scene_generator *generator);

scree_source_location scree_scene_place(const scree_section *section, const char *key) {
    const scree_node *node = section->node ? scree_yaml_find(section->node, key) : NULL;
    if (node) return node->at;
    return section->node ? section->node->at : SCREE_NOWHERE;
}

bool scree_scene_given(const scree_section *section, const char *key) {
    return section->node && scree_yaml_find(section->node, key);
}

static const char *kind_name(const scree_node *node) {
    static const char *const name[] = { "a single value", "a list", "a map" };
    return name[node->kind];
}

static bool want(reader *r, const scree_node *node, scree_node_kind kind, const char *key,
                 const char *expected) {
    if (node->kind == kind) return true;
    scree_findings_add(r->findings, node->at, "%s: expected %s, found %s", key, expected,
                       kind_name(node));
    return false;
}

static scree_names names_of(const reader *r, bool time) {
    return (scree_names){
        .count = r->scene->names, .name = r->scene->name, .value = r->scene->value, .time = time
    };
}

static scree_expression *read_named(reader *r, const scree_node *node, const char *key,
                                    const scree_names *names) {
    char message[240];
    int offset = 0;
    scree_expression *expression = scree_expression_parse(node->text, names, &r->scene->arena,
                                                          message, sizeof message, &offset);
    if (!expression) {
        scree_source_location at = node->at;
        at.column += offset + (node->quoted ? 1 : 0);
        scree_findings_add(r->findings, at, "%s: %s", key, message);
    }
    return expression;
}

static scree_expression *read_expression(reader *r, const scree_node *node, const char *key,
                                         bool time) {
    scree_names names = names_of(r, time);
    if (!want(r, node, SCREE_NODE_SCALAR, key, "a number")) return NULL;
    return read_named(r, node, key, &names);
}

static bool in_range(reader *r, const scree_schema_row *row, const scree_node *node, double value) {
    const char *unit = row->unit && strcmp(row->unit, "1") != 0 ? row->unit : "";
    const char *space = *unit ? " " : "";
    if (!isfinite(value)) {
        scree_findings_add(r->findings, node->at, "%s: \"%s\" is not a finite number", row->key,
                           node->text);
        return false;
    }
    bool low = row->above_low ? value > row->low : value >= row->low;
    if (low && value <= row->high) return true;
    if (isinf(row->high) && row->low == 0)
        scree_findings_add(r->findings, node->at, "%s must %s, got %g%s%s", row->key,
                           row->above_low ? "be positive" : "not be negative", value, space, unit);
    else
        scree_findings_add(r->findings, node->at, "%s must be %s %g and at most %g, got %g%s%s",
                           row->key, row->above_low ? "above" : "at least", row->low, row->high,
                           value, space, unit);
    return false;
}

// YAML's own words for what is no number
static bool is_no_number(const char *text) {
    static const char *const words[] = { ".nan", "nan", ".inf", "inf", "-.inf", "+.inf", "-inf" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i]) == 0) return true;
    return false;
}

static bool read_number(reader *r, const scree_schema_row *row, const scree_node *node, void *to) {
    double *value = to;
    if (node->kind == SCREE_NODE_SCALAR && is_no_number(node->text)) {
        scree_findings_add(r->findings, node->at, "%s: \"%s\" is not a finite number", row->key,
                           node->text);
        return false;
    }
    scree_expression *expression = read_expression(r, node, row->key, false);
    if (!expression) return false;
    *value = scree_expression_at(expression, 0).value;
    return in_range(r, row, node, *value);
}

static bool read_integer(reader *r, const scree_schema_row *row, const scree_node *node,
                         int *value) {
    double number;
    if (!read_number(r, row, node, &number)) return false;
    if (number != floor(number)) {
        scree_findings_add(r->findings, node->at, "%s must be a whole number, got %g", row->key,
                           number);
        return false;
    }
    *value = (int)number;
    return true;
}

static double function_value(const void *self, double t, double *rate) {
    scree_dual dual = scree_expression_at(self, t);
    *rate = dual.rate;
    return dual.value;
}

static bool read_function(reader *r, const scree_schema_row *row, const scree_node *node,
                          void *to) {
    scree_function *value = to;
    scree_expression *expression = read_expression(r, node, row->key, true);
    if (!expression) return false;
    *value = (scree_function){ .constant = scree_expression_at(expression, 0).value };
    if (scree_expression_varies(expression)) {
        value->at = function_value;
        value->self = expression;
    }
    return in_range(r, row, node, value->constant);
}

static bool read_flag(reader *r, const scree_schema_row *row, const scree_node *node, bool *value) {
    if (!want(r, node, SCREE_NODE_SCALAR, row->key, "true or false")) return false;
    *value = strcmp(node->text, "true") == 0;
    if (*value || strcmp(node->text, "false") == 0) return true;
    scree_findings_add(r->findings, node->at, "%s: expected true or false, found \"%s\"", row->key,
                       node->text);
    return false;
}

// the choice that a word stands for: another one, or itself
static void find_meaning(const scree_schema_row *row, const char *word, char *meaning,
                         size_t size) {
    size_t length = strlen(word);
    snprintf(meaning, size, "%s", word);
    for (const char *pair = row->synonyms; pair && *pair; pair += *pair == '|') {
        size_t end = strcspn(pair, "|");
        if (length < end && strncmp(pair, word, length) == 0 && pair[length] == '=')
            snprintf(meaning, size, "%.*s", (int)(end - length - 1), pair + length + 1);
        pair += end;
    }
}

static bool read_choice(reader *r, const scree_schema_row *row, const scree_node *node,
                        int *value) {
    if (!want(r, node, SCREE_NODE_SCALAR, row->key, "a word")) return false;
    char words[240], meaning[240], *candidate[16], *rest = words;
    int count = 0;
    find_meaning(row, node->text, meaning, sizeof meaning);
    snprintf(words, sizeof words, "%s", row->choices);
    for (char *word; count < 16 && (word = strsep(&rest, "|")); count++) {
        candidate[count] = word;
        if (strcmp(word, meaning) == 0) {
            *value = count;
            return true;
        }
    }
    const char *near = scree_suggestion(node->text, (const char *const *)candidate, count);
    scree_findings_add(r->findings, node->at, "%s: \"%s\" is none of %s%s%s%s", row->key,
                       node->text, row->choices, near ? "; did you mean \"" : "", near ? near : "",
                       near ? "\"?" : "");
    return false;
}

// memory for the entries of a list; false (and a finding) when there is none
static bool room(reader *r, const scree_node *node, size_t size, scree_list *list) {
    *list = (scree_list){ .count = node->count };
    list->item = scree_arena_alloc(&r->scene->arena, (size_t)node->count, size);
    if (list->item) return true;
    list->count = 0;
    scree_findings_no_memory(r->findings);
    return false;
}

// entry of a list or matrix, from its node
typedef bool read_entry(reader *r, const scree_schema_row *row, const scree_node *node,
                        void *value);

static bool read_list(reader *r, const scree_schema_row *row, const scree_node *node,
                      const char *expected, size_t size, read_entry *read, scree_list *list) {
    if (!want(r, node, SCREE_NODE_LIST, row->key, expected) || !room(r, node, size, list))
        return false;
    bool fine = true;
    for (int i = 0; i < node->count; i++)
        fine &= read(r, row, node->item[i], (char *)list->item + (size_t)i * size);
    return fine;
}

static bool read_numbers(reader *r, const scree_schema_row *row, const scree_node *node,
                         scree_list *list) {
    return read_list(r, row, node, "a list of numbers", sizeof(double), read_number, list);
}

// one number is a list of one
static bool read_one_or_more(reader *r, const scree_schema_row *row, const scree_node *node,
                             scree_list *list) {
    if (node->kind == SCREE_NODE_LIST) return read_numbers(r, row, node, list);
    scree_node one = { .count = 1, .at = node->at };
    if (!room(r, &one, sizeof(double), list)) return false;
    return read_number(r, row, node, list->item);
}

// rows of one length, of entries of this size
static bool read_rows(reader *r, const scree_schema_row *row, const scree_node *node, size_t size,
                      read_entry *read, scree_list *list) {
    if (!want(r, node, SCREE_NODE_LIST, row->key, "a list of rows")) return false;
    *list = (scree_list){ .count = node->count };
    bool fine = true;
    for (int i = 0; i < node->count; i++) {
        const scree_node *line = node->item[i];
        if (!want(r, line, SCREE_NODE_LIST, row->key, "a row of numbers")) return false;
        if (i == 0) {
            list->columns = line->count;
            list->item = scree_arena_alloc(&r->scene->arena, (size_t)node->count,
                                           (size_t)line->count * size);
            if (!list->item) {
                list->count = list->columns = 0;
                scree_findings_no_memory(r->findings);
                return false;
            }
        }
        if (line->count != list->columns) {
            scree_findings_add(r->findings, line->at, "%s: row %d has %d numbers, the first has %d",
                               row->key, i + 1, line->count, list->columns);
            return false;
        }
        for (int j = 0; j < line->count; j++) {
            size_t entry = (size_t)i * (size_t)list->columns + (size_t)j;
            fine &= read(r, row, line->item[j], (char *)list->item + entry * size);
        }
    }
    return fine;
}

static bool read_formula(reader *r, const scree_schema_row *row, const scree_node *node, void *to) {
    bool moving = row->kind == SCREE_VALUE_FORMULAS;  // it may use t and velocities
    const scree_expression **value = to;
    scree_names names = names_of(r, moving || row->in_time);
    names.variables = row->variable ? 1 : r->variables;
    names.coordinates = row->variable ? 1 : r->coordinates;
    names.variable = row->variable ? &row->variable : r->variable;
    names.velocity = moving;
    if (!want(r, node, SCREE_NODE_SCALAR, row->key, "a formula")) return false;
    *value = read_named(r, node, row->key, &names);
    return *value != NULL;
}

static bool read_body_formula(reader *r, const scree_schema_row *row, const scree_node *node,
                              void *value) {
    scree_names names = names_of(r, true);
    if (!want(r, node, SCREE_NODE_SCALAR, row->key, "a formula")) return false;
    const char **variable = SCREE_NEW(&r->scene->arena, const char *, SCREE_FORMULA_VARIABLES);
    int count =
        variable ? scree_formula_variables(node->text, r->space, &r->scene->arena, variable) : 0;
    if (!count) scree_findings_no_memory(r->findings);
    if (count > SCREE_FORMULA_VARIABLES)
        scree_findings_add(r->findings, node->at, "%s: a formula sees at most %d coordinates",
                           row->key, SCREE_FORMULA_VARIABLES);
    if (!count || count > SCREE_FORMULA_VARIABLES) return false;
    names.variables = names.coordinates = count;
    names.variable = variable;
    names.velocity = true;
    const scree_expression *expression = read_named(r, node, row->key, &names);
    *(scree_scene_formula *)value = (scree_scene_formula){ expression, count, variable, node->at };
    return expression != NULL;
}

static bool read_formulas(reader *r, const scree_schema_row *row, const scree_node *node,
                          scree_list *list) {
    size_t size = row->of_body ? sizeof(scree_scene_formula) : sizeof(scree_expression *);
    return read_list(r, row, node, "a list of formulas", size,
                     row->of_body ? read_body_formula : read_formula, list);
}

static bool read_name(reader *r, const scree_schema_row *row, const scree_node *node, void *to) {
    *(const char **)to = node->text;
    return want(r, node, SCREE_NODE_SCALAR, row->key, "a name");
}

static bool read_names(reader *r, const scree_schema_row *row, const scree_node *node,
                       scree_list *list) {
    return read_list(r, row, node, "a list of names", sizeof(char *), read_name, list);
}

// can it be the name of a number? kind: of what. A parameter t hides the time, which then is called
// time alone (expression.c).
static bool may_be_name(reader *r, const scree_node *key, const char *kind) {
    if (scree_names_valid(key->text) || strcmp(key->text, "t") == 0) return true;
    scree_findings_add(r->findings, key->at,
                       "\"%s\" cannot be a %s: letters, digits and _ only, not pi or auto",
                       key->text, kind);
    return false;
}

// a new name for formulas; kind: what it is to be
static bool declare(reader *r, const scree_node *at, const char *kind) {
    const char *name = at->text, *trouble = NULL;
    if (!scree_names_valid(name))
        trouble = "letters, digits and _ only, not t, pi or auto";
    else if (scree_expression_is_function(name))
        trouble = "it is a function";
    else if (scree_names_have(r->scene->name, r->scene->names, name))
        trouble = "it is a parameter";
    else if (scree_names_have(r->variable, r->variables, name))
        trouble = "it is there already";
    if (trouble)
        scree_findings_add(r->findings, at->at, "\"%s\" cannot be a %s: %s", name, kind, trouble);
    else
        r->variable[r->variables++] = name;
    return !trouble;
}

static bool read_coordinates(reader *r, const scree_schema_row *row, const scree_node *node,
                             scree_list *list) {
    const int most = SCREE_MECHANISM_COORDINATES;
    if (!read_names(r, row, node, list)) return false;
    bool fine = list->count >= 1 && list->count <= most;
    if (!fine)
        scree_findings_add(r->findings, node->at, "%s: a mechanism has 1 to %d, found %d", row->key,
                           most, list->count);
    for (int i = 0; i < list->count && i < most; i++)
        fine &= declare(r, node->item[i], "coordinate");
    r->coordinates = r->variables;
    return fine;
}

static bool read_definitions(reader *r, const scree_schema_row *row, const scree_node *node,
                             scree_list *list) {
    if (!want(r, node, SCREE_NODE_MAP, row->key, "a map of names and formulas")) return false;
    if (node->count > SCREE_DEFINITIONS_MAX) {
        scree_findings_add(r->findings, node->at, "%s: at most %d formulas, found %d", row->key,
                           SCREE_DEFINITIONS_MAX, node->count);
        return false;
    }
    if (!room(r, node, sizeof(scree_expression *), list)) return false;
    bool fine = true;
    for (int i = 0; i < node->count; i++) {
        const scree_schema_row own = { .key = node->key[i]->text };
        const scree_expression **value = (const scree_expression **)list->item + i;
        fine &= read_formula(r, &own, node->item[i], value);
        fine &= declare(r, node->key[i], "name for a formula");
    }
    return fine;
}

static bool read_vector(reader *r, const scree_schema_row *row, const scree_node *node,
                        double *value) {
    bool spatial = r->space == 3;
    if (!want(r, node, SCREE_NODE_LIST, row->key, spatial ? "a list [x, y, z]" : "a list [x, y]"))
        return false;
    if (node->count != r->space) {
        const char *advice = spatial            ? ", since the scene has space: 3"
                             : node->count == 3 ? "; for bodies in space write space: 3 at the top"
                                                : "";
        scree_findings_add(r->findings, node->at, "%s: expected %s, found %d%s", row->key,
                           spatial ? "three numbers [x, y, z]" : "two numbers [x, y]", node->count,
                           advice);
        return false;
    }
    bool fine = true;
    for (int i = 0; i < r->space; i++) fine &= read_number(r, row, node->item[i], &value[i]);
    return fine;
}

static bool read_sections(reader *r, const scree_schema_row *row, const scree_node *node,
                          scree_list *list) {
    if (!want(r, node, SCREE_NODE_LIST, row->key, "a list (each entry begins with \"- \")"))
        return false;
    if (!room(r, node, row->size, list)) return false;
    bool fine = true;
    for (int i = 0; i < node->count; i++) {
        char name[80];
        snprintf(name, sizeof name, "%s[%d]", row->key, i);
        void *base = (char *)list->item + (size_t)i * row->size;
        fine &= read_section(r, row->rows, node->item[i], name, base);
    }
    return fine;
}

static bool read_auto(reader *r, const scree_schema_row *row, const scree_node *node,
                      double *value) {
    *value = NAN;
    if (node->kind == SCREE_NODE_SCALAR && strcmp(node->text, "auto") == 0) return true;
    return read_number(r, row, node, value);
}

static bool read_text(reader *r, const scree_schema_row *row, const scree_node *node,
                      const char **value) {
    if (!want(r, node, SCREE_NODE_SCALAR, row->key, "a text")) return false;
    *value = node->text;
    return true;
}

static bool read_value(reader *r, const scree_schema_row *row, const scree_node *node, void *base) {
    void *value = (char *)base + row->offset;
    switch (row->kind) {
        case SCREE_VALUE_TEXT:
            return read_text(r, row, node, value);
        case SCREE_VALUE_FLAG:
            return read_flag(r, row, node, value);
        case SCREE_VALUE_CHOICE:
            return read_choice(r, row, node, value);
        case SCREE_VALUE_INTEGER:
            return read_integer(r, row, node, value);
        case SCREE_VALUE_NUMBER:
            return read_number(r, row, node, value);
        case SCREE_VALUE_AUTO:
            return read_auto(r, row, node, value);
        case SCREE_VALUE_VECTOR:
            return read_vector(r, row, node, value);
        case SCREE_VALUE_FUNCTION:
            return read_function(r, row, node, value);
        case SCREE_VALUE_FORMULA:
            return row->of_body ? read_body_formula(r, row, node, value)
                                : read_formula(r, row, node, value);
        case SCREE_VALUE_FUNCTIONS:
            return read_list(r, row, node, "a list of numbers", sizeof(scree_function),
                             read_function, value);
        case SCREE_VALUE_FORMULAS:
            return read_formulas(r, row, node, value);
        case SCREE_VALUE_FORMULA_ROWS:
            return read_rows(r, row, node, sizeof(scree_expression *), read_formula, value);
        case SCREE_VALUE_COORDINATES:
            return read_coordinates(r, row, node, value);
        case SCREE_VALUE_DEFINITIONS:
            return read_definitions(r, row, node, value);
        case SCREE_VALUE_NUMBERS:
            return read_numbers(r, row, node, value);
        case SCREE_VALUE_ONE_OR_MORE:
            return read_one_or_more(r, row, node, value);
        case SCREE_VALUE_MATRIX:
            return read_rows(r, row, node, sizeof(double), read_number, value);
        case SCREE_VALUE_NAMES:
            return read_names(r, row, node, value);
        case SCREE_VALUE_PARAMETERS:
            return true;  // read before what uses them
        case SCREE_VALUE_SECTION:
            if (row->per_number && ((scree_scene_generator *)base)->arrange == SCREE_ARRANGE_EACH)
                return read_each(r, row, node, base);
            if (row->list && node->kind == SCREE_NODE_LIST)
                node = scree_yaml_wrap(row->list, node, &r->scene->arena);
            if (node) return read_section(r, row->rows, node, row->key, value);
            scree_findings_no_memory(r->findings);
            return false;
        case SCREE_VALUE_SECTIONS:
            return read_sections(r, row, node, value);
    }
    return false;
}

// --- bodies that are formulas of their number ---------------------------------------------------

// a name and its value for the arithmetic that follows
static bool push_name(reader *r, const scree_node *at, const char *name, double value) {
    scree_scene *scene = r->scene;
    if (scree_names_have(scene->name, scene->names, name)) {
        scree_findings_add(r->findings, at->at, "\"%s\" is a name already: %s", name,
                           strcmp(name, "i") == 0 ? "in arrange: each it is the number of the body"
                                                  : "take another one");
        return false;
    }
    scene->name[scene->names] = name;
    scene->value[scene->names++] = value;
    return true;
}

// the names of let, with the number i that is known by now
static bool push_let(reader *r, const scree_node *let) {
    bool fine = true;
    for (int k = 0; k < let->count && fine; k++) {
        const char *name = let->key[k]->text;
        scree_schema_row row = { .key = name, .unit = "", .low = -HUGE_VAL, .high = HUGE_VAL };
        double value;
        fine = may_be_name(r, let->key[k], "name") && read_number(r, &row, let->item[k], &value) &&
               push_name(r, let->key[k], name, value);
    }
    return fine;
}

static bool check_let(reader *r, const scree_node *let) {
    if (!want(r, let, SCREE_NODE_MAP, "let", "a map of names and numbers")) return false;
    if (let->count <= SCREE_DEFINITIONS_MAX) return true;
    scree_findings_add(r->findings, let->at, "let: at most %d names, found %d",
                       SCREE_DEFINITIONS_MAX, let->count);
    return false;
}

// the body as many times as there are numbers; the first mistake ends it
static bool read_each(reader *r, const scree_schema_row *row, const scree_node *node,
                      scree_scene_generator *generator) {
    const scree_node *let = scree_yaml_find(generator->section.node, "let");
    int names = r->scene->names, count = scree_scene_generated(generator);
    if (let && !check_let(r, let)) return false;
    scree_node numbers = { .count = count > 0 && count <= SCREE_BODIES_MAX ? count : 1,
                           .at = node->at };
    if (!room(r, &numbers, sizeof(scree_scene_body), &generator->each)) return false;
    scree_scene_body *body = generator->each.item;
    bool fine = true;
    for (int i = 0; i < numbers.count && fine; i++) {
        fine = push_name(r, node, "i", i + 1) && (!let || push_let(r, let)) &&
               read_section(r, row->rows, node, row->key, &body[i]);
        r->scene->names = names;
        if (!fine && i > 0)
            scree_findings_add(r->findings, node->at, "this is so for i = %d", i + 1);
    }
    generator->body = body[0];
    return fine;
}

static const scree_node *parse_fallback(reader *r, const scree_schema_row *row) {
    size_t slot = (size_t)((uintptr_t)row / sizeof *row) % DEFAULTS;
    default_value *kept = &r->parsed[slot];
    if (kept->row == row) return kept->node;
    const char *text = r->space == 3 && row->preset_space ? row->preset_space : row->preset;
    scree_node *node =
        scree_yaml_parse("default", text, strlen(text), &r->scene->arena, r->findings);
    if (node) *kept = (default_value){ row, node };
    return node;
}

// what holds without the key: the schema's own text, read like a scene's
static void read_fallback(reader *r, const scree_schema_row *row, void *base) {
    void *value = (char *)base + row->offset;
    if (row->kind == SCREE_VALUE_NUMBER || row->kind == SCREE_VALUE_AUTO) *(double *)value = NAN;
    bool lists = row->kind >= SCREE_VALUE_FUNCTIONS && row->kind != SCREE_VALUE_SECTION;
    if (!row->preset || lists) return;
    const scree_node *node = parse_fallback(r, row);
    if (node)
        read_value(r, row, node, base);
    else
        scree_findings_no_memory(r->findings);
}

static void complain_unknown(reader *r, const scree_schema_row *rows, const scree_node *key,
                             const char *name) {
    const char *known[KEYS_MAX] = { NULL };
    int count = 0;
    for (; rows[count].key && count < KEYS_MAX; count++) known[count] = rows[count].key;
    const char *near = scree_suggestion(key->text, known, count);
    char list[400] = "";
    for (int i = 0; i < count; i++) {
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", known[i]);
    }
    if (near)
        scree_findings_add(r->findings, key->at, "%s has no key \"%s\"; did you mean \"%s\"?", name,
                           key->text, near);
    else
        scree_findings_add(r->findings, key->at, "%s has no key \"%s\"; it may have %s", name,
                           key->text, list);
}

static bool read_section(reader *r, const scree_schema_row *rows, const scree_node *node,
                         const char *name, void *base) {
    scree_section *section = base;
    if (!want(r, node, SCREE_NODE_MAP, name, "a map of keys")) return !(section->broken = true);
    section->node = node;
    for (const scree_schema_row *row = rows; row->key; row++) {
        const scree_node *child = scree_yaml_find(node, row->key);
        if (child) {
            if (!read_value(r, row, child, base)) section->broken = true;
            continue;
        }
        read_fallback(r, row, base);
        if (!row->required) continue;
        scree_findings_add(r->findings, node->at, "%s needs the key \"%s\": %s", name, row->key,
                           row->help);
        section->broken = true;
    }
    for (int i = 0; i < node->count; i++)
        if (!scree_schema_find(rows, node->key[i]->text)) {
            complain_unknown(r, rows, node->key[i], name);
            section->broken = true;
        }
    return !section->broken;
}

// room for so many parameters and for what a body of arrange: each has beside them
static bool make_names(reader *r, int parameters) {
    scree_scene *scene = r->scene;
    size_t most = (size_t)parameters + 1 + SCREE_DEFINITIONS_MAX;
    scene->name = SCREE_NEW(&scene->arena, const char *, most);
    scene->value = SCREE_NEW(&scene->arena, double, most);
    if (scene->name && scene->value) return true;
    scree_findings_no_memory(r->findings);
    return false;
}

// each parameter may use those above it
static bool read_parameters(reader *r, const scree_node *node) {
    scree_scene *scene = r->scene;
    if (!want(r, node, SCREE_NODE_MAP, "parameters", "a map of names and numbers")) return false;
    bool fine = true;
    for (int i = 0; i < node->count; i++) {
        const char *name = node->key[i]->text;
        scree_schema_row row = { .key = name, .unit = "", .low = -HUGE_VAL, .high = HUGE_VAL };
        double value = 1;
        if (!may_be_name(r, node->key[i], "parameter")) {
            fine = false;
            continue;
        }
        if (!read_number(r, &row, node->item[i], &value)) {
            fine = false;
            value = 1;
        }
        scene->name[scene->names] = name;
        scene->value[scene->names++] = value;
    }
    return fine;
}

// 2 or 3; what is wrong with the key is told when the whole is read
static int read_space(reader *r, const scree_node *root) {
    const scree_node *node = root->kind == SCREE_NODE_MAP ? scree_yaml_find(root, "space") : NULL;
    if (!node || node->kind != SCREE_NODE_SCALAR) return 2;
    char message[240];
    int offset;
    scree_names names = names_of(r, false);
    scree_expression *expression = scree_expression_parse(node->text, &names, &r->scene->arena,
                                                          message, sizeof message, &offset);
    return expression && scree_expression_at(expression, 0).value == 3 ? 3 : 2;
}

void scree_reader_fill(scree_scene *scene, const scree_node *root, scree_findings *findings) {
    reader r = { .scene = scene, .findings = findings };
    const scree_node *parameters =
        root->kind == SCREE_NODE_MAP ? scree_yaml_find(root, "parameters") : NULL;
    if (!make_names(&r, parameters && parameters->kind == SCREE_NODE_MAP ? parameters->count : 0))
        return;
    scene->parameters_broken = parameters && !read_parameters(&r, parameters);
    r.space = read_space(&r, root);
    read_section(&r, scree_schema(), root, "the scene", &scene->top);
    scene->top.space = r.space;
}
