// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// solve_all.c - scree solve --all: every solution of a small problem, families as such.

#include "cli/solve.h"

static const char *pattern_name(int pattern) {
    switch ((scree_pattern)pattern) {
        case SCREE_PATTERN_OPEN:
            return "open";
        case SCREE_PATTERN_STICK:
            return "stick";
        case SCREE_PATTERN_SLIP_PLUS:
            return "slip+";
        case SCREE_PATTERN_SLIP_MINUS:
            return "slip-";
        case SCREE_PATTERN_CLOSED:
            return "closed";
    }
    return "unknown";
}

static const char *kind_name(const scree_solution *solution) {
    if (solution->freedom == 0) return "point";
    if (solution->freedom > 1) return "face";
    return solution->rays ? "ray" : "segment";
}

// contacts, or components of an LCP
static int entries(const cli_solving *solving) {
    return solving->file.is_lcp ? solving->file.lcp.size : solving->file.problem.contacts;
}

static int count_families(const scree_solution_set *set) {
    int count = 0;
    for (int i = 0; i < set->solutions; i++) count += set->solution[i].freedom > 0;
    return count;
}

// ---- for people ----

static void print_vector(const char *title, const double *value, int size) {
    printf("    %-18s", title);
    for (int i = 0; i < size; i++) printf(" %.9g", value[i] + 0.0);
    putchar('\n');
}

static void print_solution(const cli_solving *solving, const scree_solution *solution, int size) {
    printf("  %-20s", kind_name(solution));
    for (int i = 0; i < entries(solving); i++) printf(" %s", pattern_name(solution->pattern[i]));
    putchar('\n');
    const char *name = solving->file.is_lcp ? "z" : "p";
    for (int i = 0; i < solution->vertices; i++)
        print_vector(solution->freedom ? "corner" : name, solution->vertex + (long)i * size, size);
    for (int i = 0; i < solution->rays; i++)
        print_vector("without end along", solution->ray + (long)i * size, size);
}

static void print_set(const cli_solving *solving, const scree_solution_set *set) {
    int families = count_families(set), points = set->solutions - families;
    printf("%s: %s, ", solving->path, solving->file.format);
    if (!set->solutions)
        printf("no solution\n");
    else if (families)
        printf("infinitely many solutions: %d point(s) and %d famil%s\n", points, families,
               families == 1 ? "y" : "ies");
    else
        printf("%d solution%s\n", points, points == 1 ? "" : "s");
    for (int i = 0; i < set->solutions; i++) print_solution(solving, &set->solution[i], set->size);
    if (set->certified_none)
        print_vector("proof", set->certificate, set->size);
    else if (!set->solutions)
        printf("  %-20s complete: every combination of statuses was looked at\n", "search");
    printf("  %-20s %ld linear systems, tolerance %.3g\n", "effort", set->systems,
           solving->options.tolerance);
}

// ---- for programs ----

static void pattern_to_json(cli_json *json, const cli_solving *solving,
                            const scree_solution *solution) {
    cli_json_array_begin(cli_json_key(json, "pattern"));
    for (int i = 0; i < entries(solving); i++)
        cli_json_text(json, pattern_name(solution->pattern[i]));
    cli_json_array_end(json);
}

static void vectors_to_json(cli_json *json, const char *key, const double *value, int count,
                            int size) {
    cli_json_array_begin(cli_json_key(json, key));
    for (int i = 0; i < count; i++) cli_json_numbers(json, value + (long)i * size, size);
    cli_json_array_end(json);
}

static void points_to_json(cli_json *json, const cli_solving *solving,
                           const scree_solution_set *set) {
    cli_json_array_begin(cli_json_key(json, "solutions"));
    for (int i = 0; i < set->solutions; i++) {
        if (set->solution[i].freedom) continue;
        cli_json_object_begin(json);
        pattern_to_json(json, solving, &set->solution[i]);
        cli_json_key(json, "values");
        cli_json_numbers(json, set->solution[i].vertex, set->size);
        cli_json_object_end(json);
    }
    cli_json_array_end(json);
}

// the two ends of a segment or ray; a ray has no second one
static void ends_to_json(cli_json *json, const scree_solution *family, int size) {
    cli_json_array_begin(cli_json_key(json, "ends"));
    for (int i = 0; i < 2; i++) {
        if (i < family->vertices)
            cli_json_numbers(json, family->vertex + (long)i * size, size);
        else
            cli_json_null(json);
    }
    cli_json_array_end(json);
}

static void families_to_json(cli_json *json, const cli_solving *solving,
                             const scree_solution_set *set) {
    cli_json_array_begin(cli_json_key(json, "families"));
    for (int i = 0; i < set->solutions; i++) {
        const scree_solution *family = &set->solution[i];
        if (!family->freedom) continue;
        cli_json_object_begin(json);
        cli_json_text(cli_json_key(json, "kind"), kind_name(family));
        cli_json_integer(cli_json_key(json, "freedom"), family->freedom);
        pattern_to_json(json, solving, family);
        if (family->freedom == 1) ends_to_json(json, family, set->size);
        vectors_to_json(json, "vertices", family->vertex, family->vertices, set->size);
        vectors_to_json(json, "rays", family->ray, family->rays, set->size);
        cli_json_object_end(json);
    }
    cli_json_array_end(json);
}

static void set_to_json(const cli_solving *solving, const scree_solution_set *set) {
    cli_json document = cli_json_begin(stdout), *json = &document;
    cli_json_object_begin(json);
    cli_json_text(cli_json_key(json, "file"), solving->path);
    cli_json_text(cli_json_key(json, "format"), solving->file.format);
    cli_json_integer(cli_json_key(json, "contacts"), entries(solving));
    cli_json_integer(cli_json_key(json, "dimension"),
                     solving->file.is_lcp ? 1 : solving->file.problem.dimension);
    cli_json_number(cli_json_key(json, "tolerance"), solving->options.tolerance);
    cli_json_key(json, "count");
    if (count_families(set))
        cli_json_text(json, "infinite");
    else
        cli_json_integer(json, set->solutions);
    points_to_json(json, solving, set);
    families_to_json(json, solving, set);
    if (set->certified_none) {
        cli_json_key(json, "certificate");
        cli_json_numbers(json, set->certificate, set->size);
    }
    cli_json_integer(cli_json_key(json, "systems"), set->systems);
    cli_json_object_end(json);
    cli_json_end(json);
}

int cli_solve_all(const cli_solving *solving, bool json) {
    scree_error err = { 0 };
    scree_solution_set set = { 0 };
    double tolerance = solving->options.tolerance;
    scree_status status = solving->file.is_lcp
                              ? scree_lcp_all(&solving->file.lcp, tolerance, &set, &err)
                              : scree_solve_all(&solving->file.problem, tolerance, &set, &err);
    if (status) return cli_solving_fail(solving, &err, json);
    if (json)
        set_to_json(solving, &set);
    else
        print_set(solving, &set);
    int code = set.solutions ? CLI_DONE : CLI_SAYS_NO;
    scree_solution_set_free(&set);
    return code;
}
