// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// test_expression.c - expressions in scenes: closed values, exact rates, every message, an
// independent judge in long double that writes and evaluates random expressions, and mangled text.
// Longer than 600 lines for its lists of values and messages.

#include <float.h>
#include <limits.h>
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggestion.h"
#include "harness.h"
#include "scene/expression.h"

static const double pi = 3.14159265358979323846;

static const char *const parameter_names[] = { "l", "radius", "mu_0", "\xC3\xA4", "max" };
static const double parameter_values[] = { 2.5, -0.75, 0.3, 7, 11 };

static scree_names names_of(bool time) {
    return (scree_names){
        .count = 4, .name = parameter_names, .value = parameter_values, .time = time
    };
}

static scree_dual at(const char *text, double t) {
    scree_arena arena = { 0 };
    scree_names names = names_of(true);
    char message[200] = "";
    int offset = -1;
    scree_dual result = { NAN, NAN };
    scree_expression *e =
        scree_expression_parse(text, &names, &arena, message, sizeof message, &offset);
    if (e)
        result = scree_expression_at(e, t);
    else
        COMPLAIN("%s: at %d: %s", text, offset, message);
    scree_arena_free(&arena);
    return result;
}

static double value(const char *text) { return at(text, 0).value; }
static double rate(const char *text, double t) { return at(text, t).rate; }

// the same double, with infinities and the sign of zero; all NaN are one
#define CHECK_SAME(got, expected)                                                          \
    do {                                                                                   \
        double got_ = (got), want_ = (expected);                                           \
        bool same_ = isnan(want_) ? isnan(got_) : memcmp(&got_, &want_, sizeof got_) == 0; \
        if (!same_) COMPLAIN("%s = %.17g, expected %.17g", #got, got_, want_);             \
    } while (0)

static void numbers_are_rounded_correctly(void) {
#define LITERAL(x) CHECK_SAME(value(#x), x)
    LITERAL(0.1);
    LITERAL(.5);
    LITERAL(5.);
    LITERAL(007.25);
    LITERAL(1e23);
    LITERAL(8.5e+22);
    LITERAL(1E-7);
    LITERAL(9007199254740993.0);
    LITERAL(2.2250738585072011e-308);
    LITERAL(2.2250738585072014e-308);
    LITERAL(5e-324);
    LITERAL(1.7976931348623157e308);
    LITERAL(123456789012345678901234567890.0);
    LITERAL(0.30000000000000004440892098500626161694526672363281250);
    LITERAL(1.00000000000000011102230246251565404236316680908203125);
    LITERAL(1.00000000000000011102230246251565404236316680908203126);
#undef LITERAL
    CHECK_SAME(value("2.4703282292062327e-324"), 0.0);
    CHECK_SAME(value("2.4703282292062328e-324"), 4.9406564584124654e-324);
}

// a host program may have set any locale; where none with a comma is installed nothing is tested
static void numbers_ignore_the_locale(void) {
    const char *comma[] = { "de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "de_AT.UTF-8" };
    for (int i = 0; i < 5 && !setlocale(LC_ALL, comma[i]);) i++;
    CHECK_SAME(value("1.5 + .25e1"), 4.0);
    char *before = setlocale(LC_NUMERIC, NULL);
    CHECK_SAME(value("2.5"), 2.5);
    CHECK_TEXT(setlocale(LC_NUMERIC, NULL), before);
    setlocale(LC_ALL, "C");
}

static void precedence(void) {
    CHECK_SAME(value("1 + 2 * 3"), 7.0);
    CHECK_SAME(value("(1 + 2) * 3"), 9.0);
    CHECK_SAME(value("10 - 4 - 3"), 3.0);
    CHECK_SAME(value("24 / 4 / 3"), 2.0);
    CHECK_SAME(value("24 / 4 * 3"), 18.0);
    CHECK_SAME(value("-2^2"), -4.0);
    CHECK_SAME(value("(-2)^2"), 4.0);
    CHECK_SAME(value("2^3^2"), 512.0);
    CHECK_SAME(value("2**3**2"), 512.0);
    CHECK_SAME(value("2^-1"), 0.5);
    CHECK_SAME(value("2^-1^2"), 0.5);
    CHECK_SAME(value("2^-2^-1"), pow(2, -0.5));
    CHECK_SAME(value("-2^-2"), -0.25);
    CHECK_SAME(value("2*3^2"), 18.0);
    CHECK_SAME(value("2^2*3"), 12.0);
    CHECK_SAME(value("2*-3"), -6.0);
    CHECK_SAME(value("2--3"), 5.0);
    CHECK_SAME(value("- -+-3"), -3.0);
    CHECK_SAME(value("1-2^2"), -3.0);
    CHECK_SAME(value(" \t\n\r2\n*\t( 3 ) "), 6.0);
    CHECK_SAME(value("-0"), -0.0);
    CHECK_SAME(value("1/0"), INFINITY);
    CHECK_SAME(value("0/0"), NAN);
}

static void functions_and_names(void) {
    CHECK_SAME(value("pi"), pi);
    CHECK_SAME(value("deg(30)"), pi / 6);
    CHECK_SAME(value("deg(-180)"), -pi);
    CHECK_SAME(value("sin(pi/6)"), sin(pi / 6));
    CHECK_SAME(value("cos(1)"), cos(1));
    CHECK_SAME(value("tan(1)"), tan(1));
    CHECK_SAME(value("asin(0.5) + acos(0.5) + atan(2)"), asin(0.5) + acos(0.5) + atan(2));
    CHECK_SAME(value("atan2(1, -1)"), 3 * pi / 4);
    CHECK_SAME(value("atan2(-1, 0)"), -pi / 2);
    CHECK_SAME(value("sinh(1)"), sinh(1));
    CHECK_SAME(value("cosh(1)"), cosh(1));
    CHECK_SAME(value("tanh(1)"), tanh(1));
    CHECK_SAME(value("exp(1)"), exp(1));
    CHECK_SAME(value("log(exp(1))"), 1.0);
    CHECK_SAME(value("log10(1000)"), 3.0);
    CHECK_SAME(value("sqrt(2)"), sqrt(2));
    CHECK_SAME(value("sqrt(-1)"), NAN);
    CHECK_SAME(value("abs(-3) + abs(2)"), 5.0);
    CHECK_SAME(value("min(3, 1, 2) + 10 * max(3, 1, 5, 2)"), 51.0);
    CHECK_SAME(value("min(0/0, 1)"), NAN);
    CHECK_SAME(value("max(1, 0/0)"), NAN);
    CHECK_SAME(value("max(1, 0/0, 2)"), NAN);
    CHECK_SAME(value("100*sgn(-2) + 10*sgn(0) + sgn(5)"), -99.0);
    CHECK_SAME(value("sgn(0/0)"), NAN);
    CHECK_SAME(value("100*step(-1e-300) + 10*step(0) + step(2)"), 11.0);
    CHECK_SAME(value("step(-0)"), 1.0);
    CHECK_SAME(value("step(0/0)"), NAN);
    CHECK_SAME(value("square_wave(0/0)"), NAN);
    CHECK_SAME(value("square_wave(1/0)"), NAN);
    CHECK_SAME(value("floor(-1.5) + 10*ceil(-1.5)"), -12.0);
    CHECK_SAME(value("mod(7, 3)"), 1.0);
    CHECK_SAME(value("mod(-7, 3)"), 2.0);
    CHECK_SAME(value("mod(7, -3)"), -2.0);
    CHECK_SAME(value("mod(-7, -3)"), -1.0);
    CHECK_SAME(value("mod(6, -3)"), 0.0);
    CHECK_SAME(value("mod(1, 0)"), NAN);
    CHECK_SAME(value("hypot(3, 4)"), 5.0);
    CHECK_SAME(value("hypot(3*2^900, 4*2^900)/2^900"), 5.0);
    CHECK_SAME(value("2*l - radius"), 5.75);
    CHECK_SAME(value("mu_0*\xC3\xA4"), 0.3 * 7);
    CHECK_SAME(at("t", 1.25).value, 1.25);
}

// sin(4*pi*t) is not 0 at t = 0.25, but the wave is, and everywhere else it is 1 or -1
static void square_waves_are_zero_at_their_jumps(void) {
    for (int k = 0; k <= 40000; k++) {
        double t = k * 1e-4, expected = k % 2500 == 0 ? 0 : (k / 2500) % 2 ? -1 : 1;
        CHECK_SAME(at("square_wave(4*pi*t)", t).value, expected);
        CHECK_SAME(at("square_wave(-4*pi*t)", t).value, expected == 0 ? 0 : -expected);
    }
    CHECK(at("sin(4*pi*t)", 0.25).value != 0);
    CHECK_SAME(value("square_wave(1e-300) - square_wave(-1e-300)"), 2.0);
    CHECK_SAME(value("square_wave(1e6*pi) + square_wave(1e6*pi + 1e-6)"), 1.0);
    CHECK_SAME(rate("square_wave(4*pi*t)", 0.25), 0.0);
}

static void parameters_hide_functions(void) {
    scree_arena arena = { 0 };
    scree_names names = { .count = 5, .name = parameter_names, .value = parameter_values };
    char message[200];
    int offset;
    scree_expression *e = scree_expression_parse("2*max", &names, &arena, message, 200, &offset);
    CHECK(e && !scree_expression_varies(e));
    if (e) CHECK_SAME(scree_expression_at(e, 0).value, 22.0);
    CHECK(!scree_expression_parse("1+max(1, 2)", &names, &arena, message, 200, &offset));
    CHECK_TEXT(message, "max is a number, not a function; write a product with '*'");
    CHECK_INT(offset, 2);
    scree_arena_free(&arena);
}

static void varies_when_t_occurs(void) {
    const char *texts[] = { "1 + 2", "l*pi", "t", "0*t", "min(1, sin(2*t))" };
    scree_arena arena = { 0 };
    scree_names names = names_of(true);
    char message[200];
    int offset;
    for (int i = 0; i < 5; i++) {
        scree_expression *e =
            scree_expression_parse(texts[i], &names, &arena, message, 200, &offset);
        CHECK(e && scree_expression_varies(e) == (i >= 2));
    }
    scree_arena_free(&arena);
}

static void rates_of_closed_form(void) {
    CHECK_SAME(rate("3", 1), 0.0);
    CHECK_SAME(rate("sqrt(0) + log(l)", 1), 0.0);
    CHECK_SAME(rate("t", 5), 1.0);
    CHECK_SAME(rate("-t", 5), -1.0);
    CHECK_SAME(rate("3*t^2 - t/4", 2), 11.75);
    CHECK_SAME(rate("t^3", -2), 12.0);
    CHECK_SAME(rate("t^-1", -2), -0.25);
    CHECK_NEAR(rate("2^t", 3), 8 * log(2), 1e-14);
    CHECK_NEAR(rate("t^t", 2), 4 * (1 + log(2)), 1e-14);
    CHECK_NEAR(rate("sin(3*t)", 0.2), 3 * cos(0.6), 1e-15);
    CHECK_NEAR(rate("1/t", 4), -1.0 / 16, 0);
    CHECK_NEAR(rate("atan2(sin(t), cos(t))", 0.7), 1, 1e-15);
    CHECK_NEAR(rate("atan2(sin(t), cos(t))", 2.7), 1, 1e-15);
    CHECK_NEAR(rate("hypot(3*t, 4*t)", 2), 5, 1e-15);
    CHECK_NEAR(rate("tanh(t)", 20), 4 * exp(-40), 1e-30);
    CHECK_SAME(rate("tanh(t)", 1000), 0.0);
    CHECK_NEAR(rate("mod(t, 2)", -0.5), 1, 0);
    CHECK_NEAR(rate("mod(7, t)", 3), -2, 0);
    CHECK_NEAR(rate("deg(t)", 1), pi / 180, 0);
}

static void rates_at_corners_and_jumps(void) {
    CHECK_SAME(rate("abs(t)", 0), 0.0);
    CHECK_SAME(rate("abs(t)", -1), -1.0);
    CHECK_SAME(rate("sgn(t) + floor(t) + ceil(t) + step(t)", 0), 0.0);
    CHECK_SAME(rate("min(t, 2*t)", 0), 1.0);
    CHECK_SAME(rate("min(t, 2*t)", -1), 2.0);
    CHECK_SAME(rate("max(t, 2*t, 3)", 1), 0.0);
    CHECK_SAME(rate("max(t, 2*t, 3)", 2), 2.0);
    // powers of zero
    CHECK_SAME(rate("t^0", 0), 0.0);
    CHECK_SAME(rate("t^1", 0), 1.0);
    CHECK_SAME(rate("t^2", 0), 0.0);
    CHECK_SAME(rate("t^1.5", 0), 0.0);
    CHECK_SAME(rate("t^0.5", 0), INFINITY);
    CHECK_SAME(rate("(0*t)^0.5", 1), 0.0);
    CHECK_SAME(rate("0^t", 2), 0.0);
    CHECK_SAME(at("t^0", 0).value, 1.0);
    // an argument that stands still beats an infinite slope
    CHECK_SAME(rate("sqrt(0*t)", 1), 0.0);
    CHECK_SAME(rate("sqrt(t)", 0), INFINITY);
    CHECK_SAME(rate("asin(1 + 0*t)", 1), 0.0);
    CHECK_SAME(rate("hypot(t, 0)", 0), 0.0);
    CHECK(!isfinite(rate("log(t)", 0)));
}

// --- messages -----------------------------------------------------------------------------------

static void refused(const char *text, int offset, const char *message) {
    scree_arena arena = { 0 };
    scree_names names = names_of(!strstr(message, "time"));
    char got[300] = "";
    int got_offset = -1;
    if (scree_expression_parse(text, &names, &arena, got, sizeof got, &got_offset))
        COMPLAIN("taken: %s", text);
    if (got_offset != offset || strcmp(got, message) != 0)
        COMPLAIN("%s: at %d: %s; expected at %d: %s", text, got_offset, got, offset, message);
    scree_arena_free(&arena);
}

#define OPERAND "expected a number, a name or '(' "
#define OPERATOR "expected an operator or the end "

static void mistakes_of_grammar(void) {
    refused("", 0, "the expression is empty");
    refused(" \n", 0, "the expression is empty");
    refused("1 +", 3, OPERAND "but found the end");
    refused("1 + )", 4, OPERAND "but found ')'");
    refused("*2", 0, OPERAND "but found '*'");
    refused("2***3", 3, OPERAND "but found '*'");
    refused("2^", 2, OPERAND "but found the end");
    refused(".", 0, OPERAND "but found '.'");
    refused("1 + .e5", 4, OPERAND "but found '.'");
    refused("(1 + 2", 6, "expected an operator or ')' but found the end");
    refused("(1 2)", 3, "expected an operator or ')' but found '2'");
    refused("()", 1, OPERAND "but found ')'");
    refused("1 + 2)", 5, OPERATOR "but found ')'");
    refused("1 < 2", 2, OPERATOR "but found '<'");
    refused("l radius", 2, OPERATOR "but found 'radius'");
    refused("1 \x01", 2, OPERATOR "but found the character 0x01");
    refused("1,5", 1, "found ',': decimals are written with a point");
    refused("1, 5", 1, OPERATOR "but found ','");
    refused("sin(1", 5, "expected an operator, ',' or ')' but found the end");
    refused("sin(1;", 5, "expected an operator, ',' or ')' but found ';'");
    refused("min(1,)", 6, OPERAND "but found ')'");
}

static void mistakes_of_numbers(void) {
    refused("3 + 2l", 5, "expected an operator but found 'l'; write a product as 2*l");
    refused("0x10", 1, "expected an operator but found 'x10'; write a product as 0*x10");
    refused("1e", 1, "expected an operator but found 'e'; write a product as 1*e");
    refused("1e+", 1, "expected an operator but found 'e'; write a product as 1*e");
    refused("1.2.3", 3, "a number cannot have a second decimal point");
    refused("1..2", 2, "a number cannot have a second decimal point");
    refused("1 - 1e309", 4, "this number is too large");
    refused("1.5e5.5", 5, "a number cannot have a second decimal point");
}

static void mistakes_of_names(void) {
    refused("1 + t", 4, "t (time) cannot be used here");
    refused("e", 0, "unknown name \"e\"; Euler's number is exp(1)");
    refused("-inf", 1, "inf cannot be used: values must be finite");
    refused("nan", 0, "nan cannot be used: values must be finite");
    refused("2*raduis", 2, "unknown name \"raduis\", did you mean \"radius\"?");
    refused("PI", 0, "unknown name \"PI\", did you mean \"pi\"?");
    refused("Sin(1)", 0, "unknown function \"Sin\", did you mean \"sin\"?");
    refused("sqr(2)", 0, "unknown function \"sqr\", did you mean \"sqrt\"?");
    refused("radiu(2)", 0, "unknown function \"radiu\"");
    refused("velocity", 0, "unknown name \"velocity\"");
    refused("x", 0, "unknown name \"x\"");
    refused("sin + 1", 0, "function sin needs parentheses: sin(...)");
    refused("1 + 2*l (3)", 6, "l is a number, not a function; write a product with '*'");
    refused("pi(3)", 0, "pi is a number, not a function; write a product with '*'");
    refused("1+sin(1, 2)", 2, "function sin takes 1 argument, got 2");
    refused("cos()", 0, "function cos takes 1 argument, got 0");
    refused("atan2(1)", 0, "function atan2 takes 2 arguments, got 1");
    refused("mod(1,2,3)", 0, "function mod takes 2 arguments, got 3");
    refused("min(1)", 0, "function min takes at least 2 arguments, got 1");
    refused("max()", 0, "function max takes at least 2 arguments, got 0");
}

// begin, then middle count times, then end
static char *repeated(const char *begin, const char *middle, int count, const char *end) {
    size_t step = strlen(middle), first = strlen(begin);
    char *text = malloc(first + step * (size_t)count + strlen(end) + 1);
    strcpy(text, begin);
    for (int i = 0; i < count; i++) memcpy(text + first + step * (size_t)i, middle, step);
    strcpy(text + first + step * (size_t)count, end);
    return text;
}

static void nesting_has_an_end(void) {
    const char *openings[] = { "(", "sin(", "2^", "max(1,2+3*", "(1+2*" };
    for (int o = 0; o < 5; o++) {
        char *text = repeated("", openings[o], 20000 / (int)strlen(openings[o]), "1");
        char message[200] = "";
        int offset = -1;
        scree_arena arena = { 0 };
        scree_names names = names_of(true);
        CHECK(!scree_expression_parse(text, &names, &arena, message, 200, &offset));
        CHECK_TEXT(message, "nested more than 100 levels deep");
        CHECK(offset >= 100 && offset <= 1010);
        scree_arena_free(&arena);
        free(text);
    }
}

static void nesting_goes_that_far(void) {
    // exactly 100 levels, with as many operands waiting as can be
    char *close = repeated("", ")", 100, ""), *text = repeated("", "(", 100, "7");
    char *both = repeated(text, close, 1, "");
    CHECK_SAME(value(both), 7.0);
    free(both);
    free(text);
    text = repeated("t^2+2*", "max(t-9,t+t*", 100, "t");
    both = repeated(text, close, 1, "");
    CHECK(isfinite(at(both, 0.5).value));
    free(both);
    free(text);
    free(close);
    // in a row is not nested
    text = repeated("", "-", 50001, "1");
    CHECK_SAME(value(text), -1.0);
    free(text);
    text = repeated("max(0", ",t", 20000, ")");
    CHECK_SAME(rate(text, 1), 1.0);
    free(text);
    text = repeated("0", "+t", 20000, "");
    CHECK_SAME(rate(text, 1), 20000.0);
    free(text);
    text = repeated("sin(0", ",t", 20000, ")");
    refused(text, 0, "function sin takes 1 argument, got 20001");
    free(text);
    text = repeated("", " ", 100001, "1");
    refused(text, 100000, "an expression has at most 100000 characters");
    free(text);
}

static void messages_fit_and_keep_characters_whole(void) {
    char *word = repeated("x", "\xC3\xA4", 100, "");
    scree_arena arena = { 0 };
    scree_names names = names_of(true);
    char message[200], tiny[8];
    int offset;
    CHECK(!scree_expression_parse(word, &names, &arena, message, sizeof message, &offset));
    CHECK_INT(strlen(message), strlen("unknown name \"\"") + 39);
    CHECK(!scree_expression_parse(word, &names, &arena, tiny, sizeof tiny, &offset));
    CHECK_TEXT(tiny, "unknown");
    CHECK(!scree_expression_parse(word, &names, &arena, NULL, 0, &offset));
    scree_arena_free(&arena);
    free(word);
}

static void nearest_words(void) {
    const char *words[] = { "mass", "masses", "restitution", "friction", "at", "x1" };
    CHECK_TEXT(scree_suggestion("mas", words, 6), "mass");
    CHECK_TEXT(scree_suggestion("MASS", words, 6), "mass");
    CHECK_TEXT(scree_suggestion("amss", words, 6), "mass");
    CHECK_TEXT(scree_suggestion("massse", words, 6), "masses");
    CHECK_TEXT(scree_suggestion("restution", words, 6), "restitution");
    CHECK_TEXT(scree_suggestion("frcition", words, 6), "friction");
    CHECK_TEXT(scree_suggestion("fraction", words, 6), "friction");
    CHECK_TEXT(scree_suggestion("ta", words, 6), "at");
    CHECK_TEXT(scree_suggestion("x", words, 6), "x1");
    CHECK(!scree_suggestion("mxyz", words, 6));
    CHECK(!scree_suggestion("y", words, 6));
    CHECK(!scree_suggestion("", words, 6));
    CHECK(!scree_suggestion("mass", words, 0));
    char *longer = repeated("", "mass", 100, "");
    const char *same[] = { longer };
    CHECK(!scree_suggestion(longer, same, 1) && !scree_suggestion("mass", same, 1));
    free(longer);
}

// --- random expressions and an independent judge ------------------------------------------------

static uint64_t random_state;

static unsigned draw(unsigned below) {
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((random_state >> 33) % below);
}

// An expression is written and evaluated at once, in long double, at t + {-2, -1, 0, 1, 2} h.
enum { TIMES = 5 };
typedef struct judged {
    long double v[TIMES];
} judged;

typedef struct author {
    char text[4096];
    int length;
    double t;
    long double h;
    long double largest;  // magnitude met on the way, a measure of the rounding to expect
    bool unfair;          // met on the way: not a number, underflow, a jump, or next to one
} author;

static void put(author *a, const char *text) {
    for (; *text && a->length + 1 < (int)sizeof a->text; text++) a->text[a->length++] = *text;
    a->text[a->length] = '\0';
    if (draw(8) == 0 && a->length + 1 < (int)sizeof a->text) {
        a->text[a->length++] = ' ';
        a->text[a->length] = '\0';
    }
}

static judged noted(author *a, judged x) {
    for (int k = 0; k < TIMES; k++) {
        a->unfair |= isnan(x.v[k]) || (x.v[k] != 0 && fabsl(x.v[k]) < 1e-30L);
        if (fabsl(x.v[k]) > a->largest) a->largest = fabsl(x.v[k]);
    }
    return x;
}

// integers between or near the values: a jump that rounding or a difference could meet
static void watch_jump(author *a, judged x) {
    for (int k = 0; k < TIMES; k++) {
        a->unfair |= floorl(x.v[k]) != floorl(x.v[0]) || fabsl(x.v[k]) > 1e4L;
        a->unfair |= fabsl(x.v[k] - roundl(x.v[k])) < 1e-7L;
    }
}

// the edges of asin and acos, and the ends of tanh, where double and long double part
static void watch_edge(author *a, judged x) {
    for (int k = 0; k < TIMES; k++) a->unfair |= fabsl(fabsl(x.v[k]) - 1) < 1e-6L;
}

static judged write_sum(author *a, int depth);

static long double judge_log10(long double x) { return logl(x) / logl(10); }
static long double judge_sgn(long double x) { return (x > 0) - (x < 0); }
static long double judge_step(long double x) { return x >= 0; }
static long double judge_deg(long double x) { return x * (acosl(-1) / 180); }
static long double judge_min(long double x, long double y) { return x < y ? x : y; }
static long double judge_max(long double x, long double y) { return x > y ? x : y; }
static long double judge_mod(long double x, long double y) { return x - y * floorl(x / y); }

static const struct {
    const char *name;
    long double (*f)(long double);
} one[] = {
    { "sin", sinl },   { "cos", cosl },      { "tan", tanl },          { "asin", asinl },
    { "acos", acosl }, { "atan", atanl },    { "sinh", sinhl },        { "cosh", coshl },
    { "tanh", tanhl }, { "exp", expl },      { "log", logl },          { "sqrt", sqrtl },
    { "abs", fabsl },  { "deg", judge_deg }, { "log10", judge_log10 }, { "floor", floorl },
    { "ceil", ceill }, { "sgn", judge_sgn }, { "step", judge_step },
};
static const struct {
    const char *name;
    long double (*f)(long double, long double);
} two[] = {
    { "atan2", atan2l },  { "hypot", hypotl },  { "min", judge_min },
    { "max", judge_max }, { "mod", judge_mod },
};
enum { ONE = sizeof one / sizeof one[0], JUMPS = ONE - 4, TWO = sizeof two / sizeof two[0] };

static judged write_primary(author *a, int depth) {
    judged x, y;
    unsigned kind = depth <= 0 ? draw(3) : draw(8);
    if (kind == 0) {
        // eighths are exact in binary and in decimal
        char digits[16];
        double number = (1 + draw(32)) / 8.0;
        snprintf(digits, sizeof digits, "%g", number);
        put(a, digits);
        for (int k = 0; k < TIMES; k++) x.v[k] = (long double)number;
    } else if (kind == 1) {
        put(a, "l");
        for (int k = 0; k < TIMES; k++) x.v[k] = 2.5L;
    } else if (kind == 2) {
        put(a, "t");
        for (int k = 0; k < TIMES; k++) x.v[k] = (long double)a->t + (k - 2) * a->h;
    } else if (kind <= 4) {
        put(a, "(");
        x = write_sum(a, depth - 1);
        put(a, ")");
    } else if (kind <= 6) {
        unsigned f = draw(ONE);
        put(a, one[f].name);
        put(a, "(");
        x = write_sum(a, depth - 1);
        put(a, ")");
        if (f >= JUMPS) watch_jump(a, x);
        if (one[f].f == asinl || one[f].f == acosl) watch_edge(a, x);
        for (int k = 0; k < TIMES; k++) x.v[k] = one[f].f(x.v[k]);
        if (one[f].f == tanhl) watch_edge(a, x);
    } else {
        unsigned f = draw(TWO);
        put(a, two[f].name);
        put(a, "(");
        x = write_sum(a, depth - 1);
        put(a, ",");
        y = write_sum(a, depth - 1);
        put(a, ")");
        judged quotient;
        for (int k = 0; k < TIMES; k++) {
            quotient.v[k] = x.v[k] / y.v[k];
            x.v[k] = two[f].f(x.v[k], y.v[k]);
        }
        if (two[f].f == judge_mod) watch_jump(a, quotient);
    }
    return noted(a, x);
}

static judged write_signed(author *a, int depth) {
    unsigned sign = draw(6);
    if (sign < 2) put(a, sign ? "-" : "+");
    judged x = write_primary(a, depth);
    if (draw(5) == 0) {
        put(a, draw(2) ? "^" : "**");
        judged y = write_signed(a, depth - 1);
        for (int k = 0; k < TIMES; k++) {
            a->unfair |= x.v[k] < 0;  // defined or not hangs on the exponent's last bit
            x.v[k] = powl(x.v[k], y.v[k]);
        }
    }
    for (int k = 0; k < TIMES && sign == 1; k++) x.v[k] = -x.v[k];
    return noted(a, x);
}

static judged write_product(author *a, int depth) {
    judged x = write_signed(a, depth);
    for (unsigned more = draw(3); more > 1; more = draw(3)) {
        bool times = draw(2);
        put(a, times ? "*" : "/");
        judged y = write_signed(a, depth - 1);
        for (int k = 0; k < TIMES; k++) x.v[k] = times ? x.v[k] * y.v[k] : x.v[k] / y.v[k];
    }
    return noted(a, x);
}

static judged write_sum(author *a, int depth) {
    judged x = write_product(a, depth);
    for (unsigned more = draw(3); more > 1; more = draw(3)) {
        bool plus = draw(2);
        put(a, plus ? "+" : "-");
        judged y = write_product(a, depth - 1);
        for (int k = 0; k < TIMES; k++) x.v[k] = plus ? x.v[k] + y.v[k] : x.v[k] - y.v[k];
    }
    return noted(a, x);
}

static void judge_agrees_on_values_and_rates(void) {
    random_state = 7;
    int judged_rounds = 0;
    for (int round = 0; round < 40000; round++) {
        author a = { .t = 0.1 + draw(1000) / 512.0, .h = 1e-5L };
        judged x = write_sum(&a, 4);
        // leave out what overflows, is undefined, or is too long for the buffer
        if (a.unfair || a.largest > 1e4L || a.length > 4000) continue;
        scree_dual got = at(a.text, a.t);

        // differences of second and fourth order: apart where there is a corner or a sharp bend
        long double wide = (x.v[4] - x.v[0]) / (4 * a.h), narrow = (x.v[3] - x.v[1]) / (2 * a.h);
        long double best = (4 * narrow - wide) / 3, doubt = fabsl(wide - narrow);
        long double bend = fabsl(x.v[3] - 2 * x.v[2] + x.v[1]) / a.h;
        if (doubt > 1e-4L * (1 + fabsl(best)) || bend > 0.1L * (1 + fabsl(best))) continue;
        if (!(fabs(got.value - (double)x.v[2]) <= 1e-9 * (1 + (double)a.largest)))
            COMPLAIN("t = %.17g: value %.17g, expected %.17g: %s", a.t, got.value, (double)x.v[2],
                     a.text);
        judged_rounds++;
        double tolerance = (double)(1e-8L * (1 + a.largest) + 1e-7L * fabsl(best) + doubt);
        if (!(fabs(got.rate - (double)best) <= tolerance))
            COMPLAIN("t = %.17g: rate %.17g, expected %.17g +- %.3g: %s", a.t, got.rate,
                     (double)best, tolerance, a.text);
    }
    CHECK(judged_rounds > 10000);
}

// --- mangled expressions ------------------------------------------------------------------------

static void mangled_expressions_are_read_or_explained(void) {
    static const char *const good[] = { "0.5*l*sin(pi/4) + 0.01", "-radius^2**0.5/(1.5e-3 + t)",
                                        "min(1, mu_0, max(t, 3))*deg(30)",
                                        "atan2(sin(2*pi*t), cos(2*pi*t)) - mod(t, 1.5e1)",
                                        "\xC3\xA4*step(t - 1)*hypot(3, 4)^-2" };
    static const char spice[] = "()+-*/^,.eE0123456789 \t\nltpisnx_\xC3\xA4#=<\x01";
    random_state = 99;
    int taken = 0;
    for (int round = 0; round < 20000; round++) {
        char text[256];
        strcpy(text, good[draw(5)]);
        for (unsigned slips = 1 + draw(4); slips > 0; slips--) {
            size_t length = strlen(text), spot = draw((unsigned)length + 1);
            unsigned what = draw(3);
            char c = spice[draw(sizeof spice - 1)];
            if (what == 0 && spot < length) text[spot] = c;
            if (what == 1 && spot < length) memmove(text + spot, text + spot + 1, length - spot);
            if (what == 2) {
                memmove(text + spot + 1, text + spot, length - spot + 1);
                text[spot] = c;
            }
        }
        // an exact copy on the heap: the sanitizer sees a read behind the end
        char *copy = repeated(text, "", 0, "");
        scree_arena arena = { 0 };
        scree_names names = names_of(draw(4) > 0);
        char message[200] = "";
        int offset = -1;
        scree_expression *e = scree_expression_parse(copy, &names, &arena, message, 200, &offset);
        free(copy);
        if (e) {
            // the first call must not change the second
            CHECK_SAME(scree_expression_at(e, 0.75).value, scree_expression_at(e, 0.75).value);
            if (!scree_expression_varies(e)) CHECK_SAME(scree_expression_at(e, 0.75).rate, 0.0);
            taken++;
        } else {
            CHECK(message[0] && offset >= 0 && offset <= (int)strlen(text));
        }
        scree_arena_free(&arena);
    }
    CHECK(taken > 1000 && taken < 18000);
}

TEST_FILE(test_expression) {
    TEST(numbers_are_rounded_correctly);
    TEST(numbers_ignore_the_locale);
    TEST(precedence);
    TEST(functions_and_names);
    TEST(square_waves_are_zero_at_their_jumps);
    TEST(parameters_hide_functions);
    TEST(varies_when_t_occurs);
    TEST(rates_of_closed_form);
    TEST(rates_at_corners_and_jumps);
    TEST(mistakes_of_grammar);
    TEST(mistakes_of_numbers);
    TEST(mistakes_of_names);
    TEST(nesting_has_an_end);
    TEST(nesting_goes_that_far);
    TEST(messages_fit_and_keep_characters_whole);
    TEST(nearest_words);
    TEST(judge_agrees_on_values_and_rates);
    TEST(mangled_expressions_are_read_or_explained);
    return harness_end();
}
