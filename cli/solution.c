// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// solution.c - what scree solve found: a table, a report for people, a document for programs.

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/solve.h"

// ---- the table ----

// x + 0 turns -0 into 0
static void number(FILE *out, double x) { fprintf(out, ",%.17g", x + 0.0); }

// the rolling rows may have been solved in other units than the file's: back to those
static double rolling_length(const scree_problem *problem, int contact) {
    return problem->rolling_length ? problem->rolling_length[contact] : 1;
}

static void write_contacts(const cli_solving *solving, FILE *out) {
    const scree_problem *problem = &solving->file.problem;
    int d = problem->dimension;
    fputs(d == 2   ? "contact,pn,pt,un,ut\n"
          : d == 3 ? "contact,pn,pt1,pt2,un,ut1,ut2\n"
                   : "contact,pn,pt1,pt2,pr1,pr2,un,ut1,ut2,ur1,ur2\n",
          out);
    for (int i = 0; i < problem->contacts; i++) {
        double length = rolling_length(problem, i);
        fprintf(out, "%d", i);
        for (int k = 0; k < d; k++) number(out, solving->p[i * d + k] * (k > 2 ? length : 1));
        for (int k = 0; k < d; k++) number(out, solving->s[i * d + k] / (k > 2 ? length : 1));
        putc('\n', out);
    }
}

static void write_components(const cli_solving *solving, FILE *out) {
    fputs("index,z,w\n", out);
    for (int i = 0; i < solving->file.lcp.size; i++) {
        fprintf(out, "%d", i);
        number(out, solving->p[i]);
        number(out, solving->s[i]);
        putc('\n', out);
    }
}

// a file of its own beside the target; part gets its name
static FILE *open_beside(const char *path, char **part) {
    size_t size = strlen(path) + sizeof ".XXXXXX";
    *part = malloc(size);
    if (!*part) return NULL;
    snprintf(*part, size, "%s.XXXXXX", path);
    int descriptor = mkstemp(*part);
    if (descriptor < 0) return NULL;
    mode_t mask = umask(0);
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
    return fdopen(descriptor, "w");
}

scree_status cli_solution_write(const cli_solving *solving, const char *path, scree_error *err) {
    // standard output, pipes and devices are written as they are
    struct stat about;
    bool printed = strcmp(path, "-") == 0;
    bool direct = stat(path, &about) == 0 && !S_ISREG(about.st_mode);
    char *part = NULL;
    FILE *out = printed ? stdout : direct ? fopen(path, "w") : open_beside(path, &part);
    if (!out) {
        free(part);
        return scree_fail_file(err, path, "cannot be created", errno);
    }
    if (solving->file.is_lcp)
        write_components(solving, out);
    else
        write_contacts(solving, out);
    bool fine = fflush(out) == 0 && !ferror(out);
    if (!printed) fine = fclose(out) == 0 && fine;
    scree_status status =
        fine ? SCREE_OK
             : scree_fail_file(err, printed ? "standard output" : path, "cannot be written", errno);
    if (part && !status && rename(part, path) != 0)
        status = scree_fail_file(err, path, "cannot be written", errno);
    if (part && status) remove(part);
    free(part);
    return status;
}

// ---- the report ----

static const char *plural(int count) { return count == 1 ? "" : "s"; }

static int equalities(const scree_problem *problem) {
    int count = 0;
    for (int i = 0; problem->equality && i < problem->contacts; i++)
        count += problem->equality[i] != 0;
    return count;
}

static void print_title(const cli_solving *solving, FILE *stream) {
    const scree_problem_file *file = &solving->file;
    fprintf(stream, "%s: %s, ", solving->path, file->format);
    if (file->is_lcp) {
        fprintf(stream, "%d component%s\n", file->lcp.size, plural(file->lcp.size));
        return;
    }
    const scree_problem *problem = &file->problem;
    fprintf(stream, "%d contact%s in %s", problem->contacts, plural(problem->contacts),
            problem->dimension == 2   ? "2D"
            : problem->dimension == 3 ? "3D"
                                      : "3D with rolling resistance");
    if (equalities(problem)) fprintf(stream, ", %d of them equalities", equalities(problem));
    putc('\n', stream);
}

static void print_verdict(const cli_solving *solving, FILE *stream) {
    const scree_report *report = &solving->report;
    static const char *const held[] = {
        [SCREE_CRITERION_BOTH] = "the worse of both residuals",
        [SCREE_CRITERION_NATURAL] = "the residual in the field's convention",
        [SCREE_CRITERION_SCALED] = "the scaled residual",
    };
    fprintf(stream, "  %-20s %s", "solver", solving->options.name);
    if (report->solver && strcmp(report->solver, solving->options.name) != 0)
        fprintf(stream, ", with %s at the end", report->solver);
    fprintf(stream, "\n  %-20s %s%s\n", "result",
            report->converged ? "" : "NOT SOLVED: ", scree_stop_reason_text(report->reason));
    fprintf(stream, "  %-20s %.3g in the field's convention, %.3g scaled\n", "residual",
            report->residual.natural, report->residual.scaled);
    fprintf(stream, "  %-20s %.3g, held against %s\n", "tolerance", solving->options.tolerance,
            held[solving->options.criterion]);
}

static void print_uniqueness(const scree_report *report, FILE *stream) {
    if (report->unique == SCREE_UNIQUE)
        fprintf(stream, "  %-20s unique, with these statuses\n", "impulses");
    if (report->unique == SCREE_NOT_UNIQUE)
        fprintf(stream, "  %-20s NOT unique: a set of dimension %d%s\n", "impulses",
                report->freedom, report->least ? ", the least are taken" : "");
}

static void print_effort(const cli_solving *solving, FILE *stream) {
    const scree_report *report = &solving->report;
    const scree_seconds *part = &report->seconds;
    fprintf(stream, "  %-20s %d iteration%s, %d factorisation%s, %d island%s\n", "effort",
            report->iterations, plural(report->iterations), report->factorizations,
            plural(report->factorizations), report->islands, plural(report->islands));
    fprintf(stream,
            "  %-20s %.3g s, of which prepare %.2g, iterate %.2g, factor %.2g, "
            "judge %.2g\n",
            "time", solving->seconds, part->prepare, part->iterate, part->factor, part->judge);
}

// y >= 0 that contradicts M z + q >= 0 with z >= 0: q.y < 0 and M^T y <= 0
static void print_lcp_certificate(const cli_solving *solving, FILE *stream) {
    const scree_lcp *lcp = &solving->file.lcp;
    size_t n = (size_t)lcp->size;
    double largest = -HUGE_VAL, product = 0;
    for (size_t j = 0; j < n; j++) {
        double sum = 0;
        for (size_t i = 0; i < n; i++) sum += lcp->M[i * n + j] * solving->p[i];
        largest = fmax(largest, sum);
        product += lcp->q[j] * solving->p[j];
    }
    fprintf(stream, "  %-20s a vector y >= 0 with max M^T y = %.2g, q.y = %.3g\n", "proof", largest,
            product);
}

// a direction in which the contacts can push for ever without an effect, and the bodies still
// approach: W p = 0 and b.p < 0
static void print_certificate(const cli_solving *solving, FILE *stream) {
    if (solving->file.is_lcp) {
        print_lcp_certificate(solving, stream);
        return;
    }
    double moved = 0, work = 0;
    for (size_t i = 0; i < cli_solving_size(solving); i++) {
        double b = solving->file.problem.b[i], Wp = solving->s[i] - b;
        moved = fmax(moved, fabs(Wp));
        work += b * solving->p[i];
    }
    fprintf(stream, "  %-20s a direction p of length 1 in the cone, max |W p| = %.2g, b.p = %.3g\n",
            "proof", moved, work);
}

static void print_contacts(const cli_solving *solving, FILE *stream) {
    const scree_statuses *count = &solving->statuses;
    int d = solving->file.problem.dimension;
    double impulse = 0, velocity = 0;
    if (solving->file.is_lcp) {
        fprintf(stream, "  %-20s %d with z = 0, %d with w = 0\n", "components", count->open,
                count->stick);
        return;
    }
    fprintf(stream, "  %-20s %d open, %d stick, %d slip\n", "contacts", count->open, count->stick,
            count->slip);
    for (int i = 0; i < solving->file.problem.contacts; i++) {
        impulse = fmax(impulse, fabs(solving->p[i * d]));
        for (int k = 0; k < d && k < 3; k++) velocity = fmax(velocity, fabs(solving->s[i * d + k]));
    }
    fprintf(stream, "  %-20s normal impulse %.6g N s, velocity %.6g m/s (if the file is in SI)\n",
            "largest", impulse, velocity);
}

void cli_solving_print(const cli_solving *solving, FILE *stream) {
    print_title(solving, stream);
    print_verdict(solving, stream);
    print_uniqueness(&solving->report, stream);
    print_effort(solving, stream);
    if (cli_solving_infeasible(solving))
        print_certificate(solving, stream);
    else
        print_contacts(solving, stream);
    if (solving->warm) fprintf(stream, "  %-20s the guess in the file\n", "start");
    if (!solving->file.is_lcp && solving->file.asymmetry > 1e-9)
        fprintf(stream,
                "  %-20s W is not symmetric: max |W - W^T| / max |W| = %.2g, solved as it is\n",
                "note", solving->file.asymmetry);
    if (solving->output && strcmp(solving->output, "-") != 0)
        fprintf(stream, "  %-20s %s\n", "solution", solving->output);
}

// ---- the document ----

static void count_to_json(cli_json *json, const char *key, const cli_solving *solving, int count) {
    cli_json_key(json, key);
    if (cli_solving_infeasible(solving))
        cli_json_null(json);
    else
        cli_json_integer(json, count);
}

static void uniqueness_to_json(cli_json *json, const scree_report *report) {
    cli_json_key(json, "unique");
    if (report->unique == SCREE_UNIQUE_UNKNOWN)
        cli_json_null(json);
    else
        cli_json_boolean(json, report->unique == SCREE_UNIQUE);
    cli_json_key(json, "freedom");
    if (report->unique == SCREE_UNIQUE_UNKNOWN)
        cli_json_null(json);
    else
        cli_json_integer(json, report->freedom);
}

static void effort_to_json(cli_json *json, const cli_solving *solving) {
    const scree_report *report = &solving->report;
    cli_json_integer(cli_json_key(json, "iterations"), report->iterations);
    cli_json_integer(cli_json_key(json, "factorizations"), report->factorizations);
    cli_json_integer(cli_json_key(json, "islands"), report->islands);
    cli_json_number(cli_json_key(json, "seconds"), solving->seconds);
    cli_json_number(cli_json_key(json, "cpu_seconds"), solving->processor);
    cli_json_object_begin(cli_json_key(json, "phases"));
    cli_json_number(cli_json_key(json, "prepare"), report->seconds.prepare);
    cli_json_number(cli_json_key(json, "iterate"), report->seconds.iterate);
    cli_json_number(cli_json_key(json, "factor"), report->seconds.factor);
    cli_json_number(cli_json_key(json, "judge"), report->seconds.judge);
    cli_json_object_end(json);
}

void cli_solving_print_json(const cli_solving *solving) {
    const scree_problem_file *file = &solving->file;
    const scree_report *report = &solving->report;
    cli_json document = cli_json_begin(stdout), *json = &document;
    cli_json_object_begin(json);
    cli_json_text(cli_json_key(json, "file"), solving->path);
    cli_json_text(cli_json_key(json, "format"), file->format);
    cli_json_integer(cli_json_key(json, "contacts"),
                     file->is_lcp ? file->lcp.size : file->problem.contacts);
    cli_json_integer(cli_json_key(json, "dimension"), file->is_lcp ? 1 : file->problem.dimension);
    cli_json_number(cli_json_key(json, "asymmetry"), file->asymmetry);
    cli_json_text(cli_json_key(json, "solver"), solving->options.name);
    cli_json_text(cli_json_key(json, "engine"), report->solver);
    cli_json_number(cli_json_key(json, "tolerance"), solving->options.tolerance);
    cli_json_text(cli_json_key(json, "criterion"), cli_criterion_name(solving->options.criterion));
    cli_json_text(cli_json_key(json, "start"), solving->warm ? "guess" : "zero");
    cli_json_boolean(cli_json_key(json, "converged"), report->converged);
    cli_json_text(cli_json_key(json, "reason"), scree_stop_reason_text(report->reason));
    cli_json_number(cli_json_key(json, "residual"), report->residual.natural);
    cli_json_number(cli_json_key(json, "residual_scaled"), report->residual.scaled);
    uniqueness_to_json(json, report);
    effort_to_json(json, solving);
    count_to_json(json, "open", solving, solving->statuses.open);
    count_to_json(json, "stick", solving, solving->statuses.stick);
    count_to_json(json, "slip", solving, solving->statuses.slip);
    if (cli_solving_infeasible(solving)) {
        cli_json_key(json, "certificate");
        cli_json_numbers(json, solving->p, (int)cli_solving_size(solving));
    }
    cli_json_text(cli_json_key(json, "solution"), solving->output);
    cli_json_object_end(json);
    cli_json_end(json);
}
