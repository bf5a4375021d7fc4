// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_cones.c - friction that depends on direction, cohesion, rolling resistance, joints.
//
// Answers are held against the law in words (mechanism.h) and against closed forms, never against
// the library's residual. And: other units and other tangents are the same problem.

#include "mechanism.h"
#include "random.h"
#include "solve/residual.h"

static const double g = 9.81;
static double flat[3][3] = { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } };

// -------------------------------------------------------------------------------------------------
// any law on random bodies

typedef struct kind {
    const char *name;
    int d, bodies, contacts;
    bool elliptic, sticky, joints;
} kind;

static void random_vector(double *x, double size) {
    for (int k = 0; k < 3; k++) x[k] = uniform(-size, size);
}

/// Contact i between two random bodies, or a body and the ground; in the plane z = 0 for d = 2.
static void random_hold(mechanism *one, int i) {
    int body[2] = { random_int(0, one->bodies - 1), random_int(-1, one->bodies - 1) };
    double normal[3], arm[3], frame[3][3];
    if (body[1] == body[0]) body[1] = -1;
    random_vector(normal, 1);
    if (one->d == 2) normal[2] = 0;
    make_frame(normal, one->d == 2 ? 0 : uniform(0, 6), frame);
    if (one->d == 2) {
        double tangent[3] = { -frame[0][1], frame[0][0], 0 };
        memcpy(frame[1], tangent, sizeof tangent);
    }
    for (int e = 0; e < 2; e++) {
        random_vector(arm, 1);
        if (one->d == 2) arm[2] = 0;
        attach(one, i, e, body[e], arm, frame);
    }
}

/// Whatever velocities there are, standing still is allowed: there is a solution.
static mechanism *random_mechanism(const kind *of) {
    mechanism *one = mechanism_new(of->d, of->bodies, of->contacts);
    for (int k = 0; k < of->bodies; k++) set_mass(one, k, uniform(0.5, 2), uniform(0.2, 1));
    for (int k = 0; k < of->bodies * 6; k++) one->velocity[k] = uniform(-1, 1);
    for (int i = 0; i < of->contacts; i++) {
        random_hold(one, i);
        one->mu[i] = uniform(0.05, 0.4);
        if (of->elliptic) one->mu_second[i] = one->mu[i] * uniform(0.3, 3);
        if (of->d == 5) one->mu_rolling[i] = uniform(0.01, 0.2);
        if (of->sticky) one->cohesion[i] = uniform(0, 1) < 0.5 ? 0 : uniform(0, 0.5);
        one->equality[i] = of->joints && uniform(0, 1) < 0.25;
    }
    condense(one);
    return one;
}

/// Methods that may run out of steam; that they say so is another test's business.
static bool may_fail(const char *solver) {
    return strncmp(solver, "nsgs", 4) == 0 || strcmp(solver, "apgd") == 0 ||
           strcmp(solver, "alart-curnier") == 0 || strcmp(solver, "admm") == 0;
}

static bool refuses(const mechanism *one, const char *solver) {
    scree_solver_options options = scree_solver_options_default();
    scree_report report;
    scree_error err = { 0 };
    double p[400] = { 0 };
    options.name = solver;
    if (scree_solve(&one->problem, &options, p, &report, &err) != SCREE_BAD_INPUT) return false;
    if (!strstr(err.text, solver)) COMPLAIN("%s: \"%s\"", solver, err.text);
    return true;
}

static void law_holds(const kind *of, int rounds) {
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++) {
        int solved = 0, refused = 0;
        double worst = 0;
        seed = 21;
        for (int round = 0; round < rounds; round++) {
            mechanism *one = random_mechanism(of);
            double p[400] = { 0 }, s[400], v[400];
            if (is_planar_solver(entry->name) && refuses(one, entry->name)) {
                refused++;
                mechanism_free(one);
                continue;
            }
            scree_report report = solve_mechanism(one, entry->name, 1e-9, 20000, p);
            if (report.converged) {
                move(one, p, v, s);
                worst = fmax(worst, law_miss(one, p, s));
                solved++;
            } else if (!may_fail(entry->name)) {
                COMPLAIN("%s, %s: %s at %.3g", of->name, entry->name,
                         scree_stop_reason_text(report.reason),
                         scree_residual_max(report.residual));
            }
            mechanism_free(one);
        }
        printf("%s, %s: %d of %d solved, %d refused, law missed by %.2g\n", of->name, entry->name,
               solved, rounds, refused, worst);
        if (!(worst <= 1e-6))
            COMPLAIN("%s, %s: the law is missed by %g", of->name, entry->name, worst);
        CHECK(refused + solved >= rounds * 3 / 4);
    }
}

static void friction_with_directions(void) {
    law_holds(&(kind){ "elliptic", 3, 5, 9, true, false, false }, 20);
}
static void sticky_contacts(void) {
    law_holds(&(kind){ "cohesion, planar", 2, 5, 7, false, true, false }, 20);
    law_holds(&(kind){ "cohesion", 3, 5, 9, false, true, false }, 20);
}
static void rolling_contacts(void) {
    law_holds(&(kind){ "rolling", 5, 6, 8, false, false, false }, 20);
}
static void joints(void) {
    law_holds(&(kind){ "joints, planar", 2, 5, 7, false, false, true }, 20);
    law_holds(&(kind){ "joints", 3, 5, 9, false, false, true }, 20);
}
static void everything_at_once(void) {
    law_holds(&(kind){ "elliptic, cohesion, joints", 3, 6, 9, true, true, true }, 20);
    law_holds(&(kind){ "rolling and all of it", 5, 8, 9, true, true, true }, 20);
}

/// The judge can refuse: answers that are slightly off are found out, in each law.
static void the_judge_is_awake(void) {
    const kind kinds[] = { { "elliptic", 3, 5, 9, true, false, false },
                           { "cohesion", 3, 5, 9, false, true, false },
                           { "rolling", 5, 6, 8, false, false, false },
                           { "joints", 3, 5, 9, false, false, true } };
    for (int k = 0; k < 4; k++) {
        seed = 22;
        mechanism *one = random_mechanism(&kinds[k]);
        double p[400] = { 0 }, s[400], v[400];
        CHECK(solve_mechanism(one, "auto", 1e-11, 10000, p).converged);
        move(one, p, v, s);
        CHECK(law_miss(one, p, s) <= 1e-8);
        for (int i = 0; i < rows_of(one); i++) {
            double kept = p[i];
            p[i] += 1e-3;
            move(one, p, v, s);
            CHECK(law_miss(one, p, s) >= 1e-6);
            p[i] = kept;
        }
        mechanism_free(one);
    }
}

// the largest of (p_N s_N)^+ + (p_T . s_T)^+ over what is said of it, and the sum of that
static double works_over(const mechanism *one, const double *p, const double *s, double *said) {
    double work[400], most = 0;
    bool asked[400];
    for (int i = 0; i < one->contacts; i++) asked[i] = true;
    *said = 0;
    CHECK(scree_residual_works(&one->problem, p, s, asked, work));
    for (int i = 0; i < one->contacts; i++) {
        const double *pi = p + i * one->d, *si = s + i * one->d;
        double tangential = 0;
        for (int k = 1; k < one->d; k++) tangential += pi[k] * si[k];
        double done = fmax(pi[0] * si[0], 0) + fmax(tangential, 0);
        *said += work[i];
        if (done > 0) most = fmax(most, done / work[i]);
    }
    return most;
}

/// Works of contacts above zero are never more than their natural map explains, however far off an
/// answer is, and that is little where it is little.
static void residuals_explain_works(void) {
    const kind kinds[] = {
        { "planar", 2, 5, 9, false, false, false },  { "spatial", 3, 5, 9, false, false, false },
        { "elliptic", 3, 5, 9, true, false, false }, { "cohesion", 3, 5, 9, false, true, false },
        { "rolling", 5, 6, 8, false, false, false }, { "joints", 3, 5, 9, false, false, true }
    };
    const double off[] = { 1e-8, 1e-4, 1e-1, 10 };
    seed = 31;
    for (int k = 0; k < 6; k++)
        for (int round = 0; round < 40; round++) {
            mechanism *one = random_mechanism(&kinds[k]);
            double p[400] = { 0 }, s[400], v[400], said;
            bool solved = solve_mechanism(one, "auto", 1e-11, 10000, p).converged;
            for (int i = 0; i < rows_of(one); i++) p[i] += off[round % 4] * uniform(-1, 1);
            move(one, p, v, s);
            double over = works_over(one, p, s, &said);
            if (!(over <= 1 + 1e-9))
                COMPLAIN("%s, off by %g: %g", kinds[k].name, off[round % 4], over);
            if (solved && round % 4 < 2) CHECK(said < 2e3 * off[round % 4]);
            mechanism_free(one);
        }
}

// -------------------------------------------------------------------------------------------------
// closed forms

/// A block that does not turn, on a level plane.
static mechanism *block(int d, double mass) {
    mechanism *one = mechanism_new(d, 1, 1);
    double arm[3] = { 0 };
    set_mass(one, 0, mass, 1);
    for (int k = 3; k < 6; k++) one->inverse[k] = 0;
    attach(one, 0, 0, 0, arm, flat);
    attach(one, 0, 1, -1, arm, flat);
    return one;
}

/// Velocity after friction with mu[0], mu[1] and the normal impulse q per mass, by bisection of
/// sigma = |mu s|:   s_k (1 + q mu_k^2 / sigma) = b_k.
static void slide_on_ellipse(const double *b, const double *mu, double q, double *s) {
    double low = 0, high = hypot(mu[0] * b[0], mu[1] * b[1]);
    s[0] = s[1] = 0;
    if (hypot(b[0] / mu[0], b[1] / mu[1]) <= q) return;  // it sticks
    for (int k = 0; k < 200; k++) {
        double sigma = 0.5 * (low + high), sum = 0;
        for (int j = 0; j < 2; j++) {
            s[j] = b[j] * sigma / (sigma + q * mu[j] * mu[j]);
            sum += mu[j] * mu[j] * s[j] * s[j];
        }
        *(sqrt(sum) > sigma ? &low : &high) = sigma;
    }
}

static void block_on_rough_boards(void) {
    seed = 23;
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++) {
        if (is_planar_solver(entry->name)) continue;
        int stuck = 0;
        for (int round = 0; round < 100; round++) {
            double mass = exp(uniform(-3, 3)), p[3] = { 0 }, s[3], v[6], expected[2];
            double mu[2] = { uniform(0.05, 1), uniform(0.05, 1) }, fall = uniform(0.1, 1);
            mechanism *one = block(3, mass);
            one->mu[0] = mu[0];
            one->mu_second[0] = mu[1];
            for (int k = 0; k < 2; k++) one->velocity[k] = round % 10 ? uniform(-1, 1) : 1e-3 * k;
            one->velocity[2] = -fall;
            condense(one);
            scree_report report = solve_mechanism(one, entry->name, 1e-13, 10000, p);
            if (!report.converged)
                COMPLAIN("%s: %s at %g", entry->name, scree_stop_reason_text(report.reason),
                         scree_residual_max(report.residual));
            slide_on_ellipse(one->b + 1, mu, fall, expected);
            move(one, p, v, s);
            CHECK_NEAR(s[0], 0, 1e-12);
            CHECK_NEAR(p[0] / mass, fall, 1e-11);
            CHECK_NEAR(s[1], expected[0], 1e-9);
            CHECK_NEAR(s[2], expected[1], 1e-9);
            stuck += expected[0] == 0;
            mechanism_free(one);
        }
        CHECK(stuck > 5 && stuck < 60);
    }
}

/// Pulled up: it holds until the pull is c, and slides under what friction is left.
static void glue(void) {
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++)
        for (int k = 0; k < 40; k++) {
            int d = is_planar_solver(entry->name) ? 2 : 3;
            double mass = 2, c = 0.3, mu = 0.5, pull = -0.3 + 0.03 * k;  // impulse c, pull * mass
            double push = k % 3 * 0.06, p[3] = { 0 }, s[3], v[6];
            mechanism *one = block(d, mass);
            one->mu[0] = mu;
            one->cohesion[0] = c;
            one->velocity[2] = pull;
            one->velocity[0] = push;
            condense(one);
            if (is_planar_solver(entry->name) && refuses(one, entry->name)) {
                mechanism_free(one);
                continue;
            }
            if (!solve_mechanism(one, entry->name, 1e-13, 10000, p).converged)
                COMPLAIN("%s: not converged, pull %g", entry->name, pull);
            move(one, p, v, s);
            double normal = fmax(-c, -mass * pull), most = mu * (normal + c);
            CHECK_NEAR(p[0], normal, 1e-11);
            CHECK_NEAR(s[0], fmax(0, pull - c / mass), 1e-11);
            CHECK_NEAR(p[1], -fmin(most, mass * push), 1e-11);
            mechanism_free(one);
        }
}

/// However strong the glue against the motion, the tolerance is held against the motion. Impulses
/// are found as p + c, so that eps c is lost.
static void strong_glue(void) {
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++) {
        if (is_planar_solver(entry->name)) continue;
        for (double c = 1e-6; c <= 1e6; c *= 1e3) {
            // three balls in a column, pulled up gently
            mechanism *one = mechanism_new(3, 3, 3);
            double down[3] = { 0, 0, -1 }, up[3] = { 0, 0, 1 }, p[9] = { 0 }, s[9], v[18];
            for (int i = 0; i < 3; i++) {
                set_mass(one, i, 1 + i, 0.4);
                attach(one, i, 0, i, down, flat);
                attach(one, i, 1, i - 1, up, flat);
                one->velocity[i * 6 + 2] = 1e-3 * (1 + i);
                one->velocity[i * 6] = 1e-4 * (1 - i);
                one->mu[i] = 0.3;
                one->cohesion[i] = c;
            }
            condense(one);
            scree_report report = solve_mechanism(one, entry->name, 1e-9 + 1e-11 * c, 20000, p);
            move(one, p, v, s);
            if (!report.converged)
                COMPLAIN("%s, c = %g: %s at %.3g, %.3g", entry->name, c,
                         scree_stop_reason_text(report.reason), report.residual.natural,
                         report.residual.scaled);
            else if (c >= 1)  // all holds
                for (int i = 0; i < 9; i++) CHECK_NEAR(s[i], 0, 1e-11 + 1e-13 * c);
            mechanism_free(one);
        }
    }
}

/// A ball that rolls without slip at v0 stops at t = 7 R v0 / (5 mu_r g).
static void rolling_ball_stops(void) {
    const double R = 0.3, mass = 4, v0 = 0.2, mu_r = 0.02, h = 1e-2;
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++) {
        if (is_planar_solver(entry->name)) continue;
        mechanism *one = mechanism_new(5, 1, 1);
        double down[3] = { 0, 0, -R }, frame[3][3], slow = 5 * mu_r * g / (7 * R), ended = HUGE_VAL;
        make_frame(flat[0], 0.7, frame);
        set_mass(one, 0, mass, 0.4 * mass * R * R);
        attach(one, 0, 0, 0, down, frame);
        attach(one, 0, 1, -1, down, frame);
        one->mu[0] = 0.5;
        one->mu_rolling[0] = mu_r;
        one->velocity[0] = v0;
        one->velocity[4] = v0 / R;
        for (int step = 1; step <= 100; step++) {
            double p[5] = { 0 }, s[5], v[6], expected = fmax(0, v0 - slow * step * h);
            one->velocity[2] -= g * h;
            condense(one);
            scree_report report = solve_mechanism(one, entry->name, 1e-13, 20000, p);
            if (!report.converged)
                COMPLAIN("%s, step %d: %s at %.3g", entry->name, step,
                         scree_stop_reason_text(report.reason),
                         scree_residual_max(report.residual));
            move(one, p, v, s);
            memcpy(one->velocity, v, sizeof v);
            CHECK_NEAR(v[0], expected, 1e-10);
            CHECK_NEAR(v[4] * R, expected, 1e-10);
            CHECK_NEAR(hypot(v[1], v[2]), 0, 1e-10);
            if (fabs(v[0]) < 1e-10 && ended == HUGE_VAL) ended = step * h;
        }
        CHECK(ended >= v0 / slow && ended <= v0 / slow + h);
        mechanism_free(one);
    }
}

/// A rod hung on two points of an axis (six equations, one more than there are) and let go at an
/// angle: the pivot stands still, the rod turns at m g h l sin / (I + m l^2).
static void pendulum(void) {
    const double mass = 3, length = 0.8, inertia = 0.2, h = 1e-2;
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++)
        for (double angle = 0.1; angle < 3; angle += 0.7) {
            bool planar = is_planar_solver(entry->name);
            mechanism *one = mechanism_new(planar ? 2 : 3, 1, planar ? 1 : 2);
            // it swings in the plane x, y; gravity is -y
            double x = length * sin(angle), y = -length * cos(angle), p[6] = { 0 }, s[6], v[6];
            double frame[3][3] = { { 0, 1, 0 }, { 1, 0, 0 }, { 0, 0, 1 } };
            set_mass(one, 0, mass, inertia);
            one->velocity[1] = -g * h;
            for (int i = 0; i < one->contacts; i++) {
                double arm[3] = { -x, -y, planar ? 0 : i - 0.5 };
                attach(one, i, 0, 0, arm, frame);
                attach(one, i, 1, -1, arm, frame);
                one->equality[i] = 1;
            }
            condense(one);
            if (planar && refuses(one, entry->name)) {
                mechanism_free(one);
                continue;
            }
            if (!solve_mechanism(one, entry->name, 1e-11, 20000, p).converged)
                COMPLAIN("%s: not converged", entry->name);
            move(one, p, v, s);
            double spin = -mass * g * h * x / (inertia + mass * length * length);
            CHECK_NEAR(v[5], spin, 1e-9);
            CHECK_NEAR((v[0] * x + v[1] * y) / length, 0, 1e-9);  // the length stays
            CHECK_NEAR(v[0], -spin * y, 1e-9);
            CHECK_NEAR(v[1], spin * x, 1e-9);
            CHECK_NEAR(hypot(hypot(v[2], v[3]), v[4]), 0, 1e-9);
            for (int i = 0; i < rows_of(one); i++) CHECK_NEAR(s[i], 0, 1e-9);
            mechanism_free(one);
        }
}

// -------------------------------------------------------------------------------------------------
// other units, other tangents

/// The same bodies in units of mass, length and time that are powers of two: no rounding differs.
static mechanism *in_units(const mechanism *from, double mass, double length, double time) {
    mechanism *one = mechanism_new(from->d, from->bodies, from->contacts);
    double speed = length / time;
    for (int k = 0; k < from->bodies * 6; k++) {
        one->inverse[k] = from->inverse[k] / mass / (k % 6 < 3 ? 1 : length * length);
        one->velocity[k] = from->velocity[k] * (k % 6 < 3 ? speed : 1 / time);
    }
    for (int i = 0; i < from->contacts; i++) {
        one->hold[i] = from->hold[i];
        for (int e = 0; e < 2; e++)
            for (int r = 0; r < 3; r++)
                for (int k = 3; k < 6; k++) one->hold[i].H[e][r][k] *= length;
        one->mu[i] = from->mu[i];
        one->mu_second[i] = from->mu_second[i];
        one->mu_rolling[i] = from->mu_rolling[i] * length;
        one->cohesion[i] = from->cohesion[i] * mass * speed;
        one->equality[i] = from->equality[i];
    }
    condense(one);
    return one;
}

static scree_report solve_scaled(const mechanism *one, const char *solver, double *p) {
    scree_solver_options options = scree_solver_options_default();
    scree_report report = { 0 };
    scree_error err = { 0 };
    options.name = solver;
    options.criterion = SCREE_CRITERION_SCALED;
    options.tolerance = 1e-9;
    options.max_sweeps = 3000;
    CHECK_INT(scree_solve(&one->problem, &options, p, &report, &err), SCREE_OK);
    return report;
}

static void compare_units(const kind *of, const char *solver, double mass, double length,
                          double time) {
    mechanism *one = random_mechanism(of), *other = in_units(one, mass, length, time);
    double *p = zeros((size_t)rows_of(one), sizeof *p), *q = zeros((size_t)rows_of(one), sizeof *q);
    scree_report first = solve_scaled(one, solver, p), second = solve_scaled(other, solver, q);
    double impulse = mass * length / time;
    int differ = 0;
    double most = 0, off = 0;
    for (int k = 0; k < rows_of(one); k++) {
        double same = q[k] / impulse / (k % of->d < 3 ? 1 : length);
        differ += same != p[k];
        off = fmax(off, fabs(same - p[k]));
        most = fmax(most, fabs(p[k]));
    }
    // these two scale by what is no power of two, and pivot by what rounding leaves
    bool rounds = is_planar_solver(solver) && off <= 1e-13 * most && second.converged;
    if ((differ || first.iterations != second.iterations || first.reason != second.reason) &&
        !rounds)
        COMPLAIN("%s, %s, units %g, %g, %g: %d of %d differ by %.2g, %d and %d iterations",
                 of->name, solver, mass, length, time, differ, rows_of(one), off / most,
                 first.iterations, second.iterations);
    free(p);
    free(q);
    mechanism_free(one);
    mechanism_free(other);
}

static void units_do_not_matter(void) {
    const kind kinds[] = { { "planar", 2, 5, 7, false, false, false },
                           { "spatial", 3, 5, 9, false, false, false },
                           { "more contacts", 3, 60, 80, false, false, false },
                           { "elliptic, cohesion, joints", 3, 6, 9, true, true, true },
                           { "rolling", 5, 6, 8, false, true, false } };
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++)
        for (int k = 0; k < (is_planar_solver(entry->name) ? 1 : 5); k++) {
            seed = 24;
            compare_units(&kinds[k], entry->name, 1024, 1, 1);
            compare_units(&kinds[k], entry->name, 1, 0x1p-12, 1);
            compare_units(&kinds[k], entry->name, 1, 1, 0x1p15);
            compare_units(&kinds[k], entry->name, 0x1p-20, 0x1p10, 0x1p-9);
        }
}

/// Turn the tangents of contact i, and with them the arrays of H.
static void turn_tangents(mechanism *one, int i, double angle) {
    double c = cos(angle), s = sin(angle);
    for (int first = 1; first < one->d; first += 2)
        for (int e = 0; e < 2; e++)
            for (int k = 0; k < 6; k++) {
                double *x = &one->hold[i].H[e][first][k], *y = &one->hold[i].H[e][first + 1][k];
                double kept = *x;
                *x = c * kept + s * *y;
                *y = c * *y - s * kept;
            }
}

/// Bodies move in the same way whatever the tangents; the two of an ellipse change places after a
/// quarter turn.
static void tangents_do_not_matter(void) {
    const kind kinds[] = { { "spatial", 3, 5, 9, false, false, false },
                           { "elliptic", 3, 5, 9, true, false, false },
                           { "cohesion, joints", 3, 6, 9, false, true, true },
                           { "rolling", 5, 6, 8, false, false, false } };
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++) {
        if (is_planar_solver(entry->name)) continue;
        for (int k = 0; k < 4; k++) {
            seed = 25;
            mechanism *one = random_mechanism(&kinds[k]);
            double p[2][400] = { { 0 } }, v[2][400], s[400];
            scree_report first = solve_mechanism(one, entry->name, 1e-11, 20000, p[0]);
            move(one, p[0], v[0], s);
            for (int i = 0; i < one->contacts; i++) {
                turn_tangents(one, i, kinds[k].elliptic ? acos(0) : uniform(0, 6));
                if (!kinds[k].elliptic) continue;
                double kept = one->mu[i];
                one->mu[i] = one->mu_second[i];
                one->mu_second[i] = kept;
            }
            condense(one);
            scree_report second = solve_mechanism(one, entry->name, 1e-11, 20000, p[1]);
            move(one, p[1], v[1], s);
            if (!first.converged || !second.converged) {
                if (!may_fail(entry->name))
                    COMPLAIN("%s, %s: not converged", kinds[k].name, entry->name);
            } else {
                for (int j = 0; j < one->bodies * 6; j++) CHECK_NEAR(v[1][j], v[0][j], 1e-7);
            }
            mechanism_free(one);
        }
    }
}

TEST_FILE(test_cones) {
    TEST(friction_with_directions);
    TEST(sticky_contacts);
    TEST(rolling_contacts);
    TEST(joints);
    TEST(everything_at_once);
    TEST(the_judge_is_awake);
    TEST(residuals_explain_works);
    TEST(block_on_rough_boards);
    TEST(glue);
    TEST(strong_glue);
    TEST(rolling_ball_stops);
    TEST(pendulum);
    TEST(units_do_not_matter);
    TEST(tangents_do_not_matter);
    return harness_end();
}
