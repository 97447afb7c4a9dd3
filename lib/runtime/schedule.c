/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "schedule.h"

enum {
    MAX_WAVES = 16,     /* beyond, chunks only get shorter */
    MAX_BLOCKS = 65535, /* of a launch along y and z: CUDA C++ Programming Guide, "Technical
                           Specifications" */
    FILL = 16, /* planes' worth of time until a block's pipeline is full: measured on one H200 */
};

static int64_t ceil_div(int64_t a, int64_t b) {
    return (a + b - 1) / b;
}

/* In units of one block's plane: blocks take turns on the device, and at the end of a launch it
 * waits for the last of them. */
static double chunk_cost(int64_t blocks, int64_t resident, int64_t planes) {
    return ((double)blocks / (double)resident + 1) * (double)planes;
}

/* Planes of a chunk: few chunks compute few planes twice, many leave little to wait for. `tiles`:
 * blocks side by side; `resident`: blocks that run at a time. */
static int64_t choose_chunk(int64_t extent, int64_t tiles, int64_t resident, uint32_t overlap) {
    int64_t least = ceil_div(extent, MAX_BLOCKS), best = extent;
    double best_cost = 0;
    for (int64_t count = 1; count <= extent; count++) {
        int64_t chunk = ceil_div(extent, count);
        if (chunk < least)
            break;
        int64_t blocks = tiles * ceil_div(extent, chunk);
        double cost = chunk_cost(blocks, resident, chunk + overlap + FILL);
        if (count == 1 || cost < best_cost) {
            best = chunk;
            best_cost = cost;
        }
        if (blocks >= MAX_WAVES * resident)
            break;
    }
    return best;
}

static int64_t forced_chunk(int64_t wanted, int64_t extent) {
    int64_t least = ceil_div(extent, MAX_BLOCKS);
    wanted = wanted < extent ? wanted : extent;
    return wanted > least ? wanted : least;
}

static void lay_out(rt_run *run, const rt_shape *shape, uint32_t resident) {
    const stencilrt_kernel *k = &shape->region->kernels[run->kernel];
    uint32_t last = shape->region->rank - 1;
    int64_t extent = shape->extent[last];
    run->grid[0] = (uint32_t)ceil_div(shape->extent[0], (int64_t)k->tile[0] * k->tiles);
    run->grid[1] = last == 2 ? (uint32_t)ceil_div(shape->extent[1], k->tile[1]) : 1;
    run->grid[2] = 1;
    if (k->kind == STENCILRT_STRIP)
        return;
    run->chunk = shape->chunk > 0 ? forced_chunk(shape->chunk, extent)
                                  : choose_chunk(extent, (int64_t)run->grid[0] * run->grid[1],
                                                 resident, k->overlap);
    run->grid[last] = (uint32_t)ceil_div(extent, run->chunk);
}

static bool wants_scratch(const rt_shape *shape, uint32_t bt) {
    return shape->older || bt % 2 == 0;
}

static void take_scratch(rt_schedule *s, const rt_shape *shape, int64_t step) {
    if (shape->older) {
        s->scratch[0] = true;
        s->scratch[1] = shape->region->grids[shape->rotating].buffers == 2;
    } else {
        s->scratch[step % 2] = true;
    }
}

rt_schedule rt_schedule_make(const rt_device *device, void *module, const rt_shape *shape,
                             bool scratch) {
    const stencilrt_region *r = shape->region;
    rt_schedule s = {.count = 0};
    int64_t step = 0, last = shape->steps - 1;
    for (uint32_t k = 1; k < r->nkernels; k++) {
        uint32_t bt = r->kernels[k].bt;
        rt_run run = {.kernel = k, .launches = (last - step) / bt};
        if (run.launches == 0 || !rt_shape_may_use(shape, k) ||
            (wants_scratch(shape, bt) && !scratch))
            continue;
        uint32_t resident = device->driver->resident(device->handle, module, k);
        if (resident == 0)
            continue;
        lay_out(&run, shape, resident);
        if (wants_scratch(shape, bt))
            take_scratch(&s, shape, step);
        s.runs[s.count++] = run;
        step += run.launches * bt;
    }
    s.runs[s.count++] = (rt_run){.kernel = 0, .launches = shape->steps - step};
    return s;
}
