/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Slabs that lean: lean.h.
 */
#include "runtime/run/lean.h"

#include "runtime/device/transfer.h"
#include "runtime/run/pass.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { KERNELS, COPIES, RESULTS }; /* queues of the device */

static uint32_t last_dimension(const rt_shape *whole) {
    return whole->region->rank - 1;
}

/* Rules at the ends of rows would be those of the launch's own ends. */
bool rt_lean_may(const stencilrt_region *region, const rt_shape *whole) {
    bool may = whole->region->rank > 1 && whole->bt > 0 && !whole->older && !whole->call->copy &&
               rt_slab_rules(region) == STENCILRT_SLABS;
    for (uint32_t i = 0; i < region->nkernels && may; i++)
        may = region->kernels[i].kind != STENCILRT_STREAM || !rt_shape_may_use(whole, i) ||
              rt_kernel_takes_rows(&region->kernels[i]);
    return may;
}

/* The rows that a step reads beyond a row, in any array. */
static int64_t reach_of(const rt_shape *whole, int64_t reach) {
    const stencilrt_region *r = whole->region;
    for (uint32_t p = 0; p < r->nports; p++)
        for (uint32_t i = 0; i < r->ports[p].noffsets; i++) {
            int64_t offset = r->ports[p].offsets[3 * i + last_dimension(whole)];
            offset = offset < 0 ? -offset : offset;
            reach = offset > reach ? offset : reach;
        }
    return reach;
}

/* The rows of the window. Degrees of launches fall, so the last launch reads rows that all steps of
 * a pass and the first launch reach. */
static int64_t window_rows(const rt_shape *whole, const rt_cut *cut) {
    int64_t degree = whole->bt < cut->pass ? whole->bt : cut->pass;
    return cut->height + (cut->pass + degree) * cut->reach;
}

/* The rows that come in with a slab. Beside its own there are as many as a step reaches: cells
 * beside a row may be read only from the rows before and after it. */
static int64_t rows_in(const rt_cut *cut) {
    int64_t rows = cut->height + 2 * cut->reach;
    return rows < cut->rows ? rows : cut->rows;
}

static bool extends(const rt_shape *whole, uint32_t grid) {
    return !(whole->region->grids[grid].broadcast >> last_dimension(whole) & 1);
}

static bool is_used(const rt_shape *whole, uint32_t buffer) {
    return whole->buffers[buffer].read || whole->buffers[buffer].written;
}

/* What it costs */

/* Bytes of all buffers, and of those that are results, with so many rows. */
static bool count_bytes(const rt_shape *whole, int64_t rows, double *all, double *results,
                        double *rotating, rt_error *why) {
    stencilrt_call call = *whole->call;
    rt_shape shape = {0};
    call.extent[last_dimension(whole)] = rows;
    bool ok = rt_shape_make_window(&shape, whole, &call, why);
    *all = *results = *rotating = 0;
    for (uint32_t i = 0; ok && i < whole->region->nbuffers; i++) {
        double bytes = (double)shape.grids[shape.buffers[i].grid].bytes;
        *all += is_used(whole, i) ? bytes : 0;
        *results += rt_window_wants(whole, i, false) ? bytes : 0;
        *rotating = shape.buffers[i].grid == whole->rotating ? bytes : *rotating;
    }
    rt_shape_free(&shape);
    return ok;
}

/* If most steps are made by launches of an odd number of steps, there are no others: they need no
 * scratch buffers. */
static bool takes_scratch(const rt_shape *whole) {
    return whole->bt % 2 == 0;
}

/* Scratch buffers that schedules may want. */
static int scratch_buffers(const rt_shape *whole) {
    int count = 0;
    bool odd = !takes_scratch(whole);
    for (uint32_t i = 1; i < whole->region->nkernels; i++) {
        uint32_t degree = whole->region->kernels[i].bt;
        if (whole->region->kernels[i].kind != STENCILRT_STREAM || !rt_shape_may_use(whole, i))
            continue;
        if (degree % 2 == 0 && takes_scratch(whole))
            count = odd ? 2 : count > 1 ? count : 1;
        odd = odd || degree % 2 == 1;
    }
    return count;
}

static bool fits(const rt_shape *whole, const rt_cut *cut, size_t room, rt_error *why) {
    double in, out, window, ignored, rotating;
    int64_t rows = window_rows(whole, cut);
    return rows <= cut->rows && count_bytes(whole, rows_in(cut), &in, &out, &rotating, why) &&
           count_bytes(whole, rows, &window, &ignored, &rotating, why) &&
           in + out + window + scratch_buffers(whole) * rotating <= (double)room;
}

/* Gives slabs their height. A launch of a height with many divisors divides into equal chunks. */
static void cut_into(rt_cut *cut, int64_t slabs) {
    static const int64_t units[] = {60, 12, 4, 1};
    int64_t height = rt_ceil_div(cut->rows, slabs);
    for (int i = 0; i < 4; i++)
        if (height >= 8 * units[i]) {
            height = rt_ceil_div(height, units[i]) * units[i];
            break;
        }
    cut->height = height;
    cut->slabs = rt_ceil_div(cut->rows, height);
}

static bool fits_cut_into(const rt_shape *whole, rt_cut *cut, int64_t slabs, size_t room,
                          rt_error *why) {
    cut_into(cut, slabs);
    return fits(whole, cut, room, why);
}

/* The fewest slabs that fit; there are at least two. */
static bool find_slabs(const rt_shape *whole, rt_cut *cut, size_t room, rt_error *why) {
    int64_t few = 1, many = 2;
    while (!fits_cut_into(whole, cut, many, room, why)) {
        few = many;
        if (many >= cut->rows)
            return false;
        many = 2 * many < cut->rows ? 2 * many : cut->rows;
    }
    while (many - few > 1) {
        int64_t slabs = few + (many - few) / 2;
        if (fits_cut_into(whole, cut, slabs, room, why))
            many = slabs;
        else
            few = slabs;
    }
    cut_into(cut, many);
    return cut->slabs > 1;
}

/* Are all passes alike? What moves on with the steps does so between passes only. */
bool rt_lean_may_follow(const stencilrt_region *region) {
    bool may = true;
    for (uint32_t k = 0; k < region->nsweeps; k++) {
        const stencilrt_region *r = &region->sweeps[k];
        for (uint32_t s = 0; s < r->nscalars; s++)
            may = may && r->scalars[s].kind != STENCILRT_STEPPED;
        for (uint32_t g = 0; g < r->ngrids; g++)
            may = may && r->grids[g].advance == 0 && r->grids[g].along == 0;
    }
    return may;
}

/* By how many slabs a pass is ahead of the next one: those in hand, and those by which rows are
 * moved. */
static double slabs_ahead(const rt_cut *cut) {
    return 2 + (double)(cut->pass * cut->reach) / (double)cut->height;
}

/* Rows are computed once, and move in the device's memory: in, down and out. */
static double seconds_of(const rt_cut *cut, const rt_shape *whole, const rt_device *device,
                         const stencilrt_region *region, unsigned lanes) {
    double bytes_in = rt_window_bytes_in(whole), bytes_out = rt_window_bytes_out(whole);
    double passes = (double)rt_cut_passes(cut), rows = (double)cut->rows, moves = 0;
    double turns = ceil(passes / lanes), wait = (lanes - 1) * slabs_ahead(cut);
    double step = rt_window_speed(whole, cut->height, device, region).row;
    if (device->info.bytes_per_second > 0)
        moves = 2 * ((double)cut->slabs * (double)window_rows(whole, cut) * 2 + rows) *
                (bytes_in + bytes_out) / device->info.bytes_per_second;
    double compute = (double)cut->steps / passes * rows * step + moves;
    double copies = rows * (bytes_in + bytes_out) / RT_PASS_LINK, lock = 0;
    if (passes > 1) {
        copies =
            rows * fmax(rt_pass_in(bytes_in, bytes_out, RT_PASS_BOTH), bytes_out / RT_PASS_BOTH);
        lock = rows * bytes_out * RT_PASS_LOCK;
    }
    compute *= 1 + wait / (double)cut->slabs;
    return lock +
           turns * (fmax(compute, lanes * copies) + lanes * (double)cut->slabs * RT_PASS_SLAB);
}

bool rt_lean_cut(rt_cut *cut, const stencilrt_region *region, const rt_shape *whole,
                 const rt_device *device, size_t room, unsigned lanes, double *seconds,
                 rt_error *why) {
    rt_cut one = *cut;
    one.reach = reach_of(whole, cut->reach);
    *seconds = INFINITY;
    for (one.pass = rt_cut_next(cut, 0);; one.pass = rt_cut_next(cut, one.pass)) {
        if (rt_cut_passes(&one) < lanes || !find_slabs(whole, &one, room, why))
            break;
        double taken = seconds_of(&one, whole, device, region, lanes);
        if (taken < *seconds) {
            *seconds = taken;
            *cut = one;
        }
        if (one.pass == cut->steps)
            break;
    }
    return *seconds < INFINITY;
}

/* Slabs */

static bool turn(const rt_lean *l, unsigned queue, rt_error *why) {
    return l->device->driver->turn(l->device->handle, queue, why);
}

static rt_rows rows_of(const rt_lean *l, int64_t slab) {
    return rt_cut_slab(l->cut, slab, 0).own;
}

/* Memory for what comes in and goes out, for the highest slab. The last slab's results have none.
 */
static bool reserve(rt_lean *l, rt_error *why) {
    int64_t rows = rows_in(l->cut);
    rt_slab highest = {.domain = {0, rows}, .own = {0, rows}, .reach = l->cut->reach};
    bool ok = rt_window_place(&l->in, l->from, &highest, why);
    for (uint32_t i = 0; i < l->whole->region->nbuffers && ok; i++)
        ok = !rt_window_wants(l->whole, i, false) ||
             rt_device_alloc(l->device, l->in.shape.grids[l->whole->buffers[i].grid].bytes,
                             &l->results[i], why);
    l->reserved = true;
    return ok;
}

bool rt_lean_begin(rt_lean *l, rt_device *device, const stencilrt_region *region,
                   const rt_shape *whole, const rt_cut *cut, rt_part *quiet, rt_error *why) {
    *l = (rt_lean){.device = device,
                   .whole = whole,
                   .cut = cut,
                   .height = window_rows(whole, cut),
                   .quiet = quiet};
    l->results = calloc(whole->region->nbuffers, sizeof *l->results);
    l->home = calloc(whole->region->nbuffers, sizeof *l->home);
    if (!l->results || !l->home)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    bool ok = rt_window_begin(&l->in, device, region, whole, why) &&
              rt_window_begin(&l->window, device, region, whole, why) &&
              rt_window_begin(&l->out, device, region, whole, why);
    l->window.memory.same_halo = ok && rt_window_same_halo(whole);
    return ok;
}

/* The window has the same number of rows for all slabs. */
static rt_slab place_of(const rt_lean *l, rt_rows own) {
    int64_t lo = own.hi > l->height ? own.hi - l->height : 0;
    return (rt_slab){.own = own, .domain = {lo, lo + l->height}, .reach = l->cut->reach};
}

/* Copies rows from one buffer to another of the same grid. */
static bool move_rows(const rt_lean *l, const rt_window *to, uint64_t to_address,
                      const rt_window *from, uint64_t from_address, uint32_t grid, rt_rows rows,
                      rt_error *why) {
    size_t bytes = rt_window_row_bytes(from, grid) * (size_t)(rows.hi - rows.lo);
    return rows.hi <= rows.lo ||
           l->device->driver->copy(l->device->handle, to_address + rt_window_row(to, grid, rows.lo),
                                   from_address + rt_window_row(from, grid, rows.lo), bytes, why);
}

/* Moves all rows of a block down, by so many rows. Copies must not overlap. */
static bool move_down(const rt_lean *l, uint32_t grid, uint64_t address, int64_t by,
                      rt_error *why) {
    size_t row = rt_window_row_bytes(&l->window, grid), step = row * (size_t)by;
    size_t end = l->window.shape.grids[grid].bytes;
    bool ok = true;
    for (size_t at = step; at < end && ok; at += step) {
        size_t bytes = end - at < step ? end - at : step;
        ok = l->device->driver->copy(l->device->handle, address + at - step, address + at, bytes,
                                     why);
    }
    return ok;
}

/* The window's rows become those of another slab. */
static bool advance_window(rt_lean *l, const rt_slab *to, rt_error *why) {
    int64_t by = to->domain.lo - l->window.slab.domain.lo;
    const rt_memory *m = &l->window.memory;
    bool ok = true;
    for (uint32_t i = 0; i < l->whole->region->nbuffers && ok && by > 0; i++) {
        uint32_t grid = l->whole->buffers[i].grid;
        ok = !m->blocks[i].address || !extends(l->whole, grid) ||
             move_down(l, grid, m->blocks[i].address, by, why);
    }
    for (int i = 0; i < 2 && ok && by > 0; i++)
        ok = !m->scratch[i].address ||
             move_down(l, l->whole->rotating, m->scratch[i].address, by, why);
    return ok && rt_window_describe(&l->window, l->from, to, why);
}

/* The rows that a slab brings: at an end of the grid, with the halo there. */
static rt_rows brought(const rt_lean *l, uint32_t grid) {
    uint32_t last = last_dimension(l->whole);
    const rt_box *box = &l->in.shape.grids[grid].box;
    rt_rows rows = l->in.slab.own;
    if (rows.lo == 0)
        rows.lo = box->lo[last];
    if (rows.hi == l->cut->rows)
        rows.hi = box->hi[last] + l->in.slab.domain.lo;
    return rows;
}

/* The buffer whose rows also serve this one: a buffer that steps write before they read it needs
 * only its halo, and the halos are the same. A column of a halo crosses the link slowly. */
static uint32_t source_of(const rt_lean *l, uint32_t buffer) {
    const rt_buffer *b = &l->whole->buffers[buffer];
    uint32_t first = l->whole->region->grids[l->whole->rotating].first_buffer;
    bool serves = b->grid == l->whole->rotating && b->domain_made_here &&
                  l->whole->buffers[first].read && l->window.memory.same_halo;
    return serves ? first : buffer;
}

/* Puts the rows that came in into the window, and into the scratch buffers, whose halos are the
 * same. */
static bool take_in(rt_lean *l, rt_error *why) {
    const rt_memory *in = &l->in.memory, *m = &l->window.memory;
    uint32_t first = l->whole->region->grids[l->whole->rotating].first_buffer;
    bool ok = true;
    for (uint32_t i = 0; i < l->whole->region->nbuffers && ok; i++) {
        uint32_t grid = l->whole->buffers[i].grid;
        if (!in->blocks[i].address || !extends(l->whole, grid))
            continue;
        rt_rows rows = brought(l, grid);
        uint64_t from = in->blocks[source_of(l, i)].address;
        ok = move_rows(l, &l->window, m->blocks[i].address, &l->in, from, grid, rows, why);
        for (uint32_t s = 0; s < 2 && ok; s++)
            ok = i != first + s || !m->scratch[s].address ||
                 move_rows(l, &l->window, m->scratch[s].address, &l->in, from, grid, rows, why);
    }
    return ok;
}

/* By how many rows the last launches are moved. */
static bool count_moves(rt_lean *l, rt_error *why) {
    const rt_schedule *s = l->window.schedule;
    const stencilrt_kernel *kernels = l->whole->region->kernels;
    rt_lean_shift shift = {0, 0};
    for (uint32_t i = 0; i < s->count; i++)
        for (int64_t n = 0; n < s->runs[i].launches; n++) {
            l->moved[1] = shift.rows;
            shift = rt_lean_next(shift, kernels[s->runs[i].kernel].bt, l->cut->reach);
        }
    l->moved[0] = shift.rows;
    return l->cut->height + shift.rows + shift.degree * l->cut->reach <= l->height ||
           rt_fail(why, RT_DEVICE_MEMORY, "%s", "a slab does not fit");
}

/* Passes are alike, so their schedule is made once: for the rows of a slab. */
static bool plan(rt_lean *l, int64_t steps, bool goes_on, rt_error *why) {
    rt_window *w = &l->window;
    w->shape.steps = steps;
    w->shape.goes_on = goes_on;
    if (l->planned && l->steps == steps && l->goes_on == goes_on)
        return true;
    rt_shape slab = w->shape;
    slab.extent[last_dimension(l->whole)] = l->cut->height;
    l->planned =
        rt_schedule_make(w->schedule, l->device, w->module, &slab, takes_scratch(l->whole), why) &&
        rt_blocks_scratch(l->device, w->module, &slab, w->schedule,
                          w->shape.grids[w->shape.rotating].bytes, &w->memory, why);
    l->steps = steps;
    l->goes_on = goes_on;
    return l->planned && count_moves(l, why);
}

/* What all slabs read; and blank memory, which is not read. */
static bool fill_window(rt_lean *l, const rt_slab *place, rt_error *why) {
    rt_window *w = &l->window;
    bool ok = rt_window_place(w, l->from, place, why);
    for (uint32_t i = 0; i < l->whole->region->nbuffers && ok; i++) {
        const rt_buffer *b = &w->shape.buffers[i];
        uint64_t address = w->memory.blocks[i].address;
        ok = !address || (l->device->driver->blank(l->device->handle, address,
                                                   w->shape.grids[b->grid].bytes, why) &&
                          (extends(l->whole, b->grid) || !b->read ||
                           rt_upload(l->device, &w->shape, b, address, why)));
    }
    l->filled = ok;
    return ok;
}

/* Scratch buffers are made when the plan is. */
static bool blank_scratch(const rt_lean *l, rt_error *why) {
    const rt_window *w = &l->window;
    bool ok = true;
    for (int i = 0; i < 2 && ok; i++)
        ok = !w->memory.scratch[i].address ||
             l->device->driver->blank(l->device->handle, w->memory.scratch[i].address,
                                      w->shape.grids[w->shape.rotating].bytes, why);
    return ok;
}

static bool begin_pass(rt_lean *l, const rt_slab *place, int64_t steps, bool goes_on,
                       rt_error *why) {
    bool ok = l->filled ? rt_window_describe(&l->window, l->from, place, why)
                        : fill_window(l, place, why);
    uint64_t before[2] = {l->window.memory.scratch[0].address, l->window.memory.scratch[1].address};
    ok = ok && plan(l, steps, goes_on, why);
    bool more = before[0] != l->window.memory.scratch[0].address ||
                before[1] != l->window.memory.scratch[1].address;
    return ok && (!more || blank_scratch(l, why));
}

/* Uploads the rows of a slab, when those before it are in the window. */
static bool bring(rt_lean *l, int64_t slab, rt_error *why) {
    const rt_driver *driver = l->device->driver;
    void *device = l->device->handle;
    rt_rows own = rows_of(l, slab);
    int64_t reach = l->cut->reach;
    rt_slab rows = {.own = own, .domain = own, .reach = reach};
    rows.domain.lo = own.lo > reach ? own.lo - reach : 0;
    rows.domain.hi = l->cut->rows - own.hi > reach ? own.hi + reach : l->cut->rows;
    if (!rt_window_place(&l->in, l->from, &rows, why))
        return false;
    for (uint32_t i = 0; i < l->whole->region->nbuffers; i++)
        l->in.shape.buffers[i].read &= source_of(l, i) == i;
    return turn(l, COPIES, why) &&
           (slab == 0 || driver->follow(device, device, RT_MARK_BEFORE, why)) &&
           rt_window_upload(&l->in, why) && rt_device_pass(l->device, why) && turn(l, KERNELS, why);
}

/* The rows of a buffer that a slab makes in a pass; perhaps none. */
static rt_rows made(const rt_lean *l, int64_t slab, uint32_t buffer) {
    rt_rows own = rows_of(l, slab);
    uint32_t count = l->whole->region->grids[l->whole->buffers[buffer].grid].buffers;
    bool newest = l->goes_on || l->whole->buffers[buffer].number == l->steps % count;
    int64_t moved = l->moved[newest ? 0 : 1];
    rt_rows rows = {own.lo > moved ? own.lo - moved : 0,
                    slab + 1 == l->cut->slabs ? own.hi : own.hi - moved};
    rows.hi = rows.hi < rows.lo ? rows.lo : rows.hi;
    return rows;
}

/* Is the buffer a result of the pass? After a single step the other buffer is as it was. */
static bool is_result(const rt_lean *l, uint32_t buffer) {
    uint32_t count = l->whole->region->grids[l->whole->buffers[buffer].grid].buffers;
    bool newest = l->whole->buffers[buffer].number == l->steps % count;
    return rt_window_wants(l->whole, buffer, l->goes_on) && (newest || l->steps > 1);
}

static bool describe_results(rt_lean *l, rt_rows rows, rt_error *why) {
    rt_slab slab = {.own = rows, .domain = rows, .reach = l->cut->reach};
    return rt_window_describe(&l->out, l->to, &slab, why);
}

/* Rows that are stored lie below those that come in at the same time, unless slabs are low. */
static bool may_send_later(const rt_lean *l) {
    return l->cut->height > l->cut->reach;
}

/* Waits until the results that were stored last are in the host's memory. */
static bool wait_for_results(rt_lean *l, rt_error *why) {
    bool ok = !l->sending || l->device->driver->wait(l->device->handle, RT_MARK_SENT, why);
    l->sending = false;
    return ok;
}

/* Keeps the results of a slab, and gives the buffers their places for the next one. The last slab's
 * results stay in the window. */
static bool take_out(rt_lean *l, int64_t slab, rt_error *why) {
    rt_window *w = &l->window;
    bool ok = rt_window_wait(w, &l->seconds, why) && wait_for_results(l, why);
    for (uint32_t i = 0; i < l->whole->region->nbuffers && ok && slab + 1 < l->cut->slabs; i++) {
        rt_rows rows = made(l, slab, i);
        if (is_result(l, i) && rows.lo < rows.hi)
            ok = describe_results(l, rows, why) &&
                 move_rows(l, &l->out, l->results[i].address, w, w->memory.blocks[i].address,
                           l->whole->buffers[i].grid, rows, why);
    }
    return ok;
}

static void go_home(rt_lean *l) {
    memcpy(l->window.memory.blocks, l->home, l->whole->region->nbuffers * sizeof *l->home);
    memcpy(l->window.memory.scratch, l->scratch, sizeof l->scratch);
}

static void leave_home(rt_lean *l) {
    memcpy(l->home, l->window.memory.blocks, l->whole->region->nbuffers * sizeof *l->home);
    memcpy(l->scratch, l->window.memory.scratch, sizeof l->scratch);
}

/* Where the result rows of a buffer are: in the window, or where they were kept. */
static uint64_t results_at(const rt_lean *l, uint32_t buffer, int64_t first, bool is_last) {
    uint32_t grid = l->whole->buffers[buffer].grid;
    if (!is_last)
        return l->results[buffer].address;
    return l->window.memory.blocks[buffer].address + rt_window_row(&l->window, grid, first) -
           rt_window_row(&l->out, grid, first);
}

/* Writes the results of a slab to the arrays, perhaps while the next slab but one comes in. */
static bool fetch(rt_lean *l, int64_t slab, rt_error *why) {
    bool ok = turn(l, RESULTS, why), is_last = slab + 1 == l->cut->slabs;
    if (ok && !is_last)
        ok = l->device->driver->follow(l->device->handle, l->device->handle, RT_MARK_BEFORE, why);
    for (uint32_t i = 0; i < l->whole->region->nbuffers && ok; i++) {
        const rt_shape *shape = &l->out.shape;
        rt_rows rows = made(l, slab, i);
        if (!is_result(l, i) || rows.lo >= rows.hi)
            continue;
        if (!describe_results(l, rows, why))
            return false;
        rt_box box = rt_domain(&shape->grids[l->whole->buffers[i].grid]);
        ok = rt_fetch_box_later(l->device, shape, &shape->buffers[i], &box,
                                results_at(l, i, rows.lo, is_last), &l->sending, why);
    }
    return ok && l->device->driver->mark(l->device->handle, RT_MARK_SENT, why) &&
           turn(l, KERNELS, why) && ((!is_last && may_send_later(l)) || wait_for_results(l, why));
}

static bool launch(rt_lean *l, int64_t slab, rt_error *why) {
    rt_window *w = &l->window;
    rt_rows own = rows_of(l, slab);
    leave_home(l);
    w->memory.has_halo[0] = w->memory.has_halo[1] = true; /* it came in */
    w->shape.steps = l->steps;
    w->shape.goes_on = l->goes_on;
    w->schedule->span = (rt_span){.lo = own.lo - w->slab.domain.lo,
                                  .hi = own.hi - w->slab.domain.lo,
                                  .reach = l->cut->reach,
                                  .leans = true,
                                  .ends = slab + 1 == l->cut->slabs};
    return l->device->driver->mark(l->device->handle, RT_MARK_BEFORE, why) &&
           rt_launch_steps(l->device, w->module, &w->shape, w->schedule, &w->memory, l->quiet, why);
}

static bool begin_slab(rt_lean *l, int64_t slab, int64_t steps, bool goes_on, rt_error *why) {
    rt_slab place = place_of(l, rows_of(l, slab));
    bool ok =
        slab == 0 ? begin_pass(l, &place, steps, goes_on, why) : advance_window(l, &place, why);
    return ok && take_in(l, why) && launch(l, slab, why);
}

bool rt_lean_slab(rt_lean *l, int64_t slab, int64_t steps, bool goes_on, rt_error *why) {
    bool is_end = slab == l->cut->slabs;
    bool ok = (l->reserved || reserve(l, why)) && (is_end || bring(l, slab, why)) &&
              (slab == 0 || take_out(l, slab - 1, why));
    if (slab > 0 && !is_end)
        go_home(l);
    ok = ok && (is_end || begin_slab(l, slab, steps, goes_on, why)) &&
         (slab == 0 || fetch(l, slab - 1, why));
    if (is_end)
        go_home(l);
    return ok;
}

bool rt_lean_is_ahead(const rt_lean *l, int64_t slabs, int64_t next) {
    if (slabs > l->cut->slabs || next == l->cut->slabs)
        return true;
    int64_t done = slabs - (may_send_later(l) ? 3 : 2);
    int64_t stored = done >= 0 ? rows_of(l, done).hi - l->moved[0] : 0;
    return stored >= rows_of(l, next).hi + l->cut->reach;
}

void rt_lean_end(rt_lean *l) {
    rt_window *all[] = {&l->in, &l->window, &l->out};
    for (uint32_t i = 0; l->results && i < l->whole->region->nbuffers; i++)
        rt_device_free(l->device, &l->results[i]);
    for (int i = 0; i < 3; i++)
        if (all[i]->device)
            rt_window_end(all[i]);
    free(l->results);
    free(l->home);
}
