// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// Mechanisms: Kane's pendulum and the bar under both laws, the impacting stick, conserved energy,
// and random ones in which moreau-jean-fremond never creates energy.

#include "harness.h"
#include "random.h"
#include "scree/mechanism.h"

enum { N = SCREE_MECHANISM_COORDINATES };

static scree_solver_options solver(void) {
    scree_solver_options options = scree_solver_options_default();
    options.tolerance = 1e-12;
    return options;
}

static scree_mechanism *open(const scree_mechanics *m, scree_scheme name, double h) {
    scree_scheme_options scheme = scree_scheme_options_default();
    scheme.name = name;
    scheme.step = h;
    scheme.velocity_tolerance = 0;
    scree_solver_options options = solver();
    scree_mechanism *made;
    scree_error err = { 0 };
    if (scree_mechanism_new(m, &scheme, &options, &made, &err)) COMPLAIN("%s", err.text);
    return made;
}

// -------------------------------------------------------------------------------------------------
// Kane's double pendulum: rods of mass and length 1, angles from the vertical

static void pendulum_mass(const void *self, const double *q, double *M, double *dM) {
    (void)self;
    double couple = cos(q[0] - q[1]) / 2, slope = sin(q[0] - q[1]) / 2;
    const double mass[] = { 4. / 3, couple, couple, 1. / 3 };
    const double rate[] = { 0, -slope, -slope, 0, 0, slope, slope, 0 };
    memcpy(M, mass, sizeof mass);
    memcpy(dM, rate, sizeof rate);
}

static double pendulum_weight(const void *self, const double *q, double *gradient) {
    (void)self;
    gradient[0] = 9.81 * 1.5 * sin(q[0]);
    gradient[1] = 9.81 * 0.5 * sin(q[1]);
    return -9.81 * (1.5 * cos(q[0]) + 0.5 * cos(q[1]));
}

// the tip on a floor below
static double pendulum_tip(const void *self, int contact, const double *q, double *normal,
                           double *tangent) {
    (void)contact;
    for (int i = 0; i < 2; i++) {
        normal[i] = sin(q[i]);
        tangent[i] = cos(q[i]);
    }
    return *(const double *)self - cos(q[0]) - cos(q[1]);
}

static const double degree = 3.14159265358979323846 / 180;

static double kinetic(const scree_mechanics *m, const double *q, const double *v) {
    double M[N * N], dM[N * N * N], sum = 0;
    int n = m->coordinates;
    m->mass(m->self, q, M, dM);
    for (int i = 0; i < n * n; i++) sum += M[i] * v[i / n] * v[i % n] / 2;
    return sum;
}

static void kane_gains_by_newton_and_loses_by_fremond(void) {
    const double depth = 1, q[] = { 20 * degree, 30 * degree }, v[] = { -0.1, -0.2 };
    const scree_law law = { .restitution = 0.5, .friction = 0.5 };
    const scree_mechanics m = { 2, 1, &depth, pendulum_mass, NULL, NULL, pendulum_tip, &law, q, v };
    const scree_solver_options options = solver();
    double after[2], p[2];
    scree_error err = { 0 };
    CHECK_NEAR(kinetic(&m, q, v), 0.023181410863455, 1e-12);
    CHECK(!scree_mechanism_impact(&m, SCREE_MOREAU_JEAN, &options, q, v, after, p, &err));
    CHECK_NEAR(kinetic(&m, q, after), 0.036800366581273, 1e-12);
    CHECK_NEAR(after[0], -0.3346489298, 1e-10);
    CHECK_NEAR(after[1], 0.3631153642, 1e-10);
    CHECK_NEAR(cos(q[0]) * after[0] + cos(q[1]) * after[1], 0, 1e-13);  // sticks
    CHECK(!scree_mechanism_impact(&m, SCREE_MOREAU_JEAN_FREMOND, &options, q, v, after, p, &err));
    CHECK_NEAR(kinetic(&m, q, after), 0.013037911992479, 1e-12);
    CHECK_NEAR(after[0], -0.2062930193, 1e-10);
    CHECK_NEAR(after[1], 0.2753147504, 1e-10);
    CHECK_NEAR(fabs(p[1]), 0.5 * p[0], 1e-14);  // slips
}

// Runge and Kutta's method of order 4 on the pendulum's equations, written out
static void pendulum_rate(const double *y, double *rate) {
    double s = sin(y[0] - y[1]), c = cos(y[0] - y[1]) / 2;
    double f0 = -9.81 * 1.5 * sin(y[0]) - s / 2 * y[3] * y[3];
    double f1 = -9.81 * 0.5 * sin(y[1]) + s / 2 * y[2] * y[2];
    double determinant = 4. / 9 - c * c;
    rate[0] = y[2];
    rate[1] = y[3];
    rate[2] = (f0 / 3 - c * f1) / determinant;
    rate[3] = (4. / 3 * f1 - c * f0) / determinant;
}

static void swing(double t, int steps, double *y) {
    double h = t / steps, k[4][4], z[4];
    for (int i = 0; i < steps; i++) {
        for (int s = 0; s < 4; s++) {
            for (int j = 0; j < 4; j++)
                z[j] = y[j] + (s ? h * (s == 3 ? 1 : 0.5) * k[s - 1][j] : 0);
            pendulum_rate(z, k[s]);
        }
        for (int j = 0; j < 4; j++) y[j] += h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
    }
}

static double swing_error(const scree_mechanics *m, scree_scheme name, double h, double *drift) {
    double exact[4] = { m->position[0], m->position[1], m->velocity[0], m->velocity[1] };
    swing(2, 40000, exact);
    scree_mechanism *s = open(m, name, h);
    scree_error err = { 0 };
    scree_ledger ledger = { 0 };
    double first = NAN;
    *drift = 0;
    for (int k = 0; s && k < (int)nearbyint(2 / h); k++) {
        if (scree_mechanism_step(s, &ledger, &err)) COMPLAIN("%s", err.text);
        double energy = ledger.kinetic + ledger.potential;
        if (k == 0) first = energy;
        *drift = fmax(*drift, fabs(energy - first));
    }
    if (!s) return NAN;
    const double *q = scree_mechanism_record(s)->after.q;
    double off = hypot(q[0] - exact[0], q[1] - exact[1]);
    scree_mechanism_free(s);
    return off;
}

static void swinging_keeps_the_energy(void) {
    const double depth = 10, q[] = { 1, 2 }, v[] = { 0.5, -1 };
    const scree_mechanics m = {
        2, 0, &depth, pendulum_mass, pendulum_weight, NULL, NULL, NULL, q, v
    };
    double drift[4], off[4];
    for (int k = 0; k < 2; k++)
        off[k] = swing_error(&m, SCREE_MOREAU_JEAN_FREMOND, 4e-3 / (1 << k), &drift[k]);
    for (int k = 2; k < 4; k++)
        off[k] = swing_error(&m, SCREE_MOREAU_JEAN, 2e-4 / (1 << (k - 2)), &drift[k]);
    CHECK(drift[0] < 1e-11 && drift[1] < 1e-11);
    CHECK(drift[2] > 1e-4);  // M at the start of a step is not conserving
    CHECK_NEAR(off[0] / off[1], 4, 0.2);
    CHECK_NEAR(off[2] / off[3], 2, 0.3);
    printf("pendulum: energy kept to %.2g, moreau-jean to %.2g; errors %.3g %.3g and %.3g %.3g\n",
           drift[0], drift[2], off[0], off[1], off[2], off[3]);
}

// -------------------------------------------------------------------------------------------------
// a bar of mass and length 1; the end that touches is at (sin, -cos)/2 of its centre

static void bar_mass(const void *self, const double *q, double *M, double *dM) {
    (void)self;
    (void)q;
    const double mass[] = { 1, 0, 0, 0, 1, 0, 0, 0, 1. / 12 };
    memcpy(M, mass, sizeof mass);
    memset(dM, 0, 27 * sizeof *dM);
}

static double bar_weight(const void *self, const double *q, double *gradient) {
    (void)self;
    gradient[0] = gradient[2] = 0;
    gradient[1] = 10;
    return 10 * q[1];
}

static double bar_end(const void *self, int contact, const double *q, double *normal,
                      double *tangent) {
    (void)self;
    (void)contact;
    const double n[] = { 0, 1, sin(q[2]) / 2 }, t[] = { -1, 0, -cos(q[2]) / 2 };
    memcpy(normal, n, sizeof n);
    memcpy(tangent, t, sizeof t);
    return q[1] - cos(q[2]) / 2;
}

static void bar_gains_by_newton_and_loses_by_fremond(void) {
    static const double mu[] = { 0.01, 0.1, 1 };
    static const double newton[] = { 7.06220769446e-4, 8.600602156079e-3, 1.3493416308792e-2 };
    static const double fremond[] = { -6.75820114956e-4, -5.533789814072e-3, 0 };
    const double q[] = { 0, 1, 45 * degree }, v[] = { -0.5, -0.5, 0.1 };
    const scree_solver_options options = solver();
    for (int k = 0; k < 3; k++) {
        const scree_law law = { .restitution = 1, .friction = mu[k] };
        const scree_mechanics m = { 3, 1, NULL, bar_mass, NULL, NULL, bar_end, &law, q, v };
        double after[3];
        scree_error err = { 0 };
        CHECK(!scree_mechanism_impact(&m, SCREE_MOREAU_JEAN, &options, q, v, after, NULL, &err));
        CHECK_NEAR(kinetic(&m, q, after) - kinetic(&m, q, v), newton[k], 1e-12);
        CHECK(!scree_mechanism_impact(&m, SCREE_MOREAU_JEAN_FREMOND, &options, q, v, after, NULL,
                                      &err));
        CHECK_NEAR(kinetic(&m, q, after) - kinetic(&m, q, v), fremond[k], 1e-12);
    }
}

// the impacting stick, to the printed end states of both schemes
static void stick_is_that_of_the_bodies(void) {
    static const double end[2][6] = {
        { 0.2529170734063745, 0.24718510928681478, 1.0819883190944333, -0.5068581033442596,
          -1.2141896655739952, 3.2073513209813838 },
        { 0.25395424362001495, 0.2465116021719327, 1.0835074099259314, -0.49943374250155037,
          -1.2192839662794397, 3.218031198100168 },
    };
    const double q[] = { sin(45 * degree) / 2, cos(45 * degree) / 2 + 0.01, 45 * degree };
    const double v[] = { -0.5, 0.1, 0.1 };
    const scree_law law = { .restitution = 1, .friction = 0.01 };
    const scree_mechanics m = { 3, 1, NULL, bar_mass, bar_weight, NULL, bar_end, &law, q, v };
    for (int k = 0; k < 2; k++) {
        scree_mechanism *s = open(&m, k ? SCREE_MOREAU_JEAN_FREMOND : SCREE_MOREAU_JEAN, 1e-4);
        scree_error err = { 0 };
        scree_ledger ledger;
        double work = 0;
        for (int i = 0; s && i < 2000; i++) {
            if (scree_mechanism_step(s, &ledger, &err)) COMPLAIN("%s", err.text);
            CHECK(fabs(ledger.residual) <= ledger.bound);
            work += ledger.contact_tangential_work;
        }
        if (!s) return;
        const scree_state *state = &scree_mechanism_record(s)->after;
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(state->q[i], end[k][i], 1e-12);
            CHECK_NEAR(state->v[i], end[k][3 + i], 1e-12);
        }
        CHECK_NEAR(work, k ? -1.3022910947e-3 : 1.1063140004e-4, 1e-12);
        scree_mechanism_free(s);
    }
}

// -------------------------------------------------------------------------------------------------
// random mechanisms: M = L L^T + I/2 with waves in L, V and the gaps of waves and springs

typedef struct waves {  // value + way.q + size sin(turn.q + phase)
    double value, way[N], size, turn[N], phase;
} waves;

typedef struct machine {
    int n, contacts;
    waves L[N * N], V, gap[SCREE_MECHANISM_CONTACTS], side[SCREE_MECHANISM_CONTACTS];
    double q[N], v[N], spring;
    scree_law law[SCREE_MECHANISM_CONTACTS];
} machine;

static double dot(const double *x, const double *y, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

static double at(const waves *w, int n, const double *q, double *gradient) {
    double angle = dot(w->turn, q, n) + w->phase;
    for (int i = 0; i < n; i++) gradient[i] = w->way[i] + w->size * cos(angle) * w->turn[i];
    return w->value + dot(w->way, q, n) + w->size * sin(angle);
}

static void machine_mass(const void *self, const double *q, double *M, double *dM) {
    const machine *m = self;
    int n = m->n;
    double L[N * N], dL[N * N][N];
    for (int i = 0; i < n * n; i++) L[i] = at(&m->L[i], n, q, dL[i]);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            M[i * n + j] = (i == j) / 2. + dot(L + i * n, L + j * n, n);
            for (int k = 0; k < n; k++) {
                double sum = 0;
                for (int l = 0; l < n; l++)
                    sum += dL[i * n + l][k] * L[j * n + l] + L[i * n + l] * dL[j * n + l][k];
                dM[(k * n + i) * n + j] = sum;
            }
        }
}

static double machine_potential(const void *self, const double *q, double *gradient) {
    const machine *m = self;
    double V = at(&m->V, m->n, q, gradient) + m->spring * dot(q, q, m->n) / 2;
    for (int i = 0; i < m->n; i++) gradient[i] += m->spring * q[i];
    return V;
}

static double machine_contact(const void *self, int contact, const double *q, double *normal,
                              double *tangent) {
    const machine *m = self;
    at(&m->side[contact], m->n, q, tangent);
    return at(&m->gap[contact], m->n, q, normal);
}

static waves random_waves(int n, double value, double way, double size) {
    waves w = { .value = value, .size = size, .phase = uniform(0, 6) };
    for (int i = 0; i < n; i++) {
        w.way[i] = uniform(-way, way);
        w.turn[i] = uniform(-2, 2);
    }
    return w;
}

static machine random_machine(void) {
    machine m = { .n = random_int(1, 5), .contacts = random_int(1, 4) };
    for (int i = 0; i < m.n * m.n; i++)
        m.L[i] = random_waves(m.n, uniform(-0.7, 0.7), 0, uniform(0, 0.5));
    m.V = random_waves(m.n, 0, 3, uniform(0, 2));
    m.spring = uniform(0, 20);
    for (int i = 0; i < m.n; i++) m.v[i] = uniform(-2, 2);
    for (int c = 0; c < m.contacts; c++) {
        double slope[N];
        m.gap[c] = random_waves(m.n, 0, 1, 0.2);
        m.side[c] = random_waves(m.n, 0, 1, 0.2);
        m.gap[c].value = uniform(0, 0.1) - at(&m.gap[c], m.n, m.q, slope);
        m.law[c].restitution = uniform(0, 1) < 0.3 ? 0 : uniform(0, 1);
        m.law[c].friction = uniform(0, 1);
    }
    return m;
}

static scree_mechanics mechanics_of(const machine *m) {
    return (scree_mechanics){ m->n, m->contacts,     m,      machine_mass, machine_potential,
                              NULL, machine_contact, m->law, m->q,         m->v };
}

typedef struct tally {
    int steps, struck, created, refused;
    double most, residual;  // energy created in a step, residual, relative
} tally;

static void follow(const machine *m, scree_scheme scheme, double h, tally *all) {
    const scree_mechanics mechanics = mechanics_of(m);
    scree_mechanism *s = open(&mechanics, scheme, h);
    scree_error err = { 0 };
    scree_ledger ledger = { 0 };
    double gradient[N];
    double before = kinetic(&mechanics, m->q, m->v) + machine_potential(m, m->q, gradient);
    double scale = fabs(before) + kinetic(&mechanics, m->q, m->v) + 1;
    for (int k = 0; s && k < 200; k++) {
        scree_status status = scree_mechanism_step(s, &ledger, &err);
        if (status == SCREE_UNCONVERGED) {
            all->refused++;
            break;
        }
        if (status) COMPLAIN("%s", err.text);
        double energy = ledger.kinetic + ledger.potential;
        all->steps++;
        all->struck += ledger.contact_normal_work != 0;
        all->created += energy - before > 1e-10 * scale;
        all->most = fmax(all->most, (energy - before) / scale);
        all->residual = fmax(all->residual, fabs(ledger.residual) / scale);
        if (scheme == SCREE_MOREAU_JEAN_FREMOND) {
            CHECK(fabs(ledger.residual) <= ledger.bound);
            CHECK(energy - before <= ledger.bound + 1e-10 * scale);
        }
        before = energy;
    }
    scree_mechanism_free(s);
}

static void fremond_never_creates_energy(void) {
    tally mean = { 0 }, final = { 0 };
    seed = 4;
    for (int k = 0; k < 300; k++) {
        machine m = random_machine();
        double h = pow(10, uniform(-3, -1.5));
        follow(&m, SCREE_MOREAU_JEAN_FREMOND, h, &mean);
        follow(&m, SCREE_MOREAU_JEAN, h, &final);
    }
    printf(
        "moreau-jean-fremond: %d steps, %d with work of contacts, %d create energy (at most "
        "%.2g), residual %.2g, %d runs refused\n",
        mean.steps, mean.struck, mean.created, mean.most, mean.residual, mean.refused);
    printf("moreau-jean: %d steps, %d create energy (at most %.2g)\n", final.steps, final.created,
           final.most);
    CHECK(mean.steps > 40000 && mean.struck > 2000 && mean.refused < 30);
    CHECK_INT(mean.created, 0);
    CHECK(mean.residual < 1e-12);
    CHECK(final.created > 1000);
}

static void what_is_wrong_is_said(void) {
    machine m = random_machine();
    scree_mechanics mechanics = mechanics_of(&m);
    scree_scheme_options scheme = scree_scheme_options_default();
    const scree_solver_options options = solver();
    scree_mechanism *made;
    scree_error err = { 0 };
    CHECK(scree_mechanism_new(&mechanics, &scheme, &options, &made, &err) == SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "step"));
    scheme.step = 0.1;
    scheme.name = SCREE_MOREAU;
    CHECK(scree_mechanism_new(&mechanics, &scheme, &options, &made, &err) == SCREE_BAD_INPUT);
    scheme.name = SCREE_MOREAU_JEAN;
    mechanics.coordinates = SCREE_MECHANISM_COORDINATES + 1;
    CHECK(scree_mechanism_new(&mechanics, &scheme, &options, &made, &err) == SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "8 coordinates"));
    mechanics.coordinates = m.n;
    m.law[0].friction = -1;
    CHECK(scree_mechanism_new(&mechanics, &scheme, &options, &made, &err) == SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "friction"));
}

int main(void) {
    TEST(kane_gains_by_newton_and_loses_by_fremond);
    TEST(swinging_keeps_the_energy);
    TEST(bar_gains_by_newton_and_loses_by_fremond);
    TEST(stick_is_that_of_the_bodies);
    TEST(fremond_never_creates_energy);
    TEST(what_is_wrong_is_said);
    return harness_end();
}
