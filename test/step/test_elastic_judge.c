// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_elastic_judge.c - a block of triangles that is shaken on the ground, once by scree and once
// by dense matrices of our own: the inverse of Mhat, Gauss-Seidel on W, and the sums of the ledger.
//
//     M (v' - v) + h K q_theta + h C v_theta - h F_theta = H^T p,   C = a M + b K
//
// written out row by row; what is held goes its way in q and v.

#include "scree/simulation.h"
#include "step/elastic_mesh.h"
#include "step/triangle_judge.h"

enum { COLUMNS = 5, ROWS = 4, NODES = (COLUMNS + 1) * (ROWS + 1), N = 2 * NODES, TOUCHING = 6 };

typedef struct path {  // a + b t + c t^2 + d sin(w t), displacement of what is held
    double a, b, c, d, w;
} path;

typedef struct sample {
    scree_scheme scheme;
    double theta, h, gravity[2], velocity[2];
    scree_material material;
    scree_law law;
    path top[2];
    double traction;  // on the left, along x
    double force[2];  // over the volume
    bool side;        // the left is held along x like the top, its lowest node touches
} sample;

static double path_at(const void *self, double t, double *rate) {
    const path *p = self;
    *rate = p->b + 2 * p->c * t + p->d * p->w * cos(p->w * t);
    return p->a + p->b * t + p->c * t * t + p->d * sin(p->w * t);
}

// -------------------------------------------------------------------------------------------------
// scree's side

// bottom nodes are at different heights, so that they do not touch all at once
static scree_mesh *rough_mesh(void) {
    scree_mesh *grid = shaken(
        grid_mesh(SCREE_T3, (double[]){ 0, 0 }, (double[]){ 1, 0.8 }, (int[]){ COLUMNS, ROWS }),
        0.04);
    double node[N];
    for (int i = 0; i < N; i++)
        node[i] = grid->node[i] + (i < 2 * TOUCHING && i % 4 == 1 ? uniform(0, 0.002) : 0);
    scree_mesh *mesh = remake(grid, node, NULL, NULL);
    scree_mesh_free(grid);
    return mesh;
}

static scree_model *build(const sample *one, const scree_mesh *mesh) {
    scree_error err = { 0 };
    scree_model *model = scree_model_new();
    scree_body ground = { .name = "ground", .fixed = true };
    scree_shape below = { .kind = SCREE_HALF_PLANE, .normal = { 0, 1 } };
    int top = scree_mesh_find(mesh, "top"), bottom = scree_mesh_find(mesh, "bottom");
    int left = scree_mesh_find(mesh, "left");
    scree_prescribed hold[3] = { { top, 0, { .at = path_at, .self = &one->top[0] } },
                                 { top, 1, { .at = path_at, .self = &one->top[1] } },
                                 { left, 0, { .at = path_at, .self = &one->top[0] } } };
    scree_traction traction = { .group = left, .value = { { .constant = one->traction } } };
    scree_elastic block = { .name = "block",
                            .mesh = mesh,
                            .material = one->material,
                            .holds = one->side ? 3 : 2,
                            .hold = hold,
                            .tractions = 1,
                            .traction = &traction,
                            .force = { { .constant = one->force[0] },
                                       { .constant = one->force[1] } },
                            .start = { .velocity = { one->velocity[0], one->velocity[1] } },
                            .contact_groups = 1,
                            .contact_group = &bottom,
                            .self_nodes = -1,
                            .self_facets = -1 };
    scree_model_set_gravity(model, one->gravity[0], one->gravity[1], 0);
    scree_status status = scree_model_add_body(model, &ground, &err);
    if (!status) status = scree_model_add_shape(model, &below, &err);
    if (!status) status = scree_model_add_elastic(model, &block, &err);
    if (!status) status = scree_model_add_law(model, -1, -1, one->law, &err);
    if (!status) status = scree_model_finish(model, &err);
    if (status) COMPLAIN("refused: %s", err.text);
    return model;
}

// -------------------------------------------------------------------------------------------------
// our side

typedef struct dense {
    double K[N * N], M[N * N], C[N * N], inverse[N * N];  // of Mhat, 0 where something is held
    double F[N], q[N], v[N], next_q[N], next_v[N];
    double node_y[TOUCHING], p[2 * TOUCHING];
    double u[2 * TOUCHING], next_u[2 * TOUCHING];
    bool held[N];
    int active, sweeps;
} dense;

static void invert(double *A, double *inverse) {  // Gauss-Jordan, A is positive definite
    for (int i = 0; i < N * N; i++) inverse[i] = i / N == i % N;
    for (int c = 0; c < N; c++) {
        double pivot = A[c * N + c];
        for (int k = 0; k < N; k++) {
            A[c * N + k] /= pivot;
            inverse[c * N + k] /= pivot;
        }
        for (int r = 0; r < N; r++) {
            double factor = r == c ? 0 : A[r * N + c];
            for (int k = 0; factor != 0 && k < N; k++) {
                A[r * N + k] -= factor * A[c * N + k];
                inverse[r * N + k] -= factor * inverse[c * N + k];
            }
        }
    }
}

static double form(const double *A, const double *x, const double *y) {
    double sum = 0;
    for (int i = 0; i < N * N; i++) sum += x[i / N] * A[i] * y[i % N];
    return sum;
}

static void find_loads(const sample *one, const scree_mesh *mesh, dense *d) {
    const scree_material *m = &one->material;
    for (int e = 0; e < mesh->elements; e++) {
        double x[6], K[36];
        int dof[6];
        triangle_places(mesh, e, x, dof);
        double share = triangle_stiffness(x, m, K) * m->thickness / 3;
        for (int i = 0; i < 6; i++)
            d->F[dof[i]] += share * (one->force[i % 2] + m->density * one->gravity[i % 2]);
    }
    for (int j = 0; j < ROWS; j++) {  // half of each edge on the left for both of its ends
        const double *low = mesh->node + 2 * j * (COLUMNS + 1), *high = low + 2 * (COLUMNS + 1);
        double half = one->traction * m->thickness * hypot(high[0] - low[0], high[1] - low[1]) / 2;
        d->F[2 * j * (COLUMNS + 1)] += half;
        d->F[2 * (j + 1) * (COLUMNS + 1)] += half;
    }
}

static dense *dense_new(const sample *one, const scree_mesh *mesh) {
    static double A[N * N];
    dense *d = calloc(1, sizeof *d);
    const scree_material *m = &one->material;
    double h = one->h, theta = one->theta, rate;
    triangle_matrices(mesh, m, d->K, d->M);
    for (int i = 0; i < N; i++) {
        bool left = i / 2 % (COLUMNS + 1) == 0 && i % 2 == 0;
        d->held[i] = i / 2 >= NODES - COLUMNS - 1 || (one->side && left);
        d->v[i] = one->velocity[i % 2];
        if (d->held[i]) d->q[i] = path_at(&one->top[i % 2], 0, &rate);
        if (d->held[i]) d->v[i] = rate;
    }
    for (int i = 0; i < N * N; i++) {
        d->C[i] = m->damping_mass * d->M[i] + m->damping_stiffness * d->K[i];
        bool free = !d->held[i / N] && !d->held[i % N];
        A[i] =
            free ? d->M[i] + h * theta * d->C[i] + h * h * theta * theta * d->K[i] : i / N == i % N;
    }
    invert(A, d->inverse);
    for (int i = 0; i < N * N; i++)
        if (d->held[i / N] || d->held[i % N]) d->inverse[i] = 0;
    for (int i = 0; i < TOUCHING; i++) d->node_y[i] = mesh->node[2 * i + 1];
    find_loads(one, mesh, d);
    return d;
}

// row r of the residual of the step, with the velocity that is in next_v and q' that follows
static double row(const sample *one, const dense *d, int r) {
    double h = one->h, theta = one->theta, sum = -h * d->F[r];
    for (int j = 0; j < N; j++) {
        double mean = (1 - theta) * d->v[j] + theta * d->next_v[j];
        double next = d->held[j] ? d->next_q[j] : d->q[j] + h * mean;
        sum += d->M[r * N + j] * (d->next_v[j] - d->v[j]) + h * d->C[r * N + j] * mean +
               h * d->K[r * N + j] * ((1 - theta) * d->q[j] + theta * next);
    }
    return sum;
}

// dof of component k of the contact at bottom node c, and the sign that u has
static int dof_of(int c, int k) { return 2 * c + (k == 0); }
static double sign_of(int k) { return k ? -1 : 1; }  // the tangent points along -x

static void solve_one(const double W[4], const double s[2], double mu, double p[2]) {
    double determinant = W[0] * W[3] - W[1] * W[2];
    p[0] = p[1] = 0;
    if (s[0] >= 0) return;
    double stick[2] = { (-W[3] * s[0] + W[1] * s[1]) / determinant,
                        (W[2] * s[0] - W[0] * s[1]) / determinant };
    // what is held along the tangent cannot be stopped by friction
    if (determinant > 0 && stick[0] >= 0 && fabs(stick[1]) <= mu * stick[0]) {
        p[0] = stick[0];
        p[1] = stick[1];
        return;
    }
    for (int side = -1; side <= 1; side += 2) {  // slides to this side
        double normal = -s[0] / (W[0] - side * mu * W[1]);
        if (normal < 0 || side * (s[1] + (W[2] - side * mu * W[3]) * normal) < 0) continue;
        p[0] = normal;
        p[1] = -side * mu * normal;
        return;
    }
    COMPLAIN("one contact without a solution: s %g %g", s[0], s[1]);
}

static double entry(const dense *d, int a, int b) {  // of W, for all that might touch
    return sign_of(a % 2) * sign_of(b % 2) *
           d->inverse[dof_of(a / 2, a % 2) * N + dof_of(b / 2, b % 2)];
}

// Gauss-Seidel until nothing moves
static void solve(const sample *one, dense *d, const double *b, const bool *active) {
    double change = 1, size = 1;
    for (d->sweeps = 0; change > 1e-15 * size && d->sweeps < 20000; d->sweeps++) {
        change = size = 0;
        for (int c = 0; c < TOUCHING; c++) {
            if (!active[c]) continue;
            double s[2] = { b[2 * c], b[2 * c + 1] }, W[4], p[2];
            for (int k = 0; k < 4; k++) W[k] = entry(d, 2 * c + k / 2, 2 * c + k % 2);
            for (int k = 0; k < 2; k++)
                for (int j = 0; j < 2 * TOUCHING; j++)
                    if (j / 2 != c) s[k] += entry(d, 2 * c + k, j) * d->p[j];
            solve_one(W, s, one->law.friction, p);
            for (int k = 0; k < 2; k++) {
                change += fabs(p[k] - d->p[2 * c + k]);
                size += fabs(p[k]);
                d->p[2 * c + k] = p[k];
            }
        }
    }
}

static void dense_step(const sample *one, dense *d, int k) {
    double h = one->h, theta = one->theta, t = (k + 1) * h, b[2 * TOUCHING], change[N];
    double tau =
        one->scheme == SCREE_MOREAU_JEAN ? one->law.tangential_restitution : (1 - theta) / theta;
    bool active[TOUCHING];
    for (int i = 0; i < N; i++) {
        d->next_v[i] = d->v[i];
        if (d->held[i]) d->next_q[i] = path_at(&one->top[i % 2], t, &d->next_v[i]);
    }
    for (int i = 0; i < N; i++) change[i] = -row(one, d, i);
    d->active = 0;
    for (int c = 0; c < TOUCHING; c++) {
        double gap = d->node_y[c] + d->q[2 * c + 1], u = d->v[2 * c + 1];
        active[c] = gap + h * u <= 1e-10 && u <= 1e-9;
        d->active += active[c];
        for (int r = 0; r < 2; r++) {
            int dof = dof_of(c, r);
            d->p[2 * c + r] = 0;
            d->u[2 * c + r] = sign_of(r) * d->v[dof];
            b[2 * c + r] =
                sign_of(r) * d->next_v[dof] + (r ? tau : one->law.restitution) * d->u[2 * c + r];
            for (int j = 0; j < N; j++)
                b[2 * c + r] += sign_of(r) * d->inverse[dof * N + j] * change[j];
        }
    }
    solve(one, d, b, active);
    for (int c = 0; c < 2 * TOUCHING; c++) change[dof_of(c / 2, c % 2)] += sign_of(c % 2) * d->p[c];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) d->next_v[i] += d->inverse[i * N + j] * change[j];
    for (int i = 0; i < N; i++)
        if (!d->held[i])
            d->next_q[i] = d->q[i] + h * ((1 - theta) * d->v[i] + theta * d->next_v[i]);
    for (int c = 0; c < 2 * TOUCHING; c++)
        d->next_u[c] = sign_of(c % 2) * d->next_v[dof_of(c / 2, c % 2)];
}

static void dense_accept(dense *d) {
    memcpy(d->q, d->next_q, sizeof d->q);
    memcpy(d->v, d->next_v, sizeof d->v);
}

// -------------------------------------------------------------------------------------------------
// side by side

typedef struct tally {
    int active, slipping, sticking, opened;
    double worst, work, reaction;
} tally;

static const double tolerance = 1e-9;

static void compare_vectors(const double *is, const double *expected, double size, tally *all) {
    for (int i = 0; i < N; i++) {
        CHECK_NEAR(is[i], expected[i], tolerance * size);
        all->worst = fmax(all->worst, fabs(is[i] - expected[i]) / size);
    }
}

// which bottom node a contact is at: the nearest
static int node_of(const dense *d, const scree_mesh *mesh, const scree_contact *contact) {
    int best = 0;
    for (int c = 1; c < TOUCHING; c++)
        if (fabs(mesh->node[2 * c] + d->q[2 * c] - contact->point[0]) <
            fabs(mesh->node[2 * best] + d->q[2 * best] - contact->point[0]))
            best = c;
    return best;
}

static void compare_contacts(const sample *one, const dense *d, const scree_mesh *mesh,
                             const scree_step_record *record, double push, tally *all) {
    double sum[2 * TOUCHING] = { 0 };
    for (int i = 0; i < record->contacts; i++) {
        const scree_contact *contact = &record->contact[i];
        int c = node_of(d, mesh, contact);
        CHECK_NEAR(contact->gap, d->node_y[c] + d->q[2 * c + 1], 1e-9);
        for (int k = 0; k < 2; k++) {
            sum[2 * c + k] += contact->impulse[k];
            CHECK_NEAR(contact->u_before[k], d->u[2 * c + k], tolerance);
            CHECK_NEAR(contact->u_after[k], d->next_u[2 * c + k], tolerance);
        }
        double edge = one->law.friction * contact->impulse[0];
        all->active += contact->impulse[0] > 0;
        all->slipping += contact->impulse[0] > 0 && fabs(contact->impulse[1]) > 0.999 * edge;
        all->sticking += fabs(contact->impulse[1]) < 0.99 * edge;
        all->opened += contact->u_before[0] < 0 && contact->u_after[0] > 0.01;
    }
    CHECK_INT(record->active, d->active);
    for (int c = 0; c < 2 * TOUCHING; c++) {
        CHECK_NEAR(sum[c], d->p[c], tolerance * push);
        all->worst = fmax(all->worst, fabs(sum[c] - d->p[c]) / push);
    }
}

static double potential(const sample *one, const dense *d, const scree_mesh *mesh,
                        const double *q) {
    double sum = 0;
    for (int i = 0; i < N * N; i++)
        if (i / N % 2 == i % N % 2)
            sum -= one->gravity[i % 2] * d->M[i] * (mesh->node[i / N] + q[i / N]);
    return sum;
}

/// The ledger once more. What holds the top does the work that nothing else explains.
static void compare_ledger(const sample *one, const dense *d, const scree_mesh *mesh,
                           const scree_ledger *ledger, tally *all) {
    double h = one->h, theta = one->theta, mean[N], dv[N], dq[N], external = 0, contact[2] = { 0 };
    for (int i = 0; i < N; i++) {
        mean[i] = (1 - theta) * d->v[i] + theta * d->next_v[i];
        dv[i] = d->next_v[i] - d->v[i];
        dq[i] = d->next_q[i] - d->q[i];
    }
    double kinetic = form(d->M, d->next_v, d->next_v) / 2;
    double elastic = form(d->K, d->next_q, d->next_q) / 2;
    double height = potential(one, d, mesh, d->next_q);
    double change = kinetic - form(d->M, d->v, d->v) / 2 + elastic - form(d->K, d->q, d->q) / 2 +
                    height - potential(one, d, mesh, d->q);
    double damping = -h * form(d->C, mean, mean);
    double numerical = (0.5 - theta) * (form(d->M, dv, dv) + form(d->K, dq, dq));
    for (int i = 0; i < N; i++) {
        double weight = 0;  // gravity is not among the loads
        for (int j = i % 2; j < N; j += 2) weight += d->M[i * N + j] * one->gravity[i % 2];
        external += h * mean[i] * (d->F[i] - weight);
    }
    for (int c = 0; c < 2 * TOUCHING; c++)
        contact[c % 2] += ((1 - theta) * d->u[c] + theta * d->next_u[c]) * d->p[c];
    double boundary = 0;  // a node that is held gives friction its velocity
    if (one->side) boundary = d->p[1] * ((1 - theta) * d->v[0] + theta * d->next_v[0]);
    double held = change - damping - numerical - external - contact[0] - contact[1] - boundary;
    double size = kinetic + elastic + fabs(held) + 1e-3;
    CHECK_NEAR(ledger->kinetic, kinetic, tolerance * size);
    CHECK_NEAR(ledger->elastic, elastic, tolerance * size);
    CHECK_NEAR(ledger->potential, height, tolerance * (size + fabs(height)));
    CHECK_NEAR(ledger->external_work, external, tolerance * size);
    CHECK_NEAR(ledger->damping_work, damping, tolerance * size);
    CHECK_NEAR(ledger->numerical_dissipation, numerical, tolerance * size);
    CHECK_NEAR(ledger->contact_normal_work, contact[0], tolerance * size);
    CHECK_NEAR(ledger->contact_tangential_work, contact[1], tolerance * size);
    CHECK_NEAR(ledger->prescribed_work, held, tolerance * size);
    CHECK_NEAR(ledger->boundary_work, boundary, tolerance * size);
    CHECK(fabs(ledger->residual) <= ledger->bound);
    all->work += ledger->prescribed_work;
    // the impulse that holds it, times the way over the time
    for (int i = 0; i < N; i++)
        if (d->held[i]) all->reaction += row(one, d, i) / h * dq[i];
}

static tally run(const sample *one, int steps) {
    tally all = { 0 };
    scree_error err = { 0 };
    scree_mesh *mesh = rough_mesh();
    scree_model *model = build(one, mesh);
    dense *d = dense_new(one, mesh);
    scree_run_options options = scree_run_options_default();
    options.scheme.name = one->scheme;
    options.scheme.theta = one->theta;
    options.scheme.step = one->h;
    options.scheme.approach = SCREE_APPROACH_REQUIRED;  // the rule that the judge knows
    options.scheme.gap_tolerance = 1e-10;
    options.scheme.velocity_tolerance = 1e-9;
    options.solver.tolerance = 1e-13;
    options.duration = 1;
    scree_simulation *simulation = NULL;
    if (scree_simulation_new(model, &options, &simulation, &err)) COMPLAIN("%s", err.text);
    double speed = 1, push = 1e-2;
    for (int k = 0; simulation && k < steps; k++) {
        scree_status status = scree_simulation_step(simulation, &err);
        if (status) COMPLAIN("step %d: %s", k, err.text);
        if (status) break;
        const scree_step_record *record = scree_simulation_record(simulation);
        const scree_elastic_body *block = &model->elastic[0];
        dense_step(one, d, k);
        compare_contacts(one, d, mesh, record, push, &all);
        compare_ledger(one, d, mesh, scree_simulation_ledger(simulation), &all);
        dense_accept(d);
        compare_vectors(record->after.q + block->coordinate, d->q, 1e-2, &all);
        compare_vectors(record->after.v + block->dof, d->v, speed, &all);
    }
    scree_simulation_free(simulation);
    scree_model_free(model);
    scree_mesh_free(mesh);
    free(d);
    return all;
}

static const sample shaken_block = {
    .scheme = SCREE_MOREAU_JEAN_FREMOND,
    .theta = 0.5,
    .h = 4e-3,
    .gravity = { 0, -9.81 },
    .material = { .young = 100, .poisson = 0.3, .density = 1.2, .thickness = 0.7 },
    .law = { .friction = 0.4 },
    .top = { { .d = 0.05, .w = 18 }, { .b = -0.05, .d = -0.02, .w = 25 } },
};

static void both_schemes(void) {
    tally sum = { 0 };
    for (int k = 0; k < 16; k++) {
        sample one = shaken_block;
        if (k & 1) one.scheme = SCREE_MOREAU_JEAN;
        if (k & 2) one.theta = 0.8;
        if (k & 4) one.material.damping_mass = 2, one.material.damping_stiffness = 0.01;
        if (k & 8) {
            one.material.plane_stress = one.material.lumped = true;
            one.traction = 5;
            one.force[1] = -3;
            one.velocity[0] = 0.3;
            if (k & 1) one.law.tangential_restitution = 0.3;
        }
        tally all = run(&one, 50);
        sum.active += all.active;
        sum.slipping += all.slipping;
        sum.sticking += all.sticking;
        sum.worst = fmax(sum.worst, all.worst);
        CHECK(all.active > 20);
    }
    printf("16 blocks of 50 steps: %d contacts, %d slip, %d stick; off by %.2g\n", sum.active,
           sum.slipping, sum.sticking, sum.worst);
    CHECK(sum.slipping > 100 && sum.sticking > 100);
}

static void restitution_of_nodes(void) {
    tally sum = { 0 };
    for (int k = 0; k < 4; k++) {
        sample one = shaken_block;
        one.theta = k & 2 ? 0.55 : 0.5;
        one.law.restitution = 0.7;
        if (k & 1) one.scheme = SCREE_MOREAU_JEAN;
        tally all = run(&one, 50);
        sum.opened += all.opened;
        sum.worst = fmax(sum.worst, all.worst);
    }
    printf("with restitution: %d nodes bounce, off by %.2g\n", sum.opened, sum.worst);
    CHECK(sum.opened > 10);
}

/// Where the way of what is held is h times its mean velocity, its work is force times way.
static void work_of_what_is_held(void) {
    for (int k = 0; k < 6; k++) {
        sample one = shaken_block;
        one.theta = k / 2 == 0 ? 0.5 : k / 2 == 1 ? 0.7 : 1;
        one.material.damping_mass = 1;
        one.material.damping_stiffness = 0.02;
        one.top[0] = (path){ .b = 0.4, .c = k < 2 && k % 2 ? 1 : 0 };
        one.top[1] = (path){ .b = -0.3, .c = k < 2 && k % 2 ? -0.5 : 0 };
        if (k >= 2 && k % 2) one.scheme = SCREE_MOREAU_JEAN;
        tally all = run(&one, 50);
        CHECK_NEAR(all.work, all.reaction, 1e-9 * fabs(all.reaction));
        CHECK(fabs(all.work) > 1e-3);
    }
}

static void held_nodes_touch(void) {
    tally sum = { 0 };
    for (int k = 0; k < 4; k++) {
        sample one = shaken_block;
        one.side = true;
        if (k & 1) one.scheme = SCREE_MOREAU_JEAN;
        if (k & 2) one.theta = 0.9;
        tally all = run(&one, 50);
        sum.active += all.active;
        sum.worst = fmax(sum.worst, all.worst);
    }
    printf("a held node that touches: %d contacts, off by %.2g\n", sum.active, sum.worst);
    CHECK(sum.active > 100);
}

TEST_FILE(test_elastic_judge) {
    TEST(both_schemes);
    TEST(restitution_of_nodes);
    TEST(work_of_what_is_held);
    TEST(held_nodes_touch);
    return harness_end();
}
