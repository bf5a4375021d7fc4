// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// options.c - from the words of a command line to a command and its options.
// in: the table, argv.   out: cli_args, or a complaint that says what would have been right.

#include "cli/options.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggestion.h"
#include "cli/text.h"

enum { QUOTE = 120, QUOTE_COLUMNS = 60, NAME = 64, LIST = 800 };  // buffer sizes

const cli_option cli_help_option = { "help", 'h', .help = "show this help" };

const cli_option cli_program_options[] = {
    { "help", 'h', .help = "show this help" },
    { "version", 'V', .help = "print the version" },
    { "manual", .help = "print the manual page (roff)" },
    { "completion", .help = "print the completion script for bash" },
    { 0 },
};

const cli_command cli_help_command = {
    .name = "help",
    .operands = "[COMMAND]",
    .most = 1,
    .summary = "explain a command",
};

// ---- complaints ----

static const char *quoted(const char *word, char buffer[QUOTE]) {
    return cli_tidy(word, QUOTE_COLUMNS, buffer, QUOTE);
}

static void complain(const cli_args *args, const char *format, va_list values) {
    const char *name = args->program->name;
    const char *space = args->command ? " " : "",
               *command = args->command ? args->command->name : "";
    fprintf(args->errors, "%s%s%s: ", name, space, command);
    vfprintf(args->errors, format, values);
    fprintf(args->errors, "\ntry '%s%s%s --help'\n", name, space, command);
}

int cli_wrong_use(const cli_args *args, const char *format, ...) {
    va_list values;
    va_start(values, format);
    complain(args, format, values);
    va_end(values);
    return CLI_WRONG_USE;
}

// the same for `return refuse(...)` where true means well
static bool SCREE_PRINTF(2, 3) refuse(const cli_args *args, const char *format, ...) {
    va_list values;
    va_start(values, format);
    complain(args, format, values);
    va_end(values);
    return false;
}

// the one candidate that word abbreviates, else the nearest one, else NULL
static const char *meant(const char *word, const char *const *candidates, int count) {
    const char *found = NULL;
    int fits = 0;
    for (int i = 0; i < count && *word; i++)
        if (strncmp(candidates[i], word, strlen(word)) == 0) fits++, found = candidates[i];
    return fits == 1 ? found : scree_suggestion(word, candidates, count);
}

static bool refuse_option(const cli_args *args, const char *shown, const char *name) {
    const char *candidates[CLI_OPTIONS + 1] = { "help" };
    int count = 1;
    const cli_option *options = args->command ? args->command->options : cli_program_options;
    for (const cli_option *o = options; o && o->name; o++) candidates[count++] = o->name;
    const char *near = meant(name, candidates, count);
    char word[QUOTE];
    if (near)
        return refuse(args, "unknown option '%s'; did you mean '--%s'?", quoted(shown, word), near);
    return refuse(args, "unknown option '%s'%s", quoted(shown, word),
                  args->command ? "" : " before the command");
}

static bool refuse_command(const cli_args *args, const char *name) {
    const char *candidates[CLI_COMMANDS + 1] = { "help" };
    int count = 1;
    for (const cli_command *c = args->program->commands; c->name; c++)
        candidates[count++] = c->name;
    const char *near = meant(name, candidates, count);
    char word[QUOTE];
    if (near)
        return refuse(args, "unknown command '%s'; did you mean '%s'?", quoted(name, word), near);
    return refuse(args, "unknown command '%s'", quoted(name, word));
}

// ---- the table ----

static const cli_command *find_command(const cli_program *program, const char *name) {
    for (const cli_command *c = program->commands; c->name; c++)
        if (strcmp(c->name, name) == 0) return c;
    return strcmp(name, "help") == 0 ? &cli_help_command : NULL;
}

static int find_long(const cli_command *command, const char *name, size_t length) {
    for (int i = 0; command->options && command->options[i].name; i++) {
        const char *candidate = command->options[i].name;
        if (strlen(candidate) == length && memcmp(candidate, name, length) == 0) return i;
    }
    return -1;
}

static int find_letter(const cli_command *command, char letter) {
    for (int i = 0; command->options && command->options[i].name; i++)
        if (command->options[i].letter == letter) return i;
    return -1;
}

static bool is_plain_name(const char *name) {
    return name && name[0] >= 'a' && name[0] <= 'z' &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-")] == 0 && strlen(name) < NAME;
}

static const char *mistake_in_options(const cli_command *command, int *row) {
    const cli_option *o = command->options;
    for (*row = 0; o && o[*row].name; ++*row) {
        const cli_option *this = &o[*row];
        if (*row == CLI_OPTIONS) return "too many options";
        if (!is_plain_name(this->name)) return "the name of an option is not plain";
        if (strcmp(this->name, "help") == 0 || this->letter == 'h') return "help is built in";
        if (!this->help) return "an option without help";
        if (this->letter && !isalpha((unsigned char)this->letter)) return "letters are letters";
        if ((this->repeats || this->choices) && !this->value) return "a flag takes no value";
        if (find_long(command, this->name, strlen(this->name)) != *row)
            return "a name stands twice";
        if (this->letter && find_letter(command, this->letter) != *row)
            return "a letter stands twice";
    }
    return NULL;
}

bool cli_table_sound(const cli_program *program, FILE *errors) {
    int commands = 0, row = 0;
    for (const cli_command *c = program->commands; c->name; c++) {
        const char *mistake = mistake_in_options(c, &row);
        if (commands++ == CLI_COMMANDS) mistake = "too many commands";
        if (!is_plain_name(c->name)) mistake = "its name is not plain";
        if (find_command(program, c->name) != c) mistake = "it stands twice";
        if (strcmp(c->name, "help") == 0) mistake = "help is built in";
        if (!c->summary || !c->main) mistake = "no summary or no main";
        if (c->least < 0 || c->most < c->least || c->most > CLI_POSITIONALS)
            mistake = "its operands cannot be counted so";
        if ((c->most > 0) != (c->operands != NULL)) mistake = "its operands have no names";
        if (!mistake) continue;
        const char *option = c->options && c->options[row].name ? c->options[row].name : "";
        fprintf(errors, "table of %s: command %s %s: %s\n", program->name, c->name, option,
                mistake);
        return false;
    }
    return true;
}

// "-" alone and negative numbers are operands and values; everything else with a dash is an option
static bool is_option(const char *word) {
    if (word[0] != '-' || !word[1]) return false;
    const char *rest = word + 1;
    bool number = isdigit((unsigned char)rest[0]) ||
                  (rest[0] == '.' && isdigit((unsigned char)rest[1])) || strcmp(rest, "inf") == 0;
    return !number;
}

// is word one of the choices? true if there are none or if others are welcome
static bool check_choice(const cli_args *args, const char *what, const char *choices,
                         const char *word) {
    if (!choices || cli_choices_open(choices)) return true;
    char names[CLI_OPTIONS][NAME], list[LIST], shown[QUOTE];
    const char *candidates[CLI_OPTIONS], *choice, *cursor = choices;
    int count = 0;
    for (size_t length; cli_next_choice(&cursor, &choice, &length);) {
        if (strlen(word) == length && memcmp(choice, word, length) == 0) return true;
        if (count == CLI_OPTIONS) continue;
        snprintf(names[count], NAME, "%.*s", (int)length, choice);
        candidates[count] = names[count];
        count++;
    }
    cli_list_choices(choices, list, sizeof list);
    const char *near = meant(word, candidates, count);
    quoted(word, shown);
    if (near && count > 3)
        return refuse(args, "%s must be %s, got '%s'; did you mean '%s'?", what, list, shown, near);
    return refuse(args, "%s must be %s, got '%s'", what, list, shown);
}

// ---- parsing ----

// where the values of an option begin in args->value
static int first_value(const cli_args *args, int option) {
    int at = 0;
    for (int i = 0; i < option; i++)
        if (args->command->options[i].value) at += args->given[i];
    return at;
}

static bool accept_option(cli_args *args, int option, const char *value) {
    const cli_option *o = &args->command->options[option];
    if (!o->value) {
        args->given[option] = 1;
        return true;
    }
    char what[NAME];
    snprintf(what, sizeof what, "--%s", o->name);
    if (!check_choice(args, what, o->choices, value)) return false;
    int at = first_value(args, option) + args->given[option];
    if (args->given[option] && !o->repeats) {
        char one[QUOTE], two[QUOTE];
        return refuse(args, "%s is given twice: '%s' and '%s'", what,
                      quoted(args->value[at - 1], one), quoted(value, two));
    }

    // keep the values grouped by option, so that those of one option are an array
    memmove(&args->value[at + 1], &args->value[at],
            (size_t)(args->values - at) * sizeof *args->value);
    args->value[at] = value;
    args->values++;
    args->given[option]++;
    return true;
}

// the value of the option that ends at argv[*at], from the next word
static bool take_next(cli_args *args, int option, const char *shown, int argc, char *const *argv,
                      int *at) {
    const cli_option *o = &args->command->options[option];
    if (*at + 1 >= argc) return refuse(args, "%s needs a value: %s %s", shown, shown, o->value);
    const char *value = argv[++*at];
    char word[QUOTE];
    if (is_option(value))
        return refuse(args, "%s needs a value, found '%s' (write --%s=%s if that is the value)",
                      shown, quoted(value, word), o->name, word);
    return accept_option(args, option, value);
}

// --name, --name=value, --name value
static bool parse_long(cli_args *args, int argc, char *const *argv, int *at) {
    const char *word = argv[*at], *name = word + 2;
    size_t length = strcspn(name, "=");
    char plain[NAME], shown[NAME + 2], got[QUOTE];
    snprintf(plain, sizeof plain, "%.*s", length < NAME ? (int)length : NAME - 1, name);
    int option = find_long(args->command, name, length);
    snprintf(shown, sizeof shown, "--%s", plain);
    if (option < 0) return refuse_option(args, shown, plain);

    const char *value = name[length] ? name + length + 1 : NULL;
    if (!args->command->options[option].value && value)
        return refuse(args, "%s takes no value, got '%s'", shown, quoted(value, got));
    if (value || !args->command->options[option].value) return accept_option(args, option, value);
    return take_next(args, option, shown, argc, argv, at);
}

// -q, -qv, -o value, -ovalue, -o=value
static bool parse_letters(cli_args *args, int argc, char *const *argv, int *at) {
    const char *word = argv[*at];
    const cli_command *command = args->command;

    // -output is a slip for --output, not -o utput
    size_t length = strcspn(word + 1, "=");
    if (length > 1 && find_long(command, word + 1, length) >= 0) {
        char plain[NAME];
        snprintf(plain, sizeof plain, "%.*s", (int)length, word + 1);
        return refuse_option(args, word, plain);
    }
    for (const char *letter = word + 1; *letter; letter++) {
        if (*letter == 'h') {
            args->help = true;
            return true;
        }
        int option = find_letter(command, *letter);
        if (option < 0) return refuse_option(args, word, word + 1);
        char shown[3] = { '-', *letter, 0 };
        if (!command->options[option].value) {
            if (letter[1] == '=') return refuse(args, "%s takes no value", shown);
            accept_option(args, option, NULL);
        } else if (letter[1]) {
            return accept_option(args, option, letter + 1 + (letter[1] == '='));
        } else {
            return take_next(args, option, shown, argc, argv, at);
        }
    }
    return true;
}

static bool parse_operand(cli_args *args, const char *word) {
    const cli_command *command = args->command;
    char shown[QUOTE], what[NAME];
    quoted(word, shown);
    if (command->most == 0) return refuse(args, "takes no operand, got '%s'", shown);
    if (args->positionals == command->most)
        return refuse(args, "one operand too many: '%s' (expected %s)", shown, command->operands);
    cli_operand_name(command->operands, args->positionals, what, sizeof what);
    if (!check_choice(args, what, command->choices[args->positionals], word)) return false;
    args->positional[args->positionals++] = word;
    return true;
}

// is one of these words among the options? help and version win over every mistake, so that they
// can be appended to a line that was refused
static bool has_word(int argc, char *const *argv, const char *name, const char *letter) {
    for (int i = 0; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], name) == 0 || strcmp(argv[i], letter) == 0) return true;
    return false;
}

static void print_version(const cli_program *program) {
    printf("%s %s\n", program->name, program->version);
    if (program->build) printf("%s\n", program->build);
}

bool cli_parse(const cli_program *program, const cli_command *command, int argc, char *const *argv,
               FILE *errors, cli_args *args) {
    *args = (cli_args){ .program = program, .command = command, .errors = errors };
    args->help = has_word(argc, argv, "--help", "-h");
    if (args->help) return true;
    args->value = calloc((size_t)argc + 1, sizeof *args->value);
    if (!args->value) {
        fprintf(errors, "error: out of memory\n");
        return false;
    }

    // options and operands in any order; after "--" only operands
    bool operands_only = false;
    for (int at = 0; at < argc && !args->help; at++) {
        bool good = true;
        if (operands_only || !is_option(argv[at]))
            good = parse_operand(args, argv[at]);
        else if (strcmp(argv[at], "--") == 0)
            operands_only = true;
        else if (argv[at][1] == '-')
            good = parse_long(args, argc, argv, &at);
        else
            good = parse_letters(args, argc, argv, &at);
        if (!good) return false;
    }
    if (args->positionals < command->least && !args->help) {
        char name[NAME];
        cli_operand_name(command->operands, args->positionals, name, sizeof name);
        return refuse(args, "%s is missing", name);
    }
    return true;
}

void cli_args_free(cli_args *args) {
    free(args->value);
    args->value = NULL;
    args->values = 0;
    memset(args->given, 0, sizeof args->given);
}

// ---- lookups ----

static int find_asked(const cli_args *args, const char *name) {
    int option = find_long(args->command, name, strlen(name));
    assert(option >= 0 && "the command's table has no such option");
    return option;
}

bool cli_flag(const cli_args *args, const char *name) {
    int option = find_asked(args, name);
    return option >= 0 && args->given[option] > 0;
}

const char *const *cli_values(const cli_args *args, const char *name, int *count) {
    int option = find_asked(args, name);
    *count = 0;
    if (option < 0 || !args->value) return NULL;
    assert(args->command->options[option].value && "a flag has no values");
    *count = args->given[option];
    return args->value + first_value(args, option);
}

const char *cli_value(const cli_args *args, const char *name) {
    int count;
    const char *const *values = cli_values(args, name, &count);
    return count ? values[count - 1] : NULL;
}

// a range in words: "a number from 0 to 1"
static void describe_range(const char *kind, double least, double most, char *buffer, size_t size) {
    bool low = least > -DBL_MAX, high = most < DBL_MAX, positive = least == CLI_POSITIVE;
    if (positive && high)
        snprintf(buffer, size, "a positive %s up to %.10g", kind, most);
    else if (positive)
        snprintf(buffer, size, "a positive %s", kind);
    else if (low && high)
        snprintf(buffer, size, "a %s from %.10g to %.10g", kind, least, most);
    else if (low)
        snprintf(buffer, size, "a %s, %.10g or more", kind, least);
    else if (high)
        snprintf(buffer, size, "a %s, %.10g or less", kind, most);
    else
        snprintf(buffer, size, "a %s", kind);
}

static bool read_number(const cli_args *args, const char *name, const char *text, const char *kind,
                        double least, double most, double *value) {
    char *end, range[NAME * 2], shown[QUOTE];
    double number = strtod(text, &end);
    bool whole = strcmp(kind, "number") == 0 || number == floor(number);
    if (end != text && !*end && isfinite(number) && whole && number >= least && number <= most) {
        *value = number;
        return true;
    }
    describe_range(kind, least, most, range, sizeof range);
    return refuse(args, "--%s must be %s, got '%s'", name, range, quoted(text, shown));
}

bool cli_number(const cli_args *args, const char *name, double least, double most, double *value) {
    const char *text = cli_value(args, name);
    return !text || read_number(args, name, text, "number", least, most, value);
}

bool cli_integer(const cli_args *args, const char *name, int least, int most, int *value) {
    const char *text = cli_value(args, name);
    double number;
    if (!text) return true;
    if (!read_number(args, name, text, "whole number", least, most, &number)) return false;
    *value = (int)number;
    return true;
}

bool cli_numbers(const cli_args *args, const char *name, double *value, int least, int most,
                 int *count) {
    const char *text = cli_value(args, name), *from = text;
    *count = 0;
    while (text) {
        char *rest;
        double number = strtod(from, &rest);
        bool fine = rest != from && isfinite(number) && (!*rest || *rest == ',') && *count < most;
        if (fine) value[(*count)++] = number;
        if (!fine || (!*rest && *count < least))
            return refuse(args, "--%s wants %d%s numbers with commas between them, got \"%s\"",
                          name, least, most > least ? " or more" : "", text);
        if (!*rest) break;
        from = rest + 1;
    }
    return true;
}

// ---- the whole program ----

static int run_command(const cli_program *program, const cli_command *command, int argc,
                       char *const *argv) {
    if (has_word(argc, argv, "--version", "-V")) {
        print_version(program);
        return CLI_DONE;
    }
    cli_args args;
    int status = CLI_WRONG_USE;
    if (!cli_parse(program, command, argc, argv, stderr, &args)) {
        if (!args.value) status = CLI_SAYS_NO;  // no memory
        goto done;
    }
    status = CLI_DONE;
    if (args.help) {
        cli_print_help(program, command, stdout);
    } else if (command == &cli_help_command) {
        const char *name = args.positional[0];
        const cli_command *subject = name ? find_command(program, name) : NULL;
        if (name && !subject) {
            args.command = NULL;  // the hint is the list of commands
            refuse_command(&args, name);
            status = CLI_WRONG_USE;
        } else {
            cli_print_help(program, subject, stdout);
        }
    } else {
        status = command->main(&args);
    }
done:
    cli_args_free(&args);
    return status;
}

// the options of the bare program; their names are those of cli_program_options
static int run_bare(const cli_program *program, int argc, char *const *argv) {
    const cli_args args = { .program = program, .errors = stderr };
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        if (argc > 2 && !is_option(argv[2]))
            return run_command(program, &cli_help_command, argc - 2, argv + 2);
        cli_print_help(program, NULL, stdout);
    } else if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        print_version(program);
    } else if (strcmp(word, "--manual") == 0) {
        cli_print_manual(program, stdout);
    } else if (strcmp(word, "--completion") == 0) {
        cli_print_completion(program, stdout);
    } else {
        refuse_option(&args, word, word + strspn(word, "-"));
        return CLI_WRONG_USE;
    }
    return CLI_DONE;
}

int cli_main(const cli_program *program, int argc, char *const *argv) {
    assert(cli_table_sound(program, stderr));
    if (argc < 2) {
        cli_print_help(program, NULL, stderr);
        return CLI_WRONG_USE;
    }
    int status = CLI_WRONG_USE;
    const cli_command *command = find_command(program, argv[1]);
    if (command)
        status = run_command(program, command, argc - 2, argv + 2);
    else if (argv[1][0] == '-')
        status = run_bare(program, argc, argv);
    else
        refuse_command(&(cli_args){ .program = program, .errors = stderr }, argv[1]);

    // what was printed must have arrived: a full disk is no success
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "%s: standard output could not be written\n", program->name);
        return CLI_WRONG_USE;
    }
    return status;
}
