// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// check.c - what no single value of a scene can show.
// in: a scene as read.   out: findings; sections that have one are marked as broken.

#include <stdio.h>
#include <string.h>

#include "scene/scene.h"

static void check_names(const scree_scene *scene, const scree_scene_law *law,
                        scree_findings *findings) {
    if (!scree_scene_given(&law->section, "between") || !law->between.item) return;
    if (law->between.count != 2) {
        scree_findings_add(findings, scree_scene_place(&law->section, "between"),
                           "between: expected two names, found %d", law->between.count);
        return;
    }
    for (int k = 0; k < 2; k++) {
        const char *name = ((const char **)law->between.item)[k];
        // no text: complained about already
        if (!name || scree_names_find(scene, name).kind != SCREE_NAMED_NOTHING) continue;
        const char *near = scree_names_near(scene, name);
        scree_source_location at = scree_yaml_find(law->section.node, "between")->item[k]->at;
        scree_findings_add(findings, at, "between: there is no body or group \"%s\"%s%s%s", name,
                           near ? "; did you mean \"" : "", near ? near : "", near ? "\"?" : "");
    }
}

static void check_law(const scree_scene *scene, const scree_scene_law *law,
                      scree_findings *findings) {
    static const char *const spatial[] = { "rolling", "friction_second", "grain" };
    const scree_section *section = &law->section;
    check_names(scene, law, findings);
    for (int i = 0; i < 3; i++)
        if (scene->top.space == 2 && scree_scene_given(section, spatial[i])) {
            scree_findings_add(findings, scree_scene_place(section, spatial[i]),
                               "%s is for bodies in space: leave it out, or write space: 3 at the "
                               "top",
                               spatial[i]);
            return;
        }
    bool second = scree_scene_given(section, "friction_second"),
         friction_axis = scree_scene_given(section, "grain");
    const double *direction = law->friction_axis.item;
    bool kinetic = scree_scene_given(section, "friction_kinetic"),
         speed = scree_scene_given(section, "friction_speed");
    if (kinetic != speed)
        scree_findings_add(
            findings, scree_scene_place(section, kinetic ? "friction_kinetic" : "friction_speed"),
            "friction_kinetic and friction_speed go together");
    if (second != friction_axis)
        scree_findings_add(findings,
                           scree_scene_place(section, second ? "friction_second" : "grain"),
                           second ? "friction_second needs grain, the direction in which friction "
                                    "holds"
                                  : "grain needs friction_second, the friction across it");
    else if (friction_axis && (law->friction_axis.count != 3 ||
                               (direction[0] == 0 && direction[1] == 0 && direction[2] == 0)))
        scree_findings_add(findings, scree_scene_place(section, "grain"),
                           "grain is a direction [x, y, z] with a length");
}

static void check_content(const scree_scene_top *top, scree_findings *findings) {
    const scree_section *section = &top->section;
    bool listed = scree_scene_given(section, "bodies"),
         rigid = listed || scree_scene_given(section, "generate"),
         elastic = scree_scene_given(section, "elastic"), bodies = rigid || elastic,
         system = scree_scene_given(section, "system"),
         mechanism = scree_scene_given(section, "mechanism");
    if (!bodies && !system && !mechanism)
        scree_findings_add(
            findings, section->node->at,
            "a scene has bodies, a system or a mechanism; this one has none of them");
    if (system && !bodies && top->space == 3)
        scree_findings_add(findings, scree_scene_place(section, "space"),
                           "space is for bodies; a system has the coordinates of its matrices");
    bool none = !top->bodies.count && !top->generate.count;
    if (rigid && !elastic && none && (top->bodies.item || !listed))
        scree_findings_add(findings, scree_scene_place(section, listed ? "bodies" : "generate"),
                           "the list of bodies is empty");
    if (elastic && none && !top->elastic.count && top->elastic.item)
        scree_findings_add(findings, scree_scene_place(section, "elastic"),
                           "the list of elastic bodies is empty");
}

static void check_number_of_bodies(const scree_scene *scene, scree_findings *findings) {
    int64_t bodies = scree_scene_bodies(scene);
    if (bodies > SCREE_BODIES_MAX)
        scree_findings_add(findings, scree_scene_place(&scene->top.section, "generate"),
                           "the scene has %lld bodies, more than %d", (long long)bodies,
                           SCREE_BODIES_MAX);
}

static bool is_override(const scree_section *section, const char *key) {
    const scree_source_location at = scree_scene_place(section, key);
    return at.file && strncmp(at.file, "--set ", 6) == 0;
}

// some schemes have their own answers to what the others ask; where such a scheme is only tried on
// a scene, by --set, what the scene asks of its own scheme is no mistake
static void check_scheme(const scree_scene_scheme *scheme, scree_findings *findings) {
    static const char *const own[] = { "activation", "approach", "jacobian" };
    const scree_section *section = &scheme->section;
    if (scheme->duration / scheme->step > 1e15)
        scree_findings_add(findings, scree_scene_place(section, "step"),
                           "duration / step is %g steps, more than can be counted",
                           scheme->duration / scheme->step);
    const scree_scheme_options options = { .name = (scree_scheme)scheme->name,
                                           .theta = scheme->theta };
    const scree_scheme_row *row = scree_scheme_row_of(&options);
    scree_error err = { 0 };
    if (scree_scheme_check_theta(&options, &err))
        scree_findings_add(findings, scree_scene_place(section, "theta"), "%s", err.text);
    for (int i = 0; row->rules_fixed && i < 3; i++)
        if (scree_scene_given(section, own[i]) &&
            (is_override(section, own[i]) || !is_override(section, "name")))
            scree_findings_add(findings, scree_scene_place(section, own[i]),
                               "the scheme %s has its own %s: leave it out", row->name, own[i]);
}

// what belongs to one mode of the solver alone
static void check_mode(const scree_scene_solver *solver, scree_findings *findings) {
    static const char *const exact[] = { "max_sweeps", "unconverged" };
    const scree_section *section = &solver->section;
    bool flow = solver->mode == 1;
    if (!flow && scree_scene_given(section, "sweeps"))
        scree_findings_add(findings, scree_scene_place(section, "sweeps"),
                           "sweeps is for mode: flow; in the mode exact the limit is max_sweeps");
    for (int i = 0; flow && i < 2; i++)
        if (scree_scene_given(section, exact[i]))
            scree_findings_add(findings, scree_scene_place(section, exact[i]),
                               "%s is for mode: exact; in the mode flow a step has its sweeps and "
                               "is accepted: leave it out",
                               exact[i]);
}

void scree_check_scene(scree_scene *scene, scree_findings *findings) {
    scree_scene_top *top = &scene->top;
    scree_scene_body *body = top->bodies.item;
    scree_scene_generator *generator = top->generate.item;
    scree_scene_elastic *elastic = top->elastic.item;
    scree_scene_law *law = top->laws.item;
    if (top->kind == SCREE_KIND_SWEEPING) {
        scree_check_sweeping(top, findings);
        if (top->scheme.section.node && !top->scheme.section.broken)
            check_scheme(&top->scheme, findings);
        return;
    }
    scree_check_not_sweeping(top, findings);
    check_content(top, findings);
    scree_names_collect(scene, findings);

    // a section with a finding of its own is broken: no model is made of it
    int known = findings->count;
    for (int i = 0; i < top->bodies.count; i++, known = findings->count) {
        if (body[i].section.node) scree_check_body(scene, &body[i], false, findings);
        body[i].section.broken |= findings->count > known;
    }
    check_number_of_bodies(scene, findings);
    for (int i = 0; i < top->generate.count; i++, known = findings->count) {
        if (generator[i].section.node) scree_check_generator(scene, &generator[i], findings);
        generator[i].section.broken |= findings->count > known;
    }
    for (int i = 0; i < top->elastic.count; i++, known = findings->count) {
        if (elastic[i].section.node) scree_check_elastic(&elastic[i], top->space, findings);
        elastic[i].section.broken |= findings->count > known;
    }
    for (int i = 0; i < top->laws.count; i++, known = findings->count) {
        if (law[i].section.node) check_law(scene, &law[i], findings);
        law[i].section.broken |= findings->count > known;
    }
    scree_scene_marker *marker = top->markers.item;
    for (int i = 0; i < top->markers.count; i++, known = findings->count) {
        if (marker[i].section.node && !marker[i].section.broken)
            scree_check_marker(scene, i, findings);
        marker[i].section.broken |= findings->count > known;
    }
    scree_scene_joint *joint = top->joints.item;
    for (int i = 0; i < top->joints.count; i++, known = findings->count) {
        if (joint[i].section.node && !joint[i].section.broken)
            scree_check_joint(scene, i, findings);
        joint[i].section.broken |= findings->count > known;
    }
    scree_scene_drive *drive[2] = { top->springs.item, top->motors.item };
    for (int i = 0; i < top->springs.count + top->motors.count; i++, known = findings->count) {
        bool spring = i < top->springs.count;
        scree_scene_drive *own = spring ? &drive[0][i] : &drive[1][i - top->springs.count];
        if (own->section.node && !own->section.broken)
            (spring ? scree_check_spring : scree_check_motor)(scene, own, findings);
        own->section.broken |= findings->count > known;
    }
    if (scree_scene_given(&top->section, "system") && !top->system.section.broken)
        scree_check_system(&top->system, findings);
    top->system.section.broken |= findings->count > known;
    if (scree_scene_given(&top->section, "mechanism")) scree_check_mechanism(scene, findings);
    if (top->scheme.section.node && !top->scheme.section.broken)
        check_scheme(&top->scheme, findings);
    if (top->solver.section.node && !top->solver.section.broken) check_mode(&top->solver, findings);
}
