/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Blocked kernels need a layout with pads. An array that stays on the device has its own layout. So
 * while such kernels run, copies in the wide layout replace these arrays. The results return to the
 * arrays afterwards. This is for regions of one sweep; steps.h does the same for several.
 */
#ifndef STENCILRT_WIDE_H
#define STENCILRT_WIDE_H

#include "runtime/resident/uses.h"

typedef struct rt_wide {
    rt_shape *shape;
    const rt_uses *uses;
    rt_block *blocks; /* the call's, one for each buffer */
    /* One for each grid. In the wide layout; while copies are in place, in the arrays' own layout.
     * NULL: no copies are needed. */
    rt_grid *grids;
    rt_block *others; /* one for each buffer: the copy; while the copy is in place, the array */
} rt_wide;

/* To be called before the arrays are matched with those that stay: keeps the layout. `blocked`:
 * will a blocked kernel be launched? Call rt_wide_end also after a failure. */
bool rt_wide_begin(rt_wide *wide, rt_shape *shape, const rt_uses *uses, rt_block *blocks,
                   bool blocked, rt_error *why);
void rt_wide_end(rt_wide *wide, rt_device *device);

/* Bytes of a buffer of this grid in the wide layout. */
size_t rt_wide_bytes(const rt_wide *wide, uint32_t grid);
/* To be called when the arrays are on the device: fills copies, and puts them in the arrays'
 * places. */
bool rt_wide_put(rt_wide *wide, rt_device *device, rt_error *why);
/* Puts the arrays back in their places. `results`: copies the domains' results to them first. */
bool rt_wide_take(rt_wide *wide, rt_device *device, bool results, rt_error *why);

#endif
