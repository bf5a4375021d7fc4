// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// start_text.c - a start <-> text.
//
//     scree start 1
//     PARTS CONTACTS h
//     KIND LENGTH NAME COORDINATES DOFS q ... v ...
//     PART SHAPE PIECE  PART SHAPE PIECE  FEATURE STATUS  normal  impulse
//
// Numbers are hexadecimal, so that none is rounded. The text comes from files: whoever reads it
// takes it for an enemy's.

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/start.h"

static const char head[] = "scree start 1\n";

static void put_numbers(FILE *out, const double *number, int count) {
    for (int i = 0; i < count; i++) fprintf(out, " %a", number[i]);
}

char *scree_start_text_write(const scree_start *start, size_t *length) {
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    if (!out) return NULL;
    fprintf(out, "%s%d %d %a\n", head, start->parts, start->contacts, start->step);
    for (int i = 0; i < start->parts; i++) {
        const scree_start_part *part = &start->part[i];
        fprintf(out, "%c %zu %s %d %d", part->kind, strlen(part->name), part->name,
                part->coordinates, part->dofs);
        put_numbers(out, part->q, part->coordinates);
        put_numbers(out, part->v, part->dofs);
        fputc('\n', out);
    }
    for (int i = 0; i < start->contacts; i++) {
        const scree_start_contact *contact = &start->contact[i];
        for (int k = 0; k < 2; k++)
            fprintf(out, "%d %d %d ", contact->part[k], contact->shape[k], contact->piece[k]);
        fprintf(out, "%llu %d", (unsigned long long)contact->feature, contact->status);
        put_numbers(out, contact->normal, 3);
        put_numbers(out, contact->impulse, SCREE_ROWS_MAX);
        fputc('\n', out);
    }
    bool failed = ferror(out);
    if (fclose(out) || failed) {
        free(text);
        return NULL;
    }
    return text;
}

typedef struct cursor {
    const char *at, *end;  // a zero stands at the end
    scree_arena *arena;
    bool broken;
} cursor;

static unsigned long long get_integer(cursor *c, unsigned long long most) {
    char *end;
    while (isspace((unsigned char)*c->at)) c->at++;
    unsigned long long value = strtoull(c->at, &end, 10);
    if (!isdigit((unsigned char)*c->at) || value > most) c->broken = true;
    c->at = end;
    return c->broken ? 0 : value;
}

static int get_count(cursor *c, int most) {
    return (int)get_integer(c, (unsigned long long)(most < 0 ? 0 : most));
}

static void get_numbers(cursor *c, int count, double *number) {
    for (int i = 0; i < count && !c->broken; i++) {
        char *end;
        number[i] = strtod(c->at, &end);
        if (end == c->at || !isfinite(number[i])) c->broken = true;
        c->at = end;
    }
}

// as many as the text may still hold: a number takes two bytes at least
static double *get_vector(cursor *c, int count) {
    bool fits = count <= (c->end - c->at) / 2;
    double *number = fits ? SCREE_NEW(c->arena, double, count) : NULL;
    if (!number) c->broken = true;
    get_numbers(c, count, number);
    return number;
}

static const char *get_name(cursor *c) {
    int length = get_count(c, INT_MAX);
    bool whole = !c->broken && length < c->end - c->at;
    const char *name = whole ? scree_arena_text(c->arena, c->at + 1, (size_t)length) : NULL;
    if (!name) c->broken = true;
    if (whole) c->at += length + 1;
    return name;
}

static void get_part(cursor *c, scree_start_part *part) {
    while (isspace((unsigned char)*c->at)) c->at++;
    int kind = *c->at;
    if (kind != SCREE_START_FIXED && kind != SCREE_START_RIGID && kind != SCREE_START_ELASTIC) {
        c->broken = true;
        return;
    }
    c->at++;
    part->kind = (scree_start_kind)kind;
    part->name = get_name(c);
    part->coordinates = get_count(c, INT_MAX / 2);
    part->dofs = get_count(c, INT_MAX / 2);
    if (c->broken) return;
    part->q = get_vector(c, part->coordinates);
    if (!c->broken) part->v = get_vector(c, part->dofs);
}

static void get_contact(cursor *c, int parts, scree_start_contact *contact) {
    for (int k = 0; k < 2; k++) {
        contact->part[k] = get_count(c, parts - 1);
        contact->shape[k] = get_count(c, INT_MAX);
        contact->piece[k] = get_count(c, INT_MAX);
    }
    contact->feature = get_integer(c, ((unsigned long long)1 << SCREE_ID_FEATURE_BITS) - 1);
    contact->status = get_count(c, SCREE_CONTACT_SLIP);
    get_numbers(c, 3, contact->normal);
    get_numbers(c, SCREE_ROWS_MAX, contact->impulse);
}

const scree_start *scree_start_text_parse(const char *text, size_t length, scree_arena *arena) {
    if (strncmp(text, head, sizeof head - 1) != 0) return NULL;
    cursor c = { text + sizeof head - 1, text + length, arena, false };
    int most = (int)fmin((double)length, INT_MAX);  // each takes a line
    scree_start *start = SCREE_NEW(arena, scree_start, 1);
    if (!start) return NULL;
    start->parts = get_count(&c, most);
    start->contacts = get_count(&c, most);
    get_numbers(&c, 1, &start->step);
    if (c.broken || !(start->step > 0)) return NULL;
    start->part = SCREE_NEW(arena, scree_start_part, start->parts);
    start->contact = SCREE_NEW(arena, scree_start_contact, start->contacts);
    if (!start->part || !start->contact) return NULL;
    for (int i = 0; i < start->parts && !c.broken; i++) get_part(&c, &start->part[i]);
    for (int i = 0; i < start->contacts && !c.broken; i++)
        get_contact(&c, start->parts, &start->contact[i]);
    return c.broken ? NULL : start;
}
