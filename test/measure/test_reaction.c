// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_reaction.c - forces that hold nodes: they balance loads, weight, inertia and contacts, and
// do the work that the ledger books; stresses against closed forms.

#include <stdlib.h>

#include "harness.h"
#include "scree/scree.h"

enum { NODES_MAX = 400 };

typedef struct world {
    scree_simulation *simulation;
    const scree_model *model;
    double *reaction, *scratch;
} world;

static world begin(const char *text, const char *const *set, int count) {
    scree_findings findings = { 0 };
    world w = { 0 };
    w.simulation = scree_simulation_parse("scene", text, strlen(text), set, count, &findings);
    if (!w.simulation) {
        COMPLAIN("%d: %s", findings.count ? findings.item[0].line : 0,
                 findings.count ? findings.item[0].text : "no memory");
        exit(harness_end() + 1);
    }
    scree_findings_free(&findings);
    w.model = scree_simulation_model(w.simulation);
    w.reaction = calloc((size_t)w.model->dofs, sizeof *w.reaction);
    w.scratch = calloc(2 * (size_t)w.model->dofs, sizeof *w.scratch);
    return w;
}

static void end(world *w) {
    scree_simulation_free(w->simulation);
    free(w->reaction);
    free(w->scratch);
}

static bool step(world *w) {
    scree_error err = { 0 };
    if (scree_simulation_step(w->simulation, &err)) {
        COMPLAIN("step: %s", err.text);
        return false;
    }
    double theta = scree_simulation_options(w->simulation)->scheme.theta;
    scree_reaction_find(w->model, theta, scree_simulation_record(w->simulation), w->reaction,
                        w->scratch);
    return true;
}

// ---- sums that share no code with the library

static double area(const scree_mesh *mesh, int e) {
    double sum = 0;
    for (int c = mesh->first[e]; c < mesh->first[e + 1]; c++) {
        int next = c + 1 < mesh->first[e + 1] ? c + 1 : mesh->first[e];
        const double *a = mesh->node + 2L * mesh->corner[c],
                     *b = mesh->node + 2L * mesh->corner[next];
        sum += (a[0] * b[1] - a[1] * b[0]) / 2;
    }
    return sum;
}

// masses at nodes: equal shares, which is what rows of M add up to in triangles and parallelograms
static void find_masses(const scree_elastic_body *body, double *mass) {
    const scree_mesh *mesh = &body->mesh;
    memset(mass, 0, NODES_MAX * sizeof *mass);
    for (int e = 0; e < mesh->elements; e++) {
        int corners = mesh->first[e + 1] - mesh->first[e];
        double whole = body->material.density * body->material.thickness * area(mesh, e);
        for (int c = mesh->first[e]; c < mesh->first[e + 1]; c++)
            mass[mesh->corner[c]] += whole / corners;
    }
}

// force of all contacts on a body
static void add_contacts(const world *w, int e, double force[2]) {
    const scree_step_record *record = scree_simulation_record(w->simulation);
    int side = w->model->bodies + e;
    for (int i = 0; i < record->contacts; i++) {
        const scree_contact *c = &record->contact[i];
        for (int k = 0; k < 2; k++) {
            double f = (c->impulse[0] * c->normal[k] + c->impulse[1] * c->tangent[k]) / record->h;
            force[k] += (c->a == side ? f : 0) - (c->b == side ? f : 0);
        }
    }
}

// weight, contacts and reactions of a body less the change of its momentum; loads are left
static void find_rest(const world *w, int e, double rest[2], double *size) {
    const scree_step_record *record = scree_simulation_record(w->simulation);
    const scree_elastic_body *body = &w->model->elastic[e];
    static double mass[NODES_MAX];
    find_masses(body, mass);
    rest[0] = rest[1] = *size = 0;
    add_contacts(w, e, rest);
    int first = body->dof - w->model->elastic[0].dof;
    for (int i = 0; i < body->count; i++) {
        double change = record->after.v[body->dof + i] - record->before.v[body->dof + i];
        double reaction = w->reaction[first + i];
        rest[i % 2] += reaction + mass[i / 2] * (w->model->gravity[i % 2] - change / record->h);
        *size += fabs(reaction) +
                 mass[i / 2] * (fabs(w->model->gravity[i % 2]) + fabs(change) / record->h);
    }
}

// ---- tests

static const char hanging[] =
    "parameters: {load: 3}\n"
    "gravity: [0.5, -10]\n"
    "elastic:\n"
    "  - name: block\n"
    "    mesh: {rectangle: {size: [2, 1], cells: [8, 5], elements: T3}}\n"
    "    young: 1000\n"
    "    poisson: 0.3\n"
    "    density: 2\n"
    "    thickness: 0.5\n"
    "    held: [{on: left, x: 0, y: 0}]\n"
    "    loads: [{on: right, traction: [load, 2]}, {on: top, pressure: 4}]\n"
    "    start:\n"
    "      held: [{on: left, x: 0, y: 0}]\n"
    "      loads: [{on: right, traction: [load, 2]}, {on: top, pressure: 4}]\n"
    "    contact: []\n"
    "scheme: {step: 1e-3, duration: 1}\n";

static void statics_balance(void) {
    world w = begin(hanging, NULL, 0);
    for (int i = 0; i < 3 && step(&w); i++) {
        const scree_elastic_body *body = &w.model->elastic[0];
        double sum[2] = { 0 };
        for (int k = 0; k < body->count; k++) {
            sum[k % 2] += w.reaction[k];
            if (body->number[k] >= 0) CHECK(w.reaction[k] == 0);
        }
        // loads: traction 3, 2 on 1 x 0.5, pressure 4 on 2 x 0.5; mass 2 * 2 * 0.5
        CHECK_NEAR(sum[0], -(3 * 0.5 + 2 * 0.5), 1e-9);
        CHECK_NEAR(sum[1], -(2 * 0.5 - 4 - 2 * 10), 1e-8);
    }
    end(&w);
}

static void uniaxial_stress_is_exact(void) {
    const char *const planes[] = { "strain", "stress" };
    for (int k = 0; k < 2; k++) {
        char scene[900];
        snprintf(scene, sizeof scene,
                 "elastic:\n"
                 "  - name: bar\n"
                 "    mesh: {rectangle: {size: [2, 1], cells: [4, 3]}}\n"
                 "    young: 1000\n"
                 "    poisson: 0.25\n"
                 "    density: 1\n"
                 "    plane: %s\n"
                 "    held: [{on: left, x: 0}, {on: bottom, y: 0}]\n"
                 "    loads: [{on: right, traction: [6, 0]}]\n"
                 "    start: {held: [{on: left, x: 0}, {on: bottom, y: 0}],\n"
                 "            loads: [{on: right, traction: [6, 0]}]}\n"
                 "    contact: []\n"
                 "scheme: {step: 1e-3, duration: 1}\n",
                 planes[k]);
        world w = begin(scene, NULL, 0);
        double strain[12 * SCREE_TENSOR], stress[12 * SCREE_TENSOR];
        scree_stress_find(&w.model->elastic[0], scree_simulation_state(w.simulation)->q, strain,
                          stress);
        double across = k ? 0 : 0.25 * 6;  // plane strain: what keeps it from getting thinner
        for (int e = 0; e < 12; e++) {
            const double *s = stress + e * SCREE_TENSOR;
            CHECK_NEAR(s[0], 6, 1e-10);
            CHECK_NEAR(s[1], 0, 1e-10);
            CHECK_NEAR(s[2], across, 1e-10);
            CHECK_NEAR(s[3], 0, 1e-10);
            CHECK_NEAR(strain[e * SCREE_TENSOR], (6 - 0.25 * across) / 1000, 1e-13);
            CHECK_NEAR(scree_stress_mises(s), sqrt(36 + across * across - 6 * across), 1e-10);
            CHECK_NEAR(scree_stress_pressure(s), -(6 + across) / 3, 1e-10);
        }
        end(&w);
    }
}

static void mises_of_pure_shear(void) {
    for (int k = 3; k < 6; k++) {
        double stress[SCREE_TENSOR] = { 7, 7, 7 };
        stress[k] = -2;
        CHECK_NEAR(scree_stress_mises(stress), 2 * sqrt(3), 1e-14);
        CHECK_NEAR(scree_stress_pressure(stress), -7, 1e-14);
    }
}

static const char pulled[] =
    "gravity: [0, -10]\n"
    "elastic:\n"
    "  - name: block\n"
    "    mesh: {rectangle: {size: [2, 1], cells: [6, 4]}}\n"
    "    young: 1000\n"
    "    poisson: 0.3\n"
    "    density: 2\n"
    "    damping: {mass: 0.5, stiffness: 1e-3}\n"
    "    held: [{on: left, x: 0, y: 0}, {on: right, x: way}]\n"
    "    contact: []\n"
    "scheme: {step: 1e-3, duration: 1, theta: 0.6}\n";

// the sum of reaction . displacement less the work in the ledger, over 0.1 s
static double missing_work(const char *way, double h, double *work) {
    char text[900], length[40];
    const char *hole = strstr(pulled, "way");
    snprintf(text, sizeof text, "%.*s%s%s", (int)(hole - pulled), pulled, way, hole + 3);
    snprintf(length, sizeof length, "scheme.step=%.17g", h);
    const char *const set[] = { length };
    world w = begin(text, set, 1);
    const scree_step_record *record = scree_simulation_record(w.simulation);
    double sum = 0;
    *work = 0;
    while (scree_simulation_state(w.simulation)->time < 0.1 - h / 2 && step(&w)) {
        for (int k = 0; k < w.model->dofs; k++)
            sum += w.reaction[k] * (record->after.q[k] - record->before.q[k]);
        *work += scree_simulation_ledger(w.simulation)->prescribed_work;
    }
    double missing = sum - *work;
    end(&w);
    return missing;
}

static void moving_hold_does_its_work(void) {
    double work, other;
    // even motion: displacement and mean velocity agree, and so do the two works
    double missing = missing_work("0.3*t", 1e-3, &work);
    CHECK(work > 1e-2);
    CHECK_NEAR(missing, 0, 1e-10 * work);
    // any motion: to first order
    missing = fabs(missing_work("0.1*sin(20*t)^2", 1e-3, &work));
    double finer = fabs(missing_work("0.1*sin(20*t)^2", 2.5e-4, &other));
    CHECK(missing < 0.2 * fabs(work) && missing > 0);
    CHECK(finer < missing / 3.2);
}

// nodes that are held along the floor and pressed on it: friction acts where they are held
static void contacts_of_held_nodes_are_taken_off(void) {
    static const char text[] =
        "gravity: [0, -10]\n"
        "bodies: [{name: floor, fixed: true, shapes: [{type: half-plane}]}]\n"
        "elastic:\n"
        "  - name: block\n"
        "    mesh: {rectangle: {size: [2, 1], cells: [6, 4], elements: T3}}\n"
        "    young: 1000\n"
        "    poisson: 0.3\n"
        "    density: 2\n"
        "    velocity: [0, -0.3]\n"
        "    held: [{on: left, x: 0.05*sin(9*t)}, {on: right, x: 0}]\n"
        "laws: [{between: [any, any], friction: 0.5}]\n"
        "scheme: {step: 1e-3, duration: 1, theta: 0.7}\n";
    world w = begin(text, NULL, 0);
    int touched = 0;
    for (int i = 0; i < 100 && step(&w); i++) {
        const scree_step_record *record = scree_simulation_record(w.simulation);
        double rest[2], size;
        find_rest(&w, 0, rest, &size);
        CHECK_NEAR(rest[0], 0, 1e-10 * size);
        CHECK_NEAR(rest[1], 0, 1e-10 * size);
        for (int k = 0; k < record->contacts; k++) {
            int node = scree_contact_node(w.model, &record->contact[k]);
            CHECK(node >= 0 && node < w.model->elastic[0].mesh.nodes);
            bool held = node >= 0 && w.model->elastic[0].number[2 * node] < 0;
            touched += held && record->contact[k].impulse[1] != 0;
        }
    }
    CHECK(touched > 20);
    end(&w);
}

// an anvil that is held all around: what its top gets from a block goes to the nodes that are held
static void facets_of_held_nodes_are_taken_off(void) {
    static const char text[] =
        "gravity: [0, -10]\n"
        "elastic:\n"
        "  - name: anvil\n"
        "    mesh: {rectangle: {size: [3, 0.5], cells: [4, 2], at: [0, -0.5]}}\n"
        "    mass: lumped\n"
        "    young: 1000\n"
        "    poisson: 0.3\n"
        "    density: 2\n"
        "    held: [{on: boundary, x: 0, y: 0}]\n"
        "    contact: [top]\n"
        "  - name: block\n"
        "    mesh: {rectangle: {size: [1, 1], cells: [4, 4], at: [1.13, 0]}}\n"
        "    young: 1000\n"
        "    poisson: 0.3\n"
        "    density: 2\n"
        "    velocity: [0.2, -0.2]\n"
        "    contact: [bottom]\n"
        "laws: [{between: [any, any], friction: 0.5}]\n"
        "scheme: {step: 1e-3, duration: 1}\n";
    world w = begin(text, NULL, 0);
    const scree_elastic_body *anvil = &w.model->elastic[0];
    double pressed = 0;
    for (int i = 0; i < 60 && step(&w); i++) {
        const scree_step_record *record = scree_simulation_record(w.simulation);
        double rest[2], size, moment = 0, weight = 0, mass[NODES_MAX];
        find_rest(&w, 0, rest, &size);
        CHECK_NEAR(rest[0], 0, 1e-10 * size);
        CHECK_NEAR(rest[1], 0, 1e-10 * size);
        // moments of reactions, weight, inertia and contacts about the origin
        find_masses(anvil, mass);
        for (int k = 0; k < anvil->mesh.nodes; k++) {
            const double *x = anvil->mesh.node + 2L * k, *f = w.reaction + 2L * k;
            double change[2];
            for (int a = 0; a < 2; a++)
                change[a] = record->after.v[2 * k + a] - record->before.v[2 * k + a];
            moment += x[0] * (f[1] - mass[k] * (10 + change[1] / record->h));
            moment -= x[1] * (f[0] - mass[k] * change[0] / record->h);
            weight += fabs(x[0] * f[1]) + fabs(x[1] * f[0]);
        }
        for (int k = 0; k < record->contacts; k++) {
            const scree_contact *c = &record->contact[k];
            double f[2];
            for (int a = 0; a < 2; a++)
                f[a] = -(c->impulse[0] * c->normal[a] + c->impulse[1] * c->tangent[a]) / record->h;
            moment += c->point[0] * f[1];  // the top is at y = 0
            pressed += fabs(f[1]) * record->h;
        }
        CHECK_NEAR(moment, 0, 1e-9 * weight);
    }
    CHECK(pressed > 0.1);
    end(&w);
}

// nodes are counted over all bodies, those for others and those for the body itself together
static void contacts_know_their_nodes(void) {
    static const char text[] =
        "gravity: [0, -10]\n"
        "bodies: [{name: floor, fixed: true, shapes: [{type: half-plane}]}]\n"
        "elastic:\n"
        "  - name: first\n"
        "    mesh: {rectangle: {size: [1, 1], cells: [2, 2], at: [-3, 0]}}\n"
        "    young: 1000\n"
        "    poisson: 0.3\n"
        "    density: 2\n"
        "    contact: [bottom]\n"
        "    self: {nodes: left, facets: right}\n"
        "  - name: second\n"
        "    mesh: {rectangle: {size: [1, 1], cells: [3, 2]}}\n"
        "    young: 1000\n"
        "    poisson: 0.3\n"
        "    density: 2\n"
        "    contact: [bottom]\n"
        "    self: {nodes: right, facets: left}\n"
        "scheme: {step: 1e-3, duration: 1}\n";
    world w = begin(text, NULL, 0);
    int found = 0;
    for (int i = 0; i < 3 && step(&w); i++) {
        const scree_step_record *record = scree_simulation_record(w.simulation);
        for (int k = 0; k < record->contacts; k++) {
            const scree_contact *c = &record->contact[k];
            const scree_elastic_body *body = &w.model->elastic[c->a - w.model->bodies];
            int node = scree_contact_node(w.model, c);
            CHECK(node >= 0 && node < body->mesh.nodes);
            if (node < 0 || node >= body->mesh.nodes) continue;
            // at the beginning of the step the node was where the contact is
            double x = body->mesh.node[2L * node] + record->before.q[body->coordinate + 2 * node];
            CHECK_NEAR(c->point[0], x, 1e-12);
            found++;
        }
    }
    CHECK_INT(found, 3 * (3 + 4));
    scree_contact wrong = { .id = scree_contact_id_pack(SCREE_SOURCE_NODES, 1000, 0, 0), .a = 1 };
    CHECK_INT(scree_contact_node(w.model, &wrong), -1);
    wrong.id = scree_contact_id_pack(SCREE_SOURCE_SHAPES, 0, 0, 5);
    CHECK_INT(scree_contact_node(w.model, &wrong), -1);
    end(&w);
}

TEST_FILE(test_reaction) {
    TEST(statics_balance);
    TEST(uniaxial_stress_is_exact);
    TEST(mises_of_pure_shear);
    TEST(moving_hold_does_its_work);
    TEST(contacts_of_held_nodes_are_taken_off);
    TEST(facets_of_held_nodes_are_taken_off);
    TEST(contacts_know_their_nodes);
    return harness_end();
}
