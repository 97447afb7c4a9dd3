/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * STENCILOPT_REPORT=each: a line for each entry. summary.c makes the other reports.
 */
#include "runtime/report/report.h"

#include "runtime/call/stops.h"
#include "runtime/choose/cost.h"
#include "runtime/report/summary.h"
#include <stdio.h>

/* The cells that a tile stores, without its halo. The tile of a cell kernel is the block. */
static void format_tile(char *text, size_t room, const stencilrt_region *r, const rt_run *run) {
    const stencilrt_kernel *k = &r->kernels[run->kernel];
    if (k->kind == STENCILRT_RESIDENT)
        rt_format_sizes(text, room, r->rank, run->chip.own);
    else if (k->kind == STENCILRT_CELL)
        rt_format_sizes(text, room, r->rank, (int64_t[3]){k->block[0], k->block[1], k->block[2]});
    else
        rt_format_sizes(text, room, r->rank == 1 ? 1 : 2,
                        (int64_t[3]){k->tile[0], r->rank == 2 ? run->chunk : k->tile[1], 1});
}

__attribute__((noinline)) /* a stack frame of its own: see CMakeLists.txt */
static void
say_ran(const rt_entry *e) {
    char run[560];
    rt_format_run(run, sizeof run, e);
    rt_say("%s: %s", e->where, run);
}

static void tell_ran(const rt_entry *e) {
    if (rt_config_get()->report == RT_REPORT_EACH)
        say_ran(e);
    else
        rt_summary_add(e);
}

static void add_work(rt_entry *e, const stencilrt_region *sweep, double updates) {
    e->updates += updates;
    e->operations += updates * sweep->ops;
    e->bytes += updates * rt_cost_cell_bytes(sweep);
}

static rt_entry entry_of(const stencilrt_region *r, const rt_outcome *o) {
    const uint32_t *brick = r->sweeps[0].brick;
    return (rt_entry){.region = r,
                      .brick = {brick[0], brick[1], brick[2]},
                      .where = r->where,
                      .rank = r->rank,
                      .driver = o->driver,
                      .device = o->device,
                      .kernel_seconds = o->kernel_seconds,
                      .transfer_seconds = o->transfer_seconds,
                      .split = o->split,
                      .at = {o->at[0], o->at[1], o->at[2], o->at[3]},
                      .bandwidth = o->bandwidth,
                      .kept = o->kept,
                      .later = o->later};
}

void rt_report_ran(const stencilrt_region *r, const rt_shape *shape, const rt_outcome *o) {
    const stencilrt_kernel *kernel = &r->kernels[o->main.kernel];
    rt_entry e = entry_of(r, o);
    for (int d = 0; d < 3; d++)
        e.extent[d] = shape->extent[d];
    e.steps = shape->steps;
    add_work(&e, shape->region, (double)shape->cells * (double)shape->steps);
    e.bt = kernel->bt;
    e.halos_differ = shape->halos_differ;
    e.cell = kernel->kind == STENCILRT_CELL;
    e.on_chip = kernel->kind == STENCILRT_RESIDENT;
    if (e.on_chip)
        e.bt = (uint32_t)o->main.chip.round;
    format_tile(e.tile, sizeof e.tile, r, &o->main);
    tell_ran(&e);
}

void rt_report_sweeps(const stencilrt_region *r, const stencilrt_call *call, int64_t done,
                      const rt_outcome *o) {
    rt_entry e = entry_of(r, o);
    bool stops = rt_ends_by_condition(call->check);
    e.steps = done > 0 ? done : stops ? call->check->done : call->steps;
    e.sweeps = r->nsweeps;
    for (uint32_t d = 0; d < r->rank; d++)
        e.extent[d] = call->extent[d];
    for (uint32_t s = 0; s < r->nsweeps; s++) {
        double cells = (double)e.steps;
        for (uint32_t d = 0; d < r->rank; d++)
            cells *= (double)call->sweeps[s].extent[d];
        add_work(&e, &r->sweeps[s], cells);
    }
    if (o->blocked) {
        e.on_chip = r->kernels[o->main.kernel].kind == STENCILRT_RESIDENT;
        e.bt = e.on_chip ? (uint32_t)o->main.chip.round : r->kernels[o->main.kernel].bt;
        format_tile(e.tile, sizeof e.tile, r, &o->main);
    }
    tell_ran(&e);
}

__attribute__((noinline)) /* a stack frame of its own: see CMakeLists.txt */
static void
say_declined(const char *where, const rt_error *why) {
    char text[640];
    rt_format_reason(text, sizeof text, why->reason, why->detail);
    rt_say("%s: original loops ran: %s", where, text);
}

void rt_report_declined(const stencilrt_region *region, const rt_error *why) {
    /* A region of another version may have something else in `where`. So the version is tested,
     * even if the region was declined for another reason. */
    bool known = region->abi == STENCILRT_ABI && region->where;
    const char *where = known ? region->where : "a region";
    rt_entry e = {.region = region, .where = where, .why = why, .at = {rt_seconds()}};
    if (rt_config_get()->report == RT_REPORT_EACH)
        say_declined(where, why);
    else
        rt_summary_add(&e);
}
