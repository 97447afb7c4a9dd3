/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Kernel arguments, in region.h's order, and the launches of all steps. Ports rotate and stepped
 * scalars advance from step to step; a step that needs more blocks than a launch may have is cut
 * into several launches, told apart by `first`.
 */
#include "launch.h"
#include <stdlib.h>
#include <string.h>

/* CUDA C++ Programming Guide, "Technical Specifications": blocks of a launch along x, y, z */
static const int64_t max_blocks[3] = {0x7fffffff, 65535, 65535};

/* All values in slots of 8 bytes, little-endian: a smaller scalar is its slot's low bytes. */
typedef struct arguments {
    uint64_t *values;
    void **pointers;
    size_t *sizes;
    uint32_t count, first, scalars; /* indices of first[0] and of the scalars */
} arguments;

static void add(arguments *a, uint64_t value, size_t size) {
    a->values[a->count] = value;
    a->sizes[a->count] = size;
    a->pointers[a->count] = &a->values[a->count];
    a->count++;
}

static void arguments_free(arguments *a) {
    free(a->values);
    free(a->pointers);
    free(a->sizes);
}

static bool arguments_make(arguments *a, const rt_shape *shape, rt_error *why) {
    const stencilrt_region *r = shape->region;
    size_t room = (size_t)r->nports + 2 * r->rank + (size_t)r->ngrids * (r->rank - 1) + r->nscalars;
    *a = (arguments){.values = calloc(room, sizeof *a->values),
                     .pointers = calloc(room, sizeof *a->pointers),
                     .sizes = calloc(room, sizeof *a->sizes)};
    if (!a->values || !a->pointers || !a->sizes)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    for (uint32_t p = 0; p < r->nports; p++)
        add(a, 0, sizeof(void *));
    a->first = a->count;
    for (uint32_t d = 0; d < r->rank; d++)
        add(a, 0, sizeof(int64_t));
    for (uint32_t d = 0; d < r->rank; d++)
        add(a, (uint64_t)shape->extent[d], sizeof(int64_t));
    for (uint32_t g = 0; g < r->ngrids; g++)
        for (uint32_t d = 0; d + 1 < r->rank; d++)
            add(a, (uint64_t)shape->grids[g].stride[d], sizeof(int64_t));
    a->scalars = a->count;
    for (uint32_t s = 0; s < r->nscalars; s++)
        add(a, 0, r->scalars[s].size);
    return true;
}

static void arguments_set_step(arguments *a, const rt_shape *shape, const rt_block *blocks,
                               int64_t step) {
    const stencilrt_region *r = shape->region;
    const uint64_t *slot = shape->call->scalars;
    for (uint32_t p = 0; p < r->nports; p++) {
        const stencilrt_port *port = &r->ports[p];
        uint32_t buffer = r->grids[port->grid].first_buffer + rt_port_buffer(r, port, step);
        a->values[p] = blocks[buffer].address + shape->grids[port->grid].origin;
    }
    for (uint32_t s = 0; s < r->nscalars; s++) {
        uint64_t value = *slot++;
        if (r->scalars[s].kind == STENCILRT_STEPPED)
            value += (uint64_t)step * *slot++;
        memcpy(&a->values[a->scalars + s], &value, sizeof value);
    }
}

typedef struct launcher {
    rt_device *device;
    void *kernel;
    const rt_shape *shape;
    arguments *arguments;
    rt_launch launch;
} launcher;

/* Launches pieces along dimension d, and within each piece those of the dimensions below. */
static bool launch_pieces(launcher *l, uint32_t d, rt_error *why) {
    const stencilrt_region *r = l->shape->region;
    int64_t block = r->block[d], piece = max_blocks[d] * block, extent = l->shape->extent[d];
    for (int64_t first = 0; first < extent; first += piece) {
        int64_t cells = extent - first < piece ? extent - first : piece;
        l->launch.grid[d] = (uint32_t)((cells + block - 1) / block);
        l->arguments->values[l->arguments->first + d] = (uint64_t)first;
        bool ok = d > 0 ? launch_pieces(l, d - 1, why)
                        : l->device->driver->launch(l->device->handle, l->kernel, &l->launch, why);
        if (!ok)
            return false;
    }
    return true;
}

bool rt_launch_steps(rt_device *device, void *kernel, const rt_shape *shape, const rt_block *blocks,
                     rt_error *why) {
    const stencilrt_region *r = shape->region;
    arguments a;
    bool ok = arguments_make(&a, shape, why);
    launcher l = {device,
                  kernel,
                  shape,
                  &a,
                  {.grid = {1, 1, 1},
                   .block = {r->block[0], r->block[1], r->block[2]},
                   .args = a.pointers,
                   .arg_sizes = a.sizes,
                   .nargs = a.count}};
    ok = ok && device->driver->mark(device->handle, RT_MARK_START, why);
    for (int64_t step = 0; ok && step < shape->steps; step++) {
        arguments_set_step(&a, shape, blocks, step);
        ok = launch_pieces(&l, r->rank - 1, why);
    }
    ok = ok && device->driver->mark(device->handle, RT_MARK_END, why);
    arguments_free(&a);
    return ok;
}
