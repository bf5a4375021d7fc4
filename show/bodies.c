// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// bodies.c - pictures of bodies: a strip of one for each time, one scale for all.
// in: run file or simulation, times.   out: a figure.   work: one state for each picture.

#include "show/bodies.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/canvas.h"
#include "show/extent.h"
#include "show/lettering.h"
#include "show/marks.h"
#include "show/paint.h"
#include "show/stage.h"

enum { COLUMNS = 3, EDGES_MOST = 20000 };

static const double WIDTH = 480, TALLEST = 520;  // of all pictures of a row, of one; points
static const double EDGE = 8, HEAD = 18, FOOT = 30, SIDE = 78;
static const double NARROWEST = 300, CROWDED = 400;  // sheet, for scale and legend; points
static const double PIXELS = 2.5;                    // for a point, in space
static const double POINT = 1.7;                     // radius of what has none; points
static const double HATCH = 5, TICK = 4;             // of the solid side of chains; points

static const scree_lettering TITLE = { .size = 9, .align = 0.5 };
static const scree_lettering CAPTION = { .size = 6.5, .verbatim = true };
static const double GREY[] = { 0.5, 0.5, 0.5 };

typedef struct sheet {
    show_stage stage;
    show_frame *frame;  // owned (pictures)
    const char *title;
    char caption[300];
    const char *stopped;   // why the run ended before its time; empty: it did not
    double scale;          // points for a metre
    double width, height;  // of a picture
    int columns;
} sheet;

show_bodies_options show_bodies_options_default(void) {
    static const double last = NAN;
    return (show_bodies_options){
        .at = &last, .pictures = 1, .azimuth = -62, .elevation = 22, .colour = SHOW_BY_GROUP
    };
}

static void ink(cairo_t *cr, const double rgb[3]) {
    cairo_set_source_rgb(cr, rgb[0], rgb[1], rgb[2]);
}

// what stands for a unit of SI
static scree_unit unit(const sheet *s, const char *si) {
    return scree_units_name(s->stage.units, si);
}

// ---- in the plane

static void trace(const show_place *p, const scree_outline *outline, const scree_placement *at) {
    for (int i = 0; i < outline->points; i++) {
        double x[3], on[2];
        scree_placement_apply(at, outline->point + 3 * (size_t)i, x);
        show_place_project(p, x, on);
        if (i)
            cairo_line_to(p->cr, on[0], on[1]);
        else
            cairo_move_to(p->cr, on[0], on[1]);
    }
}

// ticks on the side that is solid, the right of the way
static void hatch(const show_place *p, const scree_outline *outline, const scree_placement *at) {
    for (int i = 0; i + 1 < outline->points; i++) {
        double x[3], a[2], b[2];
        scree_placement_apply(at, outline->point + 3 * (size_t)i, x);
        show_place_project(p, x, a);
        scree_placement_apply(at, outline->point + 3 * (size_t)i + 3, x);
        show_place_project(p, x, b);
        double along[2] = { b[0] - a[0], b[1] - a[1] }, length = hypot(along[0], along[1]);
        if (!(length > 0) || length > 1e5) continue;
        along[0] /= length;
        along[1] /= length;
        // y points down on the page: right of the way is (-y, x)
        for (double s = HATCH / 2; s < length; s += HATCH) {
            cairo_move_to(p->cr, a[0] + s * along[0], a[1] + s * along[1]);
            cairo_rel_line_to(p->cr, TICK * (-along[1] - 0.5 * along[0]),
                              TICK * (along[0] - 0.5 * along[1]));
        }
    }
    cairo_set_line_width(p->cr, 0.4);
    cairo_stroke(p->cr);
}

// a point hangs on the centre of its body
static void draw_stick(const show_place *p, const double from[3], const double to[3]) {
    double a[2], b[2];
    show_place_project(p, from, a);
    show_place_project(p, to, b);
    ink(p->cr, GREY);
    cairo_set_line_width(p->cr, 1);
    cairo_move_to(p->cr, a[0], a[1]);
    cairo_line_to(p->cr, b[0], b[1]);
    cairo_stroke(p->cr);
}

static void draw_disc(const show_place *p, const scree_outline *outline, const scree_placement *at,
                      const double rgb[3]) {
    double x[3], on[2], size = fmax(outline->radius * p->scale, outline->radius > 0 ? 1 : POINT);
    scree_placement_apply(at, outline->centre, x);
    if (outline->radius == 0) draw_stick(p, at->at, x);
    show_place_project(p, x, on);
    cairo_new_path(p->cr);
    cairo_arc(p->cr, on[0], on[1], size, 0, 6.283185307179586);
    ink(p->cr, rgb);
    cairo_fill_preserve(p->cr);
    ink(p->cr, SHOW_INK);
    cairo_set_line_width(p->cr, fmin(0.5, 0.15 * size));
    cairo_stroke(p->cr);
    if (size < 2 || outline->radius == 0) return;
    cairo_move_to(p->cr, on[0], on[1]);  // how it is turned
    cairo_rel_line_to(p->cr, size * at->turn[0], -size * at->turn[3]);
    cairo_stroke(p->cr);
}

static void draw_outline(const show_place *p, const scree_outline *outline) {
    const show_stage *stage = p->stage;
    scree_placement at;
    double rgb[3];
    if (!show_frame_shows(p->frame, stage->model, outline->body)) return;
    scree_geometry_place(stage->model, outline->body, p->frame->q, &at);
    show_stage_colour(stage, p->frame, outline->body, rgb);
    if (outline->ball) {
        draw_disc(p, outline, &at, rgb);
        return;
    }
    cairo_new_path(p->cr);
    trace(p, outline, &at);
    if (!outline->line) {
        cairo_close_path(p->cr);
        ink(p->cr, rgb);
        cairo_fill_preserve(p->cr);
    }
    ink(p->cr, SHOW_INK);
    cairo_set_line_width(p->cr, outline->line ? 1.0 : 0.5);
    cairo_stroke(p->cr);
    if (outline->line) hatch(p, outline, &at);
}

static void line_to_node(const show_place *p, const scree_elastic_body *body, int node) {
    double x[3], on[2];
    show_extent_node(p->stage->model, p->frame->q, body, node, x);
    show_place_project(p, x, on);
    cairo_line_to(p->cr, on[0], on[1]);
}

// elements in the colours of their stresses, k: the number of the first one, and a line around them
static void draw_mesh(const show_place *p, const scree_elastic_body *body, int k) {
    const scree_mesh *mesh = &body->mesh;
    for (int i = 0; i < mesh->elements; i++) {
        double rgb[3];
        int order[SCREE_OUTLINE_NODES];
        int nodes = scree_element_outline(mesh->kind[i], order);
        cairo_new_path(p->cr);
        for (int c = 0; c < nodes; c++)
            line_to_node(p, body, mesh->corner[mesh->first[i] + order[c]]);
        cairo_close_path(p->cr);
        show_stage_stress_colour(p->stage, (int)(body - p->stage->model->elastic),
                                 p->frame->mises[k + i], rgb);
        ink(p->cr, rgb);
        cairo_fill_preserve(p->cr);
        cairo_set_line_width(p->cr, 0.25);  // in its own colour: no light comes through
        cairo_stroke(p->cr);
    }
    for (int f = 0; f < mesh->facets; f++) {
        cairo_new_sub_path(p->cr);
        for (int c = 0; c < 2; c++) line_to_node(p, body, mesh->facet[f * SCREE_FACET_CORNERS + c]);
    }
    ink(p->cr, SHOW_INK);
    cairo_set_line_width(p->cr, 0.5);
    cairo_stroke(p->cr);
}

// obstacles first, what moves over them
static void draw_planar(const show_place *p) {
    const show_stage *stage = p->stage;
    for (int moving = 0; moving < 2; moving++)
        for (int i = 0; i < stage->geometry->outlines; i++) {
            const scree_outline *outline = &stage->geometry->outline[i];
            if (!stage->model->body[outline->body].fixed == moving) draw_outline(p, outline);
        }
    for (int e = 0, k = 0; e < stage->model->elastics; e++) {
        draw_mesh(p, &stage->model->elastic[e], k);
        k += stage->model->elastic[e].mesh.elements;
    }
}

// ---- in space

static void raster_outline(show_place *p, const scree_outline *outline, bool edges,
                           double *corner) {
    const show_stage *stage = p->stage;
    scree_placement at;
    double rgb[3], x[3];
    if (!show_frame_shows(p->frame, stage->model, outline->body)) return;
    scree_geometry_place(stage->model, outline->body, p->frame->q, &at);
    show_stage_colour(stage, p->frame, outline->body, rgb);
    if (outline->ball) {
        scree_placement_apply(&at, outline->centre, x);
        show_raster_ball(&p->raster, x, outline->radius > 0 ? outline->radius : POINT / p->scale,
                         rgb);
        return;
    }
    for (int f = 0; f < outline->polygons; f++) {
        int first = outline->first[f], count = outline->first[f + 1] - first;
        for (int c = 0; c < count; c++)
            scree_placement_apply(&at, outline->point + 3 * (size_t)outline->corner[first + c],
                                  corner + 3 * (size_t)c);
        show_raster_polygon(&p->raster, count, corner, rgb, edges);
    }
}

static void raster_elastic(show_place *p) {
    const show_stage *stage = p->stage;
    int before = 0;
    for (int e = 0; e < stage->model->elastics; e++) {
        const scree_elastic_body *body = &stage->model->elastic[e];
        for (int f = 0; f < body->mesh.facets; f++) {
            const int *node = body->mesh.facet + (long)f * SCREE_FACET_CORNERS;
            double x[3 * SCREE_FACET_CORNERS], rgb[3];
            int count = 0;
            while (count < SCREE_FACET_CORNERS && node[count] >= 0) {
                show_extent_node(stage->model, p->frame->q, body, node[count],
                                 x + 3 * (size_t)count);
                count++;
            }
            show_stage_stress_colour(stage, e, p->frame->mises[before + body->mesh.owner[f]], rgb);
            show_raster_polygon(&p->raster, count, x, rgb, false);
        }
        before += body->mesh.elements;
    }
}

static scree_status draw_space(show_place *p, scree_error *err) {
    const show_stage *stage = p->stage;
    int most = 1;
    int64_t polygons = 0;
    for (int i = 0; i < stage->geometry->outlines; i++) {
        const scree_outline *outline = &stage->geometry->outline[i];
        polygons += outline->polygons;
        for (int f = 0; f < outline->polygons; f++)
            most = outline->first[f + 1] - outline->first[f] > most
                       ? outline->first[f + 1] - outline->first[f]
                       : most;
    }
    double *corner = malloc(3 * (size_t)most * sizeof *corner);
    bool fine = corner && show_raster_open(&p->raster, &stage->camera, stage->low, stage->high,
                                           p->width, PIXELS);
    for (int i = 0; fine && i < stage->geometry->outlines; i++)
        raster_outline(p, &stage->geometry->outline[i], polygons <= EDGES_MOST, corner);
    if (fine) raster_elastic(p);
    fine = fine &&
           show_raster_paint(&p->raster, p->cr, p->left, p->top, p->width) == CAIRO_STATUS_SUCCESS;
    free(corner);
    return fine ? SCREE_OK : scree_fail_memory(err, "a figure");
}

// ---- the page

static double round_down(double x) {
    double power = pow(10, floor(log10(x)));
    return x >= 5 * power ? 5 * power : x >= 2 * power ? 2 * power : power;
}

static scree_status draw_picture(const sheet *s, show_place *p, scree_error *err) {
    char text[60];
    scree_status status = SCREE_OK;
    snprintf(text, sizeof text, "t = %.6g %s", p->frame->row.time, unit(s, "s").text);
    ink(p->cr, SHOW_INK);
    scree_lettering_draw(p->cr, TITLE, text, p->left + s->width / 2, p->top - 5);
    cairo_save(p->cr);
    cairo_rectangle(p->cr, p->left, p->top, s->width, s->height);
    cairo_clip(p->cr);
    if (s->stage.model->space == 2)
        draw_planar(p);
    else
        status = draw_space(p, err);
    show_draw_marks(p);
    show_raster_close(&p->raster);
    cairo_restore(p->cr);
    cairo_rectangle(p->cr, p->left, p->top, s->width, s->height);
    ink(p->cr, GREY);
    cairo_set_line_width(p->cr, 0.4);
    cairo_stroke(p->cr);
    return status;
}

// the next line of a long text that has room for so many letters
static size_t line_of(const char *text, size_t letters) {
    size_t length = strlen(text), end = length;
    if (length <= letters) return length;
    for (end = letters; end > 0 && text[end] != ' ';) end--;
    return end ? end : letters;
}

// Why the run ended before its time, under all pictures; the height that it takes.
static double draw_stop(cairo_t *cr, const sheet *s, double wide, double top) {
    const double gap = 1.4 * CAPTION.size;
    size_t letters = (size_t)((wide - 2 * EDGE) / (0.56 * CAPTION.size));
    char text[1100], line[256];
    if (!s->stopped || !*s->stopped) return 0;
    snprintf(text, sizeof text, "stopped: %s", s->stopped);
    double y = 0;
    if (cr) ink(cr, SHOW_SLIP);
    for (const char *at = text; *at;) {
        size_t length = line_of(at, letters < sizeof line ? letters : sizeof line - 1);
        snprintf(line, sizeof line, "%.*s", (int)length, at);
        y += gap;
        if (cr) scree_lettering_draw(cr, CAPTION, line, EDGE, top + y - 0.4 * gap);
        for (at += length; *at == ' ';) at++;
    }
    return y;
}

static void draw_words(cairo_t *cr, const sheet *s, double height, double wide) {
    if (!s->stage.geometry) {
        ink(cr, GREY);
        scree_lettering_draw(cr, TITLE, "no data", wide / 2, height / 2);
        return;
    }
    double y = height - 18;
    double length = round_down(0.3 * (s->stage.high[0] - s->stage.low[0]));
    char text[200];
    ink(cr, SHOW_INK);
    cairo_set_line_width(cr, 1.2);
    cairo_move_to(cr, EDGE, y);
    cairo_rel_line_to(cr, length * s->scale, 0);
    cairo_stroke(cr);
    snprintf(text, sizeof text, "%g %s", length, unit(s, "m").text);
    scree_lettering_draw(cr, CAPTION, text, EDGE + length * s->scale + 4, y + 2);
    double x = EDGE + length * s->scale + 60;
    if (s->stage.options->forces) {
        for (int slip = 0; slip < 2; slip++) {
            ink(cr, slip ? SHOW_SLIP : SHOW_STICK);
            cairo_set_line_width(cr, SHOW_BAND / 2);
            cairo_move_to(cr, x, y);
            cairo_rel_line_to(cr, 12, 0);
            cairo_stroke(cr);
            ink(cr, SHOW_INK);
            scree_lettering_draw(cr, CAPTION, slip ? "slip" : "stick", x + 15, y + 2);
            x += 38;
        }
        snprintf(text, sizeof text, "largest force %.3g %s", s->stage.force, unit(s, "N").text);
        scree_lettering_draw(cr, CAPTION, text, x + 4, y + 2);
        x += scree_lettering_width(cr, CAPTION, text) + 20;
    }
    for (int k = 0; k < s->stage.options->layers; k++) {
        const double *layer = s->stage.options->layer[k];
        double rgb[3];
        show_stage_layer_colour(k, rgb);
        ink(cr, rgb);
        cairo_arc(cr, x + 3, y, 3, 0, 6.283185307179586);
        cairo_fill(cr);
        ink(cr, SHOW_INK);
        snprintf(text, sizeof text, "born %g to %g %s", layer[0], layer[1], unit(s, "s").text);
        scree_lettering_draw(cr, CAPTION, text, x + 9, y + 2);
        x += 9 + scree_lettering_width(cr, CAPTION, text) + 14;
    }
    if (s->stage.options->velocities) {
        bool moves = s->stage.speed > 0;
        snprintf(text, sizeof text, moves ? "highest speed %.3g %s" : "nothing moves",
                 s->stage.speed, unit(s, "m/s").text);
        double longest = moves ? SHOW_ARROW * fmin(s->width, s->height) : 0;
        const double arrow[2][2] = { { x, y }, { x + longest, y } };
        if (moves) show_paint_stroke(cr, arrow[0], arrow[1], SHOW_INK, 0);
        scree_lettering_draw(cr, CAPTION, text, x + longest + 4, y + 2);
    }
    ink(cr, GREY);
    snprintf(text, sizeof text, "%s", s->caption);
    scree_lettering_draw(cr, scree_lettering_fit(cr, CAPTION, text, wide - 2 * EDGE), text, EDGE,
                         height - 6);
    const char *quantity = show_stage_quantity(&s->stage);
    if (quantity)
        show_paint_bar(cr, wide - SIDE + 8, HEAD + 16, fmin(s->height - 24, 200), s->stage.range,
                       scree_units_label(s->stage.units, quantity).text);
}

// how many pictures beside each other: flat ones under each other, where they are larger; the rows
static int arrange(sheet *s) {
    int pictures = s->stage.pictures, most = pictures < COLUMNS ? pictures : COLUMNS, rows = 0;
    double across = s->stage.high[0] - s->stage.low[0], up = s->stage.high[1] - s->stage.low[1];
    for (s->columns = 1; s->columns <= most; s->columns++) {
        rows = (pictures + s->columns - 1) / s->columns;
        s->scale = fmin((WIDTH - (s->columns - 1) * EDGE) / s->columns / across, TALLEST / up);
        s->width = s->scale * across;
        s->height = s->scale * up;
        bool full = rows * s->columns == pictures || pictures > COLUMNS;
        if (s->columns == most || (full && rows * (HEAD + s->height) <= TALLEST)) break;
    }
    return rows;
}

static scree_status draw(sheet *s, const char *file, scree_error *err) {
    scree_canvas canvas = { 0 };
    scree_canvas_format format;
    const show_stage *stage = &s->stage;
    int rows = arrange(s);
    double side = show_stage_quantity(stage) ? SIDE : 0;
    double pictures = s->columns * (s->width + EDGE) - EDGE;
    const show_bodies_options *o = stage->options;
    bool crowded = o->forces + o->velocities + o->layers > 1;
    double wide = fmax(2 * EDGE + pictures + side, crowded ? CROWDED : NARROWEST);
    double left = (wide - side - pictures) / 2;
    double foot = rows * (HEAD + s->height) + FOOT;
    double height = foot + draw_stop(NULL, s, wide, 0);
    scree_status status = scree_canvas_format_of(file, &format, err);
    if (!status) status = scree_canvas_open(&canvas, format, wide, height, err);
    for (int i = 0; !status && i < stage->pictures; i++) {
        if (!s->frame[i].q) continue;
        show_place p = { .cr = canvas.cr,
                         .stage = stage,
                         .frame = &s->frame[i],
                         .left = left + i % s->columns * (s->width + EDGE),
                         .top = i / s->columns * (HEAD + s->height) + HEAD,
                         .width = s->width,
                         .height = s->height,
                         .scale = s->scale };
        status = draw_picture(s, &p, err);
    }
    if (!status) draw_words(canvas.cr, s, foot, wide);
    if (!status) draw_stop(canvas.cr, s, wide, foot);
    if (!status) status = scree_canvas_save(&canvas, file, err);
    scree_canvas_close(&canvas);
    return status;
}

// ---- runs and simulations

static scree_status check_shapes(const scree_model *model, const char *path, scree_error *err) {
    if (model->bodies || model->elastics) return SCREE_OK;
    return scree_fail(err, SCREE_BAD_INPUT, (scree_source_location){ path, 0, 0 },
                      "there are no bodies to draw: a matrix system or a mechanism has "
                      "coordinates alone");
}

// leave out what is not in the region
static scree_status cut(const sheet *s, show_frame *frame, scree_error *err) {
    const show_bodies_options *o = s->stage.options;
    const scree_model *model = s->stage.model;
    scree_region box = { { 0 }, { 0 } };
    if (!o->region_numbers || !frame->q) return SCREE_OK;
    if (o->region_numbers != 2 * model->space)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the region of bodies in %s has %d numbers, those of its low corner and "
                          "then of its high one; got %d",
                          model->space == 3 ? "space" : "the plane", 2 * model->space,
                          o->region_numbers);
    for (int k = 0; k < model->space; k++) {
        box.low[k] = o->region[k];
        box.high[k] = o->region[model->space + k];
        if (!(box.low[k] < box.high[k]))
            return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                              "the low corner of a region must be below the high one");
    }
    return show_frame_cut(frame, model, &box, err);
}

// choose the view and write the caption
static scree_status prepare(sheet *s, const scree_scheme_options *scheme, const char *version,
                            scree_error *err) {
    scree_status status = SCREE_OK;
    for (int i = 0; !status && i < s->stage.pictures; i++) status = cut(s, &s->frame[i], err);
    if (!status) status = show_stage_set(&s->stage, err);
    char outside[60] = "";
    if (s->stage.outside)
        snprintf(outside, sizeof outside, "; %d bodies are outside", s->stage.outside);
    snprintf(s->caption, sizeof s->caption, "%.150s: %s, θ = %g, h = %g %s%s; scree %s", s->title,
             scree_scheme_name(scheme->name), scheme->theta, scheme->step, unit(s, "s").text,
             outside, version);
    return status;
}

typedef struct album {  // states of a run with a view that holds for all of them
    show_sketch sketch;
    sheet sheet;
    int frames;
} album;

static void close_album(album *a) {
    for (int i = 0; a->sheet.frame && i < a->frames; i++) show_frame_free(&a->sheet.frame[i]);
    free(a->sheet.frame);
    show_stage_free(&a->sheet.stage);
    show_sketch_free(&a->sketch);
}

static scree_status open_album(album *a, scree_run_reader *reader,
                               const show_bodies_options *options, const double *at, int frames,
                               scree_error *err) {
    sheet *s = &a->sheet;
    a->frames = frames;
    s->frame = calloc((size_t)frames, sizeof *s->frame);
    s->title = reader->title[0] ? reader->title : reader->scene_file;
    s->stopped = reader->stopped;
    scree_status status = s->frame ? show_sketch_runs(&a->sketch, &reader, NULL, 1, err)
                                   : scree_fail_memory(err, "a figure");
    if (!status) status = check_shapes(a->sketch.run[0].model, reader->path, err);
    for (int i = 0; !status && i < frames; i++)
        status = show_frame_load(&a->sketch.run[0], at[i], &s->frame[i], err);
    if (status) return status;
    const show_run *run = &a->sketch.run[0];
    s->stage = (show_stage){ .model = run->model,
                             .units = show_run_units(run),
                             .h = run->options->scheme.step,
                             .options = options,
                             .frame = s->frame,
                             .pictures = frames };
    return prepare(s, &run->options->scheme, reader->version, err);
}

scree_status show_draw_bodies(scree_run_reader *reader, const show_bodies_options *options,
                              const char *file, scree_error *err) {
    album a = { 0 };
    scree_status status = open_album(&a, reader, options, options->at, options->pictures, err);
    if (!status) status = draw(&a.sheet, file, err);
    close_album(&a);
    return status;
}

scree_status show_draw_sequence(scree_run_reader *reader, const show_bodies_options *options,
                                show_sequence *sequence, scree_error *err) {
    enum { LOOKS = 9 };  // at the run, for a view that holds for all of it
    double at[LOOKS];
    scree_frame_row first = { 0 }, last = { 0 };
    album a = { 0 };
    if (reader->frames < 1)
        return scree_fail(err, SCREE_BAD_INPUT, (scree_source_location){ reader->path, 0, 0 },
                          "holds no states");
    scree_status status = scree_run_reader_frames(reader, 0, 1, &first, err);
    if (!status) status = scree_run_reader_frames(reader, reader->frames - 1, 1, &last, err);
    if (status) return status;
    double way = last.time - first.time;
    for (int i = 0; i < LOOKS; i++) at[i] = first.time + way * i / (LOOKS - 1);
    status = open_album(&a, reader, options, at, LOOKS, err);
    for (int i = 0; !status && i < sequence->pictures; i++) {
        show_frame frame = { 0 };
        sheet one = a.sheet;
        double share = sequence->pictures > 1 ? (double)i / (sequence->pictures - 1) : 1;
        status = show_frame_load(&a.sketch.run[0], first.time + way * share, &frame, err);
        one.frame = one.stage.frame = &frame;
        one.stage.pictures = 1;
        const char *file = sequence->name(sequence->with, i);
        if (!status) status = cut(&one, &frame, err);
        if (!status)
            status = file ? draw(&one, file, err)
                          : scree_fail(err, SCREE_INTERRUPTED, SCREE_NOWHERE, "stopped");
        show_frame_free(&frame);
    }
    close_album(&a);
    return status;
}

// contacts of a record as rows of a run file
static scree_contact_row *rows_of(const scree_step_record *record) {
    scree_contact_row *row = calloc((size_t)record->contacts + 1, sizeof *row);
    for (int i = 0; row && i < record->contacts; i++) row[i].contact = record->contact[i];
    return row;
}

scree_status show_draw_start(const scree_simulation *simulation, const scree_step_record *held,
                             const char *title, const show_bodies_options *options,
                             const char *file, scree_error *err) {
    const scree_model *model = scree_simulation_model(simulation);
    const scree_state *state = scree_simulation_state(simulation);
    const scree_run_options *run = scree_simulation_options(simulation);
    scree_status status = check_shapes(model, title, err);
    if (status) return status;
    int elements = 0;
    for (int e = 0; e < model->elastics; e++) elements += model->elastic[e].mesh.elements;
    show_frame frame = { .row = { .step = state->step, .time = state->time },
                         .q = state->q,
                         .v = state->v,
                         .mises = calloc((size_t)elements + 1, sizeof *frame.mises),
                         .contact = held ? rows_of(held) : NULL };
    if (!frame.mises || (held && !frame.contact)) {
        free(frame.mises);
        free(frame.contact);
        return scree_fail_memory(err, "a figure");
    }
    if (held) frame.row.contacts = held->contacts;
    sheet s = { .frame = &frame,
                .title = title,
                .stage = { .model = model,
                           .units = scree_scene_units(scree_simulation_scene(simulation)),
                           .h = run->scheme.step,
                           .options = options,
                           .frame = &frame,
                           .pictures = 1 } };
    status = prepare(&s, &run->scheme, scree_version(), err);
    if (!status) status = draw(&s, file, err);
    show_stage_free(&s.stage);
    free(frame.hidden);
    free(frame.mises);
    free(frame.contact);
    return status;
}
