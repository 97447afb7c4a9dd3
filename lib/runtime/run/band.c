/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Some rows of a region of several sweeps: band.h.
 */
#include "runtime/run/band.h"

#include "runtime/call/stops.h"
#include "runtime/call/whole.h"
#include "runtime/choose/cost.h"
#include "runtime/device/transfer.h"
#include <stdlib.h>
#include <string.h>

static uint32_t last_of(const rt_arrays *a) {
    return a->region->rank - 1;
}

/* Each device reduces its own rows. So the kernel must compute some rows alone, as if they were the
 * last ones, which it cannot with rules at the ends. Sums in order go on from device to device. */
static bool can_be_joined(const rt_arrays *a, const stencilrt_region *sweep) {
    bool can = true;
    for (uint32_t i = 0; i < sweep->nreductions; i++)
        can = can && !rt_slab_rules(sweep) &&
              (sweep->reductions[i].op != STENCILRT_ORDERED ||
               (a->region->flags & STENCILRT_SUMS_BY_ROWS));
    for (uint32_t i = 0; i < sweep->nscalars; i++)
        can = can && sweep->scalars[i].kind != STENCILRT_LATE;
    return can;
}

bool rt_band_may(const rt_arrays *a) {
    bool may = rt_slab_rules(a->region) && !a->call->tables && rt_part_period(a->region) > 0 &&
               rt_arrays_are_sure(a);
    for (uint32_t s = 0; s < a->region->nsweeps; s++) {
        const stencilrt_region *sweep = &a->region->sweeps[s];
        may = may && !sweep->brick[0] && !sweep->before && can_be_joined(a, sweep);
    }
    return may;
}

static bool is_numbered(const rt_arrays *a) {
    return rt_slab_rules(a->region) & STENCILRT_SLABS_NUMBERED;
}

bool rt_band_may_be_whole(const rt_arrays *a) {
    return a->whole.can && !is_numbered(a) && !a->whole.decides && !rt_whole_has_margins(a->region);
}

rt_cut rt_band_cut(const rt_arrays *a, const rt_lines *lines) {
    rt_cut cut = {.rows = lines->rows,
                  .reach = lines->reach,
                  .face = lines->face,
                  .round = lines->round,
                  .steps = a->call->steps,
                  .period = rt_part_period(a->region),
                  .slabs = 1,
                  .pass = a->call->steps};
    int64_t least = rt_band_may_be_whole(a) ? a->whole.bt + a->whole.last
                                            : 0; /* of a launch and what follows */
    cut.unit = rt_ceil_div(least, cut.period) * cut.period;
    if (rt_ends_by_condition(a->call->check))
        cut.steps = cut.pass = rt_ceil_div(cut.steps, cut.period) * cut.period;
    return cut;
}

__attribute__((noinline)) /* a stack frame of its own: see CMakeLists.txt */
double
rt_band_speed(const rt_device *device, const rt_arrays *whole, const rt_lines *lines, int64_t rows,
              bool blocked, double launch) {
    enum { STEPS = 1 << 10 };
    rt_error ignored;
    rt_arrays a = *whole;
    stencilrt_call call = *whole->call;
    rt_schedule *schedule = malloc(sizeof *schedule);
    void *module = rt_device_module(device, whole->region, &ignored);
    double seconds = 0;
    call.steps = STEPS;
    a.call = &call;
    a.whole.extent[last_of(whole)] = rows;
    if (schedule && module && blocked &&
        rt_schedule_make_whole(schedule, device, module, &a, whole->whole.chunk, false, &ignored))
        seconds = schedule->seconds / STEPS;
    free(schedule);
    a = *whole;
    a.whole.can = blocked;
    rt_prediction p = rt_cost_predict_sweeps(&a, device->info.bytes_per_second);
    double all = (p.device - p.transfers) / (double)whole->call->steps;
    if (seconds <= 0)
        seconds =
            all * (double)rows / (double)lines->rows + launch * (double)whole->region->nsweeps;
    return seconds / (double)rows;
}

/* The call */

/* The band's part of a sweep. */
static bool place_sweep(rt_band *b, uint32_t s, void **origins) {
    const stencilrt_region *r = &b->whole->region->sweeps[s];
    const rt_rows *rows = &b->slab.domain;
    stencilrt_call *call = &b->sweeps[s];
    uint32_t last = last_of(b->whole);
    int64_t moved = rt_lines_moved(b->lines, s, rows->lo, rows->hi);
    call->extent[last] -= rt_lines_less(b->lines, s, rows->lo, rows->hi);
    for (uint32_t g = 0; g < r->ngrids; g++) {
        bool extends = !(r->grids[g].broadcast >> last & 1);
        int64_t bytes = extends ? moved * call->strides[3 * g + last] : 0;
        for (uint32_t i = 0; i < r->grids[g].buffers; i++) {
            uint32_t n = r->grids[g].first_buffer + i;
            origins[n] = (void *)((uintptr_t)call->origins[n] + (uintptr_t)bytes);
        }
    }
    call->origins = origins;
    return call->extent[last] > 0;
}

static bool place_call(rt_band *b, const stencilrt_call *from, rt_error *why) {
    const stencilrt_region *r = b->whole->region;
    b->sweeps = calloc(r->nsweeps, sizeof *b->sweeps);
    b->origins = calloc(b->whole->nviews + 1, sizeof *b->origins);
    if (!b->sweeps || !b->origins)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    b->call = *from;
    b->call.sweeps = b->sweeps;
    b->call.check = NULL; /* the team asks */
    bool good = true;
    for (uint32_t s = 0; s < r->nsweeps && good; s++) {
        b->sweeps[s] = from->sweeps[s];
        good = place_sweep(b, s, b->origins + b->whole->first_view[s]);
    }
    return good || rt_fail(why, RT_MIXED, "%s", "too few rows");
}

/* The arrays */

/* Notes how the view's array lies in the whole's. False if another view told otherwise. */
static bool note_move(rt_band *b, uint32_t number, bool *known) {
    const rt_view *here = &b->arrays.views[number], *there = &b->whole->views[number];
    const rt_rows *rows = &b->slab.domain;
    if (here->array != there->array)
        return false;
    if (here->array == UINT32_MAX)
        return true;
    int64_t *move = b->move[here->array];
    for (uint32_t d = 0; d < 3; d++) {
        int64_t one = there->at[d] - here->at[d];
        if (d == last_of(b->whole) && rt_view_has_rows(b->whole, there))
            one += rt_lines_moved(b->lines, here->sweep, rows->lo, rows->hi);
        if (known[here->array] && one != move[d])
            return false;
        move[d] = one;
    }
    return known[here->array] = true;
}

/* Does the program access these cells of the whole's array somewhere? Other cells may have no
 * memory. */
static bool are_there(const rt_band *b, uint32_t array, rt_box box) {
    rt_boxes read = {0}, rest = {0};
    const rt_arrays *w = b->whole;
    for (int d = 0; d < 3; d++) {
        box.lo[d] += b->move[array][d];
        box.hi[d] += b->move[array][d];
    }
    rt_boxes_add(&read, &box, &w->uploads[array]);
    for (size_t i = 0; i < read.count; i++)
        rt_boxes_add(&rest, &read.at[i], &w->results[array]);
    bool there = rest.count == 0 && !read.failed && !rest.failed;
    free(read.at);
    free(rest.at);
    return there;
}

/* Does the band have the whole's arrays, and only cells that the whole has? */
static bool is_like_whole(rt_band *b) {
    const rt_arrays *a = &b->arrays, *w = b->whole;
    bool *known = calloc(w->count + 1, sizeof *known);
    bool good = known && a->count == w->count;
    for (uint32_t i = 0; i < w->nviews && good; i++)
        good = note_move(b, i, known);
    for (uint32_t i = 0; i < w->count && good; i++)
        for (size_t k = 0; k < a->uploads[i].count && good; k++)
            good = are_there(b, i, a->uploads[i].at[k]);
    free(known);
    return good;
}

/* Lets the arrays that are written be the copies. */
static void use_copies(rt_band *b) {
    for (uint32_t i = 0; i < b->arrays.count && b->copies; i++) {
        const rt_grid *from = &b->copies->shape.grids[i];
        rt_grid *to = &b->arrays.shape.grids[i];
        if (b->whole->results[i].count == 0)
            continue;
        memcpy(to->host_stride, from->host_stride, sizeof to->host_stride);
        b->arrays.shape.buffers[i].origin = b->copies->shape.buffers[i].origin;
        for (int d = 0; d < 3; d++)
            b->arrays.shape.buffers[i].origin += b->move[i][d] * from->host_stride[d];
    }
}

static bool make_arrays(rt_band *b, rt_error *why) {
    const rt_whole *whole = &b->whole->whole;
    bool may = rt_band_may_be_whole(b->whole);
    int64_t max_bt = may ? whole->bt : 1;
    b->move = calloc(b->whole->count + 1, sizeof *b->move);
    b->blocks = calloc(b->whole->count + 1, sizeof *b->blocks);
    if (!b->move || !b->blocks)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    if (!rt_arrays_make(&b->arrays, b->whole->region, &b->call, max_bt, why) ||
        !rt_arrays_look(&b->arrays, why))
        return false;
    if (!rt_arrays_are_sure(&b->arrays))
        return rt_fail(why, RT_UNSURE, "%s", "rows");
    /* Where few steps are left, kernels of whole steps cannot make them. */
    if (!is_like_whole(b) || (b->arrays.whole.can != may && !b->copies))
        return rt_fail(why, RT_MIXED, "%s", "rows differ");
    b->arrays.whole.chunk = whole->chunk;
    b->arrays.whole.eager = whole->eager;
    use_copies(b);
    return true;
}

/* Memory */

/* The coordinate of a row in an array of the band. */
static int64_t coordinate(const rt_band *b, uint32_t array, int64_t row) {
    return row - b->turned - b->lines->arrays[array] - b->move[array][last_of(b->whole)];
}

static bool allocate(rt_band *b, rt_error *why) {
    for (uint32_t i = 0; i < b->arrays.count; i++)
        if (!b->blocks[i].address &&
            !rt_device_alloc(b->device, b->arrays.shape.grids[i].bytes, &b->blocks[i], why))
            return false;
    return rt_device_chunks(b->device, why);
}

/* The array as the program has it so many rows later. */
static rt_buffer rows_later(const rt_band *b, uint32_t array, int64_t rows) {
    rt_buffer buffer = b->arrays.shape.buffers[array];
    buffer.origin += rows * b->arrays.shape.grids[array].host_stride[last_of(b->whole)];
    return buffer;
}

/* Where rows come round: uploads those rows of a box that are beyond the grid's end `turns` times,
 * from where they are in the program's array. A copy's first rows may have been replaced since the
 * pass began, so they come from where they were kept. */
static bool upload_turn(const rt_band *b, uint32_t array, rt_box box, int64_t turns,
                        rt_error *why) {
    uint32_t last = last_of(b->whole);
    rt_buffer buffer = rows_later(b, array, b->turned - turns * b->lines->rows);
    const rt_head *head = b->copies ? &b->copies->heads[array] : NULL;
    if (turns == 1 && head && head->bytes > 0)
        buffer.origin += head->kept - head->copy;
    int64_t lo = coordinate(b, array, turns * b->lines->rows);
    int64_t hi = lo + b->lines->rows;
    box.lo[last] = box.lo[last] > lo ? box.lo[last] : lo;
    box.hi[last] = box.hi[last] < hi ? box.hi[last] : hi;
    return box.lo[last] >= box.hi[last] || rt_upload_boxes(b->device, &b->arrays.shape, &buffer,
                                                           &box, 1, b->blocks[array].address, why);
}

static bool upload_round(const rt_band *b, uint32_t array, rt_error *why) {
    const rt_boxes *boxes = &b->arrays.uploads[array];
    bool ok = true;
    for (size_t k = 0; k < boxes->count; k++)
        for (int64_t turns = -1; turns <= 1 && ok; turns++)
            ok = upload_turn(b, array, boxes->at[k], turns, why);
    return ok;
}

static bool upload(rt_band *b, rt_error *why) {
    bool ok = true;
    for (uint32_t i = 0; i < b->arrays.count && ok; i++)
        ok = rt_uses_held(&b->uses, i) ? true
             : b->lines->round && rt_lines_has(b->lines, b->whole, i)
                 ? upload_round(b, i, why)
                 : rt_upload_boxes(b->device, &b->arrays.shape, &b->arrays.shape.buffers[i],
                                   b->arrays.uploads[i].at, b->arrays.uploads[i].count,
                                   b->blocks[i].address, why);
    return ok;
}

/* Are the buffers of each array that takes turns equal in all cells that no step writes? Where rows
 * come round, the program's rows are compared, not those at the band's addresses. */
static bool halos_are_equal(const rt_band *b) {
    bool equal = true;
    for (uint32_t k = 0; k < b->whole->region->step->narrays; k++) {
        uint32_t of[3];
        rt_boxes halo;
        int count = rt_whole_buffers(b->whole, k, of);
        rt_whole_find_halo(b->whole, k, &halo);
        equal = equal && !halo.failed;
        for (int i = 1; i < count; i++)
            for (size_t n = 0; n < halo.count && equal; n++)
                equal = rt_whole_box_is_equal(&b->whole->shape, of[0], of[i], &halo.at[n]);
        free(halo.at);
    }
    return equal;
}

/* Arrays that stay are compared on the device, rows that come round as others. */
static bool may_look_at_halos(const rt_band *b) {
    uint32_t held = 0;
    for (uint32_t i = 0; i < b->arrays.count; i++)
        held += rt_uses_held(&b->uses, i);
    return held == b->arrays.count || (held == 0 && halos_are_equal(b));
}

/* Whether kernels of whole steps run at all is known from the largest pass. */
static bool plan_steps(rt_band *b, rt_error *why) {
    b->steps = rt_steps_plan(b->device, b->module, &b->arrays);
    if (b->steps)
        b->steps->borrows = b->copies != NULL;
    return b->steps || rt_arrays_unpad(&b->arrays, why);
}

static bool fill(rt_band *b, rt_error *why) {
    if (!allocate(b, why))
        return false;
    b->began = b->steps && rt_steps_begin(b->steps, b->device, &b->uses, b->blocks);
    if (!rt_uses_upload(&b->uses, b->device, why) || !upload(b, why))
        return false;
    b->began = b->began && (!b->lines->round || may_look_at_halos(b)) &&
               rt_steps_look_at_halos(b->steps, b->device);
    return !b->began || rt_steps_fill(b->steps, b->device, why);
}

/* Reductions */

/* The sweep's rows that the band owns, counted from the sweep's first one. */
static rt_rows own_rows(const rt_band *b, uint32_t sweep) {
    const rt_rows *rows = &b->slab.domain, *own = &b->slab.own;
    int64_t height = b->sweeps[sweep].extent[last_of(b->whole)];
    int64_t first =
        b->lines->sweeps[sweep] + b->turned + rt_lines_moved(b->lines, sweep, rows->lo, rows->hi);
    rt_rows r = {own->lo - first, own->hi - first};
    r.lo = r.lo < 0 ? 0 : r.lo < height ? r.lo : height;
    r.hi = r.hi < r.lo ? r.lo : r.hi < height ? r.hi : height;
    return r;
}

static int64_t rows_ahead(const rt_band *b, uint32_t sweep) {
    return is_numbered(b->whole) && b->lines->layers[sweep] == RT_ALL ? b->slab.domain.lo : 0;
}

static bool begin_reducer(rt_band *b, rt_error *why) {
    const stencilrt_region *region = b->whole->region;
    if (!rt_reducer_begin(&b->reducer, b->device, b->module, region, &b->call, 1, why) ||
        !rt_reducer_share(&b->reducer, why))
        return false;
    for (uint32_t s = 0; s < region->nsweeps; s++) {
        rt_rows own = own_rows(b, s);
        int64_t cells = 1;
        for (uint32_t d = 0; d < last_of(b->whole); d++)
            cells *= b->sweeps[s].extent[d];
        rt_reducer_count(&b->reducer, s, own.lo, own.hi, cells, rows_ahead(b, s));
    }
    return true;
}

bool rt_band_make(rt_band *b, rt_device *device, const rt_arrays *whole, const rt_lines *lines,
                  const stencilrt_call *from, const rt_copies *copies, const rt_slab *slab,
                  rt_error *why) {
    *b = (rt_band){
        .device = device, .whole = whole, .lines = lines, .copies = copies, .slab = *slab};
    b->turned = lines->round ? slab->domain.lo : 0;
    b->module = rt_device_module(device, whole->region, why);
    return b->module && place_call(b, from, why) && make_arrays(b, why) && plan_steps(b, why);
}

bool rt_band_fill(rt_band *b, rt_error *why) {
    return fill(b, why) && begin_reducer(b, why);
}

bool rt_band_begin(rt_band *b, rt_device *device, const rt_arrays *whole, const rt_lines *lines,
                   const stencilrt_call *from, const rt_copies *copies, const rt_slab *slab,
                   rt_error *why) {
    return rt_band_make(b, device, whole, lines, from, copies, slab, why) && rt_band_fill(b, why);
}

/* Arrays without rows along the last dimension are whole on each device, and do not stay. */
bool rt_band_find_uses(rt_band *b, rt_error *why) {
    if (!rt_uses_make_sweeps(&b->uses, &b->arrays, why))
        return false;
    for (size_t i = 0; i < b->uses.count; i++) {
        rt_use *u = &b->uses.at[i];
        int64_t first = b->lines->arrays[u->number];
        u->block = &b->blocks[u->number];
        u->plain = u->plain && rt_lines_has(b->lines, b->whole, u->number);
        u->row = b->move[u->number][last_of(b->whole)] + b->turned;
        u->turned = b->turned;
        u->own = (rt_rows){b->slab.own.lo - first, b->slab.own.hi - first};
    }
    return true;
}

void rt_band_end(rt_band *b) {
    if (b->steps)
        rt_steps_end(b->steps, b->device);
    if (b->reducer.device)
        rt_reducer_end(&b->reducer);
    rt_uses_return(&b->uses);
    for (uint32_t i = 0; b->blocks && i < b->arrays.count; i++)
        rt_device_free(b->device, &b->blocks[i]);
    rt_arrays_free(&b->arrays);
    rt_uses_free(&b->uses);
    free(b->steps);
    free(b->blocks);
    free(b->move);
    free(b->sweeps);
    free(b->origins);
}

/* Steps */

bool rt_band_borrow(rt_band *b, rt_band *from, rt_error *why) {
    rt_steps *lender = from->device && from->began ? from->steps : NULL;
    return !b->began || rt_steps_borrow(b->steps, lender, b->device) ||
           rt_fail(why, RT_DEVICE_MEMORY, "%s", "a slab does not fit");
}

bool rt_band_plan(rt_band *b, int64_t steps, rt_error *why) {
    (void)why;
    if (b->call.steps == steps && b->planned)
        return true;
    b->planned = true;
    b->call.steps = steps;
    b->blocked = b->began && rt_steps_plan_again(b->steps, b->device, b->module);
    return true;
}

/* Grids whose cells move on are where the steps before left them. */
static void advance(rt_band *b, int64_t steps) {
    rt_arrays *a = &b->arrays;
    for (uint32_t i = 0; i < a->nviews; i++)
        a->views[i].at[0] +=
            steps * a->region->sweeps[a->views[i].sweep].grids[a->views[i].grid].advance;
    for (uint32_t k = 0; b->steps && k < a->region->step->narrays; k++)
        a->whole.arrays[k].moved += steps * a->whole.arrays[k].advance;
}

static bool make_sweeps(const rt_band *b, rt_sweep *sweeps, rt_error *why) {
    bool ok = true;
    for (uint32_t i = 0; i < b->arrays.region->nsweeps && ok; i++) {
        rt_rows own = own_rows(b, i);
        ok = rt_sweep_make(&b->arrays, i, b->blocks, rt_reducer_slots(&b->reducer, i), &sweeps[i],
                           why);
        sweeps[i].shape.ahead = rows_ahead(b, i);
        sweeps[i].shape.skipped = sweeps[i].shape.ahead > 0 ? rt_rule_reach(b->whole->region) : 0;
        sweeps[i].memory.counted.lo = own.lo;
        sweeps[i].memory.counted.hi = b->reducer.wanted ? own.hi : -1;
        sweeps[i].memory.counted.spare = rt_reducer_spare(&b->reducer, i);
    }
    return ok;
}

/* Arrays that stay got rows of others since the last pass; kernels of whole steps have copies. */
static bool fill_again(const rt_band *b, rt_error *why) {
    bool any = false;
    for (uint32_t i = 0; i < b->arrays.count; i++)
        any = any || rt_uses_held(&b->uses, i);
    return !any || !b->began || rt_steps_fill(b->steps, b->device, why);
}

bool rt_band_launch(rt_band *b, int64_t first, int64_t end, rt_part *part, rt_error *why) {
    uint32_t count = b->arrays.region->nsweeps;
    if (first == 0 && b->made > 0 && !fill_again(b, why))
        return false;
    if (first == 0)
        advance(b, b->made);
    b->made = end;
    rt_sweep *sweeps = calloc(count, sizeof *sweeps);
    bool ok = sweeps != NULL || rt_fail(why, RT_HOST_MEMORY, "%s", "");
    ok = ok && rt_band_plan(b, end, why) && make_sweeps(b, sweeps, why) &&
         rt_launch_sweeps(b->device, b->module, sweeps, count, first, end,
                          b->blocked ? b->steps : NULL, NULL, &b->reducer, part, why) &&
         b->device->driver->mark(b->device->handle, RT_MARK_EDGES, why);
    for (uint32_t i = 0; sweeps && i < count; i++)
        rt_sweep_free(&sweeps[i]);
    free(sweeps);
    return ok;
}

/* Rows */

bool rt_band_gives(const rt_band *b, uint32_t array) {
    return b->whole->uploads[array].count > 0 && b->whole->results[array].count > 0;
}

static const rt_grid *grid_of(const rt_band *b, uint32_t array) {
    return &b->arrays.shape.grids[array];
}

int64_t rt_band_planes(const rt_band *b, uint32_t array) {
    const rt_box *box = &grid_of(b, array)->box;
    return last_of(b->whole) == 1 ? box->hi[2] - box->lo[2] : 1;
}

uint64_t rt_band_row(const rt_band *b, uint32_t array, int64_t row, int64_t plane) {
    const rt_grid *g = grid_of(b, array);
    uint32_t last = last_of(b->whole);
    int64_t at = coordinate(b, array, row) - g->box.lo[last];
    return b->blocks[array].address +
           (uint64_t)(last == 1 ? at * (int64_t)g->pitch + plane * (int64_t)g->plane
                                : at * (int64_t)g->plane);
}

rt_rows rt_band_rows(const rt_band *b, uint32_t array) {
    const rt_box *box = &grid_of(b, array)->box;
    uint32_t last = last_of(b->whole);
    int64_t zero = coordinate(b, array, 0);
    return (rt_rows){box->lo[last] - zero, box->hi[last] - zero};
}

/* Results */

/* The own part of the whole's results, as cells of the band's array. False if it is empty. Rows
 * beyond those that sweeps compute belong to the band at that end. */
static bool own_box(const rt_band *b, uint32_t array, size_t number, rt_box *box) {
    const rt_rows *own = &b->slab.own;
    uint32_t last = last_of(b->whole);
    *box = b->whole->results[array].at[number];
    int64_t first = b->lines->arrays[array], lo = own->lo - first, hi = own->hi - first;
    if (own->lo > 0 && lo > box->lo[last])
        box->lo[last] = lo;
    if (own->hi < b->lines->rows && hi < box->hi[last])
        box->hi[last] = hi;
    box->lo[last] -= b->turned;
    box->hi[last] -= b->turned;
    for (int d = 0; d < 3; d++) {
        box->lo[d] -= b->move[array][d];
        box->hi[d] -= b->move[array][d];
    }
    return box->lo[last] < box->hi[last];
}

void rt_band_add_results(const rt_band *b, rt_part *part) {
    rt_box box;
    for (uint32_t i = 0; i < b->whole->count; i++)
        for (size_t k = 0; k < b->whole->results[i].count; k++)
            if (own_box(b, i, k, &box))
                rt_part_add(part, &b->uses, &b->arrays.shape, i, &box);
}

static size_t count_bytes(const rt_band *b) {
    size_t bytes = 0;
    rt_box box;
    for (uint32_t i = 0; i < b->whole->count; i++)
        for (size_t k = 0; k < b->whole->results[i].count; k++)
            if (!rt_uses_held(&b->uses, i) && own_box(b, i, k, &box))
                bytes += rt_staged_bytes(&b->arrays.shape, &b->arrays.shape.buffers[i], &box);
    return bytes;
}

bool rt_band_stage(rt_band *b, rt_error *why) {
    size_t bytes = count_bytes(b);
    const rt_shape *shape = &b->arrays.shape;
    unsigned char *staged = bytes ? rt_device_arena(b->device, bytes, why) : NULL;
    rt_box box;
    if (!staged)
        return bytes == 0;
    for (uint32_t i = 0; i < b->whole->count; i++)
        for (size_t k = 0; k < b->whole->results[i].count; k++) {
            if (rt_uses_held(&b->uses, i) || !own_box(b, i, k, &box))
                continue;
            if (!rt_download(b->device, shape, &shape->buffers[i], &box, b->blocks[i].address,
                             staged, why))
                return false;
            staged += rt_staged_bytes(shape, &shape->buffers[i], &box);
        }
    return true;
}

bool rt_band_fetch(const rt_band *b, rt_error *why) {
    const rt_shape *shape = &b->arrays.shape;
    rt_box box;
    bool ok = true;
    for (uint32_t i = 0; i < b->whole->count; i++)
        for (size_t k = 0; k < b->whole->results[i].count && ok; k++) {
            rt_buffer buffer = rows_later(b, i, b->turned);
            ok = !own_box(b, i, k, &box) ||
                 rt_fetch_box(b->device, shape, &buffer, &box, b->blocks[i].address, why);
        }
    return ok;
}

void rt_band_write_back(const rt_band *b) {
    const rt_shape *shape = &b->arrays.shape;
    unsigned char *staged = b->device->arena;
    rt_box box;
    for (uint32_t i = 0; i < b->whole->count; i++)
        for (size_t k = 0; k < b->whole->results[i].count; k++)
            if (!rt_uses_held(&b->uses, i) && own_box(b, i, k, &box)) {
                rt_buffer buffer = rows_later(b, i, b->turned);
                rt_write_back(shape, &buffer, &box, staged);
                staged += rt_staged_bytes(shape, &shape->buffers[i], &box);
            }
}
