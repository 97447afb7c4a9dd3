/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The device's memory for a region of one sweep, and what it contains at the beginning.
 */
#ifndef STENCILRT_BLOCKS_H
#define STENCILRT_BLOCKS_H

#include "runtime/choose/schedule.h"
#include "runtime/resident/uses.h"
#include "runtime/run/launch.h"

/* Allocates the blocks that have no memory yet. rt_blocks_free frees them, also after a failure. */
bool rt_blocks_allocate(rt_device *device, const rt_shape *shape, rt_block *blocks, rt_error *why);
/* Allocates scratch buffers of so many bytes. If there is no memory for them, makes a schedule that
 * needs none. */
bool rt_blocks_scratch(rt_device *device, void *module, const rt_shape *shape,
                       rt_schedule *schedule, size_t bytes, rt_memory *memory, rt_error *why);
/* Uploads the buffers that are not held. */
bool rt_blocks_upload(rt_device *device, const rt_shape *shape, const rt_uses *uses,
                      const rt_block *blocks, rt_error *why);
/* The buffer whose content this one has after the call. If steps end with a copy, the last buffer
 * that was written. */
uint32_t rt_blocks_final(const rt_shape *shape, uint32_t buffer);
void rt_blocks_free(rt_device *device, uint32_t nbuffers, rt_memory *memory);

#endif
