/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Memory for launches of whole steps: second copies of arrays, copies of arrays that stay on the
 * device, and what buffers have that differ.
 */
#include "runtime/run/step_memory.h"

#include "runtime/call/parameters.h"
#include "runtime/call/whole.h"
#include "runtime/device/transfer.h"
#include "runtime/run/halos.h"
#include "runtime/run/words.h"
#include <stdlib.h>
#include <string.h>

static bool alloc_bare(const rt_steps *s, rt_device *device, uint32_t number, rt_block *block) {
    rt_error ignored;
    return rt_device_alloc(device, wide(s, number)->bytes, block, &ignored);
}

/* Fills the block: pads are loaded, and nobody writes them. */
static bool alloc(const rt_steps *s, rt_device *device, uint32_t number, rt_block *block) {
    rt_error ignored;
    return alloc_bare(s, device, number, block) &&
           device->driver->blank(device->handle, block->address, wide(s, number)->bytes, &ignored);
}

/* Do all cells of the array lie in the box? A launch writes all these cells, so that scratch needs
 * none of them at first. */
static bool lies_in_box(const rt_steps *s, uint32_t number) {
    const rt_whole *w = &s->arrays->whole;
    bool in = true;
    for (int d = 0; d < 3; d++)
        in = in && w->bare[number].lo[d] >= 0 && w->bare[number].hi[d] <= w->extent[d];
    return in;
}

/* Scratch that needs more than pads gets all cells later. */
static bool alloc_scratch(const rt_steps *s, rt_device *device, uint32_t number) {
    return (lies_in_box(s, number) ? alloc : alloc_bare)(s, device, number, &s->scratch[number]);
}

static bool blank(const rt_steps *s, rt_device *device, uint32_t number) {
    rt_error ignored;
    return stays(s, number) || device->driver->blank(device->handle, s->blocks[number].address,
                                                     wide(s, number)->bytes, &ignored);
}

/* Blocks are no larger than they must be on a device that checks accesses. */
static bool fits(const rt_device *device, const rt_block *block, size_t bytes) {
    return block->address &&
           (block->bytes == bytes || (device->driver->keeps_memory && block->bytes > bytes));
}

/* Takes scratch of launches that are done, if it fits. */
static bool take_or_alloc(rt_steps *s, rt_device *device, rt_steps *from, uint32_t number) {
    rt_error ignored;
    rt_block *to = &s->scratch[number];
    size_t bytes = wide(s, number)->bytes;
    if (from && from->scratch && !fits(device, &from->scratch[number], bytes))
        rt_device_free(device, &from->scratch[number]);
    if (!from || !from->scratch || !from->scratch[number].address)
        return alloc_scratch(s, device, number);
    *to = from->scratch[number];
    from->scratch[number].address = 0;
    return !lies_in_box(s, number) ||
           device->driver->blank(device->handle, to->address, bytes, &ignored);
}

/* Scratch of arrays with one buffer that are written. */
static bool reserve_scratch(rt_steps *s, rt_device *device, rt_steps *from) {
    bool ok = true;
    for (uint32_t k = 0; k < s->arrays->region->step->narrays && ok; k++) {
        const rt_whole_array *w = array_at(s, k);
        if (w->written && !takes_turns(w))
            ok = take_or_alloc(s, device, from, w->of[0]);
    }
    return ok;
}

static bool reserve_blocks(rt_steps *s, rt_device *device) {
    const rt_arrays *a = s->arrays;
    s->scratch = calloc(a->count, sizeof *s->scratch);
    s->copies = calloc(a->count, sizeof *s->copies);
    s->nvalues = rt_followed_count(a->region, rt_scalar_count(a->region));
    s->values = calloc(s->nvalues * STENCILRT_VALUES + 1, sizeof *s->values);
    bool ok = s->scratch && s->copies && s->values;
    for (uint32_t i = 0; i < a->count && ok; i++)
        ok = (!stays(s, i) || alloc(s, device, i, &s->copies[i])) && blank(s, device, i);
    return ok && (s->borrows || reserve_scratch(s, device, NULL));
}

bool rt_steps_stay_on_chip(const rt_steps *s) {
    const rt_run *first = &s->schedule.runs[0];
    return s->schedule.count > 0 &&
           s->arrays->region->kernels[first->kernel].kind == STENCILRT_RESIDENT;
}

/* Memory for what blocks of a resident kernel exchange. */
static bool reserve_words(rt_steps *s, rt_device *device) {
    const stencilrt_region *r = s->arrays->region;
    const rt_run *run = &s->schedule.runs[0];
    uint32_t grids = 0, size = 0;
    rt_error ignored;
    if (!rt_steps_stay_on_chip(s))
        return true;
    for (uint32_t k = 0; k < r->step->narrays; k++)
        if (array_at(s, k)->written || array_at(s, k)->becomes != k) {
            grids++;
            size = wide(s, array_at(s, k)->of[0])->elem_size;
        }
    return rt_words_allocate(device, rt_chip_bytes(run, r, grids, size), &s->words, &ignored);
}

bool rt_steps_begin(rt_steps *s, rt_device *device, const rt_uses *uses, rt_block *blocks) {
    s->uses = uses;
    s->blocks = blocks;
    bool ok = reserve_blocks(s, device) && reserve_words(s, device);
    if (!ok)
        rt_steps_end(s, device);
    return ok;
}

static void release_all(rt_block *blocks, uint32_t count, rt_device *device) {
    for (uint32_t i = 0; blocks && i < count; i++)
        rt_device_free(device, &blocks[i]);
    free(blocks);
}

void rt_steps_end(rt_steps *s, rt_device *device) {
    release_all(s->scratch, s->arrays->count, device);
    release_all(s->copies, s->arrays->count, device);
    rt_device_free(device, &s->words);
    free(s->values);
    s->scratch = s->copies = NULL;
    s->values = NULL;
}

/* Do all kernels that write the array take a buffer with other cells? */
static bool kernels_know_other(const stencilrt_region *r, uint32_t array) {
    bool all = true;
    for (uint32_t k = r->nsweeps; k < r->nkernels && all; k++) {
        bool writes = false, knows = false;
        for (uint32_t i = 0; i < r->kernels[k].nparameters; i++) {
            const stencilrt_parameter *p = &r->kernels[k].parameters[i];
            writes = writes || (p->kind == STENCILRT_ARG_DST && p->index == array);
            knows = knows || (p->kind == STENCILRT_ARG_OTHER && p->index == array);
        }
        all = knows || !writes || r->kernels[k].kind != STENCILRT_STEPS;
    }
    return all;
}

/* Scratch for both buffers of an array, of which a launch reads one and writes one's scratch. */
static bool keep_apart(rt_steps *s, rt_device *device, uint32_t array) {
    const rt_whole_array *w = array_at(s, array);
    bool ok = kernels_know_other(s->arrays->region, array);
    for (int i = 0; i < 2 && ok; i++)
        ok = alloc_scratch(s, device, w->of[i]);
    return ok;
}

bool rt_steps_look_at_halos(rt_steps *s, rt_device *device) {
    uint32_t count = s->arrays->region->step->narrays, of[3];
    bool ok = true;
    for (uint32_t k = 0; k < count && ok; k++)
        if (takes_turns(array_at(s, k)) &&
            !rt_halo_is_equal(s->arrays, s->uses, device, s->blocks, k)) {
            ok = rt_whole_buffers(s->arrays, k, of) == 2;
            s->apart = true;
        }
    for (uint32_t k = 0; k < count && ok && s->apart; k++)
        ok = rt_whole_buffers(s->arrays, k, of) != 2 || keep_apart(s, device, k);
    return ok;
}

static bool move_there(const rt_steps *s, rt_device *device, rt_error *why) {
    const rt_arrays *a = s->arrays;
    bool ok = true;
    for (uint32_t i = 0; i < a->count; i++)
        for (size_t k = 0; k < a->uploads[i].count && ok && stays(s, i); k++)
            ok = rt_move_box(device, &a->shape.grids[i], s->blocks[i].address, wide(s, i),
                             s->copies[i].address, &a->uploads[i].at[k], why);
    return ok;
}

static bool move_back(const rt_steps *s, rt_device *device, uint32_t number, const rt_box *box,
                      rt_error *why) {
    return rt_move_box(device, wide(s, number), s->copies[number].address,
                       &s->arrays->shape.grids[number], s->blocks[number].address, box, why);
}

/* What launches wrote in the steps from `first` to before `end`: of a trace, an element each. */
static rt_box written_in(const rt_arrays *a, const rt_view *v, int64_t first, int64_t end) {
    static const int32_t here[3];
    uint32_t along = rt_view_along(a, v);
    rt_box box = rt_view_box(a, v, here);
    if (along > 0) {
        box.hi[along - 1] = box.lo[along - 1] + end;
        box.lo[along - 1] += first;
    }
    return box;
}

static bool move_views(const rt_steps *s, rt_device *device, uint32_t number, int64_t made,
                       rt_error *why) {
    const rt_arrays *a = s->arrays;
    bool ok = true;
    for (uint32_t i = 0; i < a->nviews && ok; i++) {
        const rt_view *v = &a->views[i];
        rt_box box = written_in(a, v, a->whole.first, made);
        if (v->array == number && v->written && made > a->whole.first)
            ok = move_back(s, device, number, &box, why);
    }
    return ok;
}

bool rt_steps_move_back(const rt_steps *s, rt_device *device, int64_t made, rt_error *why) {
    const rt_arrays *a = s->arrays;
    bool ok = true;
    for (uint32_t i = 0; i < a->count && ok; i++) {
        bool traced = rt_array_has_trace(a, i);
        for (size_t k = 0; k < a->results[i].count && ok && stays(s, i) && !traced; k++)
            ok = move_back(s, device, i, &a->results[i].at[k], why);
        ok = ok && (!stays(s, i) || !traced || move_views(s, device, i, made, why));
    }
    return ok;
}

static bool fill_scratch(const rt_steps *s, rt_device *device, rt_error *why) {
    bool ok = true;
    for (uint32_t i = 0; i < s->arrays->count && ok; i++)
        ok = !s->scratch[i].address || lies_in_box(s, i) ||
             device->driver->copy(device->handle, s->scratch[i].address, block_of(s, i)->address,
                                  wide(s, i)->bytes, why);
    return ok;
}

bool rt_steps_fill(const rt_steps *s, rt_device *device, rt_error *why) {
    return move_there(s, device, why) && fill_scratch(s, device, why);
}

bool rt_steps_borrow(rt_steps *s, rt_steps *from, rt_device *device) {
    rt_error ignored;
    return reserve_scratch(s, device, from) && fill_scratch(s, device, &ignored);
}
