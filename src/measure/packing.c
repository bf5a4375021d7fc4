// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// packing.c - stress, fabric, neighbours and forces of a packing at one moment.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/space.h"
#include "measure/moment.h"

// --- stress -------------------------------------------------------------------------------------

// the cell that holds x, -1: none
static long cell_of(const scree_region *region, int space, const int count[3], const double *x) {
    long cell = 0, stride = 1;
    if (!scree_region_holds(region, space, x)) return -1;
    for (int k = 0; k < space; k++) {
        double wide = region->high[k] - region->low[k];
        int at = wide > 0 ? (int)(count[k] * ((x[k] - region->low[k]) / wide)) : 0;
        cell += stride * (at < count[k] ? at : count[k] - 1);
        stride *= count[k];
    }
    return cell;
}

static void add_side(const scree_moment *moment, const scree_region *region, const int count[3],
                     int body, const scree_contact *contact, const double force[3], double sign,
                     scree_cell_stress *cell) {
    int space = moment->model->space;
    if (!scree_moment_grain(moment, body)) return;
    double centre[3], arm[3];
    scree_moment_place(moment, body, centre);
    long at = cell_of(region, space, count, centre);
    if (at < 0) return;
    scree_moment_arm(moment, contact, body, arm);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) cell[at].stress[3 * i + j] += sign * force[i] * arm[j];
}

void scree_measure_stress(const scree_moment *moment, const scree_region *region,
                          const int count[3], scree_cell_stress *cell) {
    int space = moment->model->space;
    long cells = (long)count[0] * count[1] * (space == 3 ? count[2] : 1);
    double volume = scree_region_volume(region, space) / (double)cells;
    for (long i = 0; i < cells; i++) cell[i] = (scree_cell_stress){ .volume = volume };
    for (int i = 0; i < moment->model->bodies; i++) {
        if (!scree_moment_grain(moment, i)) continue;
        double centre[3];
        scree_moment_place(moment, i, centre);
        long at = cell_of(region, space, count, centre);
        if (at >= 0) cell[at].bodies++;
    }
    for (int i = 0; i < moment->contacts; i++) {
        const scree_contact *contact = scree_moment_contact(moment, i);
        double force[3];
        if (!scree_moment_bears(moment, contact)) continue;
        scree_moment_force(moment, i, force);
        add_side(moment, region, count, contact->a, contact, force, 1, cell);
        add_side(moment, region, count, contact->b, contact, force, -1, cell);
    }
    for (long i = 0; i < cells; i++) {
        double trace = 0;
        for (int k = 0; k < 9; k++) cell[i].stress[k] /= volume;
        for (int k = 0; k < space; k++) trace += cell[i].stress[4 * k];
        cell[i].pressure = -trace / space;
    }
}

// --- fabric -------------------------------------------------------------------------------------

// eigenvalues and unit vectors of the symmetric A (3 x 3), by Jacobi's rotations; A is used up
static void principal_axes(double A[9], double value[3], double vector[9]) {
    enum { SWEEPS = 30 };
    double V[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) {
                double off = A[3 * p + q];
                if (off == 0) continue;
                double ratio = (A[4 * q] - A[4 * p]) / (2 * off);
                double t = copysign(1, ratio) / (fabs(ratio) + sqrt(1 + ratio * ratio));
                double c = 1 / sqrt(1 + t * t), s = t * c;
                for (int k = 0; k < 3; k++) {
                    double x = A[3 * k + p], y = A[3 * k + q];
                    A[3 * k + p] = c * x - s * y;
                    A[3 * k + q] = s * x + c * y;
                }
                for (int k = 0; k < 3; k++) {
                    double x = A[3 * p + k], y = A[3 * q + k];
                    A[3 * p + k] = c * x - s * y;
                    A[3 * q + k] = s * x + c * y;
                    x = V[3 * p + k], y = V[3 * q + k];
                    V[3 * p + k] = c * x - s * y;
                    V[3 * q + k] = s * x + c * y;
                }
            }
    int order[3] = { 0, 1, 2 };
    for (int i = 0; i < 2; i++)
        for (int j = i + 1; j < 3; j++)
            if (A[4 * order[j]] > A[4 * order[i]]) {
                int swap = order[i];
                order[i] = order[j];
                order[j] = swap;
            }
    for (int i = 0; i < 3; i++) {
        value[i] = A[4 * order[i]];
        memcpy(vector + 3 * (long)i, V + 3 * (long)order[i], 3 * sizeof *V);
    }
}

// normal forces of the region's contacts, and the sum of n (x) n
static void gather(const scree_moment *moment, const scree_region *region, scree_fabric *fabric,
                   double *force) {
    for (int i = 0; i < moment->contacts; i++) {
        const scree_contact *contact = scree_moment_contact(moment, i);
        const double *n = contact->normal;
        double all[3];
        if (!scree_moment_bears(moment, contact) ||
            !scree_region_holds(region, moment->model->space, contact->point))
            continue;
        force[fabric->contacts++] = scree_moment_force(moment, i, all);
        for (int k = 0; k < 9; k++) fabric->tensor[k] += n[k / 3] * n[k % 3];
    }
}

scree_status scree_measure_fabric(const scree_moment *moment, const scree_region *region,
                                  scree_fabric *fabric, scree_error *err) {
    static const double share[5] = { 0.1, 0.25, 0.5, 0.75, 0.9 };
    double *force = malloc(sizeof *force * (size_t)(moment->contacts + 1));
    *fabric = (scree_fabric){ 0 };
    if (!force) return scree_fail_memory(err, "a measure");
    gather(moment, region, fabric, force);
    int count = fabric->contacts;
    if (count) {
        double A[9], sum = 0;
        for (int k = 0; k < 9; k++) A[k] = fabric->tensor[k] /= count;
        principal_axes(A, fabric->principal, fabric->direction);
        fabric->anisotropy = fabric->principal[0] - fabric->principal[moment->model->space - 1];
        qsort(force, (size_t)count, sizeof *force, scree_order_doubles);
        for (int i = 0; i < count; i++) sum += force[i];
        fabric->force_mean = sum / count;
        fabric->force_max = force[count - 1];
        for (int k = 0; k < 5; k++) fabric->quantile[k] = force[(int)(share[k] * (count - 1))];
    }
    free(force);
    return SCREE_OK;
}

// --- neighbours ---------------------------------------------------------------------------------

typedef struct body_pair {
    int a, b;
} body_pair;

static int by_bodies(const void *x, const void *y) {
    const body_pair *p = x, *q = y;
    return p->a != q->a ? (p->a > q->a) - (p->a < q->a) : (p->b > q->b) - (p->b < q->b);
}

static int pairs_that_bear(const scree_moment *moment, body_pair *pair) {
    int count = 0;
    for (int i = 0; i < moment->contacts; i++) {
        const scree_contact *c = scree_moment_contact(moment, i);
        if (!scree_moment_bears(moment, c)) continue;
        pair[count++] = c->a < c->b ? (body_pair){ c->a, c->b } : (body_pair){ c->b, c->a };
    }
    qsort(pair, (size_t)count, sizeof *pair, by_bodies);
    return count;
}

static void count_neighbours(const scree_moment *moment, const scree_region *region,
                             const int *neighbour, scree_coordination *found) {
    long sum = 0;
    for (int i = 0; i < moment->model->bodies; i++) {
        double centre[3];
        if (!scree_moment_grain(moment, i)) continue;
        scree_moment_place(moment, i, centre);
        if (!scree_region_holds(region, moment->model->space, centre)) continue;
        found->bodies++;
        found->floating += neighbour[i] == 0;
        found->histogram[neighbour[i] < SCREE_NEIGHBOURS_MAX ? neighbour[i]
                                                             : SCREE_NEIGHBOURS_MAX]++;
        sum += neighbour[i];
    }
    int bearing = found->bodies - found->floating;
    found->mean = found->bodies ? (double)sum / found->bodies : 0;
    found->mean_bearing = bearing ? (double)sum / bearing : 0;
}

scree_status scree_measure_coordination(const scree_moment *moment, const scree_region *region,
                                        scree_coordination *found, scree_error *err) {
    body_pair *pair = malloc(sizeof *pair * (size_t)(moment->contacts + 1));
    int *neighbour = calloc((size_t)moment->model->bodies + 1, sizeof *neighbour);
    *found = (scree_coordination){ 0 };
    if (pair && neighbour) {
        found->contacts = pairs_that_bear(moment, pair);
        for (int i = 0; i < found->contacts; i++) {
            if (i && by_bodies(&pair[i], &pair[i - 1]) == 0) continue;
            found->pairs++;
            neighbour[pair[i].a]++;
            neighbour[pair[i].b]++;
        }
        count_neighbours(moment, region, neighbour, found);
    }
    bool fine = pair && neighbour;
    free(pair);
    free(neighbour);
    return fine ? SCREE_OK : scree_fail_memory(err, "a measure");
}

// --- forces on bodies ---------------------------------------------------------------------------

static bool is_called(const scree_model *model, int side, const char *name) {
    if (side < 0 || !scree_model_has_side(model, side)) return false;
    if (side >= model->bodies) return strcmp(scree_model_side_name(model, side), name) == 0;
    const scree_body *body = &model->body[side];
    return strcmp(body->name, name) == 0 ||
           (body->group > 0 && strcmp(model->group[body->group], name) == 0);
}

bool scree_measure_knows(const scree_model *model, const char *name) {
    for (int i = 0; i < model->bodies + model->elastics; i++)
        if (is_called(model, i, name)) return true;
    return false;
}

void scree_measure_force_on(const scree_moment *moment, const char *name, double force[3],
                            double torque[3]) {
    const scree_model *model = moment->model;
    int space = model->space;
    memset(force, 0, 3 * sizeof *force);
    memset(torque, 0, 3 * sizeof *torque);
    for (int i = 0; i < moment->contacts; i++) {
        const scree_contact *c = scree_moment_contact(moment, i);
        bool on_a = is_called(model, c->a, name), on_b = is_called(model, c->b, name);
        bool bears = c->status == SCREE_CONTACT_STICK || c->status == SCREE_CONTACT_SLIP;
        if (on_a == on_b || !bears) continue;
        int body = on_a ? c->a : c->b;
        bool single = body < model->bodies && strcmp(model->body[body].name, name) == 0;
        double own[3], arm[3] = { 0 }, turn[3];
        scree_moment_force(moment, i, own);
        for (int k = 0; k < 3; k++) {
            if (on_b) own[k] = -own[k];
            force[k] += own[k];
        }
        if (single)
            scree_moment_arm(moment, c, body, arm);
        else
            memcpy(arm, c->point, (size_t)space * sizeof *arm);
        scree_cross(arm, own, turn);
        for (int k = 0; k < 3; k++) torque[k] += turn[k];
    }
}
