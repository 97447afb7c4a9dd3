/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Tiles of cells for threads. They pay if there are enough tiles for all processors, because a
 * thread with several cells takes longer than a thread with one.
 */
#include "runtime/choose/tiles.h"

#include "runtime/call/shape.h"

/* Fitted to star2d1r, box2d4r, Gray-Scott, star3d1r and box3d2r on one H200, of 32^3 to 200^3 and
 * 128^2 to 2000^2 cells. With so many tiles none of them was slower. */
static bool pays(const rt_device *device, uint32_t rank, double tiles) {
    double enough = rank == 3 ? 2048 : 256; /* tiles for a processor */
    enum rt_tiling tiling = rt_config_get()->tiles;
    bool known = tiling == RT_TILES_AUTO && device->driver->is_estimated;
    return tiling != RT_TILES_OFF && (!known || tiles >= enough * device->info.processors);
}

/* May several blocks behind the tiles have the cells that are in no tile? */
static bool has_more_blocks(const stencilrt_kernel *k) {
    return (k->tile[0] - 1) * k->tile[1] * k->tile[2] > k->block[0];
}

bool rt_tiles_lay_out(const rt_device *device, const stencilrt_kernel *k, uint32_t rank,
                      const int64_t extent[3], int64_t peeled, uint32_t grid[3]) {
    const rt_limits *most = &device->info.limits;
    int64_t width = k->tile[0];
    double tiles = 1;
    if (width == 0 || extent[0] < peeled + width)
        return false;
    int64_t columns = (extent[0] - peeled) / width, rest = extent[0] - columns * width;
    int64_t behind = rt_ceil_div(rest * k->tile[1] * k->tile[2], k->block[0]);
    if (behind > 1 && !has_more_blocks(k))
        return false;
    for (uint32_t d = 0; d < 3; d++) {
        int64_t count = d == 0     ? rt_ceil_div(columns, k->block[0]) + behind
                        : d < rank ? rt_ceil_div(extent[d], (int64_t)k->block[d] * k->tile[d])
                                   : 1;
        if (extent[d] < k->tile[d] || count > most->blocks[d] ||
            count > most->threads / k->block[d])
            return false;
        grid[d] = (uint32_t)count;
        tiles *= (double)extent[d] / k->tile[d];
    }
    return pays(device, rank, tiles);
}
