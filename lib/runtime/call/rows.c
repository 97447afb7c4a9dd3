/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Which host cells to upload. The cells that a port reads are the union of copies of the domain,
 * one shifted by each offset. A star's union does not have the corners of its bounding box, and
 * memory there may not belong to the program. The edges of the offsets divide y and z into bands.
 * All rows of a band read the same ranges of x:
 *
 *        y: |  band 0   |            band 1            |  band 2   |
 *            +1 .. +2 at        all offsets cover         and so on
 *            the low edge
 *
 * If the device writes a buffer's domain before it reads it, the domain is not uploaded.
 */
#include "runtime/call/boxes.h"
#include <stdlib.h>
#include <string.h>

typedef struct range {
    int64_t lo, hi;
} range;

typedef struct offsets {
    int32_t (*at)[3];
    size_t count;
} offsets;

static int compare_edges(const void *a, const void *b) {
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static int compare_ranges(const void *a, const void *b) {
    const range *x = a, *y = b;
    return (x->lo > y->lo) - (x->lo < y->lo);
}

/* The sorted edges of all shifted domains along d, and of the domain itself. */
static size_t find_edges(const offsets *all, int d, int64_t extent, int64_t *edges) {
    size_t n = 0, unique = 0;
    edges[n++] = 0;
    edges[n++] = extent;
    for (size_t i = 0; i < all->count; i++) {
        edges[n++] = all->at[i][d];
        edges[n++] = all->at[i][d] + extent;
    }
    qsort(edges, n, sizeof *edges, compare_edges);
    for (size_t i = 0; i < n; i++)
        if (unique == 0 || edges[i] != edges[unique - 1])
            edges[unique++] = edges[i];
    return unique;
}

static bool covers(int64_t lo, int64_t extent, range band) {
    return lo <= band.lo && band.hi <= lo + extent;
}

/* The ranges of x that rows of one band read: sorted, disjoint, not touching. */
static size_t find_ranges(const offsets *all, const rt_grid *grid, range y, range z, range *out) {
    size_t n = 0, merged = 0;
    for (size_t i = 0; i < all->count; i++) {
        const int32_t *o = all->at[i];
        if (covers(o[1], grid->extent[1], y) && covers(o[2], grid->extent[2], z))
            out[n++] = (range){o[0], o[0] + grid->extent[0]};
    }
    qsort(out, n, sizeof *out, compare_ranges);
    for (size_t i = 0; i < n; i++) {
        if (merged > 0 && out[i].lo <= out[merged - 1].hi) {
            if (out[i].hi > out[merged - 1].hi)
                out[merged - 1].hi = out[i].hi;
        } else {
            out[merged++] = out[i];
        }
    }
    return merged;
}

static void push_x(rt_boxes *out, int64_t lo, int64_t hi, range y, range z) {
    if (lo < hi)
        rt_boxes_push(out, &(rt_box){{lo, y.lo, z.lo}, {hi, y.hi, z.hi}});
}

/* The boxes of one band. `hole`: the domain's own range of x is left out. */
static void push_band(rt_boxes *out, const range *ranges, size_t count, const int64_t *hole,
                      range y, range z) {
    for (size_t i = 0; i < count; i++) {
        range r = ranges[i];
        if (!hole) {
            push_x(out, r.lo, r.hi, y, z);
            continue;
        }
        push_x(out, r.lo, r.hi < 0 ? r.hi : 0, y, z);
        push_x(out, r.lo > *hole ? r.lo : *hole, r.hi, y, z);
    }
}

/* Do the boxes [second, end) continue the boxes [first, second) along dimension d, and are they
 * equal otherwise? */
static bool continues(const rt_boxes *b, size_t first, size_t second, int d) {
    size_t n = second - first;
    if (n == 0 || b->count - second != n)
        return false;
    for (size_t i = 0; i < n; i++) {
        const rt_box *one = &b->at[first + i], *two = &b->at[second + i];
        for (int k = 0; k < 3; k++) {
            bool same = one->lo[k] == two->lo[k] && one->hi[k] == two->hi[k];
            if (k == d ? one->hi[k] != two->lo[k] : !same)
                return false;
        }
    }
    return true;
}

/* Merges the boxes from `second` on into those from `first` on, if the former continue the latter
 * along d. */
static bool merge(rt_boxes *b, size_t first, size_t second, int d) {
    if (b->failed || !continues(b, first, second, d))
        return false;
    for (size_t i = second; i < b->count; i++)
        b->at[first + i - second].hi[d] = b->at[i].hi[d];
    b->count = second;
    return true;
}

static void find_boxes(const rt_grid *grid, const offsets *all, bool without_domain,
                       int64_t *edges[2], range *ranges, rt_boxes *out) {
    size_t ny = find_edges(all, 1, grid->extent[1], edges[0]);
    size_t nz = find_edges(all, 2, grid->extent[2], edges[1]);
    size_t slab = 0;
    for (size_t k = 0; k + 1 < nz; k++) {
        range z = {edges[1][k], edges[1][k + 1]};
        size_t this_slab = out->count, band = out->count;
        for (size_t j = 0; j + 1 < ny; j++) {
            range y = {edges[0][j], edges[0][j + 1]};
            bool hole =
                without_domain && covers(0, grid->extent[1], y) && covers(0, grid->extent[2], z);
            size_t n = find_ranges(all, grid, y, z, ranges), this_band = out->count;
            push_band(out, ranges, n, hole ? &grid->extent[0] : NULL, y, z);
            if (!merge(out, band, this_band, 1))
                band = this_band;
        }
        if (!merge(out, slab, this_slab, 2))
            slab = this_slab;
    }
}

/* All offsets at which some port reads the buffer in this call. */
static void collect(const rt_shape *shape, const rt_buffer *buffer, offsets *all) {
    const stencilrt_region *r = shape->region;
    int64_t first;
    all->count = 0;
    for (uint32_t p = 0; p < r->nports; p++) {
        const stencilrt_port *port = &r->ports[p];
        if (port->grid != buffer->grid ||
            !rt_port_touches(r, port, buffer->number, shape->steps, &first))
            continue;
        for (uint32_t i = 0; i < port->noffsets; i++, all->count++)
            for (int d = 0; all->at && d < 3; d++)
                all->at[all->count][d] = port->offsets[3 * i + (uint32_t)d];
    }
}

static bool find_rows(const rt_shape *shape, const rt_buffer *buffer, bool without_domain,
                      rt_box **result, size_t *count, rt_error *why) {
    offsets all = {NULL, 0};
    rt_boxes out = {NULL, 0, 0, false};
    *result = NULL;
    *count = 0;
    collect(shape, buffer, &all);
    if (all.count == 0)
        return true;
    size_t edge_count = 2 * all.count + 2;
    int64_t *edges = malloc(2 * edge_count * sizeof *edges);
    range *ranges = malloc(all.count * sizeof *ranges);
    all.at = malloc(all.count * sizeof *all.at);
    out.failed = !edges || !ranges || !all.at;
    if (!out.failed) {
        collect(shape, buffer, &all);
        find_boxes(&shape->grids[buffer->grid], &all, without_domain,
                   (int64_t *[2]){edges, edges + edge_count}, ranges, &out);
    }
    free(edges);
    free(ranges);
    free(all.at);
    if (out.failed) {
        free(out.at);
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    }
    *result = out.at;
    *count = out.count;
    return true;
}

bool rt_rows_to_upload(const rt_shape *shape, const rt_buffer *buffer, rt_box **result,
                       size_t *count, rt_error *why) {
    return find_rows(shape, buffer, buffer->domain_made_here, result, count, why);
}

bool rt_all_of_halo(const rt_shape *shape, const rt_buffer *buffer, rt_box_test *holds,
                    const void *context) {
    rt_error ignored;
    rt_box *boxes;
    size_t count;
    if (!find_rows(shape, buffer, true, &boxes, &count, &ignored))
        return false;
    bool all = true;
    for (size_t i = 0; i < count && all; i++)
        all = holds(context, &boxes[i]);
    free(boxes);
    return all;
}

typedef struct two_buffers {
    const rt_shape *shape;
    const rt_buffer *a, *b;
} two_buffers;

static bool box_is_equal(const void *context, const rt_box *box) {
    const two_buffers *t = context;
    size_t width = (size_t)(box->hi[0] - box->lo[0]) * t->shape->grids[t->a->grid].elem_size;
    for (int64_t z = box->lo[2]; z < box->hi[2]; z++)
        for (int64_t y = box->lo[1]; y < box->hi[1]; y++)
            if (memcmp(rt_buffer_host_cell(t->shape, t->a, box->lo[0], y, z),
                       rt_buffer_host_cell(t->shape, t->b, box->lo[0], y, z), width))
                return false;
    return true;
}

/* Step 0 reads all of the halo of buffer 0. Later steps read no more of the other buffers' halos.
 */
bool rt_halos_are_equal(const rt_shape *shape) {
    const stencilrt_grid *grid = &shape->region->grids[shape->rotating];
    const rt_buffer *buffers = &shape->buffers[grid->first_buffer];
    bool equal = true;
    for (uint32_t i = 1; i < grid->buffers && equal; i++) {
        two_buffers both = {shape, &buffers[0], &buffers[i]};
        equal = rt_all_of_halo(shape, both.b, box_is_equal, &both);
    }
    return equal;
}
