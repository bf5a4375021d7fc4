// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// bodies.c - W = H A H^T by bodies, never built: s = H (A (H^T p)) + b, and W_ii.
// in: H in blocks or by frames, A by parts.   out: s, W_ii.   work: one vector of velocities.

#include "law/bodies.h"

#include <math.h>
#include <string.h>

#include "base/space.h"

// -------------------------------------------------------------------------------------------------
// rows of H

void scree_bodies_planar(const double normal[2], const double arm[2], double sign, int dimension,
                         double *H) {
    double nx = normal[0], ny = normal[1];
    const double row[2][2] = { { nx, ny }, { -ny, nx } };
    memset(H, 0, (size_t)dimension * 3 * sizeof *H);
    for (int k = 0; k < 2; k++) {
        H[3 * k] = sign * row[k][0];
        H[3 * k + 1] = sign * row[k][1];
        H[3 * k + 2] = sign * (arm[0] * row[k][1] - arm[1] * row[k][0]);
    }
}

static inline __attribute__((always_inline)) void spatial_rows(const double normal[3],
                                                               const double tangent[3],
                                                               const double arm[3], double sign,
                                                               int dimension, double *H) {
    double axis[3][3];
    memcpy(axis[0], normal, sizeof axis[0]);
    memcpy(axis[1], tangent, sizeof axis[1]);
    scree_cross(normal, tangent, axis[2]);
    for (int k = 0; k < dimension; k++) {
        double *row = H + 6 * (long)k;
        const double *along = axis[k < 3 ? k : k - 2];
        double about[3];
        scree_cross(arm, along, about);
        for (int c = 0; c < 3; c++) {
            row[c] = k < 3 ? sign * along[c] : 0;
            row[3 + c] = sign * (k < 3 ? about[c] : along[c]);
        }
    }
}

void scree_bodies_spatial(const double normal[3], const double tangent[3], const double arm[3],
                          double sign, int dimension, double *H) {
    spatial_rows(normal, tangent, arm, sign, dimension, H);
}

static inline void arm_of(const scree_bodies *bodies, int i, int side, int body, double arm[3]) {
    if (bodies->arm) {
        memcpy(arm, bodies->arm + 6 * (size_t)i + 3 * (size_t)side, 3 * sizeof *arm);
        return;
    }
    double length = bodies->radius[body] * (bodies->arm_ratio ? bodies->arm_ratio[i] : 1);
    for (int k = 0; k < 3; k++)
        arm[k] = (side ? length : -length) * bodies->frame[9 * (size_t)i + (size_t)k];
}

// Most contacts are of bodies in space, given by frames, with three rows: loops over them have the
// sizes 3 and 6 known when compiling. The order of the sums is that of the others.
enum { ROWS = 3, WIDTH = 6 };

static bool has_frames(const scree_problem *problem) {
    return !problem->bodies->block && problem->bodies->width == WIDTH && problem->dimension == ROWS;
}

// H of one side of contact i by its frame; false for what is fixed
static inline __attribute__((always_inline)) bool frame_rows(const scree_bodies *bodies, int i,
                                                             int side, double *H, int *body) {
    const double *frame = bodies->frame + 9 * (size_t)i;
    double arm[3];
    *body = bodies->body[2 * (size_t)i + (size_t)side];
    if (*body < 0) return false;
    arm_of(bodies, i, side, *body, arm);
    spatial_rows(frame, frame + 3, arm, side ? -1 : 1, ROWS, H);
    return true;
}

int scree_bodies_rows(const scree_problem *problem, int i, scree_frame_rows *room,
                      const scree_jacobian_block **block) {
    const scree_bodies *bodies = problem->bodies;
    if (bodies->block) {
        *block = bodies->block + bodies->first[i];
        return bodies->first[i + 1] - bodies->first[i];
    }
    int count = 0;
    const double *frame = bodies->frame + 9 * (size_t)i;
    for (int side = 0; side < 2; side++) {
        int body = bodies->body[2 * (size_t)i + (size_t)side];
        double arm[3], *H = room->H[count];
        if (body < 0) continue;
        arm_of(bodies, i, side, body, arm);
        if (bodies->width == 3)
            scree_bodies_planar(frame, arm, side ? -1 : 1, problem->dimension, H);
        else
            scree_bodies_spatial(frame, frame + 3, arm, side ? -1 : 1, problem->dimension, H);
        room->block[count++] = (scree_jacobian_block){ .part = body, .H = H };
    }
    *block = room->block;
    return count;
}

// -------------------------------------------------------------------------------------------------
// A

bool scree_bodies_moves(const scree_bodies *bodies, int part) {
    if (part >= bodies->rigid) return true;
    int numbers = bodies->width == 3 ? 2 : 7;
    const double *inverse = bodies->inverse + (size_t)part * (size_t)numbers;
    for (int k = 0; k < numbers; k++)
        if (inverse[k] != 0) return true;
    return false;
}

int scree_bodies_dofs(const scree_bodies *bodies) {
    int dofs = bodies->rigid * bodies->width;
    for (int k = 0; k < bodies->parts; k++) {
        int end = bodies->part[k].dof + bodies->part[k].width;
        if (end > dofs) dofs = end;
    }
    return dofs;
}

// x = A x of a rigid body
static void solve_rigid(const scree_bodies *bodies, int body, double *x) {
    if (bodies->width == 3) {
        const double *inverse = bodies->inverse + 2 * (size_t)body;
        x[0] *= inverse[0];
        x[1] *= inverse[0];
        x[2] *= inverse[1];
        return;
    }
    const double *inverse = bodies->inverse + 7 * (size_t)body;
    double spin[3];
    scree_symmetric(inverse + 1, x + 3, spin);
    for (int k = 0; k < 3; k++) {
        x[k] *= inverse[0];
        x[3 + k] = spin[k];
    }
}

void scree_bodies_spread(const scree_bodies *bodies, const scree_jacobian_block *block,
                         int dimension, double *Y) {
    int width = scree_bodies_width(bodies, block->part);
    size_t size = (size_t)dimension * (size_t)width;
    if (!block->columns) {
        memcpy(Y, block->H, size * sizeof *Y);
    } else {
        memset(Y, 0, size * sizeof *Y);
        for (int r = 0; r < dimension; r++)
            for (int c = 0; c < block->columns; c++)
                Y[r * width + block->column[c]] = block->H[r * block->columns + c];
    }
    for (int r = 0; r < dimension; r++) {
        double *y = Y + (size_t)r * (size_t)width;
        if (block->part < bodies->rigid) {
            solve_rigid(bodies, block->part, y);
        } else {
            const scree_part_inverse *part = &bodies->part[block->part - bodies->rigid];
            part->solve(part->self, y);
        }
    }
}

// Columns of contact i, as those of its neighbours lie side by side in them; with sizes that the
// compiler knows.
static inline __attribute__((always_inline)) void couple_columns(const scree_part_inverse *part,
                                                                 const scree_jacobian_block *i,
                                                                 const scree_jacobian_block *j,
                                                                 int dimension, int of_i, int of_j,
                                                                 double *W) {
    for (int a = 0; a < of_i; a++) {
        const double *column = part->column(part->self, i->column[a]);
        double moved[SCREE_ROWS_MOST] = { 0 };
        for (int b = 0; b < of_j; b++)
            for (int c = 0; c < dimension; c++)
                moved[c] += column[j->column[b]] * j->H[c * of_j + b];
        for (int r = 0; r < dimension; r++)
            for (int c = 0; c < dimension; c++)
                W[r * dimension + c] += i->H[r * of_i + a] * moved[c];
    }
}

// W += H_i Y^T, with sizes that the compiler knows
static inline __attribute__((always_inline)) void couple_spread(const double *H, const double *Y,
                                                                int dimension, int width,
                                                                double *W) {
    for (int r = 0; r < dimension; r++)
        for (int c = 0; c < dimension; c++) {
            double sum = 0;
            for (int k = 0; k < width; k++) sum += H[r * width + k] * Y[c * width + k];
            W[r * dimension + c] += sum;
        }
}

// the same for a contact that has some columns of a part only
static void couple_some(const scree_jacobian_block *i, const double *Y, int dimension, int width,
                        double *W) {
    for (int r = 0; r < dimension; r++)
        for (int c = 0; c < dimension; c++) {
            double sum = 0;
            for (int k = 0; k < i->columns; k++)
                sum += i->H[r * i->columns + k] * Y[c * width + i->column[k]];
            W[r * dimension + c] += sum;
        }
}

void scree_bodies_couple(const scree_bodies *bodies, const scree_jacobian_block *i,
                         const scree_jacobian_block *j, const double *Y, int dimension, double *W) {
    int width = scree_bodies_width(bodies, i->part);
    const scree_part_inverse *part =
        i->part < bodies->rigid ? NULL : &bodies->part[i->part - bodies->rigid];
    if (part && part->column) {
        if (dimension == 2 && i->columns == 2 && j->columns == 2)
            couple_columns(part, i, j, 2, 2, 2, W);
        else if (dimension == 3 && i->columns == 3 && j->columns == 3)
            couple_columns(part, i, j, 3, 3, 3, W);
        else
            couple_columns(part, i, j, dimension, i->columns, j->columns, W);
    } else if (i->columns) {
        couple_some(i, Y, dimension, width, W);
    } else if (dimension == 2 && width == 3) {
        couple_spread(i->H, Y, 2, 3, W);
    } else if (dimension == 3 && width == 6) {
        couple_spread(i->H, Y, 3, 6, W);
    } else {
        couple_spread(i->H, Y, dimension, width, W);
    }
}

scree_status scree_bodies_require(const scree_bodies *bodies,
                                  const scree_jacobian_block *const *block, int count,
                                  scree_arena *arena, scree_error *err) {
    if (!count || block[0]->part < bodies->rigid) return SCREE_OK;
    const scree_part_inverse *part = &bodies->part[block[0]->part - bodies->rigid];
    int columns = 0;
    if (!part->require) return SCREE_OK;
    for (int e = 0; e < count; e++) columns += block[e]->columns;
    int *column = SCREE_NEW(arena, int, columns);
    if (!column) return scree_fail_memory(err, "a problem of contacts");
    columns = 0;
    for (int e = 0; e < count; e++)
        for (int c = 0; c < block[e]->columns; c++) column[columns++] = block[e]->column[c];
    return part->require(part->self, column, columns, err);
}

// -------------------------------------------------------------------------------------------------
// products

static void push_frames(const scree_problem *problem, const double *p, double *x) {
    for (int i = 0; i < problem->contacts; i++)
        for (int side = 0, body; side < 2; side++) {
            double H[ROWS * WIDTH];
            if (!frame_rows(problem->bodies, i, side, H, &body)) continue;
            double *own = x + (size_t)WIDTH * (size_t)body;
            const double *pi = p + (size_t)ROWS * (size_t)i;
            for (int r = 0; r < ROWS; r++)
                for (int c = 0; c < WIDTH; c++) own[c] += H[r * WIDTH + c] * pi[r];
        }
}

static void see_frames(const scree_problem *problem, const double *x, double *s) {
    for (int i = 0; i < problem->contacts; i++)
        for (int side = 0, body; side < 2; side++) {
            double H[ROWS * WIDTH];
            if (!frame_rows(problem->bodies, i, side, H, &body)) continue;
            const double *own = x + (size_t)WIDTH * (size_t)body;
            double *si = s + (size_t)ROWS * (size_t)i;
            for (int r = 0; r < ROWS; r++)
                for (int c = 0; c < WIDTH; c++) si[r] += H[r * WIDTH + c] * own[c];
        }
}

// x += H^T p of all contacts; size, if it is there: the same of the sizes of what is added
static void push(const scree_problem *problem, const double *p, double *x, double *size) {
    const scree_bodies *bodies = problem->bodies;
    int d = problem->dimension;
    scree_frame_rows room;
    const scree_jacobian_block *block;
    if (!size && has_frames(problem)) {
        push_frames(problem, p, x);
        return;
    }
    for (int i = 0; i < problem->contacts; i++) {
        const double *pi = p + (size_t)i * (size_t)d;
        int count = scree_bodies_rows(problem, i, &room, &block);
        for (int k = 0; k < count; k++) {
            int dof = scree_bodies_dof(bodies, block[k].part);
            int columns =
                block[k].columns ? block[k].columns : scree_bodies_width(bodies, block[k].part);
            for (int r = 0; r < d; r++)
                for (int c = 0; c < columns; c++) {
                    int at = dof + (block[k].columns ? block[k].column[c] : c);
                    x[at] += block[k].H[r * columns + c] * pi[r];
                    if (size) size[at] += fabs(block[k].H[r * columns + c] * pi[r]);
                }
        }
    }
}

// s += H x of all contacts
static void see(const scree_problem *problem, const double *x, double *s) {
    const scree_bodies *bodies = problem->bodies;
    int d = problem->dimension;
    scree_frame_rows room;
    const scree_jacobian_block *block;
    if (has_frames(problem)) {
        see_frames(problem, x, s);
        return;
    }
    for (int i = 0; i < problem->contacts; i++) {
        double *si = s + (size_t)i * (size_t)d;
        int count = scree_bodies_rows(problem, i, &room, &block);
        for (int k = 0; k < count; k++) {
            const double *own = x + scree_bodies_dof(bodies, block[k].part);
            int columns =
                block[k].columns ? block[k].columns : scree_bodies_width(bodies, block[k].part);
            for (int r = 0; r < d; r++)
                for (int c = 0; c < columns; c++)
                    si[r] += block[k].H[r * columns + c] *
                             own[block[k].columns ? block[k].column[c] : c];
        }
    }
}

// x = A x of a part by those of its columns that x asks for
static bool solve_by_columns(const scree_part_inverse *part, double *x, scree_arena *arena) {
    int count = 0;
    int *column = SCREE_NEW(arena, int, part->width);
    double *y = SCREE_NEW(arena, double, part->width);
    if (!column || !y) return false;
    for (int c = 0; c < part->width; c++)
        if (x[c] != 0) column[count++] = c;
    if (part->require && part->require(part->self, column, count, NULL)) return false;
    for (int k = 0; k < count; k++) {
        const double *A = part->column(part->self, column[k]);
        for (int c = 0; c < part->width; c++) y[c] += A[c] * x[column[k]];
    }
    memcpy(x, y, (size_t)part->width * sizeof *x);
    return true;
}

bool scree_bodies_velocity(const scree_problem *problem, const double *p, double *s,
                           scree_arena *arena) {
    const scree_bodies *bodies = problem->bodies;
    double *x = SCREE_NEW(arena, double, scree_bodies_dofs(bodies));
    if (!x) return false;
    push(problem, p, x, NULL);
    for (int k = 0; k < bodies->rigid; k++)
        solve_rigid(bodies, k, x + (size_t)k * (size_t)bodies->width);
    for (int k = 0; k < bodies->parts; k++) {
        const scree_part_inverse *part = &bodies->part[k];
        if (!part->column)
            part->solve(part->self, x + part->dof);
        else if (!solve_by_columns(part, x + part->dof, arena))
            return false;
    }
    size_t n = (size_t)problem->contacts * (size_t)problem->dimension;
    memcpy(s, problem->b, n * sizeof *s);
    for (size_t k = 0; problem->compliance && k < n; k++) s[k] += problem->compliance[k] * p[k];
    see(problem, x, s);
    return true;
}

bool scree_bodies_balance(const scree_problem *problem, const double *p, bool *balanced,
                          scree_arena *arena) {
    static const double most = 1e-3, noise = 1e-6;  // of a sum's own size; of the largest
    const scree_bodies *bodies = problem->bodies;
    int dofs = scree_bodies_dofs(bodies);
    double *x = SCREE_NEW(arena, double, dofs), *size = SCREE_NEW(arena, double, dofs), largest = 0;
    if (!x || !size) return false;
    push(problem, p, x, size);
    for (int k = 0; k < dofs; k++) largest = fmax(largest, size[k]);
    *balanced = true;
    for (int k = 0; k < dofs; k++) {
        int body = bodies->width ? k / bodies->width : 0;
        bool kept = body < bodies->rigid && !scree_bodies_moves(bodies, body);
        if (!kept && fabs(x[k]) > most * size[k] + noise * largest) *balanced = false;
    }
    return true;
}

static void soften(const scree_problem *problem, int i, double *own) {
    int d = problem->dimension;
    for (int k = 0; problem->compliance && k < d; k++)
        own[k * (d + 1)] += problem->compliance[i * d + k];
}

// W_ii of a contact by its frame: of each side 1/m and, with a = arm x axis, a . J^-1 a
static void own_block(const scree_bodies *bodies, int i, double W[ROWS * ROWS]) {
    const double *frame = bodies->frame + 9 * (size_t)i;
    double axis[ROWS][3], mass = 0, turning[ROWS][ROWS] = { 0 };
    memcpy(axis, frame, 6 * sizeof(double));
    scree_cross(frame, frame + 3, axis[2]);
    for (int side = 0; side < 2; side++) {
        int body = bodies->body[2 * (size_t)i + (size_t)side];
        double arm[3], about[ROWS][3], spin[3];
        if (body < 0) continue;
        const double *inverse = bodies->inverse + 7 * (size_t)body;
        arm_of(bodies, i, side, body, arm);
        mass += inverse[0];
        for (int r = 0; r < ROWS; r++) {
            scree_cross(arm, axis[r], about[r]);
            scree_symmetric(inverse + 1, about[r], spin);
            for (int c = 0; c <= r; c++) turning[r][c] += scree_dot(about[c], spin);
        }
    }
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c <= r; c++)
            W[ROWS * r + c] = W[ROWS * c + r] = mass * scree_dot(axis[r], axis[c]) + turning[r][c];
}

static void diagonal_by_frames(const scree_problem *problem, const bool *asked, double *W) {
    for (int i = 0; i < problem->contacts; i++) {
        if (asked && !asked[i]) continue;
        own_block(problem->bodies, i, W);
        soften(problem, i, W);
        W += ROWS * ROWS;
    }
}

bool scree_bodies_diagonal(const scree_problem *problem, const bool *asked, double *W,
                           scree_arena *arena) {
    const scree_bodies *bodies = problem->bodies;
    int d = problem->dimension, widest = bodies->width;
    if (has_frames(problem)) {
        diagonal_by_frames(problem, asked, W);
        return true;
    }
    for (int k = 0; k < bodies->parts; k++)
        if (bodies->part[k].width > widest) widest = bodies->part[k].width;
    double *Y = SCREE_NEW(arena, double, ((size_t)d * (size_t)widest));
    if (!Y) return false;
    scree_frame_rows room;
    const scree_jacobian_block *block;
    for (int i = 0, at = 0; i < problem->contacts; i++) {
        if (asked && !asked[i]) continue;
        double *own = W + (size_t)at++ * (size_t)(d * d);
        int count = scree_bodies_rows(problem, i, &room, &block);
        memset(own, 0, (size_t)(d * d) * sizeof *own);
        for (int k = 0; k < count; k++) {
            const scree_jacobian_block *one = &block[k];
            bool columns =
                one->part >= bodies->rigid && bodies->part[one->part - bodies->rigid].column;
            if (columns && scree_bodies_require(bodies, &one, 1, arena, NULL)) return false;
            if (!columns) scree_bodies_spread(bodies, one, d, Y);
            scree_bodies_couple(bodies, one, one, Y, d, own);
        }
        soften(problem, i, own);
    }
    return true;
}

void scree_problem_offset(const scree_problem *problem, double *b) {
    const scree_bodies *bodies = problem->bodies;
    size_t bytes = (size_t)problem->contacts * (size_t)problem->dimension * sizeof *b;
    if (bodies->w)
        memcpy(b, bodies->w, bytes);
    else
        memset(b, 0, bytes);
    if (bodies->v_free) see(problem, bodies->v_free, b);
}

// is b of contact i what its parts make of it, within rounding?
static bool fits(const scree_problem *problem, int i) {
    const scree_bodies *bodies = problem->bodies;
    const scree_jacobian_block *block;
    scree_frame_rows room;
    int d = problem->dimension, count = scree_bodies_rows(problem, i, &room, &block);
    for (int r = 0; r < d; r++) {
        size_t at = (size_t)i * (size_t)d + (size_t)r;
        double sum = bodies->w ? bodies->w[at] : 0, size = fabs(sum) + fabs(problem->b[at]);
        for (int k = 0; bodies->v_free && k < count; k++) {
            const double *own = bodies->v_free + scree_bodies_dof(bodies, block[k].part);
            int columns =
                block[k].columns ? block[k].columns : scree_bodies_width(bodies, block[k].part);
            for (int c = 0; c < columns; c++) {
                double part =
                    block[k].H[r * columns + c] * own[block[k].columns ? block[k].column[c] : c];
                sum += part;
                size += fabs(part);
            }
        }
        if (fabs(sum - problem->b[at]) > 1e-6 * size) return false;
    }
    return true;
}

// are there the bodies of contact i? Whoever lays them out says which one is not.
static bool has_bodies(const scree_bodies *bodies, int i) {
    const int *body = bodies->body;  // NULL: by blocks
    return !body ||
           (body[2 * (size_t)i] < bodies->rigid && body[2 * (size_t)i + 1] < bodies->rigid);
}

int scree_bodies_misfit(const scree_problem *problem) {
    enum { MANY = 1000 };
    int stride = 1 + problem->contacts / MANY;
    for (int i = 0; problem->b && i < problem->contacts; i += stride)
        if (has_bodies(problem->bodies, i) && !fits(problem, i)) return i;
    return -1;
}
