/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A ghost cell lies beyond the window at some of its sides. It gets the value of the cell that lies
 * as far inside the window, at the opposite sides.
 */
#include "runtime/run/ghosts.h"

#include "runtime/device/transfer.h"

enum { IN_WINDOW, AT_LOW, AT_HIGH, SIDES };

/* The part of the box at these sides of the window. False if it is empty. */
static bool cut_to_sides(const rt_arrays *a, const int side[3], rt_box *box) {
    bool any = true;
    for (uint32_t d = 0; d < a->region->rank; d++) {
        int64_t extent = a->whole.extent[d], low = a->region->step->margin_low[d];
        int64_t lo = side[d] == AT_LOW ? -low : side[d] == AT_HIGH ? extent : 0;
        int64_t hi = side[d] == AT_LOW    ? 0
                     : side[d] == AT_HIGH ? extent + a->region->step->margin_high[d]
                                          : extent;
        box->lo[d] = box->lo[d] > lo ? box->lo[d] : lo;
        box->hi[d] = box->hi[d] < hi ? box->hi[d] : hi;
        any = any && box->lo[d] < box->hi[d];
    }
    return any;
}

/* Cells of the box, at these sides of the window, get what their cells of the window have. */
static bool restore_sides(const rt_arrays *a, rt_device *device, const rt_grid *grid,
                          uint64_t address, const int side[3], rt_box box, rt_error *why) {
    int64_t from[3];
    if (!cut_to_sides(a, side, &box))
        return true;
    for (int d = 0; d < 3; d++) {
        int64_t extent = a->whole.extent[d];
        from[d] = box.lo[d] + (side[d] == AT_LOW ? extent : side[d] == AT_HIGH ? -extent : 0);
    }
    uint64_t moved = (uint64_t)rt_grid_device_offset(grid, from[0], from[1], from[2]) -
                     (uint64_t)rt_grid_device_offset(grid, box.lo[0], box.lo[1], box.lo[2]);
    return rt_move_box(device, grid, address + moved, grid, address, &box, why);
}

bool rt_ghosts_restore(const rt_arrays *a, rt_device *device, uint32_t number, uint64_t address,
                       rt_error *why) {
    const rt_boxes *written = &a->results[number];
    bool ok = true;
    for (size_t i = 0; i < written->count; i++)
        for (int n = 1; n < SIDES * SIDES * SIDES && ok; n++) {
            const int side[3] = {n % SIDES, n / SIDES % SIDES, n / SIDES / SIDES};
            bool beyond = false;
            for (uint32_t d = a->region->rank; d < 3; d++)
                beyond = beyond || side[d] != IN_WINDOW;
            ok = beyond || restore_sides(a, device, &a->shape.grids[number], address, side,
                                         written->at[i], why);
        }
    return ok;
}
