/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Cells that no step writes, of an array whose buffers take turns.
 */
#ifndef STENCILRT_RUN_HALOS_H
#define STENCILRT_RUN_HALOS_H

#include "runtime/call/arrays.h"
#include "runtime/device/device.h"
#include "runtime/resident/uses.h"

/* Are the array's buffers equal in these cells? Of buffers that `uses` keeps on the device, those
 * in `blocks` are compared, of others the program's own. False, too, if memory ran out. */
bool rt_halo_is_equal(const rt_arrays *arrays, const rt_uses *uses, rt_device *device,
                      const rt_block *blocks, uint32_t array);
/* The same of two arrays, of which each step reads one and writes the other, in the cells of either
 * that steps read and do not write. Two steps or more read both in the same cells. */
bool rt_halos_agree(const rt_arrays *arrays, const rt_uses *uses, rt_device *device,
                    const rt_block *blocks, const uint32_t of[2]);

#endif
