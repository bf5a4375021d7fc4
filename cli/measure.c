// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// measure.c - scree measure: what is read off a packing, a pile or a wall.

#include "cli/measure.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/sweep.h"
#include "show/frame.h"

enum { LINES = 400, CELLS_MOST = 200 };

// --- options ------------------------------------------------------------------------------------

static bool read_region(cli_measuring *s) {
    double x[6];
    int count;
    if (!cli_numbers(s->args, "region", x, 2 * s->space, 2 * s->space, &count)) return false;
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

static bool read_options(cli_measuring *s) {
    double x[3] = { 1, 1, 1 };
    int count;
    s->rings = 0;
    if (!read_region(s)) return false;
    if (!cli_numbers(s->args, "cells", x, s->space, s->space, &count)) return false;
    for (int k = 0; k < 3; k++) {
        s->cells[k] = (int)x[k];
        if (x[k] != floor(x[k]) || x[k] < 1 || x[k] > CELLS_MOST) {
            cli_wrong_use(s->args, "--cells wants whole numbers from 1 to %d", CELLS_MOST);
            return false;
        }
    }
    if (!cli_numbers(s->args, "axis", s->axis, s->space - 1, s->space - 1, &count)) return false;
    return cli_number(s->args, "width", CLI_POSITIVE, HUGE_VAL, &s->width) &&
           cli_integer(s->args, "rings", 1, CLI_RINGS_MOST, &s->rings);
}

// --- one moment ---------------------------------------------------------------------------------

scree_moment cli_measure_moment(const cli_measuring *s, const show_frame *frame) {
    return (scree_moment){ .model = s->run.model,
                           .time = frame->row.time,
                           .step = s->run.options->scheme.step,
                           .q = frame->q,
                           .contacts = (int)frame->row.contacts,
                           .contact = &frame->contact->contact,
                           .stride = sizeof *frame->contact };
}

static scree_region region_of(const cli_measuring *s, const scree_moment *moment) {
    return s->region_given ? s->region : scree_region_around(moment);
}

const char *cli_measure_pascal(const cli_measuring *s) { return s->space == 3 ? "Pa" : "N/m"; }

static void note_region(cli_measured *m, const scree_region *region, int space) {
    cli_measured_vector(m, "region_low", "m", region->low, space);
    cli_measured_vector(m, "region_high", "m", region->high, space);
}

static scree_status stress(cli_measuring *s, const scree_moment *moment, scree_error *err) {
    static const char *const name[] = { "xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz" };
    static const int once[3] = { 1, 1, 1 };
    cli_measured *m = &s->found;
    scree_region region = region_of(s, moment);
    scree_cell_stress whole;
    double volume = scree_region_volume(&region, s->space);
    if (!(volume > 0) || !isfinite(volume))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the region has no volume: give one by --region");
    scree_measure_stress(moment, &region, once, &whole);
    cli_measured_count(m, "bodies", whole.bodies);
    cli_measured_matrix(m, "stress", cli_measure_pascal(s), whole.stress, s->space);
    cli_measured_number(m, "pressure", cli_measure_pascal(s), whole.pressure);
    cli_measured_number(m, "volume", s->space == 3 ? "m^3" : "m^2", whole.volume);
    note_region(m, &region, s->space);
    long cells = (long)s->cells[0] * s->cells[1] * (s->space == 3 ? s->cells[2] : 1);
    if (cells == 1) return SCREE_OK;
    scree_cell_stress *cell = malloc((size_t)cells * sizeof *cell);
    if (!cell) return scree_fail_memory(err, NULL);
    scree_measure_stress(moment, &region, s->cells, cell);
    m->rows_name = "cells";
    static const char *const axis[] = { "x", "y", "z" };
    for (int k = 0; k < s->space; k++) cli_measured_column(m, axis[k], "m");
    cli_measured_column(m, "bodies", "");
    cli_measured_column(m, "pressure", cli_measure_pascal(s));
    for (int k = 0; k < 9; k++)
        if (k % 3 < s->space && k / 3 < s->space)
            cli_measured_column(m, name[k], cli_measure_pascal(s));
    scree_status status = SCREE_OK;
    for (long i = 0; i < cells && !status; i++) {
        cli_cell *row = cli_measured_row(m);
        if (!row) {
            status = scree_fail_memory(err, NULL);
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

static scree_status fabric(cli_measuring *s, const scree_moment *moment, scree_error *err) {
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

static scree_status forces(cli_measuring *s, const scree_moment *moment, scree_error *err) {
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
    m->mark = SCREE_STEPS;
    for (int k = 0; k <= BINS; k++) {
        cli_cell *row = cli_measured_row(m);
        if (!row) return scree_fail_memory(err, NULL);
        row[0].number = 0.2 * k;
        row[1].number = f.contacts ? count[k] / (0.2 * f.contacts) : 0;
        row[2].number = count[k];
    }
    return SCREE_OK;
}

static scree_status coordination(cli_measuring *s, const scree_moment *moment, scree_error *err) {
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
    m->mark = SCREE_STEPS;
    int last = SCREE_NEIGHBOURS_MAX;
    while (last > 0 && !c.histogram[last]) last--;
    for (int k = 0; k <= last; k++) {
        cli_cell *row = cli_measured_row(m);
        if (!row) return scree_fail_memory(err, NULL);
        row[0].number = k;
        row[1].number = c.histogram[k];
    }
    return SCREE_OK;
}

static scree_status solid_fraction(cli_measuring *s, const scree_moment *moment, scree_error *err) {
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

// --- the command --------------------------------------------------------------------------------

typedef struct measure {
    const char *what;
    scree_status (*now)(cli_measuring *, const scree_moment *, scree_error *);  // of one moment, or
    scree_status (*over_time)(cli_measuring *, scree_error *);                  // of all
} measure;

static const measure measures[] = {
    { "stress", stress, NULL },
    { "fabric", fabric, NULL },
    { "forces", forces, NULL },
    { "coordination", coordination, NULL },
    { "solid-fraction", solid_fraction, NULL },
    { "ground-pressure", cli_measure_ground, NULL },
    { "meridian", cli_measure_meridian, NULL },
    { "slope", cli_measure_slope, NULL },
    { "layers", cli_measure_layers, NULL },
    { "joints", cli_measure_joints, NULL },
    { "force-on:", NULL, cli_measure_force_on },
    { "flow:", NULL, cli_measure_flow },
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

static scree_status find(cli_measuring *s, const measure *which, scree_error *err) {
    double time = NAN;
    if (cli_value(s->args, "at")) time = strtod(cli_value(s->args, "at"), NULL);
    if (which->over_time) return which->over_time(s, err);
    show_frame frame = { 0 };
    scree_status status = show_frame_load(&s->run, time, &frame, err);
    if (!status) {
        scree_moment moment = cli_measure_moment(s, &frame);
        s->found.time = moment.time;
        status = which->now(s, &moment, err);
    }
    show_frame_free(&frame);
    return status;
}

static scree_status tell(cli_measuring *s, scree_error *err) {
    const char *output = cli_value(s->args, "output"), *plot = cli_value(s->args, "plot");
    bool json = cli_flag(s->args, "json");
    scree_status status = SCREE_OK;
    if (plot && !s->found.curves && !s->found.arrows)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "%s has no curve to draw",
                          s->found.what);
    if (output && !cli_save(output, cli_measured_csv, &s->found))
        status = scree_fail_file(err, output, "cannot be written", errno);
    if (!status && plot) status = cli_measured_plot(&s->found, s->run.reader->title, plot, err);
    if (status) return status;
    if (json)
        cli_measured_json(&s->found, stdout);
    else if (!output || strcmp(output, "-") != 0)
        cli_measured_text(&s->found, stdout);
    return status;
}

static int measure_run(cli_measuring *s, const measure *which, scree_run_reader *reader) {
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
        s->found.units = scree_scene_units(scree_simulation_scene(simulation));
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
    cli_measuring s = { .args = args };
    scree_error err = { 0 };
    scree_run_reader *reader;
    const char *what = args->positional[1];
    const measure *which = measure_of(what);
    double at = 0;
    if (!which)
        return cli_wrong_use(args,
                             "cannot measure \"%s\": stress, fabric, forces, coordination, "
                             "solid-fraction, ground-pressure, meridian, slope, layers, joints, "
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
