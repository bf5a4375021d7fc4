// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// scene_case.h - short scenes for tests: a model of a text, or the one finding that it must give.
//
// The place of the finding is marked by ^ in the text, which is taken out before it is read.

#ifndef SCREE_TEST_SCENE_CASE_H
#define SCREE_TEST_SCENE_CASE_H

#include <stdlib.h>

#include "harness.h"
#include "scree/scree.h"

typedef struct scene_case {
    scree_scene *scene;
    scree_model *model;
    scree_findings findings;
} scene_case;

static inline scene_case open_case(const char *text) {
    scene_case c = { 0 };
    c.scene = scree_scene_parse("scene", text, strlen(text), NULL, 0, &c.findings);
    if (c.scene && !c.findings.count) c.model = scree_model_from_scene(c.scene, &c.findings);
    return c;
}

static inline void close_case(scene_case *c) {
    scree_model_free(c->model);
    scree_scene_free(c->scene);
    scree_findings_free(&c->findings);
}

/// A scene of bodies in the plane or in space around the text; NULL model and a complaint if it is
/// refused.
static inline scene_case taken(int space, const char *text) {
    char whole[8000];
    snprintf(whole, sizeof whole, "space: %d\nscheme: {step: 1, duration: 1}\n%s", space, text);
    scene_case c = open_case(whole);
    for (int i = 0; i < c.findings.count; i++)
        COMPLAIN("%d:%d: %s\nin %s", c.findings.item[i].line, c.findings.item[i].column,
                 c.findings.item[i].text, text);
    if (!c.model && !c.findings.count) COMPLAIN("no model of %s", text);
    return c;
}

/// Takes the mark out; line and column are those of what stood behind it.
static inline void take_mark(char *text, int *line, int *column) {
    *line = *column = 1;
    char *mark = strchr(text, '^');
    for (char *c = text; mark && c < mark; c++) {
        *column = *c == '\n' ? 1 : *column + 1;
        *line += *c == '\n';
    }
    if (mark)
        memmove(mark, mark + 1, strlen(mark));
    else
        COMPLAIN("no place is marked in %s", text);
}

/// The scene must give this finding and no other, at the marked place.
static inline void refused(int space, const char *text, const char *message) {
    char whole[8000];
    int line, column;
    snprintf(whole, sizeof whole, "space: %d\nscheme: {step: 1, duration: 1}\n%s", space, text);
    take_mark(whole, &line, &column);
    scene_case c = open_case(whole);
    const scree_error *found = c.findings.item;
    if (c.findings.count != 1) COMPLAIN("%d findings in %s", c.findings.count, text);
    for (int i = 1; i < c.findings.count; i++)
        COMPLAIN("%d:%d: %s", found[i].line, found[i].column, found[i].text);
    if (c.findings.count &&
        (found->line != line || found->column != column || strcmp(found->text, message) != 0))
        COMPLAIN("%d:%d: %s\nexpected %d:%d: %s\nin %s", found->line, found->column, found->text,
                 line, column, message, text);
    CHECK(!c.model);
    close_case(&c);
}

#endif
