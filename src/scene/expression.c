// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// expression.c - arithmetic in scenes, parsed once and evaluated at many times.
// in: text, names.   out: a postfix program in the arena.   work: a small stack of operands.
//
//     sum     = product { ("+" | "-") product }
//     product = signed { ("*" | "/") signed }
//     signed  = { "+" | "-" } power
//     power   = primary [ ("^" | "**") signed ]                     so -2^2 = -4, 2^3^2 = 512
//     primary = number | name | "(" sum ")" | function "(" sum { "," sum } ")"
//
// Rates come with the values as dual numbers, f(a + a'ε) = f(a) + f'(a) a' ε with ε² = 0: Griewank
// and Walther, Evaluating Derivatives, 2008. Where f has a corner the rate is that of the branch
// taken, and an argument that stands still (a' = 0) gives a result that stands still.

#define _POSIX_C_SOURCE 200809L

#include "scene/expression.h"

#include <assert.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggestion.h"

enum {
    DEEPEST = 100,     // levels of parentheses, calls and exponents
    OPERANDS = 512,    // a level leaves at most 3 operands waiting: f(a, b + c * (
    LONGEST = 100000,  // bytes of text
    SHOWN = 40,        // bytes of a word in a message
};

static const double pi = 3.14159265358979323846;

typedef enum operation {
    NUMBER,
    TIME,
    VARIABLE,
    NEGATE,  // from here on: takes one operand
    SIN,
    COS,
    TAN,
    ASIN,
    ACOS,
    ATAN,
    SINH,
    COSH,
    TANH,
    EXP,
    LOG,
    LOG10,
    SQRT,
    ABS,
    SGN,
    STEP,
    SQUARE_WAVE,
    RANDOM,
    FLOOR,
    CEIL,
    DEG,
    ADD,  // from here on: takes two
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    POWER,
    ATAN2,
    MOD,
    HYPOT,
    MIN,  // and these two, in a chain, any number
    MAX,
} operation;

typedef struct function {
    const char *name;
    operation op;
} function;

static const function functions[] = {
    { "sin", SIN },
    { "cos", COS },
    { "tan", TAN },
    { "asin", ASIN },
    { "acos", ACOS },
    { "atan", ATAN },
    { "atan2", ATAN2 },
    { "sinh", SINH },
    { "cosh", COSH },
    { "tanh", TANH },
    { "exp", EXP },
    { "log", LOG },
    { "log10", LOG10 },
    { "sqrt", SQRT },
    { "abs", ABS },
    { "sgn", SGN },
    { "step", STEP },
    { "floor", FLOOR },
    { "ceil", CEIL },
    { "mod", MOD },
    { "hypot", HYPOT },
    { "deg", DEG },
    { "min", MIN },
    { "max", MAX },
    { "square_wave", SQUARE_WAVE },
    { "random", RANDOM },
};
enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

typedef struct instruction {
    operation op;
    int number;    // of a VARIABLE
    double value;  // of a NUMBER
} instruction;

struct scree_expression {
    int count;
    bool varies;
    uint64_t uses[SCREE_EXPRESSION_VARIABLES / 64];  // bits of variables
    instruction *program;                            // (count), postfix
};

// --- dual numbers -------------------------------------------------------------------------------

// f(a) from its value, its slope f'(a) and a'; a' = 0 wins over an infinite slope, as in sqrt(0*t)
static scree_dual chain(double value, double slope, double rate) {
    return (scree_dual){ value, rate == 0 ? 0 : slope * rate };
}

static double sign(double x) { return isnan(x) ? x : (double)((x > 0) - (x < 0)); }

// in [0, 1), the same for the same x: its bits, mixed as splitmix64 does
static double random_of(double x) {
    uint64_t z;
    x += 0.0;  // -0 and 0 are one number
    if (isnan(x)) return x;
    memcpy(&z, &x, sizeof z);
    for (int round = 0; round < 2; round++) {
        z += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        z ^= z >> 31;
    }
    return (double)(z >> 11) * 0x1p-53;
}

static double square(double x) { return x * x; }

// the sign of sin(x), and 0 where x is a multiple of pi but for the rounding of x and pi
static double square_wave(double x) {
    double turns = round(x / pi);
    if (!isfinite(x)) return NAN;
    if (fabs(x - turns * pi) <= 8 * DBL_EPSILON * fabs(x)) return 0;
    return sign(sin(x));
}

static scree_dual dual_of_one(operation op, scree_dual a) {
    double x = a.value, rate = a.rate;
    switch (op) {
        case SIN:
            return chain(sin(x), cos(x), rate);
        case COS:
            return chain(cos(x), -sin(x), rate);
        case TAN:
            return chain(tan(x), 1 + square(tan(x)), rate);
        case ASIN:
            return chain(asin(x), 1 / sqrt((1 - x) * (1 + x)), rate);
        case ACOS:
            return chain(acos(x), -1 / sqrt((1 - x) * (1 + x)), rate);
        case ATAN:
            return chain(atan(x), 1 / (1 + x * x), rate);
        case SINH:
            return chain(sinh(x), cosh(x), rate);
        case COSH:
            return chain(cosh(x), sinh(x), rate);
        case TANH:
            return chain(tanh(x), 1 / square(cosh(x)), rate);
        case EXP:
            return chain(exp(x), exp(x), rate);
        case LOG:
            return chain(log(x), 1 / x, rate);
        case LOG10:
            return chain(log10(x), 1 / (x * log(10.0)), rate);
        case SQRT:
            return chain(sqrt(x), 0.5 / sqrt(x), rate);
        case ABS:
            return chain(fabs(x), sign(x), rate);
        case SGN:
            return (scree_dual){ sign(x), 0 };
        case STEP:
            return (scree_dual){ isnan(x) ? x : (double)(x >= 0), 0 };
        case SQUARE_WAVE:
            return (scree_dual){ square_wave(x), 0 };
        case RANDOM:
            return (scree_dual){ random_of(x), 0 };
        case FLOOR:
            return (scree_dual){ floor(x), 0 };
        case CEIL:
            return (scree_dual){ ceil(x), 0 };
        case DEG:
            return chain(x * (pi / 180), pi / 180, rate);
        default:  // NEGATE
            return (scree_dual){ -x, -rate };
    }
}

// a^b; a constant exponent takes any base, a varying one needs a > 0 (or a = 0 with b > 0)
static scree_dual dual_power(scree_dual a, scree_dual b) {
    double value = pow(a.value, b.value);
    double slope_a = b.value == 0 ? 0 : b.value * pow(a.value, b.value - 1);
    double slope_b = value == 0 ? 0 : value * log(a.value);
    scree_dual by_a = chain(value, slope_a, a.rate), by_b = chain(value, slope_b, b.rate);
    return (scree_dual){ value, by_a.rate + by_b.rate };
}

// the rest of a / b with the sign of b: mod(t, 2) is a sawtooth for negative t too
static scree_dual dual_mod(scree_dual a, scree_dual b) {
    double rest = fmod(a.value, b.value);
    if (rest != 0 && (rest < 0) != (b.value < 0)) rest += b.value;
    double turns = round((a.value - rest) / b.value);
    return (scree_dual){ rest, a.rate - chain(0, turns, b.rate).rate };
}

// the length r of (x, y), its angle, or their rates; scaled by r so that squares cannot overflow
static scree_dual dual_polar(operation op, scree_dual x, scree_dual y) {
    double r = hypot(x.value, y.value), angle = atan2(y.value, x.value);
    bool still = x.rate == 0 && y.rate == 0;
    double c = x.value / r, s = y.value / r;
    if (op == HYPOT) return chain(r, 1, still || r == 0 ? 0 : c * x.rate + s * y.rate);
    return chain(angle, 1, still ? 0 : (c * y.rate - s * x.rate) / r);
}

static scree_dual dual_of_two(operation op, scree_dual a, scree_dual b) {
    double quotient = a.value / b.value;
    switch (op) {
        case ADD:
            return (scree_dual){ a.value + b.value, a.rate + b.rate };
        case SUBTRACT:
            return (scree_dual){ a.value - b.value, a.rate - b.rate };
        case MULTIPLY:
            return (scree_dual){ a.value * b.value, a.rate * b.value + a.value * b.rate };
        case DIVIDE:
            return (scree_dual){ quotient, (a.rate - quotient * b.rate) / b.value };
        case POWER:
            return dual_power(a, b);
        case ATAN2:
            return dual_polar(op, b, a);
        case HYPOT:
            return dual_polar(op, a, b);
        case MOD:
            return dual_mod(a, b);
        case MIN:  // not a number stays not a number, unlike in fmin
            return b.value < a.value || isnan(b.value) ? b : a;
        default:  // MAX
            return b.value > a.value || isnan(b.value) ? b : a;
    }
}

// --- parsing ------------------------------------------------------------------------------------

typedef struct parser {
    const char *text, *at;
    const scree_names *names;
    scree_arena *arena;
    scree_expression *out;
    int depth, height;  // levels entered, operands waiting
    char *message;
    size_t size;
    int *offset;
} parser;

static bool sum(parser *p);

static bool fail(parser *p, const char *at, const char *format, ...) SCREE_PRINTF(3, 4);
static bool fail(parser *p, const char *at, const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(p->message, p->size, format, args);
    va_end(args);
    *p->offset = (int)(at - p->text);
    return false;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// may c begin a name? All of UTF-8 beyond ASCII may
static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c & 0x80);
}

static int name_length(const char *name) {
    int length = 0;
    while (is_letter(name[length]) || is_digit(name[length])) length++;
    return length;
}

// the next character that is not space
static char peek(parser *p) {
    while (*p->at == ' ' || *p->at == '\t' || *p->at == '\n' || *p->at == '\r') p->at++;
    return *p->at;
}

// bytes of a word to show, so that no UTF-8 character is cut in half
static int shown(const char *word, int length) {
    if (length <= SHOWN) return length;
    for (length = SHOWN; length > 0 && (word[length] & 0xC0) == 0x80;) length--;
    return length;
}

static bool fail_expected(parser *p, const char *expected) {
    char next = peek(p);
    int length = name_length(p->at);
    if (next == '\0') return fail(p, p->at, "expected %s but found the end", expected);
    if (next > 0 && next < ' ')
        return fail(p, p->at, "expected %s but found the character 0x%02X", expected,
                    (unsigned)next);
    return fail(p, p->at, "expected %s but found '%.*s'", expected,
                length > 0 ? shown(p->at, length) : 1, p->at);
}

// a level deeper; false when that is too deep
static bool enter(parser *p) {
    if (p->depth++ < DEEPEST) return true;
    return fail(p, p->at, "nested more than %d levels deep", DEEPEST);
}

static void emit_operand(parser *p, instruction operand) {
    p->out->program[p->out->count++] = operand;
    p->out->varies |= operand.op == TIME;
    if (operand.op == VARIABLE && operand.number < SCREE_EXPRESSION_VARIABLES)
        p->out->uses[operand.number / 64] |= UINT64_C(1) << operand.number % 64;
    p->height++;
    assert(p->height <= OPERANDS);
}

// append an operation, or do it now if its operands are numbers: an operand whose last instruction
// is a NUMBER is that number and nothing else
static void emit(parser *p, operation op) {
    int operands = op < ADD ? 1 : 2;
    instruction *end = p->out->program + p->out->count, *first = end - operands;
    p->height -= operands - 1;
    if (end[-1].op != NUMBER || first->op != NUMBER) {
        *end = (instruction){ .op = op };
        p->out->count++;
        return;
    }
    scree_dual a = { first->value, 0 }, b = { end[-1].value, 0 };
    first->value = (operands == 1 ? dual_of_one(op, a) : dual_of_two(op, a, b)).value;
    p->out->count -= operands - 1;
}

// correctly rounded, and with a decimal point whatever the host program's locale says
static bool convert(const char *text, double *value) {
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0) return false;
    locale_t before = uselocale(plain);
    *value = strtod(text, NULL);
    uselocale(before);
    freelocale(plain);
    return true;
}

static bool number(parser *p) {
    const char *begin = p->at, *c = begin;
    double value = 0;
    while (is_digit(*c)) c++;
    if (*c == '.') c++;
    while (is_digit(*c)) c++;
    if (c == begin + 1 && *begin == '.') return fail_expected(p, "a number, a name or '('");
    if (*c == 'e' || *c == 'E') {
        const char *digits = c + 1 + (c[1] == '+' || c[1] == '-');
        if (is_digit(*digits)) c = digits;
        while (is_digit(*c)) c++;
    }
    // what would read on in another way, such as 2l, 0x10, 1e and 1.2.3
    if (is_letter(*c))
        return fail(p, c, "expected an operator but found '%.*s'; write a product as %.*s*%.*s",
                    shown(c, name_length(c)), c, shown(begin, (int)(c - begin)), begin,
                    shown(c, name_length(c)), c);
    if (*c == '.') return fail(p, c, "a number cannot have a second decimal point");
    if (!convert(begin, &value)) return fail(p, begin, "memory ran out");
    if (!isfinite(value)) return fail(p, begin, "this number is too large");
    emit_operand(p, (instruction){ .op = NUMBER, .value = value });
    p->at = c;
    return true;
}

static bool same(const char *name, const char *word, int length) {
    return strncmp(name, word, (size_t)length) == 0 && name[length] == '\0';
}

static bool fail_unknown(parser *p, const char *word, int length, bool called) {
    if (same("e", word, length))
        return fail(p, word, "unknown name \"e\"; Euler's number is exp(1)");
    if (same("inf", word, length) || same("nan", word, length))
        return fail(p, word, "%.*s cannot be used: values must be finite", length, word);

    // functions are offered in any case, numbers only where one could stand
    int count = 0, most = FUNCTIONS + 2 + p->names->count + p->names->variables;
    const char **known = SCREE_NEW(p->arena, const char *, most);
    char *copy = scree_arena_text(p->arena, word, (size_t)length);
    for (int n = 0; known && !called && n < p->names->count; n++)
        known[count++] = p->names->name[n];
    for (int n = 0; known && !called && n < p->names->variables; n++)
        known[count++] = p->names->variable[n];
    if (known && !called) known[count++] = "pi";
    if (known && !called && p->names->time) known[count++] = "t";
    for (int f = 0; known && f < FUNCTIONS; f++) known[count++] = functions[f].name;

    const char *kind = called ? "function" : "name";
    const char *nearest = copy ? scree_suggestion(copy, known, count) : NULL;
    int show = shown(word, length);
    if (!nearest) return fail(p, word, "unknown %s \"%.*s\"", kind, show, word);
    return fail(p, word, "unknown %s \"%.*s\", did you mean \"%s\"?", kind, show, word, nearest);
}

static bool fail_arguments(parser *p, const char *at, const function *f, int got) {
    int need = f->op < ADD ? 1 : 2;
    return fail(p, at, "function %s takes %s%d argument%s, got %d", f->name,
                f->op >= MIN ? "at least " : "", need, need > 1 ? "s" : "", got);
}

// arguments of f, from behind its name on
static bool call(parser *p, const char *name, const function *f) {
    if (peek(p) != '(')
        return fail(p, name, "function %s needs parentheses: %s(...)", f->name, f->name);
    if (!enter(p)) return false;
    p->at++;
    if (peek(p) == ')') return fail_arguments(p, name, f, 0);
    int need = f->op < ADD ? 1 : 2, got = 0;
    for (bool more = true; more; more = *p->at++ == ',') {
        int count = p->out->count, height = p->height;
        if (!sum(p)) return false;
        got++;
        // min and max chain as they read; arguments too many are counted and forgotten
        if (got > 1 && f->op >= MIN) emit(p, f->op);
        if (got > need && f->op < MIN) {
            p->out->count = count;
            p->height = height;
        }
        if (peek(p) != ',' && *p->at != ')') return fail_expected(p, "an operator, ',' or ')'");
    }
    if (got < need || (got > need && f->op < MIN)) return fail_arguments(p, name, f, got);
    if (f->op < MIN) emit(p, f->op);
    p->depth--;
    return true;
}

// a name that stands for a number, from behind it on
static bool named_number(parser *p, const char *name, int length, instruction operand) {
    if (peek(p) == '(')
        return fail(p, name, "%.*s is a number, not a function; write a product with '*'",
                    shown(name, length), name);
    emit_operand(p, operand);
    return true;
}

// variable number n, or its velocity
static bool named_variable(parser *p, const char *name, int length, int n) {
    const scree_names *names = p->names;
    bool velocity = *p->at == '\'';
    if (velocity && n >= names->coordinates)
        return fail(p, name, "only coordinates have a velocity, and %.*s is none",
                    shown(name, length), name);
    if (velocity && !names->velocity)
        return fail(p, name, "%.*s' (a velocity) cannot be used here", shown(name, length), name);
    p->at += velocity;
    int number = n + (velocity ? names->variables : 0);
    return named_number(p, name, length + velocity, (instruction){ VARIABLE, number, 0 });
}

// variables of bodies, as in wall-2.x: they reach as far as the longest that fits; its number or -1
static int dotted(const parser *p, int *length) {
    int found = -1;
    for (int n = 0; n < p->names->variables; n++) {
        const char *name = p->names->variable[n];
        int whole = (int)strlen(name);
        bool longer = found < 0 || whole > *length;
        if (!strchr(name, '.') || !longer || strncmp(p->at, name, (size_t)whole) != 0) continue;
        if (is_letter(p->at[whole]) || is_digit(p->at[whole])) continue;
        found = n;
        *length = whole;
    }
    return found;
}

static bool named(parser *p) {
    const char *name = p->at;
    int length = name_length(name), of_body = dotted(p, &length);
    p->at += length;
    if (of_body >= 0) return named_variable(p, name, length, of_body);
    for (int n = 0; n < p->names->count; n++)
        if (same(p->names->name[n], name, length)) {
            if (p->names->time && same("t", name, length))
                return fail(p, name, "t is a parameter of this scene: write time for the time");
            return named_number(p, name, length,
                                (instruction){ .op = NUMBER, .value = p->names->value[n] });
        }
    for (int n = 0; n < p->names->variables; n++)
        if (same(p->names->variable[n], name, length)) return named_variable(p, name, length, n);
    if (same("t", name, length) || same("time", name, length)) {
        if (!p->names->time) return fail(p, name, "t (time) cannot be used here");
        return named_number(p, name, length, (instruction){ .op = TIME });
    }
    if (same("pi", name, length))
        return named_number(p, name, length, (instruction){ .op = NUMBER, .value = pi });
    for (int f = 0; f < FUNCTIONS; f++)
        if (same(functions[f].name, name, length)) return call(p, name, &functions[f]);
    return fail_unknown(p, name, length, peek(p) == '(');
}

static bool primary(parser *p) {
    char c = peek(p);
    if (is_digit(c) || c == '.') return number(p);
    if (is_letter(c)) return named(p);
    if (c != '(') return fail_expected(p, "a number, a name or '('");
    if (!enter(p)) return false;
    p->at++;
    if (!sum(p)) return false;
    if (peek(p) != ')') return fail_expected(p, "an operator or ')'");
    p->at++;
    p->depth--;
    return true;
}

static bool power(parser *p);

// signs in a row are counted, not nested
static bool with_sign(parser *p) {
    bool negative = false;
    for (; peek(p) == '+' || *p->at == '-'; p->at++) negative ^= *p->at == '-';
    if (!power(p)) return false;
    if (negative) emit(p, NEGATE);
    return true;
}

static bool power(parser *p) {
    if (!primary(p)) return false;
    char c = peek(p);
    bool stars = c == '*' && p->at[1] == '*';
    if (c != '^' && !stars) return true;
    if (!enter(p)) return false;
    p->at += stars ? 2 : 1;
    if (!with_sign(p)) return false;
    emit(p, POWER);
    p->depth--;
    return true;
}

static bool product(parser *p) {
    if (!with_sign(p)) return false;
    while (peek(p) == '*' || *p->at == '/') {
        operation op = *p->at++ == '*' ? MULTIPLY : DIVIDE;
        if (!with_sign(p)) return false;
        emit(p, op);
    }
    return true;
}

static bool sum(parser *p) {
    if (!product(p)) return false;
    while (peek(p) == '+' || *p->at == '-') {
        operation op = *p->at++ == '+' ? ADD : SUBTRACT;
        if (!product(p)) return false;
        emit(p, op);
    }
    return true;
}

static bool whole(parser *p) {
    if (peek(p) == '\0') return fail(p, p->text, "the expression is empty");
    if (!sum(p)) return false;
    if (peek(p) == ',' && p->at > p->text && is_digit(p->at[-1]) && is_digit(p->at[1]))
        return fail(p, p->at, "found ',': decimals are written with a point");
    return *p->at == '\0' || fail_expected(p, "an operator or the end");
}

scree_expression *scree_expression_parse(const char *text, const scree_names *names,
                                         scree_arena *arena, char *message, size_t size,
                                         int *offset) {
    parser p = { .text = text, .at = text, .names = names, .arena = arena };
    p.message = message;
    p.size = size;
    p.offset = offset;
    size_t length = strlen(text);
    if (length > LONGEST) {
        fail(&p, text + LONGEST, "an expression has at most %d characters", LONGEST);
        return NULL;
    }
    // every instruction takes at least one character
    p.out = SCREE_NEW(arena, scree_expression, 1);
    instruction *program = SCREE_NEW(arena, instruction, length);
    if (!p.out || !program) {
        fail(&p, text, "memory ran out");
        return NULL;
    }
    p.out->program = program;
    return whole(&p) ? p.out : NULL;
}

// --- evaluating ---------------------------------------------------------------------------------

static scree_dual evaluate(const scree_expression *expression, scree_dual t,
                           const scree_dual *variable) {
    scree_dual stack[OPERANDS];
    int height = 0;
    for (int i = 0; i < expression->count; i++) {
        const instruction *next = &expression->program[i];
        if (next->op == NUMBER) {
            stack[height++] = (scree_dual){ next->value, 0 };
        } else if (next->op == TIME) {
            stack[height++] = t;
        } else if (next->op == VARIABLE) {
            stack[height++] = variable[next->number];
        } else if (next->op < ADD) {
            stack[height - 1] = dual_of_one(next->op, stack[height - 1]);
        } else {
            height--;
            stack[height - 1] = dual_of_two(next->op, stack[height - 1], stack[height]);
        }
    }
    return stack[0];
}

scree_dual scree_expression_at(const scree_expression *expression, double t) {
    return evaluate(expression, (scree_dual){ t, 1 }, NULL);
}

scree_dual scree_expression_along(const scree_expression *expression, double t,
                                  const scree_dual *variable) {
    return evaluate(expression, (scree_dual){ t, 0 }, variable);
}

scree_dual scree_expression_in_time(const scree_expression *expression, double t,
                                    const scree_dual *variable) {
    return evaluate(expression, (scree_dual){ t, 1 }, variable);
}

bool scree_expression_varies(const scree_expression *expression) { return expression->varies; }

bool scree_expression_uses(const scree_expression *expression, int variable) {
    const uint64_t *uses = expression->uses;
    if (variable < 0) return (uses[0] | uses[1] | uses[2]) != 0;
    return variable < SCREE_EXPRESSION_VARIABLES && uses[variable / 64] >> variable % 64 & 1;
}

bool scree_expression_is_function(const char *name) {
    for (int f = 0; f < FUNCTIONS; f++)
        if (strcmp(functions[f].name, name) == 0) return true;
    return false;
}
