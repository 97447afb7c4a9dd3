/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * What a call accesses, and whether a device may run the call.
 *
 * On the device every buffer has memory of its own, and all rows lie apart. So the device computes
 * what the original loops compute if these rules hold:
 *   1. No byte that one buffer writes is accessed through another buffer. Either their ranges, from
 *      lowest to highest byte, lie apart, or they are parts of one array that share no cell.
 *   2. In a buffer that is written, two cells are never the same bytes: rows lie apart, planes too.
 *   3. A step reads no neighbours in a buffer that it writes, because cells have no order there.
 * A buffer counts only for the steps that this call makes. In a call of one step, the other buffer
 * of a pair that takes turns is only written; its halo is not read, and not checked.
 *
 * Addresses are computed in 128 bits: an extent is below 2^41, a stride below 2^63.
 */
#include "runtime/call/shape.h"

#include "runtime/call/extent.h"
#include <stdlib.h>

typedef __int128 wide;

/* Rule 3 */
static bool reads_no_written_neighbours(const stencilrt_region *r, rt_error *why) {
    for (uint32_t w = 0; w < r->nports; w++) {
        const stencilrt_port *out = &r->ports[w];
        if (!(out->access & STENCILRT_WRITE))
            continue;
        for (uint32_t p = 0; p < r->nports; p++) {
            const stencilrt_port *in = &r->ports[p];
            if (in->grid != out->grid || rt_port_buffer(r, in, 0) != rt_port_buffer(r, out, 0))
                continue;
            for (uint32_t i = 0; i < 3 * in->noffsets; i++)
                if (in->offsets[i] != 0)
                    return rt_fail(why, RT_IN_PLACE, "grid %u", in->grid);
        }
    }
    return true;
}

/* A stream kernel counts cells in 32 bits. Only the cell kernel can be launched in parts when there
 * are too many blocks. */
static bool kernel_fits(const rt_shape *shape, const stencilrt_kernel *k) {
    const stencilrt_region *r = shape->region;
    if (k->kind == STENCILRT_STRIP)
        return (shape->extent[0] - 1) / ((int64_t)k->tile[0] * k->tiles) < INT32_MAX;
    for (uint32_t d = 0; d < r->rank; d++) {
        /* Cells of the last block's unused tiles. */
        int64_t idle = d == 0 ? (int64_t)k->tile[0] * k->tiles : 0;
        if (shape->extent[d] + r->pad_low[d] + r->pad_high[d] + idle > INT32_MAX)
            return false;
    }
    return true;
}

/* The cell kernel makes the last step: see schedule.h. */
static uint32_t largest_degree(const rt_shape *shape, int64_t max_bt) {
    const stencilrt_region *r = shape->region;
    for (uint32_t k = 1; k < r->nkernels && max_bt > 1; k++)
        if (r->kernels[k].bt <= max_bt && r->kernels[k].bt <= shape->steps - 1 &&
            kernel_fits(shape, &r->kernels[k]))
            return r->kernels[k].bt;
    return 0;
}

bool rt_shape_may_use(const rt_shape *shape, uint32_t kernel) {
    const stencilrt_kernel *k = &shape->region->kernels[kernel];
    return kernel == 0 || (k->bt <= shape->bt && kernel_fits(shape, k));
}

static uint32_t first_written(const stencilrt_region *r) {
    uint32_t p = 0;
    while (!(r->ports[p].access & STENCILRT_WRITE))
        p++;
    return r->ports[p].grid;
}

static bool reads_older(const rt_shape *shape) {
    const stencilrt_region *r = shape->region;
    for (uint32_t p = 0; p < r->nports && r->nkernels > 1; p++)
        if (r->ports[p].grid == shape->rotating && (r->ports[p].access & STENCILRT_READ) &&
            rt_port_steps_back(r, &r->ports[p]) == 2)
            return true;
    return false;
}

/* In grids that are only read, cells of the padding read neighbours as well. */
static void box_pad(rt_box *box, const stencilrt_region *r, uint32_t broadcast, bool rotating,
                    const int64_t extent[3]) {
    for (uint32_t d = 0; d < r->rank; d++) {
        int64_t from = rotating ? 0 : box->lo[d], to = rotating ? extent[d] : box->hi[d];
        int64_t lo = from - r->pad_low[d], hi = to + r->pad_high[d];
        if (broadcast >> d & 1)
            continue;
        box->lo[d] = lo < box->lo[d] ? lo : box->lo[d];
        box->hi[d] = hi > box->hi[d] ? hi : box->hi[d];
    }
}

static void box_add(rt_box *box, const rt_grid *grid, const int32_t *offset) {
    for (int d = 0; d < 3; d++) {
        int64_t lo = offset[d], hi = grid->extent[d] + offset[d];
        box->lo[d] = lo < box->lo[d] ? lo : box->lo[d];
        box->hi[d] = hi > box->hi[d] ? hi : box->hi[d];
    }
}

static bool multiply(size_t a, size_t b, size_t *product) {
    return !__builtin_mul_overflow(a, b, product);
}

/* Lays out the cells on the device. Rows begin at box.lo[0], and one cell of each row is aligned.
 * Short rows may follow one another without alignment. */
bool rt_grid_lay_out(rt_grid *grid, uint32_t broadcast, rt_error *why) {
    size_t size = grid->elem_size, left, width;
    size_t rows = (size_t)(grid->box.hi[1] - grid->box.lo[1]);
    size_t planes = (size_t)(grid->box.hi[2] - grid->box.lo[2]);
    /* At most 2^41 cells of 8 bytes: the pitch does not overflow. */
    /* Cell 0 comes so many bytes behind an aligned cell. */
    size_t behind = (size_t)grid->aligned % (RT_ALIGN / size) * size;
    left = ((size_t)-grid->box.lo[0] * size + behind + RT_ALIGN - 1) / RT_ALIGN * RT_ALIGN - behind;
    width = left + (size_t)grid->box.hi[0] * size;
    if (grid->packed) {
        left = (size_t)-grid->box.lo[0] * size;
        width = left + (size_t)grid->box.hi[0] * size;
    }
    grid->pitch = grid->packed ? width : (width + RT_ALIGN - 1) / RT_ALIGN * RT_ALIGN;
    if (!multiply(grid->pitch, rows, &grid->plane) ||
        !multiply(grid->plane, planes, &grid->bytes) || grid->bytes > (size_t)INT64_MAX / 2)
        return rt_fail(why, RT_TOO_LARGE, "%s", "");
    grid->origin =
        (size_t)-grid->box.lo[2] * grid->plane + (size_t)-grid->box.lo[1] * grid->pitch + left;
    grid->stride[0] = broadcast & 2 ? 0 : (int64_t)(grid->pitch / size);
    grid->stride[1] = broadcast & 4 ? 0 : (int64_t)(grid->plane / size);
    return true;
}

/* A grid in bricks extends along all dimensions. */
static bool is_in_bricks(const stencilrt_region *r, uint32_t grid) {
    return r->brick[0] && !r->grids[grid].broadcast;
}

/* Grids in bricks have one box, so that all have the same strides. */
static bool shares_box(const stencilrt_region *r, uint32_t one, uint32_t other) {
    return one == other || (is_in_bricks(r, one) && is_in_bricks(r, other));
}

static bool grid_make(rt_shape *shape, uint32_t index, rt_error *why) {
    const stencilrt_region *r = shape->region;
    uint32_t broadcast = r->grids[index].broadcast;
    rt_grid *grid = &shape->grids[index];
    *grid = (rt_grid){0};
    grid->elem_size = r->grids[index].elem_size;
    for (uint32_t d = 0; d < 3; d++) {
        bool extends = d < r->rank && !(broadcast >> d & 1);
        grid->extent[d] = extends ? shape->extent[d] : 1;
        /* Along x offsets count elements, even in a grid that does not extend along x. */
        grid->host_stride[d] = d == 0    ? (int64_t)grid->elem_size
                               : extends ? shape->call->strides[3 * index + d]
                                         : 0;
        grid->box.hi[d] = grid->extent[d];
    }
    for (uint32_t p = 0; p < r->nports; p++)
        for (uint32_t i = 0; shares_box(r, r->ports[p].grid, index) && i < r->ports[p].noffsets;
             i++)
            box_add(&grid->box, grid, r->ports[p].offsets + 3 * i);
    if (shape->bt > 0)
        box_pad(&grid->box, r, broadcast, index == shape->rotating, shape->extent);
    return is_in_bricks(r, index) ? rt_grid_lay_out_bricks(grid, r->brick, why)
                                  : rt_grid_lay_out(grid, broadcast, why);
}

/* Adds the domain, shifted by an offset, to the cells of the buffer that are accessed. Adds its
 * range on the host to [*lo, *hi). */
static void range_add(const rt_grid *grid, rt_buffer *buffer, const int32_t *offset, wide *lo,
                      wide *hi) {
    const unsigned char *origin = buffer->origin;
    for (int d = 0; d < 3; d++) {
        int64_t from = offset[d], to = grid->extent[d] + offset[d];
        rt_box *box = &buffer->accessed;
        box->lo[d] = *lo == *hi || from < box->lo[d] ? from : box->lo[d];
        box->hi[d] = *lo == *hi || to > box->hi[d] ? to : box->hi[d];
    }
    wide first = (wide)(uintptr_t)origin, last = first;
    for (int d = 0; d < 3; d++) {
        wide a = (wide)grid->host_stride[d] * offset[d];
        wide b = (wide)grid->host_stride[d] * (offset[d] + grid->extent[d] - 1);
        first += a < b ? a : b;
        last += a < b ? b : a;
    }
    last += (wide)grid->elem_size;
    if (*lo == *hi || first < *lo)
        *lo = first;
    if (last > *hi)
        *hi = last;
}

/* Rule 2. With strides sorted by size, each must be larger than what the smaller ones span. */
bool rt_rows_lie_apart(const rt_grid *grid, const rt_box *box) {
    wide span = (wide)(box->hi[0] - box->lo[0]) * (wide)grid->elem_size;
    wide stride[2];
    int64_t count[2];
    for (int i = 0; i < 2; i++) {
        wide s = grid->host_stride[i + 1];
        stride[i] = s < 0 ? -s : s;
        count[i] = box->hi[i + 1] - box->lo[i + 1];
    }
    int inner = count[1] > 1 && (count[0] == 1 || stride[1] < stride[0]) ? 1 : 0;
    for (int i = 0; i < 2; i++) {
        int d = i == 0 ? inner : 1 - inner;
        if (count[d] == 1)
            continue;
        if (stride[d] < span)
            return false;
        span += (wide)(count[d] - 1) * stride[d];
    }
    return true;
}

static bool buffer_make(rt_shape *shape, rt_buffer *buffer, rt_error *why) {
    static const int32_t centre[3] = {0, 0, 0};
    const stencilrt_region *r = shape->region;
    const rt_grid *grid = &shape->grids[buffer->grid];
    int64_t first_read = INT64_MAX, first_write = INT64_MAX, first;
    rt_box box = {{0, 0, 0}, {grid->extent[0], grid->extent[1], grid->extent[2]}};
    wide lo = 0, hi = 0;
    for (uint32_t p = 0; p < r->nports; p++) {
        const stencilrt_port *port = &r->ports[p];
        if (port->grid != buffer->grid ||
            !rt_port_touches(r, port, buffer->number, shape->steps, &first))
            continue;
        for (uint32_t i = 0; i < port->noffsets; i++) {
            box_add(&box, grid, port->offsets + 3 * i);
            range_add(grid, buffer, port->offsets + 3 * i, &lo, &hi);
        }
        if ((port->access & STENCILRT_READ) && first < first_read)
            first_read = first;
        if (!(port->access & STENCILRT_WRITE))
            continue;
        range_add(grid, buffer, centre, &lo, &hi);
        first_write = first < first_write ? first : first_write;
    }
    buffer->read = first_read != INT64_MAX;
    buffer->written = first_write != INT64_MAX;
    buffer->domain_made_here = first_write < first_read;
    if (shape->call->copy && buffer->grid == shape->rotating) { /* see copyback.c */
        range_add(grid, buffer, centre, &lo, &hi);
        buffer->written = true;
    }
    if (!buffer->read && !buffer->written)
        return true;
    if (lo <= 0 || hi > (wide)UINTPTR_MAX || !buffer->origin)
        return rt_fail(why, RT_TOO_LARGE, "grid %u leaves the address space", buffer->grid);
    buffer->lo = (uintptr_t)lo;
    buffer->hi = (uintptr_t)hi;
    buffer->cells = box;
    if (buffer->written && !rt_rows_lie_apart(grid, &box))
        return rt_fail(why, RT_FOLDED, "grid %u", buffer->grid);
    return true;
}

/* The accessed cells, from the lowest address on. */
static rt_extent extent_of(const rt_shape *shape, const rt_buffer *b) {
    const rt_grid *grid = &shape->grids[b->grid];
    rt_extent e = {.lo = (uintptr_t)b->origin, .elem_size = grid->elem_size};
    for (int d = 0; d < 3; d++) {
        int64_t stride = grid->host_stride[d];
        e.cells[d] = b->accessed.hi[d] - b->accessed.lo[d];
        e.stride[d] = stride < 0 ? -stride : stride;
        e.lo += (uintptr_t)(stride * (stride < 0 ? b->accessed.hi[d] - 1 : b->accessed.lo[d]));
    }
    return e;
}

static bool share_no_cell(const rt_shape *shape, const rt_buffer *one, const rt_buffer *other) {
    rt_extent a = extent_of(shape, one), b = extent_of(shape, other);
    return !shape->region->grids[one->grid].advance && !shape->region->grids[other->grid].advance &&
           rt_extents_lie_apart(&a, &b);
}

/* Rule 1. The range of a buffer that is not touched is empty. */
static bool buffers_lie_apart(const rt_shape *shape, rt_error *why) {
    for (uint32_t a = 0; a < shape->region->nbuffers; a++) {
        const rt_buffer *one = &shape->buffers[a];
        for (uint32_t b = 0; b < a; b++) {
            const rt_buffer *other = &shape->buffers[b];
            if ((one->written || other->written) && one->lo < other->hi && other->lo < one->hi &&
                !share_no_cell(shape, one, other))
                return rt_fail(why, RT_OVERLAP, "buffer %u of grid %u, buffer %u of grid %u",
                               other->number, other->grid, one->number, one->grid);
        }
    }
    return true;
}

bool rt_shape_unpad(rt_shape *shape, rt_error *why) {
    shape->bt = 0;
    for (uint32_t g = 0; g < shape->region->ngrids; g++)
        if (!grid_make(shape, g, why))
            return false;
    return true;
}

/* Stream kernels that read an older level need equal halos. */
static bool refuse_halos(rt_shape *shape, rt_error *why) {
    shape->halos_differ = shape->bt > 0 && shape->older && !rt_halos_are_equal(shape);
    return !shape->halos_differ || rt_shape_unpad(shape, why);
}

/* Makes the grids and buffers. */
static bool lay_out(rt_shape *shape, rt_error *why) {
    const stencilrt_region *region = shape->region;
    shape->grids = calloc(region->ngrids, sizeof *shape->grids);
    shape->buffers = calloc(region->nbuffers, sizeof *shape->buffers);
    if (!shape->grids || !shape->buffers)
        return rt_fail(why, RT_HOST_MEMORY, "%s", "");
    for (uint32_t g = 0; g < region->ngrids; g++) {
        if (!grid_make(shape, g, why))
            return false;
        for (uint32_t i = 0; i < region->grids[g].buffers; i++) {
            rt_buffer *buffer = &shape->buffers[region->grids[g].first_buffer + i];
            buffer->grid = g;
            buffer->number = i;
            buffer->origin = shape->call->origins[region->grids[g].first_buffer + i];
            if (!buffer_make(shape, buffer, why))
                return false;
        }
    }
    return true;
}

static bool count_cells(rt_shape *shape, rt_error *why) {
    shape->cells = 1;
    for (uint32_t d = 0; d < 3; d++) {
        shape->extent[d] = d < shape->region->rank ? shape->call->extent[d] : 1;
        if (__builtin_mul_overflow(shape->cells, (uint64_t)shape->extent[d], &shape->cells))
            return rt_fail(why, RT_TOO_LARGE, "%s", "");
    }
    return true;
}

bool rt_shape_make(rt_shape *shape, const stencilrt_region *region, const stencilrt_call *call,
                   int64_t max_bt, int64_t chunk, rt_error *why) {
    *shape = (rt_shape){.region = region,
                        .call = call,
                        .steps = call->steps,
                        .rotating = first_written(region),
                        .eager = max_bt != INT64_MAX,
                        .most_on_chip = INT64_MAX,
                        .chunk = chunk};
    if (!count_cells(shape, why))
        return false;
    shape->bt = largest_degree(shape, max_bt);
    shape->older = reads_older(shape);
    if (!reads_no_written_neighbours(region, why))
        return false;
    return lay_out(shape, why) && (!call->copy || rt_copy_is_sound(shape, why)) &&
           buffers_lie_apart(shape, why) && refuse_halos(shape, why);
}

bool rt_shape_make_window(rt_shape *shape, const rt_shape *whole, const stencilrt_call *call,
                          rt_error *why) {
    *shape = *whole;
    shape->call = call;
    shape->off_chip = true;
    shape->grids = NULL;
    shape->buffers = NULL;
    return count_cells(shape, why) && lay_out(shape, why);
}

void rt_shape_free(rt_shape *shape) {
    free(shape->grids);
    free(shape->buffers);
}

bool rt_has_reductions(const stencilrt_region *r) {
    bool any = false;
    for (uint32_t s = 0; s < r->nsweeps; s++)
        any |= r->sweeps[s].nreductions > 0;
    return any;
}
