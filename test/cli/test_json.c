// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_json.c - documents are judged by a small reader of their own (RFC 8259, strict) and by
// python3 if there is one; misuse asserts; a full disk is noticed.

#define _POSIX_C_SOURCE 200809L

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/json.h"
#include "harness.h"

enum { PAGE = 100000 };

// ---- the judge: reads a value and returns what follows it, NULL if it is not JSON ----

static const char *skip_blanks(const char *at) { return at + strspn(at, " \n\t\r"); }

// valid UTF-8 by decoding it, not by the table that the writer uses
static const char *judge_character(const char *at) {
    const unsigned char *c = (const unsigned char *)at;
    int more = c[0] < 0x80 ? 0 : c[0] < 0xC0 ? -1 : c[0] < 0xE0 ? 1 : c[0] < 0xF0 ? 2 : 3;
    if (more < 0 || c[0] >= 0xF8) return NULL;
    static const uint32_t least[] = { 0, 0x80, 0x800, 0x10000 };
    uint32_t code = more ? c[0] & (0x3Fu >> more) : c[0];
    for (int i = 1; i <= more; i++) {
        if (c[i] >> 6 != 2) return NULL;
        code = code << 6 | (c[i] & 0x3Fu);
    }
    if (code < least[more] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return NULL;
    return at + more + 1;
}

static const char *judge_text(const char *at) {
    if (*at++ != '"') return NULL;
    while (*at != '"') {
        if ((unsigned char)*at < ' ') return NULL;
        if (*at == '\\') {
            if (at[1] == 'u' && strspn(at + 2, "0123456789abcdefABCDEF") >= 4)
                at += 6;
            else if (at[1] && strchr("\"\\/bfnrt", at[1]))
                at += 2;
            else
                return NULL;
        } else if (!(at = judge_character(at))) {
            return NULL;
        }
    }
    return at + 1;
}

static const char *judge_number(const char *at) {
    at += *at == '-';
    size_t digits = strspn(at, "0123456789");
    if (digits == 0 || (*at == '0' && digits > 1)) return NULL;
    at += digits;
    if (*at == '.') {
        digits = strspn(++at, "0123456789");
        if (digits == 0) return NULL;
        at += digits;
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '+' || *at == '-';
        digits = strspn(at, "0123456789");
        if (digits == 0) return NULL;
        at += digits;
    }
    return at;
}

static const char *judge_value(const char *at) {
    at = skip_blanks(at);
    if (*at == '"') return judge_text(at);
    if (strncmp(at, "null", 4) == 0 || strncmp(at, "true", 4) == 0) return at + 4;
    if (strncmp(at, "false", 5) == 0) return at + 5;
    if (*at != '{' && *at != '[') return judge_number(at);

    // members up to the closing bracket
    char close = *at == '{' ? '}' : ']';
    at = skip_blanks(at + 1);
    if (*at == close) return at + 1;
    for (;; at++) {
        if (close == '}') {
            at = judge_text(skip_blanks(at));
            if (!at || *(at = skip_blanks(at)) != ':') return NULL;
            at++;
        }
        at = judge_value(at);
        if (!at) return NULL;
        at = skip_blanks(at);
        if (*at == close) return at + 1;
        if (*at != ',') return NULL;
    }
}

static bool is_json(const char *page) {
    const char *end = judge_value(page);
    return end && *skip_blanks(end) == 0;
}

// ---- helpers ----

static void slurp(FILE *file, char *page) {
    rewind(file);
    page[fread(page, 1, PAGE - 1, file)] = 0;
    fclose(file);
}

static void write_one_text(const char *text, char *page) {
    FILE *file = tmpfile();
    cli_json json = cli_json_begin(file);
    cli_json_text(&json, text);
    CHECK(cli_json_end(&json));
    slurp(file, page);
}

static void write_one_number(double number, char *page) {
    FILE *file = tmpfile();
    cli_json json = cli_json_begin(file);
    cli_json_number(&json, number);
    CHECK(cli_json_end(&json));
    slurp(file, page);
}

static uint64_t random_state = 1;

static uint64_t random_bits(void) {  // splitmix64
    uint64_t z = random_state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static void write_sample(FILE *file) {
    const double point[3] = { 0.1, -2, (double)NAN };
    cli_json json = cli_json_begin(file);
    cli_json_object_begin(&json);
    cli_json_text(cli_json_key(&json, "scene"), "say \"hi\"\\\n\tFrémond\x01");
    cli_json_numbers(cli_json_key(&json, "point"), point, 3);
    cli_json_integer(cli_json_key(&json, "steps"), INT64_MIN);
    cli_json_boolean(cli_json_key(&json, "converged"), true);
    cli_json_null(cli_json_key(&json, "nothing"));
    cli_json_text(cli_json_key(&json, "missing"), NULL);
    cli_json_array_begin(cli_json_key(&json, "contacts"));
    for (int i = 0; i < 2; i++) {
        cli_json_object_begin(&json);
        cli_json_number(cli_json_key(&json, "gap"), 1e-9 * i);
        cli_json_object_end(&json);
    }
    cli_json_array_begin(&json);
    cli_json_array_end(&json);
    cli_json_boolean(&json, false);
    cli_json_array_end(&json);
    cli_json_object_begin(cli_json_key(&json, "empty"));
    cli_json_object_end(&json);
    cli_json_numbers(cli_json_key(&json, "none"), NULL, 0);
    cli_json_object_end(&json);
    CHECK(cli_json_end(&json));
}

// ---- tests ----

static void a_document_looks_as_agreed(void) {
    char page[PAGE];
    FILE *file = tmpfile();
    write_sample(file);
    slurp(file, page);
    CHECK_TEXT(page,
               "{\n"
               "  \"scene\": \"say \\\"hi\\\"\\\\\\n\\tFrémond\\u0001\",\n"
               "  \"point\": [0.1, -2, null],\n"
               "  \"steps\": -9223372036854775808,\n"
               "  \"converged\": true,\n"
               "  \"nothing\": null,\n"
               "  \"missing\": null,\n"
               "  \"contacts\": [\n"
               "    {\n"
               "      \"gap\": 0\n"
               "    },\n"
               "    {\n"
               "      \"gap\": 1e-09\n"
               "    },\n"
               "    [],\n"
               "    false\n"
               "  ],\n"
               "  \"empty\": {},\n"
               "  \"none\": []\n"
               "}\n");
    CHECK(is_json(page));
}

static void python_reads_it_too(void) {
    if (system("command -v python3 >/dev/null 2>&1") != 0) return;
    FILE *pipe = popen(
        "python3 -c \"import json, sys; d = json.load(sys.stdin);"
        "assert d['steps'] == -2**63 and d['point'] == [0.1, -2, None];"
        "assert d['scene'] == 'say \\\"hi\\\"\\\\\\\\\\n\\tFr\\u00e9mond\\x01', "
        "ascii(d['scene'])\"",
        "w");
    write_sample(pipe);
    CHECK_INT(pclose(pipe), 0);
}

static void the_judge_is_strict(void) {
    static const char *const bad[] = {
        "",       "{",       "[1,]",     "[1 2]",        "{\"a\":1,}",
        "{1:2}",  "01",      "1.",       "1e",           "nan",
        "\"\n\"", "\"\\x\"", "\"\xFF\"", "\"\xC0\x80\"", "\"\xED\xA0\x80\"",
        "[] []"
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (is_json(bad[i])) COMPLAIN("not JSON: %s", bad[i]);
}

static void numbers_come_back_as_the_same_bits(void) {
    char page[PAGE];
    static const struct {
        double number;
        const char *text;
    } cases[] = {
        { 0.1, "0.1\n" },
        { 1, "1\n" },
        { 1.0 / 3, "0.3333333333333333\n" },
        { -0.0, "-0\n" },
        { 1e300, "1e+300\n" },
        { 5e-324, "4.94065645841247e-324\n" },
        { 0.1 + 0.2, "0.30000000000000004\n" },
        { (double)NAN, "null\n" },
        { -HUGE_VAL, "null\n" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_one_number(cases[i].number, page);
        CHECK_TEXT(page, cases[i].text);
    }
    for (int round = 0; round < 5000; round++) {
        uint64_t bits = random_bits();
        double number, back;
        memcpy(&number, &bits, sizeof number);
        write_one_number(number, page);
        CHECK(is_json(page));
        back = strtod(page, NULL);
        if (isfinite(number))
            CHECK(memcmp(&number, &back, sizeof number) == 0);
        else
            CHECK_TEXT(page, "null\n");
    }
}

static void text_stays_valid(void) {
    char page[PAGE];
    static const char *const cases[][2] = {
        { "", "\"\"\n" },
        { "\xE2\x88\x8B \xF0\x9F\xAA\xA8 \x7F", "\"\xE2\x88\x8B \xF0\x9F\xAA\xA8 \x7F\"\n" },
        { "a\xFFz", "\"a\xEF\xBF\xBDz\"\n" },
        { "\xC3", "\"\xEF\xBF\xBD\"\n" },
        { "\xE2\x88", "\"\xEF\xBF\xBD\xEF\xBF\xBD\"\n" },
        { "\xC0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\"\n" },
        { "\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"\n" },
        { "\xF4\x90\x80\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"\n" },
        { "\b\f\r", "\"\\u0008\\u000c\\u000d\"\n" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_one_text(cases[i][0], page);
        CHECK_TEXT(page, cases[i][1]);
    }
    for (int round = 0; round < 20000; round++) {
        char text[40];
        int length = (int)(random_bits() % (sizeof text - 1));
        for (int i = 0; i < length; i++) {
            uint64_t bits = random_bits();  // half of it from the upper bytes of UTF-8
            text[i] = (char)(bits & 1 ? 0x80 + (bits >> 8) % 128 : 1 + (bits >> 8) % 255);
        }
        text[length] = 0;
        write_one_text(text, page);
        CHECK(is_json(page));
    }
}

static void write_random(cli_json *json, int depth) {
    uint64_t kind = random_bits() % (depth < 8 ? 8 : 6);
    int members = (int)(random_bits() % 4);
    switch (kind) {
        case 0:
            cli_json_text(json, "x\"y");
            break;
        case 1:
            cli_json_number(json, 1e-3 * (double)members);
            break;
        case 2:
            cli_json_integer(json, (int64_t)random_bits());
            break;
        case 3:
            cli_json_boolean(json, members & 1);
            break;
        case 4:
            cli_json_null(json);
            break;
        case 5:
            cli_json_numbers(json, (double[]){ 1, 2, 3 }, members % 3);
            break;
        case 6:
            cli_json_array_begin(json);
            while (members-- > 0) write_random(json, depth + 1);
            cli_json_array_end(json);
            break;
        default:
            cli_json_object_begin(json);
            while (members-- > 0) write_random(cli_json_key(json, "k\n"), depth + 1);
            cli_json_object_end(json);
    }
}

static void any_nesting_is_json(void) {
    static char page[PAGE];
    for (int round = 0; round < 5000; round++) {
        FILE *file = tmpfile();
        cli_json json = cli_json_begin(file);
        write_random(&json, 0);
        CHECK(cli_json_end(&json));
        slurp(file, page);
        CHECK(is_json(page));
    }
}

static void a_full_disk_is_noticed(void) {
    FILE *full = fopen("/dev/full", "w");
    if (!full) return;
    cli_json json = cli_json_begin(full);
    cli_json_text(&json, "lost");
    CHECK(!cli_json_end(&json));
    fclose(full);

    // also when the failed write is long past: the buffer is one byte
    full = fopen("/dev/full", "w");
    setvbuf(full, NULL, _IONBF, 0);
    json = cli_json_begin(full);
    cli_json_text(&json, "lost");
    CHECK(!cli_json_end(&json));
    fclose(full);
}

#ifndef NDEBUG
static void value_without_key(cli_json *j) { cli_json_object_begin(j), cli_json_null(j); }
static void key_in_array(cli_json *j) { cli_json_array_begin(j), cli_json_key(j, "k"); }
static void key_at_top(cli_json *j) { cli_json_key(j, "k"); }
static void key_twice(cli_json *j) {
    cli_json_object_begin(j);
    cli_json_key(cli_json_key(j, "k"), "k");
}
static void key_alone(cli_json *j) {
    cli_json_object_begin(j);
    cli_json_key(j, "k");
    cli_json_object_end(j);
}
static void wrong_end(cli_json *j) { cli_json_object_begin(j), cli_json_array_end(j); }
static void end_too_much(cli_json *j) { cli_json_array_end(j); }
static void two_values(cli_json *j) { cli_json_null(j), cli_json_null(j); }
static void two_arrays(cli_json *j) {
    cli_json_array_begin(j);
    cli_json_array_end(j);
    cli_json_array_begin(j);
}
static void not_ended(cli_json *j) { cli_json_array_begin(j), cli_json_end(j); }
static void nothing(cli_json *j) { cli_json_end(j); }
static void too_deep(cli_json *j) {
    for (int i = 0; i <= CLI_JSON_DEPTH; i++) cli_json_array_begin(j);
}

static void misuse_asserts(void) {
    void (*const misuse[])(cli_json *) = { value_without_key, key_in_array, key_at_top,
                                           key_twice,         key_alone,    wrong_end,
                                           end_too_much,      two_values,   two_arrays,
                                           not_ended,         nothing,      too_deep };
    for (size_t i = 0; i < sizeof misuse / sizeof *misuse; i++) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            if (!freopen("/dev/null", "w", stderr)) _exit(1);
            cli_json json = cli_json_begin(fopen("/dev/null", "w"));
            misuse[i](&json);
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, 0);
        if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
            COMPLAIN("misuse number %d did not assert", (int)i);
    }
}
#endif

TEST_FILE(test_json) {
    TEST(a_document_looks_as_agreed);
    TEST(python_reads_it_too);
    TEST(the_judge_is_strict);
    TEST(numbers_come_back_as_the_same_bits);
    TEST(text_stays_valid);
    TEST(any_nesting_is_json);
    TEST(a_full_disk_is_noticed);
#ifndef NDEBUG
    TEST(misuse_asserts);
#endif
    return harness_end();
}
