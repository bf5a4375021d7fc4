// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// contact_loops.c - loops over the contacts of a step: on threads if there are many, chunk by
// chunk, with records fetched before they are needed.

#include "step/stepper.h"

typedef struct contact_loop {
    scree_stepper *stepper;
    scree_contact_fn *work;
    scree_chunk_fn *work_chunk;
    int chunks;
    void *with;
} contact_loop;

static void visit_contact(void *with, int i) {
    const contact_loop *loop = with;
    loop->work(loop->stepper, i, loop->with);
}

void scree_contacts_parallel_for(scree_stepper *stepper, int count, scree_contact_fn *work,
                                 void *with) {
    enum { MANY = 2048 };
    contact_loop loop = { .stepper = stepper, .work = work, .with = with };
    if (count < MANY)
        for (int i = 0; i < count; i++) work(stepper, i, with);
    else
        scree_parallel_for(scree_stepper_pool(stepper), count, visit_contact, &loop);
}

void scree_contacts_prefetch(const scree_stepper *stepper, int i, const double *x) {
    enum { LINE = 64 };
    const scree_contact_set *set = &stepper->set;
    const scree_contact *contact = &set->contact[i];
    int further = i + SCREE_PREFETCH_DISTANCE < set->count ? i + SCREE_PREFETCH_DISTANCE : i;
    const char *record = (const char *)&set->contact[further];
    for (size_t k = 0; k < sizeof *contact; k += LINE) __builtin_prefetch(record + k);
    __builtin_prefetch(set->arm + 6 * (size_t)further);
    if (contact->b < 0 || contact->b >= stepper->model->bodies) return;
    const double *own = x + (long)contact->b * stepper->model->body_dofs;
    __builtin_prefetch(own);
    __builtin_prefetch(own + stepper->model->body_dofs - 1);
    __builtin_prefetch(&stepper->velocity_scale[contact->b]);
}

enum { CHUNK = 256 };  // contacts: what belongs to them fits into a cache

static void visit_chunk(void *with, int k) {
    const contact_loop *loop = with;
    const scree_contact_set *set = &loop->stepper->set;
    int end = k + 1 < loop->chunks ? (k + 1) * CHUNK : set->count;
    loop->work_chunk(loop->stepper, scree_contacts_begin_of_pair(set, k * CHUNK),
                     scree_contacts_begin_of_pair(set, end), loop->with);
}

void scree_contacts_parallel_for_chunks(scree_stepper *stepper, scree_chunk_fn *work, void *with) {
    enum { MANY = 8 };
    int count = stepper->set.count;
    if (!count) return;
    contact_loop loop = {
        .stepper = stepper, .work_chunk = work, .chunks = (count + CHUNK - 1) / CHUNK, .with = with
    };
    scree_thread_pool *pool = loop.chunks < MANY ? NULL : scree_stepper_pool(stepper);
    if (loop.chunks < 2)
        work(stepper, 0, count, with);
    else
        scree_parallel_for(pool, loop.chunks, visit_chunk, &loop);
}
