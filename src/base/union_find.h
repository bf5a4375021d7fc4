// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// union_find.h - disjoint sets as trees: parent[i] is i at a root.

#ifndef SCREE_BASE_UNION_FIND_H
#define SCREE_BASE_UNION_FIND_H

/// The root of i; paths are halved on the way.
static inline int scree_union_find_root(int *parent, int i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

#endif
