/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Copies of the arrays that a call writes: shadow.h. A copy has the cells that the call accesses,
 * and those between, without gaps.
 */
#include "runtime/run/shadow.h"

#include "runtime/device/transfer.h"
#include "runtime/run/host_copy.h"
#include "runtime/run/window.h"
#include <stdlib.h>
#include <string.h>

static bool is_copied(const rt_shape *whole, uint32_t grid) {
    const stencilrt_grid *g = &whole->region->grids[grid];
    bool copied = false;
    for (uint32_t i = 0; i < g->buffers; i++)
        copied |= whole->buffers[g->first_buffer + i].written;
    return copied;
}

/* The cells of all buffers of a grid, which have one layout. */
static rt_box cells_of(const rt_shape *whole, uint32_t grid) {
    const stencilrt_grid *g = &whole->region->grids[grid];
    rt_box box = rt_domain(&whole->grids[grid]);
    for (uint32_t i = 0; i < g->buffers; i++) {
        const rt_buffer *b = &whole->buffers[g->first_buffer + i];
        for (int d = 0; d < 3 && (b->read || b->written); d++) {
            box.lo[d] = b->cells.lo[d] < box.lo[d] ? b->cells.lo[d] : box.lo[d];
            box.hi[d] = b->cells.hi[d] > box.hi[d] ? b->cells.hi[d] : box.hi[d];
        }
    }
    return box;
}

/* Sets the strides, and the origins as offsets from the beginning of the memory: of those buffers
 * that a pass leaves to the next one, or of the others. */
static bool lay_out(rt_shadow *s, uint32_t grid, bool again) {
    const rt_shape *whole = s->whole;
    const stencilrt_grid *g = &whole->region->grids[grid];
    rt_box box = cells_of(whole, grid);
    int64_t size = (int64_t)g->elem_size, before = 0;
    for (uint32_t d = 0; d < 3; d++) {
        before -= box.lo[d] * size;
        s->strides[3 * grid + d] = g->broadcast >> d & 1 && d > 0 ? 0 : size;
        if (__builtin_mul_overflow(size, box.hi[d] - box.lo[d], &size))
            return false;
    }
    for (uint32_t i = 0; i < g->buffers; i++) {
        if (rt_window_wants(whole, g->first_buffer + i, true) != again)
            continue;
        s->origins[g->first_buffer + i] = (void *)(s->bytes + (uintptr_t)before);
        if (__builtin_add_overflow(s->bytes, (size_t)size + RT_ALIGN, &s->bytes))
            return false;
        s->bytes = s->bytes / RT_ALIGN * RT_ALIGN;
    }
    return true;
}

static bool reserve(rt_shadow *s, rt_error *why) {
    const stencilrt_region *r = s->whole->region;
    bool fits = true;
    for (uint32_t g = 0; g < r->ngrids && fits; g++)
        fits = !is_copied(s->whole, g) || lay_out(s, g, true);
    s->again = s->bytes;
    for (uint32_t g = 0; g < r->ngrids && fits; g++)
        fits = !is_copied(s->whole, g) || lay_out(s, g, false);
    s->memory = fits ? rt_host_reserve(s->bytes) : NULL;
    if (!s->memory)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    for (uint32_t g = 0; g < r->ngrids; g++)
        for (uint32_t i = 0; i < r->grids[g].buffers && is_copied(s->whole, g); i++)
            s->origins[r->grids[g].first_buffer + i] =
                s->memory + (uintptr_t)s->origins[r->grids[g].first_buffer + i];
    return true;
}

static bool fill(const rt_shadow *s, uint32_t buffer, bool halo, rt_error *why) {
    rt_box *boxes;
    size_t count;
    rt_buffer filled = s->whole->buffers[buffer];
    filled.domain_made_here |= halo && filled.written;
    if (!rt_rows_to_upload(s->whole, &filled, &boxes, &count, why))
        return false;
    for (size_t i = 0; i < count; i++)
        rt_host_copy(s->whole, &s->shape, buffer, &boxes[i]);
    free(boxes);
    return true;
}

bool rt_shadow_begin(rt_shadow *s, const rt_shape *whole, const stencilrt_call *call,
                     bool first_reads_arrays, rt_error *why) {
    const stencilrt_region *r = whole->region;
    *s = (rt_shadow){.whole = whole, .call = *call};
    s->origins = calloc(r->nbuffers, sizeof *s->origins);
    s->strides = calloc(3 * (size_t)r->ngrids, sizeof *s->strides);
    if (!s->origins || !s->strides)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    memcpy(s->origins, call->origins, r->nbuffers * sizeof *s->origins);
    memcpy(s->strides, call->strides, 3 * (size_t)r->ngrids * sizeof *s->strides);
    s->call.origins = s->origins;
    s->call.strides = s->strides;
    bool ok = reserve(s, why) && rt_shape_make_window(&s->shape, whole, &s->call, why);
    if (ok && first_reads_arrays)
        rt_host_populate(s->memory, s->bytes);
    for (uint32_t i = 0; i < r->nbuffers && ok; i++)
        ok = !is_copied(whole, whole->buffers[i].grid) || fill(s, i, first_reads_arrays, why);
    return ok;
}

void rt_shadow_write(const rt_shadow *s) {
    for (uint32_t i = 0; i < s->whole->region->nbuffers; i++) {
        rt_box domain = rt_domain(&s->whole->grids[s->whole->buffers[i].grid]);
        if (s->whole->buffers[i].written)
            rt_host_copy(&s->shape, s->whole, i, &domain);
    }
}

void rt_shadow_end(rt_shadow *s) {
    rt_host_release(s->memory, s->bytes);
    rt_shape_free(&s->shape);
    free(s->origins);
    free(s->strides);
}
