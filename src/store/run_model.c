// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// run_model.c - the model in a run file: tables of bodies, shapes and laws for whoever reads it.
//
// scree itself makes the model of the scene again; these tables are for others.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "law/impact.h"
#include "model/inertia.h"
#include "scree/fem.h"
#include "scree/geometry.h"
#include "scree/joint.h"
#include "store/run_header.h"
#include "store/run_mesh.h"
#include "store/sheet.h"

enum { AXES = 3, TENSOR = 6, QUATERNION = 4 };

// ---- bodies: rigid ones, then elastic ones, as contacts count them

static const scree_sheet_field body_fields[] = {
    { "name", 's', 1 },         { "kind", 's', 1 },        { "group", 's', 1 },
    { "fixed", 'b', 1 },        { "driven", 'b', 1 },      { "mass", 'd', 1 },
    { "inertia", 'd', TENSOR }, { "position", 'd', AXES }, { "birth", 'd', 1 },
    { "removal", 'd', 1 },      { "coordinate", 'i', 1 },  { "coordinates", 'i', 1 },
    { "dof", 'i', 1 },          { "dofs", 'i', 1 },
};
enum {
    NAME,
    KIND,
    GROUP,
    FIXED,
    DRIVEN,
    MASS,
    INERTIA,
    POSITION,
    BIRTH,
    REMOVAL,
    COORDINATE,
    COORDINATES,
    DOF,
    DOFS,
    BODY_FIELDS
};

static const char *group_name(const scree_model *model, int group) {
    return group > 0 ? model->group[group] : "";
}

static void get_elastic(const scree_model *model, const scree_elastic_body *body, int field,
                        scree_sheet_value *value) {
    int numbers = body->mesh.nodes * model->space;
    switch (field) {
        case NAME:
            value->text = body->name;
            break;
        case KIND:
            value->text = "elastic";
            break;
        case GROUP:
            value->text = group_name(model, body->group);
            break;
        case MASS:
        case INERTIA:
        case POSITION:
            for (int k = 0; k < TENSOR; k++) value->number[k] = NAN;
            break;
        case REMOVAL:
            value->number[0] = HUGE_VAL;
            break;
        case COORDINATE:
            value->integer = body->coordinate;
            break;
        case DOF:
            value->integer = body->dof;
            break;
        case COORDINATES:
        case DOFS:
            value->integer = numbers;
            break;
        default:
            break;
    }
}

static void get_inertia(const scree_model *model, const scree_body *body, double *out) {
    bool moves = scree_body_moves(body);
    if (model->space == 3) memcpy(out, body->tensor, sizeof body->tensor);
    if (model->space == 2) out[TENSOR - 1] = body->inertia;
    for (int k = 0; !moves && k < TENSOR; k++) out[k] = HUGE_VAL;
}

static void get_rigid(const scree_model *model, int i, int field, scree_sheet_value *value) {
    const scree_body *body = &model->body[i];
    switch (field) {
        case NAME:
            value->text = body->name;
            break;
        case KIND:
            value->text = "rigid";
            break;
        case GROUP:
            value->text = group_name(model, body->group);
            break;
        case FIXED:
            value->integer = body->fixed && !body->driven;
            break;
        case DRIVEN:
            value->integer = body->driven;
            break;
        case MASS:
            value->number[0] = scree_body_moves(body) ? body->mass : HUGE_VAL;
            break;
        case INERTIA:
            get_inertia(model, body, value->number);
            break;
        case POSITION:
            memcpy(value->number, body->position, sizeof body->position);
            break;
        case BIRTH:
            value->number[0] = body->birth_time;
            break;
        case REMOVAL:
            value->number[0] = body->removal_time > 0 ? body->removal_time : HUGE_VAL;
            break;
        case COORDINATE:
            value->integer = (long long)i * model->body_coordinates;
            break;
        case DOF:
            value->integer = (long long)i * model->body_dofs;
            break;
        case COORDINATES:
            value->integer = model->body_coordinates;
            break;
        default:
            value->integer = model->body_dofs;
    }
}

static void get_body(const void *data, int row, int field, scree_sheet_value *value) {
    const scree_model *model = data;
    if (row < model->bodies)
        get_rigid(model, row, field, value);
    else
        get_elastic(model, &model->elastic[row - model->bodies], field, value);
}

// ---- shapes, with outlines that can be drawn

typedef struct outlines {
    const scree_model *model;
    const scree_geometry *geometry;
    long long *point, *polygon;  // where those of a shape begin       (shapes + 1)
} outlines;

static const scree_sheet_field shape_fields[] = {
    { "body", 'i', 1 },          { "kind", 's', 1 },         { "ball", 'b', 1 },
    { "line", 'b', 1 },          { "endless", 'b', 1 },      { "at", 'd', AXES },
    { "turn", 'd', QUATERNION }, { "normal", 'd', AXES },    { "radius", 'd', 1 },
    { "size", 'd', AXES },       { "first_vertex", 'l', 1 }, { "vertices", 'l', 1 },
    { "first_face", 'l', 1 },    { "faces", 'l', 1 },
};
enum {
    BODY,
    SHAPE_KIND,
    BALL,
    LINE,
    ENDLESS,
    AT,
    TURN,
    NORMAL,
    RADIUS,
    SIZE,
    FIRST_VERTEX,
    VERTICES,
    FIRST_FACE,
    FACES,
    SHAPE_FIELDS
};

static void get_turn(const scree_model *model, const scree_shape *shape, double *out) {
    if (model->space == 3) memcpy(out, shape->turn, sizeof shape->turn);
    if (model->space == 2) {
        out[0] = cos(shape->angle / 2);
        out[3] = sin(shape->angle / 2);
    }
    if (out[0] == 0 && out[1] == 0 && out[2] == 0 && out[3] == 0) out[0] = 1;
}

static void get_outline(const outlines *all, int row, int field, scree_sheet_value *value) {
    const scree_outline *outline = &all->geometry->outline[row];
    switch (field) {
        case BALL:
            value->integer = outline->ball;
            break;
        case LINE:
            value->integer = outline->line;
            break;
        case ENDLESS:
            value->integer = outline->endless;
            break;
        case FIRST_VERTEX:
            value->integer = all->point[row];
            break;
        case VERTICES:
            value->integer = all->point[row + 1] - all->point[row];
            break;
        case FIRST_FACE:
            value->integer = all->polygon[row];
            break;
        default:
            value->integer = all->polygon[row + 1] - all->polygon[row];
    }
}

static void get_shape(const void *data, int row, int field, scree_sheet_value *value) {
    const outlines *all = data;
    const scree_shape *shape = &all->model->shape[row];
    switch (field) {
        case BODY:
            value->integer = shape->body;
            break;
        case SHAPE_KIND:
            value->text = scree_shape_kind_name(shape->kind);
            break;
        case AT:
            memcpy(value->number, shape->at, sizeof shape->at);
            break;
        case TURN:
            get_turn(all->model, shape, value->number);
            break;
        case NORMAL:
            memcpy(value->number, shape->normal, sizeof shape->normal);
            break;
        case RADIUS:
            value->number[0] = shape->radius;
            break;
        case SIZE:
            memcpy(value->number, shape->size, sizeof shape->size);
            break;
        default:
            get_outline(all, row, field, value);
    }
}

// corners of all shapes one behind the other, and the lists of faces
static void write_outlines(hid_t where, outlines *all, bool *fine) {
    int shapes = all->geometry->outlines;
    for (int s = 0; s < shapes; s++) {
        const scree_outline *one = &all->geometry->outline[s];
        all->point[s + 1] = all->point[s] + one->points;
        all->polygon[s + 1] = all->polygon[s] + one->polygons;
    }
    long long points = all->point[shapes], polygons = all->polygon[shapes], corners = 0;
    for (int s = 0; s < shapes; s++) {
        const scree_outline *one = &all->geometry->outline[s];
        if (one->polygons) corners += one->first[one->polygons];
    }
    double *point = calloc((size_t)points * AXES + 1, sizeof *point);
    int *first = calloc((size_t)polygons + 1, sizeof *first);
    int *corner = calloc((size_t)corners + 1, sizeof *corner);
    *fine = *fine && point && first && corner && corners < INT32_MAX;
    int at = 0, face = 0;
    for (int s = 0; *fine && s < shapes; s++) {
        const scree_outline *one = &all->geometry->outline[s];
        if (one->points)
            memcpy(point + all->point[s] * AXES, one->point,
                   (size_t)one->points * AXES * sizeof *point);
        for (int p = 0; p < one->polygons; p++) {
            for (int c = one->first[p]; c < one->first[p + 1]; c++)
                corner[at++] = (int)all->point[s] + one->corner[c];
            first[++face] = at;
        }
    }
    if (*fine) {
        scree_layout_put_array(where, "vertices", H5T_IEEE_F64LE, (int)points, AXES, point, fine);
        scree_layout_put_array(where, "face_first", H5T_STD_I32LE, (int)polygons + 1, 1, first,
                               fine);
        scree_layout_put_array(where, "face_vertices", H5T_STD_I32LE, at, 1, corner, fine);
    }
    free(point);
    free(first);
    free(corner);
}

static void write_shapes(hid_t where, const scree_model *model, const double *q, bool *fine) {
    double low[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL }, high[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
    for (int s = 0; s < model->shapes; s++) scree_geometry_surround(model, s, q, 0, low, high);
    const scree_view view = scree_view_of_box(model->space, low, high);
    scree_geometry *geometry = NULL;
    size_t room = (size_t)model->shapes + 1;
    outlines all = { model, NULL, calloc(room, sizeof *all.point),
                     calloc(room, sizeof *all.point) };
    *fine = *fine && all.point && all.polygon &&
            scree_geometry_new(model, q, &view, &geometry, NULL) == SCREE_OK;
    all.geometry = geometry;
    if (*fine) write_outlines(where, &all, fine);
    const scree_sheet sheet = { shape_fields, SHAPE_FIELDS, model->shapes, get_shape, &all };
    if (*fine) scree_sheet_put(where, "shapes", &sheet, fine);
    scree_geometry_free(geometry);
    free(all.point);
    free(all.polygon);
}

// ---- laws between bodies as the scheme takes them, then those of a system's contacts

typedef struct law_list {
    const scree_model *model;
    const scree_scheme_options *scheme;
    int pairs;
} law_list;

static const scree_sheet_field law_fields[] = {
    { "a", 's', 1 },
    { "b", 's', 1 },
    { "restitution", 'd', 1 },
    { "tangential_restitution", 'd', 1 },
    { "friction", 'd', 1 },
    { "friction_across", 'd', 1 },
    { "friction_axis", 'd', AXES },
    { "rolling", 'd', 1 },
    { "cohesion", 'd', 1 },
    { "impact", 's', 1 },
    { "contact", 'b', 1 },
};
enum {
    SIDE_A,
    SIDE_B,
    RESTITUTION,
    TANGENTIAL,
    FRICTION,
    ACROSS,
    AXIS,
    ROLLING,
    COHESION,
    IMPACT,
    CONTACT,
    LAW_FIELDS
};

static const char *side_of(const law_list *list, int row, int side) {
    const scree_model *model = list->model;
    if (row >= list->pairs) return side ? "" : model->matrix_contact[row - list->pairs].name;
    const char *name = scree_model_law_side(model, row, side);
    return name ? name : "any";
}

static void get_law(const void *data, int row, int field, scree_sheet_value *value) {
    const law_list *list = data;
    const scree_law *given = row < list->pairs
                                 ? scree_model_laws(list->model, row)
                                 : &list->model->matrix_contact[row - list->pairs].law;
    const scree_law law = scree_impact_resolve(given, list->scheme);
    const double number[LAW_FIELDS] = {
        [RESTITUTION] = law.restitution, [TANGENTIAL] = law.tangential_restitution,
        [FRICTION] = law.friction,       [ACROSS] = law.friction_across,
        [ROLLING] = law.rolling,         [COHESION] = law.cohesion
    };
    if (field <= SIDE_B)
        value->text = side_of(list, row, field);
    else if (field == IMPACT)
        value->text = law.impact == SCREE_IMPACT_FREMOND ? "fremond" : "newton";
    else if (field == CONTACT)
        value->integer = !law.apart;
    else if (field == AXIS)
        memcpy(value->number, law.friction_axis, sizeof law.friction_axis);
    else
        value->number[0] = number[field];
}

static void write_laws(hid_t where, const scree_model *model, const scree_scheme_options *scheme,
                       bool *fine) {
    law_list list = { model, scheme, 0 };
    while (scree_model_laws(model, list.pairs)) list.pairs++;
    const scree_sheet sheet = { law_fields, LAW_FIELDS, list.pairs + model->matrix_contacts,
                                get_law, &list };
    scree_sheet_put(where, "laws", &sheet, fine);
}

// ---- joints, and springs between two points, which are joints without equations

static const scree_sheet_field joint_fields[] = {
    { "name", 's', 1 },
    { "kind", 's', 1 },
    { "a", 'i', 1 },
    { "b", 'i', 1 },
    { "anchor_a", 'd', AXES },
    { "anchor_b", 'd', AXES },
    { "axis", 'd', AXES },
    { "lower", 'd', 1 },
    { "upper", 'd', 1 },
    { "restitution", 'd', 1 },
    { "friction", 'd', 1 },
    { "radius", 'd', 1 },
    { "dry_friction", 'd', 1 },
    { "clearance", 'd', 1 },
};
enum { JOINT_NAME, JOINT_KIND, JOINT_A, JOINT_B, ANCHOR_A, ANCHOR_B, JOINT_AXIS, JOINT_NUMBERS };
enum { JOINT_FIELDS = sizeof joint_fields / sizeof *joint_fields };

static void get_joint(const void *data, int row, int field, scree_sheet_value *value) {
    const scree_joint *joint = &((const scree_model *)data)->joint[row];
    const double number[] = { joint->lower,    joint->upper,  joint->restitution,
                              joint->friction, joint->radius, joint->dry_friction,
                              joint->clearance };
    if (field == JOINT_NAME)
        value->text = joint->name;
    else if (field == JOINT_KIND)
        value->text = scree_joint_kind_name(joint->kind);
    else if (field <= JOINT_B)
        value->integer = field == JOINT_A ? joint->a : joint->b;
    else if (field < JOINT_NUMBERS)
        memcpy(value->number, field == JOINT_AXIS ? joint->axis : joint->anchor[field - ANCHOR_A],
               sizeof joint->axis);
    else
        value->number[0] = number[field - JOINT_NUMBERS];
}

// ---- all of it

static void write_sizes(hid_t group, const scree_model *model, bool *fine) {
    int own = model->system.coordinates + scree_model_group_of(model, "mechanism").coordinates;
    const struct {
        const char *name;
        int value;
    } size[] = { { "dofs", model->dofs },
                 { "dimension", model->dimension },
                 { "space", model->space },
                 { "coordinates", model->coordinates },
                 { "system_coordinates", own } };
    for (size_t i = 0; i < sizeof size / sizeof *size; i++)
        scree_layout_put_number(group, size[i].name, H5T_NATIVE_INT, &size[i].value, fine);
}

static void write_period(hid_t group, const scree_model *model, bool *fine) {
    const hsize_t axes = AXES;
    if (!model->periodic) return;
    hid_t type = H5Tarray_create2(H5T_NATIVE_DOUBLE, 1, &axes);
    scree_layout_put_number(group, "periodic", type, model->period, fine);
    H5Tclose(type);
}

void scree_run_model_write(hid_t file, const scree_model *model, const scree_scheme_options *scheme,
                           const double *q, bool *fine) {
    hid_t group = scree_layout_group(file, "model");
    *fine = *fine && group >= 0;
    if (!*fine) return;
    write_sizes(group, model, fine);
    write_period(group, model, fine);
    scree_layout_put_array(group, "gravity", H5T_IEEE_F64LE, AXES, 1, model->gravity, fine);
    const scree_sheet bodies = { body_fields, BODY_FIELDS, model->bodies + model->elastics,
                                 get_body, model };
    scree_sheet_put(group, "bodies", &bodies, fine);
    write_shapes(group, model, q, fine);
    write_laws(group, model, scheme, fine);
    const scree_sheet joints = { joint_fields, JOINT_FIELDS, model->joints, get_joint, model };
    if (model->joints) scree_sheet_put(group, "joints", &joints, fine);
    const char **name = calloc((size_t)model->matrix_contacts + 1, sizeof *name);
    *fine = *fine && name;
    for (int i = 0; name && i < model->matrix_contacts; i++)
        name[i] = model->matrix_contact[i].name;
    if (name) scree_layout_put_texts(group, "system_contacts", name, model->matrix_contacts, fine);
    free(name);
    scree_run_mesh_write(group, model, fine);
    H5Gclose(group);
}
