// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// suggestion.h - which known word was probably meant? For "did you mean" in messages.

#ifndef SCREE_BASE_SUGGESTION_H
#define SCREE_BASE_SUGGESTION_H

/// The candidate (borrowed, the first of equals) that fewest typing slips turn into word, or NULL
/// when none is near: more than max(1, length/3) slips, or not one letter in common. Upper and
/// lower case are the same. Costs length^2 per candidate; words beyond 64 bytes are near nothing.
const char *scree_suggestion(const char *word, const char *const *candidates, int count);

#endif
