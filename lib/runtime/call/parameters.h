/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernels' parameters as region.def defines them, and what else holds for those of a kind.
 */
#ifndef STENCILRT_PARAMETERS_H
#define STENCILRT_PARAMETERS_H

#include "stencilopt/region.h"
#include <stdbool.h>
#include <stddef.h>

/* The number of scalars of a region: its own, then those of its sweeps. */
uint32_t rt_scalar_count(const stencilrt_region *region);
/* The number of reductions of all its sweeps. */
uint32_t rt_reduction_count(const stencilrt_region *region);
/* How many of the first `before` scalars are computed by the CPU for each step. */
uint32_t rt_followed_count(const stencilrt_region *region, uint32_t before);
const stencilrt_scalar *rt_scalar(const stencilrt_region *region, uint32_t number);

/* May a kernel of this region have these parameters? Grids, ports and scalars must have been
 * checked. */
bool rt_parameters_are_sound(const stencilrt_region *region, const stencilrt_kernel *kernel);

/* Is a resident kernel well formed, but for its name and parameters? */
bool rt_resident_is_sound(const stencilrt_region *region, const stencilrt_kernel *kernel);

/* The bytes of a parameter. */
size_t rt_parameter_size(const stencilrt_region *region, const stencilrt_parameter *parameter);

#endif
