// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// tangent.c - Newton's method on how bodies turn with the reactions of their joints.
// in: the step, impulses to begin with.   out: impulses, report.   work: the step's memory.
//
// A step asks for velocities v' at its end and impulses p with
//
//     A^-1 (v' - v_free) = H^T p,     s = H v' + w and p obey the law,     H = H(q'(v')).
//
// Passes that solve for p with H as it stands, and let bodies turn with that, forget that pulled
// bodies turn back: they run away where reactions are large against inertia, as in light links
// under a heavy weight. Here both equations are linearised where the step ends now,
//
//     (A^-1 + D) dv = H^T p - push,    s' = s + H' dv,    push = A^-1 (v' - v_free),
//
// with D = -d(H^T p)/dv', by differences of the rows of each joint over the own motion of each of
// its bodies (those over the other body's are left out: hinges in the plane and balls have none),
// and H' the rows where the step ends, as s of a joint is g(q')/(h theta). What that leaves is a
// problem like any other, with W = H' (A^-1 + D)^-1 H^T, which is not symmetric; its answer says
// how much further the step ends. The way is halved until what the equations miss, an energy,
//
//     (H^T p - push) . A (H^T p - push) + sum of the natural maps of all contacts at s
//
// falls. Where it does not fall to nothing the method begins anew from another motion: a chain that
// is pulled taut within a step leaves it the other way, with many times the reactions of the step
// before.

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/space.h"
#include "law/assemble.h"
#include "law/bodies.h"
#include "model/joint.h"
#include "model/memory.h"
#include "solve/newton_direct.h"
#include "solve/residual.h"
#include "step/stepper.h"

enum { WIDTH = 6 };  // most degrees of freedom of a body

typedef struct softened {  // (A^-1 + D)^-1 of a body
    int width;
    double inverse[WIDTH * WIDTH];
} softened;

typedef struct tangent {
    int width;         // degrees of freedom of a body
    size_t rows;       // of impulses
    double *push;      // that bodies turn with (dofs)
    double *v;         // where they end with it (dofs)
    double *dv;        // how much further the answer goes (dofs)
    double *D;         // (bodies x width x width)
    softened *of;      // (bodies)
    double *kept;      // impulses and push of the pass before (rows + dofs)
    double *trial;     // impulses (rows)
    double *first;     // impulses to begin with (rows)
    double off, size;  // of what impulses push beyond the push, and of that, as energies
    int iterations;
} tangent;

// ---- inertia

static void product(const double *A, int n, const double *x, double *y) {
    for (int r = 0; r < n; r++) y[r] = scree_dense_dot(A + r * n, x, n);
}

static void solve_softened(void *self, double *x) {
    const softened *own = self;
    double y[WIDTH];
    product(own->inverse, own->width, x, y);
    memcpy(x, y, (size_t)own->width * sizeof *x);
}

static void swap_rows(double *A, int n, int a, int b) {
    for (int k = 0; k < n; k++) {
        double kept = A[a * n + k];
        A[a * n + k] = A[b * n + k];
        A[b * n + k] = kept;
    }
}

// row b -= factor x row a
static void subtract_row(double *A, int n, int a, int b, double factor) {
    for (int k = 0; k < n; k++) A[b * n + k] -= factor * A[a * n + k];
}

// the inverse of A (n x n), which is overwritten, with row pivots; false if it is singular
static bool invert(double *A, int n, double *out) {
    for (int k = 0; k < n * n; k++) out[k] = k % (n + 1) == 0;
    for (int c = 0; c < n; c++) {
        int best = c;
        for (int r = c + 1; r < n; r++)
            if (fabs(A[r * n + c]) > fabs(A[best * n + c])) best = r;
        double pivot = A[best * n + c];
        if (!(fabs(pivot) > 0)) return false;
        swap_rows(A, n, c, best);
        swap_rows(out, n, c, best);
        for (int k = 0; k < n; k++) {
            A[c * n + k] /= pivot;
            out[c * n + k] /= pivot;
        }
        for (int r = 0; r < n; r++) {
            double factor = A[r * n + c];
            if (r == c || factor == 0) continue;
            subtract_row(A, n, c, r, factor);
            subtract_row(out, n, c, r, factor);
        }
    }
    return true;
}

// A^-1 of a body; false, and 0, where it keeps its velocity
static bool inertia_of(const scree_stepper *stepper, int body, double *to) {
    static const int at[3][3] = { { 0, 1, 2 }, { 1, 3, 4 }, { 2, 4, 5 } };
    const scree_model *model = stepper->model;
    int w = model->body_dofs;
    const double *A = stepper->inertia.part[body].inverse;
    double J[6] = { 0 };
    memset(to, 0, (size_t)(w * w) * sizeof *to);
    if (!(A[0] > 0)) return false;
    for (int k = 0; k < model->space; k++) to[k * (w + 1)] = 1 / A[0];
    if (model->space == 2) to[2 * (w + 1)] = 1 / A[1];
    if (model->space == 3) scree_symmetric_inverse(A + 1, J);
    for (int r = 0; model->space == 3 && r < 3; r++)
        for (int c = 0; c < 3; c++) to[(3 + r) * w + 3 + c] = J[at[r][c]];
    return true;
}

// ---- D

// a = h y/2 of a body in space, by which it turns in the step
static void find_half_turn(const scree_stepper *stepper, int body, double a[3]) {
    long at = (long)body * stepper->model->body_coordinates + 3;
    const double *p = stepper->record.before.q + at, *q = stepper->record.after.q + at;
    const double back[4] = { p[0], -p[1], -p[2], -p[3] };
    double turn[4];
    scree_quaternion_product(q, back, turn);
    for (int k = 0; k < 3; k++) a[k] = turn[1 + k] / turn[0];
}

// Rows over how a body is turned at the end -> rows over its mean spin y: x -> T^T x, as it is
// turned by h T dy, T = (1 + [a])/(1 + a.a).
static void turn_row(const double a[3], double x[3]) {
    double across[3], share = 1 / (1 + scree_dot(a, a));
    scree_cross(x, a, across);
    for (int k = 0; k < 3; k++) x[k] = share * (x[k] + across[k]);
}

typedef struct pull {  // what equations of a joint transmit to one of its sides
    int joint, first, rows, side, body;
    const double *p;
} pull;

static void find_pull(const scree_stepper *stepper, const pull *of, double *to) {
    const scree_model *model = stepper->model;
    scree_joint_row row[SCREE_JOINT_ROWS];
    scree_joint_rows_of(model, of->joint, stepper->record.before.q, stepper->record.after.q, row);
    for (int c = 0; c < model->body_dofs; c++) {
        to[c] = 0;
        for (int r = 0; r < of->rows; r++)
            to[c] += row[of->first + r].H[of->side][scree_joint_column(model, c)] * of->p[r];
    }
}

// a pose moved a little along one degree of freedom
static void nudge(const scree_model *model, const double *pose, int c, double way, double *to) {
    memcpy(to, pose, (size_t)model->body_coordinates * sizeof *to);
    if (c < model->space || model->space == 2) {
        to[c] += way;
        return;
    }
    double turn[3] = { 0 };
    turn[c - 3] = way;
    scree_cayley_after(turn, pose + 3, to + 3);
}

static void add_pull(scree_stepper *stepper, const pull *of, double *D) {
    const double slight = 1e-5;  // of the joint's size, and of a turn
    const scree_model *model = stepper->model;
    int w = model->body_dofs;
    double theta = stepper->body_theta ? stepper->body_theta[of->body] : stepper->scheme.theta;
    double size = model->memory->joints.frame[of->joint].size, h = stepper->scheme.step;
    double pose[7], end[2][WIDTH], own[WIDTH * WIDTH], a[3];
    double *q = stepper->record.after.q + (long)of->body * model->body_coordinates;
    memcpy(pose, q, (size_t)model->body_coordinates * sizeof *q);
    for (int c = 0; c < w; c++) {
        double way = c < model->space ? slight * size : slight;
        for (int e = 0; e < 2; e++) {
            nudge(model, pose, c, e ? way : -way, q);
            find_pull(stepper, of, end[e]);
        }
        for (int r = 0; r < w; r++)
            own[r * w + c] = -h * theta * (end[1][r] - end[0][r]) / (2 * way);
    }
    memcpy(q, pose, (size_t)model->body_coordinates * sizeof *q);
    if (model->space == 3) find_half_turn(stepper, of->body, a);
    for (int r = 0; model->space == 3 && r < w; r++) turn_row(a, own + r * w + 3);
    for (int k = 0; k < w * w; k++) D[k] += own[k];
}

static void find_stiffness(scree_stepper *stepper, const double *impulse, tangent *now) {
    const scree_model *model = stepper->model;
    const scree_contact_set *set = &stepper->set;
    int d = model->dimension, w = now->width, body[SCREE_JOINT_SIDES];
    memset(now->D, 0, (size_t)model->dofs * (size_t)w * sizeof *now->D);
    for (int k = 0; k < set->active_count; k++) {
        const scree_contact *contact = &set->contact[set->active[k]];
        pull of = { .joint = scree_joint_of_contact(model, contact), .p = impulse + (long)k * d };
        of.first = (int)scree_contact_id_unpack(contact->id).feature;
        if (of.joint < 0 || of.first >= SCREE_JOINT_FRICTION) continue;
        int rows = scree_joint_equations(model, of.joint) - of.first;
        of.rows = rows < d ? rows : d;
        for (int s = scree_joint_bodies(model, of.joint, body) - 1; s >= 0; s--) {
            if (body[s] < 0 || !scree_body_moves(&model->body[body[s]])) continue;
            of.side = s;
            of.body = body[s];
            add_pull(stepper, &of, now->D + (long)body[s] * w * w);
        }
    }
}

// D is left out where the sum is singular, and where it is not asked for.
static void soften(const scree_stepper *stepper, bool plain, tangent *now) {
    int w = now->width;
    for (int i = 0; i < stepper->model->bodies; i++) {
        double own[WIDTH * WIDTH];
        const double *D = now->D + (long)i * w * w;
        now->of[i] = (softened){ .width = w };
        if (!inertia_of(stepper, i, own)) continue;
        for (int k = 0; !plain && k < w * w; k++) own[k] += D[k];
        if (invert(own, w, now->of[i].inverse)) continue;
        inertia_of(stepper, i, own);
        invert(own, w, now->of[i].inverse);
    }
}

// ---- the problem

// rows of joints from q to where the step ends
static void follow(scree_stepper *stepper, const double *q) {
    bool changed;
    for (int k = 0; k < stepper->set.sources; k++) {
        scree_source *source = &stepper->set.source[k];
        if (source->kind->follow)
            source->kind->follow(source, &stepper->set, q, stepper->record.after.q, &changed);
    }
}

// H' of the active contacts, in the blocks of H; NULL without memory
static const scree_jacobian_block *find_end_rows(scree_stepper *stepper, const scree_bodies *H) {
    const scree_contact_set *set = &stepper->set;
    int d = stepper->model->dimension, w = stepper->model->body_dofs, count = set->active_count;
    scree_jacobian_block *block =
        SCREE_NEW(&stepper->scratch, scree_jacobian_block, (size_t)count * SCREE_CONTACT_BLOCKS);
    bool fine = block != NULL;
    if (fine) follow(stepper, stepper->record.after.q);
    for (int i = 0; fine && i < count; i++)
        fine = scree_contacts_rows(set, set->active[i], &stepper->inertia, &stepper->scratch,
                                   block + H->first[i]) >= 0;
    follow(stepper, stepper->record.before.q);
    for (int e = 0; fine && stepper->model->space == 3 && e < H->first[count]; e++) {
        double a[3], *rows = (double *)block[e].H;  // made above
        find_half_turn(stepper, block[e].part, a);
        for (int r = 0; r < d; r++) turn_row(a, rows + r * w + 3);
    }
    return fine ? block : NULL;
}

// b: s where bodies turn with the push alone
static void find_offset(scree_stepper *stepper, const tangent *now, const scree_bodies *H,
                        const scree_jacobian_block *end, double *b) {
    const scree_contact_set *set = &stepper->set;
    int d = stepper->model->dimension, w = now->width;
    for (int i = 0; i < stepper->model->dofs; i++) now->dv[i] = -now->push[i];
    for (int i = 0; i < stepper->model->bodies; i++)
        solve_softened(&now->of[i], now->dv + (long)i * w);
    for (int i = 0; i < set->active_count; i++, b += d) {
        scree_contacts_velocity(set, set->active[i], now->v, b);
        for (int r = 0; r < d; r++) b[r] += H->w[i * d + r];
        for (int e = H->first[i]; e < H->first[i + 1]; e++)
            for (int r = 0; r < d; r++)
                b[r] += scree_dense_dot(end[e].H + r * w, now->dv + (long)end[e].part * w, w);
    }
}

// plain: with the inertia of bodies alone
static scree_status build(scree_stepper *stepper, tangent *now, const double *impulse, bool plain,
                          scree_problem *problem, scree_error *err) {
    scree_status status = scree_problem_of_step(stepper, err);
    if (status) return status;
    *problem = stepper->record.problem;
    const scree_bodies *H = problem->bodies;
    int nb = stepper->model->bodies, w = now->width;
    scree_part_inverse *part = SCREE_NEW(&stepper->scratch, scree_part_inverse, nb);
    double *b = SCREE_NEW(&stepper->scratch, double, now->rows);
    const scree_jacobian_block *end = find_end_rows(stepper, H);
    if (!part || !b || !end) return scree_fail_memory(err, NULL);
    find_stiffness(stepper, impulse, now);
    soften(stepper, plain, now);
    find_offset(stepper, now, H, end, b);
    for (int i = 0; i < nb; i++)
        part[i] = (scree_part_inverse){
            .width = w, .dof = i * w, .self = &now->of[i], .solve = solve_softened
        };
    const scree_bodies bodies = {
        .width = w, .parts = nb, .part = part, .unsymmetric = true, .first = H->first, .block = end
    };
    problem->bodies = &bodies;
    problem->b = b;
    status = scree_assemble_pushed(problem, H->block, &stepper->scratch, err);
    problem->bodies = NULL;
    return status;
}

// ---- the passes

// where bodies end with the push
static void find_end(const scree_stepper *stepper, tangent *now) {
    const scree_model *model = stepper->model;
    memcpy(now->v, now->push, (size_t)model->dofs * sizeof *now->v);
    for (int i = 0; i < model->bodies; i++)
        scree_inertia_solve(&stepper->inertia.part[i], now->v + (long)i * now->width);
    for (int i = 0; i < model->dofs; i++) now->v[i] += stepper->free_velocity[i];
}

// what impulses push beyond the push
static void find_excess(scree_stepper *stepper, const tangent *now, const double *impulse) {
    scree_impulses_apply(stepper, impulse);
    for (int i = 0; i < stepper->model->dofs; i++) now->dv[i] = stepper->work[i] - now->push[i];
}

// the push that leads as far as the answer does
static void push_on(scree_stepper *stepper, tangent *now, const double *impulse) {
    int w = now->width;
    find_excess(stepper, now, impulse);
    for (int i = 0; i < stepper->model->bodies; i++) {
        double inertia[WIDTH * WIDTH], more[WIDTH];
        solve_softened(&now->of[i], now->dv + (long)i * w);
        inertia_of(stepper, i, inertia);
        product(inertia, w, now->dv + (long)i * w, more);
        for (int k = 0; k < w; k++) now->push[i * w + k] += more[k];
    }
}

// x . A x of all bodies
static double energy_of(const scree_stepper *stepper, const double *x) {
    int w = stepper->model->body_dofs;
    double sum = 0;
    for (int i = 0; i < stepper->model->bodies; i++, x += w) {
        double y[WIDTH];
        memcpy(y, x, (size_t)w * sizeof *y);
        scree_inertia_solve(&stepper->inertia.part[i], y);
        sum += scree_dense_dot(x, y, w);
    }
    return sum;
}

// Bodies turn with the push: how far that is from the step's equations, and whether the impulses
// solve the problem that it leads to.
static scree_status look(scree_stepper *stepper, tangent *now, const double *impulse, double *s,
                         double *miss, scree_error *err) {
    const scree_contact_set *set = &stepper->set;
    scree_problem *problem = &stepper->record.problem;
    int d = stepper->model->dimension;
    bool changed;
    scree_status status = scree_impulses_turn(stepper, now->push, &changed, err);
    if (!status) status = scree_impulses_judge(stepper, impulse, s, err);
    if (!status && !problem->block) status = scree_assemble(problem, &stepper->scratch, err);
    if (status) return status;
    find_end(stepper, now);
    for (int i = 0; i < problem->contacts; i++) {
        double *own = s + (long)i * d;
        scree_contacts_velocity(set, set->active[i], now->v, own);
        for (int r = i * d; r < (i + 1) * d; r++) {
            s[r] += problem->bodies->w[r];
            if (problem->compliance) s[r] += problem->compliance[r] * impulse[r];
        }
    }
    find_excess(stepper, now, impulse);
    now->off = energy_of(stepper, now->dv);
    now->size = energy_of(stepper, now->push);
    *miss = scree_residual_sum(problem, impulse, s, NULL).energy + now->off;
    return SCREE_OK;
}

static scree_status solve_once(scree_stepper *stepper, tangent *now, double *impulse, bool plain,
                               scree_error *err) {
    scree_problem problem;
    scree_report *report = &stepper->record.report;
    scree_solver_options options = stepper->solver;
    size_t bytes = now->rows * sizeof *impulse;
    options.tolerance /= 10;
    options.name = "contact-newton";
    memcpy(now->trial, impulse, bytes);
    scree_status status = build(stepper, now, impulse, plain, &problem, err);
    if (status) return status;
    if (!scree_newton_direct(&problem, options.tolerance, now->trial, &report->residual,
                             &stepper->scratch))
        return scree_fail_memory(err, NULL);
    report->iterations = 1;
    report->solver = options.name;
    if (!scree_residual_meets(report->residual, options.tolerance)) {
        memcpy(now->trial, impulse, bytes);
        status = scree_solve(&problem, &options, now->trial, report, err);
    }
    now->iterations += report->iterations;
    return status;
}

// Contacts may have no answer where bodies are pushed, and D is negative: then without it.
static scree_status solve(scree_stepper *stepper, tangent *now, double *impulse, scree_error *err) {
    scree_status status = solve_once(stepper, now, impulse, false, err);
    if (!status && !scree_dense_finite(now->trial, now->rows))
        status = solve_once(stepper, now, impulse, true, err);
    if (!status) memcpy(impulse, now->trial, now->rows * sizeof *impulse);
    return status;
}

// to the answer of a pass, or part of the way where the whole leads astray
static scree_status go(scree_stepper *stepper, tangent *now, double *impulse, double *s,
                       double *miss, scree_error *err) {
    enum { HALVINGS = 6 };
    size_t dofs = (size_t)stepper->model->dofs;
    double last = *miss;
    push_on(stepper, now, impulse);
    scree_status status = look(stepper, now, impulse, s, miss, err);
    for (int half = 0; !status && half < HALVINGS && !(*miss < last); half++) {
        for (size_t k = 0; k < now->rows; k++) impulse[k] = (impulse[k] + now->kept[k]) / 2;
        for (size_t k = 0; k < dofs; k++)
            now->push[k] = (now->push[k] + now->kept[now->rows + k]) / 2;
        status = look(stepper, now, impulse, s, miss, err);
    }
    return status;
}

// passes from impulses and a push, until they are the step's or lead no further
static scree_status iterate(scree_stepper *stepper, tangent *now, double *impulse, double *s,
                            scree_error *err) {
    enum { PASSES = 40, IDLE = 10 };
    const double gain = 0.8, tolerance = stepper->solver.tolerance;
    scree_report *report = &stepper->record.report;
    double miss, least;
    int idle = 0;
    scree_status status = look(stepper, now, impulse, s, &miss, err);
    least = miss;
    report->converged = false;
    for (int pass = 0; !status && pass < PASSES && idle < IDLE; pass++) {
        memcpy(now->kept, impulse, now->rows * sizeof *impulse);
        memcpy(now->kept + now->rows, now->push, (size_t)stepper->model->dofs * sizeof *now->push);
        status = solve(stepper, now, impulse, err);
        if (!status) status = go(stepper, now, impulse, s, &miss, err);
        if (status || (report->converged && now->off <= tolerance * tolerance * now->size)) break;
        report->converged = false;
        idle = miss < gain * least ? 0 : idle + 1;
        least = fmin(least, miss);
    }
    return status;
}

// Bodies turn with what will move them, to rounding: H^T p, with the H that stands now.
static scree_status settle(scree_stepper *stepper, const double *impulse, double *s,
                           scree_error *err) {
    bool changed = false;
    if (!stepper->refreshes) return SCREE_OK;
    scree_impulses_apply(stepper, impulse);
    scree_status status = scree_free_refresh(stepper, stepper->work, &changed, err);
    if (status || !changed) return status;
    scree_contacts_update_velocities(stepper);
    return scree_impulses_judge(stepper, impulse, s, err);
}

static scree_status prepare(scree_stepper *stepper, tangent *now, scree_error *err) {
    const scree_model *model = stepper->model;
    scree_arena *arena = &stepper->scratch;
    size_t dofs = (size_t)model->dofs, rows = (size_t)stepper->set.active_count;
    rows *= (size_t)model->dimension;
    *now = (tangent){ .width = model->body_dofs,
                      .rows = rows,
                      .push = SCREE_NEW(arena, double, 3 * dofs),
                      .D = SCREE_NEW(arena, double, (dofs * (size_t)model->body_dofs)),
                      .of = SCREE_NEW(arena, softened, model->bodies),
                      .kept = SCREE_NEW(arena, double, rows + dofs),
                      .trial = SCREE_NEW(arena, double, 2 * rows) };
    if (!now->push || !now->D || !now->of || !now->kept || !now->trial)
        return scree_fail_memory(err, NULL);
    now->v = now->push + dofs;
    now->dv = now->v + dofs;
    now->first = now->trial + rows;
    return SCREE_OK;
}

typedef struct guess {
    bool pushed;   // bodies go as impulses push them with the H of where they go by themselves,
    double share;  // else with so much of their velocity
    double times;  // the impulses that are known
} guess;

static scree_status start(scree_stepper *stepper, tangent *now, guess of, double *impulse,
                          scree_error *err) {
    int dofs = stepper->model->dofs, w = now->width;
    bool changed;
    for (size_t i = 0; i < now->rows; i++) impulse[i] = of.times * now->first[i];
    memset(now->push, 0, (size_t)dofs * sizeof *now->push);
    scree_status status = scree_impulses_turn(stepper, now->push, &changed, err);
    if (of.pushed) {
        scree_impulses_apply(stepper, impulse);
        memcpy(now->push, stepper->work, (size_t)dofs * sizeof *now->push);
        return status;
    }
    for (int i = 0; i < stepper->model->bodies; i++) {
        double inertia[WIDTH * WIDTH], change[WIDTH];
        for (int k = 0; k < w; k++)
            change[k] =
                of.share * stepper->start_velocity[i * w + k] - stepper->free_velocity[i * w + k];
        inertia_of(stepper, i, inertia);
        product(inertia, w, change, now->push + (long)i * w);
    }
    return status;
}

// The contacts of a body are coupled with each other in W: with very many it would be large.
static scree_status find_size(scree_stepper *stepper, double *blocks, scree_error *err) {
    const scree_bodies *H = stepper->record.problem.bodies;
    int *on = SCREE_NEW(&stepper->scratch, int, stepper->model->bodies);
    if (!on) return scree_fail_memory(err, NULL);
    *blocks = H && H->block ? 0 : HUGE_VAL;
    for (int e = 0; *blocks == 0 && e < H->first[stepper->set.active_count]; e++)
        on[H->block[e].part]++;
    for (int i = 0; i < stepper->model->bodies; i++) *blocks += (double)on[i] * on[i];
    return SCREE_OK;
}

scree_status scree_tangent_find(scree_stepper *stepper, double *impulse, double *s,
                                scree_error *err) {
    const double most = 1e7;
    static const guess from[] = {
        { .share = 1, .times = 1 },
        { .share = 1 },
        { .share = 0 },
        { .share = 0.5 },
        { .share = -0.5 },
        { .share = -1 },
        { .pushed = true, .times = 1 },
        { .pushed = true },
        { .pushed = true, .times = 2 },
        { .pushed = true, .times = 0.5 },
        { .pushed = true, .times = 4 },
        { .pushed = true, .times = -1 },
    };
    scree_report *report = &stepper->record.report;
    tangent now;
    double blocks = 0;
    scree_status status = find_size(stepper, &blocks, err);
    if (!status && blocks > most) return SCREE_OK;
    if (!status) status = prepare(stepper, &now, err);
    if (status) return status;
    memcpy(now.first, impulse, now.rows * sizeof *impulse);
    report->converged = false;
    for (size_t k = 0; !status && !report->converged && k < sizeof from / sizeof *from; k++) {
        status = start(stepper, &now, from[k], impulse, err);
        if (!status) status = iterate(stepper, &now, impulse, s, err);
        if (!status && report->converged) status = settle(stepper, impulse, s, err);
    }
    if (!status && stepper->record.problem.block)
        scree_problem_velocity(&stepper->record.problem, impulse, s);
    report->reason = report->converged ? SCREE_STOP_SOLVED : SCREE_STOP_TURNING;
    report->iterations = now.iterations;
    return status;
}

bool scree_tangent_serves(const scree_stepper *stepper) {
    const scree_model *model = stepper->model;
    return stepper->follows && stepper->inertia.parts == model->bodies &&
           !scree_model_markers(model);
}
