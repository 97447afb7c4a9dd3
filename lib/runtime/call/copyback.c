/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Steps that end with a copy: B = f(A), then A = B. On the device the two buffers take turns, both
 * with the halo of A. At the end both arrays get the domain of the last step. The program does the
 * same if the copy takes all of the domain. Other cells that it copies must be equal in both arrays
 * before.
 */
#include "runtime/call/shape.h"
#include <string.h>

/* Rows that are copied. Rows that touch count as one row. */
typedef struct copied {
    uintptr_t at;
    int64_t bytes;
    /* The number of rows that lie apart, and their distance; 1 and 0 if there is only one. */
    int64_t count[2], step[2];
    int dims;
    bool uneven; /* there are more dimensions, or rows in falling order */
} copied;

static copied normal_form(uintptr_t at, int64_t bytes, const int64_t *count, const int64_t *step,
                          int dims) {
    copied c = {.at = at, .bytes = bytes, .count = {1, 1}};
    for (int i = 0; i < dims; i++) {
        if (count[i] == 1)
            continue;
        if (c.dims == 0 && step[i] == c.bytes) {
            c.uneven |= __builtin_mul_overflow(c.bytes, count[i], &c.bytes);
        } else if (c.dims < 2) {
            c.count[c.dims] = count[i];
            c.step[c.dims++] = step[i];
        } else {
            c.uneven = true;
        }
    }
    return c;
}

static bool is_same(const copied *a, const copied *b) {
    return a->at == b->at && a->bytes == b->bytes && !memcmp(a->count, b->count, sizeof a->count) &&
           !memcmp(a->step, b->step, sizeof a->step);
}

/* For one row that contains all rows of the domain: are the cells beside them equal in both arrays?
 */
static bool rest_is_equal(const copied *whole, const copied *domain, ptrdiff_t apart) {
    uintptr_t next = whole->at, end = next + (uintptr_t)whole->bytes;
    for (int64_t z = 0; z < domain->count[1]; z++)
        for (int64_t y = 0; y < domain->count[0]; y++) {
            uintptr_t row =
                domain->at + (uintptr_t)(y * domain->step[0]) + (uintptr_t)(z * domain->step[1]);
            if (row < next || end - row < (uintptr_t)domain->bytes || row > end ||
                memcmp((void *)next, (void *)(next - (uintptr_t)apart), row - next))
                return false;
            next = row + (uintptr_t)domain->bytes;
        }
    return !memcmp((void *)next, (void *)(next - (uintptr_t)apart), end - next);
}

static void widen(rt_buffer *buffer, uintptr_t at, int64_t bytes) {
    buffer->lo = at < buffer->lo ? at : buffer->lo;
    buffer->hi = at + (uintptr_t)bytes > buffer->hi ? at + (uintptr_t)bytes : buffer->hi;
}

bool rt_copy_is_sound(rt_shape *shape, rt_error *why) {
    const stencilrt_copy *copy = shape->call->copy;
    const rt_grid *grid = &shape->grids[shape->rotating];
    rt_buffer *buffers = &shape->buffers[shape->region->grids[shape->rotating].first_buffer];
    ptrdiff_t apart = (ptrdiff_t)((uintptr_t)copy->to - (uintptr_t)copy->from);
    uintptr_t first = (uintptr_t)buffers[0].origin, second = (uintptr_t)buffers[1].origin;
    int64_t size = (int64_t)grid->elem_size;
    copied all = normal_form((uintptr_t)copy->to, (int64_t)copy->bytes, copy->count, copy->step, 3);
    const int64_t *extent = grid->extent, *stride = grid->host_stride;
    copied domain = normal_form(first, extent[0] * size, extent + 1, stride + 1, 2);
    if (apart != (ptrdiff_t)(first - second) || all.uneven || domain.uneven || all.bytes <= 0)
        return rt_fail(why, RT_COPY, "%s", "");
    if (is_same(&all, &domain))
        return true;
    if (all.dims > 0 || (uintptr_t)all.bytes > UINTPTR_MAX - all.at ||
        !rest_is_equal(&all, &domain, apart))
        return rt_fail(why, RT_COPY, "%s", "");
    widen(&buffers[0], all.at, all.bytes);
    widen(&buffers[1], all.at - (uintptr_t)apart, all.bytes);
    return true;
}
