/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory for a launch's arguments, and what launches of all kinds have in common: the values of
 * scalars, and addresses of cells.
 */
#ifndef STENCILRT_ARGUMENTS_H
#define STENCILRT_ARGUMENTS_H

#include "runtime/call/shape.h"
#include "runtime/device/device.h"

/* One for each parameter of a kernel, in slots of 8 bytes, little-endian: a smaller scalar is its
 * slot's low bytes. */
typedef struct rt_arguments {
    uint64_t *values;
    void **pointers;
    size_t *sizes;
    const uint64_t **scalars; /* each scalar's slots in the call, as rt_scalar counts them */
} rt_arguments;

/* rt_arguments_free frees it, also if there is no memory. */
bool rt_arguments_reserve(rt_arguments *a, const stencilrt_region *r, const stencilrt_call *call,
                          const stencilrt_kernel *k, rt_error *why);
void rt_arguments_free(rt_arguments *a);
/* A launch of the region's kernel of this number, with these arguments, of one block. */
rt_launch rt_arguments_launch(const rt_arguments *a, const stencilrt_kernel *k, uint32_t number);

/* In this step. */
uint64_t rt_scalar_value(const rt_arguments *a, const stencilrt_region *r, uint32_t scalar,
                         int64_t step);

/* The device address of a grid's cell (0,0,0) in this block of memory. */
uint64_t rt_cell_zero(const rt_shape *shape, uint32_t grid, const rt_block *block);
void rt_swap_blocks(rt_block *a, rt_block *b);

#endif
