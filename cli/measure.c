// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// measure.c - scree measure: what is read off a packing, a pile or a wall.

#include "cli/measure.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "show/frame.h"

enum { LINES = 400, CELLS_MOST = 200, RINGS = 12, RINGS_MOST = 100000, STRIPS = 8 };

static const double open_share = 1e-3;  // of a block: a joint with a larger gap is open

typedef struct session {
    const cli_args *args;
    show_run run;
    int64_t frame;  // the chosen one
    double time;
    int space;
    scree_region region;
    bool region_given;
    int cells[3];
    double axis[2], width;
    int rings;
    const char *name;  // behind the colon of WHAT
    cli_measured found;
} session;

// --- options ------------------------------------------------------------------------------------

// numbers with commas between them; false: the complaint is written
static bool read_numbers(const cli_args *args, const char *option, double *x, int least, int most,
                         int *count) {
    const char *text = cli_value(args, option), *from = text;
    *count = 0;
    if (!text) return true;
    for (;;) {
        char *rest;
        double value = strtod(from, &rest);
        bool fine = rest != from && isfinite(value) && (!*rest || *rest == ',') && *count < most;
        if (fine) x[(*count)++] = value;
        if (!fine || (!*rest && *count < least)) {
            cli_wrong_use(args, "--%s wants %d%s numbers with commas between them, got \"%s\"",
                          option, least, most > least ? " or more" : "", text);
            return false;
        }
        if (!*rest) return true;
        from = rest + 1;
    }
}

static bool read_region(session *s) {
    double x[6];
    int count;
    if (!read_numbers(s->args, "region", x, 2 * s->space, 2 * s->space, &count)) return false;
    s->region_given = count > 0;
    for (int k = 0; k < s->space && count; k++) {
        s->region.low[k] = x[k];
        s->region.high[k] = x[s->space + k];
        if (!(x[k] < x[s->space + k])) {
            cli_wrong_use(s->args, "--region: the low corner must be below the high one");
            return false;
        }
    }
    return true;
}

static bool read_options(session *s) {
    double x[3] = { 1, 1, 1 };
    int count;
    s->rings = 0;
    if (!read_region(s)) return false;
    if (!read_numbers(s->args, "cells", x, s->space, s->space, &count)) return false;
    for (int k = 0; k < 3; k++) {
        s->cells[k] = (int)x[k];
        if (x[k] != floor(x[k]) || x[k] < 1 || x[k] > CELLS_MOST) {
            cli_wrong_use(s->args, "--cells wants whole numbers from 1 to %d", CELLS_MOST);
            return false;
        }
    }
    if (!read_numbers(s->args, "axis", s->axis, s->space - 1, s->space - 1, &count)) return false;
    return cli_number(s->args, "width", CLI_POSITIVE, HUGE_VAL, &s->width) &&
           cli_integer(s->args, "rings", 1, RINGS_MOST, &s->rings);
}

// --- one moment ---------------------------------------------------------------------------------

static scree_moment moment_of(const session *s, const show_frame *frame) {
    return (scree_moment){ .model = s->run.model,
                           .time = frame->row.time,
                           .step = s->run.options->scheme.step,
                           .q = frame->q,
                           .contacts = (int)frame->row.contacts,
                           .contact = &frame->contact->contact,
                           .stride = sizeof *frame->contact };
}

static scree_region region_of(const session *s, const scree_moment *moment) {
    return s->region_given ? s->region : scree_region_around(moment);
}

static scree_status no_bodies(scree_error *err) {
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                      "no body that moves is there at this time");
}

static scree_status no_memory(scree_error *err) {
    return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory");
}

static const char *pascal(const session *s) { return s->space == 3 ? "Pa" : "N/m"; }

static void note_region(cli_measured *m, const scree_region *region, int space) {
    cli_measured_vector(m, "region_low", "m", region->low, space);
    cli_measured_vector(m, "region_high", "m", region->high, space);
}

static scree_status stress(session *s, const scree_moment *moment, scree_error *err) {
    static const char *const name[] = { "xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz" };
    static const int once[3] = { 1, 1, 1 };
    cli_measured *m = &s->found;
    scree_region region = region_of(s, moment);
    scree_cell_stress whole;
    scree_measure_stress(moment, &region, once, &whole);
    cli_measured_count(m, "bodies", whole.bodies);
    cli_measured_matrix(m, "stress", pascal(s), whole.stress, s->space);
    cli_measured_number(m, "pressure", pascal(s), whole.pressure);
    cli_measured_number(m, "volume", s->space == 3 ? "m^3" : "m^2", whole.volume);
    note_region(m, &region, s->space);
    long cells = (long)s->cells[0] * s->cells[1] * (s->space == 3 ? s->cells[2] : 1);
    if (cells == 1) return SCREE_OK;
    scree_cell_stress *cell = malloc((size_t)cells * sizeof *cell);
    if (!cell) return no_memory(err);
    scree_measure_stress(moment, &region, s->cells, cell);
    m->rows_name = "cells";
    static const char *const axis[] = { "x", "y", "z" };
    for (int k = 0; k < s->space; k++) cli_measured_column(m, axis[k], "m");
    cli_measured_column(m, "bodies", "");
    cli_measured_column(m, "pressure", pascal(s));
    for (int k = 0; k < 9; k++)
        if (k % 3 < s->space && k / 3 < s->space) cli_measured_column(m, name[k], pascal(s));
    scree_status status = SCREE_OK;
    for (long i = 0; i < cells && !status; i++) {
        cli_cell *row = cli_measured_row(m);
        if (!row) {
            status = no_memory(err);
            break;
        }
        long at = i;
        for (int k = 0; k < s->space; at /= s->cells[k++])
            row[k].number = region.low[k] + ((double)(at % s->cells[k]) + 0.5) *
                                                (region.high[k] - region.low[k]) / s->cells[k];
        row[s->space].number = cell[i].bodies;
        row[s->space + 1].number = cell[i].pressure;
        for (int k = 0, to = s->space + 2; k < 9; k++)
            if (k % 3 < s->space && k / 3 < s->space) row[to++].number = cell[i].stress[k];
    }
    free(cell);
    return status;
}

static scree_status fabric(session *s, const scree_moment *moment, scree_error *err) {
    cli_measured *m = &s->found;
    scree_region region = region_of(s, moment);
    scree_fabric f;
    scree_status status = scree_measure_fabric(moment, &region, &f, err);
    if (status) return status;
    cli_measured_count(m, "contacts", f.contacts);
    cli_measured_matrix(m, "fabric", "", f.tensor, s->space);
    cli_measured_vector(m, "principal", "", f.principal, s->space);
    cli_measured_matrix(m, "directions", "", f.direction, s->space);
    cli_measured_number(m, "anisotropy", "", f.anisotropy);
    cli_measured_number(m, "force_mean", "N", f.force_mean);
    cli_measured_number(m, "force_max", "N", f.force_max);
    static const char *const name[] = { "force_10", "force_25", "force_50", "force_75",
                                        "force_90" };
    for (int k = 0; k < 5; k++) cli_measured_number(m, name[k], "N", f.quantile[k]);
    note_region(m, &region, s->space);
    return SCREE_OK;
}

static scree_status forces(session *s, const scree_moment *moment, scree_error *err) {
    enum { BINS = 40 };
    cli_measured *m = &s->found;
    scree_region region = region_of(s, moment);
    scree_fabric f;
    int count[BINS + 1] = { 0 };
    scree_status status = scree_measure_fabric(moment, &region, &f, err);
    if (status) return status;
    cli_measured_count(m, "contacts", f.contacts);
    cli_measured_number(m, "force_mean", "N", f.force_mean);
    cli_measured_number(m, "force_max", "N", f.force_max);
    for (int i = 0; i < moment->contacts && f.force_mean > 0; i++) {
        double force[3], normal = scree_moment_force(moment, i, force) / f.force_mean;
        if (!scree_moment_bears(moment, scree_moment_contact(moment, i)) || !(normal > 0)) continue;
        count[normal < BINS * 0.2 ? (int)(normal / 0.2) : BINS]++;
    }
    m->rows_name = "distribution";
    cli_measured_column(m, "force", "mean force");
    cli_measured_column(m, "density", "1/mean force");
    cli_measured_column(m, "contacts", "");
    m->x = 0;
    m->y[m->curves++] = 1;
    m->steps = true;
    for (int k = 0; k <= BINS; k++) {
        cli_cell *row = cli_measured_row(m);
        if (!row) return no_memory(err);
        row[0].number = 0.2 * k;
        row[1].number = f.contacts ? count[k] / (0.2 * f.contacts) : 0;
        row[2].number = count[k];
    }
    return SCREE_OK;
}

static scree_status coordination(session *s, const scree_moment *moment, scree_error *err) {
    cli_measured *m = &s->found;
    scree_region region = region_of(s, moment);
    scree_coordination c;
    scree_status status = scree_measure_coordination(moment, &region, &c, err);
    if (status) return status;
    cli_measured_number(m, "coordination", "", c.mean);
    cli_measured_number(m, "coordination_bearing", "", c.mean_bearing);
    cli_measured_count(m, "bodies", c.bodies);
    cli_measured_count(m, "floating", c.floating);
    cli_measured_count(m, "pairs", c.pairs);
    cli_measured_count(m, "contacts", c.contacts);
    m->rows_name = "histogram";
    cli_measured_column(m, "neighbours", "");
    cli_measured_column(m, "bodies", "");
    m->y[m->curves++] = 1;
    m->steps = true;
    int last = SCREE_NEIGHBOURS_MAX;
    while (last > 0 && !c.histogram[last]) last--;
    for (int k = 0; k <= last; k++) {
        cli_cell *row = cli_measured_row(m);
        if (!row) return no_memory(err);
        row[0].number = k;
        row[1].number = c.histogram[k];
    }
    return SCREE_OK;
}

static scree_status solid_fraction(session *s, const scree_moment *moment, scree_error *err) {
    cli_measured *m = &s->found;
    scree_region region = region_of(s, moment);
    double fraction;
    scree_status status = scree_measure_solid_fraction(moment, &region, LINES, &fraction, err);
    if (status) return status;
    cli_measured_number(m, "solid_fraction", "", fraction);
    cli_measured_number(m, "void_ratio", "", fraction > 0 ? 1 / fraction - 1 : (double)INFINITY);
    note_region(m, &region, s->space);
    return SCREE_OK;
}

// --- the pile -----------------------------------------------------------------------------------

// how wide and how many rings are, if nothing was said: a dozen to the farthest body
static scree_status choose_rings(session *s, const scree_moment *moment, scree_error *err) {
    scree_region r = scree_region_around(moment);
    if (!(r.low[0] <= r.high[0])) return no_bodies(err);
    if (!cli_flag(s->args, "axis"))
        for (int k = 0; k < s->space - 1; k++) s->axis[k] = 0;
    double far = 0;
    for (int k = 0; k < s->space - 1; k++)
        far = hypot(far, fmax(fabs(r.low[k] - s->axis[k]), fabs(r.high[k] - s->axis[k])));
    if (s->space == 3) far /= sqrt(2);
    if (!(s->width > 0)) s->width = far / (s->rings ? s->rings : RINGS);
    double needed = ceil(far / s->width);
    if (!s->rings) s->rings = needed < RINGS_MOST ? (int)fmax(needed, 1) : RINGS_MOST;
    cli_measured_vector(&s->found, "axis", "m", s->axis, s->space - 1);
    return SCREE_OK;
}

static scree_status ground_pressure(session *s, const scree_moment *moment, scree_error *err) {
    cli_measured *m = &s->found;
    scree_ground whole;
    scree_status status = choose_rings(s, moment, err);
    if (status) return status;
    scree_ground_ring *ring = malloc((size_t)s->rings * sizeof *ring);
    if (!ring) return no_memory(err);
    scree_measure_ground(moment, s->axis, s->width, s->rings, ring, &whole);
    cli_measured_number(m, "total_force", "N", whole.force);
    cli_measured_number(m, "weight", "N", whole.weight);
    m->rows_name = "rings";
    static const char *const name[] = { "inner", "outer", "area", "force", "pressure", "contacts" };
    const char *unit[] = { "m", "m", s->space == 3 ? "m^2" : "m", "N", pascal(s), "" };
    for (int k = 0; k < 6; k++) cli_measured_column(m, name[k], unit[k]);
    m->y[m->curves++] = 4;
    m->steps = true;
    for (int k = 0; k < s->rings && !status; k++) {
        cli_cell *row = cli_measured_row(m);
        if (!row) {
            status = no_memory(err);
            break;
        }
        const double number[] = { ring[k].inner, ring[k].outer,    ring[k].area,
                                  ring[k].force, ring[k].pressure, ring[k].contacts };
        for (int i = 0; i < 6; i++) row[i].number = number[i];
    }
    free(ring);
    return status;
}

static scree_status slope(session *s, const scree_moment *moment, scree_error *err) {
    cli_measured *m = &s->found;
    scree_slope found;
    scree_status status = choose_rings(s, moment, err);
    if (status) return status;
    double *height = malloc((size_t)s->rings * sizeof *height);
    if (!height) return no_memory(err);
    scree_measure_slope(moment, s->axis, s->width, s->rings, height, &found);
    cli_measured_number(m, "angle_of_repose", "rad", found.angle);
    cli_measured_number(m, "degrees", "deg", found.angle * 57.295779513082320877);
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
            status = no_memory(err);
            break;
        }
        row[0].number = (k + 0.5) * s->width;
        row[1].number = height[k];
    }
    free(height);
    return status;
}

static scree_status add_strip(session *s, const scree_moment *moment, const char *kind,
                              const double segment[4], scree_strip *strip, scree_error *err) {
    for (int k = 0; k < 2; k++) {
        strip->from[k] = segment[k];
        strip->to[k] = segment[2 + k];
    }
    scree_measure_strip(moment, s->axis, strip);
    cli_cell *row = cli_measured_row(&s->found);
    if (!row) return no_memory(err);
    const double number[] = { segment[0],        segment[1],       segment[2],  segment[3],
                              strip->normal[0],  strip->normal[1], strip->area, strip->density[0],
                              strip->density[1], strip->contacts };
    row[0].text = kind;
    for (int i = 0; i < 10; i++) row[i + 1].number = number[i];
    return SCREE_OK;
}

// Through points of a grid under the surface: a cylinder, a cone with the surface's slope, and how
// far the two forces are from the reciprocity nu.T' = nu'.T of a symmetric stress.
static scree_status strips_of_pile(session *s, const scree_moment *moment, scree_error *err) {
    scree_slope found;
    scree_status status = choose_rings(s, moment, err);
    double *height = malloc((size_t)(s->rings ? s->rings : 1) * sizeof *height);
    if (!height) return no_memory(err);
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

static scree_status meridian(session *s, const scree_moment *moment, scree_error *err) {
    cli_measured *m = &s->found;
    if (s->space != 3)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "meridian forces are those of a pile in space");
    static const char *const name[] = { "kind", "r0",   "z0",  "r1",  "z1",      "nu_r",
                                        "nu_z", "area", "T_r", "T_z", "contacts" };
    static const char *const unit[] = { "", "m", "m", "m", "m", "", "", "m^2", "Pa", "Pa", "" };
    m->rows_name = "strips";
    for (int k = 0; k < 11; k++) cli_measured_column(m, name[k], unit[k]);
    double segment[4];
    int count;
    if (!read_numbers(s->args, "strip", segment, 4, 4, &count))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the strip cannot be read");
    if (!count) return strips_of_pile(s, moment, err);
    if (segment[0] < 0 || segment[2] < 0 || (segment[0] == segment[2] && segment[1] == segment[3]))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "a strip has two ends with radii that are not negative");
    scree_strip strip = { 0 };
    return add_strip(s, moment, segment[0] == segment[2] ? "cylinder" : "cone", segment, &strip,
                     err);
}

// --- masonry ------------------------------------------------------------------------------------

static scree_status joints(session *s, const scree_moment *moment, scree_error *err) {
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
            status = no_memory(err);
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

// --- over time ----------------------------------------------------------------------------------

typedef scree_status visit(session *s, const scree_moment *moment, const show_frame *frame,
                           void *data, scree_error *err);

static scree_status each_frame(session *s, visit *seen, void *data, scree_error *err) {
    scree_status status = SCREE_OK;
    for (int64_t i = 0; i < s->run.reader->frames && !status; i++) {
        show_frame frame = { 0 };
        status = show_frame_read(&s->run, i, &frame, err);
        if (!status) {
            scree_moment moment = moment_of(s, &frame);
            status = seen(s, &moment, &frame, data, err);
            s->found.time = moment.time;
        }
        show_frame_free(&frame);
    }
    return status;
}

static scree_status see_force(session *s, const scree_moment *moment, const show_frame *frame,
                              void *data, scree_error *err) {
    double force[3], torque[3], *sum = data;
    (void)frame;
    cli_cell *row = cli_measured_row(&s->found);
    if (!row) return no_memory(err);
    scree_measure_force_on(moment, s->name, force, torque);
    row[0].number = moment->time;
    for (int k = 0; k < s->space; k++) row[1 + k].number = force[k];
    int first = s->space == 3 ? 0 : 2;
    for (int k = first; k < 3; k++) row[1 + s->space + k - first].number = torque[k];
    for (int k = 0; k < 3; k++) {
        sum[k] = force[k];
        sum[3] =
            fmax(sum[3], sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]));
    }
    return SCREE_OK;
}

static scree_status force_on(session *s, scree_error *err) {
    cli_measured *m = &s->found;
    double sum[4] = { 0 };
    if (!*s->name || !scree_measure_knows(s->run.model, s->name))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "no body or group is called \"%s\"",
                          s->name);
    m->rows_name = "forces";
    static const char *const plane[] = { "time", "fx", "fy", "torque" };
    static const char *const space[] = { "time", "fx", "fy", "fz", "tx", "ty", "tz" };
    int columns = s->space == 3 ? 7 : 4;
    for (int k = 0; k < columns; k++)
        cli_measured_column(m, s->space == 3 ? space[k] : plane[k],
                            k == 0          ? "s"
                            : k <= s->space ? "N"
                                            : "N m");
    for (int k = 1; k <= s->space; k++) m->y[m->curves++] = k;
    scree_status status = each_frame(s, see_force, sum, err);
    cli_measured_vector(m, "force", "N", sum, s->space);
    cli_measured_number(m, "force_max", "N", sum[3]);
    return status;
}

typedef struct flow_count {
    int axis;
    double level;
    double *before;  // places of bodies, NaN: not there (bodies)
    double mass, last_time;
    int bodies;
} flow_count;

static scree_status see_flow(session *s, const scree_moment *moment, const show_frame *frame,
                             void *data, scree_error *err) {
    flow_count *f = data;
    const scree_model *model = s->run.model;
    double mass = 0;
    int bodies = 0;
    (void)frame;
    for (int i = 0; i < model->bodies; i++) {
        bool there = !model->body[i].fixed && !model->body[i].driven &&
                     scree_geometry_present(model, i, moment->time);
        double now = there ? moment->q[(long)i * model->body_coordinates + f->axis] : (double)NAN;
        double was = f->before[i];
        f->before[i] = now;
        int passed = (was < f->level && now >= f->level) - (was >= f->level && now < f->level);
        bodies += passed;
        mass += passed * model->body[i].mass;
    }
    cli_cell *row = cli_measured_row(&s->found);
    if (!row) return no_memory(err);
    f->mass += mass;
    f->bodies += bodies;
    double length = moment->time - f->last_time;
    row[0].number = moment->time;
    row[1].number = f->bodies;
    row[2].number = f->mass;
    row[3].number = length > 0 ? mass / length : 0;
    f->last_time = moment->time;
    return SCREE_OK;
}

static scree_status flow(session *s, scree_error *err) {
    flow_count f = { 0 };
    char *rest;
    f.axis = *s->name - 'x';
    f.level = *s->name && s->name[1] == '=' ? strtod(s->name + 2, &rest) : (double)NAN;
    if (f.axis < 0 || f.axis >= s->space || !isfinite(f.level) || rest == s->name + 2 || *rest)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "a flow goes through a plane: flow:z=0.1, got \"%s\"", s->name);
    f.before = malloc(((size_t)s->run.model->bodies + 1) * sizeof *f.before);
    if (!f.before) return no_memory(err);
    for (int i = 0; i < s->run.model->bodies; i++) f.before[i] = NAN;
    cli_measured *m = &s->found;
    m->rows_name = "flow";
    cli_measured_column(m, "time", "s");
    cli_measured_column(m, "bodies", "");
    cli_measured_column(m, "mass", "kg");
    cli_measured_column(m, "rate", "kg/s");
    m->y[m->curves++] = 2;
    scree_status status = each_frame(s, see_flow, &f, err);
    free(f.before);
    cli_measured_count(m, "bodies", f.bodies);
    cli_measured_number(m, "mass", "kg", f.mass);
    cli_measured_number(m, "mean_rate", "kg/s", m->time > 0 ? f.mass / m->time : 0);
    return status;
}

// --- the command --------------------------------------------------------------------------------

typedef struct measure {
    const char *what;
    scree_status (*now)(session *, const scree_moment *, scree_error *);  // of one moment, or
    scree_status (*over_time)(session *, scree_error *);                  // of all
} measure;

static const measure measures[] = {
    { "stress", stress, NULL },
    { "fabric", fabric, NULL },
    { "forces", forces, NULL },
    { "coordination", coordination, NULL },
    { "solid-fraction", solid_fraction, NULL },
    { "ground-pressure", ground_pressure, NULL },
    { "meridian", meridian, NULL },
    { "slope", slope, NULL },
    { "joints", joints, NULL },
    { "force-on:", NULL, force_on },
    { "flow:", NULL, flow },
};

static const measure *measure_of(const char *what) {
    for (size_t i = 0; i < sizeof measures / sizeof *measures; i++) {
        const char *own = measures[i].what;
        size_t length = strlen(own);
        if (own[length - 1] == ':' ? strncmp(own, what, length) == 0 : strcmp(own, what) == 0)
            return &measures[i];
    }
    return NULL;
}

static scree_status find(session *s, const measure *which, scree_error *err) {
    double time = NAN;
    if (cli_value(s->args, "at")) time = strtod(cli_value(s->args, "at"), NULL);
    if (which->over_time) return which->over_time(s, err);
    show_frame frame = { 0 };
    scree_status status = show_frame_load(&s->run, time, &frame, err);
    if (!status) {
        scree_moment moment = moment_of(s, &frame);
        s->found.time = moment.time;
        status = which->now(s, &moment, err);
    }
    show_frame_free(&frame);
    return status;
}

static scree_status write_csv(const cli_measured *m, const char *path, scree_error *err) {
    FILE *out = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
    bool fine = out != NULL;
    if (out) cli_measured_csv(m, out);
    if (out && out != stdout) fine = fclose(out) == 0;
    if (fine) return SCREE_OK;
    return scree_fail(err, SCREE_FILE_ERROR, (scree_source_location){ path, 0, 0 },
                      "cannot be written: %s", strerror(errno));
}

static scree_status tell(session *s, scree_error *err) {
    const char *output = cli_value(s->args, "output"), *plot = cli_value(s->args, "plot");
    bool json = cli_flag(s->args, "json");
    scree_status status = SCREE_OK;
    if (plot && !s->found.curves)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "%s has no curve to draw",
                          s->found.what);
    if (output) status = write_csv(&s->found, output, err);
    if (!status && plot) status = cli_measured_plot(&s->found, s->run.reader->title, plot, err);
    if (status) return status;
    if (json)
        cli_measured_json(&s->found, stdout);
    else if (!output || strcmp(output, "-") != 0)
        cli_measured_text(&s->found, stdout);
    return status;
}

static int measure_run(session *s, const measure *which, scree_run_reader *reader) {
    scree_findings findings = { 0 };
    scree_error err = { 0 };
    bool json = cli_flag(s->args, "json");
    int code = CLI_WRONG_USE;
    scree_simulation *simulation = scree_run_simulation(reader, &findings);
    if (!simulation) {
        cli_complain(&findings, json);
    } else if (!scree_simulation_model(simulation) || !scree_simulation_model(simulation)->bodies) {
        scree_fail(&err, SCREE_BAD_INPUT, (scree_source_location){ reader->path, 0, 0 },
                   "has no rigid bodies to measure");
        code = cli_fail(&err, json);
    } else {
        s->run = (show_run){ .reader = reader,
                             .simulation = simulation,
                             .model = scree_simulation_model(simulation),
                             .options = scree_simulation_options(simulation) };
        s->space = s->run.model->space;
        if (read_options(s)) {
            scree_status status = find(s, which, &err);
            if (!status) status = tell(s, &err);
            code = status ? cli_fail(&err, json) : CLI_DONE;
        }
    }
    scree_simulation_free(simulation);
    scree_findings_free(&findings);
    return code;
}

int cli_measure(const cli_args *args) {
    session s = { .args = args };
    scree_error err = { 0 };
    scree_run_reader *reader;
    const char *what = args->positional[1];
    const measure *which = measure_of(what);
    double at = 0;
    if (!which)
        return cli_wrong_use(args,
                             "cannot measure \"%s\": stress, fabric, forces, coordination, "
                             "solid-fraction, ground-pressure, meridian, slope, joints, "
                             "force-on:NAME or flow:z=HEIGHT",
                             what);
    if (!cli_number(args, "at", -HUGE_VAL, HUGE_VAL, &at)) return CLI_WRONG_USE;
    s.found.what = what;
    s.name = strchr(what, ':') ? strchr(what, ':') + 1 : "";
    if (scree_run_reader_open(args->positional[0], &reader, &err))
        return cli_fail(&err, cli_flag(args, "json"));
    int code = measure_run(&s, which, reader);
    cli_measured_free(&s.found);
    scree_run_reader_close(reader);
    return code;
}
