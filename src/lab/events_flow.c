// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// events_flow.c - one phase integrated by the Dormand-Prince pair 5(4), and the event that ends it.
// in: phases, t, y.   out: y later, the first moment at which a phase is lost.
//
// A state inside of a step is had by a shorter step from its start, which is more accurate than the
// whole one: no interpolation comes between the equations and the events.

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "lab/events_system.h"

enum { STAGES = 7, SAMPLES = 8, TRIES = 200, APPROACH = SCREE_WATCHED };

static const double TOLERANCE = 1e-13;  // of a step, relative to the scree_dense_largest q and v
static const double WATCH = 1e-11;      // of what is watched: smaller is rounding

static const double node[STAGES] = { 0, 1 / 5., 3 / 10., 4 / 5., 8 / 9., 1, 1 };
static const double weight[STAGES][STAGES - 1] = {
    { 0 },
    { 1 / 5. },
    { 3 / 40., 9 / 40. },
    { 44 / 45., -56 / 15., 32 / 9. },
    { 19372 / 6561., -25360 / 2187., 64448 / 6561., -212 / 729. },
    { 9017 / 3168., -355 / 33., 46732 / 5247., 49 / 176., -5103 / 18656. },
    { 35 / 384., 0, 500 / 1113., 125 / 192., -2187 / 6784., 11 / 84. },
};
// of the fifth order less that of the fourth
static const double defect[STAGES] = { 71 / 57600.,      0,         -71 / 16695., 71 / 1920.,
                                       -17253 / 339200., 22 / 525., -1 / 40. };

static int solve_phase(const scree_flow *flow, double t, const double *y, scree_evaluation *view,
                       scree_mode_solution *choice) {
    scree_small_system_evaluate(flow->small, t, y, y + flow->small->n, view);
    memcpy(choice->phase, flow->phase, sizeof choice->phase);
    return scree_modes_solve(view, flow->small->friction, view->du, choice);
}

// dy/dt; false if the phase has no forces. effort: the scree_dense_largest acceleration without
// contacts
static bool rate(const scree_flow *flow, double t, const double *y, double *dy, double *effort) {
    const scree_small_system *small = flow->small;
    int n = small->n;
    scree_evaluation view;
    scree_mode_solution forces;
    if (!solve_phase(flow, t, y, &view, &forces)) return false;
    memcpy(dy, y + n, (size_t)n * sizeof *dy);
    memcpy(dy + n, view.acceleration, (size_t)n * sizeof *dy);
    *effort = scree_dense_largest(view.acceleration, n);
    double *work = dy + scree_flow_work_index(flow, 0);
    work[SCREE_WORK_LOAD] = view.load_power;
    work[SCREE_WORK_DAMPING] = view.damping_power;
    work[SCREE_WORK_NORMAL] = work[SCREE_WORK_SLIDING] = work[SCREE_WORK_WALL] = 0;
    memset(dy + 2 * n, 0, (size_t)(3 * small->contacts) * sizeof *dy);
    for (int c = 0; c < small->contacts; c++)
        for (int k = 0; k < 2 && flow->phase[c] != SCREE_MODE_OPEN; k++) {
            double force = forces.p[c][k];
            for (int i = 0; i < n; i++) dy[n + i] += view.push[c][k][i] * force;
            dy[scree_flow_contact_index(flow, c) + k] = force;
            work[k ? SCREE_WORK_SLIDING : SCREE_WORK_NORMAL] += force * view.u[c][k];
            work[SCREE_WORK_WALL] -= force * view.w[c][k];
            if (k) dy[scree_flow_contact_index(flow, c) + 2] = force * view.u[c][k];
        }
    return true;
}

// against the scree_dense_largest so far: what begins from nothing must not be better than the
// rest, nor what rests because contacts bear it
static double measure(const scree_flow *flow, double h, const double *y, const double *first,
                      double effort, const double *off) {
    int n = flow->small->n;
    double speed = fmax(flow->fastest_rate,
                        scree_dense_largest(y + n, n) + h * scree_dense_largest(first + n, n));
    speed = fmax(speed, flow->lookahead * effort);
    double place = fmax(flow->reach, scree_dense_largest(y, n) + h * speed);
    double wrong = scree_dense_largest(off, n), slow = scree_dense_largest(off + n, n);
    double error = place > 0 ? wrong / (TOLERANCE * place) : 0;
    return fmax(error, speed > 0 ? slow / (TOLERANCE * speed) : 0);
}

bool scree_flow_step(const scree_flow *flow, double t, const double *y, double h, double *end,
                     double *error) {
    double k[STAGES][SCREE_SMALL_Y], off[SCREE_SMALL_Y], effort = 0;
    int length = scree_flow_length(flow);
    memcpy(end, y, (size_t)length * sizeof *y);
    for (int s = 0; s < STAGES; s++) {
        if (!rate(flow, t + node[s] * h, end, k[s], &effort)) return false;
        for (int i = 0; s + 1 < STAGES && i < length; i++) {
            double sum = 0;
            for (int r = 0; r <= s; r++) sum += weight[s + 1][r] * k[r][i];
            end[i] = y[i] + h * sum;
        }
    }
    for (int i = 0; i < length; i++) {
        double sum = 0;
        for (int s = 0; s < STAGES; s++) sum += defect[s] * k[s][i];
        off[i] = h * sum;
    }
    *error = measure(flow, h, y, k[0], effort, off);
    return true;
}

// -------------------------------------------------------------------------------------------------
// what must stay positive

static double row_size(const double *row, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += fabs(row[i]);
    return sum;
}

bool scree_flow_event_functions(const scree_flow *flow, double t, const double *y,
                                scree_event_functions *found) {
    const scree_small_system *small = flow->small;
    scree_evaluation view;
    scree_mode_solution forces;
    found->sign = solve_phase(flow, t, y, &view, &forces);
    for (int c = 0; found->sign && c < small->contacts; c++) {
        double *value = found->value[c], *tolerance = found->tolerance[c], mu = small->friction[c];
        found->approach[c] = view.u[c][0];
        found->rounding[c] = 64 * DBL_EPSILON * view.length[c];
        value[1] = value[2] = 1;
        tolerance[1] = tolerance[2] = 0;
        if (flow->phase[c] == SCREE_MODE_OPEN) {
            value[0] = view.gap[c];
            // a contact that never moved has no length of its own: what integration leaves of it
            double left = TOLERANCE * flow->reach * row_size(view.H[c][0], view.n);
            tolerance[0] = fmax(left, WATCH / 10 * fmax(view.length[c], flow->longest[c]));
            continue;
        }
        if (view.range[c] < HUGE_VAL) {
            value[2] = view.range[c];
            tolerance[2] = found->rounding[c];
        }
        double force = WATCH * view.scale[c] / view.W[2 * c][2 * c];
        value[0] = forces.p[c][0];
        tolerance[0] = force;
        if (flow->phase[c] == SCREE_MODE_STICK) {
            value[1] = mu * forces.p[c][0] - fabs(forces.p[c][1]);
            tolerance[1] = (1 + mu) * force;
        } else if (mu > 0) {
            value[1] = (flow->phase[c] == SCREE_MODE_SLIP_PLUS ? 1 : -1) * view.u[c][1];
            double fast = fmax(flow->fastest[c], flow->lookahead * view.scale[c]);
            tolerance[1] = WATCH / 10 * fmax(view.speed[c], fast);
        }
    }
    return found->sign != 0;
}

typedef struct search {
    const scree_flow *flow;
    double t, h;
    const double *y;
    int contact, which;  // which: APPROACH, or of what is watched
} search;

static double value_after(const search *s, double after, double *tolerance) {
    double end[SCREE_SMALL_Y], error;
    scree_event_functions found;
    if (!scree_flow_step(s->flow, s->t, s->y, after, end, &error) ||
        !scree_flow_event_functions(s->flow, s->t + after, end, &found))
        return NAN;
    if (s->which == APPROACH) return found.approach[s->contact];
    *tolerance = found.tolerance[s->contact][s->which];
    return found.value[s->contact][s->which];
}

// where value - level changes its sign between two moments, the second of which is on the other
// side: false position with halving (Illinois), to the rounding of time
static double find_zero(const search *s, double level, double from, double a, double to, double b) {
    double slack, fine = 4 * DBL_EPSILON * (fabs(s->t) + s->h);
    a -= level;
    b -= level;
    for (int k = 0, side = 0; k < TRIES && to - from > fine; k++) {
        // every third one in the middle, so that the interval shrinks for sure
        double middle = k % 3 == 2 ? (from + to) / 2 : (from * b - to * a) / (b - a);
        if (!(middle > from && middle < to)) middle = (from + to) / 2;
        double value = value_after(s, middle, &slack) - level;
        if ((value > 0) == (a > 0)) {
            from = middle;
            a = value;
            if (side == 1) b /= 2;
            side = 1;
        } else {
            to = middle;
            b = value;
            if (side == -1) a /= 2;
            side = -1;
        }
        if (value == 0) return middle;
    }
    return to;
}

// something watched is negative at `to`: when was it lost?
static double find_loss(const search *s, double start, double tolerance, double to, double b) {
    if (start > tolerance) return find_zero(s, 0, 0, start, to, b);
    // it began with nothing: look for a moment when there was something
    double slack;
    for (int k = SAMPLES - 1; k > 0; k--) {
        double value = value_after(s, to * k / SAMPLES, &slack);
        if (value > slack) return find_zero(s, 0, to * k / SAMPLES, value, to, b);
    }
    if (start <= -tolerance) return 0;
    return find_zero(s, -tolerance, 0, fmax(start, 0), to, fmin(b, -2 * tolerance));
}

// a gap that closed and opened again within the step
static double find_dip(search *s, const scree_event_functions *first,
                       const scree_event_functions *last) {
    int c = s->contact;
    double slack;
    s->which = APPROACH;
    double bottom = find_zero(s, 0, 0, first->approach[c], s->h, last->approach[c]);
    s->which = 0;
    double value = value_after(s, bottom, &slack);
    if (!(value < -slack)) return s->h;
    return find_loss(s, first->value[c][0], first->tolerance[c][0], bottom, value);
}

// a gap that opened and closed again within the step: only its top shows that it was open; one that
// rounding could have made ends there, closed
static double find_hop(search *s, const scree_event_functions *first,
                       const scree_event_functions *last) {
    int c = s->contact;
    double slack;
    s->which = APPROACH;
    double top = find_zero(s, 0, 0, first->approach[c], s->h, last->approach[c]);
    s->which = 0;
    double value = value_after(s, top, &slack);
    if (value <= first->rounding[c]) return top;
    return find_zero(s, 0, top, value, s->h, last->value[c][0]);
}

double scree_flow_locate_event(const scree_flow *flow, double t, const double *y, double h,
                               const double *end, bool *lost) {
    scree_event_functions first, last;
    double soonest = h;
    *lost = false;
    if (!scree_flow_event_functions(flow, t, y, &first) ||
        !scree_flow_event_functions(flow, t + h, end, &last))
        return h;
    for (int c = 0; c < flow->small->contacts; c++)
        for (int k = 0; k < SCREE_WATCHED; k++) {
            search s = { flow, t, h, y, c, k };
            bool open = flow->phase[c] == SCREE_MODE_OPEN && k == 0, below = false;
            double a = first.value[c][k], b = last.value[c][k], found = h;
            if (b < -last.tolerance[c][k]) {
                below = true;
                bool hop = open && a <= first.tolerance[c][k] && first.approach[c] > 0 &&
                           last.approach[c] < 0;
                found = hop ? find_hop(&s, &first, &last)
                            : find_loss(&s, a, first.tolerance[c][k], h, b);
            } else if (open && first.approach[c] < 0 && last.approach[c] > 0) {
                found = find_dip(&s, &first, &last);
                below = found < h;
            }
            if (!below) continue;
            *lost = true;
            soonest = fmin(soonest, found);
        }
    return soonest;
}
