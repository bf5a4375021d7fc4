// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// names.c - what a name in a scene stands for: a body, rigid or elastic, a group, a body of a
// generator.
// in: bodies and generators as read.   out: scene->word, sorted, and scene->group.
//
// Generated bodies are not in the table: name-17 is body 17 of the generator called name.

#include <stdlib.h>
#include <string.h>

#include "base/suggestion.h"
#include "scene/scene.h"

bool scree_names_have(const char *const *names, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0) return true;
    return false;
}

enum { NEAR_MAX = 256 };  // candidates of "did you mean"

static int compare_words(const void *a, const void *b) {
    const scree_word *x = a, *y = b;
    int order = strcmp(x->text, y->text);
    if (order) return order;
    if (x->kind != y->kind) return x->kind < y->kind ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static void add_word(scree_scene *scene, const char *text, scree_named kind, int number,
                     const scree_section *section, const char *key) {
    if (text)
        scene->word[scene->words++] =
            (scree_word){ text, kind, number, scree_scene_place(section, key) };
}

static void gather(scree_scene *scene) {
    scree_scene_body *body = scene->top.bodies.item;
    for (int i = 0; i < scene->top.bodies.count; i++) {
        add_word(scene, body[i].name, SCREE_NAMED_BODY, i, &body[i].section, "name");
        add_word(scene, body[i].group, SCREE_NAMED_GROUP, 0, &body[i].section, "group");
    }
    scree_scene_generator *generator = scene->top.generate.item;
    for (int i = 0; i < scene->top.generate.count; i++) {
        const scree_section *section = &generator[i].section, *inner = &generator[i].body.section;
        const char *own = generator[i].body.group;
        add_word(scene, generator[i].name, SCREE_NAMED_GENERATED, i, section, "name");
        add_word(scene, own ? own : generator[i].name, SCREE_NAMED_GROUP, 0, own ? inner : section,
                 own ? "group" : "name");
    }
    scree_scene_elastic *elastic = scene->top.elastic.item;
    for (int i = 0; i < scene->top.elastic.count; i++) {
        add_word(scene, elastic[i].name, SCREE_NAMED_ELASTIC, i, &elastic[i].section, "name");
        add_word(scene, elastic[i].group, SCREE_NAMED_GROUP, 0, &elastic[i].section, "group");
    }
    if (scene->words > 1)
        qsort(scene->word, (size_t)scene->words, sizeof *scene->word, compare_words);
}

// groups are numbered in the order of their names; the others of the same name are dropped
static void number_groups(scree_scene *scene) {
    int kept = 0;
    for (int i = 0; i < scene->words; i++) {
        scree_word word = scene->word[i];
        const scree_word *last = kept ? &scene->word[kept - 1] : NULL;
        if (word.kind == SCREE_NAMED_GROUP) {
            if (last && last->kind == SCREE_NAMED_GROUP && strcmp(last->text, word.text) == 0)
                continue;
            word.number = ++scene->groups;
            scene->group[word.number] = word.text;
        }
        scene->word[kept++] = word;
    }
    scene->words = kept;
}

// the first word of this text, or NULL; length bytes of text are looked at
static const scree_word *find_word(const scree_scene *scene, const char *text, size_t length) {
    int low = 0, high = scene->words;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const char *word = scene->word[middle].text;
        int order = strncmp(word, text, length);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    // longer words of the same beginning follow the one that is meant
    if (low == scene->words || strncmp(scene->word[low].text, text, length) != 0) return NULL;
    return scene->word[low].text[length] ? NULL : &scene->word[low];
}

// name-17 of a generator called name
static scree_meaning find_generated(const scree_scene *scene, const char *name) {
    scree_meaning nothing = { SCREE_NAMED_NOTHING, 0, 0 };
    const char *dash = strrchr(name, '-');
    if (!dash || dash[1] < '1' || dash[1] > '9') return nothing;
    char *end;
    long which = strtol(dash + 1, &end, 10);
    const scree_word *word = find_word(scene, name, (size_t)(dash - name)), *last = word;
    const scree_word *all = scene->word + scene->words;
    for (; last && last < all && strcmp(last->text, word->text) == 0; last++) {
        if (*end || last->kind != SCREE_NAMED_GENERATED) continue;
        const scree_scene_generator *generator = scene->top.generate.item;
        if (which <= scree_scene_generated(&generator[last->number]))
            return (scree_meaning){ SCREE_NAMED_GENERATED, last->number, (int)which };
    }
    return nothing;
}

scree_meaning scree_names_find(const scree_scene *scene, const char *name) {
    if (strcmp(name, "any") == 0) return (scree_meaning){ SCREE_NAMED_ANY, 0, 0 };
    const scree_word *word = find_word(scene, name, strlen(name));
    // bodies and groups stand before a generator of the same name
    if (word && word->kind != SCREE_NAMED_GENERATED)
        return (scree_meaning){ word->kind, word->number, 0 };
    return find_generated(scene, name);
}

int scree_names_group(const scree_scene *scene, const char *name) {
    const scree_word *word = name ? find_word(scene, name, strlen(name)) : NULL;
    const scree_word *all = scene->word + scene->words;
    for (const scree_word *next = word; next && next < all; next++) {
        if (strcmp(next->text, name) != 0) break;
        if (next->kind == SCREE_NAMED_GROUP) return next->number;
    }
    return 0;
}

const char *scree_names_near(const scree_scene *scene, const char *name) {
    const char *known[NEAR_MAX];
    int count = 0;
    for (int i = 0; i < scene->words && count < NEAR_MAX; i++)
        if (scene->word[i].kind != SCREE_NAMED_GENERATED) known[count++] = scene->word[i].text;
    return scree_suggestion(name, known, count);
}

static bool is_body(scree_named kind) {
    return kind == SCREE_NAMED_BODY || kind == SCREE_NAMED_ELASTIC;
}

static const char *kind_name(scree_named kind) {
    return is_body(kind) ? "a body" : kind == SCREE_NAMED_GROUP ? "a group" : "bodies";
}

static void check_word(const scree_scene *scene, const scree_word *word, scree_findings *findings) {
    const scree_scene_generator *generator = scene->top.generate.item;
    bool made = word->kind == SCREE_NAMED_GENERATED;
    // a generator's name is the name of its group too, which is looked at for itself
    bool twice = made && !generator[word->number].body.group;
    if (!twice && (!*word->text || strcmp(word->text, "any") == 0))
        scree_findings_add(findings, word->at, "%s cannot be called \"%s\"", kind_name(word->kind),
                           word->text);
    scree_meaning meaning = find_generated(scene, word->text);
    if (!made && meaning.kind == SCREE_NAMED_GENERATED)
        scree_findings_add(findings, word->at,
                           "%s cannot be called \"%s\", which the generator in line %d makes",
                           kind_name(word->kind), word->text,
                           scree_scene_place(&generator[meaning.number].section, "name").line);
}

// two words with one text: is it one too many?
static void check_pair(const scree_word *a, const scree_word *b, scree_findings *findings) {
    bool later =
        b->at.line > a->at.line || (b->at.line == a->at.line && b->at.column > a->at.column);
    scree_source_location at = later ? b->at : a->at, first = later ? a->at : b->at;
    if (is_body(a->kind) && is_body(b->kind))
        scree_findings_add(findings, at, "body \"%s\" is there already, in line %d", a->text,
                           first.line);
    else if (a->kind == SCREE_NAMED_GENERATED && b->kind == SCREE_NAMED_GENERATED)
        scree_findings_add(findings, at, "bodies called \"%s\" are generated already, in line %d",
                           a->text, first.line);
    else if (is_body(a->kind) && b->kind == SCREE_NAMED_GROUP)
        scree_findings_add(findings, at,
                           "\"%s\" is a body and a group (line %d): laws could not tell them apart",
                           a->text, first.line);
}

void scree_names_collect(scree_scene *scene, scree_findings *findings) {
    int most = scene->top.bodies.count + scene->top.generate.count + scene->top.elastic.count;
    scene->word = SCREE_NEW(&scene->arena, scree_word, 2 * (size_t)most);
    scene->group = SCREE_NEW(&scene->arena, const char *, (size_t)most + 1);
    if (!scene->word || !scene->group) {
        scree_findings_no_memory(findings);
        return;
    }
    gather(scene);
    number_groups(scene);
    for (int i = 0; i < scene->words; i++) {
        const scree_word *word = &scene->word[i];
        check_word(scene, word, findings);
        if (i > 0 && strcmp(word->text, word[-1].text) == 0) check_pair(word - 1, word, findings);
    }
}

scree_source_location scree_scene_body_place(const scree_scene *scene, int body) {
    const scree_scene_body *given = scene->top.bodies.item;
    if (body < scene->top.bodies.count) return scree_scene_place(&given[body].section, "position");
    body -= scene->top.bodies.count;
    const scree_scene_generator *generator = scene->top.generate.item;
    int i = 0;
    while (i < scene->top.generate.count && body >= scree_scene_generated(&generator[i]))
        body -= scree_scene_generated(&generator[i++]);
    if (i < scene->top.generate.count) return scree_scene_place(&generator[i].section, "name");
    const scree_scene_elastic *elastic = scene->top.elastic.item;
    return body < scene->top.elastic.count ? scree_scene_place(&elastic[body].section, "mesh")
                                           : SCREE_NOWHERE;
}

int64_t scree_scene_bodies(const scree_scene *scene) {
    const scree_scene_generator *generator = scene->top.generate.item;
    int64_t sum = scene->top.bodies.count;
    for (int i = 0; i < scene->top.generate.count; i++) {
        int made = scree_scene_generated(&generator[i]);
        sum += made > 0 ? made : 0;
    }
    return sum;
}

static double cells_of(const scree_list *cells) {
    double product = 1;
    for (int k = 0; k < cells->count; k++) product *= ((const double *)cells->item)[k];
    return cells->count ? product : 0;
}

double scree_scene_cells(const scree_scene *scene) {
    const scree_scene_elastic *elastic = scene->top.elastic.item;
    double sum = 0;
    for (int i = 0; i < scene->top.elastic.count; i++) {
        const scree_scene_mesh *mesh = &elastic[i].mesh;
        double across = mesh->disc.section.node ? mesh->disc.cells : 0;
        sum += cells_of(&mesh->rectangle.cells) + cells_of(&mesh->box.cells) + across * across;
    }
    return sum;
}

static bool has_file(const scree_scene_body *body) {
    const scree_scene_shape *shape = body->shapes.item;
    for (int i = 0; i < body->shapes.count; i++)
        if (shape[i].file) return true;
    return false;
}

bool scree_scene_needs_files(const scree_scene *scene) {
    const scree_scene_elastic *elastic = scene->top.elastic.item;
    const scree_scene_body *body = scene->top.bodies.item;
    const scree_scene_generator *generator = scene->top.generate.item;
    for (int i = 0; i < scene->top.elastic.count; i++)
        if (elastic[i].mesh.file || elastic[i].mesh.geo) return true;
    for (int i = 0; i < scene->top.bodies.count; i++)
        if (has_file(&body[i])) return true;
    for (int i = 0; i < scene->top.generate.count; i++)
        if (has_file(&generator[i].body)) return true;
    return false;
}

bool scree_names_valid(const char *name) {
    static const char *const taken[] = { "t", "pi", "auto", NULL };
    if (!(*name == '_' || (*name >= 'a' && *name <= 'z') || (*name >= 'A' && *name <= 'Z')))
        return false;
    if (name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")])
        return false;
    for (int i = 0; taken[i]; i++)
        if (strcmp(name, taken[i]) == 0) return false;
    return true;
}
