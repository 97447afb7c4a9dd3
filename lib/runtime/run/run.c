/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * stencilrt_run: look, choose, upload, launch, download, and only then write. Up to rt_write_back
 * the host's memory is read and never written, so every failure leaves it as it was.
 */
#include "runtime/call/tables.h"
#include "runtime/choose/cost.h"
#include "runtime/choose/learn.h"
#include "runtime/device/device.h"
#include "runtime/device/transfer.h"
#include "runtime/report/report.h"
#include "runtime/report/summary.h"
#include "runtime/resident/promise.h"
#include "runtime/resident/uses.h"
#include "runtime/run/launch.h"
#include "runtime/run/sweeps.h"
#include "runtime/run/wide.h"
#include "runtime/watch/watch.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* In the order that auto tries them. sim is never chosen, only named. */
static const rt_driver *const gpu_drivers[] = {&rt_driver_cuda, &rt_driver_hip};
enum { GPU_DRIVERS = sizeof gpu_drivers / sizeof *gpu_drivers };

static bool has_image(const stencilrt_region *region, const rt_driver *driver) {
    for (uint32_t i = 0; i < region->nimages; i++)
        if (region->images[i].kind < 32 && (driver->images >> region->images[i].kind & 1))
            return true;
    return false;
}

/* The GPU that is open and for which the region has code, or NULL. */
static rt_device *find_open(const stencilrt_region *region) {
    rt_device *open = NULL;
    for (int i = 0; i < GPU_DRIVERS && !open; i++)
        if (has_image(region, gpu_drivers[i]))
            open = rt_device_opened(gpu_drivers[i]);
    return open;
}

/* What each driver that was asked said; the last one's reason. */
static void add_reason(rt_error *all, const rt_driver *driver, const rt_error *one) {
    char before[sizeof all->detail];
    memcpy(before, all->detail, sizeof before);
    rt_fail(all, one->reason, "%.180s%s%s: %.180s", before, before[0] ? "; " : "", driver->name,
            one->detail[0] ? one->detail : "no device");
}

static rt_device *open_first(const stencilrt_region *region, rt_error *why) {
    rt_device *device = NULL;
    rt_error one;
    rt_fail(why, RT_NO_IMAGE, "%s", "");
    for (int i = 0; i < GPU_DRIVERS && !device; i++) {
        if (!has_image(region, gpu_drivers[i]))
            continue;
        device = rt_device_open(gpu_drivers[i], &one);
        if (!device)
            add_reason(why, gpu_drivers[i], &one);
    }
    return device;
}

static double bandwidth(const stencilrt_region *region) {
    const rt_device *open = find_open(region);
    return open ? open->info.bytes_per_second : 0;
}

/* Does the machine look as if it had a GPU? Asked for the report alone, where opening a driver
 * would not pay. A driver named by an option counts. */
static bool is_any_gpu(const stencilrt_region *region) {
    static const char *const nodes[] = {"/dev/nvidiactl", "/dev/nvidia0", "/dev/dxg", "/dev/kfd"};
    const rt_config *config = rt_config_get();
    bool any = config->libcuda || config->libhip || !has_image(region, &rt_driver_cuda);
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes && !any; i++)
        any = access(nodes[i], F_OK) == 0;
    return any;
}

/* Both sides of the comparison, for the user. */
static void say_slower(rt_prediction p, double set_up, rt_error *why) {
    if (set_up > 0)
        rt_fail(why, RT_SLOWER, "set-up %.3g ms + %.3g ms > %.3g ms on the CPU", 1e3 * set_up,
                1e3 * p.device, 1e3 * p.host);
    else
        rt_fail(why, RT_SLOWER, "%.3g ms > %.3g ms on the CPU", 1e3 * p.device, 1e3 * p.host);
}

/* auto: the GPU, if the model says that it wins. */
static rt_device *choose_auto(const stencilrt_region *region, rt_prediction p, rt_error *why) {
    rt_device *open = find_open(region);
    if (!rt_devices_usable(why))
        return NULL;
    bool loaded = rt_region_is_loaded(region);
    if (!rt_cost_accept(p, open != NULL, loaded)) {
        if (rt_config_get()->report && !open && !is_any_gpu(region))
            rt_fail(why, RT_NO_DEVICE, "no GPU");
        else
            say_slower(p, rt_cost_set_up(open != NULL, loaded), why);
        return NULL;
    }
    return open ? open : open_first(region, why);
}

static rt_device *choose(const stencilrt_region *region, rt_prediction p, enum rt_choice choice,
                         rt_error *why) {
    switch (choice) {
    case RT_CHOICE_AUTO:
        return choose_auto(region, p, why);
    case RT_CHOICE_CUDA:
        return rt_device_open(&rt_driver_cuda, why);
    case RT_CHOICE_SIM:
        return rt_device_open(&rt_driver_sim, why);
    case RT_CHOICE_HIP:
        return rt_device_open(&rt_driver_hip, why);
    case RT_CHOICE_OFF:
        break;
    }
    rt_fail(why, RT_OFF, "%s", "");
    return NULL;
}

static bool allocate(rt_device *device, const rt_shape *shape, rt_block *blocks, rt_error *why) {
    for (uint32_t i = 0; i < shape->region->nbuffers; i++) {
        const rt_buffer *buffer = &shape->buffers[i];
        if ((buffer->read || buffer->written) && !blocks[i].address &&
            !rt_device_alloc(device, shape->grids[buffer->grid].bytes, &blocks[i], why))
            return false;
    }
    return rt_device_chunks(device, why);
}

/* The schedule, and a shape without padding where no kernel of it wants any: what is apart for
 * nothing costs bandwidth. */
static bool plan(rt_device *device, void *module, rt_shape *shape, rt_schedule *schedule,
                 rt_error *why) {
    if (!rt_schedule_make(schedule, device, module, shape, true, why))
        return false;
    return shape->bt == 0 || rt_schedule_is_blocked(schedule) || rt_shape_unpad(shape, why);
}

/* Where there is no memory for scratch, the schedule that needs none. */
static bool allocate_scratch(rt_device *device, void *module, const rt_shape *shape,
                             rt_schedule *schedule, const rt_wide *wide, rt_memory *memory,
                             rt_error *why) {
    rt_error ignored;
    bool ok = true;
    for (int i = 0; i < 2 && ok; i++)
        if (schedule->scratch[i] && !rt_device_alloc(device, rt_wide_bytes(wide, shape->rotating),
                                                     &memory->scratch[i], &ignored))
            ok = rt_schedule_make(schedule, device, module, shape, false, why);
    return ok;
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

static bool upload(rt_device *device, const rt_shape *shape, const rt_uses *uses,
                   const rt_block *blocks, rt_error *why) {
    for (uint32_t i = 0; i < shape->region->nbuffers; i++)
        if (shape->buffers[i].read && !is_copied(shape, i) && !rt_uses_held(uses, i) &&
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

/* Must it come back? Every written buffer is live: the program may read each of them afterwards. */
static bool is_result(const rt_shape *shape, const rt_uses *uses, uint32_t buffer) {
    return shape->buffers[buffer].written && !rt_uses_held(uses, buffer);
}

static bool download(rt_device *device, const rt_shape *shape, const rt_uses *uses,
                     const rt_block *blocks, rt_error *why) {
    size_t bytes = 0, staged = 0;
    for (uint32_t i = 0; i < shape->region->nbuffers; i++) {
        rt_box box = rt_domain(&shape->grids[shape->buffers[i].grid]);
        if (is_result(shape, uses, i))
            bytes += rt_staged_bytes(shape, &shape->buffers[i], &box);
    }
    unsigned char *arena = bytes ? rt_device_arena(device, bytes, why) : NULL;
    if (!arena)
        return bytes == 0;
    for (uint32_t i = 0; i < shape->region->nbuffers; i++) {
        const rt_buffer *buffer = &shape->buffers[i];
        rt_box box = rt_domain(&shape->grids[buffer->grid]);
        if (!is_result(shape, uses, i))
            continue;
        uint64_t from = blocks[final_buffer(shape, i)].address;
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
        if (!is_result(shape, uses, i))
            continue;
        rt_write_back(shape, buffer, &box, staged);
        staged += rt_staged_bytes(shape, buffer, &box);
    }
}

/* What the call writes, for the case that it runs in parts. */
static bool begin_part(rt_part *part, const rt_shape *shape, const rt_uses *uses, rt_error *why) {
    uint32_t count = shape->region->nbuffers;
    bool ok = rt_part_begin(part, uses, shape->steps, count, why);
    for (uint32_t i = 0; i < count && ok; i++) {
        rt_box box = rt_domain(&shape->grids[shape->buffers[i].grid]);
        if (shape->buffers[i].written)
            rt_part_add(part, shape, i, &box);
    }
    return ok;
}

static bool halo_is_equal(rt_device *device, const rt_shape *shape, const rt_block *blocks,
                          uint32_t first, uint32_t second) {
    const rt_buffer *a = &shape->buffers[first], *b = &shape->buffers[second];
    rt_error ignored;
    rt_box *boxes;
    size_t count;
    if (!rt_rows_of_halo(shape, b, &boxes, &count, &ignored))
        return false;
    bool equal = true;
    for (size_t i = 0; i < count && equal; i++)
        equal = rt_box_is_equal_on_device(device, shape, a, blocks[first].address, b,
                                          blocks[second].address, &boxes[i]);
    free(boxes);
    return equal;
}

/* Arrays that stay are compared on the device: the host's memory is not theirs. */
static bool have_same_halo(rt_device *device, const rt_shape *shape, const rt_uses *uses,
                           const rt_block *blocks) {
    const stencilrt_grid *grid = &shape->region->grids[shape->rotating];
    uint32_t first = grid->first_buffer;
    bool equal = shape->bt > 0;
    if (!equal || shape->older || shape->call->copy)
        return equal;
    if (!rt_uses_held(uses, first))
        return rt_halos_are_equal(shape);
    for (uint32_t i = 1; i < grid->buffers && equal; i++)
        equal = halo_is_equal(device, shape, blocks, first, first + i);
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
           device->driver->wait(device->handle, RT_MARK_END, why);
}

/* Upload, launch, download, write: with memory and kernels at hand. */
static bool compute(rt_device *device, void *module, rt_shape *shape, const rt_schedule *schedule,
                    rt_wide *wide, rt_memory *memory, rt_uses *uses, rt_part *part,
                    rt_outcome *outcome, rt_error *why) {
    double start = rt_seconds();
    if (!rt_uses_upload(uses, device, why) || !upload(device, shape, uses, memory->blocks, why) ||
        !begin_part(part, shape, uses, why))
        return false;
    memory->same_halo = have_same_halo(device, shape, uses, memory->blocks);
    uint64_t launches = device->launches;
    double uploaded = rt_seconds();
    bool launched = launch(device, module, shape, schedule, wide, memory, part, why);
    uses->launched = device->launches != launches;
    if (!launched)
        return false;
    double computed = rt_seconds();
    shape->steps = part->done > 0 ? part->done : shape->steps;
    if (!rt_part_keep(part, device, why) || !rt_uses_finish(uses, why) ||
        !download(device, shape, uses, memory->blocks, why))
        return false;
    write_back(device, shape, uses);
    rt_held_commit(device, uses->at, uses->count, &outcome->kept);
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

/* With the device taken. */
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
        allocate(device, shape, memory->blocks, why);
    if (ok) {
        ok = allocate_scratch(device, module, shape, schedule, &wide, memory, why) &&
             compute(device, module, shape, schedule, &wide, memory, uses, part, outcome, why);
        if (!ok)
            rt_device_settle(device);
    }
    if (!ok)
        rt_uses_fail(uses, device, why);
    rt_uses_return(uses);
    rt_wide_end(&wide, device);
    release(device, shape->region->nbuffers, memory);
    free(schedule);
    return ok;
}

static bool run_on(rt_device *device, rt_shape *shape, rt_uses *uses, rt_part *part,
                   rt_outcome *outcome, rt_error *why) {
    rt_memory memory = {.blocks = calloc(shape->region->nbuffers, sizeof *memory.blocks)};
    if (!memory.blocks)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    rt_uses_leave_others(uses, device);
    bool ok = rt_device_take(device, why);
    if (ok) {
        ok = run_taken(device, shape, uses, &memory, part, outcome, why);
        rt_device_give(device);
    }
    rt_part_end(part);
    free(memory.blocks);
    outcome->driver = device->driver->name;
    outcome->device = device->info.name;
    return ok;
}

/* What arrays that are on the device mean for either side, and those that may stay there: if they
 * are worth trying, and what that may cost is not too much, the call is not charged for bringing
 * them. The original loops are charged for what must come home for them, and go there again. What
 * was measured of the original loops counts once the device is open: it repays opening one if what
 * was forgone was much, and that is the model's to say. */
static rt_prediction with_arrays(const stencilrt_region *region, rt_uses *uses, bool all,
                                 rt_prediction p, rt_found *found) {
    rt_held_find(find_open(region), uses->at, uses->count, found);
    p.device -= p.transfers;
    p.loops = rt_learn_host(region, p.host);
    double expected = found->all ? 0 : rt_learn_expected(region);
    bool tries = all && p.device < p.host && rt_uses_can(uses) &&
                 rt_learn_may_try(region, rt_cost_bring_home(found->risk));
    if (uses->count > 0)
        p.transfers = rt_cost_copy(found->missing);
    p.device += tries ? 0 : p.transfers;
    p.device = expected > p.device ? expected : p.device;
    p.host = find_open(region) ? p.loops : p.host;
    p.own = p.device < p.host;
    p.host += rt_cost_bring_home(found->dirty + found->again);
    return p;
}

/* The original loops are about to run, and no held array comes home for them: others like this call
 * need not be looked at. */
static void decline(const stencilrt_region *region, const stencilrt_call *call, double host,
                    rt_prediction p, const rt_found *found) {
    if (!found->any && p.device > p.host)
        rt_learn_skip(region, call, host);
    rt_learn_declined(region, host);
}

static rt_device *choose_by_cost(rt_uses *uses, const stencilrt_region *region,
                                 const stencilrt_call *call, bool all, rt_prediction *p,
                                 rt_error *why) {
    rt_found found;
    double host = p->host;
    *p = with_arrays(region, uses, all, *p, &found);
    rt_device *device = choose(region, *p, RT_CHOICE_AUTO, why);
    if (!device)
        decline(region, call, host, *p, &found);
    return device;
}

/* Where the device is named, a single step leaves arrays there at once: more are likely to follow.
 */
static rt_device *choose_with(rt_uses *uses, const stencilrt_region *region,
                              const stencilrt_call *call, rt_prediction *p, const rt_config *config,
                              bool hold, const rt_part *part, rt_error *why) {
    bool forced = config->device != RT_CHOICE_AUTO;
    bool all = hold && rt_uses_want(uses, region, forced && call->steps == 1);
    rt_device *device = part->device ? part->device
                        : forced     ? choose(region, *p, config->device, why)
                                     : choose_by_cost(uses, region, call, all, p, why);
    if (device)
        rt_uses_can(uses);
    return device;
}

/* What the call took, by its own clocks: of what the model chose, and not of parts of a call. The
 * first time, what the model says, for then there is more that is done once. */
static void learn(const stencilrt_region *region, const rt_config *config, const rt_part *part,
                  bool was_loaded, rt_prediction p, const rt_outcome *o) {
    double took = was_loaded ? o->kernel_seconds + o->transfer_seconds
                             : p.device + p.transfers + rt_cost_set_up(true, false);
    if (config->device == RT_CHOICE_AUTO && !rt_part_is_later(part) && part->done == 0)
        rt_learn_ran(region, took, p.loops, was_loaded && p.own);
}

/* May arrays stay on the device? Not those whose addresses are images of tables. */
static bool may_stay(const rt_config *config, const rt_tables *tables) {
    return config->resident && !tables->call->tables;
}

/* For the next part. */
static void note(rt_part *part, rt_device *device, const rt_outcome *outcome) {
    part->device = part->done > 0 ? device : part->device;
    part->transfers = outcome->transfer_seconds;
}

/* A sweep that runs alone, with kernels of at most this degree; `hold`: arrays may stay on the
 * device. */
static bool run_alone(const stencilrt_region *region, const rt_tables *tables,
                      const rt_config *config, int64_t max_bt, bool hold, rt_part *part,
                      rt_error *why) {
    rt_outcome outcome = {.later = rt_part_is_later(part)};
    rt_shape shape = {0};
    rt_uses uses = {0};
    bool ok =
        rt_shape_make(&shape, region->sweeps, tables->call->sweeps, max_bt, config->chunk, why) &&
        rt_tables_check_shape(tables, &shape, why) &&
        (!may_stay(config, tables) || rt_uses_make(&uses, &shape, why));
    rt_prediction p = {0};
    if (ok && config->device == RT_CHOICE_AUTO)
        p = rt_cost_predict(&shape, bandwidth(region));
    rt_device *device =
        ok ? choose_with(&uses, region, tables->call, &p, config, hold, part, why) : NULL;
    bool was_loaded = rt_region_is_loaded(region);
    ok = device && run_on(device, &shape, &uses, part, &outcome, why);
    if (ok)
        learn(region, config, part, was_loaded, p, &outcome);
    if (ok && config->report)
        rt_report_ran(region, &shape, &outcome);
    note(part, device, &outcome);
    bool full = !ok && why->reason == RT_DEVICE_MEMORY, made_room = uses.made_room;
    bool unpadded = shape.bt == 0;
    rt_uses_free(&uses);
    rt_shape_free(&shape);
    if (full && made_room)
        return run_alone(region, tables, config, max_bt, false, part, why);
    /* Stream kernels want padding; without, it may just fit. */
    return full && !unpadded ? run_alone(region, tables, config, 1, hold, part, why) : ok;
}

/* Where arrays stay, kernels of whole steps work on copies: some passes over the arrays more. */
static bool choose_whole(rt_arrays *a, const rt_config *config, rt_error *why) {
    enum { LEAST = 4 }; /* steps that repay this */
    a->whole.chunk = config->chunk;
    a->whole.eager = config->max_bt != INT64_MAX;
    bool may = a->whole.can && (a->whole.eager || a->call->steps >= LEAST);
    return may || rt_arrays_unpad(a, why);
}

/* All sweeps of each step. `max_bt`: kernels of whole steps of at most this degree. */
static bool run_sweeps(const stencilrt_region *region, rt_tables *tables, const rt_config *config,
                       int64_t max_bt, bool hold, rt_part *part, rt_error *why) {
    rt_outcome outcome = {.later = rt_part_is_later(part)};
    rt_arrays arrays;
    rt_uses uses = {0};
    bool ok = rt_arrays_make(&arrays, region, tables->call, max_bt, why);
    if (ok && rt_tables_take_in(tables, &arrays)) {
        rt_arrays_free(&arrays);
        ok = rt_arrays_make(&arrays, region, tables->call, max_bt, why);
    }
    ok = ok && choose_whole(&arrays, config, why) && rt_arrays_are_sure(&arrays, why) &&
         rt_tables_check_arrays(tables, &arrays, why) &&
         (!may_stay(config, tables) || rt_uses_make_sweeps(&uses, &arrays, why));
    rt_prediction p = {0};
    if (ok && config->device == RT_CHOICE_AUTO)
        p = rt_cost_predict_sweeps(&arrays, bandwidth(region));
    rt_device *device =
        ok ? choose_with(&uses, region, tables->call, &p, config, hold, part, why) : NULL;
    bool was_loaded = rt_region_is_loaded(region);
    ok = device && rt_sweeps_run(device, &arrays, &uses, part, &outcome, why);
    if (ok)
        learn(region, config, part, was_loaded, p, &outcome);
    if (ok && config->report)
        rt_report_sweeps(region, tables->call, part->done, &outcome);
    note(part, device, &outcome);
    bool full = !ok && why->reason == RT_DEVICE_MEMORY, made_room = uses.made_room;
    bool padded = arrays.whole.bt > 0;
    rt_uses_free(&uses);
    rt_arrays_free(&arrays);
    if (full && made_room)
        return run_sweeps(region, tables, config, max_bt, false, part, why);
    return full && padded ? run_sweeps(region, tables, config, 1, hold, part, why) : ok;
}

static bool run_resolved(const stencilrt_region *region, rt_tables *tables, const rt_config *config,
                         rt_part *part, rt_error *why) {
    return region->flags & STENCILRT_ALONE
               ? run_alone(region, tables, config, config->max_bt, true, part, why)
               : run_sweeps(region, tables, config, config->max_bt, true, part, why);
}

/* Is it only whole ranges of memory that overlap? */
static bool may_be_apart(enum rt_reason reason) {
    return reason == RT_OVERLAP || reason == RT_FOLDED || reason == RT_MIXED ||
           reason == RT_IN_PLACE;
}

static bool run(const stencilrt_region *region, const stencilrt_call *call, const rt_config *config,
                rt_part *part, rt_error *why) {
    rt_tables tables;
    if (!rt_validate(region, call, why))
        return false;
    if (part->flushes && !(region->flags & STENCILRT_DENORMALS_FREE))
        return rt_fail(why, RT_FLUSHES, "%s", "");
    bool ok = rt_tables_resolve(&tables, region, call, why) &&
              run_resolved(region, &tables, config, part, why);
    /* Rows that each are memory of their own may be evenly spaced, with other memory between. */
    if (!ok && tables.given && !tables.call->tables && may_be_apart(why->reason))
        ok = rt_tables_use_images(&tables, region, call, why) &&
             run_resolved(region, &tables, config, part, why);
    rt_tables_free(&tables);
    return ok;
}

/* Handlers run, and may leave for good. False: the runtime cannot go on here. */
static bool let_handlers_run(rt_environment *saved) {
    rt_environment_leave(saved);
    return rt_environment_enter(saved);
}

/* All parts of a call. *inside: false if the environment was left. */
static bool run_parts(rt_part *part, const rt_config *config, rt_environment *saved, bool *inside,
                      rt_error *why) {
    bool ok, more;
    do {
        const stencilrt_call *call = part->given;
        bool later = rt_part_is_later(part);
        part->done = 0;
        ok = run(part->region, later ? rt_rest_call(part->rest) : call, config, part, why);
        more = ok ? part->done > 0 : why->reason == RT_INTERRUPTED;
        if (ok && more) {
            rt_rest_advance(part->rest, part->done);
            rt_part_paid(part->transfers);
        }
        *inside = !more || let_handlers_run(saved);
    } while (more && *inside);
    return ok && *inside;
}

/* Reasons that hold for the rest of the process, for regions with code for other devices too. */
static bool is_final(enum rt_reason reason, enum rt_choice choice) {
    if (reason != RT_NO_DRIVER && reason != RT_NO_DEVICE)
        return reason == RT_OFF || reason == RT_BAD_OPTION;
    bool final = true;
    for (int i = 0; i < GPU_DRIVERS && choice == RT_CHOICE_AUTO; i++)
        final = final && rt_device_failed(gpu_drivers[i]);
    return final;
}

/* Drivers, and the simulator's compiler, take much of a stack. */
static bool is_good_stack(const rt_environment *saved, rt_error *why) {
    enum { NEEDED = 256 << 10 };
    if (rt_stack_has_handler(&saved->signals))
        return rt_fail(why, RT_HANDLER, "%s", "");
    return rt_stack_left() >= NEEDED || rt_fail(why, RT_STACK, "%s", "");
}

/* Of a call that ran in parts. */
static void end_rest(rt_part *part, bool ok) {
    if (!part->rest)
        return;
    if (ok && rt_part_is_later(part))
        rt_rest_finish(part->rest);
    else if (rt_part_is_later(part))
        rt_rest_restore(part->rest);
    rt_rest_end(part->rest);
}

/* Nothing but the choice by cost skips calls; a report tells of each. */
static bool is_skipped(const stencilrt_region *region, const stencilrt_call *call) {
    const rt_config *config = rt_config_is_read() ? rt_config_get() : NULL;
    return config && config->device == RT_CHOICE_AUTO && !config->report && !rt_promises_any() &&
           rt_learn_skips(region, call);
}

EXPORT int stencilrt_run(const stencilrt_region *region, const stencilrt_call *call) {
    rt_environment saved;
    if (is_skipped(region, call))
        return 0;
    rt_error why = {0};
    rt_part part = {.region = region, .given = call, .frame = __builtin_frame_address(0)};
    bool same_rounding = rt_environment_is_default(), ok = false, inside = true;
    part.flushes = rt_environment_flushes();
    if (!rt_environment_enter(&saved))
        return 0;
    /* What another thread was in the middle of when this process was forked is never done: after
     * _Fork pthread_once waits for it for good. */
    if (!rt_config_is_read() && !rt_devices_usable(&why)) {
        rt_environment_leave(&saved);
        return 0;
    }
    const rt_config *config = rt_config_get();
    rt_learn_begins();
    if (config->report == RT_REPORT_SUMMARY || config->report == RT_REPORT_JSON)
        rt_summary_begin();
    if (config->device == RT_CHOICE_OFF) {
        rt_fail(&why, config->device_unknown ? RT_BAD_OPTION : RT_OFF, "%s", "");
    } else if (!same_rounding) {
        rt_fail(&why, RT_FLOAT_ENV, "%s", "");
    } else if (rt_devices_usable(&why) && is_good_stack(&saved, &why)) {
        rt_rest_end_left(part.frame);
        ok = run_parts(&part, config, &saved, &inside, &why);
    }
    if (!ok)
        rt_promises_settle();
    end_rest(&part, ok);
    if (!ok && config->report)
        rt_report_declined(region, &why);
    if (inside)
        rt_environment_leave(&saved);
    return !ok && !config->report && is_final(why.reason, config->device) ? -1 : ok;
}
