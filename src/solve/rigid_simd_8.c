// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid_simd_8.c - the kernels, 8 at a time

#define LANES 8
#define PATH scree_simd_kernel_8
#define NAME "avx512f"

#include "solve/rigid_kernel.h"
