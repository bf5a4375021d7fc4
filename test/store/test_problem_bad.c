// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_problem_bad.c - text that is not a problem: refused, with the line and what was expected.

#include "harness.h"
#include "problem_text_sample.h"
#include "scree/problem_file.h"

static scree_status read_bytes(const char *text, size_t size, scree_error *err) {
    char path[400];
    snprintf(path, sizeof path, "%s", scratch_path("bad.dat"));
    FILE *out = fopen(path, "wb");
    fwrite(text, 1, size, out);
    fclose(out);
    scree_problem_file file;
    scree_status status = scree_problem_read(path, &file, err);
    scree_problem_file_free(&file);
    unlink(path);
    return status;
}

#define W2 "2\n1\n0\n2\n2\n2 2\n1 0\n0 1\n"  // lines 1 to 8
#define SPARSE "2\n1\n2\n2\n2\n"             // lines 1 to 5
#define BANNER "CSparse Version 0.0\n"
#define BLOCK "2\n1\n1\n2\n2\n"  // lines 1 to 5

static const struct broken {
    const char *text;
    int line;
    const char *says;
} broken[] = {
    { "", 1, "expected the dimension, a whole number, found the end of the file" },
    { "hello", 1, "found \"hello\"" },
    { "4 1 0 4 4", 1, "dimension must be 2, 3 or 5" },
    { "7 1 0 4 4", 1, "the dimension must be from 2 to 5, got \"7\"" },
    { "2.5 1 0 4 4", 1, "a whole number, found \"2.5\"" },
    { "3\n-1\n0\n", 2, "number of contacts" },
    { "3\n999999999999\n0\n", 2, "number of contacts" },
    { "3\n1\n3\n", 3, "the storage of W or M (0 dense, 1 blocks, 2 sparse)" },
    { "3\n1\n0\n1000000000\n1000000000\n", 4,
      "the number of rows of W or M must be from 0 to 268435455" },
    { "3\n1\n0\n99999999\n99999999\n", 4, "of W or M is 99999999, but only 10 bytes follow" },
    { "2\n1\n0\n2\n2\n2 3\n", 6, "the columns of dense W or M once more must be 2" },
    { "2\n1\n0\n2\n2\n2 2\n1 2 3\n", 8, "expected the 4 numbers of dense W or M, found 3" },
    { "2\n1\n0\n2\n2\n2 2\n1 2 x 3\n", 7, "expected a number of W or M, found \"x\"" },
    { "2\n1\n0\n2\n2\n2 2\n1 2\nnan 3\n", 8, "not finite: \"nan\"" },
    { "2\n1\n0\n2\n2\n2 2\n1 2\n1e999 3\n", 8, "not finite: \"1e999\"" },
    { W2 "1\n", 10, "expected the 2 numbers of q, found 1" },
    { W2 "1 2\n", 10, "expected the 1 numbers of mu, found 0" },
    { W2 "1 -inf\n0.5\n", 9, "number 2 of q must be finite, got \"-inf\"" },
    { W2 "1 2\n-0.5\n", 10, "number 1 of mu must not be negative, got \"-0.5\"" },
    { W2 "1 2\n0.5\n1 2\n", 11, "expected the end of the problem, found \"2\"" },
    { W2 "1 2\n0.5\n1.5\n", 11, "expected the end of the problem, found \"1.5\"" },
    { "3\n1\n0\n2\n3\n2 3\n1 2 3 4 5 6\n1 2 3 4 5 6 7\n", 8, "M is 2 by 3, expected 2 by 2" },
    { "3\n2\n0\n2\n2\n2 2\n1 0 0 1\n0\n2\n3\n2 3\n1 2 3 4 5 6\n", 13,
      "H is 2 by 3, expected 2 by 6" },
    { "5\n1\n1\n5\n5\n0\n1 2 3 4 5\n0.5\n-1\n", 9, "number 1 of mu_r must not be negative" },
    { "5\n1\n1\n5\n5\n0\n1 2 3 4 5\n0.5\n", 9, "expected the 1 numbers of mu_r, found 0" },
    { SPARSE "4\n", 6, "the kind of sparse W or M (1 triplet, 2 csc, 3 csr)" },
    { SPARSE "2\n" BANNER "3-by-3, nzmax: 1 nnz: 1\n", 8, "is 3 by 3, expected 2 by 2" },
    { SPARSE "2\n" BANNER "triplet: 2-by-2, nzmax: 1 nnz: 1\n", 8, "M-by-N, nzmax: A nnz: B" },
    { SPARSE "1\n" BANNER "triplet: 2-by-2, nzmax: 9 nnz: 99999999\n", 8, "bytes follow" },
    { SPARSE "1\n" BANNER "triplet: 2-by-2, nzmax: 2 nnz: 2\n0 0 : 1\n1 2 : 1\n", 10,
      "row 1, column 2" },
    { SPARSE "1\n" BANNER "triplet: 2-by-2, nzmax: 2 nnz: 2\n0 0 : 1\n-1 0 : 1\n", 10, "row -1" },
    { SPARSE "1\n" BANNER "triplet: 2-by-2, nzmax: 2 nnz: 2\n0 0 : 1\n1 1 : inf\n", 10,
      "not finite" },
    { SPARSE "1\n" BANNER "triplet: 2-by-2, nzmax: 2 nnz: 2\n0 0 : 1\n1 1 2\n", 10,
      "expected the 2 entries of sparse W or M, found 1 and then \"1\"" },
    { SPARSE "2\n" BANNER "2-by-2, nzmax: 2 nnz: 2\ncol 1 : locations 0 to 0\n", 9,
      "expected \"col 0 : locations A to B\"" },
    { SPARSE "2\n" BANNER "2-by-2, nzmax: 2 nnz: 2\ncol 0 : locations 0 to 0\n0 : 1\n", 11,
      "expected \"col 1 : locations A to B\"" },
    { SPARSE "3\n" BANNER "csr: 2-by-2, nzmax: 2 nnz: 2\nrow 0 : locations 0 to 0\n7 : 1\n", 10,
      "row 0, column 7" },
    { BLOCK "9999999\n", 6, "the number of blocks of W or M" },
    { BLOCK "1\n0\n", 7, "the number of block rows of W or M" },
    { BLOCK "1\n1\n1\n3\n2\n2\n1\n0 1\n0\n0\n1 2 3 4\n", 9, "the end of a block row of W or M" },
    { BLOCK "1\n1\n1\n1\n2\n2\n1\n0 1\n0\n0\n1 2 3 4\n", 10, "block rows of W or M end at 1" },
    { BLOCK "1\n1\n1\n2\n2\n3\n1\n0 1\n0\n0\n1 2 3 4\n", 11, "the length of the row pointer" },
    { BLOCK "1\n1\n1\n2\n2\n2\n2\n0 1\n0\n0\n1 2 3 4\n", 12, "must be 1, got \"2\"" },
    { BLOCK "1\n1\n1\n2\n2\n2\n1\n0 0\n0\n0\n1 2 3 4\n", 14, "goes from 0 to 0, expected 0 to 1" },
    { BLOCK "1\n1\n1\n2\n2\n2\n1\n0 1\n1\n0\n1 2 3 4\n", 14, "the block column of a block" },
    { BLOCK "1\n1\n1\n2\n2\n2\n1\n0 1\n0\n5\n1 2 3 4\n", 15, "the number of block 0 of W or M" },
    { BLOCK "1\n1\n1\n2\n2\n2\n1\n0 1\n0\n0\n1 2 3\n", 17, "expected a number of block 0" },
    { "1\n0\n1\n1\n1 1\n5\n", 7, "expected the 1 numbers of q, found 0" },
    { "1\n0\n1\n1\n1 1\n5\n1\n7\n", 8, "expected the end of the problem" },
};

static void broken_text_is_refused_with_its_line(void) {
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        scree_error err = { 0 };
        scree_status status = read_bytes(broken[i].text, strlen(broken[i].text), &err);
        bool fine = status == SCREE_BAD_INPUT && err.line == broken[i].line && err.column > 0 &&
                    strstr(err.text, broken[i].says);
        if (!fine)
            COMPLAIN("row %zu: status %d, %d:%d: %s\n    expected line %d: %s", i, (int)status,
                     err.line, err.column, err.text, broken[i].line, broken[i].says);
    }
}

static void what_is_not_text_is_refused(void) {
    scree_error err = { 0 };
    CHECK_INT(read_bytes("2\n1\n0\n2\0 2\n", 11, &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "neither an HDF5 file nor text") != NULL);
    CHECK_INT(read_bytes("\211HDF\r\n\032\nand then nothing", 24, &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "HDF5") != NULL);
    scree_problem_file file;
    CHECK_INT(scree_problem_read("/nowhere/at/all.dat", &file, &err), SCREE_FILE_ERROR);
    CHECK(strstr(err.text, "No such file") != NULL);
    CHECK_INT(scree_problem_read("/", &file, &err), SCREE_FILE_ERROR);
    CHECK(strstr(err.text, "Is a directory") != NULL);
    scree_problem_file_free(NULL);
}

static void masses_that_vanish_are_named(void) {
    char text[20000], *end;
    // body without mass at degree of freedom 1; then a large part with one empty column
    scree_error err = { 0 };
    const char *small =
        "2\n1\n0\n3\n3\n3 3\n1 0 0\n0 0 0\n0 0 1\n"
        "0\n3\n2\n3 2\n1 0 0 0 0 1\n0 0 0\n0 0\n0.5\n";
    CHECK_INT(read_bytes(small, strlen(small), &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "M is singular at degree of freedom 1 ") != NULL);
    for (int weak = 1; weak < 100; weak += 49) {
        end = text;
        end += sprintf(end,
                       "2\n0\n2\n100\n100\n1\nbanner\ntriplet: 100-by-100, nzmax: 300 nnz: 300\n");
        for (int i = 0; i < 100; i++) {
            // a chain that is cut at its mass number weak, but held together by the others
            end += sprintf(end, "%d %d : %d\n", i, i, i == weak ? 0 : 5);
            for (int side = -1; side <= 1; side += 2)
                end += sprintf(end, "%d %d : %g\n", i, (i + side + 100) % 100,
                               (i + side + 100) % 100 == weak ? 0 : -1.0);
        }
        end += sprintf(end, "0\n100\n0\n100 0\n");
        for (int i = 0; i < 100; i++) end += sprintf(end, "0 ");
        CHECK_INT(read_bytes(text, strlen(text), &err), SCREE_BAD_INPUT);
        char says[80];
        snprintf(says, sizeof says, "M is singular at degree of freedom %d ", weak);
        if (!strstr(err.text, says)) COMPLAIN("%s: %s", says, err.text);
    }
}

static void sums_that_overflow_are_refused(void) {
    scree_error err = { 0 };
    const char *twice = SPARSE "1\n" BANNER
                               "triplet: 2-by-2, nzmax: 2 nnz: 2\n"
                               "0 0 : 1e308\n0 0 : 1e308\n0 0\n0.5\n";
    CHECK_INT(read_bytes(twice, strlen(twice), &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "W or b is not finite") != NULL);
    const char *lcp = "1\n2\n1\n1\n1\n" BANNER
                      "triplet: 1-by-1, nzmax: 2 nnz: 2\n"
                      "0 0 : 1e308\n0 0 : 1e308\n0\n";
    CHECK_INT(read_bytes(lcp, strlen(lcp), &err), SCREE_BAD_INPUT);
    CHECK(strstr(err.text, "M is not finite") != NULL);
}

// the text of a problem with three bodies, in the given storage
static char *sample_text(storage how, bool global, size_t *size) {
    char *text = NULL;
    FILE *out = open_memstream(&text, size);
    matrix M = random_mass(3, 4), H = random_blocks(3, 2, 4, 3, 0.5);
    matrix W = random_blocks(2, 2, 3, 3, 0.5);
    double *x = random_vector(12, 0, 1);
    fprintf(out, "3\n2\n");
    if (global) {
        put_matrix(out, M, how, 4, 4);
        put_matrix(out, H, how, 4, 3);
        put_vector(out, x, 12);
    } else {
        put_matrix(out, W, how, 3, 3);
    }
    put_vector(out, x, 6);
    put_vector(out, x, 2);
    fclose(out);
    double *all[] = { M.x, H.x, W.x, x };
    for (int i = 0; i < 4; i++) free(all[i]);
    return text;
}

static void every_truncation_is_refused(void) {
    for (int how = 0; how < STORAGES; how++)
        for (int global = 0; global <= 1; global++) {
            size_t size;
            char *text = sample_text((storage)how, global, &size);
            scree_error err = { 0 };
            CHECK_INT(read_bytes(text, size, &err), SCREE_OK);
            while (size && text[size - 1] <= ' ') size--;
            // before each token
            for (size_t cut = size; cut > 0; cut--) {
                if (text[cut] <= ' ' || text[cut - 1] > ' ') continue;
                memset(&err, 0, sizeof err);
                scree_status status = read_bytes(text, cut, &err);
                bool said = strstr(err.text, "expected") || strstr(err.text, "bytes follow");
                if (status != SCREE_BAD_INPUT || !said || !err.line)
                    COMPLAIN("storage %d, cut at byte %zu: %d, line %d: %s", how, cut, (int)status,
                             err.line, err.text);
            }
            free(text);
        }
}

// any bytes in any place: an error with a text, or a problem, and no crash
static void damaged_text_is_survived(void) {
    static const char letters[] = "0123456789-+.e: \nxn";
    for (int round = 0; round < 3000; round++) {
        size_t size;
        char *text = sample_text((storage)(round % STORAGES), round % 2, &size);
        for (int k = random_int(1, 4); k > 0; k--)
            text[random_int(0, (int)size - 1)] = letters[random_int(0, (int)sizeof letters - 2)];
        scree_error err = { 0 };
        scree_status status = read_bytes(text, size, &err);
        CHECK(status == SCREE_OK || (status == SCREE_BAD_INPUT && err.text[0]));
        free(text);
    }
}

TEST_FILE(test_problem_bad) {
    TEST(broken_text_is_refused_with_its_line);
    TEST(what_is_not_text_is_refused);
    TEST(masses_that_vanish_are_named);
    TEST(sums_that_overflow_are_refused);
    TEST(every_truncation_is_refused);
    TEST(damaged_text_is_survived);
    return harness_end();
}
