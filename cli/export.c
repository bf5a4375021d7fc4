// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// export.c - scree export: tables of a run as CSV, every digit kept.

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/commands.h"
#include "cli/export.h"
#include "cli/text.h"
#include "scree/stress.h"

enum { BLOCK = 4096 };  // rows read at a time

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

// x + 0 turns -0 into 0
void cli_table_numbers(const cli_table *t, const double *x, int count) {
    for (int i = 0; i < count; i++) fprintf(t->out, ",%.17g", x[i] + 0.0);
}

void cli_table_text(const cli_table *t, const char *word) {
    putc(',', t->out);
    (t->quoted ? cli_text_quoted : cli_text_csv)(word, t->out);
}

// the unit of SI of a column, or NULL; q and v are lengths or angles, as the system has it
static const char *unit_of_column(const char *name, size_t length) {
    static const struct {
        const char *start, *unit;  // of all names that begin so
    } known[] = {
        { "time", "s" },      { "kinetic", "J" },  { "elastic", "J" },     { "potential", "J" },
        { "external_", "J" }, { "damping_", "J" }, { "numerical_", "J" },  { "contact_", "J" },
        { "boundary_", "J" }, { "joint_", "J" },   { "correction_", "J" }, { "residual", "J" },
        { "exchange", "J" },  { "held_", "J" },    { "work_", "J" },       { "gap", "m" },
        { "un_", "m/s" },     { "ut", "m/s" },     { "ur", "rad/s" },      { "pn", "N s" },
        { "pt", "N s" },      { "pr1", "N m s" },  { "pr2", "N m s" },     { "angle", "rad" },
        { "omega", "rad/s" }, { "vx", "m/s" },     { "vy", "m/s" },        { "vz", "m/s" },
        { "ux", "m" },        { "uy", "m" },       { "uz", "m" },          { "rx", "N" },
        { "ry", "N" },        { "rz", "N" },       { "stress_", "Pa" },    { "von_mises", "Pa" },
        { "pressure", "Pa" },
    };
    if (length == 1 && strchr("xyz", *name)) return "m";
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        size_t own = strlen(known[i].start);
        if (own <= length && strncmp(name, known[i].start, own) == 0) return known[i].unit;
    }
    return NULL;
}

void cli_table_header(const cli_table *t, const char *names) {
    while (*names) {
        size_t length = strcspn(names, ",\n");
        const char *si = unit_of_column(names, length);
        fprintf(t->out, "%.*s", (int)length, names);
        if (t->units.given && si) fprintf(t->out, " [%s]", scree_units_name(t->units, si).text);
        names += length;
        if (*names) putc(*names++, t->out);
    }
}

// do bodies come and go in this run?
static bool has_births(const scree_model *model) {
    for (int i = 0; i < model->bodies; i++)
        if (model->body[i].birth_time > 0 || model->body[i].removal_time != 0) return true;
    return false;
}

// do contacts have nodes, and is work done where they are held?
static bool has_meshes(const scree_model *model) {
    return scree_model_group_of(model, "elastic").parts > 0;
}

static scree_status write_energy(const cli_table *t, scree_error *err) {
    cli_table_header(t,
                     "step,time,kinetic,elastic,potential,external_work,damping_work,"
                     "numerical_dissipation,contact_normal_work,contact_tangential_work,"
                     "boundary_work,joint_work,correction_work,residual");
    if (t->model->joints) cli_table_header(t, ",spring,motor_work");
    if (has_births(t->model)) cli_table_header(t, ",exchange");
    if (has_meshes(t->model)) cli_table_header(t, ",held_work");
    putc('\n', t->out);
    scree_step_row *row = malloc(BLOCK * sizeof *row);
    scree_status status = row ? SCREE_OK : scree_fail_memory(err, NULL);
    for (int64_t first = 0; !status && first < t->reader->steps; first += BLOCK) {
        int64_t count = least(t->reader->steps - first, BLOCK);
        status = scree_run_reader_steps(t->reader, first, count, row, err);
        for (int64_t i = 0; !status && i < count; i++) {
            const scree_ledger *l = &row[i].account.ledger;
            fprintf(t->out, "%" PRId64 ",%.17g", row[i].step, row[i].time);
            const double columns[] = { l->kinetic,
                                       l->elastic,
                                       l->potential,
                                       l->external_work,
                                       l->damping_work,
                                       l->numerical_dissipation,
                                       l->contact_normal_work,
                                       l->contact_tangential_work,
                                       l->boundary_work,
                                       l->joint_work,
                                       l->correction_work,
                                       l->residual };
            cli_table_numbers(t, columns, sizeof columns / sizeof *columns);
            if (t->model->joints) cli_table_numbers(t, (double[]){ l->spring, l->motor_work }, 2);
            if (has_births(t->model)) cli_table_numbers(t, &l->exchange, 1);
            if (has_meshes(t->model)) cli_table_numbers(t, &l->prescribed_work, 1);
            putc('\n', t->out);
        }
    }
    free(row);
    return status;
}

typedef void state_writer(const cli_table *t, const scree_frame_row *frame, const double *q,
                          const double *v);

static void write_body_states(const cli_table *t, const scree_frame_row *frame, const double *q,
                              const double *v) {
    const scree_model *model = t->model;
    for (int i = 0; i < model->bodies; i++) {
        if (model->body[i].fixed) continue;
        fprintf(t->out, "%" PRId64 ",%.17g", frame->step, frame->time);
        cli_table_text(t, model->body[i].name);
        cli_table_numbers(t, q + (long)i * model->body_coordinates, model->body_coordinates);
        cli_table_numbers(t, v + (long)i * model->body_dofs, model->body_dofs);
        putc('\n', t->out);
    }
}

static void write_coordinate_states(const cli_table *t, const scree_frame_row *frame,
                                    const double *q, const double *v) {
    static const char *const kind[] = { "matrix", "mechanism" };
    int number = 0;
    for (int k = 0; k < 2; k++) {
        scree_part_group group = scree_model_group_of(t->model, kind[k]);
        for (int j = 0; j < group.coordinates; j++) {
            fprintf(t->out, "%" PRId64 ",%.17g,%d", frame->step, frame->time, number++);
            cli_table_numbers(t, &q[group.coordinate + j], 1);
            cli_table_numbers(t, &v[group.dof + j], 1);
            putc('\n', t->out);
        }
    }
}

// coordinates of systems and mechanisms
static int count_coordinates(const scree_model *model) {
    return scree_model_group_of(model, "matrix").coordinates +
           scree_model_group_of(model, "mechanism").coordinates;
}

static scree_status write_states(const cli_table *t, state_writer *write, scree_error *err) {
    size_t n = (size_t)t->reader->coordinates, m = (size_t)t->reader->dofs;
    int64_t block = least(BLOCK, (1 << 20) / (int64_t)n + 1);
    scree_frame_row *frame = malloc((size_t)block * sizeof *frame);
    double *q = malloc((size_t)block * n * sizeof *q), *v = malloc((size_t)block * m * sizeof *v);
    scree_status status = frame && q && v ? SCREE_OK : scree_fail_memory(err, NULL);
    for (int64_t first = 0; !status && first < t->reader->frames; first += block) {
        int64_t count = least(t->reader->frames - first, block);
        status = scree_run_reader_frames(t->reader, first, count, frame, err);
        if (!status) status = scree_run_reader_states(t->reader, first, count, q, v, err);
        for (int64_t i = 0; !status && i < count; i++)
            write(t, &frame[i], q + (size_t)i * n, v + (size_t)i * m);
    }
    free(frame);
    free(q);
    free(v);
    return status;
}

static scree_status write_coordinates(const cli_table *t, scree_error *err) {
    if (!count_coordinates(t->model))
        return scree_fail(err, SCREE_BAD_INPUT, (scree_source_location){ t->reader->path, 0, 0 },
                          "is a run without a system or a mechanism, it has no coordinates");
    cli_table_header(t, "step,time,coordinate,q,v\n");
    return write_states(t, write_coordinate_states, err);
}

// where there is nothing but a system, its coordinates
static scree_status write_bodies(const cli_table *t, scree_error *err) {
    bool only_system = t->model->dofs == count_coordinates(t->model);
    if (only_system) return write_coordinates(t, err);
    cli_table_header(t, t->model->space == 2
                            ? "step,time,body,x,y,angle,vx,vy,omega\n"
                            : "step,time,body,x,y,z,qw,qx,qy,qz,vx,vy,vz,omegax,omegay,omegaz\n");
    return write_states(t, write_body_states, err);
}

static void write_contact(const cli_table *t, const scree_contact_row *row) {
    const scree_contact *c = &row->contact;
    int d = t->model->dimension;
    char id[SCREE_ID_TEXT];
    scree_contact_id_text(c->id, id);
    fprintf(t->out, "%" PRId64 ",%.17g", row->step, (double)row->step * t->h);
    cli_table_text(t, id);  // more digits than a number keeps
    cli_table_text(t, scree_model_side_name(t->model, c->a));
    cli_table_text(t, scree_model_side_name(t->model, c->b));
    cli_table_numbers(t, &c->gap, 1);
    cli_table_numbers(t, c->u_before, d);
    cli_table_numbers(t, c->u_after, d);
    cli_table_numbers(t, c->impulse, d);
    cli_table_numbers(t, &row->work_normal, 1);
    cli_table_numbers(t, &row->work_tangential, 1);
    fprintf(t->out, ",%s", scree_contact_status_name(c->status));
    int node = scree_contact_node(t->model, c);
    if (node >= 0)
        fprintf(t->out, ",%d", node);
    else if (has_meshes(t->model))
        putc(',', t->out);
    putc('\n', t->out);
}

static bool known_contact(const cli_table *t, const scree_contact *c) {
    return scree_model_has_side(t->model, c->a) && scree_model_has_side(t->model, c->b) &&
           (int)c->status >= 0 && c->status <= SCREE_CONTACT_SLIP;
}

static scree_status write_contacts(const cli_table *t, scree_error *err) {
    const char *columns =
        t->model->dimension == 2 ? "un_before,ut_before,un_after,ut_after,pn,pt"
        : t->model->dimension == 3
            ? "un_before,ut1_before,ut2_before,un_after,ut1_after,ut2_after,pn,pt1,pt2"
            : "un_before,ut1_before,ut2_before,ur1_before,ur2_before,un_after,"
              "ut1_after,ut2_after,ur1_after,ur2_after,pn,pt1,pt2,pr1,pr2";
    cli_table_header(t, "step,time,contact,a,b,gap,");
    cli_table_header(t, columns);
    cli_table_header(
        t, has_meshes(t->model) ? ",work_n,work_t,status,node\n" : ",work_n,work_t,status\n");
    // rows behind the last whole frame belong to none
    scree_frame_row last = { 0 };
    scree_contact_row *row = malloc(BLOCK * sizeof *row);
    scree_status status = row ? SCREE_OK : scree_fail_memory(err, NULL);
    if (!status && t->reader->frames)
        status = scree_run_reader_frames(t->reader, t->reader->frames - 1, 1, &last, err);
    int64_t rows = last.first_contact + last.contacts;
    for (int64_t first = 0; !status && first < rows; first += BLOCK) {
        int64_t count = least(rows - first, BLOCK);
        status = scree_run_reader_contacts(t->reader, first, count, row, err);
        for (int64_t k = 0; !status && k < count; k++)
            if (known_contact(t, &row[k].contact))
                write_contact(t, &row[k]);
            else
                status = scree_fail(err, SCREE_BAD_INPUT,
                                    (scree_source_location){ t->reader->path, 0, 0 },
                                    "holds a contact that its scene does not have");
    }
    free(row);
    return status;
}

static scree_status write_table(const cli_table *t, const char *what, scree_error *err) {
    if (strcmp(what, "energy") == 0) return write_energy(t, err);
    if (strcmp(what, "bodies") == 0) return write_bodies(t, err);
    if (strcmp(what, "coordinates") == 0) return write_coordinates(t, err);
    if (strcmp(what, "nodes") == 0) return cli_table_nodes(t, err);
    if (strcmp(what, "path") == 0) return cli_table_path(t, err);
    if (strcmp(what, "events") == 0) return cli_table_events(t, err);
    if (strcmp(what, "joints") == 0) return cli_table_joints(t, err);
    if (strcmp(what, "elements") == 0) return cli_table_elements(t, err);
    return write_contacts(t, err);
}

// a file of its own beside the target, so that a failure leaves nothing half-written; part gets
// its name
static FILE *open_beside(const char *path, char **part) {
    *part = malloc(strlen(path) + 8);
    if (!*part) return NULL;
    sprintf(*part, "%s.XXXXXX", path);
    int descriptor = mkstemp(*part);
    if (descriptor < 0) return NULL;
    mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
    return fdopen(descriptor, "w");
}

static scree_status export_to(cli_table *t, const char *what, const char *path, scree_error *err) {
    // standard output, pipes and devices are written as they are
    struct stat about;
    bool direct = !path || (stat(path, &about) == 0 && !S_ISREG(about.st_mode));
    char *part = NULL;
    t->out = !path ? stdout : direct ? fopen(path, "w") : open_beside(path, &part);
    if (!t->out) {
        free(part);
        return scree_fail_file(err, path, "cannot be created", errno);
    }
    scree_status status = write_table(t, what, err);
    bool fine = fflush(t->out) == 0 && !ferror(t->out);
    if (path) fine = fclose(t->out) == 0 && fine;
    if (!status && !fine)
        status = scree_fail_file(err, path ? path : "standard output", "cannot be written", errno);
    if (part && !status && rename(part, path) != 0)
        status = scree_fail_file(err, path, "cannot be written", errno);
    if (part && status) remove(part);
    free(part);
    return status;
}

// one row of CSV, which quotes may carry over several lines, as a JSON array; what stands in
// quotes, or is no number, becomes a text. What follows it.
static char *row_to_json(char *row, cli_json *json) {
    char *follows = row;
    cli_json_array_begin(json);
    for (char *word = row; word;) {
        char *end = word, *out = word;
        bool quoted = *word == '"';
        // a quoted word ends at a quote that is not doubled
        for (end += quoted;
             *end && (quoted ? *end != '"' || end[1] == '"' : *end != ',' && *end != '\n'); end++) {
            if (quoted && *end == '"') end++;
            *out++ = *end;
        }
        char *next = quoted && *end ? end + 1 : end;
        bool more = *next == ',';
        follows = next + (*next != '\0');
        if (quoted)
            *out = '\0';
        else
            *end = '\0';
        char *rest;
        double value = strtod(word, &rest);
        if (!quoted && *word && !*rest)
            cli_json_number(json, value);
        else
            cli_json_text(json, word);
        word = more ? next + 1 : NULL;
    }
    cli_json_array_end(json);
    return follows;
}

// of every column, null where it has none
static void units_to_json(scree_units units, const char *header, cli_json *json) {
    cli_json_array_begin(cli_json_key(json, "units"));
    for (const char *name = header; name; name = strchr(name, ',')) {
        name += *name == ',';
        const char *si = unit_of_column(name, strcspn(name, ",\n"));
        cli_json_text(json, si ? scree_units_name(units, si).text : NULL);
    }
    cli_json_array_end(json);
}

// the table as one JSON document: columns and rows
static scree_status export_json(cli_table *t, const char *what, scree_error *err) {
    char *text = NULL;
    size_t length = 0;
    scree_units units = t->units;
    t->units.given = false;  // columns are called the same in every document
    t->quoted = true;
    t->out = open_memstream(&text, &length);
    if (!t->out) return scree_fail_memory(err, NULL);
    scree_status status = write_table(t, what, err);
    if (fclose(t->out) != 0 && !status) status = scree_fail_memory(err, NULL);
    if (!status) {
        cli_json json = cli_json_begin(stdout);
        cli_json_object_begin(&json);
        cli_json_text(cli_json_key(&json, "table"), what);
        char *rest = text, *header = strsep(&rest, "\n");
        units_to_json(units, header, &json);
        cli_json_key(&json, "columns");
        row_to_json(header, &json);
        cli_json_array_begin(cli_json_key(&json, "rows"));
        while (rest && *rest) rest = row_to_json(rest, &json);
        cli_json_array_end(&json);
        cli_json_object_end(&json);
        cli_json_end(&json);
    }
    free(text);
    return status;
}

// a swept point has a path and nothing else
static scree_status refuse(const scree_run_reader *reader, bool swept, scree_error *err) {
    return scree_fail(err, SCREE_BAD_INPUT, (scree_source_location){ reader->path, 0, 0 },
                      swept ? "is a sweeping process, which has no bodies, contacts and energies: "
                              "its table is path"
                            : "is no sweeping process: there is no path of a point in it");
}

static int export_table(const cli_args *args, scree_run_reader *reader,
                        scree_simulation *simulation) {
    scree_error err = { 0 };
    bool json = cli_flag(args, "json");
    cli_table t = { reader,
                    scree_simulation_model(simulation),
                    simulation,
                    scree_simulation_options(simulation)->scheme.step,
                    scree_scene_units(scree_simulation_scene(simulation)),
                    NULL,
                    false };
    const char *output = cli_value(args, "output"), *what = args->positional[1];
    if (output && strcmp(output, "-") == 0) output = NULL;
    bool swept = !scree_simulation_integration(simulation).energies;
    scree_status status = swept != (strcmp(what, "path") == 0) ? refuse(reader, swept, &err)
                          : json && !output                    ? export_json(&t, what, &err)
                                                               : export_to(&t, what, output, &err);
    if (!status && output) cli_print_file(output, json);
    return status ? cli_fail(&err, json) : CLI_DONE;
}

// what goes with which format
static int wrong_mix(const cli_args *args, bool vtk) {
    if (vtk && args->positionals > 1)
        return cli_wrong_use(args, "--to vtk writes bodies and contacts: give no WHAT");
    if (!vtk && args->positionals < 2)
        return cli_wrong_use(
            args,
            "expected WHAT: energy, bodies, coordinates, contacts, joints, events, "
            "nodes, "
            "elements or path (or --to vtk)");
    if (vtk && cli_value(args, "output") && strcmp(cli_value(args, "output"), "-") == 0)
        return cli_wrong_use(args, "--to vtk writes a folder of files, not to standard output");
    if (!vtk && cli_flag(args, "every")) return cli_wrong_use(args, "--every goes with --to vtk");
    return CLI_DONE;
}

int cli_export(const cli_args *args) {
    scree_error err = { 0 };
    scree_run_reader *reader;
    bool json = cli_flag(args, "json");
    bool vtk = cli_value(args, "to") && strcmp(cli_value(args, "to"), "vtk") == 0;
    if (wrong_mix(args, vtk)) return CLI_WRONG_USE;
    if (scree_run_reader_open(args->positional[0], &reader, &err)) return cli_fail(&err, json);
    scree_findings findings = { 0 };
    scree_simulation *simulation = scree_run_simulation(reader, &findings);
    int code;
    if (!simulation) {
        code = cli_complain(&findings, json);
    } else if (vtk && !scree_simulation_integration(simulation).energies) {
        refuse(reader, true, &err);
        code = cli_fail(&err, json);
    } else if (vtk && scree_simulation_model(simulation)->mechanism &&
               !scree_simulation_model(simulation)->bodies &&
               !scree_simulation_model(simulation)->elastics) {
        scree_fail(&err, SCREE_BAD_INPUT, (scree_source_location){ reader->path, 0, 0 },
                   "is the run of a mechanism, which has no shapes to draw; its tables can be "
                   "written by --to csv");
        code = cli_fail(&err, json);
    } else
        code =
            vtk ? cli_export_vtk(args, reader, simulation) : export_table(args, reader, simulation);
    scree_simulation_free(simulation);
    scree_findings_free(&findings);
    scree_run_reader_close(reader);
    return code;
}
