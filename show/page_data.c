// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// page_data.c - a run -> packed arrays.
//
// A track is one number over the states: x_f = base + scale k_f with 0 <= k <= 65535; stored are
// the differences of k from state to state, signs folded (0, -1, 1, -2, ... are 0, 1, 2, 3, ...).

#include "show/page_data.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scree/fem.h"
#include "scree/geometry.h"
#include "scree/joint.h"
#include "scree/stress.h"
#include "show/bodies.h"
#include "show/extent.h"
#include "show/joints.h"
#include "show/page_outlines.h"

enum {
    NUMBERS_MOST = 60000000,   // of all tracks
    TURNS_MOST = 2000000,      // poses of balls in space that also get their turn
    CONTACTS_MOST = 150000,    // in a page
    CONTACTS_FEW = 50000,      // in one with many poses
    POSES_MANY = 2000000,      // or places of nodes
    VELOCITIES_MOST = 300000,  // poses that also get their velocity
    LEDGER_MOST = 2000,        // points of the chart
    STRESSES = 200000,         // that are sorted to find the scale of colours
    DIGITS = 11,               // binary, of velocities of contacts
    LOOKS_MOST = 500000,       // shapes in states that decide what is worth seeing
    LOOKS_LEAST = 20,          // states of them
    LOOKS_DRIVEN = 5,          // states in which obstacles that are driven are looked at
};
static const double FINEST = 1e-5;    // of the picture
static const double SMALLEST = 2e-3;  // of the smallest body
static const double MANY = 5;         // times that where there are many poses
static const double AROUND = 3;       // pictures that planes reach

void show_page_data_free(show_page_data *data) { show_pack_free(&data->pack); }

// ---- tracks

typedef struct tracks {
    size_t count, frames;
    double *x;  // (count x frames)
} tracks;

static bool make_tracks(tracks *t, size_t count, size_t frames) {
    *t = (tracks){ count, frames, malloc((count * frames + 1) * sizeof *t->x) };
    return t->x;
}

static uint16_t fold(int difference) {
    int wrapped = (int)(int16_t)(uint16_t)difference;
    return (uint16_t)(wrapped >= 0 ? 2 * wrapped : -2 * wrapped - 1);
}

static bool pack_tracks(show_pack *pack, const char *name, const tracks *t, double finest) {
    char base_name[24], scale_name[24];
    double *base = malloc((t->count + 1) * sizeof *base),
           *scale = malloc((t->count + 1) * sizeof *scale);
    uint16_t *folded = malloc((t->count * t->frames + 1) * sizeof *folded);
    bool fine = base && scale && folded;
    for (size_t i = 0; fine && i < t->count; i++) {
        const double *x = t->x + i * t->frames;
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (size_t f = 0; f < t->frames; f++)
            if (isfinite(x[f])) {
                low = fmin(low, x[f]);
                high = fmax(high, x[f]);
            }
        if (!(low <= high)) low = high = 0;
        base[i] = low;
        scale[i] = fmax((high - low) / 65535, finest);
        int before = 0;
        for (size_t f = 0; f < t->frames; f++) {
            int now = isfinite(x[f]) ? (int)lround((x[f] - low) / scale[i]) : before;
            folded[i * t->frames + f] = fold(now - before);
            before = now;
        }
    }
    snprintf(base_name, sizeof base_name, "%s_base", name);
    snprintf(scale_name, sizeof scale_name, "%s_scale", name);
    if (fine) {
        show_pack_f64(pack, base_name, base, t->count);
        show_pack_f64(pack, scale_name, scale, t->count);
        show_pack_u16(pack, name, folded, t->count * t->frames);
    }
    free(base);
    free(scale);
    free(folded);
    return fine;
}

// ---- what is read of a run

typedef struct reading {
    const show_run *run;
    const scree_model *model;
    show_page_data *data;
    int movers;
    int *mover;         // bodies that are not fixed (movers)
    tracks pose, node;  // channel after channel, then body or node
    tracks speed;       // velocities of bodies, axis after axis; none if there are too many
    tracks anchor;      // of joints on markers: x, y, z of one side after the other
    int *hold;          // joint and side of each of them (2 x holds)
    int holds;
    int nodes;            // of all elastic bodies
    double *time, *step;  // (frames)
    uint8_t *mises;       // (elements x frames)
    float *stress;        // the same before it is known what is most
    double finest;
    show_sight sight;
    scree_geometry *outlines;  // owned
    show_extent moving;        // of all states that are looked at
} reading;

static void free_reading(reading *r) {
    free(r->mover);
    free(r->pose.x);
    free(r->node.x);
    free(r->speed.x);
    free(r->anchor.x);
    free(r->hold);
    free(r->time);
    free(r->step);
    free(r->mises);
    free(r->stress);
    scree_geometry_free(r->outlines);
}

static bool balls_alone(const scree_model *model) {
    for (int s = 0; s < model->shapes; s++) {
        const scree_shape *shape = &model->shape[s];
        bool ball = shape->kind == SCREE_SPHERE || shape->kind == SCREE_POINT;
        bool centred = shape->at[0] == 0 && shape->at[1] == 0 && shape->at[2] == 0;
        if (!model->body[shape->body].fixed && !(ball && centred)) return false;
    }
    return true;
}

static int side_of(const scree_joint *joint, int side) { return side ? joint->b : joint->a; }

static bool on_marker(const scree_joint *joint, int side) {
    return side_of(joint, side) < SCREE_GROUND;
}

static bool prepare(reading *r) {
    const scree_model *model = r->model;
    show_page_data *data = r->data;
    int64_t stored = r->run->reader->frames > 0 ? r->run->reader->frames : 1;
    r->mover = malloc(((size_t)model->bodies + 1) * sizeof *r->mover);
    r->hold = malloc((4 * (size_t)model->joints + 1) * sizeof *r->hold);
    if (!r->mover || !r->hold) return false;
    for (int i = 0; i < 2 * model->joints; i++) {
        const scree_joint *joint = &model->joint[i / 2];
        if (joint->kind == SCREE_COUPLER || !on_marker(joint, i % 2)) continue;
        r->hold[2 * r->holds] = i / 2;
        r->hold[2 * r->holds++ + 1] = i % 2;
    }
    for (int i = 0; i < model->bodies; i++)
        if (!model->body[i].fixed) r->mover[r->movers++] = i;
    for (int e = 0; e < model->elastics; e++) r->nodes += model->elastic[e].mesh.nodes;
    double poses = (double)r->movers * (double)stored / (double)data->every;
    data->channels = model->space == 2 ? 3 : balls_alone(model) && poses > TURNS_MOST ? 3 : 7;
    double numbers = (double)r->movers * data->channels + (double)r->nodes * model->space;
    double most = fmax(2, floor(NUMBERS_MOST / fmax(numbers, 1)));
    if ((double)stored / (double)data->every > most)
        data->every = (int64_t)ceil((double)stored / most);
    data->frames = (stored - 1) / data->every + 1;
    size_t frames = (size_t)data->frames, elements = (size_t)scree_stress_elements(model);
    size_t speeds = (size_t)r->movers * (size_t)model->space;
    if ((int64_t)r->movers * data->frames > VELOCITIES_MOST) speeds = 0;
    r->time = malloc(frames * sizeof *r->time);
    r->step = malloc(frames * sizeof *r->step);
    r->mises = malloc(elements * frames + 1);
    r->stress = malloc((elements * frames + 1) * sizeof *r->stress);
    return make_tracks(&r->pose, (size_t)r->movers * (size_t)data->channels, frames) &&
           make_tracks(&r->node, (size_t)r->nodes * (size_t)model->space, frames) &&
           make_tracks(&r->speed, speeds, frames) &&
           make_tracks(&r->anchor, 3 * (size_t)r->holds, frames) && r->time && r->step &&
           r->mises && r->stress;
}

// the same turn has two quaternions: take the one near that of the state before
static void take_poses(reading *r, const show_frame *frame, size_t f) {
    int space = r->model->space;
    size_t movers = (size_t)r->movers, frames = r->pose.frames;
    for (size_t m = 0; m < movers; m++) {
        scree_placement at;
        double own[7], dot = 0;
        scree_geometry_place(r->model, r->mover[m], frame->q, &at);
        memcpy(own, at.at, sizeof at.at);
        memcpy(own + 3, at.quaternion, sizeof at.quaternion);
        if (space == 2) own[2] = frame->q[(size_t)r->mover[m] * 3 + 2];
        double *x = r->pose.x + m * frames + f;
        size_t channel = movers * frames;
        for (int c = 3; f > 0 && c < r->data->channels; c++)
            dot += own[c] * x[(size_t)c * channel - 1];
        for (int c = 0; c < r->data->channels; c++)
            x[(size_t)c * channel] = c >= 3 && dot < 0 ? -own[c] : own[c];
        const double *v = frame->v + (size_t)r->mover[m] * (size_t)r->model->body_dofs;
        for (size_t c = 0; r->speed.count && c < (size_t)space; c++)
            r->speed.x[(c * movers + m) * frames + f] = v[c];
    }
}

static void take_nodes(reading *r, const show_frame *frame, size_t f) {
    int space = r->model->space;
    size_t n = 0, all = (size_t)r->nodes, elements = (size_t)scree_stress_elements(r->model);
    for (int e = 0; e < r->model->elastics; e++) {
        const scree_elastic_body *body = &r->model->elastic[e];
        for (int i = 0; i < body->mesh.nodes; i++, n++)
            for (int c = 0; c < space; c++)
                r->node.x[((size_t)c * all + n) * r->node.frames + f] =
                    body->mesh.node[(long)i * space + c] +
                    frame->q[body->coordinate + (long)i * space + c];
    }
    for (size_t i = 0; i < elements; i++) {
        r->stress[i * r->node.frames + f] = (float)frame->mises[i];
        r->data->mises[2] = fmax(r->data->mises[2], frame->mises[i]);
    }
}

// anchors on elastic bodies, systems and mechanisms go where their part goes
static void take_anchors(reading *r, const show_frame *frame, size_t f) {
    for (int i = 0; i < r->holds; i++) {
        double x[3];
        scree_joint_anchor(r->model, r->hold[2 * i], r->hold[2 * i + 1], frame->q, x);
        for (size_t c = 0; c < 3; c++)
            r->anchor.x[(3 * (size_t)i + c) * r->anchor.frames + f] = x[c];
    }
}

// ---- contacts

typedef struct touches {
    int32_t *first;  // (frames + 1)
    int32_t *a, *b;
    uint8_t *status;
    float *point, *force;  // (x 3)
    uint16_t *normal;      // (x 3), of -1 to 1
    float *normal_force, *gap, *mu, *size;
    float *velocity;  // (x 2): normal, size of the tangential one
    size_t count, room;
} touches;

static void free_touches(touches *t) {
    free(t->first);
    free(t->a);
    free(t->b);
    free(t->status);
    free(t->point);
    free(t->force);
    free(t->normal);
    free(t->normal_force);
    free(t->gap);
    free(t->mu);
    free(t->size);
    free(t->velocity);
}

static bool make_touches(touches *t, size_t frames, size_t room) {
    size_t n = room + 1;
    *t = (touches){ .first = calloc(frames + 1, sizeof *t->first),
                    .a = malloc(n * sizeof *t->a),
                    .b = malloc(n * sizeof *t->b),
                    .status = malloc(n),
                    .point = malloc(3 * n * sizeof *t->point),
                    .force = malloc(3 * n * sizeof *t->force),
                    .normal = malloc(3 * n * sizeof *t->normal),
                    .normal_force = malloc(n * sizeof *t->normal_force),
                    .gap = malloc(n * sizeof *t->gap),
                    .mu = malloc(n * sizeof *t->mu),
                    .size = malloc(n * sizeof *t->size),
                    .velocity = malloc(2 * n * sizeof *t->velocity),
                    .room = room };
    return t->first && t->a && t->b && t->status && t->point && t->force && t->normal &&
           t->normal_force && t->gap && t->mu && t->size && t->velocity;
}

// three digits: what is rounding in a velocity would fill the page
static float shorten(double x) {
    int power;
    double part = frexp(x, &power);
    return (float)ldexp(nearbyint(ldexp(part, DIGITS)), power - DIGITS);
}

static void take_contact(const reading *r, const scree_contact *c, touches *t) {
    double force[3], h = r->run->options->scheme.step;
    size_t i = t->count++;
    show_frame_force(r->model, h, c, force);
    t->a[i] = c->a;
    t->b[i] = c->b;
    t->status[i] = (uint8_t)c->status;
    for (size_t k = 0; k < 3; k++) {
        t->point[3 * i + k] = (float)c->point[k];
        t->force[3 * i + k] = (float)force[k];
        t->normal[3 * i + k] = (uint16_t)lround((c->normal[k] + 1) * 32767);
    }
    t->normal_force[i] = (float)(c->impulse[0] / h);
    t->gap[i] = (float)c->gap_after;
    t->mu[i] = (float)c->friction;
    t->size[i] = (float)c->size;
    t->velocity[2 * i] = shorten(c->u_after[0]);
    t->velocity[2 * i + 1] =
        shorten(r->model->space == 3 ? hypot(c->u_after[1], c->u_after[2]) : fabs(c->u_after[1]));
}

static int larger_first(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

// at most so many of a state, the strongest; in their order
static bool take_contacts(const reading *r, const show_frame *frame, int64_t most, touches *t) {
    int64_t n = frame->row.contacts;
    double least = -HUGE_VAL;
    if (n > most) {
        double *size = malloc((size_t)n * sizeof *size);
        if (!size) return false;
        for (int64_t i = 0; i < n; i++) size[i] = fabs(frame->contact[i].contact.impulse[0]);
        qsort(size, (size_t)n, sizeof *size, larger_first);
        least = size[most];
        free(size);
    }
    for (int64_t i = 0; i < n && most > 0; i++) {
        const scree_contact *c = &frame->contact[i].contact;
        if (c->a < 0 || fabs(c->impulse[0]) <= least) continue;
        take_contact(r, c, t);
        most--;
    }
    return true;
}

static void pack_touches(show_pack *pack, const touches *t, size_t frames) {
    show_pack_i32(pack, "contact_first", t->first, frames + 1);
    show_pack_i32(pack, "contact_a", t->a, t->count);
    show_pack_i32(pack, "contact_b", t->b, t->count);
    show_pack_u8(pack, "contact_status", t->status, t->count);
    show_pack_f32(pack, "contact_point", t->point, 3 * t->count);
    show_pack_f32(pack, "contact_force", t->force, 3 * t->count);
    show_pack_u16(pack, "contact_normal", t->normal, 3 * t->count);
    show_pack_f32(pack, "contact_normal_force", t->normal_force, t->count);
    show_pack_f32(pack, "contact_gap", t->gap, t->count);
    show_pack_f32(pack, "contact_friction", t->mu, t->count);
    show_pack_f32(pack, "contact_size", t->size, t->count);
    show_pack_f32(pack, "contact_velocity", t->velocity, 2 * t->count);
}

// ---- what is worth seeing

static scree_status open_sight(reading *r, const show_frame *first, scree_error *err) {
    const show_bodies_options usual = show_bodies_options_default();
    const scree_view view = { .radius = 1 };
    r->moving = show_extent_empty();
    scree_status status = scree_geometry_new(r->model, first->q, &view, &r->outlines, err);
    r->sight = (show_sight){ r->model, r->outlines,
                             show_extent_camera(r->model, usual.azimuth, usual.elevation),
                             r->model->space };
    return status;
}

// as many states as time allows, the first and the last among them
static bool looked_at(const reading *r, int64_t f) {
    int64_t shapes = r->model->shapes + r->nodes + 1, last = r->data->frames - 1;
    int64_t looks = LOOKS_MOST / shapes > LOOKS_LEAST ? LOOKS_MOST / shapes : LOOKS_LEAST;
    return f == last || f % (last / looks + 1) == 0;
}

// the box around what moves and the obstacles near it; a ball to which planes are cut
static scree_status find_sight(reading *r, scree_view *view, scree_error *err) {
    show_extent box = r->moving;
    scree_status status = SCREE_OK;
    int64_t last = r->data->frames - 1;
    for (int i = 0; !status && i < LOOKS_DRIVEN; i++) {
        show_frame frame = { 0 };
        status =
            show_frame_read(r->run, last * i / (LOOKS_DRIVEN - 1) * r->data->every, &frame, err);
        if (!status) show_extent_obstacles(&r->sight, &frame, &r->moving, &box);
        show_frame_free(&frame);
    }
    if (show_extent_is_empty(&box)) box = (show_extent){ { -1, -1, -1 }, { 1, 1, 1 } };
    const show_camera *camera = &r->sight.camera;
    double corner[24];
    *view = (scree_view){ 0 };
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++) {
            corner[3 * i + k] = (i & 1 ? box.high : box.low)[0] * camera->right[k] +
                                (i & 2 ? box.high : box.low)[1] * camera->up[k] +
                                (i & 4 ? box.high : box.low)[2] * camera->eye[k];
            view->centre[k] += corner[3 * i + k] / 8;
        }
    double apart[3] = { corner[0] - view->centre[0], corner[1] - view->centre[1],
                        corner[2] - view->centre[2] };
    double radius = sqrt(apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2]);
    view->radius = radius > 0 ? AROUND * radius : 1;
    show_pack_f64(&r->data->pack, "sight", corner, 24);
    return status;
}

// ---- states

static scree_status count_contacts(reading *r, int64_t *all, scree_error *err) {
    scree_status status = SCREE_OK;
    for (int64_t f = 0; !status && r->run->reader->frames && f < r->data->frames; f++) {
        scree_frame_row row;
        status = scree_run_reader_frames(r->run->reader, f * r->data->every, 1, &row, err);
        if (!status) *all += row.contacts;
    }
    return status;
}

static scree_status read_states(reading *r, touches *t, scree_error *err) {
    show_page_data *data = r->data;
    scree_status status = count_contacts(r, &data->contacts_all, err);
    // where there are many poses, contacts have to share the page with them
    int64_t poses = (int64_t)r->movers * data->frames;
    int64_t most_contacts = poses > POSES_MANY ? CONTACTS_FEW : CONTACTS_MOST;
    int64_t room = data->contacts_all < most_contacts ? data->contacts_all : most_contacts;
    if (status) return status;
    if (!make_touches(t, (size_t)data->frames, (size_t)room))
        return scree_fail_memory(err, "a page");
    for (int64_t f = 0; !status && f < data->frames; f++) {
        show_frame frame = { 0 };
        status = show_frame_read(r->run, f * data->every, &frame, err);
        if (!status) {
            // the share of what is left
            int64_t left = (int64_t)(t->room - t->count) / (data->frames - f);
            int64_t most = data->contacts_all <= room ? (int64_t)(t->room - t->count) : left;
            r->time[f] = frame.row.time;
            r->step[f] = (double)frame.row.step;
            take_poses(r, &frame, (size_t)f);
            take_nodes(r, &frame, (size_t)f);
            take_anchors(r, &frame, (size_t)f);
            int outside;
            if (looked_at(r, f))
                status = show_extent_moving(&r->sight, &frame, &r->moving, &outside, err);
            t->first[f] = (int32_t)t->count;
            if (!status && !take_contacts(r, &frame, most, t))
                status = scree_fail_memory(err, "a page");
            for (int64_t i = 0; i < frame.row.contacts; i++)  // joints are no contacts to look at
                data->contacts_all -= frame.contact[i].contact.a < 0;
            t->first[f + 1] = (int32_t)t->count;
        }
        show_frame_free(&frame);
    }
    data->contacts = (int64_t)t->count;
    return status;
}

// the stress of the highest colour: above nearly all, so that one impact does not make the rest
// dark
static bool find_brightest(reading *r, size_t count) {
    size_t stride = count / STRESSES + 1, n = 0;
    double *size = malloc((count / stride + 2) * sizeof *size);
    if (!size) return false;
    for (size_t i = 0; i < count; i += stride) size[n++] = (double)r->stress[i];
    qsort(size, n, sizeof *size, larger_first);
    r->data->mises[1] = n ? size[n / 200] : 0;
    if (!(r->data->mises[1] > 0)) r->data->mises[1] = r->data->mises[2] > 0 ? r->data->mises[2] : 1;
    free(size);
    return true;
}

static bool pack_states(reading *r) {
    show_page_data *data = r->data;
    size_t frames = (size_t)data->frames;
    size_t elements = (size_t)scree_stress_elements(r->model);
    if (!find_brightest(r, elements * frames)) return false;
    for (size_t i = 0; i < elements * frames; i++)
        r->mises[i] = (uint8_t)fmin(255 * (double)r->stress[i] / data->mises[1], 255);
    show_pack_f64(&data->pack, "time", r->time, frames);
    show_pack_f64(&data->pack, "step", r->step, frames);
    show_pack_i32(&data->pack, "mover", r->mover, (size_t)r->movers);
    show_pack_u8(&data->pack, "mises", r->mises, elements * frames);
    // a turn is finer than 1e-4 whatever the picture's size
    tracks places = r->pose, turns = r->pose;
    size_t moving = (size_t)r->movers;
    places.count = moving * (r->model->space == 2 ? 2 : 3);
    turns.count = r->pose.count - places.count;
    turns.x = r->pose.x + places.count * frames;
    double finest =
        r->finest * (r->pose.frames * (moving + (size_t)r->nodes) > POSES_MANY ? MANY : 1);
    return pack_tracks(&data->pack, "place", &places, finest) &&
           pack_tracks(&data->pack, "turn", &turns, 3e-5) &&
           pack_tracks(&data->pack, "node", &r->node, finest) &&
           pack_tracks(&data->pack, "speed", &r->speed, DBL_MIN) &&
           pack_tracks(&data->pack, "anchor", &r->anchor, finest);
}

// ---- what does not change

static bool pack_bodies(reading *r, const double *q) {
    const scree_model *model = r->model;
    size_t n = (size_t)model->bodies;
    uint8_t *kind = malloc(n + 1);
    int32_t *group = malloc((n + 1) * sizeof *group);
    double *born = malloc((n + 1) * sizeof *born), *gone = malloc((n + 1) * sizeof *gone),
           *rest = malloc((7 * n + 1) * sizeof *rest), *mass = malloc((n + 1) * sizeof *mass);
    bool fine = kind && group && born && gone && rest && mass;
    for (size_t i = 0; fine && i < n; i++) {
        const scree_body *body = &model->body[i];
        scree_placement at;
        kind[i] = body->fixed ? 1 : body->driven ? 2 : 0;
        group[i] = body->group;
        born[i] = body->birth_time;
        gone[i] = body->removal_time;
        mass[i] = body->mass;
        scree_geometry_place(model, (int)i, q, &at);
        memcpy(rest + 7 * i, at.at, sizeof at.at);
        memcpy(rest + 7 * i + 3, at.quaternion, sizeof at.quaternion);
    }
    if (fine) {
        show_pack_u8(&r->data->pack, "body_kind", kind, n);
        show_pack_i32(&r->data->pack, "body_group", group, n);
        show_pack_f64(&r->data->pack, "body_born", born, n);
        show_pack_f64(&r->data->pack, "body_removed", gone, n);
        show_pack_f64(&r->data->pack, "body_mass", mass, n);
        show_pack_f64(&r->data->pack, "body_rest", rest, 7 * n);
    }
    free(kind);
    free(group);
    free(born);
    free(gone);
    free(rest);
    free(mass);
    return fine;
}

// how fine places have to be: by a box around the bodies that move, at the start, and by the
// smallest of them
static void find_finest(reading *r, const show_frame *frame) {
    double low[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL }, high[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
    for (int pass = 0; pass < 2 && !(low[0] <= high[0]); pass++)
        for (int s = 0; s < r->model->shapes; s++)
            if (pass || !r->model->body[r->model->shape[s].body].fixed)
                scree_geometry_surround(r->model, s, frame->q, frame->row.time, low, high);
    for (int e = 0; e < r->model->elastics; e++)
        for (int i = 0; i < r->model->elastic[e].count; i++) {
            int k = i % r->model->space;
            low[k] = fmin(low[k], r->model->elastic[e].mesh.node[i]);
            high[k] = fmax(high[k], r->model->elastic[e].mesh.node[i]);
        }
    r->finest = FINEST * scree_view_of_box(r->model->space, low, high).radius;
    for (int s = 0; s < r->model->shapes; s++) {
        double least[3] = { HUGE_VAL, HUGE_VAL, HUGE_VAL },
               most[3] = { -HUGE_VAL, -HUGE_VAL, -HUGE_VAL };
        if (r->model->body[r->model->shape[s].body].fixed ||
            !scree_geometry_surround(r->model, s, frame->q, frame->row.time, least, most))
            continue;
        double radius = scree_view_of_box(r->model->space, least, most).radius;
        if (most[0] > least[0]) r->finest = fmin(r->finest, SMALLEST * radius);
    }
}

static scree_status pack_shapes(reading *r, const show_frame *frame, scree_error *err) {
    scree_geometry *geometry;
    scree_view view;
    scree_status status = find_sight(r, &view, err);
    if (!status) status = scree_geometry_new(r->model, frame->q, &view, &geometry, err);
    if (status) return status;
    bool fine = show_page_outlines(&r->data->pack, geometry);
    scree_geometry_free(geometry);
    return fine ? SCREE_OK : scree_fail_memory(err, "a page");
}

// triangles of elements in the plane, of the boundary in space, and whose stress they show
static bool pack_elastic(reading *r) {
    const scree_model *model = r->model;
    size_t room = 1, count = 0;
    int node = 0, element = 0;
    for (int e = 0; e < model->elastics; e++) {
        const scree_mesh *mesh = &model->elastic[e].mesh;
        room += (size_t)mesh->first[mesh->elements] + SCREE_FACET_CORNERS * (size_t)mesh->facets;
    }
    int32_t *triangle = malloc(3 * room * sizeof *triangle), *owner = malloc(room * sizeof *owner),
            *body = malloc(room * sizeof *body),
            *first = malloc(((size_t)model->elastics + 1) * sizeof *first);
    bool fine = triangle && owner && body && first;
    for (int e = 0; fine && e < model->elastics; e++) {
        const scree_mesh *mesh = &model->elastic[e].mesh;
        bool planar = model->space == 2;
        first[e] = element;
        for (int i = 0; i < (planar ? mesh->elements : mesh->facets); i++) {
            const int *corner = planar ? mesh->corner + mesh->first[i]
                                       : mesh->facet + (long)i * SCREE_FACET_CORNERS;
            int corners = planar ? mesh->first[i + 1] - mesh->first[i] : 0;
            while (!planar && corners < SCREE_FACET_CORNERS && corner[corners] >= 0) corners++;
            for (int k = 0; k + 2 < corners; k++, count++) {
                triangle[3 * count] = node + corner[0];
                triangle[3 * count + 1] = node + corner[k + 1];
                triangle[3 * count + 2] = node + corner[k + 2];
                owner[count] = element + (planar ? i : mesh->owner[i]);
                body[count] = e;
            }
        }
        node += mesh->nodes;
        element += mesh->elements;
    }
    if (fine) {
        show_pack_i32(&r->data->pack, "elastic_triangle", triangle, 3 * count);
        show_pack_i32(&r->data->pack, "elastic_element", owner, count);
        show_pack_i32(&r->data->pack, "elastic_owner", body, count);
        show_pack_i32(&r->data->pack, "elastic_first", first, (size_t)model->elastics);
    }
    free(triangle);
    free(owner);
    free(body);
    free(first);
    return fine;
}

// looks, bodies and anchors of joints, which are given at the start; -2 - i: where track i goes
static bool pack_joints(reading *r) {
    size_t n = (size_t)r->model->joints, count = 0;
    int hold = 0;
    int32_t *body = malloc((2 * n + 1) * sizeof *body);
    int32_t *kind = calloc(n + 1, sizeof *kind);
    double *anchor = malloc((6 * n + 1) * sizeof *anchor);
    bool fine = body && kind && anchor;
    for (size_t i = 0; fine && i < n; i++) {
        const scree_joint *joint = &r->model->joint[i];
        if (joint->kind == SCREE_COUPLER) continue;
        kind[count] = show_joint_look(r->model, (int)i);
        for (int side = 0; side < 2; side++)
            body[2 * count + (size_t)side] =
                on_marker(joint, side) ? SCREE_MARKER(hold++) : side_of(joint, side);
        memcpy(anchor + 6 * count++, joint->anchor, sizeof joint->anchor);
    }
    if (fine) {
        show_pack_i32(&r->data->pack, "joint_kind", kind, count);
        show_pack_i32(&r->data->pack, "joint_body", body, 2 * count);
        show_pack_f64(&r->data->pack, "joint_anchor", anchor, 6 * count);
    }
    free(body);
    free(kind);
    free(anchor);
    return fine;
}

// ---- the ledger

static scree_status pack_ledger(reading *r, scree_error *err) {
    scree_run_reader *reader = r->run->reader;
    int64_t every = reader->steps / LEDGER_MOST + 1;
    int64_t count = reader->steps > 0 ? (reader->steps - 1) / every + 1 : 0;
    enum { COLUMNS = 4 };
    static const char *const names[COLUMNS] = { "ledger_time", "ledger_kinetic", "ledger_elastic",
                                                "ledger_potential" };
    double *x = malloc((COLUMNS * (size_t)count + 1) * sizeof *x);
    scree_status status = x ? SCREE_OK : scree_fail_memory(err, "a page");
    for (int64_t i = 0; !status && i < count; i++) {
        scree_step_row row;
        status = scree_run_reader_steps(reader, i * every, 1, &row, err);
        const scree_ledger *ledger = &row.account.ledger;
        const double own[COLUMNS] = { row.time, ledger->kinetic, ledger->elastic,
                                      ledger->potential };
        for (int k = 0; !status && k < COLUMNS; k++) x[k * count + i] = own[k];
    }
    for (int k = 0; !status && k < COLUMNS; k++)
        show_pack_f64(&r->data->pack, names[k], x + k * count, (size_t)count);
    free(x);
    return status;
}

// ---- all of it

scree_status show_page_data_read(const show_run *run, show_page_data *data, scree_error *err) {
    reading r = { .run = run, .model = run->model, .data = data };
    touches t = { 0 };
    show_frame first = { 0 };
    scree_status status = prepare(&r) ? SCREE_OK : scree_fail_memory(err, "a page");
    if (!status) status = show_frame_read(run, 0, &first, err);
    if (!status) status = open_sight(&r, &first, err);
    if (!status) status = read_states(&r, &t, err);
    if (!status) status = pack_shapes(&r, &first, err);
    if (!status && !(pack_bodies(&r, first.q) && pack_elastic(&r) && pack_joints(&r)))
        status = scree_fail_memory(err, "a page");
    if (!status) find_finest(&r, &first);
    if (!status && !pack_states(&r)) status = scree_fail_memory(err, "a page");
    if (!status) pack_touches(&data->pack, &t, (size_t)data->frames);
    if (!status) status = pack_ledger(&r, err);
    show_frame_free(&first);
    free_touches(&t);
    free_reading(&r);
    return status;
}
