// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// elastic.c - what a step of an elastic body costs, and how much of that nobody could avoid.
//
//     run SCENE FILE [KEY=VALUE ...]       the whole run, stored in FILE, or not at all if it is -
//     parts SCENE STEPS [KEY=VALUE ...]    step by step and phase by phase
//     export SCENE FOLDER [KEY=VALUE ...]  matrices and vectors of the first elastic body
//
// Numbers come in JSON. The phases of a step are those that its record tells; what lies inside them
// is measured right after each step, by doing it again with the same numbers: one product with K,
// two solves with the factor of Mhat, and the contact problem from the same guess. These are what a
// step cannot do without. Time is the clock's.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "model/elastic.h"
#include "scree/scree.h"
#include "step/stepper.h"

static void need(bool fine, const char *what) {
    if (fine) return;
    fprintf(stderr, "elastic: %s\n", what);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static double lap(double *clock) {
    double before = *clock;
    *clock = now();
    return *clock - before;
}

static double megabytes(void) {  // the most that was in memory at once
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
}

static scree_simulation *open_scene(const char *file, char **overrides, int count) {
    scree_findings findings = { 0 };
    scree_simulation *simulation =
        scree_simulation_open(file, (const char *const *)overrides, count, &findings);
    need(simulation, findings.count ? findings.item[0].text : "out of memory");
    scree_findings_free(&findings);
    need(scree_simulation_model(simulation)->elastics > 0, "the scene has no elastic body");
    return simulation;
}

static void print_end(const scree_ledger *ledger, const scree_totals *totals) {
    printf("\"kinetic\": %.12g, \"elastic\": %.12g, \"normal\": %.12g, \"tangential\": %.12g, ",
           ledger->kinetic, ledger->elastic, totals->contact_normal_work,
           totals->contact_tangential_work);
    printf("\"residual\": %.3g, \"unconverged\": %lld, \"iterations\": %lld, \"contacts\": %lld, ",
           totals->solver_residual_max, (long long)totals->unconverged,
           (long long)totals->solver_iterations, (long long)totals->contacts_solved);
}

// -------------------------------------------------------------------------------------------------
// run

static void run(const char *scene, const char *file, char **overrides, int count) {
    double clock = now(), seconds = 0;
    scree_simulation *simulation = open_scene(scene, overrides, count);
    double opened = lap(&clock);
    scree_run_request request = { .path = strcmp(file, "-") == 0 ? NULL : file };
    scree_error err = { 0 };
    need(scree_run(simulation, &request, &seconds, &err) == SCREE_OK, err.text);
    printf("{\"open\": %.6g, \"steps\": %lld, \"seconds\": %.6g, ", opened,
           (long long)scree_simulation_steps(simulation), seconds);
    print_end(scree_simulation_ledger(simulation), scree_simulation_totals(simulation));
    printf("\"megabytes\": %.6g}\n", megabytes());
    scree_simulation_free(simulation);
}

// -------------------------------------------------------------------------------------------------
// parts

typedef struct sums {  // seconds
    double detect, solve, finish, book;
    double product, free_solve, velocity_solve, contact;
    double first;  // step, which computes what stays the same, is not in the sums
} sums;

// Mhat factored, and columns of its inverse for all that can touch
static void measure_factor(const scree_model *model, const scree_scheme_options *scheme) {
    scree_flexibility *flexible;
    scree_error err = { 0 };
    double clock = now();
    need(scree_flexibility_new(&model->elastic[0], scheme->step, scheme->theta, &flexible, &err) ==
             SCREE_OK,
         err.text);
    double factor = lap(&clock);
    int locals = scree_flexibility_locals(flexible), *local = calloc((size_t)locals, sizeof *local);
    need(local, "out of memory");
    for (int i = 0; i < locals; i++) local[i] = i;
    need(scree_flexibility_require(flexible, local, locals, &err) == SCREE_OK, err.text);
    double columns = lap(&clock);
    printf("\"factor\": %.6g, \"columns\": %.6g, \"touching\": %d, \"entries\": %.9g, ", factor,
           columns, locals, scree_flexibility_entries(flexible));
    free(local);
    scree_flexibility_free(flexible);
}

// the contact problem of the step that was just made, from its guess
static void solve_again(const scree_stepper *stepper, double *p) {
    const scree_contact_set *set = &stepper->set;
    const scree_problem *problem = &stepper->record.problem;
    size_t d = (size_t)problem->dimension;
    scree_report report;
    scree_error err = { 0 };
    for (int i = 0; i < problem->contacts; i++)
        memcpy(p + (size_t)i * d, set->wanted + SCREE_ROWS_MAX * (size_t)set->active[i],
               d * sizeof *p);
    need(scree_solve(problem, &stepper->solver, p, &report, &err) == SCREE_OK, err.text);
}

// x and p: (dofs), or as many as the problem has unknowns
static void measure_parts(scree_stepper *stepper, double *x, double *p, sums *sum) {
    const scree_model *model = stepper->model;
    const scree_elastic_body *body = &model->elastic[0];
    scree_flexibility *flexible = stepper->inertia.part[model->bodies].flexible;
    double clock = now();
    scree_fem_stiffness(&body->parts->fem, stepper->record.after.q + body->coordinate, x);
    sum->product += lap(&clock);
    scree_flexibility_solve(flexible, x);
    sum->free_solve += lap(&clock);
    if (!stepper->record.problem.contacts) return;
    solve_again(stepper, p);
    sum->contact += lap(&clock);
    scree_impulses_apply(stepper, p);  // into a vector that every step begins anew
    lap(&clock);
    scree_flexibility_solve(flexible, stepper->work + body->dof);
    sum->velocity_solve += lap(&clock);
}

static void print_sums(const sums *sum, int steps) {
    printf("\"steps\": %d, \"first\": %.6g, \"detect\": %.6g, \"solve\": %.6g, \"finish\": %.6g, ",
           steps, sum->first, sum->detect, sum->solve, sum->finish);
    printf(
        "\"book\": %.6g, \"product\": %.6g, \"free_solve\": %.6g, \"velocity_solve\": %.6g, "
        "\"contact\": %.6g, ",
        sum->book, sum->product, sum->free_solve, sum->velocity_solve, sum->contact);
}

// steps with their books, as a simulation makes them
static void step_through(const scree_simulation *simulation, int steps) {
    const scree_model *model = scree_simulation_model(simulation);
    const scree_run_options *options = scree_simulation_options(simulation);
    scree_stepper *stepper;
    scree_error err = { 0 };
    need(scree_stepper_new(model, &options->scheme, &options->solver, &stepper, &err) == SCREE_OK,
         err.text);
    size_t dofs = (size_t)model->dofs;
    double *scratch = calloc(5 * dofs, sizeof *scratch), clock = 0;
    need(scratch, "out of memory");
    scree_account account = { .ledger = scree_ledger_of_state(model, &stepper->record.after) };
    scree_totals totals = scree_totals_none();
    sums sum = { 0 };
    for (int k = 1; k <= steps; k++) {
        lap(&clock);
        need(scree_stepper_advance(stepper, &err) == SCREE_OK, err.text);
        double advanced = lap(&clock);
        scree_account_step(model, stepper->scheme.theta, stepper->solver.tolerance,
                           &stepper->record, &account, scratch);
        scree_totals_add(&totals, &account);
        double booked = lap(&clock);
        if (k == 1) {
            sum.first = advanced;
            continue;
        }
        sum.detect += stepper->record.seconds.detect;
        sum.solve += stepper->record.seconds.solve;
        sum.finish += advanced - stepper->record.seconds.detect - stepper->record.seconds.solve;
        sum.book += booked;
        measure_parts(stepper, scratch + 3 * dofs, scratch + 4 * dofs, &sum);
    }
    print_sums(&sum, steps - 1);
    print_end(&account.ledger, &totals);
    free(scratch);
    scree_stepper_free(stepper);
}

static void parts(const char *scene, int steps, char **overrides, int count) {
    scree_simulation *simulation = open_scene(scene, overrides, count);
    const scree_model *model = scree_simulation_model(simulation);
    const scree_elastic_body *body = &model->elastic[0];
    printf("{\"nodes\": %d, \"elements\": %d, \"free\": %d, \"nodes_that_touch\": %d, ",
           body->mesh.nodes, body->mesh.elements, body->free, body->contact_nodes);
    measure_factor(model, &scree_simulation_options(simulation)->scheme);
    step_through(simulation, steps);
    printf("\"megabytes\": %.6g}\n", megabytes());
    scree_simulation_free(simulation);
}

// -------------------------------------------------------------------------------------------------
// export

static void write_array(const char *folder, const char *name, const void *array, size_t size,
                        size_t count) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    need(file, path);
    need(fwrite(array, size, count, file) == count, path);
    need(fclose(file) == 0, path);
}

// mass M + stiffness K with nothing left out: the lower triangle by columns
static void write_matrix(const char *folder, const scree_fem *fem, double mass, double stiffness,
                         const int *number, const char *const name[3]) {
    scree_arena arena = { 0 };
    scree_fem_matrix matrix;
    scree_error err = { 0 };
    need(scree_fem_combine(fem, mass, stiffness, number, &arena, &matrix, &err) == SCREE_OK,
         err.text);
    size_t entries = (size_t)matrix.first[matrix.size];
    write_array(folder, name[0], matrix.first, sizeof(int), (size_t)matrix.size + 1);
    write_array(folder, name[1], matrix.row, sizeof(int), entries);
    write_array(folder, name[2], matrix.value, sizeof(double), entries);
    scree_arena_free(&arena);
}

static void export(const char *scene, const char *folder, char **overrides, int count) {
    scree_simulation *simulation = open_scene(scene, overrides, count);
    const scree_model *model = scree_simulation_model(simulation);
    const scree_elastic_body *body = &model->elastic[0];
    const struct scree_elastic_data *part = body->parts;
    double h = scree_simulation_options(simulation)->scheme.step;
    size_t n = (size_t)body->count;
    int *number = calloc(n, sizeof *number);
    double *weight = calloc(n, sizeof *weight), *load = calloc(n, sizeof *load);
    need(number && weight && load, "out of memory");
    for (int i = 0; i < body->count; i++) {
        number[i] = i;
        weight[i] = part->node_mass[i / model->space] * model->gravity[i % model->space];
    }
    scree_elastic_load(body, h, load);
    write_matrix(folder, &part->fem, 1, 0, number,
                 (const char *[]){ "M.first", "M.row", "M.value" });
    write_matrix(folder, &part->fem, 0, 1, number,
                 (const char *[]){ "K.first", "K.row", "K.value" });
    write_array(folder, "held", part->prescribed_dof, sizeof(int), (size_t)part->held);
    write_array(folder, "touching", body->contact_node, sizeof(int), (size_t)body->contact_nodes);
    write_array(folder, "place", body->mesh.node, sizeof(double), n);
    write_array(folder, "start", part->start, sizeof(double), n);
    write_array(folder, "weight", weight, sizeof(double), n);
    write_array(folder, "load", load, sizeof(double), n);
    free(number);
    free(weight);
    free(load);
    scree_simulation_free(simulation);
}

int main(int argc, char **argv) {
    if (argc >= 4 && strcmp(argv[1], "run") == 0)
        run(argv[2], argv[3], argv + 4, argc - 4);
    else if (argc >= 4 && strcmp(argv[1], "parts") == 0)
        parts(argv[2], atoi(argv[3]), argv + 4, argc - 4);
    else if (argc >= 4 && strcmp(argv[1], "export") == 0)
        export(argv[2], argv[3], argv + 4, argc - 4);
    else
        need(false,
             "usage: run SCENE FILE [KEY=VALUE ...] | parts SCENE STEPS [KEY=VALUE ...] | export "
             "SCENE FOLDER [KEY=VALUE ...]");
    return 0;
}
