/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * When the threads of a cell kernel compute tiles of cells instead of one cell each: see
 * STENCILRT_CELL.
 */
#ifndef STENCILRT_TILES_H
#define STENCILRT_TILES_H

#include "runtime/device/device.h"

/* The blocks of a launch with tiles. `peeled` cells at the low end of each row are in no tile.
 * False if tiles are not possible, or not expected to be faster. */
bool rt_tiles_lay_out(const rt_device *device, const stencilrt_kernel *k, uint32_t rank,
                      const int64_t extent[3], int64_t peeled, uint32_t grid[3]);

#endif
