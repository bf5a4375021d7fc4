// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_figures.c - every figure of the menu for runs of bodies and of matrices, empty ones, many
// over each other; and the points of curves against the tables they come from.
// Runs and figures go into a folder of their own in /tmp, which is removed.

#ifndef _XOPEN_SOURCE
#define _XOPEN_SOURCE 700  // mkdtemp
#endif

#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness.h"
#include "scree/scree.h"
#include "show/figures.h"
#include "show/page.h"
#include "show/samples.h"

static const char *const bodies =
    "title: box_1 ^and {ball}\n"
    "gravity: [0, -10]\n"
    "bodies:\n"
    "  - {name: ground_0, fixed: true, shapes: [{type: half-plane, normal: [0, 1]}]}\n"
    "  - {name: box_1, mass: 1, inertia: 0.2, position: [0, 0.6], velocity: [1, 0], spin: 1,\n"
    "     shapes: [{type: point, at: [-0.5, -0.5]}, {type: point, at: [0.5, -0.5]}]}\n"
    "  - {name: 'ball^2', mass: 1, inertia: 0.1, position: [2, 0.5], velocity: [-2, 0],\n"
    "     shapes: [{type: disc, radius: 0.3}]}\n"
    "laws:\n"
    "  - {restitution: 0.5, friction: 0.3}\n"
    "solver: {unconverged: accept}\n"  // figures are what is tested here
    "scheme: {name: moreau-jean-fremond, theta: 1/2, step: 5e-3, duration: 0.6}\n";

static const char *const matrices =
    "title: a driven mass on a spring\n"
    "system:\n"
    "  mass: [[1, 0], [0, 1]]\n"
    "  stiffness: [[100, 0], [0, 0]]\n"
    "  damping: [[1, 0], [0, 0]]\n"
    "  load: [sin(3*t), 0]\n"
    "  position: [0.2, 0]\n"
    "  velocity: [0, 1]\n"
    "  contacts:\n"
    "    - {name: stop_1, normal: [1, 0], tangent: [0, 1], gap: 0.1 + 0.01*sin(t),\n"
    "       restitution: 0.5, friction: 0.2}\n"
    "scheme: {name: moreau-jean, theta: 0.6, step: 5e-3, duration: 1}\n";

static const char *const mechanism =
    "title: a pendulum between two floors\n"
    "mechanism:\n"
    "  coordinates: [a, r]\n"
    "  mass: [[r^2, 0], [0, 1]]\n"
    "  potential: -10*r*cos(a) + 50*(r - 1)^2\n"
    "  position: [1, 1]\n"
    "  contacts:\n"
    "    - {name: floor, gap: 0.9 - r*cos(a), slip: r*sin(a), restitution: 0.5, friction: 0.2}\n"
    "    - {name: wall, gap: 0.9 + r*sin(a), slip: r*cos(a), restitution: 0.5, friction: 0.2}\n"
    "scheme: {name: moreau-jean-fremond, step: 5e-3, duration: 0.6}\n";

static char folder[64];

static const char *in_folder(const char *name) {
    static char path[8][200];
    static int turn;
    turn = (turn + 1) % 8;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static long size_of(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 ? (long)info.st_size : -1;
}

// run a scene for so many steps (-1: all) and open its file
static scree_run_reader *run_of(const char *text, const char *const *overrides, int count,
                                int64_t steps) {
    static int number;
    char name[32];
    snprintf(name, sizeof name, "run%d.h5", number++);
    const char *path = in_folder(name);
    scree_findings findings = { 0 };
    scree_error err = { 0 };
    scree_run_writer *writer = NULL;
    scree_run_reader *reader = NULL;
    scree_simulation *sim =
        scree_simulation_parse("scene.yaml", text, strlen(text), overrides, count, &findings);
    if (findings.count) COMPLAIN("%d: %s", findings.item[0].line, findings.item[0].text);
    scree_findings_free(&findings);
    if (!sim) exit(1);
    const scree_run_origin origin = scree_simulation_origin(sim);
    scree_status status = scree_run_writer_new(path, &origin, scree_simulation_state(sim),
                                               scree_simulation_account(sim), &writer, &err);
    for (; !status && steps != 0 && scree_simulation_left(sim) > 0; steps--) {
        status = scree_simulation_step(sim, &err);
        if (!status)
            status = scree_run_writer_step(writer, scree_simulation_record(sim),
                                           scree_simulation_account(sim), false, &err);
    }
    if (!status) status = scree_run_writer_close(writer, 0, &err);
    if (!status) status = scree_run_reader_open(path, &reader, &err);
    scree_simulation_free(sim);
    if (status) {
        printf("%s\n", err.text);
        exit(1);
    }
    return reader;
}

// every kind of figure; all must appear, but for bodies of several runs or of none
static void draw_all(scree_run_reader *const *run, const char *const *label, int runs,
                     const char *ending) {
    for (const show_kind *kind = show_kinds(); kind->name; kind++) {
        char name[64];
        snprintf(name, sizeof name, "%s.%s", kind->name, ending);
        const char *file = in_folder(name);
        scree_error err = { 0 };
        bool refused = strcmp(kind->name, "bodies") == 0 &&
                       (runs > 1 || !strstr(run[0]->scene_text, "bodies:"));
        scree_status status = show_draw(run, label, runs, kind->name, file, &err);
        if (refused) CHECK_INT(status, SCREE_BAD_INPUT);
        if (refused) continue;
        if (status != SCREE_OK) COMPLAIN("%s: %s", kind->name, err.text);
        if (size_of(file) < 500) COMPLAIN("%s: %ld bytes", name, size_of(file));
        unlink(file);
    }
}

static void every_kind_is_drawn(void) {
    const char *const scenes[] = { bodies, matrices };
    const char *const endings[] = { "png", "svg", "pdf" };
    for (int i = 0; i < 2; i++) {
        scree_run_reader *run = run_of(scenes[i], NULL, 0, -1);
        CHECK(run->contacts > 0);
        for (int k = 0; k < 3; k++) draw_all(&run, NULL, 1, endings[k]);
        scree_run_reader_close(run);
    }
}

static void runs_are_drawn_over_each_other(void) {
    const char *const overrides[5][2] = {
        { "scheme.name=moreau-jean", "scheme.theta=1/2" },
        { "scheme.name=moreau-jean-fremond", "scheme.theta=1/2" },
        { "scheme.name=moreau-jean-fremond", "scheme.theta=1" },
        { "output.every=7", "output.contacts=active" },
        { "scheme.step=1e-3", "scheme.duration=0.3" },
    };
    const char *const label[5] = { "a_b ^ \\ {}", "", NULL, "caf\xC3\xA9 \xFF", "five" };
    scree_run_reader *run[5];
    for (int i = 0; i < 5; i++) run[i] = run_of(bodies, overrides[i], 2, -1);
    for (int runs = 1; runs <= 5; runs++) {
        draw_all(run, NULL, runs, "svg");
        draw_all(run, label, runs, "svg");
    }
    draw_all(run + 3, NULL, 1, "svg");
    for (int i = 0; i < 5; i++) scree_run_reader_close(run[i]);
}

// a page shows how such a run starts
static void play(scree_run_reader *run) {
    show_page_options options = show_page_options_default();
    show_page_report report;
    show_text page = { 0 };
    scree_error err = { 0 };
    CHECK_INT(show_page_compose(run, &options, &page, &report, &err), SCREE_OK);
    CHECK_INT(report.frames, 1);
    CHECK_INT(report.contacts, 0);
    show_text_free(&page);
}

static void empty_runs_have_no_data(void) {
    const char *const scenes[] = { bodies, matrices };
    for (int i = 0; i < 2; i++) {
        scree_run_reader *start = run_of(scenes[i], NULL, 0, 0);
        CHECK_INT(start->steps, 1);
        CHECK_INT(start->contacts, 0);
        draw_all(&start, NULL, 1, "svg");

        // cut off before anything reached the disk
        scree_run_reader nothing = *start, *run[5];
        nothing.steps = nothing.frames = nothing.contacts = 0;
        for (int k = 0; k < 5; k++) run[k] = k == 1 ? start : &nothing;
        for (int runs = 1; runs <= 5; runs++) draw_all(run, NULL, runs, "svg");
        if (i == 0) play(&nothing);
        scree_run_reader_close(start);
    }
}

static void all_fixed_bodies_have_no_data(void) {
    scree_run_reader *run = run_of(
        "bodies: [{name: ground, fixed: true, shapes: [{type: half-plane, normal: [0, 1]}]}]\n"
        "scheme: {step: 0.1, duration: 1}\n",
        NULL, 0, -1);
    draw_all(&run, NULL, 1, "svg");
    scree_run_reader_close(run);
}

static void mistakes_are_told(void) {
    scree_error err = { 0 };
    scree_run_reader *run[2] = { run_of(bodies, NULL, 0, 3), run_of(matrices, NULL, 0, 3) };
    char file[200];
    snprintf(file, sizeof file, "%s/none.svg", folder);
    CHECK_INT(show_draw(run, NULL, 1, "enregy", file, &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "\"enregy\"") && strstr(err.text, "did you mean \"energy\"?"));
    for (const show_kind *kind = show_kinds(); kind->name; kind++)
        CHECK(strstr(err.text, kind->name) && kind->summary && kind->summary[0]);
    CHECK_INT(show_draw(run, NULL, 1, "energy", in_folder("none.gif"), &err), SCREE_BAD_INPUT);
    CHECK_INT(show_draw(run, NULL, 1, "", file, &err), SCREE_BAD_INPUT);
    CHECK(!strstr(err.text, "did you mean"));
    CHECK_INT(show_draw(run, NULL, 0, "energy", file, &err), SCREE_BAD_INPUT);
    CHECK_INT(show_draw(run, NULL, 1, "energy", in_folder("no/such/folder.svg"), &err),
              SCREE_FILE_ERROR);

    // energies of different models share a figure, their coordinates do not
    CHECK_INT(show_draw(run, NULL, 2, "coordinates", file, &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "not the same number"));
    CHECK_INT(size_of(file), -1);
    CHECK_INT(show_draw(run, NULL, 2, "energy", file, &err), SCREE_OK);
    CHECK(size_of(file) > 500);
    unlink(file);

    // a scene that cannot be read, as from another version
    scree_run_reader other = *run[0], *list = &other;
    other.scene_text = "nonsense: 1\n";
    other.scene_length = strlen(other.scene_text);
    CHECK_INT(show_draw(&list, NULL, 1, "energy", file, &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "scene inside"));
    CHECK_INT(size_of(file), -1);
    for (int i = 0; i < 2; i++) scree_run_reader_close(run[i]);
}

// ---- points

static double total(const scree_account *a) {
    return a->ledger.kinetic + a->ledger.elastic + a->ledger.potential;
}

static double works(const scree_account *a) {
    return a->ledger.external_work + a->ledger.damping_work + a->ledger.numerical_dissipation +
           a->ledger.contact_normal_work + a->ledger.contact_tangential_work +
           a->ledger.boundary_work + a->ledger.joint_work + a->ledger.correction_work;
}

static double kinetic(const scree_account *a) { return a->ledger.kinetic; }

static void works_add_up_to_the_change_of_energy(void) {
    const char *const scenes[] = { bodies, matrices };
    const show_step_column column[] = { { total, SHOW_CHANGE }, { works, SHOW_SUM } };
    for (int i = 0; i < 2; i++) {
        scree_run_reader *run = run_of(scenes[i], NULL, 0, -1);
        show_points points[2] = { { 0 }, { 0 } };
        scree_error err = { 0 };
        CHECK_INT(show_read_steps(run, column, 2, points, &err), SCREE_OK);
        CHECK_INT(points[0].count, run->steps);
        CHECK(points[0].low < -0.01);
        for (int k = 0; k < points[0].count; k++) {
            CHECK_NEAR(points[0].y[k], points[1].y[k], 1e-11);
            CHECK_NEAR(points[0].x[k], k * 5e-3, 1e-12);
        }
        for (int k = 0; k < 2; k++) show_points_free(&points[k]);
        scree_run_reader_close(run);
    }
}

// a run longer than the buckets: few points, no peak lost
static void long_runs_keep_their_peaks(void) {
    const char *const overrides[] = { "scheme.step=2e-6", "output.every=1000" };
    scree_run_reader *run = run_of(bodies, overrides, 2, -1);
    CHECK(run->steps > 2 * SHOW_BUCKETS);
    scree_step_row *row = malloc((size_t)run->steps * sizeof *row);
    show_points points = { 0 };
    scree_error err = { 0 };
    const show_step_column column = { kinetic, SHOW_VALUE };
    CHECK_INT(scree_run_reader_steps(run, 0, run->steps, row, &err), SCREE_OK);
    CHECK_INT(show_read_steps(run, &column, 1, &points, &err), SCREE_OK);
    CHECK(points.count > SHOW_BUCKETS / 2 && points.count <= 2 * SHOW_BUCKETS);
    double low = INFINITY, high = -INFINITY, low_kept = INFINITY, high_kept = -INFINITY;
    for (int64_t i = 0; i < run->steps; i++) {
        low = fmin(low, row[i].account.ledger.kinetic);
        high = fmax(high, row[i].account.ledger.kinetic);
    }
    for (int i = 0; i < points.count; i++) {
        low_kept = fmin(low_kept, points.y[i]);
        high_kept = fmax(high_kept, points.y[i]);
        if (i && !(points.x[i] > points.x[i - 1])) COMPLAIN("point %d goes back in time", i);
    }
    CHECK_NEAR(low_kept, low, 0);
    CHECK_NEAR(high_kept, high, 0);
    CHECK_NEAR(points.high, high, 0);
    draw_all(&run, NULL, 1, "svg");
    show_points_free(&points);
    free(row);
    scree_run_reader_close(run);
}

static double impulse(const scree_contact_row *row) { return row->contact.impulse[0]; }
static double gap(const scree_contact_row *row) { return row->contact.gap_after; }
static double velocity(const scree_contact_row *row) { return row->contact.u_after[0]; }

// what was not stored is found again: the curves of both ways of storing are the same
static void follow(const char *scene, int possible) {
    const char *const overrides[] = { "output.contacts=all", "output.contacts=active" };
    const show_contact_column column[] = { impulse, gap, velocity };
    show_points points[2][6] = { { { 0 } } };
    scree_error err = { 0 };
    for (int active = 0; active < 2; active++) {
        scree_run_reader *run = run_of(scene, &overrides[active], 1, -1);
        scree_findings findings = { 0 };
        scree_simulation *sim = scree_simulation_parse("scene.yaml", scene, strlen(scene),
                                                       &overrides[active], 1, &findings);
        const scree_run_options *options = scree_simulation_options(sim);
        const scree_model *model = scree_simulation_model(sim);
        scree_stepper *stepper = NULL;
        CHECK_INT(scree_stepper_new(model, &options->scheme, &options->solver, &stepper, &err),
                  SCREE_OK);
        show_tally tally = { 0 };
        show_contact chosen[2];
        CHECK_INT(show_tally_run(run, scree_simulation_record(sim), &tally, &err), SCREE_OK);
        CHECK_INT(tally.count, possible);
        CHECK_INT(show_tally_largest(&tally, 2, chosen), 2);
        double least = fmin(chosen[0].impulse, chosen[1].impulse);
        int larger = 0;
        for (int i = 0; i < tally.count; i++) larger += tally.contact[i].impulse > least;
        CHECK(larger <= 1);

        CHECK_INT(show_read_contacts(run, stepper, chosen, 2, column, 3, points[active], &err),
                  SCREE_OK);
        for (int k = 0; k < 2; k++) {
            const show_points *own = &points[active][3 * k];
            double sum = 0;
            for (int i = 0; i < own->count; i++) sum += own->y[i];
            CHECK_NEAR(sum, chosen[k].impulse, 1e-12 * (1 + sum));
            CHECK_INT(own->count, run->frames);
        }
        show_tally_free(&tally);
        scree_stepper_free(stepper);
        scree_simulation_free(sim);
        scree_findings_free(&findings);
        scree_run_reader_close(run);
    }
    for (int k = 0; k < 6; k++) {
        // u of a stored contact is by the step's own H, at its start: off by a turn of h w
        double tolerance = k % 3 == 2 ? 0.05 : 0;
        for (int i = 1; i < points[0][k].count; i++)
            CHECK_NEAR(points[0][k].y[i], points[1][k].y[i], tolerance);
        show_points_free(&points[0][k]);
        show_points_free(&points[1][k]);
    }
}

static void contacts_are_followed(void) { follow(bodies, 5); }

static void contacts_of_mechanisms_are_followed(void) { follow(mechanism, 2); }

static void remove_folder(void) {
    DIR *directory = opendir(folder);
    struct dirent *entry;
    while (directory && (entry = readdir(directory)))
        if (entry->d_name[0] != '.') unlink(in_folder(entry->d_name));
    if (directory) closedir(directory);
    CHECK_INT(rmdir(folder), 0);
}

TEST_FILE(test_figures) {
    snprintf(folder, sizeof folder, "/tmp/scree-figures-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    TEST(every_kind_is_drawn);
    TEST(runs_are_drawn_over_each_other);
    TEST(empty_runs_have_no_data);
    TEST(all_fixed_bodies_have_no_data);
    TEST(mistakes_are_told);
    TEST(works_add_up_to_the_change_of_energy);
    TEST(long_runs_keep_their_peaks);
    TEST(contacts_are_followed);
    TEST(contacts_of_mechanisms_are_followed);
    TEST(remove_folder);
    return harness_end();
}
