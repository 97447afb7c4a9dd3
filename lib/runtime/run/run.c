/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * stencilrt_run: looks at the call, chooses a device, runs, reports. The original loops run if
 * anything does not fit.
 */
#include "runtime/call/tables.h"
#include "runtime/choose/learn.h"
#include "runtime/report/report.h"
#include "runtime/report/summary.h"
#include "runtime/resident/promise.h"
#include "runtime/run/alone.h"
#include "runtime/run/flow.h"
#include "runtime/run/flow_sweeps.h"
#include "runtime/run/share.h"
#include "runtime/run/share_sweeps.h"
#include "runtime/run/start.h"
#include "runtime/run/sweeps.h"
#include "runtime/run/tuned.h"
#include "runtime/run/where.h"
#include "runtime/watch/watch.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* May arrays stay on the device? Not if their addresses are images of tables. */
static bool may_stay(const rt_config *config, const rt_tables *tables) {
    return config->resident && !tables->call->tables;
}

/* Notes the outcome for the next part. */
static void note(rt_part *part, rt_device *device, const rt_outcome *outcome) {
    part->device = part->done > 0 ? device : part->device;
    part->transfers = outcome->transfer_seconds;
}

/* Runs a region of one sweep, with kernels of at most this degree. `hold`: arrays may stay on the
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
    shape.most_on_chip = config->max_bt;
    rt_prediction p = {0};
    if (ok && config->device == RT_CHOICE_AUTO)
        p = rt_cost_predict(&shape, rt_where_bandwidth(region));
    rt_device *device =
        ok ? rt_where_choose(&uses, region, tables->call, &p, config, hold, part, why) : NULL;
    bool was_loaded = rt_region_is_loaded(region);
    bool shared = device && rt_share_wants(device, region, &shape, &uses) &&
                  rt_share_run(device, tables->call, &shape, &uses, part, &outcome, why);
    if (shared && part->done > 0)
        shape.steps = part->done;
    ok = shared || (device && rt_alone_run(device, &shape, &uses, part, &outcome, why));
    if (ok && (!shared || outcome.kept.arrays > 0))
        rt_where_learn(region, config, part, was_loaded, p, &outcome);
    if (ok && config->report)
        rt_report_ran(region, &shape, &outcome);
    note(part, device, &outcome);
    bool full = !ok && why->reason == RT_DEVICE_MEMORY, made_room = uses.made_room;
    bool unpadded = shape.bt == 0;
    rt_uses_free(&uses);
    rt_shape_free(&shape);
    if (full && made_room)
        return run_alone(region, tables, config, max_bt, false, part, why);
    /* Stream kernels need padding. Without padding the arrays may still fit into memory. */
    return full && !unpadded ? run_alone(region, tables, config, 1, hold, part, why) : ok;
}

/* Runs a region of one sweep in slabs, because its arrays do not fit into the device's memory. *why
 * says so; it stays if the region cannot be cut. */
static bool run_in_slabs(const stencilrt_region *region, const rt_tables *tables,
                         const rt_config *config, int64_t max_bt, rt_part *part, rt_error *why) {
    rt_outcome outcome = {.later = rt_part_is_later(part)};
    rt_shape shape = {0};
    static rt_uses none; /* is only read */
    rt_error ignored;
    bool by_cost = config->device == RT_CHOICE_AUTO;
    bool ok = rt_shape_make(&shape, region->sweeps, tables->call->sweeps, max_bt, config->chunk,
                            &ignored);
    rt_prediction p = {.host = INFINITY};
    if (ok && by_cost)
        p = rt_cost_predict(&shape, rt_where_bandwidth(region));
    rt_device *device =
        ok ? rt_where_choose(&none, region, tables->call, &p, config, false, part, &ignored) : NULL;
    ok = device && rt_flow_run(device, tables->call, &shape, p.host, part, &outcome, why);
    if (ok && part->done > 0)
        shape.steps = part->done;
    if (ok && config->report)
        rt_report_ran(region, &shape, &outcome);
    note(part, device, &outcome);
    bool unpadded = shape.bt == 0;
    rt_shape_free(&shape);
    if (ok || why->reason != RT_DEVICE_MEMORY || unpadded)
        return ok;
    return run_in_slabs(region, tables, config, 1, part, why);
}

/* Runs a region of one sweep. */
static bool run_one(const stencilrt_region *region, const rt_tables *tables,
                    const rt_config *config, rt_part *part, rt_error *why) {
    return run_alone(region, tables, config, config->max_bt, true, part, why) ||
           (why->reason == RT_DEVICE_MEMORY &&
            run_in_slabs(region, tables, config, config->max_bt, part, why));
}

/* Should kernels of whole steps run? If arrays stay, they work on copies, which takes some passes
 * over the arrays more. */
static bool choose_whole(rt_arrays *a, const rt_config *config, rt_error *why) {
    enum { LEAST = 4 }; /* steps that repay the copies */
    a->whole.chunk = config->chunk;
    a->whole.eager = config->max_bt != INT64_MAX;
    a->whole.most_on_chip = config->max_bt;
    bool may = a->whole.can && (a->whole.eager || a->call->steps >= LEAST);
    return may || rt_arrays_unpad(a, why);
}

/* A part that ends early keeps what the program had in all cells that are written. It may not do so
 * where some are not the program's, so no signal would end such a loop: it must have few steps. */
static bool ends_soon(const rt_arrays *a, rt_error *why) {
    return rt_arrays_are_sure(a) || a->call->steps <= 2 * rt_part_period(a->region) ||
           rt_fail(why, RT_UNSURE, "in a loop of more than %lld steps",
                   (long long)(2 * rt_part_period(a->region)));
}

/* Runs all sweeps of each step. `max_bt` is the largest degree of kernels of whole steps. */
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
    ok = ok && choose_whole(&arrays, config, why) && rt_arrays_look(&arrays, why) &&
         ends_soon(&arrays, why) && rt_tables_check_arrays(tables, &arrays, why) &&
         (!may_stay(config, tables) || rt_uses_make_sweeps(&uses, &arrays, why));
    rt_prediction p = {0};
    if (ok && config->device == RT_CHOICE_AUTO)
        p = rt_cost_predict_sweeps(&arrays, rt_where_bandwidth(region));
    rt_device *device =
        ok ? rt_where_choose(&uses, region, tables->call, &p, config, hold, part, why) : NULL;
    bool was_loaded = rt_region_is_loaded(region);
    bool asked = false;
    bool shared = device && rt_share_sweeps(device, &arrays, tables->call, &uses, part, &outcome,
                                            &asked, why);
    ok = shared || (device && !asked && rt_sweeps_run(device, &arrays, &uses, part, &outcome, why));
    if (ok && (!shared || outcome.kept.arrays > 0))
        rt_where_learn(region, config, part, was_loaded, p, &outcome);
    if (ok && config->report)
        rt_report_sweeps(region, tables->call, part->done, &outcome);
    note(part, device, &outcome);
    bool full = !ok && !asked && why->reason == RT_DEVICE_MEMORY, made_room = uses.made_room;
    bool padded = arrays.whole.bt > 0;
    rt_uses_free(&uses);
    rt_arrays_free(&arrays);
    if (full && made_room)
        return run_sweeps(region, tables, config, max_bt, false, part, why);
    return full && padded ? run_sweeps(region, tables, config, 1, hold, part, why) : ok;
}

/* Runs all sweeps of each step in slabs, as run_in_slabs does. The arrays are on the heap: a frame
 * of the runtime is small. */
static bool run_sweeps_in_slabs(const stencilrt_region *region, const rt_tables *tables,
                                const rt_config *config, int64_t max_bt, rt_part *part,
                                rt_error *why) {
    rt_outcome outcome = {.later = rt_part_is_later(part)};
    rt_uses none = {0};
    rt_error ignored;
    rt_prediction p = {.host = INFINITY};
    rt_arrays *arrays = calloc(1, sizeof *arrays);
    bool ok = arrays && rt_arrays_make(arrays, region, tables->call, max_bt, &ignored) &&
              choose_whole(arrays, config, &ignored) && rt_arrays_look(arrays, &ignored) &&
              ends_soon(arrays, &ignored);
    if (ok && config->device == RT_CHOICE_AUTO)
        p = rt_cost_predict_sweeps(arrays, rt_where_bandwidth(region));
    rt_device *device =
        ok ? rt_where_choose(&none, region, tables->call, &p, config, false, part, &ignored) : NULL;
    ok = device && rt_flow_sweeps(device, arrays, tables->call, p.host, part, &outcome, why);
    if (ok && config->report)
        rt_report_sweeps(region, tables->call, part->done, &outcome);
    note(part, device, &outcome);
    bool unpadded = !arrays || !arrays->whole.padded;
    if (arrays)
        rt_arrays_free(arrays);
    free(arrays);
    if (ok || why->reason != RT_DEVICE_MEMORY || unpadded)
        return ok;
    return run_sweeps_in_slabs(region, tables, config, 1, part, why);
}

static bool run_resolved(const stencilrt_region *region, rt_tables *tables, const rt_config *config,
                         rt_part *part, rt_error *why) {
    return region->flags & STENCILRT_ALONE
               ? run_one(region, tables, config, part, why)
               : run_sweeps(region, tables, config, config->max_bt, true, part, why) ||
                     (why->reason == RT_DEVICE_MEMORY &&
                      run_sweeps_in_slabs(region, tables, config, config->max_bt, part, why));
}

/* Is the reason only that ranges of memory overlap? */
static bool may_be_apart(enum rt_reason reason) {
    return reason == RT_OVERLAP || reason == RT_FOLDED || reason == RT_MIXED ||
           reason == RT_IN_PLACE;
}

/* To ask takes some microseconds. */
static bool may_read(uintptr_t lo, uintptr_t hi) {
    return rt_watch_any() && rt_watch_allows(lo, hi, false);
}

static bool run(const stencilrt_region *region, const stencilrt_call *call, const rt_config *config,
                rt_part *part, rt_error *why) {
    rt_tables tables;
    if (!rt_validate(region, call, why))
        return false;
    if (part->flushes && !(region->flags & STENCILRT_DENORMALS_FREE))
        return rt_fail(why, RT_FLUSHES, "%s", "");
    bool ok = rt_tables_resolve(&tables, region, call, may_read, why) &&
              run_resolved(region, &tables, config, part, why);
    /* Rows with memory of their own may by chance be evenly spaced, with other memory between them.
     */
    if (!ok && tables.given && !tables.call->tables && may_be_apart(why->reason))
        ok = rt_tables_use_images(&tables, region, call, why) &&
             run_resolved(region, &tables, config, part, why);
    rt_tables_free(&tables);
    return ok;
}

/* Lets handlers run, which may leave for good. False if the runtime cannot continue. */
static bool let_handlers_run(rt_environment *saved) {
    rt_environment_leave(saved);
    return rt_environment_enter(saved);
}

/* Runs all parts of a call. *inside is false if the environment was left. */
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

/* Runs it by the options for this region. Not inlined: a frame of the runtime is small. */
static __attribute__((noinline)) bool run_tuned(rt_part *part, rt_environment *saved, bool *inside,
                                                rt_error *why) {
    rt_config own;
    return run_parts(part, rt_tuned(rt_config_get(), part->region, &own), saved, inside, why);
}

/* Does the reason hold for the rest of the process, even for regions with code for other devices?
 */
static bool is_final(enum rt_reason reason, enum rt_choice choice) {
    if (reason != RT_NO_DRIVER && reason != RT_NO_DEVICE)
        return reason == RT_OFF || reason == RT_BAD_OPTION;
    return choice != RT_CHOICE_AUTO || rt_where_all_failed();
}

/* Is there stack enough? Drivers, and the simulator's compiler, use much. */
static bool is_good_stack(const rt_environment *saved, rt_error *why) {
    enum { NEEDED = 256 << 10 };
    if (rt_stack_has_handler(&saved->signals))
        return rt_fail(why, RT_HANDLER, "%s", "");
    return rt_stack_left() >= NEEDED || rt_fail(why, RT_STACK, "%s", "");
}

/* Ends a call that ran in parts. */
static void end_rest(rt_part *part, bool ok) {
    if (!part->rest)
        return;
    if (ok && rt_part_is_later(part))
        rt_rest_finish(part->rest);
    else if (rt_part_is_later(part))
        rt_rest_restore(part->rest);
    rt_rest_end(part->rest);
}

/* Only the choice by cost skips calls, and only without a report, which lists each call. */
static bool is_skipped(const stencilrt_region *region, const stencilrt_call *call) {
    const rt_config *config = rt_config_is_read() ? rt_config_get() : NULL;
    return config && config->device == RT_CHOICE_AUTO && !config->report && !rt_promises_any() &&
           rt_learn_skips(region, call);
}

EXPORT int stencilrt_run(const stencilrt_region *region, const stencilrt_call *call) {
    rt_environment saved;
    rt_start_entered();
    if (is_skipped(region, call))
        return 0;
    rt_error why = {0};
    rt_part part = {.region = region, .given = call, .frame = __builtin_frame_address(0)};
    bool same_rounding = rt_environment_is_default(), ok = false, inside = true;
    part.flushes = rt_environment_flushes();
    if (!rt_environment_enter(&saved))
        return 0;
    /* If another thread was inside pthread_once when this process was forked, pthread_once never
     * ends in the child: after _Fork it would wait for good. */
    if (!rt_config_is_read() && !rt_devices_usable(&why)) {
        rt_environment_leave(&saved);
        return 0;
    }
    const rt_config *config = rt_config_get();
    rt_learn_begins();
    if (config->report)
        rt_summary_begin();
    if (config->device == RT_CHOICE_OFF) {
        rt_fail(&why, config->device_unknown ? RT_BAD_OPTION : RT_OFF, "%s", "");
    } else if (!same_rounding) {
        rt_fail(&why, RT_FLOAT_ENV, "%s", "");
    } else if (rt_devices_usable(&why) && is_good_stack(&saved, &why)) {
        rt_rest_end_left(part.frame);
        ok = run_tuned(&part, &saved, &inside, &why);
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
