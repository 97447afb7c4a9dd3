/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Runs a region on several devices: share.h. One thread queues the work of all devices. Each device
 * computes its slab with margins; so devices wait for each other only once in many steps.
 */
#include "runtime/run/share.h"

#include "runtime/choose/cost.h"
#include "runtime/device/transfer.h"
#include "runtime/run/pass.h"
#include "runtime/run/window.h"
#include <stdlib.h>

typedef struct share {
    rt_device *devices[RT_MOST_DEVICES];
    bool taken[RT_MOST_DEVICES];
    unsigned count; /* of devices */
    const rt_shape *whole;
    const stencilrt_region *region;
    rt_cut cut;
    rt_window windows[RT_MOST_DEVICES];
    rt_part quiet; /* of launches */
    rt_run main;   /* the first launches */
    rt_passes passes;
    bool goes_on; /* more steps follow those that are being made */
    bool early;   /* rows for other devices are computed and sent while the rest is computed */
    bool marked[RT_MARKS]; /* the marks that devices have set */
    double sent;           /* bytes that devices exchanged */
} share;

/* Measured on 8 GPUs with NVLink, which send to both sides at once. */
static const double peer_bandwidth = 250e9; /* bytes a second */
static const double pass_seconds = 20e-6;   /* launches that wait for what other devices send */
static const double queue_seconds = 30e-6, launch_seconds = 4e-6; /* of the CPU */

/* Does the choice go by expected times? Otherwise all devices are used. */
static bool is_estimated(const rt_device *device, const rt_shape *whole) {
    return device->driver->is_estimated && !whole->eager;
}

typedef struct choice {
    rt_cut cut;
    rt_cut_cost cost; /* `compute` is that of a slab */
    rt_speed alone;   /* of one device */
} choice;

/* Chooses the slabs and the pass for at most `most` devices. */
static choice choose_cut(const rt_device *device, const stencilrt_region *region,
                         const rt_shape *whole, unsigned most) {
    rt_speed of_devices[RT_MOST_DEVICES];
    choice c = {.cut = rt_window_cut(region, whole), .cost.pass = pass_seconds};
    c.cost.degree = rt_window_degree(whole);
    c.cost.copy_in = rt_window_bytes_in(whole) / peer_bandwidth;
    c.cost.queue = queue_seconds;
    c.cost.queue_step = launch_seconds / (double)(whole->bt > 0 ? whole->bt : 1);
    c.cost.of_devices = of_devices;
    for (unsigned n = 0; n < most; n++)
        of_devices[n] = rt_window_speed(whole, rt_ceil_div(c.cut.rows, n + 1), device, region);
    c.alone = of_devices[0];
    if (!is_estimated(device, whole))
        c.cost = (rt_cut_cost){.compute.row = 1, .pass = (double)c.cut.rows / 8};
    rt_cut_among(&c.cut, most, &c.cost);
    if (c.cost.of_devices)
        c.cost.compute = of_devices[c.cut.slabs - 1];
    c.cost.of_devices = NULL;
    return c;
}

/* Copying the arrays there and back takes as long for several devices as for one. If they stay on
 * one, that is saved. */
bool rt_share_wants(rt_device *device, const stencilrt_region *region, const rt_shape *whole,
                    rt_uses *uses) {
    rt_error ignored;
    if (rt_config_get()->devices < 2 || !rt_window_may(region, whole) ||
        !rt_device_load(device, region, &ignored))
        return false;
    choice c = choose_cut(device, region, whole, rt_config_get()->devices);
    if (c.cut.slabs < 2 || !is_estimated(device, whole))
        return c.cut.slabs > 1;
    double transfers = rt_cost_predict(whole, device->info.bytes_per_second).transfers;
    double more = rt_uses_can(uses) ? transfers : 0;
    double saved = c.alone.row - c.cost.compute.row / (double)c.cut.slabs;
    return more < saved * (double)c.cut.rows * (double)c.cut.steps;
}

/* Opens devices, as far as there are any. */
static bool open_devices(share *s, rt_device *device, rt_error *why) {
    rt_error ignored;
    unsigned most = rt_config_get()->devices;
    s->devices[0] = device;
    for (s->count = 1; s->count < most; s->count++) {
        rt_device *other = rt_device_open_other(device->driver, s->count, &ignored);
        if (!other)
            break;
        s->devices[s->count] = other;
    }
    return s->count > 1 || rt_fail(why, RT_NO_DEVICE, "%s", "there is one");
}

/* Takes the devices in their order, as all threads do, so that none waits for another for good. */
static bool take_devices(share *s, rt_error *why) {
    bool ok = true;
    for (unsigned i = 0; i < s->count && ok; i++)
        ok = rt_device_load(s->devices[i], s->region, why);
    for (unsigned i = 0; i < s->count && ok; i++) {
        ok = s->taken[i] = rt_device_take(s->devices[i], why);
        if (ok)
            rt_held_release_all(s->devices[i]);
    }
    return ok;
}

/* Gives them back in the opposite order: each restores what was current before. */
static void give_devices(share *s) {
    for (unsigned i = s->count; i-- > 0;)
        if (s->taken[i])
            rt_device_give(s->devices[i]);
}

/* Calls work for each slab, while its device is the current one. */
static bool each(share *s, bool (*work)(share *, unsigned, int64_t, rt_error *), int64_t value,
                 rt_error *why) {
    bool ok = true;
    for (unsigned i = 0; i < s->count && ok; i++) {
        const rt_device *d = s->devices[i];
        if (!d->driver->enter(d->handle, why))
            return false;
        ok = work(s, i, value, why);
        d->driver->leave(d->handle);
    }
    return ok;
}

static bool upload(share *s, unsigned i, int64_t unused, rt_error *why) {
    rt_slab slab = rt_cut_slab(&s->cut, i, s->cut.pass);
    (void)unused;
    return rt_window_begin(&s->windows[i], s->devices[i], s->region, s->whole, why) &&
           rt_window_place(&s->windows[i], rt_rest_call(s->passes.rest)->sweeps, &slab, why) &&
           rt_window_upload(&s->windows[i], why);
}

/* From now on the device's current queue waits until its neighbours have passed their mark. */
static bool follow_neighbours(const share *s, unsigned i, unsigned mark, rt_error *why) {
    const rt_device *d = s->devices[i];
    bool ok = true;
    if (i > 0)
        ok = d->driver->follow(d->handle, s->devices[i - 1]->handle, mark, why);
    if (i + 1 < s->count && ok)
        ok = d->driver->follow(d->handle, s->devices[i + 1]->handle, mark, why);
    return ok;
}

/* The mark of a pass. Few passes are queued at a time, so that a loop can end soon. */
static unsigned mark_of(const share *s) {
    enum { FIRST = 4, QUEUED = 3 }; /* the marks of slices (part.h) */
    return FIRST + (unsigned)(s->passes.count % QUEUED);
}

/* The steps of a pass come after what the device sent and got. */
static bool launch(share *s, unsigned i, int64_t steps, rt_error *why) {
    rt_window *w = &s->windows[i];
    const rt_driver *driver = w->device->driver;
    void *device = w->device->handle;
    w->memory.same_halo = s->windows[0].memory.same_halo;
    bool ok = (!s->marked[mark_of(s)] || driver->wait(device, mark_of(s), why)) &&
              driver->follow(device, device, RT_MARK_SENT, why) &&
              follow_neighbours(s, i, RT_MARK_SENT, why) &&
              rt_window_launch(w, steps, s->goes_on, s->early && s->goes_on, &s->quiet, why) &&
              driver->mark(device, mark_of(s), why);
    s->marked[mark_of(s)] |= i + 1 == s->count;
    if (ok && s->passes.made == 0 && i == 0)
        s->main = w->schedule->runs[0];
    return ok;
}

static bool wait_for_steps(share *s, unsigned i, int64_t unused, rt_error *why) {
    double seconds;
    (void)unused;
    return rt_window_wait(&s->windows[i], &seconds, why);
}

/* The device's address of a row of a buffer, with all cells in it. */
static uint64_t address_of(const rt_window *w, uint32_t buffer, int64_t row) {
    uint32_t last = w->whole->region->rank - 1;
    const rt_grid *g = &w->shape.grids[w->shape.buffers[buffer].grid];
    uint64_t block = w->memory.blocks[rt_blocks_final(&w->shape, buffer)].address;
    row -= w->slab.domain.lo;
    if (last == 0)
        return block + rt_grid_device_offset(g, row, 0, 0);
    return block + (uint64_t)(row - g->box.lo[last]) * (last == 1 ? g->pitch : g->plane);
}

/* Sends rows of a buffer from one window to another. A row has as many bytes in both. */
static bool send_rows(share *s, const rt_window *from, const rt_window *to, uint32_t buffer,
                      rt_rows rows, rt_error *why) {
    size_t bytes = (size_t)(address_of(from, buffer, rows.hi) - address_of(from, buffer, rows.lo));
    s->sent += (double)bytes;
    return from->device->driver->send(from->device->handle, address_of(from, buffer, rows.lo),
                                      to->device->handle, address_of(to, buffer, rows.lo), bytes,
                                      why);
}

/* Sends what the slabs next to this one have in their margins. */
static bool send_rows_of(share *s, unsigned i, rt_error *why) {
    const rt_window *w = &s->windows[i], *low = w - 1, *high = w + 1;
    bool ok = true;
    for (uint32_t b = 0; b < s->whole->region->nbuffers && ok; b++) {
        if (!rt_window_wants(s->whole, b, true) || s->cut.reach == 0)
            continue;
        if (i > 0)
            ok = send_rows(s, w, low, b, (rt_rows){w->slab.own.lo, low->slab.domain.hi}, why);
        if (i + 1 < s->count && ok)
            ok = send_rows(s, w, high, b, (rt_rows){high->slab.domain.lo, w->slab.own.hi}, why);
    }
    return ok;
}

/* The copies wait until the edges of both slabs are done. No later launch of the pass touches the
 * margins that they write. */
static bool send_margins(share *s, unsigned i, int64_t unused, rt_error *why) {
    enum { KERNELS, COPIES }; /* queues */
    const rt_driver *driver = s->devices[i]->driver;
    void *device = s->devices[i]->handle;
    (void)unused;
    return driver->turn(device, COPIES, why) &&
           driver->follow(device, device, RT_MARK_EDGES, why) &&
           follow_neighbours(s, i, RT_MARK_EDGES, why) && send_rows_of(s, i, why) &&
           driver->mark(device, RT_MARK_SENT, why) && driver->turn(device, KERNELS, why);
}

/* Makes the first exchange, of equal values: devices that have never exchanged take milliseconds.
 * Plans the last pass, and then the first one. */
static bool prepare(share *s, unsigned i, int64_t unused, rt_error *why) {
    const rt_driver *driver = s->devices[i]->driver;
    void *device = s->devices[i]->handle;
    int64_t last = rt_cut_passes(&s->cut) - 1;
    (void)unused;
    if (i > 0)
        driver->meet(device, s->devices[i - 1]->handle);
    if (i + 1 < s->count)
        driver->meet(device, s->devices[i + 1]->handle);
    return rt_window_plan(&s->windows[i], rt_cut_steps(&s->cut, last), false, why) &&
           rt_window_plan(&s->windows[i], rt_cut_steps(&s->cut, 0), last > 0, why) &&
           driver->mark(device, RT_MARK_EDGES, why);
}

static bool wait_for_copies(share *s, unsigned i, int64_t unused, rt_error *why) {
    (void)unused;
    return s->devices[i]->driver->wait(s->devices[i]->handle, RT_MARK_SENT, why);
}

static bool set_up(share *s, rt_error *why) {
    bool ok = each(s, upload, 0, why) && each(s, prepare, 0, why) &&
              each(s, send_margins, 0, why) && each(s, wait_for_copies, 0, why);
    s->windows[0].memory.same_halo = ok && rt_window_same_halo(s->whole);
    s->sent = 0;
    return ok;
}

static bool make_pass(void *context, int64_t steps, bool goes_on, rt_error *why) {
    share *s = context;
    rt_signals_let_end();
    s->goes_on = goes_on;
    bool ok = each(s, launch, steps, why) &&
              (goes_on ? each(s, send_margins, 0, why) : each(s, wait_for_steps, 0, why));
    if (rt_progress_is_due(&s->passes.part->progress))
        rt_progress_show(&s->passes.part->progress, s->region->where, s->passes.made + steps,
                         s->cut.steps);
    return ok;
}

/* Copies what a device owns of the results to memory of the host. */
static bool stage(share *s, unsigned i, int64_t unused, rt_error *why) {
    rt_window *w = &s->windows[i];
    size_t bytes = 0;
    (void)unused;
    for (int counted = 0; counted < 2; counted++) {
        unsigned char *arena = counted ? rt_device_arena(w->device, bytes, why) : NULL;
        if (counted && !arena)
            return bytes == 0;
        bytes = 0;
        for (uint32_t b = 0; b < w->shape.region->nbuffers; b++) {
            const rt_buffer *buffer = &w->shape.buffers[b];
            rt_box own = rt_window_own(w, buffer->grid);
            uint64_t from = w->memory.blocks[rt_blocks_final(&w->shape, b)].address;
            if (!rt_window_wants(s->whole, b, false))
                continue;
            if (counted &&
                !rt_download(w->device, &w->shape, buffer, &own, from, arena + bytes, why))
                return false;
            bytes += rt_staged_bytes(&w->shape, buffer, &own);
        }
    }
    return true;
}

static void write_back(const share *s) {
    for (unsigned i = 0; i < s->count; i++) {
        const rt_window *w = &s->windows[i];
        unsigned char *staged = w->device->arena;
        for (uint32_t b = 0; b < w->shape.region->nbuffers; b++) {
            const rt_buffer *buffer = &w->shape.buffers[b];
            rt_box own = rt_window_own(w, buffer->grid);
            if (!rt_window_wants(s->whole, b, false))
                continue;
            rt_write_back(&w->shape, buffer, &own, staged);
            staged += rt_staged_bytes(&w->shape, buffer, &own);
        }
    }
}

/* After a failure: waits for all devices, because each writes to the memory of others. */
static void settle(const share *s) {
    rt_error ignored;
    for (unsigned i = 0; i < s->count; i++) {
        const rt_device *d = s->devices[i];
        if (!s->taken[i] || !d->driver->enter(d->handle, &ignored))
            continue;
        d->driver->turn(d->handle, 0, &ignored);
        rt_device_settle(s->devices[i]);
        d->driver->leave(d->handle);
    }
}

static void clean_up(share *s, bool ok) {
    rt_error ignored;
    if (!ok)
        settle(s);
    for (unsigned i = 0; i < s->count; i++) {
        const rt_device *d = s->devices[i];
        bool inside = s->taken[i] && d->driver->enter(d->handle, &ignored);
        if (s->windows[i].device)
            rt_window_end(&s->windows[i]);
        if (s->taken[i])
            rt_device_trim(s->devices[i]);
        if (inside)
            d->driver->leave(d->handle);
    }
}

static bool run_taken(share *s, rt_outcome *outcome, rt_error *why) {
    double start = rt_seconds();
    bool ok = set_up(s, why);
    double uploaded = rt_seconds();
    ok = ok && rt_passes_make(&s->passes, s->devices[0], make_pass, s, why);
    double seconds = rt_seconds() - uploaded; /* exchanges included */
    ok = ok && rt_part_keep(s->passes.part, s->devices[0], why) && each(s, stage, 0, why);
    if (!ok)
        return false;
    write_back(s);
    outcome->main = s->main;
    outcome->kernel_seconds = seconds;
    double end = rt_seconds();
    memcpy(outcome->at, (double[4]){start, uploaded, uploaded + seconds, end}, sizeof outcome->at);
    outcome->transfer_seconds = end - start - seconds;
    outcome->split = (rt_split){s->cut.slabs, s->passes.count, s->count, s->sent};
    return true;
}

static bool run(share *s, rt_device *device, const stencilrt_call *call, rt_outcome *outcome,
                rt_error *why) {
    static const rt_uses none;
    if (!open_devices(s, device, why))
        return false;
    choice c = choose_cut(device, s->region, s->whole, s->count);
    s->cut = c.cut;
    s->early = !is_estimated(device, s->whole) || rt_cut_sends_early(&s->cut, &c.cost);
    if (s->cut.slabs < 2)
        return rt_fail(why, RT_SLOWER, "%s", "");
    s->count = s->cut.slabs < s->count ? (unsigned)s->cut.slabs : s->count;
    s->passes.rest = rt_rest_begin(s->region, call, s->passes.part->frame);
    if (!s->passes.rest)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    rt_devices_each(0, UINTPTR_MAX, NULL, rt_held_release); /* the host's memory is read */
    bool ok = take_devices(s, why) && rt_part_begin_shape(s->passes.part, &none, s->whole, why) &&
              run_taken(s, outcome, why);
    rt_part_end(s->passes.part);
    clean_up(s, ok);
    give_devices(s);
    rt_rest_end(s->passes.rest);
    return ok;
}

bool rt_share_run(rt_device *device, const stencilrt_call *call, const rt_shape *shape,
                  rt_part *part, rt_outcome *outcome, rt_error *why) {
    share *s = calloc(1, sizeof *s);
    if (!s)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    s->whole = shape;
    s->region = part->region;
    s->passes = (rt_passes){.cut = &s->cut, .part = part};
    s->quiet = (rt_part){.region = part->region, .given = part->given, .unpaced = true};
    part->done = 0;
    bool ok = run(s, device, call, outcome, why);
    free(s);
    outcome->driver = device->driver->name;
    outcome->device = device->info.name;
    return ok;
}
