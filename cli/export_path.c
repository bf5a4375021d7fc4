// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// export_path.c - scree export: the path of a point that was swept, as CSV.

#include <inttypes.h>
#include <stdlib.h>

#include "cli/export.h"

enum { BLOCK = 4096 };  // states read at a time

scree_status cli_table_path(const cli_table *t, scree_error *err) {
    int n = t->reader->coordinates;
    cli_table_header(t, "step,time");
    for (int k = 1; k <= n; k++) fprintf(t->out, ",x%d", k);
    putc('\n', t->out);
    scree_frame_row *frame = malloc(BLOCK * sizeof *frame);
    double *q = malloc(BLOCK * (size_t)n * sizeof *q);
    double *v = malloc(BLOCK * (size_t)t->reader->dofs * sizeof *v);
    scree_status status = SCREE_OK;
    if (!frame || !q || !v) status = scree_fail_memory(err, NULL);
    for (int64_t first = 0; !status && first < t->reader->frames; first += BLOCK) {
        int64_t left = t->reader->frames - first, count = left < BLOCK ? left : BLOCK;
        status = scree_run_reader_frames(t->reader, first, count, frame, err);
        if (!status) status = scree_run_reader_states(t->reader, first, count, q, v, err);
        for (int64_t i = 0; !status && i < count; i++) {
            fprintf(t->out, "%" PRId64 ",%.17g", frame[i].step, frame[i].time);
            cli_table_numbers(t, q + i * n, n);
            putc('\n', t->out);
        }
    }
    free(frame);
    free(q);
    free(v);
    return status;
}
