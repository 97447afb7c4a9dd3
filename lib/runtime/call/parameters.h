/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What region.def says of kernels' parameters.
 */
#ifndef STENCILRT_PARAMETERS_H
#define STENCILRT_PARAMETERS_H

#include "stencilopt/region.h"
#include <stdbool.h>
#include <stddef.h>

/* The scalars of a region: its own, then those of its sweeps. */
uint32_t rt_scalar_count(const stencilrt_region *region);
/* Of all its sweeps. */
uint32_t rt_reduction_count(const stencilrt_region *region);
/* Of the first `before` scalars: those that the CPU computes for each step. */
uint32_t rt_followed_count(const stencilrt_region *region, uint32_t before);
const stencilrt_scalar *rt_scalar(const stencilrt_region *region, uint32_t number);

/* May a kernel of this region have these parameters? Needs sound grids, ports and scalars. */
bool rt_parameters_are_sound(const stencilrt_region *region, const stencilrt_kernel *kernel);

/* Bytes. */
size_t rt_parameter_size(const stencilrt_region *region, const stencilrt_parameter *parameter);

#endif
