/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs a region in slabs that pass through the device: flow.h.
 *
 * The arrays that are written are copied first (shadow.h). In a pass, each slab is uploaded from
 * the copies, makes the steps of the pass, and is written to the copies. There are two windows on
 * the device. While one computes, the next slab is uploaded into the other one; afterwards the
 * results of the first one are downloaded, while the other one computes. So a slab is read before
 * the results of the slab before it are stored.
 *
 * Several devices take turns with slabs. If slabs lean, each device makes a pass: it reads the rows
 * that the device with the pass before has stored, which is some slabs ahead. One thread queues the
 * work of all devices.
 */
#include "runtime/run/flow.h"

#include "runtime/device/transfer.h"
#include "runtime/resident/held.h"
#include "runtime/run/group.h"
#include "runtime/run/lean.h"
#include "runtime/run/pass.h"
#include "runtime/run/shadow.h"
#include "runtime/run/window.h"
#include <math.h>
#include <stdlib.h>

/* What a device has. */
typedef struct lane {
    rt_window windows[2];
    rt_lean lean;        /* in place of the windows */
    int64_t slab, steps; /* of its pass, if slabs lean: the next slab, and the steps */
    bool goes_on;        /* another pass follows */
    rt_part quiet;       /* of launches */
    double seconds;
} lane;

typedef struct plan {
    rt_cut cut;
    unsigned lanes; /* devices */
    bool leans;
    double seconds; /* expected */
} plan;

typedef struct flow {
    rt_group group;
    const rt_shape *whole;
    plan plan;
    rt_cut turn; /* the plan's cut, with the passes of all devices at a time as one */
    rt_shadow shadow;
    lane lanes[RT_MOST_DEVICES];
    rt_run main; /* the first launches */
    rt_passes passes;
    int64_t count; /* of passes */
} flow;

enum { KERNELS, COPIES }; /* queues of a device */

static bool turn(const rt_window *w, unsigned queue, rt_error *why) {
    return w->device->driver->turn(w->device->handle, queue, why);
}

/* The choice */

/* Slabs with margins. */
static bool plan_margins(const flow *f, const stencilrt_region *region, plan *p, rt_error *why) {
    enum { WINDOWS = 2 };
    const rt_device *device = f->group.devices[0];
    p->cut = rt_window_cut(region, f->whole);
    rt_cut_cost cost = {.compute = rt_window_speed(f->whole, p->cut.rows, device, region)};
    int64_t rows = rt_window_rows(f->whole, WINDOWS, rt_group_room(&f->group, p->lanes), why);
    double out = rt_window_bytes_out(f->whole);
    cost.copy_in = rt_pass_in(rt_window_bytes_in(f->whole), out, RT_PASS_LOCKED);
    cost.copy_out = out / RT_PASS_LOCKED;
    cost.pass = RT_PASS_SLAB;
    cost.overlapped = true;
    cost.degree = rt_window_degree(f->whole);
    cost.lanes = p->lanes;
    if (!rt_cut_to_fit(&p->cut, rows, &cost))
        return rt_fail(why, RT_DEVICE_MEMORY, "%s", "a slab does not fit");
    p->leans = false;
    p->seconds = rt_cut_seconds(&p->cut, &cost);
    return true;
}

static bool plan_leaning(const flow *f, const stencilrt_region *region, plan *p) {
    rt_error ignored;
    const rt_device *device = f->group.devices[0];
    p->cut = rt_window_cut(region, f->whole);
    p->leans = true;
    /* Devices that follow one another share a pass. */
    bool may_follow = rt_lean_may_follow(region) && !p->cut.full;
    return rt_lean_may(region, f->whole) && (p->lanes == 1 || may_follow) &&
           rt_lean_cut(&p->cut, region, f->whole, device, rt_group_room(&f->group, p->lanes),
                       p->lanes, &p->seconds, &ignored);
}

/* Chooses devices, slabs and passes by what is expected to be fastest. Where that is not known, all
 * devices are used. */
static bool choose(flow *f, const stencilrt_region *region, rt_error *why) {
    const rt_device *device = f->group.devices[0];
    bool known = device->driver->is_estimated && !f->whole->eager;
    f->plan.seconds = INFINITY;
    for (unsigned n = f->group.count; n > 0 && (known || f->plan.seconds == INFINITY); n--) {
        plan one = {.lanes = n};
        double most = f->plan.seconds * RT_PASS_WORTH;
        if (plan_leaning(f, region, &one) && one.seconds < most) {
            f->plan = one;
            most = one.seconds;
        }
        if (plan_margins(f, region, &one, why) && one.seconds < most)
            f->plan = one;
    }
    f->turn = f->plan.cut;
    if (f->plan.leans)
        f->turn.pass *= f->plan.lanes;
    f->turn.pass = f->turn.pass < f->turn.steps ? f->turn.pass : f->turn.steps;
    return f->plan.seconds < INFINITY;
}

/* Slabs with margins */

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
static bool fetch(const flow *f, const rt_window *w, int64_t steps, bool goes_on, rt_error *why) {
    bool ok = turn(w, COPIES, why);
    for (uint32_t i = 0; i < w->shape.region->nbuffers && ok; i++) {
        const rt_buffer *buffer = &w->shape.buffers[i];
        rt_box own = rt_window_own(w, buffer->grid);
        uint64_t from = w->memory.blocks[rt_blocks_final(&w->shape, i)].address;
        ok = !rt_window_wants(f->whole, i, goes_on) || !is_made(f->whole, i, steps) ||
             rt_fetch_box(w->device, &w->shape, buffer, &own, from, why);
    }
    return ok && turn(w, KERNELS, why);
}

static bool begin_slab(const flow *f, rt_window *w, int64_t slab, int64_t steps, rt_error *why) {
    rt_slab rows = rt_cut_slab(&f->plan.cut, slab, steps);
    return rt_window_place(w, &f->shadow.call, &rows, why) && turn(w, COPIES, why) &&
           rt_window_upload(w, why) && rt_device_pass(w->device, why) && turn(w, KERNELS, why);
}

static bool launch(lane *l, rt_window *w, rt_window *before, int64_t steps, bool goes_on,
                   rt_error *why) {
    rt_window_take_scratch(w, before);
    return rt_window_launch(w, steps, goes_on, RT_EDGES_LATE, &l->quiet, why);
}

/* Begins slab number `i`, and ends the one that its device had before. */
static bool make_slab(flow *f, int64_t i, int64_t steps, bool goes_on, rt_error *why) {
    int64_t lanes = f->plan.lanes, number = i / lanes % 2;
    lane *l = &f->lanes[i % lanes];
    rt_window *w = &l->windows[number], *before = &l->windows[1 - number];
    bool begins = i < f->plan.cut.slabs, ends = i >= lanes;
    return (!begins || begin_slab(f, w, i, steps, why)) &&
           (!ends || rt_window_wait(before, &l->seconds, why)) &&
           (!begins || launch(l, w, before, steps, goes_on, why)) &&
           (!ends || fetch(f, before, steps, goes_on, why));
}

/* `begun`: slabs, and perhaps more. */
static void tell_progress(flow *f, int64_t steps, int64_t begun) {
    int64_t all = f->plan.cut.slabs, slabs = begun < all ? begun : all;
    rt_passes_show(&f->passes, steps * slabs / all, f->whole->steps);
}

static bool pass_slabs(flow *f, int64_t steps, bool goes_on, rt_error *why) {
    unsigned lanes = f->plan.lanes;
    bool ok = true;
    f->count++;
    for (int64_t i = 0; i < f->plan.cut.slabs + lanes && ok; i++) {
        rt_signals_let_end();
        if (!rt_group_enter(&f->group, i % lanes, why))
            return false;
        ok = make_slab(f, i, steps, goes_on, why);
        rt_group_leave(&f->group, i % lanes);
        tell_progress(f, steps, i);
    }
    return ok;
}

/* Slabs that lean */

/* Gives each device a pass; the last ones perhaps none. */
static void hand_out(flow *f, int64_t steps, bool goes_on) {
    for (unsigned i = 0; i < f->plan.lanes; i++) {
        lane *l = &f->lanes[i];
        bool first = f->passes.made == 0 && i == 0;
        l->steps = steps < f->plan.cut.pass ? steps : f->plan.cut.pass;
        steps -= l->steps;
        l->goes_on = goes_on || steps > 0;
        l->slab = l->steps > 0 ? 0 : f->plan.cut.slabs + 1;
        l->lean.from = first ? rt_rest_call(f->passes.rest)->sweeps : &f->shadow.call;
        l->lean.to = &f->shadow.call;
        f->count += l->steps > 0;
    }
}

/* Are the rows there that the device's next slab reads? */
static bool may_go_on(const flow *f, unsigned i) {
    const lane *l = &f->lanes[i];
    return l->slab <= f->plan.cut.slabs &&
           (i == 0 || rt_lean_is_ahead(&l[-1].lean, l[-1].slab, l->slab));
}

static bool lean_on(flow *f, unsigned i, rt_error *why) {
    lane *l = &f->lanes[i];
    rt_signals_let_end();
    if (!rt_group_enter(&f->group, i, why))
        return false;
    bool ok = rt_lean_slab(&l->lean, l->slab++, l->steps, l->goes_on, why);
    rt_group_leave(&f->group, i);
    return ok;
}

static bool pass_leaning(flow *f, int64_t steps, bool goes_on, rt_error *why) {
    const lane *last = &f->lanes[f->plan.lanes - 1];
    bool ok = true, more = true;
    hand_out(f, steps, goes_on);
    while (last > f->lanes && last->steps == 0)
        last--;
    while (more && ok) {
        for (unsigned i = 0; i < f->plan.lanes && ok; i++)
            ok = !may_go_on(f, i) || lean_on(f, i, why);
        more = last->slab <= f->plan.cut.slabs;
        tell_progress(f, steps, last->slab);
    }
    return ok;
}

/* The call */

static bool make_pass(void *context, int64_t steps, bool goes_on, rt_error *why) {
    flow *f = context;
    bool ok = (f->plan.leans ? pass_leaning : pass_slabs)(f, steps, goes_on, why);
    const lane *first = &f->lanes[0];
    if (ok && f->passes.made == 0)
        f->main = (f->plan.leans ? &first->lean.window : &first->windows[0])->schedule->runs[0];
    return ok;
}

static bool set_up_lane(flow *f, unsigned number, rt_error *why) {
    const stencilrt_region *region = f->passes.part->region;
    rt_device *device = f->group.devices[number];
    lane *l = &f->lanes[number];
    l->quiet = (rt_part){.region = region, .given = f->passes.part->given, .unpaced = true};
    if (f->plan.leans)
        return rt_lean_begin(&l->lean, device, region, f->whole, &f->plan.cut, &l->quiet, why);
    bool ok = true;
    for (int i = 0; i < 2 && ok; i++) {
        ok = rt_window_begin(&l->windows[i], device, region, f->whole, why);
        l->windows[i].memory.same_halo = number == 0 && i == 0
                                             ? rt_window_same_halo(f->whole)
                                             : f->lanes[0].windows[0].memory.same_halo;
    }
    return ok;
}

static bool set_up(flow *f, const stencilrt_call *call, rt_error *why) {
    f->passes.rest = rt_rest_begin(f->passes.part->region, call, f->passes.part->frame);
    if (!f->passes.rest)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    bool ok = rt_shadow_begin(&f->shadow, f->whole, rt_rest_call(f->passes.rest)->sweeps,
                              f->plan.leans, why);
    if (ok && rt_cut_passes(&f->plan.cut) > 1)
        rt_group_lock(&f->group, f->plan.lanes, f->shadow.memory, f->shadow.again);
    for (unsigned i = 0; i < f->plan.lanes && ok; i++) {
        bool inside = rt_group_enter(&f->group, i, why);
        ok = inside && set_up_lane(f, i, why);
        if (inside)
            rt_group_leave(&f->group, i);
    }
    return ok;
}

static void clean_up_lane(flow *f, unsigned number) {
    rt_error ignored;
    lane *l = &f->lanes[number];
    bool inside = rt_group_enter(&f->group, number, &ignored);
    if (l->lean.device)
        rt_lean_end(&l->lean);
    for (int i = 0; i < 2; i++)
        if (l->windows[i].device)
            rt_window_end(&l->windows[i]);
    rt_device_trim(f->group.devices[number]);
    if (inside)
        rt_group_leave(&f->group, number);
}

static void clean_up(flow *f) {
    for (unsigned i = 0; i < f->plan.lanes; i++)
        clean_up_lane(f, i);
    rt_group_unlock(&f->group, f->plan.lanes);
    rt_shadow_end(&f->shadow);
    if (f->passes.rest)
        rt_rest_end(f->passes.rest);
}

static void tell(const flow *f, double start, rt_outcome *outcome) {
    double longest = 0;
    for (unsigned i = 0; i < f->plan.lanes; i++)
        longest = fmax(longest, f->plan.leans ? f->lanes[i].lean.seconds : f->lanes[i].seconds);
    outcome->main = f->main;
    rt_passes_tell(&f->passes, start, longest, outcome);
    outcome->split.passes = f->count;
    outcome->split.lanes = f->plan.lanes;
}

static bool run_taken(flow *f, const stencilrt_call *call, double most, rt_outcome *outcome,
                      rt_error *why) {
    static const rt_uses none;
    double start = rt_seconds();
    if (!choose(f, f->passes.part->region, why))
        return false;
    if (f->plan.seconds > most)
        return rt_fail(why, RT_SLOWER, "%.3g ms in %d slabs > %.3g ms on the CPU",
                       1e3 * f->plan.seconds, (int)f->plan.cut.slabs, 1e3 * most);
    bool ok = set_up(f, call, why) && rt_part_begin_shape(f->passes.part, &none, f->whole, why) &&
              rt_passes_make(&f->passes, f->group.devices[0], make_pass, f, why) &&
              rt_part_keep(f->passes.part, why);
    rt_part_end(f->passes.part);
    if (ok) {
        rt_shadow_write(&f->shadow);
        tell(f, start, outcome);
    } else {
        rt_group_settle(&f->group);
    }
    clean_up(f);
    return ok;
}

bool rt_flow_run(rt_device *device, const stencilrt_call *call, const rt_shape *shape, double most,
                 rt_part *part, rt_outcome *outcome, rt_error *why) {
    if (!rt_window_may(part->region, shape))
        return false;
    flow *f = calloc(1, sizeof *f);
    if (!f)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    f->whole = shape;
    f->passes = (rt_passes){.cut = &f->turn, .part = part};
    part->done = 0;
    rt_group_open(&f->group, device);
    rt_devices_each(0, UINTPTR_MAX, NULL, rt_held_release); /* the host's memory is read */
    bool ok = rt_group_take(&f->group, part->region, false, why) &&
              run_taken(f, call, most, outcome, why);
    rt_group_give(&f->group);
    free(f);
    outcome->driver = device->driver->name;
    outcome->device = device->info.name;
    return ok;
}
