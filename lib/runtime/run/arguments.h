/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory for a launch's arguments, and what all kinds of launches share: the values of scalars, and
 * addresses of cells.
 */
#ifndef STENCILRT_ARGUMENTS_H
#define STENCILRT_ARGUMENTS_H

#include "runtime/call/shape.h"
#include "runtime/device/device.h"

/* A slot of 8 bytes for each parameter of a kernel, little-endian. A smaller value is in the slot's
 * low bytes. */
typedef struct rt_arguments {
    uint64_t *values;
    void **pointers;
    size_t *sizes;
    /* The slots of each scalar in the call, numbered as by rt_scalar_count. */
    const uint64_t **scalars;
} rt_arguments;

/* Call rt_arguments_free, also if memory ran out. */
bool rt_arguments_reserve(rt_arguments *a, const stencilrt_region *r, const stencilrt_call *call,
                          const stencilrt_kernel *k, rt_error *why);
void rt_arguments_free(rt_arguments *a);
/* A launch of kernel number `number` of the region, with these arguments and one block. */
rt_launch rt_arguments_launch(const rt_arguments *a, const stencilrt_kernel *k, uint32_t number);

/* The scalar's value in this step. */
uint64_t rt_scalar_value(const rt_arguments *a, const stencilrt_region *r, uint32_t scalar,
                         int64_t step);

/* The address on the device of the grid's cell (0,0,0) in this block of memory. */
uint64_t rt_cell_zero(const rt_shape *shape, uint32_t grid, const rt_block *block);
void rt_swap_blocks(rt_block *a, rt_block *b);

#endif
