// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// figures.c - the menu of figures: which columns of a run make which panel.
// in: run files, a name of the menu.   out: a figure.   work: a sketch that owns the points.
//
// Labels carry SI units; the chart puts those of the scene in their place.

#include "show/figures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/suggestion.h"
#include "scree/fem.h"
#include "show/bodies.h"
#include "show/canvas.h"
#include "show/subjects.h"

// dots along a curve; the palette's last colour; bodies or contacts that an overview shows all of
enum { DOTS = 40, BLACK = 6, FEW = 2 };

static void append(show_sketch *s, const char *text) {
    size_t length = strlen(s->title);
    snprintf(s->title + length, sizeof s->title - length, "%s", text);
}

// ---- ledgers

static double kinetic(const scree_account *a) { return a->ledger.kinetic; }
static double elastic(const scree_account *a) { return a->ledger.elastic; }
static double potential(const scree_account *a) { return a->ledger.potential; }
static double total(const scree_account *a) {
    return a->ledger.kinetic + a->ledger.elastic + a->ledger.potential + a->ledger.spring;
}
static double external(const scree_account *a) { return a->ledger.external_work; }
static double damping(const scree_account *a) { return a->ledger.damping_work; }
static double numerical(const scree_account *a) { return a->ledger.numerical_dissipation; }
static double normal(const scree_account *a) { return a->ledger.contact_normal_work; }
static double tangential(const scree_account *a) { return a->ledger.contact_tangential_work; }
static double boundary(const scree_account *a) { return a->ledger.boundary_work; }
static double correction(const scree_account *a) { return a->ledger.correction_work; }
static double held(const scree_account *a) { return a->ledger.prescribed_work; }
static double residual(const scree_account *a) { return a->ledger.residual; }
static double residual_size(const scree_account *a) { return log10(fabs(a->ledger.residual)); }
static double bound_size(const scree_account *a) { return log10(a->ledger.bound); }

static double all_works(const scree_account *a) {
    return a->ledger.external_work + a->ledger.damping_work + a->ledger.numerical_dissipation +
           a->ledger.contact_normal_work + a->ledger.contact_tangential_work +
           a->ledger.boundary_work + a->ledger.joint_work + a->ledger.motor_work +
           a->ledger.correction_work + a->ledger.prescribed_work + a->ledger.exchange;
}

static double largest_tangential(const scree_account *a) { return a->tangential_work_max; }

static scree_status add_energies(show_sketch *s, int pane, scree_error *err) {
    const show_ledger_line lines[] = {
        { "kinetic", pane, { kinetic, SHOW_VALUE }, 0, SCREE_LINE, SHOW_ALWAYS },
        { "elastic", pane, { elastic, SHOW_VALUE }, 2, SCREE_LINE, SHOW_IF_ANY },
        { "potential", pane, { potential, SHOW_VALUE }, 1, SCREE_LINE, SHOW_IF_ANY },
        { "total", pane, { total, SHOW_VALUE }, BLACK, SCREE_LINE, SHOW_ALWAYS },
    };
    int before = s->curves;
    scree_status status = show_lines_ledger(s, lines, 4, err);
    if (status || s->curves - before > 2 * s->runs) return status;

    // the total would hide the only energy there is
    for (int r = 0; r < s->runs; r++) {
        show_points_free(&s->curve[before + 2 * r + 1].points);
        s->curve[before + r] = s->curve[before + 2 * r];
        snprintf(s->curve[before + r].name, SKETCH_NAME, "kinetic = total");
    }
    s->curves = before + s->runs;
    return SCREE_OK;
}

static scree_status sketch_energy(show_sketch *s, scree_error *err) {
    snprintf(s->title, sizeof s->title, "Energies");
    int pane = show_sketch_pane(s, (show_pane){ .y_label = "energy [J]" });
    return add_energies(s, pane, err);
}

// one legend entry for all runs
static void say_once(show_curve *curve) {
    curve->plain = true;
    if (curve->run > 0) curve->name[0] = '\0';
}

// dots on the dashed line: the ledger closes
static scree_status sketch_works(show_sketch *s, scree_error *err) {
    bool few = s->runs <= SKETCH_STYLES;
    scree_mark dots = few ? SCREE_DOTS : SCREE_LINE;
    snprintf(s->title, sizeof s->title, "Change of energy and works since the start");
    show_sketch_pane(s, (show_pane){ .y_label = "energy, work [J]", .zero_line = true });
    const show_ledger_line lines[] = {
        { "external loads", 0, { external, SHOW_SUM }, 2, SCREE_LINE, SHOW_IF_ANY },
        { "damping", 0, { damping, SHOW_SUM }, 4, SCREE_LINE, SHOW_IF_ANY },
        { "numerical dissipation", 0, { numerical, SHOW_SUM }, 3, SCREE_LINE, SHOW_IF_ANY },
        { "contact, normal", 0, { normal, SHOW_SUM }, 0, SCREE_LINE, SHOW_IF_ANY },
        { "contact, tangential", 0, { tangential, SHOW_SUM }, 1, SCREE_LINE, SHOW_IF_ANY },
        { "moving obstacles", 0, { boundary, SHOW_SUM }, 5, SCREE_LINE, SHOW_IF_ANY },
        { "held displacements", 0, { held, SHOW_SUM }, 7, SCREE_LINE, SHOW_IF_ANY },
        { "position correction", 0, { correction, SHOW_SUM }, 8, SCREE_LINE, SHOW_IF_ANY },
        { "change of energy", 0, { total, SHOW_CHANGE }, BLACK, dots, SHOW_ALWAYS },
        { "sum of the works", 0, { all_works, SHOW_SUM }, BLACK, SCREE_DASHED, SHOW_ALWAYS },
    };
    // with several runs dashes have another meaning
    scree_status status = show_lines_ledger(s, lines, s->runs == 1 ? 10 : 9, err);
    for (int c = 0; c < s->curves && few; c++) {
        if (s->curve[c].mark != SCREE_DOTS) continue;
        show_points_thin(&s->curve[c].points, DOTS);
        say_once(&s->curve[c]);
    }
    return status;
}

// the three panels of Acary & Collins-Craft (2024), fig. 6 and 7
static scree_status sketch_balance(show_sketch *s, scree_error *err) {
    scree_chart_escape(s->run[0].reader->title, s->title, sizeof s->title);
    if (s->runs == 1) {
        append(s, ": ");
        append(s, s->run[0].label);
    }
    s->columns = 3;
    s->styles_in_title = true;
    show_sketch_pane(s, (show_pane){ .title = "energies and works since the start",
                                     .y_label = "energy, work [J]",
                                     .zero_line = true });
    show_sketch_pane(
        s, (show_pane){ .title = "balance", .y_label = "energy, work [J]", .zero_line = true });
    show_sketch_pane(s, (show_pane){ .title = "largest tangential work of a contact in each step",
                                     .y_label = "work [J]",
                                     .zero_line = true });
    bool one = s->runs == 1;
    const show_ledger_line lines[] = {
        { "kinetic", 0, { kinetic, SHOW_VALUE }, 0, SCREE_LINE, SHOW_ALWAYS },
        { "elastic", 0, { elastic, SHOW_VALUE }, 2, SCREE_LINE, SHOW_IF_ANY },
        { "potential", 0, { potential, SHOW_CHANGE }, 5, SCREE_LINE, SHOW_IF_ANY },
        { "loads", 0, { external, SHOW_SUM }, 3, SCREE_LINE, SHOW_IF_ANY },
        { "held", 0, { held, SHOW_SUM }, 7, SCREE_LINE, SHOW_IF_ANY },
        { "obstacles", 0, { boundary, SHOW_SUM }, 8, SCREE_LINE, SHOW_IF_ANY },
        { "damping", 0, { damping, SHOW_SUM }, 9, SCREE_LINE, SHOW_IF_ANY },
        { "numerical", 0, { numerical, SHOW_SUM }, 10, SCREE_LINE, SHOW_IF_ANY },
        { "normal", 0, { normal, SHOW_SUM }, 4, SCREE_LINE, SHOW_IF_ANY },
        { "tangential", 0, { tangential, SHOW_SUM }, 1, SCREE_LINE, SHOW_IF_ANY },
        { "change of energy", 1, { total, SHOW_CHANGE }, 0, SCREE_LINE, SHOW_ALWAYS },
        { "sum of the works",
          1,
          { all_works, SHOW_SUM },
          1,
          one ? SCREE_DASHED : SCREE_LINE,
          SHOW_ALWAYS },
        { "", 2, { largest_tangential, SHOW_VALUE }, 0, SCREE_LINE, SHOW_BY_RUN },
    };
    return show_lines_ledger(s, lines, sizeof lines / sizeof *lines, err);
}

static scree_status sketch_residual(show_sketch *s, scree_error *err) {
    snprintf(s->title, sizeof s->title, "Residual of the energy ledger in each step");
    show_sketch_pane(s, (show_pane){ .y_label = "residual [J]", .zero_line = true });
    show_sketch_pane(s, (show_pane){ .y_label = "log_{10} of |residual| [J]" });
    s->columns = 1;
    const show_ledger_line lines[] = {
        { "", 0, { residual, SHOW_VALUE }, 0, SCREE_LINE, SHOW_BY_RUN },
        { "|residual|", 1, { residual_size, SHOW_VALUE }, 0, SCREE_DOTS, SHOW_BY_RUN },
        { "rounding bound", 1, { bound_size, SHOW_VALUE }, BLACK, SCREE_LINE, SHOW_ALWAYS },
    };
    scree_status status = show_lines_ledger(s, lines, 3, err);
    for (int c = 0; c < s->curves; c++)
        if (s->curve[c].colour == BLACK) say_once(&s->curve[c]);
    return status;
}

// ---- contacts

static double u_normal(const scree_contact_row *row) { return row->contact.u_after[0]; }
static double u_first(const scree_contact_row *row) { return row->contact.u_after[1]; }
static double u_second(const scree_contact_row *row) { return row->contact.u_after[2]; }
static double gap(const scree_contact_row *row) { return row->contact.gap_after; }

// what belongs to a step is not there at the start
static double of_step(const scree_contact_row *row, double value) {
    return row->step ? value : (double)NAN;
}

static double p_normal(const scree_contact_row *row) {
    return of_step(row, row->contact.impulse[0]);
}

static double p_first(const scree_contact_row *row) {
    return of_step(row, row->contact.impulse[1]);
}

static double p_second(const scree_contact_row *row) {
    return of_step(row, row->contact.impulse[2]);
}

static double work(const scree_contact_row *row) { return of_step(row, row->work_tangential); }

// the only contact is named in the title, and so is what the figure leaves out
static void title_contacts(show_sketch *s, const show_contact_list *list) {
    char text[SKETCH_NAME];
    if (list->tally.count == 1)
        snprintf(text, sizeof text, ": %s", list->name[0]);
    else
        snprintf(text, sizeof text, " (largest %d of %d contacts)", list->count, list->tally.count);
    if (list->tally.count == 1 || list->count < list->tally.count) append(s, text);
}

static scree_status sketch_contacts(show_sketch *s, const show_contact_line *line, int lines,
                                    scree_error *err) {
    show_contact_list list = { 0 };
    s->columns = 1;
    bool stems = line[0].mark == SCREE_STEMS;
    scree_status status =
        show_lines_choose_contacts(s, show_lines_most(s->runs), stems, &list, err);
    if (!status) {
        title_contacts(s, &list);
        status = show_lines_contacts(s, &list, line, lines, err);
    }
    show_tally_free(&list.tally);
    return status;
}

static bool spatial(const show_sketch *s) {
    bool found = false;
    for (int r = 0; r < s->runs; r++) found |= s->run[r].model->dimension == 3;
    return found;
}

static scree_status sketch_velocities(show_sketch *s, scree_error *err) {
    bool two = spatial(s);
    snprintf(s->title, sizeof s->title, "Local velocities");
    show_pane panes[] = {
        { .name = "u_N", .y_label = "u_N [m/s]", .zero_line = true },
        { .name = two ? "u_{T1}" : "u_T",
          .y_label = two ? "u_{T1} [m/s]" : "u_T [m/s]",
          .zero_line = true,
          .dull = SHOW_DROP_ZERO },
        { .name = "u_{T2}", .y_label = "u_{T2} [m/s]", .zero_line = true, .dull = SHOW_DROP_ZERO },
    };
    const show_contact_line lines[] = {
        { NULL, 0, u_normal, SCREE_LINE },
        { NULL, 1, u_first, SCREE_LINE },
        { NULL, 2, u_second, SCREE_LINE },
    };
    for (int i = 0; i < (two ? 3 : 2); i++) show_sketch_pane(s, panes[i]);
    return sketch_contacts(s, lines, s->panes, err);
}

static int sparse(const show_sketch *s) {  // steps per stored one
    int every = 1;
    for (int r = 0; r < s->runs; r++)
        if (s->run[r].options->store_every > every) every = s->run[r].options->store_every;
    return every;
}

static scree_status sketch_impulses(show_sketch *s, scree_error *err) {
    bool two = spatial(s);
    snprintf(s->title, sizeof s->title, "Contact impulses");
    if (sparse(s) > 1)
        snprintf(s->title, sizeof s->title, "Contact impulses in one of %d steps", sparse(s));
    show_pane panes[] = {
        { .name = "p_N", .y_label = "p_N [N s]", .zero_line = true },
        { .name = two ? "p_{T1}" : "p_T",
          .y_label = two ? "p_{T1} [N s]" : "p_T [N s]",
          .zero_line = true,
          .dull = SHOW_DROP_ZERO },
        { .name = "p_{T2}", .y_label = "p_{T2} [N s]", .zero_line = true, .dull = SHOW_DROP_ZERO },
    };
    const show_contact_line lines[] = {
        { NULL, 0, p_normal, SCREE_STEMS },
        { NULL, 1, p_first, SCREE_STEMS },
        { NULL, 2, p_second, SCREE_STEMS },
    };
    for (int i = 0; i < (two ? 3 : 2); i++) show_sketch_pane(s, panes[i]);
    return sketch_contacts(s, lines, s->panes, err);
}

static scree_status sketch_gaps(show_sketch *s, scree_error *err) {
    snprintf(s->title, sizeof s->title, "Gaps");
    show_sketch_pane(s, (show_pane){ .y_label = "gap [m]", .zero_line = true });
    const show_contact_line line = { NULL, 0, gap, SCREE_LINE };
    return sketch_contacts(s, &line, 1, err);
}

static scree_status sketch_tangential(show_sketch *s, scree_error *err) {
    snprintf(s->title, sizeof s->title, "Tangential contact work in each step");
    show_sketch_pane(s, (show_pane){ .y_label = "work [J]", .zero_line = true });
    const show_contact_line line = { NULL, 0, work, SCREE_STEMS };
    const show_ledger_line sum = { "", 0, { tangential, SHOW_VALUE }, 0, SCREE_STEMS, SHOW_BY_RUN };
    if (sparse(s) == 1) return sketch_contacts(s, &line, 1, err);
    // single contacts are known for the stored steps only, their sum for all
    snprintf(s->title, sizeof s->title, "Tangential work of all contacts in each step");
    return show_lines_ledger(s, &sum, 1, err);
}

// ---- states

// the only subject, or of how many only some are drawn
static void title_subjects(show_sketch *s, const show_subjects *list) {
    const scree_model *model = s->run[0].model;
    const show_group *group = list->group;
    char name[SKETCH_NAME / 2], text[SKETCH_NAME] = "";
    if (list->groups == 1 && group->count == 1 && !group->row->numbered) {
        scree_chart_escape(show_subjects_name(model, group, group->subject[0]), name, sizeof name);
        snprintf(text, sizeof text, ": %s", name);
    }
    for (int k = list->groups - 1; k >= 0 && !text[0]; k--)
        if (group[k].chosen < group[k].count)
            snprintf(text, sizeof text, " (of %d%s%s the %d that move most)", group[k].count,
                     group[k].row->noun[0] ? " " : "", group[k].row->noun, group[k].chosen);
    append(s, text);
}

static scree_status sketch_states(show_sketch *s, bool velocity, scree_error *err) {
    show_subjects list = { 0 };
    show_state_line line[SHOW_STATE_LINES];
    int lines = 0;
    s->columns = 1;
    scree_status status = show_subjects_choose(s, show_lines_most(s->runs), &list, err);
    if (status) return status;
    title_subjects(s, &list);
    for (int k = 0; k < list.groups; k++)
        lines += show_subjects_lines(s, &list.group[k], velocity,
                                     show_subjects_panes(s, &list.group[k], velocity), 1, 0,
                                     line + lines);
    if (!list.groups) show_sketch_pane(s, *show_subjects_empty_pane(velocity));
    return show_lines_states(s, line, lines, err);
}

static scree_status sketch_coordinates(show_sketch *s, scree_error *err) {
    snprintf(s->title, sizeof s->title, "Coordinates");
    return sketch_states(s, false, err);
}

static scree_status sketch_speeds(show_sketch *s, scree_error *err) {
    snprintf(s->title, sizeof s->title, "Velocities");
    return sketch_states(s, true, err);
}

// a dot where each path begins; one legend entry stands for all
static scree_status add_starts(show_sketch *s, scree_error *err) {
    scree_status status = SCREE_OK;
    int paths = s->curves;
    for (int c = 0; c < paths && !status; c++) {
        show_curve start = s->curve[c];
        if (!s->pane[start.pane].x_label || !start.points.count) continue;
        start.mark = SCREE_DOTS;
        start.plain = true;
        snprintf(start.name, sizeof start.name, "%s", c ? "" : "start");
        start.points = (show_points){ 0 };
        if (show_points_add(&start.points, s->curve[c].points.x[0], s->curve[c].points.y[0])) {
            status = show_sketch_curve(s, &start, err);
        } else {
            show_points_free(&start.points);
            status = scree_fail_memory(err, "a figure");
        }
    }
    return status;
}

// the path of places in space, of which the last is drawn over the first; or numbers over time
static int add_paths(show_sketch *s, const show_group *group, show_state_line *line) {
    int last = s->run[0].model->space - 1;
    show_pane pane = group->row->pane[false][group->row->numbered ? 0 : last];
    pane.dull = SHOW_KEEP;
    if (!group->row->numbered) pane.x_label = group->row->pane[false][0].y_label;
    pane.equal_aspect = group->row->placed;
    int lines = show_subjects_lines(s, group, false, show_sketch_pane(s, pane), 1, 0, line);
    for (int k = 0; k < group->chosen && !group->row->numbered; k++) {
        line[k] = line[group->columns * k];
        line[k].column.x = line[k].column.y;
        line[k].column.y += last;
    }
    return group->row->numbered ? lines : group->chosen;
}

static void title_paths(show_sketch *s, const show_subjects *list) {
    snprintf(s->title, sizeof s->title, "%s",
             list->groups ? list->group[0].row->path : "Trajectories");
    for (int k = 1; k < list->groups; k++) {
        append(s, "; ");
        append(s, list->group[k].row->beside);
    }
    title_subjects(s, list);
}

static scree_status sketch_trajectories(show_sketch *s, scree_error *err) {
    show_subjects list = { 0 };
    show_state_line line[SHOW_STATE_LINES];
    scree_status status = show_subjects_choose(s, show_lines_most(s->runs), &list, err);
    if (status) return status;
    title_paths(s, &list);
    int lines = 0;
    for (int k = 0; k < list.groups; k++) lines += add_paths(s, &list.group[k], line + lines);
    if (!list.groups)
        show_sketch_pane(s, (show_pane){ .x_label = "x [m]",
                                         .y_label = s->run[0].model->space == 2 ? "y [m]" : "z [m]",
                                         .equal_aspect = true });
    status = show_lines_states(s, line, lines, err);
    // the third run's path is dots itself
    return status || s->runs == SKETCH_STYLES ? status : add_starts(s, err);
}

static bool swept(const show_sketch *s) {
    return !scree_simulation_integration(s->run[0].simulation).energies;
}

// a swept point: where it went in the plane of its first two coordinates, and when; bodies have
// trajectories
static scree_status sketch_path(show_sketch *s, scree_error *err) {
    if (!swept(s)) return sketch_trajectories(s, err);
    int lines = 0;
    show_subjects list = { 0 };
    show_state_line line[SHOW_STATE_LINES];
    scree_chart_escape(s->run[0].reader->title, s->title, sizeof s->title);
    scree_status status = show_subjects_choose(s, show_lines_most(s->runs), &list, err);
    if (status) return status;
    const show_group *point = &list.group[0];
    s->columns = 1;
    if (point->count > 1) {
        show_pane plane = { .x_label = "x_1", .y_label = "x_2", .equal_aspect = true };
        line[lines++] =
            (show_state_line){ .column = { .x = 0, .y = 1 }, .pane = show_sketch_pane(s, plane) };
    }
    int pane = show_sketch_pane(s, (show_pane){ .y_label = "x" }), first = lines;
    lines += show_subjects_lines(s, point, false, pane, 1, 0, line + lines);
    for (int k = first; k < lines && point->count > 1; k++) line[k].name[0] = 'x';
    status = show_lines_states(s, line, lines, err);
    return status || s->runs == SKETCH_STYLES ? status : add_starts(s, err);
}

// a panel for each number of a kind, or for each coordinate that has a number, as long as there is
// room; what is drawn over time in `line` and `rate`
static int add_phases(show_sketch *s, show_group *group, show_state_line *line,
                      show_state_line *rate) {
    static const char *const name[SKETCH_PANES] = { "v_1", "v_2", "v_3", "v_4",
                                                    "v_5", "v_6", "v_7", "v_8" };
    if (group->row->numbered && group->chosen > SKETCH_PANES - s->panes)
        group->chosen = SKETCH_PANES - s->panes;
    int first = group->row->numbered ? 0 : show_subjects_panes(s, group, true);
    int lines = show_subjects_lines(s, group, false, first, 1, 0, line);
    show_subjects_lines(s, group, true, first, 1, 0, rate);
    for (int i = first; i < s->panes && !group->row->numbered; i++)
        s->pane[i].x_label = group->row->pane[false][i - first].y_label;
    for (int k = 0; k < lines && group->row->numbered; k++) {
        int number = group->subject[k];
        show_pane pane = { .name = number < SKETCH_PANES ? name[number] : "v",
                           .x_label = "q",
                           .y_label = "v",
                           .dull = SHOW_DROP_CONSTANT };
        snprintf(pane.title, sizeof pane.title, "%s", line[k].name);
        line[k].name[0] = '\0';
        line[k].colour = 0;
        line[k].pane = show_sketch_pane(s, pane);
    }
    return lines;
}

// velocities over coordinates, a panel for each; where velocities jump, so do the curves
static scree_status sketch_phase(show_sketch *s, scree_error *err) {
    show_subjects list = { 0 };
    show_state_line line[SHOW_STATE_LINES], rate[SHOW_STATE_LINES];
    int lines = 0;
    snprintf(s->title, sizeof s->title, "Phase portrait");
    scree_status status = show_subjects_choose(s, show_lines_most(s->runs), &list, err);
    if (status) return status;
    title_subjects(s, &list);
    for (int k = 0; k < list.groups; k++)
        lines += add_phases(s, &list.group[k], line + lines, rate + lines);
    for (int k = 0; k < lines; k++) {
        line[k].column.x = line[k].column.y;
        line[k].column.y = rate[k].column.y;
    }
    if (!s->panes) show_sketch_pane(s, (show_pane){ .x_label = "q", .y_label = "v" });
    status = show_lines_states(s, line, lines, err);
    return status || s->runs == SKETCH_STYLES ? status : add_starts(s, err);
}

// ---- overview

// the six panels of Acary & Collins-Craft (2024), fig. 2
enum { Q, V, U, P, WORKS, ENERGY };

static const char *overview_label(const show_subjects *list, bool velocity) {
    return list->groups ? show_subjects_label(&list->group[0], velocity)
                        : show_subjects_empty_pane(velocity)->y_label;
}

static void overview_panes(show_sketch *s, const show_subjects *list,
                           const show_contact_list *contacts) {
    const show_pane panes[] = {
        { .title = "coordinates", .y_label = overview_label(list, false) },
        { .title = "velocities", .y_label = overview_label(list, true) },
        { .title = "local velocities", .y_label = "u [m/s]", .zero_line = true },
        { .title = "contact impulses", .y_label = "p [N s]", .zero_line = true },
        { .title = "contact works, summed", .y_label = "work [J]", .zero_line = true },
        { .title = "energies", .y_label = "energy [J]" },
    };
    for (int i = Q; i <= ENERGY; i++) {
        int pane = show_sketch_pane(s, panes[i]);
        bool of_bodies = i <= V;
        int shown = of_bodies ? 0 : contacts->count, all = of_bodies ? 0 : contacts->tally.count;
        char name[SKETCH_NAME / 2] = "";
        for (int k = 0; of_bodies && k < list->groups; k++) {
            const show_group *group = &list->group[k];
            if (group->row->numbered) continue;
            scree_chart_escape(show_subjects_name(s->run[0].model, group, group->subject[0]), name,
                               sizeof name);
            shown += list->group[k].chosen;
            all += list->group[k].count;
        }
        if (shown == 1 && all > 1 && i <= P)
            snprintf(s->pane[pane].title, sizeof s->pane[pane].title, "%s: %.40s (1 of %d)",
                     panes[i].title, of_bodies ? name : contacts->name[0], all);
        else if (shown < all && i <= P)
            snprintf(s->pane[pane].title, sizeof s->pane[pane].title, "%s (%d of %d %s)",
                     panes[i].title, shown, all, of_bodies ? "bodies" : "contacts");
    }
}

static scree_status overview_curves(show_sketch *s, const show_subjects *list,
                                    const show_contact_list *contacts, scree_error *err) {
    bool two = spatial(s);
    show_state_line line[SHOW_STATE_LINES];
    int lines = 0;
    for (int v = 0; v < 2; v++) {
        int colour = 0;
        for (int k = 0; k < list->groups; k++) {
            const show_group *group = &list->group[k];
            if (group->row->numbered && list->groups > 1) continue;  // bodies say more
            lines += show_subjects_lines(s, group, v, v ? V : Q, 0, colour, line + lines);
            colour += group->columns * group->chosen;
        }
    }
    const show_contact_line local[] = {
        { "u_N", U, u_normal, SCREE_LINE },    { two ? "u_{T1}" : "u_T", U, u_first, SCREE_LINE },
        { "p_N", P, p_normal, SCREE_STEMS },   { two ? "p_{T1}" : "p_T", P, p_first, SCREE_STEMS },
        { "u_{T2}", U, u_second, SCREE_LINE }, { "p_{T2}", P, p_second, SCREE_STEMS },
    };
    const show_ledger_line works[] = {
        { "normal", WORKS, { normal, SHOW_SUM }, 0, SCREE_LINE, SHOW_ALWAYS },
        { "tangential", WORKS, { tangential, SHOW_SUM }, 1, SCREE_LINE, SHOW_ALWAYS },
    };
    scree_status status = show_lines_states(s, line, lines, err);
    if (!status) status = show_lines_contacts(s, contacts, local, two ? 6 : 4, err);
    if (!status) status = show_lines_ledger(s, works, 2, err);
    return status ? status : add_energies(s, ENERGY, err);
}

// Of many bodies and contacts an overview shows the one that moves most, the one that bears most: a
// legend of two is larger than the curves.

static int count_moving(const scree_model *model) {
    int count = model->elastics;
    for (int i = 0; i < model->bodies; i++) count += !model->body[i].fixed;
    return count;
}

static void keep_largest(show_contact_list *list) {
    int largest = 0;
    for (int k = 1; k < list->count; k++)
        if (list->chosen[k].impulse > list->chosen[largest].impulse) largest = k;
    list->chosen[0] = list->chosen[largest];
    memmove(list->name[0], list->name[largest], sizeof list->name[0]);
    list->count = list->count ? 1 : 0;
}

static scree_status sketch_overview(show_sketch *s, scree_error *err) {
    if (swept(s)) return sketch_path(s, err);
    int most = s->runs == 1 ? FEW : 1;
    int subjects = count_moving(s->run[0].model);
    show_subjects list = { 0 };
    show_contact_list contacts = { 0 };
    scree_chart_escape(s->run[0].reader->title, s->title, sizeof s->title);
    s->columns = 3;
    s->whole = s->styles_in_title = true;
    scree_status status = show_subjects_choose(s, subjects > FEW ? 1 : most, &list, err);
    // three components of two nodes that touch side by side are more lines than tell anything
    bool meshes = scree_model_group_of(s->run[0].model, "elastic").parts > 0;
    int touching = meshes && spatial(s) ? 1 : most;
    if (!status) status = show_lines_choose_contacts(s, touching, true, &contacts, err);
    if (!status && contacts.tally.count > FEW) keep_largest(&contacts);
    if (subjects > FEW) show_subjects_calm(&list);
    if (!status) {
        overview_panes(s, &list, &contacts);
        status = overview_curves(s, &list, &contacts, err);
    }
    show_tally_free(&contacts.tally);
    return status;
}

// ---- the menu

static const show_kind kinds[] = {
    { "energy", "kinetic, elastic, potential and total energy" },
    { "works", "change of energy and the works that make it up, summed" },
    { "residual", "what is left of the energy ledger in each step, with its rounding bound" },
    { "velocities", "local velocities u_N and u_T of the contacts" },
    { "impulses", "contact impulses p_N and p_T" },
    { "gaps", "gaps of the contacts" },
    { "trajectories", "paths of the moving bodies, y over x" },
    { "coordinates", "x, y and angle of the moving bodies, or q of a matrix system" },
    { "speeds", "velocities of the moving bodies, or v of a matrix system" },
    { "phase", "velocities over coordinates: cycles close, impacts are jumps" },
    { "tangential-work", "tangential contact work in each step: above zero it creates energy" },
    { "balance", "energies and works, their balance, the largest tangential work of a contact" },
    { "path", "path of the point of a sweeping process, otherwise trajectories" },
    { "overview", "coordinates, velocities, impulses, works and energies in six panels" },
    { "deformed", "meshes of elastic bodies at one time: von Mises stress, contact forces" },
    { "bodies", "rigid and elastic bodies at one time or several" },
    { NULL, NULL },
};

// the last two are no charts
static scree_status (*const sketch_kind[])(show_sketch *, scree_error *) = {
    sketch_energy,
    sketch_works,
    sketch_residual,
    sketch_velocities,
    sketch_impulses,
    sketch_gaps,
    sketch_trajectories,
    sketch_coordinates,
    sketch_speeds,
    sketch_phase,
    sketch_tangential,
    sketch_balance,
    sketch_path,
    sketch_overview,
    NULL,
    NULL,
};

enum { KINDS = sizeof sketch_kind / sizeof *sketch_kind };
_Static_assert(sizeof kinds / sizeof *kinds == KINDS + 1, "a function for every row of the menu");

const show_kind *show_kinds(void) { return kinds; }

static scree_status unknown(const char *what, scree_error *err) {
    const char *names[KINDS];
    char all[KINDS * 24] = "";
    for (int i = 0; i < KINDS; i++) {
        names[i] = kinds[i].name;
        size_t length = strlen(all);
        snprintf(all + length, sizeof all - length, "%s%s", i ? ", " : "", names[i]);
    }
    const char *near = scree_suggestion(what, names, KINDS);
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                      "no figure is called \"%.60s\"%s%s%s; there are %s", what,
                      near ? " (did you mean \"" : "", near ? near : "", near ? "\"?)" : "", all);
}

// a swept point has a path, and neither energies nor contacts
static scree_status check_kind(const show_sketch *s, const char *what, scree_error *err) {
    if (!swept(s) || strcmp(what, "path") == 0 || strcmp(what, "overview") == 0) return SCREE_OK;
    return scree_fail(err, SCREE_BAD_INPUT, (scree_source_location){ s->run[0].reader->path, 0, 0 },
                      "is a sweeping process, which has no bodies, contacts and energies: its "
                      "figure is path");
}

static scree_status draw_bodies(scree_run_reader *const *run, int runs, const char *file,
                                scree_error *err) {
    const show_bodies_options options = show_bodies_options_default();
    if (runs == 1) return show_draw_bodies(run[0], &options, file, err);
    return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE,
                      "the figure bodies is of one run, not of %d", runs);
}

scree_status show_draw(scree_run_reader *const *run, const char *const *label, int runs,
                       const char *what, const char *file, scree_error *err) {
    int kind = 0;
    while (kind < KINDS && strcmp(what, kinds[kind].name) != 0) kind++;
    if (kind == KINDS) return unknown(what, err);
    if (runs < 1) return scree_fail(err, SCREE_BAD_INPUT, SCREE_NOWHERE, "no run to draw");

    // an ending that names no format is better known before reading a long run
    scree_canvas_format format;
    scree_status status = scree_canvas_format_of(file, &format, err);
    if (status) return status;
    if (kind == KINDS - 1) return draw_bodies(run, runs, file, err);
    if (!sketch_kind[kind]) return show_draw_deformed(run, label, runs, NAN, file, err);
    show_sketch sketch = { 0 };
    status = show_sketch_runs(&sketch, run, label, runs, err);
    if (!status) status = check_kind(&sketch, what, err);
    if (!status) status = sketch_kind[kind](&sketch, err);
    if (!status) status = show_sketch_draw(&sketch, file, err);
    show_sketch_free(&sketch);
    return status;
}
