/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Two boxes of cells in the coordinates of one array. The distance of their first cells is divided
 * into planes, rows and elements. Each is rounded to the nearest, because a box may begin some
 * cells before the other one's row; or otherwise, where both boxes then lie closer together: a
 * column may lie anywhere in the other one's rows.
 */
#include "runtime/call/extent.h"

enum { NEAREST, DOWN, UP, ROUNDINGS };

static int64_t divide(int64_t a, int64_t b, int rounding) {
    int64_t down = a / b - (a % b < 0);
    if (rounding == NEAREST)
        return (a < 0 ? a - b / 2 : a + b / 2) / b;
    return rounding == UP && down * b != a ? down + 1 : down;
}

/* The distances that both boxes share. Where one box has a single cell along a dimension, the
 * other's distance counts. */
static bool join_strides(const rt_extent *a, const rt_extent *b, rt_extent *both) {
    both->elem_size = a->elem_size;
    for (int d = 0; d < 3; d++) {
        if (a->cells[d] > 1 && b->cells[d] > 1 && a->stride[d] != b->stride[d])
            return false;
        both->stride[d] = d == 0            ? (int64_t)a->elem_size
                          : a->cells[d] > 1 ? a->stride[d]
                          : b->cells[d] > 1 ? b->stride[d]
                                            : 0;
    }
    return a->elem_size == b->elem_size;
}

static bool rows_lie_apart(const rt_extent *e, int64_t *span) {
    *span = (int64_t)e->elem_size;
    for (int d = 0; d < 3; d++) {
        int64_t reach;
        if (e->cells[d] == 1)
            continue;
        if (e->stride[d] < *span || __builtin_mul_overflow(e->stride[d], e->cells[d] - 1, &reach) ||
            __builtin_add_overflow(*span, reach, span))
            return false;
    }
    return true;
}

static bool join(const rt_extent *a, const rt_extent *b, rt_extent *both, int64_t at[3],
                 int rounding) {
    int64_t rest = (int64_t)(b->lo - a->lo), base = 0, span;
    if (!join_strides(a, b, both))
        return false;
    for (int d = 3; d-- > 0;) {
        int64_t stride = both->stride[d];
        if (stride < 0)
            return false;
        at[d] = stride > 0 ? divide(rest, stride, rounding) : 0;
        int64_t lo = at[d] < 0 ? at[d] : 0, end = at[d] + b->cells[d];
        rest -= at[d] * stride;
        base += lo * stride;
        both->cells[d] = (end > a->cells[d] ? end : a->cells[d]) - lo;
    }
    bool apart = rest == 0 && rows_lie_apart(both, &span);
    both->lo = a->lo + (uintptr_t)base;
    both->hi = apart ? both->lo + (uintptr_t)span : both->lo;
    return apart;
}

bool rt_extent_join(const rt_extent *a, const rt_extent *b, rt_extent *both, int64_t at[3]) {
    return join(a, b, both, at, NEAREST);
}

bool rt_extent_join_closely(const rt_extent *a, const rt_extent *b, rt_extent *both) {
    rt_extent one;
    int64_t at[3], least = INT64_MAX;
    for (int rounding = 0; rounding < ROUNDINGS; rounding++) {
        bool joined = join(a, b, &one, at, rounding);
        if (!joined || (int64_t)(one.hi - one.lo) >= least)
            continue;
        least = (int64_t)(one.hi - one.lo);
        *both = one;
    }
    return least < INT64_MAX;
}

bool rt_extents_lie_apart(const rt_extent *a, const rt_extent *b) {
    rt_extent both;
    int64_t at[3];
    bool apart = false;
    if (!rt_extent_join(a, b, &both, at))
        return false;
    for (int d = 0; d < 3; d++)
        apart = apart || at[d] >= a->cells[d] || at[d] + b->cells[d] <= 0;
    return apart;
}
