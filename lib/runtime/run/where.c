/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Chooses where a call runs: on which device, or in its original loops.
 */
#include "runtime/run/where.h"

#include "runtime/choose/cost.h"
#include "runtime/choose/learn.h"
#include "runtime/device/early.h"
#include "runtime/run/start.h"
#include "runtime/watch/watch.h"
#include <stdatomic.h>
#include <string.h>

/* In the order in which auto tries them. Auto never chooses sim. */
static const rt_driver *const gpu_drivers[] = {&rt_driver_cuda, &rt_driver_hip};
enum { GPU_DRIVERS = sizeof gpu_drivers / sizeof *gpu_drivers };

static bool has_image(const stencilrt_region *region, const rt_driver *driver) {
    for (uint32_t i = 0; i < region->nimages; i++)
        if (region->images[i].kind < 32 && (driver->images >> region->images[i].kind & 1))
            return true;
    return false;
}

/* An open GPU for which the region has code, or NULL. */
static rt_device *find_open(const stencilrt_region *region) {
    rt_device *open = NULL;
    for (int i = 0; i < GPU_DRIVERS && !open; i++)
        if (has_image(region, gpu_drivers[i]))
            open = rt_device_opened(gpu_drivers[i]);
    return open;
}

/* Adds what a driver said. The reason is that of the last driver. */
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

double rt_where_bandwidth(const stencilrt_region *region) {
    const rt_device *open = find_open(region);
    return open ? open->info.bytes_per_second : 0;
}

/* Does the machine seem to have a GPU for which the region has code? */
static bool is_any_gpu(const stencilrt_region *region) {
    return !has_image(region, &rt_driver_cuda) || rt_early_seems_gpu();
}

/* Both predictions, for the user. */
static void say_slower(rt_prediction p, double set_up, rt_error *why) {
    if (set_up > 0)
        rt_fail(why, RT_SLOWER, "set-up %.3g ms + %.3g ms > %.3g ms on the CPU", 1e3 * set_up,
                1e3 * p.device, 1e3 * p.host);
    else
        rt_fail(why, RT_SLOWER, "%.3g ms > %.3g ms on the CPU", 1e3 * p.device, 1e3 * p.host);
}

/* Gains that need arrays which stay there count only where arrays can stay. */
static bool is_opening_near(void) {
    const char *ignored;
    return rt_cost_nears_opening(0) ||
           (rt_cost_nears_opening(rt_learn_missed()) && rt_watch_possible(&ignored));
}

/* If a device will probably be wanted soon, a thread of the runtime opens it. */
static void open_beside(const stencilrt_region *region) {
    static atomic_bool decided;
    const rt_driver *wanted[GPU_DRIVERS];
    int count = 0;
    if (!is_opening_near() || atomic_exchange(&decided, true) || !is_any_gpu(region))
        return;
    for (int i = 0; i < GPU_DRIVERS; i++)
        if (has_image(region, gpu_drivers[i]))
            wanted[count++] = gpu_drivers[i];
    rt_early_open(wanted, count, 0);
}

/* Does a thread of the runtime load the kernels? That costs the program nothing. A call that gains
 * more than loading takes does not wait for the thread. */
static bool loads_beside(rt_device *open, const stencilrt_region *region, rt_prediction p) {
    double gain = p.host - p.device;
    bool beside = open && gain > 0 && gain < p.load && rt_early_load(open, region);
    if (beside)
        rt_learn_not_ready();
    return beside;
}

/* Does a thread of the runtime open a device? Only a call that gains as much by itself waits for
 * it. */
static bool opens_beside(const rt_device *open, rt_prediction p) {
    return !open && rt_early_opens() && p.host - p.device < rt_cost_set_up(&p, false);
}

/* Choice `auto`: the GPU, if the model predicts that it is faster. */
static rt_device *choose_auto(const stencilrt_region *region, rt_prediction p, rt_error *why) {
    rt_device *open = find_open(region);
    if (!rt_devices_usable(why))
        return NULL;
    if (opens_beside(open, p) || loads_beside(open, region, p) || !rt_cost_accept(p, open)) {
        if (rt_config_get()->report && !open && !is_any_gpu(region))
            rt_fail(why, RT_NO_DEVICE, "no GPU");
        else
            say_slower(p, rt_cost_set_up(&p, open != NULL), why);
        if (!open)
            open_beside(region);
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

/* If an earlier run gained by the device, its driver has probably kept the code that it compiled.
 * The first time that loading takes tells. */
static bool is_code_near(const rt_device *open) {
    return open && rt_start_knows() && atomic_load(&open->load) == 0;
}

/* Corrects a prediction for arrays that are on the device, or may stay there. If arrays that may
 * stay are worth trying, and the possible loss is small, the call is not charged for uploading
 * them. The original loops are charged for bringing arrays home, and for uploading them again. The
 * measured time of the original loops counts only when the device is open. While it is not, the
 * model alone decides whether the gains of declined calls repay opening it. *stays: what the call
 * would take on the device if all its arrays were there; 0: they cannot stay. */
static rt_prediction with_arrays(const stencilrt_region *region, rt_uses *uses, bool all,
                                 rt_prediction p, rt_found *found, double *stays) {
    rt_device *open = find_open(region);
    rt_held_find(open, uses->at, uses->count, found);
    p.device -= p.transfers;
    *stays = uses->might ? p.device : 0;
    p.load = is_code_near(open) ? 0 : rt_cost_load(open, region);
    p.loops = rt_learn_host(region, p.host);
    double expected = found->all ? 0 : rt_learn_expected(region);
    bool tries = all && p.device < p.host && rt_uses_can(uses) &&
                 rt_learn_may_try(region, rt_cost_bring_home(found->risk));
    if (uses->count > 0)
        p.transfers = rt_cost_copy(found->missing);
    p.device += tries ? 0 : p.transfers;
    p.device = expected > p.device ? expected : p.device;
    p.host = open ? p.loops : p.host;
    p.own = p.device < p.host;
    p.host += rt_cost_bring_home(found->dirty + found->again);
    return p;
}

/* The original loops are about to run, and no held array comes home for them. Later calls like this
 * one need not be looked at. */
static void decline(const stencilrt_region *region, const stencilrt_call *call, double host,
                    rt_prediction p, const rt_found *found, double stays) {
    if (!found->any && p.device > p.host)
        rt_learn_skip(region, call, host);
    rt_learn_declined(region, host, p.host, p.host - p.device, stays);
}

static rt_device *choose_by_cost(rt_uses *uses, const stencilrt_region *region,
                                 const stencilrt_call *call, bool all, rt_prediction *p,
                                 rt_error *why) {
    rt_found found;
    p->host /= rt_cost_cores(region);
    double host = p->host, stays;
    *p = with_arrays(region, uses, all, *p, &found, &stays);
    rt_device *device = NULL;
    if (rt_learn_rests())
        rt_fail(why, RT_SLOWER, "%s",
                "all regions together lost time there; they are tried again later");
    else
        device = choose(region, *p, RT_CHOICE_AUTO, why);
    if (!device)
        decline(region, call, host, *p, &found, stays);
    return device;
}

/* If the user named the device, a single step leaves arrays there at once: more steps are likely to
 * follow. So if an earlier run gained by the device. */
rt_device *rt_where_choose(rt_uses *uses, const stencilrt_region *region,
                           const stencilrt_call *call, rt_prediction *p, const rt_config *config,
                           bool hold, rt_part *part, rt_error *why) {
    bool forced = config->device != RT_CHOICE_AUTO;
    bool all = hold && rt_uses_want(uses, region, (forced || rt_start_knows()) && call->steps == 1);
    rt_device *device = part->device ? part->device
                        : forced     ? choose(region, *p, config->device, why)
                                     : choose_by_cost(uses, region, call, all, p, why);
    if (device)
        rt_uses_can(uses);
    part->began = rt_seconds();
    return device;
}

/* What the call took: until now, but with the device's own time for the launches. */
static double count_seconds(const rt_part *part, const rt_outcome *o) {
    const double *at = o->at;
    return o->kernel_seconds + at[1] - part->began + rt_seconds() - at[2];
}

/* Learns from what the call took by its own clocks. Only calls that the model chose count, and no
 * parts of calls. For the first call the model's prediction is used, because that call does more
 * than later ones. */
void rt_where_learn(const stencilrt_region *region, const rt_config *config, const rt_part *part,
                    bool was_loaded, rt_prediction p, const rt_outcome *o) {
    double took = count_seconds(part, o);
    if (config->device != RT_CHOICE_AUTO || rt_part_is_later(part) || part->done > 0)
        return;
    rt_learn_count(took, p.loops);
    rt_learnt all = rt_learn_all();
    rt_start_gained(all.host - all.device);
    rt_learn_ran(region, was_loaded ? took : p.device + p.transfers + p.load, p.loops,
                 was_loaded && p.own);
}

bool rt_where_all_failed(void) {
    bool all = true;
    for (int i = 0; i < GPU_DRIVERS && all; i++)
        all = rt_device_failed(gpu_drivers[i]);
    return all;
}
