// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// clones.h - a function compiled for several instruction sets, chosen when the program starts.
//
// Additions and multiplications are IEEE's and never fused, so that all copies give the same bits.

#ifndef SCREE_BASE_CLONES_H
#define SCREE_BASE_CLONES_H

#if defined __x86_64__ && defined __GNUC__ && !defined __clang__ && !defined __SANITIZE_THREAD__
#define SCREE_VECTOR_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define SCREE_VECTOR_CLONES
#endif

#endif
