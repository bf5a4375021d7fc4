// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// converge_report.c - errors and orders as a table, as JSON and as CSV.

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/converge.h"
#include "cli/sweep.h"

enum { SPREAD = 16 };  // what is proposed where orders scatter

static const double FLAT = 0.3;     // a fitted order below it is no convergence
static const double SCATTER = 0.5;  // orders that are so far from the fitted one do

static bool flat(double order) { return order < FLAT; }

// ---- table ----

static void print_order(double order) {
    if (isnan(order))
        printf(" %6s", "-");
    else
        printf(" %6.2f", order);
}

static void print_level(const scree_convergence_level *level, bool energies) {
    printf("  %12.6g", level->h);
    if (isnan(level->q.last)) {
        printf("  %s\n", level->reason);
        return;
    }
    printf("  %12.3e", level->error_q);
    print_order(level->order_q);
    printf("  %12.3e", level->error_v);
    print_order(level->order_v);
    if (energies) {
        printf("  %12.3e", level->error_energy);
        print_order(level->order_energy);
    }
    printf("\n");
}

// orders between neighbours that say nothing; the longest step may be too long for any
static bool erratic(const cli_converge *c, const scree_convergence_ladder *ladder) {
    for (int i = 2; i < c->found.levels; i++) {
        const scree_convergence_level *level = &ladder->level[i];
        if (fabs(level->order_q - ladder->order_q) > SCATTER ||
            fabs(level->order_v - ladder->order_v) > SCATTER)
            return true;
    }
    return false;
}

static void print_remarks(const cli_converge *c, const scree_convergence_ladder *ladder) {
    const scree_convergence_level *finest = &ladder->level[c->found.levels - 1];
    if (finest->error_q <= ladder->floor_q && finest->error_v <= ladder->floor_v)
        printf("  the same but for rounding: there is no order to see\n");
    else if (flat(ladder->order_q) && !c->found.self)
        printf(
            "  smaller steps do not come closer to the reference: at impacts the scheme may have\n"
            "  another law, or the motion is not determined by its start\n");
    else if (flat(ladder->order_q))
        printf("  smaller steps do not come closer to each other\n");
    else if (erratic(c, ladder) && c->options.spread < SPREAD)
        printf(
            "  orders scatter with where in a step events fall; --spread %d takes means over it\n",
            SPREAD);
}

static void print_ladder(const cli_converge *c, const scree_convergence_ladder *ladder) {
    printf("\n%s", ladder->scheme);
    if (!ladder->opened) {
        printf(": refused: %s\n", ladder->level[0].reason);
        return;
    }
    printf("\n  %12s  %12s %6s  %12s %6s", scree_units_label(c->units, "h [s]").text, "positions",
           "order", "velocities", "order");
    if (c->energies) printf("  %12s %6s", scree_units_label(c->units, "energy [J]").text, "order");
    printf("\n");
    for (int i = 0; i < c->found.levels; i++) print_level(&ladder->level[i], c->energies);
    printf("  %12s  %12s", "fitted", "");
    print_order(ladder->order_q);
    printf("  %12s", "");
    print_order(ladder->order_v);
    if (c->energies) {
        printf("  %12s", "");
        print_order(ladder->order_energy);
    }
    printf("\n");
    print_remarks(c, ladder);
}

void cli_converge_print(const cli_converge *c) {
    const char *plot = cli_value(c->args, "plot");
    printf("%s: errors %s t = %.9g %s\n", c->args->positional[0],
           c->options.at_end ? "at" : "up to", c->found.end, scree_units_name(c->units, "s").text);
    if (c->found.self)
        printf("reference: self, each run against the one with half its step%s%s\n",
               c->found.why_self[0] ? "\n  not event-driven: " : "", c->found.why_self);
    else
        printf("reference: event-driven\n");
    if (c->options.at_end)
        printf("positions, velocities: the largest component of the difference at that time\n");
    else
        printf(
            "positions: largest difference of all steps; velocities, energy: mean over all "
            "steps\n");
    if (c->options.spread > 1)
        printf("means over %d runs with steps around h\n", c->options.spread);
    for (int s = 0; s < c->found.schemes; s++) print_ladder(c, &c->found.ladder[s]);
    if (plot) printf("\nfigure: %s\n", plot);
}

// ---- JSON ----

static void number(cli_json *json, const char *key, double value) {
    cli_json_number(cli_json_key(json, key), value);
}

static void numbers(cli_json *json, const char *key, const double *value) {
    cli_json_array_begin(cli_json_key(json, key));
    for (int k = 0; k < SCREE_CONVERGENCE_SAMPLES; k++) cli_json_number(json, value[k]);
    cli_json_array_end(json);
}

// not a number becomes null, also where nothing has a size
static double part_of(double error, double size) { return size > 0 ? error / size : (double)NAN; }

static void level_to_json(const scree_convergence_ladder *ladder,
                          const scree_convergence_level *level, cli_json *json) {
    bool compared = !isnan(level->q.last);
    cli_json_object_begin(json);
    number(json, "h", level->h);
    cli_json_integer(cli_json_key(json, "steps"), level->steps);
    cli_json_text(cli_json_key(json, "status"), compared ? "done" : "refused");
    cli_json_text(cli_json_key(json, "message"), compared ? NULL : level->reason);
    number(json, "position_error", level->error_q);
    number(json, "position_relative", part_of(level->error_q, ladder->travel));
    number(json, "velocity_error", level->error_v);
    number(json, "velocity_relative", part_of(level->error_v, ladder->size_v));
    number(json, "position_max", level->q.most);
    number(json, "position_mean", level->q.mean);
    number(json, "position_end", level->q.last);
    number(json, "velocity_max", level->v.most);
    number(json, "velocity_mean", level->v.mean);
    number(json, "velocity_end", level->v.last);
    number(json, "energy_error", level->error_energy);
    number(json, "energy_max", level->energy.most);
    number(json, "energy_mean", level->energy.mean);
    number(json, "energy_end", level->energy.last);
    number(json, "order_position", level->order_q);
    number(json, "order_velocity", level->order_v);
    number(json, "order_energy", level->order_energy);
    numbers(json, "curve_time", level->time);
    numbers(json, "curve_energy", level->curve);
    cli_json_object_end(json);
}

static void ladder_to_json(const cli_converge *c, const scree_convergence_ladder *ladder,
                           cli_json *json) {
    bool none = !ladder->opened;
    cli_json_object_begin(json);
    cli_json_text(cli_json_key(json, "scheme"), ladder->scheme);
    cli_json_text(cli_json_key(json, "status"), none ? "refused" : "done");
    cli_json_text(cli_json_key(json, "message"), none ? ladder->level[0].reason : NULL);
    number(json, "order_position", ladder->order_q);
    number(json, "order_velocity", ladder->order_v);
    number(json, "order_energy", ladder->order_energy);
    number(json, "largest_displacement", ladder->travel);
    number(json, "largest_velocity", ladder->size_v);
    cli_json_array_begin(cli_json_key(json, "runs"));
    for (int i = 0; i < c->found.levels && !none; i++)
        level_to_json(ladder, &ladder->level[i], json);
    cli_json_array_end(json);
    cli_json_object_end(json);
}

void cli_converge_json(const cli_converge *c) {
    cli_json document = cli_json_begin(stdout), *json = &document;
    cli_json_object_begin(json);
    cli_json_text(cli_json_key(json, "status"), "done");
    cli_json_text(cli_json_key(json, "scene"), c->args->positional[0]);
    cli_json_text(cli_json_key(json, "reference"), c->found.self ? "self" : "event-driven");
    cli_json_text(cli_json_key(json, "why_self"), c->found.why_self[0] ? c->found.why_self : NULL);
    number(json, "time", c->found.end);
    cli_json_integer(cli_json_key(json, "spread"), c->options.spread);
    cli_json_text(cli_json_key(json, "position_measure"), c->options.at_end ? "end" : "max");
    cli_json_text(cli_json_key(json, "velocity_measure"), c->options.at_end ? "end" : "mean");
    cli_json_array_begin(cli_json_key(json, "schemes"));
    for (int s = 0; s < c->found.schemes; s++) ladder_to_json(c, &c->found.ladder[s], json);
    cli_json_array_end(json);
    cli_json_text(cli_json_key(json, "plot"), cli_value(c->args, "plot"));
    cli_json_object_end(json);
    cli_json_end(json);
}

// ---- CSV ----

static void write_csv(const void *what, FILE *file) {
    const scree_convergence *found = what;
    fprintf(file,
            "scheme,h,steps,position_max,position_mean,position_end,velocity_max,velocity_mean,"
            "velocity_end,order_position,order_velocity,energy_max,energy_mean,energy_end,"
            "order_energy\n");
    for (int s = 0; s < found->schemes; s++)
        for (int i = 0; i < found->levels; i++) {
            const scree_convergence_level *l = &found->ladder[s].level[i];
            fprintf(file, "%s,%.17g,%" PRId64, found->ladder[s].scheme, l->h, l->steps);
            const double cell[] = {
                l->q.most,      l->q.mean,      l->q.last,      l->v.most,
                l->v.mean,      l->v.last,      l->order_q,     l->order_v,
                l->energy.most, l->energy.mean, l->energy.last, l->order_energy
            };
            for (size_t k = 0; k < sizeof cell / sizeof *cell; k++)
                if (isnan(cell[k]))
                    fprintf(file, ",nan");
                else
                    fprintf(file, ",%.17g", cell[k]);
            fprintf(file, "\n");
        }
}

bool cli_converge_csv(const cli_converge *c, const char *path) {
    return cli_save(path, write_csv, &c->found);
}
