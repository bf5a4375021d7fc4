// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// study.c - many runs of one scene: two schemes beside each other, the order of convergence, and
// a run for each of nine values, two at a time.
// prints: moreau-jean-fremond: [0-9.e+-]+ J created. order of q [0-9.]+.*v0 = 3: 15.29 J

#include <math.h>
#include <scree/scree.h>
#include <stdio.h>

// a study opens its scene again and again: here one that stands in memory
static scree_simulation *open_text(const char *scene, const char *const *override, int count,
                                   scree_findings *findings) {
    static const char text[] =
        "parameters: {v0: 1}\n"
        "gravity: [0, -9.81]\n"
        "bodies:\n"
        "  - {name: ground, fixed: true, shapes: [{type: half-plane, normal: [0, 1]}]}\n"
        "  - {name: ball, mass: 1, inertia: 0.004, position: [0, 1.1], velocity: [v0, 0],\n"
        "     shapes: [{type: disc, radius: 0.1}]}\n"
        "laws: [{restitution: 0.5, friction: 0.3}]\n"
        "scheme: {step: 1e-3, duration: 1, theta: 0.5}\n";
    return scree_simulation_parse(scene, text, sizeof text - 1, override, count, findings);
}

// what friction takes from balls of other speeds
static int sweep_speeds(const scree_study *study) {
    scree_sweep sweep = scree_sweep_default(study);
    scree_sweep_summary found[9];
    scree_error err = { 0 };
    sweep.jobs = 2;  // name sweep.folder to keep run files and summaries, and to go on after a stop
    int bad =
        scree_sweep_add(&sweep, "v0=-1:3:9", &err) || scree_sweep_find(study, &sweep, found, &err);
    if (bad) fprintf(stderr, "%s\n", err.text);
    for (int i = 0; !bad && i < sweep.runs; i++)
        printf("v0 = %s: %.2f J at the start, %.4f J by contacts\n", sweep.axis[0].word[i],
               found[i].value[SCREE_SWEEP_ENERGY_START], found[i].value[SCREE_SWEEP_CONTACT_WORK]);
    scree_sweep_free(&sweep);
    return bad;
}

int main(void) {
    static const char *const schemes[] = { "moreau-jean", "moreau-jean-fremond" };
    scree_error err = { 0 };
    scree_findings findings = { 0 };
    scree_comparison both = { 0 };
    scree_convergence orders = { 0 };
    scree_study study = { .open = open_text, .scene = "ball" };
    if (scree_comparison_find(&study, schemes, 2, NULL, NULL, &both, &findings, &err))
        return fprintf(stderr, "%s\n", findings.count ? findings.item[0].text : err.text), 1;
    scree_convergence_options options = scree_convergence_options_default(both.run[0].simulation);
    options.key = "scheme.name";
    options.scheme = schemes;
    options.schemes = 2;
    options.reference = SCREE_REFERENCE_SELF;  // event-driven motion has another law of impact
    if (scree_convergence_find(&study, &options, &orders, &err))
        return fprintf(stderr, "%s\n", err.text), 1;
    for (int i = 0; i < both.runs; i++)
        printf("%s: %.2e J created; order of q %.2f\n", both.run[i].scheme,
               scree_simulation_totals(both.run[i].simulation)->energy_created,
               orders.ladder[i].order_q);
    bool fine = orders.ladder[1].order_q > 0.7;
    scree_convergence_free(&orders);
    scree_comparison_free(&both);
    scree_findings_free(&findings);
    return sweep_speeds(&study) || !fine;
}
