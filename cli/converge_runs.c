// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// converge_runs.c - one scheme with a step and its halvings, beside what they are compared with.
// in: a scene, a scheme.   out: errors of each run and their orders.
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

#include "cli/converge.h"

enum { OVERRIDES_MAX = 256 };

static const double FLOOR = 1e-11;  // of the largest number: what rounding and integration leave

double cli_error_q(const cli_converge *c, const cli_level *level) {
    return c->at_end ? level->q.last : level->q.most;
}

double cli_error_v(const cli_converge *c, const cli_level *level) {
    return c->at_end ? level->v.last : level->v.mean;
}

double cli_floor_q(const cli_ladder *ladder) { return FLOOR * ladder->size_q; }
double cli_floor_v(const cli_ladder *ladder) { return FLOOR * ladder->size_v; }

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

static void add_distance(cli_distance *d, double apart, double weight) {
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
    cli_distance q, v;
} pair;

static void compare(pair *p, cli_ladder *ladder) {
    const scree_model *model = scree_simulation_model(p->run);
    const scree_state *a = scree_simulation_state(p->run),
                      *b = scree_simulation_state(p->reference);
    add_distance(&p->q, positions_apart(model, a->q, b->q), 1 / (double)p->steps);
    add_distance(&p->v, largest(a->v, b->v, model->dofs), 1 / (double)p->steps);

    // how large the reference's numbers are, and how far it goes
    ladder->size_q = fmax(ladder->size_q, largest(b->q, NULL, model->coordinates));
    ladder->size_v = fmax(ladder->size_v, largest(b->v, NULL, model->dofs));
    ladder->travel = fmax(ladder->travel, positions_apart(model, b->q, p->start));
}

static scree_simulation *open_run(const cli_converge *c, const char *scheme, double h,
                                  scree_error *err) {
    int count;
    const char *const *given = cli_values(c->args, "set", &count);
    const char *override[OVERRIDES_MAX + 3];
    char name[160], step[80], duration[80];
    if (count > OVERRIDES_MAX) {
        scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "too many --set");
        return NULL;
    }
    for (int i = 0; i < count; i++) override[i] = given[i];
    snprintf(name, sizeof name, "%s=%s", c->key, scheme);
    snprintf(step, sizeof step, "scheme.step=%.17g", h);
    snprintf(duration, sizeof duration, "scheme.duration=%.17g", c->end);
    override[count++] = name;
    override[count++] = step;
    override[count++] = duration;

    scree_findings findings = { 0 };
    scree_simulation *opened = cli_open_scene(c->args->positional[0], override, count, &findings);
    if (!opened)
        scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "%s",
                   findings.count ? findings.item[0].text : "out of memory");
    scree_findings_free(&findings);
    return opened;
}

// what went wrong with the reference
static scree_status reference_failed(const cli_converge *c, const scree_error *why,
                                     scree_error *err) {
    if (c->self)
        return scree_fail(err, why->status, SCREE_NOWHERE, "with half the step: %.440s", why->text);
    return scree_fail(err, why->status, SCREE_NOWHERE, "the event-driven reference stopped: %.400s",
                      why->text);
}

static scree_status open_reference(const cli_converge *c, const char *scheme, pair *p,
                                   scree_error *err) {
    scree_error why = { 0 };
    p->finer = c->self ? 2 : 1;
    p->reference = open_run(c, c->self ? scheme : "event-driven", p->h / p->finer, &why);
    if (!p->reference) return reference_failed(c, &why, err);
    size_t size = (size_t)scree_simulation_model(p->reference)->coordinates;
    p->start = calloc(size + 1, sizeof *p->start);
    if (!p->start) return scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory");
    memcpy(p->start, scree_simulation_state(p->reference)->q, size * sizeof *p->start);
    return SCREE_OK;
}

static scree_status step_reference(cli_converge *c, pair *p, scree_error *err) {
    scree_error why = { 0 };
    for (int k = 0; k < p->finer; k++)
        if (scree_simulation_step(p->reference, &why)) {
            c->reference_failed = true;
            return reference_failed(c, &why, err);
        }
    return SCREE_OK;
}

static scree_status run_pair(cli_converge *c, cli_ladder *ladder, pair *p, scree_error *err) {
    scree_status status = SCREE_OK;
    for (int64_t n = 0; !status && n < p->steps; n++) {
        status = scree_simulation_step(p->run, err);
        if (!status) status = step_reference(c, p, err);
        if (!status) compare(p, ladder);
        if (!status && !isfinite(p->q.last + p->v.last))
            status = scree_fail(err, SCREE_UNCONVERGED, SCREE_NOWHERE,
                                "step %lld: the states are not finite any more", (long long)n + 1);
        cli_progress_update(&c->progress, ++c->done, c->total, ladder->scheme);
        if (cli_stop_asked())
            return scree_fail(err, SCREE_INTERRUPTED, SCREE_NOWHERE,
                              "stopped before all runs were done");
    }
    return status;
}

// ---- levels ----

// steps of a member of the level: as many as its own, and spread over half an octave around it
static int64_t steps_of(const cli_converge *c, int level, int member) {
    double steps = (double)(c->coarse << level);
    double shift = (member - 0.5 * (c->spread - 1)) / (2 * c->spread);
    return (int64_t)fmax(1, nearbyint(steps * exp2(shift)));
}

int64_t cli_converge_steps(const cli_converge *c) {
    int64_t steps = 0;
    for (int i = 0; i < c->levels; i++)
        for (int k = 0; k < c->spread; k++) steps += steps_of(c, i, k);
    return steps;
}

static void add_member(cli_distance *sum, const cli_distance *d, int members) {
    sum->most += d->most / members;
    sum->mean += d->mean / members;
    sum->last += d->last / members;
}

static scree_status run_member(cli_converge *c, cli_ladder *ladder, cli_level *level, int member,
                               scree_error *err) {
    pair p = { .steps = steps_of(c, (int)(level - ladder->level), member) };
    p.h = c->end / (double)p.steps;
    p.run = open_run(c, ladder->scheme, p.h, err);
    scree_status status = p.run ? SCREE_OK : SCREE_BAD_INPUT;
    level->opened |= p.run != NULL;
    if (!status) status = open_reference(c, ladder->scheme, &p, err);
    if (!status) status = run_pair(c, ladder, &p, err);
    add_member(&level->q, &p.q, c->spread);
    add_member(&level->v, &p.v, c->spread);
    scree_simulation_free(p.run);
    scree_simulation_free(p.reference);
    free(p.start);
    return status;
}

static scree_status run_level(cli_converge *c, cli_ladder *ladder, int number) {
    cli_level *level = &ladder->level[number];
    *level = (cli_level){ .h = ldexp(c->first, -number), .steps = c->coarse << number };
    scree_error err = { 0 };
    scree_status status = SCREE_OK;
    int64_t before = c->done;
    for (int k = 0; !status && k < c->spread; k++) status = run_member(c, ladder, level, k, &err);
    if (!status) return SCREE_OK;

    // the level has no error, the others go on
    double none = (double)NAN;
    level->q = level->v = (cli_distance){ none, none, none };
    snprintf(level->reason, sizeof level->reason, "%s", err.text);
    c->done = before;
    for (int k = 0; k < c->spread; k++) c->done += steps_of(c, number, k);
    c->err = err;
    bool fatal = status == SCREE_INTERRUPTED || status == SCREE_NO_MEMORY;
    return fatal || (c->reference_failed && !c->self) ? status : SCREE_OK;
}

// ---- orders ----

static double order_between(double coarse, double fine, double floor) {
    return coarse > floor && fine > floor ? log2(coarse / fine) : (double)NAN;
}

// least squares of log error over log h; errors at the level of rounding tell nothing
static double fit(const cli_converge *c, const cli_ladder *ladder, double floor,
                  double (*error)(const cli_converge *, const cli_level *)) {
    double n = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (int i = 0; i < c->levels; i++) {
        double e = error(c, &ladder->level[i]);
        if (!(e > floor)) continue;
        double log_h = -i, log_e = log2(e);
        n += 1;
        x += log_h;
        y += log_e;
        xx += log_h * log_h;
        xy += log_h * log_e;
    }
    return n >= 2 ? (n * xy - x * y) / (n * xx - x * x) : (double)NAN;
}

static void find_orders(const cli_converge *c, cli_ladder *ladder) {
    double q = cli_floor_q(ladder), v = cli_floor_v(ladder);
    for (int i = 0; i < c->levels; i++) {
        cli_level *level = &ladder->level[i];
        level->order_q = level->order_v = (double)NAN;
        if (i == 0) continue;
        level->order_q = order_between(cli_error_q(c, level - 1), cli_error_q(c, level), q);
        level->order_v = order_between(cli_error_v(c, level - 1), cli_error_v(c, level), v);
    }
    ladder->order_q = fit(c, ladder, q, cli_error_q);
    ladder->order_v = fit(c, ladder, v, cli_error_v);
}

scree_status cli_converge_run(cli_converge *c, cli_ladder *ladder) {
    scree_status status = SCREE_OK;
    ladder->travel = ladder->size_q = ladder->size_v = 0;
    for (int i = 0; !status && i < c->levels; i++) status = run_level(c, ladder, i);
    if (!status) find_orders(c, ladder);
    return status;
}
