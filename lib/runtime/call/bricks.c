/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Where cells are in grids that lie in bricks: bricks.h.
 */
#include "runtime/call/bricks.h"

#include <string.h>

static int64_t floor_divide(int64_t a, int64_t b) {
    return a / b - (a % b < 0);
}

static int64_t cells_of_brick(const rt_grid *grid) {
    return grid->brick[0] * grid->brick[1] * grid->brick[2];
}

size_t rt_brick_bytes(const rt_grid *grid) {
    return (size_t)cells_of_brick(grid) * grid->elem_size;
}

/* Bricks from one to the next along each dimension, by their numbers. */
static void find_steps(const rt_grid *grid, int64_t step[3]) {
    step[0] = 1;
    step[1] = grid->stride[0] / cells_of_brick(grid);
    step[2] = grid->stride[1] / cells_of_brick(grid);
}

/* The box and the number of bricks that it meets keep below what 64 bits hold: extents are below
 * 2^41. */
bool rt_grid_lay_out_bricks(rt_grid *grid, const uint32_t brick[3], rt_error *why) {
    int64_t stride[4] = {1, 0, 0, 0};
    for (int d = 0; d < 3; d++) {
        grid->brick[d] = brick[d];
        stride[0] *= brick[d];
    }
    for (int d = 0; d < 3; d++) {
        int64_t first = floor_divide(grid->box.lo[d], brick[d]);
        int64_t end = floor_divide(grid->box.hi[d] - 1, brick[d]) + 1;
        grid->before[d] = -first;
        if (__builtin_mul_overflow(stride[d], end - first, &stride[d + 1]) ||
            stride[d + 1] > INT64_MAX / 64)
            return rt_fail(why, RT_TOO_LARGE, "%s", "");
    }
    grid->stride[0] = stride[1];
    grid->stride[1] = stride[2];
    grid->pitch = (size_t)stride[1] * grid->elem_size;
    grid->plane = (size_t)stride[2] * grid->elem_size;
    grid->bytes = (size_t)stride[3] * grid->elem_size;
    grid->origin = 0;
    for (int d = 0; d < 3; d++)
        grid->origin += (size_t)(grid->before[d] * stride[d]) * grid->elem_size;
    return true;
}

bool rt_bricks_lay_out_as(rt_grid *grid, const rt_grid *like, const int64_t zero[3]) {
    int64_t step[4];
    find_steps(like, step);
    step[3] = (int64_t)(like->bytes / rt_brick_bytes(like));
    for (int d = 0; d < 3; d++) {
        int64_t first = floor_divide(grid->box.lo[d] - zero[d], like->brick[d]) + like->before[d];
        int64_t last =
            floor_divide(grid->box.hi[d] - 1 - zero[d], like->brick[d]) + like->before[d];
        if (first < 0 || last >= step[d + 1] / step[d])
            return false;
        grid->brick[d] = like->brick[d];
        grid->before[d] = like->before[d];
        grid->zero[d] = zero[d];
    }
    memcpy(grid->stride, like->stride, sizeof grid->stride);
    grid->pitch = like->pitch;
    grid->plane = like->plane;
    grid->bytes = like->bytes;
    grid->origin = rt_bricks_offset(grid, 0, 0, 0);
    return true;
}

bool rt_bricks_are_alike(const rt_grid *a, const rt_grid *b) {
    return !memcmp(a->brick, b->brick, sizeof a->brick) &&
           (!a->brick[0] || (a->pitch == b->pitch && a->plane == b->plane && a->bytes == b->bytes));
}

size_t rt_bricks_offset(const rt_grid *grid, int64_t x, int64_t y, int64_t z) {
    const int64_t at[3] = {x - grid->zero[0], y - grid->zero[1], z - grid->zero[2]};
    int64_t step[3], number = 0, inside = 0, inner = 1;
    find_steps(grid, step);
    for (int d = 0; d < 3; d++) {
        int64_t whole = floor_divide(at[d], grid->brick[d]);
        number += (whole + grid->before[d]) * step[d];
        inside += (at[d] - whole * grid->brick[d]) * inner;
        inner *= grid->brick[d];
    }
    return (size_t)(number * cells_of_brick(grid) + inside) * grid->elem_size;
}

void rt_bricks_of_box(const rt_grid *grid, const rt_box *box, int64_t *first, int64_t *end) {
    size_t bytes = rt_brick_bytes(grid);
    *first = *end = 0;
    if (rt_box_rows(box) <= 0 || box->hi[0] <= box->lo[0])
        return;
    *first = (int64_t)(rt_bricks_offset(grid, box->lo[0], box->lo[1], box->lo[2]) / bytes);
    *end = 1 + (int64_t)(rt_bricks_offset(grid, box->hi[0] - 1, box->hi[1] - 1, box->hi[2] - 1) /
                         bytes);
}

/* The cells of one brick that are in the box. */
static rt_box part_in_brick(const rt_grid *grid, const rt_box *box, int64_t number) {
    int64_t step[3];
    rt_box part;
    find_steps(grid, step);
    for (int d = 2; d >= 0; d--) {
        int64_t lo = (number / step[d] - grid->before[d]) * grid->brick[d] + grid->zero[d];
        int64_t hi = lo + grid->brick[d];
        number %= step[d];
        part.lo[d] = lo > box->lo[d] ? lo : box->lo[d];
        part.hi[d] = hi < box->hi[d] ? hi : box->hi[d];
    }
    return part;
}

void rt_bricks_each(const rt_grid *grid, const rt_box *box, int64_t first, int64_t end,
                    void (*each)(void *context, const rt_run_of_cells *run), void *context) {
    for (int64_t number = first; number < end; number++) {
        rt_box part = part_in_brick(grid, box, number);
        rt_run_of_cells run = {.x = part.lo[0]};
        if (part.hi[0] <= part.lo[0])
            continue;
        run.bytes = (size_t)(part.hi[0] - part.lo[0]) * grid->elem_size;
        for (run.z = part.lo[2]; run.z < part.hi[2]; run.z++)
            for (run.y = part.lo[1]; run.y < part.hi[1]; run.y++) {
                run.offset = rt_bricks_offset(grid, run.x, run.y, run.z) -
                             (size_t)first * rt_brick_bytes(grid);
                each(context, &run);
            }
    }
}
