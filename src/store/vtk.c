// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// vtk.c - points, cells and numbers -> .vtp and .vtu files; times -> .pvd files.
//
// A file names its arrays first, each with its place in a block of bytes at the end: a length
// of eight bytes, then the numbers.

#include "store/vtk.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 4096 };  // numbers rounded at a time

#define FIRST_LINES "<?xml version=\"1.0\"?>\n<!-- written by scree -->\n"

static const char *const byte_order =
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    "BigEndian";
#else
    "LittleEndian";
#endif

static const char *const tensor_components =
    " ComponentName0=\"xx\" ComponentName1=\"yy\" ComponentName2=\"zz\" ComponentName3=\"xy\" "
    "ComponentName4=\"yz\" ComponentName5=\"xz\"";

// an array with its place: named in the first pass, written in the second
typedef struct block {
    const char *name;
    scree_vtk_type type;
    int components;
    int64_t tuples;
    const void *data;
} block;

typedef struct writer {
    FILE *out;
    bool single;
    uint64_t offset;
    int blocks;
    block block[2 * SCREE_VTK_ARRAYS + 8];
} writer;

static const char *type_name(scree_vtk_type type, bool single) {
    switch (type) {
        case SCREE_VTK_UINT8:
            return "UInt8";
        case SCREE_VTK_INT32:
            return "Int32";
        case SCREE_VTK_INT64:
            return "Int64";
        case SCREE_VTK_UINT64:
            return "UInt64";
        default:
            return single ? "Float32" : "Float64";
    }
}

static uint64_t bytes_of(const block *b, bool single) {
    bool four = b->type == SCREE_VTK_INT32 || (b->type == SCREE_VTK_NUMBER && single);
    unsigned size = b->type == SCREE_VTK_UINT8 ? 1 : four ? 4 : 8;
    return (uint64_t)b->tuples * (uint64_t)b->components * size;
}

static void name_block(writer *w, block b) {
    fprintf(w->out,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\"%s format=\"appended\" "
            "offset=\"%" PRIu64 "\"/>\n",
            type_name(b.type, w->single), b.name, b.components,
            b.components == 6 ? tensor_components : "", w->offset);
    w->offset += sizeof(uint64_t) + bytes_of(&b, w->single);
    w->block[w->blocks++] = b;
}

static void name_arrays(writer *w, const char *where, const scree_vtk_array *array, int count,
                        int64_t tuples) {
    fprintf(w->out, "<%s>\n", where);
    for (int i = 0; i < count; i++)
        name_block(
            w, (block){ array[i].name, array[i].type, array[i].components, tuples, array[i].data });
    fprintf(w->out, "</%s>\n", where);
}

static void name_cells(writer *w, const char *where, const scree_vtk_cells *cells) {
    fprintf(w->out, "<%s>\n", where);
    name_block(w, (block){ "connectivity", SCREE_VTK_INT64, 1, cells->corners, cells->corner });
    name_block(w, (block){ "offsets", SCREE_VTK_INT64, 1, cells->cells, cells->end });
    fprintf(w->out, "</%s>\n", where);
}

static void write_block(const writer *w, const block *b) {
    uint64_t bytes = bytes_of(b, w->single);
    fwrite(&bytes, sizeof bytes, 1, w->out);
    if (b->type != SCREE_VTK_NUMBER || !w->single) {
        if (bytes) fwrite(b->data, 1, bytes, w->out);
        return;
    }
    float rounded[BLOCK];
    const double *number = b->data;
    for (size_t left = bytes / sizeof(float); left > 0;) {
        size_t count = left < BLOCK ? left : BLOCK;
        for (size_t i = 0; i < count; i++) rounded[i] = (float)number[i];
        fwrite(rounded, sizeof *rounded, count, w->out);
        number += count;
        left -= count;
    }
}

// close, and remove what is not whole
static scree_status finish(FILE *out, const char *path, scree_error *err) {
    bool fine = fflush(out) == 0 && !ferror(out);
    int reason = errno;
    if (fclose(out) != 0 && fine) {
        fine = false;
        reason = errno;
    }
    if (fine) return SCREE_OK;
    remove(path);
    return scree_fail_file(err, path, "cannot be written", reason);
}

static void write_top(writer *w, const char *kind, double time) {
    fprintf(w->out,
            FIRST_LINES
            "<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"%s\" header_type=\"UInt64\">\n"
            "<%s>\n<FieldData>\n<DataArray type=\"Float64\" Name=\"TimeValue\" "
            "NumberOfTuples=\"1\" format=\"ascii\">%.17g</DataArray>\n</FieldData>\n",
            kind, byte_order, kind, time);
}

static void name_points(writer *w, const scree_vtk_data *data, int64_t cells) {
    name_arrays(w, "PointData", data->point_array, data->point_arrays, data->points);
    name_arrays(w, "CellData", data->cell_array, data->cell_arrays, cells);
    fprintf(w->out, "<Points>\n");
    name_block(w, (block){ "Points", SCREE_VTK_NUMBER, 3, data->points, data->point });
    fprintf(w->out, "</Points>\n");
}

static void write_head(writer *w, const scree_vtk_data *data, const scree_vtk_cells *vertices) {
    write_top(w, "PolyData", data->time);
    fprintf(w->out,
            "<Piece NumberOfPoints=\"%" PRId64 "\" NumberOfVerts=\"%" PRId64
            "\" NumberOfLines=\"%" PRId64 "\" NumberOfStrips=\"0\" NumberOfPolys=\"%" PRId64
            "\">\n",
            data->points, vertices->cells, data->lines.cells, data->polygons.cells);
    name_points(w, data, vertices->cells + data->lines.cells + data->polygons.cells);
    name_cells(w, "Verts", vertices);
    name_cells(w, "Lines", &data->lines);
    name_cells(w, "Polys", &data->polygons);
    fprintf(w->out, "</Piece>\n</PolyData>\n<AppendedData encoding=\"raw\">\n_");
}

static void write_grid_head(writer *w, const scree_vtk_data *data) {
    const scree_vtk_cells *grid = &data->grid;
    write_top(w, "UnstructuredGrid", data->time);
    fprintf(w->out, "<Piece NumberOfPoints=\"%" PRId64 "\" NumberOfCells=\"%" PRId64 "\">\n",
            data->points, grid->cells);
    name_points(w, data, grid->cells);
    fprintf(w->out, "<Cells>\n");
    name_block(w, (block){ "connectivity", SCREE_VTK_INT64, 1, grid->corners, grid->corner });
    name_block(w, (block){ "offsets", SCREE_VTK_INT64, 1, grid->cells, grid->end });
    name_block(w, (block){ "types", SCREE_VTK_UINT8, 1, grid->cells, data->type });
    fprintf(w->out,
            "</Cells>\n</Piece>\n</UnstructuredGrid>\n"
            "<AppendedData encoding=\"raw\">\n_");
}

scree_status scree_vtk_write(const char *path, const scree_vtk_data *data, scree_error *err) {
    // 0, 1, 2 ... serves as corners and, one further, as ends
    int64_t *counted = NULL;
    if (data->vertices) {
        counted = malloc(((size_t)data->points + 1) * sizeof *counted);
        if (!counted)
            return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory for %s", path);
        for (int64_t i = 0; i <= data->points; i++) counted[i] = i;
    }
    // vertices: corner i of cell i is point i; ends come after corners
    int64_t points = data->vertices ? data->points : 0;
    scree_vtk_cells vertices = { points, points, counted, counted ? counted + 1 : NULL };
    writer w = { .out = fopen(path, "wb"), .single = data->single };
    scree_status status = SCREE_OK;
    if (!w.out) {
        status = scree_fail_file(err, path, "cannot be created", errno);
    } else {
        if (data->grid.cells)
            write_grid_head(&w, data);
        else
            write_head(&w, data, &vertices);
        for (int i = 0; i < w.blocks; i++) write_block(&w, &w.block[i]);
        fprintf(w.out, "\n</AppendedData>\n</VTKFile>\n");
        status = finish(w.out, path, err);
    }
    free(counted);
    return status;
}

scree_status scree_vtk_collect(const char *path, const double *time, const int *part,
                               const char *const *file, int64_t count, scree_error *err) {
    FILE *out = fopen(path, "wb");
    if (!out) return scree_fail_file(err, path, "cannot be created", errno);
    fprintf(out,
            FIRST_LINES
            "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"%s\" "
            "header_type=\"UInt64\">\n<Collection>\n",
            byte_order);
    for (int64_t i = 0; i < count; i++)
        fprintf(out, "<DataSet timestep=\"%.17g\" part=\"%d\" file=\"%s\"/>\n", time[i], part[i],
                file[i]);
    fprintf(out, "</Collection>\n</VTKFile>\n");
    return finish(out, path, err);
}

bool scree_vtk_is_ours(const char *path) {
    char begin[sizeof FIRST_LINES] = "";
    FILE *file = fopen(path, "rb");
    if (!file) return false;
    size_t got = fread(begin, 1, sizeof FIRST_LINES - 1, file);
    fclose(file);
    return got == sizeof FIRST_LINES - 1 && strcmp(begin, FIRST_LINES) == 0;
}
