// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// unique.c - rank of the law with statuses held; the least impulses by the path of path.c.
// in: task that has been solved.   out: p, freedom.   work: a dense matrix, a path.
//
// In a step of a run an answer is exchanged only where another would move the bodies otherwise: a
// slider between two rails that press on it. Where impulses alone are free (a box on four corners)
// they stay what the solver made of those of the step before, and nothing is spent on it.

#include "solve/unique.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "law/cone.h"
#include "solve/islands.h"
#include "solve/newton_rows.h"
#include "solve/path.h"

enum {
    MANY = 150,     // contacts of an island that is looked at if the caller wants to know
    LARGE = 2000,   // contacts of a problem that is cut into islands for it in any case
    POINTS = 12,    // proximal points to an answer
    CHANGES = 100,  // factorisations for each
};
static const double singular = 1e-11;  // pivot against the largest entry, scaled
static const double softness[] = { 1, 0.1, 1e-2, 1e-3, 1e-4 };

typedef struct linearisation {
    scree_solver_context *context;
    scree_newton_rows rows;
    int d, n;           // rows of the problem
    double *J;          // (k x k) of those that bear, scaled by D
    int *row, *column;  // of J: rows of the problem, in the order of the pivots (k)
    double *z, *Wz;     // (n)
} linearisation;

// ---- statuses

double scree_unique_nothing(const scree_problem *problem, double tolerance) {
    double most = 0;
    for (int k = 0; k < problem->contacts * problem->dimension; k++) {
        double size = fabs(problem->b[k]);
        most = size > most ? size : most;
    }
    return (tolerance > SCREE_UNIQUE_NOTHING ? tolerance : SCREE_UNIQUE_NOTHING) * most;
}

// Statuses at p. What the equations call slip must move by more than the tolerance leaves in any
// case. `weak`: contacts that neither bear nor open count as well; is_weak tells whether there are
// any.
static void find_statuses(linearisation *at, bool weak, bool *is_weak) {
    scree_newton_rows *rows = &at->rows;
    double small = scree_unique_nothing(rows->problem, at->context->options->tolerance);
    *is_weak = false;
    scree_newton_rows_assess(rows, rows->p, rows->s);
    for (int i = 0; i < rows->problem->contacts; i++) {
        scree_newton_contact *one = &rows->of[i];
        const double *p = rows->p + (size_t)i * (size_t)at->d,
                     *s = rows->s + (size_t)i * (size_t)at->d;
        bool closed = rows->active[i], bears = one->free || one->D * p[0] > small;
        bool idle =
            !bears && s[0] <= small && one->D > 0;  // what cannot move anything is no matter
        *is_weak = *is_weak || idle;
        rows->active[i] = bears || (idle && weak);
        for (int k = 0; rows->active[i] && !one->free && k < one->parts; k++) {
            scree_newton_part *part = &one->part[k];
            const double *s_T = s + part->first, *p_T = p + part->first;
            double speed = part->width == 1 ? fabs(s_T[0]) : hypot(s_T[0], s_T[1]);
            double push = part->width == 1 ? fabs(p_T[0]) : hypot(p_T[0], p_T[1]);
            bool slips = part->slip.slips || !closed;
            part->slip = (scree_slip){ .G = 1 };
            if ((!slips || speed <= small) && part->mu > 0) continue;
            part->slip.slips = true;
            part->slip.G = part->mu * p[0] / (push + speed * part->over_A);
            part->slip.t[0] = speed > 0 ? -s_T[0] / speed : 1;
            part->slip.t[1] = speed > 0 && part->width == 2 ? -s_T[1] / speed : 0;
        }
    }
}

// ---- the kernel

// rows and columns of what bears, scaled so that entries are about 1
static int gather(linearisation *at) {
    const scree_problem *problem = at->rows.problem;
    int d = at->d, k = 0;
    for (int i = 0; i < problem->contacts; i++)
        for (int c = 0; at->rows.active[i] && c < d; c++) at->row[k++] = i * d + c;
    memset(at->J, 0, (size_t)k * (size_t)k * sizeof *at->J);
    int *place = at->column;  // of a contact, for a moment
    for (int i = 0, next = 0; i < problem->contacts; i++) {
        place[i] = next;
        next += at->rows.active[i] ? d : 0;
    }
    for (int i = 0; i < problem->contacts; i++)
        for (int b = problem->row[i]; at->rows.active[i] && b < problem->row[i + 1]; b++) {
            int j = problem->column[b];
            if (!at->rows.active[j]) continue;
            double scale = 1 / sqrt(at->rows.of[i].D * at->rows.of[j].D);
            for (int r = 0; r < d; r++)
                for (int c = 0; c < d; c++)
                    at->J[(size_t)(place[i] + r) * (size_t)k + (size_t)(place[j] + c)] +=
                        scale *
                        at->rows
                            .jacobian[((size_t)b * (size_t)d + (size_t)r) * (size_t)d + (size_t)c];
        }
    for (int c = 0; c < k; c++) at->column[c] = c;
    return k;
}

static void swap_rows(double *a, double *b, int count) {
    for (int c = 0; c < count; c++) {
        double keep = a[c];
        a[c] = b[c];
        b[c] = keep;
    }
}

// Most matrices are regular, and show it without a search for pivots. J is spoilt.
static bool is_regular(double *J, int k) {
    for (int step = 0; step < k; step++) {
        const double *top = J + (size_t)step * (size_t)k;
        if (!(fabs(top[step]) > 1e-6)) return false;
        for (int r = step + 1; r < k; r++) {
            double *row = J + (size_t)r * (size_t)k, factor = row[step] / top[step];
            if (factor == 0) continue;
            for (int c = step + 1; c < k; c++) row[c] -= factor * top[c];
        }
    }
    return true;
}

// U of J by complete pivoting, in place; returns the rank
static int eliminate(linearisation *at, int k) {
    double *J = at->J, largest = 0;
    for (int step = 0; step < k; step++) {
        int r_best = step, c_best = step;
        double best = 0;
        for (int r = step; r < k; r++)
            for (int c = step; c < k; c++)
                if (fabs(J[r * k + c]) > best) {
                    best = fabs(J[r * k + c]);
                    r_best = r;
                    c_best = c;
                }
        if (step == 0) largest = best;
        if (!(best > singular * largest)) return step;
        if (r_best != step)
            swap_rows(J + (size_t)r_best * (size_t)k, J + (size_t)step * (size_t)k, k);
        for (int r = 0; c_best != step && r < k; r++)
            swap_rows(J + r * k + c_best, J + r * k + step, 1);
        int keep = at->column[c_best];
        at->column[c_best] = at->column[step];
        at->column[step] = keep;
        for (int r = step + 1; r < k; r++) {
            double factor = J[r * k + step] / J[step * k + step];
            for (int c = step; factor != 0 && c < k; c++) J[r * k + c] -= factor * J[step * k + c];
        }
    }
    return k;
}

// does this vector of the kernel, the one of the free column f, move anything?
static bool moves(linearisation *at, int k, int rank, int f) {
    const scree_problem *problem = at->rows.problem;
    int d = at->d;
    double push = 0, move = 0;
    memset(at->z, 0, (size_t)at->n * sizeof *at->z);
    memset(at->Wz, 0, (size_t)at->n * sizeof *at->Wz);
    double *x = at->Wz;  // for a moment
    for (int r = rank - 1; r >= 0; r--) {
        double sum = -at->J[r * k + f];
        for (int c = r + 1; c < rank; c++) sum -= at->J[r * k + c] * x[c];
        x[r] = sum / at->J[r * k + r];
    }
    for (int c = 0; c < rank; c++) at->z[at->row[at->column[c]]] = x[c];
    at->z[at->row[at->column[f]]] = 1;
    for (int j = 0; j < at->n; j++) {
        push += at->z[j] * at->z[j];
        at->z[j] /= sqrt(at->rows.of[j / d].D);
    }
    scree_problem_velocity(problem, at->z, at->Wz);
    for (int j = 0; j < at->n; j++) {
        double v = at->Wz[j] - problem->b[j];
        move += v * v / at->rows.of[j / d].D;
    }
    return move > 1e-12 * push;
}

// dimension of the kernel with the statuses held; `moving`: is there a motion in it?
static int freedom_of(linearisation *at, bool weak, bool *is_weak, bool *moving) {
    find_statuses(at, weak, is_weak);
    scree_newton_rows_fill(&at->rows);
    *moving = false;
    if (is_regular(at->J, gather(at))) return 0;
    int k = gather(at), rank = eliminate(at, k);
    for (int f = rank; f < k && !*moving; f++) *moving = moves(at, k, rank, f);
    return k - rank;
}

static bool draw(linearisation *at, scree_solver_context *context) {
    const scree_problem *problem = context->problem;
    scree_arena *arena = context->arena;
    int d = problem->dimension, n = problem->contacts * d;
    *at = (linearisation){ .context = context,
                           .rows = { .problem = problem, .W = problem->block },
                           .d = d,
                           .n = n,
                           .J = SCREE_NEW(arena, double, ((size_t)n * (size_t)n)),
                           .row = SCREE_NEW(arena, int, n),
                           .column = SCREE_NEW(arena, int, n),
                           .z = SCREE_NEW(arena, double, n),
                           .Wz = SCREE_NEW(arena, double, n) };
    if (!at->J || !at->row || !at->column || !at->z || !at->Wz ||
        !scree_newton_rows_prepare(&at->rows, true, arena))
        return false;
    memcpy(at->rows.p, context->p, (size_t)n * sizeof *context->p);
    scree_problem_velocity(problem, at->rows.p, at->rows.s);
    return true;
}

// ---- the answer that is taken

// proximal points from the centre, the first of which is p, until nothing changes; true if solved
static bool converge(scree_solver_context *context, scree_path *path, double *centre, double *p,
                     double *s) {
    size_t n = (size_t)context->problem->contacts * (size_t)context->problem->dimension;
    double eps = softness[sizeof softness / sizeof *softness - 1], last = HUGE_VAL;
    for (int k = 0; k < POINTS; k++) {
        memcpy(centre, p, n * sizeof *p);
        if (!scree_path_follow(path, centre, eps, CHANGES, p)) return false;
        double way = 0, size = 0;
        for (size_t j = 0; j < n; j++) {
            way += (p[j] - centre[j]) * (p[j] - centre[j]);
            size += p[j] * p[j];
        }
        if (!(way < last) || !(way > 1e-30 * size)) break;
        last = way;
    }
    scree_cone_project_all(context->problem, p);
    return scree_context_meets(context, scree_context_judge(context, p, s));
}

// p: the limit of less and less softness, from nothing
static bool find_least(scree_solver_context *context, scree_path *path, double *centre, double *p,
                       double *s) {
    size_t n = (size_t)context->problem->contacts * (size_t)context->problem->dimension;
    memset(centre, 0, n * sizeof *centre);
    memset(p, 0, n * sizeof *p);
    for (size_t k = 0; k < sizeof softness / sizeof *softness; k++)
        if (!scree_path_follow(path, centre, softness[k], CHANGES, p)) return false;
    return converge(context, path, centre, p, s);
}

typedef struct answers {
    scree_solver_context *context;
    scree_path *path;
    size_t n;
    double *centre, *s;
    double *least, *other;
} answers;

static bool prepare(answers *now, scree_solver_context *context) {
    size_t n = (size_t)context->problem->contacts * (size_t)context->problem->dimension;
    scree_block_lu *lu = scree_block_lu_new(context->problem, INT_MAX, context->arena);
    *now = (answers){ .context = context,
                      .path = lu ? scree_path_new(context, lu) : NULL,
                      .n = n,
                      .centre = SCREE_NEW(context->arena, double, n),
                      .s = SCREE_NEW(context->arena, double, n),
                      .least = SCREE_NEW(context->arena, double, n),
                      .other = SCREE_NEW(context->arena, double, n) };
    return now->path && now->centre && now->s && now->least && now->other;
}

// Contacts that bear nothing in one answer may bear something in another: one is sought that is
// near large impulses. at: the middle of all that are known
static void widen(answers *now, linearisation *at) {
    int d = at->d;
    double size = 0;
    for (size_t k = 0; k < now->n; k++) size = fmax(size, fabs(now->least[k]));
    memcpy(now->other, now->least, now->n * sizeof *now->other);
    for (int i = 0; i < at->rows.problem->contacts; i++)
        if (at->rows.active[i] && !at->rows.of[i].free) now->other[i * d] += size;
    bool found = converge(now->context, now->path, now->centre, now->other, now->s);
    for (size_t k = 0; k < now->n; k++)
        at->rows.p[k] = found ? (now->context->p[k] + now->least[k] + now->other[k]) / 3
                              : (now->context->p[k] + now->least[k]) / 2;
    scree_problem_velocity(at->rows.problem, at->rows.p, at->rows.s);
}

// Is there slip, and more than one contact beside it? Nothing else can be moved by a self-stress.
// s: velocities of all, of which these contacts are looked at
static bool may_move(const double *s, int d, const int *contact, int count, double small) {
    int closed = 0;
    bool slips = false;
    for (int k = 0; k < count; k++) {
        const double *one = s + (size_t)(contact ? contact[k] : k) * (size_t)d;
        if (one[0] > small) continue;
        closed++;
        for (int c = 1; c < d; c++) slips = slips || fabs(one[c]) > small;
    }
    return slips && closed > 1;
}

// Do any two closed contacts act on each other? A self-stress is of several.
static bool are_coupled(const scree_problem *problem, const double *s, double small) {
    size_t d = (size_t)problem->dimension;
    for (int i = 0; i < problem->contacts; i++)
        for (int b = problem->row[i]; s[d * (size_t)i] <= small && b < problem->row[i + 1]; b++) {
            int j = problem->column[b];
            if (j != i && s[d * (size_t)j] <= small) return true;
        }
    return false;
}

bool scree_unique_matters(const scree_problem *problem, const double *s) {
    double small = scree_unique_nothing(problem, 0);
    return may_move(s, problem->dimension, NULL, problem->contacts, small) &&
           are_coupled(problem, s, small);
}

// the least of all answers into context->p; the freedom, now that more is known of it
static int exchange(scree_solver_context *context, linearisation *at, bool asked, int freedom,
                    int most) {
    scree_report *report = context->report, before = *report;
    answers now;
    bool is_weak, moving;
    if (!prepare(&now, context)) return freedom;
    bool found = find_least(context, now.path, now.centre, now.least, now.s);
    if (found && asked && most > freedom) {
        widen(&now, at);
        freedom = freedom_of(at, false, &is_weak, &moving);
        if (freedom == 0) report->unique = SCREE_UNIQUE;
        before.unique = report->unique;
    }
    *report = before;  // what a caller counts is the way to a solution
    report->least = found;
    if (found) memcpy(context->p, now.least, now.n * sizeof *now.least);
    return freedom;
}

// one island; its part of the answer is in context->p
static void settle(scree_solver_context *context, bool asked) {
    scree_report *report = context->report;
    bool is_weak, moving, weak_moving = false;
    linearisation at;
    report->unique = SCREE_UNIQUE_UNKNOWN;
    report->freedom = 0;
    report->least = false;
    if (!draw(&at, context)) return;
    int freedom = freedom_of(&at, false, &is_weak, &moving), most = freedom;
    if (is_weak) most = freedom_of(&at, true, &is_weak, &weak_moving);
    if (most == 0) report->unique = SCREE_UNIQUE;
    if (moving || weak_moving || (asked && most > 0))
        freedom = exchange(context, &at, asked, freedom, most);
    report->freedom = freedom;
    if (freedom > 0) report->unique = SCREE_NOT_UNIQUE;
}

static void copy_contacts(double *to, const double *from, const int *contact, int count, int d,
                          bool out) {
    for (int k = 0; k < count; k++) {
        size_t whole = (size_t)contact[k] * (size_t)d, part = (size_t)k * (size_t)d;
        memcpy(to + (out ? whole : part), from + (out ? part : whole), (size_t)d * sizeof *to);
    }
}

static bool settle_island(scree_solver_context *context, const scree_islands *islands, int k,
                          bool asked) {
    const int *contact = islands->contact + islands->first[k];
    int count = islands->first[k + 1] - islands->first[k], d = context->problem->dimension;
    scree_arena_mark mark = scree_arena_mark_of(context->arena);
    scree_solver_options options = *context->options;
    scree_problem problem;
    scree_solver_context part = *context;
    options.tolerance *= sqrt((double)count / context->problem->contacts);
    part.options = &options;
    part.problem = &problem;
    part.p = SCREE_NEW(context->arena, double, ((size_t)count * (size_t)d));
    bool fine =
        part.p && scree_islands_extract(context->problem, islands, k, context->arena, &problem);
    if (fine) {
        copy_contacts(part.p, context->p, contact, count, d, false);
        settle(&part, asked);
        copy_contacts(context->p, part.p, contact, count, d, true);
    }
    scree_arena_release(context->arena, mark);
    return fine;
}

// freedoms add up, and one island that nothing is known of leaves all unknown
static void settle_islands(scree_solver_context *context, const double *s, bool asked) {
    scree_report *report = context->report;
    double small = scree_unique_nothing(context->problem, 0);
    int freedom = 0;
    bool known = true, least = true;
    scree_islands islands;
    if (!scree_islands_find(context->problem, context->arena, &islands)) return;
    for (int k = 0; k < islands.count; k++) {
        const int *contact = islands.contact + islands.first[k];
        int count = islands.first[k + 1] - islands.first[k];
        bool wanted = asked || may_move(s, context->problem->dimension, contact, count, small);
        report->unique = SCREE_UNIQUE_UNKNOWN;
        report->freedom = 0;
        if (wanted && count <= (asked ? MANY : SCREE_UNIQUE_FEW))
            settle_island(context, &islands, k, asked);
        freedom += report->freedom;
        known = known && report->unique != SCREE_UNIQUE_UNKNOWN;
        least = least && (report->least || report->unique == SCREE_UNIQUE);
    }
    report->least = least;
    report->freedom = freedom;
    report->unique = freedom > 0 ? SCREE_NOT_UNIQUE : known ? SCREE_UNIQUE : SCREE_UNIQUE_UNKNOWN;
}

void scree_unique_settle(scree_solver_context *context) {
    const scree_problem *problem = context->problem;
    int nc = problem->contacts, d = problem->dimension;
    size_t n = (size_t)nc * (size_t)d;
    if (context->settled && !context->options->least) return;
    const char *solver = context->report->solver;  // two end in any answer, however large
    bool asked =
        context->options->least || strcmp(solver, "enumerate") == 0 || strcmp(solver, "lemke") == 0;
    if (!context->report->converged || (!asked && (nc < 2 || nc > LARGE || problem->limit))) return;
    if (!asked && scree_context_is_zero(context)) return;  // there is nothing less
    double *s = SCREE_NEW(context->arena, double, n), *given = SCREE_NEW(context->arena, double, n);
    if (!s || !given) return;
    memcpy(given, context->p, n * sizeof *given);
    scree_problem_velocity(problem, given, s);
    if (!asked && !scree_unique_matters(problem, s)) return;
    if (nc > SCREE_UNIQUE_FEW)
        settle_islands(context, s, asked);
    else
        settle(context, asked);
    if (memcmp(given, context->p, n * sizeof *given) == 0) return;
    scree_residual residual = scree_context_judge(context, context->p, s);
    if (scree_context_meets(context, residual)) {
        context->report->residual = residual;
        return;
    }
    context->report->least = false;
    memcpy(context->p, given, n * sizeof *given);
}
