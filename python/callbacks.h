// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// callbacks.h - functions that are written in Python (python/scree/) and called from C.

scree_status binding_on_force(void *data, const scree_state *state, double *force,
                              scree_error *err);
scree_status binding_on_law(void *data, const scree_state *state, const scree_contact *contact,
                            scree_law *law, scree_error *err);
double binding_on_time(const void *self, double t, double *rate);
double binding_on_energy(const void *self, double e, double *slope);
int binding_on_step(void *data, int64_t step);
bool binding_on_progress(void *data, const char *what, int64_t done, int64_t total);
scree_simulation *binding_on_open(const char *scene, const char *const *override, int count,
                                  scree_findings *findings);
void binding_on_mass(const void *self, const double *q, double *M, double *dM);
double binding_on_potential(const void *self, const double *q, double *gradient);
void binding_on_push(const void *self, double t, const double *q, const double *v, double *Q);
double binding_on_gap(const void *self, int contact, const double *q, double *normal,
                      double *tangent);
