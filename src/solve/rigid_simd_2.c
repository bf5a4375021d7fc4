// SPDX-FileCopyrightText: The scree authors
// SPDX-License-Identifier: BSD-3-Clause
// rigid_simd_2.c - the kernels, 2 at a time

#define LANES 2
#define PATH scree_simd_kernel_2
#define NAME "two lanes"

#include "solve/rigid_kernel.h"
