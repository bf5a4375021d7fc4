// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// Mechanisms: Kane's pendulum and the bar under both laws, the impacting stick, conserved energy,
// and random ones in which moreau-jean-fremond never creates energy.

#include "test_mechanism_examples.h"

static scree_mechanism *open(const scree_mechanism_def *m, scree_scheme name, double h) {
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

static void kane_gains_by_newton_and_loses_by_fremond(void) {
    const double depth = 1, q[] = { 20 * degree, 30 * degree }, v[] = { -0.1, -0.2 };
    const scree_law law = { .restitution = 0.5, .friction = 0.5 };
    const scree_mechanism_def m = { 2,    1, &depth, pendulum_mass, NULL, NULL, pendulum_tip,
                                    &law, q, v,      NULL,          NULL, NULL };
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

static double swing_error(const scree_mechanism_def *m, scree_scheme name, double h,
                          double *drift) {
    double exact[4] = { m->position[0], m->position[1], m->velocity[0], m->velocity[1] };
    swing(2, 40000, exact);
    scree_mechanism *s = open(m, name, h);
    scree_error err = { 0 };
    scree_account account = { 0 };
    const scree_ledger *ledger = &account.ledger;
    double first = NAN;
    *drift = 0;
    for (int k = 0; s && k < (int)nearbyint(2 / h); k++) {
        if (scree_mechanism_step(s, &account, &err)) COMPLAIN("%s", err.text);
        double energy = ledger->kinetic + ledger->potential;
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
    const scree_mechanism_def m = {
        2, 0, &depth, pendulum_mass, pendulum_weight, NULL, NULL, NULL, q, v, NULL, NULL, NULL
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

static void bar_gains_by_newton_and_loses_by_fremond(void) {
    static const double mu[] = { 0.01, 0.1, 1 };
    static const double newton[] = { 7.06220769446e-4, 8.600602156079e-3, 1.3493416308792e-2 };
    static const double fremond[] = { -6.75820114956e-4, -5.533789814072e-3, 0 };
    const double q[] = { 0, 1, 45 * degree }, v[] = { -0.5, -0.5, 0.1 };
    const scree_solver_options options = solver();
    for (int k = 0; k < 3; k++) {
        const scree_law law = { .restitution = 1, .friction = mu[k] };
        const scree_mechanism_def m = { 3,    1, NULL, bar_mass, NULL, NULL, bar_end,
                                        &law, q, v,    NULL,     NULL, NULL };
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
    const scree_mechanism_def m = { 3,    1, NULL, bar_mass, bar_weight, NULL, bar_end,
                                    &law, q, v,    NULL,     NULL,       NULL };
    for (int k = 0; k < 2; k++) {
        scree_mechanism *s = open(&m, k ? SCREE_MOREAU_JEAN_FREMOND : SCREE_MOREAU_JEAN, 1e-4);
        scree_error err = { 0 };
        scree_account account;
        const scree_ledger *ledger = &account.ledger;
        double work = 0;
        for (int i = 0; s && i < 2000; i++) {
            if (scree_mechanism_step(s, &account, &err)) COMPLAIN("%s", err.text);
            CHECK(fabs(ledger->residual) <= ledger->bound);
            work += ledger->contact_tangential_work;
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

typedef struct tally {
    int steps, struck, created, refused;
    double most, residual;  // energy created in a step, residual, relative
} tally;

static void follow(const machine *m, scree_scheme scheme, double h, tally *all) {
    const scree_mechanism_def mechanics = mechanics_of(m);
    scree_mechanism *s = open(&mechanics, scheme, h);
    scree_error err = { 0 };
    scree_account account = { 0 };
    const scree_ledger *ledger = &account.ledger;
    double gradient[N];
    double before = kinetic(&mechanics, m->q, m->v) + machine_potential(m, m->q, gradient);
    double scale = fabs(before) + kinetic(&mechanics, m->q, m->v) + 1;
    for (int k = 0; s && k < 200; k++) {
        scree_status status = scree_mechanism_step(s, &account, &err);
        if (status == SCREE_UNCONVERGED) {
            all->refused++;
            break;
        }
        if (status) COMPLAIN("%s", err.text);
        double energy = ledger->kinetic + ledger->potential;
        all->steps++;
        all->struck += ledger->contact_normal_work != 0;
        all->created += energy - before > 1e-10 * scale;
        all->most = fmax(all->most, (energy - before) / scale);
        all->residual = fmax(all->residual, fabs(ledger->residual) / scale);
        if (scheme == SCREE_MOREAU_JEAN_FREMOND) {
            CHECK(fabs(ledger->residual) <= ledger->bound);
            CHECK(energy - before <= ledger->bound + 1e-10 * scale);
        }
        before = energy;
    }
    scree_mechanism_free(s);
}

static void fremond_never_creates_energy(void) {
    enum { MACHINES = 160 / FEWER };
    tally mean = { 0 }, final = { 0 };
    seed = 4;
    for (int k = 0; k < MACHINES; k++) {
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
    CHECK(mean.steps > 130 * MACHINES && mean.struck > 6 * MACHINES &&
          mean.refused <= MACHINES / 10);
    CHECK_INT(mean.created, 0);
    CHECK(mean.residual < 1e-12);
    CHECK(final.created > 3 * MACHINES);
}

static void what_is_wrong_is_said(void) {
    machine m = random_machine();
    scree_mechanism_def mechanics = mechanics_of(&m);
    scree_scheme_options scheme = scree_scheme_options_default();
    const scree_solver_options options = solver();
    scree_mechanism *made;
    scree_error err = { 0 };
    CHECK(scree_mechanism_new(&mechanics, &scheme, &options, &made, &err) == SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "step"));
    scheme.step = 0.1;
    scheme.name = SCREE_EVENT_DRIVEN;
    CHECK(scree_mechanism_new(&mechanics, &scheme, &options, &made, &err) == SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "scree_events_of_mechanism"));
    scheme.name = SCREE_MOREAU_JEAN;
    mechanics.coordinates = SCREE_MECHANISM_COORDINATES + 1;
    CHECK(scree_mechanism_new(&mechanics, &scheme, &options, &made, &err) == SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "40 coordinates"));
    mechanics.coordinates = m.n;
    m.law[0].friction = -1;
    CHECK(scree_mechanism_new(&mechanics, &scheme, &options, &made, &err) == SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "friction"));
}

TEST_FILE(test_mechanism) {
    TEST(kane_gains_by_newton_and_loses_by_fremond);
    TEST(swinging_keeps_the_energy);
    TEST(bar_gains_by_newton_and_loses_by_fremond);
    TEST(stick_is_that_of_the_bodies);
    TEST(fremond_never_creates_energy);
    TEST(what_is_wrong_is_said);
    return harness_end();
}
