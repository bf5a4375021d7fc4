// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_problem_data.c - problem files of other programs, where SCREE_PROBLEMS says that there are
// some: they are read, have the contacts that are known, and agree with each other where two of
// them hold the same problem.

#include <dirent.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness.h"
#include "scree/problem_file.h"

static const char *folder;

static const struct known {
    const char *name;
    int contacts, dimension;
} known[] = {
    { "friction/OneObject-i1028-138.hdf5.dat", 23, 3 },
    { "friction/OneObject-i100000-316.hdf5.dat", 25, 3 },
    { "friction/Confeti-ex03-Fc3D-SBM.dat", 54, 3 },
    { "friction/LMGC_100_PR_PerioBox-i00361-60-03000.hdf5", 60, 3 },
    { "friction/Box_Stacks-i0122-82-5.hdf5", 82, 3 },
    { "friction/Capsules-i101-404.dat", 225, 3 },
    { "friction/spheres-in-a-box-98-i10000-256-10.hdf5", 256, 3 },
    { "friction/Capsules-i100-1090.dat", 276, 3 },
    { "friction/Capsules-i100-889.dat", 276, 3 },
    { "friction/Capsules-i125-1213.hdf5", 286, 3 },
    { "friction/RockPile_tob1.dat", 463, 3 },
    { "friction/KaplasTower-i1061-4.hdf5.dat", 570, 3 },
    { "friction/gfc2d_granularflowonwall_00000_00117.dat", 0, 2 },
    { "friction/gfc2d_granularflowonwall_00069_00350.dat", 69, 2 },
    { "friction/FrictionContactProblem00071.dat", 89, 2 },
    { "friction/FrictionContactProblem00237.dat", 376, 2 },
    { "friction/fc2d_granularflowonwall_02020_00213.dat", 2020, 2 },
    { "rolling/Chute-ndof-768-nc-4-3.hdf5", 4, 5 },
    { "rolling/GRFC3D_Chute-ndof-768-nc-4-3.dat", 4, 5 },
};

static bool read_fine(const char *name, scree_problem_file *file) {
    char path[1200];
    scree_error err = { 0 };
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!scree_problem_read(path, file, &err)) return true;
    COMPLAIN("%s:%d:%d: %s", err.file, err.line, err.column, err.text);
    return false;
}

// a folder of other files is fine, too, but says so
static bool is_there(const char *name) {
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (access(path, F_OK) == 0) return true;
    printf("SKIPPED %s: not in %s\n", name, folder);
    return false;
}

static void known_files_have_their_contacts(void) {
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        scree_problem_file file;
        if (!is_there(known[i].name) || !read_fine(known[i].name, &file)) continue;
        CHECK(!file.is_lcp);
        CHECK_INT(file.problem.contacts, known[i].contacts);
        CHECK_INT(file.problem.dimension, known[i].dimension);
        scree_problem_file_free(&file);
    }
}

static int read_all_of(const char *kind, bool lcp) {
    char path[1200];
    snprintf(path, sizeof path, "%s/%s", folder, kind);
    DIR *listing = opendir(path);
    int count = 0;
    for (const struct dirent *entry; listing && (entry = readdir(listing));) {
        if (entry->d_name[0] == '.') continue;
        scree_problem_file file;
        snprintf(path, sizeof path, "%s/%s", kind, entry->d_name);
        if (!read_fine(path, &file)) continue;
        if (file.is_lcp != lcp) COMPLAIN("%s was taken for a %s", path, file.format);
        scree_problem_file_free(&file);
        count++;
    }
    if (listing) closedir(listing);
    return count;
}

static void all_files_are_read(void) {
    CHECK(read_all_of("friction", false) > 0);
    CHECK(read_all_of("rolling", false) > 0);
    CHECK(read_all_of("lcp", true) > 0);
}

// W and b of two files, each against its own largest number
static void compare(const char *one, const char *other, double tolerance_W, double tolerance_b) {
    scree_problem_file a, b;
    if (!is_there(one) || !is_there(other) || !read_fine(one, &a)) return;
    if (!read_fine(other, &b)) {
        scree_problem_file_free(&a);
        return;
    }
    const scree_problem *p = &a.problem, *q = &b.problem;
    int d = p->dimension;
    CHECK_INT(q->contacts, p->contacts);
    CHECK_INT(q->row[q->contacts], p->row[p->contacts]);
    if (q->row[q->contacts] == p->row[p->contacts]) {
        double largest = 0, worst = 0;
        for (int k = 0; k < p->row[p->contacts] * d * d; k++) {
            largest = fmax(largest, fabs(p->block[k]));
            worst = fmax(worst, fabs(p->block[k] - q->block[k]));
        }
        CHECK_NEAR(worst / largest, 0, tolerance_W);
        largest = worst = 0;
        for (int i = 0; i < p->contacts * d; i++) {
            largest = fmax(largest, fabs(p->b[i]));
            worst = fmax(worst, fabs(p->b[i] - q->b[i]));
        }
        CHECK_NEAR(worst / largest, 0, tolerance_b);
    }
    scree_problem_file_free(&a);
    scree_problem_file_free(&b);
}

static void condensed_files_agree_with_their_bodies(void) {
    compare("friction/GFC3D_TwoRods1.dat", "friction/GFC3D_TwoRods1-condensed.dat", 1e-6, 1e-12);
}

static void text_and_hdf5_agree(void) {
    compare("rolling/Chute-ndof-768-nc-4-3.hdf5", "rolling/GRFC3D_Chute-ndof-768-nc-4-3.dat", 1e-4,
            1e-4);
}

TEST_FILE(test_problem_data) {
    folder = getenv("SCREE_PROBLEMS");
    if (!folder) {
        printf("SKIPPED: SCREE_PROBLEMS does not name a folder with problem files\n");
        return harness_end();
    }
    TEST(known_files_have_their_contacts);
    TEST(all_files_are_read);
    TEST(condensed_files_agree_with_their_bodies);
    TEST(text_and_hdf5_agree);
    return harness_end();
}
