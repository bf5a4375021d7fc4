// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// page.h - a run as one HTML file that plays it: no server, no network, nothing beside it.

#ifndef SCREE_SHOW_PAGE_H
#define SCREE_SHOW_PAGE_H

#include "scree/run_file.h"
#include "show/pack.h"

typedef struct show_page_options {
    double megabytes;  // the file is not to be larger: states are left out until it is not
    int every;         // of the stored states, every so many at least
    bool served;       // the page may ask its server whether the run has gone on
} show_page_options;

/// 25 MB, every state.
show_page_options show_page_options_default(void);

/// What the file holds of the run.
typedef struct show_page_report {
    int64_t frames;        // states in it
    int64_t every;         // of the stored ones, every so many
    int64_t contacts;      // contacts in it
    int64_t contacts_all;  // contacts of these states; more than `contacts`: the strongest are kept
    double megabytes;
} show_page_report;

/// The page as text, which is emptied first. Positions have 16 bits over the way of each body, or
/// 1e-5 of the picture where that is more; forces and gaps seven digits.
scree_status show_page_compose(scree_run_reader *run, const show_page_options *options,
                               show_text *page, show_page_report *report, scree_error *err);

/// The same as a file.
scree_status show_page_write(scree_run_reader *run, const show_page_options *options,
                             const char *file, show_page_report *report, scree_error *err);

#endif
