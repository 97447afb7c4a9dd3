/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs a region of one sweep on a device. It uploads, launches, downloads, and only then writes.
 * What the call read is only read until then. So the original loops can run after a failure.
 */
#include "runtime/run/alone.h"

#include "runtime/device/transfer.h"
#include "runtime/run/blocks.h"
#include "runtime/run/launch.h"
#include "runtime/run/wide.h"
#include "runtime/run/words.h"
#include <stdlib.h>

/* Makes the schedule. If none of its kernels needs padding, removes the padding from the shape:
 * gaps between rows cost bandwidth. */
static bool plan(rt_device *device, void *module, rt_shape *shape, rt_schedule *schedule,
                 rt_error *why) {
    if (!rt_schedule_make(schedule, device, module, shape, true, why))
        return false;
    return shape->bt == 0 || rt_schedule_is_blocked(schedule) || rt_shape_unpad(shape, why);
}

static bool allocate_words(rt_device *device, const rt_shape *shape, const rt_schedule *schedule,
                           rt_memory *memory, rt_error *why) {
    const rt_run *run = rt_schedule_chip(schedule, shape);
    size_t size = shape->grids[shape->rotating].elem_size;
    return !run || rt_words_allocate(device, rt_chip_bytes(run, shape->region, 1, size),
                                     &memory->words, why);
}

/* Must the buffer be copied back? The program may read every buffer that was written. */
static bool is_result(const rt_shape *shape, const rt_uses *uses, uint32_t buffer) {
    return shape->buffers[buffer].written && !rt_uses_held(uses, buffer);
}

/* Must the results be staged? If the call did not read these cells before it wrote them, the
 * original loops write them all, so a failure half-way does no harm. */
static bool is_staged(const rt_shape *shape, const rt_uses *uses, uint32_t buffer) {
    const rt_buffer *b = &shape->buffers[buffer];
    bool made = (!b->read || b->domain_made_here) && !b->masked;
    return is_result(shape, uses, buffer) && !made;
}

/* Brings the other results to the program's arrays. */
static bool fetch(rt_device *device, const rt_shape *shape, const rt_uses *uses,
                  const rt_block *blocks, rt_error *why) {
    bool ok = true;
    for (uint32_t i = 0; i < shape->region->nbuffers && ok; i++) {
        const rt_buffer *buffer = &shape->buffers[i];
        rt_box box = rt_domain(&shape->grids[buffer->grid]);
        if (is_result(shape, uses, i) && !is_staged(shape, uses, i))
            ok = rt_fetch_box(device, shape, buffer, &box,
                              blocks[rt_blocks_final(shape, i)].address, why);
    }
    return ok;
}

static bool stage(rt_device *device, const rt_shape *shape, const rt_uses *uses,
                  const rt_block *blocks, rt_error *why) {
    size_t bytes = 0, staged = 0;
    for (uint32_t i = 0; i < shape->region->nbuffers; i++) {
        rt_box box = rt_domain(&shape->grids[shape->buffers[i].grid]);
        if (is_staged(shape, uses, i))
            bytes += rt_staged_bytes(shape, &shape->buffers[i], &box);
    }
    unsigned char *arena = bytes ? rt_device_arena(device, bytes, why) : NULL;
    if (!arena)
        return bytes == 0;
    for (uint32_t i = 0; i < shape->region->nbuffers; i++) {
        const rt_buffer *buffer = &shape->buffers[i];
        rt_box box = rt_domain(&shape->grids[buffer->grid]);
        if (!is_staged(shape, uses, i))
            continue;
        uint64_t from = blocks[rt_blocks_final(shape, i)].address;
        if (!rt_download(device, shape, buffer, &box, from, arena + staged, why))
            return false;
        staged += rt_staged_bytes(shape, buffer, &box);
    }
    return true;
}

static void write_back(rt_device *device, const rt_shape *shape, const rt_uses *uses) {
    unsigned char *staged = device->arena;
    for (uint32_t i = 0; i < shape->region->nbuffers; i++) {
        const rt_buffer *buffer = &shape->buffers[i];
        rt_box box = rt_domain(&shape->grids[buffer->grid]);
        if (!is_staged(shape, uses, i))
            continue;
        rt_write_back(shape, buffer, &box, staged);
        staged += rt_staged_bytes(shape, buffer, &box);
    }
}

typedef struct two_blocks {
    rt_device *device;
    const rt_shape *shape;
    const rt_buffer *buffer[2];
    uint64_t address[2];
} two_blocks;

static bool box_is_equal(const void *context, const rt_box *box) {
    const two_blocks *t = context;
    return rt_box_is_equal_on_device(t->device, t->shape, t->buffer[0], t->address[0], t->buffer[1],
                                     t->address[1], box);
}

/* Compares on the device if arrays stay there: the host's memory may be outdated. */
static bool have_same_halo(rt_device *device, const rt_shape *shape, const rt_uses *uses,
                           const rt_block *blocks) {
    const stencilrt_grid *grid = &shape->region->grids[shape->rotating];
    uint32_t first = grid->first_buffer;
    bool equal = shape->bt > 0;
    if (!equal || shape->older || shape->call->copy)
        return equal;
    if (!rt_uses_held(uses, first))
        return rt_halos_are_equal(shape);
    for (uint32_t i = first + 1; i < first + grid->buffers && equal; i++) {
        two_blocks both = {device,
                           shape,
                           {&shape->buffers[first], &shape->buffers[i]},
                           {blocks[first].address, blocks[i].address}};
        equal = rt_all_of_halo(shape, both.buffer[1], box_is_equal, &both);
    }
    return equal;
}

static bool launch(rt_device *device, void *module, const rt_shape *shape,
                   const rt_schedule *schedule, rt_wide *wide, rt_memory *memory, rt_part *part,
                   rt_error *why) {
    rt_error ignored;
    if (!rt_wide_put(wide, device, why))
        return false;
    bool ok = rt_launch_steps(device, module, shape, schedule, memory, part, why);
    if (!ok)
        rt_device_settle(device);
    return rt_wide_take(wide, device, ok, ok ? why : &ignored) && ok &&
           device->driver->wait(device->handle, RT_MARK_END, why) &&
           rt_words_are_complete(device, &memory->words, why);
}

/* Makes a schedule without a resident kernel. Such a kernel keeps the cells outside the domain, so
 * they must be the same in all steps. */
static bool stay_off_chip(rt_device *device, void *module, rt_shape *shape, rt_schedule *schedule,
                          const rt_wide *wide, rt_memory *memory, rt_error *why) {
    shape->off_chip = true;
    return rt_schedule_make(schedule, device, module, shape, true, why) &&
           rt_blocks_scratch(device, module, shape, schedule, rt_wide_bytes(wide, shape->rotating),
                             memory, why);
}

/* Uploads, launches, downloads and writes, with memory and kernels given. */
static bool compute(rt_device *device, void *module, rt_shape *shape, rt_schedule *schedule,
                    rt_wide *wide, rt_memory *memory, rt_uses *uses, rt_part *part,
                    rt_outcome *outcome, rt_error *why) {
    double start = rt_seconds();
    if (!rt_uses_upload(uses, device, why) ||
        !rt_blocks_upload(device, shape, uses, memory->blocks, why) ||
        !rt_part_begin_shape(part, uses, shape, why))
        return false;
    memory->same_halo = have_same_halo(device, shape, uses, memory->blocks);
    if (!memory->same_halo && rt_schedule_chip(schedule, shape) &&
        !stay_off_chip(device, module, shape, schedule, wide, memory, why))
        return false;
    if (!allocate_words(device, shape, schedule, memory, why))
        return false;
    uint64_t launches = device->launches;
    double uploaded = rt_seconds();
    bool launched = launch(device, module, shape, schedule, wide, memory, part, why);
    uses->launched = device->launches != launches;
    if (!launched)
        return false;
    double computed = rt_seconds();
    shape->steps = part->done > 0 ? part->done : shape->steps;
    if (!rt_part_keep(part, why) || !rt_uses_finish(uses, why) ||
        !stage(device, shape, uses, memory->blocks, why) ||
        !fetch(device, shape, uses, memory->blocks, why))
        return false;
    write_back(device, shape, uses);
    rt_held_commit(device, uses->at, uses->count, NULL, &outcome->kept);
    outcome->main = schedule->runs[0];
    outcome->kernel_seconds = device->driver->seconds(device->handle, RT_MARK_START, RT_MARK_END);
    double end = rt_seconds();
    memcpy(outcome->at, (double[4]){start, uploaded, computed, end}, sizeof outcome->at);
    outcome->transfer_seconds = uploaded - start + end - computed;
    return true;
}

/* The device must be taken. */
static bool run_taken(rt_device *device, rt_shape *shape, rt_uses *uses, rt_memory *memory,
                      rt_part *part, rt_outcome *outcome, rt_error *why) {
    rt_schedule *schedule = malloc(sizeof *schedule);
    void *module = schedule ? rt_device_module(device, part->region, why) : NULL;
    if (!schedule)
        rt_fail(why, RT_HOST_MEMORY, "%s", "");
    rt_wide wide = {.others = NULL};
    bool ok =
        module && plan(device, module, shape, schedule, why) &&
        rt_wide_begin(&wide, shape, uses, memory->blocks, rt_schedule_is_blocked(schedule), why) &&
        rt_uses_begin(uses, device, memory->blocks, why) &&
        rt_blocks_allocate(device, shape, memory->blocks, why);
    if (ok) {
        ok = rt_blocks_scratch(device, module, shape, schedule,
                               rt_wide_bytes(&wide, shape->rotating), memory, why) &&
             compute(device, module, shape, schedule, &wide, memory, uses, part, outcome, why);
        if (!ok)
            rt_device_settle(device);
    }
    if (!ok)
        rt_uses_fail(uses, device, why);
    rt_uses_return(uses);
    rt_wide_end(&wide, device);
    rt_blocks_free(device, shape->region->nbuffers, memory);
    rt_device_trim(device);
    free(schedule);
    return ok;
}

bool rt_alone_run(rt_device *device, rt_shape *shape, rt_uses *uses, rt_part *part,
                  rt_outcome *outcome, rt_error *why) {
    rt_memory memory = {.blocks = calloc(shape->region->nbuffers, sizeof *memory.blocks)};
    if (!memory.blocks)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    rt_uses_leave_others(uses, device);
    bool ok = rt_device_load(device, part->region, why) && rt_device_take(device, why);
    if (ok) {
        ok = run_taken(device, shape, uses, &memory, part, outcome, why);
        rt_device_give(device);
    }
    rt_part_end(part);
    free(memory.blocks);
    outcome->driver = device->driver->name;
    outcome->device = device->info.name;
    outcome->bandwidth = device->info.bytes_per_second;
    return ok;
}
