// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_elastic_property.c - what must hold for any elastic body: the ledger closes, the theorem
// keeps its word, and numbers of nodes, frames, units and restarts change nothing.

#include "step/elastic_run.h"
#include "step/restore.h"

// -------------------------------------------------------------------------------------------------
// random meshes among random obstacles

typedef struct wave {
    double mean, amplitude, rate;
} wave;

static double wave_at(const void *self, double t, double *rate) {
    const wave *w = self;
    *rate = w->amplitude * w->rate * cos(w->rate * t);
    return w->mean + w->amplitude * sin(w->rate * t);
}

typedef struct sample {
    scree_element kind;
    int space, blocks;  // elastic ones, above each other
    double size[3];
    int cells[3];
    scree_material material;
    scree_law law;
    bool held, pulled, ball, bump, edge, driven;
    wave grip[3], load[3], push;
    double velocity[3], tilt[3], ball_mass;
    scree_run_options options;
} sample;

static scree_material random_material(bool planar) {
    bool damped = uniform(0, 1) < 0.3;
    return (scree_material){ .young = pow(10, uniform(1, 4)),
                             .poisson = uniform(-0.2, 0.45),
                             .density = uniform(0.5, 2),
                             .thickness = uniform(0.5, 2),
                             .plane_stress = planar && uniform(0, 1) < 0.5,
                             .lumped = uniform(0, 1) < 0.3,
                             .damping_mass = damped ? uniform(0, 1) : 0,
                             .damping_stiffness = damped ? uniform(0, 1e-2) : 0 };
}

static sample random_sample(scree_element kind, double restitution) {
    sample one = { .kind = kind, .space = is_spatial(kind) ? 3 : 2 };
    int last = one.space - 1;
    one.blocks = uniform(0, 1) < 0.25 ? 2 : 1;
    for (int k = 0; k < 3; k++) {
        one.size[k] = uniform(0.5, 1.5);
        one.cells[k] = random_int(2, one.space == 2 ? 6 : 3);
        one.velocity[k] = k == last ? -uniform(0.2, 2) : uniform(-1, 1);
        one.tilt[k] = k == last ? 1 : uniform(-0.1, 0.1);
        one.grip[k] = (wave){ 0, k == last ? 0.02 : 0.05, uniform(5, 40) };
        one.load[k] = (wave){ uniform(-3, 3), uniform(-3, 3), uniform(1, 40) };
    }
    one.material = random_material(one.space == 2);
    one.law = (scree_law){ .restitution = restitution,
                           .friction = uniform(0, 1) < 0.15 ? 0 : uniform(0.05, 0.9) };
    one.held = uniform(0, 1) < 0.3;
    one.pulled = uniform(0, 1) < 0.4;
    one.ball = uniform(0, 1) < 0.5;
    one.bump = uniform(0, 1) < 0.5;
    one.edge = uniform(0, 1) < 0.4;
    one.driven = uniform(0, 1) < 0.3;
    one.push = (wave){ 0, -0.03, uniform(5, 30) };
    one.ball_mass = uniform(0.05, 2);
    one.options = options_of(uniform(0.5, 1 / (1 + restitution)), pow(10, uniform(-3.5, -2.3)));
    if (uniform(0, 1) < 0.3) one.options.scheme.theta = 0.5;
    if (uniform(0, 1) < 0.1) one.options.scheme.theta = 1 / (1 + restitution);
    return one;
}

// a disc or ball below, and a box beside, both near the block; the box may be moved
static void add_obstacles(const sample *one, scree_model *model) {
    scree_error err = { 0 };
    int last = one->space - 1;
    scree_body bump = { .name = "bump", .fixed = true }, edge = { .name = "edge", .fixed = true };
    scree_shape round = { .kind = one->space == 2 ? SCREE_DISC : SCREE_SPHERE,
                          .body = model->bodies,
                          .radius = 0.3 };
    scree_shape box = { .kind = SCREE_BOX, .size = { 0.4, 0.4, 0.4 } };
    for (int k = 0; k < one->space; k++) {
        bump.position[k] = k == last ? -0.302 : one->size[k] * 0.4;
        edge.position[k] = k == 0 ? one->size[0] + 0.21 : one->size[k] * 0.5;
    }
    scree_status status = SCREE_OK;
    if (one->bump) {
        status = scree_model_add_body(model, &bump, &err);
        if (!status) status = scree_model_add_shape(model, &round, &err);
    }
    if (one->edge && !status) {
        edge.fixed = !one->driven;
        edge.driven = one->driven;
        edge.path.along[0] = (scree_function){ .at = wave_at, .self = &one->push };
        box.body = model->bodies;
        status = scree_model_add_body(model, &edge, &err);
        if (!status) status = scree_model_add_shape(model, &box, &err);
    }
    if (status) COMPLAIN("refused: %s", err.text);
}

static void add_block(const sample *one, scree_model *model, const scree_mesh *mesh, bool first) {
    int top = scree_mesh_find(mesh, "top");
    scree_prescribed hold[3];
    for (int k = 0; k < 3; k++)
        hold[k] = (scree_prescribed){ top, k, { .at = wave_at, .self = &one->grip[k] } };
    scree_traction pull = { .group = scree_mesh_find(mesh, "right") };
    for (int k = 0; k < 3; k++)
        pull.value[k] = (scree_function){ .at = wave_at, .self = &one->load[k] };
    scree_elastic block = { .mesh = mesh,
                            .material = one->material,
                            .holds = one->held && !first ? one->space : 0,
                            .hold = hold,
                            .tractions = one->pulled,
                            .traction = &pull };
    memcpy(block.start.velocity, one->velocity, sizeof block.start.velocity);
    add_elastic(model, block, "boundary");
}

static scree_model *build(const sample *one, scree_mesh **mesh) {
    int last = one->space - 1;
    double below[3] = { 0 }, above[3] = { 0 }, down[3] = { 0 }, low[3] = { 0 }, least = 1;
    scree_model *model = new_model(one->space);
    for (int k = 0; k < one->space; k++) {
        least = fmin(least, one->size[k] / one->cells[k]);
        above[k] = one->size[k] * 0.45;
        down[k] = k == last ? -3 : 0;
    }
    // the plane goes below the lowest corner of the block
    for (int k = 0; k < last; k++) {
        below[last] -= fabs(one->tilt[k]) * one->size[k];
        below[k] = one->size[k] / 2;
    }
    below[last] = below[last] / 2 - 0.001;
    scree_model_set_gravity(model, 0, one->space == 2 ? -9.81 : 0, one->space == 3 ? -9.81 : 0);
    add_ground(model, one->tilt, below);
    add_obstacles(one, model);
    above[last] = one->blocks * (one->size[last] + 0.001) + 0.25;
    if (one->ball) add_ball(model, one->ball_mass, 0.25, above, down);
    for (int b = 0; b < one->blocks; b++) {
        low[last] = b * (one->size[last] + 0.001);
        scree_mesh *grid = grid_mesh(one->kind, low, one->size, one->cells);
        mesh[b] = shaken(grid, (one->space == 2 ? 0.2 : 0.1) * least);
        add_block(one, model, mesh[b], b + 1 < one->blocks);
    }
    finish(model, one->law);
    return model;
}

static void forget(scree_model *model, scree_mesh **mesh, int blocks) {
    scree_model_free(model);
    for (int b = 0; b < blocks; b++) scree_mesh_free(mesh[b]);
}

// -------------------------------------------------------------------------------------------------
// energy

typedef struct tally {
    int64_t steps, contacts, creating;
    int64_t on_facets, on_moving;  // contacts with impulse: of two elastic bodies, with a free ball
    double over_bound, created, boundary, held;
} tally;

static double energy_of(const scree_ledger *ledger) {
    return ledger->kinetic + ledger->elastic + ledger->potential;
}

// what the solver's tolerance may do to the works of all contacts
static double tolerated(const sample *one, const scree_step_record *record, int dimension) {
    double sum = 0;
    for (int c = 0; c < record->contacts; c++)
        if (record->contact[c].impulse[0] > 0)
            sum += scree_ledger_contact(&record->contact[c], dimension, one->options.scheme.theta,
                                        one->options.solver.tolerance)
                       .threshold;
    return sum;
}

static void check_step(const sample *one, const scree_simulation *simulation, double before,
                       bool theorem, tally *all) {
    const scree_account *account = scree_simulation_account(simulation);
    const scree_ledger *ledger = &account->ledger;
    const scree_step_record *record = scree_simulation_record(simulation);
    const scree_model *model = scree_simulation_model(simulation);
    CHECK(fabs(ledger->residual) <= ledger->bound);
    CHECK(ledger->damping_work <= 0 && ledger->numerical_dissipation <= 0);
    all->over_bound = fmax(all->over_bound, fabs(ledger->residual) / ledger->bound);
    all->steps++;
    all->contacts += account->active;
    for (int c = 0; c < record->contacts; c++) {
        const scree_contact *contact = &record->contact[c];
        if (!(contact->impulse[0] > 0)) continue;
        all->on_facets += contact->b >= model->bodies;
        all->on_moving += contact->b < model->bodies && model->body[contact->b].mass > 0;
    }
    all->creating += account->energy_created > 0;
    all->created += account->energy_created;
    all->boundary += fabs(ledger->boundary_work);
    all->held += fabs(ledger->prescribed_work);
    if (!theorem) return;
    CHECK(account->energy_created == 0);
    double given = ledger->external_work + ledger->boundary_work + ledger->prescribed_work;
    double room = 2 * ledger->bound + tolerated(one, record, model->dimension);
    if (!(energy_of(ledger) - before <= given + room))
        COMPLAIN("step %lld gains %g, of which %g are given, room %g",
                 (long long)record->after.step, energy_of(ledger) - before, given, room);
}

static void run(const sample *one, const scree_model *model, bool theorem, tally *all) {
    scree_simulation *simulation = begin(model, &one->options);
    if (!simulation) return;
    scree_theorem says = scree_simulation_theorem(simulation);
    if (theorem && !says.holds) COMPLAIN("no theorem: %s", says.reason);
    for (int k = 0; k < 60; k++) {
        double before = energy_of(scree_simulation_ledger(simulation));
        if (!advance(simulation, 1)) break;
        check_step(one, simulation, before, theorem, all);
    }
    scree_simulation_free(simulation);
}

static void report(const char *what, const tally *all) {
    printf(
        "%s: %lld steps, %lld contacts (%lld on facets, %lld on balls), %lld steps create "
        "%.3g; ledger to %.2g of its bound\n",
        what, (long long)all->steps, (long long)all->contacts, (long long)all->on_facets,
        (long long)all->on_moving, (long long)all->creating, all->created, all->over_bound);
}

static const double restitutions[] = { 0, 0.3, 1 };

static void theorem_keeps_its_word(void) {
    enum { SAMPLES = 240 / FEWER };
    tally fremond = { 0 }, newton = { 0 };
    for (int k = 0; k < SAMPLES; k++) {
        scree_mesh *mesh[2];
        sample one = random_sample((scree_element)(k % 4), restitutions[k / 4 % 3]);
        scree_model *model = build(&one, mesh);
        run(&one, model, true, &fremond);
        one.options.scheme.name = SCREE_MOREAU_JEAN;
        if (one.law.friction > 0) run(&one, model, false, &newton);
        forget(model, mesh, one.blocks);
    }
    report("moreau-jean-fremond", &fremond);
    report("moreau-jean", &newton);
    CHECK(fremond.contacts > 20 * SAMPLES && fremond.boundary > 0 && fremond.held > 0);
    CHECK(fremond.on_facets > SAMPLES / 3 && fremond.on_moving > SAMPLES / 3);
    CHECK(newton.creating > SAMPLES / 3);  // so it can be seen when energy is made
}

/// Whatever scheme and rules: the ledger is an identity.
static void ledger_closes_for_all_rules(void) {
    tally all = { 0 };
    for (int k = 0; k < 120 / FEWER; k++) {
        scree_mesh *mesh[2];
        sample one = random_sample((scree_element)(k % 4), restitutions[k / 4 % 3]);
        scree_scheme_options *scheme = &one.options.scheme;
        scree_model *model = build(&one, mesh);
        scheme->name = (scree_scheme)random_int(0, 2);
        scheme->theta = scheme->name == SCREE_MOREAU ? 0.5 : uniform(0.5, 1);
        scheme->activation = (scree_activation)random_int(0, 3);
        scheme->approach = (scree_approach)random_int(0, 3);
        scheme->jacobian = (scree_jacobian)random_int(0, 2);
        run(&one, model, false, &all);
        forget(model, mesh, one.blocks);
    }
    report("any scheme and rule", &all);
    CHECK(all.contacts > 3000 / FEWER && all.creating > 0);
}

static void threads_do_not_matter(void) {
    for (int k = 0; k < 8; k++) {
        scree_mesh *mesh[2];
        sample one = random_sample((scree_element)(k % 4), 0);
        scree_model *model = build(&one, mesh);
        scree_simulation *simulation[2];
        for (int i = 0; i < 2; i++) {
            one.options.solver.threads = i ? 3 : 1;
            simulation[i] = begin(model, &one.options);
        }
        for (int step = 0; step < 40; step++) {
            if (!advance(simulation[0], 1) || !advance(simulation[1], 1)) break;
            same_bits(simulation[0], simulation[1]);
        }
        for (int i = 0; i < 2; i++) scree_simulation_free(simulation[i]);
        forget(model, mesh, one.blocks);
    }
}

static void restarts(void) {
    for (int k = 0; k < 16; k++) {
        scree_mesh *mesh[2];
        sample one = random_sample((scree_element)(k % 4), restitutions[k / 4 % 3]);
        scree_model *model = build(&one, mesh);
        restores(model, &one.options, k % 2);
        forget(model, mesh, one.blocks);
    }
}

// -------------------------------------------------------------------------------------------------
// the same block seen otherwise

typedef struct view {
    bool renumber;
    double angle;
    double length, mass, time;  // units
} view;

typedef struct story {
    double energy[200][3];
    int active;
} story;

// the block is thrown on the ground, slides and bounces; what is seen is told in the first units
static story tell(scree_element kind, view as) {
    static story told;
    double L = as.length, c = cos(as.angle), s = sin(as.angle), g = 9.81 * L / (as.time * as.time);
    seed = 99;
    scree_mesh *grid =
        shaken(grid_mesh(kind, (double[]){ 0, 0 }, (double[]){ 1.2, 0.8 }, (int[]){ 6, 4 }), 0.03);
    double *node = malloc(sizeof *node * (size_t)(2 * grid->nodes)), v[2] = { 0.8, -1 };
    for (int i = 0; i < grid->nodes; i++) {
        double x = grid->node[2 * i], y = grid->node[2 * i + 1] + 0.002 + 0.01 * x;
        node[2 * i] = L * (c * x - s * y);
        node[2 * i + 1] = L * (s * x + c * y);
    }
    int *order = shuffled(grid->nodes), *turn = shuffled(grid->elements);
    scree_mesh *mesh = remake(grid, node, as.renumber ? order : NULL, as.renumber ? turn : NULL);
    scree_model *model = new_model(2);
    double speed = L / as.time, energy = as.mass * speed * speed, up[3] = { -s, c, 0 };
    scree_model_set_gravity(model, s * g, -c * g, 0);
    add_ground(model, up, (double[]){ 0, 0, 0 });
    scree_elastic block = { .mesh = mesh,
                            .material = { .young = 300 * energy / (L * L * L),
                                          .poisson = 0.3,
                                          .density = as.mass / (L * L * L),
                                          .thickness = 0.5 * L } };
    block.start.velocity[0] = speed * (c * v[0] - s * v[1]);
    block.start.velocity[1] = speed * (s * v[0] + c * v[1]);
    add_elastic(model, block, "boundary");
    finish(model, (scree_law){ .friction = 0.3 });
    scree_run_options options = options_of(0.5, 2e-3 * as.time);
    options.solver.tolerance = 1e-12;
    scree_simulation *simulation = begin(model, &options);
    told.active = 0;
    for (int k = 0; k < 200 && advance(simulation, 1); k++) {
        const scree_ledger *ledger = scree_simulation_ledger(simulation);
        told.energy[k][0] = ledger->kinetic / energy;
        told.energy[k][1] = ledger->elastic / energy;
        told.energy[k][2] = ledger->potential / energy;
        told.active += scree_simulation_account(simulation)->active;
    }
    drop(simulation, model, mesh);
    scree_mesh_free(grid);
    free(order);
    free(turn);
    free(node);
    return told;
}

static void compare(const char *what, scree_element kind, view as, double tolerance) {
    story first = tell(kind, (view){ .length = 1, .mass = 1, .time = 1 }), other = tell(kind, as);
    double worst = 0;
    CHECK_INT(other.active, first.active);
    CHECK(first.active > 100);
    for (int k = 0; k < 600; k++) {
        double off = fabs(first.energy[k / 3][k % 3] - other.energy[k / 3][k % 3]);
        if (!(off <= worst)) worst = off;  // NaN as well
    }
    printf("%s: energies off by %.2g, %d contacts\n", what, worst, first.active);
    CHECK_NEAR(worst, 0, tolerance);
}

static void numbers_do_not_matter(void) {
    for (int kind = 0; kind < 2; kind++)
        compare("renumbered", (scree_element)kind, (view){ true, 0, 1, 1, 1 }, 1e-10);
}

static void frames_do_not_matter(void) {
    compare("turned by 0.3", SCREE_T3, (view){ false, 0.3, 1, 1, 1 }, 1e-9);
    compare("turned by 2.5", SCREE_Q4, (view){ false, 2.5, 1, 1, 1 }, 1e-9);
}

static void units_do_not_matter(void) {
    compare("mm, g, ms", SCREE_T3, (view){ false, 0, 1e3, 1e3, 1e3 }, 1e-9);
    compare("km, t, s", SCREE_Q4, (view){ false, 0, 1e-3, 1e-3, 1 }, 1e-9);
}

// -------------------------------------------------------------------------------------------------
// the same ground made otherwise

typedef enum soil { SOIL_PLANE, SOIL_BOX, SOIL_PIECES, SOIL_GRID, SOILS } soil;

static scree_shape soil_shape(soil of, int space) {
    static const double chain[] = { -3, 0, -0.2, 0, 0.3, 0, 0.6, 0, 1, 0, 2.1, 0, 6, 0 };
    static const double corner[] = { -5, -5, 0,   0.55, -5, 0, 6, -5,   0, -5, 0.4, 0, 0.7, 0.35,
                                     0,  6,  0.3, 0,    -5, 6, 0, 0.45, 6, 0,  6,   6, 0 };
    static const int triangle[] = { 0, 1, 4, 0, 4, 3, 1, 2, 5, 1, 5, 4,
                                    3, 4, 7, 3, 7, 6, 4, 5, 8, 4, 8, 7 };
    static const double height[42 * 42] = { 0 };
    scree_shape shape = { .kind = space == 2 ? SCREE_HALF_PLANE : SCREE_PLANE };
    shape.normal[space - 1] = 1;
    if (of == SOIL_BOX) {
        shape = (scree_shape){ .kind = SCREE_BOX, .size = { 20, space == 2 ? 4 : 20, 4 } };
        shape.at[space - 1] = -2;
    }
    if (of == SOIL_PIECES && space == 2)
        shape = (scree_shape){ .kind = SCREE_CHAIN, .vertices = 7, .vertex = chain };
    if (of == SOIL_PIECES && space == 3)
        shape = (scree_shape){ .kind = SCREE_MESH,
                               .vertices = 9,
                               .vertex = corner,
                               .triangles = 8,
                               .triangle = triangle };
    if (of == SOIL_GRID)
        shape = (scree_shape){ .kind = SCREE_HEIGHT_FIELD,
                               .rows = 42,
                               .columns = 42,
                               .height = height,
                               .size = { 12, 12 } };
    return shape;
}

static double slide_on(soil of, scree_element kind, double energy[100][3]) {
    int space = is_spatial(kind) ? 3 : 2, last = space - 1;
    scree_error err = { 0 };
    scree_model *model = new_model(space);
    scree_body ground = { .name = "ground", .fixed = true };
    scree_shape shape = soil_shape(of, space);
    double low[3] = { 0 }, touched = 0;
    low[last] = 0.001;
    scree_model_set_gravity(model, 0, space == 2 ? -9.81 : 0, space == 3 ? -9.81 : 0);
    scree_status status = scree_model_add_body(model, &ground, &err);
    if (!status) status = scree_model_add_shape(model, &shape, &err);
    if (status) COMPLAIN("refused: %s", err.text);
    scree_mesh *mesh = grid_mesh(kind, low, (double[]){ 1.2, 0.8, 0.7 }, (int[]){ 4, 3, 2 });
    scree_elastic block = {
        .mesh = mesh, .material = { .young = 300, .poisson = 0.3, .density = 1, .thickness = 0.5 }
    };
    block.start.velocity[0] = 1.5;
    block.start.velocity[last] = -0.5;
    add_elastic(model, block, "boundary");
    finish(model, (scree_law){ .friction = 0.3 });
    scree_run_options options = options_of(0.5, 2e-3);
    options.solver.tolerance = 1e-12;
    scree_simulation *simulation = begin(model, &options);
    for (int k = 0; k < 100 && advance(simulation, 1); k++) {
        const scree_ledger *ledger = scree_simulation_ledger(simulation);
        energy[k][0] = ledger->kinetic;
        energy[k][1] = ledger->elastic;
        energy[k][2] = ledger->potential;
        touched += pushed(simulation);
    }
    drop(simulation, model, mesh);
    return touched;
}

/// A flat ground is a plane, a box, a chain or a net of triangles, or a grid of heights.
static void grounds_do_not_matter(void) {
    static double energy[SOILS][100][3];
    for (int kind = 0; kind < 4; kind++) {
        double push = slide_on(SOIL_PLANE, (scree_element)kind, energy[SOIL_PLANE]);
        CHECK(push > 0.1);
        for (int of = 1; of < (kind < SCREE_T4 ? SOIL_GRID : SOILS); of++) {
            double worst = 0, other = slide_on((soil)of, (scree_element)kind, energy[of]);
            for (int k = 0; k < 300; k++) {
                double off = fabs(energy[of][k / 3][k % 3] - energy[0][k / 3][k % 3]);
                if (!(off <= worst)) worst = off;
            }
            printf("ground %d, element %d: energies off by %.2g, impulse by %.2g\n", of, kind,
                   worst, fabs(other - push));
            CHECK_NEAR(worst, 0, 1e-9);
            CHECK_NEAR(other, push, 1e-9);
        }
    }
}

// -------------------------------------------------------------------------------------------------
// two bodies, or one of two parts that touches itself

// both meshes in one, with the groups `upper` (bottom of the second) and `lower` (top of the first)
static scree_mesh *join(const scree_mesh *first, const scree_mesh *second) {
    enum { MOST = 400 };
    double node[MOST];
    int corner[MOST], list[2][MOST], corners = 0, elements = 0;
    scree_element kind[MOST];
    const scree_mesh *half[2] = { first, second };
    scree_mesh_part part[2];
    for (int h = 0; h < 2; h++) {
        int before = h ? first->nodes : 0;
        for (int i = 0; i < 2 * half[h]->nodes; i++) node[2 * before + i] = half[h]->node[i];
        for (int e = 0; e < half[h]->elements; e++) {
            kind[elements++] = half[h]->kind[e];
            for (int c = half[h]->first[e]; c < half[h]->first[e + 1]; c++)
                corner[corners++] = before + half[h]->corner[c];
        }
        const scree_mesh_group *group =
            &half[h]->group[scree_mesh_find(half[h], h ? "bottom" : "top")];
        for (int i = 0; i < 4 * group->facets; i++) {
            int old = half[h]->facet[4 * group->facet[i / 4] + i % 4];
            list[h][i] = old < 0 ? -1 : before + old;
        }
        part[h] = (scree_mesh_part){ h ? "upper" : "lower", 0, list[h], group->facets };
    }
    scree_error err = { 0 };
    scree_mesh *mesh = NULL;
    if (scree_mesh_make(2, first->nodes + second->nodes, node, elements, kind, corner, 2, part,
                        &mesh, &err))
        COMPLAIN("no mesh: %s", err.text);
    return mesh;
}

// one block falls on another in free space; returns how many contacts had impulses
static int meet(bool one_body, double energy[100][2]) {
    scree_error err = { 0 };
    scree_mesh *half[2], *whole = NULL;
    scree_material material = { .young = 300, .poisson = 0.3, .density = 1, .thickness = 0.5 };
    scree_model *model = new_model(2);
    for (int h = 0; h < 2; h++) {
        double low[2] = { h ? 0.13 : 0, h ? 0.401 : 0 };
        half[h] = grid_mesh(SCREE_T3, low, (double[]){ 1.2, 0.4 }, (int[]){ 8, 3 });
        scree_elastic block = { .mesh = half[h], .material = material };
        if (!one_body) add_elastic(model, block, h ? "bottom" : "top");
    }
    if (one_body) {
        whole = join(half[0], half[1]);
        scree_elastic both = { .name = "both",
                               .mesh = whole,
                               .material = material,
                               .self_nodes = scree_mesh_find(whole, "upper"),
                               .self_facets = scree_mesh_find(whole, "lower") };
        if (scree_model_add_elastic(model, &both, &err)) COMPLAIN("refused: %s", err.text);
    }
    finish(model, (scree_law){ .friction = 0.3 });
    scree_run_options options = options_of(0.5, 2e-3);
    options.solver.tolerance = 1e-12;
    options.scheme.approach = SCREE_APPROACH_KEPT;  // auto would tell one body from two
    scree_simulation *simulation = begin(model, &options);
    // the numbers of both models are in the same order
    scree_totals none = scree_totals_none();
    scree_state state = *scree_simulation_state(simulation);
    double *v = malloc(sizeof *v * (size_t)model->dofs);
    for (int i = 0; i < model->dofs; i++) v[i] = i < model->dofs / 2 ? 0 : i % 2 ? -0.5 : 0.4;
    double *q = calloc((size_t)model->coordinates, sizeof *q);
    state.q = q;
    state.v = v;
    CHECK_INT(scree_simulation_restore(simulation, &state, NULL, 0, &none, &err), SCREE_OK);
    int touched = 0;
    for (int k = 0; k < 100 && advance(simulation, 1); k++) {
        const scree_ledger *ledger = scree_simulation_ledger(simulation);
        const scree_step_record *record = scree_simulation_record(simulation);
        energy[k][0] = ledger->kinetic;
        energy[k][1] = ledger->elastic;
        for (int c = 0; c < record->contacts; c++) touched += record->contact[c].impulse[0] > 0;
    }
    free(v);
    free(q);
    drop(simulation, model, whole);
    for (int h = 0; h < 2; h++) scree_mesh_free(half[h]);
    return touched;
}

static void touching_itself(void) {
    static double energy[2][100][2];
    int two = meet(false, energy[0]), one = meet(true, energy[1]);
    double worst = 0;
    for (int k = 0; k < 200; k++) {
        double off = fabs(energy[0][k / 2][k % 2] - energy[1][k / 2][k % 2]);
        if (!(off <= worst)) worst = off;
    }
    printf("touching itself: %d contacts, energies off by %.2g\n", one, worst);
    CHECK(two > 50);
    CHECK_INT(one, two);
    CHECK_NEAR(worst, 0, 1e-10);
}

TEST_FILE(test_elastic_property) {
    TEST(theorem_keeps_its_word);
    TEST(ledger_closes_for_all_rules);
    TEST(threads_do_not_matter);
    TEST(restarts);
    TEST(numbers_do_not_matter);
    TEST(frames_do_not_matter);
    TEST(units_do_not_matter);
    TEST(grounds_do_not_matter);
    TEST(touching_itself);
    return harness_end();
}
