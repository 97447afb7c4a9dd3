/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Computes some rows of a region's grid on a device: window.h.
 */
#include "runtime/run/window.h"

#include "runtime/choose/cost.h"
#include "runtime/device/transfer.h"
#include <stdlib.h>
#include <string.h>

static uint32_t last_dimension(const rt_shape *whole) {
    return whole->region->rank - 1;
}

static bool is_written(const stencilrt_region *r, uint32_t grid) {
    bool written = false;
    for (uint32_t p = 0; p < r->nports; p++)
        written |= r->ports[p].grid == grid && (r->ports[p].access & STENCILRT_WRITE);
    return written;
}

/* Does the last pass read or write each buffer of the grid, if its steps are those that are left
 * over by passes of as many steps as there are buffers, or a multiple? A buffer that only an
 * earlier pass wrote is not copied back. */
static bool last_pass_has_all(const rt_shape *whole, uint32_t grid) {
    const stencilrt_grid *g = &whole->region->grids[grid];
    bool several = g->buffers > 2 && whole->steps > g->buffers; /* passes, perhaps */
    int64_t left = several ? whole->steps % g->buffers : 0, read = 0;
    for (uint32_t i = 0; i < g->buffers; i++)
        read += rt_window_wants(whole, g->first_buffer + i, true);
    return left == 0 || left + read >= g->buffers || !is_written(whole->region, grid);
}

static bool is_numbered(const stencilrt_region *region) {
    return rt_slab_rules(region) & STENCILRT_SLABS_NUMBERED;
}

/* Rows that come round are those of several sweeps only (band.h). If rows have numbers, kernels
 * must tell rows that are not wanted from those of the whole's ends. */
static bool is_cut(const stencilrt_region *region, const rt_shape *whole) {
    uint32_t rules = rt_slab_rules(region);
    bool good = rules && !(rules & STENCILRT_SLABS_ROUND);
    for (uint32_t i = 1; i < region->nkernels && is_numbered(region); i++)
        good = good && (!rt_shape_may_use(whole, i) || rt_kernel_takes_rows(&region->kernels[i]) ||
                        region->kernels[i].kind == STENCILRT_RESIDENT);
    return good;
}

/* Rows that differ in `masked` and `careful` buffers are copied in ways of their own. */
bool rt_window_may(const stencilrt_region *region, const rt_shape *whole) {
    bool may = is_cut(region, whole) && rt_part_period(region) > 0;
    for (uint32_t i = 0; i < whole->region->nbuffers; i++)
        may = may && !whole->buffers[i].masked && !whole->buffers[i].careful;
    return may;
}

rt_cut rt_window_cut(const stencilrt_region *region, const rt_shape *whole) {
    const stencilrt_region *r = whole->region;
    uint32_t last = last_dimension(whole);
    rt_cut cut = {.rows = whole->extent[last],
                  .reach = rt_rule_reach(region),
                  .steps = whole->steps,
                  .period = rt_part_period(region),
                  .slabs = 1,
                  .pass = whole->steps};
    for (uint32_t g = 0; g < r->ngrids; g++)
        cut.full |= !last_pass_has_all(whole, g);
    for (cut.unit = whole->bt; cut.unit % cut.period != 0;)
        cut.unit += whole->bt; /* launches of the largest degree */
    for (uint32_t p = 0; p < r->nports; p++)
        for (uint32_t i = 0; i < r->ports[p].noffsets && is_written(r, r->ports[p].grid); i++) {
            int64_t offset = r->ports[p].offsets[3 * i + last];
            offset = offset < 0 ? -offset : offset;
            cut.reach = offset > cut.reach ? offset : cut.reach;
        }
    return cut;
}

/* Bytes on the device of windows of so many rows, with all scratch buffers that one may want. */
static bool count_bytes(const rt_shape *whole, int64_t rows, unsigned windows, size_t *bytes,
                        rt_error *why) {
    stencilrt_call call = *whole->call;
    rt_shape shape = {0};
    call.extent[last_dimension(whole)] = rows;
    bool ok = rt_shape_make_window(&shape, whole, &call, why);
    *bytes = 0;
    for (uint32_t i = 0; ok && i < whole->region->nbuffers; i++)
        if (shape.buffers[i].read || shape.buffers[i].written)
            *bytes += windows * shape.grids[shape.buffers[i].grid].bytes;
    if (ok && shape.bt > 0)
        *bytes += 2 * shape.grids[shape.rotating].bytes;
    rt_shape_free(&shape);
    return ok;
}

int64_t rt_window_rows(const rt_shape *whole, unsigned windows, size_t bytes, rt_error *why) {
    int64_t fit = 0, more = whole->extent[last_dimension(whole)] + 1;
    size_t taken;
    while (more - fit > 1) {
        int64_t rows = fit + (more - fit) / 2;
        if (!count_bytes(whole, rows, windows, &taken, why))
            return 0;
        if (taken <= bytes)
            fit = rows;
        else
            more = rows;
    }
    return fit;
}

/* The share of a launch that comes after two chunks of each tile. While all blocks run at once,
 * nothing comes after them. */
static double hide_of(const rt_run *run, uint32_t rank, double resident) {
    double blocks = (double)run->grid[0] * run->grid[1] * run->grid[2];
    double chunks = run->grid[rank - 1];
    return chunks > 2 && blocks >= 2 * resident ? 1 - 2 / chunks : 0;
}

/* By the compiler's estimates of kernels; row is 0 if there are none. */
static rt_speed expected(const rt_shape *whole, int64_t rows, const rt_device *device,
                         const stencilrt_region *region) {
    rt_error ignored;
    rt_shape shape = *whole;
    shape.extent[last_dimension(whole)] = rows;
    rt_speed speed = {0};
    rt_schedule *schedule = malloc(sizeof *schedule);
    void *module = rt_device_module(device, region, &ignored);
    shape.off_chip = true;
    if (schedule && module && rt_schedule_make(schedule, device, module, &shape, true, &ignored)) {
        const rt_run *run = &schedule->runs[0];
        speed.row = schedule->seconds / (double)rows / (double)whole->steps;
        speed.chunk = (double)run->chunk;
        speed.beside = region->kernels[run->kernel].overlap;
        speed.hide = hide_of(run, whole->region->rank,
                             device->driver->resident(device->handle, module, run->kernel));
    }
    free(schedule);
    return speed;
}

rt_speed rt_window_speed(const rt_shape *whole, int64_t rows, const rt_device *device,
                         const stencilrt_region *region) {
    rt_speed speed = expected(whole, rows, device, region);
    rt_prediction p = rt_cost_predict(whole, device->info.bytes_per_second);
    double cells = (double)whole->extent[last_dimension(whole)] * (double)whole->steps;
    if (speed.row <= 0)
        speed = (rt_speed){.row = (p.device - p.transfers) / cells};
    return speed;
}

int64_t rt_window_degree(const rt_shape *whole) {
    const stencilrt_region *r = whole->region;
    int64_t degree = 0;
    for (uint32_t i = 0; i < r->nkernels; i++)
        if (rt_kernel_takes_rows(&r->kernels[i]) && rt_shape_may_use(whole, i) &&
            r->kernels[i].bt > degree)
            degree = r->kernels[i].bt;
    return degree;
}

static double row_bytes(const rt_shape *whole, uint32_t buffer) {
    const rt_grid *grid = &whole->grids[whole->buffers[buffer].grid];
    double bytes = (double)grid->elem_size;
    for (uint32_t d = 0; d < last_dimension(whole); d++)
        bytes *= (double)grid->extent[d];
    return bytes;
}

double rt_window_bytes_in(const rt_shape *whole) {
    double bytes = 0;
    for (uint32_t i = 0; i < whole->region->nbuffers; i++)
        if (whole->buffers[i].read && !whole->buffers[i].domain_made_here)
            bytes += row_bytes(whole, i);
    return bytes;
}

double rt_window_bytes_out(const rt_shape *whole) {
    double bytes = 0;
    for (uint32_t i = 0; i < whole->region->nbuffers; i++)
        if (rt_window_wants(whole, i, true))
            bytes += row_bytes(whole, i);
    return bytes;
}

bool rt_window_same_halo(const rt_shape *whole) {
    return whole->bt > 0 && (whole->older || whole->call->copy || rt_halos_are_equal(whole));
}

bool rt_window_begin(rt_window *w, rt_device *device, const stencilrt_region *region,
                     const rt_shape *whole, rt_error *why) {
    uint32_t count = whole->region->nbuffers;
    *w = (rt_window){.device = device,
                     .whole = whole,
                     .numbered = is_numbered(region),
                     .rule_reach = rt_rule_reach(region)};
    w->origins = calloc(count, sizeof *w->origins);
    w->schedule = malloc(sizeof *w->schedule);
    w->memory.blocks = calloc(count, sizeof *w->memory.blocks);
    w->module = rt_device_module(device, region, why);
    if (!w->origins || !w->schedule || !w->memory.blocks)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    return w->module != NULL;
}

/* Frees blocks that are too small, or larger than they must be on a device that checks accesses. */
static void free_unfit(rt_device *device, size_t bytes, rt_block *block) {
    bool fits = block->bytes == bytes || (device->driver->keeps_memory && block->bytes > bytes);
    if (block->address && !fits)
        rt_device_free(device, block);
}

bool rt_window_find_uses(rt_window *w, rt_error *why) {
    if (!rt_uses_make(&w->uses, &w->shape, why))
        return false;
    for (size_t i = 0; i < w->uses.count; i++) {
        rt_use *u = &w->uses.at[i];
        u->block = &w->memory.blocks[u->number];
        u->row = w->slab.domain.lo;
        u->own = w->slab.own;
    }
    return rt_wide_begin(&w->wide, &w->shape, &w->uses, w->memory.blocks, w->shape.bt > 0, why);
}

bool rt_window_allocate(rt_window *w, rt_error *why) {
    for (uint32_t i = 0; i < w->shape.region->nbuffers; i++)
        free_unfit(w->device, w->shape.grids[w->shape.buffers[i].grid].bytes, &w->memory.blocks[i]);
    for (int i = 0; i < 2; i++)
        free_unfit(w->device, w->shape.grids[w->shape.rotating].bytes, &w->memory.scratch[i]);
    return rt_blocks_allocate(w->device, &w->shape, w->memory.blocks, why);
}

bool rt_window_describe(rt_window *w, const stencilrt_call *from, const rt_slab *slab,
                        rt_error *why) {
    const stencilrt_region *r = w->whole->region;
    uint32_t last = last_dimension(w->whole);
    w->slab = *slab;
    w->planned = false;
    w->memory.has_halo[0] = w->memory.has_halo[1] = false;
    w->call = *from;
    w->call.origins = w->origins;
    w->call.extent[last] = slab->domain.hi - slab->domain.lo;
    for (uint32_t g = 0; g < r->ngrids; g++) {
        bool extends = !(r->grids[g].broadcast >> last & 1);
        int64_t moved = extends ? slab->domain.lo * from->strides[3 * g + last] : 0;
        for (uint32_t i = 0; i < r->grids[g].buffers; i++) {
            uint32_t b = r->grids[g].first_buffer + i;
            w->origins[b] = (void *)((uintptr_t)from->origins[b] + (uintptr_t)moved);
        }
    }
    rt_shape_free(&w->shape);
    w->shape = (rt_shape){0};
    if (!rt_shape_make_window(&w->shape, w->whole, &w->call, why))
        return false;
    w->shape.ahead = w->numbered ? slab->domain.lo : 0;
    w->shape.skipped = w->shape.ahead > 0 ? w->rule_reach : 0;
    return true;
}

bool rt_window_place(rt_window *w, const stencilrt_call *from, const rt_slab *slab, rt_error *why) {
    return rt_window_describe(w, from, slab, why) && rt_window_allocate(w, why);
}

bool rt_window_upload(rt_window *w, rt_error *why) {
    return rt_uses_upload(&w->uses, w->device, why) &&
           rt_blocks_upload(w->device, &w->shape, &w->uses, w->memory.blocks, why);
}

bool rt_window_put(rt_window *w, rt_error *why) {
    if (w->uses.count > 0 && !w->put)
        w->put = rt_wide_put(&w->wide, w->device, why);
    return w->uses.count == 0 || w->put;
}

bool rt_window_settle(rt_window *w, bool results, rt_error *why) {
    bool put = w->put;
    w->put = false;
    return !put || rt_wide_take(&w->wide, w->device, results, why);
}

void rt_window_take_scratch(rt_window *w, rt_window *from) {
    for (int i = 0; i < 2; i++) {
        if (!w->memory.scratch[i].address) {
            w->memory.scratch[i] = from->memory.scratch[i];
            from->memory.scratch[i].address = 0;
        }
        free_unfit(w->device, w->shape.grids[w->shape.rotating].bytes, &w->memory.scratch[i]);
    }
}

/* Passes are alike, so their schedule is made once. */
bool rt_window_plan(rt_window *w, int64_t steps, bool goes_on, rt_error *why) {
    if (w->planned && w->shape.steps == steps && w->shape.goes_on == goes_on)
        return true;
    w->shape.steps = steps;
    w->shape.goes_on = goes_on;
    w->planned = rt_schedule_make(w->schedule, w->device, w->module, &w->shape, true, why) &&
                 rt_blocks_scratch(w->device, w->module, &w->shape, w->schedule,
                                   w->shape.grids[w->shape.rotating].bytes, &w->memory, why);
    return w->planned;
}

static rt_span span_of(const rt_window *w, rt_early early) {
    const rt_slab *s = &w->slab;
    return (rt_span){.lo = s->own.lo - s->domain.lo,
                     .hi = s->own.hi - s->domain.lo,
                     .reach = s->reach,
                     .narrow = early == RT_EDGES_NARROW,
                     .edge = {early && s->own.lo > s->domain.lo ? s->margin : 0,
                              early && s->own.hi < s->domain.hi ? s->margin : 0}};
}

bool rt_window_launch(rt_window *w, int64_t steps, bool goes_on, rt_early early, rt_part *part,
                      rt_error *why) {
    if (!rt_window_plan(w, steps, goes_on, why))
        return false;
    w->schedule->span = span_of(w, early);
    return rt_launch_steps(w->device, w->module, &w->shape, w->schedule, &w->memory, part, why);
}

bool rt_window_wait(rt_window *w, double *seconds, rt_error *why) {
    const rt_driver *driver = w->device->driver;
    bool ok = driver->wait(w->device->handle, RT_MARK_END, why);
    if (ok)
        *seconds += driver->seconds(w->device->handle, RT_MARK_START, RT_MARK_END);
    return ok;
}

bool rt_window_wants(const rt_shape *whole, uint32_t buffer, bool goes_on) {
    const rt_buffer *b = &whole->buffers[buffer];
    return b->written && (!goes_on || (b->read && !b->domain_made_here));
}

rt_box rt_window_own(const rt_window *w, uint32_t grid) {
    uint32_t last = last_dimension(w->whole);
    rt_box box = rt_domain(&w->shape.grids[grid]);
    box.lo[last] = w->slab.own.lo - w->slab.domain.lo;
    box.hi[last] = w->slab.own.hi - w->slab.domain.lo;
    return box;
}

size_t rt_window_row_bytes(const rt_window *w, uint32_t grid) {
    const rt_grid *g = &w->shape.grids[grid];
    const size_t bytes[3] = {g->elem_size, g->pitch, g->plane};
    return bytes[last_dimension(w->whole)];
}

uint64_t rt_window_row(const rt_window *w, uint32_t grid, int64_t row) {
    uint32_t last = last_dimension(w->whole);
    const rt_grid *g = &w->shape.grids[grid];
    row -= w->slab.domain.lo;
    if (last == 0)
        return rt_grid_device_offset(g, row, 0, 0);
    return (uint64_t)(row - g->box.lo[last]) * rt_window_row_bytes(w, grid);
}

void rt_window_end(rt_window *w) {
    rt_uses_return(&w->uses);
    rt_wide_end(&w->wide, w->device);
    if (w->memory.blocks)
        rt_blocks_free(w->device, w->whole->region->nbuffers, &w->memory);
    rt_uses_free(&w->uses);
    rt_shape_free(&w->shape);
    free(w->memory.blocks);
    free(w->schedule);
    free(w->origins);
}
