// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// xml.c - XML text -> elements.

#include "import/xml.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file_text.h"

enum { DEPTH_MOST = 200, ATTRIBUTES_MOST = 128 };

typedef struct reader {
    const char *path, *at, *end, *counted;
    int line;  // of counted
    scree_arena *arena;
    scree_error *err;
} reader;

static int line_of(reader *r) {
    for (; r->counted < r->at; r->counted++) r->line += *r->counted == '\n';
    return r->line;
}

#define FAIL(r, ...)                                                                           \
    scree_fail((r)->err, SCREE_BAD_INPUT, (scree_source_location){ (r)->path, line_of(r), 1 }, \
               __VA_ARGS__)

static scree_status no_memory(const reader *r) {
    return scree_fail(r->err, SCREE_NO_MEMORY, (scree_source_location){ r->path, 0, 0 },
                      "out of memory for this file");
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static bool in_name(char c) { return c && !is_space(c) && !strchr("<>/=\"'&?!", c); }

static void skip_space(reader *r) {
    while (r->at < r->end && is_space(*r->at)) r->at++;
}

static bool begins(const reader *r, const char *text) {
    return (size_t)(r->end - r->at) >= strlen(text) && memcmp(r->at, text, strlen(text)) == 0;
}

// behind the next occurrence of a text
static scree_status skip_past(reader *r, const char *text) {
    const char *found = strstr(r->at, text);
    if (!found) return FAIL(r, "\"%s\" is missing", text);
    r->at = found + strlen(text);
    return SCREE_OK;
}

static scree_status read_name(reader *r, const char **name) {
    const char *from = r->at;
    while (r->at < r->end && in_name(*r->at)) r->at++;
    if (r->at == from) return FAIL(r, "expected a name");
    *name = scree_arena_text(r->arena, from, (size_t)(r->at - from));
    return *name ? SCREE_OK : no_memory(r);
}

// the five entities and numbers below 128; others stay as they are
static void decode(char *text) {
    static const struct {
        const char *name;
        char letter;
    } known[] = {
        { "&lt;", '<' }, { "&gt;", '>' }, { "&amp;", '&' }, { "&quot;", '"' }, { "&apos;", '\'' }
    };
    char *to = text;
    for (const char *c = text; *c; to++) {
        *to = *c;
        size_t used = 1;
        for (size_t k = 0; *c == '&' && k < sizeof known / sizeof *known; k++)
            if (strncmp(c, known[k].name, strlen(known[k].name)) == 0) {
                *to = known[k].letter;
                used = strlen(known[k].name);
            }
        c += used;
    }
    *to = '\0';
}

static scree_status read_value(reader *r, const char **value) {
    char quote = r->at < r->end ? *r->at : '\0';
    if (quote != '"' && quote != '\'') return FAIL(r, "expected a value in quotes");
    const char *from = ++r->at, *to = memchr(from, quote, (size_t)(r->end - from));
    if (!to) return FAIL(r, "the value in quotes has no end");
    char *text = scree_arena_text(r->arena, from, (size_t)(to - from));
    if (!text) return no_memory(r);
    decode(text);
    *value = text;
    r->at = to + 1;
    return SCREE_OK;
}

static scree_status read_attributes(reader *r, scree_xml *node) {
    const char *key[ATTRIBUTES_MOST], *value[ATTRIBUTES_MOST];
    int count = 0;
    for (skip_space(r); r->at < r->end && *r->at != '>' && *r->at != '/'; skip_space(r)) {
        if (count == ATTRIBUTES_MOST) return FAIL(r, "more than %d attributes", ATTRIBUTES_MOST);
        scree_status status = read_name(r, &key[count]);
        skip_space(r);
        if (!status && (r->at >= r->end || *r->at++ != '=')) status = FAIL(r, "expected =");
        skip_space(r);
        if (!status) status = read_value(r, &value[count]);
        if (status) return status;
        count++;
    }
    node->attributes = count;
    node->key = SCREE_NEW(r->arena, const char *, count);
    node->value = SCREE_NEW(r->arena, const char *, count);
    if (!node->key || !node->value) return no_memory(r);
    if (count) {
        memcpy(node->key, key, (size_t)count * sizeof *key);
        memcpy(node->value, value, (size_t)count * sizeof *value);
    }
    return SCREE_OK;
}

// behind <: an element that begins; *open: it has content
static scree_status begin_element(reader *r, scree_xml *parent, scree_xml **made, bool *open) {
    scree_xml *node = SCREE_NEW(r->arena, scree_xml, 1);
    if (!node) return no_memory(r);
    node->line = line_of(r);
    node->parent = parent;
    scree_status status = read_name(r, &node->name);
    if (!status) status = read_attributes(r, node);
    if (status) return status;
    *open = !begins(r, "/>");
    if (*open && !begins(r, ">")) return FAIL(r, "element \"%s\" has no end", node->name);
    r->at += *open ? 1 : 2;
    if (parent && parent->last) parent->last->next = node;
    if (parent && !parent->first) parent->first = node;
    if (parent) parent->last = node;
    *made = node;
    return SCREE_OK;
}

static scree_status end_element(reader *r, scree_xml **at) {
    const char *name;
    scree_status status = read_name(r, &name);
    if (status) return status;
    if (!*at || strcmp((*at)->name, name) != 0)
        return FAIL(r, "</%s> ends no element that is open%s%s", name, *at ? ", expected </" : "",
                    *at ? (*at)->name : "");
    *at = (*at)->parent;
    return skip_past(r, ">");
}

static scree_status read_all(reader *r, scree_xml **root) {
    scree_xml *at = NULL;
    int depth = 0;
    while (true) {
        const char *next = strchr(r->at, '<');
        if (!next) break;
        r->at = next;
        scree_status status = SCREE_OK;
        bool open = false;
        if (begins(r, "<!--")) {
            status = skip_past(r, "-->");
        } else if (begins(r, "<![CDATA[")) {
            status = skip_past(r, "]]>");
        } else if (begins(r, "<?")) {
            status = skip_past(r, "?>");
        } else if (begins(r, "<!")) {
            status = FAIL(r, "document types are not read");
        } else if (begins(r, "</")) {
            r->at += 2;
            status = end_element(r, &at);
            depth--;
        } else {
            scree_xml *made = NULL;
            if (*root && !at) return FAIL(r, "a second element at the top");
            r->at++;
            status = begin_element(r, at, &made, &open);
            if (!*root) *root = made;
            if (open) at = made;
            depth += open;
        }
        if (!status && depth > DEPTH_MOST) status = FAIL(r, "elements lie too deep");
        if (status) return status;
    }
    if (at) return FAIL(r, "element \"%s\" of line %d has no end", at->name, at->line);
    return *root ? SCREE_OK : FAIL(r, "there is no element in this file");
}

scree_status scree_xml_read(const char *path, scree_arena *arena, scree_xml **root,
                            scree_error *err) {
    char *text = NULL;
    size_t size = 0;
    *root = NULL;
    scree_status status = scree_file_text(path, SCREE_FILE_BYTES_MOST, &text, &size, err);
    reader r = { path, text, text + size, text, 1, arena, err };
    if (!status && strlen(text) != size) status = FAIL(&r, "this is no text");
    if (!status) status = read_all(&r, root);
    free(text);
    return status;
}

const char *scree_xml_get(const scree_xml *node, const char *key) {
    for (int i = 0; node && i < node->attributes; i++)
        if (strcmp(node->key[i], key) == 0) return node->value[i];
    return NULL;
}

int scree_xml_numbers(const scree_xml *node, const char *key, int most, double *out) {
    const char *text = scree_xml_get(node, key);
    locale_t plain = text ? newlocale(LC_ALL_MASK, "C", (locale_t)0) : (locale_t)0;
    double value[16];
    int count = 0;
    bool fine = !text || plain;
    while (fine && text && *(text += strspn(text, " \t\r\n,"))) {
        char *end;
        double x = strtod_l(text, &end, plain);
        fine = end != text && isfinite(x) && count < most && count < 16;
        if (fine) value[count++] = x;
        text = end;
    }
    if (plain) freelocale(plain);
    if (fine && count) memcpy(out, value, (size_t)count * sizeof *out);
    return fine ? count : -1;
}

double scree_xml_number(const scree_xml *node, const char *key, double otherwise) {
    double value;
    return scree_xml_numbers(node, key, 1, &value) == 1 ? value : otherwise;
}

scree_xml *scree_xml_next(const scree_xml *node, const char *name) {
    scree_xml *next = node ? node->next : NULL;
    while (next && strcmp(next->name, name) != 0) next = next->next;
    return next;
}

scree_xml *scree_xml_child(const scree_xml *node, const char *name) {
    scree_xml *first = node ? node->first : NULL;
    return !first || strcmp(first->name, name) == 0 ? first : scree_xml_next(first, name);
}
