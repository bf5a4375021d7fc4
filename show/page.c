// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// page.c - a run -> one HTML file.
// in: run file.   out: page with viewer, scene, summary and numbers.   work: all chosen states.

#include "show/page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scree/fem.h"
#include "show/file.h"
#include "show/frame.h"
#include "show/page_data.h"
#include "show/viewer.h"

show_page_options show_page_options_default(void) { return (show_page_options){ 25, 1, false }; }

// ---- words

static void add_row(show_text *json, const char *name, const char *value, bool last) {
    show_text_add(json, "[", 1);
    show_text_quote(json, name);
    show_text_add(json, ",", 1);
    show_text_quote(json, value);
    show_text_print(json, "]%s", last ? "" : ",");
}

// why it ended before its time, or that nobody can tell
static const char *end_of(const scree_run_reader *reader) {
    if (*reader->stopped) return reader->stopped;
    return reader->open ? "the file was not closed: killed, or still being written" : "";
}

// sums over the stored steps
static scree_status find_totals(scree_run_reader *reader, scree_totals *totals, scree_error *err) {
    enum { ROWS = 1024 };
    scree_step_row *row = malloc(ROWS * sizeof *row);
    scree_status status =
        row ? SCREE_OK : scree_fail(err, SCREE_NO_MEMORY, SCREE_NOWHERE, "out of memory");
    *totals = scree_totals_none();
    for (int64_t i = 1; !status && i < reader->steps; i += ROWS) {
        int64_t count = reader->steps - i < ROWS ? reader->steps - i : ROWS;
        status = scree_run_reader_steps(reader, i, count, row, err);
        for (int64_t k = 0; !status && k < count; k++) scree_totals_add(totals, &row[k].account);
    }
    free(row);
    return status;
}

// the simulation as it was at the last stored state: what it says about itself is the verdict
static scree_status go_to_end(const show_run *run, scree_error *err) {
    scree_totals totals;
    show_frame last = { 0 };
    scree_status status = find_totals(run->reader, &totals, err);
    if (!status) status = show_frame_load(run, NAN, &last, err);
    const scree_state state = { last.row.step, last.row.time, last.q, last.v };
    if (!status) status = scree_simulation_restore(run->simulation, &state, NULL, 0, &totals, err);
    show_frame_free(&last);
    return status;
}

// good, warned, or not at its end; and what there is to be warned of
static void add_verdict(show_text *json, const show_run *run) {
    scree_warning warning[SCREE_WARNINGS];
    const scree_findings *doubts = scree_simulation_warnings(run->simulation);
    int count = scree_simulation_run_warnings(run->simulation, warning);
    add_row(json, "verdict",
            *end_of(run->reader)
                ? "not at its end"
                : scree_run_verdict_name(scree_simulation_verdict(run->simulation)),
            false);
    for (int i = 0; i < count; i++) add_row(json, "warning", warning[i].text, false);
    for (int i = 0; i < doubts->count; i++) add_row(json, "warning", doubts->item[i].text, false);
}

// what the run came to, as far as its tables tell
static scree_status add_summary(show_text *json, const show_run *run, const show_page_data *data,
                                scree_error *err) {
    scree_run_reader *reader = run->reader;
    char value[300];
    scree_status status = go_to_end(run, err);
    if (status) return status;
    const scree_totals *totals = scree_simulation_totals(run->simulation);
    const scree_theorem theorem = scree_simulation_theorem(run->simulation);
    const scree_units units = show_run_units(run);
    int64_t planned = scree_simulation_steps(run->simulation);
    show_text_add(json, "\"summary\":[", 11);
    add_verdict(json, run);
    int64_t taken = reader->steps > 0 ? reader->steps - 1 : 0;
    snprintf(value, sizeof value, "%lld of %lld", (long long)taken, (long long)planned);
    add_row(json, taken < planned ? "stopped early: steps" : "steps", value, false);
    snprintf(value, sizeof value, "%lld", (long long)totals->unconverged);
    add_row(json, "steps accepted unsolved", value, false);
    snprintf(value, sizeof value, "%.3g %% of the smaller body",
             100 * totals->penetration_relative_max);
    add_row(json, "penetration", value, false);
    snprintf(value, sizeof value, "%.4g %s", totals->energy_created,
             scree_units_name(units, "J").text);
    add_row(json, "energy created by contacts", value, false);
    snprintf(value, sizeof value, "%.2g %s at most, %.2g of the rounding bound",
             totals->residual_max, scree_units_name(units, "J").text,
             totals->residual_over_bound_max);
    add_row(json, "residual of the ledger", value, false);
    snprintf(value, sizeof value, "%s: %s", theorem.holds ? "holds" : "no", theorem.reason);
    add_row(json, "dissipation theorem", value, false);
    snprintf(value, sizeof value, "%lld of %lld stored, every %lld", (long long)data->frames,
             (long long)reader->frames, (long long)data->every);
    add_row(json, "states here", value, false);
    snprintf(value, sizeof value, "%lld of %lld%s", (long long)data->contacts,
             (long long)data->contacts_all,
             data->contacts < data->contacts_all ? ", the strongest" : "");
    add_row(json, "contacts here", value, true);
    show_text_add(json, "],", 2);
    return SCREE_OK;
}

static void add_names(show_text *json, const scree_model *model) {
    show_text_add(json, "\"bodies\":[", 10);
    for (int i = 0; i < model->bodies; i++) {
        if (i) show_text_add(json, ",", 1);
        show_text_quote(json, model->body[i].name);
    }
    show_text_add(json, "],\"elastics\":[", 14);
    for (int i = 0; i < model->elastics; i++) {
        if (i) show_text_add(json, ",", 1);
        show_text_quote(json, model->elastic[i].name);
    }
    show_text_add(json, "],\"groups\":[\"\"", 14);
    for (int i = 1; i <= model->groups; i++) {
        show_text_add(json, ",", 1);
        show_text_quote(json, model->group[i]);
    }
    show_text_add(json, "],", 2);
}

// by the SI unit that they stand for
static void add_units(show_text *json, scree_units units) {
    static const char *const si[] = { "m", "s", "kg", "N", "J", "Pa", "m/s" };
    enum { COUNT = sizeof si / sizeof *si };
    show_text_add(json, "\"units\":{", 9);
    for (int i = 0; i < COUNT; i++)
        show_text_print(json, "%s\"%s\":\"%s\"", i ? "," : "", si[i],
                        scree_units_name(units, si[i]).text);
    show_text_add(json, "},", 2);
}

static const char *title_of(const scree_run_reader *reader) {
    return reader->title[0] ? reader->title : reader->scene_file;
}

static scree_status add_words(show_text *json, const show_run *run, const show_page_data *data,
                              scree_error *err) {
    const scree_scheme_options *scheme = &run->options->scheme;
    const scree_model *model = run->model;
    char text[200];
    show_text_add(json, "{\"title\":", 9);
    show_text_quote(json, title_of(run->reader));
    snprintf(text, sizeof text, "%s, θ = %g, h = %g %s; scree %s",
             scree_simulation_integration(run->simulation).method, scheme->theta, scheme->step,
             scree_units_time(show_run_units(run)), run->reader->version);
    show_text_add(json, ",\"scheme\":", 10);
    show_text_quote(json, text);
    show_text_add(json, ",\"stopped\":", 11);
    show_text_quote(json, end_of(run->reader));
    show_text_print(json, ",\"space\":%d,\"gravity\":[%.17g,%.17g,%.17g],\"channels\":%d,",
                    model->space, model->gravity[0], model->gravity[1], model->gravity[2],
                    data->channels);
    add_units(json, show_run_units(run));
    show_text_print(json, "\"stored\":%lld,", (long long)run->reader->frames);
    show_text_print(json, "\"mises\":[%.9g,%.9g,%.9g],", data->mises[0], data->mises[1],
                    data->mises[2]);
    add_names(json, model);
    scree_status status = add_summary(json, run, data, err);
    show_text_add(json, "\"scene\":", 8);
    show_text_quote(json, run->reader->scene_text);
    show_text_add(json, ",\"arrays\":", 10);
    return status;
}

// ---- the file

// text of HTML: what would be markup is written out
static void add_escaped(show_text *page, const char *text) {
    for (const char *p = text; *p; p++) {
        const char *as = *p == '<' ? "&lt;" : *p == '>' ? "&gt;" : *p == '&' ? "&amp;" : NULL;
        show_text_add(page, as ? as : p, as ? strlen(as) : 1);
    }
}

static void add(show_text *page, const char *text) { show_text_add(page, text, strlen(text)); }

static scree_status compose(const show_run *run, show_page_data *data, bool served, show_text *page,
                            scree_error *err) {
    show_text json = { 0 }, numbers = { 0 };
    scree_status status = add_words(&json, run, data, err);
    if (!status) status = show_pack_write(&data->pack, &json, &numbers, err);
    if (!status) {
        show_text_add(&json, "}", 1);
        add(page,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            "<link rel=\"icon\" href=\"data:,\">\n"  // or browsers ask the server for one
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
            "script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:");
        add(page, served ? "; connect-src 'self'\">\n<title>" : "\">\n<title>");
        add_escaped(page, title_of(run->reader));
        add(page, "</title>\n<style>\n");
        add(page, show_viewer_css);
        add(page, "</style>\n</head>\n<body>\n");
        add(page, show_viewer_html);
        add(page, "<script id=\"run\" type=\"application/json\">");
        show_text_add(page, json.bytes, json.size);
        add(page, "</script>\n<script id=\"numbers\" type=\"text/plain\">");
        show_text_add(page, numbers.bytes, numbers.size);
        add(page, "</script>\n<script>\n");
        add(page, show_viewer_js);
        add(page, "</script>\n</body>\n</html>\n");
    }
    bool failed = json.failed || numbers.failed || page->failed;
    show_text_free(&json);
    show_text_free(&numbers);
    if (!status && failed) status = scree_fail_memory(err, "a page");
    return status;
}

// with every so many of the states, or a few fewer of them until the file is small enough
static scree_status fit(const show_run *run, const show_page_options *options, show_text *page,
                        show_page_report *report, scree_error *err) {
    int64_t every = options->every;
    for (;;) {
        show_page_data data = { .every = every };
        page->size = 0;
        scree_status status = show_page_data_read(run, &data, err);
        if (!status) status = compose(run, &data, options->served, page, err);
        *report = (show_page_report){ data.frames, data.every, data.contacts, data.contacts_all,
                                      (double)page->size / 1e6 };
        every = data.every;
        show_page_data_free(&data);
        if (status || report->megabytes <= options->megabytes || report->frames <= 2) return status;
        every = (int64_t)ceil((double)every * report->megabytes / options->megabytes * 1.05);
    }
}

scree_status show_page_compose(scree_run_reader *reader, const show_page_options *options,
                               show_text *page, show_page_report *report, scree_error *err) {
    show_sketch sketch = { 0 };
    scree_status status = show_sketch_runs(&sketch, &reader, NULL, 1, err);
    scree_source_location at = { reader->path, 0, 0 };
    if (!status && !sketch.run[0].model->bodies && !sketch.run[0].model->elastics)
        status = scree_fail(err, SCREE_BAD_INPUT, at,
                            "has no bodies to show: a matrix system or a mechanism has "
                            "coordinates alone; scree plot draws them");
    if (!status) status = fit(&sketch.run[0], options, page, report, err);
    show_sketch_free(&sketch);
    return status;
}

scree_status show_page_write(scree_run_reader *reader, const show_page_options *options,
                             const char *file, show_page_report *report, scree_error *err) {
    show_text page = { 0 };
    scree_status status = show_page_compose(reader, options, &page, report, err);
    if (!status) status = show_file_save(file, page.bytes, page.size, err);
    show_text_free(&page);
    return status;
}
