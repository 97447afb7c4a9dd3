/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs a region of several sweeps in bands that pass through the device: flow_sweeps.h. It works as
 * flow.c does for one sweep: the arrays that are written are copied first (copies.h). While a band
 * computes, the next one is uploaded from the copies; then the first one's results are stored
 * there.
 */
#include "runtime/run/flow_sweeps.h"

#include "runtime/choose/cost.h"
#include "runtime/device/transfer.h"
#include "runtime/run/band.h"
#include "runtime/run/copies.h"
#include "runtime/run/pass.h"
#include "runtime/run/sweeps.h"
#include <math.h>
#include <stdlib.h>

typedef struct flow {
    rt_device *device;
    const rt_arrays *whole;
    rt_lines lines;
    rt_cut cut;
    rt_copies copies;
    rt_band bands[2];
    rt_part quiet; /* of launches */
    rt_run main;   /* the first launches */
    bool blocked;  /* are they of whole steps? */
    rt_passes passes;
    double seconds;
} flow;

enum { KERNELS, COPIES }; /* queues of the device */

static bool turn(flow *f, unsigned queue, rt_error *why) {
    return f->device->driver->turn(f->device->handle, queue, why);
}

/* Rows that come round would be read when others have replaced them; and no step may ask. Cells
 * that the program does not write are not to be written to its arrays. */
static bool may_flow(const rt_arrays *a) {
    bool may = rt_band_may(a) && !(rt_slab_rules(a->region) & STENCILRT_SLABS_ROUND) &&
               !a->call->check && !rt_has_reductions(a->region);
    for (uint32_t i = 0; i < a->count; i++)
        may = may && !a->shape.buffers[i].masked && !a->shape.buffers[i].careful;
    return may;
}

/* The choice */

/* Kernels of whole steps write a second copy. */
static double bytes_of_row(const flow *f, uint32_t array) {
    const rt_grid *g = &f->whole->shape.grids[array];
    uint32_t last = f->whole->region->rank - 1;
    double rows = (double)(g->box.hi[last] - g->box.lo[last]);
    bool twice = rt_band_may_be_whole(f->whole) && f->whole->results[array].count > 0;
    return (double)g->bytes / rows * (twice ? 2 : 1);
}

/* The rows of a band of so many bytes. */
static int64_t rows_in(const flow *f, double bytes) {
    uint32_t last = f->whole->region->rank - 1;
    double row = 0;
    for (uint32_t i = 0; i < f->whole->count; i++) {
        const rt_grid *g = &f->whole->shape.grids[i];
        double beyond = (double)(g->box.hi[last] - g->box.lo[last] - f->lines.rows);
        bool has_rows = rt_lines_has(&f->lines, f->whole, i);
        bytes -= has_rows ? beyond * bytes_of_row(f, i) : (double)g->bytes;
        row += has_rows ? bytes_of_row(f, i) : 0;
    }
    return bytes > 0 && row > 0 ? (int64_t)(bytes / row) : 0;
}

static double row_bytes(const flow *f, const rt_boxes *sets) {
    double bytes = 0;
    for (uint32_t i = 0; i < f->whole->count; i++)
        bytes += rt_arrays_bytes(f->whole, i, &sets[i]);
    return bytes / (double)f->lines.rows;
}

static bool choose_cut(flow *f, double share, double *seconds, rt_error *why) {
    enum { BANDS = 2 };
    rt_prediction p = rt_cost_predict_sweeps(f->whole, f->device->info.bytes_per_second);
    double cells = (double)f->lines.rows * (double)f->whole->call->steps;
    const rt_cut_cost cost = {.compute.row = (p.device - p.transfers) / cells,
                              .copy_in = row_bytes(f, f->whole->uploads) / RT_PASS_LINK,
                              .copy_out = row_bytes(f, f->whole->results) / RT_PASS_LINK,
                              .pass = RT_PASS_SLAB,
                              .overlapped = true};
    f->cut = rt_band_cut(f->whole, &f->lines);
    int64_t rows = rows_in(f, share * (double)rt_device_room(f->device) / BANDS);
    if (!rt_cut_to_fit(&f->cut, rows, &cost))
        return rt_fail(why, RT_DEVICE_MEMORY, "%s", "a slab does not fit");
    *seconds = rt_cut_seconds(&f->cut, &cost);
    return true;
}

/* Passes */

static bool begin_band(flow *f, rt_band *b, int64_t slab, int64_t steps, rt_error *why) {
    rt_slab rows = rt_cut_slab(&f->cut, slab, steps);
    return turn(f, COPIES, why) &&
           rt_band_begin(b, f->device, f->whole, &f->lines, rt_rest_call(f->passes.rest),
                         &f->copies, &rows, why) &&
           rt_device_pass(f->device, why) && turn(f, KERNELS, why);
}

static bool wait(flow *f, rt_error *why) {
    const rt_driver *driver = f->device->driver;
    bool ok = driver->wait(f->device->handle, RT_MARK_END, why);
    if (ok)
        f->seconds += driver->seconds(f->device->handle, RT_MARK_START, RT_MARK_END);
    return ok;
}

/* Stores the results of a band in the copies. */
static bool end_band(flow *f, rt_band *b, rt_error *why) {
    bool ok = turn(f, COPIES, why) && rt_band_fetch(b, why) && turn(f, KERNELS, why);
    if (ok) {
        rt_band_end(b);
        *b = (rt_band){.device = NULL};
    }
    return ok;
}

static bool launch(flow *f, rt_band *b, int64_t steps, rt_error *why) {
    bool ok = rt_band_launch(b, 0, steps, &f->quiet, why);
    if (ok && f->passes.made == 0 && b->blocked) {
        f->blocked = true;
        f->main = b->steps->schedule.runs[0];
    }
    return ok;
}

static bool make_pass(void *context, int64_t steps, bool goes_on, rt_error *why) {
    flow *f = context;
    bool ok = true;
    (void)goes_on;
    for (int64_t i = 0; i <= f->cut.slabs && ok; i++) {
        rt_band *b = &f->bands[i % 2], *before = &f->bands[1 - i % 2];
        rt_signals_let_end();
        ok = (i == f->cut.slabs || begin_band(f, b, i, steps, why)) && (i == 0 || wait(f, why)) &&
             (i == f->cut.slabs || launch(f, b, steps, why)) &&
             (i == 0 || end_band(f, before, why));
        if (rt_progress_is_due(&f->passes.part->progress))
            rt_progress_show(&f->passes.part->progress, f->passes.part->region->where,
                             f->passes.made + steps * i / f->cut.slabs, f->cut.steps);
    }
    return ok;
}

/* The call */

static void clean_up(flow *f, bool ok) {
    rt_error ignored;
    turn(f, KERNELS, &ignored);
    if (!ok)
        rt_device_settle(f->device);
    for (int i = 0; i < 2; i++)
        if (f->bands[i].device)
            rt_band_end(&f->bands[i]);
    f->bands[0].device = f->bands[1].device = NULL;
    rt_copies_end(&f->copies);
    if (f->passes.rest)
        rt_rest_end(f->passes.rest);
    f->passes.rest = NULL;
    rt_device_trim(f->device);
}

static bool make_passes(flow *f, const stencilrt_call *call, rt_error *why) {
    static const rt_uses none;
    rt_part *part = f->passes.part;
    f->passes = (rt_passes){.cut = &f->cut, .part = part};
    f->passes.rest = rt_rest_begin(part->region, call, part->frame);
    if (!f->passes.rest)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    bool ok = rt_copies_begin(&f->copies, f->whole, why) &&
              rt_sweeps_begin_part(part, f->whole, &none, why) &&
              rt_passes_make(&f->passes, f->device, make_pass, f, why) &&
              rt_part_keep(part, f->device, why);
    rt_part_end(part);
    return ok;
}

/* With the share of the memory that bands may take. */
static bool run_with(flow *f, const stencilrt_call *call, double share, double most,
                     rt_outcome *outcome, rt_error *why) {
    double start = rt_seconds(), expected = 0;
    f->seconds = 0;
    if (!choose_cut(f, share, &expected, why))
        return false;
    if (expected > most)
        return rt_fail(why, RT_SLOWER, "%.3g ms in %d slabs > %.3g ms on the CPU", 1e3 * expected,
                       (int)f->cut.slabs, 1e3 * most);
    bool ok = make_passes(f, call, why);
    if (ok) {
        rt_copies_write(&f->copies);
        outcome->main = f->main;
        outcome->blocked = f->blocked;
        rt_passes_tell(&f->passes, start, f->seconds, outcome);
    }
    clean_up(f, ok);
    return ok;
}

/* How much memory bands take is known only roughly. */
static bool run_taken(flow *f, const stencilrt_call *call, double most, rt_outcome *outcome,
                      rt_error *why) {
    bool ok = false, more = true;
    rt_held_release_all(f->device); /* the host's memory is read */
    for (double share = 0.95; share > 0.2 && !ok && more; share *= 0.7) {
        ok = run_with(f, call, share, most, outcome, why);
        more = !ok && why->reason == RT_DEVICE_MEMORY;
    }
    return ok;
}

bool rt_flow_sweeps(rt_device *device, const rt_arrays *arrays, const stencilrt_call *call,
                    double most, rt_part *part, rt_outcome *outcome, rt_error *why) {
    static const rt_uses none;
    flow *f = may_flow(arrays) ? calloc(1, sizeof *f) : NULL;
    if (!f)
        return false;
    f->device = device;
    f->whole = arrays;
    f->passes.part = part;
    f->quiet = (rt_part){.region = part->region, .given = part->given, .unpaced = true};
    part->done = 0;
    bool ok = rt_lines_make(&f->lines, arrays);
    if (ok) {
        rt_uses_leave_others(&none, device);
        ok = rt_device_load(device, part->region, why) && rt_device_take(device, why);
        if (ok) {
            ok = run_taken(f, call, most, outcome, why);
            rt_device_give(device);
        }
    }
    rt_lines_free(&f->lines);
    free(f);
    outcome->driver = device->driver->name;
    outcome->device = device->info.name;
    return ok;
}
