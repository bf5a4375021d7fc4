// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// part_elastic.c - elastic bodies as parts: M (v'-v) + h C v_theta + h K q_theta = h F_theta + h G
// + H^T p with C = a M + b K, on the nodes that are not held.

#include <math.h>
#include <string.h>

#include "base/space.h"
#include "model/elastic.h"
#include "model/marker.h"
#include "model/part.h"

static void find(const scree_model *model, scree_parts *parts) {
    parts->count = parts->moving = model->elastics;
    parts->roundings = 64;
    for (int e = 0; e < model->elastics; e++) {
        const scree_elastic_body *body = &model->elastic[e];
        parts->coordinates += body->count;
        parts->dofs += body->count;
        parts->has_loads |= body->parts->loads > 0;
        parts->loads_vary |= body->parts->loads_vary;
        parts->drives |= body->parts->held > 0;
    }
}

static scree_status invert(const scree_parts *parts, double h, double theta, double alpha,
                           scree_arena *arena, scree_part *part, scree_error *err) {
    (void)arena;
    (void)alpha;  // is theta: see the stepper's check_row
    scree_status status = SCREE_OK;
    for (int e = 0; !status && e < parts->count; e++) {
        const scree_elastic_body *body = &parts->model->elastic[e];
        part[e] = (scree_part){ .dof = body->dof, .width = body->count };
        status = scree_flexibility_new(body, scree_marker_nodes(parts->model, e), h, theta,
                                       &part[e].flexible, err);
    }
    return status;
}

static void start(const scree_parts *parts, double *q, double *v) {
    for (int e = 0; e < parts->count; e++) {
        const scree_elastic_body *body = &parts->model->elastic[e];
        scree_elastic_begin(body, q + body->coordinate, v + body->dof);
    }
}

static void drive(const scree_parts *parts, double t, double *q, double *v) {
    for (int e = 0; e < parts->count; e++) {
        const scree_elastic_body *body = &parts->model->elastic[e];
        scree_elastic_drive(body, t, q + body->coordinate, v ? v + body->dof : NULL);
    }
}

static void load(const scree_parts *parts, double t, double *F) {
    memset(F + parts->dof, 0, (size_t)parts->dofs * sizeof *F);
    for (int e = 0; e < parts->count; e++)
        scree_elastic_load(&parts->model->elastic[e], t, F + parts->model->elastic[e].dof);
}

// Mhat (v_free - v) = h (F_theta + G - C v - K (q + h theta v)): gravity pulls at the nodes, and
// what is held goes its way: its end is known, and weighs on the others through M, C and K.
static void free_body(const scree_model *model, const scree_elastic_body *body, scree_part *part,
                      const scree_stage *stage) {
    const struct scree_elastic_data *parts = body->parts;
    int n = body->count, space = model->space;
    double h = stage->h, theta = stage->theta;
    double a = body->material.damping_mass, b = body->material.damping_stiffness;
    const double *q = stage->before->q + body->coordinate, *v = stage->before->v + body->dof;
    const double *next_q = stage->after->q + body->coordinate;
    const double *next_v = stage->after->v + body->dof;
    double *change = stage->v_free + body->dof, *x = stage->work + body->dof,
           *product = stage->v_start + body->dof;

    for (int i = 0; i < n; i++) x[i] = h * (q[i] + (h * theta + b) * v[i]);
    for (int k = 0; k < parts->held; k++) {
        int i = parts->prescribed_dof[k];
        x[i] = h * ((1 - theta) * (q[i] + b * v[i]) + theta * (next_q[i] + b * next_v[i]));
    }
    scree_fem_stiffness(&parts->fem, x, product);
    for (int i = 0; i < n; i++)
        change[i] = stage->load ? scree_stage_load(stage, body->dof + i, theta) : 0;
    for (int node = 0, i = 0; i < n; node++)
        for (int k = 0; k < space; k++, i++)
            change[i] += h * parts->node_mass[node] * model->gravity[k] - product[i];
    if (a > 0 || parts->driven) {
        for (int i = 0; i < n; i++) x[i] = h * a * v[i];
        for (int k = 0; k < parts->held; k++) {
            int i = parts->prescribed_dof[k];
            x[i] = h * a * ((1 - theta) * v[i] + theta * next_v[i]) + (next_v[i] - v[i]);
        }
        scree_fem_mass(&parts->fem, x, product);
        for (int i = 0; i < n; i++) change[i] -= product[i];
    }
    scree_inertia_solve(part, change);
    for (int i = 0; i < n; i++) change[i] = body->number[i] < 0 ? next_v[i] : v[i] + change[i];
    memcpy(stage->v_start + body->dof, v, (size_t)n * sizeof *v);
}

static scree_status free_velocity(scree_parts *parts, const scree_stage *stage, scree_error *err) {
    (void)err;
    for (int e = 0; e < parts->count; e++)
        free_body(parts->model, &parts->model->elastic[e], &stage->inertia->part[parts->first + e],
                  stage);
    return SCREE_OK;
}

static void advance(scree_parts *parts, const scree_stage *stage, bool pushed) {
    scree_parts_advance(parts, stage, pushed);
    drive(parts, stage->after->time, stage->after->q, NULL);
}

static scree_status check(const scree_parts *parts, const scree_stage *stage, scree_error *err) {
    const scree_state *after = stage->after;
    for (int e = 0; e < parts->count; e++) {
        const scree_elastic_body *body = &parts->model->elastic[e];
        for (int k = 0; body->parts->driven && k < body->parts->held; k++)
            if (!isfinite(after->q[body->coordinate + body->parts->prescribed_dof[k]]) ||
                !isfinite(after->v[body->dof + body->parts->prescribed_dof[k]]))
                return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                                  "step %lld at time %.9g: a displacement that holds %s, or its "
                                  "rate, is not finite",
                                  (long long)after->step, after->time, body->name);
    }
    return SCREE_OK;
}

static double extent(const scree_parts *parts, const double *q) {
    double size = 0;
    for (int i = 0; i < parts->coordinates; i++) size = fmax(size, fabs(q[parts->coordinate + i]));
    for (int e = 0; e < parts->count; e++) {
        const scree_elastic_body *body = &parts->model->elastic[e];
        for (int i = 0; i < body->count; i++) size = fmax(size, fabs(body->mesh.node[i]));
    }
    return size;
}

static const char *name_of_dof(const scree_parts *parts, int dof, int *component) {
    int e = parts->count - 1;
    while (e > 0 && dof < parts->model->elastic[e].dof) e--;
    *component = dof - parts->model->elastic[e].dof;
    return parts->model->elastic[e].name;
}

// --- the ledger ---------------------------------------------------------------------------------

static double potential_of(const scree_model *model, const scree_elastic_body *body,
                           const double *q) {
    const double *g = model->gravity;
    double sum = 0;
    if (g[0] == 0 && g[1] == 0 && g[2] == 0) return 0;
    for (int i = 0; i < body->mesh.nodes; i++) {
        double x[3];
        scree_elastic_place(body, q, i, x);
        sum -= body->parts->node_mass[i] * scree_dot(g, x);
    }
    return sum;
}

static void add_energies(const scree_model *model, const scree_elastic_body *body,
                         const scree_state *state, scree_ledger *ledger) {
    const scree_fem *fem = &body->parts->fem;
    ledger->kinetic += scree_fem_mass_form(fem, state->v + body->dof, NULL) / 2;
    ledger->elastic += scree_fem_stiffness_form(fem, state->q + body->coordinate, NULL) / 2;
    ledger->potential += potential_of(model, body, state->q + body->coordinate);
}

static void energies(const scree_parts *parts, const scree_state *state, scree_ledger *ledger) {
    for (int e = 0; e < parts->count; e++)
        add_energies(parts->model, &parts->model->elastic[e], state, ledger);
}

// the two ends of the step, of one body
typedef struct ends {
    const double *p, *q;  // displacements before and after
    const double *u, *v;  // velocities
} ends;

// what is held and stays where it is does no work
static bool moves(const scree_elastic_body *body, const ends *s) {
    for (int i = 0; i < body->parts->held; i++) {
        int dof = body->parts->prescribed_dof[i];
        if (s->u[dof] != 0 || s->v[dof] != 0 || s->q[dof] != s->p[dof]) return true;
    }
    return false;
}

// With R = M (v'-v) + h C v_theta + h K q_theta - h F_theta - h G, which is zero where nothing is
// held but for the impulses of contacts, the work of what is held is
//
//     v_theta . R + (q' - q - h v_theta) . (K q_theta - G)      over the held degrees of freedom:
//
// the second part is there because a displacement that is given need not go with the mean of the
// velocities that are given with it.
static double prescribed_work(const scree_model *model, const scree_elastic_body *body,
                              double theta, const scree_step_record *record, const ends *s,
                              double *scratch, double *scale) {
    const struct scree_elastic_data *parts = body->parts;
    const scree_material *material = &body->material;
    int n = body->count, space = body->mesh.space;
    double h = record->h, sum = 0;
    double *inertial = scratch, *elastic = scratch + n, *work = scratch + 2 * (long)n;

    // elastic = K q_theta;   inertial = M (v'-v) + h C v_theta - h F_theta
    for (int i = 0; i < n; i++)
        work[i] = (s->v[i] - s->u[i]) +
                  h * material->damping_mass * ((1 - theta) * s->u[i] + theta * s->v[i]);
    scree_fem_mass(&parts->fem, work, inertial);
    for (int i = 0; i < n; i++)
        work[i] = h * material->damping_stiffness * ((1 - theta) * s->u[i] + theta * s->v[i]);
    if (material->damping_stiffness > 0) {
        scree_fem_stiffness(&parts->fem, work, elastic);
        for (int i = 0; i < n; i++) inertial[i] += elastic[i];
    }
    memset(work, 0, (size_t)n * sizeof *work);
    scree_elastic_load(body, record->before.time, work);
    for (int i = 0; i < n; i++) inertial[i] -= h * (1 - theta) * work[i];
    memset(work, 0, (size_t)n * sizeof *work);
    scree_elastic_load(body, record->after.time, work);
    for (int i = 0; i < n; i++) inertial[i] -= h * theta * work[i];
    for (int i = 0; i < n; i++) work[i] = (1 - theta) * s->p[i] + theta * s->q[i];
    scree_fem_stiffness(&parts->fem, work, elastic);

    for (int i = 0; i < parts->held; i++) {
        int dof = parts->prescribed_dof[i];
        double mean = (1 - theta) * s->u[dof] + theta * s->v[dof], way = s->q[dof] - s->p[dof];
        double rest = elastic[dof] - parts->node_mass[dof / space] * model->gravity[dof % space];
        sum += mean * inertial[dof] + way * rest;
        *scale += fabs(mean * inertial[dof]) + fabs(way * rest);
    }
    return sum;
}

#define INLINE static inline __attribute__((always_inline))

INLINE double length_of(const double *x, int space) {
    double sum = 0;
    for (int k = 0; k < space; k++) sum += fabs(x[k]);
    return sum;
}

// Energies are made of differences of displacements, but what rounding does to a displacement
// itself works against the forces between nodes too.
INLINE double size_in(const scree_model *model, const scree_elastic_body *body, int space, double h,
                      const ends *s) {
    const struct scree_elastic_data *parts = body->parts;
    double sum = 0,
           pull = fabs(model->gravity[0]) + fabs(model->gravity[1]) + fabs(model->gravity[2]);
    for (int i = 0; i < body->mesh.nodes; i++) {
        double before[3] = { 0 }, after[3] = { 0 };
        long at = (long)i * space;
        for (int k = 0; k < space; k++) {
            before[k] = s->p[at + k] - s->p[k];
            after[k] = s->q[at + k] - s->q[k];
        }
        double apart = length_of(before, space) + length_of(after, space);
        double place = length_of(s->p + at, space) + length_of(s->q + at, space);
        double speed = length_of(s->u + at, space) + length_of(s->v + at, space);
        double reach = apart + h * speed;
        sum += parts->node_mass[i] * speed * speed +
               parts->node_stiffness[i] * reach * (reach + place) +
               parts->node_mass[i] * pull *
                   (place + 2 * length_of(body->mesh.node + at, space) + h * speed);
    }
    return sum;
}

static double add_body(const scree_model *model, const scree_elastic_body *body, double theta,
                       const scree_step_record *record, double *scratch, scree_ledger *ledger) {
    const scree_fem *fem = &body->parts->fem;
    const scree_material *material = &body->material;
    int n = body->count;
    ends s = { record->before.q + body->coordinate, record->after.q + body->coordinate,
               record->before.v + body->dof, record->after.v + body->dof };
    // loops over axes of a number that the compiler knows: this is done in every step
    double scale = body->mesh.space == 2 ? size_in(model, body, 2, record->h, &s)
                                         : size_in(model, body, 3, record->h, &s);
    double *work = scratch;
    add_energies(model, body, &record->after, ledger);
    if (material->damping_mass > 0 || material->damping_stiffness > 0) {
        for (int i = 0; i < n; i++) work[i] = (1 - theta) * s.u[i] + theta * s.v[i];
        double inner = material->damping_mass * scree_fem_mass_form(fem, work, NULL) +
                       material->damping_stiffness * scree_fem_stiffness_form(fem, work, NULL);
        ledger->damping_work -= record->h * inner;
        scale += record->h * inner;
    }
    if (theta != 0.5) {
        for (int i = 0; i < n; i++) work[i] = s.v[i] - s.u[i];
        double change = scree_fem_mass_form(fem, work, NULL);
        for (int i = 0; i < n; i++) work[i] = s.q[i] - s.p[i];
        change += scree_fem_stiffness_form(fem, work, NULL);
        ledger->numerical_dissipation += (0.5 - theta) * change;
    }
    if (body->parts->driven && moves(body, &s))
        ledger->prescribed_work += prescribed_work(model, body, theta, record, &s, scratch, &scale);
    return scale;
}

static void fill_ledger(const scree_parts *parts, double theta, const scree_step_record *record,
                        double *scratch, scree_ledger *ledger, double *scale) {
    for (int e = 0; e < parts->count; e++)
        *scale += add_body(parts->model, &parts->model->elastic[e], theta, record, scratch, ledger);
}

const scree_part_kind scree_elastic_kind = {
    .name = "elastic",
    .deforms = true,
    .find = find,
    .invert = invert,
    .start = start,
    .drive = drive,
    .load = load,
    .free_velocity = free_velocity,
    .advance = advance,
    .check = check,
    .energies = energies,
    .fill_ledger = fill_ledger,
    .extent = extent,
    .name_of_dof = name_of_dof,
};
