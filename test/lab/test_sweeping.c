// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// The sweeping process against closed forms, projections against their characterisation.

#include "harness.h"
#include "lab/convex_set.h"
#include "moving.h"
#include "random.h"
#include "sweeping_judge.h"

static void finish(int n, const scree_moving_set *set, int sets, scree_sweeping_method method,
                   double duration, int steps, const double *from, double *x) {
    scree_sweeping *s = start(n, set, sets, method, duration / steps, from);
    if (!s) return;
    go(s, steps);
    memcpy(x, scree_sweeping_state_of(s)->x, (size_t)n * sizeof *x);
    scree_sweeping_free(s);
}

static double apart(const double *a, const double *b, int n) {
    double sum = 0;
    for (int k = 0; k < n; k++) sum = hypot(sum, a[k] - b[k]);
    return sum;
}

// ---- closed forms

static const wave low = { -1, 0, 2, 1, 0 }, high = { 1, 0, 2, 1, 0 };

static scree_moving_set interval(const scree_function *bounds) {
    return (scree_moving_set){ .kind = SCREE_SET_INTERVAL, .low = &bounds[0], .high = &bounds[1] };
}

// [-1, 1] + 2 sin t from 1/2; exact where the extrema are among the steps
static void interval_is_exact_on_a_grid_with_its_extrema(void) {
    static const double expected[] = { 0.5, 1, 1, -1, -1, 1, 1 };
    const scree_function bounds[] = { of_wave(&low), of_wave(&high) };
    scree_moving_set set = interval(bounds);
    const double half = 0.5;
    for (int per = 1; per <= 1000; per *= 10) {
        scree_sweeping *s = start(1, &set, 1, SCREE_CATCHING_UP, acos(0) / per, &half);
        for (int quarter = 0; quarter <= 6 && s; quarter++) {
            CHECK_NEAR(*scree_sweeping_state_of(s)->x, expected[quarter], 1e-13);
            CHECK_NEAR(scree_sweeping_state_of(s)->outside, 0, 0);
            go(s, per);
        }
        scree_sweeping_free(s);
    }
}

static void half_plane_pushed_along_its_normal_is_exact(void) {
    const wave push = { 0, 3, 0, 0, 0 };  // -0.6 x - 0.8 y <= -3 t, scaled by 10
    const scree_function normal[] = { fixed(-6), fixed(-8) };
    const wave offset = { 0, -30, 0, 0, 0 };
    const double x0[] = { 2, 1 };
    const int steps[] = { 1, 2, 7, 100, 12345 };
    scree_moving_set set = { .kind = SCREE_SET_HALF_SPACE, .normal = normal };
    set.offset = of_wave(&offset);
    double way = 3 * push.slope / 3 - 2;  // 3 pushed, 2 of them through empty space
    for (int i = 0; i < 5; i++) {
        double x[2];
        finish(2, &set, 1, SCREE_CATCHING_UP, 1, steps[i], x0, x);
        CHECK_NEAR(x[0], 2 + 0.6 * way, 1e-13);
        CHECK_NEAR(x[1], 1 + 0.8 * way, 1e-13);
    }
}

static const wave sine = { 0, 0, 1, 1, 0 };
static const wave minus_cosine = { 0, 0, -1, 1, 1.57079632679489661923 };

// the direction is exact, the length cos(1/N)^N; the printed errors are those to (cos 1, sin 1)
static void turning_half_plane_loses_what_the_cosine_says(void) {
    static const double printed[] = { 4.9876e-3, 2.4969e-3, 1.2492e-3 };
    const scree_function normal[] = { of_wave(&sine), of_wave(&minus_cosine) };
    scree_moving_set set = { .kind = SCREE_SET_HALF_SPACE, .normal = normal };
    const double x0[] = { 1, 0 }, exact[] = { cos(1), sin(1) };
    for (int i = 0, steps = 100; i < 3; i++, steps *= 2) {
        double x[2];
        finish(2, &set, 1, SCREE_CATCHING_UP, 1, steps, x0, x);
        double length = pow(cos(1.0 / steps), steps);
        CHECK_NEAR(x[0], length * cos(1), 1e-13);
        CHECK_NEAR(x[1], length * sin(1), 1e-13);
        CHECK_NEAR(apart(x, exact, 2), printed[i], 5e-8);
    }
}

static scree_moving_set disc(const scree_function *centre, double radius) {
    return (scree_moving_set){ .kind = SCREE_SET_BALL, .centre = centre, .radius = fixed(radius) };
}

static const wave dragged = { 0, 1, 0, 0, 0 };

// the angle a between the string and the way obeys tan(a/2) = tan(a_0/2) exp(-s/r)
static void tractrix(double end[2]) {
    double a = 2 * atan(tan(atan2(0.6, 0.8) / 2) * exp(-3));
    end[0] = 4 - cos(a);
    end[1] = sin(a);
}

static void dragged_disc_draws_a_tractrix(void) {
    static const double printed[] = { 4.805e-4, 2.402e-4, 1.201e-4 };
    const scree_function centre[] = { of_wave(&dragged), fixed(0) };
    scree_moving_set set = disc(centre, 1);
    const double x0[] = { 0.2, 0.6 };
    double exact[2], x[2];
    tractrix(exact);
    CHECK_NEAR(exact[0], 3.0005506821498615, 1e-14);
    CHECK_NEAR(exact[1], 0.03318223996196125, 1e-14);
    for (int i = 0, steps = 400; i < 3; i++, steps *= 2) {
        finish(2, &set, 1, SCREE_CATCHING_UP, 4, steps, x0, x);
        CHECK_NEAR(apart(x, exact, 2), printed[i], 5e-8);
    }
    // the explicit method is of first order too
    double error[2];
    for (int i = 0, steps = 1600; i < 2; i++, steps *= 2) {
        finish(2, &set, 1, SCREE_LAZY, 4, steps, x0, x);
        error[i] = apart(x, exact, 2);
    }
    CHECK(error[0] < 1e-2);
    CHECK_NEAR(error[0] / error[1], 2, 0.1);
}

static const wave turn_x = { 0, 0, 2, 1, 1.57079632679489661923 }, turn_y = { 0, 0, 2, 1, 0 };

static void turning_disc_draws_its_point_to_a_circle(void) {
    static const double at_6[] = { 1.198284357, -1.250665385 };
    const scree_function centre[] = { of_wave(&turn_x), of_wave(&turn_y) };
    scree_moving_set set = disc(centre, 1);
    const double x0[] = { 2, -1 };
    double x[2], finer[2], best[2];
    // Richardson: first order errors taken out
    finish(2, &set, 1, SCREE_CATCHING_UP, 6, 20000, x0, x);
    finish(2, &set, 1, SCREE_CATCHING_UP, 6, 40000, x0, finer);
    for (int k = 0; k < 2; k++) best[k] = 2 * finer[k] - x[k];
    CHECK_NEAR(apart(best, at_6, 2), 0, 2e-8);
    CHECK(apart(x, at_6, 2) < 2e-4);
    finish(2, &set, 1, SCREE_CATCHING_UP, 100, 100000, x0, x);
    CHECK_NEAR(hypot(x[0], x[1]), sqrt(3), 1e-3);
}

// ---- projections

static void random_rows(scree_convex_set *set, int n, int rows) {
    memset(set, 0, sizeof *set);
    set->dimension = n;
    set->rows = rows;
    for (int i = 0; i < rows; i++) {
        double length = 0;
        for (int k = 0; k < n; k++) {
            set->row[i][k] = uniform(-1, 1);
            // faces that are parallel to axes, and to each other
            if (uniform(0, 1) < 0.3) set->row[i][k] = 0;
            length = hypot(length, set->row[i][k]);
        }
        if (length < 0.1) {
            set->row[i][0] = length = 1;
            for (int k = 1; k < n; k++) set->row[i][k] = 0;
        }
        for (int k = 0; k < n; k++) set->row[i][k] /= length;
        set->bound[i] = uniform(-0.3, 1);
        if (i && uniform(0, 1) < 0.15) memcpy(set->row[i], set->row[i - 1], sizeof set->row[i]);
    }
}

static void polyhedra_agree_with_all_active_sets(void) {
    scree_convex_set set;
    int empty = 0, inner = 0;
    for (int trial = 0; trial < 3000; trial++) {
        int n = random_int(1, 5);
        random_rows(&set, n, random_int(1, 10));
        double x[JUDGE_N], p[JUDGE_N], expected[JUDGE_N];
        for (int k = 0; k < n; k++) x[k] = uniform(-3, 3);
        bool there = judge_nearest(&set, x, expected);
        scree_projected found = scree_convex_set_project(&set, x, p);
        CHECK_INT(found, there ? SCREE_PROJECTED : SCREE_PROJECTED_NOWHERE);
        empty += !there;
        if (!there || found != SCREE_PROJECTED) continue;
        // a corner is far away where faces are nearly parallel, and then it is not well known
        double away = apart(x, expected, n);
        CHECK_NEAR(apart(p, expected, n), 0, 1e-13 * (1 + away) * (1 + away));
        inner += apart(x, expected, n) == 0;
    }
    CHECK(empty > 100 && inner > 20);
}

// rows, balls, or both around the origin, which is inside
static void random_set(scree_convex_set *set, int n) {
    random_rows(set, n, random_int(0, 6));
    for (int i = 0; i < set->rows; i++) set->bound[i] = fabs(set->bound[i]);
    set->balls = random_int(set->rows ? 0 : 1, 5);
    for (int j = 0; j < set->balls; j++) {
        double length = 0;
        for (int k = 0; k < n; k++) {
            set->centre[j][k] = uniform(-2, 2);
            length = hypot(length, set->centre[j][k]);
        }
        set->radius[j] = length + uniform(0.001, 1);
    }
}

// p in C and (x - p).(y - p) <= 0 for all y in C is what p is
static void nearest_points_see_the_set_at_a_blunt_angle(void) {
    scree_convex_set set;
    for (int trial = 0; trial < 3000; trial++) {
        int n = random_int(1, 8);
        random_set(&set, n);
        double x[SCREE_SET_DIMENSION], p[SCREE_SET_DIMENSION], y[SCREE_SET_DIMENSION];
        for (int k = 0; k < n; k++) x[k] = uniform(-4, 4);
        CHECK_INT(scree_convex_set_project(&set, x, p), SCREE_PROJECTED);
        CHECK(scree_convex_set_outside(&set, p) < 1e-14);
        for (int i = 0; i < 20; i++) {
            double other[SCREE_SET_DIMENSION], sum = 0, near = 0.5 * (i % 2);
            for (int k = 0; k < n; k++)
                other[k] = near ? p[k] + uniform(-0.1, 0.1) : uniform(-4, 4);
            CHECK_INT(scree_convex_set_project(&set, other, y), SCREE_PROJECTED);
            for (int k = 0; k < n; k++) sum += (x[k] - p[k]) * (y[k] - p[k]);
            CHECK(sum < 5e-13);
        }
    }
}

static void balls_apart_are_empty(void) {
    scree_convex_set set = { .dimension = 2, .balls = 2, .radius = { 1, 1 } };
    const double x[] = { 0.3, 5 };
    double p[2];
    static const double gaps[] = { 10, 1, 0.1, 1e-3, 1e-6, 1e-9 };
    for (int i = 0; i < 6; i++) {
        set.centre[1][0] = 2 + gaps[i];
        CHECK_INT(scree_convex_set_project(&set, x, p), SCREE_PROJECTED_NOWHERE);
    }
    // lenses: the nearest point is the upper corner
    for (int i = 0; i < 6; i++) {
        double half = fmin(gaps[i], 1.5) / 2;
        set.centre[1][0] = 2 - 2 * half;
        CHECK_INT(scree_convex_set_project(&set, x, p), SCREE_PROJECTED);
        CHECK_NEAR(p[0], 1 - half, 1e-12);
        CHECK_NEAR(p[1], sqrt(half * (2 - half)), 1e-14 / p[1]);
    }
    // a ball and a half-space beyond it
    set = (scree_convex_set){ .dimension = 2, .balls = 1, .rows = 1, .radius = { 1 } };
    set.row[0][1] = -1;
    set.bound[0] = -1.01;
    CHECK_INT(scree_convex_set_project(&set, x, p), SCREE_PROJECTED_NOWHERE);
    set.bound[0] = -0.8;
    CHECK_INT(scree_convex_set_project(&set, x, p), SCREE_PROJECTED);
    CHECK_NEAR(hypot(p[0], p[1]), 1, 1e-15);
}

// ---- the process

typedef struct mixture {  // sets of all kinds that move but always have the origin inside
    wave way[40];
    scree_function function[40];
    double row[8 * 4];
    scree_moving_set set[4];
    int used;
} mixture;

static const scree_function *next_functions(mixture *m, int count, double value, double size) {
    const scree_function *first = &m->function[m->used];
    for (int i = 0; i < count; i++, m->used++) {
        wave *w = &m->way[m->used];
        *w = (wave){ value, 0, uniform(0, size), uniform(0.5, 4), uniform(0, 6) };
        m->function[m->used] = of_wave(w);
    }
    return first;
}

static void random_mixture(mixture *m, int n) {
    memset(m, 0, sizeof *m);
    m->set[0] = (scree_moving_set){ .kind = SCREE_SET_INTERVAL };
    m->set[0].low = next_functions(m, n, -0.8, 0.7);
    m->set[0].high = next_functions(m, n, 0.8, 0.7);
    m->set[1] = (scree_moving_set){ .kind = SCREE_SET_HALF_SPACE };
    m->set[1].normal = next_functions(m, n, 0.4, 1);
    m->set[1].offset = *next_functions(m, 1, 0.5, 0.4);
    m->set[2] = (scree_moving_set){ .kind = SCREE_SET_BALL };
    m->set[2].centre = next_functions(m, n, 0, 0.3);
    m->set[2].radius = *next_functions(m, 1, 1, 0.1);
    m->set[3] = (scree_moving_set){ .kind = SCREE_SET_POLYHEDRON, .rows = 3, .row = m->row };
    for (int i = 0; i < 3 * n; i++) m->row[i] = uniform(-1, 1);
    m->set[3].offsets = next_functions(m, 3, 0.5, 0.4);
}

static void distances_never_grow(void) {
    mixture m;
    for (int trial = 0; trial < 60; trial++) {
        int n = random_int(1, 4);
        random_mixture(&m, n);
        double x[4], y[4], zero[4] = { 0 };
        scree_sweeping *a = start(n, m.set, 4, SCREE_CATCHING_UP, 0.01, zero), *b = NULL;
        for (int k = 0; k < n; k++) x[k] = uniform(-2, 2);
        scree_error err = { 0 };
        CHECK_INT(scree_sweeping_project(a, 0, x, y, &err), SCREE_OK);
        b = start(n, m.set, 4, SCREE_CATCHING_UP, 0.01, y);
        double before = apart(zero, y, n);
        for (int i = 0; i < 400 && a && b; i++) {
            go(a, 1);
            go(b, 1);
            double now = apart(scree_sweeping_state_of(a)->x, scree_sweeping_state_of(b)->x, n);
            CHECK(now <= before + 1e-14);
            before = now;
        }
        scree_sweeping_free(a);
        scree_sweeping_free(b);
    }
}

static void lazy_selector_goes_to_the_same_end(void) {
    mixture m;
    for (int trial = 0; trial < 10; trial++) {
        int n = random_int(1, 4);
        random_mixture(&m, n);
        double zero[4] = { 0 }, implicit[4], explicit[4];
        finish(n, m.set, 4, SCREE_CATCHING_UP, 4, 40000, zero, implicit);
        finish(n, m.set, 4, SCREE_LAZY, 4, 40000, zero, explicit);
        CHECK_NEAR(apart(implicit, explicit, n), 0, 3e-3);
    }
}

// a half-space and a ball in a frame that is turned and moved: the same path in it
static void frames_do_not_matter(void) {
    const double c = 0.6, s = 0.8, shift[] = { 3, -2 };
    const wave nx = { 1, 0, 0.3, 2, 0 }, ny = { 0.2, 0, 0.5, 1, 1 }, b = { 0, 0, 0.6, 3, 0 },
               cx = { 0, 0, 1, 1, 0 }, cy = { 0, 0, 1, 2, 0 };
    // functions that are sums of two are tabulated by the step instead: a step, a set
    double x[2] = { 0, 0 }, y[2] = { shift[0], shift[1] }, rate;
    for (int i = 1; i <= 500; i++) {
        double t = 0.01 * i;
        double n[] = { wave_at(&nx, t, &rate), wave_at(&ny, t, &rate) };
        double at[] = { wave_at(&cx, t, &rate), wave_at(&cy, t, &rate) };
        double size = hypot(n[0], n[1]);
        scree_convex_set plain = { .dimension = 2, .rows = 1, .balls = 1, .radius = { 1.5 } };
        for (int k = 0; k < 2; k++) plain.row[0][k] = n[k] / size;
        for (int k = 0; k < 2; k++) plain.centre[0][k] = at[k];
        plain.bound[0] = wave_at(&b, t, &rate) / size;
        scree_convex_set other = plain;
        other.row[0][0] = c * plain.row[0][0] - s * plain.row[0][1];
        other.row[0][1] = s * plain.row[0][0] + c * plain.row[0][1];
        other.centre[0][0] = c * at[0] - s * at[1] + shift[0];
        other.centre[0][1] = s * at[0] + c * at[1] + shift[1];
        other.bound[0] += other.row[0][0] * shift[0] + other.row[0][1] * shift[1];
        double p[2], q[2];
        CHECK_INT(scree_convex_set_project(&plain, x, p), SCREE_PROJECTED);
        CHECK_INT(scree_convex_set_project(&other, y, q), SCREE_PROJECTED);
        CHECK_NEAR(q[0], c * p[0] - s * p[1] + shift[0], 1e-13);
        CHECK_NEAR(q[1], s * p[0] + c * p[1] + shift[1], 1e-13);
        memcpy(x, p, sizeof x);
        memcpy(y, q, sizeof y);
    }
    CHECK(hypot(x[0], x[1]) > 0.1);
}

// only the path of the set matters, not how fast it is gone through
static void rates_do_not_matter(void) {
    const scree_function slow[] = { of_wave(&low), of_wave(&high) };
    const wave low_fast = { -1, 0, 2, 8, 0 }, high_fast = { 1, 0, 2, 8, 0 };
    const scree_function fast[] = { of_wave(&low_fast), of_wave(&high_fast) };
    scree_moving_set one = interval(slow), eight = interval(fast);
    const double half = 0.5;
    double x, y;
    finish(1, &one, 1, SCREE_CATCHING_UP, 8, 1000, &half, &x);
    finish(1, &eight, 1, SCREE_CATCHING_UP, 1, 1000, &half, &y);
    CHECK_NEAR(x, y, 1e-15);
}

static void a_restored_process_goes_on_bit_for_bit(void) {
    mixture m;
    random_mixture(&m, 3);
    double zero[3] = { 0 };
    for (int method = 0; method < 2; method++) {
        scree_sweeping *a = start(3, m.set, 4, (scree_sweeping_method)method, 0.01, zero);
        scree_sweeping *b = start(3, m.set, 4, (scree_sweeping_method)method, 0.01, zero);
        scree_error err = { 0 };
        go(a, 100);
        CHECK_INT(scree_sweeping_restore(b, 100, scree_sweeping_state_of(a)->x, &err), SCREE_OK);
        go(a, 100);
        go(b, 100);
        CHECK(memcmp(scree_sweeping_state_of(a)->x, scree_sweeping_state_of(b)->x, sizeof zero) ==
              0);
        CHECK_INT(scree_sweeping_state_of(b)->step, 200);
        scree_sweeping_free(a);
        scree_sweeping_free(b);
    }
}

// ---- bad input

static void refused(int n, const scree_moving_set *set, int sets, double h, const double *x,
                    const char *message) {
    scree_sweeping *s;
    scree_error err = { 0 };
    CHECK_INT(scree_sweeping_new(n, set, sets, SCREE_CATCHING_UP, h, x, &s, &err), SCREE_BAD_INPUT);
    CHECK(!s);
    CHECK_TEXT(err.text, message);
}

static void bad_input_is_refused(void) {
    const scree_function bounds[] = { of_wave(&low), of_wave(&high) };
    const scree_function zero[] = { fixed(0), fixed(0) }, one = fixed(1);
    scree_moving_set set = interval(bounds);
    const double half = 0.5, far = 1.25, nan_start = NAN, plane[] = { 3, 4 };
    refused(1, &set, 1, 0.1, &far, "the start lies outside of the set, by 0.25");
    refused(1, &set, 1, 0.1, &nan_start, "the start must be finite, got nan");
    refused(0, &set, 1, 0.1, &half, "the point has 1 to 16 coordinates, got 0");
    refused(17, &set, 1, 0.1, &half, "the point has 1 to 16 coordinates, got 17");
    refused(1, &set, 0, 0.1, &half, "there must be a set, got 0");
    refused(1, &set, 1, 0, &half, "the step must be positive, got 0");
    refused(1, &set, 1, NAN, &half, "the step must be positive, got nan");
    scree_moving_set ball = disc(zero, 2);
    refused(2, &ball, 1, 0.1, plane, "the start lies outside of the set, by 3");
    ball = disc(zero, 0);
    refused(2, &ball, 1, 0.1, plane, "set 1: the radius must stay positive, it is 0 at t = 0");
    ball = disc(zero, NAN);
    refused(2, &ball, 1, 0.1, plane, "set 1: radius is nan at t = 0");
    scree_moving_set half_space = { .kind = SCREE_SET_HALF_SPACE, .normal = zero, .offset = one };
    refused(2, &half_space, 1, 0.1, plane, "set 1: the normal has the length 0 at t = 0");
    scree_moving_set many[130];
    for (int i = 0; i < 130; i++) many[i] = interval(bounds);
    refused(1, many, 130, 0.1, &half, "there may be at most 128 half-spaces and balls, got 260");
    for (int i = 0; i < 17; i++) many[i] = disc(zero, 1);
    refused(2, many, 17, 0.1, plane, "there may be at most 16 balls, got 17");
}

static void stopped(int n, const scree_moving_set *set, int sets, scree_sweeping_method method,
                    const double *x, int at, const char *message) {
    scree_sweeping *s = start(n, set, sets, method, 0.125, x);
    scree_error err = { 0 };
    int taken = 0;
    while (s && taken < 1000 && scree_sweeping_step(s, &err) == SCREE_OK) taken++;
    CHECK_INT(taken, at);
    CHECK_TEXT(err.text, message);
    if (s) CHECK_INT(scree_sweeping_state_of(s)->step, at);
    scree_sweeping_free(s);
}

static double root_at(const void *self, double t, double *rate) {
    (void)self;
    *rate = -0.5 / sqrt(1 - t);
    return sqrt(1 - t);
}

static void a_run_stops_where_the_set_ends(void) {
    const wave closing = { 1, -1, 0, 0, 0 };
    const scree_function bounds[] = { fixed(0), of_wave(&closing) };
    const scree_function root = { 0, root_at, NULL };
    const scree_function zero[] = { fixed(0), fixed(0) };
    const double half = 0.5, origin[] = { 0, 0 };
    scree_moving_set set = interval(bounds);
    stopped(1, &set, 1, SCREE_CATCHING_UP, &half, 8,
            "the set is empty at t = 1.125: its parts have no point in common");
    stopped(1, &set, 1, SCREE_LAZY, &half, 8,
            "no velocity keeps the point in the set at t = 1: its parts close in from all sides");
    const scree_function squeeze[] = { of_wave(&dragged), of_wave(&closing) };
    set = interval(squeeze);
    stopped(1, &set, 1, SCREE_LAZY, &half, 4,
            "no velocity keeps the point in the set at t = 0.5: its parts close in from all "
            "sides");
    scree_moving_set ball = disc(zero, 1);
    ball.radius = root;
    stopped(2, &ball, 1, SCREE_CATCHING_UP, origin, 7,
            "set 1: the radius must stay positive, it is 0 at t = 1");
    const scree_function ends[] = { fixed(-1), root };
    set = interval(ends);
    stopped(1, &set, 1, SCREE_CATCHING_UP, &half, 8, "set 1: high is -nan at t = 1.125");
}

TEST_FILE(test_sweeping) {
    TEST(interval_is_exact_on_a_grid_with_its_extrema);
    TEST(half_plane_pushed_along_its_normal_is_exact);
    TEST(turning_half_plane_loses_what_the_cosine_says);
    TEST(dragged_disc_draws_a_tractrix);
    TEST(turning_disc_draws_its_point_to_a_circle);
    TEST(polyhedra_agree_with_all_active_sets);
    TEST(nearest_points_see_the_set_at_a_blunt_angle);
    TEST(balls_apart_are_empty);
    TEST(distances_never_grow);
    TEST(lazy_selector_goes_to_the_same_end);
    TEST(frames_do_not_matter);
    TEST(rates_do_not_matter);
    TEST(a_restored_process_goes_on_bit_for_bit);
    TEST(bad_input_is_refused);
    TEST(a_run_stops_where_the_set_ends);
    return harness_end();
}
