/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Blocked kernels want a layout with pads. An array that stays on the device has its own layout. So
 * while such kernels run, copies in the wide layout take the place of the arrays that stay; the
 * results return to the arrays afterwards. Of regions of one sweep; steps.h does the same for
 * several.
 */
#ifndef STENCILRT_WIDE_H
#define STENCILRT_WIDE_H

#include "runtime/resident/uses.h"

typedef struct rt_wide {
    rt_shape *shape;
    const rt_uses *uses;
    rt_block *blocks; /* the call's, one a buffer */
    rt_grid *grids;   /* one a grid: in the wide layout, or in the arrays' own while copies are in
                         place; NULL: copies are not wanted */
    rt_block *others; /* one a buffer: the copy, or the array while the copy is in its place */
} rt_wide;

/* Before the arrays are matched with those that stay: keeps the layout. `blocked`: is there a
 * blocked kernel to launch? rt_wide_end also after a failure. */
bool rt_wide_begin(rt_wide *wide, rt_shape *shape, const rt_uses *uses, rt_block *blocks,
                   bool blocked, rt_error *why);
void rt_wide_end(rt_wide *wide, rt_device *device);

/* Bytes of a buffer of this grid in the wide layout. */
size_t rt_wide_bytes(const rt_wide *wide, uint32_t grid);
/* Once the arrays are on the device: puts filled copies in their places. */
bool rt_wide_put(rt_wide *wide, rt_device *device, rt_error *why);
/* Puts the arrays back in place; `results`: with what the copies have of their domains. */
bool rt_wide_take(rt_wide *wide, rt_device *device, bool results, rt_error *why);

#endif
