// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// draft.c - records of bodies, laws, joints and drives -> the text of a scene.
// in: records.   out: YAML that scree_scene_parse reads, and sentences about what is missing.

#include "import/draft.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTES_MOST = 200, NAME_MOST = 200, WIDTH = 100 };

// ---- text that grows

static bool make_room(scree_draft_text *out, size_t more) {
    if (out->failed) return false;
    if (out->length + more + 1 <= out->room) return true;
    size_t room = 2 * (out->length + more + 1) + 256;
    char *text = realloc(out->text, room);
    out->failed = !text;
    if (!text) return false;
    out->text = text;
    out->room = room;
    return true;
}

static void print_list(scree_draft_text *out, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0 || !make_room(out, (size_t)length)) return;
    vsnprintf(out->text + out->length, (size_t)length + 1, format, args);
    out->length += (size_t)length;
}

void scree_draft_print(scree_draft_text *out, const char *format, ...) {
    va_list args;
    va_start(args, format);
    print_list(out, format, args);
    va_end(args);
}

// bytes of the character of UTF-8 that begins here, 0: none that scenes may have
static int bytes_of(const unsigned char *c) {
    int more = *c < 0x80 ? 0 : *c < 0xC2 ? -1 : *c < 0xE0 ? 1 : *c < 0xF0 ? 2 : *c < 0xF5 ? 3 : -1;
    for (int k = 1; k <= more; k++)
        if ((c[k] & 0xC0) != 0x80) return 0;
    bool control = *c < ' ' || *c == 0x7F || (*c == 0xC2 && c[1] < 0xA0);
    bool too_long = (*c == 0xE0 && c[1] < 0xA0) || (*c == 0xF0 && c[1] < 0x90);
    bool no_text = (*c == 0xED && c[1] >= 0xA0) || (*c == 0xF4 && c[1] >= 0x90) ||
                   (*c == 0xEF && c[1] == 0xBF && c[2] >= 0xBE);
    return control || too_long || no_text ? 0 : more + 1;
}

// what is no text becomes question marks
static void make_readable(char *text) {
    for (unsigned char *c = (unsigned char *)text; *c;) {
        int bytes = bytes_of(c);
        if (!bytes) *c = '?';
        c += bytes ? bytes : 1;
    }
}

void scree_draft_quote(scree_draft_text *out, const char *text) {
    scree_draft_text clean = { 0 };
    scree_draft_print(&clean, "%s", text);
    if (clean.failed) {
        out->failed = true;
        return;
    }
    make_readable(clean.text);
    scree_draft_print(out, "\"");
    for (const char *c = clean.text; *c; c++)
        scree_draft_print(out, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
    scree_draft_print(out, "\"");
    free(clean.text);
}

// the shortest of 6, 15 and 17 digits that is the same number
static void put_number(scree_draft_text *out, double x) {
    char text[40];
    static const int digits[] = { 6, 15, 17 };
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "%.*g", digits[i], x == 0 ? 0 : x);
        if (strtod(text, NULL) == x) break;
    }
    // a comma is the decimal point in some places, never in scenes
    for (char *c = text; *c; c++)
        if (*c == ',') *c = '.';
    scree_draft_print(out, "%s", text);
}

static void put_numbers(scree_draft_text *out, const double *x, int count) {
    scree_draft_print(out, "[");
    for (int i = 0; i < count; i++) {
        if (i) scree_draft_print(out, ", ");
        put_number(out, x[i]);
    }
    scree_draft_print(out, "]");
}

static void put_key(scree_draft_text *out, const char *key, double x) {
    scree_draft_print(out, ", %s: ", key);
    put_number(out, x);
}

static void put_list(scree_draft_text *out, const char *key, const double *x, int count) {
    scree_draft_print(out, ", %s: ", key);
    put_numbers(out, x, count);
}

static void put_name(scree_draft_text *out, const char *key, const char *name) {
    scree_draft_print(out, ", %s: ", key);
    scree_draft_quote(out, name);
}

// ---- what is said about it

scree_status scree_draft_no_memory(const scree_draft *draft) {
    return scree_fail(draft->err, SCREE_NO_MEMORY, (scree_source_location){ draft->path, 0, 0 },
                      "out of memory for this scene");
}

void scree_draft_fail(scree_draft *draft) { draft->body.failed = true; }

void scree_draft_note(scree_draft *draft, const char *format, ...) {
    scree_draft_text said = { 0 };
    va_list args;
    va_start(args, format);
    print_list(&said, format, args);
    va_end(args);
    bool known = said.failed;
    for (int i = 0; i < draft->notes && !known; i++) known = strcmp(draft->note[i], said.text) == 0;
    if (!known && draft->notes == draft->room_notes && draft->notes < NOTES_MOST) {
        int room = draft->room_notes ? 2 * draft->room_notes : 16;
        char **note = realloc(draft->note, (size_t)room * sizeof *note);
        if (!note) scree_draft_fail(draft);
        if (note) draft->note = note;
        if (note) draft->room_notes = room;
    }
    if (known || draft->notes == draft->room_notes || draft->notes >= NOTES_MOST) {
        draft->more_notes += !known;
        if (said.failed) scree_draft_fail(draft);
        free(said.text);
        return;
    }
    make_readable(said.text);  // a line of comment must stay one
    draft->note[draft->notes++] = said.text;
}

double scree_draft_choose(double option, double file, double otherwise) {
    return !isnan(option) ? option : !isnan(file) ? file : otherwise;
}

void scree_draft_choose_rest(scree_draft *draft, const char *whom, double step, double friction) {
    const scree_import_options *o = draft->options;
    for (int k = 0; k < 3; k++)
        draft->gravity[k] =
            scree_draft_choose(o->gravity[k], NAN, k == draft->space - 1 ? -9.81 : 0);
    draft->step = scree_draft_choose(o->step, step, 1e-3);
    draft->duration = scree_draft_choose(o->duration, NAN, 1);
    const scree_draft_law law = { "any",
                                  whom,
                                  scree_draft_choose(o->restitution, NAN, 0),
                                  scree_draft_choose(o->friction, friction, 0.5),
                                  0,
                                  false };
    scree_draft_add_law(draft, &law);
    if (isnan(o->friction) && isnan(friction))
        scree_draft_note(draft, "friction, which the file does not give, is %g (--friction)",
                         law.friction);
}

// ---- names

// where the name is, or would be, in the table (open addressing)
static int place_of(const scree_draft *draft, const char *name) {
    uint64_t hash = 1469598103934665603u;
    for (const unsigned char *c = (const unsigned char *)name; *c; c++)
        hash = (hash ^ *c) * 1099511628211u;
    int at = (int)(hash & (uint64_t)(draft->room_names - 1));
    while (draft->name[at] && strcmp(draft->name[at], name) != 0)
        at = (at + 1) & (draft->room_names - 1);
    return at;
}

static bool make_room_for_name(scree_draft *draft) {
    if (2 * draft->names < draft->room_names) return true;
    int room = draft->room_names ? 2 * draft->room_names : 64, old_room = draft->room_names;
    char **old = draft->name, **list = calloc((size_t)room, sizeof *list);
    if (!list) return false;
    draft->name = list;
    draft->room_names = room;
    for (int i = 0; i < old_room; i++)
        if (old[i]) list[place_of(draft, old[i])] = old[i];
    free(old);
    return true;
}

static bool is_taken(const scree_draft *draft, const char *name) {
    return !*name || strcmp(name, "any") == 0 || draft->name[place_of(draft, name)];
}

const char *scree_draft_name(scree_draft *draft, const char *wanted) {
    char name[NAME_MOST + 16];
    snprintf(name, sizeof name, "%.*s", NAME_MOST, *wanted ? wanted : "body");
    make_readable(name);
    size_t stem = strlen(name);
    if (!make_room_for_name(draft)) return NULL;
    for (int k = 2; is_taken(draft, name); k++) snprintf(name + stem, sizeof name - stem, "_%d", k);
    if (strcmp(name, wanted) != 0)
        scree_draft_note(draft, "body \"%.200s\" is called \"%s\"", wanted, name);
    char *kept = scree_arena_text(&draft->arena, name, strlen(name));
    if (!kept) return NULL;
    draft->name[place_of(draft, kept)] = kept;
    draft->names++;
    return kept;
}

// ---- bodies

static bool is_set(const double *x, int count) {
    for (int i = 0; i < count; i++)
        if (x[i] != 0) return true;
    return false;
}

static void put_rows(scree_draft_text *out, const char *key, const double *x, int rows,
                     int columns) {
    scree_draft_print(out, ",\n         %s: [", key);
    size_t start = out->length;
    for (int i = 0; i < rows; i++) {
        if (i) scree_draft_print(out, ", ");
        if (out->length - start > WIDTH) {
            scree_draft_print(out, "\n           ");
            start = out->length;
        }
        put_numbers(out, x + (size_t)i * (size_t)columns, columns);
    }
    scree_draft_print(out, "]");
}

// angle and axis of a quaternion; scenes turn shapes by these
static void put_turn(scree_draft_text *out, const double turn[4], int space) {
    double sine = sqrt(turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
    double angle = 2 * atan2(sine, turn[0]);
    if (sine == 0 || !is_set(turn, 4)) return;
    if (space == 2) {
        put_key(out, "angle", 2 * atan2(turn[3], turn[0]));
        return;
    }
    put_key(out, "angle", angle);
    put_list(out, "axis", turn + 1, 3);
}

static void put_shape(scree_draft_text *out, const scree_draft_shape *s, int space) {
    scree_draft_print(out, "\n      - {type: %s", s->type);
    if (is_set(s->at, space)) put_list(out, "at", s->at, space);
    put_turn(out, s->turn, space);
    if (is_set(s->size, 3)) put_list(out, "size", s->size, s->rows ? 2 : space);
    if (s->length > 0) put_key(out, "length", s->length);
    if (s->radius > 0) put_key(out, "radius", s->radius);
    if (is_set(s->normal, space)) put_list(out, "normal", s->normal, space);
    if (s->vertices) put_rows(out, "vertices", s->vertex, s->vertices, space);
    if (s->rows) put_rows(out, "heights", s->height, s->rows, s->columns);
    if (s->triangles) {
        scree_draft_print(out, ",\n         triangles: [");
        for (int i = 0; i < s->triangles; i++)
            scree_draft_print(out, "%s[%d, %d, %d]",
                              !i      ? ""
                              : i % 8 ? ", "
                                      : ",\n           ",
                              s->triangle[3 * i], s->triangle[3 * i + 1], s->triangle[3 * i + 2]);
        scree_draft_print(out, "]");
    }
    scree_draft_print(out, "}");
}

static void put_inertia(scree_draft_text *out, const double inertia[6], int space) {
    bool full = inertia[1] != 0 || inertia[2] != 0 || inertia[4] != 0;
    const double diagonal[3] = { inertia[0], inertia[3], inertia[5] };
    scree_draft_print(out, "\n    inertia: ");
    if (space == 2)
        put_number(out, inertia[0]);
    else
        put_numbers(out, full ? inertia : diagonal, full ? 6 : 3);
}

static void put_line(scree_draft_text *out, const char *key, const double *x, int count) {
    if (!is_set(x, count)) return;
    scree_draft_print(out, "\n    %s: ", key);
    if (count == 1)
        put_number(out, *x);
    else
        put_numbers(out, x, count);
}

void scree_draft_add_body(scree_draft *draft, const scree_draft_body *b) {
    scree_draft_text *out = &draft->body;
    int space = draft->space;
    bool turned = b->turn[1] != 0 || b->turn[2] != 0 || b->turn[3] != 0;
    scree_draft_print(out, "  - name: ");
    scree_draft_quote(out, b->name);
    if (b->group) {
        scree_draft_print(out, "\n    group: ");
        scree_draft_quote(out, b->group);
    }
    if (b->fixed) scree_draft_print(out, "\n    fixed: true");
    if (b->motion) scree_draft_print(out, "\n    motion: {%s}", b->motion);
    bool free_body = !b->fixed && !b->motion;
    if (free_body && b->mass > 0) {
        put_line(out, "mass", &b->mass, 1);
        put_inertia(out, b->inertia, space);
    } else if (free_body) {
        put_line(out, "density", &b->density, 1);
    }
    put_line(out, "position", b->position, space);
    if (space == 2)
        put_line(out, "angle", b->turn, 1);
    else if (turned)
        put_line(out, "orientation", b->turn, 4);
    if (free_body) put_line(out, "velocity", b->velocity, space);
    if (free_body) put_line(out, "spin", b->spin, space == 2 ? 1 : 3);
    if (b->born > 0) put_line(out, "born", &b->born, 1);
    if (b->removed > 0) put_line(out, "removed", &b->removed, 1);
    if (b->shapes) scree_draft_print(out, "\n    shapes:");
    for (int i = 0; i < b->shapes; i++) put_shape(out, &b->shape[i], space);
    scree_draft_print(out, "\n");
    draft->bodies++;
}

// ---- between bodies

void scree_draft_add_law(scree_draft *draft, const scree_draft_law *law) {
    scree_draft_text *out = &draft->law;
    scree_draft_print(out, "  - {between: [");
    scree_draft_quote(out, law->first);
    scree_draft_print(out, ", ");
    scree_draft_quote(out, law->second);
    scree_draft_print(out, "]");
    if (law->apart) {
        scree_draft_print(out, ", contact: false}\n");
        return;
    }
    put_key(out, "restitution", law->restitution);
    put_key(out, "friction", law->friction);
    if (law->rolling > 0) put_key(out, "rolling", law->rolling);
    scree_draft_print(out, "}\n");
}

void scree_draft_add_joint(scree_draft *draft, const scree_draft_joint *j) {
    scree_draft_text *out = &draft->joint;
    scree_draft_print(out, "  - {name: ");
    scree_draft_quote(out, j->name);
    bool coupler = strcmp(j->type, "coupler") == 0;
    scree_draft_print(out, ", type: %s, %s: [", j->type, coupler ? "joints" : "bodies");
    scree_draft_quote(out, j->first);
    if (j->second) {
        scree_draft_print(out, ", ");
        scree_draft_quote(out, j->second);
    }
    scree_draft_print(out, "]");
    if (coupler)
        put_key(out, "ratio", j->ratio);
    else
        put_list(out, "at", j->at, draft->space);
    if (is_set(j->axis, 3)) put_list(out, "axis", j->axis, draft->space);
    if (j->pitch != 0) put_key(out, "pitch", j->pitch);
    if (!isnan(j->lower)) put_key(out, "lower", j->lower);
    if (!isnan(j->upper)) put_key(out, "upper", j->upper);
    if (j->restitution > 0) put_key(out, "restitution", j->restitution);
    if (j->dry_friction > 0) put_key(out, "dry_friction", j->dry_friction);
    if (j->collide) scree_draft_print(out, ", collide: true");
    scree_draft_print(out, "}\n");
    draft->joints++;
}

static void begin_drive(scree_draft_text *out, const scree_draft_drive *drive) {
    scree_draft_print(out, "  - {name: ");
    scree_draft_quote(out, drive->name);
    put_name(out, "joint", drive->joint);
}

void scree_draft_add_spring(scree_draft *draft, const scree_draft_drive *spring) {
    scree_draft_text *out = &draft->spring;
    begin_drive(out, spring);
    if (spring->stiffness > 0) put_key(out, "stiffness", spring->stiffness);
    if (spring->damping > 0) put_key(out, "damping", spring->damping);
    if (spring->stiffness > 0 && !isnan(spring->rest)) put_key(out, "length", spring->rest);
    scree_draft_print(out, "}\n");
}

void scree_draft_add_motor(scree_draft *draft, const scree_draft_drive *motor) {
    scree_draft_text *out = &draft->motor;
    begin_drive(out, motor);
    put_name(out, motor->kind, motor->target);
    if (motor->stiffness > 0) put_key(out, "stiffness", motor->stiffness);
    if (motor->damping > 0) put_key(out, "damping", motor->damping);
    if (motor->limit > 0) put_key(out, "limit", motor->limit);
    scree_draft_print(out, "}\n");
}

// ---- the whole

static void put_section(scree_draft_text *out, const char *key, const scree_draft_text *section) {
    if (section->length) scree_draft_print(out, "%s:\n%s", key, section->text);
    out->failed |= section->failed;
}

static void put_head(scree_draft *draft, scree_draft_text *out) {
    const char *slash = strrchr(draft->path, '/');
    scree_draft_text name = { 0 };
    scree_draft_quote(&name, slash ? slash + 1 : draft->path);
    scree_draft_print(out, "# Made by scree import from %s, a file of %s.\n",
                      name.failed ? "" : name.text, draft->program);
    if (draft->notes) scree_draft_print(out, "# What to know, and what was not carried over:\n");
    for (int i = 0; i < draft->notes; i++) scree_draft_print(out, "# - %s\n", draft->note[i]);
    if (draft->more_notes) scree_draft_print(out, "# - and %d more\n", draft->more_notes);
    scree_draft_print(out, "title: %s\n", name.failed ? "\"\"" : name.text);
    out->failed |= name.failed;
    free(name.text);
}

scree_status scree_draft_finish(scree_draft *draft, scree_imported *imported) {
    scree_draft_text out = { 0 };
    if (!draft->bodies) {
        scree_draft_free(draft);
        return SCREE_DRAFT_FAIL(draft, "there is no body in this file");
    }
    put_head(draft, &out);
    if (draft->space == 3) scree_draft_print(&out, "space: 3\n");
    scree_draft_print(&out, "gravity: ");
    put_numbers(&out, draft->gravity, draft->space);
    scree_draft_print(&out, "\n");
    if (draft->overlaps) scree_draft_print(&out, "overlaps: accept\n");
    put_section(&out, "bodies", &draft->body);
    put_section(&out, "laws", &draft->law);
    put_section(&out, "joints", &draft->joint);
    put_section(&out, "springs", &draft->spring);
    put_section(&out, "motors", &draft->motor);
    scree_draft_print(&out, "scheme: {step: ");
    put_number(&out, draft->step);
    put_key(&out, "duration", draft->duration);
    scree_draft_print(&out, "%s}\n", draft->scheme ? draft->scheme : "");
    *imported = (scree_imported){ out.text,    out.length,    draft->notes,
                                  draft->note, draft->bodies, draft->joints };
    draft->note = NULL;
    draft->notes = 0;
    if (!out.failed) return SCREE_OK;
    scree_imported_free(imported);
    return scree_draft_no_memory(draft);
}

void scree_draft_free(scree_draft *draft) {
    scree_draft_text *all[] = { &draft->body, &draft->law, &draft->joint, &draft->spring,
                                &draft->motor };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        free(all[i]->text);
        *all[i] = (scree_draft_text){ 0 };
    }
    for (int i = 0; i < draft->notes; i++) free(draft->note[i]);
    free(draft->note);
    free(draft->name);
    draft->note = NULL;
    draft->name = NULL;
    draft->notes = draft->names = 0;
    scree_arena_free(&draft->arena);
}

void scree_imported_free(scree_imported *imported) {
    free(imported->scene);
    for (int i = 0; i < imported->notes; i++) free(imported->note[i]);
    free(imported->note);
    *imported = (scree_imported){ 0 };
}
