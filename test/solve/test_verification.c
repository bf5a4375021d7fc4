// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_verification.c - small mechanics with known answers, by every solver of the menu.
//
// A ball on an incline, a block that slides to a stop, a column of balls, boxes on more points
// than they need, a pile: closed forms where there are some; where there are none the solvers must
// agree in what is unique. Numbers of iterations are held against what theory says.

#include "mechanism.h"
#include "random.h"

static const double g = 9.81;

/// The solvers that reach rounding, and do not mind more contacts than motions.
static const char *const exact_solvers[] = { "contact-newton", "proximal-newton",
                                             "interior-point" };
enum { EXACT = 3 };

static double largest(const double *x, int count) {
    double most = 0;
    for (int k = 0; k < count; k++) most = fmax(most, fabs(x[k]));
    return most;
}

// -------------------------------------------------------------------------------------------------
// a ball on an incline: it rolls if tan(angle) <= 3.5 mu

typedef struct incline {
    double angle, mu, mass, radius, h, turn;  // turn: of the tangents in the plane
    int d;
} incline;

static mechanism *ball_on(const incline *of) {
    mechanism *one = mechanism_new(of->d, 1, 1);
    // the plane is level and gravity leans, so that "down the slope" is x
    double up[3] = { 0, 0, 1 }, arm[3] = { 0, 0, -of->radius }, frame[3][3];
    set_mass(one, 0, of->mass, 0.4 * of->mass * of->radius * of->radius);
    make_frame(up, of->turn, frame);
    attach(one, 0, 0, 0, arm, frame);
    attach(one, 0, 1, -1, arm, frame);
    if (of->d == 2) {  // the tangent is x
        double flat[3][3] = { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } };
        attach(one, 0, 0, 0, arm, flat);
    }
    one->mu[0] = of->mu;
    return one;
}

/// Twenty steps from rest; velocity, spin and impulses after each are known.
static void roll_down(const incline *of, const char *solver) {
    mechanism *one = ball_on(of);
    double v[6], s[3], sine = sin(of->angle), cosine = cos(of->angle);
    bool rolls = tan(of->angle) <= 3.5 * of->mu;
    double friction = rolls ? 2.0 / 7 * g * sine : of->mu * g * cosine;
    double speed = 0, spin = 0;
    for (int step = 0; step < 20; step++) {
        double p[3] = { 0 };
        one->velocity[0] += of->h * g * sine;
        one->velocity[2] -= of->h * g * cosine;
        condense(one);
        if (!solve_mechanism(one, solver, 1e-13, 1000, p).converged)
            COMPLAIN("%s, angle %g, mu %g: not converged", solver, of->angle, of->mu);
        move(one, p, v, s);
        memcpy(one->velocity, v, sizeof v);
        speed += of->h * (g * sine - friction);
        spin += of->h * 2.5 * friction / of->radius;
        double unit = of->mass * g * of->h,
               tangential = of->d == 2 ? fabs(p[1]) : hypot(p[1], p[2]);
        CHECK_NEAR(p[0] / unit, cosine, 1e-11);
        CHECK_NEAR(tangential / unit, friction / g, 1e-11);
        CHECK_NEAR(v[0], speed, 1e-11 * (1 + speed));
        CHECK_NEAR(v[1], 0, 1e-11 * (1 + speed));
        CHECK_NEAR(v[4] * of->radius, spin * of->radius, 1e-11 * (1 + speed));
        if (rolls) CHECK_NEAR(v[0], v[4] * of->radius, 1e-11 * (1 + speed));
    }
    mechanism_free(one);
}

static void ball_on_an_incline(void) {
    const double angles[] = { 0.05, 0.4, 1.0, 1.5 }, near[] = { 0, 0.2, 1 - 1e-6, 1 + 1e-6, 5 };
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++)
        for (int k = 0; k < 20; k++)
            for (int d = is_planar_solver(entry->name) ? 2 : 3; d >= 2; d--) {
                incline of = { .angle = angles[k % 4],
                               .mu = near[k / 4] * tan(angles[k % 4]) / 3.5,
                               .mass = k % 2 ? 0.03 : 40,
                               .radius = k % 3 ? 0.2 : 3,
                               .h = 1e-3,
                               .turn = 0.7 * k,
                               .d = d };
                roll_down(&of, entry->name);
            }
}

// -------------------------------------------------------------------------------------------------
// a block slides to a stop at t = v0 / (mu g), and never leaves the plane on the way

static mechanism *block_on_plane(int d, double mass, double mu) {
    mechanism *one = mechanism_new(d, 1, 1);
    double arm[3] = { 0 }, flat[3][3] = { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } };
    set_mass(one, 0, mass, 1);
    for (int k = 3; k < 6; k++) one->inverse[k] = 0;  // a block does not turn
    attach(one, 0, 0, 0, arm, flat);
    attach(one, 0, 1, -1, arm, flat);
    one->mu[0] = mu;
    return one;
}

/// The convex relaxation K* ∋ s ⟂ p ∈ K for W = 1 / mass: what this test has to be able to refuse.
static void relax(const mechanism *one, double *p) {
    double mu = one->mu[0], mass = 1 / one->inverse[0], t = hypot(one->b[1], one->b[2]);
    double foot = fmax(0, (-one->b[0] + mu * t) / (1 + mu * mu));
    if (t <= -mu * one->b[0]) foot = -one->b[0];
    double share = t <= -mu * one->b[0] ? 1 : mu * foot / t;
    p[0] = mass * foot;
    for (int k = 1; k < one->d; k++) p[k] = -mass * share * one->b[k];
}

typedef struct stop {
    double time, lifted;  // when it stopped, largest normal velocity on the way
    double off;           // from v0 - mu g t
} stop;

static stop slide(const char *solver, int d) {
    const double h = 1e-3, mu = 0.4, v0 = 0.3, mass = 2.5,
                 way[2] = { d == 2 ? 1 : 0.6, d == 2 ? 0 : 0.8 };
    mechanism *one = block_on_plane(d, mass, mu);
    stop at = { .time = HUGE_VAL };
    one->velocity[0] = v0 * way[0];
    one->velocity[1] = v0 * way[1];
    for (int step = 1; step <= 200; step++) {
        double p[3] = { 0 }, v[6], s[3], expected = fmax(0, v0 - mu * g * step * h);
        one->velocity[2] -= g * h;
        condense(one);
        if (!solver)
            relax(one, p);
        else if (!solve_mechanism(one, solver, 1e-13, 1000, p).converged)
            COMPLAIN("%s: not converged", solver);
        move(one, p, v, s);
        memcpy(one->velocity, v, sizeof v);
        at.lifted = fmax(at.lifted, fabs(s[0]));
        at.off = fmax(at.off, hypot(v[0] - expected * way[0], v[1] - expected * way[1]));
        if (hypot(v[0], v[1]) < 1e-12 && at.time == HUGE_VAL) at.time = step * h;
    }
    mechanism_free(one);
    at.time -= v0 / (mu * g);
    return at;
}

static void block_slides_to_a_stop(void) {
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++)
        for (int d = is_planar_solver(entry->name) ? 2 : 3; d >= 2; d--) {
            stop at = slide(entry->name, d);
            if (!(at.time >= 0 && at.time <= 1e-3))
                COMPLAIN("%s: stops %g s after v0 / (mu g)", entry->name, at.time);
            if (!(at.lifted <= 1e-12 && at.off <= 1e-11))
                COMPLAIN("%s: lifted %g, off %g", entry->name, at.lifted, at.off);
        }
    // the test sees the relaxation fly: s_N = mu |s_T|, that is 0.4 * 0.3 in the first step
    stop relaxed = slide(NULL, 3);
    CHECK(relaxed.lifted > 0.1);
}

// -------------------------------------------------------------------------------------------------
// a column of equal balls: contact k bears all that is above

/// Balls one upon the other; ball k has the given mass.
static mechanism *column(int d, const double *mass, int balls, double h) {
    mechanism *one = mechanism_new(d, balls, balls);
    double frame[3][3] = { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } };
    double below[3] = { 0, 0, -1 }, above[3] = { 0, 0, 1 };
    for (int k = 0; k < balls; k++) {
        set_mass(one, k, mass[k], 0.4 * mass[k]);
        one->velocity[k * 6 + 2] = -g * h;
        attach(one, k, 0, k, below, frame);
        attach(one, k, 1, k - 1, above, frame);
        one->mu[k] = 0.3;
    }
    condense(one);
    return one;
}

static mechanism *equal_column(int d, int balls, double h) {
    double *mass = zeros((size_t)balls, sizeof *mass);
    for (int k = 0; k < balls; k++) mass[k] = 2;
    mechanism *one = column(d, mass, balls, h);
    free(mass);
    return one;
}

/// Largest error of the impulses of an equal column, against the weight of it all.
static double column_error(const mechanism *one, double h, const double *p) {
    double worst = 0, weight = 2 * g * h * one->contacts;
    for (int k = 0; k < rows_of(one); k++) {
        double expected = k % one->d ? 0 : 2 * g * h * (one->contacts - k / one->d);
        worst = fmax(worst, fabs(p[k] - expected) / weight);
    }
    return worst;
}

/// Newton does not mind the height: five factorisations in velocities. On Coulomb's law the balls
/// meet one after the other, which takes it more.
static void column_by_newton(void) {
    const char *const names[] = { "contact-newton", "proximal-newton" };
    const int heights[] = { 10, 30, 100, 300, 1000 };
    for (int k = 0; k < 10; k++) {
        int balls = heights[k / 2];
        mechanism *one = equal_column(3, balls, 1e-3);
        double *p = zeros((size_t)rows_of(one), sizeof *p);
        scree_report report = solve_mechanism(one, names[k % 2], 1e-10, 10000, p);
        printf("column of %d, %s: %d factorisations, error %.2g\n", balls, names[k % 2],
               report.factorizations, column_error(one, 1e-3, p));
        CHECK(report.converged);
        CHECK(report.factorizations <= (k % 2 ? 5 : 40));
        CHECK(column_error(one, 1e-3, p) <= 1e-7);
        free(p);
        mechanism_free(one);
    }
}

/// Every solver, at a height at which sweeps still converge.
static void column_by_everyone(void) {
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++) {
        bool planar = is_planar_solver(entry->name);
        mechanism *one =
            equal_column(planar ? 2 : 3, strcmp(entry->name, "enumerate") ? 12 : 4, 1e-3);
        double p[36] = { 0 };
        scree_report report = solve_mechanism(one, entry->name, 1e-11, 10000, p);
        if (!report.converged || column_error(one, 1e-3, p) > 1e-8)
            COMPLAIN("%s: %s, error %g", entry->name, scree_stop_reason_text(report.reason),
                     column_error(one, 1e-3, p));
        mechanism_free(one);
    }
}

/// Sweeps of nsgs go forwards: on a column they are Gauss-Seidel's on a chain, cos^2(pi / 2N).
static void column_by_sweeps(void) {
    const int heights[] = { 5, 10, 20, 40 };
    for (int k = 0; k < 4; k++) {
        int balls = heights[k], from = 16 * (balls * balls / 32 + 2);
        double theory = pow(cos(acos(-1) / (2 * balls)), 2), error[2];
        int to = from + (int)fmin(400, -8 / log(theory));  // well before rounding
        mechanism *one = equal_column(2, balls, 1);
        for (int end = 0; end < 2; end++) {
            double p[128] = { 0 };
            scree_report report = solve_mechanism(one, "nsgs", 1e-15, end ? to : from, p);
            CHECK_INT(report.iterations, end ? to : from);
            error[end] = column_error(one, 1, p);
        }
        double rate = pow(error[1] / error[0], 1.0 / (to - from));
        printf("column of %d, nsgs: rate %.6f, theory %.6f\n", balls, rate, theory);
        CHECK_NEAR(log(rate), log(theory), 0.01 * fabs(log(theory)));
        mechanism_free(one);
    }
}

/// The top ball is up to a million times heavier than those it rests on. Impulses are large then
/// against what the small velocities need, and rounding of them leaves eps * ratio of a residual.
static void heavy_on_light(void) {
    const char *const names[] = { "auto",           "contact-newton", "proximal-newton",
                                  "interior-point", "admm",           "nsgs" };
    for (double ratio = 1; ratio < 2e6; ratio *= 10)
        for (int k = 0; k < 6; k++) {
            double mass[10], p[30] = { 0 }, worst = 0, weight = 0;
            for (int i = 0; i < 10; i++) mass[i] = i == 9 ? ratio : 1;
            mechanism *one = column(3, mass, 10, 1e-3);
            scree_report report =
                solve_mechanism(one, names[k], fmax(1e-10, 1e-14 * ratio), 20000, p);
            for (int i = 9; i >= 0; i--) {
                weight += mass[i] * g * 1e-3;
                worst = fmax(worst, fabs(p[i * 3] - weight) / ((ratio + 9) * g * 1e-3));
            }
            printf("heavy %g, %s: %s, %d iterations, %d factorisations, error %.2g\n", ratio,
                   names[k], scree_stop_reason_text(report.reason), report.iterations,
                   report.factorizations, worst);
            // sweeps gain a share of the order 1 / ratio of what is missing
            if (strcmp(names[k], "nsgs") != 0 || ratio <= 10) CHECK(report.converged);
            if (report.converged) CHECK(worst <= 1e-7 + 1e-13 * ratio);
            mechanism_free(one);
        }
}

// -------------------------------------------------------------------------------------------------
// a box on more points than it needs, and a stack of such boxes

/// Plank k of a stack lies across plank k - 1 and touches it in points[k] points, on a grid.
static mechanism *stack(int planks, const int *across, const int *along, double mu) {
    int contacts = 0, at = 0;
    double frame[3][3] = { { 0, 0, 1 }, { 1, 0, 0 }, { 0, 1, 0 } };
    const double half[3] = { 3, 1, 0.5 };
    for (int k = 0; k < planks; k++) contacts += across[k] * along[k];
    mechanism *one = mechanism_new(3, planks, contacts);
    for (int k = 0; k < planks; k++) {
        double x = half[k % 2], y = half[1 - k % 2], z = half[2], mass = 3;
        double inertia[3] = { y * y + z * z, x * x + z * z, x * x + y * y };
        for (int j = 0; j < 6; j++)
            one->inverse[k * 6 + j] = j < 3 ? 1 / mass : 3 / (mass * inertia[j - 3]);
        // it touches the ground in all its length, another plank where they cross
        double reach_x = k ? 1 : x, reach_y = k ? 1 : y;
        for (int j = 0; j < across[k] * along[k]; j++, at++) {
            double px = reach_x * (2.0 * (j % along[k]) / (along[k] - 1) - 1);
            double py = reach_y * (2.0 * (j / along[k]) / (across[k] - 1) - 1);
            double lower[3] = { px, py, z }, upper[3] = { px, py, -z };
            attach(one, at, 0, k, upper, frame);
            attach(one, at, 1, k - 1, lower, frame);
            one->mu[at] = mu;
        }
    }
    return one;
}

static double energy(const mechanism *one, const double *v) {
    double sum = 0;
    for (int k = 0; k < one->bodies * 6; k++) sum += 0.5 * v[k] * v[k] / one->inverse[k];
    return sum;
}

typedef struct outcome {
    double v[60], wrench[60], p[300], energy;
} outcome;

/// What the contacts do to the bodies: M (v - v_free) = H^T p.
static void find_outcome(const mechanism *one, outcome *out) {
    double s[300];
    move(one, out->p, out->v, s);
    for (int k = 0; k < one->bodies * 6; k++)
        out->wrench[k] = (out->v[k] - one->velocity[k]) / one->inverse[k];
    out->energy = energy(one, out->v);
    double miss = law_miss(one, out->p, s);
    if (!(miss <= 1e-6)) COMPLAIN("the law is missed by %g", miss);
}

static bool is_exact(const char *name) {
    for (int k = 0; k < EXACT; k++)
        if (strcmp(name, exact_solvers[k]) == 0) return true;
    return false;
}

/// Motion, wrenches and energy are the same for all solvers though the impulses are not; the exact
/// ones get to 1e-12.
static void all_agree(const char *what, const mechanism *one) {
    static outcome first, other;
    double spread = 0, weight = 0, speed = largest(one->b, rows_of(one));
    bool have = false;
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++) {
        if (is_planar_solver(entry->name)) continue;
        memset(&other, 0, sizeof other);
        double tolerance = is_exact(entry->name) ? 1e-12 : 1e-9;
        scree_report report = solve_mechanism(one, entry->name, tolerance, 200000, other.p);
        if (!report.converged) {
            // it says of itself that it needs a W of full rank
            if (strcmp(entry->name, "alart-curnier") == 0) continue;
            COMPLAIN("%s, %s: %s at %.3g", what, entry->name, scree_stop_reason_text(report.reason),
                     scree_residual_max(report.residual));
            continue;
        }
        find_outcome(one, &other);
        if (!have) first = other;
        have = true;
        weight = largest(first.wrench, one->bodies * 6);
        for (int k = 0; k < one->bodies * 6; k++) {
            if (!(fabs(other.v[k] - first.v[k]) <= 1e-6 * speed &&
                  fabs(other.wrench[k] - first.wrench[k]) <= 1e-6 * weight))
                COMPLAIN("%s, %s: freedom %d: v %g and %g, wrench %g and %g", what, entry->name, k,
                         other.v[k], first.v[k], other.wrench[k], first.wrench[k]);
        }
        CHECK_NEAR(other.energy, first.energy, 1e-6 * (first.energy + energy(one, one->velocity)));
        for (int k = 0; k < rows_of(one); k++)
            spread = fmax(spread, fabs(other.p[k] - first.p[k]) / weight);
    }
    printf("%s: impulses differ by up to %.2g of the largest wrench\n", what, spread);
}

/// Gravity for a step, and the top plank is kicked with speed x, y.
static void fall(mechanism *one, double x, double y) {
    for (int k = 0; k < one->bodies; k++) one->velocity[k * 6 + 2] = -g * 0.01;
    one->velocity[(one->bodies - 1) * 6] = x;
    one->velocity[(one->bodies - 1) * 6 + 1] = y;
    condense(one);
}

static void box_on_many_points(void) {
    const struct {
        const char *what;
        double x, y;
    } kicks[] = { { "box, at rest", 0, 0 },
                  { "box, pushed and stuck", 0.02, 0.01 },
                  { "box, sliding", 0.2, 0.1 } };
    const int across[] = { 2, 2, 3, 4 }, along[] = { 2, 4, 3, 4 };
    for (int k = 0; k < 12; k++) {
        mechanism *one = stack(1, &across[k / 3], &along[k / 3], 0.5);
        fall(one, kicks[k % 3].x, kicks[k % 3].y);
        all_agree(kicks[k % 3].what, one);
        mechanism_free(one);
    }
}

static void stack_of_planks(void) {
    const int points[] = { 2, 2, 2, 2, 2, 2 };
    const struct {
        const char *what;
        double x, y;
    } kicks[] = { { "planks, at rest", 0, 0 },
                  { "planks, pushed and stuck", 0.005, 0.002 },
                  { "planks, the top one slides", 0.3, 0 } };
    for (int k = 0; k < 3; k++) {
        mechanism *one = stack(6, points, points, 0.5);
        fall(one, kicks[k].x, kicks[k].y);
        all_agree(kicks[k].what, one);
        mechanism_free(one);
    }
}

// -------------------------------------------------------------------------------------------------
// a pile of balls: order, threads, warm starts

/// A pyramid with n x n balls at its base, each upper one on four; random velocities on top of
/// gravity, so that some contacts open and some slide.
static mechanism *pyramid(int n, double mu, double shake) {
    int bodies = 0, contacts = n * n;
    for (int k = n; k > 0; k--) bodies += k * k;
    contacts += 4 * (bodies - n * n);
    mechanism *one = mechanism_new(3, bodies, contacts);
    int at = 0, start = 0, lower = 0;
    for (int side = n; side > 0; lower = start, start += side * side, side--)
        for (int k = 0; k < side * side; k++) {
            int body = start + k;
            double mass = uniform(0.5, 2), down[3] = { 0, 0, -1 }, up[3] = { 0, 0, 1 }, frame[3][3];
            set_mass(one, body, mass, 0.4 * mass);
            for (int j = 0; j < 3; j++) one->velocity[body * 6 + j] = uniform(-shake, shake);
            one->velocity[body * 6 + 2] -= 1;
            if (side == n) {
                make_frame(up, uniform(0, 6), frame);
                attach(one, at, 0, body, down, frame);
                attach(one, at++, 1, -1, up, frame);
            }
            for (int j = 0; j < 4 && side < n; j++) {
                // from the ball below to this one
                double n3[3] = { j % 2 ? -0.5 : 0.5, j / 2 ? -0.5 : 0.5, sqrt(0.5) };
                double arm[3] = { -n3[0], -n3[1], -n3[2] };
                make_frame(n3, uniform(0, 6), frame);
                attach(one, at, 0, body, arm, frame);
                attach(one, at++, 1, lower + (k / side + j / 2) * (side + 1) + k % side + j % 2, n3,
                       frame);
            }
        }
    for (int i = 0; i < contacts; i++) one->mu[i] = mu;
    condense(one);
    return one;
}

/// Contact i of the copy is contact order[i] of the other.
static mechanism *reordered(const mechanism *from, const int *order) {
    mechanism *one = mechanism_new(from->d, from->bodies, from->contacts);
    size_t bytes = (size_t)from->bodies * 6 * sizeof(double);
    memcpy(one->inverse, from->inverse, bytes);
    memcpy(one->velocity, from->velocity, bytes);
    for (int i = 0; i < from->contacts; i++) {
        one->hold[i] = from->hold[order[i]];
        one->mu[i] = from->mu[order[i]];
    }
    condense(one);
    return one;
}

/// Contacts in any order, any solver: the same motion of the bodies.
static void order_does_not_matter(void) {
    enum { BASE = 4, MOST = 200 };
    seed = 11;
    mechanism *one = pyramid(BASE, 0.15, 0.3);
    static double first[MOST * 6];
    bool have = false;
    CHECK(one->contacts <= MOST && one->bodies <= MOST);
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++) {
        if (is_planar_solver(entry->name)) continue;
        double worst = 0;
        for (int round = 0; round < 3; round++) {
            int order[MOST];
            double p[MOST * 3] = { 0 }, v[MOST * 6], s[MOST * 3];
            for (int i = 0; i < one->contacts; i++) order[i] = i;
            for (int i = one->contacts - 1; i > 0 && round; i--) {
                int k = random_int(0, i), kept = order[i];
                order[i] = order[k];
                order[k] = kept;
            }
            mechanism *other = reordered(one, order);
            scree_report report = solve_mechanism(other, entry->name, 1e-10, 20000, p);
            if (!report.converged)
                COMPLAIN("%s: %s at %.3g", entry->name, scree_stop_reason_text(report.reason),
                         scree_residual_max(report.residual));
            move(other, p, v, s);
            CHECK(law_miss(other, p, s) <= 1e-7);
            if (!have) memcpy(first, v, sizeof v);
            have = true;
            for (int k = 0; k < one->bodies * 6; k++) worst = fmax(worst, fabs(v[k] - first[k]));
            mechanism_free(other);
        }
        if (!(worst <= 1e-7)) COMPLAIN("%s: velocities differ by %g", entry->name, worst);
    }
    mechanism_free(one);
}

/// nsgs by colours, apgd and the residual: the same bits with any number of threads.
static void threads_do_not_matter(void) {
    const char *const names[] = { "nsgs", "apgd", "auto" };
    seed = 12;
    mechanism *one = pyramid(20, 0.3, 0.3);
    size_t bytes = (size_t)rows_of(one) * sizeof(double);
    double *first = zeros(1, bytes), *p = zeros(1, bytes);
    CHECK(one->contacts > 8192);  // beyond the limits from which anything runs in pieces
    for (int k = 0; k < 3; k++)
        for (int threads = 1; threads <= 4; threads++) {
            static scree_report report, known;
            scree_solver_options options = scree_solver_options_default();
            scree_error err = { 0 };
            options.name = names[k];
            options.threads = threads;
            options.max_sweeps = 12;
            memset(p, 0, bytes);
            CHECK_INT(scree_solve(&one->problem, &options, p, &report, &err), SCREE_OK);
            CHECK_INT(report.iterations, 12);
            if (threads == 1) {
                known = report;
                memcpy(first, p, bytes);
            }
            if (memcmp(first, p, bytes) != 0)
                COMPLAIN("%s: other impulses with %d threads", names[k], threads);
            if (memcmp(&known.residual, &report.residual, sizeof known.residual) != 0)
                COMPLAIN("%s: another residual with %d threads", names[k], threads);
        }
    free(first);
    free(p);
    mechanism_free(one);
}

/// What a solver has solved it leaves alone; what has changed by a millionth it finds again at
/// once: Newton in three factorisations to 1e-10; three sweeps get to a residual of the size of the
/// change.
static void again(const char *what, mechanism *one, const char *solver) {
    double p[600] = { 0 }, kept[600];
    bool newton = is_exact(solver), sweeps = strncmp(solver, "nsgs", 4) == 0;
    scree_report report = solve_mechanism(one, solver, 1e-10, 100000, p);
    if (!report.converged) {
        if (strcmp(solver, "alart-curnier") != 0)
            COMPLAIN("%s, %s: %s at %.3g", what, solver, scree_stop_reason_text(report.reason),
                     scree_residual_max(report.residual));
        return;
    }
    memcpy(kept, p, sizeof p);
    report = solve_mechanism(one, solver, 1e-10, 100000, p);
    if (!report.converged || report.iterations || report.factorizations)
        COMPLAIN("%s, %s: once more takes %d iterations, %d factorisations", what, solver,
                 report.iterations, report.factorizations);
    for (int k = 0; k < rows_of(one); k++) CHECK_NEAR(p[k], kept[k], 1e-15 * largest(kept, 600));
    double size = 0;
    for (int k = 0; k < rows_of(one); k++) size = hypot(size, one->b[k]);
    for (int k = 0; k < one->bodies * 6; k++)
        one->velocity[k] += 1e-6 * uniform(-1, 1) * size / sqrt(rows_of(one));
    find_b(one);
    report = solve_mechanism(one, solver, sweeps ? 1e-6 : 1e-10, 100000, p);
    printf("%s, %s: %d iterations, %d factorisations after a change of 1e-6\n", what, solver,
           report.iterations, report.factorizations);
    CHECK(report.converged);
    // planks rest on more points than they need, and those take proximal-newton two more
    int most = strcmp(what, "planks") == 0 && strcmp(solver, "proximal-newton") == 0 ? 5 : 3;
    if (newton && strcmp(solver, "interior-point") != 0) CHECK(report.factorizations <= most);
    if (sweeps) CHECK(report.iterations <= 3);
}

static void warm_starts(void) {
    const int points[] = { 2, 2, 2 };
    for (const scree_solver_entry *entry = scree_solver_list(); entry->with_blocks; entry++) {
        if (is_planar_solver(entry->name)) continue;
        seed = 13;
        mechanism *pile = pyramid(4, 0.15, 0.3), *planks = stack(3, points, points, 0.5);
        fall(planks, 0.3, 0);
        again("pile", pile, entry->name);
        again("planks", planks, entry->name);
        mechanism_free(pile);
        mechanism_free(planks);
    }
}

TEST_FILE(test_verification) {
    TEST(ball_on_an_incline);
    TEST(block_slides_to_a_stop);
    TEST(column_by_newton);
    TEST(column_by_everyone);
    TEST(column_by_sweeps);
    TEST(heavy_on_light);
    TEST(box_on_many_points);
    TEST(stack_of_planks);
    TEST(order_does_not_matter);
    TEST(threads_do_not_matter);
    TEST(warm_starts);
    return harness_end();
}
