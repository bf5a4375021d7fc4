// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// convergence.c - schemes with a step and its halvings, beside what they are compared with.
// in: a study, names of schemes, steps.   out: errors of each run and their orders.
//
// A run and its reference go in lock-step, so that they are compared at every step of the run, no
// time is interpolated and no state is kept.
//
// Where in a step an event falls is chance, and halving a step keeps the distance of the event to
// the grid point before it for as long as that is shorter than the step. Errors of nonsmooth
// motions then stay the same from step to step, or vanish. A level may therefore be the mean of
// several runs whose steps are spread over half an octave around its own.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/study.h"

enum { DEFAULT_LEVELS = 5 };

static const double DEFAULT_COARSER = 8;  // the longest step, in steps of the scene
static const double FLOOR = 1e-11;  // of the largest number: what rounding and integration leave

// ---- what is measured ----

typedef struct work {
    const scree_study *study;
    const scree_convergence_options *options;
    scree_convergence *out;
    int64_t done, total;    // steps of all runs
    bool reference_failed;  // while it ran
} work;

// ---- distances ----

static double largest(const double *a, const double *b, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) {
        double apart = fabs(a[i] - (b ? b[i] : 0));
        if (isnan(apart)) return apart;
        most = fmax(most, apart);
    }
    return most;
}

// a quaternion and its negative are the same orientation
static double quaternions_apart(const double *a, const double *b) {
    double sum = 0;
    for (int k = 0; k < 4; k++) sum = fmax(sum, fabs(a[k] + b[k]));
    return fmin(largest(a, b, 4), sum);
}

static double positions_apart(const scree_model *model, const double *a, const double *b) {
    if (model->space != 3) return largest(a, b, model->coordinates);
    int each = model->body_coordinates, bodies = model->bodies * each;
    double most = largest(a + bodies, b + bodies, model->coordinates - bodies);
    for (int i = 0; i < bodies; i += each) {
        most = fmax(most, largest(a + i, b + i, 3));
        most = fmax(most, quaternions_apart(a + i + 3, b + i + 3));
    }
    return most;
}

static void add_distance(scree_distance *d, double apart, double weight) {
    d->most = fmax(d->most, apart);
    d->mean += apart * weight;
    d->last = apart;
}

// ---- a run and its reference ----

typedef struct pair {
    double h;
    int64_t steps;
    scree_simulation *run, *reference;
    int finer;      // steps of the reference for one of the run
    double *start;  // coordinates of the reference, owned
    double energy;  // of the reference at the start
    scree_distance q, v, energies;
} pair;

static void compare(pair *p, scree_convergence_ladder *ladder) {
    const scree_model *model = scree_simulation_model(p->run);
    const scree_state *a = scree_simulation_state(p->run),
                      *b = scree_simulation_state(p->reference);
    add_distance(&p->q, positions_apart(model, a->q, b->q), 1 / (double)p->steps);
    add_distance(&p->v, largest(a->v, b->v, model->dofs), 1 / (double)p->steps);

    double energy = scree_simulation_energy(p->reference);
    add_distance(&p->energies, fabs(scree_simulation_energy(p->run) - energy),
                 1 / (double)p->steps);

    // how large the reference's numbers are, and how far it goes
    ladder->size_energy = fmax(ladder->size_energy, fabs(energy - p->energy));
    ladder->size_q = fmax(ladder->size_q, largest(b->q, NULL, model->coordinates));
    ladder->size_v = fmax(ladder->size_v, largest(b->v, NULL, model->dofs));
    ladder->travel = fmax(ladder->travel, positions_apart(model, b->q, p->start));
}

static scree_status open_run(const work *w, const char *scheme, double h, scree_simulation **run,
                             scree_error *err) {
    char name[160], step[80], duration[80];
    const char *own[] = { name, step, duration };
    snprintf(name, sizeof name, "%s=%s", w->options->key, scheme);
    snprintf(step, sizeof step, "scheme.step=%.17g", h);
    snprintf(duration, sizeof duration, "scheme.duration=%.17g", w->out->end);
    return scree_study_try_open(w->study, own, 3, run, err);
}

// what went wrong with the reference
static scree_status tell_reference(const work *w, const scree_error *why, scree_error *err) {
    if (w->out->self)
        return scree_fail(err, why->status, SCREE_NOWHERE, "with half the step: %.440s", why->text);
    return scree_fail(err, why->status, SCREE_NOWHERE, "the event-driven reference stopped: %.400s",
                      why->text);
}

static scree_status open_reference(const work *w, const char *scheme, pair *p, scree_error *err) {
    scree_error why = { 0 };
    bool self = w->out->self;
    p->finer = self ? 2 : 1;
    if (open_run(w, self ? scheme : "event-driven", p->h / p->finer, &p->reference, &why))
        return tell_reference(w, &why, err);
    size_t size = (size_t)scree_simulation_model(p->reference)->coordinates;
    p->start = calloc(size + 1, sizeof *p->start);
    if (!p->start) return scree_fail_memory(err, NULL);
    memcpy(p->start, scree_simulation_state(p->reference)->q, size * sizeof *p->start);
    p->energy = scree_simulation_energy(p->reference);
    return SCREE_OK;
}

static scree_status step_reference(work *w, pair *p, scree_error *err) {
    scree_error why = { 0 };
    for (int k = 0; k < p->finer; k++)
        if (scree_simulation_step(p->reference, &why)) {
            w->reference_failed = true;
            return tell_reference(w, &why, err);
        }
    return SCREE_OK;
}

// the curve of the energy: the samples whose time has come after n steps, at times of the run
static void sample(const pair *p, int64_t n, scree_convergence_level *level) {
    enum { LAST = SCREE_CONVERGENCE_SAMPLES - 1 };
    int first = n ? (int)((n - 1) * LAST / p->steps) + 1 : 0, last = (int)(n * LAST / p->steps);
    for (int k = first; k <= last; k++) {
        level->time[k] = (double)n * p->h;
        level->curve[k] = scree_simulation_energy(p->run);
    }
}

static scree_status run_pair(work *w, scree_convergence_ladder *ladder, pair *p,
                             scree_convergence_level *level, scree_error *err) {
    scree_status status = SCREE_OK;
    if (level) sample(p, 0, level);
    for (int64_t n = 0; !status && n < p->steps; n++) {
        status = scree_simulation_step(p->run, err);
        if (!status && level) sample(p, n + 1, level);
        if (!status) status = step_reference(w, p, err);
        if (!status) compare(p, ladder);
        if (!status && !isfinite(p->q.last + p->v.last))
            status = scree_fail(err, SCREE_UNCONVERGED, SCREE_NOWHERE,
                                "step %lld: the states are not finite any more", (long long)n + 1);
        if (scree_study_progress(w->study, ladder->scheme, ++w->done, w->total))
            return scree_fail(err, SCREE_INTERRUPTED, SCREE_NOWHERE,
                              "stopped before all runs were done");
    }
    return status;
}

// ---- levels ----

// steps of a member of the level: as many as its own, and spread over half an octave around it
static int64_t steps_of(const scree_convergence_options *o, int level, int member) {
    double steps = (double)(o->coarse << level);
    double shift = (member - 0.5 * (o->spread - 1)) / (2 * o->spread);
    return (int64_t)fmax(1, nearbyint(steps * exp2(shift)));
}

// of all members, those of references not counted
static int64_t steps_of_level(const scree_convergence_options *o, int level) {
    int64_t steps = 0;
    for (int k = 0; k < o->spread; k++) steps += steps_of(o, level, k);
    return steps;
}

static void add_member(scree_distance *sum, const scree_distance *d, int members) {
    sum->most += d->most / members;
    sum->mean += d->mean / members;
    sum->last += d->last / members;
}

static scree_status run_member(work *w, scree_convergence_ladder *ladder,
                               scree_convergence_level *level, int member, scree_error *err) {
    pair p = { .steps = steps_of(w->options, (int)(level - ladder->level), member) };
    p.h = w->out->end / (double)p.steps;
    scree_status status = open_run(w, ladder->scheme, p.h, &p.run, err);
    level->opened |= p.run != NULL;
    if (!status) status = open_reference(w, ladder->scheme, &p, err);
    bool own = member == w->options->spread / 2;
    if (!status) status = run_pair(w, ladder, &p, own ? level : NULL, err);
    add_member(&level->q, &p.q, w->options->spread);
    add_member(&level->v, &p.v, w->options->spread);
    add_member(&level->energy, &p.energies, w->options->spread);
    scree_simulation_free(p.run);
    scree_simulation_free(p.reference);
    free(p.start);
    return status;
}

static scree_status run_level(work *w, scree_convergence_ladder *ladder, int number,
                              scree_error *err) {
    const scree_convergence_options *o = w->options;
    scree_convergence_level *level = &ladder->level[number];
    *level =
        (scree_convergence_level){ .h = ldexp(o->first, -number), .steps = o->coarse << number };
    scree_status status = SCREE_OK;
    scree_error why = { 0 };
    int64_t before = w->done;
    for (int k = 0; !status && k < o->spread; k++) status = run_member(w, ladder, level, k, &why);
    ladder->opened |= level->opened;
    if (status) {  // the level has no error, the others go on
        double none = (double)NAN;
        for (int k = 0; k < SCREE_CONVERGENCE_SAMPLES; k++) level->curve[k] = none;
        level->q = level->v = level->energy = (scree_distance){ none, none, none };
        snprintf(level->reason, sizeof level->reason, "%s", why.text);
        w->done = before + steps_of_level(o, number);
        *err = why;
    }
    level->error_q = o->at_end ? level->q.last : level->q.most;
    level->error_v = o->at_end ? level->v.last : level->v.mean;
    level->error_energy = o->at_end ? level->energy.last : level->energy.mean;
    bool fatal = status == SCREE_INTERRUPTED || status == SCREE_NO_MEMORY ||
                 (w->reference_failed && !w->out->self);
    return fatal ? status : SCREE_OK;
}

// ---- orders ----

static double order_between(double coarse, double fine, double floor) {
    return coarse > floor && fine > floor ? log2(coarse / fine) : (double)NAN;
}

// least squares of log error over log h; errors at the level of rounding tell nothing
static double fit(const double *error, int levels, double floor) {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < levels; i++) {
        if (!(error[i] > floor)) continue;
        double log_h = -i, log_e = log2(error[i]);
        n += 1;
        x += log_h;
        y += log_e;
        xx += log_h * log_h;
        xy += log_h * log_e;
    }
    return n >= 2 ? (n * xy - x * y) / (n * xx - x * x) : (double)NAN;
}

static void find_orders(scree_convergence_ladder *ladder, int levels) {
    double q[SCREE_CONVERGENCE_LEVELS], v[SCREE_CONVERGENCE_LEVELS], e[SCREE_CONVERGENCE_LEVELS];
    ladder->floor_q = FLOOR * ladder->size_q;
    ladder->floor_v = FLOOR * ladder->size_v;
    ladder->floor_energy = FLOOR * ladder->size_energy;
    for (int i = 0; i < levels; i++) {
        scree_convergence_level *level = &ladder->level[i];
        q[i] = level->error_q;
        v[i] = level->error_v;
        e[i] = level->error_energy;
        int last = i ? i - 1 : i;
        level->order_q = i ? order_between(q[last], q[i], ladder->floor_q) : (double)NAN;
        level->order_v = i ? order_between(v[last], v[i], ladder->floor_v) : (double)NAN;
        level->order_energy = i ? order_between(e[last], e[i], ladder->floor_energy) : (double)NAN;
    }
    ladder->order_q = fit(q, levels, ladder->floor_q);
    ladder->order_v = fit(v, levels, ladder->floor_v);
    ladder->order_energy = fit(e, levels, ladder->floor_energy);
}

static scree_status run_ladder(work *w, scree_convergence_ladder *ladder, const char *scheme,
                               scree_error *err) {
    scree_status status = SCREE_OK;
    *ladder = (scree_convergence_ladder){ 0 };
    snprintf(ladder->scheme, sizeof ladder->scheme, "%s", scheme);
    for (int i = 0; !status && i < w->out->levels; i++) status = run_level(w, ladder, i, err);
    if (!status) find_orders(ladder, w->out->levels);
    return status;
}

// ---- the whole of it ----

scree_convergence_options scree_convergence_options_default(const scree_simulation *simulation) {
    const scree_run_options *run = scree_simulation_options(simulation);
    double first = DEFAULT_COARSER * run->scheme.step;
    return (scree_convergence_options){ .key = scree_simulation_integration(simulation).method_key,
                                        .first = first,
                                        .levels = DEFAULT_LEVELS,
                                        .coarse = (int64_t)fmax(1, floor(run->duration / first)),
                                        .spread = 1 };
}

// does the event-driven scheme take the scene? if not, why
static bool takes_events(const work *w, char *why, size_t size) {
    const char *own[] = { "scheme.name=event-driven" };
    scree_simulation *simulation = NULL;
    scree_error err = { .text = "a sweeping process has no events" };
    if (strcmp(w->options->key, "scheme.name") == 0)
        scree_study_try_open(w->study, own, 1, &simulation, &err);
    bool takes = simulation != NULL;
    snprintf(why, size, "%.440s", err.text);
    scree_simulation_free(simulation);
    return takes;
}

// have all schemes Fremond's law of impacts, which event-driven motion has not?
static bool have_another_law(const work *w) {
    for (int s = 0; s < w->options->schemes; s++) {
        scree_simulation *run = NULL;
        scree_error err = { 0 };
        open_run(w, w->options->scheme[s], w->options->first, &run, &err);
        bool another = run && scree_scheme_row_of(&scree_simulation_options(run)->scheme)->impact ==
                                  SCREE_IMPACT_FREMOND;
        scree_simulation_free(run);
        if (!another) return false;
    }
    return true;
}

// Does friction act in an impact of the event-driven motion? That is where the laws differ.
static bool rubs_in_impacts(const work *w) {
    scree_simulation *run = NULL;
    scree_error err = { 0 };
    scree_status status = open_run(w, "event-driven", w->options->first, &run, &err);
    while (!status && scree_simulation_left(run) > 0) status = scree_simulation_step(run, &err);
    const scree_event *list = NULL;
    int events = status ? 0 : scree_events_list(scree_simulation_events(run), &list);
    bool rubs = false;
    for (int i = 0; i < events; i++)
        rubs |= list[i].kind == SCREE_EVENT_IMPACT && list[i].impulse[1] != 0;
    scree_simulation_free(run);
    return rubs;
}

static scree_status choose_reference(work *w, scree_error *err) {
    char why[480];
    w->out->self = w->options->reference == SCREE_REFERENCE_SELF;
    if (w->out->self) return SCREE_OK;
    if (takes_events(w, why, sizeof why)) {
        if (w->options->reference != SCREE_REFERENCE_AUTO || !have_another_law(w) ||
            !rubs_in_impacts(w))
            return SCREE_OK;
        snprintf(why, sizeof why,
                 "friction acts in impacts, where it has Coulomb's law on the final velocity and "
                 "these schemes have it on the mean one (Fremond)");
    }
    if (w->options->reference == SCREE_REFERENCE_EVENT_DRIVEN)
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "event-driven is not for this scene: %.400s", why);
    w->out->self = true;
    snprintf(w->out->why_self, sizeof w->out->why_self, "%s", why);
    return SCREE_OK;
}

static scree_status measure(work *w, scree_error *err) {
    const scree_convergence_options *o = w->options;
    scree_status status = SCREE_OK;
    w->done = w->total = 0;
    w->reference_failed = false;
    for (int i = 0; i < o->levels; i++) w->total += steps_of_level(o, i) * o->schemes;
    for (int s = 0; !status && s < o->schemes; s++)
        status = run_ladder(w, &w->out->ladder[s], o->scheme[s], err);
    if (!w->reference_failed || o->reference != SCREE_REFERENCE_AUTO || w->out->self) return status;

    // a reference that was not asked for and did not reach the end
    w->out->self = true;
    snprintf(w->out->why_self, sizeof w->out->why_self, "%s", err->text);
    return measure(w, err);
}

static bool in_range(const scree_convergence_options *o) {
    return o->schemes > 0 && o->levels >= 2 && o->levels <= SCREE_CONVERGENCE_LEVELS &&
           o->first > 0 && isfinite(o->first) && o->coarse >= 1 && o->coarse < INT32_MAX &&
           o->spread >= 1;
}

scree_status scree_convergence_find(const scree_study *study,
                                    const scree_convergence_options *options,
                                    scree_convergence *convergence, scree_error *err) {
    work w = { .study = study, .options = options, .out = convergence };
    *convergence = (scree_convergence){ .schemes = options->schemes,
                                        .levels = options->levels,
                                        .end = (double)options->coarse * options->first };
    if (!in_range(options))
        return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                          "convergence wants schemes, 2 to %d steps above 0, and one run or more "
                          "of each",
                          SCREE_CONVERGENCE_LEVELS);
    convergence->ladder = calloc((size_t)options->schemes, sizeof *convergence->ladder);
    if (!convergence->ladder) return scree_fail_memory(err, NULL);
    scree_status status = choose_reference(&w, err);
    return status ? status : measure(&w, err);
}

void scree_convergence_free(scree_convergence *convergence) {
    free(convergence->ladder);
    *convergence = (scree_convergence){ 0 };
}
