// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// The time-stepping schemes of mechanisms against those of matrix systems and bodies, their
// equations, their accounts, and restored states.

#include "scene_text.h"
#include "simulation_text.h"
#include "test_mechanism_examples.h"

static const scree_scheme schemes[] = { SCREE_MOREAU_JEAN, SCREE_MOREAU_JEAN_FREMOND, SCREE_MOREAU,
                                        SCREE_NSCD };

static scree_mechanism *open(const scree_mechanism_def *m, const scree_scheme_options *scheme) {
    const scree_solver_options options = solver();
    scree_mechanism *made;
    scree_error err = { 0 };
    if (scree_mechanism_new(m, scheme, &options, &made, &err)) COMPLAIN("%s", err.text);
    return made;
}

// both for so many steps; the largest difference of their states, and how often contacts took part
static double compare(scree_simulation *simulation, scree_mechanism *s, int steps, int *touching) {
    scree_error err = { 0 };
    scree_account account;
    double worst = 0;
    *touching = 0;
    for (int k = 0; simulation && s && k < steps; k++) {
        if (scree_simulation_step(simulation, &err) || scree_mechanism_step(s, &account, &err)) {
            COMPLAIN("step %d: %s", k, err.text);
            return NAN;
        }
        // bodies that do not move come first
        const scree_state *one = &scree_mechanism_record(s)->after;
        const scree_state *two = scree_simulation_state(simulation);
        int n = scree_simulation_model(simulation)->dofs, own = n > 3 ? 3 : n;
        for (int i = 0; i < own; i++) {
            worst = fmax(worst, fabs(one->q[i] - two->q[n - own + i]));
            worst = fmax(worst, fabs(one->v[i] - two->v[n - own + i]));
        }
        *touching += account.active > 0;
    }
    return worst;
}

// -------------------------------------------------------------------------------------------------
// nscd of matrix systems

static const char damped[] =
    "system:\n"
    "  mass: [[2, 0.3, 0.1], [0.3, 1, -0.2], [0.1, -0.2, 1.5]]\n"
    "  stiffness: [[40, -10, 0], [-10, 30, -5], [0, -5, 20]]\n"
    "  damping: [[0.4, 0.1, 0], [0.1, 0.3, 0], [0, 0, 0.6]]\n"
    "  load: [8*sin(3*t), -2, 5*cos(2*t)]\n"
    "  position: [0.1, 0.2, -0.1]\n"
    "  velocity: [0.5, -1, 0.3]\n"
    "  contacts:\n"
    "    - {name: one, normal: [1, 0.2, 0], tangent: [0, 1, 0.5], gap: 0.1, friction: 0.4}\n"
    "    - {name: two, normal: [0, -0.3, 1], tangent: [1, 0, 0.2], gap: 0.2, friction: 0.7}\n"
    "scheme: {name: nscd, theta: 0.5, step: 2e-3, duration: 8}\n";

static void nscd_is_that_of_matrix_systems(void) {
    static const char *const theta[] = { "scheme.theta=0.5", "scheme.theta=0.8", "scheme.theta=1" };
    const char *scenes[] = { NULL, damped };
    double worst = 0;
    for (int scene = 0; scene < 2; scene++)
        for (int k = 0; k < 3; k++) {
            const char *overrides[] = { theta[k], "scheme.name=nscd", "solver.tolerance=1e-12" };
            scenes[0] = scene_text("klarbring");
            scree_simulation *simulation = open_text(scenes[scene], overrides, 3);
            if (!simulation) return;
            scree_law law[SCREE_MECHANISM_CONTACTS];
            scree_mechanism_def m = matrix_mechanics(scree_simulation_model(simulation), law);
            scree_mechanism *s = open(&m, &scree_simulation_options(simulation)->scheme);
            int touching, steps = scene ? 4000 : k ? 3000 : 12000;
            double off = compare(simulation, s, steps, &touching);
            CHECK_NEAR(off, 0, 1e-11);
            CHECK(touching > steps / 10 && (k || touching < steps));
            worst = fmax(worst, off);
            scree_mechanism_free(s);
            scree_simulation_free(simulation);
        }
    printf("nscd: mechanism and matrix system differ by %.2g\n", worst);
}

// what is left of the balance is what docs/events.md says it is
static void nscd_books_what_it_loses(void) {
    const char *overrides[] = { "scheme.theta=0.8" };
    scree_simulation *simulation = open_text(damped, overrides, 1);
    if (!simulation) return;
    const scree_model *model = scree_simulation_model(simulation);
    scree_law law[SCREE_MECHANISM_CONTACTS];
    scree_mechanism_def m = matrix_mechanics(model, law);
    scree_mechanism *s = open(&m, &scree_simulation_options(simulation)->scheme);
    scree_error err = { 0 };
    scree_account account;
    for (int k = 0; s && k < 2000 && !scree_mechanism_step(s, &account, &err); k++) {
        const scree_step_record *record = scree_mechanism_record(s);
        double jump[3], way[3], lost = 0;
        for (int i = 0; i < 3; i++) {
            jump[i] = record->after.v[i] - record->before.v[i];
            way[i] = record->after.q[i] - record->before.q[i];
        }
        for (int i = 0; i < 9; i++)
            lost -= model->system.mass[i] * jump[i / 3] * jump[i % 3] / 2 +
                    0.3 * model->system.stiffness[i] * way[i / 3] * way[i % 3];
        CHECK_NEAR(account.ledger.numerical_dissipation, lost, 1e-13);
        CHECK(account.energy_created == 0);
    }
    if (s) CHECK_INT((int)scree_mechanism_record(s)->after.step, 2000);
    scree_mechanism_free(s);
    scree_simulation_free(simulation);
}

// -------------------------------------------------------------------------------------------------
// moreau and moreau-jean of bodies

// the stick, with Moreau's law of three parameters
static void stick_is_that_of_the_bodies(void) {
    const double q[] = { sin(45 * degree) / 2, cos(45 * degree) / 2 + 0.01, 45 * degree };
    const double v[] = { -0.5, 0.1, 0.1 };
    const scree_law law = { .restitution = 0.8, .friction = 0.6, .tangential_restitution = 0.4 };
    const scree_mechanism_def m = { 3,    1, NULL, bar_mass, bar_weight, NULL, bar_end,
                                    &law, q, v,    NULL,     NULL,       NULL };
    for (int k = 0; k < 2; k++) {
        const char *overrides[] = { k ? "scheme.name=moreau" : "scheme.name=moreau-jean",
                                    "laws.0.tangential_restitution=0.4",
                                    "parameters.e=0.8",
                                    "parameters.mu=0.6",
                                    "scheme.gap_tolerance=0",
                                    "scheme.velocity_tolerance=0",
                                    "solver.tolerance=1e-12",
                                    "scheme.duration=1" };
        scree_simulation *simulation = open_text(scene_text("impacting-stick"), overrides, 8);
        if (!simulation) return;
        scree_mechanism *s = open(&m, &scree_simulation_options(simulation)->scheme);
        int touching;
        double off = compare(simulation, s, 4000, &touching);
        CHECK_NEAR(off, 0, 1e-11);
        CHECK(touching > 2);
        printf("%s: stick and bodies differ by %.2g, %d steps with contact\n", k ? "moreau" : "mj",
               off, touching);
        scree_mechanism_free(s);
        scree_simulation_free(simulation);
    }
}

// the rod with friction that is no paradox: it slides, then it falls on its other end
static void rod_is_that_of_the_bodies(void) {
    const scree_law law[] = { { .friction = 0.6 }, { .friction = 0.6 } };
    double q[3], v[3];
    rod_start(atan(2), 3, 1, q, v);
    const scree_mechanism_def m = { 3,   2, NULL, bar_mass, rod_weight, NULL, rod_end,
                                    law, q, v,    NULL,     NULL,       NULL };
    for (int k = 0; k < 2; k++) {
        const char *overrides[] = { k ? "scheme.name=moreau" : "scheme.name=moreau-jean",
                                    "parameters.mu=0.6",
                                    "scheme.gap_tolerance=1e-6",
                                    "scheme.velocity_tolerance=1e-9",
                                    "solver.tolerance=1e-12",
                                    "scheme.duration=1" };
        scree_simulation *simulation = open_text(scene_text("painleve-rod"), overrides, 6);
        if (!simulation) return;
        scree_mechanism *s = open(&m, &scree_simulation_options(simulation)->scheme);
        int touching;
        double off = compare(simulation, s, 5000, &touching);
        CHECK_NEAR(off, 0, 1e-11);
        CHECK(touching > 1000);
        printf("%s: rod and bodies differ by %.2g, %d steps with contact\n", k ? "moreau" : "mj",
               off, touching);
        scree_mechanism_free(s);
        scree_simulation_free(simulation);
    }
}

// -------------------------------------------------------------------------------------------------
// random mechanisms

static double energy(const scree_mechanism_def *m, const double *q, const double *v) {
    double gradient[N];
    return kinetic(m, q, v) + machine_potential(m->self, q, gradient);
}

// -grad V + grad(v.M v)/2 - (dM/dt) v, from the machine itself
static void accelerate(const scree_mechanism_def *m, const double *q, const double *v,
                       double weight, double *f) {
    double M[N * N], dM[N * N * N], gradient[N];
    int n = m->coordinates;
    machine_mass(m->self, q, M, dM);
    machine_potential(m->self, q, gradient);
    for (int i = 0; i < n; i++) {
        f[i] -= weight * gradient[i];
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                f[i] +=
                    weight * v[j] * v[k] * (dM[(i * n + j) * n + k] / 2 - dM[(k * n + i) * n + j]);
    }
}

// how far a step is from the equation of its scheme, relative to the momenta in it
static double defect(const scree_mechanism_def *m, const scree_scheme_options *scheme,
                     const scree_step_record *record) {
    const double *q = record->before.q, *v = record->before.v, *end = record->after.v;
    double M[N * N], dM[N * N * N], half[N], f[N] = { 0 }, row[2][N], worst = 0, size = 0;
    int n = m->coordinates;
    bool middle = scheme->name == SCREE_MOREAU;
    for (int i = 0; i < n; i++) half[i] = q[i] + record->h / 2 * v[i];
    const double *place = middle ? half : q;
    machine_mass(m->self, place, M, dM);
    if (scheme->name == SCREE_NSCD) {
        accelerate(m, q, end, 1 - scheme->theta, f);
        accelerate(m, record->after.q, end, scheme->theta, f);
    } else {
        accelerate(m, half, v, 1, f);
    }
    for (int i = 0; i < n; i++) f[i] *= record->h;
    for (int c = 0; c < m->contacts; c++) {
        machine_contact(m->self, c, place, row[0], row[1]);
        for (int i = 0; i < n; i++)
            f[i] += row[0][i] * record->contact[c].impulse[0] +
                    row[1][i] * record->contact[c].impulse[1];
    }
    for (int i = 0; i < n; i++) {
        double left = dot(M + i * n, end, n) - dot(M + i * n, v, n) - f[i];
        worst = fmax(worst, fabs(left));
        size = fmax(size, fabs(f[i]) + fabs(dot(M + i * n, end, n)));
    }
    return worst / (size + 1e-3);
}

// p.(H vbar), from the machine itself
static double work_of_contacts(const scree_mechanism_def *m, const scree_scheme_options *scheme,
                               const scree_step_record *record) {
    double place[N], mean[N], row[2][N], work = 0;
    int n = m->coordinates;
    double ahead = scheme->name == SCREE_MOREAU ? record->h / 2 : 0;
    for (int i = 0; i < n; i++) {
        place[i] = record->before.q[i] + ahead * record->before.v[i];
        mean[i] = (record->after.q[i] - record->before.q[i]) / record->h;
    }
    for (int c = 0; c < m->contacts; c++) {
        machine_contact(m->self, c, place, row[0], row[1]);
        for (int k = 0; k < 2; k++) work += record->contact[c].impulse[k] * dot(row[k], mean, n);
    }
    return work;
}

// velocities at the end of the step agree with the law
static void check_law(const scree_mechanism_def *m, const scree_step_record *record) {
    for (int c = 0; c < m->contacts; c++) {
        const scree_contact *contact = &record->contact[c];
        const double *p = contact->impulse, *u = contact->u_after;
        double slack = 1e-9 * (contact->velocity_scale + fabs(u[0]) + fabs(u[1]));
        CHECK(p[0] >= 0 && fabs(p[1]) <= (1 + 1e-9) * contact->friction * p[0]);
        if (contact->status == SCREE_CONTACT_INACTIVE) continue;
        double normal = u[0] + contact->restitution * contact->u_before[0];
        CHECK(normal >= -slack && (p[0] == 0 || normal <= slack));
        CHECK(contact->status != SCREE_CONTACT_STICK || fabs(u[1]) <= slack);
        CHECK(contact->status != SCREE_CONTACT_SLIP || u[1] * p[1] <= 0);
    }
}

typedef struct tally {
    int steps, struck, refused;
    double defect, gap;  // of equations, of accounts
} tally;

static void follow(const scree_mechanism_def *m, const scree_scheme_options *scheme, tally *all) {
    scree_mechanism *s = open(m, scheme);
    scree_error err = { 0 };
    scree_account account;
    for (int k = 0; s && k < 100; k++) {
        scree_status status = scree_mechanism_step(s, &account, &err);
        if (status == SCREE_UNCONVERGED) {
            all->refused++;
            break;
        }
        if (status) {
            COMPLAIN("%s", err.text);
            break;
        }
        const scree_step_record *record = scree_mechanism_record(s);
        const scree_ledger *ledger = &account.ledger;
        double before = energy(m, record->before.q, record->before.v);
        double after = energy(m, record->after.q, record->after.v);
        double scale = fabs(before) + fabs(after) + kinetic(m, record->after.q, record->after.v) +
                       kinetic(m, record->before.q, record->before.v);
        double flows = ledger->external_work + ledger->damping_work + ledger->contact_normal_work +
                       ledger->contact_tangential_work + ledger->boundary_work +
                       ledger->numerical_dissipation;
        all->gap = fmax(all->gap, fabs(after - before - flows) / scale);
        CHECK(fabs(ledger->residual) <= ledger->bound);
        CHECK_NEAR(ledger->kinetic + ledger->potential, after, 1e-12 * scale);
        CHECK_INT(account.active, record->active);
        CHECK_NEAR(ledger->contact_normal_work + ledger->contact_tangential_work,
                   work_of_contacts(m, scheme, record), 1e-11 * scale);
        all->steps++;
        all->struck += account.tangential_work_max > -HUGE_VAL;
        if (scheme->name == SCREE_NSCD) CHECK(account.energy_created == 0);
        if (scheme->name == SCREE_MOREAU_JEAN_FREMOND) continue;
        check_law(m, record);
        all->defect = fmax(all->defect, defect(m, scheme, record));
    }
    scree_mechanism_free(s);
}

static void equations_hold_and_accounts_close(void) {
    tally all[4] = { { 0 } };
    seed = 11;
    for (int k = 0; k < 100 / FEWER; k++) {
        machine made = random_machine();
        scree_mechanism_def m = mechanics_of(&made);
        scree_scheme_options scheme = scree_scheme_options_default();
        scheme.step = pow(10, uniform(-3, -2));
        scheme.velocity_tolerance = 0;
        scheme.approach = SCREE_APPROACH_REQUIRED;  // the law that check_law knows
        double theta = uniform(0.5, 1);
        for (int i = 0; i < 4; i++) {
            scheme.name = schemes[i];
            scheme.theta = scheme.name == SCREE_NSCD ? theta : 0.5;
            for (int c = 0; c < made.contacts && scheme.name == SCREE_NSCD; c++)
                made.law[c].restitution = 0;
            follow(&m, &scheme, &all[i]);
        }
    }
    for (int i = 0; i < 4; i++) {
        printf(
            "%s: %d steps, %d with impulses, %d runs refused, equations to %.2g, accounts to "
            "%.2g\n",
            scree_scheme_name(schemes[i]), all[i].steps, all[i].struck, all[i].refused,
            all[i].defect, all[i].gap);
        CHECK(all[i].steps > 9000 / FEWER && all[i].struck > 500 / FEWER && all[i].refused < 10);
        CHECK(all[i].defect < 1e-11);
        CHECK(all[i].gap < 1e-12);
    }
}

static void restored_states_go_on_with_the_same_bits(void) {
    scree_scheme_options scheme = scree_scheme_options_default();
    scheme.step = 5e-3;
    seed = 21;
    for (int k = 0; k < 20; k++) {
        machine made = random_machine();
        for (int c = 0; c < made.contacts; c++) made.law[c].restitution = 0;
        scree_mechanism_def m = mechanics_of(&made);
        size_t size = (size_t)m.coordinates * sizeof(double);
        scheme.name = schemes[k % 4];
        scree_mechanism *whole = open(&m, &scheme), *part = open(&m, &scheme);
        scree_error err = { 0 };
        scree_account one, two;
        for (int i = 0; i < 120 && whole && part; i++) {
            const scree_state *state = &scree_mechanism_record(whole)->after;
            if (i == 70) {
                const scree_step_record *record = scree_mechanism_record(whole);
                CHECK(
                    !scree_mechanism_restore(part, state, record->contact, record->contacts, &err));
                scree_ledger ledger = scree_mechanism_ledger(part);
                CHECK(ledger.kinetic == one.ledger.kinetic && ledger.external_work == 0);
                CHECK(scree_mechanism_record(part)->contact[0].gap ==
                      scree_mechanism_record(whole)->contact[0].gap_after);
            }
            CHECK(!scree_mechanism_step(whole, &one, &err));
            if (i < 70) continue;
            CHECK(!scree_mechanism_step(part, &two, &err));
            state = &scree_mechanism_record(whole)->after;
            const scree_state *other = &scree_mechanism_record(part)->after;
            CHECK(!memcmp(state->q, other->q, size) && !memcmp(state->v, other->v, size));
            CHECK(state->step == other->step && state->time == other->time);
            CHECK(one.ledger.numerical_dissipation == two.ledger.numerical_dissipation);
        }
        scree_mechanism_free(whole);
        scree_mechanism_free(part);
    }
}

static void refuse(const scree_mechanism_def *m, scree_scheme name, double theta,
                   const char *word) {
    scree_scheme_options scheme = scree_scheme_options_default();
    const scree_solver_options options = solver();
    scree_mechanism *made;
    scree_error err = { 0 };
    scheme.name = name;
    scheme.step = 0.01;
    scheme.theta = theta;
    CHECK(scree_mechanism_new(m, &scheme, &options, &made, &err) == SCREE_BAD_INPUT && !made);
    if (!strstr(err.text, word)) COMPLAIN("%s", err.text);
}

static void what_is_wrong_is_said(void) {
    static const char *const names[] = { "toe" };
    const double depth = 1.5, q[] = { 1, 1 }, v[] = { 0, 0 };
    scree_law law = { .restitution = 0.5 };
    scree_mechanism_def m = {
        2, 1,     &depth, pendulum_mass, pendulum_weight, NULL, pendulum_tip, &law, q,
        v, names, NULL,   NULL
    };
    refuse(&m, SCREE_NSCD, 0.5, "contact toe: nscd has no restitution, got 0.5; moreau-jean has");
    refuse(&m, SCREE_NSCD, 0.4, "theta");
    refuse(&m, SCREE_MOREAU, 0.7, "theta 1/2 only");
    m.contact_name = NULL;
    law = (scree_law){ .tangential_restitution = 0.5 };
    refuse(&m, SCREE_NSCD, 0.5, "contact 0: nscd has no tangential restitution");
    law = (scree_law){ .cohesion = 1 };
    refuse(&m, SCREE_MOREAU_JEAN, 0.5, "cohesion");
    law = (scree_law){ .friction = 0.5 };
    const double bad[] = { NAN, 0 };
    m.velocity = bad;
    refuse(&m, SCREE_MOREAU_JEAN, 0.5, "not finite");
}

static void theorem_speaks_of_fremond(void) {
    const double depth = 1.5, q[] = { 1, 1 }, v[] = { 0, 0 };
    const scree_law law = { .friction = 0.5 };
    const scree_mechanism_def m = {
        2, 1,    &depth, pendulum_mass, pendulum_weight, NULL, pendulum_tip, &law, q,
        v, NULL, NULL,   NULL
    };
    scree_scheme_options scheme = scree_scheme_options_default();
    scree_model *model = scree_model_new();
    scree_error err = { 0 };
    CHECK(!scree_model_set_mechanism(model, &m, &err) && !scree_model_finish(model, &err));
    for (int i = 0; i < 4; i++) {
        scheme.name = schemes[i];
        CHECK(scree_ledger_theorem(model, &scheme).holds == (i == 1));
    }
    scree_model_free(model);
}

// of events only laws are asked: the same for matrix systems and mechanisms
static void theorem_of_events(void) {
    const double depth = 1.5, q[] = { 1, 1 }, v[] = { 0, 0 };
    for (int rough = 0; rough < 2; rough++) {
        const scree_law law = { .restitution = 0.5, .friction = rough ? 0.5 : 0 };
        const scree_mechanism_def m = {
            2, 1,    &depth, pendulum_mass, pendulum_weight, NULL, pendulum_tip, &law, q,
            v, NULL, NULL,   NULL
        };
        scree_error err = { 0 };
        scree_model *model = scree_model_new();
        CHECK_INT(scree_model_set_mechanism(model, &m, &err), SCREE_OK);
        CHECK(scree_events_theorem(model).holds == !rough);
        scree_model_free(model);
    }
}

TEST_FILE(test_mechanism_schemes) {
    TEST(nscd_is_that_of_matrix_systems);
    TEST(nscd_books_what_it_loses);
    TEST(stick_is_that_of_the_bodies);
    TEST(rod_is_that_of_the_bodies);
    TEST(equations_hold_and_accounts_close);
    TEST(restored_states_go_on_with_the_same_bits);
    TEST(what_is_wrong_is_said);
    TEST(theorem_speaks_of_fremond);
    TEST(theorem_of_events);
    return harness_end();
}
