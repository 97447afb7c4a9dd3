/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Copies of arrays that several sweeps write: copies.h. A copy has the cells that the call
 * accesses, and those between, without gaps.
 */
#include "runtime/run/copies.h"

#include "runtime/run/host_copy.h"
#include <stdlib.h>
#include <string.h>

static void add_all(rt_box *box, const rt_boxes *boxes, bool *any) {
    for (size_t i = 0; i < boxes->count; i++) {
        for (int d = 0; d < 3; d++) {
            const rt_box *one = &boxes->at[i];
            box->lo[d] = !*any || one->lo[d] < box->lo[d] ? one->lo[d] : box->lo[d];
            box->hi[d] = !*any || one->hi[d] > box->hi[d] ? one->hi[d] : box->hi[d];
        }
        *any = true;
    }
}

/* The bytes from the box's first cell to the last one of its first rows. */
static size_t bytes_of_head(const rt_copies *c, const rt_grid *grid, const rt_box *box) {
    uint32_t last = c->arrays->region->rank - 1;
    int64_t rows = box->hi[last] - box->lo[last], bytes = 0;
    rows = rows < c->kept ? rows : c->kept;
    for (uint32_t d = last + 1; d < 3; d++)
        bytes += (box->hi[d] - box->lo[d] - 1) * grid->host_stride[d];
    return (size_t)(bytes + rows * grid->host_stride[last]);
}

/* Heads come after the copies. Addresses are offsets until there is memory. */
static bool lay_out_heads(rt_copies *c) {
    bool fits = true;
    for (uint32_t i = 0; i < c->arrays->count && fits; i++) {
        c->heads[i].kept = (unsigned char *)c->bytes;
        fits = !__builtin_add_overflow(c->bytes, c->heads[i].bytes + RT_ALIGN, &c->bytes);
        c->bytes = c->bytes / RT_ALIGN * RT_ALIGN;
    }
    return fits;
}

/* Sets the copy's strides, and its origin as an offset from the beginning of the memory. */
static bool lay_out(rt_copies *c, uint32_t array) {
    rt_grid *grid = &c->shape.grids[array];
    rt_box box = {{0, 0, 0}, {1, 1, 1}};
    int64_t size = (int64_t)grid->elem_size, before = 0;
    bool any = false;
    add_all(&box, &c->arrays->uploads[array], &any);
    add_all(&box, &c->arrays->results[array], &any);
    for (int d = 0; d < 3; d++) {
        before -= box.lo[d] * size;
        grid->host_stride[d] = size;
        if (__builtin_mul_overflow(size, box.hi[d] - box.lo[d], &size))
            return false;
    }
    c->shape.buffers[array].origin = (unsigned char *)(c->bytes + (uintptr_t)before);
    c->heads[array] = (rt_head){.copy = (unsigned char *)c->bytes,
                                .bytes = c->kept > 0 && any ? bytes_of_head(c, grid, &box) : 0};
    if (__builtin_add_overflow(c->bytes, (size_t)size + RT_ALIGN, &c->bytes))
        return false;
    c->bytes = c->bytes / RT_ALIGN * RT_ALIGN;
    return true;
}

static bool reserve(rt_copies *c, rt_error *why) {
    bool fits = true;
    for (uint32_t i = 0; i < c->arrays->count && fits; i++)
        fits = c->arrays->results[i].count == 0 || lay_out(c, i);
    fits = fits && lay_out_heads(c);
    c->memory = fits ? rt_host_reserve(c->bytes) : NULL;
    if (!c->memory)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    for (uint32_t i = 0; i < c->arrays->count; i++) {
        if (c->arrays->results[i].count > 0)
            c->shape.buffers[i].origin = c->memory + (uintptr_t)c->shape.buffers[i].origin;
        c->heads[i].copy = c->memory + (uintptr_t)c->heads[i].copy;
        c->heads[i].kept = c->memory + (uintptr_t)c->heads[i].kept;
    }
    return true;
}

static void copy_boxes(const rt_shape *from, const rt_shape *to, uint32_t array,
                       const rt_boxes *boxes) {
    for (size_t i = 0; i < boxes->count; i++)
        rt_host_copy(from, to, array, &boxes->at[i]);
}

bool rt_copies_begin(rt_copies *c, const rt_arrays *a, int64_t kept, rt_error *why) {
    *c = (rt_copies){.arrays = a, .shape = a->shape, .kept = kept};
    c->heads = calloc(a->count + 1, sizeof *c->heads);
    c->shape.grids = calloc(a->count + 1, sizeof *c->shape.grids);
    c->shape.buffers = calloc(a->count + 1, sizeof *c->shape.buffers);
    if (!c->shape.grids || !c->shape.buffers || !c->heads)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    memcpy(c->shape.grids, a->shape.grids, a->count * sizeof *c->shape.grids);
    memcpy(c->shape.buffers, a->shape.buffers, a->count * sizeof *c->shape.buffers);
    if (!reserve(c, why))
        return false;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->results[i].count > 0)
            copy_boxes(&a->shape, &c->shape, i, &a->uploads[i]);
    return true;
}

void rt_copies_keep_heads(const rt_copies *c) {
    for (uint32_t i = 0; i < c->arrays->count; i++)
        memcpy(c->heads[i].kept, c->heads[i].copy, c->heads[i].bytes);
}

void rt_copies_write(const rt_copies *c) {
    for (uint32_t i = 0; i < c->arrays->count; i++)
        copy_boxes(&c->shape, &c->arrays->shape, i, &c->arrays->results[i]);
}

void rt_copies_end(rt_copies *c) {
    rt_host_release(c->memory, c->bytes);
    free(c->shape.grids);
    free(c->shape.buffers);
    free(c->heads);
}
