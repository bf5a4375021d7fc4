// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// bisection.c - where along a parameter a kind changes.
// in: kinds at values in order, a function that tells the kind at any.   out: critical values.
//
// A kind that holds at a single value (mu = KT/|W|) holds within the tolerance of it, which halving
// meets.

#include <math.h>

#include "study/study.h"

enum { HALVINGS = 60 };

static const double SAME = 1e-9;  // of the distance of neighbours: changes that are one

typedef struct search {
    scree_kind_at *kind_at;
    void *data;
    double width;  // of two neighbours
    scree_critical *critical;
    int criticals;
} search;

typedef struct bracket {  // two values of different kinds
    double low, high;
    int below, above;
} bracket;

// until no number is left in between
static scree_status halve(const search *s, bracket *b, scree_error *err) {
    for (int k = 0; k < HALVINGS; k++) {
        double middle = b->low + (b->high - b->low) / 2;
        int kind;
        if (middle == b->low || middle == b->high) break;
        scree_status status = s->kind_at(s->data, middle, &kind, err);
        if (status) return status;
        if (kind == b->below) {
            b->low = middle;
        } else {
            b->high = middle;
            b->above = kind;
        }
    }
    return SCREE_OK;
}

static void add(search *s, const bracket *b) {
    double value = b->low + (b->high - b->low) / 2;
    scree_critical *last = s->criticals ? &s->critical[s->criticals - 1] : NULL;
    if (last && fabs(value - last->value) <= SAME * fabs(s->width)) {
        last->at = last->above;
        last->above = b->above;
        last->value += (value - last->value) / 2;
    } else {
        s->critical[s->criticals++] = (scree_critical){ value, b->below, -1, b->above };
    }
}

// all changes between two neighbours that halving meets
static scree_status find_between(search *s, const double value[2], const int kind[2],
                                 scree_error *err) {
    bracket b = { .high = value[0], .above = kind[0] };
    for (int k = 0; k < SCREE_CHANGES && b.above != kind[1]; k++) {
        b = (bracket){ b.high, value[1], b.above, kind[1] };
        scree_status status = halve(s, &b, err);
        if (status) return status;
        add(s, &b);
    }
    return SCREE_OK;
}

scree_status scree_bisection_find(scree_kind_at *kind_at, void *data, const double *value,
                                  const int *kind, int count, scree_critical *critical,
                                  int *criticals, scree_error *err) {
    search s = { kind_at, data, count > 1 ? value[1] - value[0] : 0, critical, 0 };
    scree_status status = SCREE_OK;
    for (int i = 0; !status && i + 1 < count; i++)
        status = find_between(&s, value + i, kind + i, err);
    *criticals = s.criticals;
    return status;
}
