// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_equilibria.c - are all equilibria found, with their statuses and ranges?
//
// The nine cells of Klarbring's particle, its closed formulas for random and degenerate data, every
// pattern of statuses of two contacts by exact elimination over the integers, equilibria planted in
// systems of up to five contacts, rigid bodies on points.

#include "harness.h"
#include "random.h"
#include "small_equilibria.h"

static scree_equilibria all_of(const small *s) {
    scree_equilibrium_system system = view(s);
    scree_equilibria set;
    scree_error err = { 0 };
    if (scree_equilibria_find(&system, TOLERANCE, &set, &err)) COMPLAIN("%s", err.text);
    return set;
}

// -------------------------------------------------------------------------------------------------
// every reported number is an equilibrium of its status

static double scale_of(const small *s, const double *u, const double *r) {
    double size = 1e-300;
    for (int k = 0; k < s->n; k++) {
        size = fmax(size, fabs(s->F[k]));
        for (int j = 0; j < s->n; j++) size = fmax(size, fabs(s->K[k * s->n + j] * u[j]));
    }
    for (int i = 0; i < 2 * s->contacts; i++) size = fmax(size, fabs(r[i]));
    return size;
}

static void check_status(const small *s, scree_rest status, int i, const double *u,
                         const double *r) {
    double rn = r[2 * i], rt = r[2 * i + 1], mu = s->mu[i], size = 1e-9 * scale_of(s, u, r);
    double gap = s->gap[i], terms = fabs(s->gap[i]);
    for (int k = 0; k < s->n; k++) {
        gap += s->normal[i * s->n + k] * u[k];
        terms += fabs(s->normal[i * s->n + k] * u[k]);
    }
    if (status == SCREE_REST_FREE)
        CHECK(gap > 0 && rn == 0 && rt == 0);
    else
        CHECK(fabs(gap) <= 1e-9 * (terms + 1e-3));
    if (status == SCREE_REST_GRAZING) CHECK(rn == 0 && rt == 0);
    if (status == SCREE_REST_STUCK) CHECK(rn > 0 && (mu == 0 ? rt == 0 : fabs(rt) < mu * rn));
    if (status == SCREE_REST_SLIP_PLUS) CHECK(rn > 0 && fabs(rt + mu * rn) <= size);
    if (status == SCREE_REST_SLIP_MINUS) CHECK(rn > 0 && fabs(rt - mu * rn) <= size);
}

static void check_point(const small *s, const scree_rest *status, const double *u,
                        const double *r) {
    double size = scale_of(s, u, r);
    for (int k = 0; k < s->n; k++) {
        double rest = s->F[k];
        for (int j = 0; j < s->n; j++) rest -= s->K[k * s->n + j] * u[j];
        for (int i = 0; i < s->contacts; i++)
            rest += s->normal[i * s->n + k] * r[2 * i] + s->tangent[i * s->n + k] * r[2 * i + 1];
        CHECK_NEAR(rest, 0, 1e-10 * size);
    }
    for (int i = 0; i < s->contacts; i++) check_status(s, status[i], i, u, r);
}

static void check_piece(const small *s, const scree_equilibrium *piece) {
    double u[N] = { 0 }, r[2 * NC] = { 0 };
    for (int g = 0; g < piece->vertices + piece->rays; g++) {
        const double *own_u = piece->u + g * s->n, *own_r = piece->r + g * 2 * s->contacts;
        double part = g < piece->vertices ? 1.0 / piece->vertices : 1;
        for (int k = 0; k < s->n; k++) u[k] += part * own_u[k];
        for (int k = 0; k < 2 * s->contacts; k++) r[k] += part * own_r[k];
        if (g < piece->vertices) check_point(s, piece->end + g * s->contacts, own_u, own_r);
    }
    check_point(s, piece->status, u, r);
}

static const scree_equilibrium *with_status(const scree_equilibria *set, const scree_rest *status) {
    for (int i = 0; i < set->count; i++)
        if (memcmp(set->item[i].status, status, (size_t)set->contacts * sizeof *status) == 0)
            return &set->item[i];
    return NULL;
}

// corners are equilibria of their own, and none is between others
static void check_corners(const scree_equilibria *set, const scree_equilibrium *piece) {
    if (piece->freedom == 0) CHECK(piece->vertices == 1 && piece->rays == 0);
    if (piece->freedom == 1) CHECK(piece->vertices + piece->rays == 2);
    for (int v = 0; v < piece->vertices; v++) {
        const scree_equilibrium *corner = with_status(set, piece->end + v * set->contacts);
        CHECK(corner && corner->freedom == 0);
    }
}

static void check_set(const small *s, const scree_equilibria *set) {
    for (int i = 0; i < set->count; i++) {
        check_piece(s, &set->item[i]);
        check_corners(set, &set->item[i]);
    }
    for (int i = 0; i < set->count; i++)
        for (int j = 0; j < i; j++)
            CHECK(memcmp(set->item[i].status, set->item[j].status,
                         (size_t)s->contacts * sizeof(scree_rest)) != 0);
}

// -------------------------------------------------------------------------------------------------
// Klarbring's particle by its formulas

typedef struct expected {
    scree_rest status;
    const char *family;
    double low, high;
} expected;

static void check_expected(const small *s, const expected *list, int count) {
    scree_equilibria set = all_of(s);
    check_set(s, &set);
    CHECK_INT(set.count, count);
    for (int i = 0; i < count; i++) {
        const scree_equilibrium *piece = with_status(&set, &list[i].status);
        if (!piece) {
            COMPLAIN("no %s", scree_rest_name(list[i].status));
            continue;
        }
        CHECK_TEXT(scree_equilibrium_family(piece), list[i].family);
        CHECK_NEAR(piece->rn[0], list[i].low, 1e-12 * fmax(1, list[i].low));
        if (isinf(list[i].high))
            CHECK(isinf(piece->rn[1]));
        else
            CHECK_NEAR(piece->rn[1], list[i].high, 1e-12 * fmax(1, list[i].high));
    }
    scree_equilibria_free(&set);
}

static void nine_cells(void) {
    const scree_rest FREE = SCREE_REST_FREE, GRAZING = SCREE_REST_GRAZING, STUCK = SCREE_REST_STUCK,
                     PLUS = SCREE_REST_SLIP_PLUS, MINUS = SCREE_REST_SLIP_MINUS;
    const double inf = HUGE_VAL;
    const struct {
        double FT, mu;
        int count;
        expected list[3];
    } cell[9] = {
        { 2, 0.5, 1, { { FREE, "point", 0, 0 } } },
        { 2, 1, 1, { { FREE, "point", 0, 0 } } },
        { 2,
          1.5,
          3,
          { { FREE, "point", 0, 0 }, { PLUS, "point", 2, 2 }, { STUCK, "ray", 2, inf } } },
        { 1, 0.5, 1, { { GRAZING, "point", 0, 0 } } },
        { 1, 1, 2, { { GRAZING, "point", 0, 0 }, { PLUS, "ray", 0, inf } } },
        { 1, 1.5, 2, { { GRAZING, "point", 0, 0 }, { STUCK, "ray", 0, inf } } },
        { 0,
          0.5,
          3,
          { { PLUS, "point", 2, 2 },
            { STUCK, "segment", 2 / 3.0, 2 },
            { MINUS, "point", 2 / 3.0, 2 / 3.0 } } },
        { 0, 1, 2, { { MINUS, "point", 0.5, 0.5 }, { STUCK, "ray", 0.5, inf } } },
        { 0, 1.5, 2, { { MINUS, "point", 0.4, 0.4 }, { STUCK, "ray", 0.4, inf } } },
    };
    for (int i = 0; i < 9; i++) {
        small s = particle(2, 1, 1, 1, cell[i].FT, cell[i].mu);
        check_expected(&s, cell[i].list, cell[i].count);
    }
    small s = particle(2, 1, 1, 1, 2, 1.5);
    scree_equilibria set = all_of(&s);
    CHECK_INT(set.item[0].status[0], FREE);
    CHECK_NEAR(set.item[0].u[0], -1, 1e-14);  // A / det K
    CHECK_NEAR(set.item[0].u[1], 3, 1e-14);
    CHECK_INT(set.item[1].end[0], PLUS);      // the stuck ones end there
    CHECK_NEAR(set.item[1].u[1], -1, 1e-14);  // (FN + RN) / W
    scree_equilibria_free(&set);
}

// mirrored: W < 0 exchanges the directions
static int add(expected *list, int count, bool mirrored, expected e) {
    if (mirrored && e.status >= SCREE_REST_SLIP_PLUS)
        e.status = e.status == SCREE_REST_SLIP_PLUS ? SCREE_REST_SLIP_MINUS : SCREE_REST_SLIP_PLUS;
    list[count] = e;
    return count + 1;
}

// sign_A and sign_mu (of mu - KT/|W|) are known, also where they are zero
static void check_formulas(double KN, double KT, double W, double FN, double FT, double mu,
                           int sign_A, int sign_mu) {
    double A = sign_A ? KT * FN - W * FT : 0, w = fabs(W), inf = HUGE_VAL;
    double minus = A / (KT + mu * w), plus = sign_mu ? A / (KT - mu * w) : inf;
    bool m = W < 0;
    expected list[3];
    int count = 0;
    if (sign_A < 0) count = add(list, count, m, (expected){ SCREE_REST_FREE, "point", 0, 0 });
    if (sign_A == 0) count = add(list, count, m, (expected){ SCREE_REST_GRAZING, "point", 0, 0 });
    if (sign_A > 0)
        count = add(list, count, m, (expected){ SCREE_REST_SLIP_MINUS, "point", minus, minus });
    if ((sign_A > 0 && sign_mu < 0) || (sign_A < 0 && sign_mu > 0))
        count = add(list, count, m, (expected){ SCREE_REST_SLIP_PLUS, "point", plus, plus });
    if (sign_A == 0 && sign_mu == 0)
        count = add(list, count, m, (expected){ SCREE_REST_SLIP_PLUS, "ray", 0, inf });
    if (sign_A > 0 && sign_mu < 0)
        count = add(list, count, m, (expected){ SCREE_REST_STUCK, "segment", minus, plus });
    else if (sign_A > 0 || sign_mu > 0)
        count = add(list, count, m,
                    (expected){ SCREE_REST_STUCK, "ray",
                                sign_A > 0 ? minus
                                : sign_A   ? plus
                                           : 0,
                                inf });
    if (sign_A < 0 && sign_mu <= 0) count = 1;
    if (sign_A == 0 && sign_mu < 0) count = 1;
    small s = particle(KN, KT, W, FN, FT, mu);
    check_expected(&s, list, count);
}

static void formulas_hold_for_random_data(void) {
    for (int trial = 0; trial < 3000; trial++) {
        double KN = exp(uniform(-3, 3)), KT = exp(uniform(-3, 3));
        double W = uniform(-0.95, 0.95) * sqrt(KN * KT), FN = uniform(-2, 2), FT = uniform(-2, 2);
        if (trial % 10 == 0) W = (W < 0 ? -1 : 1) * (1 - 1e-5) * sqrt(KN * KT);  // nearly singular
        if (fabs(W) < 1e-3) continue;
        double mu = uniform(0.01, 3) * KT / fabs(W);
        int sign_mu = mu > KT / fabs(W) ? 1 : -1, kind = random_int(0, 3);
        if (kind & 1) {
            mu = KT / fabs(W);
            sign_mu = 0;
        } else if (fabs(mu * fabs(W) / KT - 1) < 1e-2) {
            continue;  // where the formulas lose digits themselves
        }
        if (kind & 2) FT = KT * FN / W;
        double A = KT * FN - W * FT;
        if (!(kind & 2) && fabs(A) < 1e-2 * (fabs(KT * FN) + fabs(W * FT))) continue;
        check_formulas(KN, KT, W, FN, FT, mu, kind & 2 ? 0 : A < 0 ? -1 : 1, sign_mu);
    }
}

// W = 0: the reaction is FN, and U_T has room
static void springs_that_do_not_couple(void) {
    const expected pressed[] = { { SCREE_REST_SLIP_PLUS, "point", 3, 3 },
                                 { SCREE_REST_STUCK, "segment", 3, 3 },
                                 { SCREE_REST_SLIP_MINUS, "point", 3, 3 } };
    const expected grazing[] = { { SCREE_REST_GRAZING, "point", 0, 0 } };
    const expected none[] = { { SCREE_REST_FREE, "point", 0, 0 } };
    small s = particle(2, 4, 0, 3, 1, 0.5);
    check_expected(&s, pressed, 3);
    scree_equilibria set = all_of(&s);
    const scree_rest stuck = SCREE_REST_STUCK;
    const scree_equilibrium *piece = with_status(&set, &stuck);
    CHECK_NEAR(fmin(piece->u[1], piece->u[3]), -0.125, 1e-15);
    CHECK_NEAR(fmax(piece->u[1], piece->u[3]), 0.625, 1e-15);
    scree_equilibria_free(&set);
    s.F[0] = 0;
    check_expected(&s, grazing, 1);
    s.F[0] = -1;
    check_expected(&s, none, 1);
}

static void without_friction_there_is_one(void) {
    for (int trial = 0; trial < 300; trial++) {
        double W = uniform(-1, 1), FN = uniform(-1, 1), FT = uniform(-1, 1), A = FN - W * FT;
        small s = particle(2, 1, W, FN, FT, 0);
        expected one = { A < 0 ? SCREE_REST_FREE : SCREE_REST_STUCK, "point", fmax(A, 0),
                         fmax(A, 0) };
        check_expected(&s, &one, 1);
    }
}

static void critical_values(void) {
    small s = particle(2, 1, -0.5, 1, 3, 0.3);
    scree_equilibrium_system system = view(&s);
    scree_rest_critical critical;
    CHECK(!scree_rest_critical_of(&system, TOLERANCE, &critical, NULL));
    CHECK_NEAR(critical.friction, 2, 1e-14);
    CHECK_NEAR(critical.free_gap, -2.5 / 1.75, 1e-14);  // -A / det K
    s.K[1] = s.K[2] = 0;
    CHECK(!scree_rest_critical_of(&system, TOLERANCE, &critical, NULL));
    CHECK(isinf(critical.friction));
}

// -------------------------------------------------------------------------------------------------
// two contacts: every pattern decided over the integers
//
// Unknowns alpha_1, beta_1, alpha_2, beta_2. A row is c.(1, unknowns) with = 0 or > 0. Equalities
// are solved for an unknown, the others eliminated in pairs (Fourier and Motzkin); what is left are
// numbers that must be positive. All of it is exact.

typedef __int128 whole;

typedef struct exact_row {
    whole c[5];
    bool equal;
} exact_row;

static whole divisor(whole a, whole b) {
    if (a < 0) a = -a;
    if (b < 0) b = -b;
    while (b) {
        whole rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void reduce(exact_row *row) {
    whole common = 0;
    for (int k = 0; k < 5; k++) common = divisor(common, row->c[k]);
    for (int k = 0; k < 5 && common > 1; k++) row->c[k] /= common;
}

// a times one plus b times two
static exact_row combine(const exact_row *one, whole a, const exact_row *two, whole b) {
    exact_row sum = { .equal = one->equal && two->equal };
    for (int k = 0; k < 5; k++) sum.c[k] = a * one->c[k] + b * two->c[k];
    reduce(&sum);
    return sum;
}

static int eliminate(exact_row *row, int rows, int unknown) {
    exact_row next[400];
    int count = 0, pivot = -1;
    for (int i = 0; i < rows; i++)
        if (row[i].equal && row[i].c[unknown] != 0) pivot = i;
    for (int i = 0; i < rows; i++) {
        whole own = row[i].c[unknown];
        if (pivot >= 0 && i != pivot) {
            whole p = row[pivot].c[unknown];
            next[count++] = combine(&row[i], p < 0 ? -p : p, &row[pivot], p < 0 ? own : -own);
        } else if (pivot < 0 && own == 0) {
            next[count++] = row[i];
        }
        for (int j = 0; j < rows && pivot < 0 && own > 0; j++)
            if (row[j].c[unknown] < 0 && count < 400)
                next[count++] = combine(&row[i], -row[j].c[unknown], &row[j], own);
    }
    memcpy(row, next, (size_t)count * sizeof *row);
    return count;
}

static bool has_point(exact_row *row, int rows) {
    for (int unknown = 1; unknown < 5; unknown++) rows = eliminate(row, rows, unknown);
    for (int i = 0; i < rows; i++)
        if (row[i].equal ? row[i].c[0] != 0 : row[i].c[0] <= 0) return false;
    return true;
}

typedef struct exact_system {  // mu = share / 2, gaps times 2 det K
    int K[3], F[2], normal[2][2], tangent[2][2], gap[2], share[2];
} exact_system;

static void exact_gap(const exact_system *s, int i, exact_row *row) {
    // adj K = [[K22, -K12], [-K12, K11]]
    whole a[2] = { (whole)s->K[2] * s->normal[i][0] - (whole)s->K[1] * s->normal[i][1],
                   (whole)s->K[0] * s->normal[i][1] - (whole)s->K[1] * s->normal[i][0] };
    whole det = (whole)s->K[0] * s->K[2] - (whole)s->K[1] * s->K[1];
    row->c[0] = 2 * (a[0] * s->F[0] + a[1] * s->F[1] + det * s->gap[i]);
    for (int j = 0; j < 2; j++) {
        whole normal = 2 * (a[0] * s->normal[j][0] + a[1] * s->normal[j][1]);
        whole tangent = s->share[j] * (a[0] * s->tangent[j][0] + a[1] * s->tangent[j][1]);
        row->c[1 + 2 * j] = normal + tangent;
        row->c[2 + 2 * j] = normal - tangent;
    }
}

static bool pattern_exists(const exact_system *s, const scree_rest status[2]) {
    exact_row row[6] = { 0 };
    int rows = 0;
    for (int i = 0; i < 2; i++) {
        row[rows].equal = status[i] != SCREE_REST_FREE;
        exact_gap(s, i, &row[rows++]);
        bool smooth = s->share[i] == 0 && status[i] == SCREE_REST_STUCK;
        bool positive[2] = { status[i] == SCREE_REST_STUCK || status[i] == SCREE_REST_SLIP_MINUS,
                             (status[i] == SCREE_REST_STUCK && !smooth) ||
                                 status[i] == SCREE_REST_SLIP_PLUS };
        for (int k = 0; k < 2; k++) {
            row[rows].equal = !positive[k];
            row[rows++].c[1 + 2 * i + k] = 1;
        }
        if (s->share[i] == 0 && status[i] >= SCREE_REST_SLIP_PLUS) return false;
    }
    return has_point(row, rows);
}

static small small_of(const exact_system *e) {
    small s = { .n = 2, .contacts = 2, .K = { e->K[0], e->K[1], e->K[1], e->K[2] } };
    for (int i = 0; i < 2; i++) {
        s.F[i] = e->F[i];
        s.gap[i] = e->gap[i];
        s.mu[i] = e->share[i] / 2.0;
        for (int k = 0; k < 2; k++) {
            s.normal[2 * i + k] = e->normal[i][k];
            s.tangent[2 * i + k] = e->tangent[i][k];
        }
    }
    return s;
}

static exact_system random_exact(void) {
    exact_system s;
    do {
        s = (exact_system){ .K = { random_int(1, 4), random_int(-3, 3), random_int(1, 4) } };
    } while (s.K[0] * s.K[2] <= s.K[1] * s.K[1]);
    for (int i = 0; i < 2; i++) {
        s.F[i] = random_int(-3, 3);
        s.gap[i] = random_int(-1, 1);
        s.share[i] = random_int(0, 4);
        do {
            s.normal[i][0] = random_int(-1, 1);
            s.normal[i][1] = random_int(-1, 1);
        } while (!s.normal[i][0] && !s.normal[i][1]);
        s.tangent[i][0] = -s.normal[i][1];
        s.tangent[i][1] = s.normal[i][0];
    }
    return s;
}

static void two_contacts_by_exact_elimination(void) {
    int there = 0, families = 0;
    for (int trial = 0; trial < 2000; trial++) {
        exact_system e = random_exact();
        small s = small_of(&e);
        scree_equilibria set = all_of(&s);
        check_set(&s, &set);
        for (int pattern = 0; pattern < 25; pattern++) {
            scree_rest status[2] = { (scree_rest)(pattern / 5), (scree_rest)(pattern % 5) };
            const scree_equilibrium *piece = with_status(&set, status);
            bool exists = pattern_exists(&e, status);
            if (exists != (piece != NULL))
                COMPLAIN("trial %d, %s %s: %s", trial, scree_rest_name(status[0]),
                         scree_rest_name(status[1]), exists ? "missing" : "not there");
            there += exists;
            families += piece && piece->freedom > 0;
        }
        scree_equilibria_free(&set);
    }
    CHECK(there > 4000);
    CHECK(families > 1000);
}

// -------------------------------------------------------------------------------------------------
// planted equilibria

static scree_rest random_status(void) { return (scree_rest)random_int(0, 4); }

static void plant(small *s, scree_rest *status, double *u, double *r) {
    for (int k = 0; k < s->n * s->n; k++) s->K[k] = 0;
    double B[N * N];
    for (int k = 0; k < s->n * s->n; k++) B[k] = uniform(-1, 1);
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++) {
            s->K[i * s->n + j] = i == j ? 0.3 : 0;
            for (int k = 0; k < s->n; k++) s->K[i * s->n + j] += B[i * s->n + k] * B[j * s->n + k];
        }
    for (int k = 0; k < s->n; k++) u[k] = uniform(-1, 1);
    for (int i = 0; i < s->contacts; i++) {
        status[i] = random_status();
        s->mu[i] = uniform(0.1, 2);
        double gap = status[i] == SCREE_REST_FREE ? uniform(0.1, 1) : 0;
        double rn = status[i] >= SCREE_REST_STUCK ? uniform(0.1, 1) : 0;
        double share = status[i] == SCREE_REST_SLIP_PLUS    ? -1
                       : status[i] == SCREE_REST_SLIP_MINUS ? 1
                                                            : uniform(-0.9, 0.9);
        r[2 * i] = rn;
        r[2 * i + 1] = share * s->mu[i] * rn;
        s->gap[i] = gap;
        for (int k = 0; k < s->n; k++) {
            s->normal[i * s->n + k] = uniform(-1, 1);
            s->tangent[i * s->n + k] = uniform(-1, 1);
            s->gap[i] -= s->normal[i * s->n + k] * u[k];
        }
    }
    for (int k = 0; k < s->n; k++) {
        s->F[k] = 0;
        for (int j = 0; j < s->n; j++) s->F[k] += s->K[k * s->n + j] * u[j];
        for (int i = 0; i < s->contacts; i++)
            s->F[k] -= s->normal[i * s->n + k] * r[2 * i] + s->tangent[i * s->n + k] * r[2 * i + 1];
    }
}

// no plane separates the point from conv(vertices) + cone(rays): tried with many
static void check_inside(const small *s, const scree_equilibrium *piece, const double *r) {
    int width = 2 * s->contacts;
    for (int trial = 0; trial < 40; trial++) {
        double c[2 * NC], at = 0, most = -HUGE_VAL;
        bool unbounded = false;
        for (int k = 0; k < width; k++) at += (c[k] = uniform(-1, 1)) * r[k];
        for (int g = 0; g < piece->vertices + piece->rays; g++) {
            double along = 0;
            for (int k = 0; k < width; k++) along += c[k] * piece->r[g * width + k];
            if (g < piece->vertices)
                most = fmax(most, along);
            else
                unbounded = unbounded || along > 0;
        }
        CHECK(unbounded || at <= most + 1e-8 * (1 + fabs(most)));
    }
}

static void planted_equilibria_are_found(void) {
    for (int trial = 0; trial < 500; trial++) {
        small s = { .n = random_int(2, 6), .contacts = random_int(1, 4) };
        scree_rest status[NC];
        double u[N], r[2 * NC];
        plant(&s, status, u, r);
        scree_equilibria set = all_of(&s);
        check_set(&s, &set);
        const scree_equilibrium *piece = with_status(&set, status);
        CHECK(piece != NULL);
        if (piece) check_inside(&s, piece, r);
        for (int i = 0; i < s.contacts && piece; i++)
            CHECK(r[2 * i] >= piece->rn[2 * i] - 1e-9 && r[2 * i] <= piece->rn[2 * i + 1] + 1e-9);
        scree_equilibria_free(&set);
    }
}

// a product of particles has the products of their pieces
static void eight_contacts(void) {
    small s = { .n = N, .contacts = N / 2 };
    for (int i = 0; i < N / 2; i++) {
        double K[4] = { 2, 1, 1, 1 };
        for (int k = 0; k < 4; k++) s.K[(2 * i + k / 2) * N + 2 * i + k % 2] = K[k];
        s.F[2 * i] = 1;
        s.F[2 * i + 1] = i % 2 ? 0 : 2;  // A = 1 and -1
        s.normal[i * N + 2 * i] = -1;
        s.tangent[i * N + 2 * i + 1] = 1;
        s.mu[i] = i % 2 ? 0.5 : 1.5;
    }
    scree_equilibria set = all_of(&s);
    check_set(&s, &set);
    CHECK_INT(set.count, 3 * 3 * 3 * 3);
    int most = 0;
    for (int i = 0; i < set.count; i++)
        if (set.item[i].freedom > most) most = set.item[i].freedom;
    CHECK_INT(most, 4);
    scree_equilibria_free(&set);

    // one particle touched at eight places of the same wall, every second one off it
    small wall = particle(2, 1, 1, 1, 0, 0.5);
    wall.contacts = 8;
    for (int i = 0; i < 8; i++) {
        wall.normal[2 * i] = -1;
        wall.normal[2 * i + 1] = 0;
        wall.tangent[2 * i] = 0;
        wall.tangent[2 * i + 1] = 1;
        wall.gap[i] = i % 2 ? 0.5 : 0;
        wall.mu[i] = 0.5;
    }
    set = all_of(&wall);
    check_set(&wall, &set);
    // the four closed ones share r_N and r_T: each is grazing, stuck, slip+ or slip-
    double low = HUGE_VAL, high = 0;
    for (int i = 0; i < set.count; i++)
        for (int v = 0; v < set.item[i].vertices; v++) {
            double sum = 0;
            for (int c = 0; c < 8; c++) sum += set.item[i].r[v * 16 + 2 * c];
            low = fmin(low, sum);
            high = fmax(high, sum);
        }
    CHECK_NEAR(low, 2 / 3.0, 1e-14);
    CHECK_NEAR(high, 2, 1e-14);
    // all patterns but the one that bears nothing
    CHECK_INT(set.count, 4 * 4 * 4 * 4 - 1);
    scree_equilibria_free(&set);
}

// -------------------------------------------------------------------------------------------------
// rigid bodies

// a bar on two points under its weight: each bears half, and the friction of one holds the other's
static void bar_on_two_points(void) {
    small s = { .n = 3,
                .contacts = 2,
                .F = { 0, -10, 0 },
                .normal = { 0, 1, -1, 0, 1, 1 },
                .tangent = { -1, 0, 0, -1, 0, 0 },
                .mu = { 0.5, 0.25 } };
    const double position[3] = { 1, 2, 3 };
    scree_equilibrium_system system = view(&s);
    system.stiffness = NULL;
    system.position = position;
    scree_equilibria set;
    CHECK_INT(scree_equilibria_find(&system, TOLERANCE, &set, NULL), SCREE_OK);
    CHECK_INT(set.count, 3);  // stuck both; the second one at the end of its cone, either way
    for (int i = 0; i < set.count; i++) {
        CHECK_NEAR(set.item[i].rn[0], 5, 1e-14);
        CHECK_NEAR(set.item[i].rn[3], 5, 1e-14);
        CHECK_INT(set.item[i].status[0], SCREE_REST_STUCK);
        CHECK_NEAR(set.item[i].u[2], 3, 0);
    }
    CHECK_TEXT(scree_equilibrium_family(&set.item[0]), "segment");
    CHECK_NEAR(fabs(set.item[0].r[1]), 1.25, 1e-14);
    scree_equilibria_free(&set);

    s.F[0] = 4;  // more than both can hold
    CHECK_INT(scree_equilibria_find(&system, TOLERANCE, &set, NULL), SCREE_OK);
    CHECK_INT(set.count, 0);
    scree_equilibria_free(&set);
}

// on a slope of exactly the angle of friction there is one state, about to slide
static void block_at_the_angle_of_friction(void) {
    double mu = 0.3, angle = atan(mu);
    small s = { .n = 3,
                .contacts = 2,
                .F = { 10 * sin(angle), -10 * cos(angle), 0 },
                .normal = { 0, 1, -1, 0, 1, 1 },
                .tangent = { 1, 0, 0.5, 1, 0, 0.5 },
                .mu = { mu, mu } };
    const double position[3] = { 0 };
    scree_equilibrium_system system = view(&s);
    system.stiffness = NULL;
    system.position = position;
    scree_equilibria set;
    CHECK_INT(scree_equilibria_find(&system, TOLERANCE, &set, NULL), SCREE_OK);
    CHECK_INT(set.count, 1);
    if (set.count == 1)
        CHECK(set.item[0].status[0] == SCREE_REST_SLIP_PLUS &&
              set.item[0].status[1] == SCREE_REST_SLIP_PLUS && set.item[0].freedom == 0);
    scree_equilibria_free(&set);
}

// -------------------------------------------------------------------------------------------------
// refusals

static void refused(const small *s, const char *words) {
    scree_equilibrium_system system = view(s);
    scree_equilibria set;
    scree_error err = { 0 };
    CHECK_INT(scree_equilibria_find(&system, TOLERANCE, &set, &err), SCREE_BAD_INPUT);
    if (!strstr(err.text, words)) COMPLAIN("\"%s\" does not say \"%s\"", err.text, words);
    CHECK(set.item == NULL);
}

static void bad_input_is_refused(void) {
    small s = particle(1, 1, 1, 1, 1, 0.5);
    refused(&s, "positive definite");
    s = particle(1, -1, 0, 1, 1, 0.5);
    refused(&s, "positive definite");
    s = particle(2, 1, 1, 1, 1, -0.5);
    refused(&s, "must not be negative");
    s = particle(2, 1, 1, 1, 1, 0.5);
    s.contacts = SCREE_EQUILIBRIUM_CONTACTS + 1;
    refused(&s, "up to 10 contacts");
}

TEST_FILE(test_equilibria) {
    TEST(nine_cells);
    TEST(formulas_hold_for_random_data);
    TEST(springs_that_do_not_couple);
    TEST(without_friction_there_is_one);
    TEST(critical_values);
    TEST(two_contacts_by_exact_elimination);
    TEST(planted_equilibria_are_found);
    TEST(eight_contacts);
    TEST(bar_on_two_points);
    TEST(block_at_the_angle_of_friction);
    TEST(bad_input_is_refused);
    return harness_end();
}
