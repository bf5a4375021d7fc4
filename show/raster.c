// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// raster.c - balls and polygons in space -> pixels.
// in: places, colours.   out: an image, four samples for each pixel that is painted.

#include "show/raster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 2 };  // along each side of a pixel

static const double LIGHT[3] = { -0.41, 0.51, 0.76 };  // towards it, as the camera sees it
static const double DARK = 0.42;                       // what is seen without light
static const double PI = 3.14159265358979323846;

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double a[3], const double b[3], double c[3]) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

static void normalize(double a[3]) {
    double length = sqrt(dot(a, a));
    for (int k = 0; k < 3; k++) a[k] /= length > 0 ? length : 1;
}

show_camera show_camera_at(const double up[3], double azimuth, double elevation) {
    show_camera camera;
    double first[3] = { 1, 0, 0 }, second[3], along;
    double phi = azimuth * PI / 180, rise = elevation * PI / 180;
    if (fabs(up[0]) > 0.9 * sqrt(dot(up, up))) first[0] = 0, first[1] = 1;
    along = dot(first, up) / dot(up, up);
    for (int k = 0; k < 3; k++) first[k] -= along * up[k];
    normalize(first);
    cross(up, first, second);
    normalize(second);
    double vertical[3] = { up[0], up[1], up[2] };
    normalize(vertical);
    for (int k = 0; k < 3; k++) {
        camera.eye[k] =
            cos(rise) * (cos(phi) * first[k] + sin(phi) * second[k]) + sin(rise) * vertical[k];
        camera.right[k] = cos(phi) * second[k] - sin(phi) * first[k];
    }
    cross(camera.eye, camera.right, camera.up);
    return camera;
}

void show_camera_project(const show_camera *camera, const double x[3], double at[3]) {
    at[0] = dot(camera->right, x);
    at[1] = dot(camera->up, x);
    at[2] = dot(camera->eye, x);
}

bool show_raster_open(show_raster *r, const show_camera *camera, const double low[2],
                      const double high[2], double points, double finer) {
    double across = high[0] - low[0], up = high[1] - low[1];
    r->camera = *camera;
    r->low[0] = low[0];
    r->low[1] = low[1];
    r->width = SAMPLES * (int)ceil(points * finer);
    r->scale = r->width / across;
    r->height = SAMPLES * (int)ceil(points * finer * up / across);
    size_t pixels = (size_t)r->width * (size_t)r->height;
    r->depth = malloc(pixels * sizeof *r->depth);
    r->rgb = malloc(3 * pixels);
    if (!r->depth || !r->rgb) return false;
    for (size_t i = 0; i < pixels; i++) r->depth[i] = -INFINITY;
    memset(r->rgb, 255, 3 * pixels);
    return true;
}

void show_raster_close(show_raster *r) {
    free(r->depth);
    free(r->rgb);
    *r = (show_raster){ 0 };
}

// camera coordinates -> pixels, y down
static void to_pixels(const show_raster *r, const double x[3], double at[3]) {
    show_camera_project(&r->camera, x, at);
    at[0] = (at[0] - r->low[0]) * r->scale;
    at[1] = r->height - (at[1] - r->low[1]) * r->scale;
}

static void put(show_raster *r, int i, int j, double depth, const double rgb[3], double light) {
    size_t at = (size_t)j * (size_t)r->width + (size_t)i;
    if (i < 0 || j < 0 || i >= r->width || j >= r->height || !(depth > (double)r->depth[at]))
        return;
    r->depth[at] = (float)depth;
    for (int k = 0; k < 3; k++) r->rgb[3 * at + (size_t)k] = (unsigned char)(255 * light * rgb[k]);
}

static double shade(double x, double y, double z) {
    double light = x * LIGHT[0] + y * LIGHT[1] + z * LIGHT[2];
    return DARK + (1 - DARK) * fmax(light, 0);
}

static int within(double x, int size) { return x < 0 ? 0 : x > size ? size : (int)x; }

void show_raster_ball(show_raster *r, const double x[3], double radius, const double rgb[3]) {
    double at[3], size = fmax(radius * r->scale, 0.5);
    to_pixels(r, x, at);
    if (!isfinite(at[0]) || !isfinite(at[1])) return;
    int left = within(floor(at[0] - size), r->width), right = within(at[0] + size + 2, r->width);
    int top = within(floor(at[1] - size), r->height), low = within(at[1] + size + 2, r->height);
    for (int j = top; j < low; j++)
        for (int i = left; i < right; i++) {
            double u = (i + 0.5 - at[0]) / size, v = (at[1] - j - 0.5) / size;
            double square = 1 - u * u - v * v;
            if (square < 0) continue;
            double z = sqrt(square);
            // a dark rim tells neighbours apart
            double rim = z < 0.35 && size > 4 ? 0.55 + 0.45 * z / 0.35 : 1;
            put(r, i, j, at[2] + z * radius, rgb, rim * shade(u, v, z));
        }
}

static double edge(const double a[3], const double b[3], double x, double y) {
    return (b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]);
}

static void fill_triangle(show_raster *r, double a[3], double b[3], double c[3],
                          const double rgb[3], double light) {
    double area = edge(a, b, c[0], c[1]);
    if (area == 0 || !isfinite(area)) return;
    int left = within(floor(fmin(a[0], fmin(b[0], c[0]))), r->width);
    int right = within(ceil(fmax(a[0], fmax(b[0], c[0]))) + 1, r->width);
    int top = within(floor(fmin(a[1], fmin(b[1], c[1]))), r->height);
    int low = within(ceil(fmax(a[1], fmax(b[1], c[1]))) + 1, r->height);
    for (int j = top; j < low; j++)
        for (int i = left; i < right; i++) {
            double u = edge(b, c, i + 0.5, j + 0.5) / area;
            double v = edge(c, a, i + 0.5, j + 0.5) / area, w = 1 - u - v;
            if (u < 0 || v < 0 || w < 0) continue;
            put(r, i, j, u * a[2] + v * b[2] + w * c[2], rgb, light);
        }
}

// a dark line a little in front of the faces
static void draw_edge(show_raster *r, const double a[3], const double b[3], const double rgb[3]) {
    double across = b[0] - a[0], down = b[1] - a[1], size = fmax(fabs(across), fabs(down));
    if (!(size < 4.0 * (r->width + r->height))) return;
    int steps = (int)ceil(size) + 1;
    for (int k = 0; k <= steps; k++) {
        double share = (double)k / steps, depth = a[2] + share * (b[2] - a[2]) + 1.5 / r->scale;
        int i = (int)floor(a[0] + share * across), j = (int)floor(a[1] + share * down);
        for (int s = 0; s < SAMPLES * SAMPLES; s++)
            put(r, i + s % SAMPLES, j + s / SAMPLES, depth, rgb, 0.5);
    }
}

void show_raster_polygon(show_raster *r, int count, const double *x, const double rgb[3],
                         bool edges) {
    double normal[3] = { 0 }, facing[3], a[3], b[3], c[3];
    for (int i = 1; i + 1 < count; i++) {  // Newell's sum: also right where corners are in a line
        double p[3], q[3], n[3];
        for (int k = 0; k < 3; k++) {
            p[k] = x[3 * i + k] - x[k];
            q[k] = x[3 * i + 3 + k] - x[k];
        }
        cross(p, q, n);
        for (int k = 0; k < 3; k++) normal[k] += n[k];
    }
    normalize(normal);
    show_camera_project(&r->camera, normal, facing);
    if (!(facing[2] > 0)) return;
    double light = shade(facing[0], facing[1], facing[2]);
    to_pixels(r, x, a);
    for (int i = 1; i + 1 < count; i++) {
        to_pixels(r, x + 3 * (size_t)i, b);
        to_pixels(r, x + 3 * (size_t)i + 3, c);
        fill_triangle(r, a, b, c, rgb, light);
    }
    for (int i = 0; edges && i < count; i++) {
        to_pixels(r, x + 3 * (size_t)i, a);
        to_pixels(r, x + 3 * (size_t)((i + 1) % count), b);
        draw_edge(r, a, b, rgb);
    }
}

bool show_raster_hides(const show_raster *r, const double x[3], double reach) {
    double at[3];
    if (!r->depth) return false;
    to_pixels(r, x, at);
    if (!(at[0] >= 0 && at[0] < r->width && at[1] >= 0 && at[1] < r->height)) return true;
    size_t pixel = (size_t)at[1] * (size_t)r->width + (size_t)at[0];
    return (double)r->depth[pixel] > at[2] + reach;
}

// the mean of the samples of a pixel
static unsigned pixel_of(const show_raster *r, int i, int j) {
    unsigned sum[3] = { 0 };
    for (int s = 0; s < SAMPLES * SAMPLES; s++) {
        size_t at = (size_t)(j * SAMPLES + s / SAMPLES) * (size_t)r->width +
                    (size_t)(i * SAMPLES + s % SAMPLES);
        for (int k = 0; k < 3; k++) sum[k] += r->rgb[3 * at + (size_t)k];
    }
    unsigned count = SAMPLES * SAMPLES;
    return sum[0] / count << 16 | sum[1] / count << 8 | sum[2] / count;
}

cairo_status_t show_raster_paint(const show_raster *r, cairo_t *cr, double left, double top,
                                 double points) {
    int width = r->width / SAMPLES, height = r->height / SAMPLES;
    cairo_surface_t *image = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height);
    cairo_status_t status = cairo_surface_status(image);
    if (!status) {
        unsigned char *data = cairo_image_surface_get_data(image);
        int stride = cairo_image_surface_get_stride(image);
        for (int j = 0; j < height; j++)
            for (int i = 0; i < width; i++) {
                unsigned pixel = pixel_of(r, i, j);
                memcpy(data + (long)j * stride + 4L * i, &pixel, sizeof pixel);
            }
        cairo_surface_mark_dirty(image);
        cairo_save(cr);
        cairo_translate(cr, left, top);
        cairo_scale(cr, points / width, points / width);
        cairo_set_source_surface(cr, image, 0, 0);
        cairo_paint(cr);
        cairo_restore(cr);
        status = cairo_status(cr);
    }
    cairo_surface_destroy(image);
    return status;
}
