// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// measure_pile.c - scree measure: piles about a vertical axis, and walls of blocks.

#include <math.h>
#include <stdlib.h>

#include "cli/measure.h"

enum { RINGS = 12, STRIPS = 8, LAYERS = 6 };
enum { CONTACTS_LEAST = 20 };  // of a strip whose force is held against the layer it goes through

static const double degree = 57.295779513082320877;

static const double open_share = 1e-3;  // of a block: a joint with a larger gap is open

// --- the pile -----------------------------------------------------------------------------------

// how wide and how many rings are, if nothing was said: a dozen to the farthest body
static scree_status choose_rings(cli_measuring *s, const scree_moment *moment, scree_error *err) {
    scree_region r = scree_region_around(moment);
    if (!(r.low[0] <= r.high[0]))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "no body that moves is there at this time");
    if (!cli_flag(s->args, "axis"))
        for (int k = 0; k < s->space - 1; k++) s->axis[k] = 0;
    double far = 0;
    for (int k = 0; k < s->space - 1; k++)
        far = hypot(far, fmax(fabs(r.low[k] - s->axis[k]), fabs(r.high[k] - s->axis[k])));
    if (s->space == 3) far /= sqrt(2);
    scree_ground ground;
    scree_measure_ground(moment, s->axis, 1, 0, NULL, &ground);
    far = fmax(far, ground.reach * (1 + 1e-9));  // no contact with the ground is left out
    if (!(s->width > 0)) s->width = far / (s->rings ? s->rings : RINGS);
    double needed = ceil(far / s->width);
    if (!s->rings) s->rings = needed < CLI_RINGS_MOST ? (int)fmax(needed, 1) : CLI_RINGS_MOST;
    cli_measured_vector(&s->found, "axis", "m", s->axis, s->space - 1);
    return SCREE_OK;
}

scree_status cli_measure_ground(cli_measuring *s, const scree_moment *moment, scree_error *err) {
    cli_measured *m = &s->found;
    scree_ground whole;
    scree_status status = choose_rings(s, moment, err);
    if (status) return status;
    scree_ground_ring *ring = malloc((size_t)s->rings * sizeof *ring);
    if (!ring) return scree_fail_memory(err, NULL);
    scree_measure_ground(moment, s->axis, s->width, s->rings, ring, &whole);
    cli_measured_number(m, "total_force", "N", whole.force);
    cli_measured_number(m, "weight", "N", whole.weight);
    m->rows_name = "rings";
    static const char *const name[] = { "inner", "outer", "area", "force", "pressure", "contacts" };
    const char *unit[] = { "m", "m", s->space == 3 ? "m^2" : "m", "N", cli_measure_pascal(s), "" };
    for (int k = 0; k < 6; k++) cli_measured_column(m, name[k], unit[k]);
    m->y[m->curves++] = 4;
    m->mark = SCREE_STEPS;
    for (int k = 0; k < s->rings && !status; k++) {
        cli_cell *row = cli_measured_row(m);
        if (!row) {
            status = scree_fail_memory(err, NULL);
            break;
        }
        const double number[] = { ring[k].inner, ring[k].outer,    ring[k].area,
                                  ring[k].force, ring[k].pressure, ring[k].contacts };
        for (int i = 0; i < 6; i++) row[i].number = number[i];
    }
    free(ring);
    return status;
}

scree_status cli_measure_slope(cli_measuring *s, const scree_moment *moment, scree_error *err) {
    cli_measured *m = &s->found;
    scree_slope found;
    scree_status status = choose_rings(s, moment, err);
    if (status) return status;
    double *height = malloc((size_t)s->rings * sizeof *height);
    if (!height) return scree_fail_memory(err, NULL);
    scree_measure_slope(moment, s->axis, s->width, s->rings, height, &found);
    if (isnan(found.angle)) {
        free(height);
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "no slope is to be seen: fewer than three rings lie between foot and "
                          "apex; try another --axis or a smaller --width");
    }
    cli_measured_number(m, "angle_of_repose", "rad", found.angle);
    cli_measured_number(m, "degrees", "deg", found.angle * degree);
    cli_measured_number(m, "apex", "m", found.apex);
    cli_measured_number(m, "foot", "m", found.foot);
    cli_measured_count(m, "rings_fitted", found.fitted);
    m->rows_name = "profile";
    cli_measured_column(m, "distance", "m");
    cli_measured_column(m, "height", "m");
    m->y[m->curves++] = 1;
    for (int k = 0; k < s->rings && !status; k++) {
        cli_cell *row = cli_measured_row(m);
        if (!row) {
            status = scree_fail_memory(err, NULL);
            break;
        }
        row[0].number = (k + 0.5) * s->width;
        row[1].number = height[k];
    }
    free(height);
    return status;
}

static scree_status add_strip(cli_measuring *s, const scree_moment *moment, const char *kind,
                              const double segment[4], scree_strip *strip, scree_error *err) {
    for (int k = 0; k < 2; k++) {
        strip->from[k] = segment[k];
        strip->to[k] = segment[2 + k];
    }
    scree_measure_strip(moment, s->axis, strip);
    cli_cell *row = cli_measured_row(&s->found);
    if (!row) return scree_fail_memory(err, NULL);
    const double number[] = { segment[0],
                              segment[1],
                              segment[2],
                              segment[3],
                              strip->normal[0],
                              strip->normal[1],
                              strip->area,
                              strip->density[0],
                              strip->density[1],
                              strip->contacts,
                              (segment[0] + segment[2]) / 2,
                              (segment[1] + segment[3]) / 2 };
    row[0].text = kind;
    for (int i = 0; i < 12; i++) row[i + 1].number = number[i];
    return SCREE_OK;
}

// Through points of a grid under the surface: a cylinder, a cone with the surface's slope, and how
// far the two forces are from the reciprocity nu.T' = nu'.T of a symmetric stress.
static scree_status strips_of_pile(cli_measuring *s, const scree_moment *moment, scree_error *err) {
    scree_slope found;
    scree_status status = choose_rings(s, moment, err);
    double *height = malloc((size_t)(s->rings ? s->rings : 1) * sizeof *height);
    if (!height) return scree_fail_memory(err, NULL);
    if (!status) scree_measure_slope(moment, s->axis, s->width, s->rings, height, &found);
    free(height);
    if (status) return status;
    double tall = found.apex - found.foot, tangent = tan(found.angle), off = 0, size = 0;
    if (!(tall > 0) || !isfinite(tangent))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "no slope is to be seen: give the strips by --strip r0,z0,r1,z1");
    double far = tall / tangent;
    for (int i = 1; i < STRIPS && !status; i++)
        for (int j = 1; j < STRIPS && !status; j++) {
            double r = far * i / STRIPS, top = found.foot + tall * (1 - (double)i / STRIPS),
                   z = found.foot + (top - found.foot) * j / STRIPS, half = far / (2 * STRIPS);
            if (z + half > top || r < half) continue;
            double up[4] = { r, z - half * tangent, r, z + half * tangent };
            double down[4] = { r - half, z + half * tangent, r + half, z - half * tangent };
            scree_strip cylinder = { 0 }, cone = { 0 };
            status = add_strip(s, moment, "cylinder", up, &cylinder, err);
            if (!status) status = add_strip(s, moment, "cone", down, &cone, err);
            double one =
                       cylinder.normal[0] * cone.density[0] + cylinder.normal[1] * cone.density[1],
                   two =
                       cone.normal[0] * cylinder.density[0] + cone.normal[1] * cylinder.density[1];
            off += fabs(one - two);
            size += hypot(cylinder.density[0], cylinder.density[1]) / 2 +
                    hypot(cone.density[0], cone.density[1]) / 2;
        }
    cli_measured_number(&s->found, "angle_of_repose", "rad", found.angle);
    cli_measured_number(&s->found, "reciprocity_off", "", size > 0 ? off / size : (double)NAN);
    return status;
}

scree_status cli_measure_meridian(cli_measuring *s, const scree_moment *moment, scree_error *err) {
    cli_measured *m = &s->found;
    if (s->space != 3)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "meridian forces are those of a pile in space");
    static const char *const name[] = { "kind", "r0",  "z0",  "r1",       "z1", "nu_r", "nu_z",
                                        "area", "T_r", "T_z", "contacts", "r",  "z" };
    static const char *const unit[] = { "",    "m",  "m",  "m", "m", "", "",
                                        "m^2", "Pa", "Pa", "",  "m", "m" };
    m->rows_name = "strips";
    for (int k = 0; k < 13; k++) cli_measured_column(m, name[k], unit[k]);
    m->arrows = true;
    for (int k = 0; k < 2; k++) {
        m->at[k] = 11 + k;
        m->along[k] = 8 + k;
    }
    double segment[4];
    int count;
    if (!cli_numbers(s->args, "strip", segment, 4, 4, &count))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the strip cannot be read");
    if (!count) return strips_of_pile(s, moment, err);
    if (segment[0] < 0 || segment[2] < 0 || (segment[0] == segment[2] && segment[1] == segment[3]))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "a strip has two ends with radii that are not negative");
    scree_strip strip = { 0 };
    return add_strip(s, moment, segment[0] == segment[2] ? "cylinder" : "cone", segment, &strip,
                     err);
}

// --- layers -------------------------------------------------------------------------------------

// when the first and the last body that are there were born
static void find_births(const scree_moment *moment, double born[2]) {
    born[0] = HUGE_VAL;
    born[1] = -HUGE_VAL;
    for (int i = 0; i < moment->model->bodies; i++) {
        const scree_body *body = &moment->model->body[i];
        if (body->fixed || body->driven || !(body->birth_time <= moment->time)) continue;
        born[0] = fmin(born[0], body->birth_time);
        born[1] = fmax(born[1], body->birth_time);
    }
}

// angle between two lines, whose directions count modulo half a turn
static double angle_between(double one, double other) {
    double off = fabs(one - other);
    return fmin(off, 180 - off);
}

static scree_status add_layer(cli_measuring *s, const double born[2], const scree_layer_ring *ring,
                              double *off, int *compared, scree_error *err) {
    for (int k = 0; k < s->rings; k++) {
        const double *T = ring[k].strip.density;
        double layer = atan(ring[k].slope) * degree, force = atan(T[1] / T[0]) * degree;
        if (!ring[k].bodies) continue;
        cli_cell *row = cli_measured_row(&s->found);
        if (!row) return scree_fail_memory(err, NULL);
        const double number[] = { born[0], born[1], ring[k].r, ring[k].z, ring[k].bodies,
                                  layer,   force,   T[0],      T[1],      ring[k].strip.contacts };
        for (int i = 0; i < 10; i++) row[i].number = number[i];
        if (ring[k].strip.contacts < CONTACTS_LEAST || isnan(layer)) continue;
        *off += angle_between(layer, force);
        ++*compared;
    }
    return SCREE_OK;
}

// as many rings as the farthest body needs, which may lie in a corner of the box around all
static void hold_all(cli_measuring *s, const scree_moment *moment) {
    scree_region r = scree_region_around(moment);
    double far = 0;
    for (int k = 0; k < 2; k++)
        far = hypot(far, fmax(fabs(r.low[k] - s->axis[k]), fabs(r.high[k] - s->axis[k])));
    if (!cli_flag(s->args, "rings")) s->rings = (int)fmin(ceil(far / s->width), CLI_RINGS_MOST);
}

// The law of paper 004, section 10.2: the force across a cylinder has the direction of the layer
// of deposit that goes through it.
scree_status cli_measure_layers(cli_measuring *s, const scree_moment *moment, scree_error *err) {
    cli_measured *m = &s->found;
    double given[2], all[2], off = 0;
    int count, compared = 0;
    if (s->space != 3)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "layers are those of a pile in space");
    if (!cli_numbers(s->args, "born", given, 2, 2, &count))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the times cannot be read");
    find_births(moment, all);
    if (!(all[0] < all[1]) && !count)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "no layers are to be seen: nothing was born while the run went on");
    scree_status status = choose_rings(s, moment, err);
    if (status) return status;
    hold_all(s, moment);
    scree_layer_ring *ring = malloc((size_t)s->rings * sizeof *ring);
    if (!ring) return scree_fail_memory(err, NULL);
    static const char *const name[] = { "born_from",   "born_to",     "r",   "z",   "bodies",
                                        "layer_angle", "force_angle", "T_r", "T_z", "contacts" };
    static const char *const unit[] = { "s", "s", "m", "m", "", "deg", "deg", "Pa", "Pa", "" };
    m->rows_name = "layers";
    for (int k = 0; k < 10; k++) cli_measured_column(m, name[k], unit[k]);
    m->x = 2;
    m->y[m->curves++] = 5;
    m->y[m->curves++] = 6;
    m->mark = SCREE_DOTS;
    for (int k = 0; k < (count ? 1 : LAYERS) && !status; k++) {
        double span = (all[1] - all[0]) / LAYERS;
        // the end of one is the start of the next, to which it belongs
        double end = nextafter(all[0] + (k + 1) * span, -HUGE_VAL);
        double born[2] = { all[0] + k * span, k == LAYERS - 1 ? all[1] : end };
        scree_measure_layer(moment, s->axis, count ? given : born, s->width, s->rings, ring);
        status = add_layer(s, count ? given : born, ring, &off, &compared, err);
    }
    cli_measured_count(m, "rings_compared", compared);
    cli_measured_number(m, "direction_off", "deg", compared ? off / compared : (double)NAN);
    free(ring);
    return status;
}

// --- masonry ------------------------------------------------------------------------------------

scree_status cli_measure_joints(cli_measuring *s, const scree_moment *moment, scree_error *err) {
    cli_measured *m = &s->found;
    scree_block_joint *joint;
    int count, states[4] = { 0 };
    scree_status status = scree_measure_joints(moment, open_share, &joint, &count, err);
    if (status) return status;
    m->rows_name = "joints";
    static const char *const name[] = {
        "a", "b", "state", "side", "x", "y", "fx", "fy", "opening"
    };
    static const char *const unit[] = { "", "", "", "", "m", "m", "N", "N", "m" };
    for (int k = 0; k < 9; k++) cli_measured_column(m, name[k], unit[k]);
    for (int i = 0; i < count && !status; i++) {
        cli_cell *row = cli_measured_row(m);
        if (!row) {
            status = scree_fail_memory(err, NULL);
            break;
        }
        const scree_block_joint *j = &joint[i];
        row[0].text = moment->model->body[j->a].name;
        row[1].text = moment->model->body[j->b].name;
        row[2].text = scree_joint_state_name(j->state);
        row[3].text = j->side;
        const double number[] = { j->point[0], j->point[1], j->force[0], j->force[1], j->opening };
        for (int k = 0; k < 5; k++) row[4 + k].number = number[k];
        states[j->state]++;
    }
    free(joint);
    for (int k = 0; k < 4; k++)
        cli_measured_count(m, scree_joint_state_name((scree_joint_state)k), states[k]);
    return status;
}
