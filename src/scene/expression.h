// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// expression.h - arithmetic in scenes: "0.5*l*sin(pi/4) + 0.01", with parameters, time t and, in
// mechanisms, coordinates x and their velocities x'.
//
// + - * / ^ (or **, to the right first, before a sign: -2^2 = -4), parentheses, pi, and
//     sin cos tan asin acos atan sinh cosh tanh exp log log10 sqrt abs floor ceil
//     sgn(x)            -1, 0, 1
//     step(x)           0 for x < 0, otherwise 1
//     square_wave(x)    the sign of sin(x), 0 where x is a multiple of pi to rounding
//     deg(x)            x degrees in radians
//     atan2(y, x)  hypot(x, y)
//     mod(a, b)         rest of a / b, with the sign of b
//     min(a, b, ...)  max(a, b, ...)

#ifndef SCREE_SCENE_EXPRESSION_H
#define SCREE_SCENE_EXPRESSION_H

#include <stdint.h>

#include "base/arena.h"
#include "scree/base.h"

typedef struct scree_expression scree_expression;

/// The names an expression may use, looked up before pi, t and the functions. Values are constants
/// folded in when it is parsed; variables get theirs when it is evaluated. The first variables are
/// coordinates: x' is the velocity of x, and its number is that of x + variables.
typedef struct scree_names {
    int count;
    const char *const *name;      // (count)
    const double *value;          // (count)
    bool time;                    // may the expression use t?
    int variables, coordinates;   // at most 64 variables
    const char *const *variable;  // (variables); those of bodies are called body.x
    bool velocity;                // may it use velocities?
} scree_names;

/// Value and derivative with respect to time, or along a direction of the variables.
typedef struct scree_dual {
    double value, rate;
} scree_dual;

/// Parse text. On failure returns NULL, with a sentence in message (size bytes) and the offset in
/// text (from 0) of what it is about in *offset. The expression lives in the arena and keeps
/// nothing of text and names.
scree_expression *scree_expression_parse(const char *text, const scree_names *names,
                                         scree_arena *arena, char *message, size_t size,
                                         int *offset);

/// Value and exact derivative at time t. Not finite where the arithmetic says so (1/0, sqrt(-1)).
/// At a corner the rate is that of the branch taken (min, max), 0 for abs; at a jump it is 0.
scree_dual scree_expression_at(const scree_expression *expression, double t);

/// The same of the variables: value, and derivative along the direction of their rates, while t
/// stands still.
scree_dual scree_expression_along(const scree_expression *expression, double t,
                                  const scree_dual *variable);

/// The same with t that goes on too: with rates of 0 the derivative by t alone.
scree_dual scree_expression_in_time(const scree_expression *expression, double t,
                                    const scree_dual *variable);

/// Does it depend on t, that is, does t occur in it?
bool scree_expression_varies(const scree_expression *expression);

/// Does a variable occur in it? -1: does any? Asked of the first SCREE_EXPRESSION_VARIABLES.
bool scree_expression_uses(const scree_expression *expression, int variable);

enum { SCREE_EXPRESSION_VARIABLES = 192 };

/// Is it the name of a function?
bool scree_expression_is_function(const char *name);

#endif
