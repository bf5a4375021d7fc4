// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// page_data.h - the numbers of a page: states, outlines, contacts and energies of a run.

#ifndef SCREE_SHOW_PAGE_DATA_H
#define SCREE_SHOW_PAGE_DATA_H

#include "show/pack.h"
#include "show/sketch.h"

typedef struct show_page_data {  // begin with `every`, free when done
    int64_t every;               // in: of the stored states; out: at least that
    int64_t frames;
    int64_t contacts, contacts_all;
    int channels;     // numbers of a pose: x y angle, or x y z w i j k; balls alone: x y z
    double mises[3];  // of the lowest and the highest colour; the largest
    show_pack pack;
} show_page_data;

scree_status show_page_data_read(const show_run *run, show_page_data *data, scree_error *err);
void show_page_data_free(show_page_data *data);

#endif
