// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// equilibria.c - scree equilibria: all equilibria of a small system, and which are stable.

#include "cli/equilibria.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "show/equilibria.h"

enum { LISTED = 40 };  // pieces in the text; --json has them all

typedef struct resting_scene {
    scree_simulation *simulation;
    scree_equilibrium_system system;
    bool has_critical;  // what follows is there
    scree_rest_critical critical;
    double *critical_load;  // of each coordinate, or NULL
} resting_scene;

static int count_families(const scree_equilibria *set) {
    int count = 0;
    for (int i = 0; i < set->count; i++) count += set->item[i].freedom > 0;
    return count;
}

// ---- for people ----

static void print_vector(const char *name, const double *x, int count) {
    printf("%s = (", name);
    for (int k = 0; k < count; k++) printf("%s%.9g", k ? ", " : "", x[k] + 0.0);
    printf(")");
}

static void print_statuses(const scree_rest *status, int contacts) {
    for (int c = 0; c < contacts; c++) printf("%s%s", c ? ", " : "", scree_rest_name(status[c]));
}

static void print_ranges(const scree_equilibrium *piece, int contacts) {
    for (int c = 0; c < contacts; c++) {
        double low = piece->rn[2 * c], high = piece->rn[2 * c + 1];
        printf("%s", c ? "; " : "r_N ");
        if (isinf(high))
            printf("from %.9g on", low);
        else if (low == high)
            printf("= %.9g", low);
        else
            printf("from %.9g to %.9g", low, high);
    }
}

static void print_piece(const scree_equilibria *set, const scree_equilibrium *piece) {
    int n = set->coordinates, nc = set->contacts;
    printf("  ");
    print_statuses(piece->status, nc);
    printf(": %s, ", scree_equilibrium_family(piece));
    if (piece->freedom > 1) printf("freedom %d, ", piece->freedom);
    print_ranges(piece, nc);
    putchar('\n');
    for (int g = 0; g < piece->vertices + piece->rays && g < LISTED; g++) {
        bool end = g < piece->vertices;
        printf("    %-12s", !end ? "without end" : piece->freedom ? "end" : "at");
        print_vector(end ? "u" : "along u", piece->u + (long)g * n, n);
        print_vector(", r", piece->r + (long)g * 2 * nc, 2 * nc);
        if (end && piece->freedom) {
            printf(", ");
            print_statuses(piece->end + (long)g * nc, nc);
        }
        putchar('\n');
    }
    if (!piece->ground[0]) return;
    printf("    %s: %s\n", scree_stability_name(piece->stability), piece->ground);
    for (int k = 0; k < piece->stable_directions; k++)
        printf("%s%s%s", k ? ", " : "    survives pushes along ", piece->stable_direction[k],
               k == piece->stable_directions - 1 ? "\n" : "");
}

// a few of them are worth a line
static void print_loads(const scree_equilibrium_system *system, const double *load) {
    if (system->coordinates > 8 || !load) return;
    for (int i = 0, said = 0; i < system->coordinates; i++)
        if (!isnan(load[i]))
            printf("%s load %d = %.9g", said++ ? ", or" : "  that is at", i + 1, load[i]);
    printf(" instead of");
    for (int i = 0; i < system->coordinates; i++)
        printf("%s%.9g", i ? ", " : " (", system->load[i]);
    printf(")\n");
}

static void print_critical(const resting_scene *resting, const scree_equilibria *set) {
    const scree_rest_critical *critical = &resting->critical;
    scree_klarbring p;
    const scree_model *model = scree_simulation_model(resting->simulation);
    if (resting->has_critical) {
        printf("  the set changes at mu = ");
        if (isinf(critical->friction))
            printf("infinity (no coupling)");
        else
            printf("%.9g", critical->friction);
        printf(" and where the load alone closes the gap, which it leaves at %.9g\n",
               critical->free_gap);
        print_loads(&resting->system, resting->critical_load);
    }
    if (scree_klarbring_of(model, &resting->system, set->tolerance, &p))
        printf("  Klarbring's particle: A = KT FN - W FT = %.9g, KT/|W| = %.9g, mu = %.9g\n", p.A,
               p.W != 0 ? p.KT / fabs(p.W) : HUGE_VAL, p.mu);
}

static void print_set(const cli_args *args, const resting_scene *resting,
                      const scree_equilibria *set) {
    int families = count_families(set), points = set->count - families;
    printf("%s: %d coordinate%s, %d contact%s, ", args->positional[0], set->coordinates,
           set->coordinates == 1 ? "" : "s", set->contacts, set->contacts == 1 ? "" : "s");
    if (!set->count)
        printf("no equilibrium\n");
    else if (families)
        printf("infinitely many equilibria: %d point%s and %d famil%s\n", points,
               points == 1 ? "" : "s", families, families == 1 ? "y" : "ies");
    else
        printf("%d equilibri%s\n", points, points == 1 ? "um" : "a");
    for (int c = 0; c < set->contacts && set->contacts > 1; c++)
        printf("  contact %d: %s, mu = %.9g\n", c + 1, resting->system.name[c],
               resting->system.mu[c]);
    for (int i = 0; i < set->count && i < LISTED; i++) print_piece(set, &set->item[i]);
    if (set->count > LISTED)
        printf("  and %d more pieces (--json lists them all)\n", set->count - LISTED);
    print_critical(resting, set);
    printf("  sums below %.3g of their terms count as zero\n", set->tolerance);
}

// ---- for programs ----

// one status is a text, several are a list
static void statuses_to_json(cli_json *json, const scree_rest *status, int contacts) {
    if (contacts != 1) cli_json_array_begin(json);
    for (int c = 0; c < contacts; c++) cli_json_text(json, scree_rest_name(status[c]));
    if (contacts != 1) cli_json_array_end(json);
}

static void ranges_to_json(cli_json *json, const scree_equilibrium *piece, int contacts) {
    cli_json_key(json, "rn");
    if (contacts != 1) cli_json_array_begin(json);
    // what is unbounded becomes null
    for (int c = 0; c < contacts; c++) cli_json_numbers(json, piece->rn + 2 * c, 2);
    if (contacts != 1) cli_json_array_end(json);
}

// numbers of a point, or of all vertices; a ray has no second end
static void ends_to_json(cli_json *json, const char *key, const scree_equilibrium *piece,
                         const double *x, int width) {
    cli_json_key(json, key);
    if (piece->freedom == 0) {
        cli_json_numbers(json, x, width);
        return;
    }
    cli_json_array_begin(json);
    for (int v = 0; v < piece->vertices; v++) cli_json_numbers(json, x + (long)v * width, width);
    if (piece->freedom == 1 && piece->rays) cli_json_null(json);
    cli_json_array_end(json);
}

static void rays_to_json(cli_json *json, const scree_equilibria *set,
                         const scree_equilibrium *piece) {
    int n = set->coordinates, width = 2 * set->contacts;
    cli_json_array_begin(cli_json_key(json, "rays"));
    for (int g = piece->vertices; g < piece->vertices + piece->rays; g++) {
        cli_json_object_begin(json);
        cli_json_numbers(cli_json_key(json, "u"), piece->u + (long)g * n, n);
        cli_json_numbers(cli_json_key(json, "r"), piece->r + (long)g * width, width);
        cli_json_object_end(json);
    }
    cli_json_array_end(json);
}

static void piece_to_json(cli_json *json, const scree_equilibria *set,
                          const scree_equilibrium *piece) {
    int nc = set->contacts;
    cli_json_object_begin(json);
    statuses_to_json(cli_json_key(json, "status"), piece->status, nc);
    cli_json_text(cli_json_key(json, "family"), scree_equilibrium_family(piece));
    cli_json_integer(cli_json_key(json, "freedom"), piece->freedom);
    ranges_to_json(json, piece, nc);
    ends_to_json(json, "u", piece, piece->u, set->coordinates);
    ends_to_json(json, "r", piece, piece->r, 2 * nc);
    if (piece->freedom > 0) {
        cli_json_array_begin(cli_json_key(json, "ends"));
        for (int v = 0; v < piece->vertices; v++)
            statuses_to_json(json, piece->end + (long)v * nc, nc);
        if (piece->freedom == 1 && piece->rays) cli_json_null(json);
        cli_json_array_end(json);
    }
    if (piece->rays) rays_to_json(json, set, piece);
    cli_json_text(cli_json_key(json, "stability"), scree_stability_name(piece->stability));
    cli_json_text(cli_json_key(json, "ground"), piece->ground);
    if (piece->stable_directions) {
        cli_json_array_begin(cli_json_key(json, "stable_directions"));
        for (int k = 0; k < piece->stable_directions; k++)
            cli_json_text(json, piece->stable_direction[k]);
        cli_json_array_end(json);
    }
    if (piece->growth_rate > 0 || piece->growth_direction)
        cli_json_number(cli_json_key(json, "growth_rate"), piece->growth_rate);
    if (piece->growth_direction)
        cli_json_numbers(cli_json_key(json, "growth_direction"), piece->growth_direction,
                         set->coordinates);
    cli_json_object_end(json);
}

static void critical_to_json(cli_json *json, const resting_scene *resting,
                             const scree_equilibria *set) {
    scree_klarbring p;
    const scree_model *model = scree_simulation_model(resting->simulation);
    const double *load = resting->critical_load;
    if (resting->has_critical) {
        cli_json_object_begin(cli_json_key(json, "critical"));
        cli_json_number(cli_json_key(json, "mu"), resting->critical.friction);
        cli_json_number(cli_json_key(json, "free_gap"), resting->critical.free_gap);
        if (load) {
            cli_json_array_begin(cli_json_key(json, "loads"));
            for (int i = 0; i < resting->system.coordinates; i++) cli_json_number(json, load[i]);
            cli_json_array_end(json);
        }
        cli_json_object_end(json);
    }
    if (scree_klarbring_of(model, &resting->system, set->tolerance, &p))
        cli_json_number(cli_json_key(json, "A"), p.A);
}

static void set_to_json(const cli_args *args, const resting_scene *resting,
                        const scree_equilibria *set) {
    cli_json document = cli_json_begin(stdout), *json = &document;
    cli_json_object_begin(json);
    cli_json_text(cli_json_key(json, "status"), "done");
    cli_json_text(cli_json_key(json, "scene"), args->positional[0]);
    cli_json_integer(cli_json_key(json, "coordinates"), set->coordinates);
    cli_json_array_begin(cli_json_key(json, "contacts"));
    for (int c = 0; c < set->contacts; c++) {
        cli_json_object_begin(json);
        cli_json_text(cli_json_key(json, "name"), resting->system.name[c]);
        cli_json_number(cli_json_key(json, "mu"), resting->system.mu[c]);
        cli_json_object_end(json);
    }
    cli_json_array_end(json);
    cli_json_key(json, "count");
    if (count_families(set))
        cli_json_text(json, "infinite");
    else
        cli_json_integer(json, set->count);
    cli_json_array_begin(cli_json_key(json, "equilibria"));
    for (int i = 0; i < set->count; i++) piece_to_json(json, set, &set->item[i]);
    cli_json_array_end(json);
    critical_to_json(json, resting, set);
    cli_json_number(cli_json_key(json, "tolerance"), set->tolerance);
    if (cli_value(args, "plot")) cli_json_text(cli_json_key(json, "file"), cli_value(args, "plot"));
    cli_json_object_end(json);
    cli_json_end(json);
}

// ---- the command ----

static scree_status judge(const cli_args *args, const resting_scene *resting, scree_equilibria *set,
                          scree_error *err) {
    const char *how = cli_value(args, "stability");
    scree_stability_method method = SCREE_JUDGE_AUTO;
    if (how && strcmp(how, "none") == 0) return SCREE_OK;
    if (how && strcmp(how, "proof") == 0) method = SCREE_JUDGE_PROOF;
    if (how && strcmp(how, "experiment") == 0) method = SCREE_JUDGE_EXPERIMENT;
    if (how && strcmp(how, "criteria") == 0) method = SCREE_JUDGE_CRITERIA;
    return scree_stability_judge(scree_simulation_model(resting->simulation),
                                 scree_simulation_options(resting->simulation), &resting->system,
                                 method, set, err);
}

// where the set changes; that it is not to be had is no mistake, to have no memory for it is
static scree_status find_critical(resting_scene *resting, double tolerance, scree_error *err) {
    scree_status status =
        scree_rest_critical_of(&resting->system, tolerance, &resting->critical, err);
    resting->has_critical = !status;
    if (status) return status == SCREE_BAD_INPUT ? SCREE_OK : status;
    double *load = calloc((size_t)resting->system.coordinates, sizeof *load);
    if (!load) return scree_fail_memory(err, NULL);
    status = scree_rest_critical_loads(&resting->system, tolerance, load, err);
    if (!status) {
        resting->critical_load = load;
        return SCREE_OK;
    }
    free(load);
    return status == SCREE_BAD_INPUT ? SCREE_OK : status;
}

int cli_equilibria_fail(const cli_args *args, scree_error *err) {
    if (!err->file[0]) snprintf(err->file, sizeof err->file, "%s", args->positional[0]);
    return cli_fail(err, cli_flag(args, "json"));
}

static scree_status draw(const cli_args *args, const resting_scene *resting,
                         const scree_equilibria *set, scree_error *err) {
    char caption[300];
    if (!cli_value(args, "plot")) return SCREE_OK;
    snprintf(caption, sizeof caption, "%s, scree %s", args->positional[0], scree_version());
    return show_cones(&resting->system, set, caption, cli_value(args, "plot"), err);
}

int cli_equilibria(const cli_args *args) {
    double tolerance = 1e-12;
    if (!cli_number(args, "tolerance", 1e-14, 1e-6, &tolerance)) return CLI_WRONG_USE;
    if (cli_value(args, "sweep")) return cli_equilibria_sweep(args, tolerance);
    if (cli_value(args, "output")) return cli_wrong_use(args, "--output goes with --sweep");
    int count, code;
    const char *const *overrides = cli_values(args, "set", &count);
    bool json = cli_flag(args, "json");
    scree_findings findings = { 0 };
    scree_error err = { 0 };
    resting_scene resting = { .simulation = cli_open_scene(args->positional[0], overrides, count,
                                                           &findings) };
    scree_equilibria set = { 0 };
    if (!resting.simulation) {
        code = cli_complain(&findings, json);
    } else if (scree_equilibrium_system_new(scree_simulation_model(resting.simulation),
                                            scree_simulation_options(resting.simulation),
                                            &resting.system, &err) ||
               scree_equilibria_find(&resting.system, tolerance, &set, &err) ||
               find_critical(&resting, set.tolerance, &err) || judge(args, &resting, &set, &err) ||
               draw(args, &resting, &set, &err)) {
        code = cli_equilibria_fail(args, &err);
    } else {
        code = set.count ? CLI_DONE : CLI_SAYS_NO;
        if (json)
            set_to_json(args, &resting, &set);
        else
            print_set(args, &resting, &set);
    }
    scree_equilibria_free(&set);
    free(resting.critical_load);
    scree_equilibrium_system_free(&resting.system);
    scree_simulation_free(resting.simulation);
    scree_findings_free(&findings);
    return code;
}
