// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_criteria.c - the static and the kinetic criterion against theorems and integrated motions.

#include <stdlib.h>

#include "harness.h"
#include "lab/criteria.h"
#include "random.h"
#include "scree/equilibria.h"
#include "scree/events.h"

enum { N = 8, CONTACTS = 7 };
static const double TOLERANCE = 1e-12;

typedef struct plant {  // a matrix system with an equilibrium
    int n, contacts;
    double M[N * N], C[N * N], K[N * N], F[N];
    double normal[CONTACTS * N], tangent[CONTACTS * N], gap[CONTACTS], mu[CONTACTS];
    double e;
    scree_rest status[CONTACTS];  // of the equilibrium
    double U[N], r[2 * CONTACTS];
} plant;

typedef struct bench {
    scree_model *model;
    scree_run_options options;
    scree_equilibrium_system system;
    scree_equilibria set;
    bool fine;
} bench;

static scree_model *make_model(const plant *p, const double *q, const double *v) {
    scree_model *model = scree_model_new();
    scree_error err = { 0 };
    scree_function load[N] = { 0 };
    const double none[N] = { 0 };
    for (int j = 0; j < p->n; j++) load[j].constant = p->F[j];
    scree_status status = scree_model_set_system(model,
                                                 &(scree_system){ .coordinates = p->n,
                                                                  .mass = p->M,
                                                                  .damping = p->C,
                                                                  .stiffness = p->K,
                                                                  .load = load,
                                                                  .position = q ? q : none,
                                                                  .velocity = v ? v : none },
                                                 &err);
    for (int c = 0; c < p->contacts && !status; c++)
        status = scree_model_add_matrix_contact(
            model,
            &(scree_matrix_contact){ .name = "wall",
                                     .normal = p->normal + c * p->n,
                                     .tangent = p->tangent + c * p->n,
                                     .tangents = 1,
                                     .offset = { .constant = p->gap[c] },
                                     .law = { .restitution = p->e, .friction = p->mu[c] } },
            &err);
    if (!status) status = scree_model_finish(model, &err);
    if (status) COMPLAIN("%s", err.text);
    return model;
}

static bench open_bench(const plant *p, scree_stability_method method) {
    bench b = { .model = make_model(p, p->U, NULL), .options = scree_run_options_default() };
    scree_error err = { 0 };
    b.options.scheme.step = 1e-2;
    b.options.duration = 1;
    b.fine = !scree_equilibrium_system_new(b.model, &b.options, &b.system, &err) &&
             !scree_equilibria_find(&b.system, TOLERANCE, &b.set, &err) &&
             !scree_stability_judge(b.model, &b.options, &b.system, method, &b.set, &err);
    if (!b.fine) COMPLAIN("%s", err.text);
    return b;
}

static void close_bench(bench *b) {
    scree_equilibria_free(&b->set);
    scree_equilibrium_system_free(&b->system);
    scree_model_free(b->model);
}

// the piece with the statuses of the plant, or NULL
static const scree_equilibrium *piece_of(const bench *b, const plant *p) {
    for (int i = 0; i < b->set.count; i++) {
        bool same = true;
        for (int c = 0; c < p->contacts; c++)
            same = same && b->set.item[i].status[c] == p->status[c];
        if (same) return &b->set.item[i];
    }
    return NULL;
}

static double dot(const double *x, const double *y, int n) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum += x[k] * y[k];
    return sum;
}

static double length(const double *x, int n) { return sqrt(dot(x, x, n)); }

// -------------------------------------------------------------------------------------------------
// Klarbring's particle

// in axes that are turned by `angle`; gap = -U_N
static plant particle(double m, double KN, double KT, double W, double FN, double FT, double mu,
                      double angle) {
    double c = cos(angle), s = sin(angle);
    const double e[2] = { c, s }, t[2] = { -s, c };
    plant p = { .n = 2, .contacts = 1, .mu = { mu } };
    for (int i = 0; i < 2; i++) {
        p.F[i] = FN * e[i] + FT * t[i];
        p.normal[i] = -e[i];
        p.tangent[i] = t[i];
        p.M[i * 2 + i] = m;
        for (int j = 0; j < 2; j++)
            p.K[i * 2 + j] = KN * e[i] * e[j] + KT * t[i] * t[j] + W * (e[i] * t[j] + t[i] * e[j]);
    }
    return p;
}

typedef struct tally {
    int unstable, drifting, stable, silent;
} tally;

static void compare_with_theorem(const scree_equilibrium *said, const scree_equilibrium *known,
                                 const plant *p, double rate, tally *seen) {
    bool unstable = known->stability == SCREE_STABILITY_UNSTABLE;
    if (said->stability == SCREE_STABILITY_UNDECIDED) {
        seen->silent++;
        return;
    }
    CHECK_INT(said->stability == SCREE_STABILITY_UNSTABLE, unstable);
    if (!unstable) {
        seen->stable++;
        CHECK(strncmp(said->ground, "static criterion", 16) == 0);
        return;
    }
    bool drifts = known->freedom > 0;
    seen->unstable += !drifts;
    seen->drifting += drifts;
    CHECK_NEAR(said->growth_rate, drifts ? 0 : rate, 1e-9 * (1 + rate));
    CHECK(said->growth_direction != NULL);
    if (!said->growth_direction) return;
    CHECK_NEAR(dot(said->growth_direction, p->normal, 2), 0, 1e-12);
    double along = dot(said->growth_direction, p->tangent, 2);
    CHECK(along * (said->status[0] == SCREE_REST_SLIP_PLUS ? 1 : -1) > 0.5);
}

static void random_particles_agree_with_the_theorems(void) {
    tally seen = { 0 };
    seed = 11;
    for (int trial = 0; trial < 2000 / FEWER; trial++) {
        double m = uniform(0.2, 5), KN = uniform(0.5, 3), KT = uniform(0.5, 3);
        double W = uniform(0.1, 0.95) * sqrt(KN * KT) * (trial % 2 ? -1 : 1);
        double FN = uniform(-2, 2), FT = uniform(-2, 2), mu = KT / fabs(W) * uniform(0.1, 3);
        bool turned = trial % 4 > 1;
        if (trial % 5 < 2) FT = KT * FN / W;    // A = 0
        if (trial % 5 == 0) mu = KT / fabs(W);  // and tight
        plant p = particle(m, KN, KT, W, FN, FT, mu, turned ? uniform(0, 6) : 0);
        bench proof = open_bench(&p, SCREE_JUDGE_PROOF),
              said = open_bench(&p, SCREE_JUDGE_CRITERIA);
        CHECK_INT(proof.set.count, said.set.count);
        double rate = sqrt(fmax(0, (mu * fabs(W) - KT) / m));
        for (int i = 0; i < proof.set.count && i < said.set.count; i++)
            compare_with_theorem(&said.set.item[i], &proof.set.item[i], &p, rate, &seen);
        close_bench(&proof);
        close_bench(&said);
    }
    printf("theorems: %d growing, %d drifting, %d stable, %d silent\n", seen.unstable,
           seen.drifting, seen.stable, seen.silent);
    CHECK(seen.unstable > 300 / FEWER && seen.drifting > 200 / FEWER && seen.silent == 0 &&
          seen.stable > 1000 / FEWER);
}

// -------------------------------------------------------------------------------------------------
// random systems: what the kinetic criterion claims is integrated

// G G^T + least, with G random
static void fill_definite(double *A, int n, double least, double size) {
    double G[N * N];
    for (int k = 0; k < n * n; k++) G[k] = uniform(-size, size);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i * n + j] = dot(G + i * n, G + j * n, n) + (i == j ? least : 0);
}

static void choose_status(plant *p, int c) {
    static const scree_rest list[] = { SCREE_REST_FREE,      SCREE_REST_GRAZING,
                                       SCREE_REST_STUCK,     SCREE_REST_SLIP_PLUS,
                                       SCREE_REST_SLIP_PLUS, SCREE_REST_SLIP_MINUS };
    scree_rest status = list[random_int(0, 5)];
    p->mu[c] = uniform(0.3, 3);
    if (status == SCREE_REST_STUCK && uniform(0, 1) < 0.3) p->mu[c] = 0;
    p->status[c] = status;
    double pressed = status > SCREE_REST_GRAZING ? uniform(0.5, 2) : 0;
    double share = status == SCREE_REST_SLIP_PLUS    ? -1
                   : status == SCREE_REST_SLIP_MINUS ? 1
                                                     : uniform(-0.8, 0.8);
    p->r[2 * c] = pressed;
    p->r[2 * c + 1] = share * p->mu[c] * pressed;
    p->gap[c] = status == SCREE_REST_FREE ? uniform(0.5, 1) : 0;
}

// load and gaps are such that U, r are an equilibrium
static void balance(plant *p) {
    for (int c = 0; c < p->contacts; c++) p->gap[c] -= dot(p->normal + c * p->n, p->U, p->n);
    for (int i = 0; i < p->n; i++) {
        p->F[i] = dot(p->K + i * p->n, p->U, p->n);
        for (int c = 0; c < p->contacts; c++)
            p->F[i] -=
                p->normal[c * p->n + i] * p->r[2 * c] + p->tangent[c * p->n + i] * p->r[2 * c + 1];
    }
}

// tangents lean little on normals, so that most of them can be integrated: the scheme stops at
// Painlevé's paradox
static plant random_plant(int n, int contacts, bool damped) {
    plant p = { .n = n, .contacts = contacts };
    fill_definite(p.M, n, 0.5, 0.2);
    fill_definite(p.K, n, 0.1, 1);
    if (damped) fill_definite(p.C, n, 0.01, 0.3);
    for (int j = 0; j < n; j++) p.U[j] = uniform(-1, 1);
    for (int c = 0; c < contacts; c++) {
        double *normal = p.normal + c * n, *tangent = p.tangent + c * n;
        for (int j = 0; j < n; j++) normal[j] = uniform(-1, 1);
        for (int j = 0; j < n; j++) tangent[j] = uniform(-1, 1);
        double lean = uniform(0.7, 1) * dot(normal, tangent, n) / dot(normal, normal, n);
        for (int j = 0; j < n; j++) tangent[j] -= lean * normal[j];
    }
    for (int c = 0; c < contacts; c++) choose_status(&p, c);
    balance(&p);
    return p;
}

// follow U_e + eps exp(rate t) v until it has grown by 50; the largest deviation, relative, or -1
// if the scheme finds no motion or several
static double follow(const plant *p, double rate, const double *v) {
    const double eps = 1e-6 / length(v, p->n);
    double q[N], speed[N], worst = 0;
    scree_run_options options = scree_run_options_default();
    scree_events *events = NULL;
    scree_error err = { 0 };
    scree_account account;
    enum { STEPS = 40 };
    for (int j = 0; j < p->n; j++) {
        q[j] = p->U[j] + (rate > 0 ? eps * v[j] : 0);
        speed[j] = eps * v[j] * (rate > 0 ? rate : 1);
    }
    scree_model *model = make_model(p, q, speed);
    options.duration = rate > 0 ? log(50) / rate : 50;
    options.scheme.step = options.duration / STEPS;
    scree_status status = scree_events_new(model, &options, &events, &err);
    for (int i = 1; i <= STEPS && !status; i++) {
        status = scree_events_step(events, &account, &err);
        if (status) break;
        double t = i * options.scheme.step, off = 0;
        double grown = eps * (rate > 0 ? exp(rate * t) : t);
        for (int j = 0; j < p->n; j++)
            off += pow(scree_events_record(events)->after.q[j] - p->U[j] - grown * v[j], 2);
        worst = fmax(worst, sqrt(off) / (grown * length(v, p->n)));
    }
    scree_events_free(events);
    scree_model_free(model);
    return status ? -1 : worst;
}

// Gauss elimination with pivots, x in place; false if A is singular
static bool eliminate(double *A, int n, double *x) {
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i * n + k]) > fabs(A[pivot * n + k])) pivot = i;
        if (fabs(A[pivot * n + k]) < 1e-9) return false;
        for (int j = 0; j < n; j++) {
            double swap = A[k * n + j];
            A[k * n + j] = A[pivot * n + j];
            A[pivot * n + j] = swap;
        }
        double swap = x[k];
        x[k] = x[pivot];
        x[pivot] = swap;
        for (int i = k + 1; i < n; i++) {
            double part = A[i * n + k] / A[k * n + k];
            for (int j = k; j < n; j++) A[i * n + j] -= part * A[k * n + j];
            x[i] -= part * x[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++) x[i] -= A[i * n + j] * x[j];
        x[i] /= A[i * n + i];
    }
    return true;
}

// what the reactions must be beside those at rest: (rate^2 M + rate C + K) v = H^T rho, with the
// rows of contacts that v does not open. False if they are not unique.
static bool reactions_of(const plant *p, double rate, const double *v, double *rho) {
    double H[2 * CONTACTS * N], normal[4 * CONTACTS * CONTACTS], b[2 * CONTACTS], f[N];
    int n = p->n, rows = 0, place[CONTACTS];
    for (int c = 0; c < p->contacts; c++) {
        place[c] = -1;
        rho[2 * c] = rho[2 * c + 1] = 0;
        if (p->status[c] == SCREE_REST_FREE || dot(p->normal + c * n, v, n) > 1e-6) continue;
        place[c] = rows;
        memcpy(H + rows++ * n, p->normal + c * n, (size_t)n * sizeof *H);
        if (p->mu[c] > 0) memcpy(H + rows++ * n, p->tangent + c * n, (size_t)n * sizeof *H);
    }
    for (int i = 0; i < n; i++)
        f[i] = rate * rate * dot(p->M + i * n, v, n) + rate * dot(p->C + i * n, v, n) +
               dot(p->K + i * n, v, n);
    for (int i = 0; i < rows; i++) {
        b[i] = dot(H + i * n, f, n);
        for (int j = 0; j < rows; j++) normal[i * rows + j] = dot(H + i * n, H + j * n, n);
    }
    if (rows > n || !eliminate(normal, rows, b)) return false;
    for (int c = 0; c < p->contacts; c++)
        for (int k = 0; k < (p->mu[c] > 0 ? 2 : 1) && place[c] >= 0; k++)
            rho[2 * c + k] = b[place[c] + k];
    // and nothing is left over
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < n; j++) f[j] -= b[i] * H[i * n + j];
    CHECK_NEAR(length(f, n), 0, 1e-7 * (1 + rate * rate));
    return true;
}

// Coulomb's and Signorini's laws on the motion, contact by contact, with a small eps
static void check_laws(const plant *p, const double *v, const double *rho) {
    const double eps = 1e-4 / (1 + length(rho, 2 * p->contacts)), small = 1e-8;
    for (int c = 0; c < p->contacts; c++) {
        if (p->status[c] == SCREE_REST_FREE) continue;
        double open = dot(p->normal + c * p->n, v, p->n),
               slip = dot(p->tangent + c * p->n, v, p->n);
        double rn = p->r[2 * c] + eps * rho[2 * c], rt = p->r[2 * c + 1] + eps * rho[2 * c + 1];
        double mu = p->mu[c];
        CHECK(open >= -small && rn >= -eps * small);
        CHECK(fmin(fabs(open), fabs(rn)) <= small);
        CHECK(fabs(rt) <= mu * rn + eps * small);
        if (fabs(slip) > small && open <= small && mu > 0)
            CHECK_NEAR(rt, slip > 0 ? -mu * rn : mu * rn, eps * small);
    }
}

static void claimed_motions_are_motions(void) {
    int claimed = 0, followed = 0, lost = 0, judged = 0;
    seed = 5;
    for (int trial = 0; trial < 350; trial++) {
        plant p = random_plant(random_int(2, 6), random_int(1, 3), trial % 3 == 0);
        p.e = trial % 4 ? 0 : 0.7;  // nothing impacts
        double rho[2 * CONTACTS];
        bench b = open_bench(&p, SCREE_JUDGE_CRITERIA);
        const scree_equilibrium *piece = piece_of(&b, &p);
        CHECK(piece != NULL);
        if (piece && piece->stability == SCREE_STABILITY_UNSTABLE) {
            const double *v = piece->growth_direction;
            double off = follow(&p, piece->growth_rate, v);
            claimed++;
            lost += off < 0;
            followed += off >= 0;
            if (off > 0.03) COMPLAIN("%s: off by %g", piece->ground, off);
            bool unique = reactions_of(&p, piece->growth_rate, v, rho);
            judged += unique;
            if (unique) check_laws(&p, v, rho);
            CHECK(unique || off >= 0);  // no claim goes unchecked
        }
        close_bench(&b);
    }
    printf("kinetic: %d claimed, %d followed, %d without a unique motion, %d by their reactions\n",
           claimed, followed, lost, judged);
    CHECK(followed > 10 && judged > 10);
}

// -------------------------------------------------------------------------------------------------
// what the static criterion claims is pushed

typedef enum coupling { NONE, STIFFNESS, INERTIA, ALONG } coupling;

// the first contact is stuck, or about to slip; then no other is about to slip, or any
static void choose_statuses(plant *p, coupling kind, bool slipping) {
    for (int c = 0; c < p->contacts; c++) {
        bool first = c == 0 || kind == ALONG, fits;
        do {
            choose_status(p, c);
            bool slips = p->status[c] > SCREE_REST_STUCK;
            bool stuck = p->status[c] == SCREE_REST_STUCK && p->mu[c] > 0;
            fits = slipping ? slips || !first : stuck || (!slips && !first);
        } while (!fits);
    }
}

// normals couple to the rest as a symmetric Q asks for: mu K_N = Q (s T)
static void couple_along(const plant *p, plant *x) {
    int n = p->n, contacts = p->contacts;
    double Q[CONTACTS * CONTACTS], size = HUGE_VAL;
    for (int c = 0; c < contacts; c++)
        size = fmin(size, (contacts > 1 ? 0.5 : 1.5) * p->mu[c] / length(x->tangent + c * n, n));
    for (int c = 0; c < contacts; c++)
        for (int k = 0; k <= c; k++)
            Q[c * contacts + k] = Q[k * contacts + c] = uniform(-size, size);
    for (int c = 0; c < contacts; c++) {
        x->K[c * n + c] += 8;
        for (int j = contacts; j < n; j++) {
            for (int k = 0; k < contacts; k++) {
                double sign = p->status[k] == SCREE_REST_SLIP_PLUS ? 1 : -1;
                x->K[c * n + j] += Q[c * contacts + k] * sign * x->tangent[k * n + j] / p->mu[c];
            }
            x->K[j * n + c] = x->K[c * n + j];
        }
    }
}

// the first coordinates x = S U are gaps; what couples them to the rest. ALONG: the stiffness, and
// nothing but slips
static plant decoupled_plant(int n, int contacts, coupling kind, bool slipping) {
    plant p = { .n = n, .contacts = contacts }, x = p;
    double S[N * N];
    choose_statuses(&p, kind, slipping);
    fill_definite(x.M, n, 0.5, 0.4);
    fill_definite(x.K, n, 0.3, 0.6);
    fill_definite(x.C, n, 0.01, 0.1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            bool apart = i != j && (i < contacts || j < contacts);
            if (apart && kind != INERTIA) x.M[i * n + j] = 0;
            if (apart && kind != STIFFNESS) x.K[i * n + j] = x.C[i * n + j] = 0;
            S[i * n + j] = (i == j) + uniform(-0.2, 0.2);
        }
    for (int c = 0; c < contacts; c++) {
        x.normal[c * n + c] = 1;
        for (int j = contacts; j < n; j++) x.tangent[c * n + j] = uniform(-1, 1);
    }
    if (kind == ALONG) couple_along(&p, &x);
    for (int i = 0; i < n; i++) {
        p.U[i] = uniform(-1, 1);
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                for (int l = 0; l < n; l++) {
                    double part = S[k * n + i] * S[l * n + j];
                    p.M[i * n + j] += part * x.M[k * n + l];
                    p.C[i * n + j] += part * x.C[k * n + l];
                    p.K[i * n + j] += part * x.K[k * n + l];
                }
    }
    for (int c = 0; c < contacts; c++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) {
                p.normal[c * n + j] += x.normal[c * n + k] * S[k * n + j];
                p.tangent[c * n + j] += x.tangent[c * n + k] * S[k * n + j];
            }
    balance(&p);
    return p;
}

// the farthest that a push in a random direction goes, in sizes; -1 if the scheme stops
static double push(const plant *p, double size) {
    double v[N], farthest = 0;
    scree_run_options options = scree_run_options_default();
    scree_events *events = NULL;
    scree_error err = { 0 };
    scree_account account;
    enum { STEPS = 60 };
    for (int j = 0; j < p->n; j++) v[j] = uniform(-1, 1);
    // gaps are closed: bend what would go into an obstacle
    for (int round = 0; round < 50; round++)
        for (int c = 0; c < p->contacts; c++) {
            const double *normal = p->normal + c * p->n;
            double in = dot(normal, v, p->n) / dot(normal, normal, p->n);
            for (int j = 0; j < p->n && in < 0; j++) v[j] -= in * normal[j];
        }
    double speed = length(v, p->n);
    for (int j = 0; j < p->n; j++) v[j] *= size / speed;
    options.scheme.step = 0.5;
    options.duration = STEPS * options.scheme.step;
    scree_model *model = make_model(p, p->U, v);
    scree_status status = scree_events_new(model, &options, &events, &err);
    for (int i = 0; i < STEPS && !status; i++) {
        double away[N];
        status = scree_events_step(events, &account, &err);
        if (status) break;
        for (int j = 0; j < p->n; j++) away[j] = scree_events_record(events)->after.q[j] - p->U[j];
        farthest = fmax(farthest, length(away, p->n) / size);
    }
    if (status) COMPLAIN("%s", err.text);
    scree_events_free(events);
    scree_model_free(model);
    return farthest;
}

static void stable_states_stay(void) {
    double farthest = 0;
    int claims = 0;
    seed = 3;
    for (int trial = 0; trial < 40; trial++) {
        int contacts = random_int(1, 2);
        bool slipping = trial % 2;
        plant p = decoupled_plant(random_int(contacts + 1, 5), contacts,
                                  slipping ? NONE : STIFFNESS, slipping);
        bench b = open_bench(&p, SCREE_JUDGE_CRITERIA);
        const scree_equilibrium *piece = piece_of(&b, &p);
        if (piece) {
            CHECK_INT(piece->stability, SCREE_STABILITY_STABLE);
            CHECK(strncmp(piece->ground, "static criterion", 16) == 0);
            claims++;
            for (int k = 0; k < 2; k++) farthest = fmax(farthest, push(&p, k % 2 ? 1e-3 : 1e-5));
        }
        close_bench(&b);
    }
    printf("static: %d claimed, pushes went %.3g sizes at most\n", claims, farthest);
    CHECK(claims == 40 && farthest < 20);
}

// contacts about to slip whose reactions depend on slips alone: with one of them stable or
// unstable, and nothing is left open
static void both_criteria_leave_nothing_between(void) {
    int stable[2] = { 0 }, unstable = 0;
    seed = 17;
    for (int trial = 0; trial < 40; trial++) {
        int contacts = 1 + trial % 2;
        plant p = decoupled_plant(random_int(contacts + 1, 5), contacts, ALONG, true);
        bench b = open_bench(&p, SCREE_JUDGE_CRITERIA);
        const scree_equilibrium *piece = piece_of(&b, &p);
        scree_stability verdict = piece ? piece->stability : SCREE_STABILITY_UNDECIDED;
        CHECK(verdict != SCREE_STABILITY_UNDECIDED || contacts > 1);
        if (verdict == SCREE_STABILITY_STABLE) {
            stable[contacts - 1]++;
            CHECK(push(&p, trial % 4 > 1 ? 1e-4 : 1e-6) < 20);
        } else if (piece && piece->growth_direction) {
            unstable++;
            CHECK_NEAR(follow(&p, piece->growth_rate, piece->growth_direction), 0, 0.03);
        }
        close_bench(&b);
    }
    printf("slips alone: one %d, two %d stable, %d unstable\n", stable[0], stable[1], unstable);
    CHECK(stable[0] > 8 && stable[1] > 8 && unstable > 2);
}

// coupled by the mass, or about to slip and coupled by the stiffness, or with e > 0
static void static_criterion_keeps_to_its_hypotheses(void) {
    seed = 8;
    for (int trial = 0; trial < 90; trial++) {
        plant p = decoupled_plant(random_int(4, 6), random_int(1, 2),
                                  trial % 3 == 0   ? INERTIA
                                  : trial % 3 == 1 ? STIFFNESS
                                                   : NONE,
                                  trial % 3 > 0);
        if (trial % 3 == 2) p.e = 0.5;
        bench b = open_bench(&p, SCREE_JUDGE_CRITERIA);
        const scree_equilibrium *piece = piece_of(&b, &p);
        CHECK(piece != NULL);
        if (piece) CHECK(piece->stability <= SCREE_STABILITY_UNSTABLE);
        close_bench(&b);
    }
}

// both are asked about every piece, also where the first has an answer
static void no_piece_is_both(void) {
    int stable = 0, unstable = 0;
    seed = 99;
    for (int trial = 0; trial < 300 / FEWER; trial++) {
        int contacts = random_int(1, 3);
        plant p =
            decoupled_plant(random_int(contacts + 1, 6), contacts, (coupling)(trial % 4), true);
        bench b = open_bench(&p, SCREE_JUDGE_CRITERIA);
        scree_static *one = NULL;
        scree_kinetic *two = NULL;
        char untried[80];
        CHECK_INT(scree_static_new(b.model, &b.system, b.set.tolerance, &one, NULL), SCREE_OK);
        CHECK_INT(scree_kinetic_new(b.model, &b.system, &two, NULL), SCREE_OK);
        for (int i = 0; i < b.set.count; i++) {
            bool rests = scree_static_judge(one, &b.set.item[i]), leaves = false;
            scree_kinetic_judge(two, &b.set, &b.set.item[i], &leaves, untried, NULL);
            CHECK(!rests || !leaves);
            stable += rests;
            unstable += leaves;
        }
        scree_static_free(one);
        scree_kinetic_free(two);
        close_bench(&b);
    }
    CHECK(stable > 300 / FEWER && unstable > 10 / FEWER);
}

// -------------------------------------------------------------------------------------------------
// edges

static scree_stability only_verdict(const plant *p, scree_rest status, char *ground, size_t room) {
    bench b = open_bench(p, SCREE_JUDGE_CRITERIA);
    scree_stability verdict = SCREE_STABILITY_UNDECIDED;
    bool found = false;
    for (int i = 0; i < b.set.count; i++) {
        if (b.set.item[i].status[0] != status) continue;
        verdict = b.set.item[i].stability;
        snprintf(ground, room, "%s", b.set.item[i].ground);
        found = true;
    }
    CHECK(found);
    close_bench(&b);
    return verdict;
}

// KT = W = 1, FN = 1, A = -a, mu = 1 + a: slip+ at r_N = 1, and lambda = sqrt(a)
static void rounding_is_no_ground(void) {
    char ground[400];
    for (int k = 2; k < 12; k++) {
        double a = 3 * pow(10, -k);  // the limit is 1e-6
        plant p = particle(1, 2, 1, 1, 1, 1 + a, 1 + a, 0);
        scree_stability verdict = only_verdict(&p, SCREE_REST_SLIP_PLUS, ground, sizeof ground);
        CHECK_INT(verdict, k <= 6 ? SCREE_STABILITY_UNSTABLE : SCREE_STABILITY_UNDECIDED);
    }
    // a drift that is damped comes to rest
    plant p = particle(1, 2, 1, 1, 1, 1, 1, 0);
    CHECK_INT(only_verdict(&p, SCREE_REST_SLIP_PLUS, ground, sizeof ground),
              SCREE_STABILITY_UNSTABLE);
    CHECK(strstr(ground, "U_e + eps t (0, 1)") != NULL);
    p.C[3] = 0.1;
    CHECK_INT(only_verdict(&p, SCREE_REST_SLIP_PLUS, ground, sizeof ground),
              SCREE_STABILITY_UNDECIDED);
}

// two particles in one system, the second one held at its limit
static void a_bystander_does_not_matter(void) {
    plant one = particle(1, 2, 1, 1, 1, 2, 1.5, 0), two = particle(1, 2, 1, 1, 1, 0, 0.5, 0);
    plant p = { .n = 4, .contacts = 2, .mu = { 1.5, 0.5 } };
    for (int i = 0; i < 2; i++) {
        p.F[i] = one.F[i];
        p.F[2 + i] = two.F[i];
        p.normal[i] = one.normal[i];
        p.normal[4 + 2 + i] = two.normal[i];
        p.tangent[i] = one.tangent[i];
        p.tangent[4 + 2 + i] = two.tangent[i];
        for (int j = 0; j < 2; j++) {
            p.M[i * 4 + j] = one.M[i * 2 + j];
            p.M[(2 + i) * 4 + 2 + j] = two.M[i * 2 + j];
            p.K[i * 4 + j] = one.K[i * 2 + j];
            p.K[(2 + i) * 4 + 2 + j] = two.K[i * 2 + j];
        }
    }
    bench b = open_bench(&p, SCREE_JUDGE_CRITERIA);
    int unstable = 0;
    for (int i = 0; i < b.set.count; i++) {
        bool slips = b.set.item[i].status[0] == SCREE_REST_SLIP_PLUS;
        CHECK_INT(b.set.item[i].stability == SCREE_STABILITY_UNSTABLE, slips);
        if (slips) CHECK_NEAR(b.set.item[i].growth_rate, sqrt(0.5), 1e-12);
        unstable += slips;
    }
    CHECK_INT(unstable, 3);  // with the second one stuck, about to slip up, and down
    close_bench(&b);
}

// m x'' + c x' + k x with c < 0, free and as the only motion that a smooth contact leaves
static void negative_damping_flutters(void) {
    char ground[400];
    for (int pressed = 0; pressed < 2; pressed++) {
        plant p = particle(2, 3, 1.5, 0, pressed ? 1 : -1, 0, 0, 0.3);
        for (int k = 0; k < 4; k++) p.C[k] = -0.2 * p.M[k];
        bench b = open_bench(&p, SCREE_JUDGE_CRITERIA);
        CHECK_INT(b.set.count, 1);
        CHECK_INT(b.set.item[0].stability, SCREE_STABILITY_UNSTABLE);
        CHECK_NEAR(b.set.item[0].growth_rate, 0.1, 1e-12);
        CHECK(b.set.item[0].growth_direction == NULL);
        close_bench(&b);
    }
    // a single contact that is stuck holds everything
    plant p = particle(2, 3, 1.5, 0, 1, 0.1, 0.5, 0);
    p.C[0] = p.C[3] = -0.2;
    CHECK_INT(only_verdict(&p, SCREE_REST_STUCK, ground, sizeof ground), SCREE_STABILITY_UNDECIDED);
}

// seven contacts that graze may do 4^7 things
static void too_many_choices_are_refused_aloud(void) {
    plant p = { .n = 8, .contacts = 7, .e = 0.5 };
    for (int c = 0; c < 7; c++) {
        p.normal[c * 8 + c] = 1;
        p.tangent[c * 8 + 7] = 1;
        p.mu[c] = 0.5;
    }
    for (int j = 0; j < 8; j++) p.M[j * 8 + j] = p.K[j * 8 + j] = 1;
    bench b = open_bench(&p, SCREE_JUDGE_CRITERIA);
    CHECK(b.set.count > 0);
    for (int i = 0; i < b.set.count; i++) {
        bool graze = true;
        for (int c = 0; c < 7; c++) graze = graze && b.set.item[i].status[c] == SCREE_REST_GRAZING;
        CHECK_INT(b.set.item[i].stability, SCREE_STABILITY_UNDECIDED);
        if (graze) CHECK(strstr(b.set.item[i].ground, "not tried: 16384 choices") != NULL);
    }
    close_bench(&b);
}

TEST_FILE(test_criteria) {
    TEST(random_particles_agree_with_the_theorems);
    TEST(claimed_motions_are_motions);
    TEST(stable_states_stay);
    TEST(both_criteria_leave_nothing_between);
    TEST(no_piece_is_both);
    TEST(static_criterion_keeps_to_its_hypotheses);
    TEST(rounding_is_no_ground);
    TEST(a_bystander_does_not_matter);
    TEST(negative_damping_flutters);
    TEST(too_many_choices_are_refused_aloud);
    return harness_end();
}
