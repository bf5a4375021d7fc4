// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// reaction.c - the forces that hold nodes of elastic bodies, from the record of a step.
// in: model, record.   out: forces at nodes.   work: two vectors.
//
// On a held degree of freedom
//
//     h reaction = M (v'-v) + h C v_theta + h K q_theta - h F_theta - h G - (H^T p)
//
// and on a free one the right side is zero, which nobody needs to be told.

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/space.h"
#include "collide/facet.h"
#include "model/elastic.h"
#include "scree/stress.h"

// --- which node touches -------------------------------------------------------------------------

// how many nodes of a body can touch, or with `place` which one is at that place among them: those
// that touch others and those that touch the body itself, both ascending
static int count_or_find(const scree_elastic_body *body, int place) {
    int i = 0, k = 0, count = 0;
    if (!body->self_nodes && place < 0) return body->contact_nodes;
    while (i < body->contact_nodes || k < body->self_nodes) {
        int one = i < body->contact_nodes ? body->contact_node[i] : body->mesh.nodes;
        int two = k < body->self_nodes ? body->self_node[k] : body->mesh.nodes;
        int node = one < two ? one : two;
        if (count++ == place) return node;
        i += one == node;
        k += two == node;
    }
    return place < 0 ? count : -1;
}

int scree_contact_node(const scree_model *model, const scree_contact *contact) {
    scree_contact_key key = scree_contact_id_unpack(contact->id);
    if (key.source != SCREE_SOURCE_NODES || contact->a < model->bodies) return -1;
    if (key.a > INT_MAX) return -1;
    int place = (int)key.a, elastic = contact->a - model->bodies;
    for (int e = 0; e < elastic && e < model->elastics; e++)
        place -= count_or_find(&model->elastic[e], -1);
    if (elastic >= model->elastics || place < 0) return -1;
    const scree_elastic_body *body = &model->elastic[elastic];
    if (!body->self_nodes) return place < body->contact_nodes ? body->contact_node[place] : -1;
    return count_or_find(body, place);
}

// --- contacts -----------------------------------------------------------------------------------

static void impulse_of(const scree_contact *contact, int space, double impulse[3]) {
    double second[3];
    scree_cross(contact->normal, contact->tangent, second);
    for (int k = 0; k < 3; k++) {
        impulse[k] = contact->impulse[0] * contact->normal[k];
        impulse[k] += contact->impulse[1] * contact->tangent[k];
        if (space == 3) impulse[k] += contact->impulse[2] * second[k];
    }
}

static void pull(const scree_elastic_body *body, int node, double weight, const double impulse[3],
                 double *sum) {
    for (int k = 0; k < body->mesh.space; k++)
        sum[(long)node * body->mesh.space + k] -= weight * impulse[k];
}

static int place_facet(const scree_elastic_body *body, int facet, const double *q,
                       double corner[3 * SCREE_FACET_CORNERS]) {
    const int *node = body->mesh.facet + (long)facet * SCREE_FACET_CORNERS;
    int corners = 0;
    for (; corners < SCREE_FACET_CORNERS && node[corners] >= 0; corners++)
        scree_elastic_place(body, q, node[corners], corner + 3 * corners);
    return corners;
}

// the impulse on the corners of the facet that was met, the nearest one
static void pull_facet(const scree_elastic_body *body, const scree_contact *contact, bool self,
                       const double *q, const double impulse[3], double *sum) {
    int facets = self ? body->self_facets : body->contact_facets, best = -1;
    const int *facet = self ? body->self_facet : body->contact_facet;
    scree_facet_touch nearest = { 0 };
    for (int i = 0; i < facets; i++) {
        double corner[3 * SCREE_FACET_CORNERS];
        scree_facet_touch touch;
        int corners = place_facet(body, facet[i], q, corner);
        if (!scree_facet_meet(contact->point, corner, corners, &touch)) continue;
        if (best >= 0 && touch.away >= nearest.away) continue;
        best = facet[i];
        nearest = touch;
    }
    const int *node = body->mesh.facet + (long)best * SCREE_FACET_CORNERS;
    for (int c = 0; best >= 0 && c < SCREE_FACET_CORNERS && node[c] >= 0; c++)
        pull(body, node[c], -nearest.weight[c], impulse, sum);
}

static void take_contacts(const scree_model *model, int e, const scree_step_record *record,
                          double *sum) {
    const scree_elastic_body *body = &model->elastic[e];
    int side = model->bodies + e;
    for (int i = 0; i < record->contacts; i++) {
        const scree_contact *contact = &record->contact[i];
        double impulse[3];
        if (contact->impulse[0] == 0 || (contact->a != side && contact->b != side)) continue;
        impulse_of(contact, model->space, impulse);
        int node = contact->a == side ? scree_contact_node(model, contact) : -1;
        if (node >= 0) pull(body, node, 1, impulse, sum);
        if (contact->b == side)
            pull_facet(body, contact, contact->a == side, record->before.q + body->coordinate,
                       impulse, sum);
    }
}

// --- the rest -----------------------------------------------------------------------------------

static void add_load(const scree_elastic_body *body, double t, double factor, double *work,
                     double *sum) {
    memset(work, 0, (size_t)body->count * sizeof *work);
    scree_elastic_load(body, t, work);
    for (int i = 0; i < body->count; i++) sum[i] -= factor * work[i];
}

// sum = the right side above, without contacts
static void add_up(const scree_model *model, const scree_elastic_body *body, double theta,
                   const scree_step_record *record, double *sum, double *work, double *product) {
    const scree_material *material = &body->material;
    const double *p = record->before.q + body->coordinate, *q = record->after.q + body->coordinate;
    const double *u = record->before.v + body->dof, *v = record->after.v + body->dof;
    double h = record->h;
    int n = body->count, space = body->mesh.space;
    for (int i = 0; i < n; i++) {
        double mean = (1 - theta) * u[i] + theta * v[i];
        work[i] = v[i] - u[i] + h * material->damping_mass * mean;
    }
    scree_fem_mass(&body->parts->fem, work, sum);
    for (int i = 0; i < n; i++) {
        double mean = (1 - theta) * u[i] + theta * v[i];
        work[i] = (1 - theta) * p[i] + theta * q[i] + material->damping_stiffness * mean;
    }
    scree_fem_stiffness(&body->parts->fem, work, product);
    for (int i = 0; i < n; i++)
        sum[i] += h * (product[i] - body->parts->node_mass[i / space] * model->gravity[i % space]);
    add_load(body, record->before.time, h * (1 - theta), work, sum);
    add_load(body, record->after.time, h * theta, work, sum);
}

void scree_reaction_find(const scree_model *model, double theta, const scree_step_record *record,
                         double *reaction, double *scratch) {
    for (int e = 0; e < model->elastics; e++) {
        const scree_elastic_body *body = &model->elastic[e];
        double *own = reaction + (body->dof - model->elastic[0].dof);
        if (body->parts->held) {
            add_up(model, body, theta, record, own, scratch, scratch + body->count);
            take_contacts(model, e, record, own);
        }
        for (int i = 0; i < body->count; i++) own[i] = body->number[i] < 0 ? own[i] / record->h : 0;
    }
}
