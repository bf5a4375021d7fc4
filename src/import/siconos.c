// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// siconos.c - scenes of Siconos' mechanics, as siconos.io.mechanics_hdf5 writes them.
// in: an HDF5 file.   out: a draft.
//
//     data/ref/SHAPE         what contactors look like
//     data/input/BODY/       a group with mass, place, velocity; a data set for each contactor
//     data/nslaws, joints, boundary_conditions
//     data/dynamic, velocities, cf   answers, if it was run
//
// The file does not say gravity, step and duration: they are seen from the answers where there are
// any, and otherwise are those that Siconos runs with by itself.

#include "import/siconos.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/formats.h"
#include "model/rotation.h"
#include "store/layout.h"

static const double siconos_gravity = 9.80665, siconos_step = 5e-4, siconos_duration = 10;

enum { ROWS_MOST = 1 << 18, SHAPES_MOST = 1 << 16, DYNAMIC_COLUMNS = 9, VELOCITY_COLUMNS = 8 };

const scree_siconos_body *scree_siconos_find_body(const scree_siconos *s, const char *name) {
    int low = 0, high = s->bodies;
    while (low < high) {
        int middle = low + (high - low) / 2;
        int order = strcmp(s->body[middle].name, name);
        if (order == 0) return &s->body[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

const scree_siconos_law *scree_siconos_find_law(const scree_siconos *s, const char *name) {
    for (int i = 0; i < s->laws; i++)
        if (strcmp(s->law[i].name, name) == 0) return &s->law[i];
    return NULL;
}

// ---- laws

static scree_status read_laws(scree_siconos *s) {
    hid_t laws = scree_siconos_open(s->data, "nslaws");
    scree_arena *arena = &s->draft->arena;
    char **name;
    int count = scree_siconos_names(laws, arena, &name);
    s->law = SCREE_NEW(arena, scree_siconos_law, count > 0 ? count : 1);
    for (int i = 0; s->law && i < count; i++) {
        hid_t node = scree_siconos_open(laws, name[i]);
        s->law[s->laws++] = (scree_siconos_law){
            .name = name[i],
            .type = scree_siconos_text(node, "type", arena),
            .group = { (int)fmin(fmax(scree_siconos_number(node, "gid1", -1), -1), 1e9),
                       (int)fmin(fmax(scree_siconos_number(node, "gid2", -1), -1), 1e9) },
            .restitution = fmin(fmax(scree_siconos_number(node, "e", 0), 0), 1),
            .friction = fmax(scree_siconos_number(node, "mu", 0), 0),
            .rolling = fmax(scree_siconos_number(node, "mu_r", 0), 0),
            .low = scree_siconos_number(node, "lb", 0),
            .high = scree_siconos_number(node, "ub", 0),
        };
        if (node >= 0) H5Oclose(node);
    }
    if (laws >= 0) H5Oclose(laws);
    return s->law ? SCREE_OK : scree_draft_no_memory(s->draft);
}

static bool has_law(const scree_siconos *s, int a, int b) {
    for (int i = 0; i < s->laws; i++) {
        const int *g = s->law[i].group;
        if (strcmp(s->law[i].type, "RelayNSL") != 0 &&
            ((g[0] == a && g[1] == b) || (g[0] == b && g[1] == a)))
            return true;
    }
    return false;
}

static bool uses_group(const scree_siconos *s, int group) {
    for (int i = 0; i < s->groups; i++)
        if (s->group[i] == group) return true;
    return false;
}

void scree_siconos_part(scree_siconos *s, const char *first, const char *second) {
    scree_siconos_pair *pair = SCREE_NEW(&s->draft->arena, scree_siconos_pair, 1);
    if (!pair) {
        scree_draft_fail(s->draft);
        return;
    }
    *pair = (scree_siconos_pair){ first, second, s->apart };
    s->apart = pair;
}

// friction laws of contacts that are known here
static void note_type(scree_siconos *s, const scree_siconos_law *law) {
    static const char *const known[] = { "NewtonImpactFrictionNSL", "NewtonImpactNSL",
                                         "NewtonImpactRollingFrictionNSL" };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(law->type, known[i]) == 0) return;
    scree_draft_note(s->draft, "law \"%s\" of the kind %s is taken for Newton's with friction",
                     law->name, *law->type ? law->type : "that is not given");
}

static void write_laws(scree_siconos *s) {
    bool apart = false;
    for (int i = 0; i < s->groups && !apart; i++)
        for (int j = 0; j <= i && !apart; j++) apart = !has_law(s, s->group[i], s->group[j]);
    // groups without a law between them pass through each other
    if (apart) scree_draft_add_law(s->draft, &(scree_draft_law){ "any", "any", .apart = true });
    for (int i = 0; i < s->laws; i++) {
        const scree_siconos_law *law = &s->law[i];
        char group[2][32];
        if (law->group[0] < 0 || law->group[1] < 0) continue;
        if (!uses_group(s, law->group[0]) || !uses_group(s, law->group[1])) continue;
        if (strcmp(law->type, "RelayNSL") == 0) {
            scree_draft_note(s->draft, "law \"%s\", a relay, is no law of contacts here",
                             law->name);
            continue;
        }
        note_type(s, law);
        for (int k = 0; k < 2; k++) snprintf(group[k], sizeof *group, "group %d", law->group[k]);
        double rolling = s->draft->space == 3 ? law->rolling : 0;
        if (law->rolling > rolling)
            scree_draft_note(s->draft, "rolling friction is for bodies in space");
        scree_draft_add_law(s->draft, &(scree_draft_law){ group[0], group[1], law->restitution,
                                                          law->friction, rolling, false });
    }
    for (const scree_siconos_pair *pair = s->apart; pair; pair = pair->before)
        scree_draft_add_law(s->draft,
                            &(scree_draft_law){ pair->first, pair->second, .apart = true });
}

// ---- bodies

static bool remember_group(scree_siconos *s, int group) {
    if (uses_group(s, group)) return true;
    if (s->groups == s->room_groups) {
        int room = s->room_groups ? 2 * s->room_groups : 16;
        int *grown = SCREE_NEW(&s->draft->arena, int, room);
        if (!grown) return false;
        if (s->groups) memcpy(grown, s->group, (size_t)s->groups * sizeof *grown);
        s->group = grown;
        s->room_groups = room;
    }
    s->group[s->groups++] = group;
    return true;
}

// the shapes of a body; those without a group are for OpenCascade alone
static bool read_shapes(scree_siconos *s, hid_t node, scree_draft_body *body, double contactor[6],
                        int **group) {
    scree_arena *arena = &s->draft->arena;
    char **name;
    double centre[3] = { 0 };
    int count = scree_siconos_names(node, arena, &name);
    scree_siconos_numbers(node, "center_of_mass", 3, centre);
    if (count < 0) count = 0;
    if (count > SHAPES_MOST) count = SHAPES_MOST;
    scree_draft_shape *shape = SCREE_NEW(arena, scree_draft_shape, count);
    *group = SCREE_NEW(arena, int, count);
    if (!shape || !*group) return false;
    for (int i = 0; i < count; i++) {
        hid_t one = scree_siconos_open(node, name[i]);
        double number = scree_siconos_number(one, "group", NAN);
        int mine = number >= 0 && number <= 1e9 ? (int)number : -1;
        if (H5Aexists(one, "type") > 0 || mine < 0)
            scree_draft_note(s->draft,
                             "body \"%s\" is without \"%s\": contact on parts of CAD "
                             "shapes is not carried over",
                             body->name, name[i]);
        else if (scree_siconos_shape(s, one, body->name, !body->fixed && !body->motion, centre,
                                     body->mass, &shape[body->shapes], contactor))
            (*group)[body->shapes++] = mine;
        if (one >= 0) H5Oclose(one);
    }
    body->shape = shape;
    return true;
}

static void read_place(scree_siconos *s, hid_t node, scree_draft_body *body) {
    double turn[4] = { 1, 0, 0, 0 }, velocity[6] = { 0 };
    int space = s->draft->space;
    if (scree_siconos_numbers(node, "translation", 3, body->position) < space)
        scree_draft_note(s->draft, "body \"%s\": its place is not in the file", body->name);
    int count = scree_siconos_numbers(node, "orientation", 4, turn);
    double length =
        sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
    scree_siconos_numbers(node, "velocity", 6, velocity);
    memcpy(body->velocity, velocity, sizeof(double) * (size_t)space);
    body->spin[0] = velocity[2];
    if (space == 2) {
        body->turn[0] = count == 1 ? turn[0] : 0;
    } else {
        for (int k = 0; k < 4; k++)
            body->turn[k] = count == 4 && length > 0 ? turn[k] / length : k == 0;
        scree_rotation_vector(body->turn, velocity + 3, body->spin);  // theirs is in body axes
    }
    body->born = fmax(scree_siconos_number(node, "time_of_birth", 0), 0);
    body->removed = fmax(scree_siconos_number(node, "time_of_death", 0), 0);
}

// what the file gives, or what Siconos takes from the last contactor
static void choose_inertia(scree_siconos *s, hid_t node, const double contactor[6],
                           scree_draft_body *body) {
    double given[9];
    int count = scree_siconos_numbers(node, "inertia", 9, given);
    bool plane = s->draft->space == 2;
    if (count == 1 && plane)
        body->inertia[0] = given[0];
    else if (count == 3 && !plane)
        memcpy(body->inertia, (double[6]){ given[0], 0, 0, given[1], 0, given[2] },
               sizeof body->inertia);
    else if (count == 9 && !plane)
        memcpy(body->inertia,
               (double[6]){ given[0], given[1], given[2], given[4], given[5], given[8] },
               sizeof body->inertia);
    else {
        memcpy(body->inertia, contactor, sizeof body->inertia);
        if (body->shapes)
            scree_draft_note(s->draft,
                             "inertias that the file does not give are those of "
                             "Siconos: of the last contactor by name, mostly as a box");
        else
            for (int k = 0; k < 6; k++) body->inertia[k] = k == 0 || k == 3 || k == 5;
    }
    if (!(body->inertia[0] > 0)) {
        body->inertia[0] = plane ? body->mass : 0;
        scree_draft_note(s->draft, "body \"%s\": its inertia is not given", body->name);
    }
}

static void hold_body(scree_siconos *s, const scree_draft_body *body,
                      const scree_siconos_held *held) {
    scree_draft_joint joint = {
        .name = body->name, .type = held->type, .first = body->name, .lower = NAN, .upper = NAN
    };
    memcpy(joint.at, body->position, sizeof joint.at);
    memcpy(joint.axis, held->axis, sizeof joint.axis);
    scree_draft_add_joint(s->draft, &joint);
}

// its shapes of one group, moved to the front; how many
static int gather(scree_draft_shape *shape, int *group, int count, int wanted) {
    int found = 0;
    for (int i = 0; i < count; i++) {
        if (group[i] != wanted) continue;
        scree_draft_shape one = shape[i];
        memmove(&shape[found + 1], &shape[found], (size_t)(i - found) * sizeof *shape);
        memmove(&group[found + 1], &group[found], (size_t)(i - found) * sizeof *group);
        shape[found] = one;
        group[found++] = wanted;
    }
    return found;
}

// parts of one body do not touch each other; what moves is held together by welds
static void join_part(scree_siconos *s, const scree_draft_body *body, scree_siconos_body *entry,
                      const char *name) {
    for (int k = 0; k < entry->parts; k++) scree_siconos_part(s, entry->part[k], name);
    entry->part[entry->parts++] = name;
    if (body->fixed || body->motion) return;
    scree_draft_joint weld = { .name = name,
                               .type = "weld",
                               .first = entry->in_scene,
                               .second = name,
                               .lower = NAN,
                               .upper = NAN };
    memcpy(weld.at, body->position, sizeof weld.at);
    scree_draft_add_joint(s->draft, &weld);
    s->welds++;
}

// Laws are between bodies here: one with contactors of several groups becomes a body for each, with
// equal shares of mass and inertia about the same centre.
static bool write_parts(scree_siconos *s, const scree_draft_body *whole, int *group,
                        scree_siconos_body *entry) {
    scree_draft_shape *shape = (scree_draft_shape *)whole->shape;
    int parts = 0, left = whole->shapes;
    for (int i = 0; i < left; parts++) i += gather(shape + i, group + i, left - i, group[i]);
    entry->part = SCREE_NEW(&s->draft->arena, const char *, parts);
    if (!entry->part) return false;
    if (parts > 1)
        scree_draft_note(
            s->draft, "body \"%s\" has contactors of several groups: it is %d bodies%s",
            whole->name, parts, whole->fixed || whole->motion ? "" : " that are welded together");
    for (int i = 0, k = 0; k < parts || k == 0; k++) {
        char group_name[32], name[300];
        scree_draft_body body = *whole;
        body.shape = shape + i;
        body.shapes = 0;
        while (i < left && group[i] == group[i - body.shapes]) body.shapes++, i++;
        snprintf(group_name, sizeof group_name, "group %d", parts ? group[i - 1] : 0);
        if (parts) body.group = group_name;
        if (parts && !remember_group(s, group[i - 1])) return false;
        if (parts > 1) body.mass /= parts;
        for (int m = 0; parts > 1 && m < 6; m++) body.inertia[m] /= parts;
        snprintf(name, sizeof name, "%.200s %s", whole->name, group_name);
        if (k > 0 && !(body.name = scree_draft_name(s->draft, name))) return false;
        scree_draft_add_body(s->draft, &body);
        if (k > 0) join_part(s, whole, entry, body.name);
    }
    return true;
}

static scree_status read_body(scree_siconos *s, const char *name) {
    hid_t node = scree_siconos_open(s->input, name);
    int *group = NULL;
    double contactor[6] = { 0 };
    scree_siconos_held held = { 0 };
    scree_draft_body body = { .mass = fmax(scree_siconos_number(node, "mass", 0), 0) };
    scree_siconos_body *entry = &s->body[s->bodies];
    body.fixed = !(body.mass > 0);
    body.name = scree_draft_name(s->draft, name);
    if (body.name) read_place(s, node, &body);
    if (body.name && !body.fixed) body.motion = scree_siconos_motion(s, name, body.turn, &held);
    bool fine = body.name && read_shapes(s, node, &body, contactor, &group);
    if (fine) {
        if (!body.fixed) choose_inertia(s, node, contactor, &body);
        if (H5Aexists(node, "fext") > 0)
            scree_draft_note(s->draft, "body \"%s\": its external force is not carried over",
                             body.name);
        *entry = (scree_siconos_body){ .name = name,
                                       .in_scene = body.name,
                                       .id = (int)scree_siconos_number(node, "id", 0),
                                       .moves = !body.fixed && !held.any,
                                       .later = body.born > 0 };
        memcpy(entry->velocity, body.velocity, sizeof body.velocity);
        memcpy(entry->position, body.position, sizeof body.position);
        memcpy(entry->turn, body.turn, sizeof body.turn);
        s->bodies++;
        fine = write_parts(s, &body, group, entry);
        if (fine && held.type) hold_body(s, &body, &held);
    }
    if (node >= 0) H5Oclose(node);
    return fine ? SCREE_OK : scree_draft_no_memory(s->draft);
}

// ---- what the answers tell

double scree_siconos_digits(double x, int count) {
    char text[40];
    snprintf(text, sizeof text, "%.*g", count, x);
    return strtod(text, NULL);
}

// The first step is stored, and then every so many of them: what is first, or next apart. Times are
// in single precision, so the whole time is cut into such steps.
static void infer_times(scree_siconos *s, const scree_siconos_table *rows, hid_t set, double *step,
                        double *duration) {
    scree_siconos_table last;
    double time[2] = { 0, 0 };
    int found = 0;
    *step = *duration = NAN;
    for (int i = 0; i < rows->rows && found < 2; i++) {
        double t = rows->value[(size_t)i * (size_t)rows->columns];
        if (t > (found ? time[0] : 0) + 1e-9) time[found++] = t;
    }
    if (!found || !scree_siconos_read(set, &s->draft->arena, -1, 1, &last)) return;
    double apart = found == 2 ? fmin(time[0], time[1] - time[0]) : time[0];
    double count = round((last.value[0] - time[0]) / apart);
    double whole = count >= 1 ? (last.value[0] - time[0]) / count : apart;
    *step = scree_siconos_digits(fabs(whole - apart) < 1e-2 * apart ? whole : apart, 6);
    *duration = scree_siconos_digits(last.value[0], 6);
}

// is a force on it until then?
static bool is_touched(const scree_siconos_table *forces, double id, double until) {
    for (int i = 0; forces->columns >= 26 && i < forces->rows; i++) {
        const double *row = &forces->value[(size_t)i * (size_t)forces->columns];
        if (row[0] > until) break;
        if (row[24] == id || row[25] == id) return true;
    }
    return false;
}

// The acceleration of bodies that nothing touches in the first step; their velocities at the start
// are those of the scene. False if they disagree or there is none.
static bool infer_gravity(const scree_siconos *s, const scree_siconos_table *v,
                          const scree_siconos_table *forces, double g[3]) {
    int seen = 0, space = s->draft->space;
    double time = NAN;
    for (int i = 0; i < v->rows && v->columns == VELOCITY_COLUMNS; i++) {
        const double *row = &v->value[(size_t)i * VELOCITY_COLUMNS];
        if (row[0] > 0 && isnan(time)) time = row[0];
        const scree_siconos_body *body = NULL;
        for (int k = 0; k < s->bodies && row[0] == time; k++)
            if (s->body[k].moves && !s->body[k].later && s->body[k].id == (int)row[1])
                body = &s->body[k];
        if (!body || is_touched(forces, row[1], time)) continue;
        for (int k = 0; k < space; k++) {
            double a = (row[2 + k] - body->velocity[k]) / time;
            if (seen && fabs(a - g[k]) > 1e-3 * (1 + fabs(g[k]))) return false;
            if (!seen) g[k] = a;
        }
        seen++;
    }
    return seen > 0;
}

static void choose_gravity(scree_siconos *s, const scree_siconos_table *v,
                           const scree_siconos_table *forces) {
    double seen[3] = { 0 }, usual[3] = { 0 };
    int down = s->draft->space - 1;
    usual[down] = -siconos_gravity;
    bool saw = s->draft->joints == s->welds && infer_gravity(s, v, forces, seen);
    double off = 0;
    for (int k = 0; k < 3; k++) off = fmax(off, fabs(seen[k] - usual[k]));
    bool other = saw && off > 1e-2;
    for (int k = 0; k < 3; k++)
        s->draft->gravity[k] =
            scree_draft_choose(s->draft->options->gravity[k], NAN,
                               other ? scree_siconos_digits(seen[k], 4) : usual[k]);
    if (!isnan(s->draft->options->gravity[down])) return;
    if (other)
        scree_draft_note(s->draft,
                         "gravity, which the file does not give, is what its bodies are "
                         "seen to fall with");
    else
        scree_draft_note(s->draft, "gravity, which the file does not give, is Siconos' own%s",
                         saw ? ", as its bodies are seen to fall"
                             : " (--gravity); forces by functions are not in the file either");
}

static void read_answers(scree_siconos *s, bool gravity) {
    scree_arena *arena = &s->draft->arena;
    const scree_import_options *o = s->draft->options;
    scree_siconos_table positions = { 0 }, velocities = { 0 }, forces = { 0 };
    if (gravity) {
        hid_t set = scree_siconos_open(s->data, "velocities"),
              cf = scree_siconos_open(s->data, "cf");
        scree_siconos_read(set, arena, 0, 4 * s->bodies + 8, &velocities);
        scree_siconos_read(cf, arena, 0, ROWS_MOST, &forces);
        choose_gravity(s, &velocities, &forces);
        if (set >= 0) H5Oclose(set);
        if (cf >= 0) H5Oclose(cf);
        return;
    }
    double step = NAN, duration = NAN;
    hid_t set = scree_siconos_open(s->data, "dynamic");
    if (scree_siconos_read(set, arena, 0, ROWS_MOST, &positions) &&
        positions.columns == DYNAMIC_COLUMNS)
        infer_times(s, &positions, set, &step, &duration);
    if (set >= 0) H5Oclose(set);
    s->draft->step = scree_draft_choose(o->step, step, siconos_step);
    s->draft->duration = scree_draft_choose(o->duration, duration, siconos_duration);
    if (isnan(o->step))
        scree_draft_note(s->draft, "the step is %s (--step)",
                         isnan(step) ? "Siconos' own: the file has no answers"
                                     : "the time between two answers in the file");
}

// ---- the whole file

static void note_rest(scree_siconos *s) {
    static const struct {
        const char *group, *what;
    } rest[] = {
        { "external_functions", "forces by functions of one's own (data/external_functions)" },
        { "permanent_interactions", "contacts of CAD shapes (data/permanent_interactions)" },
    };
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
        hid_t group = scree_siconos_open(s->data, rest[i].group);
        char **name;
        if (scree_siconos_names(group, &s->draft->arena, &name) > 0)
            scree_draft_note(s->draft, "%s are not carried over", rest[i].what);
        if (group >= 0) H5Oclose(group);
    }
}

static scree_status read_scene(scree_siconos *s) {
    scree_draft *draft = s->draft;
    s->data = scree_siconos_open(s->file, "data");
    s->input = scree_siconos_open(s->data, "input");
    s->shapes = scree_siconos_open(s->data, "ref");
    if (s->input < 0 || s->shapes < 0)
        return SCREE_DRAFT_FAIL(draft, "this is no scene of Siconos' mechanics: there is no %s",
                                s->input < 0 ? "data/input" : "data/ref");
    draft->program = "Siconos' mechanics";
    draft->space = scree_siconos_number(s->file, "dimension", 3) == 2 ? 2 : 3;
    draft->overlaps = true;
    if (!draft->options->scree_defaults)
        draft->scheme = ", name: moreau-jean, theta: 0.50001, approach: kept, correction: none";
    read_answers(s, false);
    char **name;
    int count = scree_siconos_names(s->input, &draft->arena, &name);
    if (count < 0) return SCREE_DRAFT_FAIL(draft, "data/input cannot be read: it is damaged");
    s->body = SCREE_NEW(&draft->arena, scree_siconos_body, count);
    scree_status status = s->body ? read_laws(s) : scree_draft_no_memory(draft);
    for (int i = 0; !status && i < count; i++) status = read_body(s, name[i]);
    if (status) return status;
    scree_siconos_joints(s);
    write_laws(s);
    read_answers(s, true);
    note_rest(s);
    return SCREE_OK;
}

scree_status scree_siconos_import(scree_draft *draft) {
    scree_quiet quiet = scree_layout_quiet();
    scree_siconos s = { .draft = draft, .data = -1, .input = -1, .shapes = -1 };
    s.file = H5Fopen(draft->path, H5F_ACC_RDONLY, H5P_DEFAULT);
    scree_status status =
        s.file < 0 ? SCREE_DRAFT_FAIL(draft, "cannot be read as an HDF5 file") : read_scene(&s);
    if (s.shapes >= 0) H5Oclose(s.shapes);
    if (s.input >= 0) H5Oclose(s.input);
    if (s.data >= 0) H5Oclose(s.data);
    if (s.file >= 0) H5Fclose(s.file);
    scree_layout_loud(quiet);
    return status;
}
