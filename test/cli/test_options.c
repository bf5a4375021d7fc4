// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_options.c - every form of a command line, every complaint, the pages made from the table,
// and command lines made of noise.

#define _POSIX_C_SOURCE 200809L

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "sample.h"

static char complaint[COMPLAINT];

// split line at blanks ('_' stands for a blank, so that words may have some) and parse it
static bool parse_line(const cli_command *command, const char *line, char store[1000],
                       cli_args *args) {
    char *words[WORDS];
    int count = 0;
    snprintf(store, 1000, "%s", line);
    for (char *word = strtok(store, " "); word && count < WORDS; word = strtok(NULL, " "))
        words[count++] = word;
    for (int i = 0; i < count; i++)
        for (char *c = words[i]; *c; c++)
            if (*c == '_') *c = ' ';
    FILE *errors = tmpfile();
    bool good = cli_parse(&program, command, count, words, errors, args);
    slurp(errors, complaint, sizeof complaint);
    args->errors = stdout;
    fclose(errors);
    return good;
}

// run the whole program with its output caught
static int run_main(int argc, char **argv, char *out, char *err, size_t size) {
    fflush(stdout);
    fflush(stderr);
    int out_before = dup(1), err_before = dup(2);
    FILE *out_file = tmpfile(), *err_file = tmpfile();
    dup2(fileno(out_file), 1);
    dup2(fileno(err_file), 2);
    int status = cli_main(&program, argc, argv);
    fflush(stdout);
    fflush(stderr);
    dup2(out_before, 1);
    dup2(err_before, 2);
    slurp(out_file, out, size);
    slurp(err_file, err, size);
    close(out_before);
    close(err_before);
    fclose(out_file);
    fclose(err_file);
    return status;
}

// ---- parsing ----

static void every_form_of_a_value_is_read(void) {
    static const char *const lines[] = {
        "slide -o a_b.h5",        "slide -oa_b.h5",          "slide -o=a_b.h5",
        "--output a_b.h5 slide",  "--output=a_b.h5 slide",   "-o a_b.h5 -- slide",
        "-qoa_b.h5 slide --json", "-vqo a_b.h5 slide -q -q", "slide -vo=a_b.h5",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        cli_args args;
        char store[1000];
        CHECK(parse_line(&commands[0], lines[i], store, &args));
        CHECK_TEXT(complaint, "");
        CHECK_TEXT(cli_value(&args, "output"), "a b.h5");
        CHECK_INT(args.positionals, 1);
        CHECK_TEXT(args.positional[0], "slide");
        CHECK(args.positional[1] == NULL);
        CHECK(cli_value(&args, "to") == NULL);
        CHECK_INT(cli_flag(&args, "quiet"), strchr(lines[i], 'q') != NULL);
        CHECK_INT(cli_flag(&args, "json"), strstr(lines[i], "--json") != NULL);
        cli_args_free(&args);
    }
}

static void values_of_one_option_keep_their_order(void) {
    cli_args args;
    char store[1000];
    int count;
    CHECK(parse_line(&commands[0],
                     "--set a=1 --to csv -s b=-1 -o x --set=c -n 4 s --set d==", store, &args));
    const char *const *set = cli_values(&args, "set", &count);
    CHECK_INT(count, 4);
    CHECK_TEXT(set[0], "a=1");
    CHECK_TEXT(set[1], "b=-1");
    CHECK_TEXT(set[2], "c");
    CHECK_TEXT(set[3], "d==");
    CHECK_TEXT(cli_value(&args, "set"), "d==");
    CHECK_TEXT(cli_value(&args, "to"), "csv");
    CHECK_TEXT(cli_value(&args, "output"), "x");
    CHECK_TEXT(cli_value(&args, "sweeps"), "4");
    cli_values(&args, "solver", &count);
    CHECK_INT(count, 0);
    cli_args_free(&args);
}

static void dashes_and_negative_numbers_are_operands(void) {
    cli_args args;
    char store[1000];
    CHECK(parse_line(&commands[3], "-1 - -.5 -1e-3 -- -x --help --", store, &args));
    CHECK_INT(args.positionals, 7);
    CHECK_TEXT(args.positional[0], "-1");
    CHECK_TEXT(args.positional[1], "-");
    CHECK_TEXT(args.positional[4], "-x");
    CHECK_TEXT(args.positional[5], "--help");
    CHECK_TEXT(args.positional[6], "--");
    CHECK(!args.help);
    cli_args_free(&args);
    CHECK(parse_line(&commands[0], "s -t -1e3 -o - --solver=-x", store, &args));
    CHECK_TEXT(cli_value(&args, "tolerance"), "-1e3");
    CHECK_TEXT(cli_value(&args, "output"), "-");
    CHECK_TEXT(cli_value(&args, "solver"), "-x");
    cli_args_free(&args);
}

static void help_wins_over_mistakes(void) {
    static const char *const lines[] = { "--help", "-h", "--bogus x y z --help", "-qh", "s -o -h" };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        cli_args args;
        char store[1000];
        CHECK(parse_line(&commands[0], lines[i], store, &args));
        CHECK(args.help);
        cli_args_free(&args);
    }
}

static void mistakes_are_named(void) {
    static const struct {
        int command;
        const char *line, *complaint;
    } cases[] = {
        { 0, "", "scree run: SCENE is missing" },
        { 1, "", "scree plot: RUN is missing" },
        { 0, "a b", "scree run: one operand too many: 'b' (expected SCENE)" },
        { 2, "a", "scree scenes: takes no operand, got 'a'" },
        { 3, "1 2 3 4 5 6 7 8 9", "one operand too many: '9'" },
        { 0, "s --ouput x", "unknown option '--ouput'; did you mean '--output'?" },
        { 0, "s --out=x", "unknown option '--out'; did you mean '--output'?" },
        { 0, "s --zzzzzz", "unknown option '--zzzzzz'\n" },
        { 0, "s -x", "unknown option '-x'\n" },
        { 0, "s -json", "unknown option '-json'; did you mean '--json'?" },
        { 0, "s -output=x", "unknown option '-output=x'; did you mean '--output'?" },
        { 0, "s --=x", "unknown option '--'\n" },
        { 2, "-q", "unknown option '-q'\n" },
        { 0, "s -o", "-o needs a value: -o FILE" },
        { 0, "s --output", "--output needs a value: --output FILE" },
        { 0, "s -o --json", "-o needs a value, found '--json' (write --output=--json if" },
        { 0, "s --json=yes", "--json takes no value, got 'yes'" },
        { 0, "s -q=1", "-q takes no value" },
        { 0, "s -o a -o b", "--output is given twice: 'a' and 'b'" },
        { 0, "s --to cvs", "--to must be csv or vtk, got 'cvs'" },
        { 1, "r gasp",
          "WHAT must be energy, gaps, impulses or momentum, got 'gasp'; did you mean" },
        { 0, "s -o a -o \033[31m\xFF", "'?[31m?'" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cli_args args;
        char store[1000], hint[100];
        const cli_command *command = &commands[cases[i].command];
        CHECK(!parse_line(command, cases[i].line, store, &args));
        CHECK_HAS(complaint, cases[i].complaint);
        snprintf(hint, sizeof hint, "\ntry 'scree %s --help'\n", command->name);
        CHECK_HAS(complaint, hint);
        cli_args_free(&args);
    }
}

static void open_choices_are_only_suggestions(void) {
    cli_args args;
    char store[1000];
    CHECK(parse_line(&commands[0], "s --solver mine,too", store, &args));
    CHECK_TEXT(cli_value(&args, "solver"), "mine,too");
    cli_args_free(&args);
}

// ---- numbers ----

static bool number_of(const char *text, double least, double most, double *value) {
    cli_args args;
    char store[1000], line[500];
    snprintf(line, sizeof line, "s -t=%s", text);
    CHECK(parse_line(&commands[0], line, store, &args));
    args.errors = tmpfile();
    bool good = cli_number(&args, "tolerance", least, most, value);
    slurp(args.errors, complaint, sizeof complaint);
    fclose(args.errors);
    cli_args_free(&args);
    return good;
}

static bool integer_of(const char *text, int least, int most, int *value) {
    cli_args args;
    char store[1000], line[500];
    snprintf(line, sizeof line, "s -n=%s", text);
    CHECK(parse_line(&commands[0], line, store, &args));
    args.errors = tmpfile();
    bool good = cli_integer(&args, "sweeps", least, most, value);
    slurp(args.errors, complaint, sizeof complaint);
    fclose(args.errors);
    cli_args_free(&args);
    return good;
}

static void numbers_are_read_within_their_range(void) {
    double value = 42;
    CHECK(number_of("1e-8", CLI_POSITIVE, 1, &value));
    CHECK_NEAR(value, 1e-8, 0);
    CHECK(number_of("-2.5", -3, -1, &value));
    CHECK_NEAR(value, -2.5, 0);
    CHECK(number_of("1e300", 0, HUGE_VAL, &value));
    value = 42;
    static const char *const bad[] = { "",     "x",     "1x", "1,5", "nan",    "inf",
                                       "-inf", "1e999", "0",  "-1",  "1e-999", "1.0000001" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(!number_of(bad[i], CLI_POSITIVE, 1, &value));
        CHECK_HAS(complaint, "scree run: --tolerance must be a positive number up to 1, got '");
    }
    CHECK(!number_of("x", -HUGE_VAL, HUGE_VAL, &value));
    CHECK_HAS(complaint, "must be a number, got 'x'");
    CHECK(!number_of("2", 0, 1, &value));
    CHECK_HAS(complaint, "must be a number from 0 to 1, got '2'");
    CHECK(!number_of("-2", 0, HUGE_VAL, &value));
    CHECK_HAS(complaint, "must be a number, 0 or more, got '-2'");
    CHECK(!number_of("2", -HUGE_VAL, 0, &value));
    CHECK_HAS(complaint, "must be a number, 0 or less, got '2'");
    CHECK_NEAR(value, 42, 0);
}

static void whole_numbers_are_whole(void) {
    int value = 42;
    CHECK(integer_of("17", 1, 64, &value));
    CHECK_INT(value, 17);
    CHECK(integer_of("1e6", 1, INT_MAX, &value));
    CHECK_INT(value, 1000000);
    CHECK(integer_of("-2147483648", INT_MIN, INT_MAX, &value));
    CHECK_INT(value, INT_MIN);
    static const char *const bad[] = { "", "1.5", "0", "65", "1e99", "nan", "2147483648", "0x" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        CHECK(!integer_of(bad[i], 1, 64, &value));
        CHECK_HAS(complaint, "--sweeps must be a whole number from 1 to 64, got '");
    }
    CHECK_INT(value, INT_MIN);

    // not given: the default stays
    cli_args args;
    char store[1000];
    double number = 0.5;
    CHECK(parse_line(&commands[0], "s", store, &args));
    CHECK(cli_integer(&args, "sweeps", 1, 64, &value) && value == INT_MIN);
    CHECK(cli_number(&args, "tolerance", 1, 64, &number) && number == 0.5);
    cli_args_free(&args);
}

// ---- the whole program ----

static void the_program_chooses_and_answers(void) {
    static const struct {
        const char *words[4];
        int status;
        const char *out, *err;
    } cases[] = {
        { { "run", "x" }, 7, "", "" },
        { { "run" }, 2, "", "scree run: SCENE is missing\ntry 'scree run --help'\n" },
        { { "scenes", "--names" }, 0, "slide\nslope\nbridge\n", "" },
        { { "--version" }, 0, "scree 1.2.3\n", "" },
        { { "-V" }, 0, "scree 1.2.3\n", "" },
        { { "--help" }, 0, "Commands:", "" },
        { { "help" }, 0, "Commands:", "" },
        { { "help", "run" }, 0, "scree run - simulate a scene", "" },
        { { "help", "help" }, 0, "scree help - explain a command", "" },
        { { "--help", "run" }, 0, "scree run - simulate a scene", "" },
        { { "run", "-h" }, 0, "scree run - simulate a scene", "" },
        { { "--manual" }, 0, ".TH SCREE 1", "" },
        { { "--completion" }, 0, "complete -F _scree scree", "" },
        { { NULL }, 2, "", "Commands:" },
        { { "rnu", "x" },
          2,
          "",
          "scree: unknown command 'rnu'; did you mean 'run'?\ntry 'scree -" },
        { { "" }, 2, "", "scree: unknown command ''\n" },
        { { "help", "plto" }, 2, "", "scree: unknown command 'plto'; did you mean 'plot'?" },
        { { "--versoin" }, 2, "", "unknown option '--versoin'; did you mean '--version'?" },
        { { "--json", "run" }, 2, "", "scree: unknown option '--json' before the command\n" },
        { { "-" }, 2, "", "scree: unknown option '-'" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *argv[6] = { "scree" }, out[PAGE], err[PAGE];
        int argc = 1;
        for (int w = 0; w < 4 && cases[i].words[w]; w++) argv[argc++] = (char *)cases[i].words[w];
        CHECK_INT(run_main(argc, argv, out, err, PAGE), cases[i].status);
        CHECK_HAS(out, cases[i].out);
        CHECK_HAS(err, cases[i].err);
        CHECK(*cases[i].out || !*out);
        CHECK(*cases[i].err || !*err);
    }
    char out[PAGE], err[PAGE];
    CHECK_INT(run_main(0, NULL, out, err, PAGE), 2);
}

static void a_full_disk_is_no_success(void) {
    if (access("/dev/full", W_OK) != 0) return;
    fflush(stdout);
    int before = dup(1), err_before = dup(2);
    FILE *full = fopen("/dev/full", "w"), *err_file = tmpfile();
    dup2(fileno(full), 1);
    dup2(fileno(err_file), 2);
    int status = cli_main(&program, 2, (char *[]){ "scree", "--help", NULL });
    dup2(before, 1);
    dup2(err_before, 2);
    clearerr(stdout);
    CHECK_INT(status, CLI_WRONG_USE);
    slurp(err_file, complaint, sizeof complaint);
    CHECK_TEXT(complaint, "scree: standard output could not be written\n");
    close(before);
    close(err_before);
    fclose(full);
    fclose(err_file);
}

// ---- the table ----

static void a_broken_table_is_noticed(void) {
    static const cli_option twice[] = { { "a", 'x', .help = "." },
                                        { "b", 'x', .help = "." },
                                        { 0 } };
    static const cli_option help[] = { { "help", .help = "." }, { 0 } };
    static const cli_option silent[] = { { .name = "a" }, { 0 } };
    const cli_command good = { "a", "X", 1, 1, ".", .main = answer_seven };
    cli_command rows[3] = { good };
    cli_program broken = { .name = "scree", .commands = rows };
    FILE *errors = tmpfile();
    CHECK(cli_table_sound(&program, stdout));
    CHECK(cli_table_sound(&broken, stdout));
    const cli_option *const bad[] = { twice, help, silent };
    for (int i = 0; i < 3; i++) {
        rows[0].options = bad[i];
        CHECK(!cli_table_sound(&broken, errors));
    }
    rows[0] = rows[1] = good;
    CHECK(!cli_table_sound(&broken, errors));
    rows[1] = (cli_command){ 0 };
    rows[0].operands = NULL;
    CHECK(!cli_table_sound(&broken, errors));
    rows[0] = good;
    rows[0].most = 9;
    CHECK(!cli_table_sound(&broken, errors));
    fclose(errors);
}

// ---- noise ----

static unsigned random_state = 1;

static int random_below(int limit) {
    random_state = random_state * 1664525u + 1013904223u;
    return (int)((random_state >> 8) % (unsigned)limit);
}

static void random_word(char *word, int size) {
    static const char *const seeds[] = { "--output", "--set",   "-o",     "-s",   "--",     "-",
                                         "--help",   "-h",      "--json", "--to", "-q",     "csv",
                                         "-1",       "--json=", "run",    "help", "--set=", "-vq",
                                         "",         "plot",    "=" };
    int at = snprintf(word, (size_t)size, "%s",
                      seeds[random_below((int)(sizeof seeds / sizeof *seeds))]);
    if (random_below(3) == 0) {
        for (int i = random_below(random_below(10) ? 8 : size - at - 1); i > 0; i--)
            word[at++] = (char)(1 + random_below(255));
        word[at] = 0;
    }
    if (random_below(5) == 0 && word[0]) word[random_below((int)strlen(word))] = '-';
}

static void noise_never_crashes(void) {
    enum { ARGUMENTS = 12, LENGTH = 300 };
    static char words[ARGUMENTS][LENGTH];
    FILE *errors = fopen("/dev/null", "w");
    for (int round = 0; round < 100000; round++) {
        char *argv[ARGUMENTS + 1] = { 0 };
        int argc = random_below(ARGUMENTS);
        for (int i = 0; i < argc; i++) {
            random_word(words[i], LENGTH);
            argv[i] = words[i];
        }
        const cli_command *command = &commands[random_below(4)];
        cli_args args;
        bool good = cli_parse(&program, command, argc, argv, errors, &args);
        if (good && !args.help)
            CHECK(args.positionals >= command->least && args.positionals <= command->most);

        // everything that was read can be asked for, and every value comes from argv
        int values = 0;
        for (const cli_option *o = command->options; o && o->name; o++) {
            int count;
            if (!o->value) {
                cli_flag(&args, o->name);
                continue;
            }
            const char *const *value = cli_values(&args, o->name, &count);
            values += count;
            for (int i = 0; i < count; i++)
                CHECK(value[i] >= words[0] && value[i] < words[0] + sizeof words);
            CHECK(count <= 1 || o->repeats);
        }
        CHECK_INT(values, args.values);
        cli_args_free(&args);
    }
    fclose(errors);

    // the whole program, with less patience
    char out[PAGE], err[PAGE];
    for (int round = 0; round < 2000; round++) {
        char *argv[5] = { "scree" };
        int argc = 1 + random_below(4);
        for (int i = 1; i < argc; i++) {
            random_word(words[i], LENGTH);
            argv[i] = words[i];
        }
        int status = run_main(argc, argv, out, err, PAGE);
        CHECK(status == 0 || status == 2 || status == 7);
        CHECK(status != 2 || *err);
    }
}

// options in random forms and order mean the same as the list they were made from
static void any_order_means_the_same(void) {
    for (int round = 0; round < 20000; round++) {
        char store[WORDS][40], *argv[WORDS];
        const char *expected[WORDS];
        int argc = 0, sets = 0, count;
        int scene_at = random_below(4), rounds = 4 + random_below(4);
        for (int i = 0; i < rounds; i++) {
            char value[16];
            snprintf(value, sizeof value, "k%d=%d", i, random_below(100) - 50);
            if (i == scene_at) argv[argc++] = "slide";
            switch (random_below(6)) {
                case 0:
                    argv[argc++] = random_below(2) ? "-q" : "--quiet";
                    continue;
                case 1:
                    snprintf(store[argc], 40, "-qs%s", value);
                    break;
                case 2:
                    snprintf(store[argc], 40, "-s=%s", value);
                    break;
                case 3:
                    snprintf(store[argc], 40, "--set=%s", value);
                    break;
                default:
                    argv[argc++] = random_below(2) ? "-s" : "--set";
                    snprintf(store[argc], 40, "%s", value);
            }
            argv[argc] = store[argc];
            expected[sets++] = strstr(store[argc], "k");
            argc++;
        }
        cli_args args;
        CHECK(cli_parse(&program, &commands[0], argc, argv, stdout, &args));
        const char *const *set = cli_values(&args, "set", &count);
        CHECK_INT(count, sets);
        for (int i = 0; i < count && i < sets; i++) CHECK_TEXT(set[i], expected[i]);
        CHECK_TEXT(args.positional[0], "slide");
        cli_args_free(&args);
    }
}

TEST_FILE(test_options) {
    TEST(every_form_of_a_value_is_read);
    TEST(values_of_one_option_keep_their_order);
    TEST(dashes_and_negative_numbers_are_operands);
    TEST(help_wins_over_mistakes);
    TEST(mistakes_are_named);
    TEST(open_choices_are_only_suggestions);
    TEST(numbers_are_read_within_their_range);
    TEST(whole_numbers_are_whole);
    TEST(the_program_chooses_and_answers);
    TEST(a_full_disk_is_no_success);
    TEST(a_broken_table_is_noticed);
    TEST(noise_never_crashes);
    TEST(any_order_means_the_same);
    return harness_end();
}
