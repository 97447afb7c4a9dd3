/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory for a launch's arguments, values of scalars in a step, and addresses of cells.
 */
#include "runtime/run/arguments.h"

#include "runtime/call/parameters.h"
#include <stdlib.h>
#include <string.h>

/* Finds the scalars of the region, then those of its sweeps. Returns their number. */
static uint32_t find_scalars(const uint64_t **scalars, const stencilrt_region *r,
                             const stencilrt_call *call) {
    const uint64_t *slot = call->scalars;
    uint32_t count = 0;
    for (uint32_t i = 0; i < r->nscalars; i++) {
        scalars[count++] = slot;
        slot += r->scalars[i].kind == STENCILRT_STEPPED ? 2 : 1;
    }
    for (uint32_t i = 0; i < r->nsweeps; i++)
        count += find_scalars(scalars + count, &r->sweeps[i], &call->sweeps[i]);
    return count;
}

bool rt_arguments_reserve(rt_arguments *a, const stencilrt_region *r, const stencilrt_call *call,
                          const stencilrt_kernel *k, rt_error *why) {
    *a = (rt_arguments){.values = calloc(k->nparameters, sizeof *a->values),
                        .pointers = calloc(k->nparameters, sizeof *a->pointers),
                        .sizes = calloc(k->nparameters, sizeof *a->sizes),
                        .scalars = calloc((size_t)rt_scalar_count(r) + 1, sizeof *a->scalars)};
    if (!a->values || !a->pointers || !a->sizes || !a->scalars)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    for (uint32_t i = 0; i < k->nparameters; i++) {
        a->pointers[i] = &a->values[i];
        a->sizes[i] = rt_parameter_size(r, &k->parameters[i]);
    }
    find_scalars(a->scalars, r, call);
    return true;
}

void rt_arguments_free(rt_arguments *a) {
    free(a->values);
    free(a->pointers);
    free(a->sizes);
    free(a->scalars);
}

rt_launch rt_arguments_launch(const rt_arguments *a, const stencilrt_kernel *k, uint32_t number) {
    return (rt_launch){.kernel = number,
                       .grid = {1, 1, 1},
                       .block = {k->block[0], k->block[1], k->block[2]},
                       .scratchpad = k->scratchpad,
                       .args = a->pointers,
                       .arg_sizes = a->sizes,
                       .nargs = k->nparameters};
}

uint64_t rt_scalar_value(const rt_arguments *a, const stencilrt_region *r, uint32_t scalar,
                         int64_t step) {
    const uint64_t *slots = a->scalars[scalar];
    uint64_t value = slots[0];
    switch (rt_scalar(r, scalar)->kind) {
    case STENCILRT_STEPPED:
        return value + (uint64_t)step * slots[1];
    case STENCILRT_FOLLOWED:
    case STENCILRT_LATE:
        memcpy(&value, (const void *)(uintptr_t)value, sizeof value);
        return value;
    default:
        return value;
    }
}

uint64_t rt_cell_zero(const rt_shape *shape, uint32_t grid, const rt_block *block) {
    const stencilrt_grid *g = &shape->region->grids[grid];
    uint32_t last = shape->region->rank - 1;
    int64_t row = last > 0 ? shape->grids[grid].stride[last - 1] : 1;
    int64_t ahead = g->broadcast >> last & 1 ? 0 : shape->ahead * row * g->elem_size;
    return block->address + shape->grids[grid].origin - (uint64_t)ahead;
}

void rt_swap_blocks(rt_block *a, rt_block *b) {
    rt_block was = *a;
    *a = *b;
    *b = was;
}
