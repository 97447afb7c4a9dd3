/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs a region of one sweep on several devices: share.h. Each device has a window with margins; so
 * devices wait for each other only once in many steps.
 */
#include "runtime/run/share.h"

#include "runtime/choose/cost.h"
#include "runtime/device/transfer.h"
#include "runtime/run/team.h"
#include "runtime/run/window.h"
#include <stdlib.h>

typedef struct share {
    rt_team team;
    const rt_shape *whole;
    const stencilrt_region *region;
    rt_window windows[RT_MOST_DEVICES];
    rt_part quiet;  /* of launches */
    rt_run main;    /* the first launches */
    rt_early early; /* are rows for other devices computed and sent while the rest is computed? */
    bool same_halo; /* as in rt_memory */
} share;

/* Does the choice go by expected times? Otherwise all devices are used. */
static bool is_estimated(const rt_device *device, const rt_shape *whole) {
    return device->driver->is_estimated && !whole->eager;
}

typedef struct choice {
    rt_cut cut;
    rt_cut_cost cost;        /* `compute` is that of a slab */
    rt_speed alone, of_slab; /* of one device that has all rows, or a slab's */
} choice;

/* Chooses the slabs and the pass for at most `most` devices; `all`: for all of these. */
static choice choose_cut(const rt_device *device, const stencilrt_region *region,
                         const rt_shape *whole, unsigned most, bool all, const double *rates) {
    rt_speed of_devices[RT_MOST_DEVICES];
    choice c = {.cut = rt_window_cut(region, whole), .cost.pass = rt_team_pass};
    c.cost.degree = rt_window_degree(whole);
    c.cost.copy_in = rt_window_bytes_in(whole) / rt_team_bandwidth;
    c.cost.queue = rt_team_queue;
    c.cost.queue_step = rt_team_launch / (double)(whole->bt > 0 ? whole->bt : 1);
    c.cost.of_devices = of_devices;
    c.cut.rates = rates;
    for (unsigned n = 0; n < most; n++) {
        c.cut.slabs = n + 1;
        int64_t rows = rt_cut_first_rows(&c.cut);
        of_devices[n] = rt_window_speed(whole, rows > 0 ? rows : 1, device, region);
    }
    c.alone = c.of_slab = of_devices[0];
    if (all || !is_estimated(device, whole))
        c.cost = (rt_cut_cost){.compute.row = 1, .pass = (double)c.cut.rows / 8};
    rt_cut_among(&c.cut, most, &c.cost);
    c.of_slab = of_devices[c.cut.slabs - 1];
    if (c.cost.of_devices)
        c.cost.compute = c.of_slab;
    c.cost.of_devices = NULL;
    return c;
}

/* Where several devices hold the call's arrays, it is cut for as many. */
static choice choose_where_arrays_are(rt_device *device, const stencilrt_region *region,
                                      const rt_shape *whole, const rt_uses *uses, unsigned most,
                                      const double *rates) {
    choice c = choose_cut(device, region, whole, most, false, rates);
    unsigned spread = rt_held_spread_over(device, uses->at, uses->count);
    return spread > 1 && spread <= most && c.cut.slabs != spread
               ? choose_cut(device, region, whole, spread, true, rates)
               : c;
}

/* Copying the arrays there and back takes as long for several devices as for one. Where arrays can
 * stay, it counts where they are. */
bool rt_share_wants(rt_device *device, const stencilrt_region *region, const rt_shape *whole,
                    rt_uses *uses) {
    rt_error ignored;
    if (rt_config_get()->devices < 2 || !rt_window_may(region, whole) ||
        !rt_device_load(device, region, &ignored))
        return false;
    double known[RT_MOST_DEVICES];
    choice c = choose_where_arrays_are(device, region, whole, uses, rt_config_get()->devices,
                                       rt_group_given_rates(known));
    if (c.cut.slabs < 2 || !is_estimated(device, whole))
        return c.cut.slabs > 1;
    double transfers = rt_cost_predict(whole, device->info.bytes_per_second).transfers;
    double one = (double)rt_cut_first_rows(&c.cut) * c.of_slab.row;
    double saved = ((double)c.cut.rows * c.alone.row - one) * (double)c.cut.steps -
                   (double)c.cut.slabs * rt_team_pass;
    return rt_uses_can(uses) ? rt_held_may_spread(device, uses->at, uses->count, saved, transfers)
                             : saved > 0;
}

static bool begin(share *s, unsigned i, rt_error *why) {
    rt_slab slab = rt_cut_slab(&s->team.cut, i, s->team.cut.pass);
    const stencilrt_call *call = rt_rest_call(s->team.passes.rest)->sweeps;
    return rt_window_begin(&s->windows[i], s->team.group.devices[i], s->region, s->whole, why) &&
           rt_window_describe(&s->windows[i], call, &slab, why);
}

/* Where a failure in a later pass need not be the device's, what only the device has is kept. */
static bool describe(void *context, unsigned i, rt_error *why) {
    share *s = context;
    rt_window *w = &s->windows[i];
    if (!begin(s, i, why) || !rt_window_find_uses(w, why))
        return false;
    for (size_t k = 0; k < w->uses.count; k++)
        w->uses.at[k].guarded = rt_cut_passes(&s->team.cut) > 1;
    s->team.members.last = (int)s->whole->region->rank - 1;
    s->team.members.uses[i] = w->uses.at;
    s->team.members.counts[i] = w->uses.count;
    return true;
}

/* What the program had in the rows that the member owns is kept where the call may run in parts. */
static void add_results(share *s, const rt_window *w) {
    for (uint32_t b = 0; b < w->shape.region->nbuffers; b++) {
        rt_box own = rt_window_own(w, w->shape.buffers[b].grid);
        if (w->shape.buffers[b].written)
            rt_part_add(s->team.passes.part, &w->uses, &w->shape, b, &own);
    }
}

static bool upload(void *context, unsigned i, rt_error *why) {
    share *s = context;
    rt_window *w = &s->windows[i];
    if (!w->device && !begin(s, i, why))
        return false;
    if (!rt_window_allocate(w, why) || !rt_window_upload(w, why))
        return false;
    add_results(s, w);
    return true;
}

/* Are two buffers equal in a box of the whole, on all devices? Each compares the rows that it owns,
 * and those beyond at the grid's ends. */
typedef struct two_buffers {
    const share *s;
    uint32_t buffer[2];
} two_buffers;

static bool part_is_equal(const two_buffers *t, unsigned i, rt_box box) {
    const rt_window *w = &t->s->windows[i];
    const rt_buffer *one = &w->shape.buffers[t->buffer[0]],
                    *other = &w->shape.buffers[t->buffer[1]];
    uint32_t last = t->s->whole->region->rank - 1;
    rt_error ignored;
    if (i > 0 && box.lo[last] < w->slab.own.lo)
        box.lo[last] = w->slab.own.lo;
    if (i + 1 < t->s->team.group.count && box.hi[last] > w->slab.own.hi)
        box.hi[last] = w->slab.own.hi;
    if (box.lo[last] >= box.hi[last])
        return true;
    box.lo[last] -= w->slab.domain.lo;
    box.hi[last] -= w->slab.domain.lo;
    if (!rt_group_enter(&t->s->team.group, i, &ignored))
        return false;
    bool equal =
        rt_box_is_equal_on_device(w->device, &w->shape, one, w->memory.blocks[t->buffer[0]].address,
                                  other, w->memory.blocks[t->buffer[1]].address, &box);
    rt_group_leave(&t->s->team.group, i);
    return equal;
}

static bool box_is_equal(const void *context, const rt_box *box) {
    const two_buffers *t = context;
    bool equal = true;
    for (unsigned i = 0; i < t->s->team.group.count && equal; i++)
        equal = part_is_equal(t, i, *box);
    return equal;
}

/* Compares on the devices if arrays stay there: the host's memory may be outdated. */
static bool have_same_halo(const share *s) {
    const rt_shape *whole = s->whole;
    const stencilrt_grid *grid = &whole->region->grids[whole->rotating];
    uint32_t first = grid->first_buffer;
    if (whole->bt == 0 || !rt_uses_held(&s->windows[0].uses, first))
        return rt_window_same_halo(whole);
    bool equal = true;
    for (uint32_t i = first + 1; i < first + grid->buffers && equal; i++)
        equal =
            rt_all_of_halo(whole, &whole->buffers[i], box_is_equal, &(two_buffers){s, {first, i}});
    return equal;
}

static bool plan(void *context, unsigned i, int64_t steps, bool goes_on, rt_error *why) {
    share *s = context;
    if (i == 0 && !s->windows[0].put)
        s->same_halo = have_same_halo(s);
    return rt_window_put(&s->windows[i], why) &&
           rt_window_plan(&s->windows[i], steps, goes_on, why);
}

static bool launch(void *context, unsigned i, int64_t steps, bool goes_on, rt_error *why) {
    share *s = context;
    rt_window *w = &s->windows[i];
    w->memory.same_halo = s->same_halo;
    bool ok =
        rt_window_launch(w, steps, goes_on, goes_on ? s->early : RT_EDGES_LATE, &s->quiet, why);
    if (ok && s->team.passes.made == 0 && i == 0)
        s->main = w->schedule->runs[0];
    return ok;
}

static bool wait(void *context, unsigned i, rt_error *why) {
    share *s = context;
    double seconds = 0;
    return rt_window_wait(&s->windows[i], &seconds, why);
}

/* The device's address of a row of a buffer, with all cells in it. */
static uint64_t address_of(const rt_window *w, uint32_t buffer, int64_t row) {
    return w->memory.blocks[rt_blocks_final(&w->shape, buffer)].address +
           rt_window_row(w, w->shape.buffers[buffer].grid, row);
}

/* Sends rows of a buffer from one window to another. A row has as many bytes in both. */
static bool send_rows(share *s, unsigned i, unsigned j, uint32_t buffer, rt_rows rows,
                      rt_error *why) {
    const rt_window *from = &s->windows[i], *to = &s->windows[j];
    size_t bytes = (size_t)(address_of(from, buffer, rows.hi) - address_of(from, buffer, rows.lo));
    return rt_team_send(&s->team, i, address_of(from, buffer, rows.lo), j,
                        address_of(to, buffer, rows.lo), bytes, why);
}

/* Sends what the slabs next to this one have in their margins. */
static bool send(void *context, unsigned i, rt_error *why) {
    share *s = context;
    const rt_window *w = &s->windows[i], *low = w - 1, *high = w + 1;
    bool ok = true;
    for (uint32_t b = 0; b < s->whole->region->nbuffers && ok; b++) {
        if (!rt_window_wants(s->whole, b, true) || s->team.cut.reach == 0 ||
            (!s->team.began && rt_uses_held(&w->uses, b)))
            continue;
        if (i > 0)
            ok = send_rows(s, i, i - 1, b, (rt_rows){w->slab.own.lo, low->slab.domain.hi}, why);
        if (i + 1 < s->team.group.count && ok)
            ok = send_rows(s, i, i + 1, b, (rt_rows){high->slab.domain.lo, w->slab.own.hi}, why);
    }
    return ok;
}

static bool settle(void *context, unsigned i, bool results, rt_error *why) {
    share *s = context;
    return rt_window_settle(&s->windows[i], results, why);
}

static bool is_result(const share *s, const rt_window *w, uint32_t buffer) {
    return rt_window_wants(s->whole, buffer, false) && !rt_uses_held(&w->uses, buffer);
}

/* Copies what a device owns of the results to memory of the host. */
static bool stage(void *context, unsigned i, rt_error *why) {
    share *s = context;
    rt_window *w = &s->windows[i];
    size_t bytes = 0;
    for (int counted = 0; counted < 2; counted++) {
        unsigned char *arena = counted ? rt_device_arena(w->device, bytes, why) : NULL;
        if (counted && !arena)
            return bytes == 0;
        bytes = 0;
        for (uint32_t b = 0; b < w->shape.region->nbuffers; b++) {
            const rt_buffer *buffer = &w->shape.buffers[b];
            rt_box own = rt_window_own(w, buffer->grid);
            uint64_t from = w->memory.blocks[rt_blocks_final(&w->shape, b)].address;
            if (!is_result(s, w, b))
                continue;
            if (counted &&
                !rt_download(w->device, &w->shape, buffer, &own, from, arena + bytes, why))
                return false;
            bytes += rt_staged_bytes(&w->shape, buffer, &own);
        }
    }
    return true;
}

static void write_back(void *context, unsigned i) {
    share *s = context;
    const rt_window *w = &s->windows[i];
    unsigned char *staged = w->device->arena;
    for (uint32_t b = 0; b < w->shape.region->nbuffers; b++) {
        const rt_buffer *buffer = &w->shape.buffers[b];
        rt_box own = rt_window_own(w, buffer->grid);
        if (!is_result(s, w, b))
            continue;
        rt_write_back(&w->shape, buffer, &own, staged);
        staged += rt_staged_bytes(&w->shape, buffer, &own);
    }
}

static void end(void *context, unsigned i) {
    share *s = context;
    if (s->windows[i].device)
        rt_window_end(&s->windows[i]);
}

static const rt_team_work work = {.describe = describe,
                                  .upload = upload,
                                  .plan = plan,
                                  .launch = launch,
                                  .send = send,
                                  .wait = wait,
                                  .settle = settle,
                                  .stage = stage,
                                  .write_back = write_back,
                                  .end = end};

static bool run(share *s, rt_device *device, const stencilrt_call *call, rt_uses *uses,
                rt_outcome *outcome, rt_error *why) {
    rt_part *part = s->team.passes.part;
    if (!rt_team_open(&s->team, device, why))
        return false;
    choice c = choose_where_arrays_are(device, s->region, s->whole, uses, s->team.group.count,
                                       s->team.group.rates);
    s->team.cut = c.cut;
    s->early = rt_cut_early(&c.cut, &c.cost);
    if (!is_estimated(device, s->whole)) /* both are tried */
        s->early = s->whole->chunk > 0 ? RT_EDGES_CHUNKS : RT_EDGES_NARROW;
    if (c.cut.slabs < 2)
        return rt_fail(why, RT_SLOWER, "%s", "");
    size_t most = s->whole->region->nbuffers * (size_t)c.cut.slabs;
    bool ok = rt_part_begin(part, uses, s->whole->steps, most, why) &&
              rt_team_run(&s->team, call, uses, outcome, why);
    rt_part_end(part);
    outcome->main = s->main;
    return ok;
}

static bool try(rt_device *device, const stencilrt_call *call, const rt_shape *shape, rt_uses *uses,
                rt_part *part, rt_outcome *outcome, rt_error *why) {
    share *s = calloc(1, sizeof *s);
    if (!s)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    s->whole = shape;
    s->region = part->region;
    s->team = (rt_team){.work = &work, .context = s};
    s->team.passes = (rt_passes){.cut = &s->team.cut, .part = part};
    s->quiet = (rt_part){.region = part->region, .given = part->given, .unpaced = true};
    part->done = 0;
    bool ok = run(s, device, call, uses, outcome, why);
    free(s);
    return ok;
}

bool rt_share_run(rt_device *device, const stencilrt_call *call, const rt_shape *shape,
                  rt_uses *uses, rt_part *part, rt_outcome *outcome, rt_error *why) {
    bool ok = try(device, call, shape, uses, part, outcome, why);
    if (!ok && uses->made_room) { /* arrays that stayed were in the way */
        rt_uses_want_none(uses);
        ok = try(device, call, shape, uses, part, outcome, why);
    }
    outcome->driver = device->driver->name;
    outcome->device = device->info.name;
    return ok;
}
