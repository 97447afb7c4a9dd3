/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Describes one of several sweeps for its launches, and other facts of launches: sweep.h.
 */
#include "runtime/run/sweep.h"
#include <stdlib.h>

/* The offset in bytes from the array's first byte. On the device its dimensions may have another
 * order. */
static size_t offset_of(const rt_grid *array, const int64_t at[3]) {
    if (array->brick[0])
        return rt_grid_device_offset(array, at[0], at[1], at[2]);
    int64_t cells = at[0] + at[1] * array->stride[0] + at[2] * array->stride[1];
    return (size_t)((int64_t)array->origin + cells * (int64_t)array->elem_size);
}

/* The block in which a grid of the sweep is. */
static const rt_block *block_of(const rt_arrays *a, uint32_t number, const rt_view *v,
                                const rt_block *blocks) {
    bool copied = rt_grid_is_copied(&a->region->sweeps[number], v->grid);
    return &blocks[v->array + (copied ? 2 * a->count : 0)];
}

void rt_sweep_place(const rt_arrays *a, uint32_t number, const rt_block *blocks, rt_sweep *s) {
    for (uint32_t i = 0; i < a->region->sweeps[number].nbuffers; i++) {
        const rt_view *v = &a->views[a->first_view[number] + i];
        if (v->array == UINT32_MAX)
            continue;
        const rt_grid *array = &a->shape.grids[v->array];
        s->shape.grids[v->grid].stride[0] = array->stride[0];
        s->shape.grids[v->grid].stride[1] = array->stride[1];
        s->memory.blocks[i].address =
            block_of(a, number, v, blocks)->address + offset_of(array, v->at);
    }
}

/* Finds what is copied before each launch. Two grids may be in one array. */
static bool find_before(const rt_arrays *a, uint32_t number, const rt_block *blocks, rt_sweep *s) {
    const stencilrt_region *r = &a->region->sweeps[number];
    s->before = calloc(r->nbuffers, sizeof *s->before);
    for (uint32_t i = 0; i < r->nbuffers && s->before; i++) {
        const rt_view *v = &a->views[a->first_view[number] + i];
        if (v->array == UINT32_MAX || !rt_grid_is_copied(r, v->grid))
            continue;
        rt_before one = {block_of(a, number, v, blocks)->address, blocks[v->array].address,
                         a->shape.grids[v->array].bytes};
        bool known = false;
        for (uint32_t k = 0; k < s->nbefore; k++)
            known = known || s->before[k].to == one.to;
        if (!known)
            s->before[s->nbefore++] = one;
    }
    return s->before != NULL;
}

bool rt_sweep_make(const rt_arrays *a, uint32_t number, const rt_block *blocks, uint64_t slots,
                   rt_sweep *s, rt_error *why) {
    const stencilrt_region *r = &a->region->sweeps[number];
    s->shape.region = r;
    s->shape.call = &a->call->sweeps[number];
    s->memory.slots = slots;
    s->memory.counted.hi = -1;
    for (uint32_t d = 0; d < 3; d++)
        s->shape.extent[d] = d < r->rank ? s->shape.call->extent[d] : 1;
    s->shape.grids = calloc(r->ngrids, sizeof *s->shape.grids);
    s->memory.blocks = calloc(r->nbuffers, sizeof *s->memory.blocks);
    if (!s->shape.grids || !s->memory.blocks || (r->before && !find_before(a, number, blocks, s)))
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    rt_sweep_place(a, number, blocks, s);
    return true;
}

bool rt_sweep_keep_before(const rt_sweep *s, rt_device *device, rt_error *why) {
    bool ok = true;
    for (uint32_t i = 0; i < s->nbefore && ok; i++)
        ok = device->driver->copy(device->handle, s->before[i].to, s->before[i].from,
                                  s->before[i].bytes, why);
    return ok;
}

void rt_sweep_free(rt_sweep *s) {
    free(s->shape.grids);
    free(s->memory.blocks);
    free(s->before);
}

bool rt_sweep_is_made(const stencilrt_region *sweep, int64_t step, bool wanted) {
    bool writes = sweep->nreductions == 0;
    for (uint32_t i = 0; i < sweep->nports; i++)
        writes = writes || (sweep->ports[i].access & STENCILRT_WRITE);
    return (wanted || writes) && (sweep->every == 0 || step % sweep->every == sweep->phase);
}

bool rt_sweep_is_late(const stencilrt_region *sweep) {
    bool late = false;
    for (uint32_t i = 0; i < sweep->nscalars; i++)
        late = late || sweep->scalars[i].kind == STENCILRT_LATE;
    return late;
}

bool rt_kernel_takes_rows(const stencilrt_kernel *kernel) {
    bool takes = false;
    for (uint32_t i = 0; i < kernel->nparameters && kernel->kind == STENCILRT_STREAM; i++)
        takes |= kernel->parameters[i].kind == STENCILRT_ARG_FIRST;
    return takes;
}

double rt_memory_bytes(const rt_memory *memory, uint32_t nbuffers) {
    double bytes = 0;
    for (uint32_t i = 0; i < nbuffers; i++)
        bytes += memory->blocks[i].address ? (double)memory->blocks[i].bytes : 0;
    return bytes;
}

double rt_sweeps_bytes(const rt_sweep *sweeps, uint32_t count) {
    double bytes = 0;
    for (uint32_t s = 0; s < count; s++)
        for (uint32_t g = 0; g < sweeps[s].shape.region->ngrids; g++) {
            double cells = sweeps[s].shape.region->grids[g].elem_size;
            for (int d = 0; d < 3; d++)
                cells *= (double)sweeps[s].shape.extent[d];
            bytes += cells;
        }
    return bytes;
}
