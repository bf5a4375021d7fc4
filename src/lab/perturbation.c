// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// perturbation.c - is an equilibrium stable? Push it in all directions that are open and look.
// in: a piece of equilibria.   out: what was seen.   work: motions.
//
// Velocities size / time in a fan of directions, with two sizes; distances are those of the
// coordinates, angles of bodies times their reach, less what bodies have sunk in, which is the
// scheme's doing. Motions go from event to event where that takes the system and its impact law.
// Otherwise they are the run's steps, and one that goes away has to do so with half the step, too.
// The verdicts are in equilibria.h.

#include "lab/perturbation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/dense.h"
#include "lab/equilibrium_joints.h"
#include "lab/semidefinite.h"
#include "scree/events.h"
#include "scree/step.h"

enum { FAN = 16, ROUNDS = 200, LIFTS = 4 };

static const double SIZES[2] = { 1e-2, 1e-4 };  // of the length
static const double NEAR = 10;                  // sizes that a stable motion stays within
static const double BACK = 1e-3;                // sizes that it ends within if it comes back
static const double PERIODS = 10;               // times that a run must last to say anything
static const double BUDGET = 2e7;               // steps of all runs
static const double LOOKS = 32;                 // in a time, from event to event

typedef struct sighting {  // of one direction
    double farthest, end;  // in sizes, the worse of the two
    bool escaped;
} sighting;

struct scree_perturbation {
    const scree_model *model;
    const scree_run_options *options;
    const scree_equilibrium_system *system;
    bool exact;                 // from event to event
    scree_run_options looks;    // the run's, with the step of a motion from event to event
    scree_model pushed;         // the model with q and v to begin with
    scree_stepper *stepper[2];  // with the step of the run, and with half of it once it is needed
    scree_arena arena;
    int n, directions;
    int *index;                     // coordinate of the system -> of the model (n)
    double *weight;                 // of each coordinate in distances (n)
    double *fan;                    // (directions x n), distance 1
    double *middle;                 // the place that is tried (n)
    double *way;                    // admissible directions (directions x n)
    double *start;                  // q of the model at the start
    double *q, *v;                  // state to begin with
    double *off;                    // a displacement (n)
    sighting *seen;                 // (directions)
    double length, time, duration;  // duration: of a motion
    double steps;                   // of all runs so far
    bool exhausted;
    scree_equilibrium last;  // verdict of the last place, which is in `tried`
    double *tried;           // (n)
    bool any;
};

// -------------------------------------------------------------------------------------------------
// scales

static double norm(const scree_perturbation *e, const double *x) {
    double sum = 0;
    for (int k = 0; k < e->n; k++) sum += e->weight[k] * e->weight[k] * x[k] * x[k];
    return sqrt(sum);
}

// how far from their centres bodies are touched
static double reach_of(const scree_equilibrium_system *system) {
    double reach = 0;
    for (int i = 0; i < system->contacts; i++)
        for (int k = 2; k < system->coordinates; k += 3)
            reach = fmax(reach, hypot(system->normal[i * system->coordinates + k],
                                      system->tangent[i * system->coordinates + k]));
    return reach > 0 ? reach : 1;
}

static double largest_displacement(const scree_equilibria *set) {
    double largest = 0;
    for (int i = 0; i < set->count; i++)
        for (int v = 0; v < set->item[i].vertices; v++) {
            double sum = 0;
            for (int k = 0; k < set->coordinates; k++)
                sum += pow(set->item[i].u[v * set->coordinates + k], 2);
            largest = fmax(largest, sqrt(sum));
        }
    return largest > 0 ? largest : 1;
}

// 1 / the lowest frequency, by powers of K^-1 M, with springs at the contacts where K alone does
// not hold everything; false when memory ran out
static bool find_time(scree_perturbation *e) {
    int n = e->n;
    size_t entries = (size_t)n * (size_t)n;
    double *L = SCREE_NEW(&e->arena, double, entries);
    double *x = SCREE_NEW(&e->arena, double, n), *y = SCREE_NEW(&e->arena, double, n);
    if (!L || !x || !y) return false;
    memcpy(L, e->system->stiffness, entries * sizeof *L);
    uint64_t all = ((uint64_t)1 << e->system->contacts) - 1;
    if (scree_dense_cholesky(L, n)) {
        scree_semidefinite_stiffen(e->system, all, true, L, y);
        if (scree_dense_cholesky(L, n)) {
            e->time = e->options->duration / (2 * PERIODS);
            return true;
        }
    }
    // a start with a part of every mode
    for (int k = 0; k < n; k++) x[k] = 1 + 0.37 * k;
    double size = 1;
    for (int round = 0; round < ROUNDS; round++) {
        scree_dense_product(e->model->system.mass, n, x, y);
        scree_dense_solve(L, n, y);
        size = 0;
        for (int k = 0; k < n; k++) size = fmax(size, fabs(y[k]));
        for (int k = 0; k < n; k++) x[k] = y[k] / size;
    }
    e->time = sqrt(size);
    return true;
}

// a fall through the length at the largest acceleration of a body
static void find_time_of_fall(scree_perturbation *e) {
    double most = 0;
    for (int k = 0; k < e->n; k++) {
        const scree_body *body = &e->model->body[e->index[k] / 3];
        if (k % 3 < 2) most = fmax(most, fabs(e->system->load[k]) / body->mass);
    }
    e->time = most > 0 ? sqrt(e->length / most) : e->options->duration / (2 * PERIODS);
}

// -------------------------------------------------------------------------------------------------
// directions

// +-axes, and in between: evenly around in the plane, the fractional parts of k sqrt(p) beyond
static void find_fan(scree_perturbation *e) {
    int n = e->n;
    for (int d = 0; d < e->directions; d++) {
        double *x = e->fan + (size_t)d * (size_t)n;
        if (n == 2) {
            x[0] = cos(2 * 3.14159265358979323846 * d / FAN);
            x[1] = sin(2 * 3.14159265358979323846 * d / FAN);
        } else if (d < 2 * n) {
            x[d / 2] = d % 2 ? -1 : 1;
        } else {
            for (int k = 0; k < n; k++) {
                double part = (d + 1) * sqrt(k + 2.3);
                x[k] = 2 * (part - floor(part)) - 1;
            }
        }
        for (int k = 0; k < n; k++)
            if (fabs(x[k]) < 1e-12) x[k] = 0;
        for (int k = 0; k < n; k++) x[k] /= e->weight[k];
        double size = norm(e, x);
        for (int k = 0; k < n; k++) x[k] /= size;
    }
}

// bend a direction that would go through a closed contact; false if nothing is left of it
static bool admit(const scree_perturbation *e, const scree_equilibrium *piece, const double *fan,
                  double *way) {
    const scree_equilibrium_system *system = e->system;
    memcpy(way, fan, (size_t)e->n * sizeof *way);
    if (system->equations)
        scree_equilibrium_joints_project(system->equation, system->equations, e->n, 0, way);
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < system->contacts; i++) {
            const double *normal = system->normal + (size_t)i * (size_t)e->n;
            double rate = 0, size = 0;
            for (int k = 0; k < e->n; k++) {
                rate += normal[k] * way[k];
                size += normal[k] * normal[k];
            }
            if (piece->status[i] == SCREE_REST_FREE || rate >= 0 || size == 0) continue;
            for (int k = 0; k < e->n; k++) way[k] -= rate / size * normal[k];
        }
    double size = norm(e, way);
    if (size < 1e-3) return false;
    for (int k = 0; k < e->n; k++) way[k] /= size;
    return true;
}

static bool is_known(const scree_perturbation *e, const double *way, int ways) {
    for (int d = 0; d < ways; d++) {
        double off = 0;
        for (int k = 0; k < e->n; k++)
            off = fmax(off, fabs(way[k] - e->way[(size_t)d * (size_t)e->n + (size_t)k]));
        if (off < 1e-9) return true;
    }
    return false;
}

// the admissible directions, each once; returns how many
static int find_ways(scree_perturbation *e, const scree_equilibrium *piece) {
    int ways = 0;
    for (int d = 0; d < e->directions; d++) {
        double *way = e->way + (size_t)ways * (size_t)e->n;
        if (admit(e, piece, e->fan + (size_t)d * (size_t)e->n, way) && !is_known(e, way, ways))
            ways++;
    }
    return ways;
}

// -------------------------------------------------------------------------------------------------
// runs

// one motion, by one of the two
typedef struct motion {
    scree_events *events;
    scree_stepper *stepper;
    double step;
} motion;

static const scree_state *state_of(const motion *m) {
    return m->events ? &scree_events_record(m->events)->after : scree_stepper_state(m->stepper);
}

static scree_status advance(const motion *m, scree_error *err) {
    scree_account account;
    return m->events ? scree_events_step(m->events, &account, err)
                     : scree_stepper_advance(m->stepper, err);
}

// half: 1: by steps of half the length
static scree_status need_stepper(scree_perturbation *e, int half, scree_error *err) {
    if (e->stepper[half]) return SCREE_OK;
    scree_scheme_options scheme = e->options->scheme;
    if (!scree_scheme_row_of(&scheme)->steps) scheme.name = SCREE_MOREAU_JEAN;
    if (half) scheme.step /= 2;
    scheme.approach = SCREE_APPROACH_KEPT;  // else what rests sinks, and the springs feel it
    return scree_stepper_new(e->model, &scheme, &e->options->solver, &e->stepper[half], err);
}

static scree_status begin(scree_perturbation *e, const double *way, double speed, int half,
                          motion *m, scree_error *err) {
    const scree_state start = { 0, 0, e->q, e->v };
    *m = (motion){ .step =
                       e->exact ? e->looks.scheme.step : e->options->scheme.step / (half ? 2 : 1) };
    memcpy(e->q, e->start, (size_t)e->model->coordinates * sizeof *e->q);
    memset(e->v, 0, (size_t)e->model->dofs * sizeof *e->v);
    for (int k = 0; k < e->n; k++) {
        e->q[e->index[k]] = e->middle[k];
        e->v[e->index[k]] = speed * way[k];
    }
    if (e->exact) return scree_events_new(&e->pushed, &e->looks, &m->events, err);
    scree_status status = need_stepper(e, half, err);
    m->stepper = e->stepper[half];
    return status ? status : scree_stepper_restore(m->stepper, &start, NULL, 0, err);
}

// take out of a displacement what goes through contacts
static void lift(const scree_perturbation *e, double *off) {
    const scree_equilibrium_system *system = e->system;
    for (int round = 0; round < LIFTS; round++)
        for (int i = 0; i < system->contacts; i++) {
            const double *normal = system->normal + (size_t)i * (size_t)e->n;
            double gap = system->stiffness ? system->gap[i] : 0, size = 0;
            for (int k = 0; k < e->n; k++) {
                gap += normal[k] * (off[k] + (system->stiffness ? e->middle[k] : 0));
                size += normal[k] * normal[k];
            }
            for (int k = 0; k < e->n && gap < 0 && size > 0; k++) off[k] -= gap / size * normal[k];
        }
}

static double distance(const scree_perturbation *e, const double *q) {
    for (int k = 0; k < e->n; k++) e->off[k] = q[e->index[k]] - e->middle[k];
    lift(e, e->off);
    return norm(e, e->off);
}

static double speed_of(const scree_perturbation *e, const double *v) {
    double sum = 0;
    for (int k = 0; k < e->n; k++) sum += pow(e->weight[k] * v[e->index[k]], 2);
    return sqrt(sum);
}

// how far a motion goes, up to the limit, and where it ends, speed included
static scree_status trace(scree_perturbation *e, const double *way, double size, int half,
                          double limit, double *farthest, double *end, scree_error *err) {
    motion m;
    scree_status status = begin(e, way, size / e->time, half, &m, err);
    int64_t steps = (int64_t)ceil(e->duration / m.step);
    *farthest = *end = 0;
    for (int64_t i = 0; i < steps && !status && *farthest < limit; i++) {
        status = advance(&m, err);
        if (status) break;
        const scree_state *now = state_of(&m);
        *end = distance(e, now->q);
        *farthest = fmax(*farthest, *end);
        if (i == steps - 1) *end = fmax(*end, speed_of(e, now->v) * e->time);
        e->steps++;
    }
    scree_events_free(m.events);
    return status;
}

static scree_status follow(scree_perturbation *e, const double *way, double size, sighting *seen,
                           scree_error *err) {
    bool small = size < SIZES[0] * e->length;
    double far = NEAR * SIZES[0] * e->length, limit = small ? far : 10 * far, farthest, end;
    scree_status status = trace(e, way, size, 0, limit, &farthest, &end, err);
    if (!status && small && farthest >= far && !e->exact)
        status = trace(e, way, size, 1, limit, &farthest, &end, err);
    seen->farthest = fmax(seen->farthest, farthest / size);
    seen->end = fmax(seen->end, end / size);
    seen->escaped = seen->escaped || (small && farthest >= far);
    return status;
}

// -------------------------------------------------------------------------------------------------
// verdicts

static void name_direction(const scree_perturbation *e, const double *way,
                           scree_equilibrium *piece) {
    if (piece->stable_directions == SCREE_EQUILIBRIUM_DIRECTIONS) return;
    char *text = piece->stable_direction[piece->stable_directions++];
    size_t room = sizeof piece->stable_direction[0];
    int used = snprintf(text, room, "(");
    for (int k = 0; k < e->n && used > 0 && (size_t)used < room; k++)
        used += snprintf(text + used, room - (size_t)used, "%s%.3g", k ? ", " : "", way[k] + 0.0);
    if (used > 0 && (size_t)used < room) snprintf(text + used, room - (size_t)used, ")");
}

static void find_middle(const scree_perturbation *e, const scree_equilibrium *piece,
                        double *middle) {
    size_t n = (size_t)e->n;
    memset(middle, 0, n * sizeof *middle);
    for (int g = 0; g < piece->vertices + piece->rays; g++) {
        const double *u = piece->u + (size_t)g * n;
        double size = norm(e, u), part = 1.0 / piece->vertices;
        if (g >= piece->vertices) part = size > 0 ? e->length / size : 0;
        for (size_t k = 0; k < n; k++) middle[k] += part * u[k];
    }
}

static void judge(const scree_perturbation *e, int tried, scree_equilibrium *piece) {
    double farthest = 0, end = 0;
    bool escaped = false;
    for (int d = 0; d < tried; d++) {
        farthest = fmax(farthest, e->seen[d].farthest);
        end = fmax(end, e->seen[d].end);
        escaped = escaped || e->seen[d].escaped;
    }
    bool long_enough = e->duration >= PERIODS * e->time;
    char what[120];
    if (escaped) {
        piece->stability = SCREE_STABILITY_UNSTABLE;
        snprintf(what, sizeof what, "one of size %.3g went %.3g away", SIZES[1] * e->length,
                 NEAR * SIZES[0] * e->length);
    } else {
        bool close = farthest <= NEAR && long_enough && tried > 0;
        if (close)
            piece->stability = end <= BACK ? SCREE_STABILITY_ASYMPTOTIC : SCREE_STABILITY_STABLE;
        snprintf(what, sizeof what, "none went farther than %.3g sizes%s", farthest,
                 long_enough ? "" : ", in a run too short to tell");
    }
    char how[80] = "event-driven";
    if (!e->exact)
        snprintf(how, sizeof how, "%s, h = %g%s", scree_scheme_name(e->options->scheme.name),
                 e->options->scheme.step, escaped ? " and half of it" : "");
    snprintf(piece->ground, sizeof piece->ground,
             "experiment%s: pushed in %d directions with sizes %.3g and %.3g, %s, t <= %g: %s",
             piece->freedom && e->system->stiffness ? " at the middle" : "", tried,
             SIZES[0] * e->length, SIZES[1] * e->length, how, e->duration, what);
}

static scree_status run_fan(scree_perturbation *e, scree_equilibrium *piece, scree_error *err) {
    int tried = find_ways(e, piece);
    scree_status status = SCREE_OK;
    piece->stable_directions = 0;
    for (int d = 0; d < tried && !status; d++) {
        const double *way = e->way + (size_t)d * (size_t)e->n;
        e->seen[d] = (sighting){ 0 };
        for (int s = 0; s < 2 && !status; s++)
            status = follow(e, way, SIZES[s] * e->length, &e->seen[d], err);
        if (!status && !e->seen[d].escaped && e->seen[d].farthest <= NEAR)
            name_direction(e, way, piece);
    }
    if (!status) judge(e, tried, piece);
    if (piece->stability != SCREE_STABILITY_UNSTABLE) piece->stable_directions = 0;
    return status;
}

static bool is_tried(const scree_perturbation *e) {
    for (int k = 0; k < e->n && e->any; k++)
        if (fabs(e->middle[k] - e->tried[k]) > 1e-12 * e->length) return false;
    return e->any;
}

static void copy_verdict(const scree_equilibrium *from, scree_equilibrium *to) {
    to->stability = from->stability;
    to->stable_directions = from->stable_directions;
    memcpy(to->ground, from->ground, sizeof to->ground);
    memcpy(to->stable_direction, from->stable_direction, sizeof to->stable_direction);
}

// for the time of the run, as its step may be small; from event to event as long as it takes
static void go_by_steps(scree_perturbation *e) {
    e->exact = false;
    e->duration = e->options->duration;
}

scree_status scree_perturbation_test(scree_perturbation *e, scree_equilibrium *piece,
                                     scree_error *err) {
    find_middle(e, piece, e->middle);
    if (is_tried(e)) {
        copy_verdict(&e->last, piece);
        return SCREE_OK;
    }
    double step = (e->exact ? &e->looks : e->options)->scheme.step;
    double price = 2.0 * e->directions * e->duration / step;
    e->exhausted = e->exhausted || e->steps + price > BUDGET;
    if (e->exhausted) {
        snprintf(piece->ground, sizeof piece->ground,
                 "not tried: %.3g steps of experiments are the limit, and this one needs %.3g",
                 BUDGET, price);
        return SCREE_OK;
    }
    scree_status status = run_fan(e, piece, err);
    if (status && status != SCREE_NO_MEMORY && e->exact) {
        // there is no one way to go on from an event, as in Painleve's paradox: steps go some way
        go_by_steps(e);
        status = run_fan(e, piece, err);
    }
    if (status == SCREE_UNCONVERGED) {
        piece->stability = SCREE_STABILITY_UNDECIDED;
        snprintf(piece->ground, sizeof piece->ground,
                 "experiment: a step missed the solver's tolerance");
        status = SCREE_OK;
    }
    copy_verdict(piece, &e->last);
    memcpy(e->tried, e->middle, (size_t)e->n * sizeof *e->tried);
    e->any = true;
    return status;
}

// -------------------------------------------------------------------------------------------------
// beginning and end

static void number_coordinates(scree_perturbation *e) {
    const scree_model *model = e->model;
    int at = 0;
    double reach = reach_of(e->system);
    for (int j = 0; j < model->system.coordinates; j++) e->index[at++] = j;
    for (int i = 0; i < model->bodies; i++)
        for (int k = 0; k < 3 && !model->body[i].fixed; k++) e->index[at++] = 3 * i + k;
    for (int k = 0; k < e->n; k++) e->weight[k] = !e->system->stiffness && k % 3 == 2 ? reach : 1;
}

static bool allocate(scree_perturbation *e) {
    e->directions = e->n == 2 ? FAN : 2 * e->n + FAN;
    e->index = SCREE_NEW(&e->arena, int, e->n);
    e->weight = SCREE_NEW(&e->arena, double, e->n);
    e->fan = SCREE_NEW(&e->arena, double, ((size_t)e->directions * (size_t)e->n));
    e->middle = SCREE_NEW(&e->arena, double, e->n);
    e->tried = SCREE_NEW(&e->arena, double, e->n);
    e->way = SCREE_NEW(&e->arena, double, ((size_t)e->directions * (size_t)e->n));
    e->q = SCREE_NEW(&e->arena, double, e->model->coordinates);
    e->v = SCREE_NEW(&e->arena, double, e->model->dofs);
    e->start = SCREE_NEW(&e->arena, double, e->model->coordinates);
    e->off = SCREE_NEW(&e->arena, double, e->n);
    e->seen = SCREE_NEW(&e->arena, sighting, e->directions);
    return e->index && e->weight && e->fan && e->middle && e->tried && e->way && e->q && e->v &&
           e->start && e->off && e->seen;
}

// from event to event, or by steps; and where everything is at the start
static scree_status choose_motion(scree_perturbation *e, scree_error *err) {
    scree_events *events = NULL;
    e->looks = *e->options;
    e->looks.scheme.step = e->time / LOOKS;
    e->pushed = *e->model;
    e->pushed.system.position = e->q;
    e->pushed.system.velocity = e->v;
    bool newton = scree_scheme_row_of(&e->options->scheme)->impact == SCREE_IMPACT_NEWTON;
    bool pushes = e->model->bodies == 0;  // bodies have their start elsewhere than the system
    scree_status status =
        newton && pushes ? scree_events_new(e->model, &e->looks, &events, NULL) : SCREE_BAD_INPUT;
    go_by_steps(e);
    if (status == SCREE_OK) {
        e->exact = true;
        e->duration = fmax(e->duration, PERIODS * e->time);
        memcpy(e->start, scree_events_record(events)->after.q,
               (size_t)e->model->coordinates * sizeof *e->start);
        scree_events_free(events);
        return SCREE_OK;
    }
    status = need_stepper(e, 0, err);
    if (!status)
        memcpy(e->start, scree_stepper_state(e->stepper[0])->q,
               (size_t)e->model->coordinates * sizeof *e->start);
    return status;
}

scree_status scree_perturbation_new(const scree_model *model, const scree_run_options *options,
                                    const scree_equilibrium_system *system,
                                    const scree_equilibria *set, scree_perturbation **experiment,
                                    scree_error *err) {
    scree_perturbation *e = *experiment = calloc(1, sizeof *e);
    if (!e) return scree_fail_memory(err, NULL);
    e->model = model;
    e->options = options;
    e->system = system;
    e->n = system->coordinates;
    e->length = system->stiffness ? largest_displacement(set) : reach_of(system);
    scree_status status = SCREE_OK;
    if (!allocate(e)) status = scree_fail_memory(err, NULL);
    if (!status) number_coordinates(e);
    if (!status && !system->stiffness) find_time_of_fall(e);
    if (!status && system->stiffness && !find_time(e)) status = scree_fail_memory(err, NULL);
    if (!status) status = choose_motion(e, err);
    if (!status) find_fan(e);
    if (status) {
        scree_perturbation_free(e);
        *experiment = NULL;
    }
    return status;
}

void scree_perturbation_free(scree_perturbation *e) {
    if (!e) return;
    for (int half = 0; half < 2; half++) scree_stepper_free(e->stepper[half]);
    scree_arena_free(&e->arena);
    free(e);
}
