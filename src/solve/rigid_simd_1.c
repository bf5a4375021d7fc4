// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid_simd_1.c - the kernels, 1 at a time

#define LANES 1
#define PATH scree_simd_kernel_1
#define NAME "one by one"

#include "solve/rigid_kernel.h"
