/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * stencilrt_run: look, choose, upload, launch, download, and only then write. Up to rt_write_back
 * the host's memory is read and never written, so every failure leaves it as it was.
 */
#include "cost.h"
#include "device.h"
#include "launch.h"
#include "report.h"
#include "transfer.h"
#include <stdlib.h>

#define EXPORT __attribute__((visibility("default")))

/* auto: the GPU, if the model says that it wins. sim is never chosen, only named. */
static rt_device *choose_auto(const rt_shape *shape, rt_error *why) {
    rt_device *open = rt_device_opened(&rt_driver_cuda);
    rt_prediction p = rt_cost_predict(shape, open ? open->info.bytes_per_second : 0);
    if (!rt_devices_usable(why))
        return NULL;
    if (!rt_cost_accept(p, open != NULL, rt_region_is_loaded(shape->region))) {
        rt_fail(why, RT_SLOWER, "%.3g ms and what is set up first, original loops %.3g ms",
                1e3 * p.device, 1e3 * p.host);
        return NULL;
    }
    return rt_device_open(&rt_driver_cuda, why);
}

static rt_device *choose(const rt_shape *shape, enum rt_choice choice, rt_error *why) {
    switch (choice) {
    case RT_CHOICE_AUTO:
        return choose_auto(shape, why);
    case RT_CHOICE_CUDA:
        return rt_device_open(&rt_driver_cuda, why);
    case RT_CHOICE_SIM:
        return rt_device_open(&rt_driver_sim, why);
    case RT_CHOICE_HIP:
        rt_fail(why, RT_NO_HIP, "%s", "");
        return NULL;
    case RT_CHOICE_OFF:
        break;
    }
    rt_fail(why, RT_OFF, "%s", "");
    return NULL;
}

static bool allocate(rt_device *device, const rt_shape *shape, rt_block *blocks, rt_error *why) {
    for (uint32_t i = 0; i < shape->region->nbuffers; i++) {
        const rt_buffer *buffer = &shape->buffers[i];
        if ((buffer->read || buffer->written) &&
            !rt_device_alloc(device, shape->grids[buffer->grid].bytes, &blocks[i], why))
            return false;
    }
    return rt_device_chunks(device, why);
}

/* The schedule, and a shape without padding where no kernel of it wants any: what is apart for
 * nothing costs bandwidth. */
static bool plan(rt_device *device, void *module, rt_shape *shape, rt_schedule *schedule,
                 rt_error *why) {
    *schedule = rt_schedule_make(device, module, shape, true);
    return shape->bt == 0 || rt_schedule_is_blocked(schedule) || rt_shape_unpad(shape, why);
}

/* Where there is no memory for scratch, the schedule that needs none. */
static void allocate_scratch(rt_device *device, void *module, const rt_shape *shape,
                             rt_schedule *schedule, rt_memory *memory) {
    rt_error ignored;
    for (int i = 0; i < 2; i++)
        if (schedule->scratch[i] && !rt_device_alloc(device, shape->grids[shape->rotating].bytes,
                                                     &memory->scratch[i], &ignored))
            *schedule = rt_schedule_make(device, module, shape, false);
}

/* Only blocked kernels load what nobody writes: padding, and the domain of the buffer that the
 * first launch writes. All of the buffer is one call, and takes a hundredth of the upload's time.
 */
static bool blank(rt_device *device, const rt_shape *shape, uint32_t buffer, const rt_block *blocks,
                  rt_error *why) {
    size_t bytes = shape->grids[shape->buffers[buffer].grid].bytes;
    return shape->bt == 0 ||
           device->driver->blank(device->handle, blocks[buffer].address, bytes, why);
}

/* Does it hold what a step copied, and nothing of its own? */
static bool is_copied(const rt_shape *shape, uint32_t buffer) {
    return shape->call->copy && buffer == shape->region->grids[shape->rotating].first_buffer + 1;
}

/* Of steps that end with a copy: the second buffer gets the first one's halo. */
static bool upload_copied(rt_device *device, const rt_shape *shape, const rt_block *blocks,
                          rt_error *why) {
    uint32_t first = shape->region->grids[shape->rotating].first_buffer;
    rt_buffer halo = shape->buffers[first];
    halo.domain_made_here = true;
    return !shape->call->copy || (blank(device, shape, first + 1, blocks, why) &&
                                  rt_upload(device, shape, &halo, blocks[first + 1].address, why));
}

static bool upload(rt_device *device, const rt_shape *shape, const rt_block *blocks,
                   rt_error *why) {
    for (uint32_t i = 0; i < shape->region->nbuffers; i++)
        if (shape->buffers[i].read && !is_copied(shape, i) &&
            (!blank(device, shape, i, blocks, why) ||
             !rt_upload(device, shape, &shape->buffers[i], blocks[i].address, why)))
            return false;
    return upload_copied(device, shape, blocks, why);
}

/* Which buffer's contents the program finds in this one: where steps end with a copy, the last. */
static uint32_t final_buffer(const rt_shape *shape, uint32_t buffer) {
    if (!shape->call->copy || shape->buffers[buffer].grid != shape->rotating)
        return buffer;
    return shape->region->grids[shape->rotating].first_buffer + (uint32_t)(shape->steps % 2);
}

/* Every written buffer is live: the program may read each of them afterwards. */
static bool download(rt_device *device, const rt_shape *shape, const rt_block *blocks,
                     rt_error *why) {
    size_t bytes = 0, staged;
    for (uint32_t i = 0; i < shape->region->nbuffers; i++)
        if (shape->buffers[i].written)
            bytes += rt_staged_bytes(shape, &shape->buffers[i]);
    unsigned char *arena = rt_device_arena(device, bytes, why);
    if (!arena)
        return false;
    staged = 0;
    for (uint32_t i = 0; i < shape->region->nbuffers; i++) {
        if (!shape->buffers[i].written)
            continue;
        uint64_t from = blocks[final_buffer(shape, i)].address;
        if (!rt_download(device, shape, &shape->buffers[i], from, arena + staged, why))
            return false;
        staged += rt_staged_bytes(shape, &shape->buffers[i]);
    }
    return true;
}

static void write_back(rt_device *device, const rt_shape *shape) {
    unsigned char *staged = device->arena;
    for (uint32_t i = 0; i < shape->region->nbuffers; i++) {
        if (!shape->buffers[i].written)
            continue;
        rt_write_back(shape, &shape->buffers[i], staged);
        staged += rt_staged_bytes(shape, &shape->buffers[i]);
    }
}

/* Upload, launch, download, write: with memory and kernels at hand. */
static bool compute(rt_device *device, void *module, const rt_shape *shape,
                    const rt_schedule *schedule, rt_memory *memory, rt_outcome *outcome,
                    rt_error *why) {
    double start = rt_seconds();
    memory->same_halo =
        shape->bt > 0 && (shape->older || shape->call->copy || rt_halos_are_equal(shape));
    if (!upload(device, shape, memory->blocks, why))
        return false;
    double uploaded = rt_seconds();
    if (!rt_launch_steps(device, module, shape, schedule, memory, why) ||
        !device->driver->wait(device->handle, RT_MARK_END, why))
        return false;
    double computed = rt_seconds();
    if (!download(device, shape, memory->blocks, why))
        return false;
    write_back(device, shape);
    outcome->main = schedule->runs[0];
    outcome->kernel_seconds = device->driver->seconds(device->handle, RT_MARK_START, RT_MARK_END);
    outcome->transfer_seconds = uploaded - start + rt_seconds() - computed;
    return true;
}

static void release(rt_device *device, uint32_t nbuffers, rt_memory *memory) {
    for (uint32_t i = 0; i < nbuffers; i++)
        rt_device_free(device, &memory->blocks[i]);
    for (int i = 0; i < 2; i++)
        rt_device_free(device, &memory->scratch[i]);
    rt_device_trim(device);
}

static bool run_on(rt_device *device, rt_shape *shape, rt_outcome *outcome, rt_error *why) {
    uint32_t nbuffers = shape->region->nbuffers;
    rt_memory memory = {.blocks = calloc(nbuffers, sizeof *memory.blocks)};
    rt_schedule schedule;
    if (!memory.blocks)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    bool taken = rt_device_take(device, why);
    void *module = taken ? rt_device_module(device, shape->region, why) : NULL;
    bool ok = module && plan(device, module, shape, &schedule, why) &&
              allocate(device, shape, memory.blocks, why);
    if (ok) {
        allocate_scratch(device, module, shape, &schedule, &memory);
        ok = compute(device, module, shape, &schedule, &memory, outcome, why);
        if (!ok)
            rt_device_settle(device);
    }
    if (taken) {
        release(device, nbuffers, &memory);
        rt_device_give(device);
    }
    free(memory.blocks);
    outcome->driver = device->driver->name;
    outcome->device = device->info.name;
    return ok;
}

/* With kernels of at most this degree. */
static bool run_blocked(const stencilrt_region *region, const stencilrt_call *call,
                        const rt_config *config, int64_t max_bt, rt_error *why) {
    rt_outcome outcome = {0};
    rt_shape shape = {0};
    bool ok = rt_shape_make(&shape, region, call, max_bt, config->chunk, why);
    rt_device *device = ok ? choose(&shape, config->device, why) : NULL;
    ok = device && run_on(device, &shape, &outcome, why);
    if (ok && config->report)
        rt_report_ran(&shape, &outcome);
    bool again = !ok && why->reason == RT_DEVICE_MEMORY && shape.bt > 0;
    rt_shape_free(&shape);
    /* Stream kernels want padding; without, it may just fit. */
    return again ? run_blocked(region, call, config, 1, why) : ok;
}

static bool run(const stencilrt_region *region, const stencilrt_call *call, const rt_config *config,
                rt_error *why) {
    return rt_validate(region, call, why) && run_blocked(region, call, config, config->max_bt, why);
}

/* Reasons that hold for the rest of the process. */
static bool is_final(enum rt_reason reason) {
    return reason == RT_OFF || reason == RT_BAD_OPTION || reason == RT_NO_HIP ||
           reason == RT_NO_DRIVER || reason == RT_NO_DEVICE;
}

EXPORT int stencilrt_run(const stencilrt_region *region, const stencilrt_call *call) {
    rt_environment saved;
    rt_error why = {0};
    bool same_rounding = rt_environment_is_default(), ok = false;
    rt_environment_enter(&saved);
    const rt_config *config = rt_config_get();
    if (config->device == RT_CHOICE_OFF)
        rt_fail(&why, config->device_unknown ? RT_BAD_OPTION : RT_OFF, "%s", "");
    else if (!same_rounding)
        rt_fail(&why, RT_FLOAT_ENV, "%s", "");
    else
        ok = run(region, call, config, &why);
    if (!ok && config->report)
        rt_report_declined(region, &why);
    rt_environment_leave(&saved);
    return !ok && !config->report && is_final(why.reason) ? -1 : ok;
}
