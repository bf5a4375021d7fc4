// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// heap.c - grains at rest in an open box: kept in files, and as a model of the engine.

#include "heap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void heap_need(bool fine, const char *what) {
    if (fine) return;
    fprintf(stderr, "grains: %s\n", what);
    exit(2);
}

// -------------------------------------------------------------------------------------------------
// files

typedef struct stored {  // a contact in a file
    scree_contact_id id;
    int a, b;
    double normal[3], impulse[3];
} stored;

static FILE *open_beside(const char *path, const char *ending, const char *mode) {
    char name[1024];
    snprintf(name, sizeof name, "%s%s", path, ending);
    FILE *file = fopen(name, mode);
    heap_need(file, name);
    return file;
}

static void read_contacts(heap *made, const char *path) {
    FILE *file = open_beside(path, ".contacts", "rb");
    heap_need(fread(&made->contacts, sizeof made->contacts, 1, file) == 1, "no contacts");
    made->contact = calloc((size_t)made->contacts + 1, sizeof *made->contact);
    heap_need(made->contact, "out of memory");
    for (int i = 0; i < made->contacts; i++) {
        stored one;
        heap_need(fread(&one, sizeof one, 1, file) == 1, "contacts end too early");
        scree_contact *contact = &made->contact[i];
        *contact =
            (scree_contact){ .id = one.id, .a = one.a, .b = one.b, .status = SCREE_CONTACT_STICK };
        memcpy(contact->normal, one.normal, sizeof one.normal);
        memcpy(contact->impulse, one.impulse, sizeof one.impulse);
    }
    fclose(file);
}

heap heap_read(const char *path) {
    heap made = { 0 };
    FILE *file = open_beside(path, "", "r");
    heap_need(fscanf(file, "%d %lf", &made.grains, &made.width) == 2, "not a heap");
    size_t numbers = HEAP_NUMBERS * (size_t)made.grains;
    made.grain = malloc((numbers + 1) * sizeof *made.grain);
    heap_need(made.grain, "out of memory");
    for (size_t i = 0; i < numbers; i++)
        heap_need(fscanf(file, "%lf", &made.grain[i]) == 1, "a heap that ends too early");
    fclose(file);
    read_contacts(&made, path);
    return made;
}

static void write_contacts(const heap *given, const char *path) {
    FILE *file = open_beside(path, ".contacts", "wb");
    bool fine = fwrite(&given->contacts, sizeof given->contacts, 1, file) == 1;
    for (int i = 0; i < given->contacts; i++) {
        const scree_contact *contact = &given->contact[i];
        stored one = { .id = contact->id, .a = contact->a, .b = contact->b };
        memcpy(one.normal, contact->normal, sizeof one.normal);
        memcpy(one.impulse, contact->impulse, sizeof one.impulse);
        fine = fine && fwrite(&one, sizeof one, 1, file) == 1;
    }
    heap_need(fclose(file) == 0 && fine, "cannot write contacts");
}

void heap_write(const heap *given, const char *path) {
    write_contacts(given, path);
    FILE *file = open_beside(path, "", "w");
    fprintf(file, "%d %.17g\n", given->grains, given->width);
    for (int i = 0; i < given->grains; i++)
        for (int k = 0; k < HEAP_NUMBERS; k++)
            fprintf(file, "%.17g%c", given->grain[HEAP_NUMBERS * (size_t)i + (size_t)k],
                    k + 1 < HEAP_NUMBERS ? ' ' : '\n');
    heap_need(fclose(file) == 0, "cannot write a heap");
}

void heap_free(heap *old) {
    free(old->grain);
    free(old->contact);
    *old = (heap){ 0 };
}

// -------------------------------------------------------------------------------------------------
// the engine

static void add_box(scree_model *model, double width, scree_error *err) {
    static const double normal[5][3] = {
        { 0, 0, 1 }, { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 }
    };
    scree_body box = { .name = "box", .fixed = true };
    bool fine = scree_model_add_body(model, &box, err) == SCREE_OK;
    for (int i = 0; i < 5; i++) {
        scree_shape wall = { .kind = SCREE_PLANE };
        memcpy(wall.normal, normal[i], sizeof wall.normal);
        for (int k = 0; k < 3; k++) wall.at[k] = normal[i][k] < 0 ? width : 0;
        fine = fine && scree_model_add_shape(model, &wall, err) == SCREE_OK;
    }
    heap_need(fine, err->text);
}

static void add_grain(scree_model *model, const double *grain, scree_error *err) {
    char name[32];
    snprintf(name, sizeof name, "grain-%d", model->bodies);
    scree_shape ball = { .kind = SCREE_SPHERE, .radius = grain[0], .body = model->bodies };
    scree_body body = { .name = name };
    memcpy(body.position, grain + 1, sizeof body.position);
    memcpy(body.velocity, grain + 4, sizeof body.velocity);
    memcpy(body.angular, grain + 7, sizeof body.angular);
    bool fine = scree_body_from_density(&body, &ball, 1, 3, heap_density, err) == SCREE_OK &&
                scree_model_add_body(model, &body, err) == SCREE_OK &&
                scree_model_add_shape(model, &ball, err) == SCREE_OK;
    heap_need(fine, err->text);
}

scree_model *heap_model(const heap *given) {
    scree_error err = { 0 };
    scree_model *model = scree_model_new();
    heap_need(model && scree_model_set_space(model, 3, &err) == SCREE_OK, "no model");
    scree_model_set_gravity(model, 0, 0, -heap_gravity);
    add_box(model, given->width, &err);
    for (int i = 0; i < given->grains; i++)
        add_grain(model, given->grain + HEAP_NUMBERS * (size_t)i, &err);
    scree_law law = { .friction = heap_friction };
    bool fine = scree_model_add_law(model, -1, -1, law, &err) == SCREE_OK &&
                scree_model_finish(model, &err) == SCREE_OK;
    heap_need(fine, err.text);
    return model;
}

void heap_restart(scree_simulation *simulation, double share, const scree_contact *contact,
                  int contacts) {
    const scree_model *model = scree_simulation_model(simulation);
    const scree_state *state = scree_simulation_state(simulation);
    size_t places = (size_t)model->coordinates * sizeof *state->q;
    scree_state copy = { .step = state->step, .q = malloc(places) };
    copy.v = malloc((size_t)model->dofs * sizeof *state->v);
    heap_need(copy.q && copy.v, "out of memory");
    memcpy(copy.q, state->q, places);
    for (int i = 0; i < model->dofs; i++) copy.v[i] = share * state->v[i];
    scree_totals none = scree_totals_none();
    scree_error err = { 0 };
    scree_status status =
        scree_simulation_restore(simulation, &copy, contact, contacts, &none, &err);
    heap_need(status == SCREE_OK, err.text);
    free(copy.q);
    free(copy.v);
}

scree_scheme_options heap_scheme(void) {
    scree_scheme_options scheme = scree_scheme_options_default();
    scheme.name = SCREE_MOREAU;
    scheme.step = heap_step;
    scheme.gap_tolerance = heap_near;
    return scheme;
}

scree_simulation *heap_start(const heap *given, const scree_model *model,
                             const scree_solver_options *solver) {
    scree_error err = { 0 };
    scree_run_options options = scree_run_options_default();
    options.scheme = heap_scheme();
    options.solver = *solver;
    options.duration = 1;
    options.accept_unconverged = options.accept_overlaps = true;
    scree_simulation *made;
    heap_need(scree_simulation_new(model, &options, &made, &err) == SCREE_OK, err.text);
    heap_restart(made, 1, given->contact, given->contacts);
    return made;
}

void heap_take(heap *changed, const scree_simulation *simulation) {
    const scree_state *state = scree_simulation_state(simulation);
    const scree_step_record *record = scree_simulation_record(simulation);
    for (size_t i = 0; i < (size_t)changed->grains; i++) {
        double *grain = changed->grain + HEAP_NUMBERS * i;
        memcpy(grain + 1, state->q + 7 * (i + 1), 3 * sizeof *grain);
        memcpy(grain + 4, state->v + 6 * (i + 1), 6 * sizeof *grain);
    }
    free(changed->contact);
    changed->contact = malloc(((size_t)record->active + 1) * sizeof *changed->contact);
    heap_need(changed->contact, "out of memory");
    changed->contacts = 0;
    for (int i = 0; i < record->contacts; i++)
        if (record->contact[i].status != SCREE_CONTACT_INACTIVE)
            changed->contact[changed->contacts++] = record->contact[i];
}
