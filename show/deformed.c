// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// deformed.c - meshes of elastic bodies at one time: a picture for each run, one scale for all.
// in: run files, a time.   out: a figure.   work: one state of each run.
//
//     place on the page = X + mean + factor (u - mean)
//
// mean: of all displacements of the run, so that bodies that touch are moved alike and do not seem
// to overlap when magnified; 0 where all displacements are small, and what is held stays in place.
// Rigid bodies are drawn where they are, not magnified.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scree/geometry.h"
#include "scree/stress.h"
#include "show/canvas.h"
#include "show/figures.h"
#include "show/frame.h"
#include "show/lettering.h"
#include "show/paint.h"

static const double WIDTH = 400, TALLEST = 360;  // of the figure, of a picture; points
static const double SIDE = 74, HEAD = 34, FOOT = 20, BETWEEN = 32, EDGE = 8, EMPTY = 120,
                    SCALES = 30;
static const double SMALL = 0.02, SHOWN = 0.04;  // of displacements over the size of the meshes
static const double NEAR = 0.3;                  // of the meshes' extent that rigid bodies may add
static const double LOWEST = 84;                 // of the bar of colours and its picture; points
static const double ARROW = 0.16;                // of the longest one over the picture

static const scree_lettering TITLE = { .size = 10.5, .align = 0.5, .bold = true };
static const scree_lettering PANEL = { .size = 9, .align = 0.5 };
static const scree_lettering CAPTION = { .size = 6, .verbatim = true };
static const double INK[] = { 0.15, 0.15, 0.15 }, GREY[] = { 0.5, 0.5, 0.5 };

typedef struct picture {  // one state of a run
    const show_run *run;
    show_frame frame;          // owned
    double mean[3];            // displacement
    scree_geometry *geometry;  // owned: rigid bodies, as far as they are near
} picture;

typedef struct album {
    int pictures;
    picture *picture;  // owned (pictures)
    double factor;     // of displacements
    double size;       // of the meshes
    double mises[2];   // lowest and highest
    double force;      // largest of a contact
    double reach;      // of its arrow
    show_page page;    // of the first picture
    double step;       // from picture to picture, down the page
} album;

static void ink(cairo_t *cr, const double rgb[3]) {
    cairo_set_source_rgb(cr, rgb[0], rgb[1], rgb[2]);
}

// ---- one state

// none if there is no state
static int bodies_of(const picture *p) { return p->frame.q ? p->run->model->elastics : 0; }

static void find_mean(picture *p) {
    const scree_model *model = p->run->model;
    int nodes = scree_stress_nodes(model);
    for (int e = 0; e < model->elastics; e++)
        for (int i = 0; i < model->elastic[e].count; i++)
            p->mean[i % model->space] += p->frame.q[model->elastic[e].coordinate + i] / nodes;
}

static scree_status load(picture *p, double time, scree_error *err) {
    scree_status status = show_frame_load(p->run, time, &p->frame, err);
    if (!status && p->frame.q) find_mean(p);
    return status;
}

// where a node is drawn; factor 0: where it is in the mesh
static void place(const picture *p, const scree_elastic_body *body, int node, double factor,
                  double x[3]) {
    int space = body->mesh.space;
    x[2] = 0;
    for (int k = 0; k < space; k++) {
        double moved = p->frame.q[body->coordinate + (long)node * space + k];
        x[k] = body->mesh.node[(long)node * space + k];
        if (factor > 0) x[k] += p->mean[k] + factor * (moved - p->mean[k]);
    }
}

static double force_of(const picture *p, const scree_contact *c, double force[3]) {
    return show_frame_force(p->run->model, p->run->options->scheme.step, c, force);
}

// ---- what is common to all

// 1, 2 or 5 times a power of ten that is not above x > 0
static double round_down(double x) {
    double power = pow(10, floor(log10(x)));
    return x >= 5 * power ? 5 * power : x >= 2 * power ? 2 * power : power;
}

static double largest_displacement(const picture *p, const double from[3]) {
    double most = 0;
    for (int e = 0; e < bodies_of(p); e++) {
        const scree_elastic_body *body = &p->run->model->elastic[e];
        for (int k = 0; k < body->count; k++)
            most = fmax(most, fabs(p->frame.q[body->coordinate + k] - from[k % body->mesh.space]));
    }
    return most;
}

static double size_of(const scree_model *model) {
    double low[3] = { INFINITY, INFINITY, INFINITY }, high[3] = { -INFINITY, -INFINITY, -INFINITY };
    double square = 0;
    for (int e = 0; e < model->elastics; e++)
        for (int k = 0; k < model->elastic[e].count; k++) {
            double x = model->elastic[e].mesh.node[k];
            low[k % model->space] = fmin(low[k % model->space], x);
            high[k % model->space] = fmax(high[k % model->space], x);
        }
    for (int k = 0; k < model->space && model->elastics; k++)
        square += (high[k] - low[k]) * (high[k] - low[k]);
    return sqrt(square);
}

static void choose_factor(album *a) {
    const double origin[3] = { 0 };
    double far = 0, most = 0;
    for (int i = 0; i < a->pictures; i++) {
        const picture *p = &a->picture[i];
        a->size = fmax(a->size, size_of(p->run->model));
        far = fmax(far, largest_displacement(p, origin));
    }
    for (int i = 0; i < a->pictures; i++) {
        picture *p = &a->picture[i];
        if (far < SMALL * a->size) memset(p->mean, 0, sizeof p->mean);
        most = fmax(most, largest_displacement(p, p->mean));
    }
    bool small = most > 0 && most < SMALL * a->size;
    a->factor = small ? fmax(round_down(SHOWN * a->size / most), 1) : 1;
}

static void find_ranges(album *a) {
    a->mises[0] = INFINITY;
    a->mises[1] = -INFINITY;
    for (int i = 0; i < a->pictures; i++) {
        const picture *p = &a->picture[i];
        for (int k = 0; bodies_of(p) && k < scree_stress_elements(p->run->model); k++) {
            a->mises[0] = fmin(a->mises[0], p->frame.mises[k]);
            a->mises[1] = fmax(a->mises[1], p->frame.mises[k]);
        }
        for (int64_t k = 0; k < p->frame.row.contacts; k++) {
            double force[3];
            if (p->frame.contact[k].contact.a < p->run->model->bodies) continue;
            a->force = fmax(a->force, force_of(p, &p->frame.contact[k].contact, force));
        }
    }
}

static void include(double low[2], double high[2], const double at[2]) {
    for (int c = 0; c < 2; c++) {
        low[c] = fmin(low[c], at[c]);
        high[c] = fmax(high[c], at[c]);
    }
}

// shapes of rigid bodies, those without end cut to what is around the meshes
static scree_status find_rigid(album *a, picture *p, scree_error *err) {
    const scree_model *model = p->run->model;
    double low[3] = { 0 }, high[3] = { 0 };
    if (!bodies_of(p) || !model->shapes) return SCREE_OK;
    for (int k = 0; k < model->space; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (int e = 0; e < model->elastics; e++)
        for (int i = 0; i < model->elastic[e].mesh.nodes; i++) {
            double x[3];
            place(p, &model->elastic[e], i, a->factor, x);
            for (int k = 0; k < model->space; k++) {
                low[k] = fmin(low[k], x[k]);
                high[k] = fmax(high[k], x[k]);
            }
        }
    scree_view view = scree_view_of_box(model->space, low, high);
    return scree_geometry_new(model, p->frame.q, &view, &p->geometry, err);
}

static bool is_shown(const picture *p, const scree_outline *outline, scree_placement *at) {
    if (!scree_geometry_present(p->run->model, outline->body, p->frame.row.time)) return false;
    scree_geometry_place(p->run->model, outline->body, p->frame.q, at);
    return true;
}

// rigid bodies, as far as they are near; of those without end a strip along the edge
static void include_rigid(const picture *p, double low[2], double high[2]) {
    double own_low[2] = { INFINITY, INFINITY }, own_high[2] = { -INFINITY, -INFINITY };
    if (!p->geometry || !(low[0] <= high[0])) return;
    double size = fmax(high[0] - low[0], high[1] - low[1]);
    for (int i = 0; i < p->geometry->outlines; i++) {
        const scree_outline *outline = &p->geometry->outline[i];
        scree_placement at;
        if (outline->endless || !is_shown(p, outline, &at)) continue;
        for (int k = 0; k < (outline->ball ? 1 : outline->points); k++) {
            double x[3], on[2];
            scree_placement_apply(
                &at, outline->ball ? outline->centre : outline->point + 3 * (size_t)k, x);
            show_paint_project(p->run->model->space, x, on);
            for (int side = -1; side <= 1; side += 2)
                include(
                    own_low, own_high,
                    (double[2]){ on[0] + side * outline->radius, on[1] + side * outline->radius });
        }
    }
    for (int c = 0; c < 2; c++) {
        double strip = 0.04 * size, edge[2] = { low[c] - strip, high[c] + strip };
        low[c] = fmin(edge[0], fmax(own_low[c], low[c] - NEAR * size));
        high[c] = fmax(edge[1], fmin(own_high[c], high[c] + NEAR * size));
    }
}

// the page as large as the largest picture needs it
static void lay_out(album *a) {
    double low[2] = { INFINITY, INFINITY }, high[2] = { -INFINITY, -INFINITY };
    for (int i = 0; i < a->pictures; i++) {
        const picture *p = &a->picture[i];
        for (int e = 0; e < bodies_of(p); e++)
            for (int k = 0; k < 2 * p->run->model->elastic[e].mesh.nodes; k++) {
                double x[3], at[2];
                place(p, &p->run->model->elastic[e], k / 2, k % 2 ? a->factor : 0, x);
                show_paint_project(p->run->model->space, x, at);
                include(low, high, at);
            }
    }
    for (int i = 0; i < a->pictures; i++) include_rigid(&a->picture[i], low, high);
    a->step = EMPTY;
    if (!(low[0] <= high[0])) return;
    // room for arrows and the bar of lengths
    double across = high[0] - low[0], up = high[1] - low[1], width = WIDTH - 2 * EDGE - SIDE;
    a->reach = ARROW * fmax(across, up);
    double more = a->force > 0 ? a->reach : 0;
    double scale = fmin(width / (across + 2 * more), TALLEST / (up + 1.5 * more));
    double tall = scale * (up + 1.5 * more), lack = fmax(0, LOWEST - tall);
    a->page = (show_page){ .left = EDGE + 0.5 * (width - scale * across),
                           .bottom = HEAD + scale * (up + 0.5 * more) + 6 + lack / 2,
                           .low = { low[0], low[1] },
                           .scale = scale };
    a->step = tall + lack + SCALES + BETWEEN;
}

// ---- drawing

static void draw_outline(cairo_t *cr, const album *a, const picture *p, double factor) {
    const scree_model *model = p->run->model;
    for (int e = 0; e < model->elastics; e++) {
        const scree_elastic_body *body = &model->elastic[e];
        for (int f = 0; f < body->mesh.facets; f++) {
            double x[2][3];
            const int *node = body->mesh.facet + (long)f * SCREE_FACET_CORNERS;
            for (int c = 0; c < 2; c++) place(p, body, node[c], factor, x[c]);
            show_paint_line(cr, &a->page, model->space, x[0], x[1]);
        }
    }
    cairo_stroke(cr);
}

static void take_cell(const album *a, const picture *p, const scree_elastic_body *body,
                      const int *node, int corners, double mises, show_cell *cell) {
    cell->corners = corners;
    cell->value = mises;
    cell->rigid = false;
    for (int c = 0; c < corners; c++) place(p, body, node[c], a->factor, cell->x[c]);
}

// a polygon of a rigid body in pieces of at most four corners
static size_t take_polygon(const scree_outline *outline, const scree_placement *at, int polygon,
                           show_cell *cell) {
    const int *corner = outline->corner + outline->first[polygon];
    int corners = outline->first[polygon + 1] - outline->first[polygon], most = 4;
    size_t count = 0;
    for (int k = 1; k + 1 < corners; k += most - 2, count++) {
        int own = corners - k + 1 < most ? corners - k + 1 : most;
        cell[count].corners = own;
        cell[count].value = 0;
        cell[count].rigid = true;
        for (int c = 0; c < own; c++) {
            size_t from = (size_t)corner[c ? k + c - 1 : 0];
            scree_placement_apply(at, outline->point + 3 * from, cell[count].x[c]);
        }
    }
    return count;
}

// how many cells the shapes of rigid bodies have at most
static size_t count_rigid(const picture *p) {
    size_t count = 0;
    for (int i = 0; p->geometry && i < p->geometry->outlines; i++) {
        const scree_outline *outline = &p->geometry->outline[i];
        if (outline->polygons) count += (size_t)outline->first[outline->polygons];
    }
    return count;
}

// lines and balls are drawn at once, and so is what has no end: it lies behind
static size_t take_rigid(cairo_t *cr, const album *a, const picture *p, show_cell *cell) {
    int space = p->run->model->space;
    size_t count = 0;
    for (int i = 0; p->geometry && i < p->geometry->outlines; i++) {
        const scree_outline *outline = &p->geometry->outline[i];
        scree_placement at;
        if (!is_shown(p, outline, &at)) continue;
        if (outline->ball) {
            double x[3];
            scree_placement_apply(&at, outline->centre, x);
            show_paint_ball(cr, &a->page, space, x, outline->radius);
        }
        for (int k = 0; outline->line && k + 1 < outline->points; k++) {
            double x[2][3];
            for (int c = 0; c < 2; c++)
                scree_placement_apply(&at, outline->point + 3 * (size_t)(k + c), x[c]);
            show_paint_line(cr, &a->page, space, x[0], x[1]);
            cairo_set_line_width(cr, 1);
            ink(cr, INK);
            cairo_stroke(cr);
        }
        size_t before = count;
        for (int f = 0; !outline->line && f < outline->polygons; f++)
            count += take_polygon(outline, &at, f, cell + count);
        if (!outline->endless) continue;
        show_paint_cells(cr, &a->page, space, cell + before, count - before, a->mises);
        count = before;
    }
    return count;
}

// elements in the plane, facets of the boundary in space, among rigid bodies
static scree_status draw_cells(cairo_t *cr, const album *a, const picture *p, scree_error *err) {
    const scree_model *model = p->run->model;
    bool planar = model->space == 2;
    size_t room = 1 + count_rigid(p), first = 0;
    for (int e = 0; e < model->elastics; e++) {
        const scree_mesh *mesh = &model->elastic[e].mesh;
        room += (size_t)(planar ? mesh->elements : mesh->facets);
    }
    show_cell *cell = malloc(room * sizeof *cell);
    if (!cell) return scree_fail_memory(err, "a figure");
    size_t count = take_rigid(cr, a, p, cell);
    if (planar) {
        show_paint_cells(cr, &a->page, 2, cell, count, a->mises);
        count = 0;
    }
    for (int e = 0; e < model->elastics; e++) {
        const scree_elastic_body *body = &model->elastic[e];
        const scree_mesh *mesh = &body->mesh;
        const double *mises = p->frame.mises + first;
        for (int i = 0; planar && i < mesh->elements; i++) {
            int node[SCREE_OUTLINE_NODES], nodes = scree_element_outline(mesh->kind[i], node);
            for (int k = 0; k < nodes; k++) node[k] = mesh->corner[mesh->first[i] + node[k]];
            take_cell(a, p, body, node, nodes, mises[i], &cell[count++]);
        }
        for (int f = 0; !planar && f < mesh->facets; f++) {
            const int *node = mesh->facet + (long)f * SCREE_FACET_CORNERS;
            take_cell(a, p, body, node, node[3] < 0 ? 3 : 4, mises[mesh->owner[f]], &cell[count++]);
        }
        first += (size_t)mesh->elements;
    }
    show_paint_cells(cr, &a->page, model->space, cell, count, a->mises);
    free(cell);
    return SCREE_OK;
}

// on the nodes that touch, each as it is pushed
static void draw_forces(cairo_t *cr, const album *a, const picture *p) {
    const scree_model *model = p->run->model;
    for (int64_t i = 0; a->force > 0 && i < p->frame.row.contacts; i++) {
        const scree_contact *c = &p->frame.contact[i].contact;
        int node = scree_contact_node(model, c);
        double force[3], tip[3], tail[3];
        if (node < 0 || force_of(p, c, force) == 0) continue;
        place(p, &model->elastic[c->a - model->bodies], node, a->factor, tip);
        for (int k = 0; k < 3; k++) tail[k] = tip[k] - a->reach * force[k] / a->force;
        show_paint_arrow(cr, &a->page, model->space, tail, tip);
    }
}

static void draw_words(cairo_t *cr, const album *a, const picture *p, bool labelled) {
    char text[3 * SKETCH_NAME], title[2 * SKETCH_NAME] = "";
    const scree_scheme_options *scheme = &p->run->options->scheme;
    scree_unit time = scree_units_name(show_run_units(p->run), "s");
    double middle = 0.5 * (WIDTH - SIDE);
    ink(cr, INK);
    if (labelled) snprintf(title, sizeof title, "%s, ", p->run->label);
    snprintf(text, sizeof text, "%st = %.6g %s", title, p->frame.row.time, time.text);
    scree_lettering_draw(cr, scree_lettering_fit(cr, PANEL, text, WIDTH - SIDE), text, middle,
                         HEAD - 4);
    ink(cr, GREY);
    snprintf(text, sizeof text, "%s: %s, θ = %g, h = %g %s; scree %s",
             p->run->reader->title[0] ? p->run->reader->title : p->run->reader->scene_file,
             scree_scheme_name(scheme->name), scheme->theta, scheme->step, time.text,
             p->run->reader->version);
    scree_lettering_draw(cr, scree_lettering_fit(cr, CAPTION, text, WIDTH - 2 * EDGE), text, EDGE,
                         HEAD + a->step - BETWEEN + 6);
}

static scree_status draw_picture(cairo_t *cr, const album *a, const picture *p, bool labelled,
                                 scree_error *err) {
    if (!bodies_of(p)) {
        ink(cr, GREY);
        scree_lettering_draw(cr, PANEL, p->frame.q ? "no elastic bodies" : "no data",
                             0.5 * (WIDTH - SIDE), HEAD + 0.5 * a->step);
        return SCREE_OK;
    }
    cairo_save(cr);  // half-planes and planes reach as far as the picture
    cairo_rectangle(cr, EDGE, HEAD, WIDTH - SIDE - EDGE, a->step - SCALES - BETWEEN + 12);
    cairo_clip(cr);
    scree_status status = draw_cells(cr, a, p, err);
    cairo_restore(cr);
    if (status) return status;
    cairo_set_line_width(cr, 0.4);
    ink(cr, GREY);
    const double dashes[] = { 2, 2 };
    cairo_set_dash(cr, dashes, 2, 0);
    if (p->run->model->space == 2) draw_outline(cr, a, p, 0);
    cairo_set_dash(cr, NULL, 0, 0);
    ink(cr, INK);
    if (p->run->model->space == 2) draw_outline(cr, a, p, a->factor);
    draw_forces(cr, a, p);
    draw_words(cr, a, p, labelled);
    return SCREE_OK;
}

static void draw_scales(cairo_t *cr, const album *a, double height) {
    char title[120] = "Von Mises stress";
    scree_units units = show_run_units(a->picture[0].run);
    if (a->factor > 1)
        snprintf(title, sizeof title, "Von Mises stress, displacements × %g%s", a->factor,
                 a->picture[0].geometry ? " (rigid bodies as they are)" : "");
    ink(cr, INK);
    scree_lettering_draw(cr, scree_lettering_fit(cr, TITLE, title, WIDTH - 2 * EDGE), title,
                         0.5 * WIDTH, EDGE + TITLE.size);
    double bar = fmin(height - HEAD - FOOT - 30, 220);
    show_paint_bar(cr, WIDTH - SIDE + 6, HEAD + 12, bar, a->mises,
                   scree_units_label(units, "[Pa]").text);
    show_paint_lengths(cr, &a->page, EDGE, HEAD + a->step - BETWEEN - 6, round_down(0.25 * a->size),
                       a->force, ARROW * a->size, units);
}

static scree_status draw(const album *a, const char *file, scree_error *err) {
    scree_canvas canvas = { 0 };
    scree_canvas_format format;
    double height = HEAD + a->pictures * a->step + FOOT - BETWEEN;
    scree_status status = scree_canvas_format_of(file, &format, err);
    if (!status) status = scree_canvas_open(&canvas, format, WIDTH, height, err);
    for (int i = 0; !status && i < a->pictures; i++) {
        cairo_save(canvas.cr);
        cairo_translate(canvas.cr, 0, i * a->step);
        status = draw_picture(canvas.cr, a, &a->picture[i], a->pictures > 1, err);
        cairo_restore(canvas.cr);
    }
    if (!status && a->mises[0] <= a->mises[1]) draw_scales(canvas.cr, a, height);
    if (!status) status = scree_canvas_save(&canvas, file, err);
    scree_canvas_close(&canvas);
    return status;
}

scree_status show_draw_deformed(scree_run_reader *const *run, const char *const *label, int runs,
                                double time, const char *file, scree_error *err) {
    show_sketch sketch = { 0 };
    album a = { .pictures = runs, .picture = calloc((size_t)runs, sizeof *a.picture) };
    scree_status status = a.picture ? show_sketch_runs(&sketch, run, label, runs, err)
                                    : scree_fail_memory(err, "a figure");
    for (int i = 0; !status && i < runs; i++) {
        a.picture[i].run = &sketch.run[i];
        status = load(&a.picture[i], time, err);
    }
    if (!status) {
        choose_factor(&a);
        find_ranges(&a);
    }
    for (int i = 0; !status && i < runs; i++) status = find_rigid(&a, &a.picture[i], err);
    if (!status) {
        lay_out(&a);
        status = draw(&a, file, err);
    }
    for (int i = 0; a.picture && i < runs; i++) {
        show_frame_free(&a.picture[i].frame);
        scree_geometry_free(a.picture[i].geometry);
    }
    free(a.picture);
    show_sketch_free(&sketch);
    return status;
}
