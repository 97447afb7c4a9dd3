/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Copies of arrays that stay on the device, in the layout for blocked kernels: wide.h.
 */
#include "runtime/run/wide.h"

#include "runtime/device/transfer.h"
#include <stdlib.h>
#include <string.h>

bool rt_wide_begin(rt_wide *w, rt_shape *shape, const rt_uses *uses, rt_block *blocks, bool blocked,
                   rt_error *why) {
    size_t grids = shape->region->ngrids * sizeof *w->grids;
    *w = (rt_wide){.shape = shape, .uses = uses, .blocks = blocks};
    if (!blocked)
        return true;
    w->others = calloc(shape->region->nbuffers, sizeof *w->others);
    w->grids = malloc(grids);
    if (!w->others || !w->grids)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    memcpy(w->grids, shape->grids, grids);
    return true;
}

void rt_wide_end(rt_wide *w, rt_device *device) {
    for (uint32_t i = 0; w->others && i < w->shape->region->nbuffers; i++)
        rt_device_free(device, &w->others[i]);
    free(w->others);
    free(w->grids);
}

size_t rt_wide_bytes(const rt_wide *w, uint32_t grid) {
    return w->grids ? w->grids[grid].bytes : w->shape->grids[grid].bytes;
}

static bool is_copied(const rt_wide *w, uint32_t buffer) {
    return w->grids && rt_uses_held(w->uses, buffer);
}

/* Fills the copy. Kernels load all of it, but only the cells that the loops read matter. */
static bool fill(const rt_wide *w, rt_device *device, uint32_t buffer, rt_error *why) {
    const rt_buffer *b = &w->shape->buffers[buffer];
    const rt_grid *to = &w->grids[b->grid];
    rt_block *copy = &w->others[buffer];
    rt_box *boxes = NULL;
    size_t count = 0;
    bool ok = rt_device_alloc(device, to->bytes, copy, why) &&
              device->driver->blank(device->handle, copy->address, to->bytes, why) &&
              (!b->read || rt_rows_to_upload(w->shape, b, &boxes, &count, why));
    for (size_t i = 0; i < count && ok; i++)
        ok = rt_move_box(device, &w->shape->grids[b->grid], w->blocks[buffer].address, to,
                         copy->address, &boxes[i], why);
    free(boxes);
    return ok;
}

static void exchange_blocks(rt_wide *w) {
    for (uint32_t i = 0; i < w->shape->region->nbuffers; i++)
        if (is_copied(w, i)) {
            rt_block was = w->blocks[i];
            w->blocks[i] = w->others[i];
            w->others[i] = was;
        }
}

/* Uses point to the entries of the shape's own list. So the entries' contents are exchanged. */
static void exchange_grids(rt_wide *w) {
    for (uint32_t g = 0; w->grids && g < w->shape->region->ngrids; g++) {
        rt_grid was = w->shape->grids[g];
        w->shape->grids[g] = w->grids[g];
        w->grids[g] = was;
    }
}

bool rt_wide_put(rt_wide *w, rt_device *device, rt_error *why) {
    bool ok = true;
    for (uint32_t i = 0; i < w->shape->region->nbuffers && ok; i++)
        ok = !is_copied(w, i) || fill(w, device, i, why);
    if (ok) {
        exchange_blocks(w);
        exchange_grids(w);
    }
    return ok;
}

static bool return_results(const rt_wide *w, rt_device *device, uint32_t buffer, rt_error *why) {
    const rt_buffer *b = &w->shape->buffers[buffer];
    rt_box domain = rt_domain(&w->shape->grids[b->grid]);
    return rt_move_box(device, &w->grids[b->grid], w->others[buffer].address,
                       &w->shape->grids[b->grid], w->blocks[buffer].address, &domain, why);
}

bool rt_wide_take(rt_wide *w, rt_device *device, bool results, rt_error *why) {
    bool ok = true;
    exchange_blocks(w);
    exchange_grids(w);
    for (uint32_t i = 0; i < w->shape->region->nbuffers && ok && results; i++)
        ok = !is_copied(w, i) || !w->shape->buffers[i].written || return_results(w, device, i, why);
    return ok;
}
