// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// simulation.c - step, book, add up: the loop body of every run.
// in: a scene or a model.   out: states with ledgers and totals.

#include "scree/simulation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/collision_shape.h"
#include "model/inertia.h"
#include "run/build.h"
#include "run/engine.h"
#include "run/machine.h"
#include "run/sweeping_integrator.h"
#include "scene/scene.h"
#include "scree/fem.h"

struct scree_simulation {
    scree_scene *scene;      // owned, or NULL
    scree_model *own_model;  // owned, or NULL
    const scree_model *model;
    scree_run_options options;
    scree_stepper *stepper;
    scree_sweeping_integrator
        *sweep;            // instead of the stepper, in scenes of kind sweeping; or NULL
    scree_engine *engine;  // instead of it, for mechanisms and schemes not its own; or NULL
    scree_account account;
    scree_totals totals;
    scree_step_seconds seconds;  // of all steps
    double *scratch;             // (3 x dofs)
};

// what the stepper does not look at itself
static scree_status check(const scree_model *model, const scree_run_options *options,
                          scree_error *err) {
    if (!scree_model_finished(model))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "the model is not finished");
    if (!(options->duration > 0 && isfinite(options->duration)))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "the duration must be positive, got %g", options->duration);
    if (options->store_every < 1)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "every how many steps to store must be at least 1, got %d",
                          options->store_every);
    for (const scree_solver_entry *entry = scree_solver_list(); entry->name; entry++)
        if (options->solver.name && strcmp(entry->name, options->solver.name) == 0) return SCREE_OK;
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "there is no solver \"%s\"",
                      options->solver.name ? options->solver.name : "");
}

static scree_ledger energies_of(const scree_simulation *simulation) {
    const scree_model *model = simulation->model;
    return simulation->engine ? scree_engine_ledger(simulation->engine, model)
                              : scree_ledger_of_state(model, scree_simulation_state(simulation));
}

scree_status scree_simulation_new(const scree_model *model, const scree_run_options *options,
                                  scree_simulation **simulation, scree_error *err) {
    *simulation = NULL;
    scree_status status = check(model, options, err);
    if (status) return status;
    scree_simulation *made = calloc(1, sizeof *made);
    if (!made) return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory");
    made->model = model;
    made->options = *options;
    if (scree_engine_serves(options->scheme.name))
        status = scree_engine_new(model, &made->options, &made->engine, err);
    else
        status = scree_stepper_new(model, &options->scheme, &options->solver, &made->stepper, err);
    if (!status) {
        made->scratch = calloc(3 * (size_t)model->dofs, sizeof *made->scratch);
        if (!made->scratch)
            status = scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory");
    }
    if (status) {
        scree_simulation_free(made);
        return status;
    }
    made->account.ledger = energies_of(made);
    made->totals = scree_totals_none();
    *simulation = made;
    return SCREE_OK;
}

void scree_simulation_free(scree_simulation *simulation) {
    if (!simulation) return;
    scree_stepper_free(simulation->stepper);
    scree_sweeping_integrator_free(simulation->sweep);
    scree_engine_free(simulation->engine);
    scree_model_free(simulation->own_model);
    scree_scene_free(simulation->scene);
    free(simulation->scratch);
    free(simulation);
}

// where in the scene side a of a contact is described
static scree_source_location place_of_side(const scree_scene *scene, int side) {
    const scree_scene_contact *contact = scene->top.system.contacts.item;
    if (side >= 0) return scree_scene_body_place(scene, side);
    return scree_scene_place(&contact[-2 - side].section, "gap");
}

// the size of the numbers that gaps are made of
static double extent_of(const scree_model *model, const double *q) {
    double size = 0;
    for (int i = 0; i < model->bodies; i++)
        for (int k = 0; k < model->space; k++)
            size = fmax(size, fabs(q[(long)i * model->body_coordinates + k]));
    for (int j = model->bodies * model->body_coordinates; j < model->coordinates; j++)
        size = fmax(size, fabs(q[j]));
    for (int e = 0; e < model->elastics; e++) {
        const scree_mesh *mesh = &model->elastic[e].mesh;
        for (long j = 0; j < (long)mesh->nodes * mesh->space; j++)
            size = fmax(size, fabs(mesh->node[j]));
    }
    for (int i = 0; i < model->shapes; i++)
        if (isfinite(model->solid[i].bound)) size = fmax(size, model->solid[i].bound);
    return size;
}

// each pair once, with its deepest point; contacts of a pair follow each other
static void check_overlaps(const scree_simulation *simulation, scree_findings *findings) {
    const scree_model *model = simulation->model;
    const scree_step_record *record = scree_simulation_record(simulation);
    double size = extent_of(model, scree_simulation_state(simulation)->q);
    for (int i = 0, next; i < record->contacts; i = next) {
        const scree_contact *contact = &record->contact[i];
        double gap = contact->gap_after;
        for (next = i + 1; next < record->contacts && record->contact[next].a == contact->a &&
                           record->contact[next].b == contact->b;
             next++)
            gap = fmin(gap, record->contact[next].gap_after);
        // shapes placed to touch overlap by rounding
        if (gap >= -1e-12 * size) continue;
        scree_findings_add(
            findings, place_of_side(simulation->scene, contact->a < 0 ? contact->b : contact->a),
            "%s and %s overlap by %.6g at the start; move them apart, or set "
            "overlaps: accept",
            scree_model_side_name(model, contact->a), scree_model_side_name(model, contact->b),
            -gap);
    }
}

// a point that a moving set takes along, or a mechanism; takes the scene, also if it fails
static scree_simulation *build_special(scree_scene *scene, scree_findings *findings) {
    scree_simulation *made = findings->count ? NULL : calloc(1, sizeof *made);
    if (!made) {
        if (!findings->count) scree_findings_add(findings, SCREE_NOWHERE, "out of memory");
        scree_scene_free(scene);
        return NULL;
    }
    made->scene = scene;
    made->options = scene->options;
    made->account = (scree_account){ .converged = 1 };
    made->totals = scree_totals_none();
    bool fine =
        scene->top.kind == SCREE_KIND_SWEEPING
            ? scree_sweeping_integrator_build(scene, &made->sweep, &made->own_model, findings)
            : scree_machine_build(scene, &made->engine, &made->own_model, findings);
    made->model = made->own_model;
    if (fine && made->engine) made->account.ledger = energies_of(made);
    if (fine) return made;
    scree_simulation_free(made);
    return NULL;
}

scree_simulation *scree_simulation_build(scree_scene *scene, scree_findings *findings) {
    if (!scene) return NULL;
    if (scene->top.kind == SCREE_KIND_SWEEPING ||
        scree_scene_given(&scene->top.section, "mechanism"))
        return build_special(scene, findings);
    scree_error err = { 0 };
    scree_simulation *made = NULL;
    // what could not be read is complained about already, and nothing is built of it
    const scree_scene_top *top = &scene->top;
    bool something =
        top->bodies.count || top->generate.count || top->elastic.count || top->system.section.node;
    bool options = top->scheme.section.node && !top->scheme.section.broken &&
                   !top->solver.section.broken && !top->output.section.broken;
    scree_model *model =
        something && !scene->parameters_broken ? scree_model_from_scene(scene, findings) : NULL;
    if (model && options && scree_simulation_new(model, &scene->options, &made, &err) != SCREE_OK)
        scree_findings_add(findings, scree_scene_place(&scene->top.scheme.section, "step"), "%s",
                           err.text);
    if (made) {
        made->scene = scene;
        made->own_model = model;
        if (!scene->options.accept_overlaps) check_overlaps(made, findings);
    }
    if (made && !findings->count) return made;
    if (made) {
        scree_simulation_free(made);
    } else {
        scree_model_free(model);
        scree_scene_free(scene);
    }
    return NULL;
}

scree_simulation *scree_simulation_open(const char *file, const char *const *overrides, int count,
                                        scree_findings *findings) {
    return scree_simulation_build(scree_scene_load(file, overrides, count, findings), findings);
}

scree_simulation *scree_simulation_parse(const char *name, const char *text, size_t length,
                                         const char *const *overrides, int count,
                                         scree_findings *findings) {
    return scree_simulation_parse_with(name, text, length, overrides, count, NULL, findings);
}

scree_simulation *scree_simulation_parse_with(const char *name, const char *text, size_t length,
                                              const char *const *overrides, int count,
                                              const scree_embedded_file *supply,
                                              scree_findings *findings) {
    scree_scene *scene = scree_scene_parse(name, text, length, overrides, count, findings);
    if (scene) scene->supply = supply;
    return scree_simulation_build(scene, findings);
}

// the first step of a body that was not there before
static bool begins_with(const scree_simulation *simulation, int body) {
    const scree_state *before = &scree_stepper_record(simulation->stepper)->before;
    double last = (double)(before->step - 1) * simulation->options.scheme.step;
    if (body < 0 || body >= simulation->model->bodies) return false;
    const scree_body *own = &simulation->model->body[body];
    return own->birth_time > 0 && own->birth_time <= before->time && own->birth_time > last;
}

static bool any_begins(const scree_simulation *simulation) {
    for (int i = 0; i < simulation->model->bodies; i++)
        if (begins_with(simulation, i)) return true;
    return false;
}

// how far a gap may have closed since the start of the step, where it is not taken there
static double closed_since(const scree_run_options *options, const scree_contact *contact) {
    scree_scheme name = options->scheme.name;
    bool there = name != SCREE_MOREAU && options->scheme.jacobian == SCREE_JACOBIAN_START;
    return there ? 0 : options->scheme.step * contact->velocity_scale;
}

// bodies that are born into others, as those that overlap at the start
static scree_status check_births(const scree_simulation *simulation, scree_error *err) {
    const scree_run_options *options = &simulation->options;
    if (!simulation->scene || options->accept_overlaps || !any_begins(simulation)) return SCREE_OK;
    const scree_step_record *record = scree_stepper_record(simulation->stepper);
    double rounding = 1e-12 * extent_of(simulation->model, record->before.q);
    for (int i = 0; i < record->contacts; i++) {
        const scree_contact *contact = &record->contact[i];
        bool second = begins_with(simulation, contact->b);
        if (!second && !begins_with(simulation, contact->a)) continue;
        if (contact->gap >= -rounding - closed_since(options, contact)) continue;
        int birth_time = second ? contact->b : contact->a, other = second ? contact->a : contact->b;
        return scree_fail(err, SCREE_BAD_INPUT, place_of_side(simulation->scene, birth_time),
                          "step %lld at time %.9g: %s is born into %s and overlaps it by %.6g; let "
                          "it be born elsewhere or later, or set overlaps: accept",
                          (long long)record->before.step, record->before.time,
                          scree_model_side_name(simulation->model, birth_time),
                          scree_model_side_name(simulation->model, other), -contact->gap);
    }
    return SCREE_OK;
}

// one step of the stepper, with its account
static scree_status take_step(scree_simulation *simulation, scree_error *err) {
    scree_stepper *stepper = simulation->stepper;
    scree_status status = scree_stepper_advance(stepper, err);
    if (status == SCREE_UNCONVERGED && simulation->options.accept_unconverged) {
        status = scree_stepper_accept(stepper, err);
    }
    if (!status) status = check_births(simulation, err);
    if (status) return status;

    const scree_step_record *record = scree_stepper_record(stepper);
    const scree_run_options *options = &simulation->options;
    simulation->seconds.detect += record->seconds.detect;
    simulation->seconds.solve += record->seconds.solve;
    simulation->seconds.finish += record->seconds.finish;
    scree_account_step(simulation->model, options->scheme.theta, options->solver.tolerance, record,
                       &simulation->account, simulation->scratch);
    return SCREE_OK;
}

scree_status scree_simulation_step(scree_simulation *simulation, scree_error *err) {
    scree_account *account = &simulation->account;
    scree_status status = simulation->sweep
                              ? scree_sweeping_integrator_step(simulation->sweep, account, err)
                          : simulation->engine ? scree_engine_step(simulation->engine, account, err)
                                               : take_step(simulation, err);
    if (status) return status;
    scree_totals_add(&simulation->totals, account);
    const scree_ledger *ledger = &account->ledger;
    const scree_state *after = scree_simulation_state(simulation);
    if (!simulation->sweep && !(isfinite(ledger->residual) && isfinite(ledger->bound)))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "step %lld at time %.9g: velocities or positions are so large that "
                          "energies are not finite any more",
                          (long long)after->step, after->time);
    if (simulation->sweep || fabs(ledger->residual) <= ledger->bound) return SCREE_OK;
    return scree_fail(err, SCREE_LEDGER_BROKEN, SCREE_NOWHERE,
                      "step %lld at time %.9g: the energy ledger is off by %.3g, rounding explains "
                      "%.3g",
                      (long long)after->step, after->time, ledger->residual, ledger->bound);
}

int64_t scree_simulation_steps(const scree_simulation *simulation) {
    double steps = simulation->options.duration / simulation->options.scheme.step;
    double whole = nearbyint(steps);
    // a duration that is a whole number of steps but for rounding is meant to be one
    bool meant = whole >= 1 && fabs(steps - whole) <= 1e-9 * whole;
    return (int64_t)(meant ? whole : ceil(steps));
}

int64_t scree_simulation_left(const scree_simulation *simulation) {
    return scree_simulation_steps(simulation) - scree_simulation_state(simulation)->step;
}

const scree_model *scree_simulation_model(const scree_simulation *simulation) {
    return simulation->model;
}

const scree_scene *scree_simulation_scene(const scree_simulation *simulation) {
    return simulation->scene;
}

const scree_run_options *scree_simulation_options(const scree_simulation *simulation) {
    return &simulation->options;
}

const scree_sweeping *scree_simulation_sweeping(const scree_simulation *simulation) {
    return simulation->sweep ? scree_sweeping_integrator_process(simulation->sweep) : NULL;
}

const scree_mechanism_def *scree_simulation_mechanics(const scree_simulation *simulation) {
    return simulation->engine ? scree_engine_mechanics(simulation->engine) : NULL;
}

const scree_events *scree_simulation_events(const scree_simulation *simulation) {
    return simulation->engine ? scree_engine_events(simulation->engine) : NULL;
}

const scree_state *scree_simulation_state(const scree_simulation *simulation) {
    if (simulation->sweep) return &scree_sweeping_integrator_record(simulation->sweep)->after;
    if (simulation->engine) return &scree_engine_record(simulation->engine)->after;
    return scree_stepper_state(simulation->stepper);
}

const scree_step_record *scree_simulation_record(const scree_simulation *simulation) {
    if (simulation->sweep) return scree_sweeping_integrator_record(simulation->sweep);
    if (simulation->engine) return scree_engine_record(simulation->engine);
    return scree_stepper_record(simulation->stepper);
}

const scree_step_record *scree_simulation_snapshot(scree_simulation *simulation) {
    if (simulation->sweep) return scree_sweeping_integrator_record(simulation->sweep);
    if (simulation->engine) return scree_engine_record(simulation->engine);
    return scree_stepper_snapshot(simulation->stepper);
}

scree_status scree_simulation_assemble(scree_simulation *simulation, scree_error *err) {
    bool own = simulation->stepper && scree_stepper_record(simulation->stepper)->active > 0;
    return own ? scree_stepper_assemble(simulation->stepper, err) : SCREE_OK;
}

const scree_ledger *scree_simulation_ledger(const scree_simulation *simulation) {
    return &simulation->account.ledger;
}

const scree_account *scree_simulation_account(const scree_simulation *simulation) {
    return &simulation->account;
}

scree_step_seconds scree_simulation_seconds(const scree_simulation *simulation) {
    return simulation->seconds;
}

const scree_totals *scree_simulation_totals(const scree_simulation *simulation) {
    return &simulation->totals;
}

scree_elastic_route scree_simulation_elastic(const scree_simulation *simulation, int elastic) {
    return scree_stepper_elastic(simulation->stepper, elastic);
}

scree_theorem scree_simulation_theorem(const scree_simulation *simulation) {
    const scree_scheme_options *scheme = &simulation->options.scheme;
    if (simulation->engine)
        return scree_engine_theorem(simulation->engine, simulation->model, scheme);
    return scree_ledger_theorem(simulation->model, scheme);
}

scree_status scree_simulation_restore(scree_simulation *simulation, const scree_state *state,
                                      const scree_contact *contact, int contacts,
                                      const scree_totals *totals, scree_error *err) {
    if (simulation->sweep) {
        simulation->totals = *totals;
        return scree_sweeping_integrator_restore(simulation->sweep, state, err);
    }
    scree_status status = simulation->engine ? scree_engine_restore(simulation->engine, state, err)
                                             : scree_stepper_restore(simulation->stepper, state,
                                                                     contact, contacts, err);
    if (status) return status;
    simulation->account.ledger = energies_of(simulation);
    simulation->totals = *totals;
    return SCREE_OK;
}
