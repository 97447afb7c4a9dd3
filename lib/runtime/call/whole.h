/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * May kernels of whole steps run? What the compiler took for granted of the arrays of a step
 * (struct stencilrt_step) is compared with what their addresses say (arrays.h).
 */
#ifndef STENCILRT_WHOLE_H
#define STENCILRT_WHOLE_H

#include "runtime/call/arrays.h"

/* Is the region's step well formed? There may be none. */
bool rt_whole_is_sound(const stencilrt_region *region, rt_error *why);

/* After all views have their places. If they are as the step says, and a kernel's degree fits the
 * call's steps and is at most max_bt, which is not 1: names the arrays' cells by the box's coordinates, and lays the
 * arrays out for these kernels, with pads. Else changes nothing. False: only for lack of something.
 */
bool rt_whole_make(rt_arrays *a, int64_t max_bt, rt_error *why);
/* Once all arrays are laid out: an array that stays on the device has another layout. */
bool rt_whole_keep_layouts(rt_arrays *a, rt_error *why);
void rt_whole_free(rt_whole *w);

/* After that and when all cells that are written are known: does the step read of the second buffer
 * of arrays that take turns only what it wrote, or what no step writes? If not, no kernel of whole
 * steps is launched. */
void rt_whole_check_order(rt_arrays *a);
/* The buffers of such an array that take turns, numbered among the arrays: two, or three with that
 * of the array that it becomes. 1: they take no turns. */
int rt_whole_buffers(const rt_arrays *a, uint32_t array, uint32_t of[3]);
/* Where steps read all buffers of such an array (number `array` of the step) and write none:
 * kernels of whole steps need all equal there. Free halo->at. */
void rt_whole_find_halo(const rt_arrays *a, uint32_t array, rt_boxes *halo);
/* Are two arrays equal there, byte for byte? By the host's memory. */
bool rt_whole_box_is_equal(const rt_shape *shape, uint32_t first, uint32_t second,
                           const rt_box *box);

/* Is kernel number `kernel` of the region one that this call may use? */
bool rt_whole_may_use(const rt_arrays *a, uint32_t kernel);

#endif
