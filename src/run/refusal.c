// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// refusal.c - why a step was refused, from the problem that its solver missed.
// in: model, record.   out: reason, detail, advice.   work: an arena.
//
// Proofs first: the solver's own, then all combinations of statuses of the planar islands that are
// not solved (enumerate.h). Then the criterion for existence, whose self-stress says which contacts
// jam and so which driven bodies press (existence.h). What is left has not been found, or not in
// time. Each look is bounded by its size; none changes the step.

#include "run/refusal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/space.h"
#include "law/assemble.h"
#include "law/bodies.h"
#include "model/inertia.h"
#include "model/joint.h"
#include "solve/enumerate.h"
#include "solve/existence.h"
#include "solve/islands.h"

static const double far_turn = 0.1;    // [rad]
enum { LOOKED_AT = 3000, NAMED = 3 };  // contacts that the criterion is asked of; names in a text

typedef struct inquiry {
    const scree_model *model;
    const scree_step_record *record;
    const scree_solver_options *solver;
    scree_refusal *refusal;
    scree_arena arena;
    scree_problem problem;
    bool known;                     // the record has the contacts of the problem
    const scree_contact **contact;  // of the problem (nc)
    double *p, *stress;             // (nc x d)
    scree_existence existence;
    bool asked;    // the criterion has been looked at
    bool heavy;    // what looks like a self-stress moves a body whose mass is out of proportion
    long systems;  // linear ones of an island without solution
} inquiry;

static bool prepare(inquiry *now) {
    const scree_step_record *record = now->record;
    scree_error err;
    int nc = record->problem.contacts, at = 0;
    size_t d = (size_t)record->problem.dimension;
    now->problem = record->problem;
    if (nc == 0 || nc > LOOKED_AT) return false;
    now->contact = SCREE_NEW(&now->arena, const scree_contact *, nc);
    now->p = SCREE_NEW(&now->arena, double, ((size_t)nc * d));
    now->stress = SCREE_NEW(&now->arena, double, ((size_t)nc * d));
    if (!now->contact || !now->p || !now->stress) return false;
    for (int i = 0; i < record->contacts && nc == record->active; i++) {
        if (record->contact[i].status == SCREE_CONTACT_INACTIVE) continue;
        memcpy(now->p + d * (size_t)at, record->contact[i].impulse, d * sizeof *now->p);
        now->contact[at++] = &record->contact[i];
    }
    now->known = at == nc;
    return now->problem.block || !scree_assemble(&now->problem, &now->arena, &err);
}

// -------------------------------------------------------------------------------------------------
// who presses

static bool is_driven(const scree_model *model, int side) {
    return side >= 0 && side < model->bodies && model->body[side].driven;
}

static bool is_jammed(const inquiry *now, int i) {
    int d = now->problem.dimension;
    double most = 0;
    for (int k = 0; k < now->problem.contacts; k++) most = fmax(most, now->stress[k * d]);
    return most > 0 && now->stress[i * d] > SCREE_JAMMED * most;
}

// does what is driven in contact i work against the self-stress?
static bool is_pressed(const inquiry *now, int i) {
    int d = now->problem.dimension;
    double work = 0;
    for (int k = 0; k < d; k++) work += now->contact[i]->w_after[k] * now->stress[i * d + k];
    return work < 0;
}

typedef struct pressing {
    int a, b;  // sides; a is driven if anything is
} pressing;

static void add_pair(pressing pair, pressing found[NAMED], int *count) {
    for (int k = 0; k < *count && k < NAMED; k++)
        if (found[k].a == pair.a && found[k].b == pair.b) return;
    if (*count < NAMED) found[*count] = pair;
    ++*count;
}

// pairs that jam: those of driven bodies that press, or all if none does
static int find_pairs(const inquiry *now, bool driven, pressing found[NAMED]) {
    int count = 0;
    for (int i = 0; i < now->problem.contacts; i++) {
        const scree_contact *contact = now->contact[i];
        if (!is_jammed(now, i) || (driven && !is_pressed(now, i))) continue;
        bool second = is_driven(now->model, contact->b) && !is_driven(now->model, contact->a);
        pressing pair =
            second ? (pressing){ contact->b, contact->a } : (pressing){ contact->a, contact->b };
        if (!driven || is_driven(now->model, pair.a)) add_pair(pair, found, &count);
    }
    return count;
}

static void append(char *text, size_t size, const char *format, const char *a, const char *b) {
    size_t at = strlen(text);
    snprintf(text + at, size - at, format, a, b);
}

// ": driven body ram presses on stone", or who jams, or nothing; returns the body that presses
static const char *name_pairs(const inquiry *now, char *text, size_t size) {
    pressing pair[NAMED];
    if (!now->existence.fails || !now->known) return NULL;
    int count = find_pairs(now, true, pair);
    bool driven = count > 0;
    if (!driven) count = find_pairs(now, false, pair);
    for (int k = 0; k < count && k < NAMED; k++) {
        const char *a = scree_model_side_name(now->model, pair[k].a),
                   *b = scree_model_side_name(now->model, pair[k].b);
        append(text, size, "%s", k ? ", " : ": ", "");
        append(text, size, driven ? "driven body %s presses on %s" : "%s and %s jam", a, b);
    }
    if (count > NAMED) append(text, size, " and others%s%s", "", "");
    return driven ? scree_model_side_name(now->model, pair[0].a) : NULL;
}

// -------------------------------------------------------------------------------------------------
// proofs

typedef struct judge {
    const scree_problem *problem;
    double *s;
} judge;

static double error_of(void *context, const double *p) {
    judge *j = context;
    return scree_residual_max(scree_problem_residual(j->problem, p, j->s));
}

// has island number k no solution, by all combinations of statuses?
static bool is_impossible(inquiry *now, const scree_islands *islands, int k) {
    static const double rounding = 1e-11;  // of scaled variables
    int first = islands->first[k], count = islands->first[k + 1] - first;
    scree_problem part;
    scree_mode_problem modes;
    if (count > SCREE_MODE_CONTACTS) return false;
    scree_arena *arena = &now->arena;
    double *p = SCREE_NEW(arena, double, 2 * count), *s = SCREE_NEW(arena, double, 2 * count);
    if (!p || !s || !scree_islands_extract(&now->problem, islands, k, arena, &part)) return false;
    for (int i = 0; i < count; i++)
        memcpy(p + 2 * (size_t)i, now->p + 2 * (size_t)islands->contact[first + i], 2 * sizeof *p);
    if (scree_residual_meets(scree_problem_residual(&part, p, s), now->solver->tolerance))
        return false;
    judge j = { &part, s };
    scree_enumeration search = { .error = error_of,
                                 .context = &j,
                                 .tolerance = now->solver->tolerance };
    if (!scree_mode_problem_of_problem(&part, rounding, arena, &modes) ||
        !scree_enumerate_run(&modes, &search, p, arena))
        return false;
    now->systems = search.systems;
    return search.complete && search.best == HUGE_VAL;
}

static bool is_proven(inquiry *now) {
    scree_islands islands;
    if (now->problem.dimension != 2 || !scree_islands_find(&now->problem, &now->arena, &islands))
        return false;
    for (int k = 0; k < islands.count; k++)
        if (is_impossible(now, &islands, k)) return true;
    return false;
}

// -------------------------------------------------------------------------------------------------
// sentences

// who presses, behind what the detail says already, and what to do about it
static void tell_pressing(inquiry *now) {
    scree_refusal *refusal = now->refusal;
    const char *who = name_pairs(now, refusal->detail, sizeof refusal->detail);
    if (who)
        snprintf(
            refusal->advice, sizeof refusal->advice,
            "no solver can help: let body %s stop, give way or be pushed by a force instead of "
            "a motion, or lower the friction",
            who);
    else
        snprintf(refusal->advice, sizeof refusal->advice,
                 "no solver can help: look at what is driven or held there, or lower the friction");
}

static void tell_no_solution(inquiry *now) {
    scree_refusal *refusal = now->refusal;
    refusal->reason = SCREE_REFUSED_NO_SOLUTION;
    if (now->systems)
        snprintf(
            refusal->detail, sizeof refusal->detail,
            "there is no solution, proven by all combinations of statuses (%ld linear systems)",
            now->systems);
    else
        snprintf(refusal->detail, sizeof refusal->detail,
                 "there is no solution, proven: no motion keeps all contacts from closing");
    tell_pressing(now);
}

static void tell_existence(inquiry *now) {
    scree_refusal *refusal = now->refusal;
    refusal->reason = SCREE_REFUSED_EXISTENCE;
    snprintf(refusal->detail, sizeof refusal->detail,
             "the criterion for existence fails by %.3g m/s: %d contact(s) jam, and most likely "
             "there is no solution",
             -now->existence.value, now->existence.jammed);
    tell_pressing(now);
}

// the joint whose equations the step would leave open furthest, or -1: there are none
static int find_open_joint(const inquiry *now, double *off) {
    int who = -1;
    *off = 0;
    for (int i = 0; i < now->record->contacts; i++) {
        const scree_contact *contact = &now->record->contact[i];
        int joint = scree_joint_of_contact(now->model, contact);
        bool equation =
            joint >= 0 && scree_contact_id_unpack(contact->id).feature < SCREE_JOINT_FRICTION;
        if (!equation || !(contact->gap_after > *off)) continue;
        *off = contact->gap_after;
        who = joint;
    }
    return who;
}

// the pin that goes furthest in the step over its clearance, if it can cross its bush, or -1
static int find_fast_pin(const inquiry *now, double *way) {
    int who = -1;
    double most = 1;
    for (int i = 0; i < now->record->contacts; i++) {
        const scree_contact *contact = &now->record->contact[i];
        int joint = scree_joint_of_contact(now->model, contact);
        if (joint < 0 || !scree_joint_is_bush(contact)) continue;
        double speed = 0;
        for (int k = 0; k < now->model->space; k++)
            speed = fmax(speed, fmax(fabs(contact->u_before[k]), fabs(contact->u_after[k])));
        double share = now->record->h * speed / now->model->joint[joint].clearance;
        if (!(share > most)) continue;
        most = share;
        *way = now->record->h * speed;
        who = joint;
    }
    return who;
}

static bool tell_pin(inquiry *now) {
    scree_refusal *refusal = now->refusal;
    double way = 0;
    int joint = find_fast_pin(now, &way);
    if (joint < 0) return false;
    snprintf(refusal->detail, sizeof refusal->detail,
             "the pin of joint %s goes %.2g in the step and has a clearance of %.2g: which side of "
             "its bush it touches does not settle",
             now->model->joint[joint].name, way, now->model->joint[joint].clearance);
    snprintf(refusal->advice, sizeof refusal->advice,
             "take a smaller scheme.step, or no clearance");
    return true;
}

// the body that turns most in the step
static void tell_turning(inquiry *now) {
    const scree_model *model = now->model;
    scree_refusal *refusal = now->refusal;
    double most = 0;
    int who = -1;
    for (int i = 0; model->space == 3 && i < model->bodies; i++) {
        double angle = now->record->h * scree_length(now->record->before.v + 6 * (long)i + 3);
        if (!scree_body_moves(&model->body[i]) || scree_body_isotropic(&model->body[i]) ||
            angle <= most)
            continue;
        most = angle;
        who = i;
    }
    refusal->reason = SCREE_REFUSED_TURNING;
    double off;
    int joint = find_open_joint(now, &off);
    if (most < far_turn && tell_pin(now)) return;
    if (joint >= 0 && most < far_turn) {
        snprintf(refusal->detail, sizeof refusal->detail,
                 "the passes found no step that keeps joints together, joint %s would be left open "
                 "by %.2g: its linkage may be in a singular position, stretched or flat",
                 model->joint[joint].name, off);
        snprintf(refusal->advice, sizeof refusal->advice,
                 "take another scheme.step, or keep the linkage from that position by limits");
        return;
    }
    if (most < far_turn) {
        snprintf(refusal->detail, sizeof refusal->detail,
                 "bodies turn with the impulses, and the passes over it jump between solutions");
        snprintf(refusal->advice, sizeof refusal->advice,
                 "take a larger solver.tolerance, or another scheme.step");
        return;
    }
    snprintf(refusal->detail, sizeof refusal->detail,
             "bodies turn too far in the step for its passes to settle, body %s by %.2g rad",
             who < 0 ? "?" : model->body[who].name, most);
    snprintf(refusal->advice, sizeof refusal->advice, "take a smaller scheme.step");
}

static void tell_not_found(inquiry *now) {
    scree_refusal *refusal = now->refusal;
    scree_stop_reason said = now->record->report.reason;
    bool budget = said == SCREE_STOP_LIMIT || said == SCREE_STOP_TIME;
    const char *exists = now->asked && now->existence.holds
                             ? ", though the criterion for existence is met: one is there"
                             : "";
    refusal->reason = budget ? SCREE_REFUSED_BUDGET : SCREE_REFUSED_NOT_FOUND;
    snprintf(refusal->detail, sizeof refusal->detail, "%s%s",
             budget ? "no solution was found within the budget" : "no engine found a solution",
             exists);
    if (strcmp(now->solver->name, "auto") != 0)
        snprintf(refusal->advice, sizeof refusal->advice,
                 "take solver.name=auto, which tries more than %s", now->solver->name);
    else
        snprintf(refusal->advice, sizeof refusal->advice,
                 budget ? "give it a larger solver.max_sweeps, a larger solver.tolerance or a "
                          "smaller scheme.step"
                        : "take a smaller scheme.step or a larger solver.tolerance; "
                          "--dump-problems writes the problem down");
}

// numbers have left the range of double precision: nothing is to be seen in the problem
static void tell_broken(inquiry *now) {
    scree_refusal *refusal = now->refusal;
    refusal->reason = SCREE_REFUSED_NOT_FOUND;
    snprintf(refusal->detail, sizeof refusal->detail,
             "the contact problem cannot be computed with: squares of its numbers are not finite, "
             "or what meets there has no mass");
    snprintf(refusal->advice, sizeof refusal->advice,
             "look at gravity, loads, velocities and masses: one of them is out of all proportion");
}

static void tell_heavy(inquiry *now) {
    scree_refusal *refusal = now->refusal;
    refusal->reason = SCREE_REFUSED_NOT_FOUND;
    snprintf(
        refusal->detail, sizeof refusal->detail,
        "no engine found a solution: impulses that nearly balance each other would be larger "
        "than double precision can bear, where bodies wedge or masses that press on each other "
        "differ too much");
    snprintf(refusal->advice, sizeof refusal->advice,
             "look at what is driven or wedged there, take masses that differ less, or a larger "
             "solver.tolerance");
}

// A stress that moves a heavy body a little is none: there may be a solution, if a large one, and
// what W, which hardly sees that body, seems to prove is not proven.
static bool check_existence(inquiry *now) {
    bool balanced = true;
    if (!scree_existence_find(&now->problem, &now->arena, now->stress, &now->existence) ||
        (now->existence.fails && now->problem.bodies &&
         !scree_bodies_balance(&now->problem, now->stress, &balanced, &now->arena)))
        return false;
    now->heavy = !balanced;
    if (now->heavy) now->existence.fails = false;
    return true;
}

scree_refusal scree_refusal_find(const scree_model *model, const scree_step_record *record,
                                 const scree_solver_options *solver) {
    scree_refusal refusal = { .contacts = record->problem.contacts };
    inquiry now = { .model = model, .record = record, .solver = solver, .refusal = &refusal };
    scree_stop_reason said = record->report.reason;
    if (said == SCREE_STOP_TURNING) {
        tell_turning(&now);
        return refusal;
    }
    if (said == SCREE_STOP_BROKEN) {
        tell_broken(&now);
        return refusal;
    }
    bool fine = prepare(&now);
    now.asked = fine && check_existence(&now);
    if (now.heavy)
        tell_heavy(&now);
    else if (said == SCREE_STOP_INFEASIBLE || (fine && is_proven(&now)))
        tell_no_solution(&now);
    else if (now.asked && now.existence.fails)
        tell_existence(&now);
    else
        tell_not_found(&now);
    scree_arena_free(&now.arena);
    return refusal;
}
