// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid_simd_4.c - the kernels, 4 at a time

#define LANES 4
#define PATH scree_simd_kernel_4
#define NAME "avx2"

#include "solve/rigid_kernel.h"
