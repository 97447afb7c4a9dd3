/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs a region of several sweeps in bands that pass through the device: flow_sweeps.h. It works as
 * flow.c does for one sweep: the arrays that are written are copied first (copies.h). While a band
 * computes, the next one is uploaded from the copies; then the first one's results are stored
 * there.
 */
#include "runtime/run/flow_sweeps.h"

#include "runtime/call/stops.h"
#include "runtime/choose/cost.h"
#include "runtime/device/transfer.h"
#include "runtime/resident/held.h"
#include "runtime/run/band.h"
#include "runtime/run/copies.h"
#include "runtime/run/group.h"
#include "runtime/run/pass.h"
#include "runtime/run/sweeps.h"
#include <math.h>
#include <stdlib.h>

/* What a device has. */
typedef struct lane {
    rt_band bands[2];
    rt_part quiet; /* of launches */
    double seconds;
} lane;

typedef struct flow {
    rt_group group;
    unsigned count; /* of devices that are used */
    const rt_arrays *whole;
    rt_lines lines;
    rt_cut cut;
    rt_copies copies;
    lane lanes[RT_MOST_DEVICES];
    rt_run main;  /* the first launches */
    bool blocked; /* are they of whole steps? */
    rt_passes passes;
    bool reduces;     /* does the program use what the last step reduces? */
    rt_joined joined; /* what the bands reduced in this step */
} flow;

enum { KERNELS, COPIES }; /* queues of a device */

static bool turn(const rt_device *d, unsigned queue, rt_error *why) {
    return d->driver->turn(d->handle, queue, why);
}

/* No step may ask. Cells that the program does not write are not to be written to its arrays. */
static bool may_flow(const rt_arrays *a) {
    bool may = rt_band_may(a) && !rt_ends_by_condition(a->call->check);
    for (uint32_t i = 0; i < a->count; i++)
        may = may && !a->shape.buffers[i].masked && !a->shape.buffers[i].careful;
    return may;
}

/* The choice */

/* Kernels of whole steps write a second copy, which two bands have in turn. */
static double bytes_of_row(const flow *f, uint32_t array) {
    const rt_grid *g = &f->whole->shape.grids[array];
    uint32_t last = f->whole->region->rank - 1;
    double rows = (double)(g->box.hi[last] - g->box.lo[last]);
    bool twice = rt_band_may_be_whole(f->whole) && f->whole->results[array].count > 0;
    return (double)g->bytes / rows * (twice ? 1.5 : 1);
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

static bool cut_for(const flow *f, double share, unsigned count, rt_cut *cut, double *seconds) {
    enum { BANDS = 2 };
    double in = row_bytes(f, f->whole->uploads), out = row_bytes(f, f->whole->results);
    int64_t rows = rows_in(f, share * (double)rt_group_room(&f->group, count) / BANDS);
    bool blocked = rt_band_may_be_whole(f->whole);
    const rt_cut_cost cost = {.compute.row = rt_band_speed(f->group.devices[0], f->whole, &f->lines,
                                                           rows > 0 ? rows : 1, blocked, 0),
                              .copy_in = rt_pass_in(in, out, RT_PASS_LOCKED),
                              .copy_out = out / RT_PASS_LOCKED,
                              .pass = RT_PASS_SLAB,
                              .lanes = count,
                              .overlapped = true};
    *cut = rt_band_cut(f->whole, &f->lines);
    cut->full = true; /* a band of fewer steps may not have all arrays */
    bool fits = rt_cut_to_fit(cut, rows, &cost);
    *seconds = fits ? rt_cut_seconds(cut, &cost) : INFINITY;
    return fits;
}

/* Chooses devices, slabs and passes. Where it is not known what is fastest, all devices are used.
 */
static bool choose_cut(flow *f, double share, double *seconds, rt_error *why) {
    bool known = f->group.devices[0]->driver->is_estimated && !f->whole->whole.eager;
    *seconds = INFINITY;
    for (unsigned n = f->group.count; n > 0 && (known || *seconds == INFINITY); n--) {
        rt_cut cut;
        double taken;
        if (!cut_for(f, share, n, &cut, &taken) || taken >= *seconds * RT_PASS_WORTH)
            continue;
        f->cut = cut;
        f->count = n;
        *seconds = taken;
    }
    return *seconds < INFINITY || rt_fail(why, RT_DEVICE_MEMORY, "%s", "a slab does not fit");
}

/* Passes */

static bool begin_band(flow *f, unsigned number, rt_band *b, int64_t slab, int64_t steps,
                       rt_error *why) {
    rt_slab rows = rt_cut_slab(&f->cut, slab, steps);
    rt_device *d = f->group.devices[number];
    return turn(d, COPIES, why) &&
           rt_band_begin(b, d, f->whole, &f->lines, rt_rest_call(f->passes.rest), &f->copies, &rows,
                         why) &&
           rt_device_pass(d, why) && turn(d, KERNELS, why);
}

static bool wait(lane *l, const rt_band *b, rt_error *why) {
    const rt_driver *driver = b->device->driver;
    bool ok = driver->wait(b->device->handle, RT_MARK_END, why);
    if (ok)
        l->seconds += driver->seconds(b->device->handle, RT_MARK_START, RT_MARK_END);
    return ok;
}

/* Stores the results of a band in the copies. */
static bool end_band(rt_band *b, rt_error *why) {
    bool ok =
        turn(b->device, COPIES, why) && rt_band_fetch(b, why) && turn(b->device, KERNELS, why);
    if (ok) {
        rt_band_end(b);
        *b = (rt_band){.device = NULL};
    }
    return ok;
}

/* Does the program use what the pass's last step reduces? */
static bool is_reduced(const flow *f, int64_t steps) {
    return f->reduces && f->passes.made + steps == f->cut.steps;
}

/* Adds what a band reduced. The bands come in the order of their cells. */
static bool join(flow *f, rt_band *b, int64_t steps, rt_error *why) {
    return !is_reduced(f, steps) || rt_joined_add(&f->joined, &b->reducer, why);
}

/* The slots are cleared from a chunk that the next copies use. */
static bool wait_for_clear(const rt_band *b, rt_error *why) {
    return !b->reducer.wanted || b->device->driver->wait(b->device->handle, RT_MARK_END, why);
}

static bool launch(flow *f, lane *l, rt_band *b, rt_band *before, int64_t steps, rt_error *why) {
    b->reducer.wanted = is_reduced(f, steps);
    bool ok = rt_band_borrow(b, before, why) && rt_band_launch(b, 0, steps, &l->quiet, why) &&
              wait_for_clear(b, why);
    if (ok && f->passes.made == 0 && b->blocked) {
        f->blocked = true;
        f->main = b->steps->schedule.runs[0];
    }
    return ok;
}

/* Begins band number `i`, and ends the one that its device had before. */
static bool make_band(flow *f, int64_t i, int64_t steps, rt_error *why) {
    int64_t lanes = f->count, number = i / lanes % 2;
    lane *l = &f->lanes[i % lanes];
    rt_band *b = &l->bands[number], *before = &l->bands[1 - number];
    bool begins = i < f->cut.slabs, ends = i >= lanes;
    return (!begins || begin_band(f, (unsigned)(i % lanes), b, i, steps, why)) &&
           (!ends || (wait(l, before, why) && join(f, before, steps, why))) &&
           (!begins || launch(f, l, b, before, steps, why)) && (!ends || end_band(before, why));
}

/* What a pass needs beside its bands. */
static bool begin_pass(flow *f, int64_t steps, rt_error *why) {
    if (f->lines.round)
        rt_copies_keep_heads(&f->copies);
    if (!is_reduced(f, steps))
        return true;
    rt_joined_end(&f->joined);
    return rt_joined_begin(&f->joined, f->whole->region, rt_rest_call(f->passes.rest)->check, why);
}

static bool make_pass(void *context, int64_t steps, bool goes_on, rt_error *why) {
    flow *f = context;
    bool ok = begin_pass(f, steps, why);
    (void)goes_on;
    for (int64_t i = 0; i < f->cut.slabs + f->count && ok; i++) {
        unsigned number = (unsigned)(i % f->count);
        rt_signals_let_end();
        if (!rt_group_enter(&f->group, number, why))
            return false;
        ok = make_band(f, i, steps, why);
        rt_group_leave(&f->group, number);
        int64_t slabs = i < f->cut.slabs ? i : f->cut.slabs;
        rt_passes_show(&f->passes, steps * slabs / f->cut.slabs, f->cut.steps);
    }
    return ok && (!is_reduced(f, steps) || rt_joined_finish(&f->joined, why));
}

/* The call */

static void clean_up_lane(flow *f, unsigned number) {
    rt_error ignored;
    bool inside = rt_group_enter(&f->group, number, &ignored);
    for (int i = 0; i < 2; i++)
        if (f->lanes[number].bands[i].device)
            rt_band_end(&f->lanes[number].bands[i]);
    rt_device_trim(f->group.devices[number]);
    if (inside)
        rt_group_leave(&f->group, number);
    f->lanes[number].bands[0].device = f->lanes[number].bands[1].device = NULL;
}

static void clean_up(flow *f, bool ok) {
    if (!ok)
        rt_group_settle(&f->group);
    for (unsigned i = 0; i < f->count; i++)
        clean_up_lane(f, i);
    rt_group_unlock(&f->group, f->count);
    rt_copies_end(&f->copies);
    rt_joined_end(&f->joined);
    f->joined.slots = NULL;
    if (f->passes.rest)
        rt_rest_end(f->passes.rest);
    f->passes.rest = NULL;
}

static bool make_passes(flow *f, const stencilrt_call *call, rt_error *why) {
    static const rt_uses none;
    rt_part *part = f->passes.part;
    f->passes = (rt_passes){.cut = &f->cut, .part = part};
    f->passes.rest = rt_rest_begin(part->region, call, part->frame);
    if (!f->passes.rest)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    int64_t margin = f->lines.round ? f->cut.reach * f->cut.pass + f->cut.face : 0;
    bool ok = rt_copies_begin(&f->copies, f->whole, margin, why);
    if (ok && rt_cut_passes(&f->cut) > 1)
        rt_group_lock(&f->group, f->count, f->copies.memory, f->copies.bytes);
    ok = ok && rt_sweeps_begin_part(part, f->whole, &none, why) &&
         rt_passes_make(&f->passes, f->group.devices[0], make_pass, f, why) &&
         rt_part_keep(part, why);
    rt_part_end(part);
    return ok;
}

/* Tells the program how its loop ended. */
static void tell_end(const flow *f) {
    stencilrt_check *check = f->whole->call->check;
    if (!check)
        return;
    check->done = f->passes.made;
    check->exit = 0;
}

/* With the share of the memory that bands may take. */
static bool run_with(flow *f, const stencilrt_call *call, double share, double most,
                     rt_outcome *outcome, rt_error *why) {
    double start = rt_seconds(), expected = 0, longest = 0;
    for (unsigned i = 0; i < f->group.count; i++) {
        f->lanes[i].seconds = 0;
        f->lanes[i].quiet = (rt_part){
            .region = f->passes.part->region, .given = f->passes.part->given, .unpaced = true};
    }
    if (!choose_cut(f, share, &expected, why))
        return false;
    if (expected > most)
        return rt_fail(why, RT_SLOWER, "%.3g ms in %d slabs > %.3g ms on the CPU", 1e3 * expected,
                       (int)f->cut.slabs, 1e3 * most);
    bool ok = make_passes(f, call, why);
    if (ok) {
        rt_copies_write(&f->copies);
        tell_end(f);
        outcome->main = f->main;
        outcome->blocked = f->blocked;
        for (unsigned i = 0; i < f->count; i++)
            longest = fmax(longest, f->lanes[i].seconds);
        rt_passes_tell(&f->passes, start, longest, outcome);
        outcome->split.lanes = f->count;
    }
    clean_up(f, ok);
    return ok;
}

/* How much memory bands take is known only roughly. */
static bool run_taken(flow *f, const stencilrt_call *call, double most, rt_outcome *outcome,
                      rt_error *why) {
    bool ok = false, more = true;
    for (double share = 0.95; share > 0.2 && !ok && more; share *= 0.7) {
        ok = run_with(f, call, share, most, outcome, why);
        more = !ok && why->reason == RT_DEVICE_MEMORY;
    }
    return ok;
}

bool rt_flow_sweeps(rt_device *device, const rt_arrays *arrays, const stencilrt_call *call,
                    double most, rt_part *part, rt_outcome *outcome, rt_error *why) {
    flow *f = may_flow(arrays) ? calloc(1, sizeof *f) : NULL;
    if (!f)
        return false;
    f->whole = arrays;
    f->passes.part = part;
    f->reduces = arrays->call->check && rt_has_reductions(arrays->region);
    part->done = 0;
    bool ok = rt_lines_make(&f->lines, arrays);
    if (ok) {
        rt_group_open(&f->group, device);
        rt_devices_each(0, UINTPTR_MAX, NULL, rt_held_release); /* the host's memory is read */
        ok = rt_group_take(&f->group, part->region, false, why) &&
             run_taken(f, call, most, outcome, why);
        rt_group_give(&f->group);
    }
    rt_lines_free(&f->lines);
    free(f);
    outcome->driver = device->driver->name;
    outcome->device = device->info.name;
    return ok;
}
