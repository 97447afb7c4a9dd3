/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs a region of several sweeps: allocates, uploads, launches all sweeps of each step, reduces,
 * downloads, writes back.
 */
#include "runtime/run/sweeps.h"

#include "runtime/call/stops.h"
#include "runtime/call/whole.h"
#include "runtime/device/transfer.h"
#include "runtime/run/launch.h"
#include "runtime/run/words.h"
#include <stdlib.h>

/* Memory for what arrays have before a sweep. */
static bool allocate_before(rt_device *device, const rt_arrays *a, rt_block *blocks,
                            rt_error *why) {
    bool ok = true;
    for (uint32_t i = 0; i < a->nviews && ok; i++) {
        const rt_view *v = &a->views[i];
        if (v->array != UINT32_MAX && rt_grid_is_copied(&a->region->sweeps[v->sweep], v->grid) &&
            !blocks[v->array].address)
            ok = rt_device_alloc(device, a->shape.grids[v->array].bytes, &blocks[v->array], why);
    }
    return ok;
}

static bool allocate(rt_device *device, const rt_arrays *a, rt_block *blocks, rt_error *why) {
    for (uint32_t i = 0; i < a->count; i++)
        if (!blocks[i].address &&
            !rt_device_alloc(device, a->shape.grids[i].bytes, &blocks[i], why))
            return false;
    return allocate_before(device, a, blocks + 2 * a->count, why) && rt_device_chunks(device, why);
}

static bool upload(rt_device *device, const rt_arrays *a, const rt_uses *uses,
                   const rt_block *blocks, rt_error *why) {
    for (uint32_t i = 0; i < a->count; i++)
        if (!rt_uses_held(uses, i) &&
            !rt_upload_boxes(device, &a->shape, &a->shape.buffers[i], a->uploads[i].at,
                             a->uploads[i].count, blocks[i].address, why))
            return false;
    return true;
}

/* The number of boxes that must be copied back, through memory where they are staged or not. Cells
 * that the call did not read before it wrote them are not staged: after a failure half-way, the
 * original loops write them all. */
static size_t count_results(const rt_arrays *a, const rt_uses *uses, uint32_t array, bool staged) {
    bool made =
        !rt_boxes_meet(&a->uploads[array], &a->results[array]) && !a->shape.buffers[array].masked;
    return rt_uses_held(uses, array) || made == staged ? 0 : a->results[array].count;
}

/* Keeps what an unsure array has on the device now. */
static bool keep_before(rt_device *device, const rt_arrays *a, rt_block *blocks, rt_error *why) {
    rt_block *before = blocks + a->count;
    bool ok = true;
    for (uint32_t i = 0; i < a->count && ok; i++)
        if (a->shape.buffers[i].unsure)
            ok = rt_device_alloc(device, a->shape.grids[i].bytes, &before[i], why) &&
                 device->driver->copy(device->handle, before[i].address, blocks[i].address,
                                      a->shape.grids[i].bytes, why);
    return ok;
}

static bool fetch(rt_device *device, const rt_arrays *a, const rt_uses *uses,
                  const rt_block *blocks, rt_error *why) {
    bool ok = true;
    for (uint32_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < count_results(a, uses, i, false) && ok; k++)
            ok = rt_fetch_box(device, &a->shape, &a->shape.buffers[i], &a->results[i].at[k],
                              blocks[i].address, why);
    return ok;
}

/* Downloads a box; behind it, of an unsure array, what there was before. */
static bool stage_box(rt_device *device, const rt_arrays *a, const rt_block *blocks, uint32_t array,
                      const rt_box *box, unsigned char *staged, rt_error *why) {
    const rt_buffer *buffer = &a->shape.buffers[array];
    uint64_t before = blocks[a->count + array].address;
    return rt_download(device, &a->shape, buffer, box, blocks[array].address, staged, why) &&
           (!before || rt_download(device, &a->shape, buffer, box, before,
                                   staged + rt_staged_bytes(&a->shape, buffer, box), why));
}

static size_t bytes_of_box(const rt_arrays *a, const rt_block *blocks, uint32_t array,
                           const rt_box *box) {
    size_t bytes = rt_staged_bytes(&a->shape, &a->shape.buffers[array], box);
    return blocks[a->count + array].address ? 2 * bytes : bytes;
}

static bool stage(rt_device *device, const rt_arrays *a, const rt_uses *uses,
                  const rt_block *blocks, rt_error *why) {
    size_t bytes = 0;
    for (uint32_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < count_results(a, uses, i, true); k++)
            bytes += bytes_of_box(a, blocks, i, &a->results[i].at[k]);
    unsigned char *staged = bytes ? rt_device_arena(device, bytes, why) : NULL;
    if (!staged)
        return bytes == 0;
    for (uint32_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < count_results(a, uses, i, true); k++) {
            const rt_box *box = &a->results[i].at[k];
            if (!stage_box(device, a, blocks, i, box, staged, why))
                return false;
            staged += bytes_of_box(a, blocks, i, box);
        }
    return true;
}

static void write_back(const rt_device *device, const rt_arrays *a, const rt_uses *uses,
                       const rt_block *blocks) {
    unsigned char *staged = device->arena;
    for (uint32_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < count_results(a, uses, i, true); k++) {
            const rt_box *box = &a->results[i].at[k];
            const rt_buffer *buffer = &a->shape.buffers[i];
            bool kept = blocks[a->count + i].address != 0;
            rt_write_changed(&a->shape, buffer, box, staged,
                             kept ? staged + rt_staged_bytes(&a->shape, buffer, box) : NULL);
            staged += bytes_of_box(a, blocks, i, box);
        }
}

static bool launch(rt_device *device, void *module, const rt_arrays *a, const rt_block *blocks,
                   rt_steps *whole, rt_ahead *ahead, rt_reducer *reducer, rt_part *part,
                   rt_error *why) {
    uint32_t count = a->region->nsweeps;
    rt_sweep *sweeps = calloc(count, sizeof *sweeps);
    bool ok = sweeps != NULL || rt_fail(why, RT_HOST_MEMORY, "%s", "");
    for (uint32_t i = 0; ok && i < count; i++)
        ok = rt_sweep_make(a, i, blocks, rt_reducer_slots(reducer, i), &sweeps[i], why);
    ok = ok && (!whole || a->whole.first > 0 || rt_steps_fill(whole, device, why)) &&
         rt_launch_sweeps(device, module, sweeps, count, 0, a->call->steps, whole, ahead, reducer,
                          part, why);
    for (uint32_t i = 0; sweeps && i < count; i++)
        rt_sweep_free(&sweeps[i]);
    free(sweeps);
    return ok && device->driver->wait(device->handle, RT_MARK_END, why) &&
           (!ahead || rt_ahead_is_complete(ahead, device, why)) &&
           (!whole || rt_words_are_complete(device, &whole->words, why));
}

static bool launch_and_reduce(rt_device *device, void *module, const rt_arrays *a,
                              const rt_block *blocks, rt_steps *whole, rt_ahead *ahead,
                              rt_part *part, rt_error *why) {
    rt_reducer reducer;
    bool ok = rt_reducer_begin(&reducer, device, module, a->region, a->call,
                               whole ? a->whole.bt : 1, why) &&
              launch(device, module, a, blocks, whole, ahead, &reducer, part, why);
    if (!ok)
        rt_device_settle(device); /* before the slots are freed */
    rt_reducer_end(&reducer);
    return ok;
}

bool rt_sweeps_begin_part(rt_part *part, const rt_arrays *a, const rt_uses *uses, rt_error *why) {
    size_t boxes = 0;
    for (uint32_t i = 0; i < a->count; i++)
        boxes += a->results[i].count;
    bool ok = rt_part_begin(part, uses, a->call->steps, boxes, why);
    for (uint32_t i = 0; i < a->count && ok; i++)
        for (size_t k = 0; k < a->results[i].count; k++)
            rt_part_add(part, uses, &a->shape, i, &a->results[i].at[k]);
    return ok;
}

static int64_t steps_made(const rt_arrays *a, const rt_part *part) {
    if (rt_ends_by_condition(a->call->check))
        return a->call->check->done;
    return part->done > 0 ? part->done : a->call->steps;
}

/* A kernel that keeps all arrays on chip has one place for two buffers. If they differ in cells
 * that no step writes, other kernels make the steps. */
static bool leave_chip(rt_steps *whole, rt_device *device, void *module, rt_arrays *a) {
    if (!whole->apart || !rt_steps_stay_on_chip(whole))
        return true;
    a->whole.on_chip = false;
    return rt_steps_plan_again(whole, device, module);
}

/* `whole`: kernels of whole steps, or NULL. `ahead`: those that keep the grid on chip, which come
 * first in the choice, or NULL. */
static bool compute(rt_device *device, void *module, rt_arrays *a, rt_block *blocks,
                    rt_steps *whole, rt_ahead *ahead, rt_uses *uses, rt_part *part,
                    rt_outcome *outcome, rt_error *why) {
    double start = rt_seconds();
    if (!rt_uses_upload(uses, device, why) || !upload(device, a, uses, blocks, why) ||
        !keep_before(device, a, blocks, why) || !rt_sweeps_begin_part(part, a, uses, why))
        return false;
    if (ahead && !rt_ahead_begin(ahead, device, uses, blocks))
        ahead = NULL;
    if (ahead || (whole && (!rt_steps_look_at_halos(whole, device) ||
                            !leave_chip(whole, device, module, a))))
        whole = NULL;
    uint64_t launches = device->launches;
    double uploaded = rt_seconds();
    bool launched = launch_and_reduce(device, module, a, blocks, whole, ahead, part, why);
    uses->launched = device->launches != launches;
    if (!launched)
        return false;
    double computed = rt_seconds();
    if (!rt_arrays_stop(a, steps_made(a, part), why) || !rt_part_keep(part, why) ||
        !rt_uses_finish(uses, why) || !stage(device, a, uses, blocks, why) ||
        !fetch(device, a, uses, blocks, why))
        return false;
    write_back(device, a, uses, blocks);
    rt_held_commit(device, uses->at, uses->count, NULL, &outcome->kept);
    outcome->kernel_seconds = device->driver->seconds(device->handle, RT_MARK_START, RT_MARK_END);
    double end = rt_seconds();
    memcpy(outcome->at, (double[4]){start, uploaded, computed, end}, sizeof outcome->at);
    outcome->transfer_seconds = uploaded - start + end - computed;
    outcome->blocked = whole || ahead;
    if (outcome->blocked)
        outcome->main = ahead ? ahead->run : whole->schedule.runs[0];
    return true;
}

/* `whole`: a schedule with kernels of whole steps, or NULL. */
static bool compute_somehow(rt_device *device, void *module, rt_arrays *a, rt_block *blocks,
                            rt_steps *whole, rt_ahead *ahead, rt_uses *uses, rt_part *part,
                            rt_outcome *outcome, rt_error *why) {
    bool blocked = whole && rt_steps_begin(whole, device, uses, blocks);
    bool ok =
        compute(device, module, a, blocks, blocked ? whole : NULL, ahead, uses, part, outcome, why);
    if (!ok)
        rt_device_settle(device);
    if (blocked)
        rt_steps_end(whole, device);
    return ok;
}

bool rt_sweeps_run(rt_device *device, rt_arrays *a, rt_uses *uses, rt_part *part,
                   rt_outcome *outcome, rt_error *why) {
    rt_block *blocks = calloc(3 * (size_t)a->count, sizeof *blocks); /* see rt_sweep_make */
    if (!blocks)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    rt_uses_leave_others(uses, device);
    bool taken = rt_device_load(device, a->region, why) && rt_device_take(device, why);
    void *module = taken ? rt_device_module(device, a->region, why) : NULL;
    a->whole.on_chip = true;
    rt_steps *whole = module ? rt_steps_plan(device, module, a) : NULL;
    rt_ahead *ahead = module ? rt_ahead_plan(device, module, a, whole) : NULL;
    bool ok = module && (whole || rt_arrays_unpad(a, why)) &&
              rt_uses_begin(uses, device, blocks, why) && allocate(device, a, blocks, why);
    ok = ok && compute_somehow(device, module, a, blocks, whole, ahead, uses, part, outcome, why);
    if (taken) {
        if (!ok)
            rt_uses_fail(uses, device, why);
        rt_uses_return(uses);
        if (ahead)
            rt_ahead_end(ahead, device);
        for (uint32_t i = 0; i < 3 * a->count; i++)
            rt_device_free(device, &blocks[i]);
        rt_device_trim(device);
        rt_device_give(device);
    }
    rt_part_end(part);
    free(whole);
    rt_ahead_free(ahead);
    free(blocks);
    outcome->driver = device->driver->name;
    outcome->device = device->info.name;
    outcome->bandwidth = device->info.bytes_per_second;
    return ok;
}
