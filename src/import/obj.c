// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// obj.c - Wavefront OBJ with one body per object: stones of masonry, broken rock.
// in: v, f, o and g lines.   out: a draft with a polyhedron for each object.
//
// A scene's polyhedron is the hull of its vertices; an object that is not convex is said to be so.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "import/draft.h"
#include "import/formats.h"
#include "model/mesh_text.h"

enum { NAME_MOST = 160, CORNERS_MOST = 1024 };
static const double flat = 1e-6;  // of the size of an object: what is nearer is in one plane

typedef struct numbers {  // that grow
    double *item;
    int count, room;
} numbers;

typedef struct corners {
    int *item;
    int count, room;
} corners;

typedef struct reader {
    scree_draft *draft;
    scree_mesh_text in;
    numbers vertex;        // all of the file, rows of three
    corners face;          // of the object: count, then vertices
    corners used;          // vertices of the object, each once, in their order
    int *mark;             // of each vertex: which object used it last
    int marks, object;     // how many marks there are, number of the object
    char name[NAME_MOST];  // of the object
    bool objects;          // o lines name objects; otherwise g lines do
    double scale, density;
} reader;

static bool add_number(numbers *list, double x) {
    if (list->count == list->room) {
        int room = list->room ? 2 * list->room : 1024;
        double *grown = realloc(list->item, (size_t)room * sizeof *grown);
        if (!grown) return false;
        list->item = grown;
        list->room = room;
    }
    list->item[list->count++] = x;
    return true;
}

static bool add_corner(corners *list, int x) {
    if (list->count == list->room) {
        int room = list->room ? 2 * list->room : 1024;
        int *grown = realloc(list->item, (size_t)room * sizeof *grown);
        if (!grown) return false;
        list->item = grown;
        list->room = room;
    }
    list->item[list->count++] = x;
    return true;
}

// ---- an object becomes a body

// does a face have the whole object on its inner side?
static bool is_convex(const reader *r, const int *face, int count, double size) {
    const double *a = &r->vertex.item[3 * face[0]];
    double n[3] = { 0 };
    for (int k = 1; k + 1 < count; k++) {
        const double *b = &r->vertex.item[3 * face[k]], *c = &r->vertex.item[3 * face[k + 1]];
        for (int i = 0; i < 3; i++) {
            int j = (i + 1) % 3, l = (i + 2) % 3;
            n[i] += (b[j] - a[j]) * (c[l] - a[l]) - (b[l] - a[l]) * (c[j] - a[j]);
        }
    }
    double length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), most = 0, least = 0;
    for (int i = 0; i < r->used.count && length > 0; i++) {
        const double *x = &r->vertex.item[3 * r->used.item[i]];
        double out = (n[0] * (x[0] - a[0]) + n[1] * (x[1] - a[1]) + n[2] * (x[2] - a[2])) / length;
        most = fmax(most, out);
        least = fmin(least, out);
    }
    return most <= flat * size || least >= -flat * size;  // drawn either way round
}

static void check_convex(reader *r, double size) {
    for (int i = 0; i < r->face.count; i += 1 + r->face.item[i])
        if (!is_convex(r, &r->face.item[i + 1], r->face.item[i], size)) {
            scree_draft_note(r->draft, "object \"%s\" is not convex: its hull stands for it",
                             r->name);
            return;
        }
}

static bool is_listed(const char *names, const char *name) {
    for (const char *one = names; one && *one;) {
        size_t length = strcspn(one, ",");
        bool rest = length && one[length - 1] == '*';
        if (rest ? strncmp(one, name, length - 1) == 0
                 : strlen(name) == length && strncmp(one, name, length) == 0)
            return true;
        one += length + (one[length] == ',');
    }
    return false;
}

static scree_status end_object(reader *r) {
    if (!r->face.count) return SCREE_OK;
    double low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
    for (int i = 0; i < r->used.count; i++)
        for (int k = 0; k < 3; k++) {
            double x = r->vertex.item[3 * r->used.item[i] + k];
            low[k] = fmin(low[k], x);
            high[k] = fmax(high[k], x);
        }
    double size = fmax(fmax(high[0] - low[0], high[1] - low[1]), high[2] - low[2]);
    double *vertex = SCREE_NEW(&r->draft->arena, double, 3 * (size_t)r->used.count);
    scree_draft_body body = { .density = r->density };
    if (vertex) body.name = scree_draft_name(r->draft, *r->name ? r->name : "body");
    if (!body.name) return scree_draft_no_memory(r->draft);
    for (int k = 0; k < 3; k++) body.position[k] = (low[k] + high[k]) / 2;
    for (int i = 0; i < r->used.count; i++)
        for (int k = 0; k < 3; k++)
            vertex[3 * i + k] = r->vertex.item[3 * r->used.item[i] + k] - body.position[k];
    scree_draft_shape shape = { .type = "polyhedron", .vertices = r->used.count, .vertex = vertex };
    body.shapes = 1;
    body.shape = &shape;
    body.fixed = is_listed(r->draft->options->fixed, r->name);
    check_convex(r, size);
    scree_draft_add_body(r->draft, &body);
    r->face.count = r->used.count = 0;
    r->object++;
    return SCREE_OK;
}

// ---- lines

static scree_status read_vertex(reader *r) {
    for (int k = 0; k < 3; k++) {
        double x;
        scree_status status = scree_mesh_text_number(&r->in, "coordinate", &x);
        if (status) return status;
        if (!add_number(&r->vertex, r->scale * x)) return scree_draft_no_memory(r->draft);
    }
    return SCREE_OK;
}

static scree_status use_vertex(reader *r, int number) {
    int count = r->vertex.count / 3;
    if (r->marks < count) {
        int *mark = realloc(r->mark, (size_t)count * sizeof *mark);
        if (!mark) return scree_draft_no_memory(r->draft);
        memset(mark + r->marks, 0, (size_t)(count - r->marks) * sizeof *mark);
        r->mark = mark;
        r->marks = count;
    }
    if (r->mark[number] == r->object) return SCREE_OK;
    r->mark[number] = r->object;
    return add_corner(&r->used, number) ? SCREE_OK : scree_draft_no_memory(r->draft);
}

static scree_status read_face(reader *r) {
    int first = r->face.count, met = 0;
    if (!add_corner(&r->face, 0)) return scree_draft_no_memory(r->draft);
    while (!scree_mesh_text_line_done(&r->in)) {
        char *end;
        long number = strtol(r->in.at, &end, 10), count = r->vertex.count / 3;
        long at = number < 0 ? count + number : number - 1;
        if (end == r->in.at || at < 0 || at >= count || met == CORNERS_MOST)
            return SCREE_MESH_FAIL(&r->in, "expected a vertex from 1 to %ld, found \"%s\"", count,
                                   scree_mesh_text_found(&r->in).text);
        scree_status status = use_vertex(r, (int)at);
        if (status) return status;
        if (!add_corner(&r->face, (int)at)) return scree_draft_no_memory(r->draft);
        met++;
        r->in.at = end;
        while (!scree_mesh_text_ends_word(&r->in, r->in.at)) r->in.at++;
    }
    if (met < 3) return SCREE_MESH_FAIL(&r->in, "a face needs three vertices");
    r->face.item[first] = met;
    return SCREE_OK;
}

static void read_name(reader *r) {
    size_t length = 0;
    scree_mesh_text_line_done(&r->in);
    while (r->in.at[length] && r->in.at[length] != '\n' && r->in.at[length] != '\r') length++;
    while (length && r->in.at[length - 1] == ' ') length--;
    if (length >= sizeof r->name) length = sizeof r->name - 1;
    memcpy(r->name, r->in.at, length);
    r->name[length] = '\0';
    r->in.at += length;
}

static scree_status read_line(reader *r) {
    scree_mesh_text *in = &r->in;
    const char *word = in->at;
    size_t length = 0;
    while (!scree_mesh_text_ends_word(in, word + length)) length++;
    in->at += length;
    if (length == 1 && *word == 'v') return read_vertex(r);
    if (length == 1 && *word == 'f') return read_face(r);
    if (length != 1 || !(*word == 'o' || (*word == 'g' && !r->objects))) return SCREE_OK;
    scree_status status = end_object(r);
    read_name(r);
    return status;
}

static scree_status read_lines(reader *r) {
    scree_mesh_text_rewind(&r->in);
    r->object = 1;
    for (scree_mesh_text_skip_empty(&r->in); r->in.at < scree_mesh_text_end(&r->in);
         scree_mesh_text_skip_empty(&r->in)) {
        scree_status status = read_line(r);
        if (status) return status;
        scree_mesh_text_next_line(&r->in);
    }
    return end_object(r);
}

scree_status scree_obj_import(scree_draft *draft) {
    const scree_import_options *o = draft->options;
    reader r = { .draft = draft,
                 .scale = scree_draft_choose(o->scale, NAN, 1),
                 .density = scree_draft_choose(o->density, NAN, 1000) };
    scree_status status = scree_mesh_text_open(&r.in, draft->path, NULL, 0, '#', draft->err);
    draft->program = "Wavefront OBJ";
    draft->space = 3;
    scree_draft_choose_rest(draft, "any", NAN, NAN);
    if (!status) {
        r.objects = strncmp(r.in.text, "o ", 2) == 0 || strstr(r.in.text, "\no ");
        status = read_lines(&r);
    }
    if (!status && isnan(o->density))
        scree_draft_note(draft, "densities, which the file does not give, are 1000 (--density)");
    if (!status && !o->fixed) scree_draft_note(draft, "no body is fixed (--fixed NAME,NAME*)");
    scree_mesh_text_close(&r.in);
    free(r.vertex.item);
    free(r.face.item);
    free(r.used.item);
    free(r.mark);
    return status;
}
