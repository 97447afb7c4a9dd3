/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * STENCILOPT_REPORT=1: one line a region run.
 */
#include "report.h"
#include <inttypes.h>
#include <stdio.h>

static const char *sentence(enum rt_reason reason) {
    switch (reason) {
    case RT_OK:
        break;
#define RT_SENTENCE(id, name, sentence)                                                            \
    case RT_##id:                                                                                  \
        return sentence;
        RT_REASONS(RT_SENTENCE)
#undef RT_SENTENCE
    }
    return "no reason is known";
}

/* "512x512x64": the cells, or a block's threads */
static void format_sizes(char *text, size_t room, uint32_t rank, int64_t x, int64_t y, int64_t z) {
    int64_t size[3] = {x, y, z};
    size_t used = 0;
    for (uint32_t d = 0; d < rank && used < room; d++)
        used += (size_t)snprintf(text + used, room - used, "%s%" PRId64, d ? "x" : "", size[d]);
}

/* The cells that a tile stores, its halo left out; a cell kernel's tile is the block. */
static void format_tile(char *text, size_t room, const stencilrt_region *r, const rt_run *run) {
    const stencilrt_kernel *k = &r->kernels[run->kernel];
    if (k->kind == STENCILRT_CELL)
        format_sizes(text, room, r->rank, k->block[0], k->block[1], k->block[2]);
    else
        format_sizes(text, room, r->rank == 1 ? 1 : 2, k->tile[0],
                     r->rank == 2 ? run->chunk : k->tile[1], 1);
}

/* What was not copied, because it was or stays on the device. */
static void format_kept(char *text, size_t room, const rt_kept *kept) {
    text[0] = 0;
    if (kept->arrays > 0)
        snprintf(text, room, ", %u array%s kept on the device, %.3f MB not copied", kept->arrays,
                 kept->arrays == 1 ? "" : "s", 1e-6 * kept->saved);
}

void rt_report_ran(const rt_shape *shape, const rt_outcome *o) {
    const stencilrt_region *r = shape->region;
    char grid[80], tile[80], kept[100];
    format_sizes(grid, sizeof grid, r->rank, shape->extent[0], shape->extent[1], shape->extent[2]);
    format_tile(tile, sizeof tile, r, &o->main);
    format_kept(kept, sizeof kept, &o->kept);
    double work = (double)shape->cells * (double)shape->steps;
    double rate = o->kernel_seconds > 0 ? 1e-9 * work / o->kernel_seconds : 0;
    rt_say("%s: %s (%s): grid %s, steps %" PRId64
           ", bT %u%s%s, tile %s, kernels %.3f ms, transfers %.3f ms, %.3f GCells/s%s",
           r->where, o->driver, o->device, grid, shape->steps, r->kernels[o->main.kernel].bt,
           r->kernels[o->main.kernel].kind == STENCILRT_CELL ? " (a thread a cell)" : "",
           shape->halos_differ ? " (the buffers' boundaries differ)" : "", tile,
           1e3 * o->kernel_seconds, 1e3 * o->transfer_seconds, rate, kept);
}

void rt_report_sweeps(const stencilrt_region *r, const stencilrt_call *call, const rt_outcome *o) {
    char grid[80], kept[100];
    double work = 0;
    bool stops = call->check && call->check->ends;
    int64_t steps = stops ? call->check->done : call->steps;
    format_sizes(grid, sizeof grid, r->rank, call->extent[0], call->extent[1], call->extent[2]);
    for (uint32_t s = 0; s < r->nsweeps; s++) {
        double cells = (double)steps;
        for (uint32_t d = 0; d < r->rank; d++)
            cells *= (double)call->sweeps[s].extent[d];
        work += cells;
    }
    format_kept(kept, sizeof kept, &o->kept);
    double rate = o->kernel_seconds > 0 ? 1e-9 * work / o->kernel_seconds : 0;
    rt_say("%s: %s (%s): grid %s, steps %" PRId64
           " of %u sweep%s, kernels %.3f ms, transfers %.3f ms, %.3f GCells/s%s",
           r->where, o->driver, o->device, grid, steps, r->nsweeps, r->nsweeps > 1 ? "s" : "",
           1e3 * o->kernel_seconds, 1e3 * o->transfer_seconds, rate, kept);
}

void rt_report_declined(const stencilrt_region *region, const rt_error *why) {
    /* In a region of another version, `where` may be something else. */
    const char *where = region->where ? region->where : "a region";
    rt_say("%s: original loops ran: %s%s%s%s", why->reason == RT_ABI ? "a region" : where,
           sentence(why->reason), why->detail[0] ? " (" : "", why->detail,
           why->detail[0] ? ")" : "");
}
