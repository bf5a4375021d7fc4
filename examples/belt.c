// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// belt.c - a law of contact by a function: a box on a moving belt, whose friction falls with the
// speed of slip, so that a spring makes it stick and slip.
// prints: the box went back [0-9]+ times in 10 s

#include <math.h>
#include <scree/scree.h>
#include <stdio.h>
#include <stdlib.h>

static const char scene[] =
    "gravity: [0, -9.81]\n"
    "bodies:\n"
    "  - {name: belt, motion: {position: [0.1*t, 0]}, shapes: [{type: half-plane, normal: [0, "
    "1]}]}\n"
    "  - {name: box, mass: 1, inertia: 0.01, position: [0, 0.1], shapes: [{type: box, size: [0.4, "
    "0.2]}]}\n"
    "forces: [{bodies: [box], force: [\"-20*x\", 0]}]\n"
    "laws: [{friction: 0.4}]\n"
    "scheme: {step: 1e-3, duration: 10}\n";

// asked for every contact between bodies, in the order of their identities
static scree_status weaken(void *data, const scree_state *state, const scree_contact *contact,
                           scree_law *law, scree_error *err) {
    (void)data, (void)state, (void)err;
    law->friction = 0.2 + 0.2 * exp(-fabs(contact->u_before[1]) / 0.05);
    return SCREE_OK;
}

int main(void) {
    scree_error err = { 0 };
    scree_findings findings = { 0 };
    scree_simulation *simulation =
        scree_simulation_parse("belt", scene, sizeof scene - 1, NULL, 0, &findings);
    for (int i = 0; i < findings.count; i++) {
        char text[800];
        scree_error_format(&findings.item[i], text, sizeof text);
        fprintf(stderr, "%s\n", text);
    }
    scree_findings_free(&findings);
    if (!simulation || scree_simulation_set_laws(simulation, weaken, NULL, &err)) return 1;

    int box = scree_model_body_find(scree_simulation_model(simulation), "box");
    const double *v = scree_simulation_state(simulation)->v + 3 * box;  // stays where it is
    int back = 0;
    bool was = false;
    while (scree_simulation_left(simulation) > 0) {
        if (scree_simulation_step(simulation, &err)) return fprintf(stderr, "%s\n", err.text), 1;
        bool is = v[0] < -0.05;
        back += is && !was;
        was = is;
    }
    printf("the box went back %d times in 10 s\n", back);
    scree_simulation_free(simulation);
    return back > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
