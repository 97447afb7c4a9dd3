/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs a region in slabs that pass through the device: flow.h.
 *
 * The arrays that are written are copied first (shadow.h). In a pass, each slab is uploaded from
 * the copies, makes the steps of the pass, and is written to the copies. There are two windows on
 * the device. While one computes, the next slab is uploaded into the other one; afterwards the
 * results of the first one are downloaded, while the other one computes. So a slab is read before
 * the results of the slab before it are stored.
 */
#include "runtime/run/flow.h"

#include "runtime/device/transfer.h"
#include "runtime/run/lean.h"
#include "runtime/run/pass.h"
#include "runtime/run/shadow.h"
#include "runtime/run/window.h"
#include <stdlib.h>

typedef struct flow {
    rt_device *device;
    const rt_shape *whole;
    rt_cut cut;
    rt_shadow shadow;
    rt_window windows[2];
    bool leans;
    rt_lean lean;  /* in place of the windows */
    rt_part quiet; /* of launches */
    rt_run main;   /* the first launches */
    rt_passes passes;
    double seconds;
} flow;

enum { KERNELS, COPIES }; /* queues of the device */

static bool turn(flow *f, unsigned queue, rt_error *why) {
    return f->device->driver->turn(f->device->handle, queue, why);
}

/* Chooses slabs and passes. */
static bool choose_cut(flow *f, const stencilrt_region *region, double *seconds, rt_error *why) {
    enum { WINDOWS = 2 };
    f->cut = rt_window_cut(region, f->whole);
    rt_cut_cost cost = {.compute = rt_window_speed(f->whole, f->cut.rows, f->device, region)};
    int64_t rows = rt_window_rows(f->whole, WINDOWS, rt_device_room(f->device), why);
    cost.copy_in = rt_window_bytes_in(f->whole) / RT_PASS_LINK;
    cost.copy_out = rt_window_bytes_out(f->whole) / RT_PASS_LINK;
    cost.pass = RT_PASS_SLAB;
    cost.overlapped = true;
    cost.degree = rt_window_degree(f->whole);
    if (!rt_cut_to_fit(&f->cut, rows, &cost))
        return rt_fail(why, RT_DEVICE_MEMORY, "%s", "a slab does not fit");
    *seconds = rt_cut_seconds(&f->cut, &cost);
    return true;
}

/* Chooses slabs that lean where they are expected to be faster. */
static bool choose(flow *f, const stencilrt_region *region, double *seconds, rt_error *why) {
    rt_cut cut = rt_window_cut(region, f->whole);
    rt_error ignored;
    double least = 0;
    bool leans = rt_lean_may(region, f->whole) &&
                 rt_lean_cut(&cut, region, f->whole, f->device, &least, &ignored);
    bool ok = choose_cut(f, region, seconds, leans ? &ignored : why);
    f->leans = leans && (!ok || least < *seconds);
    if (f->leans) {
        f->cut = cut;
        *seconds = least;
    }
    return ok || leans;
}

/* Does a pass of so many steps write the buffer? If not, the copy has what an earlier pass left
 * there. The device may lack it: cells that no step of the pass reads were not uploaded. */
static bool is_made(const rt_shape *whole, uint32_t number, int64_t steps) {
    const stencilrt_region *r = whole->region;
    const rt_buffer *buffer = &whole->buffers[number];
    bool made = whole->call->copy != NULL; /* each step writes both buffers */
    int64_t ignored;
    for (uint32_t p = 0; p < r->nports; p++)
        made =
            made || (r->ports[p].grid == buffer->grid && (r->ports[p].access & STENCILRT_WRITE) &&
                     rt_port_touches(r, &r->ports[p], buffer->number, steps, &ignored));
    return made;
}

/* Writes the rows that a window owns to the copies. */
static bool fetch(flow *f, const rt_window *w, int64_t steps, bool goes_on, rt_error *why) {
    bool ok = turn(f, COPIES, why);
    for (uint32_t i = 0; i < w->shape.region->nbuffers && ok; i++) {
        const rt_buffer *buffer = &w->shape.buffers[i];
        rt_box own = rt_window_own(w, buffer->grid);
        uint64_t from = w->memory.blocks[rt_blocks_final(&w->shape, i)].address;
        ok = !rt_window_wants(f->whole, i, goes_on) || !is_made(f->whole, i, steps) ||
             rt_fetch_box(f->device, &w->shape, buffer, &own, from, why);
    }
    return ok && turn(f, KERNELS, why);
}

static bool begin_slab(flow *f, rt_window *w, int64_t slab, int64_t steps, rt_error *why) {
    rt_slab rows = rt_cut_slab(&f->cut, slab, steps);
    return rt_window_place(w, &f->shadow.call, &rows, why) && turn(f, COPIES, why) &&
           rt_window_upload(w, why) && rt_device_pass(f->device, why) && turn(f, KERNELS, why);
}

static bool launch(flow *f, rt_window *w, rt_window *before, int64_t steps, bool goes_on,
                   rt_error *why) {
    rt_window_take_scratch(w, before);
    return rt_window_launch(w, steps, goes_on, false, &f->quiet, why);
}

/* Begins slab number `i`, and ends the one before it. */
static bool make_slab(flow *f, int64_t i, int64_t steps, bool goes_on, rt_error *why) {
    rt_window *w = &f->windows[i % 2], *before = &f->windows[1 - i % 2];
    return (i == f->cut.slabs || begin_slab(f, w, i, steps, why)) &&
           (i == 0 || rt_window_wait(before, &f->seconds, why)) &&
           (i == f->cut.slabs || launch(f, w, before, steps, goes_on, why)) &&
           (i == 0 || fetch(f, before, steps, goes_on, why));
}

static bool make_pass(void *context, int64_t steps, bool goes_on, rt_error *why) {
    flow *f = context;
    bool ok = true;
    f->lean.from = f->passes.made > 0 ? &f->shadow.call : rt_rest_call(f->passes.rest)->sweeps;
    f->lean.to = &f->shadow.call;
    for (int64_t i = 0; i <= f->cut.slabs && ok; i++) {
        rt_signals_let_end();
        ok = f->leans ? rt_lean_slab(&f->lean, i, steps, goes_on, why)
                      : make_slab(f, i, steps, goes_on, why);
        if (ok && f->passes.made == 0 && i == 0)
            f->main = (f->leans ? &f->lean.window : &f->windows[0])->schedule->runs[0];
        if (rt_progress_is_due(&f->passes.part->progress))
            rt_progress_show(&f->passes.part->progress, f->passes.part->region->where,
                             f->passes.made + steps * i / f->cut.slabs, f->whole->steps);
    }
    return ok;
}

static bool set_up(flow *f, const stencilrt_call *call, rt_error *why) {
    const stencilrt_region *region = f->passes.part->region;
    f->passes.rest = rt_rest_begin(region, call, f->passes.part->frame);
    if (!f->passes.rest)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    bool ok =
        rt_shadow_begin(&f->shadow, f->whole, rt_rest_call(f->passes.rest)->sweeps, f->leans, why);
    if (ok && f->leans)
        return rt_lean_begin(&f->lean, f->device, region, f->whole, &f->cut, &f->quiet, why);
    for (int i = 0; i < 2 && ok; i++) {
        ok = rt_window_begin(&f->windows[i], f->device, region, f->whole, why);
        f->windows[i].memory.same_halo =
            i == 0 ? rt_window_same_halo(f->whole) : f->windows[0].memory.same_halo;
    }
    return ok;
}

static void clean_up(flow *f) {
    rt_error ignored;
    turn(f, KERNELS, &ignored);
    if (f->lean.device)
        rt_lean_end(&f->lean);
    for (int i = 0; i < 2; i++)
        if (f->windows[i].device)
            rt_window_end(&f->windows[i]);
    rt_shadow_end(&f->shadow);
    if (f->passes.rest)
        rt_rest_end(f->passes.rest);
    rt_device_trim(f->device);
}

static bool run_taken(flow *f, const stencilrt_call *call, double most, rt_outcome *outcome,
                      rt_error *why) {
    double start = rt_seconds(), expected = 0;
    rt_held_release_all(f->device); /* the host's memory is read */
    if (!choose(f, f->passes.part->region, &expected, why))
        return false;
    if (expected > most)
        return rt_fail(why, RT_SLOWER, "%.3g ms in %d slabs > %.3g ms on the CPU", 1e3 * expected,
                       (int)f->cut.slabs, 1e3 * most);
    static const rt_uses none;
    bool ok = set_up(f, call, why) && rt_part_begin_shape(f->passes.part, &none, f->whole, why) &&
              rt_passes_make(&f->passes, f->device, make_pass, f, why) &&
              rt_part_keep(f->passes.part, f->device, why);
    rt_part_end(f->passes.part);
    if (ok) {
        rt_shadow_write(&f->shadow);
        outcome->main = f->main;
        rt_passes_tell(&f->passes, start, f->leans ? f->lean.seconds : f->seconds, outcome);
    } else {
        rt_device_settle(f->device);
    }
    clean_up(f);
    return ok;
}

bool rt_flow_run(rt_device *device, const stencilrt_call *call, const rt_shape *shape, double most,
                 rt_part *part, rt_outcome *outcome, rt_error *why) {
    static const rt_uses none;
    if (!rt_window_may(part->region, shape))
        return false;
    flow *f = calloc(1, sizeof *f);
    if (!f)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    f->device = device;
    f->whole = shape;
    f->passes = (rt_passes){.cut = &f->cut, .part = part};
    f->quiet = (rt_part){.region = part->region, .given = part->given, .unpaced = true};
    part->done = 0;
    rt_uses_leave_others(&none, device);
    bool ok = rt_device_load(device, part->region, why) && rt_device_take(device, why);
    if (ok) {
        ok = run_taken(f, call, most, outcome, why);
        rt_device_give(device);
    }
    free(f);
    outcome->driver = device->driver->name;
    outcome->device = device->info.name;
    return ok;
}
